// SPDX-License-Identifier: MIT
/*
 * QPU block of jobs, and lists of QPU threads, in job files.
 */
#include <errno.h>
#include <string.h>

#include "jobfile_qpu.h"
#include "vshader_dump.h"

#define INSN_BYTES	8
#define MAX_THREADS	65536	/* more than a job may have, to be able to ask for it */

/* The device's own choice begins where bus addresses of the QPU have ended. */
#define ALLOC_START	0x01000000u

static const struct jf_name models[] = { { "vc4", 0 }, { } };
static const struct jf_name switches[] = {
	{ "strict-hazards", DRM_VSHADER_QPU_STRICT_HAZARDS },
	{ "strict-tmu", DRM_VSHADER_QPU_STRICT_TMU },
	{ }
};

/* An address, or words that become a region of their own; their number, 0 of an address. */
static int parse_stream(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t vm,
			struct jf_loc *at, uint32_t *num)
{
	struct json_object *v = jf_get(o, key);
	size_t mark;
	int ret = 0;

	at->region = JF_NONE;
	at->offset = 0;
	*num = 0;
	if (!v)
		return 0;
	mark = jf_enter(c, key);
	if (json_object_is_type(v, json_type_array)) {
		ret = jf_new_words(c, v, vm, &at->region);
		if (!ret)
			*num = (uint32_t)(c->jf->regions[at->region].pieces->len / 4);
	} else {
		ret = jf_parse_loc(c, v, at);
	}
	jf_leave(c, mark);
	return ret;
}

static int parse_entry(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
		       struct jf_qpu_thread *t)
{
	const struct jf_program *p = &c->jf->programs[job->shader.program];
	struct json_object *v = jf_get(o, "entry");
	uint32_t word = job->shader.entry;
	size_t mark;
	int ret = 0;

	if (v) {
		mark = jf_enter(c, "entry");
		ret = jf_program_word(c, p, v, &word);
		if (!ret && word > UINT32_MAX / INSN_BYTES)
			ret = jf_error(c, "%u is no instruction of a program", word);
		jf_leave(c, mark);
	}
	t->code.region = JF_NONE;
	t->code.offset = (uint64_t)word * INSN_BYTES;
	/* any value, also one that is no entry */
	return ret ? ret : jf_u64(c, o, "pc", UINT32_MAX, &t->code.offset);
}

static int parse_block_thread(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			      uint32_t vm, struct jf_qpu_thread *t)
{
	static const char * const keys[] = { "uniforms", "num_uniforms", "entry", "pc", "payload",
					     "x", "y", "coverage", "rev", "repeat", "comment",
					     NULL };
	uint32_t x = 0, y = 0, coverage = 0xffff, payload_words;
	bool rev = false;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = parse_stream(c, o, "uniforms", vm, &t->uniforms, &t->num_uniforms);
	if (!ret)
		ret = jf_u32(c, o, "num_uniforms", UINT32_MAX, &t->num_uniforms);
	if (!ret)
		ret = parse_stream(c, o, "payload", vm, &t->payload, &payload_words);
	if (!ret)
		ret = parse_entry(c, o, job, t);
	if (!ret)
		ret = jf_u32(c, o, "x", UINT16_MAX, &x);
	if (!ret)
		ret = jf_u32(c, o, "y", UINT16_MAX, &y);
	if (!ret)
		ret = jf_u32(c, o, "coverage", UINT16_MAX, &coverage);
	if (!ret)
		ret = jf_bool(c, o, "rev", &rev);
	t->x = (uint16_t)x;
	t->y = (uint16_t)y;
	/* in other stages it must not be there */
	if (jf_get(o, "coverage") || c->jf->programs[job->shader.program].stage ==
	    DRM_VSHADER_STAGE_FRAGMENT)
		t->coverage = (uint16_t)coverage;
	t->flags = rev ? DRM_VSHADER_QPU_THREAD_REV : 0;
	return ret;
}

static int parse_list_thread(struct jf_ctx *c, struct json_object *o, uint32_t vm,
			     struct jf_qpu_thread *t)
{
	static const char * const keys[] = { "uniforms", "code", "repeat", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	if (!ret)
		ret = jf_require(c, o, "code");
	if (!ret)
		ret = parse_stream(c, o, "uniforms", vm, &t->uniforms, &t->num_uniforms);
	return ret ? ret : jf_get_loc(c, o, "code", &t->code);
}

static int count_threads(struct jf_ctx *c, struct json_object *list, size_t n, uint32_t *total)
{
	uint64_t sum = 0;
	uint32_t repeat;
	size_t i, mark;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		mark = jf_enter_index(c, i);
		repeat = 1;
		ret = jf_is_object(c, o);
		if (!ret)
			ret = jf_u32(c, o, "repeat", MAX_THREADS, &repeat);
		sum += repeat;
		if (!ret && sum > MAX_THREADS)
			ret = jf_error(c, "more than %u threads", MAX_THREADS);
		jf_leave(c, mark);
	}
	*total = (uint32_t)sum;
	return ret;
}

