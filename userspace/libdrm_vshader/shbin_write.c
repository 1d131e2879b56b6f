// SPDX-License-Identifier: MIT
/*
 * Writing SHBIN files, laid out as picasso does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shbin.h"

#define MAGIC_DVLB	0x424c5644u
#define MAGIC_DVLP	0x504c5644u
#define MAGIC_DVLE	0x454c5644u

#define DVLP_HEAD	40
#define DVLE_HEAD	64

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

static void put_name(struct writer *w, const char *name)
{
	do {
		put8(w, (uint8_t)*name);
	} while (*name++);
}

static size_t names_size(const struct vs_shbin_dvle *d)
{
	size_t size = 0;
	uint32_t i;

	for (i = 0; i < d->nregs; i++)
		size += strlen(d->regs[i].name) + 1;
	for (i = 0; i < d->nlabels; i++)
		size += strlen(d->labels[i].name) + 1;
	return size;
}

static void put_consts(struct writer *w, const struct vs_shbin_dvle *d)
{
	uint32_t i, k;

	for (i = 0; i < d->nconsts; i++) {
		const struct vs_shbin_const *c = &d->consts[i];

		put16(w, c->type);
		put16(w, c->reg);
		if (c->type == VS_SHBIN_FLOAT) {
			for (k = 0; k < 4; k++)
				put32(w, c->value[k] & 0xffffff);
			continue;
		}
		if (c->type == VS_SHBIN_INT) {
			for (k = 0; k < 4; k++)
				put8(w, c->value[k]);
		} else {
			put32(w, c->value[0]);
		}
		for (k = 0; k < 3; k++)
			put32(w, 0);
	}
}

static void put_tables(struct writer *w, const struct vs_shbin_dvle *d)
{
	size_t name = 0;
	uint32_t i;

	put_consts(w, d);
	for (i = 0; i < d->nlabels; i++)
		name += strlen(d->labels[i].name) + 1;
	/* Names of uniforms come first, as in files without labels. */
	name = names_size(d) - name;
	for (i = 0; i < d->nlabels; i++) {
		put32(w, d->labels[i].id & 0xff);
		put32(w, d->labels[i].word);
		put32(w, d->labels[i].size);
		put32(w, (uint32_t)name);
		name += strlen(d->labels[i].name) + 1;
	}
	for (i = 0; i < d->nouts; i++) {
		put16(w, d->outs[i].type);
		put16(w, d->outs[i].reg);
		put16(w, d->outs[i].mask);
		put16(w, 0);
	}
	for (i = 0, name = 0; i < d->nregs; i++) {
		put32(w, (uint32_t)name);
		put16(w, d->regs[i].raw_first);
		put16(w, d->regs[i].raw_last);
		name += strlen(d->regs[i].name) + 1;
	}
	for (i = 0; i < d->nregs; i++)
		put_name(w, d->regs[i].name);
	for (i = 0; i < d->nlabels; i++)
		put_name(w, d->labels[i].name);
}

/* A table's offset and count; returns the next table's offset. */
static uint32_t put_ref(struct writer *w, uint32_t offset, uint32_t count, uint32_t entry)
{
	put32(w, offset);
	put32(w, count);
	return offset + count * entry;
}

static void put_dvle(struct writer *w, const struct vs_shbin_dvle *d)
{
	uint32_t at = DVLE_HEAD;

	put32(w, MAGIC_DVLE);
	put16(w, d->version);
	put8(w, d->type);
	put8(w, d->merge);
	put32(w, d->entry);
	put32(w, d->end);
	put16(w, d->in_mask);
	put16(w, d->out_mask);
	put8(w, d->gs_mode);
	put8(w, d->gs_fixed_start);
	put8(w, d->gs_variable_count);
	put8(w, d->gs_fixed_count);
	at = put_ref(w, at, d->nconsts, 20);
	at = put_ref(w, at, d->nlabels, 16);
	at = put_ref(w, at, d->nouts, 8);
	at = put_ref(w, at, d->nregs, 8);
	put_ref(w, at, (uint32_t)names_size(d), 1);
	put_tables(w, d);
	while (w->len % 4)
		put8(w, 0);
}

static void put_dvlp(struct writer *w, const struct vs_shbin *bin)
{
	uint32_t opdesc = DVLP_HEAD + 4 * bin->ncode;
	uint32_t end = opdesc + 8 * bin->nopdesc;
	uint32_t i;

	put32(w, MAGIC_DVLP);
	put32(w, 0);
	put32(w, DVLP_HEAD);
	put32(w, bin->ncode);
	put32(w, opdesc);
	put32(w, bin->nopdesc);
	put32(w, end);
	for (i = 0; i < 3; i++)
		put32(w, 0);
	for (i = 0; i < bin->ncode; i++)
		put32(w, bin->code[i]);
	for (i = 0; i < bin->nopdesc; i++) {
		put32(w, bin->opdesc[i]);
		put32(w, bin->opdesc_high[i]);
	}
}

static size_t dvle_size(const struct vs_shbin_dvle *d)
{
	struct writer w = { 0 };

	put_dvle(&w, d);
	return w.len;
}

static void put_all(struct writer *w, const struct vs_shbin *bin)
{
	size_t at = 8 + 4 * (size_t)bin->ndvles + DVLP_HEAD + 4 * (size_t)bin->ncode +
		    8 * (size_t)bin->nopdesc;
	uint32_t i;

	put32(w, MAGIC_DVLB);
	put32(w, bin->ndvles);
	for (i = 0; i < bin->ndvles; i++) {
		put32(w, (uint32_t)at);
		at += dvle_size(&bin->dvles[i]);
	}
	put_dvlp(w, bin);
	for (i = 0; i < bin->ndvles; i++)
		put_dvle(w, &bin->dvles[i]);
}

int vs_shbin_write(const struct vs_shbin *bin, void **data, size_t *size)
{
	struct writer w = { 0 };

	*data = NULL;
	if (bin->ncode > VS_SHBIN_MAX_CODE || bin->nopdesc > VS_SHBIN_MAX_OPDESC ||
	    bin->ndvles > VS_SHBIN_MAX_DVLE)
		return -EINVAL;
	put_all(&w, bin);
	if (w.len > UINT32_MAX)
		return -EINVAL;
	*size = w.len;
	w.data = malloc(w.len);
	if (!w.data)
		return -ENOMEM;
	w.len = 0;
	put_all(&w, bin);
	*data = w.data;
	return 0;
}
