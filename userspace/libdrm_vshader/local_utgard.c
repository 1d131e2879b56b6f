// SPDX-License-Identifier: MIT
/*
 * Local backend: shader jobs of the Utgard engines.
 */
#include <errno.h>
#include <string.h>

#include "local.h"
#include "native/utgard/utgard_job.h"

static int job_failed(int ret, const char *what)
{
	switch (ret) {
	case 0:
		return 0;
	case -EINVAL:
		return vsh_fail(EINVAL, "Utgard job: %s is not valid", what);
	case -E2BIG:
		return vsh_fail(E2BIG, "Utgard job: it needs more memory than a job may");
	default:
		return vsh_fail(-ret, "Utgard job: %s", strerror(-ret));
	}
}

int vsl_utgard_init(struct vsl_job *job, const struct drm_vshader_shader_job *desc)
{
	struct utgard_shader s = {
		.map = &job->map->vs,
		.prog = job->prog->vs,
		.entry = desc->entry,
		.max_memory = VSL_MAX_JOB_MEMORY,
	};
	const char *what = "";
	int ret;

	ret = vsh_check_utgard(desc, job->queue->isa->id == VS_ISA_UTGARD_GP, &s);
	if (ret || !desc->count)
		return ret;
	ret = job_failed(utgard_shader_new(&s, &what, &job->utgard), what);
	if (!ret)
		ret = vsl_job_set_engine(job, &job->map->vs, 1);
	if (!ret && utgard_job_add(job->utgard, job->engine))
		ret = vsh_fail(EINVAL, "Utgard job: the engine refused it");
	return ret;
}
