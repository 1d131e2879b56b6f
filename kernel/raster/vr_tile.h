/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tile buffer: colours, depth and stencil of 64 x 64 pixels, apart from the images in memory.
 * Depth and stencil tests, blending, clears; load, resolve and store of images. And blocks: quads
 * of several primitives that are shaded together.
 *
 * A fragment job, for each tile:
 *
 *	vr_tile_clear() or vr_io_begin() and vr_io_step() (load) of each attachment
 *	for each quad of each primitive:
 *		if (!vr_batch_room()): shade the quads of the block, vr_batch_clear()
 *		vr_tile_zs(VR_ZS_TEST), if depth is tested early
 *		vr_batch_add()
 *	shade what is left
 *	vr_io_begin() and vr_io_step() (store) of each attachment
 *
 * To shade: run the program, vr_tile_zs(VR_ZS_WRITE), vr_tile_blend().
 */
#ifndef VR_TILE_H
#define VR_TILE_H

#include "../pixel/px_pack.h"
#include "vs_raster.h"

#define VR_MAX_TARGETS	8

/* Buffers of a tile, each cleared, loaded or dirty: targets, depth, stencil. */
enum { VR_DIRTY_Z = VR_MAX_TARGETS, VR_DIRTY_S, VR_NUM_DIRTY };

enum vr_zformat { VR_Z_NONE, VR_Z16, VR_Z24, VR_Z32F, VR_NUM_ZFORMATS };

/**
 * struct vr_tile - Tile buffer.
 * @samples:	1 or 4; of an area 8 and 16, too
 * @ntargets:	colour targets, up to VR_MAX_TARGETS
 * @format:	of each target in the buffer: writable, up to 16 bytes; 0 bytes: no target
 * @zformat:	enum vr_zformat
 * @has_stencil: there are stencil values
 * @x:		origin in the frame, pixels
 * @y:		"
 * @colour:	each target's pixels in @format
 * @z:		depth, see vr_depth_code()
 * @s:		stencil
 * @dirty:	of each target, and VR_DIRTY_*: parts of 16 x 16 pixels, row by row, that draws
 *		have written since the clear
 * @plain:	likewise, parts in which every sample has the clear's value
 * @loads:	writes are those of a load: what they write stays clean
 * @passed:	samples that passed all tests
 *
 * Samples are in the order of quads, then samples, then the quad's pixels.
 */
struct vr_tile {
	u32 samples;
	u32 ntargets;
	struct px_format format[VR_MAX_TARGETS];
	u32 zformat;
	bool has_stencil;
	u32 x;
	u32 y;
	u8 *colour[VR_MAX_TARGETS];
	u32 *z;
	u8 *s;
	u16 dirty[VR_NUM_DIRTY];
	u16 plain[VR_NUM_DIRTY];
	bool loads;
	u64 passed;
};

/**
 * vr_tile_bytes - memory of a tile buffer
 * @t: with the members up to @has_stencil
 *
 * Return: bytes, at most 2.2 MB; 0: a member is out of range.
 */
u32 vr_tile_bytes(const struct vr_tile *t);

/**
 * vr_tile_place - give a tile buffer its memory
 * @t: checked by vr_tile_bytes()
 * @mem: so many bytes, multiple of 16
 */
void vr_tile_place(struct vr_tile *t, void *mem);

/*
 * Fill a colour target with the pixel at @pixel, in its format. At most 256 KiB. Buffers are clean
 * after a clear.
 */
void vr_tile_clear(struct vr_tile *t, u32 target, const void *pixel);
/* Fill depth and stencil; @z: binary32. */
void vr_tile_clear_zs(struct vr_tile *t, u32 z, u32 s);

/* Fill @all bytes with copies of @bytes ones. */
void vr_tile_fill(u8 *to, const void *from, u32 bytes, u32 all);

/* First pixel of a quad, in pixels. @x, @y: of the frame, in this tile. */
static inline u32 vr_quad_index(u32 x, u32 y)
{
	return ((y / 2 % 32) * 32 + x / 2 % 32) * 4;
}

