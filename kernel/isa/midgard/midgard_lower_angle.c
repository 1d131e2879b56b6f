// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of the two atan2 steps of Midgard to micro-ops, binary32.
 *
 * The program multiplies z and w of the first step's result and passes the product to the
 * second step with x; nothing else is documented. Here |z / w| <= 1, and x is the angle that
 * the arc tangent is added to or subtracted from, depending on the quadrant.
 */
#include "../../engine/simt/simt_arctan.h"
#include "midgard_lower_priv.h"

#define SIGN		0x80000000U
#define ONE		0x3f800000U
#define HALF_PI		0x3fc90fdbU
#define PI		0x40490fdbU

static u16 ml_angle_number(struct ml *l, u32 bits)
{
	return ml_const(l, bits).s;
}

static u16 ml_angle_two(struct ml *l, u32 op, u16 a, u16 b, u32 mods)
{
	return ml_aux(l, ML_U(.op = (u16)op, .s = { a, b }, .mods = (u16)mods)).s;
}

/* on ? a : b */
static u16 ml_angle_pick(struct ml *l, u16 on, u16 a, u16 b)
{
	return ml_aux(l,
		      ML_U(.op = SIMT_UCSEL, .imm = SIMT_NE,
			   .s = { on, ml_angle_number(l, 0), a, b })).s;
}

/* |a| > |b| */
static u16 is_longer(struct ml *l, u16 a, u16 b)
{
	return ml_aux(l, ML_U(.op = SIMT_FCMP, .s = { a, b }, .mods = SIMT_ABS(0) | SIMT_ABS(1),
			      .imm = SIMT_CMP(SIMT_GT, SIMT_TRUE_M1))).s;
}

static u16 sign_of(struct ml *l, u16 a)
{
	return ml_angle_two(l, SIMT_IAND, a, ml_angle_number(l, SIGN), 0);
}

static u16 ml_angle_reciprocal(struct ml *l, u16 a)
{
	return ml_aux(l, ML_U(.op = SIMT_FRCP, .s = { a })).s;
}

static u16 not_zero(struct ml *l, u16 a)
{
	return ml_aux(l, ML_U(.op = SIMT_SHLI, .s = { a }, .imm = 1)).s;
}

static u16 first(struct ml *l, u32 w, u16 y, u16 x)
{
	u16 steep = is_longer(l, y, x), sign = sign_of(l, y), v;

	switch (w & 3) {
	case 0:
		v = ml_angle_pick(l, sign_of(l, x),
				  ml_angle_two(l, SIMT_IOR, sign, ml_angle_number(l, PI),
					       0), ml_angle_number(l, 0));
		return ml_angle_pick(l, steep,
				     ml_angle_two(l, SIMT_IOR, sign, ml_angle_number(l, HALF_PI),
						  0), v);
	case 1:
		return ml_angle_number(l, 0);
	case 2:
		return ml_angle_pick(l, steep, x, y);
	default:
		v = ml_angle_reciprocal(l, ml_angle_pick(l, steep, y, x));
		return ml_angle_pick(l, not_zero(l, ml_angle_two(l, SIMT_IOR, x, y, 0)), v,
				     ml_angle_number(l, ONE));
	}
}

static u16 ml_angle_arc_tangent(struct ml *l, u16 a)
{
	u16 one = ml_angle_number(l, ONE), big = is_longer(l, a, one), x, t, r;
	u32 i = SIMT_ARCTAN_TERMS - 1;

	x = ml_angle_two(l, SIMT_IAND, a, ml_angle_number(l, ~SIGN), 0);
	x = ml_angle_pick(l, big, ml_angle_reciprocal(l, x), x);
	t = ml_angle_two(l, SIMT_FMUL, x, x, 0);
	r = ml_angle_number(l, simt_arctan[i]);
	while (i--)
		r = ml_aux(l,
			   ML_U(.op = SIMT_FMA,
				.s = { r, t, ml_angle_number(l, simt_arctan[i]) })).s;
	r = ml_angle_two(l, SIMT_FMUL, r, x, 0);
	r = ml_angle_pick(l, big,
			  ml_angle_two(l, SIMT_FADD, ml_angle_number(l, HALF_PI), r,
				       SIMT_NEG(1)), r);
	return ml_angle_two(l, SIMT_IXOR, r, sign_of(l, a), 0);
}

static u16 second(struct ml *l, u16 from, u16 a)
{
	u16 r = ml_angle_arc_tangent(l, a), sign = sign_of(l, from), quarter, half;

	quarter = ml_angle_two(l, SIMT_IXOR, from,
			       ml_angle_two(l, SIMT_IOR, sign, ml_angle_number(l, HALF_PI), 0), 0);
	half = ml_angle_two(l, SIMT_IOR, sign, ml_angle_number(l, PI), 0);
	half = ml_angle_pick(l, not_zero(l, from), ml_angle_two(l, SIMT_FADD, r, half, 0), r);
	return ml_angle_pick(l, quarter, half, ml_angle_two(l, SIMT_FADD, from, r, SIMT_NEG(1)));
}

int ml_angle(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v)
{
	u16 want = l->want, r;

	if (l->a->mode != MG_MODE_32)
		return ml_unsupported(l, l->a->op);
	l->want = ML_NOWHERE;
	a = ml_apply_signs(l, 0, a);
	b = ml_apply_signs(l, 1, b);
	if (l->a->op == MG_OP_FATAN2_PT1)
		r = first(l, w, a.s, b.s);
	else
		r = second(l, a.s, b.s);
	l->want = want;
	*v = ml_finish_float(l, ml_slot(r));
	return 0;
}
