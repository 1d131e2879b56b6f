// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Scheduling
 *
 * There is one &struct drm_gpu_scheduler per client and one scheduler entity per queue. The
 * scheduler resolves dependencies; run_job only puts the job into its queue's FIFO and wakes
 * a thread (vshader_exec.c), which decides what is executed next.
 *
 * A scheduler shared by clients would let one of them hold up others: by filling its ring,
 * and because jobs leave its list, and are freed, in the order in which they were handed
 * over. The ring of a client's scheduler has no limit of its own: run_job executes nothing,
 * and the number of unfinished jobs is bounded per queue.
 *
 * Up to 6.6 a scheduler has a kthread, SCHED_FIFO and in no control group of the client.
 * Its work for a job, checking fences and running run_job, takes a fraction of the time of the
 * SUBMIT ioctl, which is charged to the client.
 *
 * Jobs of different queues run at the same time, so that a dependency between them must be
 * waited for even though they share a scheduler: the fences carry
 * DRM_SCHED_FENCE_DONT_PIPELINE. Jobs end in any order; one that ends is moved to the
 * front of the scheduler's list, so that it is freed although earlier ones still run, or are
 * stopped by a debugger.
 *
 * The scheduler's own timeout is not used: it starts when a job is handed over, not when it
 * starts to run, and knows no limits per queue.
 *
 * Fences outlive everything: another driver's sync file may hold one for ever. The
 * scheduler's fences read the scheduler's name through a pointer, and hold the fence that
 * run_job returned. That fence holds the memory of the scheduler and the module.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "compat/vshader_compat.h"
#include "vshader_device.h"
#include "vshader_sched.h"

static void sched_release(struct kref *ref)
{
	kfree(container_of(ref, struct vshader_sched, ref));
}

static struct vshader_fence *to_vshader_fence(struct dma_fence *base)
{
	return container_of(base, struct vshader_fence, base);
}

static const char *fence_driver_name(struct dma_fence *base)
{
	return VSHADER_NAME;
}

static const char *fence_timeline_name(struct dma_fence *base)
{
	return to_vshader_fence(base)->sched->name;
}

/*
 * The last thing that runs here before the module may go: its text stays until an RCU
 * grace period after that.
 */
static void fence_release(struct dma_fence *base)
{
	struct vshader_fence *fence = to_vshader_fence(base);

	rcu_read_lock();
	kref_put(&fence->sched->ref, sched_release);
	kfree_rcu(fence, base.rcu);
	module_put(THIS_MODULE);
	rcu_read_unlock();
}

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = fence_driver_name,
	.get_timeline_name = fence_timeline_name,
	.release = fence_release,
};

struct vshader_fence *vshader_fence_new(struct vshader_sched *sched)
{
	struct vshader_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);

	if (!fence)
		return NULL;
	spin_lock_init(&fence->lock);
	kref_get(&sched->ref);
	fence->sched = sched;
	__module_get(THIS_MODULE);
	return fence;
}

void vshader_fence_arm(struct vshader_fence *fence, u64 context, u64 seqno)
{
	dma_fence_init(&fence->base, &fence_ops, &fence->lock, context, seqno);
}

void vshader_fence_put(struct vshader_fence *fence)
{
	if (!fence)
		return;
	if (fence->base.ops) {
		dma_fence_put(&fence->base);
		return;
	}
	kref_put(&fence->sched->ref, sched_release);
	kfree(fence);
	module_put(THIS_MODULE);
}

struct vshader_sched *vshader_sched_new(struct vshader_device *vdev, u64 client,
					const struct drm_sched_backend_ops *ops)
{
	struct vshader_sched *sched = kzalloc(sizeof(*sched), GFP_KERNEL_ACCOUNT);

	if (!sched)
		return NULL;
	kref_init(&sched->ref);
	snprintf(sched->name, sizeof(sched->name), VSHADER_NAME "-%llu", client);
	if (vshader_compat_sched_init(&sched->base, ops, S32_MAX, sched->name,
				      vdev->drm.dev)) {
		kref_put(&sched->ref, sched_release);
		return NULL;
	}
	return sched;
}

void vshader_sched_free(struct vshader_sched *sched)
{
	if (!sched)
		return;
	drm_sched_fini(&sched->base);
	kref_put(&sched->ref, sched_release);
}
