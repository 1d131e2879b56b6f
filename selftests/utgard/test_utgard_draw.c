// SPDX-License-Identifier: GPL-2.0
/*
 * Draws of Utgard GPUs, from the list of the tile list unit to written images: every mode and
 * random states, samples and formats against a model, on all builds of the engine and any number of
 * workers; images of all formats; samples; damage; records that are wrong.
 */
#include <math.h>

#include "../include/tap.h"
#include "../ref/utgard_tex_ref.h"
#include "native/utgard/utgard_lists.h"
#include "pixel/px_pack.h"
#include "scene.h"
#include "utgard_encode.h"

#define BUDGET	(1ULL << 34)

static struct scene sc;
static u64 seed = 1;
static struct frame_run how = { VS_SIMD_PORTABLE, 3000, BUDGET, 100 };

static u32 rnd(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 40) % n;
}

/* Run, and compare with the model. */
static void looks_right(const char *what)
{
	struct vs_fault f = {};
	bool ok = scene_run(&sc, &how, &f);
	u32 worst = ok ? scene_compare(&sc) : 0;

	if (!tap_result(ok && worst <= 1, "%s: difference %u", what, worst) && !ok)
		tap_comment("fault %u at 0x%llx, code %u: %s, info 0x%x, draw %u", f.kind,
			    (unsigned long long)f.address, f.code,
			    vs_native_reason_text(VS_NATIVE_UTGARD_PP_FRAME, f.code), f.info,
			    f.draw);
}

static void triangle(struct sc_draw *d, float x0, float y0, float x1, float y1, float x2, float y2,
		     float z)
{
	scene_vertex(d, x0, y0, z, 1);
	scene_vertex(d, x1, y1, z, 1);
	scene_vertex(d, x2, y2, z, 1);
}

/* A rectangle as drivers give it. */
static struct sc_draw *rectangle(float x0, float y0, float x1, float y1)
{
	struct sc_draw *d = scene_draw(&sc, SC_RECT);

	triangle(d, x1, y0, x0, y0, x0, y1, 0);
	d->index_bytes = 1;
	d->index[0] = 0;
	d->index[1] = 1;
	d->index[2] = 2;
	d->index[3] = ~0U;
	return d;
}

/* ---- modes ---- */

static void test_modes(void)
{
	static const u32 modes[] = { SC_TRIANGLES, SC_STRIP, SC_FAN, SC_QUADS, SC_QUAD_STRIP,
				     SC_POLYGON };
	static const char *const names[] = { "triangles", "strip", "fan", "quads", "quad strip",
					     "polygon" };
	struct sc_draw *d;
	u32 i, k, bytes;

	scene_begin(&sc, 64, 64);
	sc.clear = 0xffbf8040;
	looks_right("no draw");
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		for (bytes = 0; bytes <= 4; bytes += bytes ? bytes : 1) {
			scene_begin(&sc, 70, 50);
			d = scene_draw(&sc, (enum sc_mode)modes[i]);
			for (k = 0; k < 9; k++) {
				scene_vertex(d, roundf(280 + 240 * cosf(k * .7f)) / 8,
					     roundf(200 + 192 * sinf(k * .9f)) / 8, .25f, 1);
				scene_color(d, k, (k & 1) / 2.f, (k & 3) / 4.f, k / 16.f, 1);
			}
			d->index_bytes = bytes;
			/* from index 3 on, backwards */
			for (k = 0; k < 9; k++)
				d->index[k] = 3 + 8 - k;
			d->index[9] = ~0U;
			d->start = bytes ? 3 : 0;
			looks_right(names[i]);
		}
	}
	scene_begin(&sc, 64, 64);
	d = rectangle(10.25f, 20.75f, 50.5f, 60.5f);
	scene_color(d, 0, 1, .5f, .25f, 1);
	d->color[1][0] = 0;
	d->color[2][1] = 0;
	d = rectangle(60, 30, 4, 2);
	scene_color(d, 0, 0, 1, 0, 1);
	looks_right("rectangles");
	scene_begin(&sc, 256, 256);
	d = scene_draw(&sc, SC_TRIANGLES);
	scene_vertex(d, 10, 10, .1f, 1);
	scene_vertex(d, 250, 30, .9f, 8);
	scene_vertex(d, 80, 240, .5f, 2);
	scene_color(d, 0, 1, 0, 0, 1);
	d->color[1][1] = 1;
	d->color[2][2] = 1;
	looks_right("perspective");
}

/* ---- points and lines ---- */

/* Number of pixels that are not cleared, within a box. */
static u32 painted(u32 x0, u32 y0, u32 x1, u32 y1)
{
	u32 x, y, n = 0;

	for (y = 0; y < sc.height; y++)
		for (x = 0; x < sc.width; x++)
			n += scene_at(&sc, SC_COLOR, x, y) != sc.clear && x >= x0 && x <= x1 &&
			     y >= y0 && y <= y1;
	return n;
}

static void has_painted(u32 all, u32 inside, u32 x0, u32 y0, u32 x1, u32 y1, const char *what)
{
	struct vs_fault f = {};
	bool ok = scene_run(&sc, &how, &f);
	u32 n = painted(0, 0, sc.width, sc.height), in = painted(x0, y0, x1, y1);

	tap_result(ok && n == all && in == inside, "%s: %u pixels, %u in the box", what, n, in);
}

/* Mesa's -1 as the number of a register: depth is written, colors are not. */
static void test_no_color(void)
{
	struct sc_draw *d;

	scene_begin(&sc, 40, 40);
	d = rectangle(5, 5, 30, 30);
	d->word[3] |= 1;
	d->word[8] |= 0xffff0000;
	d->pos[0][2] = .25f;
	d->pos[1][2] = .25f;
	d->pos[2][2] = .25f;
	has_painted(0, 0, 0, 0, 39, 39, "program without colors");
	tap_result(scene_at(&sc, SC_DEPTH, 10, 10) != scene_at(&sc, SC_DEPTH, 35, 35),
		   "it writes depth");
	scene_begin(&sc, 40, 40);
	d = rectangle(5, 5, 30, 30);
	sc.clear = ~0U;
	/* memory at the program's address is not read */
	d->word[9] = 0x00700000;
	has_painted(25 * 25, 25 * 25, 5, 5, 29, 29, "no program: zeros are drawn");
	tap_result(!scene_at(&sc, SC_COLOR, 10, 10), "zeros");
}

