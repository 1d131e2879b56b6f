// SPDX-License-Identifier: GPL-2.0
/* Triangles, combiners, tests and blending. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pica_draw_ref.h"

struct corner {
	double a[24];
	int x;
	int y;
	double w;
	double z;
};

double pica_draw_ref_float(uint32_t raw, int exponent, int mantissa)
{
	int bits = 1 + exponent + mantissa, e = raw >> mantissa & ((1 << exponent) - 1);
	double m = (double)(raw & ((1u << mantissa) - 1)) / (double)(1u << mantissa);
	double v = e ? ldexp(1.0 + m, e - (1 << (exponent - 1)) + 1) : 0.0;

	return raw >> (bits - 1) & 1 ? -v : v;
}

static double f24(uint32_t raw)
{
	return pica_draw_ref_float(raw & 0xffffff, 7, 16);
}

/* 16 bits of mantissa, towards zero. */
static double trunc24(const struct pica_draw_ref *s, double v)
{
	int e;
	double m = frexp(v, &e);

	return s->f24 ? ldexp(trunc(ldexp(m, 17)), e - 17) : v;
}

uint32_t pica_draw_ref_place_in(int x, int y, int width, int side)
{
	uint32_t in = 0;
	int i;

	for (i = side / 2; i; i /= 2)
		in = in << 2 | (uint32_t)(y & i ? 2 : 0) | (x & i ? 1 : 0);
	return (uint32_t)(y / side * side * width + x / side * side * side) + in;
}

uint32_t pica_draw_ref_place(int x, int y, int width)
{
	return pica_draw_ref_place_in(x, y, width, 8);
}

/* Offset of a pixel of the frame in pixels. */
static uint32_t place(const struct pica_draw_ref *s, int x, int y)
{
	return pica_draw_ref_place_in(x, y, (int)(s->r[0x11e] & 0x7ff), s->r[0x11b] & 1 ? 32 : 8);
}

void pica_draw_ref_write(struct pica_draw_ref *s, uint32_t reg, uint32_t value)
{
	uint32_t i, *at;

	s->r[reg] = value;
	if (reg >= 0x1c8 && reg <= 0x1cf) {
		at = &s->r[0x1c5];
		s->light[*at >> 8 & 31][*at & 255] = value;
	} else if (reg >= 0x0e8 && reg <= 0x0ef) {
		at = &s->r[0x0e6];
		s->fog[*at & 127] = value;
	} else if (reg >= 0x0b0 && reg <= 0x0b7) {
		at = &s->r[0x0af];
		i = *at & 255;
		switch (*at >> 8 & 15) {
		case 0:
			s->noise[i & 127] = value;
			break;
		case 2:
			s->map[0][i & 127] = value;
			break;
		case 3:
			s->map[1][i & 127] = value;
			break;
		case 4:
			s->colour[i] = value;
			break;
		default:
			s->diff[i] = value;
			break;
		}
	} else {
		return;
	}
	*at = (*at & ~255u) | ((*at + 1) & 255);
}

/* ---- combiners ---- */

