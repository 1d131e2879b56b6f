/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs: launch records, memory maps and the step function that workers call.
 */
#ifndef VS_JOB_H
#define VS_JOB_H

#include "vs_prog.h"

#define VS_MAX_STREAMS	16
#define VS_CHUNK_BLOCKS	16	/* blocks that a worker claims at a time */

/* Executor builds; same numbers as enum drm_vshader_simd. */
enum vs_simd {
	VS_SIMD_PORTABLE, VS_SIMD_SSE2, VS_SIMD_AVX2, VS_SIMD_AVX512, VS_SIMD_NEON, VS_NUM_SIMD
};

/*
 * Executors of x86 that a build leaves out: VSHADER_SIMD in engine/objs.mk. VS_BUILT() is
 * constant, so that a call of one that is not there is removed.
 */
#ifndef VS_LACKS_sse2
#define VS_LACKS_sse2	0
#endif
#ifndef VS_LACKS_avx2
#define VS_LACKS_avx2	0
#endif
#ifndef VS_LACKS_avx512
#define VS_LACKS_avx512	0
#endif
#define VS_BUILT(name)	(!VS_LACKS_##name)

/* Bit n: executor n was built and this machine can run it. */
u32 vs_simd_mask(void);
/* Widest executor that this machine supports. */
enum vs_simd vs_simd_best(void);
const char *vs_simd_name(enum vs_simd simd);

/* ---- memory ---- */

#define VS_EXT_WRITE	0x1
#define VS_EXT_EXEC	0x2

/* Addresses from here on are never guest addresses: a job's own scratch. */
#define VS_INTERNAL_VA	BIT_ULL(60)

/**
 * struct vs_extent - A range of guest addresses with its memory.
 * @lo:		first address
 * @hi:		one past the last address
 * @kva:	kernel address of @lo, valid for the lifetime of the map
 * @flags:	VS_EXT_*
 */
struct vs_extent {
	u64 lo;
	u64 hi;
	u8 *kva;
	u32 flags;
};

/**
 * struct vs_pager - Memory that comes into being when it is accessed.
 * @fault:	extent that holds @va, which was in none of the map's, or NULL; @need: VS_EXT_* that
 *		the access needs, 0 for a read of data. It stays valid as long as jobs with the map
 *		exist. May sleep if floating point sections of its kernel permit that
 *		(User-Mode-Linux) and all jobs with the map have one worker
 */
struct vs_pager {
	const struct vs_extent *(*fault)(struct vs_pager *p, u64 va, u32 need);
};

struct vs_mappings;

/**
 * struct vs_map - Immutable address translation. Addresses are searched in @ext, @mappings, @pager
 *	and @base, in this order.
 * @n:		number of extents
 * @ext:	extents, sorted and disjoint
 * @pager:	memory that comes into being, or NULL
 * @mappings:	mappings of an address space, or NULL
 * @base:	map that this one extends, or NULL
 */
struct vs_map {
	u32 n;
	const struct vs_extent *ext;
	struct vs_pager *pager;
	const struct vs_mappings *mappings;
	const struct vs_map *base;
};

/* Extent that holds @va, or NULL. */
const struct vs_extent *vs_map_find(const struct vs_map *m, u64 va);

/* First extent that ends after @va, without those of pagers, or NULL. */
const struct vs_extent *vs_map_next(const struct vs_map *m, u64 va);

/**
 * vs_bounded_ptr - pointer into host memory
 * @p: start of the memory
 * @room: its bytes
 * @off: offset
 * @size: bytes to be accessed there
 *
 * The pointer also depends on the test by data, so that speculation past the branch gets a
 * null pointer (Spectre v1).
 *
 * Return: @p + @off if all of [off, off + size) is inside, else NULL.
 */
