/* SPDX-License-Identifier: MIT */
/*
 * Differences that rows of Documentation/references.rst explain: what other renderers compute in
 * another way than vshader.
 */
#ifndef DIFF_ROWS_H
#define DIFF_ROWS_H

#include <stdint.h>

/* Room for the names of rows. */
#define ROWS_ROOM	128

/**
 * rows_of_words - rows that explain two results of a job
 * @a: a word, bits of a float or an integer
 * @b: another one
 * @names: their names, separated by blanks; "": none, or the words are the same
 */
void rows_of_words(uint32_t a, uint32_t b, char names[ROWS_ROOM]);

/**
 * rows_of_pixels - rows that explain two colours of a pixel
 * @a: a picture, RGBA
 * @b: another one of the same size
 * @width: pixels of both
 * @height: pixels of both
 * @x: the pixel, less than @width
 * @y: the pixel, less than @height
 * @names: as of rows_of_words()
 */
void rows_of_pixels(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height,
		    uint32_t x, uint32_t y, char names[ROWS_ROOM]);

#endif /* DIFF_ROWS_H */
