// SPDX-License-Identifier: MIT
/*
 * Pixels of images in memory, and PNG files.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pixel/px_format.h"
#include "jobfile.h"
#include "jobfile_picture.h"

/* ---- formats ---- */

static const struct {
	const char *name;
	const char *format;
} short_names[] = {
	{ "rgba8", "r8g8b8a8" }, { "bgra8", "b8g8r8a8" }, { "rgb8", "r8g8b8" },
	{ "rgbx8", "r8g8b8x8" }, { "rgb565", "b5g6r5" }, { "rgba16f", "r16g16b16a16f" },
	{ "rgba32f", "r32g32b32a32f" },
};

static bool set_kind(const char *suffix, struct jf_pixel *f)
{
	static const char * const suffixes[] = { "", "snorm", "f", "ui", "si" };
	static const char kinds[] = { 0, 'n', 'f', 'u', 's' };
	unsigned int i;

	for (i = 0; i < sizeof(kinds); i++) {
		if (!strcmp(suffixes[i], suffix)) {
			f->kind = kinds[i];
			return true;
		}
	}
	return false;
}

bool jf_pixel_format(const char *name, struct jf_pixel *out)
{
	unsigned int i, bits = 0;
	char *end;

	for (i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++)
		if (!strcmp(short_names[i].name, name))
			name = short_names[i].format;
	memset(out, 0, sizeof(*out));
	out->max = 255;
	while (*name && strchr("rgbalxzs", *name) && isdigit((unsigned char)name[1])) {
		unsigned long n = strtoul(name + 1, &end, 10);

		if (!n || n > 32 || out->num == 5 || bits + n > 128)
			return false;
		out->comp[out->num].name = *name;
		out->comp[out->num].shift = (uint8_t)bits;
		out->comp[out->num].bits = (uint8_t)n;
		out->num++;
		bits += (unsigned int)n;
		name = end;
	}
	out->bytes = bits / 8;
	if (!out->num || bits % 8 || !set_kind(name, out))
		return false;
	/* floats have 5 bits of exponent, or 8 in binary32 */
	for (i = 0; i < out->num && out->kind == 'f'; i++)
		if (out->comp[i].bits != 32 && (out->comp[i].bits < 10 || out->comp[i].bits > 16) &&
		    !strchr("xs", out->comp[i].name))
			return false;
	return true;
}

static uint32_t get_bits(const uint8_t *p, unsigned int shift, unsigned int bits)
{
	uint64_t v = 0;
	unsigned int i, first = shift / 8, last = (shift + bits - 1) / 8;

	for (i = first; i <= last; i++)
		v |= (uint64_t)p[i] << 8 * (i - first);
	return (uint32_t)(v >> shift % 8 & ((1ull << bits) - 1));
}

static void put_bits(uint8_t *p, unsigned int shift, unsigned int bits, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < bits; i++, shift++)
		p[shift / 8] = (uint8_t)((p[shift / 8] & ~(1u << shift % 8)) |
					 (v >> i & 1) << shift % 8);
}

/* Floats of fewer than 16 bits are the upper ones of a half without a sign. */
static double float_value(uint32_t v, unsigned int bits)
{
	if (bits == 32)
		return jf_decode(JF_F32, v);
	return jf_decode(JF_F16, bits == 16 ? v : v << (15 - bits));
}

static uint32_t float_bits(double d, unsigned int bits)
{
	if (bits == 32)
		return jf_encode(JF_F32, d);
	return bits == 16 ? jf_encode(JF_F16, d) : jf_encode(JF_F16, d) >> (15 - bits);
}

static double clamp(double d)
{
	return d > 0 ? d < 1 ? d : 1 : 0;
}

