// SPDX-License-Identifier: GPL-2.0
/* Pictures of the scenes for Utgard's frames: one sample after another, in binary64. */
#include <math.h>

#include "../include/tap.h"
#include "scene.h"

/* Steps of depth within which numbers of the model and of the engine may differ. */
#define NEAR		8

/**
 * struct sample - A sample of a pixel.
 * @c:		components in the buffer, 0 to 1; floats have no limits
 * @z:		in steps of the buffer
 * @s:		stencil
 * @soft:	@z has been interpolated
 */
struct sample {
	double c[4];
	double z;
	u32 s;
	bool soft;
};

/**
 * struct model - A pixel, which always has four samples here.
 * @max:	steps of its components; 0: floats
 * @zmax:	steps of depths
 * @sample:	samples
 * @unsure:	a test has compared a depth with one that is nearly the same
 */
struct model {
	u32 max[4];
	u32 zmax;
	struct sample sample[4];
	bool unsure;
};

static double fit(const struct model *m, u32 i, double v)
{
	return m->max[i] ? rint(fmin(fmax(v, 0), 1) * m->max[i]) / m->max[i] : v;
}

static bool compare(u32 func, double a, double b)
{
	switch (func) {
	case 0:
		return false;
	case 1:
		return a < b;
	case 2:
		return a == b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	case 5:
		return a != b;
	case 6:
		return a >= b;
	default:
		return true;
	}
}

static u32 stencil_op(u32 op, u32 v, u32 ref)
{
	const u32 result[8] = { v, ref, 0, ~v, v + 1, v - 1, v == 255 ? 255 : v + 1,
				v ? v - 1 : 0 };

	return result[op] & 255;
}

static double factor_model(u32 f, const double s[4], const double second[4], const double d[4],
			   const double k[4], u32 i, bool alpha_field)
{
	u32 c = f & 16 ? 3 : i;
	double v;

	switch (f & 7) {
	case 0:
		v = s[c];
		break;
	case 1:
		v = d[c];
		break;
	case 2:
		v = k[c];
		break;
	case 4:
		v = alpha_field ? 1 : fmin(s[3], 1 - d[3]);
		break;
	case 5:
		v = second[c];
		break;
	default:
		v = 0;
	}
	return f & 8 ? 1 - v : v;
}

static void blend_model(const struct model *m, const struct sc_draw *d, const double src[4],
			struct sample *t)
{
	double s[4], second[4], old[4], k[4], fs, fd, v;
	const u32 *w = d->word;
	u32 i, func;

	k[0] = (w[1] & 255) / 255.0;
	k[1] = (w[0] >> 16 & 255) / 255.0;
	k[2] = (w[0] & 255) / 255.0;
	k[3] = (w[1] >> 16 & 255) / 255.0;
	for (i = 0; i < 4; i++) {
		s[i] = src[i];
		second[i] = d->dual ? d->second[i] : s[i];
		old[i] = t->c[i];
	}
	if (w[8] & 0x100)
		s[3] = 1;
	for (i = 0; i < 4; i++) {
		if (!(w[2] >> (28 + i) & 1))
			continue;
		func = w[2] >> (i == 3 ? 3 : 0) & 7;
		fs = factor_model(i == 3 ? w[2] >> 16 & 15 : w[2] >> 6 & 31, s, second,
				  old, k, i, i == 3);
		fd = factor_model(i == 3 ? w[2] >> 20 & 15 : w[2] >> 11 & 31, s, second,
				  old, k, i, i == 3);
		v = func == 0 ? s[i] * fs - old[i] * fd : func == 1 ? old[i] * fd - s[i] * fs :
		    s[i] * fs + old[i] * fd;
		if (func == 4)
			v = fmin(v, old[i]);
		if (func == 5)
			v = fmax(v, old[i]);
		t->c[i] = fit(m, i, v);
	}
}

/**
 * struct fragment - What a draw has at a place.
 * @c:		colour, which is that of all corners
 * @depth:	without the offset
 * @slope:	of the depth, the greater of both directions
 * @back:	side
 */
struct fragment {
	double c[4];
	double depth;
	double slope;
	bool back;
};

static double offset_model(const struct model *m, const struct sc_draw *d, double slope)
{
	u32 w = d->word[3];

	/* of triangles */
	if ((d->word[8] >> 10 & 3) != 2)
		return 0;
	return (int8_t)(w >> 16) / 4.0 * slope + (int8_t)(w >> 24) / 2.0 / (m->zmax + 1.0);
}

