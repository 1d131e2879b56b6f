// SPDX-License-Identifier: MIT
/*
 * Requests to the PICA200's units beside the command processor in job files: parsing, the pictures
 * of display transfers, text.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "jobfile_pica.h"

#define WORDS		8u
#define MAX_REQUESTS	2048	/* more than a job may have, to be able to ask for it */

#define FILL		2
#define TRANSFER	3
#define COPY		4

#define FLAG_LINEAR	0x02
#define FLAG_SAME	0x20
#define FLAG_BLOCKS_32	0x10000

/**
 * struct gx_request - Request being parsed.
 * @word:	its words
 * @at:		addresses, by word
 * @placed:	words that are addresses
 * @engines:	memory fill engines in use
 */
struct gx_request {
	uint32_t word[WORDS];
	struct jf_loc at[WORDS];
	uint32_t placed;
	uint32_t engines;
};

static const struct jf_name formats[] = {
	{ "rgba8", 0 }, { "rgb8", 1 }, { "rgb565", 2 }, { "rgb5a1", 3 }, { "rgba4", 4 }, { }
};

static const struct jf_name scales[] = { { "none", 0 }, { "x", 1 }, { "xy", 2 }, { } };

static const struct jf_name flags[] = {
	{ "flip", 0x1 }, { "linear-to-tiled", FLAG_LINEAR }, { "crop", 0x4 },
	{ "same-order", FLAG_SAME }, { "blocks-32", FLAG_BLOCKS_32 }, { }
};

/* ---- parsing ---- */

static int address(struct jf_ctx *c, struct json_object *o, const char *key,
		   struct gx_request *r, uint32_t word)
{
	int ret = jf_require(c, o, key);

	r->placed |= 1u << word;
	return ret ? ret : jf_get_loc(c, o, key, &r->at[word]);
}

/* Two numbers of 16 bits in a word: width and height, or row and gap. */
static int pair(struct jf_ctx *c, struct json_object *o, const char *key, bool required,
		uint32_t *out)
{
	struct json_object *list;
	uint64_t low = 0, high = 0;
	size_t n, mark;
	int ret = required ? jf_require(c, o, key) : 0;

	if (!ret)
		ret = jf_list(c, o, key, 2, &list, &n);
	if (ret || !list)
		return ret;
	mark = jf_enter(c, key);
	ret = n == 2 ? jf_value_u64(c, json_object_array_get_idx(list, 0), UINT16_MAX, &low) :
		       jf_error(c, "expected two numbers");
	if (!ret)
		ret = jf_value_u64(c, json_object_array_get_idx(list, 1), UINT16_MAX, &high);
	jf_leave(c, mark);
	*out = (uint32_t)(low | high << 16);
	return ret;
}

static int parse_fill(struct jf_ctx *c, struct json_object *o, struct gx_request *r)
{
	static const char * const keys[] = { "at", "size", "value", "width", "comment", NULL };
	uint32_t first = 1 + 3 * r->engines, width = 32, size = 0;
	int ret = jf_keys(c, o, keys);

	if (!ret)
		ret = address(c, o, "at", r, first);
	if (!ret)
		ret = jf_require(c, o, "size");
	if (!ret)
		ret = jf_u32(c, o, "size", UINT32_MAX, &size);
	if (!ret)
		ret = jf_u32(c, o, "value", UINT32_MAX, &r->word[first + 1]);
	if (!ret)
		ret = jf_u32(c, o, "width", UINT32_MAX, &width);
	if (!ret && width != 16 && width != 24 && width != 32)
		ret = jf_error(c, "\"width\" is 16, 24 or 32, not %u", width);
	r->placed |= 1u << (first + 2);
	r->at[first + 2] = r->at[first];
	r->at[first + 2].offset += size;
	r->word[7] |= (1 | (width / 8 - 2) << 8) << (16 * r->engines++);
	return ret;
}

