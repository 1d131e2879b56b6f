// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Native jobs: the command list is copied from the job's address space and parsed at
 * submit. For formats that are read from memory when they run, only memory is allocated.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_job.h"
#include "vshader_native.h"
#include "vshader_queue.h"
#include "vshader_vm.h"

static int native_check_va(const struct vshader_job *job, const char *name, u64 va, u64 size)
{
	u64 limit = vshader_vm_limit(job->queue->vm);

	if (va >= limit || size > limit - va)
		return vshader_einval(&job->queue->file->vdev->drm,
				      "%s %#llx, size %#llx, limit %#llx", name, va, size, limit);
	return 0;
}

static int native_check_desc(const struct vshader_job *job)
{
	const struct drm_vshader_native_job *d = &job->native_desc;
	const struct drm_device *drm = &job->queue->file->vdev->drm;
	int ret;

	if (d->flags & ~DRM_VSHADER_NATIVE_RESET_STATE)
		return vshader_einval(drm, "flags %#x, known %#x", d->flags,
				      DRM_VSHADER_NATIVE_RESET_STATE);
	if (d->format >= VS_NUM_NATIVE || vs_native_isa(d->format) != job->queue->isa->id)
		return vshader_einval(drm, "format %u is none of engine %u", d->format,
				      job->queue->isa->id);
	if (vs_native_in_memory(d->format)) {
		if (d->size || d->output_va || d->output_size)
			return vshader_einval(drm,
					      "size %llu, output_va %#llx, output_size %llu, expected 0",
					      d->size, d->output_va, d->output_size);
		return native_check_va(job, "va", d->va, 1);
	}
	if (!d->size || d->size % 8)
		return vshader_einval(drm, "size %llu, expected a multiple of 8", d->size);
	if (d->memory)
		return vshader_einval(drm, "memory %llu, expected 0 for format %u", d->memory,
				      d->format);
	if (d->size > VSHADER_MAX_NATIVE_SIZE)
		return -E2BIG;
	ret = native_check_va(job, "va", d->va, d->size);
	if (ret)
		return ret;
	return native_check_va(job, "output_va", d->output_va, d->output_size);
}

int vshader_native_copy(struct vshader_job *job, const u32 *words, u32 nwords)
{
	const struct drm_vshader_native_job *d = &job->native_desc;
	int ret;

	ret = native_check_desc(job);
	if (ret)
		return ret;
	job->is_native = true;
	job->task.varies = true;
	if (words) {
		job->words = kmemdup(words, nwords * sizeof(*words), GFP_KERNEL_ACCOUNT);
		job->nwords = nwords;
		return job->words ? 0 : -ENOMEM;
	}
	if (!d->size)
		return 0;
	job->nwords = d->size / sizeof(u32);
	job->words = kvzalloc(d->size, GFP_KERNEL_ACCOUNT);
	if (!job->words)
		return -ENOMEM;
	job->copied = vs_map_read(&job->map->vs, d->va, job->words, d->size);
	return 0;
}

static int native_parse(struct vshader_job *job, struct vs_native_state *state,
			struct vs_fault *fault)
{
	const struct drm_vshader_native_job *d = &job->native_desc;
	const struct vs_native_in in = {
		.format = d->format,
		.words = job->words,
		.nwords = job->nwords,
		.va = d->va,
		.output_va = d->output_va,
		.output_size = d->output_size,
		.model = d->model,
		.switches = d->switches,
		.map = &job->map->vs,
		.memory = d->memory,
		.max_memory = VSHADER_MAX_JOB_MEMORY,
		.max_draws = VSHADER_MAX_DRAWS,
	};

	if (job->copied < d->size)
		return vs_fault_memory(fault, VS_FAULT_FETCH, d->va + job->copied, sizeof(u32));
	if (d->flags & DRM_VSHADER_NATIVE_RESET_STATE)
		vs_native_state_reset(state);
	return vs_native_parse(&in, state, &job->native, fault);
}

int vshader_native_parse(struct vshader_job *job, struct vs_native_state *state,
			 struct vs_fault *fault)
{
	u32 phases;
	int ret;

	ret = native_parse(job, state, fault);
	if (ret)
		return ret;
	kvfree(job->words);
	job->words = NULL;
	phases = vs_native_phases(job->native);
	if (!phases)
		return 0;
	ret = vshader_job_set_engine(job, vs_native_map(job->native), phases);
	if (ret)
		return ret;
	return vs_native_add_phases(job->native, job->task.engine);
}
