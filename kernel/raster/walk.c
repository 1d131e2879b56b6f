// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Coverage: a primitive in a tile, in blocks of 8 x 8 pixels, in quads.
 *
 * An edge that a tile or block is inside of is dropped; one that it is outside of ends the
 * tile or block. Values are exact as long as they matter: at most 2^61 at a tile's origin, where
 * a tile adds less than 2^61.
 */
#include "vs_raster.h"

#define LIMIT	((s64)BIT_ULL(61))

static s64 limited(vr_s128 v)
{
	return v > LIMIT ? LIMIT : v < -LIMIT ? -LIMIT : (s64)v;
}

/* Least and largest value of the samples in a square, less the one at its origin. */
static void span(const struct vr_edge *e, u32 samples, u32 pixels, s64 *lo, s64 *hi)
{
	s64 near = samples == 4 ? VR_ONE / 8 : VR_ONE / 2, far = pixels * VR_ONE - near;

	*lo = e->a * (e->a > 0 ? near : far) + e->b * (e->b > 0 ? near : far);
	*hi = e->a * (e->a > 0 ? far : near) + e->b * (e->b > 0 ? far : near);
}

static void add_edge(struct vr_walk *w, const struct vr_edge *e, u32 samples, s64 at)
{
	u32 i = w->nedges++, s, k;
	s32 x, y;

	w->e[i] = at;
	w->a[i] = e->a * VR_ONE;
	w->b[i] = e->b * VR_ONE;
	span(e, samples, VR_BLOCK, &w->lo[i], &w->hi[i]);
	for (s = 0; s < samples; s++) {
		vr_sample_place(samples, s, &x, &y);
		for (k = 0; k < 4; k++)
			w->place[i][4 * s + k] = e->a * (x + (k & 1) * VR_ONE) +
						 e->b * (y + (k >> 1) * VR_ONE);
	}
}

/* Where box and tile overlap, in pixels of the tile. */
static bool overlap(struct vr_walk *w, const struct vr_prim *p)
{
	s32 x = w->tile[0], y = w->tile[1];

	if (p->box[0] >= x + VR_TILE || p->box[2] < x || p->box[1] >= y + VR_TILE ||
	    p->box[3] < y)
		return false;
	w->x[0] = max(p->box[0] - x, 0);
	w->x[1] = min(p->box[2] - x, VR_TILE - 1);
	w->y[0] = max(p->box[1] - y, 0);
	w->y[1] = min(p->box[3] - y, VR_TILE - 1);
	w->at[0] = w->x[0] / VR_BLOCK;
	w->at[1] = w->y[0] / VR_BLOCK;
	return true;
}

bool vr_walk_begin(struct vr_walk *w, const struct vr_prim *p, u32 tx, u32 ty)
{
	const struct vr_edge *e;
	s64 at, lo, hi;
	u32 i;

	if (tx >= VR_MAX_SIZE / VR_TILE || ty >= VR_MAX_SIZE / VR_TILE)
		return false;
	w->tile[0] = tx * VR_TILE;
	w->tile[1] = ty * VR_TILE;
	w->nedges = 0;
	w->samples = p->samples;
	w->full = p->sample_mask * 0x1111;
	if (!overlap(w, p))
		return false;
	for (i = 0; i < p->nedges; i++) {
		e = &p->edge[i];
		at = limited((vr_s128)e->a * (w->tile[0] * VR_ONE) +
			     (vr_s128)e->b * (w->tile[1] * VR_ONE) + e->c);
		span(e, p->samples, VR_TILE, &lo, &hi);
		if (at + hi < 0)
			return false;
		if (at + lo < 0)
			add_edge(w, e, p->samples, at);
	}
	return true;
}

/* ---- blocks ---- */

/**
 * struct inside - Edges that cross a block.
 * @n:	number
 * @i:	which
 * @e:	values at the block's origin
 */
struct inside {
	u32 n;
	u8 i[VR_MAX_EDGES];
	s64 e[VR_MAX_EDGES];
};

/* Return: false: the block is outside. */
static bool find_edges(const struct vr_walk *w, struct inside *in)
{
	s64 e;
	u32 i;

	in->n = 0;
	for (i = 0; i < w->nedges; i++) {
		e = w->e[i] + w->a[i] * (w->at[0] * VR_BLOCK) + w->b[i] * (w->at[1] * VR_BLOCK);
		if (e + w->hi[i] < 0)
			return false;
		if (e + w->lo[i] >= 0)
			continue;
		in->i[in->n] = i;
		in->e[in->n++] = e;
	}
	return true;
}

static u32 cover_quad(const struct vr_walk *w, const struct inside *in, u32 qx, u32 qy)
{
	u32 n = 4 * w->samples, cover = 0, i, k;
	s64 e[VR_MAX_EDGES], out;

	for (i = 0; i < in->n; i++)
		e[i] = in->e[i] + w->a[in->i[i]] * (2 * qx) + w->b[in->i[i]] * (2 * qy);
	for (k = 0; k < n; k++) {
		out = 0;
		for (i = 0; i < in->n; i++)
			out |= e[i] + w->place[in->i[i]][k];
		cover |= (u32)(~(u64)out >> 63) << (4 * (k & 3) + (k >> 2));
	}
	return cover;
}

/* Of two columns, or rows, from @at on: which are in @range? */
static u32 two_of(const u8 range[2], u32 at)
{
	return (at >= range[0] && at <= range[1]) | (at + 1 >= range[0] && at + 1 <= range[1]) << 1;
}

static const u16 columns[4] = { 0, 0x0f0f, 0xf0f0, 0xffff };
static const u16 rows[4] = { 0, 0x00ff, 0xff00, 0xffff };

static void cover_block(const struct vr_walk *w, const struct inside *in, struct vr_block *b)
{
	u32 x = w->at[0] * VR_BLOCK, y = w->at[1] * VR_BLOCK, qx, qy, row, cover;

	b->x = w->tile[0] + x;
	b->y = w->tile[1] + y;
	b->quads = 0;
	memset(b->cover, 0, sizeof(b->cover));
	for (qy = 0; qy < 4; qy++) {
		row = rows[two_of(w->y, y + 2 * qy)] & w->full;
		for (qx = 0; row && qx < 4; qx++) {
			cover = row & columns[two_of(w->x, x + 2 * qx)];
			if (cover && in->n)
				cover &= cover_quad(w, in, qx, qy);
			b->cover[4 * qy + qx] = cover;
			b->quads |= !!cover << (4 * qy + qx);
		}
	}
}

bool vr_walk_next(struct vr_walk *w, struct vr_block *b)
{
	struct inside in;

	while (w->at[1] * VR_BLOCK <= w->y[1]) {
		b->quads = 0;
		if (find_edges(w, &in))
			cover_block(w, &in, b);
		if (++w->at[0] * VR_BLOCK > w->x[1]) {
			w->at[0] = w->x[0] / VR_BLOCK;
			w->at[1]++;
		}
		if (b->quads)
			return true;
	}
	return false;
}