static void test_thin(void)
{
	struct sc_draw *d;

	scene_begin(&sc, 64, 64);
	d = scene_draw(&sc, SC_POINTS);
	d->size = 6;
	scene_vertex(d, 20, 20, 0, 1);
	/* centres outside of the viewport are clipped, others are drawn in part */
	scene_vertex(d, -1, 20, 0, 1);
	scene_vertex(d, 20, 64.5f, 0, 1);
	scene_vertex(d, 1, 40, 0, 1);
	scene_color(d, 0, 1, 1, 1, 1);
	has_painted(36 + 24, 36, 17, 17, 22, 22, "points of one size");
	d->point_sizes = true;
	d->index_bytes = 2;
	d->index[0] = 0;
	d->index[1] = 3;
	d->index[2] = ~0U;
	has_painted(36 + 9 * 5 + 0, 36, 17, 17, 22, 22, "points of their own sizes");
	scene_begin(&sc, 64, 64);
	d = scene_draw(&sc, SC_LINES);
	scene_vertex(d, 4, 10.5f, 0, 1);
	scene_vertex(d, 14, 10.5f, 0, 1);
	scene_color(d, 0, 1, 1, 1, 1);
	has_painted(10, 10, 4, 10, 13, 10, "a line");
	d->size = 3;
	has_painted(30, 30, 4, 9, 13, 11, "a line of three pixels");
	d->size = 1;
	scene_vertex(d, 14, 20.5f, 0, 1);
	scene_vertex(d, 4, 20.5f, 0, 1);
	scene_color(d, 0, 1, 1, 1, 1);
	has_painted(20, 10, 4, 20, 13, 20, "two lines");
	d->mode = SC_LINE_STRIP;
	has_painted(10 + 10 + 9, 9, 13, 11, 13, 19, "a strip");
	d->mode = SC_LOOP;
	has_painted(10 + 10 + 9 + 10, 9, 3, 11, 3, 19, "a loop");
}

/* ---- random states ---- */

static u32 pick(const u8 *from, u32 n)
{
	return from[rnd(n)];
}

static void random_blend(u32 *w)
{
	static const u8 colors[] = { 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 13, 16, 17, 18, 21, 24,
				     25, 26, 29 };
	static const u8 alphas[] = { 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 13 };
	static const u8 funcs[] = { 0, 1, 2, 2, 4, 5 };

	w[0] = rnd(256) | rnd(256) << 16;
	w[1] = rnd(256) | rnd(256) << 16;
	if (rnd(3))
		w[2] = pick(funcs, 6) | (u32)pick(funcs, 6) << 3 |
		       (u32)pick(colors, sizeof(colors)) << 6 |
		       (u32)pick(colors, sizeof(colors)) << 11 |
		       (u32)pick(alphas, sizeof(alphas)) << 16 |
		       (u32)pick(alphas, sizeof(alphas)) << 20 | 0xcU << 24;
	w[2] = (w[2] & 0x0fffffff) | (rnd(3) ? 15U : rnd(16)) << 28;
}

static u32 random_stencil(void)
{
	if (rnd(2))
		return 0xff000007;
	return (rnd(3) ? 7 : rnd(8)) | rnd(8) << 3 | rnd(8) << 6 | rnd(8) << 9 | rnd(256) << 16 |
	       (rnd(2) ? 255 : rnd(256)) << 24;
}

static void random_state(struct sc_draw *d)
{
	u32 *w = d->word, i;

	random_blend(w);
	w[3] = rnd(2) | (rnd(2) ? 7 : rnd(8)) << 1 | 0x30;
	w[5] = random_stencil();
	w[6] = random_stencil();
	w[7] = (rnd(2) ? 0xffff : rnd(0x10000)) | rnd(256) << 16;
	w[8] = (w[8] & ~0x107U) | (rnd(3) ? 7 : rnd(8)) | (rnd(8) ? 0 : 0x100);
	w[14] = rnd(2) << 12;
	d->cull = rnd(4) ? 0 : (1 + rnd(2)) << 17;
	for (i = 0; i < 2 && !rnd(3); i++) {
		d->scissor[i] = rnd(40);
		d->scissor[i + 2] = d->scissor[i] + rnd(60);
	}
	if (!rnd(5)) {
		d->range[0] = rnd(8) / 16.f;
		d->range[1] = (8 + rnd(9)) / 16.f;
	}
}

static void random_vertex(struct sc_draw *d, float z)
{
	scene_vertex(d, (s32)rnd(140 * 4) / 4.f - 20, (s32)rnd(120 * 4) / 4.f - 20, z, 1);
}

static void random_draw(void)
{
	struct sc_draw *d = rnd(4) ? scene_draw(&sc, (enum sc_mode)(SC_TRIANGLES + rnd(6))) :
				     rectangle(rnd(400) / 4.f, rnd(400) / 4.f, rnd(400) / 4.f,
					       rnd(400) / 4.f);
	u32 i, n = 3 + rnd(4), k;
	float z = rnd(17) / 16.f, c[4];

	for (k = 0; k < 4; k++)
		c[k] = rnd(17) / 16.f;
	for (i = 0; d->mode != SC_RECT && i < n; i++)
		random_vertex(d, z);
	scene_color(d, 0, c[0], c[1], c[2], c[3]);
	for (i = 0; d->mode == SC_RECT && i < 3; i++)
		d->pos[i][2] = z;
	random_state(d);
}

/*
 * A second colour, slopes of depth and its offset, with @four also samples: depths are those at
 * samples if there are any in the tile, which the model does not know of draws without.
 */
static void random_extras(struct sc_draw *d, bool four)
{
	bool multi = four && rnd(4);
	float second[4];
	u32 i;

	if (four && !rnd(3))
		d->word[8] = (d->word[8] & ~0xf000U) | rnd(16) << 12;
	if (multi)
		d->word[8] |= 13 << 3 | (rnd(3) ? 0 : 0x80);
	for (i = 0; i < 4; i++)
		second[i] = rnd(17) / 16.f;
	if (rnd(2))
		scene_second(&sc, d, second);
	if (rnd(2) || (four && (!multi || d->mode == SC_RECT)))
		return;
	for (i = 0; i < d->n; i++)
		d->pos[i][2] = rnd(129) / 128.f;
	d->range[0] = 0;
	d->range[1] = 1;
	d->word[3] |= rnd(256) << 16 | rnd(256) << 24;
}

