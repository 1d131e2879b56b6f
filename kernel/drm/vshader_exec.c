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
 * The time limit of a job is CPU time. Two limits are wall-clock time, and end a job with the
 * same fault and a DRM_VSHADER_TIMEOUT_* code. stall_ms: the job has not been executed at all,
 * because its client is starved of CPU time or keeps its threads busy with other jobs.
 * shared_ms: others can wait for its fence, or for that of a later job of its queue, since
 * this has been handed over to its FIFO.
 *
 * A job that is cancelled or has exceeded a limit ends soon even if its client gets no CPU
 * time: a throttled thread cannot see that it should stop, but may be in the middle of a slice,
 * so that its job's memory is in use until it has left. Therefore &vshader_exec.end, which is
 * executed outside of the client's control groups, ends all jobs and slots that no thread is
 * in, and raises the threads that are in one: SCHED_FIFO takes a thread out of its group's
 * bandwidth limit and goes before other clients, until it has left the job, a slice later.
 * Changing the class takes microseconds and no lock that clients can hold. (Moving the thread
 * to another control group waits for an RCU grace period, and for processes of the throttled
 * group that are in fork() or exit().)
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
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_trace.h"

/* How long jobs of equal priority execute before another one has its turn. */
#define TURN_NS		NSEC_PER_MSEC

/* Priority of jobs that are to end. */
#define PRIORITY_END	VSHADER_NUM_PRIORITIES

static unsigned int stall_ms = 30000;
module_param(stall_ms, uint, 0644);
MODULE_PARM_DESC(stall_ms, "wall-clock time without progress that ends a job, ms (default 30000)");

static unsigned int shared_ms = 60000;
module_param(shared_ms, uint, 0644);
MODULE_PARM_DESC(shared_ms, "wall-clock time that ends a job whose fence others can wait for, ms (default 60000)");

/* A guest whose host is busy counts as CPU time what it was not executed in. */
static unsigned int time_scale = 1;
module_param(time_scale, uint, 0644);
MODULE_PARM_DESC(time_scale, "what CPU time limits of jobs are multiplied by, for emulated machines, 1 to 1000 (default 1)");

/* ---- runnable jobs; with the lock ---- */

static void update_waiting(struct vshader_exec *exec, u32 priority)
{
	if (priority == PRIORITY_END) {
		if (!list_empty(&exec->runnable[priority]))
			queue_work(vshader_end_wq, &exec->end);
		return;
	}
	if (list_empty(&exec->runnable[priority]))
		WRITE_ONCE(exec->waiting, exec->waiting & ~BIT(priority));
	else
		WRITE_ONCE(exec->waiting, exec->waiting | BIT(priority));
}

static bool is_runnable(const struct vshader_task *task)
{
	if (!task->started && task->priority == PRIORITY_END)
		return true;
	return !task->stopped && (task->want || !list_empty(&task->parked));
}

