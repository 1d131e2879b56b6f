// SPDX-License-Identifier: GPL-2.0
/*
 * Lists: clipping, lines, records of shaded vertices, memory for tile lists; lists that are not
 * valid, and random ones.
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

static void start(struct scene *s, u32 width, u32 height)
{
	sc_begin(s, width, height, false);
	s->clear[0] = 0x11223344;
	s->clear[1] = 0x11223344;
}

/* ---- clipping ---- */

/*
 * Of a triangle in clip coordinates: is a pixel's centre inside, and inside of near and far plane?
 * Homogeneous edge functions, without window coordinates. @margin: pixels that are too near to an
 * edge.
 */
static int inside(const struct scene *s, const struct sc_vertex *v, u32 x, u32 y, double vary[4])
{
	double nx = (x + 0.5) / s->width * 2 - 1, ny = (y + 0.5) / s->height * 2 - 1, e[3], sum;
	double step = 2.0 / s->width + 2.0 / s->height, size, det = 0;
	u32 i, k, doubt = 0;

	for (i = 0; i < 3; i++) {
		const float *a = v[(i + 1) % 3].at, *b = v[(i + 2) % 3].at;
		double cx = (double)a[1] * b[3] - (double)a[3] * b[1];
		double cy = (double)a[3] * b[0] - (double)a[0] * b[3];
		double cw = (double)a[0] * b[1] - (double)a[1] * b[0];

		e[i] = cx * nx + cy * ny + cw;
		det += cx * v[i].at[0] + cy * v[i].at[1] + cw * v[i].at[3];
		size = (fabs(cx) + fabs(cy)) * step;
		doubt |= fabs(e[i]) < size;
	}
	for (i = 0; i < 3; i++)
		e[i] /= det;
	sum = e[0] + e[1] + e[2];
	for (k = 0; k < 4; k++)
		vary[k] = (e[0] * v[0].vary[k] + e[1] * v[1].vary[k] + e[2] * v[2].vary[k]) / sum;
	for (i = 0; i < 3; i++)
		if (e[i] < 0 && !doubt)
			return 0;
	return doubt ? -1 : 1;
}

/* Depth of the pixel, -1 near to 1 far. */
static double depth_at(const struct scene *s, const struct sc_vertex *v, u32 x, u32 y)
{
	double nx = (x + 0.5) / s->width * 2 - 1, ny = (y + 0.5) / s->height * 2 - 1, e[3];
	double z = 0, w = 0;
	u32 i;

	for (i = 0; i < 3; i++) {
		const float *a = v[(i + 1) % 3].at, *b = v[(i + 2) % 3].at;

		e[i] = ((double)a[1] * b[3] - (double)a[3] * b[1]) * nx +
		       ((double)a[3] * b[0] - (double)a[0] * b[3]) * ny +
		       ((double)a[0] * b[1] - (double)a[1] * b[0]);
		z += e[i] * v[i].at[2];
		w += e[i] * v[i].at[3];
	}
	return z / w;
}

static void clipped(const struct sc_vertex *v, bool flat, const char *name)
{
	u32 x, y, k, bad = 0, worst = 0, covered = 0, d;
	struct scene s;
	double vary[4], z;
	int in;
	bool ok;

	start(&s, 96, 80);
	sc_8(&s, VC4_FLAT);
	sc_32(&s, flat ? 15 : 0);
	sc_state(&s, SC_VARYING, 4, 5, NULL, 0);
	for (k = 0; k < 3; k++)
		sc_vertex(&s, v[k].at[0], v[k].at[1], v[k].at[2], v[k].at[3], v[k].vary);
	sc_array(&s, 4, 0, 3);
	sc_end(&s);
	ok = sc_draw(&s);
	for (y = 0; y < s.height; y++) {
		for (x = 0; x < s.width; x++) {
			u32 p = sc_pixel(&s, SC_COLOR, 4, x, y);

			in = inside(&s, v, x, y, vary);
			z = depth_at(&s, v, x, y);
			if (in < 0 || fabs(fabs(z) - 1) < 0.05)
				continue;
			if (!in || fabs(z) > 1) {
				bad += p != s.clear[0];
				continue;
			}
			covered++;
			for (k = 0; k < 4; k++) {
				double want = flat ? v[2].vary[k] : vary[k];

				d = (u32)fabs((p >> (8 * k) & 255) - want * 255);
				worst = d > worst ? d : worst;
			}
		}
	}
	tap_result(ok && !bad && worst <= 3 && covered > 100,
		   "clipping: %s: %u pixels, largest difference %u, %u are wrong", name, covered,
		   worst,
		   bad);
}

