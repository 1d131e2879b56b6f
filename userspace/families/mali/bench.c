// SPDX-License-Identifier: MIT
/*
 * vshader bench: Mali workloads on every executor, beside the same in C.
 *
 * Programs run as they would on hardware but for the order of operations that rounds
 * FMA.f32 twice, so that results are those of the C functions bit for bit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_mali.h"
#include "cli.h"

/* Everything is in one buffer, at these words. */
#define BASE		0x10000000ull
#define A_AT		0u
#define B_AT		0x80000u
#define OUT_AT		0x100000u
#define MEM_WORDS	0x210000u
#define OUT_WORDS	(MEM_WORDS - OUT_AT)

/* For the integer executor. */
#define TIME_LIMIT_MS	10000

/**
 * struct bench_mali_workload - a workload
 * @name: name
 * @unit: of rates: GFLOP/s or Mitem/s
 * @scale: operations or items in one of these, per second
 * @engine: whose programs these are
 * @gpu: GPU
 * @code: program
 * @local: threads of a workgroup
 * @groups: workgroups
 * @wls: bytes of workgroup memory
 * @preload: Bifrost: registers that the program wants filled
 * @work: Midgard: work registers
 * @push: fill in push uniforms
 * @npush: how many words
 * @in_c: the same in C
 * @words: of results
 * @floats: inputs are floats
 */
struct bench_mali_workload {
	const char *name;
	const char *unit;
	double scale;
	uint32_t engine;
	uint32_t gpu;
	const char *code;
	uint32_t local[3];
	uint32_t groups[3];
	uint32_t wls;
	uint32_t preload;
	uint32_t work;
	void (*push)(uint32_t *words);
	uint32_t npush;
	uint64_t (*in_c)(const uint32_t *a, const uint32_t *b, uint32_t *out);
	uint32_t words;
	bool floats;
};

/* Push uniforms follow the results. */
#define PUSH_AT		(MEM_WORDS - 64)

static void put_address(uint32_t *words, uint32_t at)
{
	words[0] = (uint32_t)(BASE + 4ull * at);
	words[1] = 0;
}

static void push_mandel(uint32_t *words)
{
	memcpy(words, bench_mali_mandel_args, 8);
	put_address(words + 2, OUT_AT);
	memcpy(words + 4, &bench_mali_mandel_args[2], 4);
}

static void push_matmul(uint32_t *words)
{
	put_address(words, A_AT);
	put_address(words + 2, B_AT);
	put_address(words + 4, OUT_AT);
	words[6] = BENCH_MALI_MATMUL_N;
}

static void push_matmul8(uint32_t *words)
{
	push_matmul(words);
	words[6] = BENCH_MALI_MATMUL8_N;
}

static void push_reduce(uint32_t *words)
{
	put_address(words, A_AT);
	put_address(words + 2, OUT_AT);
}

static void push_out(uint32_t *words)
{
	put_address(words, OUT_AT);
}

/* The same for Midgard: a vector for each. */
static void push_mandel_vec(uint32_t *words)
{
	put_address(words, OUT_AT);
	memcpy(words + 4, &bench_mali_mandel_args[0], 4);
	memcpy(words + 5, &bench_mali_mandel_args[2], 4);
	memcpy(words + 6, &bench_mali_mandel_args[1], 4);
}

static void push_matmul_vec(uint32_t *words)
{
	put_address(words, A_AT);
	put_address(words + 4, B_AT);
	put_address(words + 8, OUT_AT);
	words[12] = BENCH_MALI_MATMUL_N;
}

static void push_matmul8_vec(uint32_t *words)
{
	push_matmul_vec(words);
	words[12] = BENCH_MALI_MATMUL8_N;
}

static void push_reduce_vec(uint32_t *words)
{
	put_address(words, A_AT);
	put_address(words + 4, OUT_AT);
}

#define G52	.engine = DRM_VSHADER_ENGINE_BIFROST, .gpu = DRM_VSHADER_MALI_G52
#define T860	.engine = DRM_VSHADER_ENGINE_MIDGARD, .gpu = DRM_VSHADER_MALI_T860
#define GFLOP	.unit = "GFLOP/s", .scale = 1e9
#define MITEM	.unit = "Mitem/s", .scale = 1e6
#define MANDEL	GFLOP, .local = { 8, 8, 1 }, .groups = { 64, 64, 1 }, .in_c = bench_c_mandel, \
		.words = BENCH_MALI_MANDEL_N * BENCH_MALI_MANDEL_N
#define MATMUL	GFLOP, .local = { 8, 8, 1 }, .groups = { 16, 16, 1 }, .in_c = bench_c_matmul, \
		.words = BENCH_MALI_MATMUL_N * BENCH_MALI_MATMUL_N, .floats = true
