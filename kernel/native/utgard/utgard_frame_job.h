/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Frames as native jobs; for this folder only. */
#ifndef VS_UTGARD_FRAME_JOB_H
#define VS_UTGARD_FRAME_JOB_H

#include "../../engine/simt/simt_job.h"
#include "../../isa/utgard/utgard_pp_lower.h"
#include "../../isa/utgard/utgard_run.h"
#include "../native_ops.h"
#include "utgard_frame.h"

/**
 * struct utf_job - A frame being executed.
 * @base:	native job
 * @j:		SIMT job
 * @bytes:	size of the structure that embeds this one
 * @va:		frame
 * @nwords:	number of @words; 0: the frame is in memory
 * @words:	the frame, of a job by value
 * @gpu:	enum utf_gpu
 * @run:	machine
 */
struct utf_job {
	struct vs_native base;
	struct simt_job j;
	size_t bytes;
	u64 va;
	u32 nwords;
	u32 words[UTF_PP_MAX_WORDS];
	u32 gpu;
	struct utgard_run *run;
};

/*
 * @nwords: of the frame. @bytes: size of a structure that starts with struct utf_job.
 * Return: as vs_native_ops.parse.
 */
int utf_job_new(const struct vs_native_in *in, u32 nwords, size_t bytes,
		const struct simt_job_ops *ops, struct vs_native **out);
/* simt_job_ops.start */
bool utf_job_start(struct simt_job *j);
/* Read words from memory. Return: false: a fault in @j. */
bool utf_read(struct simt_job *j, u64 va, u32 *w, u32 n);
/* Read the frame. Return: false: a fault in @u->j. */
bool utf_read_frame(struct utf_job *u, u32 *frame, u32 n);
/* Raise a COMMAND fault. Return: SIMT_NEXT_FAULT. */
enum simt_next utf_reject(struct simt_job *j, enum utf_reason why, u64 va, u32 info);

/* ---- utgard_check.c ---- */

#define UTF_CHECKED	16

/**
 * struct utf_check - Check of a render state, with its textures and program.
 * @lowering:	the program, checked by lowering it; NULL: no check is going on
 * @program:	result of the lowering, unused
 * @code:	address of the program
 * @mark:	the arena without the check
 * @done:	programs that have been checked: draws share them
 * @ndone:	number of programs so far
 * @draws:	states of draws, which may have no program; those of clears have one
 */
struct utf_check {
	struct simt_front *lowering;
	struct upp_program program;
	u32 code;
	u64 mark;
	u32 done[UTF_CHECKED];
	u32 ndone;
	bool draws;
};

/**
 * utf_check_begin - begin to check a render state
 * @c: check
 * @j: job; the check uses its arena
 * @va: address of the state
 *
 * Return: SIMT_NEXT_WAIT: continue with utf_check_step(); SIMT_NEXT_DONE; SIMT_NEXT_FAULT.
 */
enum simt_next utf_check_begin(struct utf_check *c, struct simt_job *j, u64 va);
/* Return: SIMT_NEXT_WAIT: call again; SIMT_NEXT_DONE: the state is valid; SIMT_NEXT_FAULT. */
enum simt_next utf_check_step(struct utf_check *c, struct simt_job *j);

/* ---- native format ---- */

/* Operations common to all frames. */
const struct vs_map *utf_map(const struct vs_native *n);
u32 utf_phases(const struct vs_native *n);
int utf_add_phases(struct vs_native *n, struct vs_job *job);
u64 utf_memory(const struct vs_native *n);
const char *utf_any_reason_text(u32 reason);
void utf_free(struct vs_native *n);

#define UTF_OPS(which, parser, adder)			\
	{						\
		.isa = which,				\
		.in_memory = true,			\
		.parse = parser,			\
		.map = utf_map,				\
		.phases = utf_phases,			\
		.add_phases = adder,			\
		.memory = utf_memory,			\
		.reason_text = utf_any_reason_text,	\
		.free = utf_free,			\
	}

#endif /* VS_UTGARD_FRAME_JOB_H */
