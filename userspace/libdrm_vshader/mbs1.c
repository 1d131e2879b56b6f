// SPDX-License-Identifier: MIT
/*
 * Reading MBS1 files. A chunk must lie in the one around it, with room for its
 * known contents; unknown chunks are skipped. The memory that a file takes is bounded by
 * its size.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbs1.h"

#define HEADER		8	/* of a chunk */
#define SYMBOL		20	/* of a symbol after its name */
#define ATTRIBUTE	16	/* of an attribute that has no parent */
#define MIN_SYMBOL	(HEADER + HEADER + 1 + ATTRIBUTE)

/**
 * struct chunk - a chunk, or the rest of it
 * @at: place in the file
 * @end: end of it, exclusive
 * @tag: its letters
 */
struct chunk {
	size_t at;
	size_t end;
	char tag[5];
};

/**
 * struct reader - a file while it is parsed
 * @data: the file
 * @mbs: result
 * @err: where the first error goes
 */
struct reader {
	const uint8_t *data;
	struct vs_mbs1 *mbs;
	struct vs_error *err;
};

__attribute__((format(printf, 3, 4)))
static int bad(struct reader *r, size_t offset, const char *fmt, ...)
{
	va_list ap;

	if (r->err) {
		r->err->offset = offset;
		va_start(ap, fmt);
		vsnprintf(r->err->text, sizeof(r->err->text), fmt, ap);
		va_end(ap);
	}
	return -EINVAL;
}

static uint16_t get16(const struct reader *r, size_t at)
{
	return (uint16_t)(r->data[at] | r->data[at + 1] << 8);
}

static uint32_t get32(const struct reader *r, size_t at)
{
	return get16(r, at) | (uint32_t)get16(r, at + 2) << 16;
}

static size_t left(const struct chunk *c)
{
	return c->end - c->at;
}

static bool is(const struct chunk *c, const char *tag)
{
	return !memcmp(c->tag, tag, 4);
}

/* Take the chunk that begins at @in off it. */
static int take(struct reader *r, struct chunk *in, struct chunk *out)
{
	uint32_t size, i;

	if (left(in) < HEADER)
		return bad(r, in->at, "%zu bytes in chunk %s are too few for a chunk", left(in),
			   in->tag);
	memset(out, 0, sizeof(*out));
	for (i = 0; i < 4; i++) {
		uint8_t c = r->data[in->at + i];

		out->tag[i] = (char)(c > ' ' && c < 127 ? c : '?');
	}
	size = get32(r, in->at + 4);
	if (size > left(in) - HEADER)
		return bad(r, in->at + 4, "chunk %s has %u bytes, %zu are left in %s", out->tag,
			   size, left(in) - HEADER, in->tag);
	out->at = in->at + HEADER;
	out->end = out->at + size;
	in->at = out->end;
	return 0;
}

/* A chunk that holds so many bytes, no more. */
static int expect(struct reader *r, const struct chunk *c, size_t size)
{
	if (left(c) == size)
		return 0;
	return bad(r, c->at, "chunk %s has %zu bytes, not %zu", c->tag, left(c), size);
}

/* ---- symbols ---- */

static int parse_name(struct reader *r, struct chunk *c, char **name)
{
	struct chunk s;
	size_t len, i;
	int ret = take(r, c, &s);

	if (ret)
		return ret;
	if (!is(&s, "STRI"))
		return bad(r, s.at, "chunk %s begins with %s, not with a name", c->tag, s.tag);
	len = strnlen((const char *)r->data + s.at, left(&s));
	if (len == left(&s))
		return bad(r, s.at, "a name does not end in its chunk");
	for (i = 0; i < len; i++)
		if (r->data[s.at + i] <= ' ' || r->data[s.at + i] >= 127)
			return bad(r, s.at + i, "invalid character in name");
	*name = strndup((const char *)r->data + s.at, len);
	return *name ? 0 : -ENOMEM;
}

