// SPDX-License-Identifier: GPL-2.0
/*
 * Random Utgard pixel programs: fields are drawn so that most instructions have a meaning,
 * and drawn again if not.
 */
#include "gp_gen.h"
#include "utgard_encode.h"
#include "pp_gen.h"

u32 pgen_ops[UPP_NUM_CLASSES][32];
u32 pgen_forms[UPP_NUM_FORMS];

#define PICK(seed, list)	((list)[gen_below(seed, ARRAY_SIZE(list))])

static u32 pick_reg(u64 *seed)
{
	static const u8 regs[] = { 0, 1, 2, 3, 4, 5, 0, 1, 2, 12, 13, 14, 15, 15 };

	return PICK(seed, regs);
}

static u32 pick_lane(u64 *seed)
{
	return 4 * pick_reg(seed) + gen_below(seed, 4);
}

static u32 pick_dest(u64 *seed)
{
	return gen_below(seed, 12) ? gen_below(seed, UPP_NUM_REGS) : UPP_REG_NOWHERE;
}

static void gen_varying(u64 *seed, u32 flags, u8 *form, union upp_part *p)
{
	static const u8 alignments[] = { 0, 1, 3, 3 };

	if (gen_below(seed, 2)) {
		*form = UPP_FORM_VARYING;
		upp_defaults(UPP_FORM_VARYING, p);
		p->varying.source = gen_below(seed, 4) ? 0 : 2 + gen_below(seed, 2);
		p->varying.perspective = gen_below(seed, 4);
		if (p->varying.source == UPP_FROM_CUBE)
			p->varying.perspective = gen_below(seed, 2) ? 3 : 0;
		p->varying.alignment = PICK(seed, alignments);
		p->varying.index = gen_below(seed, p->varying.alignment == 3 ? 12 : 24);
		if (flags & PGEN_LOADS && !gen_below(seed, 5)) {
			p->varying.offset_vector = gen_below(seed, 6);
			p->varying.offset_scalar = gen_below(seed, 4);
		}
		p->varying.dest = pick_dest(seed);
		p->varying.mask = gen_below(seed, 16);
		return;
	}
	*form = UPP_FORM_VARYING_REG;
	upp_defaults(UPP_FORM_VARYING_REG, p);
	p->varying_reg.source = 1 + gen_below(seed, 2);
	p->varying_reg.perspective = p->varying_reg.source == UPP_FROM_REG ?
				     gen_below(seed, 4) : 1 + gen_below(seed, 2);
	p->varying_reg.reg = gen_below(seed, 6);
	p->varying_reg.negate = gen_below(seed, 2);
	p->varying_reg.absolute = gen_below(seed, 2);
	p->varying_reg.swizzle = gen_below(seed, 256);
	p->varying_reg.dest = pick_dest(seed);
	p->varying_reg.mask = gen_below(seed, 16);
}

static void gen_sampler(u64 *seed, struct upp_sampler *s)
{
	s->type = gen_below(seed, 2) ? UPP_SAMPLER_CUBE : UPP_SAMPLER_2D;
	s->lod = gen_below(seed, 24);
	s->lod_enable = gen_below(seed, 2);
	s->explicit_lod = s->lod_enable && gen_below(seed, 2);
	s->index = gen_below(seed, 8);
	s->offset_enable = !gen_below(seed, 3);
	s->offset = gen_below(seed, 24);
}

static void gen_uniform(u64 *seed, u32 flags, struct upp_uniform *u)
{
	bool temp = flags & PGEN_LOADS && gen_below(seed, 2);

	u->source = temp ? UPP_LOAD_TEMP : UPP_LOAD_UNIFORM;
	u->alignment = gen_below(seed, 3);
	u->index = temp ? (u16)(gen_below(seed, 10) - 5) : gen_below(seed, 8);
	if (!temp && !gen_below(seed, 6))
		u->index = (u16)(gen_below(seed, 160) + (500 << (2 - min(u->alignment, 2U))));
	u->offset_enable = flags & PGEN_LOADS && !gen_below(seed, 3);
	u->offset = gen_below(seed, 24);
	if (u->offset_enable)
		u->index = (u16)(gen_below(seed, 12) - 4);
}

static u32 pick_op(u64 *seed, enum upp_class class, u32 flags)
{
	u32 op;

	do {
		op = gen_below(seed, 32);
	} while (!upp_op(class, op) ||
		 (class == UPP_CLASS_COMBINE && op >= UPP_OP_COMBINE_EXP2) ||
		 (class == UPP_CLASS_ADD && !(flags & PGEN_GROUP) &&
		  (op == UPP_OP_ADD_DFDX || op == UPP_OP_ADD_DFDY)));
	return op;
}

