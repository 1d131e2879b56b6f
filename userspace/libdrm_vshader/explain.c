// SPDX-License-Identifier: MIT
/*
 * The kernel gives an errno and an index. Most reasons can be found again in the
 * arguments; whoever called gets the same words as from the local backend.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "engine/vs_job.h"
#include "isa/pica/pica.h"
#include "isa/pica/pica_launch.h"
#include "isa/qpu/qpu_machine.h"
#include "limits.h"
#include "native/utgard/utgard_job.h"
#include "program.h"

/* What cannot be known here: of which kind the address space is. */
#define LIMIT	VSL_MAX_VA_48

static int explain_streams(const struct drm_vshader_obj_array *in, bool output)
{
	struct drm_vshader_stream *s;
	uint32_t i, bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(in, VS_MAX_STREAMS, sizeof(*s), sizeof(*s), &copy, &bad,
			     output ? "outputs" : "attributes");
	s = copy;
	for (i = 0; !ret && i < in->count; i++)
		ret = vsh_check_stream(&s[i], output, i, PICA_NUM_REGS, VSL_MAX_VA_32);
	free(s);
	return ret;
}

static int explain_block(const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_pica_job b;
	int ret;

	ret = vsl_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size, sizeof(b),
			      "PICA block");
	if (!ret)
		ret = vsh_check_pica(&b, false, VSL_MAX_VA_32);
	if (ret)
		return ret;
	if (b.model != DRM_VSHADER_PICA_F24 && b.model != DRM_VSHADER_PICA_F32)
		return vsh_fail(EINVAL, "PICA job: model %u is not valid", b.model);
	if (b.switches & ~PICA_SW_ALL ||
	    (b.model == DRM_VSHADER_PICA_F32 && b.switches & DRM_VSHADER_PICA_ROUND_NEAREST))
		return vsh_fail(EINVAL, "PICA job: switches %#x are not valid for its model",
				b.switches);
	if (b.bool_uniforms & ~0xffffu)
		return vsh_fail(EINVAL, "PICA job: bool_uniforms %#x: there are 16",
				b.bool_uniforms);
	return 0;
}

/* What of the QPU block is wrong can be known without the program for the most part. */
static int explain_qpu(const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_qpu_job b;
	int ret = vsh_check_qpu_desc(d);

	if (!ret)
		ret = vsl_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size,
				      sizeof(b), "QPU block");
	if (!ret)
		ret = vsh_check_qpu(&b, d->count, VSL_MAX_VA_32);
	if (ret)
		return ret;
	if (b.model)
		return vsh_fail(EINVAL, "QPU job: model %u is not valid", b.model);
	if (b.switches & ~QPU_SW_ALL)
		return vsh_fail(EINVAL, "QPU job: switches %#x are not valid", b.switches);
	return 0;
}

static int explain_mali(const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_mali_job b;
	int ret = vsh_check_mali_desc(d);

	if (!ret)
		ret = vsl_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size,
				      sizeof(b), "Mali block");
	return ret ? ret : vsh_check_mali(&b);
}

static int explain_utgard(const struct drm_vshader_shader_job *d, bool gp)
{
	struct utgard_shader s = {};

	return vsh_check_utgard(d, gp, &s);
}

static int explain_shader(const struct drm_vshader_job *job)
{
	struct drm_vshader_shader_job d;
	int ret;

	ret = vsl_copy_struct(&d, sizeof(d), job->desc, job->desc_size, sizeof(d), "shader job");
	/* The queue's engine is not known here, but the blocks differ in size. */
	if (!ret && d.engine_block_size == sizeof(struct drm_vshader_qpu_job))
		return explain_qpu(&d);
	if (!ret && d.engine_block_size == sizeof(struct drm_vshader_mali_job))
		return explain_mali(&d);
	if (!ret && (d.engine_block_size == sizeof(struct drm_vshader_utgard_gp_job) ||
		     d.engine_block_size == sizeof(struct drm_vshader_utgard_pp_job)))
		return explain_utgard(&d, d.engine_block_size ==
				      sizeof(struct drm_vshader_utgard_gp_job));
	if (!ret)
		ret = vsh_check_range(&d, VSL_MAX_VA_32);
	if (!ret)
		ret = explain_streams(&d.attributes, false);
	if (!ret)
		ret = explain_streams(&d.outputs, true);
	return ret ? ret : explain_block(&d);
}

