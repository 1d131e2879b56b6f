// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard vertex processor: semantics of an instruction, and rejection of undefined ones.
 */
#include "utgard_gp.h"

/**
 * struct look - instruction under analysis
 * @insn: its fields
 * @view: its semantics
 * @bad: reason of the first undefined value
 * @field: its field
 */
struct look {
	const struct ugp_insn *insn;
	struct ugp_view *view;
	enum ugp_reason bad;
	enum ugp_field field;
};

static void wrong(struct look *l, enum ugp_reason reason, enum ugp_field field)
{
	if (l->bad)
		return;
	l->bad = reason;
	l->field = field;
}

/* Operand @n of a unit, from a field. */
static void ugp_view_operand(struct look *l, struct ugp_slot *slot, u32 n, enum ugp_field field,
			     bool b)
{
	struct ugp_view *v = l->view;
	struct ugp_src *src = &slot->src[n];

	ugp_src(ugp_get(l->insn, field), b, src);
	switch (src->kind) {
	case UGP_KIND_NONE:
		wrong(l, UGP_MISSING_SRC, field);
		break;
	case UGP_KIND_BAD:
		wrong(l, UGP_BAD_SRC, field);
		break;
	case UGP_KIND_PORT0:
		v->reads0 |= 1U << src->comp;
		break;
	case UGP_KIND_PORT1:
		v->reads1 |= 1U << src->comp;
		break;
	case UGP_KIND_LOAD:
		v->reads |= 1U << src->comp;
		break;
	default:
		break;
	}
}

static bool is_none(const struct look *l, enum ugp_field field)
{
	return ugp_get(l->insn, field) == UGP_SRC_NONE;
}

/* Set a unit's operation from its field. Return: false if undefined. */
static bool operation(struct look *l, struct ugp_slot *slot, enum ugp_class class,
		      enum ugp_field field)
{
	slot->op = ugp_op_find(class, ugp_get(l->insn, field));
	if (slot->op == UGP_OP_BAD) {
		wrong(l, UGP_BAD_OP, field);
		return false;
	}
	slot->nsrc = ugp_op((enum ugp_opcode)slot->op)->nsrc;
	return true;
}

static void look_acc(struct look *l, enum ugp_unit unit, enum ugp_field a, enum ugp_field neg)
{
	struct ugp_slot *slot = &l->view->slot[unit];
	u32 i;

	if (is_none(l, a) || !operation(l, slot, UGP_ACC, UGP_F_acc_op))
		return;
	for (i = 0; i < slot->nsrc; i++) {
		ugp_view_operand(l, slot, i, (enum ugp_field)(a + i), i);
		slot->src[i].neg = ugp_get(l->insn, (enum ugp_field)(neg + i));
	}
}

/* Wide operations: those of both multipliers. */
static void look_wide(struct look *l, struct ugp_slot *slot)
{
	if (slot->op == UGP_OP_SELECT) {
		ugp_view_operand(l, slot, 0, UGP_F_mul0_b, true);
		ugp_view_operand(l, slot, 1, UGP_F_mul1_a, false);
		ugp_view_operand(l, slot, 2, UGP_F_mul0_a, false);
	} else {
		ugp_view_operand(l, slot, 0, UGP_F_mul0_a, false);
		ugp_view_operand(l, slot, 1, UGP_F_mul0_b, true);
		ugp_view_operand(l, slot, 2, UGP_F_mul1_a, false);
		ugp_view_operand(l, slot, 3, UGP_F_mul1_b, true);
	}
	slot->neg = l->insn->mul0_neg;
	/* Negation of these is undocumented. */
	if (l->insn->mul0_neg)
		wrong(l, UGP_BAD_OP, UGP_F_mul0_neg);
	if (l->insn->mul1_neg)
		wrong(l, UGP_BAD_OP, UGP_F_mul1_neg);
}

static void look_mul(struct look *l)
{
	struct ugp_slot *m0 = &l->view->slot[UGP_MUL0], *m1 = &l->view->slot[UGP_MUL1];
	const struct ugp_insn *insn = l->insn;
	enum ugp_opcode op = ugp_op_find(UGP_MUL, insn->mul_op);
	bool idle0 = is_none(l, UGP_F_mul0_a) && is_none(l, UGP_F_mul0_b);
	bool idle1 = is_none(l, UGP_F_mul1_a) && is_none(l, UGP_F_mul1_b);

	if (idle0 && idle1)
		return;
	if (!operation(l, m0, UGP_MUL, UGP_F_mul_op))
		return;
	if (ugp_op(op)->flags & UGP_WIDE) {
		look_wide(l, m0);
		return;
	}
	if (idle0) {
		m0->op = UGP_OP_IDLE;
		m0->nsrc = 0;
	} else {
		ugp_view_operand(l, m0, 0, UGP_F_mul0_a, false);
		ugp_view_operand(l, m0, 1, UGP_F_mul0_b, true);
		m0->neg = insn->mul0_neg;
	}
	if (idle1)
		return;
	/* The second multiplier multiplies, even with complex2. */
	m1->op = UGP_OP_MUL;
	m1->nsrc = 2;
	ugp_view_operand(l, m1, 0, UGP_F_mul1_a, false);
	ugp_view_operand(l, m1, 1, UGP_F_mul1_b, true);
	m1->neg = insn->mul1_neg;
}

