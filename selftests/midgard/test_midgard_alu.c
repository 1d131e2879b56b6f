// SPDX-License-Identifier: GPL-2.0
/*
 * ALU bundles made by hand on the Midgard reference model: what the corpus does not have.
 * Results of operations are from exact arithmetic (gen_ops.py), all others are written down.
 */
#include <string.h>

#include "../include/tap.h"
#include "mcode.h"

/* Registers that hold the second to fourth vector of uniforms. */
enum { A = 22, B = 21, C = 20 };

static const struct row {
	uint8_t op, bits;
	uint64_t a, b, want;
} rows[] = {
#include "ops.h"
};

static void fill(struct mjob *j, unsigned int vector, unsigned int bits, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		mj_push(j, vector, i, bits == 64 ? (uint32_t)(v >> (32 * (i & 1))) :
			bits == 32 ? (uint32_t)v : bits == 16 ? (uint32_t)v * 0x10001u :
			(uint32_t)v * 0x01010101u);
}

static void push(struct mjob *j, unsigned int vector, const uint32_t *v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		mj_push(j, vector, i, v[i]);
}

static unsigned int mode(unsigned int bits)
{
	return bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
}

/* Whether the result is an integer, so that the modifier is that of integers. */
static bool integer_out(unsigned int op)
{
	return !(op < 0x40 || (op >= 0xb8 && op < 0xc0) || op >= 0xc4);
}

/* Runs a bundle, then stores r0. Return: error, "" if none. */
static const char *run_alu(struct mjob *j, const struct mc_alu *a, uint32_t *out)
{
	static char error[200];
	struct mcode c;
	unsigned int i;

	mc_start(&c);
	mc_alu(&c, a);
	mc_store(&c, 0, 0, 0);
	*error = 0;
	if (!mj_run(j, &c))
		memcpy(error, j->g.error, sizeof(error));
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(j, MJ_DATA + 4 * i);
	return error;
}

static bool same(const uint32_t *got, const uint32_t *want)
{
	return !memcmp(got, want, 16);
}

static bool row_vector(const struct row *r, uint32_t *out)
{
	struct mc_alu a = { 0 };
	uint32_t want[4];
	struct mjob j;
	bool ok;

	mj_new(&j);
	fill(&j, 1, r->bits, r->a);
	fill(&j, 2, r->bits, r->b);
	fill(&j, 3, r->bits, r->want);
	memcpy(want, mrf_at(&j.g, MJ_PUSH + 48, 16), 16);
	mc_unit(&a, MC_VMUL, mc_regs(A, B, 0),
		mc_vec(r->op, mode(r->bits), mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2,
		       integer_out(r->op) ? 2 : 0, 0xff));
	ok = !*run_alu(&j, &a, out) && same(out, want);
	mj_free(&j);
	return ok;
}

/* The last word gets it, from the third and second words of the operands. */
static bool row_scalar(const struct row *r, uint32_t *out)
{
	struct mc_alu a = { 0 };
	struct mjob j;
	bool ok;

	mj_new(&j);
	mj_push(&j, 1, 2, (uint32_t)r->a);
	mj_push(&j, 2, 1, (uint32_t)r->b);
	mc_move(&a, MC_VMUL, A, 0);
	mc_unit(&a, MC_SMUL, mc_regs(A, B, 0),
		mc_sca(r->op, mc_ssrc(0, true, 4), mc_ssrc(0, true, 2),
		       integer_out(r->op) ? 2 : 0, true, 6));
	ok = !*run_alu(&j, &a, out) && out[3] == (uint32_t)r->want &&
		out[2] == (uint32_t)r->a && !out[0];
	mj_free(&j);
	return ok;
}

static void operations(void)
{
	unsigned int i, bad = 0, n = sizeof(rows) / sizeof(rows[0]);
	uint32_t out[4];

	for (i = 0; i < n; i++) {
		const struct row *r = &rows[i];

		if (row_vector(r, out) && (r->bits != 32 || row_scalar(r, out)))
			continue;
		if (bad++ < 10)
			tap_comment("%02x, %u bits, %llx, %llx: %08x %08x %08x %08x, expected %llx",
				    r->op, r->bits, (unsigned long long)r->a,
				    (unsigned long long)r->b, out[0], out[1], out[2], out[3],
				    (unsigned long long)r->want);
	}
	tap_result(!bad, "%u results of operations in vectors and scalars, %u wrong", n, bad);
}

/* The result of one vector operation with a modified source of bytes 00, 01, 02 ... 0f. */
struct source {
	const char *what;
	uint8_t op, mode, mod, expand, swizzle;
	uint32_t want[4];
};

