// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Checks that the parts of a decoded Midgard bundle are defined.
 *
 * Encodings that no known compiler emits and no notes describe count as undefined.
 */
#include "midgard.h"

static enum mg_reason mg_check_bad(struct mg_where *where, enum mg_reason reason, u32 lo, u32 width,
				   u32 value, u32 limit)
{
	if (where)
		*where = (struct mg_where){ (u16)lo, (u16)(lo + width - 1), value, limit };
	return reason;
}

/**
 * struct alu_view - operation under check
 * @b: its bundle
 * @a: the operation
 * @def: table entry
 * @reg_word: bit position of the register word
 * @body: bit position of the body
 * @where: location of an error
 */
struct alu_view {
	const struct mg_bundle *b;
	const struct mg_alu *a;
	const struct mg_alu_def *def;
	u32 reg_word;
	u32 body;
	struct mg_where *where;
};

/* Does an operation of the first stage write the register? */
static bool stage1_writes(const struct mg_bundle *b, u32 reg)
{
	u32 i;

	for (i = 0; i < b->nalu; i++)
		if (MG_STAGE1 >> b->alu[i].unit & 1 && b->alu[i].dest == reg)
			return true;
	return false;
}

static bool source_used(const struct mg_alu_def *def, u32 i)
{
	return i ? !(def->flags & MG_UNARY) : !(def->flags & MG_MOVE);
}

static enum mg_reason check_source_reg(const struct alu_view *v, u32 i)
{
	u32 reg = v->a->src[i].reg, at = v->reg_word + 5 * i;

	if (reg == MG_REG_CONST && !v->b->has_consts)
		return mg_check_bad(v->where, MG_NO_CONSTS, at, 5, reg, 0);
	if (reg == MG_REG_LDST + 1 || reg == 30)
		return mg_check_bad(v->where, MG_BAD_SRC_REG, at, 5, reg, 31);
	/* Forwarded values exist within the bundle only. */
	if ((reg == MG_REG_TMP || reg == MG_REG_TMP + 1) && source_used(v->def, i) &&
	    (MG_STAGE1 >> v->a->unit & 1 || !stage1_writes(v->b, reg)))
		return mg_check_bad(v->where, MG_BAD_SRC_REG, at, 5, reg, 31);
	return MG_OK;
}

/* Do the selector pairs of widened 64-bit lanes name one element each? */
static bool pairs_ok(const struct mg_src *s, u32 lanes)
{
	u32 lane;

	for (lane = 0; lane < 2; lane++) {
		u32 pair = s->swizzle >> (4 * lane) & 15;

		if (lanes >> lane & 1 && pair != 0x4 && pair != 0xe)
			return false;
	}
	return true;
}

static enum mg_reason check_vector_source(const struct alu_view *v, u32 i)
{
	/* Allowed expansions by lane width, masks. */
	static const u8 allowed[4] = { 0x0f, 0xff, 0x31, 0x31 };
	const struct mg_src *s = &v->a->src[i];
	u32 at = v->body + (i ? 23 : 10);

	if (s->kind == MG_SRC_IMM)
		return s->mod ? mg_check_bad(v->where, MG_BAD_RESERVED, at, 2, s->mod, 0) : MG_OK;
	if (!(allowed[v->a->mode] >> s->expand & 1))
		return mg_check_bad(v->where, MG_BAD_EXPAND, at + 2, 3, s->expand,
				    allowed[v->a->mode]);
	if (v->a->mode == MG_MODE_64 && s->widen && source_used(v->def, i) &&
	    !pairs_ok(s, v->a->lanes))
		return mg_check_bad(v->where, MG_BAD_COMPONENT, at + 5, 8, s->swizzle, 0xee);
	return check_source_reg(v, i);
}

static enum mg_reason check_scalar_source(const struct alu_view *v, u32 i)
{
	const struct mg_src *s = &v->a->src[i];
	u32 at = v->body + (i ? 14 : 8), rest = v->a->body >> 20 & 31;

	if (s->kind == MG_SRC_IMM)
		return MG_OK;
	if (i && rest)
		return mg_check_bad(v->where, MG_BAD_RESERVED, v->body + 20, 5, rest, 0);
	if (s->full && s->comp & 1)
		return mg_check_bad(v->where, MG_BAD_COMPONENT, at + 3, 3, s->comp, 6);
	return check_source_reg(v, i);
}

