/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Execution of Mali jobs; for this folder only. */
#ifndef VS_MALI_EXEC_H
#define VS_MALI_EXEC_H

#include "../../engine/vs_intern.h"
#include "mali_job.h"

enum mali_next { MALI_NEXT_WAIT, MALI_NEXT_RUN, MALI_NEXT_DONE, MALI_NEXT_FAULT };

/**
 * struct mali_exec - A job: chain or shader job.
 * @map:	address space
 * @gpu:	enum mali_gpu
 * @switches:	MALI_SW_*
 * @raw:	the allocation
 * @memory:	its size
 * @arena:	of it
 * @run:	machine
 * @next:	decide what comes next: nothing yet (call again), a work that has been begun
 *		with @run, the end, or a fault
 * @ended:	a work has ended, well or with a fault. Return: false with a fault
 * @fault:	fault of @next and @ended
 * @why:	reject of descriptors
 * @running:	a work has been begun
 * @threads:	threads of it that have been accounted for
 * @charge:	weight to account for besides what runs
 */
struct mali_exec {
	const struct vs_map *map;
	u32 gpu;
	u32 switches;
	void *raw;
	u64 memory;
	struct simt_arena arena;
	struct mali_run *run;
	enum mali_next (*next)(struct mali_exec *e);
	bool (*ended)(struct mali_exec *e, const struct vs_fault *fault);
	struct vs_fault fault;
	struct mali_reject why;
	bool running;
	u64 threads;
	u64 charge;
};

/* Return: 0, -EINVAL, -E2BIG, -ENOMEM. @memory: 0: default. */
int mali_exec_init(struct mali_exec *e, const struct vs_map *map, u32 gpu, u64 memory,
		   u64 max_memory);
void mali_exec_fini(struct mali_exec *e);

/* A fault outside of programs. Return: MALI_NEXT_FAULT. */
enum mali_next mali_exec_fault(struct mali_exec *e, enum vs_fault_kind kind, u64 va, u32 size);
/* One that is made of e->why. */
enum mali_next mali_exec_reject(struct mali_exec *e);
/* Begin a work. Return: RUN, or FAULT with e->fault. */
enum mali_next mali_exec_begin(struct mali_exec *e, const struct mali_work *w);
/* What a job's descriptors say, as work; not the stage. */
void mali_exec_work(const struct mali_exec *e, const struct mali_launch *l, struct mali_work *w);

#endif /* VS_MALI_EXEC_H */
