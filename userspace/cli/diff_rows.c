// SPDX-License-Identifier: MIT
/*
 * Rows of Documentation/references.rst by the values that differ. Two values say less than the
 * operations that made them: these are the rows that have such a pair. Amounts for pictures are
 * those of selftests/gles/compare.py.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_rows.h"

#define SIGN		0x80000000U
#define INFINITE	0x7f800000U
#define ONE		0x3f800000U
#define LEAST_NORMAL	0x00800000U
#define MAX_HALF	0x477fe000U	/* 65504 */
#define MAX_R11F	0x477e0000U	/* 65024 */

static bool is_nan(uint32_t a)
{
	return (a & ~SIGN) > INFINITE;
}

static bool is_number(uint32_t a)
{
	return (a & ~SIGN) < INFINITE;
}

/* ---- words ---- */

static bool saturated(uint32_t a, uint32_t b)
{
	return (a == SIGN && (b == SIGN - 1 || !b)) || (a == UINT32_MAX && !b);
}

static bool other_nan(uint32_t a, uint32_t b)
{
	return is_nan(a) && is_nan(b);
}

/* -1 and the largest integer are hardly meant as NaN. */
static bool nan_or_number(uint32_t a, uint32_t b)
{
	return is_nan(a) && (a | SIGN) != UINT32_MAX && is_number(b);
}

static bool nan_or_0(uint32_t a, uint32_t b)
{
	return nan_or_number(a, b) && !b;
}

/* 0, 1 or a NaN, that of the format's conversion or of the multiplication. */
static bool power(uint32_t a, uint32_t b)
{
	return b == ONE && (!a || is_nan(a));
}

static bool flushed(uint32_t a, uint32_t b)
{
	return !(a & ~SIGN) && b & ~SIGN && (b & ~SIGN) < LEAST_NORMAL && !((a ^ b) & SIGN);
}

static bool sign_of_0(uint32_t a, uint32_t b)
{
	return !a && b == SIGN;
}

static bool infinite(uint32_t a, uint32_t b, uint32_t most)
{
	return (b & ~SIGN) == INFINITE && (a & ~SIGN) == most && !((a ^ b) & SIGN);
}

static bool neighbours(uint32_t a, uint32_t b, uint32_t step)
{
	return is_number(a) && is_number(b) && !((a | b) & (step - 1)) && b - a == step &&
	       (a & ~SIGN) >= LEAST_NORMAL;
}

/* Normal numbers of binary16 have 10 bits of mantissa, R11F 6, B10F 5. */
static bool half_target(uint32_t a, uint32_t b)
{
	uint32_t size = a & ~SIGN;

	return infinite(a, b, MAX_HALF) ||
	       (neighbours(a, b, 1U << 13) && size >= 0x38800000 && size <= MAX_HALF);
}

static bool small_float_target(uint32_t a, uint32_t b)
{
	return infinite(a, b, MAX_R11F) ||
	       (!((a | b) & SIGN) && (neighbours(a, b, 1U << 17) || neighbours(a, b, 1U << 18)));
}

/* k / 255, to nearest and as a product with the reciprocal. */
static bool fetched(uint32_t a, uint32_t b)
{
	float x, y;
	double k;

	if (!is_number(a) || b - a != 1)
		return false;
	memcpy(&x, &a, sizeof(x));
	memcpy(&y, &b, sizeof(y));
	k = rint(x * 255.0);
	return k >= 1 && k < 255 && ((float)(k / 255) == x || (float)(k / 255) == y);
}

static const struct word_row {
	const char *name;
	bool (*holds)(uint32_t a, uint32_t b);
} word_rows[] = {
	{ "float-to-int", saturated },
	{ "nan-times-0", other_nan },
	{ "pow-0-0", power },
	{ "min-max-nan-folded", nan_or_number },
	{ "nan-times-literal-0", nan_or_0 },
	{ "denormal-product", flushed },
	{ "minus-0-plus-0", sign_of_0 },
	{ "half-draw", half_target },
	{ "r11f-draw", small_float_target },
	{ "unorm8-fetch", fetched },
};

static void add(char names[ROWS_ROOM], const char *name)
{
	size_t n = strlen(names);

	snprintf(names + n, ROWS_ROOM - n, "%s%s", n ? " " : "", name);
}

