/* SPDX-License-Identifier: MIT */
/*
 * Pixels of images in memory, and PNG files.
 */
#ifndef VSHADER_JOBFILE_PICTURE_H
#define VSHADER_JOBFILE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JF_MAX_SIDE	16384u	/* pixels of an image in either direction */

/**
 * struct jf_pixel - format of a pixel
 * @bytes: bytes, at most 16
 * @num: components
 * @kind: 0 unsigned normalised, 'n' signed normalised, 'f' float, 'u' unsigned and 's' signed
 *	integer
 * @max: integer that is as bright as can be
 * @comp: name, lowest bit and number of bits of each
 */
struct jf_pixel {
	uint32_t bytes;
	uint32_t num;
	char kind;
	uint32_t max;
	struct {
		char name;
		uint8_t shift;
		uint8_t bits;
	} comp[5];
};

/* The last two are VideoCore IV's, of targets only. */
enum jf_layout { JF_LINEAR, JF_U_INTERLEAVED, JF_MORTON, JF_LT, JF_T };

/**
 * struct jf_picture - arrangement of an image
 * @width: pixels
 * @height: pixels
 * @stride: bytes from one row of pixels to the next; u-interleaved: of blocks of 16 x 16; Morton:
 *	of blocks of 8 x 8; LT: of microtiles; T: of tiles
 * @layout: enum jf_layout
 * @flip: the first row is the lowest one
 * @pixel: format
 */
struct jf_picture {
	uint32_t width;
	uint32_t height;
	uint32_t stride;
	uint32_t layout;
	bool flip;
	struct jf_pixel pixel;
};

/*
 * Format by its name: components from the lowest bit on, each with its bits, and a suffix:
 * "r8g8b8a8", "b5g6r5", "r16g16f", "z24s8", "r32ui".
 */
bool jf_pixel_format(const char *name, struct jf_pixel *out);
/* Stride of rows without gaps. */
uint32_t jf_picture_stride(const struct jf_picture *p);
/* Bytes from the first to the last one. */
uint64_t jf_picture_size(const struct jf_picture *p);
/* Offset of a pixel in the image; @y counts from the top of the picture. */
uint64_t jf_picture_place(const struct jf_picture *p, uint32_t x, uint32_t y);
/* Red, green, blue and alpha from 0 to 1, and back. */
void jf_pixel_unpack(const struct jf_pixel *f, const uint8_t *p, double rgba[4]);
void jf_pixel_pack(const struct jf_pixel *f, const double rgba[4], uint8_t *p);

/* Write the image at @data as PNG. Return: NULL or a message. */
const char *jf_png_write(FILE *f, const struct jf_picture *p, const uint8_t *data);
/*
 * Store a PNG at @data of @len bytes as an image: *@out, to be released with free(); @p has the
 * format and layout, and gets the size and, if it is 0, the stride. Return: NULL or a message.
 */
const char *jf_png_read(const uint8_t *data, size_t len, struct jf_picture *p, uint8_t **out);

#endif /* VSHADER_JOBFILE_PICTURE_H */