static void gen_vec(u64 *seed, u32 flags, bool mul, struct upp_vec *v)
{
	v->arg0 = pick_reg(seed);
	v->swizzle0 = gen_below(seed, 256);
	v->absolute0 = !gen_below(seed, 4);
	v->negate0 = gen_below(seed, 2);
	v->arg1 = pick_reg(seed);
	v->swizzle1 = gen_below(seed, 256);
	v->absolute1 = !gen_below(seed, 4);
	v->negate1 = gen_below(seed, 2);
	v->dest = pick_dest(seed);
	v->mask = gen_below(seed, 16);
	v->modifier = gen_below(seed, 2) ? 0 : gen_below(seed, 4);
	v->op = pick_op(seed, mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, flags);
	v->mul_in = !mul && !gen_below(seed, 3);
}

static void gen_scalar(u64 *seed, u32 flags, bool mul, struct upp_scalar *s)
{
	s->arg0 = pick_lane(seed);
	s->absolute0 = !gen_below(seed, 4);
	s->negate0 = gen_below(seed, 2);
	s->arg1 = pick_lane(seed);
	s->absolute1 = !gen_below(seed, 4);
	s->negate1 = gen_below(seed, 2);
	s->dest = gen_below(seed, 24);
	s->output = gen_below(seed, 4) > 0;
	s->modifier = gen_below(seed, 2) ? 0 : gen_below(seed, 4);
	s->op = pick_op(seed, mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, flags);
	s->mul_in = !mul && !gen_below(seed, 3);
}

static void gen_atan(u64 *seed, u8 *form, union upp_part *p)
{
	*form = UPP_FORM_ATAN;
	upp_defaults(UPP_FORM_ATAN, p);
	p->atan.op = gen_below(seed, 2) ? UPP_OP_COMBINE_ATAN : UPP_OP_COMBINE_ATAN2;
	p->atan.arg0 = pick_lane(seed);
	p->atan.absolute0 = !gen_below(seed, 4);
	p->atan.negate0 = gen_below(seed, 2);
	if (p->atan.op == UPP_OP_COMBINE_ATAN2) {
		p->atan.arg1_enable = 0;
		p->atan.arg1 = pick_lane(seed);
		p->atan.absolute1 = !gen_below(seed, 4);
		p->atan.negate1 = gen_below(seed, 2);
	}
	p->atan.mask = gen_below(seed, 16);
	p->atan.dest = gen_below(seed, 6);
}

static void gen_combine(u64 *seed, u8 *form, union upp_part *p)
{
	if (!gen_below(seed, 4)) {
		gen_atan(seed, form, p);
		return;
	}
	if (gen_below(seed, 2)) {
		*form = UPP_FORM_COMBINE;
		upp_defaults(UPP_FORM_COMBINE, p);
		p->combine.op = pick_op(seed, UPP_CLASS_COMBINE, 0);
		p->combine.arg0 = pick_lane(seed);
		p->combine.absolute0 = gen_below(seed, 2);
		p->combine.negate0 = gen_below(seed, 2);
		p->combine.modifier = gen_below(seed, 4);
		p->combine.dest = gen_below(seed, 24);
		return;
	}
	*form = UPP_FORM_SCALE;
	upp_defaults(UPP_FORM_SCALE, p);
	p->scale.swizzle = gen_below(seed, 256);
	p->scale.reg = pick_reg(seed);
	p->scale.arg0 = pick_lane(seed);
	p->scale.absolute0 = gen_below(seed, 2);
	p->scale.negate0 = gen_below(seed, 2);
	p->scale.mask = gen_below(seed, 16);
	p->scale.dest = gen_below(seed, 6);
}

static void gen_store(u64 *seed, u8 *form, union upp_part *p)
{
	struct upp_store *s = &p->store;

	if (!gen_below(seed, 4)) {
		*form = UPP_FORM_FB_READ;
		upp_defaults(UPP_FORM_FB_READ, p);
		p->fb_read.source = gen_below(seed, 2) ? UPP_FB_COLOR : UPP_FB_DEPTH;
		p->fb_read.dest = gen_below(seed, 6);
		return;
	}
	s->source = pick_lane(seed);
	s->alignment = gen_below(seed, 3);
	s->index = (u16)(gen_below(seed, 10) - 5);
	s->offset_enable = !gen_below(seed, 3);
	s->offset = gen_below(seed, 24);
}

/* @left: instructions that follow. pgen_program() converts the target to words. */
static void gen_branch(u64 *seed, u32 left, union upp_part *p)
{
	if (!gen_below(seed, 5)) {
		/* discard */
		p->branch = (struct upp_branch){
			.unknown_0 = 3, .greater = 1, .equal = 1, .less = 1, .unknown_1 = 15,
		};
		return;
	}
	p->branch.arg0 = gen_below(seed, 24);
	p->branch.arg1 = gen_below(seed, 24);
	p->branch.greater = gen_below(seed, 2);
	p->branch.equal = gen_below(seed, 2);
	p->branch.less = gen_below(seed, 2);
	p->branch.target = 1 + gen_below(seed, left);
}

