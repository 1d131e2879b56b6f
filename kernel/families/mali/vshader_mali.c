// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Mali engines: shader jobs.
 */
#include <linux/err.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include "drm/vshader_drm.h"
#include "drm/vshader_args.h"
#include "drm/vshader_device.h"
#include "drm/vshader_job.h"
#include "vshader_mali.h"
#include "vshader_mali_conv.h"
#include "drm/vshader_program.h"
#include "drm/vshader_queue.h"
#include "drm/vshader_vm.h"

static int refuse(const struct vshader_job *job, const char *what)
{
	drm_dbg(&job->queue->file->vdev->drm, "bad %s\n", what);
	return -EINVAL;
}

/* What other engines use and these do not. */
static int check_desc(const struct drm_vshader_shader_job *d)
{
	if (d->first || d->instances || d->index_type || d->index_va || d->attributes.count ||
	    d->outputs.count || d->pad || d->count > 1)
		return -EINVAL;
	return 0;
}

static int copy_targets(const struct drm_vshader_mali_fragment *f, struct mali_frag *out)
{
	struct drm_vshader_mali_target *targets;

	targets = VSHADER_COPY_ARRAY(&f->targets, MALI_MAX_TARGETS,
				     struct drm_vshader_mali_target, sample_stride, NULL);
	if (IS_ERR(targets))
		return PTR_ERR(targets);
	vshader_mali_fragment_in(out, f, targets);
	kvfree(targets);
	return 0;
}

static int copy_fragment(const struct vshader_job *job, const struct drm_vshader_mali_job *b,
			 struct mali_frag *out)
{
	bool fragment = job->prog->vs->src.stage == VS_STAGE_FRAGMENT;
	struct drm_vshader_mali_fragment f;
	const char *what;
	int ret;

	if (!fragment)
		return b->fragment || b->fragment_size ? refuse(job, "fragment") : 0;
	ret = vshader_copy_struct(&f, sizeof(f), b->fragment, b->fragment_size,
				  offsetofend(struct drm_vshader_mali_fragment, targets));
	if (ret)
		return ret;
	what = vshader_mali_bad_fragment(&f);
	return what ? refuse(job, what) : copy_targets(&f, out);
}

static int make_exec(struct vshader_job *job, const struct drm_vshader_mali_job *b, u32 entry)
{
	const char *what = vshader_mali_bad_pad(b);
	struct mali_shader *s;
	int ret;

	if (what)
		return refuse(job, what);
	s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s)
		return -ENOMEM;
	vshader_mali_job_in(s, b);
	s->map = &job->map->vs;
	s->prog = job->prog->vs;
	s->entry = entry;
	s->max_memory = VSHADER_MAX_JOB_MEMORY;
	ret = copy_fragment(job, b, &s->frag);
	if (!ret) {
		ret = mali_shader_new(s, &what, &job->mali);
		if (ret == -EINVAL)
			refuse(job, what);
	}
	kfree(s);
	return ret;
}

int vshader_mali_init(struct vshader_job *job, const struct drm_vshader_shader_job *desc)
{
	struct drm_vshader_mali_job *b;
	int ret;

	ret = check_desc(desc);
	if (ret)
		return ret;
	b = kzalloc(sizeof(*b), GFP_KERNEL_ACCOUNT);
	if (!b)
		return -ENOMEM;
	ret = vshader_copy_struct(b, sizeof(*b), desc->engine_block, desc->engine_block_size,
				  offsetofend(struct drm_vshader_mali_job, pad));
	if (!ret && desc->count)
		ret = make_exec(job, b, desc->entry);
	kfree(b);
	if (ret || !desc->count)
		return ret;
	ret = vshader_job_set_engine(job, &job->map->vs, 1);
	return ret ?: mali_exec_add(job->mali, job->engine);
}
