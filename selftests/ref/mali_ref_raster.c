// SPDX-License-Identifier: GPL-2.0
/* Triangles, points and the blend unit, of the Mali reference models. */
#include <math.h>
#include <string.h>

#include "mali_ref_int.h"
#include "mali_ref_num.h"

/* Twice the area of the triangle a, b, p. */
static double edge(const double *a, const double *b, double x, double y)
{
	return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Is a point on this edge inside? True for exactly one of two triangles that share the edge. */
static bool owns(const double *a, const double *b, double sign)
{
	double dx = (b[0] - a[0]) * sign, dy = (b[1] - a[1]) * sign;

	return dy < 0 || (dy == 0 && dx > 0);
}

bool mrf_covers(const struct mrf_frag *f, unsigned int px, unsigned int py)
{
	double x = px + 0.5, y = py + 0.5;
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

static void weights(const struct mrf_frag *f, unsigned int x, unsigned int y, double *w)
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
		w[i] = edge(f->pos[(i + 1) % 3], f->pos[(i + 2) % 3], x + 0.5, y + 0.5) /
			area;
}

void mrf_ld_var(struct mrf *g, const struct mrf_draw *d, unsigned int x, unsigned int y,
		unsigned int index, bool flat, bool perspective, unsigned int n, uint32_t *out)
{
	struct mrf_texel v[3];
	uint32_t w0, offset, fmt, stride;
	uint64_t buffer, base;
	double w[3], sum, all;
	unsigned int i, k;

	if (!d->frag) {
		mrf_fail(g, false, "varying outside a draw");
		return;
	}
	w0 = mrf_load(g, d->varyings + 8 * index);
	offset = mrf_load(g, d->varyings + 8 * index + 4);
	fmt = w0 >> 10;
	buffer = d->varbufs + 16 * (w0 & 511);
	base = mrf_load64(g, buffer) & 0xffffffffffffc0ull;
	stride = mrf_load(g, buffer + 8);
	for (i = 0; i < 3; i++)
		mrf_unpack(g, fmt, base + (uint64_t)d->frag->index[i] * stride +
			   (int32_t)offset, &v[i]);
	/* the last vertex is the provoking vertex, as in GLES */
	if (flat) {
		memcpy(out, v[2].v, 4 * n);
		return;
	}
	weights(d->frag, x, y, w);
	for (k = 0; k < n; k++) {
		sum = 0;
		all = 0;
		for (i = 0; i < 3; i++) {
			double one = perspective ? w[i] * d->frag->pos[i][3] : w[i];

			sum += one * mrf_f(v[i].v[k]);
			all += one;
		}
		out[k] = mrf_to_single(sum / all, MRF_RTE);
	}
}

void mrf_ld_point(const struct mrf_frag *f, unsigned int x, unsigned int y, uint32_t *out)
{
	double s = (x + 0.5 - f->pos[0][0]) / f->size + 0.5;
	double r = (y + 0.5 - f->pos[0][1]) / f->size + 0.5;

	out[0] = mrf_to_single(s, MRF_RTE);
	out[1] = mrf_to_single(f->from_bottom ? 1 - r : r, MRF_RTE);
}

/* Linear on the screen: @k is 2 for depth, 3 for 1 / w. */
static uint32_t linear(const struct mrf_frag *f, unsigned int x, unsigned int y, unsigned int k)
{
	double w[3];

	weights(f, x, y, w);
	return mrf_to_single(w[0] * f->pos[0][k] + w[1] * f->pos[1][k] + w[2] * f->pos[2][k],
			     MRF_RTE);
}

void mrf_ld_var_z(const struct mrf_frag *f, unsigned int x, unsigned int y, uint32_t *out)
{
	*out = linear(f, x, y, 2);
}

void mrf_ld_var_w(const struct mrf_frag *f, unsigned int x, unsigned int y, uint32_t *out)
{
	*out = linear(f, x, y, 3);
}

/* One component by an equation: a + b * c, each with a sign or as 1 - c. */
static double equation(struct mrf *g, uint32_t eq, const double *src, const double *dst,
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
		mrf_fail(g, true, "blend equation %03x", eq & 0xfff);
	}
	if (eq >> 11 & 1)
		c = 1 - c;
	return (eq >> 3 & 1 ? -a : a) + (eq >> 7 & 1 ? -b : b) * c;
}

