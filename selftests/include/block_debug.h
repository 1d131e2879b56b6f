/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A block of a launch under the engine's debugger, for tests: single steps, breakpoints,
 * registers by name. The debugger stops before each instruction of the block; other
 * blocks run without stops.
 */
#ifndef BLOCK_DEBUG_H
#define BLOCK_DEBUG_H

#include <stdlib.h>
#include <string.h>

#include "../../kernel/engine/vs_debug.h"

enum bd_stop { BD_DONE, BD_BREAK, BD_STEP, BD_FAULT, BD_BUDGET };

/* Called for each instruction that the block executes. */
typedef void (*bd_trace_fn)(void *arg, u32 guest, u64 mask);

/**
 * struct block_debug - debugger and the debugged block
 * @d: debugger
 * @points: breakpoints
 * @rec: buffer of the trace, which stops at each instruction
 * @first: invocation of lane 0
 * @begun: the block is at its first instruction or has been there
 * @reported: the caller knows of the breakpoint of this stop
 * @ended: the job has ended
 * @trace: called for each instruction, or NULL
 * @done: lanes that have ended
 * @last: their registers
 */
struct block_debug {
	struct vs_debug d;
	struct vs_debug_points points;
	struct vs_debug_record rec[4];
	struct vs_job *job;
	struct vs_worker *w;
	const struct vs_prog *prog;
	u64 first;
	bool begun;
	bool reported;
	bool ended;
	bd_trace_fn trace;
	void *arg;
	u64 done;
	u32 last[VS_DEBUG_BLOCK_UNIF][4][VS_LANES];
};

static inline void bd_free(struct block_debug *b)
{
	if (!b)
		return;
	vs_job_free(b->job);
	vs_worker_free(b->w);
	free(b);
}

/* NULL: there is no such block. */
static inline struct block_debug *bd_new(const struct vs_map *map, const struct vs_job_limits *lim,
					 const struct vs_launch *l, u32 block)
{
	struct block_debug *b = calloc(1, sizeof(*b));
	struct vs_job_limits with = *lim;

	if (!b || (u64)block * VS_LANES >= (u64)l->count * l->instances) {
		free(b);
		return NULL;
	}
	b->prog = l->prog;
	b->first = (u64)block * VS_LANES;
	b->points.gen = 1;
	b->d.on = true;
	b->d.trace = (struct vs_debug_trace){
		.rec = b->rec, .max = ARRAY_SIZE(b->rec), .on = true, .stop = true,
		.filter = true, .pc_last = ~0U, .first = b->first,
		.last = b->first + VS_LANES - 1,
	};
	with.dbg = &b->d;
	b->job = vs_job_new(map, &with, 1);
	b->w = vs_worker_new(0);
	if (!b->job || !b->w || vs_job_add_launch(b->job, l) ||
	    b->prog->nregs > VS_DEBUG_BLOCK_UNIF) {
		bd_free(b);
		return NULL;
	}
	vs_debug_job(&b->d, 1, 1);
	return b;
}

static inline void bd_set_trace(struct block_debug *b, bd_trace_fn fn, void *arg)
{
	b->trace = fn;
	b->arg = arg;
}

/* Return: false: there is no room for more. */
static inline bool bd_break_set(struct block_debug *b, u32 guest)
{
	u32 i;

	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		if (b->points.p[i].id)
			continue;
		b->points.p[i] = (struct vs_debug_point){
			.id = i + 1, .version = ++b->points.gen, .flags = VS_DEBUG_FILTER,
			.pc = guest, .first = b->first, .last = b->first + VS_LANES - 1,
		};
		return true;
	}
	return false;
}

/* Return: false: there is none. */
static inline bool bd_break_clear(struct block_debug *b, u32 guest)
{
	u32 i;

	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		if (!b->points.p[i].id || b->points.p[i].pc != guest)
			continue;
		b->points.p[i].id = 0;
		b->points.gen++;
		return true;
	}
	return false;
}

/* To the next stop or the end. */
static inline void bd_run(struct block_debug *b)
{
	enum vs_run run;

	b->begun = true;
	b->reported = false;
	b->d.trace.n = 0;
	vs_debug_sync(&b->d, &b->points);
	do {
		run = vs_job_step(b->job, b->w);
	} while (run != VS_RUN_STOP && run != VS_RUN_DONE);
	b->ended = run == VS_RUN_DONE;
}