static const struct source sources[] = {
	{ "32 bits", 0x7b, 2, 0, 0, MC_XYZW, { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c } },
	{ "32 bits, wzyx", 0x7b, 2, 0, 0, 0x1b,
	  { 0x0f0e0d0c, 0x0b0a0908, 0x07060504, 0x03020100 } },
	{ "32 bits, low halves widened", 0x7b, 2, 1, 4, MC_XYZW,
	  { 0x0100, 0x0302, 0x0504, 0x0706 } },
	{ "32 bits, high halves widened", 0x7b, 2, 1, 5, 0x1b, { 0x0f0e, 0x0d0c, 0x0b0a, 0x0908 } },
	{ "32 bits, halves replicated", 0x7b, 2, 2, 4, MC_Y,
	  { 0x03020302, 0x03020302, 0x03020302, 0x03020302 } },
	{ "32 bits, halves shifted", 0x7b, 2, 3, 5, MC_X,
	  { 0x09080000, 0x09080000, 0x09080000, 0x09080000 } },
	{ "16 bits", 0x7b, 1, 0, 0, MC_XYZW, { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c } },
	{ "16 bits, wzyx in both halves", 0x7b, 1, 0, 0, 0x1b,
	  { 0x05040706, 0x01000302, 0x0d0c0f0e, 0x09080b0a } },
	{ "16 bits, low half twice", 0x7b, 1, 0, 1, MC_XYZW,
	  { 0x03020100, 0x07060504, 0x03020100, 0x07060504 } },
	{ "16 bits, high half twice", 0x7b, 1, 0, 2, 0x1b,
	  { 0x0d0c0f0e, 0x09080b0a, 0x0d0c0f0e, 0x09080b0a } },
	{ "16 bits, halves swapped", 0x7b, 1, 0, 3, MC_XYZW,
	  { 0x0b0a0908, 0x0f0e0d0c, 0x03020100, 0x07060504 } },
	{ "16 bits, low bytes widened", 0x7b, 1, 1, 4, MC_XYZW,
	  { 0x00010000, 0x00030002, 0x00050004, 0x00070006 } },
	{ "16 bits, high bytes widened", 0x7b, 1, 1, 5, 0x1b,
	  { 0x000a000b, 0x00080009, 0x000e000f, 0x000c000d } },
	{ "16 bits, low bytes widened and swapped", 0x7b, 1, 1, 6, MC_XYZW,
	  { 0x00050004, 0x00070006, 0x00010000, 0x00030002 } },
	{ "16 bits, high bytes widened and swapped", 0x7b, 1, 1, 7, MC_XYZW,
	  { 0x000d000c, 0x000f000e, 0x00090008, 0x000b000a } },
	{ "8 bits", 0x7b, 0, 0, 0, MC_XYZW, { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c } },
	{ "8 bits, pairs in the other order", 0x7b, 0, 0, 0, 0x1b,
	  { 0x05040706, 0x01000302, 0x0d0c0f0e, 0x09080b0a } },
	{ "8 bits, low half twice", 0x7b, 0, 0, 1, MC_Y,
	  { 0x03020302, 0x03020302, 0x03020302, 0x03020302 } },
	{ "8 bits, high half twice", 0x7b, 0, 0, 2, MC_Y,
	  { 0x0b0a0b0a, 0x0b0a0b0a, 0x0b0a0b0a, 0x0b0a0b0a } },
	{ "8 bits, halves swapped", 0x7b, 0, 0, 3, MC_Z,
	  { 0x0d0c0d0c, 0x0d0c0d0c, 0x05040504, 0x05040504 } },
	{ "64 bits", 0x7b, 3, 0, 0, MC_XYZW, { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c } },
	{ "64 bits, zwxy", 0x7b, 3, 0, 0, 0x4e,
	  { 0x0b0a0908, 0x0f0e0d0c, 0x03020100, 0x07060504 } },
	{ "64 bits, yxyx", 0x7b, 3, 0, 0, 0x11,
	  { 0x07060504, 0x03020100, 0x07060504, 0x03020100 } },
	{ "64 bits, low words widened", 0x7b, 3, 1, 4, MC_XYZW, { 0x03020100, 0, 0x07060504, 0 } },
	{ "64 bits, high words widened", 0x7b, 3, 1, 5, 0x4e, { 0x0f0e0d0c, 0, 0x0b0a0908, 0 } },
	{ "64 bits, words shifted", 0x7b, 3, 3, 4, MC_XYZW, { 0, 0x03020100, 0, 0x07060504 } },
};

static void source_modes(void)
{
	static const uint32_t bytes[4] = { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c };
	unsigned int i;
	uint32_t out[4];

	for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		const struct source *s = &sources[i];
		struct mc_alu a = { 0 };
		const char *error;
		struct mjob j;

		mj_new(&j);
		push(&j, 2, bytes);
		mc_unit(&a, MC_VADD, mc_regs(MC_R24, B, 0),
			mc_vec(s->op, s->mode, 0, mc_vsrc(s->mod, s->expand, s->swizzle), 2, 2,
			       0xff));
		error = run_alu(&j, &a, out);
		tap_result(!*error && same(out, s->want),
			   "source of %s: %08x %08x %08x %08x %s", s->what, out[0], out[1], out[2],
			   out[3], error);
		mj_free(&j);
	}
}

