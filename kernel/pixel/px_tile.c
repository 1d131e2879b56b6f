// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Order of the pixels of images. */
#include "px_format.h"

const u8 px_spread_x[PX_TILE] = {
	0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
	0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55,
};

const u8 px_spread_y[PX_TILE] = {
	0x00, 0x03, 0x0c, 0x0f, 0x30, 0x33, 0x3c, 0x3f,
	0xc0, 0xc3, 0xcc, 0xcf, 0xf0, 0xf3, 0xfc, 0xff,
};

/*
 * Sub-tiles of 4 x 4 microtiles (1 KiB) are in raster order, four of them to a tile, which go down,
 * across and up in even rows of tiles and the other way in odd ones; odd rows of tiles run from
 * right to left. Source: Mesa's vc4 driver.
 */
u32 px_t_utile(u32 tiles, u32 x, u32 y)
{
	/* order of the sub-tiles by row and column; tiles of even and odd rows */
	static const u8 order[2][2][2] = { { { 0, 3 }, { 1, 2 } }, { { 2, 1 }, { 3, 0 } } };
	u32 tx = x / 8, ty = y / 8, sub;

	if (ty & 1)
		tx = tiles - 1 - tx;
	sub = order[ty & 1][y >> 2 & 1][x >> 2 & 1];
	return (ty * tiles + tx) * 64 + sub * 16 + (y & 3) * 4 + (x & 3);
}

bool px_order_ok(enum px_order order, u32 bytes)
{
	if (order == PX_LT || order == PX_T)
		return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
	return order < PX_NUM_ORDERS;
}

/* Microtiles, in the order of PX_LT or PX_T. */
static u64 utile_offset(enum px_order order, u32 bytes, u64 stride, u32 x, u32 y)
{
	u32 ws = px_utile_wshift(8 * bytes), hs = px_utile_hshift(8 * bytes);
	u32 ux = x >> ws, uy = y >> hs;
	u64 at = ((y & ((1U << hs) - 1)) << ws | (x & ((1U << ws) - 1))) * bytes;

	if (order == PX_LT)
		return uy * stride + 64ULL * ux + at;
	return 64ULL * px_t_utile((u32)(stride / 4096), ux, uy) + at;
}

/* Bits of x and y in turns, that of x lowest. */
static u32 morton8(u32 x, u32 y)
{
	u32 i, index = 0;

	for (i = 0; i < 3; i++)
		index |= (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return index;
}

u64 px_offset(enum px_order order, u32 bytes, u64 stride, u32 x, u32 y)
{
	switch (order) {
	case PX_TILED:
		return y / PX_TILE * stride +
		       ((u64)(x / PX_TILE) * PX_TILE * PX_TILE + px_tile_index(x, y)) * bytes;
	case PX_LT:
	case PX_T:
		return utile_offset(order, bytes, stride, x, y);
	case PX_MORTON:
		return y / 8 * stride + ((u64)(x / 8) * 64 + morton8(x, y)) * bytes;
	default:
		return y * stride + (u64)x * bytes;
	}
}

u32 px_run(enum px_order order, u32 bytes)
{
	switch (order) {
	case PX_TILED:
		return 1;
	case PX_LT:
	case PX_T:
		return 1U << px_utile_wshift(8 * bytes);
	case PX_MORTON:
		return 2;
	default:
		return 8;
	}
}
