/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef VS_PICA_LINT_H
#define VS_PICA_LINT_H

#include "pica_walk.h"

int pica_lint(struct pica_walk *w, const struct vs_report *rep, struct pica_info *info);

#endif /* VS_PICA_LINT_H */
