/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Fragment works on blocks of quads: primitives that the rasteriser has set up, drawn to a tile
 * buffer. Many blocks are one launch; they run one after another, so the tile buffer sees the
 * quads in their order.
 */
#ifndef MALI_QUADS_H
#define MALI_QUADS_H

#include "../../raster/vr_tile.h"

#define MALI_QUADS_BLOCKS	32	/* of a launch */
#define MALI_QUADS_PRIMS	128

/**
 * struct mali_quad_prim - Primitive of a launch.
 * @p:		primitive
 * @z:		depth of the corners, binary32
 * @plane:	depth, once @planed
 * @planed:	@plane is valid
 * @inv_w:	1 / w of the corners, binary32
 * @vertex:	indices of the corners, for varyings
 * @provoking:	corner of flat varyings
 * @primitive:	primitive index
 */
struct mali_quad_prim {
	struct vr_prim p;
	u32 z[3];
	struct vr_plane plane;
	bool planed;
	u32 inv_w[3];
	u32 vertex[3];
	u32 provoking;
	u32 primitive;
};

/**
 * struct mali_quads - Blocks of quads, all of one draw and one tile.
 * @tile:	tile buffer
 * @depth:	depth of primitives
 * @zs:		depth and stencil tests
 * @draw:	index of the draw's job, for debuggers
 * @nblocks:	number of @block
 * @block:	quads; no sample is twice in a block
 * @nprims:	number of @prim
 * @prim:	primitives that the quads' slots refer to
 */
struct mali_quads {
	struct vr_tile *tile;
	struct vr_depth depth;
	struct vr_zs zs;
	u32 draw;
	u32 nblocks;
	struct vr_batch block[MALI_QUADS_BLOCKS];
	u32 nprims;
	struct mali_quad_prim prim[MALI_QUADS_PRIMS];
};

/* Test and write depth and stencil of a block, without a program. In FPU sections only. */
void mali_quads_fixed(struct mali_quads *in, u32 block, enum vs_simd simd);

#endif /* MALI_QUADS_H */
