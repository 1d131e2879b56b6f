/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the panfrost personality's tests. Return values as in vst.h.
 */
#ifndef VST_PANFROST_H
#define VST_PANFROST_H

#include <panfrost_drm.h>

#include "vst_mali.h"

#define PF_DROP_CACHES	"/proc/sys/vm/drop_caches"

/* Layout of a buffer with a chain. */
#define PF_JOB_AT		0x000
#define PF_DRAW_AT		0x040
#define PF_STATE_AT	0x100
#define PF_STORAGE_AT	0x180
#define PF_PUSH_AT		0x1c0
#define PF_UBO_AT		0x200
#define PF_FROM_AT		0x240
#define PF_TO_AT		0x300
#define PF_CODE_AT		0x800

#define PF_WORDS		16

/* Newer than the headers of some kernels. */
#define PF_PARAM_TIMESTAMP	(DRM_PANFROST_PARAM_AFBC_FEATURES + 1)
#define PF_PARAM_FREQUENCY	(DRM_PANFROST_PARAM_AFBC_FEATURES + 2)
#define PF_PARAM_PRIORITIES	(DRM_PANFROST_PARAM_AFBC_FEATURES + 3)
#define PF_PARAM_COHERENCY	(DRM_PANFROST_PARAM_AFBC_FEATURES + 4)
#define PF_CYCLE_COUNT		0x2
#define PF_WB_MMAP		0x4

/* A buffer with its addresses. */
struct vst_pf_bo {
	__u32 handle;
	__u32 size;
	__u64 va;
	union {
		void *map;
		__u8 *u8;
		__u32 *u32;
	};
};

/* A file of the device with this chip: its render node, its primary node. Or -ENODEV. */
int vst_pf_open(__u32 id);
int vst_pf_open_card(__u32 id);
bool vst_pf_is(int fd, int *minor);
int vst_pf_param(int fd, __u32 which, __u64 *value);

/* ---- buffers ---- */

int vst_pf_create(int fd, __u32 size, __u32 flags, struct vst_pf_bo *bo);
int vst_pf_map_bo(int fd, struct vst_pf_bo *bo);
int vst_pf_create_mapped(int fd, __u32 size, struct vst_pf_bo *bo);
int vst_pf_offset_of(int fd, __u32 handle, __u64 *va);
/* @timeout: absolute, ns, as of: */
__s64 vst_pf_after_ms(unsigned int ms);
int vst_pf_wait_bo(int fd, __u32 handle, __s64 timeout);
int vst_pf_wait_idle(int fd, __u32 handle);
int vst_pf_advise(int fd, __u32 handle, __u32 madv, __u32 *retained);
/*
 * Have the kernel take the memory of a buffer, which happens some time after it has asked.
 * Return: false: it cannot be made to.
 */
bool vst_pf_purge(int fd, __u32 handle, __u32 *retained);

/* ---- jobs ---- */

int vst_pf_submit(int fd, __u64 jc, const __u32 *handles, __u32 n, __u32 in, __u32 out, __u32 req);
/* Submit a buffer's chain. Return: the fence's status. */
int vst_pf_run_chain(int fd, const struct vst_pf_bo *bo, __u64 jc);

void vst_pf_w32(struct vst_pf_bo *b, unsigned int at, __u32 v);
void vst_pf_w64(struct vst_pf_bo *b, unsigned int at, __u64 v);
/* A job that clears 8 bytes. */
void vst_pf_put_zero(struct vst_pf_bo *b, unsigned int at, __u64 to, __u64 next);
void vst_pf_put_compute(struct vst_pf_bo *b, const struct vst_mali_arch *arch,
			const struct vst_mali_code *code, unsigned int threads);
/* A chain that copies PF_WORDS words, 0x1000 and up. */
void vst_pf_put_copy(struct vst_pf_bo *b, const struct vst_mali_arch *arch);

#endif