static inline void *vs_bounded_ptr(u8 *p, u64 room, u64 off, u64 size)
{
	u64 ok;

	if (off > room || size > room - off)
		return NULL;
	/* the compiler must not derive these from the test above */
	__asm__("" : "+r"(off), "+r"(room), "+r"(size));
	ok = -(u64)((off <= room) & (size <= room - off));
	return (void *)(((unsigned long)p + off) & ok);
}

/*
 * Pointer to @va if all of [va, va + size) is in @e and @e has all of @need, else NULL. @e
 * may be NULL, or lie elsewhere.
 */
static __always_inline void *vs_extent_ptr(const struct vs_extent *e, u64 va, u64 size, u32 need)
{
	if (unlikely(!e || (e->flags & need) != need))
		return NULL;
	return vs_bounded_ptr(e->kva, e->hi - e->lo, va - e->lo, size);
}

/**
 * vs_map_ptr - kernel pointer for a range
 * @m: address space
 * @va: guest address
 * @size: bytes
 * @need: flags that the extent must have
 *
 * Return: pointer if [va, va + size) lies in one extent with all of @need, else NULL.
 */
void *vs_map_ptr(const struct vs_map *m, u64 va, u64 size, u32 need);

/* Copy that may cross extents. Return: bytes copied before the first bad address. */
u64 vs_map_read(const struct vs_map *m, u64 va, void *dst, u64 size);
u64 vs_map_fetch(const struct vs_map *m, u64 va, void *dst, u64 size);
u64 vs_map_write(const struct vs_map *m, u64 va, const void *src, u64 size);
/* First address of a range that is not in an extent with @need; va + size if there is none. */
u64 vs_map_bad(const struct vs_map *m, u64 va, u64 size, u32 need);

#define VS_TLB_SIZE	64
#define VS_TLB_SHIFT	12

/**
 * struct vs_tlb - Translation cache of one machine or worker.
 * @map:	cached map; zeroed entries are empty
 * @ext:	direct-mapped by page: the extent of the last access with this page index
 */
struct vs_tlb {
	const struct vs_map *map;
	const struct vs_extent *ext[VS_TLB_SIZE];
};

/* Cached extent that holds @va, or NULL. Extents are immutable: no further tag is needed. */
static inline const struct vs_extent *vs_tlb_hit(const struct vs_tlb *t, u64 va)
{
	const struct vs_extent *e = t->ext[(va >> VS_TLB_SHIFT) % VS_TLB_SIZE];

	return e && va >= e->lo && va < e->hi ? e : NULL;
}

/* Extent that holds @va, or NULL. */
const struct vs_extent *vs_tlb_find(struct vs_tlb *t, u64 va);
/* As vs_map_ptr(). */
void *vs_tlb_ptr(struct vs_tlb *t, u64 va, u64 size, u32 need);

/* ---- launch record ---- */

/* Numeric models. */
enum vs_fp_model {
	VS_FP_F32,	/* binary32, 0 * inf = 0 */
	VS_FP_F24T,	/* 1.7.16 truncating */
	VS_FP_F24N,	/* 1.7.16 to nearest even */
	VS_NUM_FP
};

/* Stream element types: same numbers as enum drm_vshader_format. */
enum vs_format {
	VS_FMT_F32, VS_FMT_S8, VS_FMT_U8, VS_FMT_S16, VS_FMT_U16, VS_FMT_F16, VS_FMT_F24,
	VS_FMT_U32, VS_NUM_FMT
};

struct vs_stream {
	u64 va;
	u32 stride;
	u32 divisor;	/* 0: per vertex; n: element = instance / n */
	u8 format;	/* enum vs_format */
	u8 reg;
	u8 ncomp;	/* 1..4; attributes: the rest is (0, 0, 0, 1) */
	u8 pad;
};

