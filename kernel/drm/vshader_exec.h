/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Execution: a client's threads and the jobs that they execute slice by slice.
 */
#ifndef VSHADER_EXEC_H
#define VSHADER_EXEC_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "engine/vs_job.h"
#include "vshader_slot.h"

struct pid;
struct task_struct;
struct vshader_fifo;
struct vshader_file;
struct vshader_task;

#define VSHADER_MAX_THREADS	16
#define VSHADER_NUM_PRIORITIES	3

/**
 * struct vshader_exec_ops - Calls from execution to the layers above.
 *
 * All of it is in the fence signalling path: no allocation, no sleeping but in cond_resched().
 */
struct vshader_exec_ops {
	/**
	 * @start: A task is at the head of its FIFO and has something to execute. With
	 * &vshader_exec.lock. Return: whether @begin has to be called before its first slice.
	 */
	bool (*start)(struct vshader_task *task);
	/** @begin: A thread has the task for itself until this returns. */
	void (*begin)(struct vshader_task *task);
	/** @slice: Execute a slice. Return: as vs_job_step(); %VS_RUN_STOP: park the task. */
	enum vs_run (*slice)(struct vshader_task *task, struct vs_worker *ctx);
	/**
	 * @complete: No thread executes the task any more: set &vshader_task.status and
	 * &vshader_task.keep, signal its fence. Return: false: not yet,
	 * vshader_exec_complete() will be called.
	 */
	bool (*complete)(struct vshader_task *task, struct vshader_slot *slot);
	/** @ended: Execution has no reference to the task any more. */
	void (*ended)(struct vshader_task *task);
};

/**
 * struct vshader_task - Execution of a job.
 * @fifo: its queue's FIFO
 * @engine: engine job; NULL if there is nothing to execute
 * @varies: its phases differ in how many threads they can use
 * @pool: slots that it may have; NULL: nothing is reserved
 * @entry: in &vshader_fifo.tasks
 * @head: in &vshader_exec.started
 * @run: in one of &vshader_exec.runnable
 * @parked: its slots that no thread executes
 * @priority: index in &vshader_exec.runnable
 * @want: further threads wanted
 * @active: slots that it has
 * @alone: &vshader_exec_ops.begin has to be called before its first slice
 * @started: has had a slot
 * @done: executed, or not to be executed
 * @stopped: by its debugger
 * @resume: to be resumed when it has been stopped
 * @shared: others can wait for its fence: it is in a reservation object or a sync object
 * @timeout: DRM_VSHADER_TIMEOUT_*, the wall-clock limit that has ended it; or 0
 * @follows: refused with -ECANCELED if the task before it in its FIFO has an error
 * @keep: its slot is kept after its end
 * @ready: when it was handed over, ns
 * @seen: when it was executed last, or became runnable, ns
 * @slot: slot that was kept, for the dump
 * @cancel: error that it was refused with before it started
 * @status: 0 or an error, once complete
 * @busy_ns: CPU time
 */
struct vshader_task {
	struct vshader_fifo *fifo;
	struct vs_job *engine;
	bool varies;
	struct vshader_pool *pool;
	struct list_head entry;
	struct list_head head;
	struct list_head run;
	struct list_head parked;
	u32 priority;
	u32 want;
	u32 active;
	bool alone;
	bool started;
	bool done;
	bool stopped;
	bool resume;
	bool shared;
	bool follows;
	bool keep;
	u32 timeout;
	u64 ready;
	u64 seen;
	struct vshader_slot *slot;
	int cancel;
	s32 status;
	atomic64_t busy_ns;
};

/**
 * struct vshader_fifo - Tasks of a queue; the first one is executed.
 * @exec: client's execution
 * @priority: of its tasks
 * @engine: enum drm_vshader_engine, for accounting
 * @time_limit_ms: CPU time per task
 * @time_scale: factor of @time_limit_ms, more than 1 for tasks that a debugger slows down
 * @own_slots: tasks have slots from @pools, not the client's
 * @no_ban: tasks are accepted after one has faulted
 * @tasks: tasks handed over; protected by &vshader_exec.lock, as all below
 * @pair: if one of its tasks faults, further ones of both FIFOs are cancelled; or NULL
 * @error: if not 0, what all further tasks are refused with
 * @failed: the last task that has ended has an error
 * @shared_since: when the first one that others can wait for was handed over, ns; 0: there
 *	is none
 * @user: process that submitted last; NULL: none has
 * @pools: slots, if @own_slots
 * @reserved: unfinished tasks that need a slot of each size
 * @num_reserved: all of them
 * @busy_ns: CPU time of its tasks; without the lock
 */
