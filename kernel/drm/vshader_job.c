// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Jobs and their memory
 *
 * Everything that a job needs is allocated when it is submitted, before it is armed, and
 * charged to the submitting process. A queued job has
 *
 * - &struct vshader_job, its fence and the scheduler's fence: about 1 KiB;
 * - the engine job: its control structures, a few KiB for each phase;
 * - shader jobs: the work that their family made of the descriptor, e.g. uniforms in the
 *   numeric model's form or threads, at most %VSHADER_MAX_JOB_MEMORY. Streams are read and
 *   written in place;
 * - command lists: programs, uniforms and scratch as counted by vs_native_memory(), at most
 *   %VSHADER_MAX_JOB_MEMORY;
 * - what it was submitted with, for dumps: its descriptors, usually less than 1 KiB;
 * - a reference to the address space's snapshot, which is shared by all jobs until the
 *   next bind.
 *
 * Registers, divergence state and machines of running jobs are in execution slots, which the
 * client's jobs share (vshader_slot.c). %VSHADER_MAX_QUEUED unfinished jobs per queue bound
 * the rest.
 *
 * Freeing a job may take reservation locks (unmapping imported buffers) and wait, which
 * the scheduler's free_job must not: it only puts the job on a list of its client. What
 * execution needed is freed as soon as the job has ended, after the device core dump of a
 * fault has been made.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/stdarg.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include <drm/drm_print.h>

#include "compat/vshader_compat.h"
#include "families/family.h"
#include "vshader_args.h"
#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_dump.h"
#include "vshader_exec.h"
#include "vshader_fault.h"
#include "vshader_gem.h"
#include "vshader_inject.h"
#include "vshader_job.h"
#include "vshader_program.h"
#include "vshader_queue.h"
#include "vshader_quota.h"
#include "vshader_record.h"
#include "vshader_sched.h"
#include "vshader_trace.h"
#include "vshader_vm.h"

/* What execution needed, and the memory that was charged. */
static void job_finish(struct vshader_job *job)
{
	if (job->finished)
		return;
	job->finished = true;
	if (job->engine)
		vs_job_free(job->engine);
	if (job->native)
		vs_native_free(job->native);
	vshader_inject_free(job);
	if (job->work)
		job->queue->family->free(job->work);
	kvfree(job->words);
	vshader_capture_free(&job->args);
	if (job->bytes)
		vshader_quota_uncharge(job->queue->file, job->bytes);
}

static void job_free(struct vshader_job *job)
{
	struct vshader_fence *fence = job->fence;

	job_finish(job);
	if (job->has_base)
		drm_sched_job_cleanup(&job->base);
	vshader_program_put(job->prog);
	vshader_map_put(job->map);
	vshader_queue_put(job->queue);
	kfree(job);
	/* last: holds the module */
	vshader_fence_put(fence);
}

/* The first time that a job is in the list it has ended, the second time it has no users. */
static void reap_job(struct vshader_job *job)
{
	if (job->finished) {
		job_free(job);
		return;
	}
	vshader_dump(job);
	vshader_exec_release(job);
	job_finish(job);
	vshader_job_put(job);
}

void vshader_job_reap(struct work_struct *work)
{
	struct vshader_file *vf = container_of(work, struct vshader_file, reap);
	struct llist_node *list = llist_del_all(&vf->reap_list);
	struct vshader_job *job, *next;

	/* the last job takes the file along */
	llist_for_each_entry_safe(job, next, list, free) {
		reap_job(job);
		cond_resched();
	}
}

static void reap_later(struct vshader_job *job)
{
	struct vshader_file *vf = job->queue->file;

	if (llist_add(&job->free, &vf->reap_list))
		queue_work(vshader_wq, &vf->reap);
}

static void job_release(struct kref *ref)
{
	reap_later(container_of(ref, struct vshader_job, ref));
}

void vshader_job_ended(struct vshader_job *job)
{
	reap_later(job);
}

void vshader_job_get(struct vshader_job *job)
{
	kref_get(&job->ref);
}

void vshader_job_put(struct vshader_job *job)
{
	kref_put(&job->ref, job_release);
}

