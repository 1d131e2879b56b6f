// SPDX-License-Identifier: MIT
/*
 * PICA200 block of jobs in job files.
 */
#include <errno.h>
#include <string.h>

#include "jobfile_pica.h"
#include "vshader_dump.h"

#define DEFAULT_MAX_PRIMS	16
#define DEFAULT_OUTPUT		65536

static const struct jf_name models[] = {
	{ "f24", DRM_VSHADER_PICA_F24 },
	{ "f32", DRM_VSHADER_PICA_F32 },
	{ }
};

static const struct jf_name switches[] = {
	{ "round-nearest", DRM_VSHADER_PICA_ROUND_NEAREST },
	{ "oor-reads-zero", DRM_VSHADER_PICA_OOR_READS_ZERO },
	{ "loop-restores-al", DRM_VSHADER_PICA_LOOP_RESTORES_AL },
	{ "strict", DRM_VSHADER_PICA_STRICT },
	{ "factors-of-min-max", DRM_VSHADER_PICA_FACTORS_OF_MIN_MAX },
	{ "reflections-swapped", DRM_VSHADER_PICA_REFLECTIONS_SWAPPED },
	{ "quaternions-as-given", DRM_VSHADER_PICA_QUATERNIONS_AS_GIVEN },
	{ "factor-unbounded", DRM_VSHADER_PICA_FACTOR_UNBOUNDED },
	{ "shadow-alpha-of-both", DRM_VSHADER_PICA_SHADOW_ALPHA_OF_BOTH },
	{ "texels-to-zero", DRM_VSHADER_PICA_TEXELS_TO_ZERO },
	{ "clamp-of-both", DRM_VSHADER_PICA_CLAMP_OF_BOTH },
	{ }
};

static int parse_model(struct jf_ctx *c, struct json_object *o, uint32_t *model, uint32_t *flags)
{
	int ret = jf_enum(c, o, "model", models, model);

	return ret ? ret : jf_flag_list(c, o, "switches", switches, flags);
}

static void set_row(struct jf_pica *p, unsigned int row, const uint32_t *bits)
{
	memcpy(p->floats[row], bits, sizeof(p->floats[row]));
	if (p->num_floats <= row)
		p->num_floats = row + 1;
}

/* Uniforms that the program sets itself; those of the job come on top. */
static int use_constants(const struct jf_program *prog, struct jf_pica *p)
{
	struct vshader_constants k;
	unsigned int i, j;
	int ret;

	if (!prog->bin)
		return 0;
	ret = vshader_binary_constants(prog->bin, prog->bin_index, &k);
	if (ret)
		return ret;
	for (i = 0; i < 96; i++) {
		uint32_t row[4];

		if (!(k.float_mask[i / 32] >> i % 32 & 1))
			continue;
		memcpy(row, k.floats[i], sizeof(row));
		for (j = 0; j < 4 && p->float_format == DRM_VSHADER_FORMAT_F24; j++)
			row[j] = jf_encode(JF_F24, jf_decode(JF_F32, row[j]));
		set_row(p, i, row);
	}
	for (i = 0; i < 4; i++) {
		if (k.int_mask >> i & 1)
			memcpy(p->ints[i], k.ints[i], sizeof(p->ints[i]));
	}
	p->bools = k.bools & k.bool_mask;
	p->output_mask = k.output_mask;
	return 0;
}

static int parse_floats(struct jf_ctx *c, struct json_object *v, const struct vshader_register *reg,
			struct jf_pica *p)
{
	struct jf_values values;
	uint32_t i, j, rows;
	int ret;

	ret = jf_parse_values(c, v, p->float_format == DRM_VSHADER_FORMAT_F24 ? JF_F24 : JF_F32,
			      false, &values);
	if (ret)
		return ret;
	rows = values.count / 4;
	if (!rows || values.count % 4 || rows > 96u - reg->first ||
	    (reg->count > 1 && rows > reg->count))
		return jf_error(c, "%u values, expected rows of 4, at most %u", values.count,
				reg->count > 1 ? reg->count : 96 - reg->first);
	for (i = 0; i < rows; i++) {
		uint32_t row[4];

		for (j = 0; j < 4; j++)
			row[j] = values.v[4 * i + j].bits;
		set_row(p, reg->first + i, row);
	}
	return 0;
}

static int parse_ints(struct jf_ctx *c, struct json_object *v, const struct vshader_register *reg,
		      struct jf_pica *p)
{
	struct jf_values values;
	uint32_t i;
	int ret;

