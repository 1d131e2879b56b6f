/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * SIMT machine: executes shader programs of instruction sets with loads, stores, barriers and
 * divergent control flow (the Mali families).
 *
 * The stream engine in the parent folder is a separate machine: its blocks have no side effects
 * before they end and may run twice, and it has ring stacks and streams. Here side effects are
 * visible at once, and control state is an address. Vector primitives, address translation,
 * jobs and slices are shared.
 *
 * A front end lowers a guest program to micro-ops once (struct simt_prog). A block executes
 * SIMT_LANES threads. Operands are slots (registers of 32 bits per lane) or words of the uniform
 * table, the same for all lanes.
 */
#ifndef SIMT_H
#define SIMT_H

#include "../vs_job.h"

#define SIMT_LANES	64
#define SIMT_MAX_SLOTS	1024
#define SIMT_MAX_UNIF	4096
#define SIMT_LIVE_SLOTS	256
#define SIMT_MAX_UOPS	0x100000
#define SIMT_MAX_STRAIGHT 64	/* maximum between two of classes M, X and C */

enum simt_op {
#define SIMT_OP(name, ...) SIMT_##name,
#include "simt_ops.def"
#undef SIMT_OP
	SIMT_NUM_OPS
};

enum simt_class { SIMT_CL_F, SIMT_CL_H, SIMT_CL_B, SIMT_CL_G, SIMT_CL_I, SIMT_CL_M, SIMT_CL_X,
		  SIMT_CL_C };

/**
 * struct simt_opinfo - A line of simt_ops.def.
 * @name:	name
 * @class:	enum simt_class
 * @nsrc:	operands used
 * @weight:	budget charged
 */
struct simt_opinfo {
	char name[8];
	u8 class;
	u8 nsrc;
	u8 weight;
};

extern const struct simt_opinfo simt_opinfo[SIMT_NUM_OPS];

/*
 * imm of the JOIN in front of each guest instruction of a debugged program. SIMT_GUEST + n: in
 * front of operation n of the instruction, below SIMT_GUEST + SIMT_MAX_PARTS.
 */
#define SIMT_GUEST	1
#define SIMT_MAX_PARTS	32

/* Operands: index of a slot, or, with this bit set, of a word of the uniform table. */
#define SIMT_U		0x8000

/* Modifiers of source i. */
#define SIMT_NEG(i)	(0x01 << (i))
#define SIMT_NEGS	0x0f
#define SIMT_ABS(i)	(0x10 << (i))		/* applied before NEG */
/* Clamp of the result; NaN becomes the lower bound. */
#define SIMT_CLAMP(c)	((c) << 8)
#define SIMT_CLAMP_OF(m) ((m) >> 8 & 3)

enum simt_clamp { SIMT_CLAMP_NONE, SIMT_CLAMP_0_INF, SIMT_CLAMP_M1_1, SIMT_CLAMP_0_1 };
enum simt_round { SIMT_RTE, SIMT_RTP, SIMT_RTN, SIMT_RTZ, SIMT_RTNA };
/* Result of FMIN and FMAX with a NaN operand: the other operand; NaN; s1; s0. */
enum simt_nan { SIMT_NAN_SUPPRESS, SIMT_NAN_PROPAGATE, SIMT_NAN_C, SIMT_NAN_C_INV };
enum simt_frexp { SIMT_FREXP_NORM, SIMT_FREXP_SQRT, SIMT_FREXP_LOG };
/*
 * Comparisons. With a NaN all are false except NE and those with U; GTLT: less or greater; ORD:
 * neither is NaN.
 */
enum simt_cmp { SIMT_EQ, SIMT_GT, SIMT_GE, SIMT_NE, SIMT_LT, SIMT_LE, SIMT_GTLT, SIMT_ORD };
enum simt_true { SIMT_TRUE_1, SIMT_TRUE_1F, SIMT_TRUE_M1 };
#define SIMT_CMP(cmp, t)	((cmp) | (t) << 4)
/* n of BRCMP: comparison, operand type, and negation. */
enum simt_cmp_of { SIMT_CMP_F, SIMT_CMP_I, SIMT_CMP_U };
#define SIMT_BRCMP(cmp, of)	((cmp) | (of) << 3)
#define SIMT_BRCMP_NOT		0x20
/* Swizzle of a class H or G source: source halves of the low and the high result. */
enum simt_swz { SIMT_H01, SIMT_H00, SIMT_H11, SIMT_H10 };
#define SIMT_SWZ(i, s)	((u32)(s) << (16 + 2 * (i)))