#define REDUCE	MITEM, .local = { BENCH_MALI_REDUCE_N, 1, 1 }, .in_c = bench_c_reduce, \
		.groups = { BENCH_MALI_REDUCE_GROUPS, 1, 1 }, .wls = 4 * BENCH_MALI_REDUCE_N, \
		.words = BENCH_MALI_REDUCE_GROUPS * (BENCH_MALI_REDUCE_N + 1)
#define MATMUL8	GFLOP, .local = { 8, 8, 1 }, .groups = { BENCH_MALI_MATMUL8_GROUPS, 1, 1 }, \
		.in_c = bench_c_matmul8, .words = 64, .floats = true

#define HASH	MITEM, .local = { 8, 8, 1 }, .groups = { 32, 32, 1 }, .in_c = bench_c_hash, \
		.words = BENCH_MALI_HASH_N * BENCH_MALI_HASH_N, .push = push_out

#define CONV	GFLOP, .local = { 8, 8, 1 }, .groups = { 32, 32, 1 }, .in_c = bench_c_conv, \
		.words = BENCH_MALI_CONV_N * BENCH_MALI_CONV_N, .floats = true

static const struct bench_mali_workload workloads[BENCH_MALI_WORKLOADS] = {
	{
		.name = "m1_mandelbrot", G52, MANDEL, .code = bench_mali_mandel,
		.preload = 0x3000, .push = push_mandel, .npush = 5,
	},
	{
		.name = "m2_matmul", G52, MATMUL, .code = bench_mali_matmul,
		.preload = 0x3000, .push = push_matmul, .npush = 7,
	},
	{
		.name = "m3_reduce", G52, REDUCE, .code = bench_mali_reduce,
		.preload = 0x1280, .push = push_reduce, .npush = 4,
	},
	{
		.name = "m4_matmul8", G52, MATMUL8, .code = bench_mali_matmul8,
		.preload = 0x80, .push = push_matmul8, .npush = 7,
	},
	{
		.name = "m5_hash", G52, HASH, .code = bench_mali_hash, .preload = 0x3000,
		.npush = 2,
	},
	{
		.name = "m6_conv5x5", G52, CONV, .code = bench_mali_conv, .preload = 0x3000,
		.push = push_matmul, .npush = 6,
	},
	{
		.name = "t1_mandelbrot", T860, MANDEL, .code = bench_midgard_mandel,
		.work = 3, .push = push_mandel_vec, .npush = 8,
	},
	{
		.name = "t2_matmul", T860, MATMUL, .code = bench_midgard_matmul,
		.work = 2, .push = push_matmul_vec, .npush = 16,
	},
	{
		.name = "t3_reduce", T860, REDUCE, .code = bench_midgard_reduce,
		.work = 2, .push = push_reduce_vec, .npush = 8,
	},
	{
		.name = "t4_matmul8", T860, MATMUL8, .code = bench_midgard_matmul8,
		.work = 2, .push = push_matmul8_vec, .npush = 16,
	},
	{
		.name = "t5_hash", T860, HASH, .code = bench_midgard_hash, .work = 2,
		.npush = 4,
	},
	{
		.name = "t6_conv5x5", T860, CONV, .code = bench_midgard_conv, .work = 3,
		.push = push_matmul_vec, .npush = 12,
	},
};

/* ---- setting up ---- */

static void fill_inputs(const struct bench_mali_workload *w, uint32_t *mem)
{
	uint32_t i, x = 1;

	for (i = 0; i < OUT_AT; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		mem[i] = x;
		if (w->floats) {
			float f = (float)(x >> 8) / 8388608.0f - 1;

			memcpy(&mem[i], &f, 4);
		}
	}
	w->push(mem + PUSH_AT);
}

static int make_program(struct bench_mali_result *r)
{
	struct vshader_binary *bin;
	struct vshader_source src;
	int ret;

	ret = vshader_assemble(r->w->engine, r->w->code, strlen(r->w->code),
			       r->w->name, &bin);
	if (ret)
		return ret;
	ret = vshader_binary_source(bin, 0, &src);
	if (!ret)
		ret = vshader_program_create(r->dev, &src, NULL, &r->program);
	vshader_binary_free(bin);
	return ret;
}

static int setup(struct bench_mali_result *r)
{
	struct vshader_queue_params q = { .engine = r->w->engine };
	uint64_t va = BASE;
	void *p;
	int ret;

	ret = vshader_vm_create(r->dev, DRM_VSHADER_VM_48BIT, 0, &r->vm);
	if (!ret)
		ret = vshader_bo_create(r->dev, 4ull * MEM_WORDS, 0, r->vm, &r->bo);
	if (!ret)
		ret = vshader_bo_map(r->bo, &p);
	if (!ret)
		ret = vshader_vm_map(r->dev, r->vm, r->bo, 0, &va);
	if (ret)
		return ret;
	r->mem = p;
	fill_inputs(r->w, r->mem);
	q.vm = r->vm;
	q.time_limit_ms = TIME_LIMIT_MS;
	ret = vshader_queue_create(r->dev, &q, &r->queue);
	return ret ? ret : make_program(r);
}

