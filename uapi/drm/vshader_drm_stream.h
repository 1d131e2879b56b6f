/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_STREAM_H_
#define _UAPI_VSHADER_DRM_STREAM_H_

#include "vshader_drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Streams
 *
 * Vertices, their attributes and outputs in memory: used by the engines of PICA200 and Utgard.
 */

/** enum drm_vshader_format - Element types of streams. */
enum drm_vshader_format {
	/** @DRM_VSHADER_FORMAT_F32: binary32. */
	DRM_VSHADER_FORMAT_F32 = 0,
	/** @DRM_VSHADER_FORMAT_S8: Signed byte, converted to its value. */
	DRM_VSHADER_FORMAT_S8 = 1,
	/** @DRM_VSHADER_FORMAT_U8: Unsigned byte, converted to its value. */
	DRM_VSHADER_FORMAT_U8 = 2,
	/** @DRM_VSHADER_FORMAT_S16: Signed 16 bit, converted to its value. */
	DRM_VSHADER_FORMAT_S16 = 3,
	/** @DRM_VSHADER_FORMAT_U16: Unsigned 16 bit, converted to its value. */
	DRM_VSHADER_FORMAT_U16 = 4,
	/** @DRM_VSHADER_FORMAT_F16: binary16. */
	DRM_VSHADER_FORMAT_F16 = 5,
	/** @DRM_VSHADER_FORMAT_F24: PICA 1.7.16 in the low 24 bits of a 32-bit word. */
	DRM_VSHADER_FORMAT_F24 = 6,
	/** @DRM_VSHADER_FORMAT_U32: Raw 32-bit word, no conversion. */
	DRM_VSHADER_FORMAT_U32 = 7,
	/** @DRM_VSHADER_FORMAT_S32: Signed 32 bit, converted to its value. Utgard only. */
	DRM_VSHADER_FORMAT_S32 = 8,
	/** @DRM_VSHADER_FORMAT_U32_VALUE: Unsigned 32 bit, likewise. Utgard only. */
	DRM_VSHADER_FORMAT_U32_VALUE = 9,
	/** @DRM_VSHADER_FORMAT_SNORM8: Signed byte, -1 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_SNORM8 = 10,
	/** @DRM_VSHADER_FORMAT_UNORM8: Unsigned byte, 0 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_UNORM8 = 11,
	/** @DRM_VSHADER_FORMAT_SNORM16: Signed 16 bit, -1 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_SNORM16 = 12,
	/** @DRM_VSHADER_FORMAT_UNORM16: Unsigned 16 bit, 0 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_UNORM16 = 13,
	/** @DRM_VSHADER_FORMAT_SNORM32: Signed 32 bit, -1 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_SNORM32 = 14,
	/** @DRM_VSHADER_FORMAT_UNORM32: Unsigned 32 bit, 0 to 1. Utgard only. */
	DRM_VSHADER_FORMAT_UNORM32 = 15,
	/** @DRM_VSHADER_FORMAT_FIXED: Signed 16.16. Utgard only. */
	DRM_VSHADER_FORMAT_FIXED = 16,
};

/**
 * struct drm_vshader_stream - Attribute or output stream.
 *
 * Element e of a stream starts at @va + e * @stride. Components that an attribute
 * stream lacks are taken from (0, 0, 0, 1). Attributes must be naturally aligned to
 * their component size, else the job faults with %DRM_VSHADER_FAULT_MISALIGNED.
 */
struct drm_vshader_stream {
	/** @va: Address of element 0. */
	__u64 va;

	/** @stride: Bytes between elements; 0 reads one element for all. */
	__u32 stride;

	/**
	 * @format: &enum drm_vshader_format. Outputs: F32, F24 or U32; Utgard: F32, F16 or
	 * U32. Utgard's attributes: all but F24.
	 */
	__u32 format;

	/** @reg: Input or output register; each at most once per job. */
	__u32 reg;

	/** @components: 1 to 4, starting at x. */
	__u32 components;

	/** @divisor: 0: element = vertex; n: element = instance / n. Outputs: MBZ. */
	__u32 divisor;

	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_index_type - Index buffer element types. */
enum drm_vshader_index_type {
	/** @DRM_VSHADER_INDEX_NONE: No index buffer: vertex = first + number. */
	DRM_VSHADER_INDEX_NONE = 0,
	/** @DRM_VSHADER_INDEX_U8: 8 bit. */
	DRM_VSHADER_INDEX_U8 = 1,
	/** @DRM_VSHADER_INDEX_U16: 16 bit. */
	DRM_VSHADER_INDEX_U16 = 2,
	/** @DRM_VSHADER_INDEX_U32: 32 bit. */
	DRM_VSHADER_INDEX_U32 = 3,
};

/**
 * struct drm_vshader_vertices - Vertices that a program runs for, and their streams.
 *
 * There are @count invocations for each instance. Invocation number i is vertex i % @count of
 * instance i / @count.
 */
struct drm_vshader_vertices {
	/** @first: First vertex (without an index buffer) or base added to each index. */
	__u32 first;

	/** @count: Vertices of an instance; 0 makes an empty job. */
	__u32 count;

	/** @instances: Instances; 0 counts as 1. */
	__u32 instances;

	/** @index_type: &enum drm_vshader_index_type. */
	__u32 index_type;

	/** @index_va: Address of the index buffer. */
	__u64 index_va;

	/** @attributes: Array of &struct drm_vshader_stream. */
	struct drm_vshader_obj_array attributes;

	/** @outputs: Array of &struct drm_vshader_stream; element = invocation number. */
	struct drm_vshader_obj_array outputs;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_STREAM_H_ */