static void clipping(void)
{
	static const struct sc_vertex near[3] = {
		{ { -0.9f, -0.9f, -2, 1 }, { 1, 0, 0, 1 } }, { { 0.9f, -0.9f, 0.5f, 1 },
							       { 0, 1, 0, 1 } },
		{ { 0, 0.9f, 0.5f, 1 }, { 0, 0, 1, 0.5f } },
	}, far[3] = {
		{ { -0.9f, -0.9f, 3, 1 }, { 1, 0, 0, 1 } }, { { 0.9f, -0.9f, 0.5f, 1 },
							      { 0, 1, 0, 1 } },
		{ { 0, 0.9f, -0.5f, 1 }, { 0, 0, 1, 0.5f } },
	}, both[3] = {
		{ { -0.9f, -0.9f, -3, 1 }, { 1, 0, 0, 1 } }, { { 0.9f, -0.9f, 3, 1 },
							       { 0, 1, 0, 1 } },
		{ { 0, 0.9f, 0, 1 }, { 0, 0, 1, 0.5f } },
	}, behind[3] = {
		{ { -0.5f, -0.9f, -1, -0.5f }, { 1, 0, 0, 1 } }, { { 2, -1.5f, 1, 3 },
								   { 0, 1, 0, 1 } },
		{ { -1, 2.5f, 1.5f, 3 }, { 0, 0, 1, 0.5f } },
	}, band[3] = {
		{ { -900, -700, 0, 1 }, { 1, 0, 0, 1 } }, { { 800, -600, 0, 1 }, { 0, 1, 0, 1 } },
		{ { 30, 900, 0, 1 }, { 0, 0, 1, 0.5f } },
	};

	clipped(near, false, "near plane");
	clipped(far, false, "far plane");
	clipped(both, false, "near and far plane");
	clipped(behind, false, "a corner behind the eye");
	clipped(band, false, "corners far away");
	clipped(near, true, "near plane, flat");
	clipped(both, true, "near and far plane, flat");
}

/* A point is drawn if its centre is in the view volume. */
static void points(void)
{
	static const float at[][4] = { { 0.99f, 0, 0, 1 }, { 1.01f, 0, 0, 1 }, { 0, -1.01f, 0, 1 },
				       { 0, 0, 1.01f, 1 }, { 0, 0, -1.01f, 1 }, { 0, 0, 0.5f,
										  -1 } };
	u32 i, x, y, n, color = 0x55667788;
	struct scene s;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		start(&s, 64, 64);
		sc_8(&s, VC4_POINT_SIZE);
		sc_float(&s, 8);
		sc_state(&s, SC_UNIFORM, 4, 5, &color, 1);
		sc_vertex(&s, at[i][0], at[i][1], at[i][2], at[i][3], NULL);
		sc_array(&s, 0, 0, 1);
		sc_end(&s);
		ok = sc_draw(&s);
		for (n = 0, y = 0; y < 64; y++)
			for (x = 0; x < 64; x++)
				n += sc_pixel(&s, SC_COLOR, 4, x, y) == color;
		tap_result(ok && n == (i ? 0U : 32U), "point %u of %u: %u pixels", i,
			   (u32)ARRAY_SIZE(at), n);
	}
}

/* ---- lines ---- */

