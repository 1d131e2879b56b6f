// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard vertex programs: units.
 */
#include "utgard_gp_lower_priv.h"

static struct ugl_val ugl_unit_operand(struct ugl *l, const struct ugp_src *src, u32 neutral)
{
	struct ugl_val v;

	switch (src->kind) {
	case UGP_KIND_PORT0:
		v = l->port0[src->comp];
		break;
	case UGP_KIND_PORT1:
		v = l->now[4 * l->v.port1 + src->comp];
		break;
	case UGP_KIND_LOAD:
		v = l->load[src->comp];
		break;
	case UGP_KIND_RESULT:
		v = src->back == 1 ? l->r1[src->unit] : l->r2[src->unit];
		break;
	case UGP_KIND_PREV_PORT0:
		v = l->prev0[src->comp];
		break;
	default:
		v = ugl_const(l, neutral);
		break;
	}
	v.neg ^= src->neg;
	return v;
}

/* Slot for the unit's result; to be called once per instruction and unit (may be a varying). */
static u16 result_slot(struct ugl *l)
{
	return l->hint == UGP_NO_SLOT ? ugl_fresh(l) : l->hint;
}

static struct ugl_val to(struct ugl *l, u16 d, u32 op, u32 imm, struct ugl_val a,
			 struct ugl_val b)
{
	ugl_emit(l, UGL_UOP(.op = op, .d = d, .s = { a.s, b.s }, .imm = imm,
			    .mods = (a.neg ? SIMT_NEG(0) : 0) | (b.neg ? SIMT_NEG(1) : 0)));
	return ugl_slot(d);
}

static struct ugl_val binary(struct ugl *l, u32 op, u32 imm, struct ugl_val a, struct ugl_val b)
{
	return to(l, result_slot(l), op, imm, a, b);
}

static struct ugl_val unary(struct ugl *l, u32 op, u32 imm, struct ugl_val a)
{
	struct ugl_val none = { };

	return to(l, result_slot(l), op, imm, a, none);
}

static struct ugl_val ugl_unit_compare(struct ugl *l, u32 cmp, struct ugl_val a, struct ugl_val b)
{
	struct ugl_val v = binary(l, SIMT_FCMP, SIMT_CMP(cmp, SIMT_TRUE_1F), a, b);

	v.truth = true;
	return v;
}

/* Select by a comparison. Only the compared values may be negated. */
static struct ugl_val ugl_unit_choose(struct ugl *l, u16 d, u32 cmp, struct ugl_val a,
				      struct ugl_val yes, struct ugl_val no)
{
	struct ugl_val zero = ugl_const(l, 0);

	if (yes.neg)
		yes = ugl_slot(ugl_in_slot(l, yes));
	if (no.neg)
		no = ugl_slot(ugl_in_slot(l, no));
	ugl_emit(l, UGL_UOP(.op = SIMT_FCSEL, .d = d, .s = { a.s, zero.s, yes.s, no.s },
			    .imm = cmp, .mods = a.neg ? SIMT_NEG(0) : 0));
	return ugl_slot(d);
}

static struct ugl_val sign(struct ugl *l, struct ugl_val a)
{
	struct ugl_val v;

	v = ugl_unit_choose(l, ugl_fresh(l), SIMT_LT, a, ugl_const(l, UGL_MINUS_ONE),
			    ugl_const(l, 0));
	return ugl_unit_choose(l, result_slot(l), SIMT_GT, a, ugl_const(l, UGL_ONE), v);
}

static struct ugl_val least(struct ugl *l, bool greatest, struct ugl_val a, struct ugl_val b)
{
	struct ugl_val v = binary(l, greatest ? SIMT_FMAX : SIMT_FMIN, SIMT_NAN_SUPPRESS, a, b);

	v.truth = a.truth && b.truth && !a.neg && !b.neg;
	return v;
}

static struct ugl_val adder(struct ugl *l, const struct ugp_slot *slot)
{
	struct ugl_val a = ugl_unit_operand(l, &slot->src[0], 0), b = { };

