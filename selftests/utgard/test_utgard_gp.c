// SPDX-License-Identifier: GPL-2.0
/*
 * Utgard vertex programs: functions of the complex unit with the sequence that compilers
 * emit, limits, rejections, memory that does not suffice, programs that do not end, words
 * of any kind.
 */
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "gp_gen.h"
#include "utgard_encode.h"

static struct gp_case kase;
static u32 words[(UGP_MAX_INSNS + 1) * UGP_WORDS];
static u32 got[GP_MAX_VERTICES][16][4];

static float as_float(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static u32 as_bits(float f)
{
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static void put(u32 at, const struct ugp_insn *i)
{
	ugp_encode(i, words + UGP_WORDS * at);
}

static void idle(u32 n)
{
	struct ugp_insn i;
	u32 at;

	ugp_idle(&i);
	kase.words = words;
	kase.n = n;
	for (at = 0; at < n; at++)
		put(at, &i);
}

/* ---- functions ---- */

/* v0.x = function(a0.x): the two multipliers finish the complex unit's result. */
static void function_program(u32 code)
{
	struct ugp_insn i;

	idle(5);
	ugp_idle(&i);
	i.port0_attribute = 1;
	i.pass_a = 0;
	i.pass_op = code == 2 ? 4 : 2;
	put(0, &i);
	i.pass_a = UGP_SRC_NONE;
	i.pass_op = 2;
	i.complex_op = code;
	i.complex_a = UGP_SRC_P1_PASS;
	i.mul_op = 3;
	i.mul0_a = UGP_SRC_P1_PASS;
	i.mul0_b = UGP_SRC_P1_PASS;
	put(1, &i);
	ugp_idle(&i);
	i.mul_op = 1;
	i.mul0_a = UGP_SRC_P1_COMPLEX;
	i.mul0_b = UGP_SRC_P1_MUL0;
	i.mul1_a = UGP_SRC_P1_COMPLEX;
	i.mul1_b = UGP_SRC_P2_PASS;
	put(2, &i);
	ugp_idle(&i);
	i.pass_a = UGP_SRC_P2_MUL0;
	i.pass_op = code == 3 ? 5 : 2;
	i.store0_varying = 1;
	i.store_x = UGP_STORE_PASS;
	put(4, &i);
}

static double function(u32 code, double x)
{
	switch (code) {
	case 2:
		return exp2(x);
	case 3:
		return log2(x);
	case 4:
		return 1 / sqrt(x);
	default:
		return 1 / x;
	}
}

/* Two units in the last place; programs may rely on a relative error of 2e-5 only. */
static bool close_to(u32 bits, double want)
{
	double v = as_float(bits), limit = fabs(want) * 0x1p-22 + 0x1p-148;

	if (isnan(want))
		return bits == 0x7fc00000;
	if (fabs(want) > 0x1.fffffep127 || isinf(v))
		return isinf(v) && fabs(want) >= 0x1.fffffep127 && v * want > 0;
	return fabs(v - want) <= limit && signbit(v) == signbit(want);
}

static void test_function(enum vs_simd simd, u32 code, const char *name)
{
	static const float fixed[] = {
		0, -0.0f, 1, 2, 4, 0.25f, 10, -1, -2.5f, 127.5f, 128, -126, -149, -151, 0.5f,
		INFINITY, -INFINITY, NAN, 0x1p-149f, 0x1p-126f, 0x1.fffffep127f,
	};
	u32 i, bad = 0, n = 200;
	u64 seed = code;

	function_program(code);
	kase.nv = n;
	for (i = 0; i < n; i++)
		kase.v[i].attr[0][0] = i < ARRAY_SIZE(fixed) ? as_bits(fixed[i]) :
							       gen_value(&seed);
	if (gp_run(&kase, simd, 5000, 1000, got))
		bad++;
	for (i = 0; i < n && !bad; i++) {
		double x = as_float(kase.v[i].attr[0][0]);

		if (close_to(got[i][0][0], function(code, x)))
			continue;
		tap_comment("%a: %a", x, as_float(got[i][0][0]));
		bad++;
	}
	tap_result(!bad, "%s: %s", vs_simd_name(simd), name);
}

/* ---- limits ---- */

static void test_limits(void)
{
	struct ugp_insn i;
	int ret;

	idle(UGP_MAX_INSNS);
	kase.nv = 3;
	ugp_idle(&i);
	i.port0_attribute = 1;
	i.acc0_a = 1;
	i.acc0_b = UGP_SRC_P1_COMPLEX;
	i.acc0_b_neg = 1;
	i.store1_varying = 1;
	i.store1_addr = 15;
	i.store_w = UGP_STORE_ACC0;
	put(UGP_MAX_INSNS - 1, &i);
	kase.v[2].attr[0][1] = 1234;
	ret = gp_run(&kase, VS_SIMD_PORTABLE, 5000, 1000, got);
	tap_result(!ret && got[2][15][3] == 1234 && got[2][15][2] == GP_UNTOUCHED,
		   "512 instructions, the last one stores");
	kase.n = UGP_MAX_INSNS + 1;
	ret = gp_run(&kase, VS_SIMD_PORTABLE, 5000, 1000, got);
	tap_result(ret == -ENOEXEC && gp_reject()->reason == UGP_BAD_SIZE, "513 instructions");
	kase.n = 0;
	ret = gp_run(&kase, VS_SIMD_PORTABLE, 5000, 1000, got);
	tap_result(ret == -ENOEXEC && gp_reject()->reason == UGP_BAD_SIZE, "no instructions");
}

/* Unset uniform rows are 0, and row 303 is the last one. */
static void test_rows(void)
{
	struct ugp_insn i;
	int ret;

	idle(1);
	ugp_idle(&i);
	i.load_addr = UGP_MAX_ROWS - 1;
	i.pass_a = UGP_SRC_LOAD + 3;
	i.store0_varying = 1;
	i.store_y = UGP_STORE_PASS;
	put(0, &i);
	memset(kase.row, 0, sizeof(kase.row));
	kase.row[UGP_MAX_ROWS - 1][3] = 77;
	kase.nrows = UGP_MAX_ROWS;
	ret = gp_run(&kase, VS_SIMD_PORTABLE, 5000, 1000, got);
	tap_result(!ret && got[0][0][1] == 77 && gp_program()->prog->nunif == 4 * UGP_MAX_ROWS,
		   "row 303");
	i.load_addr = UGP_MAX_ROWS;
	put(0, &i);
	ret = gp_run(&kase, VS_SIMD_PORTABLE, 5000, 1000, got);
	tap_result(ret == -ENOEXEC && gp_reject()->reason == UGP_BAD_ROW &&
		   gp_reject()->value == UGP_MAX_ROWS, "row 304");
	kase.nrows = 0;
}

/* Moves cost nothing, and dead code is eliminated. */
static void test_economy(void)
{
	struct ugp_insn i;
	int ret;
	u32 at;

	idle(40);
	ugp_idle(&i);
	i.port0_attribute = 1;
	i.pass_a = 0;
	put(0, &i);
	i.pass_a = UGP_SRC_P1_PASS;
	i.port0_attribute = 0;
	for (at = 1; at < 39; at++)
		put(at, &i);
	i.store0_varying = 1;
	i.store_x = UGP_STORE_PASS;
	put(39, &i);
	kase.nv = 1;
	kase.v[0].attr[0][0] = 0x7f812345;
	ret = gp_run(&kase, VS_SIMD_PORTABLE, 5000, 1000, got);
	tap_result(!ret && got[0][0][0] == 0x7f812345 && gp_program()->prog->nuops == 2,
		   "a value passed on 39 times is copied once");
}

static void test_endless(void)
{
	struct ugp_insn i;
	int ret;

	idle(3);
	ugp_idle(&i);
	i.branch = 1;
	i.branch_target = 1;
	i.branch_target_low = 1;
	i.unknown_1 = UGP_MODE_BRANCH;
	i.port0_attribute = 1;
	i.pass_a = 0;
	put(2, &i);
	kase.nv = 70;
	memset(kase.v, 0, sizeof(kase.v));
	kase.v[69].attr[0][0] = as_bits(1);
	ret = gp_run(&kase, vs_simd_best(), 1000, 300, got);
	tap_result(ret == -ETIME, "a loop without an end ends every slice");
	kase.v[69].attr[0][0] = 0x80000000;
	ret = gp_run(&kase, vs_simd_best(), 1000, 300, got);
	tap_result(!ret, "-0 does not branch");
	kase.v[69].attr[0][0] = 0x7fc00000;
	ret = gp_run(&kase, vs_simd_best(), 1000, 300, got);
	tap_result(ret == -ETIME, "NaN branches");
}

/* ---- memory ---- */

static void test_arena(void)
{
	static u8 store[4 << 20] __aligned(64);
	struct simt_arena a = { .base = store };
	struct ugp_program p;
	struct vs_reject rej;
	u32 short_of = 0, good = 0, bad = 0;
	u64 seed = 5;

	gen_program(&seed, GEN_BRANCHES | GEN_INDEXED | GEN_TEMPS, 60, words);
	for (a.size = 0; a.size <= sizeof(store); a.size += a.size < 65536 ? 832 : 40000) {
		int ret;

		a.used = 0;
		memset(store, 0xa5, a.size);
		ret = ugp_lower(&a, words, 60, 0, &p, &rej);
		short_of += ret == -ENOMEM;
		good += !ret;
		bad += ret && ret != -ENOMEM;
	}
	tap_result(short_of && good && !bad, "memory of any size: %u short, %u enough", short_of,
		   good);
}

/* Rejected by the verifier: rejected here, with its words; accepted there: accepted. */
static void test_any_words(u32 n)
{
	struct simt_arena a = { .size = 8 << 20 };
	struct vs_reject rej, want;
	struct ugp_program p;
	u32 i, k, entry = 0, differ = 0, accepted = 0;
	u64 seed = 9;

	a.base = aligned_alloc(64, a.size);
	for (i = 0; i < n && a.base; i++) {
		u32 ninsns = 1 + gen_below(&seed, 6);
		struct vs_src src = {
			.stage = VS_STAGE_VERTEX, .entries = &entry, .nentries = 1,
			.words[VS_SECTION_CODE] = words,
			.nwords[VS_SECTION_CODE] = ninsns * UGP_WORDS,
		};
		struct vs_report rep;
		int ret, ver;

		if (i % 2)
			gen_program(&seed, i / 2 % 16, ninsns, words);
		for (k = 0; k < UGP_WORDS * ninsns && !(i % 2); k++)
			words[k] = gen_random(&seed);
		for (k = gen_below(&seed, 3); k--;)
			words[gen_below(&seed, UGP_WORDS * ninsns)] ^=
				1U << gen_below(&seed, 32);
		a.used = 0;
		ver = ugp_verify(&src, &rep, &want);
		ret = ugp_lower(&a, words, ninsns, 0, &p, &rej);
		accepted += !ret;
		differ += ret != ver || memcmp(&rej, &want, sizeof(rej));
	}
	free(a.base);
	tap_result(!differ && accepted > n / 20 && accepted < n,
		   "words of any kind: %u of %u accepted, as by the verifier", accepted, n);
}

int main(void)
{
	u32 simd;

	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		test_function((enum vs_simd)simd, 2, "exp2");
		test_function((enum vs_simd)simd, 3, "log2");
		test_function((enum vs_simd)simd, 4, "rsqrt");
		test_function((enum vs_simd)simd, 5, "rcp");
	}
	test_limits();
	test_rows();
	test_economy();
	test_endless();
	test_arena();
	test_any_words(4000);
	return tap_done();
}
