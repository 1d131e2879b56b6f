// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * How jobs end: status, fault record, result in memory, ban of the queue.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "compat/vshader_compat.h"
#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_dump.h"
#include "vshader_fault.h"
#include "vshader_gem.h"
#include "vshader_inject.h"
#include "vshader_job.h"
#include "vshader_qpu.h"
#include "vshader_queue.h"
#include "vshader_sched.h"
#include "vshader_trace.h"
#include "vshader_vm.h"

static const char * const names[] = {
	[DRM_VSHADER_FAULT_NONE] = "none",
	[DRM_VSHADER_FAULT_READ] = "read",
	[DRM_VSHADER_FAULT_WRITE] = "write",
	[DRM_VSHADER_FAULT_FETCH] = "fetch",
	[DRM_VSHADER_FAULT_MISALIGNED] = "misaligned",
	[DRM_VSHADER_FAULT_ENCODING] = "encoding",
	[DRM_VSHADER_FAULT_BUDGET] = "budget",
	[DRM_VSHADER_FAULT_TIMEOUT] = "timeout",
	[DRM_VSHADER_FAULT_DEADLOCK] = "deadlock",
	[DRM_VSHADER_FAULT_HANG] = "hang",
	[DRM_VSHADER_FAULT_OVERFLOW] = "overflow",
	[DRM_VSHADER_FAULT_COMMAND] = "command",
	[DRM_VSHADER_FAULT_CANCELED] = "canceled",
	[DRM_VSHADER_FAULT_HAZARD] = "hazard",
};

const char *vshader_fault_name(u32 kind)
{
	return kind < ARRAY_SIZE(names) ? names[kind] : "unknown";
}

void vshader_fault_fill(const struct vs_fault *in, u32 engine, u64 number,
			struct drm_vshader_fault *out)
{
	memset(out, 0, sizeof(*out));
	out->kind = in->kind;
	out->engine = engine;
	out->address = in->address;
	out->pc = in->pc;
	out->size = in->size;
	out->invocation = in->invocation;
	out->job = number;
	out->draw = in->draw;
	out->stream = in->stream;
	out->depth = in->depth;
	out->info = in->info;
	out->active = in->active;
}

static int fault_errno(const struct vshader_job *job, u32 kind)
{
	switch (kind) {
	case DRM_VSHADER_FAULT_NONE:
		return 0;
	case DRM_VSHADER_FAULT_BUDGET:
	case DRM_VSHADER_FAULT_TIMEOUT:
		return -ETIME;
	case DRM_VSHADER_FAULT_CANCELED:
		return READ_ONCE(job->queue->error) ?: -ECANCELED;
	default:
		return -EIO;
	}
}

/* Status and fault record of a job that has ended. */
static void take_fault(struct vshader_job *job)
{
	struct vs_fault fault = { .pc = ~0, .stream = ~0 };
	u32 engine = job->queue->isa->id;

	if (job->cancel)
		fault.kind = job->stalled ? VS_FAULT_TIMEOUT : VS_FAULT_CANCELED;
	else if (job->engine)
		fault = *vs_job_get_fault(job->engine);
	if (fault.kind == VS_FAULT_TIMEOUT && job->stalled)
		fault.info = DRM_VSHADER_TIMEOUT_STALLED;
	vshader_inject_fault(job, &fault);
	if (fault.kind != VS_FAULT_NONE)
		vshader_fault_fill(&fault, engine, job->number, &job->fault);
	job->status = job->cancel ?: fault_errno(job, fault.kind);
}

static u64 job_invocations(const struct vshader_job *job)
{
	return job->engine ? vs_job_invocations(job->engine) : 0;
}

static void write_result(const struct vshader_job *job)
{
	struct drm_vshader_job_result result = {
		.status = job->status,
		.stray_reads = vshader_qpu_stray_reads(job),
		.invocations = job_invocations(job),
		.weight = job->engine ? vs_job_weight(job->engine) : 0,
		.busy_ns = atomic64_read(&job->busy_ns),
		.fault = job->fault,
	};

	if (job->result_va)
		vs_map_write(&job->map->vs, job->result_va, &result, sizeof(result));
}

static u32 state_bits(u32 kind)
{
	switch (kind) {
	case DRM_VSHADER_FAULT_NONE:
	case DRM_VSHADER_FAULT_CANCELED:
		return 0;
	case DRM_VSHADER_FAULT_BUDGET:
	case DRM_VSHADER_FAULT_TIMEOUT:
		return DRM_VSHADER_QUEUE_STATE_TIMEDOUT;
	default:
		return DRM_VSHADER_QUEUE_STATE_FAULT;
	}
}

static void update_queue(const struct vshader_job *job)
{
	struct vshader_queue *q = job->queue;
	u32 bits = state_bits(job->fault.kind);

	spin_lock(&q->lock);
	if (bits && !q->state) {
		q->fault = job->fault;
		vshader_qpu_get_states(job, &q->qpus);
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

	take_fault(job);
	write_result(job);
	vshader_inject_result(job);
	update_queue(job);
	if (state_bits(job->fault.kind))
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
