// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Coverage: a primitive in a tile, in blocks of 8 x 8 pixels, in quads.
 *
 * An edge that a tile or block is inside of is dropped; one that it is outside of ends the
 * tile or block. Values are exact as long as they matter: at most 2^61 at a tile's origin, where
 * a tile adds less than 2^61.
 *
 * Edges of a small primitive are packed: a word has the values at the four pixels of a quad in
 * units of 256, rounded down, plus 2^15: bit 15 of each says that the pixel is inside. If all
 * values of the box fit in 16 bits, sums of such words carry nothing from a pixel to the next.
 */
#include "vr_small.h"

#define LIMIT	((s64)BIT_ULL(61))
#define HALF	((s64)VR_PACKED_HALF)
#define ONES	VR_EACH_PIXEL(1)

static s64 limited(vr_s128 v)
{
	return v > LIMIT ? LIMIT : v < -LIMIT ? -LIMIT : (s64)v;
}

/* Least and largest value in a square without its rim of @near, less the one at its origin. */
static __always_inline void walk_span(const struct vr_edge *e, s64 near, u32 pixels, s64 *lo,
				      s64 *hi)
{
	s64 far = pixels * VR_ONE - near;

	*lo = e->a * (e->a > 0 ? near : far) + e->b * (e->b > 0 ? near : far);
	*hi = e->a * (e->a > 0 ? far : near) + e->b * (e->b > 0 ? far : near);
}

