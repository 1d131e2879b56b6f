// SPDX-License-Identifier: GPL-2.0
/*
 * The toy GPU draws: every pixel against a model that knows nothing of bins, tiles and quads, on
 * every executor; and frames that end with a fault.
 */
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "chip.h"

#define MEM_VA		0x100000000ULL
#define MEM_SIZE	0x200000u
#define DRAWS		0x1000u
#define VERTICES	0x2000u
#define IMAGE		0x40000u
#define HEAP		0x100000u
#define HEAP_SIZE	0x100000u

#define WIDTH		150	/* three columns of tiles */
#define HEIGHT		90
#define MAX_TRIANGLES	2000

static u8 *mem;
static struct toychip_frame *frame;
static struct toychip_draw *draws;
static struct toychip_vertex *vertices;
static struct vs_fault fault;
static int parsed;
static u64 weight;

static void begin(u32 ndraws)
{
	memset(mem, 0, MEM_SIZE);
	*frame = (struct toychip_frame){
		.width = WIDTH, .height = HEIGHT, .colour = MEM_VA + IMAGE, .heap = MEM_VA + HEAP,
		.heap_size = HEAP_SIZE, .clear = 0xff336699, .draws = MEM_VA + DRAWS,
		.ndraws = ndraws,
	};
}

static void vertex(u32 i, float x, float y, float z, const float colour[4])
{
	vertices[i] = (struct toychip_vertex){ .at = { x, y, z, 1 } };
	memcpy(vertices[i].colour, colour, sizeof(vertices[i].colour));
}

/* Run the frame at the beginning of memory. Return: it has ended without a fault. */
static bool run(u32 simd, u64 budget)
{
	struct vs_extent ext = { MEM_VA, MEM_VA + MEM_SIZE, mem, VS_EXT_WRITE };
	struct vs_map map = { .n = 1, .ext = &ext };
	struct vs_native_in in = { .format = VS_NATIVE_TOY_FRAME, .va = MEM_VA, .map = &map,
				   .max_memory = 1 << 20 };
	struct vs_native_state *state = vs_native_state_new(VS_NATIVE_TOY_FRAME);
	struct vs_job_limits lim = { .budget = budget, .simd = simd, .slice = 3000 };
	struct vs_native *n = NULL;
	struct vs_worker *w;
	struct vs_job *job;
	enum vs_run r;

	parsed = vs_native_parse(&in, state, &n, &fault);
	if (parsed) {
		vs_native_state_free(state);
		return false;
	}
	job = vs_job_new(vs_native_map(n), &lim, vs_native_phases(n));
	if (!job || vs_native_add_phases(n, job))
		abort();
	w = vs_worker_new(vs_job_arena(job));
	do
		r = vs_job_step(job, w);
	while (r == VS_RUN_MORE || r == VS_RUN_PHASE);
	fault = *vs_job_get_fault(job);
	weight = vs_job_weight(job);
	vs_worker_free(w);
	vs_job_free(job);
	vs_native_free(n);
	vs_native_state_free(state);
	return fault.kind == VS_FAULT_NONE;
}

/* ---- the model ---- */

struct pixel {
	double colour[4];
	double depth;
};

static struct pixel want[HEIGHT][WIDTH];

/* Twice the area of a and b and the pixel's centre; corners are multiples of 1/256. */
static double edge(const struct toychip_vertex *a, const struct toychip_vertex *b, int x, int y)
{
	return ((double)b->at[0] - a->at[0]) * (y + 0.5 - a->at[1]) -
	       ((double)b->at[1] - a->at[1]) * (x + 0.5 - a->at[0]);
}

/* Of an edge through the centre, the left and the horizontal upper one count. */
static bool inside(const struct toychip_vertex *a, const struct toychip_vertex *b, double e,
		   double sign)
{
	double dx = (b->at[0] - a->at[0]) * sign, dy = (b->at[1] - a->at[1]) * sign;

	return e > 0 || (!e && (dy < 0 || (!dy && dx > 0)));
}

