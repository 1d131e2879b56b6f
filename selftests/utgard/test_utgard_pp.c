// SPDX-License-Identifier: GPL-2.0
/*
 * Utgard pixel programs: functions of the combiner, memory that does not suffice, words of
 * any kind.
 */
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "gp_gen.h"
#include "utgard_encode.h"
#include "pp_gen.h"

#define ARENA		(16u << 20)
#define VALUES		256

static u8 store[ARENA] __aligned(64);
static u32 words[PGEN_MAX_INSNS * UPP_INSN_WORDS];
static u32 in[VALUES], in2[VALUES], out[VALUES];

static float as_float(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* ---- functions ---- */

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l;

	for (l = 0; l < 4 * g->packed; l++) {
		b->slot[UPP_SLOT_VAR * SIMT_LANES + l] = in[4 * g->group + l];
		b->slot[(UPP_SLOT_VAR + 1) * SIMT_LANES + l] = in2[4 * g->group + l];
	}
}

static void end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l;

	for (l = 0; l < 4 * g->packed; l++)
		out[4 * g->group + l] = b->slot[(UPP_SLOT_REG + 1) * SIMT_LANES + l];
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	return false;
}

static const struct simt_ops ops = { .start = start, .ext = ext, .end = end };

/* $0.x = varying 0.x; $0.y = function($0.x) */
static u32 function_program(u32 op)
{
	struct upp_insn i = { };

	i.form[UPP_VARYING] = UPP_FORM_VARYING;
	upp_defaults(UPP_FORM_VARYING, &i.part[UPP_VARYING]);
	i.part[UPP_VARYING].varying.mask = 1;
	i.form[UPP_COMBINE] = UPP_FORM_COMBINE;
	upp_defaults(UPP_FORM_COMBINE, &i.part[UPP_COMBINE]);
	i.part[UPP_COMBINE].combine.op = op;
	i.part[UPP_COMBINE].combine.dest = 1;
	i.ctrl.fields = 1U << UPP_VARYING | 1U << UPP_COMBINE;
	i.ctrl.count = upp_size(i.ctrl.fields);
	i.ctrl.stop = 1;
	return upp_encode(&i, words);
}

static int run(enum vs_simd simd, u32 nwords)
{
	struct simt_arena arena = { .base = store, .size = ARENA };
	const struct vs_map map = { };
	struct simt_launch l = {
		.ops = &ops, .local = { 4, 1, 1 }, .groups = { VALUES / 4, 1, 1 },
	};
	enum simt_status r = SIMT_RUN_MORE;
	struct upp_program program;
	struct simt_machine *m;
	struct vs_reject rej;
	u64 used;
	int ret;

	ret = upp_lower(&arena, words, nwords, 0, 0, UPP_LOWER_FP32, &program, &rej);
	if (ret)
		return ret;
	l.prog = program.prog;
	m = simt_machine_new(&arena, &map);
	ret = m ? simt_machine_launch(m, &l) : -ENOMEM;
	while (!ret && r == SIMT_RUN_MORE)
		r = simt_machine_run(m, simd, 2000, &used);
	return ret ? ret : r == SIMT_RUN_DONE ? 0 : -EFAULT;
}

static double function(u32 op, double x)
{
	switch (op) {
	case UPP_OP_COMBINE_RCP:
		return 1 / x;
	case UPP_OP_COMBINE_SQRT:
		return sqrt(x);
	case UPP_OP_COMBINE_RSQRT:
		return 1 / sqrt(x);
	case UPP_OP_COMBINE_EXP2:
		return exp2(x);
	case UPP_OP_COMBINE_LOG2:
		return log2(x);
	case UPP_OP_COMBINE_SIN:
		return sin(2 * M_PI * fmod(x, 1));
	default:
		return cos(2 * M_PI * fmod(x, 1));
	}
}

/* Two units in the last place; near zeros of sine and cosine the error of the host's pi. */
static bool close_to(u32 bits, double want)
{
	double v = as_float(bits), limit = fabs(want) * 0x1p-22 + 0x1p-50;

	if (isnan(want))
		return bits == 0x7fc00000;
	if (fabs(want) > 0x1.fffffep127)
		return isinf(v) && v * want > 0;
	return fabs(v - want) <= limit;
}

