// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * EXT micro-ops of Midgard programs only.
 *
 * Cube coordinates encode the face above the numbers from 0 to 1: bits 30 and 31 of s, then
 * of t.
 */
#include "../midgard/midgard.h"
#include "../midgard/midgard_ext.h"
#include "mali_run_int.h"

#define FACE_SHIFT	30
#define COORD_MASK	0x3fffffff
#define COMPS		4

/* ---- textures ---- */

/* Set the LOD mode. Return: false: undefined. */
static bool mx_midgard_set_mode(struct tx_request *q, u32 mode)
{
	q->shadow = mode == MG_TEXMODE_SHADOW || mode == MG_TEXMODE_GATHER_SHADOW;
	q->comp = 0;
	if (mode == MG_TEXMODE_GATHER_SHADOW) {
		q->op = TX_OP_GATHER;
	} else if (mode >= MG_TEXMODE_GATHER_X && mode <= MG_TEXMODE_GATHER_W) {
		q->op = TX_OP_GATHER;
		q->comp = mode - MG_TEXMODE_GATHER_X;
	} else if (mode != MG_TEXMODE_NORMAL && mode != MG_TEXMODE_SHADOW) {
		return false;
	}
	if (q->op == TX_OP_GATHER)
		q->lod_mode = TX_LOD_ZERO;
	return true;
}

static struct tx_request *mx_midgard_request(struct simt_machine *m, const struct simt_block *b,
					     const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	struct tx_request *q = r->req;

	tx_begin(q, b->mask);
	q->lod_mode = MGX_TEX_LOD(u->imm) == MGX_LOD_BIAS ? TX_LOD_BIAS : TX_LOD_EXPLICIT;
	if (MGX_TEX_LOD(u->imm) == MGX_LOD_FETCH)
		q->op = TX_OP_FETCH;
	q->offsets = MGX_TEX_OFFSETS(u->imm);
	return q;
}

static void mx_midgard_copy_slot(u32 *out, const struct simt_block *b, u32 slot)
{
	u32 l;

	if (!~b->mask) {
		memcpy(out, sx_slot(b, slot, 0), SIMT_LANES * sizeof(*out));
		return;
	}
	EACH_LANE(l, b->mask)
		out[l] = *sx_slot(b, slot, l);
}

static void mx_midgard_split_face(struct tx_request *q, u64 mask)
{
	u32 l;

	EACH_LANE(l, mask) {
		q->face[l] = q->coord[0][l] >> FACE_SHIFT | q->coord[1][l] >> FACE_SHIFT << 2;
		q->coord[0][l] &= COORD_MASK;
		q->coord[1][l] &= COORD_MASK;
	}
}

/*
 * Copy the operands of all executing lanes: derivatives need those of neighbours. The third
 * coordinate is the reference of comparisons and the sample of fetches, the fourth the layer.
 */
static void mx_midgard_set_operands(const struct simt_machine *m, struct tx_request *q,
				    const struct simt_block *b, const struct simt_uop *u)
{
	u32 l, i;

	for (i = 0; i < 3; i++)
		mx_midgard_copy_slot(q->coord[i], b, u->d2 + i);
	memcpy(q->ref, q->coord[2], sizeof(q->ref));
	memcpy(q->sample, q->coord[2], sizeof(q->sample));
	mx_midgard_copy_slot(q->layer, b, u->d2 + 3);
	mx_copy_src(m, q->lod, b, u, 2);
	if (MGX_TEX_DIM(u->imm) == TX_DIM_CUBE)
		mx_midgard_split_face(q, b->mask);
	if (!q->offsets)
		return;
	EACH_LANE(l, b->mask)
		tx_offset(q, l, sx_src(b, u, 3, l));
}

/* Clamp layers of filtered array textures to the last one; other textures ignore the layer. */
static void limit_layers(struct tx_request *q)
{
	u32 l, last;

	q->array = q->tex && q->tex->array_size > 1;
	if (!q->array || q->op == TX_OP_FETCH)
		return;
	last = q->tex->array_size - 1;
	EACH_LANE(l, q->mask)
		q->layer[l] = min(q->layer[l], last);
}

