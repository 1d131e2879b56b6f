// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Workers
 *
 * A device has a bounded number of workers, each with an execution context of the engine
 * that is allocated once. A worker is a work item on an unbound workqueue: it picks a job
 * that wants workers, executes slices of about 50 us until the engine has nothing more for
 * it, and picks the next; without jobs it ends and goes to the list of idle workers.
 *
 * All of it is in the fence signalling path: no allocation, no sleeping locks other than
 * what cond_resched() does between slices. The workqueue has a rescuer.
 *
 * The job at the head of a queue's FIFO is the one that runs. Whoever ends it starts
 * the next one, so that results of a queue appear in order.
 *
 * A job that its debugger stops wants no workers until it is resumed: a worker that returns
 * from it serves other jobs.
 */
#include <linux/dma-fence.h>
#include <linux/ktime.h>
#include <linux/sched.h>

#include <drm/drm_managed.h>

#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_job.h"
#include "vshader_queue.h"
#include "vshader_trace.h"

static struct vshader_exec *job_exec(const struct vshader_job *job)
{
	return &job->queue->file->vdev->exec;
}

/* Wake up to @n idle workers. */
static void kick(struct vshader_exec *exec, u32 n)
{
	struct vshader_worker *w;

	lockdep_assert_held(&exec->lock);
	while (n-- && !list_empty(&exec->idle)) {
		w = list_first_entry(&exec->idle, struct vshader_worker, idle);
		list_del_init(&w->idle);
		queue_work(exec->wq, &w->work);
	}
}

/* Ask for @n workers, all requests before are void. */
static void job_want(struct vshader_exec *exec, struct vshader_job *job, u32 n)
{
	lockdep_assert_held(&exec->lock);
	job->want = min(n, exec->num_workers);
	if (job->want && list_empty(&job->run))
		list_add_tail(&job->run, &exec->runnable[job->queue->priority]);
	else if (!job->want)
		list_del_init(&job->run);
	kick(exec, job->want);
}

/* The job is at the head of its queue. Returns false if there is nothing to execute. */
static bool job_start(struct vshader_exec *exec, struct vshader_job *job)
{
	lockdep_assert_held(&exec->lock);
	job->cancel = job->queue->error;
	if (!job->engine || job->cancel)
		return false;
	/* somebody must end it even if there is nothing to do */
	job_want(exec, job, max(vs_job_parallelism(job->engine), 1U));
	return true;
}

/*
 * End the head of a queue, and those behind it for as long as there is nothing to
 * execute. Called without the lock by whoever had the job last.
 */
static void job_end(struct vshader_exec *exec, struct vshader_job *job)
{
	struct vshader_queue *q = job->queue;
	struct vshader_job *next;

	do {
		vshader_job_complete(job);
		spin_lock(&exec->lock);
		list_del_init(&job->fifo);
		if (job->status && !q->error)
			q->error = -ECANCELED;
		next = list_first_entry_or_null(&q->fifo, struct vshader_job, fifo);
		if (next && job_start(exec, next))
			next = NULL;
		spin_unlock(&exec->lock);
		/* the queue lives at least as long as its next job */
		vshader_job_put(job);
		job = next;
	} while (job);
}

void vshader_exec_run(struct vshader_job *job)
{
	struct vshader_exec *exec = job_exec(job);
	bool first, end = false;

	vshader_job_get(job);
	spin_lock(&exec->lock);
	first = list_empty(&job->queue->fifo);
	list_add_tail(&job->fifo, &job->queue->fifo);
	if (first)
		end = !job_start(exec, job);
	spin_unlock(&exec->lock);
	if (end)
		job_end(exec, job);
}

/* The worker that stops it may not have left yet. */
static void resume(struct vshader_exec *exec, struct vshader_job *job)
{
	lockdep_assert_held(&exec->lock);
	if (!job->stopped) {
		job->resume = true;
		return;
	}
	job->stopped = false;
	job->deadline += ktime_get_ns() - job->stopped_at;
	job_want(exec, job, 1);
}

/* The job that runs, or is stopped. */
static struct vshader_job *started_job(struct vshader_queue *q)
{
	struct vshader_job *job = list_first_entry_or_null(&q->fifo, struct vshader_job, fifo);

	return job && job->engine && job->started ? job : NULL;
}

void vshader_exec_end(struct vshader_queue *q, enum vs_fault_kind kind)
{
	struct vshader_exec *exec = &q->file->vdev->exec;
	struct vshader_job *job;

	spin_lock(&exec->lock);
	job = started_job(q);
	if (job) {
		vs_job_cancel(job->engine, kind);
		resume(exec, job);
	}
	spin_unlock(&exec->lock);
}

void vshader_exec_resume(struct vshader_queue *q)
{
	struct vshader_exec *exec = &q->file->vdev->exec;
	struct vshader_job *job;

	spin_lock(&exec->lock);
	job = started_job(q);
	if (job)
		resume(exec, job);
	spin_unlock(&exec->lock);
}

void vshader_exec_cancel(struct vshader_queue *q, int error)
{
	struct vshader_exec *exec = &q->file->vdev->exec;
	struct vshader_job *job;

	spin_lock(&exec->lock);
	if (!q->error)
		q->error = error;
	list_for_each_entry(job, &q->fifo, fifo) {
		if (job->engine)
			vs_job_cancel(job->engine, VS_FAULT_CANCELED);
	}
	job = started_job(q);
	if (job)
		resume(exec, job);
	spin_unlock(&exec->lock);
}

