// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Midgard texture operations to micro-ops.
 *
 * Arguments and results both use r28 and r29, in separate slots: arguments as the program wrote
 * them, results for reads of later bundles.
 */
#include "midgard_ext.h"
#include "midgard_lower_priv.h"

#define COMP(swizzle, i)	((swizzle) >> (2 * (i)) & 3)

/* A component of an argument, widened as float or as integer. */
static struct ml_val ml_tex_component(struct ml *l, const struct mg_tex_reg *r, bool is_float)
{
	u32 e = r->comp + 4 * r->upper, lo = 2 * (e & 1);
	struct ml_val v;

	if (r->full)
		return ml_slot(MG_SLOT_AT + 4 * r->select + r->comp);
	v = ml_slot(MG_SLOT_AT + 4 * r->select + e / 2);
	if (is_float)
		return ml_aux(l, ML_U(.op = SIMT_H2F, .s = { v.s }, .imm = e & 1));
	return ml_perm(l, v, v, ML_PERM(lo, lo + 1, SIMT_PERM_SIGN(lo + 1),
					SIMT_PERM_SIGN(lo + 1)));
}

static struct ml_val selected(struct ml *l, u32 bits, bool is_float)
{
	struct mg_tex_reg r;

	mg_tex_reg_decode(bits, &r);
	return ml_tex_component(l, &r, is_float);
}

static void ml_tex_coordinates(struct ml *l, const struct mg_tex *t, bool is_float,
			       struct ml_val c[4])
{
	u32 i;

	for (i = 0; i < 4; i++) {
		const struct mg_tex_reg r = { t->in_full, t->in_select, t->in_upper,
					      COMP(t->in_swizzle, i) };

		c[i] = ml_tex_component(l, &r, is_float);
	}
}

/* Texel offset @i as an integer. */
static struct ml_val offset(struct ml *l, const struct mg_tex *t, u32 i)
{
	struct mg_tex_reg r;
	u32 imm = t->offset >> (4 * i) & 15;
	u8 swizzle;

	if (!t->offset_reg)
		return ml_const(l, imm & 8 ? imm | ~15U : imm);
	mg_tex_offset_reg(t->offset, &r, &swizzle);
	r.comp = COMP(swizzle, i);
	return ml_tex_component(l, &r, false);
}

/* Three texel offsets as bytes of a word. */
static struct ml_val offsets(struct ml *l, const struct mg_tex *t)
{
	struct ml_val v = offset(l, t, 0);

	v = ml_perm(l, v, offset(l, t, 1), ML_PERM(0, SIMT_PERM_B(0), SIMT_PERM_00, SIMT_PERM_00));
	return ml_perm(l, v, offset(l, t, 2), ML_PERM(0, 1, SIMT_PERM_B(0), SIMT_PERM_00));
}

/* (n / 256) as binary32. */
static u32 fixed_to_single(s32 n)
{
	u32 sign = n < 0 ? 1U << 31 : 0, v = n < 0 ? -n : n, e = 127 + 15;

	if (!v)
		return 0;
	/* 16 bits suffice for all values */
	for (; !(v & 0x8000); e--)
		v <<= 1;
	return sign | (e - 8) << 23 | (v & 0x7fff) << 8;
}

static struct ml_val level(struct ml *l, const struct mg_tex *t)
{
	bool fetch = t->op == MG_TEX_FETCH;

	if (t->lod_reg)
		return selected(l, t->bias, !fetch);
	if (fetch)
		return ml_const(l, t->bias);
	return ml_const(l, fixed_to_single(t->bias_int * 256 + t->bias));
}

/* ---- results ---- */

static struct ml_val ml_tex_clamped(struct ml *l, const struct mg_tex *t, u16 slot)
{
	if (!t->outmod)
		return ml_slot(slot);
	return ml_aux(l, ML_U(.op = SIMT_FMOV, .s = { slot }, .mods = SIMT_CLAMP(t->outmod)));
}

/* Combine components @i and @i + 1 as halves of a word. */
static struct ml_val ml_tex_two_halves(struct ml *l, const struct mg_tex *t, u16 d, u32 i)
{
	struct ml_val a = ml_tex_clamped(l, t, d + COMP(t->swizzle, i));
	struct ml_val b = ml_tex_clamped(l, t, d + COMP(t->swizzle, i + 1));

	if (t->type == MG_SAMPLER_FLOAT)
		return ml_aux(l, ML_U(.op = SIMT_F2H2, .s = { a.s, b.s }));
	return ml_perm(l, a, b, ML_PERM(0, 1, SIMT_PERM_B(0), SIMT_PERM_B(1)));
}