/* Put the task into the list of runnable ones, last, or take it out. */
static void update_task(struct vshader_exec *exec, struct vshader_task *task)
{
	lockdep_assert_held(&exec->lock);
	if (is_runnable(task))
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

/* Whether fences that others can wait for have been pending for longer than shared_ms. */
static bool overdue(const struct vshader_fifo *fifo, u64 now)
{
	return fifo->shared_since && now > fifo->shared_since &&
	       now - fifo->shared_since > READ_ONCE(shared_ms) * (u64)NSEC_PER_MSEC;
}

/*
 * Start the task at the head of its FIFO. Return: false if there is nothing to execute; the caller
 * then has to call task_end().
 */
static bool task_start(struct vshader_exec *exec, struct vshader_task *task)
{
	u64 now = ktime_get_ns();

	lockdep_assert_held(&exec->lock);
	task->cancel = task->fifo->error ?: exec->error;
	if (!task->cancel && task->follows && task->fifo->failed)
		task->cancel = -ECANCELED;
	if (!task->cancel && task->engine && overdue(task->fifo, now)) {
		task->cancel = -ETIME;
		task->timeout = DRM_VSHADER_TIMEOUT_SHARED;
	}
	if (!task->engine || task->cancel) {
		task->done = true;
		return false;
	}
	task->priority = task->fifo->priority;
	task->seen = now;
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
static struct vshader_slot *exec_claim(struct vshader_thread *th)
{
	struct vshader_exec *exec = th->exec;
	struct vshader_slot *slot = NULL;
	int priority;

	if (!READ_ONCE(exec->waiting))
		return NULL;
	spin_lock(&exec->lock);
	for (priority = VSHADER_NUM_PRIORITIES - 1; priority >= 0 && !slot; priority--)
		slot = claim_from(exec, priority);
	if (slot)
		th->fifo = slot->task->fifo;
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

static u64 next_shared(const struct vshader_fifo *fifo)
{
	const struct vshader_task *task;

	list_for_each_entry(task, &fifo->tasks, entry) {
		if (task->shared)
			return task->ready;
	}
	return 0;
}

/* A task of the FIFO has faulted. */
static void refuse_further(struct vshader_fifo *fifo)
{
	if (fifo->no_ban && !fifo->pair)
		return;
	fifo->error = fifo->error ?: -ECANCELED;
	if (fifo->pair)
		fifo->pair->error = fifo->pair->error ?: -ECANCELED;
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
	if (task->shared)
		fifo->shared_since = next_shared(fifo);
	fifo->failed = task->status;
	if (task->status)
		refuse_further(fifo);
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
	struct vshader_fifo *fifo = task->fifo;
	struct vshader_exec *exec = fifo->exec;
	bool first, end = false;

	spin_lock(&exec->lock);
	task->ready = ktime_get_ns();
	if (task->shared && !fifo->shared_since)
		fifo->shared_since = task->ready;
	first = list_empty(&fifo->tasks);
	list_add_tail(&task->entry, &fifo->tasks);
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

/* Give the task to @end: all but what a thread has in its hands. */
static void expedite(struct vshader_exec *exec, struct vshader_task *task, int error)
{
	if (task->started) {
		resume(exec, task);
	} else {
		task->cancel = error;
		task->done = true;
	}
	task->want = 0;
	set_priority(exec, task, PRIORITY_END);
}

/* End the first task of a FIFO soon, with @error if it has not been executed yet. */
static void end_first(struct vshader_fifo *fifo, enum vs_fault_kind kind, int error)
{
	struct vshader_task *task = first_task(fifo);
	struct vshader_exec *exec = fifo->exec;
	u32 i;

	lockdep_assert_held(&exec->lock);
	if (task) {
		vs_job_cancel(task->engine, kind);
		expedite(exec, task, error);
	}
	/* also threads that are about to signal its fence */
	for (i = 0; i < ARRAY_SIZE(exec->threads); i++)
		exec->threads[i].raise |= exec->threads[i].fifo == fifo;
	queue_work(vshader_end_wq, &exec->end);
}

void vshader_exec_end(struct vshader_fifo *fifo, enum vs_fault_kind kind)
{
	struct vshader_exec *exec = fifo->exec;
	struct vshader_task *task;

	spin_lock(&exec->lock);
	task = first_task(fifo);
	if (task && task->started)
		end_first(fifo, kind, 0);
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

static void cancel(struct vshader_fifo *fifo, int error)
{
	if (!fifo->error)
		fifo->error = error;
	end_first(fifo, VS_FAULT_CANCELED, fifo->error);
}

void vshader_exec_cancel(struct vshader_fifo *fifo, int error)
{
	struct vshader_exec *exec = fifo->exec;

	spin_lock(&exec->lock);
	cancel(fifo, error);
	spin_unlock(&exec->lock);
}

void vshader_exec_close(struct vshader_exec *exec)
{
	struct vshader_task *task;

	spin_lock(&exec->lock);
	exec->error = -ECANCELED;
	list_for_each_entry(task, &exec->started, head)
		cancel(task->fifo, exec->error);
	spin_unlock(&exec->lock);
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

static u64 exec_time_limit(const struct vshader_fifo *fifo)
{
	u64 scale = (u64)fifo->time_scale * clamp(READ_ONCE(time_scale), 1U, 1000U);

	return fifo->time_limit_ms * scale * NSEC_PER_MSEC;
}

static void exec_account(struct vshader_task *task, u64 ns, u64 cpu_ns)
{
	struct vshader_fifo *fifo = task->fifo;
	struct vshader_file *vf = fifo->exec->file;
	u32 bucket = min_t(u32, ilog2((ns >> 10) | 1), VSHADER_SLICE_BUCKETS - 1);

	atomic64_inc(&vf->vdev->slices[bucket]);
	atomic64_add(cpu_ns, &fifo->busy_ns);
	atomic64_add(cpu_ns, &vf->busy_ns[fifo->engine]);
	if (atomic64_add_return(cpu_ns, &task->busy_ns) > exec_time_limit(fifo) &&
	    !vs_job_is_ending(task->engine))
		vshader_exec_end(fifo, VS_FAULT_TIMEOUT);
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
	exec_account(task, ns, slice_time(t, ns, switches() != before));
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
static bool exec_leave(struct vshader_exec *exec, struct vshader_slot *slot, enum vs_run run)
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

/* Execute a slot. The last one out of a task that is done ends it. */
static void run_slot(struct vshader_exec *exec, struct vshader_slot *slot)
{
	enum vs_run run = serve(exec, slot);
	bool last;

	spin_lock(&exec->lock);
	last = exec_leave(exec, slot, run);
	spin_unlock(&exec->lock);
	if (last)
		task_end(exec, slot->task, slot);
}

/* The thread has left its task: it is an ordinary thread of its control group again. */
static void exec_lower(struct vshader_thread *th)
{
	struct vshader_exec *exec = th->exec;
	bool raised;

	spin_lock(&exec->lock);
	th->fifo = NULL;
	th->raise = false;
	raised = th->raised;
	spin_unlock(&exec->lock);
	if (likely(!raised))
		return;
	mutex_lock(&exec->raise_lock);
	sched_set_normal(current, task_nice(current));
	th->raised = false;
	mutex_unlock(&exec->raise_lock);
}

int vshader_exec_thread(void *data)
{
	struct vshader_thread *th = data;
	struct vshader_exec *exec = th->exec;
	struct vshader_slot *slot;
	bool cookie;

	for (;;) {
		wait_event_idle_exclusive(exec->wait,
					  (slot = exec_claim(th)) || kthread_should_stop());
		if (!slot)
			return 0;
		cookie = dma_fence_begin_signalling();
		run_slot(exec, slot);
		dma_fence_end_signalling(cookie);
		exec_lower(th);
	}
}

/* ---- tasks that are to end, outside of the client's control groups ---- */

void vshader_exec_raise(struct task_struct *task)
{
	/* a group without realtime CPU time would not execute it at all */
	if (!IS_ENABLED(CONFIG_RT_GROUP_SCHED) ||
	    IS_ENABLED(CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED))
		sched_set_fifo_low(task);
}

/* Return: such a task and its slot, which is NULL if it has not started; or NULL. */
static struct vshader_task *claim_ending(struct vshader_exec *exec, struct vshader_slot **slot)
{
	struct vshader_task *task;

	*slot = NULL;
	spin_lock(&exec->lock);
	task = list_first_entry_or_null(&exec->runnable[PRIORITY_END], struct vshader_task, run);
	if (task && task->started) {
		*slot = take_place(task);
		update_task(exec, task);
	} else if (task) {
		list_del_init(&task->run);
	}
	spin_unlock(&exec->lock);
	return task;
}

static void raise_thread(struct vshader_thread *th)
{
	struct vshader_exec *exec = th->exec;
	struct task_struct *task = NULL;

	spin_lock(&exec->lock);
	if (th->raise && th->fifo && !th->raised) {
		th->raised = true;
		task = get_task_struct(th->task);
	}
	th->raise = false;
	spin_unlock(&exec->lock);
	if (!task)
		return;
	vshader_exec_raise(task);
	put_task_struct(task);
}

static void raise_threads(struct vshader_exec *exec)
{
	u32 i;

	mutex_lock(&exec->raise_lock);
	for (i = 0; i < ARRAY_SIZE(exec->threads); i++) {
		if (READ_ONCE(exec->threads[i].raise))
			raise_thread(&exec->threads[i]);
	}
	mutex_unlock(&exec->raise_lock);
}

void vshader_exec_end_fn(struct work_struct *work)
{
	struct vshader_exec *exec = container_of(work, struct vshader_exec, end);
	bool cookie = dma_fence_begin_signalling();
	struct vshader_slot *slot;
	struct vshader_task *task;

	while ((task = claim_ending(exec, &slot))) {
		if (slot)
			run_slot(exec, slot);
		else
			task_end(exec, task, NULL);
		cond_resched();
	}
	dma_fence_end_signalling(cookie);
	/* fences signal without this, later */
	raise_threads(exec);
}

void vshader_exec_unreserve(struct vshader_task *task)
{
	struct vshader_exec *exec = task->fifo->exec;

	spin_lock(&exec->lock);
	unreserve(exec, task);
	spin_unlock(&exec->lock);
}

/* ---- limits of wall-clock time, killed processes ---- */

#define CHECK_MANY	64	/* queues, which make a check take microseconds */

/*
 * The process may have to wait long for the CPU time to close its files. As in
 * drm_sched_entity_flush(), others that have the file do not count.
 */
static bool user_killed(const struct vshader_fifo *fifo)
{
	const struct task_struct *task;
	bool killed;

	rcu_read_lock();
	task = fifo->user ? pid_task(fifo->user, PIDTYPE_TGID) : NULL;
	killed = task && READ_ONCE(task->signal->flags) & SIGNAL_GROUP_EXIT &&
		 READ_ONCE(task->signal->group_exit_code) == SIGKILL;
	rcu_read_unlock();
	return killed;
}

/* Return: DRM_VSHADER_TIMEOUT_*, or 0. */
static u32 exec_exceeded(const struct vshader_task *task, u64 now)
{
	u64 limit = READ_ONCE(stall_ms) * (u64)NSEC_PER_MSEC, seen = READ_ONCE(task->seen);

	if (overdue(task->fifo, now))
		return DRM_VSHADER_TIMEOUT_SHARED;
	if (!task->stopped && now > seen && now - seen > limit)
		return DRM_VSHADER_TIMEOUT_STALLED;
	return 0;
}

bool vshader_exec_check_limits(struct vshader_exec *exec)
{
	u32 timeout, n = 0, stopped = 0;
	struct vshader_task *task;
	u64 now = ktime_get_ns();

	spin_lock(&exec->lock);
	list_for_each_entry(task, &exec->started, head) {
		n++;
		stopped += task->stopped;
		if (user_killed(task->fifo)) {
			cancel(task->fifo, -ECANCELED);
			continue;
		}
		timeout = exec_exceeded(task, now);
		if (!timeout)
			continue;
		if (!task->done && !vs_job_is_ending(task->engine))
			task->timeout = timeout;
		end_first(task->fifo, VS_FAULT_TIMEOUT, -ETIME);
	}
	spin_unlock(&exec->lock);
	return n <= CHECK_MANY && (!n || stopped < n);
}
