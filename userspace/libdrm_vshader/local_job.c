// SPDX-License-Identifier: MIT
/*
 * Local backend: from a job's description to the engine's launch record. The same
 * checks in the same order as in the kernel driver.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "families/family.h"
#include "local.h"

void vsl_job_free(struct vsl_job *job)
{
	uint32_t i;

	if (!job)
		return;
	if (job->engine)
		vs_job_free(job->engine);
	vs_worker_free(job->ctx);
	if (job->native)
		vs_native_free(job->native);
	if (job->work)
		job->queue->family->free(job->work);
	free(job->words);
	vshader_capture_free(&job->args);
	vsl_record_free(job);
	for (i = 0; i < job->num_waits; i++)
		vsl_fence_put(job->waits[i]);
	free(job->waits);
	vsl_fence_put(job->fence);
	vsl_program_put(job->prog);
	vsl_map_put(job->map);
	vsl_queue_put(job->queue);
	free(job);
}

int vsl_job_reserve_waits(struct vsl_job *job, uint32_t more)
{
	uint32_t max = job->num_waits + more;
	struct vsl_fence **n;

	if (max <= job->max_waits)
		return 0;
	n = realloc(job->waits, max * sizeof(struct vsl_fence *));
	if (!n)
		return vsh_fail(ENOMEM, "out of memory");
	job->waits = n;
	job->max_waits = max;
	return 0;
}

void vsl_job_add_wait(struct vsl_job *job, struct vsl_fence *f)
{
	if (f && !f->signaled)
		job->waits[job->num_waits++] = vsl_fence_get(f);
}

int vsl_job_set_engine(struct vsl_job *job, const struct vs_map *map, uint32_t phases)
{
	const struct vs_job_limits lim = {
		.budget = job->queue->budget,
		.simd = job->queue->dev->simd,
		.slice = VSL_SLICE,
		.dbg = job->queue->debug ? &job->queue->debug->c.dbg : NULL,
	};

	job->engine = vs_job_new(map, &lim, phases);
	return job->engine ? 0 : vsh_fail(ENOMEM, "out of memory");
}

/* ---- shader jobs ---- */

static int shader_make(struct vsl_job *job, const struct drm_vshader_shader_job *d)
{
	const struct vshader_family *family = job->queue->family;
	const struct vshader_shader s = {
		.ops = &vsh_shader_ops,
		.family = family,
		.isa = job->queue->isa,
		.prog = job->prog->vs,
		.map = &job->map->vs,
		.va_limit = vsl_vm_limit(job->queue->vm),
		.max_memory = VSL_MAX_JOB_MEMORY,
		.max_invocations = VSL_MAX_INVOCATIONS,
	};
	int ret;

	ret = vshader_shader_make(&s, d, &job->work);
	if (ret || !job->work)
		return ret;
	ret = vsl_job_set_engine(job, &job->map->vs, 1);
	if (ret)
		return ret;
	ret = family->add(job->work, job->engine);
	return ret ? vsh_fail(-ret, "%s job: the engine refused it: %s", family->name,
			      strerror(-ret)) : 0;
}

static int shader_init(struct vsl_device *d, struct vsl_job *job, const struct drm_vshader_job *uj)
{
	struct drm_vshader_shader_job desc;
	int ret;

	ret = vsl_copy_struct(&desc, sizeof(desc), uj->desc, uj->desc_size, sizeof(desc),
			      "shader job");
	if (ret)
		return ret;
	job->prog = vsl_program_lookup(d, desc.program);
	if (!job->prog)
		return -ENOENT;
	job->program = desc.program;
	if (job->prog->vs->isa != job->queue->isa)
		return vsh_fail(EINVAL, "program %u is for engine %s, the queue is for %s",
				desc.program, job->prog->vs->isa->name, job->queue->isa->name);
	return shader_make(job, &desc);
}

/* ---- native jobs ---- */

static int native_init(struct vsl_job *job, const struct drm_vshader_job *uj)
{
	struct drm_vshader_native_job *n = &job->native_desc;
	int ret;

	ret = vsl_copy_struct(n, sizeof(*n), uj->desc, uj->desc_size,
			      offsetof(struct drm_vshader_native_job, memory), "native job");
	if (!ret)
		ret = vsh_check_native(n, vsl_vm_limit(job->queue->vm));
	if (ret)
		return ret;
	if (vs_native_isa(n->format) != job->queue->isa->id)
		return vsh_fail(EINVAL, "native job: format %u is not one of engine %s", n->format,
				job->queue->isa->name);
	job->is_native = true;
	if (!n->size)
		return 0;
	job->words = calloc(1, n->size);
	if (!job->words)
		return vsh_fail(ENOMEM, "out of memory");
	job->copied = vs_map_read(&job->map->vs, n->va, job->words, n->size);
	return 0;
}

