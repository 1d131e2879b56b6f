// SPDX-License-Identifier: GPL-2.0
/*
 * Frames against a scalar model, with a description of surfaces and with a render list, on every
 * executor and with several workers: all have equal images.
 */
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "model.h"

static u32 seed = 1;

static u32 rnd(u32 n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static float real(float lo, float hi)
{
	return lo + (hi - lo) * (float)rnd(10000) / 9999;
}

/* ---- drawing ---- */

/* Draw the scene, whose model is drawn, in all ways. */
static void check(struct scene *s, u32 most, const char *name)
{
	u32 bad = 0, worst = 0, ways = 0, other = 0, list, simd, threads, limit;
	static u8 before[SC_SIZE - SC_COLOR], first[sizeof(before)];
	u8 *images = sc_mem + SC_COLOR;
	bool ok = true;

	memcpy(before, images, sizeof(before));
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		for (list = 0; list < 2; list++) {
			for (threads = 1; threads <= 3; threads += 2) {
				memcpy(images, before, sizeof(before));
				sc_how.simd = simd;
				sc_how.threads = threads;
				s->list = list;
				ok &= sc_draw(s);
				if (!ways++) {
					bad = model_differences(s, most, &worst);
					memcpy(first, images, sizeof(first));
				}
				other += !!memcmp(images, first, sizeof(first));
			}
		}
	}
	limit = 0;
	tap_result(ok && bad <= limit && !other,
		   "%s: %ux%u%s: largest difference %u, %u pixels; %u of %u ways differ", name,
		   s->width, s->height, s->ms ? ", 4 samples" : "", worst, bad, other, ways);
}

/* Coordinate whose position is @n sixteenths of a pixel and a half of one, from the centre. */
static float grid(const struct scene *s, int n, bool y, float w)
{
	return (n + (n < 0 ? -0.5f : 0.5f)) / (8.0f * (y ? s->height : s->width)) * w;
}

static u32 random_vertex(struct scene *s, bool perspective)
{
	float w = perspective ? real(0.5, 4) : 1, vary[4];
	int x = (int)rnd(20 * s->width) - (int)(10 * s->width);
	int y = (int)rnd(20 * s->height) - (int)(10 * s->height);
	u32 k;

	for (k = 0; k < 4; k++)
		vary[k] = real(0, 1);
	return sc_vertex(s, grid(s, x, false, w), grid(s, y, true, w), real(-0.9f, 0.9f) * w, w,
			 vary);
}

static const struct sc_vertex *vertex(u32 i)
{
	return (const struct sc_vertex *)(sc_mem + SC_VERTICES) + i;
}

static void model_index(const struct scene *s, const struct model_draw *d, u32 a, u32 b, u32 c)
{
	const struct sc_vertex *const v[3] = { vertex(a), vertex(b), vertex(c) };

	model_triangle(s, d, v, v[2]);
}

static void clear(struct scene *s)
{
	s->clear[0] = 0x80604020;
	s->clear[1] = 0x80604020;
	s->clear[2] = 0xc00000;
	s->clear[3] = 0x5a;
}

static void triangles(u32 width, u32 height, bool ms, enum sc_layout layout, u32 bytes, u32 n)
{
	struct model_draw d;
	struct scene s;
	char name[80];
	u32 i;

	sc_begin(&s, width, height, ms);
	clear(&s);
	s.layout = layout;
	s.bytes = bytes;
	s.full = ms;
	model_begin(&s);
	model_draw_init(&s, &d, SC_VARYING);
	sc_state(&s, SC_VARYING, 4, 5, NULL, 0);
	for (i = 0; i < 3 * n; i++)
		random_vertex(&s, true);
	sc_array(&s, 4, 0, 3 * n);
	for (i = 0; i < n; i++)
		model_index(&s, &d, 3 * i, 3 * i + 1, 3 * i + 2);
	sc_end(&s);
	snprintf(name, sizeof(name), "%u triangles, %s, %u bytes", n,
		 layout == SC_T ? "T" : layout == SC_LT ? "LT" : "raster", bytes);
	check(&s, 1, name);
}

static void sizes(void)
{
	static const u8 some[] = { 1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 130 };
	u32 i, n = ARRAY_SIZE(some);

	for (i = 0; i < n; i++)
		triangles(some[i], some[(i * 7 + 3) % n], i % 3 == 2, i % 3, i % 2 ? 4 : 2, 5);
}

