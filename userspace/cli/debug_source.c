// SPDX-License-Identifier: MIT
/*
 * Lines and names of the assembler source of a program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "jobfile_isa.h"

/* ---- lines ---- */

/* Included files are in the folder of the main one. */
static char *included_path(const char *main, const char *name)
{
	const char *slash = strrchr(main, '/');
	char *path;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash - main) + 1 : 0, main, name) < 0)
		return NULL;
	return path;
}

static int add_file(struct dbg_code *c, const char *path, const char *name, const char *text)
{
	struct dbg_text *more = realloc(c->files, (c->num_files + 1) * sizeof(*more));
	int ret;

	if (!more)
		return -ENOMEM;
	c->files = more;
	more += c->num_files;
	ret = dbg_text_init(more, name, text);
	if (!c->num_files++)
		more->path = strdup(path);
	else
		more->path = included_path(path, name);
	return ret || !more->path ? -ENOMEM : 0;
}

int dbg_code_add_sources(struct dbg_code *c, const char *path)
{
	uint32_t unit = jf_pc_unit(c->src.engine), i, n;
	const char *name, *text;
	struct vshader_line l;
	int ret = 0;

	for (n = 0; !ret && !vshader_binary_file(c->bin, n, &name, &text); n++)
		ret = add_file(c, path, name, text);
	for (i = n = 0; !ret && !vshader_binary_line(c->bin, c->bin_index, n, &l); n++) {
		while (i < c->num_insns && c->insns[i].pc < c->base + l.word * unit)
			i++;
		if (i == c->num_insns || c->insns[i].pc != c->base + l.word * unit ||
		    l.file >= c->num_files)
			continue;
		c->insns[i].file = l.file;
		c->insns[i].src = l.line;
		c->insns[i].src_last = l.last;
	}
	return ret;
}

const struct dbg_insn *dbg_code_source_line(const struct dbg_code *c, uint32_t file,
					    uint32_t line)
{
	const struct dbg_insn *best = NULL, *n;
	uint32_t i;

	for (i = 0; i < c->num_insns; i++) {
		n = &c->insns[i];
		if (!n->src || n->file != file)
			continue;
		if (line >= n->src && line <= n->src_last)
			return n;
		if (n->src > line && (!best || n->src < best->src))
			best = n;
	}
	return best;
}

/* The text that the user sees: the source, if there is one and the listing is not asked for. */
bool dbg_has_source(const struct dbg *d, const struct dbg_code *c)
{
	return c && c->num_files && !d->listing;
}

const struct dbg_text *dbg_text_at(const struct dbg *d, const struct dbg_code *c,
				   const struct dbg_insn *i, uint32_t *line)
{
	bool source = dbg_has_source(d, c);

	*line = !i ? 0 : source ? i->src : i->line;
	return source ? &c->files[i ? i->file : 0] : &c->listing;
}

const struct dbg_insn *dbg_insn_at(const struct dbg *d, const struct dbg_code *c,
				   const struct dbg_text *t, uint32_t line)
{
	if (!line || line > t->num_lines)
		return NULL;
	return t == &c->listing ? dbg_code_line(c, line) :
				  dbg_code_source_line(c, (uint32_t)(t - c->files), line);
}

const struct dbg_text *dbg_find_text(const struct dbg_code *c, const char *name, size_t len)
{
	uint32_t i;

	for (i = 0; i < c->num_files; i++) {
		const char *full = c->files[i].name, *slash = strrchr(full, '/');
		const char *base = slash ? slash + 1 : full;

		if ((strlen(full) == len && !memcmp(full, name, len)) ||
		    (strlen(base) == len && !memcmp(base, name, len)))
			return &c->files[i];
	}
	return NULL;
}

/* ---- names ---- */

const char *dbg_code_label(const struct dbg_code *c, uint32_t pc, uint32_t *offset)
{
	struct vshader_symbol s;
	const char *best = NULL;
	unsigned int i;
	uint32_t at;

	for (i = 0; c->bin && !vshader_binary_symbol(c->bin, c->bin_index, i, &s); i++) {
		at = c->base + s.word * jf_pc_unit(c->src.engine);
		if (s.value || at > pc || (best && pc - at >= *offset))
			continue;
		best = s.name;
		*offset = pc - at;
	}
	return best;
}

bool dbg_find_name(const struct dbg_code *c, const char *name, size_t len, char *value,
		   size_t size, uint32_t *count)
{
	struct vshader_register r;
	struct vshader_symbol s;
	unsigned int i;

	if (!c || !c->bin)
		return false;
	for (i = 0; !vshader_binary_symbol(c->bin, c->bin_index, i, &s); i++) {
		if (!s.value || strlen(s.name) != len || memcmp(s.name, name, len))
			continue;
		snprintf(value, size, "%s", s.value);
		*count = s.count;
		return true;
	}
	/* Containers have the names of inputs and uniforms. */
	for (i = 0; !vshader_binary_register(c->bin, c->bin_index, i, &r); i++) {
		if (!r.name || strlen(r.name) != len || memcmp(r.name, name, len))
			continue;
		snprintf(value, size, "$%c%u", r.kind, r.first);
		*count = r.count;
		return true;
	}
	return false;
}
