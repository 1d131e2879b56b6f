// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Submission
 *
 * SUBMIT goes through these steps; up to the last one everything can fail and be undone:
 *
 * 1. copy the job array and the sync arrays;
 * 2. create the jobs: look up queues, programs and results, copy descriptors, allocate
 *    everything that execution needs;
 * 3. under the file's submit lock: check bans and the number of unfinished jobs,
 *    initialise the jobs' own fences, which jobs of this submit wait for among each other;
 * 4. parse native jobs against copies of the queues' registers; reserve slots and threads;
 *    add explicit waits, prepare signals;
 * 5. lock the reservation objects of all shared buffers, reserve room for fences, add
 *    implicit dependencies;
 * 6. arm all jobs, publish their fences in sync objects and reservation objects, push
 *    them to the scheduler. Nothing fails or allocates any more.
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
 * @own: the job of a personality, or NULL
 * @shared: its buffers
 * @n: number of jobs
 * @bad: index of the invalid job
 * @fault: fault of an invalid native job
 * @ujobs: jobs as given
 * @syncs: sync operations of each job
 * @jobs: jobs created
 * @prior: per job: number of earlier jobs of its queue in this submit
 * @signals: list of &struct vshader_signal
 * @resvs: reservation objects
 * @natives: registers in use
 */
struct submit {
	struct drm_file *file;
	struct vshader_file *vf;
	const struct vshader_submit_native *own;
	struct vshader_shared *shared;
	u32 n;
	u32 bad;
	struct drm_vshader_fault fault;
	struct drm_vshader_job *ujobs;
	struct drm_vshader_sync *syncs[VSHADER_MAX_JOBS];
	struct vshader_job *jobs[VSHADER_MAX_JOBS];
	u32 prior[VSHADER_MAX_JOBS];
	struct list_head signals;
	struct vshader_resv_set resvs;
	struct submit_regs natives[VSHADER_MAX_JOBS];
};

static int copy_jobs(struct submit *s, const struct drm_vshader_submit *args)
{
	struct drm_vshader_job *ujobs;

	if (!args->jobs.count)
		return -EINVAL;
	ujobs = VSHADER_COPY_ARRAY(&args->jobs, VSHADER_MAX_JOBS, struct drm_vshader_job,
				   result_va, &s->bad);
	if (IS_ERR(ujobs))
		return PTR_ERR(ujobs);
	s->ujobs = ujobs;
	s->n = args->jobs.count;
	return 0;
}

/* A job that a debugger can stop must not be waited for. */
static bool signals(const struct drm_vshader_sync *syncs, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (syncs[i].flags & DRM_VSHADER_SYNC_SIGNAL)
			return true;
	}
	return false;
}

static int create_jobs(struct submit *s)
{
	u32 i;

	for (i = 0; i < s->n; i++) {
		struct drm_vshader_sync *syncs;
		struct vshader_job *job;

		s->bad = i;
		syncs = VSHADER_COPY_ARRAY(&s->ujobs[i].syncs, VSHADER_MAX_SYNCS,
					   struct drm_vshader_sync, timeline_value, NULL);
		if (IS_ERR(syncs))
			return PTR_ERR(syncs);
		s->syncs[i] = syncs;
		job = vshader_job_new(s->vf, &s->ujobs[i], NULL);
		if (IS_ERR(job))
			return PTR_ERR(job);
		s->jobs[i] = job;
		if (job->queue->debug && signals(syncs, s->ujobs[i].syncs.count)) {
			drm_dbg(&s->vf->vdev->drm, "job of a debug queue signals\n");
			return -EINVAL;
		}
	}
	return 0;
}

/* Buffers of a personality's job. */
static int own_shared(struct submit *s, struct vshader_job *job)
{
	u32 i, n = s->own->nobjs;

	s->shared = kvcalloc(n, sizeof(*s->shared), GFP_KERNEL_ACCOUNT);
	if (n && !s->shared)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		s->shared[i].obj = s->own->objs[i];
		s->shared[i].write = true;
	}
	job->shared = s->shared;
	job->nshared = vshader_shared_fold(s->shared, n);
	return 0;
}

