// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Addressing of resources: elements of attribute buffers, images of textures, texels of tiles.
 */
#include "mali_res.h"

static u32 npot_divide(const struct mali_attr_buf *b, u32 linear)
{
	u64 n = (u64)linear + b->e;

	/* At most 2^32 times less than 2^32, which fits. */
	return (u32)((n * b->magic) >> 32 >> b->r);
}

/**
 * mali_attr_element - index of the element that an invocation reads in a 1D buffer
 * @b: buffer
 * @linear: instance * padded vertices + vertex
 *
 * Return: element index; for VERTEX_ID and INSTANCE_ID buffers the value itself.
 */
u32 mali_attr_element(const struct mali_attr_buf *b, u32 linear)
{
	u64 padded = (2ULL * b->p + 1) << b->r;

	switch (b->type) {
	case MALI_BUF_INSTANCE_ID:
		return npot_divide(b, linear) + (u32)b->bias;
	case MALI_BUF_VERTEX_ID:
		/* A modulus of more than 32 bits is a no-op. */
		return (padded >> 32 ? linear : linear % (u32)padded) + (u32)b->bias;
	case MALI_BUF_POT_DIVISOR:
	case MALI_BUF_POT_DIVISOR_WR:
		return linear >> b->r;
	case MALI_BUF_MODULUS:
	case MALI_BUF_MODULUS_WR:
		return padded >> 32 ? linear : linear % (u32)padded;
	case MALI_BUF_NPOT_DIVISOR:
	case MALI_BUF_NPOT_DIVISOR_WR:
		return npot_divide(b, linear);
	default:
		return linear;
	}
}

/**
 * mali_tex_surface - image of a texture
 * @t: texture
 * @level: mip level
 * @layer: layer; cubes: group of six faces
 * @face: cubes: face, else 0
 * @sample: sample index
 *
 * Return: the image, or NULL if it does not exist.
 */
const struct mali_surface *mali_tex_surface(const struct mali_texture *t, u32 level, u32 layer,
					    u32 face, u32 sample)
{
	u32 faces = t->dim == MALI_DIM_CUBE ? MALI_CUBE_FACES : 1, i;

	if (level >= t->levels || layer >= t->array_size || face >= faces ||
	    sample >= t->samples)
		return NULL;
	if (t->level_inner)
		i = ((layer * faces + face) * t->samples + sample) * t->levels + level;
	else
		i = ((layer * t->levels + level) * faces + face) * t->samples + sample;
	return i < t->nsurfaces ? &t->surfaces[i] : NULL;
}

const u8 mali_spread_x[MALI_TILE] = {
	0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
	0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55,
};

const u8 mali_spread_y[MALI_TILE] = {
	0x00, 0x03, 0x0c, 0x0f, 0x30, 0x33, 0x3c, 0x3f,
	0xc0, 0xc3, 0xcc, 0xcf, 0xf0, 0xf3, 0xfc, 0xff,
};
