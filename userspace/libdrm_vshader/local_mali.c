// SPDX-License-Identifier: MIT
/*
 * Local backend: shader jobs of the Mali engines.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "families/mali/vshader_mali_conv.h"

static int copy_targets(const struct drm_vshader_mali_fragment *f, struct mali_frag *out)
{
	struct drm_vshader_mali_target *targets;
	uint32_t bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(&f->targets, MALI_MAX_TARGETS, sizeof(*targets), sizeof(*targets),
			     &copy, &bad, "targets");
	if (ret)
		return ret;
	targets = copy;
	vshader_mali_fragment_in(out, f, targets);
	free(targets);
	return 0;
}

static int copy_fragment(const struct vsl_job *job, const struct drm_vshader_mali_job *b,
			 struct mali_frag *out)
{
	bool fragment = job->prog->vs->src.stage == VS_STAGE_FRAGMENT;
	struct drm_vshader_mali_fragment f;
	const char *what;
	int ret;

	if (!fragment && (b->fragment || b->fragment_size))
		return vsh_fail(EINVAL, "Mali block: fragment is for fragment programs only");
	if (!fragment)
		return 0;
	ret = vsl_copy_struct(&f, sizeof(f), b->fragment, b->fragment_size,
			      offsetof(struct drm_vshader_mali_fragment, samples),
			      "fragment block");
	if (ret)
		return ret;
	what = vshader_mali_bad_fragment(&f);
	if (what)
		return vsh_fail(EINVAL, "Mali block: %s is not 0", what);
	return copy_targets(&f, out);
}

static int exec_failed(int ret, const char *what)
{
	switch (ret) {
	case 0:
		return 0;
	case -EINVAL:
		return vsh_fail(EINVAL, "Mali job: %s is not valid", what);
	case -E2BIG:
		return vsh_fail(E2BIG, "Mali job: it needs more memory than a job may");
	default:
		return vsh_fail(-ret, "Mali job: %s", strerror(-ret));
	}
}

static int make_exec(struct vsl_job *job, const struct drm_vshader_mali_job *b, uint32_t entry)
{
	struct mali_shader s = {
		.map = &job->map->vs,
		.prog = job->prog->vs,
		.entry = entry,
		.max_memory = VSL_MAX_JOB_MEMORY,
	};
	const char *what = "";
	int ret = vsh_check_mali(b);

	vshader_mali_job_in(&s, b);
	if (!ret)
		ret = copy_fragment(job, b, &s.frag);
	return ret ? ret : exec_failed(mali_shader_new(&s, &what, &job->mali), what);
}

int vsl_mali_init(struct vsl_job *job, const struct drm_vshader_shader_job *desc)
{
	struct drm_vshader_mali_job b;
	int ret;

	ret = vsh_check_mali_desc(desc);
	if (!ret)
		ret = vsl_copy_struct(&b, sizeof(b), desc->engine_block, desc->engine_block_size,
				      sizeof(b), "Mali block");
	if (!ret && desc->count)
		ret = make_exec(job, &b, desc->entry);
	if (ret || !desc->count)
		return ret;
	ret = vsl_job_set_engine(job, &job->map->vs, 1);
	if (!ret && mali_exec_add(job->mali, job->engine))
		ret = vsh_fail(EINVAL, "Mali job: the engine refused it");
	return ret;
}
