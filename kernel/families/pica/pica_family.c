// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs of PICA200: from the descriptor to a launch record.
 */
#include "drm/vshader_drm_pica.h"
#include "families/vertices.h"
#include "isa/pica/pica.h"
#include "isa/pica/pica_launch.h"

/**
 * struct pica_work - Execution of a shader job.
 * @launch: launch record, until the engine job has it
 * @unif: uniforms in the numeric model's form
 */
struct pica_work {
	struct vs_launch *launch;
	u32 *unif;
};

static void pica_family_work_free(void *work)
{
	struct pica_work *w = work;

	if (!w)
		return;
	vs_free(w->launch);
	vs_free(w->unif);
	vs_free(w);
}

static struct pica_work *work_new(const struct vs_program *prog)
{
	struct pica_work *w = vs_zalloc(sizeof(*w));

	if (!w)
		return NULL;
	w->launch = vs_zalloc(sizeof(*w->launch));
	w->unif = vs_zalloc_array(prog ? prog->prog->nunif : 1, sizeof(u32));
	if (w->launch && w->unif)
		return w;
	pica_family_work_free(w);
	return NULL;
}

/* ---- vertices and streams ---- */

static int check_stream(const struct vshader_shader *s, const struct drm_vshader_stream *in,
			bool output, u32 n, u32 regs)
{
	const char *what = output ? "output" : "attribute";

	if (in->format >= VS_NUM_FMT)
		return s->ops->fail(s, EINVAL, "%s %u: unknown format %u", what, n, in->format);
	if (in->reg >= regs)
		return s->ops->fail(s, EINVAL, "%s %u: register %u, there are %u", what, n,
				    in->reg, regs);
	if (output && in->format != VS_FMT_F32 && in->format != VS_FMT_F24 &&
	    in->format != VS_FMT_U32)
		return s->ops->fail(s, EINVAL, "output %u: the format is none of F32, F24, U32",
				    n);
	return 0;
}

static u32 stream_regs(const struct vshader_shader *s, bool output)
{
	if (!s->prog)
		return PICA_NUM_REGS;
	return output ? s->prog->prog->nout : s->prog->prog->nin;
}

static int fill_streams(const struct vshader_shader *s, const struct drm_vshader_obj_array *array,
			bool output, struct vs_stream *out, u32 *n)
{
	struct drm_vshader_stream *in;
	int ret;
	u32 i;

	ret = vshader_streams_copy(s, array, output, &in);
	if (ret)
		return ret;
	for (i = 0; i < array->count && !ret; i++) {
		ret = check_stream(s, &in[i], output, i, stream_regs(s, output));
		out[i] = (struct vs_stream){
			.va = in[i].va,
			.stride = in[i].stride,
			.divisor = in[i].divisor,
			.format = (u8)in[i].format,
			.reg = (u8)in[i].reg,
			.ncomp = (u8)in[i].components,
		};
	}
	*n = array->count;
	vs_free(in);
	return ret;
}

static int fill_vertices(const struct vshader_shader *s, const struct drm_vshader_vertices *v,
			 struct vs_launch *l)
{
	int ret = vshader_vertices_check(s, v);

	if (ret)
		return ret;
	l->count = v->count;
	l->instances = vshader_vertices_instances(v);
	l->first = v->first;
	l->index_size = vshader_vertices_index_size(v);
	l->index_va = v->index_va;
	ret = fill_streams(s, &v->attributes, false, l->attr, &l->nattr);
	return ret ? ret : fill_streams(s, &v->outputs, true, l->out, &l->nout);
}

/* ---- block ---- */

static int pica_family_check_block(const struct vshader_shader *s,
				   const struct drm_vshader_pica_job *b)
{
	int ret = 0;

	if (b->pad)
		return s->ops->fail(s, EINVAL, "PICA block: pad is not 0");
	if (b->num_float_uniforms > PICA_FLOAT_UNIFORMS)
		return s->ops->fail(s, EINVAL, "PICA block: %u float uniforms, the limit is %u",
				    b->num_float_uniforms, PICA_FLOAT_UNIFORMS);
	if (b->float_format != DRM_VSHADER_FORMAT_F32 && b->float_format != DRM_VSHADER_FORMAT_F24)
		return s->ops->fail(s, EINVAL,
				    "PICA block: float_format is %u, expected F32 or F24",
				    b->float_format);
	if (s->prog && s->prog->src.stage == VS_STAGE_GEOMETRY)
		ret = vshader_shader_check_va(s, b->prims_va, 1, "prims_va");
	if (!ret && b->prim_info_va)
		ret = vshader_shader_check_va(s, b->prim_info_va, 1, "prim_info_va");
	return ret;
}