/* First values of a uniform. */
static int parse_init(struct reader *r, struct chunk *c, struct vs_mbs1_symbol *s)
{
	uint32_t i, n;

	if (left(c) < 4)
		return bad(r, c->at, "chunk VINI has no count");
	n = get32(r, c->at);
	if (n != (left(c) - 4) / 4 || left(c) % 4)
		return bad(r, c->at, "chunk VINI has %u values in %zu bytes", n, left(c) - 4);
	if (s->init)
		return bad(r, c->at, "a symbol has two first values");
	s->init = calloc((size_t)n + 1, sizeof(*s->init));
	if (!s->init)
		return -ENOMEM;
	s->ninit = n;
	for (i = 0; i < n; i++)
		s->init[i] = get32(r, c->at + 4 + 4 * (size_t)i);
	return 0;
}

static int parse_symbol(struct reader *r, struct chunk *c, enum vs_mbs1_kind kind,
			struct vs_mbs1_symbol *s)
{
	/* Attributes are no members of anything; there is a short form of them. */
	bool is_short = kind == VS_MBS1_ATTRIBUTE && left(c) == ATTRIBUTE;
	size_t at = c->at;

	if (!is_short && left(c) < SYMBOL)
		return bad(r, at, "%zu bytes for a symbol of %u", left(c), SYMBOL);
	s->type = r->data[at + 1];
	s->components = get16(r, at + 2);
	s->size = get16(r, at + 4);
	s->entries = get16(r, at + 6);
	s->stride = get16(r, at + 8);
	s->dst_stride = r->data[at + 10];
	s->precision = r->data[at + 11];
	s->invariant = is_short ? get16(r, at + 12) : get32(r, at + 12);
	s->offset = get16(r, at + (is_short ? 14 : 16));
	s->parent = is_short ? VS_MBS1_NONE : get16(r, at + 18);
	c->at += is_short ? ATTRIBUTE : SYMBOL;
	return 0;
}

static int parse_extras(struct reader *r, struct vs_mbs1_program *p, struct chunk *c,
			struct vs_mbs1_symbol *s)
{
	struct chunk extra;
	int ret = 0;

	while (!ret && left(c)) {
		ret = take(r, c, &extra);
		if (ret)
			break;
		if (is(&extra, "VINI"))
			ret = parse_init(r, &extra, s);
		else
			p->skipped++;
	}
	return ret;
}

static int check_parents(struct reader *r, const struct vs_mbs1_table *t, size_t at)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		if (t->symbols[i].parent != VS_MBS1_NONE && t->symbols[i].parent >= t->n)
			return bad(r, at, "symbol %u is a member of symbol %u of %u", i,
				   t->symbols[i].parent, t->n);
	return 0;
}

/* The number of symbols; newer files say the size of uniforms, too. */
static int parse_table_head(struct reader *r, struct chunk *c, enum vs_mbs1_kind kind,
			    const char *tag, struct vs_mbs1_table *t)
{
	if (t->there)
		return bad(r, c->at, "two chunks %s", c->tag);
	t->there = true;
	if (left(c) < 4)
		return bad(r, c->at, "chunk %s has no count", c->tag);
	t->n = get32(r, c->at);
	c->at += 4;
	if (kind == VS_MBS1_UNIFORM && left(c) >= 4 && memcmp(r->data + c->at, tag, 4)) {
		t->sized = true;
		t->size = get32(r, c->at);
		c->at += 4;
	}
	if (t->n > left(c) / MIN_SYMBOL) {
		uint32_t n = t->n;

		t->n = 0;
		return bad(r, c->at, "%zu bytes for %u symbols", left(c), n);
	}
	return 0;
}

static int parse_table(struct reader *r, struct vs_mbs1_program *p, enum vs_mbs1_kind kind,
		       struct chunk *c)
{
	static const char * const tags[] = { "VUNI", "VATT", "VVAR" };
	struct vs_mbs1_table *t = &p->tables[kind];
	struct chunk s;
	uint32_t i;
	int ret = parse_table_head(r, c, kind, tags[kind], t);

