/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Arithmetic of the texture unit, builds with the processor's floating point and one without.
 * Private to the texture unit.
 */
#ifndef MALI_TEXFP_H
#define MALI_TEXFP_H

#include "mali_texunit.h"

/* Number of filtered dimensions of a texture. */
static inline u32 mali_tex_dims(const struct mali_texture *t)
{
	return t->dim == MALI_DIM_CUBE ? 2 : t->dim;
}

/* Size of a level in a dimension, in texels. */
static inline u32 mali_tex_size(const struct mali_texture *t, u32 d, u32 level)
{
	return mali_tex_minify(d == 0 ? t->width : d == 1 ? t->height : t->depth, level);
}

/* Is this the missing corner texel of a cube, the mean of three others? @x, @y on a face of @n. */
static inline bool mali_tex_corner(s32 x, s32 y, u32 n)
{
	return (u32)x >= n && (u32)y >= n;
}

/*
 * Steps for the lanes q->mask; mali_tex_run() calls them in this order, with fetches in between.
 *
 * start:	coordinates to pos and face, active
 * lod:		lod, level, frac, nearest, two
 * coords:	base and weight for level @pass
 * add:		texels of level @pass to the sums of components @comps
 * finish:	sums of components @comps to texel 0
 * levels:	result of MALI_TQ_LOD
 */
#define MALI_TEXFP(build)							\
void mali_texfp_start_##build(struct mali_tex_req *q);				\
void mali_texfp_lod_##build(struct mali_tex_req *q);				\
void mali_texfp_coords_##build(struct mali_tex_req *q, u32 pass);		\
void mali_texfp_add_##build(struct mali_tex_req *q, u32 pass, u32 ntexels, u32 comps); \
void mali_texfp_finish_##build(struct mali_tex_req *q, u32 comps);		\
void mali_texfp_levels_##build(struct mali_tex_req *q)

MALI_TEXFP(soft);
MALI_TEXFP(sse2);
MALI_TEXFP(avx2);
MALI_TEXFP(neon);

#endif /* MALI_TEXFP_H */
