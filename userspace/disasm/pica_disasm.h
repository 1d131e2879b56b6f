/* SPDX-License-Identifier: MIT */
/*
 * PICA200 programs as text.
 */
#ifndef PICA_DISASM_H
#define PICA_DISASM_H

#include "pica_encode.h"

/* Bounded text output, snprintf-like: @len is the length without the bound. */
struct pica_text {
	char *buf;
	size_t size;
	size_t len;
};

void pica_text_init(struct pica_text *t, char *buf, size_t size);
void pica_text_str(struct pica_text *t, const char *s);
void pica_text_char(struct pica_text *t, char c);
void pica_text_dec(struct pica_text *t, u32 v);
void pica_text_hex(struct pica_text *t, u32 v, unsigned int digits);

/* Room that the text of any instruction fits in. */
#define PICA_MAX_TEXT		96

/* Options for pica_disasm_insn() */
#define PICA_DIS_LABELS		BIT(0)	/* targets as labels, "L012" */

int pica_disasm_insn(const struct pica_program *prog, u32 word, u32 flags,
		     char *buf, size_t size);
int pica_listing(const struct pica_program *prog, char *buf, size_t size);
bool pica_desc_is_implied(const struct pica_program *prog, const struct pica_insn *insn);
int pica_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size);

#endif /* PICA_DISASM_H */
