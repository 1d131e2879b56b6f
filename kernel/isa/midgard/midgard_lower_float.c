// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of 32-bit and 16-bit float operations, and of horizontal operations.
 *
 * A word holds two halves. Operations without a micro-op for halves are calculated in binary32;
 * the double rounding is innocuous.
 */
#include "midgard_lower_priv.h"

#define MINUS_ZEROS	0x80008000
#define ONE		0x3f800000
#define ONES		0x3c003c00
#define ANY		0x10		/* comparison codes: "any", not "all" */

static bool ml_float_is_half(const struct ml *l)
{
	return l->a->mode == MG_MODE_16;
}

u32 ml_round(const struct ml *l)
{
	static const u8 modes[4] = { SIMT_RTE, SIMT_RTZ, SIMT_RTN, SIMT_RTP };

	switch (l->a->op) {
	case MG_OP_FADD ... MG_OP_FMUL_RTP:
	case MG_OP_FMOV ... MG_OP_FMOV_RTP:
	case MG_OP_FMA ... MG_OP_FMA_RTP:
	case MG_OP_F2I ... MG_OP_F2U_RTP:
	case MG_OP_I2F ... MG_OP_U2F_RTP:
		return modes[l->a->op & 3];
	default:
		return SIMT_RTE;
	}
}

bool ml_suppresses(const struct ml *l)
{
	return l->code->fp_mode == MG_FP_GL_NO_INF_NAN && !(l->def->flags & (MG_MOVE | MG_CSEL));
}

bool ml_flushes(const struct ml *l)
{
	return l->code->fp_mode == MG_FP_D3D11 && l->a->mode == MG_MODE_32 &&
	       !(l->def->flags & (MG_MOVE | MG_CSEL));
}

static struct ml_val ml_float_clamped(struct ml *l, struct ml_val v)
{
	if (!l->a->outmod)
		return v;
	if (ml_float_is_half(l))
		return ml_op(l, ML_U(.op = SIMT_HADD, .s = { v.s, ml_const(l, MINUS_ZEROS).s },
				     .mods = SIMT_CLAMP(l->a->outmod)));
	return ml_op(l, ML_U(.op = SIMT_FMOV, .s = { v.s }, .mods = SIMT_CLAMP(l->a->outmod)));
}

bool ml_plain_float(const struct ml *l)
{
	return !ml_suppresses(l) && !ml_flushes(l) && !l->a->outmod;
}

struct ml_val ml_finish_float(struct ml *l, struct ml_val v)
{
	u16 want = l->want;

	if (ml_suppresses(l) || ml_flushes(l)) {
		l->want = l->a->outmod ? ML_NOWHERE : want;
		if (ml_flushes(l))
			v = ml_op(l, ML_U(.op = SIMT_FFTZ, .s = { v.s }));
		else
			v = ml_op(l, ML_U(.op = ml_float_is_half(l) ? SIMT_HSUPP : SIMT_FSUPP,
					  .s = { v.s }, .imm = 3));
		if (!l->a->outmod)
			return v;
	}
	l->want = want;
	return ml_float_clamped(l, v);
}

/* Emit a micro-op of class F or H that makes the result. */
static struct ml_val result(struct ml *l, struct simt_uop u)
{
	struct ml_val v;
	u16 want = l->want;

	if (!ml_suppresses(l) && !ml_flushes(l)) {
		u.mods |= SIMT_CLAMP(l->a->outmod);
		return ml_op(l, u);
	}
	l->want = ML_NOWHERE;
	v = ml_aux(l, u);
	l->want = want;
	return ml_finish_float(l, v);
}

/* Emit a micro-op without a clamp that makes the result. */
static struct ml_val result_word(struct ml *l, struct simt_uop u)
{
	struct ml_val v;
	u16 want = l->want;

	if (ml_plain_float(l))
		return ml_op(l, u);
	l->want = ML_NOWHERE;
	v = ml_aux(l, u);
	l->want = want;
	return ml_finish_float(l, v);
}

static u16 ml_float_signs(const struct ml *l)
{
	return ml_signs(l, 0, 0) | ml_signs(l, 1, 1);
}

/* ---- binary32 and binary16 ---- */

