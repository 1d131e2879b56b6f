// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Submission
 *
 * SUBMIT goes through these steps; up to the last one everything can fail and be undone:
 *
 * 1. vshader_submit(): copy the job array; create each job with its sync operations: look up queue
 *    and program, copy descriptors, allocate everything that execution needs;
 * 2. submit_prepare(), under the file's submit lock, job by job: check ban and number of unfinished
 *    jobs; number the job and initialise its own fence, which later jobs of the submit may wait
 *    for; parse native jobs against a copy of the queue's registers; reserve slots and threads; add
 *    explicit waits, prepare signals;
 * 3. submit_lock_resvs(): lock the reservation objects of all shared buffers, reserve room for
 *    fences, add implicit dependencies;
 * 4. submit_push(): arm all jobs, publish their fences in sync objects and reservation objects,
 *    push them to the scheduler. Nothing fails or allocates any more.
 */
#include <linux/err.h>
#include <linux/slab.h>

#include <drm/drm_print.h>
#include <drm/gpu_scheduler.h>

#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_fault.h"
#include "vshader_gem.h"
#include "vshader_inject.h"
#include "vshader_job.h"
#include "vshader_job_init.h"
#include "vshader_native.h"
#include "vshader_queue.h"
#include "vshader_resv.h"
#include "vshader_sched.h"
#include "vshader_submit.h"
#include "vshader_sync.h"
#include "vshader_trace.h"
#include "vshader_vm.h"

/**
 * struct submit_regs - Registers of one queue and format while a submit is made.
 * @queue: queue, or NULL
 * @format: format
 * @state: copy, put in place if the submit succeeds
 */
struct submit_regs {
	struct vshader_queue *queue;
	u32 format;
	struct vs_native_state *state;
};

/**
 * struct submit - A submit being processed.
 * @file: DRM file
 * @vf: its private data
 * @n: number of jobs
 * @at: job that is being processed, of which an error is
 * @full: its queue takes no job now
 * @fault: fault of an invalid native job
 * @jobs: jobs, NULL at the end
 * @syncs: sync operations of each job
 * @shared: lists of shared buffers made for the submit, for the first job of each address space
 * @fence: receives a reference to the last job's fence, unless NULL
 * @signals: list of &struct vshader_signal
 * @resvs: reservation objects
 * @charged: memory charged for @shared and @resvs
 * @natives: registers in use
 */
struct submit {
	struct drm_file *file;
	struct vshader_file *vf;
	u32 n;
	u32 at;
	bool full;
	struct drm_vshader_fault fault;
	struct vshader_job *jobs[VSHADER_MAX_JOBS + 1];
	const struct drm_vshader_sync *syncs[VSHADER_MAX_JOBS];
	struct vshader_shared *shared[VSHADER_MAX_JOBS];
	struct dma_fence **fence;
	struct list_head signals;
	struct vshader_resv_set resvs;
	u64 charged;
	struct submit_regs natives[VSHADER_MAX_JOBS];
};

static struct submit *submit_new(struct drm_file *file)
{
	struct submit *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return NULL;
	s->file = file;
	s->vf = file->driver_priv;
	INIT_LIST_HEAD(&s->signals);
	return s;
}

/* The sync operations are the caller's. */
static void submit_free(struct submit *s)
{
	u32 i;

	for (i = 0; i < s->n; i++) {
		if (s->natives[i].state)
			vs_native_state_free(s->natives[i].state);
		kvfree(s->shared[i]);
		vshader_job_abort(s->jobs[i]);
	}
	vshader_quota_uncharge(s->vf->account, s->charged);
	kfree(s);
}

/* The copy of a queue's registers that this submit works on. */
static struct vs_native_state *submit_regs(struct submit *s, struct vshader_queue *q, u32 format)
{
	struct submit_regs *n = s->natives;

	/* there are as many as jobs, so that a free one is always found */
	for (; n->queue; n++) {
		if (n->queue == q && n->format == format)
			return n->state;
	}
	n->state = vs_native_state_new(format);
	if (!n->state)
		return NULL;
	n->queue = q;
	n->format = format;
	vs_native_state_copy(n->state, q->native[format]);
	return n->state;
}

static int submit_parse_native(struct submit *s, struct vshader_job *job)
{
	struct vs_native_state *state;
	struct vs_fault fault;
	int ret;

	state = submit_regs(s, job->queue, job->native_desc.format);
	if (!state)
		return -ENOMEM;
	ret = vshader_native_parse(job, state, &fault);
	if (ret == -ENOEXEC)
		vshader_fault_fill(&fault, job->queue->isa->id, job->number, &s->fault);
	return ret;
}

