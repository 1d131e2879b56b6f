/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Texture unit, with the rules of the Mali families: reads and filters textures for a block of
 * lanes.
 *
 * Coordinates, levels, weights and sums are calculated in binary64, with the same order of
 * operations in all builds, so that results do not depend on the machine's vector units; the
 * result is rounded to binary32 once. Filtered NaNs are the positive quiet one.
 *
 * Choices for undocumented behaviour:
 *
 * - Coordinates and weights are exact, not of 8 bits; the LOD is not of 8.8 bits.
 * - The LOD is the logarithm of the longer gradient; anisotropic filtering is isotropic.
 * - The sampler's bias is always added, then its clamp applies, then the texture's
 *   clamp. Magnification is up to LOD 0 (1/2 with mag_cutoff).
 * - NaN coordinates and LODs are 0. Texel coordinates saturate at 2^30, except for repetition.
 * - Texels of zero weight are not fetched.
 * - Nothing bound, a missing level, layer, face or sample, or no address: zeros.
 * - Fetches outside of the image: zeros, also alpha.
 * - Integer textures are not filtered, nor between levels.
 * - Shadow: texel (function) reference, as in Mesa's driver: less passes if the texel is less.
 *   The memory component for red is compared; green, blue and alpha return the result, too, if
 *   the format swizzles the same component to them. With normalised formats the reference is
 *   clamped to their range.
 * - Border colours: components that the format lacks are its constants; those of
 *   normalised formats are clamped.
 * - Cubes are filtered across edges if the sampler enables it; at a corner, the missing texel
 *   is the mean of the other three. Otherwise the sampler's wrap modes apply to each face.
 * - round_nearest, corner and normalized of the descriptors have no effect.
 */
#ifndef TX_UNIT_H
#define TX_UNIT_H

#include "../engine/simt/simt.h"
#include "../pixel/px_pack.h"
#include "tx_texture.h"

/* Operations. */
enum tx_op {
	TX_OP_SAMPLE,	/* filter; coordinates are binary32 */
	TX_OP_FETCH,	/* one texel; coordinates, lod and layer are integers */
	TX_OP_GATHER,	/* component @comp of the four texels of a bilinear filter, level 0:
			 * (0, 0), (1, 0), (0, 1), (1, 1)
			 */
	TX_OP_LOD	/* result 0: level(s) selected, 1: LOD before any clamp */
};

/* Source of the level of detail of SAMPLE and LOD. */
enum tx_lod_mode {
	TX_LOD_ZERO,	/* 0 */
	TX_LOD_COMPUTED, /* differences in the quad */
	TX_LOD_BIAS,	/* as COMPUTED, plus @lod */
	TX_LOD_EXPLICIT, /* @lod */
	TX_LOD_GRAD	/* @grad, plus @lod */
};

enum tx_status {
	TX_OK,
	TX_FAULT,		/* see fault_va */
	TX_UNSUPPORTED	/* unreadable format, or dimensions out of range */
};

#define TX_MAX_TEXELS	8
#define TX_REQUEST_COST	64	/* cost of a request without its texels */

/**
 * struct tx_work - scratch of the texture unit; needs no initialisation
 * @pos:	s, t, r; binary64, as are all 64-bit members
 * @lod:	before clamping
 * @frac:	weight of the second level
 * @weight:	weights of the footprint's texels; bit n of the index: second of two in dimension n
 * @sum:	weighted sums over texels and levels
 * @texel:	texels of the footprint; zeros where the weight is zero. With @raw the first
 *		component holds their bytes
 * @raw:	components of texels are bytes
 * @raw_swizzle: byte of each component, or a constant
 * @base:	first texel coordinate of the footprint, before wrapping
 * @column:	of a plane: index of the first and second column's texels in their row of texels
 *		or tiles
 * @row:	offset of that row, of the first and second row of texels
 * @in_tile:	of tiles, to be combined with @column by xor
 * @place:	of a plane: offsets of the footprint's texels
 * @level:	levels
 * @face:	cube faces
 * @same:	all lanes have the levels and the filter of lane 0
 * @plane:	all lanes have the same two-dimensional image and the same filter
 * @first:	one of them
 * @active:	lanes that read
 * @nearest:	lanes with nearest filtering within a level
 * @two:	lanes with two levels
 */