static struct ml_val ml_float_add(struct ml *l, struct ml_val a, struct ml_val b)
{
	u32 mode = ml_round(l);
	struct simt_uop u = { .op = ml_float_is_half(l) ? SIMT_HADD : SIMT_FADD, .s = { a.s, b.s },
			      .mods = ml_float_signs(l) };

	if (mode == SIMT_RTE)
		return result(l, u);
	/* a * 1 + b */
	u.op = ml_float_is_half(l) ? SIMT_HFMAR : SIMT_FMAR;
	u.s[1] = ml_const(l, ml_float_is_half(l) ? ONES : ONE).s;
	u.s[2] = b.s;
	u.mods = ml_signs(l, 0, 0) | ml_signs(l, 1, 2);
	u.imm = mode;
	return result(l, u);
}

static struct ml_val ml_float_multiply(struct ml *l, struct ml_val a, struct ml_val b)
{
	u32 mode = ml_round(l), zero = ml_float_is_half(l) ? MINUS_ZEROS : 1U << 31;
	struct simt_uop u = { .op = ml_float_is_half(l) ? SIMT_HMUL : SIMT_FMUL, .s = { a.s, b.s },
			      .mods = ml_float_signs(l) };

	if (mode == SIMT_RTE)
		return result(l, u);
	/* a * b + 0; the sign of 0 keeps the product's */
	u.op = ml_float_is_half(l) ? SIMT_HFMAR : SIMT_FMAR;
	u.s[2] = ml_const(l, mode == SIMT_RTN ? 0 : zero).s;
	u.imm = mode;
	return result(l, u);
}

static struct ml_val ml_float_min_max(struct ml *l, struct ml_val a, struct ml_val b)
{
	static const u16 ops[2][2] = { { SIMT_FMIN, SIMT_FMAX }, { SIMT_HMIN, SIMT_HMAX } };
	u32 op = l->a->op;
	u16 mods = ml_float_signs(l);

	/* compare absolute values */
	if (op & 2)
		mods = SIMT_ABS(0) | SIMT_ABS(1);
	return result(l,
		      ML_U(.op = ops[ml_float_is_half(l)][op >> 2 & 1], .s = { a.s, b.s },
			   .mods = mods,
			      .imm = op & 1 ? SIMT_NAN_PROPAGATE : SIMT_NAN_SUPPRESS));
}

static struct ml_val ml_float_whole(struct ml *l, struct ml_val a)
{
	static const u8 modes[4] = { SIMT_RTE, SIMT_RTZ, SIMT_RTN, SIMT_RTP };
	u32 mode = l->a->op == MG_OP_FROUNDAWAY ? SIMT_RTNA : modes[l->a->op & 3];

	return result(l, ML_U(.op = ml_float_is_half(l) ? SIMT_HRND : SIMT_FRND, .s = { a.s },
			      .mods = ml_signs(l, 0, 0), .imm = mode));
}

static struct ml_val ml_float_compare(struct ml *l, u32 op, struct ml_val a, struct ml_val b)
{
	static const u8 cmps[4] = { SIMT_EQ, SIMT_NE, SIMT_LT, SIMT_LE };

	return ml_op(l, ML_U(.op = ml_float_is_half(l) ? SIMT_HCMP : SIMT_FCMP, .s = { a.s, b.s },
			     .mods = ml_float_signs(l), .imm = SIMT_CMP(cmps[op], SIMT_TRUE_M1)));
}

/* Half @k of a source as binary32, with its modifiers. */
static struct ml_val ml_float_single(struct ml *l, u32 src, struct ml_val v, u32 k)
{
	return ml_aux(l, ML_U(.op = SIMT_H2F, .s = { v.s }, .imm = k, .mods = ml_signs(l, src, 0)));
}

static struct ml_val to_int(struct ml *l, struct ml_val a)
{
	bool is_unsigned = l->a->op >= MG_OP_F2U;
	u32 op = is_unsigned ? SIMT_F2U : SIMT_F2I, k;
	struct ml_val h[2];
	u16 want = l->want;

