/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the tests of instruction sets. */
#ifndef SELFTESTS_ISA_TEST_H
#define SELFTESTS_ISA_TEST_H

#include "isa/pica/pica.h"
#include "shbin.h"
#include "vs_as.h"

#include "../include/tap.h"

/* A program under test, with its own words. */
struct test_prog {
	u32 code[PICA_MAX_CODE];
	u32 ncode;
	u32 opdesc[PICA_MAX_OPDESC];
	u32 nopdesc;
	u32 entry;
	enum vs_stage stage;
};

/* xorshift32, the same on every machine. */
u32 test_rand(void);
void test_seed(u32 seed);

void test_src(const struct test_prog *p, struct vs_src *src);
void test_view(const struct test_prog *p, struct pica_program *view);

/* Assemble; false with the first message in @msg (may be NULL). */
bool test_assemble(const char *text, struct test_prog *p, char *msg, size_t size);

/* Listing of a program, to be freed. */
char *test_listing(const struct test_prog *p);

/* Does the listing assemble to the same words, entry and stage? */
bool test_round_trip(const struct test_prog *p, char *msg, size_t size);

/*
 * Call @fn for each program of the PICA corpus: the data folder, and the external corpus
 * if there is one. Return: number of programs.
 */
u32 test_corpus(int argc, char **argv, void (*fn)(const char *id, const struct test_prog *p));
/* Path of a data file, from --data. */
const char *test_data(int argc, char **argv, const char *name);

#endif