/* Single floats into RGBA8 by the blend unit. */
void mrf_fixed_function(struct mrf *g, uint32_t eq, const uint32_t *color, uint8_t *texel)
{
	double src[4], dst[4], v;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		src[i] = fmin(fmax(mrf_f(color[i]), 0), 1);
		dst[i] = texel[i] / 255.0;
	}
	for (i = 0; i < 4; i++) {
		if (!(eq >> (28 + i) & 1))
			continue;
		v = equation(g, i < 3 ? eq : eq >> 12, src, dst, i);
		texel[i] = (uint8_t)rint(fmin(fmax(v, 0), 1) * 255);
	}
}

/* Depth test of a program's depth, clamped to 0..1. */
bool mrf_zs_test(struct mrf *g, const struct mrf_draw *d, unsigned int x, unsigned int y,
		 uint32_t z)
{
	uint32_t state = mrf_load(g, d->state + 32);
	float v = mrf_f(mrf_clamp(z, MRF_CLAMP_0_1)), *at;
	bool pass;

	if (!d->frag || x >= g->width || y >= g->height)
		return false;
	at = &g->depth[y * g->width + x];
	/* less, equal and greater are bits of the function */
	pass = state >> 24 & (v < *at ? 1 : v > *at ? 4 : 2);
	if (pass && state >> 27 & 1)
		*at = v;
	return pass;
}

static void corners(struct mrf *g, struct mrf_frag *f, uint64_t positions, unsigned int first,
		    unsigned int n)
{
	unsigned int i, k;

	memset(f, 0, sizeof(*f));
	for (i = 0; i < n; i++) {
		f->index[i] = first + i;
		for (k = 0; k < 4; k++)
			f->pos[i][k] = mrf_f(mrf_load(g, positions + 16 * (first + i) + 4 * k));
	}
}

/* Sizes are halves, one for each point. */
static void point_size(struct mrf *g, struct mrf_frag *f, uint64_t sizes, uint32_t state,
		       unsigned int index)
{
	const uint8_t *p = mrf_at(g, sizes + 2 * index, 2);

	if (p)
		f->size = mrf_f(mrf_half((uint16_t)(p[0] | p[1] << 8)));
	if (!p || !(f->size > 0))
		mrf_fail(g, true, "point of size %g", f->size);
	f->from_bottom = state >> 27 & 1;
}

bool mrf_primitive(struct mrf *g, uint64_t prim, bool points)
{
	uint32_t w = mrf_load(g, prim), mode = w & 255;

	/* sizes: array of halves */
	if ((mode == 8 || (points && mode == 1 && (w >> 11 & 3) == 2)) && !(w >> 8 & 7) &&
	    mrf_load(g, prim + 12) < MRF_VERTICES_MAX)
		return true;
	mrf_fail(g, true, "draw mode %u, index type %u", mode, w >> 8 & 7);
	return false;
}

static void clear(struct mrf *g)
{
	unsigned int i;

	for (i = 0; i < MRF_FB_MAX * MRF_FB_MAX; i++) {
		g->fb[i] = g->clear;
		g->depth[i] = 1;
	}
}

void mrf_fragments(struct mrf *g, struct mrf_draw *d, uint64_t prim, uint64_t viewport,
		   uint64_t positions, uint64_t sizes,
		   void (*quad)(struct mrf *g, struct mrf_draw *d, unsigned int x,
				unsigned int y, unsigned int primitive))
{
	uint32_t mode = mrf_load(g, prim) & 255, n = mrf_load(g, prim + 12) + 1;
	uint32_t max = mrf_load(g, viewport + 28);
	unsigned int i, x, y, per = mode == 8 ? 3 : 1;
	struct mrf_frag f;

	g->width = (max & 0xffff) + 1;
	g->height = (max >> 16) + 1;
	if (*g->error || g->width > MRF_FB_MAX || g->height > MRF_FB_MAX) {
		mrf_fail(g, true, "framebuffer %u x %u", g->width, g->height);
		return;
	}
	clear(g);
	d->frag = &f;
	for (i = 0; i + per <= n && !*g->error; i += per) {
		corners(g, &f, positions, i, per);
		if (per == 1)
			point_size(g, &f, sizes, mrf_load(g, d->state + 16), i);
		for (y = 0; y < g->height && !*g->error; y += 2)
			for (x = 0; x < g->width && !*g->error; x += 2)
				quad(g, d, x, y, i / per);
	}
	d->frag = NULL;
}
