/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs and workers: internals of the engine.
 */
#ifndef VS_INTERN_H
#define VS_INTERN_H

#include "vs_block.h"
#include "vs_post.h"

#define VS_CALL_RING	4
#define VS_IF_RING	8
#define VS_LOOP_RING	4

/* Words of the emit store: three vertices of 16 registers. */
#define VS_EMIT_WORDS	64

struct vs_call_ent {
	u32 ret;
	u16 end;
	u16 ret_guest;
};

struct vs_if_ent {
	u32 other;
	u16 end;
	u16 pad;
};

struct vs_loop_ent {
	u32 start;
	u32 other;
	u16 end;
	u16 al;
	u16 left;
	u16 step;
};

/**
 * struct vs_group - Lanes with the same control state.
 * @mask:	lanes
 * @pc:		next micro-op
 * @ncall:	entries of @call, the newest last
 * @nif:	entries of @ifs
 * @nloop:	entries of @loop
 * @pad:	padding
 * @call:	CALL ring: pops at @end, goes to @ret
 * @ifs:	IF ring: pops at @end, goes to @other
 * @loop:	LOOP ring: at @end repeats from @start while @left, else to @other
 */
struct vs_group {
	u64 mask;
	u32 pc;
	u8 ncall;
	u8 nif;
	u8 nloop;
	u8 pad;
	struct vs_call_ent call[VS_CALL_RING];
	struct vs_if_ent ifs[VS_IF_RING];
	struct vs_loop_ent loop[VS_LOOP_RING];
};

enum vs_phase_kind { VS_PHASE_LAUNCH, VS_PHASE_FN };

/**
 * struct vs_phase - A phase of a job.
 * @kind:	launch or function
 * @l:		launch
 * @fn:		function
 * @arg:	its argument
 * @guest:	function of chunks other than the first one, see vs_job_invite()
 * @guest_arg:	its argument
 * @block:	its argument, if it is a launch under a debugger, to be freed; or NULL
 * @draw:	fault.draw
 * @total:	invocations
 * @nblocks:	blocks
 * @chunk:	blocks per chunk
 * @nchunks:	chunks
 * @serial:	one invocation per block, slots persist
 * @split:	the first invocation has a block of its own
 * @exact:	optimistic execution cannot work (uniforms out of its range)
 * @next:	next chunk to hand out
 * @done:	chunks finished
 * @bad:	first chunk with a fault: it and later chunks do not run
 */
struct vs_phase {
	enum vs_phase_kind kind;
	struct vs_launch l;
	vs_phase_fn fn;
	void *arg;
	vs_guest_fn guest;
	void *guest_arg;
	struct vs_debug_block *block;
	u32 draw;
	u64 total;
	u64 nblocks;
	u32 chunk;
	u64 nchunks;
	bool serial;
	bool split;
	bool exact;
	vs_atomic next;
	vs_atomic done;
	vs_atomic bad;
};

/**
 * struct vs_keep - State kept between KEEP launches, one value for all lanes.
 * @slot:	slots
 * @emit:	vertex slots
 * @written:	mask of output registers written so far
 * @preds:	mask of predicates
 * @latch:	SETEMIT value
 */
struct vs_keep {
	u32 slot[VS_MAX_SLOTS];
	u32 emit[3][VS_EMIT_WORDS];
	u32 written;
	u32 preds;
	u8 latch;
};

/* vs_job.users: workers inside, and: */
#define VS_JOB_COMPLETE	BIT_ULL(62)	/* nothing left to do */
#define VS_JOB_CLAIMED	BIT_ULL(61)	/* VS_RUN_DONE has been returned */

/* vs_job.faulted */
#define VS_JOB_FAULT	1		/* job->fault holds it */
#define VS_JOB_CANCEL	0x100		/* ORed with a fault kind: nothing else is known */

#define VS_NO_PHASE	(~0ULL)

/**
 * struct vs_job - A job.
 * @map:	address translation
 * @lim:	bounds
 * @max_phases:	room in @phases
 * @nphases:	phases
 * @draw:	for phases added from now on
 * @phases:	array of phases, owned
 * @cur:	phase being executed, VS_NO_PHASE before the start
 * @started:	phase 0 has begun
 * @users:	workers inside and flags
 * @stop:	end soon
 * @faulted:	VS_JOB_FAULT or VS_JOB_CANCEL
 * @lock:	of @fault, @snap and @post while blocks run
 * @fault:	the fault
 * @weight:	weight used
 * @invocations: invocations finished
 * @tab:	uniform and row tables of the current launch: plain, then scaled
 * @tab_words:	room, words of each of the two
 * @tab_rows:	first word of the rows in a table
 * @keep:	for KEEP launches, or NULL
 * @post:	machine at the end of the job
 * @has_post:	@post of a launch is valid
 * @snap:	registers for @post, or NULL
 * @arena_size:	bytes of arena that phases need
 * @arena:	arena of the worker that executes a phase function
 * @arena_room:	size of @arena, bytes
 * @guests:	phase functions may invite guests
 * @nan_rule:	the processor does not return the first of two NaNs, see struct vs_block
 * @dbg_worker:	executes the launches of a debugged job, or NULL
 */
