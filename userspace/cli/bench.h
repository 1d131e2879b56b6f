/* SPDX-License-Identifier: MIT */
/*
 * Benchmarks: interface of the workloads of an instruction set.
 */
#ifndef VSHADER_BENCH_H
#define VSHADER_BENCH_H

#include <json-c/json.h>
#include <stdbool.h>

#include "vshader.h"

#define BENCH_NUM_SIMD	5

/**
 * struct bench_params - parameters of a benchmark run
 * @devs: devices by executor; NULL: executor is not measured
 * @devs2: the same with two workers, or NULL
 * @workload: prefix of workload names, NULL for all
 * @model: numeric model, or NULL: all, also of ISAs without a choice
 * @job_vertices: vertices per job, 0 for several sizes
 * @vertices: per measurement
 * @repeats: rounds
 * @local: devices are in this process, so that its CPU times include their work
 */
struct bench_params {
	struct vshader_device *devs[BENCH_NUM_SIMD];
	struct vshader_device *devs2[BENCH_NUM_SIMD];
	const char *workload;
	const char *model;
	uint32_t job_vertices;
	uint32_t vertices;
	unsigned int repeats;
	bool local;
};

/** struct bench_latency - times of empty and small jobs */
struct bench_latency {
	double empty_min_us;		/* submit to completion, empty job */
	double empty_median_us;
	double small_median_us;		/* the same with 64 vertices */
	double jobs_per_s;		/* pipelined, a SUBMIT for each */
	double batched_per_s;		/* pipelined, 64 to a SUBMIT */
	double empty_cpu_us;		/* in-process: CPU time of each, best of three rounds */
	double small_cpu_us;
	double jobs_cpu_us;
	double batched_cpu_us;
};

/**
 * struct bench_ops - workloads
 * @table: first argument of the functions
 * @workloads: their names, for messages
 * @help: the same for help, "~" is a blank where lines do not break
 * @note: sentence for help, or NULL
 * @add: set up the workloads on @p->devs[@simd]; not called if @p has a @model. Those that
 *	return int: 0 or after fail()
 * @add_all: instead of @add: set up all workloads selected by @p
 * @count: number of results
 * @check: compare the results
 * @measure: one round
 * @finish: after the last round. Return: whether all results are correct
 * @free: tear down the workloads
 * @print: as a table
 * @json: as a member of @root
 * @latency: measure small jobs, or NULL. Return: 0 or a negative errno
 */
struct bench_ops {
	void *table;
	const char *workloads;
	const char *help;
	const char *note;
	int (*add)(void *table, const struct bench_params *p, uint32_t simd);
	int (*add_all)(void *table, const struct bench_params *p);
	unsigned int (*count)(const void *table);
	int (*check)(void *table);
	int (*measure)(void *table);
	bool (*finish)(void *table);
	void (*free)(void *table);
	void (*print)(const void *table, bool local);
	void (*json)(const void *table, struct json_object *root, bool local);
	int (*latency)(struct vshader_device *dev, unsigned int rounds, struct bench_latency *l);
};

/* Whether @p asks for a workload. */
bool bench_wanted(const struct bench_params *p, const char *name);
uint64_t bench_hash(const void *p, size_t bytes);
uint64_t bench_now_ns(void);
/* CPU time of all threads, in this process workers included, from a start on. */
uint64_t bench_cpu_start(void);
uint64_t bench_cpu_since(uint64_t start);
int bench_compare_double(const void *a, const void *b);

#endif /* VSHADER_BENCH_H */
