/* SPDX-License-Identifier: MIT */
/*
 * disasm, asm and verify of Utgard programs: words, text or MBS1 containers.
 */
#ifndef VSHADER_CMD_UTGARD_H
#define VSHADER_CMD_UTGARD_H

#include "cli_isa.h"

/* As of struct cli_isa. */
int utgard_disasm(const char *path, const struct asm_options *opt);
int utgard_asm(const char *path, const struct asm_options *opt);
int utgard_verify(const char *path, const struct asm_options *opt);

#endif /* VSHADER_CMD_UTGARD_H */