#define VS_LAUNCH_OOR_ZERO	0x1	/* out-of-range row offsets read zeros */
#define VS_LAUNCH_AL_RESTORE	0x2	/* leaving a loop restores the outer al */
#define VS_LAUNCH_SERIAL	0x4	/* one invocation after the other; slots persist */
#define VS_LAUNCH_EMIT		0x8	/* program may emit; see struct vs_emit */
/*
 * With SERIAL: slots, preds, emit latch, emitted vertices and output banks start as the
 * last KEEP launch of this job left them, all zero in the first one. Slot numbers of
 * architectural registers are the same in all programs of an ISA, so that this holds
 * across programs too.
 */
#define VS_LAUNCH_KEEP		0x10

/* Loop descriptor (PICA integer uniform). */
struct vs_loop {
	u8 count;	/* body runs count + 1 times */
	u8 start;
	u8 step;
	u8 pad;
};

/**
 * struct vs_emit - Geometry output.
 * @mask:	output registers of a vertex, packed in register order
 * @max_prims:	maximum number of primitives per invocation
 * @prims_va:	invocation i's primitive k at (i * max_prims + k) * 3 * 16 * nregs bytes
 * @info_va:	invocation i: word count, then max_prims words (bit 0 inverted), at
 *		i * 4 * (1 + max_prims); 0: do not write
 * @bool_after:	number of the boolean that reads true from the second invocation
 *		on, or ~0
 */
struct vs_emit {
	u32 mask;
	u32 max_prims;
	u64 prims_va;
	u64 info_va;
	u32 bool_after;
};

struct vs_job;

/**
 * struct vs_serial_ops - Hooks of a SERIAL launch, called between invocations.
 *
 * For the geometry unit of native PICA jobs: its uniforms and inputs change from
 * one invocation to the next, and its primitives are consumed at once. The hooks run in the
 * worker's context (FPU section, no sleeping), a few microseconds each. Both may raise a
 * fault with vs_job_fault(), which ends the job as soon as they return.
 *
 * @before:	prepare invocation @inv: may write memory of the attribute streams,
 *		the words at vs_launch.unif (read again after each call) and
 *		*@bools. Return: false to skip this invocation
 * @busy:	optional: work before the next invocation, some 10 us of it; called, with checks for
 *		cancellation in between, until it returns 0. Return: its weight
 * @after:	invocation @inv ended normally, @nprims primitives are at emit.prims_va
 *		and their flags at emit.info_va
 */
struct vs_serial_ops {
	bool (*before)(struct vs_job *job, void *arg, u64 inv, u32 *bools);
	u32 (*busy)(struct vs_job *job, void *arg);
	void (*after)(struct vs_job *job, void *arg, u64 inv, u32 nprims);
};

/**
 * struct vs_launch - One run of a program over a range of invocations.
 * @prog:	program
 * @entry:	first micro-op, of an entry point
 * @count:	vertices per instance
 * @instances:	at least 1; invocation = instance * count + vertex number
 * @first:	first vertex / base added to indices
 * @index_size:	0 none, else 1, 2, 4 bytes
 * @index_va:	index buffer
 * @fp:		numeric model
 * @flags:	VS_LAUNCH_*
 * @nattr:	number of @attr
 * @nout:	number of @out
 * @attr:	streams that are read: attributes
 * @out:	streams that are written: outputs
 * @unif:	prog->nunif words in the model's format; owned by the job
 * @bools:	boolean uniforms
 * @loops:	loop descriptors
 * @emit:	geometry output, with EMIT
 * @ops:	SERIAL only, may be NULL: hooks. With hooks every invocation stores its
 *		primitives at the address of invocation 0
 * @ops_arg:	argument of @ops
 * @code_va:	the program's code for debuggers, 0: in a program object
 */
struct vs_launch {
	const struct vs_prog *prog;
	u32 entry;
	u32 count;
	u32 instances;
	u32 first;
	u32 index_size;
	u64 index_va;
	u32 fp;
	u32 flags;
	u32 nattr;
	u32 nout;
	struct vs_stream attr[VS_MAX_STREAMS];
	struct vs_stream out[VS_MAX_STREAMS];
	const u32 *unif;
	u32 bools;
	struct vs_loop loops[4];
	struct vs_emit emit;
	const struct vs_serial_ops *ops;
	void *ops_arg;
	u64 code_va;
};

