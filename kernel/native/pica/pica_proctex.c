// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: texture unit 3, procedural. All arithmetic is softfloat.
 */
#include "../../isa/pica/pica_float.h"
#include "pica_paint.h"

#define MAP_SCALE	0x457ff000u	/* 4095 */

enum { CLAMP_ZERO, CLAMP_EDGE, CLAMP_REPEAT, CLAMP_MIRROR, CLAMP_PULSE };

/* Whole part of a number that is not negative, up to 2^24, and the rest. */
static u32 pica_proctex_split(u32 x, u32 *rest)
{
	u32 i = (u32)clamp_t(s64, pica_fix(x, 0), 0, 1 << 24);

	*rest = pf_sub(x, pf_int((s32)i));
	return i;
}

/* Entry of a map or of the noise at 0 to 1, between the entries by their difference. */
static u32 pica_proctex_look_up(const u32 lut[128], u32 x)
{
	u32 at = pf_mul(x, 0x43000000), rest, i, v;

	i = min_t(u32, pica_proctex_split(at, &rest), 127);
	rest = pf_sub(at, pf_int((s32)i));
	v = pf_div(pf_int((s32)(lut[i] & 0xfff)), MAP_SCALE);
	return pf_add(v, pf_mul(rest, pf_div(pf_int(pica_signed(lut[i], 12, 12)), MAP_SCALE)));
}

/* ---- noise ---- */

/* Tables that were found by tests on a console. */
static u32 noise_hash1(u32 v)
{
	static const u8 t[16] = { 0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11 };

	return ((v % 9 + 2) * 3 & 15) ^ t[v / 9 & 15];
}

/* From -1 to 1, in steps of 2/15. */
static u32 noise_hash2(u32 x, u32 y)
{
	static const u8 t[16] = { 10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14 };
	u32 a = noise_hash1(x), b = noise_hash1(y);

	if ((a & 3) == 1)
		b += 4;
	b ^= (a & 1) * 6;
	b = (b + 10 + a) & 15;
	b ^= t[a];
	return pf_div(pf_int(2 * (s32)b - 15), 0x41700000);
}

static u32 pica_proctex_mix(u32 a, u32 b, u32 t)
{
	return pf_add(pf_mul(a, pf_sub(PICA_ONE, t)), pf_mul(b, t));
}

static u32 noise_grid(u32 x, u32 freq, u32 phase, u32 *rest)
{
	u32 at = pf_mul(pf_mul(0x41100000, freq), pf_abs(pf_add(x, phase)));

	return pica_proctex_split(at, rest);
}

static u32 noise(const struct pica_frag *f, const u32 c[2])
{
	const u32 *r = &f->r[PICA_REG_PROCTEX];
	u32 i[2], rest[2], g[4], t[2], sum, k;

	for (k = 0; k < 2; k++) {
		i[k] = noise_grid(c[k], pica_f16_to_f32(r[3] >> (16 * k) & 0xffff),
				  pica_f16_to_f32(r[1 + k] >> 16), &rest[k]);
		t[k] = pica_proctex_look_up(f->luts->noise, pf_clamp01(rest[k]));
	}
	sum = pf_add(rest[0], rest[1]);
	for (k = 0; k < 4; k++)
		g[k] = pf_mul(noise_hash2(i[0] + (k & 1), i[1] + (k >> 1)),
			      pf_sub(sum, pf_int((k & 1) + (k >> 1))));
	return pica_proctex_mix(pica_proctex_mix(g[0], g[1], t[0]),
				pica_proctex_mix(g[2], g[3], t[0]), t[1]);
}

/* ---- coordinates ---- */

/* Rows are shifted by half of the image, or by one if it is mirrored. */
static u32 shift(u32 mode, u32 clamp_mode, u32 other)
{
	u32 rest, i = pica_proctex_split(other, &rest);
	bool odd = mode == 1 ? i / 2 % 2 : mode == 2 ? (i + 1) / 2 % 2 : false;

	if (!odd)
		return 0;
	return clamp_mode == CLAMP_MIRROR ? PICA_ONE : PICA_HALF;
}

