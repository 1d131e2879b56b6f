// SPDX-License-Identifier: MIT
/*
 * Writing MBS1 files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mbs1.h"

/* Bytes written so far; with @data NULL they are only counted. */
struct writer {
	uint8_t *data;
	size_t len;
};

static void put8(struct writer *w, uint32_t v)
{
	if (w->data)
		w->data[w->len] = (uint8_t)v;
	w->len++;
}

static void put16(struct writer *w, uint32_t v)
{
	put8(w, v);
	put8(w, v >> 8);
}

static void put32(struct writer *w, uint32_t v)
{
	put16(w, v);
	put16(w, v >> 16);
}

/* Begin a chunk. Return: its place, for end_chunk(). */
static size_t begin_chunk(struct writer *w, const char *tag)
{
	size_t at = w->len, i;

	for (i = 0; i < 4; i++)
		put8(w, (uint8_t)tag[i]);
	put32(w, 0);
	return at;
}

static void end_chunk(struct writer *w, size_t at)
{
	size_t end = w->len;

	w->len = at + 4;
	put32(w, (uint32_t)(end - at - 8));
	w->len = end;
}

static void put_name(struct writer *w, const char *name)
{
	size_t at = begin_chunk(w, "STRI"), len = strlen(name) + 1, i;

	for (i = 0; i < len; i++)
		put8(w, (uint8_t)name[i]);
	for (; i % 4; i++)
		put8(w, 0);
	end_chunk(w, at);
}

static void put_symbol(struct writer *w, const char *tag, const struct vs_mbs1_symbol *s)
{
	size_t at = begin_chunk(w, tag), init;
	uint32_t i;

	put_name(w, s->name);
	put8(w, 0);
	put8(w, s->type);
	put16(w, s->components);
	put16(w, s->size);
	put16(w, s->entries);
	put16(w, s->stride);
	put8(w, s->dst_stride);
	put8(w, s->precision);
	put32(w, s->invariant);
	put16(w, s->offset);
	put16(w, s->parent);
	if (s->init) {
		init = begin_chunk(w, "VINI");
		put32(w, s->ninit);
		for (i = 0; i < s->ninit; i++)
			put32(w, s->init[i]);
		end_chunk(w, init);
	}
	end_chunk(w, at);
}

static void put_table(struct writer *w, const struct vs_mbs1_program *p, enum vs_mbs1_kind kind)
{
	static const char * const tags[][2] = {
		{ "SUNI", "VUNI" }, { "SATT", "VATT" }, { "SVAR", "VVAR" },
	};
	const struct vs_mbs1_table *t = &p->tables[kind];
	uint32_t i;
	size_t at;

	if (!t->there)
		return;
	at = begin_chunk(w, tags[kind][0]);
	put32(w, t->n);
	if (t->sized)
		put32(w, t->size);
	for (i = 0; i < t->n; i++)
		put_symbol(w, tags[kind][1], &t->symbols[i]);
	end_chunk(w, at);
}

static void put_state(struct writer *w, const struct vs_mbs1_program *p)
{
	size_t at, i;

	if (p->stage == VS_MBS1_VERTEX) {
		at = begin_chunk(w, "FINS");
		put32(w, 0);
		put32(w, p->instructions);
		put32(w, p->prefetch);
		end_chunk(w, at);
		return;
	}
	at = begin_chunk(w, "FSTA");
	put32(w, p->stack_size);
	put32(w, p->stack_offset);
	end_chunk(w, at);
	at = begin_chunk(w, "FDIS");
	put32(w, p->discard);
	end_chunk(w, at);
	at = begin_chunk(w, "FBUU");
	for (i = 0; i < sizeof(p->buffers); i++)
		put8(w, p->buffers[i]);
	put16(w, 0);
	end_chunk(w, at);
}

static void put_program(struct writer *w, const struct vs_mbs1_program *p)
{
	size_t at = begin_chunk(w, p->stage == VS_MBS1_VERTEX ? "CVER" : "CFRA"), code;
	uint32_t i;

	put32(w, p->core);
	put_state(w, p);
	put_table(w, p, VS_MBS1_UNIFORM);
	put_table(w, p, VS_MBS1_ATTRIBUTE);
	put_table(w, p, VS_MBS1_VARYING);
	code = begin_chunk(w, "DBIN");
	for (i = 0; i < p->ncode; i++)
		put32(w, p->code[i]);
	end_chunk(w, code);
	end_chunk(w, at);
}

static void put_all(struct writer *w, const struct vs_mbs1 *mbs)
{
	size_t at = begin_chunk(w, "MBS1");
	uint32_t i;

	for (i = 0; i < mbs->n; i++)
		put_program(w, &mbs->programs[i]);
	end_chunk(w, at);
}

int vs_mbs1_write(const struct vs_mbs1 *mbs, void **data, size_t *size)
{
	struct writer w = { NULL, 0 };
	uint32_t i;

	*data = NULL;
	*size = 0;
	if (!mbs->n || mbs->n > VS_MBS1_MAX_PROGRAMS)
		return -EINVAL;
	for (i = 0; i < mbs->n; i++)
		if (!mbs->programs[i].ncode || mbs->programs[i].ncode > VS_MBS1_MAX_WORDS)
			return -EINVAL;
	put_all(&w, mbs);
	if (w.len > UINT32_MAX)
		return -EINVAL;
	w.data = malloc(w.len);
	if (!w.data)
		return -ENOMEM;
	*size = w.len;
	w.len = 0;
	put_all(&w, mbs);
	*data = w.data;
	return 0;
}
