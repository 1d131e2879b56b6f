// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Execution slots
 *
 * A slot is what a job needs to be executed: the engine's context (registers and control
 * state of a block) and, for machines that keep their state in memory, an arena. It belongs
 * to a client, is allocated when the client submits, zeroed once, and used by one job after
 * the other. A queued job has none: 512 queued jobs with 64 MiB each share one slot of 64 MiB.
 *
 * Slots are kept by priority, so that a job never waits for one of a lower priority, and by
 * size. Up to eight jobs with the default arena of 4 MiB are started at the same time and
 * take turns; jobs that ask for more are executed one after the other per priority and size.
 * A debug queue has slots of its own: a stopped job must not keep others from starting. A frame
 * whose tiles are drawn by several threads takes a slot for each, as long as half of them are free.
 *
 * Slots are charged to the client (see Limits) and are freed when it has been idle for a
 * while, or when it needs room for another size.
 */
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "engine/simt/simt_job.h"
#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_quota.h"
#include "vshader_slot.h"

/* Context and registers for fault reports, about. */
#define CONTEXT_BYTES	SZ_512K

void vshader_pools_init(struct vshader_pool *pools, u32 many)
{
	u32 i;

	for (i = 0; i < VSHADER_SLOT_CLASSES; i++) {
		INIT_LIST_HEAD(&pools[i].free);
		pools[i].class = i;
		pools[i].most = i < 2 ? many : 1;
	}
}

static u64 class_arena(u32 class)
{
	return class ? SIMT_JOB_MEMORY << (class - 1) : 0;
}

u32 vshader_slot_class(u64 arena)
{
	u32 class = 0;

	BUILD_BUG_ON(SIMT_JOB_MEMORY << (VSHADER_SLOT_CLASSES - 2) < VSHADER_MAX_JOB_MEMORY);
	while (class < VSHADER_SLOT_CLASSES - 1 && class_arena(class) < arena)
		class++;
	return class;
}

static u64 slot_bytes(const struct vshader_pool *pool)
{
	return CONTEXT_BYTES + class_arena(pool->class);
}

static void slot_free(struct vshader_exec *exec, struct vshader_slot *slot)
{
	vshader_quota_uncharge(exec->file->account, slot_bytes(slot->pool));
	vs_worker_free(slot->ctx);
	kfree(slot);
}

/* Idle slots make room for the first of a pool only: more of them would push each other out. */
static int slot_charge(struct vshader_exec *exec, const struct vshader_pool *pool)
{
	int ret = vshader_quota_charge(exec->file->account, slot_bytes(pool));

	if (!ret || READ_ONCE(pool->total))
		return ret;
	vshader_exec_trim(exec);
	return vshader_quota_charge(exec->file->account, slot_bytes(pool));
}

static struct vshader_slot *slot_new(struct vshader_exec *exec, struct vshader_pool *pool)
{
	struct vshader_slot *slot;
	int ret;

	ret = slot_charge(exec, pool);
	if (ret)
		return ERR_PTR(ret);
	slot = kzalloc(sizeof(*slot), GFP_KERNEL_ACCOUNT);
	if (slot)
		slot->ctx = vs_worker_new(class_arena(pool->class));
	if (!slot || !slot->ctx) {
		vshader_quota_uncharge(exec->file->account, slot_bytes(pool));
		kfree(slot);
		return ERR_PTR(-ENOMEM);
	}
	slot->pool = pool;
	return slot;
}

int vshader_pool_grow(struct vshader_exec *exec, struct vshader_pool *pool, u32 n)
{
	struct vshader_slot *slot;

	n = min(n, pool->most);
	while (READ_ONCE(pool->total) < n) {
		slot = slot_new(exec, pool);
		if (IS_ERR(slot))
			return READ_ONCE(pool->total) ? 0 : PTR_ERR(slot);
		spin_lock(&exec->lock);
		pool->total++;
		vshader_slot_put(slot);
		spin_unlock(&exec->lock);
	}
	return 0;
}

static void pool_trim(struct vshader_exec *exec, struct vshader_pool *pool)
{
	struct vshader_slot *slot;

	for (;;) {
		spin_lock(&exec->lock);
		/* those of queued jobs have to stay */
		slot = pool->total > min(pool->busy, 1U) ? vshader_slot_get(pool) : NULL;
		if (slot)
			pool->total--;
		spin_unlock(&exec->lock);
		if (!slot)
			return;
		slot_free(exec, slot);
	}
}

void vshader_pools_trim(struct vshader_exec *exec, struct vshader_pool *pools)
{
	u32 i;

	for (i = 0; i < VSHADER_SLOT_CLASSES; i++)
		pool_trim(exec, &pools[i]);
}

struct vshader_slot *vshader_slot_get(struct vshader_pool *pool)
{
	struct vshader_slot *slot = list_first_entry_or_null(&pool->free, struct vshader_slot,
							     node);

	if (slot) {
		list_del_init(&slot->node);
		pool->nfree--;
	}
	return slot;
}

void vshader_slot_put(struct vshader_slot *slot)
{
	slot->task = NULL;
	list_add(&slot->node, &slot->pool->free);
	slot->pool->nfree++;
}
