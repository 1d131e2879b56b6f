/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Internals of the VideoCore IV texture lookup unit.
 */
#ifndef QPU_TEX_H
#define QPU_TEX_H

#include "qpu_intern.h"

/* Texture data types; the rest of 0..31 is undefined. */
enum qpu_tex_type {
	QPU_TEX_RGBA8888, QPU_TEX_RGBX8888, QPU_TEX_RGBA4444, QPU_TEX_RGBA5551,
	QPU_TEX_RGB565, QPU_TEX_LUMINANCE, QPU_TEX_ALPHA, QPU_TEX_LUMALPHA, QPU_TEX_ETC1,
	QPU_TEX_S16F, QPU_TEX_S8, QPU_TEX_S16, QPU_TEX_BW1, QPU_TEX_A4, QPU_TEX_A1,
	QPU_TEX_RGBA64, QPU_TEX_RGBA32R, QPU_TEX_YUYV422R, QPU_TEX_NUM_TYPES
};

#define QPU_TEX_LEVELS	16	/* maximum levels of a configuration */

enum qpu_tex_wrap { QPU_WRAP_REPEAT, QPU_WRAP_CLAMP, QPU_WRAP_MIRROR, QPU_WRAP_BORDER };

/**
 * struct qpu_tex_level - layout of a level
 * @addr:	bus address of face 0
 * @width:	texels
 * @height:	texels
 * @stride:	microtiles (raster types: bytes) per row
 * @t_format:	T format, else LT format (or raster)
 */
struct qpu_tex_level {
	u32 addr;
	u32 width;
	u32 height;
	u32 stride;
	bool t_format;
};

/**
 * struct qpu_tex - decoded configuration
 * @type:	enum qpu_tex_type
 * @nlevels:	levels of detail, 1..16
 * @wrap:	enum qpu_tex_wrap of s and t
 * @mag_near:	magnification filter is nearest
 * @min_near:	minification filter is nearest
 * @mip:	0 level 0 only, 1 nearest level, 2 between two levels
 * @cube:	cube map, R is the third coordinate
 * @border:	R is the border colour
 * @bias_only:	B is the level of detail, else it is added to the automatic one
 * @flip_y:	row 0 is the top
 * @etc_flip:	rows of ETC1 blocks are upside down
 * @child:	the texture is a part of the image
 * @cube_stride: bytes from face to face
 * @cx:	column of the child
 * @cy:	row of the child
 * @cwidth:	its width
 * @cheight:	its height
 * @level:	levels of the image
 */
struct qpu_tex {
	u8 type;
	u8 nlevels;
	u8 wrap[2];
	u8 mip;
	bool mag_near;
	bool min_near;
	bool cube;
	bool border;
	bool bias_only;
	bool flip_y;
	bool etc_flip;
	bool child;
	u32 cube_stride;
	u32 cx, cy, cwidth, cheight;
	struct qpu_tex_level level[QPU_TEX_LEVELS];
};

/*
 * A texel or a filtered value: red, green, blue, alpha. Types of 8 bits and less: in 1/256
 * of the byte's unit; S16: the integer; S16F, RGBA64: halves.
 */
struct qpu_texel {
	u16 c[4];
};

/* qpu_tmu.c */

/* Reserve room for a result. */
enum qpu_ev qpu_tmu_push(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t, u32 **v);
/* Count an element's read outside mapped memory. */
enum qpu_ev qpu_tmu_stray(struct qpu_shared *s, struct qpu_core *q, u32 addr, u32 size);

/* qpu_tex_addr.c */

/* Bits per texel (ETC1: per block). */
u32 qpu_tex_bits(u32 type);
/* Decode P0..P3. Return: false if a field has an undefined value. */
bool qpu_tex_config(const struct qpu_tmu *t, struct qpu_tex *tex);
/*
 * Address of the texel at column @x, row @y (ETC1: its block; YUYV: its pair); both must be
 * inside the level. Return: address of its first byte, the bit within it in *@bit.
 */
u32 qpu_tex_addr(const struct qpu_tex *tex, const struct qpu_tex_level *l, u32 face, u32 x,
		 u32 y, u32 *bit);

/* qpu_tex_format.c */

/* Bytes of memory per texel. */
u32 qpu_tex_bytes(u32 type);
/*
 * Decode a texel. @raw: its bytes, the first one lowest; @bit: first bit of the texel; @x, @y:
 * column and row in the level.
 */
struct qpu_texel qpu_tex_decode(const struct qpu_tex *tex, u64 raw, u32 bit, u32 x, u32 y);
/* @a * (256 - @w) + @b * @w, over 256. */
struct qpu_texel qpu_tex_mix(u32 type, struct qpu_texel a, struct qpu_texel b, u32 w);
/* Border colour from the R register. */
struct qpu_texel qpu_tex_border(u32 type, u32 r);
/* Pack into words for r4, one or two. Return: their number. */
u32 qpu_tex_pack(u32 type, struct qpu_texel c, u32 *words);
/* Number of words of qpu_tex_pack(). */
u32 qpu_tex_words(u32 type);

/* qpu_tex_coord.c */

/**
 * struct qpu_tex_coords - coordinates on a face, floats as bits
 * @s:	horizontal, 0 to 1
 * @t:	vertical
 * @face: cube map face, else 0
 * @quad_s: cube maps: @s on the face of the quad's first element
 * @quad_t: @t likewise
 */
struct qpu_tex_coords {
	u32 s[QPU_LANES];
	u32 t[QPU_LANES];
	u8 face[QPU_LANES];
	u32 quad_s[QPU_LANES];
	u32 quad_t[QPU_LANES];
};

/* Coordinates of the elements, with cube map directions resolved; @t, @r: NULL: zeros. */
void qpu_tex_coords(const struct qpu_tex *tex, const u32 *s, const u32 *t, const u32 *r,
		    struct qpu_tex_coords *c);
/* Coordinate @f over @n texels, in 1/256 texels, rounded down. */
s64 qpu_tex_fixed(u32 f, u32 n, u32 wrap);
/* Level of detail of each element in 1/256, not clamped. @b: bias or NULL. */
void qpu_tex_lod(const struct qpu_tex *tex, const struct qpu_tex_coords *c, const u32 *b,
		 s32 *lod);
/* Apply wrap mode @wrap to column or row @i of @n. Return: -1 for the border. */
s32 qpu_tex_wrap(s64 i, u32 n, u32 wrap);

/* qpu_tex.c */

/* Execute the texture request in @t with coordinates @sv. */
enum qpu_ev qpu_tex_lookup(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t,
			   const u32 *sv, u32 mask);

#endif /* QPU_TEX_H */
