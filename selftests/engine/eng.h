/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared helpers of the engine tests: building and running programs of micro-ops.
 */
#ifndef SELFTESTS_ENGINE_ENG_H
#define SELFTESTS_ENGINE_ENG_H

#include "../include/tap.h"
#include "engine/vs_job.h"

/* Slots of test programs. */
#define ENG_IN		0	/* 16 registers of 4 */
#define ENG_OUT		64
#define ENG_SHADOW	128
#define ENG_TEMP	192
#define ENG_AL		450	/* address register of loops */
#define ENG_SLOTS	452
#define ENG_UNIF	(96 * 4)
#define ENG_NOUT	4	/* output registers that eng_run() stores */

/**
 * struct eng_opts - Command line.
 * @seed: seed of random data
 * @longer: take more time
 */
struct eng_opts {
	uint64_t seed;
	bool longer;
};

void eng_options(int argc, char **argv, struct eng_opts *opt);

/* xorshift64* */
struct eng_rand {
	uint64_t s;
};

void eng_srand(struct eng_rand *r, uint64_t seed);
u32 eng_rand(struct eng_rand *r);
u32 eng_below(struct eng_rand *r, u32 n);
/* A binary32 pattern: edge values, their neighbours, random ones. */
u32 eng_operand(struct eng_rand *r);
/* Moderate magnitudes only. */
u32 eng_mild(struct eng_rand *r);

extern const u32 eng_edges[];
extern const u32 eng_nedges;

/* Building; guest words are given explicitly. */
struct vs_builder *eng_builder(u32 nguest);
struct vs_prog *eng_finish(struct vs_builder *b);
int eng_finish_err(struct vs_builder *b, struct vs_prog **p);
void eng_emit(struct vs_builder *b, u32 guest, struct vs_uop u);

#define UOP(...)	((struct vs_uop){ __VA_ARGS__ })
#define SEQ(n)		{ (n), (n) + 1, (n) + 2, (n) + 3 }

/**
 * struct eng_run - A run of a program.
 * @prog:	program
 * @fp:		numeric model
 * @simd:	executor
 * @flags:	VS_LAUNCH_*
 * @count:	invocations
 * @nin:	input registers, filled from @in
 * @in:		binary32, [invocation][register][component]
 * @out:	binary32, [invocation][register][component], ENG_NOUT registers
 * @unif:	ENG_UNIF words
 * @bools:	booleans
 * @loops:	loop descriptors
 * @budget:	0: plenty
 * @slice:	0: 3000
 * @entry:	guest word
 * @emit:	with VS_LAUNCH_EMIT; prims_va and info_va are ENG_PRIMS_VA, ENG_INFO_VA
 * @prims:	memory for them
 * @prims_size:	bytes
 * @info:	memory for them
 * @info_size:	bytes
 * @run:	runs the job to its end on a worker of its own, or NULL
 * @fault:	result
 * @weight:	result
 * @steps:	result: calls of vs_job_step()
 */
struct eng_run {
	const struct vs_prog *prog;
	enum vs_fp_model fp;
	enum vs_simd simd;
	u32 flags;
	u32 count;
	u32 nin;
	const u32 (*in)[4];
	u32 (*out)[4];
	const u32 *unif;
	u32 bools;
	struct vs_loop loops[4];
	u64 budget;
	u32 slice;
	u32 entry;
	struct vs_emit emit;
	void *prims;
	u64 prims_size;
	void *info;
	u64 info_size;
	void (*run)(struct vs_job *job);
	struct vs_fault fault;
	u64 weight;
	u64 steps;
};

#define ENG_IN_VA	0x100000ULL
#define ENG_OUT_VA	0x40000000ULL
#define ENG_PRIMS_VA	0x80000000ULL
#define ENG_INFO_VA	0xc0000000ULL

void eng_run(struct eng_run *r);
bool eng_have(enum vs_simd simd);
/* Run with a job that was set up by the caller, on one worker, to its end. */
void eng_finish_job(struct vs_job *job, struct vs_worker *w, u64 *steps);
struct vs_worker *eng_worker(void);

/* First executor from @s on that this machine has. */
static inline u32 eng_next_simd(u32 s)
{
	while (s < VS_NUM_SIMD && !eng_have(s))
		s++;
	return s;
}

#define EACH_SIMD(s)	for (s = eng_next_simd(0); s < VS_NUM_SIMD; s = eng_next_simd(s + 1))

static inline float eng_f(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static inline u32 eng_bits(float f)
{
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static inline bool eng_isnan(u32 bits)
{
	return (bits & 0x7fffffff) > 0x7f800000;
}

extern const char * const eng_fp_name[VS_NUM_FP];

#endif
