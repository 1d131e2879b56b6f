/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Debugging of jobs, whatever machine executes them.
 *
 * A machine that has a struct vs_dbg asks it in front of every guest instruction whether to
 * stop (vs_dbg_at()), and tells it about accesses to memory and faults. To stop is to return
 * VS_RUN_STOP from the phase: the job stands still, no worker is inside, and its state can
 * be read and changed through the machine's vs_dbg_ops. The next vs_job_step() goes on.
 *
 * All of it is touched by one at a time: by the worker while it executes a slice, by the
 * session (the owner) between slices. Only vs_dbg_interrupt() is for any time.
 */
#ifndef VS_DBG_H
#define VS_DBG_H

#include "vs_job.h"

#define VS_DBG_MAX_POINTS	64
#define VS_DBG_MAX_COMPONENTS	16
#define VS_DBG_NOBODY		(~0ULL)	/* no invocation */
#define VS_DBG_NO_CALL		(~0U)

/* Same numbers as enum drm_vshader_debug_reason. */
enum vs_dbg_reason {
	VS_DBG_NONE, VS_DBG_START, VS_DBG_BREAK, VS_DBG_WATCH, VS_DBG_STEP, VS_DBG_ENDED,
	VS_DBG_INTERRUPT, VS_DBG_FAULT, VS_DBG_TRACE
};

/* Same numbers as enum drm_vshader_debug_action. */
enum vs_dbg_action {
	VS_DBG_GO, VS_DBG_STEP_IN, VS_DBG_STEP_OVER, VS_DBG_STEP_OUT, VS_DBG_UNTIL
};

/* Same bits as enum drm_vshader_debug_point_flags. */
#define VS_DBG_ONE_SHOT		0x1
#define VS_DBG_DISABLED		0x2
#define VS_DBG_FILTER		0x4
#define VS_DBG_READ		0x8
#define VS_DBG_WRITE		0x10
#define VS_DBG_MISSING		0x20	/* trace: accesses behind this one are missing */

/**
 * struct vs_dbg_point - Breakpoint or watchpoint.
 * @id:		number, 0: none here
 * @version:	changes whenever the session changes it
 * @watch:	watchpoint
 * @flags:	VS_DBG_*
 * @program:	only in jobs of this program, 0: any
 * @pc:		breakpoints: instruction
 * @ignore:	how often it is still to be passed
 * @first:	with FILTER: invocations
 * @last:	"
 * @va:		watchpoints: range
 * @size:	"
 * @hits:	how often it was reached
 */
struct vs_dbg_point {
	u32 id;
	u32 version;
	bool watch;
	u32 flags;
	u32 program;
	u32 pc;
	u32 ignore;
	u64 first;
	u64 last;
	u64 va;
	u64 size;
	u64 hits;
};

/**
 * struct vs_dbg_points - All of them.
 * @gen:	changes whenever one does
 * @p:		points
 */
struct vs_dbg_points {
	u32 gen;
	struct vs_dbg_point p[VS_DBG_MAX_POINTS];
};

/**
 * struct vs_dbg_group - Invocations that execute an instruction together.
 * @invocation:	the lowest one
 * @lanes:	their places among those that run side by side
 * @active:	how many
 * @group:	number, unique among those of a stop
 */
struct vs_dbg_group {
	u64 invocation;
	u64 lanes;
	u32 active;
	u32 group;
};

/* Same numbers as enum drm_vshader_debug_inv_state. */
enum vs_dbg_inv_state { VS_DBG_INV_CURRENT, VS_DBG_INV_READY, VS_DBG_INV_WAIT };

#define VS_DBG_INV_HELPER	0x1

/**
 * struct vs_dbg_inv - An invocation; the same as struct drm_vshader_debug_invocation.
 * @invocation:	number
 * @pc:		next instruction
 * @state:	enum vs_dbg_inv_state
 * @group:	as in struct vs_dbg_group
 * @lane:	its place
 * @depth:	functions that it is in
 * @flags:	VS_DBG_INV_*
 */
struct vs_dbg_inv {
	u64 invocation;
	u32 pc;
	u32 state;
	u32 group;
	u32 lane;
	u32 depth;
	u32 flags;
};

