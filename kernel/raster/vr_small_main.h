/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Small triangles, in integers of any width of vectors; SMALL_ENTRY(name) names the entry points.
 */
#include "vr_small.h"

/* Corners, and edges by the corner opposite to them; the fourth is one of them again. */
#define corner_words		s32 __attribute__((vector_size(16)))

#ifdef __AVX2__
#define PARTS		1
#else
#define PARTS		2
#endif

/* Pixels and quads of a row of a block, or of half of one. */
#define pixel_words		u16 __attribute__((vector_size(32 / PARTS)))
#define quad_words		u64 __attribute__((vector_size(32 / PARTS)))

#define MOST		(VR_SMALL * VR_ONE)	/* extent of a small triangle */
#define NEAR		0x47000000		/* 2^15, binary32 */
#define INFINITE	0x7f800000
#define MAGNITUDE	0x7fffffff

/* ---- setup ---- */

static __always_inline bool is_any(corner_words v)
{
	u64 half[2];

	memcpy(half, &v, sizeof(half));
	return half[0] | half[1];
}

static __always_inline corner_words of_each(s32 v)
{
	return (corner_words){ v, v, v, v };
}

/* Binary32 below 2^15 to 1/256, halves away from zero, as setup.c does. */
static __always_inline corner_words snapped(corner_words f)
{
	corner_words less = 141 - (f >> 23 & 0xff), sign = f >> 31, far = less > 31;

	f = (f & 0x7fffff) | 0x800000;
	f = ((f >> ((less & ~far) | (far & 31))) + 1) >> 1;
	return (f ^ sign) - sign;
}

/* Columns or rows with a sample between @lo and @hi. Return: false: there are none. */
static __always_inline bool reduce(s32 *from, s32 *to, s32 lo, s32 hi, s32 inset)
{
	*from = max(*from, (lo + inset - 1) >> VR_SUBPIXEL_BITS);
	*to = min(*to, (hi - inset) >> VR_SUBPIXEL_BITS);
	return *from <= *to;
}

/**
 * struct triangle - Corners that are near, 1/256 pixels
 * @x:		columns
 * @y:		rows
 * @at:		@x and @y
 * @lo:		least
 * @hi:		largest
 */
struct triangle {
	corner_words x, y;
	s32 at[2][4], lo[2], hi[2];
};

/* Return: false: a corner is not near, or behind the eye. */
static __always_inline bool snap(struct triangle *t, const struct vr_vertex v[3])
{
	corner_words c[3], xy, zw, w, far;
	u32 i;

	memcpy(c, v, sizeof(c));
	xy = __builtin_shufflevector(c[0], c[1], 0, 4, 1, 5);
	zw = __builtin_shufflevector(c[0], c[1], 2, 6, 3, 7);
	t->x = __builtin_shufflevector(xy, c[2], 0, 1, 4, 4);
	t->y = __builtin_shufflevector(xy, c[2], 2, 3, 5, 5);
	w = __builtin_shufflevector(zw, c[2], 2, 3, 7, 7);
	/* NaNs and infinities are not near; -0 is behind the eye */
	far = (t->x & MAGNITUDE) >= NEAR;
	far |= (t->y & MAGNITUDE) >= NEAR;
	far |= w < 0;
	far |= w >= INFINITE;
	if (is_any(far))
		return false;
	t->x = snapped(t->x);
	t->y = snapped(t->y);
	memcpy(t->at[0], &t->x, sizeof(t->x));
	memcpy(t->at[1], &t->y, sizeof(t->y));
	for (i = 0; i < 2; i++) {
		t->lo[i] = min3(t->at[i][0], t->at[i][1], t->at[i][2]);
		t->hi[i] = max3(t->at[i][0], t->at[i][1], t->at[i][2]);
	}
	return true;
}

/* Twice the area; positive if the corners go clockwise as seen. */
static __always_inline s64 area_of(const struct triangle *t)
{
	const s32 *x = t->at[0], *y = t->at[1];

	return (s64)(x[1] - x[0]) * (y[2] - y[0]) - (s64)(y[1] - y[0]) * (x[2] - x[0]);
}

enum vr_small SMALL_ENTRY(pixels)(s32 box[4], u32 flags, u32 samples, const struct vr_vertex v[3])
{
	s32 inset = vr_sample_inset(samples);
	struct triangle t;
	bool back;
	s64 area;

	if (!snap(&t, v))
		return VR_SMALL_NOT;
	if (!reduce(&box[0], &box[2], t.lo[0], t.hi[0], inset) ||
	    !reduce(&box[1], &box[3], t.lo[1], t.hi[1], inset))
		return VR_SMALL_EMPTY;
	area = area_of(&t);
	return area && !vr_is_culled(flags, area > 0, false, &back) ? VR_SMALL_SET :
								     VR_SMALL_EMPTY;
}

