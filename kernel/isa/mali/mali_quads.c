// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fragment works on blocks of quads in a tile buffer: pixels, tests, varyings.
 */
#include "mali_run_int.h"

#define CENTRE		(VR_ONE / 2)
#define PRIM_COST	8	/* weight of a primitive in a block */

int mali_quads_begin(struct mali_run *run)
{
	struct mali_quads *in = run->w.frag->quads;
	struct mali_raster *r = run->r;
	struct mali_quad_run *q;
	u32 i;

	if (run->w.frag->ntargets > in->tile->ntargets || in->nblocks > MALI_QUADS_BLOCKS)
		return -ENOEXEC;
	q = simt_arena_alloc(run->arena, 1, sizeof(*q));
	if (!q)
		return -ENOMEM;
	q->in = in;
	r->q = q;
	r->nsamples = in->tile->samples;
	for (i = 0; i < run->w.frag->ntargets; i++) {
		r->target[i] = (struct mali_surf){ .format = in->tile->format[i],
						   .tile = in->tile, .number = i };
		r->target[i].t.va = in->tile->format[i].bytes != 0;
	}
	return 0;
}

/* ---- pixels ---- */

const struct mali_quad_prim *mali_quads_prim(const struct mali_quad_run *q, u32 lane)
{
	return &q->in->prim[q->block->quad[lane / 4].slot];
}

u8 *mali_quads_pixel(const struct mali_surf *s, u32 x, u32 y, u32 sample)
{
	u32 at = vr_tile_index(s->tile, x, y) + 4 * sample + (x & 1) + 2 * (y & 1);

	return s->tile->colour[s->number] + at * s->format.bytes;
}

static const struct vr_plane *plane_of(struct mali_quads *in, u32 slot, enum vs_simd simd)
{
	struct mali_quad_prim *p = &in->prim[slot];

	if (!p->planed)
		vr_plane(simd, &p->plane, &p->p, &in->depth, p->z);
	p->planed = true;
	return &p->plane;
}

/* Pixels of a quad. Return: lanes with samples, the quad's first in bit 0. */
static u32 place_quad(struct simt_machine *m, u32 i)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	const struct vr_batch *b = r->q->block;
	u32 x = b->quad[i].x, y = b->quad[i].y, k, s, lanes = 0, z[4 * VR_MAX_SAMPLES];
	u16 *at_x = r->x + 4 * i, *at_y = r->y + 4 * i, *at = r->cover + 4 * i;
	enum vs_simd simd = simt_machine_simd(m);
	u32 cover = vr_plane_quad(simd, plane_of(r->q->in, b->quad[i].slot, simd), x, y,
				  b->quad[i].cover, z);

	if (run->w.frag->flags & MALI_FRAG_PER_SAMPLE)
		cover &= 0x1111 << r->sample;
	for (k = 0; k < 4; k++) {
		at_x[k] = x + (k & 1);
		at_y[k] = y + (k >> 1);
		at[k] = VR_PIXEL(cover, k);
		lanes |= (u32)!!at[k] << k;
	}
	for (s = 0; s < r->nsamples; s++)
		memcpy(r->z[s] + 4 * i, z + 4 * s, 4 * sizeof(*z));
	return lanes;
}

u64 mali_quads_place(struct simt_machine *m, u32 n)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_quad_run *q = run->r->q;
	u64 lanes = 0;
	u32 i;

	q->block = &q->in->block[n];
	q->known = 0;
	q->moved = false;
	for (i = 0; i < q->block->n; i++)
		lanes |= (u64)place_quad(m, i) << (4 * i);
	return lanes;
}

/* ---- depth and stencil ---- */

static u32 test_quad(const struct mali_run *run, u32 i, u32 cover, u32 what)
{
	const struct mali_raster *r = run->r;
	const struct mali_quads *in = r->q->in;
	u32 flags = run->w.frag->flags, z[4 * VR_MAX_SAMPLES], s, k;
	const u32 *ref = flags & MALI_FRAG_SHADER_S ? &r->ref[4 * i] : NULL;

	for (s = 0; s < r->nsamples; s++)
		for (k = 0; k < 4; k++)
			z[4 * s + k] = r->z[flags & MALI_FRAG_SHADER_Z ? 0 : s][4 * i + k];
	return vr_tile_zs(in->tile, &in->zs, mali_quads_prim(r->q, 4 * i)->p.back, r->x[4 * i],
			  r->y[4 * i], cover, z, ref, what);
}