static enum mg_reason check_mask(const struct alu_view *v)
{
	u32 step = max_t(u32, 8 / v->a->nlanes, 1), i, bits;

	for (i = 0; i < 8; i += step) {
		bits = v->a->mask >> i & ((1U << step) - 1);
		if (bits && bits != (1U << step) - 1)
			return mg_check_bad(v->where, MG_BAD_MASK, v->body + 40, 8, v->a->mask,
					    0xff);
	}
	/* Horizontal operations have one result; FDOT3R repeats it. */
	if (v->def->channels && v->a->op != MG_OP_FDOT3R &&
	    (!v->a->lanes || v->a->lanes & (v->a->lanes - 1)))
		return mg_check_bad(v->where, MG_BAD_MASK, v->body + 40, 8, v->a->mask, 1);
	return MG_OK;
}

static enum mg_reason check_vector(const struct alu_view *v)
{
	const struct mg_alu *a = v->a;

	if (a->shrink > MG_SHRINK_NONE || (a->shrink != MG_SHRINK_NONE && a->mode == MG_MODE_8))
		return mg_check_bad(v->where, MG_BAD_SHRINK, v->body + 36, 2, a->shrink,
				    MG_SHRINK_NONE);
	if (v->def->channels && a->nlanes < v->def->channels)
		return mg_check_bad(v->where, MG_BAD_MODE, v->body + 8, 2, a->mode, MG_MODE_32);
	return check_mask(v);
}

static enum mg_reason mg_check_scalar(const struct alu_view *v)
{
	const struct mg_alu *a = v->a;

	if (a->body >> 25 & 1)
		return mg_check_bad(v->where, MG_BAD_RESERVED, v->body + 25, 1, 1, 0);
	if (a->shrink == MG_SHRINK_NONE && a->comp & 1)
		return mg_check_bad(v->where, MG_BAD_COMPONENT, v->body + 29, 3, a->comp, 6);
	return MG_OK;
}

enum mg_reason mg_alu_check(const struct mg_bundle *b, u32 i, struct mg_where *where)
{
	const struct mg_alu *a = &b->alu[i];
	struct alu_view v = { .b = b, .a = a, .def = mg_alu_op(a->op), .where = where };
	bool vector = MG_VECTOR >> a->unit & 1;
	enum mg_reason r;
	u32 k;

	mg_alu_place(b, i, &v.reg_word, &v.body);
	if (!v.def)
		return mg_check_bad(where, MG_BAD_ALU_OP, v.body, 8, a->op, 0xff);
	if (!(v.def->units >> a->unit & 1))
		return mg_check_bad(where, MG_BAD_UNIT, v.body, 8, a->op, v.def->units);
	r = vector ? check_vector(&v) : mg_check_scalar(&v);
	for (k = 0; k < 2 && !r; k++)
		r = vector ? check_vector_source(&v, k) : check_scalar_source(&v, k);
	if (r)
		return r;
	if (v.def->flags & MG_INT_OUT && a->shrink == MG_SHRINK_NONE && a->outmod != MG_TRIM_LOW)
		return mg_check_bad(where, MG_BAD_OUTMOD, v.body + (vector ? 38 : 26), 2, a->outmod,
				    MG_TRIM_LOW);
	if ((a->dest >= 16 && a->dest < MG_REG_TMP) || a->dest == 30)
		return mg_check_bad(where, MG_BAD_DEST_REG, v.reg_word + 10, 5, a->dest, 15);
	if (v.def->flags & MG_CSEL && !stage1_writes(b, MG_REG_SPECIAL))
		return mg_check_bad(where, MG_BAD_COND, v.body, 8, a->op, 0);
	return MG_OK;
}

/* ---- branches ---- */

static bool tag_known(u32 tag)
{
	return tag != MG_TAG_INVALID && tag != MG_TAG_UNKNOWN1 && tag != MG_TAG_UNKNOWN2;
}

enum mg_reason mg_branch_check(const struct mg_bundle *b, u32 i, struct mg_where *where)
{
	const struct mg_branch *br = &b->branch[i];
	u32 at = mg_branch_place(b, i);

