/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Optimization passes from micro-ops to a program: their data structures and shared helpers.
 * simt_finish.c runs them.
 */
#ifndef SIMT_OPT_H
#define SIMT_OPT_H

#include "simt_intern.h"

/**
 * struct simt_code - Micro-ops before placement, with their control flow.
 * @p:             program being built: nslots, zero, temp, keep, nkeep, forget, quads,
 *	uniform are set
 * @uops:	micro-ops, rewritten in place
 * @n:		number of @uops
 * @entry:	first micro-op that is executed
 * @labels:	bit per micro-op: target of a branch, or the entry
 * @to:		per micro-op: target, for branches
 * @dead:	bit per micro-op: removed
 * @start:	first micro-ops of basic blocks, ascending
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
 * struct simt_pass - Progress of a pass, which runs in pieces of bounded length.
 * @i:		next item: micro-op, label or basic block, in the order of visits
 * @left:	visits that are left to this piece
 */
struct simt_pass {
	u32 i;
	u32 left;
};

/* Return: item @p->i, of @n, is visited in this piece. */
static inline bool simt_pass_more(struct simt_pass *p, u32 n)
{
	if (p->i >= n || !p->left)
		return false;
	p->left--;
	return true;
}

/* Charge @n further visits for an item. */
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
 * struct simt_defs - Reaching definitions in a stretch, for address folding.
 * @at:		per slot: micro-op that defined it last, plus 1; 0: before the stretch
 * @n:		number of @at
 * @wls:	slot that holds the address of the workgroup's memory throughout, or 0
 */
struct simt_defs {
	u32 *at;
	u32 n;
	u32 wls;
};

#define SIMT_MAX_COPIES 32

/**
 * struct simt_copies - Available copies, for copy propagation.
 * @of:		per slot: operand that it is a copy of, or SIMT_NOWHERE
 * @n:		number of @of
 * @list:	slots that are copies
 * @nlist:	number of @list
 */
struct simt_copies {
	u16 *of;
	u32 n;
	u16 list[SIMT_MAX_COPIES];
	u32 nlist;
};

/**
 * struct simt_live - Liveness of slots.
 * @c:		code
 * @words:	words of a set
 * @now:	live slots at the current micro-op, a bit each
 * @at:		live-in sets of the basic blocks; NULL: unknown
 * @sweeps:	sweeps over all blocks before giving up
 * @changed:	this sweep has changed a set
 * @block:	current basic block
 * @looks:	micro-ops searched by fusions since the last charge
 */
struct simt_live {
	struct simt_code *c;
	u32 words;
	u64 *now;
	u64 *at;
	u32 sweeps;
	bool changed;
	u32 block;
	u32 looks;
};

/**
 * struct simt_uniform - Uniformity analysis over workgroups in step.
 * @c:		code
 * @stage:	next stage, index in simt_uniform_share()
 * @words:	words of a set
 * @now:	set at the current micro-op
 * @at:		sets at the start of each basic block
 * @flags:	per micro-op: F_UNIFORM and others
 * @to:		per slot: its shared slot, or 0
 * @n:		number of shared slots
 * @sweeps:	sweeps over all blocks before giving up
 * @block:	current basic block
 * @changed:	this sweep has changed a set
 * @dropped:	a candidate has been dropped in this round
 */
struct simt_uniform {
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
	bool dropped;
};

/* Guest position and the micro-op emitted there. */
struct simt_label {
	u32 guest;
	u32 uop;
};

/**
 * struct simt_finish - State of the passes from a builder's micro-ops to a program.
 * @a:		arena
 * @b:		builder
 * @number:	current pass, index in simt_finish_step()
 * @pass:	its progress
 * @step:	current optimization pass, index in optimize()
 * @c:		code
 * @entry:	guest position of the entry
 * @out:	micro-ops of the program
 * @wsum:	as in struct simt_prog
 * @slots:	new slot numbers, as @at of struct simt_prog
 * @used:	arena mark to which the passes' memory is released
 * @gap:	gap of the shell sort of labels
 * @joins:	bit per micro-op: target of a remaining branch
 * @place:	per micro-op: its index in the program
 * @straight:	micro-ops since the last of classes M, X and C
 * @stretch:	their weight
 * @defs:	address folding
 * @copies:	copy propagation
 * @live:	liveness, dead-code elimination and fusions
 * @uniform:	uniformity analysis
 * @uses:	register compaction: slots that occur, a bit each
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
	struct simt_uniform uniform;
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
 * used up, or an error.
 */

