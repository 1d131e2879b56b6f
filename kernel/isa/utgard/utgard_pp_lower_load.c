// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard pixel programs: varyings, textures, uniforms, temporaries.
 */
#include "utgard_pp_lower_priv.h"

/* ---- varyings ---- */

/* Select row @row in [0, UPP_NUM_VARYINGS), which differs by fragment. */
static struct upl_val choose_varying(struct upl *l, u16 row, u32 comp)
{
	u16 d = upl_fresh(l, 1);
	u32 i;

	upl_emit(l, UPL_UOP(.op = SIMT_MOV, .d = d, .s = { upl_const(l, 0) }));
	for (i = 0; i < UPP_NUM_VARYINGS; i++)
		upl_emit(l, UPL_UOP(.op = SIMT_ICSEL, .d = d, .imm = SIMT_EQ,
				    .s = { row, upl_const(l, i),
					   (u16)(UPP_SLOT_VAR + 4 * i + comp), d }));
	return upl_slot(d);
}

/* Load all four components of the row; components of the index repeat. */
static void upl_load_fetch(struct upl *l, const struct upp_varying *v, struct upl_val r[4])
{
	u32 size = v->alignment + 1, first = v->index * size, i;
	u16 row;

	if (v->offset_vector == UPP_NO_OFFSET) {
		l->out->inputs |= 1U << first / 4;
		for (i = 0; i < 4; i++)
			r[i] = upl_slot(UPP_SLOT_VAR + first + i % size);
		return;
	}
	l->out->inputs = (1U << UPP_NUM_VARYINGS) - 1;
	row = upl_fresh(l, 1);
	upl_emit(l, UPL_UOP(.op = SIMT_IADD, .d = row,
			    .s = { upl_offset(l, v->offset_vector * 4 + v->offset_scalar),
				   upl_const(l, first / 4) }));
	for (i = 0; i < 4; i++)
		r[i] = choose_varying(l, row, first % 4 + i % size);
}

static void divide(struct upl *l, u32 perspective, struct upl_val r[4])
{
	struct upl_val by = r[perspective == UPP_DIVIDE_Z ? 2 : 3];
	u32 i;

	if (perspective != UPP_DIVIDE_Z && perspective != UPP_DIVIDE_W)
		return;
	by = upl_op(l, SIMT_FRCP, 0, by, by);
	for (i = 0; i < 4; i++)
		r[i] = upl_op(l, SIMT_FMUL, 0, r[i], by);
}

static void normalize(struct upl *l, struct upl_val r[4])
{
	struct upl_val sum = upl_op(l, SIMT_FMUL, 0, r[0], r[0]);
	u32 i;

	for (i = 1; i < 3; i++)
		sum = upl_op(l, SIMT_FADD, 0, sum, upl_op(l, SIMT_FMUL, 0, r[i], r[i]));
	sum = upl_op(l, SIMT_FRSQ, 0, sum, sum);
	for (i = 0; i < 3; i++)
		r[i] = upl_op(l, SIMT_FMUL, 0, r[i], sum);
}

/* Load values from the rasteriser. */
static void given(struct upl *l, const struct upp_varying *v, struct upl_val r[4])
{
	u32 i;

	l->out->given = true;
	for (i = 0; i < 4; i++) {
		if (v->source == UPP_FROM_CUBE)
			r[i] = upl_slot(UPP_SLOT_COORD + i);
		else if (v->perspective)
			r[i] = upl_slot(UPP_SLOT_FACING);
		else
			r[i] = i < 2 ? upl_slot(UPP_SLOT_POINT + i) : upl_slot(upl_const(l, 0));
	}
}

static void from_reg(struct upl *l, const struct upp_varying_reg *v, struct upl_val r[4])
{
	u32 i;

	for (i = 0; i < 4; i++)
		r[i] = upl_swizzled(l, v->reg, v->swizzle, i, v->absolute, v->negate);
	if (v->source == UPP_FROM_REG)
		divide(l, v->perspective, r);
	else if (v->perspective == UPP_CUBE_NORMALIZE)
		normalize(l, r);
}

