// SPDX-License-Identifier: MIT
/*
 * Programs of job files: words, containers, assembly.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

#define MAX_ENTRIES	4096

static const struct jf_name sections[] = {
	{ "code", DRM_VSHADER_SECTION_CODE },
	{ "opdesc", DRM_VSHADER_SECTION_OPDESC },
	{ }
};

/* Semantics of PICA200 outputs, as in SHBIN. */
static const struct jf_name output_types[] = {
	{ "position", 0 }, { "normalquat", 1 }, { "color", 2 }, { "texcoord0", 3 },
	{ "texcoord0w", 4 }, { "texcoord1", 5 }, { "texcoord2", 6 }, { "view", 8 },
	{ }
};

/* Registers of each kind. */
static unsigned int num_registers(char kind)
{
	switch (kind) {
	case 'c':
		return 96;
	case 'i':
		return 4;
	default:
		return 16;
	}
}

/* "v3": a register's architectural name. */
static bool plain_register(const char *name, char kind, struct vshader_register *reg)
{
	const char *end;
	uint64_t n;

	if (name[0] != kind || !jf_parse_u64(name + 1, &end, &n) || *end ||
	    n >= num_registers(kind))
		return false;
	*reg = (struct vshader_register){ .kind = kind, .first = (uint8_t)n, .count = 1 };
	return true;
}

static bool named_register(const struct jf_program *p, const char *name, char kind,
			   struct vshader_register *reg)
{
	unsigned int i;

	if (!p->bin)
		return false;
	for (i = 0; !vshader_binary_register(p->bin, p->bin_index, i, reg); i++) {
		if (kind && reg->kind != kind)
			continue;
		if (reg->name && !strcmp(reg->name, name))
			return true;
		if (reg->kind == 'o') {
			const char *type = jf_name_of(output_types, reg->type);

			if (type && !strcmp(type, name))
				return true;
		}
	}
	return false;
}

/*
 * Look up a register by its architectural name ("c12") or its name in the program's
 * container.
 * @kind 0: any uniform.
 */
int jf_program_reg(struct jf_ctx *c, const struct jf_program *p, const char *name, char kind,
		   struct vshader_register *reg)
{
	uint32_t number;
	const char *k;

	if (kind) {
		if (plain_register(name, kind, reg) || named_register(p, name, kind, reg))
			return 0;
		if (jf_mbs1_register(p, name, kind, &number)) {
			*reg = (struct vshader_register){ .kind = kind, .first = (uint8_t)number,
							  .count = 1 };
			return 0;
		}
		return jf_error(c, "no register \"%.64s\"; expected %c0 to %c%u%s", name, kind,
				kind, num_registers(kind) - 1,
				p->bin || p->mbs ? " or a name that the program knows" : "");
	}
	for (k = "cib"; *k; k++) {
		if (plain_register(name, *k, reg))
			return 0;
	}
	if (named_register(p, name, 0, reg) && strchr("cib", reg->kind))
		return 0;
	return jf_error(c, "no uniform \"%.64s\"; expected c0 to c95, i0 to i3, b0 to b15%s", name,
			p->bin ? " or a name that the program knows" : "");
}

/* Word of a program: number or label. */
int jf_program_word(struct jf_ctx *c, const struct jf_program *p, struct json_object *v,
		    uint32_t *word)
{
	const char *s, *end;
	uint64_t n;
	int ret;

	if (!json_object_is_type(v, json_type_string)) {
		ret = jf_value_u64(c, v, UINT32_MAX, &n);
		if (!ret)
			*word = (uint32_t)n;
		return ret;
	}
	s = json_object_get_string(v);
	if (jf_parse_u64(s, &end, &n) && !*end && n <= UINT32_MAX) {
		*word = (uint32_t)n;
		return 0;
	}
	if (p->bin && !vshader_binary_label(p->bin, p->bin_index, s, word))
		return 0;
	return jf_error(c, "the program has no label \"%.64s\"", s);
}

/* File name in the forms "name" and {"file": "name", ...}. */
static int file_name(struct jf_ctx *c, struct json_object *v, const char **name)
{
	int ret;

	if (json_object_is_type(v, json_type_string)) {
		*name = jf_strdup(&c->jf->blocks, json_object_get_string(v));
		return *name ? 0 : -ENOMEM;
	}
	ret = jf_is_object(c, v);
	if (!ret)
		ret = jf_require(c, v, "file");
	return ret ? ret : jf_string(c, v, "file", name);
}