/**
 * struct vs_dbg_ops - What a machine offers.
 * @group:	the invocations that execute the instruction that vs_dbg_at() is asked about
 * @find:	the lowest of them in a range, VS_DBG_NOBODY if there is none
 * @alive:	has an invocation that was being executed not ended?
 * @depth:	functions that an invocation is in; NULL: always 0
 * @list:	all that are being executed, at most @max. Return: how many there are
 * @reg:	read or write a register of the ISA's banks, all components.
 *		Return: 0, -ENOENT no such invocation
 * @call:	if one of those that are asked about calls a function with its next
 *		instruction, where it will come back to, else VS_DBG_NO_CALL. For machines that
 *		do not know how deep invocations are; may be NULL
 * @jump:	go on at another instruction. Return: 0, -EINVAL no instruction begins there,
 *		-EBUSY it waits; NULL: this is not possible
 *
 * Machines with memory call vs_dbg_access() while vs_dbg_watches(), and vs_dbg_last() when
 * they have come to their end.
 */
struct vs_dbg_ops {
	void (*group)(void *m, struct vs_dbg_group *g);
	u64 (*find)(void *m, u64 first, u64 last);
	bool (*alive)(void *m, u64 inv);
	u32 (*depth)(void *m, u64 inv);
	u32 (*list)(void *m, struct vs_dbg_inv *out, u32 max);
	int (*reg)(void *m, u64 inv, u32 reg, u32 *val, bool write);
	u32 (*call)(void *m, u64 inv);
	int (*jump)(void *m, u64 inv, u32 pc);
};

/**
 * struct vs_dbg_stop - Where a job stopped, and why.
 * @reason:	enum vs_dbg_reason
 * @pc:		next instruction, ~0: there is none
 * @point:	number of the point
 * @inv:	invocation it is about
 * @g:		who executes the instruction
 * @access_pc:	watchpoints: instruction that did it
 * @access_flags: VS_DBG_READ or VS_DBG_WRITE
 * @access_size: bytes
 * @access_va:	address
 * @fault:	faults
 */
struct vs_dbg_stop {
	u32 reason;
	u32 pc;
	u32 point;
	u64 inv;
	struct vs_dbg_group g;
	u32 access_pc;
	u32 access_flags;
	u32 access_size;
	u64 access_va;
	struct vs_fault fault;
};

/**
 * struct vs_dbg_record - An instruction that was executed, or one of its accesses to memory;
 * as struct drm_vshader_debug_trace_record.
 * @job:	job
 * @invocation:	the lowest one
 * @lanes:	which; accesses: 0
 * @pc:		instruction
 * @active:	how many; accesses: 0
 * @code_va:	as in struct vs_dbg
 * @va:		accesses: address
 * @size:	accesses: bytes
 * @flags:	accesses: VS_DBG_READ, VS_DBG_WRITE
 */
struct vs_dbg_record {
	u64 job;
	u64 invocation;
	u64 lanes;
	u32 pc;
	u32 active;
	u64 code_va;
	u64 va;
	u32 size;
	u32 flags;
};

/**
 * struct vs_dbg_trace - Trace buffer.
 * @rec:	records, or NULL
 * @n:		used
 * @max:	room
 * @on:		tracing
 * @accesses:	of memory, too
 * @stop:	in front of each instruction
 * @filter:	only what is in the ranges
 * @pc_first:	instructions
 * @pc_last:	"
 * @first:	invocations
 * @last:	"
 */
struct vs_dbg_trace {
	struct vs_dbg_record *rec;
	u32 n;
	u32 max;
	bool on;
	bool accesses;
	bool stop;
	bool filter;
	u32 pc_first;
	u32 pc_last;
	u64 first;
	u64 last;
};

/**
 * struct vs_dbg - Debugging of the jobs of a queue.
 * @on:		stop where there is reason to
 * @stop_start:	stop jobs before their first instruction
 * @stop_fault:	stop jobs where they fault
 * @interrupt:	stop before the next instruction
 * @pts:	the session's points as of the last vs_dbg_sync()
 * @breaks:	breakpoints that are enabled, and for this program
 * @watches:	the same of watchpoints
 * @trace:	trace
 * @job:	number of the job
 * @program:	number of its program
 * @first:	nothing of it has been executed
 * @faulted:	it has been stopped at its fault
 * @held:	stopped in front of an instruction, which is to be executed next
 * @action:	what ends the run
 * @inv:	whose steps count
 * @until:	UNTIL: instruction
 * @count:	instructions to execute
 * @done:	instructions that have been
 * @depth:	functions that @inv was in
 * @back:	STEP_OVER: where the function that is stepped over returns to
 * @lost:	@inv has ended with its machine
 * @hit:	a watchpoint was hit by the instruction before: its place, VS_DBG_MAX_POINTS: no
 * @ops:	the machine that runs, or NULL
 * @m:		"
 * @map:	its address space
 * @code_va:	where its instruction 0 is, 0: in a program object
 * @stop:	the last stop
 */
struct vs_dbg {
	bool on;
	bool stop_start;
	bool stop_fault;
	bool interrupt;
	struct vs_dbg_points pts;
	u32 breaks;
	u32 watches;
	struct vs_dbg_trace trace;

