/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Depth: order and limits, for both builds of its arithmetic; blending of a pixel.
 */
#ifndef VR_FP_H
#define VR_FP_H

#include "vr_quads.h"

/* Binary32 to integers in the same order; both zeros are equal. NaNs are beyond infinities. */
static inline s64 vr_depth_order(u32 a)
{
	return a >> 31 ? -(s64)(a & 0x7fffffff) : a;
}

/* Clamps a depth; NaN is the least one. Return: is its sample clipped? */
static inline u32 vr_depth_clip(const struct vr_plane *plane, u32 *z)
{
	s64 at = vr_depth_order(*z);

	if ((*z & 0x7fffffff) > 0x7f800000) {
		*z = plane->lo;
		return 0;
	}
	if (at < vr_depth_order(plane->lo)) {
		*z = plane->lo;
		return !!(plane->flags & VR_DEPTH_CLIP_NEAR);
	}
	if (at > vr_depth_order(plane->hi)) {
		*z = plane->hi;
		return !!(plane->flags & VR_DEPTH_CLIP_FAR);
	}
	return 0;
}

/* The edge function of a triangle whose corners are near, below 2^50, without its sign. */
static inline s64 vr_near_edge(const struct vr_edge *g, s32 x, s32 y)
{
	return g->a * x + g->b * y + (s64)g->c + g->open;
}

/**
 * struct vr_mix - A pixel to blend, components as binary32.
 * @src:	source, second colour of the source
 * @dst:	in the buffer; replaced by the result
 */
struct vr_mix {
	u32 src[2][4];
	u32 dst[4];
};

/* Apply the functions of a state. */
void vr_mix(enum vs_simd simd, const struct vr_blend *b, struct vr_mix *x);

/*
 * Depths of 16 quads, row by row, at the centres of 8 x 8 pixels; @plane is inside of the range at
 * all of them.
 */
void vr_plane_whole(enum vs_simd simd, const struct vr_plane *plane, u32 x, u32 y,
		    u32 z[VS_LANES]);

/*
 * Depths of a block's quads at the centres, where the plane, which is known, of their primitive is
 * inside of the range. Return: the other quads.
 */
u32 vr_plane_quads(enum vs_simd simd, const struct vr_batch *b, const struct vr_quad_prim *prim,
		   u32 z[VS_LANES]);

#define VR_BLOCK_PROTOTYPES(suffix)							\
u32 vr_plane_quads_##suffix(const struct vr_batch *b, const struct vr_quad_prim *prim,	\
			    u32 z[VS_LANES]);						\
void vr_plane_whole_##suffix(const struct vr_plane *plane, u32 x, u32 y,		\
			     u32 z[VS_LANES]);						\
void vr_mix_##suffix(const struct vr_blend *b, struct vr_mix *x);			\
void vr_weights_##suffix(struct vr_weights *w, const struct vr_batch *b,		\
			 const struct vr_quad_prim *prim, bool perspective,		\
			 const s16 at[][2]);						\
void vr_varying_##suffix(const struct vr_weights *w, u32 quads,			\
			 const u32 v[][3][4], const u8 of[VR_QUADS], u32 comps,	\
			 u32 out[][VS_LANES])

VR_BLOCK_PROTOTYPES(soft);
VR_BLOCK_PROTOTYPES(sse2);
VR_BLOCK_PROTOTYPES(avx2);
VR_BLOCK_PROTOTYPES(neon);

#endif /* VR_FP_H */
