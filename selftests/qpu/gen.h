/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random QPU programs that end, and whose results do not depend on the QPUs' relative
 * speed: every thread writes its own rows of the vertex pipeline memory and its own
 * memory, and reads those of others only between barriers or under the mutex.
 */
#ifndef SELFTESTS_QPU_GEN_H
#define SELFTESTS_QPU_GEN_H

#include "../include/qpu_asm.h"
#include "exec.h"

#define GEN_CALM	0x001	/* arithmetic only, no control flow */
#define GEN_FLOW	0x002	/* branches, loops, subroutines */
#define GEN_VPM		0x004	/* generic accesses and DMA */
#define GEN_TMU		0x008
#define GEN_SYNC	0x010	/* barriers, mutex */
#define GEN_MANY	0x020	/* several threads, up to one per QPU */
#define GEN_CROWD	0x040	/* more threads than QPUs */
#define GEN_FAULT	0x080	/* one thread that faults or hangs */
#define GEN_SFU		0x100
#define GEN_OBJECT	0x200	/* code in a program object instead of memory */

/* Window: code, data to read, words under the mutex, an area per thread, uniforms. */
#define GEN_BASE	0x00200000u
#define GEN_DATA	0x10000u
#define GEN_DATA_SIZE	0x1000u
#define GEN_SHARED	0x11000u
#define GEN_AREAS	0x20000u
#define GEN_AREA	0x6000u
#define GEN_MAX_THREADS	24
#define GEN_UNIFORMS	0xc0000u
#define GEN_SIZE	0x100000u
/* In a thread's area: registers, pipeline memory, room for DMA. */
#define GEN_AREA_VPM	0x2000u
#define GEN_AREA_ROOM	0x4000u
#define GEN_ROOM	0x2000u

/**
 * struct gen_job - program and its initial state
 * @p: program
 * @body: first instruction of the random part
 * @body_end: one past its last
 * @threads: in memory, addresses without alias bits
 * @nthreads: number of @threads
 * @alias: top bits of the addresses that the program uses
 * @flags: GEN_*
 * @seed: random seed of this job
 * @slice: weight of an engine step
 */
struct gen_job {
	struct q_prog p;
	unsigned int body;
	unsigned int body_end;
	struct qpu_ref_thread threads[GEN_MAX_THREADS];
	unsigned int nthreads;
	uint32_t alias;
	unsigned int flags;
	uint64_t seed;
	uint32_t slice;
};

/* Deterministic in the seed and flags. */
void gen_make(struct gen_job *g, uint64_t seed, unsigned int flags);
/* Fill @mem, GEN_SIZE bytes, with the job's initial memory. */
void gen_memory(const struct gen_job *g, uint8_t *mem);

#endif
