// SPDX-License-Identifier: MIT
/*
 * Mali block of jobs, and job chains, in job files.
 */
#include <errno.h>
#include <string.h>

#include "jobfile_mali.h"
#include "vshader_dump.h"

#define MAX_TARGETS	64	/* more than a job may have, to be able to ask for it */
#define MAX_THREADS	1024	/* of a workgroup */

static const struct jf_name models[] = { { "mali", 0 }, { } };

static const struct jf_name gpus[] = {
	{ "g71", DRM_VSHADER_MALI_G71 },
	{ "g72", DRM_VSHADER_MALI_G72 },
	{ "g31", DRM_VSHADER_MALI_G31 },
	{ "g52", DRM_VSHADER_MALI_G52 },
	{ "t760", DRM_VSHADER_MALI_T760 },
	{ "t860", DRM_VSHADER_MALI_T860 },
	{ }
};

static const struct jf_name prims[] = {
	{ "rect", DRM_VSHADER_MALI_PRIM_RECT },
	{ "triangle", DRM_VSHADER_MALI_PRIM_TRIANGLE },
	{ "point", DRM_VSHADER_MALI_PRIM_POINT },
	{ }
};

static const struct jf_name frag_flags[] = {
	{ "back", DRM_VSHADER_MALI_FRAG_BACK },
	{ "point-up", DRM_VSHADER_MALI_FRAG_POINT_UP },
	{ "depth-test", DRM_VSHADER_MALI_FRAG_DEPTH_TEST },
	{ "depth-write", DRM_VSHADER_MALI_FRAG_DEPTH_WRITE },
	{ "shader-z", DRM_VSHADER_MALI_FRAG_SHADER_Z },
	{ "stencil-test", DRM_VSHADER_MALI_FRAG_STENCIL_TEST },
	{ "shader-s", DRM_VSHADER_MALI_FRAG_SHADER_S },
	{ "late", DRM_VSHADER_MALI_FRAG_LATE },
	{ "alpha-test", DRM_VSHADER_MALI_FRAG_ALPHA_TEST },
	{ "alpha-to-coverage", DRM_VSHADER_MALI_FRAG_ALPHA_TO_COVERAGE },
	{ "per-sample", DRM_VSHADER_MALI_FRAG_PER_SAMPLE },
	{ }
};

static const struct jf_name orders[] = { { "u-interleaved", 1 }, { "linear", 2 }, { } };

static const struct jf_name switches[] = {
	{ "fused-fma", DRM_VSHADER_MALI_FUSED_FMA },
	{ }
};

/* Registers that compilers count on; bit n is register 48 + n. */
#define PRELOAD_COMPUTE		0x7f80
#define PRELOAD_VERTEX		0x6000
#define PRELOAD_POSITION	0x0c00
#define PRELOAD_FRAGMENT	0x3e00

static uint32_t default_gpu(bool midgard)
{
	return midgard ? DRM_VSHADER_MALI_T860 : DRM_VSHADER_MALI_G52;
}

/* ---- tables of descriptors ---- */

/* Words of uniforms become a region; or a table. */
static int parse_push(struct jf_ctx *c, struct json_object *o, uint32_t vm,
		      struct jf_table *t)
{
	struct json_object *v = jf_get(o, "push");
	size_t mark;
	int ret;

	if (!v || !json_object_is_type(v, json_type_array))
		return jf_parse_table(c, o, "push", t, NULL);
	mark = jf_enter(c, "push");
	ret = jf_new_words(c, v, vm, &t->at.region);
	t->at.offset = 0;
	if (!ret)
		t->count = (uint32_t)(c->jf->regions[t->at.region].size / 4);
	jf_leave(c, mark);
	return ret;
}

