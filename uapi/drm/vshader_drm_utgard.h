/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_UTGARD_H_
#define _UAPI_VSHADER_DRM_UTGARD_H_

#include "vshader_drm.h"
#include "vshader_drm_stream.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Utgard
 *
 * Shader jobs of %DRM_VSHADER_ENGINE_UTGARD_GP and %DRM_VSHADER_ENGINE_UTGARD_PP.
 */

/** enum drm_vshader_utgard_switch - Switches of the Utgard pixel processor. */
enum drm_vshader_utgard_switch {
	/**
	 * @DRM_VSHADER_UTGARD_FP32: Registers are binary32; otherwise binary16, as on the
	 * hardware.
	 */
	DRM_VSHADER_UTGARD_FP32 = 1 << 0,
};

/**
 * struct drm_vshader_utgard_gp_job - Utgard vertex processor's block of a shader job.
 *
 * The program runs once for each vertex. Attribute streams have registers 0 to 15,
 * attributes without a stream read (0, 0, 0, 1). Outputs are the varyings 0 to 15, that of
 * the position among them; components that no instruction stores are not
 * written.
 */
struct drm_vshader_utgard_gp_job {
	/** @vertices: Vertices. */
	struct drm_vshader_vertices vertices;

	/** @uniforms: Address of the uniforms: rows of four binary32. */
	__u64 uniforms;

	/** @num_rows: Number of rows, at most 304; the others read as zeros. */
	__u32 num_rows;

	/** @switches: MBZ. */
	__u32 switches;

	/** @memory: Kernel memory for the job, bytes; 0: a default. */
	__u64 memory;
};

/** enum drm_vshader_utgard_prim - Primitives that an Utgard job rasterises. */
enum drm_vshader_utgard_prim {
	/**
	 * @DRM_VSHADER_UTGARD_PRIM_RECT: Every pixel of the rectangle; inputs have an element
	 * for each pixel, rows one after the other.
	 */
	DRM_VSHADER_UTGARD_PRIM_RECT = 0,
	/** @DRM_VSHADER_UTGARD_PRIM_TRIANGLE: Pixels whose centre is in a triangle. */
	DRM_VSHADER_UTGARD_PRIM_TRIANGLE = 1,
	/** @DRM_VSHADER_UTGARD_PRIM_POINT: Pixels whose centre is in a square. */
	DRM_VSHADER_UTGARD_PRIM_POINT = 2,
};

/** enum drm_vshader_utgard_frag_flags - Flags of the fragments of an Utgard job. */
enum drm_vshader_utgard_frag_flags {
	/** @DRM_VSHADER_UTGARD_FRAG_BACK: The primitive shows its back. */
	DRM_VSHADER_UTGARD_FRAG_BACK = 1 << 0,
	/**
	 * @DRM_VSHADER_UTGARD_FRAG_Y_UP: y of the position is 0 at the lower edge of the
	 * rectangle and grows upwards, as do the second point coordinate and dFdy. Mesa's
	 * compiler expects it. Rows of images and of input streams do not change.
	 */
	DRM_VSHADER_UTGARD_FRAG_Y_UP = 1 << 1,
};

/** enum drm_vshader_utgard_input - Registers of input streams of the pixel processor. */
enum drm_vshader_utgard_input {
	/** @DRM_VSHADER_UTGARD_IN_VARYING: Varyings 0 to 11, in rows of four. */
	DRM_VSHADER_UTGARD_IN_VARYING = 0,
	/**
	 * @DRM_VSHADER_UTGARD_IN_COORD: x, y, depth and w of the fragment. This and the
	 * following are for %DRM_VSHADER_UTGARD_PRIM_RECT only; without a stream they are
	 * the pixel's centre, 0 and 1, the coordinates in a point 0, 0, and front.
	 */
	DRM_VSHADER_UTGARD_IN_COORD = 12,
	/** @DRM_VSHADER_UTGARD_IN_POINT: Coordinates in the point. */
	DRM_VSHADER_UTGARD_IN_POINT = 13,
	/** @DRM_VSHADER_UTGARD_IN_FACING: 1 front, 0 back. */
	DRM_VSHADER_UTGARD_IN_FACING = 14,
};

/**
 * enum drm_vshader_utgard_pixel - Formats of pixels, components from the lowest bits (of
 * more than 32 bits: from the lowest address) on.
 */
