// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * ETC1: a block of 4 x 4 texels in 64 bits, as defined by the extension
 * GL_OES_compressed_ETC1_RGB8_texture. Differential colours that leave 0..31, which the
 * extension leaves undefined, wrap.
 */
#include "qpu_tex.h"

static u32 expand4(u32 v)
{
	return v << 4 | v;
}

static u32 expand5(u32 v)
{
	return v << 3 | v >> 2;
}

/* Channel of the base colour of half @half; @b: its byte. */
static u32 base_colour(u32 b, bool diff, u32 half)
{
	u32 v = b >> 3;

	if (!diff)
		return expand4(half ? b & 0xf : b >> 4);
	if (half)
		v += (b & 7) - ((b & 4) << 1);
	return expand5(v & 0x1f);
}

struct qpu_texel qpu_tex_etc1(u64 block, u32 x, u32 y)
{
	static const u8 modifiers[8][2] = {
		{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 },
		{ 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
	};
	u32 ctl = block >> 24 & 0xff, n = x * 4 + y, half, table, i;
	bool diff = ctl & 2, flip = ctl & 1;
	struct qpu_texel c;
	s32 add;

	/* Bits 15..0 of the indices are stored high byte first. */
	n ^= 8;
	half = flip ? y >> 1 : x >> 1;
	table = half ? ctl >> 2 & 7 : ctl >> 5;
	add = modifiers[table][block >> (48 + n) & 1];
	if (block >> (32 + n) & 1)
		add = -add;
	for (i = 0; i < 3; i++) {
		s32 v = base_colour(block >> (8 * i) & 0xff, diff, half);

		c.c[i] = clamp_t(s32, v + add, 0, 255) << 8;
	}
	c.c[3] = 0xff00;
	return c;
}
