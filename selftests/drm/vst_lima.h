/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the lima personality's tests. Return values as in vst.h.
 */
#ifndef VST_LIMA_H
#define VST_LIMA_H

#include <lima_drm.h>

#include "vst.h"

/* Layout of a buffer with a draw of LM_VERTICES vertices. */
#define LM_CODE_AT	0x000
#define LM_LIST_AT	0x200
#define LM_ATTR_AT	0x300
#define LM_VAR_AT	0x340
#define LM_FROM_AT	0x400
#define LM_TO_AT	0x800

#define LM_VERTICES	16

/* A buffer with its addresses. */
struct vst_lm_bo {
	__u32 handle;
	__u32 size;
	__u32 va;
	union {
		void *map;
		__u8 *u8;
		__u32 *u32;
		float *f32;
	};
};

/* A job with its frame, to be changed before it is submitted. */
struct vst_lm_job {
	struct drm_lima_gem_submit arg;
	struct drm_lima_gem_submit_bo bos[4];
	union {
		struct drm_lima_gp_frame gp;
		struct drm_lima_m400_pp_frame m400;
		struct drm_lima_m450_pp_frame m450;
	};
};

/* A file of the device with this chip: its render node, its primary node. Or -ENODEV. */
int vst_lm_open(__u32 id);
int vst_lm_open_card(__u32 id);
int vst_lm_param(int fd, __u32 which, __u64 *value);

/* ---- buffers ---- */

int vst_lm_create(int fd, __u32 size, __u32 flags, struct vst_lm_bo *bo);
int vst_lm_info(int fd, __u32 handle, __u32 *va, __u64 *offset);
int vst_lm_map(int fd, struct vst_lm_bo *bo);
int vst_lm_create_mapped(int fd, __u32 size, struct vst_lm_bo *bo);
/* @timeout: absolute, ns, as of: */
__s64 vst_lm_after_ms(unsigned int ms);
int vst_lm_wait(int fd, __u32 handle, __u32 op, __s64 timeout);
int vst_lm_wait_idle(int fd, __u32 handle);

/* ---- contexts and jobs ---- */

int vst_lm_ctx_create(int fd, __u32 pad, __u32 *id);
int vst_lm_ctx_free(int fd, __u32 id, __u32 pad);

/* Put a draw that copies vertices, the first components twice, into a buffer. */
void vst_lm_put_copy(struct vst_lm_bo *b);
/* Put a draw that never ends into it. */
void vst_lm_put_spin(struct vst_lm_bo *b);
/* Vertices that have been written, from the first one on. */
unsigned int vst_lm_copied(const struct vst_lm_bo *b);

/* A job that executes a buffer's draw, and writes this buffer. */
void vst_lm_draw(struct vst_lm_job *j, __u32 ctx, const struct vst_lm_bo *b);
void vst_lm_add(struct vst_lm_job *j, __u32 handle, __u32 flags);
int vst_lm_submit(int fd, struct vst_lm_job *j);
/* Submit. Return: the fence's status. "vshader gl" has no errors of fences: 0. */
int vst_lm_run(int fd, struct vst_lm_job *j);
/* The fence's status of a job that has ended with @error. */
int vst_lm_fence(int error);

#endif
