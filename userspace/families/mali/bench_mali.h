/* SPDX-License-Identifier: MIT */
/*
 * Mali benchmark workloads, their yardstick in C, their measurement.
 */
#ifndef VSHADER_BENCH_MALI_H
#define VSHADER_BENCH_MALI_H

#include "bench.h"
#include "vshader.h"

#define BENCH_MALI_WORKLOADS	12
#define BENCH_MALI_MAX_RESULTS	(BENCH_NUM_SIMD * BENCH_MALI_WORKLOADS)

/* bench_mali_code.c: Bifrost */
extern const char bench_mali_mandel[];
extern const char bench_mali_matmul[];
extern const char bench_mali_reduce[];
extern const char bench_mali_matmul8[];
extern const char bench_mali_hash[];
extern const char bench_mali_conv[];

/* bench_midgard_code.c */
extern const char bench_midgard_mandel[];
extern const char bench_midgard_matmul[];
extern const char bench_midgard_reduce[];
extern const char bench_midgard_matmul8[];
extern const char bench_midgard_hash[];
extern const char bench_midgard_conv[];

/* Sizes that the programs have in them. */
#define BENCH_MALI_MANDEL_N	512u
#define BENCH_MALI_MANDEL_MAX	256u
#define BENCH_MALI_MATMUL_N	128u
#define BENCH_MALI_REDUCE_N	128u
#define BENCH_MALI_REDUCE_GROUPS 8192u
#define BENCH_MALI_MATMUL8_N	64u
#define BENCH_MALI_MATMUL8_GROUPS 64u
#define BENCH_MALI_HASH_N	256u
#define BENCH_MALI_HASH_ROUNDS	32u
#define BENCH_MALI_CONV_N	256u	/* of results in each direction */
#define BENCH_MALI_CONV_TAPS	5u	/* likewise of weights */
#define BENCH_MALI_CONV_ROW	260u	/* words of a row of the image */

/* bench_mali_c.c: the same in C; results bit for bit. Return: operations or items. */
uint64_t bench_c_mandel(const uint32_t *a, const uint32_t *b, uint32_t *out);
uint64_t bench_c_matmul(const uint32_t *a, const uint32_t *b, uint32_t *out);
uint64_t bench_c_reduce(const uint32_t *a, const uint32_t *b, uint32_t *out);
uint64_t bench_c_matmul8(const uint32_t *a, const uint32_t *b, uint32_t *out);
uint64_t bench_c_hash(const uint32_t *a, const uint32_t *b, uint32_t *out);
uint64_t bench_c_conv(const uint32_t *a, const uint32_t *b, uint32_t *out);

extern const float bench_mali_mandel_args[3];	/* origin x, step, origin y */

struct bench_mali_workload;

/** struct bench_mali_result - a workload on an executor */
struct bench_mali_result {
	const struct bench_mali_workload *w;
	uint32_t simd;
	struct vshader_device *dev;
	uint32_t vm;
	uint32_t queue;
	uint32_t program;
	struct vshader_bo *bo;
	uint32_t *mem;
	bool ok;
	double best;		/* ns, wall clock */
	double cpu;		/* CPU time of this process, best */
	double *times;
	double median;
	unsigned int runs;
};

/** struct bench_mali_table - all of them, and the yardsticks by workload */
struct bench_mali_table {
	unsigned int num_results;
	struct bench_mali_result results[BENCH_MALI_MAX_RESULTS];
	double c_best[BENCH_MALI_WORKLOADS];
	uint64_t work[BENCH_MALI_WORKLOADS];
};

extern const struct bench_ops bench_mali;

#endif /* VSHADER_BENCH_MALI_H */
