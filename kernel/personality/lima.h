/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The lima personality.
 */
#ifndef VSHADER_LIMA_H
#define VSHADER_LIMA_H

#include <linux/container_of.h>
#include <linux/xarray.h>

#include "personality/lima_gpu.h"
#include "personality/pers.h"

struct vshader_bo;

/**
 * struct lima_ctx - A context.
 * @queues: ids of the queues of its pipes
 */
struct lima_ctx {
	u32 queues[LIMA_NUM_PIPES];
};

/**
 * struct lima_file - A client.
 * @base: the part of all personalities
 * @ctxs: contexts by their ids; there is none at first
 */
struct lima_file {
	struct pers_file base;
	struct xarray ctxs;
};

static inline struct lima_file *to_lima_file(const struct drm_file *file)
{
	return container_of(to_pers_file(file), struct lima_file, base);
}

/* A file gets a handle: &vshader_personality.bo_open. */
int lima_bo_open(struct vshader_bo *bo, struct drm_file *file);

/* The file is closed: free its contexts. */
void lima_ctxs_fini(struct lima_file *lf);

/**
 * lima_ctx_queue - a context's queue
 * @lf: file
 * @ctx: context
 * @pipe: %LIMA_GP or %LIMA_PP
 * @id: receives the queue's id
 *
 * Return: 0 or -ENOENT.
 */
int lima_ctx_queue(struct lima_file *lf, u32 ctx, u32 pipe, u32 *id);

/* The ioctls; arguments as in the uAPI. */
int lima_gem_create(struct drm_device *drm, void *data, struct drm_file *file);
int lima_gem_info(struct drm_device *drm, void *data, struct drm_file *file);
int lima_gem_submit(struct drm_device *drm, void *data, struct drm_file *file);
int lima_gem_wait(struct drm_device *drm, void *data, struct drm_file *file);
int lima_ctx_create(struct drm_device *drm, void *data, struct drm_file *file);
int lima_ctx_free(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* VSHADER_LIMA_H */
