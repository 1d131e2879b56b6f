/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the tests of disassemblers, assemblers and their corpora. */
#ifndef SELFTESTS_TEXT_TEST_H
#define SELFTESTS_TEXT_TEST_H

#include "isa_test.h"

/* The two directions of an instruction set. */
struct text_isa {
	int (*listing)(const u32 *words, u32 nwords, char *buf, size_t size);
	int (*as)(const char *text, size_t len, u32 **words, u32 *nwords,
		  struct vs_as_debug *debug, struct vs_as_diag *diag);
};

/* Listing of words, to be freed. */
char *text_test_listing(const struct text_isa *isa, const u32 *words, u32 nwords);
/* Assemble; false with the first message in @msg. To be freed: @words. */
bool text_test_assemble(const struct text_isa *isa, const char *text, u32 **words, u32 *nwords,
			char *msg, size_t size);
/* Does the listing assemble to the same words? */
bool text_test_round_trip(const struct text_isa *isa, const u32 *words, u32 nwords, char *msg,
			  size_t size);

/* Contents of a file, to be freed; NULL: it cannot be read. */
char *text_test_read(const char *path);
/* Read the words of a file of hexadecimal numbers. Return: number of words. */
u32 text_test_words(const char *path, u32 *words, u32 max);

/* A Mali binary of the corpus; @text: stored disassembly, @listing: its last part. */
struct mali_test_file {
	const char *name;
	const u32 *words;
	u32 nwords;
	const char *text;
	const char *listing;
};

typedef void (*mali_test_fn)(const struct mali_test_file *f, void *ctx);

/* Call @fn for each binary in a folder of the external corpus. Return: number of binaries. */
u32 mali_test_corpus(int argc, char **argv, const char *folder, mali_test_fn fn, void *ctx);

#endif
