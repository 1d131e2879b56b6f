// SPDX-License-Identifier: MIT
/*
 * Queues and jobs of job files.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "jobfile_isa.h"

static const struct jf_name priorities[] = {
	{ "low", DRM_VSHADER_PRIORITY_LOW + 1 },
	{ "medium", DRM_VSHADER_PRIORITY_MEDIUM + 1 },
	{ "high", DRM_VSHADER_PRIORITY_HIGH + 1 },
	{ }
};

static const struct jf_name index_types[] = {
	{ "none", DRM_VSHADER_INDEX_NONE }, { "u8", DRM_VSHADER_INDEX_U8 },
	{ "u16", DRM_VSHADER_INDEX_U16 }, { "u32", DRM_VSHADER_INDEX_U32 },
	{ }
};

static unsigned int format_bytes(uint32_t format)
{
	switch (format) {
	case DRM_VSHADER_FORMAT_S8:
	case DRM_VSHADER_FORMAT_U8:
	case DRM_VSHADER_FORMAT_SNORM8:
	case DRM_VSHADER_FORMAT_UNORM8:
		return 1;
	case DRM_VSHADER_FORMAT_S16:
	case DRM_VSHADER_FORMAT_U16:
	case DRM_VSHADER_FORMAT_F16:
	case DRM_VSHADER_FORMAT_SNORM16:
	case DRM_VSHADER_FORMAT_UNORM16:
		return 2;
	default:
		return 4;
	}
}

uint32_t jf_stream_bytes(const struct jf_stream *s)
{
	return s->components * format_bytes(s->format);
}

/* Element type of inline data for a stream of this format. */
static enum jf_type format_type(uint32_t format)
{
	switch (format) {
	case DRM_VSHADER_FORMAT_S8:
	case DRM_VSHADER_FORMAT_U8:
	case DRM_VSHADER_FORMAT_SNORM8:
	case DRM_VSHADER_FORMAT_UNORM8:
		return JF_U8;
	case DRM_VSHADER_FORMAT_S16:
	case DRM_VSHADER_FORMAT_U16:
	case DRM_VSHADER_FORMAT_SNORM16:
	case DRM_VSHADER_FORMAT_UNORM16:
		return JF_U16;
	case DRM_VSHADER_FORMAT_F16:
		return JF_F16;
	case DRM_VSHADER_FORMAT_F24:
		return JF_F24;
	case DRM_VSHADER_FORMAT_F32:
		return JF_F32;
	default:
		return JF_U32;
	}
}

/* ---- queues ---- */

int jf_parse_queue_params(struct jf_ctx *c, struct json_object *o, struct jf_queue *q)
{
	int ret;

	ret = jf_enum(c, o, "priority", priorities, &q->params.priority);
	if (!ret)
		ret = jf_u64(c, o, "budget", UINT64_MAX, &q->params.budget);
	if (!ret)
		ret = jf_u32(c, o, "time_limit_ms", UINT32_MAX, &q->params.time_limit_ms);
	return ret ? ret : jf_vm_index(c, o, &q->params.vm);
}

static int parse_queue(struct jf_ctx *c, struct json_object *o, struct jf_queue *q)
{
	static const char * const keys[] = { "name", "engine", "vm", "priority", "budget",
					     "time_limit_ms", "comment", NULL };
	int ret;

	q->params.engine = c->jf->engine;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_require(c, o, "name");
	if (!ret)
		ret = jf_string(c, o, "name", &q->name);
	if (!ret)
		ret = jf_engine(c, o, "engine", &q->params.engine);
	return ret ? ret : jf_parse_queue_params(c, o, q);
}

static int parse_syncobj(struct jf_ctx *c, struct json_object *o, struct jf_syncobj *s)
{
	static const char * const keys[] = { "name", "signaled", "comment", NULL };
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_require(c, o, "name");
	if (!ret)
		ret = jf_string(c, o, "name", &s->name);
	return ret ? ret : jf_bool(c, o, "signaled", &s->signaled);
}

