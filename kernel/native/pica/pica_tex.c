// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: texture units 0 to 2.
 *
 * Coordinates in texels, LOD and weights have 8 fractional bits, rounded down; a quad has one
 * LOD, of its largest difference. Neither is documented.
 */
#include "../../isa/pica/pica_launch.h"
#include "../../pixel/px_pack.h"
#include "pica_paint.h"

enum { WRAP_EDGE, WRAP_BORDER, WRAP_REPEAT, WRAP_MIRROR, WRAP_EDGE_BORDER, WRAP_BORDER2 };

#define HALF	128	/* a texel's half, 8 fractional bits */

/**
 * struct tex_at - Where a pixel reads.
 * @c:		s, t; binary32; not if @fixed is from the block
 * @fixed:	texel at level 0, 8 fractional bits
 * @face:	of a cube
 * @ref:	shadows: depth of the fragment, 24 bits
 */
struct tex_at {
	u32 c[2];
	s64 fixed[2];
	u32 face;
	u32 ref;
};

/* ---- texels ---- */

static u32 expand4(u32 v)
{
	return v * 17;
}

static void decode_small(u32 format, u32 v, u8 c[4])
{
	u32 rgb = 0, a = 255;

	switch (format) {
	case 7:
		rgb = v;
		break;
	case 8:
		a = v;
		break;
	case 9:
		rgb = expand4(v >> 4);
		a = expand4(v & 15);
		break;
	case 10:
		rgb = expand4(v);
		break;
	default:
		a = expand4(v);
		break;
	}
	c[0] = rgb;
	c[1] = rgb;
	c[2] = rgb;
	c[3] = a;
}

/* Formats of whole bytes. */
static bool byte_texel(struct pica_paint *p, u32 format, u64 va, u32 index, u8 c[4])
{
	static const u8 size[10] = { 4, 3, 2, 2, 2, 2, 2, 1, 1, 1 };
	u8 b[4];
	u32 i;

	if (!format) {
		if (!pica_get(&p->mem, PICA_MEM_TEXTURE, va + 4ULL * index, b, 4))
			return false;
		for (i = 0; i < 4; i++)
			c[i] = b[3 - i];
		return true;
	}
	if (!pica_get(&p->mem, PICA_MEM_TEXTURE, va + (u64)index * size[format], b, size[format]))
		return false;
	if (format <= 4) {
		pica_unpack_colour(format, b, c);
	} else if (format == 5) {
		c[0] = b[1];
		c[1] = b[1];
		c[2] = b[1];
		c[3] = b[0];
	} else if (format == 6) {
		c[0] = b[1];
		c[1] = b[0];
		c[2] = 0;
		c[3] = 255;
	} else {
		decode_small(format, b[0], c);
	}
	return true;
}

static bool nibble_texel(struct pica_paint *p, u32 format, u64 va, u32 index, u8 c[4])
{
	u8 b;

	if (!pica_get(&p->mem, PICA_MEM_TEXTURE, va + index / 2, &b, 1))
		return false;
	decode_small(format, b >> (4 * (index & 1)) & 15, c);
	return true;
}

/* Blocks of 4 x 4 texels, four of them in the order of the texels of a tile. */
static bool etc_texel(struct pica_paint *p, bool alpha, u64 va, u32 index, u8 c[4])
{
	u32 x = (index & 1) | (index >> 1 & 2), y = (index >> 1 & 1) | (index >> 2 & 2);
	u64 block[2] = {};
	u8 b[16];
	u32 i;

	va += (u64)(index / 16) * (alpha ? 16 : 8);
	if (!pica_get(&p->mem, PICA_MEM_TEXTURE, va, b, alpha ? 16 : 8))
		return false;
	for (i = 0; i < 16; i++)
		block[i / 8] |= (u64)(i < 8 || alpha ? b[i] : 0) << (8 * (i % 8));
	px_etc1(block[alpha], x, y, c);
	if (alpha)
		c[3] = expand4(block[0] >> (4 * (4 * x + y)) & 15);
	return true;
}

/* Number of a texel: the part of its column, and that of its row, counted downwards. */
static u32 column(u32 x)
{
	return x / 8 * 64 + pica_morton(x, 0, 3);
}

