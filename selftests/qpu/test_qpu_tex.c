// SPDX-License-Identifier: GPL-2.0
/*
 * Texture lookups: types, layouts, levels, filters, wrapping, cube maps, children.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "exec.h"
#include "texmodel.h"
#include "unit.h"

#define BASE	(UNIT_BASE + 0x100000)	/* level 0 */

static float zeros[16];

/* Configuration of a texture at BASE: nearest, repeated, one level. */
static struct tm_config config(unsigned int type, unsigned int w, unsigned int h)
{
	return (struct tm_config){
		.base = BASE, .type = type, .width = w, .height = h, .levels = 1,
		.min = TM_NEAREST, .mag = TM_NEAREST,
	};
}

/* P2: B alone is the level of detail. */
static void bias_only(struct tm_config *c)
{
	c->extra = 1;
	c->p2 = 1u << 30 | 1;
}

/* ---- every texel of level 0 ---- */

/* Compare the texels @x .. of row @y with the model. */
static bool row_part_ok(const struct tm_config *c, const struct tm_level *l, unsigned int x,
			unsigned int y)
{
	uint32_t out[16], second[16], want, want2 = 0;
	float s[16], t[16];
	unsigned int e;

	for (e = 0; e < 16; e++) {
		s[e] = (x + e + 0.5f) / l->width;
		t[e] = (y + 0.5f) / l->height;
	}
	if (!tm_lookup(c, s, t, NULL, NULL, out))
		return false;
	if (c->type == TM_RGBA64 && !tm_result(second))
		return false;
	for (e = 0; e < 16 && x + e < l->width; e++) {
		want = tm_texel(l, c->type, x + e, y, c->etc_flip, &want2);
		if (out[e] != want || (c->type == TM_RGBA64 && second[e] != want2)) {
			tap_comment("%s %ux%u at %u, %u: %08x for %08x", tm_names[c->type],
				    l->width, l->height, x + e, y, out[e], want);
			return false;
		}
	}
	return true;
}

static bool level0_ok(const struct tm_config *c)
{
	unsigned int x, y;
	struct tm_level l;
	bool ok = true;

	tm_layout(&l, 1, c->type, c->width, c->height, BASE);
	tm_randomize(&l, c->type);
	for (y = 0; y < l.height && ok; y++)
		for (x = 0; x < l.width && ok; x += 16)
			ok = row_part_ok(c, &l, x, y);
	tm_free(&l, 1);
	return ok;
}

static void test_types(void)
{
	/* LT, T of even and odd rows of tiles, sizes that are no powers of two */
	static const uint16_t sizes[][2] = {
		{ 1, 1 }, { 16, 16 }, { 64, 8 }, { 5, 100 }, { 64, 64 }, { 128, 256 }, { 100, 75 },
		{ 300, 140 },
	};
	unsigned int type, i;

	unit_start();
	unit_seed(qx_seed(4));
	for (type = 0; type < TM_NUM; type++) {
		bool ok = true;

		for (i = 0; i < ARRAY_SIZE(sizes) && ok; i++) {
			struct tm_config c = config(type, sizes[i][0], sizes[i][1]);

			ok = level0_ok(&c);
		}
		tap_result(ok && !unit_any_fault() && !unit_s.cnt.stray_reads,
			   "%s: every texel of %zu sizes", tm_names[type], ARRAY_SIZE(sizes));
	}
}

