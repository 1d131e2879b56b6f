// SPDX-License-Identifier: MIT
/*
 * vshader bench: pictures by PICA200 command lists on every executor, beside a scalar pipeline in
 * C.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_draw.h"
#include "cli.h"

#define BASE		0x18000000u
#define LIST_AT		0x00000u	/* bytes in the buffer */
#define VERTEX_AT	0x08000u
#define TEXTURE_AT	0x10000u
#define COLOUR_AT	0x20000u
#define DEPTH_AT	0x60000u
#define BYTES		0xa0000u
#define SIDE		256u
#define TEXELS		64u
#define DRAWS		16u		/* rectangles of the whole frame */
#define PIXELS		(DRAWS * SIDE * SIDE)
#define TIME_LIMIT_MS	10000
#define VERTEX_WORDS	20u		/* position, colour, coordinates, quaternion, view */

/** struct draw_workload - a picture; @apart: largest difference from C, of 255 */
struct draw_workload {
	const char *name;
	const char *text;
	bool lit;
	int apart;
};

static const struct draw_workload workloads[] = {
	{ "p1", "texture, two combiner stages", false, 1 },
	{ "p2", "the same with a light", true, 2 },
};

#define NUM_WORKLOADS	(sizeof(workloads) / sizeof(workloads[0]))

/** struct draw_result - a picture on an executor */
struct draw_result {
	const struct draw_workload *w;
	uint32_t simd;
	struct vshader_device *dev;
	uint32_t vm;
	uint32_t queue;
	uint32_t sync;
	uint64_t point;
	struct vshader_bo *bo;
	uint8_t *mem;
	uint32_t words;
	uint32_t draws;
	bool ok;
	char how[96];
	uint64_t hash;
	double best;
	double cpu;
	unsigned int runs;
};

static struct draw_result results[NUM_WORKLOADS * BENCH_NUM_SIMD];
static unsigned int num_results;
static double in_c[NUM_WORKLOADS];	/* ns per pixel, CPU time, best */
static uint8_t c_colour[SIDE * SIDE * 4];
static uint32_t c_depth[SIDE * SIDE];

/* ---- command list ---- */

static void put(struct draw_result *r, uint32_t word)
{
	memcpy(r->mem + LIST_AT + 4 * r->words++, &word, 4);
}

static void reg(struct draw_result *r, uint32_t id, uint32_t value)
{
	put(r, value);
	put(r, id | 0xf << 16);
}

static void put_program(struct draw_result *r)
{
	static const uint32_t map[5] = { 0x03020100, 0x0b0a0908, 0x1f1f0d0c, 0x07060504,
					 0x1f141312 };
	uint32_t i;

	reg(r, 0x2cb, 0);
	for (i = 0; i < 5; i++)
		reg(r, 0x2cc, 0x4c000000 | i << 21 | i << 12);	/* mov oi, vi */
	reg(r, 0x2cc, 0x88000000);
	reg(r, 0x2d5, 0);
	reg(r, 0x2d6, 0x0006c36f);
	reg(r, 0x2b9, 0xa0000004);
	reg(r, 0x2ba, 0);
	reg(r, 0x2bb, 0x43210);
	reg(r, 0x2bc, 0);
	reg(r, 0x2bd, 0x1f);
	reg(r, 0x242, 4);
	reg(r, 0x24a, 4);
	reg(r, 0x04f, 5);
	for (i = 0; i < 5; i++)
		reg(r, 0x050 + i, map[i]);
	reg(r, 0x200, BASE / 8);
	reg(r, 0x201, 0xfffff);
	reg(r, 0x202, 4u << 28);
	reg(r, 0x203, VERTEX_AT);
	reg(r, 0x204, 0x43210);
	reg(r, 0x205, 5u << 28 | 4 * VERTEX_WORDS << 16);
}