/* Horizontal and vertical lines, and the coordinate along them. */
static void lines(void)
{
	u32 i, k, bad = 0, n, width, x, y, c;
	struct scene s;
	bool ok = true;

	for (width = 1; width <= 5; width += 2) {
		for (i = 0; i < 2; i++) {
			start(&s, 64, 64);
			sc_8(&s, VC4_LINE_WIDTH);
			sc_float(&s, width);
			sc_state(&s, SC_LINE, 4, 5, NULL, 0);
			/* from 8.5 to 56.5, at 20.5 */
			for (k = 0; k < 2; k++) {
				float a = ((k ? 56.5f : 8.5f) - 32) / 32, b = (20.5f - 32) / 32;

				sc_vertex(&s, i ? b : a, i ? a : b, 0, 1, NULL);
			}
			sc_array(&s, 1, 0, 2);
			sc_end(&s);
			ok &= sc_draw(&s);
			for (n = 0, y = 0; y < 64; y++) {
				for (x = 0; x < 64; x++) {
					u32 along = i ? y : x, across = i ? x : y;
					bool want = along >= 8 && along < 56 &&
						    across + width / 2 >= 20 &&
						    across <= 20 + width / 2;

					c = sc_pixel(&s, SC_COLOR, 4, x, y);
					bad += (c != s.clear[0]) != want;
					if (!want || c == s.clear[0])
						continue;
					n++;
					bad += abs((int)(c & 255) - (int)((along - 8) * 255 / 48.0 +
									  0.5)) > 1;
				}
			}
			tap_result(ok && !bad && n == 48 * width,
				   "line of width %u, %s: %u pixels, %u are wrong",
				   width, i ? "down" : "across", n, bad);
		}
	}
}

/* Strip and loop: each end belongs to one line. */
static void loops(void)
{
	static const float corner[4][2] = { { 8.5f, 8.5f }, { 40.5f, 8.5f }, { 40.5f, 40.5f },
					    { 8.5f, 40.5f } };
	u32 mode, k, n, x, y, one = 1;
	struct scene s;
	bool ok;

	for (mode = 2; mode <= 3; mode++) {
		start(&s, 64, 64);
		s.clear[0] = 0;
		s.clear[1] = 0;
		sc_state(&s, SC_UNIFORM, 4, 5, &one, 1);
		for (k = 0; k < 4; k++)
			sc_vertex(&s, (corner[k][0] - 32) / 32, (corner[k][1] - 32) / 32, 0, 1,
				  NULL);
		sc_array(&s, mode, 0, 4);
		sc_end(&s);
		ok = sc_draw(&s);
		for (n = 0, y = 0; y < 64; y++)
			for (x = 0; x < 64; x++)
				n += sc_pixel(&s, SC_COLOR, 4, x, y);
		tap_result(ok && n == (mode == 2 ? 128 : 96), "%s of lines: %u pixels",
			   mode == 2 ? "loop" : "strip", n);
	}
}

/* ---- records ---- */

static void put32(u32 at, u32 v)
{
	memcpy(sc_mem + at, &v, 4);
}

/* Vertices that are shaded already, with and without clip coordinates. */
static void shaded(bool coords)
{
	static const s16 at[3][2] = { { -30 * 16, -30 * 16 }, { 30 * 16, -30 * 16 },
				      { -30 * 16, 30 * 16 } };
	u32 words = 3 + 4 + (coords ? 4 : 0), i, k, x, y, n = 0, bad = 0, p;
	struct scene s;
	float f;
	bool ok;

	start(&s, 64, 64);
	/* the fragment program of a record of the usual form */
	sc_state(&s, SC_VARYING, 4, 5, NULL, 0);
	s.at -= 5;
	sc_8(&s, VC4_NV_STATE);
	sc_32(&s, SC_BASE + SC_RECORDS + 0x1000);
	memcpy(sc_mem + SC_RECORDS + 0x1004, sc_mem + SC_RECORDS + 4, 8);
	sc_mem[SC_RECORDS + 0x1000] = coords ? 0xd : 1;
	sc_mem[SC_RECORDS + 0x1001] = (u8)(4 * words);
	sc_mem[SC_RECORDS + 0x1002] = 0;
	sc_mem[SC_RECORDS + 0x1003] = 4;
	put32(SC_RECORDS + 0x100c, SC_BASE + SC_VERTICES);
	for (i = 0; i < 3; i++) {
		u32 to = SC_VERTICES + 4 * words * i;

		for (k = 0; k < 4 && coords; k++, to += 4) {
			f = k < 2 ? at[i][k] / 512.0f : k == 3;
			memcpy(sc_mem + to, &f, 4);
		}
		put32(to, (u16)at[i][0] | (u32)(u16)at[i][1] << 16);
		f = 0.5;
		memcpy(sc_mem + to + 4, &f, 4);
		f = 1;
		memcpy(sc_mem + to + 8, &f, 4);
		for (k = 0; k < 4; k++) {
			f = 0.2f * (k + 1);
			memcpy(sc_mem + to + 12 + 4 * k, &f, 4);
		}
	}
	sc_array(&s, 4, 0, 3);
	sc_end(&s);
	ok = sc_draw(&s);
	for (y = 0; y < 64; y++) {
		for (x = 0; x < 64; x++) {
			p = sc_pixel(&s, SC_COLOR, 4, x, y);
			n += p != s.clear[0];
			bad += p != s.clear[0] && p != 0xcc996633;
		}
	}
	/* 60 x 60 / 2 and a half of the diagonal */
	tap_result(ok && !bad && n >= 1770 && n <= 1830,
		   "shaded vertices%s: %u pixels, %u are wrong",
		   coords ? " with clip coordinates" : "", n, bad);
}

