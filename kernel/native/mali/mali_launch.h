/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Job chains of ARM Mali GPUs (Midgard v4 and v5, Bifrost v6 and v7): their layout in GPU
 * memory, and the parsed form for an executor.
 *
 * Sources: Mesa's descriptor descriptions (panfrost genxml v4 to v7), the output of its driver
 * and decoder; numbers only, nothing is copied.
 *
 * A job may write headers and descriptors of later ones (indirect dispatch). Everything is read
 * when a job's turn comes: mali_walk_next() reads its header, mali_job_load() its descriptors.
 */
#ifndef VS_MALI_LAUNCH_H
#define VS_MALI_LAUNCH_H

#include "../../engine/simt/simt.h"
#include "../../isa/mali/mali_res.h"

/* Hardware values. */
enum mali_job_type {
	MALI_JOB_NOT_STARTED, MALI_JOB_NULL, MALI_JOB_WRITE_VALUE, MALI_JOB_CACHE_FLUSH,
	MALI_JOB_COMPUTE, MALI_JOB_VERTEX, MALI_JOB_GEOMETRY, MALI_JOB_TILER, MALI_JOB_FUSED,
	MALI_JOB_FRAGMENT, MALI_JOB_INDEXED_VERTEX, MALI_NUM_JOB_TYPES
};

/* Reasons to reject a chain. */
enum mali_reason {
	MALI_OK,
	MALI_UNMAPPED,		/* @va of the reject cannot be read */
	MALI_MISALIGNED,	/* @value is the address */
	MALI_NULL_POINTER,	/* nonzero count without an address */
	MALI_JOB_TYPE,		/* unknown number */
	MALI_JOB_UNSUPPORTED,	/* known, but not executed */
	MALI_JOB_32BIT,		/* 32-bit form of a job whose payload is not documented */
	MALI_LOOP,		/* next pointers form a loop; @value: target */
	MALI_DUPLICATE_INDEX,	/* @value: index */
	MALI_NO_SUCH_INDEX,	/* dependency on a missing job */
	MALI_DEADLOCK,		/* circular dependencies or barriers */
	MALI_BAD_WRITE_TYPE,
	MALI_BAD_INVOCATION,	/* shifts are not ascending; @value: shift word */
	MALI_BAD_ATTR_TYPE,	/* of an attribute buffer */
	MALI_BAD_FORMAT,	/* undefined or unknown pixel format */
	MALI_BAD_LAYOUT,	/* texel order */
	MALI_BAD_DESC_TYPE,	/* type field of a texture or sampler is wrong */
	MALI_BAD_DRAW,		/* 32-bit draw descriptor */
	MALI_BAD_WRAP,
	MALI_BAD_PRIMITIVE,	/* undefined mode, index type or restart */
	MALI_BAD_FRAMEBUFFER,	/* undefined or unsupported member */
	MALI_BAD_HEAP,	/* contents that no TILER job has written */
	MALI_LIMIT_JOBS,	/* more jobs than allowed */
	MALI_LIMIT_MEMORY,	/* descriptors need more memory than allowed; @value: bytes */
	MALI_NUM_REASONS
};

/**
 * struct mali_reject - Reason and location of a reject.
 * @reason:	enum mali_reason
 * @job:	position in the chain
 * @field:	name of the field, as in Mesa's descriptions, lower case
 * @va:		address of the field, or of the first unreadable byte
 * @value:	value found
 */
struct mali_reject {
	u32 reason;
	u32 job;
	const char *field;
	u64 va;
	u64 value;
};

/* ---- programs ---- */

/* Bits of the renderer state, whose positions differ between architectures. */
#define MALI_SH_BARRIER		0x1
#define MALI_SH_DISCARD		0x2	/* v4, v5 */
#define MALI_SH_SIDE_EFFECTS	0x4	/* v4, v5 */
#define MALI_SH_READS_TILE	0x8	/* v4, v5 */

/**
 * struct mali_program - A program and the start state of its threads.
 * @va:		first instruction; multiple of 16
 * @tag:	v4, v5: kind of the first bundle
 * @flags:	MALI_SH_*
 * @work_regs:	v4, v5: number of registers from r0 on; v6, v7: 32 or 64
 * @fp_mode:	v4, v5: 0 GL, 1 GL without inf and NaN, 2 CL, 3 D3D11
 * @preload:	v6, v7: bit n of the mask: register 48 + n is preloaded; others are undefined.
 *		Compute: 55 local id x and y, 56 z, 57 to 59 workgroup, 60 to 62 global id;
 *		vertex: 58 and 59 position address, 61 vertex, 62 instance; 54: program
 *		counter
 * @warp_limit:	v6, v7, vertex programs: at most 1 << n invocations run together, 0: no limit
 * @uniforms:	number of push uniforms, 32-bit words
 * @message:	v7, fragment programs: messages whose results are in r0.. and r4.. at the
 *		start, undecoded; the same bits as the upper half of the second program's
 *		address
 */
