// SPDX-License-Identifier: GPL-2.0
/*
 * Reference model of Utgard's textures.
 *
 * Sources: descriptor and image layouts in Mesa's lima driver; OpenGL's formulas for
 * sampling; ETC1 per its extension.
 */
#include <math.h>
#include <string.h>

#include "utgard_tex_ref.h"

uint32_t utr_get(const uint32_t *w, unsigned int at, unsigned int n)
{
	uint32_t v = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		v |= (w[(at + i) / 32] >> ((at + i) % 32) & 1) << i;
	return v;
}

void utr_set(uint32_t *w, unsigned int at, unsigned int n, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		w[(at + i) / 32] &= ~(1u << (at + i) % 32);
		w[(at + i) / 32] |= (v >> i & 1) << (at + i) % 32;
	}
}

unsigned int utr_levels(const uint32_t *w)
{
	unsigned int n = (utr_get(w, UTR_MAX_LOD, 8) + 15) / 16 + 1;

	return n > 13 ? 13 : n;
}

/* ---- texels ---- */

static unsigned int texel_bits(uint32_t format)
{
	switch (format) {
	case 0x20:
		return 4;
	case 0x09: case 0x0a: case 0x0b:
		return 8;
	case 0x15:
		return 24;
	case 0x16: case 0x17: case 0x25: case 0x2c: case 0x32:
		return 32;
	case 0x2f:
		return 48;
	case 0x26:
		return 64;
	default:
		return 16;
	}
}

static double half(uint32_t h)
{
	int e = h >> 10 & 31;
	double v = e == 31 ? (h & 1023 ? NAN : INFINITY) :
		   e ? ldexp(1 + (h & 1023) / 1024.0, e - 15) : ldexp(h & 1023, -24);

	return h & 0x8000 ? -v : v;
}

/* Bits of a texel, normalised or as a half-precision number. */
static double part(uint64_t v, unsigned int at, unsigned int n, bool is_half)
{
	v = v >> at & ((1ull << n) - 1);
	return is_half ? half((uint32_t)v) : (double)v / (double)((1ull << n) - 1);
}

static void grey(double out[4], double l, double a)
{
	out[0] = l;
	out[1] = l;
	out[2] = l;
	out[3] = a;
}

/* Three or four components, blue first. */
static void colour(double out[4], uint64_t v, unsigned int b, unsigned int g, unsigned int r,
		   unsigned int a, bool is_half)
{
	out[2] = part(v, 0, b, is_half);
	out[1] = part(v, b, g, is_half);
	out[0] = part(v, b + g, r, is_half);
	out[3] = a ? part(v, b + g + r, a, is_half) : 1;
}

