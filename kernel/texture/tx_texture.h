/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Textures and samplers, decoded from the descriptors of a chip.
 */
#ifndef TX_TEXTURE_H
#define TX_TEXTURE_H

#include "../pixel/px_format.h"

#define TX_CUBE_FACES	6

enum tx_dim { TX_DIM_CUBE, TX_DIM_1D, TX_DIM_2D, TX_DIM_3D };

/**
 * struct tx_surface - one image of a texture
 * @va:		first byte
 * @row_stride:	bytes from row to row; TILED: from one row of tiles (16 x 16 texels, ETC2: 4 x 4
 *		blocks) to the next; 0: unspecified (v4, v5), dense
 * @surface_stride: bytes from slice to slice of 3D, and from sample to sample
 */
struct tx_surface {
	u64 va;
	s32 row_stride;
	s32 surface_stride;
};

/**
 * struct tx_texture - texture descriptor
 * @va:		address of the descriptor; 0: nothing is bound, reads as zero
 * @dim:	enum tx_dim
 * @order:	enum px_order
 * @normalized:	v6, v7: coordinates are normalised by the texture
 * @corner:	sample position is the corner
 * @width:	level 0
 * @height:	level 0
 * @depth:	level 0, 3D only
 * @array_size:	layers (cubes: groups of six faces)
 * @samples:	per texel
 * @levels:	number of levels
 * @min_level:	first usable level
 * @min_lod:	8.8
 * @max_lod:	8.8
 * @swizzle:	applied after that of @format
 * @format:	texel format
 * @nsurfaces:	levels * layers * faces * samples
 * @surfaces:	use tx_find_surface()
 * @level_inner: the level is the innermost index
 * @bad:	reason of a fault when the texture is used, or 0; @va is of what is wrong then
 * @bad_value:	the value that is wrong
 */
struct tx_texture {
	u64 va;
	u8 dim;
	u8 order;
	bool normalized;
	bool corner;
	u32 width;
	u32 height;
	u32 depth;
	u32 array_size;
	u32 samples;
	u32 levels;
	u32 min_level;
	u32 min_lod;
	u32 max_lod;
	u8 swizzle[4];
	struct px_format format;
	u32 nsurfaces;
	struct tx_surface *surfaces;
	bool level_inner;
	u8 bad;
	u32 bad_value;
};

/* Size in @level of a dimension with @n texels in level 0. */
static inline u32 tx_minify(u32 n, u32 level)
{
	return level < 32 && n >> level ? n >> level : 1;
}

/* Surface of a level, layer, face (cubes, else 0) and sample; NULL if it does not exist. */
const struct tx_surface *tx_find_surface(const struct tx_texture *t, u32 level, u32 layer,
					 u32 face, u32 sample);

enum tx_wrap {
	TX_REPEAT = 8, TX_CLAMP_TO_EDGE, TX_CLAMP, TX_CLAMP_TO_BORDER,
	TX_MIRRORED_REPEAT, TX_MIRRORED_CLAMP_TO_EDGE, TX_MIRRORED_CLAMP,
	TX_MIRRORED_CLAMP_TO_BORDER
};

enum tx_mip { TX_MIP_NEAREST, TX_MIP_NONE, TX_MIP_TRILINEAR = 3 };

/**
 * struct tx_sampler - sampler descriptor
 * @va:		address of the descriptor; 0: nothing is bound, reads as zero
 * @wrap:	enum tx_wrap of s, t, r
 * @mag_nearest: magnification filter is nearest
 * @min_nearest: minification filter is nearest
 * @mip:	enum tx_mip
 * @func:	compare function: 1 less, 2 equal, 4 greater, and their sums
 * @normalized:	coordinates run from 0 to 1
 * @seamless:	cube maps are filtered across edges
 * @clamp_int:	integer coordinates are clamped
 * @clamp_int_array: integer layers are clamped
 * @round_nearest: coordinates of nearest filtering are rounded to even
 * @srgb_override: sRGB texels are read as linear
 * @mag_cutoff:	magnification ends at LOD 1/2
 * @filter_first: the filter is chosen by the LOD before it is clamped
 * @min_lod:	8.8
 * @max_lod:	8.8
 * @lod_bias:	8.8
 * @max_aniso:	1: isotropic
 * @border:	bits of r, g, b, a; type as in the texture
 * @bad:	reason of a fault when the sampler is used, or 0; @va is of what is wrong then
 * @bad_value:	the value that is wrong
 */
struct tx_sampler {
	u64 va;
	u8 wrap[3];
	bool mag_nearest;
	bool min_nearest;
	u8 mip;
	u8 func;
	bool normalized;
	bool seamless;
	bool clamp_int;
	bool clamp_int_array;
	bool round_nearest;
	bool srgb_override;
	bool mag_cutoff;
	bool filter_first;
	u32 min_lod;
	u32 max_lod;
	s32 lod_bias;
	u32 max_aniso;
	u32 border[4];
	u8 bad;
	u32 bad_value;
};

#endif /* TX_TEXTURE_H */