/* A rectangle of two triangles with all of depth. */
static u32 quad(struct scene *s, float x0, float y0, float x1, float y1, float z0, float z1)
{
	static const float vary[4] = { 0.25, 0.5, 0.75, 1 };
	u32 first = sc_vertex(s, x0, y0, z0, 1, vary);

	sc_vertex(s, x1, y0, z1, 1, vary);
	sc_vertex(s, x0, y1, z0, 1, vary);
	sc_vertex(s, x1, y1, z1, 1, vary);
	return first;
}

static void depth(bool ms)
{
	struct model_draw d;
	struct scene s;
	u32 i, first;

	sc_begin(&s, 96, 80, ms);
	clear(&s);
	s.zs = true;
	s.full = ms;
	model_begin(&s);
	for (i = 0; i < 16; i++) {
		model_draw_init(&s, &d, SC_DEPTH);
		d.func = i % 8;
		d.update = i & 8;
		d.uniforms[0] = 0x01010101 * (i + 1);
		sc_config(&s, 0x3 | (ms ? 0x40 : 0), d.func << 4 | (d.update ? 0x80 : 0), 2);
		sc_state(&s, SC_DEPTH, 4, 5, d.uniforms, 1);
		first = random_vertex(&s, false);
		random_vertex(&s, false);
		random_vertex(&s, false);
		sc_array(&s, 4, first, 3);
		model_index(&s, &d, first, first + 1, first + 2);
	}
	sc_end(&s);
	check(&s, 0, "depth functions");
}

static void offset(void)
{
	struct model_draw d;
	struct scene s;
	u32 first;

	sc_begin(&s, 64, 64, false);
	clear(&s);
	s.clear[2] = 0xffffff;
	s.zs = true;
	model_begin(&s);
	model_draw_init(&s, &d, SC_DEPTH);
	d.update = true;
	d.factor = 2;
	d.units = 1024;
	d.uniforms[0] = 0x12345678;
	sc_8(&s, VC4_DEPTH_OFFSET);
	sc_16(&s, 0x4000);
	sc_16(&s, 0x4480);
	sc_config(&s, 0xb, 0xf0, 0);
	sc_state(&s, SC_DEPTH, 4, 5, d.uniforms, 1);
	first = quad(&s, -0.75, -0.75, 0.75, 0.75, -0.5, 0.25);
	sc_array(&s, 5, first, 4);
	model_index(&s, &d, first, first + 1, first + 2);
	model_index(&s, &d, first + 2, first + 1, first + 3);
	sc_end(&s);
	check(&s, 0, "depth offset");
}

/* Operations and functions of both sides, write masks with and without codes. */
static void stencil(bool ms)
{
	struct model_draw d;
	struct scene s;
	u32 i, first, op;

	sc_begin(&s, 96, 96, ms);
	clear(&s);
	s.zs = true;
	s.full = ms;
	model_begin(&s);
	for (i = 0; i < 64; i++) {
		model_draw_init(&s, &d, SC_STENCIL);
		op = i % 8;
		d.func = rnd(8);
		d.update = rnd(2);
		d.uniforms[0] = (1 + rnd(3)) << 30 | rnd(4) << 28 | op << 25 | rnd(8) << 22 |
				(i / 8) << 19 | rnd(8) << 16 | rnd(256) << 8 | rnd(256);
		d.uniforms[1] = rnd(2) ? rnd(0x10000) :
				3U << 30 | rnd(4) << 28 | rnd(8) << 25 | op << 22 | rnd(8) << 19 |
				rnd(8) << 16 | rnd(256) << 8 | rnd(256);
		d.uniforms[2] = 0x01030507 * (i + 1);
		sc_config(&s, 0x3 | (ms ? 0x40 : 0), d.func << 4 | (d.update ? 0x80 : 0), 2);
		sc_state(&s, SC_STENCIL, 4, 5, d.uniforms, 3);
		first = random_vertex(&s, false);
		random_vertex(&s, false);
		random_vertex(&s, false);
		sc_array(&s, 4, first, 3);
		model_index(&s, &d, first, first + 1, first + 2);
	}
	sc_end(&s);
	check(&s, 0, "stencil");
}

