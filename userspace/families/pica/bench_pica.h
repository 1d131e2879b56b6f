/* SPDX-License-Identifier: MIT */
/*
 * PICA200 benchmark workloads and their measurement.
 */
#ifndef VSHADER_BENCH_PICA_H
#define VSHADER_BENCH_PICA_H

#include "bench.h"

#define BENCH_VERTICES	4096u		/* different ones; streamed again and again */
#define BENCH_CHECKED	16u		/* vertices with stored outputs */
#define BENCH_MAX_INPUTS 5

/** struct bench_uniform - a float uniform */
struct bench_uniform {
	uint8_t reg;
	uint32_t value[4];
};

/**
 * struct bench_workload - program, uniforms and expectations
 * @name: name
 * @text: description
 * @stage: shader stage
 * @seed: of the vertex generator
 * @inputs: input registers per vertex
 * @outputs: output registers per vertex
 * @code: instruction words
 * @opdesc: operand descriptors
 * @num_code: number of @code
 * @num_opdesc: number of @opdesc
 * @entry: word
 * @uniforms: float uniforms
 * @num_uniforms: number of @uniforms
 * @int0: first integer uniform
 * @bools: boolean uniforms
 * @max_prims: geometry: primitives per invocation
 * @hash: FNV-1a over all outputs of 4096 vertices in the F32 model; 0: not known
 * @exact: the F32 outputs are those of @hash, whatever the executor
 * @tolerance: F32: relative tolerance of stored outputs if the hash need not match
 * @tolerance_f24: the same for the F24 model
 * @first: outputs of the first BENCH_CHECKED vertices in the F32 model, or NULL:
 *	computed by bench_expect_quads()
 */
struct bench_workload {
	const char *name;
	const char *text;
	uint32_t stage;
	uint32_t seed;
	uint32_t inputs;
	uint32_t outputs;
	const uint32_t *code;
	const uint32_t *opdesc;
	uint32_t num_code;
	uint32_t num_opdesc;
	uint32_t entry;
	const struct bench_uniform *uniforms;
	uint32_t num_uniforms;
	uint8_t int0[4];
	uint32_t bools;
	uint32_t max_prims;
	uint64_t hash;
	bool exact;
	double tolerance;
	double tolerance_f24;
	const uint32_t *first;
};

extern const struct bench_workload bench_workloads[];
extern const unsigned int bench_num_workloads;

/* bench_workload.c */

/* Vertices, @w->inputs rows of four words each. */
void bench_vertices(const struct bench_workload *w, uint32_t *out);
/* Words of output per vertex: outputs, or the primitives of a geometry workload. */
uint32_t bench_out_words(const struct bench_workload *w);
/*
 * Check the outputs of 4096 vertices. @how receives the method, or the error.
 * @reference: hash of the same model by another executor, 0 if there is none yet
 */
bool bench_verify(const struct bench_workload *w, uint32_t model, const uint32_t *vertices,
		  const uint32_t *outputs, uint64_t reference, char *how, size_t size);

/* bench_run.c */

/** struct bench_setup - a workload on a device */
struct bench_setup {
	const struct bench_workload *w;
	struct vshader_device *dev;
	uint32_t model;
	uint32_t job_vertices;
	uint32_t vm;
	uint32_t queue;
	uint32_t program;
	uint32_t sync;
	uint64_t point;
	struct vshader_bo *in_bo;
	struct vshader_bo *out_bo;
	uint32_t *in;
	uint32_t *out;
	uint64_t in_va;
	uint64_t out_va;
	uint64_t info_va;
	uint32_t floats[96][4];
	struct drm_vshader_pica_job pica;
	struct drm_vshader_shader_job shader;
	struct drm_vshader_stream attrs[BENCH_MAX_INPUTS];
	struct drm_vshader_stream outs[4];
};

/* Errors: see vshader_error(). */
int bench_setup(struct bench_setup *s, struct vshader_device *dev, const struct bench_workload *w,
		uint32_t model, uint32_t job_vertices);
void bench_teardown(struct bench_setup *s);
/* Stream @vertices vertices through: wall-clock time, and CPU time of this process. */
int bench_stream(struct bench_setup *s, uint32_t vertices, uint64_t *ns, uint64_t *cpu);
/* Clear the output, run every vertex, check all copies of the output. */
int bench_check(struct bench_setup *s, uint64_t reference, uint64_t *hash, bool *ok, char *how,
		size_t size);

/* As of struct bench_ops. */
int bench_pica_latency(struct vshader_device *dev, unsigned int rounds, struct bench_latency *l);

extern const struct bench_ops bench_pica;

#endif /* VSHADER_BENCH_PICA_H */