static u32 row(const struct pica_texunit *t, u32 level, u32 y)
{
	return y / 8 * (t->size[level][0] / 8 * 64) + pica_morton(0, y, 3);
}

static bool pica_tex_texel(struct pica_paint *p, const struct pica_texunit *t, u32 level, u32 face,
			   u32 index, u8 c[4])
{
	u64 va = t->addr[face] + t->offset[level];

	if (t->format <= 9)
		return byte_texel(p, t->format, va, index, c);
	if (t->format <= 11)
		return nibble_texel(p, t->format, va, index, c);
	if (t->format <= 13)
		return etc_texel(p, t->format == 13, va, index, c);
	memset(c, 0, 4);
	return true;
}

/* ---- wrapping ---- */

/* Sizes are powers of two but for hostile lists. */
static u32 modulo(u32 i, u32 size)
{
	return size & (size - 1) ? i % size : i & (size - 1);
}

/* Return: texel, or -1: the border's colour. */
static s32 wrap(u32 mode, s64 i, u32 size)
{
	s64 n = size;

	switch (mode) {
	case WRAP_EDGE:
		return clamp_t(s64, i, 0, n - 1);
	case WRAP_BORDER:
	case WRAP_BORDER2:
		return i < 0 || i >= n ? -1 : (s32)i;
	case WRAP_EDGE_BORDER:
		return i >= n ? -1 : (s32)max_t(s64, i, 0);
	case WRAP_MIRROR:
		i = (s32)modulo((u32)i, 2 * size);
		return i < n ? (s32)i : (s32)(2 * n - 1 - i);
	default:
		return (s32)modulo((u32)i, size);
	}
}

/**
 * struct axis - Where a coordinate reads, in one direction.
 * @at:		part of the texel's number
 * @border:	the border's colour
 */
struct axis {
	u32 at;
	bool border;
};

static struct axis get_column(const struct pica_texunit *t, u32 level, s64 i)
{
	s32 x = wrap(t->wrap[0], i, t->size[level][0]);

	return (struct axis){ column((u32)x), x < 0 };
}

/* The image's t grows upwards. */
static struct axis get_row(const struct pica_texunit *t, u32 level, s64 j)
{
	s32 y = wrap(t->wrap[1], j, t->size[level][1]);

	return (struct axis){ row(t, level, t->size[level][1] - 1 - (u32)y), y < 0 };
}

static bool wrapped(struct pica_paint *p, const struct pica_texunit *t, u32 level, u32 face,
		    const struct axis *x, const struct axis *y, u8 c[4])
{
	if (!x->border && !y->border)
		return pica_tex_texel(p, t, level, face, x->at + y->at, c);
	memcpy(c, t->border, 4);
	return true;
}

/* ---- filters ---- */

/* Texel at a level, 8 fractional bits. */
static s64 to_texels(const struct pica_texunit *t, u32 level, u32 axis, const struct tex_at *at)
{
	if (!level)
		return at->fixed[axis];
	return pica_fix(pf_mul(at->c[axis], t->fsize[level][axis]), 8);
}

static bool linear(struct pica_paint *p, const struct pica_texunit *t, u32 level,
		   const struct tex_at *at, u8 c[4])
{
	s64 u = to_texels(t, level, 0, at) - HALF;
	s64 v = to_texels(t, level, 1, at) - HALF;
	u32 fu = u & 255, fv = v & 255, i;
	struct axis x[2], y[2];
	u8 k[4][4];

	for (i = 0; i < 2; i++) {
		x[i] = get_column(t, level, (u >> 8) + i);
		y[i] = get_row(t, level, (v >> 8) + i);
	}
	for (i = 0; i < 4; i++) {
		if (!wrapped(p, t, level, at->face, &x[i & 1], &y[i >> 1], k[i]))
			return false;
	}
	for (i = 0; i < 4; i++)
		c[i] = ((k[0][i] * (256 - fu) + k[1][i] * fu) * (256 - fv) +
			(k[2][i] * (256 - fu) + k[3][i] * fu) * fv + 0x8000) >> 16;
	return true;
}

/* Texel of a coordinate with 8 fractional bits. */
static s64 pica_tex_nearest(const struct pica_frag *f, s64 at)
{
	if (f->switches & PICA_SW_TEXELS_TO_ZERO && at < 0)
		at += 255;
	return at >> 8;
}

