// SPDX-License-Identifier: MIT
/*
 * vshader bench: Utgard workloads on every executor and in C: the cost of a vertex of a
 * lighting program and of a fragment of a textured one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_utgard.h"
#include "cli.h"

#define BASE		0x10000000u
#define UNIFORMS_AT	0x0u
#define LIST_AT		0x1000u		/* texture units, then the descriptor */
#define DESC_AT		0x1040u
#define CORNERS_AT	0x2000u
#define TEXELS_AT	0x4000u
#define OUT_AT		0x100000u
#define IN_AT		0x400000u
#define MEM_BYTES	0x600000u

#define FRAGMENTS	(BENCH_UTGARD_SIDE * BENCH_UTGARD_SIDE)
#define TIME_LIMIT_MS	10000		/* for the integer executor */

/**
 * struct bench_utgard_workload - a workload
 * @name: name
 * @unit: unit of @items
 * @engine: processor
 * @code: program
 * @items: vertices or fragments
 * @fill: inputs
 * @in_c: the same in C
 * @bytes: of results
 * @off: most that bytes of results may be off; 0: all bits are the same
 */
struct bench_utgard_workload {
	const char *name;
	const char *unit;
	uint32_t engine;
	const char *code;
	uint32_t items;
	void (*fill)(uint8_t *mem);
	void (*in_c)(const uint8_t *mem, void *out);
	uint32_t bytes;
	int off;
};

/* ---- inputs ---- */

static float next_float(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return (float)(*x >> 8) / 8388608.0f - 1;
}

static void fill_light(uint8_t *mem)
{
	float *rows = (float *)(mem + UNIFORMS_AT), *attr = (float *)(mem + IN_AT);
	uint32_t i, seed = 1;

	for (i = 0; i < 28; i++)
		rows[i] = next_float(&seed);
	for (i = 0; i < 6 * BENCH_UTGARD_VERTICES; i++)
		attr[i] = next_float(&seed);
}

static const float offset[4] = { 0.125f, 0, 0.25f, 0 };

/* RGBA8, one level, linear, clamped to the edges, filtered. */
static void put_descriptor(uint32_t *w)
{
	w[0] = 0x16 | 1 << 7 | (4 * BENCH_UTGARD_TEXELS) << 16;
	w[1] = 1 << 10;
	w[2] = 1 << 8 | 1 << 13 | 1 << 16 | 1 << 19 | BENCH_UTGARD_TEXELS << 22;
	w[3] = BENCH_UTGARD_TEXELS << 3;
	w[7] = (BASE + TEXELS_AT) >> 8;
}

static void fill_texture(uint8_t *mem)
{
	/* of the corners: place in the texture, colour; twice the size of the target */
	static const float corners[3][6] = {
		{ 0, 0, 0, 0, 1, 1 }, { 2, 0, 2, 0, 0, 1 }, { 0, 2, 0, 2, 1, 1 },
	};
	static const uint16_t halves[4] = { 0x3000, 0, 0x3400, 0 };
	uint32_t i, x = 1;

	memcpy(mem + UNIFORMS_AT, halves, sizeof(halves));
	memcpy(mem + CORNERS_AT, corners, sizeof(corners));
	*(uint32_t *)(mem + LIST_AT) = BASE + DESC_AT;
	put_descriptor((uint32_t *)(mem + DESC_AT));
	for (i = 0; i < 4 * BENCH_UTGARD_TEXELS * BENCH_UTGARD_TEXELS; i++)
		mem[TEXELS_AT + i] = (uint8_t)((next_float(&x) + 1) * 100);
}

static void light_in_c(const uint8_t *mem, void *out)
{
	bench_c_light((const float *)(mem + IN_AT), (const float *)(mem + UNIFORMS_AT), out);
}

static void texture_in_c(const uint8_t *mem, void *out)
{
	bench_c_texture(mem + TEXELS_AT, offset, out);
}

