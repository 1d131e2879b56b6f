// SPDX-License-Identifier: MIT
/*
 * Utgard pixel programs as text, in the notation of Mesa's listings.
 *
 * The writer records the parts that the text implies; parts with other values follow by
 * name.
 */
#include "utgard_disasm.h"

/**
 * struct writer - instruction being written
 * @t: output buffer
 * @insn: the instruction
 * @said: the current field as implied by the text
 * @pos: its position
 * @target_count: words of the instruction at the branch's target
 * @items: items written
 */
struct writer {
	struct vs_text *t;
	const struct upp_insn *insn;
	union upp_part said;
	u32 pos;
	u32 target_count;
	u32 items;
};

static void begin(struct writer *w)
{
	if (w->items++)
		vs_put(w->t, ", ");
}

/* ---- operands ---- */

const char *upp_special_reg(u32 reg)
{
	static const char * const names[] = { "^const0", "^const1", "^texture", "^uniform" };

	return names[reg - UPP_REG_CONST0];
}

static void put_reg(struct vs_text *t, u32 reg)
{
	if (reg >= UPP_REG_CONST0)
		vs_put(t, "%s", upp_special_reg(reg));
	else
		vs_put(t, "$%u", reg);
}

static void put_lane(struct vs_text *t, u32 lane)
{
	put_reg(t, lane >> 2);
	vs_put(t, ".%c", "xyzw"[lane & 3]);
}

static void put_vector(struct vs_text *t, const char *special, u32 reg, u32 swizzle, u32 absolute,
		       u32 negate)
{
	vs_put(t, " %s%s", negate ? "-" : "", absolute ? "abs(" : "");
	if (special)
		vs_put(t, "%s", special);
	else
		put_reg(t, reg);
	ut_put_swizzle(t, swizzle);
	vs_put(t, absolute ? ")" : "");
}

static void put_scalar(struct vs_text *t, const char *special, u32 lane, u32 absolute, u32 negate)
{
	vs_put(t, " %s%s", negate ? "-" : "", absolute ? "abs(" : "");
	if (special)
		vs_put(t, "%s", special);
	else
		put_lane(t, lane);
	vs_put(t, absolute ? ")" : "");
}

static void put_masked(struct vs_text *t, u32 reg, u32 mask)
{
	vs_put(t, " $%u", reg);
	ut_put_mask(t, mask);
}

static void put_modifier(struct vs_text *t, u32 modifier)
{
	static const char * const names[] = { "", ".sat", ".pos", ".int" };

	vs_put(t, "%s", names[modifier & 3]);
}

/* Indices into arrays of scalars, pairs and vectors. */
static void put_index(struct vs_text *t, s32 index, u32 align)
{
	if (align == UPP_ALIGN_SCALAR)
		vs_put(t, " %d.%c", index >> 2, "xyzw"[index & 3]);
	else if (align == UPP_ALIGN_VEC2)
		vs_put(t, " %d.%s", index >> 1, index & 1 ? "zw" : "xy");
	else
		vs_put(t, " %d", index);
}

/* ---- loads ---- */

static void put_varying_source(struct vs_text *t, const struct upp_varying *v)
{
	if (v->alignment == UPP_VARYING_SCALAR)
		vs_put(t, "%u.%c", v->index >> 2, "xyzw"[v->index & 3]);
	else if (v->alignment == UPP_VARYING_VEC2)
		vs_put(t, "%u.%s", v->index >> 1, v->index & 1 ? "zw" : "xy");
	else
		vs_put(t, "%u", v->index);
	if (v->offset_vector == UPP_NO_OFFSET)
		return;
	vs_put(t, "+");
	put_lane(t, v->offset_vector << 2 | v->offset_scalar);
}

static void put_load(struct vs_text *t, u32 divide, u32 dest, u32 mask)
{
	vs_put(t, "load%s.v ", divide == UPP_DIVIDE_Z ? ".perspective.z" :
			       divide == UPP_DIVIDE_W ? ".perspective.w" : "");
	if (dest == UPP_REG_NOWHERE)
		vs_put(t, "^discard");
	else
		vs_put(t, "$%u", dest);
	ut_put_mask(t, mask);
	vs_put(t, " ");
}

