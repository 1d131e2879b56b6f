/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the tests of Midgard text and verification. */
#ifndef SELFTESTS_MIDGARD_TEST_H
#define SELFTESTS_MIDGARD_TEST_H

#include "midgard_disasm.h"
#include "text_test.h"

u64 mg_test_rand64(void);
/* Random operation for a unit that has a meaning as the last one of @b, and is added to it. */
void mg_test_add_alu(struct mg_bundle *b, u32 unit, int op);
/* Random operation, @op or any if it is -1, that has a meaning. */
void mg_test_ldst(struct mg_bundle *b, u32 slot, int op);
void mg_test_tex(struct mg_bundle *b, int op);
/* Random bundle; @defined: all of it has a meaning. */
void mg_test_bundle(struct mg_bundle *b, bool defined);

/* Listing of words, to be freed. */
char *mg_test_listing(const u32 *words, u32 nwords);
/* Assemble; false with the first message in @msg. To be freed: @words. */
bool mg_test_assemble(const char *text, u32 **words, u32 *nwords, char *msg, size_t size);
/* Does the listing assemble to the same words? */
bool mg_test_round_trip(const u32 *words, u32 nwords, char *msg, size_t size);

/* A binary of the corpus; @listing: the text stored beside it. */
struct mg_test_file {
	const char *name;
	enum mg_gpu gpu;
	const u32 *words;
	u32 nwords;
	const char *listing;
};

/* Call @fn for each Midgard binary of the external corpus. Return: number of binaries. */
u32 mg_test_corpus(int argc, char **argv, void (*fn)(const struct mg_test_file *f));

#endif