/* Take a place in the job that is next in line. */
static struct vshader_job *claim(struct vshader_exec *exec)
{
	struct vshader_job *job = NULL;
	int prio;

	lockdep_assert_held(&exec->lock);
	for (prio = VSHADER_NUM_PRIORITIES - 1; prio >= 0 && !job; prio--)
		job = list_first_entry_or_null(&exec->runnable[prio], struct vshader_job, run);
	if (!job)
		return NULL;
	job->active++;
	if (--job->want)
		list_move_tail(&job->run, &exec->runnable[job->queue->priority]);
	else
		list_del_init(&job->run);
	if (!job->started) {
		job->started = true;
		job->deadline = ktime_get_ns() + job->queue->time_limit_ms * (u64)NSEC_PER_MSEC;
	}
	return job;
}

static void account(struct vshader_job *job, u64 ns)
{
	struct vshader_queue *q = job->queue;

	atomic64_add(ns, &job->busy_ns);
	atomic64_add(ns, &q->busy_ns);
	atomic64_add(ns, &q->file->busy_ns[q->isa->id]);
}

/* Another phase has begun; this worker stays in the job. */
static void next_phase(struct vshader_exec *exec, struct vshader_job *job)
{
	u32 n = vs_job_parallelism(job->engine);

	spin_lock(&exec->lock);
	/* another worker may have been through the new phase meanwhile */
	if (!job->done)
		job_want(exec, job, n ? n - 1 : 0);
	spin_unlock(&exec->lock);
}

/* Execute until there is nothing left for this worker. */
static enum vs_run serve(struct vshader_worker *w, struct vshader_job *job)
{
	u64 now, start = ktime_get_ns();
	enum vs_run run;

	do {
		if (job->queue->debug)
			vshader_debug_slice(job);
		run = vs_job_step(job->engine, w->ctx);
		now = ktime_get_ns();
		trace_vshader_slice(job, now - start, run);
		account(job, now - start);
		start = now;
		if (run == VS_RUN_PHASE)
			next_phase(w->exec, job);
		if (now > job->deadline)
			vs_job_cancel(job->engine, VS_FAULT_TIMEOUT);
		if (run == VS_RUN_STOP && !vshader_debug_stopped(job))
			run = VS_RUN_MORE;
		if (cond_resched())
			start = ktime_get_ns();
	} while (run == VS_RUN_MORE || run == VS_RUN_PHASE);
	return run;
}

/*
 * Give the place back. The last one out of a job that is done ends it: others may have
 * claimed a place and found nothing to do.
 */
static bool leave(struct vshader_exec *exec, struct vshader_job *job, enum vs_run run)
{
	lockdep_assert_held(&exec->lock);
	job->active--;
	if (run == VS_RUN_DONE) {
		job->done = true;
		job->want = 0;
		list_del_init(&job->run);
	} else if (run == VS_RUN_STOP) {
		job->stopped = true;
		job->stopped_at = ktime_get_ns();
		if (job->resume)
			resume(exec, job);
		job->resume = false;
	}
	return job->done && !job->active;
}

static void worker_fn(struct work_struct *work)
{
	struct vshader_worker *w = container_of(work, struct vshader_worker, work);
	struct vshader_exec *exec = w->exec;
	bool cookie = dma_fence_begin_signalling();
	struct vshader_job *job;
	enum vs_run run;
	bool end;

	spin_lock(&exec->lock);
	while ((job = claim(exec))) {
		spin_unlock(&exec->lock);
		run = serve(w, job);
		spin_lock(&exec->lock);
		end = leave(exec, job, run);
		if (end) {
			spin_unlock(&exec->lock);
			job_end(exec, job);
			spin_lock(&exec->lock);
		}
	}
	list_add(&w->idle, &exec->idle);
	spin_unlock(&exec->lock);
	dma_fence_end_signalling(cookie);
}

static void exec_fini(struct drm_device *drm, void *data)
{
	struct vshader_exec *exec = data;
	u32 i;

	if (exec->wq)
		destroy_workqueue(exec->wq);
	for (i = 0; i < exec->num_workers; i++)
		vs_worker_free(exec->workers[i].ctx);
}

static int worker_init(struct vshader_exec *exec, struct vshader_worker *w)
{
	w->ctx = vs_worker_new();
	if (!w->ctx)
		return -ENOMEM;
	w->exec = exec;
	INIT_WORK(&w->work, worker_fn);
	list_add_tail(&w->idle, &exec->idle);
	return 0;
}

int vshader_exec_init(struct vshader_device *vdev)
{
	struct vshader_exec *exec = &vdev->exec;
	u32 i, n = vshader_workers ?: num_online_cpus();
	int ret;

	exec->vdev = vdev;
	spin_lock_init(&exec->lock);
	INIT_LIST_HEAD(&exec->idle);
	for (i = 0; i < VSHADER_NUM_PRIORITIES; i++)
		INIT_LIST_HEAD(&exec->runnable[i]);
	ret = drmm_add_action_or_reset(&vdev->drm, exec_fini, exec);
	if (ret)
		return ret;

	n = min_t(u32, n, VSHADER_MAX_WORKERS);
	exec->wq = alloc_workqueue("%s", WQ_UNBOUND | WQ_MEM_RECLAIM, n, dev_name(vdev->drm.dev));
	if (!exec->wq)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		ret = worker_init(exec, &exec->workers[i]);
		if (ret)
			return ret;
		exec->num_workers++;
	}
	return 0;
}