/* Rasteriser outputs are as wide as the write mask. */
static u32 fixed_alignment(u32 mask)
{
	if (!(mask & 0xe))
		return UPP_VARYING_SCALAR;
	return mask & 0xc ? UPP_VARYING_VEC4 : UPP_VARYING_VEC2;
}

static void put_varying(struct writer *w)
{
	const struct upp_varying *v = &w->insn->part[UPP_VARYING].varying;
	struct upp_varying *said = &w->said.varying;
	bool cube = v->source == UPP_FROM_CUBE;

	said->source = v->source;
	said->dest = v->dest;
	said->mask = v->mask;
	if (v->source == UPP_FROM_VARYING && v->perspective >= UPP_DIVIDE_Z)
		said->perspective = v->perspective;
	put_load(w->t, said->perspective, v->dest, v->mask);
	if (v->source == UPP_FROM_POINT || (cube && v->perspective == UPP_CUBE_FRAG_COORD)) {
		vs_put(w->t, "%s", cube ? "gl_FragCoord" : v->perspective ? "gl_FrontFacing" :
									   "gl_PointCoord");
		said->perspective = cube ? UPP_CUBE_FRAG_COORD : !!v->perspective;
		said->alignment = fixed_alignment(said->mask);
		return;
	}
	vs_put(w->t, cube ? "cube(" : "");
	put_varying_source(w->t, v);
	vs_put(w->t, cube ? ")" : "");
	said->alignment = v->alignment > UPP_VARYING_VEC2 ? UPP_VARYING_VEC4 : v->alignment;
	said->index = v->index;
	if (v->offset_vector == UPP_NO_OFFSET)
		return;
	said->offset_vector = v->offset_vector;
	said->offset_scalar = v->offset_scalar;
}

static void put_varying_reg(struct writer *w)
{
	const struct upp_varying_reg *v = &w->insn->part[UPP_VARYING].varying_reg;
	struct upp_varying_reg *said = &w->said.varying_reg;
	bool cube = v->source == UPP_FROM_CUBE, normalize = false;

	*said = *v;
	said->unknown_0 = 0;
	said->unknown_1 = 0;
	said->unknown_2 = 0;
	if (cube)
		normalize = v->perspective == UPP_CUBE_NORMALIZE;
	else if (v->perspective < UPP_DIVIDE_Z)
		said->perspective = UPP_DIVIDE_NONE;
	said->normalize = normalize ? 2 : 0;
	put_load(w->t, cube ? UPP_DIVIDE_NONE : v->perspective, v->dest, v->mask);
	vs_put(w->t, normalize ? "normalize(" : cube ? "cube(" : "");
	vs_put(w->t, "%s%s", v->negate ? "-" : "", v->absolute ? "abs(" : "");
	put_reg(w->t, v->reg);
	ut_put_swizzle(w->t, v->swizzle);
	vs_put(w->t, "%s%s", v->absolute ? ")" : "", cube ? ")" : "");
}

static void put_sampler(struct writer *w)
{
	const struct upp_sampler *s = &w->insn->part[UPP_SAMPLER].sampler;
	struct upp_sampler *said = &w->said.sampler;

	vs_put(w->t, "texld");
	if (s->lod_enable)
		vs_put(w->t, s->explicit_lod ? ".l" : ".b");
	if (s->type == UPP_SAMPLER_CUBE)
		vs_put(w->t, ".cube");
	else if (s->type)
		vs_put(w->t, "_t%u", s->type);
	vs_put(w->t, " %u", s->index);
	said->type = s->type;
	said->index = s->index;
	if (s->offset_enable) {
		vs_put(w->t, "+");
		put_lane(w->t, s->offset);
		said->offset_enable = 1;
		said->offset = s->offset;
	}
	if (s->lod_enable) {
		put_scalar(w->t, NULL, s->lod, 0, 0);
		said->lod_enable = 1;
		said->explicit_lod = s->explicit_lod;
		said->lod = s->lod;
	}
}