static int parse_fills(struct jf_ctx *c, struct json_object *o, struct gx_request *r)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, o, "fill", 2, &list, &n);

	r->word[0] = FILL;
	if (ret)
		return ret;
	mark = jf_enter(c, "fill");
	for (i = 0; i < n && !ret; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_fill(c, json_object_array_get_idx(list, i), r);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

static int parse_transfer(struct jf_ctx *c, struct json_object *o, struct gx_request *r)
{
	static const char * const keys[] = { "input", "output", "input_size", "output_size",
					     "input_format", "output_format", "scale", "flags",
					     "comment", NULL };
	uint32_t in = 0, out, scale = 0;
	int ret = jf_keys(c, o, keys);

	r->word[0] = TRANSFER;
	if (!ret)
		ret = address(c, o, "input", r, 1);
	if (!ret)
		ret = address(c, o, "output", r, 2);
	if (!ret)
		ret = pair(c, o, "input_size", true, &r->word[3]);
	r->word[4] = r->word[3];
	if (!ret)
		ret = pair(c, o, "output_size", false, &r->word[4]);
	if (!ret)
		ret = jf_enum(c, o, "input_format", formats, &in);
	out = in;
	if (!ret)
		ret = jf_enum(c, o, "output_format", formats, &out);
	if (!ret)
		ret = jf_enum(c, o, "scale", scales, &scale);
	if (!ret)
		ret = jf_flag_list(c, o, "flags", flags, &r->word[5]);
	r->word[5] |= in << 8 | out << 12 | scale << 24;
	return ret;
}

static int parse_copy(struct jf_ctx *c, struct json_object *o, struct gx_request *r)
{
	static const char * const keys[] = { "input", "output", "size", "input_row", "output_row",
					     "comment", NULL };
	int ret = jf_keys(c, o, keys);

	r->word[0] = COPY;
	r->word[6] = 8;
	if (!ret)
		ret = address(c, o, "input", r, 1);
	if (!ret)
		ret = address(c, o, "output", r, 2);
	if (!ret)
		ret = jf_require(c, o, "size");
	if (!ret)
		ret = jf_u32(c, o, "size", UINT32_MAX, &r->word[3]);
	if (!ret)
		ret = pair(c, o, "input_row", false, &r->word[4]);
	return ret ? ret : pair(c, o, "output_row", false, &r->word[5]);
}

static int parse_request(struct jf_ctx *c, struct json_object *o, void *item)
{
	static const char * const keys[] = { "fill", "transfer", "copy", "comment", NULL };
	struct json_object *t, *copy;
	size_t mark;
	int ret = jf_keys(c, o, keys);

	if (ret)
		return ret;
	t = jf_get(o, "transfer");
	copy = jf_get(o, "copy");
	if (!!jf_get(o, "fill") + !!t + !!copy != 1)
		return jf_error(c, "expected one of \"fill\", \"transfer\" and \"copy\"");
	if (!t && !copy)
		return parse_fills(c, o, item);
	mark = jf_enter(c, t ? "transfer" : "copy");
	ret = t ? parse_transfer(c, t, item) : parse_copy(c, copy, item);
	jf_leave(c, mark);
	return ret;
}

/* Their words; addresses are filled in when memory is mapped. */
static int store(struct jf_ctx *c, const struct gx_request *r, uint32_t num, struct jf_piece *p)
{
	uint32_t i, k;

	p->len = 4 * WORDS * num;
	p->repeat = 1;
	p->data = jf_alloc(&c->jf->blocks, p->len);
	p->fixups = jf_alloc(&c->jf->blocks, (size_t)num * WORDS * sizeof(*p->fixups));
	if (!p->data || !p->fixups)
		return -ENOMEM;
	for (i = 0; i < num; i++) {
		for (k = 0; k < WORDS; k++) {
			jf_store(JF_U32, r[i].word[k], p->data + 4 * (size_t)(WORDS * i + k));
			if (r[i].placed >> k & 1)
				p->fixups[p->num_fixups++] = (struct jf_fixup){
					.word = WORDS * i + k, .at = r[i].at[k],
				};
		}
	}
	return 0;
}

int pica_parse_requests(struct jf_ctx *c, struct json_object *o, struct jf_native *n, uint32_t vm)
{
	static const struct jf_element request = { parse_request, sizeof(struct gx_request) };
	static const char * const keys[] = { "format", "at", "size", "requests", "comment", NULL };
	struct gx_request *r = NULL;
	struct jf_piece *p;
	uint32_t num;
	int ret = jf_keys(c, o, keys);

	n->output.region = JF_NONE;
	if (!ret)
		ret = jf_u64(c, o, "size", UINT64_MAX, &n->size);
	if (!ret && !jf_get(o, "requests"))
		return jf_parse_list_at(c, o, n);
	if (!ret && (jf_get(o, "at") || jf_get(o, "size")))
		ret = jf_error(c, "expected either \"at\" or \"requests\"");
	if (!ret)
		ret = jf_each_new(c, o, "requests", MAX_REQUESTS, &request, &r, &num);
	if (ret)
		return ret;
	if (!num)
		return jf_error(c, "\"requests\" is empty");
	p = jf_alloc(&c->jf->blocks, sizeof(*p));
	ret = p ? store(c, r, num, p) : -ENOMEM;
	if (!ret)
		ret = jf_new_region(c, NULL, vm, p->len, &n->at.region);
	if (ret)
		return ret;
	c->jf->regions[n->at.region].pieces = p;
	c->jf->regions[n->at.region].num_pieces = 1;
	n->size = p->len;
	return 0;
}

/* ---- pictures ---- */

/* Output of a transfer: rows, or blocks of 8 x 8 pixels. */
static int add_output(struct runner *r, uint32_t n, const uint32_t *w)
{
	static const char * const pixels[8] = {
		"a8b8g8r8", "b8g8r8", "b5g6r5", "a1b5g5r5", "a4b4g4r4"
	};
	bool tiled = !(w[5] & FLAG_LINEAR) == !!(w[5] & FLAG_SAME);
	const char *format = pixels[w[5] >> 12 & 7];
	uint32_t scale = w[5] >> 24 & 3;
	struct jf_picture p = { .width = (w[4] & 0xffff) >> !!scale,
				.height = (w[4] >> 16) >> (scale == 2),
				.layout = tiled ? JF_MORTON : JF_LINEAR };

	if ((tiled && w[5] & FLAG_BLOCKS_32) || !format || !jf_pixel_format(format, &p.pixel))
		return 0;
	p.stride = jf_picture_stride(&p);
	return run_add_target(r, n, "transfer", w[2], &p);
}

int pica_request_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job)
{
	const struct jf_loc at = { .region = JF_NONE, .offset = job->va };
	const uint8_t *p = run_ptr(r, r->jobs[n].vm, &at, job->size);
	uint32_t w[WORDS];
	uint64_t i;
	int ret = 0;

	for (i = 0; p && i + sizeof(w) <= job->size && !ret; i += sizeof(w)) {
		memcpy(w, p + i, sizeof(w));
		if ((w[0] & 0xff) == TRANSFER)
			ret = add_output(r, n, w);
	}
	return ret;
}