/* A whole body against what it makes of A and B; r0 is A before. */
struct body {
	const char *what;
	uint64_t body;
	uint16_t imm;		/* if not 0, instead of B */
	uint32_t a[4], b[4], want[4];
};

#define ID	(MC_XYZW << 5)
#define NEG	(MC_XYZW << 5 | 2)
#define ABS	(MC_XYZW << 5 | 1)
#define VEC(op, mode, s1, s2, shrink, outmod, mask) \
	((op) | (uint64_t)(mode) << 8 | (uint64_t)(s1) << 10 | (uint64_t)(s2) << 23 | \
	 (uint64_t)(shrink) << 36 | (uint64_t)(outmod) << 38 | (uint64_t)(mask) << 40)
#define F0	0x00000000
#define F1	0x3f800000
#define F2	0x40000000
#define F3	0x40400000
#define F4	0x40800000
#define M1	0xbf800000
#define M2	0xc0000000
#define INF	0x7f800000
#define NAN32	0x7fc00000

static const struct body bodies[] = {
	{ "add with negation", VEC(0x10, 2, ID, NEG, 2, 0, 0xff), 0, { F1, F2, F3, F4 },
	  { F1, F1, F1, F1 }, { F0, F1, F2, F3 } },
	{ "add of absolute values, second negated", VEC(0x10, 2, ABS, ABS | 2, 2, 0, 0xff), 0,
	  { M1, M2, F3, F4 }, { M1, F1, M1, M2 }, { F0, F1, F2, F2 } },
	{ "clamp to positive", VEC(0x30, 2, ID, ID, 2, 1, 0xff), 0, { 0 },
	  { M1, NAN32, F2, 0x80000000 }, { F0, F0, F2, F0 } },
	{ "clamp to -1 and 1", VEC(0x30, 2, ID, ID, 2, 2, 0xff), 0, { 0 },
	  { M2, NAN32, F2, 0x3f000000 }, { M1, M1, F1, 0x3f000000 } },
	{ "clamp to 0 and 1", VEC(0x30, 2, ID, ID, 2, 3, 0xff), 0, { 0 },
	  { M2, NAN32, INF, 0x3f000000 }, { F0, F0, F1, 0x3f000000 } },
	{ "mask of y and w", VEC(0x40, 2, ID, ID, 2, 2, 0xcc), 0, { 1, 2, 3, 4 },
	  { 10, 20, 30, 40 }, { 1, 22, 3, 44 } },
	{ "mask of halves", VEC(0x40, 1, ID, ID, 2, 2, 0x81), 0,
	  { 0x00010001, 0, 0, 0x00010001 }, { 0x00020002, 0, 0, 0x00020002 },
	  { 0x00010003, 0, 0, 0x00030001 } },
	{ "mask of pairs of bytes", VEC(0x40, 0, ID, ID, 2, 2, 0x02), 0, { 0x01010101, 0, 0, 0 },
	  { 0x02020202, 0, 0, 0 }, { 0x03030101, 0, 0, 0 } },
	{ "mask of the second of 64 bits", VEC(0x40, 3, ID, ID, 2, 2, 0xf0), 0,
	  { 1, 0, 0xffffffff, 0 }, { 5, 0, 1, 0 }, { 1, 0, 0, 1 } },
	{ "integers shrunk to the lower half", VEC(0x7b, 2, ID, ID, 0, 2, 0xff), 0,
	  { 1, 2, 3, 4 }, { 0x12345678, 0x1ffff, 0x80000001, 7 },
	  { 0xffff5678, 0x00070001, 3, 4 } },
	{ "integers shrunk to the upper half", VEC(0x7b, 2, ID, ID, 1, 2, 0xff), 0,
	  { 1, 2, 3, 4 }, { 0x12345678, 0x1ffff, 0x80000001, 7 },
	  { 1, 2, 0xffff5678, 0x00070001 } },
	{ "shrunk, upper halves kept", VEC(0x7b, 2, ID, ID, 0, 3, 0x3f), 0, { 1, 2, 3, 4 },
	  { 0x12345678, 0x1ffff, 0x80000001, 7 }, { 0x00011234, 0x00008000, 3, 4 } },
	{ "shrunk with signed saturation", VEC(0x7b, 2, ID, ID, 0, 0, 0xff), 0, { 1, 2, 3, 4 },
	  { 0x12345678, 0xfffffffe, 0x80000001, 7 }, { 0xfffe7fff, 0x00078000, 3, 4 } },
	{ "shrunk with unsigned saturation", VEC(0x7b, 2, ID, ID, 0, 1, 0xff), 0, { 1, 2, 3, 4 },
	  { 0x12345678, 0xfffffffe, 0x1234, 7 }, { 0xffffffff, 0x00071234, 3, 4 } },
	{ "upper word of a product", VEC(0x58, 3, 1 | 4 << 2 | MC_XYZW << 5,
					 1 | 4 << 2 | MC_XYZW << 5, 0, 3, 0xff), 0,
	  { 0xffffffff, 0x10000, 9, 9 }, { 0xffffffff, 0x10000, 9, 9 }, { 0xfffffffe, 1, 9, 9 } },
	{ "upper word of a signed product", VEC(0x58, 3, 4 << 2 | MC_XYZW << 5,
						4 << 2 | MC_XYZW << 5, 1, 3, 0xff), 0,
	  { 0xffffffff, 0x10000, 9, 9 }, { 2, 0x10000, 9, 9 },
	  { 0xffffffff, 0x10000, 0xffffffff, 1 } },
	{ "floats shrunk", VEC(0x30, 2, ID, ID, 0, 0, 0xff), 0, { 1, 2, 3, 4 },
	  { F1, 0x477ff000, 0x33800000, NAN32 }, { 0x7c003c00, 0x7e000001, 3, 4 } },
	{ "floats shrunk towards zero", VEC(0x31, 2, ID, ID, 1, 0, 0xff), 0, { 1, 2, 3, 4 },
	  { 0x3f801fff, 0x477ff000, 0xbf801fff, INF }, { 1, 2, 0x7bff3c00, 0x7c00bc00 } },
	{ "halves widened and negated", VEC(0x30, 2, ID, 2 | 5 << 2 | MC_XYZW << 5, 2, 0, 0xff), 0,
	  { 0 }, { 0, 0, 0x40003c00, 0x7c008001 }, { M1, M2, 0x33800000, 0xff800000 } },
	{ "comparison shrunk", VEC(0x82, 2, ID, ID, 0, 2, 0xff), 0, { F1, F2, F3, F4 },
	  { F2, F1, F4, NAN32 }, { 0x0000ffff, 0x0000ffff, F3, F4 } },
	{ "dot of 4", VEC(0x3e, 2, ID, ID, 2, 0, 0x0c), 0, { F1, F2, F3, F4 }, { F1, F1, F1, M1 },
	  { F1, F2, F3, F4 } },
	{ "dot of 3, everywhere", VEC(0x3d, 2, ID, ID, 2, 0, 0xff), 0, { F1, F2, F3, F4 },
	  { F1, F1, F1, M1 }, { 0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000 } },
	{ "all equal", VEC(0xa8, 2, ID, ID, 2, 2, 0x03), 0, { 1, 2, 3, 4 }, { 1, 2, 3, 4 },
	  { 0xffffffff, 2, 3, 4 } },
	{ "all equal, one is not", VEC(0xa8, 2, ID, ID, 2, 2, 0x03), 0, { 1, 2, 3, 4 },
	  { 1, 2, 3, 5 }, { 0, 2, 3, 4 } },
	{ "any unequal", VEC(0xb1, 2, ID, ID, 2, 2, 0x30), 0, { 1, 2, 3, 4 }, { 1, 2, 3, 5 },
	  { 1, 2, 0xffffffff, 4 } },
	{ "any less, of floats with NaN", VEC(0x92, 2, ID, ID, 2, 2, 0x03), 0,
	  { F1, F2, NAN32, F4 }, { F1, F1, F4, NAN32 }, { 0, F2, NAN32, F4 } },
	{ "all unequal, of floats with NaN", VEC(0x89, 2, ID, ID, 2, 2, 0x03), 0,
	  { F1, F2, NAN32, F4 }, { F2, F1, F4, NAN32 }, { 0xffffffff, F2, NAN32, F4 } },
	{ "all equal of the first four halves", VEC(0xa8, 1, ID, ID, 2, 2, 0x11), 0,
	  { 0x00020001, 0x00040003, 0x00060005, 0x00080007 },
	  { 0x00020001, 0x00040003, 0x00060005, 0x00090007 },
	  { 0x0002ffff, 0x00040003, 0x0006ffff, 0x00080007 } },
	{ "components by number", VEC(0x7e, 2, ID, ID, 2, 2, 0xff), 0, { 5, 6, 7, 8 },
	  { 3, 0, 1, 6 }, { 8, 5, 6, 7 } },
	{ "multiply and add of x, y and the second", VEC(0x38, 2, ID, ID, 2, 0, 0x0f), 0,
	  { F2, F3, F0, F0 }, { F1, M2, 0, 0 }, { 0x40e00000, F4, F0, F0 } },
	{ "fused: the product is not rounded", VEC(0x38, 2, ID, ID, 2, 0, 0x03), 0,
	  { 0x3f800001, 0x3f800001, 0, 0 }, { 0xbf800002, 0, 0, 0 },
	  { 0x28800000, 0x3f800001, 0, 0 } },
	{ "integer immediate", VEC(0x40, 2, ID, 0, 2, 2, 0xff), 0xfffe, { 1, 2, 3, 4 }, { 0 },
	  { 0xffffffff, 0, 1, 2 } },
	{ "integer immediate of many bits", VEC(0x40, 2, ID, 0, 2, 2, 0xff), 0x5a3c,
	  { 1, 2, 3, 4 }, { 0 }, { 0x5a3d, 0x5a3e, 0x5a3f, 0x5a40 } },
	{ "float immediate", VEC(0x10, 2, ID, 0, 2, 0, 0xff), 0xc000, { F1, F2, F3, F4 }, { 0 },
	  { M1, F0, F1, F2 } },
	{ "integer immediate of 64 bits", VEC(0x40, 3, ID, 0, 2, 2, 0xff), 0xffff,
	  { 0, 1, 5, 0 }, { 0 }, { 0xffffffff, 0, 4, 0 } },
	{ "integer immediate of 8 bits", VEC(0x7b, 0, ID, 0, 2, 2, 0xff), 0x1234, { 0 }, { 0 },
	  { 0x34343434, 0x34343434, 0x34343434, 0x34343434 } },
	{ "float immediate of halves", VEC(0x10, 1, ID, 0, 2, 0, 0xff), 0x3c00,
	  { 0x40003c00, 0, 0, 0 }, { 0 }, { 0x42004000, 0x3c003c00, 0x3c003c00, 0x3c003c00 } },
};

