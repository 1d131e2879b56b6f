/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Rasterizer for fragments of all families: pixel coverage of primitives, and pixels in memory.
 *
 * Corners are snapped to 1/256 of a pixel; a pixel is covered if its centre is inside, or on
 * a top or left edge. Four lanes are a quad: (0, 0), (1, 0), (0, 1), (1, 1); lanes that are not
 * covered are helpers.
 */
#ifndef MALI_RASTER_H
#define MALI_RASTER_H

#include "mali_fp.h"
#include "mali_frag.h"
#include "mali_res.h"

struct vr_tile;

/**
 * struct mali_surf - target with its decoded format
 * @t:		target; in a tile buffer only @va: not 0
 * @format:	decoded format
 * @tile:	tile buffer with the target's pixels, NULL: they are in memory
 * @number:	of the target in @tile
 */
struct mali_surf {
	struct mali_target t;
	struct mali_format format;
	struct vr_tile *tile;
	u32 number;
};

#define MALI_MAX_SAMPLES	16

/**
 * struct mali_raster - primitive being rasterized
 * @at:		corners in 1/256 pixels, x and y
 * @sign:	1 or -1: makes edges of inside pixels positive
 * @size:	points: size in 1/256 pixels
 * @nquads:	quads of the rectangle, x fastest
 * @qwidth:	quads per row
 * @depth:	Z image
 * @stencil:	stencil image
 * @target:	colour targets
 * @fp:		positions of the block's pixels, for interpolation
 * @x:		pixels of the block
 * @y:		"
 * @covered:	covered lanes: all but helpers
 * @z:		depth of the samples; the program's: [0]
 * @ref:	stencil reference values of the program
 * @cover:	samples of the pixels still covered
 * @kept:	stored sample position of varyings, x and y from the pixel's corner in 1/256
 * @moved:	lanes whose stored position is not the centre
 * @tested:	Midgard: lanes whose write to the framebuffer has been tested
 * @nsamples:	samples per pixel
 * @turns:	program runs per pixel
 * @q:		blocks of quads, or NULL: one primitive
 * @sample:	sample index of the block's run
 */
struct mali_raster {
	s32 at[3][2];
	s32 sign;
	s32 size;
	u64 nquads;
	u32 qwidth;
	struct mali_surf depth;
	struct mali_surf stencil;
	struct mali_surf target[MALI_MAX_TARGETS];
	struct mali_fp_prim fp;
	u16 x[SIMT_LANES];
	u16 y[SIMT_LANES];
	u64 covered;
	u32 z[MALI_MAX_SAMPLES][SIMT_LANES];
	u32 ref[SIMT_LANES];
	u16 cover[SIMT_LANES];
	s16 kept[2][SIMT_LANES];
	u64 moved;
	u64 tested;
	u32 nsamples;
	u32 turns;
	u32 sample;
	struct mali_quad_run *q;
};

/* Quads per block. */
#define MALI_QUADS	(SIMT_LANES / 4)

/**
 * mali_raster_begin - validate and set up a primitive
 * @r: raster, zeros
 * @f: rectangle and primitive
 *
 * Return: false if the rectangle or a corner is out of range.
 */
bool mali_raster_begin(struct mali_raster *r, const struct mali_frag *f);
/* Assign pixels to lanes, quads from @first on. Return: lanes with a pixel. */
u64 mali_raster_place(struct mali_raster *r, const struct mali_frag *f, u64 first);
/* Covered lanes of @lanes; computes the edges that varyings use. */
u64 mali_raster_cover(struct mali_raster *r, const struct mali_frag *f, u64 lanes);
/* Is a position in the lane's pixel, in 1/256 from its corner, inside? */
bool mali_raster_inside(const struct mali_raster *r, const struct mali_frag *f, u32 lane, s32 x,
			s32 y);
/* Extend @lanes to whole quads. */
u64 mali_whole_quads(u64 lanes);
/* Point coordinates of lanes @mask, 0 to 1; @up: the second coordinate grows upwards. */
void mali_raster_point(const struct mali_raster *r, bool up, enum vs_simd simd, u64 mask, u32 *s,
		       u32 *t);
/* Twice the areas of a point and the edges: unnormalised barycentric coordinates. */
void mali_frag_edges(const struct mali_raster *r, s64 x, s64 y, s64 e[3]);

/* Pointer to a target's pixel; NULL with a fault, or without one if it is outside. */
u8 *mali_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y, u64 mask,
	       bool write);
u8 *mali_sample_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y,
		      u32 sample, u64 mask, bool write);

#endif /* MALI_RASTER_H */
