// SPDX-License-Identifier: MIT
/*
 * Running job files: create the objects of a file, submit its jobs, wait for them.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jobfile_isa.h"
#include "vshader_debug.h"

#define RESULT_STRIDE	((sizeof(struct drm_vshader_job_result) + 63) & ~63ull)
#define WAIT_MARGIN_NS	60000000000ll
#define FIRST_LOOK_NS	1000000000ll
#define PROGRESS_NS	10000000	/* CPU time between two looks at the clock */

int run_error(struct runner *r, int ret, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(r->err, r->err_size, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < r->err_size)
		snprintf(r->err + n, r->err_size - n, ": %s", ret == -ENOMEM ? "out of memory" :
			 vshader_error());
	return ret;
}

uint64_t run_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* ---- memory ---- */

uint64_t run_va(const struct runner *r, const struct jf_loc *at)
{
	return at->region == JF_NONE ? at->offset : r->regions[at->region].va + at->offset;
}

static const uint8_t *region_ptr(const struct runner *r, uint32_t region, uint64_t offset,
				 uint64_t size)
{
	const struct run_region *reg = &r->regions[region];

	if (!reg->ptr || offset > vshader_bo_size(reg->bo) ||
	    size > vshader_bo_size(reg->bo) - offset)
		return NULL;
	return reg->ptr + offset;
}

const uint8_t *run_ptr(const struct runner *r, uint32_t vm, const struct jf_loc *at, uint64_t size)
{
	uint32_t i;

	if (at->region != JF_NONE)
		return region_ptr(r, at->region, at->offset, size);
	for (i = r->num_mappings; i-- > 0;) {
		const struct run_mapping *m = &r->mappings[i];

		if (m->vm != vm || at->offset < m->va || at->offset - m->va >= m->size)
			continue;
		if (m->region == JF_NONE || size > m->size - (at->offset - m->va))
			return NULL;
		return region_ptr(r, m->region, m->offset + (at->offset - m->va), size);
	}
	return NULL;
}

static int add_mapping(struct runner *r, const struct run_mapping *m)
{
	if (r->num_mappings == r->max_mappings) {
		uint32_t max = r->max_mappings ? r->max_mappings * 2 : 64;
		struct run_mapping *n = realloc(r->mappings, max * sizeof(*n));

		if (!n)
			return -ENOMEM;
		r->mappings = n;
		r->max_mappings = max;
	}
	r->mappings[r->num_mappings++] = *m;
	return 0;
}

static void fill_region(const struct jf_region *jr, uint8_t *ptr)
{
	uint32_t i;
	uint64_t k;

	for (i = 0; i < jr->num_pieces; i++) {
		const struct jf_piece *p = &jr->pieces[i];

		for (k = 0; p->len && k < p->repeat; k++)
			memcpy(ptr + p->offset + k * p->len, p->data, p->len);
	}
}

/* Store the addresses that a region's initial contents refer to. */
static void fix_region(const struct runner *r, uint32_t n)
{
	const struct jf_region *jr = &r->jf->regions[n];
	uint8_t *ptr = r->regions[n].ptr;
	uint32_t i, f;
	uint64_t k;

	for (i = 0; i < jr->num_pieces; i++) {
		const struct jf_piece *p = &jr->pieces[i];

		for (k = 0; p->num_fixups && k < p->repeat; k++) {
			for (f = 0; f < p->num_fixups; f++)
				jf_store(JF_U32, (uint32_t)run_va(r, &p->fixups[f].at),
					 ptr + p->offset + k * p->len + 4ull * p->fixups[f].word);
		}
	}
}

static int map_region(struct runner *r, uint32_t n, const struct jf_region *jr)
{
	struct run_region *reg = &r->regions[n];
	struct drm_vshader_vm_bind_op op = {
		.flags = jr->bind_flags | (jr->va ? 0 : DRM_VSHADER_VM_BIND_ALLOC_VA),
		.bo_handle = vshader_bo_handle(reg->bo),
		.va = jr->va,
		.size = vshader_bo_size(reg->bo),
	};
	struct run_mapping m = { .vm = jr->vm, .region = n, .size = op.size };
	int ret;

	if (!jr->map) {
		reg->va = jr->va;
		return 0;
	}
	ret = vshader_vm_bind(r->dev, r->vms[jr->vm], &op, 1);
	if (ret)
		return ret;
	reg->va = op.va;
	m.va = op.va;
	return add_mapping(r, &m);
}

