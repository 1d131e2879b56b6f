// SPDX-License-Identifier: MIT
/*
 * Words of job files whose values depend on the memory layout: lists with addresses of
 * regions, such as uniform streams; also code in memory.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_json.h"

/* Lists may be nested, for readability only. */
static int count_words(struct jf_ctx *c, struct json_object *list, uint64_t *n)
{
	size_t i, len = json_object_array_length(list);
	int ret = 0;

	for (i = 0; i < len && !ret; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		if (json_object_is_type(o, json_type_array))
			ret = count_words(c, o, n);
		else if (++*n > c->values_left)
			ret = jf_error(c, "more than %u values in this file", JF_MAX_VALUES);
	}
	return ret;
}

static int add_fixup(struct jf_ctx *c, const char *text, uint32_t word, struct jf_piece *p)
{
	struct jf_fixup *f = &p->fixups[p->num_fixups++];

	f->word = word;
	f->text = jf_strdup(&c->jf->blocks, text);
	f->path = jf_strdup(&c->jf->blocks, c->path);
	return f->text && f->path ? 0 : -ENOMEM;
}

static int parse_one(struct jf_ctx *c, struct json_object *o, uint32_t word, struct jf_piece *p)
{
	const char *s, *end;
	uint32_t bits = 0;
	uint64_t n;
	int64_t i;

	switch (json_object_get_type(o)) {
	case json_type_int:
		i = json_object_get_int64(o);
		if (i > UINT32_MAX || i < INT32_MIN)
			return jf_error(c, "%lld does not fit into a word", (long long)i);
		bits = (uint32_t)i;
		break;
	case json_type_double:
		bits = jf_encode(JF_F32, json_object_get_double(o));
		if (isinf(jf_decode(JF_F32, bits)))
			return jf_error(c, "%g is too large for f32", json_object_get_double(o));
		break;
	case json_type_string:
		s = json_object_get_string(o);
		if (*s < '0' || *s > '9')
			return add_fixup(c, s, word, p);
		if (!jf_parse_u64(s, &end, &n) || *end || n > UINT32_MAX)
			return jf_error(c, "expected a word in decimal or with 0x, got \"%.40s\"",
					s);
		bits = (uint32_t)n;
		break;
	default:
		return jf_error(c, "expected a number or an address");
	}
	jf_store(JF_U32, bits, p->data + 4 * (size_t)word);
	return 0;
}

static int fill_words(struct jf_ctx *c, struct json_object *list, uint32_t *word,
		      struct jf_piece *p)
{
	size_t i, len = json_object_array_length(list), mark;
	int ret = 0;

	for (i = 0; i < len && !ret; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		mark = jf_enter_index(c, i);
		if (json_object_is_type(o, json_type_array))
			ret = fill_words(c, o, word, p);
		else
			ret = parse_one(c, o, (*word)++, p);
		jf_leave(c, mark);
	}
	return ret;
}

int jf_parse_mixed(struct jf_ctx *c, struct json_object *list, struct jf_piece *p)
{
	uint32_t word = 0;
	uint64_t n = 0;
	int ret;

	if (!json_object_is_type(list, json_type_array))
		return jf_error(c, "expected a list of words");
	ret = count_words(c, list, &n);
	if (ret)
		return ret;
	c->values_left -= n;
	p->len = 4 * n;
	p->repeat = 1;
	p->data = jf_alloc(&c->jf->blocks, p->len);
	p->fixups = jf_alloc(&c->jf->blocks, n * sizeof(*p->fixups));
	if (!p->data || !p->fixups)
		return -ENOMEM;
	return fill_words(c, list, &word, p);
}

/* Region for a job's inline words. */
int jf_new_words(struct jf_ctx *c, struct json_object *list, uint32_t vm, uint32_t *index)
{
	struct jf_piece *p = jf_alloc(&c->jf->blocks, sizeof(*p));
	int ret;

	if (!p)
		return -ENOMEM;
	ret = jf_parse_mixed(c, list, p);
	if (!ret)
		ret = jf_resolve_piece(c, p);
	if (!ret)
		ret = jf_new_region(c, NULL, vm, p->len ? p->len : 4, index);
	if (ret)
		return ret;
	c->jf->regions[*index].pieces = p;
	c->jf->regions[*index].num_pieces = 1;
	return 0;
}

int jf_resolve_piece(struct jf_ctx *c, struct jf_piece *p)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < p->num_fixups && !ret; i++) {
		struct jf_fixup *f = &p->fixups[i];
		struct json_object *v = json_object_new_string(f->text);

		if (!v)
			return -ENOMEM;
		ret = jf_parse_loc(c, v, &f->at);
		json_object_put(v);
	}
	return ret;
}