static void add_edge(struct vr_walk *w, const struct vr_edge *e, u32 samples, s64 at)
{
	u32 i = w->nedges++, s;
	s64 *place = w->place[i];
	s32 x, y;

	w->e[i] = at;
	w->a[i] = e->a * VR_ONE;
	w->b[i] = e->b * VR_ONE;
	walk_span(e, vr_sample_inset(samples), VR_BLOCK, &w->lo[i], &w->hi[i]);
	for (s = 0; s < samples; s++, place += 4) {
		vr_sample_place(samples, s, &x, &y);
		place[0] = e->a * x + e->b * y;
		place[1] = place[0] + w->a[i];
		place[2] = place[0] + w->b[i];
		place[3] = place[1] + w->b[i];
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

/* ---- packed edges ---- */

/*
 * Pack edge @i of sample @s, which is at @x and @y of a pixel. @at: its value at the first quad of
 * the box, which has @right + 1 columns and @down + 1 rows. Return: false: 16 bits are too few.
 */
static __always_inline bool pack_sample(struct vr_walk *w, const struct vr_edge *e, u32 i, u32 s,
					s32 x, s32 y, s64 at, s32 right, s32 down)
{
	s64 lo, hi;

	at = (at + e->a * x + e->b * y) >> VR_SUBPIXEL_BITS;
	lo = at + min_t(s64, e->a, 0) * right + min_t(s64, e->b, 0) * down;
	hi = at + max_t(s64, e->a, 0) * right + max_t(s64, e->b, 0) * down;
	w->packed[s][i] = (u64)(at + HALF) * ONES + (u64)e->a * VR_RIGHT_PIXELS +
			  (u64)e->b * VR_LOWER_PIXELS - (s ? w->packed[0][i] : 0);
	return (lo >= -HALF) & (hi < HALF);
}

static bool pack_samples(struct vr_walk *w, const struct vr_edge *e, u32 i, s64 at, s32 right,
			 s32 down)
{
	bool fits = true;
	s32 x, y;
	u32 s;

	for (s = 0; s < w->samples; s++) {
		vr_sample_place(w->samples, s, &x, &y);
		fits &= pack_sample(w, e, i, s, x, y, at, right, down);
	}
	return fits;
}

/* Pack the edges of a primitive. Return: false: it is not small. */
static bool pack_edges(struct vr_walk *w, const struct vr_prim *p)
{
	s32 x = w->x[0] & ~1, y = w->y[0] & ~1, right = (w->x[1] | 1) - x, down = (w->y[1] | 1) - y;
	const struct vr_edge *e = p->edge;
	bool fits = true;
	s64 at;
	u32 i, s;

	if (p->wide || right >= VR_SMALL || down >= VR_SMALL)
		return false;
	x = (x + (s32)w->tile[0]) * VR_ONE;
	y = (y + (s32)w->tile[1]) * VR_ONE;
	for (i = 0; i < p->nedges; i++, e++) {
		at = e->a * x + e->b * y + (s64)e->c;
		w->a[i] = e->a * 2 * ONES;
		w->b[i] = e->b * 2 * ONES;
		if (w->samples == 1)
			fits &= pack_sample(w, e, i, 0, VR_ONE / 2, VR_ONE / 2, at, right, down);
		else
			fits &= pack_samples(w, e, i, at, right, down);
	}
	w->plain = i == 3 && w->samples == 1;
	for (; i < VR_MAX_EDGES && !w->plain; i++) {
		w->a[i] = 0;
		w->b[i] = 0;
		for (s = 0; s < w->samples; s++)
			w->packed[s][i] = s ? 0 : ~0ULL;
	}
	return fits;
}

/* Values of packed edges at @x columns and @y rows of quads from the first one of the box. */
static __always_inline void packed_at(const struct vr_walk *w, u32 x, u32 y, u64 e[VR_MAX_EDGES])
{
	const u64 *at = w->packed[0];

	e[0] = at[0] + (u64)w->a[0] * x + (u64)w->b[0] * y;
	e[1] = at[1] + (u64)w->a[1] * x + (u64)w->b[1] * y;
	e[2] = at[2] + (u64)w->a[2] * x + (u64)w->b[2] * y;
	e[3] = w->plain ? ~0ULL : at[3] + (u64)w->a[3] * x + (u64)w->b[3] * y;
}

static __always_inline void packed_step(u64 e[VR_MAX_EDGES], const s64 by[VR_MAX_EDGES],
					bool plain)
{
	e[0] += (u64)by[0];
	e[1] += (u64)by[1];
	e[2] += (u64)by[2];
	if (!plain)
		e[3] += (u64)by[3];
}

/* Coverage of the quad with these values. @plain: of three edges and one sample of each pixel */
static __always_inline u64 packed_quad(const struct vr_walk *w, const u64 e[VR_MAX_EDGES],
				       bool plain)
{
	u64 cover = (e[0] & e[1] & e[2] & (plain ? ~0ULL : e[3])) >> 15 & ONES, in;
	const u64 *to;
	u32 s;

	for (s = 1; s < w->samples && !plain; s++) {
		to = w->packed[s];
		in = (e[0] + to[0]) & (e[1] + to[1]) & (e[2] + to[2]) & (e[3] + to[3]);
		cover |= (in >> 15 & ONES) << s;
	}
	return cover;
}

bool vr_walk_begin(struct vr_walk *w, const struct vr_prim *p, u32 tx, u32 ty)
{
	s64 at, lo, hi, near = vr_sample_inset(p->samples);
	const struct vr_edge *e;
	u32 i;

	if (tx >= VR_MAX_SIZE / VR_TILE || ty >= VR_MAX_SIZE / VR_TILE)
		return false;
	w->tile[0] = tx * VR_TILE;
	w->tile[1] = ty * VR_TILE;
	w->nedges = 0;
	w->samples = p->samples;
	w->full = VR_EACH_PIXEL(p->sample_mask);
	if (!overlap(w, p))
		return false;
	w->small = pack_edges(w, p);
	for (i = 0; i < p->nedges && !w->small; i++) {
		e = &p->edge[i];
		if (p->wide)
			at = limited((vr_s128)e->a * (w->tile[0] * VR_ONE) +
				     (vr_s128)e->b * (w->tile[1] * VR_ONE) + e->c);
		else
			at = e->a * (w->tile[0] * VR_ONE) + e->b * (w->tile[1] * VR_ONE) +
			     (s64)e->c;
		walk_span(e, near, VR_TILE, &lo, &hi);
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

/* @x, @y: of the block in the tile. Return: false: the block is outside. */
static bool find_edges(const struct vr_walk *w, u32 x, u32 y, struct inside *in)
{
	s64 e;
	u32 i;

	in->n = 0;
	for (i = 0; i < w->nedges; i++) {
		e = w->e[i] + w->a[i] * x + w->b[i] * y;
		if (e + w->hi[i] < 0)
			return false;
		if (e + w->lo[i] >= 0)
			continue;
		in->i[in->n] = i;
		in->e[in->n++] = e;
	}
	return true;
}

/* Values at a quad's origin. */
static __always_inline void edges_of_quad(const struct vr_walk *w, const struct inside *in, u32 qx,
					  u32 qy, s64 e[VR_MAX_EDGES])
{
	u32 i;

	for (i = 0; i < in->n; i++)
		e[i] = in->e[i] + w->a[in->i[i]] * (2 * qx) + w->b[in->i[i]] * (2 * qy);
}

/* Coverage of sample @s of four pixels. */
static __always_inline u64 cover_sample(const struct vr_walk *w, const struct inside *in,
					const s64 e[VR_MAX_EDGES], u32 s)
{
	u64 out[4] = {};
	const s64 *at;
	u32 i;

	for (i = 0; i < in->n; i++) {
		at = w->place[in->i[i]] + 4 * s;
		out[0] |= e[i] + at[0];
		out[1] |= e[i] + at[1];
		out[2] |= e[i] + at[2];
		out[3] |= e[i] + at[3];
	}
	return (~out[0] >> 63 | ~out[1] >> 63 << 16 | ~out[2] >> 63 << 32 | ~out[3] >> 63 << 48)
	       << s;
}

static __always_inline u64 cover_quad(const struct vr_walk *w, const struct inside *in,
				      const s64 e[VR_MAX_EDGES])
{
	u64 cover = cover_sample(w, in, e, 0);
	u32 s;

	for (s = 1; s < w->samples; s++)
		cover |= cover_sample(w, in, e, s);
	return cover;
}

/* Of two columns, or rows, from @at on: which are in @range? */
static u32 two_of(const u8 range[2], u32 at)
{
	return (at >= range[0] && at <= range[1]) | (at + 1 >= range[0] && at + 1 <= range[1]) << 1;
}

static const u64 columns[4] = { 0, 0x0000ffff0000ffffULL, 0xffff0000ffff0000ULL, ~0ULL };
static const u64 rows[4] = { 0, 0xffffffffULL, 0xffffffffULL << 32, ~0ULL };

/* First and last quad of a block at @at that has columns, or rows, in @range. */
static void quads_in(const u8 range[2], u32 at, u32 *from, u32 *to)
{
	*from = range[0] > at ? (range[0] - at) / 2 : 0;
	*to = min_t(u32, range[1] - at, VR_BLOCK - 1) / 2;
}

/* Are all columns, or rows, of a block at @at in @range? */
static bool is_within(const u8 range[2], u32 at)
{
	return range[0] <= at && range[1] >= at + VR_BLOCK - 1;
}

static void walk_fill_block(struct vr_block *b)
{
	u32 i;

	b->quads = 0xffff;
	for (i = 0; i < VR_QUADS; i++)
		b->cover[i] = ONES;
}

static void cover_block(const struct vr_walk *w, const struct inside *in, struct vr_block *b)
{
	u32 x = w->at[0] * VR_BLOCK, y = w->at[1] * VR_BLOCK, qx, qy, x0, x1, y1, i;
	u64 row, cover, column[4];
	s64 e[VR_MAX_EDGES];

	b->x = w->tile[0] + x;
	b->y = w->tile[1] + y;
	b->whole = !in->n && w->samples == 1 && w->full == ONES && is_within(w->x, x) &&
		   is_within(w->y, y);
	if (b->whole) {
		walk_fill_block(b);
		return;
	}
	b->quads = 0;
	quads_in(w->x, x, &x0, &x1);
	quads_in(w->y, y, &qy, &y1);
	for (qx = x0; qx <= x1; qx++)
		column[qx] = columns[two_of(w->x, x + 2 * qx)];
	for (; qy <= y1; qy++) {
		row = rows[two_of(w->y, y + 2 * qy)] & w->full;
		edges_of_quad(w, in, x0, qy, e);
		for (qx = x0; qx <= x1; qx++) {
			cover = row & column[qx];
			if (in->n)
				cover &= cover_quad(w, in, e);
			for (i = 0; i < in->n; i++)
				e[i] += 2 * w->a[in->i[i]];
			b->cover[4 * qy + qx] = cover;
			b->quads |= (u32)!!cover << (4 * qy + qx);
		}
	}
}

/* The same with packed edges. @plain: as w->plain */
static __always_inline void cover_packed(const struct vr_walk *w, struct vr_block *b, bool plain)
{
	u32 x = w->at[0] * (VR_BLOCK / 2), y = w->at[1] * (VR_BLOCK / 2), qx, qy, q;
	u32 x0 = w->x[0] / 2, x1 = w->x[1] / 2, y0 = w->y[0] / 2, y1 = w->y[1] / 2;
	u32 last = min(x1, x + VR_BLOCK / 2 - 1), end = min(y1, y + VR_BLOCK / 2 - 1);
	u64 row, cover, first[VR_MAX_EDGES], e[VR_MAX_EDGES];
	u32 from = max(x, x0), quads = 0;
	/* of the first column or row the second pixel is there, of the last one the first */
	const u64 left = columns[w->x[0] & 1 ? 2 : 3], right = columns[w->x[1] & 1 ? 3 : 1];
	const u64 top = rows[w->y[0] & 1 ? 2 : 3], bottom = rows[w->y[1] & 1 ? 3 : 1];

	b->x = w->tile[0] + 2 * x;
	b->y = w->tile[1] + 2 * y;
	b->whole = false;
	qy = max(y, y0);
	packed_at(w, from - x0, qy - y0, first);
	for (; qy <= end; qy++) {
		row = w->full & (qy == y0 ? top : ~0ULL) & (qy == y1 ? bottom : ~0ULL);
		e[0] = first[0];
		e[1] = first[1];
		e[2] = first[2];
		e[3] = first[3];
		q = 4 * (qy - y) + from - x;
		for (qx = from; qx <= last; qx++, q++) {
			cover = packed_quad(w, e, plain) & row & (qx == x0 ? left : ~0ULL) &
				(qx == x1 ? right : ~0ULL);
			b->cover[q] = cover;
			quads |= (u32)!!cover << q;
			packed_step(e, w->a, plain);
		}
		packed_step(first, w->b, plain);
	}
	b->quads = quads;
}

static void cover_small(const struct vr_walk *w, struct vr_block *b)
{
	if (w->plain)
		cover_packed(w, b, true);
	else
		cover_packed(w, b, false);
}

bool vr_walk_next(struct vr_walk *w, struct vr_block *b)
{
	struct inside in;

	while (w->at[1] * VR_BLOCK <= w->y[1]) {
		b->quads = 0;
		if (w->small)
			cover_small(w, b);
		else if (find_edges(w, w->at[0] * VR_BLOCK, w->at[1] * VR_BLOCK, &in))
			cover_block(w, &in, b);
		vr_walk_advance(w);
		if (b->quads)
			return true;
	}
	return false;
}

u64 vr_walk_quad(const struct vr_walk *w, u32 x, u32 y)
{
	u32 tx = x % VR_TILE, ty = y % VR_TILE;
	u64 cover = rows[two_of(w->y, ty)] & columns[two_of(w->x, tx)] & w->full;
	u64 packed[VR_MAX_EDGES];
	s64 e[VR_MAX_EDGES];
	struct inside in;

	if (cover && w->small) {
		packed_at(w, tx / 2 - w->x[0] / 2, ty / 2 - w->y[0] / 2, packed);
		return cover & packed_quad(w, packed, false);
	}
	if (!cover || !find_edges(w, tx & ~(VR_BLOCK - 1), ty & ~(VR_BLOCK - 1), &in))
		return 0;
	if (!in.n)
		return cover;
	edges_of_quad(w, &in, tx % VR_BLOCK / 2, ty % VR_BLOCK / 2, e);
	return cover & cover_quad(w, &in, e);
}