static void test_functions(enum vs_simd simd)
{
	static const char * const names[] = { "rcp", "mov", "sqrt", "rsqrt", "exp2", "log2",
					      "sin", "cos" };
	u32 op, i, bad;
	u64 seed = 3;

	for (op = 0; op <= UPP_OP_COMBINE_COS; op++) {
		if (op == UPP_OP_COMBINE_MOV)
			continue;
		for (i = 0; i < VALUES; i++)
			in[i] = gen_value(&seed);
		bad = run(simd, function_program(op)) != 0;
		for (i = 0; i < VALUES && !bad; i++) {
			if (close_to(out[i], function(op, as_float(in[i]))))
				continue;
			tap_comment("%a: %a", as_float(in[i]), as_float(out[i]));
			bad++;
		}
		tap_result(!bad, "%s: %s", vs_simd_name(simd), names[op]);
	}
}

/* $0 = varying 0; $1.xyz = atan($0.x) or atan2($0.x, $0.y); $1.x *= $1.y; $0.y = end($1) */
static u32 angle_program(u32 op)
{
	struct upp_insn i[2] = { };
	u32 n, k;

	i[0].form[UPP_VARYING] = UPP_FORM_VARYING;
	upp_defaults(UPP_FORM_VARYING, &i[0].part[UPP_VARYING]);
	i[0].part[UPP_VARYING].varying.alignment = UPP_VARYING_VEC4;
	i[0].form[UPP_COMBINE] = UPP_FORM_ATAN;
	upp_defaults(UPP_FORM_ATAN, &i[0].part[UPP_COMBINE]);
	i[0].part[UPP_COMBINE].atan.op = op;
	i[0].part[UPP_COMBINE].atan.arg1 = 1;
	i[0].part[UPP_COMBINE].atan.dest = 1;
	i[0].part[UPP_COMBINE].atan.mask = 7;
	i[0].ctrl.fields = 1U << UPP_VARYING | 1U << UPP_COMBINE;
	i[1].form[UPP_SCALAR_MUL] = UPP_FORM_SCALAR_MUL;
	i[1].part[UPP_SCALAR_MUL].scalar = (struct upp_scalar){ .arg0 = 4, .arg1 = 5, .dest = 4,
								.output = 1 };
	i[1].form[UPP_COMBINE] = UPP_FORM_ATAN_END;
	upp_defaults(UPP_FORM_ATAN_END, &i[1].part[UPP_COMBINE]);
	i[1].part[UPP_COMBINE].atan_end.reg = 1;
	i[1].part[UPP_COMBINE].atan_end.swizzle = 0xe4;
	i[1].part[UPP_COMBINE].atan_end.dest = 1;
	i[1].ctrl.fields = 1U << UPP_SCALAR_MUL | 1U << UPP_COMBINE;
	i[1].ctrl.stop = 1;
	for (n = 0, k = 0; k < 2; k++) {
		i[k].ctrl.count = upp_size(i[k].ctrl.fields);
		n += upp_encode(&i[k], words + n);
	}
	return n;
}

/* Three units in the last place of the result, or of its parts where they cancel out. */
static bool angle_ok(u32 op, u32 i)
{
	double y = as_float(in[i]), x = as_float(in2[i]), v = as_float(out[i]), want;
	bool two = op == UPP_OP_COMBINE_ATAN2;

	want = two ? atan2(y, x) : atan(y);
	/* the ratio of two infinities, or a reciprocal that is not a number of full precision */
	if (two && ((isinf(x) && isinf(y)) || fabs(x) > 0x1p125 || fabs(y) > 0x1p125 ||
		    fabs(x) < 0x1p-125 || fabs(y) < 0x1p-125))
		return true;
	if (isnan(want))
		return out[i] == 0x7fc00000;
	return fabs(v - want) <= 0x1p-21 * fmax(fabs(want), two && x < 0 ? 1 : 0) &&
	       signbit(v) == signbit(want);
}