struct tx_work {
	u64 pos[3][SIMT_LANES];
	u64 lod[SIMT_LANES];
	u64 frac[SIMT_LANES];
	u64 weight[TX_MAX_TEXELS][SIMT_LANES];
	u64 sum[4][SIMT_LANES];
	u32 texel[TX_MAX_TEXELS][4][SIMT_LANES];
	s32 base[3][SIMT_LANES];
	u32 column[2][SIMT_LANES];
	u32 row[2][SIMT_LANES];
	u32 in_tile[2][SIMT_LANES];
	u32 place[4][SIMT_LANES];
	u32 level[2][SIMT_LANES];
	u8 face[SIMT_LANES];
	bool raw;
	bool same;
	bool plane;
	u8 raw_swizzle[4];
	u32 first;
	u64 active;
	u64 nearest;
	u64 two;
};

/**
 * struct tx_request - texture request of up to 64 lanes
 *
 * About 30 KiB: allocated once, with the machine. The caller sets all members up to @mask and
 * those that the operation uses; arrays need valid values only in lanes of @mask (and, with
 * computed LOD, in their quads).
 *
 * @op:		enum tx_op
 * @lod_mode:	enum tx_lod_mode
 * @comp:	GATHER: component, after swizzles
 * @array:	@layer is valid; else layer 0
 * @shadow:	compare with @ref; SAMPLE and GATHER
 * @offsets:	@offset is added to texel coordinates
 * @cube_dir:	cubes: @coord is a direction, else (s, t) of face @face in 0..1
 * @ms:		FETCH: @sample is valid; else sample 0
 * @bounded:	SAMPLE: the LOD is at least @bound
 * @tex:	texture, or NULL: nothing is bound
 * @samp:	sampler, or NULL: nothing is bound; ignored by FETCH
 * @mask:	lanes that request a result
 * @quads:	lanes with valid coordinates, for differences: of the first row, or the
 *		second if that is not complete, and likewise of columns; else they are 0
 * @coord:	s, t, r: binary32, or s32 with FETCH
 * @face:	0..5 for +x, -x, +y, -y, +z, -z; others: zeros
 * @layer:	integer
 * @lod:	binary32; FETCH: level, integer
 * @bound:	8.8, as the sampler's lower bound; applied before its upper one
 * @grad:	differences of @coord in x and in y, binary32
 * @ref:	shadow reference, binary32
 * @offset:	in texels
 * @sample:	sample index
 * @kind:	result: enum px_kind of @result
 * @result:	result: r, g, b, a; lanes of @mask
 * @fault_va:	result: first unreadable address
 * @fault_size:	result: bytes of that access
 * @fault_lane:	result: lane of that access
 * @reads:	result: texels read, for charging
 * @w:		private
 */
struct tx_request {
	u8 op;
	u8 lod_mode;
	u8 comp;
	bool array;
	bool shadow;
	bool offsets;
	bool cube_dir;
	bool ms;
	bool bounded;
	const struct tx_texture *tex;
	const struct tx_sampler *samp;
	u64 mask;
	u64 quads;
	u32 coord[3][SIMT_LANES];
	u32 face[SIMT_LANES];
	u32 layer[SIMT_LANES];
	u32 lod[SIMT_LANES];
	u16 bound[SIMT_LANES];
	u32 grad[2][3][SIMT_LANES];
	u32 ref[SIMT_LANES];
	s8 offset[3][SIMT_LANES];
	u32 sample[SIMT_LANES];
	u32 kind;
	u32 result[4][SIMT_LANES];
	u64 fault_va;
	u32 fault_size;
	u32 fault_lane;
	u32 reads;
	struct tx_work w;
};

/**
 * tx_begin - initialise a request
 * @q: request
 * @mask: lanes that request a result, with valid coordinates
 *
 * Defaults: filter, with computed LOD, without further operands. The caller sets coordinates,
 * texture, sampler and deviations from the defaults.
 */
void tx_begin(struct tx_request *q, u64 mask);

/* Set the texel offsets of a lane, a byte each. */
static inline void tx_offset(struct tx_request *q, u32 lane, u32 bytes)
{
	u32 i;

	for (i = 0; i < 3; i++)
		q->offset[i][lane] = (s8)(bytes >> (8 * i));
}

/**
 * tx_run - execute a texture request
 * @m: machine, for memory
 * @simd: executor; selects the build of the arithmetic
 * @q: request and result
 *
 * Inside the FPU section unless @simd is VS_SIMD_PORTABLE, in the default mode (nearest
 * even, subnormals kept). Bounded: at most 16 texels per lane.
 */
enum tx_status tx_run(struct simt_machine *m, enum vs_simd simd,
		      struct tx_request *q);

/**
 * tx_exec - execute a texture request of the current instruction
 * @m: machine, charged for the request
 * @q: request and result
 * @bad: reason of the COMMAND fault for unreadable formats
 *
 * Return: false with a fault.
 */
bool tx_exec(struct simt_machine *m, struct tx_request *q, u32 bad);

#endif /* TX_UNIT_H */