/* @job: of a shader job; NULL: a list. */
static int parse_threads(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			 uint32_t vm, struct jf_qpu *q)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	uint32_t k, repeat;
	int ret = jf_list(c, o, "threads", JF_MAX_ITEMS, &list, &n);

	if (ret || !list)
		return ret;
	mark = jf_enter(c, "threads");
	ret = count_threads(c, list, n, &k);
	q->threads = jf_alloc(&c->jf->blocks, ((size_t)k + 1) * sizeof(*q->threads));
	if (!q->threads)
		return -ENOMEM;
	for (i = 0; i < n && !ret; i++) {
		struct json_object *e = json_object_array_get_idx(list, i);
		struct jf_qpu_thread t = { };

		mark2 = jf_enter_index(c, i);
		repeat = 1;
		ret = jf_u32(c, e, "repeat", MAX_THREADS, &repeat);
		if (!ret)
			ret = job ? parse_block_thread(c, e, job, vm, &t) :
				    parse_list_thread(c, e, vm, &t);
		for (k = 0; k < repeat && !ret; k++)
			q->threads[q->num_threads++] = t;
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

static int parse_buffer(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t vm,
			uint64_t size, struct jf_loc *at, bool *has)
{
	struct json_object *v = jf_get(o, key);

	at->region = JF_NONE;
	*has = v && !(json_object_is_type(v, json_type_boolean) && !json_object_get_boolean(v));
	if (!*has)
		return 0;
	if (!json_object_is_type(v, json_type_boolean))
		return jf_get_loc(c, o, key, at);
	at->offset = 0;
	return jf_new_region(c, NULL, vm, size ? size : 4, &at->region);
}

static int parse_tile(struct jf_ctx *c, struct json_object *o, uint32_t vm, struct jf_qpu *q)
{
	static const char * const keys[] = { "width", "height", "samples", "color",
					     "color_stride", "zs", "zs_stride", "depth", "comment",
					     NULL };
	uint64_t row;
	int ret;

	q->samples = 1;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_u32(c, o, "width", UINT32_MAX, &q->width);
	if (!ret)
		ret = jf_u32(c, o, "height", UINT32_MAX, &q->height);
	if (!ret)
		ret = jf_u32(c, o, "samples", UINT32_MAX, &q->samples);
	if (!ret)
		ret = jf_u32(c, o, "depth", UINT32_MAX, &q->depth);
	if (ret)
		return ret;
	/* strides that the device accepts */
	row = q->width <= 64 && q->samples <= 4 ? 4 * q->width * q->samples : 0;
	q->color_stride = jf_get(o, "color") ? (uint32_t)row : 0;
	q->zs_stride = jf_get(o, "zs") ? (uint32_t)row : 0;
	ret = jf_u32(c, o, "color_stride", UINT32_MAX, &q->color_stride);
	if (!ret)
		ret = jf_u32(c, o, "zs_stride", UINT32_MAX, &q->zs_stride);
	if (!ret)
		ret = parse_buffer(c, o, "color", vm, 64ull * q->color_stride, &q->color,
				   &q->has_color);
	if (!ret)
		ret = parse_buffer(c, o, "zs", vm, 64ull * q->zs_stride, &q->zs, &q->has_zs);
	return ret;
}

/* The "qpu" member of a job. */
static int parse(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	static const char * const keys[] = { "threads", "tile", "switches", "model", "comment",
					     NULL };
	struct jf_qpu *q = jf_alloc(&c->jf->blocks, sizeof(*q));
	struct json_object *block = jf_get(o, "qpu"), *tile;
	size_t mark, mark2;
	int ret;

	if (!q)
		return -ENOMEM;
	if (!block)
		return jf_error(c, "member \"qpu\" is missing");
	job->shader.block = q;
	mark = jf_enter(c, "qpu");
	ret = jf_keys(c, block, keys);
	if (!ret)
		ret = jf_u32(c, block, "model", UINT32_MAX, &q->model);
	if (!ret)
		ret = jf_flag_list(c, block, "switches", switches, &q->switches);
	if (!ret)
		ret = parse_threads(c, block, job, vm, q);
	tile = ret ? NULL : jf_get(block, "tile");
	if (tile) {
		mark2 = jf_enter(c, "tile");
		ret = parse_tile(c, tile, vm, q);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	/* not used by this engine but for the default of threads */
	job->shader.entry = 0;
	job->shader.count = q->num_threads;
	return ret;
}

/* Of a native job: threads given inline become a list in memory. */
static int parse_list(struct jf_ctx *c, struct json_object *o, struct jf_native *n, uint32_t vm)
{
	struct jf_qpu q = { };
	struct jf_piece *p;
	uint32_t i;
	int ret;

	ret = jf_flag_list(c, o, "switches", switches, &n->switches);
	if (!ret)
		ret = jf_u32(c, o, "model", UINT32_MAX, &n->model);
	if (ret || !jf_get(o, "threads"))
		return ret;
	if (jf_get(o, "at"))
		return jf_error(c, "expected either \"at\" or \"threads\"");
	ret = parse_threads(c, o, NULL, vm, &q);
	if (ret)
		return ret;
	p = jf_alloc(&c->jf->blocks, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->len = 8ull * q.num_threads;
	p->repeat = 1;
	p->data = jf_alloc(&c->jf->blocks, p->len);
	p->fixups = jf_alloc(&c->jf->blocks, 2 * (size_t)q.num_threads * sizeof(*p->fixups));
	if (!p->data || !p->fixups)
		return -ENOMEM;
	for (i = 0; i < q.num_threads; i++) {
		p->fixups[2 * i] = (struct jf_fixup){ .word = 2 * i, .at = q.threads[i].uniforms };
		p->fixups[2 * i + 1] = (struct jf_fixup){
			.word = 2 * i + 1, .at = q.threads[i].code,
		};
	}
	p->num_fixups = 2 * q.num_threads;
	ret = jf_new_region(c, NULL, vm, p->len ? p->len : 8, &n->at.region);
	if (ret)
		return ret;
	c->jf->regions[n->at.region].pieces = p;
	c->jf->regions[n->at.region].num_pieces = 1;
	n->size = p->len;
	return 0;
}

static int parse_native(struct jf_ctx *c, struct json_object *o, struct jf_native *n, uint32_t vm)
{
	int ret = jf_parse_list(c, o, n);

	if (n->format != DRM_VSHADER_NATIVE_QPU_LIST)
		return ret ? ret : jf_parse_list_at(c, o, n);
	if (!ret)
		ret = parse_list(c, o, n, vm);
	return ret || jf_get(o, "threads") ? ret : jf_parse_list_at(c, o, n);
}

/* ---- running ---- */

static void *make(struct runner *r, const struct jf_shader *sh)
{
	const struct jf_qpu *q = sh->block;
	struct drm_vshader_qpu_job *b = jf_alloc(&r->run->blocks, sizeof(*b));
	struct drm_vshader_qpu_thread *t;
	uint32_t i;

	t = jf_alloc(&r->run->blocks, ((size_t)q->num_threads + 1) * sizeof(*t));
	if (!b || !t)
		return NULL;
	for (i = 0; i < q->num_threads; i++) {
		const struct jf_qpu_thread *in = &q->threads[i];

		t[i].uniforms = (uint32_t)run_va(r, &in->uniforms);
		t[i].pc = (uint32_t)in->code.offset;
		t[i].payload = (uint32_t)run_va(r, &in->payload);
		t[i].x = in->x;
		t[i].y = in->y;
		t[i].coverage = in->coverage;
		t[i].flags = in->flags;
		t[i].num_uniforms = in->num_uniforms;
	}
	b->model = q->model;
	b->switches = q->switches;
	b->threads = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(q->num_threads, t);
	b->color_va = q->has_color ? run_va(r, &q->color) : 0;
	b->zs_va = q->has_zs ? run_va(r, &q->zs) : 0;
	b->color_stride = q->color_stride;
	b->zs_stride = q->zs_stride;
	b->width = q->width;
	b->height = q->height;
	b->samples = q->samples;
	b->depth = q->depth;
	return b;
}

static int load(struct runner *r, const struct vshader_dump *d, void *block)
{
	struct drm_vshader_qpu_job *b = block;

	return run_load_array(r, d, DRM_VSHADER_DUMP_QPU_THREADS,
			      sizeof(struct drm_vshader_qpu_thread), &b->threads);
}

static const uint32_t sections[] = { DRM_VSHADER_DUMP_QPU_THREADS, 0 };

static const struct jf_name natives[] = {
	{ "vc4-bin", DRM_VSHADER_NATIVE_VC4_BIN }, { "vc4-render", DRM_VSHADER_NATIVE_VC4_RENDER },
	{ },
};

const struct jf_isa jf_qpu_isa = {
	.block = "qpu",
	.block_size = sizeof(struct drm_vshader_qpu_job),
	.parse = parse,
	.make = make,
	.sections = sections,
	.load = load,
	.models = models,
	.switches = switches,
	.stage = DRM_VSHADER_STAGE_COMPUTE,
	.alloc_start = ALLOC_START,
	.native = "qpu-list",
	.more_natives = natives,
	.format = DRM_VSHADER_NATIVE_QPU_LIST,
	.parse_native = parse_native,
	.expects = qpu_expects,
	.read_states = qpu_read_states,
	.targets = qpu_frame_targets,
};
