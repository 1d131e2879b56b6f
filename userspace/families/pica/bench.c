// SPDX-License-Identifier: MIT
/*
 * vshader bench: PICA200 workloads in both models on every executor, on one worker and on two.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_draw.h"
#include "bench_pica.h"
#include "cli.h"

#define MAX_RESULTS	128
#define NUM_MODELS	2
#define NUM_SIZES	2

/** struct result - a workload on an executor */
struct result {
	const struct bench_workload *w;
	uint32_t model;
	uint32_t simd;
	uint32_t workers;
	struct vshader_device *dev;
	struct bench_setup setup;
	bool ready;
	bool ok;
	uint64_t hash;
	char how[160];
	double best;		/* ns per vertex, wall clock */
	double median;
	double cpu;		/* CPU time of this process, best */
	double *times;
	unsigned int runs;
};

/** struct bench_pica_table - all of them */
struct bench_pica_table {
	const struct bench_params *p;
	unsigned int num_results;
	struct result results[MAX_RESULTS];
};

static const char * const model_names[NUM_MODELS] = { "f24", "f32" };

static int add_result(struct bench_pica_table *b, const struct bench_workload *w, uint32_t model,
		      uint32_t simd, struct vshader_device *dev, uint32_t size, uint32_t workers)
{
	struct result *r = &b->results[b->num_results];

	if (b->num_results == MAX_RESULTS)
		return fail("too many combinations");
	memset(r, 0, sizeof(*r));
	r->w = w;
	r->model = model;
	r->simd = simd;
	r->workers = workers;
	r->dev = dev;
	r->times = calloc(b->p->repeats, sizeof(*r->times));
	if (!r->times)
		return fail("out of memory");
	b->num_results++;
	if (bench_setup(&r->setup, dev, w, model, size))
		return fail("%s on %s: %s", w->name, vshader_simd_name(simd), vshader_error());
	r->ready = true;
	return 0;
}

static int add_sizes(struct bench_pica_table *b, const struct bench_workload *w, uint32_t model,
		     uint32_t simd)
{
	static const uint32_t sizes[NUM_SIZES] = { BENCH_VERTICES, 32 * BENCH_VERTICES };
	uint32_t largest = b->p->job_vertices ? b->p->job_vertices : sizes[NUM_SIZES - 1];
	unsigned int i;
	int ret = 0;

	/* Much slower than the rest: a large job could exceed its time limit. */
	if (simd == DRM_VSHADER_SIMD_PORTABLE || w->max_prims)
		return add_result(b, w, model, simd, b->p->devs[simd], BENCH_VERTICES, 1);
	if (b->p->job_vertices)
		ret = add_result(b, w, model, simd, b->p->devs[simd], b->p->job_vertices, 1);
	for (i = 0; i < NUM_SIZES && !b->p->job_vertices && !ret; i++)
		ret = add_result(b, w, model, simd, b->p->devs[simd], sizes[i], 1);
	if (!ret && b->p->devs2[simd])
		ret = add_result(b, w, model, simd, b->p->devs2[simd], largest, 2);
	return ret;
}

static int add_all(void *table, const struct bench_params *p)
{
	struct bench_pica_table *b = table;
	uint32_t simd, model;
	unsigned int k;
	int ret = 0;

	b->p = p;
	for (k = 0; k < bench_num_workloads; k++) {
		const struct bench_workload *w = &bench_workloads[k];

		if (!bench_wanted(p, w->name))
			continue;
		for (model = NUM_MODELS; model-- > 0;) {
			if (b->p->model && strcmp(b->p->model, model_names[model]))
				continue;
			for (simd = 0; simd < BENCH_NUM_SIMD && !ret; simd++) {
				if (b->p->devs[simd])
					ret = add_sizes(b, w, model, simd);
			}
		}
	}
	return ret ? ret : bench_draw_add(p);
}

/* Executors must agree to the bit: the first one is the reference. */
static uint64_t reference_hash(const struct bench_pica_table *b, const struct result *r)
{
	unsigned int i;

	for (i = 0; i < b->num_results; i++) {
		const struct result *o = &b->results[i];

		if (o != r && o->w == r->w && o->model == r->model && o->hash)
			return o->hash;
	}
	return 0;
}

static int check(void *table)
{
	struct bench_pica_table *b = table;
	unsigned int i;

	for (i = 0; i < b->num_results; i++) {
		struct result *r = &b->results[i];

		if (bench_check(&r->setup, reference_hash(b, r), &r->hash, &r->ok, r->how,
				sizeof(r->how)))
			return fail("%s on %s: %s", r->w->name, vshader_simd_name(r->simd),
				    vshader_error());
	}
	return bench_draw_check();
}

/*
 * The integer executor is some hundred times slower, and the geometry unit runs one
 * invocation after the other: fewer vertices say as much.
 */
static uint32_t vertices_for(const struct bench_pica_table *b, const struct result *r)
{
	uint32_t size = r->setup.job_vertices, n = b->p->vertices;

	if (r->simd == DRM_VSHADER_SIMD_PORTABLE)
		n /= 128;
	else if (r->w->max_prims)
		n /= 16;
	return n < size ? size : n / size * size;
}