static u32 clamped(u32 mode, u32 x)
{
	u32 rest, i = pica_proctex_split(x, &rest);

	switch (mode) {
	case CLAMP_ZERO:
		return x > PICA_ONE ? 0 : x;
	case CLAMP_REPEAT:
		return pf_clamp01(rest);
	case CLAMP_MIRROR:
		return pf_clamp01(i & 1 ? pf_sub(PICA_ONE, rest) : rest);
	case CLAMP_PULSE:
		return x > PICA_HALF ? PICA_ONE : 0;
	default:
		return min_t(u32, x, PICA_ONE);
	}
}

static void pica_proctex_coordinates(const struct pica_frag *f, u32 c[2])
{
	const u32 *r = &f->r[PICA_REG_PROCTEX];
	u32 by[2], n, k;

	for (k = 0; k < 2; k++)
		c[k] = pf_abs(c[k]);
	by[0] = shift(r[0] >> 16 & 3, r[0] & 7, c[1]);
	by[1] = shift(r[0] >> 18 & 3, r[0] >> 3 & 7, c[0]);
	if (r[0] >> 15 & 1) {
		n = noise(f, c);
		for (k = 0; k < 2; k++) {
			u32 most = pf_div(pf_int(pica_signed(r[1 + k], 0, 16)), MAP_SCALE);

			c[k] = pf_abs(pf_add(c[k], pf_mul(n, most)));
		}
	}
	for (k = 0; k < 2; k++)
		c[k] = pf_clamp01(clamped(r[0] >> (3 * k) & 7, pf_add(c[k], by[k])));
}

/* ---- colours ---- */

static u32 lesser(u32 a, u32 b)
{
	return min(a, b);
}

/* One number of two coordinates from 0 to 1. */
static u32 combine(u32 op, u32 u, u32 v)
{
	u32 uu = pf_mul(u, u), vv = pf_mul(v, v), mean = pf_mul(pf_add(u, v), PICA_HALF);
	u32 length = sf_sqrt(pf_add(uu, vv), false);

	switch (op) {
	case 0:
		return u;
	case 1:
		return uu;
	case 2:
		return v;
	case 3:
		return vv;
	case 4:
		return mean;
	case 5:
		return pf_mul(pf_add(uu, vv), PICA_HALF);
	case 6:
		return lesser(length, PICA_ONE);
	case 7:
		return lesser(u, v);
	case 8:
		return max(u, v);
	case 9:
		return lesser(pf_mul(pf_add(mean, length), PICA_HALF), PICA_ONE);
	default:
		return 0;
	}
}

/* Entry of a level's part of the colour table; only four parts can be moved. */
static void pica_proctex_entry(const struct pica_frag *f, u32 x, u32 level, u8 c[4])
{
	static const u8 fixed[4] = { 0xf0, 0xf8, 0xfc, 0xfe };
	const u32 *r = &f->r[PICA_REG_PROCTEX];
	u32 offset = level < 4 ? r[5] >> (8 * level) & 0xff : fixed[level - 4], i, entry, d, v;
	s32 width = (s32)((r[4] >> 11 & 0xff) >> level);
	s64 at;

	x = pf_mul(x, pf_int(max(width - 1, 0)));
	/* of neighbours, or the nearest one */
	at = r[4] & 1 ? pica_fix(x, 8) : (pica_fix(x, 1) + 1) >> 1 << 8;
	entry = (offset + (u32)(at >> 8)) & 0xff;
	for (i = 0; i < 4; i++) {
		v = f->luts->colour[entry] >> (8 * i) & 0xff;
		d = 2 * pica_signed(f->luts->diff[entry], 8 * i, 8) * (s32)(at & 255) / 256;
		c[i] = clamp_t(s32, (s32)(v + d), 0, 255);
	}
}

enum { FILTER_NEAREST_MIP = 2, FILTER_LINEAR_MIP = 4, FILTER_UNDEFINED = 6 };

static u32 pica_proctex_filter(const u32 *r)
{
	return r[PICA_REG_PROCTEX + 4] & 7;
}

/* Colour of a position in the table at a level with 8 fractional bits. */
static void pica_proctex_colour(const struct pica_frag *f, u32 x, s32 lod, u8 c[4])
{
	u32 rest, i;
	u8 next[4];

	x = pf_clamp01(x);
	if (pica_proctex_filter(f->r) < FILTER_LINEAR_MIP)
		lod = (lod + 128) & ~255;
	rest = lod & 255;
	pica_proctex_entry(f, x, lod >> 8, c);
	if (!rest)
		return;
	pica_proctex_entry(f, x, (lod >> 8) + 1, next);
	for (i = 0; i < 4; i++)
		c[i] = (c[i] * (256 - rest) + next[i] * rest + 128) >> 8;
}