static void put_light(struct draw_result *r)
{
	uint32_t i;

	reg(r, 0x08f, 1);
	reg(r, 0x1c0, 0x01008020);	/* ambient: 16, 32, 32 */
	reg(r, 0x1c4, 0xff00ff00 | 0xfe << 16);
	reg(r, 0x140, 0x0ff3fcff);	/* specular, diffuse: 255 */
	reg(r, 0x142, 0x0ff3fcff);
	reg(r, 0x144, 0x3800 << 16 | 0x3400);	/* 0.25, 0.5, 1 */
	reg(r, 0x145, 0x3c00);
	reg(r, 0x1c5, 0);
	for (i = 0; i < 256; i++)	/* D0: the input's square */
		reg(r, 0x1c8, i * i / 16);
}

static void put_state(struct draw_result *r)
{
	static const uint32_t stage[6] = { 0xc0, 0xc8, 0xd0, 0xd8, 0xf0, 0xf8 };
	uint32_t i;

	reg(r, 0x041, 0x460000);	/* 128 */
	reg(r, 0x043, 0x460000);
	reg(r, 0x04d, 0xbf0000);	/* -1 */
	reg(r, 0x06d, 1);
	reg(r, 0x102, 3);
	reg(r, 0x107, 0x1f71);		/* greater or equal */
	reg(r, 0x112, 0xf);
	reg(r, 0x113, 0xf);
	reg(r, 0x114, 3);
	reg(r, 0x115, 3);
	reg(r, 0x116, 3);
	reg(r, 0x117, 2);
	reg(r, 0x11c, (BASE + DEPTH_AT) / 8);
	reg(r, 0x11d, (BASE + COLOUR_AT) / 8);
	reg(r, 0x11e, SIDE | (SIDE - 1) << 12 | 1 << 24);
	reg(r, 0x080, 1);
	reg(r, 0x082, TEXELS << 16 | TEXELS);
	reg(r, 0x083, 2 << 8 | 2 << 12);
	reg(r, 0x085, (BASE + TEXTURE_AT) / 8);
	reg(r, 0x08e, 0);
	for (i = 0; i < 6; i++)
		reg(r, stage[i], 0x000f000f);
	/* texture times primary colour or light; plus specular light or a constant */
	reg(r, 0x0c0, r->w->lit ? 0x00130013 : 0x00030003);
	reg(r, 0x0c2, 0x00010001);
	reg(r, 0x0c8, r->w->lit ? 0x002f002f : 0x00ef00ef);
	reg(r, 0x0ca, 0x00020002);
	reg(r, 0x0cb, 0x10203040);
	if (r->w->lit)
		put_light(r);
}

static void put_vertices(struct draw_result *r)
{
	float v[4][VERTEX_WORDS] = { { 0 } };
	uint32_t i;

	for (i = 0; i < 4; i++) {
		float x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1;

		v[i][0] = x;
		v[i][1] = y;
		v[i][2] = -0.5f;
		v[i][3] = 1;
		v[i][4] = i & 1 ? 1 : 0.25f;
		v[i][5] = i & 2 ? 1 : 0.25f;
		v[i][6] = 0.5f;
		v[i][7] = 1;
		v[i][8] = i & 1 ? 4 : 0;
		v[i][9] = i & 2 ? 4 : 0;
		v[i][15] = 1;		/* quaternion 0, 0, 0, 1 */
		v[i][16] = -x;
		v[i][17] = -y;
		v[i][18] = 1;
	}
	memcpy(r->mem + VERTEX_AT, v, sizeof(v));
}

static void put_list(struct draw_result *r)
{
	uint32_t i, x = 1;

	for (i = 0; i < TEXELS * TEXELS * 4; i++) {
		x = x * 1664525 + 1013904223;
		r->mem[TEXTURE_AT + i] = (uint8_t)(x >> 24);
	}
	put_vertices(r);
	put_program(r);
	put_state(r);
	reg(r, 0x229, 0);
	reg(r, 0x25e, 1 << 8);
	for (i = 0; i < r->draws; i++) {
		reg(r, 0x25f, 1);
		reg(r, 0x228, 4);
		reg(r, 0x22a, 0);
		reg(r, 0x22e, 1);
	}
	reg(r, 0x010, 1);
}