struct mali_program {
	u64 va;
	u32 tag;
	u32 flags;
	u32 work_regs;
	u32 fp_mode;
	u32 preload;
	u32 warp_limit;
	u32 uniforms;
	u16 message[2];
};

/**
 * struct mali_storage - Thread and workgroup local storage.
 * @va:		address of the descriptor; 0: none
 * @tls_va:	base, 0: none
 * @tls_size:	bytes per thread
 * @tls_sp:	initial stack pointer, offset
 * @wls_va:	base
 * @wls_size:	bytes per workgroup; 0: none
 * @wls_instances: maximum number of resident workgroups with storage
 */
struct mali_storage {
	u64 va;
	u64 tls_va;
	u32 tls_size;
	u32 tls_sp;
	u64 wls_va;
	u32 wls_size;
	u32 wls_instances;
};

/**
 * struct mali_launch - A COMPUTE or VERTEX job.
 * @local:	workgroup size; vertex jobs: 1, 1, 1
 * @groups:	number of workgroups; vertex jobs: 1, vertices, instances
 * @group_split: "thread group split", a hint
 * @task_split:	"job task split", a hint
 * @draw_flags:	first word of the draw descriptor
 * @offset_start: added to the vertex number (base vertex)
 * @instance_size: padded vertices of an instance, at least 1
 * @position:	destination of positions of a vertex program of v6, v7
 * @state_va:	renderer state, for messages
 * @prog:	the program
 * @secondary:	v6, v7: second program of the state, va 0 if none; only INDEXED_VERTEX uses it
 * @nubos:	number of @ubos
 * @ubos:	uniform buffers
 * @push_va:	address of the push uniforms
 * @push:	copy of them, @prog.uniforms words
 * @attrs:	attributes and images
 * @varyings:	outputs of vertex programs
 * @ntextures:	number of @textures
 * @textures:	textures
 * @nsamplers:	number of @samplers
 * @samplers:	samplers
 * @storage:	local storage
 */
struct mali_launch {
	u32 local[3];
	u64 groups[3];
	u32 group_split;
	u32 task_split;
	u32 draw_flags;
	u32 offset_start;
	u32 instance_size;
	u64 position;
	u64 state_va;
	struct mali_program prog;
	struct mali_program secondary;
	u32 nubos;
	struct mali_ubo *ubos;
	u64 push_va;
	u32 *push;
	struct mali_attr_table attrs;
	struct mali_attr_table varyings;
	u32 ntextures;
	struct tx_texture *textures;
	u32 nsamplers;
	struct tx_sampler *samplers;
	struct mali_storage storage;
};

/* ---- jobs ---- */

/* Value written by WRITE_VALUE; hardware values. IMM*: v6 and later. */
enum mali_write_type {
	MALI_WRITE_CYCLES = 1, MALI_WRITE_TIMESTAMP, MALI_WRITE_ZERO, MALI_WRITE_IMM8,
	MALI_WRITE_IMM16, MALI_WRITE_IMM32, MALI_WRITE_IMM64
};

#define MALI_JF_BARRIER		0x1	/* starts when all previous jobs have ended */
#define MALI_JF_INVALIDATE	0x2
#define MALI_JF_NO_PREFETCH	0x4	/* "suppress prefetch" of the next job */
#define MALI_JF_TEXTURE_MAPPER	0x8
#define MALI_JF_RELAX1		0x10	/* dependency 1 need not have ended without fault */
#define MALI_JF_RELAX2		0x20
#define MALI_JF_64BIT		0x40

/* Offsets of a job's completion fields: 32, 32 and 64 bits. */
#define MALI_OFF_STATUS		0
#define MALI_OFF_FAULT		8

