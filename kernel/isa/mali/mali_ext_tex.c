// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Texture instructions: operands and descriptor words to requests of the texture unit.
 *
 * Further operands of TEXC are in consecutive registers, those present in this order: z;
 * differences in y; LOD (8.8) or level and face; second word of a gradient; shadow
 * reference; layer; offsets and sample index, bytes; sampler index; texture index.
 * Source: Mesa's compiler.
 */
#include "mali_run_int.h"

/* Operations; numbers of the hardware. */
enum texc_op { TEXC_GRDESC_DER = 4, TEXC_GRDESC, TEXC_FETCH, TEXC_TEX };
/* LOD source of TEX; kind of FETCH. */
enum texc_lod { TEXC_LOD_GRDESC = 3, TEXC_LOD_EXPLICIT, TEXC_LOD_BIAS, TEXC_LOD_ZERO,
		TEXC_LOD_COMPUTED };
enum texc_fetch { TEXC_FETCH_TEXEL = 1, TEXC_FETCH_GATHER = 4 };
/* Indices in registers, if not both are immediate. */
enum texc_index { TEXC_INDEX_SHARED, TEXC_INDEX_TEXTURE, TEXC_INDEX_SAMPLER, TEXC_INDEX_BOTH };

#define ALL_COMPS	0xf
#define TEXC_DUAL	1
#define TEXC_SINGLE	3
#define TEXC_Z		3	/* dimension */
#define NOWHERE		(~0U)

/**
 * struct texc - decoded descriptor word
 * @op:		enum texc_op
 * @flags:	bit 0: offsets (gradients: no bias), 1: shadow (no clamp), 2: array
 * @dim:	enum tx_dim
 * @lod:	enum texc_lod or texc_fetch
 * @format:	result format
 * @mask:	components requested
 * @sampler:	index
 * @texture:	index
 * @z:		slot of an operand
 * @dy:		"
 * @level:	"
 * @ref:	"
 * @layer:	"
 * @offset:	"
 * @sampler_at:	"
 * @texture_at:	"
 */
struct texc {
	u32 op;
	u32 flags;
	u32 dim;
	u32 lod;
	u32 format;
	u32 mask;
	u32 sampler;
	u32 texture;
	u32 z;
	u32 dy;
	u32 level;
	u32 ref;
	u32 layer;
	u32 offset;
	u32 sampler_at;
	u32 texture_at;
};

#define HAS_OFFSETS	0x1
#define HAS_SHADOW	0x2
#define HAS_ARRAY	0x4
#define NO_CLAMP	0x2	/* gradients */

/* ---- results ---- */

static const u8 regfmts[16] = {
	MALI_REG_F16, MALI_REG_F16, MALI_REG_F16, MALI_REG_F16, MALI_REG_F32, MALI_REG_F32,
	MALI_REG_F32, MALI_REG_F32, MALI_REG_AUTO, MALI_REG_AUTO, MALI_REG_AUTO, MALI_REG_AUTO,
	MALI_REG_U16, MALI_REG_S16, MALI_REG_U32, MALI_REG_S32,
};

static u32 clamp_bits(u32 v, u32 how)
{
	u32 one = 0x3f800000, low = how == SIMT_CLAMP_M1_1 ? one | 1U << 31 : 0;

	if ((v & 0x7fffffff) > 0x7f800000)
		return low;
	if (v >> 31)
		return how == SIMT_CLAMP_M1_1 ? min(v, low) : 0;
	return how == SIMT_CLAMP_0_INF ? v : min(v, one);
}

static void clamp_results(struct tx_request *q, u32 how)
{
	u32 l, k;

	if (!how || q->kind != PX_KIND_F32)
		return;
	for (k = 0; k < 4; k++) {
		EACH_LANE(l, q->mask)
			q->result[k][l] = clamp_bits(q->result[k][l], how);
	}
}

/* One component, of 32 bits or a half of a word. */
static void deliver_one(enum vs_simd simd, struct tx_request *q, u32 regfmt, u32 i, bool halves,
			u32 *slot)
{
	u32 word[SIMT_LANES], keep = i & 1 ? 0xffff : 0xffff0000, l;

	if (!halves) {
		mali_block_to_reg(simd, q->kind, (const u32 (*)[SIMT_LANES])q->result + i, regfmt,
				  1, q->mask, slot + i * SIMT_LANES);
		return;
	}
	mali_block_to_reg(simd, q->kind, (const u32 (*)[SIMT_LANES])q->result + (i & ~1U), regfmt,
			  2, q->mask, word);
	slot += i / 2 * SIMT_LANES;
	EACH_LANE(l, q->mask)
		slot[l] = (slot[l] & keep) | (word[l] & ~keep);
}

