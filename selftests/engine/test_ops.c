// SPDX-License-Identifier: GPL-2.0
/*
 * Every arithmetic micro-op, in every model: all executors return the same bits, for full
 * and partial masks, every component count and uniform operand, and overlapping sources
 * and destinations; the values equal the reference arithmetic.
 */
#include "eng.h"
#include "engine/vs_intern.h"
#include "../ref/pica_ref_num.h"

#define LANES	(64 * 6 + 21)
#define NIN	4

static struct eng_rand rnd;
static u32 in[LANES][NIN][4], unif[ENG_UNIF];
/* The last is for the executor of processors that choose another NaN. */
static u32 out[VS_NUM_SIMD + 1][LANES][ENG_NOUT][4];

enum shape { C1, C2, C3, S1, DOT };

static const struct op {
	const char *name;
	enum vs_op op;
	enum shape shape;
} ops[] = {
	{ "MOV", VS_OP_MOV, C1 }, { "NEG", VS_OP_NEG, C1 }, { "ADD", VS_OP_ADD, C2 },
	{ "SUB", VS_OP_SUB, C2 }, { "MUL", VS_OP_MUL, C2 }, { "MAD", VS_OP_MAD, C3 },
	{ "MIN", VS_OP_MIN, C2 }, { "MAX", VS_OP_MAX, C2 }, { "SGE", VS_OP_SGE, C2 },
	{ "SLT", VS_OP_SLT, C2 }, { "FLR", VS_OP_FLR, C1 }, { "DP3", VS_OP_DP3, DOT },
	{ "DP4", VS_OP_DP4, DOT }, { "DPH", VS_OP_DPH, DOT }, { "RCP", VS_OP_RCP, S1 },
	{ "RSQ", VS_OP_RSQ, S1 }, { "EX2", VS_OP_EX2, S1 }, { "LG2", VS_OP_LG2, S1 },
	{ "F2I", VS_OP_F2I, C1 },
};

/* Operand form of a case. */
struct form {
	u32 nc;
	u32 unif;	/* 0 none, 1 a, 2 b, 3 c */
	bool masked;
	bool overlap;	/* the destination is the first source, permuted */
};

static u32 nsrc(const struct op *o, u32 nc, int src)
{
	switch (o->shape) {
	case C1:
		return src == 0 ? nc : 0;
	case C2:
		return src < 2 ? nc : 0;
	case C3:
		return nc;
	case S1:
		return src == 0 ? 1 : 0;
	default:
		return src == 0 ? (o->op == VS_OP_DP4 ? 4 : 3) :
		       src == 1 ? (o->op == VS_OP_DP3 ? 3 : 4) : 0;
	}
}

/* The operation on sources v0, v1, v2 or uniforms, components rotated by source. */
static struct vs_uop make(const struct op *o, const struct form *f, u16 dst)
{
	struct vs_uop u = UOP(.op = o->op, .ncomp = f->nc);
	u16 *src[3] = { u.a, u.b, u.c };
	u32 i, k, n;

	for (k = 0; k < 3; k++) {
		n = nsrc(o, f->nc, k);
		for (i = 0; i < n; i++)
			src[k][i] = (f->unif == k + 1 ? 40 : ENG_IN) + 4 * k + (i + k) % 4;
	}
	if (f->unif)
		u.flags = VS_UOP_A_UNIF << (f->unif - 1);
	for (i = 0; i < f->nc; i++)
		u.d[i] = dst + (f->overlap ? (i + 1) % f->nc : i);
	return u;
}

/*
 * o0 = old values; [if v3.x < v3.y:] operation into o0, or into the first source, which
 * is then copied.
 */
static struct vs_prog *program(const struct op *o, const struct form *f)
{
	struct vs_builder *b = eng_builder(16);
	u16 dst = f->overlap ? ENG_IN : ENG_OUT;

	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT), .a = SEQ(12)));
	if (f->masked) {
		eng_emit(b, 1, UOP(.op = VS_OP_CMP, .ncomp = 2, .imm = 0x22, .d = { 0, 1 },
				   .a = { 12, 12 }, .b = { 13, 13 }));
		eng_emit(b, 2, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = 5,
				   .f.target = 4, .f.resume = 3));
	}
	eng_emit(b, 3, make(o, f, dst));
	if (f->overlap)
		eng_emit(b, 4, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT),
				   .a = SEQ(0)));
	eng_emit(b, 4, UOP(.op = VS_OP_END));
	return eng_finish(b);
}

