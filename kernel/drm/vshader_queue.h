/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Queues.
 */
#ifndef VSHADER_QUEUE_H
#define VSHADER_QUEUE_H

#include <linux/kref.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include <drm/gpu_scheduler.h>

#include "drm/vshader_drm.h"
#include "native/native.h"
#include "vshader_exec.h"

struct drm_file;
struct vshader_debug;
struct vshader_family;
struct vshader_file;
struct vshader_vm;

/**
 * struct vshader_queue - Jobs that are executed one after the other.
 * @ref: held by the file and by jobs
 * @file: file; holds a reference
 * @vm: address space; holds a reference
 * @isa: engine
 * @family: its family
 * @kind: of its jobs, index of &vshader_file.profiled_ns
 * @base: the file's scheduler, as the entity wants it; NULL: @entity is not initialised
 * @entity: scheduler entity
 * @budget: weight per job
 * @debug: debugging of its jobs, or NULL
 * @node: in &vshader_device.queues
 * @pid: process that made the queue
 * @comm: its name
 * @context: fence context of the jobs' own fences
 * @submitted: number of jobs submitted; under &vshader_file.submit_lock
 * @native: registers of native job formats; under &vshader_file.submit_lock
 * @charged: memory charged, bytes
 * @slots: fences that reservation objects have room for because of it, see
 *	vshader_queue_reserve(); under &vshader_file.submit_lock
 * @queued: unfinished jobs
 * @room: woken when @queued has become less
 * @fifo: execution of its jobs
 * @lock: protects everything below
 * @state: bits of enum drm_vshader_queue_state
 * @completed: number of jobs ended
 * @invocations: number of invocations completed
 * @fault: the fault that banned the queue
 * @num_states: number of processors in @states
 * @states: the processors' states at that time, as many as the family has; unchanged once
 *	@num_states is not 0
 */
struct vshader_queue {
	struct kref ref;
	struct vshader_file *file;
	struct vshader_vm *vm;
	const struct vs_isa *isa;
	const struct vshader_family *family;
	u32 kind;
	struct drm_gpu_scheduler *base;
	struct drm_sched_entity entity;
	u64 budget;
	struct vshader_debug *debug;
	struct list_head node;
	pid_t pid;
	char comm[TASK_COMM_LEN];

	u64 context;
	u64 submitted;
	struct vs_native_state *native[VS_NUM_NATIVE];

	u64 charged;
	u32 slots;
	atomic_t queued;
	wait_queue_head_t room;
	struct vshader_fifo fifo;

	/** @lock: protects everything below */
	spinlock_t lock;
	u32 state;
	u64 completed;
	u64 invocations;
	struct drm_vshader_fault fault;
	u32 num_states;
	void *states;
};

/**
 * vshader_queue_lookup - get a queue by its id
 * @vf: file
 * @id: id
 *
 * Return: a reference, or NULL.
 */
struct vshader_queue *vshader_queue_lookup(struct vshader_file *vf, u32 id);

/**
 * vshader_queue_put - drop a reference; may sleep
 * @q: queue or NULL
 */
void vshader_queue_put(struct vshader_queue *q);

/**
 * vshader_queue_reserve - charge for the fences of a job in reservation objects
 * @q: queue
 * @n: number of reservation objects
 *
 * Each has at most one fence of a queue, but keeps the memory for it. Under
 * &vshader_file.submit_lock.
 *
 * Return: 0, -EDQUOT or -ENOSPC.
 */
int vshader_queue_reserve(struct vshader_queue *q, u32 n);

/**
 * vshader_queue_banned - whether a job of the queue has faulted
 * @q: queue
 *
 * Return: true if submits must be refused.
 */
bool vshader_queue_banned(struct vshader_queue *q);

/**
 * vshader_queue_close - cancel all jobs and drop the file's reference
 * @q: queue
 */
void vshader_queue_close(struct vshader_queue *q);

/* The ioctls; arguments as in the uAPI. */
int vshader_queue_create(struct drm_file *file, struct drm_vshader_queue_create *args);
int vshader_queue_destroy(struct drm_file *file, struct drm_vshader_queue_destroy *args);
int vshader_queue_get_state(struct drm_file *file, struct drm_vshader_queue_get_state *args);
int vshader_queue_debug(struct drm_file *file, struct drm_vshader_debug_attach *args);

#endif /* VSHADER_QUEUE_H */