	/* Jump, condition, discard, tile buffer, write. */
	if (!(0xd6 >> br->op & 1))
		return mg_check_bad(where, MG_BAD_BRANCH_OP, at, 3, br->op, 0xd6);
	/* The target of a discard is fixed; compilers leave the tag 0. */
	if (!tag_known(br->dest_tag) && br->op != MG_BR_DISCARD)
		return mg_check_bad(where, MG_BAD_NEXT, at + 3, 4, br->dest_tag, 15);
	if (!br->extended && br->call == MG_CALL_UNSET)
		return mg_check_bad(where, MG_BAD_CALL, at + 7, 2, br->call, MG_CALL_RETURN);
	if (br->call >= MG_CALL_CALL && br->op != MG_BR_JUMP && br->op != MG_BR_COND)
		return mg_check_bad(where, MG_BAD_CALL, at + 7, 2, br->call, MG_CALL_JUMP);
	/* A condition that is never true is defined for writes only. */
	if (!br->cond && br->op != MG_BR_WRITE)
		return mg_check_bad(where, MG_BAD_COND, at + (br->extended ? 32 : 14),
				    br->extended ? 16 : 2, 0, 0xffff);
	return MG_OK;
}

/* ---- load/store ---- */

/* Fields, for the table of fields by operation class. */
#define F_MASK		0x001
#define F_SWIZZLE	0x002
#define F_ARG		0x004
#define F_TOGGLE	0x008
#define F_FORMAT	0x010
#define F_INDEX		0x020
#define F_SHIFT		0x040
#define F_OFFSET	0x080
#define F_REG		0x100
#define F_ADDRESS	(F_ARG | F_TOGGLE | F_FORMAT | F_INDEX | F_SHIFT | F_OFFSET)
#define F_RESULT	(F_REG | F_MASK | F_SWIZZLE)

static u32 used_fields(u32 class)
{
	switch (class) {
	case MG_LS_NOP:
		return 0;
	case MG_LS_TRAP:
		return F_OFFSET;
	case MG_LS_MOV:
		return F_RESULT | F_ARG;
	case MG_LS_CUBEMAP:
	case MG_LS_PERSPECTIVE:
		return F_RESULT | F_ARG | F_TOGGLE;
	case MG_LS_PACK:
	case MG_LS_UNPACK:
		return F_RESULT | F_ARG | F_SHIFT | F_OFFSET;
	case MG_LS_LD_SPECIAL:
	case MG_LS_ST_SPECIAL:
		return F_RESULT | F_INDEX | F_SHIFT | F_OFFSET;
	default:
		return F_RESULT | F_ADDRESS;
	}
}

static enum mg_reason check_used(const struct mg_ldst *l, u32 class, u32 at,
				 struct mg_where *where)
{
	const struct {
		u32 flag;
		u8 lo;
		u8 width;
	} fields[] = {
		{ F_REG, 8, 5 }, { F_MASK, 13, 4 }, { F_SWIZZLE, 17, 8 }, { F_ARG, 25, 5 },
		{ F_TOGGLE, 30, 1 }, { F_FORMAT, 31, 2 }, { F_INDEX, 33, 5 }, { F_SHIFT, 38, 4 },
		{ F_OFFSET, 42, 18 },
	};
	u32 used = used_fields(class), i, value;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		value = (u32)(l->bits >> fields[i].lo) & ((1U << fields[i].width) - 1);
		if (!(used & fields[i].flag) && value)
			return mg_check_bad(where, MG_BAD_LDST_FIELD, at + fields[i].lo,
					    fields[i].width, value, 0);
	}
	return MG_OK;
}

/* Check the low bits of the offset, which attributes do not use. */
static enum mg_reason check_low_offset(const struct mg_ldst *l, u32 class, u32 at,
				       struct mg_where *where)
{
	u32 low = l->offset & 0x1ff;

	if (class == MG_LS_VARYING) {
		if (MG_VARY_MOD(low) > MG_VARY_CUBE)
			return mg_check_bad(where, MG_BAD_LDST_FIELD, at + 42, 3, low & 7,
					    MG_VARY_CUBE);
		if (low & 0x180)
			return mg_check_bad(where, MG_BAD_LDST_FIELD, at + 49, 2, low >> 7, 0);
		return MG_OK;
	}
	if (class == MG_LS_ATTR && l->toggle)
		return MG_OK;
	if ((mg_class_has_attr(class) || class == MG_LS_LD_SPECIAL || class == MG_LS_ST_SPECIAL) &&
	    low)
		return mg_check_bad(where, MG_BAD_LDST_FIELD, at + 42, 9, low, 0);
	/* Bit 0: the buffer index is in another field; sources disagree which. */
	if (class == MG_LS_UBO && l->offset & 3)
		return mg_check_bad(where, MG_BAD_LDST_FIELD, at + 42, 2, l->offset & 3, 0);
	return MG_OK;
}