static int add(void *table, const struct bench_params *p, uint32_t simd)
{
	struct bench_mali_table *t = table;
	unsigned int k;

	for (k = 0; k < BENCH_MALI_WORKLOADS; k++) {
		struct bench_mali_result *r = &t->results[t->num_results];

		if (!bench_wanted(p, workloads[k].name))
			continue;
		memset(r, 0, sizeof(*r));
		r->w = &workloads[k];
		r->simd = simd;
		r->dev = p->devs[simd];
		r->times = calloc(p->repeats, sizeof(*r->times));
		if (!r->times)
			return fail("out of memory");
		t->num_results++;
		if (setup(r))
			return fail("%s on %s: %s", r->w->name, vshader_simd_name(simd),
				    vshader_error());
	}
	return 0;
}

/* ---- running ---- */

static int run(struct bench_mali_result *r, uint64_t *ns, uint64_t *cpu)
{
	struct drm_vshader_mali_job block = {
		.gpu = r->w->gpu,
		.preload = r->w->preload,
		.work_registers = r->w->work,
		.push = { .va = BASE + 4ull * PUSH_AT, .count = r->w->npush },
		.wls_size = r->w->wls,
		.wls_instances = 1,
	};
	struct drm_vshader_shader_job desc = {
		.program = r->program,
		.engine_block = (uintptr_t)&block,
		.engine_block_size = sizeof(block),
	};
	const struct drm_vshader_job job = {
		.queue_id = r->queue,
		.type = DRM_VSHADER_JOB_SHADER,
		.desc = (uintptr_t)&desc,
		.desc_size = sizeof(desc),
	};
	struct drm_vshader_queue_get_state state;
	uint64_t start, start_cpu;
	unsigned int i;
	int ret;

	for (i = 0; i < 3; i++) {
		block.local[i] = r->w->local[i];
		block.groups[i] = r->w->groups[i];
	}
	start_cpu = bench_cpu_start();
	start = bench_now_ns();
	ret = vshader_submit_wait(r->dev, &job, VSHADER_WAIT_FOREVER);
	*ns = bench_now_ns() - start;
	*cpu = bench_cpu_since(start_cpu);
	if (!ret)
		ret = vshader_queue_get_state(r->dev, r->queue, &state);
	if (!ret && state.state) {
		char text[256];

		return fail("%s: %s", r->w->name,
			    vshader_fault_text(&state.fault, text, sizeof(text)));
	}
	return ret ? fail("%s: %s", r->w->name, vshader_error()) : 0;
}

static int check_one(struct bench_mali_table *t, struct bench_mali_result *r)
{
	uint32_t *want = calloc(OUT_WORDS, sizeof(*want));
	uint64_t ns, cpu;
	int ret;

	if (!want)
		return fail("out of memory");
	ret = run(r, &ns, &cpu);
	t->work[r->w - workloads] = r->w->in_c(r->mem + A_AT, r->mem + B_AT, want);
	r->ok = !ret && !memcmp(want, r->mem + OUT_AT, 4ull * r->w->words);
	free(want);
	return ret;
}

static int check(void *table)
{
	struct bench_mali_table *t = table;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < t->num_results && !ret; i++)
		ret = check_one(t, &t->results[i]);
	return ret;
}

/* The yardstick, on the inputs of a result. */
static void measure_c(struct bench_mali_table *t, const struct bench_mali_result *r, uint32_t *out)
{
	double *best = &t->c_best[r->w - workloads];
	uint64_t start = bench_cpu_start(), ns;

	r->w->in_c(r->mem + A_AT, r->mem + B_AT, out);
	ns = bench_cpu_since(start);
	if (!*best || (double)ns < *best)
		*best = (double)ns;
}

static int measure(void *table)
{
	struct bench_mali_table *t = table;
	uint32_t *out = calloc(OUT_WORDS, sizeof(*out));
	uint64_t ns, cpu;
	unsigned int i;
	int ret = out ? 0 : fail("out of memory");

	for (i = 0; i < t->num_results && !ret; i++) {
		struct bench_mali_result *r = &t->results[i];

		/* the integer executor is some hundred times slower: one run is enough */
		if (!r->ok || (r->runs && r->simd == DRM_VSHADER_SIMD_PORTABLE))
			continue;
		measure_c(t, r, out);
		ret = run(r, &ns, &cpu);
		if (ret)
			break;
		r->times[r->runs++] = (double)ns;
		if (r->runs == 1 || (double)ns < r->best)
			r->best = (double)ns;
		if (r->runs == 1 || (double)cpu < r->cpu)
			r->cpu = (double)cpu;
	}
	free(out);
	return ret;
}