static void unpack(uint32_t format, const uint8_t *p, double out[4])
{
	unsigned int i, bytes = texel_bits(format) / 8;
	uint64_t v = 0;

	for (i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << (8 * i);
	switch (format) {
	case 0x09: case 0x12: case 0x22:
		grey(out, part(v, 0, 8 * bytes, format == 0x22), 1);
		break;
	case 0x0a: case 0x13: case 0x23:
		grey(out, 0, part(v, 0, 8 * bytes, format == 0x23));
		break;
	case 0x0b: case 0x14: case 0x24:
		grey(out, part(v, 0, 8 * bytes, format == 0x24),
		     part(v, 0, 8 * bytes, format == 0x24));
		break;
	case 0x11: case 0x25:
		grey(out, part(v, 0, 4 * bytes, format == 0x25),
		     part(v, 4 * bytes, 4 * bytes, format == 0x25));
		break;
	case 0x2c:
		grey(out, part(v, 0, 24, false), 1);
		break;
	case 0x32:
		out[0] = part(v, 0, 24, false);
		out[1] = part(v, 24, 8, false);
		out[2] = 0;
		out[3] = 1;
		break;
	case 0x0e:
		colour(out, v, 5, 6, 5, 0, false);
		break;
	case 0x0f:
		colour(out, v, 5, 5, 5, 1, false);
		break;
	case 0x10:
		colour(out, v, 4, 4, 4, 4, false);
		break;
	case 0x15: case 0x17:
		colour(out, v, 8, 8, 8, 0, false);
		break;
	case 0x16:
		colour(out, v, 8, 8, 8, 8, false);
		break;
	case 0x26:
		colour(out, v, 16, 16, 16, 16, true);
		break;
	default:
		colour(out, v, 16, 16, 16, 0, true);
		break;
	}
}

/* ETC1; blocks whose second colour overflows have no meaning. */
static void etc1(const uint8_t *p, unsigned int x, unsigned int y, double out[4])
{
	static const int step[8][2] = {
		{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 },
		{ 33, 106 }, { 47, 183 }
	};
	bool flip = p[3] & 1, differential = p[3] & 2, second = flip ? y >= 2 : x >= 2;
	unsigned int i, bit = 4 * x + y, table = second ? p[3] >> 2 & 7 : p[3] >> 5;
	unsigned int high = (p[4] << 8 | p[5]) >> bit & 1, low = (p[6] << 8 | p[7]) >> bit & 1;
	int c, d;

	for (i = 0; i < 3; i++) {
		c = p[i] >> 3;
		if (differential) {
			d = p[i] & 7;
			c += second ? d > 3 ? d - 8 : d : 0;
			c = c * 8 + c / 4;
		} else {
			c = (second ? p[i] & 15 : p[i] >> 4) * 17;
		}
		c += high ? -step[table][low] : step[table][low];
		out[i] = (c < 0 ? 0 : c > 255 ? 255 : c) / 255.0;
	}
	out[3] = 1;
}

/* ---- images ---- */

static int size_of(const uint32_t *w, unsigned int d, unsigned int level)
{
	static const unsigned char at[3] = { UTR_WIDTH, UTR_HEIGHT, UTR_DEPTH };
	unsigned int n = utr_get(w, at[d], 13), dims = utr_get(w, UTR_DIM, 2) + 1;

	if (utr_get(w, UTR_CUBE, 1))
		dims = 2;
	n = d < dims ? n >> level : 1;
	return n ? (int)n : 1;
}

static unsigned int up(unsigned int n, unsigned int to)
{
	return (n + to - 1) / to * to;
}

uint32_t utr_image_bytes(const uint32_t *w, unsigned int level)
{
	return up((unsigned int)size_of(w, 0, level), 16) *
	       up((unsigned int)size_of(w, 1, level), 16) *
	       texel_bits(utr_get(w, UTR_FORMAT, 6)) / 8;
}

/* Bits of y, and of y exclusive or x below each. */
static unsigned int in_tile(unsigned int x, unsigned int y, unsigned int bits)
{
	unsigned int i, n = 0;

	for (i = 0; i < bits; i++)
		n |= ((x ^ y) >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return n;
}

/* Byte of a texel or block in an image. */
static uint32_t place(const uint32_t *w, unsigned int level, unsigned int x, unsigned int y)
{
	uint32_t format = utr_get(w, UTR_FORMAT, 6), bits = texel_bits(format);
	unsigned int block = format == 0x20 ? 4 : 1, side = 16 / block;
	unsigned int bytes = bits * block * block / 8;
	unsigned int row = up((unsigned int)size_of(w, 0, level), 16) / block * bytes;

	if (utr_get(w, UTR_LAYOUT, 2)) {
		x /= block;
		y /= block;
		return y / side * row * side + x / side * side * side * bytes +
		       in_tile(x % side, y % side, block == 4 ? 2 : 4) * bytes;
	}
	if (!level && utr_get(w, UTR_HAS_STRIDE, 1))
		row = utr_get(w, UTR_STRIDE, 15);
	else if (!level)
		row = up((unsigned int)size_of(w, 0, 0), block) / block * bytes;
	return y / block * row + x / block * bytes;
}

static void texel(const struct utr_fetch *f, unsigned int level, unsigned int image,
		  const unsigned int c[2], double out[4])
{
	uint32_t at = utr_get(f->desc, UTR_MIPS + 26 * level, 26) << 6, format;
	const uint8_t *p;
	double swap;

	format = utr_get(f->desc, UTR_FORMAT, 6);
	p = f->mem + (at - f->va) + image * utr_image_bytes(f->desc, level) +
	    place(f->desc, level, c[0], c[1]);
	if (format == 0x20)
		etc1(p, c[0] % 4, c[1] % 4, out);
	else
		unpack(format, p, out);
	if (utr_get(f->desc, UTR_SWAP, 1)) {
		swap = out[0];
		out[0] = out[2];
		out[2] = swap;
	}
}

/* Border colour in the components that the format has. */
static void border(const uint32_t *w, double out[4])
{
	uint32_t format = utr_get(w, UTR_FORMAT, 6);
	unsigned int i;

	for (i = 0; i < 4; i++)
		out[i] = utr_get(w, UTR_BORDER + 16 * i, 16) / 65535.0;
	if (format == 0x0a || format == 0x13 || format == 0x23)
		grey(out, 0, out[3]);
	else if (format == 0x09 || format == 0x12 || format == 0x22 || format == 0x0e ||
		 format == 0x15 || format == 0x17 || format == 0x20 || format == 0x2c ||
		 format == 0x2f || format == 0x32)
		out[3] = 1;
	/* depth and stencil only */
	if (format == 0x32)
		out[utr_get(w, UTR_SWAP, 1) ? 0 : 2] = 0;
}

/* ---- filters ---- */

static int modulo(int i, int n)
{
	return ((i % n) + n) % n;
}

/* Return: false: border. */
static bool wrap(int *i, int n, uint32_t mode, bool nearest)
{
	if ((mode == 5 || mode == 7) && *i < 0)
		*i = -1 - *i;
	switch (mode & 3) {
	case 0:
		if (mode == 4 && modulo(*i, 2 * n) >= n)
			*i = 2 * n - 1 - modulo(*i, 2 * n);
		else
			*i = modulo(*i, n);
		return true;
	case 2:
		if (!nearest)
			return *i >= 0 && *i < n;
		break;
	case 3:
		return *i >= 0 && *i < n;
	}
	*i = *i < 0 ? 0 : *i >= n ? n - 1 : *i;
	return true;
}

/* Face and coordinates of a direction, by OpenGL's table. */
static unsigned int cube(const double v[3], double st[2])
{
	double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]), m, s, t;
	unsigned int face;

	if (x >= y && x >= z) {
		face = signbit(v[0]) ? 1 : 0;
		m = x;
		s = face ? v[2] : -v[2];
		t = -v[1];
	} else if (y >= z) {
		face = signbit(v[1]) ? 3 : 2;
		m = y;
		s = v[0];
		t = face == 3 ? -v[2] : v[2];
	} else {
		face = signbit(v[2]) ? 5 : 4;
		m = z;
		s = face == 5 ? -v[0] : v[0];
		t = -v[1];
	}
	st[0] = m ? (s / m + 1) / 2 : 0.5;
	st[1] = m ? (t / m + 1) / 2 : 0.5;
	return face;
}