static const enum pica_ref_model models[VS_NUM_FP] = {
	PICA_REF_F32, PICA_REF_F24_TRUNC, PICA_REF_F24_NEAREST
};

static float ref_load(enum vs_fp_model fp, u32 bits)
{
	return pica_ref_load(models[fp], bits);
}

static float ref_one(struct pica_ref_num *n, enum vs_op op, float a)
{
	int32_t i;
	float r;

	switch (op) {
	case VS_OP_NEG:
		return pica_ref_neg(n, a);
	case VS_OP_FLR:
		return pica_ref_flr(n, a);
	case VS_OP_RCP:
		return pica_ref_rcp(n, a);
	case VS_OP_RSQ:
		return pica_ref_rsq(n, a);
	case VS_OP_EX2:
		return pica_ref_ex2(n, a);
	case VS_OP_LG2:
		return pica_ref_lg2(n, a);
	case VS_OP_F2I:
		i = pica_ref_to_int(a);
		memcpy(&r, &i, sizeof(r));
		return r;
	default:
		return a;
	}
}

static float ref_two(struct pica_ref_num *n, enum vs_op op, float a, float b)
{
	switch (op) {
	case VS_OP_ADD:
		return pica_ref_add(n, a, b);
	case VS_OP_SUB:
		/* a - b differs from a + -b in the sign of a NaN only. */
		return pica_ref_add(n, a, pica_ref_neg(n, b));
	case VS_OP_MUL:
		return pica_ref_mul(n, a, b);
	case VS_OP_MIN:
		return pica_ref_min(a, b);
	case VS_OP_MAX:
		return pica_ref_max(a, b);
	case VS_OP_SGE:
		return a >= b;
	default:
		return a < b;
	}
}

/* Component @i of the operation by the reference arithmetic. */
static float reference(struct pica_ref_num *n, const struct op *o, const struct vs_uop *u,
		       u32 lane, u32 i)
{
	const u16 *src[3] = { u->a, u->b, u->c };
	float v[3][4] = { }, r;
	u32 k, c;

	for (k = 0; k < 3; k++) {
		for (c = 0; c < nsrc(o, u->ncomp, k); c++)
			v[k][c] = pica_ref_load(n->model, u->flags & (VS_UOP_A_UNIF << k) ?
						unif[src[k][c]] :
						in[lane][src[k][c] / 4][src[k][c] % 4]);
	}
	switch (o->shape) {
	case C1:
		return ref_one(n, o->op, v[0][i]);
	case S1:
		return ref_one(n, o->op, v[0][0]);
	case C2:
		return ref_two(n, o->op, v[0][i], v[1][i]);
	case C3:
		return pica_ref_add(n, pica_ref_mul(n, v[0][i], v[1][i]), v[2][i]);
	default:
		if (o->op == VS_OP_DPH)
			v[0][3] = 1.0f;
		r = pica_ref_mul(n, v[0][0], v[1][0]);
		for (c = 1; c < (o->op == VS_OP_DP3 ? 3 : 4); c++)
			r = pica_ref_add(n, r, pica_ref_mul(n, v[0][c], v[1][c]));
		return r;
	}
}

/* EX2 and LG2 of the reference go through the C library; see test_math. */
static bool equal(const struct op *o, enum vs_fp_model fp, u32 got, u32 want)
{
	bool int_result = o->op == VS_OP_F2I;
	u32 ulp = fp == VS_FP_F32 ? 1 : 0x80;

	if (!int_result && eng_isnan(got) && eng_isnan(want))
		return true;
	if (o->op == VS_OP_EX2 || o->op == VS_OP_LG2)
		return got - want + ulp <= 2 * ulp;
	return got == want;
}

static u32 check_reference(const struct op *o, const struct form *f, enum vs_fp_model fp)
{
	struct pica_ref_num n = { .model = models[fp] };
	struct vs_uop u = make(o, f, ENG_OUT);
	u32 lane, i, bad = 0;

	for (lane = 0; lane < LANES; lane++) {
		for (i = 0; i < f->nc; i++) {
			u32 want = eng_bits(reference(&n, o, &u, lane, i));
			u32 got = out[0][lane][0][u.d[i] - ENG_OUT];

			if (equal(o, fp, got, want))
				continue;
			if (!bad++)
				tap_comment("%s nc %u unif %u lane %u.%u: %08x, reference %08x",
					    o->name, f->nc, f->unif, lane, i, got, want);
		}
	}
	return bad;
}