/* Nothing is tested or written: samples are counted. */
static u64 count_samples(struct mali_raster *r, u64 lanes, u32 what)
{
	u64 left = 0;
	u32 l;

	EACH_LANE(l, lanes) {
		if (!r->cover[l])
			continue;
		left |= BIT_ULL(l);
		if (what & VR_ZS_WRITE)
			r->q->in->tile->passed += hweight32(r->cover[l]);
	}
	return left;
}

u64 mali_quads_zs(struct simt_machine *m, u64 lanes, u32 what)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	u32 vr = (what & MALI_ZS_TEST ? VR_ZS_TEST : 0) | (what & MALI_ZS_WRITE ? VR_ZS_WRITE : 0);
	u32 i, k, cover;
	u64 left = 0;

	simt_charge(m, hweight64(lanes) * r->nsamples);
	if (!vr_zs_enabled(r->q->in->tile, &r->q->in->zs))
		return count_samples(r, lanes, vr);
	for (i = 0; i < r->q->block->n; i++) {
		if (!(lanes >> (4 * i) & 15))
			continue;
		cover = 0;
		for (k = 0; k < 4; k++)
			if (lanes >> (4 * i + k) & 1)
				cover |= r->cover[4 * i + k] << (4 * k);
		cover = test_quad(run, i, cover, vr);
		for (k = 0; k < 4; k++) {
			if (!(lanes >> (4 * i + k) & 1))
				continue;
			r->cover[4 * i + k] = VR_PIXEL(cover, k);
			if (VR_PIXEL(cover, k))
				left |= BIT_ULL(4 * i + k);
		}
	}
	return left;
}

void mali_quads_fixed(struct mali_quads *in, u32 block, enum vs_simd simd)
{
	const struct vr_batch *b = &in->block[block];
	u32 i, x, y, cover, z[4 * VR_MAX_SAMPLES];

	for (i = 0; i < b->n; i++) {
		x = b->quad[i].x;
		y = b->quad[i].y;
		cover = vr_plane_quad(simd, plane_of(in, b->quad[i].slot, simd), x, y,
				      b->quad[i].cover, z);
		vr_tile_zs(in->tile, &in->zs, in->prim[b->quad[i].slot].p.back, x, y, cover, z,
			   NULL, VR_ZS_TEST | VR_ZS_WRITE);
	}
}

/* ---- varyings ---- */

void mali_quads_at(struct mali_quad_run *q, u32 lane, s32 x, s32 y)
{
	u32 l;

	for (l = 0; l < SIMT_LANES && !q->moved; l++) {
		q->at[l][0] = CENTRE;
		q->at[l][1] = CENTRE;
	}
	q->moved = true;
	if (q->at[lane][0] == x && q->at[lane][1] == y)
		return;
	q->at[lane][0] = (s16)x;
	q->at[lane][1] = (s16)y;
	q->known = 0;
}

static const struct vr_weights *weights(struct simt_machine *m, bool perspective)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_quad_run *q = run->r->q;
	const struct mali_quad_prim *p;
	const s16 (*at)[2] = NULL;
	u32 i;

	if (q->known >> perspective & 1)
		return &q->w[perspective];
	q->known |= 1U << perspective;
	for (i = 0; i < q->block->n; i++) {
		p = mali_quads_prim(q, 4 * i);
		if (q->moved)
			at = (const s16 (*)[2])q->at[4 * i];
		vr_weights_quad(simt_machine_simd(m), &q->w[perspective], i, &p->p,
				perspective ? p->inv_w : NULL, q->block->quad[i].x,
				q->block->quad[i].y, at);
	}
	simt_charge(m, 2 * SIMT_LANES);
	return &q->w[perspective];
}