struct vs_job {
	const struct vs_map *map;
	struct vs_job_limits lim;
	u32 max_phases;
	u32 nphases;
	u32 draw;
	struct vs_phase *phases;
	vs_atomic cur;
	vs_atomic started;
	vs_atomic users;
	bool stop;
	vs_atomic faulted;
	vs_lock lock;
	struct vs_fault fault;
	vs_atomic weight;
	vs_atomic invocations;
	u32 *tab;
	u32 tab_words;
	u32 tab_rows;
	struct vs_keep *keep;
	struct vs_post post;
	bool has_post;
	struct vs_snap *snap;
	u64 arena_size;
	void *arena;
	u64 arena_room;
	bool guests;
	bool nan_rule;
	struct vs_worker *dbg_worker;
};

/* Result of running a block. */
enum vs_blk { VS_BLK_DONE, VS_BLK_MORE, VS_BLK_FAULT, VS_BLK_STEP };

/**
 * struct vs_worker - An execution context.
 * @b:		state seen by executors
 * @group:	groups of lanes of the current block
 * @ngroups:	number of @group in use
 * @cur:	index of the running group
 * @simd:	executor build
 * @kind:	optimistic or exact instantiation of this block
 * @job:	job being served
 * @ph:		its phase
 * @phase:	number of @ph
 * @chunk:	has claimed a chunk
 * @nr:		number of the chunk
 * @fresh:	the chunk has just been claimed
 * @failed:	the chunk has faulted with @fault
 * @running:	a block is under way
 * @block:	number of the block
 * @block_end:	one past the chunk's last block
 * @inv0:	first invocation of the block
 * @live:	lanes that are invocations; the others copy lane 0
 * @nlive:	number of @live lanes
 * @left:	time left in this slice, in units of weight
 * @slow:	time per unit of weight of the block's executor, in units of @left
 * @used:	weight used in this slice; refunds may make it negative
 * @room:	weight that the budget allows in this slice
 * @block_used:	weight used by the block, refunded if it must run again
 * @redo:	the block must run again
 * @invocations: invocations finished in this slice
 * @flags:	VS_FPU_* exception flags collected for the block
 * @fpu:	floating-point state of the caller
 * @probe:	weight used since the last check for subnormals
 * @retries:	recent failures of optimistic execution
 * @patience:	blocks to run exactly before the next optimistic one
 * @bools:	booleans of this block
 * @hook_bools:	@bools as changed by the launch's hook
 * @fault:	fault raised by this worker
 * @tlb:	address translation
 * @linear:	the block's elements are consecutive and belong to one instance
 * @elem:	element number by lane; lane 0 only if @linear
 * @inst:	instance by lane; lane 0 only if @linear
 * @off:	row offsets by lane
 * @al_save:	by loop depth and lane: aL before the loop
 * @latch:	SETEMIT value by lane
 * @prims:	primitives of the invocation by lane
 * @emit:	vertex slots: word by slot, register component and lane
 * @snap:	buffer for the registers of a job that faults
 * @arena:	memory for machines run by phase functions, or NULL
 * @arena_size:	size of @arena, bytes
 * @raw:	unaligned allocation of the worker
 */
struct vs_worker {
	struct vs_block b;
	struct vs_group group[VS_LANES];
	u32 ngroups;
	u32 cur;
	enum vs_simd simd;
	enum vs_kind kind;
	struct vs_job *job;
	struct vs_phase *ph;
	u64 phase;
	bool chunk;
	u64 nr;
	bool fresh;
	bool failed;
	bool running;
	u64 block;
	u64 block_end;
	u64 inv0;
	u64 live;
	u32 nlive;
	s64 left;
	u32 slow;
	s64 used;
	s64 room;
	u64 block_used;
	bool redo;
	u64 invocations;
	u32 flags;
	u32 fpu;
	u32 probe;
	u32 retries;
	u32 patience;
	u32 bools;
	u32 hook_bools;
	struct vs_fault fault;
	struct vs_tlb tlb;
	bool linear;
	u32 elem[VS_LANES];
	u32 inst[VS_LANES];
	u64 off[VS_LANES];
	u8 al_save[VS_LOOP_RING][VS_LANES];
	u8 latch[VS_LANES];
	u32 prims[VS_LANES];
	u32 emit[3][VS_EMIT_WORDS][VS_LANES];
	struct vs_snap *snap;
	void *arena;
	u64 arena_size;
	void *raw;
};

