// SPDX-License-Identifier: MIT
/*
 * Contact sheets.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "sheet.h"

#define CELL		128u	/* pixels of a picture on the sheet, at most, in either direction */
#define MARGIN		6u
#define ZOOM		2u	/* pixels of a dot of a letter */
#define LETTER_WIDTH	(4 * ZOOM)
#define LINE		(7 * ZOOM)	/* of text, with its distance */
#define STEP_X		(CELL + MARGIN)
#define STEP_Y		(CELL + LINE + MARGIN)
#define MAX_PICTURES	4096u
#define PAPER		0x30	/* grey of the sheet */
#define INK		0xe0

/**
 * struct shot - a picture on the sheet
 * @name: name
 * @width: pixels
 * @height: pixels
 * @rgba: the picture, reduced or enlarged
 */
struct shot {
	char *name;
	uint32_t width;
	uint32_t height;
	uint8_t *rgba;
};

struct sheet {
	struct shot *shots;
	uint32_t n;
};

struct sheet *sheet_new(void)
{
	struct sheet *s = calloc(1, sizeof(*s));

	if (!s)
		fail("out of memory");
	return s;
}

void sheet_free(struct sheet *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		free(s->shots[i].name);
		free(s->shots[i].rgba);
	}
	free(s->shots);
	free(s);
}

/* ---- pictures ---- */

/* Large pictures lose pixels, small ones get larger by a whole factor. */
static void fit(const struct jf_picture *p, uint32_t *width, uint32_t *height)
{
	uint32_t side = p->width > p->height ? p->width : p->height, factor = 1;

	if (side <= CELL)
		factor = CELL / side;
	*width = p->width * factor;
	*height = p->height * factor;
	if (side <= CELL)
		return;
	*width = (uint32_t)((uint64_t)p->width * CELL / side);
	*height = (uint32_t)((uint64_t)p->height * CELL / side);
	*width = *width ? *width : 1;
	*height = *height ? *height : 1;
}

/* The mean of the pixels from x0, y0 to x1, y1, exclusive. */
static void mean(const struct jf_picture *p, const uint8_t *data, uint32_t x0, uint32_t x1,
		 uint32_t y0, uint32_t y1, uint8_t *rgba)
{
	double sum[4] = { 0 }, v[4];
	uint32_t x, y, i;

	for (y = y0; y < y1; y++) {
		for (x = x0; x < x1; x++) {
			jf_pixel_unpack(&p->pixel, data + jf_picture_place(p, x, y), v);
			for (i = 0; i < 4; i++)
				sum[i] += v[i];
		}
	}
	for (i = 0; i < 4; i++)
		rgba[i] = (uint8_t)(sum[i] / ((double)(x1 - x0) * (y1 - y0)) * 255 + 0.5);
}

/* Pixels of the picture that pixel @n of @of in the reduced one stands for. */
static void range(uint32_t n, uint32_t of, uint32_t from, uint32_t *first, uint32_t *end)
{
	*first = (uint32_t)((uint64_t)n * from / of);
	*end = (uint32_t)((uint64_t)(n + 1) * from / of);
	if (*end <= *first)
		*end = *first + 1;
}

static void scale(struct shot *s, const struct jf_picture *p, const uint8_t *data)
{
	uint32_t x, y, x0, x1, y0, y1;

	for (y = 0; y < s->height; y++) {
		range(y, s->height, p->height, &y0, &y1);
		for (x = 0; x < s->width; x++) {
			range(x, s->width, p->width, &x0, &x1);
			mean(p, data, x0, x1, y0, y1, s->rgba + 4 * ((size_t)y * s->width + x));
		}
	}
}

int sheet_add(struct sheet *s, const char *name, const struct jf_picture *p, const uint8_t *data)
{
	struct shot *more, *shot;

	if (s->n == MAX_PICTURES)
		return fail("more than %u pictures on a sheet", MAX_PICTURES);
	more = reallocarray(s->shots, s->n + 1, sizeof(*more));
	if (!more)
		return fail("out of memory");
	s->shots = more;
	shot = &more[s->n];
	*shot = (struct shot){ .name = strdup(name) };
	fit(p, &shot->width, &shot->height);
	shot->rgba = malloc((size_t)shot->width * shot->height * 4);
	s->n++;
	if (!shot->name || !shot->rgba)
		return fail("out of memory");
	scale(shot, p, data);
	return 0;
}

/* ---- text ---- */

