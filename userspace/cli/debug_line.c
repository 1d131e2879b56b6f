// SPDX-License-Identifier: MIT
/*
 * Lines that are typed: readline with history, completion of commands, registers, programs,
 * memory regions and names of the source.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "debug_ui.h"

#define MAX_HISTORY	1000

/* readline callbacks have no context argument */
static struct dbg *current;

/* ---- candidates ---- */

/* Completion: the word of a command's name that continues the typed text; NULL: no match. */
static char *next_word(const char *name, const char *line, size_t start, const char *prefix)
{
	char typed[64];
	size_t n;

	snprintf(typed, sizeof(typed), "%.*s", (int)start, line);
	/* The preceding words must be complete. */
	if (strncmp(name, typed, strlen(typed)))
		return NULL;
	name += strlen(typed);
	n = strcspn(name, " ");
	return strncmp(name, prefix, strlen(prefix)) ? NULL : strndup(name, n);
}

static char *complete_command(const char *line, size_t start, unsigned int n)
{
	const struct dbg_cmd *c;
	char *word, *last = NULL;

	for (c = dbg_cmd_next(NULL); c; c = dbg_cmd_next(c)) {
		word = next_word(c->name, line, start, line + start);
		if (!word)
			continue;
		if (last && !strcmp(last, word)) {
			free(word);
			continue;
		}
		free(last);
		if (!n--)
			return word;
		last = word;
	}
	free(last);
	return NULL;
}

static char *complete_register(struct dbg *d, const char *prefix, unsigned int n)
{
	char name[40] = "$";
	unsigned int i;
	uint32_t r;

	for (i = 0; i < d->num_banks; i++) {
		for (r = 0; r < d->banks[i].count; r++) {
			vshader_debug_register_name(d->banks, d->num_banks, d->banks[i].first + r,
						    name + 1, sizeof(name) - 1);
			if (!strncmp(name, prefix, strlen(prefix)) && !n--)
				return strdup(name);
		}
	}
	return NULL;
}

static char *complete_name(struct dbg *d, const char *prefix, unsigned int n)
{
	const struct dbg_code *c = d->state == DBG_STOPPED ? d->code : NULL;
	size_t len = strlen(prefix);
	struct vshader_symbol s;
	const char *name;
	uint32_t i;

	for (i = 0; c && c->bin && !vshader_binary_symbol(c->bin, c->bin_index, i, &s); i++) {
		if (!strncmp(s.name, prefix, len) && !n--)
			return strdup(s.name);
	}
	for (i = 0; c && i < c->num_files; i++) {
		if (!strncmp(c->files[i].name, prefix, len) && !n--)
			return strdup(c->files[i].name);
	}
	for (i = 0; i < d->jf->num_programs; i++) {
		name = d->jf->programs[i].name;
		if (name && !strncmp(name, prefix, len) && !n--)
			return strdup(name);
	}
	for (i = 0; i < d->jf->num_regions; i++) {
		name = d->jf->regions[i].name;
		if (name && !strncmp(name, prefix, len) && !n--)
			return strdup(name);
	}
	return NULL;
}

char *dbg_complete(struct dbg *d, const char *line, size_t start, unsigned int n)
{
	char *first = complete_command(line, start, 0);

	if (first) {
		free(first);
		return complete_command(line, start, n);
	}
	if (line[start] == '$')
		return complete_register(d, line + start, n);
	return complete_name(d, line + start, n);
}

/* ---- readline ---- */

static size_t complete_start;

static char *generate(const char *text, int state)
{
	static unsigned int n;

	n = state ? n + 1 : 0;
	return dbg_complete(current, rl_line_buffer, complete_start, n);
}

static char **complete(const char *text, int start, int end)
{
	rl_attempted_completion_over = 1;
	complete_start = (size_t)start;
	return rl_completion_matches(text, generate);
}

static char *history_path(void)
{
	const char *home = getenv("HOME"), *own = getenv("VSHADER_HISTORY");
	char *path;

	if (own)
		return strdup(own);
	return home && asprintf(&path, "%s/.vshader_history", home) >= 0 ? path : NULL;
}

void dbg_line_start(struct dbg *d)
{
	char *path = history_path();

	current = d;
	rl_readline_name = "vshader";
	rl_attempted_completion_function = complete;
	rl_basic_word_break_characters = " \t\n\"\\'`@=;|&{(,*+-/<>!~^%[]):";
	rl_special_prefixes = "$";
	using_history();
	stifle_history(MAX_HISTORY);
	if (path)
		read_history(path);
	free(path);
}

void dbg_line_end(void)
{
	char *path = history_path();

	/* a missing home directory is no error */
	if (path)
		write_history(path);
	free(path);
}

char *dbg_line_read(const char *prompt)
{
	char *line = readline(prompt);

	if (line && *line)
		add_history(line);
	return line;
}
