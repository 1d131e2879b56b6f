/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texture model of the tests, written from the documentation, independent of the unit's
 * code.
 */
#ifndef SELFTESTS_QPU_TEXMODEL_H
#define SELFTESTS_QPU_TEXMODEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TM_RGBA8888, TM_RGBX8888, TM_RGBA4444, TM_RGBA5551, TM_RGB565, TM_LUMINANCE, TM_ALPHA,
	TM_LUMALPHA, TM_ETC1, TM_S16F, TM_S8, TM_S16, TM_BW1, TM_A4, TM_A1, TM_RGBA64,
	TM_RGBA32R, TM_YUYV422R, TM_NUM
};

extern const char *const tm_names[TM_NUM];

/**
 * struct tm_level - where the texels of a level are
 * @width: texels
 * @height: texels
 * @bytes: memory that it takes
 * @addr: bus address of its first byte
 * @columns: texels (ETC1: blocks) in a row of @bit
 * @bit: offset of each texel or block
 */
struct tm_level {
	unsigned int width;
	unsigned int height;
	unsigned int bytes;
	uint32_t addr;
	unsigned int columns;
	uint32_t *bit;
};

/* Levels 0..@n - 1 of a texture, level 0 at @base. */
void tm_layout(struct tm_level *l, unsigned int n, unsigned int type, unsigned int width,
	       unsigned int height, uint32_t base);
void tm_free(struct tm_level *l, unsigned int n);

/* Fill a level with random texels, or with one value (its low bits) everywhere. */
void tm_randomize(const struct tm_level *l, unsigned int type);
void tm_clear(const struct tm_level *l, unsigned int type, uint64_t raw);
void tm_put(const struct tm_level *l, unsigned int type, unsigned int x, unsigned int y,
	    uint64_t raw);

/* Value of r4 after a load of this texel; *@second: value after the next load, if any. */
uint32_t tm_texel(const struct tm_level *l, unsigned int type, unsigned int x, unsigned int y,
		  bool etc_flip, uint32_t *second);

/* ---- requests ---- */

enum { TM_REPEAT, TM_CLAMP, TM_MIRROR, TM_BORDER };
enum { TM_LINEAR, TM_NEAREST, TM_NEAR_MIP_NEAR, TM_NEAR_MIP_LIN, TM_LIN_MIP_NEAR,
	TM_LIN_MIP_LIN };

/* A configuration; p2 and p3 are used unchanged if extra is 1 or 2. */
struct tm_config {
	uint32_t base;
	unsigned int type;
	unsigned int width;
	unsigned int height;
	unsigned int levels;
	unsigned int min;
	unsigned int mag;
	unsigned int wrap_s;
	unsigned int wrap_t;
	bool cube;
	bool flip_y;
	bool etc_flip;
	unsigned int extra;
	uint32_t p2;
	uint32_t p3;
};

/*
 * Look up 16 elements; @t, @r, @b may be NULL, except for those that the configuration's
 * extra count requires.
 * Return: false after a fault.
 */
bool tm_lookup(const struct tm_config *c, const float *s, const float *t, const uint32_t *r,
	       const float *b, uint32_t *out);
/* The next result. */
bool tm_result(uint32_t *out);

#endif
