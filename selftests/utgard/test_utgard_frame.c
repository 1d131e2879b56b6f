// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of Utgard GPUs: random draws of the vertex processor, on all builds of the engine,
 * against the reference model and an independent conversion of elements; rejected and
 * faulting frames of both processors; text.
 */
#include <math.h>

#include "../../userspace/disasm/utgard_print.h"
#include "../include/tap.h"
#include "frame.h"
#include "gp_gen.h"
#include "utgard_encode.h"

#define VERTICES	70
#define NELEMS		(FR_DATA + FR_DATA_SIZE - FR_ELEMS)
#define BUDGET		1000
#define PATTERN		0xa5

static struct frame fr;
static u64 seed = 1;
static const struct frame_run usual = { VS_SIMD_PORTABLE, 3000, 1ULL << 32, 100 };

static u32 bits_of(float f)
{
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static float float_of(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* ---- elements ---- */

static const u16 types[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 0x101 };

static u32 size_of(u32 type)
{
	static const u8 sizes[] = { 4, 4, 4, 2, 2, 2, 1, 1, 1, 1, 2, 2, 0, 4, 4 };

	return type == 0x101 ? 4 : sizes[type];
}

static double half(u32 h)
{
	double v = h >> 10 & 31 ? ldexp(1024 + (h & 1023), (int)(h >> 10 & 31) - 25) :
				  ldexp(h & 1023, -24);

	if ((h >> 10 & 31) == 31)
		v = h & 1023 ? NAN : INFINITY;
	return h & 0x8000 ? -v : v;
}

/* A component as binary32. */
static u32 component(u32 type, const u8 *p)
{
	u32 size = size_of(type), v = 0;
	bool is_signed = type == 1 || type == 4 || type == 6 || type == 8 || type == 10 ||
			 type == 13 || type == 0x101;
	s64 n;

	memcpy(&v, p, size);
	if (type == 0)
		return v;
	if (type == 3)
		return bits_of((float)half(v));
	n = is_signed ? (s64)((u64)v << (64 - 8 * size)) >> (64 - 8 * size) : v;
	switch (type) {
	case 8: case 10:
		return bits_of(fmaxf((float)n * (1.0f / (float)((1 << (8 * size - 1)) - 1)), -1));
	case 9: case 11:
		return bits_of((float)n * (1.0f / (float)((1 << (8 * size)) - 1)));
	case 13:
		return bits_of(fmaxf((float)((long double)n / 2147483647), -1));
	case 14:
		return bits_of((float)((long double)n / 4294967295u));
	case 0x101:
		return bits_of((float)((double)n / 65536));
	default:
		return bits_of((float)n);
	}
}

/* ---- random draws ---- */

struct draw {
	u32 count;
	u32 nattr;
	u32 nvar;
	u32 ninsns;
	u32 nrows;
	u32 code;
	u32 unif;
	u32 attr;
	u32 var;
};

static struct draw draws[2];
static u32 out_used;

static void random_elements(void)
{
	u32 *w = frame_at(&fr, FR_ELEMS), i;

	for (i = 0; i < NELEMS / 4; i++) {
		/* halves that are numbers; binary32 with NaNs that are not signalling */
		w[i] = gen_below(&seed, 2) ? gen_value(&seed) : gen_random(&seed);
		if ((w[i] & 0x7f800000) == 0x7f800000 || (w[i] & 0x7c00) == 0x7c00)
			w[i] &= 0xbfffbfff;
	}
}

static void random_attributes(struct draw *d)
{
	u32 i, type, comps, bytes, stride, at;

	for (i = 0; i < d->nattr; i++) {
		type = types[gen_below(&seed, ARRAY_SIZE(types))];
		comps = 1 + gen_below(&seed, 4);
		bytes = size_of(type) * comps;
		stride = gen_below(&seed, 5) ? bytes + gen_below(&seed, 9) : 0;
		at = gen_below(&seed, NELEMS - (VERTICES + 1) * 32) & ~(size_of(type) - 1);
		/* halves are where they were made */
		stride &= ~3U;
		at &= ~3U;
		frame_at(&fr, d->attr)[2 * i] = FR_ELEMS + at;
		frame_at(&fr, d->attr)[2 * i + 1] = stride << 11 | type << 2 | (comps - 1);
	}
}

static void random_varyings(struct draw *d)
{
	u32 i, stride, what;

	for (i = 0; i < d->nvar; i++) {
		what = gen_below(&seed, 10);
		stride = 16 + 4 * gen_below(&seed, 3);
		frame_at(&fr, d->var)[2 * i] = FR_OUT + out_used;
		frame_at(&fr, d->var)[2 * i + 1] =
			what == 0 ? 0x8020 : what == 1 ? 0x2021 :
			stride << 11 | (what & 1 ? 0xc : 0) | gen_below(&seed, 4);
		out_used += stride * d->count;
	}
}

static void draw_commands(const struct draw *d)
{
	bool indexed = gen_below(&seed, 2);

	if (!indexed) {
		frame_vs(&fr, 0x00028000, 0x50000000);
		frame_vs(&fr, 0x00000001, 0x50000000);
	}
	frame_vs(&fr, d->unif, 0x30000000 | (d->nrows * 16) << 12);
	frame_vs(&fr, d->code, 0x40000000 | (d->ninsns * 16) << 12);
	frame_vs(&fr, gen_below(&seed, 4096) << 20 | (d->ninsns - 1) << 10, 0x10000040);
	frame_vs(&fr, (d->nvar - 1) << 8 | (d->nattr - 1) << 24, 0x10000042);
	frame_vs(&fr, 3, 0x10000041);
	frame_vs(&fr, d->attr, 0x20000000 | d->nattr << 17);
	if (gen_below(&seed, 2)) {
		/* over one that means nothing */
		frame_vs(&fr, fr.vs + 16, 0xf0000000);
		frame_vs(&fr, 0, 0xdeadbeef);
	}
	frame_vs(&fr, d->var, 0x20000008 | d->nvar << 17);
	frame_vs(&fr, d->count << 24 | indexed, d->count >> 8);
	frame_vs(&fr, 0, 0x60000000);
	frame_vs(&fr, indexed ? 0x00018000 : 0, 0x50000000);
	frame_vs(&fr, 0, 0);
}

static void random_frame(void)
{
	u32 i, k;

	fr.vs = FR_VS;
	fr.plbu = FR_PLBU;
	out_used = 0;
	memset(fr.out, PATTERN, FR_OUT_SIZE);
	random_elements();
	for (i = 0; i < ARRAY_SIZE(draws); i++) {
		struct draw *d = &draws[i];

		d->count = 1 + gen_below(&seed, VERTICES);
		d->nattr = 1 + gen_below(&seed, 16);
		d->nvar = 1 + gen_below(&seed, 16);
		d->ninsns = 1 + gen_below(&seed, 30);
		d->nrows = gen_below(&seed, 20);
		d->code = FR_CODE + i * FR_CODE_SIZE / 2;
		d->unif = FR_UNIF + i * 0x1000;
		d->attr = FR_ATTR + i * 0x800;
		d->var = FR_VAR + i * 0x800;
		gen_program(&seed, GEN_BRANCHES, d->ninsns, frame_at(&fr, d->code));
		for (k = 0; k < 4 * d->nrows; k++)
			frame_at(&fr, d->unif)[k] = gen_value(&seed);
		random_attributes(d);
		random_varyings(d);
		draw_commands(d);
	}
	frame_usual_plbu(&fr);
	frame_finish(&fr);
}

/* ---- comparison ---- */

/* Is a stored component acceptable for the expected value? */
static bool stored_ok(u32 have, u32 want, u32 size)
{
	if (size == 4)
		return have == want;
	if (isnan(float_of(want)))
		return isnan(half(have));
	/* the nearest one: no half is nearer */
	if (fabs(float_of(want)) >= 65520)
		return half(have) == copysign(INFINITY, float_of(want));
	return half(have) == half(have & 0xffff) &&
	       fabs(half(have) - float_of(want)) <= fabs(half(have + 1) - float_of(want)) &&
	       (!(have & 0x7fff) ||
		fabs(half(have) - float_of(want)) <= fabs(half(have - 1) - float_of(want)));
}

static bool vertex_ok(const struct draw *d, u32 number, const struct ugr_vertex *v)
{
	u32 i, k, w, type, comps, size, have;
	const u8 *p;

	for (i = 0; i < d->nvar; i++) {
		w = frame_at(&fr, d->var)[2 * i + 1];
		type = w >> 2 & 0x1ff;
		comps = (w & 3) + 1;
		if (type == 8)
			comps = comps == 1 ? 4 : 1;
		size = type == 3 ? 2 : 4;
		p = fr.out + (frame_at(&fr, d->var)[2 * i] - FR_OUT) + number * (w >> 11);
		for (k = 0; k < comps; k++, p += size) {
			have = 0;
			memcpy(&have, p, size);
			/* not stored here: as it was, or 0 where another path stores it */
			if (v->out[i][k] == GP_UNTOUCHED &&
			    (!have || have == (size == 4 ? 0xa5a5a5a5 : 0xa5a5)))
				continue;
			if (stored_ok(have, v->out[i][k], size))
				continue;
			tap_comment("vertex %u varying %u.%c: %08x, not %08x", number, i,
				    "xyzw"[k], have, v->out[i][k]);
			return false;
		}
	}
	return true;
}

/* Return: 1: the same, 0: not, -1: the program takes too long. */
static int draw_ok(const struct draw *d)
{
	static struct ugr_vertex v;
	u32 i, k, n, w, type;

	for (n = 0; n < d->count; n++) {
		memset(&v, 0, sizeof(v));
		for (i = 0; i < 16; i++) {
			v.attr[i][3] = 0x3f800000;
			w = i < d->nattr ? frame_at(&fr, d->attr)[2 * i + 1] : 0;
			type = w >> 2 & 0x1ff;
			for (k = 0; i < d->nattr && k <= (w & 3); k++)
				v.attr[i][k] = component(type, (u8 *)fr.data +
							 (frame_at(&fr, d->attr)[2 * i] - FR_DATA) +
							 n * (w >> 11) + k * size_of(type));
			for (k = 0; k < 4; k++)
				v.out[i][k] = GP_UNTOUCHED;
		}
		memcpy(v.row, frame_at(&fr, d->unif), 16 * d->nrows);
		if (ugr_run(frame_at(&fr, d->code), d->ninsns, &v, BUDGET) != UGR_ENDED)
			return -1;
		if (!vertex_ok(d, n, &v))
			return 0;
	}
	return 1;
}

static bool frame_terminates(void)
{
	static struct ugr_vertex v;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(draws); i++) {
		memset(&v, 0, sizeof(v));
		if (ugr_run(frame_at(&fr, draws[i].code), draws[i].ninsns, &v, BUDGET) !=
		    UGR_ENDED)
			return false;
	}
	return true;
}

static void test_draws(enum vs_simd simd, u32 n)
{
	struct frame_run how = { simd, 1000 + gen_below(&seed, 10000), 1ULL << 21, 100 };
	u32 i, k, bad = 0, same = 0;
	struct vs_fault fault;
	int ret, r;

	for (i = 0; i < n && !bad; i++) {
		random_frame();
		if (!frame_terminates())
			continue;
		ret = frame_run(&fr, VS_NATIVE_UTGARD_GP_FRAME, UTF_MALI400, &how, &fault);
		/* long loops may exceed the budget */
		if (!ret && fault.kind == VS_FAULT_BUDGET)
			continue;
		if (ret || fault.kind) {
			tap_comment("%d, fault %u %llx %u %x", ret, fault.kind,
				    (unsigned long long)fault.address, fault.code, fault.info);
			bad++;
		}
		for (k = 0; k < ARRAY_SIZE(draws) && !bad; k++) {
			r = draw_ok(&draws[k]);
			bad += !r;
			same += r > 0;
		}
	}
	tap_result(!bad && same > n, "%s: %u draws", vs_simd_name(simd), same);
}

/* A small frame that is right. */
static void good_frame(void)
{
	struct draw *d = &draws[0];
	u64 s = 7;

	memset(fr.data, 0, FR_DATA_SIZE);
	memset(fr.code, 0, FR_CODE_SIZE);
	fr.vs = FR_VS;
	fr.plbu = FR_PLBU;
	out_used = 0;
	*d = (struct draw){ .count = 3, .nattr = 2, .nvar = 2, .ninsns = 2, .nrows = 2,
			    .code = FR_CODE, .unif = FR_UNIF, .attr = FR_ATTR, .var = FR_VAR };
	gen_program(&s, 0, d->ninsns, frame_at(&fr, FR_CODE));
	frame_at(&fr, FR_ATTR)[0] = FR_ELEMS;
	frame_at(&fr, FR_ATTR)[1] = 12 << 11 | 2;
	frame_at(&fr, FR_ATTR)[2] = FR_ELEMS + 64;
	frame_at(&fr, FR_ATTR)[3] = 8 << 11 | 9 << 2 | 3;
	frame_at(&fr, FR_VAR)[0] = FR_OUT;
	frame_at(&fr, FR_VAR)[1] = 0x8020;
	frame_at(&fr, FR_VAR)[2] = FR_OUT + 0x100;
	frame_at(&fr, FR_VAR)[3] = 8 << 11 | 0xc | 3;
	frame_vs(&fr, d->unif, 0x30020000);
	frame_vs(&fr, d->code, 0x40020000);
	frame_vs(&fr, 1 << 10, 0x10000040);
	frame_vs(&fr, 1 << 8 | 1 << 24, 0x10000042);
	frame_vs(&fr, d->attr, 0x20040000);
	frame_vs(&fr, d->var, 0x20040008);
	frame_vs(&fr, 3 << 24, 0);
	frame_usual_plbu(&fr);
	frame_finish(&fr);
}

/* Elements that overlap keep what the last vertex writes. */
static void test_overlap(void)
{
	static const u32 kept[6] = { 0, 1, 2, 2, 2, 2 };	/* vertex */
	struct ugp_insn insn;
	u32 out[6], i, bad = 0;
	struct vs_fault f;

	good_frame();
	ugp_idle(&insn);
	insn.port0_attribute = 1;
	insn.acc0_a = 1;
	insn.acc0_b = UGP_SRC_P1_COMPLEX;
	insn.acc0_b_neg = 1;
	insn.store0_varying = 1;
	insn.store1_varying = 1;
	insn.store_x = UGP_STORE_ACC0;
	insn.store_y = UGP_STORE_ACC0;
	insn.store_z = UGP_STORE_ACC0;
	insn.store_w = UGP_STORE_ACC0;
	ugp_encode(&insn, (u32 *)frame_at(&fr, FR_CODE) + UGP_WORDS);
	for (i = 0; i < 3; i++)
		frame_at(&fr, FR_ELEMS)[3 * i + 1] = bits_of((float)i);
	frame_at(&fr, FR_VAR)[1] = 4 << 11 | 3;
	bad += frame_run(&fr, VS_NATIVE_UTGARD_GP_FRAME, UTF_MALI400, &usual, &f) || f.kind;
	memcpy(out, fr.out, sizeof(out));
	for (i = 0; i < 6; i++)
		bad += out[i] != bits_of((float)kept[i]);
	tap_result(!bad, "varyings that overlap");
}

/* ---- rejected frames ---- */

#define LAST	6	/* command of the draw */

static void faults(enum vs_fault_kind kind, u64 va, u32 code, const char *what)
{
	struct vs_fault f;
	int ret = frame_run(&fr, VS_NATIVE_UTGARD_GP_FRAME, UTF_MALI400, &usual, &f);

	if (!tap_result(!ret && f.kind == kind && (!kind || f.address == va) &&
			(kind != VS_FAULT_COMMAND || f.code == code), "%s: %s", what,
			kind == VS_FAULT_COMMAND ?
			vs_native_reason_text(VS_NATIVE_UTGARD_GP_FRAME, code) : "fault"))
		tap_comment("%d, fault %u at 0x%llx, code %u, info 0x%x", ret, f.kind,
			    (unsigned long long)f.address, f.code, f.info);
}

/* Word @i of the vertex list is @v. */
static void bad_word(u32 i, u32 v, u32 reason, const char *what)
{
	good_frame();
	frame_at(&fr, FR_VS)[i] = v;
	/* draws report missing commands */
	faults(reason ? VS_FAULT_COMMAND : 0,
	       FR_VS + 8 * (reason == UTF_MISSING ? LAST : i / 2), reason, what);
}

static void bad_plbu(u32 a, u32 b, u32 reason, const char *what)
{
	good_frame();
	frame_at(&fr, FR_PLBU)[4] = a;
	frame_at(&fr, FR_PLBU)[5] = b;
	faults(VS_FAULT_COMMAND, FR_PLBU + 16, reason, what);
}

static void bad_frame(u32 word, u32 v, u32 reason, u32 at)
{
	good_frame();
	frame_at(&fr, FR_FRAME)[word] = v;
	faults(VS_FAULT_COMMAND, FR_FRAME + 4 * at, reason, "frame");
}

static void test_words(void)
{
	good_frame();
	faults(0, 0, 0, "nothing wrong");
	bad_frame(0, FR_VS + 4, UTF_MISALIGNED, 0);
	bad_frame(5, 0x00500004, UTF_MISALIGNED, 5);
	bad_frame(1, FR_VS - 8, UTF_BAD_RANGE, 1);
	bad_frame(3, 0, UTF_BAD_RANGE, 3);
	bad_frame(5, 0, UTF_BAD_RANGE, 5);
	good_frame();
	frame_at(&fr, FR_FRAME)[1] = FR_VS;
	frame_at(&fr, FR_FRAME)[3] = FR_PLBU;
	faults(VS_FAULT_COMMAND, FR_FRAME, UTF_BAD_RANGE, "no lists");

	bad_word(0, FR_UNIF + 8, UTF_MISALIGNED, "uniforms");
	bad_word(1, 0x30021000, UTF_BAD_VALUE, "half a row");
	bad_word(1, 0x30020001, UTF_BAD_COMMAND, "uniforms");
	bad_word(1, 0x30000000 | 305 * 16 << 12, UTF_BAD_COUNT, "305 rows");
	bad_word(3, 0x40000000 | 513 * 16 << 12, UTF_BAD_COUNT, "513 instructions");
	bad_word(2, 0, UTF_MISSING, "no shader");
	bad_word(4, 2 << 10 | 1, UTF_UNKNOWN_BITS, "shader info");
	bad_word(4, 512 << 10, UTF_BAD_COUNT, "length 513");
	bad_word(5, 0x10000043, UTF_BAD_COMMAND, "0x43");
	bad_word(6, 1 << 8 | 16U << 24, UTF_BAD_COUNT, "17 attributes");
	bad_word(6, 16 << 8 | 1 << 24, UTF_BAD_COUNT, "17 varyings");
	bad_word(6, 1 << 8 | 1 << 24 | 1, UTF_UNKNOWN_BITS, "counts");
	bad_word(8, FR_ATTR + 4, UTF_MISALIGNED, "attributes");
	bad_word(8, 0, UTF_MISSING, "no attributes");
	bad_word(10, 0, UTF_MISSING, "no varyings");
	bad_word(12, 3 << 24 | 2, UTF_UNKNOWN_BITS, "draw");
	bad_word(12, 0, 0, "empty draw");
	good_frame();
	frame_at(&fr, FR_VS)[9] = 0x20020000;
	faults(VS_FAULT_COMMAND, FR_VS + 8 * LAST, UTF_BAD_COUNT, "one attribute");
	good_frame();
	frame_at(&fr, FR_VS)[4] = 2 << 10;
	faults(VS_FAULT_COMMAND, FR_VS + 8 * LAST, UTF_BAD_COUNT, "three instructions");
	good_frame();
	frame_at(&fr, FR_ATTR)[3] |= 6 << 2;
	faults(VS_FAULT_COMMAND, FR_ATTR + 8, UTF_BAD_FORMAT, "type 15");
	good_frame();
	frame_at(&fr, FR_ATTR)[1] = 12 << 11 | 12 << 2;
	faults(VS_FAULT_COMMAND, FR_ATTR, UTF_BAD_FORMAT, "type 12");
	good_frame();
	frame_at(&fr, FR_VAR)[1] = 0x8022;
	faults(VS_FAULT_COMMAND, FR_VAR, UTF_BAD_FORMAT, "special 2");
	good_frame();
	frame_at(&fr, FR_VAR)[3] = 8 << 11 | 9 << 2;
	faults(VS_FAULT_COMMAND, FR_VAR + 8, UTF_BAD_FORMAT, "varying of bytes");
}

static void test_lists(void)
{
	static const u32 modes[] = { 10, 11, 14, 16, 31 };
	u32 i;

	bad_plbu(0, 0x10000103, UTF_BAD_COMMAND, "0x103");
	bad_plbu(1, 0x1000010a, UTF_UNKNOWN_BITS, "constant");
	bad_plbu(1, 0x1000010b, UTF_UNKNOWN_BITS, "primitive");
	bad_plbu(0x100, 0x30000000, UTF_UNKNOWN_BITS, "stride");
	bad_plbu(4, 0x28000000, UTF_MISALIGNED, "tile lists");
	bad_plbu(32, 0x80000000, UTF_MISALIGNED, "state");
	bad_plbu(0x00010003, 0x60000000, UTF_BAD_VALUE, "semaphore");
	bad_plbu(1, 0x50000000, UTF_UNKNOWN_BITS, "end");
	bad_plbu(0, 0x50000001, UTF_BAD_COMMAND, "end");
	bad_plbu(0, 0x40000000, UTF_BAD_COMMAND, "shader");
	for (i = 0; i < ARRAY_SIZE(modes); i++)
		bad_plbu(0, modes[i] << 16, UTF_BAD_VALUE, "mode");
	good_frame();
	frame_vs(&fr, FR_VS, 0xf0000000);
	frame_finish(&fr);
	faults(VS_FAULT_COMMAND, FR_VS + 8 * LAST, UTF_LIMIT_DRAWS, "endless list");
	good_frame();
	frame_at(&fr, FR_PLBU)[4] = FR_PLBU;
	frame_at(&fr, FR_PLBU)[5] = 0xf0000000;
	faults(VS_FAULT_COMMAND, FR_PLBU + 8, UTF_LIMIT_COMMANDS, "endless list");
}

/* Render states of the other list's draws, like those of frames of the pixel processor. */
static void test_states(void)
{
	u32 i;

	good_frame();
	frame_at(&fr, FR_STATE)[3] = 0x2000;
	faults(VS_FAULT_COMMAND, FR_STATE + 12, UTF_UNKNOWN_BITS, "a draw's state");
	good_frame();
	frame_at(&fr, FR_LIST + 64)[0] = 0x18;
	faults(VS_FAULT_COMMAND, FR_LIST + 64, 0x202, "a draw's texture");
	good_frame();
	frame_at(&fr, FR_PIXELS)[0] = 0x3f;
	faults(VS_FAULT_ENCODING, FR_PIXELS, 0, "a draw's program");
	good_frame();
	frame_at(&fr, FR_STATE)[9] = FR_DATA | 1;
	faults(VS_FAULT_FETCH, FR_DATA, 0, "a draw's program that is data");
	for (i = FR_PLBU; frame_at(&fr, i)[1] >> 28 != 8; i += UTF_COMMAND_BYTES)
		;
	good_frame();
	frame_at(&fr, i)[0] = 0x00700000;
	faults(VS_FAULT_READ, 0x00700000, 0, "a draw's state that is nowhere");
	/* the next one is checked, too */
	good_frame();
	frame_plbu(&fr, 0x00700000, 0x80000000);
	frame_plbu(&fr, 0, 4 << 16);
	frame_plbu(&fr, 3U << 24, 4 << 16);
	frame_at(&fr, fr.plbu - 32)[1] = 0x60000000;
	frame_at(&fr, fr.plbu - 32)[0] = 0x00010001;
	frame_finish(&fr);
	faults(VS_FAULT_READ, 0x00700000, 0, "the second draw's state");
	/* no draw, or of nothing: no state */
	good_frame();
	frame_at(&fr, i)[0] = 0x00010001;
	frame_at(&fr, i)[1] = 0x60000000;
	while (frame_at(&fr, i)[1] != 4 << 16)
		i += UTF_COMMAND_BYTES;
	faults(VS_FAULT_COMMAND, i, UTF_MISSING, "a draw without state");
	frame_at(&fr, i)[0] = 0x00010001;
	frame_at(&fr, i)[1] = 0x60000000;
	i += 2 * UTF_COMMAND_BYTES;
	frame_at(&fr, i)[0] = 0;
	frame_at(&fr, i)[1] = 0x00200000 | 15 << 16;
	faults(0, 0, 0, "a draw of nothing without state");
}

static void test_memory(void)
{
	struct vs_fault f;
	struct frame_run how = usual;

	good_frame();
	frame_at(&fr, FR_FRAME)[0] = 0x00700000;
	frame_at(&fr, FR_FRAME)[1] = 0x00700008;
	faults(VS_FAULT_READ, 0x00700000, 0, "no list");
	good_frame();
	frame_at(&fr, FR_VS)[2] = FR_CODE + FR_CODE_SIZE - 16;
	faults(VS_FAULT_FETCH, FR_CODE + FR_CODE_SIZE, 0, "no code");
	good_frame();
	frame_at(&fr, FR_VS)[2] = FR_DATA;
	faults(VS_FAULT_FETCH, FR_DATA, 0, "code that is data");
	good_frame();
	frame_at(&fr, FR_VS)[8] = 0x00700000;
	faults(VS_FAULT_READ, 0x00700000, 0, "no table");
	good_frame();
	frame_at(&fr, FR_VS)[10] = FR_DATA + FR_DATA_SIZE - 8;
	frame_at(&fr, FR_DATA + FR_DATA_SIZE - 8)[1] = 0x8020;
	faults(VS_FAULT_READ, FR_DATA + FR_DATA_SIZE, 0, "half a table");
	good_frame();
	frame_at(&fr, FR_CODE)[0] = ~0U;
	frame_at(&fr, FR_CODE)[1] = ~0U;
	frame_at(&fr, FR_CODE)[2] = ~0U;
	frame_at(&fr, FR_CODE)[3] = ~0U;
	faults(VS_FAULT_ENCODING, FR_CODE, 0, "not an instruction");
	good_frame();
	how.budget = 100;
	frame_run(&fr, VS_NATIVE_UTGARD_GP_FRAME, UTF_MALI400, &how, &f);
	tap_result(f.kind == VS_FAULT_BUDGET, "budget");
	good_frame();
	how = usual;
	how.max_draws = 0;
	frame_run(&fr, VS_NATIVE_UTGARD_GP_FRAME, UTF_MALI400, &how, &f);
	tap_result(f.kind == VS_FAULT_COMMAND && f.code == UTF_LIMIT_DRAWS, "too many draws");
	tap_result(frame_run(&fr, VS_NATIVE_UTGARD_GP_FRAME, UTF_NUM_GPUS, &usual, &f) == -EINVAL,
		   "no such GPU");
}

/* ---- the pixel processor ---- */

static void pixels(enum utf_gpu gpu, enum vs_fault_kind kind, u64 va, u32 code, const char *what)
{
	struct vs_fault f;
	int ret = frame_run(&fr, VS_NATIVE_UTGARD_PP_FRAME, gpu, &usual, &f);

	if (!tap_result(!ret && f.kind == kind && f.address == va &&
			(kind != VS_FAULT_COMMAND || f.code == code), "%s: %s", what,
			kind == VS_FAULT_COMMAND ?
			vs_native_reason_text(VS_NATIVE_UTGARD_PP_FRAME, code) : "fault"))
		tap_comment("%d, fault %u at 0x%llx, code %u, info 0x%x", ret, f.kind,
			    (unsigned long long)f.address, f.code, f.info);
}

static void good_pixels(enum utf_gpu gpu)
{
	memset(fr.data, 0, FR_DATA_SIZE);
	memset(fr.code, 0, FR_CODE_SIZE);
	frame_pixels(&fr, gpu);
}

static void bad_pixels(u32 word, u32 v, u32 reason)
{
	good_pixels(UTF_MALI400);
	frame_at(&fr, FR_FRAME)[word] = v;
	pixels(UTF_MALI400, VS_FAULT_COMMAND, FR_FRAME + 4 * word, reason,
	       utf_pp_word_name(UTF_MALI400, word));
}

static void bad_state(u32 word, u32 v, u32 reason)
{
	good_pixels(UTF_MALI400);
	frame_at(&fr, FR_STATE)[word] = v;
	pixels(UTF_MALI400, VS_FAULT_COMMAND, FR_STATE + 4 * word, reason,
	       utf_state_word_name(word));
}

static void test_pixels(void)
{
	good_pixels(UTF_MALI400);
	pixels(UTF_MALI400, VS_FAULT_NONE, 0, 0, "Mali-400");
	memset(frame_at(&fr, FR_BLOCKS), 0, 512);
	good_pixels(UTF_MALI450);
	pixels(UTF_MALI450, VS_FAULT_COMMAND, FR_BLOCKS, UTF_BAD_LIST, "Mali-450");
	bad_pixels(0, 4, UTF_MISALIGNED);
	bad_pixels(1, FR_STATE + 32, UTF_MISALIGNED);
	bad_pixels(3, 4, UTF_UNKNOWN_BITS);
	bad_pixels(4, 0x01000000, UTF_UNKNOWN_BITS);
	bad_pixels(10, 0x4000, UTF_UNKNOWN_BITS);
	bad_pixels(12, 32, UTF_MISALIGNED);
	bad_pixels(14, 1, UTF_UNKNOWN_BITS);
	bad_pixels(20, 0x30010001, UTF_BAD_VALUE);
	bad_pixels(21, 0x1000, UTF_UNKNOWN_BITS);
	bad_pixels(23, 0, UTF_BAD_COUNT);
	bad_pixels(23, 5, UTF_BAD_COUNT);
	bad_pixels(24, 3, UTF_BAD_VALUE);
	bad_pixels(25, 4, UTF_MISALIGNED);
	bad_pixels(26, 9, UTF_BAD_VALUE);
	bad_pixels(28, 1, UTF_BAD_VALUE);
	bad_pixels(30, 1, UTF_UNKNOWN_BITS);
	bad_pixels(38, 3, UTF_BAD_VALUE);
	bad_pixels(60, 4, UTF_MISALIGNED);
	bad_pixels(64, 32, UTF_MISALIGNED);
	bad_state(0, 0x100, UTF_UNKNOWN_BITS);
	bad_state(2, 6, UTF_BAD_VALUE);
	bad_state(2, 0xfc000000 | 6 << 6, UTF_BAD_VALUE);
	bad_state(2, 0xfd000000, UTF_BAD_VALUE);
	bad_state(3, 0x2000, UTF_UNKNOWN_BITS);
	bad_state(5, 0x1000, UTF_UNKNOWN_BITS);
	bad_state(7, 0x01000000, UTF_UNKNOWN_BITS);
	bad_state(8, 0x0000f817, UTF_BAD_VALUE);
	bad_state(8, 0x0000fc07, UTF_BAD_VALUE);
	bad_state(12, FR_LIST + 8, UTF_MISALIGNED);
	bad_state(13, 0x2000, UTF_UNKNOWN_BITS);
	bad_state(14, 1, UTF_UNKNOWN_BITS);
	good_pixels(UTF_MALI400);
	frame_at(&fr, FR_FRAME)[1] = 0x00700000;
	pixels(UTF_MALI400, VS_FAULT_READ, 0x00700000, 0, "no state");
	good_pixels(UTF_MALI400);
	frame_at(&fr, FR_STATE)[9] = FR_DATA;
	pixels(UTF_MALI400, VS_FAULT_FETCH, FR_DATA, 0, "no program");
	good_pixels(UTF_MALI400);
	frame_at(&fr, FR_CODE)[0] = 0x3f;
	pixels(UTF_MALI400, VS_FAULT_ENCODING, FR_CODE, 0, "not an instruction");
	good_pixels(UTF_MALI400);
	frame_at(&fr, FR_LIST)[0] = 0x00700000;
	pixels(UTF_MALI400, VS_FAULT_READ, 0x00700000, 0, "no texture");
	good_pixels(UTF_MALI400);
	frame_at(&fr, FR_LIST + 64)[0] = 0x18;
	pixels(UTF_MALI400, VS_FAULT_COMMAND, FR_LIST + 64, 0x202, "texture");
}

/* ---- text ---- */

static char text[65536];

static void has(const char *part)
{
	if (!tap_result(strstr(text, part), "text has \"%s\"", part))
		tap_comment("%.2000s", text);
}

static void test_text(void)
{
	char little[10];
	size_t len;

	good_frame();
	frame_at(&fr, FR_VS + 4 * 8)[0] += 4;
	len = utf_gp_print(frame_map(&fr), FR_FRAME, text, sizeof(text));
	tap_result(len == strlen(text), "%zu characters", len);
	tap_result(utf_gp_print(frame_map(&fr), FR_FRAME, little, sizeof(little)) == len &&
		   strlen(little) == 9 && utf_gp_print(frame_map(&fr), FR_FRAME, NULL, 0) == len,
		   "text that does not fit");
	has("uniforms 2 rows at 0x00205000");
	has("shader info 2 instructions");
	has("attributes? address is not aligned");
	has("    0: 0x00300000, stride 16, position\n");
	has("    1: 0x00300100, stride 8, 4 x f16\n");
	has("draw 3 vertices\n");
	has("tiles 20 x 15\n");
	has("viewport right 320.000\n");
	has("viewport bottom -0.000\n");
	has("scissor x 5 to 319, y 3 to 239\n");
	has("draw elements 300 from 0, rectangle\n");
	has("primitive index size 1, cull counterclockwise\n");
	has("end\n");
	good_pixels(UTF_MALI450);
	frame_at(&fr, FR_STATE)[14] = 1;
	len = utf_pp_print(UTF_MALI450, frame_map(&fr), FR_FRAME, text, sizeof(text));
	tap_result(len == strlen(text), "%zu characters", len);
	has("00000e0c scale and flip\n");
	has("rgb add one zero, alpha add one zero, mask f");
	has("shader: 0x00100000, first instruction 6 words");
	has("varying stride 16, 1 samplers");
	has("aux 1? bits without known meaning");
	utf_state_print(frame_at(&fr, FR_STATE), text, sizeof(text));
	has("stencil front: always 0, mask 0xff, fail keep");
	utf_gp_print(frame_map(&fr), 0x00700000, text, sizeof(text));
	has("cannot be read");
}

int main(int argc, char **argv)
{
	u32 simd, n = 60;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--long"))
			n = 1000;
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 0);
	}
	tap_comment("seed %llu", (unsigned long long)seed);
	frame_new(&fr);
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		if (vs_simd_mask() & BIT(simd))
			test_draws((enum vs_simd)simd, n);
	test_overlap();
	test_words();
	test_lists();
	test_states();
	test_memory();
	test_pixels();
	test_text();
	frame_free(&fr);
	return tap_done();
}