void upl_varying(struct upl *l)
{
	const union upp_part *p = &l->insn.part[UPP_VARYING];
	const struct upp_varying *v = &p->varying;
	struct upl_val r[4];
	u32 i;

	if (l->insn.form[UPP_VARYING] == UPP_FORM_VARYING_REG) {
		from_reg(l, &p->varying_reg, r);
	} else if (v->source == UPP_FROM_VARYING) {
		upl_load_fetch(l, v, r);
		divide(l, v->perspective, r);
	} else if (v->source == UPP_FROM_CUBE && v->perspective == UPP_CUBE_VARYING) {
		upl_load_fetch(l, v, r);
	} else {
		given(l, v, r);
	}
	memcpy(l->var, r, sizeof(r));
	if (v->dest == UPP_REG_NOWHERE)
		return;
	for (i = 0; i < 4; i++)
		r[i] = upl_round(l, r[i]);
	upl_write(l, v->dest, v->mask, r);
	memcpy(l->var, r, sizeof(r));
}

/* ---- textures ---- */

void upl_sampler(struct upl *l)
{
	const struct upp_sampler *s = &l->insn.part[UPP_SAMPLER].sampler;
	u16 d = upl_fresh(l, UPL_EXT_SLOTS), off = upl_fresh(l, UPL_EXT_SLOTS);
	u16 level = upl_const(l, 0);
	u32 imm = s->index, i;

	if (s->type == UPP_SAMPLER_CUBE)
		imm |= UPP_TEX_CUBE;
	if (s->lod_enable) {
		imm |= s->explicit_lod ? UPP_TEX_LEVEL : UPP_TEX_BIAS;
		level = upl_plain(l, upl_reg(l, s->lod >> 2, s->lod & 3));
	}
	upl_emit(l, UPL_UOP(.op = SIMT_MOV, .d = off,
			    .s = { s->offset_enable ? upl_offset(l, s->offset) :
						      upl_const(l, 0) }));
	upl_emit(l, UPL_UOP(.op = SIMT_EXT, .d = d, .d2 = off, .n = 4, .imm = imm,
			    .s = { upl_plain(l, l->var[0]), upl_plain(l, l->var[1]),
				   upl_plain(l, l->var[2]), level }));
	for (i = 0; i < 4; i++)
		l->tex[i] = upl_round(l, upl_slot(d + i));
}

/* ---- uniforms and temporaries ---- */

/* Offset in bytes of an index in units of @size components, plus an offset register. */
static u16 byte_offset(struct upl *l, u32 index, u32 lane, u32 shift)
{
	u16 d = upl_fresh(l, 1);

	upl_emit(l, UPL_UOP(.op = SIMT_IADD, .d = d,
			    .s = { upl_offset(l, lane), upl_const(l, (u32)upp_index(index)) }));
	/* out of range, and the shift does not overflow */
	upl_emit(l, UPL_UOP(.op = SIMT_UMIN, .d = d, .s = { d, upl_const(l, 1U << 24) }));
	upl_emit(l, UPL_UOP(.op = SIMT_SHLI, .d = d, .s = { d }, .imm = shift));
	return d;
}

static void load_uniform(struct upl *l, const struct upp_uniform *u)
{
	u32 size = 1U << u->alignment, at = min_t(u32, (u32)upp_index(u->index), 1U << 24), i;
	u32 end = (at * size + size + 3) / 4;
	u16 off, d;

	/* those of higher rows are read like those with an offset */
	if (!u->offset_enable && end <= UPL_MAX_ROWS) {
		l->rows = max(l->rows, end);
		for (i = 0; i < 4; i++)
			l->uni[i] = upl_slot(SIMT_U | ((u32)upp_index(u->index) * size +
						       i % size));
		return;
	}
	l->out->ubo = true;
	off = u->offset_enable ? byte_offset(l, u->index, u->offset, u->alignment + 1) :
	      upl_const(l, at << (u->alignment + 1));
	for (i = 0; i < 4; i++) {
		d = upl_fresh(l, 1);
		upl_emit(l, UPL_UOP(.op = SIMT_LD, .d = d, .s = { off, upl_const(l, UPP_UBO) },
				    .imm = SIMT_MEM(2, SIMT_SEG_UBO, 2 * (i % size))));
		upl_emit(l, UPL_UOP(.op = SIMT_H2F, .d = d, .s = { d }));
		l->uni[i] = upl_slot(d);
	}
}

