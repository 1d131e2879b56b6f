/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Utgard pixel programs: interfaces between the parts of verification.
 */
#ifndef UTGARD_PP_CHECK_H
#define UTGARD_PP_CHECK_H

#include "utgard_pp.h"

/*
 * Check that an instruction is defined, and add its resources to @check and @rep. Branch
 * targets are not checked.
 *
 * Return: 0; -ENOEXEC with the reason in @check, its offset left 0.
 */
int upp_check_insn(const struct upp_insn *insn, struct upp_check *check, struct vs_report *rep);

/**
 * struct upp_walk - traversal of the reachable instructions
 * @words:	program
 * @nwords:	its size
 * @places:	words where instructions begin
 * @check:	results
 * @rep:	features used
 */
struct upp_walk {
	const u32 *words;
	u32 nwords;
	struct vs_todo places;
	struct upp_check *check;
	struct vs_report *rep;
};

#define UPP_VISIT	32U	/* cost of an instruction, in visits of micro-ops */

/* Incremental upp_verify(). @places: vs_todo_words(nwords) zeros. Return: 0 or -ENOEXEC. */
int upp_walk_begin(struct upp_walk *w, const struct vs_src *src, struct upp_check *check,
		   struct vs_report *rep, u64 *places);
/* Return: -EAGAIN if the visits are used up, else as upp_verify(). */
int upp_walk_step(struct upp_walk *w, u32 *left);

#endif /* UTGARD_PP_CHECK_H */