static enum mg_reason check_ldst_reg(const struct mg_ldst *l, u32 class, u32 at,
				     struct mg_where *where)
{
	if (mg_class_stores(class)) {
		if (l->reg > MG_LS_ZERO)
			return mg_check_bad(where, MG_BAD_LDST_REG, at + 8, 5, l->reg, MG_LS_ZERO);
		return MG_OK;
	}
	if ((l->reg >= 16 && l->reg < MG_REG_LDST) || l->reg > MG_REG_TEX + 1)
		return mg_check_bad(where, MG_BAD_LDST_REG, at + 8, 5, l->reg, MG_REG_TEX + 1);
	return MG_OK;
}

enum mg_reason mg_ldst_check(const struct mg_bundle *b, u32 i, struct mg_where *where)
{
	const struct mg_ldst *l = &b->ldst[i];
	const struct mg_ldst_def *def = mg_ldst_op(l->op);
	u32 at = i ? 68 : 8;
	enum mg_reason r;

	if (!def)
		return mg_check_bad(where, MG_BAD_LDST_OP, at, 8, l->op, 0xff);
	r = check_used(l, def->class, at, where);
	if (!r)
		r = check_ldst_reg(l, def->class, at, where);
	if (!r)
		r = check_low_offset(l, def->class, at, where);
	if (r)
		return r;
	/* Only attributes are known to have vertex indices. */
	if (mg_class_second_table(def->class) && l->toggle)
		return mg_check_bad(where, MG_BAD_LDST_FIELD, at + 30, 1, 1, 0);
	if (mg_class_has_address(def->class) && def->class != MG_LS_CMPXCHG &&
	    l->index_reg != MG_LS_ZERO && l->index_format == MG_INDEX_NONE)
		return mg_check_bad(where, MG_BAD_LDST_FIELD, at + 31, 2, 0, MG_INDEX_S32);
	if ((def->class == MG_LS_ATOMIC || def->class == MG_LS_CMPXCHG) && l->swizzle >> 5)
		return mg_check_bad(where, MG_BAD_LDST_FIELD, at + 22, 3, l->swizzle >> 5, 0);
	if (def->class == MG_LS_CMPXCHG && (l->index_format || l->index_shift))
		return mg_check_bad(where, MG_BAD_LDST_FIELD, at + (l->index_format ? 31 : 38),
				    l->index_format ? 2 : 4,
				    l->index_format ? l->index_format : l->index_shift, 0);
	return MG_OK;
}

/* ---- textures ---- */

static enum mg_reason check_barrier(const struct mg_bundle *b, struct mg_where *where)
{
	const struct mg_tex *t = &b->tex;
	u32 words[4 * MG_BUNDLE_QUADS], i;
	struct mg_bundle rest = *b;

	if (t->mode || t->exec != MG_EXEC_NONE)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 12, 6, t->mode | t->exec << 4, 0x30);
	/* All other fields must be zero. */
	rest.next = 0;
	rest.tex.ooo = 0;
	mg_bundle_encode(&rest, words);
	words[0] &= ~0x3ffffU;
	for (i = 0; i < 4; i++)
		if (words[i])
			return mg_check_bad(where, MG_BAD_TEX_FIELD, 32 * i, 32, words[i], 0);
	return MG_OK;
}

static bool mode_known(const struct mg_tex *t)
{
	if (t->op == MG_TEX_DERIVATIVE)
		return t->mode <= 1;
	if (t->op == MG_TEX_NORMAL || t->op == MG_TEX_GRADIENT)
		return 0xf62 >> t->mode & 1;
	return t->mode == MG_TEXMODE_NORMAL;
}

static enum mg_reason check_tex_regs(const struct mg_tex *t, struct mg_where *where)
{
	struct mg_tex_reg r;
	u8 swizzle;
	u32 i;