/* Addresses computed by hand. */
static void test_addresses(void)
{
	struct tm_config c = config(TM_RGBA8888, 96, 64);
	static const struct {
		uint16_t x, y;
		uint32_t offset;
	} at[] = {
		{ 0, 0, 0 }, { 3, 0, 12 }, { 4, 0, 64 }, { 0, 1, 16 }, { 0, 4, 256 },
		{ 16, 0, 3072 },	/* bottom right is the last sub-tile */
		{ 0, 16, 1024 }, { 16, 16, 2048 }, { 32, 0, 4096 }, { 64, 0, 8192 },
		{ 64, 32, 3 * 4096 + 2048 },	/* second row: from the right */
		{ 80, 48, 3 * 4096 }, { 80, 32, 3 * 4096 + 1024 }, { 64, 48, 3 * 4096 + 3072 },
		{ 0, 32, 5 * 4096 + 2048 },
	};
	uint32_t out[16];
	float s[16], t[16];
	bool ok = true;
	unsigned int i, e;

	unit_start();
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		unit_put32(BASE + at[i].offset, 0xabc00000 + i);
		for (e = 0; e < 16; e++) {
			s[e] = (at[i].x + 0.5f) / 96;
			t[e] = (at[i].y + 0.5f) / 64;
		}
		ok &= tm_lookup(&c, s, t, NULL, NULL, out) && out[5] == 0xabc00000 + i;
	}
	tap_result(ok, "T format: addresses by hand");
}

static void test_size_0(void)
{
	struct tm_config c = config(TM_A1, 0, 0);
	float s[16], t[16];
	uint32_t out[16];
	unsigned int e;

	unit_start();
	/* 2048 x 2048: 8 x 16 tiles of 256 x 128 bits; row 15 runs from the right */
	for (e = 0; e < 16; e++) {
		s[e] = 2047.5f / 2048;
		t[e] = 2047.5f / 2048;
	}
	/* top right sub-tile of the first tile in that row, its last bit */
	unit_mem[BASE - UNIT_BASE + 15 * 8 * 4096 + 1023] = 0x80;
	tap_result(tm_lookup(&c, s, t, NULL, NULL, out) && out[0] == 0xff000000,
		   "a size of 0 is 2048");
}

static void test_etc1(void)
{
	/*
	 * 1. individual colours f00 and 0f0, tables 0 and 7, side by side; texel (0, 0) is
	 * number 0, add 2; (0, 1) number 1, add 8; (2, 0) number 2, subtract 47.
	 */
	static const uint8_t blocks[][8] = {
		{ 0xf0, 0x0f, 0x00, 0 << 5 | 7 << 2 | 0, 0x01, 0x00, 0x00, 0x02 },
		/* 2. differential, red 16 and 16 - 4, table 1 (+5), upper and lower halves */
		{ 16 << 3 | 4, 0, 0, 1 << 5 | 1 << 2 | 3, 0, 0, 0, 0 },
	};
	struct tm_config c = config(TM_ETC1, 8, 4);
	float s[16], t[16];
	uint32_t out[16];
	unsigned int e;
	bool ok;

	unit_start();
	memcpy(unit_mem + (BASE - UNIT_BASE), blocks, sizeof(blocks));
	for (e = 0; e < 16; e++) {
		s[e] = (e % 8 + 0.5f) / 8;
		t[e] = (e / 8 + 0.5f) / 4;
	}
	ok = tm_lookup(&c, s, t, NULL, NULL, out);
	tap_result(ok && out[0] == 0xff0202ff && out[8] == 0xff0808ff &&
		   out[2] == 0xff00d000 && out[3] == 0xff2fff2f, "ETC1: individual colours");
	for (e = 0; e < 16; e++)
		t[e] = (e / 8 * 2 + 0.5f) / 4;
	ok = tm_lookup(&c, s, t, NULL, NULL, out);
	/* 16: 0x84 + 5; 12: 0x63 + 5 */
	tap_result(ok && out[4] == 0xff050589 && out[12] == 0xff050568,
		   "ETC1: a colour and its difference");
	c.etc_flip = true;
	ok = tm_lookup(&c, s, t, NULL, NULL, out);
	tap_result(ok && out[4] == 0xff050568 && out[12] == 0xff050589 && level0_ok(&c),
		   "ETC1: upside down");
}

/* ---- levels ---- */