static bool in_level(struct pica_paint *p, const struct pica_texunit *t, u32 level, bool smooth,
		     const struct tex_at *at, u8 c[4])
{
	struct axis x, y;

	if (smooth)
		return linear(p, t, level, at, c);
	x = get_column(t, level, pica_tex_nearest(p->frag, to_texels(t, level, 0, at)));
	y = get_row(t, level, pica_tex_nearest(p->frag, to_texels(t, level, 1, at)));
	return wrapped(p, t, level, at->face, &x, &y, c);
}

static bool filtered(struct pica_paint *p, const struct pica_texunit *t, s32 lod,
		     const struct tex_at *at, u8 c[4])
{
	bool smooth = lod <= 0 ? t->mag : t->min;
	u32 level, f, i;
	u8 next[4];

	lod = clamp_t(s32, lod, t->lod[0], t->lod[1]);
	if (!t->mip)
		lod = (lod + HALF) & ~255;
	level = lod >> 8;
	f = lod & 255;
	if (!in_level(p, t, level, smooth, at, c))
		return false;
	if (!f)
		return true;
	if (!in_level(p, t, level + 1, smooth, at, next))
		return false;
	for (i = 0; i < 4; i++)
		c[i] = (c[i] * (256 - f) + next[i] * f + HALF) >> 8;
	return true;
}

/* ---- level of detail ---- */

/* Pixels of a quad whose differences count. */
const u8 pica_quad_pair[4][2] = { { 0, 1 }, { 2, 3 }, { 0, 2 }, { 1, 3 } };

/**
 * pica_tex_log2_fixed - logarithm to base 2, linear between powers of two
 * @v: number with 8 fractional bits
 *
 * Return: with 8 fractional bits; of 0: -16.
 */
s32 pica_tex_log2_fixed(u64 v)
{
	s32 e = 0;

	if (!v)
		return -16 * 256;
	while (v >> (e + 1))
		e++;
	v -= 1ULL << e;
	return (e - 8) * 256 + (s32)(e >= 8 ? v >> (e - 8) : v << (8 - e));
}

static u64 apart(s64 a, s64 b)
{
	return a < b ? b - a : a - b;
}

static s32 quad_lod(const struct pica_texunit *t, const struct tex_at at[4])
{
	u64 most = 0;
	u32 i, k;

	if (!t->lod[1] && t->mag == t->min)
		return 0;
	for (i = 0; i < 4; i++) {
		const struct tex_at *a = &at[pica_quad_pair[i][0]];
		const struct tex_at *b = &at[pica_quad_pair[i][1]];

		if (a->face != b->face)
			continue;
		for (k = 0; k < 2; k++)
			most = max(most, apart(a->fixed[k], b->fixed[k]));
	}
	return pica_tex_log2_fixed(most) + t->bias;
}

/* ---- coordinates ---- */

/* Face and coordinates of a direction, as OpenGL has them; ties: x, then y. */
static void pica_tex_cube_coords(const u32 d[3], struct tex_at *at)
{
	u32 ax = pf_abs(d[0]), ay = pf_abs(d[1]), az = pf_abs(d[2]), ma, s, t;

	if (ax >= ay && ax >= az) {
		at->face = d[0] >> 31;
		ma = ax;
		s = d[0] >> 31 ? d[2] : pf_neg(d[2]);
		t = pf_neg(d[1]);
	} else if (ay >= az) {
		at->face = 2 + (d[1] >> 31);
		ma = ay;
		s = d[0];
		t = d[1] >> 31 ? pf_neg(d[2]) : d[2];
	} else {
		at->face = 4 + (d[2] >> 31);
		ma = az;
		s = d[2] >> 31 ? pf_neg(d[0]) : d[0];
		t = pf_neg(d[1]);
	}
	at->c[0] = pf_mul(PICA_HALF, pf_add(pf_div(s, ma), PICA_ONE));
	at->c[1] = pf_mul(PICA_HALF, pf_add(pf_div(t, ma), PICA_ONE));
}

static u32 shadow_ref(const struct pica_texunit *t, u32 w)
{
	s64 z = pica_fix(pf_mul(pf_clamp01(pf_abs(w)), 0x4b7fffff), 0);

	return clamp_t(s64, z - (s64)(t->shadow & 0xfffffe), 0, 0xffffff);
}