/* Nibbles of PERM's imm: byte k of s0, byte k of s1, constants, sign of byte k of s0. */
#define SIMT_PERM_A(k)	(k)
#define SIMT_PERM_B(k)	(4 + (k))
#define SIMT_PERM_00	8
#define SIMT_PERM_FF	9
#define SIMT_PERM_SIGN(k) (10 + (k))

/* Lane read by CLPER, modulo the subgroup size; Bifrost's encoding. */
enum simt_lane_op { SIMT_LANE_NONE, SIMT_LANE_XOR, SIMT_LANE_ACCUMULATE, SIMT_LANE_SHIFT };
/* Result of CLPER if the other lane is inactive; Bifrost's encoding. */
enum simt_inactive {
	SIMT_INACTIVE_ZERO, SIMT_INACTIVE_UMAX, SIMT_INACTIVE_I1, SIMT_INACTIVE_V2I1,
	SIMT_INACTIVE_SMIN, SIMT_INACTIVE_SMAX, SIMT_INACTIVE_V2SMIN, SIMT_INACTIVE_V2SMAX,
	SIMT_INACTIVE_V4SMIN, SIMT_INACTIVE_V4SMAX, SIMT_INACTIVE_F1, SIMT_INACTIVE_V2F1,
	SIMT_INACTIVE_INFN, SIMT_INACTIVE_INF, SIMT_INACTIVE_V2INFN, SIMT_INACTIVE_V2INF
};

/*
 * imm of LD and ST: bytes (1..16), segment, and a signed 16-bit offset that is added to
 * the address. BASE and LOCAL: s0 is extended to 64 bits and shifted left.
 */
enum simt_seg {
	SIMT_SEG_GLOBAL,	/* s0, s1: address */
	SIMT_SEG_WLS,		/* s0: offset in workgroup memory */
	SIMT_SEG_TLS,		/* s0: offset in thread memory */
	SIMT_SEG_UBO,		/* s0: offset, s1: buffer index; outside: zeros */
	SIMT_SEG_BASE,		/* s0: offset, s1: uniform word, with the next one the base;
				 * created by address folding
				 */
	SIMT_SEG_LOCAL,		/* s0: offset from the start of workgroup memory, may point
				 * outside; created by address folding
				 */
};

#define SIMT_MEM(bytes, seg, off)	((bytes) | (seg) << 5 | (u32)(u16)(off) << 16)
#define SIMT_MEM_SHIFT(n)	((n) << 8)	/* 0..7 */
#define SIMT_MEM_SIGNED		0x800		/* s0 is signed */
#define SIMT_MEM_WIDEN		0xf00		/* any of these */
#define SIMT_MEM_SHIFT_OF(imm)	((imm) >> 8 & 7)
#define SIMT_MEM_BYTES(imm)		((imm) & 31)
#define SIMT_MEM_SEG(imm)		((imm) >> 5 & 7)
#define SIMT_MEM_OFF(imm)		((s32)(s16)((imm) >> 16))

/* imm of ATOM: operation, segment (GLOBAL, WLS or TLS), flags, and offset as above. */
enum simt_atom {
	SIMT_ATOM_ADD, SIMT_ATOM_SMIN, SIMT_ATOM_SMAX, SIMT_ATOM_UMIN, SIMT_ATOM_UMAX,
	SIMT_ATOM_AND, SIMT_ATOM_OR, SIMT_ATOM_XOR, SIMT_ATOM_XCHG, SIMT_ATOM_CMPXCHG,
	SIMT_NUM_ATOMS
};

#define SIMT_ATOM_64		0x100
#define SIMT_ATOM_NORET		0x200
#define SIMT_ATOM_IMM(op, seg, flags, off)	\
	((op) | (seg) << 5 | (flags) | (u32)(u16)(off) << 16)
#define SIMT_ATOM_OP(imm)	((imm) & 31)

