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

#endif /* UTGARD_PP_CHECK_H */
