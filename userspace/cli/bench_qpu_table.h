/* SPDX-License-Identifier: MIT */
/*
 * Results of QPU workloads.
 */
#ifndef VSHADER_BENCH_QPU_TABLE_H
#define VSHADER_BENCH_QPU_TABLE_H

#include <json-c/json.h>

#include "bench_qpu.h"

#define BENCH_QPU_MAX_RESULTS	32

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
	unsigned int repeats;
	unsigned int num_results;
	struct bench_qpu_result results[BENCH_QPU_MAX_RESULTS];
};

/* With a message on failure. @filter: beginning of a name, or NULL. */
int bench_qpu_add(struct bench_qpu_table *t, struct vshader_device *dev, uint32_t simd,
		  const char *filter);
int bench_qpu_check_all(struct bench_qpu_table *t);
/* One round. */
int bench_qpu_measure(struct bench_qpu_table *t);
/* Return: whether all results were right. */
bool bench_qpu_finish(struct bench_qpu_table *t);
void bench_qpu_free(struct bench_qpu_table *t);
/* @cpu: CPU times of this process mean something. */
void bench_qpu_print(const struct bench_qpu_table *t, bool cpu);
void bench_qpu_json(const struct bench_qpu_table *t, struct json_object *root, bool cpu);

#endif /* VSHADER_BENCH_QPU_TABLE_H */