	ret = jf_parse_values(c, v, JF_U8, false, &values);
	if (ret)
		return ret;
	if (!values.count || values.count % 4 || values.count / 4 > 4u - reg->first)
		return jf_error(c, "%u values, expected rows of 4, at most %u", values.count,
				4 - reg->first);
	for (i = 0; i < values.count; i++)
		p->ints[reg->first + i / 4][i % 4] = (uint8_t)values.v[i].bits;
	return 0;
}

static int parse_uniform(struct jf_ctx *c, const struct jf_program *prog, const char *key,
			 struct json_object *v, struct jf_pica *p)
{
	struct vshader_register reg;
	int ret = jf_program_reg(c, prog, key, 0, &reg);

	if (ret)
		return ret;
	if (reg.kind == 'c')
		return parse_floats(c, v, &reg, p);
	if (reg.kind == 'i')
		return parse_ints(c, v, &reg, p);
	if (!json_object_is_type(v, json_type_boolean))
		return jf_error(c, "expected true or false");
	p->bools &= ~(1u << reg.first);
	p->bools |= (uint32_t)json_object_get_boolean(v) << reg.first;
	return 0;
}

static int parse_uniforms(struct jf_ctx *c, const struct jf_program *prog, struct json_object *o,
			  struct jf_pica *p)
{
	size_t mark = jf_enter(c, "uniforms"), mark2;
	int ret = jf_is_object(c, o);

	if (!ret) {
		json_object_object_foreach(o, key, val) {
			if (ret)
				break;
			mark2 = jf_enter(c, key);
			ret = parse_uniform(c, prog, key, val, p);
			jf_leave(c, mark2);
		}
	}
	jf_leave(c, mark);
	return ret;
}

/* A number, or a list of register names. */
static int parse_output_mask(struct jf_ctx *c, const struct jf_program *prog,
			     struct json_object *v, struct jf_pica *p)
{
	struct vshader_register reg;
	size_t i, mark = jf_enter(c, "output_mask");
	uint64_t n;
	int ret = 0;

	if (json_object_is_type(v, json_type_array)) {
		p->output_mask = 0;
		for (i = 0; !ret && i < json_object_array_length(v); i++) {
			struct json_object *e = json_object_array_get_idx(v, i);

			if (!json_object_is_type(e, json_type_string))
				ret = jf_error(c, "expected names of output registers");
			else
				ret = jf_program_reg(c, prog, json_object_get_string(e), 'o', &reg);
			if (!ret)
				p->output_mask |= 1u << reg.first;
		}
	} else {
		ret = jf_value_u64(c, v, UINT32_MAX, &n);
		if (!ret)
			p->output_mask = (uint32_t)n;
	}
	jf_leave(c, mark);
	return ret;
}

static int place_output(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t vm,
			uint64_t size, struct jf_loc *at)
{
	if (o && jf_get(o, key))
		return jf_get_loc(c, o, key, at);
	if (size > JF_MAX_REGION)
		return jf_error(c, "\"%s\" needs %llu bytes, the limit is %llu", key,
				(unsigned long long)size, (unsigned long long)JF_MAX_REGION);
	return jf_new_region(c, NULL, vm, size ? size : 4, &at->region);
}

static int parse_geometry(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	struct jf_pica *p = job->shader.block;
	uint64_t n = (uint64_t)job->shader.count *
		     (job->shader.instances ? job->shader.instances : 1);
	uint64_t vertex = 16 * (uint64_t)__builtin_popcount(p->output_mask & 0xffff);
	uint64_t prims = p->max_prims > 4096 ? 4096 : p->max_prims;
	struct json_object *info = o ? jf_get(o, "prim_info") : NULL;
	int ret;

	if (n > JF_MAX_REGION)
		return jf_error(c, "%llu invocations are too many for a geometry job",
				(unsigned long long)n);
	p->has_prims = true;
	ret = place_output(c, o, "prims", vm, n * prims * 3 * vertex, &p->prims);
	if (ret)
		return ret;
	if (info && json_object_is_type(info, json_type_boolean) &&
	    !json_object_get_boolean(info))
		return 0;
	p->has_prim_info = true;
	return place_output(c, o, "prim_info", vm, n * 4 * (1 + prims), &p->prim_info);
}

static int parse_block(struct jf_ctx *c, struct json_object *o, const struct jf_program *prog,
		       struct jf_pica *p)
{
	static const char * const keys[] = { "model", "switches", "uniforms", "uniform_format",
					     "bools", "output_mask", "max_prims", "prims",
					     "prim_info", "comment", NULL };
	struct json_object *v;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = parse_model(c, o, &p->model, &p->switches);
	if (!ret)
		ret = jf_enum(c, o, "uniform_format", jf_formats, &p->float_format);
	if (!ret)
		ret = use_constants(prog, p);
	if (!ret)
		ret = jf_u32(c, o, "bools", UINT32_MAX, &p->bools);
	if (!ret)
		ret = jf_u32(c, o, "max_prims", UINT32_MAX, &p->max_prims);
	v = jf_get(o, "uniforms");
	if (!ret && v)
		ret = parse_uniforms(c, prog, v, p);
	v = jf_get(o, "output_mask");
	if (!ret && v)
		ret = parse_output_mask(c, prog, v, p);
	return ret;
}