/* ---- faults: same numbers and meaning as enum drm_vshader_fault_kind ---- */

enum vs_fault_kind {
	VS_FAULT_NONE, VS_FAULT_READ, VS_FAULT_WRITE, VS_FAULT_FETCH, VS_FAULT_MISALIGNED,
	VS_FAULT_ENCODING, VS_FAULT_BUDGET, VS_FAULT_TIMEOUT, VS_FAULT_DEADLOCK,
	VS_FAULT_HANG, VS_FAULT_OVERFLOW, VS_FAULT_COMMAND, VS_FAULT_CANCELED, VS_FAULT_HAZARD
};

#define VS_FAULT_NO_PC		(~0U)
#define VS_FAULT_NO_STREAM	(~0U)

struct vs_fault {
	u32 kind;
	u32 pc;		/* guest word, VS_FAULT_NO_PC outside a program */
	u64 address;
	u32 size;	/* memory faults: bytes; others: 0 */
	u32 code;	/* reason, its enum depends on the kind and the ISA; 0: none */
	u32 info;
	u32 stream;	/* 0..15 attribute, 16..31 output, 32 index, VS_FAULT_NO_STREAM */
	u64 invocation;
	u32 draw;
	u32 depth;
	u64 active;
};

int vs_fault_init(struct vs_fault *f, enum vs_fault_kind kind);
int vs_fault_memory(struct vs_fault *f, enum vs_fault_kind kind, u64 va, u32 size);
int vs_fault_command(struct vs_fault *f, u64 va, u32 code, u32 info);
int vs_fault_program(struct vs_fault *f, u64 va, u32 pc, u32 code, u32 info);

/* ---- jobs ---- */

struct vs_debug;
struct vs_job;
struct vs_worker;

enum vs_run {
	VS_RUN_MORE,	/* slice over, call again */
	VS_RUN_IDLE,	/* no work left for this worker in this phase */
	VS_RUN_PHASE,	/* this call ended the phase and another follows: wake the others */
	VS_RUN_DONE,	/* this call ended the job (also by fault or cancel) */
	VS_RUN_STOP,	/* stopped by its debugger until resumed */
};

/**
 * typedef vs_phase_fn - work of a phase that is not a launch
 * @job: the phase's job
 * @arg: state of the phase
 *
 * Runs on one worker, at most about 50 us per call.
 * Return: VS_RUN_MORE to be called again, VS_RUN_IDLE when done, VS_RUN_STOP to be called again
 * when the job is resumed; a fault is raised with vs_job_fault().
 */
typedef enum vs_run (*vs_phase_fn)(struct vs_job *job, void *arg);

/**
 * typedef vs_guest_fn - help for a phase function, by another worker
 * @job: the phase's job
 * @w: the worker, with its own arena
 * @first: the worker's first call for this invitation
 * @arg: argument of vs_job_invite()
 *
 * As vs_phase_fn. Return: VS_RUN_MORE or VS_RUN_IDLE.
 */
typedef enum vs_run (*vs_guest_fn)(struct vs_job *job, struct vs_worker *w, bool first, void *arg);

/**
 * struct vs_job_limits - Bounds of a job.
 * @budget:	total weight, all workers together
 * @simd:	executor
 * @slice:	weight per vs_job_step(), about 3000 per 50 us; less with the portable executor
 * @dbg:	debugger; NULL: the job cannot be debugged
 */
struct vs_job_limits {
	u64 budget;
	enum vs_simd simd;
	u32 slice;
	struct vs_debug *dbg;
};

/*
 * Allocates all memory of the job; execution allocates none. Phases run one after the other.
 * The job does not own the map, the programs or the uniform arrays.
 */
