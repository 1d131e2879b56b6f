// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Sync operations: sync objects, binary and timeline.
 */
#include <linux/dma-fence-chain.h>
#include <linux/slab.h>

#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <drm/gpu_scheduler.h>

#include "vshader_args.h"
#include "vshader_job.h"
#include "vshader_sched.h"
#include "vshader_sync.h"

#define SYNC_FLAGS	(DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE)

static int check_sync(const struct drm_device *drm, const struct drm_vshader_sync *s)
{
	bool timeline = s->flags & DRM_VSHADER_SYNC_TIMELINE;

	if (s->flags & ~SYNC_FLAGS)
		return vshader_einval(drm, "sync: flags %#x, known %#x", s->flags, SYNC_FLAGS);
	if (timeline != !!s->timeline_value)
		return vshader_einval(drm, "sync: flags %#x with timeline_value %llu", s->flags,
				      s->timeline_value);
	return 0;
}

/*
 * The signal of an earlier job that a wait means: the latest one of a binary object, the
 * lowest sufficient point of a timeline.
 */
static struct vshader_signal *find_signal(const struct list_head *signals,
					  const struct drm_syncobj *syncobj, u64 point)
{
	struct vshader_signal *s, *best = NULL;

	list_for_each_entry(s, signals, node) {
		if (s->syncobj != syncobj || !!s->point != !!point || s->point < point)
			continue;
		if (!best || !point || s->point < best->point)
			best = s;
	}
	return best;
}

/*
 * Fence to wait for. Jobs of the same submit are not armed yet; their own fences are
 * initialised, and signal when they end.
 */
static int wait_fence(struct drm_file *file, const struct drm_vshader_sync *s,
		      const struct list_head *signals, struct dma_fence **fence)
{
	struct drm_syncobj *syncobj = drm_syncobj_find(file, s->handle);
	struct vshader_signal *pending;
	int ret = -EINVAL;

	if (!syncobj)
		return -ENOENT;
	pending = find_signal(signals, syncobj, s->timeline_value);
	if (!pending || s->timeline_value)
		ret = drm_syncobj_find_fence(file, s->handle, s->timeline_value, 0, fence);
	if (ret && pending) {
		*fence = dma_fence_get(&pending->job->fence->base);
		ret = 0;
	}
	if (ret == -EINVAL)
		drm_dbg(file->minor->dev, "sync: handle %u has no fence at point %llu\n",
			s->handle, s->timeline_value);
	drm_syncobj_put(syncobj);
	return ret;
}

int vshader_sync_waits(struct drm_file *file, struct vshader_job *job,
		       const struct drm_vshader_sync *syncs, u32 n,
		       const struct list_head *signals)
{
	struct dma_fence *fence;
	int ret;
	u32 i;

	for (i = 0; i < n; i++) {
		ret = check_sync(file->minor->dev, &syncs[i]);
		if (ret)
			return ret;
		if (syncs[i].flags & DRM_VSHADER_SYNC_SIGNAL)
			continue;
		ret = wait_fence(file, &syncs[i], signals, &fence);
		if (ret)
			return ret;
		/* consumes the reference in any case */
		ret = drm_sched_job_add_dependency(&job->base, fence);
		if (ret)
			return ret;
	}
	return 0;
}

static int add_signal(struct drm_file *file, struct vshader_job *job,
		      const struct drm_vshader_sync *sync, struct list_head *signals)
{
	struct vshader_signal *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return -ENOMEM;
	list_add_tail(&s->node, signals);
	s->job = job;
	job->task.shared = true;
	s->point = sync->timeline_value;
	s->syncobj = drm_syncobj_find(file, sync->handle);
	if (!s->syncobj)
		return -ENOENT;
	if (s->point) {
		s->chain = dma_fence_chain_alloc();
		if (!s->chain)
			return -ENOMEM;
	}
	return 0;
}

int vshader_sync_signals(struct drm_file *file, struct vshader_job *job,
			 const struct drm_vshader_sync *syncs, u32 n,
			 struct list_head *signals)
{
	int ret;
	u32 i;

	for (i = 0; i < n; i++) {
		if (!(syncs[i].flags & DRM_VSHADER_SYNC_SIGNAL))
			continue;
		ret = add_signal(file, job, &syncs[i], signals);
		if (ret)
			return ret;
	}
	return 0;
}

void vshader_sync_push(struct list_head *signals)
{
	struct vshader_signal *s;

	list_for_each_entry(s, signals, node) {
		struct dma_fence *fence = &s->job->base.s_fence->finished;

		if (s->chain) {
			drm_syncobj_add_point(s->syncobj, s->chain, fence, s->point);
			s->chain = NULL;
		} else {
			drm_syncobj_replace_fence(s->syncobj, fence);
		}
	}
}

void vshader_sync_free(struct list_head *signals)
{
	struct vshader_signal *s, *next;

	list_for_each_entry_safe(s, next, signals, node) {
		dma_fence_chain_free(s->chain);
		if (s->syncobj)
			drm_syncobj_put(s->syncobj);
		kfree(s);
	}
	INIT_LIST_HEAD(signals);
}