/* Step 2. submit_free() and vshader_sync_free() undo it. */
static int submit_prepare(struct submit *s)
{
	struct vshader_job *job;
	int ret;

	for (s->at = 0; (job = s->jobs[s->at]); s->at++) {
		struct vshader_queue *q = job->queue;
		u32 i, prior = 0;

		for (i = 0; i < s->at; i++)
			prior += s->jobs[i]->queue == q;
		if (vshader_queue_banned(q))
			return -EIO;
		s->full = atomic_read(&q->queued) + prior >= VSHADER_MAX_QUEUED;
		if (s->full)
			return -EBUSY;

		job->number = q->submitted + prior + 1;
		vshader_fence_arm(job->fence, q->context, job->number);
		if (job->is_native) {
			ret = submit_parse_native(s, job);
			if (ret)
				return ret;
		}
		ret = vshader_job_reserve(job);
		if (ret)
			return ret;

		ret = vshader_sync_waits(s->file, job, s->syncs[s->at], job->nsyncs, &s->signals);
		if (ret)
			return ret;
		ret = vshader_sync_signals(s->file, job, s->syncs[s->at], job->nsyncs,
					   &s->signals);
		if (ret)
			return ret;
	}
	return 0;
}

/* The buffers that a job shares with others: those that it names, or of its address space. */
static int submit_list_shared(struct submit *s, struct vshader_job *job)
{
	u32 i;

	if (job->shared || !job->map->shared.n)
		return 0;
	job->nshared = job->map->shared.n;
	for (i = 0; i < s->at; i++) {
		if (s->jobs[i]->map == job->map) {
			job->shared = s->jobs[i]->shared;
			return 0;
		}
	}
	s->shared[s->at] = vshader_map_shared(job->map);
	job->shared = s->shared[s->at];
	return job->shared ? 0 : -ENOMEM;
}

/* Step 3. submit_free() and vshader_resv_fini() undo it. */
static int submit_lock_resvs(struct submit *s)
{
	struct vshader_job *job;
	u64 bytes = 0;
	int ret;

	for (s->at = 0; (job = s->jobs[s->at]); s->at++) {
		u32 n = job->shared ? job->nshared : job->map->shared.n;

		ret = vshader_queue_reserve(job->queue, n);
		if (ret)
			return ret;
		bytes += n * (sizeof(*s->shared[0]) + VSHADER_RESV_BYTES);
	}
	ret = vshader_quota_charge(s->vf->account, bytes);
	if (ret)
		return ret;
	s->charged = bytes;

	for (s->at = 0; (job = s->jobs[s->at]); s->at++) {
		ret = submit_list_shared(s, job);
		if (ret)
			return ret;
	}
	ret = vshader_resv_collect(&s->resvs, s->jobs, s->n);
	if (ret)
		return ret;
	ret = vshader_resv_lock(&s->resvs);
	if (ret)
		return ret;
	return vshader_resv_add_deps(&s->resvs, s->jobs, s->n, &s->at);
}

/* Step 4. */
static void submit_push(struct submit *s)
{
	struct vshader_job *job;
	u32 i;

	for (i = 0; i < s->n && s->natives[i].queue; i++)
		swap(s->natives[i].queue->native[s->natives[i].format], s->natives[i].state);

	for (s->at = 0; (job = s->jobs[s->at]); s->at++) {
		struct vshader_queue *q = job->queue;

		vshader_fifo_used(&q->fifo);
		drm_sched_job_arm(&job->base);
		set_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &job->base.s_fence->finished.flags);
		WRITE_ONCE(q->submitted, q->submitted + 1);
		atomic_inc(&q->queued);
		atomic_inc(&q->vm->tag->jobs);
		atomic_inc(&s->vf->vdev->jobs);
		vshader_resv_attach(&s->resvs, job);
	}
	vshader_sync_push(&s->signals);
	if (s->fence)
		*s->fence = dma_fence_get(&s->jobs[s->n - 1]->base.s_fence->finished);
	for (s->at = 0; (job = s->jobs[s->at]); s->at++) {
		/* it may be over and freed as soon as it is pushed */
		s->jobs[s->at] = NULL;
		trace_vshader_submit(job);
		drm_sched_entity_push_job(&job->base);
	}
}

/* Steps 2 to 4, for jobs that have been created. */
static int submit_run(struct submit *s)
{
	int ret = mutex_lock_interruptible(&s->vf->submit_lock);

	if (ret)
		return ret;
	ret = submit_prepare(s);
	if (ret)
		goto out_unlock;
	ret = submit_lock_resvs(s);
	if (ret)
		goto out_resvs;
	submit_push(s);
out_resvs:
	vshader_resv_fini(&s->resvs);
out_unlock:
	mutex_unlock(&s->vf->submit_lock);
	/* errors that concern all jobs are those of the last one */
	s->at = min(s->at, s->n - 1);
	/* signals refer to jobs by pointer only */
	vshader_sync_free(&s->signals);
	return ret;
}

static void submit_report(const struct submit *s, int ret)
{
	if (ret && ret != -EINTR)
		drm_dbg(&s->vf->vdev->drm, "submit: job %u: %d\n", s->at, ret);
}