static void fill(bool wild)
{
	u32 i, k, c;

	for (i = 0; i < LANES; i++) {
		for (k = 0; k < NIN; k++) {
			for (c = 0; c < 4; c++)
				in[i][k][c] = wild ? eng_operand(&rnd) : eng_mild(&rnd);
		}
	}
	for (i = 0; i < ENG_UNIF; i++) {
		/* In 1.7.16 already, so that every model reads the same. */
		unif[i] = (wild && i % 3 ? eng_operand(&rnd) : eng_mild(&rnd)) & 0xffffff80;
		if ((unif[i] & 0x7fffffff) < 0x20800000)
			unif[i] = 0;
		if ((unif[i] & 0x7fffffff) > 0x5f7fff80)
			unif[i] = 0x7f800000;
	}
}

/* As on a processor that does not return the first of two NaNs. */
static void run_nan_rule(struct vs_job *job)
{
	u64 steps = 0;

	job->nan_rule = true;
	eng_finish_job(job, eng_worker(), &steps);
}

/* Run one form on all executors. Return: number of errors. */
static u32 try_form(const struct op *o, const struct form *f, enum vs_fp_model fp)
{
	struct vs_prog *p = program(o, f);
	u32 s, i, bad = 0;

	for (s = 0; s <= VS_NUM_SIMD; s++) {
		bool nan_rule = s == VS_NUM_SIMD;
		struct eng_run r = { .prog = p, .fp = fp, .simd = nan_rule ? vs_simd_best() : s,
				     .count = LANES, .nin = NIN, .in = in[0], .out = out[s][0],
				     .unif = unif, .run = nan_rule ? run_nan_rule : NULL };

		if (!eng_have(r.simd))
			continue;
		eng_run(&r);
		if (r.fault.kind) {
			tap_comment("%s: fault %u", o->name, r.fault.kind);
			bad++;
		}
		for (i = 0; i < LANES; i++) {
			if (!memcmp(out[s][i][0], out[0][i][0], 16))
				continue;
			if (!bad++)
				tap_comment("%s nc %u unif %u masked %d overlap %d lane %u %s%s",
					    o->name, f->nc, f->unif, f->masked, f->overlap, i,
					    vs_simd_name(r.simd), nan_rule ? ", any NaN" : "");
		}
	}
	if (!f->masked && !f->overlap)
		bad += check_reference(o, f, fp);
	vs_prog_free(p);
	return bad;
}

static void test_op(const struct op *o, enum vs_fp_model fp, bool wild)
{
	struct form f;
	u32 bad = 0, forms = 0;

	/* Outputs are floats: small integers would be flushed. See LDROW. */
	if (o->op == VS_OP_F2I && fp != VS_FP_F32)
		return;
	for (f.nc = 1; f.nc <= 4; f.nc++) {
		for (f.unif = 0; f.unif <= 3; f.unif++) {
			if (f.unif && !nsrc(o, f.nc, f.unif - 1))
				continue;
			for (u32 k = 0; k < 4; k++) {
				f.masked = k & 1;
				f.overlap = k & 2;
				if (f.overlap && f.unif == 1)
					continue;
				fill(wild);
				bad += try_form(o, &f, fp);
				forms++;
			}
		}
	}
	tap_result(!bad, "%s %s, %s values: %u forms, %u lanes wrong", o->name, eng_fp_name[fp],
		   wild ? "all" : "mild", forms, bad);
}

/* ---- two NaNs ---- */

/* Bits that 1.7.16 has. Quiet ones raise no flag, so that optimistic results are kept. */
static const u32 nans[] = {
	0x7fc00000, 0xffc12300, 0x7fc54300, 0xfff00080, 0x3f800000,
	0x7f800100, 0xffb45600, /* signalling */
};

#define NUM_QUIET	5

/* The first NaN of some operands, which are loaded in order, or 0. */
static u32 first_nan(const u32 *operand, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (eng_isnan(operand[i]))
			return operand[i] | VS_F32_QUIET;
	}
	return 0;
}

