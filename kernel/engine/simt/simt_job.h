/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs that are launches of the SIMT machine one after the other: memory, slices, budget,
 * faults. All memory that a job needs when it runs is allocated when it is submitted.
 */
#ifndef SIMT_JOB_H
#define SIMT_JOB_H

#include "simt.h"

enum simt_next { SIMT_NEXT_WAIT, SIMT_NEXT_RUN, SIMT_NEXT_DONE, SIMT_NEXT_FAULT };

struct simt_job;

/**
 * struct simt_pool - Memory that a job has left for the next one: for who submits many. All
 * jobs of a pool are of those who may see what each of them does. Zeros are an empty one.
 * @spare:	SIMT_JOB_MEMORY bytes, or 0
 */
struct simt_pool {
	vs_atomic spare;
};

/* No job uses it any more. */
void simt_pool_fini(struct simt_pool *pool);

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
 * @raw:	the allocation
 * @pool:	where it goes afterwards, or NULL
 * @memory:	its size
 * @arena:	of it
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
	void *raw;
	struct simt_pool *pool;
	u64 memory;
	struct simt_arena arena;
	struct simt_machine *m;
	struct vs_fault fault;
	u64 threads;
	u64 charge;
	bool started;
	struct vs_dbg *dbg;
};

/* Memory of a job unless it asks for some other size, and bounds of that. */
#define SIMT_JOB_MEMORY		BIT_ULL(22)
#define SIMT_JOB_MIN_MEMORY	BIT_ULL(20)
#define SIMT_JOB_MAX_MEMORY	BIT_ULL(28)

/**
 * simt_job_init - allocate a job's memory
 * @j: job, zeros
 * @ops: what it does
 * @map: address space; must outlive the job
 * @memory: bytes for everything that it needs; 0: SIMT_JOB_MEMORY
 * @max_memory: bound for @memory
 * @pool: where it is taken from if it has some, or NULL; must outlive the job
 *
 * Return: 0, -EINVAL, -E2BIG, -ENOMEM.
 */
int simt_job_init(struct simt_job *j, const struct simt_job_ops *ops, const struct vs_map *map,
		  u64 memory, u64 max_memory, struct simt_pool *pool);
void simt_job_fini(struct simt_job *j);
/* One phase of an engine job; @j must outlive it. Return: as vs_job_add_fn(). */
int simt_job_add(struct simt_job *j, struct vs_job *job);
/* A fault outside of programs; the number of the draw stays. Return: SIMT_NEXT_FAULT. */
enum simt_next simt_job_fault(struct simt_job *j, enum vs_fault_kind kind, u64 va, u32 size);
/* A launch has been begun with @m. Return: SIMT_NEXT_RUN. */
enum simt_next simt_job_run(struct simt_job *j, struct simt_machine *m);

#endif /* SIMT_JOB_H */