/* Weight is the same for all executors; the corresponding time is not. */
static inline void vs_charge(struct vs_worker *w, u32 weight)
{
	w->left -= (s64)weight * w->slow;
	w->used += weight;
	w->block_used += weight;
}

/* The slice is over. */
static inline bool vs_slice_over(const struct vs_worker *w)
{
	return w->left <= 0 || w->used > w->room || READ_ONCE(w->job->stop) || vs_should_yield();
}

/* flow.c */
void vs_flow_start(struct vs_worker *w, u64 mask, u32 entry);
enum vs_blk vs_flow_run(struct vs_worker *w);
enum vs_blk vs_flow_step(struct vs_worker *w);
void vs_flow_fault(struct vs_worker *w, enum vs_fault_kind kind, u64 mask);

/* emit.c */
void vs_emit_reset(struct vs_worker *w);
void vs_emit_setemit(struct vs_worker *w, u64 mask, u32 imm);
bool vs_emit(struct vs_worker *w, u64 mask);
bool vs_emit_finish(struct vs_worker *w);

/* serial.c */
int vs_serial_new(struct vs_job *job);
void vs_serial_load(struct vs_worker *w);
void vs_serial_save(struct vs_worker *w);
bool vs_serial_busy(struct vs_worker *w);
bool vs_serial_before(struct vs_worker *w);
void vs_serial_after(struct vs_worker *w);

/* stream.c */
bool vs_stream_load(struct vs_worker *w);
bool vs_stream_store(struct vs_worker *w);

/* block.c */
void vs_block_attach(struct vs_worker *w, struct vs_job *job, u64 phase);
bool vs_block_begin(struct vs_worker *w);
enum vs_blk vs_block_run(struct vs_worker *w);
bool vs_block_prepare(struct vs_job *job, struct vs_phase *ph);
void vs_block_fp_begin(struct vs_worker *w);
void vs_block_fp_end(struct vs_worker *w);
bool vs_block_tainted(struct vs_worker *w);
bool vs_phase_init(struct vs_phase *ph);

/* cpu.c */
/*
 * Modes and exception flags of vector arithmetic. On x86 MXCSR; on arm64 FPCR, and in the low
 * bits, which are reserved there, the flags of FPSR.
 */
#ifdef __aarch64__
#define VS_FPU_IE		0x01	/* invalid operation */
#define VS_FPU_UE		0x08	/* underflow */
#define VS_FPU_DE		0x80	/* subnormal operand, only if flushed */
#define VS_FPU_FLAGS		0x9f
#define VS_FPU_NEAREST		0	/* no exception traps, subnormals kept */
#define VS_FPU_RZ		0x00c00000
#define VS_FPU_RZ_FLUSH		(VS_FPU_RZ | 0x01000000)	/* results and operands */
#else
#define VS_FPU_IE		0x01	/* invalid operation */
#define VS_FPU_DE		0x02	/* subnormal operand */
#define VS_FPU_UE		0x10	/* underflow */
#define VS_FPU_FLAGS		0x3f
#define VS_FPU_NEAREST		0x1f80	/* all exceptions masked, subnormals kept */
#define VS_FPU_RZ		(VS_FPU_NEAREST | 0x6000)
#define VS_FPU_RZ_FLUSH		(VS_FPU_RZ | 0x8000 | 0x0040)	/* results and operands */
#endif

bool vs_simd_first_nan(enum vs_simd simd);
u32 vs_fpu_begin(enum vs_simd simd, u32 mode);
u32 vs_fpu_end(enum vs_simd simd, u32 saved);
void vs_fpu_mode(enum vs_simd simd, u32 mode);
void vs_vector_begin(enum vs_simd simd);
void vs_vector_end(enum vs_simd simd);
u32 vs_fpu_get(void);
void vs_fpu_set(u32 v);

/* map.c */

/* Loop descriptor or boolean uniform as a register, see VS_DEBUG_BLOCK_LOOP. */
static inline void vs_debug_const(u32 reg, const struct vs_loop *loops, u32 bools, u32 *val)
{
	const struct vs_loop *l = &loops[reg & 3];

	if (reg >= VS_DEBUG_BLOCK_BOOL) {
		val[0] = bools >> (reg & 15) & 1;
		return;
	}
	val[0] = l->count;
	val[1] = l->start;
	val[2] = l->step;
}

#endif /* VS_INTERN_H */