static void random_unit(u32 *unit, u32 bytes, bool planes)
{
	bool tiled = rnd(2);

	unit[4] = tiled ? 2 : 0;
	unit[5] = tiled ? DIV_ROUND_UP(sc.width, 16) + rnd(2) :
			  DIV_ROUND_UP(sc.width * bytes, 8) + rnd(3);
	if (!planes)
		return;
	unit[7] = 15;
	unit[8] = 0x20000;
}

/* Formats of images. */
static void random_images(bool four)
{
	static const u16 layout[] = { 0x8565, 0x8565, 0x8444, 0x8888, 0x8888, 0x8888 };
	static const u8 bytes[] = { 2, 2, 2, 4, 1, 2, 8, 2, 4 };
	u32 format = rnd(9), z16 = rnd(3);
	bool floats = format > 5;

	sc.unit[0][2] = format;
	sc.unit[0][6] = format == 4 || format == 5 || format > 6 || rnd(2) ? 4 : 0;
	sc.layout = floats ? 0 : layout[format];
	sc.flags |= floats;
	if (floats)
		sc.clear = 0;
	random_unit(sc.unit[0], bytes[format], four && !floats && rnd(2));
	if (!z16)
		sc.unit[1][2] = 14;
	random_unit(sc.unit[1], z16 ? 4 : 2, four && rnd(2));
	if (!rnd(5))
		sc.unit[rnd(2)][0] = 0;
}

static void random_scene(u32 draws, bool extras)
{
	bool four = extras && rnd(2);
	u32 i;

	scene_begin(&sc, 16 + 2 * rnd(48), 16 + rnd(90));
	sc.shift[0] = rnd(3);
	sc.shift[1] = rnd(3);
	sc.pps = 1 + rnd(4);
	sc.clear = rnd(0x1000000) << 8 | rnd(256);
	sc.clear_depth = rnd(17) * 0xffffff / 16;
	sc.clear_stencil = rnd(256);
	if (extras)
		random_images(four);
	for (i = 0; i < draws; i++) {
		random_draw();
		if (extras)
			random_extras(&sc.draw[i], four);
	}
}

static u8 *before;

/* The other GPU, with load balancing, has the same picture. */
static bool same_on_450(void)
{
	struct vs_fault f;
	bool same;

	memcpy(before, sc.fr.out, FR_OUT_SIZE);
	memset(sc.fr.out, 0, FR_OUT_SIZE);
	sc.gpu = UTF_MALI450;
	sc.dlbu = rnd(2);
	same = scene_run(&sc, &how, &f) && !memcmp(before, sc.fr.out, FR_OUT_SIZE);
	sc.gpu = UTF_MALI400;
	return same;
}

static void print_scene(void)
{
	const u32 *unit = sc.unit[0];
	u32 i;

	tap_comment("%u x %u, layout %04x, flags %x, clear %08x, %06x, %02x", sc.width, sc.height,
		    sc.layout, sc.flags, sc.clear, sc.clear_depth, sc.clear_stencil);
	for (i = 0; i < 2; i++, unit = sc.unit[1])
		tap_comment("unit %u: type %u, format %u, layout %u, flags %u, samples %u", i,
			    unit[0], unit[2], unit[4], unit[6], unit[7]);
	for (i = 0; i < sc.ndraws; i++) {
		const struct sc_draw *d = &sc.draw[i];
		const u32 *w = d->word;

		tap_comment("draw %u: mode %u, state %08x %08x %08x %08x, %08x %08x %08x %08x", i,
			    d->mode, w[0], w[1], w[2], w[3], w[5], w[6], w[7], w[8]);
		tap_comment("color %g %g %g %g, second %g %g %g %g", d->color[0][0],
			    d->color[0][1], d->color[0][2], d->color[0][3], d->second[0],
			    d->second[1], d->second[2], d->second[3]);
	}
}

/* @extras: also samples, formats, second colours and slopes */
static void test_random(enum vs_simd simd, u32 rounds, bool extras)
{
	u32 i, bad = 0, worst = 0, now, unsure = 0, pixels = 0;
	struct vs_fault f = {};

	how.simd = simd;
	for (i = 0; i < rounds && !bad; i++) {
		random_scene(1 + rnd(extras ? 4 : 10), extras);
		how.slice = 500 + rnd(20000);
		if (!scene_run(&sc, &how, &f)) {
			tap_comment("fault %u at 0x%llx code %u", f.kind,
				    (unsigned long long)f.address, f.code);
			bad++;
			continue;
		}
		now = scene_compare(&sc);
		worst = max(worst, now);
		unsure += sc.unsure;
		pixels += sc.width * sc.height;
		/* halves are rounded either way, once per draw */
		bad += now > 4 || !same_on_450();
		if (bad)
			print_scene();
	}
	how.simd = VS_SIMD_PORTABLE;
	tap_result(!bad && unsure <= pixels / 100,
		   "%s: %u random scenes%s, difference %u, %u of %u pixels not compared",
		   vs_simd_name(simd), i, extras ? " of all images" : "", worst, unsure, pixels);
}

/* ---- workers ---- */