static void body_forms(void)
{
	unsigned int i;
	uint32_t out[4];

	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		const struct body *b = &bodies[i];
		struct mc_alu a = { 0 };
		const char *error;
		struct mjob j;

		mj_new(&j);
		push(&j, 1, b->a);
		push(&j, 2, b->b);
		mc_move(&a, MC_VMUL, A, 0);
		mc_unit(&a, MC_VADD, b->imm ? mc_regs_imm(A, b->imm, 0) : mc_regs(A, B, 0),
			b->body | (b->imm ? (uint64_t)mc_vimm(b->imm) << 23 : 0));
		error = run_alu(&j, &a, out);
		tap_result(!*error && same(out, b->want), "%s: %08x %08x %08x %08x %s", b->what,
			   out[0], out[1], out[2], out[3], error);
		mj_free(&j);
	}
}

/* The same for scalar bodies. */
static const struct body scalars[] = {
	{ "scalar with a half as source", 0x40 | (0 | 3 << 3) << 8 | (4 | 2 << 3) << 14 | 2 << 26 |
	  1 << 28 | 0u << 29, 0, { 0, 0x8001ffff, 0, 0 }, { 5, 7, 0, 0 },
	  { 0xffff8008, 0x8001ffff, 0, 0 } },
	{ "scalar with a half as destination", 0x40 | (4 | 0 << 3) << 8 | (4 | 0 << 3) << 14 |
	  2 << 26 | 5u << 29, 0, { 0x12345678, 2, 3, 4 }, { 1, 0, 0, 0 },
	  { 0x12345678, 2, 0x56790003, 4 } },
	{ "scalar saturated to a half", 0x40 | (4 | 0 << 3) << 8 | (4 | 0 << 3) << 14 | 0 << 26 |
	  0u << 29, 0, { 0x12345678, 2, 3, 4 }, { 1, 0, 0, 0 }, { 0x12347fff, 2, 3, 4 } },
	{ "scalar floats of halves, negated, as half",
	  0x10 | (2 | 1 << 3) << 8 | (1 | 0 << 3) << 14 | 6u << 29, 0,
	  { 0x40000000, 0, 0, 0 }, { 0xbc00, 0, 0, 0 }, { 0x40000000, 0, 0, 0x0000bc00 } },
	{ "scalar immediate", 0x58 | (4 | 2 << 3) << 8 | 2 << 26 | 1 << 28 | 2u << 29, 0xf5a7,
	  { 3, 0, 0, 0 }, { 0 }, { 3, 0xffffe0f5, 0, 0 } },
	{ "scalar float immediate", 0x14 | (4 | 0 << 3) << 8 | 1 << 28 | 2u << 29, 0x4200,
	  { F2, 0, 0, 0 }, { 0 }, { F2, 0x40c00000, 0, 0 } },
};

