/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Sync operations of a submit.
 */
#ifndef VSHADER_SYNC_H
#define VSHADER_SYNC_H

#include <linux/list.h>

#include "drm/vshader_drm.h"

struct dma_fence;
struct dma_fence_chain;
struct drm_file;
struct drm_syncobj;
struct vshader_job;

/**
 * struct vshader_signal - A signal operation, with all that it needs allocated.
 * @node: in &struct vshader_signals
 * @job: job whose end it announces
 * @syncobj: sync object; holds a reference
 * @chain: chain node for timelines, or NULL
 * @point: point for timelines, or 0
 */
struct vshader_signal {
	struct list_head node;
	struct vshader_job *job;
	struct drm_syncobj *syncobj;
	struct dma_fence_chain *chain;
	u64 point;
};

/**
 * vshader_sync_waits - add a job's waits as dependencies
 * @file: DRM file
 * @job: job
 * @syncs: operations
 * @n: number of @syncs
 * @signals: signals of earlier jobs of the same submit
 *
 * Return: 0 or an error.
 */
int vshader_sync_waits(struct drm_file *file, struct vshader_job *job,
		       const struct drm_vshader_sync *syncs, u32 n,
		       const struct list_head *signals);

/**
 * vshader_sync_signals - prepare a job's signals
 * @file: DRM file
 * @job: job
 * @syncs: operations
 * @n: number of @syncs
 * @signals: list that they are added to
 *
 * Return: 0 or an error.
 */
int vshader_sync_signals(struct drm_file *file, struct vshader_job *job,
			 const struct drm_vshader_sync *syncs, u32 n,
			 struct list_head *signals);

/**
 * vshader_sync_push - put the fences of armed jobs into the sync objects
 * @signals: prepared signals
 */
void vshader_sync_push(struct list_head *signals);

/**
 * vshader_sync_free - free prepared signals, pushed or not
 * @signals: prepared signals
 */
void vshader_sync_free(struct list_head *signals);

#endif /* VSHADER_SYNC_H */
