// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Implicit synchronisation.
 *
 * A job may touch every shared buffer of its address space. It waits for the writers of
 * those that are mapped read-only and for all users of the others, and adds its fence as
 * a reader or a writer. With NO_IMPLICIT_SYNC it waits only for the kernel's own fences
 * and adds its fence for bookkeeping. Buffers that belong to one VM take no part. Where a
 * personality's interface names the buffers of a job, they are its shared buffers, read or written
 * as the interface says; some let a job wait for nobody, while others wait for it.
 *
 * A job that a debugger may stop waits for the kernel's fences only, and adds none: nobody
 * may have to wait for it. Its address space keeps the buffers where they are.
 *
 * Fences of jobs of the same submit are not in the reservation objects yet when
 * dependencies are added, as nothing may fail once a job is armed: who has written or
 * read each buffer earlier in the submit is kept aside.
 */
#include <linux/bsearch.h>
#include <linux/dma-resv.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>

#include "vshader_device.h"
#include "vshader_job.h"
#include "vshader_queue.h"
#include "vshader_resv.h"
#include "vshader_sched.h"
#include "vshader_vm.h"

/**
 * struct vshader_resv_use - Use of a buffer by the jobs of one submit.
 * @fences: number of fences that will be added
 * @writers: jobs that write, bit n = job n; only those that later jobs must wait for
 * @readers: jobs that have read since
 */
struct vshader_resv_use {
	u32 fences;
	u64 writers;
	u64 readers;
};

static bool job_implicit(const struct vshader_job *job)
{
	return !(job->flags & DRM_VSHADER_JOB_NO_IMPLICIT_SYNC) && !job->queue->debug;
}

/* Whether it waits for the users of its buffers. */
static bool job_waits(const struct vshader_job *job)
{
	return job_implicit(job) && !job->explicit_sync;
}

static int compare_objs(const void *a, const void *b)
{
	const struct drm_gem_object *x = *(const struct drm_gem_object **)a;
	const struct drm_gem_object *y = *(const struct drm_gem_object **)b;

	if (x->resv != y->resv)
		return x->resv < y->resv ? -1 : 1;
	return 0;
}

/* Up to %VSHADER_MAX_JOBS * %VSHADER_MAX_MAPPINGS objects are sorted. */
static int compare_objs_resched(const void *a, const void *b)
{
	cond_resched();
	return compare_objs(a, b);
}

static u32 resv_find(const struct vshader_resv_set *set, struct drm_gem_object *obj)
{
	struct drm_gem_object **at;

	at = bsearch(&obj, set->objs, set->n, sizeof(*set->objs), compare_objs);
	return at - set->objs;
}

/* Whether an earlier job has the same buffers: then it adds no objects. */
static bool resv_seen(struct vshader_job **jobs, u32 i)
{
	u32 k;

	for (k = 0; k < i; k++) {
		if (jobs[k]->shared == jobs[i]->shared)
			return true;
	}
	return false;
}

static void resv_gather(struct vshader_resv_set *set, struct vshader_job **jobs, u32 njobs)
{
	u32 i, k, n = 0;

	for (i = 0; i < njobs; i++) {
		if (resv_seen(jobs, i))
			continue;
		for (k = 0; k < jobs[i]->nshared; k++)
			set->objs[set->n++] = jobs[i]->shared[k].obj;
		cond_resched();
	}
	sort(set->objs, set->n, sizeof(*set->objs), compare_objs_resched, NULL);
	for (i = 0; i < set->n; i++) {
		cond_resched();
		if (!n || set->objs[n - 1]->resv != set->objs[i]->resv)
			set->objs[n++] = set->objs[i];
	}
	set->n = n;
}

int vshader_resv_collect(struct vshader_resv_set *set, struct vshader_job **jobs, u32 njobs)
{
	u32 i, k, most = 0;

	for (i = 0; i < njobs; i++)
		most += resv_seen(jobs, i) ? 0 : jobs[i]->nshared;
	if (!most)
		return 0;
	set->objs = kvcalloc(most, sizeof(*set->objs), GFP_KERNEL_ACCOUNT);
	set->use = kvcalloc(most, sizeof(*set->use), GFP_KERNEL_ACCOUNT);
	if (!set->objs || !set->use)
		return -ENOMEM;
	resv_gather(set, jobs, njobs);
	for (i = 0; i < njobs; i++) {
		for (k = 0; k < jobs[i]->nshared; k++) {
			set->use[resv_find(set, jobs[i]->shared[k].obj)].fences++;
			cond_resched();
		}
	}
	return 0;
}

