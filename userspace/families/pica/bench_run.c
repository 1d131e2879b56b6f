// SPDX-License-Identifier: MIT
/*
 * Benchmark workloads on a device.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_pica.h"

#define IN_VA		0x01000000ull
#define OUT_VA		0x10000000ull
#define BATCH		64u		/* jobs per SUBMIT */
#define IN_FLIGHT	256u		/* jobs */
#define TIMEOUT_NS	120000000000ll

static bool is_geometry(const struct bench_workload *w)
{
	return w->stage == DRM_VSHADER_STAGE_GEOMETRY;
}

/* ---- set up ---- */

static int map_buffer(struct bench_setup *s, uint64_t size, uint64_t va, struct vshader_bo **bo,
		      uint32_t **ptr)
{
	void *p;
	int ret;

	ret = vshader_bo_create(s->dev, size, 0, s->vm, bo);
	if (!ret)
		ret = vshader_bo_map(*bo, &p);
	if (!ret)
		ret = vshader_vm_map(s->dev, s->vm, *bo, 0, &va);
	if (!ret)
		*ptr = p;
	return ret;
}

static int create_program(struct bench_setup *s)
{
	const struct bench_workload *w = s->w;
	const struct vshader_source src = {
		.engine = DRM_VSHADER_ENGINE_PICA,
		.stage = w->stage,
		.words = { w->code, w->opdesc },
		.num_words = { w->num_code, w->num_opdesc },
		.entries = &w->entry,
		.num_entries = 1,
	};

	return vshader_program_create(s->dev, &src, NULL, &s->program);
}

/* Vertices are interleaved, as a vertex buffer is. */
static void describe_job(struct bench_setup *s)
{
	const struct bench_workload *w = s->w;
	uint32_t i;

	for (i = 0; i < w->num_uniforms; i++)
		memcpy(s->floats[w->uniforms[i].reg], w->uniforms[i].value, 16);
	for (i = 0; i < w->inputs; i++)
		s->attrs[i] = (struct drm_vshader_stream){
			.va = s->in_va + 16 * i, .stride = 16 * w->inputs, .reg = i,
			.components = 4,
		};
	for (i = 0; i < w->outputs && !is_geometry(w); i++)
		s->outs[i] = (struct drm_vshader_stream){
			.va = s->out_va + 16 * i, .stride = 16 * w->outputs, .reg = i,
			.components = 4,
		};
	s->pica = (struct drm_vshader_pica_job){
		.vertices = {
			.count = BENCH_VERTICES,
			.instances = s->job_vertices / BENCH_VERTICES,
			.attributes = DRM_VSHADER_OBJ_ARRAY(w->inputs, s->attrs),
			.outputs = DRM_VSHADER_OBJ_ARRAY(is_geometry(w) ? 0 : w->outputs, s->outs),
		},
		.model = s->model,
		.float_uniforms = (uintptr_t)s->floats,
		.num_float_uniforms = 96,
		.bool_uniforms = w->bools,
		.output_mask = is_geometry(w) ? (1u << w->outputs) - 1 : 0,
		.max_prims = w->max_prims,
		.prims_va = is_geometry(w) ? s->out_va : 0,
		.prim_info_va = is_geometry(w) ? s->info_va : 0,
	};
	memcpy(s->pica.int_uniforms[0], w->int0, 4);
	s->shader = (struct drm_vshader_shader_job){
		.program = s->program,
		.entry = w->entry,
		.engine_block = (uintptr_t)&s->pica,
		.engine_block_size = sizeof(s->pica),
	};
}

static uint64_t out_bytes(const struct bench_setup *s)
{
	return (uint64_t)s->job_vertices * bench_out_words(s->w) * 4;
}