enum drm_vshader_utgard_pixel {
	/** @DRM_VSHADER_UTGARD_PIXEL_RGBA8: Red, green, blue, alpha of 8 bits, 0 to 1. */
	DRM_VSHADER_UTGARD_PIXEL_RGBA8 = 0,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGRA8: The same, blue lowest. */
	DRM_VSHADER_UTGARD_PIXEL_BGRA8 = 1,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGR565: Blue 5, green 6, red 5 bits. */
	DRM_VSHADER_UTGARD_PIXEL_BGR565 = 2,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGRA5551: Blue, green, red 5 bits, alpha 1. */
	DRM_VSHADER_UTGARD_PIXEL_BGRA5551 = 3,
	/** @DRM_VSHADER_UTGARD_PIXEL_BGRA4: Blue, green, red, alpha of 4 bits. */
	DRM_VSHADER_UTGARD_PIXEL_BGRA4 = 4,
	/** @DRM_VSHADER_UTGARD_PIXEL_R8: The first component, 8 bits. */
	DRM_VSHADER_UTGARD_PIXEL_R8 = 5,
	/** @DRM_VSHADER_UTGARD_PIXEL_RG8: The first two components, 8 bits each. */
	DRM_VSHADER_UTGARD_PIXEL_RG8 = 6,
	/** @DRM_VSHADER_UTGARD_PIXEL_RGBA16F: binary16. */
	DRM_VSHADER_UTGARD_PIXEL_RGBA16F = 7,
	/** @DRM_VSHADER_UTGARD_PIXEL_RGBA32F: binary32. */
	DRM_VSHADER_UTGARD_PIXEL_RGBA32F = 8,
	/** @DRM_VSHADER_UTGARD_PIXEL_R32F: The first component, binary32. */
	DRM_VSHADER_UTGARD_PIXEL_R32F = 9,
};

/**
 * struct drm_vshader_utgard_target - Image that a register is written to.
 *
 * Which registers hold colour, depth and stencil is the render state's to say on the
 * hardware. All fragments that are covered and not discarded are written.
 */
struct drm_vshader_utgard_target {
	/** @va: Address of the first pixel; 0: none. */
	__u64 va;

	/**
	 * @row_stride: Bytes from row to row; u-interleaved images: from a row of tiles of
	 * 16x16 pixels to the next.
	 */
	__u32 row_stride;

	/** @order: 1 u-interleaved, 2 linear. */
	__u32 order;

	/** @format: &enum drm_vshader_utgard_pixel. */
	__u32 format;

	/** @reg: Register, 0 to 5. */
	__u32 reg;
};

/**
 * struct drm_vshader_utgard_pp_job - Utgard pixel processor's block of a shader job.
 *
 * The program runs for the 2x2 quads of one primitive that have a pixel in the rectangle;
 * pixels that are not covered run along as helpers. Varyings are interpolated with the
 * corners' 1 / w.
 */
struct drm_vshader_utgard_pp_job {
	/** @uniforms: Address of the uniforms: rows of four binary16. */
	__u64 uniforms;

	/** @textures: Address of the texture list: 32-bit addresses of descriptors. */
	__u64 textures;

	/** @num_rows: Rows of @uniforms, at most 65536; the others read as zeros. */
	__u32 num_rows;

	/** @num_textures: Entries of @textures, at most 64. */
	__u32 num_textures;

	/** @switches: Bits of &enum drm_vshader_utgard_switch. */
	__u32 switches;

	/** @temporaries: Rows of temporaries of a fragment, at most 1024. */
	__u32 temporaries;

	/** @x: First column, even. */
	__u32 x;

	/** @y: First row, even. */
	__u32 y;

	/** @width: Columns. */
	__u32 width;

	/** @height: Rows. */
	__u32 height;

	/** @prim: &enum drm_vshader_utgard_prim. */
	__u32 prim;

	/** @flags: Bits of &enum drm_vshader_utgard_frag_flags. */
	__u32 flags;

	/** @vertex: Corners on the screen: x, y, z and 1 / w, binary32. Points have one. */
	__u32 vertex[3][4];

	/** @index: Elements of the input streams that belong to the corners. */
	__u32 index[3];

	/** @point_size: Side of a point's square, binary32. */
	__u32 point_size;

	/**
	 * @inputs: Array of &struct drm_vshader_stream, registers of &enum
	 * drm_vshader_utgard_input: elements @index for the primitive's corners, or an element
	 * for each pixel.
	 */
	struct drm_vshader_obj_array inputs;

	/** @targets: Array of &struct drm_vshader_utgard_target, at most 4. */
	struct drm_vshader_obj_array targets;

	/**
	 * @mask_va: Address of an image of one byte for each pixel, 1 where a fragment was
	 * written, 0 where one was discarded; others are left alone. 0: none.
	 */
	__u64 mask_va;

	/**
	 * @depth_va: Address of an image of one binary32 per pixel, which programs read as
	 * the frame buffer's depth. 0: none, and such programs fault.
	 */
	__u64 depth_va;

	/** @mask_stride: Bytes from row to row of @mask_va. */
	__u32 mask_stride;

	/** @depth_stride: Bytes from row to row of @depth_va. */
	__u32 depth_stride;

	/** @memory: Kernel memory for the job, bytes; 0: a default. */
	__u64 memory;
};

/** enum drm_vshader_utgard_gpu - GPUs that frames are for. */
enum drm_vshader_utgard_gpu {
	/** @DRM_VSHADER_UTGARD_MALI400: Mali-400. */
	DRM_VSHADER_UTGARD_MALI400 = 0,
	/** @DRM_VSHADER_UTGARD_MALI450: Mali-450. */
	DRM_VSHADER_UTGARD_MALI450 = 1,
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_UTGARD_H_ */
