/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Debugging of a queue's jobs: the driver's side.
 */
#ifndef VSHADER_DEBUG_H
#define VSHADER_DEBUG_H

#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "debug/session.h"

struct vs_isa;
struct vs_job;
struct vshader_fifo;

#define VSHADER_DEFAULT_STOP_MS	600000U
/* Queues that can be debugged, per file: each has execution slots of its own. */
#define VSHADER_MAX_DEBUG	16

/* Module parameter: seconds that a job may be stopped at most. */
extern unsigned int vshader_max_stop_s;

/**
 * struct vshader_debug - Debugging of a queue; has the lifetime of the queue.
 * @fifo: the queue's FIFO
 * @put: drops a reference to the queue
 * @lock: protects @c
 * @c: state shared with the library
 * @wait: waiters for events
 * @limit: ends a job that has been stopped for too long
 */
struct vshader_debug {
	struct vshader_fifo *fifo;
	void (*put)(struct vshader_fifo *fifo);

	/** @lock: protects @c; inside of no other lock than the device's queues_lock */
	spinlock_t lock;
	struct vs_session c;
	wait_queue_head_t wait;
	struct delayed_work limit;
};

/**
 * vshader_debug_new - debugging for a queue
 * @isa: its engine
 * @fifo: its FIFO
 * @put: drops a reference to it
 *
 * Return: debugging, or -ENOMEM, -EOPNOTSUPP as an error pointer.
 */
struct vshader_debug *vshader_debug_new(const struct vs_isa *isa, struct vshader_fifo *fifo,
					void (*put)(struct vshader_fifo *fifo));

/**
 * vshader_debug_free - free it with its queue; may sleep
 * @g: debugging, or NULL
 */
void vshader_debug_free(struct vshader_debug *g);

/**
 * vshader_debug_slice - a thread is about to execute a slice
 * @g: debugging of the job's queue
 * @number: number of the job
 * @program: id of its program, or 0
 */
void vshader_debug_slice(struct vshader_debug *g, u64 number, u32 program);

/**
 * vshader_debug_stopped - handle a slice that ended with VS_RUN_STOP
 * @g: debugging of the job's queue
 * @engine: engine job
 *
 * Return: false: the job continues.
 */
bool vshader_debug_stopped(struct vshader_debug *g, const struct vs_job *engine);

/**
 * vshader_debug_ended - a job has ended, its result is written
 * @g: debugging of its queue, or NULL
 * @number: number of the job
 * @status: 0 or an error
 * @kind: enum drm_vshader_fault_kind
 */
void vshader_debug_ended(struct vshader_debug *g, u64 number, int status, u32 kind);

/**
 * vshader_debug_gone - the queue is no more; its jobs are being cancelled
 * @g: debugging of the queue, or NULL
 */
void vshader_debug_gone(struct vshader_debug *g);

/**
 * vshader_debug_attach - begin a session
 * @g: debugging of a queue
 * @args: arguments of the ioctl
 *
 * Return: 0, and the session's file, which takes a reference to the queue over; or an error.
 */
int vshader_debug_attach(struct vshader_debug *g, struct drm_vshader_debug_attach *args);

#endif /* VSHADER_DEBUG_H */
