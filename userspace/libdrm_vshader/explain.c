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
#include "families/family.h"
#include "limits.h"
#include "program.h"

/* The kind of the address space is not known here. */
#define LIMIT	VSL_MAX_VA_48

/* The queue's engine is not known here, but engine blocks differ in size. */
static const struct vs_isa *isa_of_block(uint32_t size)
{
	const struct vs_isa *isa;
	uint32_t i;

	for (i = 0; i < VS_MAX_ISAS; i++) {
		isa = vs_isa_by_id(i);
		if (isa && vshader_family_of(isa)->block_size == size)
			return isa;
	}
	return NULL;
}

static int explain_shader(const struct drm_vshader_job *job)
{
	struct vshader_shader s = {
		.ops = &vsh_shader_ops,
		.max_memory = VSL_MAX_JOB_MEMORY,
		.max_invocations = VSL_MAX_INVOCATIONS,
	};
	struct drm_vshader_shader_job d;
	void *work = NULL;
	int ret;

	ret = vsl_copy_struct(&d, sizeof(d), job->desc, job->desc_size, sizeof(d), "shader job");
	if (ret)
		return ret;
	if (!d.engine_block && !d.engine_block_size)
		return 0;
	s.isa = isa_of_block(d.engine_block_size);
	if (!s.isa)
		return vsh_fail(EINVAL, "shader job: no engine has a block of %u bytes",
				d.engine_block_size);
	s.family = vshader_family_of(s.isa);
	s.va_limit = 1ull << s.isa->va_bits;
	return vshader_shader_make(&s, &d, &work);
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
