// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard pixel programs: multipliers, adders, combiner.
 */
#include "utgard_pp_lower_priv.h"

static struct upl_val upl_alu_constant(struct upl *l, u32 bits)
{
	return upl_slot(upl_const(l, bits));
}

static struct upl_val upl_alu_compare(struct upl *l, u32 cmp, struct upl_val a, struct upl_val b)
{
	return upl_op(l, SIMT_FCMP, SIMT_CMP(cmp, SIMT_TRUE_1F), a, b);
}

static struct upl_val upl_alu_negated(struct upl_val v)
{
	v.mods ^= SIMT_NEG(0);
	return v;
}

struct upl_val upl_modify(struct upl *l, u32 modifier, struct upl_val v)
{
	switch (modifier) {
	case UPP_MOD_SAT:
		v = upl_op(l, SIMT_FMAX, SIMT_NAN_SUPPRESS, v, upl_alu_constant(l, 0));
		v = upl_op(l, SIMT_FMIN, SIMT_NAN_SUPPRESS, v, upl_alu_constant(l, UPL_ONE));
		break;
	case UPP_MOD_POS:
		v = upl_op(l, SIMT_FMAX, SIMT_NAN_SUPPRESS, v, upl_alu_constant(l, 0));
		break;
	case UPP_MOD_INT:
		v = upl_op(l, SIMT_FRND, SIMT_RTZ, v, v);
		break;
	default:
		break;
	}
	return upl_round(l, v);
}

/* ---- multipliers ---- */

static struct upl_val upl_alu_scaled(struct upl *l, u32 op, struct upl_val v)
{
	if (!upp_mul_shift(op))
		return v;
	return upl_op(l, SIMT_FMUL, 0, v,
		      upl_alu_constant(l, (u32)(127 + upp_mul_shift(op)) << 23));
}

/* Logic operations on truth values: and, or, xor. */
static struct upl_val upl_alu_logic(struct upl *l, u32 op, struct upl_val a, struct upl_val b)
{
	struct upl_val zero = upl_alu_constant(l, 0);

	a = upl_alu_compare(l, SIMT_NE, a, zero);
	b = upl_alu_compare(l, SIMT_NE, b, zero);
	return upl_op(l, op, 0, a, b);
}

static struct upl_val product(struct upl *l, u32 op, struct upl_val a, struct upl_val b)
{
	switch (op) {
	case UPP_OP_MUL_NOT:
		return upl_alu_compare(l, SIMT_EQ, a, upl_alu_constant(l, 0));
	case UPP_OP_MUL_AND:
		return upl_alu_logic(l, SIMT_IAND, a, b);
	case UPP_OP_MUL_OR:
		return upl_alu_logic(l, SIMT_IOR, a, b);
	case UPP_OP_MUL_XOR:
		return upl_alu_logic(l, SIMT_IXOR, a, b);
	case UPP_OP_MUL_NE:
		return upl_alu_compare(l, SIMT_NE, a, b);
	case UPP_OP_MUL_GT:
		return upl_alu_compare(l, SIMT_GT, a, b);
	case UPP_OP_MUL_GE:
		return upl_alu_compare(l, SIMT_GE, a, b);
	case UPP_OP_MUL_EQ:
		return upl_alu_compare(l, SIMT_EQ, a, b);
	case UPP_OP_MUL_MIN:
		return upl_op(l, SIMT_FMIN, SIMT_NAN_SUPPRESS, a, b);
	case UPP_OP_MUL_MAX:
		return upl_op(l, SIMT_FMAX, SIMT_NAN_SUPPRESS, a, b);
	case UPP_OP_MUL_MOV:
		return a;
	default:
		return upl_alu_scaled(l, op, upl_op(l, SIMT_FMUL, 0, a, b));
	}
}

