/* SPDX-License-Identifier: GPL-2.0 */
/* Execution of captured Mali jobs in process. */
#ifndef SELFTESTS_MALI_RUN_H
#define SELFTESTS_MALI_RUN_H

#include "../ref/mali_case.h"
#include "native/mali/mali_desc.h"
#include "native/mali/mali_job.h"
#include "native/native.h"

#define RUN_MEMORY	(8ULL << 20)
/* of native jobs, whose arenas are filled again and again */
#define NATIVE_MEMORY	(4ULL << 20)

/**
 * struct space - The reference model's memory as an address space of the engine.
 * @map:	it
 * @ext:	of @map
 */
struct space {
	struct vs_map map;
	struct vs_extent ext[MRF_MAX_BOS + 4];
};

void space_of(struct space *s, struct mrf *g);
void space_add(struct space *s, u64 va, void *bytes, u64 size);

/* Where native jobs have their memory from, if it is not NULL; they have the default then. */
extern struct vs_worker *run_worker;
/* Threads that execute native jobs, each with a worker of its own, if there are more than one. */
extern u32 run_threads;

/**
 * run_native - execute a chain as a native job
 * @map: memory
 * @format: enum vs_native_format
 * @va: first job
 * @gpu: enum mali_gpu
 * @switches: MALI_SW_*
 * @simd: executor
 * @budget: weight
 * @fault: fault that ended it; kind NONE: no fault
 *
 * Return: 0, or the error of the submit.
 */
int run_native(const struct vs_map *map, u32 format, u64 va, u32 gpu, u32 switches,
	       enum vs_simd simd, u64 budget, struct vs_fault *fault);
/* The same, of Bifrost. */
int run_chain(const struct vs_map *map, u64 va, u32 gpu, u32 switches, enum vs_simd simd,
	      u64 budget, struct vs_fault *fault);
/* Run a job as a separate phase until it is done. */
void run_job(struct vs_job *job);

/**
 * struct bench - Machine for the works of a test.
 * @arena:	memory
 * @raw:	allocation
 * @run:	machine
 * @simd:	executor
 * @switches:	MALI_SW_*
 */
struct bench {
	struct simt_arena arena;
	void *raw;
	struct mali_run *run;
	enum vs_simd simd;
	u32 switches;
};

bool bench_new(struct bench *b, const struct vs_map *map, enum vs_simd simd);
void bench_free(struct bench *b);
/* Return: true if the work ended well. */
bool bench_work(struct bench *b, const struct mali_work *w, struct vs_fault *fault);

/**
 * bench_chain - execute the jobs of a chain with programs of another GPU
 * @b: machine
 * @map: memory
 * @va: first job; descriptors are of v7
 * @gpu: enum mali_gpu of the programs
 * @fault: with false
 *
 * Return: true if all ended well.
 */
bool bench_chain(struct bench *b, const struct vs_map *map, u64 va, u32 gpu,
		 struct vs_fault *fault);

/* As mali_exec_work(), for programs of any GPU. */
void work_of(const struct mali_launch *l, enum mali_arch arch, u32 gpu, u32 stage,
	     struct mali_work *w);
/* Jobs before a tiler job, as they are. Return: true if all ended well. */
bool bench_vertex_jobs(struct bench *b, const struct vs_map *map, enum mali_arch arch, u64 va,
		       u32 gpu, struct vs_fault *fault);

/**
 * run_cases - main() of a test of captured jobs
 * @argc: arguments: --corpus DIR
 * @argv: "
 * @env: environment: name of the variable with the folder of the captures kept here
 * @what: plural noun for the cases, for reports
 * @run_all: runs the cases; @programs: include the programs of other GPUs
 *
 * Return: exit status.
 */
int run_cases(int argc, char **argv, const char *env, const char *what,
	      void (*run_all)(const char *dir, bool programs));

/* A program object of the corpus's words; NULL: the verifier rejects it. */
struct vs_program *program_of(const struct mprog *p, enum vs_stage stage);
/* Resources of a captured draw descriptor for a shader job. */
void shader_of(const struct vs_map *map, u64 dcd, const struct vs_program *prog, u32 gpu,
	       struct mali_shader *s);
/* Return: true if the job ended well; else the error of the submit or @fault. */
bool run_shader(const struct mali_shader *s, enum vs_simd simd, int *error,
		struct vs_fault *fault);

/**
 * draw_run - execute a captured draw: position and varying programs, then fragments
 * @b: machine
 * @g: memory; its framebuffer gets the result
 * @map: the same memory, and the framebuffer at DRAW_FB
 * @va: first job of the chain
 * @gpu: enum mali_gpu of the programs
 * @prog: fragments are shader jobs with this program; NULL: works with the program in
 *	memory
 * @why: text, with false
 * @size: room
 *
 * Return: 1 done, 0 the chain is not of a kind that is known here, -1 failed.
 */
int draw_run(struct bench *b, struct mrf *g, const struct vs_map *map, u64 va, u32 gpu,
	     const struct vs_program *prog, char *why, size_t size);

#define DRAW_FB		0x70000000ULL
#define DRAW_DEPTH	0x71000000ULL
#define DRAW_POSITIONS	0x72000000ULL

/* enum mali_gpu of a folder of the corpus. */
u32 gpu_number(const char *folder);

#endif