/*
 * Offset of a temporary in thread memory: rows, then a row of zeros, then one for discarded
 * stores; out-of-range accesses go to the latter two.
 */
static u16 temp_offset(struct upl *l, u32 index, u32 align, u32 enable, u32 lane, u32 out)
{
	u32 n = l->temps << (UPP_ALIGN_VEC4 - align);
	u32 none = (l->temps + out) << (UPP_ALIGN_VEC4 - align);
	u16 d = upl_fresh(l, 1);

	upl_emit(l, UPL_UOP(.op = SIMT_IADD, .d = d,
			    .s = { enable ? upl_offset(l, lane) : upl_const(l, 0),
				   upl_const(l, (u32)upp_index(index)) }));
	if (upp_index(index) < 0)
		upl_emit(l, UPL_UOP(.op = SIMT_IADD, .d = d, .s = { d, upl_const(l, n) }));
	upl_emit(l, UPL_UOP(.op = SIMT_UCSEL, .d = d, .imm = SIMT_LT,
			    .s = { d, upl_const(l, n), d, upl_const(l, none) }));
	upl_emit(l, UPL_UOP(.op = SIMT_SHLI, .d = d, .s = { d }, .imm = align + 2));
	return d;
}

static void load_temp(struct upl *l, const struct upp_uniform *u)
{
	u32 size = 1U << u->alignment, i;
	u16 off = temp_offset(l, u->index, u->alignment, u->offset_enable, u->offset, 0), d;

	for (i = 0; i < 4; i++) {
		d = upl_fresh(l, 1);
		upl_emit(l, UPL_UOP(.op = SIMT_LD, .d = d, .s = { off, upl_const(l, 0) },
				    .imm = SIMT_MEM(4, SIMT_SEG_TLS, 4 * (i % size))));
		l->uni[i] = upl_slot(d);
	}
}

void upl_uniform(struct upl *l)
{
	const struct upp_uniform *u = &l->insn.part[UPP_UNIFORM].uniform;

	if (u->source == UPP_LOAD_TEMP)
		load_temp(l, u);
	else
		load_uniform(l, u);
}

/* Depth is one component. */
static void read_frame_buffer(struct upl *l, const struct upp_fb_read *f)
{
	bool color = f->source == UPP_FB_COLOR;
	struct upl_val r[4];
	u32 i;

	l->out->fb_color |= color;
	l->out->fb_depth |= !color;
	for (i = 0; i < 4; i++)
		r[i] = upl_round(l, upl_slot(color ? UPP_SLOT_FB_COLOR + i :
						     UPP_SLOT_FB_DEPTH));
	upl_write(l, f->dest, color ? 15 : 1, r);
}

void upl_store(struct upl *l)
{
	const struct upp_store *s = &l->insn.part[UPP_TEMP].store;
	u32 size, i;
	u16 off, d;

	if (l->insn.form[UPP_TEMP] == UPP_FORM_FB_READ) {
		read_frame_buffer(l, &l->insn.part[UPP_TEMP].fb_read);
		return;
	}
	size = 1U << s->alignment;
	off = temp_offset(l, s->index, s->alignment, s->offset_enable, s->offset, 1);
	for (i = 0; i < size; i++) {
		d = upl_fresh(l, 1);
		/* @lane is ignored for a whole register */
		upl_emit(l, UPL_UOP(.op = SIMT_MOV, .d = d,
				    .s = { upl_reg(l, s->source >> 2,
						   ((s->source & 3) & ~(size - 1)) + i).s }));
		upl_emit(l, UPL_UOP(.op = SIMT_ST, .d = d, .s = { off, upl_const(l, 0) },
				    .imm = SIMT_MEM(4, SIMT_SEG_TLS, 4 * i)));
	}
}