/* The NaN that is the result of component @i, by the rule of numeric-model.rst; 0: a number. */
static u32 nan_result(const struct op *o, const struct vs_uop *u, u32 lane, u32 i)
{
	const u16 *src[3] = { u->a, u->b, u->c };
	u32 v[8], k, c, n = 0;

	if (o->shape == DOT) {
		for (c = 0; c < (o->op == VS_OP_DP3 ? 3 : 4); c++) {
			for (k = 0; k < 2; k++) {
				if (c < nsrc(o, u->ncomp, k))
					v[n++] = in[lane][src[k][c] / 4][src[k][c] % 4];
			}
		}
		return first_nan(v, n);
	}
	for (k = 0; k < (o->shape == C3 ? 3 : 2); k++)
		v[n++] = in[lane][src[k][i] / 4][src[k][i] % 4];
	return first_nan(v, n);
}

static bool has_two_operands(const struct op *o)
{
	return o->shape == DOT || o->op == VS_OP_ADD || o->op == VS_OP_SUB || o->op == VS_OP_MUL ||
	       o->op == VS_OP_MAD;
}

static void test_nans(const struct op *o, enum vs_fp_model fp, bool signalling)
{
	const u32 n = signalling ? ARRAY_SIZE(nans) : NUM_QUIET;
	struct form f = { .nc = 4 };
	struct vs_uop u = make(o, &f, ENG_OUT);
	u32 i, c, got, want, bad;

	for (i = 0; i < 4 * LANES; i++) {
		in[i / 4][0][i % 4] = nans[i % n];
		in[i / 4][1][i % 4] = nans[i / n % n];
		in[i / 4][2][i % 4] = nans[(i / 3 + i % 4) % n];
		in[i / 4][3][i % 4] = 0;
	}
	bad = try_form(o, &f, fp);
	for (i = 0; i < LANES; i++) {
		for (c = 0; c < 4; c++) {
			got = out[0][i][0][c];
			want = nan_result(o, &u, i, c);
			if (want && got != want && !bad++)
				tap_comment("lane %u.%u: %08x, not %08x", i, c, got, want);
		}
	}
	tap_result(!bad, "%s %s, %s NaNs: %u lanes wrong", o->name, eng_fp_name[fp],
		   signalling ? "all" : "quiet", bad);
}

/* CMP: every condition pair, both predicates seen through branches. */
static u32 try_cmp(u32 c0, u32 c1, enum vs_fp_model fp)
{
	struct vs_builder *b = eng_builder(16);
	u32 one = vs_builder_const(b, 0x3f800000), s, i, k, bad = 0;
	struct vs_prog *p;

	eng_emit(b, 0, UOP(.op = VS_OP_CMP, .ncomp = 2, .imm = c0 | c1 << 4, .d = { 0, 1 },
			   .a = { 0, 1 }, .b = { 4, 5 }));
	eng_emit(b, 1, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = 5, .f.target = 3,
			   .f.resume = 2));
	eng_emit(b, 2, UOP(.op = VS_OP_MOV, .flags = VS_UOP_A_UNIF, .d = { ENG_OUT },
			   .a = { one }));
	eng_emit(b, 3, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = 3, .f.target = 5,
			   .f.resume = 4));
	eng_emit(b, 4, UOP(.op = VS_OP_MOV, .flags = VS_UOP_A_UNIF, .d = { ENG_OUT + 1 },
			   .a = { one }));
	eng_emit(b, 5, UOP(.op = VS_OP_END));
	p = eng_finish(b);
	fill(true);
	EACH_SIMD(s) {
		struct eng_run r = { .prog = p, .fp = fp, .simd = s, .count = LANES, .nin = NIN,
				     .in = in[0], .out = out[s][0], .unif = unif };

		eng_run(&r);
		for (i = 0; i < LANES; i++) {
			for (k = 0; k < 2; k++) {
				float x = ref_load(fp, in[i][0][k]);
				float y = ref_load(fp, in[i][1][k]);
				u32 c = k ? c1 : c0;
				bool want = c == VS_CMP_EQ ? x == y : c == VS_CMP_NE ? x != y :
					    c == VS_CMP_LT ? x < y : c == VS_CMP_LE ? x <= y :
					    c == VS_CMP_GT ? x > y : x >= y;

				if (out[s][i][0][k] != (want ? 0x3f800000 : 0))
					bad++;
			}
		}
	}
	vs_prog_free(p);
	return bad;
}

static void test_cmp(enum vs_fp_model fp)
{
	u32 c0, c1, bad = 0;

	for (c0 = VS_CMP_EQ; c0 <= VS_CMP_GE; c0++) {
		for (c1 = VS_CMP_EQ; c1 <= VS_CMP_GE; c1++)
			bad += try_cmp(c0, c1, fp);
	}
	tap_result(!bad, "CMP %s: 36 condition pairs, %u lanes wrong", eng_fp_name[fp], bad);
}

