/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MALI_CAPTURES_H
#define MALI_CAPTURES_H

#include "mali_ref.h"

/**
 * struct mcaptures - Captured jobs of one GPU and a reference model that executes them.
 * @captured:	folder of the captures
 * @gpus:	folders of the programs that replace the captured ones, ends with NULL
 * @arch:	of the descriptors
 * @run:	the reference model
 * @tolerance:	relative error that is allowed in a case with the programs of a GPU
 * @partial:	cases outside the model are skipped; else they fail
 * @fused:	the model rounds a multiply-add once
 * @data:	environment: captures that are kept here
 * @corpus:	environment: all captures and programs
 *
 * MALI_CASE in the environment selects cases by the start of their name.
 */
struct mcaptures {
	const char *captured;
	const char *const *gpus;
	uint32_t arch;
	bool (*run)(struct mrf *g, uint64_t chain);
	double (*tolerance)(const char *name, const char *gpu);
	bool partial;
	bool fused;
	const char *data;
	const char *corpus;
};

/* Return: exit status of the test. */
int mcaptures_main(const struct mcaptures *c);

#endif /* MALI_CAPTURES_H */
