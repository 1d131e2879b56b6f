// SPDX-License-Identifier: GPL-2.0
/*
 * Textures as the documents describe them: layouts are listed in the order of memory.
 */
#include <stdlib.h>
#include <string.h>

#include "texmodel.h"
#include "unit.h"

const char *const tm_names[TM_NUM] = {
	"RGBA8888", "RGBX8888", "RGBA4444", "RGBA5551", "RGB565", "LUMINANCE", "ALPHA",
	"LUMALPHA", "ETC1", "S16F", "S8", "S16", "BW1", "A4", "A1", "RGBA64", "RGBA32R",
	"YUYV422R",
};

static const uint8_t type_bits[TM_NUM] = {
	32, 32, 16, 16, 16, 8, 8, 16, 64, 16, 8, 16, 1, 4, 1, 64, 32, 16,
};

/* Microtiles by bits of a texel: columns and rows; together 64 bytes. */
static void utile_size(unsigned int bits, unsigned int *w, unsigned int *h)
{
	static const uint8_t sizes[][3] = {
		{ 64, 2, 4 }, { 32, 4, 4 }, { 16, 8, 4 }, { 8, 8, 8 }, { 4, 16, 8 }, { 1, 32, 16 },
	};
	unsigned int i;

	for (i = 0; sizes[i][0] != bits; i++)
		;
	*w = sizes[i][1];
	*h = sizes[i][2];
}

static unsigned int round_up(unsigned int n, unsigned int m)
{
	return (n + m - 1) / m * m;
}

/* The next texels in memory are these @w x @h, row by row. */
static void list_rect(struct tm_level *l, unsigned int x0, unsigned int y0, unsigned int w,
		      unsigned int h, unsigned int bits, uint32_t *at)
{
	unsigned int x, y;

	for (y = y0; y < y0 + h; y++)
		for (x = x0; x < x0 + w; x++, *at += bits)
			l->bit[y * l->columns + x] = *at;
}

/* Microtiles row by row. */
static void list_lt(struct tm_level *l, unsigned int x0, unsigned int y0, unsigned int w,
		    unsigned int h, unsigned int bits, uint32_t *at)
{
	unsigned int uw, uh, x, y;

	utile_size(bits, &uw, &uh);
	for (y = y0; y < y0 + h; y += uh)
		for (x = x0; x < x0 + w; x += uw)
			list_rect(l, x, y, uw, uh, bits, at);
}

static void list_tile(struct tm_level *l, unsigned int x0, unsigned int y0, bool odd,
		      unsigned int bits, uint32_t *at)
{
	/* bottom left is the lowest row: even rows of tiles BL TL TR BR, odd TR BR BL TL */
	static const uint8_t even_order[4][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };
	static const uint8_t odd_order[4][2] = { { 1, 1 }, { 1, 0 }, { 0, 0 }, { 0, 1 } };
	unsigned int uw, uh, i;

	utile_size(bits, &uw, &uh);
	for (i = 0; i < 4; i++) {
		const uint8_t *o = odd ? odd_order[i] : even_order[i];

		list_lt(l, x0 + o[0] * 4 * uw, y0 + o[1] * 4 * uh, 4 * uw, 4 * uh, bits, at);
	}
}

static void list_t(struct tm_level *l, unsigned int w, unsigned int h, unsigned int bits,
		   uint32_t *at)
{
	unsigned int uw, uh, x, y, n;

	utile_size(bits, &uw, &uh);
	n = w / (8 * uw);
	for (y = 0; y < h / (8 * uh); y++)
		for (x = 0; x < n; x++)
			list_tile(l, (y % 2 ? n - 1 - x : x) * 8 * uw, y * 8 * uh, y % 2, bits,
				  at);
}

