// SPDX-License-Identifier: MIT
/*
 * Bifrost and Midgard on the command line.
 */
#include <stdio.h>
#include <string.h>

#include "bench_mali.h"
#include "cmd_bifrost.h"
#include "cmd_midgard.h"

static bool find_clause(const char *line, uint32_t *n)
{
	int len = 0;

	return sscanf(line, "clause_%u:%n", n, &len) == 1 && len;
}

static bool find_bundle(const char *line, uint32_t *n)
{
	return sscanf(line, "# quad %u", n) == 1;
}

static const char * const bifrost_names[] = { "mali", "g31", "g51", "g52", "g71", "g72", "g76",
						NULL };
static const char * const midgard_names[] = { "mali", "t604", "t720", "t760", "t820", "t860",
						"t880", NULL };

/* "*A, +B; *C, +D": a clause's tuples; a NOP fills the place of a unit. */
static bool next_operation(const char **text, char *part, size_t size)
{
	const char *p = *text, *end;

	do {
		if (!*p)
			return false;
		for (end = p; *end && *end != ';' && strncmp(end, ", +", 3); end++)
			;
		snprintf(part, size, "%.*s", (int)(end - p), p);
		p = *end ? end + 2 : end;
	} while (!strncmp(part + 1, "NOP", 3));
	*text = p;
	return true;
}

const struct cli_isa cli_bifrost_isa = {
	.names = bifrost_names,
	.gpus = "bifrost: g52 (default), g31, g72, g71",
	.disasm = bifrost_disasm,
	.assemble = mali_asm,
	.verify = bifrost_verify,
	.find_insn = find_clause,
	.next_part = next_operation,
	.bench = &bench_mali,
};

const struct cli_isa cli_midgard_isa = {
	.names = midgard_names,
	.gpus = "midgard: t860 (default), t760",
	.disasm = midgard_disasm,
	.assemble = mali_asm,
	.verify = midgard_verify,
	.find_insn = find_bundle,
	.separator = "; ",
	.bench = &bench_mali,
};