/* Strides above 255. */
static void extended(void)
{
	u32 color = 0x0badcafe, at, n = 0, x, y;
	struct scene s;
	float f[3][2] = { { -1, -1 }, { 3, -1 }, { -1, 3 } };
	bool ok;

	start(&s, 64, 64);
	sc_state(&s, SC_UNIFORM, 4, 5, &color, 1);
	at = SC_RECORDS;
	s.at -= 4;
	sc_32(&s, (SC_BASE + at) | 8 | 2);
	sc_mem[at + 41] = 0x34;
	sc_mem[at + 49] = 0x34;
	put32(at + 100, 0x1200);
	put32(at + 104, 0x1200);
	for (x = 0; x < 3; x++) {
		float v[4] = { f[x][0], f[x][1], 0, 1 };

		memcpy(sc_mem + SC_VERTICES + 0x1234 * x, v, 16);
	}
	sc_array(&s, 4, 0, 3);
	sc_end(&s);
	ok = sc_draw(&s);
	for (y = 0; y < 64; y++)
		for (x = 0; x < 64; x++)
			n += sc_pixel(&s, SC_COLOR, 4, x, y) == color;
	tap_result(ok && n == 4096, "extended record: %u pixels", n);
}

/* ---- memory for lists ---- */

/* One draw in each of 4096 tiles of a frame; many draws in one tile. */
static void many(u32 tiles, u32 draws, u32 memory, bool fits)
{
	u32 width = tiles * 64, i, x, y, bad = 0, w[4], color = 0x01020304;
	struct scene s;
	int ret;

	sc_begin(&s, width, width, false);
	s.layout = SC_LT;
	put32(SC_LIST + 5, memory);
	sc_state(&s, SC_UNIFORM, 4, 5, &color, 1);
	sc_vertex(&s, -1, -1, 0, 1, NULL);
	sc_vertex(&s, 3, -1, 0, 1, NULL);
	sc_vertex(&s, -1, 3, 0, 1, NULL);
	for (i = 0; i < draws; i++) {
		sc_window(&s, i % width, 0, 1, 1 + (i ? 0 : width));
		sc_array(&s, 4, 0, 3);
	}
	sc_window(&s, 0, 0, width, width);
	sc_array(&s, 4, 0, 3);
	sc_end(&s);
	w[0] = SC_BASE + SC_LIST;
	w[1] = SC_BASE + s.at;
	w[2] = SC_BASE + SC_MORE;
	w[3] = fits ? SC_MORE_SIZE : 0x1000;
	ret = sc_run(VS_NATIVE_VC4_BIN, w, fits ? 4 : 2);
	if (!fits) {
		tap_result(!ret && sc_fault.kind == VS_FAULT_OVERFLOW,
			   "%u x %u tiles, %u draws: memory for lists is used up", tiles, tiles,
			   draws);
		return;
	}
	if (!ret && !sc_fault.kind && tiles <= 4)
		ret = sc_render(&s);
	for (y = 0; y < width && tiles <= 4; y++)
		for (x = 0; x < width; x++)
			bad += sc_pixel(&s, SC_COLOR, 4, x, y) != color;
	tap_result(!ret && !sc_fault.kind && !bad,
		   "%u x %u tiles, %u draws: fault %u, %u pixels are wrong",
		   tiles, tiles, draws, sc_fault.kind, bad);
}

