/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Formats of pixels and vertex elements, and the order of pixels in images. Chips map their codes
 * to them.
 */
#ifndef PX_FORMAT_H
#define PX_FORMAT_H

#include "../engine/vs_glue.h"

enum px_comp { PX_UNORM, PX_SNORM, PX_UINT, PX_SINT, PX_FLOAT, PX_FIXED };

/* Texel layouts. */
enum px_layout {
	PX_PLAIN,	/* @bits[i] per component, first lowest */
	PX_UFLOAT,	/* as PX_PLAIN, unsigned floats: 11 and 10 bits */
	PX_SHARED_EXP, /* 9, 9, 9 and a common exponent of 5, first lowest */
	PX_ETC2,	/* blocks of 4 x 4; enum px_etc selects the kind */
	PX_CONSTANT,	/* no memory: zeros */
	PX_SNAP4	/* position: 4 x 32 bit float, not converted */
};

/* Kinds of blocks; R11 and RG11 are signed with PX_SNORM. */
enum px_etc { PX_ETC2_RGB8, PX_ETC2_RGB8A1, PX_ETC2_RGBA8, PX_EAC_R11, PX_EAC_RG11 };

/* Swizzles: constants. */
#define PX_SWZ_0	4
#define PX_SWZ_1	5

/**
 * struct px_format - decoded pixel format
 * @layout:	enum px_layout
 * @etc:	PX_ETC2: enum px_etc
 * @comp:	enum px_comp of all components
 * @ncomp:	components in memory
 * @bytes:	bytes per texel; ETC2: per block
 * @bits:	width of each component in memory
 * @swizzle:	component of memory for each of r, g, b, a; PX_SWZ_0, PX_SWZ_1
 * @srgb:	r, g, b are sRGB
 * @big_endian:	bytes of components are swapped
 */
struct px_format {
	u8 layout;
	u8 etc;
	u8 comp;
	u8 ncomp;
	u8 bytes;
	u8 bits[4];
	u8 swizzle[4];
	bool srgb;
	bool big_endian;
};

/* ---- images ---- */

/**
 * enum px_order - Order of the pixels of an image
 * @PX_LINEAR_TOO: as PX_LINEAR
 * @PX_TILED:	Mali: tiles of 16 x 16 pixels, u-interleaved
 * @PX_LINEAR:	row by row
 * @PX_LT:	VideoCore IV: microtiles of 64 bytes, row by row
 * @PX_T:	VideoCore IV: tiles of 4 KiB, which are 8 x 8 microtiles
 * @PX_MORTON:	PICA200: blocks of 8 x 8 pixels, in Morton order
 * @PX_NUM_ORDERS: number of orders
 *
 * The first numbers are those of Mali's descriptors. Rows, for strides, are rows of tiles,
 * microtiles or blocks.
 */
enum px_order { PX_LINEAR_TOO, PX_TILED, PX_LINEAR, PX_LT, PX_T, PX_MORTON, PX_NUM_ORDERS };

#define PX_TILE		16	/* texels a side */

/*
 * Order of the texels of a tile: interleaves the bits of x and of x ^ y, a Morton order with
 * U-shaped turns. Bits of x spread, and bits of y doubled: the index is their xor.
 */
extern const u8 px_spread_x[PX_TILE];
extern const u8 px_spread_y[PX_TILE];

/* log2 of a microtile's width and height, of pixels of 1 to 64 bits. */
static inline u32 px_utile_wshift(u32 bits)
{
	return bits == 64 ? 1 : bits == 32 ? 2 : bits >= 8 ? 3 : bits == 4 ? 4 : 5;
}

static inline u32 px_utile_hshift(u32 bits)
{
	return bits >= 16 ? 2 : bits >= 4 ? 3 : 4;
}

/* Index in memory of microtile @x, @y of an image in PX_T of so many tiles in a row. */
u32 px_t_utile(u32 tiles, u32 x, u32 y);

/* Can pixels of @bytes be in this order? */
bool px_order_ok(enum px_order order, u32 bytes);
/*
 * Bytes from the beginning of an image to the pixel at @x, @y, for an order that px_order_ok()
 * allows. @stride: bytes from row to row; PX_T: a multiple of 4096.
 */
u64 px_offset(enum px_order order, u32 bytes, u64 stride, u32 x, u32 y);
/* As many pixels, from a multiple of the number on, are adjacent. A power of two, at most 8. */
u32 px_run(enum px_order order, u32 bytes);

/* Index of a texel in its tile. */
static inline u32 px_tile_index(u32 x, u32 y)
{
	return px_spread_x[x % PX_TILE] ^ px_spread_y[y % PX_TILE];
}

#endif /* PX_FORMAT_H */