/* Regions may name regions that come later. */
int jf_resolve_regions(struct jf_ctx *c)
{
	struct vshader_jobfile *jf = c->jf;
	uint32_t i, k, n;
	size_t mark;
	int ret = 0;

	for (i = 0; i < jf->num_regions && !ret; i++) {
		for (k = 0; k < jf->regions[i].num_pieces && !ret; k++) {
			struct jf_piece *p = &jf->regions[i].pieces[k];

			for (n = 0; n < p->num_fixups && !ret; n++) {
				struct jf_piece one = {
					.num_fixups = 1, .fixups = &p->fixups[n],
				};

				mark = jf_enter(c, p->fixups[n].path);
				ret = jf_resolve_piece(c, &one);
				jf_leave(c, mark);
			}
		}
	}
	return ret;
}

/* ---- code in memory ---- */

/**
 * struct include - where included files come from
 * @c: the job file
 * @source: name of the source
 */
struct include {
	struct jf_ctx *c;
	const char *source;
};

/* Relative to the folder of the source. */
static int load_include(void *ctx, const char *name, char **text, size_t *size)
{
	struct include *inc = ctx;
	const char *slash = strrchr(inc->source, '/');
	uint8_t *data;
	char *path;
	int ret;

	if (inc->c->flags & VSHADER_JOBFILE_NO_FILES)
		return -ENOENT;
	if (asprintf(&path, "%.*s%s", slash ? (int)(slash - inc->source) + 1 : 0, inc->source,
		     name) < 0)
		return -ENOMEM;
	ret = jf_read_file(inc->c, path, &data, size);
	free(path);
	if (!ret)
		*text = (char *)data;
	return ret;
}

int jf_assemble(struct jf_ctx *c, uint32_t engine, const char *text, size_t len, const char *name,
		struct vshader_binary **bin)
{
	struct include inc = { .c = c, .source = name };
	const struct vshader_include include = { .load = load_include, .ctx = &inc };

	if (vshader_assemble_with(engine, text, len, name, &include, bin))
		return jf_error(c, "%s", vshader_error());
	return 0;
}

/* Takes @bin over: debuggers want its lines and names. */
static struct jf_code *keep_code(struct vshader_jobfile *jf, struct vshader_binary *bin)
{
	struct jf_code *more = realloc(jf->codes, (jf->num_codes + 1) * sizeof(*more));

	if (!more) {
		vshader_binary_free(bin);
		return NULL;
	}
	jf->codes = more;
	more += jf->num_codes++;
	*more = (struct jf_code){ .bin = bin };
	return more;
}

static int assemble(struct jf_ctx *c, struct json_object *v, uint32_t **words, uint32_t *n)
{
	static const char * const keys[] = { "file", NULL };
	struct vshader_binary *bin;
	struct vshader_source src;
	const char *name = "asm", *text;
	uint8_t *data = NULL;
	struct jf_code *code;
	size_t len;
	bool file;
	int ret;

	if (json_object_is_type(v, json_type_string)) {
		text = json_object_get_string(v);
		len = (size_t)json_object_get_string_len(v);
	} else {
		ret = jf_keys(c, v, keys);
		if (!ret)
			ret = jf_require(c, v, "file");
		if (!ret)
			ret = jf_string(c, v, "file", &name);
		if (!ret)
			ret = jf_read_file(c, name, &data, &len);
		if (ret)
			return ret;
		text = (const char *)data;
	}
	file = !!data;
	ret = jf_assemble(c, c->jf->engine, text, len, name, &bin);
	free(data);
	if (ret)
		return ret;
	code = keep_code(c->jf, bin);
	if (!code)
		return -ENOMEM;
	vshader_binary_source(bin, 0, &src);
	*n = src.num_words[DRM_VSHADER_SECTION_CODE];
	*words = jf_alloc(&c->jf->blocks, 4 * (size_t)*n);
	if (!*words)
		return -ENOMEM;
	memcpy(*words, src.words[DRM_VSHADER_SECTION_CODE], 4 * (size_t)*n);
	return file ? jf_source_path(c, name, &code->source) : 0;
}

/* As the words of a program, or {"asm": ...}. */
int jf_parse_code(struct jf_ctx *c, struct json_object *v, uint32_t **words, uint32_t *n)
{
	static const char * const keys[] = { "asm", NULL };
	struct json_object *text = NULL;
	size_t mark;
	int ret;

	if (json_object_is_type(v, json_type_object))
		text = jf_get(v, "asm");
	if (!text)
		return jf_parse_words(c, v, words, n);
	ret = jf_keys(c, v, keys);
	mark = jf_enter(c, "asm");
	if (!ret)
		ret = assemble(c, text, words, n);
	jf_leave(c, mark);
	return ret;
}