/* Values of the status field; hardware values, from the Linux panfrost driver. */
enum mali_status {
	MALI_STATUS_NONE = 0x00, MALI_STATUS_DONE = 0x01, MALI_STATUS_STOPPED = 0x03,
	MALI_STATUS_TERMINATED = 0x04, MALI_STATUS_KABOOM = 0x05, MALI_STATUS_EUREKA = 0x06,
	MALI_STATUS_ACTIVE = 0x08, MALI_STATUS_JOB_CONFIG_FAULT = 0x40,
	MALI_STATUS_JOB_READ_FAULT = 0x42, MALI_STATUS_JOB_WRITE_FAULT = 0x43,
	MALI_STATUS_INSTR_INVALID_PC = 0x50, MALI_STATUS_INSTR_INVALID_ENC = 0x51,
	MALI_STATUS_INSTR_TYPE_MISMATCH = 0x52, MALI_STATUS_INSTR_OPERAND_FAULT = 0x53,
	MALI_STATUS_INSTR_TLS_FAULT = 0x54, MALI_STATUS_INSTR_BARRIER_FAULT = 0x55,
	MALI_STATUS_INSTR_ALIGN_FAULT = 0x56, MALI_STATUS_DATA_INVALID_FAULT = 0x58,
	MALI_STATUS_ADDR_RANGE_FAULT = 0x5a, MALI_STATUS_OUT_OF_MEMORY = 0x60,
	MALI_STATUS_UNKNOWN = 0x7f
};

/**
 * struct mali_job - One job of a chain.
 * @va:		its header
 * @pos:	position in the chain
 * @next_va:	next job; 0: last
 * @type:	enum mali_job_type
 * @flags:	MALI_JF_*
 * @index:	its number for dependencies of other jobs; 0: none
 * @dep:	indices of the jobs that must have ended; 0: none
 * @status:	exception status found in the header
 * @write_va:	WRITE_VALUE: destination
 * @write_type:	WRITE_VALUE: enum mali_write_type
 * @write_value: WRITE_VALUE: value of the immediate types
 * @flush:	CACHE_FLUSH: the two words
 * @launch:	COMPUTE and VERTEX, once loaded
 */
struct mali_job {
	u64 va;
	u32 pos;
	u64 next_va;
	u32 type;
	u32 flags;
	u16 index;
	u16 dep[2];
	u32 status;
	u64 write_va;
	u32 write_type;
	u64 write_value;
	u32 flush[2];
	struct mali_launch *launch;
};

/**
 * struct mali_limits - Bounds of a chain.
 * @max_memory:	memory for all parsed descriptors, bytes; bounds the work, too
 * @arena:	source of all memory, and then its bound; nothing is freed. NULL: memory is
 *		allocated
 */
struct mali_limits {
	u64 max_memory;
	struct simt_arena *arena;
};

/* Maximum number of jobs of a chain: their indices have 16 bits. */
#define MALI_MAX_JOBS	65535

struct mali_block;

/**
 * struct mali_chain - Memory and formats of a chain.
 * @arch:	descriptor formats
 * @tlb:	memory, whose map must outlive the chain
 * @limits:	bounds
 * @memory:	bytes held
 * @reads:	number of descriptors, and parts of them, read since it was reset to 0
 * @blocks:	private
 */
struct mali_chain {
	enum mali_arch arch;
	struct vs_tlb tlb;
	struct mali_limits limits;
	u64 memory;
	u64 reads;
	struct mali_block *blocks;
};

struct mali_walk;

/**
 * mali_walk_new - start a walk along a chain
 * @c: the chain, which owns the walk's memory
 * @va: first job
 * @why: reject of this function and of mali_walk_next(); must live as long as the walk
 * @out: the walk
 *
 * Return: 0, -E2BIG, -ENOMEM.
 */
int mali_walk_new(struct mali_chain *c, u64 va, struct mali_reject *why, struct mali_walk **out);
/**
 * mali_walk_next - read headers until a job can start
 * @w: the walk
 * @left: maximum number of steps, reduced by those made: headers and dependencies
 * @job: the job, valid until the next call; NULL at the end of the chain. With an error, its
 *	@va is the header that receives the outcome, which may be unreadable
 *
 * A job can start when its dependencies have ended; a barrier, when all jobs before it have. Of
 * several jobs that can, those that have waited start first. mali_walk_done() must be called
 * before the next call.
 *
 * Return: 0, -EAGAIN, -ENOEXEC (rejected), -E2BIG (a limit), -ENOMEM.
 */
int mali_walk_next(struct mali_walk *w, u32 *left, struct mali_job **job);
/* The current job has ended. */
void mali_walk_done(struct mali_walk *w);
/* Free all memory of a chain that has no arena. */
void mali_free_blocks(struct mali_chain *c);
const char *mali_reason_text(u32 reason);
/* enum mali_status of a rejected job; the hardware's choice is not documented. */
u32 mali_reject_status(u32 reason);
const char *mali_job_type_name(u32 type);

#endif /* VS_MALI_LAUNCH_H */
