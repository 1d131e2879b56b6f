/* SPDX-License-Identifier: MIT */
/*
 * Midgard programs for the command line: text and verification. There is no device that
 * executes them, so this is no part of the library's interface.
 */
#ifndef VSHADER_MIDGARD_H
#define VSHADER_MIDGARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct vsh_midgard_report - report of the verifier
 * @accepted: nothing is wrong
 * @bundles: bundles that can be reached
 * @words: words of them
 * @registers: work registers
 * @flow: there are branches
 * @loop: some lead back
 * @calls: there are calls or returns
 * @reason: why it is rejected
 * @text: the reason as text
 * @quad: where
 * @field_lo: lowest bit of the field in that quad
 * @field_hi: highest one
 * @value: value of the field
 * @limit: limit for it
 */
struct vsh_midgard_report {
	bool accepted;
	uint32_t bundles;
	uint32_t words;
	uint32_t registers;
	bool flow;
	bool loop;
	bool calls;
	uint32_t reason;
	const char *text;
	uint32_t quad;
	uint32_t field_lo;
	uint32_t field_hi;
	uint32_t value;
	uint32_t limit;
};

/* Number of a GPU: "t760", "t860"; or -1. */
int vsh_midgard_gpu(const char *name);
/* Entries are quads. Return: 0 or -ENOMEM. */
int vsh_midgard_verify(const uint32_t *words, uint32_t nwords, const uint32_t *entries,
		       uint32_t nentries, int gpu, struct vsh_midgard_report *rep);

#endif /* VSHADER_MIDGARD_H */
