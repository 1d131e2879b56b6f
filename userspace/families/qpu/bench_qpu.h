/* SPDX-License-Identifier: MIT */
/*
 * QPU benchmark workloads and their measurement.
 */
#ifndef VSHADER_BENCH_QPU_H
#define VSHADER_BENCH_QPU_H

#include "vshader.h"

#define BENCH_QPU_QPUS		12
#define BENCH_QPU_MANDEL_WORDS	242
#define BENCH_QPU_WORKLOADS	6
#define BENCH_QPU_DRAWS		4
#define BENCH_QPU_BASE		0x01000000u	/* one buffer has everything */
#define BENCH_QPU_BYTES		0xa0000u

/* bench_qpu_code.c */
extern const uint32_t bench_qpu_mandel[BENCH_QPU_MANDEL_WORDS];
extern const char bench_qpu_sgemm[];
extern const char bench_qpu_fft[];
extern const char bench_qpu_fft2[];
extern const char bench_qpu_rotate[];
extern const char bench_qpu_gcd[];

/** struct bench_qpu_counts - counts of a run of a workload */
struct bench_qpu_counts {
	uint64_t insns;		/* instructions of all QPUs */
	uint64_t ops;		/* of these, operations of both ALUs; nops are none */
};

struct bench_qpu;

/**
 * struct bench_qpu_workload - a workload
 * @name: name
 * @text: description
 * @make: put code, data and uniforms into memory, count
 * @verify: compare with an own computation; @how receives the method, or the error
 * @out: where the results are, bytes in memory
 * @out_bytes: how many
 * @items: draws: vertices or pixels of a run, 0: none
 * @item: name of one
 */
struct bench_qpu_workload {
	const char *name;
	const char *text;
	int (*make)(struct bench_qpu *b);
	bool (*verify)(const struct bench_qpu *b, char *how, size_t size);
	uint32_t out;
	uint32_t out_bytes;
	uint32_t items;
	const char *item;
};

/* bench.c: lists of threads; bench_draw.c: draws */
extern const struct bench_qpu_workload bench_qpu_workloads[BENCH_QPU_WORKLOADS];
extern const struct bench_qpu_workload bench_qpu_draws[BENCH_QPU_DRAWS];

/** struct bench_qpu - a workload on a device */
struct bench_qpu {
	const struct bench_qpu_workload *w;
	struct vshader_device *dev;
	uint32_t qpus;
	uint32_t vm;
	uint32_t queue;
	struct vshader_bo *bo;
	uint8_t *mem;
	uint8_t *start;		/* memory before a run */
	struct drm_vshader_native_job job[3];
	uint32_t num_jobs;
	uint32_t num_timed;	/* of these; the others are executed to verify */
	struct bench_qpu_counts counts;
};

/* Instructions @from to @to are executed so many times. */
void bench_qpu_count(struct bench_qpu *b, const uint32_t *words, uint32_t from, uint32_t to,
		     uint64_t times);

/* Errors: see vshader_error(). */
int bench_qpu_setup(struct bench_qpu *b, struct vshader_device *dev,
		    const struct bench_qpu_workload *w, uint32_t qpus);
void bench_qpu_teardown(struct bench_qpu *b);
/* One run of the timed jobs: wall-clock time, and CPU time of this process. */
int bench_qpu_run(struct bench_qpu *b, uint64_t *ns, uint64_t *cpu);
/*
 * Run and verify.
 * @reference: hash of the results of another executor, 0 if there is none yet
 */
int bench_qpu_check(struct bench_qpu *b, uint64_t reference, uint64_t *hash, bool *ok, char *how,
		    size_t size);

#endif /* VSHADER_BENCH_QPU_H */
