// SPDX-License-Identifier: GPL-2.0
/*
 * Accuracy of EX2, LG2, RCP and RSQ. binary32: largest error over a sweep of all
 * exponents, against 80-bit arithmetic. 1.7.16: every operand there is, correctly
 * rounded results. Exact cases, and all executors on a sample.
 */
#include <float.h>
#include <math.h>

#include "eng.h"

#if LDBL_MANT_DIG < 64
#define NO_REFERENCE
#endif

#define BATCH	8192

static u32 in[BATCH][1][4], out[BATCH][ENG_NOUT][4];
static struct vs_prog *prog;

/* o0 = ex2, lg2, rcp, rsq of v0.x */
static void make_program(void)
{
	static const enum vs_op op[4] = { VS_OP_EX2, VS_OP_LG2, VS_OP_RCP, VS_OP_RSQ };
	struct vs_builder *b = eng_builder(4);
	u32 i;

	for (i = 0; i < 4; i++)
		eng_emit(b, 0, UOP(.op = op[i], .d = { ENG_OUT + i }, .a = { 0 }));
	eng_emit(b, 1, UOP(.op = VS_OP_END));
	prog = eng_finish(b);
}

static void run(enum vs_fp_model fp, enum vs_simd simd, u32 n)
{
	struct eng_run r = { .prog = prog, .fp = fp, .simd = simd, .count = n, .nin = 1,
			     .in = in[0], .out = out[0] };

	eng_run(&r);
}

enum { EX2, LG2, RCP, RSQ };

static const char * const names[4] = { "EX2", "LG2", "RCP", "RSQ" };

#ifndef NO_REFERENCE

static long double exact(int fn, long double x)
{
	switch (fn) {
	case EX2:
		return exp2l(x);
	case LG2:
		return log2l(x);
	case RCP:
		return 1.0L / x;
	default:
		return 1.0L / sqrtl(x);
	}
}

/* Error in units in the last place of @want, binary32. */
static double ulps(u32 got, long double want)
{
	int e;

	if (want == 0.0L || isinf((float)want))
		return eng_f(got) == (float)want ? 0.0 : 99.0;
	frexpl(want, &e);
	if (e < -125)
		e = -125;
	return fabsl((eng_f(got) - want) / ldexpl(1.0L, e - 24));
}

static double worst[4];

/* A sweep: @step patterns apart. */
static void sweep_f32(enum vs_simd simd, u32 step)
{
	u64 at = 0;
	u32 n, i;
	int fn;

	memset(worst, 0, sizeof(worst));
	while (at <= 0xffffffff) {
		for (n = 0; n < BATCH && at <= 0xffffffff; n++, at += step)
			in[n][0][0] = at;
		run(VS_FP_F32, simd, n);
		for (i = 0; i < n; i++) {
			float x = eng_f(in[i][0][0]);

			for (fn = 0; fn < 4; fn++) {
				u32 got = out[i][0][fn];
				double err;

				if (isnan(x) || (x < 0 && (fn == LG2 || fn == RSQ))) {
					err = eng_isnan(got) ? 0.0 : 99.0;
				} else if (x == 0.0f && fn != EX2) {
					err = got == (fn == LG2 ? 0xff800000 : 0x7f800000) ?
					      0.0 : 99.0;
				} else {
					err = ulps(got, exact(fn, x));
				}
				if (err > worst[fn])
					worst[fn] = err;
			}
		}
	}
}

static void test_f32(const struct eng_opts *opt)
{
	/* RSQ is two operations, each rounded; its sqrt is within half a unit in the last place. */
	static const double bound[4] = { 0.50001, 0.50001, 0.5, 1.5 };
	int fn;

	sweep_f32(vs_simd_best(), opt->longer ? 61 : 4093);
	for (fn = 0; fn < 4; fn++)
		tap_result(worst[fn] <= bound[fn], "%s f32: largest error %.7f ulp, bound %.5f",
			   names[fn], worst[fn], bound[fn]);
}

/* The 1.7.16 value of an exact result; 80 bits leave no doubt but in a tie. */
static u32 round24(enum vs_fp_model fp, long double v)
{
	long double f, m, rest;
	int e;

	if (isnan(v))
		return 0x7fc00000;
	if (isinf(v))
		return v < 0 ? 0xff800000 : 0x7f800000;
	f = ldexpl(frexpl(fabsl(v), &e), 17);
	m = floorl(f);
	rest = f - m;
	if (fp == VS_FP_F24N && (rest > 0.5L || (rest == 0.5L && fmodl(m, 2.0L) != 0)))
		m += 1;
	m = ldexpl(m, e - 17);
	if (m < ldexpl(1.0L, -62))
		return 0;
	if (m >= ldexpl(1.0L, 64))
		m = INFINITY;
	return eng_bits(v < 0 ? -m : m);
}

