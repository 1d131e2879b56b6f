// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Rasterizer: pixel coverage of primitives, assignment of quads to lanes.
 */
#include "mali_lanes.h"
#include "mali_raster.h"

#define SUBPIXEL	8
#define ONE		256	/* units per pixel */
#define HALF		128

/* Binary32 to 1/256, nearest. Return: false if it is NaN or beyond MALI_MAX_FB. */
static bool to_fixed(u32 bits, s32 *out)
{
	u32 e = bits >> 23 & 0xff, mant = (bits & 0x7fffff) | 0x800000, shift;

	*out = 0;
	/* 2^16 */
	if ((bits & 0x7fffffff) > 143U << 23)
		return false;
	if (e < 150 - SUBPIXEL - 24)
		return true;
	if (e >= 150 - SUBPIXEL) {
		*out = mant << (e - (150 - SUBPIXEL));
	} else {
		shift = 150 - SUBPIXEL - e;
		*out = (mant + (1U << (shift - 1))) >> shift;
	}
	if (bits >> 31)
		*out = -*out;
	return true;
}

static s64 edge(const s32 *a, const s32 *b, s64 x, s64 y)
{
	return (s64)(b[0] - a[0]) * (y - a[1]) - (s64)(b[1] - a[1]) * (x - a[0]);
}