static void test_workers(void)
{
	u32 i, k, workers, bad = 0, faults = 0;
	struct vs_fault f, want;
	struct sc_draw *d;

	scene_begin(&sc, 256, 256);
	for (k = 0; k < 20; k++) {
		d = scene_draw(&sc, SC_TRIANGLES);
		for (i = 0; i < 3; i++)
			scene_vertex(d, rnd(300), rnd(300), rnd(100) / 100.f, 1);
		scene_color(d, 0, rnd(9) / 8.f, rnd(9) / 8.f, rnd(9) / 8.f, .5f);
		random_state(d);
		/* some draws have samples of their own: their tiles begin again */
		if (!(k & 7))
			d->word[8] = (d->word[8] & ~0xf078U) | 0xf000 | 13 << 3;
	}
	bad += !scene_run(&sc, &how, &f);
	memcpy(before, sc.fr.out, FR_OUT_SIZE);
	for (workers = 2; workers <= 6; workers += 2) {
		for (i = 0; i < 6; i++) {
			memset(sc.fr.out, 0, FR_OUT_SIZE);
			how.workers = workers;
			bad += !scene_pixels(&sc, &how, &f) ||
			       memcmp(before, sc.fr.out, FR_OUT_SIZE);
		}
	}
	tap_result(!bad, "2 to 6 workers: %u runs differ", bad);
	/* the fault of the first tile, whoever draws it */
	for (i = 7; i < 16; i += 8) {
		d = &sc.draw[i];
		d->cull = 0;
		d->n = 0;
		triangle(d, 150, 10 + 10 * i, 250, 10 + 10 * i, 150, 100 + 10 * i, .5f);
		if (i == 7)
			d->word[2] = 0xfc0000db;
		else
			d->word[3] |= 15 << 6 | 0x800;
		memcpy(d->scissor, (u32 []){ 0, 0, 255, 255 }, sizeof(d->scissor));
	}
	how.workers = 1;
	scene_run(&sc, &how, &want);
	for (i = 0; i < 12; i++) {
		how.workers = 2 + i % 3;
		scene_pixels(&sc, &how, &f);
		faults += memcmp(&f, &want, sizeof(f)) || !f.kind;
	}
	how.workers = 0;
	if (!tap_result(!faults && want.kind, "faults of 2 to 4 workers: %u differ", faults))
		tap_comment("fault %u at 0x%llx, code %u, draw %u, not %u at 0x%llx, draw %u",
			    f.kind, (unsigned long long)f.address, f.code, f.draw, want.kind,
			    (unsigned long long)want.address, want.draw);
}

/* ---- images ---- */

static u32 word_at(u32 x, u32 y, u32 bytes, bool tiled, u32 pitch)
{
	const u8 *p = (u8 *)frame_at(&sc.fr, SC_COLOR);
	u32 v = 0;

	if (tiled)
		p += bytes * ((y / 16 * pitch + x / 16) * 256 + px_tile_index(x % 16, y % 16));
	else
		p += y * pitch * 8 + x * bytes;
	memcpy(&v, p, min(bytes, 4U));
	return v;
}

static void test_format(u32 format, u32 layout, u32 flags, u32 swap, u32 bytes, u32 want)
{
	static const char *const names[] = { "565", "5551", "4444", "8888", "8", "88", "16F x 4",
					     "16F", "16F x 2" };
	u32 tiled, x, y, bad, pitch, v;
	struct vs_fault f = {};
	struct sc_draw *d;
	bool ok;

	for (tiled = 0; tiled < 2; tiled++) {
		scene_begin(&sc, 40, 36);
		d = rectangle(8, 4, 32, 20);
		scene_color(d, 0, 1, .5f, .25f, .75f);
		pitch = tiled ? 5 : 40 * bytes / 8 + 2;
		sc.unit[0][2] = format;
		sc.unit[0][4] = tiled ? 2 : 0;
		sc.unit[0][5] = pitch;
		sc.unit[0][6] = swap ? 4 : 0;
		sc.unit[1][0] = 0;
		sc.layout = layout;
		sc.flags |= flags;
		ok = scene_run(&sc, &how, &f);
		for (y = 0, bad = 0; y < 36; y++) {
			for (x = 0; x < 40; x++) {
				v = word_at(x, y, bytes, tiled, pitch);
				bad += v != (x >= 8 && x < 32 && y >= 4 && y < 20 ? want : 0);
			}
		}
		tap_result(ok && !bad, "%s%s, %s: %u pixels differ, %08x", names[format],
			   swap ? ", swapped" : "", tiled ? "tiles" : "rows", bad,
			   word_at(10, 10, bytes, tiled, pitch));
	}
}

static void test_formats(void)
{
	u32 i;

	/* r 1, g 1/2, b 1/4, a 3/4 */
	test_format(0, 0x8565, 0, 0, 2, 31 << 11 | 32 << 5 | 8);
	test_format(0, 0x8565, 0, 1, 2, 8 << 11 | 32 << 5 | 31);
	test_format(1, 0x8565, 0, 0, 2, 1 << 15 | 31 << 10 | 16 << 5 | 8);
	test_format(2, 0x8444, 0, 0, 2, 11 << 12 | 15 << 8 | 8 << 4 | 4);
	test_format(3, 0x8888, 0, 0, 4, 0xbfff8040);
	test_format(3, 0x8888, 0, 1, 4, 0xbf4080ff);
	test_format(4, 0x8888, 0, 1, 1, 0xff);
	test_format(5, 0x8888, 0, 1, 2, 0x80ff);
	test_format(6, 0, 1, 1, 8, 0x38003c00);
	test_format(6, 0, 1, 0, 8, 0x38003400);
	test_format(7, 0, 1, 1, 2, 0x3c00);
	test_format(8, 0, 1, 1, 4, 0x38003c00);
	for (i = 0; i < 2; i++) {
		struct vs_fault f = {};
		struct sc_draw *d;
		bool ok;

		scene_begin(&sc, 32, 32);
		sc.clear_depth = 0x800000;
		d = rectangle(0, 0, 16, 32);
		d->word[3] = 0x31 | 7 << 1;
		d->pos[0][2] = .25f;
		d->pos[1][2] = .25f;
		d->pos[2][2] = .25f;
		sc.unit[0][0] = 0;
		sc.unit[1][2] = i ? 15 : 14;
		sc.unit[1][5] = i ? 16 : 8;
		sc.layout = 0;
		ok = scene_run(&sc, &how, &f);
		if (i)
			ok = ok && scene_at(&sc, SC_DEPTH, 3, 5) == 0x400000 &&
			     scene_at(&sc, SC_DEPTH, 20, 5) == 0x800000;
		else
			ok = ok && frame_at(&sc.fr, SC_DEPTH)[5 * 16 + 1] == 0x40004000 &&
			     frame_at(&sc.fr, SC_DEPTH)[5 * 16 + 10] == 0x80008000;
		tap_result(ok, "depth only, %s", i ? "Z24S8" : "Z16");
	}
}

/* ---- damage ---- */

static void test_damage(void)
{
	struct vs_fault f = {};
	u32 x, y, bad = 0;
	bool ok;

	scene_begin(&sc, 256, 256);
	sc.clear = 0x01020304;
	memset(sc.fr.out, 0xee, FR_OUT_SIZE);
	sc.skip[0] = 0x0000ffff00020001;
	ok = scene_run(&sc, &how, &f);
	for (y = 0; y < 256; y++) {
		for (x = 0; x < 256; x++) {
			u32 tile = x / 16 + y / 16 * 16;
			bool skipped = tile < 64 && sc.skip[0] >> tile & 1;

			bad += scene_at(&sc, SC_COLOR, x, y) != (skipped ? 0xeeeeeeee : 0x01020304);
			bad += scene_at(&sc, SC_DEPTH, x, y) != (skipped ? 0xeeeeeeee : 0xffffff);
		}
	}
	tap_result(ok && !bad, "tiles in no stream are not written: %u pixels", bad);
}

