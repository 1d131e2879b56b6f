/* SPDX-License-Identifier: MIT */
/*
 * disasm, asm and verify of Bifrost programs, whose unit is the clause, not the word.
 */
#ifndef VSHADER_CMD_BIFROST_H
#define VSHADER_CMD_BIFROST_H

#include "cli.h"

/* Return: exit status. @gpu: NULL is g52. */
int bifrost_disasm(const char *path, const struct program_options *opt);
int bifrost_asm(const char *path, const char *output, const char *form);
int bifrost_verify(const char *path, const struct program_options *opt, const char *gpu,
		   bool json);

#endif /* VSHADER_CMD_BIFROST_H */
