// SPDX-License-Identifier: MIT
/*
 * Expectations of job files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

static const struct jf_name statuses[] = {
	{ "ok", 0 }, { "EIO", EIO }, { "ETIME", ETIME }, { "ECANCELED", ECANCELED },
	{ "EINVAL", EINVAL }, { "ENOENT", ENOENT }, { "E2BIG", E2BIG }, { "ENOMEM", ENOMEM },
	{ "ENOEXEC", ENOEXEC }, { "EBUSY", EBUSY }, { "EACCES", EACCES }, { "EFAULT", EFAULT },
	{ }
};

static int parse_tolerances(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	int ret = jf_double(c, o, "abs", &e->abs_tol);

	if (!ret)
		ret = jf_double(c, o, "rel", &e->rel_tol);
	return ret ? ret : jf_u32(c, o, "ulp", 1u << 24, &e->ulp_tol);
}

/* The list of values under its type name; @required or not. */
int jf_parse_expected(struct jf_ctx *c, struct json_object *o, bool required,
		      struct jf_expect *e)
{
	enum jf_type type = jf_values_type(o);
	unsigned int t, n = 0;
	size_t mark;
	int ret;

	for (t = 0; t < JF_NUM_TYPES; t++)
		n += json_object_object_get_ex(o, jf_type_names[t], NULL);
	if (n > 1 || (!n && required))
		return jf_error(c, "expected exactly one list of values: u8 ... u32, f16 ... f32");
	if (!n)
		return 0;
	mark = jf_enter(c, jf_type_names[type]);
	ret = jf_parse_values(c, jf_get(o, jf_type_names[type]), type, true, &e->values);
	for (n = 0; n < e->values.count && e->values.v[n].kind == JF_ANY;)
		n++;
	if (!ret && n == e->values.count)
		ret = jf_error(c, "%s checks nothing (expected values)",
			       n ? "a list of null" : "an empty list");
	jf_leave(c, mark);
	return ret ? ret : parse_tolerances(c, o, e);
}

static int find_output(struct jf_ctx *c, struct json_object *v, const struct jf_job *job,
		       const struct jf_stream **out)
{
	const struct jf_shader *sh = &job->shader;
	uint64_t n;
	int ret;

	if (json_object_is_type(v, json_type_string)) {
		const char *s = json_object_get_string(v);

		for (n = 0; n < sh->num_outputs; n++) {
			if (!strcmp(sh->outputs[n].name, s)) {
				*out = &sh->outputs[n];
				return 0;
			}
		}
		return jf_error(c, "the job has no output \"%.64s\"", s);
	}
	ret = jf_value_u64(c, v, UINT32_MAX, &n);
	if (!ret && n >= sh->num_outputs)
		ret = jf_error(c, "the job has %u outputs", sh->num_outputs);
	if (!ret)
		*out = &sh->outputs[n];
	return ret;
}

static int parse_output(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			struct jf_expect *e)
{
	static const char * const keys[] = { "output", "from", "name", "comment", JF_VALUE_KEYS,
					     NULL };
	const struct jf_stream *s = NULL;
	uint32_t from = 0;
	size_t mark;
	int ret;

	e->type = JF_EXPECT_MEMORY;
	ret = jf_keys(c, o, keys);
	if (ret)
		return ret;
	mark = jf_enter(c, "output");
	ret = find_output(c, jf_get(o, "output"), job, &s);
	jf_leave(c, mark);
	if (!ret)
		ret = jf_u32(c, o, "from", UINT32_MAX, &from);
	if (!ret)
		ret = jf_parse_expected(c, o, true, e);
	if (ret)
		return ret;
	e->at = s->at;
	e->at.offset += (uint64_t)from * s->stride;
	e->stride = s->stride;
	e->group = s->components;
	if (!e->name)
		e->name = s->name;
	return 0;
}