static void pica_tex_locate(const struct pica_texunit *t, const struct pica_pixel *px,
			    struct tex_at *at)
{
	const u32 *c = &px->v[t->coord], w = px->v[PICA_V_TC0W];
	const u32 dir[3] = { c[0], c[1], w };
	u32 i;

	at->face = 0;
	at->c[0] = c[0];
	at->c[1] = c[1];
	switch (t->type) {
	case PICA_TEX_CUBE:
	case PICA_TEX_SHADOW_CUBE:
		pica_tex_cube_coords(dir, at);
		/* depth of a cube's face is the largest component */
		at->ref = shadow_ref(t, max3(pf_abs(c[0]), pf_abs(c[1]), pf_abs(w)));
		break;
	case PICA_TEX_SHADOW:
		at->ref = shadow_ref(t, w);
		if (t->shadow & 1)
			break;
		fallthrough;
	case PICA_TEX_PROJECTION:
		at->c[0] = pf_div(c[0], w);
		at->c[1] = pf_div(c[1], w);
		break;
	default:
		break;
	}
	for (i = 0; i < 2; i++)
		at->fixed[i] = pica_fix(pf_mul(at->c[i], t->fsize[0][i]), 8);
}

/* Density of the shadow map if it has nothing in front of the fragment, else 0. */
static bool shadow(struct pica_paint *p, const struct pica_texunit *t, const struct tex_at *at,
		   u8 c[4])
{
	struct axis x = get_column(t, 0, at->fixed[0] >> 8);
	struct axis y = get_row(t, 0, at->fixed[1] >> 8);
	u8 b[4];

	if (x.border || y.border) {
		memcpy(c, t->border, 4);
		return true;
	}
	if (!pica_get(&p->mem, PICA_MEM_TEXTURE, t->addr[at->face] + 4ULL * (x.at + y.at), b, 4))
		return false;
	memset(c, (b[0] << 16 | b[1] << 8 | b[2]) >= (s32)at->ref ? b[3] : 0, 4);
	return true;
}

/* The block's lanes have the places; its coordinates are for other levels. */
static void get_place(const struct pica_paint *p, u32 unit, u32 lane, struct tex_at *at)
{
	const struct pica_texunit *t = &p->frag->unit[unit];
	u32 i;

	at->face = 0;
	for (i = 0; i < 2; i++) {
		at->c[i] = p->lane[t->coord + i][lane];
		at->fixed[i] = p->lanes.at[unit][i][lane];
	}
}

/**
 * pica_tex_quad - read a texture unit for the pixels of the current quad
 * @p: state; its fault is set if memory cannot be read
 * @unit: enabled unit, 0 to 2
 * @cover: pixels that read; coordinates of all four are valid
 */
void pica_tex_quad(struct pica_paint *p, u32 unit, u32 cover)
{
	static const u8 black[4] = { 0, 0, 0, 255 };
	const struct pica_texunit *t = &p->frag->unit[unit];
	bool is_shadow = t->type == PICA_TEX_SHADOW || t->type == PICA_TEX_SHADOW_CUBE, ok;
	u8 (*out)[VS_LANES] = p->lanes.src[PICA_SRC_TEX0 + unit], c[4];
	bool placed = (p->lanes.placed[unit] >> (4 * p->quad) & 15) == 15;
	struct tex_at at[4];
	s32 lod = 0;
	u32 k, i;

	for (k = 0; k < 4; k++) {
		if (placed)
			get_place(p, unit, 4 * p->quad + k, &at[k]);
		else
			pica_tex_locate(t, &p->px[k], &at[k]);
	}
	if (!is_shadow)
		lod = quad_lod(t, at);
	for (k = 0; k < 4; k++) {
		if (!(cover >> k & 1))
			continue;
		ok = true;
		if (!t->addr[at[k].face])
			memcpy(c, black, 4);
		else
			ok = is_shadow ? shadow(p, t, &at[k], c) : filtered(p, t, lod, &at[k], c);
		if (!ok)
			return;
		for (i = 0; i < 4; i++)
			out[i][4 * p->quad + k] = c[i];
	}
}