/**
 * struct simt_uop - One micro-op.
 * @op:		enum simt_op
 * @h:		executor's handler, set by simt_finish_step()
 * @d:		destination slot, the first one if several; sources of ST
 * @d2:		second destination of SHADD; see ATOM, EXT
 * @s:		operands
 * @mods:	SIMT_NEG, SIMT_ABS, SIMT_CLAMP
 * @n:		EXT: number of slots from @d on that may be written; BRCMP: comparison
 * @imm:	meaning by operation; branches: guest position when emitted, micro-op number
 *		in a finished program
 * @guest:	position of the guest instruction, in the ISA's unit
 */
struct simt_uop {
	u16 op;
	u16 h;
	u16 d;
	u16 d2;
	u16 s[4];
	u16 mods;
	u16 n;
	u32 imm;
	u32 guest;
};

/* EXT accesses no slot beyond these, from @d and @d2 on. */
#define SIMT_EXT_REACH	12

/**
 * struct simt_arena - Memory allocated at submission and handed out while the job runs.
 * @base:	memory, contents undefined
 * @size:	bytes
 * @used:	bytes handed out
 * @peak:	maximum of @used
 */
struct simt_arena {
	u8 *base;
	u64 size;
	u64 used;
	u64 peak;
};

/* Zeroed memory for @n objects, aligned to 64 bytes; NULL if exhausted. */
void *simt_arena_alloc(struct simt_arena *a, u64 n, u64 size);
/* The same without zeroing: the contents must never become visible to a guest. */
void *simt_arena_take(struct simt_arena *a, u64 n, u64 size);
/* An arena of at most @size bytes in the unused part of @a, which is not changed. */
struct simt_arena simt_arena_rest(const struct simt_arena *a, u64 size);
/* Free everything allocated since @used had this value. */
void simt_arena_reset(struct simt_arena *a, u64 used);

/**
 * struct simt_prog - An executable program, allocated from an arena.
 * @uops:	micro-ops; the last one is END or FAULT
 * @nuops:	number of @uops
 * @entry:	first micro-op
 * @nslots:	number of slots
 * @own:	slots from here on are shared by blocks in step, see simt_uniform.c
 * @nunif:	uniform words that a launch provides
 * @nconst:	constants, at uniform words nunif ..
 * @consts:	values of the constants
 * @warp:	lanes of a warp, a power of two, 4 .. SIMT_LANES
 * @zero:	slots below this one start as zeros in every thread; the others are undefined, but
 *		never data of an earlier user
 * @barriers:	BARRIER occurs
 * @kills:	KILL or ENDKILL occurs
 * @exts:	EXT occurs
 * @quads:	threads come in groups of four (derivatives)
 * @temp:	slots from here on (0: none) never live across basic blocks ...
 * @keep:	... except @nkeep slots from here on
 * @nkeep:	see @keep
 * @forget:	slots of threads that have ended are dead, except the first @nout
 * @nout:	see @forget
 * @debug:	a SIMT_GUEST is in front of each guest instruction, and of each further operation
 *		that debuggers step; all slots are live there
 * @wls:	this slot and the next one (0: none) start as the address of the workgroup's
 *		memory
 * @uniform:	bitmap of the first SIMT_LIVE_SLOTS slots: starts with equal values in all
 *		workgroups, lane by lane
 * @compact:	unused slots may be removed: the front end uses simt_prog_slot()
 * @at:		new slot numbers after register compaction, NULL: unchanged
 * @live:	bitmap of the first SIMT_LIVE_SLOTS slots: threads may read it before they write
 *		it; the others are not cleared
 * @wsum:	prefix sums of the micro-ops' weights, nuops + 1 entries
 * @stretch:	maximum weight between two checks of the slice
 * @written:	bitmap of the first SIMT_LIVE_SLOTS slots: written
 * @sparse:	slots are read by micro-ops only, as their operands or those of EXT
 * @used:	bitmap of the first SIMT_LIVE_SLOTS slots: with @sparse a micro-op may access it,
 *		else all
 */