/* @w, @h: texels or blocks. */
static void list_level(struct tm_level *l, unsigned int type, unsigned int w, unsigned int h)
{
	unsigned int bits = type_bits[type], uw, uh;
	uint32_t at = 0;
	bool lt;

	utile_size(bits, &uw, &uh);
	lt = w <= 4 * uw || h <= 4 * uh;
	if (type == TM_RGBA32R || type == TM_YUYV422R) {
		uh = 1;
	} else if (!lt) {
		uw *= 8;
		uh *= 8;
	}
	w = round_up(w, uw);
	h = round_up(h, uh);
	l->columns = w;
	l->bit = calloc(w * h, sizeof(*l->bit));
	if (type == TM_RGBA32R || type == TM_YUYV422R)
		list_rect(l, 0, 0, w, h, bits, &at);
	else if (lt)
		list_lt(l, 0, 0, w, h, bits, &at);
	else
		list_t(l, w, h, bits, &at);
	l->bytes = at / 8;
}

static unsigned int pot(unsigned int n)
{
	unsigned int p = 1;

	while (p < n)
		p <<= 1;
	return p;
}

static unsigned int at_least_1(unsigned int n)
{
	return n ? n : 1;
}

void tm_layout(struct tm_level *l, unsigned int n, unsigned int type, unsigned int width,
	       unsigned int height, uint32_t base)
{
	unsigned int i, w = width, h = height;

	if (type == TM_ETC1) {
		w = (w + 3) / 4;
		h = (h + 3) / 4;
	}
	for (i = 0; i < n; i++) {
		l[i].width = at_least_1(width >> i);
		l[i].height = at_least_1(height >> i);
		list_level(&l[i], type, i ? at_least_1(pot(w) >> i) : w,
			   i ? at_least_1(pot(h) >> i) : h);
		base -= i ? l[i].bytes : 0;
		l[i].addr = base;
	}
}

void tm_free(struct tm_level *l, unsigned int n)
{
	while (n--)
		free(l[n].bit);
}

static uint8_t *texel_byte(const struct tm_level *l, unsigned int type, unsigned int x,
			   unsigned int y, unsigned int *bit)
{
	uint32_t pos;

	if (type == TM_ETC1) {
		x /= 4;
		y /= 4;
	}
	pos = l->bit[y * l->columns + x];
	*bit = pos % 8;
	return unit_mem + (l->addr - UNIT_BASE) + pos / 8;
}

void tm_randomize(const struct tm_level *l, unsigned int type)
{
	unsigned int i;

	unit_fill(unit_mem + (l->addr - UNIT_BASE), l->bytes);
	/* no infinities and NaNs among halves */
	for (i = 1; (type == TM_S16F || type == TM_RGBA64) && i < l->bytes; i += 2)
		unit_mem[l->addr - UNIT_BASE + i] &= 0xbf;
}

void tm_put(const struct tm_level *l, unsigned int type, unsigned int x, unsigned int y,
	    uint64_t raw)
{
	unsigned int bits = type_bits[type], bit;
	uint8_t *p = texel_byte(l, type, x, y, &bit);

	if (bits < 8)
		*p = (*p & ~(((1 << bits) - 1) << bit)) | raw << bit;
	else
		memcpy(p, &raw, bits / 8);
}

void tm_clear(const struct tm_level *l, unsigned int type, uint64_t raw)
{
	unsigned int x, y;

	for (y = 0; y < l->height; y++)
		for (x = 0; x < l->width; x++)
			tm_put(l, type, x, y, raw);
}

static uint32_t pack(unsigned int r, unsigned int g, unsigned int b, unsigned int a)
{
	return r | g << 8 | b << 16 | (uint32_t)a << 24;
}

/* ETC1 per its specification, bits of the block numbered from the first byte on. */
static uint32_t etc1(const uint8_t *b, unsigned int x, unsigned int y)
{
	static const int table[8][2] = {
		{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 },
		{ 47, 183 },
	};
	unsigned int k = 4 * x + y, second = b[3] & 1 ? y >= 2 : x >= 2, i;
	unsigned int msb = (b[4] << 8 | b[5]) >> k & 1, lsb = (b[6] << 8 | b[7]) >> k & 1;
	int add = table[second ? b[3] / 4 % 8 : b[3] / 32][lsb], c[3];

	for (i = 0; i < 3; i++) {
		if (b[3] & 2) {
			int v = b[i] / 8, d = b[i] % 8;

			v = (v + (second ? d >= 4 ? d - 8 : d : 0)) & 31;
			c[i] = v * 33 / 4;
		} else {
			c[i] = (second ? b[i] % 16 : b[i] / 16) * 17;
		}
		c[i] += msb ? -add : add;
		c[i] = c[i] < 0 ? 0 : c[i] > 255 ? 255 : c[i];
	}
	return pack(c[0], c[1], c[2], 255);
}