static bool levels_ok(unsigned int type, unsigned int w, unsigned int h, unsigned int n)
{
	struct tm_config c = config(type, w, h);
	struct tm_level l[12];
	float s[16], t[16], b[16];
	uint32_t out[16], unused;
	unsigned int i, e;
	bool ok = true;

	tm_layout(l, n, type, w, h, BASE);
	for (i = 0; i < n; i++)
		tm_randomize(&l[i], type);
	c.levels = n;
	c.min = TM_NEAR_MIP_NEAR;
	bias_only(&c);
	for (i = 0; i < n && ok; i++) {
		unsigned int x[16], y[16];

		for (e = 0; e < 16; e++) {
			x[e] = unit_below(l[i].width);
			y[e] = unit_below(l[i].height);
			s[e] = (x[e] + 0.5f) / l[i].width;
			t[e] = (y[e] + 0.5f) / l[i].height;
			b[e] = i;
		}
		ok = tm_lookup(&c, s, t, NULL, b, out);
		for (e = 0; e < 16; e++)
			ok &= out[e] == tm_texel(&l[i], type, x[e], y[e], false, &unused);
		if (!ok)
			tap_comment("%s %ux%u level %u", tm_names[type], w, h, i);
	}
	tm_free(l, n);
	return ok;
}

static void test_levels(void)
{
	unsigned int i;
	bool ok = true;

	unit_start();
	unit_seed(qx_seed(5));
	for (i = 0; i < 20 && ok; i++) {
		ok = levels_ok(TM_RGBA8888, 256, 256, 9) && levels_ok(TM_ALPHA, 256, 32, 9) &&
		     levels_ok(TM_ETC1, 256, 512, 10) && levels_ok(TM_RGB565, 100, 200, 8) &&
		     levels_ok(TM_RGBA8888, 96, 40, 7) && levels_ok(TM_A1, 512, 512, 10);
	}
	tap_result(ok && !unit_any_fault(), "levels of detail, before each other in memory");
}

/* Luminance 64 x 64, level n is 10 * (n + 1) everywhere. */
static void flat_levels(struct tm_config *c)
{
	struct tm_level l[7];
	unsigned int i;

	unit_start();
	*c = config(TM_LUMINANCE, 64, 64);
	c->levels = 7;
	tm_layout(l, 7, c->type, 64, 64, BASE);
	for (i = 0; i < 7; i++)
		tm_clear(&l[i], c->type, 10 * (i + 1));
	tm_free(l, 7);
}

/* Red of element 0 where s grows by @ds, @dt texels across and t by @du down. */
static unsigned int at_slope(const struct tm_config *c, float across, float down,
			     const float *bias)
{
	float s[16], t[16];
	uint32_t out[16];
	unsigned int e;

	for (e = 0; e < 16; e++) {
		s[e] = (3 + (e & 1) * across) / 64;
		t[e] = (5 + (e >> 1 & 1) * down) / 64;
	}
	return tm_lookup(c, s, t, NULL, bias, out) ? out[0] & 0xff : ~0u;
}

static void test_automatic(void)
{
	struct tm_config c;
	float bias[16];
	unsigned int e;
	bool ok;

	flat_levels(&c);
	c.min = TM_NEAR_MIP_NEAR;
	ok = at_slope(&c, 1, 1, NULL) == 10 && at_slope(&c, 2, 0, NULL) == 20 &&
	     at_slope(&c, 0, -2, NULL) == 20 && at_slope(&c, 4, 8, NULL) == 40 &&
	     at_slope(&c, 64, 0, NULL) == 70 && at_slope(&c, 5000, 0, NULL) == 70 &&
	     at_slope(&c, 0, 0, NULL) == 10;
	tap_result(ok, "the level follows from the differences in a quad");
	/* log2 2.875 is 1.524, log2 2.8125 is 1.492; both are less than half between 2 and 4 */
	ok = at_slope(&c, 3, 0, NULL) == 30 && at_slope(&c, 2.875, 0, NULL) == 30 &&
	     at_slope(&c, 2.8125, 0, NULL) == 20 && at_slope(&c, 5.75, 0, NULL) == 40;
	tap_result(ok, "the nearest level, halves up");
	for (e = 0; e < 16; e++)
		bias[e] = 1;
	c.extra = 1;
	ok = at_slope(&c, 2, 0, bias) == 30;
	for (e = 0; e < 16; e++)
		bias[e] = -1.25;
	ok &= at_slope(&c, 8, 0, bias) == 30 && at_slope(&c, 2, 0, bias) == 10;
	tap_result(ok, "bias");
	c.min = TM_NEAR_MIP_LIN;
	c.extra = 0;
	ok = at_slope(&c, 3, 0, NULL) == 26 && at_slope(&c, 2, 0, NULL) == 20 &&
	     at_slope(&c, 2.5, 0, NULL) == 23 && at_slope(&c, 200, 0, NULL) == 70;
	tap_result(ok, "between two levels");
	c.min = TM_NEAREST;
	tap_result(at_slope(&c, 8, 0, NULL) == 10, "no levels without the filters for them");
	c.levels = 1;
	c.min = TM_LIN_MIP_LIN;
	tap_result(at_slope(&c, 8, 0, NULL) == 10, "no more levels than there are");
}

