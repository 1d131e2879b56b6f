// SPDX-License-Identifier: MIT
/*
 * Utgard block of jobs in job files.
 */
#include <errno.h>
#include <string.h>

#include "jobfile_utgard.h"
#include "vshader_dump.h"

#define MAX_TARGETS	64	/* more than a job may have, to be able to ask for it */
#define ROW		4	/* components of uniforms */

static const struct jf_name prims[] = {
	{ "rect", DRM_VSHADER_UTGARD_PRIM_RECT },
	{ "triangle", DRM_VSHADER_UTGARD_PRIM_TRIANGLE },
	{ "point", DRM_VSHADER_UTGARD_PRIM_POINT },
	{ }
};

static const struct jf_name frag_flags[] = {
	{ "back", DRM_VSHADER_UTGARD_FRAG_BACK },
	{ "y-up", DRM_VSHADER_UTGARD_FRAG_Y_UP },
	{ }
};

static const struct jf_name switches[] = { { "fp32", DRM_VSHADER_UTGARD_FP32 }, { } };
static const struct jf_name orders[] = { { "u-interleaved", 1 }, { "linear", 2 }, { } };

static const struct jf_name pixels[] = {
	{ "rgba8", DRM_VSHADER_UTGARD_PIXEL_RGBA8 },
	{ "bgra8", DRM_VSHADER_UTGARD_PIXEL_BGRA8 },
	{ "bgr565", DRM_VSHADER_UTGARD_PIXEL_BGR565 },
	{ "bgra5551", DRM_VSHADER_UTGARD_PIXEL_BGRA5551 },
	{ "bgra4", DRM_VSHADER_UTGARD_PIXEL_BGRA4 },
	{ "r8", DRM_VSHADER_UTGARD_PIXEL_R8 },
	{ "rg8", DRM_VSHADER_UTGARD_PIXEL_RG8 },
	{ "rgba16f", DRM_VSHADER_UTGARD_PIXEL_RGBA16F },
	{ "rgba32f", DRM_VSHADER_UTGARD_PIXEL_RGBA32F },
	{ "r32f", DRM_VSHADER_UTGARD_PIXEL_R32F },
	{ }
};

/* Of a program that knows their names. */
static int parse_named(struct jf_ctx *c, struct json_object *v, const struct jf_program *p,
		       uint32_t vm, struct jf_utgard *u)
{
	static const char * const keys[] = { "values", "comment", NULL };
	size_t mark = jf_enter(c, "uniforms");
	int ret = v ? jf_keys(c, v, keys) : 0;

	if (!ret)
		ret = jf_mbs1_uniforms(c, p, v ? jf_get(v, "values") : NULL, vm, &u->uniforms.at,
				       &u->uniforms.count);
	jf_leave(c, mark);
	return ret;
}

/* Rows of numbers become a region; or they are in memory. */
static int parse_uniforms(struct jf_ctx *c, struct json_object *o, const struct jf_program *p,
			  uint32_t vm, struct jf_utgard *u)
{
	bool gp = p->engine == DRM_VSHADER_ENGINE_UTGARD_GP;
	struct jf_stream s = { .format = gp ? DRM_VSHADER_FORMAT_F32 : DRM_VSHADER_FORMAT_F16 };
	struct json_object *v = jf_get(o, "uniforms");
	size_t mark;
	int ret;

	if (v ? !!jf_get(v, "values") : !!p->mbs)
		return parse_named(c, v, p, vm, u);
	if (!v || !json_object_is_type(v, json_type_array))
		return jf_parse_table(c, o, "uniforms", &u->uniforms, NULL);
	mark = jf_enter(c, "uniforms");
	ret = jf_inline_stream(c, v, &s, vm, ROW);
	jf_leave(c, mark);
	u->uniforms.at = s.at;
	if (!ret)
		u->uniforms.count = (uint32_t)(c->jf->regions[s.at.region].size / s.stride);
	return ret;
}

/* ---- fragments ---- */

static int parse_target(struct jf_ctx *c, struct json_object *o, void *item)
{
	static const char * const keys[] = { "at", "row_stride", "order", "format", "reg",
					     "comment", NULL };
	struct jf_utgard_target *t = item;
	int ret;

	t->at.region = JF_NONE;
	t->order = 2;
	ret = jf_keys(c, o, keys);
	if (!ret && jf_get(o, "at"))
		ret = jf_get_loc(c, o, "at", &t->at);
	if (!ret)
		ret = jf_u32(c, o, "row_stride", UINT32_MAX, &t->row_stride);
	if (!ret)
		ret = jf_enum(c, o, "order", orders, &t->order);
	if (!ret)
		ret = jf_enum(c, o, "format", pixels, &t->format);
	return ret ? ret : jf_u32(c, o, "reg", UINT32_MAX, &t->reg);
}

/* Linear images without a choice of formats. */
static int parse_plane(struct jf_ctx *c, struct json_object *o, const char *key,
		       struct jf_utgard_plane *p)
{
	static const char * const keys[] = { "at", "row_stride", "comment", NULL };
	struct json_object *v = jf_get(o, key);
	size_t mark;
	int ret;

