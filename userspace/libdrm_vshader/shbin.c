// SPDX-License-Identifier: MIT
/*
 * Reading and writing SHBIN files. Every field of a file is checked before it is used:
 * each table must lie inside the file and be as long as its count, and the memory that a
 * file takes is bounded by its size.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shbin.h"

#define MAGIC_DVLB	0x424c5644u
#define MAGIC_DVLP	0x504c5644u
#define MAGIC_DVLE	0x454c5644u

#define DVLP_HEAD	40
#define DVLE_HEAD	64
#define CONST_SIZE	20
#define LABEL_SIZE	16
#define OUT_SIZE	8
#define REG_SIZE	8
#define OPDESC_SIZE	8

/**
 * struct reader - a file while it is parsed
 * @data: the file
 * @size: bytes at @data
 * @used: bytes of tables accepted so far; tables of a sound file do not overlap
 * @bin: result
 * @err: where the first error goes
 */
struct reader {
	const uint8_t *data;
	size_t size;
	size_t used;
	struct vs_shbin *bin;
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

/* Does a table of @count entries at @base + @offset lie in the file? */
static int check_table(struct reader *r, size_t base, uint32_t offset, uint32_t count,
		       size_t entry, const char *what, size_t *at)
{
	uint64_t start = (uint64_t)base + offset;
	uint64_t bytes = (uint64_t)count * entry;

	*at = 0;
	if (!count)
		return 0;
	if (start > r->size || bytes > r->size - start)
		return bad(r, base, "%s: %u entries at offset %u lead outside the file", what,
			   count, offset);
	if (bytes > r->size - r->used)
		return bad(r, base, "%s: tables overlap", what);
	r->used += bytes;
	*at = (size_t)start;
	return 0;
}

static int parse_code(struct reader *r, size_t dvlp)
{
	struct vs_shbin *bin = r->bin;
	uint32_t count = get32(r, dvlp + 12);
	uint32_t i;
	size_t at;
	int ret;

	if (count > VS_SHBIN_MAX_CODE)
		return bad(r, dvlp + 12, "%u instruction words (limit %u)", count,
			   VS_SHBIN_MAX_CODE);
	ret = check_table(r, dvlp, get32(r, dvlp + 8), count, 4, "code", &at);
	if (ret)
		return ret;
	bin->code = calloc(count + 1, sizeof(*bin->code));
	if (!bin->code)
		return -ENOMEM;
	bin->ncode = count;
	for (i = 0; i < count; i++)
		bin->code[i] = get32(r, at + 4 * (size_t)i);
	return 0;
}

static int parse_opdesc(struct reader *r, size_t dvlp)
{
	struct vs_shbin *bin = r->bin;
	uint32_t count = get32(r, dvlp + 20);
	uint32_t i;
	size_t at;
	int ret;

	if (count > VS_SHBIN_MAX_OPDESC)
		return bad(r, dvlp + 20, "%u operand descriptors (limit %u)", count,
			   VS_SHBIN_MAX_OPDESC);
	ret = check_table(r, dvlp, get32(r, dvlp + 16), count, OPDESC_SIZE,
			  "operand descriptors", &at);
	if (ret)
		return ret;
	bin->opdesc = calloc(count + 1, sizeof(*bin->opdesc));
	bin->opdesc_high = calloc(count + 1, sizeof(*bin->opdesc_high));
	if (!bin->opdesc || !bin->opdesc_high)
		return -ENOMEM;
	bin->nopdesc = count;
	for (i = 0; i < count; i++) {
		bin->opdesc[i] = get32(r, at + OPDESC_SIZE * (size_t)i);
		bin->opdesc_high[i] = get32(r, at + OPDESC_SIZE * (size_t)i + 4);
	}
	return 0;
}

static int parse_consts(struct reader *r, size_t dvle, struct vs_shbin_dvle *d)
{
	static const unsigned int limit[] = { 16, 4, 96 };
	uint32_t count = get32(r, dvle + 28);
	uint32_t i, k;
	size_t at;
	int ret;

	ret = check_table(r, dvle, get32(r, dvle + 24), count, CONST_SIZE, "constants", &at);
	if (ret)
		return ret;
	d->consts = calloc((size_t)count + 1, sizeof(*d->consts));
	if (!d->consts)
		return -ENOMEM;
	d->nconsts = count;
	for (i = 0; i < count; i++, at += CONST_SIZE) {
		struct vs_shbin_const *c = &d->consts[i];

		c->type = get16(r, at);
		c->reg = get16(r, at + 2);
		if (c->type > VS_SHBIN_FLOAT)
			return bad(r, at, "constant %u has unknown type %u", i, c->type);
		if (c->reg >= limit[c->type])
			return bad(r, at + 2, "constant %u is for register %u (limit %u)", i,
				   c->reg, limit[c->type]);
		for (k = 0; k < 4; k++) {
			if (c->type == VS_SHBIN_FLOAT)
				c->value[k] = get32(r, at + 4 + 4 * k) & 0xffffff;
			else if (c->type == VS_SHBIN_INT)
				c->value[k] = r->data[at + 4 + k];
		}
		if (c->type == VS_SHBIN_BOOL)
			c->value[0] = r->data[at + 4] & 1;
	}
	return 0;
}

/* The string table of a DVLE: where it is and how many bytes. */
struct strings {
	size_t at;
	uint32_t size;
};

/* Copy a name; room for all string tables was reserved. */
static int parse_name(struct reader *r, const struct strings *st, uint32_t offset, size_t where,
		      const char **name)
{
	const char *s, *nul;

	if (offset >= st->size)
		return bad(r, where, "name at %u lies outside the string table (%u bytes)", offset,
			   st->size);
	s = (const char *)r->data + st->at + offset;
	nul = memchr(s, 0, st->size - offset);
	if (!nul)
		return bad(r, where, "name at %u does not end in the string table", offset);
	for (; s < nul; s++) {
		if (*s < ' ' || *s > '~')
			return bad(r, where, "invalid character in the name at %u", offset);
	}
	s = (const char *)r->data + st->at + offset;
	*name = r->bin->strings + (s - (const char *)r->data);
	return 0;
}

static int parse_labels(struct reader *r, size_t dvle, const struct strings *st,
			struct vs_shbin_dvle *d)
{
	uint32_t count = get32(r, dvle + 36);
	uint32_t i;
	size_t at;
	int ret;