static void test_filter_choice(void)
{
	struct tm_config c = config(TM_LUMINANCE, 2, 1);
	float s[16], t[16], small[16], big[16];
	uint32_t out[16];
	unsigned int e;
	bool ok;

	unit_start();
	unit_mem[BASE - UNIT_BASE] = 0;
	unit_mem[BASE - UNIT_BASE + 1] = 200;
	for (e = 0; e < 16; e++) {
		s[e] = 0.5;	/* between the two texels */
		t[e] = 0.5;
		small[e] = 0;
		big[e] = 0.25;
	}
	bias_only(&c);
	c.mag = TM_LINEAR;
	c.min = TM_NEAREST;
	ok = tm_lookup(&c, s, t, NULL, small, out) && (out[0] & 255) == 100;
	ok &= tm_lookup(&c, s, t, NULL, big, out) && (out[0] & 255) == 200;
	c.mag = TM_NEAREST;
	c.min = TM_LINEAR;
	ok &= tm_lookup(&c, s, t, NULL, small, out) && (out[0] & 255) == 200;
	ok &= tm_lookup(&c, s, t, NULL, big, out) && (out[0] & 255) == 100;
	tap_result(ok, "magnification at level 0 and below, minification above");
}

/* ---- linear filter ---- */

/* Wrapped index, or -1, step by step. */
static int wrapped(int i, int n, unsigned int wrap)
{
	switch (wrap) {
	case TM_REPEAT:
		while (i < 0)
			i += n;
		while (i >= n)
			i -= n;
		return i;
	case TM_CLAMP:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	case TM_MIRROR:
		while (i < 0 || i >= n)
			i = i < 0 ? -1 - i : 2 * n - 1 - i;
		return i;
	default:
		return i < 0 || i >= n ? -1 : i;
	}
}

static uint32_t texel_or_border(const struct tm_config *c, const struct tm_level *l, int x,
				int y, uint32_t border)
{
	uint32_t unused;

	x = wrapped(x, l->width, c->wrap_s);
	y = wrapped(y, l->height, c->wrap_t);
	return x < 0 || y < 0 ? border : tm_texel(l, c->type, x, y, false, &unused);
}

/* Channel @i at (@u, @v) texels, as a real number. */
static double bilinear(const struct tm_config *c, const struct tm_level *l, double u, double v,
		       uint32_t border, unsigned int i)
{
	int x = floor(u - 0.5), y = floor(v - 0.5), k;
	double fx = u - 0.5 - x, fy = v - 0.5 - y, sum = 0;

	for (k = 0; k < 4; k++) {
		uint32_t w = texel_or_border(c, l, x + k % 2, y + k / 2, border);

		sum += (w >> (8 * i) & 0xff) * (k % 2 ? fx : 1 - fx) * (k / 2 ? fy : 1 - fy);
	}
	return sum;
}

static bool filtered_ok(struct tm_config *c, const struct tm_level *l)
{
	uint32_t out[16], border[16];
	float s[16], t[16];
	unsigned int e, i;

	for (e = 0; e < 16; e++) {
		s[e] = (int)unit_below(6 * 65536) / 65536.0f - 2;
		t[e] = (int)unit_below(6 * 65536) / 65536.0f - 2;
		border[e] = unit_random();
	}
	if (!tm_lookup(c, s, t, border, NULL, out))
		return false;
	for (e = 0; e < 16; e++) {
		/* the unit's precision: 1/256 of a texel */
		double u = floor((double)s[e] * l->width * 256) / 256;
		double v = floor((double)t[e] * l->height * 256) / 256;

		for (i = 0; i < 4; i++) {
			double want = bilinear(c, l, u, v, border[e], i);
			int got = out[e] >> (8 * i) & 0xff;

			if (fabs(got - want) > 0.51) {
				tap_comment("%f %f channel %u: %d for %f", s[e], t[e], i, got,
					    want);
				return false;
			}
		}
	}
	return true;
}

