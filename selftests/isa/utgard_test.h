/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the tests of Utgard text and verification. */
#ifndef SELFTESTS_UTGARD_TEST_H
#define SELFTESTS_UTGARD_TEST_H

#include "utgard_disasm.h"
#include "text_test.h"

/* Random instructions; @defined: mostly such that have a meaning. */
void ugp_test_insn(struct ugp_insn *insn, bool defined);
void upp_test_insn(struct upp_insn *insn, bool defined);
/* A form that bits of a field have: any bits of a part that does not choose it. */
void upp_test_part(enum upp_form form, union upp_part *part);
/* Put instructions together, with the hints that follow. Return: words. */
u32 upp_test_program(struct upp_insn *insns, u32 n, u32 *words);

/* Listing of words, to be freed. */
char *ut_test_listing(bool pixel, const u32 *words, u32 nwords);
/* Assemble; false with the first message in @msg. To be freed: @words. */
bool ut_test_assemble(bool pixel, const char *text, u32 **words, u32 *nwords, char *msg,
		      size_t size);
/* Does the listing assemble to the same words? */
bool ut_test_round_trip(bool pixel, const u32 *words, u32 nwords, char *msg, size_t size);

/* A program of the corpus; @listing: the text stored beside it, or NULL. */
struct ut_test_file {
	const char *name;
	bool pixel;
	const u32 *words;
	u32 nwords;
	const char *listing;
};

/* Call @fn for each Utgard program of the external corpus. Return: number of programs. */
u32 ut_test_corpus(int argc, char **argv, void (*fn)(const struct ut_test_file *f));

#endif