void mali_frag_edges(const struct mali_raster *r, s64 x, s64 y, s64 e[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		e[i] = edge(r->at[(i + 1) % 3], r->at[(i + 2) % 3], x, y) * r->sign;
}

/* Top-left rule: is a point on this edge inside? True for one of two adjacent triangles. */
static bool owns(const struct mali_raster *r, u32 i)
{
	const s32 *a = r->at[(i + 1) % 3], *b = r->at[(i + 2) % 3];
	s32 dx = (b[0] - a[0]) * r->sign, dy = (b[1] - a[1]) * r->sign;

	return dy < 0 || (!dy && dx > 0);
}

static bool in_point(const struct mali_raster *r, s32 x, s32 y)
{
	s32 dx = 2 * (x - r->at[0][0]) + r->size, dy = 2 * (y - r->at[0][1]) + r->size;

	return dx >= 0 && dy >= 0 && dx < 2 * r->size && dy < 2 * r->size;
}

/* Set a lane's edges, which varyings use. Return: the pixel is covered; not of triangles. */
static bool cover(struct mali_raster *r, u32 prim, u32 l)
{
	r->fp.e[0][l] = 1;
	r->fp.e[1][l] = 0;
	r->fp.e[2][l] = 0;
	return prim == MALI_PRIM_RECT ||
	       in_point(r, r->x[l] * ONE + HALF, r->y[l] * ONE + HALF);
}

/* Compute an edge in the lanes of whole quads, which varyings use. Return: those inside. */
static u64 cover_edge(struct mali_raster *r, u32 i, u64 lanes)
{
	const s32 *a = r->at[(i + 1) % 3], *b = r->at[(i + 2) % 3];
	s64 dx = -(s64)(b[1] - a[1]) * r->sign * ONE, dy = (s64)(b[0] - a[0]) * r->sign * ONE;
	s64 least = owns(r, i) ? 0 : 1, *e = r->fp.e[i], first;
	u64 in = 0;
	u32 l;

	for (l = 0; l < SIMT_LANES; l += 4) {
		if (!(lanes >> l & 15))
			continue;
		first = edge(a, b, r->x[l] * ONE + HALF, r->y[l] * ONE + HALF) * r->sign;
		e[l] = first;
		e[l + 1] = first + dx;
		e[l + 2] = first + dy;
		e[l + 3] = first + dx + dy;
		in |= (u64)((e[l] >= least) | (e[l + 1] >= least) << 1 |
			    (e[l + 2] >= least) << 2 | (e[l + 3] >= least) << 3) << l;
	}
	return in;
}

/* ---- preparation ---- */

static bool read_corners(struct mali_raster *r, const struct mali_frag *f)
{
	u32 i, n = f->prim == MALI_PRIM_TRIANGLE ? 3 : f->prim == MALI_PRIM_POINT ? 1 : 0;
	s64 area;

	for (i = 0; i < 3; i++)
		r->fp.inv_w[i] = f->vertex[i][3];
	for (i = 0; i < n; i++) {
		if (!to_fixed(f->vertex[i][0], &r->at[i][0]) ||
		    !to_fixed(f->vertex[i][1], &r->at[i][1]))
			return false;
	}
	if (f->prim == MALI_PRIM_POINT)
		return to_fixed(f->point_size, &r->size) && r->size > 0;
	area = edge(r->at[0], r->at[1], r->at[2][0], r->at[2][1]);
	r->sign = area < 0 ? -1 : 1;
	/* no area: nothing is covered */
	if (!area && n)
		r->nquads = 0;
	return true;
}

bool mali_raster_begin(struct mali_raster *r, const struct mali_frag *f)
{
	if (f->x % 2 || f->y % 2 || f->x > MALI_MAX_FB || f->width > MALI_MAX_FB - f->x ||
	    f->y > MALI_MAX_FB || f->height > MALI_MAX_FB - f->y || f->prim >= MALI_NUM_PRIMS)
		return false;
	r->qwidth = DIV_ROUND_UP(f->width, 2);
	r->nquads = (u64)r->qwidth * DIV_ROUND_UP(f->height, 2);
	return read_corners(r, f);
}

/* ---- blocks ---- */

u64 mali_raster_place(struct mali_raster *r, const struct mali_frag *f, u64 first)
{
	u64 lanes = 0;
	u32 i, k, l, x, y;

	if (first >= r->nquads)
		return 0;
	x = first % r->qwidth;
	y = first / r->qwidth;
	for (i = 0; i < MALI_QUADS && first + i < r->nquads; i++) {
		for (k = 0; k < 4; k++) {
			l = 4 * i + k;
			r->x[l] = f->x + 2 * x + (k & 1);
			r->y[l] = f->y + 2 * y + (k >> 1);
		}
		lanes |= 15ULL << (4 * i);
		if (++x == r->qwidth) {
			x = 0;
			y++;
		}
	}
	return lanes;
}

u64 mali_raster_cover(struct mali_raster *r, const struct mali_frag *f, u64 lanes)
{
	bool triangle = f->prim == MALI_PRIM_TRIANGLE;
	u64 covered = 0, in = lanes;
	u32 l, i;

	for (i = 0; triangle && i < 3; i++)
		in &= cover_edge(r, i, lanes);
	EACH_LANE(l, in) {
		if ((triangle || cover(r, f->prim, l)) && r->x[l] - f->x < f->width &&
		    r->y[l] - f->y < f->height)
			covered |= BIT_ULL(l);
	}
	return covered;
}

bool mali_raster_inside(const struct mali_raster *r, const struct mali_frag *f, u32 lane, s32 x,
			s32 y)
{
	s32 px = r->x[lane] * ONE + x, py = r->y[lane] * ONE + y;
	bool in = true;
	s64 e[3];
	u32 i;

	if (r->x[lane] - f->x >= f->width || r->y[lane] - f->y >= f->height)
		return false;
	if (f->prim != MALI_PRIM_TRIANGLE)
		return f->prim == MALI_PRIM_RECT || in_point(r, px, py);
	mali_frag_edges(r, px, py, e);
	for (i = 0; i < 3; i++)
		in &= e[i] > 0 || (!e[i] && owns(r, i));
	return in;
}

u64 mali_whole_quads(u64 lanes)
{
	lanes |= lanes >> 1;
	lanes |= lanes >> 2;
	return (lanes & 0x1111111111111111ULL) * 15;
}

void mali_raster_point(const struct mali_raster *r, bool up, enum vs_simd simd, u64 mask, u32 *s,
		       u32 *t)
{
	s32 size = 2 * r->size, x, y;
	u32 l;

	EACH_LANE(l, mask) {
		x = 2 * (r->x[l] * ONE + HALF - r->at[0][0]) + r->size;
		y = 2 * (r->y[l] * ONE + HALF - r->at[0][1]) + r->size;
		if (up)
			y = size - y;
		s[l] = mali_fp_ratio(simd, x, size);
		t[l] = mali_fp_ratio(simd, y, size);
	}
}