static bool finish(void *table)
{
	struct bench_mali_table *t = table;
	unsigned int i;
	bool ok = true;

	for (i = 0; i < t->num_results; i++) {
		struct bench_mali_result *r = &t->results[i];

		qsort(r->times, r->runs, sizeof(*r->times), bench_compare_double);
		r->median = r->runs ? r->times[r->runs / 2] : 0;
		ok &= r->ok;
	}
	return ok;
}

static void free_table(void *table)
{
	struct bench_mali_table *t = table;
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		struct bench_mali_result *r = &t->results[i];

		if (r->program)
			vshader_program_destroy(r->dev, r->program);
		if (r->queue)
			vshader_queue_destroy(r->dev, r->queue);
		vshader_bo_destroy(r->bo);
		if (r->vm)
			vshader_vm_destroy(r->dev, r->vm);
		free(r->times);
	}
	t->num_results = 0;
}

/* ---- output ---- */

/* CPU time is compared: other load on the machine disturbs it less. */
static double time_of(const struct bench_mali_result *r, bool cpu)
{
	return cpu ? r->cpu : r->best;
}

static double rate(const struct bench_mali_table *t, const struct bench_mali_result *r, double ns)
{
	return (double)t->work[r->w - workloads] * 1e9 / ns / r->w->scale;
}

static const char *gpu_name(const struct bench_mali_result *r)
{
	return r->w->engine == DRM_VSHADER_ENGINE_MIDGARD ? "T860" : "G52";
}

static void print(const void *table, bool cpu)
{
	const struct bench_mali_table *t = table;
	unsigned int i;

	if (!t->num_results)
		return;
	printf("\n%-15s %-4s %-8s %9s %9s %9s %9s %9s %9s %7s  %s\n", "workload", "GPU",
	       "executor", "best us", "median us", cpu ? "CPU us" : "", "rate", "C us",
	       "rate of C", "of C", "unit");
	for (i = 0; i < t->num_results; i++) {
		const struct bench_mali_result *r = &t->results[i];
		double c = t->c_best[r->w - workloads];

		printf("%-15s %-4s %-8s ", r->w->name, gpu_name(r), vshader_simd_name(r->simd));
		if (!r->ok) {
			printf("%9s %9s %9s %9s %9s %9s %7s  WRONG: differs from C\n", "-", "-",
			       "-", "-", "-", "-", "-");
			continue;
		}
		printf("%9.1f %9.1f ", r->best / 1e3, r->median / 1e3);
		if (cpu)
			printf("%9.1f ", r->cpu / 1e3);
		else
			printf("%9s ", "");
		printf("%9.3f %9.1f %9.3f %6.2fx  %s\n", rate(t, r, time_of(r, cpu)), c / 1e3,
		       rate(t, r, c), c / time_of(r, cpu), r->w->unit);
	}
	puts("C: the same in plain C, -O2 without vectors; results are equal in every bit");
}

static void json(const void *table, struct json_object *root, bool cpu)
{
	const struct bench_mali_table *t = table;
	struct json_object *list = js_array(root, "mali_results"), *o;
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		const struct bench_mali_result *r = &t->results[i];
		double c = t->c_best[r->w - workloads];

		o = json_object_new_object();
		json_object_array_add(list, o);
		js_str(o, "workload", r->w->name);
		js_str(o, "gpu", gpu_name(r));
		js_str(o, "simd", vshader_simd_name(r->simd));
		js_bool(o, "verified", r->ok);
		js_str(o, "unit", r->w->unit);
		if (!r->ok)
			continue;
		js_num(o, "us", r->best / 1e3);
		js_num(o, "us_median", r->median / 1e3);
		if (cpu)
			js_num(o, "cpu_us", r->cpu / 1e3);
		js_num(o, "rate", rate(t, r, time_of(r, cpu)));
		js_num(o, "c_us", c / 1e3);
		js_num(o, "c_rate", rate(t, r, c));
		js_num(o, "of_c", c / time_of(r, cpu));
		js_int(o, "repeats", r->runs);
	}
}

static unsigned int count(const void *table)
{
	return ((const struct bench_mali_table *)table)->num_results;
}

static struct bench_mali_table table;

const struct bench_ops bench_mali = {
	.table = &table,
	.workloads = "m1-6, t1-6",
	.help = "m1~to~m6~(bifrost), t1~to~t6~(midgard)",
	.note = "Bifrost workloads are compute shaders, compared with the same in C.",
	.add = add,
	.count = count,
	.check = check,
	.measure = measure,
	.finish = finish,
	.free = free_table,
	.print = print,
	.json = json,
};