static void look_pass(struct look *l)
{
	struct ugp_slot *slot = &l->view->slot[UGP_PASS_UNIT];

	if (is_none(l, UGP_F_pass_a) || !operation(l, slot, UGP_PASS, UGP_F_pass_op))
		return;
	ugp_view_operand(l, slot, 0, UGP_F_pass_a, false);
	if (slot->op == UGP_OP_CLAMP)
		l->view->reads |= 3;
}

static void look_complex(struct look *l)
{
	struct ugp_slot *slot = &l->view->slot[UGP_COMPLEX_UNIT];

	if (!operation(l, slot, UGP_COMPLEX, UGP_F_complex_op) || !slot->nsrc)
		return;
	ugp_view_operand(l, slot, 0, UGP_F_complex_a, false);
}

static void look_load(struct look *l)
{
	const struct ugp_insn *insn = l->insn;
	struct ugp_view *v = l->view;

	v->load_row = insn->load_addr;
	v->port0 = (u8)insn->port0_addr;
	v->port0_attribute = insn->port0_attribute;
	v->port1 = (u8)insn->port1_addr;
	if (insn->load_offset >= UGP_OFFSET_ADDR1 && insn->load_offset <= UGP_OFFSET_ADDR3)
		v->load_addr = (u8)insn->load_offset;
	else if (insn->load_offset != UGP_OFFSET_NONE && v->reads)
		wrong(l, UGP_BAD_OFFSET, UGP_F_load_offset);
	if (v->reads && !v->load_addr && insn->load_addr >= UGP_MAX_ROWS)
		wrong(l, UGP_BAD_ROW, UGP_F_load_addr);
}

/* One component of a store. */
static void ugp_look_store(struct look *l, struct ugp_store_group *g, u32 n, enum ugp_field field)
{
	u32 code = ugp_get(l->insn, field);
	enum ugp_unit unit = ugp_store_unit(code);
	const struct ugp_slot *slot = &l->view->slot[unit];

	g->unit[n] = unit;
	if (code == UGP_STORE_NONE)
		return;
	if (unit == UGP_NUM_UNITS)
		wrong(l, UGP_BAD_STORE, field);
	/* The result of complex1 is available one instruction later than others. */
	else if (slot->op == UGP_OP_IDLE || slot->op == UGP_OP_COMPLEX1)
		wrong(l, UGP_BAD_STORE, field);
	else if (slot->op == UGP_OP_ADDR01)
		wrong(l, UGP_BAD_STORE, field);
}

static void look_group(struct look *l, u32 n)
{
	static const struct {
		enum ugp_field src, addr, varying, temporary;
	} groups[2] = {
		{ UGP_F_store_x, UGP_F_store0_addr, UGP_F_store0_varying,
		  UGP_F_store0_temporary },
		{ UGP_F_store_z, UGP_F_store1_addr, UGP_F_store1_varying,
		  UGP_F_store1_temporary },
	};
	struct ugp_store_group *g = &l->view->store[n];
	bool varying = ugp_get(l->insn, groups[n].varying);
	bool temporary = ugp_get(l->insn, groups[n].temporary);

	ugp_look_store(l, g, 0, groups[n].src);
	ugp_look_store(l, g, 1, (enum ugp_field)(groups[n].src + 1));
	g->addr = (u8)ugp_get(l->insn, groups[n].addr);
	if (varying && temporary)
		wrong(l, UGP_BAD_DEST, groups[n].temporary);
	if (g->unit[0] == UGP_NUM_UNITS && g->unit[1] == UGP_NUM_UNITS)
		g->dest = UGP_DEST_NONE;
	else if (temporary)
		g->dest = UGP_DEST_TEMP;
	else
		g->dest = varying ? UGP_DEST_VARYING : UGP_DEST_REG;
}

/* Check the four bits for branches and for stores to temporaries. */
static void look_mode(struct look *l)
{
	const struct ugp_insn *insn = l->insn;
	bool temp = insn->store0_temporary || insn->store1_temporary;
	u32 mode = UGP_MODE_NORMAL;

	l->view->branch = insn->branch;
	l->view->target = (u16)ugp_target(insn);
	if (insn->branch && temp)
		wrong(l, UGP_BAD_MODE, UGP_F_branch);
	if (insn->branch)
		mode = UGP_MODE_BRANCH;
	else if (temp)
		mode = UGP_MODE_TEMP_STORE;
	if (insn->unknown_1 != mode)
		wrong(l, UGP_BAD_MODE, UGP_F_unknown_1);
	if (insn->branch && l->view->slot[UGP_PASS_UNIT].op == UGP_OP_IDLE)
		wrong(l, UGP_BAD_CONDITION, UGP_F_branch);
}

enum ugp_reason ugp_view(const struct ugp_insn *insn, struct ugp_view *view,
			 enum ugp_field *field)
{
	struct look l = { .insn = insn, .view = view };
	u32 i;

	memset(view, 0, sizeof(*view));
	for (i = 0; i < UGP_NUM_UNITS; i++)
		view->slot[i].op = UGP_OP_IDLE;
	look_acc(&l, UGP_ACC0, UGP_F_acc0_a, UGP_F_acc0_a_neg);
	look_acc(&l, UGP_ACC1, UGP_F_acc1_a, UGP_F_acc1_a_neg);
	look_mul(&l);
	look_pass(&l);
	look_complex(&l);
	look_load(&l);
	look_group(&l, 0);
	look_group(&l, 1);
	look_mode(&l);
	if (field)
		*field = l.field;
	return l.bad;
}
