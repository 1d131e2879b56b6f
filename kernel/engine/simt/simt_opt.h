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
 * @start:	first micro-ops of basic blocks
 * @nblocks:	number of @start
 * @kills:	KILL or ENDKILL occurs
 */
struct simt_code {
	struct simt_prog *p;
	struct simt_uop *uops;
	u32 n;
	u32 entry;
	u64 *labels;
	u32 *to;
	u64 *dead;
	u32 *start;
	u32 nblocks;
	bool kills;
};

/**
 * struct simt_pass - A pass over a program, in bounded pieces.
 * @i:		next item: micro-op, label or basic block, in the order of visits
 * @left:	micro-ops that this piece may still visit
 */
struct simt_pass {
	u32 i;
	u32 left;
};

/* Is item @p->i, of @n, visited in this piece? */
static inline bool simt_pass_more(struct simt_pass *p, u32 n)
{
	if (p->i >= n || !p->left)
		return false;
	p->left--;
	return true;
}

/* An item took @n more visits. */
static inline void simt_pass_use(struct simt_pass *p, u32 n)
{
	p->left -= min(p->left, n);
}

/* Return: 0: all @n items have been visited, else -EAGAIN. */
static inline int simt_pass_end(const struct simt_pass *p, u32 n)
{
	return p->i < n ? -EAGAIN : 0;
}

/**
 * struct simt_defs - Where slots were written last in a stretch.
 * @at:		number of the micro-op + 1; 0: before the stretch
 * @n:		slots
 * @wls:	slot that always has the address of the workgroup's memory, or 0
 */
struct simt_defs {
	u32 *at;
	u32 n;
	u32 wls;
};

#define SIMT_MAX_COPIES 32

/**
 * struct simt_copies - Values that are in several slots.
 * @of:		per slot: operand with the same value, or SIMT_NOWHERE
 * @n:		slots
 * @list:	slots of which there is one
 * @nlist:	number of @list
 */
struct simt_copies {
	u16 *of;
	u32 n;
	u16 list[SIMT_MAX_COPIES];
	u32 nlist;
};

/**
 * struct simt_live - Liveness of slots, going backwards.
 * @c:		code
 * @words:	of a set
 * @now:	live slots: a bit per slot
 * @at:		sets at the start of each block
 * @sweeps:	through all blocks that are left
 * @more:	this sweep has changed a set
 * @block:	current block
 * @looks:	at micro-ops near the current one
 */
struct simt_live {
	struct simt_code *c;
	u32 words;
	u64 *now;
	u64 *at;
	u32 sweeps;
	bool more;
	u32 block;
	u32 looks;
};

/**
 * struct simt_share - Uniformity analysis over workgroups in step.
 * @c:		code
 * @stage:	of the analysis
 * @words:	of a set
 * @now:	set at a micro-op
 * @at:		sets at the start of each block
 * @flags:	per micro-op
 * @to:		shared slot of a slot, or 0
 * @n:		slots of @to
 * @sweeps:	through all blocks that are left
 * @block:	current block
 * @changed:	this sweep has changed a set
 * @unshared:	a value turned out not to be one that can be shared
 */
struct simt_share {
	struct simt_code *c;
	u32 stage;
	u32 words;
	u64 *now;
	u64 *at;
	u8 *flags;
	u16 *to;
	u32 n;
	u32 sweeps;
	u32 block;
	bool changed;
	bool unshared;
};

/* Label: position in the guest's program, micro-op. */
struct simt_label {
	u32 guest;
	u32 uop;
};

/**
 * struct simt_finish - From a builder's micro-ops to a program, in bounded pieces.
 * @a:		arena
 * @b:		builder
 * @number:	of the pass
 * @pass:	how far it is
 * @step:	of the optimization
 * @c:		code
 * @entry:	guest position to start at
 * @out:	micro-ops of the program
 * @wsum:	as in struct simt_prog
 * @slots:	where slots are, as @at of struct simt_prog
 * @used:	arena without what is needed meanwhile
 * @gap:	of the sort
 * @joins:	bit per micro-op: branched to
 * @place:	per micro-op: its number in the program
 * @straight:	micro-ops since the last of classes M, X and C
 * @stretch:	their weight
 * @defs:	address folding
 * @copies:	copy propagation
 * @live:	liveness
 * @share:	uniformity
 * @uses:	slots that occur, a bit each
 */
struct simt_finish {
	struct simt_arena *a;
	struct simt_builder *b;
	u32 number;
	struct simt_pass pass;
	u32 step;
	struct simt_code c;
	u32 entry;
	struct simt_uop *out;
	u32 *wsum;
	u16 *slots;
	u64 used;
	u32 gap;
	u64 *joins;
	u32 *place;
	u32 straight;
	u32 stretch;
	struct simt_defs defs;
	struct simt_copies copies;
	struct simt_live live;
	struct simt_share share;
	u64 uses[SIMT_MAX_SLOTS / 64];
};

struct simt_builder {
	struct simt_arena *arena;
	struct simt_uop *uops;
	u32 nuops;
	u32 max_uops;
	struct simt_label *labels;
	u32 nlabels;
	u32 max_labels;
	u32 nunif;
	u32 nconst;
	u32 *consts;
	u16 *hash;
	int error;
	struct simt_finish finish;
};

/*
 * Passes, in the order in which simt_finish.c runs them. Return: 0: done, -EAGAIN: the piece is
 * over, or an error.
 */

/* simt_opt.c: addresses and sums. */
int simt_opt_begin(struct simt_finish *f);
int simt_opt_wls(struct simt_finish *f);
/* simt_copy.c: operands that were moved are read where they come from. */
int simt_opt_copies(struct simt_finish *f);
/* simt_opt.c */
int simt_opt_addresses(struct simt_finish *f);
int simt_opt_shifts(struct simt_finish *f);
/* simt_live.c: what nobody needs. */
int simt_live_begin(struct simt_finish *f);
int simt_live_blocks(struct simt_finish *f);
int simt_live_clear(struct simt_finish *f);
int simt_live_sets(struct simt_finish *f);
int simt_live_improve(struct simt_finish *f);
int simt_live_end(struct simt_finish *f);
/* simt_share.c: slots that blocks in step share, after the others. */
int simt_opt_share(struct simt_finish *f);
/* simt_pack.c: slots without gaps. */
int simt_pack_find(struct simt_finish *f);
int simt_pack_renumber(struct simt_finish *f);
/* simt_verify.c */
int simt_verify_part(const struct simt_prog *p, struct simt_pass *pass, u32 *run);

/* simt_live.c */
/* Slots from d on that are written, or may be. */
u32 simt_opt_written(const struct simt_uop *u);
/* Slots that are read besides operands, for @k 0 and 1: from *@first on; how many. */
u32 simt_opt_read_from(const struct simt_uop *u, u32 k, u32 *first);
/* The block of micro-op @at. */
u32 simt_opt_block(const struct simt_code *c, u32 at);
/* Micro-op after the last one of a block. */
u32 simt_opt_block_end(const struct simt_code *c, u32 block);

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