	if (slot->nsrc > 1)
		b = ugl_unit_operand(l, &slot->src[1], 0);
	switch (slot->op) {
	case UGP_OP_ADD:
		if (slot->src[1].kind == UGP_KIND_NEUTRAL && b.neg)
			return a;
		return binary(l, SIMT_FADD, 0, a, b);
	case UGP_OP_FLOOR:
		return unary(l, SIMT_FRND, SIMT_RTN, a);
	case UGP_OP_SIGN:
		return sign(l, a);
	case UGP_OP_GE:
		return ugl_unit_compare(l, SIMT_GE, a, b);
	case UGP_OP_LT:
		return ugl_unit_compare(l, SIMT_LT, a, b);
	case UGP_OP_MIN:
		return least(l, false, a, b);
	default:
		return least(l, true, a, b);
	}
}

static struct ugl_val multiplier(struct ugl *l, const struct ugp_slot *slot)
{
	struct ugl_val a, b;

	if (slot->op == UGP_OP_COMPLEX2 || slot->op == UGP_OP_COMPLEX1)
		return ugl_const(l, 0);
	a = ugl_unit_operand(l, &slot->src[0], UGL_ONE);
	b = ugl_unit_operand(l, &slot->src[1], UGL_ONE);
	if (slot->op == UGP_OP_SELECT)
		return ugl_unit_choose(l, result_slot(l), SIMT_NE, a, b,
				       ugl_unit_operand(l, &slot->src[2], UGL_ONE));
	a.neg ^= slot->neg;
	if (slot->src[1].kind == UGP_KIND_NEUTRAL)
		return a;
	return binary(l, SIMT_FMUL, 0, a, b);
}

static struct ugl_val pass(struct ugl *l, const struct ugp_slot *slot)
{
	struct ugl_val a = ugl_unit_operand(l, &slot->src[0], 0), v;

	if (slot->op != UGP_OP_CLAMP)
		return a;
	v = to(l, ugl_fresh(l), SIMT_FMAX, SIMT_NAN_SUPPRESS, a, l->load[0]);
	return binary(l, SIMT_FMIN, SIMT_NAN_SUPPRESS, v, l->load[1]);
}

static struct ugl_val complex_unit(struct ugl *l, const struct ugp_slot *slot)
{
	struct ugl_val a;

	if (!slot->nsrc)
		return ugl_const(l, 0);
	a = ugl_unit_operand(l, &slot->src[0], 0);
	switch (slot->op) {
	case UGP_OP_EXP2:
		return unary(l, SIMT_FEXP2, 0, a);
	case UGP_OP_LOG2:
		return unary(l, SIMT_FLOG2, 0, a);
	case UGP_OP_RSQRT:
		return unary(l, SIMT_FRSQ, 0, a);
	case UGP_OP_RCP:
		return unary(l, SIMT_FRCP, 0, a);
	default:
		return a;
	}
}

/* Slot of the varying that receives the result of a unit and is stored nowhere else. */
static u16 find_hint(const struct ugl *l, u32 unit)
{
	const struct ugp_store_group *g;
	u32 i;

	for (i = 0; i < 4; i++) {
		g = &l->v.store[i / 2];
		if (g->dest == UGP_DEST_VARYING && g->unit[i % 2] == unit &&
		    l->stores[4 * g->addr + i] == 1)
			return (u16)(l->out->out[g->addr] + i);
	}
	return UGP_NO_SLOT;
}

void ugl_units(struct ugl *l)
{
	const struct ugp_slot *slot;
	u32 unit;

	for (unit = 0; unit < UGP_NUM_UNITS; unit++) {
		slot = &l->v.slot[unit];
		l->hint = find_hint(l, unit);
		if (slot->op == UGP_OP_IDLE)
			l->cur[unit] = ugl_const(l, 0);
		else if (unit == UGP_ACC0 || unit == UGP_ACC1)
			l->cur[unit] = adder(l, slot);
		else if (unit == UGP_MUL0 || unit == UGP_MUL1)
			l->cur[unit] = multiplier(l, slot);
		else if (unit == UGP_PASS_UNIT)
			l->cur[unit] = pass(l, slot);
		else
			l->cur[unit] = complex_unit(l, slot);
	}
	l->hint = UGP_NO_SLOT;
	slot = &l->v.slot[UGP_MUL0];
	l->cur[UGL_NEXT_MUL0] = l->cur[UGP_MUL0];
	if (slot->op == UGP_OP_COMPLEX1)
		l->cur[UGL_NEXT_MUL0] = ugl_unit_operand(l, &slot->src[0], UGL_ONE);
}