/* Name of a container's file, and the selected program in it. */
static int container(struct jf_ctx *c, struct json_object *v, struct jf_program *p,
		     const char **name)
{
	static const char * const keys[] = { "file", "program", NULL };
	int ret;

	if (json_object_is_type(v, json_type_object)) {
		ret = jf_keys(c, v, keys);
		if (!ret)
			ret = jf_u32(c, v, "program", UINT32_MAX, &p->bin_index);
		if (ret)
			return ret;
	}
	return file_name(c, v, name);
}

static int load_mbs1(struct jf_ctx *c, struct json_object *v, struct jf_program *p)
{
	const char *name = NULL;
	size_t mark = jf_enter(c, "mbs1");
	int ret = container(c, v, p, &name);

	if (!ret)
		ret = jf_load_mbs1(c, name, p);
	jf_leave(c, mark);
	return ret;
}

static int load_shbin(struct jf_ctx *c, struct json_object *v, struct jf_program *p)
{
	const char *name = NULL;
	uint8_t *data;
	size_t len;
	int ret;

	ret = container(c, v, p, &name);
	if (!ret)
		ret = jf_read_file(c, name, &data, &len);
	if (ret)
		return ret;
	ret = vshader_binary_load(data, len, &p->bin);
	free(data);
	return ret ? jf_error(c, "\"%s\": %s", name, vshader_error()) : 0;
}

static int load_asm(struct jf_ctx *c, struct json_object *v, struct jf_program *p)
{
	static const char * const keys[] = { "file", NULL };
	const char *name = p->name ? p->name : "asm", *text;
	uint8_t *data = NULL;
	size_t len;
	int ret;

	if (json_object_is_type(v, json_type_string)) {
		text = json_object_get_string(v);
		len = (size_t)json_object_get_string_len(v);
	} else {
		ret = jf_keys(c, v, keys);
		if (!ret)
			ret = file_name(c, v, &name);
		if (!ret)
			ret = jf_read_file(c, name, &data, &len);
		if (ret)
			return ret;
		text = (const char *)data;
	}
	ret = jf_assemble(c, p->engine, text, len, name, &p->bin);
	free(data);
	return ret || !data ? ret : jf_source_path(c, name, &p->source);
}

/* The words of a container stay with it. */
static int use_binary(struct jf_ctx *c, struct jf_program *p)
{
	struct vshader_source src;
	unsigned int i;

	if (vshader_binary_source(p->bin, p->bin_index, &src))
		return jf_error(c, "there is no program %u; the container has %u", p->bin_index,
				vshader_binary_count(p->bin));
	p->engine = src.engine;
	if (!jf_isa_of(p->engine)->any_stage)
		p->stage = src.stage;
	for (i = 0; i < VSHADER_NUM_SECTIONS; i++) {
		p->words[i] = (uint32_t *)src.words[i];
		p->num_words[i] = src.num_words[i];
	}
	p->entries = (uint32_t *)src.entries;
	p->num_entries = src.num_entries;
	return 0;
}

static int parse_entries(struct jf_ctx *c, struct json_object *o, struct jf_program *p)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, o, "entries", MAX_ENTRIES, &list, &n);

	if (ret || (!list && p->entries))
		return ret;
	p->entries = jf_alloc(&c->jf->blocks, (n ? n : 1) * sizeof(*p->entries));
	if (!p->entries)
		return -ENOMEM;
	p->num_entries = list ? (uint32_t)n : 1;
	mark = jf_enter(c, "entries");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = jf_program_word(c, p, json_object_array_get_idx(list, i), &p->entries[i]);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

static int parse_reject(struct jf_ctx *c, struct json_object *o, struct jf_program *p)
{
	static const char * const keys[] = { "reason", "section", "offset", "field", "value",
					     "comment", NULL };
	static const char * const names[] = { "section", "offset", "reason", "field", "value" };
	static const uint32_t bits[] = { JF_REJECT_SECTION, JF_REJECT_OFFSET, JF_REJECT_REASON,
					 JF_REJECT_FIELD, JF_REJECT_VALUE };
	struct json_object *field;
	size_t n, mark;
	unsigned int i;
	uint64_t bit;
	int ret;

	p->expect_reject = true;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_enum(c, o, "section", sections, &p->reject.section);
	if (!ret)
		ret = jf_u32(c, o, "reason", UINT32_MAX, &p->reject.reason);
	if (!ret)
		ret = jf_u32(c, o, "offset", UINT32_MAX, &p->reject.offset);
	if (!ret)
		ret = jf_u32(c, o, "value", UINT32_MAX, &p->reject.value);
	if (!ret)
		ret = jf_list(c, o, "field", 2, &field, &n);
	if (ret)
		return ret;
	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		if (jf_get(o, names[i]))
			p->reject_mask |= bits[i];
	}
	if (!field)
		return 0;
	mark = jf_enter(c, "field");
	if (n != 2)
		ret = jf_error(c, "expected [lowest bit, highest bit]");
	for (i = 0; !ret && i < 2; i++) {
		ret = jf_value_u64(c, json_object_array_get_idx(field, i), 63, &bit);
		if (i)
			p->reject.field_hi = (uint8_t)bit;
		else
			p->reject.field_lo = (uint8_t)bit;
	}
	jf_leave(c, mark);
	return ret;
}