/* Components have their places; those that are not in @mask keep what they had. */
static bool mx_tex_deliver(struct simt_machine *m, struct tx_request *q, u32 regfmt, u32 mask,
			   u32 *slot)
{
	bool halves = mali_reg_slots(regfmt, 4) == 2;
	enum vs_simd simd = simt_machine_simd(m);
	u32 i;

	if (!mask)
		return true;
	if (!mali_reg_slots(regfmt, 1))
		return mx_refuse(m, q->mask, MALI_RUN_BAD_FORMAT, 0);
	if (mask == ALL_COMPS) {
		mali_block_to_reg(simd, q->kind, (const u32 (*)[SIMT_LANES])q->result, regfmt, 4,
				  q->mask, slot);
		return true;
	}
	for (i = 0; i < 4; i++) {
		if (mask >> i & 1)
			deliver_one(simd, q, regfmt, i, halves, slot);
	}
	return true;
}

/* ---- requests ---- */

static void mx_tex_fill(u32 *out, u64 mask, u32 value)
{
	u32 l;

	EACH_LANE(l, mask)
		out[l] = value;
}

/* Begin a request with two coordinates. */
static struct tx_request *mx_tex_request(struct simt_machine *m, u64 mask)
{
	struct mali_run *r = simt_machine_arg(m);
	struct tx_request *q = r->req;

	tx_begin(q, mask);
	return q;
}

/* Execute it: other textures than those of two dimensions have a third coordinate, or faces. */
static bool mx_tex_run(struct simt_machine *m, struct tx_request *q, bool faces)
{
	if (q->tex && q->tex->dim != TX_DIM_2D) {
		memset(q->coord[2], 0, sizeof(q->coord[2]));
		if (!faces)
			memset(q->face, 0, sizeof(q->face));
	}
	return tx_exec(m, q, MALI_RUN_BAD_FORMAT);
}

bool mx_tex_bind(struct simt_machine *m, struct tx_request *q, u32 texture, u32 sampler)
{
	struct mali_run *r = simt_machine_arg(m);
	const struct tx_texture *tex;
	const struct tx_sampler *samp;

	q->tex = NULL;
	q->samp = NULL;
	if (texture >= r->w.ntextures)
		return mx_refuse_value(m, q->mask, MALI_RUN_BAD_INDEX, 0, texture);
	tex = &r->w.textures[texture];
	if (tex->bad)
		return mx_refuse_value(m, q->mask, tex->bad, tex->va, tex->bad_value);
	if (tex->va)
		q->tex = tex;
	if (q->op == TX_OP_FETCH)
		return true;
	if (sampler >= r->w.nsamplers)
		return mx_refuse_value(m, q->mask, MALI_RUN_BAD_INDEX, 0, sampler);
	samp = &r->w.samplers[sampler];
	if (samp->bad)
		return mx_refuse_value(m, q->mask, samp->bad, samp->va, samp->bad_value);
	if (samp->va)
		q->samp = samp;
	return true;
}

/* Split off the face, in the upper three bits of S, which are unused by numbers from 0 to 1. */
static void mx_tex_split_face(struct tx_request *q, u64 mask)
{
	u32 l, w;

	EACH_LANE(l, mask) {
		w = q->coord[0][l];
		q->face[l] = w >> 29;
		q->coord[0][l] = (w & 0x1fffffff) | 0x20000000;
	}
}

/* ---- TEXS, VAR_TEX ---- */

bool mx_texs(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct tx_request *q = mx_tex_request(m, b->mask);
	u32 l;

	if (u->imm & MALI_EXT_LOD0)
		q->lod_mode = TX_LOD_ZERO;
	mx_copy_src(m, q->coord[0], b, u, 0);
	mx_copy_src(m, q->coord[1], b, u, 1);
	if (u->imm & MALI_EXT_CUBE)
		EACH_LANE(l, b->mask)
			q->face[l] = sx_src(b, u, 2, l) >> 29;
	return mx_tex_bind(m, q, u->imm >> 16 & 15, u->imm >> 20 & 15) &&
	       mx_tex_run(m, q, u->imm & MALI_EXT_CUBE) &&
	       mx_tex_deliver(m, q, MALI_EXT_REGFMT(u->imm), 15, sx_slot(b, u->d, 0));
}

