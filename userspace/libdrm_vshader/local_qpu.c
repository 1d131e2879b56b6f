// SPDX-License-Identifier: MIT
/*
 * Local backend: shader jobs of the QPU engine, and what is left of a machine when its
 * job has ended.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/qpu/qpu_launch.h"
#include "local.h"
#include "native/qpu/qpu_list.h"
#include "families/qpu/vshader_qpu_conv.h"

static int copy_threads(const struct drm_vshader_obj_array *array, struct qpu_thread **out)
{
	struct drm_vshader_qpu_thread *in;
	struct qpu_thread *t;
	uint32_t i, bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(array, QPU_MAX_THREADS, sizeof(*in), sizeof(*in), &copy, &bad,
			     "threads");
	if (ret)
		return ret;
	in = copy;
	t = calloc(array->count ? array->count : 1, sizeof(*t));
	for (i = 0; t && !ret && i < array->count; i++) {
		if (in[i].pad)
			ret = vsh_fail(EINVAL, "QPU block: thread %u: pad is not 0", i);
		vshader_qpu_thread_in(&t[i], &in[i]);
	}
	free(in);
	if (!t)
		return vsh_fail(ENOMEM, "out of memory");
	if (ret)
		free(t);
	else
		*out = t;
	return ret;
}

static int launch_failed(int ret, const char *what)
{
	switch (ret) {
	case 0:
		return 0;
	case -EINVAL:
		return vsh_fail(EINVAL, "QPU job: %s is not valid%s", what,
				strcmp(what, "threads.pc") ? "" :
				": the program was not created with this entry point");
	case -E2BIG:
		return vsh_fail(E2BIG, "QPU job: it needs more memory than a job may");
	default:
		return vsh_fail(-ret, "QPU job: %s", strerror(-ret));
	}
}

static int make_machine(struct vsl_job *job, const struct drm_vshader_qpu_job *b,
			const struct qpu_thread *threads)
{
	struct qpu_launch l = vshader_qpu_launch_in(b, &job->map->vs, threads);
	const char *what = "";
	int ret;

	ret = qpu_launch_program(job->prog->vs, &l, b->model, VSL_MAX_JOB_MEMORY, &what,
				 &job->qpu);
	return launch_failed(ret, what);
}

int vsl_qpu_init(struct vsl_job *job, const struct drm_vshader_shader_job *desc)
{
	struct drm_vshader_qpu_job b;
	struct qpu_thread *threads = NULL;
	int ret;

	ret = vsh_check_qpu_desc(desc);
	if (!ret)
		ret = vsl_copy_struct(&b, sizeof(b), desc->engine_block, desc->engine_block_size,
				      sizeof(b), "QPU block");
	if (!ret)
		ret = vsh_check_qpu(&b, desc->count, vsl_vm_limit(job->queue->vm));
	if (!ret)
		ret = copy_threads(&b.threads, &threads);
	if (ret)
		return ret;
	if (desc->count)
		ret = make_machine(job, &b, threads);
	free(threads);
	if (ret || !desc->count)
		return ret;
	ret = vsl_job_set_engine(job, &job->map->vs, 1);
	if (!ret && qpu_job_add(job->qpu, job->engine))
		ret = vsh_fail(EINVAL, "QPU job: the engine refused it");
	return ret;
}

static const struct qpu_job *job_machine(const struct vsl_job *job)
{
	if (job->qpu || !job->native || job->native_desc.format != DRM_VSHADER_NATIVE_QPU_LIST)
		return job->qpu;
	return qpu_list_machine(job->native);
}

uint32_t vsl_qpu_states(const struct vsl_job *job, struct drm_vshader_qpu_state *out)
{
	const struct qpu_job *m = job_machine(job);

	if (!m)
		return 0;
	vshader_qpu_states_out(m, out);
	return QPU_NUM;
}

uint32_t vsl_qpu_stray_reads(const struct vsl_job *job)
{
	const struct qpu_job *m = job_machine(job);
	struct qpu_counters c;

	if (!m)
		return 0;
	qpu_job_get_counters(m, &c);
	return (uint32_t)min_t(u64, c.stray_reads, UINT32_MAX);
}