static bool mx_midgard_texture(struct simt_machine *m, struct simt_block *b,
			       const struct simt_uop *u, u64 mask)
{
	static const u8 regfmts[] = { MALI_REG_AUTO, MALI_REG_F32, MALI_REG_U32, MALI_REG_S32 };
	struct mali_run *r = simt_machine_arg(m);
	struct tx_request *q = r->req;
	u32 first = __ffs64(mask);

	q->mask = mask;
	if (q->op != TX_OP_FETCH && !mx_midgard_set_mode(q, MGX_TEX_MODE(u->imm)))
		return mx_refuse_value(m, mask, MALI_RUN_BAD_TEXOP, 0, u->imm);
	if (!mx_tex_bind(m, q, sx_src(b, u, 0, first), sx_src(b, u, 1, first)))
		return false;
	if (q->tex && q->tex->dim != MGX_TEX_DIM(u->imm))
		return mx_refuse(m, mask, MALI_RUN_BAD_TEXOP, q->tex->va);
	limit_layers(q);
	q->ms = q->op == TX_OP_FETCH && q->tex && q->tex->samples > 1;
	if (!tx_exec(m, q, MALI_RUN_BAD_FORMAT))
		return false;
	mali_block_to_reg(simt_machine_simd(m), q->kind, (const u32 (*)[SIMT_LANES])q->result,
			  regfmts[MGX_TEX_TYPE(u->imm)], COMPS, mask, sx_slot(b, u->d, 0));
	return true;
}

static bool ext_tex(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 left = simt_ext_lanes(m, b), lanes;

	/* results may overwrite the operands */
	if (!simt_ext_resumes(m))
		mx_midgard_set_operands(m, mx_midgard_request(m, b, u), b, u);
	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lanes = sx_same(b, u, 1, sx_same(b, u, 0, left));
		if (!mx_midgard_texture(m, b, u, lanes))
			return false;
		simt_ext_pause(m, left & ~lanes);
	}
	return true;
}

/* ---- varyings ---- */

static bool is_memory(const struct mali_attr_buf *b)
{
	return b->type >= MALI_BUF_1D && b->type <= MALI_BUF_NPOT_DIVISOR;
}

static void frag_coord(struct simt_machine *m, u64 mask)
{
	struct mali_run *r = simt_machine_arg(m);
	enum vs_simd simd = simt_machine_simd(m);
	u32 l;

	/* pixel centres: half of an odd integer is one less in the exponent */
	EACH_LANE(l, mask) {
		r->v[0][l] = px_s32_to_f32(2 * r->r->x[l] + 1) - (1U << 23);
		r->v[1][l] = px_s32_to_f32(2 * r->r->y[l] + 1) - (1U << 23);
	}
	vr_shade_z(&r->r->s, simd, mask, r->v[2]);
	mali_frag_inv_w(m, mask, r->v[3]);
}

/* Special buffers without memory. Return: false: unknown. */
static bool stand_in(struct simt_machine *m, u64 mask, u32 type, enum px_kind *kind)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 l, i;

	*kind = PX_KIND_F32;
	EACH_LANE(l, mask) {
		for (i = 0; i < COMPS; i++)
			r->v[i][l] = 0;
	}
	switch (type) {
	case MALI_BUF_FRAG_COORD:
		frag_coord(m, mask);
		return true;
	case MALI_BUF_FRONT_FACING:
		*kind = PX_KIND_U32;
		EACH_LANE(l, mask)
			r->v[0][l] = mali_is_back(r, l) ? 0 : ~0U;
		return true;
	case MALI_BUF_POINT_COORD_MIN:
	case MALI_BUF_POINT_COORD_MAX:
		vr_shade_point(&r->r->s, simt_machine_simd(m), mask,
			       type == MALI_BUF_POINT_COORD_MAX, r->v[0], r->v[1]);
		EACH_LANE(l, mask)
			r->v[3][l] = 0x3f800000;
		return true;
	default:
		return false;
	}
}

/* Sample position of varyings: separate bits for per-sample and per-pixel programs. */
static u32 mx_midgard_place_of(const struct mali_run *r, u32 imm)
{
	if (r->r->nsamples == 1 || r->w.frag->prim != MALI_PRIM_TRIANGLE)
		return MALI_CENTER;
	if (r->w.frag->flags & MALI_FRAG_PER_SAMPLE)
		return imm & MGX_VAR_SAMPLE ? MALI_SAMPLE : MALI_CENTER;
	return imm & MGX_VAR_CENTROID ? MALI_CENTROID : MALI_CENTER;
}

static bool mx_midgard_from_memory(struct simt_machine *m, u64 mask, u32 imm,
				   const struct mali_elem *e, enum px_kind *kind)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 place = mx_midgard_place_of(r, imm), l;
	bool ok;

	*kind = px_format_kind(&e->attr->format);
	if (place != MALI_CENTER)
		EACH_LANE(l, mask)
			mali_place(r->r, l, place, r->r->cover[l] | r->r->sample << 16);
	ok = mali_frag_varying(m, mask, e, COMPS, imm & MGX_VAR_PERSPECTIVE,
			       imm & MGX_VAR_FLAT || *kind != PX_KIND_F32, r->v);
	if (place != MALI_CENTER)
		EACH_LANE(l, mask)
			mali_place(r->r, l, MALI_CENTER, 0);
	return ok;
}