/* ---- the same in C ---- */

static uint32_t place(uint32_t x, uint32_t y, uint32_t width)
{
	uint32_t n = 0, i;

	for (i = 0; i < 3; i++)
		n |= (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return (y / 8 * (width / 8) + x / 8) * 64 + n;
}

static float normalise(float v[3])
{
	float by = 1 / sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	int i;

	for (i = 0; i < 3; i++)
		v[i] *= by;
	return by;
}

static float saturate(float v)
{
	return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* Normal 0, 0, 1; D0 reads the square of N * H. */
static void light_in_c(const float view[3], int primary[4], int secondary[4])
{
	static const float ambient[3] = { 16 / 255.0f, 32 / 255.0f, 32 / 255.0f };
	float v[3] = { view[0], view[1], view[2] }, h[3], nh, d, s;
	float l[3] = { 0.25f + view[0], 0.5f + view[1], 1 + view[2] };
	int i;

	normalise(v);
	normalise(l);
	for (i = 0; i < 3; i++)
		h[i] = l[i] + v[i];
	normalise(h);
	nh = fabsf(h[2]) * 256;
	i = nh < 255 ? (int)nh : 255;
	s = (float)(i * i / 16) / 4095;
	d = l[2] > 0 ? l[2] : 0;
	for (i = 0; i < 3; i++) {
		primary[i] = (int)(saturate(d + ambient[i]) * 255);
		secondary[i] = (int)(saturate(s) * 255);
	}
	primary[3] = 255;
	secondary[3] = 255;
}

static void pixel_in_c(const struct draw_workload *w, const uint8_t *texture, uint32_t x,
		       uint32_t y)
{
	static const int constant[4] = { 0x40, 0x30, 0x20, 0x10 };
	float fx = ((float)x + 0.5f) / SIDE, fy = ((float)y + 0.5f) / SIDE;
	float view[3] = { 1 - 2 * fx, 1 - 2 * fy, 1 };
	uint32_t at = place(x, SIDE - 1 - y, SIDE), z = 0x7fffff, k;
	int a[4], b[4], c;
	const uint8_t *t;

	if (z < c_depth[at])
		return;
	c_depth[at] = z;
	t = texture + 4 * place((uint32_t)(fx * 4 * TEXELS) % TEXELS,
				TEXELS - 1 - (uint32_t)(fy * 4 * TEXELS) % TEXELS, TEXELS);
	if (w->lit) {
		light_in_c(view, a, b);
	} else {
		a[0] = (int)((0.25f + 0.75f * fx) * 255 + 0.5f);
		a[1] = (int)((0.25f + 0.75f * fy) * 255 + 0.5f);
		a[2] = 128;
		a[3] = 255;
		memcpy(b, constant, sizeof(b));
	}
	for (k = 0; k < 4; k++) {
		c = t[3 - k] * a[k] / 255 + b[k];
		c_colour[4 * at + 3 - k] = (uint8_t)(c > 255 ? 255 : c);
	}
}

static void draw_in_c(const struct draw_workload *w, const uint8_t *texture)
{
	uint32_t i, x, y;

	memset(c_depth, 0, sizeof(c_depth));
	for (i = 0; i < DRAWS; i++)
		for (y = 0; y < SIDE; y++)
			for (x = 0; x < SIDE; x++)
				pixel_in_c(w, texture, x, y);
}

/* ---- running ---- */

static int set_up(struct draw_result *r)
{
	struct vshader_queue_params q = { .engine = DRM_VSHADER_ENGINE_PICA,
					  .time_limit_ms = TIME_LIMIT_MS };
	uint64_t va = BASE;
	void *p;
	int ret;

	ret = vshader_vm_create(r->dev, 0, 0, &r->vm);
	if (!ret)
		ret = vshader_bo_create(r->dev, BYTES, 0, r->vm, &r->bo);
	if (!ret)
		ret = vshader_bo_map(r->bo, &p);
	if (!ret)
		ret = vshader_vm_map(r->dev, r->vm, r->bo, 0, &va);
	q.vm = r->vm;
	if (!ret)
		ret = vshader_queue_create(r->dev, &q, &r->queue);
	if (!ret)
		ret = vshader_sync_create(r->dev, false, &r->sync);
	if (ret)
		return ret;
	r->mem = p;
	put_list(r);
	return 0;
}

int bench_draw_add(const struct bench_params *p)
{
	unsigned int k, simd;
	struct draw_result *r;

	for (k = 0; k < NUM_WORKLOADS; k++) {
		if (!bench_wanted(p, workloads[k].name) || p->model)
			continue;
		for (simd = 0; simd < BENCH_NUM_SIMD; simd++) {
			if (!p->devs[simd])
				continue;
			r = &results[num_results++];
			*r = (struct draw_result){ .w = &workloads[k], .simd = simd,
						   .dev = p->devs[simd], .draws = DRAWS };
			/* some hundred times slower */
			if (simd == DRM_VSHADER_SIMD_PORTABLE)
				r->draws = 1;
			if (set_up(r))
				return fail("%s on %s: %s", r->w->name, vshader_simd_name(simd),
					    vshader_error());
		}
	}
	return 0;
}

static int run_once(struct draw_result *r)
{
	struct drm_vshader_native_job native = {
		.format = DRM_VSHADER_NATIVE_PICA_CMDLIST, .va = BASE + LIST_AT,
		.size = 4 * r->words, .model = DRM_VSHADER_PICA_F24,
	};
	struct drm_vshader_sync sync = {
		.flags = DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE,
		.handle = r->sync, .timeline_value = ++r->point,
	};
	struct drm_vshader_job job = {
		.queue_id = r->queue, .type = DRM_VSHADER_JOB_NATIVE, .desc = (uintptr_t)&native,
		.desc_size = sizeof(native), .syncs = DRM_VSHADER_OBJ_ARRAY(1, &sync),
	};
	struct drm_vshader_queue_get_state state;
	int ret;

	memset(r->mem + DEPTH_AT, 0, SIDE * SIDE * 4);
	ret = vshader_submit(r->dev, &job, 1, NULL, NULL);
	if (!ret)
		ret = vshader_sync_wait(r->dev, r->sync, r->point, 1000000ll * TIME_LIMIT_MS);
	if (!ret)
		ret = vshader_queue_get_state(r->dev, r->queue, &state);
	return ret ? ret : state.state;
}

static int most_apart(const struct draw_result *r)
{
	int most = 0, d;
	uint32_t i;

	for (i = 0; i < SIDE * SIDE * 4; i++) {
		d = abs(r->mem[COLOUR_AT + i] - c_colour[i]);
		most = d > most ? d : most;
	}
	return most;
}

int bench_draw_check(void)
{
	unsigned int i, k;
	int apart;

	for (i = 0; i < num_results; i++) {
		struct draw_result *r = &results[i];

		if (run_once(r))
			return fail("%s on %s: %s", r->w->name, vshader_simd_name(r->simd),
				    vshader_error());
		draw_in_c(r->w, r->mem + TEXTURE_AT);
		apart = most_apart(r);
		r->hash = bench_hash(r->mem + COLOUR_AT, SIDE * SIDE * 8);
		r->ok = apart <= r->w->apart;
		snprintf(r->how, sizeof(r->how), "at most %d of 255 from C", apart);
		for (k = 0; k < i; k++) {
			if (results[k].w != r->w || results[k].hash == r->hash)
				continue;
			r->ok = false;
			snprintf(r->how, sizeof(r->how), "another picture than %s",
				 vshader_simd_name(results[k].simd));
		}
	}
	return 0;
}

static void measure_c(const struct draw_result *r)
{
	double *best = &in_c[r->w - workloads], t;
	uint64_t start = bench_cpu_start();

	draw_in_c(r->w, r->mem + TEXTURE_AT);
	t = (double)bench_cpu_since(start) / PIXELS;
	if (*best == 0 || t < *best)
		*best = t;
}

int bench_draw_measure(void)
{
	uint64_t cpu, start;
	double t, pixels;
	unsigned int i;

	for (i = 0; i < num_results; i++) {
		struct draw_result *r = &results[i];

		if (!r->ok)
			continue;
		cpu = bench_cpu_start();
		start = bench_now_ns();
		if (run_once(r))
			return fail("%s on %s: %s", r->w->name, vshader_simd_name(r->simd),
				    vshader_error());
		pixels = (double)r->draws * SIDE * SIDE;
		t = (double)(bench_now_ns() - start) / pixels;
		if (!r->runs || t < r->best)
			r->best = t;
		t = (double)bench_cpu_since(cpu) / pixels;
		if (!r->runs || t < r->cpu)
			r->cpu = t;
		r->runs++;
		measure_c(r);
	}
	return 0;
}

bool bench_draw_finish(void)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < num_results; i++)
		ok &= results[i].ok;
	return ok;
}