/* ---- lists that are not valid ---- */

/* A small valid frame. */
static void small(struct scene *s)
{
	static const u32 color = 0x0a0b0c0d;

	start(s, 64, 64);
	sc_state(s, SC_UNIFORM, 4, 5, &color, 1);
	sc_vertex(s, -1, -1, 0, 1, NULL);
	sc_vertex(s, 3, -1, 0, 1, NULL);
	sc_vertex(s, -1, 3, 0, 1, NULL);
}

static void refused(struct scene *s, u32 kind, u32 why, const char *name)
{
	int ret = sc_bin(s);

	tap_result(!ret && sc_fault.kind == kind &&
		   (kind != VS_FAULT_COMMAND || sc_fault.code == why),
		   "bin list: %s: fault %u, code %u (%s)", name, sc_fault.kind, sc_fault.code,
		   kind == VS_FAULT_COMMAND ?
		   vs_native_reason_text(VS_NATIVE_VC4_BIN, sc_fault.code) : "");
}

static void bad_bins(void)
{
	static const u8 unknown[] = { 0x02, 0x0a, 0x13, 0x22, 0x30, 0x42, 0x6b, 0x74, 0xfe, 0xff };
	struct scene s;
	u32 i;
	char name[64];

	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		small(&s);
		sc_8(&s, unknown[i]);
		snprintf(name, sizeof(name), "packet %#x", unknown[i]);
		refused(&s, VS_FAULT_COMMAND, VC4_BAD_PACKET, name);
	}
	small(&s);
	sc_8(&s, VC4_STORE_MS);
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_PACKET, "a packet of render lists");
	small(&s);
	sc_8(&s, VC4_ARRAY);
	sc_32(&s, 3);
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_END, "ends in a packet");
	small(&s);
	sc_8(&s, VC4_START_BINNING);
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_ORDER, "starts twice");
	small(&s);
	memcpy(sc_mem + s.at, sc_mem + SC_LIST, 16);
	s.at += 16;
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_ORDER, "two configurations");
	small(&s);
	sc_mem[SC_LIST] = VC4_NOP;
	memset(sc_mem + SC_LIST, VC4_NOP, 16);
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_ORDER, "no configuration");
	for (i = 13; i <= 14; i++) {
		small(&s);
		sc_mem[SC_LIST + i] = 0;
		refused(&s, VS_FAULT_COMMAND, VC4_BAD_VALUE, "no tiles");
	}
	small(&s);
	sc_mem[SC_LIST + 15] |= 0x80;
	refused(&s, VS_FAULT_COMMAND, VC4_UNUSED_VALUE, "double buffer");
	small(&s);
	sc_config(&s, 3, 0x71, 0);
	refused(&s, VS_FAULT_COMMAND, VC4_UNUSED_VALUE, "coverage pipe");
	small(&s);
	sc_array(&s, 7, 0, 3);
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_VALUE, "unknown mode");
	small(&s);
	sc_mem[SC_RECORDS + 3] = 62;
	sc_array(&s, 4, 0, 3);
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_RECORD, "too many varyings");
	small(&s);
	sc_mem[SC_RECORDS + 16] |= 4;
	sc_array(&s, 4, 0, 3);
	refused(&s, VS_FAULT_COMMAND, VC4_BAD_RECORD, "misaligned code");
	small(&s);
	s.at = SC_LIST + 16;
	sc_8(&s, VC4_START_BINNING);
	sc_array(&s, 4, 0, 3);
	refused(&s, VS_FAULT_COMMAND, VC4_MISSING, "a draw without state");
	small(&s);
	put32(SC_RECORDS + 36, SC_BASE + SC_SIZE - 16);
	sc_array(&s, 4, 0, 3);
	refused(&s, VS_FAULT_READ, 0, "vertices that are not mapped");
	small(&s);
	put32(SC_RECORDS + 28, SC_BASE + SC_SIZE);
	sc_array(&s, 4, 0, 3);
	refused(&s, VS_FAULT_FETCH, 0, "code that is not mapped");
	small(&s);
	sc_8(&s, VC4_BRANCH);
	sc_32(&s, SC_BASE + SC_SIZE);
	refused(&s, VS_FAULT_READ, 0, "a branch to memory that is not mapped");
	small(&s);
	sc_8(&s, VC4_BRANCH);
	sc_32(&s, SC_BASE + s.at - 1);
	refused(&s, VS_FAULT_COMMAND, VC4_LIMIT, "a branch to itself");
	small(&s);
	put32(SC_LIST + 5, 31);
	refused(&s, VS_FAULT_OVERFLOW, 0, "no memory for tile lists");
	small(&s);
	sc_how.budget = 2000;
	for (i = 0; i < 100; i++)
		sc_array(&s, 4, 0, 3000);
	refused(&s, VS_FAULT_BUDGET, 0, "budget");
	sc_how.budget = 1ULL << 40;
}