static void ml_tex_deliver(struct ml *l, const struct mg_tex *t, u16 d)
{
	u16 to = MG_SLOT_TA + 4 * t->out_select;
	struct ml_val v;
	u32 i, m, imm;

	if (t->out_full) {
		for (i = 0; i < 4; i++) {
			if (!(t->mask >> i & 1))
				continue;
			v = ml_tex_clamped(l, t, d + COMP(t->swizzle, i));
			ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = to + i, .s = { v.s }));
		}
		return;
	}
	to += 2 * t->out_upper;
	for (i = 0; i < 4; i += 2) {
		m = t->mask >> i & 3;
		if (!m)
			continue;
		v = ml_tex_two_halves(l, t, d, i);
		imm = m & 1 ? ML_PERM(0, 1, 0, 0) : ML_PERM(4, 5, 0, 0);
		imm |= m & 2 ? ML_PERM(0, 0, 2, 3) : ML_PERM(0, 0, 6, 7);
		ml_emit(l, ML_UOP(.op = SIMT_PERM, .d = to + i / 2, .s = { v.s, to + i / 2 },
				  .imm = imm));
	}
}

/* ---- operations ---- */

static int ml_tex_texture(struct ml *l, const struct mg_tex *t)
{
	bool fetch = t->op == MG_TEX_FETCH, moved = t->offset || t->offset_reg;
	u32 lod = fetch ? MGX_LOD_FETCH : MGX_LOD_EXPLICIT, i;
	u16 at = ml_temps(l, 4), d = ml_temps(l, 4), move, tex, samp, where;
	struct ml_val c[4];

	if (fetch && t->dim == MG_DIM_CUBE)
		return ml_unsupported(l, t->op);
	if (t->op == MG_TEX_NORMAL && l->b.tag == MG_TAG_TEX && l->code->stage == VS_STAGE_FRAGMENT)
		lod = MGX_LOD_BIAS;
	ml_tex_coordinates(l, t, !fetch, c);
	for (i = 0; i < 3 && fetch && moved; i++)
		c[i] = ml_aux(l, ML_U(.op = SIMT_IADD, .s = { c[i].s, offset(l, t, i).s }));
	if (!fetch)
		c[3] = ml_aux(l, ML_U(.op = SIMT_F2U, .s = { c[3].s }));
	for (i = 0; i < 4; i++)
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = at + i, .s = { c[i].s }));
	move = fetch || !moved ? ml_const(l, 0).s : offsets(l, t).s;
	tex = t->texture_reg ? selected(l, t->texture, false).s : ml_const(l, t->texture).s;
	samp = t->sampler_reg ? selected(l, t->sampler, false).s : ml_const(l, t->sampler).s;
	where = level(l, t).s;
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .d2 = at, .n = 4,
			  .s = { tex, samp, where, move },
			  .imm = MGX_TEX_IMM(lod, t->mode, t->dim, t->type, moved && !fetch)));
	ml_tex_deliver(l, t, d);
	return 0;
}

/* Difference within the quad: right minus left in the lane's row, or lower minus upper. */
static int ml_tex_derivative(struct ml *l, const struct mg_tex *t)
{
	u32 step = t->mode ? 2 : 1, i;
	struct ml_val c[4], side, other, a, b, zero = ml_const(l, 0);
	u16 d = ml_temps(l, 4);

	if (l->code->stage != VS_STAGE_FRAGMENT)
		return ml_unsupported(l, t->op);
	ml_tex_coordinates(l, t, true, c);
	side = ml_aux(l, ML_U(.op = SIMT_LANE, .imm = step));
	for (i = 0; i < 4; i++) {
		other = ml_aux(l, ML_U(.op = SIMT_CLPER, .s = { c[i].s, ml_const(l, step).s },
				       .imm = SIMT_LANE_XOR | 1 << 4));
		a = ml_aux(l, ML_U(.op = SIMT_UCSEL, .imm = SIMT_NE,
				   .s = { side.s, zero.s, c[i].s, other.s }));
		b = ml_aux(l, ML_U(.op = SIMT_UCSEL, .imm = SIMT_NE,
				   .s = { side.s, zero.s, other.s, c[i].s }));
		ml_emit(l, ML_UOP(.op = SIMT_FADD, .d = d + i, .s = { a.s, b.s },
				  .mods = SIMT_NEG(1)));
	}
	ml_tex_deliver(l, t, d);
	return 0;
}

bool midgard_executes_tex(u32 op)
{
	return op == MG_TEX_NORMAL || op == MG_TEX_GRADIENT || op == MG_TEX_FETCH ||
	       op == MG_TEX_BARRIER || op == MG_TEX_DERIVATIVE;
}

int ml_tex_bundle(struct ml *l)
{
	const struct mg_tex *t = &l->b.tex;
	int ret = 0;

	l->f.temp = MG_SLOT_WORK;
	l->want = ML_NOWHERE;
	switch (t->op) {
	case MG_TEX_BARRIER:
		if (l->code->stage == VS_STAGE_COMPUTE)
			ml_emit(l, ML_UOP(.op = SIMT_BARRIER));
		return 0;
	case MG_TEX_NORMAL:
	case MG_TEX_GRADIENT:
	case MG_TEX_FETCH:
		ret = ml_tex_texture(l, t);
		break;
	case MG_TEX_DERIVATIVE:
		ret = ml_tex_derivative(l, t);
		break;
	default:
		return ml_unsupported(l, t->op);
	}
	/* helper threads are not needed any more */
	if (!ret && t->exec == MG_EXEC_KILL && l->code->stage == VS_STAGE_FRAGMENT)
		ml_emit(l, ML_UOP(.op = SIMT_ENDKILL));
	return ret;
}