/* The same of its first sample, in samples. */
static inline u32 vr_tile_index(const struct vr_tile *t, u32 x, u32 y)
{
	return vr_quad_index(x, y) * t->samples;
}

/* The part of 16 x 16 pixels with a quad. */
static inline u16 vr_tile_part(u32 x, u32 y)
{
	return 1U << (y / 16 % 4 * 4 + x / 16 % 4);
}

/* Parts are written in a buffer: a target, or VR_DIRTY_*. */
static inline void vr_tile_touch_parts(struct vr_tile *t, u32 buffer, u16 parts)
{
	t->plain[buffer] &= ~parts;
	if (!t->loads)
		t->dirty[buffer] |= parts;
}

/* Does it matter which of some parts are written? */
static inline bool vr_tile_touches(const struct vr_tile *t, u32 buffer, u16 parts)
{
	return parts & (t->plain[buffer] | (t->loads ? 0 : ~t->dirty[buffer]));
}

/* The quad at @x, @y is written. */
static inline void vr_tile_touch(struct vr_tile *t, u32 buffer, u32 x, u32 y)
{
	vr_tile_touch_parts(t, buffer, vr_tile_part(x, y));
}

/* ---- depth and stencil ---- */

enum vr_stencil_op { VR_KEEP, VR_REPLACE, VR_ZERO, VR_INVERT, VR_INCR_WRAP, VR_DECR_WRAP,
		     VR_INCR, VR_DECR };

/**
 * struct vr_stencil - Stencil state of one side.
 * @ref:	reference value
 * @read:	mask of compared bits
 * @write:	mask of written bits
 * @func:	comparison of reference and value: 1 less, 2 equal, 4 greater, and their sums
 * @fail:	enum vr_stencil_op if the stencil test fails; others keep
 * @zfail:	if the depth test fails
 * @pass:	else
 */
struct vr_stencil {
	u8 ref;
	u8 read;
	u8 write;
	u8 func;
	u8 fail;
	u8 zfail;
	u8 pass;
};

#define VR_DEPTH_TEST	0x1
#define VR_DEPTH_WRITE	0x2
#define VR_STENCIL_TEST	0x4

/**
 * struct vr_zs - Depth and stencil state of a draw.
 * @flags:	VR_DEPTH_TEST, ...; without an attachment its tests pass
 * @func:	as in struct vr_stencil: depth of the sample and in the buffer
 * @side:	front, back
 */
struct vr_zs {
	u32 flags;
	u32 func;
	struct vr_stencil side[2];
};

/* Codes of a depth in a format, in the order of depths; @z: binary32. NaN is 0. */
u32 vr_depth_code(u32 zformat, u32 z);
/* Depth of a code, binary32. */
u32 vr_depth_value(u32 zformat, u32 code);

/* Does @a compare with @b as @func says: 1 less, 2 equal, 4 greater, and their sums? */
static inline bool vr_compare(u32 func, u32 a, u32 b)
{
	/* without branches, which would be mispredicted */
	return func >> ((a >= b) + (a > b)) & 1;
}

/* Which of VR_DEPTH_TEST, ... the buffer has attachments for. */
u32 vr_zs_enabled(const struct vr_tile *t, const struct vr_zs *zs);

#define VR_ZS_TEST	1	/* test, and write what failing tests write */
#define VR_ZS_WRITE	2	/* write what passing tests write, count samples */

/**
 * vr_tile_zs - test or write the samples of a quad
 * @t: tile buffer
 * @zs: state
 * @back: the back is shown
 * @x: column of the quad
 * @y: row
 * @cover: coverage
 * @z: binary32, pixel + 4 * sample
 * @ref: stencil reference of each pixel; NULL: the state's
 * @what: VR_ZS_TEST, VR_ZS_WRITE or both
 *
 * Return: coverage that is left.
 */
u64 vr_tile_zs(struct vr_tile *t, const struct vr_zs *zs, bool back, u32 x, u32 y, u64 cover,
	       const u32 *z, const u32 *ref, u32 what);