/* ---- samples ---- */

static void test_samples(void)
{
	struct vs_fault f = {};
	struct sc_draw *d;
	u32 i, x, bad = 0;
	bool ok;

	/* a colour for each sample: their mean is written */
	scene_begin(&sc, 32, 32);
	for (i = 0; i < 4; i++) {
		d = rectangle(0, 0, 16, 32);
		d->word[8] = (d->word[8] & ~0xf000U) | 1 << (12 + i);
		scene_color(d, 0, i == 0, i < 2, i < 3, 1);
	}
	ok = scene_run(&sc, &how, &f);
	tap_result(ok && scene_at(&sc, SC_COLOR, 3, 3) == 0xffbf8040 &&
		   !scene_at(&sc, SC_COLOR, 20, 3), "mean of samples: %08x",
		   scene_at(&sc, SC_COLOR, 3, 3));
	/* planes */
	sc.unit[0][7] = 15;
	sc.unit[0][8] = 0x4000;
	sc.unit[1][7] = 15;
	sc.unit[1][8] = 0x4000;
	ok = scene_run(&sc, &how, &f);
	for (i = 0; i < 4; i++)
		bad += frame_at(&sc.fr, SC_COLOR + 0x4000 * i)[5] !=
		       (0xff000000 | (i == 0 ? 0xff : 0) | (i < 2 ? 0xff00 : 0) |
			(i < 3 ? 0xff0000 : 0)) ||
		       frame_at(&sc.fr, SC_DEPTH + 0x4000 * i)[5] != 0xffffff;
	tap_result(ok && !bad, "planes of samples");
	/* an edge that covers half of the samples of its pixels */
	scene_begin(&sc, 32, 32);
	d = scene_draw(&sc, SC_TRIANGLES);
	triangle(d, 8.5f, -40, 8.5f, 80, 100, 20, 0);
	scene_color(d, 0, 1, 1, 1, 1);
	d->word[8] |= 13 << 3;
	ok = scene_run(&sc, &how, &f);
	for (x = 0, bad = 0; x < 32; x++)
		bad += scene_at(&sc, SC_COLOR, x, 20) !=
		       (x < 8 ? 0 : x == 8 ? 0x80808080 : 0xffffffff);
	tap_result(ok && !bad, "an edge through samples: %08x", scene_at(&sc, SC_COLOR, 8, 20));
	/* alpha to coverage */
	d->word[8] |= 0x80;
	scene_color(d, 0, 1, 1, 1, .5f);
	ok = scene_run(&sc, &how, &f);
	tap_result(ok && scene_at(&sc, SC_COLOR, 16, 20) == 0x40808080, "alpha to coverage: %08x",
		   scene_at(&sc, SC_COLOR, 16, 20));
}

/* ---- values of programs ---- */

/* A float of the buffer. */
static float half_at(u32 x, u32 y, u32 i)
{
	const u16 *h = (u16 *)frame_at(&sc.fr, SC_COLOR) + 4 * (y * sc.width + x) + i;
	u32 e = *h >> 10 & 31, m = *h & 1023;
	float v = e ? ldexpf(1024 + m, (int)e - 25) : ldexpf(m, -24);

	return *h >> 15 ? -v : v;
}

static void begin_halves(void)
{
	scene_begin(&sc, 32, 32);
	sc.flags |= 1;
	sc.layout = 0;
	sc.unit[0][2] = 6;
	sc.unit[0][5] = 32;
}

static void test_values(void)
{
	struct vs_fault f = {};
	struct sc_draw *d;
	u32 x, y, bad;
	bool ok;

	begin_halves();
	scene_program(&sc, FR_CODE, UPP_FROM_CUBE, UPP_CUBE_FRAG_COORD, 4);
	d = scene_draw(&sc, SC_TRIANGLES);
	scene_vertex(d, 0, 0, .25f, 2);
	scene_vertex(d, 32, 0, .25f, 2);
	scene_vertex(d, 0, 32, .25f, 2);
	ok = scene_run(&sc, &how, &f);
	for (y = 0, bad = 0; y < 32; y++)
		for (x = 0; x + y < 31; x++)
			bad += half_at(x, y, 0) != x + .5f || half_at(x, y, 1) != 31.5f - y ||
			       half_at(x, y, 2) != .25f || half_at(x, y, 3) != 2;
	tap_result(ok && !bad, "coordinates: %g %g %g %g", half_at(3, 4, 0), half_at(3, 4, 1),
		   half_at(3, 4, 2), half_at(3, 4, 3));
	frame_at(&sc.fr, FR_PP)[21] &= ~0x400U;
	ok = scene_pixels(&sc, &how, &f);
	tap_result(ok && half_at(3, 4, 1) == 4.5f, "rows downwards: %g", half_at(3, 4, 1));

	begin_halves();
	scene_program(&sc, FR_CODE, UPP_FROM_POINT, 0, 4);
	d = scene_draw(&sc, SC_POINTS);
	d->size = 8;
	scene_vertex(d, 12, 14, 0, 1);
	ok = scene_run(&sc, &how, &f);
	for (y = 0, bad = 0; y < 8; y++)
		for (x = 0; x < 8; x++)
			bad += half_at(8 + x, 10 + y, 0) != (x + .5f) / 8 ||
			       half_at(8 + x, 10 + y, 1) != (y + .5f) / 8;
	tap_result(ok && !bad, "coordinates in a point: %g %g", half_at(9, 11, 0),
		   half_at(9, 11, 1));
	frame_at(&sc.fr, FR_PP)[21] |= 0x100;
	ok = scene_pixels(&sc, &how, &f);
	tap_result(ok && half_at(9, 11, 1) == .8125f, "rows of points upwards: %g",
		   half_at(9, 11, 1));

	for (x = 0; x < 4; x++) {
		u32 i;

		begin_halves();
		d = rectangle(0, 0, 32, 32);
		d->word[10] = x;
		scene_make(&sc);
		for (i = 0; i < 3; i++) {
			u32 *v = frame_at(&sc.fr, SC_VARYINGS + 16 * i);

			v[0] = x < 2 ? 0x3f000000 : 0x34003800;
			v[1] = x < 2 ? 0x3e800000 : 0x3a003c00;
			v[2] = 0x3f800000;
			v[3] = 0x3f400000;
		}
		ok = !frame_run(&sc.fr, VS_NATIVE_UTGARD_GP_FRAME, sc.gpu, &how, &f) && !f.kind &&
		     scene_pixels(&sc, &how, &f);
		tap_result(ok && half_at(3, 4, 0) == .5f && half_at(3, 4, 1) == .25f &&
			   half_at(3, 4, 2) == (x & 1 ? 0 : 1) &&
			   half_at(3, 4, 3) == (x & 1 ? 1 : .75f),
			   "varying of type %u: %g %g %g %g", x, half_at(3, 4, 0),
			   half_at(3, 4, 1), half_at(3, 4, 2), half_at(3, 4, 3));
	}
}

