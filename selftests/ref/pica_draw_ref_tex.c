// SPDX-License-Identifier: GPL-2.0
/* Texture units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pica_draw_ref.h"

struct image {
	uint32_t va;
	int format;
	int w;
	int h;
};

/* ---- texels ---- */

static uint64_t little(const uint8_t *p)
{
	uint64_t v = 0;
	int i;

	for (i = 7; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

/* ETC1 of a block, as OES_compressed_ETC1_RGB8_texture has it. */
static void etc1(uint64_t b, int x, int y, int c[4])
{
	static const int table[8][2] = { { 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 },
					 { 24, 80 }, { 33, 106 }, { 47, 183 } };
	bool second = b >> 32 & 1 ? y >= 2 : x >= 2;
	int n = 4 * x + y, add, i, v, d;

	add = table[b >> (second ? 34 : 37) & 7][b >> n & 1];
	if (b >> (16 + n) & 1)
		add = -add;
	for (i = 0; i < 3; i++) {
		if (b >> 33 & 1) {
			v = b >> (59 - 8 * i) & 31;
			d = b >> (56 - 8 * i) & 7;
			if (second)
				v = (v + (d > 3 ? d - 8 : d)) & 31;
			v = v * 8 + v / 4;
		} else {
			v = 17 * (b >> ((second ? 56 : 60) - 8 * i) & 15);
		}
		v += add;
		c[i] = v < 0 ? 0 : v > 255 ? 255 : v;
	}
	c[3] = 255;
}

static void grey(int c[4], int v)
{
	c[0] = v;
	c[1] = v;
	c[2] = v;
}

static void texel(struct pica_draw_ref *s, const struct image *m, int x, int y, int c[4])
{
	static const int bits[14] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8 };
	uint32_t n = pica_draw_ref_place(x, y, m->w), block = n / 16;
	const uint8_t *p = s->mem(m->va + n * bits[m->format] / 8);
	int v = p[0], half = n & 1 ? v / 16 : v % 16;
	uint64_t alpha;

	grey(c, 0);
	c[3] = 255;
	switch (m->format) {
	case 5:
		grey(c, p[1]);
		c[3] = p[0];
		return;
	case 6:
		c[0] = p[1];
		c[1] = p[0];
		return;
	case 7:
		grey(c, v);
		return;
	case 8:
		c[3] = v;
		return;
	case 9:
		grey(c, v / 16 * 17);
		c[3] = v % 16 * 17;
		return;
	case 10:
		grey(c, half * 17);
		return;
	case 11:
		c[3] = half * 17;
		return;
	case 12:
		etc1(little(s->mem(m->va + 8 * block)), x & 3, y & 3, c);
		return;
	case 13:
		etc1(little(s->mem(m->va + 16 * block + 8)), x & 3, y & 3, c);
		alpha = little(s->mem(m->va + 16 * block));
		c[3] = 17 * (int)(alpha >> (16 * (x & 3) + 4 * (y & 3)) & 15);
		return;
	default:
		pica_draw_ref_colour(m->format, p, c);
		return;
	}
}

static int wrapped(int mode, int i, int n)
{
	int m;

	switch (mode) {
	case 0:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	case 1:
	case 5:
		return i < 0 || i >= n ? -1 : i;
	case 4:
		return i < 0 ? 0 : i >= n ? -1 : i;
	case 3:
		m = ((i % (2 * n)) + 2 * n) % (2 * n);
		return m < n ? m : 2 * n - 1 - m;
	default:
		return ((i % n) + n) % n;
	}
}

struct unit {
	int border;
	int base;
	uint32_t params;
	uint32_t lod;
	int format;
};

static void fetch(struct pica_draw_ref *s, const struct unit *u, const struct image *m, int i,
		  int j, int c[4])
{
	int x = wrapped(u->params >> 12 & 7, i, m->w), y = wrapped(u->params >> 8 & 7, j, m->h), k;

	if (x < 0 || y < 0) {
		for (k = 0; k < 4; k++)
			c[k] = s->r[u->border] >> (8 * k) & 255;
		return;
	}
	texel(s, m, x, m->h - 1 - y, c);
}

static void in_level(struct pica_draw_ref *s, const struct unit *u, const struct image *m,
		     bool smooth, const double t[2], double out[4])
{
	double x = floor(256 * (float)t[0] * m->w), y = floor(256 * (float)t[1] * m->h), a, b;
	int c[4][4], k, i, j;

	if (!smooth) {
		i = s->texels_to_zero ? (int)(x / 256) : (int)floor(x / 256);
		j = s->texels_to_zero ? (int)(y / 256) : (int)floor(y / 256);
		fetch(s, u, m, i, j, c[0]);
		for (k = 0; k < 4; k++)
			out[k] = c[0][k];
		return;
	}
	x = (x - 128) / 256;
	y = (y - 128) / 256;
	i = (int)floor(x);
	j = (int)floor(y);
	a = x - i;
	b = y - j;
	for (k = 0; k < 4; k++)
		fetch(s, u, m, i + k % 2, j + k / 2, c[k]);
	for (k = 0; k < 4; k++) {
		out[k] = (c[0][k] * (1 - a) + c[1][k] * a) * (1 - b) +
			 (c[2][k] * (1 - a) + c[3][k] * a) * b;
		out[k] = floor(out[k] + 0.5);
	}
}

static struct image level_of(const struct unit *u, struct image m, int level)
{
	static const int bits[14] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8 };

	while (level--) {
		m.va += m.w * m.h * bits[m.format] / 8;
		m.w = m.w > 8 ? m.w / 2 : 8;
		m.h = m.h > 8 ? m.h / 2 : 8;
	}
	return m;
}