/**
 * struct vr_alpha - Alpha test: samples stay if it passes.
 * @func:	comparison of alpha and @ref: 1 less, 2 equal, 4 greater, and their sums; 7: none
 * @bytes:	alpha is rounded to a number of 255, and @ref is one; else both are binary32
 * @ref:	reference
 */
struct vr_alpha {
	u8 func;
	bool bytes;
	u32 ref;
};

/* Does a binary32 pass? NaNs pass only a test that all pass. */
bool vr_alpha_passes(const struct vr_alpha *a, u32 alpha);
/* The number of 255 that is nearest to a binary32. */
u32 vr_byte(u32 f);
/* Samples that alpha, binary32, covers: the nearest share, the lowest ones. NaN: none. */
u32 vr_alpha_cover(u32 samples, u32 alpha);

/* ---- blocks ---- */

/**
 * struct vr_batch - Quads of a block of 64 lanes, all of one draw and one tile.
 * @n:		quads
 * @whole:	the quads are those of 8 x 8 pixels at the first one, row by row, of one primitive;
 *		each pixel had its one sample covered when they were added
 * @parts:	parts of the tile with quads
 * @quad:	column, row, coverage; slot: the caller's number of the primitive; at:
 *		vr_quad_index(); place: all four, the column in the lowest bits
 * @met:	pixels with samples in the block, four bits a quad; those 32 pixels away share bits
 */
struct vr_batch {
	u32 n;
	bool whole;
	u16 parts;
	struct {
		u64 cover;
		union {
			struct {
				u16 x;
				u16 y;
				u16 slot;
				u16 at;
			};
			u64 place;
		};
	} quad[VR_QUADS];
	u64 met[16];
};

/* Forget all quads. */
static inline void vr_batch_clear(struct vr_batch *b)
{
	b->n = 0;
	b->whole = false;
	b->parts = 0;
	memset(b->met, 0, sizeof(b->met));
}

/* Pixels of a quad's coverage, of one sample each: bit 0 to 3. */
static inline u32 vr_single_pixels(u64 cover)
{
	return (cover * (BIT_ULL(48) | BIT_ULL(33) | BIT_ULL(18) | BIT_ULL(3))) >> 48 & 15;
}

/* The same of any number of samples. */
static inline u32 vr_pixels_of(u64 cover)
{
	if (cover & ~VR_EACH_PIXEL(1)) {
		cover |= cover >> 8 & 0x00ff00ff00ff00ffULL;
		cover |= cover >> 4 & 0x000f000f000f000fULL;
		cover |= cover >> 2 & 0x0003000300030003ULL;
		cover = (cover | cover >> 1) & VR_EACH_PIXEL(1);
	}
	return vr_single_pixels(cover);
}

/* First bit of a quad in @met. */
static inline u32 vr_batch_bit(u32 x, u32 y)
{
	return (y / 2 % 16 * 16 + x / 2 % 16) * 4;
}

/*
 * Return: false: the block has to be shaded and cleared first: it is full, or has a quad with some
 * of the samples already, which must be blended before this one. @pixels: vr_pixels_of(@cover)
 */
static inline bool vr_batch_room(const struct vr_batch *b, u32 x, u32 y, u64 cover, u32 pixels)
{
	u32 bit = vr_batch_bit(x, y), i;

	if (b->n == VR_QUADS)
		return false;
	if (!(b->met[bit / 64] >> (bit % 64) & pixels))
		return true;
	for (i = 0; i < b->n; i++)
		if (b->quad[i].x == x && b->quad[i].y == y && b->quad[i].cover & cover)
			return false;
	return true;
}

/* Add a quad that there is room for. @pixels: vr_pixels_of(@cover) */
static inline void vr_batch_add(struct vr_batch *b, u32 slot, u32 x, u32 y, u64 cover, u32 pixels)
{
	u32 bit = vr_batch_bit(x, y), i = b->n++;

	b->quad[i].x = x;
	b->quad[i].y = y;
	b->quad[i].cover = cover;
	b->quad[i].slot = slot;
	b->quad[i].at = vr_quad_index(x, y);
	b->parts |= vr_tile_part(x, y);
	b->met[bit / 64] |= (u64)pixels << (bit % 64);
}