static void scalar_forms(void)
{
	unsigned int i;
	uint32_t out[4];

	for (i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		const struct body *b = &scalars[i];
		struct mc_alu a = { 0 };
		const char *error;
		struct mjob j;

		mj_new(&j);
		push(&j, 1, b->a);
		push(&j, 2, b->b);
		mc_move(&a, MC_VMUL, A, 0);
		/* the product's first factor is 3 in y */
		if (b->imm == 0xf5a7)
			mj_push(&j, 1, 1, 3);
		mc_unit(&a, MC_SMUL, b->imm ? mc_regs_imm(A, b->imm, 0) : mc_regs(A, B, 0),
			b->body | (b->imm ? (uint64_t)mc_simm(b->imm) << 14 : 0));
		error = run_alu(&j, &a, out);
		tap_result(!*error && same(out, b->want), "%s: %08x %08x %08x %08x %s", b->what,
			   out[0], out[1], out[2], out[3], error);
		mj_free(&j);
	}
}

/* Functions of the table unit where the result is exact. */
static void functions(void)
{
	static const struct { uint8_t op; uint32_t in, want; } f[] = {
		{ 0xf0, F4, 0x3e800000 }, { 0xf0, 0x80000000, 0xff800000 }, { 0xf0, INF, F0 },
		{ 0xf2, F4, 0x3f000000 }, { 0xf2, M1, NAN32 }, { 0xf2, F0, INF },
		{ 0xf3, F4, F2 }, { 0xf3, M1, NAN32 }, { 0xf3, 0x80000000, 0x80000000 },
		{ 0xf4, F3, 0x41000000 }, { 0xf4, 0xff800000, F0 }, { 0xf4, 0x43000000, INF },
		{ 0xf5, F4, F2 }, { 0xf5, F0, 0xff800000 }, { 0xf5, M1, NAN32 },
		{ 0xf6, 0x3f000000, F1 }, { 0xf6, 0xbf000000, M1 }, { 0xf6, F3, F0 },
		{ 0xf6, 0x3fc00000, M1 }, { 0xf6, INF, NAN32 }, { 0xf7, F1, M1 }, { 0xf7, F0, F1 },
		{ 0xf7, 0x3f000000, F0 }, { 0xf7, 0x49800001, 0x3f6c835e },
		{ 0xf6, 0x3e800000, 0x3f3504f3 },
		{ 0xf7, 0x3e800000, 0x3f3504f3 }, { 0xf6, 0x3f2aaaab, 0x3f5db3d7 },
	};
	unsigned int i;
	uint32_t out[4];

	for (i = 0; i < sizeof(f) / sizeof(f[0]); i++) {
		struct mc_alu a = { 0 };
		const char *error;
		struct mjob j;

		mj_new(&j);
		mj_push(&j, 1, 1, f[i].in);
		mc_move(&a, MC_VMUL, A, 0);
		mc_unit(&a, MC_VLUT, mc_regs(A, MC_R24, 0),
			mc_vec(f[i].op, 2, mc_vsrc(0, 0, MC_Y), 0, 2, 0, 0x03));
		error = run_alu(&j, &a, out);
		tap_result(!*error && out[0] == f[i].want && out[1] == f[i].in,
			   "function %02x of %08x: %08x %s", f[i].op, f[i].in, out[0], error);
		mj_free(&j);
	}
}

