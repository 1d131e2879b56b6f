/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the tests of Bifrost text and verification. */
#ifndef SELFTESTS_BIFROST_TEST_H
#define SELFTESTS_BIFROST_TEST_H

#include "bifrost_disasm.h"
#include "text_test.h"

u64 bi_test_rand64(void);
/* Random bits that are an operation of the unit. */
u32 bi_test_op(enum bi_unit unit);
/* Random clause; @defined: its parts have a meaning. */
void bi_test_clause(struct bi_clause *c, bool defined);

/* Listing of words, to be freed. */
char *bi_test_listing(const u32 *words, u32 nwords);
/* Assemble; false with the first message in @msg. To be freed: @words. */
bool bi_test_assemble(const char *text, u32 **words, u32 *nwords, char *msg, size_t size);
/* Does the listing assemble to the same words? */
bool bi_test_round_trip(const u32 *words, u32 nwords, char *msg, size_t size);

/*
 * A binary of the corpus; @listing: the text stored beside it; @second: quad where its second
 * program starts, 0 if it has none.
 */
struct bi_test_file {
	const char *name;
	enum bi_gpu gpu;
	const u32 *words;
	u32 nwords;
	const char *listing;
	u32 second;
};

/* Call @fn for each Bifrost binary of the external corpus. Return: number of binaries. */
u32 bi_test_corpus(int argc, char **argv, void (*fn)(const struct bi_test_file *f));

#endif
