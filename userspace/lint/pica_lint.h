/* SPDX-License-Identifier: MIT */
#ifndef PICA_LINT_H
#define PICA_LINT_H

#include "lint.h"

/** enum pica_lint_code - warnings about valid programs */
enum pica_lint_code {
	PICA_LINT_MOVA_ADJACENT,
	PICA_LINT_TWO_INPUTS,
	PICA_LINT_OUT_TWICE,
	PICA_LINT_OUT_UNWRITTEN,
	PICA_LINT_OUT_HIGH,
	PICA_LINT_NO_END,
	PICA_LINT_FLOW_LAST,
	PICA_LINT_SAME_END,
	PICA_LINT_EMPTY_BLOCK,
	PICA_LINT_BACKWARD,
	PICA_LINT_BREAK_NO_LOOP,
	PICA_LINT_BREAK_IN_IF,
	PICA_LINT_IF_DEPTH,
	PICA_LINT_LOOP_DEPTH,
	PICA_LINT_CALL_DEPTH,
	PICA_LINT_VERTEX_SIZE,
	PICA_NUM_LINTS
};

/* Look at a program that pica_check() accepts. Return: 0 or -ENOMEM. */
int pica_lint(const struct vs_src *src, struct vs_lints *found);
const char *pica_lint_name(u32 code);
const char *pica_lint_text(u32 code);
bool pica_lint_show(u32 code, u32 arg, char *buf, size_t size);

#endif /* PICA_LINT_H */