/* The angle of a vector, as a program computes it in two steps. */
static void angles(void)
{
	static const struct { uint32_t y, x, want; } t[] = {
		{ F1, F1, 0x3f490fdb }, { M1, F1, 0xbf490fdb }, { F1, M1, 0x4016cbe4 },
		{ M1, M1, 0xc016cbe4 }, { F0, F1, F0 }, { F0, M1, 0x40490fdb },
		{ F1, F0, 0x3fc90fdb }, { M2, F0, 0xbfc90fdb }, { F0, F0, F0 },
		{ F3, F4, 0x3f24bc7d }, { F4, M2, 0x40023454 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mc_alu a = { 0 };
		uint32_t got, diff;
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		mj_push(&j, 1, 0, t[i].y);
		mj_push(&j, 2, 0, t[i].x);
		mc_start(&c);
		mc_unit(&a, MC_VLUT, mc_regs(A, B, 1),
			mc_vec(0xf9, 2, mc_vsrc(0, 0, MC_X), mc_vsrc(0, 0, MC_X), 2, 0, 0xf3));
		mc_alu(&c, &a);
		memset(&a, 0, sizeof(a));
		mc_unit(&a, MC_SMUL, mc_regs(1, 1, 2),
			mc_sca(0x14, mc_ssrc(0, true, 4), mc_ssrc(0, true, 6), 0, true, 0));
		mc_alu(&c, &a);
		memset(&a, 0, sizeof(a));
		mc_unit(&a, MC_VLUT, mc_regs(1, 2, 0),
			mc_vec(0xe8, 2, mc_vsrc(0, 0, MC_X), mc_vsrc(0, 0, MC_X), 2, 0, 0x03));
		mc_alu(&c, &a);
		mc_store(&c, 0, 0, 0);
		ok = mj_run(&j, &c);
		got = mj_r32(&j, MJ_DATA);
		diff = got > t[i].want ? got - t[i].want : t[i].want - got;
		tap_result(ok && diff <= 1, "angle of %08x, %08x: %08x, expected %08x %s", t[i].y,
			   t[i].x, got, t[i].want, j.g.error);
		mj_free(&j);
	}
}

/* Mode 1: no infinity, no NaN, but where bits are moved. */
static void float_modes(void)
{
	static const uint32_t in[4] = { INF, 0xff800000, NAN32, F1 };
	static const uint32_t sums[4] = { 0x7f7fffff, 0xff7fffff, F0, F2 };
	const uint32_t xyzw = mc_vsrc(0, 0, MC_XYZW);
	struct mc_alu a = { 0 };
	unsigned int i, mode;
	uint32_t got[4];
	struct mcode c;
	struct mjob j;
	bool ok;

	for (mode = 0; mode < 5; mode++) {
		mj_new(&j);
		j.fp_mode = mode;
		push(&j, 1, in);
		mc_start(&c);
		mc_unit(&a, MC_VMUL, mc_regs(A, A, 1),
			mc_vec(0x30, 2, xyzw, xyzw, 2, 0, 0xff));
		mc_unit(&a, MC_VADD, mc_regs(A, A, 0),
			mc_vec(0x10, 2, xyzw, xyzw, 2, 0, 0xff));
		mc_alu(&c, &a);
		mc_store(&c, 0, 0, 0);
		mc_store(&c, 1, 16, 0);
		ok = mj_run(&j, &c);
		for (i = 0; i < 4; i++) {
			got[i] = mj_r32(&j, MJ_DATA + 4 * i);
			ok = ok && mj_r32(&j, MJ_DATA + 16 + 4 * i) == in[i];
		}
		if (mode == 4)
			tap_result(!ok && j.g.unsupported, "float mode 4: %s", j.g.error);
		else
			tap_result(ok && !memcmp(got, mode == 1 ? sums : in, 12) && got[3] == F2,
				   "float mode %u: %08x %08x %08x %s", mode, got[0], got[1], got[2],
				   j.g.error);
		mj_free(&j);
	}
}

/* Values pass from the first stage to the second through r24, r25 and r31. */
static void stages(void)
{
	static const uint32_t one[4] = { 1, 2, 3, 4 }, two[4] = { 10, 20, 30, 40 };
	static const uint32_t cond[4] = { 0xffffffff, 0, 0x0000ffff, 0 };
	static const uint32_t sum[4] = { 22, 44, 66, 88 };
	static const uint32_t chosen[4] = { 1, 20, 3 & 0xffff, 40 };
	struct mc_alu a = { 0 };
	const char *error;
	uint32_t out[4];
	struct mjob j;

	mj_new(&j);
	push(&j, 1, one);
	push(&j, 2, two);
	push(&j, 3, cond);
	/* r24 = A + B, r25.w = B.x; r0 = r24 + r24, then r0.w = r25.w + r24.x */
	mc_unit(&a, MC_VMUL, mc_regs(A, B, MC_R24),
		mc_vec(0x40, 2, mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2, 2, 0xff));
	mc_unit(&a, MC_VADD, mc_regs(MC_R24, MC_R24, 0),
		mc_vec(0x40, 2, mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2, 2, 0xff));
	error = run_alu(&j, &a, out);
	tap_result(!*error && same(out, sum), "r24 from the first to the second stage %s", error);
	mc_unit(&a, MC_SADD, mc_regs(MC_R24, B, MC_R25),
		mc_sca(0x7b, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), 2, true, 6));
	mc_unit(&a, MC_SMUL, mc_regs(MC_R25, MC_R24, 0),
		mc_sca(0x40, mc_ssrc(0, true, 6), mc_ssrc(0, true, 0), 2, true, 6));
	a.body[MC_VADD] &= ~(0xffull << 40);
	a.body[MC_VADD] |= 0x3full << 40;
	error = run_alu(&j, &a, out);
	tap_result(!*error && out[0] == 22 && out[3] == 21, "r25 from scalar to scalar %s", error);
	memset(&a, 0, sizeof(a));
	mc_move(&a, MC_VMUL, C, MC_R31);
	mc_unit(&a, MC_VADD, mc_regs(A, B, 0),
		mc_vec(0xc0, 2, mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2, 2, 0xff));
	error = run_alu(&j, &a, out);
	tap_result(!*error && same(out, chosen), "select bit by bit: %u %u %u %u %s", out[0],
		   out[1], out[2], out[3], error);
	a.body[MC_VADD] |= 1;
	mj_push(&j, 3, 3, 0x100);
	error = run_alu(&j, &a, out);
	tap_result(!*error && same(out, one), "select by r31.w: %u %u %u %u %s", out[0], out[1],
		   out[2], out[3], error);
	a.has[MC_VMUL] = false;
	error = run_alu(&j, &a, out);
	tap_result(strstr(error, "condition"), "select without condition: %s", error);
	mj_free(&j);
}

