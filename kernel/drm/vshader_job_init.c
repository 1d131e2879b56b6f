// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs from their descriptors.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/stdarg.h>
#include <linux/uaccess.h>

#include <drm/drm_print.h>

#include "compat/vshader_compat.h"
#include "families/family.h"
#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_inject.h"
#include "vshader_job.h"
#include "vshader_job_init.h"
#include "vshader_native.h"
#include "vshader_program.h"
#include "vshader_queue.h"
#include "vshader_sched.h"
#include "vshader_vm.h"

/**
 * struct job_shader - A shader job at submit.
 * @base: the family's view
 * @drm: device, for messages
 */
struct job_shader {
	struct vshader_shader base;
	struct drm_device *drm;
};

static int copy_struct(void *dst, size_t dst_size, u64 src, size_t src_size, size_t min_size,
		       const char *what)
{
	return vshader_copy_struct(dst, dst_size, src, src_size, min_size);
}

static int __printf(3, 4) shader_fail(const struct vshader_shader *s, int err,
				      const char *fmt, ...)
{
	struct drm_device *drm = container_of(s, struct job_shader, base)->drm;
	struct va_format vaf = { .fmt = fmt };
	va_list ap;

	va_start(ap, fmt);
	vaf.va = &ap;
	drm_dbg(drm, "%pV\n", &vaf);
	va_end(ap);
	return -err;
}

static const struct vshader_shader_ops shader_ops = {
	.copy_struct = copy_struct,
	.fail = shader_fail,
};

static int shader_make(struct vshader_job *job, const struct drm_vshader_shader_job *d)
{
	const struct vshader_family *family = job->queue->family;
	const struct job_shader s = {
		.base = {
			.ops = &shader_ops,
			.family = family,
			.isa = job->queue->isa,
			.prog = job->prog->vs,
			.map = &job->map->vs,
			.va_limit = vshader_vm_limit(job->queue->vm),
			.max_memory = VSHADER_MAX_JOB_MEMORY,
			.max_invocations = VSHADER_MAX_INVOCATIONS,
		},
		.drm = &job->queue->file->vdev->drm,
	};
	int ret;

	ret = vshader_shader_make(&s.base, d, &job->work);
	if (ret || !job->work)
		return ret;
	ret = vshader_job_set_engine(job, &job->map->vs, 1);
	return ret ?: family->add(job->work, job->task.engine);
}

static int shader_init(struct vshader_job *job, const struct drm_vshader_job *uj)
{
	struct drm_vshader_shader_job d;
	int ret;

	ret = vshader_copy_struct(&d, sizeof(d), uj->desc, uj->desc_size,
				  offsetofend(struct drm_vshader_shader_job, pad));
	if (ret)
		return ret;
	job->prog = vshader_program_lookup(job->queue->file, d.program);
	if (!job->prog)
		return -ENOENT;
	job->program_id = d.program;
	if (job->prog->vs->isa != job->queue->isa)
		return -EINVAL;
	return shader_make(job, &d);
}

/* ---- all jobs ---- */

static int native_init(struct vshader_job *job, const struct drm_vshader_job *uj,
		       const struct drm_vshader_native_job *native)
{
	int ret;

	if (native) {
		job->native_desc = *native;
		return vshader_native_copy(job);
	}
	ret = vshader_copy_struct(&job->native_desc, sizeof(job->native_desc), uj->desc,
				  uj->desc_size,
				  offsetofend(struct drm_vshader_native_job, memory));
	return ret ?: vshader_native_copy(job);
}

static int check_result(const struct vshader_job *job)
{
	if (!job->result_va)
		return 0;
	if (job->result_va % 8 || !vshader_map_writable(job->map, job->result_va,
							sizeof(struct drm_vshader_job_result)))
		return -EINVAL;
	return 0;
}

static int copy_user(void *dst, u64 src, u64 size)
{
	return copy_from_user(dst, u64_to_user_ptr(src), size) ? -EFAULT : 0;
}

static int copy_kernel(void *dst, u64 src, u64 size)
{
	memcpy(dst, (const void *)(uintptr_t)src, size);
	return 0;
}

static int capture(struct vshader_job *job, const struct drm_vshader_job *uj,
		   const struct drm_vshader_native_job *native)
{
	struct vshader_capturing k = {
		.c = &job->args,
		.copy = native ? copy_kernel : copy_user,
		.block_size = job->queue->family->block_size,
		.block = job->queue->family->capture,
	};

	return vshader_capture_job(&k, uj);
}

static int job_init(struct vshader_job *job, const struct drm_vshader_job *uj,
		    const struct drm_vshader_native_job *native)
{
	struct vshader_file *vf = job->queue->file;
	int ret;

	job->flags = uj->flags;
	job->result_va = uj->result_va;
	job->map = vshader_vm_snapshot(job->queue->vm);
	job->shared = job->map->shared;
	job->nshared = job->map->nshared;
	ret = check_result(job);
	if (!ret)
		ret = vshader_inject_job(job);
	if (ret)
		return ret;

	switch (uj->type) {
	case DRM_VSHADER_JOB_SHADER:
		ret = shader_init(job, uj);
		break;
	case DRM_VSHADER_JOB_NATIVE:
		ret = native_init(job, uj, native);
		break;
	default:
		ret = -EINVAL;
	}
	if (!ret)
		ret = capture(job, uj, native);
	if (ret)
		return ret;

	job->fence = vshader_fence_new(vf->sched);
	if (!job->fence)
		return -ENOMEM;
	ret = vshader_compat_job_init(&job->base, &job->queue->entity, vf, vf->client_id);
	job->has_base = !ret;
	return ret;
}

struct vshader_job *vshader_job_new(struct vshader_file *vf, const struct drm_vshader_job *uj,
				    const struct drm_vshader_native_job *native)
{
	struct vshader_queue *q;
	struct vshader_job *job;
	int ret;

	if (uj->flags & ~DRM_VSHADER_JOB_NO_IMPLICIT_SYNC)
		return ERR_PTR(-EINVAL);
	q = vshader_queue_lookup(vf, uj->queue_id);
	if (!q)
		return ERR_PTR(-ENOENT);
	job = vshader_job_alloc(q);
	if (!job)
		return ERR_PTR(-ENOMEM);
	ret = job_init(job, uj, native);
	if (ret) {
		vshader_job_free(job);
		return ERR_PTR(ret);
	}
	return job;
}
