// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Native jobs: the command list is copied from the job's address space and parsed at
 * submit. For formats that are read from memory when they run, only memory is allocated.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "vshader_device.h"
#include "vshader_job.h"
#include "vshader_native.h"
#include "vshader_queue.h"
#include "vshader_vm.h"

static int check_va(const struct vshader_job *job, u64 va, u64 size)
{
	u64 limit = vshader_vm_limit(job->queue->vm);

	return va < limit && size <= limit - va ? 0 : -EINVAL;
}

static int check_desc(const struct vshader_job *job)
{
	const struct drm_vshader_native_job *d = &job->native_desc;
	int ret;

	if (d->flags & ~DRM_VSHADER_NATIVE_RESET_STATE || d->format >= VS_NUM_NATIVE ||
	    vs_native_isa(d->format) != job->queue->isa->id)
		return -EINVAL;
	if (vs_native_in_memory(d->format))
		return d->size || d->output_va || d->output_size ? -EINVAL :
		       check_va(job, d->va, 1);
	if (!d->size || d->size % 8 || d->memory)
		return -EINVAL;
	if (d->size > VSHADER_MAX_NATIVE_SIZE)
		return -E2BIG;
	ret = check_va(job, d->va, d->size);
	return ret ?: check_va(job, d->output_va, d->output_size);
}

int vshader_native_copy(struct vshader_job *job)
{
	const struct drm_vshader_native_job *d = &job->native_desc;
	int ret;

	ret = check_desc(job);
	job->is_native = !ret;
	job->task.varies = !ret;
	if (ret || !d->size)
		return ret;
	job->words = kvzalloc(d->size, GFP_KERNEL_ACCOUNT);
	if (!job->words)
		return -ENOMEM;
	job->copied = vs_map_read(&job->map->vs, d->va, job->words, d->size);
	return 0;
}

static int parse(struct vshader_job *job, struct vs_native_state *state,
		 struct vs_fault *fault)
{
	const struct drm_vshader_native_job *d = &job->native_desc;
	const struct vs_native_in in = {
		.format = d->format,
		.words = job->words,
		.nwords = d->size / sizeof(u32),
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

	ret = parse(job, state, fault);
	if (ret)
		return ret;
	kvfree(job->words);
	job->words = NULL;
	phases = vs_native_phases(job->native);
	if (!phases)
		return 0;
	ret = vshader_job_set_engine(job, vs_native_map(job->native), phases);
	return ret ?: vs_native_add_phases(job->native, job->task.engine);
}