bool mx_sample_var(struct simt_machine *m, u64 mask, u32 index, bool lod0,
		   u32 regfmt, u32 *slot)
{
	struct tx_request *q = mx_tex_request(m, mask);

	if (lod0)
		q->lod_mode = TX_LOD_ZERO;
	return mx_tex_bind(m, q, index, index) && mx_tex_run(m, q, false) &&
	       mx_tex_deliver(m, q, regfmt, 15, slot);
}

bool mx_var_tex(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);

	return mx_varying_at(m, b, u, b->mask, u->imm >> 16 & 15, 2, r->req->coord) &&
	       mx_sample_var(m, b->mask, u->imm >> 20 & 15, u->imm & MALI_EXT_LOD0,
			     MALI_EXT_REGFMT(u->imm), sx_slot(b, u->d, 0));
}

/* ---- TEXC: descriptor word ---- */

static u32 mx_tex_take(u32 *at, bool is_there)
{
	return is_there ? (*at)++ : NOWHERE;
}

static void decode_indices(u32 w, struct texc *t, u32 *at)
{
	u32 mode = w & 3;

	t->sampler = w & 15;
	t->texture = w >> 4 & 127;
	if (w >> 11 & 1) {
		t->sampler_at = NOWHERE;
		t->texture_at = NOWHERE;
		return;
	}
	t->sampler = t->texture;
	t->sampler_at = mx_tex_take(at, mode == TEXC_INDEX_SAMPLER || mode == TEXC_INDEX_BOTH);
	t->texture_at = mx_tex_take(at, mode == TEXC_INDEX_TEXTURE || mode == TEXC_INDEX_BOTH);
}

/* Decode a descriptor word. Return: false: undefined. */
static bool mx_tex_decode(u32 w, u32 at, struct texc *t)
{
	bool gradient, tex;

	t->op = w >> 12 & 7;
	t->flags = w >> 15 & 7;
	t->dim = w >> 18 & 3;
	t->lod = w >> 20 & 7;
	t->format = w >> 24 & 15;
	t->mask = w >> 28;
	if (t->op < TEXC_GRDESC_DER || w >> 23 & 1 || regfmts[t->format] == MALI_REG_AUTO ||
	    (!(w >> 11 & 1) && (w >> 2 & 3) != TEXC_SINGLE))
		return false;
	gradient = t->op == TEXC_GRDESC_DER || t->op == TEXC_GRDESC;
	tex = t->op == TEXC_TEX;
	if (tex && t->lod < TEXC_LOD_GRDESC)
		return false;
	if (t->op == TEXC_FETCH && t->lod != TEXC_FETCH_TEXEL && t->lod < TEXC_FETCH_GATHER)
		return false;
	/* derivatives of directions: unsupported */
	if (t->op == TEXC_GRDESC_DER && t->dim == TX_DIM_CUBE)
		return false;
	t->z = mx_tex_take(&at, t->dim == TEXC_Z);
	t->dy = mx_tex_take(&at, t->op == TEXC_GRDESC_DER);
	if (t->dy != NOWHERE)
		at += t->dim == TX_DIM_1D ? 0 : t->dim == TEXC_Z ? 2 : 1;
	t->level = mx_tex_take(&at, t->op == TEXC_FETCH || (tex && t->lod <= TEXC_LOD_BIAS));
	mx_tex_take(&at, tex && t->lod == TEXC_LOD_GRDESC);
	t->ref = mx_tex_take(&at, !gradient && t->flags & HAS_SHADOW);
	t->layer = mx_tex_take(&at, t->flags & HAS_ARRAY);
	t->offset = mx_tex_take(&at, !gradient && t->flags & HAS_OFFSETS);
	decode_indices(w, t, &at);
	return true;
}

/* ---- TEXC: operands ---- */

static void mx_tex_copy_slot(u32 *out, const struct simt_block *b, u32 slot, u64 mask)
{
	u32 l;

	EACH_LANE(l, mask)
		out[l] = slot == NOWHERE ? 0 : *sx_slot(b, slot, l);
}

/* 8.8 to binary32. */
static u32 mx_tex_from_fixed(u32 v)
{
	u32 f = px_s32_to_f32((s16)v);

	return f ? f - (8 << 23) : 0;
}

/* Binary32 to 8.8, saturated. */
static u32 mx_tex_to_fixed(u32 f)
{
	s32 v;

	if ((f & 0x7fffffff) < 0x3b000000)
		return 0;
	if ((f & 0x7fffffff) > 0x7f800000)
		return 0;
	v = (f & 0x7fffffff) >= 0x43000000 ? (f >> 31 ? -0x8000 : 0x7fff) :
	    px_f32_to_s32(f + (8 << 23));
	return (u32)v & 0xffff;
}