static void test_linear(void)
{
	unsigned long n = qx_effort(50, 500, 20000), i;
	struct tm_config c = config(TM_RGBA8888, 20, 12);
	struct tm_level l;
	bool ok = true;

	unit_start();
	unit_seed(qx_seed(6));
	tm_layout(&l, 1, c.type, c.width, c.height, BASE);
	tm_randomize(&l, c.type);
	c.mag = TM_LINEAR;
	c.min = TM_LINEAR;
	for (i = 0; i < 16 * n && ok; i++) {
		c.wrap_s = i % 4;
		c.wrap_t = i / 4 % 4;
		ok = filtered_ok(&c, &l);
	}
	tm_free(&l, 1);
	tap_result(ok && !unit_any_fault(),
		   "linear filter and wrapping like a model in real numbers");
}

static bool nearest_ok(struct tm_config *c, const struct tm_level *l)
{
	uint32_t out[16], border[16];
	float s[16], t[16];
	unsigned int e;

	for (e = 0; e < 16; e++) {
		s[e] = (int)unit_below(6 * 65536) / 65536.0f - 2;
		t[e] = (int)unit_below(6 * 65536) / 65536.0f - 2;
		border[e] = unit_random();
	}
	if (!tm_lookup(c, s, t, border, NULL, out))
		return false;
	for (e = 0; e < 16; e++) {
		int x = floor((double)s[e] * l->width), y = floor((double)t[e] * l->height);

		if (out[e] != texel_or_border(c, l, x, y, border[e]))
			return false;
	}
	return true;
}

static void test_nearest(void)
{
	unsigned long n = qx_effort(50, 500, 20000), i;
	struct tm_config c = config(TM_RGBA8888, 19, 37);
	struct tm_level l;
	bool ok = true;

	unit_start();
	tm_layout(&l, 1, c.type, c.width, c.height, BASE);
	tm_randomize(&l, c.type);
	for (i = 0; i < 16 * n && ok; i++) {
		c.wrap_s = i % 4;
		c.wrap_t = i / 4 % 4;
		ok = nearest_ok(&c, &l);
	}
	tm_free(&l, 1);
	tap_result(ok && !unit_any_fault(), "nearest texel and wrapping");
}

static void test_far_away(void)
{
	static const float far[16] = {
		INFINITY, -INFINITY, NAN, 1e30f, -1e30f, 3e38f, 16777216, -16777216, FLT_MIN,
		-FLT_MIN, 0, -0.0f, 8388609, -8388609, 2097152.75f, -2097152.75f,
	};
	/* of 4 columns, by wrap mode; the border is 99 */
	static const uint8_t want[4][16] = {
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 1 },
		{ 3, 0, 3, 3, 0, 3, 3, 0, 0, 0, 0, 0, 3, 0, 3, 0 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 3, 2 },
		{ 99, 99, 99, 99, 99, 99, 99, 99, 0, 99, 0, 0, 99, 99, 99, 99 },
	};
	struct tm_config c = config(TM_S8, 4, 1);
	uint32_t out[16], border[16];
	unsigned int e, wrap;
	bool ok = true;

	unit_start();
	for (e = 0; e < 16; e++) {
		unit_mem[BASE - UNIT_BASE + e] = e;
		border[e] = 99;
	}
	for (wrap = 0; wrap < 4; wrap++) {
		c.wrap_s = wrap;
		ok &= tm_lookup(&c, far, zeros, border, NULL, out);
		for (e = 0; e < 16; e++) {
			if (out[e] == want[wrap][e])
				continue;
			ok = false;
			tap_comment("wrap %u, %g: %u for %u", wrap, far[e], out[e], want[wrap][e]);
		}
	}
	tap_result(ok && !unit_any_fault(), "coordinates far away, infinite, not a number");
}