static inline void bd_begin(struct block_debug *b)
{
	if (!b->begun)
		bd_run(b);
}

static inline const struct vs_fault *bd_fault(const struct block_debug *b)
{
	return vs_job_get_fault(b->job);
}

static inline enum bd_stop bd_state(const struct block_debug *b)
{
	if (!b->ended)
		return BD_STEP;
	switch (bd_fault(b)->kind) {
	case VS_FAULT_NONE:
		return BD_DONE;
	case VS_FAULT_BUDGET:
		return BD_BUDGET;
	default:
		return BD_FAULT;
	}
}

static inline bool bd_is_end(const struct vs_prog *p, u32 guest)
{
	u32 n;

	for (n = p->uop_of_guest[guest]; n < p->nuops && p->guest_of_uop[n] == guest; n++)
		if (p->uops[n].op == VS_OP_END)
			return true;
	return false;
}

/* Keep the registers of lanes that end with the next instruction. */
static inline void bd_keep(struct block_debug *b)
{
	u64 lanes = b->d.stop.g.lanes;
	u32 val[4], r, c, lane;

	if (!bd_is_end(b->prog, b->d.stop.pc))
		return;
	b->done |= lanes;
	for (; lanes; lanes &= lanes - 1) {
		lane = (u32)__builtin_ctzll(lanes);
		for (r = 0; r < b->prog->nregs; r++) {
			if (b->d.ops->reg(b->d.m, b->first + lane, r, val, false))
				abort();
			for (c = 0; c < b->prog->regs[r].ncomp; c++)
				b->last[r][c][lane] = val[c];
		}
	}
}

/* Execute one instruction of the current group. */
static inline enum bd_stop bd_step(struct block_debug *b)
{
	bd_begin(b);
	if (b->ended)
		return bd_state(b);
	if (b->trace)
		b->trace(b->arg, b->d.stop.pc, b->d.stop.g.lanes);
	bd_keep(b);
	bd_run(b);
	return bd_state(b);
}

static inline enum bd_stop bd_continue(struct block_debug *b)
{
	bd_begin(b);
	while (!b->ended) {
		if (b->d.stop.reason == VS_DEBUG_BREAK && !b->reported) {
			b->reported = true;
			return BD_BREAK;
		}
		bd_step(b);
	}
	return bd_state(b);
}

/* Guest word and lanes of the group that runs next. */
static inline u32 bd_pc(struct block_debug *b, u64 *mask)
{
	bd_begin(b);
	*mask = b->ended ? 0 : b->d.stop.g.lanes;
	return b->ended ? ~0U : b->d.stop.pc;
}

/* Guest word at which @lane is, ~0 if it has ended. */
static inline u32 bd_lane_pc(struct block_debug *b, u32 lane)
{
	struct vs_debug_inv inv[VS_LANES];
	u32 n, i;

	bd_begin(b);
	n = b->ended ? 0 : b->d.ops->list(b->d.m, inv, VS_LANES);
	for (i = 0; i < n; i++)
		if (inv[i].lane == lane)
			return inv[i].pc;
	return ~0U;
}

static inline int bd_reg(struct block_debug *b, const char *name, u32 comp, u32 lane, u32 *val,
			 bool write)
{
	const struct vs_prog *p = b->prog;
	u32 all[4], r = 0;
	int ret = -ENOENT;

	bd_begin(b);
	while (r < p->nregs && strncmp(p->regs[r].name, name, sizeof(p->regs[r].name)))
		r++;
	if (r == p->nregs || comp >= p->regs[r].ncomp || lane >= VS_LANES)
		return -ENOENT;
	if (!b->ended)
		ret = b->d.ops->reg(b->d.m, b->first + lane, r, all, false);
	if (!ret && write) {
		all[comp] = *val;
		return b->d.ops->reg(b->d.m, b->first + lane, r, all, true);
	}
	if (!ret)
		*val = all[comp];
	if (!ret || write || !(b->done >> lane & 1))
		return ret;
	*val = b->last[r][comp][lane];
	return 0;
}

static inline int bd_reg_read(struct block_debug *b, const char *reg, u32 comp, u32 lane, u32 *val)
{
	return bd_reg(b, reg, comp, lane, val, false);
}

static inline int bd_reg_write(struct block_debug *b, const char *reg, u32 comp, u32 lane, u32 val)
{
	return bd_reg(b, reg, comp, lane, &val, true);
}

#endif /* BLOCK_DEBUG_H */