unsigned int bench_draw_count(void)
{
	return num_results;
}

void bench_draw_free(void)
{
	unsigned int i;

	for (i = 0; i < num_results; i++) {
		struct draw_result *r = &results[i];

		if (r->queue)
			vshader_queue_destroy(r->dev, r->queue);
		if (r->sync)
			vshader_sync_destroy(r->dev, r->sync);
		vshader_bo_destroy(r->bo);
		if (r->vm)
			vshader_vm_destroy(r->dev, r->vm);
	}
	num_results = 0;
}

/* ---- output ---- */

void bench_draw_print(bool local)
{
	unsigned int i;

	if (num_results)
		printf("%-15s %-8s %9s %9s %9s  %s\n", "picture", "executor", "best",
		       local ? "CPU best" : "", "C, CPU", "verified by");
	if (num_results)
		printf("%-15s %-8s %9s %9s %9s\n", "", "", "Mpixel/s", local ? "Mpixel/s" : "",
		       "Mpixel/s");
	for (i = 0; i < num_results; i++) {
		const struct draw_result *r = &results[i];

		printf("%-15s %-8s ", r->w->name, vshader_simd_name(r->simd));
		if (!r->ok) {
			printf("%9s %9s %9s  WRONG: %s\n", "-", "-", "-", r->how);
			continue;
		}
		printf("%9.2f ", 1e3 / r->best);
		if (local)
			printf("%9.2f ", 1e3 / r->cpu);
		else
			printf("%9s ", "");
		printf("%9.2f  %s; %s\n", 1e3 / in_c[r->w - workloads], r->how, r->w->text);
	}
}

void bench_draw_json(struct json_object *root, bool local)
{
	struct json_object *list = js_array(root, "pictures"), *o;
	unsigned int i;

	for (i = 0; i < num_results; i++) {
		const struct draw_result *r = &results[i];

		o = json_object_new_object();
		json_object_array_add(list, o);
		js_str(o, "workload", r->w->name);
		js_str(o, "simd", vshader_simd_name(r->simd));
		js_bool(o, "verified", r->ok);
		js_str(o, "verified_by", r->how);
		if (!r->ok)
			continue;
		js_num(o, "mpixel_per_s", 1e3 / r->best);
		if (local)
			js_num(o, "cpu_mpixel_per_s", 1e3 / r->cpu);
		js_num(o, "c_cpu_mpixel_per_s", 1e3 / in_c[r->w - workloads]);
		js_int(o, "repeats", r->runs);
	}
}
