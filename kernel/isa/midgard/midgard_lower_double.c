// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of 64-bit float operations of Midgard: one EXT micro-op per lane, MGX_F64.
 */
#include "midgard_ext.h"
#include "midgard_lower_priv.h"

static struct ml_pair ml_f64_zeros(struct ml *l)
{
	return (struct ml_pair){ ml_const(l, 0), ml_const(l, 0) };
}

/* Emit an MGX_F64 operation; @c may be NULL. */
static struct ml_pair ml_f64_ext(struct ml *l, u32 imm, struct ml_pair a, struct ml_pair b,
				 const struct ml_pair *c)
{
	u16 d = ml_temps(l, 2), d2 = 0;

	if (c) {
		d2 = ml_temps(l, 2);
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = d2, .s = { c->lo.s }));
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = (u16)(d2 + 1), .s = { c->hi.s }));
	}
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .d2 = d2, .n = 2, .imm = imm,
			  .s = { a.lo.s, a.hi.s, b.lo.s, b.hi.s }));
	return (struct ml_pair){ ml_slot(d), ml_slot(d + 1) };
}

/* ---- operands ---- */

static bool is_widened_float(const struct ml *l, u32 k)
{
	const struct mg_src *s = &l->a->src[k];

	return !(l->def->flags & MG_INT_IN) && s->kind != MG_SRC_IMM && s->widen;
}

static int ml_f64_source(struct ml *l, u32 k, u32 lane, struct ml_pair *p)
{
	const struct mg_src *s = &l->a->src[k];
	struct ml_pair w = ml_f64_zeros(l);
	int ret;

	if (is_widened_float(l, k)) {
		ret = ml_reg_word(l, s->reg, s->elem[lane], &w.lo);
		if (!ret)
			*p = ml_f64_ext(l, MGX_F64_IMM(MGX_F64_FROM_F32, SIMT_RTE), w,
					ml_f64_zeros(l), NULL);
		return ret;
	}
	ret = ml_src(l, k, 2 * lane, &p->lo);
	return ret ? ret : ml_src(l, k, 2 * lane + 1, &p->hi);
}

/* abs and neg of source @k as modifiers of operand @at. */
static u32 ml_f64_signs(const struct ml *l, u32 k, u32 at)
{
	u16 mods = ml_signs(l, k, 0);

	return (mods & SIMT_ABS(0) ? MGX_F64_ABS(at) : 0) |
	       (mods & SIMT_NEG(0) ? MGX_F64_NEG(at) : 0);
}

static struct ml_pair signed_pair(struct ml *l, u32 k, struct ml_pair p)
{
	p.hi = ml_apply_signs(l, k, p.hi);
	return p;
}

/* ---- results ---- */

static u32 limits(const struct ml *l)
{
	return MGX_F64_CLAMP_IS(l->a->outmod) | (ml_suppresses(l) ? MGX_F64_SUPPRESS : 0);
}

static struct ml_pair ml_f64_clamped(struct ml *l, struct ml_pair p)
{
	if (!limits(l))
		return p;
	return ml_f64_ext(l, MGX_F64_IMM(MGX_F64_MOV, SIMT_RTE) | limits(l), p, ml_f64_zeros(l),
			  NULL);
}

struct ml_val ml_double_narrow(struct ml *l, const struct ml_pair *p)
{
	return ml_f64_ext(l, MGX_F64_IMM(MGX_F64_TO_F32, ml_round(l)), *p, ml_f64_zeros(l),
			  NULL).lo;
}

/* ---- operations ---- */

static struct ml_pair ml_f64_min_max(struct ml *l, struct ml_pair a, struct ml_pair b)
{
	u32 op = l->a->op, mods = ml_f64_signs(l, 0, 0) | ml_f64_signs(l, 1, 1);

	if (op & 2)
		mods = MGX_F64_ABS(0) | MGX_F64_ABS(1);
	return ml_f64_ext(l, MGX_F64_IMM(op & 4 ? MGX_F64_MAX : MGX_F64_MIN, SIMT_RTE) | mods |
			  limits(l) |
			  (op & 1 ? MGX_F64_NAN : 0), a, b, NULL);
}

static struct ml_pair ml_f64_whole(struct ml *l, struct ml_pair a)
{
	static const u8 modes[4] = { SIMT_RTE, SIMT_RTZ, SIMT_RTN, SIMT_RTP };
	u32 mode = l->a->op == MG_OP_FROUNDAWAY ? SIMT_RTNA : modes[l->a->op & 3];

	return ml_f64_ext(l, MGX_F64_IMM(MGX_F64_RINT, mode) | ml_f64_signs(l, 0, 0) | limits(l), a,
			  ml_f64_zeros(l), NULL);
}

