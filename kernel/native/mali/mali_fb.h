/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Framebuffer descriptors of FRAGMENT jobs. */
#ifndef VS_MALI_FB_H
#define VS_MALI_FB_H

#include "../../raster/vr_tile.h"
#include "mali_desc.h"

/* When frame shaders run; hardware values. */
enum mali_frame_mode { MALI_FRAME_NEVER, MALI_FRAME_ALWAYS, MALI_FRAME_INTERSECT,
		       MALI_FRAME_EARLY_ZS_ALWAYS };

/* Images of depth and stencil. */
enum { MALI_FB_DEPTH, MALI_FB_STENCIL, MALI_FB_NUM_ZS };

/**
 * struct mali_fb - Framebuffer.
 * @width:	pixels
 * @height:	"
 * @samples:	1 or 4
 * @ntargets:	colour targets
 * @format:	of each target in the tile buffer; 0 bytes: not written
 * @clear:	pixel of each target, in @format
 * @image:	of each target, in memory; va 0: none
 * @clean:	bit per target: also tiles without primitives are written
 * @zformat:	enum vr_zformat
 * @z_clear:	binary32
 * @s_clear:	stencil
 * @zs:		images of depth and stencil, va 0: none
 * @clean_zs:	as @clean
 * @tiler:	address of the tiler context, 0: none
 * @mode:	v6, v7: enum mali_frame_mode of the shaders: two before the frame, one after it
 * @shaders:	v6, v7: their draw descriptors
 * @sample_positions: v6, v7: address of the sample positions
 */
struct mali_fb {
	u32 width;
	u32 height;
	u32 samples;
	u32 ntargets;
	struct px_format format[VR_MAX_TARGETS];
	u8 clear[VR_MAX_TARGETS][PX_MAX_BYTES];
	struct vr_image image[VR_MAX_TARGETS];
	u32 clean;
	u32 zformat;
	u32 z_clear;
	u32 s_clear;
	struct vr_image zs[MALI_FB_NUM_ZS];
	bool clean_zs;
	u64 tiler;
	u32 mode[3];
	u64 shaders;
	u64 sample_positions;
};

/* Read the framebuffer at @va. Return: 0, -ENOEXEC: rejected. */
int mali_fb_read(struct mali_parser *p, u64 va, struct mali_fb *fb);

#endif /* VS_MALI_FB_H */