static u32 quads_of(u64 lanes)
{
	u32 i, quads = 0;

	for (i = 0; i < VR_QUADS; i++)
		if (lanes >> (4 * i) & 15)
			quads |= BIT(i);
	return quads;
}

/* Read a varying at the corners of the quads' primitives. */
static bool read_corners(struct simt_machine *m, u64 mask, const struct mali_elem *e, u32 quads)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_quad_run *q = run->r->q;
	u32 i, k, n, before = VR_QUADS;
	const struct mali_quad_prim *p;

	for (i = 0; i < q->block->n; i++) {
		if (!(quads >> i & 1))
			continue;
		if (before < VR_QUADS && q->block->quad[before].slot == q->block->quad[i].slot) {
			memcpy(q->corner[i], q->corner[before], sizeof(q->corner[i]));
			continue;
		}
		before = i;
		p = mali_quads_prim(q, 4 * i);
		n = p->p.kind == VR_TRIANGLE ? 3 : p->p.kind == VR_LINE ? 2 : 1;
		memset(q->corner[i], 0, sizeof(q->corner[i]));
		for (k = 0; k < n; k++)
			if (!mx_read_elem(m, mask, e, p->vertex[k], q->corner[i][k]))
				return false;
		simt_charge(m, PRIM_COST);
	}
	return true;
}

bool mali_quads_varying(struct simt_machine *m, u64 mask, const struct mali_elem *e, u32 comps,
			bool perspective, bool flat, u32 v[][SIMT_LANES])
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_quad_run *q = run->r->q;
	u32 quads = quads_of(mask), i, k, c, l;

	if (!read_corners(m, mask, e, quads))
		return false;
	for (c = 0; c < comps && flat; c++)
		EACH_LANE(l, mask)
			v[c][l] = q->corner[l / 4][mali_quads_prim(q, l)->provoking][c];
	for (c = 0; c < comps && !flat; c++) {
		for (i = 0; i < VR_QUADS; i++)
			for (k = 0; k < 3; k++)
				q->v[i][k] = q->corner[i][k][c];
		vr_interpolate(simt_machine_simd(m), weights(m, perspective), quads,
			       (const u32 (*)[3])q->v, q->out);
		/* others of a quad may wait with their operands in @v */
		EACH_LANE(l, mask)
			v[c][l] = q->out[l];
	}
	return true;
}

void mali_quads_inv_w(struct simt_machine *m, u64 mask, u32 *out)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_quad_run *q = run->r->q;
	u32 i;

	for (i = 0; i < q->block->n; i++)
		memcpy(q->v[i], mali_quads_prim(q, 4 * i)->inv_w, sizeof(q->v[i]));
	vr_interpolate(simt_machine_simd(m), weights(m, false), quads_of(mask),
		       (const u32 (*)[3])q->v, out);
}

void mali_quads_z(struct simt_machine *m, u64 mask, u32 *out)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_quad_run *q = run->r->q;
	struct vr_plane plane;
	u32 i;

	for (i = 0; i < q->block->n; i++) {
		if (!(mask >> (4 * i) & 15))
			continue;
		plane = mali_quads_prim(q, 4 * i)->plane;
		plane.samples = 1;
		vr_plane_quad(simt_machine_simd(m), &plane, q->block->quad[i].x,
			      q->block->quad[i].y, 0, out + 4 * i);
	}
}

void mali_quads_point(struct simt_machine *m, u64 mask, bool up, u32 *s, u32 *t)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	enum vs_simd simd = simt_machine_simd(m);
	const struct vr_prim *p;
	s32 x, y, size;
	u32 l;

	EACH_LANE(l, mask) {
		p = &mali_quads_prim(r->q, l)->p;
		s[l] = 0;
		t[l] = 0;
		if (p->kind != VR_POINT)
			continue;
		/* 1/512 pixels */
		size = 2 * (s32)p->size;
		x = (s32)((2 * r->x[l] + 1) * VR_ONE - p->at[0]);
		y = (s32)((2 * r->y[l] + 1) * VR_ONE - p->at[1]);
		s[l] = mali_fp_ratio(simd, x, size);
		t[l] = mali_fp_ratio(simd, up ? size - y : y, size);
	}
}
