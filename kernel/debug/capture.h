/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a job was submitted with, kept for a dump: its descriptor and all that it points to.
 * The same for the driver and for the library's in-process backend.
 */
#ifndef VSHADER_CAPTURE_H
#define VSHADER_CAPTURE_H

#include "drm/vshader_drm_dump.h"
#include "isa/isa.h"

/**
 * struct vshader_capture - Sections of a dump, one behind the other.
 * @buf:	bytes, for vs_free(); a multiple of 8
 * @size:	how many
 * @room:	how many there is room for
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
 * vshader_capture_job - keep what a job was submitted with
 * @c: zeros
 * @uj: a job that has been accepted
 * @isa: engine of its queue
 * @copy: reads the submitter's memory
 *
 * The memory is read again: a submitter that changes it meanwhile gets a dump with what it
 * changed it to, within the same bounds.
 *
 * Return: 0, -ENOMEM, or an error of @copy; then @c has nothing.
 */
int vshader_capture_job(struct vshader_capture *c, const struct drm_vshader_job *uj,
			const struct vs_isa *isa, vshader_capture_copy copy);
void vshader_capture_free(struct vshader_capture *c);

#endif /* VSHADER_CAPTURE_H */
