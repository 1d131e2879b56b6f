/* SPDX-License-Identifier: MIT */
/*
 * Results of QPU workloads.
 */
#ifndef VSHADER_BENCH_QPU_TABLE_H
#define VSHADER_BENCH_QPU_TABLE_H

#include "bench.h"
#include "bench_qpu.h"

#define BENCH_QPU_NUM_QPUS	2	/* one, and all */
#define BENCH_QPU_MAX_RESULTS	(BENCH_NUM_SIMD * (BENCH_QPU_WORKLOADS * BENCH_QPU_NUM_QPUS + \
						   BENCH_QPU_DRAWS))

/** struct bench_qpu_result - a workload on an executor and a number of QPUs */
struct bench_qpu_result {
	uint32_t simd;
	struct bench_qpu setup;
	bool ready;
	bool ok;
	uint64_t hash;
	char how[160];
	double best;		/* ns, wall clock */
	double median;
	double cpu;		/* CPU time of this process, best */
	double *times;
	unsigned int runs;
};

/** struct bench_qpu_table - all of them */
struct bench_qpu_table {
	unsigned int num_results;
	struct bench_qpu_result results[BENCH_QPU_MAX_RESULTS];
};

extern const struct bench_ops bench_qpu;

#endif /* VSHADER_BENCH_QPU_TABLE_H */
