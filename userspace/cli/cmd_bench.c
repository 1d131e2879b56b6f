// SPDX-License-Identifier: MIT
/*
 * vshader bench: fixed workloads on every executor, latencies, scaling.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_debug.h"
#include "cli_isa.h"
#include "progress.h"

#define NUM_SIMD	BENCH_NUM_SIMD
#define SIZE_UNIT	4096u		/* of --job-vertices */

enum {
	OPT_WORKLOAD = 256, OPT_MODEL, OPT_SIMD, OPT_REPEATS, OPT_JOB_VERTICES, OPT_VERTICES,
	OPT_NO_LATENCY, OPT_NO_SCALING, OPT_DEBUG
};

/** struct bench - options of the command; @p: measurement parameters */
struct bench {
	struct bench_params p;
	const char *device;
	const char *simd;
	bool latency;
	bool scaling;
	bool json;
	bool debug;
	struct drm_vshader_dev_info info;
	struct bench_latency times;
	uint32_t latency_simd;
};

/* Workloads of an ISA, if no ISA before it has the same. */
static const struct bench_ops *ops_of(uint32_t engine)
{
	const struct bench_ops *ops = cli_isa_of(engine)->bench;
	uint32_t i;

	for (i = 0; i < engine; i++)
		if (cli_isa_of(i)->bench == ops)
			return NULL;
	return ops;
}

/* The next ones from *@engine on, NULL after the last. */
static const struct bench_ops *next_ops(uint32_t *engine)
{
	const struct bench_ops *ops = NULL;

	while (*engine < JF_MAX_ISAS && !ops)
		ops = ops_of((*engine)++);
	return ops;
}

/* ---- devices ---- */

static bool is_local(const char *spec)
{
	return !strcmp(spec, "local");
}

static bool simd_wanted(const struct bench *b, uint32_t simd)
{
	return !b->simd || !strcmp(b->simd, "all") ||
	       !strcmp(b->simd, vshader_simd_name(simd));
}

/* In this process: a device for each executor. In the kernel there is one executor. */
static int open_devices(struct bench *b)
{
	char spec[64];
	uint32_t i, n = 0;
	int ret;

	if (!strncmp(b->device, "local:", 6))
		return fail("%s: workloads run on all executors of this process, or on --simd",
			    b->device);
	if (!is_local(b->device)) {
		struct vshader_device *dev;

		ret = open_device(b->device, &dev);
		if (ret)
			return ret;
		if (vshader_get_dev_info(dev, &b->info) || b->info.simd >= NUM_SIMD) {
			vshader_close(dev);
			return fail("%s", vshader_error());
		}
		b->p.devs[b->info.simd] = dev;
		if (vshader_device_is_local(dev)) {
			vshader_close(dev);
			b->p.devs[b->info.simd] = NULL;
			b->device = "local";
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
		if (vshader_open(spec, &b->p.devs[i]))
			continue;
		snprintf(spec, sizeof(spec), "local:simd=%s,workers=2", vshader_simd_name(i));
		if (b->scaling && vshader_open(spec, &b->p.devs2[i]))
			return fail("%s", vshader_error());
		vshader_get_dev_info(b->p.devs[i], &b->info);
		n++;
	}
	return n ? 0 : fail("no executor \"%s\" on this machine", b->simd);
}

static void close_devices(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < NUM_SIMD; i++) {
		vshader_close(b->p.devs[i]);
		vshader_close(b->p.devs2[i]);
	}
}

/* ---- measurements ---- */

static int add_to(struct bench *b, const struct bench_ops *ops)
{
	uint32_t simd;
	int ret = 0;

	if (ops->add_all)
		return ops->add_all(ops->table, &b->p);
	for (simd = 0; simd < NUM_SIMD && !ret && !b->p.model; simd++)
		if (b->p.devs[simd])
			ret = ops->add(ops->table, &b->p, simd);
	return ret;
}

static int add_all(struct bench *b)
{
	const struct bench_ops *ops;
	unsigned int results = 0;
	char known[128] = "";
	uint32_t i;
	int ret = 0;

	for (i = 0; (ops = next_ops(&i));) {
		size_t len = strlen(known);

		snprintf(known + len, sizeof(known) - len, "%s%s", len ? ", " : "",
			 ops->workloads);
		if (!ret)
			ret = add_to(b, ops);
		results += ops->count(ops->table);
	}
	if (!ret && !results)
		ret = fail("no workload \"%s\" (%s) or model \"%s\" (%s)",
			   b->p.workload ? b->p.workload : "any", known,
			   b->p.model ? b->p.model : "any", "f24, f32");
	return ret;
}