/**
 * pica_proctex_coords - coordinates that unit 3 reads
 * @f: draw
 * @px: fragment
 *
 * Return: u, v.
 */
const u32 *pica_proctex_coords(const struct pica_frag *f, const struct pica_pixel *px)
{
	static const u8 sets[4] = { PICA_V_TC0, PICA_V_TC1, PICA_V_TC2, PICA_V_TC2 };
	u32 set = f->r[PICA_REG_TEX_CONFIG] >> 8 & 3;

	return &px->v[sets[set]];
}

/**
 * pica_proctex_lod - level of the colour table for a quad
 * @f: draw
 * @px: its fragments, all with coordinates
 *
 * The bias is a factor; 0: the least level.
 *
 * Return: level, 8 fractional bits.
 */
s32 pica_proctex_lod(const struct pica_frag *f, const struct pica_pixel px[4])
{
	const u32 *r = &f->r[PICA_REG_PROCTEX];
	u32 bias = pica_f16_to_f32((r[0] >> 20 & 0xff) | (r[4] >> 19 & 0xff) << 8), d[2] = {}, i, k;
	s32 most = 256 * min_t(s32, r[4] >> 7 & 15, 7), lod = 0;

	if (pica_proctex_filter(f->r) < FILTER_NEAREST_MIP)
		return 0;
	for (i = 0; i < 4; i++) {
		const u32 *a = pica_proctex_coords(f, &px[pica_quad_pair[i][0]]);
		const u32 *b = pica_proctex_coords(f, &px[pica_quad_pair[i][1]]);

		for (k = 0; k < 2; k++)
			d[k] = max(d[k], pf_abs(pf_sub(pf_abs(a[k]), pf_abs(b[k]))));
	}
	if (bias << 1)
		lod = pica_tex_log2_fixed((u64)pica_fix(pf_mul(pf_mul(pf_int(r[4] >> 11 & 0xff),
								      pf_abs(bias)),
							       pf_add(d[0], d[1])), 8));
	return clamp_t(s32, lod, min_t(s32, 256 * (r[4] >> 3 & 15), most), most);
}

/**
 * pica_proctex_is_defined - has unit 3 a configuration whose meaning is known?
 * @r: registers
 *
 * Return: it is off, or all its codes are those of public sources.
 */
bool pica_proctex_is_defined(const u32 *r)
{
	u32 cfg = r[PICA_REG_PROCTEX];

	if (!(r[PICA_REG_TEX_CONFIG] >> 10 & 1))
		return true;
	return (cfg & 7) <= CLAMP_PULSE && (cfg >> 3 & 7) <= CLAMP_PULSE && (cfg >> 6 & 15) <= 9 &&
	       (!(cfg >> 14 & 1) || (cfg >> 10 & 15) <= 9) && (cfg >> 16 & 3) < 3 &&
	       (cfg >> 18 & 3) < 3 && pica_proctex_filter(r) < FILTER_UNDEFINED &&
	       (r[PICA_REG_TEX_CONFIG] >> 8 & 3) < 3;
}

/**
 * pica_proctex - read unit 3 for a fragment
 * @f: draw
 * @px: fragment
 * @lod: of its quad
 */
void pica_proctex(const struct pica_frag *f, struct pica_pixel *px, s32 lod)
{
	const u32 *at = pica_proctex_coords(f, px);
	u32 cfg = f->r[PICA_REG_PROCTEX], c[2] = { at[0], at[1] }, x;
	u8 *out = px->src[PICA_SRC_TEX3];

	pica_proctex_coordinates(f, c);
	x = pica_proctex_look_up(f->luts->map[0], combine(cfg >> 6 & 15, c[0], c[1]));
	pica_proctex_colour(f, x, lod, out);
	if (cfg >> 14 & 1) {
		x = pica_proctex_look_up(f->luts->map[1], combine(cfg >> 10 & 15, c[0], c[1]));
		out[3] = pica_unorm8(x, false);
	}
}
