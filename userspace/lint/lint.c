// SPDX-License-Identifier: MIT
/*
 * Warnings of rules with a number as text.
 */
#include <stdlib.h>
#include <string.h>

#include "lint.h"

#define MAX_LOGGED	64

int vs_lint_log(const struct vs_lint_rules *r, const struct vs_src *src, struct vs_log *log)
{
	struct vs_lint_warning list[MAX_LOGGED];
	struct vs_lints found = { .list = list, .max = MAX_LOGGED };
	const char *which = getenv("VSHADER_LINT");
	char arg[16];
	int ret;
	u32 i;

	found.all = which && !strcmp(which, "all");
	ret = r->lint(src, &found);
	if (ret)
		return ret;
	for (i = 0; i < found.n && i < found.max; i++) {
		if (!r->show || !r->show(list[i].code, list[i].arg, arg, sizeof(arg)))
			snprintf(arg, sizeof(arg), "%u", list[i].arg);
		vs_log_printf(log, "%s 0x%03x: warning: %s (%s) [%s]\n", r->place, list[i].offset,
			      r->text(list[i].code), arg, r->name(list[i].code));
	}
	if (found.n > found.max)
		vs_log_printf(log, "%u more warnings\n", found.n - found.max);
	return (int)found.n;
}
