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
 * - its descriptors, for dumps, usually less than 1 KiB;
 * - a reference to the address space's snapshot, which is shared by all jobs until the
 *   next bind; the next one shares all but some nodes.
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
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "families/family.h"
#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_job.h"
#include "vshader_program.h"
#include "vshader_queue.h"
#include "vshader_quota.h"
#include "vshader_sched.h"
#include "vshader_vm.h"

struct vshader_job *vshader_job_alloc(struct vshader_queue *q)
{
	struct vshader_job *job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);

	if (!job) {
		vshader_queue_put(q);
		return NULL;
	}
	kref_init(&job->ref);
	INIT_LIST_HEAD(&job->recorded);
	job->queue = q;
	vshader_task_init(&job->task, &q->fifo);
	return job;
}

/* Free the execution state and uncharge its memory. */
void vshader_job_finish(struct vshader_job *job)
{
	if (job->finished)
		return;
	job->finished = true;
	if (job->task.engine)
		vs_job_free(job->task.engine);
	if (job->native)
		vs_native_free(job->native);
	kfree(job->injected);
	if (job->work)
		job->queue->family->free(job->work);
	kvfree(job->words);
	vshader_capture_free(&job->args);
	if (job->bytes)
		vshader_quota_uncharge(job->queue->file->account, job->bytes);
}

void vshader_job_free(struct vshader_job *job)
{
	struct vshader_fence *fence = job->fence;

	vshader_job_finish(job);
	if (job->has_base)
		drm_sched_job_cleanup(&job->base);
	vshader_program_put(job->prog);
	vshader_map_put(job->map);
	vshader_queue_put(job->queue);
	kfree(job);
	/* last: holds the module */
	vshader_fence_put(fence);
}

void vshader_job_reap_later(struct vshader_job *job)
{
	struct vshader_file *vf = job->queue->file;

	if (llist_add(&job->free, &vf->reap_list))
		queue_work(vshader_wq, &vf->reap);
}

static void job_release(struct kref *ref)
{
	vshader_job_reap_later(container_of(ref, struct vshader_job, ref));
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

	job->task.engine = vs_job_new(map, &lim, phases);
	return job->task.engine ? 0 : -ENOMEM;
}

/* A debugger's own copy of the state of a block. */
#define DEBUG_BYTES	SZ_512K

/* Fences, the engine job, and the work of a family beside its copy of the descriptors, at most. */
#define CONTROL_BYTES	SZ_8K

/* A dependency, or a signal with its node of a timeline. */
#define SYNC_BYTES	256

int vshader_job_reserve(struct vshader_job *job)
{
	u64 bytes = sizeof(*job) + CONTROL_BYTES + 2 * job->args.size + job->nsyncs * SYNC_BYTES;
	int ret;

	if (job->native)
		bytes += vs_native_memory(job->native);
	if (job->queue->debug)
		bytes += DEBUG_BYTES;
	ret = vshader_quota_charge(job->queue->file->account, bytes);
	if (ret)
		return ret;
	job->bytes = bytes;
	return vshader_exec_reserve(&job->task);
}

void vshader_job_abort(struct vshader_job *job)
{
	if (!job)
		return;
	vshader_exec_unreserve(&job->task);
	vshader_job_free(job);
}