/* Change some bytes of the render list. */
static void bad_list(u32 at, u32 v, u32 kind, u32 why, const char *name)
{
	u32 w[VC4_RENDER_LIST_WORDS] = { VC4_RENDER_CL, SC_BASE + SC_RCL };
	struct scene s;
	int ret;

	small(&s);
	sc_array(&s, 4, 0, 3);
	sc_end(&s);
	sc_bin(&s);
	w[2] = SC_BASE + sc_render_list(&s);
	sc_mem[SC_RCL + at] = (u8)v;
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_LIST_WORDS);
	tap_result(!ret && sc_fault.kind == kind &&
		   (kind != VS_FAULT_COMMAND || sc_fault.code == why),
		   "render list: %s: %d, fault %u, code %u", name, ret, sc_fault.kind,
		   sc_fault.code);
}

static void bad_renders(void)
{
	u32 w[VC4_RENDER_DESC_WORDS];
	struct scene s;
	int ret;

	/* configuration, clear values, tile, store, tile, wait, branch, store */
	bad_list(0, 0x74, VS_FAULT_COMMAND, VC4_BAD_PACKET, "unknown packet");
	bad_list(0, VC4_ARRAY, VS_FAULT_COMMAND, VC4_BAD_PACKET, "a draw");
	bad_list(5, 0, VS_FAULT_COMMAND, VC4_BAD_VALUE, "no width");
	bad_list(9, 0x46, VS_FAULT_COMMAND, VC4_UNUSED_VALUE, "64 bits of colour");
	bad_list(9, 0xc4, VS_FAULT_COMMAND, VC4_UNUSED_VALUE, "unknown layout");
	bad_list(36, 1, VS_FAULT_COMMAND, VC4_BAD_VALUE, "a tile outside of the frame");
	bad_list(43, 0x70, VS_FAULT_READ, 0, "a list that is not mapped");
	bad_list(44, VC4_STORE_FULL, VS_FAULT_COMMAND, VC4_BAD_END, "ends in a packet");
	small(&s);
	sc_array(&s, 4, 0, 3);
	sc_end(&s);
	sc_bin(&s);
	sc_describe(&s, w);
	w[VC4_RENDER_LISTS] = SC_BASE + SC_RCL + 0x10000;
	put32(SC_RCL + 0x10000, 0);
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	tap_result(!ret && sc_fault.kind == VS_FAULT_COMMAND && sc_fault.code == VC4_BAD_LIST,
		   "description: no tile list: fault %u, code %u", sc_fault.kind, sc_fault.code);
	sc_describe(&s, w);
	w[VC4_RENDER_TILES] = 0x01000000;
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	tap_result(ret == -ENOEXEC && sc_fault.code == VC4_BAD_VALUE, "description: tiles: %d",
		   ret);
	sc_describe(&s, w);
	w[VC4_RENDER_SURFACES + 2 * VC4_COLOR_WRITE] |= 8;
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	tap_result(ret == -ENOEXEC, "description: misaligned surface: %d", ret);
	sc_describe(&s, w);
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, 6);
	tap_result(ret == -EINVAL, "description: too short: %d", ret);
	sc_describe(&s, w);
	w[VC4_RENDER_SURFACES + 2 * VC4_COLOR_WRITE] = 0x30000000;
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	tap_result(!ret && sc_fault.kind == VS_FAULT_WRITE,
		   "description: image that is not mapped: %u",
		   sc_fault.kind);
}