/* Face and coordinates of a direction. */
static int cube(const double *d, double t[2])
{
	/* major axis, s, t: axis and sign, of OpenGL's table */
	static const struct { int major, sc, ssign, tc, tsign; } rule[6] = {
		{ 0, 2, -1, 1, -1 }, { 0, 2, 1, 1, -1 }, { 1, 0, 1, 2, 1 }, { 1, 0, 1, 2, -1 },
		{ 2, 0, 1, 1, -1 }, { 2, 0, -1, 1, -1 },
	};
	int axis = fabs(d[0]) >= fabs(d[1]) && fabs(d[0]) >= fabs(d[2]) ? 0 :
		   fabs(d[1]) >= fabs(d[2]) ? 1 : 2;
	int face = 2 * axis + (d[axis] < 0);
	double most = fabs(d[axis]);

	t[0] = (rule[face].ssign * d[rule[face].sc] / most + 1) / 2;
	t[1] = (rule[face].tsign * d[rule[face].tc] / most + 1) / 2;
	return face;
}

static int coordinates(const struct pica_draw_ref *s, int unit, const double *a, int type,
		       double t[2])
{
	static const int at[3] = { 12, 14, 22 };
	int from = unit == 2 && s->r[0x80] >> 13 & 1 ? 14 : at[unit];
	double d[3] = { a[from], a[from + 1], a[16] };

	t[0] = d[0];
	t[1] = d[1];
	if (type == 1 || type == 4)
		return cube(d, t);
	if (type == 3 || (type == 2 && !(s->r[0x8b] & 1))) {
		t[0] /= d[2];
		t[1] /= d[2];
	}
	return 0;
}

static void shadow(struct pica_draw_ref *s, const struct unit *u, const struct image *m,
		   const double t[2], double w, int c[4])
{
	int x = wrapped(u->params >> 12 & 7, (int)floor(t[0] * m->w), m->w);
	int y = wrapped(u->params >> 8 & 7, (int)floor(t[1] * m->h), m->h), i, v;
	long z = (long)floor(fmin(fabs((double)(float)w), 1.0) * 16777215.0) -
		 (s->r[0x8b] & 0xfffffe);
	const uint8_t *p;

	for (i = 0; i < 4 && (x < 0 || y < 0); i++)
		c[i] = s->r[u->border] >> (8 * i) & 255;
	if (x < 0 || y < 0)
		return;
	p = s->mem(m->va + 4 * pica_draw_ref_place(x, m->h - 1 - y, m->w));
	v = (p[0] << 16 | p[1] << 8 | p[2]) >= (z < 0 ? 0 : z) ? p[3] : 0;
	for (i = 0; i < 4; i++)
		c[i] = v;
}

static double lod_of(const struct pica_draw_ref *s, int unit, const struct pica_draw_ref_frag *f,
		     int type, const struct image *m)
{
	static const int pair[4][2] = { { 0, 1 }, { 2, 3 }, { 0, 2 }, { 1, 3 } };
	double t[4][2], most = 0, e;
	int face[4], i, k;

	for (i = 0; i < 4; i++)
		face[i] = coordinates(s, unit, f->quad[i], type, t[i]);
	for (i = 0; i < 4; i++) {
		for (k = 0; k < 2 && face[pair[i][0]] == face[pair[i][1]]; k++)
			most = fmax(most,
				    fabs(floor(256.0 * (k ? m->h : m->w) * t[pair[i][0]][k]) -
					 floor(256.0 * (k ? m->h : m->w) * t[pair[i][1]][k])));
	}
	if (most <= 0)
		return -16;
	e = floor(log2(most));
	return e - 8 + floor(256 * (most / exp2(e) - 1)) / 256;
}

