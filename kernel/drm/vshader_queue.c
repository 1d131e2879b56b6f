// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Queues.
 *
 * A queue's scheduler entity is never killed with jobs in it: killing waits for foreign
 * fences, and the errors that the jobs end with differ between kernels. Instead, the queue
 * is marked; its jobs drain through run_job and end at once with the error. Every job
 * holds the queue, so that the entity is empty when it is torn down.
 */
#include <linux/capability.h>
#include <linux/dma-fence.h>
#include <linux/slab.h>

#include "compat/vshader_compat.h"
#include "families/family.h"
#include "vshader_args.h"
#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_queue.h"
#include "vshader_quota.h"
#include "vshader_sched.h"
#include "vshader_vm.h"

static const enum drm_sched_priority sched_priorities[VSHADER_NUM_PRIORITIES] = {
	[DRM_VSHADER_PRIORITY_LOW] = VSHADER_SCHED_LOW,
	[DRM_VSHADER_PRIORITY_MEDIUM] = DRM_SCHED_PRIORITY_NORMAL,
	[DRM_VSHADER_PRIORITY_HIGH] = DRM_SCHED_PRIORITY_HIGH,
};

struct vshader_queue *vshader_queue_lookup(struct vshader_file *vf, u32 id)
{
	struct vshader_queue *q;

	xa_lock(&vf->queues);
	q = xa_load(&vf->queues, id);
	if (q)
		kref_get(&q->ref);
	xa_unlock(&vf->queues);
	return q;
}

static void free_native(struct vshader_queue *q)
{
	u32 i;

	for (i = 0; i < VS_NUM_NATIVE; i++) {
		if (q->native[i])
			vs_native_state_free(q->native[i]);
	}
}

static int alloc_native(struct vshader_queue *q)
{
	u32 formats = vs_native_formats(q->isa->id);
	u32 i;

	for (i = 0; i < VS_NUM_NATIVE; i++) {
		if (!(formats & BIT(i)))
			continue;
		q->native[i] = vs_native_state_new(i);
		if (!q->native[i])
			return -ENOMEM;
	}
	return 0;
}

static int alloc_states(struct vshader_queue *q)
{
	const struct vshader_family *f = q->family;

	if (!f->max_states)
		return 0;
	q->states = kvcalloc(f->max_states, f->state_size, GFP_KERNEL_ACCOUNT);
	return q->states ? 0 : -ENOMEM;
}

/* A debugger's session. */
#define SESSION_BYTES	SZ_1M

static int queue_charge(struct vshader_queue *q, u64 bytes)
{
	int ret = vshader_quota_charge(q->file->account, bytes);

	if (ret)
		return ret;
	q->charged += bytes;
	return 0;
}

static int charge_new(struct vshader_queue *q, bool debug)
{
	u64 bytes = sizeof(*q) + q->family->max_states * q->family->state_size;
	u32 i, formats = vs_native_formats(q->isa->id);

	for (i = 0; i < VS_NUM_NATIVE; i++)
		bytes += formats & BIT(i) ? vs_native_state_bytes(i) : 0;
	return queue_charge(q, bytes + (debug ? SESSION_BYTES : 0));
}

int vshader_queue_reserve(struct vshader_queue *q, u32 n)
{
	int ret;

	if (n <= q->slots)
		return 0;
	/* lists of fences double */
	ret = queue_charge(q, 2ULL * sizeof(void *) * (n - q->slots));
	if (ret)
		return ret;
	q->slots = n;
	return 0;
}

static void put_debugged(struct vshader_fifo *fifo)
{
	vshader_queue_put(container_of(fifo, struct vshader_queue, fifo));
}

static int init_debug(struct vshader_queue *q)
{
	struct vshader_debug *g;

	if (atomic_inc_return(&q->file->debug_queues) > VSHADER_MAX_DEBUG) {
		atomic_dec(&q->file->debug_queues);
		return -E2BIG;
	}
	g = vshader_debug_new(q->isa, &q->fifo, put_debugged);
	if (IS_ERR(g)) {
		atomic_dec(&q->file->debug_queues);
		return PTR_ERR(g);
	}
	q->debug = g;
	q->fifo.own_slots = true;
	q->fifo.time_scale = VS_SESSION_TIME_SCALE;
	return 0;
}