/* From 0 to 1; integers from 0 to @max. */
static double value_of(char kind, uint32_t max, uint32_t v, unsigned int bits)
{
	double top = (double)((1ull << bits) - 1);
	int64_t s = v;

	if (v >> (bits - 1))
		s -= (int64_t)1 << bits;
	switch (kind) {
	case 'f':
		return clamp(float_value(v, bits));
	case 'n':
		return clamp((double)s / (double)((1ull << (bits - 1)) - 1));
	case 'u':
		return clamp((double)v / max);
	case 's':
		return clamp((double)s / max);
	default:
		return v / top;
	}
}

static uint32_t bits_of(char kind, uint32_t max, double d, unsigned int bits)
{
	double top = (double)((1ull << bits) - 1), half = (double)((1ull << (bits - 1)) - 1);

	switch (kind) {
	case 'f':
		return float_bits(d, bits);
	case 'n':
		return (uint32_t)lround(d * half);
	case 'u':
		return (uint32_t)fmin(top, nearbyint(d * max));
	case 's':
		return (uint32_t)fmin(half, nearbyint(d * max));
	default:
		return (uint32_t)nearbyint(d * top);
	}
}

/* Stencil values are integers whatever the depth is. */
static char kind_of(const struct jf_pixel *f, unsigned int i)
{
	return f->comp[i].name == 's' ? 'u' : f->kind;
}

void jf_pixel_unpack(const struct jf_pixel *f, const uint8_t *p, double rgba[4])
{
	static const char names[] = "rgba";
	bool grey = f->num == 1 || f->comp[0].name == 'l' || f->comp[0].name == 'z';
	unsigned int i;
	double v;

	rgba[0] = 0;
	rgba[1] = 0;
	rgba[2] = 0;
	rgba[3] = 1;
	for (i = 0; i < f->num; i++) {
		const char *c = strchr(names, f->comp[i].name);

		v = value_of(kind_of(f, i), f->max, get_bits(p, f->comp[i].shift, f->comp[i].bits),
			     f->comp[i].bits);
		if (grey && !i) {
			rgba[0] = v;
			rgba[1] = v;
			rgba[2] = v;
		} else if (c) {
			rgba[c - names] = v;
		}
	}
}

void jf_pixel_pack(const struct jf_pixel *f, const double rgba[4], uint8_t *p)
{
	static const char names[] = "rgba";
	unsigned int i;

	for (i = 0; i < f->num; i++) {
		const char *c = strchr(names, f->comp[i].name);
		double v = f->comp[i].name == 'x' ? 1 : rgba[c ? c - names : 0];

		put_bits(p, f->comp[i].shift, f->comp[i].bits,
			 bits_of(kind_of(f, i), f->max, v, f->comp[i].bits));
	}
}

/* ---- arrangement ---- */

/* Side of a block: 1, 16, 8. */
static uint32_t side_of(const struct jf_picture *p)
{
	return p->layout == JF_LINEAR ? 1 : p->layout == JF_MORTON ? 8 : 16;
}

static uint32_t blocks(const struct jf_picture *p, uint32_t pixels)
{
	return (pixels + side_of(p) - 1) / side_of(p);
}

static bool in_utiles(const struct jf_picture *p)
{
	return p->layout == JF_LT || p->layout == JF_T;
}

/* Microtiles, or blocks of 8 x 8 of them, that @pixels need. @shift: log2 of their side */
static uint32_t utile_blocks(const struct jf_picture *p, uint32_t pixels, uint32_t shift)
{
	uint32_t side = (p->layout == JF_T ? 8 : 1) << shift;

	return (pixels + side - 1) / side;
}

uint32_t jf_picture_stride(const struct jf_picture *p)
{
	if (in_utiles(p))
		return utile_blocks(p, p->width, px_utile_wshift(8 * p->pixel.bytes)) *
		       (p->layout == JF_T ? 4096 : 64);
	return blocks(p, p->width) * side_of(p) * side_of(p) * p->pixel.bytes;
}

uint64_t jf_picture_size(const struct jf_picture *p)
{
	uint32_t rows = in_utiles(p) ?
			utile_blocks(p, p->height, px_utile_hshift(8 * p->pixel.bytes)) :
			blocks(p, p->height);

	return rows ? (uint64_t)(rows - 1) * p->stride + jf_picture_stride(p) : 0;
}

