// SPDX-License-Identifier: GPL-2.0
/*
 * Draws of the Bifrost reference model: as much as single triangles over a whole
 * framebuffer need. Position and varying programs run for each vertex, then fragment
 * programs for each quad of each triangle, one after the other. Depth is tested where the
 * program gives it.
 */
#include <math.h>
#include <string.h>

#include "bifrost_ref_int.h"
#include "bifrost_ref_num.h"

#define POSITIONS	0x7f000000ull	/* where the position program stores, 16 bytes each */
#define MAX_VERTICES	256

static void poison(struct bfr_thread *t, uint64_t pc)
{
	unsigned int i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < 64; i++)
		t->r[i] = BFR_POISON;
	t->t[0] = BFR_POISON;
	t->t[1] = BFR_POISON;
	t->covered = true;
	t->pc = pc;
}

static void vertices(struct bfr *g, uint64_t dcd, unsigned int n)
{
	uint64_t second;
	struct bfr_draw d;
	struct bfr_thread t;
	uint32_t preload;
	unsigned int i;

	bfr_draw_state(g, dcd, &d, &preload);
	second = bfr_load64(g, d.state + 56);
	for (i = 0; i < n && !*g->error; i++) {
		uint64_t to = POSITIONS + 16 * i;

		poison(&t, d.code);
		t.r[58] = (uint32_t)to;
		t.r[59] = (uint32_t)(to >> 32);
		t.r[61] = i;
		t.r[62] = 0;
		bfr_run_one(g, &d, &t);
		if (!second)
			continue;
		poison(&t, second & ~15ull);
		t.r[61] = i;
		t.r[62] = 0;
		bfr_run_one(g, &d, &t);
	}
	g->threads += n;
}

