// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs from the scheduler's run_job to their fence: callbacks of the scheduler and of execution.
 * In the fence signalling path: nothing allocates, and nothing sleeps but in cond_resched();
 * the memory of jobs is freed by a work item.
 */
#include <linux/dma-fence.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "compat/vshader_compat.h"
#include "families/family.h"
#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_dump.h"
#include "vshader_exec.h"
#include "vshader_fault.h"
#include "vshader_gem.h"
#include "vshader_inject.h"
#include "vshader_job.h"
#include "vshader_job_init.h"
#include "vshader_job_run.h"
#include "vshader_queue.h"
#include "vshader_record.h"
#include "vshader_sched.h"
#include "vshader_trace.h"
#include "vshader_vm.h"

/* ---- scheduler ---- */

/* Called once for each job: nothing here ever resubmits. */
static struct dma_fence *sched_run_job(struct drm_sched_job *base)
{
	struct vshader_job *job = to_vshader_job(base);
	struct dma_fence *fence = dma_fence_get(&job->fence->base);
	bool cookie = dma_fence_begin_signalling();

	trace_vshader_job_run(job);
	vshader_job_get(job);
	vshader_exec_run(&job->task);
	dma_fence_end_signalling(cookie);
	return fence;
}

/* Never called, as the timeout is infinite. */
static enum drm_gpu_sched_stat sched_timedout_job(struct drm_sched_job *base)
{
	return vshader_compat_sched_handled();
}

static void sched_free_job(struct drm_sched_job *base)
{
	vshader_job_put(to_vshader_job(base));
}

const struct drm_sched_backend_ops vshader_job_sched_ops = {
	.run_job = sched_run_job,
	.timedout_job = sched_timedout_job,
	.free_job = sched_free_job,
};

/* ---- execution ---- */

static bool job_start(struct vshader_task *task)
{
	struct vshader_job *job = vshader_task_job(task);

	if (READ_ONCE(job->queue->file->vdev->profiling))
		job->began = ktime_get_ns();
	vshader_inject_start(job);
	return vshader_recording(job->queue->file->vdev);
}

static void job_run_begin(struct vshader_task *task)
{
	vshader_record_begin(vshader_task_job(task));
}

static enum vs_run debugged_slice(struct vshader_job *job, struct vs_worker *ctx)
{
	struct vshader_debug *g = job->queue->debug;
	enum vs_run run;

	vshader_debug_slice(g, job->number, job->program_id);
	run = vs_job_step(job->task.engine, ctx);
	if (run == VS_RUN_STOP && !vshader_debug_stopped(g, job->task.engine))
		run = VS_RUN_MORE;
	return run;
}

static enum vs_run job_slice(struct vshader_task *task, struct vs_worker *ctx)
{
	struct vshader_job *job = vshader_task_job(task);

	if (vshader_inject_hangs(job))
		return VS_RUN_MORE;
	if (job->queue->debug)
		return debugged_slice(job, ctx);
	return vs_job_step(task->engine, ctx);
}

/* ---- completion ---- */

static int fault_errno(const struct vshader_job *job, u32 kind)
{
	switch (kind) {
	case DRM_VSHADER_FAULT_NONE:
		return 0;
	case DRM_VSHADER_FAULT_BUDGET:
	case DRM_VSHADER_FAULT_TIMEOUT:
		return -ETIME;
	case DRM_VSHADER_FAULT_CANCELED:
		return READ_ONCE(job->task.fifo->error) ?: -ECANCELED;
	default:
		return -EIO;
	}
}

static void take_fault(struct vshader_job *job)
{
	u32 engine = job->queue->isa->id;
	struct vs_fault fault;

	vs_fault_init(&fault, VS_FAULT_NONE);
	if (job->task.cancel)
		fault.kind = job->task.timeout ? VS_FAULT_TIMEOUT : VS_FAULT_CANCELED;
	else if (job->task.engine)
		fault = *vs_job_get_fault(job->task.engine);
	if (fault.kind == VS_FAULT_TIMEOUT && job->task.timeout)
		fault.info = job->task.timeout;
	vshader_inject_fault(job, &fault);
	if (fault.kind != VS_FAULT_NONE)
		vshader_fault_fill(&fault, engine, job->number, &job->fault);
	job->task.status = job->task.cancel ?: fault_errno(job, fault.kind);
}