/* Operand @n of a scalar unit. */
static struct upl_val scalar_operand(struct upl *l, const struct upp_scalar *s, u32 n)
{
	u32 lane = n ? s->arg1 : s->arg0;
	u32 absolute = n ? s->absolute1 : s->absolute0, negate = n ? s->negate1 : s->negate0;
	struct upl_val v;

	if (!n && s->mul_in)
		v = l->smul;
	else
		v = upl_reg(l, lane >> 2, lane & 3);
	return (struct upl_val){ .s = v.s, .mods = (u16)((absolute ? SIMT_ABS(0) : 0) |
							 (negate ? SIMT_NEG(0) : 0)) };
}

void upl_multiply(struct upl *l)
{
	const struct upp_scalar *s = &l->insn.part[UPP_SCALAR_MUL].scalar;
	const struct upp_vec *v = &l->insn.part[UPP_VEC_MUL].vec;
	struct upl_val a, b, all[4];
	u32 i;

	if (upp_has(&l->insn, UPP_VEC_MUL))
		upl_part(l, UPP_VEC_MUL);
	for (i = 0; i < 4 && upp_has(&l->insn, UPP_VEC_MUL); i++) {
		a = upl_swizzled(l, v->arg0, v->swizzle0, i, v->absolute0, v->negate0);
		b = upl_swizzled(l, v->arg1, v->swizzle1, i, v->absolute1, v->negate1);
		l->vmul[i] = upl_modify(l, v->modifier, product(l, v->op, a, b));
	}
	if (upp_has(&l->insn, UPP_VEC_MUL))
		upl_show(l, UPP_SLOT_SHOW_VMUL, l->vmul, 4);
	if (upp_has(&l->insn, UPP_SCALAR_MUL)) {
		upl_part(l, UPP_SCALAR_MUL);
		a = scalar_operand(l, s, 0);
		b = scalar_operand(l, s, 1);
		l->smul = upl_modify(l, s->modifier, product(l, s->op, a, b));
		upl_show(l, UPP_SLOT_SHOW_SMUL, &l->smul, 1);
	}
	if (upp_has(&l->insn, UPP_VEC_MUL))
		upl_write(l, v->dest, v->mask, l->vmul);
	for (i = 0; i < 4; i++)
		all[i] = l->smul;
	if (upp_has(&l->insn, UPP_SCALAR_MUL) && s->output)
		upl_write(l, s->dest >> 2, 1U << (s->dest & 3), all);
}

/* ---- adders ---- */

/* Value of the other fragment of the quad, in which @bit of the lane index is @set. */
static struct upl_val neighbour(struct upl *l, struct upl_val v, u32 bit, bool set)
{
	u16 lane = upl_fresh(l, 1), d = upl_fresh(l, 1), s = upl_plain(l, v);

	upl_emit(l, UPL_UOP(.op = SIMT_LANE, .d = lane, .imm = set ? 3 : 3 & ~bit));
	if (set)
		upl_emit(l, UPL_UOP(.op = SIMT_IOR, .d = lane,
				    .s = { lane, upl_const(l, bit) }));
	upl_emit(l, UPL_UOP(.op = SIMT_CLPER, .d = d, .s = { s, lane }, .imm = 1 << 4));
	return upl_slot(d);
}

/* @set: @bit of the lane index is set where the coordinate is greater. */
static struct upl_val derivative(struct upl *l, u32 bit, bool set, struct upl_val a,
				 struct upl_val b)
{
	return upl_op(l, SIMT_FADD, 0, neighbour(l, a, bit, set), neighbour(l, b, bit, !set));
}

static struct upl_val upl_alu_choose(struct upl *l, struct upl_val a, struct upl_val b)
{
	u16 d = upl_fresh(l, 1), s2 = upl_plain(l, a), s3 = upl_plain(l, b);

	upl_emit(l, UPL_UOP(.op = SIMT_FCSEL, .d = d,
			    .s = { l->smul.s, upl_const(l, 0), s2, s3 }, .imm = SIMT_NE));
	return upl_slot(d);
}

