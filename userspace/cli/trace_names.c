// SPDX-License-Identifier: MIT
/*
 * Names of registers in the text of instructions: mostly a debugger's, in small letters.
 * Utgard's listings have "$3" for register 3, "t[5]" for row 5, "^n" for the result that unit
 * n modulo 6 had in instruction n / 6.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_names.h"
#include "vshader_drm.h"

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

static const char *skip_word(const char *p)
{
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	return p;
}

/* A word, and a number in brackets behind it. */
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
	bool utgard = engine == DRM_VSHADER_ENGINE_UTGARD_GP ||
		      engine == DRM_VSHADER_ENGINE_UTGARD_PP;
	const char *p = *text;
	char *end;

	while (*p) {
		if (utgard && *p == '$' && isdigit((unsigned char)p[1])) {
			snprintf(name, size, "r%lu", strtoul(p + 1, &end, 10));
			*text = end;
			return true;
		}
		if (utgard && *p == '^' && isdigit((unsigned char)p[1])) {
			unsigned long n = strtoul(p + 1, &end, 10);

			p = end;
			if (!result_name(n, pc, name, size))
				continue;
			*text = p;
			return true;
		}
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
