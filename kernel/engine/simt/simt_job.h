/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs that are launches of the SIMT machine one after the other: memory, slices, budget,
 * faults. All memory that a job needs when it runs is in the arena of its worker.
 */
#ifndef SIMT_JOB_H
#define SIMT_JOB_H

#include "simt.h"

enum simt_next { SIMT_NEXT_WAIT, SIMT_NEXT_RUN, SIMT_NEXT_DONE, SIMT_NEXT_FAULT };

struct simt_job;

/**
 * struct simt_job_ops - What a job does.
 * @start:	the first slice: make what launches need. Return: false: the arena is too small
 * @next:	decide what comes next: nothing yet (call again), a launch that has been begun
 *		with @m of the job, the end, or a fault in the job
 * @ended:	the launch has ended, well or with a fault. Return: false with a fault
 */
struct simt_job_ops {
	bool (*start)(struct simt_job *j);
	enum simt_next (*next)(struct simt_job *j);
	bool (*ended)(struct simt_job *j, const struct vs_fault *fault);
};

/**
 * struct simt_job - A job.
 * @ops:	what it does
 * @map:	address space
 * @memory:	bytes of the worker's arena that it uses
 * @arena:	that memory, from the first slice on
 * @m:		machine with the launch that runs; NULL: none does
 * @fault:	fault of @ops
 * @threads:	threads of the launch that have been accounted for
 * @charge:	weight to account for besides what runs
 * @started:	@ops.start has been called
 * @dbg:	debugger, or NULL; for launches
 */
struct simt_job {
	const struct simt_job_ops *ops;
	const struct vs_map *map;
	u64 memory;
	struct simt_arena arena;
	struct simt_machine *m;
	struct vs_fault fault;
	u64 threads;
	u64 charge;
	bool started;
	struct vs_debug *dbg;
};

/* Memory of a job unless it asks for some other size, and bounds of that. */
#define SIMT_JOB_MEMORY		BIT_ULL(22)
#define SIMT_JOB_MIN_MEMORY	BIT_ULL(20)
#define SIMT_JOB_MAX_MEMORY	BIT_ULL(28)

/**
 * simt_job_init - a job without a launch
 * @j: job, zeros
 * @ops: what it does
 * @map: address space; must outlive the job
 * @memory: bytes for everything that it needs; 0: SIMT_JOB_MEMORY
 * @max_memory: bound for @memory
 *
 * Return: 0, -EINVAL, -E2BIG.
 */
int simt_job_init(struct simt_job *j, const struct simt_job_ops *ops, const struct vs_map *map,
		  u64 memory, u64 max_memory);
/* One phase of an engine job; @j must outlive it. Return: as vs_job_add_fn(). */
int simt_job_add(struct simt_job *j, struct vs_job *job);
/* Faults outside of programs; the number of the draw stays. Return: SIMT_NEXT_FAULT. */
enum simt_next simt_job_fault(struct simt_job *j, enum vs_fault_kind kind, u64 va, u32 size);
enum simt_next simt_job_fault_command(struct simt_job *j, u64 va, u32 code, u32 info);
/* A launch has been begun with @m. Return: SIMT_NEXT_RUN. */
enum simt_next simt_job_run(struct simt_job *j, struct simt_machine *m);

#endif /* SIMT_JOB_H */
