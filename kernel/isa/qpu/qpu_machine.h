/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Interface of the QPU machine: up to 12 QPUs that run together, with shared memory and
 * peripherals.
 */
#ifndef QPU_MACHINE_H
#define QPU_MACHINE_H

#include "qpu.h"
#include "../../engine/vs_job.h"

#define QPU_NUM		12
#define QPU_LANES	16
#define QPU_MAX_THREADS	4096

/* Bus addresses: the two top bits select a cache alias and are ignored. */
#define QPU_ADDR_MASK	0x3fffffffU

/* Switches; same bits as enum drm_vshader_qpu_switch. */
#define QPU_SW_STRICT_HAZARDS	0x1	/* pipeline hazards are faults */
#define QPU_SW_STRICT_TMU	0x2	/* TMU reads outside mapped memory are faults */
#define QPU_SW_ALL		0x3

/* Pipeline hazards and other reasons to end a job: code of a HAZARD or HANG fault. */
enum qpu_hazard {
	QPU_HZ_NONE,
	QPU_HZ_REG_RAW,		/* file register read right after its write */
	QPU_HZ_R5_ROTATE,	/* rotation by r5 right after a write of r5 */
	QPU_HZ_SFU_R4,		/* r4 read or written within two of an SFU write */
	QPU_HZ_SFU_BUSY,	/* second SFU write within two of another */
	QPU_HZ_UNIF,		/* uniform read within two of an address write */
	QPU_HZ_UNDEFINED_OP,	/* undefined adder code */
	QPU_HZ_BRANCH,		/* branch in a branch's delay slots */
	QPU_HZ_MUTEX,		/* mutex released by another QPU */
	QPU_HZ_TMU_FULL,	/* request to a TMU with a full queue */
	QPU_HZ_TMU_EMPTY,	/* result of a TMU without a request */
	QPU_HZ_VPM_EMPTY,	/* VPM read without a setup */
	QPU_HZ_FRAGMENT,	/* fragment peripheral in another stage */
	QPU_HZ_BREAKPOINT,	/* breakpoint signal */
	QPU_HZ_VPM_FULL,	/* VPM read set up while more than one vector is left */
	QPU_HZ_VPM_SETUP,	/* undefined or missing VPM or DMA setup */
	QPU_HZ_TMU_CONFIG,	/* undefined texture configuration, or too many writes */
	QPU_HZ_TMU_STALE,	/* TMU reads what the job has stored after it cached the line */
	QPU_HZ_UNIF_END,	/* uniform read past the end of the list */
	QPU_NUM_HAZARDS
};

/**
 * struct qpu_thread - thread: one program run of 16 elements
 * @uniforms:	bus address of the uniform stream
 * @pc:		bus address of the first instruction; with a program object the byte
 *		offset in it
 * @payload:	fragment jobs: bus address of 16 words W, 16 words Z, then for each
 *		varying 16 words partial value and 16 words C; 0: none
 * @x:		fragment jobs: pixel of the 4x4 block's corner in the tile, multiple of 4
 * @y:		"
 * @coverage:	fragment jobs: bit per element
 * @flags:	QPU_THREAD_*
 * @nuniforms:	words at @uniforms, for strict mode; 0: unknown
 *
 * Threads start in ascending order, each on the next free QPU.
 */
struct qpu_thread {
	u32 uniforms;
	u32 pc;
	u32 payload;
	u16 x;
	u16 y;
	u16 coverage;
	u16 flags;
	u32 nuniforms;
};

#define QPU_THREAD_REV	0x1	/* back-facing primitive */

/**
 * struct qpu_tile - tile buffer of a fragment job, in guest memory
 * @color_va:	colour, 32 bits per pixel, raster order; 0: none
 * @zs_va:	depth (bits 31:8) and stencil (7:0), 32 bits per pixel; 0: none
 * @color_stride: bytes from row to row
 * @zs_stride:	bytes from row to row
 * @width:	pixels, multiple of 4, at most 64
 * @height:	"
 * @samples:	1, or 4: four consecutive words per pixel
 * @depth:	depth test of Z writes, QPU_DEPTH_*; 0: all pass and are stored
 */