static void free_debug(struct vshader_queue *q)
{
	if (!q->debug)
		return;
	vshader_debug_free(q->debug);
	atomic_dec(&q->file->debug_queues);
}

static void queue_release(struct kref *ref)
{
	struct vshader_queue *q = container_of(ref, struct vshader_queue, ref);
	struct vshader_device *vdev = q->file->vdev;

	spin_lock(&vdev->queues_lock);
	list_del_init(&q->node);
	spin_unlock(&vdev->queues_lock);

	if (q->base)
		drm_sched_entity_fini(&q->entity);
	vshader_fifo_fini(&q->fifo);
	free_debug(q);
	free_native(q);
	vshader_vm_put(q->vm);
	vshader_quota_uncharge(q->file->account, q->charged);
	vshader_file_put(q->file);
	kvfree(q->states);
	kfree(q);
}

void vshader_queue_put(struct vshader_queue *q)
{
	if (q)
		kref_put(&q->ref, queue_release);
}

bool vshader_queue_banned(struct vshader_queue *q)
{
	bool banned;

	spin_lock(&q->lock);
	banned = q->state;
	spin_unlock(&q->lock);
	return banned;
}

void vshader_queue_close(struct vshader_queue *q)
{
	vshader_exec_cancel(&q->fifo, -ECANCELED);
	vshader_debug_gone(q->debug);
	vshader_queue_put(q);
}

static int start_locked(struct vshader_file *vf)
{
	int ret;

	if (!vf->is_client) {
		ret = vshader_quota_add_client(vf);
		if (ret)
			return ret;
	}
	if (!vf->sched) {
		vf->sched = vshader_sched_new(vf->vdev, vf->client_id, vf->ops->sched);
		if (!vf->sched)
			return -ENOMEM;
	}
	return vshader_exec_start(vf->exec, 1);
}

/* Before the first queue: scheduler and a thread. */
static int start_client(struct vshader_file *vf)
{
	int ret = mutex_lock_interruptible(&vf->submit_lock);

	if (ret)
		return ret;
	ret = start_locked(vf);
	mutex_unlock(&vf->submit_lock);
	return ret;
}

static int queue_check_args(const struct drm_device *drm,
			    const struct drm_vshader_queue_create *args,
			    const struct vs_isa *isa)
{
	if (args->flags & ~DRM_VSHADER_QUEUE_DEBUG || !isa)
		return vshader_einval(drm, "flags %#x, known %#x, or unknown engine %u",
				      args->flags, DRM_VSHADER_QUEUE_DEBUG, args->engine);
	if (args->priority > DRM_VSHADER_PRIORITY_HIGH)
		return vshader_einval(drm, "priority %u, limit %u", args->priority,
				      DRM_VSHADER_PRIORITY_HIGH);
	if (args->budget > VSHADER_MAX_BUDGET || args->time_limit_ms > VSHADER_MAX_TIME_MS)
		return -E2BIG;
	if (args->priority == DRM_VSHADER_PRIORITY_HIGH && !capable(CAP_SYS_NICE))
		return -EACCES;
	return 0;
}

/* On failure, queue_release() frees what was taken. */
static int queue_init(struct vshader_queue *q, struct vshader_file *vf,
		      const struct drm_vshader_queue_create *args, const struct vs_isa *isa)
{
	struct drm_gpu_scheduler *base;
	int ret;

	kref_init(&q->ref);
	INIT_LIST_HEAD(&q->node);
	spin_lock_init(&q->lock);
	init_waitqueue_head(&q->room);
	q->file = vshader_file_get(vf);
	q->fifo.exec = vf->exec;
	q->fifo.priority = args->priority;
	q->fifo.engine = isa->id;
	q->fifo.time_limit_ms = args->time_limit_ms ?: VSHADER_DEFAULT_TIME_MS;
	vshader_fifo_init(&q->fifo);
	q->isa = isa;
	q->family = vshader_family_of(isa);
	q->budget = args->budget ?: VSHADER_MAX_BUDGET;
	q->context = dma_fence_context_alloc(1);
	q->pid = task_tgid_nr(current);
	get_task_comm(q->comm, current);

	q->vm = vshader_vm_lookup(vf, args->vm_id);
	if (!q->vm)
		return -ENOENT;
	if (q->vm->bits != isa->va_bits)
		return vshader_einval(&vf->vdev->drm, "VM %u has %u bits, engine %u needs %u",
				      args->vm_id, q->vm->bits, args->engine, isa->va_bits);
	ret = charge_new(q, args->flags & DRM_VSHADER_QUEUE_DEBUG);
	if (ret)
		return ret;
	ret = alloc_native(q);
	if (ret)
		return ret;
	ret = alloc_states(q);
	if (ret)
		return ret;
	if (args->flags & DRM_VSHADER_QUEUE_DEBUG) {
		ret = init_debug(q);
		if (ret)
			return ret;
	}
	ret = start_client(vf);
	if (ret)
		return ret;
	base = &vf->sched->base;
	ret = drm_sched_entity_init(&q->entity, sched_priorities[args->priority], &base, 1, NULL);
	if (ret)
		return ret;
	q->base = base;
	return 0;
}