	if (t->sampler_reg && !mg_tex_reg_decode(t->sampler, &r))
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 96, 16, t->sampler, 31);
	if (t->texture_reg && !mg_tex_reg_decode(t->texture, &r))
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 112, 16, t->texture, 31);
	if (t->lod_reg && !mg_tex_reg_decode(t->bias, &r))
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 80, 8, t->bias, 31);
	if ((t->lod_reg || t->op == MG_TEX_FETCH) && t->bias_int)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 88, 8, (u8)t->bias_int, 0);
	if (t->offset_reg && !mg_tex_offset_reg(t->offset, &r, &swizzle))
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 68, 12, t->offset, 0x7ff);
	/* Only fetches may have negative offsets. */
	for (i = 0; i < 3 && !t->offset_reg && t->op != MG_TEX_FETCH; i++)
		if (t->offset >> (4 * i + 3) & 1)
			return mg_check_bad(where, MG_BAD_TEX_FIELD, 68 + 4 * i, 4, t->offset >> 4 *
					    i & 15, 7);
	return MG_OK;
}

enum mg_reason mg_tex_check(const struct mg_bundle *b, struct mg_where *where)
{
	const struct mg_tex *t = &b->tex;

	if (!mg_tex_op_name(t->op))
		return mg_check_bad(where, MG_BAD_TEX_OP, 8, 4, t->op, 15);
	if (b->tag == MG_TAG_TEX_BARRIER ? t->op != MG_TEX_BARRIER : t->op == MG_TEX_BARRIER)
		return mg_check_bad(where, MG_BAD_TEX_TAG, 0, 4, b->tag, MG_TAG_TEX_BARRIER);
	if (t->op == MG_TEX_BARRIER)
		return check_barrier(b, where);
	if (!mode_known(t))
		return mg_check_bad(where, MG_BAD_TEX_MODE, 12, 4, t->mode, 15);
	if (t->exec == MG_EXEC_RESERVED)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 16, 2, t->exec, 3);
	if (t->op == MG_TEX_MOV ? t->type != MG_SAMPLER_NONE : t->type == MG_SAMPLER_NONE)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 38, 2, t->type, 3);
	if (t->in_full && t->in_upper)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 26, 1, 1, 0);
	if (t->out_full && t->out_upper)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 41, 1, 1, 0);
	if (t->outmod && t->type != MG_SAMPLER_FLOAT)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 46, 2, t->outmod, 0);
	if (t->unknown8)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 35, 2, t->unknown8, 0);
	if (t->unknown4)
		return mg_check_bad(where, MG_BAD_TEX_FIELD, 60, 8, t->unknown4, 0);
	return check_tex_regs(t, where);
}

/* ---- bundles ---- */

/* Does the bundle write to the tile buffer, or wait for it? */
static bool mg_check_uses_tile(const struct mg_bundle *b)
{
	u32 i;

	for (i = 0; i < b->nbranch; i++)
		if (b->branch[i].op == MG_BR_WRITE || b->branch[i].op == MG_BR_TILEBUFFER)
			return true;
	return false;
}

static enum mg_reason check_alu_bundle(const struct mg_bundle *b, enum mg_gpu gpu,
				       struct mg_where *where)
{
	enum mg_reason r = MG_OK;
	u32 i;

	for (i = 0; i < b->nalu && !r; i++)
		r = mg_alu_check(b, i, where);
	for (i = 0; i < b->nbranch && !r; i++)
		r = mg_branch_check(b, i, where);
	if (r || b->tag < MG_TAG_ALUW)
		return r;
	if (gpu == MG_T760)
		return mg_check_bad(where, MG_BAD_GPU, 0, 4, b->tag, MG_TAG_ALUW - 1);
	return mg_check_uses_tile(b) ? MG_OK :
	       mg_check_bad(where, MG_BAD_TAG, 0, 4, b->tag, MG_TAG_ALUW - 1);
}

enum mg_reason mg_bundle_check(const struct mg_bundle *b, enum mg_gpu gpu,
			       struct mg_where *where)
{
	enum mg_reason r;

	if (!tag_known(b->next))
		return mg_check_bad(where, MG_BAD_NEXT, 4, 4, b->next, 15);
	switch (b->kind) {
	case MG_KIND_ALU:
		return check_alu_bundle(b, gpu, where);
	case MG_KIND_LDST:
		r = mg_ldst_check(b, 0, where);
		return r ? r : mg_ldst_check(b, 1, where);
	default:
		return mg_tex_check(b, where);
	}
}
