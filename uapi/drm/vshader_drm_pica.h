/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_PICA_H_
#define _UAPI_VSHADER_DRM_PICA_H_

#include "vshader_drm.h"
#include "vshader_drm_stream.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: PICA200
 *
 * Shader jobs of %DRM_VSHADER_ENGINE_PICA, and the results of its command lists.
 */

/** enum drm_vshader_pica_model - Numeric models of the PICA engine. */
enum drm_vshader_pica_model {
	/** @DRM_VSHADER_PICA_F24: 1 sign, 7 exponent, 16 mantissa bits: the hardware. */
	DRM_VSHADER_PICA_F24 = 0,
	/** @DRM_VSHADER_PICA_F32: binary32, as most emulators compute. */
	DRM_VSHADER_PICA_F32 = 1,
};

/** enum drm_vshader_pica_switch - Behaviour that sources disagree on. */
enum drm_vshader_pica_switch {
	/**
	 * @DRM_VSHADER_PICA_ROUND_NEAREST: The F24 model rounds to nearest even;
	 * otherwise it truncates. -EINVAL with F32.
	 */
	DRM_VSHADER_PICA_ROUND_NEAREST = 1 << 0,
	/**
	 * @DRM_VSHADER_PICA_OOR_READS_ZERO: A relative read whose offset is outside
	 * -128..127 gives zeros; otherwise the offset counts as 0.
	 */
	DRM_VSHADER_PICA_OOR_READS_ZERO = 1 << 1,
	/**
	 * @DRM_VSHADER_PICA_LOOP_RESTORES_AL: Leaving an inner loop restores the
	 * outer loop's aL; otherwise aL keeps its last value.
	 */
	DRM_VSHADER_PICA_LOOP_RESTORES_AL = 1 << 2,
	/**
	 * @DRM_VSHADER_PICA_STRICT: Command lists: a draw on which a console hangs or
	 * gives other results is rejected. No effect on shader jobs.
	 */
	DRM_VSHADER_PICA_STRICT = 1 << 3,
	/**
	 * @DRM_VSHADER_PICA_FACTORS_OF_MIN_MAX: Pictures: minimum and maximum are of the
	 * products with the blend factors; otherwise of the colours, as in OpenGL.
	 */
	DRM_VSHADER_PICA_FACTORS_OF_MIN_MAX = 1 << 4,
	/**
	 * @DRM_VSHADER_PICA_REFLECTIONS_SWAPPED: Pictures: bits 20 and 22 of 0x1C4 turn off
	 * the reflection of red and of blue; otherwise of blue and of red.
	 */
	DRM_VSHADER_PICA_REFLECTIONS_SWAPPED = 1 << 5,
	/**
	 * @DRM_VSHADER_PICA_QUATERNIONS_AS_GIVEN: Pictures: quaternions of a triangle are
	 * interpolated as they are; otherwise those opposite to the first one's are negated.
	 */
	DRM_VSHADER_PICA_QUATERNIONS_AS_GIVEN = 1 << 6,
	/**
	 * @DRM_VSHADER_PICA_FACTOR_UNBOUNDED: Pictures: the geometric factor of lighting may be
	 * above 1; otherwise it is at most 1.
	 */
	DRM_VSHADER_PICA_FACTOR_UNBOUNDED = 1 << 7,
	/**
	 * @DRM_VSHADER_PICA_SHADOW_ALPHA_OF_BOTH: Pictures: with shadow alpha the shadow's alpha
	 * multiplies that of both colours of lighting; otherwise of those with the Fresnel factor.
	 */
	DRM_VSHADER_PICA_SHADOW_ALPHA_OF_BOTH = 1 << 8,
	/**
	 * @DRM_VSHADER_PICA_TEXELS_TO_ZERO: Pictures: coordinates of nearest texels are rounded
	 * towards zero; otherwise down.
	 */
	DRM_VSHADER_PICA_TEXELS_TO_ZERO = 1 << 9,
	/**
	 * @DRM_VSHADER_PICA_CLAMP_OF_BOTH: Pictures: clamped highlights drop both colours of a
	 * light behind the surface; otherwise the secondary colour of one without diffuse light.
	 */
	DRM_VSHADER_PICA_CLAMP_OF_BOTH = 1 << 10,
};

