/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Submission.
 */
#ifndef VSHADER_SUBMIT_H
#define VSHADER_SUBMIT_H

#include "drm/vshader_drm.h"

struct drm_file;
struct drm_gem_object;

/**
 * struct vshader_submit_native - One native job of a personality.
 * @queue_id: queue
 * @desc: descriptor
 * @syncs: sync operations
 * @nsyncs: number of @syncs
 * @objs: all buffers that need synchronisation with others, as written
 * @nobjs: number of @objs
 */
struct vshader_submit_native {
	u32 queue_id;
	struct drm_vshader_native_job desc;
	const struct drm_vshader_sync *syncs;
	u32 nsyncs;
	struct drm_gem_object **objs;
	u32 nobjs;
};

/**
 * vshader_submit_native - submit one native job
 * @file: DRM file
 * @job: the job
 *
 * Waits while the queue has as many unfinished jobs as it takes.
 *
 * Return: 0, -EINTR, or an error as of the ioctl.
 */
int vshader_submit_native(struct drm_file *file, const struct vshader_submit_native *job);

/* The ioctl; arguments as in the uAPI. */
int vshader_submit(struct drm_file *file, struct drm_vshader_submit *args);

#endif /* VSHADER_SUBMIT_H */
