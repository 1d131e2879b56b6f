// SPDX-License-Identifier: MIT
/*
 * MBS1 containers as text. The first line is ".mbs1"; each program begins with ".program". Lines of
 * directives are blank for the assembler, so that its messages name the lines of the source.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "mbs1_text.h"

#define FIRST_LINE	".mbs1"
#define INCOMPLETE	".mbs1 incomplete"

static const char * const kinds[] = { "uniform", "attribute", "varying" };

/* ---- writing ---- */

void mbs1_text_head(FILE *f, const struct vs_mbs1 *mbs, const void *data, size_t len)
{
	bool same = false;
	size_t size;
	void *again;

	if (!vs_mbs1_write(mbs, &again, &size))
		same = size == len && !memcmp(again, data, len);
	free(again);
	fprintf(f, "%s\n", same ? FIRST_LINE : INCOMPLETE);
}

static void print_symbol(FILE *f, const char *kind, const struct vs_mbs1_symbol *s)
{
	const char *type = vs_mbs1_type_name(s->type);
	uint32_t i;

	fprintf(f, ".%s %s type=", kind, s->name);
	if (type)
		fputs(type, f);
	else
		fprintf(f, "%u", s->type);
	fprintf(f, " components=%u size=%u entries=%u stride=%u row=%u precision=%u invariant=%u",
		s->components, s->size, s->entries, s->stride, s->dst_stride, s->precision,
		s->invariant);
	if (s->offset != VS_MBS1_NONE)
		fprintf(f, " offset=%u", s->offset);
	if (s->parent != VS_MBS1_NONE)
		fprintf(f, " parent=%u", s->parent);
	for (i = 0; i < s->ninit; i++)
		fprintf(f, "%s0x%08x", i ? "," : " init=", s->init[i]);
	if (s->init && !s->ninit)
		fputs(" init=", f);
	if (s->offset != VS_MBS1_NONE)
		fprintf(f, "\t; %u.%c", s->offset / 4, "xyzw"[s->offset % 4]);
	fputc('\n', f);
}

static void print_table(FILE *f, const char *kind, const struct vs_mbs1_table *t)
{
	uint32_t i;

	if (!t->there)
		return;
	fprintf(f, ".%ss", kind);
	if (t->sized)
		fprintf(f, " %u", t->size);
	fputc('\n', f);
	for (i = 0; i < t->n; i++)
		print_symbol(f, kind, &t->symbols[i]);
}

void mbs1_text_program(FILE *f, const struct vs_mbs1_program *p)
{
	uint32_t i;

	if (p->stage == VS_MBS1_VERTEX) {
		fprintf(f, ".program vertex %u\n.instructions %u\n.prefetch %u\n", p->core,
			p->instructions, p->prefetch);
	} else {
		fprintf(f, ".program fragment %u\n.stack %u %u\n.discard %u\n.buffers", p->core,
			p->stack_size, p->stack_offset, p->discard);
		for (i = 0; i < sizeof(p->buffers); i++)
			fprintf(f, " %u", p->buffers[i]);
		fputc('\n', f);
	}
	for (i = 0; i < VS_MBS1_NUM_KINDS; i++)
		print_table(f, kinds[i], &p->tables[i]);
}

/* ---- reading ---- */

/**
 * struct reader - a source while it is parsed
 * @path: name for messages
 * @line: number of the line, from 1
 * @mbs: result
 * @p: program that the lines belong to, or NULL
 * @counted: it says its number of instructions
 * @code: the source with blank directives
 * @start: first byte of the code of @p in @code
 * @end: its end
 */
struct reader {
	const char *path;
	unsigned int line;
	struct vs_mbs1 *mbs;
	struct vs_mbs1_program *p;
	bool counted;
	char *code;
	size_t start;
	size_t end;
};

__attribute__((format(printf, 2, 3)))
static int bad(const struct reader *r, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fail("%s:%u: %s", r->path, r->line, text);
}