static u64 job_invocations(const struct vshader_job *job)
{
	return job->task.engine ? vs_job_invocations(job->task.engine) : 0;
}

static void write_result(const struct vshader_job *job)
{
	struct drm_vshader_job_result result = {
		.status = job->task.status,
		.stray_reads = vshader_family_strays(job->queue->family, job->work,
							  job->native),
		.invocations = job_invocations(job),
		.weight = job->task.engine ? vs_job_weight(job->task.engine) : 0,
		.busy_ns = atomic64_read(&job->task.busy_ns),
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
	if (!q->fifo.no_ban)
		q->state |= bits;
	q->completed++;
	q->invocations += job_invocations(job);
	spin_unlock(&q->lock);
}

/* A job that was cancelled before its first slice has used nothing. */
static void job_run_profile(const struct vshader_job *job)
{
	const struct vshader_queue *q = job->queue;

	if (job->began && job->task.started)
		atomic64_add(ktime_get_ns() - job->began, &q->file->profiled_ns[q->kind]);
}

static void job_run_publish(struct vshader_job *job)
{
	struct vshader_device *vdev = job->queue->file->vdev;
	struct dma_fence *fence = &job->fence->base;

	take_fault(job);
	write_result(job);
	vshader_inject_result(job);
	vshader_record_end(job);
	job_run_profile(job);
	update_queue(job);
	if (vshader_fault_state(job->fault.kind))
		trace_vshader_fault(job);
	trace_vshader_job_done(job);
	vshader_debug_ended(job->queue->debug, job->number, job->task.status, job->fault.kind);

	atomic_dec(&job->queue->queued);
	if (wq_has_sleeper(&job->queue->room))
		wake_up_all(&job->queue->room);
	atomic_dec(&job->queue->vm->tag->jobs);
	if (job->task.status) {
		/* 6.1 does not pass errors on to the finished fence */
		dma_fence_set_error(&job->base.s_fence->finished, job->task.status);
		dma_fence_set_error(fence, job->task.status);
	}
	vshader_compat_sched_front(&job->base);
	dma_fence_signal(fence);
	if (atomic_dec_and_test(&vdev->jobs))
		wake_up_all(&vdev->idle);
}

/* Dumps need the machine of a job that has faulted, which is in its arena. */
static bool keeps_slot(const struct vshader_job *job)
{
	return job->task.engine && vs_job_arena(job->task.engine) &&
	       job->fault.kind != DRM_VSHADER_FAULT_NONE &&
	       job->fault.kind != DRM_VSHADER_FAULT_CANCELED;
}

static bool job_complete(struct vshader_task *task, struct vshader_slot *slot)
{
	struct vshader_job *job = vshader_task_job(task);

	if (vshader_inject_end(job, slot))
		return false;
	job_run_publish(job);
	task->keep = keeps_slot(job);
	return true;
}

/* ---- after the end ---- */

static void job_run_ended(struct vshader_task *task)
{
	vshader_job_reap_later(vshader_task_job(task));
}

/* The first time that a job is in the list it has ended, the second time it has no users. */
static void reap_job(struct vshader_job *job)
{
	if (job->finished) {
		vshader_job_free(job);
		return;
	}
	vshader_dump(job);
	if (job->kept)
		job->kept->ended(job->kept, job);
	vshader_exec_release(&job->task);
	vshader_job_finish(job);
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

const struct vshader_exec_ops vshader_job_exec_ops = {
	.start = job_start,
	.begin = job_run_begin,
	.slice = job_slice,
	.complete = job_complete,
	.ended = job_run_ended,
};