	if (!ml_float_is_half(l))
		return ml_op(l, ML_U(.op = op, .s = { a.s }, .imm = ml_round(l),
				     .mods = ml_signs(l, 0, 0)));
	l->want = ML_NOWHERE;
	for (k = 0; k < 2; k++) {
		h[k] = ml_aux(l,
			      ML_U(.op = op, .s = { ml_float_single(l, 0, a, k).s },
				   .imm = ml_round(l)));
		h[k] = ml_aux(l,
			      ML_U(.op = is_unsigned ? SIMT_UMIN : SIMT_IMIN,
				   .s = { h[k].s, ml_const(l, is_unsigned ? 0xffff : 0x7fff).s }));
		if (!is_unsigned)
			h[k] = ml_aux(l, ML_U(.op = SIMT_IMAX,
					      .s = { h[k].s, ml_const(l, 0xffff8000).s }));
	}
	l->want = want;
	return ml_perm(l, h[0], h[1], ML_PERM(0, 1, SIMT_PERM_B(0), SIMT_PERM_B(1)));
}

static struct ml_val ml_float_choose(struct ml *l, u32 w, struct ml_val a, struct ml_val b)
{
	u16 want = l->want;

	l->want = ML_NOWHERE;
	a = ml_apply_signs(l, 0, a);
	b = ml_apply_signs(l, 1, b);
	l->want = want;
	if (l->a->op & 1)
		return result_word(l, ML_U(.op = SIMT_UCSEL, .imm = SIMT_NE,
					   .s = { MG_SLOT_COND + 3, ml_const(l, 0).s, a.s, b.s }));
	return result_word(l, ML_U(.op = SIMT_BSEL, .s = { a.s, b.s, MG_SLOT_COND + w }));
}

static struct ml_val ml_float_move(struct ml *l, struct ml_val b)
{
	u16 want = l->want;

	l->want = ML_NOWHERE;
	b = ml_apply_signs(l, 1, b);
	l->want = want;
	return ml_float_clamped(l, b);
}

/* Fused multiply-add; x and y of the first source are the factors. */
static int ml_float_fused(struct ml *l, struct ml_val b, struct ml_val *v)
{
	u32 mode = ml_round(l);
	struct simt_uop u = { .s = { 0, 0, b.s }, .imm = mode,
			      .mods = ml_signs(l, 0, 0) | ml_signs(l, 0, 1) | ml_signs(l, 1, 2) };
	struct ml_val x, y;
	int ret;

	ret = ml_src(l, 0, 0, &x);
	if (ret)
		return ret;
	if (ml_float_is_half(l)) {
		u.op = SIMT_HFMAR;
		u.s[0] = x.s;
		u.s[1] = x.s;
		u.imm |= SIMT_SWZ(0, SIMT_H00) | SIMT_SWZ(1, SIMT_H11);
	} else {
		ret = ml_src(l, 0, 1, &y);
		if (ret)
			return ret;
		u.op = mode == SIMT_RTE ? SIMT_FMA : SIMT_FMAR;
		u.s[0] = x.s;
		u.s[1] = y.s;
	}
	*v = result(l, u);
	return 0;
}

/* ---- functions ---- */

static const u16 functions[8] = {
	SIMT_FRCP, SIMT_NUM_OPS, SIMT_FRSQ, SIMT_FSQRT, SIMT_FEXP2, SIMT_FLOG2, SIMT_FSINPI,
	SIMT_FCOSPI,
};

static struct ml_val ml_float_function(struct ml *l, struct ml_val a)
{
	u16 op = functions[l->a->op & 7], want = l->want;
	struct ml_val h[2];
	u32 k;

	if (!ml_float_is_half(l))
		return result(l, ML_U(.op = op, .s = { a.s }, .mods = ml_signs(l, 0, 0)));
	l->want = ML_NOWHERE;
	for (k = 0; k < 2; k++)
		h[k] = ml_aux(l, ML_U(.op = op, .s = { ml_float_single(l, 0, a, k).s }));
	l->want = want;
	return result_word(l, ML_U(.op = SIMT_F2H2, .s = { h[0].s, h[1].s }));
}

/* ---- horizontal ---- */

static u16 rounded_product(struct ml *l, struct ml_val a, struct ml_val b)
{
	return ml_aux(l, ML_U(.op = ml_float_is_half(l) ? SIMT_HMUL : SIMT_FMUL, .s = { a.s, b.s },
			      .mods = ml_float_signs(l))).s;
}