/* Fill an empty batch with the quads of 8 x 8 pixels at @x and @y, multiples of 8; see @whole. */
static inline void vr_batch_fill(struct vr_batch *b, u32 slot, u32 x, u32 y)
{
	u32 bit = vr_batch_bit(x, y), i;

	for (i = 0; i < VR_QUADS; i++) {
		b->quad[i].x = x + 2 * (i % 4);
		b->quad[i].y = y + 2 * (i / 4);
		b->quad[i].cover = VR_EACH_PIXEL(1);
		b->quad[i].slot = slot;
		b->quad[i].at = vr_quad_index(x + 2 * (i % 4), y + 2 * (i / 4));
	}
	b->parts = vr_tile_part(x, y);
	/* a word has 16 quads of a row */
	for (i = 0; i < 4; i++)
		b->met[bit / 64 + i] = 0xffffULL << (bit % 64);
	b->n = VR_QUADS;
	b->whole = true;
}

/*
 * Add the quads @left of 8 x 8 pixels with one sample each. Return: the first one that there is no
 * room for, and those that follow it.
 */
static inline u32 vr_batch_add_block(struct vr_batch *b, u32 slot, const struct vr_block *from,
				     u32 left)
{
	/* from one quad to the next, to the right and downwards: of column, row and index */
	const u64 right = 2 | 4ULL << 48, down = 2ULL << 16 | 128ULL << 48;
	u32 bit = vr_batch_bit(from->x, from->y), n = b->n, q, shift;
	u64 *met = b->met + bit / 64, first, place, pixels;

	/* processors are little-endian */
	first = from->x | (u64)from->y << 16 | (u64)slot << 32 |
		(u64)vr_quad_index(from->x, from->y) << 48;
	for (; left && n < VR_QUADS; left &= left - 1, n++) {
		q = __ffs64(left);
		shift = bit % 64 + q % 4 * 4;
		pixels = vr_single_pixels(from->cover[q]);
		if (met[q / 4] >> shift & pixels)
			break;
		met[q / 4] |= pixels << shift;
		place = first + q % 4 * right + q / 4 * down;
		b->quad[n].cover = from->cover[q];
		b->quad[n].place = place;
	}
	if (n > b->n)
		b->parts |= vr_tile_part(from->x, from->y);
	b->n = n;
	return left;
}

/* ---- blending ---- */

/* Factors, per component or its alpha, see struct vr_term. */
enum vr_factor {
	VR_FACTOR_ZERO,
	VR_FACTOR_SRC,
	VR_FACTOR_DST,
	VR_FACTOR_SECOND,	/* second colour of the source */
	VR_FACTOR_CONSTANT,
	VR_FACTOR_SRC_TWICE,
	VR_FACTOR_SATURATE,	/* the lesser of alpha and 1 - alpha in the buffer; for alpha 1 */
	VR_NUM_FACTORS
};

/**
 * struct vr_term - Operand of a blend function: (src * source + dst * destination) * factor.
 * @src:	-1, 0 or 1
 * @dst:	-1, 0 or 1
 * @factor:	enum vr_factor
 * @alpha:	the factor's alpha, for all components
 * @invert:	1 - factor
 */
struct vr_term {
	s8 src;
	s8 dst;
	u8 factor;
	bool alpha;
	bool invert;
};

enum vr_blend_op {
	VR_BLEND_ADD, VR_BLEND_MIN, VR_BLEND_MAX,
	VR_BLEND_SUM_MIN,	/* of the terms' sum and the destination the lesser */
	VR_BLEND_SUM_MAX,
	VR_NUM_BLEND_OPS
};

/**
 * struct vr_function - Blend function: @op of two terms.
 * @op:		enum vr_blend_op; subtraction adds a negative term
 * @a:		first
 * @b:		second
 *
 * With source and destination in different terms this is OpenGL's function; with both in a term and
 * the other one alone it is that of Mali, whose rounding differs.
 */
struct vr_function {
	u8 op;
	struct vr_term a;
	struct vr_term b;
};

