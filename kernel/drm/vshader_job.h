/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs.
 */
#ifndef VSHADER_JOB_H
#define VSHADER_JOB_H

#include <linux/kref.h>
#include <linux/llist.h>

#include <drm/gpu_scheduler.h>

#include "drm/vshader_drm.h"
#include "engine/vs_job.h"
#include "native/native.h"
#include "debug/capture.h"
#include "vshader_exec.h"

struct vshader_fence;
struct vshader_injected;
struct vshader_map;
struct vshader_program;
struct vshader_queue;
struct vshader_record;
struct vshader_shared;

/**
 * struct vshader_job - One job, from submit until its memory is freed.
 * @base: scheduler's part
 * @task: its execution
 * @ref: held by the submit or the scheduler, and by execution
 * @queue: queue; holds a reference
 * @map: address space at submit; holds a reference
 * @shared: buffers that need synchronisation with others; valid until the job is armed
 * @nshared: number of @shared
 * @prog: program; holds a reference; NULL for native jobs
 * @fence: fence that run_job returns
 * @native: parsed native job, or NULL
 * @work: execution of a shader job, owned by the queue's family; NULL if there is none
 * @is_native: parse it when all jobs of the submit have been created
 * @words: command list of a native job, or a job by value, until it is parsed
 * @nwords: number of @words
 * @copied: bytes of the list that could be read
 * @result_va: address of the result, or 0
 * @number: number on the queue
 * @flags: bits of enum drm_vshader_job_flags
 * @explicit_sync: does not wait for the users of @shared
 * @program_id: id of @prog, or 0
 * @native_desc: descriptor of a native job
 * @args: descriptors of its submission, for dumps
 * @nsyncs: number of sync operations
 * @has_base: @base is initialised
 * @bytes: memory charged to the client
 * @recorded: in &vshader_recorder.jobs while it is recorded; under &vshader_device.record_lock
 * @record: its record, or NULL: there was no room
 * @overlapped: another job of the address space has run at the same time
 * @began: when it was started, CLOCK_MONOTONIC, ns; 0: it is not profiled
 * @fault: fault record, once ended
 * @finished: its execution state has been freed
 * @free: in &vshader_file.reap_list
 * @injected: faults injected into it, or NULL
 * @kept: what its personality keeps until it has ended, or NULL
 */
struct vshader_job {
	struct drm_sched_job base;
	struct vshader_task task;
	struct kref ref;
	struct vshader_queue *queue;
	struct vshader_map *map;
	const struct vshader_shared *shared;
	u32 nshared;
	struct vshader_program *prog;
	struct vshader_fence *fence;
	struct vs_native *native;
	void *work;
	bool is_native;
	u32 *words;
	u32 nwords;
	u64 copied;
	u64 result_va;
	u64 number;
	u32 flags;
	bool explicit_sync;
	u32 program_id;
	struct drm_vshader_native_job native_desc;
	struct vshader_capture args;
	u32 nsyncs;
	bool has_base;

	u64 bytes;
	struct list_head recorded;
	struct vshader_record *record;
	bool overlapped;

	u64 began;
	struct drm_vshader_fault fault;
	bool finished;
	struct llist_node free;
	struct vshader_injected *injected;
	struct vshader_kept *kept;
};

static inline struct vshader_job *to_vshader_job(struct drm_sched_job *base)
{
	return container_of(base, struct vshader_job, base);
}

static inline struct vshader_job *vshader_task_job(const struct vshader_task *task)
{
	return container_of(task, struct vshader_job, task);
}

/**
 * vshader_job_alloc - a job of a queue, with nothing to execute
 * @q: queue; its reference is taken over
 *
 * Return: job, or NULL: the reference is dropped.
 */
struct vshader_job *vshader_job_alloc(struct vshader_queue *q);

/**
 * vshader_job_abort - free a job that was not armed
 * @job: job or NULL
 */
void vshader_job_abort(struct vshader_job *job);

/**
 * vshader_job_free - free a job without users; may sleep
 * @job: job
 */
void vshader_job_free(struct vshader_job *job);

/**
 * vshader_job_finish - free the execution state and uncharge its memory; may sleep
 * @job: job that no thread executes
 */
void vshader_job_finish(struct vshader_job *job);

/**
 * vshader_job_set_engine - bounds and engine job
 * @job: job
 * @map: address space
 * @phases: phases that will be added
 *
 * Return: 0 or an error.
 */
int vshader_job_set_engine(struct vshader_job *job, const struct vs_map *map, u32 phases);

/**
 * vshader_job_get - take a reference
 * @job: job
 */
void vshader_job_get(struct vshader_job *job);

/**
 * vshader_job_put - drop a reference; &vshader_file.reap frees the job
 * @job: job
 */
void vshader_job_put(struct vshader_job *job);

/**
 * vshader_job_reap_later - put a job on the list of &vshader_file.reap
 * @job: job that has ended, or whose last reference is gone
 */
void vshader_job_reap_later(struct vshader_job *job);

/**
 * vshader_job_reserve - charge a job to its client, reserve slots and threads
 * @job: job, parsed; under the file's submit lock
 *
 * Return: 0, -ENOMEM, -EDQUOT, -ENOSPC or an error of creating threads.
 */
int vshader_job_reserve(struct vshader_job *job);

#endif /* VSHADER_JOB_H */