static void set_offsets(struct tx_request *q, const struct simt_block *b, const struct texc *t)
{
	u32 l;

	q->offsets = t->offset != NOWHERE;
	if (!q->offsets)
		return;
	EACH_LANE(l, b->mask) {
		tx_offset(q, l, *sx_slot(b, t->offset, l));
		q->sample[l] = *sx_slot(b, t->offset, l) >> 24;
	}
}

static void set_fetch(struct tx_request *q, const struct simt_block *b, const struct texc *t)
{
	u32 l, w;

	if (t->lod >= TEXC_FETCH_GATHER) {
		q->op = TX_OP_GATHER;
		q->comp = t->lod - TEXC_FETCH_GATHER;
		q->lod_mode = TX_LOD_ZERO;
		return;
	}
	q->op = TX_OP_FETCH;
	q->ms = q->offsets;
	EACH_LANE(l, b->mask) {
		w = *sx_slot(b, t->level, l);
		q->lod[l] = (w & 0xffff) >> 8;
		q->face[l] = w >> 16;
	}
}

/* Set the LOD; with a bias the upper half is the minimum LOD. */
static void set_lod(struct tx_request *q, const struct simt_block *b, const struct texc *t)
{
	u32 l, w;

	switch (t->lod) {
	case TEXC_LOD_ZERO:
		q->lod_mode = TX_LOD_ZERO;
		return;
	case TEXC_LOD_COMPUTED:
		q->lod_mode = TX_LOD_COMPUTED;
		return;
	case TEXC_LOD_BIAS:
		q->lod_mode = TX_LOD_BIAS;
		q->bounded = true;
		break;
	default:
		q->lod_mode = TX_LOD_EXPLICIT;
		break;
	}
	EACH_LANE(l, b->mask) {
		w = *sx_slot(b, t->level, l);
		q->lod[l] = mx_tex_from_fixed(w);
		q->bound[l] = w >> 16;
	}
}

static void set_gradient(struct tx_request *q, const struct simt_block *b, const struct texc *t)
{
	u32 i, n = t->dim == TX_DIM_1D ? 1 : t->dim == TEXC_Z ? 3 : 2;

	q->op = TX_OP_LOD;
	q->lod_mode = TX_LOD_COMPUTED;
	if (t->op == TEXC_GRDESC)
		return;
	q->lod_mode = TX_LOD_GRAD;
	for (i = 0; i < 3; i++) {
		memcpy(q->grad[0][i], q->coord[i], sizeof(q->coord[i]));
		mx_tex_copy_slot(q->grad[1][i], b, i < n ? t->dy + i : NOWHERE, b->mask);
		mx_tex_fill(q->coord[i], b->mask, 0);
	}
	if (n == 1)
		mx_tex_fill(q->grad[0][1], b->mask, 0);
	mx_tex_fill(q->lod, b->mask, 0);
}

static void mx_tex_set_operands(const struct simt_machine *m, struct tx_request *q,
				const struct simt_block *b, const struct simt_uop *u,
				const struct texc *t)
{
	mx_copy_src(m, q->coord[0], b, u, 0);
	mx_copy_src(m, q->coord[1], b, u, 1);
	mx_tex_copy_slot(q->coord[2], b, t->z, b->mask);
	mx_tex_copy_slot(q->layer, b, t->layer, b->mask);
	mx_tex_copy_slot(q->ref, b, t->ref, b->mask);
	mx_tex_fill(q->face, b->mask, 0);
	q->array = t->layer != NOWHERE;
	q->shadow = t->ref != NOWHERE;
	set_offsets(q, b, t);
	if (t->dim == TX_DIM_CUBE && !(t->op == TEXC_FETCH && t->lod == TEXC_FETCH_TEXEL))
		mx_tex_split_face(q, b->mask);
	if (t->op == TEXC_TEX)
		set_lod(q, b, t);
	else if (t->op == TEXC_FETCH)
		set_fetch(q, b, t);
	else
		set_gradient(q, b, t);
}

/* ---- TEXC ---- */

/* Write a gradient descriptor; only its LOD is defined, for a later TEXC. */
static void put_gradient(struct tx_request *q, const struct simt_block *b,
			 const struct simt_uop *u, const struct texc *t)
{
	const u32 *lod = q->result[t->flags & NO_CLAMP ? 1 : 0];
	u32 l, i;

	EACH_LANE(l, q->mask) {
		for (i = 0; i < 4; i++) {
			if (t->mask >> i & 1)
				*sx_slot(b, u->d + i, l) = i ? 0 : mx_tex_to_fixed(lod[l]);
		}
	}
}

