/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which pixels a primitive covers, and pixels in memory, for fragments of all families.
 *
 * Corners are snapped to 1/256 of a pixel; a pixel is covered if its centre is inside, or on
 * an edge that is at the top or on the left. Four lanes are a quad: (0, 0), (1, 0), (0, 1),
 * (1, 1); those that are not covered are helpers.
 */
#ifndef MALI_RASTER_H
#define MALI_RASTER_H

#include "mali_fp.h"
#include "mali_frag.h"
#include "mali_res.h"

/**
 * struct mali_surf - A target, ready for pixels.
 * @t:		target
 * @format:	decoded
 */
struct mali_surf {
	struct mali_target t;
	struct mali_format format;
};

#define MALI_MAX_SAMPLES	16

/**
 * struct mali_raster - A primitive, ready for pixels.
 * @at:		corners in 1/256 pixels, x and y
 * @sign:	1 or -1: makes edges of inside pixels positive
 * @size:	points: their size in 1/256 pixels
 * @nquads:	quads of the rectangle, x fastest
 * @qwidth:	quads in a row
 * @depth:	Z image
 * @stencil:	stencil image
 * @target:	colour targets
 * @fp:		arithmetic's view of the block's pixels
 * @x:		pixels of the block
 * @y:		"
 * @covered:	lanes that are not just there to fill up quads
 * @z:		depth of the samples; the program's: [0]
 * @ref:	stencil reference values of the program
 * @cover:	samples of the pixels that are left
 * @kept:	where varyings were taken, x and y from the pixel's corner in 1/256
 * @moved:	lanes for which that is not the centre
 * @tested:	Midgard: lanes whose write to the framebuffer has been tested
 * @nsamples:	of a pixel
 * @turns:	how often a pixel's program runs
 * @sample:	of those: the block's
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
};

/* Lanes of a block in quads. */
#define MALI_QUADS	(SIMT_LANES / 4)

/**
 * mali_raster_begin - check and prepare a primitive
 * @r: raster, zeros
 * @f: rectangle and primitive
 *
 * Return: false: the rectangle or a corner is out of range.
 */
bool mali_raster_begin(struct mali_raster *r, const struct mali_frag *f);
/* Pixels of the lanes, quads from @first on. Return: lanes that there are. */
u64 mali_raster_place(struct mali_raster *r, const struct mali_frag *f, u64 first);
/* Lanes of @lanes whose pixel the primitive covers; makes what varyings need. */
u64 mali_raster_cover(struct mali_raster *r, const struct mali_frag *f, u64 lanes);
/* Is a point of the lane's pixel, in 1/256 from its corner, inside? */
bool mali_raster_inside(const struct mali_raster *r, const struct mali_frag *f, u32 lane, s32 x,
			s32 y);
/* All lanes of quads that have one of @lanes. */
u64 mali_whole_quads(u64 lanes);
/* Where pixels are in a point: 0 to 1, of lanes @mask; @up: the second number grows upwards. */
void mali_raster_point(const struct mali_raster *r, bool up, enum vs_simd simd, u64 mask, u32 *s,
		       u32 *t);
/* Twice the areas that a point makes with the edges, for barycentric coordinates. */
void mali_frag_edges(const struct mali_raster *r, s64 x, s64 y, s64 e[3]);

/* Pixel of a target; NULL with a fault, or without one if it is outside. */
u8 *mali_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y, u64 mask,
	       bool write);
u8 *mali_sample_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y,
		      u32 sample, u64 mask, bool write);

#endif /* MALI_RASTER_H */
