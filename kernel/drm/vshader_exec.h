/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Execution: a client's threads and the jobs that they execute slice by slice.
 */
#ifndef VSHADER_EXEC_H
#define VSHADER_EXEC_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "engine/vs_job.h"
#include "vshader_slot.h"

struct task_struct;
struct vshader_file;
struct vshader_job;
struct vshader_queue;

#define VSHADER_MAX_THREADS	16
#define VSHADER_NUM_PRIORITIES	3

/**
 * struct vshader_exec - Threads of a client, and its jobs that want them.
 * @file: client
 * @lock: protects everything below but the threads, &vshader_queue.fifo and the job's
 *	exec part
 * @runnable: jobs that threads can execute, per priority; the last list is for jobs that
 *	are being cancelled
 * @waiting: bit per list of @runnable that is not empty; read without the lock
 * @started: first jobs of the queues
 * @jobs: jobs that have been reserved for and have not ended
 * @busy: queues with such jobs
 * @idle_since: jiffies when @jobs became 0
 * @wait: threads without a job
 * @pools: slots per priority and size
 * @threads: threads; protected by &vshader_file.submit_lock
 * @num_threads: number of @threads
 * @watch: looks for jobs without progress, ends idle threads
 */
struct vshader_exec {
	struct vshader_file *file;

	/** @lock: see above */
	spinlock_t lock;
	struct list_head runnable[VSHADER_NUM_PRIORITIES + 1];
	u32 waiting;
	struct list_head started;
	u32 jobs;
	u32 busy;
	unsigned long idle_since;
	wait_queue_head_t wait;
	struct vshader_pool pools[VSHADER_NUM_PRIORITIES][VSHADER_SLOT_CLASSES];
	struct task_struct *threads[VSHADER_MAX_THREADS];
	u32 num_threads;
	struct delayed_work watch;
};

/**
 * vshader_exec_max_threads - most threads of a client
 *
 * Return: at least 1.
 */
u32 vshader_exec_max_threads(void);

void vshader_exec_init(struct vshader_exec *exec, struct vshader_file *vf);

/**
 * vshader_exec_fini - end the threads of a client without jobs
 * @exec: client's execution; may sleep
 */
void vshader_exec_fini(struct vshader_exec *exec);

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
 * vshader_exec_trim - free slots that no job has
 * @exec: client's execution
 */
void vshader_exec_trim(struct vshader_exec *exec);

/**
 * vshader_exec_reserve - make sure that there are threads and a slot for a job
 * @job: job that is not armed yet
 *
 * May sleep; under &vshader_file.submit_lock. Nothing is allocated for the job later.
 *
 * Return: 0, -ENOMEM, -EDQUOT, -ENOSPC or an error of creating threads.
 */
int vshader_exec_reserve(struct vshader_job *job);

/**
 * vshader_exec_unreserve - a job for which vshader_exec_reserve() was called is not pushed
 * @job: job
 */
void vshader_exec_unreserve(struct vshader_job *job);

/**
 * vshader_exec_thread - main function of a thread
 * @data: client's execution
 *
 * Return: 0 when kthread_stop() is called and there is nothing to execute.
 */
int vshader_exec_thread(void *data);

/**
 * vshader_exec_end_stalled - end jobs that have not been executed for too long
 * @exec: client's execution
 */
void vshader_exec_end_stalled(struct vshader_exec *exec);

/**
 * vshader_exec_run - hand a job over, from the scheduler's run_job
 * @job: job; a reference is taken
 *
 * Jobs of one queue are executed one after the other, in this order.
 */
void vshader_exec_run(struct vshader_job *job);

/**
 * vshader_exec_release - give a slot back that was kept for a job's dump
 * @job: job that has ended
 */
void vshader_exec_release(struct vshader_job *job);

/**
 * vshader_exec_complete - complete a job whose completion was put off
 * @job: job that has ended, at the head of its queue
 * @slot: its slot, or NULL
 */
void vshader_exec_complete(struct vshader_job *job, struct vshader_slot *slot);

/**
 * vshader_exec_cancel - end a queue's jobs soon
 * @q: queue
 * @error: what their fences end with
 *
 * Jobs that come later are cancelled too.
 */
void vshader_exec_cancel(struct vshader_queue *q, int error);

/**
 * vshader_exec_end - end the job that a queue has started, soon
 * @q: queue
 * @kind: fault that it ends with
 */
void vshader_exec_end(struct vshader_queue *q, enum vs_fault_kind kind);

/**
 * vshader_exec_resume - the job that a queue has started goes on
 * @q: queue; its job has been stopped by a debugger, or is about to be
 */
void vshader_exec_resume(struct vshader_queue *q);

#endif /* VSHADER_EXEC_H */
