// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ETC1, ETC2 and EAC: blocks of 4 x 4 texels, as defined in OpenGL ES 3.0's appendix on compressed
 * textures. Blocks are stored most significant byte first.
 */
#include "px_pack.h"

static u64 etc_load_block(const u8 *p)
{
	u64 v = 0;
	u32 i;

	for (i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

static u32 etc_bits(u64 block, u32 at, u32 n)
{
	return block >> at & ((1U << n) - 1);
}

static u32 clamp8(s32 v)
{
	return clamp_t(s32, v, 0, 255);
}

static u32 etc_expand4(u32 v)
{
	return v << 4 | v;
}

static u32 etc_expand5(u32 v)
{
	return v << 3 | v >> 2;
}

static u32 expand6(u32 v)
{
	return v << 2 | v >> 4;
}

static u32 expand7(u32 v)
{
	return v << 1 | v >> 6;
}

/* Paint colour index of texel @n, two bits. */
static u32 paint_index(u64 block, u32 n)
{
	return etc_bits(block, 16 + n, 1) << 1 | etc_bits(block, n, 1);
}

/* Individual and differential mode: two halves, each a base colour with intensity modifiers. */
static void etc_halves(const u8 base[2][3], u64 block, bool opaque, u32 x, u32 y, u8 c[4])
{
	static const u8 table[8][2] = {
		{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 },
		{ 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
	};
	u32 half = etc_bits(block, 32, 1) ? y >> 1 : x >> 1, i, index;
	const u8 *t = table[etc_bits(block, half ? 34 : 37, 3)];
	s32 add;

	index = paint_index(block, x * 4 + y);
	add = index & 1 ? t[1] : opaque ? t[0] : 0;
	if (index & 2)
		add = -add;
	for (i = 0; i < 3; i++)
		c[i] = clamp8(base[half][i] + add);
}

static void paint(const u8 from[3], s32 add, u8 c[4])
{
	u32 i;

	for (i = 0; i < 3; i++)
		c[i] = clamp8(from[i] + add);
}

static const u8 distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

/* T mode: one plain colour, and another with two shades. */
static void t_mode(u64 block, u32 index, u8 c[4])
{
	s32 d = distances[etc_bits(block, 34, 2) << 1 | etc_bits(block, 32, 1)];
	u8 one[3], two[3];

	one[0] = etc_expand4(etc_bits(block, 59, 2) << 2 | etc_bits(block, 56, 2));
	one[1] = etc_expand4(etc_bits(block, 52, 4));
	one[2] = etc_expand4(etc_bits(block, 48, 4));
	two[0] = etc_expand4(etc_bits(block, 44, 4));
	two[1] = etc_expand4(etc_bits(block, 40, 4));
	two[2] = etc_expand4(etc_bits(block, 36, 4));
	if (index == 0)
		paint(one, 0, c);
	else
		paint(two, index == 1 ? d : index == 2 ? 0 : -d, c);
}

/* H mode: two colours, two shades of each; their order encodes a bit of the distance. */
static void h_mode(u64 block, u32 index, u8 c[4])
{
	u8 one[3], two[3];
	u32 i, a = 0, b = 0, d;

	one[0] = etc_bits(block, 59, 4);
	one[1] = etc_bits(block, 56, 3) << 1 | etc_bits(block, 52, 1);
	one[2] = etc_bits(block, 51, 1) << 3 | etc_bits(block, 47, 3);
	two[0] = etc_bits(block, 43, 4);
	two[1] = etc_bits(block, 39, 4);
	two[2] = etc_bits(block, 35, 4);
	for (i = 0; i < 3; i++) {
		a = a << 4 | one[i];
		b = b << 4 | two[i];
		one[i] = etc_expand4(one[i]);
		two[i] = etc_expand4(two[i]);
	}
	d = distances[etc_bits(block, 34, 1) << 2 | etc_bits(block, 32, 1) << 1 | (a >= b)];
	paint(index < 2 ? one : two, index & 1 ? -(s32)d : (s32)d, c);
}

/* Planar mode: interpolate the colours of three corners. */
static void planar(u64 block, s32 x, s32 y, u8 c[4])
{
	s32 o[3], h[3], v[3];
	u32 i;

	o[0] = expand6(etc_bits(block, 57, 6));
	o[1] = expand7(etc_bits(block, 56, 1) << 6 | etc_bits(block, 49, 6));
	o[2] = expand6(etc_bits(block, 48, 1) << 5 | etc_bits(block, 43, 2) << 3 |
		       etc_bits(block, 39, 3));
	h[0] = expand6(etc_bits(block, 34, 5) << 1 | etc_bits(block, 32, 1));
	h[1] = expand7(etc_bits(block, 25, 7));
	h[2] = expand6(etc_bits(block, 19, 6));
	v[0] = expand6(etc_bits(block, 13, 6));
	v[1] = expand7(etc_bits(block, 6, 7));
	v[2] = expand6(etc_bits(block, 0, 6));
	for (i = 0; i < 3; i++)
		c[i] = clamp8((x * (h[i] - o[i]) + y * (v[i] - o[i]) + 4 * o[i] + 2) >> 2);
}

/*
 * Base colours of individual or differential mode. Return: 3, or the index of the first component
 * whose second colour leaves 0..31; with @wrap it wraps.
 */
static u32 base_colours(u64 block, bool differential, bool wrap, u8 base[2][3])
{
	u32 i, five;
	s32 second;

	for (i = 0; i < 3; i++) {
		if (!differential) {
			base[0][i] = etc_expand4(etc_bits(block, 60 - 8 * i, 4));
			base[1][i] = etc_expand4(etc_bits(block, 56 - 8 * i, 4));
			continue;
		}
		five = etc_bits(block, 59 - 8 * i, 5);
		second = (s32)five + (s32)(etc_bits(block, 56 - 8 * i, 3) ^ 4) - 4;
		if (!wrap && (second < 0 || second > 31))
			break;
		base[0][i] = etc_expand5(five);
		base[1][i] = etc_expand5(second & 31);
	}
	return i;
}

/* Colour of a texel. @alpha1: bit 33 is the opaque flag, else it selects differential mode. */
static void etc_colour(u64 block, bool alpha1, u32 x, u32 y, u8 c[4])
{
	u32 i, index = paint_index(block, x * 4 + y);
	bool bit = etc_bits(block, 33, 1), opaque = !alpha1 || bit;
	u8 base[2][3];

	c[3] = 255;
	i = base_colours(block, bit || alpha1, false, base);
	/* Planar mode is always opaque. */
	if (i != 2 && index == 2 && !opaque)
		memset(c, 0, 4);
	else if (i == 0)
		t_mode(block, index, c);
	else if (i == 1)
		h_mode(block, index, c);
	else if (i == 2)
		planar(block, x, y, c);
	else
		etc_halves(base, block, opaque, x, y, c);
}

void px_etc1(u64 block, u32 x, u32 y, u8 c[4])
{
	u8 base[2][3];

	base_colours(block, etc_bits(block, 33, 1), true, base);
	etc_halves(base, block, true, x, y, c);
	c[3] = 255;
}

/* EAC modifier of a texel. */
static s32 eac_modifier(u64 block, u32 x, u32 y)
{
	static const s8 table[16][8] = {
		{ -3, -6, -9, -15, 2, 5, 8, 14 }, { -3, -7, -10, -13, 2, 6, 9, 12 },
		{ -2, -5, -8, -13, 1, 4, 7, 12 }, { -2, -4, -6, -13, 1, 3, 5, 12 },
		{ -3, -6, -8, -12, 2, 5, 7, 11 }, { -3, -7, -9, -11, 2, 6, 8, 10 },
		{ -4, -7, -8, -11, 3, 6, 7, 10 }, { -3, -5, -8, -11, 2, 4, 7, 10 },
		{ -2, -6, -8, -10, 1, 5, 7, 9 }, { -2, -5, -8, -10, 1, 4, 7, 9 },
		{ -2, -4, -8, -10, 1, 3, 7, 9 }, { -2, -5, -7, -10, 1, 4, 6, 9 },
		{ -3, -4, -7, -10, 2, 3, 6, 9 }, { -1, -2, -3, -10, 0, 1, 2, 9 },
		{ -4, -6, -8, -9, 3, 5, 7, 8 }, { -3, -5, -7, -9, 2, 4, 6, 8 },
	};

	return table[etc_bits(block, 48, 4)][etc_bits(block, 45 - 3 * (x * 4 + y), 3)];
}

static u32 eac_alpha(u64 block, u32 x, u32 y)
{
	return clamp8(etc_bits(block, 56, 8) + eac_modifier(block, x, y) *
		      (s32)etc_bits(block, 52, 4));
}

/* 11-bit component of a texel; a multiplier of zero means 1/8. */
static u32 eac_11(u64 block, u32 x, u32 y, bool is_signed)
{
	s32 m = eac_modifier(block, x, y), mul = etc_bits(block, 52, 4), base = block >> 56;

	m *= mul ? 8 * mul : 1;
	if (!is_signed)
		return clamp_t(s32, 8 * base + 4 + m, 0, 2047);
	base = max_t(s32, (s8)base, -127);
	return (u32)clamp_t(s32, 8 * base + m, -1023, 1023);
}

static void red_green(const struct px_format *f, const u8 *p, u32 x, u32 y, u32 c[4])
{
	/* Binary32 reciprocals of 2047 and 1023, as for other formats. */
	struct px_format number = { .layout = PX_PLAIN, .comp = f->comp, .ncomp = 1,
				      .bytes = 2, .bits = { 11 },
				      .swizzle = { 0, PX_SWZ_0, PX_SWZ_0, PX_SWZ_0 } };
	u32 i, v[4];
	u16 raw;

	for (i = 0; i < f->ncomp && i < 2; i++) {
		raw = eac_11(etc_load_block(p + 8 * i), x, y, f->comp == PX_SNORM);
		px_unpack(&number, &raw, v);
		c[i] = v[0];
	}
}

static void red_green_blue(const struct px_format *f, const u8 *p, u32 x, u32 y, u32 c[4])
{
	u8 b[4];
	u32 i;

	if (f->etc == PX_ETC2_RGBA8) {
		etc_colour(etc_load_block(p + 8), false, x, y, b);
		b[3] = eac_alpha(etc_load_block(p), x, y);
	} else {
		etc_colour(etc_load_block(p), f->etc == PX_ETC2_RGB8A1, x, y, b);
	}
	for (i = 0; i < 3; i++)
		c[i] = f->srgb ? px_srgb_to_f32(b[i]) : px_unorm8_to_f32(b[i]);
	c[3] = px_unorm8_to_f32(b[3]);
}

void px_etc2(const struct px_format *f, const void *block, u32 x, u32 y, u32 v[4])
{
	u32 i, s, c[4] = {};

	if (f->etc == PX_EAC_R11 || f->etc == PX_EAC_RG11)
		red_green(f, block, x & 3, y & 3, c);
	else
		red_green_blue(f, block, x & 3, y & 3, c);
	for (i = 0; i < 4; i++) {
		s = f->swizzle[i];
		v[i] = s < 4 ? c[s] : s == PX_SWZ_1 ? px_one(PX_KIND_F32) : 0;
	}
}