static void put_offset(struct vs_text *t, u32 enable, u32 lane)
{
	if (!enable)
		return;
	vs_put(t, "+");
	put_lane(t, lane);
}

static void put_uniform(struct writer *w)
{
	const struct upp_uniform *u = &w->insn->part[UPP_UNIFORM].uniform;
	struct upp_uniform *said = &w->said.uniform;

	said->source = u->source == UPP_LOAD_TEMP ? UPP_LOAD_TEMP : UPP_LOAD_UNIFORM;
	said->alignment = min_t(u32, u->alignment, UPP_ALIGN_VEC4);
	said->index = u->index;
	said->offset_enable = u->offset_enable;
	said->offset = u->offset_enable ? u->offset : 0;
	vs_put(w->t, "load.%c", said->source == UPP_LOAD_TEMP ? 't' : 'u');
	put_index(w->t, upp_index(u->index), u->alignment);
	put_offset(w->t, u->offset_enable, u->offset);
}

/* ---- arithmetic ---- */

static void put_name(struct vs_text *t, const struct upp_op_info *op, u32 code, u32 modifier,
		     const char *unit)
{
	if (op)
		vs_put(t, "%s", op->name);
	else
		vs_put(t, "op%u", code);
	put_modifier(t, modifier);
	vs_put(t, ".%s", unit);
}

/* Powers of two of a multiplication. */
static void put_shift(struct vs_text *t, bool mul, u32 op)
{
	s32 shift = upp_mul_shift(op);

	if (mul && op && op < 8)
		vs_put(t, shift > 0 ? "<<%d" : ">>%d", shift > 0 ? shift : -shift);
}

static void put_vec(struct writer *w, enum upp_field field)
{
	const struct upp_vec *v = &w->insn->part[field].vec;
	struct upp_vec *said = &w->said.vec;
	bool mul = field == UPP_VEC_MUL;
	const struct upp_op_info *op = upp_op(mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, v->op);

	*said = *v;
	put_name(w->t, op, v->op, v->modifier, mul ? "v0" : "v1");
	if (v->mask)
		put_masked(w->t, v->dest, v->mask);
	else
		said->dest = 0;
	if (v->mul_in)
		said->arg0 = 0;
	put_vector(w->t, v->mul_in ? "^v0" : NULL, v->arg0, v->swizzle0, v->absolute0, v->negate0);
	put_shift(w->t, mul, v->op);
	if (!op || op->nsrc > 1) {
		put_vector(w->t, NULL, v->arg1, v->swizzle1, v->absolute1, v->negate1);
		return;
	}
	said->arg1 = 0;
	said->swizzle1 = 0;
	said->absolute1 = 0;
	said->negate1 = 0;
}

static void put_scalar_unit(struct writer *w, enum upp_field field)
{
	const struct upp_scalar *v = &w->insn->part[field].scalar;
	struct upp_scalar *said = &w->said.scalar;
	bool mul = field == UPP_SCALAR_MUL;
	const struct upp_op_info *op = upp_op(mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, v->op);

	if (op && op->flags & UPP_VEC_ONLY)
		op = NULL;
	*said = *v;
	put_name(w->t, op, v->op, v->modifier, mul ? "s0" : "s1");
	if (v->output)
		vs_put(w->t, " $%u.%c", v->dest >> 2, "xyzw"[v->dest & 3]);
	else
		said->dest = 0;
	if (v->mul_in)
		said->arg0 = 0;
	put_scalar(w->t, v->mul_in ? "^s0" : NULL, v->arg0, v->absolute0, v->negate0);
	put_shift(w->t, mul, v->op);
	if (!op || op->nsrc > 1) {
		put_scalar(w->t, NULL, v->arg1, v->absolute1, v->negate1);
		return;
	}
	said->arg1 = 0;
	said->absolute1 = 0;
	said->negate1 = 0;
}

