/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_MALI_H_
#define _UAPI_VSHADER_DRM_MALI_H_

#include "vshader_drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Mali
 *
 * Shader jobs of %DRM_VSHADER_ENGINE_BIFROST and %DRM_VSHADER_ENGINE_MIDGARD.
 */

/** enum drm_vshader_mali_gpu - GPUs whose programs and descriptors a Mali job has. */
enum drm_vshader_mali_gpu {
	/** @DRM_VSHADER_MALI_G71: Mali-G71, descriptors of version 6. */
	DRM_VSHADER_MALI_G71 = 0,
	/** @DRM_VSHADER_MALI_G72: Mali-G72, descriptors of version 6. */
	DRM_VSHADER_MALI_G72 = 1,
	/** @DRM_VSHADER_MALI_G31: Mali-G31, descriptors of version 7. */
	DRM_VSHADER_MALI_G31 = 2,
	/** @DRM_VSHADER_MALI_G52: Mali-G52, descriptors of version 7. */
	DRM_VSHADER_MALI_G52 = 3,
	/** @DRM_VSHADER_MALI_T760: Mali-T760 (Midgard), descriptors of version 5. */
	DRM_VSHADER_MALI_T760 = 4,
	/** @DRM_VSHADER_MALI_T860: Mali-T860 (Midgard), descriptors of version 5. */
	DRM_VSHADER_MALI_T860 = 5,
};

/** enum drm_vshader_mali_switch - Switches of the Mali engines. */
enum drm_vshader_mali_switch {
	/**
	 * @DRM_VSHADER_MALI_FUSED_FMA: Bifrost: FMA.f32 rounds once, as the hardware does;
	 * otherwise product and sum are rounded, as renderers on processors do, with which
	 * results can then be compared bit for bit.
	 */
	DRM_VSHADER_MALI_FUSED_FMA = 1 << 0,
	/**
	 * @DRM_VSHADER_MALI_CLOCK: Chains: WRITE_VALUE jobs write the time of CLOCK_MONOTONIC in
	 * ns as cycles and time stamps; otherwise the number of jobs so far, which does not
	 * differ between runs.
	 */
	DRM_VSHADER_MALI_CLOCK = 1 << 1,
};

/**
 * struct drm_vshader_mali_table - Table of the hardware's descriptors in memory.
 */
struct drm_vshader_mali_table {
	/** @va: Address of the first descriptor. Ignored if @count is 0. */
	__u64 va;

	/** @count: Number of descriptors. */
	__u32 count;

	/** @pad: MBZ. */
	__u32 pad;
};

/**
 * struct drm_vshader_mali_target - Image that fragments are written to.
 */
struct drm_vshader_mali_target {
	/** @va: Address of the first pixel; 0: none, stores are dropped. */
	__u64 va;

	/**
	 * @row_stride: Bytes from row to row; u-interleaved images: from a row of tiles of
	 * 16x16 pixels to the next.
	 */
	__u32 row_stride;

	/** @order: 1 u-interleaved, 2 linear, as in texture descriptors. */
	__u32 order;

	/** @format: Pixel format, 22 bits as in descriptors of the GPU. */
	__u32 format;

	/**
	 * @blend: The four words of the target's blend descriptor. Depth and stencil images: MBZ.
	 * Programs that they name are called; addresses to return to count from the start of the
	 * fragment program. Midgard: flags, 0, then equation and constant, or with bit 1 of the
	 * flags the address of a program, whose low four bits are the tag of its first bundle, or
	 * 0: not said.
	 */
	__u32 blend[4];

	/** @sample_stride: Bytes from a sample to the next one, if pixels have several. */
	__u32 sample_stride;
};

/** enum drm_vshader_mali_prim - Primitives that a Mali job rasterises. */
enum drm_vshader_mali_prim {
	/** @DRM_VSHADER_MALI_PRIM_RECT: Every pixel of the rectangle; nothing varies. */
	DRM_VSHADER_MALI_PRIM_RECT = 0,
	/** @DRM_VSHADER_MALI_PRIM_TRIANGLE: Pixels whose centre is in a triangle. */
	DRM_VSHADER_MALI_PRIM_TRIANGLE = 1,
	/** @DRM_VSHADER_MALI_PRIM_POINT: Pixels whose centre is in a square. */
	DRM_VSHADER_MALI_PRIM_POINT = 2,
};

