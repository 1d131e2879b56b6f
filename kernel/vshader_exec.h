/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Workers: threads that execute jobs slice by slice.
 */
#ifndef VSHADER_EXEC_H
#define VSHADER_EXEC_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "engine/vs_job.h"

struct vshader_device;
struct vshader_job;
struct vshader_queue;

#define VSHADER_MAX_WORKERS	16
#define VSHADER_NUM_PRIORITIES	3

/**
 * struct vshader_worker - One execution context.
 * @work: runs on the device's workqueue
 * @idle: in &vshader_exec.idle when not queued
 * @exec: owner
 * @ctx: the engine's context
 */
struct vshader_worker {
	struct work_struct work;
	struct list_head idle;
	struct vshader_exec *exec;
	struct vs_worker *ctx;
};

/**
 * struct vshader_exec - The workers of a device and the jobs that want them.
 * @vdev: device
 * @wq: unbound workqueue
 * @lock: protects everything below, &vshader_queue.fifo and the job's exec part
 * @runnable: jobs that want more workers, per priority
 * @idle: workers that are not queued
 * @num_workers: number of @workers in use
 * @workers: the workers
 */
struct vshader_exec {
	struct vshader_device *vdev;
	struct workqueue_struct *wq;

	/** @lock: see above */
	spinlock_t lock;
	struct list_head runnable[VSHADER_NUM_PRIORITIES];
	struct list_head idle;
	u32 num_workers;
	struct vshader_worker workers[VSHADER_MAX_WORKERS];
};

/**
 * vshader_exec_init - create the workers; freed with the device
 * @vdev: device
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_exec_init(struct vshader_device *vdev);

/**
 * vshader_exec_run - hand a job over, from the scheduler's run_job
 * @job: job; a reference is taken
 *
 * Jobs of one queue are executed one after the other, in this order.
 */
void vshader_exec_run(struct vshader_job *job);

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