static void windows(void)
{
	static const u32 some[][4] = { { 0, 0, 0, 10 }, { 10, 10, 5, 0 }, { 63, 63, 2, 2 },
				       { 20, 30, 40, 50 }, { 0, 100, 130, 1 } };
	struct model_draw d;
	struct scene s;
	u32 i, first;

	sc_begin(&s, 130, 110, false);
	clear(&s);
	model_begin(&s);
	first = quad(&s, -1, -1, 1, 1, 0, 0);
	for (i = 0; i < ARRAY_SIZE(some); i++) {
		model_draw_init(&s, &d, SC_PLACE);
		memcpy(d.window, some[i], sizeof(d.window));
		sc_window(&s, some[i][0], some[i][1], some[i][2], some[i][3]);
		sc_state(&s, SC_PLACE, 4, 5, NULL, 0);
		sc_array(&s, 5, first, 4);
		model_index(&s, &d, first, first + 1, first + 2);
		model_index(&s, &d, first + 2, first + 1, first + 3);
	}
	sc_end(&s);
	check(&s, 0, "clip windows, coordinates of pixels");
}

static void faces(void)
{
	struct model_draw d;
	struct scene s;
	u32 i, k, first;

	sc_begin(&s, 128, 128, false);
	clear(&s);
	model_begin(&s);
	for (i = 0; i < 8; i++) {
		model_draw_init(&s, &d, SC_FACE);
		d.uniforms[0] = 0x100 * (i + 1);
		d.front = i & 1;
		d.back = i & 2;
		d.cw = i & 4;
		sc_config(&s, i, 0x70, 0);
		sc_state(&s, SC_FACE, 4, 5, d.uniforms, 1);
		for (k = 0; k < 6; k++) {
			first = random_vertex(&s, false);
			random_vertex(&s, false);
			random_vertex(&s, false);
			sc_array(&s, 4, first, 3);
			model_index(&s, &d, first, first + 1, first + 2);
		}
	}
	sc_end(&s);
	check(&s, 0, "faces");
}

/* Strips, fans, indices of one and two bytes, flat varyings. */
static void modes(void)
{
	struct model_draw d;
	struct scene s;
	u16 index[12];
	u32 i, mode, k;

	for (mode = 5; mode <= 6; mode++) {
		sc_begin(&s, 100, 90, false);
		clear(&s);
		model_begin(&s);
		for (i = 0; i < 200; i++)
			random_vertex(&s, true);
		for (k = 0; k < 3; k++) {
			model_draw_init(&s, &d, SC_VARYING);
			d.flat = k ? 5 : 0;
			sc_8(&s, VC4_FLAT);
			sc_32(&s, d.flat);
			sc_state(&s, SC_VARYING, 4, 5, NULL, 0);
			for (i = 0; i < 12; i++)
				index[i] = k ? (u16)rnd(200) : (u16)(20 + i);
			if (k)
				sc_indexed(&s, mode, index, 12, k == 2);
			else
				sc_array(&s, mode, 20, 12);
			for (i = 2; i < 12; i++) {
				const struct sc_vertex *last = vertex(index[i]);
				const struct sc_vertex *const v[3] = {
					vertex(mode == 6 ? index[0] : index[i - 2 + (i & 1)]),
					vertex(mode == 6 ? index[i - 1] : index[i - 1 - (i & 1)]),
					last,
				};

				model_triangle(&s, &d, v, last);
			}
		}
		sc_end(&s);
		check(&s, 1, mode == 5 ? "strips" : "fans");
	}
}

static void points(bool ms, bool sized)
{
	static const float size[] = { 0.125, 1, 2, 3.5, 9, 64, 200 };
	struct model_draw d;
	struct scene s;
	u32 i, v, flags = sized ? 7 : 5;

	sc_begin(&s, 150, 140, ms);
	clear(&s);
	s.full = ms;
	model_begin(&s);
	for (i = 0; i < 2 * ARRAY_SIZE(size); i++) {
		float vary[4] = { 0, 0, 0, size[i % 7] };

		model_draw_init(&s, &d, SC_POINT);
		d.size = size[i % 7];
		v = sc_vertex(&s, grid(&s, (int)rnd(2000) - 1000, false, 1),
			      grid(&s, (int)rnd(2000) - 1000, true, 1), 0, 1, vary);
		sc_8(&s, VC4_POINT_SIZE);
		sc_float(&s, sized ? 7 : size[i % 7]);
		sc_state(&s, SC_POINT, 4, flags, NULL, 0);
		sc_array(&s, 0, v, 1);
		model_point(&s, &d, vertex(v));
	}
	sc_end(&s);
	check(&s, 1, sized ? "points with sizes of vertices" : "points");
}

