/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* State of a texture request. Private to the texture unit. */
#ifndef TX_INTERN_H
#define TX_INTERN_H

#include "tx_unit.h"

/* Texel decoders. */
enum tx_decoder { DEC_ANY, DEC_ETC2, DEC_UNORM8, DEC_SRGB8, DEC_F16, DEC_F32 };

/**
 * struct tx_image - last selected image
 * @key:	level, layer, face and sample combined
 * @valid:	@key is valid
 * @exists:	the texture has this image
 * @va:		first byte; 0: none
 * @p:		pointer to it if the whole image is readable, else NULL
 * @bytes:	of it; with @p
 * @size:	texels in each dimension
 * @row:	bytes per row of texels, blocks or tiles
 * @slice:	bytes per slice of 3D
 */
struct tx_image {
	u32 key[4];
	bool valid;
	bool exists;
	u64 va;
	const u8 *p;
	u64 bytes;
	u32 size[3];
	s64 row;
	s64 slice;
};

/**
 * struct tx_unit - state of a request
 * @m:		machine
 * @q:		request
 * @t:		texture
 * @s:		sampler; NULL for FETCH
 * @format:	format of the texture, with the sampler's override
 * @kind:	kind of the components
 * @dims:	number of filtered dimensions
 * @blocks:	the format has blocks
 * @decoder:	enum tx_decoder
 * @border:	border colour, after the format's swizzle
 * @none:	lanes without an image: zeros
 * @img:	last image
 */
struct tx_unit {
	struct simt_machine *m;
	struct tx_request *q;
	const struct tx_texture *t;
	const struct tx_sampler *s;
	struct px_format format;
	enum px_kind kind;
	u32 dims;
	bool blocks;
	enum tx_decoder decoder;
	u32 border[4];
	u64 none;
	struct tx_image img;
};

/* Constants 0 and 1 of swizzles. */
static inline u32 tx_constant(const struct tx_unit *u, u32 swizzle)
{
	return swizzle == PX_SWZ_1 ? px_one(u->kind) : 0;
}

/* Clamp a binary32 to [0, 1]; NaN becomes 0. */
static inline u32 tx_limit(u32 f)
{
	if (f >> 31 || f > 0x7f800000)
		return 0;
	return min_t(u32, f, 0x3f800000);
}

/* Are texels bytes of a plane with offsets of 32 bits? Selects its image. */
bool tx_map_plane(struct tx_unit *u, u32 pass);
/* Read its texels, 1 or 4 of each lane, from their places. */
void tx_read_plane(struct tx_unit *u, u32 ntexels);
/* Execute TX_OP_FETCH. Return: false with a fault. */
bool tx_fetch(struct tx_unit *u);
/**
 * tx_read_texels - fetch the footprint of a level
 * @u: unit; levels, coordinates and weights have been calculated
 * @pass: index of the level, 0 or 1
 * @ntexels: 1 or all
 * @all: including texels of zero weight
 *
 * Return: false with a fault.
 */
bool tx_read_texels(struct tx_unit *u, u32 pass, u32 ntexels, bool all);

#endif /* TX_INTERN_H */
