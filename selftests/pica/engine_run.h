/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine in process: guest memory, programs and jobs for the tests.
 */
#ifndef SELFTESTS_PICA_ENGINE_RUN_H
#define SELFTESTS_PICA_ENGINE_RUN_H

#include "../../kernel/isa/pica/pica_launch.h"
#include "../../kernel/engine/vs_job.h"
#include "pica_exec.h"

/* Guest address of the first allocation. */
#define ENGINE_VA		0x10000000ull
#define ENGINE_MAX_ALLOCS	8

/**
 * struct engine_mem - guest memory, an extent per allocation
 * @map: address space of jobs
 * @ext: extents, each followed by a hole
 */
struct engine_mem {
	struct vs_map map;
	struct vs_extent ext[ENGINE_MAX_ALLOCS];
};

/* Zeroed memory of exactly @size bytes, so that sanitizers detect accesses past its end. */
void *engine_alloc(struct engine_mem *mem, size_t size, u64 *va);
void engine_mem_free(struct engine_mem *mem);

/**
 * struct engine_how - parameters of a run
 * @simd: executor
 * @budget: weight, all workers together
 * @slice: weight per step, 0 for the default
 * @workers: threads, 0 or 1 for none
 */
struct engine_how {
	enum vs_simd simd;
	u64 budget;
	u32 slice;
	unsigned int workers;
};

/**
 * struct engine_done - result of a job
 * @fault: kind is VS_FAULT_NONE if there was none
 * @weight: weight charged
 * @invocations: number of finished invocations
 * @steps: calls of vs_job_step()
 */
struct engine_done {
	struct vs_fault fault;
	u64 weight;
	u64 invocations;
	u64 steps;
};

/*
 * Create a program. On error returns a negative value with a message in @error and the
 * reference's status for it in *@refusal, PICA_REF_DONE if there is none.
 */
int engine_program(const struct pica_ref_program *ref, struct vs_program **out,
		   enum pica_ref_status *refusal, char *error, size_t size);

/* The PICA block for a program of the tests with these uniforms. */
void engine_block(const struct pica_ref_program *ref, const struct pica_ref_uniforms *u,
		  struct pica_launch *pl);

/* The model of the reference as the engine names it. */
void engine_model(enum pica_ref_model model, struct pica_launch *pl);

/* Weight that @steps instructions of @lanes invocations cannot exceed. */
u64 engine_budget(u64 steps, unsigned int lanes);

/* Run one launch, or @n after the other; abort without memory. */
void engine_run(const struct vs_map *map, const struct vs_launch *l,
		const struct engine_how *how, struct engine_done *done);
void engine_run_all(const struct vs_map *map, const struct vs_launch *l, unsigned int n,
		    const struct engine_how *how, struct engine_done *done);

#define ENGINE_REG_BYTES	16
#define ENGINE_FILE_BYTES	(16 * ENGINE_REG_BYTES)

/* Room for primitives of an invocation that no job of the tests exceeds. */
#define ENGINE_MAX_PRIMS	4096

/**
 * struct engine_job - job of the tests as the engine takes it
 * @mem: guest memory
 * @prog: program
 * @l: launch record
 * @unif: its uniforms
 * @how: executor and budget
 * @out: vertex jobs: output registers, ENGINE_FILE_BYTES for each invocation
 * @prims: geometry jobs: as struct vs_emit describes
 * @info: the same
 */
struct engine_job {
	struct engine_mem mem;
	struct vs_program *prog;
	struct vs_launch l;
	u32 *unif;
	struct engine_how how;
	void *out;
	void *prims;
	u32 *info;
};

/* 0, or negative as engine_program() or with another message in @error. */
int engine_job_init(struct engine_job *e, const struct pica_exec_job *job, enum vs_simd simd,
		    enum pica_ref_status *refusal, char *error, size_t size);
void engine_job_fini(struct engine_job *e);

/* Faults as the reference names them; false if it has no name for @kind. */
bool engine_status(u32 kind, enum pica_ref_status *status);

#endif