void pica_draw_ref_texture(struct pica_draw_ref *s, int unit, struct pica_draw_ref_frag *f)
{
	static const int base[3] = { 0x81, 0x91, 0x99 };
	int b = base[unit], type = unit ? 0 : s->r[0x83] >> 28 & 7, face, k, level, bias;
	struct unit u = { b, b, s->r[b + 2], s->r[b + 3],
			  (int)(unit ? s->r[b + 5] : s->r[0x8e]) & 15 };
	struct image m = { 8 * s->r[b + 4], u.format, s->r[b + 1] >> 16 & 0x7ff,
			   s->r[b + 1] & 0x7ff };
	double t[2], lod, most = u.lod >> 16 & 15, least = u.lod >> 24 & 15, a[4], c[4], rest;
	struct image at;
	bool smooth;

	if (type > 4)
		return;
	face = coordinates(s, unit, f->a, type, t);
	if (face)
		m.va = 8 * ((s->r[0x85] & ~0x3fffffu) | (s->r[0x85 + face] & 0x3fffff));
	if (type == 2 || type == 4) {
		double depth = fabs(f->a[16]);

		if (type == 4)
			depth = fmax(depth, fmax(fabs(f->a[12]), fabs(f->a[13])));
		shadow(s, &u, &m, t, depth, f->src[3]);
		return;
	}
	bias = (int)(u.lod << 19) >> 19;
	lod = lod_of(s, unit, f, type, &m) + bias / 256.0;
	smooth = lod <= 0 ? u.params >> 1 & 1 : u.params >> 2 & 1;
	lod = fmax(fmin(least, most), fmin(lod, most));
	if (!(u.params >> 24 & 1))
		lod = floor(lod + 0.5);
	level = (int)floor(lod);
	rest = lod - level;
	at = level_of(&u, m, level);
	in_level(s, &u, &at, smooth, t, a);
	if (rest > 0) {
		at = level_of(&u, m, level + 1);
		in_level(s, &u, &at, smooth, t, c);
		for (k = 0; k < 4; k++)
			a[k] = floor(a[k] * (1 - rest) + c[k] * rest + 0.5);
	}
	for (k = 0; k < 4; k++)
		f->src[3 + unit][k] = (int)a[k];
}

/* ---- unit 3 ---- */

static double entry(const uint32_t *lut, double x)
{
	int i = (int)(x * 128) > 127 ? 127 : (int)(x * 128), d = (int)(lut[i] << 8) >> 20;

	return ((lut[i] & 0xfff) + d * (x * 128 - i)) / 4095.0;
}

static double hashed(int x, int y)
{
	static const int t1[16] = { 0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11 };
	static const int t2[16] = { 10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14 };
	int a = (3 * (x % 9 + 2) % 16) ^ t1[x / 9 % 16];
	int b = (3 * (y % 9 + 2) % 16) ^ t1[y / 9 % 16];

	b = (b + (a % 4 == 1 ? 4 : 0)) ^ (a % 2 ? 6 : 0);
	return 2.0 * (((b + 10 + a) % 16) ^ t2[a]) / 15.0 - 1.0;
}

static double noise(const struct pica_draw_ref *s, const double c[2])
{
	double g[2], x[2], v[4], n[2];
	int i[2], k;

	for (k = 0; k < 2; k++) {
		g[k] = 9 * pica_draw_ref_float(s->r[0xab] >> (16 * k) & 0xffff, 5, 10) *
		       fabs(c[k] + pica_draw_ref_float(s->r[0xa9 + k] >> 16, 5, 10));
		i[k] = (int)g[k];
		x[k] = g[k] - i[k];
		n[k] = entry(s->noise, x[k]);
	}
	for (k = 0; k < 4; k++)
		v[k] = hashed(i[0] + k % 2, i[1] + k / 2) * (x[0] + x[1] - k % 2 - k / 2);
	return (v[0] * (1 - n[0]) + v[1] * n[0]) * (1 - n[1]) +
	       (v[2] * (1 - n[0]) + v[3] * n[0]) * n[1];
}

static double one_number(int op, double u, double v)
{
	double len = sqrt(u * u + v * v);
	double all[16] = { u, u * u, v, v * v, (u + v) / 2, (u * u + v * v) / 2, fmin(len, 1),
			   fmin(u, v), fmax(u, v), fmin(((u + v) / 2 + len) / 2, 1) };

	return all[op & 15];
}