struct vs_job *vs_job_new(const struct vs_map *map, const struct vs_job_limits *lim,
			  u32 max_phases);
void vs_job_free(struct vs_job *job);
int vs_job_add_launch(struct vs_job *job, const struct vs_launch *l);
int vs_job_add_fn(struct vs_job *job, vs_phase_fn fn, void *arg);
/* Reserve an arena of this size for a phase, for vs_job_take_arena(). */
void vs_job_need_arena(struct vs_job *job, u64 size);
/*
 * From a phase function: the arena of the worker that executes it, aligned to 64 bytes, with
 * the contents from earlier jobs. Return: NULL if it has fewer than @size bytes.
 */
void *vs_job_take_arena(struct vs_job *job, u64 size);
/* The same from a guest. */
void *vs_worker_take_arena(struct vs_worker *w, u64 size);
#define VS_JOB_MAX_GUESTS	7	/* that are useful */
/* The job may invite guests. */
void vs_job_expect_guests(struct vs_job *job);
bool vs_job_expects_guests(const struct vs_job *job);
/**
 * vs_job_invite - from a phase function: let up to @n further workers help
 * @job: job, see vs_job_expect_guests()
 * @n: guests
 * @fn: what they do
 * @arg: its argument, as long-lived as the job: a job that is cancelled ends without its host
 *
 * The phase function returns VS_RUN_PHASE then, which wakes guests, and calls vs_job_alone() until
 * that returns true before it invites again or ends.
 */
void vs_job_invite(struct vs_job *job, u32 n, vs_guest_fn fn, void *arg);
/* Let no more guests in. Return: all have left. */
bool vs_job_alone(struct vs_job *job);
/* Number stored in fault.draw by phases added from now on. */
void vs_job_set_draw(struct vs_job *job, u32 draw);

/**
 * vs_job_step - execute a slice
 * @job: job
 * @w: the calling worker
 *
 * May be called by several workers at once, each with its own @w, a worker serving one
 * job at a time until it gets VS_RUN_IDLE, _PHASE or _DONE. Exactly one call returns
 * VS_RUN_DONE, and no other worker is inside the job then. Enters and leaves the FPU
 * section itself; never sleeps. A worker must continue until its claimed chunk is finished.
 */
enum vs_run vs_job_step(struct vs_job *job, struct vs_worker *w);

/* Maximum useful number of workers in the current phase. */
u32 vs_job_parallelism(const struct vs_job *job);

/*
 * From any context: end soon with this fault. The first fault wins, including one already
 * raised by a program.
 */
void vs_job_cancel(struct vs_job *job, enum vs_fault_kind kind);
void vs_job_fault(struct vs_job *job, const struct vs_fault *f);
/* Return: whether one of the two has been called. */
bool vs_job_is_ending(const struct vs_job *job);

/**
 * vs_job_account - charge work of a phase that is not a launch
 * @job: job
 * @weight: budget used
 * @invocations: invocations finished
 *
 * The phase itself raises the BUDGET fault.
 */
void vs_job_account(struct vs_job *job, u64 weight, u64 invocations);

/* After VS_RUN_DONE (counters: any time). */
const struct vs_fault *vs_job_get_fault(const struct vs_job *job);
u64 vs_job_weight(const struct vs_job *job);
u64 vs_job_invocations(const struct vs_job *job);

/*
 * Execution contexts, one per thread inside a started job: about 200 KiB each, plus an
 * arena, zeroed at allocation.
 */
struct vs_worker *vs_worker_new(u64 arena);
void vs_worker_free(struct vs_worker *w);
void *vs_worker_arena(struct vs_worker *w);
/* Required arena of the job's workers, bytes; not 0: one worker executes the job, with guests. */
u64 vs_job_arena(const struct vs_job *job);

#endif /* VS_JOB_H */
