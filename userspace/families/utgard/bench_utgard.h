/* SPDX-License-Identifier: MIT */
/*
 * Utgard benchmark workloads: a lighting vertex program, a textured pixel program.
 */
#ifndef VSHADER_BENCH_UTGARD_H
#define VSHADER_BENCH_UTGARD_H

#include "bench.h"
#include "vshader.h"

#define BENCH_UTGARD_WORKLOADS	2
#define BENCH_UTGARD_MAX_RESULTS (BENCH_NUM_SIMD * BENCH_UTGARD_WORKLOADS)

#define BENCH_UTGARD_VERTICES	65536u
#define BENCH_UTGARD_SIDE	256u	/* pixels of the target */
#define BENCH_UTGARD_TEXELS	64u	/* of a side of the texture */

/* bench_utgard_code.c */
extern const char bench_utgard_light[];
extern const char bench_utgard_texture[];

/*
 * bench_utgard_c.c: the same in C. Vertices: positions and normals, three numbers each, 7 rows;
 * two rows a vertex come out. Fragments: texels, uniforms (offset), RGBA8 comes out.
 */
void bench_c_light(const float *attr, const float *rows, float *out);
void bench_c_texture(const uint8_t *texels, const float *offset, uint8_t *out);

struct bench_utgard_workload;

/** struct bench_utgard_time - best times of some runs, ns: of the wall clock, of this process */
struct bench_utgard_time {
	double wall;
	double cpu;
	unsigned int runs;
};

/** struct bench_utgard_result - a workload on an executor */
struct bench_utgard_result {
	const struct bench_utgard_workload *w;
	uint32_t simd;
	struct vshader_device *dev;
	uint32_t vm;
	uint32_t queue;
	uint32_t program;
	struct vshader_bo *bo;
	uint8_t *mem;
	bool ok;
	struct bench_utgard_time time;
};

/** struct bench_utgard_table - all of them, and the yardsticks by workload */
struct bench_utgard_table {
	unsigned int num_results;
	struct bench_utgard_result results[BENCH_UTGARD_MAX_RESULTS];
	struct bench_utgard_time c[BENCH_UTGARD_WORKLOADS];
};

extern const struct bench_ops bench_utgard;

#endif /* VSHADER_BENCH_UTGARD_H */
