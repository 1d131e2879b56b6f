/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* State of a call of the texture unit. Private to it. */
#ifndef MALI_TEXINT_H
#define MALI_TEXINT_H

#include "mali_texunit.h"

/* How texels are read. */
enum mali_decoder { DEC_ANY, DEC_ETC2, DEC_UNORM8, DEC_SRGB8, DEC_F16, DEC_F32 };

/**
 * struct mali_tex_image - The image that was read last.
 * @key:	level, layer, face and sample, all of them
 * @valid:	@key is
 * @exists:	the texture has such an image
 * @va:		first byte; 0: there is none
 * @p:		pointer to it if all of the image is readable, else NULL
 * @size:	texels in each dimension
 * @row:	bytes of a row of texels, blocks or tiles
 * @slice:	bytes of a slice of 3D
 */
struct mali_tex_image {
	u32 key[4];
	bool valid;
	bool exists;
	u64 va;
	const u8 *p;
	u32 size[3];
	s64 row;
	s64 slice;
};

/**
 * struct mali_tex_unit - State of a call.
 * @m:		machine
 * @q:		request
 * @t:		texture
 * @s:		sampler; NULL for FETCH
 * @format:	that of the texture, as the sampler wants it
 * @kind:	of components
 * @dims:	dimensions that are filtered
 * @blocks:	the format has blocks
 * @decoder:	enum mali_decoder
 * @border:	border colour, after the format's swizzle
 * @none:	lanes that have no image: zeros
 * @img:	last image
 */
struct mali_tex_unit {
	struct simt_machine *m;
	struct mali_tex_req *q;
	const struct mali_texture *t;
	const struct mali_sampler *s;
	struct mali_format format;
	enum mali_kind kind;
	u32 dims;
	bool blocks;
	enum mali_decoder decoder;
	u32 border[4];
	u64 none;
	struct mali_tex_image img;
};

/* Constants 0 and 1 of swizzles. */
static inline u32 mali_tex_constant(const struct mali_tex_unit *u, u32 swizzle)
{
	return swizzle == MALI_SWZ_1 ? mali_one(u->kind) : 0;
}

/* A binary32 limited to 0..1; NaN is 0. */
static inline u32 mali_tex_limit(u32 f)
{
	if (f >> 31 || f > 0x7f800000)
		return 0;
	return min_t(u32, f, 0x3f800000);
}

/* MALI_TQ_FETCH. Return: false: fault. */
bool mali_tex_fetch(struct mali_tex_unit *u);
/**
 * mali_tex_read_texels - fetch the footprint of a level
 * @u: unit; levels, coordinates and weights have been calculated
 * @pass: which of the levels
 * @ntexels: 1 or all
 * @all: also those whose weight is zero
 *
 * Return: false: fault.
 */
bool mali_tex_read_texels(struct mali_tex_unit *u, u32 pass, u32 ntexels, bool all);

#endif /* MALI_TEXINT_H */