static void write_model(struct model *m, u32 sample, const struct sc_draw *d,
			const struct fragment *f)
{
	const u32 *w = d->word;
	struct sample *t = &m->sample[sample];
	u32 st = w[5 + f->back], mask = w[7] >> (f->back ? 8 : 0) & 255, ref = st >> 16 & 255;
	u32 read = st >> 24, op, func = w[3] >> 1 & 7;
	u32 a = (u32)floor(fmin(fmax(f->c[3], 0), 1) * 255 + .5), n = 4;
	double depth = f->depth + offset_model(m, d, f->slope), z, edge;
	bool soft = f->slope || depth != f->depth;

	edge = fmin(fabs(f->depth - d->range[0]), fabs(f->depth - d->range[1]));
	if (f->slope && edge * m->zmax < NEAR)
		m->unsure = true;
	if (f->depth < d->range[0] || f->depth > d->range[1])
		return;
	z = rint(fmin(fmax(depth, 0), 1) * m->zmax);
	if (!compare(w[8] & 7, a, w[7] >> 16 & 255))
		return;
	if (w[8] & 0x80) {
		for (n = 0; n < 4 && f->c[3] >= (2 * n + 1) / 8.0; n++)
			;
	}
	if (sample >= n)
		return;
	if (!compare(st & 7, ref & read, t->s & read)) {
		op = st >> 3 & 7;
	} else {
		if ((soft || t->soft) && func % 7 && fabs(z - t->z) <= NEAR)
			m->unsure = true;
		op = compare(func, z, t->z) ? 8 | (st >> 9 & 7) : st >> 6 & 7;
	}
	t->s = (t->s & ~mask) | (stencil_op(op & 7, t->s, ref) & mask);
	if (op < 8)
		return;
	if (w[3] & 1) {
		t->z = z;
		t->soft = soft;
	}
	blend_model(m, d, f->c, t);
}

/* Twice the area of two edges, in exact numbers. */
static double cross(const float *a, const float *b, double x, double y)
{
	return ((double)b[0] - a[0]) * (y - a[1]) - ((double)b[1] - a[1]) * (x - a[0]);
}

/* Is a point on an edge inside? Rows go downwards, @e is clockwise as seen. */
static bool inside(const float *a, const float *b, double x, double y, double sign)
{
	double e = sign * cross(a, b, x, y), dx = sign * (b[0] - a[0]), dy = sign * (b[1] - a[1]);

	if (e)
		return e > 0;
	/* a left edge goes upwards, a top one to the right */
	return dy < 0 || (!dy && dx > 0);
}

static void plane_model(const float *const p[3], double area, struct fragment *f)
{
	double dz[2] = {}, by = 0;
	u32 i;

	for (i = 0; i < 3; i++) {
		const float *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];

		by = (double)p[i][2] - p[0][2];
		dz[0] -= ((double)b[1] - a[1]) * by / area;
		dz[1] += ((double)b[0] - a[0]) * by / area;
	}
	f->slope = fmax(fabs(dz[0]), fabs(dz[1]));
}

static bool triangle_model(const struct sc_draw *d, const u32 v[3], double x, double y,
			   struct fragment *f)
{
	const float *p[3] = { d->pos[v[0]], d->pos[v[1]], d->pos[v[2]] };
	double area = cross(p[0], p[1], p[2][0], p[2][1]), e[3], sum = 0;
	bool ccw = area < 0;
	u32 i, k;

	*f = (struct fragment){ .back = ccw == !(d->word[14] & 0x1000) };
	if (!area || (ccw ? d->cull & 0x40000 : d->cull & 0x20000))
		return false;
	for (i = 0; i < 3; i++) {
		if (!inside(p[(i + 1) % 3], p[(i + 2) % 3], x, y, area < 0 ? -1 : 1))
			return false;
		e[i] = cross(p[(i + 1) % 3], p[(i + 2) % 3], x, y) / area;
		sum += e[i] * p[i][3];
	}
	/* exact where all corners have the same */
	for (i = 0; i < 3; i++) {
		f->depth += i ? e[i] * ((double)p[i][2] - p[0][2]) : p[0][2];
		for (k = 0; k < 4; k++)
			f->c[k] += i ? e[i] * p[i][3] / sum *
				       ((double)d->color[v[i]][k] - d->color[v[0]][k]) :
				       d->color[v[0]][k];
	}
	plane_model(p, area, f);
	return true;
}

static bool rect_model(const struct sc_draw *d, const u32 v[3], double x, double y,
		       struct fragment *f)
{
	const float *p[3] = { d->pos[v[0]], d->pos[v[1]], d->pos[v[2]] };
	double area = cross(p[0], p[1], p[2][0], p[2][1]), e, lo, hi;
	u32 i, k;