/** enum drm_vshader_mali_frag_flags - Flags of the fragments of a Mali job. */
enum drm_vshader_mali_frag_flags {
	/** @DRM_VSHADER_MALI_FRAG_BACK: The primitive shows its back. */
	DRM_VSHADER_MALI_FRAG_BACK = 1 << 0,
	/** @DRM_VSHADER_MALI_FRAG_POINT_UP: The second point coordinate grows upwards. */
	DRM_VSHADER_MALI_FRAG_POINT_UP = 1 << 1,
	/** @DRM_VSHADER_MALI_FRAG_DEPTH_TEST: Compare depth, see @depth_func. */
	DRM_VSHADER_MALI_FRAG_DEPTH_TEST = 1 << 2,
	/** @DRM_VSHADER_MALI_FRAG_DEPTH_WRITE: Write the depth of fragments that pass. */
	DRM_VSHADER_MALI_FRAG_DEPTH_WRITE = 1 << 3,
	/** @DRM_VSHADER_MALI_FRAG_SHADER_Z: The program gives the depth. */
	DRM_VSHADER_MALI_FRAG_SHADER_Z = 1 << 4,
	/** @DRM_VSHADER_MALI_FRAG_STENCIL_TEST: Stencil test, see @stencil. */
	DRM_VSHADER_MALI_FRAG_STENCIL_TEST = 1 << 5,
	/** @DRM_VSHADER_MALI_FRAG_SHADER_S: The program gives the stencil reference value. */
	DRM_VSHADER_MALI_FRAG_SHADER_S = 1 << 6,
	/**
	 * @DRM_VSHADER_MALI_FRAG_LATE: Depth and stencil tests by ATEST, or by
	 * Midgard's first write to the framebuffer, not before.
	 */
	DRM_VSHADER_MALI_FRAG_LATE = 1 << 7,
	/** @DRM_VSHADER_MALI_FRAG_ALPHA_TEST: The same tests alpha, see @alpha_func. */
	DRM_VSHADER_MALI_FRAG_ALPHA_TEST = 1 << 8,
	/** @DRM_VSHADER_MALI_FRAG_ALPHA_TO_COVERAGE: The same makes coverage of alpha. */
	DRM_VSHADER_MALI_FRAG_ALPHA_TO_COVERAGE = 1 << 9,
	/** @DRM_VSHADER_MALI_FRAG_PER_SAMPLE: The program runs for each sample. */
	DRM_VSHADER_MALI_FRAG_PER_SAMPLE = 1 << 10,
};

/**
 * struct drm_vshader_mali_fragment - Fragment stage of a Mali job.
 *
 * The program runs for the 2x2 quads of one primitive that have a pixel in the rectangle;
 * pixels that are not covered run along as helpers.
 */
struct drm_vshader_mali_fragment {
	/** @x: First column, even. */
	__u32 x;

	/** @y: First row, even. */
	__u32 y;

	/** @width: Columns. */
	__u32 width;

	/** @height: Rows. */
	__u32 height;

	/** @prim: &enum drm_vshader_mali_prim. */
	__u32 prim;

	/** @flags: Bits of &enum drm_vshader_mali_frag_flags. */
	__u32 flags;

	/** @vertex: Corners on the screen: x, y, z and 1 / w, binary32. Points have one. */
	__u32 vertex[3][4];

	/** @index: Numbers of the corners, by which varyings are found. */
	__u32 index[3];

	/** @provoking: Corner (0 to 2) that flat varyings are taken from. */
	__u32 provoking;

	/** @point_size: Side of a point's square, binary32. */
	__u32 point_size;

	/** @primitive: Number of the primitive that the program sees. */
	__u32 primitive;

	/** @depth_func: 1 less, 2 equal, 4 greater, and their sums. */
	__u32 depth_func;

	/** @pad: MBZ. */
	__u32 pad;

	/** @depth: Depth image. */
	struct drm_vshader_mali_target depth;

	/** @targets: Array of &struct drm_vshader_mali_target, at most 8. */
	struct drm_vshader_obj_array targets;

	/** @samples: Samples of a pixel: 4, 8, 16; 0 and 1: one. */
	__u32 samples;

	/** @sample_mask: Samples that may be covered; 0: all. */
	__u32 sample_mask;

	/**
	 * @stencil: Stencil image; values are the second component of its format, or the only
	 * one.
	 */
	struct drm_vshader_mali_target stencil;

