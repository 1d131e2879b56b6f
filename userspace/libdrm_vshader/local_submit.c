// SPDX-License-Identifier: MIT
/*
 * Local backend: submission. All jobs are prepared, then all are queued under one
 * lock with nothing left that could fail.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

/** struct native_copy - registers of a queue while a submit is made */
struct native_copy {
	struct vsl_queue *queue;
	uint32_t format;
	struct vs_native_state *state;
};

/** struct signal - a signal of a job */
struct signal {
	struct vsl_syncobj *syncobj;
	uint64_t point;
	struct vsl_fence *fence;
};

struct submit {
	uint32_t n;
	uint32_t bad;
	struct drm_vshader_fault fault;
	struct drm_vshader_job *ujobs;
	struct drm_vshader_sync *syncs[VSL_MAX_JOBS];
	struct vsl_job *jobs[VSL_MAX_JOBS];
	struct native_copy natives[VSL_MAX_JOBS];
	struct signal *signals;
	uint32_t num_signals;
};

static int create_jobs(struct vsl_device *d, struct submit *s)
{
	uint32_t i, bad;
	void *copy;
	int ret;

	for (i = 0; i < s->n; i++) {
		s->bad = i;
		ret = vsl_copy_array(&s->ujobs[i].syncs, VSL_MAX_SYNCS, sizeof(*s->syncs[i]),
				     sizeof(*s->syncs[i]), &copy, &bad, "sync operations");
		if (ret)
			return ret;
		s->syncs[i] = copy;
		ret = vsl_job_new(d, &s->ujobs[i], &s->jobs[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static uint32_t prior_jobs(const struct submit *s, uint32_t i)
{
	uint32_t k, n = 0;

	for (k = 0; k < i; k++)
		n += s->jobs[k]->queue == s->jobs[i]->queue;
	return n;
}

static int check_queues(struct vsl_device *d, struct submit *s)
{
	int ret = 0;
	uint32_t i;

	pthread_mutex_lock(&d->lock);
	for (i = 0; i < s->n && !ret; i++) {
		const struct vsl_queue *q = s->jobs[i]->queue;

		s->bad = i;
		if (q->state)
			ret = vsh_fail(EIO, "the queue is banned after a fault or time-out");
		else if (q->error)
			ret = vsh_fail(ENOENT, "the queue is being destroyed");
		else if (q->queued + prior_jobs(s, i) >= VSL_MAX_QUEUED)
			ret = vsh_fail(EBUSY, "the queue has %u unfinished jobs, the limit is %u",
				       q->queued, VSL_MAX_QUEUED);
	}
	pthread_mutex_unlock(&d->lock);
	return ret;
}

/* ---- native jobs ---- */

/* The copy of a queue's registers that this submit works on. */
static struct vs_native_state *native_state(struct submit *s, struct vsl_queue *q, uint32_t format)
{
	struct native_copy *n;

	for (n = s->natives; n->queue; n++) {
		if (n->queue == q && n->format == format)
			return n->state;
	}
	n->state = vs_native_state_new(format);
	if (!n->state)
		return NULL;
	n->queue = q;
	n->format = format;
	if (q->native[format])
		vs_native_state_copy(n->state, q->native[format]);
	return n->state;
}

static int parse_natives(struct submit *s)
{
	struct vs_native_state *state;
	struct vs_fault fault;
	int ret = 0;
	uint32_t i;

	for (i = 0; i < s->n && !ret; i++) {
		struct vsl_job *job = s->jobs[i];

		if (!job->is_native)
			continue;
		s->bad = i;
		state = native_state(s, job->queue, job->native_desc.format);
		if (!state)
			return vsh_fail(ENOMEM, "out of memory");
		memset(&fault, 0, sizeof(fault));
		ret = vsl_job_parse_native(job, state, &fault);
		if (ret == -ENOEXEC)
			vshader_fault_fill(&fault, job->queue->isa->id,
					   job->queue->submitted + prior_jobs(s, i) + 1,
					   &s->fault);
	}
	return ret;
}

static void commit_natives(struct submit *s)
{
	struct native_copy *n;

	for (n = s->natives; n < s->natives + s->n && n->queue; n++)
		swap(n->queue->native[n->format], n->state);
}

/* ---- synchronisation; all with the lock ---- */

/*
 * The signal of an earlier job that a wait means: the latest one of a binary object,
 * the lowest sufficient point of a timeline.
 */
static struct signal *find_signal(struct submit *s, const struct vsl_syncobj *o, uint64_t point)
{
	struct signal *best = NULL;
	uint32_t i;

	for (i = 0; i < s->num_signals; i++) {
		struct signal *g = &s->signals[i];

		if (g->syncobj != o || !g->point != !point || g->point < point)
			continue;
		if (!best || !point || g->point < best->point)
			best = g;
	}
	return best;
}

static int add_wait(struct vsl_device *d, struct submit *s, struct vsl_job *job,
		    const struct drm_vshader_sync *y)
{
	struct vsl_syncobj *o = vsl_syncobj_lookup(d, y->handle);
	struct signal *pending;
	uint32_t i, n;
	int ret;

	if (!o)
		return -ENOENT;
	pending = find_signal(s, o, y->timeline_value);
	if (!(pending && !y->timeline_value) && vsl_syncobj_submitted(o, y->timeline_value)) {
		n = vsl_syncobj_until(o, y->timeline_value);
		ret = vsl_job_reserve_waits(job, n);
		for (i = 0; !ret && i < n; i++)
			vsl_job_add_wait(job, o->points[i].fence);
		return ret;
	}
	if (!pending)
		return vsh_fail(EINVAL, "syncobj %u has no fence at point %llu to wait for",
				y->handle, (unsigned long long)y->timeline_value);
	ret = vsl_job_reserve_waits(job, 1);
	if (!ret)
		vsl_job_add_wait(job, pending->fence);
	return ret;
}

static int add_syncs(struct vsl_device *d, struct submit *s)
{
	uint32_t i, k, total = 0;
	int ret;

	for (i = 0; i < s->n; i++)
		total += s->ujobs[i].syncs.count;
	s->signals = calloc(total ? total : 1, sizeof(*s->signals));
	if (!s->signals)
		return vsh_fail(ENOMEM, "out of memory");
	for (i = 0; i < s->n; i++) {
		s->bad = i;
		for (k = 0; k < s->ujobs[i].syncs.count; k++) {
			ret = vsh_check_sync(&s->syncs[i][k]);
			if (!ret && !(s->syncs[i][k].flags & DRM_VSHADER_SYNC_SIGNAL))
				ret = add_wait(d, s, s->jobs[i], &s->syncs[i][k]);
			if (ret)
				return ret;
		}
		for (k = 0; k < s->ujobs[i].syncs.count; k++) {
			struct signal *g = &s->signals[s->num_signals];

			if (!(s->syncs[i][k].flags & DRM_VSHADER_SYNC_SIGNAL))
				continue;
			if (s->jobs[i]->queue->debug)
				return vsh_fail(EINVAL, "job: queue is for debugging, no signals");
			g->syncobj = vsl_syncobj_lookup(d, s->syncs[i][k].handle);
			if (!g->syncobj)
				return -ENOENT;
			ret = vsl_syncobj_reserve(g->syncobj, total);
			if (ret)
				return ret;
			g->point = s->syncs[i][k].timeline_value;
			g->fence = s->jobs[i]->fence;
			s->num_signals++;
		}
	}
	return 0;
}

/* ---- implicit synchronisation; all with the lock ---- */

/* The first mapping, or NULL if the job does not synchronise implicitly. */
static const struct vs_mapping *first_implicit(const struct vsl_job *job)
{
	if (job->flags & DRM_VSHADER_JOB_NO_IMPLICIT_SYNC || job->queue->debug)
		return NULL;
	return vs_mappings_next(&job->map->ext, 0);
}

static void prune_readers(struct vsl_bo *bo)
{
	uint32_t i, n = 0;

	for (i = 0; i < bo->num_readers; i++) {
		if (bo->readers[i]->signaled)
			vsl_fence_put(bo->readers[i]);
		else
			bo->readers[n++] = bo->readers[i];
	}
	bo->num_readers = n;
}

static int reserve_bo(struct vsl_job *job, struct vsl_bo *bo)
{
	uint32_t want;

	prune_readers(bo);
	/* Every job of this submit may become a reader. */
	want = bo->num_readers + VSL_MAX_JOBS;
	if (bo->max_readers < want) {
		struct vsl_fence **n = realloc(bo->readers, want * sizeof(struct vsl_fence *));

		if (!n)
			return vsh_fail(ENOMEM, "out of memory");
		bo->readers = n;
		bo->max_readers = want;
	}
	/* Of this job: one writer and all readers there may be by then. */
	return vsl_job_reserve_waits(job, 1 + want);
}

static int reserve_implicit(struct submit *s)
{
	const struct vs_mapping *e;
	uint32_t i;
	int ret;

	for (i = 0; i < s->n; i++) {
		struct vsl_job *job = s->jobs[i];
		uint32_t room = 0;

		s->bad = i;
		for (e = first_implicit(job); e; e = vs_mappings_next(&job->map->ext, e->x.hi)) {
			struct vsl_bo *bo = e->obj;

			if (bo->tag)
				continue;
			ret = reserve_bo(job, bo);
			if (ret)
				return ret;
			room += 1 + bo->max_readers;
		}
		ret = vsl_job_reserve_waits(job, room);
		if (ret)
			return ret;
	}
	return 0;
}

static void use_bo(struct vsl_job *job, struct vsl_bo *bo, bool write)
{
	uint32_t i;

	if (bo->writer != job->fence)
		vsl_job_add_wait(job, bo->writer);
	if (write) {
		for (i = 0; i < bo->num_readers; i++) {
			if (bo->readers[i] != job->fence)
				vsl_job_add_wait(job, bo->readers[i]);
			vsl_fence_put(bo->readers[i]);
		}
		bo->num_readers = 0;
		vsl_fence_put(bo->writer);
		bo->writer = vsl_fence_get(job->fence);
	} else if (bo->writer != job->fence && bo->num_readers < bo->max_readers &&
		   (!bo->num_readers || bo->readers[bo->num_readers - 1] != job->fence)) {
		bo->readers[bo->num_readers++] = vsl_fence_get(job->fence);
	}
}

static void use_bos(struct vsl_job *job)
{
	const struct vs_mapping *e;

	for (e = first_implicit(job); e; e = vs_mappings_next(&job->map->ext, e->x.hi)) {
		struct vsl_bo *bo = e->obj;

		if (!bo->tag)
			use_bo(job, bo, e->x.flags & VS_EXT_WRITE);
	}
}

/* ---- submission ---- */

/* With the lock: nothing fails any more. */
static void push(struct vsl_device *d, struct submit *s)
{
	uint32_t i;

	for (i = 0; i < s->num_signals; i++)
		vsl_syncobj_attach(d, s->signals[i].syncobj, s->signals[i].point,
				   s->signals[i].fence);
	for (i = 0; i < s->n; i++) {
		struct vsl_job *job = s->jobs[i];

		s->jobs[i] = NULL;
		use_bos(job);
		job->number = ++job->queue->submitted;
		vsl_exec_push(d, job);
	}
}

static int submit_locked(struct vsl_device *d, struct submit *s)
{
	bool idle;
	int ret;

	ret = check_queues(d, s);
	if (!ret)
		ret = parse_natives(s);
	if (!ret)
		ret = vsl_exec_start(d);
	if (ret)
		return ret;
	pthread_mutex_lock(&d->lock);
	ret = add_syncs(d, s);
	if (!ret)
		ret = reserve_implicit(s);
	if (!ret) {
		commit_natives(s);
		push(d, s);
	}
	/* a thread that waits for its job may execute it; if not, it wakes a worker */
	idle = !ret && d->idle_workers && !vsh_waits_next;
	pthread_mutex_unlock(&d->lock);
	/* without the lock, which a worker takes first */
	if (idle)
		pthread_cond_signal(&d->work);
	return ret;
}

static int submit_make(struct vsl_device *d, struct submit *s,
		       const struct drm_vshader_submit *args)
{
	void *copy;
	int ret;

	if (args->flags)
		return vsh_fail(EINVAL, "submit: flags are not 0");
	if (!args->jobs.count)
		return vsh_fail(EINVAL, "submit: there is no job");
	ret = vsl_copy_array(&args->jobs, VSL_MAX_JOBS, sizeof(*s->ujobs), sizeof(*s->ujobs),
			     &copy, &s->bad, "jobs");
	if (ret)
		return ret;
	s->ujobs = copy;
	s->n = args->jobs.count;
	ret = create_jobs(d, s);
	if (ret)
		return ret;
	pthread_mutex_lock(&d->submit_lock);
	ret = submit_locked(d, s);
	pthread_mutex_unlock(&d->submit_lock);
	return ret;
}

int vsl_submit(struct vsl_device *d, struct drm_vshader_submit *args)
{
	struct submit *s = calloc(1, sizeof(*s));
	uint32_t i;
	int ret;

	if (!s)
		return vsh_fail(ENOMEM, "out of memory");
	ret = submit_make(d, s, args);
	if (ret) {
		args->failed_job = s->bad;
		args->fault = s->fault;
	}
	for (i = 0; i < s->n; i++) {
		vs_native_state_free(s->natives[i].state);
		free(s->syncs[i]);
		vsl_job_free(s->jobs[i]);
	}
	free(s->signals);
	free(s->ujobs);
	free(s);
	return ret;
}
