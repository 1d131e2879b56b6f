/* SPDX-License-Identifier: MIT */
/*
 * QPU programs as text.
 */
#ifndef QPU_DISASM_H
#define QPU_DISASM_H

#include "isa/qpu/qpu_verify.h"

/* Room that the text of any instruction fits in. */
#define QPU_MAX_TEXT	256

int qpu_disasm_label(u64 word, s64 label, char *buf, size_t size);
int qpu_disasm_word(u64 word, char *buf, size_t size);
int qpu_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size);
int qpu_listing(const struct vs_src *src, char *buf, size_t size);

#endif /* QPU_DISASM_H */
