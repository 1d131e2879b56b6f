/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs of consecutive SIMT launches: memory, slices, budget, faults. All run-time memory of a job
 * comes from its worker's arena.
 */
#ifndef SIMT_JOB_H
#define SIMT_JOB_H

#include "simt.h"

enum simt_next { SIMT_NEXT_WAIT, SIMT_NEXT_RUN, SIMT_NEXT_DONE, SIMT_NEXT_FAULT };

struct simt_job;

/**
 * struct simt_job_ops - Operations that provide a job's launches.
 * @start:	first slice: allocate from the arena. Return: false if it is too small
 * @next:	select the next step: none yet (call again), a launch prepared on the job's @m, the
 *		end, or a fault stored in the job
 * @ended:	a launch has ended, with or without a fault. Return: false with a fault, unless it
 *		has been cleared
 */
struct simt_job_ops {
	bool (*start)(struct simt_job *j);
	enum simt_next (*next)(struct simt_job *j);
	bool (*ended)(struct simt_job *j, const struct vs_fault *fault);
};

/**
 * struct simt_job - A job.
 * @ops:	operations
 * @map:	address space
 * @memory:	bytes used of the worker's arena
 * @arena:	that memory, set in the first slice
 * @simd:	executor
 * @m:		machine with the current launch; NULL: none
 * @fault:	fault raised by @ops
 * @threads:	threads of the launch already accounted for
 * @charge:	additional weight to account for
 * @spent:	weight accounted for in this slice
 * @started:	@ops.start has been called
 * @dbg:	debugger of the launches, or NULL
 * @job:	engine job
 * @guest:	executed by a guest of @job: leaves no registers for dumps
 * @invited:	guests have been invited since the last slice
 */
struct simt_job {
	const struct simt_job_ops *ops;
	const struct vs_map *map;
	u64 memory;
	struct simt_arena arena;
	enum vs_simd simd;
	struct simt_machine *m;
	struct vs_fault fault;
	u64 threads;
	u64 charge;
	u64 spent;
	bool started;
	struct vs_debug *dbg;
	struct vs_job *job;
	bool guest;
	bool invited;
};

/* Default arena size of a job, and its bounds. */
#define SIMT_JOB_MEMORY		BIT_ULL(22)
#define SIMT_JOB_MIN_MEMORY	BIT_ULL(20)
#define SIMT_JOB_MAX_MEMORY	BIT_ULL(28)

/**
 * simt_job_init - initialise a job without a launch
 * @j: job, zeroed
 * @ops: operations
 * @map: address space; must outlive the job
 * @memory: arena size in bytes; 0: SIMT_JOB_MEMORY
 * @max_memory: upper bound for @memory
 *
 * Return: 0, -EINVAL, -E2BIG.
 */
int simt_job_init(struct simt_job *j, const struct simt_job_ops *ops, const struct vs_map *map,
		  u64 memory, u64 max_memory);
/*
 * Execute a slice. @j->arena may have been set before the first one. Return: VS_RUN_MORE, _PHASE,
 * _STOP; VS_RUN_IDLE at the end, @j->fault.kind is set if there was one.
 */
enum vs_run simt_job_slice(struct simt_job *j, struct vs_job *job);
/* Add the job as one phase of an engine job; @j must outlive it. Return: as vs_job_add_fn(). */
int simt_job_add(struct simt_job *j, struct vs_job *job);
/* Raise a fault outside of programs; fault.draw is kept. Return: SIMT_NEXT_FAULT. */
enum simt_next simt_job_fault(struct simt_job *j, enum vs_fault_kind kind, u64 va, u32 size);
enum simt_next simt_job_fault_command(struct simt_job *j, u64 va, u32 code, u32 info);
/* Run the launch prepared on @m. Return: SIMT_NEXT_RUN. */
enum simt_next simt_job_run(struct simt_job *j, struct simt_machine *m);

#endif /* SIMT_JOB_H */
