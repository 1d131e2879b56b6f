/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Fragment launches: primitive, colour and depth targets, blend and test state.
 */
#ifndef MALI_FRAG_H
#define MALI_FRAG_H

#include "../../engine/vs_glue.h"

#define MALI_MAX_TARGETS	8
#define MALI_MAX_FB		65536	/* pixels a side */

/**
 * struct mali_target - Image that fragments are written to.
 * @va:		first pixel; 0: none, what is written is lost
 * @row_stride:	bytes from row to row; TILED: from a row of tiles of 16 x 16 to the next
 * @order:	enum mali_order
 * @format:	22 bits, as in descriptors
 * @sample_stride: bytes from a sample to the next one, if there are several
 */
struct mali_target {
	u64 va;
	u32 row_stride;
	u32 order;
	u32 format;
	u32 sample_stride;
};

/**
 * struct mali_blend - Blend descriptor: its four words.
 * @flags:	load destination, alpha to one, enable, sRGB; constant in the upper half
 * @equation:	of the fixed function, and the mask of components
 * @internal:	what the program hands to BLEND: kind, target, conversion or program
 */
struct mali_blend {
	u32 flags;
	u32 equation;
	u32 internal[2];
};

enum mali_prim {
	MALI_PRIM_RECT,		/* every pixel; nothing varies */
	MALI_PRIM_TRIANGLE,
	MALI_PRIM_POINT,
	MALI_NUM_PRIMS
};

#define MALI_FRAG_BACK		0x1	/* the triangle shows its back */
#define MALI_FRAG_POINT_UP	0x2	/* the point's second coordinate grows upwards */
#define MALI_FRAG_DEPTH_TEST	0x4	/* compare and write depth, see @depth */
#define MALI_FRAG_DEPTH_WRITE	0x8
#define MALI_FRAG_SHADER_Z	0x10	/* the program gives the depth: test at ZS_EMIT only */
#define MALI_FRAG_STENCIL_TEST	0x20	/* see @stencil */
#define MALI_FRAG_SHADER_S	0x40	/* the program gives the reference: test at ZS_EMIT only */
#define MALI_FRAG_LATE		0x80	/* depth and stencil are tested and written by ATEST */
#define MALI_FRAG_ALPHA_TEST	0x100	/* by ATEST, see @alpha_func */
#define MALI_FRAG_ALPHA_TO_COVERAGE 0x200 /* by ATEST: alpha is the share of samples */
#define MALI_FRAG_PER_SAMPLE	0x400	/* the program runs for each sample by itself */
#define MALI_FRAG_ALL		0x7ff
/* Nothing is tested before the program runs. */
#define MALI_FRAG_LATER		(MALI_FRAG_SHADER_Z | MALI_FRAG_SHADER_S | MALI_FRAG_LATE)

/**
 * struct mali_frag - What a fragment launch covers and where it goes.
 * @x:		first column of the rectangle that fragments may be in, a multiple of 2
 * @y:		first row, a multiple of 2
 * @width:	columns
 * @height:	rows
 * @prim:	enum mali_prim
 * @flags:	MALI_FRAG_*
 * @vertex:	corners on the screen: x, y, z, 1 / w, as binary32; points have one
 * @index:	numbers of the corners, for varyings
 * @provoking:	corner whose flat varyings count
 * @point_size:	binary32
 * @primitive:	number of the primitive
 * @depth_func:	1 less, 2 equal, 4 greater, and their sums
 * @depth:	Z image: the first component of its format
 * @ntargets:	colour targets
 * @target:	them
 * @blend:	a blend descriptor for each
 * @samples:	0, 1: one; 4, 8, 16, at the hardware's places: of all targets
 * @sample_mask: samples that may be covered; 0: all
 * @stencil:	stencil image; of its format the second component, or the only one
 * @stencil_side: front, back: words of the hardware's state: reference, mask, function and what
 *		becomes of values where the test fails, where depth fails, else
 * @stencil_write: bits that are written: front 0-7, back 8-15
 * @alpha_func:	as @depth_func
 * @alpha_ref:	binary32 that alpha is compared with
 * @sample_positions: what the program sees as their address
 * @blend_base:	Bifrost: upper half of the addresses of blend programs; lower half: 0
 */
struct mali_frag {
	u32 x;
	u32 y;
	u32 width;
	u32 height;
	u32 prim;
	u32 flags;
	u32 vertex[3][4];
	u32 index[3];
	u32 provoking;
	u32 point_size;
	u32 primitive;
	u32 depth_func;
	struct mali_target depth;
	u32 ntargets;
	struct mali_target target[MALI_MAX_TARGETS];
	struct mali_blend blend[MALI_MAX_TARGETS];
	u32 samples;
	u32 sample_mask;
	struct mali_target stencil;
	u32 stencil_side[2];
	u32 stencil_write;
	u32 alpha_func;
	u32 alpha_ref;
	u64 sample_positions;
	u64 blend_base;
};

#endif /* MALI_FRAG_H */
