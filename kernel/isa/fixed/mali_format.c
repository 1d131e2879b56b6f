// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Pixel formats: 12 bits of component order, 8 bits of format, sRGB, byte order. Formats from
 * 0x60 to 0xdf are a grid of type, number and size of the components.
 */
#include "mali_res.h"

#define V4	BIT(MALI_V4)
#define V5	BIT(MALI_V5)
#define V6	BIT(MALI_V6)
#define V7	BIT(MALI_V7)
#define ALL	(V4 | V5 | V6 | V7)

/* Formats outside of the grid that Mesa's driver uses. */
static const struct special {
	u8 code;
	u8 archs;
	u8 layout;
	u8 comp;
	u8 bytes;
	u8 bits[4];
} specials[] = {
	/* Luminance and alpha, alpha alone. */
	{ 0x18, V7, MALI_PLAIN, MALI_UNORM, 2, { 8, 0, 0, 8 } },
	{ 0x1a, V7, MALI_PLAIN, MALI_UNORM, 1, { 0, 0, 0, 8 } },
	{ 0x01, ALL, MALI_ETC2, MALI_UNORM, 8, { 8, 8, 8 } },
	{ 0x02, ALL, MALI_ETC2, MALI_UNORM, 8, { 11 } },
	{ 0x03, ALL, MALI_ETC2, MALI_UNORM, 16, { 8, 8, 8, 8 } },
	{ 0x04, ALL, MALI_ETC2, MALI_UNORM, 16, { 11, 11 } },
	{ 0x11, ALL, MALI_ETC2, MALI_SNORM, 8, { 11 } },
	{ 0x12, ALL, MALI_ETC2, MALI_SNORM, 16, { 11, 11 } },
	{ 0x13, ALL, MALI_ETC2, MALI_UNORM, 8, { 8, 8, 8, 1 } },
	{ 0x40, ALL, MALI_PLAIN, MALI_UNORM, 2, { 5, 6, 5 } },
	{ 0x41, ALL, MALI_PLAIN, MALI_UNORM, 2, { 5, 5, 5, 1 } },
	{ 0x43, ALL, MALI_PLAIN, MALI_UNORM, 4, { 10, 10, 10, 2 } },
	{ 0x45, ALL, MALI_PLAIN, MALI_SNORM, 4, { 10, 10, 10, 2 } },
	{ 0x47, ALL, MALI_PLAIN, MALI_UINT, 4, { 10, 10, 10, 2 } },
	{ 0x49, ALL, MALI_PLAIN, MALI_SINT, 4, { 10, 10, 10, 2 } },
	{ 0x4b, V4 | V5, MALI_PLAIN, MALI_UNORM, 1, { 3, 3, 2 } },
	{ 0x4b, V7, MALI_PLAIN, MALI_UNORM, 2, { 16 } },
	{ 0x4d, ALL, MALI_PLAIN, MALI_UNORM, 4, { 24 } },
	/* Stencil is the second component. */
	{ 0x4e, V4 | V5, MALI_PLAIN, MALI_UINT, 4, { 24, 8 } },
	{ 0x4f, ALL, MALI_PLAIN, MALI_UINT, 8, { 32, 8 } },
	{ 0x51, ALL, MALI_PLAIN, MALI_FIXED, 4, { 32 } },
	{ 0x52, ALL, MALI_PLAIN, MALI_FIXED, 8, { 32, 32 } },
	{ 0x53, ALL, MALI_PLAIN, MALI_FIXED, 12, { 32, 32, 32 } },
	{ 0x54, ALL, MALI_PLAIN, MALI_FIXED, 16, { 32, 32, 32, 32 } },
	{ 0x55, V7, MALI_PLAIN, MALI_UINT, 4, { 24, 8 } },
	{ 0x57, V7, MALI_PLAIN, MALI_FLOAT, 8, { 32 } },
	{ 0x59, ALL, MALI_UFLOAT, MALI_FLOAT, 4, { 11, 11, 10 } },
	{ 0x5b, ALL, MALI_SHARED_EXP, MALI_FLOAT, 4, { 9, 9, 9 } },
	{ 0x5d, V7, MALI_PLAIN, MALI_UINT, 1, { 0, 8 } },
	{ 0x5e, ALL, MALI_SNAP4, MALI_FLOAT, 16, { 32, 32, 32, 32 } },
	{ 0x5f, ALL, MALI_CONSTANT, MALI_UNORM, 0, {} },
	/* Tile buffer formats, the first of two with dithering. */
	{ 0xe0, ALL, MALI_PLAIN, MALI_UNORM, 2, { 5, 5, 5, 1 } },
	{ 0xe1, ALL, MALI_PLAIN, MALI_UNORM, 2, { 5, 5, 5, 1 } },
	{ 0xe2, ALL, MALI_PLAIN, MALI_UNORM, 2, { 5, 6, 5 } },
	{ 0xe3, ALL, MALI_PLAIN, MALI_UNORM, 2, { 5, 6, 5 } },
	{ 0xe8, ALL, MALI_PLAIN, MALI_UNORM, 2, { 4, 4, 4, 4 } },
	{ 0xe9, ALL, MALI_PLAIN, MALI_UNORM, 2, { 4, 4, 4, 4 } },
	{ 0xed, ALL, MALI_PLAIN, MALI_UNORM, 4, { 8, 8, 8, 8 } },
	{ 0xee, ALL, MALI_PLAIN, MALI_UNORM, 4, { 10, 10, 10, 2 } },
	{ 0xf1, ALL, MALI_PLAIN, MALI_UNORM, 4, { 8, 8, 8, 2 } },
	{ 0xf2, ALL, MALI_PLAIN, MALI_UNORM, 4, { 8, 8, 8, 2 } },
};