/* Pixels of the box in the tile. Return: false: there are none. */
static __always_inline bool place(struct vr_walk *w, const s32 box[4], s32 x, s32 y)
{
	if (box[0] >= x + VR_TILE || box[2] < x || box[1] >= y + VR_TILE || box[3] < y)
		return false;
	w->tile[0] = x;
	w->tile[1] = y;
	w->x[0] = max(box[0] - x, 0);
	w->x[1] = min(box[2] - x, VR_TILE - 1);
	w->y[0] = max(box[1] - y, 0);
	w->y[1] = min(box[3] - y, VR_TILE - 1);
	w->at[0] = w->x[0] / VR_BLOCK;
	w->at[1] = w->y[0] / VR_BLOCK;
	return true;
}

/**
 * struct edges - Edges of a triangle, 1/256 pixels
 * @x:		a point on each
 * @y:		"
 * @a:		as in struct vr_edge
 * @b:		"
 * @open:	-1 if the edge itself is not inside, else 0
 */
struct edges {
	corner_words x, y, a, b, open;
};

/* @turn: sign of the area */
static __always_inline void make_edges(struct edges *e, corner_words x, corner_words y, s32 turn)
{
	corner_words negative = of_each(turn < 0 ? -1 : 0);

	e->x = __builtin_shufflevector(x, x, 1, 2, 0, 1);
	e->y = __builtin_shufflevector(y, y, 1, 2, 0, 1);
	e->a = e->y - __builtin_shufflevector(y, y, 2, 0, 1, 2);
	e->b = __builtin_shufflevector(x, x, 2, 0, 1, 2) - e->x;
	e->a = (e->a ^ negative) - negative;
	e->b = (e->b ^ negative) - negative;
	e->open = ~((e->a > 0) | ((e->a == 0) & (e->b > 0)));
}

static __always_inline void keep_edge(struct vr_prim *p, const struct edges *e, u32 i)
{
	s64 a = e->a[i], b = e->b[i];

	p->edge[i].a = a;
	p->edge[i].b = b;
	p->edge[i].c = e->open[i] - (a * e->x[i] + b * e->y[i]);
	p->edge[i].open = -e->open[i];
}

static __always_inline void pack_edge(struct vr_walk *w, const struct edges *e, corner_words at,
				      u32 i)
{
	u64 a = (u64)(s64)e->a[i], b = (u64)(s64)e->b[i];

	w->packed[0][i] = (u64)at[i] * VR_EACH_PIXEL(1) + a * VR_RIGHT_PIXELS + b * VR_LOWER_PIXELS;
	w->a[i] = a * 2 * VR_EACH_PIXEL(1);
	w->b[i] = b * 2 * VR_EACH_PIXEL(1);
}

/* Return: false: 16 bits are too few for the values in the box. */
static __always_inline bool pack(struct vr_walk *w, const struct edges *e)
{
	s32 x = w->x[0] & ~1, y = w->y[0] & ~1, right = (w->x[1] | 1) - x, down = (w->y[1] | 1) - y;
	corner_words at, lo, hi, far, below_a = e->a < 0, below_b = e->b < 0;

	if (right >= VR_SMALL || down >= VR_SMALL)
		return false;
	x = (x + (s32)w->tile[0]) * VR_ONE + VR_ONE / 2;
	y = (y + (s32)w->tile[1]) * VR_ONE + VR_ONE / 2;
	at = (e->a * (x - e->x) + e->b * (y - e->y) + e->open) >> VR_SUBPIXEL_BITS;
	lo = at + (e->a & below_a) * right + (e->b & below_b) * down;
	hi = at + (e->a & ~below_a) * right + (e->b & ~below_b) * down;
	far = lo < -VR_PACKED_HALF;
	far |= hi >= VR_PACKED_HALF;
	if (is_any(far))
		return false;
	at += VR_PACKED_HALF;
	pack_edge(w, e, at, 0);
	pack_edge(w, e, at, 1);
	pack_edge(w, e, at, 2);
	return true;
}

enum vr_small SMALL_ENTRY(triangle)(struct vr_prim *p, struct vr_walk *w, const struct vr_state *st,
				    const struct vr_vertex v[3], const s32 *clip, u32 tx, u32 ty)
{
	const s32 inset = VR_ONE / 2;
	struct triangle t;
	struct edges e;
	s32 area;

	if (st->samples == 4 || st->samples == 8 || st->samples == 16 || !(st->sample_mask & 1) ||
	    st->flags & VR_RECTANGLE || !snap(&t, v) || t.hi[0] - t.lo[0] > MOST ||
	    t.hi[1] - t.lo[1] > MOST || !vr_state_box(p->box, st))
		return VR_SMALL_NOT;
	if (!reduce(&p->box[0], &p->box[2], t.lo[0], t.hi[0], inset) ||
	    !reduce(&p->box[1], &p->box[3], t.lo[1], t.hi[1], inset))
		return VR_SMALL_EMPTY;
	area = area_of(&t);
	if (!area || vr_is_culled(st->flags, area > 0, false, &p->back))
		return VR_SMALL_EMPTY;
	if (clip) {
		p->box[0] = max(p->box[0], clip[0]);
		p->box[1] = max(p->box[1], clip[1]);
		p->box[2] = min(p->box[2], clip[2]);
		p->box[3] = min(p->box[3], clip[3]);
		if (p->box[0] > p->box[2] || p->box[1] > p->box[3])
			return VR_SMALL_EMPTY;
	}
	if (!place(w, p->box, tx * VR_TILE, ty * VR_TILE))
		return VR_SMALL_EMPTY;
	make_edges(&e, t.x, t.y, area);
	if (!pack(w, &e))
		return VR_SMALL_NOT;
	w->small = true;
	w->plain = true;
	w->nedges = 0;
	w->samples = 1;
	w->full = VR_EACH_PIXEL(1);
	keep_edge(p, &e, 0);
	keep_edge(p, &e, 1);
	keep_edge(p, &e, 2);
	p->kind = VR_TRIANGLE;
	p->nedges = 3;
	p->wide = false;
	p->samples = 1;
	p->sample_mask = 1;
	memset(p->sign, 1, sizeof(p->sign));
	memset(p->exp, 0, sizeof(p->exp));
	memset(p->shift, 0, sizeof(p->shift));
	return VR_SMALL_SET;
}