static int explain_syncs(const struct drm_vshader_job *job)
{
	struct drm_vshader_sync *y;
	uint32_t i, bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(&job->syncs, VSL_MAX_SYNCS, sizeof(*y), sizeof(*y), &copy, &bad,
			     "sync operations");
	y = copy;
	for (i = 0; !ret && i < job->syncs.count; i++)
		ret = vsh_check_sync(&y[i]);
	free(y);
	return ret;
}

static int explain_job(const struct drm_vshader_job *job)
{
	struct drm_vshader_native_job n;
	int ret;

	if (job->flags & ~DRM_VSHADER_JOB_NO_IMPLICIT_SYNC)
		return vsh_fail(EINVAL, "unknown job flags %#x", job->flags);
	if (job->result_va % 8)
		return vsh_fail(EINVAL, "result_va %#llx is not a multiple of 8",
				(unsigned long long)job->result_va);
	switch (job->type) {
	case DRM_VSHADER_JOB_SHADER:
		ret = explain_shader(job);
		break;
	case DRM_VSHADER_JOB_NATIVE:
		ret = vsl_copy_struct(&n, sizeof(n), job->desc, job->desc_size,
				      offsetof(struct drm_vshader_native_job, memory),
				      "native job");
		if (!ret)
			ret = vsh_check_native(&n, VSL_MAX_VA_48);
		break;
	default:
		return vsh_fail(EINVAL, "unknown job type %u", job->type);
	}
	return ret ? ret : explain_syncs(job);
}

static int explain_submit(const struct drm_vshader_submit *args)
{
	struct drm_vshader_job *jobs;
	uint32_t bad;
	void *copy;
	int ret;

	if (args->flags)
		return vsh_fail(EINVAL, "submit: flags are not 0");
	if (!args->jobs.count)
		return vsh_fail(EINVAL, "submit: there is no job");
	ret = vsl_copy_array(&args->jobs, VSL_MAX_JOBS, sizeof(*jobs), sizeof(*jobs), &copy, &bad,
			     "jobs");
	if (ret)
		return ret;
	jobs = copy;
	if (args->failed_job < args->jobs.count)
		ret = explain_job(&jobs[args->failed_job]);
	free(jobs);
	return ret;
}

static int explain_bind(const struct drm_vshader_vm_bind *args)
{
	struct drm_vshader_vm_bind_op *ops;
	uint32_t bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(&args->ops, VSL_MAX_BIND_OPS, sizeof(*ops), sizeof(*ops), &copy, &bad,
			     "VM_BIND operations");
	ops = copy;
	if (!ret && args->failed_op < args->ops.count)
		ret = vsh_check_bind_op(&ops[args->failed_op], LIMIT);
	free(ops);
	return ret;
}

static int explain_program(const struct drm_vshader_program_create *args)
{
	struct vshader_source src = { .engine = args->engine, .stage = args->stage };
	struct vs_program *p;
	int ret = vsh_take_source(args, &src);

	if (!ret)
		ret = vsh_program_new(&src, NULL, &p);
	if (!ret)
		vs_program_destroy(p);
	return ret;
}

static int explain(unsigned long request, const void *arg)
{
	switch (request) {
	case DRM_IOCTL_VSHADER_VM_CREATE:
		return vsh_check_vm_create(arg);
	case DRM_IOCTL_VSHADER_VM_BIND:
		return explain_bind(arg);
	case DRM_IOCTL_VSHADER_BO_CREATE:
		return vsh_check_bo_create(arg);
	case DRM_IOCTL_VSHADER_PROGRAM_CREATE:
		return explain_program(arg);
	case DRM_IOCTL_VSHADER_QUEUE_CREATE:
		return vsh_check_queue_create(arg);
	case DRM_IOCTL_VSHADER_SUBMIT:
		return explain_submit(arg);
	default:
		return 0;
	}
}

void vsh_explain(unsigned long request, const void *arg, int err)
{
	char before[512];

	if (err != EINVAL && err != E2BIG)
		return;
	snprintf(before, sizeof(before), "%s", vshader_error());
	/* Another error than the kernel's is not its reason. */
	if (explain(request, arg) != -err)
		vsh_fail(err, "%s", before);
}