	*f = (struct fragment){ .back = (area < 0) == !(d->word[14] & 0x1000) };
	for (k = 0; k < 2; k++) {
		lo = fmin(fmin(p[0][k], p[1][k]), p[2][k]);
		hi = fmax(fmax(p[0][k], p[1][k]), p[2][k]);
		if ((k ? y : x) < lo || (k ? y : x) >= hi)
			return false;
	}
	for (i = 0; i < 3; i++) {
		e = cross(p[(i + 1) % 3], p[(i + 2) % 3], x, y) / area;
		f->depth += i ? e * (p[i][2] - p[0][2]) : p[0][2];
		for (k = 0; k < 4; k++)
			f->c[k] += i ? e * (d->color[v[i]][k] - d->color[v[0]][k]) :
				       d->color[v[0]][k];
	}
	plane_model(p, area, f);
	return true;
}

/* Vertices of one of a quad's triangles. Return: number of the quad's last vertex. */
static u32 quad_corners(bool strip, u32 i, u32 v[3])
{
	static const u8 corner[2][2][3] = {
		{ { 3, 0, 1 }, { 3, 1, 2 } }, { { 3, 2, 0 }, { 3, 0, 1 } },
	};
	u32 first = (strip ? 2 : 4) * (i / 2), k;

	for (k = 0; k < 3; k++)
		v[k] = first + corner[strip][i & 1][k];
	return first + 3;
}

/* Vertices of a triangle. Return: number of the last vertex that it needs. */
static u32 corners(enum sc_mode mode, u32 i, u32 v[3])
{
	bool odd = mode == SC_STRIP && i & 1, list = mode == SC_TRIANGLES || mode == SC_RECT;
	u32 first = list ? 3 * i : i;

	if (mode == SC_QUADS || mode == SC_QUAD_STRIP)
		return quad_corners(mode == SC_QUAD_STRIP, i, v);
	v[0] = mode == SC_FAN || mode == SC_POLYGON ? 0 : first + odd;
	v[1] = first + !odd;
	v[2] = first + 2;
	return v[2];
}

static void draw_model(const struct sc_draw *d, u32 x, u32 y, struct model *m)
{
	/* of a pixel with four samples */
	static const double place[4][2] = {
		{ .375, .125 }, { .875, .375 }, { .125, .625 }, { .625, .875 },
	};
	/* rectangles cover pixels by their centres */
	bool multi = (d->word[8] >> 3 & 15) == 13 && d->mode != SC_RECT;
	u32 i, k, n = d->n, v[3];
	struct fragment f;

	if (x < d->scissor[0] || y < d->scissor[1] || x > d->scissor[2] || y > d->scissor[3])
		return;
	for (n = 0; d->index_bytes && d->index[n] != ~0U; n++)
		;
	n = d->index_bytes ? n : d->n;
	for (i = 0; corners(d->mode, i, v) < n; i++) {
		for (k = 0; k < 3 && d->index_bytes; k++)
			v[k] = d->index[v[k]] - d->start;
		for (k = 0; k < 4; k++) {
			if (d->word[8] >> (12 + k) & 1 &&
			    (d->mode == SC_RECT ? rect_model : triangle_model)
			    (d, v, x + (multi ? place[k][0] : .5), y + (multi ? place[k][1] : .5),
			     &f))
				write_model(m, k, d, &f);
		}
	}
}

/* ---- images ---- */

/* Where components are in a pixel: first bit and bits, blue in the lowest ones; bits 0: none. */
static const u8 format_model[9][4][2] = {
	{ { 11, 5 }, { 5, 6 }, { 0, 5 } },
	{ { 10, 5 }, { 5, 5 }, { 0, 5 }, { 15, 1 } },
	{ { 8, 4 }, { 4, 4 }, { 0, 4 }, { 12, 4 } },
	{ { 16, 8 }, { 8, 8 }, { 0, 8 }, { 24, 8 } },
	{ [2] = { 0, 8 } },
	{ [1] = { 8, 8 }, [2] = { 0, 8 } },
	{ { 32, 16 }, { 16, 16 }, { 0, 16 }, { 48, 16 } },
	{ [2] = { 0, 16 } },
	{ [1] = { 16, 16 }, [2] = { 0, 16 } },
};

static const u8 format_bytes[9] = { 2, 2, 2, 4, 1, 2, 8, 2, 4 };

