// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard pixel programs: check of one instruction, and the resources it uses.
 */
#include "utgard_pp_check.h"

/* Index of a part of a form. */
#define PART(form, name) (offsetof(struct upp_##form, name) / sizeof(u32))

/**
 * struct look - instruction under check
 * @insn: the instruction
 * @check: results and reject reason
 * @rep: features used
 * @field: current field
 */
struct look {
	const struct upp_insn *insn;
	struct upp_check *check;
	struct vs_report *rep;
	enum upp_field field;
};

/* Reject the value of a part of the field. */
static int upp_check_bad(struct look *l, enum upp_reason reason, u32 part, u32 limit)
{
	const struct upp_form_info *f = upp_form((enum upp_form)l->insn->form[l->field]);
	const struct upp_field_info *p = &f->parts[part];

	l->check->field = l->field;
	l->check->part = p->name;
	l->check->reject = (struct vs_reject){
		.reason = reason, .field_lo = p->pos, .field_hi = (u8)(p->pos + p->width - 1),
		.value = l->insn->part[l->field].v[part], .limit = limit,
	};
	return -ENOEXEC;
}

/* Reject: the field requires another field. */
static int missing(struct look *l, u32 part, enum upp_field field)
{
	return upp_has(l->insn, field) ? 0 : upp_check_bad(l, UPP_MISSING_FIELD, part, field);
}

/* ---- registers ---- */

static int check_reg(struct look *l, u32 reg, u32 part)
{
	bool there = false;

	switch (reg) {
	case UPP_REG_CONST0:
		there = upp_has(l->insn, UPP_CONST0);
		break;
	case UPP_REG_CONST1:
		there = upp_has(l->insn, UPP_CONST1);
		break;
	/* Fields see values loaded by earlier ones. */
	case UPP_REG_TEXTURE:
		there = l->field > UPP_SAMPLER && upp_has(l->insn, UPP_SAMPLER);
		break;
	case UPP_REG_UNIFORM:
		there = l->field > UPP_UNIFORM && upp_has(l->insn, UPP_UNIFORM);
		break;
	default:
		if (reg >= UPP_NUM_REGS)
			return upp_check_bad(l, UPP_BAD_REG, part, UPP_NUM_REGS - 1);
		l->rep->temps |= 1U << reg;
		return 0;
	}
	return there ? 0 : upp_check_bad(l, UPP_NOT_LOADED, part, 0);
}

static int check_lane(struct look *l, u32 lane, u32 part)
{
	return check_reg(l, lane >> 2, part);
}

static int check_dest(struct look *l, u32 reg, u32 part)
{
	if (reg == UPP_REG_NOWHERE)
		return 0;
	if (reg >= UPP_NUM_REGS)
		return upp_check_bad(l, UPP_BAD_DEST, part, UPP_NUM_REGS - 1);
	l->rep->temps |= 1U << reg;
	return 0;
}

/* Check the register that is added to an index. */
static int check_offset(struct look *l, u32 enable, u32 lane, u32 part)
{
	if (!enable)
		return 0;
	l->rep->features |= VS_FEAT_RELATIVE;
	return check_lane(l, lane, part);
}

/* ---- loads ---- */

static int check_slot(struct look *l, const struct upp_varying *v)
{
	u32 slot = v->index;

	if (v->alignment == UPP_VARYING_SCALAR)
		slot >>= 2;
	else if (v->alignment == UPP_VARYING_VEC2)
		slot >>= 1;
	else if (v->alignment != UPP_VARYING_VEC4)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(varying, alignment), 0);
	if (v->offset_vector != UPP_NO_OFFSET)
		return check_offset(l, 1, v->offset_vector << 2, PART(varying, offset_vector));
	if (slot >= UPP_NUM_VARYINGS)
		return upp_check_bad(l, UPP_BAD_INDEX, PART(varying, index), UPP_NUM_VARYINGS - 1);
	l->rep->inputs |= 1U << slot;
	return 0;
}