int vshader_job_set_engine(struct vshader_job *job, const struct vs_map *map, u32 phases)
{
	struct vshader_device *vdev = job->queue->file->vdev;
	const struct vs_job_limits lim = {
		.budget = job->queue->budget,
		.simd = vdev->simd,
		.slice = vdev->slice,
		.dbg = job->queue->debug ? &job->queue->debug->c.dbg : NULL,
	};

	job->engine = vs_job_new(map, &lim, phases);
	return job->engine ? 0 : -ENOMEM;
}

/* A debugger's own copy of the state of a block. */
#define DEBUG_BYTES	SZ_512K

int vshader_job_reserve(struct vshader_job *job)
{
	u64 bytes = sizeof(*job);
	int ret;

	if (job->native)
		bytes += vs_native_memory(job->native);
	if (job->queue->debug)
		bytes += DEBUG_BYTES;
	ret = vshader_quota_charge(job->queue->file, bytes);
	if (ret)
		return ret;
	job->bytes = bytes;
	return vshader_exec_reserve(job);
}

/* ---- shader jobs ---- */

/**
 * struct job_shader - A shader job at submit.
 * @base: the family's view
 * @drm: device, for messages
 */
struct job_shader {
	struct vshader_shader base;
	struct drm_device *drm;
};

static int copy_struct(void *dst, size_t dst_size, u64 src, size_t src_size, size_t min_size,
		       const char *what)
{
	return vshader_copy_struct(dst, dst_size, src, src_size, min_size);
}

static int __printf(3, 4) shader_fail(const struct vshader_shader *s, int err,
				      const char *fmt, ...)
{
	struct drm_device *drm = container_of(s, struct job_shader, base)->drm;
	struct va_format vaf = { .fmt = fmt };
	va_list ap;

	va_start(ap, fmt);
	vaf.va = &ap;
	drm_dbg(drm, "%pV\n", &vaf);
	va_end(ap);
	return -err;
}

static const struct vshader_shader_ops shader_ops = {
	.copy_struct = copy_struct,
	.fail = shader_fail,
};

static int shader_make(struct vshader_job *job, const struct drm_vshader_shader_job *d)
{
	const struct vshader_family *family = job->queue->family;
	const struct job_shader s = {
		.base = {
			.ops = &shader_ops,
			.family = family,
			.isa = job->queue->isa,
			.prog = job->prog->vs,
			.map = &job->map->vs,
			.va_limit = vshader_vm_limit(job->queue->vm),
			.max_memory = VSHADER_MAX_JOB_MEMORY,
			.max_invocations = VSHADER_MAX_INVOCATIONS,
		},
		.drm = &job->queue->file->vdev->drm,
	};
	int ret;

	ret = family->make(&s.base, d, &job->work);
	if (ret || !job->work)
		return ret;
	ret = vshader_job_set_engine(job, &job->map->vs, 1);
	return ret ?: family->add(job->work, job->engine);
}

static int shader_init(struct vshader_job *job, const struct drm_vshader_job *uj)
{
	struct drm_vshader_shader_job d;
	int ret;

	ret = vshader_copy_struct(&d, sizeof(d), uj->desc, uj->desc_size,
				  offsetofend(struct drm_vshader_shader_job, pad));
	if (ret)
		return ret;
	job->prog = vshader_program_lookup(job->queue->file, d.program);
	if (!job->prog)
		return -ENOENT;
	job->program_id = d.program;
	if (job->prog->vs->isa != job->queue->isa)
		return -EINVAL;
	return shader_make(job, &d);
}

/* ---- all jobs ---- */

static int native_init(struct vshader_job *job, const struct drm_vshader_job *uj)
{
	int ret;

	ret = vshader_copy_struct(&job->native_desc, sizeof(job->native_desc), uj->desc,
				  uj->desc_size,
				  offsetofend(struct drm_vshader_native_job, memory));
	return ret ?: vshader_native_copy(job);
}

static int check_result(const struct vshader_job *job)
{
	if (!job->result_va)
		return 0;
	if (job->result_va % 8 || !vshader_map_writable(job->map, job->result_va,
							sizeof(struct drm_vshader_job_result)))
		return -EINVAL;
	return 0;
}

static int copy_user(void *dst, u64 src, u64 size)
{
	return copy_from_user(dst, u64_to_user_ptr(src), size) ? -EFAULT : 0;
}

static int capture(struct vshader_job *job, const struct drm_vshader_job *uj)
{
	struct vshader_capturing k = {
		.c = &job->args,
		.copy = copy_user,
		.block_size = job->queue->family->block_size,
		.block = job->queue->family->capture,
	};

	return vshader_capture_job(&k, uj);
}