static int clamp255(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

static int pick(const int c[4], int own, int code, bool alpha)
{
	int v;

	if (alpha)
		v = c[code / 2 == 0 ? 3 : code / 2 - 1];
	else if (code < 2)
		v = c[own];
	else if (code < 4)
		v = c[3];
	else
		v = c[code < 6 ? 0 : code < 10 ? 1 : 2];
	return code % 2 ? 255 - v : v;
}

/* The first stage has nothing before it: its third source, or the primary colour. */
static const int *source(const struct pica_draw_ref_frag *f, int stage, uint32_t codes, int j)
{
	int code = codes >> (4 * j) & 15;

	if (code == 15 && !stage)
		code = (codes >> 8 & 15) == 15 ? 0 : codes >> 8 & 15;
	return f->src[code];
}

static int operation(int op, int a, int b, int c, int dot)
{
	switch (op) {
	case 0: return a;
	case 1: return a * b / 255;
	case 2: return a + b;
	case 3: return a + b - 128;
	case 4: return (a * c + b * (255 - c)) / 255;
	case 5: return a - b;
	case 6:
	case 7: return dot;
	case 8: return (a * b + 255 * c) / 255;
	case 9: return clamp255(a + b) * c / 255;
	default: return 0;
	}
}

static void combiners(struct pica_draw_ref *s, struct pica_draw_ref_frag *f)
{
	static const int base[6] = { 0xc0, 0xc8, 0xd0, 0xd8, 0xf0, 0xf8 };
	int pending[4], n, i, j;

	for (i = 0; i < 4; i++) {
		pending[i] = s->r[0xfd] >> (8 * i) & 255;
		f->src[13][i] = pending[i];
	}
	for (n = 0; n < 6; n++) {
		const uint32_t *t = &s->r[base[n]];
		int arg[3][4], dot = 0, op[2] = { t[2] & 15, t[2] >> 16 & 15 };

		for (i = 0; i < 4; i++)
			f->src[14][i] = t[3] >> (8 * i) & 255;
		for (j = 0; j < 3; j++) {
			for (i = 0; i < 3; i++)
				arg[j][i] = pick(source(f, n, t[0], j), i, t[1] >> (4 * j) & 15,
						 false);
			arg[j][3] = pick(source(f, n, t[0] >> 16, j), 3, t[1] >> (12 + 4 * j) & 7,
					 true);
		}
		for (i = 0; i < 3; i++)
			dot += ((2 * arg[0][i] - 255) * (2 * arg[1][i] - 255) + 128) / 256;
		for (i = 0; i < 4; i++) {
			int v = operation(op[i == 3], arg[0][i], arg[1][i], arg[2][i], dot);
			int shift = t[4] >> (i == 3 ? 16 : 0) & 3;

			f->out[i] = clamp255(clamp255(v) * (shift == 1 ? 2 : shift == 2 ? 4 : 1));
		}
		if (op[0] == 7)
			f->out[3] = f->out[0];
		memcpy(f->src[15], f->out, sizeof(f->out));
		memcpy(f->src[13], pending, sizeof(pending));
		for (i = 0; i < 4 && n < 4; i++) {
			if (s->r[0xe0] >> ((i == 3 ? 12 : 8) + n) & 1)
				pending[i] = f->out[i];
		}
	}
}

static void fog(struct pica_draw_ref *s, struct pica_draw_ref_frag *f)
{
	double z = s->r[0xe0] >> 16 & 1 ? 1.0 - f->z : f->z, k, rest;
	int i, at, d;

	if ((s->r[0xe0] & 7) != 5)
		return;
	at = (int)(z * 128.0);
	at = at > 127 ? 127 : at;
	rest = z * 128.0 - at;
	d = (int)(s->fog[at] << 19) >> 19;
	k = ((s->fog[at] >> 13 & 0x7ff) + d * rest) / 2047.0;
	k = k < 0 ? 0 : k > 1 ? 1 : k;
	for (i = 0; i < 3; i++)
		f->out[i] = (int)(k * f->out[i] + (1 - k) * (s->r[0xe1] >> (8 * i) & 255) + 1e-9);
}

/* ---- tests ---- */

static bool passes(int func, uint32_t a, uint32_t b)
{
	bool less = a < b, same = a == b;
	bool all[8] = { false, true, same, !same, less, less || same, !less && !same, !less };

	return all[func & 7];
}

static int stencil_result(int op, int old, int ref)
{
	int all[8] = { old, 0, ref, old < 255 ? old + 1 : 255, old > 0 ? old - 1 : 0, 255 - old,
		       (old + 1) % 256, (old + 255) % 256 };

	return all[op & 7];
}

static bool depth_stencil(struct pica_draw_ref *s, const struct pica_draw_ref_frag *f)
{
	int format = s->r[0x116] & 3, bytes = format == 0 ? 2 : format == 2 ? 3 : 4, i;
	uint32_t dm = s->r[0x107], st = s->r[0x105], old = 0, z;
	bool stencil = st & 1 && format == 3, ok = true;
	int which = 8, value, ref = st >> 16 & 255, wmask = st >> 8 & 255, imask = st >> 24;
	uint8_t *p;

	p = s->mem(8 * s->r[0x11c] + bytes * place(s, f->x, f->y));
	if (!p)
		return true;
	for (i = 0; i < (bytes > 3 ? 3 : bytes); i++)
		old |= (uint32_t)p[i] << (8 * i);
	z = (uint32_t)floor((double)(float)f->z * (format == 0 ? 65535.0 : 16777215.0));
	if (stencil && !passes(st >> 4, ref & imask, p[3] & imask)) {
		which = 0;
		ok = false;
	} else if (dm & 1 && !passes(dm >> 4, z, old)) {
		which = 4;
		ok = false;
	}
	if (stencil && s->r[0x115] & 1) {
		value = stencil_result(s->r[0x106] >> which, p[3], ref);
		p[3] = (p[3] & ~wmask) | (value & wmask);
	}
	if (ok && dm >> 12 & 1 && s->r[0x115] & 2) {
		for (i = 0; i < (bytes > 3 ? 3 : bytes); i++)
			p[i] = z >> (8 * i);
	}
	return ok;
}

/* ---- colours ---- */

void pica_draw_ref_colour(int format, const uint8_t *p, int c[4])
{
	int v = p[0] + (format == 1 ? 0 : 256 * p[1]), i;

	c[3] = 255;
	switch (format) {
	case 0:
		for (i = 0; i < 4; i++)
			c[i] = p[3 - i];
		break;
	case 1:
		for (i = 0; i < 3; i++)
			c[i] = p[2 - i];
		break;
	case 2:
		for (i = 0; i < 3; i++) {
			c[i] = v >> (11 - 5 * i) & 31;
			c[i] = 8 * c[i] + c[i] / 4;
		}
		c[3] = 255 * (v % 2);
		break;
	case 3:
		c[0] = 8 * (v / 2048) + v / 2048 / 4;
		c[1] = 4 * (v / 32 % 64) + v / 32 % 64 / 16;
		c[2] = 8 * (v % 32) + v % 32 / 4;
		break;
	default:
		for (i = 0; i < 4; i++)
			c[i] = 17 * (v >> (12 - 4 * i) & 15);
		break;
	}
}

void pica_draw_ref_put_colour(int format, const int c[4], uint8_t *p)
{
	int v, i;

	switch (format) {
	case 0:
		for (i = 0; i < 4; i++)
			p[3 - i] = c[i];
		return;
	case 1:
		for (i = 0; i < 3; i++)
			p[2 - i] = c[i];
		return;
	case 2:
		v = c[0] / 8 * 2048 + c[1] / 8 * 64 + c[2] / 8 * 2 + c[3] / 128;
		break;
	case 3:
		v = c[0] / 8 * 2048 + c[1] / 4 * 32 + c[2] / 8;
		break;
	default:
		v = c[0] / 16 * 4096 + c[1] / 16 * 256 + c[2] / 16 * 16 + c[3] / 16;
		break;
	}
	p[0] = v % 256;
	p[1] = v / 256;
}

static int blend_factor(const struct pica_draw_ref *s, int code, int i, const int src[4],
			const int dst[4])
{
	int cc = s->r[0x103] >> (8 * i) & 255, ca = s->r[0x103] >> 24;
	int saturate = src[3] < 255 - dst[3] ? src[3] : 255 - dst[3];
	int all[16] = { 0, 255, src[i], 255 - src[i], dst[i], 255 - dst[i], src[3], 255 - src[3],
			dst[3], 255 - dst[3], cc, 255 - cc, ca, 255 - ca, i == 3 ? 255 : saturate,
			255 };

	return all[code & 15];
}

static int blended(const struct pica_draw_ref *s, int i, const int src[4], const int dst[4])
{
	uint32_t b = s->r[0x101];
	int eq = b >> (i == 3 ? 8 : 0) & 7;
	int x = src[i] * blend_factor(s, b >> (i == 3 ? 24 : 16), i, src, dst);
	int y = dst[i] * blend_factor(s, b >> (i == 3 ? 28 : 20), i, src, dst);

	if ((eq == 3 || eq == 4) && s->factors_of_min_max)
		return (eq == 3 ? (x < y ? x : y) : (x > y ? x : y)) / 255;
	if (eq == 3)
		return src[i] < dst[i] ? src[i] : dst[i];
	if (eq == 4)
		return src[i] > dst[i] ? src[i] : dst[i];
	x = eq == 1 ? x - y : eq == 2 ? y - x : x + y;
	return x < 0 ? 0 : clamp255(x / 255);
}

/* Logic operations as truth tables: bit 2 * source + destination. */
static int combined(int op, int a, int b)
{
	static const int table[16] = {
		0x0, 0x8, 0x4, 0xc, 0xf, 0x3, 0xa, 0x5, 0x7, 0xe, 0x1, 0x6, 0x9, 0x2, 0xd, 0xb
	};
	int i, v = 0;

	for (i = 0; i < 8; i++)
		v |= (table[op & 15] >> (2 * (a >> i & 1) + (b >> i & 1)) & 1) << i;
	return v;
}

static void shadow_map(struct pica_draw_ref *s, const struct pica_draw_ref_frag *f, uint8_t *p)
{
	uint32_t z = (uint32_t)floor((double)(float)f->z * 16777215.0);
	uint32_t old = p[0] << 16 | p[1] << 8 | p[2];
	double by;
	int d;

	if (z >= old)
		return;
	if (f->out[1]) {
		by = pica_draw_ref_float(s->r[0x130] & 0xffff, 5, 10) +
		     pica_draw_ref_float(s->r[0x130] >> 16, 5, 10) * z / old;
		d = by > 0 ? (int)fmin(f->out[1] / by, 255) : 255;
		p[3] = p[3] < d ? p[3] : d;
		return;
	}
	p[0] = z >> 16;
	p[1] = z >> 8;
	p[2] = z;
}

static void pixel(struct pica_draw_ref *s, struct pica_draw_ref_frag *f)
{
	static const int size[8] = { 4, 3, 2, 2, 2, 4, 4, 4 };
	int format = s->r[0x117] >> 16 & 7, dst[4], c[4], i;
	uint8_t *p = s->mem(8 * s->r[0x11d] + size[format] * place(s, f->x, f->y));

	combiners(s, f);
	if ((s->r[0x100] & 3) == 3) {
		shadow_map(s, f, p);
		return;
	}
	if (s->r[0x104] & 1 && !passes(s->r[0x104] >> 4, f->out[3], s->r[0x104] >> 8 & 255))
		return;
	fog(s, f);
	if (!depth_stencil(s, f) || !(s->r[0x113] & 15) || !p)
		return;
	pica_draw_ref_colour(format, p, dst);
	for (i = 0; i < 4; i++) {
		c[i] = s->r[0x100] >> 8 & 1 ? blended(s, i, f->out, dst) :
					      combined(s->r[0x102], f->out[i], dst[i]);
		if (!(s->r[0x107] >> (8 + i) & 1))
			c[i] = dst[i];
	}
	pica_draw_ref_put_colour(format, c, p);
}

/* ---- triangles ---- */

/* Numbers at a point of the plane, in 1/16 pixels; @perspective or linear in the window. */
static void interpolate(const struct corner *const c[3], int px, int py, double *a, double *z,
			double *zw)
{
	double area = (double)(c[1]->x - c[0]->x) * (c[2]->y - c[0]->y) -
		      (double)(c[2]->x - c[0]->x) * (c[1]->y - c[0]->y), b[3], sum = 0;
	int i, k;

	*z = 0;
	for (i = 0; i < 3; i++) {
		const struct corner *p = c[(i + 1) % 3], *q = c[(i + 2) % 3];

		b[i] = ((double)(p->x - px) * (q->y - py) -
			(double)(q->x - px) * (p->y - py)) / area;
		*z += b[i] * c[i]->z;
		b[i] /= c[i]->w;
		sum += b[i];
	}
	*zw = *z / sum;
	for (k = 0; k < 24; k++) {
		a[k] = 0;
		for (i = 0; i < 3; i++)
			a[k] += b[i] / sum * c[i]->a[k];
	}
}

/* Is the point inside; those on an edge belong to left and top sides (y down). */
static bool inside(const struct corner *const c[3], int px, int py)
{
	int i;

	for (i = 0; i < 3; i++) {
		const struct corner *p = c[i], *q = c[(i + 1) % 3];
		long long dx = q->x - p->x, dy = q->y - p->y;
		long long e = dx * (py - p->y) - dy * (px - p->x);

		/* clockwise on the screen: the inside is to the right of each side */
		if (e < 0 || (!e && !(dy < 0 || (!dy && dx > 0))))
			return false;
	}
	return true;
}

static bool cut_off(const struct pica_draw_ref *s, int x, int up)
{
	int x1 = s->r[0x66] & 1023, y1 = s->r[0x66] >> 16 & 1023;
	int x2 = s->r[0x67] & 1023, y2 = s->r[0x67] >> 16 & 1023;
	bool in = x >= x1 && x <= x2 && up >= y1 && up <= y2;

	return (s->r[0x65] & 3) == 3 ? !in : (s->r[0x65] & 3) == 1 ? in : false;
}

static void fragment(struct pica_draw_ref *s, const struct corner *const c[3], int x, int y)
{
	struct pica_draw_ref_frag f;
	double z, zw, none;
	int i, u;

	memset(&f, 0, sizeof(f));
	f.x = x;
	f.y = y;
	interpolate(c, 16 * x + 8, 16 * y + 8, f.a, &z, &zw);
	f.z = s->r[0x6d] & 1 ? z : zw;
	f.z = f.z < 0 ? 0 : f.z > 1 ? 1 : f.z;
	for (i = 0; i < 4; i++)
		interpolate(c, 16 * ((x & ~1) + i % 2) + 8, 16 * ((y & ~1) + i / 2) + 8, f.quad[i],
			    &none, &none);
	for (i = 0; i < 4; i++)
		f.src[0][i] = (int)floor((double)(float)f.a[8 + i] * 255.0 + 0.5);
	for (u = 0; u < 3; u++) {
		if (s->r[0x80] >> u & 1)
			pica_draw_ref_texture(s, u, &f);
	}
	if (s->r[0x80] >> 10 & 1)
		pica_draw_ref_proctex(s, &f);
	if (s->r[0x8f] & 1 && !(s->r[0x1c6] & 1))
		pica_draw_ref_light(s, &f);
	pixel(s, &f);
}

static void draw_fan(struct pica_draw_ref *s, const struct corner *a, const struct corner *b,
		     const struct corner *d)
{
	long long area = (long long)(b->x - a->x) * (d->y - a->y) -
			 (long long)(d->x - a->x) * (b->y - a->y);
	const struct corner *c[3] = { a, area > 0 ? b : d, area > 0 ? d : b };
	int width = s->r[0x11e] & 0x7ff, height = (s->r[0x11e] >> 12 & 0x3ff) + 1, x, y;

	/* y is down here: positive areas are clockwise */
	if (!area || ((s->r[0x40] & 3) == 1 && area < 0) || ((s->r[0x40] & 3) == 2 && area > 0))
		return;
	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++) {
			if (inside(c, 16 * x + 8, 16 * y + 8) && !cut_off(s, x, height - 1 - y))
				fragment(s, c, x, y);
		}
	}
}

