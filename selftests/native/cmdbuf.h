/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds PICA200 command lists and programs word by word, from the public register
 * documentation and not from the parser's own definitions.
 */
#ifndef SELFTESTS_NATIVE_CMDBUF_H
#define SELFTESTS_NATIVE_CMDBUF_H

#include <stdbool.h>
#include <stdint.h>

#define CB_MAX_WORDS	0x100000

/* Register numbers as 3dbrew lists them. */
enum {
	R_FINALIZE = 0x010, R_OUTMAP_TOTAL = 0x04f, R_OUTMAP0 = 0x050,
	R_ATTR_LOC = 0x200, R_ATTR_FMT_LOW = 0x201, R_ATTR_FMT_HIGH = 0x202,
	R_ATTR_BUF0 = 0x203, R_INDEX = 0x227, R_NUMVERTS = 0x228, R_GEOSTAGE = 0x229,
	R_VERTEX_OFFSET = 0x22a, R_DRAW_ARRAYS = 0x22e, R_DRAW_ELEMENTS = 0x22f,
	R_FIXED_INDEX = 0x232, R_FIXED_DATA = 0x233, R_CMDBUF_SIZE0 = 0x238,
	R_CMDBUF_ADDR0 = 0x23a, R_CMDBUF_JUMP0 = 0x23c, R_NUM_ATTR = 0x242,
	R_COM_MODE = 0x244, R_OUTMAP_TOTAL1 = 0x24a, R_OUTMAP_TOTAL2 = 0x251,
	R_GSH_MISC0 = 0x252, R_GSH_MISC1 = 0x254, R_PRIM_CONFIG = 0x25e,
	R_PRIM_RESTART = 0x25f,
	R_GSH = 0x280, R_VSH = 0x2b0,
};

/* Offsets in the blocks of the shader units. */
enum {
	SH_BOOL = 0, SH_INT0 = 1, SH_INPUTS = 9, SH_ENTRY = 0xa, SH_PERM = 0xb,
	SH_OUTMASK = 0xd, SH_FLOAT_INDEX = 0x10, SH_FLOAT_DATA = 0x11, SH_CODE_END = 0xf,
	SH_CODE_INDEX = 0x1b, SH_CODE_DATA = 0x1c, SH_DESC_INDEX = 0x25, SH_DESC_DATA = 0x26,
};

struct cmdbuf {
	uint32_t *w;
	unsigned int n;
};

void cb_init(struct cmdbuf *cb);
void cb_fini(struct cmdbuf *cb);
void cb_reset(struct cmdbuf *cb);
/* A raw word. */
void cb_word(struct cmdbuf *cb, uint32_t w);
/* One register. */
void cb_write(struct cmdbuf *cb, uint32_t reg, uint32_t value);
void cb_mask(struct cmdbuf *cb, uint32_t reg, uint32_t mask, uint32_t value);
/* @n (1..256) words in one command, to one register or to consecutive ones. */
void cb_burst(struct cmdbuf *cb, uint32_t reg, const uint32_t *v, unsigned int n, bool consec);

/* 1.7.16 of a binary32 value that has one. */
uint32_t cb_f24(float f);
/* Three words for x, y, z, w. */
void cb_pack24(const float v[4], uint32_t out[3]);
void cb_uniform24(struct cmdbuf *cb, uint32_t unit, uint32_t row, const float v[4]);
void cb_uniform32(struct cmdbuf *cb, uint32_t unit, uint32_t row, const float v[4]);
void cb_fixed(struct cmdbuf *cb, uint32_t index, const float v[4]);
void cb_code(struct cmdbuf *cb, uint32_t unit, const uint32_t *code, unsigned int n);
void cb_desc(struct cmdbuf *cb, uint32_t unit, const uint32_t *desc, unsigned int n);

/* Instruction words; registers: v0 = 0, r0 = 0x10, c0 = 0x20; destinations o0 = 0, r0 = 0x10. */
#define V(n)		(n)
#define R(n)		(0x10 + (n))
#define C(n)		(0x20 + (n))
#define O(n)		(n)
#define DESC_XYZW	0x0d86c36fu	/* all components, no swizzle, no negation */

uint32_t op2(uint32_t op, uint32_t dst, uint32_t a, uint32_t b, uint32_t desc);
uint32_t op_mov(uint32_t dst, uint32_t a);
uint32_t op_add(uint32_t dst, uint32_t a, uint32_t b);
uint32_t op_mul(uint32_t dst, uint32_t a, uint32_t b);
/* Source a is c[row + offset], with offset register 1 a0.x, 2 a0.y, 3 aL. */
uint32_t op_mov_rel(uint32_t dst, uint32_t row, uint32_t reg);
uint32_t op_ifu(uint32_t bit, uint32_t dst, uint32_t num);
uint32_t op_loop(uint32_t reg, uint32_t last);
uint32_t op_setemit(uint32_t slot, bool prim, bool invert);
#define OP_END		(0x22u << 26)
#define OP_NOP		(0x21u << 26)
#define OP_EMIT		(0x2au << 26)

#endif