/* Twice the area of the triangle a, b, p. */
static double edge(const double *a, const double *b, double x, double y)
{
	return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Is a point on this edge inside? Of two triangles that share it exactly one says so. */
static bool owns(const double *a, const double *b, double sign)
{
	double dx = (b[0] - a[0]) * sign, dy = (b[1] - a[1]) * sign;

	return dy < 0 || (dy == 0 && dx > 0);
}

static bool covers(const struct bfr_frag *f, double x, double y)
{
	double area = edge(f->pos[0], f->pos[1], f->pos[2][0], f->pos[2][1]), e;
	double sign = area < 0 ? -1 : 1;
	unsigned int i;

	if (f->size) {
		x += f->size / 2 - f->pos[0][0];
		y += f->size / 2 - f->pos[0][1];
		return x >= 0 && y >= 0 && x < f->size && y < f->size;
	}
	if (!area)
		return false;
	for (i = 0; i < 3; i++) {
		const double *a = f->pos[i], *b = f->pos[(i + 1) % 3];

		e = edge(a, b, x, y) * sign;
		if (e < 0 || (e == 0 && !owns(a, b, sign)))
			return false;
	}
	return true;
}

static void weights(const struct bfr_frag *f, const struct bfr_thread *t, double *w)
{
	double area = edge(f->pos[0], f->pos[1], f->pos[2][0], f->pos[2][1]);
	unsigned int i;

	if (f->size) {
		w[0] = 1;
		w[1] = 0;
		w[2] = 0;
		return;
	}
	for (i = 0; i < 3; i++)
		w[i] = edge(f->pos[(i + 1) % 3], f->pos[(i + 2) % 3], t->x + 0.5, t->y + 0.5) /
			area;
}

void bfr_ld_var(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t,
		unsigned int index, bool flat, unsigned int n, uint32_t *out)
{
	uint32_t v[3][4] = { 0 }, w0, offset, fmt, stride;
	uint64_t buffer, base;
	double w[3], sum, all;
	unsigned int i, k;

	if (!d->frag) {
		bfr_fail(g, false, "varying outside a draw");
		return;
	}
	w0 = bfr_load(g, d->varyings + 8 * index);
	offset = bfr_load(g, d->varyings + 8 * index + 4);
	fmt = w0 >> 10;
	buffer = d->varbufs + 16 * (w0 & 511);
	base = bfr_load64(g, buffer) & 0xffffffffffffc0ull;
	stride = bfr_load(g, buffer + 8);
	for (i = 0; i < 3; i++)
		bfr_unpack(g, fmt, base + (uint64_t)d->frag->index[i] * stride +
			   (int32_t)offset, v[i]);
	/* the last vertex provokes, as GLES has it */
	if (flat) {
		memcpy(out, v[2], 4 * n);
		return;
	}
	weights(d->frag, t, w);
	for (k = 0; k < n; k++) {
		sum = 0;
		all = 0;
		for (i = 0; i < 3; i++) {
			double one = w[i] * d->frag->pos[i][3];

			sum += one * bfr_f(v[i][k]);
			all += one;
		}
		out[k] = bfr_to_single(sum / all, BFR_RTE);
	}
}

void bfr_ld_point(const struct bfr_draw *d, const struct bfr_thread *t, uint32_t *out)
{
	const struct bfr_frag *f = d->frag;
	double s = (t->x + 0.5 - f->pos[0][0]) / f->size + 0.5;
	double r = (t->y + 0.5 - f->pos[0][1]) / f->size + 0.5;

	out[0] = bfr_to_single(s, BFR_RTE);
	out[1] = bfr_to_single(f->from_bottom ? 1 - r : r, BFR_RTE);
}

void bfr_ld_var_z(const struct bfr_draw *d, const struct bfr_thread *t, uint32_t *out)
{
	double w[3];

	weights(d->frag, t, w);
	*out = bfr_to_single(w[0] * d->frag->pos[0][2] + w[1] * d->frag->pos[1][2] +
			     w[2] * d->frag->pos[2][2], BFR_RTE);
}

/* One component by an equation: a + b * c, each with a sign or as 1 - c. */
static double equation(struct bfr *g, uint32_t eq, const double *src, const double *dst,
		       unsigned int k)
{
	double a = 0, b = 0, c = 0;

	switch (eq & 3) {
	case 2:
		a = src[k];
		break;
	case 3:
		a = dst[k];
		break;
	}
	switch (eq >> 4 & 3) {
	case 0:
		b = src[k] - dst[k];
		break;
	case 1:
		b = src[k] + dst[k];
		break;
	case 2:
		b = src[k];
		break;
	default:
		b = dst[k];
		break;
	}
	switch (eq >> 8 & 7) {
	case 1:
		break;
	case 2:
		c = src[k];
		break;
	case 3:
		c = dst[k];
		break;
	case 4:
		c = 2 * src[k];
		break;
	case 5:
		c = src[3];
		break;
	case 6:
		c = dst[3];
		break;
	default:
		bfr_fail(g, true, "blend equation %03x", eq & 0xfff);
	}
	if (eq >> 11 & 1)
		c = 1 - c;
	return (eq >> 3 & 1 ? -a : a) + (eq >> 7 & 1 ? -b : b) * c;
}

/* Single floats into RGBA8 by the blend unit. */
static void fixed_function(struct bfr *g, uint32_t eq, uint32_t cvt, const uint32_t *color,
			   uint8_t *texel)
{
	double src[4], dst[4], v;
	unsigned int i;

	if ((cvt >> 24 & 7) != BFR_F32 || (cvt & 0x3fffff) != 237 << 12) {
		bfr_fail(g, true, "blending into %08x", cvt);
		return;
	}
	for (i = 0; i < 4; i++) {
		src[i] = fmin(fmax(bfr_f(color[i]), 0), 1);
		dst[i] = texel[i] / 255.0;
	}
	for (i = 0; i < 4; i++) {
		if (!(eq >> (28 + i) & 1))
			continue;
		v = equation(g, i < 3 ? eq : eq >> 12, src, dst, i);
		texel[i] = (uint8_t)rint(fmin(fmax(v, 0), 1) * 255);
	}
}

void bfr_blend(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t,
	       const uint32_t *color)
{
	uint64_t blend = d->state + 64;
	uint32_t mode = bfr_load(g, blend + 8) & 3, cvt = bfr_load(g, blend + 12);
	uint8_t texel[16] = { 0 };
	uint32_t *to;

	if (!d->frag || mode < 1 || mode > 2) {
		bfr_fail(g, true, "blend mode %u", mode);
		return;
	}
	if (!t->covered || t->x >= g->width || t->y >= g->height)
		return;
	to = &g->fb[t->y * g->width + t->x];
	if (mode == 1) {
		bfr_pack(g, cvt, 4, color, texel);
	} else {
		memcpy(texel, to, 4);
		fixed_function(g, bfr_load(g, blend + 4), cvt, color, texel);
	}
	if (!*g->error)
		memcpy(to, texel, 4);
}

/* Depth that a program gives, between 0 and 1, against what is there. */
bool bfr_zs_emit(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t, uint32_t z)
{
	uint32_t state = bfr_load(g, d->state + 32);
	float v = bfr_f(bfr_clamp(z, BFR_CLAMP_0_1)), *at;
	bool pass;

	if (!d->frag || !t->covered || t->x >= g->width || t->y >= g->height)
		return false;
	at = &g->depth[t->y * g->width + t->x];
	/* less, equal and greater are bits of the function */
	pass = state >> 24 & (v < *at ? 1 : v > *at ? 4 : 2);
	if (pass && state >> 27 & 1)
		*at = v;
	return pass;
}

bool bfr_clear_color(struct bfr *g, uint64_t job, uint32_t *color)
{
	uint64_t fb;

	if ((bfr_load(g, job + 16) >> 1 & 127) != 9)
		return false;
	fb = bfr_load64(g, job + 40);
	/* render targets are after the parameters, and after depth's if it has any */
	*color = bfr_load(g, (fb & ~63ull) + (fb & 2 ? 192 : 128) + 48);
	return !*g->error;
}

/* A varying or texture result that is in registers before the program begins. */
static void message(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t, uint32_t m,
		    unsigned int reg)
{
	unsigned int type = m & 15, n = (m >> 11 & 3) + 1, i;
	uint32_t v[4] = { 0 };

	if (!type)
		return;
	if (type != 1) {
		bfr_fail(g, true, "preloaded texture");
		return;
	}
	bfr_ld_var(g, d, t, m >> 4 & 31, false, n, v);
	for (i = 0; i < n; i++)
		if (m >> 9 & 3)
			t->r[reg + i / 2] = (i & 1 ? t->r[reg + i / 2] & 0xffff : 0) |
				(uint32_t)bfr_to_half(bfr_f(v[i]), BFR_RTE) << (16 * (i & 1));
		else
			t->r[reg + i] = v[i];
}

static void quad(struct bfr *g, struct bfr_draw *d, uint32_t preload, unsigned int x,
		 unsigned int y, unsigned int primitive)
{
	uint32_t messages = bfr_load(g, d->state + 60);
	struct bfr_thread t[4];
	bool any = false;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		poison(&t[i], d->code);
		t[i].lane = i;
		t[i].x = x + (i & 1);
		t[i].y = y + (i >> 1);
		t[i].covered = covers(d->frag, t[i].x + 0.5, t[i].y + 0.5);
		any |= t[i].covered;
	}
	if (!any)
		return;
	for (i = 0; i < 4; i++) {
		if (preload >> 9 & 1)
			t[i].r[57] = primitive;
		if (preload >> 10 & 1)
			t[i].r[58] = 0;
		if (preload >> 11 & 1)
			t[i].r[59] = t[i].x | t[i].y << 16;
		t[i].r[60] = t[i].covered ? 0xffff : 0;
		if (preload >> 13 & 1)
			t[i].r[61] = t[i].r[60];
		message(g, d, &t[i], messages & 0xffff, 0);
		message(g, d, &t[i], messages >> 16, 4);
	}
	g->threads += 4;
	bfr_run_quad(g, d, t);
}

