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

struct drm_file;
struct vshader_job;
struct vshader_queue;

#define VSHADER_DEFAULT_STOP_MS	600000U
/* Queues that can be debugged, per file: each has execution slots of its own. */
#define VSHADER_MAX_DEBUG	16

/* Module parameter: seconds that a job may be stopped at most. */
extern unsigned int vshader_max_stop_s;

/**
 * struct vshader_debug - Debugging of a queue; as old as the queue.
 * @queue: queue
 * @lock: protects @c
 * @c: what is shared with the library
 * @wait: who waits for events
 * @limit: ends a job that has been stopped for too long
 */
struct vshader_debug {
	struct vshader_queue *queue;

	/** @lock: protects @c; inside of no other lock than the device's queues_lock */
	spinlock_t lock;
	struct vs_session c;
	wait_queue_head_t wait;
	struct delayed_work limit;
};

/**
 * vshader_debug_new - make a queue one that can be debugged
 * @q: queue
 *
 * Return: 0, -ENOMEM, -EOPNOTSUPP.
 */
int vshader_debug_new(struct vshader_queue *q);

/**
 * vshader_debug_free - free it with its queue; may sleep
 * @g: debugging, or NULL
 */
void vshader_debug_free(struct vshader_debug *g);

/**
 * vshader_debug_slice - a worker is about to execute a slice
 * @job: job of a queue that can be debugged
 */
void vshader_debug_slice(struct vshader_job *job);

/**
 * vshader_debug_stopped - a slice ended with VS_RUN_STOP
 * @job: job
 *
 * Return: false: the job goes on.
 */
bool vshader_debug_stopped(struct vshader_job *job);

/**
 * vshader_debug_ended - a job has ended, its result is written
 * @job: job of any queue
 */
void vshader_debug_ended(struct vshader_job *job);

/**
 * vshader_debug_gone - the queue is no more; its jobs are being cancelled
 * @q: any queue
 */
void vshader_debug_gone(struct vshader_queue *q);

/* The ioctl; arguments as in the uAPI. */
int vshader_debug_attach(struct drm_file *file, struct drm_vshader_debug_attach *args);

#endif /* VSHADER_DEBUG_H */