	ret = check_table(r, dvle, get32(r, dvle + 32), count, LABEL_SIZE, "labels", &at);
	if (ret)
		return ret;
	d->labels = calloc((size_t)count + 1, sizeof(*d->labels));
	if (!d->labels)
		return -ENOMEM;
	d->nlabels = count;
	for (i = 0; i < count; i++, at += LABEL_SIZE) {
		struct vs_shbin_label *l = &d->labels[i];

		l->id = r->data[at];
		l->word = get32(r, at + 4);
		l->size = get32(r, at + 8);
		if (l->word > r->bin->ncode)
			return bad(r, at + 4, "label %u is at word %u of %u", i, l->word,
				   r->bin->ncode);
		ret = parse_name(r, st, get32(r, at + 12), at + 12, &l->name);
		if (ret)
			return ret;
	}
	return 0;
}

static int parse_outs(struct reader *r, size_t dvle, struct vs_shbin_dvle *d)
{
	uint32_t count = get32(r, dvle + 44);
	uint32_t i;
	size_t at;
	int ret;

	ret = check_table(r, dvle, get32(r, dvle + 40), count, OUT_SIZE, "outputs", &at);
	if (ret)
		return ret;
	d->outs = calloc((size_t)count + 1, sizeof(*d->outs));
	if (!d->outs)
		return -ENOMEM;
	d->nouts = count;
	for (i = 0; i < count; i++, at += OUT_SIZE) {
		d->outs[i].type = get16(r, at);
		d->outs[i].reg = get16(r, at + 2);
		d->outs[i].mask = get16(r, at + 4) & 0xf;
		if (d->outs[i].reg >= 16)
			return bad(r, at + 2, "output %u is register %u (limit 16)", i,
				   d->outs[i].reg);
	}
	return 0;
}

static void classify(struct vs_shbin_reg *reg)
{
	static const struct {
		char kind;
		uint16_t first, last;
	} ranges[] = {
		{ 'v', 0x00, 0x0f }, { 'c', 0x10, 0x6f }, { 'i', 0x70, 0x73 }, { 'b', 0x78, 0x87 },
	};
	size_t i;

	reg->kind = '?';
	reg->first = reg->raw_first;
	reg->last = reg->raw_last;
	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (reg->raw_first < ranges[i].first || reg->raw_last > ranges[i].last)
			continue;
		reg->kind = ranges[i].kind;
		reg->first = reg->raw_first - ranges[i].first;
		reg->last = reg->raw_last - ranges[i].first;
	}
}

