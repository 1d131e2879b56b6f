/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Resources of programs of ARM Mali GPUs (Midgard v4 and v5, Bifrost v6 and v7), decoded from
 * their descriptors: pixel formats, attributes and images, textures, samplers, uniform buffers.
 *
 * Sources: Mesa's descriptor descriptions (panfrost genxml v4 to v7), values that its driver
 * writes and its decoder prints; numbers only, nothing is copied.
 */
#ifndef MALI_RES_H
#define MALI_RES_H

#include "../../engine/vs_glue.h"

/* Descriptor formats. */
enum mali_arch { MALI_V4, MALI_V5, MALI_V6, MALI_V7, MALI_NUM_ARCH };

/* ---- pixel formats ---- */

enum mali_comp { MALI_UNORM, MALI_SNORM, MALI_UINT, MALI_SINT, MALI_FLOAT, MALI_FIXED };

/* Texel layouts. */
enum mali_layout {
	MALI_PLAIN,	/* @bits[i] per component, first lowest */
	MALI_UFLOAT,	/* as MALI_PLAIN, unsigned floats: 11 and 10 bits */
	MALI_SHARED_EXP, /* 9, 9, 9 and a common exponent of 5, first lowest */
	MALI_ETC2,	/* blocks of 4 x 4; mali_format.code selects the kind */
	MALI_CONSTANT,	/* no memory: zeros */
	MALI_SNAP4	/* position: 4 x 32 bit float, not converted */
};

/* Register formats; AUTO: 32 bits, kind of the descriptor's format. Bifrost's encoding. */
enum mali_regfmt { MALI_REG_F16, MALI_REG_F32, MALI_REG_S32, MALI_REG_U32, MALI_REG_S16,
		   MALI_REG_U16, MALI_REG_F64, MALI_REG_I64, MALI_REG_AUTO };

#define MALI_SWZ_0	4
#define MALI_SWZ_1	5

/**
 * struct mali_format - decoded pixel format
 * @code:	format code of the hardware
 * @layout:	enum mali_layout
 * @comp:	enum mali_comp of all components
 * @ncomp:	components in memory
 * @bytes:	bytes per texel; ETC2: per block
 * @bits:	width of each component in memory
 * @swizzle:	component of memory for each of r, g, b, a; MALI_SWZ_0, MALI_SWZ_1
 * @srgb:	r, g, b are sRGB
 * @big_endian:	bit 21 of the word
 */
struct mali_format {
	u8 code;
	u8 layout;
	u8 comp;
	u8 ncomp;
	u8 bytes;
	u8 bits[4];
	u8 swizzle[4];
	bool srgb;
	bool big_endian;
};

/* Decode 22 bits of format. Return: false if undefined. */
bool mali_format_decode(enum mali_arch arch, u32 bits, struct mali_format *f);

/* ---- attributes ---- */

/* Types of attribute buffers; numbers of the hardware. */
enum mali_buf_type {
	MALI_BUF_1D = 1, MALI_BUF_POT_DIVISOR, MALI_BUF_MODULUS, MALI_BUF_NPOT_DIVISOR,
	MALI_BUF_3D_LINEAR, MALI_BUF_3D_INTERLEAVED, MALI_BUF_PRIMITIVE_INDEX,
	MALI_BUF_POT_DIVISOR_WR = 10, MALI_BUF_MODULUS_WR, MALI_BUF_NPOT_DIVISOR_WR,
	MALI_BUF_POINT_COORD_MIN = 33, MALI_BUF_VERTEX_ID, MALI_BUF_INSTANCE_ID = 36,
	MALI_BUF_FRAG_COORD, MALI_BUF_FRONT_FACING, MALI_BUF_POINT_COORD_MAX = 97
};

/**
 * struct mali_attr_buf - attribute or varying buffer, or image
 * @type:	enum mali_buf_type; 0: no buffer, or no attribute refers to it
 * @r:		shift: log2 of a power-of-two divisor, or shift after the multiplication
 * @p:		MODULUS: padded count is (2 p + 1) << r
 * @e:		NPOT: add one before multiplying
 * @magic:	NPOT: multiplier, with its implicit top bit
 * @divisor:	NPOT: the divisor as written; for messages, the hardware uses @magic
 * @bias:	VERTEX_ID, INSTANCE_ID: added
 * @va:		first element (image: level)
 * @size:	bytes
 * @stride:	bytes from element to element (image: per texel)
 * @dim:	3D: extent
 * @row_stride: 3D: bytes; INTERLEAVED: per row of 16 x 16 tiles
 * @slice_stride: 3D: bytes
 */
struct mali_attr_buf {
	u8 type;
	u8 r;
	u8 p;
	u8 e;
	u32 magic;
	u32 divisor;
	s32 bias;
	u64 va;
	u32 size;
	u32 stride;
	u32 dim[3];
	u32 row_stride;
	s32 slice_stride;
};

/**
 * struct mali_attr - attribute, varying or image
 * @va:		address of the descriptor; 0: none, reads as zero
 * @raw:	the 22 bits of format, which LEA_ATTR returns to the program
 * @buf:	index of the buffer
 * @offset_enable: the draw's offset applies (vertex attributes)
 * @bad:	why programs must not use it, a fault reason of job chains; 0: valid
 * @offset:	bytes, added to the element's address
 * @format:	format of the element
 *
 * Drivers leave descriptors that the program does not read undefined: errors are reported when
 * a descriptor is used.
 */
