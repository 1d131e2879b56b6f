/* SPDX-License-Identifier: GPL-2.0 */
/* Command line of the PICA200 tests: one set of options, all tests take them all. */
#ifndef SELFTESTS_PICA_OPTIONS_H
#define SELFTESTS_PICA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pica_options - command-line options
 * @data: folder of the test data, or NULL for the one next to the program
 * @corpus: external corpus, or NULL
 * @executor: only executors whose name starts with this, or NULL
 * @seed: seed of random programs
 * @count: random programs of a class, 0 for the test's default
 * @lanes: invocations of a random program, 0 for the test's default
 * @dump: print programs that fail
 * @longer: take more time
 * @quick: take less, as under a sanitizer
 */
struct pica_options {
	const char *data;
	const char *corpus;
	const char *executor;
	uint64_t seed;
	unsigned long count;
	unsigned int lanes;
	bool dump;
	bool longer;
	bool quick;
};

/* Ends the program with status 2 and a message if the command line is wrong. */
void pica_options_parse(int argc, char **argv, struct pica_options *opt);

/* @count if it was given, else one of these. */
unsigned long pica_options_count(const struct pica_options *opt, unsigned long quick,
				 unsigned long usual, unsigned long longer);

#endif
