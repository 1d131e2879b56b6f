// SPDX-License-Identifier: MIT
/*
 * Utgard on the command line. Listings have "$3" for register 3 and "^n" for the result that
 * unit n modulo 6 had in instruction n / 6.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_utgard.h"
#include "cmd_utgard.h"
#include "mbs1.h"

#define UNITS	6

/* Return: false: it is no result that can be seen any more. */
static bool result_name(unsigned long n, uint32_t pc, char *name, size_t size)
{
	static const char * const units[UNITS] = {
		"acc0", "acc1", "mul0", "mul1", "pass", "complex"
	};
	unsigned long back = pc - n / UNITS;

	if (back != 1 && back != 2)
		return false;
	snprintf(name, size, "%s%s", back == 2 ? "old_" : "", units[n % UNITS]);
	return true;
}

static int next_name(const char **text, uint32_t pc, char *name, size_t size)
{
	const char *p = *text;
	unsigned long n;
	char *end;

	if ((*p != '$' && *p != '^') || !isdigit((unsigned char)p[1]))
		return 0;
	n = strtoul(p + 1, &end, 10);
	*text = end;
	if (*p == '^')
		return result_name(n, pc, name, size) ? 1 : -1;
	snprintf(name, size, "r%lu", n);
	return 1;
}

static bool find_gp(const char *line, uint32_t *n)
{
	int len = 0;

	return sscanf(line, "%u:%n", n, &len) == 1 && len && line[len] == '\t';
}

static bool find_pp(const char *line, uint32_t *n)
{
	int len = 0;

	return sscanf(line, "@ %u:%n", n, &len) == 1 && len;
}

/* A damaged container is that of the first: it says what is wrong. */
static bool owns(const uint8_t *data, size_t len, uint32_t stage)
{
	struct vs_mbs1 *mbs;
	struct vs_error err;
	bool has;

	if (len < 4 || memcmp(data, "MBS1", 4))
		return false;
	if (vs_mbs1_parse(data, len, &mbs, &err))
		return stage == VS_MBS1_VERTEX;
	has = vs_mbs1_find(mbs, stage, 0);
	vs_mbs1_free(mbs);
	return has;
}

static bool owns_gp(const uint8_t *data, size_t len)
{
	return owns(data, len, VS_MBS1_VERTEX);
}

static bool owns_pp(const uint8_t *data, size_t len)
{
	return owns(data, len, VS_MBS1_FRAGMENT);
}

static const char * const names[] = { "mali", "utgard", "lima", "mali200", "mali300", "mali400",
				      "mali450", "200", "300", "400", "450", NULL };

const struct cli_isa cli_utgard_gp_isa = {
	.names = names,
	.owns = owns_gp,
	.container = "mbs1~(utgard-gp,~utgard-pp)",
	.disasm = utgard_disasm,
	.assemble = utgard_asm,
	.verify = utgard_verify,
	.find_insn = find_gp,
	.next_name = next_name,
	.bench = &bench_utgard,
};

const struct cli_isa cli_utgard_pp_isa = {
	.names = names,
	.owns = owns_pp,
	.disasm = utgard_disasm,
	.assemble = utgard_asm,
	.verify = utgard_verify,
	.find_insn = find_pp,
	.separator = ", ",
	.next_name = next_name,
	.bench = &bench_utgard,
};