static void gen_field(u64 *seed, u32 flags, u32 left, u32 field, struct upp_insn *i)
{
	static const u8 forms[UPP_NUM_FIELDS] = {
		UPP_FORM_VARYING, UPP_FORM_SAMPLER, UPP_FORM_UNIFORM, UPP_FORM_VEC_MUL,
		UPP_FORM_SCALAR_MUL, UPP_FORM_VEC_ADD, UPP_FORM_SCALAR_ADD, UPP_FORM_COMBINE,
		UPP_FORM_STORE, UPP_FORM_BRANCH, UPP_FORM_CONST, UPP_FORM_CONST,
	};
	union upp_part *p = &i->part[field];
	u32 k;

	i->form[field] = forms[field];
	upp_defaults((enum upp_form)forms[field], p);
	if (field == UPP_VARYING)
		gen_varying(seed, flags, &i->form[field], p);
	else if (field == UPP_SAMPLER)
		gen_sampler(seed, &p->sampler);
	else if (field == UPP_UNIFORM)
		gen_uniform(seed, flags, &p->uniform);
	else if (field == UPP_VEC_MUL || field == UPP_VEC_ADD)
		gen_vec(seed, flags, field == UPP_VEC_MUL, &p->vec);
	else if (field == UPP_SCALAR_MUL || field == UPP_SCALAR_ADD)
		gen_scalar(seed, flags, field == UPP_SCALAR_MUL, &p->scalar);
	else if (field == UPP_COMBINE)
		gen_combine(seed, &i->form[field], p);
	else if (field == UPP_TEMP)
		gen_store(seed, &i->form[field], p);
	else if (field == UPP_BRANCH)
		gen_branch(seed, left, p);
	for (k = 0; k < 4 && field >= UPP_CONST0; k++)
		p->v[k] = gen_random(seed) >> 16;
}

static void gen_insn(u64 *seed, u32 flags, u32 left, struct upp_insn *i)
{
	u32 fields = gen_random(seed) & gen_random(seed) & 0xfff, f;

	if (!(flags & PGEN_LOADS))
		fields &= ~(1U << UPP_SAMPLER | 1U << UPP_TEMP);
	if (fields >> UPP_SAMPLER & 1)
		fields |= 1U << UPP_VARYING;
	if (!(flags & PGEN_BRANCHES) || !left)
		fields &= ~(1U << UPP_BRANCH);
	memset(i, 0, sizeof(*i));
	for (f = 0; f < UPP_NUM_FIELDS; f++)
		if (fields >> f & 1)
			gen_field(seed, flags, left, f, i);
	upp_ctrl_decode(0, &i->ctrl);
	i->ctrl.fields = fields;
	i->ctrl.count = upp_size(fields);
	i->ctrl.stop = !left;
}

static void count(const struct upp_insn *i)
{
	const union upp_part *p = i->part;
	u32 f;

	for (f = 0; f < UPP_NUM_FIELDS; f++)
		if (upp_has(i, (enum upp_field)f))
			pgen_forms[i->form[f]]++;
	pgen_ops[UPP_CLASS_MUL][p[UPP_VEC_MUL].vec.op] += upp_has(i, UPP_VEC_MUL);
	pgen_ops[UPP_CLASS_MUL][p[UPP_SCALAR_MUL].scalar.op] += upp_has(i, UPP_SCALAR_MUL);
	pgen_ops[UPP_CLASS_ADD][p[UPP_VEC_ADD].vec.op] += upp_has(i, UPP_VEC_ADD);
	pgen_ops[UPP_CLASS_ADD][p[UPP_SCALAR_ADD].scalar.op] += upp_has(i, UPP_SCALAR_ADD);
	if (upp_has(i, UPP_COMBINE) && i->form[UPP_COMBINE] <= UPP_FORM_ATAN)
		pgen_ops[UPP_CLASS_COMBINE][p[UPP_COMBINE].combine.op]++;
}

u32 pgen_program(u64 *seed, u32 flags, u32 n, u32 *words)
{
	static struct upp_insn insn[PGEN_MAX_INSNS];
	u32 pos[PGEN_MAX_INSNS], at = 0, k;
	struct upp_check check;
	struct vs_report rep;

	for (k = 0; k < n; at += insn[k++].ctrl.count) {
		do {
			memset(&check, 0, sizeof(check));
			gen_insn(seed, flags, n - 1 - k, &insn[k]);
		} while (upp_check_insn(&insn[k], &check, &rep));
		count(&insn[k]);
		pos[k] = at;
	}
	for (k = 0; k < n; k++) {
		struct upp_branch *b = &insn[k].part[UPP_BRANCH].branch;

		if (upp_has(&insn[k], UPP_BRANCH) && !upp_is_discard(b))
			b->target = pos[k + b->target] - pos[k];
		upp_encode(&insn[k], words + pos[k]);
	}
	return at;
}