static bool varying(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
		    u64 mask)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 regfmt = MALI_EXT_REGFMT(u->imm), type = 0;
	enum px_kind kind = PX_KIND_F32;
	struct mali_elem e;

	if (!mx_attr(m, mask, &r->w.varyings, sx_src(b, u, 0, __ffs64(mask)), &e))
		return false;
	if (e.attr)
		type = e.buf->type;
	if (e.attr && is_memory(e.buf)) {
		if (!mx_midgard_from_memory(m, mask, u->imm, &e, &kind))
			return false;
	} else if (!stand_in(m, mask, type, &kind) && type) {
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, e.attr->va);
	}
	mali_block_to_reg(simt_machine_simd(m), kind, (const u32 (*)[SIMT_LANES])r->v, regfmt,
			  COMPS, mask, sx_slot(b, u->d, 0));
	return true;
}

static bool ext_ld_var(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 left = simt_ext_lanes(m, b), lanes;

	if (!mali_reg_slots(MALI_EXT_REGFMT(u->imm), COMPS))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_FORMAT, 0);
	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lanes = sx_same(b, u, 0, left);
		simt_charge(m, MALI_VARYING_COST);
		if (!varying(m, b, u, lanes))
			return false;
		simt_ext_pause(m, left & ~lanes);
	}
	return true;
}

/* ---- colours ---- */

static bool format_of(struct simt_machine *m, u64 mask, u32 word, struct px_format *f)
{
	struct mali_run *r = simt_machine_arg(m);

	if (mx_cvt_format(&r->w, word, f) && f->bytes && f->layout != PX_ETC2 &&
	    px_format_readable(f) && px_format_writable(f))
		return true;
	return mx_refuse_value(m, mask, MALI_RUN_BAD_FORMAT, 0, word);
}

static bool ext_convert(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 regfmt = MALI_EXT_REGFMT(u->imm), word, l, v[COMPS], in[COMPS], out[COMPS];
	struct px_format f;

	word = sx_src(b, u, 0, __ffs64(b->mask));
	if (!format_of(m, b->mask, word, &f))
		return false;
	if (!mali_reg_slots(regfmt, COMPS))
		return mx_refuse_value(m, b->mask, MALI_RUN_BAD_FORMAT, 0, word);
	EACH_LANE(l, b->mask) {
		mx_get(b, u->d2, l, in, COMPS);
		memset(out, 0, sizeof(out));
		if (MALI_EXT_OP(u->imm) == MGX_UNPACK) {
			px_unpack(&f, in, v);
			mali_to_reg(px_format_kind(&f), v, regfmt, COMPS, out);
		} else {
			mali_from_reg(regfmt, in, COMPS, px_format_kind(&f), v);
			px_pack(&f, v, COMPS, out);
		}
		mx_put(b, u->d, l, out, COMPS);
	}
	return true;
}

/* ---- dispatch ---- */

bool midgard_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	static bool (*const handlers[MGX_LAST - MGX_TEX])(struct simt_machine *m,
							   struct simt_block *b,
							   const struct simt_uop *u) = {
		[MGX_TEX - MGX_TEX] = ext_tex,
		[MGX_LD_VAR - MGX_TEX] = ext_ld_var,
		[MGX_COVERED - MGX_TEX] = mgx_covered,
		[MGX_SAMPLE - MGX_TEX] = mgx_sample,
		[MGX_WRITE - MGX_TEX] = mgx_write,
		[MGX_LD_RAW - MGX_TEX] = mgx_ld_raw,
		[MGX_ST_RAW - MGX_TEX] = mgx_st_raw,
		[MGX_UNPACK - MGX_TEX] = ext_convert,
		[MGX_PACK - MGX_TEX] = ext_convert,
		[MGX_F64 - MGX_TEX] = mgx_f64,
	};
	u32 op = MALI_EXT_OP(u->imm);
	struct mali_run *r = simt_machine_arg(m);

	if (op < MGX_TEX)
		return mali_ext(m, b, u);
	if (op >= MGX_LAST || (op >= MGX_LD_VAR && op <= MGX_ST_RAW &&
			       r->w.stage != MALI_STAGE_FRAGMENT))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	if (!simt_ext_resumes(m))
		simt_charge(m, 2 * hweight64(b->mask));
	return handlers[op - MGX_TEX](m, b, u);
}