/* Without a program, pica_launch_fill() cannot check these. */
static int pica_family_check_model(const struct vshader_shader *s,
				   const struct drm_vshader_pica_job *b)
{
	if (b->model > PICA_MODEL_F32)
		return s->ops->fail(s, EINVAL, "PICA job: model %u is not valid", b->model);
	if (b->switches & ~PICA_SW_ALL ||
	    (b->model == PICA_MODEL_F32 && b->switches & PICA_SW_ROUND_NEAREST))
		return s->ops->fail(s, EINVAL,
				    "PICA job: switches %#x are not valid for its model",
				    b->switches);
	if (b->bool_uniforms & ~0xffffu)
		return s->ops->fail(s, EINVAL, "PICA job: bool_uniforms %#x: there are 16",
				    b->bool_uniforms);
	return 0;
}

static int launch_fill(const struct vshader_shader *s, const struct drm_vshader_pica_job *b,
		       const u32 *floats, u32 entry, struct pica_work *w)
{
	struct pica_launch pl = {
		.model = b->model,
		.switches = b->switches,
		.floats = (const u32 (*)[4])floats,
		.nfloats = b->num_float_uniforms,
		.floats_f24 = b->float_format == DRM_VSHADER_FORMAT_F24,
		.bools = b->bool_uniforms,
		.output_mask = b->output_mask,
		.max_prims = b->max_prims,
		.prims_va = b->prims_va,
		.prim_info_va = b->prim_info_va,
	};
	const char *what = "PICA block";
	int ret;

	static_assert(sizeof(pl.ints) == sizeof(b->int_uniforms), "integer uniforms");
	memcpy(pl.ints, b->int_uniforms, sizeof(pl.ints));
	ret = pica_launch_fill(s->prog, &pl, w->launch, entry, w->unif, &what);
	return vshader_shader_refused(s, ret, what);
}

static int fill_block(const struct vshader_shader *s, const struct drm_vshader_pica_job *b,
		      u32 entry, struct pica_work *w)
{
	u32 bytes, *floats;
	int ret;

	ret = pica_family_check_block(s, b);
	if (ret)
		return ret;
	bytes = b->num_float_uniforms * 16;
	floats = vs_zalloc(bytes);
	if (!floats)
		return s->ops->fail(s, ENOMEM, "out of memory");
	if (bytes)
		ret = s->ops->copy_struct(floats, bytes, b->float_uniforms, bytes, bytes,
					  "float_uniforms");
	if (!ret)
		ret = s->prog ? launch_fill(s, b, floats, entry, w) : pica_family_check_model(s, b);
	vs_free(floats);
	return ret;
}

static int pica_family_make(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
			    void **work)
{
	struct drm_vshader_pica_job b;
	struct pica_work *w;
	int ret;

	ret = vshader_shader_block(s, d, &b,
				   offsetofend(struct drm_vshader_pica_job, prim_info_va));
	if (ret)
		return ret;
	w = work_new(s->prog);
	if (!w)
		return s->ops->fail(s, ENOMEM, "out of memory");
	w->launch->prog = s->prog ? s->prog->prog : NULL;
	ret = fill_vertices(s, &b.vertices, w->launch);
	if (!ret)
		ret = fill_block(s, &b, d->entry, w);
	if (ret || !s->prog || !b.vertices.count)
		pica_family_work_free(w);
	else
		*work = w;
	return ret;
}

static int pica_family_add(void *work, struct vs_job *engine)
{
	struct pica_work *w = work;
	int ret = vs_job_add_launch(engine, w->launch);

	vs_free(w->launch);
	w->launch = NULL;
	return ret;
}

static int pica_family_capture(struct vshader_capturing *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_obj_array rows = { .stride = 16 };
	struct drm_vshader_pica_job *b;
	void *p;
	int ret;

	ret = vshader_capture_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	rows.count = b->num_float_uniforms;
	rows.array = b->float_uniforms;
	b->float_uniforms = 0;
	ret = vshader_vertices_capture(k, &b->vertices);
	return ret ? ret : vshader_capture_many(k, DRM_VSHADER_DUMP_FLOAT_UNIFORMS, &rows, 16);
}

/* Writes of a command list to registers that do not exist. */
static u32 pica_family_strays(const void *work, const struct vs_native *native)
{
	(void)work;
	return native ? vs_native_strays(native) : 0;
}

const struct vshader_family pica_family = {
	.name = "PICA",
	.block_name = "PICA block",
	.block_size = sizeof(struct drm_vshader_pica_job),
	.make = pica_family_make,
	.add = pica_family_add,
	.free = pica_family_work_free,
	.capture = pica_family_capture,
	.strays = pica_family_strays,
};