static const struct bench_utgard_workload workloads[BENCH_UTGARD_WORKLOADS] = {
	{
		.name = "u1_lighting", .unit = "vertex", .engine = DRM_VSHADER_ENGINE_UTGARD_GP,
		.code = bench_utgard_light, .items = BENCH_UTGARD_VERTICES, .fill = fill_light,
		.in_c = light_in_c, .bytes = 32 * BENCH_UTGARD_VERTICES,
	},
	{
		.name = "u2_texture", .unit = "fragment",
		.engine = DRM_VSHADER_ENGINE_UTGARD_PP, .code = bench_utgard_texture,
		.items = FRAGMENTS, .fill = fill_texture, .in_c = texture_in_c,
		.bytes = 4 * FRAGMENTS, .off = 1,
	},
};

/* ---- setting up ---- */

static int make_program(struct bench_utgard_result *r)
{
	struct vshader_binary *bin;
	struct vshader_source src;
	int ret;

	ret = vshader_assemble(r->w->engine, r->w->code, strlen(r->w->code), r->w->name, &bin);
	if (ret)
		return ret;
	ret = vshader_binary_source(bin, 0, &src);
	if (!ret)
		ret = vshader_program_create(r->dev, &src, NULL, &r->program);
	vshader_binary_free(bin);
	return ret;
}

static int setup(struct bench_utgard_result *r)
{
	struct vshader_queue_params q = { .engine = r->w->engine,
					  .time_limit_ms = TIME_LIMIT_MS };
	uint64_t va = BASE;
	void *p;
	int ret;

	ret = vshader_vm_create(r->dev, 0, 0, &r->vm);
	if (!ret)
		ret = vshader_bo_create(r->dev, MEM_BYTES, 0, r->vm, &r->bo);
	if (!ret)
		ret = vshader_bo_map(r->bo, &p);
	if (!ret)
		ret = vshader_vm_map(r->dev, r->vm, r->bo, 0, &va);
	if (ret)
		return ret;
	r->mem = p;
	r->w->fill(r->mem);
	q.vm = r->vm;
	ret = vshader_queue_create(r->dev, &q, &r->queue);
	return ret ? ret : make_program(r);
}

static int add(void *table, const struct bench_params *p, uint32_t simd)
{
	struct bench_utgard_table *t = table;
	unsigned int k;

	for (k = 0; k < BENCH_UTGARD_WORKLOADS; k++) {
		struct bench_utgard_result *r = &t->results[t->num_results];

		if (!bench_wanted(p, workloads[k].name))
			continue;
		memset(r, 0, sizeof(*r));
		r->w = &workloads[k];
		r->simd = simd;
		r->dev = p->devs[simd];
		t->num_results++;
		if (setup(r))
			return fail("%s on %s: %s", r->w->name, vshader_simd_name(simd),
				    vshader_error());
	}
	return 0;
}

/* ---- running ---- */

static int submit(struct bench_utgard_result *r, struct drm_vshader_shader_job *desc)
{
	const struct drm_vshader_job job = {
		.queue_id = r->queue,
		.type = DRM_VSHADER_JOB_SHADER,
		.desc = (uintptr_t)desc,
		.desc_size = sizeof(*desc),
	};

	desc->program = r->program;
	return vshader_submit_wait(r->dev, &job, VSHADER_WAIT_FOREVER);
}

static int submit_vertices(struct bench_utgard_result *r)
{
	struct drm_vshader_stream in[2] = {
		{ .va = BASE + IN_AT, .stride = 24, .components = 3 },
		{ .va = BASE + IN_AT + 12, .stride = 24, .components = 3, .reg = 1 },
	}, out[2] = {
		{ .va = BASE + OUT_AT, .stride = 32, .components = 4 },
		{ .va = BASE + OUT_AT + 16, .stride = 32, .components = 4, .reg = 1 },
	};
	struct drm_vshader_utgard_gp_job block = {
		.vertices.count = BENCH_UTGARD_VERTICES,
		.vertices.attributes = DRM_VSHADER_OBJ_ARRAY(2, in),
		.vertices.outputs = DRM_VSHADER_OBJ_ARRAY(2, out),
		.uniforms = BASE + UNIFORMS_AT,
		.num_rows = 7,
	};
	struct drm_vshader_shader_job desc = {
		.engine_block = (uintptr_t)&block,
		.engine_block_size = sizeof(block),
	};

	return submit(r, &desc);
}

