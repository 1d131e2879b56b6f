// SPDX-License-Identifier: MIT
/*
 * Expectations of job files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_json.h"

static const struct jf_name statuses[] = {
	{ "ok", 0 }, { "EIO", EIO }, { "ETIME", ETIME }, { "ECANCELED", ECANCELED },
	{ "EINVAL", EINVAL }, { "ENOENT", ENOENT }, { "E2BIG", E2BIG }, { "ENOMEM", ENOMEM },
	{ "ENOEXEC", ENOEXEC }, { "EBUSY", EBUSY }, { "EACCES", EACCES }, { "EFAULT", EFAULT },
	{ }
};

static const struct jf_name topologies[] = {
	{ "list", 0 }, { "strip", 1 }, { "fan", 2 }, { "shader", 3 },
	{ }
};

static unsigned int semantic_components(uint32_t word)
{
	switch (word) {
	case 12: case 14: case 22:
		return 2;
	case 16:
		return 1;
	case 18:
		return 3;
	default:
		return 4;
	}
}

static int parse_tolerances(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	int ret = jf_double(c, o, "abs", &e->abs_tol);

	if (!ret)
		ret = jf_double(c, o, "rel", &e->rel_tol);
	return ret ? ret : jf_u32(c, o, "ulp", 1u << 24, &e->ulp_tol);
}

/* The list of values under its type name; @required or not. */
static int parse_expected(struct jf_ctx *c, struct json_object *o, bool required,
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
	jf_leave(c, mark);
	return ret ? ret : parse_tolerances(c, o, e);
}

#define VALUE_KEYS "u8", "u16", "u32", "f16", "f24", "f32", "abs", "rel", "ulp"

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
	static const char * const keys[] = { "output", "from", "name", "comment", VALUE_KEYS,
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
		ret = parse_expected(c, o, true, e);
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
	static const char * const keys[] = { "at", "stride", "group", "name", "comment", VALUE_KEYS,
					     NULL };
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
		ret = parse_expected(c, o, true, e);
	if (!ret && e->stride && !e->group)
		ret = jf_error(c, "\"stride\" needs \"group\", the number of values in each step");
	if (!ret && !e->name) {
		e->name = jf_strdup(&c->jf->blocks, json_object_get_string(v));
		if (!e->name)
			return -ENOMEM;
	}
	return ret;
}

/* @from: what the fault record of a failed submission may be compared with, too. */
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

static int parse_stray_reads(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "stray_reads", "name", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	e->type = JF_EXPECT_STRAY_READS;
	return ret ? ret : jf_u64(c, o, "stray_reads", UINT32_MAX, &e->number);
}

static int parse_qpu(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "qpu", "wait", "info", "pc", "thread", "insns", "name",
					     "comment", NULL };
	uint64_t insns = 0;
	int ret = jf_keys(c, o, keys);

	e->type = JF_EXPECT_QPU;
	if (!ret)
		ret = jf_u64(c, o, "qpu", 11, &e->number);
	if (!ret)
		ret = jf_enum(c, o, "wait", jf_qpu_waits, &e->qpu.wait);
	if (!ret)
		ret = jf_u32(c, o, "info", UINT32_MAX, &e->qpu.info);
	if (!ret)
		ret = jf_u32(c, o, "pc", UINT32_MAX, &e->qpu.pc);
	if (!ret)
		ret = jf_u32(c, o, "thread", UINT32_MAX, &e->qpu.thread);
	if (!ret)
		ret = jf_u64(c, o, "insns", UINT64_MAX, &insns);
	e->qpu.insns = insns;
	e->mask = (jf_get(o, "wait") ? JF_QPU_WAIT : 0) | (jf_get(o, "info") ? JF_QPU_INFO : 0) |
		  (jf_get(o, "pc") ? JF_QPU_PC : 0) | (jf_get(o, "thread") ? JF_QPU_THREAD : 0) |
		  (jf_get(o, "insns") ? JF_QPU_INSNS : 0);
	return ret;
}

static int parse_inverted(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	struct json_object *list;
	size_t i, n;
	int ret = jf_list(c, o, "inverted", 4096, &list, &n);

	if (ret || !n)
		return ret;
	e->flags = jf_alloc(&c->jf->blocks, n * sizeof(*e->flags));
	if (!e->flags)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct json_object *v = json_object_array_get_idx(list, i);

		if (!json_object_is_type(v, json_type_boolean))
			return jf_error(c, "\"inverted\" is a list of true and false");
		e->flags[i] = json_object_get_boolean(v);
	}
	e->num_flags = (uint32_t)n;
	return 0;
}

static int parse_prims(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
		       struct jf_expect *e)
{
	static const char * const keys[] = { "prims", "count", "inverted", "name", "comment",
					     VALUE_KEYS, NULL };
	const struct jf_pica *p = job->shader.pica;
	uint64_t bytes;
	int ret;