static void put_combine(struct writer *w)
{
	const struct upp_combine *c = &w->insn->part[UPP_COMBINE].combine;
	struct upp_combine *said = &w->said.combine;

	*said = *c;
	put_name(w->t, upp_op(UPP_CLASS_COMBINE, c->op), c->op, c->modifier, "s2");
	vs_put(w->t, " $%u.%c", c->dest >> 2, "xyzw"[c->dest & 3]);
	put_scalar(w->t, NULL, c->arg0, c->absolute0, c->negate0);
	said->arg1 = 0;
	said->absolute1 = 0;
	said->negate1 = 0;
}

static void put_atan(struct writer *w)
{
	const struct upp_atan *a = &w->insn->part[UPP_COMBINE].atan;
	struct upp_atan *said = &w->said.atan;

	*said = *a;
	put_name(w->t, upp_op(UPP_CLASS_COMBINE, a->op), a->op, 0, "s2");
	put_masked(w->t, a->dest, a->mask);
	put_scalar(w->t, NULL, a->arg0, a->absolute0, a->negate0);
	if (a->op == UPP_OP_COMBINE_ATAN2) {
		put_scalar(w->t, NULL, a->arg1, a->absolute1, a->negate1);
		return;
	}
	said->arg1 = 0;
	said->absolute1 = 0;
	said->negate1 = 0;
}

static void put_atan_end(struct writer *w)
{
	const struct upp_atan_end *a = &w->insn->part[UPP_COMBINE].atan_end;
	struct upp_atan_end *said = &w->said.atan_end;

	*said = *a;
	said->unknown_0 = 0;
	vs_put(w->t, "atan_pt2");
	put_modifier(w->t, a->modifier);
	vs_put(w->t, ".s2 $%u.%c", a->dest >> 2, "xyzw"[a->dest & 3]);
	put_vector(w->t, NULL, a->reg, a->swizzle, 0, 0);
}

static void put_scale(struct writer *w)
{
	const struct upp_scale *s = &w->insn->part[UPP_COMBINE].scale;

	w->said.scale = *s;
	vs_put(w->t, "mul.s2");
	put_masked(w->t, s->dest, s->mask);
	put_scalar(w->t, NULL, s->arg0, s->absolute0, s->negate0);
	put_vector(w->t, NULL, s->reg, s->swizzle, 0, 0);
}

/* Has the combiner an operation in a form that it does not have? Then all bits are written. */
static bool odd_combine(const struct writer *w)
{
	const struct upp_op_info *op;
	const struct upp_combine *c = &w->insn->part[UPP_COMBINE].combine;

	if (w->insn->form[UPP_COMBINE] > UPP_FORM_ATAN)
		return false;
	/* The operation is the same part of both forms. */
	op = upp_op(UPP_CLASS_COMBINE, c->op);
	return !!(op && op->flags & UPP_VEC_ONLY) !=
	       (w->insn->form[UPP_COMBINE] == UPP_FORM_ATAN);
}

static void put_odd_combine(struct writer *w)
{
	const struct upp_form_info *f = upp_form((enum upp_form)w->insn->form[UPP_COMBINE]);
	u32 bits = 0, i;

	for (i = 0; i < f->n; i++)
		bits |= w->insn->part[UPP_COMBINE].v[i] << f->parts[i].pos;
	vs_put(w->t, ".combine 0x%08x", bits);
	w->said = w->insn->part[UPP_COMBINE];
}

/* ---- remaining fields ---- */

static void put_store(struct writer *w)
{
	const struct upp_store *s = &w->insn->part[UPP_TEMP].store;
	struct upp_store *said = &w->said.store;

	said->alignment = min_t(u32, s->alignment, UPP_ALIGN_VEC4);
	said->index = s->index;
	said->offset_enable = s->offset_enable;
	said->offset = s->offset_enable ? s->offset : 0;
	said->source = s->source;
	vs_put(w->t, "store.t");
	put_index(w->t, upp_index(s->index), s->alignment);
	put_offset(w->t, s->offset_enable, s->offset);
	if (s->alignment < UPP_ALIGN_VEC4) {
		put_scalar(w->t, NULL, s->source, 0, 0);
		return;
	}
	said->source &= ~3U;
	put_vector(w->t, NULL, s->source >> 2, 0xe4, 0, 0);
}