	u64 job;
	u32 program;
	bool first;
	bool faulted;
	bool held;

	u32 action;
	u64 inv;
	u32 until;
	u32 count;
	u32 done;
	u32 depth;
	u32 back;
	bool lost;
	u32 hit;

	const struct vs_dbg_ops *ops;
	void *m;
	const struct vs_map *map;
	u64 code_va;
	struct vs_dbg_stop stop;
};

/* ---- for the session ---- */

/* A job is about to begin; what was left of another one is forgotten. */
void vs_dbg_job(struct vs_dbg *d, u64 job, u32 program);
/* Between slices: take over changed points, and give back what is counted in them. */
void vs_dbg_sync(struct vs_dbg *d, struct vs_dbg_points *master);
/* From anywhere. */
void vs_dbg_interrupt(struct vs_dbg *d);
/**
 * vs_dbg_resume - what is to happen next, of a job that is stopped
 * @d: debugger
 * @action: enum vs_dbg_action
 * @inv: invocation, but for GO
 * @pc: UNTIL
 * @count: STEP_IN, STEP_OVER
 *
 * Return: 0, -ENOENT no such invocation, -EINVAL STEP_OUT outside of functions.
 */
int vs_dbg_resume(struct vs_dbg *d, enum vs_dbg_action action, u64 inv, u32 pc, u32 count);

/**
 * vs_dbg_jump - an invocation of a stopped job goes on at another instruction
 * @d: debugger
 * @inv: invocation
 * @pc: instruction
 *
 * Return: 0, -ENOENT no such invocation, -EOPNOTSUPP, and what vs_dbg_ops.jump returns.
 */
int vs_dbg_jump(struct vs_dbg *d, u64 inv, u32 pc);

/* ---- for machines ---- */

/* The machine whose instructions come now; @ops NULL: it has ended. */
void vs_dbg_machine(struct vs_dbg *d, const struct vs_dbg_ops *ops, void *m,
		    const struct vs_map *map, u64 code_va);
/**
 * vs_dbg_at - in front of an instruction
 * @d: debugger
 * @pc: instruction
 *
 * Return: true: return VS_RUN_STOP, and ask again with the same group when going on.
 */
bool vs_dbg_at(struct vs_dbg *d, u32 pc);
/* An invocation accesses memory; @flags VS_DBG_READ or VS_DBG_WRITE or both. */
void vs_dbg_access(struct vs_dbg *d, u64 inv, u32 pc, u64 va, u64 size, u32 flags);
/* Return: true: return VS_RUN_STOP, and end with the fault when going on. */
bool vs_dbg_fault(struct vs_dbg *d, const struct vs_fault *f);
/* The machine has come to its end. Return: true: return VS_RUN_STOP, and ask again. */
bool vs_dbg_last(struct vs_dbg *d);

static inline bool vs_dbg_watches(const struct vs_dbg *d)
{
	return d && d->on && (d->watches || (d->trace.on && d->trace.accesses));
}

/* ---- launches of the streaming engine ---- */

struct vs_dbg_block;

/* Numbers of registers: those of the program's table, then rows of uniforms. */
#define VS_DBG_BLOCK_UNIF	64

/* One phase of @job that runs @l under job's debugger. Return: as vs_job_add_launch(). */
int vs_dbg_block_add(struct vs_job *job, const struct vs_launch *l, struct vs_dbg_block **out);
void vs_dbg_block_free(struct vs_dbg_block *b);

/* ---- registers ---- */

/**
 * struct vs_dbg_bank - Registers of one kind; as struct drm_vshader_debug_bank.
 * @first:	number of the first one
 * @count:	registers
 * @components:	of each
 * @bits:	of a component
 * @kind:	enum vs_dbg_kind
 * @flags:	VS_DBG_BANK_*
 * @base:	number in the name of the first one
 * @name:	name, to which a number is added if there are several
 */
struct vs_dbg_bank {
	u32 first;
	u32 count;
	u32 components;
	u32 bits;
	u32 kind;
	u32 flags;
	u32 base;
	char name[16];
};

/* Same numbers as enum drm_vshader_debug_kind and enum drm_vshader_debug_bank_flags. */
enum vs_dbg_kind { VS_DBG_BITS, VS_DBG_FLOAT, VS_DBG_INT, VS_DBG_PREDICATE, VS_DBG_ADDRESS };

#define VS_DBG_BANK_WRITABLE	0x1
#define VS_DBG_BANK_UNIFORM	0x2
#define VS_DBG_BANK_MINOR	0x4
#define VS_DBG_BANK_LANES	0x8

#endif /* VS_DBG_H */