/* ---- coverage ---- */

/* Of each pixel of a row of quads: its quad, column and row. */
static const u16 quad_of[16] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3 };
static const u16 column_of[16] = { 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7 };
static const u16 row_of[16] = { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1 };
static const u64 bit_of[4] = { 1, 2, 4, 8 };

/**
 * struct row - Pixels of a row of a block
 * @p:		vectors
 */
struct row {
	pixel_words p[PARTS];
};

static __always_inline struct row of_table(const u16 *table)
{
	struct row r;

	memcpy(&r, table, sizeof(r));
	return r;
}

static __always_inline pixel_words of_pixels(u16 v)
{
	return (pixel_words){} + v;
}

/*
 * Values of edge @i at a row of quads. @x, @y: columns and rows of quads from the box's first one
 */
static __always_inline struct row edge_row(const struct vr_walk *w, u32 i, struct row x,
					   pixel_words y)
{
	const quad_words none = {};
	const pixel_words first = (pixel_words)(none + w->packed[0][i]);
	const pixel_words a = of_pixels((u16)w->a[i]), b = of_pixels((u16)w->b[i]);
	u32 k;

	for (k = 0; k < PARTS; k++)
		x.p[k] = first + x.p[k] * a + y * b;
	return x;
}

/* All bits of columns or rows @at that are from 0 to @last; of others @at wraps. */
static __always_inline pixel_words inside(pixel_words at, pixel_words last)
{
	return (pixel_words)(at <= last);
}

static __always_inline void cover(const struct vr_walk *w, struct vr_block *b)
{
	s32 x = w->at[0] * VR_BLOCK, y = w->at[1] * VR_BLOCK;
	const pixel_words qx = of_pixels((u16)((x - (w->x[0] & ~1)) / 2));
	const pixel_words qy = of_pixels((u16)((y - (w->y[0] & ~1)) / 2));
	const pixel_words right = of_pixels((u16)(w->x[1] - w->x[0]));
	const pixel_words down = of_pixels((u16)(w->y[1] - w->y[0]));
	struct row e[3], quad = of_table(quad_of), column = of_table(column_of);
	struct row row = of_table(row_of);
	quad_words some = {}, bits;
	u64 set[4 / PARTS];
	pixel_words in;
	u32 i, k, n;

	b->x = w->tile[0] + x;
	b->y = w->tile[1] + y;
	b->whole = false;
	for (k = 0; k < PARTS; k++) {
		quad.p[k] += qx;
		column.p[k] = inside(column.p[k] - of_pixels((u16)(w->x[0] - x)), right);
		row.p[k] -= of_pixels((u16)(w->y[0] - y));
	}
	for (i = 0; i < 3; i++)
		e[i] = edge_row(w, i, quad, qy);
	for (n = 0; n < 4; n++) {
		for (k = 0; k < PARTS; k++) {
			in = e[0].p[k] & e[1].p[k] & e[2].p[k];
			in = in >> 15 & column.p[k] & inside(row.p[k], down);
			memcpy(&b->cover[4 * n + 4 / PARTS * k], &in, sizeof(in));
			memcpy(&bits, bit_of + 4 / PARTS * k, sizeof(bits));
			some |= (quad_words)((quad_words)in != 0) & (bits << (4 * n));
			for (i = 0; i < 3; i++)
				e[i].p[k] += (u16)w->b[i];
			row.p[k] += 2;
		}
	}
	memcpy(set, &some, sizeof(set));
	b->quads = set[0] | set[1];
	if (PARTS == 1)
		b->quads |= set[4 / PARTS - 2] | set[4 / PARTS - 1];
}

bool SMALL_ENTRY(next)(struct vr_walk *w, struct vr_block *b)
{
	while (w->at[1] * VR_BLOCK <= w->y[1]) {
		cover(w, b);
		vr_walk_advance(w);
		if (b->quads)
			return true;
	}
	return false;
}
