/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Reachable words of a program, and their successors.
 */
#ifndef VS_PICA_WALK_H
#define VS_PICA_WALK_H

#include "pica.h"

#define PICA_WALK_CTXS		32	/* distinct call stacks followed exactly */
#define PICA_WALK_STACK		(4 * PICA_MAX_CODE)
#define PICA_WALK_LOOPS		64	/* LOOPs that the walk leaves by a BREAK */
#define PICA_WALK_CHAIN		32	/* blocks ending at one address */
#define PICA_NONE		0xffff

/* A call may end up to 255 words after the last possible target. */
#define PICA_WALK_ENDS		(PICA_MAX_CODE + 256 + 1)

/**
 * struct pica_ctx - call stack: its top entry and the rest
 * @end: address at which the top entry pops
 * @ret: return address
 * @parent: the stack below, 0: empty
 * @depth: number of entries
 */
struct pica_ctx {
	u16 end;
	u16 ret;
	u8 parent;
	u8 depth;
};

/**
 * struct pica_chains - reachable instructions by the end address of their block
 * @head: first instruction by end address, PICA_NONE if there is none
 * @next: next instruction, by instruction
 */
struct pica_chains {
	u16 head[PICA_WALK_ENDS];
	u16 next[PICA_MAX_CODE];
};

/**
 * struct pica_walk - state and result of a walk
 * @prog: the program
 * @insn: all words, decoded
 * @reached: reachable words, a bit set
 * @seen: visited pairs of call stack and word, a bit set
 * @ifs: reachable IFs by TARGET
 * @loops: reachable LOOPs by TARGET + 1
 * @calls: reachable calls by TARGET + NUM
 * @ctx: call stacks
 * @nctx: number of @ctx
 * @exact: call stacks are followed; otherwise every call may return to any
 *	caller of a call that ends at the same address
 * @structured: assume that IF pops wherever a reachable one ends; for warnings only
 * @call_overflow: a call was made with PICA_CALL_DEPTH calls active
 * @runs_off: a word after which execution may run off the end of the code, or
 *	PICA_NONE
 * @nloops: number of reachable LOOPs, which BREAK may leave while @exact
 * @loop_list: the first of them
 * @nbreaks: number of reachable BREAKs
 * @reg: words whose block is in a chain, a bit set
 * @popseen: without @exact: ends of calls that were reached, a bit set
 * @nstack: entries of @stack
 * @stack: states to visit
 */
struct pica_walk {
	const struct pica_program *prog;
	struct pica_insn *insn;
	u64 reached[PICA_MAX_CODE / 64];
	u64 seen[PICA_WALK_CTXS][PICA_MAX_CODE / 64];
	struct pica_chains ifs;
	struct pica_chains loops;
	struct pica_chains calls;
	struct pica_ctx ctx[PICA_WALK_CTXS];
	u32 nctx;
	bool exact;
	bool structured;
	bool call_overflow;
	u32 runs_off;
	u32 nloops;
	u16 loop_list[PICA_WALK_LOOPS];
	u32 nbreaks;
	u64 reg[PICA_MAX_CODE / 64];
	u64 popseen[PICA_WALK_ENDS / 64 + 1];
	u32 nstack;
	u32 stack[PICA_WALK_STACK];
};

static inline bool pica_bit(const u64 *map, u32 n)
{
	return (map[n / 64] >> (n % 64)) & 1;
}

static inline void pica_set_bit(u64 *map, u32 n)
{
	map[n / 64] |= 1ULL << (n % 64);
}

static inline bool pica_reached(const struct pica_walk *w, u32 pc)
{
	return pica_bit(w->reached, pc);
}

/* End address of the block that a CALL, IF or LOOP opens. */
static inline u32 pica_block_end(const struct pica_insn *insn)
{
	if (insn->info->flags & PICA_OPF_CALL)
		return insn->f[PICA_F_TARGET] + insn->f[PICA_F_NUM];
	if (insn->info->flags & PICA_OPF_LOOP)
		return insn->f[PICA_F_TARGET] + 1;
	return insn->f[PICA_F_TARGET];
}

/* Called for every possible successor of a state. */
typedef void (*pica_succ_fn)(struct pica_walk *w, u32 from, u32 pc, u32 ctx, void *arg);

struct pica_walk *pica_walk_new(const struct pica_program *prog);
void pica_walk_free(struct pica_walk *w);
void pica_walk_run(struct pica_walk *w);
void pica_walk_successors(struct pica_walk *w, u32 pc, u32 ctx, pica_succ_fn fn, void *arg);

#endif /* VS_PICA_WALK_H */
