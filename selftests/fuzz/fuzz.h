/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared parts of the fuzzers: a reader for the input's bytes, and checks that abort the
 * run.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold whatever the input. */
#define MUST(cond) do {								\
	if (!(cond)) {								\
		fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond);	\
		abort();							\
	}									\
} while (0)

/* Bytes of the input; zeros past its end. */
struct fuzz_in {
	const uint8_t *p;
	size_t left;
};

static inline uint8_t fuzz_u8(struct fuzz_in *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

static inline uint16_t fuzz_u16(struct fuzz_in *in)
{
	uint16_t low = fuzz_u8(in);

	return low | fuzz_u8(in) << 8;
}

/* Remaining whole words, at most @max. */
static inline uint32_t fuzz_words(struct fuzz_in *in, uint32_t *w, uint32_t max)
{
	uint32_t n = in->left / 4 < max ? in->left / 4 : max;

	memcpy(w, in->p, 4 * n);
	in->p += 4 * n;
	in->left -= 4 * n;
	return n;
}

/* Numbers to fill memory with, depending on the input only. */
static inline uint32_t fuzz_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed ^ *seed >> 15;
}

#endif