static int job_init(struct vshader_job *job, struct drm_file *file,
		    const struct drm_vshader_job *uj)
{
	struct vshader_file *vf = file->driver_priv;
	int ret;

	if (uj->flags & ~DRM_VSHADER_JOB_NO_IMPLICIT_SYNC)
		return -EINVAL;
	job->queue = vshader_queue_lookup(vf, uj->queue_id);
	if (!job->queue)
		return -ENOENT;
	job->flags = uj->flags;
	job->result_va = uj->result_va;
	job->map = vshader_vm_snapshot(job->queue->vm);
	ret = check_result(job);
	if (!ret)
		ret = vshader_inject_job(job);
	if (ret)
		return ret;

	switch (uj->type) {
	case DRM_VSHADER_JOB_SHADER:
		ret = shader_init(job, uj);
		break;
	case DRM_VSHADER_JOB_NATIVE:
		ret = native_init(job, uj);
		break;
	default:
		ret = -EINVAL;
	}
	if (!ret)
		ret = capture(job, uj);
	if (ret)
		return ret;

	job->fence = vshader_fence_new(job->queue->file->sched);
	if (!job->fence)
		return -ENOMEM;
	ret = vshader_compat_job_init(&job->base, &job->queue->entity, vf, vf->client_id);
	job->has_base = !ret;
	return ret;
}

struct vshader_job *vshader_job_new(struct drm_file *file, const struct drm_vshader_job *uj)
{
	struct vshader_job *job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!job)
		return ERR_PTR(-ENOMEM);
	kref_init(&job->ref);
	INIT_LIST_HEAD(&job->fifo);
	INIT_LIST_HEAD(&job->head);
	INIT_LIST_HEAD(&job->run);
	INIT_LIST_HEAD(&job->parked);
	INIT_LIST_HEAD(&job->recorded);
	ret = job_init(job, file, uj);
	if (ret) {
		job_free(job);
		return ERR_PTR(ret);
	}
	return job;
}

void vshader_job_abort(struct vshader_job *job)
{
	if (!job)
		return;
	if (job->pool)
		vshader_exec_unreserve(job);
	job_free(job);
}

/* ---- the end ---- */

static u64 job_invocations(const struct vshader_job *job)
{
	return job->engine ? vs_job_invocations(job->engine) : 0;
}

static void write_result(const struct vshader_job *job)
{
	struct drm_vshader_job_result result = {
		.status = job->status,
		.stray_reads = vshader_family_stray_reads(job->queue->family, job->work,
							  job->native),
		.invocations = job_invocations(job),
		.weight = job->engine ? vs_job_weight(job->engine) : 0,
		.busy_ns = atomic64_read(&job->busy_ns),
		.fault = job->fault,
	};

	if (job->result_va)
		vs_map_write(&job->map->vs, job->result_va, &result, sizeof(result));
}

static void update_queue(const struct vshader_job *job)
{
	struct vshader_queue *q = job->queue;
	u32 bits = vshader_fault_state(job->fault.kind);

	spin_lock(&q->lock);
	if (bits && !q->state) {
		q->fault = job->fault;
		q->num_states = vshader_family_states(q->family, job->work, job->native,
						      q->states);
	}
	q->state |= bits;
	q->completed++;
	q->invocations += job_invocations(job);
	spin_unlock(&q->lock);
}

void vshader_job_complete(struct vshader_job *job)
{
	struct vshader_device *vdev = job->queue->file->vdev;
	struct dma_fence *fence = &job->fence->base;

	vshader_fault_take(job);
	write_result(job);
	vshader_inject_result(job);
	vshader_record_end(job);
	update_queue(job);
	if (vshader_fault_state(job->fault.kind))
		trace_vshader_fault(job);
	trace_vshader_job_done(job);
	vshader_debug_ended(job);

	atomic_dec(&job->queue->queued);
	atomic_dec(&job->queue->vm->tag->jobs);
	if (job->status) {
		/* 6.1 does not pass errors on to the finished fence */
		dma_fence_set_error(&job->base.s_fence->finished, job->status);
		dma_fence_set_error(fence, job->status);
	}
	vshader_compat_sched_front(&job->base);
	dma_fence_signal(fence);
	if (atomic_dec_and_test(&vdev->jobs))
		wake_up_all(&vdev->idle);
}
