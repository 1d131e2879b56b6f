// SPDX-License-Identifier: MIT
/*
 * vshader bench: fixed workloads on every executor, latencies, scaling.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_debug.h"
#include "bench_mali.h"
#include "bench_utgard.h"
#include "bench_qpu_table.h"
#include "cli.h"

#define MAX_RESULTS	128
#define NUM_SIMD	4
#define NUM_MODELS	2
#define NUM_SIZES	2

enum {
	OPT_WORKLOAD = 256, OPT_MODEL, OPT_SIMD, OPT_REPEATS, OPT_JOB_VERTICES, OPT_VERTICES,
	OPT_NO_LATENCY, OPT_NO_SCALING, OPT_DEBUG
};

struct bench_options {
	const char *device;
	const char *workload;
	const char *model;
	const char *simd;
	uint32_t job_vertices;
	uint32_t vertices;
	unsigned int repeats;
	bool latency;
	bool scaling;
	bool json;
	bool debug;
};

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

struct bench {
	struct bench_options opt;
	struct result *results;
	unsigned int num_results;
	struct bench_qpu_table qpu;
	struct bench_mali_table mali;
	struct bench_utgard_table utgard;
	struct vshader_device *devs[NUM_SIMD];
	struct vshader_device *devs2[NUM_SIMD];
	struct drm_vshader_dev_info info;
	struct bench_latency latency;
	uint32_t latency_simd;
};

static const char * const model_names[NUM_MODELS] = { "f24", "f32" };

/* ---- devices ---- */

static bool is_local(const char *spec)
{
	return !strncmp(spec, "local", 5);
}

static bool simd_wanted(const struct bench *b, uint32_t simd)
{
	return !b->opt.simd || !strcmp(b->opt.simd, "all") ||
	       !strcmp(b->opt.simd, vshader_simd_name(simd));
}

/* In this process: a device for each executor. In the kernel there is one executor. */
static int open_devices(struct bench *b)
{
	char spec[64];
	uint32_t i, n = 0;
	int ret;

	if (!is_local(b->opt.device)) {
		struct vshader_device *dev;

		ret = open_device(b->opt.device, &dev);
		if (ret)
			return ret;
		if (vshader_get_dev_info(dev, &b->info) || b->info.simd >= NUM_SIMD) {
			vshader_close(dev);
			return fail("%s", vshader_error());
		}
		b->devs[b->info.simd] = dev;
		if (vshader_device_is_local(dev)) {
			vshader_close(dev);
			b->devs[b->info.simd] = NULL;
			b->opt.device = "local";
		} else if (!simd_wanted(b, b->info.simd)) {
			return fail("the device uses the %s executor, see parameters of the module",
				    vshader_simd_name(b->info.simd));
		} else {
			return 0;
		}
	}
	for (i = 0; i < NUM_SIMD; i++) {
		if (!simd_wanted(b, i))
			continue;
		snprintf(spec, sizeof(spec), "local:simd=%s,workers=1", vshader_simd_name(i));
		if (vshader_open(spec, &b->devs[i]))
			continue;
		snprintf(spec, sizeof(spec), "local:simd=%s,workers=2", vshader_simd_name(i));
		if (b->opt.scaling && vshader_open(spec, &b->devs2[i]))
			return fail("%s", vshader_error());
		vshader_get_dev_info(b->devs[i], &b->info);
		n++;
	}
	return n ? 0 : fail("no executor \"%s\" on this machine", b->opt.simd);
}

static void close_devices(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < NUM_SIMD; i++) {
		vshader_close(b->devs[i]);
		vshader_close(b->devs2[i]);
	}
}

/* ---- what is measured ---- */

static int add_result(struct bench *b, const struct bench_workload *w, uint32_t model,
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
	r->times = calloc(b->opt.repeats, sizeof(*r->times));
	if (!r->times)
		return fail("out of memory");
	b->num_results++;
	if (bench_setup(&r->setup, dev, w, model, size))
		return fail("%s on %s: %s", w->name, vshader_simd_name(simd), vshader_error());
	r->ready = true;
	return 0;
}

