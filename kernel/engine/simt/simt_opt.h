/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Inside of what makes programs of the SIMT machine simpler.
 */
#ifndef SIMT_OPT_H
#define SIMT_OPT_H

#include "simt_intern.h"

/**
 * struct simt_code - Micro-ops before they become a program.
 * @p:		of the program: nslots, zero, temp, keep, nkeep, forget, quads, alike
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
/* Slots that are read besides operands, for @k 0 and 1: from *@first on; how many. */
u32 simt_opt_read_from(const struct simt_uop *u, u32 k, u32 *first);
/* First micro-ops of blocks that are executed one after the other; how many. */
u32 simt_opt_blocks(const struct simt_code *c, u32 *start);
/* The block of micro-op @at. */
u32 simt_opt_block(const u32 *start, u32 nblocks, u32 at);

/* simt_share.c: slots that blocks in step share, behind the others; how many. */
u32 simt_opt_share(struct simt_arena *a, struct simt_code *c);

/* simt_pack.c: slots without gaps; @to: where they are, SIMT_MAX_SLOTS of them. */
void simt_opt_pack(struct simt_prog *p, struct simt_uop *uops, u16 *to);

static inline bool simt_opt_branches(const struct simt_uop *u)
{
	return u->op == SIMT_JMP || u->op == SIMT_BRNZ || u->op == SIMT_BRZ ||
	       u->op == SIMT_BRCMP;
}

/* To the next micro-op, for some lanes. */
static inline bool simt_opt_goes_on(const struct simt_uop *u)
{
	return u->op != SIMT_JMP && u->op != SIMT_END && u->op != SIMT_FAULT;
}

static inline bool simt_opt_bit(const u64 *bits, u32 n)
{
	return bits[n / 64] >> (n % 64) & 1;
}

#endif /* SIMT_OPT_H */