int vshader_resv_lock(struct vshader_resv_set *set)
{
	int ret;
	u32 i;

	if (!set->n)
		return 0;
	ret = drm_gem_lock_reservations(set->objs, set->n, &set->ticket);
	if (ret)
		return ret;
	set->locked = true;
	for (i = 0; i < set->n; i++) {
		ret = dma_resv_reserve_fences(set->objs[i]->resv, set->use[i].fences);
		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

static int wait_resv(struct vshader_job *job, struct dma_resv *resv, enum dma_resv_usage usage)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret;

	dma_resv_for_each_fence(&cursor, resv, usage, fence) {
		/* consumes the reference in any case */
		ret = drm_sched_job_add_dependency(&job->base, dma_fence_get(fence));
		if (ret)
			return ret;
	}
	return 0;
}

/* Jobs of this submit that job @i must wait for because of one buffer. */
static u64 use_buffer(struct vshader_resv_use *use, u32 i, bool write)
{
	u64 wait = use->writers;

	if (write) {
		wait |= use->readers;
		use->writers = BIT_ULL(i);
		use->readers = 0;
	} else {
		use->readers |= BIT_ULL(i);
	}
	return wait;
}

static int wait_jobs(struct vshader_job *job, struct vshader_job **jobs, u64 mask)
{
	int ret;

	for (; mask; mask &= mask - 1) {
		u32 k = __ffs64(mask);

		/* jobs of one queue are in order anyway */
		if (jobs[k]->queue == job->queue)
			continue;
		ret = drm_sched_job_add_dependency(&job->base,
						   dma_fence_get(&jobs[k]->fence->base));
		if (ret)
			return ret;
	}
	return 0;
}

static int add_deps(struct vshader_resv_set *set, struct vshader_job **jobs, u32 i)
{
	struct vshader_job *job = jobs[i];
	bool waits = job_waits(job);
	u64 mask = 0;
	int ret;
	u32 k;

	for (k = 0; k < job->nshared; k++) {
		const struct vshader_shared *s = &job->shared[k];

		ret = wait_resv(job, s->obj->resv, waits ? dma_resv_usage_rw(s->write) :
							   DMA_RESV_USAGE_KERNEL);
		if (ret)
			return ret;
		if (waits)
			mask |= use_buffer(&set->use[resv_find(set, s->obj)], i, s->write);
		cond_resched();
	}
	return wait_jobs(job, jobs, mask);
}

int vshader_resv_add_deps(struct vshader_resv_set *set, struct vshader_job **jobs, u32 njobs,
			  u32 *bad)
{
	int ret;
	u32 i;

	BUILD_BUG_ON(VSHADER_MAX_JOBS > 64);
	for (i = 0; i < njobs; i++) {
		*bad = i;
		ret = add_deps(set, jobs, i);
		if (ret)
			return ret;
	}
	return 0;
}

static enum dma_resv_usage fence_usage(const struct vshader_job *job, bool write)
{
	if (!job_implicit(job))
		return DMA_RESV_USAGE_BOOKKEEP;
	return write ? DMA_RESV_USAGE_WRITE : DMA_RESV_USAGE_READ;
}

void vshader_resv_attach(struct vshader_resv_set *set, struct vshader_job *job)
{
	u32 k;

	for (k = 0; k < job->nshared && !job->queue->debug; k++) {
		const struct vshader_shared *s = &job->shared[k];

		job->task.shared = true;
		dma_resv_add_fence(s->obj->resv, &job->base.s_fence->finished,
				   fence_usage(job, s->write));
		cond_resched();
	}
}

void vshader_resv_fini(struct vshader_resv_set *set)
{
	if (set->locked)
		drm_gem_unlock_reservations(set->objs, set->n, &set->ticket);
	kvfree(set->objs);
	kvfree(set->use);
}
