// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard engines: shader jobs.
 */
#include <linux/err.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include "drm/vshader_drm.h"
#include "drm/vshader_args.h"
#include "drm/vshader_device.h"
#include "drm/vshader_job.h"
#include "drm/vshader_program.h"
#include "drm/vshader_queue.h"
#include "vshader_utgard.h"
#include "vshader_utgard_conv.h"
#include "drm/vshader_vm.h"

static int refuse(const struct vshader_job *job, const char *what)
{
	drm_dbg(&job->queue->file->vdev->drm, "bad %s\n", what);
	return -EINVAL;
}

static int copy_streams(const struct vshader_job *job, const struct drm_vshader_obj_array *array,
			bool output, struct utgard_stream *to, u32 *n)
{
	struct drm_vshader_stream *streams;
	int ret = 0;
	u32 i;

	streams = VSHADER_COPY_ARRAY(array, UGP_NUM_ATTRIBUTES, struct drm_vshader_stream, pad,
				     NULL);
	if (IS_ERR(streams))
		return PTR_ERR(streams);
	for (i = 0; i < array->count && !ret; i++)
		if (!vshader_utgard_stream_in(&to[i], &streams[i], output))
			ret = refuse(job, output ? "output" : "attribute");
	*n = array->count;
	kvfree(streams);
	return ret;
}

/* ---- vertex processor ---- */

static int check_range(const struct vshader_job *job, const struct drm_vshader_shader_job *d)
{
	if (d->pad || d->index_type > DRM_VSHADER_INDEX_U32)
		return refuse(job, "index_type or pad");
	if ((u64)d->count * (d->instances ?: 1) > VSHADER_MAX_INVOCATIONS)
		return -E2BIG;
	return 0;
}

static int copy_gp(struct vshader_job *job, const struct drm_vshader_shader_job *d,
		   struct utgard_shader *s)
{
	struct drm_vshader_utgard_gp_job b;
	int ret;

	ret = vshader_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size,
				  offsetofend(struct drm_vshader_utgard_gp_job, memory));
	if (!ret)
		ret = b.switches ? refuse(job, "switches") : check_range(job, d);
	if (!ret)
		ret = copy_streams(job, &d->attributes, false, s->in, &s->gp.nattr);
	if (!ret)
		ret = copy_streams(job, &d->outputs, true, s->out, &s->gp.nout);
	vshader_utgard_gp_in(s, &b);
	vshader_utgard_range_in(s, d);
	return ret;
}

/* ---- pixel processor ---- */

static int copy_targets(const struct vshader_job *job,
			const struct drm_vshader_obj_array *array, struct upp_work *w)
{
	struct drm_vshader_utgard_target *targets;
	int ret = 0;
	u32 i;

	targets = VSHADER_COPY_ARRAY(array, UPP_MAX_TARGETS, struct drm_vshader_utgard_target,
				     reg, NULL);
	if (IS_ERR(targets))
		return PTR_ERR(targets);
	for (i = 0; i < array->count && !ret; i++)
		if (!vshader_utgard_target_in(&w->target[i], &targets[i]))
			ret = refuse(job, "target");
	w->ntargets = array->count;
	kvfree(targets);
	return ret;
}

static int copy_pp(struct vshader_job *job, const struct drm_vshader_shader_job *d,
		   struct utgard_shader *s)
{
	const char *what = vshader_utgard_bad_pp_desc(d);
	struct drm_vshader_utgard_pp_job b;
	int ret;

	if (what || d->pad)
		return refuse(job, what ?: "pad");
	ret = vshader_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size,
				  offsetofend(struct drm_vshader_utgard_pp_job, memory));
	if (ret)
		return ret;
	what = vshader_utgard_bad_pp(&b);
	if (what)
		return refuse(job, what);
	ret = copy_streams(job, &d->attributes, false, s->in, &s->pp.nin);
	vshader_utgard_pp_in(s, &b);
	return ret ?: copy_targets(job, &b.targets, &s->pp);
}

/* ---- both ---- */

static int make_job(struct vshader_job *job, const struct drm_vshader_shader_job *d,
		    struct utgard_shader *s)
{
	bool gp = job->queue->isa->id == VS_ISA_UTGARD_GP;
	const char *what;
	int ret;

	s->map = &job->map->vs;
	s->prog = job->prog->vs;
	s->entry = d->entry;
	s->max_memory = VSHADER_MAX_JOB_MEMORY;
	ret = gp ? copy_gp(job, d, s) : copy_pp(job, d, s);
	if (ret)
		return ret;
	what = vshader_utgard_bad_va(s, gp, vshader_vm_limit(job->queue->vm));
	if (what)
		return refuse(job, what);
	if (!d->count)
		return 0;
	ret = utgard_shader_new(s, &what, &job->utgard);
	return ret == -EINVAL ? refuse(job, what) : ret;
}

int vshader_utgard_init(struct vshader_job *job, const struct drm_vshader_shader_job *desc)
{
	struct utgard_shader *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!s)
		return -ENOMEM;
	ret = make_job(job, desc, s);
	kfree(s);
	if (ret || !desc->count)
		return ret;
	ret = vshader_job_set_engine(job, &job->map->vs, 1);
	return ret ?: utgard_job_add(job->utgard, job->engine);
}
