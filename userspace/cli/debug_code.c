// SPDX-License-Identifier: MIT
/*
 * Instructions and listing of a program. The listing says where instructions are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "debug_code.h"
#include "jobfile_isa.h"
#include "jobfile_json.h"

#define MAX_TEXT	1024

/* Does a line of a listing mark an instruction? @n: its number. */
static bool find_mark(uint32_t engine, const char *line, uint32_t *n)
{
	const struct cli_isa *isa = cli_isa_of(engine);
	const char *mark;
	int len = 0;

	if (isa->find_insn)
		return isa->find_insn(line, n);
	mark = strrchr(line, isa->comment);
	return *line == '\t' && mark && sscanf(mark + 1, " %x%n", n, &len) == 1 && !mark[1 + len];
}

static int split_lines(struct dbg_text *t)
{
	uint32_t n = 0;
	char *p, *next;

	for (p = t->text; *p; p++)
		n += *p == '\n';
	t->lines = calloc(n + 1, sizeof(*t->lines));
	if (!t->lines)
		return -ENOMEM;
	for (p = t->text; *p; p = next) {
		next = strchrnul(p, '\n');
		if (next > p && next[-1] == '\r')
			next[-1] = 0;
		if (*next)
			*next++ = 0;
		/* shown on terminals */
		jf_mask(p);
		t->lines[t->num_lines++] = p;
	}
	return 0;
}

int dbg_text_init(struct dbg_text *t, const char *name, const char *text)
{
	*t = (struct dbg_text){ .name = strdup(name), .text = strdup(text) };
	return t->name && t->text ? split_lines(t) : -ENOMEM;
}

static void free_text(struct dbg_text *t)
{
	free(t->name);
	free(t->path);
	free(t->text);
	free(t->lines);
}

static int add_insn(struct dbg_code *c, uint32_t n, uint32_t line)
{
	struct dbg_insn *i = &c->insns[c->num_insns];
	char text[MAX_TEXT] = "?";

	vshader_disasm_word(&c->src, n, text, sizeof(text));
	i->text = strdup(text);
	if (!i->text)
		return -1;
	i->pc = c->base + n * jf_pc_unit(c->src.engine);
	i->line = line;
	c->num_insns++;
	return 0;
}

static int find_insns(struct dbg_code *c)
{
	uint32_t i, n, total, unit = jf_pc_unit(c->src.engine);

	total = c->src.num_words[DRM_VSHADER_SECTION_CODE] / jf_insn_words(c->src.engine);
	c->insns = calloc(total + 1, sizeof(*c->insns));
	if (!c->insns)
		return -1;
	for (i = 0; i < c->listing.num_lines && c->num_insns < total; i++) {
		if (find_mark(c->src.engine, c->listing.lines[i], &n) && n < total &&
		    add_insn(c, n, i + 1))
			return -1;
	}
	for (i = 0; i < c->num_insns; i++)
		c->insns[i].size = (i + 1 < c->num_insns ? c->insns[i + 1].pc :
				    c->base + total * unit) - c->insns[i].pc;
	return 0;
}

/* As "vshader disasm" prints it: a container's directives come first. */
static int make_listing(struct dbg_code *c)
{
	char *first = NULL, *text;

	if (vshader_disasm(&c->src, &text))
		return -1;
	if (c->bin && !vshader_binary_directives(c->bin, c->bin_index, &first)) {
		if (asprintf(&c->listing.text, "%s%s", first, text) < 0)
			c->listing.text = NULL;
		free(first);
		free(text);
	} else {
		c->listing.text = text;
	}
	return c->listing.text ? split_lines(&c->listing) : -ENOMEM;
}

struct dbg_code *dbg_code_new(const char *name, const struct vshader_source *src,
			      const struct vshader_binary *bin, uint32_t index, uint32_t base)
{
	struct dbg_code *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->name = strdup(name);
	c->src = *src;
	c->base = base;
	c->bin = bin;
	c->bin_index = index;
	if (!c->name || make_listing(c) || find_insns(c)) {
		dbg_code_free(c);
		return NULL;
	}
	return c;
}

uint32_t dbg_insn_words(const struct dbg_code *c, const struct dbg_insn *i, const uint32_t **words)
{
	uint32_t unit = jf_pc_unit(c->src.engine), per = jf_insn_words(c->src.engine);
	uint32_t first = (i->pc - c->base) / unit * per, n = i->size / unit * per;
	uint32_t most = c->src.num_words[DRM_VSHADER_SECTION_CODE];

	if (first > most)
		first = most;
	*words = c->src.words[DRM_VSHADER_SECTION_CODE] + first;
	return n < most - first ? n : most - first;
}

void dbg_code_free(struct dbg_code *c)
{
	uint32_t i;

	if (!c)
		return;
	for (i = 0; i < c->num_insns; i++)
		free(c->insns[i].text);
	free(c->insns);
	free_text(&c->listing);
	for (i = 0; i < c->num_files; i++)
		free_text(&c->files[i]);
	free(c->files);
	free(c->words);
	free(c->name);
	free(c);
}

bool dbg_code_part(const struct dbg_code *c, const struct dbg_insn *i, const char **text,
		   char *part, size_t size)
{
	const struct cli_isa *isa = cli_isa_of(c->src.engine);

	if (isa->next_part && isa->next_part(text, part, size))
		return true;
	if (*text != i->text)
		return false;
	/* one operation, or nothing but NOPs */
	snprintf(part, size, "%s", *text);
	*text += strlen(*text);
	return true;
}

bool dbg_code_has_operations(const struct dbg_code *c)
{
	const struct cli_isa *isa = cli_isa_of(c->src.engine);

	return isa->next_part || isa->separator;
}

/* As next_part, for operations between separators. */
static bool next_separated(const char *separator, const char **text, char *part, size_t size)
{
	const char *end;

	do {
		if (!**text)
			return false;
		end = strstr(*text, separator);
		end = end ? end : *text + strlen(*text);
		snprintf(part, size, "%.*s", (int)(end - *text), *text);
		*text = *end ? end + strlen(separator) : end;
	} while (!strcmp(part, "NOP"));
	return true;
}

const char *dbg_code_operation(const struct dbg_code *c, const struct dbg_insn *i, uint32_t n,
			       char *buf, size_t size)
{
	const struct cli_isa *isa = cli_isa_of(c->src.engine);
	const char *text = i->text;
	uint32_t k = 0;

	while (dbg_code_has_operations(c) &&
	       (isa->next_part ? isa->next_part(&text, buf, size) :
		next_separated(isa->separator, &text, buf, size))) {
		if (k++ == n)
			return buf;
	}
	/* nothing but NOPs */
	if (k || n)
		return NULL;
	snprintf(buf, size, "%s", i->text);
	return buf;
}

const struct dbg_insn *dbg_code_at(const struct dbg_code *c, uint32_t pc)
{
	uint32_t lo = 0, hi = c ? c->num_insns : 0, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (c->insns[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return c && lo < c->num_insns && c->insns[lo].pc == pc ? &c->insns[lo] : NULL;
}

const struct dbg_insn *dbg_code_line(const struct dbg_code *c, uint32_t line)
{
	uint32_t i;

	for (i = 0; c && i < c->num_insns; i++) {
		/* A line's instructions extend to the next marker. */
		if (i + 1 == c->num_insns || c->insns[i + 1].line > line)
			return line <= c->listing.num_lines ? &c->insns[i] : NULL;
	}
	return NULL;
}
