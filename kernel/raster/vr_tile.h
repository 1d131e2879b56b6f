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

#include "../isa/fixed/mali_fp.h"
#include "../isa/fixed/mali_pack.h"
#include "vs_raster.h"

#define VR_MAX_TARGETS	8

enum vr_zformat { VR_Z_NONE, VR_Z16, VR_Z24, VR_Z32F, VR_NUM_ZFORMATS };

/**
 * struct vr_tile - Tile buffer.
 * @samples:	1 or 4
 * @ntargets:	colour targets, up to VR_MAX_TARGETS
 * @format:	of each target in the buffer: writable, up to 16 bytes; 0 bytes: no target
 * @zformat:	enum vr_zformat
 * @has_stencil: there are stencil values
 * @x:		origin in the frame, pixels
 * @y:		"
 * @colour:	each target's pixels in @format
 * @z:		depth, see vr_depth_code()
 * @s:		stencil
 * @passed:	samples that passed all tests
 *
 * Samples are in the order of quads, then samples, then the quad's pixels.
 */
struct vr_tile {
	u32 samples;
	u32 ntargets;
	struct mali_format format[VR_MAX_TARGETS];
	u32 zformat;
	bool has_stencil;
	u32 x;
	u32 y;
	u8 *colour[VR_MAX_TARGETS];
	u32 *z;
	u8 *s;
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

/* Fill a colour target with the pixel at @pixel, in its format. At most 256 KiB. */
void vr_tile_clear(struct vr_tile *t, u32 target, const void *pixel);
/* Fill depth and stencil; @z: binary32. */
void vr_tile_clear_zs(struct vr_tile *t, u32 z, u32 s);

/* First sample of a quad, in samples. @x, @y: of the frame, in this tile. */
static inline u32 vr_tile_index(const struct vr_tile *t, u32 x, u32 y)
{
	return ((y / 2 % 32) * 32 + x / 2 % 32) * 4 * t->samples;
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
u32 vr_tile_zs(struct vr_tile *t, const struct vr_zs *zs, bool back, u32 x, u32 y, u32 cover,
	       const u32 *z, const u32 *ref, u32 what);

/* Samples that alpha, binary32, covers: the nearest share, the lowest ones. NaN: none. */
u32 vr_alpha_cover(u32 samples, u32 alpha);

/* ---- blocks ---- */

/**
 * struct vr_batch - Quads of a block of 64 lanes, all of one draw and one tile.
 * @n:		quads
 * @quad:	column, row, coverage, slot: the caller's number of the primitive
 * @met:	quads of the tile that are in the block
 */
struct vr_batch {
	u32 n;
	struct {
		u16 x;
		u16 y;
		u16 cover;
		u16 slot;
	} quad[VR_QUADS];
	u64 met[16];
};

/* Forget all quads. */
void vr_batch_clear(struct vr_batch *b);
/*
 * Return: false: the block has to be shaded and cleared first: it is full, or has a quad with some
 * of the samples already, which must be blended before this one.
 */
bool vr_batch_room(const struct vr_batch *b, u32 x, u32 y, u32 cover);
/* Add a quad that there is room for. */
void vr_batch_add(struct vr_batch *b, u32 slot, u32 x, u32 y, u32 cover);

/* ---- blending ---- */

/**
 * struct vr_blend - Blend state of a target.
 * @equation:	as in struct mali_fp_blend; components to write in bits 28-31
 * @constant:	binary32
 * @alpha_one:	alpha of the source is 1
 */
struct vr_blend {
	u32 equation;
	u32 constant;
	bool alpha_one;
};

/* Does the equation have a meaning, and can the format be blended? Else only replace. */
bool vr_blend_ok(const struct vr_blend *b, const struct mali_format *f);

/* Blend a colour into a pixel. @b: checked by vr_blend_ok(). */
void vr_blend_pixel(enum vs_simd simd, const struct mali_format *f, const struct vr_blend *b,
		    const u32 src[4], void *p);

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
 */
void vr_tile_blend(enum vs_simd simd, struct vr_tile *t, u32 target, const struct mali_format *f,
		   const struct vr_blend *b, const struct vr_batch *batch,
		   const u16 cover[VS_LANES], const u32 src[4][VS_LANES]);

/**
 * vr_pack_bytes - mali_pack() of all lanes of a block, with vectors
 * @simd: executor
 * @f: format of pixels
 * @src: components of each lane
 * @pixel: pixels; of lanes without a colour any value
 *
 * Return: false: not of this format, or not on this executor.
 */
bool vr_pack_bytes(enum vs_simd simd, const struct mali_format *f, const u32 src[4][VS_LANES],
		   u32 pixel[VS_LANES]);

/*
 * Blend colours of lanes into pixels of four bytes; @b NULL: replace them. @order: byte of each
 * component; @quads: number of quads with pixels. In FPU sections only.
 */
#define VR_BLEND_PROTOTYPE(suffix)							\
void vr_blend_bytes_##suffix(const struct vr_blend *b, const u8 order[4], u32 quads,	\
			     const u32 src[4][VS_LANES], u32 *pixel)

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
 * @row_stride:	bytes from row to row; tiled: from a row of 16 x 16 pixels to the next
 * @sample_stride: bytes from a sample to the next
 * @tiled:	u-interleaved, else linear
 * @resolve:	one sample, the mean of all; integers and depth: the first. Stores only
 * @width:	pixels; tiled images are whole tiles of 16 x 16
 * @height:	pixels
 * @format:	colours: as mali_pack() can write it, up to 16 bytes
 * @zs:		VR_ATT_ZS: enum vr_zs_image
 */
struct vr_image {
	u64 va;
	u64 row_stride;
	u64 sample_stride;
	bool tiled;
	bool resolve;
	u32 width;
	u32 height;
	struct mali_format format;
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
	u64 fault;
	u8 part[256 * MALI_MAX_BYTES];
};

/* Return: false: the image cannot be the attachment's. */
bool vr_io_begin(struct vr_io *io, struct vr_tile *t, const struct vr_image *image, u32 att,
		 bool store);

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