/* A list of {at, size}: the table is made when the addresses are known. */
static int parse_ubo(struct jf_ctx *c, struct json_object *o, void *item)
{
	struct jf_mali_ubo *u = item;
	static const char * const keys[] = { "at", "size", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	if (!ret)
		ret = jf_require(c, o, "at");
	if (!ret)
		ret = jf_get_loc(c, o, "at", &u->at);
	if (ret)
		return ret;
	if (u->at.region != JF_NONE)
		u->size = c->jf->regions[u->at.region].size - u->at.offset;
	ret = jf_u64(c, o, "size", UINT32_MAX, &u->size);
	if (!ret && (!u->size || u->size > 65536))
		ret = jf_error(c, "a uniform buffer of %llu bytes, expected 16 to 65536",
			       (unsigned long long)u->size);
	return ret;
}

static int parse_ubos(struct jf_ctx *c, struct json_object *o, uint32_t vm, struct jf_mali *m)
{
	static const struct jf_element ubo = { parse_ubo, sizeof(*m->ubo_list) };
	struct json_object *list = jf_get(o, "ubos");
	uint32_t n;
	int ret;

	m->ubos.at.region = JF_NONE;
	if (!list || !json_object_is_type(list, json_type_array))
		return jf_parse_table(c, o, "ubos", &m->ubos, NULL);
	ret = jf_each_new(c, o, "ubos", JF_MAX_ITEMS, &ubo, &m->ubo_list, &n);
	if (ret || !n)
		return ret;
	m->ubos.count = n;
	m->ubos.at.offset = 0;
	return jf_new_region(c, NULL, vm, 8 * (uint64_t)n, &m->ubos.at.region);
}

/* ---- fragments ---- */

static int parse_target(struct jf_ctx *c, struct json_object *o, void *item)
{
	static const char * const keys[] = { "at", "row_stride", "order", "format", "blend",
					     "sample_stride", "program", "comment", NULL };
	struct jf_mali_target *t = item;
	int ret;

	t->at.region = JF_NONE;
	t->program.region = JF_NONE;
	t->order = 2;
	ret = jf_keys(c, o, keys);
	if (!ret && jf_get(o, "at"))
		ret = jf_get_loc(c, o, "at", &t->at);
	if (!ret)
		ret = jf_u32(c, o, "row_stride", UINT32_MAX, &t->row_stride);
	if (!ret)
		ret = jf_enum(c, o, "order", orders, &t->order);
	if (!ret)
		ret = jf_u32(c, o, "format", UINT32_MAX, &t->format);
	if (!ret)
		ret = jf_u32(c, o, "sample_stride", UINT32_MAX, &t->sample_stride);
	if (!ret && jf_get(o, "program"))
		ret = jf_get_loc(c, o, "program", &t->program);
	return ret ? ret : jf_parse_u32s(c, o, "blend", 4, t->blend);
}

static int parse_image(struct jf_ctx *c, struct json_object *o, const char *key,
		       struct jf_mali_target *t)
{
	struct json_object *image = jf_get(o, key);
	size_t mark;
	int ret;

	t->at.region = JF_NONE;
	t->program.region = JF_NONE;
	if (!image)
		return 0;
	mark = jf_enter(c, key);
	ret = parse_target(c, image, t);
	jf_leave(c, mark);
	return ret;
}

/* Tested fields, with their counts. */
static int parse_tests(struct jf_ctx *c, struct json_object *o, struct jf_mali_fragment *f)
{
	double ref = 0;
	int ret;

	f->stencil_write = 0xffff;
	f->sample_positions.region = JF_NONE;
	ret = jf_u32(c, o, "depth_func", UINT32_MAX, &f->depth_func);
	if (!ret)
		ret = jf_u32(c, o, "samples", UINT32_MAX, &f->samples);
	if (!ret)
		ret = jf_u32(c, o, "sample_mask", UINT32_MAX, &f->sample_mask);
	if (!ret && jf_get(o, "sample_positions"))
		ret = jf_get_loc(c, o, "sample_positions", &f->sample_positions);
	if (!ret)
		ret = jf_parse_u32s(c, o, "stencil_side", 2, f->stencil_side);
	if (!ret)
		ret = jf_u32(c, o, "stencil_write", UINT32_MAX, &f->stencil_write);
	if (!ret)
		ret = jf_u32(c, o, "alpha_func", UINT32_MAX, &f->alpha_func);
	if (!ret)
		ret = jf_double(c, o, "alpha_ref", &ref);
	f->alpha_ref = jf_encode(JF_F32, ref);
	return ret;
}

static int parse_targets(struct jf_ctx *c, struct json_object *o, struct jf_mali_fragment *f)
{
	static const struct jf_element target = { parse_target, sizeof(*f->targets) };
	int ret = parse_image(c, o, "depth", &f->depth);

	if (!ret)
		ret = parse_image(c, o, "stencil", &f->stencil);
	return ret ? ret : jf_each_new(c, o, "targets", MAX_TARGETS, &target, &f->targets,
				       &f->num_targets);
}

static int parse_fragment(struct jf_ctx *c, struct json_object *o, struct jf_mali_fragment *f)
{
	static const char * const keys[] = { "x", "y", "width", "height", "prim", "flags",
					     "vertices", "index", "provoking", "point_size",
					     "primitive", "depth_func", "depth", "targets",
					     "samples", "sample_mask", "sample_positions",
					     "stencil", "stencil_side", "stencil_write",
					     "alpha_func", "alpha_ref", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	f->provoking = 2;
	if (!ret)
		ret = jf_parse_raster(c, o, prims, frag_flags, DRM_VSHADER_MALI_PRIM_POINT,
				      &f->raster);
	if (!ret)
		ret = jf_u32(c, o, "provoking", UINT32_MAX, &f->provoking);
	if (!ret)
		ret = jf_u32(c, o, "primitive", UINT32_MAX, &f->primitive);
	if (!ret)
		ret = parse_tests(c, o, f);
	return ret ? ret : parse_targets(c, o, f);
}

/* ---- the block ---- */

static int parse_groups(struct jf_ctx *c, struct json_object *o, struct jf_mali *m)
{
	uint32_t groups[3] = { 1, 1, 1 }, i;
	int ret = jf_parse_u32s(c, o, "local", 3, m->local);

	if (!ret)
		ret = jf_parse_u32s(c, o, "groups", 3, groups);
	for (i = 0; i < 3; i++)
		m->groups[i] = groups[i];
	return ret;
}

static int parse_tables(struct jf_ctx *c, struct json_object *o, uint32_t vm, struct jf_mali *m)
{
	int ret = parse_ubos(c, o, vm, m);

	if (!ret)
		ret = parse_push(c, o, vm, &m->push);
	if (!ret)
		ret = jf_parse_table(c, o, "attributes", &m->attributes, &m->attribute_buffers);
	if (!ret)
		ret = jf_parse_table(c, o, "varyings", &m->varyings, &m->varying_buffers);
	if (!ret)
		ret = jf_parse_table(c, o, "textures", &m->textures, NULL);
	if (!ret)
		ret = jf_parse_table(c, o, "samplers", &m->samplers, NULL);
	if (!ret && m->samplers.count && !m->textures.count)
		ret = jf_error(c, "\"samplers\" without \"textures\": there is nothing to sample");
	return ret;
}

/* A region of its own for memory that has no address. */
static int own_storage(struct jf_ctx *c, uint32_t vm, struct jf_loc *at, uint64_t size)
{
	if (at->region != JF_NONE || at->offset || !size)
		return 0;
	if (size > JF_MAX_REGION)
		return jf_error(c, "memory of threads and workgroups: more than %llu bytes",
				(unsigned long long)JF_MAX_REGION);
	return jf_new_region(c, NULL, vm, size, &at->region);
}

static int parse_storage(struct jf_ctx *c, struct json_object *o, uint32_t vm, struct jf_mali *m)
{
	int ret = jf_u32(c, o, "tls_size", UINT32_MAX, &m->tls_size);

	m->tls.region = JF_NONE;
	m->wls.region = JF_NONE;
	m->position.region = JF_NONE;
	m->wls_instances = 1;
	if (!ret)
		ret = jf_u32(c, o, "wls_size", UINT32_MAX, &m->wls_size);
	if (!ret)
		ret = jf_u32(c, o, "wls_instances", UINT32_MAX, &m->wls_instances);
	if (!ret && jf_get(o, "tls"))
		ret = jf_get_loc(c, o, "tls", &m->tls);
	if (!ret && jf_get(o, "wls"))
		ret = jf_get_loc(c, o, "wls", &m->wls);
	if (!ret && jf_get(o, "positions"))
		ret = jf_get_loc(c, o, "positions", &m->position);
	if (!ret)
		ret = own_storage(c, vm, &m->tls, (uint64_t)m->tls_size * MAX_THREADS);
	if (!ret)
		ret = own_storage(c, vm, &m->wls, (uint64_t)m->wls_size * m->wls_instances);
	return ret ? ret : jf_u64(c, o, "memory", UINT64_MAX, &m->memory);
}

static uint32_t default_preload(struct json_object *o, const struct jf_program *p)
{
	/* Midgard's programs ask for them with instructions */
	if (p->engine == DRM_VSHADER_ENGINE_MIDGARD)
		return 0;
	switch (p->stage) {
	case DRM_VSHADER_STAGE_COMPUTE:
		return PRELOAD_COMPUTE;
	case DRM_VSHADER_STAGE_VERTEX:
		return PRELOAD_VERTEX | (jf_get(o, "positions") ? PRELOAD_POSITION : 0);
	default:
		return PRELOAD_FRAGMENT;
	}
}

static int parse_block(struct jf_ctx *c, struct json_object *o, const struct jf_program *p,
		       uint32_t vm, struct jf_mali *m)
{
	static const char * const keys[] = { "gpu", "switches", "local", "groups", "preload",
					     "messages", "ubos", "push", "attributes",
					     "varyings", "textures", "samplers", "tls", "tls_size",
					     "wls", "wls_size", "wls_instances", "offset_start",
					     "instance_size", "positions", "memory", "fragment",
					     "work_registers", "fp_mode",
					     "comment", NULL };
	int ret = jf_keys(c, o, keys);

	m->gpu = default_gpu(p->engine == DRM_VSHADER_ENGINE_MIDGARD);
	m->preload = default_preload(o, p);
	if (p->stage == DRM_VSHADER_STAGE_COMPUTE) {
		m->local[0] = 1;
		m->local[1] = 1;
		m->local[2] = 1;
	}
	if (!ret)
		ret = jf_enum(c, o, "gpu", gpus, &m->gpu);
	if (!ret)
		ret = jf_flag_list(c, o, "switches", switches, &m->switches);
	if (!ret)
		ret = parse_groups(c, o, m);
	if (!ret)
		ret = jf_u32(c, o, "preload", UINT32_MAX, &m->preload);
	if (!ret)
		ret = jf_parse_u32s(c, o, "messages", 2, m->message);
	if (!ret)
		ret = parse_tables(c, o, vm, m);
	if (!ret)
		ret = parse_storage(c, o, vm, m);
	if (!ret)
		ret = jf_u32(c, o, "offset_start", UINT32_MAX, &m->offset_start);
	if (!ret)
		ret = jf_u32(c, o, "work_registers", UINT32_MAX, &m->work_registers);
	if (!ret)
		ret = jf_u32(c, o, "fp_mode", UINT32_MAX, &m->fp_mode);
	return ret ? ret : jf_u32(c, o, "instance_size", UINT32_MAX, &m->instance_size);
}

/* The "mali" member of a job. */
static int parse(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	const struct jf_program *p = &c->jf->programs[job->shader.program];
	struct json_object *block = jf_get(o, "mali"), *frag;
	struct jf_mali *m = jf_alloc(&c->jf->blocks, sizeof(*m));
	size_t mark, mark2;
	int ret;

	if (!m)
		return -ENOMEM;
	if (!block)
		return jf_error(c, "member \"mali\" is missing");
	job->shader.block = m;
	mark = jf_enter(c, "mali");
	ret = parse_block(c, block, p, vm, m);
	frag = jf_get(block, "fragment");
	if (!ret && (frag || p->stage == DRM_VSHADER_STAGE_FRAGMENT)) {
		m->fragment = jf_alloc(&c->jf->blocks, sizeof(*m->fragment));
		if (!m->fragment)
			return -ENOMEM;
		mark2 = jf_enter(c, "fragment");
		ret = frag ? parse_fragment(c, frag, m->fragment) :
			     jf_error(c, "fragment programs need it");
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

/* Of a native job: a chain. */
static int parse_native(struct jf_ctx *c, struct json_object *o, struct jf_native *n, uint32_t vm)
{
	static const char * const keys[] = { "format", "at", "size", "gpu", "switches", "memory",
					     "comment", NULL };

	n->model = default_gpu(n->format == DRM_VSHADER_NATIVE_MIDGARD_CHAIN);
	return jf_parse_in_memory(c, o, keys, gpus, switches, n);
}

static int load(struct runner *r, const struct vshader_dump *d, void *block)
{
	struct drm_vshader_mali_job *b = block;
	struct drm_vshader_mali_fragment *f;

	b->fragment = 0;
	b->fragment_size = 0;
	if (!d->part[DRM_VSHADER_DUMP_MALI_FRAGMENT].data)
		return 0;
	f = run_load_one(r, d, DRM_VSHADER_DUMP_MALI_FRAGMENT, sizeof(*f));
	if (!f)
		return -ENOMEM;
	b->fragment = (uintptr_t)f;
	b->fragment_size = sizeof(*f);
	return run_load_array(r, d, DRM_VSHADER_DUMP_TARGETS,
			      sizeof(struct drm_vshader_mali_target), &f->targets);
}

static const uint32_t sections[] = {
	DRM_VSHADER_DUMP_MALI_FRAGMENT, DRM_VSHADER_DUMP_TARGETS, 0
};

#define MALI_ISA(isa_format, isa_native) {					\
	.block = "mali",							\
	.block_size = sizeof(struct drm_vshader_mali_job),			\
	.parse = parse,								\
	.make = mali_make,							\
	.sections = sections,							\
	.load = load,								\
	.models = models,							\
	.switches = switches,							\
	.clock = DRM_VSHADER_MALI_CLOCK,					\
	.stage = DRM_VSHADER_STAGE_COMPUTE,					\
	.any_stage = true,							\
	.native = (isa_native),							\
	.format = (isa_format),							\
	.parse_native = parse_native,						\
	.targets = mali_targets,						\
	.shader_targets = mali_shader_targets,					\
}

const struct jf_isa jf_bifrost_isa = MALI_ISA(DRM_VSHADER_NATIVE_BIFROST_CHAIN, "bifrost-chain");
const struct jf_isa jf_midgard_isa = MALI_ISA(DRM_VSHADER_NATIVE_MIDGARD_CHAIN, "midgard-chain");