static int check_all(void)
{
	const struct bench_ops *ops;
	uint32_t i;

	for (i = 0; (ops = next_ops(&i));) {
		if (ops->check(ops->table))
			return EXIT_USAGE;
	}
	return 0;
}

/* Rounds are interleaved, so that a busy moment of the machine does not hit one alone. */
static int measure_all(struct bench *b)
{
	const struct bench_ops *ops;
	atomic_uint done = 0;
	unsigned int k;
	int ret = 0;
	uint32_t i;

	progress_begin("measurement", "rounds", &done, b->p.repeats);
	for (k = 0; k < b->p.repeats && !ret; k++) {
		for (i = 0; (ops = next_ops(&i)) && !ret;)
			ret = ops->measure(ops->table);
		atomic_fetch_add(&done, 1);
	}
	progress_end();
	return ret ? EXIT_USAGE : 0;
}

static int measure_latency(struct bench *b)
{
	uint32_t simd = NUM_SIMD - 1, i;
	const struct bench_ops *ops;
	int ret;

	while (simd && !b->p.devs[simd])
		simd--;
	b->latency_simd = simd;
	for (i = 0; (ops = next_ops(&i));) {
		if (!ops->latency)
			continue;
		progress_begin("latency", NULL, NULL, 0);
		ret = ops->latency(b->p.devs[simd], b->p.repeats < 9 ? 200 : 2000, &b->times);
		progress_end();
		if (ret)
			return fail("latency: %s", vshader_error());
		break;
	}
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

static void print_text(const struct bench *b)
{
	const struct bench_latency *l = &b->times;
	const struct bench_ops *ops;
	uint32_t i;

	printf("device %s, best executor of this machine %s, %u repeats of %u vertices\n",
	       b->device, best_simd(b), b->p.repeats, b->p.vertices);
	for (i = 0; (ops = next_ops(&i));)
		ops->print(ops->table, b->p.local);
	if (!b->latency)
		return;
	printf("empty job, submit to completion   %8.1f us (best %.1f)\n", l->empty_median_us,
	       l->empty_min_us);
	printf("64 vertices, submit to completion %8.1f us\n", l->small_median_us);
	printf("jobs of 64 vertices, pipelined    %8.0f per second, %.0f with 64 to a submit\n",
	       l->jobs_per_s, l->batched_per_s);
	if (!b->p.local)
		return;
	printf("CPU time of an empty job          %8.1f us\n", l->empty_cpu_us);
	printf("CPU time, 64 vertices             %8.1f us, pipelined %.1f, 64 to a submit %.1f\n",
	       l->small_cpu_us, l->jobs_cpu_us, l->batched_cpu_us);
}

static void print_json(const struct bench *b)
{
	struct json_object *root = json_object_new_object(), *o;
	const struct bench_latency *l = &b->times;
	const struct bench_ops *ops;
	uint32_t i;

	js_str(root, "device", b->device);
	js_str(root, "machine_simd", best_simd(b));
	js_int(root, "vertices", b->p.vertices);
	for (i = 0; (ops = next_ops(&i));)
		ops->json(ops->table, root, b->p.local);
	if (b->latency) {
		o = js_object(root, "latency");
		js_str(o, "simd", vshader_simd_name(b->latency_simd));
		js_num(o, "empty_job_us", l->empty_median_us);
		js_num(o, "empty_job_best_us", l->empty_min_us);
		js_num(o, "job_64_vertices_us", l->small_median_us);
		js_num(o, "jobs_per_second", l->jobs_per_s);
		js_num(o, "jobs_per_second_batched", l->batched_per_s);
		if (b->p.local) {
			js_num(o, "empty_job_cpu_us", l->empty_cpu_us);
			js_num(o, "job_64_vertices_cpu_us", l->small_cpu_us);
			js_num(o, "job_pipelined_cpu_us", l->jobs_cpu_us);
			js_num(o, "job_batched_cpu_us", l->batched_cpu_us);
		}
	}
	js_print(root);
}

/* ---- command ---- */

static const char head[] =
"  -d, --device DEV       local (default), auto, or a device node\n"
"      --simd SIMD        all (default), portable, sse2, avx2, avx512, neon\n"
"      --workload W       ";

static const char tail[] =
"      --model M          f24 or f32; default: both, and the other engines\n"
"      --repeats N        measurements per workload, best result; default 9\n"
"      --vertices N       per measurement of vertex workloads; default 1048576\n"
"      --job-vertices N   per job, a multiple of 4096; default: 4096 and 131072\n"
"      --no-latency       no latency of small jobs\n"
"      --no-scaling       no run with 2 workers\n"
"      --debug FILE...    cost of debugging, measured with the jobs of job files\n"
"  -j, --json             machine-readable output\n\n"
"Times are wall-clock times, in-process also CPU times, which depend less on other load.\n"
"They include reading attributes from and writing outputs to buffers. Outputs are\n"
"verified before a time is reported; the exit status is 1 if they are wrong.\n";

static void bench_help(void)
{
	const struct bench_ops *ops;
	char list[512] = "";
	uint32_t i;

	for (i = 0; (ops = next_ops(&i));) {
		size_t len = strlen(list);

		snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "", ops->help);
	}
	print_help(head);
	print_wrapped(25, "%s; default: all", list);
	fputs(tail, stdout);
	for (i = 0; (ops = next_ops(&i));) {
		if (ops->note)
			puts(ops->note);
	}
}

