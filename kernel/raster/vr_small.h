/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Small triangles, whose edges are packed (walk.c): setup and coverage in vectors. Both are exact:
 * results are those of vr_setup_triangle(), vr_walk_begin() and vr_walk_next().
 */
#ifndef VR_SMALL_H
#define VR_SMALL_H

#include "vs_raster.h"

#define VR_SMALL	16		/* pixels a side of a box whose edges are packed */
#define VR_PACKED_HALF	((s32)BIT(15))	/* is added to packed values */
#define VR_RIGHT_PIXELS	(VR_SAMPLE(1, 0) | VR_SAMPLE(3, 0))
#define VR_LOWER_PIXELS	(VR_SAMPLE(2, 0) | VR_SAMPLE(3, 0))

enum vr_small {
	VR_SMALL_NOT,	/* of another kind, or too large: nothing is known */
	VR_SMALL_EMPTY,	/* it covers nothing of the tile */
	VR_SMALL_SET	/* primitive and walk are set up */
};

/* Does the executor have vectors for small triangles? */
bool vr_small_quick(enum vs_simd simd);

/**
 * vr_small_triangle - set up a triangle, and begin to walk a tile, if it is small
 * @simd: executor, vr_small_quick()
 * @p: result
 * @w: result: with packed edges, of one sample
 * @st: state
 * @v: corners
 * @clip: pixels that may be covered: x0, y0, x1, y1; NULL: all
 * @tx: tile's column, in tiles, below VR_MAX_SIZE / VR_TILE
 * @ty: tile's row
 *
 * In vector sections only.
 */
enum vr_small vr_small_triangle(enum vs_simd simd, struct vr_prim *p, struct vr_walk *w,
				const struct vr_state *st, const struct vr_vertex v[3],
				const s32 *clip, u32 tx, u32 ty);

/*
 * vr_triangle_pixels() of a triangle whose corners are in front of the eye and less than 2^15
 * pixels from the origin. Return: VR_SMALL_NOT: it is none; VR_SMALL_EMPTY: no pixels. In vector
 * sections only.
 */
enum vr_small vr_near_pixels(enum vs_simd simd, s32 box[4], u32 flags, u32 samples,
			     const struct vr_vertex v[3]);

/* vr_walk_next() of a walk with @plain packed edges. In vector sections only. */
bool vr_small_next(enum vs_simd simd, struct vr_walk *w, struct vr_block *b);

#define VR_SMALL_PROTOTYPES(suffix)							\
enum vr_small vr_small_triangle_##suffix(struct vr_prim *p, struct vr_walk *w,		\
					 const struct vr_state *st,			\
					 const struct vr_vertex v[3], const s32 *clip,	\
					 u32 tx, u32 ty);				\
enum vr_small vr_small_pixels_##suffix(s32 box[4], u32 flags, u32 samples,		\
				       const struct vr_vertex v[3]);			\
bool vr_small_next_##suffix(struct vr_walk *w, struct vr_block *b)

VR_SMALL_PROTOTYPES(sse2);
VR_SMALL_PROTOTYPES(avx2);
VR_SMALL_PROTOTYPES(neon);

/* ---- shared with setup.c and walk.c ---- */

/* Go to the next block of the tile, row by row. */
static __always_inline void vr_walk_advance(struct vr_walk *w)
{
	if (++w->at[0] * VR_BLOCK > w->x[1]) {
		w->at[0] = w->x[0] / VR_BLOCK;
		w->at[1]++;
	}
}

/* Pixels of scissor and frame. Return: false: there are none. */
static __always_inline bool vr_state_box(s32 box[4], const struct vr_state *st)
{
	if (!st->width || !st->height || st->scissor[0] >= VR_MAX_SIZE ||
	    st->scissor[1] >= VR_MAX_SIZE)
		return false;
	box[0] = st->scissor[0];
	box[1] = st->scissor[1];
	box[2] = min3(st->scissor[2], st->width - 1, VR_MAX_SIZE - 1U);
	box[3] = min3(st->scissor[3], st->height - 1, VR_MAX_SIZE - 1U);
	return box[0] <= box[2] && box[1] <= box[3];
}

/*
 * Is a triangle culled? Finds its side. @turned: its plane is seen from the other side, as an odd
 * number of corners is behind the eye
 */
static __always_inline bool vr_is_culled(u32 flags, bool clockwise, bool turned, bool *back)
{
	*back = (clockwise ^ turned) == !!(flags & VR_FRONT_CCW);
	return flags & (*back ? VR_CULL_BACK : VR_CULL_FRONT);
}

#endif /* VR_SMALL_H */
