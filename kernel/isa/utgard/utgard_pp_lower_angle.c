// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard pixel programs: the two steps of an arc tangent. The intermediate result
 * is undocumented, except that its first two components are multiplied in between; see
 * utgard_pp_lower.h for the choices made.
 */
#include "../../engine/simt/simt_arctan.h"
#include "utgard_pp_lower_priv.h"

#define SIGN		0x80000000U
#define TWO		0x40000000U
#define HALF_PI		0x3fc90fdbU

static struct upl_val upl_angle_number(struct upl *l, u32 bits)
{
	return upl_slot(upl_const(l, bits));
}

static struct upl_val absolute(struct upl_val v)
{
	v.mods = SIMT_ABS(0);
	return v;
}

/* on ? a : b, all without modifiers; @on: an integer */
static struct upl_val pick(struct upl *l, struct upl_val on, struct upl_val a, struct upl_val b)
{
	u16 d = upl_fresh(l, 1);

	upl_emit(l, UPL_UOP(.op = SIMT_UCSEL, .d = d, .imm = SIMT_NE,
			    .s = { on.s, upl_const(l, 0), a.s, b.s }));
	return upl_slot(d);
}

static struct upl_val is(struct upl *l, u32 cmp, struct upl_val a, struct upl_val b)
{
	return upl_op(l, SIMT_FCMP, SIMT_CMP(cmp, SIMT_TRUE_M1), a, b);
}

static struct upl_val bits(struct upl *l, u32 op, struct upl_val a, u32 mask)
{
	return upl_op(l, op, 0, a, upl_angle_number(l, mask));
}

static struct upl_val upl_angle_reciprocal(struct upl *l, struct upl_val a)
{
	return upl_op(l, SIMT_FRCP, 0, a, a);
}

void upl_atan(struct upl *l, const struct upp_atan *a)
{
	struct upl_val y, x, r[4], steep, sign;
	struct upl_val one = upl_angle_number(l, UPL_ONE), zero = upl_angle_number(l, 0);
	bool two = a->op == UPP_OP_COMBINE_ATAN2;
	u32 i;

	y = upl_slot(upl_plain(l, upl_lane(l, a->arg0, a->absolute0, a->negate0)));
	x = one;
	if (two)
		x = upl_slot(upl_plain(l, upl_lane(l, a->arg1, a->absolute1, a->negate1)));
	steep = is(l, SIMT_GT, absolute(y), absolute(x));
	sign = bits(l, SIMT_IAND, y, SIGN);
	r[2] = pick(l, steep, one,
		    pick(l, bits(l, SIMT_IAND, x, SIGN), upl_angle_number(l, TWO), zero));
	r[2] = upl_op(l, SIMT_IOR, 0, r[2], sign);
	if (two) {
		r[0] = pick(l, steep, x, y);
		r[1] = upl_angle_reciprocal(l, pick(l, steep, y, x));
		/* neither is greater, and both are 0 */
		r[1] = pick(l, bits(l, SIMT_IAND, upl_op(l, SIMT_IOR, 0, x, y), ~SIGN), r[1],
			    one);
	} else {
		r[0] = pick(l, steep, upl_angle_reciprocal(l, y), y);
		r[1] = one;
	}
	r[3] = zero;
	for (i = 0; i < 4; i++)
		r[i] = upl_round(l, r[i]);
	upl_write(l, a->dest, a->mask, r);
}

/* Arc tangent of 0 to 1. */
static struct upl_val polynomial(struct upl *l, struct upl_val x)
{
	struct upl_val t = upl_op(l, SIMT_FMUL, 0, x, x);
	u32 i = SIMT_ARCTAN_TERMS - 1;
	u16 r = upl_const(l, simt_arctan[i]), d = upl_fresh(l, 1);

	while (i--) {
		upl_emit(l, UPL_UOP(.op = SIMT_FMA, .d = d,
				    .s = { r, t.s, upl_const(l, simt_arctan[i]) }));
		r = d;
	}
	return upl_op(l, SIMT_FMUL, 0, upl_slot(r), x);
}

static struct upl_val arc_tangent(struct upl *l, struct upl_val a)
{
	struct upl_val big = is(l, SIMT_GT, absolute(a), upl_angle_number(l, UPL_ONE)), x, r, rest;

	x = bits(l, SIMT_IAND, a, ~SIGN);
	x = pick(l, big, upl_angle_reciprocal(l, x), x);
	r = polynomial(l, x);
	rest = r;
	rest.mods = SIMT_NEG(0);
	rest = upl_op(l, SIMT_FADD, 0, upl_angle_number(l, HALF_PI), rest);
	r = pick(l, big, rest, r);
	return upl_op(l, SIMT_IXOR, 0, r, bits(l, SIMT_IAND, a, SIGN));
}

void upl_atan_end(struct upl *l, const struct upp_atan_end *a)
{
	struct upl_val from[3], r, other, v[4];
	u32 i;

	for (i = 0; i < 3; i++)
		from[i] = upl_slot(upl_plain(l, upl_swizzled(l, a->reg, a->swizzle, i, 0, 0)));
	r = arc_tangent(l, from[0]);
	other = bits(l, SIMT_IXOR, r, SIGN);
	r = pick(l, is(l, SIMT_EQ, absolute(from[2]), upl_angle_number(l, UPL_ONE)), other, r);
	r = upl_op(l, SIMT_FADD, 0, r,
		   upl_op(l, SIMT_FMUL, 0, from[2], upl_angle_number(l, HALF_PI)));
	v[0] = upl_modify(l, a->modifier, r);
	for (i = 1; i < 4; i++)
		v[i] = v[0];
	upl_write(l, a->dest >> 2, 1U << (a->dest & 3), v);
}