static struct upl_val sum(struct upl *l, u32 op, struct upl_val a, struct upl_val b)
{
	switch (op) {
	case UPP_OP_ADD_ADD:
		return upl_op(l, SIMT_FADD, 0, a, b);
	case UPP_OP_ADD_FRACT:
		b = upl_op(l, SIMT_FRND, SIMT_RTN, a, a);
		return upl_op(l, SIMT_FADD, 0, a, upl_alu_negated(b));
	case UPP_OP_ADD_NE:
		return upl_alu_compare(l, SIMT_NE, a, b);
	case UPP_OP_ADD_GT:
		return upl_alu_compare(l, SIMT_GT, a, b);
	case UPP_OP_ADD_GE:
		return upl_alu_compare(l, SIMT_GE, a, b);
	case UPP_OP_ADD_EQ:
		return upl_alu_compare(l, SIMT_EQ, a, b);
	case UPP_OP_ADD_FLOOR:
		return upl_op(l, SIMT_FRND, SIMT_RTN, a, a);
	case UPP_OP_ADD_CEIL:
		return upl_op(l, SIMT_FRND, SIMT_RTP, a, a);
	case UPP_OP_ADD_MIN:
		return upl_op(l, SIMT_FMIN, SIMT_NAN_SUPPRESS, a, b);
	case UPP_OP_ADD_MAX:
		return upl_op(l, SIMT_FMAX, SIMT_NAN_SUPPRESS, a, b);
	case UPP_OP_ADD_DFDX:
		return derivative(l, 1, true, a, b);
	case UPP_OP_ADD_DFDY:
		return derivative(l, 2, !l->y_up, a, b);
	case UPP_OP_ADD_SEL:
		return upl_alu_choose(l, a, b);
	default:
		return a;
	}
}

static struct upl_val vec_operand(struct upl *l, const struct upp_vec *v, u32 comp)
{
	struct upl_val r;

	if (!v->mul_in)
		return upl_swizzled(l, v->arg0, v->swizzle0, comp, v->absolute0, v->negate0);
	r = l->vmul[v->swizzle0 >> (2 * comp) & 3];
	return (struct upl_val){ .s = r.s, .mods = (u16)((v->absolute0 ? SIMT_ABS(0) : 0) |
							 (v->negate0 ? SIMT_NEG(0) : 0)) };
}

/* Horizontal operation on all components of the first operand; each sum is rounded. */
static struct upl_val across(struct upl *l, const struct upp_vec *v, u32 n)
{
	struct upl_val r = vec_operand(l, v, 0);
	u32 i;

	for (i = 1; i < n; i++)
		r = upl_round(l, upl_op(l, SIMT_FADD, 0, r, vec_operand(l, v, i)));
	return r;
}

static void vec_sum(struct upl *l, const struct upp_vec *v, struct upl_val r[4])
{
	struct upl_val a, b;
	u32 i;

	for (i = 0; i < 4; i++) {
		if (v->op == UPP_OP_ADD_SUM3 || v->op == UPP_OP_ADD_SUM4) {
			r[i] = i ? r[0] : upl_modify(l, v->modifier,
						 across(l, v, v->op == UPP_OP_ADD_SUM3 ? 3 : 4));
			continue;
		}
		a = vec_operand(l, v, i);
		b = upl_swizzled(l, v->arg1, v->swizzle1, i, v->absolute1, v->negate1);
		r[i] = upl_modify(l, v->modifier, sum(l, v->op, a, b));
	}
}