	e->type = JF_EXPECT_PRIMS;
	ret = jf_keys(c, o, keys);
	if (!ret && (!p || !p->has_prims))
		ret = jf_error(c, "this is no geometry job");
	if (!ret)
		ret = jf_u64(c, o, "prims", UINT32_MAX, &e->number);
	if (!ret)
		ret = jf_u32(c, o, "count", 4096, &e->count);
	if (!ret)
		ret = parse_inverted(c, o, e);
	if (!ret)
		ret = parse_expected(c, o, false, e);
	e->has_count = jf_get(o, "count");
	if (!ret && (e->has_count || e->flags) && !p->has_prim_info)
		ret = jf_error(c, "\"count\" and \"inverted\" need \"prim_info\"");
	if (ret)
		return ret;
	bytes = 48ull * (uint64_t)__builtin_popcount(p->output_mask & 0xffff);
	e->at = p->prims;
	e->at.offset += e->number * p->max_prims * bytes;
	return 0;
}

static int parse_draw(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "draw", "vertices", "topology", "input_vertices",
					     "geometry", "indexed", "vertex", "semantic", "name",
					     "comment", VALUE_KEYS, NULL };
	bool geometry = false, indexed = false;
	uint32_t word = 0;
	int ret;

	e->type = JF_EXPECT_DRAW;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_u64(c, o, "draw", UINT32_MAX, &e->number);
	if (!ret)
		ret = jf_u32(c, o, "vertices", UINT32_MAX, &e->draw.vertices);
	if (!ret)
		ret = jf_enum(c, o, "topology", topologies, &e->draw.topology);
	if (!ret)
		ret = jf_u32(c, o, "input_vertices", UINT32_MAX, &e->draw.input_vertices);
	if (!ret)
		ret = jf_bool(c, o, "geometry", &geometry);
	if (!ret)
		ret = jf_bool(c, o, "indexed", &indexed);
	if (!ret)
		ret = jf_u32(c, o, "vertex", UINT32_MAX, &e->vertex);
	if (!ret)
		ret = jf_enum(c, o, "semantic", jf_semantics, &word);
	if (!ret)
		ret = parse_expected(c, o, false, e);
	if (ret)
		return ret;
	e->mask = (jf_get(o, "vertices") ? JF_DRAW_VERTICES : 0) |
		  (jf_get(o, "topology") ? JF_DRAW_TOPOLOGY : 0) |
		  (jf_get(o, "input_vertices") ? JF_DRAW_INPUTS : 0) |
		  (jf_get(o, "geometry") ? JF_DRAW_GEOMETRY : 0) |
		  (jf_get(o, "indexed") ? JF_DRAW_INDEXED : 0);
	e->draw.flags = (geometry ? DRM_VSHADER_PICA_DRAW_GEOMETRY : 0) |
			(indexed ? DRM_VSHADER_PICA_DRAW_INDEXED : 0);
	e->at.region = JF_NONE;
	e->at.offset = 4ull * word;
	e->stride = 96;
	e->group = jf_get(o, "semantic") ? semantic_components(word) : 24;
	return 0;
}

/* Runs that are complete. */
static int check_image(struct jf_ctx *c, const struct jf_expect *e)
{
	uint64_t run[2];
	size_t at;

	for (at = 0; at < e->image_size; at += run[1]) {
		if (e->image_size - at < sizeof(run))
			return jf_error(c, "the image is cut off");
		memcpy(run, e->image + at, sizeof(run));
		at += sizeof(run);
		if (run[1] > e->image_size - at)
			return jf_error(c, "a run of the image is longer than the file");
	}
	return 0;
}

static int parse_image(struct jf_ctx *c, struct json_object *o, struct jf_expect *e)
{
	static const char * const keys[] = { "name", "image", "comment", NULL };
	const char *name = NULL;
	uint8_t *data, *copy;
	size_t mark, len;
	int ret;

	e->type = JF_EXPECT_IMAGE;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_string(c, o, "image", &name);
	if (ret)
		return ret;
	if (!e->name)
		e->name = "memory";
	mark = jf_enter(c, "image");
	ret = jf_read_file(c, name, &data, &len);
	copy = ret ? NULL : jf_alloc(&c->jf->blocks, len + 1);
	if (copy) {
		memcpy(copy, data, len);
		e->image = copy;
		e->image_size = len;
		ret = check_image(c, e);
	} else if (!ret) {
		ret = -ENOMEM;
	}
	if (!ret || copy)
		free(data);
	jf_leave(c, mark);
	return ret;
}

static const char kinds[] =
	"output, at, image, status, fault, submit, invocations, prims, draw, stray_reads, qpu";

static int parse_expect(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			struct jf_expect *e)
{
	int ret = jf_is_object(c, o);

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
	if (jf_get(o, "prims"))
		return parse_prims(c, o, job, e);
	if (jf_get(o, "draw"))
		return parse_draw(c, o, e);
	if (jf_get(o, "stray_reads"))
		return parse_stray_reads(c, o, e);
	if (jf_get(o, "qpu"))
		return parse_qpu(c, o, e);
	return jf_error(c, "expected one of %s", kinds);
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
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_expect(c, json_object_array_get_idx(list, i), job, &job->expects[i]);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}
