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
	return vshader_copy_struct(NULL, dst, dst_size, src, src_size, min_size);
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
	if (ret)
		return ret;
	return family->add(job->work, job->task.engine);
}

/* ---- all jobs ---- */

static int copy_user(void *dst, u64 src, u64 size)
{
	return copy_from_user(dst, u64_to_user_ptr(src), size) ? -EFAULT : 0;
}

static int shader_init(struct vshader_job *job, const struct drm_vshader_job *uj)
{
	const struct drm_device *drm = &job->queue->file->vdev->drm;
	struct vshader_capturing k = {
		.c = &job->args,
		.copy = copy_user,
		.block_size = job->queue->family->block_size,
		.block = job->queue->family->capture,
	};
	struct drm_vshader_shader_job d;
	int ret;

	ret = vshader_copy_struct(drm, &d, sizeof(d), uj->desc, uj->desc_size,
				  offsetofend(struct drm_vshader_shader_job, pad));
	if (ret)
		return ret;
	job->prog = vshader_program_lookup(job->queue->file, d.program);
	if (!job->prog)
		return -ENOENT;
	job->program_id = d.program;
	if (job->prog->vs->isa != job->queue->isa)
		return vshader_einval(drm, "program %u is for engine %u, the queue for %u",
				      d.program, job->prog->vs->isa->id, job->queue->isa->id);
	ret = shader_make(job, &d);
	if (ret)
		return ret;
	return vshader_capture_shader(&k, uj);
}

/* @words: of a job by value, or NULL */
static int native_init(struct vshader_job *job, const u32 *words, u32 nwords)
{
	int ret = vshader_native_copy(job, words, nwords);

	if (ret)
		return ret;
	return vshader_capture_native(&job->args, &job->native_desc, words, nwords);
}

static int check_result(const struct vshader_job *job)
{
	if (!job->result_va)
		return 0;
	if (job->result_va % 8 || !vshader_map_writable(job->map, job->result_va,
							sizeof(struct drm_vshader_job_result)))
		return vshader_einval(&job->queue->file->vdev->drm,
				      "result_va %#llx: not 8 bytes aligned, or not writable",
				      job->result_va);
	return 0;
}

/* A job of a queue on the current snapshot of its address space. */
static struct vshader_job *job_begin(struct vshader_file *vf, u32 queue_id)
{
	struct vshader_queue *q = vshader_queue_lookup(vf, queue_id);
	struct vshader_job *job;

	if (!q)
		return ERR_PTR(-ENOENT);
	job = vshader_job_alloc(q);
	if (!job)
		return ERR_PTR(-ENOMEM);
	job->map = vshader_vm_snapshot(q->vm);
	return job;
}

/* Last step: the scheduler's part. */
static int job_end(struct vshader_job *job)
{
	struct vshader_file *vf = job->queue->file;
	int ret;

	job->fence = vshader_fence_new(vf->sched);
	if (!job->fence)
		return -ENOMEM;
	ret = vshader_compat_job_init(&job->base, &job->queue->entity, vf, vf->client_id);
	job->has_base = !ret;
	return ret;
}

struct vshader_job *vshader_job_new(struct vshader_file *vf, const struct drm_vshader_job *uj)
{
	const struct drm_device *drm = &vf->vdev->drm;
	struct vshader_job *job;
	int ret;

	if (uj->flags & ~DRM_VSHADER_JOB_NO_IMPLICIT_SYNC)
		return ERR_PTR(vshader_einval(drm, "flags %#x, known %#x", uj->flags,
					      DRM_VSHADER_JOB_NO_IMPLICIT_SYNC));
	job = job_begin(vf, uj->queue_id);
	if (IS_ERR(job))
		return job;
	job->flags = uj->flags;
	job->result_va = uj->result_va;
	job->nsyncs = uj->syncs.count;
	ret = check_result(job);
	if (ret)
		goto err_free;
	ret = vshader_inject_job(job);
	if (ret)
		goto err_free;
	switch (uj->type) {
	case DRM_VSHADER_JOB_SHADER:
		ret = shader_init(job, uj);
		break;
	case DRM_VSHADER_JOB_NATIVE:
		ret = vshader_copy_struct(drm, &job->native_desc, sizeof(job->native_desc),
					  uj->desc, uj->desc_size,
					  offsetofend(struct drm_vshader_native_job, memory));
		if (ret)
			goto err_free;
		ret = native_init(job, NULL, 0);
		break;
	default:
		ret = vshader_einval(drm, "type %u, known %u to %u", uj->type,
				     DRM_VSHADER_JOB_SHADER, DRM_VSHADER_JOB_NATIVE);
	}
	if (ret)
		goto err_free;
	ret = job_end(job);
	if (ret)
		goto err_free;
	return job;

err_free:
	vshader_job_free(job);
	return ERR_PTR(ret);
}

struct vshader_job *vshader_job_new_native(struct vshader_file *vf,
					   const struct vshader_submit_native *own)
{
	struct vshader_job *job = job_begin(vf, own->queue_id);
	int ret;

	if (IS_ERR(job))
		return job;
	job->nsyncs = own->nsyncs;
	job->shared = own->shared;
	job->nshared = own->nshared;
	job->native_desc = own->desc;
	job->explicit_sync = own->explicit_sync;
	job->task.follows = own->before;
	job->kept = own->kept;
	ret = vshader_inject_job(job);
	if (ret)
		goto err_free;
	ret = native_init(job, own->words, own->nwords);
	if (ret)
		goto err_free;
	ret = job_end(job);
	if (ret)
		goto err_free;
	return job;

err_free:
	vshader_job_free(job);
	return ERR_PTR(ret);
}