/* ---- text ---- */

static int fill_text(const uint32_t *w, char *buf, size_t size)
{
	static const uint32_t widths[4] = { 16, 24, 32, 24 };
	uint32_t i, control;
	int n = snprintf(buf, size, "fill");

	for (i = 0; i < 2; i++) {
		control = w[7] >> (16 * i);
		if (control & 1)
			n += snprintf(buf + n, size - (size_t)n, "%s %#x to %#x, %u bits %#x",
				      n > 4 ? ";" : "", w[1 + 3 * i], w[3 + 3 * i],
				      widths[control >> 8 & 3], w[2 + 3 * i]);
	}
	return n;
}

static int transfer_text(const uint32_t *w, char *buf, size_t size)
{
	const char *in = jf_name_of(formats, w[5] >> 8 & 7);
	const char *out = jf_name_of(formats, w[5] >> 12 & 7);
	const struct jf_name *f;
	int n = snprintf(buf, size, "transfer %#x, %u x %u %s, to %#x, %u x %u %s", w[1],
			 w[3] & 0xffff, w[3] >> 16, in ? in : "?", w[2], w[4] & 0xffff, w[4] >> 16,
			 out ? out : "?");

	if (w[5] >> 24 & 3)
		n += snprintf(buf + n, size - (size_t)n, ", scale %s",
			      (w[5] >> 24 & 3) == 1 ? "x" : "xy");
	for (f = flags; f->name; f++)
		if (w[5] & f->value)
			n += snprintf(buf + n, size - (size_t)n, ", %s", f->name);
	return n;
}

const char *pica_request_text(const uint32_t *w, char *buf, size_t size)
{
	switch (w[0] & 0xff) {
	case FILL:
		fill_text(w, buf, size);
		break;
	case TRANSFER:
		transfer_text(w, buf, size);
		break;
	case COPY:
		snprintf(buf, size, "copy %u bytes, %#x, rows %u gap %u, to %#x, rows %u gap %u",
			 w[3], w[1], (w[4] & 0xffff) * 16, (w[4] >> 16) * 16, w[2],
			 (w[5] & 0xffff) * 16, (w[5] >> 16) * 16);
		break;
	default:
		snprintf(buf, size, "unknown request %#x", w[0]);
	}
	return buf;
}