static int parse_number(const char *text, uint32_t max, uint32_t *out)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);

	if (*end || !isdigit((unsigned char)*text) || !n || n > max)
		return fail("\"%s\": expected a number from 1 to %u", text, max);
	*out = (uint32_t)n;
	return 0;
}

static int parse_options(int argc, char **argv, struct bench *b)
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
		switch (option_once(c, options, NULL)) {
		case 'd':
			b->device = optarg;
			break;
		case OPT_SIMD:
			b->simd = optarg;
			break;
		case OPT_WORKLOAD:
			b->p.workload = optarg;
			if (!*optarg)
				ret = fail("--workload: the name is empty");
			break;
		case OPT_MODEL:
			b->p.model = optarg;
			break;
		case OPT_REPEATS:
			ret = parse_number(optarg, 10000, &b->p.repeats);
			break;
		case OPT_VERTICES:
			ret = parse_number(optarg, 1u << 26, &b->p.vertices);
			break;
		case OPT_JOB_VERTICES:
			ret = parse_number(optarg, 1u << 22, &b->p.job_vertices);
			if (!ret && b->p.job_vertices % SIZE_UNIT)
				ret = fail("--job-vertices %u: expected a multiple of %u",
					   b->p.job_vertices, SIZE_UNIT);
			break;
		case OPT_NO_LATENCY:
			b->latency = false;
			break;
		case OPT_NO_SCALING:
			b->scaling = false;
			break;
		case OPT_DEBUG:
			b->debug = true;
			break;
		case 'j':
			b->json = true;
			break;
		case 'h':
			bench_help();
			return -1;
		default:
			return usage_error();
		}
	}
	if (!ret && b->debug && (b->p.workload || b->p.model || b->simd || b->p.job_vertices))
		ret = fail("--debug measures the jobs of files, not workloads");
	return ret ? ret : b->debug != (optind < argc) ? usage_error() : 0;
}

static int run(struct bench *b)
{
	const struct bench_ops *ops;
	uint32_t i;
	int ret;

	ret = open_devices(b);
	b->p.local = is_local(b->device);
	if (!ret)
		ret = add_all(b);
	if (!ret) {
		progress_begin("comparison of results", NULL, NULL, 0);
		ret = check_all();
		progress_end();
	}
	if (!ret)
		ret = measure_all(b);
	if (!ret && b->latency)
		ret = measure_latency(b);
	if (ret)
		return ret;
	for (i = 0; (ops = next_ops(&i));) {
		if (!ops->finish(ops->table))
			ret = EXIT_DIFFERS;
	}
	if (b->json)
		print_json(b);
	else
		print_text(b);
	return ret;
}

int cmd_bench(int argc, char **argv)
{
	struct bench b = {
		.p = { .repeats = 9, .vertices = 1u << 20 },
		.device = "local", .latency = true, .scaling = true,
	};
	const struct bench_ops *ops;
	uint32_t i;
	int ret;

	ret = parse_options(argc, argv, &b);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (b.debug)
		return bench_debug(b.device, argv + optind, argc - optind, b.p.repeats, b.json);
	ret = run(&b);
	for (i = 0; (ops = next_ops(&i));)
		ops->free(ops->table);
	close_devices(&b);
	return ret;
}