static int parse_memory(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "at", "stride", "group", "name", "comment",
					     JF_VALUE_KEYS, NULL };
	struct json_object *v = jf_get(o, "at");
	int ret;

	e->type = JF_EXPECT_MEMORY;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_get_loc(c, o, "at", &e->at);
	if (!ret)
		ret = jf_u32(c, o, "stride", UINT32_MAX, &e->stride);
	if (!ret)
		ret = jf_u32(c, o, "group", UINT32_MAX, &e->group);
	if (!ret)
		ret = jf_parse_expected(c, o, true, e);
	if (!ret && e->stride && !e->group)
		ret = jf_error(c, "\"stride\" needs \"group\", the number of values in each step");
	if (!ret && !e->name) {
		e->name = jf_strdup(&c->jf->blocks, json_object_get_string(v));
		if (!e->name)
			return -ENOMEM;
	}
	return ret;
}

/* Parse the expected members of a fault record. */
static int parse_fault_fields(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const struct {
		const char *key;
		uint32_t bit;
	} fields[] = {
		{ "address", JF_FAULT_ADDRESS }, { "pc", JF_FAULT_PC }, { "size", JF_FAULT_SIZE },
		{ "invocation", JF_FAULT_INVOCATION }, { "draw", JF_FAULT_DRAW },
		{ "stream", JF_FAULT_STREAM }, { "info", JF_FAULT_INFO },
		{ "code", JF_FAULT_CODE },
	};
	struct drm_vshader_fault *f = &e->fault;
	uint64_t address = 0, invocation = 0;
	unsigned int i;
	int ret;

	ret = jf_enum(c, o, "fault", jf_fault_kinds, &f->kind);
	if (!ret)
		ret = jf_u64(c, o, "address", UINT64_MAX, &address);
	if (!ret)
		ret = jf_u32(c, o, "pc", UINT32_MAX, &f->pc);
	if (!ret)
		ret = jf_u32(c, o, "size", UINT32_MAX, &f->size);
	if (!ret)
		ret = jf_u32(c, o, "code", UINT32_MAX, &f->code);
	if (!ret)
		ret = jf_u64(c, o, "invocation", UINT64_MAX, &invocation);
	if (!ret)
		ret = jf_u32(c, o, "draw", UINT32_MAX, &f->draw);
	if (!ret)
		ret = jf_u32(c, o, "stream", UINT32_MAX, &f->stream);
	if (!ret)
		ret = jf_u32(c, o, "info", UINT32_MAX, &f->info);
	f->address = address;
	f->invocation = invocation;
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (jf_get(o, fields[i].key))
			e->mask |= fields[i].bit;
	}
	return ret;
}

#define FAULT_KEYS "fault", "address", "pc", "size", "code", "invocation", "draw", "stream", \
		   "info"

static int parse_fault(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { FAULT_KEYS, "name", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	e->type = JF_EXPECT_FAULT;
	return ret ? ret : parse_fault_fields(c, o, e);
}

static int parse_submit(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "submit", FAULT_KEYS, "name", "comment", NULL };
	uint32_t status = 0;
	int ret = jf_keys(c, o, keys);

	e->type = JF_EXPECT_SUBMIT;
	if (!ret)
		ret = jf_enum(c, o, "submit", statuses, &status);
	if (!ret)
		ret = parse_fault_fields(c, o, e);
	e->status = -(int)status;
	return ret;
}

static int parse_status(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "status", "name", "comment", NULL };
	uint32_t status = 0;
	int ret = jf_keys(c, o, keys);

	e->type = JF_EXPECT_STATUS;
	if (!ret)
		ret = jf_enum(c, o, "status", statuses, &status);
	e->status = -(int)status;
	return ret;
}

static int parse_invocations(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "invocations", "name", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	e->type = JF_EXPECT_INVOCATIONS;
	return ret ? ret : jf_u64(c, o, "invocations", UINT64_MAX, &e->number);
}