/* Units of one stage do not see each other's results. */
static void parallel(void)
{
	static const uint32_t one[4] = { 1, 2, 3, 4 }, two[4] = { 10, 20, 30, 40 };
	struct mc_alu a = { 0 };
	struct mcode c;
	struct mjob j;

	mj_new(&j);
	push(&j, 1, one);
	push(&j, 2, two);
	mc_start(&c);
	mc_move(&a, MC_VMUL, A, 0);
	mc_alu(&c, &a);
	/* r0 = B and r1.x = the old r0.x, at once; then the same in the second stage */
	memset(&a, 0, sizeof(a));
	mc_move(&a, MC_VMUL, B, 0);
	mc_unit(&a, MC_SADD, mc_regs(MC_R24, 0, 1),
		mc_sca(0x7b, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), 2, true, 0));
	mc_unit(&a, MC_SMUL, mc_regs(MC_R24, 0, 1),
		mc_sca(0x7b, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), 2, true, 2));
	mc_unit(&a, MC_VLUT, mc_regs(MC_R24, A, 0),
		mc_vec(0x7b, 2, 0, mc_vsrc(0, 0, MC_XYZW), 2, 2, 0xff));
	mc_alu(&c, &a);
	mc_store(&c, 0, 0, 0);
	mc_store(&c, 1, 16, 0);
	tap_result(mj_run(&j, &c) && mj_r32(&j, MJ_DATA) == 1 && mj_r32(&j, MJ_DATA + 16) == 1 &&
		   mj_r32(&j, MJ_DATA + 20) == 10, "units of a stage at once: %u %u %u %s",
		   mj_r32(&j, MJ_DATA), mj_r32(&j, MJ_DATA + 16), mj_r32(&j, MJ_DATA + 20),
		   j.g.error);
	mj_free(&j);
}

