/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Utgard pixel programs: what the parts of verification share.
 */
#ifndef UTGARD_PP_CHECK_H
#define UTGARD_PP_CHECK_H

#include "utgard_pp.h"

/*
 * Has an instruction a known meaning? What it uses is added to @check and @rep; targets of
 * branches are not looked at.
 *
 * Return: 0; -ENOEXEC with the reason in @check, its offset left 0.
 */
int upp_check_insn(const struct upp_insn *insn, struct upp_check *check, struct vs_report *rep);

/**
 * struct upp_walk - Instructions of a program that are reached.
 * @words:	program
 * @nwords:	its size
 * @places:	words where instructions begin
 * @check:	what is found
 * @rep:	what is used
 */
struct upp_walk {
	const u32 *words;
	u32 nwords;
	struct vs_todo places;
	struct upp_check *check;
	struct vs_report *rep;
};

#define UPP_VISIT	32U	/* an instruction takes as long as so many visits of micro-ops */

/* upp_verify() in pieces. @places: vs_todo_words(nwords) zeros. Return: 0 or -ENOEXEC. */
int upp_walk_begin(struct upp_walk *w, const struct vs_src *src, struct upp_check *check,
		   struct vs_report *rep, u64 *places);
/* Return: -EAGAIN: no visits are left, or as upp_verify(). */
int upp_walk_step(struct upp_walk *w, u32 *left);

#endif /* UTGARD_PP_CHECK_H */
