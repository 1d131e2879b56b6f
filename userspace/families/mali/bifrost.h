/* SPDX-License-Identifier: MIT */
/*
 * Bifrost programs for the command line: text and verification. There is no device that
 * executes them, so this is no part of the library's interface.
 */
#ifndef VSHADER_BIFROST_H
#define VSHADER_BIFROST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct vsh_bifrost_report - report of the verifier
 * @accepted: nothing is wrong
 * @clauses: clauses that can be reached
 * @words: words of them
 * @flow: there are branches
 * @loop: some lead back
 * @indirect: jumps through registers, or blend operations
 * @reason: why it is rejected
 * @text: the reason as text
 * @quad: where
 * @value: value of the field
 * @limit: limit for it
 */
struct vsh_bifrost_report {
	bool accepted;
	uint32_t clauses;
	uint32_t words;
	bool flow;
	bool loop;
	bool indirect;
	uint32_t reason;
	const char *text;
	uint32_t quad;
	uint32_t value;
	uint32_t limit;
};

/* Number of a GPU: "g71", "g72", "g31", "g52"; or -1. */
int vsh_bifrost_gpu(const char *name);
/* Return: 0 or -ENOMEM. */
int vsh_bifrost_verify(const uint32_t *words, uint32_t nwords, const uint32_t *entries,
		       uint32_t nentries, int gpu, struct vsh_bifrost_report *rep);

#endif /* VSHADER_BIFROST_H */