static void test_angles(enum vs_simd simd)
{
	u32 op, i, bad;
	u64 seed = 9;

	for (op = UPP_OP_COMBINE_ATAN; op <= UPP_OP_COMBINE_ATAN2; op++) {
		for (i = 0; i < VALUES; i++) {
			in[i] = gen_value(&seed);
			in2[i] = gen_value(&seed);
		}
		bad = run(simd, angle_program(op)) != 0;
		for (i = 0; i < VALUES && !bad; i++) {
			if (angle_ok(op, i))
				continue;
			tap_comment("%a, %a: %a", as_float(in[i]), as_float(in2[i]),
				    as_float(out[i]));
			bad++;
		}
		tap_result(!bad, "%s: %s", vs_simd_name(simd),
			   op == UPP_OP_COMBINE_ATAN ? "atan" : "atan2");
	}
}

static void test_temps(void)
{
	struct simt_arena arena = { .base = store, .size = ARENA };
	u32 n = function_program(UPP_OP_COMBINE_RCP);
	struct upp_program program;
	struct vs_reject rej;

	tap_result(upp_lower(&arena, words, n, 0, UPP_MAX_TEMPS + 1, 0, &program, &rej) == -E2BIG,
		   "too many temporaries are refused");
}

/* ---- memory, words ---- */

static void test_arena(void)
{
	struct simt_arena a = { .base = store };
	u32 short_of = 0, good = 0, bad = 0, n;
	struct upp_program p;
	struct vs_reject rej;
	u64 seed = 5;

	n = pgen_program(&seed, PGEN_BRANCHES | PGEN_LOADS, PGEN_MAX_INSNS, words);
	for (a.size = 0; a.size <= 4 << 20; a.size += a.size < 65536 ? 832 : 40000) {
		int ret;

		a.used = 0;
		memset(store, 0xa5, a.size);
		ret = upp_lower(&a, words, n, 0, 3, 0, &p, &rej);
		short_of += ret == -ENOMEM;
		good += !ret;
		bad += ret && ret != -ENOMEM;
	}
	tap_result(short_of && good && !bad, "memory of any size: %u short, %u enough", short_of,
		   good);
}

/* Lowering rejects the verifier's rejects, and lowers or refuses all other programs. */
static void test_any_words(u32 n)
{
	struct simt_arena a = { .base = store, .size = ARENA };
	u32 i, k, nwords, entry = 0, differ = 0, accepted = 0;
	struct vs_reject rej;
	struct upp_program p;
	u64 seed = 9;

	for (i = 0; i < n; i++) {
		struct vs_src src = {
			.stage = VS_STAGE_FRAGMENT, .entries = &entry, .nentries = 1,
			.words[VS_SECTION_CODE] = words,
		};
		struct upp_check check;
		struct vs_report rep;
		int ret, ver;

		nwords = pgen_program(&seed, PGEN_BRANCHES | PGEN_LOADS, 1 + gen_below(&seed, 5),
				      words);
		for (k = gen_below(&seed, 4); k--;)
			words[gen_below(&seed, nwords)] ^= 1U << gen_below(&seed, 32);
		for (k = 0; k < nwords && !(i % 8); k++)
			words[k] = gen_random(&seed);
		src.nwords[VS_SECTION_CODE] = nwords;
		a.used = 0;
		ver = upp_verify(&src, &rep, &check);
		ret = upp_lower(&a, words, nwords, 0, gen_below(&seed, 5), 0, &p, &rej);
		accepted += !ret;
		if (ver)
			differ += ret != ver || memcmp(&rej, &check.reject, sizeof(rej));
		else
			differ += ret && ret != -E2BIG;
	}
	tap_result(!differ && accepted > n / 20 && accepted < n,
		   "words of any kind: %u of %u accepted, none that the verifier rejects",
		   accepted, n);
}

int main(void)
{
	u32 simd;

	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		test_functions((enum vs_simd)simd);
		test_angles((enum vs_simd)simd);
	}
	test_temps();
	test_arena();
	test_any_words(4000);
	return tap_done();
}