/* Five rows of three dots, an octal digit each; capitals stand for small letters. */
static const uint16_t letters[] = {
	['0'] = 075557, ['1'] = 026227, ['2'] = 071747, ['3'] = 071717, ['4'] = 055711,
	['5'] = 074717, ['6'] = 074757, ['7'] = 071122, ['8'] = 075757, ['9'] = 075717,
	['A'] = 025755, ['B'] = 065656, ['C'] = 034443, ['D'] = 065556, ['E'] = 074647,
	['F'] = 074644, ['G'] = 034553, ['H'] = 055755, ['I'] = 072227, ['J'] = 011152,
	['K'] = 055655, ['L'] = 044447, ['M'] = 057755, ['N'] = 065555, ['O'] = 025552,
	['P'] = 065644, ['Q'] = 025563, ['R'] = 065655, ['S'] = 034216, ['T'] = 072222,
	['U'] = 055557, ['V'] = 055552, ['W'] = 055775, ['X'] = 055255, ['Y'] = 055222,
	['Z'] = 071247, ['.'] = 000002, ['-'] = 000700, ['_'] = 000007, [','] = 000024, [' '] = 0,
	['/'] = 011244, [':'] = 002020, ['('] = 024442, [')'] = 021112,
};

#define NO_LETTER	070702	/* of other characters */

/**
 * struct paper - the sheet being drawn
 * @width: pixels
 * @height: pixels
 * @rgba: them
 */
struct paper {
	uint32_t width;
	uint32_t height;
	uint8_t *rgba;
};

static void dot(struct paper *p, uint32_t x, uint32_t y)
{
	uint32_t dx, dy;

	for (dy = 0; dy < ZOOM; dy++)
		for (dx = 0; dx < ZOOM; dx++)
			memset(p->rgba + 4 * ((size_t)(y + dy) * p->width + x + dx), INK, 3);
}

static void write_text(struct paper *p, uint32_t left, uint32_t top, const char *text)
{
	uint32_t row, column, at = left;

	for (; *text && at + LETTER_WIDTH <= left + CELL; text++, at += LETTER_WIDTH) {
		unsigned char c = (unsigned char)toupper((unsigned char)*text);
		uint16_t bits = c < sizeof(letters) / sizeof(letters[0]) ? letters[c] : NO_LETTER;

		if (!bits && c != ' ')
			bits = NO_LETTER;
		for (row = 0; row < 5; row++)
			for (column = 0; column < 3; column++)
				if (bits >> (3 * (4 - row) + 2 - column) & 1)
					dot(p, at + ZOOM * column, top + ZOOM * row);
	}
}

/* ---- the sheet ---- */

/* Transparent pixels show the paper. */
static void draw_shot(struct paper *p, uint32_t left, uint32_t top, const struct shot *s)
{
	uint32_t x, y, i, alpha;
	const uint8_t *from;
	uint8_t *to;

	for (y = 0; y < s->height; y++) {
		for (x = 0; x < s->width; x++) {
			from = s->rgba + 4 * ((size_t)y * s->width + x);
			to = p->rgba + 4 * ((size_t)(top + y) * p->width + left + x);
			alpha = from[3];
			for (i = 0; i < 3; i++)
				to[i] = (uint8_t)((from[i] * alpha + to[i] * (255 - alpha) + 127) /
						  255);
		}
	}
}

/* About as wide as high. */
static uint32_t columns_of(uint32_t n)
{
	uint32_t columns = 1;

	while (columns * STEP_X < (n + columns - 1) / columns * STEP_Y && columns < n)
		columns++;
	return columns;
}

static void draw(const struct sheet *s, struct paper *p, uint32_t columns)
{
	uint32_t i, left, top;

	for (i = 0; i < p->width * p->height; i++) {
		memset(p->rgba + 4 * (size_t)i, PAPER, 3);
		p->rgba[4 * (size_t)i + 3] = 255;
	}
	for (i = 0; i < s->n; i++) {
		left = MARGIN + i % columns * STEP_X;
		top = MARGIN + i / columns * STEP_Y;
		draw_shot(p, left, top, &s->shots[i]);
		write_text(p, left, top + CELL + ZOOM, s->shots[i].name);
	}
}

int sheet_write(const struct sheet *s, const char *path, bool quiet)
{
	uint32_t columns = columns_of(s->n ? s->n : 1), rows = (s->n + columns - 1) / columns;
	struct paper p = { .width = MARGIN + columns * STEP_X, .height = MARGIN + rows * STEP_Y };
	struct jf_picture picture = { .width = p.width, .height = p.height };
	const char *wrong = NULL;
	struct output out;
	int ret;

	if (!s->n)
		return fail("%s: there are no images for a sheet", path);
	jf_pixel_format("rgba8", &picture.pixel);
	picture.stride = jf_picture_stride(&picture);
	p.rgba = malloc(jf_picture_size(&picture));
	if (!p.rgba)
		return fail("out of memory");
	draw(s, &p, columns);
	ret = output_open(&out, path);
	if (!ret) {
		wrong = jf_png_write(out.f, &picture, p.rgba);
		ret = output_close(&out, wrong ? fail("%s: %s", path, wrong) : 0);
	}
	free(p.rgba);
	if (!ret && !quiet)
		printf("wrote %s, %u picture%s\n", safe_name(path), s->n, s->n == 1 ? "" : "s");
	return ret;
}