static void put_fb_read(struct writer *w)
{
	const struct upp_fb_read *f = &w->insn->part[UPP_TEMP].fb_read;
	struct upp_fb_read *said = &w->said.fb_read;

	vs_put(w->t, "fb_%s $%u", f->source & 1 ? "color" : "depth", f->dest);
	said->source = f->source & 1 ? UPP_FB_COLOR : UPP_FB_DEPTH;
	said->dest = f->dest;
}

const char *upp_condition(u32 condition)
{
	static const char * const names[] = {
		".nv", ".lt", ".eq", ".le", ".gt", ".ne", ".ge", "",
	};

	return names[condition & 7];
}

static void put_branch(struct writer *w)
{
	const struct upp_branch *b = &w->insn->part[UPP_BRANCH].branch;
	struct upp_branch *said = &w->said.branch;
	u32 condition = b->less | b->equal << 1 | b->greater << 2;

	if (upp_is_discard(b)) {
		*said = *b;
		vs_put(w->t, "discard");
		return;
	}
	vs_put(w->t, "branch%s", upp_condition(condition));
	said->less = b->less;
	said->equal = b->equal;
	said->greater = b->greater;
	said->target = b->target;
	said->next_count = w->target_count;
	if (condition != 7) {
		put_scalar(w->t, NULL, b->arg0, 0, 0);
		put_scalar(w->t, NULL, b->arg1, 0, 0);
		said->arg0 = b->arg0;
		said->arg1 = b->arg1;
	}
	vs_put(w->t, " %d", (s32)w->pos + upp_target(b));
}

static void put_const(struct writer *w, enum upp_field field)
{
	u32 i;

	vs_put(w->t, "const%u", field - UPP_CONST0);
	for (i = 0; i < 4; i++) {
		vs_put(w->t, " ");
		ut_put_half(w->t, w->insn->part[field].v[i]);
	}
	w->said = w->insn->part[field];
}

static void put_form(struct writer *w, enum upp_field field)
{
	switch (w->insn->form[field]) {
	case UPP_FORM_VARYING:
		put_varying(w);
		break;
	case UPP_FORM_VARYING_REG:
		put_varying_reg(w);
		break;
	case UPP_FORM_SAMPLER:
		put_sampler(w);
		break;
	case UPP_FORM_UNIFORM:
		put_uniform(w);
		break;
	case UPP_FORM_VEC_MUL:
	case UPP_FORM_VEC_ADD:
		put_vec(w, field);
		break;
	case UPP_FORM_SCALAR_MUL:
	case UPP_FORM_SCALAR_ADD:
		put_scalar_unit(w, field);
		break;
	case UPP_FORM_COMBINE:
		put_combine(w);
		break;
	case UPP_FORM_ATAN:
		put_atan(w);
		break;
	case UPP_FORM_ATAN_END:
		put_atan_end(w);
		break;
	case UPP_FORM_SCALE:
		put_scale(w);
		break;
	case UPP_FORM_STORE:
		put_store(w);
		break;
	case UPP_FORM_FB_READ:
		put_fb_read(w);
		break;
	case UPP_FORM_BRANCH:
		put_branch(w);
		break;
	default:
		put_const(w, field);
		break;
	}
}

/* Parts that differ from the implied ones. */
static void put_rest(struct writer *w, const char *name, const struct upp_form_info *f,
		     const u32 *is, const u32 *said)
{
	u32 i;

	for (i = 0; i < f->n; i++) {
		if (is[i] == said[i])
			continue;
		begin(w);
		vs_put(w->t, ".%s.%s %u", name, f->parts[i].name, is[i]);
	}
}

static void put_field(struct writer *w, enum upp_field field)
{
	enum upp_form form = (enum upp_form)w->insn->form[field];

	begin(w);
	upp_defaults(form, &w->said);
	if (field == UPP_COMBINE && odd_combine(w))
		put_odd_combine(w);
	else
		put_form(w, field);
	put_rest(w, upp_field_name(field), upp_form(form), w->insn->part[field].v,
		 w->said.v);
}