static void model_pixel(const struct toychip_draw *d, const struct toychip_vertex *v, int x, int y)
{
	const u16 *clip = d->clip;
	u32 flags = d->flags;
	double e[3], sum, sign, c[4], z = 0;
	struct pixel *p = &want[y][x];
	u32 i, k;

	if (flags & TOYCHIP_CLIP && (x < clip[0] || y < clip[1] || x > clip[2] || y > clip[3]))
		return;
	for (i = 0; i < 3; i++)
		e[i] = edge(&v[(i + 1) % 3], &v[(i + 2) % 3], x, y);
	sum = e[0] + e[1] + e[2];
	sign = sum < 0 ? -1 : 1;
	for (i = 0; i < 3; i++)
		if (!sum || !inside(&v[(i + 1) % 3], &v[(i + 2) % 3], e[i] * sign, sign))
			return;
	for (i = 0; i < 3; i++)
		z += e[i] / sum * v[i].at[2];
	z = fmin(fmax(z, 0), 1);
	/* 24 bits */
	z = floor(z * 0xffffff + 0.5);
	if (flags & TOYCHIP_DEPTH && z >= p->depth)
		return;
	if (flags & TOYCHIP_DEPTH)
		p->depth = z;
	for (k = 0; k < 4; k++) {
		c[k] = 0;
		for (i = 0; i < 3; i++)
			c[k] += e[i] / sum * v[i].colour[k];
	}
	for (k = 0; k < 4; k++) {
		if (flags & TOYCHIP_BLEND)
			c[k] = c[k] * c[3] + p->colour[k] * (1 - c[3]);
	}
	/* the buffer has 8 bits */
	for (k = 0; k < 4; k++)
		p->colour[k] = nearbyint(fmin(fmax(c[k], 0), 1) * 255) / 255;
}

/* Pixels that differ by more than 1 of 255. */
static u32 compare(void)
{
	const u8 *image = mem + IMAGE;
	u32 d, i, k, bad = 0;
	int x, y;

	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			const u8 *at = image + (y * WIDTH + x) * 4;
			struct pixel *p = &want[y][x];

			p->depth = 0xffffff;
			for (k = 0; k < 4; k++)
				p->colour[k] = (frame->clear >> (8 * k) & 0xff) / 255.0;
			for (d = 0; d < frame->ndraws; d++) {
				const struct toychip_vertex *v = vertices +
					(draws[d].vertices - MEM_VA - VERTICES) / sizeof(*v);

				for (i = 0; i + 3 <= draws[d].count; i += 3)
					model_pixel(&draws[d], v + i, x, y);
			}
			for (k = 0; k < 4; k++)
				if (fabs(p->colour[k] * 255 - at[k]) > 1.001)
					break;
			bad += k < 4;
		}
	}
	return bad;
}

/* ---- frames ---- */

static const float red[4] = { 1, 0, 0, 1 }, green[4] = { 0, 1, 0, 1 }, blue[4] = { 0, 0, 1, 0.25 };

static void one_triangle(u32 flags)
{
	begin(1);
	draws[0] = (struct toychip_draw){ MEM_VA + VERTICES, 3, flags, { 20, 10, 70, 77 } };
	vertex(0, 3.5, 4.25, 0.5, red);
	vertex(1, 140, 20, 0.25, green);
	vertex(2, 60, 88.75, 0.75, blue);
}

