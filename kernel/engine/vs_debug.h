/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Debug interface between sessions and machines.
 *
 * A machine with a struct vs_debug calls vs_debug_at() before every guest instruction to check
 * for a stop, and reports memory accesses and faults. A stop returns VS_RUN_STOP from the
 * phase: no worker is inside the job, and its state can be read and changed through the
 * machine's vs_debug_ops. The next vs_job_step() resumes.
 *
 * The worker owns the structure during a slice, the session between slices. Only
 * vs_debug_interrupt() may be called at any time.
 */
#ifndef VS_DEBUG_H
#define VS_DEBUG_H

#include "vs_job.h"

#define VS_DEBUG_MAX_POINTS	64
#define VS_DEBUG_MAX_COMPONENTS	16
#define VS_DEBUG_NOBODY		(~0ULL)	/* no invocation */
#define VS_DEBUG_NO_CALL	(~0U)

/* Same numbers as enum drm_vshader_debug_reason. */
enum vs_debug_reason {
	VS_DEBUG_NONE, VS_DEBUG_START, VS_DEBUG_BREAK, VS_DEBUG_WATCH, VS_DEBUG_STEP,
	VS_DEBUG_ENDED, VS_DEBUG_INTERRUPT, VS_DEBUG_FAULT, VS_DEBUG_TRACE, VS_DEBUG_SPECIAL
};

/* Same numbers as enum drm_vshader_debug_action. */
enum vs_debug_action {
	VS_DEBUG_GO, VS_DEBUG_STEP_IN, VS_DEBUG_STEP_OVER, VS_DEBUG_STEP_OUT, VS_DEBUG_UNTIL,
	VS_DEBUG_STEP_OPERATION = 8
};

/* Same numbers as enum drm_vshader_debug_point_kind. */
enum vs_debug_point_kind { VS_DEBUG_BREAKPOINT, VS_DEBUG_WATCHPOINT, VS_DEBUG_SPECIALS };

/* Same bits as enum drm_vshader_debug_point_flags. */
#define VS_DEBUG_ONE_SHOT	0x1
#define VS_DEBUG_DISABLED	0x2
#define VS_DEBUG_FILTER		0x4
#define VS_DEBUG_READ		0x8
#define VS_DEBUG_WRITE		0x10
#define VS_DEBUG_MISSING	0x20	/* trace: accesses after this one are missing */
#define VS_DEBUG_PRODUCED	0x40	/* trace: a NaN or an infinity */
#define VS_DEBUG_FRAGMENT	0x80	/* trace: a step of a fragment */

/**
 * struct vs_debug_point - Breakpoint, watchpoint, or stop at produced NaNs and infinities.
 * @id:		number, 0: unused entry
 * @version:	changes whenever the session changes it
 * @kind:	enum vs_debug_point_kind
 * @flags:	VS_DEBUG_*
 * @program:	only in jobs of this program, 0: any
 * @pc:		breakpoints: instruction
 * @ignore:	number of hits still to be ignored
 * @first:	with FILTER: invocations
 * @last:	"
 * @va:		watchpoints: range
 * @size:	"
 * @hits:	number of hits
 */
