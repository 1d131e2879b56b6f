// SPDX-License-Identifier: MIT
/*
 * Utgard block of jobs in job files.
 */
#include <errno.h>
#include <string.h>

#include "jobfile_json.h"

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
	{ "point-up", DRM_VSHADER_UTGARD_FRAG_POINT_UP },
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

/* Address and number of something. */
static int parse_table(struct jf_ctx *c, struct json_object *o, const char *key,
		       struct jf_loc *at, uint32_t *count)
{
	static const char * const keys[] = { "at", "count", "comment", NULL };
	struct json_object *v = jf_get(o, key);
	size_t mark;
	int ret;

	at->region = JF_NONE;
	if (!v)
		return 0;
	mark = jf_enter(c, key);
	ret = jf_keys(c, v, keys);
	if (!ret)
		ret = jf_require(c, v, "at");
	if (!ret)
		ret = jf_require(c, v, "count");
	if (!ret)
		ret = jf_get_loc(c, v, "at", at);
	if (!ret)
		ret = jf_u32(c, v, "count", UINT32_MAX, count);
	jf_leave(c, mark);
	return ret;
}

/* Of a program that knows their names. */
static int parse_named(struct jf_ctx *c, struct json_object *v, const struct jf_program *p,
		       uint32_t vm, struct jf_utgard *u)
{
	static const char * const keys[] = { "values", "comment", NULL };
	size_t mark = jf_enter(c, "uniforms");
	int ret = v ? jf_keys(c, v, keys) : 0;

	if (!ret)
		ret = jf_mbs1_uniforms(c, p, v ? jf_get(v, "values") : NULL, vm, &u->uniforms,
				       &u->num_rows);
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
		return parse_table(c, o, "uniforms", &u->uniforms, &u->num_rows);
	mark = jf_enter(c, "uniforms");
	ret = jf_inline_stream(c, v, &s, vm, ROW);
	jf_leave(c, mark);
	u->uniforms = s.at;
	if (!ret)
		u->num_rows = (uint32_t)(c->jf->regions[s.at.region].size / s.stride);
	return ret;
}

/* ---- fragments ---- */

static int parse_target(struct jf_ctx *c, struct json_object *o, struct jf_utgard_target *t)
{
	static const char * const keys[] = { "at", "row_stride", "order", "format", "reg",
					     "comment", NULL };
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

static int parse_targets(struct jf_ctx *c, struct json_object *o, struct jf_utgard *u)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, o, "targets", MAX_TARGETS, &list, &n);

	if (ret)
		return ret;
	u->targets = jf_alloc(&c->jf->blocks, (n + 1) * sizeof(*u->targets));
	if (!u->targets)
		return -ENOMEM;
	mark = jf_enter(c, "targets");
	for (i = 0; i < n && !ret; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_target(c, json_object_array_get_idx(list, i), &u->targets[i]);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	u->num_targets = (uint32_t)n;
	return ret;
}

static int parse_mask(struct jf_ctx *c, struct json_object *o, struct jf_utgard *u)
{
	static const char * const keys[] = { "at", "row_stride", "comment", NULL };
	struct json_object *v = jf_get(o, "mask");
	size_t mark;
	int ret;

	u->mask.region = JF_NONE;
	if (!v)
		return 0;
	mark = jf_enter(c, "mask");
	ret = jf_keys(c, v, keys);
	if (!ret)
		ret = jf_require(c, v, "at");
	if (!ret)
		ret = jf_get_loc(c, v, "at", &u->mask);
	if (!ret)
		ret = jf_u32(c, v, "row_stride", UINT32_MAX, &u->mask_stride);
	jf_leave(c, mark);
	return ret;
}

static int parse_corners(struct jf_ctx *c, struct json_object *o, struct jf_utgard *u)
{
	struct json_object *v = jf_get(o, "vertices");
	uint32_t n = u->prim == DRM_VSHADER_UTGARD_PRIM_POINT ? 1 : 3;
	double size = 1;
	size_t mark;
	int ret = 0;

	u->index[1] = 1;
	u->index[2] = 2;
	if (v) {
		mark = jf_enter(c, "vertices");
		ret = jf_parse_floats(c, v, 4 * n, u->vertex[0]);
		jf_leave(c, mark);
	}
	if (!ret)
		ret = jf_parse_u32s(c, o, "index", 3, u->index);
	if (!ret)
		ret = jf_double(c, o, "point_size", &size);
	if (u->prim == DRM_VSHADER_UTGARD_PRIM_POINT)
		u->point_size = jf_encode(JF_F32, size);
	return ret;
}

static int parse_fragments(struct jf_ctx *c, struct json_object *o, struct jf_utgard *u)
{
	int ret = parse_table(c, o, "textures", &u->textures, &u->num_textures);

	u->width = 2;
	u->height = 2;
	if (!ret)
		ret = jf_flag_list(c, o, "switches", switches, &u->switches);
	if (!ret)
		ret = jf_u32(c, o, "temporaries", UINT32_MAX, &u->temporaries);
	if (!ret)
		ret = jf_u32(c, o, "x", UINT32_MAX, &u->x);
	if (!ret)
		ret = jf_u32(c, o, "y", UINT32_MAX, &u->y);
	if (!ret)
		ret = jf_u32(c, o, "width", UINT32_MAX, &u->width);
	if (!ret)
		ret = jf_u32(c, o, "height", UINT32_MAX, &u->height);
	if (!ret)
		ret = jf_enum(c, o, "prim", prims, &u->prim);
	if (!ret)
		ret = jf_flag_list(c, o, "flags", frag_flags, &u->flags);
	if (!ret)
		ret = parse_corners(c, o, u);
	if (!ret)
		ret = parse_targets(c, o, u);
	return ret ? ret : parse_mask(c, o, u);
}

/* The "utgard" member of a job. */
int jf_parse_utgard(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	static const char * const gp_keys[] = { "uniforms", "memory", "comment", NULL };
	static const char * const pp_keys[] = { "uniforms", "memory", "textures", "switches",
						"temporaries", "x", "y", "width", "height", "prim",
						"flags", "vertices", "index", "point_size",
						"targets", "mask", "comment", NULL };
	const struct jf_program *p = &c->jf->programs[job->shader.program];
	bool gp = p->engine == DRM_VSHADER_ENGINE_UTGARD_GP;
	struct jf_utgard *u = jf_alloc(&c->jf->blocks, sizeof(*u));
	struct json_object *block = jf_get(o, "utgard");
	size_t mark;
	int ret;

	if (!u)
		return -ENOMEM;
	job->shader.utgard = u;
	u->uniforms.region = JF_NONE;
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
int jf_parse_utgard_frame(struct jf_ctx *c, struct json_object *o, struct jf_native *n)
{
	static const char * const keys[] = { "format", "at", "size", "gpu", "memory", "comment",
					     NULL };
	static const struct jf_name gpus[] = {
		{ "mali400", DRM_VSHADER_UTGARD_MALI400 },
		{ "mali450", DRM_VSHADER_UTGARD_MALI450 },
		{ }
	};
	int ret = jf_keys(c, o, keys);

	n->output.region = JF_NONE;
	n->output_size = 0;
	if (!ret)
		ret = jf_enum(c, o, "gpu", gpus, &n->model);
	if (!ret)
		ret = jf_u64(c, o, "memory", UINT64_MAX, &n->memory);
	if (!ret)
		ret = jf_u64(c, o, "size", UINT64_MAX, &n->size);
	if (!ret)
		ret = jf_require(c, o, "at");
	return ret ? ret : jf_get_loc(c, o, "at", &n->at);
}
