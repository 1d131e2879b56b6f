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
 *
 * Here a job is a &struct vshader_task and its queue a &struct vshader_fifo. What a job is in
 * other respects is known to &struct vshader_exec_ops only.
 */
#include <linux/dma-fence.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_trace.h"

/* How long jobs of equal priority execute before another one has its turn. */
#define TURN_NS		NSEC_PER_MSEC

/* Priority of jobs that are being cancelled. */
#define PRIORITY_END	VSHADER_NUM_PRIORITIES

static unsigned int stall_ms = 30000;
module_param(stall_ms, uint, 0644);
MODULE_PARM_DESC(stall_ms, "wall-clock time without progress that ends a job, ms (default 30000)");

/* ---- runnable jobs; with the lock ---- */

static void update_waiting(struct vshader_exec *exec, u32 priority)
{
	if (list_empty(&exec->runnable[priority]))
		WRITE_ONCE(exec->waiting, exec->waiting & ~BIT(priority));
	else
		WRITE_ONCE(exec->waiting, exec->waiting | BIT(priority));
}

/* Put the task into the list of runnable ones, last, or take it out. */
static void update_task(struct vshader_exec *exec, struct vshader_task *task)
{
	lockdep_assert_held(&exec->lock);
	if (!task->stopped && (task->want || !list_empty(&task->parked)))
		list_move_tail(&task->run, &exec->runnable[task->priority]);
	else
		list_del_init(&task->run);
	update_waiting(exec, task->priority);
}

static void set_priority(struct vshader_exec *exec, struct vshader_task *task, u32 priority)
{
	u32 was = task->priority;

	list_del_init(&task->run);
	WRITE_ONCE(task->priority, priority);
	update_waiting(exec, was);
	update_task(exec, task);
}

/* Ask for @n more threads, all requests before are void. */
static void task_want(struct vshader_exec *exec, struct vshader_task *task, u32 n)
{
	task->want = min(n, vshader_exec_max_threads());
	update_task(exec, task);
	wake_up_nr(&exec->wait, max(task->want, 1U));
}

/*
 * Start the task at the head of its FIFO. Return: false if there is nothing to execute; the caller
 * then has to call task_end().
 */
static bool task_start(struct vshader_exec *exec, struct vshader_task *task)
{
	lockdep_assert_held(&exec->lock);
	task->cancel = task->fifo->error;
	if (!task->engine || task->cancel) {
		task->done = true;
		return false;
	}
	task->priority = task->fifo->priority;
	task->seen = ktime_get_ns();
	list_add_tail(&task->head, &exec->started);
	task->alone = exec->ops->start(task);
	/* a thread must end it even if there is nothing to do */
	task_want(exec, task, task->alone ? 1 : max(vs_job_parallelism(task->engine), 1U));
	return true;
}

/* A slot in which the task can be executed, or NULL. */
static struct vshader_slot *take_place(struct vshader_task *task)
{
	struct vshader_slot *slot = list_first_entry_or_null(&task->parked, struct vshader_slot,
							     node);
	struct vshader_pool *pool = task->pool;

	if (slot) {
		list_del_init(&slot->node);
		return slot;
	}
	/* the first slot of a task goes before further ones of others */
	if (!task->want || (task->active && 2 * pool->nfree < pool->total))
		return NULL;
	slot = vshader_slot_get(pool);
	if (!slot)
		return NULL;
	slot->task = task;
	task->started = true;
	task->active++;
	task->want--;
	return slot;
}

static struct vshader_slot *claim_from(struct vshader_exec *exec, u32 priority)
{
	struct vshader_slot *slot;
	struct vshader_task *task;