void rows_of_words(uint32_t a, uint32_t b, char names[ROWS_ROOM])
{
	unsigned int i;

	names[0] = 0;
	for (i = 0; a != b && i < sizeof(word_rows) / sizeof(word_rows[0]); i++) {
		if (word_rows[i].holds(a, b) || word_rows[i].holds(b, a))
			add(names, word_rows[i].name);
	}
}

/* ---- pixels ---- */

static int distance(const uint8_t *a, const uint8_t *b)
{
	int i, d = 0;

	for (i = 0; i < 4; i++)
		d = abs(a[i] - b[i]) > d ? abs(a[i] - b[i]) : d;
	return d;
}

/**
 * struct pixel_row - What a row explains
 * @name: of the row
 * @kind: which of the following members count
 * @most: how far components may be apart
 * @alpha: alpha, too
 * @bits: of codes that differ by one at most
 */
struct pixel_row {
	const char *name;
	enum { ROW_NEAR, ROW_CODES, ROW_ALPHA, ROW_EDGE } kind;
	int most;
	bool alpha;
	int bits[4];
};

static const struct pixel_row pixel_rows[] = {
#define NEAR_ROW(name, most, alpha)	{ name, ROW_NEAR, most, alpha, { 0 } },
#define CODE_ROW(name, ...)		{ name, ROW_CODES, 0, false, { __VA_ARGS__ } },
#define ALPHA_ROW(name)			{ name, ROW_ALPHA, 0, false, { 0 } },
#define EDGE_ROW(name)			{ name, ROW_EDGE, 0, false, { 0 } },
#define TARGET_ROW(name, most, alpha)
#include "diff_rows.def"
};

/* The code of @bits that is shown as this byte, or -1. */
static int code_of(uint8_t byte, int bits)
{
	int most = (1 << bits) - 1, code = (byte * most + 127) / 255;

	return (code * 255 + most / 2) / most == byte ? code : -1;
}

/* Components are codes of so many bits, and differ by one code at most; those of one bit do not. */
static bool one_code(const uint8_t *a, const uint8_t *b, const int bits[4])
{
	int i, from, to, most;

	for (i = 0; i < 4; i++) {
		from = code_of(a[i], bits[i]);
		to = code_of(b[i], bits[i]);
		most = bits[i] > 1 ? 1 : 0;
		if (from < 0 || to < 0 || abs(from - to) > most)
			return false;
	}
	return true;
}

/* A colour of a pixel around this one, or nearly. */
static bool is_beside(const uint8_t *picture, uint32_t width, uint32_t height, uint32_t x,
		      uint32_t y, const uint8_t *colour)
{
	uint32_t u, v;

	for (v = y ? y - 1 : 0; v <= y + 1 && v < height; v++) {
		for (u = x ? x - 1 : 0; u <= x + 1 && u < width; u++) {
			if (distance(picture + 4 * ((size_t)v * width + u), colour) <= 1)
				return true;
		}
	}
	return false;
}

void rows_of_pixels(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height,
		    uint32_t x, uint32_t y, char names[ROWS_ROOM])
{
	size_t at = 4 * ((size_t)y * width + x);
	const uint8_t *p = a + at, *q = b + at;
	bool near = false, coded = false;
	int d = distance(p, q);
	unsigned int i;

	names[0] = 0;
	if (!d)
		return;
	for (i = 0; i < sizeof(pixel_rows) / sizeof(pixel_rows[0]); i++) {
		const struct pixel_row *row = &pixel_rows[i];
		bool holds;

		switch (row->kind) {
		case ROW_NEAR:
			holds = d <= row->most && (row->alpha || p[3] == q[3]);
			near |= holds;
			break;
		case ROW_ALPHA:
			holds = !near && d == 255 && !memcmp(p, q, 3);
			coded |= holds;
			break;
		case ROW_CODES:
			holds = !near && !coded && one_code(p, q, row->bits);
			coded |= holds;
			break;
		default:
			holds = !near && is_beside(a, width, height, x, y, q) &&
				is_beside(b, width, height, x, y, p);
		}
		if (holds)
			add(names, row->name);
	}
}