static double plane_distance(const struct pica_draw_ref *s, int plane, const double *a)
{
	switch (plane) {
	case 0: return a[3] - a[0];
	case 1: return a[3] + a[0];
	case 2: return a[3] - a[1];
	case 3: return a[3] + a[1];
	case 4: return -a[2];
	case 5: return a[3] + a[2];
	case 6: return a[3] - 1e-5;
	default: return f24(s->r[0x48]) * a[0] + f24(s->r[0x49]) * a[1] + f24(s->r[0x4a]) * a[2] +
			f24(s->r[0x4b]) * a[3];
	}
}

static int clip(const struct pica_draw_ref *s, struct corner *c)
{
	struct corner from[16];
	int plane, n = 3, i, m, k;

	for (plane = 0; plane < 7 + (int)(s->r[0x47] & 1); plane++) {
		memcpy(from, c, sizeof(from));
		for (i = m = 0; i < n; i++) {
			const struct corner *p = &from[i], *q = &from[(i + 1) % n];
			double dp = plane_distance(s, plane, p->a);
			double dq = plane_distance(s, plane, q->a);
			bool p_in = dp >= 0, q_in = dq >= 0;

			if (p_in)
				c[m++] = *p;
			if (p_in == q_in)
				continue;
			for (k = 0; k < 24; k++)
				c[m].a[k] = p->a[k] + dp / (dp - dq) * (q->a[k] - p->a[k]);
			m++;
		}
		n = m;
	}
	return n;
}