	/**
	 * @stencil_side: Stencil words of renderer states, front and back: reference, mask,
	 * function, operations.
	 */
	__u32 stencil_side[2];

	/** @stencil_write: Bits that are written: front in bits 0 to 7, back in 8 to 15. */
	__u32 stencil_write;

	/** @alpha_func: 1 less, 2 equal, 4 greater, and their sums. */
	__u32 alpha_func;

	/** @alpha_ref: Reference value of the alpha test, binary32. */
	__u32 alpha_ref;

	/** @pad2: MBZ. */
	__u32 pad2;

	/** @sample_positions: Address of the sample positions, as the program reads it. */
	__u64 sample_positions;

	/**
	 * @blend_base: Bifrost: upper half of the addresses of blend programs, whose
	 * descriptors have the lower half. Its lower half: MBZ.
	 */
	__u64 blend_base;
};

/**
 * struct drm_vshader_mali_job - Mali block of a shader job.
 *
 * Resources are described as on the hardware: by the addresses of descriptor tables,
 * which are read when the job runs.
 */
struct drm_vshader_mali_job {
	/** @gpu: &enum drm_vshader_mali_gpu; one of the queue's engine. */
	__u32 gpu;

	/** @switches: Bits of &enum drm_vshader_mali_switch. */
	__u32 switches;

	/** @local: Compute: threads of a workgroup in x, y, z. Else MBZ. */
	__u32 local[3];

	/**
	 * @preload: Registers that are filled at the start: bit n is register 48 + n. The
	 * others are 0.
	 */
	__u32 preload;

	/** @groups: Compute: workgroups in x, y, z; vertex: 1, vertices, instances. */
	__u64 groups[3];

	/** @ubos: Uniform buffers, 8 bytes each. */
	struct drm_vshader_mali_table ubos;

	/** @push: Uniforms in registers: words of 32 bit. */
	struct drm_vshader_mali_table push;

	/** @attributes: Attributes and images, 8 bytes each. */
	struct drm_vshader_mali_table attributes;

	/** @varyings: Vertex: outputs; fragment: inputs; 8 bytes each. */
	struct drm_vshader_mali_table varyings;

	/** @textures: Textures, 32 bytes each. */
	struct drm_vshader_mali_table textures;

	/** @samplers: Samplers, 32 bytes each. */
	struct drm_vshader_mali_table samplers;

	/** @attribute_buffers: Address of the table of buffers of @attributes. */
	__u64 attribute_buffers;

	/** @varying_buffers: Address of the table of buffers of @varyings. */
	__u64 varying_buffers;

	/**
	 * @tls_va: Memory of as many threads as fit in the mapping from there on; 0: the job
	 * has its own, part of @memory.
	 */
	__u64 tls_va;

	/** @wls_va: Memory of @wls_instances workgroups; 0: the job has its own. */
	__u64 wls_va;

	/** @tls_size: Bytes of a thread. */
	__u32 tls_size;

	/** @wls_size: Bytes of a workgroup. */
	__u32 wls_size;

	/** @wls_instances: Workgroups that have some at @wls_va at the same time. */
	__u32 wls_instances;

	/** @offset_start: Added to vertex numbers of attributes that ask for it. */
	__u32 offset_start;

	/** @instance_size: Padded vertices of an instance; 0 counts as 1. */
	__u32 instance_size;

	/** @message: Fragment, version 7: messages that are preloaded. Else MBZ. */
	__u16 message[2];

	/** @position_va: Vertex: where positions go. */
	__u64 position_va;

	/** @memory: Kernel memory for the job, bytes; 0: a default. */
	__u64 memory;

	/**
	 * @fragment: User pointer to &struct drm_vshader_mali_fragment; fragment stage only.
	 */
	__u64 fragment;

	/** @fragment_size: Bytes at @fragment. */
	__u32 fragment_size;

	/**
	 * @work_registers: Midgard: work registers, from r0 on; 0: as many as @push leaves.
	 * Bifrost: MBZ.
	 */
	__u32 work_registers;

	/**
	 * @fp_mode: Midgard: 0 as OpenGL, 1 without infinities and NaN, 2 as OpenCL, 3 as
	 * Direct3D. Bifrost: MBZ.
	 */
	__u32 fp_mode;

	/** @pad: MBZ. */
	__u32 pad;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_MALI_H_ */
