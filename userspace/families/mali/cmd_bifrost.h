/* SPDX-License-Identifier: MIT */
/*
 * disasm, asm and verify of Bifrost programs, whose unit is the clause, not the word, and
 * the parts that Midgard's commands share.
 */
#ifndef VSHADER_CMD_BIFROST_H
#define VSHADER_CMD_BIFROST_H

#include "cli_isa.h"

/* Words, or text with --form. Return: exit status. */
int mali_load(const char *path, const struct program_options *opt, struct program_input *in);
int mali_disasm(const char *path, const struct asm_options *opt);
/* cmd_units.c: print a program by clause or bundle, words beside the lines of its listing. */
int mali_print_units(const struct vshader_source *src, const char *listing, bool json);

/* As of struct cli_isa. */
int bifrost_disasm(const char *path, const struct asm_options *opt);
int mali_asm(const char *path, const struct asm_options *opt);
int bifrost_verify(const char *path, const struct asm_options *opt);

#endif /* VSHADER_CMD_BIFROST_H */
