/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Fragment launches: primitive, colour and depth targets, blend and test state.
 */
#ifndef MALI_FRAG_H
#define MALI_FRAG_H

#include "../../pixel/px_format.h"

#define MALI_MAX_TARGETS	8
#define MALI_MAX_FB		65536	/* pixels per side */

/**
 * struct mali_target - image that fragments are written to
 * @va:		first pixel; 0: none, writes are ignored
 * @row_stride:	bytes from row to row; TILED: from one row of 16 x 16 tiles to the next
 * @order:	enum px_order
 * @format:	22 bits, as in descriptors
 * @sample_stride: bytes from one sample to the next, with multisampling
 */
struct mali_target {
	u64 va;
	u32 row_stride;
	u32 order;
	u32 format;
	u32 sample_stride;
};

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
	struct px_format format;
	struct vr_tile *tile;
	u32 number;
};

/**
 * struct mali_blend - blend descriptor: its four words
 * @flags:	load destination, alpha to one, enable, sRGB; constant in the upper half
 * @equation:	fixed-function equation and component mask
 * @internal:	words that the program passes to BLEND: kind, target, conversion or program
 */
struct mali_blend {
	u32 flags;
	u32 equation;
	u32 internal[2];
};

/* Fields of a blend function, 12 bits; names as in Mesa. */
enum mali_blend_a { MALI_BLEND_A_ZERO = 1, MALI_BLEND_A_SRC, MALI_BLEND_A_DEST };
enum mali_blend_b { MALI_BLEND_B_SRC_MINUS_DEST, MALI_BLEND_B_SRC_PLUS_DEST, MALI_BLEND_B_SRC,
		    MALI_BLEND_B_DEST };
enum mali_blend_c { MALI_BLEND_C_ZERO = 1, MALI_BLEND_C_SRC, MALI_BLEND_C_DEST,
		    MALI_BLEND_C_SRC_X_2, MALI_BLEND_C_SRC_ALPHA, MALI_BLEND_C_DEST_ALPHA,
		    MALI_BLEND_C_CONSTANT };
/* An equation: all components are the source's. */
#define MALI_BLEND_REPLACE	0xf0122122U

enum mali_prim {
	MALI_PRIM_RECT,		/* every pixel; no interpolation */
	MALI_PRIM_TRIANGLE,
	MALI_PRIM_POINT,
	MALI_NUM_PRIMS
};

#define MALI_FRAG_BACK		0x1	/* back-facing triangle */
#define MALI_FRAG_POINT_UP	0x2	/* the point's second coordinate grows upwards */
#define MALI_FRAG_DEPTH_TEST	0x4	/* compare and write depth, see @depth */
#define MALI_FRAG_DEPTH_WRITE	0x8
#define MALI_FRAG_SHADER_Z	0x10	/* the program writes depth: test at ZS_EMIT only */
#define MALI_FRAG_STENCIL_TEST	0x20	/* see @stencil */
#define MALI_FRAG_SHADER_S	0x40	/* the program writes the reference: test at ZS_EMIT only */
#define MALI_FRAG_LATE		0x80	/* depth and stencil are tested and written by ATEST */
#define MALI_FRAG_ALPHA_TEST	0x100	/* by ATEST, see @alpha_func */
#define MALI_FRAG_ALPHA_TO_COVERAGE 0x200 /* by ATEST: alpha is the fraction of samples */
#define MALI_FRAG_PER_SAMPLE	0x400	/* the program runs once per sample */
#define MALI_FRAG_ALL		0x7ff
/* No tests before the program runs. */
#define MALI_FRAG_LATER		(MALI_FRAG_SHADER_Z | MALI_FRAG_SHADER_S | MALI_FRAG_LATE)

struct vr_quads;
struct vr_area;

/**
 * struct mali_frag - area and state of a fragment launch
 * @quads:	blocks of quads in a tile buffer, or NULL: one primitive, on images. With quads,
 *		members about the primitive, images, depth and stencil tests are unused, @x and @y
 *		0, @width and @height those of the frame
 * @x:		first column of the bounding rectangle, a multiple of 2
 * @y:		first row, a multiple of 2
 * @width:	columns
 * @height:	rows
 * @prim:	enum mali_prim
 * @flags:	MALI_FRAG_*
 * @vertex:	corners on the screen: x, y, z, 1 / w, as binary32; points have one
 * @index:	vertex indices of the corners, for varyings
 * @provoking:	corner that provides flat varyings
 * @point_size:	binary32
 * @primitive:	primitive index
 * @depth_func:	1 less, 2 equal, 4 greater, and their sums
 * @depth:	Z image: the first component of its format
 * @ntargets:	number of colour targets
 * @target:	colour targets
 * @blend:	blend descriptor of each target
 * @samples:	samples per pixel of all targets: 0, 1: one; 4, 8, 16, at the hardware's positions
 * @sample_mask: samples that may be covered; 0: all
 * @stencil:	stencil image: the second component of its format, or the only one
 * @stencil_side: front, back: words of the hardware's state: reference, mask, function and
 *		operations if the stencil test fails, if depth fails, else
 * @stencil_write: write masks: front 0-7, back 8-15
 * @alpha_func:	as @depth_func
 * @alpha_ref:	alpha reference, binary32
 * @sample_positions: address of the sample positions, as seen by the program
 * @blend_base:	Bifrost: upper half of the addresses of blend programs; lower half: 0
 */
struct mali_frag {
	struct vr_quads *quads;
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

struct simt_machine;

/* Midgard: does a target become the program's colour, of a format whose numbers are from 0 to 1? */
bool mali_frag_replaces(const struct mali_blend *d);
/* Pointer to a target's pixel; NULL with a fault, or without one if it is outside. */
u8 *mali_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y, u64 mask,
	       bool write);
u8 *mali_sample_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y,
		      u32 sample, u64 mask, bool write);

/* Stencil state of a side: a word of renderer states, mask of written bits. */
struct vr_stencil mali_stencil(u32 word, u32 write);
/* Set up the primitive; with a->tile.samples. Return: false: the rectangle is out of range. */
bool mali_frag_area(const struct mali_frag *f, struct vr_area *a);

#endif /* MALI_FRAG_H */