/* ---- reloads ---- */

/* Depth, and stencil, from a texture of the same size; what is read is written again. */
static void test_reload(u32 texel, u32 unit, u32 state, u32 bytes, const char *what)
{
	static const u32 program[] = {
		0x000005e6, 0xf1003c20, 0x00000000, 0x39001000, 0x00000e4e, 0x000007cf,
	};
	const u32 image = FR_OUT + 0xc0000;
	struct sc_draw *d;
	struct vs_fault f = {};
	u32 *t, i;
	bool ok;

	scene_begin(&sc, 32, 32);
	for (i = 0; i < 32 * 32 * bytes / 4; i++)
		frame_at(&sc.fr, image)[i] = i * 0x9e3779b9;
	memcpy(frame_at(&sc.fr, FR_CODE), program, sizeof(program));
	sc.unit[0][0] = 0;
	sc.unit[1][2] = unit;
	sc.unit[1][5] = 32 * bytes / 8;
	sc.layout = 0;
	d = rectangle(0, 0, 32, 32);
	d->color[0][0] = 1;
	d->color[2][1] = 1;
	d->word[2] &= 0x0fffffff;
	d->word[3] = 0x3f | state;
	d->word[5] = 0xff00024f;
	d->word[6] = 0xff00024f;
	d->word[9] = FR_CODE | 6;
	d->word[10] = 1;
	d->word[12] = FR_LIST;
	d->word[13] |= 1 << 14 | 0x20;
	frame_at(&sc.fr, FR_LIST)[0] = FR_LIST + 64;
	t = frame_at(&sc.fr, FR_LIST + 64);
	utr_set(t, UTR_FORMAT, 6, texel);
	utr_set(t, UTR_DIM, 2, 1);
	utr_set(t, UTR_WIDTH, 13, 32);
	utr_set(t, UTR_HEIGHT, 13, 32);
	utr_set(t, UTR_MIN_NEAREST, 1, 1);
	utr_set(t, UTR_MAG_NEAREST, 1, 1);
	utr_set(t, UTR_MIPS, 26, image >> 6);
	ok = scene_run(&sc, &how, &f);
	if (!tap_result(ok && !memcmp(frame_at(&sc.fr, image), frame_at(&sc.fr, SC_DEPTH),
				      32 * 32 * bytes), "reload of %s", what))
		tap_comment("fault %u, code %u, %08x for %08x", f.kind, f.code,
			    frame_at(&sc.fr, SC_DEPTH)[1], frame_at(&sc.fr, image)[1]);
}

static void test_reloads(void)
{
	test_reload(0x32, 15, 0x1c00, 4, "Z24S8");
	test_reload(0x12, 14, 0x800, 2, "Z16");
}

/* ---- what is wrong ---- */

static void faults_at(bool gp, u32 kind, u64 va, u32 code, const char *what)
{
	struct frame_run pp = how;
	struct vs_fault f = {};

	if (gp) {
		frame_run(&sc.fr, VS_NATIVE_UTGARD_GP_FRAME, sc.gpu, &how, &f);
	} else {
		pp.va = FR_PP;
		frame_run(&sc.fr, VS_NATIVE_UTGARD_PP_FRAME, sc.gpu, &pp, &f);
	}
	if (!tap_result(f.kind == kind && (f.address == va || va == ~0ULL) &&
			(!code || f.code == code),
			"%s: %s", what, code ? vs_native_reason_text(VS_NATIVE_UTGARD_PP_FRAME,
								     code) : "fault"))
		tap_comment("fault %u at 0x%llx, code %u, info 0x%x", f.kind,
			    (unsigned long long)f.address, f.code, f.info);
}

static void good_scene(void)
{
	struct vs_fault f = {};
	struct sc_draw *d;

	scene_begin(&sc, 64, 64);
	d = scene_draw(&sc, SC_TRIANGLES);
	triangle(d, 2, 2, 60, 5, 10, 60, .5f);
	scene_color(d, 0, 1, 0, 0, 1);
	if (!scene_run(&sc, &how, &f))
		tap_result(false, "a scene that is right");
}

/* The command of the list with an opcode. */
static u32 *find_plbu(u32 opcode, u32 mask)
{
	u32 va = FR_PLBU;

	while ((frame_at(&sc.fr, va)[1] & mask) != opcode)
		va += 8;
	return frame_at(&sc.fr, va);
}

static u32 va_of(const u32 *w)
{
	return FR_DATA + (u32)((const u8 *)w - sc.fr.data);
}

static void bad_list(u32 opcode, u32 mask, u32 word, u32 value, u32 reason, bool at_draw,
		     const char *what)
{
	u32 *w;

	good_scene();
	w = find_plbu(opcode, mask);
	w[word] = value;
	faults_at(true, VS_FAULT_COMMAND, at_draw ? va_of(find_plbu(4 << 16, 0xffff0000)) :
		  va_of(w), reason, what);
}