struct simt_prog {
	const struct simt_uop *uops;
	u32 nuops;
	u32 entry;
	u32 nslots;
	u32 own;
	u32 nunif;
	u32 nconst;
	const u32 *consts;
	u32 warp;
	u32 zero;
	bool barriers;
	bool kills;
	bool exts;
	bool quads;
	u32 temp;
	u32 keep;
	u32 nkeep;
	bool forget;
	u32 nout;
	bool debug;
	u32 wls;
	u64 uniform[SIMT_LIVE_SLOTS / 64];
	bool compact;
	const u16 *at;
	u64 live[SIMT_LIVE_SLOTS / 64];
	const u32 *wsum;
	u32 stretch;
	u64 written[SIMT_LIVE_SLOTS / 64];
	bool sparse;
	u64 used[SIMT_LIVE_SLOTS / 64];
};

#define SIMT_NOWHERE	0xffff

/* Finished program's index of a front end's slot; SIMT_NOWHERE if it was removed as unused. */
static inline u32 simt_prog_slot(const struct simt_prog *p, u32 slot)
{
	if (!p->at)
		return slot;
	return slot < SIMT_MAX_SLOTS ? p->at[slot] : SIMT_NOWHERE;
}

/*
 * Building. Micro-ops are emitted in guest order; simt_builder_label() makes the next one the
 * target of branches to a guest position. Branches refer to guest positions until
 * simt_finish_step(), which inserts JOINs at branch targets and in long straight code.
 */
struct simt_builder;

/* @max_uops: upper bound; a builder uses about 40 bytes of the arena for each. */
struct simt_builder *simt_builder_new(struct simt_arena *a, u32 max_uops, u32 max_labels,
				      u32 nunif);
void simt_builder_label(struct simt_builder *b, u32 guest);
/* Append; errors are sticky and reported by simt_finish_step(). */
void simt_builder_emit(struct simt_builder *b, const struct simt_uop *u);
/* Operand for constant @bits (deduplicated). */
u16 simt_builder_const(struct simt_builder *b, u32 bits);

/*
 * Resolve branches, optimise, verify, in pieces of less than 100 us, as workers must stay
 * responsive. A piece is SIMT_PIECE visits of micro-ops by a pass, or equivalent work.
 */
struct simt_finish;

#define SIMT_PIECE	1024

struct simt_finish *simt_finish_new(struct simt_builder *b, const struct simt_prog *proto,
				    u32 entry);
int simt_finish_step(struct simt_finish *f, u32 *left, struct simt_prog **out);
/* Verify slots, uniform words, targets and immediates, which executors do not check. */
int simt_prog_verify(const struct simt_prog *p, u32 *bad);

/**
 * struct simt_jumps - Control micro-ops that an executor may execute for a block that runs by
 *	itself: those that leave its lanes together and the path that runs the lowest one.
 * @uops:	micro-ops of the program
 * @wsum:	prefix sums of their weights
 * @from:	first micro-op of the straight line that is not charged yet
 * @limit:	lowest micro-op of the block's other paths; ~0: there are none
 * @left:	weight at which the executor returns; 0: it executes no control micro-ops
 * @charged:	weight of the straight lines that it has left
 * @picks:	number of times that it has selected the path
 * @max_picks:	maximum of @picks
 * @toll:	weight of a selection, which is not part of @charged
 */
struct simt_jumps {
	const struct simt_uop *uops;
	const u32 *wsum;
	u32 from;
	u32 limit;
	u32 left;
	u32 charged;
	u32 picks;
	u32 max_picks;
	u32 toll;
};

/**
 * struct simt_block - State of up to 64 threads, as seen by executors.
 * @slot:	values: slot n of lane l at n * SIMT_LANES + l
 * @unif:	uniform table: word n, 16 copies, at 16 * n
 * @mask:	active lanes
 * @lanemask:	@mask expanded to a word per lane; maintained by the executor
 * @expanded:	mask that @lanemask represents
 * @live:	lanes that are threads and have not ended
 * @helper:	lanes without side effects on memory (killed, or filling up quads)
 * @warp:	lanes of a warp
 * @step:	number of blocks in step: this one and those following it, with the same lanes at
 *		the same micro-op; 0: the block follows another one
 * @gap:	words from a block's slots to those of the next one
 * @own:	slots from here on, and words of the uniform table, are read from the first
 *		block in step
 * @jumps:	control micro-ops that the executor may execute
 */
