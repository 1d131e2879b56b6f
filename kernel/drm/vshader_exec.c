// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Execution
 *
 * Jobs are executed by threads of the client that submitted them. The threads are created by
 * SUBMIT or QUEUE_CREATE, in the control groups of the calling process, with its nice value
 * and its CPUs (like vhost's workers). So the kernel's scheduler shares the CPUs between
 * clients: cpu.max, cpu.weight, cpusets and nice apply to jobs, and a client pays for what it
 * makes execute. A client that moves to other control groups takes its threads along when
 * they are created the next time: they end when the client has been idle for a while.
 *
 * A job is executed in slices of about 50 us. After each slice a thread looks for jobs of
 * higher priority; jobs of equal priority take turns of %TURN_NS. A job that is not executed
 * keeps its state in its slot (see Execution slots); any thread can resume it. The job at the
 * head of a queue's FIFO is the one that runs, so that the results of a queue appear in order.
 *
 * The time limit of a job is CPU time. A job that has not been executed at all for stall_ms
 * of wall-clock time, because its client is starved of CPU time or keeps its threads busy
 * with other jobs, ends with the same fault and DRM_VSHADER_TIMEOUT_STALLED: others may wait
 * for its fence.
 *
 * Threads execute in the fence signalling path: no allocation, and no sleeping but in
 * cond_resched() between slices. Threads and slots are made in SUBMIT, before arming, and
 * stay as long as there are unfinished jobs.
 *
 * A job that its debugger stops keeps its slot and is not runnable until it is resumed.
 */
#include <linux/dma-fence.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_inject.h"
#include "vshader_job.h"
#include "vshader_queue.h"
#include "vshader_record.h"
#include "vshader_trace.h"

/* How long jobs of equal priority execute before another one has its turn. */
#define TURN_NS		NSEC_PER_MSEC

/* Priority of jobs that are being cancelled. */
#define PRIORITY_END	VSHADER_NUM_PRIORITIES

static unsigned int stall_ms = 30000;
module_param(stall_ms, uint, 0644);
MODULE_PARM_DESC(stall_ms, "wall-clock time without progress that ends a job, ms (default 30000)");

static struct vshader_exec *queue_exec(const struct vshader_queue *q)
{
	return &q->file->exec;
}

/* ---- runnable jobs; with the lock ---- */

static void update_waiting(struct vshader_exec *exec, u32 priority)
{
	if (list_empty(&exec->runnable[priority]))
		WRITE_ONCE(exec->waiting, exec->waiting & ~BIT(priority));
	else
		WRITE_ONCE(exec->waiting, exec->waiting | BIT(priority));
}

/* Put the job into the list of runnable ones, last, or take it out. */
static void update_job(struct vshader_exec *exec, struct vshader_job *job)
{
	lockdep_assert_held(&exec->lock);
	if (!job->stopped && (job->want || !list_empty(&job->parked)))
		list_move_tail(&job->run, &exec->runnable[job->priority]);
	else
		list_del_init(&job->run);
	update_waiting(exec, job->priority);
}

static void set_priority(struct vshader_exec *exec, struct vshader_job *job, u32 priority)
{
	u32 was = job->priority;

	list_del_init(&job->run);
	WRITE_ONCE(job->priority, priority);
	update_waiting(exec, was);
	update_job(exec, job);
}

/* Ask for @n more threads, all requests before are void. */
static void job_want(struct vshader_exec *exec, struct vshader_job *job, u32 n)
{
	job->want = min(n, vshader_exec_max_threads());
	update_job(exec, job);
	wake_up_nr(&exec->wait, max(job->want, 1U));
}

/*
 * The job is at the head of its queue. Return: false if there is nothing to execute; job_end() is
 * the caller's then, and nobody else's.
 */
static bool job_start(struct vshader_exec *exec, struct vshader_job *job)
{
	lockdep_assert_held(&exec->lock);
	job->cancel = job->queue->error;
	if (!job->engine || job->cancel) {
		job->done = true;
		return false;
	}
	job->priority = job->queue->priority;
	job->seen = ktime_get_ns();
	list_add_tail(&job->head, &exec->started);
	job->begin = vshader_recording(job->queue->file->vdev);
	/* somebody must end it even if there is nothing to do */
	job_want(exec, job, job->begin ? 1 : max(vs_job_parallelism(job->engine), 1U));
	return true;
}

/* A slot in which the job can be executed, or NULL. */
static struct vshader_slot *take_place(struct vshader_job *job)
{
	struct vshader_slot *slot = list_first_entry_or_null(&job->parked, struct vshader_slot,
							     node);
	struct vshader_pool *pool = job->pool;

	if (slot) {
		list_del_init(&slot->node);
		return slot;
	}
	/* the first slot of a job goes before further ones of others */
	if (!job->want || (job->active && 2 * pool->nfree < pool->total))
		return NULL;
	slot = vshader_slot_get(pool);
	if (!slot)
		return NULL;
	if (!job->started)
		vshader_inject_start(job);
	slot->job = job;
	job->started = true;
	job->active++;
	job->want--;
	return slot;
}

static struct vshader_slot *claim_from(struct vshader_exec *exec, u32 priority)
{
	struct vshader_slot *slot;
	struct vshader_job *job;

	list_for_each_entry(job, &exec->runnable[priority], run) {
		slot = take_place(job);
		if (slot) {
			update_job(exec, job);
			return slot;
		}
	}
	return NULL;
}

/* Without the lock: the next slot to execute, or NULL. */
static struct vshader_slot *claim(struct vshader_exec *exec)
{
	struct vshader_slot *slot = NULL;
	int priority;

	if (!READ_ONCE(exec->waiting))
		return NULL;
	spin_lock(&exec->lock);
	for (priority = PRIORITY_END; priority >= 0 && !slot; priority--)
		slot = claim_from(exec, priority);
	spin_unlock(&exec->lock);
	return slot;
}

/* ---- ends ---- */

/* Dumps need the machine of a job that has faulted, which is in its arena. */
static bool keeps_slot(const struct vshader_job *job)
{
	return vs_job_arena(job->engine) && job->fault.kind != DRM_VSHADER_FAULT_NONE &&
	       job->fault.kind != DRM_VSHADER_FAULT_CANCELED;
}

static void unreserve(struct vshader_exec *exec, struct vshader_job *job)
{
	struct vshader_queue *q = job->queue;

	lockdep_assert_held(&exec->lock);
	if (!job->pool)
		return;
	if (!--q->reserved[job->pool->class])
		job->pool->busy--;
	if (!--q->num_reserved)
		exec->busy--;
	if (!--exec->jobs)
		exec->idle_since = jiffies;
	job->pool = NULL;
}

/* The last one out of a job has ended it; its queue's next job may start. */
static struct vshader_job *pop(struct vshader_exec *exec, struct vshader_job *job,
			       struct vshader_slot *slot)
{
	struct vshader_queue *q = job->queue;
	struct vshader_job *next;

	spin_lock(&exec->lock);
	list_del_init(&job->fifo);
	list_del_init(&job->head);
	if (slot && keeps_slot(job))
		job->slot = slot;
	else if (slot)
		vshader_slot_put(slot);
	unreserve(exec, job);
	if (job->status && !q->error)
		q->error = -ECANCELED;
	next = list_first_entry_or_null(&q->fifo, struct vshader_job, fifo);
	if (next && job_start(exec, next))
		next = NULL;
	spin_unlock(&exec->lock);
	return next;
}

/*
 * End the head of a queue, and those after it for as long as there is nothing to execute.
 * Called without the lock by the last user of the job, with its slot or NULL.
 */
static void job_end(struct vshader_exec *exec, struct vshader_job *job, struct vshader_slot *slot)
{
	struct vshader_job *next;

	do {
		if (vshader_inject_end(job, slot))
			return;
		vshader_job_complete(job);
		next = pop(exec, job, slot);
		slot = NULL;
		/* the queue lives at least as long as its next job */
		vshader_job_ended(job);
		job = next;
	} while (job);
}

void vshader_exec_complete(struct vshader_job *job, struct vshader_slot *slot)
{
	job_end(queue_exec(job->queue), job, slot);
}

void vshader_exec_run(struct vshader_job *job)
{
	struct vshader_exec *exec = queue_exec(job->queue);
	bool first, end = false;

	vshader_job_get(job);
	spin_lock(&exec->lock);
	first = list_empty(&job->queue->fifo);
	list_add_tail(&job->fifo, &job->queue->fifo);
	if (first)
		end = !job_start(exec, job);
	spin_unlock(&exec->lock);
	if (end)
		job_end(exec, job, NULL);
}

void vshader_exec_release(struct vshader_job *job)
{
	struct vshader_exec *exec = queue_exec(job->queue);

	if (!job->slot)
		return;
	spin_lock(&exec->lock);
	vshader_slot_put(job->slot);
	job->slot = NULL;
	spin_unlock(&exec->lock);
	wake_up(&exec->wait);
}

/* A stopped job. The thread that stops it may not have left yet. */
static void resume(struct vshader_exec *exec, struct vshader_job *job)
{
	lockdep_assert_held(&exec->lock);
	if (!job->stopped) {
		job->resume = true;
		return;
	}
	job->stopped = false;
	job->seen = ktime_get_ns();
	update_job(exec, job);
	wake_up(&exec->wait);
}

/* The job that is executed, waits for its turn, or is stopped. */
static struct vshader_job *first_job(struct vshader_queue *q)
{
	struct vshader_job *job = list_first_entry_or_null(&q->fifo, struct vshader_job, fifo);

	return job && job->engine && !job->done ? job : NULL;
}

/*
 * The engine has been told to end the first job of a queue: threads execute it before anything
 * else. Return: the job if it has no slot; job_end() is the caller's then, without the lock.
 */
static struct vshader_job *expedite(struct vshader_exec *exec, struct vshader_job *job, int error)
{
	lockdep_assert_held(&exec->lock);
	if (!job->started) {
		job->cancel = error;
		job->done = true;
		job->want = 0;
		update_job(exec, job);
		return job;
	}
	resume(exec, job);
	set_priority(exec, job, PRIORITY_END);
	wake_up(&exec->wait);
	return NULL;
}

void vshader_exec_end(struct vshader_queue *q, enum vs_fault_kind kind)
{
	struct vshader_exec *exec = queue_exec(q);
	struct vshader_job *job;

	spin_lock(&exec->lock);
	job = first_job(q);
	if (job && job->started) {
		vs_job_cancel(job->engine, kind);
		expedite(exec, job, 0);
	}
	spin_unlock(&exec->lock);
}

void vshader_exec_resume(struct vshader_queue *q)
{
	struct vshader_exec *exec = queue_exec(q);
	struct vshader_job *job;

	spin_lock(&exec->lock);
	job = first_job(q);
	if (job && job->started)
		resume(exec, job);
	spin_unlock(&exec->lock);
}

void vshader_exec_cancel(struct vshader_queue *q, int error)
{
	struct vshader_exec *exec = queue_exec(q);
	struct vshader_job *job, *end = NULL;

	spin_lock(&exec->lock);
	if (!q->error)
		q->error = error;
	job = first_job(q);
	if (job) {
		vs_job_cancel(job->engine, VS_FAULT_CANCELED);
		end = expedite(exec, job, q->error);
	}
	spin_unlock(&exec->lock);
	if (end)
		job_end(exec, end, NULL);
}

/* ---- slices ---- */

/**
 * struct turn - A thread's time with a job.
 * @began: ns
 * @runtime: CPU time of the thread then, ns
 * @counted: CPU time accounted for since, ns
 */
struct turn {
	u64 began;
	u64 runtime;
	u64 counted;
};

/* CPU time of the calling thread, as of the last tick or switch. */
static u64 thread_runtime(void)
{
	return READ_ONCE(current->se.sum_exec_runtime);
}

static unsigned long switches(void)
{
	return current->nvcsw + current->nivcsw;
}

static void begin_turn(struct turn *t)
{
	t->began = ktime_get_ns();
	t->runtime = thread_runtime();
	t->counted = 0;
}

/* CPU time of a slice that took @ns: the clock, unless others were executed meanwhile. */
static u64 slice_time(struct turn *t, u64 ns, bool switched)
{
	u64 runtime;

	if (unlikely(switched)) {
		runtime = thread_runtime() - t->runtime;
		ns = runtime > t->counted ? min(ns, runtime - t->counted) : 0;
	}
	t->counted += ns;
	return ns;
}

static void account(struct vshader_job *job, u64 ns, u64 cpu_ns)
{
	struct vshader_queue *q = job->queue;
	u32 bucket = min_t(u32, ilog2((ns >> 10) | 1), VSHADER_SLICE_BUCKETS - 1);

	atomic64_inc(&q->file->vdev->slices[bucket]);
	atomic64_add(cpu_ns, &q->busy_ns);
	atomic64_add(cpu_ns, &q->file->busy_ns[q->isa->id]);
	if (atomic64_add_return(cpu_ns, &job->busy_ns) > q->time_limit_ms * (u64)NSEC_PER_MSEC)
		vs_job_cancel(job->engine, VS_FAULT_TIMEOUT);
}

/* Another phase has begun; this thread stays in the job. */
static void next_phase(struct vshader_exec *exec, struct vshader_job *job)
{
	u32 n = vs_job_parallelism(job->engine);

	spin_lock(&exec->lock);
	/* another thread may have been through the new phase meanwhile */
	if (!job->done)
		job_want(exec, job, n ? n - 1 : 0);
	spin_unlock(&exec->lock);
}

/* The first thread has the job for itself until this returns. */
static void begin_job(struct vshader_exec *exec, struct vshader_job *job)
{
	job->begin = false;
	vshader_record_begin(job);
	next_phase(exec, job);
}

/* Another job has a better claim to this thread. */
static bool turn_over(const struct vshader_exec *exec, const struct vshader_job *job,
		      const struct turn *t, u64 now)
{
	u32 priority = READ_ONCE(job->priority), above = READ_ONCE(exec->waiting) >> priority;

	return above > 1 || (above && now - t->began >= TURN_NS);
}

static enum vs_run slice(struct vshader_exec *exec, struct vshader_slot *slot, struct turn *t,
			 u64 *now)
{
	struct vshader_job *job = slot->job;
	unsigned long before = switches();
	u64 begin = ktime_get_ns(), ns;
	enum vs_run run;

	if (job->queue->debug)
		vshader_debug_slice(job);
	run = vshader_inject_hangs(job) ? VS_RUN_MORE : vs_job_step(job->engine, slot->ctx);
	*now = ktime_get_ns();
	ns = *now - begin;
	trace_vshader_slice(job, ns, run);
	account(job, ns, slice_time(t, ns, switches() != before));
	WRITE_ONCE(job->seen, *now);
	if (run == VS_RUN_PHASE) {
		next_phase(exec, job);
		run = VS_RUN_MORE;
	}
	if (run == VS_RUN_STOP && !vshader_debug_stopped(job))
		run = VS_RUN_MORE;
	return run;
}

/* Execute until there is nothing left for this slot, or until others have their turn. */
static enum vs_run serve(struct vshader_exec *exec, struct vshader_slot *slot)
{
	struct turn t;
	enum vs_run run;
	u64 now;

	if (unlikely(slot->job->begin))
		begin_job(exec, slot->job);
	begin_turn(&t);
	do {
		run = slice(exec, slot, &t, &now);
		cond_resched();
	} while (run == VS_RUN_MORE && !turn_over(exec, slot->job, &t, now));
	return run;
}

/* The slot's job waits for its turn, or for its debugger. */
static void park(struct vshader_exec *exec, struct vshader_slot *slot, enum vs_run run)
{
	struct vshader_job *job = slot->job;

	list_add(&slot->node, &job->parked);
	job->stopped = run == VS_RUN_STOP;
	if (job->stopped && job->resume)
		resume(exec, job);
	job->resume = false;
	update_job(exec, job);
}

/*
 * Give the place back. The last one out of a job that is done ends it: others may have claimed
 * a place and found nothing to do. Return: that is the caller, and the slot is the job's.
 */
static bool leave(struct vshader_exec *exec, struct vshader_slot *slot, enum vs_run run)
{
	struct vshader_job *job = slot->job;
	bool last;

	lockdep_assert_held(&exec->lock);
	if (run == VS_RUN_MORE || run == VS_RUN_STOP) {
		park(exec, slot, run);
		return false;
	}
	if (run == VS_RUN_DONE) {
		job->done = true;
		job->want = 0;
		update_job(exec, job);
	}
	last = !--job->active && job->done;
	if (!last) {
		vshader_slot_put(slot);
		if (exec->waiting)
			wake_up(&exec->wait);
	}
	return last;
}

int vshader_exec_thread(void *data)
{
	struct vshader_exec *exec = data;
	struct vshader_slot *slot;
	enum vs_run run;
	bool cookie, last;

	for (;;) {
		wait_event_idle_exclusive(exec->wait, (slot = claim(exec)) ||
					  kthread_should_stop());
		if (!slot)
			return 0;
		cookie = dma_fence_begin_signalling();
		run = serve(exec, slot);
		spin_lock(&exec->lock);
		last = leave(exec, slot, run);
		spin_unlock(&exec->lock);
		if (last)
			job_end(exec, slot->job, slot);
		dma_fence_end_signalling(cookie);
	}
}

void vshader_exec_unreserve(struct vshader_job *job)
{
	struct vshader_exec *exec = queue_exec(job->queue);

	spin_lock(&exec->lock);
	unreserve(exec, job);
	spin_unlock(&exec->lock);
}

/* ---- jobs without progress ---- */

/* A job that has not been executed for too long, or NULL; it is ended once. */
static struct vshader_job *stalled_job(struct vshader_exec *exec, u64 now)
{
	u64 limit = READ_ONCE(stall_ms) * (u64)NSEC_PER_MSEC;
	struct vshader_job *job;

	list_for_each_entry(job, &exec->started, head) {
		u64 seen = READ_ONCE(job->seen);

		if (!job->stopped && !job->stalled && !job->done && now > seen &&
		    now - seen > limit)
			return job;
	}
	return NULL;
}

void vshader_exec_end_stalled(struct vshader_exec *exec)
{
	struct vshader_job *job, *end;
	u64 now = ktime_get_ns();

	do {
		end = NULL;
		spin_lock(&exec->lock);
		job = stalled_job(exec, now);
		if (job) {
			job->stalled = true;
			vs_job_cancel(job->engine, VS_FAULT_TIMEOUT);
			end = expedite(exec, job, -ETIME);
		}
		spin_unlock(&exec->lock);
		if (end)
			job_end(exec, end, NULL);
	} while (job);
}