static uint32_t yuyv(const struct tm_level *l, unsigned int x, unsigned int y)
{
	unsigned int bit;
	const uint8_t *p = texel_byte(l, TM_YUYV422R, x & ~1u, y, &bit);

	return pack(p[x & 1 ? 2 : 0], p[1], p[3], 255);
}

uint32_t tm_texel(const struct tm_level *l, unsigned int type, unsigned int x, unsigned int y,
		  bool etc_flip, uint32_t *second)
{
	unsigned int bit;
	const uint8_t *p = texel_byte(l, type, x, y, &bit);
	unsigned int w = p[0] | p[1] << 8;

	switch (type) {
	case TM_RGBA8888:
	case TM_RGBA32R:
		return pack(p[0], p[1], p[2], p[3]);
	case TM_RGBX8888:
		return pack(p[0], p[1], p[2], 255);
	case TM_RGBA4444:
		return pack(w / 4096 * 17, w / 256 % 16 * 17, w / 16 % 16 * 17, w % 16 * 17);
	case TM_RGBA5551:
		return pack(w / 2048 * 33 / 4, w / 64 % 32 * 33 / 4, w / 2 % 32 * 33 / 4,
			    w % 2 * 255);
	case TM_RGB565:
		return pack(w / 2048 * 33 / 4, w / 32 % 64 * 65 / 16, w % 32 * 33 / 4, 255);
	case TM_LUMINANCE:
		return pack(p[0], p[0], p[0], 255);
	case TM_ALPHA:
		return pack(0, 0, 0, p[0]);
	case TM_LUMALPHA:
		return pack(p[0], p[0], p[0], p[1]);
	case TM_ETC1:
		return etc1(p, x % 4, etc_flip ? 3 - y % 4 : y % 4);
	case TM_S16F:
	case TM_S16:
		return w;
	case TM_S8:
		return p[0];
	case TM_BW1:
		w = p[0] >> bit & 1 ? 255 : 0;
		return pack(w, w, w, 255);
	case TM_A4:
		return pack(0, 0, 0, (p[0] >> bit & 15) * 17);
	case TM_A1:
		return pack(0, 0, 0, p[0] >> bit & 1 ? 255 : 0);
	case TM_RGBA64:
		*second = pack(p[4], p[5], p[6], p[7]);
		return pack(p[0], p[1], p[2], p[3]);
	default:
		return yuyv(l, x, y);
	}
}

static bool write_reg(unsigned int reg, const void *v)
{
	return !qpu_tmu_write(&unit_s, unit_q, 0, reg, v, 0xffff);
}

bool tm_lookup(const struct tm_config *c, const float *s, const float *t, const uint32_t *r,
	       const float *b, uint32_t *out)
{
	uint32_t u = UNIT_BASE + UNIT_SIZE - 64;

	unit_put32(u, c->base | c->cube << 9 | c->flip_y << 8 | (c->type & 15) << 4 |
		   (c->levels ? c->levels - 1 : 0));
	unit_put32(u + 4, (uint32_t)(c->type >> 4) << 31 | (c->height & 2047) << 20 |
		   c->etc_flip << 19 | (c->width & 2047) << 8 | c->mag << 7 | c->min << 4 |
		   c->wrap_t << 2 | c->wrap_s);
	unit_put32(u + 8, c->p2);
	unit_put32(u + 12, c->p3);
	unit_q->unif = u;
	if ((r && !write_reg(2, r)) || (b && !write_reg(3, b)) || (t && !write_reg(1, t)) ||
	    !write_reg(0, s))
		return false;
	return tm_result(out);
}

bool tm_result(uint32_t *out)
{
	return !qpu_tmu_load(&unit_s, unit_q, 0, out);
}
