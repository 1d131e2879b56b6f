// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Numbers of the vc4 personality's jobs. They are those of the whole device, though jobs of
 * different files are executed side by side: a wait for a number is one for all jobs up to it.
 */
#include <linux/dma-fence.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>

#include "personality/vc4.h"

/**
 * struct vc4_number - A job that has not ended.
 * @node: in &vc4_device.jobs
 * @vd: device
 * @seqno: its number
 * @fence: its fence; holds a reference
 * @cb: called when it signals
 */
struct vc4_number {
	struct list_head node;
	struct vc4_device *vd;
	u64 seqno;
	struct dma_fence *fence;
	struct dma_fence_cb cb;
};

struct vc4_number *vc4_number_new(void)
{
	return kzalloc(sizeof(struct vc4_number), GFP_KERNEL_ACCOUNT);
}

void vc4_number_free(struct vc4_number *n)
{
	if (!n)
		return;
	dma_fence_put(n->fence);
	kfree(n);
}

/* Jobs that have ended are not kept until the next one: fences hold the module. */
static void vc4_number_ended(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct vc4_number *n = container_of(cb, struct vc4_number, cb);
	unsigned long flags;

	spin_lock_irqsave(&n->vd->jobs_lock, flags);
	list_del(&n->node);
	spin_unlock_irqrestore(&n->vd->jobs_lock, flags);
	/* not the last reference, as it is signalled by someone */
	vc4_number_free(n);
}

static void vc4_device_fini(struct drm_device *drm, void *data)
{
	struct vc4_device *vd = data;

	mutex_destroy(&vd->lock);
}

int vc4_device_init(struct vshader_device *vdev)
{
	struct vc4_device *vd;
	int ret;

	ret = pers_device_init_size(vdev, sizeof(*vd));
	if (ret)
		return ret;
	vd = to_vc4_device(&vdev->drm);
	mutex_init(&vd->lock);
	spin_lock_init(&vd->jobs_lock);
	INIT_LIST_HEAD(&vd->jobs);
	init_waitqueue_head(&vd->numbered);
	ret = drmm_add_action_or_reset(&vdev->drm, vc4_device_fini, vd);
	return ret ? ret : vc4_hang_init(vdev);
}

u64 vc4_number_job(struct vc4_device *vd, struct vc4_number *n, struct dma_fence *fence)
{
	unsigned long flags;
	u64 seqno;

	n->vd = vd;
	n->fence = dma_fence_get(fence);
	spin_lock_irqsave(&vd->jobs_lock, flags);
	seqno = vd->last + 1;
	WRITE_ONCE(vd->last, seqno);
	n->seqno = seqno;
	list_add_tail(&n->node, &vd->jobs);
	spin_unlock_irqrestore(&vd->jobs_lock, flags);
	if (dma_fence_add_callback(fence, &n->cb, vc4_number_ended))
		vc4_number_ended(fence, &n->cb);
	wake_up_all(&vd->numbered);
	return seqno;
}

/* The fence of the first job up to a number that has not ended, or NULL. */
static struct dma_fence *vc4_seqno_first(struct vc4_device *vd, u64 seqno)
{
	struct dma_fence *fence = NULL;
	struct vc4_number *n;
	unsigned long flags;

	spin_lock_irqsave(&vd->jobs_lock, flags);
	list_for_each_entry(n, &vd->jobs, node) {
		if (n->seqno > seqno)
			break;
		/* its callback may be still to come */
		if (dma_fence_is_signaled(n->fence))
			continue;
		fence = dma_fence_get(n->fence);
		break;
	}
	spin_unlock_irqrestore(&vd->jobs_lock, flags);
	return fence;
}

unsigned long vc4_timeout(u64 ns)
{
	return ns == ~0ULL ? MAX_SCHEDULE_TIMEOUT :
			     min_t(u64, nsecs_to_jiffies64(ns), MAX_SCHEDULE_TIMEOUT - 1);
}

void vc4_time_left(u64 *ns, int ret, unsigned long start)
{
	u64 spent = jiffies64_to_nsecs(jiffies - start);

	if ((ret == -EINTR || ret == -ERESTARTSYS) && *ns != ~0ULL && *ns >= spent)
		*ns -= spent;
}

/* Wait for jobs that have numbers. Return: 0, -ETIME or -ERESTARTSYS. @left: jiffies, 0: none */
static int vc4_seqno_wait_jobs(struct vc4_device *vd, u64 seqno, long *left)
{
	struct dma_fence *fence;

	while ((fence = vc4_seqno_first(vd, seqno))) {
		long ret = *left ? dma_fence_wait_timeout(fence, true, *left) : 0;

		dma_fence_put(fence);
		if (ret < 0)
			return ret;
		if (!ret)
			return -ETIME;
		if (*left != MAX_SCHEDULE_TIMEOUT)
			*left = ret;
	}
	return 0;
}

static int vc4_seqno_wait(struct vc4_device *vd, u64 seqno, long left)
{
	int ret = vc4_seqno_wait_jobs(vd, seqno, &left);
	long more;

	if (ret || READ_ONCE(vd->last) >= seqno)
		return ret;
	/* a number that no job has had yet */
	more = left ? wait_event_interruptible_timeout(vd->numbered,
						       READ_ONCE(vd->last) >= seqno, left) : 0;
	if (more < 0)
		return more;
	return more ? vc4_seqno_wait_jobs(vd, seqno, &more) : -ETIME;
}

int vc4_wait_seqno(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_wait_seqno *args = data;
	unsigned long start = jiffies;
	int ret;

	ret = vc4_seqno_wait(to_vc4_device(drm), args->seqno, vc4_timeout(args->timeout_ns));
	vc4_time_left(&args->timeout_ns, ret, start);
	return ret;
}