static int create_region(struct runner *r, uint32_t n)
{
	const struct jf_region *jr = &r->jf->regions[n];
	struct run_region *reg = &r->regions[n];
	void *ptr;
	int ret;

	ret = vshader_bo_create(r->dev, jr->size, jr->bo_flags,
				jr->exclusive ? r->vms[jr->vm] : 0, &reg->bo);
	if (!ret && jr->label)
		ret = vshader_bo_set_label(reg->bo, jr->label);
	if (!ret && !(jr->bo_flags & DRM_VSHADER_BO_NO_MMAP)) {
		ret = vshader_bo_map(reg->bo, &ptr);
		if (!ret) {
			reg->ptr = ptr;
			fill_region(jr, reg->ptr);
		}
	}
	if (!ret)
		ret = map_region(r, n, jr);
	return ret ? run_error(r, ret, "memory region \"%s\"", jr->name ? jr->name : "unnamed") : 0;
}

/* Map result records outside the file's own mappings. */
static int create_results(struct runner *r, uint32_t vm)
{
	struct run_region *reg = &r->results[vm];
	uint64_t size = RESULT_STRIDE * (r->jf->num_jobs ? r->jf->num_jobs : 1);
	void *ptr;
	int ret;

	ret = vshader_bo_create(r->dev, size, 0, r->vms[vm], &reg->bo);
	if (!ret)
		ret = vshader_bo_map(reg->bo, &ptr);
	if (!ret) {
		reg->ptr = ptr;
		ret = vshader_vm_map(r->dev, r->vms[vm], reg->bo, 0, &reg->va);
	}
	return ret ? run_error(r, ret, "memory for results") : 0;
}

static int create_memory(struct runner *r)
{
	uint32_t i, pass;
	int ret;

	for (i = 0; i < r->jf->num_vms; i++) {
		const struct jf_vm *vm = &r->jf->vms[i];

		ret = vshader_vm_create(r->dev, vm->flags, vm->alloc_start, &r->vms[i]);
		if (ret)
			return run_error(r, ret, "address space %u", i);
	}
	/* Fixed addresses first, so that the others are allocated around them. */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < r->jf->num_regions; i++) {
			if (!pass == !r->jf->regions[i].va)
				continue;
			ret = create_region(r, i);
			if (ret)
				return ret;
		}
	}
	for (i = 0; i < r->jf->num_regions; i++) {
		if (r->regions[i].ptr)
			fix_region(r, i);
	}
	for (i = 0; i < r->jf->num_vms; i++) {
		ret = create_results(r, i);
		if (ret)
			return ret;
	}
	return 0;
}

static int apply_bind(struct runner *r, const struct jf_bind *b)
{
	struct drm_vshader_vm_bind_op op = {
		.flags = b->flags,
		.bo_handle = b->region == JF_NONE ? 0 :
			     vshader_bo_handle(r->regions[b->region].bo),
		.bo_offset = b->offset,
		.va = run_va(r, &b->at),
		.size = (b->size + 4095) & ~4095ull,
	};
	struct run_mapping m = {
		.vm = b->vm,
		.region = b->region,
		.va = op.va,
		.size = op.size,
		.offset = b->offset,
	};
	int ret = vshader_vm_bind(r->dev, r->vms[b->vm], &op, 1);

	return ret ? ret : add_mapping(r, &m);
}

/* ---- programs, queues, sync objects ---- */