static int own_syncs(struct submit *s)
{
	const struct vshader_submit_native *own = s->own;

	s->ujobs[0].syncs.count = own->nsyncs;
	s->syncs[0] = kvmalloc_array(own->nsyncs, sizeof(*own->syncs), GFP_KERNEL_ACCOUNT);
	if (!s->syncs[0])
		return -ENOMEM;
	memcpy(s->syncs[0], own->syncs, own->nsyncs * sizeof(*own->syncs));
	return 0;
}

static int create_own(struct submit *s)
{
	struct vshader_job *job;
	int ret;

	s->ujobs = kvzalloc(sizeof(*s->ujobs), GFP_KERNEL_ACCOUNT);
	if (!s->ujobs)
		return -ENOMEM;
	s->n = 1;
	s->ujobs->queue_id = s->own->queue_id;
	s->ujobs->type = DRM_VSHADER_JOB_NATIVE;
	s->ujobs->desc = (uintptr_t)&s->own->desc;
	s->ujobs->desc_size = sizeof(s->own->desc);
	ret = s->own->nsyncs ? own_syncs(s) : 0;
	if (ret)
		return ret;
	job = vshader_job_new(s->vf, s->ujobs, &s->own->desc);
	if (IS_ERR(job))
		return PTR_ERR(job);
	s->jobs[0] = job;
	return own_shared(s, job);
}

/* Bans, and the number of unfinished jobs. */
static int check_queues(struct submit *s)
{
	u32 i, k;

	for (i = 0; i < s->n; i++) {
		struct vshader_queue *q = s->jobs[i]->queue;

		s->bad = i;
		for (k = 0; k < i; k++)
			s->prior[i] += s->jobs[k]->queue == q;
		if (vshader_queue_banned(q))
			return -EIO;
		if (atomic_read(&q->queued) + s->prior[i] >= VSHADER_MAX_QUEUED)
			return -EBUSY;
	}
	return 0;
}

/* The copy of a queue's registers that this submit works on. */
static struct vs_native_state *native_state(struct submit *s, struct vshader_queue *q,
					    u32 format)
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

static int parse_native(struct submit *s, struct vshader_job *job)
{
	struct vs_native_state *state;
	struct vs_fault fault;
	int ret;

	state = native_state(s, job->queue, job->native_desc.format);
	if (!state)
		return -ENOMEM;
	ret = vshader_native_parse(job, state, &fault);
	if (ret == -ENOEXEC)
		vshader_fault_fill(&fault, job->queue->isa->id, job->number, &s->fault);
	return ret;
}

static int parse_natives(struct submit *s)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < s->n && !ret; i++) {
		s->bad = i;
		if (s->jobs[i]->is_native)
			ret = parse_native(s, s->jobs[i]);
	}
	return ret;
}

/* Number the jobs and initialise their own fences. */
static void init_fences(struct submit *s)
{
	u32 i;

	for (i = 0; i < s->n; i++) {
		struct vshader_job *job = s->jobs[i];

		job->number = job->queue->submitted + s->prior[i] + 1;
		vshader_fence_arm(job->fence, job->queue->context, job->number);
	}
}

/* Memory and threads: nothing is allocated for the jobs later. */
static int reserve(struct submit *s)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < s->n && !ret; i++) {
		s->bad = i;
		ret = vshader_job_reserve(s->jobs[i]);
	}
	return ret;
}

static int add_syncs(struct submit *s)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < s->n && !ret; i++) {
		u32 n = s->ujobs[i].syncs.count;

		s->bad = i;
		ret = vshader_sync_waits(s->file, s->jobs[i], s->syncs[i], n, &s->signals);
		if (!ret)
			ret = vshader_sync_signals(s->file, s->jobs[i], s->syncs[i], n,
						   &s->signals);
	}
	return ret;
}

static int lock_resvs(struct submit *s)
{
	int ret;

	ret = vshader_resv_collect(&s->resvs, s->jobs, s->n);
	if (!ret)
		ret = vshader_resv_lock(&s->resvs);
	if (!ret)
		ret = vshader_resv_add_deps(&s->resvs, s->jobs, s->n, &s->bad);
	return ret;
}