/* A triangle twice as large as the target. */
static int submit_fragments(struct bench_utgard_result *r)
{
	static const float corners[3][4] = {
		{ 0, 0, 0, 1 }, { 2 * BENCH_UTGARD_SIDE, 0, 0, 1 },
		{ 0, 2 * BENCH_UTGARD_SIDE, 0, 1 },
	};
	struct drm_vshader_stream in[2] = {
		{ .va = BASE + CORNERS_AT, .stride = 24, .components = 2 },
		{ .va = BASE + CORNERS_AT + 8, .stride = 24, .components = 4, .reg = 1 },
	};
	struct drm_vshader_utgard_target target = {
		.va = BASE + OUT_AT, .row_stride = 4 * BENCH_UTGARD_SIDE, .order = 2,
		.format = DRM_VSHADER_UTGARD_PIXEL_RGBA8,
	};
	struct drm_vshader_utgard_pp_job block = {
		.uniforms = BASE + UNIFORMS_AT, .num_rows = 1,
		.textures = BASE + LIST_AT, .num_textures = 1,
		.width = BENCH_UTGARD_SIDE, .height = BENCH_UTGARD_SIDE,
		.prim = DRM_VSHADER_UTGARD_PRIM_TRIANGLE, .index = { 0, 1, 2 },
		.inputs = DRM_VSHADER_OBJ_ARRAY(2, in),
		.targets = DRM_VSHADER_OBJ_ARRAY(1, &target),
	};
	struct drm_vshader_shader_job desc = {
		.engine_block = (uintptr_t)&block,
		.engine_block_size = sizeof(block),
	};

	memcpy(block.vertex, corners, sizeof(corners));
	return submit(r, &desc);
}

static int run(struct bench_utgard_result *r, double *ns, double *cpu)
{
	uint64_t start_cpu = bench_cpu_start(), start = bench_now_ns();
	struct drm_vshader_queue_get_state state;
	int ret;

	ret = r->w->engine == DRM_VSHADER_ENGINE_UTGARD_GP ? submit_vertices(r) :
							     submit_fragments(r);
	*ns = (double)(bench_now_ns() - start);
	*cpu = (double)bench_cpu_since(start_cpu);
	if (!ret)
		ret = vshader_queue_get_state(r->dev, r->queue, &state);
	if (!ret && state.state) {
		char text[256];

		return fail("%s: %s", r->w->name,
			    vshader_fault_text(&state.fault, text, sizeof(text)));
	}
	return ret ? fail("%s: %s", r->w->name, vshader_error()) : 0;
}

static bool same(const struct bench_utgard_workload *w, const uint8_t *want, const uint8_t *got)
{
	uint32_t i;

	for (i = 0; i < w->bytes; i++)
		if (abs((int)want[i] - got[i]) > w->off)
			return false;
	return true;
}

static int check(void *table)
{
	struct bench_utgard_table *t = table;
	uint8_t *want = malloc(IN_AT - OUT_AT);
	double ns, cpu;
	unsigned int i;
	int ret = want ? 0 : fail("out of memory");

	for (i = 0; i < t->num_results && !ret; i++) {
		struct bench_utgard_result *r = &t->results[i];

		ret = run(r, &ns, &cpu);
		r->w->in_c(r->mem, want);
		r->ok = !ret && same(r->w, want, r->mem + OUT_AT);
	}
	free(want);
	return ret;
}

static void keep_best(struct bench_utgard_time *t, double ns, double cpu)
{
	if (!t->runs || ns < t->wall)
		t->wall = ns;
	if (!t->runs || cpu < t->cpu)
		t->cpu = cpu;
	t->runs++;
}

/* The yardstick, on the inputs of a result. */
static void measure_c(struct bench_utgard_table *t, const struct bench_utgard_result *r,
		      uint8_t *out)
{
	struct bench_utgard_time *c = &t->c[r->w - workloads];
	uint64_t start_cpu = bench_cpu_start(), start = bench_now_ns();
	double ns, cpu;

	r->w->in_c(r->mem, out);
	ns = (double)(bench_now_ns() - start);
	cpu = (double)bench_cpu_since(start_cpu);
	keep_best(c, ns, cpu);
}