int bench_setup(struct bench_setup *s, struct vshader_device *dev, const struct bench_workload *w,
		uint32_t model, uint32_t job_vertices)
{
	struct vshader_queue_params q = { .engine = DRM_VSHADER_ENGINE_PICA };
	struct drm_vshader_limits limits;
	uint64_t info = (uint64_t)job_vertices * 4 * (1 + w->max_prims);
	int ret;

	memset(s, 0, sizeof(*s));
	s->w = w;
	s->dev = dev;
	s->model = model;
	s->job_vertices = job_vertices;
	s->in_va = IN_VA;
	s->out_va = OUT_VA;
	s->info_va = OUT_VA + ((out_bytes(s) + 4095) & ~4095ull);
	ret = vshader_vm_create(dev, 0, 0, &s->vm);
	if (!ret)
		ret = map_buffer(s, (uint64_t)BENCH_VERTICES * w->inputs * 16, IN_VA, &s->in_bo,
				 &s->in);
	if (!ret)
		ret = map_buffer(s, s->info_va - OUT_VA + info, OUT_VA, &s->out_bo, &s->out);
	if (!ret) {
		bench_vertices(w, s->in);
		ret = create_program(s);
	}
	if (!ret)
		ret = vshader_get_limits(dev, &limits);
	q.vm = s->vm;
	q.time_limit_ms = ret ? 0 : limits.max_time_ms;
	if (!ret)
		ret = vshader_queue_create(dev, &q, &s->queue);
	if (!ret)
		ret = vshader_sync_create(dev, false, &s->sync);
	if (!ret)
		describe_job(s);
	else
		bench_teardown(s);
	return ret;
}

void bench_teardown(struct bench_setup *s)
{
	if (s->queue)
		vshader_queue_destroy(s->dev, s->queue);
	if (s->sync)
		vshader_sync_destroy(s->dev, s->sync);
	if (s->program)
		vshader_program_destroy(s->dev, s->program);
	vshader_bo_destroy(s->in_bo);
	vshader_bo_destroy(s->out_bo);
	if (s->vm)
		vshader_vm_destroy(s->dev, s->vm);
	memset(s, 0, sizeof(*s));
}

/* ---- running ---- */

/* The last job of the batch signals the next point of the timeline. */
static int submit_batch(struct bench_setup *s, uint32_t n)
{
	struct drm_vshader_job jobs[BATCH];
	struct drm_vshader_sync sync = {
		.flags = DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE,
		.handle = s->sync,
		.timeline_value = ++s->point,
	};
	uint32_t i;

	memset(jobs, 0, n * sizeof(jobs[0]));
	for (i = 0; i < n; i++) {
		jobs[i].queue_id = s->queue;
		jobs[i].type = DRM_VSHADER_JOB_SHADER;
		jobs[i].desc = (uintptr_t)&s->shader;
		jobs[i].desc_size = sizeof(s->shader);
	}
	jobs[n - 1].syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(1, &sync);
	return vshader_submit(s->dev, jobs, n, NULL, NULL);
}

/* @n jobs, @batch to a SUBMIT, with a bounded number in flight. */
static int run_jobs(struct bench_setup *s, uint32_t n, uint32_t batch)
{
	uint64_t ahead = IN_FLIGHT / batch;
	uint32_t now;
	int ret = 0;

	for (; n && !ret; n -= now) {
		now = n < batch ? n : batch;
		ret = submit_batch(s, now);
		if (!ret && s->point > ahead)
			ret = vshader_sync_wait(s->dev, s->sync, s->point - ahead, TIMEOUT_NS);
	}
	return ret ? ret : vshader_sync_wait(s->dev, s->sync, s->point, TIMEOUT_NS);
}

/* A fault shows only in the queue's state. */
static int check_queue(struct bench_setup *s)
{
	struct drm_vshader_queue_get_state state;
	char text[256];
	int ret = vshader_queue_get_state(s->dev, s->queue, &state);

	if (ret || !state.state)
		return ret;
	fprintf(stderr, "%s: %s\n", s->w->name,
		vshader_fault_text(&state.fault, text, sizeof(text)));
	return -EIO;
}

int bench_stream(struct bench_setup *s, uint32_t vertices, uint64_t *ns, uint64_t *cpu)
{
	uint64_t cpu_start = bench_cpu_start(), start = bench_now_ns();
	int ret = run_jobs(s, vertices / s->job_vertices, BATCH);

	*ns = bench_now_ns() - start;
	*cpu = bench_cpu_since(cpu_start);
	return ret ? ret : check_queue(s);
}

static bool copies_equal(const struct bench_setup *s)
{
	size_t bytes = (size_t)BENCH_VERTICES * bench_out_words(s->w) * 4;
	uint32_t i;

	for (i = 1; i < s->job_vertices / BENCH_VERTICES; i++) {
		if (memcmp(s->out, (char *)s->out + i * bytes, bytes))
			return false;
	}
	return true;
}