static int measure(void *table)
{
	struct bench_pica_table *b = table;
	uint64_t ns, cpu;
	unsigned int i;

	for (i = 0; i < b->num_results; i++) {
		struct result *r = &b->results[i];
		uint32_t n = vertices_for(b, r);
		double t;

		if (!r->ok)
			continue;
		if (bench_stream(&r->setup, n, &ns, &cpu))
			return fail("%s on %s: %s", r->w->name, vshader_simd_name(r->simd),
				    vshader_error());
		t = (double)ns / n;
		r->times[r->runs++] = t;
		if (r->runs == 1 || t < r->best)
			r->best = t;
		if (r->runs == 1 || (double)cpu / n < r->cpu)
			r->cpu = (double)cpu / n;
	}
	return bench_draw_measure();
}

static bool finish(void *table)
{
	struct bench_pica_table *b = table;
	unsigned int i;
	bool ok = true;

	for (i = 0; i < b->num_results; i++) {
		struct result *r = &b->results[i];

		qsort(r->times, r->runs, sizeof(*r->times), bench_compare_double);
		r->median = r->runs ? r->times[r->runs / 2] : 0;
		ok &= r->ok;
	}
	return bench_draw_finish() && ok;
}

static void free_table(void *table)
{
	struct bench_pica_table *b = table;
	unsigned int i;

	for (i = 0; i < b->num_results; i++) {
		if (b->results[i].ready)
			bench_teardown(&b->results[i].setup);
		free(b->results[i].times);
	}
	b->num_results = 0;
	bench_draw_free();
}

/* ---- output ---- */

/* The same with one worker. */
static const struct result *single_worker(const struct bench_pica_table *b, const struct result *r)
{
	unsigned int i;

	for (i = 0; i < b->num_results; i++) {
		const struct result *o = &b->results[i];

		if (o->w == r->w && o->model == r->model && o->simd == r->simd &&
		    o->workers == 1 && o->setup.job_vertices == r->setup.job_vertices)
			return o;
	}
	return NULL;
}

static void print_vertices(const void *table, bool local)
{
	const struct bench_pica_table *b = table;
	unsigned int i;

	if (!b->num_results)
		return;
	printf("%-15s %-5s %-8s %8s %7s %9s %9s %9s  %s\n", "workload", "model", "executor",
	       "vertices", "workers", "best", "median", local ? "CPU best" : "", "verified by");
	printf("%-15s %-5s %-8s %8s %7s %9s %9s %9s\n", "", "", "", "per job", "", "ns/vertex",
	       "ns/vertex", local ? "ns/vertex" : "");
	for (i = 0; i < b->num_results; i++) {
		const struct result *r = &b->results[i], *one;

		printf("%-15s %-5s %-8s %8u %7u ", r->w->name, model_names[r->model],
		       vshader_simd_name(r->simd), r->setup.job_vertices, r->workers);
		if (!r->ok) {
			printf("%9s %9s %9s  WRONG: %s\n", "-", "-", "-", r->how);
			continue;
		}
		printf("%9.2f %9.2f ", r->best, r->median);
		if (local)
			printf("%9.2f  %s", r->cpu, r->how);
		else
			printf("%9s  %s", "", r->how);
		one = r->workers > 1 ? single_worker(b, r) : NULL;
		if (one && one->ok)
			printf("; %.2fx of 1 worker", one->best / r->best);
		putchar('\n');
	}
}

static void print(const void *table, bool local)
{
	print_vertices(table, local);
	bench_draw_print(local);
}

static void add_result_json(struct json_object *list, const struct bench_pica_table *b,
			    const struct result *r)
{
	const struct result *one = r->workers > 1 ? single_worker(b, r) : NULL;
	struct json_object *o = json_object_new_object();
	char hash[24];

	json_object_array_add(list, o);
	js_str(o, "workload", r->w->name);
	js_str(o, "model", model_names[r->model]);
	js_str(o, "simd", vshader_simd_name(r->simd));
	js_int(o, "job_vertices", r->setup.job_vertices);
	js_int(o, "workers", r->workers);
	js_bool(o, "verified", r->ok);
	js_str(o, "verified_by", r->how);
	snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)r->hash);
	js_str(o, "hash", hash);
	if (!r->ok)
		return;
	js_int(o, "vertices", vertices_for(b, r));
	js_num(o, "ns_per_vertex", r->best);
	js_num(o, "ns_per_vertex_median", r->median);
	if (b->p->local)
		js_num(o, "cpu_ns_per_vertex", r->cpu);
	js_int(o, "repeats", r->runs);
	if (one && one->ok)
		js_num(o, "speedup_over_1_worker", one->best / r->best);
}

static void json(const void *table, struct json_object *root, bool local)
{
	const struct bench_pica_table *b = table;
	struct json_object *list = js_array(root, "results");
	unsigned int i;

	for (i = 0; i < b->num_results; i++)
		add_result_json(list, b, &b->results[i]);
	bench_draw_json(root, local);
}

static unsigned int count(const void *table)
{
	return ((const struct bench_pica_table *)table)->num_results + bench_draw_count();
}

static struct bench_pica_table table;

const struct bench_ops bench_pica = {
	.table = &table,
	.workloads = "w1, w2, g1, p1, p2",
	.help = "w1,~w2,~g1,~p1,~p2~(pica)",
	.add_all = add_all,
	.count = count,
	.check = check,
	.measure = measure,
	.finish = finish,
	.free = free_table,
	.print = print,
	.json = json,
	.latency = bench_pica_latency,
};