	p->at.region = JF_NONE;
	if (!v)
		return 0;
	mark = jf_enter(c, key);
	ret = jf_keys(c, v, keys);
	if (!ret)
		ret = jf_require(c, v, "at");
	if (!ret)
		ret = jf_get_loc(c, v, "at", &p->at);
	if (!ret)
		ret = jf_u32(c, v, "row_stride", UINT32_MAX, &p->row_stride);
	jf_leave(c, mark);
	return ret;
}

static int parse_fragments(struct jf_ctx *c, struct json_object *o, struct jf_utgard *u)
{
	static const struct jf_element target = { parse_target, sizeof(*u->targets) };
	int ret = jf_parse_table(c, o, "textures", &u->textures, NULL);

	u->raster.width = 2;
	u->raster.height = 2;
	if (!ret)
		ret = jf_flag_list(c, o, "switches", switches, &u->switches);
	if (!ret)
		ret = jf_u32(c, o, "temporaries", UINT32_MAX, &u->temporaries);
	if (!ret)
		ret = jf_parse_raster(c, o, prims, frag_flags, DRM_VSHADER_UTGARD_PRIM_POINT,
				      &u->raster);
	if (!ret)
		ret = jf_each_new(c, o, "targets", MAX_TARGETS, &target, &u->targets,
				  &u->num_targets);
	if (!ret)
		ret = parse_plane(c, o, "mask", &u->mask);
	return ret ? ret : parse_plane(c, o, "depth", &u->depth);
}

/* The "utgard" member of a job. */
static int parse(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	static const char * const gp_keys[] = { "uniforms", "memory", "comment", NULL };
	static const char * const pp_keys[] = { "uniforms", "memory", "textures", "switches",
						"temporaries", "x", "y", "width", "height", "prim",
						"flags", "vertices", "index", "point_size",
						"targets", "mask", "depth", "comment", NULL };
	const struct jf_program *p = &c->jf->programs[job->shader.program];
	bool gp = p->engine == DRM_VSHADER_ENGINE_UTGARD_GP;
	struct jf_utgard *u = jf_alloc(&c->jf->blocks, sizeof(*u));
	struct json_object *block = jf_get(o, "utgard");
	size_t mark;
	int ret;

	if (!u)
		return -ENOMEM;
	job->shader.block = u;
	u->uniforms.at.region = JF_NONE;
	u->temporaries = jf_mbs1_temporaries(p);
	if (!block)
		return gp ? parse_uniforms(c, o, p, vm, u) :
			    jf_error(c, "member \"utgard\" is missing");
	mark = jf_enter(c, "utgard");
	ret = jf_keys(c, block, gp ? gp_keys : pp_keys);
	if (!ret)
		ret = parse_uniforms(c, block, p, vm, u);
	if (!ret)
		ret = jf_u64(c, block, "memory", UINT64_MAX, &u->memory);
	if (!ret && !gp)
		ret = parse_fragments(c, block, u);
	jf_leave(c, mark);
	return ret;
}

/* Of a native job: a frame. */
static int parse_native(struct jf_ctx *c, struct json_object *o, struct jf_native *n, uint32_t vm)
{
	static const char * const keys[] = { "format", "at", "size", "gpu", "memory", "comment",
					     NULL };
	static const struct jf_name gpus[] = {
		{ "mali400", DRM_VSHADER_UTGARD_MALI400 },
		{ "mali450", DRM_VSHADER_UTGARD_MALI450 },
		{ }
	};

	return jf_parse_in_memory(c, o, keys, gpus, NULL, n);
}

static int load_gp(struct runner *r, const struct vshader_dump *d, void *block)
{
	struct drm_vshader_utgard_gp_job *b = block;

	return run_load_vertices(r, d, &b->vertices);
}

static int load_pp(struct runner *r, const struct vshader_dump *d, void *block)
{
	struct drm_vshader_utgard_pp_job *b = block;
	int ret = run_load_streams(r, d, DRM_VSHADER_DUMP_ATTRIBUTES, &b->inputs);

	return ret ? ret : run_load_array(r, d, DRM_VSHADER_DUMP_TARGETS,
					  sizeof(struct drm_vshader_utgard_target),
					  &b->targets);
}

static const uint32_t pp_sections[] = { DRM_VSHADER_DUMP_TARGETS, 0 };
static const struct jf_name models[] = { { "utgard", 0 }, { } };

const struct jf_isa jf_utgard_gp_isa = {
	.block = "utgard",
	.block_size = sizeof(struct drm_vshader_utgard_gp_job),
	.parse = parse,
	.make = utgard_make_gp,
	.vertices = JF_VERTICES,
	.load = load_gp,
	.models = models,
	.stage = DRM_VSHADER_STAGE_VERTEX,
	.native = "utgard-gp-frame",
	.format = DRM_VSHADER_NATIVE_UTGARD_GP_FRAME,
	.parse_native = parse_native,
};

const struct jf_isa jf_utgard_pp_isa = {
	.block = "utgard",
	.block_size = sizeof(struct drm_vshader_utgard_pp_job),
	.parse = parse,
	.make = utgard_make_pp,
	.vertices = JF_ATTRIBUTES,
	.sections = pp_sections,
	.load = load_pp,
	.models = models,
	.switches = switches,
	.stage = DRM_VSHADER_STAGE_FRAGMENT,
	.native = "utgard-pp-frame",
	.format = DRM_VSHADER_NATIVE_UTGARD_PP_FRAME,
	.parse_native = parse_native,
	.targets = utgard_frame_targets,
	.shader_targets = utgard_shader_targets,
};