/* ---- types that are not colours ---- */

static void half_texture(unsigned int type, struct tm_config *c, struct tm_level *l)
{
	unit_start();
	*c = config(type, 2, 1);
	c->mag = TM_LINEAR;
	c->min = TM_LINEAR;
	c->wrap_s = TM_CLAMP;
	c->wrap_t = TM_CLAMP;
	tm_layout(l, 1, type, 2, 1, BASE);
}

static void test_halves(void)
{
	static const float s[16] = { 0, 0.5, 0.375, 1 };
	struct tm_config c;
	struct tm_level l;
	uint32_t out[16];
	bool ok;

	half_texture(TM_S16F, &c, &l);
	tm_put(&l, TM_S16F, 0, 0, 0x3c00);	/* 1 */
	tm_put(&l, TM_S16F, 1, 0, 0xc400);	/* -4 */
	ok = tm_lookup(&c, s, zeros, NULL, NULL, out);
	/* -1.5, -0.25 */
	tap_result(ok && out[0] == 0x3c00 && out[1] == 0xbe00 && out[2] == 0xb400 &&
		   out[3] == 0xc400, "S16F is filtered");
	tm_free(&l, 1);
	half_texture(TM_S16, &c, &l);
	tm_put(&l, TM_S16, 0, 0, 1000);
	tm_put(&l, TM_S16, 1, 0, 40000);
	ok = tm_lookup(&c, s, zeros, NULL, NULL, out);
	tap_result(ok && out[0] == 1000 && out[1] == 40000 && out[2] == 1000, "S16 is not");
	tm_free(&l, 1);
	half_texture(TM_S8, &c, &l);
	tm_put(&l, TM_S8, 0, 0, 10);
	tm_put(&l, TM_S8, 1, 0, 20);
	ok = tm_lookup(&c, s, zeros, NULL, NULL, out);
	tap_result(ok && out[0] == 10 && out[1] == 15 && out[2] == 13, "S8 is, to nearest");
	tm_free(&l, 1);
	half_texture(TM_RGBA64, &c, &l);
	tm_put(&l, TM_RGBA64, 0, 0, 0x3c00400042004400ull);	/* 4, 3, 2, 1 */
	tm_put(&l, TM_RGBA64, 1, 0, 0x3c003c003c003c00ull);
	ok = tm_lookup(&c, s, zeros, NULL, NULL, out) && out[1] == 0x40004100;
	ok &= tm_result(out) && out[1] == 0x3c003e00 && out[0] == 0x3c004000;
	tap_result(ok && !tm_result(out), "RGBA64: two words, filtered");
	tm_free(&l, 1);
}

/* Smallest half, largest half, sums that round to even. */
static void test_half_rounding(void)
{
	static const struct {
		uint16_t a, b, want;
	} cases[] = {
		{ 0x0001, 0x0000, 0x0000 },	/* 2^-25 is half way to 0 */
		{ 0x0003, 0x0000, 0x0002 }, { 0x0001, 0x0002, 0x0002 },
		{ 0x7bff, 0x7bff, 0x7bff }, { 0x7c00, 0x3c00, 0x7c00 },
		{ 0x3c00, 0x3c01, 0x3c00 }, { 0x3c01, 0x3c02, 0x3c02 },
		{ 0x0400, 0x03ff, 0x0400 }, { 0x8001, 0x8002, 0x8002 },
		{ 0x3c00, 0xbc00, 0x0000 }, { 0x7c00, 0xfc00, 0x7e00 },
		{ 0x3c00, 0xfc00, 0xfc00 }, { 0x8000, 0x8000, 0x8000 },
		{ 0x7bff, 0xfbff, 0x0000 }, { 0x7bff, 0x7bfe, 0x7bfe },
		{ 0x0001, 0x7bff, 0x77ff }, { 0x07ff, 0x0801, 0x0800 },
	};
	static const float s[16] = { 0.5 };
	struct tm_config c;
	struct tm_level l;
	uint32_t out[16];
	bool ok = true;
	unsigned int i;

	half_texture(TM_S16F, &c, &l);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tm_put(&l, TM_S16F, 0, 0, cases[i].a);
		tm_put(&l, TM_S16F, 1, 0, cases[i].b);
		if (tm_lookup(&c, s, zeros, NULL, NULL, out) && out[0] == cases[i].want)
			continue;
		tap_comment("%04x and %04x: %04x", cases[i].a, cases[i].b, out[0]);
		ok = false;
	}
	tap_result(ok, "halves between two halves");
	tm_free(&l, 1);
}