static int create_program(struct runner *r, uint32_t n)
{
	const struct jf_program *p = &r->jf->programs[n];
	struct jf_outcome *o = &r->run->outcomes[n];
	struct vshader_source src = {
		.engine = p->engine,
		.stage = p->stage,
		.entries = p->entries,
		.num_entries = p->num_entries,
	};
	char log[4096] = "";
	struct vshader_diag diag = { .log = log, .log_size = sizeof(log) };
	uint64_t began = run_now_ns();
	uint32_t i;

	for (i = 0; i < VSHADER_NUM_SECTIONS; i++) {
		src.words[i] = p->words[i];
		src.num_words[i] = p->num_words[i];
	}
	o->is_program = true;
	o->name = jf_program_name(p);
	o->submit = vshader_program_create(r->dev, &src, &diag, &r->programs[n]);
	o->latency_ns = run_now_ns() - began;
	if (o->submit)
		o->message = jf_printf(&r->run->blocks, "%s%s%s", vshader_error(),
				       *log ? "\n" : "", log);
	else if (*log)
		o->message = jf_strdup(&r->run->blocks, log);
	return run_check_program(r, p, o, &diag.reject);
}

static int create_queue(struct runner *r, const struct vshader_queue_params *p, uint32_t *id)
{
	return r->debug ? vshader_debug_queue_create(r->dev, p, id) :
			  vshader_queue_create(r->dev, p, id);
}

static int create_objects(struct runner *r)
{
	const struct vshader_jobfile *jf = r->jf;
	uint32_t i;
	int ret;

	for (i = 0; i < jf->num_programs; i++) {
		ret = create_program(r, i);
		if (ret)
			return ret;
	}
	for (i = 0; i < jf->num_queues; i++) {
		struct vshader_queue_params p = jf->queues[i].params;

		p.vm = r->vms[p.vm];
		ret = create_queue(r, &p, &r->queues[i]);
		if (ret)
			return run_error(r, ret, "queue \"%s\"", jf->queues[i].name);
	}
	for (i = 0; i < jf->num_syncobjs; i++) {
		ret = vshader_sync_create(r->dev, jf->syncobjs[i].signaled, &r->syncobjs[i]);
		if (ret)
			return run_error(r, ret, "syncobj \"%s\"", jf->syncobjs[i].name);
	}
	return 0;
}

/* ---- descriptors ---- */

static struct drm_vshader_stream *make_streams(struct runner *r, const struct jf_stream *in,
					       uint32_t n)
{
	struct drm_vshader_stream *s = jf_alloc(&r->run->blocks, n * sizeof(*s));
	uint32_t i;

	for (i = 0; s && i < n; i++) {
		s[i].va = run_va(r, &in[i].at);
		s[i].stride = in[i].stride;
		s[i].format = in[i].format;
		s[i].reg = in[i].reg;
		s[i].components = in[i].components;
		s[i].divisor = in[i].divisor;
	}
	return s;
}

bool run_make_vertices(struct runner *r, const struct jf_shader *sh,
		       struct drm_vshader_vertices *v)
{
	struct drm_vshader_stream *attrs, *outs;

	attrs = make_streams(r, sh->attributes, sh->num_attributes);
	outs = make_streams(r, sh->outputs, sh->num_outputs);
	*v = (struct drm_vshader_vertices){
		.first = sh->first,
		.count = sh->count,
		.instances = sh->instances,
		.index_type = sh->index_type,
		.index_va = sh->index_type ? run_va(r, &sh->index) : 0,
		.attributes = DRM_VSHADER_OBJ_ARRAY(sh->num_attributes, attrs),
		.outputs = DRM_VSHADER_OBJ_ARRAY(sh->num_outputs, outs),
	};
	return attrs && outs;
}

static int make_shader(struct runner *r, const struct jf_shader *sh, struct drm_vshader_job *job)
{
	struct drm_vshader_shader_job *d = jf_alloc(&r->run->blocks, sizeof(*d));
	const struct jf_isa *isa = jf_isa_of(r->jf->programs[sh->program].engine);

	if (sh->args)
		return run_make_args(r, sh, job);
	if (!d)
		return -ENOMEM;
	d->program = r->programs[sh->program];
	d->entry = sh->entry;
	if (sh->block) {
		d->engine_block = (uintptr_t)isa->make(r, sh);
		d->engine_block_size = isa->block_size;
		if (!d->engine_block)
			return -ENOMEM;
	}
	job->desc = (uintptr_t)d;
	job->desc_size = sizeof(*d);
	return 0;
}