static int measure(void *table)
{
	struct bench_utgard_table *t = table;
	uint8_t *out = malloc(IN_AT - OUT_AT);
	double ns, cpu;
	unsigned int i;
	int ret = out ? 0 : fail("out of memory");

	for (i = 0; i < t->num_results && !ret; i++) {
		struct bench_utgard_result *r = &t->results[i];

		/* the integer executor is some hundred times slower: one run is enough */
		if (!r->ok || (r->time.runs && r->simd == DRM_VSHADER_SIMD_PORTABLE))
			continue;
		measure_c(t, r, out);
		ret = run(r, &ns, &cpu);
		if (ret)
			break;
		keep_best(&r->time, ns, cpu);
	}
	free(out);
	return ret;
}

static bool finish(void *table)
{
	const struct bench_utgard_table *t = table;
	unsigned int i;
	bool ok = true;

	for (i = 0; i < t->num_results; i++)
		ok &= t->results[i].ok;
	return ok;
}

static void free_table(void *table)
{
	struct bench_utgard_table *t = table;
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		struct bench_utgard_result *r = &t->results[i];

		if (r->program)
			vshader_program_destroy(r->dev, r->program);
		if (r->queue)
			vshader_queue_destroy(r->dev, r->queue);
		vshader_bo_destroy(r->bo);
		if (r->vm)
			vshader_vm_destroy(r->dev, r->vm);
	}
}

/* ---- output ---- */

/* ns of an item: CPU time, if it includes the engine's work; both sides with the same clock. */
static double per_item(const struct bench_utgard_result *r, const struct bench_utgard_time *t,
		       bool cpu)
{
	return (cpu ? t->cpu : t->wall) / r->w->items;
}

static void print(const void *table, bool cpu)
{
	const struct bench_utgard_table *t = table;
	unsigned int i;

	if (!t->num_results)
		return;
	printf("\n%-15s %-8s %9s %9s %9s %9s %9s\n", "workload", "executor", "best us",
	       cpu ? "CPU us" : "", "ns", "ns in C", "of C");
	for (i = 0; i < t->num_results; i++) {
		const struct bench_utgard_result *r = &t->results[i];
		double own = per_item(r, &r->time, cpu);
		double c = per_item(r, &t->c[r->w - workloads], cpu);

		printf("%-15s %-8s ", r->w->name, vshader_simd_name(r->simd));
		if (!r->ok) {
			printf("%9s %9s %9s %9s %9s  WRONG: differs from C\n", "-", "-", "-", "-",
			       "-");
			continue;
		}
		printf("%9.1f ", r->time.wall / 1e3);
		if (cpu)
			printf("%9.1f ", r->time.cpu / 1e3);
		else
			printf("%9s ", "");
		printf("%9.2f %9.2f %8.2fx  ns/%s\n", own, c, c / own, r->w->unit);
	}
	puts("C: the same in plain C, -O2 without vectors; vertices are equal in every bit,\n"
	     "colours (from registers of 16 bits) up to 1/255");
}

static void json(const void *table, struct json_object *root, bool cpu)
{
	const struct bench_utgard_table *t = table;
	struct json_object *list = js_array(root, "utgard_results"), *o;
	unsigned int i;

	for (i = 0; i < t->num_results; i++) {
		const struct bench_utgard_result *r = &t->results[i];
		double own = per_item(r, &r->time, cpu);
		double c = per_item(r, &t->c[r->w - workloads], cpu);

		o = json_object_new_object();
		json_object_array_add(list, o);
		js_str(o, "workload", r->w->name);
		js_str(o, "simd", vshader_simd_name(r->simd));
		js_bool(o, "verified", r->ok);
		js_str(o, "item", r->w->unit);
		if (!r->ok)
			continue;
		js_num(o, "us", r->time.wall / 1e3);
		if (cpu)
			js_num(o, "cpu_us", r->time.cpu / 1e3);
		js_num(o, "ns_per_item", own);
		js_num(o, "c_ns_per_item", c);
		js_num(o, "of_c", c / own);
		js_int(o, "repeats", r->time.runs);
	}
}

static unsigned int count(const void *table)
{
	return ((const struct bench_utgard_table *)table)->num_results;
}

static struct bench_utgard_table table;

const struct bench_ops bench_utgard = {
	.table = &table,
	.workloads = "u1-2",
	.help = "u1,~u2~(utgard)",
	.add = add,
	.count = count,
	.check = check,
	.measure = measure,
	.finish = finish,
	.free = free_table,
	.print = print,
	.json = json,
};