int bench_check(struct bench_setup *s, uint64_t reference, uint64_t *hash, bool *ok, char *how,
		size_t size)
{
	uint64_t ns, cpu;
	int ret;

	memset(s->out, 0xff, out_bytes(s));
	ret = bench_stream(s, s->job_vertices, &ns, &cpu);
	if (ret)
		return ret;
	*hash = bench_hash(s->out, (size_t)BENCH_VERTICES * bench_out_words(s->w) * 4);
	*ok = bench_verify(s->w, s->model, s->in, s->out, reference, how, size);
	if (*ok && !copies_equal(s)) {
		snprintf(how, size, "the same vertices give different outputs");
		*ok = false;
	}
	return 0;
}

/* ---- latencies ---- */

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A job that is waited for. */
static int run_one(struct bench_setup *s)
{
	const struct drm_vshader_job job = {
		.queue_id = s->queue,
		.type = DRM_VSHADER_JOB_SHADER,
		.desc = (uintptr_t)&s->shader,
		.desc_size = sizeof(s->shader),
	};

	return vshader_submit_wait(s->dev, &job, TIMEOUT_NS);
}

static int measure_latency(struct bench_setup *s, unsigned int rounds, double *min, double *median)
{
	uint64_t *t = calloc(rounds, sizeof(*t));
	unsigned int i;
	int ret = 0;

	if (!t)
		return -ENOMEM;
	for (i = 0; i < rounds && !ret; i++) {
		uint64_t start = bench_now_ns();

		ret = run_one(s);
		t[i] = bench_now_ns() - start;
	}
	qsort(t, rounds, sizeof(*t), compare_u64);
	if (min)
		*min = (double)t[0] / 1e3;
	*median = (double)t[rounds / 2] / 1e3;
	free(t);
	return ret;
}

/* CPU time of a job that is waited for. */
static int measure_cpu(struct bench_setup *s, unsigned int rounds, double *cpu)
{
	unsigned int i, k;
	int ret = 0;

	for (i = 0; i < 3 && !ret; i++) {
		uint64_t start = bench_cpu_start();
		double us;

		for (k = 0; k < rounds && !ret; k++)
			ret = run_one(s);
		us = (double)bench_cpu_since(start) / 1e3 / rounds;
		*cpu = i && *cpu < us ? *cpu : us;
	}
	return ret;
}

static int measure_rate(struct bench_setup *s, unsigned int jobs, uint32_t batch, double *rate,
			double *cpu)
{
	double best = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < 3 && !ret; i++) {
		uint64_t process = bench_cpu_start(), start = bench_now_ns(), ns;
		double us;

		ret = run_jobs(s, jobs, batch);
		ns = bench_now_ns() - start;
		us = (double)bench_cpu_since(process) / 1e3 / jobs;
		*cpu = i && *cpu < us ? *cpu : us;
		if (ns && (double)jobs * 1e9 / (double)ns > best)
			best = (double)jobs * 1e9 / (double)ns;
	}
	*rate = best;
	return ret;
}

int bench_pica_latency(struct vshader_device *dev, unsigned int rounds, struct bench_latency *l)
{
	struct bench_setup s;
	int ret;

	ret = bench_setup(&s, dev, &bench_workloads[0], DRM_VSHADER_PICA_F32, BENCH_VERTICES);
	if (ret)
		return ret;
	s.pica.vertices.instances = 0;
	s.pica.vertices.count = 0;
	ret = measure_latency(&s, rounds, &l->empty_min_us, &l->empty_median_us);
	if (!ret)
		ret = measure_cpu(&s, rounds, &l->empty_cpu_us);
	s.pica.vertices.count = 64;
	if (!ret)
		ret = measure_latency(&s, rounds, NULL, &l->small_median_us);
	if (!ret)
		ret = measure_cpu(&s, rounds, &l->small_cpu_us);
	if (!ret)
		ret = measure_rate(&s, rounds * 10, 1, &l->jobs_per_s, &l->jobs_cpu_us);
	if (!ret)
		ret = measure_rate(&s, rounds * 10, BATCH, &l->batched_per_s, &l->batched_cpu_us);
	if (!ret)
		ret = check_queue(&s);
	bench_teardown(&s);
	return ret;
}
