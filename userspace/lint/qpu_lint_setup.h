/* SPDX-License-Identifier: MIT */
/*
 * Setup words of the VPM, for qpu_lint.c only.
 */
#ifndef QPU_LINT_SETUP_H
#define QPU_LINT_SETUP_H

#include "isa/qpu/qpu_verify.h"

/**
 * struct qpu_setup - value written to a setup register
 * @word: value
 * @exact: false: an unknown number was added, such as a row
 */
struct qpu_setup {
	u32 word;
	bool exact;
};

bool qpu_lint_setup(const struct qpu_program *p, u32 pc, u32 file, struct qpu_setup *out);
u32 qpu_lint_column_words(u32 word);
u64 qpu_lint_loaded_rows(const struct qpu_setup *v);
u64 qpu_lint_read_rows(const struct qpu_setup *v);

/* Setups of file A: VPM reads, and their number of vectors; DMA loads, other than their pitch. */
static inline bool qpu_lint_is_read(u32 word)
{
	return !(word >> 30);
}

static inline u32 qpu_lint_vectors(u32 word)
{
	return word >> 20 & 15 ? word >> 20 & 15 : 16;
}

static inline bool qpu_lint_is_load(u32 word)
{
	return word >> 31 && word >> 28 != 9;
}

#endif /* QPU_LINT_SETUP_H */