/* simt_addr.c: address folding */
int simt_addr_begin(struct simt_finish *f);
int simt_addr_check_wls(struct simt_finish *f);
/* simt_copy.c: copy propagation */
int simt_copy_propagate(struct simt_finish *f);
/* simt_addr.c */
int simt_addr_fold(struct simt_finish *f);
int simt_addr_fuse_shifts(struct simt_finish *f);
/* simt_cfg.c: basic blocks */
int simt_cfg_build(struct simt_finish *f);
/* simt_live.c: liveness analysis */
int simt_live_begin(struct simt_finish *f);
int simt_live_solve(struct simt_finish *f);
/* simt_fuse.c: dead-code elimination, move coalescing, multiply-add and compare-branch fusion */
int simt_fuse(struct simt_finish *f);
/* simt_cfg.c */
int simt_cfg_drop_jumps(struct simt_finish *f);
/* simt_live.c */
int simt_live_entry(struct simt_finish *f);
/* simt_uniform.c: uniformity analysis, which needs the others' results */
int simt_uniform_share(struct simt_finish *f);
/* simt_compact.c: register compaction */
int simt_compact_collect(struct simt_finish *f);
int simt_compact_renumber(struct simt_finish *f);
/* simt_verify.c: proof that every operand is in range */
int simt_verify_part(const struct simt_prog *p, struct simt_pass *pass, u32 *run);

/* simt_live.c: the backward walk, with the set l->now. */
/* Return: slot @s is live; slots out of range are. */
bool simt_live_in(const struct simt_live *l, u32 s);
/* Return: @u has side effects or a live result. */
bool simt_live_needed(const struct simt_live *l, const struct simt_uop *u);
/* Load the live-out set if micro-op @i is the last one of block l->block. */
void simt_live_enter(struct simt_live *l, u32 i);
/* Backward transfer function: from the set following @u to the one before it. */
void simt_live_step(struct simt_live *l, const struct simt_uop *u);

/* simt_cfg.c */
/* Number of slots written, or possibly written, from @d on; SHADD also writes @d2. */
u32 simt_num_defs(const struct simt_uop *u);
/* Number of slots read implicitly (not as operands), from *@first on. @k: 0 @d, 1 @d2. */
u32 simt_implicit_uses(const struct simt_uop *u, u32 k, u32 *first);
/* Add the slots that a micro-op may access to a bitmap of SIMT_MAX_SLOTS. */
void simt_mark_used(const struct simt_uop *u, u64 *used);
/* The basic block of micro-op @at. */
u32 simt_bb_of(const struct simt_code *c, u32 at);
/* The micro-op following the last one of a basic block. */
u32 simt_bb_end(const struct simt_code *c, u32 block);

static inline bool simt_is_branch(const struct simt_uop *u)
{
	return u->op == SIMT_JMP || u->op == SIMT_BRNZ || u->op == SIMT_BRZ ||
	       u->op == SIMT_BRCMP;
}

/* Return: some lanes may continue with the next micro-op. */
static inline bool simt_falls_through(const struct simt_uop *u)
{
	return u->op != SIMT_JMP && u->op != SIMT_END && u->op != SIMT_FAULT;
}

/* Return: @u is no memory access, ISA call or control flow. */
static inline bool simt_is_straight(const struct simt_uop *u)
{
	return simt_opinfo[u->op].class <= SIMT_CL_I;
}

static inline bool simt_bit(const u64 *bits, u32 n)
{
	return bits[n / 64] >> (n % 64) & 1;
}

static inline void simt_set_bit(u64 *bits, u32 n)
{
	bits[n / 64] |= BIT_ULL(n % 64);
}

static inline void simt_clear_bit(u64 *bits, u32 n)
{
	bits[n / 64] &= ~BIT_ULL(n % 64);
}

#endif /* SIMT_OPT_H */
