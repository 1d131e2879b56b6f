// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cmdbuf.h"

void cb_init(struct cmdbuf *cb)
{
	cb->w = calloc(CB_MAX_WORDS, sizeof(*cb->w));
	assert(cb->w);
	cb->n = 0;
}

void cb_fini(struct cmdbuf *cb)
{
	free(cb->w);
	cb->w = NULL;
}

void cb_reset(struct cmdbuf *cb)
{
	cb->n = 0;
}

void cb_word(struct cmdbuf *cb, uint32_t w)
{
	assert(cb->n < CB_MAX_WORDS);
	cb->w[cb->n++] = w;
}

void cb_mask(struct cmdbuf *cb, uint32_t reg, uint32_t mask, uint32_t value)
{
	cb_word(cb, value);
	cb_word(cb, reg | mask << 16);
}

void cb_write(struct cmdbuf *cb, uint32_t reg, uint32_t value)
{
	cb_mask(cb, reg, 0xf, value);
}

void cb_burst(struct cmdbuf *cb, uint32_t reg, const uint32_t *v, unsigned int n, bool consec)
{
	unsigned int i;

	assert(n >= 1 && n <= 256);
	cb_word(cb, v[0]);
	cb_word(cb, reg | 0xf << 16 | (n - 1) << 20 | (uint32_t)consec << 31);
	for (i = 1; i < n; i++)
		cb_word(cb, v[i]);
	if (cb->n & 1)
		cb_word(cb, 0);
}

uint32_t cb_f24(float f)
{
	uint32_t bits, mag;

	memcpy(&bits, &f, sizeof(bits));
	mag = bits & 0x7fffffff;
	if (!mag)
		return bits >> 31 << 23;
	if (mag >= 0x7f800000)
		return bits >> 31 << 23 | 0x7f0000 | (mag & 0x7fffff) >> 7;
	/* Only values with an exponent that 1.7.16 has are used. */
	assert((mag >> 23) > 127 - 63 && (mag >> 23) < 127 + 64);
	return bits >> 31 << 23 | ((mag >> 23) - 127 + 63) << 16 | (mag >> 7 & 0xffff);
}

void cb_pack24(const float v[4], uint32_t out[3])
{
	uint32_t x = cb_f24(v[0]), y = cb_f24(v[1]), z = cb_f24(v[2]), w = cb_f24(v[3]);

	/* In hexadecimal digits: ZZWWWWWW YYYYZZZZ XXXXXXYY, low word first. */
	out[0] = w << 8 | z >> 16;
	out[1] = (z & 0xffff) << 16 | y >> 8;
	out[2] = (y & 0xff) << 24 | x;
}

void cb_uniform24(struct cmdbuf *cb, uint32_t unit, uint32_t row, const float v[4])
{
	uint32_t w[4];

	w[0] = row;
	cb_pack24(v, w + 1);
	cb_burst(cb, unit + SH_FLOAT_INDEX, w, 4, true);
}

void cb_uniform32(struct cmdbuf *cb, uint32_t unit, uint32_t row, const float v[4])
{
	uint32_t w[5];
	int c;

	w[0] = row | 1u << 31;
	for (c = 0; c < 4; c++)
		memcpy(&w[1 + c], &v[3 - c], 4);
	cb_burst(cb, unit + SH_FLOAT_INDEX, w, 5, true);
}

void cb_fixed(struct cmdbuf *cb, uint32_t index, const float v[4])
{
	uint32_t w[4];

	w[0] = index;
	cb_pack24(v, w + 1);
	cb_burst(cb, R_FIXED_INDEX, w, 4, true);
}

static void upload(struct cmdbuf *cb, uint32_t reg, const uint32_t *v, unsigned int n)
{
	unsigned int i, part;

	for (i = 0; i < n; i += part) {
		part = n - i < 128 ? n - i : 128;
		cb_burst(cb, reg, v + i, part, false);
	}
}

void cb_code(struct cmdbuf *cb, uint32_t unit, const uint32_t *code, unsigned int n)
{
	cb_write(cb, unit + SH_CODE_INDEX, 0);
	upload(cb, unit + SH_CODE_DATA, code, n);
	cb_write(cb, unit + SH_CODE_END, 1);
}

void cb_desc(struct cmdbuf *cb, uint32_t unit, const uint32_t *desc, unsigned int n)
{
	cb_write(cb, unit + SH_DESC_INDEX, 0);
	upload(cb, unit + SH_DESC_DATA, desc, n);
}

uint32_t op2(uint32_t op, uint32_t dst, uint32_t a, uint32_t b, uint32_t desc)
{
	return op << 26 | dst << 21 | a << 12 | b << 7 | desc;
}

uint32_t op_mov(uint32_t dst, uint32_t a)
{
	return op2(0x13, dst, a, 0, 0);
}

uint32_t op_add(uint32_t dst, uint32_t a, uint32_t b)
{
	return op2(0x00, dst, a, b, 0);
}

uint32_t op_mul(uint32_t dst, uint32_t a, uint32_t b)
{
	return op2(0x08, dst, a, b, 0);
}

uint32_t op_mov_rel(uint32_t dst, uint32_t row, uint32_t reg)
{
	return op_mov(dst, C(row)) | reg << 19;
}

uint32_t op_ifu(uint32_t bit, uint32_t dst, uint32_t num)
{
	return 0x27u << 26 | bit << 22 | dst << 10 | num;
}

uint32_t op_loop(uint32_t reg, uint32_t last)
{
	return 0x29u << 26 | reg << 22 | last << 10;
}

uint32_t op_setemit(uint32_t slot, bool prim, bool invert)
{
	return 0x2bu << 26 | slot << 24 | (uint32_t)prim << 23 | (uint32_t)invert << 22;
}
