// SPDX-License-Identifier: GPL-2.0
/* A scalar model of a frame. */
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "model.h"

struct model_sample model[MODEL_SIDE][MODEL_SIDE][4];

static const double place[4][2] = { { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 },
				    { 0.625, 0.875 } };

static u32 samples_of(const struct scene *s)
{
	return s->ms ? 4 : 1;
}

void model_begin(const struct scene *s)
{
	u32 x, y, k;

	for (y = 0; y < s->height; y++)
		for (x = 0; x < s->width; x++)
			for (k = 0; k < 4 && !s->load; k++)
				model[y][x][k] = (struct model_sample){
					.color = s->clear[x & 1], .z = s->clear[2],
					.s = s->clear[3],
				};
}

void model_draw_init(const struct scene *s, struct model_draw *d, enum sc_program program)
{
	*d = (struct model_draw){ .program = program, .window = { 0, 0, s->width, s->height },
				  .front = true, .back = true, .func = 7, .size = 1 };
}

/* ---- fragments ---- */

static bool passes(u32 func, u32 a, u32 b)
{
	return func & (a < b ? 1 : a == b ? 2 : 4);
}

static u32 apply(u32 op, u32 v, u32 ref)
{
	switch (op) {
	case 0:
		return 0;
	case 1:
		return v;
	case 2:
		return ref;
	case 3:
		return v == 255 ? 255 : v + 1;
	case 4:
		return v ? v - 1 : 0;
	case 5:
		return ~v & 255;
	case 6:
		return (v + 1) & 255;
	default:
		return (v - 1) & 255;
	}
}

/* Stencil words of one side. Return: the samples passes. */
static bool test(const struct model_draw *d, struct model_sample *m, u32 z, bool back)
{
	static const u8 masks[] = { 1, 3, 15, 255 };
	u32 word = 1 << 25 | 1 << 22 | 1 << 19 | 7 << 16, mask = 255, i, ref, op;
	bool st, zt;

	for (i = 0; i < 2 && d->program == SC_STENCIL; i++) {
		u32 w = d->uniforms[i];

		if (!(w >> 30)) {
			mask = back ? w >> 8 & 255 : w & 255;
		} else if (w >> 30 & (back ? 2 : 1)) {
			word = w;
			mask = masks[w >> 28 & 3];
		}
	}
	ref = word >> 8 & 255;
	st = passes(word >> 16 & 7, ref & word & 255, m->s & word & 255);
	zt = passes(d->func, z, m->z);
	op = !st ? word >> 19 : !zt ? word >> 25 : word >> 22;
	m->s = (m->s & ~mask) | (apply(op & 7, m->s, ref) & mask);
	if (st && zt && d->update)
		m->z = z;
	return st && zt;
}

static u32 component(double v)
{
	return (u32)(fmin(fmax(v, 0), 1) * 255 + 0.5);
}

/* @cover: samples; @z: 0 to 1 */
static void fragment(const struct scene *s, const struct model_draw *d, u32 x, u32 y, u32 cover,
		     double z, bool back, const double vary[4])
{
	u32 k, color = 0, depth = (u32)(fmin(fmax(z, 0), 1) * 0xffffff + 0.5);
	struct model_sample *m;
	bool tests = d->program == SC_DEPTH || d->program == SC_STENCIL;

	for (k = 0; k < samples_of(s); k++) {
		m = &model[y][x][k];
		if (!(cover >> k & 1) || (tests && !test(d, m, depth, back)))
			continue;
		switch (d->program) {
		case SC_VARYING:
			color = component(vary[0]) | component(vary[1]) << 8 |
				component(vary[2]) << 16 | component(vary[3]) << 24;
			break;
		case SC_PLACE:
			color = x | y << 16;
			break;
		case SC_ADD:
			color = m->color + d->uniforms[0];
			break;
		case SC_FACE:
			color = d->uniforms[0] | back;
			break;
		case SC_POINT:
			color = component(vary[0]) | component(vary[1]) << 8;
			break;
		case SC_MASK:
			color = s->ms ? cover : 15;
			break;
		case SC_STENCIL:
			color = d->uniforms[2];
			break;
		default:
			color = d->uniforms[0];
			break;
		}
		m->color = color;
	}
}

static bool in_window(const struct model_draw *d, u32 x, u32 y)
{
	return x >= d->window[0] && y >= d->window[1] && x < d->window[0] + d->window[2] &&
	       y < d->window[1] + d->window[3];
}

/* ---- triangles ---- */

/* In the window, truncated to 1/16. */
static void window(const struct scene *s, const struct sc_vertex *v, double at[2])
{
	at[0] = s->width / 2.0 + trunc(v->at[0] / v->at[3] * 8 * s->width) / 16;
	at[1] = s->height / 2.0 + trunc(v->at[1] / v->at[3] * 8 * s->height) / 16;
}

static double edge(const double a[2], const double b[2], double x, double y)
{
	return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Of an edge through the sample, the left and the horizontal upper one count. */
static bool inside(const double a[2], const double b[2], double e, double sign)
{
	double dx = (b[0] - a[0]) * sign, dy = (b[1] - a[1]) * sign;

	return e > 0 || (!e && (dy < 0 || (!dy && dx > 0)));
}

static bool covers(const double p[3][2], double area, double x, double y)
{
	double sign = area < 0 ? -1 : 1;
	u32 i;

	for (i = 0; i < 3; i++) {
		const double *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];

		if (!inside(a, b, edge(a, b, x, y) * sign, sign))
			return false;
	}
	return true;
}

