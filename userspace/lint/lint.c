// SPDX-License-Identifier: MIT
/*
 * Warnings of rules with a number as text.
 */
#include "lint.h"

#define MAX_LOGGED	64

int vs_lint_log(const struct vs_lint_rules *r, const struct vs_src *src, struct vs_log *log)
{
	struct vs_lint_warning list[MAX_LOGGED];
	struct vs_lints found = { .list = list, .max = MAX_LOGGED };
	int ret = r->lint(src, &found);
	u32 i;

	if (ret)
		return ret;
	for (i = 0; i < found.n && i < found.max; i++)
		vs_log_printf(log, "%s 0x%03x: warning: %s (%u) [%s]\n", r->place, list[i].offset,
			      r->text(list[i].code), list[i].arg, r->name(list[i].code));
	if (found.n > found.max)
		vs_log_printf(log, "%u more warnings\n", found.n - found.max);
	return (int)found.n;
}
