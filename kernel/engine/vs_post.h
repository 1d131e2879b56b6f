/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Post-mortem state of a job that faulted: the machine with its invocations and their
 * registers, for a dump. A fault allocates nothing.
 */
#ifndef VS_POST_H
#define VS_POST_H

#include "vs_debug.h"

/**
 * struct vs_post - The machine at the end of a job.
 * @ops:	list() and reg() of the machine, for reads; NULL: no machine
 * @m:		argument of @ops
 * @code_va:	address of instruction 0, 0: in a program object
 * @map:	job's address space, with code that is not at an address of the guest
 * @exact:	registers are those of the ISA at the instruction; else optimised code ran,
 *		which omits dead values
 *
 * reg() returns -ENODATA for registers that the code does not keep.
 */
struct vs_post {
	const struct vs_debug_ops *ops;
	void *m;
	u64 code_va;
	const struct vs_map *map;
	bool exact;
};

/* For machines that run on one worker: set at their start; @ops NULL: ended without fault. */
void vs_job_set_post(struct vs_job *job, const struct vs_debug_ops *ops, void *m, u64 code_va,
		     bool exact);
/* After the job's end; valid until the job or its programs are freed. */
const struct vs_post *vs_job_get_post(const struct vs_job *job);

/* ---- the streaming engine, whose blocks are in workers ---- */

/* Registers of a worker's block; refcounted by the worker and jobs. */
struct vs_snap;

struct vs_snap *vs_snap_new(void);
void vs_snap_put(struct vs_snap *s);
/* Under the job's lock: keep the registers of the worker's block, if it has one. */
void vs_snap_take(struct vs_job *job, struct vs_worker *w);
/* Under the job's lock: detach the kept registers. Return: them, to be put. */
struct vs_snap *vs_snap_drop(struct vs_job *job);

#endif /* VS_POST_H */