/* ---- cube maps, children, flip ---- */

static void test_cube(void)
{
	/* direction, then face and texel of 2 x 2 */
	static const struct {
		float x, y, z;
		uint8_t face, tx, ty;
	} at[] = {
		{ 1, 0.5, -0.5, 0, 1, 0 }, { 1, -0.5, 0.5, 0, 0, 1 }, { -1, 0.5, 0.5, 1, 1, 0 },
		{ -1, -0.5, -0.5, 1, 0, 1 }, { 0.5, 1, 0.5, 2, 1, 1 }, { -0.5, 1, -0.5, 2, 0, 0 },
		{ 0.5, -1, 0.5, 3, 1, 0 }, { -0.5, -1, -0.5, 3, 0, 1 }, { 0.5, 0.5, 1, 4, 1, 0 },
		{ -0.5, -0.5, 1, 4, 0, 1 }, { 0.5, 0.5, -1, 5, 0, 0 }, { -0.5, -0.5, -1, 5, 1, 1 },
		{ 7, 3, -3, 0, 1, 0 }, { 0.5, -7, -3, 3, 1, 1 }, { 0, 0, 100, 4, 1, 1 },
		{ 2, 2, 2, 0, 0, 0 },
	};
	struct tm_config c = config(TM_RGBA8888, 2, 2);
	float s[16], t[16], r[16];
	uint32_t out[16];
	unsigned int e, f;
	bool ok;

	unit_start();
	for (f = 0; f < 6; f++)
		for (e = 0; e < 4; e++)
			unit_put32(BASE + f * 0x3000 + e / 2 * 16 + e % 2 * 4, f << 4 | e);
	for (e = 0; e < 16; e++) {
		s[e] = at[e].x;
		t[e] = at[e].y;
		r[e] = at[e].z;
	}
	c.cube = true;
	c.wrap_s = TM_CLAMP;
	c.wrap_t = TM_CLAMP;
	c.extra = 1;
	c.p2 = 1u << 30 | 0x3000;
	ok = tm_lookup(&c, s, t, (uint32_t *)r, NULL, out);
	for (e = 0; e < 16; e++) {
		uint32_t want = at[e].face << 4 | at[e].ty << 1 | at[e].tx;

		if (out[e] == want)
			continue;
		tap_comment("direction %u: %x for %x", e, out[e], want);
		ok = false;
	}
	tap_result(ok, "cube map: faces and directions on them");
	/* levels: differences are those on the first element's face, also across an edge */
	c.levels = 2;
	c.min = TM_NEAR_MIP_NEAR;
	for (f = 0; f < 6; f++)
		unit_put32(BASE + f * 0x3000 - 64, 0x100 | f);
	for (e = 0; e < 16; e++) {
		s[e] = e < 4 || e & 1 ? 1 : 0.99;
		t[e] = e < 4 && e & 1 ? -0.75 : 0.75;
		r[e] = e < 4 ? 0 : !(e & 1) ? 1 : e < 8 ? 0.9 : 0.2;
	}
	ok = tm_lookup(&c, s, t, (uint32_t *)r, NULL, out);
	tap_result(ok && out[0] == 0x100 && out[3] == 0x100 && out[4] >> 4 == 4 &&
		   out[5] >> 4 == 0 && out[8] == 0x104 && out[9] == 0x100,
		   "cube map: the level of detail");
}