static int number(const struct reader *r, const char *text, uint32_t max, uint32_t *out)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = text ? strtoull(text, &end, 0) : 0;
	if (!text || end == text || *end || *text == '-' || errno || n > max)
		return bad(r, "\"%.40s\": expected a number from 0 to %u", text ? text : "", max);
	*out = (uint32_t)n;
	return 0;
}

/* Numbers that the rest of a line has, exactly so many. */
static int numbers(const struct reader *r, char *rest, unsigned int n, uint32_t max, uint32_t *out)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++)
		ret = number(r, strtok_r(i ? NULL : rest, " \t", &rest), max, &out[i]);
	if (!ret && strtok_r(NULL, " \t", &rest))
		ret = bad(r, "expected %u number%s", n, n == 1 ? "" : "s");
	return ret;
}

static int parse_type(const struct reader *r, const char *text, uint32_t *type)
{
	const char *name;

	for (*type = 0; *type < 10; (*type)++) {
		name = vs_mbs1_type_name(*type);
		if (name && !strcmp(name, text))
			return 0;
	}
	return number(r, text, UINT8_MAX, type);
}

static int parse_init(const struct reader *r, char *text, struct vs_mbs1_symbol *s)
{
	char *word;
	int ret = 0;

	free(s->init);
	s->ninit = 0;
	s->init = calloc(strlen(text) / 2 + 1, sizeof(*s->init));
	if (!s->init)
		return fail("out of memory");
	while (!ret && (word = strsep(&text, ",")))
		if (*word || text || s->ninit)
			ret = number(r, word, UINT32_MAX, &s->init[s->ninit++]);
	return ret;
}

/* "KEY=VALUE" */
static int parse_field(const struct reader *r, char *word, struct vs_mbs1_symbol *s)
{
	char *value = strchr(word, '=');
	uint32_t n = 0;
	int ret;

	if (!value)
		return bad(r, "\"%.40s\": expected NAME=VALUE", word);
	*value++ = 0;
	if (!strcmp(word, "init"))
		return parse_init(r, value, s);
	if (!strcmp(word, "type"))
		ret = parse_type(r, value, &n);
	else if (!strcmp(word, "invariant"))
		ret = number(r, value, UINT32_MAX, &n);
	else if (!strcmp(word, "precision") || !strcmp(word, "row"))
		ret = number(r, value, UINT8_MAX, &n);
	else
		ret = number(r, value, UINT16_MAX, &n);
	if (ret)
		return ret;
	if (!strcmp(word, "type"))
		s->type = (uint8_t)n;
	else if (!strcmp(word, "invariant"))
		s->invariant = n;
	else if (!strcmp(word, "precision"))
		s->precision = (uint8_t)n;
	else if (!strcmp(word, "row"))
		s->dst_stride = (uint8_t)n;
	else if (!strcmp(word, "components"))
		s->components = (uint16_t)n;
	else if (!strcmp(word, "size"))
		s->size = (uint16_t)n;
	else if (!strcmp(word, "entries"))
		s->entries = (uint16_t)n;
	else if (!strcmp(word, "stride"))
		s->stride = (uint16_t)n;
	else if (!strcmp(word, "offset"))
		s->offset = (uint16_t)n;
	else if (!strcmp(word, "parent"))
		s->parent = (uint16_t)n;
	else
		return bad(r, "\"%.40s\" is no field of a symbol", word);
	return 0;
}

static int parse_symbol(const struct reader *r, char *rest, struct vs_mbs1_table *t)
{
	char *name = strtok_r(rest, " \t", &rest), *word;
	struct vs_mbs1_symbol *s;
	int ret = 0;

	if (!t->there)
		return bad(r, "a symbol before its table");
	if (!name)
		return bad(r, "expected a name");
	s = reallocarray(t->symbols, t->n + 1, sizeof(*s));
	if (!s)
		return fail("out of memory");
	t->symbols = s;
	s += t->n++;
	*s = (struct vs_mbs1_symbol){ .offset = VS_MBS1_NONE, .parent = VS_MBS1_NONE,
				      .name = strdup(name) };
	if (!s->name)
		return fail("out of memory");
	while (!ret && (word = strtok_r(NULL, " \t", &rest)) && *word != ';')
		ret = parse_field(r, word, s);
	return ret;
}

