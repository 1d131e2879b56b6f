/* SPDX-License-Identifier: GPL-2.0 */
/* Captured Midgard jobs, native and as shader jobs. */
#ifndef SELFTESTS_MALI_MGJOB_H
#define SELFTESTS_MALI_MGJOB_H

#include "../midgard/mcode.h"
#include "run.h"

#define CAPTURED	"midgard-t860"
#define OTHER		"midgard-t760"

/**
 * struct setup - A run of a captured case.
 * @dir:	of the corpus
 * @name:	case
 * @other:	with programs of the T760
 * @shader:	as shader jobs
 * @simd:	executor
 */
struct setup {
	const char *dir;
	const char *name;
	bool other;
	bool shader;
	enum vs_simd simd;
};

/**
 * struct mg_cases - Cases that a test runs.
 * @what:	plural noun for reports
 * @wanted:	selects cases by name
 * @run:	runs one case. Return: whether it passed.
 */
struct mg_cases {
	const char *what;
	bool (*wanted)(const char *name);
	bool (*run)(const struct setup *s);
};

/* A test's main(): the captures kept here, and the corpus with --corpus. */
int mg_run_cases(const struct mg_cases *c, int argc, char **argv);

u32 mg_r32(const struct vs_map *map, u64 va);
u64 mg_r64(const struct vs_map *map, u64 va);
/* Program object of a compiled program, or NULL. */
struct vs_program *mg_program_of(const struct mprog *p, enum vs_stage stage);
/* Resources as the draw descriptor at @dcd has them; sizes and fragments are not set. */
void mg_shader_of(const struct vs_map *map, u64 dcd, const struct vs_program *prog, u32 gpu,
		  struct mali_shader *s);
/* Sizes of the launch from the first job of a chain. */
bool mg_sizes(const struct vs_map *map, u64 va, struct mali_shader *s);
/* A chain in the model's memory, which mj_write() has put there. */
void mg_execute(struct mjob *j, u64 va, enum vs_simd simd, struct vs_fault *fault);
/* Text of a fault. */
void mg_fault_text(const struct vs_fault *f, char *buf, size_t size);

#endif
