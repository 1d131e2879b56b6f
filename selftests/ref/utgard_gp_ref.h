/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of the Utgard vertex processor: one vertex, one instruction after the
 * other. Written from the notes on the instruction set; shares no code with the engine.
 */
#ifndef UTGARD_GP_REF_H
#define UTGARD_GP_REF_H

#include <stdbool.h>
#include <stdint.h>

#define UGR_ROWS	304

enum ugr_status { UGR_ENDED, UGR_BUDGET };

/**
 * struct ugr_vertex - inputs and outputs of a vertex, numbers as bits
 * @attr: attributes
 * @row: its rows: uniforms, then zeros; temporaries are stored here
 * @out: varyings
 * @steps: instructions executed
 */
struct ugr_vertex {
	uint32_t attr[16][4];
	uint32_t row[UGR_ROWS][4];
	uint32_t out[16][4];
	unsigned int steps;
};

/* Run @n instructions of four words, which must all have a meaning; at most @budget steps. */
enum ugr_status ugr_run(const uint32_t *words, unsigned int n, struct ugr_vertex *v,
			unsigned int budget);

#endif