static int parse_table(const struct reader *r, char *rest, struct vs_mbs1_table *t)
{
	if (t->there)
		return bad(r, "the program has this table already");
	t->there = true;
	t->sized = *rest;
	return t->sized ? numbers(r, rest, 1, UINT32_MAX, &t->size) : 0;
}

/* Assemble what the lines of the program have left. */
static int end_program(struct reader *r)
{
	static const uint32_t engines[] = {
		DRM_VSHADER_ENGINE_UTGARD_GP, DRM_VSHADER_ENGINE_UTGARD_PP
	};
	struct vshader_source src;
	struct vshader_binary *bin;
	uint32_t n;
	int ret = 0;

	if (!r->p)
		return 0;
	if (vshader_assemble(engines[r->p->stage], r->code, r->end, r->path, &bin)) {
		fprintf(stderr, "%s\n", vshader_error());
		return EXIT_USAGE;
	}
	if (vshader_binary_source(bin, 0, &src))
		ret = bad(r, "%s", vshader_error());
	n = ret ? 0 : src.num_words[DRM_VSHADER_SECTION_CODE];
	if (!ret && !n)
		ret = bad(r, "the program has no code");
	r->p->code = ret ? NULL : malloc(n * sizeof(*r->p->code));
	if (!ret && !r->p->code)
		ret = fail("out of memory");
	if (!ret) {
		memcpy(r->p->code, src.words[DRM_VSHADER_SECTION_CODE], n * sizeof(*r->p->code));
		r->p->ncode = n;
		if (!r->counted && r->p->stage == VS_MBS1_VERTEX)
			r->p->instructions = n / 4;
	}
	vshader_binary_free(bin);
	return ret;
}

static void blank(char *text, size_t from, size_t to)
{
	for (; from < to; from++)
		if (text[from] != '\n')
			text[from] = ' ';
}

static int begin_program(struct reader *r, char *rest)
{
	bool vertex = !strncmp(rest, "vertex ", 7);
	int ret = end_program(r);

	if (ret)
		return ret;
	if (!vertex && strncmp(rest, "fragment ", 9))
		return bad(r, "expected \"vertex CORE\" or \"fragment CORE\"");
	if (r->mbs->n == VS_MBS1_MAX_PROGRAMS)
		return bad(r, "more than %u programs", VS_MBS1_MAX_PROGRAMS);
	blank(r->code, r->start, r->end);
	r->start = r->end;
	r->counted = false;
	r->p = &r->mbs->programs[r->mbs->n++];
	r->p->stage = vertex ? VS_MBS1_VERTEX : VS_MBS1_FRAGMENT;
	return numbers(r, strchr(rest, ' '), 1, UINT32_MAX, &r->p->core);
}

static int parse_buffers(const struct reader *r, char *rest)
{
	uint32_t n[6], i;
	int ret = numbers(r, rest, 6, UINT8_MAX, n);

	for (i = 0; i < 6 && !ret; i++)
		r->p->buffers[i] = (uint8_t)n[i];
	return ret;
}

static int parse_stack(const struct reader *r, char *rest)
{
	uint32_t n[2];
	int ret = numbers(r, rest, 2, UINT32_MAX, n);

	if (ret)
		return ret;
	r->p->stack_size = n[0];
	r->p->stack_offset = n[1];
	return 0;
}