static int load_words(struct jf_ctx *c, struct json_object *o, const char *key,
		      struct jf_program *p, unsigned int section)
{
	struct json_object *v = jf_get(o, key);
	size_t mark;
	int ret;

	if (!v)
		return 0;
	mark = jf_enter(c, key);
	ret = jf_parse_words(c, v, &p->words[section], &p->num_words[section]);
	if (!ret && section == DRM_VSHADER_SECTION_CODE && !p->num_words[section])
		ret = jf_error(c, "there are no words");
	jf_leave(c, mark);
	return ret;
}

static int load_code(struct jf_ctx *c, struct json_object *o, struct jf_program *p)
{
	struct json_object *shbin = jf_get(o, "shbin"), *text = jf_get(o, "asm");
	struct json_object *mbs1 = jf_get(o, "mbs1");
	size_t mark;
	int ret;

	if (!shbin + !mbs1 + !text + !jf_get(o, "words") != 3)
		return jf_error(c, "expected exactly one of %s",
				"\"words\", \"shbin\", \"mbs1\" and \"asm\"");
	if (jf_get(o, "words")) {
		ret = load_words(c, o, "words", p, DRM_VSHADER_SECTION_CODE);
		return ret ? ret : load_words(c, o, "opdesc", p, DRM_VSHADER_SECTION_OPDESC);
	}
	if (jf_get(o, "opdesc"))
		return jf_error(c, "\"opdesc\" goes with \"words\" only");
	if (jf_get(o, "stage") && (shbin || mbs1 || !jf_isa_of(p->engine)->any_stage))
		return jf_error(c, "\"stage\" goes with \"words\" only");
	if (mbs1)
		return load_mbs1(c, mbs1, p);
	mark = jf_enter(c, shbin ? "shbin" : "asm");
	ret = shbin ? load_shbin(c, shbin, p) : load_asm(c, text, p);
	if (!ret)
		ret = use_binary(c, p);
	jf_leave(c, mark);
	return ret;
}

static int parse_program(struct jf_ctx *c, struct json_object *o, struct jf_program *p)
{
	static const char * const keys[] = { "name", "engine", "stage", "words", "opdesc", "shbin",
					     "mbs1", "asm", "entries", "reject", "comment", NULL };
	size_t mark;
	int ret;

	p->engine = c->jf->engine;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_string(c, o, "name", &p->name);
	if (!ret)
		ret = jf_engine(c, o, "engine", &p->engine);
	p->stage = jf_isa_of(p->engine)->stage;
	if (!ret)
		ret = jf_enum(c, o, "stage", jf_stages, &p->stage);
	if (!ret)
		ret = load_code(c, o, p);
	if (!ret)
		ret = parse_entries(c, o, p);
	if (!ret && jf_get(o, "reject")) {
		mark = jf_enter(c, "reject");
		ret = parse_reject(c, jf_get(o, "reject"), p);
		jf_leave(c, mark);
	}
	return ret;
}

int jf_parse_programs(struct jf_ctx *c, struct json_object *root)
{
	struct vshader_jobfile *jf = c->jf;
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, root, "programs", JF_MAX_ITEMS, &list, &n);

	if (ret)
		return ret;
	jf->programs = jf_alloc(&jf->blocks, n * sizeof(*jf->programs));
	if (!jf->programs)
		return -ENOMEM;
	mark = jf_enter(c, "programs");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		/* Counted before it is parsed: a container is released with the file. */
		jf->num_programs = (uint32_t)i + 1;
		ret = parse_program(c, json_object_array_get_idx(list, i), &jf->programs[i]);
		if (!ret)
			ret = jf_unique(c, "programs", &jf->programs->name, sizeof(*jf->programs),
					i);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}