/* c * c * x <= 1 decides cases beyond 80 bits: 34 + 17 bits are exact. */
static u32 rsq24(enum vs_fp_model fp, long double x)
{
	u32 c = round24(VS_FP_F24T, 1.0L / sqrtl(x));
	double half;

	while ((long double)eng_f(c) * eng_f(c) * x > 1.0L)
		c -= 0x80;
	while ((long double)eng_f(c + 0x80) * eng_f(c + 0x80) * x <= 1.0L)
		c += 0x80;
	half = ((double)eng_f(c) + eng_f(c + 0x80)) / 2;
	if (fp == VS_FP_F24N && half * half * x <= 1.0L)
		c += 0x80;
	return c;
}

/*
 * Operand number @n of all 1.7.16 values that are normal, by sign, exponent, mantissa. The
 * invalid operations of negative ones send whole blocks to the exact executor: they are not
 * among the others.
 */
#define NUM_F24	(2U * 126 * 65536)

static u32 operand24(u32 n)
{
	u32 sign = n >= NUM_F24 / 2;

	n -= sign * (NUM_F24 / 2);
	return sign << 31 | (65 + (n >> 16)) << 23 | (n & 0xffff) << 7;
}

static void test_f24(enum vs_fp_model fp, const struct eng_opts *opt)
{
	u32 at = 0, n, i, bad[4] = { }, step = opt->longer ? 1 : 5;
	int fn;

	while (at < NUM_F24) {
		for (n = 0; n < BATCH && at < NUM_F24; n++, at += step)
			in[n][0][0] = operand24(at);
		run(fp, vs_simd_best(), n);
		for (i = 0; i < n; i++) {
			float x = eng_f(in[i][0][0]);

			for (fn = 0; fn < 4; fn++) {
				u32 got = out[i][0][fn], want;

				if (x < 0 && (fn == LG2 || fn == RSQ)) {
					if (!eng_isnan(got))
						bad[fn]++;
					continue;
				}
				want = fn == RSQ ? rsq24(fp, x) : round24(fp, exact(fn, x));
				if (got != want && !bad[fn]++)
					tap_comment("%s(%08x) = %08x, want %08x", names[fn],
						    in[i][0][0], got, want);
			}
		}
	}
	for (fn = 0; fn < 4; fn++)
		tap_result(!bad[fn], "%s %s: %u operands, %u not correctly rounded", names[fn],
			   eng_fp_name[fp], NUM_F24 / step, bad[fn]);
}

#endif

/* Exact by definition. */
static void test_exact(void)
{
	u32 s, n, bad = 0;
	int e;

	EACH_SIMD(s) {
		for (e = -149, n = 0; e <= 128; e++, n++) {
			in[n][0][0] = eng_bits(e);
			in[n + 300][0][0] = eng_bits(ldexpf(1.0f, e));
		}
		run(VS_FP_F32, s, 600);
		for (e = -149, n = 0; e <= 128; e++, n++) {
			bad += out[n][0][EX2] != eng_bits(ldexpf(1.0f, e));
			bad += e < 128 && out[n + 300][0][LG2] != eng_bits(e);
		}
	}
	tap_result(!bad, "EX2 of integers and LG2 of powers of two are exact, %u wrong", bad);
}

/* All executors on operands of all kinds. */
static void test_same(struct eng_rand *rnd, enum vs_fp_model fp)
{
	static u32 first[BATCH][ENG_NOUT][4];
	u32 s, i, n = 4096, bad = 0;

	for (i = 0; i < n; i++)
		in[i][0][0] = i & 1 ? eng_operand(rnd) : eng_mild(rnd);
	EACH_SIMD(s) {
		run(fp, s, n);
		if (s == VS_SIMD_PORTABLE)
			memcpy(first, out, sizeof(first));
		for (i = 0; i < n; i++)
			bad += memcmp(first[i][0], out[i][0], 16) != 0;
	}
	tap_result(!bad, "EX2 LG2 RCP RSQ %s: same bits on all executors, %u of %u differ",
		   eng_fp_name[fp], bad, n);
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	struct eng_rand rnd;
	u32 fp;

	eng_options(argc, argv, &opt);
	eng_srand(&rnd, opt.seed);
	make_program();
	test_exact();
	for (fp = 0; fp < VS_NUM_FP; fp++)
		test_same(&rnd, fp);
#ifndef NO_REFERENCE
	test_f32(&opt);
	test_f24(VS_FP_F24T, &opt);
	test_f24(VS_FP_F24N, &opt);
#else
	tap_skip("long double is not wider than double here", "accuracy");
#endif
	vs_prog_free(prog);
	return tap_done();
}