struct simt_block {
	u32 *slot;
	const u32 *unif;
	u64 mask;
	u64 live;
	u64 helper;
	u64 expanded;
	u32 warp;
	u32 step;
	u32 gap;
	u32 own;
	struct simt_jumps jumps;
	u32 lanemask[SIMT_LANES] __aligned(64);
};

/*
 * Execute from @u to the next micro-op of class M, X or C, which is returned unless b->jumps
 * permits to go on. The portable executor may stop earlier.
 */
const struct simt_uop *simt_exec_run(enum vs_simd simd, struct simt_block *b,
				     const struct simt_uop *u);

/* Index of the executors' handler for a micro-op. */
u16 simt_handler(const struct simt_uop *u);

struct simt_machine;
struct simt_wave_block;

/**
 * struct simt_group - The threads of a block, for preloads.
 * @first:	index of lane 0's thread in its workgroup
 * @packed:	workgroups in the block, @stride lanes each; 1: consecutive threads
 * @stride:	see @packed
 * @group:	index of the (first) workgroup, x fastest
 */
struct simt_group {
	u32 first;
	u32 packed;
	u32 stride;
	u64 group;
};

/**
 * struct simt_ops - Operations of an ISA. Called in the worker's context (FPU section, no
 * sleeping, no allocation), a few microseconds each: see simt_ext_pause().
 * @start:	set the preloaded registers of a block's lanes, b->live (only bits that are
 *		already set) and b->helper
 * @start_step: the same for several blocks that will run in step; may be NULL. Return: false:
 *		call @start for each
 * @ext:	execute EXT for the lanes b->mask. Return: false with a fault raised by
 *		simt_fault()
 * @end:	all lanes of the block have ended; may be NULL. With simt_end_again() it is called
 *		once more, in the next slice if this one is over
 * @code:	address of the program that a guest instruction is in; @pc then counts from there.
 *		For debuggers; NULL: &simt_launch.code_va
 */