static int add_sizes(struct bench *b, const struct bench_workload *w, uint32_t model,
		     uint32_t simd)
{
	static const uint32_t sizes[NUM_SIZES] = { BENCH_VERTICES, 32 * BENCH_VERTICES };
	uint32_t largest = b->opt.job_vertices ? b->opt.job_vertices : sizes[NUM_SIZES - 1];
	unsigned int i;
	int ret = 0;

	/* Much slower than the rest: a large job could exceed its time limit. */
	if (simd == DRM_VSHADER_SIMD_PORTABLE || w->max_prims)
		return add_result(b, w, model, simd, b->devs[simd], BENCH_VERTICES, 1);
	if (b->opt.job_vertices)
		ret = add_result(b, w, model, simd, b->devs[simd], b->opt.job_vertices, 1);
	for (i = 0; i < NUM_SIZES && !b->opt.job_vertices && !ret; i++)
		ret = add_result(b, w, model, simd, b->devs[simd], sizes[i], 1);
	if (!ret && b->devs2[simd])
		ret = add_result(b, w, model, simd, b->devs2[simd], largest, 2);
	return ret;
}

static int add_all(struct bench *b)
{
	uint32_t simd, model;
	unsigned int k;
	int ret = 0;

	for (k = 0; k < bench_num_workloads; k++) {
		const struct bench_workload *w = &bench_workloads[k];

		if (b->opt.workload && strncmp(w->name, b->opt.workload, strlen(b->opt.workload)))
			continue;
		for (model = NUM_MODELS; model-- > 0;) {
			if (b->opt.model && strcmp(b->opt.model, model_names[model]))
				continue;
			for (simd = 0; simd < NUM_SIMD && !ret; simd++) {
				if (b->devs[simd])
					ret = add_sizes(b, w, model, simd);
			}
		}
	}
	/* QPUs and Malis have no choice of models. */
	for (simd = 0; simd < NUM_SIMD && !ret && !b->opt.model; simd++) {
		if (b->devs[simd])
			ret = bench_qpu_add(&b->qpu, b->devs[simd], simd, b->opt.workload);
		if (b->devs[simd] && !ret)
			ret = bench_mali_add(&b->mali, b->devs[simd], simd, b->opt.workload);
		if (b->devs[simd] && !ret)
			ret = bench_utgard_add(&b->utgard, b->devs[simd], simd, b->opt.workload);
	}
	if (!ret && !b->num_results && !b->qpu.num_results && !b->mali.num_results &&
	    !b->utgard.num_results)
		ret = fail("no workload \"%s\" (%s) or model \"%s\" (%s)",
			   b->opt.workload ? b->opt.workload : "any",
			   "w1, w2, g1, q1-4, m1-4, t1-4, u1-2",
			   b->opt.model ? b->opt.model : "any", "f24, f32");
	return ret;
}

/* Executors must agree to the bit: the first one is what the others are compared to. */
static uint64_t reference_hash(const struct bench *b, const struct result *r)
{
	unsigned int i;

	for (i = 0; i < b->num_results; i++) {
		const struct result *o = &b->results[i];

		if (o != r && o->w == r->w && o->model == r->model && o->hash)
			return o->hash;
	}
	return 0;
}

static int check_all(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < b->num_results; i++) {
		struct result *r = &b->results[i];

		if (bench_check(&r->setup, reference_hash(b, r), &r->hash, &r->ok, r->how,
				sizeof(r->how)))
			return fail("%s on %s: %s", r->w->name, vshader_simd_name(r->simd),
				    vshader_error());
	}
	if (bench_qpu_check_all(&b->qpu))
		return EXIT_USAGE;
	if (bench_mali_check_all(&b->mali))
		return EXIT_USAGE;
	return bench_utgard_check_all(&b->utgard);
}

/*
 * The integer executor is some hundred times slower, and the geometry unit runs one
 * invocation after the other: fewer vertices say as much.
 */
static uint32_t vertices_for(const struct bench *b, const struct result *r)
{
	uint32_t size = r->setup.job_vertices, n = b->opt.vertices;

	if (r->simd == DRM_VSHADER_SIMD_PORTABLE)
		n /= 128;
	else if (r->w->max_prims)
		n /= 16;
	return n < size ? size : n / size * size;
}

