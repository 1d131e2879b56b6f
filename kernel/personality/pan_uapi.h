/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Versions 1.3 to 1.6 of the panfrost interface, as far as the headers of some kernels lack them.
 */
#ifndef VS_PAN_UAPI_H
#define VS_PAN_UAPI_H

#include <panfrost_drm.h>

/* The version that is implemented. */
#define PAN_MAJOR	1
#define PAN_MINOR	6

/* Longest label of a buffer, with its end. */
#define PAN_MAX_LABEL	4096U

/* Handles of contexts are 0, which every file has, to this one. */
#define PAN_MAX_CTX	64U

/* Flag of CREATE_BO: cached mappings, which all are here. */
#define PAN_BO_WB_MMAP	0x4

/* Requirement of a job: its WRITE_VALUE jobs may read the clock. */
#define PAN_JD_REQ_CYCLE_COUNT	0x2
#define PAN_JD_REQ_ALL		(PANFROST_JD_REQ_FS | PAN_JD_REQ_CYCLE_COUNT)

/* Parameters; they follow AFBC_FEATURES. */
enum pan_param {
	PAN_PARAM_SYSTEM_TIMESTAMP = DRM_PANFROST_PARAM_AFBC_FEATURES + 1,
	PAN_PARAM_SYSTEM_TIMESTAMP_FREQUENCY,
	PAN_PARAM_ALLOWED_JM_CTX_PRIORITIES,
	PAN_PARAM_SELECTED_COHERENCY,
	PAN_NUM_PARAMS
};

/* Priorities of contexts: the same numbers as enum drm_vshader_priority. */
#define PAN_PRIORITY_LOW	0
#define PAN_PRIORITY_MEDIUM	1
#define PAN_PRIORITY_HIGH	2

/** struct pan_submit - struct drm_panfrost_submit with a context */
struct pan_submit {
	__u64 jc;
	__u64 in_syncs;
	__u32 in_sync_count;
	__u32 out_sync;
	__u64 bo_handles;
	__u32 bo_handle_count;
	__u32 requirements;
	__u32 jm_ctx_handle;
	__u32 pad;
};

/** struct pan_set_label_bo - @label: text, or 0 to remove the label */
struct pan_set_label_bo {
	__u32 handle;
	__u32 pad;
	__u64 label;
};

/** struct pan_jm_ctx_create - @handle: result; @priority: PAN_PRIORITY_* */
struct pan_jm_ctx_create {
	__u32 handle;
	__u32 priority;
};

/** struct pan_jm_ctx_destroy - argument of JM_CTX_DESTROY */
struct pan_jm_ctx_destroy {
	__u32 handle;
	__u32 pad;
};

enum pan_sync_type { PAN_SYNC_FLUSH, PAN_SYNC_FLUSH_AND_INVALIDATE, PAN_NUM_SYNC_TYPES };

/** struct pan_sync_op - a range of a buffer; @type: enum pan_sync_type */
struct pan_sync_op {
	__u32 handle;
	__u32 type;
	__u32 offset;
	__u32 size;
};

/** struct pan_sync_bo - @ops: array of &struct pan_sync_op */
struct pan_sync_bo {
	__u64 ops;
	__u32 op_count;
	__u32 pad;
};

/* Extra flag of QUERY_BO_INFO. */
#define PAN_BO_IS_IMPORTED	0x1

/** struct pan_query_bo_info - @extra_flags, @create_flags: results */
struct pan_query_bo_info {
	__u32 handle;
	__u32 extra_flags;
	__u32 create_flags;
	__u32 pad;
};

#define PAN_IOCTL(nr, type)	DRM_IOWR(DRM_COMMAND_BASE + (nr), type)

#define DRM_IOCTL_PAN_SUBMIT	DRM_IOW(DRM_COMMAND_BASE + DRM_PANFROST_SUBMIT, struct pan_submit)
#define DRM_IOCTL_PAN_SET_LABEL_BO	PAN_IOCTL(0x09, struct pan_set_label_bo)
#define DRM_IOCTL_PAN_JM_CTX_CREATE	PAN_IOCTL(0x0a, struct pan_jm_ctx_create)
#define DRM_IOCTL_PAN_JM_CTX_DESTROY	PAN_IOCTL(0x0b, struct pan_jm_ctx_destroy)
#define DRM_IOCTL_PAN_SYNC_BO		PAN_IOCTL(0x0c, struct pan_sync_bo)
#define DRM_IOCTL_PAN_QUERY_BO_INFO	PAN_IOCTL(0x0d, struct pan_query_bo_info)

#endif /* VS_PAN_UAPI_H */