static int copy_image(struct jf_ctx *c, const struct vshader_image *img, struct jf_expect *e)
{
	const struct vshader_image_run *runs = vshader_image_runs(img, &e->num_runs);
	struct vshader_image_run *copy;
	uint64_t bytes = 0;
	uint8_t *p;
	uint32_t i;

	for (i = 0; i < e->num_runs; i++)
		bytes += runs[i].size;
	if (!bytes)
		return jf_error(c, "the image has no bytes to compare");
	copy = jf_alloc(&c->jf->blocks, e->num_runs * sizeof(*copy));
	p = jf_alloc(&c->jf->blocks, bytes);
	if (!copy || !p)
		return -ENOMEM;
	for (i = 0; i < e->num_runs; i++) {
		memcpy(p, runs[i].data, runs[i].size);
		copy[i] = runs[i];
		copy[i].data = p;
		p += runs[i].size;
	}
	e->runs = copy;
	return 0;
}

static int parse_image(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "name", "image", "comment", NULL };
	struct vshader_image *img = NULL;
	size_t mark;
	int ret;

	e->type = JF_EXPECT_IMAGE;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_load_image(c, o, &img);
	if (ret)
		return ret;
	if (!e->name)
		e->name = "memory";
	mark = jf_enter(c, "image");
	ret = copy_image(c, img, e);
	jf_leave(c, mark);
	vshader_image_free(img);
	return ret;
}

/* One that an ISA knows; sets *@known. */
static int parse_of_isa(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			struct jf_expect *e, bool *known)
{
	const struct jf_expect_kind *k;
	uint32_t i;

	for (i = 0; i < JF_MAX_ISAS; i++)
		for (k = jf_isa_of(i)->expects; k && k->key; k++)
			if (jf_get(o, k->key)) {
				*known = true;
				e->type = JF_EXPECT_ISA;
				return k->parse(c, o, job, e);
			}
	return 0;
}

static int unknown_kind(struct jf_ctx *c)
{
	char list[200] = "output, at, image, status, fault, submit, invocations";
	const struct jf_expect_kind *k;
	uint32_t i;

	for (i = 0; i < JF_MAX_ISAS; i++)
		for (k = jf_isa_of(i)->expects; k && k->key; k++) {
			size_t len = strlen(list);

			snprintf(list + len, sizeof(list) - len, ", %s", k->key);
		}
	return jf_error(c, "expected one of %s", list);
}

static int parse_expect(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			struct jf_expect *e)
{
	int ret = jf_is_object(c, o);
	bool known = false;

	if (!ret)
		ret = jf_string(c, o, "name", &e->name);
	if (ret)
		return ret;
	if (jf_get(o, "output"))
		return parse_output(c, o, job, e);
	if (jf_get(o, "at"))
		return parse_memory(c, o, e);
	if (jf_get(o, "image"))
		return parse_image(c, o, e);
	if (jf_get(o, "submit"))
		return parse_submit(c, o, e);
	if (jf_get(o, "fault"))
		return parse_fault(c, o, e);
	if (jf_get(o, "status"))
		return parse_status(c, o, e);
	if (jf_get(o, "invocations"))
		return parse_invocations(c, o, e);
	ret = parse_of_isa(c, o, job, e, &known);
	return ret || known ? ret : unknown_kind(c);
}

int jf_parse_expects(struct jf_ctx *c, struct json_object *o, struct jf_job *job)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, o, "expect", JF_MAX_ITEMS, &list, &n);

	if (ret)
		return ret;
	job->expects = jf_alloc(&c->jf->blocks, n * sizeof(*job->expects));
	if (!job->expects)
		return -ENOMEM;
	job->num_expects = (uint32_t)n;
	mark = jf_enter(c, "expect");
	if (!n && jf_get(o, "expect"))
		ret = jf_error(c, "an empty list checks nothing (expected checks)");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_expect(c, json_object_array_get_idx(list, i), job, &job->expects[i]);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}
