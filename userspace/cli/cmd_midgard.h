/* SPDX-License-Identifier: MIT */
/*
 * disasm, asm and verify of Midgard programs, whose unit is the bundle, not the word.
 */
#ifndef VSHADER_CMD_MIDGARD_H
#define VSHADER_CMD_MIDGARD_H

#include "cli.h"

/* Return: exit status. @gpu: NULL is t860. */
int midgard_disasm(const char *path, const struct program_options *opt);
int midgard_asm(const char *path, const char *output, const char *form);
int midgard_verify(const char *path, const struct program_options *opt, const char *gpu,
		   bool json);

#endif /* VSHADER_CMD_MIDGARD_H */