/* Logic operations of source s and destination d; 0: blend. */
enum vr_logic {
	VR_LOGIC_NONE, VR_LOGIC_CLEAR, VR_LOGIC_NOR, VR_LOGIC_AND_INVERTED,
	VR_LOGIC_COPY_INVERTED, VR_LOGIC_AND_REVERSE, VR_LOGIC_INVERT, VR_LOGIC_XOR,
	VR_LOGIC_NAND, VR_LOGIC_AND, VR_LOGIC_EQUIV, VR_LOGIC_NOOP, VR_LOGIC_OR_INVERTED,
	VR_LOGIC_COPY, VR_LOGIC_OR_REVERSE, VR_LOGIC_OR, VR_LOGIC_SET, VR_NUM_LOGIC
};

/**
 * struct vr_blend - Blend state of a target.
 * @f:		functions of colour and alpha
 * @constant:	binary32
 * @write:	components to write, bit i for r, g, b, a
 * @logic:	enum vr_logic: of the bits in the buffer, instead of @f
 * @alpha_one:	alpha of the source is 1
 */
struct vr_blend {
	struct vr_function f[2];
	u32 constant[4];
	u8 write;
	u8 logic;
	bool alpha_one;
};

/* Are all members in range, and can the format be blended? Else only replace. */
bool vr_blend_ok(const struct vr_blend *b, const struct px_format *f);

/* Are all components the source's? Not of formats that may keep a NaN. */
bool vr_blend_replaces(const struct vr_blend *b);
/* Are pixels four bytes, each a normalised component, not sRGB? */
bool vr_is_bytes(const struct px_format *f);

/* A number as an operand of blending: in the range of a normalised format, and never NaN there. */
u32 vr_blend_limited(const struct px_format *f, u32 v);

/*
 * Blend a colour into a pixel. @b: checked by vr_blend_ok(); @second: second colour, NULL: zeros.
 */
void vr_blend_pixel(enum vs_simd simd, const struct px_format *f, const struct vr_blend *b,
		    const u32 src[4], const u32 second[4], void *p);

/* Does vr_tile_blend() have vectors for it? Else a block of four samples takes 50 to 70 us. */
bool vr_blend_quick(enum vs_simd simd, const struct vr_tile *t, u32 target,
		    const struct px_format *f, const struct vr_blend *b);

/**
 * vr_tile_blend - blend the pixels of a block into a target
 * @simd: executor
 * @t: tile buffer
 * @target: colour target that exists
 * @f: format of its pixels, of at most as many bytes as the target's
 * @b: checked by vr_blend_ok(); NULL: replace all components
 * @batch: quads
 * @cover: samples of each lane to write; the quads' own coverage does not count
 * @src: components of each lane, of the format's kind
 * @second: the same of the second colour; NULL: zeros
 */
void vr_tile_blend(enum vs_simd simd, struct vr_tile *t, u32 target, const struct px_format *f,
		   const struct vr_blend *b, const struct vr_batch *batch,
		   const u16 cover[VS_LANES], const u32 src[4][VS_LANES],
		   const u32 second[4][VS_LANES]);

/**
 * vr_pack_bytes - px_pack() of all lanes of a block, with vectors
 * @simd: executor
 * @f: format of pixels
 * @src: components of each lane
 * @pixel: pixels; of lanes without a colour any value
 *
 * Return: false: not of this format, or not on this executor.
 */
bool vr_pack_bytes(enum vs_simd simd, const struct px_format *f, const u32 src[4][VS_LANES],
		   u32 pixel[VS_LANES]);

/**
 * struct vr_tests - Depth and stencil tests of a block with one sample of each pixel.
 * @quads:	quads of the block
 * @at:		vr_tile_index() of each
 * @z:		codes of depths in the tile buffer
 * @s:		stencil values there
 * @code:	codes of the lanes' depths
 * @ref:	reference values of the lanes, or NULL
 * @flags:	VR_DEPTH_TEST, ..., with attachments
 * @func:	of depth, see struct vr_zs
 * @side:	state of the stencil
 * @what:	VR_ZS_TEST, VR_ZS_WRITE
 */
