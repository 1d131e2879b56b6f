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

struct drm_file;
struct vshader_fence;
struct vshader_injected;
struct vshader_map;
struct vshader_pool;
struct vshader_program;
struct vshader_queue;
struct vshader_record;
struct vshader_slot;
struct work_struct;

/**
 * struct vshader_job - One job, from submit until its memory is given back.
 * @base: scheduler's part
 * @ref: held by the submit or the scheduler, and by execution
 * @queue: queue; holds a reference
 * @map: address space at submit; holds a reference
 * @prog: program; holds a reference; NULL for native jobs
 * @fence: what run_job returns
 * @engine: engine job; NULL if there is nothing to execute
 * @native: parsed native job, or NULL
 * @work: execution of a shader job, owned by the queue's family; NULL if there is none
 * @is_native: to be parsed when all jobs of the submit are there
 * @words: command list of a native job, until it is parsed
 * @copied: bytes of it that could be read
 * @result_va: where the result goes, or 0
 * @number: number on the queue
 * @flags: bits of enum drm_vshader_job_flags
 * @program_id: id of @prog, or 0
 * @native_desc: descriptor of a native job
 * @args: what it was submitted with
 * @has_base: @base is initialised
 * @bytes: memory charged to the client
 * @pool: slots that it may have; NULL: nothing is reserved
 * @fifo: in &vshader_queue.fifo
 * @head: in &vshader_exec.started
 * @run: in one of &vshader_exec.runnable
 * @parked: its slots that no thread executes
 * @priority: index in &vshader_exec.runnable
 * @want: further threads wanted
 * @active: slots that it has
 * @started: has had a slot
 * @done: executed, or not to be executed
 * @stopped: by its debugger
 * @resume: to be resumed when it has been stopped
 * @stalled: ended because it made no progress
 * @seen: when it was executed last, or became runnable, ns
 * @slot: kept after its end, for the dump
 * @cancel: error that the job was refused with before it started
 * @busy_ns: CPU time
 * @begin: vshader_record_begin() has to be called before its first slice
 * @recorded: in &vshader_recorder.jobs while it is recorded; under &vshader_device.record_lock
 * @record: its record, or NULL: there was no room
 * @overlapped: another job of the address space has run at the same time
 * @status: 0 or an error, once ended
 * @fault: fault record, once ended
 * @finished: what it needed for execution has been freed
 * @free: in &vshader_file.reap_list
 * @injected: faults injected into it, or NULL
 */
struct vshader_job {
	struct drm_sched_job base;
	struct kref ref;
	struct vshader_queue *queue;
	struct vshader_map *map;
	struct vshader_program *prog;
	struct vshader_fence *fence;
	struct vs_job *engine;
	struct vs_native *native;
	void *work;
	bool is_native;
	u32 *words;
	u64 copied;
	u64 result_va;
	u64 number;
	u32 flags;
	u32 program_id;
	struct drm_vshader_native_job native_desc;
	struct vshader_capture args;
	bool has_base;

	u64 bytes;
	struct vshader_pool *pool;
	struct list_head fifo;
	struct list_head head;
	struct list_head run;
	struct list_head parked;
	u32 priority;
	u32 want;
	u32 active;
	bool started;
	bool done;
	bool stopped;
	bool resume;
	bool stalled;
	u64 seen;
	struct vshader_slot *slot;
	int cancel;
	atomic64_t busy_ns;

	bool begin;
	struct list_head recorded;
	struct vshader_record *record;
	bool overlapped;

	s32 status;
	struct drm_vshader_fault fault;
	bool finished;
	struct llist_node free;
	struct vshader_injected *injected;
};

static inline struct vshader_job *to_vshader_job(struct drm_sched_job *base)
{
	return container_of(base, struct vshader_job, base);
}

/**
 * vshader_job_new - create a job from its description
 * @file: DRM file
 * @uj: the job as submitted
 *
 * Everything but a native job's parsing. Return: job or an error pointer.
 */
struct vshader_job *vshader_job_new(struct drm_file *file, const struct drm_vshader_job *uj);

/**
 * vshader_job_abort - free a job that was not armed
 * @job: job or NULL
 */
void vshader_job_abort(struct vshader_job *job);

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
 * vshader_job_put - drop a reference; the job is freed by a work item
 * @job: job
 */
void vshader_job_put(struct vshader_job *job);

/**
 * vshader_job_reserve - charge a job to its client, reserve slots and threads
 * @job: job, parsed; under the file's submit lock
 *
 * Return: 0, -ENOMEM, -EDQUOT, -ENOSPC or an error of creating threads.
 */
int vshader_job_reserve(struct vshader_job *job);

/**
 * vshader_job_ended - drop the reference of execution
 * @job: job that is complete
 *
 * Its dump is made, and what it needed for execution freed, by a work item.
 */
void vshader_job_ended(struct vshader_job *job);

/**
 * vshader_job_reap - work function of &vshader_file.reap
 * @work: work item
 */
void vshader_job_reap(struct work_struct *work);

/**
 * vshader_job_complete - publish the result of a job and signal its fence
 * @job: job that ended
 *
 * In the signalling path: neither sleeps nor allocates.
 */
void vshader_job_complete(struct vshader_job *job);

/**
 * vshader_native_formats - native formats of an engine
 * @isa: engine
 *
 * Return: mask of enum drm_vshader_native_format.
 */
u32 vshader_native_formats(const struct vs_isa *isa);

/**
 * vshader_native_copy - copy a native job's command list
 * @job: job with a descriptor
 *
 * Return: 0 or an error.
 */
int vshader_native_copy(struct vshader_job *job);

/**
 * vshader_native_parse - parse a native job
 * @job: job; the file's submit lock is held
 * @state: register state, changed only on success
 * @fault: filled with -ENOEXEC
 *
 * Return: 0 or an error.
 */
int vshader_native_parse(struct vshader_job *job, struct vs_native_state *state,
			 struct vs_fault *fault);

#endif /* VSHADER_JOB_H */