static u32 rnd(u32 n)
{
	static u32 seed = 1;

	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Small triangles and large ones, in front of and behind each other, and beyond the frame. */
static void many_triangles(u32 ndraws)
{
	u32 i, d, n = MAX_TRIANGLES / ndraws, size;

	begin(ndraws);
	for (d = 0; d < ndraws; d++)
		draws[d] = (struct toychip_draw){
			MEM_VA + VERTICES + 3ULL * n * d * sizeof(*vertices), 3 * n, d % 8,
			{ 3, 17, 99, 71 } };
	for (i = 0; i < 3 * n * ndraws; i++) {
		float colour[4] = { rnd(256) / 255.0f, rnd(256) / 255.0f, rnd(256) / 255.0f,
				    rnd(2) };

		size = i / 3 % 50 ? 12 : 200;
		if (i % 3)
			vertex(i, vertices[i - i % 3].at[0] + rnd(16 * size) / 16.0f,
			       vertices[i - i % 3].at[1] + rnd(16 * size) / 16.0f - size / 2,
			       rnd(65536) / 65536.0f, colour);
		else
			vertex(i, rnd(WIDTH * 16) / 16.0f - 5, rnd(HEIGHT * 16) / 16.0f,
			       rnd(65536) / 65536.0f, colour);
	}
}

static void test_pictures(void)
{
	static u8 first[WIDTH * HEIGHT * 4];
	u32 simd, same = 0, n = 0, bad;
	u64 cost = 0;

	one_triangle(0);
	bad = run(vs_simd_best(), ~0ULL) ? compare() : ~0U;
	tap_result(!bad, "a triangle in six tiles (%u pixels differ)", bad);
	one_triangle(TOYCHIP_BLEND);
	bad = run(vs_simd_best(), ~0ULL) ? compare() : ~0U;
	tap_result(!bad, "blended (%u pixels differ)", bad);
	one_triangle(TOYCHIP_CLIP);
	bad = run(vs_simd_best(), ~0ULL) ? compare() : ~0U;
	tap_result(!bad, "within a box (%u pixels differ)", bad);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		memset(mem + IMAGE, 0, sizeof(first));
		memset(mem + HEAP, 0xa5, HEAP_SIZE);
		if (!n)
			many_triangles(8);
		if (!run(simd, ~0ULL))
			break;
		if (!n++) {
			memcpy(first, mem + IMAGE, sizeof(first));
			cost = weight;
		}
		same += !memcmp(first, mem + IMAGE, sizeof(first)) && cost == weight;
	}
	bad = n ? compare() : ~0U;
	tap_result(n && same == n, "%u triangles: the same pixels and weight on %u executors",
		   MAX_TRIANGLES, n);
	tap_result(!bad, "as the model draws them (%u pixels differ)", bad);
}

static void test_load(void)
{
	u32 i, bad = 0;

	one_triangle(0);
	frame->ndraws = 0;
	frame->load = 1;
	memset(mem + IMAGE, 0x5a, WIDTH * HEIGHT * 4);
	bad += !run(vs_simd_best(), ~0ULL);
	for (i = 0; i < WIDTH * HEIGHT * 4; i++)
		bad += mem[IMAGE + i] != 0x5a;
	tap_result(!bad, "an image is loaded and stored");
	bad = mem[IMAGE - 1] || mem[IMAGE + WIDTH * HEIGHT * 4];
	tap_result(!bad, "nothing around it is written");
}

static void test_faults(void)
{
	one_triangle(0);
	frame->heap_size = 256;
	tap_result(!run(vs_simd_best(), ~0ULL) && fault.kind == VS_FAULT_OVERFLOW,
		   "no room for the lists");
	one_triangle(0);
	frame->colour = MEM_VA + MEM_SIZE - 4 * WIDTH;
	tap_result(!run(vs_simd_best(), ~0ULL) && fault.kind == VS_FAULT_WRITE &&
		   fault.address == MEM_VA + MEM_SIZE, "an image that is not mapped");
	one_triangle(0);
	draws[0].vertices = 0x1000;
	tap_result(!run(vs_simd_best(), ~0ULL) && fault.kind == VS_FAULT_READ &&
		   fault.address == 0x1000, "vertices that are not mapped");
	one_triangle(0x80);
	tap_result(!run(vs_simd_best(), ~0ULL) && fault.kind == VS_FAULT_COMMAND &&
		   fault.code == TOYCHIP_BAD_FLAGS, "unknown flags");
	one_triangle(0);
	frame->width = 0;
	tap_result(!run(vs_simd_best(), ~0ULL) && fault.kind == VS_FAULT_COMMAND &&
		   fault.code == TOYCHIP_BAD_SIZE, "no pixels");
	many_triangles(1);
	tap_result(!run(vs_simd_best(), 20000) && fault.kind == VS_FAULT_BUDGET && weight < 60000,
		   "a budget that is used up");
}

int main(void)
{
	mem = calloc(1, MEM_SIZE);
	if (!mem)
		return TAP_EXIT_FAIL;
	frame = (struct toychip_frame *)mem;
	draws = (struct toychip_draw *)(mem + DRAWS);
	vertices = (struct toychip_vertex *)(mem + VERTICES);
	test_pictures();
	test_load();
	test_faults();
	free(mem);
	return tap_done();
}