/* Return: -1: it is no directive of a container. */
static int parse_directive(struct reader *r, const char *word, char *rest)
{
	uint32_t i;
	size_t len;

	if (!strcmp(word, "program"))
		return begin_program(r, rest);
	if (!r->p)
		return bad(r, "expected \".program\"");
	if (!strcmp(word, "stack"))
		return parse_stack(r, rest);
	if (!strcmp(word, "buffers"))
		return parse_buffers(r, rest);
	if (!strcmp(word, "discard"))
		return numbers(r, rest, 1, UINT32_MAX, &r->p->discard);
	r->counted |= !strcmp(word, "instructions");
	if (!strcmp(word, "instructions"))
		return numbers(r, rest, 1, UINT32_MAX, &r->p->instructions);
	if (!strcmp(word, "prefetch"))
		return numbers(r, rest, 1, UINT32_MAX, &r->p->prefetch);
	for (i = 0; i < VS_MBS1_NUM_KINDS; i++) {
		len = strlen(kinds[i]);
		if (strncmp(word, kinds[i], len))
			continue;
		if (!word[len])
			return parse_symbol(r, rest, &r->p->tables[i]);
		if (!strcmp(word + len, "s"))
			return parse_table(r, rest, &r->p->tables[i]);
	}
	return -1;
}

/* A line of @len bytes at @at of the code. */
static int parse_line(struct reader *r, size_t at, size_t len)
{
	char *line, *word, *rest;
	int ret = -1;

	if (!len || r->code[at] != '.') {
		r->end = at + len;
		return 0;
	}
	line = strndup(r->code + at, len);
	if (!line)
		return fail("out of memory");
	word = line + 1;
	rest = line + strcspn(line, " \t");
	if (*rest)
		*rest++ = 0;
	/* the code of the program before ends here */
	r->end = at;
	ret = parse_directive(r, word, rest);
	free(line);
	r->end = at + len;
	if (ret >= 0)
		blank(r->code, at, r->end);
	return ret > 0 ? ret : 0;
}

static int parse_lines(struct reader *r, size_t len)
{
	size_t at = 0, n;
	int ret = 0;

	while (!ret && at < len) {
		n = strcspn(r->code + at, "\n");
		r->line++;
		if (r->line == 1)
			blank(r->code, 0, n);
		ret = parse_line(r, at, n);
		at += n + (at + n < len);
	}
	if (!ret && !r->p)
		ret = bad(r, "there is no program");
	return ret ? ret : end_program(r);
}

/* The container as a file is read: its limits and references are checked there. */
static int check(const struct reader *r)
{
	struct vs_mbs1 *again;
	struct vs_error err;
	size_t size;
	void *data;
	int ret = vs_mbs1_write(r->mbs, &data, &size);

	if (ret)
		return fail("%s: %s", r->path, strerror(-ret));
	ret = vs_mbs1_parse(data, size, &again, &err);
	free(data);
	if (ret)
		return fail("%s: %s", r->path, err.text);
	vs_mbs1_free(again);
	return 0;
}

bool mbs1_is_text(const char *text)
{
	size_t len = strlen(FIRST_LINE);

	return !strncmp(text, FIRST_LINE, len) && strchr(" \t\r\n", text[len]);
}

int mbs1_text_parse(const char *path, const char *text, struct vs_mbs1 **out)
{
	struct reader r = { .path = path, .mbs = calloc(1, sizeof(*r.mbs)), .code = strdup(text) };
	int ret = 0;

	if (r.mbs)
		r.mbs->programs = calloc(VS_MBS1_MAX_PROGRAMS, sizeof(*r.mbs->programs));
	if (!r.mbs || !r.mbs->programs || !r.code)
		ret = fail("out of memory");
	else if (!strncmp(text, INCOMPLETE, strlen(INCOMPLETE)))
		ret = fail("%s:1: the text lacks parts of its container, which were not understood",
			   path);
	if (!ret)
		ret = parse_lines(&r, strlen(text));
	if (!ret)
		ret = check(&r);
	free(r.code);
	if (ret) {
		vs_mbs1_free(r.mbs);
		return ret;
	}
	*out = r.mbs;
	return 0;
}