/* One row by the rule of the test programs. */
static u32 row_value(s32 off, u32 base, u32 comp, bool oor_zero, bool neg, enum vs_fp_model fp)
{
	bool far = off < -128 || off > 127;
	u32 row = (base + (far ? 0 : (u32)off)) & 127, v;

	if (far && oor_zero)
		v = 0;
	else
		v = row < 96 ? unif[4 * row + comp] : 0x3f800000;
	if (neg && (v || fp == VS_FP_F32))
		v ^= 0x80000000;
	return v;
}

/* LDROW with the offset from an input (as a float, through F2I), uniform or per lane. */
static u32 try_ldrow(enum vs_fp_model fp, bool same, bool neg, bool oor_zero, u32 nc, bool masked)
{
	struct vs_builder *b = eng_builder(16);
	u32 base = eng_below(&rnd, 96), s, i, k, bad = 0;
	struct vs_prog *p;

	eng_emit(b, 0, UOP(.op = VS_OP_F2I, .d = { ENG_TEMP }, .a = { 0 }));
	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT), .a = SEQ(4)));
	eng_emit(b, 0, UOP(.op = VS_OP_CMP, .ncomp = 2, .imm = 0x22, .d = { 0, 1 },
			   .a = { 12, 12 }, .b = { 13, 13 }));
	eng_emit(b, 1, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = masked ? 5 : 0,
			   .f.target = 3, .f.resume = 2));
	eng_emit(b, 2, UOP(.op = VS_OP_LDROW, .ncomp = nc, .a = { ENG_TEMP },
			   .imm = base | (neg ? VS_LDROW_NEG : 0),
			   .d = { ENG_OUT, nc > 1 ? ENG_OUT + 1 : 0,
				  nc > 2 ? ENG_OUT + 2 : 0, nc > 3 ? ENG_OUT + 3 : 0 },
			   .b = { 3, nc > 1 ? 1 : 0, 0, nc > 3 ? 2 : 0 }));
	eng_emit(b, 3, UOP(.op = VS_OP_END));
	p = eng_finish(b);
	fill(false);
	for (i = 0; i < LANES; i++) {
		s32 off = (s32)eng_below(&rnd, 300) - 150;

		in[i][0][0] = same ? eng_bits(7.75f) : i % 4 ? eng_bits(off + 0.25f * off) :
			      eng_operand(&rnd);
	}
	EACH_SIMD(s) {
		struct eng_run r = { .prog = p, .fp = fp, .simd = s, .count = LANES, .nin = NIN,
				     .in = in[0], .out = out[s][0], .unif = unif,
				     .flags = oor_zero ? VS_LAUNCH_OOR_ZERO : 0 };
		static const u32 comp[4] = { 3, 1, 0, 2 };

		eng_run(&r);
		for (i = 0; i < LANES; i++) {
			float x = ref_load(fp, in[i][3][0]);
			float y = ref_load(fp, in[i][3][1]);

			for (k = 0; k < nc; k++) {
				s32 off = pica_ref_to_int(ref_load(fp, in[i][0][0]));
				u32 want = row_value(off, base, comp[k], oor_zero, neg, fp);

				if (masked && !(x < y))
					want = eng_bits(ref_load(fp, in[i][1][k]));
				bad += out[s][i][0][k] != want;
			}
		}
	}
	vs_prog_free(p);
	return bad;
}

static void test_ldrow(enum vs_fp_model fp)
{
	u32 i, nc, bad = 0;

	for (nc = 1; nc <= 4; nc++) {
		for (i = 0; i < 16; i++)
			bad += try_ldrow(fp, i & 1, i & 2, i & 4, nc, i & 8);
	}
	tap_result(!bad, "LDROW %s: 64 forms, %u values wrong", eng_fp_name[fp], bad);
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	u32 i, fp, wild;

	eng_options(argc, argv, &opt);
	eng_srand(&rnd, opt.seed);
	for (fp = 0; fp < VS_NUM_FP; fp++) {
		for (i = 0; i < ARRAY_SIZE(ops); i++) {
			for (wild = 0; wild < 2; wild++)
				test_op(&ops[i], fp, wild);
			for (wild = 0; wild < 2 && has_two_operands(&ops[i]); wild++)
				test_nans(&ops[i], fp, wild);
		}
		test_cmp(fp);
		test_ldrow(fp);
	}
	return tap_done();
}