static void test_child(void)
{
	struct tm_config c = config(TM_RGBA8888, 64, 64), whole = c;
	struct tm_level l[2];
	float s[16], t[16], b[16];
	uint32_t out[16], unused;
	unsigned int e;
	bool ok;

	unit_start();
	unit_seed(qx_seed(7));
	tm_layout(l, 2, c.type, 64, 64, BASE);
	tm_randomize(&l[0], c.type);
	tm_randomize(&l[1], c.type);
	/* 16 x 8 texels at (20, 36); B and R are written to have four words */
	c.p2 = 2u << 30 | 8 << 12 | 16;
	c.p3 = 3u << 30 | 36 << 12 | 20;
	c.extra = 2;
	for (e = 0; e < 16; e++) {
		s[e] = (e + 0.5f) / 16 + (e & 1);	/* repeats */
		t[e] = (e / 2 + 0.5f) / 8;
		b[e] = -20;
	}
	ok = tm_lookup(&c, s, t, (uint32_t *)zeros, b, out);
	for (e = 0; e < 16; e++)
		ok &= out[e] == tm_texel(&l[0], c.type, 20 + e, 36 + e / 2, false, &unused);
	tap_result(ok, "a child image");
	c.levels = 2;
	c.min = TM_NEAR_MIP_NEAR;
	memset(b, 0, sizeof(b));
	for (e = 0; e < 16; e++)
		b[e] = 20;
	ok = tm_lookup(&c, s, t, (uint32_t *)zeros, b, out);
	for (e = 0; e < 16; e++)
		ok &= out[e] == tm_texel(&l[1], c.type, 10 + e / 2, 18 + e / 4, false, &unused);
	tap_result(ok, "and its second level");
	c.levels = 1;
	c.flip_y = true;
	ok = tm_lookup(&c, s, t, (uint32_t *)zeros, b, out);
	for (e = 0; e < 16; e++)
		ok &= out[e] == tm_texel(&l[0], c.type, 20 + e, 43 - e / 2, false, &unused);
	tap_result(ok, "flipped");
	whole.flip_y = true;
	ok = tm_lookup(&whole, s, t, NULL, NULL, out);
	for (e = 0; e < 16; e++)
		ok &= out[e] == tm_texel(&l[0], c.type, (4 * e + 2) % 64, 63 - (e / 2 * 8 + 4),
					 false, &unused);
	tap_result(ok, "a flipped image");
	tm_free(l, 2);
}

/* ---- memory ---- */

static void test_stray(void)
{
	struct tm_config c = config(TM_RGBA8888, 64, 64);
	uint32_t out[16];
	float s[16], t[16];
	unsigned int e;
	bool ok;

	unit_start();
	/* the second tile is outside */
	c.base = UNIT_BASE + UNIT_SIZE - 0x1000;
	memset(unit_mem + UNIT_SIZE - 0x1000, 0x77, 0x1000);
	c.mag = TM_LINEAR;
	c.min = TM_LINEAR;
	for (e = 0; e < 16; e++) {
		s[e] = (e < 8 ? 10.0f : 40) / 64;
		t[e] = 10.0f / 64;
	}
	/* uniforms would be there too */
	ok = tm_lookup(&c, s, t, NULL, NULL, out);
	for (e = 0; e < 16; e++)
		ok &= out[e] == (e < 8 ? 0x77777777 : 0);
	tap_result(ok && unit_s.cnt.stray_reads == 8,
		   "texels outside memory are 0, an element counts once");
	unit_s.switches = QPU_SW_STRICT_TMU;
	ok = !tm_lookup(&c, s, t, NULL, NULL, out);
	tap_result(ok && unit_s.fault.kind == VS_FAULT_READ && unit_s.fault.size == 4 &&
		   unit_s.fault.address >= UNIT_BASE + UNIT_SIZE, "the strict switch: a fault");
}

int main(void)
{
	test_types();
	test_addresses();
	test_size_0();
	test_etc1();
	test_levels();
	test_automatic();
	test_filter_choice();
	test_linear();
	test_nearest();
	test_far_away();
	test_halves();
	test_half_rounding();
	test_cube();
	test_child();
	test_stray();
	return tap_done();
}