static void sample_level(const struct utr_fetch *f, unsigned int n, unsigned int level,
			 bool nearest, double weight, double sum[4])
{
	const uint32_t *w = f->desc;
	unsigned int d, k, i, image, dims = utr_get(w, UTR_DIM, 2) + 1, c[3];
	double at[3], frac[3] = { 0 }, v[4], part_of, u;
	bool is_cube = utr_get(w, UTR_CUBE, 1), inside;
	int base[3] = { 0 }, t[3];
	uint32_t mode;

	for (d = 0; d < 3; d++)
		at[d] = f->coord[n][d];
	image = is_cube ? cube(at, at) : 0;
	dims = is_cube ? 2 : dims;
	for (d = 0; d < dims; d++) {
		u = is_cube || !utr_get(w, UTR_UNNORM, 1) ? at[d] * size_of(w, d, level) : at[d];
		mode = utr_get(w, UTR_WRAP + 3 * d, 3);
		if (mode == 6)
			u = fabs(u);
		if (mode == 2 || mode == 6)
			u = fmin(fmax(u, 0), size_of(w, d, level));
		u -= nearest ? 0 : 0.5;
		base[d] = (int)floor(u);
		frac[d] = nearest ? 0 : u - floor(u);
	}
	for (k = 0; k < 1u << dims; k++) {
		part_of = weight;
		inside = true;
		for (d = 0; d < 3; d++) {
			t[d] = d < dims ? base[d] + (int)(k >> d & 1) : 0;
			if (d < dims) {
				part_of *= k >> d & 1 ? frac[d] : 1 - frac[d];
				inside &= wrap(&t[d], size_of(w, d, level),
					       utr_get(w, UTR_WRAP + 3 * d, 3), nearest);
			}
			c[d] = (unsigned int)t[d];
		}
		if (!part_of)
			continue;
		if (inside)
			texel(f, level, dims == 3 ? c[2] : image, c, v);
		else
			border(w, v);
		for (i = 0; i < 4; i++)
			sum[i] += part_of * v[i];
	}
}