static int parse(struct vsl_job *job, struct vs_native_state *state, struct vs_fault *fault)
{
	const struct drm_vshader_native_job *n = &job->native_desc;
	const struct vs_native_in in = {
		.format = n->format,
		.words = job->words,
		.nwords = (u32)(n->size / sizeof(u32)),
		.va = n->va,
		.output_va = n->output_va,
		.output_size = n->output_size,
		.model = n->model,
		.switches = n->switches,
		.map = &job->map->vs,
		.memory = n->memory,
		.max_memory = VSL_MAX_JOB_MEMORY,
		.max_draws = VSL_MAX_DRAWS,
	};
	int ret;

	if (job->copied < n->size)
		return vs_fault_memory(fault, VS_FAULT_FETCH, n->va + job->copied, sizeof(u32));
	if (n->flags & DRM_VSHADER_NATIVE_RESET_STATE)
		vs_native_state_reset(state);
	ret = vs_native_parse(&in, state, &job->native, fault);
	if (ret && ret != -ENOEXEC)
		vsh_fail(-ret, "native job: %s", ret == -E2BIG ?
			 "it has more draws or threads or needs more memory than a job may" :
			 strerror(-ret));
	return ret;
}

int vsl_job_parse_native(struct vsl_job *job, struct vs_native_state *state,
			 struct vs_fault *fault)
{
	u32 phases;
	int ret;

	ret = parse(job, state, fault);
	if (ret)
		return ret;
	free(job->words);
	job->words = NULL;
	phases = vs_native_phases(job->native);
	if (!phases)
		return 0;
	ret = vsl_job_set_engine(job, vs_native_map(job->native), phases);
	if (ret)
		return ret;
	ret = vs_native_add_phases(job->native, job->engine);
	return ret ? vsh_fail(-ret, "native job: %s", strerror(-ret)) : 0;
}

/* ---- jobs ---- */

static int check_result(const struct vsl_job *job)
{
	if (!job->result_va)
		return 0;
	if (job->result_va % 8)
		return vsh_fail(EINVAL, "result_va %#llx is not a multiple of 8",
				(unsigned long long)job->result_va);
	if (!vsl_map_writable(job->map, job->result_va, sizeof(struct drm_vshader_job_result)))
		return vsh_fail(EINVAL, "result_va %#llx is not mapped writable",
				(unsigned long long)job->result_va);
	return 0;
}

static int copy_user(void *dst, uint64_t src, uint64_t size)
{
	memcpy(dst, (const void *)(uintptr_t)src, size);
	return 0;
}

static int capture(struct vsl_job *job, const struct drm_vshader_job *uj)
{
	struct vshader_capturing k = {
		.c = &job->args,
		.copy = copy_user,
		.block_size = job->queue->family->block_size,
		.block = job->queue->family->capture,
	};

	int ret;

	if (job->is_native)
		ret = vshader_capture_native(&job->args, &job->native_desc, NULL, 0);
	else
		ret = vshader_capture_shader(&k, uj);
	return ret ? vsh_fail(ENOMEM, "out of memory") : 0;
}

static int job_init(struct vsl_device *d, struct vsl_job *job, const struct drm_vshader_job *uj)
{
	int ret;

	if (uj->flags & ~DRM_VSHADER_JOB_NO_IMPLICIT_SYNC)
		return vsh_fail(EINVAL, "unknown job flags %#x", uj->flags);
	job->queue = vsl_queue_lookup(d, uj->queue_id);
	if (!job->queue)
		return -ENOENT;
	job->flags = uj->flags;
	job->result_va = uj->result_va;
	job->map = vsl_vm_snapshot(d, job->queue->vm);
	ret = check_result(job);
	if (ret)
		return ret;
	job->fence = vsl_fence_new();
	if (!job->fence)
		return vsh_fail(ENOMEM, "out of memory");
	switch (uj->type) {
	case DRM_VSHADER_JOB_SHADER:
		ret = shader_init(d, job, uj);
		break;
	case DRM_VSHADER_JOB_NATIVE:
		ret = native_init(job, uj);
		break;
	default:
		return vsh_fail(EINVAL, "unknown job type %u", uj->type);
	}
	return ret ? ret : capture(job, uj);
}

int vsl_job_new(struct vsl_device *d, const struct drm_vshader_job *uj, struct vsl_job **out)
{
	struct vsl_job *job = calloc(1, sizeof(*job));
	int ret;

	if (!job)
		return vsh_fail(ENOMEM, "out of memory");
	ret = job_init(d, job, uj);
	if (ret)
		vsl_job_free(job);
	else
		*out = job;
	return ret;
}
