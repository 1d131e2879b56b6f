/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Debug hooks: breakpoints, single step and register access on one block. Costs
 * nothing when not used: the normal executors hold no hook.
 */
#ifndef VS_DEBUG_H
#define VS_DEBUG_H

#include "vs_job.h"

/* A private copy of @p whose micro-ops may be patched. */
struct vs_prog *vs_debug_clone(const struct vs_prog *p);
/* Patch or unpatch a breakpoint at guest word @guest. Return: 0, -ENOENT, -EEXIST. */
int vs_debug_break_set(struct vs_prog *p, u32 guest);
int vs_debug_break_clear(struct vs_prog *p, u32 guest);

enum vs_debug_stop { VS_STOP_DONE, VS_STOP_BREAK, VS_STOP_STEP, VS_STOP_FAULT, VS_STOP_BUDGET };

/* Called by the traced executor before every guest instruction of a group. */
typedef void (*vs_trace_fn)(void *arg, u32 guest, u64 mask);

struct vs_debug;

/* Run invocations [64 * block, ...) of @l under the debugger. */
struct vs_debug *vs_debug_new(const struct vs_map *map, const struct vs_job_limits *lim,
			      const struct vs_launch *l, u32 block);
void vs_debug_free(struct vs_debug *d);
void vs_debug_set_trace(struct vs_debug *d, vs_trace_fn fn, void *arg);
enum vs_debug_stop vs_debug_continue(struct vs_debug *d);
/* Execute one guest instruction of the current group. */
enum vs_debug_stop vs_debug_step(struct vs_debug *d);
/* Guest word and lanes of the group that runs next. */
u32 vs_debug_pc(const struct vs_debug *d, u64 *mask);
/* Guest word at which @lane is, ~0 if it has ended. */
u32 vs_debug_lane_pc(const struct vs_debug *d, u32 lane);
int vs_debug_reg_read(const struct vs_debug *d, const char *reg, u32 comp, u32 lane, u32 *val);
int vs_debug_reg_write(struct vs_debug *d, const char *reg, u32 comp, u32 lane, u32 val);
const struct vs_fault *vs_debug_fault(const struct vs_debug *d);

#endif /* VS_DEBUG_H */
