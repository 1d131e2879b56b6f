// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs of Bifrost and Midgard.
 */
#include "drm/vshader_drm_mali.h"
#include "families/family.h"
#include "native/mali/mali_job.h"

/* ---- from the uAPI's structures ---- */

static struct mali_table table_in(const struct drm_vshader_mali_table *t)
{
	return (struct mali_table){ .va = t->va, .n = t->count };
}

static struct mali_target mali_family_target_in(const struct drm_vshader_mali_target *t)
{
	return (struct mali_target){
		.va = t->va,
		.row_stride = t->row_stride,
		.order = t->order,
		.format = t->format,
		.sample_stride = t->sample_stride,
	};
}

/* Everything of the block but the fragment stage. */
static void job_in(struct mali_shader *s, const struct drm_vshader_mali_job *b)
{
	s->gpu = b->gpu;
	s->switches = b->switches;
	s->memory = b->memory;
	memcpy(s->local, b->local, sizeof(s->local));
	memcpy(s->groups, b->groups, sizeof(s->groups));
	s->preload = b->preload;
	memcpy(s->message, b->message, sizeof(s->message));
	s->ubos = table_in(&b->ubos);
	s->push = table_in(&b->push);
	s->attrs = table_in(&b->attributes);
	s->attr_bufs = b->attribute_buffers;
	s->varyings = table_in(&b->varyings);
	s->varying_bufs = b->varying_buffers;
	s->textures = table_in(&b->textures);
	s->samplers = table_in(&b->samplers);
	s->tls_va = b->tls_va;
	s->tls_size = b->tls_size;
	s->wls_va = b->wls_va;
	s->wls_size = b->wls_size;
	s->wls_instances = b->wls_instances;
	s->offset_start = b->offset_start;
	s->instance_size = b->instance_size;
	s->position = b->position_va;
	s->work_regs = b->work_registers;
	s->fp_mode = b->fp_mode;
}

/* @targets: at most MALI_MAX_TARGETS. */
static void fragment_in(struct mali_frag *to,
			const struct drm_vshader_mali_fragment *from,
					    const struct drm_vshader_mali_target *targets)
{
	u32 i;

	to->x = from->x;
	to->y = from->y;
	to->width = from->width;
	to->height = from->height;
	to->prim = from->prim;
	to->flags = from->flags;
	memcpy(to->vertex, from->vertex, sizeof(to->vertex));
	memcpy(to->index, from->index, sizeof(to->index));
	to->provoking = from->provoking;
	to->point_size = from->point_size;
	to->primitive = from->primitive;
	to->depth_func = from->depth_func;
	to->depth = mali_family_target_in(&from->depth);
	to->samples = from->samples;
	to->sample_mask = from->sample_mask;
	to->stencil = mali_family_target_in(&from->stencil);
	memcpy(to->stencil_side, from->stencil_side, sizeof(to->stencil_side));
	to->stencil_write = from->stencil_write;
	to->alpha_func = from->alpha_func;
	to->alpha_ref = from->alpha_ref;
	to->sample_positions = from->sample_positions;
	to->blend_base = from->blend_base;
	to->ntargets = from->targets.count;
	for (i = 0; i < to->ntargets; i++) {
		to->target[i] = mali_family_target_in(&targets[i]);
		to->blend[i].flags = targets[i].blend[0];
		to->blend[i].equation = targets[i].blend[1];
		to->blend[i].internal[0] = targets[i].blend[2];
		to->blend[i].internal[1] = targets[i].blend[3];
	}
}

/* Name of a field that must be 0 and is not, or NULL. */
static const char *bad_pad(const struct drm_vshader_mali_job *b)
{
	if (b->pad)
		return "pad";
	if (b->ubos.pad)
		return "ubos.pad";
	if (b->push.pad)
		return "push.pad";
	if (b->attributes.pad)
		return "attributes.pad";
	if (b->varyings.pad)
		return "varyings.pad";
	if (b->textures.pad)
		return "textures.pad";
	return b->samplers.pad ? "samplers.pad" : NULL;
}

static const char *bad_fragment(const struct drm_vshader_mali_fragment *f)
{
	const u32 *b = f->depth.blend, *s = f->stencil.blend;

	if (f->pad)
		return "fragment.pad";
	if (f->pad2)
		return "fragment.pad2";
	if ((u32)f->blend_base)
		return "fragment.blend_base";
	if (s[0] | s[1] | s[2] | s[3])
		return "fragment.stencil.blend";
	return b[0] | b[1] | b[2] | b[3] ? "fragment.depth.blend" : NULL;
}

/* ---- checks ---- */

