/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lowering of a program to the SIMT machine, in pieces of bounded length: the steps and the
 * emission that all front ends share.
 *
 * A front end looks at the code, then lowers all of it twice: the first pass counts micro-ops and
 * finds out the resources, the second one emits to a builder of that size. The machine's own
 * passes (simt_finish.c) follow.
 */
#ifndef SIMT_FRONT_H
#define SIMT_FRONT_H

#include "../engine/simt/simt.h"
#include "isa.h"

struct simt_front;

#define SIMT_FRONT_LOOKS	3

/**
 * struct simt_front_ops - operations of a front end
 * @look:	looks at the code, one after the other up to NULL. Return: 0, -EAGAIN: @left visits
 *		are used up, or an error
 * @begin:	begin a pass over the code
 * @lower:	continue the pass. Return: as @look
 * @plan:	describe the program after the first pass: the members that simt_finish_new()
 *		names, words of uniforms in @nunif, label of the entry in @entry. Return: number of
 *		labels
 */
struct simt_front_ops {
	int (*look[SIMT_FRONT_LOOKS])(struct simt_front *f, u32 *left);
	void (*begin)(struct simt_front *f);
	int (*lower)(struct simt_front *f, u32 *left);
	u32 (*plan)(struct simt_front *f, struct simt_prog *p);
};

/**
 * struct simt_front - a lowering; the front end's own state contains it
 * @ops:	operations
 * @arena:	memory
 * @rej:	reject reason, for -ENOEXEC
 * @checks:	check only, no program: the first pass is the last step
 * @step:	current step
 * @looks:	completed looks
 * @builder:	NULL in the first pass
 * @plan:	description of the program
 * @finish:	state of the machine's passes
 * @count:	number of micro-ops
 * @pos:	guest position of the micro-ops
 * @first:	first slot for intermediate values
 * @end:	end of these slots
 * @temp:	next one
 * @top:	first slot that was never used
 * @full:	more than these slots were needed
 */
struct simt_front {
	const struct simt_front_ops *ops;
	struct simt_arena *arena;
	const struct vs_reject *rej;
	bool checks;
	u32 step;
	u32 looks;
	struct simt_builder *builder;
	struct simt_prog plan;
	struct simt_finish *finish;
	u32 count;
	u32 pos;
	u16 first;
	u16 end;
	u16 temp;
	u32 top;
	bool full;
};

/* ---- for callers of front ends ---- */

/*
 * Continue a lowering. Return: 0: *@out is the program, unless it is only checked; -EAGAIN: @left
 * visits are used up (see SIMT_PIECE), -ENOEXEC with *@rej, -ENOMEM (arena), -E2BIG (limits).
 */
int simt_front_step(struct simt_front *f, u32 *left, struct simt_prog **out,
		    struct vs_reject *rej);

/* ---- for front ends ---- */

void simt_front_emit(struct simt_front *f, const struct simt_uop *u);
/* The next micro-op is the target of branches to @label. */
void simt_front_label(struct simt_front *f, u32 label);
/* Operand for a constant. */
u16 simt_front_const(struct simt_front *f, u32 bits);
/* @n consecutive slots for intermediate values. */
u16 simt_front_temps(struct simt_front *f, u32 n);
/* First set bit of @n at or after @from, or ~0. */
u32 simt_front_next(const u64 *bits, u32 n, u32 from);

#endif /* SIMT_FRONT_H */
