/* SPDX-License-Identifier: MIT */
/*
 * disasm, asm and verify of Bifrost programs, whose unit is the clause, not the word; what
 * Midgard's commands have in common with them.
 */
#ifndef VSHADER_CMD_BIFROST_H
#define VSHADER_CMD_BIFROST_H

#include "cli.h"

struct vs_as_diag;

typedef int (*mali_as_fn)(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
			  struct vs_as_diag *diag);

/* Words, or text if --form says so. Return: exit status. */
int mali_load(const char *path, const struct program_options *opt, mali_as_fn as,
	      struct program_input *in);
/* Assemble to a file. */
int mali_asm(const char *path, const char *output, const char *form, mali_as_fn as);

/* Return: exit status. @gpu: NULL is g52. */
int bifrost_disasm(const char *path, const struct program_options *opt);
int bifrost_asm(const char *path, const char *output, const char *form);
int bifrost_verify(const char *path, const struct program_options *opt, const char *gpu,
		   bool json);

#endif /* VSHADER_CMD_BIFROST_H */