static void commit_natives(struct submit *s)
{
	u32 i;

	for (i = 0; i < s->n && s->natives[i].queue; i++)
		swap(s->natives[i].queue->native[s->natives[i].format], s->natives[i].state);
}

static void arm_jobs(struct submit *s)
{
	u32 i;

	for (i = 0; i < s->n; i++) {
		struct vshader_job *job = s->jobs[i];
		struct vshader_queue *q = job->queue;

		drm_sched_job_arm(&job->base);
		set_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &job->base.s_fence->finished.flags);
		WRITE_ONCE(q->submitted, q->submitted + 1);
		atomic_inc(&q->queued);
		atomic_inc(&q->vm->tag->jobs);
		atomic_inc(&s->vf->vdev->jobs);
		vshader_resv_attach(&s->resvs, job);
	}
}

static void push_jobs(struct submit *s)
{
	u32 i;

	vshader_sync_push(&s->signals);
	for (i = 0; i < s->n; i++) {
		struct vshader_job *job = s->jobs[i];

		/* it may be over and freed as soon as it is pushed */
		s->jobs[i] = NULL;
		trace_vshader_submit(job);
		drm_sched_entity_push_job(&job->base);
	}
}

static int submit_locked(struct submit *s)
{
	int ret;

	ret = check_queues(s);
	if (ret)
		return ret;
	init_fences(s);
	ret = parse_natives(s);
	if (!ret)
		ret = reserve(s);
	if (!ret)
		ret = add_syncs(s);
	if (!ret)
		ret = lock_resvs(s);
	if (ret)
		return ret;
	commit_natives(s);
	arm_jobs(s);
	push_jobs(s);
	return 0;
}

static void submit_fini(struct submit *s)
{
	u32 i;

	for (i = 0; i < s->n; i++) {
		if (s->natives[i].state)
			vs_native_state_free(s->natives[i].state);
		kvfree(s->syncs[i]);
		vshader_job_abort(s->jobs[i]);
	}
	kvfree(s->shared);
	kvfree(s->ujobs);
	kfree(s);
}

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

static int submit_created(struct submit *s)
{
	int ret = mutex_lock_interruptible(&s->vf->submit_lock);

	if (ret)
		return ret;
	ret = submit_locked(s);
	vshader_resv_fini(&s->resvs);
	mutex_unlock(&s->vf->submit_lock);
	/* signals refer to jobs by pointer only */
	vshader_sync_free(&s->signals);
	return ret;
}

static int submit_make(struct submit *s, const struct drm_vshader_submit *args)
{
	int ret = vshader_inject_submit(s->vf);

	if (!ret && s->own)
		ret = create_own(s);
	else if (!ret)
		ret = copy_jobs(s, args) ?: create_jobs(s);
	if (!ret)
		ret = submit_created(s);
	if (ret && ret != -EINTR)
		drm_dbg(&s->vf->vdev->drm, "submit: job %u: %d\n", s->bad, ret);
	return ret;
}

static int submit_own(struct drm_file *file, const struct vshader_submit_native *job)
{
	struct submit *s = submit_new(file);
	int ret;

	if (!s)
		return -ENOMEM;
	s->own = job;
	ret = submit_make(s, NULL);
	submit_fini(s);
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
	return ret ? -EINTR : 0;
}

int vshader_submit_native(struct drm_file *file, const struct vshader_submit_native *job)
{
	int ret = submit_own(file, job);

	while (ret == -EBUSY)
		ret = wait_for_room(file->driver_priv, job->queue_id) ?: submit_own(file, job);
	return ret;
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
	struct submit *s;
	int ret;

	if (args->flags)
		return -EINVAL;
	s = submit_new(file);
	if (!s)
		return -ENOMEM;
	ret = submit_make(s, args);
	if (ret && ret != -EINTR) {
		args->failed_job = s->bad;
		args->fault = s->fault;
	}
	submit_fini(s);
	return ret;
}