static int parse_regs(struct reader *r, size_t dvle, const struct strings *st,
		      struct vs_shbin_dvle *d)
{
	uint32_t count = get32(r, dvle + 52);
	uint32_t i;
	size_t at;
	int ret;

	ret = check_table(r, dvle, get32(r, dvle + 48), count, REG_SIZE, "uniforms", &at);
	if (ret)
		return ret;
	d->regs = calloc((size_t)count + 1, sizeof(*d->regs));
	if (!d->regs)
		return -ENOMEM;
	d->nregs = count;
	for (i = 0; i < count; i++, at += REG_SIZE) {
		struct vs_shbin_reg *reg = &d->regs[i];

		reg->raw_first = get16(r, at + 4);
		reg->raw_last = get16(r, at + 6);
		if (reg->raw_first > reg->raw_last)
			return bad(r, at + 4, "uniform %u ends (%u) before it starts (%u)", i,
				   reg->raw_last, reg->raw_first);
		classify(reg);
		ret = parse_name(r, st, get32(r, at), at, &reg->name);
		if (ret)
			return ret;
	}
	return 0;
}

static void parse_head(const struct reader *r, size_t at, struct vs_shbin_dvle *d)
{
	d->version = get16(r, at + 4);
	d->type = r->data[at + 6];
	d->merge = r->data[at + 7];
	d->entry = get32(r, at + 8);
	d->end = get32(r, at + 12);
	d->in_mask = get16(r, at + 16);
	d->out_mask = get16(r, at + 18);
	d->gs_mode = r->data[at + 20];
	d->gs_fixed_start = r->data[at + 21];
	d->gs_variable_count = r->data[at + 22];
	d->gs_fixed_count = r->data[at + 23];
}

static int check_head(struct reader *r, size_t at, const struct vs_shbin_dvle *d)
{
	if (d->type > VS_SHBIN_GEOMETRY)
		return bad(r, at + 6, "unknown program type %u", d->type);
	if (d->entry >= r->bin->ncode)
		return bad(r, at + 8, "entry point is word %u of %u", d->entry, r->bin->ncode);
	if (d->end > r->bin->ncode)
		return bad(r, at + 12, "program ends at word %u of %u", d->end, r->bin->ncode);
	if (d->gs_mode > VS_SHBIN_GS_FIXED)
		return bad(r, at + 20, "unknown geometry mode %u", d->gs_mode);
	return 0;
}

static int parse_dvle(struct reader *r, uint32_t offset, size_t where, struct vs_shbin_dvle *d)
{
	struct strings st;
	size_t at;
	int ret;

	ret = check_table(r, 0, offset, 1, DVLE_HEAD, "DVLE", &at);
	if (ret)
		return ret;
	if (get32(r, at) != MAGIC_DVLE)
		return bad(r, at, "no DVLE where offset %zu says", where);
	parse_head(r, at, d);
	ret = check_head(r, at, d);
	if (ret)
		return ret;
	st.size = get32(r, at + 60);
	ret = check_table(r, at, get32(r, at + 56), st.size, 1, "strings", &st.at);
	if (!ret)
		ret = parse_consts(r, at, d);
	if (!ret)
		ret = parse_labels(r, at, &st, d);
	if (!ret)
		ret = parse_outs(r, at, d);
	if (!ret)
		ret = parse_regs(r, at, &st, d);
	return ret;
}