/* ---- jobs of personalities ---- */

/* Step 1, for a job and the one before it. */
static int submit_add_native(struct submit *s, const struct vshader_submit_native *own)
{
	struct vshader_job *job;
	int ret;

	if (own->before) {
		ret = submit_add_native(s, own->before);
		if (ret)
			return ret;
	}
	job = vshader_job_new_native(s->vf, own);
	if (IS_ERR(job))
		return PTR_ERR(job);
	s->syncs[s->n] = own->syncs;
	s->jobs[s->n++] = job;
	return 0;
}

/* @full: the queue takes no job now */
static int submit_native(struct drm_file *file, const struct vshader_submit_native *own,
			 bool *full)
{
	struct submit *s = submit_new(file);
	int ret;

	*full = false;
	if (!s)
		return -ENOMEM;
	ret = vshader_inject_submit(s->vf);
	if (ret)
		goto out_free;
	ret = submit_add_native(s, own);
	if (ret)
		goto out_free;
	s->fence = own->fence;
	ret = submit_run(s);
	*full = s->full;
out_free:
	submit_report(s, ret);
	submit_free(s);
	return ret;
}

/* Wait until the queue takes another job. */
static int wait_for_room(struct vshader_file *vf, u32 id)
{
	struct vshader_queue *q = vshader_queue_lookup(vf, id);
	int ret;

	if (!q)
		return -ENOENT;
	ret = wait_event_interruptible(q->room, atomic_read(&q->queued) < VSHADER_MAX_QUEUED);
	vshader_queue_put(q);
	return ret || signal_pending(current) ? -EINTR : 0;
}

int vshader_submit_native(struct drm_file *file, const struct vshader_submit_native *own)
{
	bool full;
	int ret;

	ret = submit_native(file, own, &full);
	/* other threads may take the room that this one has waited for */
	while (full) {
		ret = wait_for_room(file->driver_priv, own->queue_id);
		if (ret)
			return ret;
		ret = submit_native(file, own, &full);
	}
	return ret;
}

/* ---- the ioctl ---- */

/* A job that a debugger can stop must not be waited for. */
static bool has_signal(const struct drm_vshader_sync *syncs, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (syncs[i].flags & DRM_VSHADER_SYNC_SIGNAL)
			return true;
	}
	return false;
}

/* Step 1, for the next job. */
static int submit_add_job(struct submit *s, const struct drm_vshader_job *uj)
{
	const struct drm_device *drm = &s->vf->vdev->drm;
	struct drm_vshader_sync *syncs;
	struct vshader_job *job;

	syncs = VSHADER_COPY_ARRAY(drm, &uj->syncs, VSHADER_MAX_SYNCS, struct drm_vshader_sync,
				   timeline_value, NULL);
	if (IS_ERR(syncs))
		return PTR_ERR(syncs);
	s->syncs[s->at] = syncs;
	job = vshader_job_new(s->vf, uj);
	if (IS_ERR(job))
		return PTR_ERR(job);
	s->jobs[s->at] = job;
	if (job->queue->debug && has_signal(syncs, uj->syncs.count))
		return vshader_einval(drm, "job of a debug queue signals");
	return 0;
}

/**
 * vshader_submit - DRM_IOCTL_VSHADER_SUBMIT
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error, with the job at fault in @args unless -EINTR.
 */
int vshader_submit(struct drm_file *file, struct drm_vshader_submit *args)
{
	const struct drm_device *drm = file->minor->dev;
	struct drm_vshader_job *ujobs = NULL;
	struct submit *s;
	int ret;
	u32 i;

	if (args->flags)
		return vshader_einval(drm, "flags %#x, expected 0", args->flags);
	s = submit_new(file);
	if (!s)
		return -ENOMEM;
	ret = vshader_inject_submit(s->vf);
	if (ret)
		goto out_free;
	if (!args->jobs.count) {
		ret = vshader_einval(drm, "no jobs");
		goto out_free;
	}
	ujobs = VSHADER_COPY_ARRAY(drm, &args->jobs, VSHADER_MAX_JOBS, struct drm_vshader_job,
				   result_va, &s->at);
	if (IS_ERR(ujobs)) {
		ret = PTR_ERR(ujobs);
		ujobs = NULL;
		goto out_free;
	}
	s->n = args->jobs.count;
	for (s->at = 0; s->at < s->n; s->at++) {
		ret = submit_add_job(s, &ujobs[s->at]);
		if (ret)
			goto out_free;
	}
	ret = submit_run(s);
out_free:
	submit_report(s, ret);
	if (ret && ret != -EINTR) {
		args->failed_job = s->at;
		args->fault = s->fault;
	}
	for (i = 0; i < s->n; i++)
		kvfree(s->syncs[i]);
	submit_free(s);
	kvfree(ujobs);
	return ret;
}
