// SPDX-License-Identifier: MIT
/*
 * Names of registers in the text of instructions: mostly a debugger's, in small letters;
 * "t[5]" is row 5.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_names.h"
#include "cli_isa.h"

static const char *skip_word(const char *p)
{
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	return p;
}

/* A word, optionally followed by a number in brackets. */
static const char *take_word(const char *p, char *name, size_t size)
{
	const char *end = skip_word(p);
	size_t n = 0;
	char *after;

	for (; p < end && n + 1 < size; p++)
		name[n++] = (char)tolower((unsigned char)*p);
	name[n] = 0;
	if (*end == '[' && isdigit((unsigned char)end[1]))
		snprintf(name + n, size - n, "%lu", strtoul(end + 1, &after, 10));
	return end;
}

bool trace_next_name(const char **text, uint32_t engine, uint32_t pc, char *name, size_t size)
{
	const struct cli_isa *isa = cli_isa_of(engine);
	const char *p = *text;
	int taken;

	while (*p) {
		taken = isa->next_name ? isa->next_name(&p, pc, name, size) : 0;
		if (taken > 0) {
			*text = p;
			return true;
		}
		if (taken)
			continue;
		/* "mov.a0" is no register */
		if (*p == '.') {
			p = skip_word(p + 1);
			continue;
		}
		if (isalpha((unsigned char)*p)) {
			*text = take_word(p, name, size);
			return true;
		}
		/* 0x10, 1e5 */
		p = isdigit((unsigned char)*p) ? skip_word(p) : p + 1;
	}
	*text = p;
	return false;
}