struct vshader_fifo {
	struct vshader_exec *exec;
	u32 priority;
	u32 engine;
	u32 time_limit_ms;
	u32 time_scale;
	bool own_slots;
	bool no_ban;
	struct list_head tasks;
	struct vshader_fifo *pair;
	int error;
	bool failed;
	u64 shared_since;
	struct pid *user;
	struct vshader_pool pools[VSHADER_SLOT_CLASSES];
	u32 reserved[VSHADER_SLOT_CLASSES];
	u32 num_reserved;
	atomic64_t busy_ns;
};

/**
 * struct vshader_thread - A thread of a client.
 * @exec: client's execution
 * @task: the kernel's thread
 * @fifo: FIFO whose task it executes or ends, or NULL; not a reference
 * @raise: this task has to end soon: the thread is to be raised
 * @raised: has left its control group's limits; written under &vshader_exec.raise_lock, too
 *
 * @fifo and later members are protected by &vshader_exec.lock.
 */
struct vshader_thread {
	struct vshader_exec *exec;
	struct task_struct *task;
	const struct vshader_fifo *fifo;
	bool raise;
	bool raised;
};

/**
 * struct vshader_exec - Threads of a client, and its tasks that want them.
 * @file: client
 * @ops: calls of the layers above
 * @lock: protects everything below but the threads, and the FIFOs and tasks of the client
 * @runnable: tasks that threads can execute, per priority; the last list is for tasks that
 *	are to end, and for @end only
 * @waiting: bit per list of @runnable that is not empty, but for the last one; read without the
 *	lock
 * @started: first tasks of the FIFOs
 * @tasks: tasks that have been reserved for and have not ended
 * @busy: FIFOs with such tasks
 * @error: if not 0, what all tasks are refused with: the file is closed
 * @idle_since: jiffies when @tasks became 0
 * @wait: threads without a task
 * @pools: slots per priority and size
 * @threads: threads; created and ended under &vshader_file.submit_lock
 * @num_threads: number of @threads; protected by it
 * @raise_lock: one change of a thread's scheduling class at a time
 * @end: ends tasks of which no thread executes anything, raises threads
 * @watch: looks for tasks without progress, ends idle threads
 * @watch_timer: queues @watch
 * @watch_ended: @watch_timer is not started any more
 */
struct vshader_exec {
	struct vshader_file *file;
	const struct vshader_exec_ops *ops;

	/** @lock: see above */
	spinlock_t lock;
	struct list_head runnable[VSHADER_NUM_PRIORITIES + 1];
	u32 waiting;
	struct list_head started;
	u32 tasks;
	u32 busy;
	int error;
	unsigned long idle_since;
	wait_queue_head_t wait;
	struct vshader_pool pools[VSHADER_NUM_PRIORITIES][VSHADER_SLOT_CLASSES];
	struct vshader_thread threads[VSHADER_MAX_THREADS];
	u32 num_threads;

	/** @raise_lock: see above */
	struct mutex raise_lock;
	struct work_struct end;
	struct work_struct watch;
	struct hrtimer watch_timer;
	bool watch_ended;
};

/**
 * vshader_exec_max_threads - most threads of a client
 *
 * Return: at least 1.
 */
u32 vshader_exec_max_threads(void);

/**
 * vshader_exec_new - execution of a client, without threads
 * @vf: client
 * @ops: calls of the layers above
 *
 * Return: execution or NULL.
 */
struct vshader_exec *vshader_exec_new(struct vshader_file *vf, const struct vshader_exec_ops *ops);

/**
 * vshader_exec_free - end the threads of a client without tasks
 * @exec: client's execution; may sleep
 */
void vshader_exec_free(struct vshader_exec *exec);

/**
 * vshader_fifo_init - initialise a FIFO
 * @fifo: FIFO whose members above &vshader_fifo.tasks are set
 */
void vshader_fifo_init(struct vshader_fifo *fifo);

/**
 * vshader_fifo_used - the calling process submits a task
 * @fifo: FIFO
 *
 * Its tasks are cancelled when this process is killed.
 */
void vshader_fifo_used(struct vshader_fifo *fifo);

