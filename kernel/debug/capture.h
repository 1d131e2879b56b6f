/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Copies of a submission for dumps: the job descriptor and everything it points to.
 * Shared by the driver and the library's in-process backend.
 */
#ifndef VSHADER_CAPTURE_H
#define VSHADER_CAPTURE_H

#include "drm/vshader_drm_dump.h"
#include "engine/vs_glue.h"

/**
 * struct vshader_capture - Consecutive sections of a dump.
 * @buf:	sections, owned, freed by vs_free()
 * @size:	bytes in use, a multiple of 8
 * @room:	bytes allocated
 * @sections:	number of sections
 */
struct vshader_capture {
	u8 *buf;
	u64 size;
	u64 room;
	u32 sections;
};

/* Copy from the submitter's memory. Return: 0 or an error. */
typedef int (*vshader_capture_copy)(void *dst, u64 src, u64 size);

/**
 * struct vshader_capturing - Copying of a shader job's descriptors.
 * @c: sections, zeros at first
 * @copy: reads the submitter's memory
 * @block_size: bytes of the ISA's engine block
 * @block: copy a shader job's engine block and all that it refers to; NULL: the block refers to
 *	nothing
 */
struct vshader_capturing {
	struct vshader_capture *c;
	vshader_capture_copy copy;
	u32 block_size;
	int (*block)(struct vshader_capturing *k, const struct drm_vshader_shader_job *d);
};

/**
 * vshader_capture_shader - copy the descriptors of a shader job
 * @k: where to and how
 * @uj: a job that has been accepted
 *
 * The memory is read again: if the submitter changes it meanwhile, the dump has the changed
 * contents, within the same bounds.
 *
 * Return: 0, -ENOMEM, or an error of @copy; then the sections are empty.
 */
int vshader_capture_shader(struct vshader_capturing *k, const struct drm_vshader_job *uj);

/**
 * vshader_capture_native - copy the descriptor of a native job
 * @c: sections, zeros at first
 * @d: descriptor
 * @words: a job by value, or NULL
 * @nwords: number of @words
 *
 * Return: 0 or -ENOMEM; then the sections are empty.
 */
int vshader_capture_native(struct vshader_capture *c, const struct drm_vshader_native_job *d,
			   const u32 *words, u32 nwords);

/* For @block. Pointers in the copies must be set to 0; *@out is valid until the next call. */
/* A section with one structure of @size bytes, from @given bytes at @src. */
int vshader_capture_one(struct vshader_capturing *k, u64 type, u64 src, u64 given, u64 size,
			void **out);
/* A section with the elements of an array. */
int vshader_capture_many(struct vshader_capturing *k, u64 type,
			 const struct drm_vshader_obj_array *a, u64 size);
/* A section with the engine block. */
int vshader_capture_block(struct vshader_capturing *k, const struct drm_vshader_shader_job *d,
			  u64 size, void **out);
void vshader_capture_free(struct vshader_capture *c);

#endif /* VSHADER_CAPTURE_H */
