/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Clipping of primitives in clip coordinates: near and far plane, and a guard band in x and y. */
#ifndef VS_VC4_CLIP_H
#define VS_VC4_CLIP_H

#include "vc4_cl.h"

#define VC4_MAX_POLYGON	10	/* a triangle and six planes, and room for one more */

/**
 * struct vc4_clipper - Scales of the clipper, binary32.
 * @scale:	half width and height, 1/16 pixels
 * @z:		scale and offset of depth
 */
struct vc4_clipper {
	u32 scale[2];
	u32 z[2];
};

/* Is a point's centre outside of the view volume? */
bool vc4_point_outside(const u32 *clip);

/**
 * vc4_clip - clip a line or a triangle
 * @c: scales
 * @clip: clip coordinates of the vertices
 * @n: 2 or 3
 * @out: corners of what is left
 *
 * Return: number of corners, 0: nothing is left; ~0: nothing is cut off, @out is not set.
 */
u32 vc4_clip(const struct vc4_clipper *c, const u32 clip[][4], u32 n,
	     struct vc4_corner out[VC4_MAX_POLYGON]);

#endif /* VS_VC4_CLIP_H */