struct mali_attr {
	u64 va;
	u32 raw;
	u16 buf;
	bool offset_enable;
	u8 bad;
	s32 offset;
	struct mali_format format;
};

/**
 * struct mali_attr_table - attributes with their buffers
 *
 * The renderer state may count varyings that do not exist: then @n or @nbufs is 0.
 *
 * @n:		number of attributes
 * @attr:	attributes
 * @nbufs:	highest buffer index + 1
 * @bufs:	buffers by index
 */
struct mali_attr_table {
	u32 n;
	struct mali_attr *attr;
	u32 nbufs;
	struct mali_attr_buf *bufs;
};

/* @linear: instance * mali_launch.instance_size + vertex. */
u32 mali_attr_element(const struct mali_attr_buf *b, u32 linear);

/* ---- textures and samplers ---- */

#define MALI_CUBE_FACES	6

enum mali_dim { MALI_DIM_CUBE, MALI_DIM_1D, MALI_DIM_2D, MALI_DIM_3D };

/* Texel orders; numbers of the hardware. */
enum mali_order { MALI_TILED = 1, MALI_LINEAR = 2 };

/**
 * struct mali_surface - one image of a texture
 * @va:		first byte
 * @row_stride:	bytes from row to row; TILED: from one row of tiles (16 x 16 texels, ETC2: 4 x 4
 *		blocks) to the next; 0: unspecified (v4, v5), dense
 * @surface_stride: bytes from slice to slice of 3D, and from sample to sample
 */
struct mali_surface {
	u64 va;
	s32 row_stride;
	s32 surface_stride;
};

/**
 * struct mali_texture - texture descriptor
 * @va:		address of the descriptor; 0: nothing is bound, reads as zero
 * @dim:	enum mali_dim
 * @order:	enum mali_order
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
 * @surfaces:	use mali_tex_surface()
 * @level_inner: the level is the innermost index
 * @bad:	reason of a fault when the texture is used, or 0
 */
struct mali_texture {
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
	struct mali_format format;
	u32 nsurfaces;
	struct mali_surface *surfaces;
	bool level_inner;
	u8 bad;
};

/* Size in @level of a dimension with @n texels in level 0. */
static inline u32 mali_tex_minify(u32 n, u32 level)
{
	return level < 32 && n >> level ? n >> level : 1;
}

/* Surface of a level, layer, face (cubes, else 0) and sample; NULL if it does not exist. */
const struct mali_surface *mali_tex_surface(const struct mali_texture *t, u32 level, u32 layer,
					    u32 face, u32 sample);
#define MALI_TILE	16	/* texels a side */

/*
 * Order of the texels of a tile: interleaves the bits of x and of x ^ y, a Morton order with
 * U-shaped turns. Bits of x spread, and bits of y doubled: the index is their xor.
 */
extern const u8 mali_spread_x[MALI_TILE];
extern const u8 mali_spread_y[MALI_TILE];

/* Index of a texel in its tile. */
static inline u32 mali_tile_index(u32 x, u32 y)
{
	return mali_spread_x[x % MALI_TILE] ^ mali_spread_y[y % MALI_TILE];
}

enum mali_wrap {
	MALI_REPEAT = 8, MALI_CLAMP_TO_EDGE, MALI_CLAMP, MALI_CLAMP_TO_BORDER,
	MALI_MIRRORED_REPEAT, MALI_MIRRORED_CLAMP_TO_EDGE, MALI_MIRRORED_CLAMP,
	MALI_MIRRORED_CLAMP_TO_BORDER
};

enum mali_mip { MALI_MIP_NEAREST, MALI_MIP_NONE, MALI_MIP_TRILINEAR = 3 };

/**
 * struct mali_sampler - sampler descriptor
 * @va:		address of the descriptor; 0: nothing is bound, reads as zero
 * @wrap:	enum mali_wrap of s, t, r
 * @mag_nearest: magnification filter is nearest
 * @min_nearest: minification filter is nearest
 * @mip:	enum mali_mip
 * @func:	compare function: 1 less, 2 equal, 4 greater, and their sums
 * @normalized:	coordinates run from 0 to 1
 * @seamless:	cube maps are filtered across edges
 * @clamp_int:	integer coordinates are clamped
 * @clamp_int_array: integer layers are clamped
 * @round_nearest: coordinates of nearest filtering are rounded to even
 * @srgb_override: sRGB texels are read as linear
 * @mag_cutoff:	magnification ends at LOD 1/2
 * @min_lod:	8.8
 * @max_lod:	8.8
 * @lod_bias:	8.8
 * @max_aniso:	1: isotropic
 * @border:	bits of r, g, b, a; type as in the texture
 * @bad:	reason of a fault when the sampler is used, or 0
 */
struct mali_sampler {
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
	u32 min_lod;
	u32 max_lod;
	s32 lod_bias;
	u32 max_aniso;
	u32 border[4];
	u8 bad;
};

/* ---- uniform buffers ---- */

/**
 * struct mali_ubo - uniform buffer
 * @va:		first byte; 0: none
 * @size:	bytes
 */
struct mali_ubo {
	u64 va;
	u32 size;
};

#endif /* MALI_RES_H */
