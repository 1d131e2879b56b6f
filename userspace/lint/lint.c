// SPDX-License-Identifier: MIT
/*
 * The table of lints, and warnings of rules with a number as text.
 */
#include "lint.h"
#include "pica_lint.h"
#include "qpu_lint.h"

#define MAX_LOGGED	64

/**
 * struct rules - the rules of an instruction set
 * @lint: look at a program
 * @name: of a rule
 * @text: of a warning
 * @place: word for the offset of a warning
 */
struct rules {
	int (*lint)(const struct vs_src *src, struct vs_lints *found);
	const char *(*name)(u32 code);
	const char *(*text)(u32 code);
	const char *place;
};

static int log_rules(const struct rules *r, const struct vs_src *src, struct vs_log *log)
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

static int pica_log(const struct vs_src *src, struct vs_log *log)
{
	static const struct rules r = { pica_lint, pica_lint_name, pica_lint_text, "word" };

	return log_rules(&r, src, log);
}

static int qpu_log(const struct vs_src *src, struct vs_log *log)
{
	static const struct rules r = { qpu_lint, qpu_lint_name, qpu_lint_text, "instruction" };

	return log_rules(&r, src, log);
}

int vs_lint(const struct vs_isa *isa, const struct vs_src *src, struct vs_log *log)
{
	static int (* const lints[VS_MAX_ISAS])(const struct vs_src *src, struct vs_log *log) = {
		[VS_ISA_PICA] = pica_log,
		[VS_ISA_QPU] = qpu_log,
		[VS_ISA_BIFROST] = bi_lint,
		[VS_ISA_UTGARD_GP] = ugp_lint,
		[VS_ISA_UTGARD_PP] = upp_lint,
	};

	return lints[isa->id] ? lints[isa->id](src, log) : 0;
}