int jf_parse_queues(struct jf_ctx *c, struct json_object *root)
{
	struct vshader_jobfile *jf = c->jf;
	struct json_object *queues, *syncs;
	size_t i, n, m, mark, mark2;
	int ret;

	ret = jf_list(c, root, "queues", JF_MAX_ITEMS, &queues, &n);
	if (!ret)
		ret = jf_list(c, root, "syncobjs", JF_MAX_ITEMS, &syncs, &m);
	if (ret)
		return ret;
	jf->queues = jf_alloc(&jf->blocks, n * sizeof(*jf->queues));
	jf->syncobjs = jf_alloc(&jf->blocks, m * sizeof(*jf->syncobjs));
	if (!jf->queues || !jf->syncobjs)
		return -ENOMEM;
	jf->num_queues = (uint32_t)n;
	jf->num_syncobjs = (uint32_t)m;
	mark = jf_enter(c, "queues");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_queue(c, json_object_array_get_idx(queues, i), &jf->queues[i]);
		if (!ret)
			ret = jf_unique(c, "queues", &jf->queues->name, sizeof(*jf->queues), i);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	mark = jf_enter(c, "syncobjs");
	for (i = 0; !ret && i < m; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_syncobj(c, json_object_array_get_idx(syncs, i), &jf->syncobjs[i]);
		if (!ret)
			ret = jf_unique(c, "syncobjs", &jf->syncobjs->name, sizeof(*jf->syncobjs),
					i);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

/* ---- synchronisation ---- */

static int parse_sync(struct jf_ctx *c, struct json_object *o, uint32_t flags, struct jf_sync *s)
{
	static const char * const keys[] = { "syncobj", "point", NULL };
	const struct vshader_jobfile *jf = c->jf;
	const char *name = NULL;
	int ret;

	if (json_object_is_type(o, json_type_string)) {
		name = json_object_get_string(o);
	} else {
		ret = jf_keys(c, o, keys);
		if (!ret)
			ret = jf_require(c, o, "syncobj");
		if (!ret)
			ret = jf_string(c, o, "syncobj", &name);
		if (!ret)
			ret = jf_u64(c, o, "point", UINT64_MAX, &s->point);
		if (ret)
			return ret;
		if (jf_get(o, "point"))
			flags |= DRM_VSHADER_SYNC_TIMELINE;
	}
	s->flags = flags;
	for (s->sync = 0; s->sync < jf->num_syncobjs; s->sync++) {
		if (!strcmp(jf->syncobjs[s->sync].name, name))
			return 0;
	}
	return jf_error(c, "there is no \"%.64s\" in \"syncobjs\"", name);
}

static int parse_syncs(struct jf_ctx *c, struct json_object *o, struct jf_job *job)
{
	static const char * const names[2] = { "wait", "signal" };
	static const uint32_t flags[2] = { 0, DRM_VSHADER_SYNC_SIGNAL };
	struct json_object *list[2];
	size_t i, k, n[2], mark, mark2;
	int ret;

	ret = jf_list(c, o, "wait", JF_MAX_ITEMS, &list[0], &n[0]);
	if (!ret)
		ret = jf_list(c, o, "signal", JF_MAX_ITEMS, &list[1], &n[1]);
	if (ret)
		return ret;
	job->syncs = jf_alloc(&c->jf->blocks, (n[0] + n[1]) * sizeof(*job->syncs));
	if (!job->syncs)
		return -ENOMEM;
	for (k = 0; k < 2; k++) {
		mark = jf_enter(c, names[k]);
		for (i = 0; !ret && i < n[k]; i++) {
			mark2 = jf_enter_index(c, i);
			ret = parse_sync(c, json_object_array_get_idx(list[k], i), flags[k],
					 &job->syncs[job->num_syncs++]);
			jf_leave(c, mark2);
		}
		jf_leave(c, mark);
	}
	return ret;
}

/* ---- streams ---- */

/* Store inline values in a new region. */
int jf_inline_stream(struct jf_ctx *c, struct json_object *data, struct jf_stream *s,
		     uint32_t vm, uint32_t components)
{
	uint32_t bytes = format_bytes(s->format) * components, i, index;
	struct jf_values values;
	struct jf_region *r;
	struct jf_piece *p;
	int ret;

	ret = jf_parse_values(c, data, format_type(s->format), false, &values);
	if (ret)
		return ret;
	if (!values.count || values.count % components)
		return jf_error(c, "%u values, expected a multiple of the %u components",
				values.count, components);
	if (s->stride && s->stride < bytes)
		return jf_error(c, "inline data needs a stride of at least %u", bytes);
	if (!s->stride)
		s->stride = bytes;
	ret = jf_new_region(c, NULL, vm, (uint64_t)values.count / components * s->stride, &index);
	if (ret)
		return ret;
	r = &c->jf->regions[index];
	if (r->size > c->data_left || r->size > JF_MAX_REGION)
		return jf_error(c, "more than %u bytes of data in this file", JF_MAX_DATA);
	c->data_left -= r->size;
	p = jf_alloc(&c->jf->blocks, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->data = jf_alloc(&c->jf->blocks, r->size);
	if (!p->data)
		return -ENOMEM;
	p->len = r->size;
	p->repeat = 1;
	for (i = 0; i < values.count; i++)
		jf_store(values.type, values.v[i].bits, p->data +
			 (uint64_t)(i / components) * s->stride +
			 (uint64_t)(i % components) * format_bytes(s->format));
	r->pieces = p;
	r->num_pieces = 1;
	s->at.region = index;
	return 0;
}

static int parse_reg(struct jf_ctx *c, struct json_object *o, const struct jf_program *p,
		     char kind, struct jf_stream *s)
{
	struct vshader_register reg;
	struct json_object *v;
	size_t mark;
	int ret = jf_require(c, o, "reg");

	if (ret)
		return ret;
	v = jf_get(o, "reg");
	if (!json_object_is_type(v, json_type_string))
		return jf_u32(c, o, "reg", UINT32_MAX, &s->reg);
	mark = jf_enter(c, "reg");
	ret = jf_program_reg(c, p, json_object_get_string(v), kind, &reg);
	jf_leave(c, mark);
	s->reg = reg.first;
	s->name = jf_strdup(&c->jf->blocks, json_object_get_string(v));
	return ret ? ret : s->name ? 0 : -ENOMEM;
}

static int parse_stream(struct jf_ctx *c, struct json_object *o, const struct jf_program *p,
			char kind, struct jf_stream *s)
{
	int ret;

	s->components = 4;
	s->at.region = JF_NONE;
	ret = parse_reg(c, o, p, kind, s);
	if (!ret)
		ret = jf_enum(c, o, "format", jf_formats, &s->format);
	if (!ret)
		ret = jf_u32(c, o, "components", UINT32_MAX, &s->components);
	if (!ret)
		ret = jf_u32(c, o, "stride", UINT32_MAX, &s->stride);
	if (!ret)
		ret = jf_u32(c, o, "divisor", UINT32_MAX, &s->divisor);
	if (!ret && !s->name) {
		s->name = jf_printf(&c->jf->blocks, "%c%u", kind, s->reg);
		if (!s->name)
			return -ENOMEM;
	}
	return ret;
}

static int parse_attribute(struct jf_ctx *c, struct json_object *o, const struct jf_program *p,
			   uint32_t vm, struct jf_stream *s)
{
	static const char * const keys[] = { "reg", "format", "components", "stride", "divisor",
					     "at", "data", "comment", NULL };
	struct json_object *data;
	size_t mark;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = parse_stream(c, o, p, 'v', s);
	if (ret)
		return ret;
	data = jf_get(o, "data");
	if (!data == !jf_get(o, "at"))
		return jf_error(c, "expected either \"at\" or \"data\"");
	if (!data) {
		if (!jf_get(o, "stride"))
			s->stride = jf_stream_bytes(s);
		return jf_get_loc(c, o, "at", &s->at);
	}
	if (!s->components || s->components > 4)
		return jf_error(c, "inline data needs 1 to 4 components, not %u", s->components);
	mark = jf_enter(c, "data");
	ret = jf_inline_stream(c, data, s, vm, s->components);
	jf_leave(c, mark);
	return ret;
}

/* An output without an address gets its own region. */
static int parse_output(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm,
			struct jf_stream *s)
{
	static const char * const keys[] = { "reg", "format", "components", "stride", "at",
					     "comment", NULL };
	const struct jf_program *p = &c->jf->programs[job->shader.program];
	uint64_t n = (uint64_t)job->shader.count *
		     (job->shader.instances ? job->shader.instances : 1);
	struct vshader_register reg;
	int ret;

	if (json_object_is_type(o, json_type_string)) {
		ret = jf_program_reg(c, p, json_object_get_string(o), 'o', &reg);
		if (ret)
			return ret;
		s->name = jf_strdup(&c->jf->blocks, json_object_get_string(o));
		if (!s->name)
			return -ENOMEM;
		s->reg = reg.first;
		s->components = 4;
		o = NULL;
	} else {
		ret = jf_keys(c, o, keys);
		if (!ret)
			ret = parse_stream(c, o, p, 'o', s);
		if (ret)
			return ret;
	}
	if (!o || !jf_get(o, "stride"))
		s->stride = jf_stream_bytes(s);
	if (o && jf_get(o, "at"))
		return jf_get_loc(c, o, "at", &s->at);
	n = n ? (n - 1) * s->stride + 16 : 16;
	if (n > JF_MAX_REGION)
		return jf_error(c, "this output needs %llu bytes, the limit is %llu",
				(unsigned long long)n, (unsigned long long)JF_MAX_REGION);
	ret = jf_new_region(c, NULL, vm, n, &s->at.region);
	s->at.offset = 0;
	return ret;
}

static int parse_streams(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm,
			 bool outputs)
{
	const char *key = outputs ? "outputs" : "attributes";
	const struct jf_program *p = &c->jf->programs[job->shader.program];
	struct json_object *list;
	size_t i, n, mark, mark2;
	struct jf_stream *s;
	int ret = jf_list(c, o, key, JF_MAX_ITEMS, &list, &n);

	if (ret)
		return ret;
	s = jf_alloc(&c->jf->blocks, n * sizeof(*s));
	if (!s)
		return -ENOMEM;
	mark = jf_enter(c, key);
	for (i = 0; !ret && i < n; i++) {
		struct json_object *e = json_object_array_get_idx(list, i);

		mark2 = jf_enter_index(c, i);
		ret = outputs ? parse_output(c, e, job, vm, &s[i]) :
				parse_attribute(c, e, p, vm, &s[i]);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	if (outputs) {
		job->shader.outputs = s;
		job->shader.num_outputs = (uint32_t)n;
	} else {
		job->shader.attributes = s;
		job->shader.num_attributes = (uint32_t)n;
	}
	return ret;
}

/* ---- shader jobs ---- */

/* Elements of inline data, or UINT64_MAX: the data is elsewhere. */
static uint64_t inline_rows(const struct vshader_jobfile *jf, const struct jf_stream *s,
			    bool own)
{
	if (!own || s->at.region == JF_NONE || !s->stride)
		return UINT64_MAX;
	return jf->regions[s->at.region].size / s->stride;
}

/* Elements of vertices that a job reads; with indices, of inline ones. */
static uint64_t needed_vertices(const struct vshader_jobfile *jf, const struct jf_shader *sh,
				bool own_index)
{
	static const enum jf_type types[] = {
		[DRM_VSHADER_INDEX_U8] = JF_U8, [DRM_VSHADER_INDEX_U16] = JF_U16,
		[DRM_VSHADER_INDEX_U32] = JF_U32,
	};
	const struct jf_piece *p;
	enum jf_type type;
	uint32_t i, index;
	uint64_t n = 0;

	if (!sh->index_type)
		return sh->count ? (uint64_t)sh->first + sh->count : 0;
	if (!own_index)
		return 0;
	p = jf->regions[sh->index.region].pieces;
	type = types[sh->index_type];
	for (i = 0; i < sh->count && (i + 1ull) * jf_type_bytes(type) <= p->len; i++) {
		/* the base is added modulo 2^32 */
		index = jf_load(type, p->data + (uint64_t)i * jf_type_bytes(type)) + sh->first;
		if (index >= n)
			n = index + 1ull;
	}
	return n;
}

/* Beyond inline data jobs would read zeros, up to the end of a page. */
static int check_data(struct jf_ctx *c, struct json_object *o, const struct jf_shader *sh)
{
	struct json_object *list = jf_get(o, "attributes"), *index = jf_get(o, "index");
	uint64_t instances = sh->instances ? sh->instances : 1, rows, need;
	bool own_index = index && sh->index_type && jf_get(index, "data");
	uint32_t i;

	if (own_index) {
		rows = c->jf->regions[sh->index.region].pieces->len >> (sh->index_type - 1);
		if (rows < sh->count)
			return jf_error(c, "\"index\" has %llu elements, \"count\" is %u",
					(unsigned long long)rows, sh->count);
	}
	for (i = 0; i < sh->num_attributes; i++) {
		const struct jf_stream *s = &sh->attributes[i];

		rows = inline_rows(c->jf, s, jf_get(json_object_array_get_idx(list, i), "data"));
		need = s->divisor ? (instances - 1) / s->divisor + 1 :
				    needed_vertices(c->jf, sh, own_index);
		if (sh->count && rows < need)
			return jf_error(c, "attribute \"%.64s\" has %llu elements, not %llu",
					s->name, (unsigned long long)rows,
					(unsigned long long)need);
	}
	return 0;
}

static int parse_index(struct jf_ctx *c, struct json_object *o, struct jf_shader *sh, uint32_t vm)
{
	static const char * const keys[] = { "type", "at", "data", "comment", NULL };
	static const uint32_t formats[] = {
		[DRM_VSHADER_INDEX_NONE] = DRM_VSHADER_FORMAT_U32,
		[DRM_VSHADER_INDEX_U8] = DRM_VSHADER_FORMAT_U8,
		[DRM_VSHADER_INDEX_U16] = DRM_VSHADER_FORMAT_U16,
		[DRM_VSHADER_INDEX_U32] = DRM_VSHADER_FORMAT_U32,
	};
	struct jf_stream s = { .at.region = JF_NONE };
	struct json_object *data;
	size_t mark;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_require(c, o, "type");
	if (!ret)
		ret = jf_enum(c, o, "type", index_types, &sh->index_type);
	if (ret)
		return ret;
	data = jf_get(o, "data");
	if (!data) {
		ret = jf_require(c, o, "at");
		return ret ? ret : jf_get_loc(c, o, "at", &sh->index);
	}
	if (jf_get(o, "at"))
		return jf_error(c, "expected either \"at\" or \"data\"");
	s.format = formats[sh->index_type];
	mark = jf_enter(c, "data");
	ret = jf_inline_stream(c, data, &s, vm, 1);
	jf_leave(c, mark);
	sh->index = s.at;
	return ret;
}

static int find_program(struct jf_ctx *c, struct json_object *o, uint32_t *out)
{
	const struct vshader_jobfile *jf = c->jf;
	const char *name = NULL;
	size_t mark;
	uint32_t i;
	int ret;

	*out = 0;
	ret = jf_string(c, o, "program", &name);
	if (ret)
		return ret;
	if (!jf->num_programs)
		return jf_error(c, "a shader job needs a program, and \"programs\" is empty");
	if (!name)
		return 0;
	for (i = 0; i < jf->num_programs; i++) {
		if (jf->programs[i].name && !strcmp(jf->programs[i].name, name)) {
			*out = i;
			return 0;
		}
	}
	mark = jf_enter(c, "program");
	ret = jf_error(c, "there is no \"%.64s\" in \"programs\"", name);
	jf_leave(c, mark);
	return ret;
}

/* Reject blocks of other engines, which would be ignored. */
static int check_blocks(struct jf_ctx *c, struct json_object *o, uint32_t engine)
{
	const char *own = jf_isa_of(engine)->block, *block;
	uint32_t i;

	for (i = 0; i < JF_MAX_ISAS; i++) {
		block = jf_isa_of(i)->block;
		if (block && own && strcmp(block, own) && jf_get(o, block))
			return jf_error(c, "\"%s\" is not for the program's engine", block);
	}
	return 0;
}

static int check_vertices(struct jf_ctx *c, struct json_object *o, enum jf_vertices allowed)
{
	static const char * const members[] = { "first", "count", "instances", "index",
						"outputs", "attributes" };
	size_t i, n = sizeof(members) / sizeof(members[0]);

	if (allowed == JF_VERTICES)
		return 0;
	if (allowed == JF_ATTRIBUTES)
		n--;
	for (i = 0; i < n; i++)
		if (jf_get(o, members[i]))
			return jf_error(c, "\"%s\" is not for the program's engine", members[i]);
	return 0;
}

static int parse_shader(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	struct jf_shader *sh = &job->shader;
	const struct jf_program *p;
	struct json_object *v;
	size_t mark;
	int ret;

	job->type = DRM_VSHADER_JOB_SHADER;
	sh->count = 1;
	ret = find_program(c, o, &sh->program);
	if (!ret)
		ret = jf_u32(c, o, "first", UINT32_MAX, &sh->first);
	if (!ret)
		ret = jf_u32(c, o, "count", UINT32_MAX, &sh->count);
	if (!ret)
		ret = jf_u32(c, o, "instances", UINT32_MAX, &sh->instances);
	if (ret)
		return ret;
	p = &c->jf->programs[sh->program];
	ret = check_vertices(c, o, jf_isa_of(p->engine)->vertices);
	if (ret)
		return ret;
	sh->entry = p->num_entries ? p->entries[0] : 0;
	v = jf_get(o, "entry");
	if (v) {
		mark = jf_enter(c, "entry");
		ret = jf_program_word(c, p, v, &sh->entry);
		jf_leave(c, mark);
	}
	v = jf_get(o, "index");
	if (!ret && v) {
		mark = jf_enter(c, "index");
		ret = parse_index(c, v, sh, vm);
		jf_leave(c, mark);
	}
	if (!ret)
		ret = parse_streams(c, o, job, vm, false);
	if (!ret && jf_isa_of(p->engine)->vertices == JF_VERTICES)
		ret = check_data(c, o, sh);
	if (!ret)
		ret = parse_streams(c, o, job, vm, true);
	if (!ret)
		ret = check_blocks(c, o, p->engine);
	if (!ret && jf_isa_of(p->engine)->parse)
		ret = jf_isa_of(p->engine)->parse(c, o, job, vm);
	return ret;
}

/* ---- native jobs ---- */

int jf_parse_list(struct jf_ctx *c, struct json_object *o, struct jf_native *n)
{
	bool reset = false;
	int ret;

	if (jf_get(o, "gpu") || jf_get(o, "memory"))
		return jf_error(c, "only job chains and frames have \"gpu\" and \"memory\"");
	if (jf_get(o, "requests"))
		return jf_error(c, "\"requests\" is not for this format");
	n->output.region = JF_NONE;
	ret = jf_bool(c, o, "reset_state", &reset);
	if (!ret)
		ret = jf_u64(c, o, "size", UINT64_MAX, &n->size);
	if (reset)
		n->flags |= DRM_VSHADER_NATIVE_RESET_STATE;
	return ret ? ret : jf_u64(c, o, "output_size", UINT64_MAX, &n->output_size);
}

int jf_parse_list_at(struct jf_ctx *c, struct json_object *o, struct jf_native *n)
{
	int ret = jf_require(c, o, "at");

	if (!ret)
		ret = jf_get_loc(c, o, "at", &n->at);
	if (ret)
		return ret;
	if (!jf_get(o, "size")) {
		if (n->at.region == JF_NONE)
			return jf_error(c, "member \"size\" is missing");
		n->size = c->jf->regions[n->at.region].size;
		n->size -= n->at.offset < n->size ? n->at.offset : 0;
	}
	return jf_get(o, "output") ? jf_get_loc(c, o, "output", &n->output) : 0;
}

int jf_parse_in_memory(struct jf_ctx *c, struct json_object *o, const char * const *keys,
		       const struct jf_name *gpus, const struct jf_name *switches,
		       struct jf_native *n)
{
	int ret = jf_keys(c, o, keys);

	n->output.region = JF_NONE;
	if (!ret)
		ret = jf_enum(c, o, "gpu", gpus, &n->model);
	if (!ret && switches)
		ret = jf_flag_list(c, o, "switches", switches, &n->switches);
	if (!ret)
		ret = jf_u64(c, o, "memory", UINT64_MAX, &n->memory);
	if (!ret)
		ret = jf_u64(c, o, "size", UINT64_MAX, &n->size);
	if (!ret)
		ret = jf_require(c, o, "at");
	return ret ? ret : jf_get_loc(c, o, "at", &n->at);
}

static int parse_native(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	static const char * const keys[] = { "format", "reset_state", "at", "size", "output",
					     "output_size", "model", "switches", "threads",
					     "gpu", "memory", "requests", "comment", NULL };
	struct jf_native *n = &job->native;
	uint32_t engine;
	int ret;

	job->type = DRM_VSHADER_JOB_NATIVE;
	n->format = jf_isa_of(c->jf->engine)->format;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_native_format(c, o, "format", &n->format);
	if (!ret && !jf_isa_of(c->jf->engine)->native)
		ret = jf_require(c, o, "format");
	if (ret)
		return ret;
	engine = jf_native_engine(n->format);
	if (job->queue == JF_NONE)
		job->own.params.engine = engine;
	return jf_isa_of(engine)->parse_native(c, o, n, vm);
}

/* ---- jobs ---- */

static const char * const job_keys[] = {
	"name", "comment", "queue", "budget", "time_limit_ms", "priority", "vm", "with_previous",
	"async", "no_implicit_sync", "result", "bind", "wait", "signal", "expect",
	/* shader jobs */
	"program", "entry", "first", "count", "instances", "index", "attributes", "outputs",
};

/* Those, the engine blocks, native jobs, and either as submitted. */
static int check_job_keys(struct jf_ctx *c, struct json_object *o)
{
	const char *keys[sizeof(job_keys) / sizeof(job_keys[0]) + JF_MAX_ISAS + 3];
	uint32_t i, n = sizeof(job_keys) / sizeof(job_keys[0]);
	const char *block;

	memcpy(keys, job_keys, sizeof(job_keys));
	for (i = 0; i < JF_MAX_ISAS; i++) {
		block = jf_isa_of(i)->block;
		/* a block of two ISAs is known already */
		if (block && strcmp(block, keys[n - 1]))
			keys[n++] = block;
	}
	keys[n++] = "native";
	keys[n++] = "args";
	keys[n] = NULL;
	return jf_keys(c, o, keys);
}

static int parse_job_queue(struct jf_ctx *c, struct json_object *o, struct jf_job *job,
			   uint32_t *vm)
{
	static const char * const own[] = { "budget", "time_limit_ms", "priority", "vm" };
	const struct vshader_jobfile *jf = c->jf;
	const char *name = NULL;
	unsigned int i;
	size_t mark;
	int ret = jf_string(c, o, "queue", &name);

	if (ret)
		return ret;
	job->queue = JF_NONE;
	if (!name) {
		job->own.params.engine = jf->engine;
		ret = jf_parse_queue_params(c, o, &job->own);
		*vm = job->own.params.vm;
		return ret;
	}
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (jf_get(o, own[i]))
			return jf_error(c, "\"%s\" belongs to the queue \"%.64s\"", own[i], name);
	}
	for (i = 0; i < jf->num_queues; i++) {
		if (!strcmp(jf->queues[i].name, name)) {
			job->queue = i;
			*vm = jf->queues[i].params.vm;
			return 0;
		}
	}
	mark = jf_enter(c, "queue");
	ret = jf_error(c, "there is no \"%.64s\" in \"queues\"", name);
	jf_leave(c, mark);
	return ret;
}

static int parse_result(struct jf_ctx *c, struct json_object *o, struct jf_job *job)
{
	struct json_object *v = jf_get(o, "result");

	if (!v)
		return 0;
	if (json_object_is_type(v, json_type_boolean)) {
		job->no_result = !json_object_get_boolean(v);
		return 0;
	}
	job->has_result_at = true;
	return jf_get_loc(c, o, "result", &job->result_at);
}

static int parse_args(struct jf_ctx *c, struct json_object *o, struct jf_job *job)
{
	const char *name = NULL;
	size_t mark;
	int ret = jf_string(c, o, "args", &name);

	if (!ret && c->jf->num_programs)
		ret = find_program(c, o, &job->shader.program);
	if (ret)
		return ret;
	mark = jf_enter(c, "args");
	ret = jf_parse_args(c, name, job);
	jf_leave(c, mark);
	return ret;
}

static int parse_job(struct jf_ctx *c, struct json_object *o, struct jf_job *job)
{
	bool no_implicit = false;
	struct json_object *v;
	uint32_t vm = 0;
	size_t mark;
	int ret;

	ret = check_job_keys(c, o);
	if (!ret)
		ret = jf_string(c, o, "name", &job->name);
	if (!ret)
		ret = parse_job_queue(c, o, job, &vm);
	if (!ret)
		ret = jf_bool(c, o, "with_previous", &job->with_previous);
	if (!ret)
		ret = jf_bool(c, o, "async", &job->async);
	if (!ret)
		ret = jf_bool(c, o, "no_implicit_sync", &no_implicit);
	if (!ret)
		ret = parse_result(c, o, job);
	if (!ret)
		ret = jf_parse_binds(c, o, job);
	if (!ret)
		ret = parse_syncs(c, o, job);
	if (ret)
		return ret;
	if (no_implicit)
		job->flags |= DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	v = jf_get(o, "native");
	if (v) {
		mark = jf_enter(c, "native");
		ret = parse_native(c, v, job, vm);
		jf_leave(c, mark);
	} else if (jf_get(o, "args")) {
		ret = parse_args(c, o, job);
	} else {
		ret = parse_shader(c, o, job, vm);
		if (job->queue == JF_NONE && !ret)
			job->own.params.engine = c->jf->programs[job->shader.program].engine;
	}
	return ret ? ret : jf_parse_expects(c, o, job);
}

int jf_parse_jobs(struct jf_ctx *c, struct json_object *root)
{
	struct vshader_jobfile *jf = c->jf;
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, root, "jobs", JF_MAX_ITEMS, &list, &n);

	if (ret)
		return ret;
	if (list && !n)
		return jf_error(c, "\"jobs\" is empty; a file of programs only has no such member");
	jf->jobs = jf_alloc(&jf->blocks, n * sizeof(*jf->jobs));
	if (!jf->jobs)
		return -ENOMEM;
	jf->num_jobs = (uint32_t)n;
	mark = jf_enter(c, "jobs");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_job(c, json_object_array_get_idx(list, i), &jf->jobs[i]);
		if (!ret && !i && jf->jobs[i].with_previous)
			ret = jf_error(c, "\"with_previous\": there is no previous job");
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}
