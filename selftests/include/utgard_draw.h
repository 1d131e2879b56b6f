/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A frame of Utgard's vertex processor, and one of its pixel processor without tiles, in memory
 * of a driver: DRAW_BYTES from an address on.
 */
#ifndef SELFTESTS_UTGARD_DRAW_H
#define SELFTESTS_UTGARD_DRAW_H

#include <stdint.h>
#include <string.h>

#define DRAW_BYTES	0x4000
#define DRAW_VERTICES	100
#define DRAW_PP_WORDS	23
#define DRAW_WB_WORDS	36

/* Offsets. */
enum {
	DRAW_CODE = 0x000, DRAW_PIXELS = 0x100, DRAW_VS = 0x200, DRAW_PLBU = 0x300,
	DRAW_ATTR = 0x400, DRAW_VAR = 0x440, DRAW_STATE = 0x480, DRAW_TILES = 0x500,
	DRAW_ARRAY = 0x540, DRAW_BLOCK = 0x600, DRAW_ELEMS = 0x1000, DRAW_OUT = 0x2000,
	DRAW_HEAP = 0x3000
};

#define DRAW_VS_BYTES	48
#define DRAW_PLBU_BYTES	56

static inline void draw_put(uint8_t *p, uint32_t at, const uint32_t *words, uint32_t n)
{
	memcpy(p + at, words, n * 4);
}

/* A component of the attributes. Not all vertices are in line: triangles have an area. */
static inline float draw_element(int i)
{
	return i - 3.5f + (i % 8 == 1 ? 4 : 0);
}

/* Write a draw to memory at @p, which the GPU has at @va; @frame: VS and PLBU list, heap. */
static inline void draw_make(void *memory, uint32_t va, uint32_t frame[6])
{
	/* v0 = a0, the first component twice */
	static const uint32_t program[] = { 0x000b0ec2, 0x438022c1, 0x40034400, 0x000ad508 };
	/* stop, without any field */
	static const uint32_t pixels[] = { 1 | 1 << 5 };
	const uint32_t vs[] = {
		va + DRAW_CODE, 0x40010000, 0, 0x10000040, 0, 0x10000042,
		va + DRAW_ATTR, 0x20020000, va + DRAW_VAR, 0x20020008,
		(uint32_t)DRAW_VERTICES << 24, DRAW_VERTICES >> 8,
	};
	/* a frame of a tile */
	const uint32_t plbu[] = {
		0, 0x10000109, 1, 0x30000000, va + DRAW_ARRAY, 0x28000000, 0x2200, 0x1000010b,
		va + DRAW_STATE, 0x80000000 | (va + DRAW_OUT) >> 4,
		(uint32_t)DRAW_VERTICES << 24, 4 << 16 | DRAW_VERTICES >> 8, 0, 0x50000000,
	};
	const uint32_t block = va + DRAW_BLOCK;
	const uint32_t attr[] = { va + DRAW_ELEMS, 16 << 11 | 3 };
	const uint32_t var[] = { va + DRAW_OUT, 0x8020 };
	const uint32_t state[16] = {
		[2] = 0xfc3b1ad2, [8] = 0xf807, [9] = va + DRAW_PIXELS,
	};
	/* the end, without a tile before it */
	static const uint32_t tiles[] = { 0, 0xbc000000 };
	uint8_t *p = (uint8_t *)memory;
	float *elems = (float *)(p + DRAW_ELEMS);
	int i;

	memset(p, 0, DRAW_BYTES);
	draw_put(p, DRAW_CODE, program, 4);
	draw_put(p, DRAW_PIXELS, pixels, 1);
	draw_put(p, DRAW_VS, vs, 12);
	draw_put(p, DRAW_PLBU, plbu, 14);
	draw_put(p, DRAW_ARRAY, &block, 1);
	draw_put(p, DRAW_ATTR, attr, 2);
	draw_put(p, DRAW_VAR, var, 2);
	draw_put(p, DRAW_STATE, state, 16);
	draw_put(p, DRAW_TILES, tiles, 2);
	for (i = 0; i < 4 * DRAW_VERTICES; i++)
		elems[i] = draw_element(i);
	frame[0] = va + DRAW_VS;
	frame[1] = va + DRAW_VS + DRAW_VS_BYTES;
	frame[2] = va + DRAW_PLBU;
	frame[3] = va + DRAW_PLBU + DRAW_PLBU_BYTES;
	frame[4] = va + DRAW_HEAP;
	frame[5] = va + DRAW_BYTES;
}

/* Number of vertices that have been written, from the first one on. */
static inline int draw_written(const void *memory)
{
	const float *out = (const float *)((const uint8_t *)memory + DRAW_OUT);
	int n, k;

	for (n = 0; n < DRAW_VERTICES; n++)
		for (k = 0; k < 4; k++)
			if (out[4 * n + k] != (k ? 1 : 2) * draw_element(4 * n + k))
				return n;
	return n;
}

static inline void draw_forget(void *memory)
{
	memset((uint8_t *)memory + DRAW_OUT, 0, 16 * DRAW_VERTICES);
}

/* Words of a frame of a pixel processor without tiles and write-back; list and state. */
static inline void draw_pp(uint32_t va, uint32_t frame[DRAW_PP_WORDS], uint32_t wb[DRAW_WB_WORDS])
{
	memset(frame, 0, DRAW_PP_WORDS * 4);
	memset(wb, 0, DRAW_WB_WORDS * 4);
	frame[0] = va + DRAW_TILES;
	frame[1] = va + DRAW_STATE;
	frame[16] = 1;
	frame[18] = 0x77;
	frame[19] = 1;
	frame[21] = 0xe0c;
}

#endif /* SELFTESTS_UTGARD_DRAW_H */
