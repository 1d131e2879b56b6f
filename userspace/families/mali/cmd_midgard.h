/* SPDX-License-Identifier: MIT */
/*
 * disasm, asm and verify of Midgard programs, whose unit is the bundle, not the word.
 */
#ifndef VSHADER_CMD_MIDGARD_H
#define VSHADER_CMD_MIDGARD_H

#include "cli_isa.h"

/* As of struct cli_isa. */
int midgard_disasm(const char *path, const struct asm_options *opt);
int midgard_verify(const char *path, const struct asm_options *opt);

#endif /* VSHADER_CMD_MIDGARD_H */