static int make_native(struct runner *r, const struct jf_native *n, struct drm_vshader_job *job)
{
	struct drm_vshader_native_job *d = jf_alloc(&r->run->blocks, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->format = n->format;
	d->flags = n->flags;
	d->va = run_va(r, &n->at);
	d->size = n->size;
	d->output_va = run_va(r, &n->output);
	d->output_size = n->output_size;
	d->model = n->model;
	d->switches = n->switches;
	d->memory = n->memory;
	job->desc = (uintptr_t)d;
	job->desc_size = sizeof(*d);
	return 0;
}

/* The job's own sync operations, and one by which we learn of its end. */
static int make_syncs(struct runner *r, const struct jf_job *jj, uint32_t own,
		      struct drm_vshader_job *job)
{
	struct drm_vshader_sync *s;
	uint32_t i;

	/* Nothing may wait for a debugged job: run them one at a time. */
	if (r->debug)
		return 0;
	s = jf_alloc(&r->run->blocks, (jj->num_syncs + 1) * sizeof(*s));
	if (!s)
		return -ENOMEM;
	for (i = 0; i < jj->num_syncs; i++) {
		s[i].flags = jj->syncs[i].flags;
		s[i].handle = r->syncobjs[jj->syncs[i].sync];
		s[i].timeline_value = jj->syncs[i].point;
	}
	s[i].flags = DRM_VSHADER_SYNC_SIGNAL;
	s[i].handle = own;
	job->syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(i + 1, s);
	return 0;
}

int run_make_job(struct runner *r, uint32_t n, struct drm_vshader_job *job)
{
	const struct jf_job *jj = &r->jf->jobs[n];
	struct run_job *rj = &r->jobs[n];
	int ret;

	job->queue_id = rj->queue;
	job->type = jj->type;
	job->flags = jj->flags;
	if (jj->has_result_at)
		job->result_va = run_va(r, &jj->result_at);
	else if (!jj->no_result)
		job->result_va = r->results[rj->vm].va + n * RESULT_STRIDE;
	ret = make_syncs(r, jj, rj->sync, job);
	if (ret)
		return ret;
	return jj->type == DRM_VSHADER_JOB_NATIVE ? make_native(r, &jj->native, job) :
						    make_shader(r, &jj->shader, job);
}

/* ---- running ---- */

int run_prepare_job(struct runner *r, uint32_t n)
{
	const struct jf_job *jj = &r->jf->jobs[n];
	struct run_job *rj = &r->jobs[n];
	struct vshader_queue_params p;
	uint32_t i;
	int ret;

	r->run->outcomes[r->jf->num_programs + n].name = jf_job_name(jj);
	for (i = 0; i < jj->num_binds; i++) {
		ret = apply_bind(r, &jj->binds[i]);
		if (ret)
			return run_error(r, ret, "job %u, bind %u", n, i);
	}
	if (jj->queue == JF_NONE) {
		p = jj->own.params;
		rj->vm = p.vm;
		p.vm = r->vms[p.vm];
		ret = create_queue(r, &p, &rj->queue);
		rj->own_queue = !ret;
	} else {
		rj->vm = r->jf->queues[jj->queue].params.vm;
		rj->queue = r->queues[jj->queue];
		ret = 0;
	}
	if (!ret && !r->debug)
		ret = vshader_sync_create(r->dev, false, &rj->sync);
	return ret ? run_error(r, ret, "job %u", n) : 0;
}

/* Result record, or the queue's last status for jobs without one. */
static int read_result(struct runner *r, uint32_t n, struct drm_vshader_job_result *out)
{
	const struct jf_job *jj = &r->jf->jobs[n];
	const struct run_job *rj = &r->jobs[n];
	struct drm_vshader_queue_get_state state;
	const uint8_t *p;
	int ret;

	if (jj->has_result_at)
		p = run_ptr(r, rj->vm, &jj->result_at, sizeof(*out));
	else
		p = jj->no_result ? NULL : r->results[rj->vm].ptr + n * RESULT_STRIDE;
	if (p) {
		memcpy(out, p, sizeof(*out));
		return 0;
	}
	ret = vshader_queue_get_state(r->dev, rj->queue, &state);
	if (ret)
		return run_error(r, ret, "job %u", n);
	out->status = !state.state ? 0 :
		      state.state & DRM_VSHADER_QUEUE_STATE_TIMEDOUT ? -ETIME : -EIO;
	out->fault = state.fault;
	out->busy_ns = state.busy_ns;
	out->invocations = state.invocations;
	return 0;
}

/* A wait ends if neither the process nor its queues have had any CPU time for so long. */
static int64_t wait_time(const struct runner *r, uint32_t n)
{
	struct drm_vshader_limits limits;

	if (vshader_get_limits(r->dev, &limits))
		return WAIT_MARGIN_NS;
	/* Others may run before it. */
	return WAIT_MARGIN_NS + (int64_t)limits.max_time_ms * 1000000 * (n + 1);
}

const char *jf_fault_text(const struct drm_vshader_fault *fault, bool native, char *text,
			  size_t size)
{
	size_t len;

	vshader_fault_text(fault, text, size);
	switch (fault->kind) {
	case DRM_VSHADER_FAULT_COMMAND:
	case DRM_VSHADER_FAULT_ENCODING:
	case DRM_VSHADER_FAULT_TIMEOUT:
	case DRM_VSHADER_FAULT_CANCELED:
		return text;
	}
	len = strlen(text);
	if (native && jf_isa_of(fault->engine)->draws && fault->draw != ~0u)
		snprintf(text + len, size - len, ", draw %u", fault->draw);
	return text;
}

/* The fault in words, and the states of the engine's processors. */
static int read_fault(struct runner *r, uint32_t n, struct jf_outcome *o)
{
	const struct jf_isa *isa = jf_isa_of(o->result.fault.engine);
	char text[256], states[4096] = "";
	int ret = 0;

	if (!o->result.fault.kind)
		return 0;
	jf_fault_text(&o->result.fault, r->jf->jobs[n].type == DRM_VSHADER_JOB_NATIVE, text,
		      sizeof(text));
	if (isa->read_states)
		ret = isa->read_states(r, n, o, states, sizeof(states));
	if (ret)
		return run_error(r, ret, "job %u", n);
	o->message = jf_printf(&r->run->blocks, "%s%s%s", text, *states ? "\n" : "", states);
	return o->message ? 0 : run_error(r, -ENOMEM, "job %u", n);
}

int run_conclude_job(struct runner *r, uint32_t n)
{
	struct jf_outcome *o = &r->run->outcomes[r->jf->num_programs + n];
	int ret;

	o->latency_ns = run_now_ns() - r->jobs[n].submitted_ns;
	o->ran = true;
	if (r->jf->jobs_done)
		atomic_fetch_add(r->jf->jobs_done, 1);
	ret = read_result(r, n, &o->result);
	if (ret)
		return ret;
	ret = read_fault(r, n, o);
	if (!ret)
		ret = run_keep_outputs(r, n, o);
	if (!ret)
		ret = run_keep_writes(r, n, o);
	return ret ? ret : run_check_job(r, n, o);
}

/*
 * CPU time of the process, as the local device is in it, and of queues that a device executes. A
 * queue that cannot be asked has had none.
 */
static uint64_t cpu_time(const struct runner *r, uint32_t n)
{
	struct drm_vshader_queue_get_state state;
	struct timespec t;
	uint64_t ns;
	uint32_t i;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	ns = t.tv_sec * 1000000000ull + t.tv_nsec;
	for (i = 0; i <= n; i++)
		if (!vshader_queue_get_state(r->dev, r->jobs[i].queue, &state))
			ns += state.busy_ns;
	return ns;
}

/* The limits of jobs are CPU time, of which there may be little on a busy machine. */
static int run_wait(const struct runner *r, uint32_t n)
{
	int ret = vshader_sync_wait(r->dev, r->jobs[n].sync, 0, FIRST_LOOK_NS);
	uint64_t now = 0, before;

	if (ret == -ETIME)
		now = cpu_time(r, n);
	while (ret == -ETIME) {
		before = now;
		ret = vshader_sync_wait(r->dev, r->jobs[n].sync, 0, wait_time(r, n));
		if (ret != -ETIME)
			break;
		now = cpu_time(r, n);
		if (now < before + PROGRESS_NS)
			break;
	}
	return ret;
}

static int finish_job(struct runner *r, uint32_t n)
{
	int ret = run_wait(r, n);

	return ret ? run_error(r, ret, "job %u", n) : run_conclude_job(r, n);
}

/* None of the jobs ran. */
int run_refuse_batch(struct runner *r, uint32_t first, uint32_t n, int err, uint32_t failed,
		     const struct drm_vshader_fault *fault)
{
	uint32_t i;
	int ret = 0;

	for (i = first; i < first + n && !ret; i++) {
		struct jf_outcome *o = &r->run->outcomes[r->jf->num_programs + i];

		o->submit = err;
		if (i == first + failed) {
			r->jobs[i].fault = *fault;
			o->message = jf_strdup(&r->run->blocks, vshader_error());
		} else {
			o->message = jf_printf(&r->run->blocks, "not submitted: job %u was refused",
					       first + failed);
		}
		ret = run_check_job(r, i, o);
	}
	return ret;
}

/* Jobs that share a submission. */
static uint32_t batch_size(const struct vshader_jobfile *jf, uint32_t first)
{
	uint32_t n = 1;

	while (first + n < jf->num_jobs && jf->jobs[first + n].with_previous)
		n++;
	return n;
}

static int run_batch(struct runner *r, uint32_t first, uint32_t n, bool *async)
{
	struct drm_vshader_fault fault = { };
	struct drm_vshader_job *jobs;
	uint32_t i, failed = 0;
	int ret = 0;

	*async = false;
	jobs = calloc(n, sizeof(*jobs));
	if (!jobs)
		return run_error(r, -ENOMEM, "jobs");
	for (i = 0; i < n && !ret; i++) {
		const struct jf_job *jj = &r->jf->jobs[first + i];

		*async |= jj->async;
		ret = run_prepare_job(r, first + i);
		if (!ret && run_make_job(r, first + i, &jobs[i]))
			ret = run_error(r, -ENOMEM, "job %u", first + i);
	}
	if (ret)
		goto out;
	for (i = 0; i < n; i++)
		r->jobs[first + i].submitted_ns = run_now_ns();
	ret = vshader_submit(r->dev, jobs, n, &failed, &fault);
	if (ret) {
		*async = false;
		ret = run_refuse_batch(r, first, n, ret, failed < n ? failed : 0, &fault);
		goto out;
	}
	for (i = 0; i < n && !*async && !ret; i++)
		ret = finish_job(r, first + i);
out:
	free(jobs);
	return ret;
}

static int run_jobs(struct runner *r)
{
	uint32_t i, n, k, waiting = 0;
	bool async;
	int ret;

	for (i = 0; i < r->jf->num_jobs; i += n) {
		n = batch_size(r->jf, i);
		ret = run_batch(r, i, n, &async);
		if (ret)
			return ret;
		if (async) {
			waiting += n;
			continue;
		}
		/* Jobs still running from before this batch. */
		for (k = i - waiting; k < i; k++) {
			ret = finish_job(r, k);
			if (ret)
				return ret;
		}
		waiting = 0;
	}
	for (k = i - waiting; k < i; k++) {
		ret = finish_job(r, k);
		if (ret)
			return ret;
	}
	return 0;
}

/* ---- set up and tear down ---- */

static int runner_init(struct runner *r)
{
	const struct vshader_jobfile *jf = r->jf;

	r->run->num_outcomes = jf->num_programs + jf->num_jobs;
	r->run->outcomes = jf_alloc(&r->run->blocks,
				    r->run->num_outcomes * sizeof(*r->run->outcomes));
	r->vms = calloc(jf->num_vms + 1, sizeof(*r->vms));
	r->regions = calloc(jf->num_regions + 1, sizeof(*r->regions));
	r->results = calloc(jf->num_vms + 1, sizeof(*r->results));
	r->programs = calloc(jf->num_programs + 1, sizeof(*r->programs));
	r->queues = calloc(jf->num_queues + 1, sizeof(*r->queues));
	r->syncobjs = calloc(jf->num_syncobjs + 1, sizeof(*r->syncobjs));
	r->jobs = calloc(jf->num_jobs + 1, sizeof(*r->jobs));
	if (!r->run->outcomes || !r->vms || !r->regions || !r->results || !r->programs ||
	    !r->queues || !r->syncobjs || !r->jobs)
		return run_error(r, -ENOMEM, "job file");
	return 0;
}

static void runner_fini(struct runner *r)
{
	const struct vshader_jobfile *jf = r->jf;
	uint32_t i;

	for (i = 0; r->jobs && i < jf->num_jobs; i++) {
		if (r->jobs[i].own_queue)
			vshader_queue_destroy(r->dev, r->jobs[i].queue);
		if (r->jobs[i].sync)
			vshader_sync_destroy(r->dev, r->jobs[i].sync);
	}
	for (i = 0; r->queues && i < jf->num_queues; i++) {
		if (r->queues[i])
			vshader_queue_destroy(r->dev, r->queues[i]);
	}
	for (i = 0; r->syncobjs && i < jf->num_syncobjs; i++) {
		if (r->syncobjs[i])
			vshader_sync_destroy(r->dev, r->syncobjs[i]);
	}
	for (i = 0; r->programs && i < jf->num_programs; i++) {
		if (r->programs[i])
			vshader_program_destroy(r->dev, r->programs[i]);
	}
	for (i = 0; r->regions && i < jf->num_regions; i++)
		vshader_bo_destroy(r->regions[i].bo);
	for (i = 0; r->results && i < jf->num_vms; i++)
		vshader_bo_destroy(r->results[i].bo);
	for (i = 0; r->vms && i < jf->num_vms; i++) {
		if (r->vms[i])
			vshader_vm_destroy(r->dev, r->vms[i]);
	}
	free(r->vms);
	free(r->regions);
	free(r->results);
	free(r->programs);
	free(r->queues);
	free(r->syncobjs);
	free(r->jobs);
	free(r->mappings);
	run_forget_writes(r);
}

int run_begin(struct runner *r)
{
	int ret;

	r->print_left = JF_MAX_PRINTS;
	r->run = calloc(1, sizeof(*r->run));
	if (!r->run)
		return run_error(r, -ENOMEM, "job file");
	ret = runner_init(r);
	if (!ret)
		ret = create_memory(r);
	if (!ret && r->jf->want_writes && run_watch_writes(r))
		ret = run_error(r, -ENOMEM, "job file");
	return ret ? ret : create_objects(r);
}

void run_count(struct vshader_run *run)
{
	uint32_t i;

	run->num_checks = 0;
	run->num_failed = 0;
	for (i = 0; i < run->num_outcomes; i++) {
		run->num_checks += run->outcomes[i].num_checks;
		run->num_failed += run->outcomes[i].num_failed;
	}
}

struct vshader_run *run_end(struct runner *r, bool failed)
{
	struct vshader_run *run = r->run;

	if (!run)
		return NULL;
	failed = failed || run_keep_files(r);
	runner_fini(r);
	r->run = NULL;
	if (failed) {
		vshader_run_free(run);
		return NULL;
	}
	run_count(run);
	return run;
}

int vshader_jobfile_run(const struct vshader_jobfile *jf, struct vshader_device *dev,
			struct vshader_run **out, char *err, size_t err_size)
{
	struct runner r = { .jf = jf, .dev = dev, .err = err, .err_size = err_size };
	struct vshader_run *run;
	int ret = run_begin(&r);

	if (!ret)
		ret = run_jobs(&r);
	run = run_end(&r, ret);
	if (!ret)
		*out = run;
	return ret;
}

void vshader_run_free(struct vshader_run *run)
{
	if (!run)
		return;
	jf_free_blocks(run->blocks);
	free(run);
}
