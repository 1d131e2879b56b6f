/* SPDX-License-Identifier: GPL-2.0 */
/* Utgard vertex programs on the engine. */
#ifndef SELFTESTS_UTGARD_GP_RUN_H
#define SELFTESTS_UTGARD_GP_RUN_H

#include "../include/lower.h"
#include "../ref/utgard_gp_ref.h"

#define GP_MAX_VERTICES	256

/**
 * struct gp_case - program and its inputs
 * @words: program
 * @n: instructions
 * @row: uniforms
 * @nrows: number of @row
 * @v: vertices: attributes; the engine's varyings are returned in @out
 * @nv: number of @v
 * @debug: lowered as for a debugger
 */
struct gp_case {
	const u32 *words;
	u32 n;
	u32 row[UGP_MAX_ROWS][4];
	u32 nrows;
	struct ugr_vertex v[GP_MAX_VERTICES];
	u32 nv;
	bool debug;
};

/* Initial contents of varyings. */
#define GP_UNTOUCHED	0x7f80dead

/*
 * Run with slices of @slice. The varyings go to @out[vertex]. Return: 0; -ETIME: unfinished
 * after @slices slices; an error of ugp_lower(); -EFAULT: a fault.
 */
int gp_run(const struct gp_case *c, enum vs_simd simd, u32 slice, u32 slices,
	   u32 out[][16][4]);
/* Why ugp_lower() rejected. */
const struct vs_reject *gp_reject(void);
/* Micro-ops of the last program. */
const struct ugp_program *gp_program(void);

#endif