/* Rounds are interleaved, so that a busy moment of the machine does not hit one alone. */
static int measure_all(struct bench *b)
{
	uint64_t ns, cpu;
	unsigned int i, k;

	for (k = 0; k < b->opt.repeats; k++) {
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
		if (bench_qpu_measure(&b->qpu) || bench_mali_measure(&b->mali) ||
		    bench_utgard_measure(&b->utgard))
			return EXIT_USAGE;
	}
	return 0;
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static int measure_latency(struct bench *b)
{
	int i;

	for (i = NUM_SIMD - 1; i >= 0 && !b->devs[i]; i--)
		;
	b->latency_simd = (uint32_t)i;
	if (bench_latency(b->devs[i], b->opt.repeats < 9 ? 200 : 2000, &b->latency))
		return fail("latency: %s", vshader_error());
	return 0;
}

/* ---- output ---- */

static const char *best_simd(const struct bench *b)
{
	int i;

	for (i = NUM_SIMD - 1; i > 0 && !(b->info.simd_mask >> i & 1); i--)
		;
	return vshader_simd_name((uint32_t)i);
}

/* The same with one worker. */
static const struct result *single_worker(const struct bench *b, const struct result *r)
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

static void print_results(const struct bench *b)
{
	bool local = is_local(b->opt.device);
	unsigned int i;

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

static void print_text(const struct bench *b)
{
	const struct bench_latency *l = &b->latency;

	printf("device %s, best executor of this machine %s, %u repeats of %u vertices\n",
	       b->opt.device, best_simd(b), b->opt.repeats, b->opt.vertices);
	if (b->num_results)
		print_results(b);
	bench_qpu_print(&b->qpu, is_local(b->opt.device));
	bench_mali_print(&b->mali, is_local(b->opt.device));
	bench_utgard_print(&b->utgard, is_local(b->opt.device));
	if (!b->opt.latency)
		return;
	printf("empty job, submit to completion   %8.1f us (best %.1f)\n", l->empty_median_us,
	       l->empty_min_us);
	printf("64 vertices, submit to completion %8.1f us\n", l->small_median_us);
	printf("jobs of 64 vertices, pipelined    %8.0f per second, %.0f with 64 to a submit\n",
	       l->jobs_per_s, l->batched_per_s);
}

static void add_result_json(struct json_object *list, const struct bench *b,
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
	if (is_local(b->opt.device))
		js_num(o, "cpu_ns_per_vertex", r->cpu);
	js_int(o, "repeats", r->runs);
	if (one && one->ok)
		js_num(o, "speedup_over_1_worker", one->best / r->best);
}

static void print_json(const struct bench *b)
{
	struct json_object *root = json_object_new_object(), *o;
	const struct bench_latency *l = &b->latency;
	unsigned int i;

	js_str(root, "device", b->opt.device);
	js_str(root, "machine_simd", best_simd(b));
	js_int(root, "vertices", b->opt.vertices);
	o = js_array(root, "results");
	for (i = 0; i < b->num_results; i++)
		add_result_json(o, b, &b->results[i]);
	bench_qpu_json(&b->qpu, root, is_local(b->opt.device));
	bench_mali_json(&b->mali, root, is_local(b->opt.device));
	bench_utgard_json(&b->utgard, root, is_local(b->opt.device));
	if (b->opt.latency) {
		o = js_object(root, "latency");
		js_str(o, "simd", vshader_simd_name(b->latency_simd));
		js_num(o, "empty_job_us", l->empty_median_us);
		js_num(o, "empty_job_best_us", l->empty_min_us);
		js_num(o, "job_64_vertices_us", l->small_median_us);
		js_num(o, "jobs_per_second", l->jobs_per_s);
		js_num(o, "jobs_per_second_batched", l->batched_per_s);
	}
	js_print(root);
}

/* ---- command ---- */

static const char bench_help[] =
"  -d, --device DEV       local (default), auto, or a device node\n"
"      --simd SIMD        all (default), portable, sse2, avx2, avx512\n"
"      --workload W       w1, w2, g1 (pica), q1 to q4 (qpu), m1 to m4 (bifrost),\n"
"                         t1 to t4 (midgard), u1, u2 (utgard); default: all\n"
"      --model M          f24 or f32; default: both, and the other engines\n"
"      --repeats N        measurements per workload, best result; default 9\n"
"      --vertices N       per measurement of pica workloads; default 1048576\n"
"      --job-vertices N   per job, a multiple of 4096; default: 4096 and 131072\n"
"      --no-latency       no latency of small jobs\n"
"      --no-scaling       no run with 2 workers\n"
"      --debug FILE...    cost of debugging, measured with the jobs of job files\n"
"  -j, --json             machine-readable output\n\n"
"Times are wall-clock times, in-process also CPU times, which depend less on other load.\n"
"They include reading attributes from and writing outputs to buffers. Outputs are\n"
"verified before a time is reported; the exit status is 1 if they are wrong. QPU\n"
"workloads are lists of threads, on 1 and on 12 QPUs. Bifrost workloads are compute\n"
"shaders, compared with the same in C.\n";

static int parse_number(const char *text, uint32_t max, uint32_t *out)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);

	if (*end || end == text || !n || n > max)
		return fail("\"%s\": expected a number from 1 to %u", text, max);
	*out = (uint32_t)n;
	return 0;
}