	list_for_each_entry(task, &exec->runnable[priority], run) {
		slot = take_place(task);
		if (slot) {
			update_task(exec, task);
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

static void unreserve(struct vshader_exec *exec, struct vshader_task *task)
{
	struct vshader_fifo *fifo = task->fifo;

	lockdep_assert_held(&exec->lock);
	if (!task->pool)
		return;
	if (!--fifo->reserved[task->pool->class])
		task->pool->busy--;
	if (!--fifo->num_reserved)
		exec->busy--;
	if (!--exec->tasks)
		exec->idle_since = jiffies;
	task->pool = NULL;
}

/* The last one out of a task has ended it; the next task of its FIFO may start. */
static struct vshader_task *pop(struct vshader_exec *exec, struct vshader_task *task,
				struct vshader_slot *slot)
{
	struct vshader_fifo *fifo = task->fifo;
	struct vshader_task *next;

	spin_lock(&exec->lock);
	list_del_init(&task->entry);
	list_del_init(&task->head);
	if (slot && task->keep)
		task->slot = slot;
	else if (slot)
		vshader_slot_put(slot);
	unreserve(exec, task);
	if (task->status && !fifo->error && !fifo->no_ban)
		fifo->error = -ECANCELED;
	next = list_first_entry_or_null(&fifo->tasks, struct vshader_task, entry);
	if (next && task_start(exec, next))
		next = NULL;
	spin_unlock(&exec->lock);
	return next;
}

/*
 * End the head of a FIFO, and those after it for as long as there is nothing to execute.
 * Called without the lock by the last user of the task, with its slot or NULL.
 */
static void task_end(struct vshader_exec *exec, struct vshader_task *task,
		     struct vshader_slot *slot)
{
	struct vshader_task *next;

	do {
		if (!exec->ops->complete(task, slot))
			return;
		next = pop(exec, task, slot);
		slot = NULL;
		/* the FIFO lives at least as long as its next task */
		exec->ops->ended(task);
		task = next;
	} while (task);
}

void vshader_exec_complete(struct vshader_task *task, struct vshader_slot *slot)
{
	task_end(task->fifo->exec, task, slot);
}

void vshader_exec_run(struct vshader_task *task)
{
	struct vshader_exec *exec = task->fifo->exec;
	bool first, end = false;

	spin_lock(&exec->lock);
	first = list_empty(&task->fifo->tasks);
	list_add_tail(&task->entry, &task->fifo->tasks);
	if (first)
		end = !task_start(exec, task);
	spin_unlock(&exec->lock);
	if (end)
		task_end(exec, task, NULL);
}

void vshader_exec_release(struct vshader_task *task)
{
	struct vshader_exec *exec = task->fifo->exec;

	if (!task->slot)
		return;
	spin_lock(&exec->lock);
	vshader_slot_put(task->slot);
	task->slot = NULL;
	spin_unlock(&exec->lock);
	wake_up(&exec->wait);
}

/* A stopped task. The thread that stops it may not have left yet. */
static void resume(struct vshader_exec *exec, struct vshader_task *task)
{
	lockdep_assert_held(&exec->lock);
	if (!task->stopped) {
		task->resume = true;
		return;
	}
	task->stopped = false;
	task->seen = ktime_get_ns();
	update_task(exec, task);
	wake_up(&exec->wait);
}

/* The task that is executed, waits for its turn, or is stopped. */
static struct vshader_task *first_task(struct vshader_fifo *fifo)
{
	struct vshader_task *task = list_first_entry_or_null(&fifo->tasks, struct vshader_task,
							     entry);

	return task && task->engine && !task->done ? task : NULL;
}

/*
 * The engine has been told to end the first task of a FIFO: threads execute it before anything
 * else. Return: the task if it has no slot; task_end() is the caller's then, without the lock.
 */
static struct vshader_task *expedite(struct vshader_exec *exec, struct vshader_task *task,
				     int error)
{
	lockdep_assert_held(&exec->lock);
	if (!task->started) {
		task->cancel = error;
		task->done = true;
		task->want = 0;
		update_task(exec, task);
		return task;
	}
	resume(exec, task);
	set_priority(exec, task, PRIORITY_END);
	wake_up(&exec->wait);
	return NULL;
}

void vshader_exec_end(struct vshader_fifo *fifo, enum vs_fault_kind kind)
{
	struct vshader_exec *exec = fifo->exec;
	struct vshader_task *task;

	spin_lock(&exec->lock);
	task = first_task(fifo);
	if (task && task->started) {
		vs_job_cancel(task->engine, kind);
		expedite(exec, task, 0);
	}
	spin_unlock(&exec->lock);
}

void vshader_exec_resume(struct vshader_fifo *fifo)
{
	struct vshader_exec *exec = fifo->exec;
	struct vshader_task *task;

	spin_lock(&exec->lock);
	task = first_task(fifo);
	if (task && task->started)
		resume(exec, task);
	spin_unlock(&exec->lock);
}

void vshader_exec_cancel(struct vshader_fifo *fifo, int error)
{
	struct vshader_exec *exec = fifo->exec;
	struct vshader_task *task, *end = NULL;

	spin_lock(&exec->lock);
	if (!fifo->error)
		fifo->error = error;
	task = first_task(fifo);
	if (task) {
		vs_job_cancel(task->engine, VS_FAULT_CANCELED);
		end = expedite(exec, task, fifo->error);
	}
	spin_unlock(&exec->lock);
	if (end)
		task_end(exec, end, NULL);
}

/* ---- slices ---- */

/**
 * struct turn - A thread's time with a task.
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

static void account(struct vshader_task *task, u64 ns, u64 cpu_ns)
{
	struct vshader_fifo *fifo = task->fifo;
	struct vshader_file *vf = fifo->exec->file;
	u32 bucket = min_t(u32, ilog2((ns >> 10) | 1), VSHADER_SLICE_BUCKETS - 1);

	atomic64_inc(&vf->vdev->slices[bucket]);
	atomic64_add(cpu_ns, &fifo->busy_ns);
	atomic64_add(cpu_ns, &vf->busy_ns[fifo->engine]);
	if (atomic64_add_return(cpu_ns, &task->busy_ns) > fifo->time_limit_ms * (u64)NSEC_PER_MSEC)
		vs_job_cancel(task->engine, VS_FAULT_TIMEOUT);
}

/* Another phase has begun; this thread stays in the task. */
static void next_phase(struct vshader_exec *exec, struct vshader_task *task)
{
	u32 n = vs_job_parallelism(task->engine);

	spin_lock(&exec->lock);
	/* another thread may have been through the new phase meanwhile */
	if (!task->done)
		task_want(exec, task, n ? n - 1 : 0);
	spin_unlock(&exec->lock);
}

/* The first thread has the task for itself until this returns. */
static void begin_alone(struct vshader_exec *exec, struct vshader_task *task)
{
	task->alone = false;
	exec->ops->begin(task);
	next_phase(exec, task);
}

/* Another task has a better claim to this thread. */
static bool turn_over(const struct vshader_exec *exec, const struct vshader_task *task,
		      const struct turn *t, u64 now)
{
	u32 priority = READ_ONCE(task->priority), above = READ_ONCE(exec->waiting) >> priority;

	return above > 1 || (above && now - t->began >= TURN_NS);
}

static enum vs_run slice(struct vshader_exec *exec, struct vshader_slot *slot, struct turn *t,
			 u64 *now)
{
	struct vshader_task *task = slot->task;
	unsigned long before = switches();
	u64 begin = ktime_get_ns(), ns;
	enum vs_run run;

	run = exec->ops->slice(task, slot->ctx);
	*now = ktime_get_ns();
	ns = *now - begin;
	trace_vshader_slice(task, ns, run);
	account(task, ns, slice_time(t, ns, switches() != before));
	WRITE_ONCE(task->seen, *now);
	if (run == VS_RUN_PHASE) {
		next_phase(exec, task);
		run = VS_RUN_MORE;
	}
	return run;
}

/* Execute until there is nothing left for this slot, or until others have their turn. */
static enum vs_run serve(struct vshader_exec *exec, struct vshader_slot *slot)
{
	struct turn t;
	enum vs_run run;
	u64 now;

	if (unlikely(slot->task->alone))
		begin_alone(exec, slot->task);
	begin_turn(&t);
	do {
		run = slice(exec, slot, &t, &now);
		cond_resched();
	} while (run == VS_RUN_MORE && !turn_over(exec, slot->task, &t, now));
	return run;
}

/* The slot's task waits for its turn, or for its debugger. */
static void park(struct vshader_exec *exec, struct vshader_slot *slot, enum vs_run run)
{
	struct vshader_task *task = slot->task;

	list_add(&slot->node, &task->parked);
	task->stopped = run == VS_RUN_STOP;
	if (task->stopped && task->resume)
		resume(exec, task);
	task->resume = false;
	update_task(exec, task);
}

/*
 * Give the place back. The last one out of a task that is done ends it: others may have claimed
 * a place and found nothing to do. Return: that is the caller, and the slot is the task's.
 */
static bool leave(struct vshader_exec *exec, struct vshader_slot *slot, enum vs_run run)
{
	struct vshader_task *task = slot->task;
	bool last;

	lockdep_assert_held(&exec->lock);
	if (run == VS_RUN_MORE || run == VS_RUN_STOP) {
		park(exec, slot, run);
		return false;
	}
	if (run == VS_RUN_DONE) {
		task->done = true;
		task->want = 0;
		update_task(exec, task);
	}
	last = !--task->active && task->done;
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
			task_end(exec, slot->task, slot);
		dma_fence_end_signalling(cookie);
	}
}

void vshader_exec_unreserve(struct vshader_task *task)
{
	struct vshader_exec *exec = task->fifo->exec;

	spin_lock(&exec->lock);
	unreserve(exec, task);
	spin_unlock(&exec->lock);
}

/* ---- jobs without progress ---- */

/* A task that has not been executed for too long, or NULL; it is ended once. */
static struct vshader_task *stalled_task(struct vshader_exec *exec, u64 now)
{
	u64 limit = READ_ONCE(stall_ms) * (u64)NSEC_PER_MSEC;
	struct vshader_task *task;

	list_for_each_entry(task, &exec->started, head) {
		u64 seen = READ_ONCE(task->seen);

		if (!task->stopped && !task->stalled && !task->done && now > seen &&
		    now - seen > limit)
			return task;
	}
	return NULL;
}

void vshader_exec_end_stalled(struct vshader_exec *exec)
{
	struct vshader_task *task, *end;
	u64 now = ktime_get_ns();

	do {
		end = NULL;
		spin_lock(&exec->lock);
		task = stalled_task(exec, now);
		if (task) {
			task->stalled = true;
			vs_job_cancel(task->engine, VS_FAULT_TIMEOUT);
			end = expedite(exec, task, -ETIME);
		}
		spin_unlock(&exec->lock);
		if (end)
			task_end(exec, end, NULL);
	} while (task);
}