struct vs_debug_point {
	u32 id;
	u32 version;
	u32 kind;
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
 * struct vs_debug_points - All points of a session.
 * @gen:	changes with every change of a point
 * @p:		points
 */
struct vs_debug_points {
	u32 gen;
	struct vs_debug_point p[VS_DEBUG_MAX_POINTS];
};

/**
 * struct vs_debug_group - Invocations that execute an instruction together.
 * @invocation:	the lowest one
 * @lanes:	mask of their lanes
 * @active:	number of invocations
 * @group:	number, unique within a stop
 */
struct vs_debug_group {
	u64 invocation;
	u64 lanes;
	u32 active;
	u32 group;
};

/* Same numbers as enum drm_vshader_debug_inv_state. */
enum vs_debug_inv_state { VS_DEBUG_INV_CURRENT, VS_DEBUG_INV_READY, VS_DEBUG_INV_WAIT };

#define VS_DEBUG_INV_HELPER	0x1

/**
 * struct vs_debug_inv - An invocation; the same as struct drm_vshader_debug_invocation.
 * @invocation:	number
 * @pc:		next instruction
 * @state:	enum vs_debug_inv_state
 * @group:	as in struct vs_debug_group
 * @lane:	lane in the group
 * @depth:	call depth
 * @flags:	VS_DEBUG_INV_*
 * @part:	next operation of the instruction
 * @pad:	0
 */
struct vs_debug_inv {
	u64 invocation;
	u32 pc;
	u32 state;
	u32 group;
	u32 lane;
	u32 depth;
	u32 flags;
	u32 part;
	u32 pad;
};

/**
 * struct vs_debug_ops - Access to a machine.
 * @group:	invocations at the instruction of the current vs_debug_at()
 * @find:	the lowest of them in a range, or VS_DEBUG_NOBODY
 * @alive:	whether a started invocation has not ended
 * @depth:	call depth of an invocation; NULL: always 0
 * @list:	invocations in execution, at most @max. Return: their total number
 * @reg:	read or write a register of the ISA's banks, all components.
 *		Return: 0, -ENOENT no such invocation
 * @call:	return address if the next instruction of the group is a call, else
 *		VS_DEBUG_NO_CALL. For machines without call depths; may be NULL
 * @jump:	move an invocation to another instruction. Return: 0, -EINVAL @pc is not the
 *		start of an instruction, -EBUSY it waits; NULL: not supported
 * @code:	address of the program that an instruction is in, from which @pc counts then, where
 *		several are executed as one; NULL: &vs_debug.code_va
 *
 * Machines with memory call vs_debug_access() while vs_debug_watches(), all call
 * vs_debug_produced() while vs_debug_checks(), and vs_debug_last() at their end.
 */
struct vs_debug_ops {
	void (*group)(void *m, struct vs_debug_group *g);
	u64 (*find)(void *m, u64 first, u64 last);
	bool (*alive)(void *m, u64 inv);
	u32 (*depth)(void *m, u64 inv);
	u32 (*list)(void *m, struct vs_debug_inv *out, u32 max);
	int (*reg)(void *m, u64 inv, u32 reg, u32 *val, bool write);
	u32 (*call)(void *m, u64 inv);
	int (*jump)(void *m, u64 inv, u32 pc);
	u64 (*code)(void *m, u32 *pc);
};

/**
 * struct vs_debug_stop - Location and reason of a stop.
 * @reason:	enum vs_debug_reason
 * @pc:		next instruction, ~0: none
 * @point:	number of the point
 * @inv:	invocation that caused the stop
 * @g:		invocations at the instruction
 * @part:	next operation of the instruction
 * @access_pc:	watchpoints: accessing instruction; SPECIAL: the one that produced the value
 * @access_part: its operation
 * @access_flags: VS_DEBUG_READ or VS_DEBUG_WRITE
 * @access_size: bytes
 * @access_va:	address
 * @fault:	faults
 */
struct vs_debug_stop {
	u32 reason;
	u32 pc;
	u32 point;
	u64 inv;
	struct vs_debug_group g;
	u32 part;
	u32 access_pc;
	u32 access_part;
	u32 access_flags;
	u32 access_size;
	u64 access_va;
	struct vs_fault fault;
};

/**
 * struct vs_debug_record - An executed instruction or operation, one of its memory accesses, or a
 * NaN or infinity that it produced; same as struct drm_vshader_debug_trace_record.
 * @job:	job
 * @invocation:	the lowest one
 * @lanes:	mask of lanes; accesses: 0
 * @pc:		instruction
 * @active:	number of invocations; accesses: 0
 * @code_va:	as in struct vs_debug
 * @va:		accesses: address
 * @size:	accesses: bytes
 * @flags:	accesses: VS_DEBUG_READ, VS_DEBUG_WRITE; VS_DEBUG_PRODUCED, VS_DEBUG_FRAGMENT
 * @part:	operation
 * @pad:	0
 */
struct vs_debug_record {
	u64 job;
	u64 invocation;
	u64 lanes;
	u32 pc;
	u32 active;
	u64 code_va;
	u64 va;
	u32 size;
	u32 flags;
	u32 part;
	u32 pad;
};

/**
 * struct vs_debug_trace - Trace buffer.
 * @rec:	records, or NULL
 * @n:		records in use
 * @max:	size of @rec in records
 * @on:		tracing is enabled
 * @accesses:	record memory accesses
 * @stop:	stop before each instruction
 * @operations:	each operation counts, not only the first one of an instruction
 * @specials:	record produced NaNs and infinities
 * @by_reg:	only invocations whose register @reg begins with @words @values
 * @reg:	"
 * @words:	"
 * @values:	", or the pixel of @fragments
 * @fragments:	no instructions, but steps of fragments
 * @filter:	apply the ranges below
 * @pc_first:	instructions
 * @pc_last:	"
 * @first:	invocations
 * @last:	"
 */
struct vs_debug_trace {
	struct vs_debug_record *rec;
	u32 n;
	u32 max;
	bool on;
	bool accesses;
	bool stop;
	bool operations;
	bool specials;
	bool by_reg;
	u32 reg;
	u32 words;
	u32 values[4];
	bool fragments;
	bool filter;
	u32 pc_first;
	u32 pc_last;
	u64 first;
	u64 last;
};

/**
 * struct vs_debug - Debugging of the jobs of a queue.
 * @on:		debugging is enabled
 * @stop_start:	stop jobs before their first instruction
 * @stop_fault:	stop jobs where they fault
 * @interrupt:	stop before the next instruction
 * @pts:	the session's points as of the last vs_debug_sync()
 * @breaks:	number of breakpoints enabled for this program
 * @watches:	the same for watchpoints
 * @specials:	the same for points at produced NaNs and infinities
 * @trace:	trace
 * @job:	number of the job
 * @program:	number of its program
 * @first:	no instruction of the job has been executed
 * @faulted:	the job has been stopped at its fault
 * @held:	stopped before an instruction, which is executed next
 * @action:	enum vs_debug_action of the last resume
 * @inv:	invocation whose steps count
 * @until:	UNTIL: instruction
 * @count:	instructions to execute
 * @done:	executed instructions
 * @depth:	call depth of @inv at the resume
 * @back:	STEP_OVER: return address of the function stepped over
 * @lost:	@inv has ended with its machine
 * @hit:	index of the point hit by the previous instruction, VS_DEBUG_MAX_POINTS: none
 * @part:	operation of the last vs_debug_at()
 * @ops:	the running machine, or NULL
 * @m:		"
 * @map:	its address space
 * @code_va:	address of instruction 0, 0: in a program object
 * @stop:	the last stop
 */
struct vs_debug {
	bool on;
	bool stop_start;
	bool stop_fault;
	bool interrupt;
	struct vs_debug_points pts;
	u32 breaks;
	u32 watches;
	u32 specials;
	struct vs_debug_trace trace;

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
	u32 part;