struct qpu_tile {
	u64 color_va;
	u64 zs_va;
	u32 color_stride;
	u32 zs_stride;
	u16 width;
	u16 height;
	u32 samples;
	u32 depth;
};

#define QPU_DEPTH_FUNC	0x7	/* never, <, =, <=, >, !=, >=, always */
#define QPU_DEPTH_WRITE	0x8	/* store passing values */
#define QPU_DEPTH_TEST	0x10	/* enable the test: the two above apply */

/**
 * struct qpu_launch - launch of a job
 * @map:	address space
 * @code:	program object's words (low half first), or NULL: code is in memory
 * @ncode:	instructions in @code
 * @threads:	copied
 * @nthreads:	1 to QPU_MAX_THREADS
 * @switches:	QPU_SW_*
 * @fragment:	@tile and the fragment fields of threads are valid; else accesses to fragment
 *		peripherals fault
 * @tile:	tile buffer
 */
struct qpu_launch {
	const struct vs_map *map;
	const u32 *code;
	u32 ncode;
	const struct qpu_thread *threads;
	u32 nthreads;
	u32 switches;
	bool fragment;
	struct qpu_tile tile;
};

/* Wait state of a QPU; same numbers as enum drm_vshader_qpu_wait. */
enum qpu_wait {
	QPU_WAIT_NONE,		/* running or runnable */
	QPU_WAIT_IDLE,		/* no thread */
	QPU_WAIT_SEMA_INC,	/* release of a semaphore at 15 */
	QPU_WAIT_SEMA_DEC,	/* acquire of a semaphore at 0 */
	QPU_WAIT_MUTEX,
	QPU_WAIT_SCOREBOARD,	/* fragment: a previous block of the same pixels */
	QPU_NUM_WAITS
};

/**
 * struct qpu_state - state of a QPU, for fault reports
 * @wait:	enum qpu_wait
 * @info:	index of the semaphore, or of the QPU that holds the mutex
 * @pc:		bus address (program objects: byte offset) of the next instruction
 * @thread:	index of its thread
 * @insns:	instructions executed by the thread
 */
struct qpu_state {
	u32 wait;
	u32 info;
	u32 pc;
	u32 thread;
	u64 insns;
};

/**
 * struct qpu_counters - totals of a job
 * @insns:	instructions executed by all QPUs
 * @stray_reads: TMU reads (per element) outside mapped memory, which returned 0
 * @hazards:	pipeline hazards detected (strict mode only)
 * @host_ints:	host interrupts raised
 * @textures:	lookups by texture coordinates
 */
struct qpu_counters {
	u64 insns;
	u64 stray_reads;
	u64 hazards;
	u64 host_ints;
	u64 textures;
};

/* Job; its machine is in the arena of the worker that executes it. */
struct qpu_job;

/* Memory in bytes of a job with @nthreads threads before it runs. */
u64 qpu_job_memory(u32 nthreads);
/**
 * qpu_job_new - create a job
 * @l: job; map and code must outlive it
 * @what: with -EINVAL: name of the offending field
 * @out: the job
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int qpu_job_new(const struct qpu_launch *l, const char **what, struct qpu_job **out);
void qpu_job_free(struct qpu_job *job);
/* Add the work to an engine job (one phase, one worker). */
int qpu_job_add(struct qpu_job *qj, struct vs_job *job);
/*
 * State of the QPUs, QPU_NUM entries: valid from the job's end until its worker executes another
 * job. Idle before the job has started.
 */
void qpu_job_get_state(const struct qpu_job *qj, struct qpu_state *s);
void qpu_job_get_counters(const struct qpu_job *qj, struct qpu_counters *c);

#endif /* QPU_MACHINE_H */