static void corners(struct bfr *g, struct bfr_frag *f, uint64_t positions, unsigned int first,
		    unsigned int n)
{
	unsigned int i, k;

	memset(f, 0, sizeof(*f));
	for (i = 0; i < n; i++) {
		f->index[i] = first + i;
		for (k = 0; k < 4; k++)
			f->pos[i][k] = bfr_f(bfr_load(g, positions + 16 * (first + i) + 4 * k));
	}
}

/* Sizes are halves, one for each point. */
static void point_size(struct bfr *g, struct bfr_frag *f, uint64_t sizes, uint32_t state,
		       unsigned int index)
{
	const uint8_t *p = bfr_at(g, sizes + 2 * index, 2);

	if (p)
		f->size = bfr_f(bfr_half((uint16_t)(p[0] | p[1] << 8)));
	if (!p || !(f->size > 0))
		bfr_fail(g, true, "point of size %g", f->size);
	f->from_bottom = state >> 27 & 1;
}

/* Primitives at @job + 40 with the fragment program of the descriptor at @dcd. */
static void fragments(struct bfr *g, uint64_t job, uint64_t dcd, uint64_t positions)
{
	uint32_t prim = bfr_load(g, job + 40), n = bfr_load(g, job + 52) + 1, preload, max;
	unsigned int i, x, y, per = (prim & 255) == 8 ? 3 : 1;
	struct bfr_frag f;
	struct bfr_draw d;

	bfr_draw_state(g, dcd, &d, &preload);
	max = bfr_load(g, bfr_load64(g, dcd + 96) + 28);
	g->width = (max & 0xffff) + 1;
	g->height = (max >> 16) + 1;
	if (*g->error || g->width > BFR_FB_MAX || g->height > BFR_FB_MAX) {
		bfr_fail(g, true, "framebuffer %u x %u", g->width, g->height);
		return;
	}
	for (i = 0; i < BFR_FB_MAX * BFR_FB_MAX; i++) {
		g->fb[i] = g->clear;
		g->depth[i] = 1;
	}
	d.frag = &f;
	for (i = 0; i + per <= n && !*g->error; i += per) {
		corners(g, &f, positions, i, per);
		if (per == 1)
			point_size(g, &f, bfr_load64(g, job + 64), bfr_load(g, d.state + 16), i);
		for (y = 0; y < g->height && !*g->error; y += 2)
			for (x = 0; x < g->width && !*g->error; x += 2)
				quad(g, &d, preload, x, y, i / per);
	}
}