/* Levels 4 to 7 are at fixed places. */
static void level_colour(const struct pica_draw_ref *s, double x, int level, int c[4])
{
	static const int fixed[4] = { 0xf0, 0xf8, 0xfc, 0xfe };
	int width = (s->r[0xac] >> 11 & 255) >> level, i, k, v;
	int offset = level < 4 ? (int)(s->r[0xad] >> (8 * level) & 255) : fixed[level - 4];
	double rest;

	x *= width > 1 ? width - 1 : 0;
	i = (int)(s->r[0xac] & 1 ? floor(x) : floor(x + 0.5));
	rest = s->r[0xac] & 1 ? x - i : 0;
	i = (i + offset) & 255;
	for (k = 0; k < 4; k++) {
		v = (int)((s->colour[i] >> (8 * k) & 255) +
			  2 * (int8_t)(s->diff[i] >> (8 * k) & 255) * rest);
		c[k] = v < 0 ? 0 : v > 255 ? 255 : v;
	}
}

/* |width * bias| (du + dv), linear between powers of two. */
static double proctex_lod(const struct pica_draw_ref *s, const struct pica_draw_ref_frag *f, int at)
{
	static const int pair[4][2] = { { 0, 1 }, { 2, 3 }, { 0, 2 }, { 1, 3 } };
	uint32_t raw = (s->r[0xa8] >> 20 & 255) | (s->r[0xac] >> 19 & 255) << 8;
	double bias = pica_draw_ref_float(raw, 5, 10), d[2] = { 0 }, m, e, lod = 0;
	double least = s->r[0xac] >> 3 & 15, most = fmin(s->r[0xac] >> 7 & 15, 7);
	int i, k;

	for (i = 0; i < 4; i++) {
		for (k = 0; k < 2; k++)
			d[k] = fmax(d[k], fabs(fabs(f->quad[pair[i][0]][at + k]) -
					       fabs(f->quad[pair[i][1]][at + k])));
	}
	m = floor(256 * fabs((s->r[0xac] >> 11 & 255) * bias) * (d[0] + d[1]));
	if (bias != 0 && m > 0) {
		e = floor(log2(m));
		lod = e - 8 + floor(256 * (m / exp2(e) - 1)) / 256;
	}
	return fmax(fmin(least, most), fmin(lod, most));
}

void pica_draw_ref_proctex(struct pica_draw_ref *s, struct pica_draw_ref_frag *f)
{
	static const int sets[4] = { 12, 14, 22, 22 };
	int set = sets[s->r[0x80] >> 8 & 3], filter = s->r[0xac] & 7, next[4];
	const double *from = &f->a[set];
	uint32_t cfg = s->r[0xa8];
	double c[2] = { fabs(from[0]), fabs(from[1]) }, by[2] = { 0 }, n, x, rest;
	int k, i, mode;

	for (k = 0; k < 2; k++) {
		mode = cfg >> (16 + 2 * k) & 3;
		i = (int)c[!k];
		if ((mode == 1 && i / 2 % 2) || (mode == 2 && (i + 1) / 2 % 2))
			by[k] = (cfg >> (3 * k) & 7) == 3 ? 1.0 : 0.5;
	}
	n = cfg >> 15 & 1 ? noise(s, c) : 0;
	for (k = 0; k < 2; k++) {
		c[k] = fabs(c[k] + n * (int16_t)(s->r[0xa9 + k] & 0xffff) / 4095.0) + by[k];
		switch (cfg >> (3 * k) & 7) {
		case 0:
			c[k] = c[k] > 1 ? 0 : c[k];
			break;
		case 2:
			c[k] -= floor(c[k]);
			break;
		case 3:
			x = c[k] - floor(c[k]);
			c[k] = (int)floor(c[k]) % 2 ? 1 - x : x;
			break;
		case 4:
			c[k] = c[k] > 0.5;
			break;
		default:
			c[k] = fmin(c[k], 1);
			break;
		}
	}
	x = fmax(0, fmin(entry(s->map[0], one_number(cfg >> 6, c[0], c[1])), 1));
	n = filter < 2 ? 0 : proctex_lod(s, f, set);
	if (filter < 4)
		n = floor(n + 0.5);
	rest = n - floor(n);
	level_colour(s, x, (int)n, f->src[6]);
	if (rest > 0) {
		level_colour(s, x, (int)n + 1, next);
		for (k = 0; k < 4; k++)
			f->src[6][k] = (int)floor(f->src[6][k] * (1 - rest) + next[k] * rest + 0.5);
	}
	if (cfg >> 14 & 1)
		f->src[6][3] = (int)(255 * fmax(0, fmin(entry(s->map[1], one_number(cfg >> 10, c[0],
										    c[1])), 1)));
}
