// SPDX-License-Identifier: MIT
/*
 * Local backend: dumps of jobs that faulted, as the kernel driver makes them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "local.h"
#include "debug/dumpfile.h"
#include "families/family.h"

void vsl_dump_enable(struct vsl_device *d)
{
	pthread_mutex_lock(&d->lock);
	d->dumps = true;
	pthread_mutex_unlock(&d->lock);
}

static void fill_device(const struct vsl_device *d, struct drm_vshader_dump_device *out)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	*out = (struct drm_vshader_dump_device){
		.major = VSHADER_VERSION_MAJOR,
		.minor = VSHADER_VERSION_MINOR,
		.simd = d->simd,
		.in_process = 1,
		.time_ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec,
		.name = "local",
	};
}

static void fill_queue(const struct vsl_queue *q, struct drm_vshader_dump_queue *out)
{
	*out = (struct drm_vshader_dump_queue){
		.engine = q->isa->id,
		.priority = q->priority,
		.budget = q->budget,
		.time_limit_ms = q->time_limit_ms,
		.va_bits = q->vm->bits,
		.pid = (uint32_t)getpid(),
		.id = q->number,
		.vm = q->vm->number,
	};
	snprintf(out->comm, sizeof(out->comm), "%s", program_invocation_short_name);
}

static void fill_job(const struct vsl_job *job, const struct drm_vshader_job_result *r,
		     struct drm_vshader_dump_job *out)
{
	*out = (struct drm_vshader_dump_job){
		.number = job->number,
		.type = job->is_native ? DRM_VSHADER_JOB_NATIVE : DRM_VSHADER_JOB_SHADER,
		.flags = job->flags,
		.status = r->status,
		.program = job->program,
		.result_va = job->result_va,
		.invocations = r->invocations,
		.weight = r->weight,
		.busy_ns = r->busy_ns,
		.fault = r->fault,
	};
}

void vsl_dump_fill(const struct vsl_device *d, const struct vsl_job *job,
		   const struct drm_vshader_job_result *r, struct vshader_dump_src *src)
{
	static const struct vs_post nothing;

	src->isa = job->queue->isa;
	src->prog = job->prog ? job->prog->vs : NULL;
	src->args = &job->args;
	src->map = &job->map->vs;
	src->post = job->engine ? vs_job_get_post(job->engine) : &nothing;
	fill_device(d, &src->device);
	fill_queue(job->queue, &src->queue);
	fill_job(job, r, &src->job);
}

void vsl_dump_job(struct vsl_device *d, const struct vsl_job *job,
		  const struct drm_vshader_job_result *r)
{
	const struct vshader_family *f = job->queue->family;
	struct vshader_dump_src src = { .limit = VSHADER_DUMP_MEMORY };
	void *states = NULL;
	uint64_t size;

	if (!d->dumps || d->dump || r->fault.kind == DRM_VSHADER_FAULT_NONE ||
	    r->fault.kind == DRM_VSHADER_FAULT_CANCELED)
		return;
	vsl_dump_fill(d, job, r, &src);
	if (f->max_states) {
		states = calloc(f->max_states, f->state_size);
		if (!states)
			return;
		src.num_states = vshader_family_states(f, job->work, job->native, states);
		src.state_section = f->state_section;
		src.state_size = f->state_size;
		src.states = states;
	}
	if (!vshader_dump_make(&src, malloc, &d->dump, &size))
		d->dump_size = size;
	free(states);
}

int vsl_dump_take(struct vsl_device *d, void **data, size_t *size)
{
	pthread_mutex_lock(&d->lock);
	*data = d->dump;
	*size = d->dump_size;
	d->dump = NULL;
	pthread_mutex_unlock(&d->lock);
	return *data ? 0 : vsh_fail(ENOENT, "no job has faulted");
}