static int check_varying(struct look *l)
{
	const struct upp_varying *v = &l->insn->part[UPP_VARYING].varying;

	if (v->source == UPP_FROM_VARYING && v->perspective == 1)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(varying, perspective), 0);
	if (v->source == UPP_FROM_VARYING ||
	    (v->source == UPP_FROM_CUBE && v->perspective == UPP_CUBE_VARYING)) {
		if (check_slot(l, v))
			return -ENOEXEC;
	}
	return check_dest(l, v->dest, PART(varying, dest));
}

static int check_varying_reg(struct look *l)
{
	const struct upp_varying_reg *v = &l->insn->part[UPP_VARYING].varying_reg;
	bool normalize = v->source == UPP_FROM_CUBE && v->perspective == UPP_CUBE_NORMALIZE;

	if (v->source == UPP_FROM_REG && v->perspective == 1)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(varying_reg, perspective), 0);
	if (v->normalize && !normalize)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(varying_reg, normalize), 0);
	if (check_reg(l, v->reg, PART(varying_reg, reg)))
		return -ENOEXEC;
	return check_dest(l, v->dest, PART(varying_reg, dest));
}

static int check_sampler(struct look *l)
{
	const struct upp_sampler *s = &l->insn->part[UPP_SAMPLER].sampler;

	if (s->type != UPP_SAMPLER_2D && s->type != UPP_SAMPLER_CUBE)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(sampler, type), 0);
	if (s->explicit_lod && !s->lod_enable)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(sampler, explicit_lod), 0);
	if (missing(l, PART(sampler, index), UPP_VARYING))
		return -ENOEXEC;
	if (s->lod_enable && check_lane(l, s->lod, PART(sampler, lod)))
		return -ENOEXEC;
	if (check_offset(l, s->offset_enable, s->offset, PART(sampler, offset)))
		return -ENOEXEC;
	l->check->group = true;
	if (s->offset_enable)
		l->check->indexed_samplers = true;
	else if (s->index < 32)
		l->check->samplers |= 1U << s->index;
	return 0;
}

/* Row of four components, for an index that counts smaller units. */
static s32 upp_check_row_of(u32 index, u32 align)
{
	return upp_index(index) >> (UPP_ALIGN_VEC4 - align);
}

static void use_temp(struct look *l, u32 index, u32 align, u32 offset)
{
	struct upp_check *c = l->check;
	s32 row = upp_check_row_of(index, align);

	if (!offset) {
		c->temp_low = c->temps ? min_t(s32, c->temp_low, row) : row;
		c->temp_high = c->temps ? max_t(s32, c->temp_high, row) : row;
	}
	c->temps = true;
}

static int check_uniform(struct look *l)
{
	const struct upp_uniform *u = &l->insn->part[UPP_UNIFORM].uniform;
	s32 row;

	if (u->source != UPP_LOAD_UNIFORM && u->source != UPP_LOAD_TEMP)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(uniform, source), 0);
	if (u->alignment > UPP_ALIGN_VEC4)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(uniform, alignment), UPP_ALIGN_VEC4);
	if (check_offset(l, u->offset_enable, u->offset, PART(uniform, offset)))
		return -ENOEXEC;
	if (u->source == UPP_LOAD_TEMP) {
		use_temp(l, u->index, u->alignment, u->offset_enable);
		return 0;
	}
	row = upp_check_row_of(u->index, u->alignment);
	if (u->offset_enable)
		return 0;
	if (row < 0)
		return upp_check_bad(l, UPP_BAD_INDEX, PART(uniform, index), 0x7fff);
	l->rep->uniform_rows = max_t(u32, l->rep->uniform_rows, (u32)row + 1);
	return 0;
}

/* ---- arithmetic ---- */

/* Check an adder operation; derivatives require neighbours of the group of fragments. */
static int check_add_op(struct look *l, u32 op, u32 part)
{
	if (op == UPP_OP_ADD_DFDX || op == UPP_OP_ADD_DFDY)
		l->check->group = true;
	return op == UPP_OP_ADD_SEL ? missing(l, part, UPP_SCALAR_MUL) : 0;
}