static bool primitive(struct bfr *g, uint64_t job, bool points)
{
	uint32_t prim = bfr_load(g, job + 40), mode = prim & 255;

	/* sizes: array of halves */
	if ((mode == 8 || (points && mode == 1 && (prim >> 11 & 3) == 2)) && !(prim >> 8 & 7) &&
	    bfr_load(g, job + 52) < MAX_VERTICES)
		return true;
	bfr_fail(g, true, "draw mode %u, index type %u", mode, prim >> 8 & 7);
	return false;
}

/* Primitive, then descriptors of the fragments and of the vertices. */
void bfr_draw_job(struct bfr *g, uint64_t job)
{
	if (!primitive(g, job, false))
		return;
	if (!bfr_at(g, POSITIONS, 16) && !bfr_map(g, POSITIONS, 16 * MAX_VERTICES)) {
		bfr_fail(g, false, "no room for positions");
		return;
	}
	vertices(g, job + 256, bfr_load(g, job + 52) + 1);
	if (!*g->error)
		fragments(g, job, job + 128, POSITIONS);
}

/* What a vertex job made is where the descriptor says. */
void bfr_draw_tiler(struct bfr *g, uint64_t job)
{
	if (primitive(g, job, true))
		fragments(g, job, job + 128, bfr_load64(g, job + 128 + 16));
}