static int mali_family_check_block(const struct vshader_shader *s,
				   const struct drm_vshader_mali_job *b)
{
	const char *what = bad_pad(b);

	if (what)
		return s->ops->fail(s, EINVAL, "Mali block: %s is not 0", what);
	if (mali_gpu_arch(b->gpu) == MALI_NUM_ARCH)
		return s->ops->fail(s, EINVAL, "Mali job: unknown GPU %u", b->gpu);
	if (b->switches & ~MALI_SW_ALL)
		return s->ops->fail(s, EINVAL, "Mali job: unknown switches %#x",
				    b->switches & ~MALI_SW_ALL);
	if (b->preload & ~MALI_PRELOAD_MASK)
		return s->ops->fail(s, EINVAL, "Mali job: preload: bits %#x are no registers",
				    b->preload & ~MALI_PRELOAD_MASK);
	if (b->wls_size && !b->wls_instances)
		return s->ops->fail(s, EINVAL, "Mali job: wls_instances is 0, wls_size is not");
	return 0;
}

/* ---- jobs ---- */

static int mali_family_copy_targets(const struct vshader_shader *s,
				    const struct drm_vshader_mali_fragment *f,
				    struct mali_frag *out)
{
	struct drm_vshader_mali_target *targets;
	void *copy;
	int ret;

	ret = vshader_shader_array(s, &f->targets, MALI_MAX_TARGETS, sizeof(*targets),
				   offsetofend(struct drm_vshader_mali_target, sample_stride),
				   "targets", &copy);
	if (ret)
		return ret;
	targets = copy;
	fragment_in(out, f, targets);
	vs_free(copy);
	return 0;
}

static int copy_fragment(const struct vshader_shader *s, const struct drm_vshader_mali_job *b,
			 struct mali_frag *out)
{
	struct drm_vshader_mali_fragment f;
	const char *what;
	int ret;

	if (s->prog->src.stage != VS_STAGE_FRAGMENT) {
		if (!b->fragment && !b->fragment_size)
			return 0;
		return s->ops->fail(s, EINVAL,
				    "Mali block: fragment is for fragment programs only");
	}
	ret = s->ops->copy_struct(&f, sizeof(f), b->fragment, b->fragment_size,
				  offsetofend(struct drm_vshader_mali_fragment, blend_base),
				  "fragment block");
	if (ret)
		return ret;
	what = bad_fragment(&f);
	if (what)
		return s->ops->fail(s, EINVAL, "Mali block: %s is not 0", what);
	return mali_family_copy_targets(s, &f, out);
}

static int make_exec(const struct vshader_shader *s, const struct drm_vshader_mali_job *b,
		     u32 entry, void **work)
{
	struct mali_shader *m = vs_zalloc(sizeof(*m));
	struct mali_exec *exec = NULL;
	const char *what = "";
	int ret;

	if (!m)
		return s->ops->fail(s, ENOMEM, "out of memory");
	job_in(m, b);
	m->map = s->map;
	m->prog = s->prog;
	m->entry = entry;
	m->max_memory = s->max_memory;
	ret = copy_fragment(s, b, &m->frag);
	if (!ret) {
		ret = mali_shader_new(m, &what, &exec);
		vshader_shader_refused(s, ret, what);
		*work = exec;
	}
	vs_free(m);
	return ret;
}

static int mali_family_make(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
			    void **work)
{
	struct drm_vshader_mali_job *b = vs_zalloc(sizeof(*b));
	int ret;

	if (!b)
		return s->ops->fail(s, ENOMEM, "out of memory");
	ret = vshader_shader_block(s, d, b, offsetofend(struct drm_vshader_mali_job, pad));
	if (ret)
		goto out_free;
	ret = mali_family_check_block(s, b);
	if (!ret && s->prog)
		ret = make_exec(s, b, d->entry, work);
out_free:
	vs_free(b);
	return ret;
}

static int mali_family_add(void *work, struct vs_job *engine)
{
	return mali_exec_add(work, engine);
}

static void mali_family_work_free(void *work)
{
	mali_exec_free(work);
}

/* ---- dumps ---- */

static int capture_fragment(struct vshader_capturing *k, u64 src, u32 given)
{
	struct drm_vshader_mali_fragment *f;
	struct drm_vshader_obj_array targets;
	void *p;
	int ret;

	ret = vshader_capture_one(k, DRM_VSHADER_DUMP_MALI_FRAGMENT, src, given, sizeof(*f), &p);
	if (ret)
		return ret;
	f = p;
	targets = f->targets;
	f->targets.array = 0;
	return vshader_capture_many(k, DRM_VSHADER_DUMP_TARGETS, &targets,
				    sizeof(struct drm_vshader_mali_target));
}

static int mali_family_capture(struct vshader_capturing *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_mali_job *b;
	u64 fragment;
	void *p;
	int ret;

	ret = vshader_capture_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	fragment = b->fragment;
	b->fragment = 0;
	return fragment ? capture_fragment(k, fragment, b->fragment_size) : 0;
}

const struct vshader_family mali_family = {
	.name = "Mali",
	.block_name = "Mali block",
	.block_size = sizeof(struct drm_vshader_mali_job),
	.make = mali_family_make,
	.add = mali_family_add,
	.free = mali_family_work_free,
	.capture = mali_family_capture,
};