/* Colour of each sample plus a number, three times at each pixel. */
static void samples(void)
{
	struct model_draw d;
	struct scene s;
	u32 i, first;

	sc_begin(&s, 70, 60, true);
	clear(&s);
	s.full = true;
	model_begin(&s);
	for (i = 0; i < 12; i++) {
		model_draw_init(&s, &d, SC_ADD);
		d.uniforms[0] = 0x01000000 + i;
		d.single = i & 1;
		sc_config(&s, d.single ? 3 : 0x43, 0x70, 0);
		sc_state(&s, SC_ADD, 4, 5, d.uniforms, 1);
		first = random_vertex(&s, false);
		random_vertex(&s, false);
		random_vertex(&s, false);
		sc_array(&s, 4, first, 3);
		model_index(&s, &d, first, first + 1, first + 2);
	}
	sc_end(&s);
	check(&s, 0, "colour of each sample");
}

static void masks(void)
{
	struct model_draw d;
	struct scene s;
	u32 first;

	sc_begin(&s, 64, 64, true);
	clear(&s);
	s.full = true;
	model_begin(&s);
	model_draw_init(&s, &d, SC_MASK);
	sc_state(&s, SC_MASK, 4, 5, NULL, 0);
	first = random_vertex(&s, false);
	random_vertex(&s, false);
	random_vertex(&s, false);
	sc_array(&s, 4, first, 3);
	model_index(&s, &d, first, first + 1, first + 2);
	sc_end(&s);
	check(&s, 0, "sample masks");
}

/* A second frame on the images of the first one. */
static void load(bool ms, enum sc_layout layout, u32 bytes, bool full)
{
	struct model_draw d;
	struct scene s;
	u32 i, k, x, y, first, v;
	char name[80];

	sc_begin(&s, 100, 75, ms);
	clear(&s);
	s.load = true;
	s.zs = true;
	s.full = full;
	s.layout = layout;
	s.bytes = bytes;
	for (i = 0; i < SC_SIZE - SC_COLOR; i++)
		sc_mem[SC_COLOR + i] = (u8)((i * 2654435761u) >> 17);
	for (y = 0; y < s.height; y++) {
		for (x = 0; x < s.width; x++) {
			for (k = 0; k < 4; k++) {
				u32 zs = full ? sc_sample(&s, SC_FULL_ZS, x, y, k) :
						sc_pixel(&s, SC_ZS, 4, x, y);

				v = full ? sc_sample(&s, SC_FULL_COLOR, x, y, k) :
					   sc_pixel(&s, SC_COLOR, bytes, x, y);
				if (bytes == 2 && !full) {
					u32 r = v >> 11, g = v >> 5 & 63, b = v & 31;

					v = (r << 3 | r >> 2) | (g << 2 | g >> 4) << 8 |
					    (b << 3 | b >> 2) << 16 | 0xff000000;
				}
				model[y][x][k] = (struct model_sample){ .color = v, .z = zs >> 8,
									.s = zs & 255 };
			}
		}
	}
	model_draw_init(&s, &d, SC_DEPTH);
	d.func = 1;
	d.update = true;
	d.uniforms[0] = 0x40302010;
	sc_config(&s, ms ? 0x43 : 3, 0x90, 0);
	sc_state(&s, SC_DEPTH, 4, 5, d.uniforms, 1);
	for (i = 0; i < 4; i++) {
		first = random_vertex(&s, false);
		random_vertex(&s, false);
		random_vertex(&s, false);
		sc_array(&s, 4, first, 3);
		model_index(&s, &d, first, first + 1, first + 2);
	}
	sc_end(&s);
	snprintf(name, sizeof(name), "loads, %s, %u bytes%s",
		 layout == SC_T ? "T" : layout == SC_LT ? "LT" : "raster", bytes,
		 full ? ", all samples" : "");
	check(&s, 0, name);
}

/* Nothing is drawn. */
static void empty(void)
{
	struct scene s;

	sc_begin(&s, 200, 70, false);
	clear(&s);
	s.zs = true;
	model_begin(&s);
	sc_end(&s);
	check(&s, 0, "clear");
}

int main(void)
{
	u32 i;

	if (sc_init()) {
		tap_result(false, "programs are assembled");
		return tap_done();
	}
	empty();
	for (i = 0; i < 6; i++)
		triangles(150, 120, i & 1, i % 3, 4, 30);
	sizes();
	depth(false);
	depth(true);
	offset();
	stencil(false);
	stencil(true);
	windows();
	faces();
	modes();
	points(false, false);
	points(true, false);
	points(false, true);
	samples();
	masks();
	for (i = 0; i < 3; i++) {
		load(false, i, 4, false);
		load(i == 1, i, 2, false);
	}
	load(true, SC_T, 4, false);
	load(true, SC_T, 4, true);
	return tap_done();
}
