/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Blocks of quads: primitives that the rasteriser has set up, drawn to a tile buffer. Blocks are
 * shaded one after another, so the tile buffer sees the quads in their order.
 */
#ifndef VR_QUADS_H
#define VR_QUADS_H

#include "vr_tile.h"

#define VR_QUADS_BLOCKS	64	/* shaded together */
#define VR_QUADS_PRIMS	256

/**
 * struct vr_quad_prim - Primitive of some quads.
 * @p:		primitive
 * @z:		depth of the corners, binary32
 * @plane:	depth, once @planed
 * @planed:	@plane is valid
 * @inv_w:	1 / w of the corners, binary32
 * @vertex:	indices of the corners, for varyings
 * @provoking:	corner of flat varyings
 * @primitive:	primitive index
 */
struct vr_quad_prim {
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
 * struct vr_quads - Blocks of quads, all of one draw and one tile.
 * @tile:	tile buffer
 * @depth:	depth of primitives
 * @zs:		depth and stencil tests
 * @draw:	index of the draw, for debuggers
 * @nblocks:	number of @block
 * @block:	quads; no sample is twice in a block
 * @nprims:	number of @prim
 * @prim:	primitives that the quads' slots refer to
 */
struct vr_quads {
	struct vr_tile *tile;
	struct vr_depth depth;
	struct vr_zs zs;
	u32 draw;
	u32 nblocks;
	struct vr_batch block[VR_QUADS_BLOCKS];
	u32 nprims;
	struct vr_quad_prim prim[VR_QUADS_PRIMS];
};

/* Test and write depth and stencil of a block, without a program. In FPU sections only. */
void vr_quads_fixed(struct vr_quads *in, u32 block, enum vs_simd simd);

/* ---- one primitive ---- */

struct vr_area;

/**
 * struct vr_area_ops - Depth and stencil of an area, between images and a->tile's quad.
 * @load:	load the samples @cover of the quad from lane @lane on. Return: false: fault
 * @store:	store what the tests of @cover have written; samples @passed have new depths
 */
struct vr_area_ops {
	bool (*load)(struct vr_area *a, u32 lane, u64 cover);
	bool (*store)(struct vr_area *a, u32 lane, u64 cover, u64 passed);
};

/**
 * struct vr_area - One primitive in a rectangle, its quads by index: row by row, 16 in a block.
 * @ops:	operations of tests
 * @tile:	number of samples; its memory is that of a quad
 * @depth:	depth of the primitive
 * @zs:		depth and stencil tests
 * @prim:	primitive
 * @x:		first column, even
 * @y:		first row, even
 * @columns:	quads of a row
 * @nquads:	quads of the rectangle; 0: the primitive covers nothing
 * @walk:	coverage of the tile of the last quad
 * @walked:	@walk is valid; else the primitive covers nothing of the tile
 * @at:		column and row of that tile
 * @block:	current block; its quads may be without coverage
 */
struct vr_area {
	const struct vr_area_ops *ops;
	struct vr_tile tile;
	struct vr_depth depth;
	struct vr_zs zs;
	struct vr_quad_prim prim;
	u32 x;
	u32 y;
	u32 columns;
	u64 nquads;
	struct vr_walk walk;
	bool walked;
	u32 at[2];
	struct vr_batch block;
};

/**
 * vr_area_init - set up the primitive
 * @a: area; with @tile.samples
 * @st: state; the scissor is the rectangle, from even pixels on
 * @kind: enum vr_kind, no line
 * @v: corners, one of a point, none of a rectangle
 * @size: of a point, binary32
 */
void vr_area_init(struct vr_area *a, const struct vr_state *st, enum vr_kind kind,
		  const struct vr_vertex v[3], u32 size);

/* ---- shading ---- */

/**
 * struct vr_shade - A block being shaded. In FPU sections only.
 * @in:		blocks, unless vr_area_begin() begins them
 * @area:	where the block is from, or NULL
 * @tile:	of @in or @area, as the following
 * @depth:	depth of primitives
 * @zs:		depth and stencil tests
 * @prim:	primitives
 * @block:	current block
 * @w:		weights of the corners: linear, perspective
 * @known:	bit 0, 1: @w is valid
 * @moved:	@at is valid; else all positions are centres
 * @at:		position in each lane's pixel, 1/256, that weights are for
 * @v:		binary32 at the corners, for the caller
 * @early:	lanes that have passed are already written in the tile buffer
 * @written:	those lanes
 * @z:		codes of depths before
 * @stencil:	stencil values before
 */
struct vr_shade {
	struct vr_quads *in;
	struct vr_area *area;
	struct vr_tile *tile;
	const struct vr_depth *depth;
	const struct vr_zs *zs;
	struct vr_quad_prim *prim;
	const struct vr_batch *block;
	struct vr_weights w[2];
	u32 known;
	bool moved;
	s16 at[VS_LANES][2];
	u32 v[VR_QUADS][3];
	bool early;
	u64 written;
	u32 z[VS_LANES];
	u8 stencil[VS_LANES];
};

/**
 * struct vr_pixels - Where the pixels of a block are kept, of each lane.
 * @x:		column
 * @y:		row
 * @cover:	samples that are covered
 * @z:		depth of each sample, binary32, if there are tests; NULL: not wanted
 */
struct vr_pixels {
	u16 *x;
	u16 *y;
	u16 *cover;
	u32 (*z)[VS_LANES];
};

/* Primitive of a lane. */
static inline struct vr_quad_prim *vr_shade_prim(const struct vr_shade *s, u32 lane)
{
	return &s->prim[s->block->quad[lane / 4].slot];
}

/* Coverage of quad @i of a block. */
static inline u64 vr_quad_cover(const u16 cover[VS_LANES], u32 i)
{
	u64 four;

	/* lanes in order, as processors are little-endian */
	memcpy(&four, cover + 4 * i, sizeof(four));
	return four;
}

/* Leave the coverage of some lanes alone. */
static inline void vr_keep_cover(u16 cover[VS_LANES], u64 lanes)
{
	u64 four;
	u32 i;

	for (i = 0; i < VR_QUADS && ~lanes; i++) {
		four = lanes >> (4 * i) & 15;
		four = ((four | four << 15 | four << 30 | four << 45) & VR_EACH_PIXEL(1)) * 0xffff;
		four &= vr_quad_cover(cover, i);
		memcpy(cover + 4 * i, &four, sizeof(four));
	}
}

/* Do all lanes have the first sample? */
static inline bool vr_all_covered(const u16 cover[VS_LANES])
{
	u32 i;

	for (i = 0; i < VR_QUADS; i++)
		if (~vr_quad_cover(cover, i) & VR_EACH_PIXEL(1))
			return false;
	return true;
}

/* First lanes of quads: from bit i to bit 4 i. */
static inline u64 vr_first_lanes(u64 quads)
{
	quads = (quads | quads << 24) & 0x000000ff000000ffULL;
	quads = (quads | quads << 12) & 0x000f000f000f000fULL;
	quads = (quads | quads << 6) & 0x0303030303030303ULL;
	return (quads | quads << 3) & 0x1111111111111111ULL;
}

/* Lanes with samples. */
static inline u64 vr_covered(const u16 cover[VS_LANES])
{
	u64 lanes = 0, any = 0, quads = 0, four;
	u32 i;

	if (vr_all_covered(cover))
		return ~0ULL;
	/* the first sample alone: 16 bits for each of a quad's pixels */
	for (i = 0; i < VR_QUADS; i++) {
		four = vr_quad_cover(cover, i);
		any |= four;
		quads |= four << i;
	}
	if (!(any & ~VR_EACH_PIXEL(1)))
		return vr_first_lanes(quads & 0xffff) |
		       vr_first_lanes(quads >> 16 & 0xffff) << 1 |
		       vr_first_lanes(quads >> 32 & 0xffff) << 2 | vr_first_lanes(quads >> 48) << 3;
	for (i = 0; i < VR_QUADS; i++)
		lanes |= (u64)vr_pixels_of(vr_quad_cover(cover, i)) << (4 * i);
	return lanes;
}

/* Quads that have lanes of a mask. */
u32 vr_quads_of(u64 lanes);
/* Lanes extended to whole quads. */
static inline u64 vr_whole_quads(u64 lanes)
{
	lanes |= lanes >> 1;
	lanes |= lanes >> 2;
	return (lanes & 0x1111111111111111ULL) * 15;
}

/*
 * Begin to shade block @n: set its pixels. @samples: samples of a pixel that may be covered.
 * Return: lanes with samples.
 */
u64 vr_shade_begin(struct vr_shade *s, enum vs_simd simd, u32 n, u32 samples,
		   const struct vr_pixels *to);
/* The same for a block of an area. */
u64 vr_area_begin(struct vr_shade *s, enum vs_simd simd, struct vr_area *a, u64 n, u32 samples,
		  const struct vr_pixels *to);
/*
 * Test or write the samples of lanes, see vr_tile_zs(). @depths: of each sample, or 1: one for all;
 * @ref: of each lane, or NULL. What is left is in @p->cover. Return: lanes with samples left. A
 * block that is tested with VR_ZS_TEST alone, where all lanes have samples, is written before the
 * next block, with VR_ZS_WRITE and some of the lanes that are left: in between the tile buffer may
 * or may not have their depths.
 */
u64 vr_shade_zs(struct vr_shade *s, enum vs_simd simd, u64 lanes, const struct vr_pixels *p,
		u32 depths, const u32 *ref, u32 what);
/* Set the position that the lane's varyings are interpolated at. */
void vr_shade_at(struct vr_shade *s, u32 lane, s32 x, s32 y);
/* Weights of the corners. Return: true if they had to be calculated. */
bool vr_shade_weigh(struct vr_shade *s, enum vs_simd simd, bool perspective);
/* A component whose values at the corners are in @s->v, with weights that are known. */
static inline void vr_shade_interpolate(const struct vr_shade *s, enum vs_simd simd,
					bool perspective, u32 quads, u32 *out)
{
	vr_interpolate(simd, &s->w[perspective], quads, (const u32 (*)[3])s->v, out);
}

/*
 * Weights of all quads that have coverage, as vr_weights_quad(). @prim: of the quads' slots; @at:
 * of each lane, or NULL.
 */
void vr_weights(enum vs_simd simd, struct vr_weights *w, const struct vr_batch *b,
		const struct vr_quad_prim *prim, bool perspective, const s16 at[][2]);
/*
 * vr_interpolate() for @comps components, 4 at most; @v: those at the corners of some primitives,
 * @of: that of each quad.
 */
void vr_varying(enum vs_simd simd, const struct vr_weights *w, u32 quads, const u32 v[][3][4],
		const u8 of[VR_QUADS], u32 comps, u32 out[][VS_LANES]);

/**
 * vr_shade_corners - read a varying at the corners of the quads' primitives
 * @s: block
 * @quads: quads to read it for
 * @read: reads a vertex of quad @i's primitive. Return: false: fault. Constant, to be inlined
 * @arg: for it
 * @corner: components of primitives' corners; those that a primitive lacks are 0
 * @of: index of each quad's primitive there
 * @n: number of primitives read, once for quads of one that follow each other
 *
 * Return: false with a fault.
 */
static __always_inline bool
vr_shade_corners(const struct vr_shade *s, u32 quads,
		 bool (*read)(void *arg, u32 i, u32 vertex, u32 v[4]), void *arg,
		 u32 corner[VR_QUADS][3][4], u8 of[VR_QUADS], u32 *n)
{
	const struct vr_batch *b = s->block;
	u32 i, k, corners, at = 0, slot = 0;
	const struct vr_quad_prim *p;

	for (i = 0; i < b->n; i++) {
		if (!(quads >> i & 1))
			continue;
		if (at && b->quad[i].slot == slot) {
			of[i] = at - 1;
			continue;
		}
		slot = b->quad[i].slot;
		p = vr_shade_prim(s, 4 * i);
		corners = p->p.kind == VR_TRIANGLE ? 3 : p->p.kind == VR_LINE ? 2 : 1;
		memset(corner[at], 0, sizeof(corner[at]));
		for (k = 0; k < corners; k++) {
			if (!read(arg, i, p->vertex[k], corner[at][k])) {
				*n = at;
				return false;
			}
		}
		of[i] = at++;
	}
	*n = at;
	return true;
}

/* 1 / w, with linear weights that are known. */
void vr_shade_inv_w(struct vr_shade *s, enum vs_simd simd, u64 mask, u32 *out);
/* Depth at the pixel centres. */
void vr_shade_z(const struct vr_shade *s, enum vs_simd simd, u64 mask, u32 *out);
/* Coordinates of points from 0 to 1, of other primitives 0; @up: @t grows upwards. */
void vr_shade_point(const struct vr_shade *s, enum vs_simd simd, u64 mask, bool up, u32 *sx,
		    u32 *ty);

#endif /* VR_QUADS_H */
