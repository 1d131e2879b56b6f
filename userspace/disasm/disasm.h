/* SPDX-License-Identifier: MIT */
/*
 * Disassemblers: programs as text that the assembler accepts.
 */
#ifndef VS_DISASM_H
#define VS_DISASM_H

#include "isa/isa.h"

/**
 * struct vs_text - text buffer, snprintf-like
 * @buf:	text, may be NULL
 * @size:	bytes at @buf
 * @len:	characters of the text, also those beyond @size
 */
struct vs_text {
	char *buf;
	size_t size;
	size_t len;
};

void __printf(2, 3) vs_put(struct vs_text *t, const char *fmt, ...);

/**
 * struct vs_disasm - disassembler of an instruction set
 * @insn:	text of one instruction in one line, without newline. Return: its length,
 *		-ENOEXEC with the text "?" for undefined words, -EINVAL, -ENOMEM
 * @listing:	text of a program, which need not be valid. Return: length of the whole text,
 *		also if it did not fit; -E2BIG, -EINVAL, -ENOMEM
 */
struct vs_disasm {
	int (*insn)(const struct vs_src *src, u32 offset, char *buf, size_t size);
	int (*listing)(const struct vs_src *src, char *buf, size_t size);
};

const struct vs_disasm *vs_disasm_of(const struct vs_isa *isa);

#endif /* VS_DISASM_H */
