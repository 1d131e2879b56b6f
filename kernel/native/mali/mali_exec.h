/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Execution of Mali jobs; for this folder only. */
#ifndef VS_MALI_EXEC_H
#define VS_MALI_EXEC_H

#include "../../engine/simt/simt_job.h"
#include "../../raster/vr_tiles.h"
#include "mali_job.h"
#include "mali_launch.h"

/**
 * struct mali_exec - Execution state of a job: chain or shader job.
 * @j:		SIMT job
 * @gpu:	enum mali_gpu
 * @switches:	MALI_SW_*
 * @run:	machine
 * @start:	optional: prepare @j's arena and address space before the first slice. Return:
 *		false: the arena is too small
 * @preparing:	the current work is being prepared and does not run yet
 * @code_va:	code address of that work
 * @tiles:	the current work is for a tile of this frame, or NULL
 * @worker:	number in @tiles
 * @held:	it is prepared and waits for tiles before its own
 * @next:	as in struct simt_job_ops
 * @ended:	"
 * @why:	reject of descriptors
 */
struct mali_exec {
	struct simt_job j;
	u32 gpu;
	u32 switches;
	struct mali_run *run;
	bool (*start)(struct mali_exec *e);
	bool preparing;
	u64 code_va;
	struct vr_tiles *tiles;
	u32 worker;
	bool held;
	enum simt_next (*next)(struct mali_exec *e);
	bool (*ended)(struct mali_exec *e, const struct vs_fault *fault);
	struct mali_reject why;
};

/* Initialise. @memory: 0: default. Return: 0, -EINVAL, -E2BIG, -ENOMEM. */
int mali_exec_init(struct mali_exec *e, const struct vs_map *map, u32 gpu, u64 memory,
		   u64 max_memory);

/* Initialise for a guest with an arena. */
void mali_exec_guest(struct mali_exec *e, const struct vs_map *map, u32 gpu, u32 switches,
		     struct simt_arena arena);

/* Raise the fault that e->why describes. Return: SIMT_NEXT_FAULT. */
enum simt_next mali_exec_reject(struct mali_exec *e);
/* Begin a piece of work. Return: WAIT: it is being prepared, RUN, or FAULT with e->j.fault. */
enum simt_next mali_exec_begin(struct mali_exec *e, const struct mali_work *w);
/* Charge for the descriptors that have been read. */
void mali_exec_reads(struct mali_exec *e, struct mali_chain *c);
/* Fill in work from a job's descriptors, except the stage. */
void mali_exec_work(const struct mali_exec *e, const struct mali_launch *l, struct mali_work *w);

#endif /* VS_MALI_EXEC_H */
