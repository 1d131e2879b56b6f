// SPDX-License-Identifier: MIT
/*
 * Colours by meaning.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "color.h"

const struct color_style color_styles[NUM_COLORS] = {
	[COLOR_STATUS] = { 0, 6 },
	[COLOR_CURRENT] = { 0, 2 },
	[COLOR_CHANGED] = { 3, -1, true },
	[COLOR_BREAK] = { 1, -1 },
	[COLOR_WAIT] = { 4, -1 },
	[COLOR_HEAD] = { 6, -1 },
	[COLOR_GOOD] = { 2, -1 },
	[COLOR_BAD] = { 1, -1, true },
};

static enum { AUTO, ALWAYS, NEVER } mode;

bool color_choose(const char *when)
{
	if (when && !strcmp(when, "auto"))
		mode = AUTO;
	else if (when && !strcmp(when, "never"))
		mode = NEVER;
	else if (!when || !strcmp(when, "always"))
		mode = ALWAYS;
	else
		return false;
	return true;
}

bool color_on(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (mode != AUTO)
		return mode == ALWAYS;
	return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb");
}

const char *color_begin(enum color c)
{
	static char text[NUM_COLORS][24];
	const struct color_style *s = &color_styles[c];
	size_t n;

	if (!color_on())
		return "";
	n = (size_t)snprintf(text[c], sizeof(text[c]), "\033[%s%d", s->bold ? "1;" : "",
			     30 + s->fg);
	if (s->bg >= 0)
		n += (size_t)snprintf(text[c] + n, sizeof(text[c]) - n, ";%d", 40 + s->bg);
	snprintf(text[c] + n, sizeof(text[c]) - n, "m");
	return text[c];
}

const char *color_end(void)
{
	return color_on() ? "\033[0m" : "";
}
