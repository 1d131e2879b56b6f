// SPDX-License-Identifier: MIT
/*
 * Lines and names that assemblers keep for debuggers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vs_as.h"

/* Room for one more element; arrays double whenever they are a power of two. */
static int grow(void **array, uint32_t n, size_t size)
{
	void *more;

	if (n & (n - 1))
		return 0;
	more = realloc(*array, (n ? 2 * (size_t)n : 1) * size);
	if (!more)
		return -ENOMEM;
	*array = more;
	return 0;
}

int vs_as_add_line(struct vs_as_debug *g, uint32_t word, uint32_t file, uint32_t line,
		   uint32_t last)
{
	if (!g)
		return 0;
	if (grow((void **)&g->lines, g->nlines, sizeof(*g->lines)))
		return -ENOMEM;
	g->lines[g->nlines++] = (struct vs_as_line){ word, file, line, last };
	return 0;
}

int vs_as_add_label(struct vs_as_debug *g, const char *name, size_t len, uint32_t word)
{
	char *copy;

	if (!g)
		return 0;
	if (grow((void **)&g->labels, g->nlabels, sizeof(*g->labels)))
		return -ENOMEM;
	copy = strndup(name, len);
	if (!copy)
		return -ENOMEM;
	g->labels[g->nlabels++] = (struct vs_as_label){ copy, word };
	return 0;
}

int vs_as_add_name(struct vs_as_debug *g, const char *name, size_t len, const char *value,
		   uint32_t count)
{
	struct vs_as_name n = { .count = count };

	if (!g)
		return 0;
	if (grow((void **)&g->names, g->nnames, sizeof(*g->names)))
		return -ENOMEM;
	n.name = strndup(name, len);
	n.value = strdup(value);
	if (!n.name || !n.value) {
		free(n.name);
		free(n.value);
		return -ENOMEM;
	}
	g->names[g->nnames++] = n;
	return 0;
}

void vs_as_debug_free(struct vs_as_debug *g)
{
	uint32_t i;

	for (i = 0; i < g->nlabels; i++)
		free(g->labels[i].name);
	for (i = 0; i < g->nnames; i++) {
		free(g->names[i].name);
		free(g->names[i].value);
	}
	free(g->labels);
	free(g->names);
	free(g->lines);
	memset(g, 0, sizeof(*g));
}