static struct ml_pair ml_f64_compare(struct ml *l, struct ml_pair a, struct ml_pair b)
{
	static const u8 fns[4] = { MGX_F64_EQ, MGX_F64_NE, MGX_F64_LT, MGX_F64_LE };

	return ml_f64_ext(l, MGX_F64_IMM(fns[l->a->op & 3], SIMT_RTE) | ml_f64_signs(l, 0, 0) |
			  ml_f64_signs(l, 1, 1), a, b, NULL);
}

/* Bitwise select, or by all of r31.w. */
static struct ml_pair ml_f64_choose(struct ml *l, u32 lane, struct ml_pair a, struct ml_pair b)
{
	a = signed_pair(l, 0, a);
	b = signed_pair(l, 1, b);
	return ml_f64_clamped(l, ml_wide_choose(l, lane, a, b));
}

/* Fused multiply-add; the lanes of the first source are the factors. */
static int ml_f64_fused(struct ml *l, struct ml_pair b, struct ml_pair *v)
{
	struct ml_pair x, y;
	int ret;

	ret = ml_f64_source(l, 0, 0, &x);
	if (!ret)
		ret = ml_f64_source(l, 0, 1, &y);
	if (ret)
		return ret;
	*v = ml_f64_ext(l, MGX_F64_IMM(MGX_F64_FMA, ml_round(l)) | ml_f64_signs(l, 0, 0) |
			ml_f64_signs(l, 0, 1) | ml_f64_signs(l, 1, 2) | limits(l), x, y, &b);
	return 0;
}

static int ml_f64_operation(struct ml *l, u32 lane, struct ml_pair a, struct ml_pair b,
			    struct ml_pair *v)
{
	u32 op = l->a->op, round = ml_round(l);

	switch (op) {
	case MG_OP_FADD ... MG_OP_FMUL_RTP:
		*v = ml_f64_ext(l, MGX_F64_IMM(op & 4 ? MGX_F64_MUL : MGX_F64_ADD, round) |
				ml_f64_signs(l, 0, 0) | ml_f64_signs(l, 1,
								     1) | limits(l), a, b, NULL);
		break;
	case MG_OP_FMIN ... MG_OP_FABSMAX_NAN:
		*v = ml_f64_min_max(l, a, b);
		break;
	case MG_OP_FMOV ... MG_OP_FMOV_RTP:
		*v = ml_f64_clamped(l, signed_pair(l, 1, b));
		break;
	case MG_OP_FROUNDEVEN ... MG_OP_FCEIL:
	case MG_OP_FROUNDAWAY:
		*v = ml_f64_whole(l, a);
		break;
	case MG_OP_FMA ... MG_OP_FMA_RTP:
		return ml_f64_fused(l, b, v);
	case MG_OP_FCMP_EQ ... MG_OP_FCMP_LE:
		*v = ml_f64_compare(l, a, b);
		break;
	case MG_OP_F2I ... MG_OP_F2U_RTP:
		*v = ml_f64_ext(l, MGX_F64_IMM(op >= MG_OP_F2U ? MGX_F64_TO_U64 : MGX_F64_TO_S64,
					       round) | ml_f64_signs(l, 0, 0), a,
				ml_f64_zeros(l), NULL);
		break;
	case MG_OP_I2F ... MG_OP_U2F_RTP:
		*v = ml_f64_ext(l, MGX_F64_IMM(op >= MG_OP_U2F ? MGX_F64_FROM_U64 :
					       MGX_F64_FROM_S64, round) | limits(l), a,
				ml_f64_zeros(l), NULL);
		break;
	case MG_OP_FCSEL_VECTOR:
	case MG_OP_FCSEL_SCALAR:
		*v = ml_f64_choose(l, lane, a, b);
		break;
	default:
		/* functions of the table unit: their precision is unknown */
		return ml_unsupported(l, op);
	}
	return 0;
}

int ml_double(struct ml *l, u32 lane, struct ml_pair *v)
{
	struct ml_pair a = ml_f64_zeros(l), b = ml_f64_zeros(l);
	bool factors = l->a->op >= MG_OP_FMA && l->a->op <= MG_OP_FMA_RTP;
	int ret = 0;

	if (!(l->def->flags & MG_MOVE) && !factors)
		ret = ml_f64_source(l, 0, lane, &a);
	if (!ret && !(l->def->flags & MG_UNARY))
		ret = ml_f64_source(l, 1, lane, &b);
	return ret ? ret : ml_f64_operation(l, lane, a, b, v);
}