/* Surfaces have the name of one buffer and may be of the other. */
static void other_buffers(void)
{
	u32 w[VC4_RENDER_DESC_WORDS], *zs = w + VC4_RENDER_SURFACES + 2 * VC4_ZS_WRITE, layout;
	struct scene s;
	int ret;

	small(&s);
	sc_array(&s, 4, 0, 3);
	sc_end(&s);
	sc_bin(&s);
	sc_describe(&s, w);
	layout = w[VC4_RENDER_SURFACES + 2 * VC4_COLOR_WRITE + 1] >> 6 & 3;
	zs[0] = SC_BASE + SC_ZS;
	zs[1] = 1 | layout << 4;
	memset(sc_mem + SC_ZS, 0x55, 4 * s.width * s.height);
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	tap_result(!ret && !sc_fault.kind && s.bytes == 4 &&
		   !memcmp(sc_mem + SC_ZS, sc_mem + SC_COLOR, 4 * s.width * s.height),
		   "description: colours as the depth surface: %d, fault %u", ret, sc_fault.kind);
	zs[1] = 0x102;
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	tap_result(ret == -ENOEXEC, "description: depth with a format: %d", ret);
	zs[1] = 3;
	ret = sc_run(VS_NATIVE_VC4_RENDER, w, VC4_RENDER_DESC_WORDS);
	tap_result(ret == -ENOEXEC, "description: unknown buffer: %d", ret);
}

/* ---- counters ---- */

#define COUNTERS	(SC_RCL + 0x10000)

/* A frame of @threads workers, with counters that begin with @begin. */
static bool count_frame(u32 threads, u64 begin, u64 n[VC4_NUM_EVENTS])
{
	static const float some[4] = { 1, 0, 1, 3 };
	/* no stencil test */
	const u32 color[3] = { 0xf24f00ff, 0xffff, 0x01010101 };
	struct scene s;
	bool ok;
	u32 i;

	sc_begin(&s, 500, 300, false);
	s.zs = true;
	s.clear[2] = 0xc00000;
	sc_config(&s, 1, 0x90, 0);
	sc_state(&s, SC_STENCIL, 4, 7, color, 3);
	seed = 77;
	for (i = 0; i < 300; i++)
		sc_vertex(&s, rnd(400) / 100.0f - 2, rnd(400) / 100.0f - 2,
			  rnd(300) / 100.0f - 1.5f, 1, some);
	sc_array(&s, 4, 0, 300);
	sc_end(&s);
	for (i = 0; i < VC4_NUM_EVENTS; i++)
		memcpy(sc_mem + COUNTERS + 8 * i, &begin, sizeof(begin));
	sc_how.threads = threads;
	sc_how.counters = SC_BASE + COUNTERS;
	sc_how.counter_bytes = VC4_COUNTER_BYTES;
	ok = sc_draw(&s);
	memcpy(n, sc_mem + COUNTERS, VC4_COUNTER_BYTES);
	return ok;
}

/* Counters do not depend on the number of workers; sums of them agree; they are added to. */
static void counters(void)
{
	const u32 words[] = { SC_BASE + SC_LIST, SC_BASE + SC_LIST };
	u64 one[VC4_NUM_EVENTS], n[VC4_NUM_EVENTS];
	u32 threads = sc_how.threads, i;
	bool ok;
	int ret;

	ok = count_frame(1, 0, one);
	tap_result(ok && one[VC4_EV_PRIMS] && one[VC4_EV_REVERSED] && one[VC4_EV_CLIPPED] &&
		   one[VC4_EV_OUTSIDE] && one[VC4_EV_ZS] && one[VC4_EV_NO_ZS] &&
		   one[VC4_EV_NO_ZS] + one[VC4_EV_ZS] == one[VC4_EV_QUADS] &&
		   one[VC4_EV_COVERAGE] + one[VC4_EV_NO_COVERAGE] == one[VC4_EV_QUADS] &&
		   one[VC4_EV_COLOR] == one[VC4_EV_ZS] &&
		   one[VC4_EV_VERTEX_CYCLES] + one[VC4_EV_FRAGMENT_CYCLES] == one[VC4_EV_CYCLES],
		   "counters: %llu quads, %llu pass, %llu do not",
		   (unsigned long long)one[VC4_EV_QUADS], (unsigned long long)one[VC4_EV_ZS],
		   (unsigned long long)one[VC4_EV_NO_ZS]);
	ok = count_frame(3, 1000, n);
	/* each worker shades the vertices of its tiles */
	n[VC4_EV_VERTEX_CYCLES] = 1000 + one[VC4_EV_VERTEX_CYCLES];
	n[VC4_EV_CYCLES] = 1000 + one[VC4_EV_CYCLES];
	for (i = 0; i < VC4_NUM_EVENTS; i++)
		ok &= n[i] == one[i] + 1000;
	tap_result(ok, "counters of three workers are those of one");
	sc_how.threads = threads;
	sc_how.counters = SC_BASE + SC_SIZE;
	ret = sc_run(VS_NATIVE_VC4_BIN, words, ARRAY_SIZE(words));
	tap_result(!ret && sc_fault.kind, "counters that are not mapped: fault %u", sc_fault.kind);
	sc_how.counter_bytes = 8;
	ret = sc_run(VS_NATIVE_VC4_BIN, words, ARRAY_SIZE(words));
	tap_result(ret == -EINVAL, "counters of 8 bytes: %d", ret);
	sc_how.counters = 0;
	sc_how.counter_bytes = VC4_COUNTER_BYTES;
	ret = sc_run(VS_NATIVE_VC4_BIN, words, ARRAY_SIZE(words));
	tap_result(ret == -EINVAL, "counters without an address: %d", ret);
	sc_how.counter_bytes = 0;
}

