// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs of PICA200: from the descriptor to a launch record.
 */
#include "drm/vshader_drm_pica.h"
#include "families/family.h"
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

static void work_free(void *work)
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
	work_free(w);
	return NULL;
}

/* ---- vertices and streams ---- */

static int fill_range(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
		      struct vs_launch *l)
{
	if (d->pad)
		return s->ops->fail(s, EINVAL, "PICA job: pad is not 0");
	if (d->index_type > DRM_VSHADER_INDEX_U32)
		return s->ops->fail(s, EINVAL, "PICA job: unknown index type %u", d->index_type);
	l->count = d->count;
	l->instances = d->instances ? d->instances : 1;
	l->first = d->first;
	if ((u64)l->count * l->instances > s->max_invocations)
		return s->ops->fail(s, E2BIG, "PICA job: %u invocations times %u, the limit is %u",
				    l->count, l->instances, s->max_invocations);
	if (d->index_type == DRM_VSHADER_INDEX_NONE)
		return 0;
	l->index_size = 1U << (d->index_type - DRM_VSHADER_INDEX_U8);
	l->index_va = d->index_va;
	return vshader_shader_check_va(s, l->index_va, 1, "index buffer");
}

static int check_stream(const struct vshader_shader *s, const struct drm_vshader_stream *in,
			bool output, u32 n, u32 regs)
{
	const char *what = output ? "output" : "attribute";

	if (in->pad)
		return s->ops->fail(s, EINVAL, "%s %u: pad is not 0", what, n);
	if (in->format >= VS_NUM_FMT)
		return s->ops->fail(s, EINVAL, "%s %u: unknown format %u", what, n, in->format);
	if (in->reg >= regs)
		return s->ops->fail(s, EINVAL, "%s %u: register %u, there are %u", what, n,
				    in->reg, regs);
	if (!in->components || in->components > 4)
		return s->ops->fail(s, EINVAL, "%s %u: %u components, expected 1 to 4", what, n,
				    in->components);
	if (output && in->divisor)
		return s->ops->fail(s, EINVAL, "output %u: outputs have no divisor", n);
	if (output && in->format != VS_FMT_F32 && in->format != VS_FMT_F24 &&
	    in->format != VS_FMT_U32)
		return s->ops->fail(s, EINVAL, "output %u: the format is none of F32, F24, U32",
				    n);
	return vshader_shader_check_va(s, in->va, 1, what);
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
	const struct drm_vshader_stream *in;
	void *copy;
	int ret;
	u32 i;

	ret = vshader_shader_array(s, array, VS_MAX_STREAMS, sizeof(*in),
				   offsetofend(struct drm_vshader_stream, pad),
				   output ? "outputs" : "attributes", &copy);
	if (ret)
		return ret;
	in = copy;
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
	vs_free(copy);
	return ret;
}

/* ---- block ---- */

static int check_block(const struct vshader_shader *s, const struct drm_vshader_pica_job *b)
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
static int check_model(const struct vshader_shader *s, const struct drm_vshader_pica_job *b)
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

static int fill_block(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
		      struct pica_work *w)
{
	struct drm_vshader_pica_job b;
	u32 bytes, *floats;
	int ret;

	ret = vshader_shader_block(s, d, &b,
				   offsetofend(struct drm_vshader_pica_job, prim_info_va));
	if (!ret)
		ret = check_block(s, &b);
	if (ret)
		return ret;
	bytes = b.num_float_uniforms * 16;
	floats = vs_zalloc(bytes);
	if (!floats)
		return s->ops->fail(s, ENOMEM, "out of memory");
	if (bytes)
		ret = s->ops->copy_struct(floats, bytes, b.float_uniforms, bytes, bytes,
					  "float_uniforms");
	if (!ret)
		ret = s->prog ? launch_fill(s, &b, floats, d->entry, w) : check_model(s, &b);
	vs_free(floats);
	return ret;
}

static int fill(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
		struct pica_work *w)
{
	struct vs_launch *l = w->launch;
	int ret;

	ret = fill_range(s, d, l);
	if (!ret)
		ret = fill_streams(s, &d->attributes, false, l->attr, &l->nattr);
	if (!ret)
		ret = fill_streams(s, &d->outputs, true, l->out, &l->nout);
	if (ret)
		return ret;
	l->prog = s->prog ? s->prog->prog : NULL;
	return fill_block(s, d, w);
}

static int make(const struct vshader_shader *s, const struct drm_vshader_shader_job *d, void **work)
{
	struct pica_work *w = work_new(s->prog);
	int ret;

	if (!w)
		return s->ops->fail(s, ENOMEM, "out of memory");
	ret = fill(s, d, w);
	if (ret || !s->prog || !d->count)
		work_free(w);
	else
		*work = w;
	return ret;
}

static int add(void *work, struct vs_job *engine)
{
	struct pica_work *w = work;
	int ret = vs_job_add_launch(engine, w->launch);

	vs_free(w->launch);
	w->launch = NULL;
	return ret;
}

static int capture(struct vshader_capturing *k, const struct drm_vshader_shader_job *d)
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
	return vshader_capture_many(k, DRM_VSHADER_DUMP_FLOAT_UNIFORMS, &rows, 16);
}

const struct vshader_family pica_family = {
	.name = "PICA",
	.block_name = "PICA block",
	.block_size = sizeof(struct drm_vshader_pica_job),
	.make = make,
	.add = add,
	.free = work_free,
	.capture = capture,
};