static void test_bad_lists(void)
{
	u32 *w, i;

	bad_list(0x1000010c, ~0U, 0, 9, UTF_BAD_VALUE, false, "blocks of 512 tiles");
	bad_list(0x1000010c, ~0U, 0, 0x30000000, UTF_BAD_VALUE, false, "block step 3");
	bad_list(0x10000109, ~0U, 0, 256 << 8, UTF_BAD_VALUE, false, "257 rows");
	bad_list(0x10000109, ~0U, 0, 4 << 24 | 3 << 8, UTF_BAD_COUNT, true,
		 "more columns than blocks");
	bad_list(0x10000109, ~0U, 0, 3 << 24 | 4 << 8, UTF_BAD_COUNT, true,
		 "more rows than blocks");
	bad_list(0x10000109, ~0U, 1, 0x1000010a, UTF_UNKNOWN_BITS, false, "no size");
	bad_list(0x30000000, ~0U, 0, 0, UTF_BAD_COUNT, true, "a stride of 256");
	bad_list(0x28000000, 0xff000000, 1, 0x1000010d, UTF_MISSING, true, "no blocks");
	bad_list(0x70000000, 0xf0000000, 0, 0x4000, UTF_UNKNOWN_BITS, false, "scissor");
	good_scene();
	w = find_plbu(0x1000010a, ~0U);
	w[1] = 0x30000000;
	w[0] = 5;
	/* before the draw it is allowed, and is too much for the number of blocks */
	faults_at(true, VS_FAULT_COMMAND, va_of(find_plbu(4 << 16, 0xffff0000)), UTF_BAD_COUNT,
		  "another stride");
	good_scene();
	w = find_plbu(0x50000000, ~0U);
	w[0] = 5;
	w[1] = 0x30000000;
	faults_at(true, VS_FAULT_COMMAND, va_of(w), UTF_BAD_ORDER, "a stride after draws");
	good_scene();
	w = find_plbu(0x1000010b, ~0U) + 2;
	while (w[1] != 0x1000010b)
		w += 2;
	w[0] |= 0xc00;
	faults_at(true, VS_FAULT_COMMAND, va_of(w), UTF_BAD_VALUE, "index size 3");
	good_scene();
	w = find_plbu(4 << 16, 0xffff0000);
	w[1] = 0;
	find_plbu(0x1000010b, ~0U)[0] = 0x2200;
	for (i = FR_PLBU; frame_at(&sc.fr, i)[1] != 0; i += 8)
		if (frame_at(&sc.fr, i)[1] == 0x1000010b)
			frame_at(&sc.fr, i)[0] = 0x2200;
	faults_at(true, VS_FAULT_COMMAND, va_of(w), UTF_MISSING, "points without sizes");
	good_scene();
	find_plbu(4 << 16, 0xffff0000)[1] |= 0x200000;
	faults_at(true, VS_FAULT_COMMAND, va_of(find_plbu(0x240000, 0xffff0000)), UTF_MISSING,
		  "elements without indices");
	/* memory */
	good_scene();
	frame_at(&sc.fr, FR_ARRAY)[5] = 0x00700000;
	faults_at(true, VS_FAULT_WRITE, 0x00700000, 0, "a block that is nowhere");
	good_scene();
	find_plbu(0x28000000, 0xff000000)[0] = 0x00700000;
	faults_at(true, VS_FAULT_READ, 0x00700000, 0, "addresses of blocks that are nowhere");
	good_scene();
	find_plbu(0x80000000, 0xf0000000)[1] = 0x80000000 | 0x00700000 >> 4;
	faults_at(true, VS_FAULT_READ, 0x00700000, 0, "vertices that are nowhere");
	faults_at(false, VS_FAULT_NONE, ~0ULL, 0, "what is left of a frame that faulted");
	/* the heap */
	good_scene();
	frame_at(&sc.fr, FR_FRAME)[UTF_GP_HEAP_END] = FR_HEAP;
	faults_at(true, VS_FAULT_OVERFLOW, FR_HEAP, 0, "no heap");
	frame_at(&sc.fr, FR_FRAME)[UTF_GP_HEAP_END] = FR_HEAP + 64;
	faults_at(true, VS_FAULT_NONE, ~0ULL, 0, "a heap that is just enough");
	scene_begin(&sc, 16, 16);
	for (i = 0; i < 22; i++)
		triangle(i ? &sc.draw[0] : scene_draw(&sc, SC_TRIANGLES), 1, 1, 15, 1, 1, 15, 0);
	scene_make(&sc);
	frame_at(&sc.fr, FR_FRAME)[UTF_GP_HEAP_END] = FR_HEAP + 64 + 504;
	faults_at(true, VS_FAULT_OVERFLOW, FR_HEAP + 64, 0, "a heap that ends in a list");
	frame_at(&sc.fr, FR_FRAME)[UTF_GP_HEAP_END] = FR_HEAP + 64 + 512;
	faults_at(true, VS_FAULT_NONE, ~0ULL, 0, "a heap that does not");
}

static struct utl_block *block(void)
{
	return (struct utl_block *)frame_at(&sc.fr, FR_BLOCKS);
}

/* Words of the frame, of streams, of lists. */
static void bad_word(u32 word, u32 value, u32 reason, const char *what)
{
	good_scene();
	frame_at(&sc.fr, FR_PP)[word] = value;
	faults_at(false, VS_FAULT_COMMAND, FR_PP + 4 * word, reason, what);
}

static void bad_state(u32 word, u32 value, u32 reason, const char *what)
{
	good_scene();
	frame_at(&sc.fr, FR_STATE)[word] = value;
	faults_at(false, VS_FAULT_COMMAND, FR_STATE + 4 * word, reason, what);
}

static void bad_stream(u32 word, u32 value, u32 reason, const char *what)
{
	good_scene();
	frame_at(&sc.fr, SC_STREAMS)[word] = value;
	faults_at(false, VS_FAULT_COMMAND, SC_STREAMS + word / 2 * 8, reason, what);
}