static u32 index_of(const struct simt_block *b, u32 imm, u32 slot, u32 lane)
{
	return slot == NOWHERE ? imm : *sx_slot(b, slot, lane);
}

/* Lanes of @mask that use the texture and sampler of the first one. */
static u64 same_indices(const struct simt_block *b, const struct texc *t, u64 mask)
{
	if (t->texture_at != NOWHERE)
		mask = sx_same_slot(b, t->texture_at, mask);
	return t->sampler_at != NOWHERE ? sx_same_slot(b, t->sampler_at, mask) : mask;
}

/* Execute a request for lanes with the same texture and sampler. */
static bool one_request(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
			struct tx_request *q, const struct texc *t)
{
	u32 first = __ffs64(q->mask);

	if (!mx_tex_bind(m, q, index_of(b, t->texture, t->texture_at, first),
			 index_of(b, t->sampler, t->sampler_at, first)) ||
	    !tx_exec(m, q, MALI_RUN_BAD_FORMAT))
		return false;
	if (q->op == TX_OP_LOD) {
		put_gradient(q, b, u, t);
		return true;
	}
	clamp_results(q, t->format < 8 ? t->format & 3 : 0);
	return mx_tex_deliver(m, q, regfmts[t->format], t->mask, sx_slot(b, u->d, 0));
}

/* Single texture: lanes @left are pending, @mask of them have this descriptor word. */
static bool mx_tex_single(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
			  u64 mask, u32 w, u64 left)
{
	struct mali_run *r = simt_machine_arg(m);
	struct tx_request *q = r->req;
	struct texc t;
	u64 lanes;

	if (!mx_tex_decode(w, u->d2, &t))
		return mx_refuse_value(m, mask, MALI_RUN_BAD_TEXOP, 0, w);
	/* results may overwrite the operands */
	if (!(r->held & mask)) {
		tx_begin(q, b->mask);
		mx_tex_set_operands(m, q, b, u, &t);
	}
	for (r->held = mask; r->held; r->held &= ~lanes) {
		lanes = same_indices(b, &t, r->held);
		q->mask = lanes;
		if (!one_request(m, b, u, q, &t))
			return false;
		left &= ~lanes;
		if (simt_ext_pause(m, left)) {
			r->held &= ~lanes;
			return true;
		}
	}
	return true;
}

/* Fetch one of the two textures of a dual operation. */
static bool half(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u, u64 mask,
		 u32 indices, u32 format, u32 comps, u32 slot)
{
	struct tx_request *q = mx_tex_request(m, b->mask);

	q->mask = mask;
	mx_copy_src(m, q->coord[0], b, u, 0);
	mx_copy_src(m, q->coord[1], b, u, 1);
	if (!mx_tex_bind(m, q, indices >> 2 & 3, indices & 3) || !mx_tex_run(m, q, false))
		return false;
	clamp_results(q, format & 3);
	return mx_tex_deliver(m, q, regfmts[format], comps, sx_slot(b, slot, 0));
}

/* Registers from the first one to that of the last component. */
static u32 registers(u32 comps)
{
	u32 n = 4;

	while (n && !(comps >> (n - 1) & 1))
		n--;
	return n;
}

/* Dual texture: both at the same coordinates, with computed LOD. */
static bool dual(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u, u64 mask,
		 u32 w)
{
	u32 second = w >> 12 & 63, comps = w >> 21 & 15;

	if (w >> 10 & 1 || second + registers(comps) > 64)
		return mx_refuse_value(m, mask, MALI_RUN_BAD_TEXOP, 0, w);
	/* the first texture's sampler and texture fields are not adjacent */
	return half(m, b, u, mask, (w & 3) | (w >> 4 & 3) << 2, w >> 25 & 7, w >> 28, u->d) &&
	       half(m, b, u, mask, w >> 6 & 15, w >> 18 & 7, comps, second);
}

bool mx_texc(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 left = simt_ext_lanes(m, b), lanes;
	struct mali_run *r = simt_machine_arg(m);
	bool ok = true;
	u32 w;

	if (!simt_ext_resumes(m))
		r->held = 0;
	for (; left && ok && !simt_ext_paused(m); left &= ~lanes) {
		w = sx_src(b, u, 2, __ffs64(left));
		lanes = sx_same(b, u, 2, left);
		if (w >> 11 & 1 || (w >> 2 & 3) != TEXC_DUAL) {
			ok = mx_tex_single(m, b, u, lanes, w, left);
			continue;
		}
		ok = dual(m, b, u, lanes, w);
		simt_ext_pause(m, left & ~lanes);
	}
	return ok;
}
