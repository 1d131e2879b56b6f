// SPDX-License-Identifier: MIT
/*
 * Local backend: from a job's description to the engine's launch record. The same
 * checks in the same order as in the kernel driver.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/pica/pica_launch.h"
#include "local.h"
#include "native/mali/mali_job.h"
#include "native/utgard/utgard_job.h"

void vsl_fault_fill(const struct vs_fault *in, uint32_t engine, uint64_t number,
		    struct drm_vshader_fault *out)
{
	*out = (struct drm_vshader_fault){
		.kind = in->kind,
		.engine = engine,
		.address = in->address,
		.pc = in->pc,
		.size = in->size,
		.invocation = in->invocation,
		.job = number,
		.draw = in->draw,
		.stream = in->stream,
		.depth = in->depth,
		.info = in->info,
		.active = in->active,
	};
}

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
	qpu_job_free(job->qpu);
	mali_exec_free(job->mali);
	utgard_job_free(job->utgard);
	free(job->words);
	vshader_capture_free(&job->args);
	vsl_record_free(job);
	free(job->unif);
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

static int copy_streams(struct vsl_job *job, const struct drm_vshader_obj_array *array,
			bool output, struct vs_stream *out, uint32_t *n)
{
	const struct vs_prog *prog = job->prog->vs->prog;
	struct drm_vshader_stream *s;
	uint32_t i, bad;
	void *copy;
	int ret;

	ret = vsl_copy_array(array, VS_MAX_STREAMS, sizeof(*s),
			     offsetof(struct drm_vshader_stream, pad) + sizeof(s->pad), &copy, &bad,
			     output ? "outputs" : "attributes");
	if (ret)
		return ret;
	s = copy;
	for (i = 0; i < array->count && !ret; i++) {
		ret = vsh_check_stream(&s[i], output, i, output ? prog->nout : prog->nin,
				       vsl_vm_limit(job->queue->vm));
		out[i].va = s[i].va;
		out[i].stride = s[i].stride;
		out[i].divisor = s[i].divisor;
		out[i].format = (u8)s[i].format;
		out[i].reg = (u8)s[i].reg;
		out[i].ncomp = (u8)s[i].components;
	}
	*n = array->count;
	free(s);
	return ret;
}

static int pica_launch(struct vsl_job *job, const struct drm_vshader_shader_job *d,
		       struct vs_launch *l)
{
	struct drm_vshader_pica_job b;
	struct pica_launch pl;
	const char *what = "";
	int ret;

	ret = vsl_copy_struct(&b, sizeof(b), d->engine_block, d->engine_block_size, sizeof(b),
			      "PICA block");
	if (!ret)
		ret = vsh_check_pica(&b, job->prog->vs->src.stage == VS_STAGE_GEOMETRY,
				     vsl_vm_limit(job->queue->vm));
	if (ret)
		return ret;
	pl = (struct pica_launch){
		.model = b.model,
		.switches = b.switches,
		.floats = (const u32 (*)[4])(uintptr_t)b.float_uniforms,
		.nfloats = b.num_float_uniforms,
		.floats_f24 = b.float_format == DRM_VSHADER_FORMAT_F24,
		.bools = b.bool_uniforms,
		.output_mask = b.output_mask,
		.max_prims = b.max_prims,
		.prims_va = b.prims_va,
		.prim_info_va = b.prim_info_va,
	};
	memcpy(pl.ints, b.int_uniforms, sizeof(pl.ints));
	ret = pica_launch_fill(job->prog->vs, &pl, l, d->entry, job->unif, &what);
	if (ret)
		return vsh_fail(-ret, "PICA job: %s is not valid%s", what, !strcmp(what, "entry") ?
				": the program was not created with this entry point" : "");
	return 0;
}

static int shader_launch(struct vsl_job *job, const struct drm_vshader_shader_job *d,
			 struct vs_launch *l)
{
	int ret;

	ret = vsh_check_range(d, vsl_vm_limit(job->queue->vm));
	if (ret)
		return ret;
	l->count = d->count;
	l->instances = d->instances ? d->instances : 1;
	l->first = d->first;
	if (d->index_type != DRM_VSHADER_INDEX_NONE) {
		l->index_size = 1u << (d->index_type - DRM_VSHADER_INDEX_U8);
		l->index_va = d->index_va;
	}
	ret = copy_streams(job, &d->attributes, false, l->attr, &l->nattr);
	if (!ret)
		ret = copy_streams(job, &d->outputs, true, l->out, &l->nout);
	if (ret)
		return ret;
	l->prog = job->prog->vs->prog;
	job->unif = vs_zalloc_array(l->prog->nunif, sizeof(u32));
	if (!job->unif)
		return vsh_fail(ENOMEM, "out of memory");
	if (job->queue->isa->id != VS_ISA_PICA)
		return vsh_fail(EINVAL, "engine %s takes no shader jobs", job->queue->isa->name);
	return pica_launch(job, d, l);
}

static int shader_init(struct vsl_device *d, struct vsl_job *job, const struct drm_vshader_job *uj)
{
	struct drm_vshader_shader_job desc;
	struct vs_launch *l;
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
	if (job->queue->isa->id == VS_ISA_QPU)
		return vsl_qpu_init(job, &desc);
	if (job->queue->isa->id == VS_ISA_BIFROST || job->queue->isa->id == VS_ISA_MIDGARD)
		return vsl_mali_init(job, &desc);
	if (job->queue->isa->id == VS_ISA_UTGARD_GP || job->queue->isa->id == VS_ISA_UTGARD_PP)
		return vsl_utgard_init(job, &desc);
	l = calloc(1, sizeof(*l));
	if (!l)
		return vsh_fail(ENOMEM, "out of memory");
	ret = shader_launch(job, &desc, l);
	if (!ret && l->count) {
		ret = vsl_job_set_engine(job, &job->map->vs, 1);
		if (!ret)
			ret = vs_job_add_launch(job->engine, l);
		if (ret)
			vsh_fail(-ret, "shader job: the engine refused it: %s", strerror(-ret));
	}
	free(l);
	return ret;
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

	if (job->copied < n->size) {
		*fault = (struct vs_fault){
			.kind = VS_FAULT_FETCH,
			.pc = ~0u,
			.stream = ~0u,
			.address = n->va + job->copied,
			.size = sizeof(u32),
		};
		return -ENOEXEC;
	}
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
	if (!ret && vshader_capture_job(&job->args, uj, job->queue->isa, copy_user))
		return vsh_fail(ENOMEM, "out of memory");
	return ret;
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