void model_triangle(const struct scene *s, const struct model_draw *d,
		    const struct sc_vertex *const v[3], const struct sc_vertex *provoking)
{
	double p[3][2], area, z[3], e[3], w, sum, vary[4], depth, slope = 0;
	u32 x, y, i, k, cover;
	bool back;

	for (i = 0; i < 3; i++) {
		window(s, v[i], p[i]);
		z[i] = v[i]->at[2] / v[i]->at[3] * 0.5 + 0.5;
	}
	area = edge(p[0], p[1], p[2][0], p[2][1]);
	back = d->cw ? area > 0 : area < 0;
	if (!area || (back ? !d->back : !d->front))
		return;
	for (i = 0; i < 2; i++) {
		double step = 0;

		for (k = 0; k < 3; k++) {
			const double *a = p[(k + 1) % 3], *b = p[(k + 2) % 3];

			step += z[k] * (i ? b[0] - a[0] : a[1] - b[1]) / area;
		}
		slope = fmax(slope, fabs(step));
	}
	for (y = 0; y < s->height; y++) {
		for (x = 0; x < s->width; x++) {
			if (!in_window(d, x, y))
				continue;
			for (cover = 0, k = 0; s->ms && !d->single && k < 4; k++)
				cover |= (u32)covers(p, area, x + place[k][0], y +
						     place[k][1]) << k;
			if ((!s->ms || d->single) && covers(p, area, x + 0.5, y + 0.5))
				cover = 15;
			if (!cover)
				continue;
			for (i = 0; i < 3; i++)
				e[i] = edge(p[(i + 1) % 3], p[(i + 2) % 3], x + 0.5, y +
					    0.5) / area;
			depth = e[0] * z[0] + e[1] * z[1] + e[2] * z[2] + d->factor * slope +
				d->units / 16777216;
			for (w = 0, i = 0; i < 3; i++)
				w += e[i] / v[i]->at[3];
			for (k = 0; k < 4; k++) {
				for (sum = 0, i = 0; i < 3; i++)
					sum += e[i] / v[i]->at[3] * v[i]->vary[k];
				vary[k] = d->flat >> k & 1 ? provoking->vary[k] : sum / w;
			}
			fragment(s, d, x, y, cover, depth, back, vary);
		}
	}
}

void model_point(const struct scene *s, const struct model_draw *d, const struct sc_vertex *v)
{
	double p[2], half = d->size / 2, vary[4] = {}, at[2];
	u32 x, y, k, cover;

	window(s, v, p);
	for (y = 0; y < s->height; y++) {
		for (x = 0; x < s->width; x++) {
			if (!in_window(d, x, y))
				continue;
			for (cover = 0, k = 0; k < samples_of(s); k++) {
				at[0] = x + (s->ms ? place[k][0] : 0.5) - p[0];
				at[1] = y + (s->ms ? place[k][1] : 0.5) - p[1];
				if (at[0] >= -half && at[0] < half && at[1] >= -half &&
				    at[1] < half)
					cover |= 1U << k;
			}
			vary[0] = (x + 0.5 - p[0] + half) / d->size;
			vary[1] = 1 - (y + 0.5 - p[1] + half) / d->size;
			if (cover)
				fragment(s, d, x, y, cover, v->at[2] / v->at[3] * 0.5 + 0.5, false,
					 vary);
		}
	}
}

/* ---- comparison ---- */

static u32 largest(u32 a, u32 b)
{
	u32 k, worst = 0, d;

	for (k = 0; k < 32; k += 8) {
		d = (u32)abs((int)(a >> k & 255) - (int)(b >> k & 255));
		worst = d > worst ? d : worst;
	}
	return worst;
}

/* A pixel as it is stored. */
static u32 stored(const struct scene *s, const struct model_sample *m)
{
	u32 k, c, v = 0, sum;

	if (!s->ms)
		v = m[0].color;
	for (c = 0; s->ms && c < 32; c += 8) {
		for (sum = 2, k = 0; k < 4; k++)
			sum += m[k].color >> c & 255;
		v |= sum / 4 << c;
	}
	if (s->bytes == 2)
		v = (v & 255) >> 3 << 11 | (v >> 8 & 255) >> 2 << 5 | (v >> 16 & 255) >> 3;
	return v;
}

static u32 widened(u32 v)
{
	return (v >> 11) << 3 | (v >> 5 & 63) << 10 | (v & 31) << 19;
}

u32 model_differences(const struct scene *s, u32 most, u32 *worst)
{
	u32 x, y, k, d, a, b, bad = 0, is;

	*worst = 0;
	for (y = 0; y < s->height; y++) {
		for (x = 0; x < s->width; x++) {
			const struct model_sample *m = model[y][x];

			a = stored(s, m);
			b = sc_pixel(s, SC_COLOR, s->bytes, x, y);
			d = s->bytes == 2 ? largest(widened(a), widened(b)) : largest(a, b);
			/* a component may be rounded to either side */
			is = s->bytes == 2 && most ? (d > 8) : d > most;
			*worst = d > *worst ? d : *worst;
			if (s->zs)
				is |= (sc_pixel(s, SC_ZS, 4, x, y) & 255) != m[0].s ||
				      labs((long)(sc_pixel(s, SC_ZS, 4, x,
							   y) >> 8) - (long)m[0].z) > 2;
			for (k = 0; k < 4 && s->full; k++) {
				is |= largest(sc_sample(s, SC_FULL_COLOR, x, y, k),
					      m[k].color) > most;
				is |= (sc_sample(s, SC_FULL_ZS, x, y, k) & 255) != m[k].s;
			}
			bad += is;
		}
	}
	return bad;
}
