/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tile lists in memory, from the vertex processor's frame to that of the pixel processor. The
 * hardware's format is not public, and drivers do not read it: this one is our own. Drivers
 * provide a block of 512 bytes for some tiles, and a heap for what does not fit.
 */
#ifndef VS_UTGARD_LISTS_H
#define VS_UTGARD_LISTS_H

#include "../../engine/vs_num.h"

#define UTL_BLOCK_MAGIC		0x4c425455U
#define UTL_DRAW_MAGIC		0x44525455U
#define UTL_TILE		16	/* pixels a side */
#define UTL_BLOCK_PRIMS		20

/**
 * struct utl_prim - Primitive in a list.
 * @seq:	number of the primitive in its frame
 * @draw:	struct utl_draw
 * @n:		number of vertices
 * @v:		vertices
 */
struct utl_prim {
	u32 seq;
	u32 draw;
	u32 v[3];
	u32 n;
};

/**
 * struct utl_block - List of some tiles, or a further part of one, in the heap.
 * @magic:	UTL_BLOCK_MAGIC
 * @n:		number of @prim
 * @next:	further part, 0: none
 * @last:	block: last part, 0: itself
 * @prim:	primitives
 * @pad:	unused
 */
struct utl_block {
	u32 magic;
	u32 n;
	u32 next;
	u32 last;
	struct utl_prim prim[UTL_BLOCK_PRIMS];
	u32 pad[4];
};

static_assert(sizeof(struct utl_block) == 512, "blocks");

#define UTL_CULL_CCW	0x1	/* counter-clockwise triangles as stored, rows downwards */
#define UTL_CULL_CW	0x2
#define UTL_RECTANGLE	0x4

/**
 * struct utl_draw - State of a draw of the tile list unit, in the heap.
 * @magic:	UTL_DRAW_MAGIC
 * @number:	index in the frame
 * @state:	render state
 * @positions:	of vertices
 * @flags:	UTL_*
 * @size:	of points and lines, binary32
 * @sizes:	table of the vertices' point sizes, 0: @size
 * @stride:	of that table
 * @clip:	pixels: x0, y0, x1, y1
 * @range:	depth range: near, far
 */
struct utl_draw {
	u32 magic;
	u32 number;
	u32 state;
	u32 positions;
	u32 flags;
	u32 size;
	u32 sizes;
	u32 stride;
	s32 clip[4];
	u32 range[2];
};

#endif /* VS_UTGARD_LISTS_H */
