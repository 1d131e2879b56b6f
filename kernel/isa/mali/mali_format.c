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
	u8 etc;
} specials[] = {
	/* Luminance and alpha, alpha alone. */
	{ 0x18, V7, PX_PLAIN, PX_UNORM, 2, { 8, 0, 0, 8 } },
	{ 0x1a, V7, PX_PLAIN, PX_UNORM, 1, { 0, 0, 0, 8 } },
	{ 0x01, ALL, PX_ETC2, PX_UNORM, 8, { 8, 8, 8 }, PX_ETC2_RGB8 },
	{ 0x02, ALL, PX_ETC2, PX_UNORM, 8, { 11 }, PX_EAC_R11 },
	{ 0x03, ALL, PX_ETC2, PX_UNORM, 16, { 8, 8, 8, 8 }, PX_ETC2_RGBA8 },
	{ 0x04, ALL, PX_ETC2, PX_UNORM, 16, { 11, 11 }, PX_EAC_RG11 },
	{ 0x11, ALL, PX_ETC2, PX_SNORM, 8, { 11 }, PX_EAC_R11 },
	{ 0x12, ALL, PX_ETC2, PX_SNORM, 16, { 11, 11 }, PX_EAC_RG11 },
	{ 0x13, ALL, PX_ETC2, PX_UNORM, 8, { 8, 8, 8, 1 }, PX_ETC2_RGB8A1 },
	{ 0x40, ALL, PX_PLAIN, PX_UNORM, 2, { 5, 6, 5 } },
	{ 0x41, ALL, PX_PLAIN, PX_UNORM, 2, { 5, 5, 5, 1 } },
	{ 0x43, ALL, PX_PLAIN, PX_UNORM, 4, { 10, 10, 10, 2 } },
	{ 0x45, ALL, PX_PLAIN, PX_SNORM, 4, { 10, 10, 10, 2 } },
	{ 0x47, ALL, PX_PLAIN, PX_UINT, 4, { 10, 10, 10, 2 } },
	{ 0x49, ALL, PX_PLAIN, PX_SINT, 4, { 10, 10, 10, 2 } },
	{ 0x4b, V4 | V5, PX_PLAIN, PX_UNORM, 1, { 3, 3, 2 } },
	{ 0x4b, V7, PX_PLAIN, PX_UNORM, 2, { 16 } },
	{ 0x4c, V7, PX_PLAIN, PX_FLOAT, 4, { 32 } },
	{ 0x4d, ALL, PX_PLAIN, PX_UNORM, 4, { 24 } },
	/* Stencil is the second component. */
	{ 0x4e, V4 | V5, PX_PLAIN, PX_UINT, 4, { 24, 8 } },
	{ 0x4f, ALL, PX_PLAIN, PX_UINT, 8, { 32, 8 } },
	{ 0x51, ALL, PX_PLAIN, PX_FIXED, 4, { 32 } },
	{ 0x52, ALL, PX_PLAIN, PX_FIXED, 8, { 32, 32 } },
	{ 0x53, ALL, PX_PLAIN, PX_FIXED, 12, { 32, 32, 32 } },
	{ 0x54, ALL, PX_PLAIN, PX_FIXED, 16, { 32, 32, 32, 32 } },
	{ 0x55, V7, PX_PLAIN, PX_UINT, 4, { 24, 8 } },
	{ 0x57, V7, PX_PLAIN, PX_FLOAT, 8, { 32 } },
	{ 0x59, ALL, PX_UFLOAT, PX_FLOAT, 4, { 11, 11, 10 } },
	{ 0x5b, ALL, PX_SHARED_EXP, PX_FLOAT, 4, { 9, 9, 9 } },
	{ 0x5d, V7, PX_PLAIN, PX_UINT, 1, { 0, 8 } },
	{ 0x5e, ALL, PX_SNAP4, PX_FLOAT, 16, { 32, 32, 32, 32 } },
	{ 0x5f, ALL, PX_CONSTANT, PX_UNORM, 0, {} },
	/* Tile buffer formats, the first of two with dithering. */
	{ 0xe0, ALL, PX_PLAIN, PX_UNORM, 2, { 5, 5, 5, 1 } },
	{ 0xe1, ALL, PX_PLAIN, PX_UNORM, 2, { 5, 5, 5, 1 } },
	{ 0xe2, ALL, PX_PLAIN, PX_UNORM, 2, { 5, 6, 5 } },
	{ 0xe3, ALL, PX_PLAIN, PX_UNORM, 2, { 5, 6, 5 } },
	{ 0xe8, ALL, PX_PLAIN, PX_UNORM, 2, { 4, 4, 4, 4 } },
	{ 0xe9, ALL, PX_PLAIN, PX_UNORM, 2, { 4, 4, 4, 4 } },
	{ 0xed, ALL, PX_PLAIN, PX_UNORM, 4, { 8, 8, 8, 8 } },
	{ 0xee, ALL, PX_PLAIN, PX_UNORM, 4, { 10, 10, 10, 2 } },
	{ 0xf1, ALL, PX_PLAIN, PX_UNORM, 4, { 8, 8, 8, 2 } },
	{ 0xf2, ALL, PX_PLAIN, PX_UNORM, 4, { 8, 8, 8, 2 } },
};

#define Z	PX_SWZ_0
#define O	PX_SWZ_1

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

static bool special_format(enum mali_arch arch, u32 code, struct px_format *f)
{
	const struct special *s;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(specials); i++) {
		s = &specials[i];
		if (s->code != code || !(s->archs & BIT(arch)))
			continue;
		f->layout = s->layout;
		f->etc = s->etc;
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
static bool grid_format(u32 code, struct px_format *f)
{
	static const u8 comps[] = { PX_SNORM, PX_UINT, PX_UNORM, PX_SINT };
	u32 type = (code >> 5) - 3, size = code & 7, bits, i;

	f->ncomp = (code >> 3 & 3) + 1;
	if (type >= ARRAY_SIZE(comps))
		return false;
	if (size == 7 && comps[type] == PX_UNORM)
		bits = 32;
	else if (size == 7 && comps[type] == PX_SINT)
		bits = 16;
	else if (size >= 2 && size <= 5)
		bits = 1U << size;
	else
		return false;
	f->comp = size == 7 ? PX_FLOAT : comps[type];
	f->layout = PX_PLAIN;
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
			if (swizzle[i] > PX_SWZ_1)
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
bool mali_format_decode(enum mali_arch arch, u32 bits, struct px_format *f)
{
	u32 i, code = bits >> 12 & 0xff;

	memset(f, 0, sizeof(*f));
	f->srgb = bits >> 20 & 1;
	f->big_endian = bits >> 21 & 1;
	if (bits >> 22 || !decode_swizzle(arch, bits & 0xfff, f->swizzle))
		return false;
	if (code >= 0x60 && code < 0xe0 ? !grid_format(code, f) : !special_format(arch, code, f))
		return false;
	/* Missing colours are 0, missing alpha is 1. */
	for (i = 0; i < 4; i++)
		if (f->swizzle[i] < 4 && !f->bits[f->swizzle[i]])
			f->swizzle[i] = i == 3 && f->layout != PX_CONSTANT ? PX_SWZ_1 :
					PX_SWZ_0;
	return true;
}