/* In a block, bits of y and of x alternate, of x ^ y if it is u-interleaved. */
uint64_t jf_picture_place(const struct jf_picture *p, uint32_t x, uint32_t y)
{
	uint32_t side = side_of(p), first, i, n = 0;

	if (p->flip)
		y = p->height - 1 - y;
	if (in_utiles(p))
		return px_offset(p->layout == JF_T ? PX_T : PX_LT, p->pixel.bytes, p->stride, x, y);
	first = p->layout == JF_MORTON ? x : x ^ y;
	for (i = 0; 1u << i < side; i++)
		n |= (first >> i & 1) << 2 * i | (y >> i & 1) << (2 * i + 1);
	return (uint64_t)(y / side) * p->stride +
	       ((uint64_t)(x / side) * side * side + n) * p->pixel.bytes;
}

/* ---- PNG ---- */

static const char *png_error_text(const png_image *image, const char *other)
{
	static char text[sizeof(image->message) + 8];

	snprintf(text, sizeof(text), "PNG: %s", *image->message ? image->message : other);
	return text;
}

const char *jf_png_write(FILE *f, const struct jf_picture *p, const uint8_t *data)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGBA,
			    .width = p->width, .height = p->height };
	uint8_t *rgba = malloc((size_t)p->width * p->height * 4 + 1);
	const char *ret = NULL;
	uint32_t x, y, i;
	double v[4];

	if (!rgba)
		return "out of memory";
	for (y = 0; y < p->height; y++) {
		for (x = 0; x < p->width; x++) {
			jf_pixel_unpack(&p->pixel, data + jf_picture_place(p, x, y), v);
			for (i = 0; i < 4; i++)
				rgba[((size_t)y * p->width + x) * 4 + i] =
					(uint8_t)nearbyint(v[i] * 255);
		}
	}
	if (!png_image_write_to_stdio(&image, f, 0, rgba, 0, NULL))
		ret = png_error_text(&image, "cannot be written");
	free(rgba);
	return ret;
}

static void store_rows(const struct jf_picture *p, const uint8_t *rgba, uint8_t *out)
{
	uint32_t x, y, i;
	double v[4];

	for (y = 0; y < p->height; y++) {
		for (x = 0; x < p->width; x++, rgba += 4) {
			for (i = 0; i < 4; i++)
				v[i] = rgba[i] / 255.0;
			jf_pixel_pack(&p->pixel, v, out + jf_picture_place(p, x, y));
		}
	}
}

const char *jf_png_read(const uint8_t *data, size_t len, struct jf_picture *p, uint8_t **out)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	const char *ret = NULL;
	uint8_t *rgba;

	if (!png_image_begin_read_from_memory(&image, data, len))
		return png_error_text(&image, "cannot be read");
	image.format = PNG_FORMAT_RGBA;
	p->width = image.width;
	p->height = image.height;
	if (!p->stride)
		p->stride = jf_picture_stride(p);
	if (image.width > JF_MAX_SIDE || image.height > JF_MAX_SIDE)
		ret = "PNG: more than 16384 pixels wide or high";
	else if (p->stride < jf_picture_stride(p))
		ret = "PNG: the stride is less than a row";
	else if (jf_picture_size(p) > JF_MAX_DATA)
		ret = "PNG: too large";
	if (ret) {
		png_image_free(&image);
		return ret;
	}
	rgba = malloc(PNG_IMAGE_SIZE(image));
	*out = calloc(1, jf_picture_size(p));
	if (!rgba || !*out) {
		ret = "out of memory";
		png_image_free(&image);
	} else if (!png_image_finish_read(&image, NULL, rgba, 0, NULL)) {
		ret = png_error_text(&image, "damaged");
	} else {
		store_rows(p, rgba, *out);
	}
	free(rgba);
	if (ret)
		free(*out);
	return ret;
}