/* ---- random changes ---- */

/* Bytes of a frame's lists, records, programs and tile lists are changed: it ends. */
static void changed(u32 rounds)
{
	static const u32 where[] = { SC_LIST, SC_RCL, SC_RECORDS, SC_UNIFORMS, SC_CODE, SC_VERTICES,
				     SC_TILES };
	static const float some[4] = { 1, 0, 1, 3 };
	u32 i, k, n, faults = 0, color[2] = { 0x01010101, 1 };
	struct scene s;
	int ret;

	sc_how.budget = 3000000;
	for (i = 0; i < rounds; i++) {
		sc_begin(&s, 100, 70, i & 1);
		s.zs = i & 2;
		s.full = i & 1;
		s.list = i & 4;
		sc_state(&s, i % SC_NUM_PROGRAMS, 4, i & 8 ? 7 : 5, color, 2);
		for (k = 0; k < 40; k++)
			sc_vertex(&s, rnd(400) / 100.0f - 2, rnd(400) / 100.0f - 2,
				  rnd(400) / 100.0f - 2, rnd(200) / 100.0f, some);
		sc_array(&s, rnd(7), 0, 40);
		sc_end(&s);
		for (k = 0; k < 3 && i % 3; k++) {
			n = where[rnd(6)] + rnd(120);
			sc_mem[n] = (u8)rnd(256);
		}
		ret = sc_bin(&s);
		faults += ret || sc_fault.kind;
		for (k = 0; k < 4 && i % 5 == 0; k++)
			sc_mem[SC_TILES + rnd(2000)] = (u8)rnd(256);
		ret = sc_render(&s);
		faults += ret || sc_fault.kind;
		for (k = 0; k < ARRAY_SIZE(where); k++)
			memset(sc_mem + where[k], 0, 0x2000);
	}
	sc_how.budget = 1ULL << 40;
	tap_result(faults && faults < 2 * rounds, "%u changed frames: %u faults", rounds, faults);
}

int main(int argc, char **argv)
{
	u32 i;

	if (sc_init()) {
		tap_result(false, "programs are assembled");
		return tap_done();
	}
	sc_how.simd = vs_simd_best();
	for (i = 1; i + 1 < (u32)argc; i++)
		if (!strcmp(argv[i], "--seed"))
			seed = (u32)strtoul(argv[i + 1], NULL, 0);
	clipping();
	points();
	lines();
	loops();
	shaded(false);
	shaded(true);
	extended();
	many(4, 100, SC_TILES_SIZE, true);
	many(1, 0x1ef0, SC_TILES_SIZE, true);
	many(1, 0x1ef0, 0x4000, false);
	many(4, 300, 0x1000, true);
	many(31, 10, SC_TILES_SIZE, true);
	bad_bins();
	bad_renders();
	other_buffers();
	counters();
	changed(3000);
	return tap_done();
}
