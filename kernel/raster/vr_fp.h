/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Depth: order and limits, for both builds of its arithmetic.
 */
#ifndef VR_FP_H
#define VR_FP_H

#include "vs_raster.h"

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

#endif /* VR_FP_H */