/* Bits of a pixel of an image, which begins at @va. */
static u64 pixel_model(struct scene *s, u32 va, const u32 *unit, u32 bytes, u32 x, u32 y)
{
	const u8 *p = (u8 *)frame_at(&s->fr, va);
	u32 i, at = 0;
	u64 v = 0;

	for (i = 0; i < 4; i++)
		at |= ((x ^ y) >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	if (unit[4] == 2)
		p += bytes * ((y / 16 * unit[5] + x / 16) * 256 + at);
	else
		p += y * unit[5] * 8 + x * bytes;
	memcpy(&v, p, bytes);
	return v;
}

static double half_model(u32 h)
{
	double v = h >> 10 & 31 ? ldexp(1024 + (h & 1023), (int)(h >> 10 & 31) - 25) :
				  ldexp(h & 1023, -24);

	return h >> 15 ? -v : v;
}

/* Return: how far a component of a pixel is from what it should be, in steps. */
static u32 color_model(const struct scene *s, const struct model *m, u64 pixel, u32 k, double want)
{
	const u32 *unit = s->unit[0];
	const u8 *at = format_model[unit[2]][unit[6] & 4 && k != 3 && k != 1 ? 2 - k : k];
	u32 v = (u32)(pixel >> at[0]) & ((1U << at[1]) - 1), max = (1U << at[1]) - 1;

	if (!at[1])
		return 0;
	/* a step of floats is 1/128 of the greatest one that draws have added */
	if (!m->max[k])
		return (u32)(fabs(half_model(v) - want) * 128 / (1 << min(s->ndraws, 8U)));
	return (u32)floor(fabs((double)v / max - want) * min(max, m->max[k]) + .49);
}

static void model_begin(const struct scene *s, struct model *m)
{
	u32 k, n, bits;

	memset(m, 0, sizeof(*m));
	m->zmax = s->unit[1][0] && s->unit[1][2] == 14 ? 0xffff : 0xffffff;
	for (k = 0; k < 4; k++) {
		bits = s->flags & 1 ? 0 : s->layout >> (k == 3 ? 12 : 8 - 4 * k) & 15;
		m->max[k] = (1U << bits) - 1;
		for (n = 0; n < 4; n++)
			m->sample[n].c[k] = fit(m, k, (s->clear >> (8 * k) & 255) / 255.0);
	}
	for (n = 0; n < 4; n++) {
		m->sample[n].z = m->zmax == 0xffff ? s->clear_depth >> 8 : s->clear_depth;
		m->sample[n].s = s->clear_stencil;
	}
}

static u32 compare_color(struct scene *s, const struct model *m, u32 x, u32 y)
{
	u32 k, n, worst = 0, diff, planes = s->unit[0][7] ? 4 : 1;
	u64 have;

	for (n = 0; n < planes; n++) {
		have = pixel_model(s, SC_COLOR + n * s->unit[0][8], s->unit[0],
				   format_bytes[s->unit[0][2]], x, y);
		for (k = 0; k < 4; k++) {
			double want = m->sample[n].c[k];

			if (planes == 1)
				want = (m->sample[0].c[k] + m->sample[1].c[k] +
					m->sample[2].c[k] + m->sample[3].c[k]) / 4;
			diff = color_model(s, m, have, k, want);
			if (diff > worst && diff > 1)
				tap_comment("%u %u, plane %u: %llx, component %u is not %g", x, y,
					    n, (unsigned long long)have, k, want);
			worst = max(worst, diff);
		}
	}
	return worst;
}

static bool same_depth(struct scene *s, const struct model *m, u32 x, u32 y)
{
	u32 n, planes = s->unit[1][7] ? 4 : 1, bytes = m->zmax == 0xffff ? 2 : 4;

	for (n = 0; n < planes; n++) {
		const struct sample *t = &m->sample[n];
		u32 have = (u32)pixel_model(s, SC_DEPTH + n * s->unit[1][8], s->unit[1], bytes, x,
					    y);

		if (fabs((have & m->zmax) - t->z) <= (t->soft ? NEAR : 1) &&
		    (bytes == 2 || have >> 24 == t->s))
			continue;
		tap_comment("%u %u, plane %u: depth %08x, not %02x %06x", x, y, n, have, t->s,
			    (u32)t->z);
		return false;
	}
	return true;
}

u32 scene_compare(struct scene *s)
{
	u32 x, y, i, worst = 0;
	struct model m;

	for (y = 0; y < s->height; y++) {
		for (x = 0; x < s->width; x++) {
			model_begin(s, &m);
			for (i = 0; i < s->ndraws; i++)
				draw_model(&s->draw[i], x, y, &m);
			s->unsure += m.unsure;
			if (m.unsure)
				continue;
			if (s->unit[0][0])
				worst = max(worst, compare_color(s, &m, x, y));
			if (s->unit[1][0] && worst < 1000 && !same_depth(s, &m, x, y))
				worst = 1000;
		}
	}
	return worst;
}
