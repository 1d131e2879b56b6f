/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What is left of a job that ended with a fault: the machine with its invocations and their
 * registers, for a dump. Nothing is allocated for it when a job faults.
 */
#ifndef VS_POST_H
#define VS_POST_H

#include "vs_dbg.h"

/**
 * struct vs_post - The machine that a job ended with.
 * @ops:	its list() and reg(), to be read; NULL: there is none
 * @m:		their argument
 * @code_va:	where its instruction 0 is, 0: in a program object
 * @exact:	registers are those of the ISA at the instruction; else optimised code ran, which
 *		leaves out what no later instruction needs
 *
 * reg() returns -ENODATA for registers that the code does not keep.
 */
struct vs_post {
	const struct vs_dbg_ops *ops;
	void *m;
	u64 code_va;
	bool exact;
};

/* For machines that run on one worker: this one has begun; @ops NULL: it has ended well. */
void vs_job_set_post(struct vs_job *job, const struct vs_dbg_ops *ops, void *m, u64 code_va,
		     bool exact);
/* Of a job that has ended, as long as it and what it runs has not been freed. */
const struct vs_post *vs_job_get_post(const struct vs_job *job);

/* ---- the streaming engine, whose blocks are in workers ---- */

/* A worker's room for the registers of a block; lives as long as the worker and jobs use it. */
struct vs_snap;

struct vs_snap *vs_snap_new(void);
void vs_snap_put(struct vs_snap *s);
/* Under the job's lock: keep the registers of the worker's block, if it has one. */
void vs_snap_take(struct vs_job *job, struct vs_worker *w);
/* Under the job's lock: keep none. Return: what was kept, to be put. */
struct vs_snap *vs_snap_drop(struct vs_job *job);

#endif /* VS_POST_H */