struct vr_tests {
	u32 quads;
	u32 at[VR_QUADS];
	u32 *z;
	u8 *s;
	const u32 *code;
	const u32 *ref;
	u32 flags;
	u32 func;
	const struct vr_stencil *side;
	u32 what;
};

/*
 * Blend colours of lanes into pixels of four bytes; @b NULL: replace them; of other operations than
 * VR_BLEND_ADD, and of the factors SECOND and SATURATE, there are none. @order: byte of each
 * component; @quads: number of quads with pixels. In FPU sections only.
 */
#define VR_BLEND_PROTOTYPE(suffix)							\
void vr_blend_bytes_##suffix(const struct vr_blend *b, const u8 order[4], u32 quads,	\
			     const u32 src[4][VS_LANES], u32 *pixel);			\
void vr_blend_put_##suffix(u8 *const at[VR_QUADS], u32 quads,				\
			   const u16 cover[VS_LANES], u32 sample, const u32 *pixel);	\
void vr_blend_depths_##suffix(const u32 z[VS_LANES], u32 max, u32 code[VS_LANES]);	\
u64 vr_blend_tests_##suffix(const struct vr_tests *t, u64 lanes)

VR_BLEND_PROTOTYPE(sse2);
VR_BLEND_PROTOTYPE(avx2);
VR_BLEND_PROTOTYPE(neon);

/* ---- images ---- */

/* Attachments: a colour target's number, or these. */
#define VR_ATT_ZS	VR_MAX_TARGETS

enum vr_zs_image { VR_IMAGE_Z16, VR_IMAGE_Z24X8, VR_IMAGE_Z24S8, VR_IMAGE_Z32F,
		   VR_IMAGE_Z32F_S8X24, VR_IMAGE_S8, VR_NUM_ZS_IMAGES };

/**
 * struct vr_image - Image of an attachment in memory.
 * @va:		first pixel
 * @row_stride:	bytes from row to row, see enum px_order
 * @sample_stride: bytes from a sample to the next
 * @order:	enum px_order
 * @resolve:	one sample, the mean of all; integers and depth: the first. Stores only
 * @width:	pixels; images in PX_TILED are whole tiles of 16 x 16
 * @height:	pixels
 * @format:	colours: as px_pack() can write it, up to 16 bytes
 * @zs:		VR_ATT_ZS: enum vr_zs_image
 */
struct vr_image {
	u64 va;
	u64 row_stride;
	u64 sample_stride;
	u8 order;
	bool resolve;
	u32 width;
	u32 height;
	struct px_format format;
	u32 zs;
};

/**
 * struct vr_io - A load or store in progress.
 * @t:		tile buffer
 * @image:	image
 * @att:	attachment
 * @store:	else load
 * @parts:	parts of the tile, 16 x 16 pixels, row by row: all, until changed
 * @next:	next half of a part of a sample
 * @bytes:	of a pixel in memory
 * @quick:	pixels are words: steps take less than a microsecond
 * @filled:	@part has the pixels of a part that is plain
 * @inside:	loads: pixels outside of the image stay as they are; false until changed
 * @fault:	address after -EFAULT
 * @part:	pixels of a part in the image's format, in the order of the image
 */
struct vr_io {
	struct vr_tile *t;
	const struct vr_image *image;
	u32 att;
	bool store;
	u16 parts;
	u32 next;
	u32 bytes;
	bool quick;
	bool filled;
	bool inside;
	u64 fault;
	u8 part[256 * PX_MAX_BYTES];
};

/* Return: false: the image cannot be the attachment's. */
bool vr_io_begin(struct vr_io *io, struct vr_tile *t, const struct vr_image *image, u32 att,
		 bool store);
/* Parts of the attachment that draws have written; of a ZS image, of any buffer that it has. */
u16 vr_io_dirty(const struct vr_tile *t, const struct vr_image *image, u32 att);

struct vs_map;

/**
 * vr_io_step - a part of a load or store: 128 pixels of a sample, at most 100 us
 * @io: load or store
 * @map: address space
 *
 * Return: -EAGAIN: there is more; 0: done; -EFAULT: see @io->fault.
 */
int vr_io_step(struct vr_io *io, const struct vs_map *map);

#endif /* VR_TILE_H */
