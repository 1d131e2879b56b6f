/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The DRM scheduler's side: one scheduler per client, and the fences that run_job
 * returns.
 */
#ifndef VSHADER_SCHED_H
#define VSHADER_SCHED_H

#include <linux/dma-fence.h>
#include <linux/kref.h>

#include <drm/gpu_scheduler.h>

struct vshader_device;

/**
 * struct vshader_sched - Scheduler of a client.
 * @ref: held by the client and by every fence: the scheduler's own fences read its
 *	name for as long as they live, which may be longer than the device does
 * @base: the scheduler
 * @name: its name
 */
struct vshader_sched {
	struct kref ref;
	struct drm_gpu_scheduler base;
	char name[32];
};

/**
 * struct vshader_fence - Fence that run_job returns; allocated at submit.
 * @base: the fence
 * @lock: its lock
 * @sched: the scheduler; holds a reference
 */
struct vshader_fence {
	struct dma_fence base;

	/** @lock: of @base */
	spinlock_t lock;
	struct vshader_sched *sched;
};

/**
 * vshader_sched_new - a scheduler for a client's queues
 * @vdev: device
 * @client: number of the client, for its name
 * @ops: its operations
 *
 * Return: scheduler or NULL.
 */
struct vshader_sched *vshader_sched_new(struct vshader_device *vdev, u64 client,
					const struct drm_sched_backend_ops *ops);

/**
 * vshader_sched_free - end a scheduler that has no jobs; may sleep
 * @sched: scheduler or NULL
 */
void vshader_sched_free(struct vshader_sched *sched);

/**
 * vshader_fence_new - allocate a fence that is not initialised yet
 * @sched: scheduler
 *
 * Return: fence or NULL.
 */
struct vshader_fence *vshader_fence_new(struct vshader_sched *sched);

/**
 * vshader_fence_arm - initialise a fence
 * @fence: fence
 * @context: fence context
 * @seqno: number in it
 */
void vshader_fence_arm(struct vshader_fence *fence, u64 context, u64 seqno);

/**
 * vshader_fence_put - drop the creator's reference, initialised or not
 * @fence: fence or NULL
 */
void vshader_fence_put(struct vshader_fence *fence);

#endif /* VSHADER_SCHED_H */