	const struct vs_debug_ops *ops;
	void *m;
	const struct vs_map *map;
	u64 code_va;
	struct vs_debug_stop stop;
};

/* ---- for the session ---- */

/* Reset the state of the previous job before a job starts. */
void vs_debug_job(struct vs_debug *d, u64 job, u32 program);
/* Between slices: update changed points from @master, and the counters in @master. */
void vs_debug_sync(struct vs_debug *d, struct vs_debug_points *master);
/* Stop at the next instruction. From any context. */
void vs_debug_interrupt(struct vs_debug *d);
/**
 * vs_debug_resume - set the action that resumes a stopped job
 * @d: debugger
 * @action: enum vs_debug_action
 * @inv: invocation; not for GO
 * @pc: UNTIL
 * @count: STEP_IN, STEP_OVER
 *
 * Return: 0, -ENOENT no such invocation, -EINVAL STEP_OUT outside of functions.
 */
int vs_debug_resume(struct vs_debug *d, enum vs_debug_action action, u64 inv, u32 pc, u32 count);

/**
 * vs_debug_jump - move an invocation of a stopped job to another instruction
 * @d: debugger
 * @inv: invocation
 * @pc: instruction
 *
 * Return: 0, -ENOENT no such invocation, -EOPNOTSUPP, or an error of vs_debug_ops.jump.
 */
int vs_debug_jump(struct vs_debug *d, u64 inv, u32 pc);

/**
 * vs_debug_code - address of the program that an instruction is in
 * @d: debugger
 * @pc: in: instruction; out: counted from the start of that program
 *
 * Return: as vs_debug_ops.code.
 */
u64 vs_debug_code(const struct vs_debug *d, u32 *pc);

/* ---- for machines ---- */

/* Set the running machine; @ops NULL: it has ended. */
void vs_debug_machine(struct vs_debug *d, const struct vs_debug_ops *ops, void *m,
		      const struct vs_map *map, u64 code_va);
/**
 * vs_debug_at - decide whether to stop before an instruction
 * @d: debugger
 * @pc: instruction
 * @part: its operation; machines without operations use 0
 *
 * Return: true: return VS_RUN_STOP, and call again with the same group after resuming.
 */
bool vs_debug_at(struct vs_debug *d, u32 pc, u32 part);
/* Report a memory access; @flags VS_DEBUG_READ or VS_DEBUG_WRITE or both. */
void vs_debug_access(struct vs_debug *d, u64 inv, u32 pc, u64 va, u64 size, u32 flags);
void vs_debug_fragment(struct vs_debug *d, u64 draw, u32 step, u32 n, const u32 v[6]);
/* Report that an operation has produced a NaN or an infinity from operands that are none. */
void vs_debug_produced(struct vs_debug *d, u64 inv, u32 pc);
/* Report a fault. Return: true: return VS_RUN_STOP, and end with the fault after resuming. */
bool vs_debug_fault(struct vs_debug *d, const struct vs_fault *f);
/* Report the machine's end. Return: true: return VS_RUN_STOP, and call again. */
bool vs_debug_last(struct vs_debug *d);

static inline bool vs_debug_watches(const struct vs_debug *d)
{
	return d && d->on && (d->watches || (d->trace.on && d->trace.accesses));
}

/* Are produced NaNs and infinities to be reported? */
static inline bool vs_debug_checks(const struct vs_debug *d)
{
	return d && d->on && (d->specials || (d->trace.on && d->trace.specials));
}

/* ---- launches of the streaming engine ---- */

struct vs_debug_block;

/*
 * Numbers of registers: those of the program's table, then rows of uniforms, then loop
 * descriptors and boolean uniforms.
 */
#define VS_DEBUG_BLOCK_UNIF	64
#define VS_DEBUG_BLOCK_LOOP	0x400
#define VS_DEBUG_BLOCK_BOOL	0x410

/* One phase of @job that runs @l under job's debugger. Return: as vs_job_add_launch(). */
int vs_debug_block_add(struct vs_job *job, const struct vs_launch *l, struct vs_debug_block **out);
void vs_debug_block_free(struct vs_debug_block *b);

/* ---- registers ---- */

/**
 * struct vs_debug_bank - Registers of one kind; as struct drm_vshader_debug_bank.
 * @first:	number of the first register
 * @count:	number of registers
 * @components:	components per register
 * @bits:	bits per component
 * @kind:	enum vs_debug_kind
 * @flags:	VS_DEBUG_BANK_*
 * @base:	number in the name of the first register
 * @name:	name, with a number appended if @count is not 1
 */
struct vs_debug_bank {
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
enum vs_debug_kind {
	VS_DEBUG_BITS, VS_DEBUG_FLOAT, VS_DEBUG_INT, VS_DEBUG_PREDICATE, VS_DEBUG_ADDRESS
};

#define VS_DEBUG_BANK_WRITABLE	0x1
#define VS_DEBUG_BANK_UNIFORM	0x2
#define VS_DEBUG_BANK_MINOR	0x4
#define VS_DEBUG_BANK_LANES	0x8

#endif /* VS_DEBUG_H */