/* ---- level of detail ---- */

/*
 * In texels; of cubes in the plane of the face that fragment @by sees, of a cube as wide as the
 * image, or on its surface if fragment @n looks away from that.
 */
static void point(const struct utr_fetch *f, unsigned int by, unsigned int n, double p[3])
{
	const uint32_t *w = f->desc;
	const double seen[3] = { f->coord[by][0], f->coord[by][1], f->coord[by][2] };
	double m = 0, st[2], front;
	unsigned int d, face = cube(seen, st);

	for (d = 0; d < 3; d++) {
		p[d] = f->coord[n][d];
		m = fmax(m, fabs(p[d]));
		if (!utr_get(w, UTR_CUBE, 1) && d > utr_get(w, UTR_DIM, 2))
			p[d] = 0;
		else if (!utr_get(w, UTR_CUBE, 1) && !utr_get(w, UTR_UNNORM, 1))
			p[d] *= size_of(w, d, 0);
	}
	front = face & 1 ? -p[face / 2] : p[face / 2];
	m = front > 0 ? front : m;
	for (d = 0; d < 3 && utr_get(w, UTR_CUBE, 1); d++)
		p[d] = m ? p[d] / m * size_of(w, 0, 0) / 2 : 0;
}

static double apart(const struct utr_fetch *f, unsigned int by, unsigned int a, unsigned int b)
{
	double p[3], q[3];

	point(f, by, a, p);
	point(f, by, b, q);
	return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

/* A missing level makes the whole result zero. */
static bool missing(const uint32_t *w, double level)
{
	return !utr_get(w, UTR_MIPS + 26 * (unsigned int)level, 26);
}

static double to_edge(double lod, double edge)
{
	return lod == edge ? 1 : fabs(lod - edge);
}

double utr_sample(const struct utr_fetch *f, unsigned int n, double out[4])
{
	const uint32_t *w = f->desc;
	double lod = 0, bias = utr_get(w, UTR_BIAS_AT, 9), near = 1, frac, limit;
	bool nearest, minified;

	if (f->lod != UTR_EXPLICIT)
		lod = log2(fmax(fmax(apart(f, n, 0, 1), apart(f, n, 0, 2)), 1e-10));
	if (f->lod != UTR_COMPUTED)
		lod += f->level[n];
	lod += (bias >= 256 ? bias - 512 : bias) / 16;
	/* the chip's own: half a level less, or nearly 1/16 more */
	if (utr_get(w, UTR_MIN_NEAREST, 1))
		lod += utr_get(w, UTR_MAG_NEAREST, 1) && !utr_get(w, UTR_MIP, 2) ? 15 / 256.0 :
										   -0.5;
	near = f->lod == UTR_EXPLICIT ? 1 : to_edge(lod, 0);
	minified = lod > 0;
	limit = utr_get(w, UTR_MAX_LOD, 8) / 16.0;
	lod = fmax(lod, utr_get(w, UTR_MIN_LOD, 8) / 16.0);
	lod = fmin(lod, limit);
	nearest = utr_get(w, minified ? UTR_MIN_NEAREST : UTR_MAG_NEAREST, 1);
	lod = fmin(fmax(lod, 0), utr_levels(w) - 1);
	memset(out, 0, 4 * sizeof(*out));
	if (utr_get(w, UTR_MIP, 2)) {
		frac = lod - floor(lod);
		if (missing(w, lod) || (frac && missing(w, lod + 1)))
			return near;
		sample_level(f, n, (unsigned int)lod, nearest, 1 - frac, out);
		if (frac)
			sample_level(f, n, (unsigned int)lod + 1, nearest, frac, out);
		return near;
	}
	if (f->lod != UTR_EXPLICIT)
		near = fmin(near, to_edge(lod, floor(lod) + 0.5));
	if (!missing(w, lod + 0.5))
		sample_level(f, n, (unsigned int)floor(lod + 0.5), nearest, 1, out);
	return near;
}
