/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Execution slots: where the state of started jobs lives.
 */
#ifndef VSHADER_SLOT_H
#define VSHADER_SLOT_H

#include <linux/list.h>
#include <linux/types.h>

struct vs_worker;
struct vshader_exec;
struct vshader_task;

/* Arenas: none, then 4 MiB, each class twice the one before. */
#define VSHADER_SLOT_CLASSES	6

/**
 * struct vshader_slot - Registers and arena of a started task.
 * @node: in &vshader_pool.free or &vshader_task.parked
 * @pool: where it comes from
 * @ctx: the engine's context
 * @task: task that has it, or NULL
 */
struct vshader_slot {
	struct list_head node;
	struct vshader_pool *pool;
	struct vs_worker *ctx;
	struct vshader_task *task;
};

/**
 * struct vshader_pool - Slots of one size for jobs of one priority, or of one debug queue.
 * @free: slots without a job
 * @class: size of the slots' arenas
 * @most: slots that there may be
 * @total: slots that there are
 * @nfree: how many of them are in @free
 * @busy: queues with unfinished jobs that need such a slot
 *
 * Protected by &vshader_exec.lock. Slots are added and removed only under
 * &vshader_file.submit_lock, or when no job is left.
 */
struct vshader_pool {
	struct list_head free;
	u32 class;
	u32 most;
	u32 total;
	u32 nfree;
	u32 busy;
};

/**
 * vshader_pools_init - initialise pools of all classes
 * @pools: %VSHADER_SLOT_CLASSES of them
 * @many: jobs that may be started at the same time; of those with more than 4 MiB only one
 */
void vshader_pools_init(struct vshader_pool *pools, u32 many);

/**
 * vshader_slot_class - class of slots for an arena
 * @arena: bytes
 *
 * Return: class, at most %VSHADER_SLOT_CLASSES - 1.
 */
u32 vshader_slot_class(u64 arena);

/**
 * vshader_pool_grow - make sure that a pool has slots
 * @exec: client's execution
 * @pool: one of its pools
 * @n: slots wanted; fewer will do if there is at least one
 *
 * May sleep; under &vshader_file.submit_lock.
 *
 * Return: 0, -ENOMEM, -EDQUOT, -ENOSPC.
 */
int vshader_pool_grow(struct vshader_exec *exec, struct vshader_pool *pool, u32 n);

/**
 * vshader_pools_trim - free all slots without a job
 * @exec: client's execution
 * @pools: %VSHADER_SLOT_CLASSES pools
 */
void vshader_pools_trim(struct vshader_exec *exec, struct vshader_pool *pools);

/* With &vshader_exec.lock. Return: a free slot, or NULL. */
struct vshader_slot *vshader_slot_get(struct vshader_pool *pool);
void vshader_slot_put(struct vshader_slot *slot);

#endif /* VSHADER_SLOT_H */