static void constants(void)
{
	static const uint32_t want[4] = { 5, 6, 7, 8 };
	struct mc_alu a = { .has_constants = true, .constants = { 5, 6, 7, 8 } };
	const char *error;
	uint32_t out[4];
	struct mjob j;

	mj_new(&j);
	mc_move(&a, MC_VMUL, MC_CONST, 0);
	error = run_alu(&j, &a, out);
	tap_result(!*error && same(out, want), "constants %s", error);
	a.has_constants = false;
	error = run_alu(&j, &a, out);
	tap_result(strstr(error, "r26"), "constants that are not there: %s", error);
	mj_free(&j);
}

/* Programs that are refused. */
static void refused(void)
{
	static const struct { const char *what; uint64_t body; } bad[] = {
		{ "unknown operation", VEC(0x43, 2, ID, ID, 2, 2, 0xff) },
		{ "powers' first part", VEC(0xec, 2, ID, ID, 2, 0, 0xff) },
		{ "floats of 8 bits", VEC(0x10, 0, ID, ID, 2, 0, 0xff) },
		{ "half an element in the mask", VEC(0x40, 2, ID, ID, 2, 2, 0x7f) },
		{ "source mode", VEC(0x40, 2, ID, ID | 1 << 2, 2, 2, 0xff) },
		{ "shrink 3", VEC(0x40, 2, ID, ID, 3, 2, 0xff) },
		{ "shrink of bytes", VEC(0x40, 0, ID, ID, 0, 2, 0xff) },
		{ "saturation of whole integers", VEC(0x40, 2, ID, ID, 2, 0, 0xff) },
		{ "dot of doubles", VEC(0x3e, 3, ID, ID, 2, 0, 0xff) },
	};
	unsigned int i;
	uint32_t out[4];

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct mc_alu a = { 0 };
		const char *error;
		struct mjob j;

		mj_new(&j);
		mc_unit(&a, MC_VMUL, mc_regs(A, B, 0), bad[i].body);
		error = run_alu(&j, &a, out);
		tap_result(*error && j.g.unsupported, "refused: %s: %s", bad[i].what, error);
		mj_free(&j);
	}
	for (i = 0; i < 3; i++) {
		static const uint8_t regs[3][2] = { { 8, 0 }, { 19, 0 }, { A, 10 } };
		struct mc_alu a = { 0 };
		const char *error;
		struct mjob j;

		mj_new(&j);
		j.work = 8;
		mc_move(&a, MC_VMUL, regs[i][0], regs[i][1]);
		error = run_alu(&j, &a, out);
		tap_result(*error && !j.g.unsupported, "refused: r%u to r%u: %s", regs[i][0],
			   regs[i][1], error);
		mj_free(&j);
	}
}

int main(void)
{
	tap_start();
	operations();
	source_modes();
	body_forms();
	scalar_forms();
	functions();
	angles();
	float_modes();
	stages();
	parallel();
	constants();
	refused();
	return tap_done();
}