static int check_vec(struct look *l, bool mul)
{
	const struct upp_vec *v = &l->insn->part[l->field].vec;
	const struct upp_op_info *op = upp_op(mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, v->op);

	if (!op)
		return upp_check_bad(l, UPP_BAD_OP, PART(vec, op), 0);
	if (!mul && check_add_op(l, v->op, PART(vec, op)))
		return -ENOEXEC;
	if (v->mul_in && missing(l, PART(vec, mul_in), UPP_VEC_MUL))
		return -ENOEXEC;
	if (!v->mul_in && check_reg(l, v->arg0, PART(vec, arg0)))
		return -ENOEXEC;
	if (op->nsrc > 1 && check_reg(l, v->arg1, PART(vec, arg1)))
		return -ENOEXEC;
	return v->mask ? check_dest(l, v->dest, PART(vec, dest)) : 0;
}

static int check_scalar(struct look *l, bool mul)
{
	const struct upp_scalar *v = &l->insn->part[l->field].scalar;
	const struct upp_op_info *op = upp_op(mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, v->op);

	if (!op || op->flags & UPP_VEC_ONLY)
		return upp_check_bad(l, UPP_BAD_OP, PART(scalar, op), 0);
	if (!mul && check_add_op(l, v->op, PART(scalar, op)))
		return -ENOEXEC;
	if (v->mul_in && missing(l, PART(scalar, mul_in), UPP_SCALAR_MUL))
		return -ENOEXEC;
	if (!v->mul_in && check_lane(l, v->arg0, PART(scalar, arg0)))
		return -ENOEXEC;
	if (op->nsrc > 1 && check_lane(l, v->arg1, PART(scalar, arg1)))
		return -ENOEXEC;
	return v->output ? check_dest(l, v->dest >> 2, PART(scalar, dest)) : 0;
}

static int check_combine(struct look *l)
{
	const struct upp_combine *c = &l->insn->part[UPP_COMBINE].combine;
	const struct upp_op_info *op = upp_op(UPP_CLASS_COMBINE, c->op);

	if (!op || op->flags & UPP_VEC_ONLY)
		return upp_check_bad(l, UPP_BAD_OP, PART(combine, op), 0);
	if (check_lane(l, c->arg0, PART(combine, arg0)))
		return -ENOEXEC;
	return check_dest(l, c->dest >> 2, PART(combine, dest));
}

static int check_atan(struct look *l)
{
	const struct upp_atan *a = &l->insn->part[UPP_COMBINE].atan;

	if (a->op != UPP_OP_COMBINE_ATAN && a->op != UPP_OP_COMBINE_ATAN2)
		return upp_check_bad(l, UPP_BAD_OP, PART(atan, op), 0);
	if (check_lane(l, a->arg0, PART(atan, arg0)))
		return -ENOEXEC;
	if (a->op == UPP_OP_COMBINE_ATAN2 && check_lane(l, a->arg1, PART(atan, arg1)))
		return -ENOEXEC;
	return check_dest(l, a->dest, PART(atan, dest));
}

static int check_atan_end(struct look *l)
{
	const struct upp_atan_end *a = &l->insn->part[UPP_COMBINE].atan_end;

	if (check_reg(l, a->reg, PART(atan_end, reg)))
		return -ENOEXEC;
	return check_dest(l, a->dest >> 2, PART(atan_end, dest));
}

static int check_scale(struct look *l)
{
	const struct upp_scale *s = &l->insn->part[UPP_COMBINE].scale;

	if (check_reg(l, s->reg, PART(scale, reg)) || check_lane(l, s->arg0, PART(scale, arg0)))
		return -ENOEXEC;
	return check_dest(l, s->dest, PART(scale, dest));
}

/* ---- the rest ---- */

static int check_store(struct look *l)
{
	const struct upp_store *s = &l->insn->part[UPP_TEMP].store;

	if (s->dest != UPP_LOAD_TEMP)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(store, dest), 0);
	if (s->alignment > UPP_ALIGN_VEC4)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(store, alignment), UPP_ALIGN_VEC4);
	if (check_lane(l, s->source, PART(store, source)) ||
	    check_offset(l, s->offset_enable, s->offset, PART(store, offset)))
		return -ENOEXEC;
	use_temp(l, s->index, s->alignment, s->offset_enable);
	return 0;
}