/* Dot product: products are rounded one by one, then added in order. */
static int ml_float_dot(struct ml *l, struct ml_val *v)
{
	u32 n = l->def->channels, i, words = ml_float_is_half(l) ? 2 : n;
	struct simt_uop u = { .op = ml_float_is_half(l) ? SIMT_HADD : SIMT_FADD };
	struct ml_val a, b;
	u16 p[4], sum = 0;
	int ret;

	for (i = 0; i < words; i++) {
		ret = ml_src(l, 0, i, &a);
		if (!ret)
			ret = ml_src(l, 1, i, &b);
		if (ret)
			return ret;
		p[i] = rounded_product(l, a, b);
	}
	sum = p[0];
	for (i = 1; i < n; i++) {
		u.s[0] = sum;
		u.s[1] = p[i];
		if (ml_float_is_half(l)) {
			u.s[1] = p[i / 2];
			u.imm = SIMT_SWZ(0, SIMT_H00) | SIMT_SWZ(1, i & 1 ? SIMT_H11 : SIMT_H00);
		}
		*v = i == n - 1 ? result(l, u) : ml_aux(l, u);
		sum = v->s;
	}
	return 0;
}

/* Horizontal comparison of the first four lanes: all or any. */
static int ml_float_group(struct ml *l, struct ml_val *v)
{
	u32 i, words = ml_float_is_half(l) ? 2 : 4;
	u16 op = l->a->op & ANY ? SIMT_IOR : SIMT_IAND, want = l->want;
	struct ml_val one;
	int ret;

	l->want = ML_NOWHERE;
	for (i = 0; i < words; i++) {
		ret = ml_word(l, i, &one);
		if (ret)
			return ret;
		if (i == words - 1 && !ml_float_is_half(l))
			l->want = want;
		*v = i ? ml_op(l, ML_U(.op = op, .s = { v->s, one.s })) : one;
	}
	if (!ml_float_is_half(l))
		return 0;
	one = ml_perm(l, *v, *v, ML_PERM(2, 3, 0, 1));
	l->want = want;
	*v = ml_op(l, ML_U(.op = op, .s = { v->s, one.s }));
	return 0;
}

int ml_across(struct ml *l, struct ml_val *v)
{
	u32 op = l->a->op;

	if (l->a->mode != MG_MODE_32 && l->a->mode != MG_MODE_16)
		return ml_unsupported(l, op);
	return op >= MG_OP_FDOT3 && op <= MG_OP_FDOT4 ? ml_float_dot(l, v) : ml_float_group(l, v);
}

/* ---- dispatch ---- */

int ml_float(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v)
{
	u32 op = l->a->op;

	switch (op) {
	case MG_OP_FADD ... MG_OP_FADD_RTP:
		*v = ml_float_add(l, a, b);
		break;
	case MG_OP_FMUL ... MG_OP_FMUL_RTP:
		*v = ml_float_multiply(l, a, b);
		break;
	case MG_OP_FMIN ... MG_OP_FABSMAX_NAN:
		*v = ml_float_min_max(l, a, b);
		break;
	case MG_OP_FMOV ... MG_OP_FMOV_RTP:
		*v = ml_float_move(l, b);
		break;
	case MG_OP_FROUNDEVEN ... MG_OP_FCEIL:
	case MG_OP_FROUNDAWAY:
		*v = ml_float_whole(l, a);
		break;
	case MG_OP_FMA ... MG_OP_FMA_RTP:
		return ml_float_fused(l, b, v);
	case MG_OP_FCMP_EQ ... MG_OP_FCMP_LE:
	case MG_OP_FCMP_ALL_EQ ... MG_OP_FCMP_ALL_LE:
	case MG_OP_FCMP_ANY_EQ ... MG_OP_FCMP_ANY_LE:
		*v = ml_float_compare(l, op & 3, a, b);
		break;
	case MG_OP_F2I ... MG_OP_F2U_RTP:
		*v = to_int(l, a);
		break;
	case MG_OP_FCSEL_VECTOR:
	case MG_OP_FCSEL_SCALAR:
		*v = ml_float_choose(l, ml_select_word(l, w), a, b);
		break;
	case MG_OP_FATAN2_PT2:
	case MG_OP_FATAN2_PT1:
		return ml_angle(l, w, a, b, v);
	case MG_OP_FRCP:
	case MG_OP_FRSQRT ... MG_OP_FCOSPI:
		*v = ml_float_function(l, a);
		break;
	default:
		return ml_unsupported(l, op);
	}
	return 0;
}