/* Add the queue to the device's list, so that unplugging finds it. */
static int queue_add(struct vshader_device *vdev, struct vshader_queue *q)
{
	int ret = 0;

	spin_lock(&vdev->queues_lock);
	if (vdev->gone)
		ret = -ENODEV;
	else
		list_add_tail(&q->node, &vdev->queues);
	spin_unlock(&vdev->queues_lock);
	return ret;
}

/**
 * vshader_queue_create - DRM_IOCTL_VSHADER_QUEUE_CREATE
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_queue_create(struct drm_file *file, struct drm_vshader_queue_create *args)
{
	const struct vs_isa *isa = vs_isa_by_id(args->engine);
	struct vshader_file *vf = file->driver_priv;
	struct vshader_queue *q;
	int ret;

	ret = queue_check_args(&vf->vdev->drm, args, isa);
	if (ret)
		return ret;
	q = kzalloc(sizeof(*q), GFP_KERNEL_ACCOUNT);
	if (!q)
		return -ENOMEM;
	ret = queue_init(q, vf, args, isa);
	if (ret)
		goto err_put;
	ret = queue_add(vf->vdev, q);
	if (ret)
		goto err_put;
	ret = vshader_id_alloc(&vf->queues, q, &args->id);
	if (ret)
		goto err_put;
	return 0;

err_put:
	vshader_queue_put(q);
	return ret;
}

/**
 * vshader_queue_destroy - DRM_IOCTL_VSHADER_QUEUE_DESTROY
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_queue_destroy(struct drm_file *file, struct drm_vshader_queue_destroy *args)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_queue *q;

	if (args->pad)
		return vshader_einval(&vf->vdev->drm, "pad %u, expected 0", args->pad);
	q = xa_erase(&vf->queues, args->id);
	if (!q)
		return -ENOENT;
	vshader_queue_close(q);
	return 0;
}

/**
 * vshader_queue_get_state - DRM_IOCTL_VSHADER_QUEUE_GET_STATE
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_queue_get_state(struct drm_file *file, struct drm_vshader_queue_get_state *args)
{
	struct vshader_queue *q;
	u32 num_states;
	int ret;

	if (args->pad)
		return vshader_einval(file->minor->dev, "pad %u, expected 0", args->pad);
	q = vshader_queue_lookup(file->driver_priv, args->id);
	if (!q)
		return -ENOENT;
	spin_lock(&q->lock);
	args->state = q->state;
	args->completed = q->completed;
	args->invocations = q->invocations;
	args->fault = q->fault;
	num_states = q->num_states;
	spin_unlock(&q->lock);
	/* after completed, which it must not be lower than */
	args->submitted = READ_ONCE(q->submitted);
	args->busy_ns = atomic64_read(&q->fifo.busy_ns);
	ret = vshader_copy_answer(args->engine_state, &args->engine_state_size, q->states,
				  num_states * q->family->state_size);
	vshader_queue_put(q);
	return ret;
}

/**
 * vshader_queue_debug - DRM_IOCTL_VSHADER_DEBUG_ATTACH
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_queue_debug(struct drm_file *file, struct drm_vshader_debug_attach *args)
{
	struct vshader_queue *q = vshader_queue_lookup(file->driver_priv, args->queue_id);
	int ret;

	if (!q)
		return -ENOENT;
	ret = q->debug ? vshader_debug_attach(q->debug, args) : -EOPNOTSUPP;
	if (ret)
		vshader_queue_put(q);
	return ret;
}