static int parse_dvles(struct reader *r, uint32_t count)
{
	uint32_t i;
	int ret;

	r->bin->dvles = calloc((size_t)count + 1, sizeof(*r->bin->dvles));
	if (!r->bin->dvles)
		return -ENOMEM;
	/* Names point into a copy of the file, which has them all. */
	r->bin->strings = malloc(r->size);
	if (!r->bin->strings)
		return -ENOMEM;
	memcpy(r->bin->strings, r->data, r->size);
	for (i = 0; i < count; i++) {
		r->bin->ndvles = i + 1;
		ret = parse_dvle(r, get32(r, 8 + 4 * (size_t)i), 8 + 4 * (size_t)i,
				 &r->bin->dvles[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static int parse(struct reader *r)
{
	uint32_t count;
	size_t dvlp;
	int ret;

	if (r->size < 8)
		return bad(r, 0, "file of %zu bytes is too short for a DVLB header", r->size);
	if (get32(r, 0) != MAGIC_DVLB)
		return bad(r, 0, "no DVLB magic");
	count = get32(r, 4);
	if (count > VS_SHBIN_MAX_DVLE || (r->size - 8) / 4 < count)
		return bad(r, 4, "%u programs do not fit in %zu bytes", count, r->size);
	dvlp = 8 + 4 * (size_t)count;
	if (r->size - dvlp < DVLP_HEAD)
		return bad(r, dvlp, "file is too short for a DVLP header");
	if (get32(r, dvlp) != MAGIC_DVLP)
		return bad(r, dvlp, "no DVLP after the DVLB header");
	r->used = dvlp + DVLP_HEAD;
	ret = parse_code(r, dvlp);
	if (!ret)
		ret = parse_opdesc(r, dvlp);
	if (!ret)
		ret = parse_dvles(r, count);
	return ret;
}

int vs_shbin_parse(const void *data, size_t size, struct vs_shbin **out, struct vs_error *err)
{
	struct reader r = { .data = data, .size = size, .err = err };
	int ret;

	*out = NULL;
	if (err)
		memset(err, 0, sizeof(*err));
	r.bin = calloc(1, sizeof(*r.bin));
	if (!r.bin)
		return -ENOMEM;
	ret = parse(&r);
	if (ret) {
		vs_shbin_free(r.bin);
		return ret;
	}
	*out = r.bin;
	return 0;
}

void vs_shbin_free(struct vs_shbin *bin)
{
	uint32_t i;

	if (!bin)
		return;
	for (i = 0; i < bin->ndvles; i++) {
		free(bin->dvles[i].consts);
		free(bin->dvles[i].labels);
		free(bin->dvles[i].outs);
		free(bin->dvles[i].regs);
	}
	free(bin->code);
	free(bin->opdesc);
	free(bin->opdesc_high);
	free(bin->dvles);
	free(bin->strings);
	free(bin);
}

const struct vs_shbin_label *vs_shbin_find_label(const struct vs_shbin_dvle *dvle,
						 const char *name)
{
	uint32_t i;

	for (i = 0; i < dvle->nlabels; i++)
		if (!strcmp(dvle->labels[i].name, name))
			return &dvle->labels[i];
	return NULL;
}

const struct vs_shbin_reg *vs_shbin_find_reg(const struct vs_shbin_dvle *dvle, const char *name)
{
	uint32_t i;

	for (i = 0; i < dvle->nregs; i++)
		if (!strcmp(dvle->regs[i].name, name))
			return &dvle->regs[i];
	return NULL;
}