struct simt_ops {
	void (*start)(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
	bool (*start_step)(struct simt_machine *m, struct simt_wave_block *first, u32 n);
	bool (*ext)(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);
	void (*end)(struct simt_machine *m, struct simt_block *b, const struct simt_group *g);
	u64 (*code)(const void *arg, u32 *pc);
};

/* Uniform buffer. */
struct simt_ubo {
	u64 va;
	u64 size;
};

/**
 * struct simt_reg - Location of consecutive registers at guest instructions, for debuggers.
 * @first:	number of the first one in the ISA's banks
 * @count:	number of registers
 * @comps:	components of each: slots, words of the uniform table or of thread memory
 * @at:		operand of the first one's first component, or word of thread memory
 * @thread:	located in thread memory
 * @fit:	converts a value before it is written to a component, or NULL
 * @get:	computes the components of a lane, which cannot be written; NULL: they are at @at
 */
struct simt_reg {
	u32 first;
	u32 count;
	u32 comps;
	u16 at;
	bool thread;
	u32 (*fit)(u32 bits);
	void (*get)(struct simt_machine *m, u32 lane, u32 *val);
};

/**
 * struct simt_launch - Run a program over a grid of workgroups.
 * @prog:	program
 * @ops:	operations of the ISA
 * @arg:	for @ops, simt_machine_arg()
 * @local:	threads of a workgroup, each at least 1, product at most SIMT_MAX_LOCAL
 * @groups:	number of workgroups
 * @unif:	prog->nunif words
 * @ubo:	uniform buffers; must live as long as the launch
 * @nubo:	number of @ubo
 * @wls_va:	workgroup memory
 * @wls_size:	bytes per workgroup
 * @wls_instances: maximum number of resident workgroups with memory, at least 1 if @wls_size
 * @tls_va:	thread memory, @tls_size bytes per resident thread; threads of the resident
 *		workgroups are consecutive
 * @tls_size:	bytes per thread
 * @tls_total:	bytes at @tls_va; limits the number of resident threads
 * @many:	blocks of several workgroups may run at the same time: @ops keep no state for the
 *		block started last
 * @dbg:	debugger, or NULL; the program then has a SIMT_GUEST in front of its instructions
 * @regs:	registers for debuggers and dumps
 * @nregs:	number of @regs
 * @code_va:	guest address of instruction 0, 0: in a program object
 * @preset:	slots that ops->start sets in all lanes that are threads
 */
struct simt_launch {
	const struct simt_prog *prog;
	const struct simt_ops *ops;
	void *arg;
	u32 local[3];
	u64 groups[3];
	const u32 *unif;
	const struct simt_ubo *ubo;
	u32 nubo;
	u64 wls_va;
	u64 wls_size;
	u32 wls_instances;
	u64 tls_va;
	u64 tls_size;
	u64 tls_total;
	bool many;
	struct vs_debug *dbg;
	const struct simt_reg *regs;
	u32 nregs;
	u64 code_va;
	u64 preset[SIMT_LIVE_SLOTS / 64];
};

#define SIMT_MAX_LOCAL	1024

enum simt_status { SIMT_RUN_MORE, SIMT_RUN_DONE, SIMT_RUN_FAULT, SIMT_RUN_STOP };

/**
 * simt_machine_new - create a machine for consecutive launches
 * @arena: memory of the machine and its launches
 * @map: address space
 *
 * Return: the machine, or NULL if the arena is too small.
 */
struct simt_machine *simt_machine_new(struct simt_arena *arena, const struct vs_map *map);
/**
 * simt_machine_launch - prepare a launch
 * @m: machine; the launch before has ended or is given up
 * @l: launch, copied
 *
 * Return: 0, -EINVAL (sizes), -ENOMEM (arena).
 */
int simt_machine_launch(struct simt_machine *m, const struct simt_launch *l);
/**
 * simt_machine_run - execute a slice of the launch
 * @m: machine
 * @simd: executor
 * @slice: weight to execute, approximately
 * @used: weight executed
 *
 * Enters and leaves the FPU section.
 * Return: SIMT_RUN_DONE all threads have ended, _FAULT see simt_machine_fault(), _MORE, _STOP
 * for the debugger.
 */
enum simt_status simt_machine_run(struct simt_machine *m, enum vs_simd simd, u32 slice,
				  u64 *used);
const struct vs_fault *simt_machine_fault(const struct simt_machine *m);
/* Save the state of the launch for a dump of the job. */
void simt_debug_post(struct simt_machine *m, struct vs_job *job);
/* Number of threads that have ended. */
u64 simt_machine_threads(const struct simt_machine *m);
void *simt_machine_arg(const struct simt_machine *m);
const struct simt_launch *simt_machine_launched(const struct simt_machine *m);
enum vs_simd simt_machine_simd(const struct simt_machine *m);

/* For simt_ops: raise a fault of the lanes @mask at the current micro-op. */
void simt_fault(struct simt_machine *m, enum vs_fault_kind kind, u64 mask, u64 va, u32 size);
void simt_fault_command(struct simt_machine *m, u64 mask, u64 va, u32 code, u32 value);
/* For simt_ops: attribute the fault raised to a stream instead of the program. */
void simt_fault_stream(struct simt_machine *m, u32 stream);
/* For simt_ops.start and .end of debugged launches: the lanes that make the next accesses. */
void simt_debug_lanes(struct simt_machine *m, u64 lanes);
/* For simt_ops: host pointer to [va, va + size) with the rights @need (VS_EXT_*), or NULL. */
void *simt_ptr(struct simt_machine *m, u64 va, u64 size, u32 need);
/* Charge weight beyond that of the micro-op. */
void simt_charge(struct simt_machine *m, u32 weight);
/*
 * For simt_ops.ext, which executes several requests in pieces: lanes of the block that have not
 * been served, initially all of them.
 */
u64 simt_ext_lanes(const struct simt_machine *m, const struct simt_block *b);
/*
 * Pause with the lanes @left still to be served. Return: true: the slice is over; simt_ops.ext
 * returns true and is called again for them in the next slice, before anything else runs.
 */
bool simt_ext_pause(struct simt_machine *m, u64 left);
bool simt_ext_paused(const struct simt_machine *m);
/* For @end of struct simt_ops. */
void simt_end_again(struct simt_machine *m);
/* Return: this call continues one that paused: per-EXT work has been done. */
bool simt_ext_resumes(const struct simt_machine *m);

#endif /* SIMT_H */