static int parse(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	const struct jf_program *prog = &c->jf->programs[job->shader.program];
	bool geometry = prog->stage == DRM_VSHADER_STAGE_GEOMETRY;
	struct json_object *block = jf_get(o, "pica");
	struct jf_pica *p = jf_alloc(&c->jf->blocks, sizeof(*p));
	size_t mark;
	int ret;

	if (!p)
		return -ENOMEM;
	job->shader.block = p;
	if (geometry)
		p->max_prims = DEFAULT_MAX_PRIMS;
	mark = jf_enter(c, "pica");
	ret = block ? parse_block(c, block, prog, p) : use_constants(prog, p);
	if (!ret && geometry)
		ret = parse_geometry(c, block, job, vm);
	/* The output mask of a container is for the geometry stage only. */
	if (!geometry && !(block && jf_get(block, "output_mask")))
		p->output_mask = 0;
	jf_leave(c, mark);
	return ret;
}

/* Of a native job: a command list, or requests. */
static int parse_native(struct jf_ctx *c, struct json_object *o, struct jf_native *n, uint32_t vm)
{
	int ret;

	if (n->format == DRM_VSHADER_NATIVE_PICA_GX)
		return pica_parse_requests(c, o, n, vm);
	n->output_size = DEFAULT_OUTPUT;
	ret = jf_parse_list(c, o, n);
	if (!ret)
		ret = parse_model(c, o, &n->model, &n->switches);
	if (!ret)
		ret = jf_parse_list_at(c, o, n);
	if (ret || jf_get(o, "output"))
		return ret;
	if (n->output_size > JF_MAX_REGION)
		return jf_error(c, "\"output_size\" is above the limit %llu",
				(unsigned long long)JF_MAX_REGION);
	return jf_new_region(c, NULL, vm, n->output_size ? n->output_size : 1,
			     &n->output.region);
}

/* ---- running ---- */

static void *make(struct runner *r, const struct jf_shader *sh)
{
	const struct jf_pica *p = sh->block;
	struct drm_vshader_pica_job *b = jf_alloc(&r->run->blocks, sizeof(*b));

	if (!b || !run_make_vertices(r, sh, &b->vertices))
		return NULL;
	b->model = p->model;
	b->switches = p->switches;
	b->float_uniforms = (uintptr_t)p->floats;
	b->num_float_uniforms = p->num_floats;
	b->float_format = p->float_format;
	memcpy(b->int_uniforms, p->ints, sizeof(p->ints));
	b->bool_uniforms = p->bools;
	b->output_mask = p->output_mask;
	b->max_prims = p->max_prims;
	b->prims_va = p->has_prims ? run_va(r, &p->prims) : 0;
	b->prim_info_va = p->has_prim_info ? run_va(r, &p->prim_info) : 0;
	return b;
}

static int load(struct runner *r, const struct vshader_dump *d, void *block)
{
	struct drm_vshader_obj_array rows;
	struct drm_vshader_pica_job *b = block;
	int ret = run_load_array(r, d, DRM_VSHADER_DUMP_FLOAT_UNIFORMS, 16, &rows);

	b->float_uniforms = ret ? 0 : rows.array;
	b->num_float_uniforms = ret ? 0 : rows.count;
	return ret ? ret : run_load_vertices(r, d, &b->vertices);
}

static const uint32_t sections[] = { DRM_VSHADER_DUMP_FLOAT_UNIFORMS, 0 };

static const struct jf_name natives[] = { { "pica-gx", DRM_VSHADER_NATIVE_PICA_GX }, { } };

const struct jf_isa jf_pica_isa = {
	.block = "pica",
	.block_size = sizeof(struct drm_vshader_pica_job),
	.parse = parse,
	.make = make,
	.vertices = JF_VERTICES,
	.draws = true,
	.sections = sections,
	.load = load,
	.models = models,
	.switches = switches,
	.stage = DRM_VSHADER_STAGE_VERTEX,
	.native = "pica-cmdlist",
	.more_natives = natives,
	.format = DRM_VSHADER_NATIVE_PICA_CMDLIST,
	.parse_native = parse_native,
	.targets = pica_targets,
	.expects = pica_expects,
	.keep = pica_keep,
};