	if (ret)
		return ret;
	t->symbols = calloc((size_t)t->n + 1, sizeof(*t->symbols));
	if (!t->symbols) {
		t->n = 0;
		return -ENOMEM;
	}
	for (i = 0; i < t->n; i++) {
		ret = take(r, c, &s);
		if (!ret && !is(&s, tags[kind]))
			ret = bad(r, s.at, "chunk %s where %s was expected", s.tag, tags[kind]);
		if (!ret)
			ret = parse_name(r, &s, &t->symbols[i].name);
		if (!ret)
			ret = parse_symbol(r, &s, kind, &t->symbols[i]);
		if (!ret)
			ret = parse_extras(r, p, &s, &t->symbols[i]);
		if (ret)
			return ret;
	}
	if (left(c))
		return bad(r, c->at, "%zu bytes after the symbols of %s", left(c), c->tag);
	return check_parents(r, t, c->at);
}

/* ---- programs ---- */

static int parse_code(struct reader *r, struct vs_mbs1_program *p, const struct chunk *c)
{
	size_t unit = p->stage == VS_MBS1_VERTEX ? 16 : 4;
	uint32_t i;

	if (p->code)
		return bad(r, c->at, "two chunks DBIN");
	if (left(c) % unit || left(c) / 4 > VS_MBS1_MAX_WORDS)
		return bad(r, c->at, "%zu bytes of code", left(c));
	p->ncode = (uint32_t)(left(c) / 4);
	p->code = calloc((size_t)p->ncode + 1, sizeof(*p->code));
	if (!p->code)
		return -ENOMEM;
	for (i = 0; i < p->ncode; i++)
		p->code[i] = get32(r, c->at + 4 * (size_t)i);
	return 0;
}

static int parse_vertex(struct reader *r, struct vs_mbs1_program *p, const struct chunk *c)
{
	if (!is(c, "FINS")) {
		p->skipped++;
		return 0;
	}
	if (expect(r, c, 12))
		return -EINVAL;
	p->instructions = get32(r, c->at + 4);
	p->prefetch = get32(r, c->at + 8);
	return 0;
}

static int parse_fragment(struct reader *r, struct vs_mbs1_program *p, const struct chunk *c)
{
	if (is(c, "FSTA")) {
		if (expect(r, c, 8))
			return -EINVAL;
		p->stack_size = get32(r, c->at);
		p->stack_offset = get32(r, c->at + 4);
	} else if (is(c, "FDIS")) {
		if (expect(r, c, 4))
			return -EINVAL;
		p->discard = get32(r, c->at);
	} else if (is(c, "FBUU")) {
		if (expect(r, c, 8))
			return -EINVAL;
		memcpy(p->buffers, r->data + c->at, sizeof(p->buffers));
	} else {
		p->skipped++;
	}
	return 0;
}

static int parse_part(struct reader *r, struct vs_mbs1_program *p, struct chunk *c)
{
	if (is(c, "SUNI"))
		return parse_table(r, p, VS_MBS1_UNIFORM, c);
	if (is(c, "SATT"))
		return parse_table(r, p, VS_MBS1_ATTRIBUTE, c);
	if (is(c, "SVAR"))
		return parse_table(r, p, VS_MBS1_VARYING, c);
	if (is(c, "DBIN"))
		return parse_code(r, p, c);
	return p->stage == VS_MBS1_VERTEX ? parse_vertex(r, p, c) : parse_fragment(r, p, c);
}