#define Z	MALI_SWZ_0
#define O	MALI_SWZ_1

/* v7 has a list of orders instead of a swizzle. */
static const struct order {
	u8 code;
	u8 swizzle[4];
} orders[] = {
	{ 0, { 0, 1, 2, 3 } }, { 2, { 1, 0, 2, 3 } }, { 4, { 2, 1, 0, 3 } },
	/* The first component in memory is alpha. */
	{ 8, { 1, 2, 3, 0 } }, { 10, { 2, 1, 3, 0 } }, { 12, { 3, 2, 1, 0 } },
	{ 16, { 0, 1, 2, O } }, { 18, { 1, 0, 2, O } }, { 20, { 2, 1, 0, O } },
	{ 24, { 1, 2, 3, O } }, { 26, { 2, 1, 3, O } }, { 28, { 3, 2, 1, O } },
	{ 226, { 0, 0, 0, 0 } }, { 227, { 0, 0, 0, O } }, { 228, { 0, 0, 0, 3 } },
	{ 229, { Z, Z, Z, 3 } }, { 230, { Z, Z, Z, O } }, { 231, { Z, Z, Z, Z } },
	{ 240, { 0, Z, Z, Z } }, { 242, { 0, 2, 1, 3 } },
};

static bool special_format(enum mali_arch arch, struct mali_format *f)
{
	const struct special *s;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(specials); i++) {
		s = &specials[i];
		if (s->code != f->code || !(s->archs & BIT(arch)))
			continue;
		f->layout = s->layout;
		f->comp = s->comp;
		f->bytes = s->bytes;
		memcpy(f->bits, s->bits, sizeof(f->bits));
		for (i = 0; i < 4; i++)
			if (f->bits[i])
				f->ncomp = i + 1;
		return true;
	}
	return false;
}

/* Decode a format of the grid. Sizes: 2 is 4 bits, 3 is 8 etc.; 7 is float of the type's size. */
static bool grid_format(struct mali_format *f)
{
	static const u8 comps[] = { MALI_SNORM, MALI_UINT, MALI_UNORM, MALI_SINT };
	u32 type = (f->code >> 5) - 3, size = f->code & 7, bits, i;

	f->ncomp = (f->code >> 3 & 3) + 1;
	if (type >= ARRAY_SIZE(comps))
		return false;
	if (size == 7 && comps[type] == MALI_UNORM)
		bits = 32;
	else if (size == 7 && comps[type] == MALI_SINT)
		bits = 16;
	else if (size >= 2 && size <= 5)
		bits = 1U << size;
	else
		return false;
	f->comp = size == 7 ? MALI_FLOAT : comps[type];
	f->layout = MALI_PLAIN;
	for (i = 0; i < f->ncomp; i++)
		f->bits[i] = bits;
	f->bytes = bits * f->ncomp / 8;
	return bits * f->ncomp % 8 == 0;
}

static bool decode_swizzle(enum mali_arch arch, u32 bits, u8 swizzle[4])
{
	u32 i;

	if (arch != MALI_V7) {
		for (i = 0; i < 4; i++) {
			swizzle[i] = bits >> (3 * i) & 7;
			if (swizzle[i] > MALI_SWZ_1)
				return false;
		}
		return true;
	}
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		if (orders[i].code != bits)
			continue;
		memcpy(swizzle, orders[i].swizzle, 4);
		return true;
	}
	return false;
}

/**
 * mali_format_decode - decode a pixel format
 * @arch: enum mali_arch of the descriptor
 * @bits: 22 bits
 * @f: result
 *
 * The swizzle replaces components that are not in memory by constants.
 *
 * Return: false if the format is unknown.
 */
bool mali_format_decode(enum mali_arch arch, u32 bits, struct mali_format *f)
{
	u32 i;

	memset(f, 0, sizeof(*f));
	f->code = bits >> 12;
	f->srgb = bits >> 20 & 1;
	f->big_endian = bits >> 21 & 1;
	if (bits >> 22 || !decode_swizzle(arch, bits & 0xfff, f->swizzle))
		return false;
	if (f->code >= 0x60 && f->code < 0xe0 ? !grid_format(f) : !special_format(arch, f))
		return false;
	/* Missing colours are 0, missing alpha is 1. */
	for (i = 0; i < 4; i++)
		if (f->swizzle[i] < 4 && !f->bits[f->swizzle[i]])
			f->swizzle[i] = i == 3 && f->layout != MALI_CONSTANT ? MALI_SWZ_1 :
					MALI_SWZ_0;
	return true;
}