static int sign_extended(uint32_t word, int at)
{
	int v = word >> at & 1023;

	return v > 511 ? v - 1024 : v;
}

void pica_draw_ref_triangle(struct pica_draw_ref *s, const float v[3][24])
{
	int height = (s->r[0x11e] >> 12 & 0x3ff) + 1, i, k, n;
	struct corner c[16];
	double dot, inv, x;

	memset(c, 0, sizeof(c));
	for (i = 0; i < 3; i++) {
		dot = 0;
		for (k = 0; k < 24; k++)
			c[i].a[k] = v[i][k];
		for (k = 4; k < 8; k++)
			dot += c[0].a[k] * c[i].a[k];
		for (k = 4; k < 8 && dot < 0 && !s->quaternions_as_given; k++)
			c[i].a[k] = -c[i].a[k];
	}
	n = clip(s, c);
	for (i = 0; i < n; i++) {
		inv = trunc24(s, 1.0 / c[i].a[3]);
		for (k = 0; k < 2; k++) {
			x = trunc24(s, trunc24(s, trunc24(s, c[i].a[k] * inv) + 1.0) *
				       f24(s->r[k ? 0x43 : 0x41]));
			x = floor(16.0 * trunc24(s, x + sign_extended(s->r[0x68], 16 * k)) + 0.5);
			*(k ? &c[i].y : &c[i].x) = k ? 16 * height - (int)x : (int)x;
		}
		c[i].w = 1.0 / inv;
		c[i].z = c[i].a[2] * inv * f24(s->r[0x4d]) + f24(s->r[0x4e]);
	}
	for (i = 2; i < n; i++)
		draw_fan(s, &c[0], &c[i - 1], &c[i]);
}