static int parse_program(struct reader *r, struct chunk *c, uint32_t stage)
{
	struct vs_mbs1_program *p;
	size_t start = c->at;
	struct chunk part;
	int ret = 0;

	if (r->mbs->n == VS_MBS1_MAX_PROGRAMS)
		return bad(r, start, "more than %u programs", VS_MBS1_MAX_PROGRAMS);
	p = &r->mbs->programs[r->mbs->n++];
	p->stage = stage;
	if (left(c) < 4)
		return bad(r, start, "chunk %s is too short", c->tag);
	p->core = get32(r, c->at);
	c->at += 4;
	while (!ret && left(c)) {
		ret = take(r, c, &part);
		if (!ret)
			ret = parse_part(r, p, &part);
	}
	if (ret)
		return ret;
	if (!p->ncode)
		return bad(r, start, "chunk %s has no code", c->tag);
	if (p->instructions > p->ncode / 4)
		return bad(r, start, "%u instructions in %u words of code", p->instructions,
			   p->ncode);
	return 0;
}

static int parse(struct reader *r, size_t size)
{
	struct chunk file = { 0, size, "file" }, top, c;
	int ret = take(r, &file, &top);

	if (ret)
		return ret;
	if (!is(&top, "MBS1"))
		return bad(r, 0, "no MBS1 file");
	if (left(&file))
		return bad(r, file.at, "%zu bytes after the container", left(&file));
	while (!ret && left(&top)) {
		ret = take(r, &top, &c);
		if (!ret && is(&c, "CVER"))
			ret = parse_program(r, &c, VS_MBS1_VERTEX);
		else if (!ret && is(&c, "CFRA"))
			ret = parse_program(r, &c, VS_MBS1_FRAGMENT);
	}
	if (!ret && !r->mbs->n)
		ret = bad(r, HEADER, "there is no program in it");
	return ret;
}

int vs_mbs1_parse(const void *data, size_t size, struct vs_mbs1 **out, struct vs_error *err)
{
	struct reader r = { .data = data, .err = err };
	int ret = -ENOMEM;

	*out = NULL;
	if (err)
		memset(err, 0, sizeof(*err));
	r.mbs = calloc(1, sizeof(*r.mbs));
	if (r.mbs)
		r.mbs->programs = calloc(VS_MBS1_MAX_PROGRAMS, sizeof(*r.mbs->programs));
	if (r.mbs && r.mbs->programs)
		ret = parse(&r, size);
	if (ret) {
		vs_mbs1_free(r.mbs);
		if (ret == -ENOMEM)
			bad(&r, 0, "out of memory");
		return ret;
	}
	*out = r.mbs;
	return 0;
}

static void free_program(struct vs_mbs1_program *p)
{
	uint32_t kind, i;

	for (kind = 0; kind < VS_MBS1_NUM_KINDS; kind++) {
		struct vs_mbs1_table *t = &p->tables[kind];

		for (i = 0; i < t->n; i++) {
			free(t->symbols[i].name);
			free(t->symbols[i].init);
		}
		free(t->symbols);
	}
	free(p->code);
}

void vs_mbs1_free(struct vs_mbs1 *mbs)
{
	uint32_t i;

	if (!mbs)
		return;
	for (i = 0; i < mbs->n; i++)
		free_program(&mbs->programs[i]);
	free(mbs->programs);
	free(mbs);
}

const struct vs_mbs1_program *vs_mbs1_find(const struct vs_mbs1 *mbs, uint32_t stage,
					   uint32_t index)
{
	uint32_t i;

	for (i = 0; i < mbs->n; i++)
		if (mbs->programs[i].stage == stage && !index--)
			return &mbs->programs[i];
	return NULL;
}

const struct vs_mbs1_symbol *vs_mbs1_symbol(const struct vs_mbs1_program *prog,
					    enum vs_mbs1_kind kind, const char *name)
{
	const struct vs_mbs1_table *t = &prog->tables[kind];
	uint32_t i;

	for (i = 0; i < t->n; i++)
		if (!strcmp(t->symbols[i].name, name))
			return &t->symbols[i];
	return NULL;
}

const char *vs_mbs1_type_name(uint32_t type)
{
	static const char * const names[] = {
		[1] = "float", [2] = "int", [3] = "bool", [4] = "matrix", [5] = "sampler2D",
		[6] = "samplerCube", [8] = "struct", [9] = "samplerExternalOES",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}