static void test_bad_pixels(void)
{
	struct utl_draw *d;
	u32 va;

	bad_word(3, 0x22, UTF_UNUSED_VALUE, "lower left origin");
	bad_word(6, 1, UTF_BAD_SAMPLES, "clear colours");
	bad_word(10, 0x1003f, UTF_UNUSED_VALUE, "left bound");
	bad_word(10, 4096, UTF_BAD_VALUE, "4097 columns");
	bad_word(11, 4096, UTF_BAD_VALUE, "4097 rows");
	bad_word(13, 1025, UTF_BAD_COUNT, "stack of 1025 rows");
	bad_word(16, 2, UTF_UNUSED_VALUE, "origin");
	bad_word(18, 0x76, UTF_UNUSED_VALUE, "subpixels");
	bad_word(19, 2, UTF_UNUSED_VALUE, "tie break");
	bad_word(21, 0xe0d, UTF_UNUSED_VALUE, "scale of points");
	bad_word(22, 0x8665, UTF_UNUSED_VALUE, "layout");
	good_scene();
	frame_at(&sc.fr, FR_PP)[22] = 0;
	faults_at(false, VS_FAULT_NONE, ~0ULL, 0, "colours without a layout");
	bad_word(31, 7, UTF_UNUSED_VALUE, "three samples");
	good_scene();
	frame_at(&sc.fr, FR_PP)[26] = 4;
	frame_at(&sc.fr, FR_PP)[30] = 0;
	faults_at(false, VS_FAULT_COMMAND, FR_PP + 4 * 30, UTF_UNUSED_VALUE, "blue only");

	bad_stream(1, 0xb9000000, UTF_BAD_COMMAND, "command");
	bad_stream(1, 0xb8010000, UTF_UNKNOWN_BITS, "tile");
	bad_stream(0, 1, UTF_UNKNOWN_BITS, "tile");
	bad_stream(2, 0xe0000001, UTF_UNKNOWN_BITS, "list");
	bad_stream(3, 0xb0000001, UTF_UNKNOWN_BITS, "list");
	good_scene();
	frame_at(&sc.fr, SC_STREAMS)[1] = 0xb8000004;
	faults_at(false, VS_FAULT_COMMAND, SC_STREAMS + 8, UTF_BAD_LIST, "a tile that is outside");
	bad_stream(1, 0xb0000000, UTF_UNKNOWN_BITS, "a list without a tile");
	good_scene();
	frame_at(&sc.fr, FR_PP)[60] = 0x00700000;
	faults_at(false, VS_FAULT_READ, 0x00700000, 0, "a stream that is nowhere");
	good_scene();
	frame_at(&sc.fr, SC_STREAMS)[2] = 0xe0000002 | 0x00700000 >> 3;
	faults_at(false, VS_FAULT_READ, 0x00700000, 0, "a list that is nowhere");

	good_scene();
	block()->magic++;
	faults_at(false, VS_FAULT_COMMAND, FR_BLOCKS, UTF_BAD_LIST, "a block that is none");
	good_scene();
	block()->n = UTL_BLOCK_PRIMS + 1;
	faults_at(false, VS_FAULT_COMMAND, FR_BLOCKS, UTF_BAD_LIST, "too many primitives");
	good_scene();
	block()->prim[0].n = 4;
	faults_at(false, VS_FAULT_COMMAND, FR_BLOCKS, UTF_BAD_LIST, "a primitive of four corners");
	good_scene();
	block()->prim[0].v[1] = 0x10000000;
	faults_at(false, VS_FAULT_READ, SC_POSITIONS + 0x100000000ULL, 0, "a vertex far away");
	good_scene();
	block()->prim[0].draw = 0x00700000;
	faults_at(false, VS_FAULT_READ, 0x00700000, 0, "a draw that is nowhere");
	good_scene();
	va = block()->prim[0].draw;
	d = (struct utl_draw *)frame_at(&sc.fr, va);
	d->magic++;
	faults_at(false, VS_FAULT_COMMAND, va, UTF_BAD_LIST, "a draw that is none");
	d->magic--;
	d->state += 4;
	faults_at(false, VS_FAULT_COMMAND, va, UTF_MISALIGNED, "a state");
	d->state = 0x00700000;
	faults_at(false, VS_FAULT_READ, 0x00700000, 0, "a state that is nowhere");
	/* a list without an end */
	good_scene();
	block()->n = 0;
	block()->next = FR_BLOCKS;
	how.budget = 100000;
	faults_at(false, VS_FAULT_BUDGET, ~0ULL, 0, "an endless list");
	how.budget = BUDGET;
	good_scene();
	d = (struct utl_draw *)frame_at(&sc.fr, block()->prim[0].draw);
	d->clip[0] = -5;
	d->clip[2] = 0x7fffffff;
	d->clip[1] = 70000;
	d->clip[3] = -1;
	faults_at(false, VS_FAULT_NONE, ~0ULL, 0, "a scissor of any numbers");

	bad_state(2, 0xfc3b1ad3, UTF_LOGIC_OP, "half a logic operation");
	bad_state(2, 0xfc0000db, UTF_LOGIC_OP, "logic operation");
	bad_state(8, 0x1234f807, UTF_BAD_REGISTER, "a register for each sample");
	bad_state(8, 0x6666f807, UTF_BAD_REGISTER, "register 6");
	bad_state(8, 0xfffff806, UTF_BAD_REGISTER, "alpha test of no color");
	bad_state(3, 0xbbe, UTF_BAD_REGISTER, "depth in register 14");
	bad_state(10, 4, UTF_BAD_VARYING, "varying of type 4");
	good_scene();
	frame_at(&sc.fr, FR_STATE)[2] = (0xfc3b1ad2 & ~0x7c0U) | 5 << 6;
	frame_at(&sc.fr, FR_STATE)[13] |= 0x70000000;
	faults_at(false, VS_FAULT_COMMAND, FR_STATE + 4 * 13, UTF_BAD_REGISTER, "second colour");
	good_scene();
	frame_at(&sc.fr, FR_STATE)[9] = 0x00700002;
	faults_at(false, VS_FAULT_FETCH, 0x00700000, 0, "a program that is nowhere");
	good_scene();
	frame_at(&sc.fr, FR_STATE)[15] = 0x00700000;
	faults_at(false, VS_FAULT_READ, 0x00700000, 0, "varyings that are nowhere");
	good_scene();
	frame_at(&sc.fr, FR_PP)[25] = 0x00700000;
	faults_at(false, VS_FAULT_WRITE, 0x00700000, 0, "an image that is nowhere");
}

int main(int argc, char **argv)
{
	u32 simd, n = 60;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--long"))
			n = 2000;
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 0);
	}
	tap_comment("seed %llu", (unsigned long long)seed);
	before = malloc(FR_OUT_SIZE);
	if (!before)
		return 1;
	scene_new(&sc);
	test_modes();
	test_no_color();
	test_thin();
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		for (i = 0; i < 2 && vs_simd_mask() & BIT(simd); i++)
			test_random((enum vs_simd)simd, n, i);
	test_workers();
	test_formats();
	test_damage();
	test_samples();
	test_values();
	test_reloads();
	test_bad_lists();
	test_bad_pixels();
	frame_free(&sc.fr);
	free(before);
	return tap_done();
}
