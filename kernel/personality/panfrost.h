/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The panfrost personality.
 */
#ifndef VSHADER_PANFROST_H
#define VSHADER_PANFROST_H

#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/xarray.h>

#include "personality/pan_gpu.h"
#include "personality/pers.h"

struct file;
struct seq_file;
struct vshader_bo;

/* Jobs with and without PANFROST_JD_REQ_FS. */
enum { PANFROST_QUEUE_FRAGMENT, PANFROST_QUEUE_OTHER, PANFROST_NUM_QUEUES };
static_assert(PANFROST_NUM_QUEUES <= VSHADER_NUM_KINDS);

/**
 * struct panfrost_ctx - A context: queues of one priority.
 * @queues: their ids
 */
struct panfrost_ctx {
	u32 queues[PANFROST_NUM_QUEUES];
};

/**
 * struct panfrost_file - A client.
 * @base: the part of all personalities
 * @ctxs: contexts by their handles; 0 is there from the beginning
 */
struct panfrost_file {
	struct pers_file base;
	struct xarray ctxs;
};

static inline struct panfrost_file *to_panfrost_file(const struct drm_file *file)
{
	return container_of(to_pers_file(file), struct panfrost_file, base);
}

/* A file gets a handle: &vshader_personality.bo_open. */
int panfrost_bo_open(struct vshader_bo *bo, struct drm_file *file);

/**
 * panfrost_show_fdinfo - file operation: the panfrost driver's keys
 * @m: where to
 * @f: DRM file
 */
void panfrost_show_fdinfo(struct seq_file *m, struct file *f);

/* panfrost_ctx.c: the contexts of a file. */
int panfrost_ctxs_init(struct drm_file *file, struct panfrost_file *pf);
/* The file is closed. */
void panfrost_ctxs_fini(struct panfrost_file *pf);

/**
 * panfrost_ctx_queue - a context's queue
 * @pf: file
 * @handle: context
 * @which: %PANFROST_QUEUE_FRAGMENT or %PANFROST_QUEUE_OTHER
 * @id: receives the queue's id
 *
 * Return: 0 or -EINVAL.
 */
int panfrost_ctx_queue(struct panfrost_file *pf, u32 handle, u32 which, u32 *id);

/* The ioctls; arguments as in the uAPI. */
int panfrost_ctx_create(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_ctx_destroy(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_set_label_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_sync_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_query_bo_info(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_create_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_mmap_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_get_bo_offset(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_wait_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_madvise(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_submit(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* VSHADER_PANFROST_H */