static int parse_options(int argc, char **argv, struct bench_options *opt)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "simd", required_argument, NULL, OPT_SIMD },
		{ "workload", required_argument, NULL, OPT_WORKLOAD },
		{ "model", required_argument, NULL, OPT_MODEL },
		{ "repeats", required_argument, NULL, OPT_REPEATS },
		{ "vertices", required_argument, NULL, OPT_VERTICES },
		{ "job-vertices", required_argument, NULL, OPT_JOB_VERTICES },
		{ "no-latency", no_argument, NULL, OPT_NO_LATENCY },
		{ "no-scaling", no_argument, NULL, OPT_NO_SCALING },
		{ "debug", no_argument, NULL, OPT_DEBUG },
		{ "json", no_argument, NULL, 'j' }, { "help", no_argument, NULL, 'h' }, { }
	};
	int c, ret = 0;

	while (!ret && (c = getopt_long(argc, argv, "d:jh", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			opt->device = optarg;
			break;
		case OPT_SIMD:
			opt->simd = optarg;
			break;
		case OPT_WORKLOAD:
			opt->workload = optarg;
			break;
		case OPT_MODEL:
			opt->model = optarg;
			break;
		case OPT_REPEATS:
			ret = parse_number(optarg, 10000, &opt->repeats);
			break;
		case OPT_VERTICES:
			ret = parse_number(optarg, 1u << 26, &opt->vertices);
			break;
		case OPT_JOB_VERTICES:
			ret = parse_number(optarg, 1u << 22, &opt->job_vertices);
			if (!ret && opt->job_vertices % BENCH_VERTICES)
				ret = fail("--job-vertices %u: expected a multiple of %u",
					   opt->job_vertices, BENCH_VERTICES);
			break;
		case OPT_NO_LATENCY:
			opt->latency = false;
			break;
		case OPT_NO_SCALING:
			opt->scaling = false;
			break;
		case OPT_DEBUG:
			opt->debug = true;
			break;
		case 'j':
			opt->json = true;
			break;
		case 'h':
			print_help(bench_help);
			return -1;
		default:
			return usage_error();
		}
	}
	return ret ? ret : opt->debug != (optind < argc) ? usage_error() : 0;
}

static int run(struct bench *b)
{
	unsigned int i;
	int ret;

	ret = open_devices(b);
	if (!ret)
		ret = add_all(b);
	if (!ret)
		ret = check_all(b);
	if (!ret)
		ret = measure_all(b);
	if (!ret && b->opt.latency)
		ret = measure_latency(b);
	if (ret)
		return ret;
	for (i = 0; i < b->num_results; i++) {
		struct result *r = &b->results[i];

		qsort(r->times, r->runs, sizeof(*r->times), compare_double);
		r->median = r->runs ? r->times[r->runs / 2] : 0;
		if (!r->ok)
			ret = EXIT_DIFFERS;
	}
	if (!bench_qpu_finish(&b->qpu))
		ret = EXIT_DIFFERS;
	if (!bench_mali_finish(&b->mali) || !bench_utgard_finish(&b->utgard))
		ret = EXIT_DIFFERS;
	if (b->opt.json)
		print_json(b);
	else
		print_text(b);
	return ret;
}

int cmd_bench(int argc, char **argv)
{
	static struct bench b = {
		.opt = {
			.device = "local", .repeats = 9, .vertices = BENCH_TOTAL,
			.latency = true, .scaling = true,
		},
	};
	unsigned int i;
	int ret;

	ret = parse_options(argc, argv, &b.opt);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (b.opt.debug)
		return bench_debug(b.opt.device, argv + optind, argc - optind, b.opt.repeats,
				   b.opt.json);
	b.qpu.repeats = b.opt.repeats;
	b.mali.repeats = b.opt.repeats;
	b.utgard.repeats = b.opt.repeats;
	b.results = calloc(MAX_RESULTS, sizeof(*b.results));
	if (!b.results)
		return fail("out of memory");
	ret = run(&b);
	for (i = 0; i < b.num_results; i++) {
		if (b.results[i].ready)
			bench_teardown(&b.results[i].setup);
		free(b.results[i].times);
	}
	bench_qpu_free(&b.qpu);
	bench_mali_free(&b.mali);
	bench_utgard_free(&b.utgard);
	close_devices(&b);
	free(b.results);
	return ret;
}