void upl_add(struct upl *l)
{
	const struct upp_scalar *s = &l->insn.part[UPP_SCALAR_ADD].scalar;
	const struct upp_vec *v = &l->insn.part[UPP_VEC_ADD].vec;
	struct upl_val vec[4], scalar[4];
	u32 i;

	if (upp_has(&l->insn, UPP_VEC_ADD)) {
		upl_part(l, UPP_VEC_ADD);
		vec_sum(l, v, vec);
	}
	if (upp_has(&l->insn, UPP_SCALAR_ADD)) {
		upl_part(l, UPP_SCALAR_ADD);
		scalar[0] = sum(l, s->op, scalar_operand(l, s, 0), scalar_operand(l, s, 1));
		scalar[0] = upl_modify(l, s->modifier, scalar[0]);
	}
	if (upp_has(&l->insn, UPP_VEC_ADD))
		upl_write(l, v->dest, v->mask, vec);
	if (!upp_has(&l->insn, UPP_SCALAR_ADD) || !s->output)
		return;
	for (i = 1; i < 4; i++)
		scalar[i] = scalar[0];
	upl_write(l, s->dest >> 2, 1U << (s->dest & 3), scalar);
}

/* ---- combiner ---- */

/* Convert turns to half turns, modulo whole turns so that nothing overflows. */
static struct upl_val half_turns(struct upl *l, struct upl_val a)
{
	struct upl_val whole = upl_op(l, SIMT_FRND, SIMT_RTE, a, a);

	a = upl_op(l, SIMT_FADD, 0, a, upl_alu_negated(whole));
	return upl_op(l, SIMT_FADD, 0, a, a);
}

static struct upl_val function(struct upl *l, u32 op, struct upl_val a)
{
	switch (op) {
	case UPP_OP_COMBINE_RCP:
		return upl_op(l, SIMT_FRCP, 0, a, a);
	case UPP_OP_COMBINE_SQRT:
		return upl_op(l, SIMT_FSQRT, 0, a, a);
	case UPP_OP_COMBINE_RSQRT:
		return upl_op(l, SIMT_FRSQ, 0, a, a);
	case UPP_OP_COMBINE_EXP2:
		return upl_op(l, SIMT_FEXP2, 0, a, a);
	case UPP_OP_COMBINE_LOG2:
		return upl_op(l, SIMT_FLOG2, 0, a, a);
	case UPP_OP_COMBINE_SIN:
		a = half_turns(l, a);
		return upl_op(l, SIMT_FSINPI, 0, a, a);
	case UPP_OP_COMBINE_COS:
		a = half_turns(l, a);
		return upl_op(l, SIMT_FCOSPI, 0, a, a);
	default:
		return a;
	}
}

struct upl_val upl_lane(struct upl *l, u32 lane, u32 absolute, u32 negate)
{
	return upl_swizzled(l, lane >> 2, (lane & 3) * 0x55, 0, absolute, negate);
}

void upl_combine(struct upl *l)
{
	const union upp_part *p = &l->insn.part[UPP_COMBINE];
	struct upl_val r[4], a;
	u32 i;

	switch (l->insn.form[UPP_COMBINE]) {
	case UPP_FORM_COMBINE:
		a = upl_lane(l, p->combine.arg0, p->combine.absolute0, p->combine.negate0);
		a = upl_modify(l, p->combine.modifier, function(l, p->combine.op, a));
		for (i = 0; i < 4; i++)
			r[i] = a;
		upl_write(l, p->combine.dest >> 2, 1U << (p->combine.dest & 3), r);
		break;
	case UPP_FORM_SCALE:
		a = upl_lane(l, p->scale.arg0, p->scale.absolute0, p->scale.negate0);
		for (i = 0; i < 4; i++)
			r[i] = upl_round(l, upl_op(l, SIMT_FMUL, 0, a,
						   upl_swizzled(l, p->scale.reg,
								p->scale.swizzle, i, 0, 0)));
		upl_write(l, p->scale.dest, p->scale.mask, r);
		break;
	case UPP_FORM_ATAN:
		upl_atan(l, &p->atan);
		break;
	default:
		upl_atan_end(l, &p->atan_end);
		break;
	}
}