static int check_fb_read(struct look *l)
{
	const struct upp_fb_read *f = &l->insn->part[UPP_TEMP].fb_read;

	if (f->source != UPP_FB_COLOR && f->source != UPP_FB_DEPTH)
		return upp_check_bad(l, UPP_BAD_VALUE, PART(fb_read, source), 0);
	l->check->fb_read = true;
	return check_dest(l, f->dest, PART(fb_read, dest));
}

static int upp_check_branch(struct look *l)
{
	const struct upp_branch *b = &l->insn->part[UPP_BRANCH].branch;

	if (upp_is_discard(b)) {
		l->check->discard = true;
		return 0;
	}
	l->rep->features |= VS_FEAT_FLOW;
	if (b->greater && b->equal && b->less)
		return 0;
	if (check_lane(l, b->arg0, PART(branch, arg0)))
		return -ENOEXEC;
	return check_lane(l, b->arg1, PART(branch, arg1));
}

static int check_form(struct look *l)
{
	switch (l->insn->form[l->field]) {
	case UPP_FORM_VARYING:
		return check_varying(l);
	case UPP_FORM_VARYING_REG:
		return check_varying_reg(l);
	case UPP_FORM_SAMPLER:
		return check_sampler(l);
	case UPP_FORM_UNIFORM:
		return check_uniform(l);
	case UPP_FORM_VEC_MUL:
	case UPP_FORM_VEC_ADD:
		return check_vec(l, l->field == UPP_VEC_MUL);
	case UPP_FORM_SCALAR_MUL:
	case UPP_FORM_SCALAR_ADD:
		return check_scalar(l, l->field == UPP_SCALAR_MUL);
	case UPP_FORM_COMBINE:
		return check_combine(l);
	case UPP_FORM_ATAN:
		return check_atan(l);
	case UPP_FORM_ATAN_END:
		return check_atan_end(l);
	case UPP_FORM_SCALE:
		return check_scale(l);
	case UPP_FORM_STORE:
		return check_store(l);
	case UPP_FORM_FB_READ:
		return check_fb_read(l);
	case UPP_FORM_BRANCH:
		return upp_check_branch(l);
	default:
		return 0;
	}
}

/* Unknown parts must have their only known value. */
static int check_unknown(struct look *l)
{
	const struct upp_form_info *f = upp_form((enum upp_form)l->insn->form[l->field]);
	u32 i;

	if (l->field == UPP_BRANCH && upp_is_discard(&l->insn->part[UPP_BRANCH].branch))
		return 0;
	for (i = 0; i < f->n; i++)
		if (!strncmp(f->parts[i].name, "unknown", 7) &&
		    l->insn->part[l->field].v[i] != f->parts[i].def)
			return upp_check_bad(l, UPP_BAD_RESERVED, i, f->parts[i].def);
	return 0;
}

static int bad_ctrl(struct upp_check *check, enum upp_reason reason, u32 lo, u32 hi, u32 value)
{
	check->field = UPP_NUM_FIELDS;
	check->part = reason == UPP_BAD_RESERVED ? "unknown_0" : NULL;
	check->reject = (struct vs_reject){
		.reason = reason, .field_lo = (u8)lo, .field_hi = (u8)hi, .value = value,
	};
	return -ENOEXEC;
}

int upp_check_insn(const struct upp_insn *insn, struct upp_check *check, struct vs_report *rep)
{
	struct look l = { .insn = insn, .check = check, .rep = rep };
	u32 i;

	if (insn->ctrl.unknown_0)
		return bad_ctrl(check, UPP_BAD_RESERVED, 26, 31, insn->ctrl.unknown_0);
	if (insn->padding)
		return bad_ctrl(check, UPP_BAD_PADDING, 0, 31, insn->padding);
	for (i = 0; i < UPP_NUM_FIELDS; i++) {
		if (!upp_has(insn, (enum upp_field)i))
			continue;
		l.field = (enum upp_field)i;
		if (check_unknown(&l) || check_form(&l))
			return -ENOEXEC;
	}
	return 0;
}