void upp_ctrl_follow(struct upp_ctrl *ctrl, u32 fields, u32 next_count)
{
	ctrl->count = upp_size(fields);
	ctrl->fields = fields;
	ctrl->next_count = next_count;
	ctrl->prefetch = !!next_count;
}

void upp_put_insn(struct vs_text *t, const struct upp_insn *insn, u32 pos, u32 next_count,
		  u32 target_count)
{
	struct writer w = {
		.t = t, .insn = insn, .pos = pos, .target_count = target_count,
	};
	struct upp_ctrl said = { };
	u32 i;

	for (i = 0; i < UPP_NUM_FIELDS; i++)
		if (upp_has(insn, (enum upp_field)i))
			put_field(&w, (enum upp_field)i);
	if (!insn->ctrl.fields) {
		begin(&w);
		vs_put(t, "nop");
	}
	if (insn->ctrl.sync) {
		begin(&w);
		vs_put(t, "sync");
	}
	if (insn->ctrl.stop) {
		begin(&w);
		vs_put(t, "stop");
	}
	said.sync = insn->ctrl.sync;
	said.stop = insn->ctrl.stop;
	upp_ctrl_follow(&said, insn->ctrl.fields, next_count);
	put_rest(&w, "ctrl", upp_form(UPP_FORM_CTRL), (const u32 *)&insn->ctrl,
		 (const u32 *)&said);
	if (insn->padding) {
		begin(&w);
		vs_put(t, ".padding 0x%x", insn->padding);
	}
}

/* Words of the instruction at a position, 0 if none starts there. */
static u32 count_at(const u8 *counts, u32 nwords, s64 pos)
{
	return pos >= 0 && pos < nwords ? counts[pos] : 0;
}

/* @insn: room for an instruction. */
static void put_place(struct vs_text *t, const u32 *words, u32 nwords, const u8 *counts, u32 pos,
		      struct upp_insn *insn)
{
	u32 next, target = 0;

	vs_put(t, "@%6u: ", pos);
	if (!counts[pos]) {
		vs_put(t, ".word 0x%08x\n", words[pos]);
		return;
	}
	upp_decode(words + pos, nwords - pos, insn);
	next = count_at(counts, nwords, (s64)pos + counts[pos]);
	if (upp_has(insn, UPP_BRANCH))
		target = count_at(counts, nwords,
				  (s64)pos + upp_target(&insn->part[UPP_BRANCH].branch));
	upp_put_insn(t, insn, pos, next, target);
	vs_put(t, "\n");
}

int upp_listing(const u32 *words, u32 nwords, char *buf, size_t size)
{
	struct vs_text t = { buf, size, 0 };
	struct upp_insn insn;
	u8 *counts;
	u32 pos;

	if (nwords > UPP_MAX_WORDS)
		return -E2BIG;
	if (buf && size)
		buf[0] = '\0';
	counts = vs_zalloc(nwords + 1);
	if (!counts)
		return -ENOMEM;
	for (pos = 0; pos < nwords; pos += max_t(u32, counts[pos], 1))
		if (!upp_decode(words + pos, nwords - pos, &insn))
			counts[pos] = (u8)insn.ctrl.count;
	for (pos = 0; pos < nwords; pos += max_t(u32, counts[pos], 1))
		put_place(&t, words, nwords, counts, pos, &insn);
	vs_free(counts);
	return (int)t.len;
}

int upp_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	u32 n = src->nwords[VS_SECTION_CODE];
	struct vs_text t = { .buf = buf, .size = size };
	struct upp_insn *insn;
	int ret = -ENOEXEC;

	if (offset >= n)
		return -EINVAL;
	insn = vs_zalloc(sizeof(*insn));
	if (!insn)
		return -ENOMEM;
	if (!upp_decode(src->words[VS_SECTION_CODE] + offset, n - offset, insn)) {
		upp_put_insn(&t, insn, offset, insn->ctrl.next_count, 0);
		ret = ut_one_line(&t);
	} else {
		vs_put(&t, "?");
	}
	vs_free(insn);
	return ret;
}