/**
 * struct drm_vshader_pica_job - PICA block of a shader job.
 */
struct drm_vshader_pica_job {
	/** @vertices: Vertices; geometry stage: invocations. */
	struct drm_vshader_vertices vertices;

	/** @model: &enum drm_vshader_pica_model. */
	__u32 model;

	/** @switches: Bits of &enum drm_vshader_pica_switch. */
	__u32 switches;

	/** @float_uniforms: User pointer to rows of 4 words from c0 on, copied at submit. */
	__u64 float_uniforms;

	/** @num_float_uniforms: Rows, at most 96; the others are zero. */
	__u32 num_float_uniforms;

	/** @float_format: F32 or F24 (raw, one per word), of @float_uniforms. */
	__u32 float_format;

	/** @int_uniforms: i0..i3, each x, y, z, w. */
	__u8 int_uniforms[4][4];

	/** @bool_uniforms: Bit n = bn; bits 16..31 MBZ. */
	__u32 bool_uniforms;

	/** @output_mask: Enabled output registers of the geometry stage; vertex: MBZ. */
	__u32 output_mask;

	/** @max_prims: Geometry: room for primitives per invocation, 1 to 4096. */
	__u32 max_prims;

	/** @pad: MBZ. */
	__u32 pad;

	/**
	 * @prims_va: Geometry: primitives. Invocation i's primitive k starts at
	 * (i * @max_prims + k) * 3 vertices; a vertex is the enabled outputs in
	 * register order, 4 words of binary32 each.
	 */
	__u64 prims_va;

	/**
	 * @prim_info_va: Geometry: per invocation one __u32 count of primitives, then
	 * @max_prims words, bit 0 = winding inverted. 0: not wanted.
	 */
	__u64 prim_info_va;
};

/** enum drm_vshader_pica_draw_flags - Flags of a draw's result. */
enum drm_vshader_pica_draw_flags {
	/** @DRM_VSHADER_PICA_DRAW_GEOMETRY: Vertices come from the geometry unit. */
	DRM_VSHADER_PICA_DRAW_GEOMETRY = 1 << 0,
	/** @DRM_VSHADER_PICA_DRAW_INDEXED: Drawn with an index buffer. */
	DRM_VSHADER_PICA_DRAW_INDEXED = 1 << 1,
};

/**
 * struct drm_vshader_pica_draw - Header of a draw's result in memory.
 *
 * Vertices as the rasteriser receives them: triangles after primitive
 * assembly, 3 vertices each, winding applied. A vertex is 24 binary32 words by output
 * map semantic: 0-3 position, 4-7 quaternion, 8-11 colour, 12-13 texcoord 0,
 * 14-15 texcoord 1, 16 texcoord 0 w, 17 unused (0), 18-20 view, 21 unused (0),
 * 22-23 texcoord 2. Semantics that nothing is mapped to read 1.0.
 */
struct drm_vshader_pica_draw {
	/** @size: Bytes of header and vertices, a multiple of 8; 0 ends the list. */
	__u32 size;

	/** @flags: Bits of &enum drm_vshader_pica_draw_flags. */
	__u32 flags;

	/** @topology: 0 list, 1 strip, 2 fan, 3 shader. */
	__u32 topology;

	/** @vertices: Vertices that follow, a multiple of 3. */
	__u32 vertices;

	/** @input_vertices: Vertices that the vertex stage was run for. */
	__u32 input_vertices;

	/** @list_offset: Byte offset in the command list of the draw command. */
	__u32 list_offset;

	/** @pad: Zero. */
	__u32 pad[2];
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_PICA_H_ */