/**
 * vshader_fifo_pair - have a fault of either FIFO's tasks cancel further ones of both
 * @a: FIFO of a client
 * @b: another one
 */
void vshader_fifo_pair(struct vshader_fifo *a, struct vshader_fifo *b);

/**
 * vshader_fifo_fini - free the slots of a FIFO without tasks
 * @fifo: FIFO
 */
void vshader_fifo_fini(struct vshader_fifo *fifo);

/**
 * vshader_task_init - initialise a task
 * @task: zeroed memory
 * @fifo: FIFO that it will be handed to
 */
void vshader_task_init(struct vshader_task *task, struct vshader_fifo *fifo);

/**
 * vshader_exec_start - make sure that a client has threads
 * @exec: client's execution
 * @n: threads wanted; fewer will do if there is at least one
 *
 * They belong to the control groups of the calling process and have its nice value and its
 * CPUs. May sleep; under &vshader_file.submit_lock.
 *
 * Return: 0 or an error.
 */
int vshader_exec_start(struct vshader_exec *exec, u32 n);

/**
 * vshader_exec_trim - free slots that no task has
 * @exec: client's execution
 */
void vshader_exec_trim(struct vshader_exec *exec);

/**
 * vshader_exec_reserve - make sure that there are threads and a slot for a task
 * @task: task of a job that is not armed yet
 *
 * May sleep; under &vshader_file.submit_lock. Nothing is allocated for the task later.
 *
 * Return: 0, -ENOMEM, -EDQUOT, -ENOSPC or an error of creating threads.
 */
int vshader_exec_reserve(struct vshader_task *task);

/**
 * vshader_exec_unreserve - undo vshader_exec_reserve(), if it was called
 * @task: task of a job that is not pushed
 */
void vshader_exec_unreserve(struct vshader_task *task);

/**
 * vshader_exec_thread - main function of a thread
 * @data: &struct vshader_thread
 *
 * Return: 0 when kthread_stop() is called and there is nothing to execute.
 */
int vshader_exec_thread(void *data);

/* A thread leaves its control group's limits, unless the kernel is configured against that. */
void vshader_exec_raise(struct task_struct *task);

/**
 * vshader_exec_end_fn - handler of &vshader_exec.end
 * @work: the member
 */
void vshader_exec_end_fn(struct work_struct *work);

/**
 * vshader_exec_check_limits - end tasks that have exceeded a wall-clock limit
 * @exec: client's execution
 *
 * Also cancel tasks of processes that have been killed.
 *
 * Return: whether the next check is due soon: not for a client of many busy queues, nor while
 * debuggers have stopped all jobs
 */
bool vshader_exec_check_limits(struct vshader_exec *exec);

/**
 * vshader_exec_run - start execution of a task, from the scheduler's run_job
 * @task: task; stays until &vshader_exec_ops.ended
 *
 * Tasks of a FIFO are executed one after the other, in this order.
 */
void vshader_exec_run(struct vshader_task *task);

/**
 * vshader_exec_release - give a slot back that was kept for a dump
 * @task: task that has ended
 */
void vshader_exec_release(struct vshader_task *task);

/**
 * vshader_exec_complete - complete a task whose completion was deferred
 * @task: task that no thread executes, at the head of its FIFO
 * @slot: its slot, or NULL
 */
void vshader_exec_complete(struct vshader_task *task, struct vshader_slot *slot);

/**
 * vshader_exec_cancel - cancel the tasks of a FIFO
 * @fifo: FIFO
 * @error: error of their fences
 *
 * Tasks added later are cancelled, too. &vshader_exec.end ends those that no thread executes.
 */
void vshader_exec_cancel(struct vshader_fifo *fifo, int error);

/**
 * vshader_exec_close - cancel the tasks of all FIFOs, at once
 * @exec: execution of a client that submits nothing any more
 */
void vshader_exec_close(struct vshader_exec *exec);

/**
 * vshader_exec_end - end the task that a FIFO has started, soon
 * @fifo: FIFO
 * @kind: fault that it ends with
 */
void vshader_exec_end(struct vshader_fifo *fifo, enum vs_fault_kind kind);

/**
 * vshader_exec_resume - resume the started task of a FIFO
 * @fifo: FIFO; its task has been stopped by a debugger, or is about to be
 */
void vshader_exec_resume(struct vshader_fifo *fifo);

#endif /* VSHADER_EXEC_H */
