/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Inside of what makes programs of the SIMT machine simpler.
 */
#ifndef SIMT_OPT_H
#define SIMT_OPT_H

#include "simt_intern.h"

/**
 * struct simt_code - Micro-ops before they become a program.
 * @p:		of the program: nslots, zero, temp, keep, nkeep, forget
 * @uops:	micro-ops, changed
 * @n:		how many
 * @entry:	the first that is executed
 * @labels:	bit per micro-op: arrived at from elsewhere
 * @to:		where branches lead to, per micro-op
 * @dead:	bit per micro-op, set: to be left out
 */
struct simt_code {
	struct simt_prog *p;
	struct simt_uop *uops;
	u32 n;
	u32 entry;
	u64 *labels;
	u32 *to;
	u64 *dead;
};

/**
 * simt_optimize - simpler micro-ops with the same effects
 * @a: arena, for memory that is needed meanwhile
 * @c: code
 *
 * Return: 0, -ENOMEM.
 */
int simt_optimize(struct simt_arena *a, struct simt_code *c);

/* simt_copy.c: operands that were moved are read where they come from. */
int simt_opt_copies(struct simt_arena *a, struct simt_code *c);

/* simt_live.c: what nobody needs. */
int simt_opt_live(struct simt_arena *a, struct simt_code *c);
/* Slots from d on that are written, or may be. */
u32 simt_opt_written(const struct simt_uop *u);

static inline bool simt_opt_bit(const u64 *bits, u32 n)
{
	return bits[n / 64] >> (n % 64) & 1;
}

#endif /* SIMT_OPT_H */
