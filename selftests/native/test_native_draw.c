// SPDX-License-Identifier: GPL-2.0
/*
 * Draws without a geometry stage: attributes, indices, output map, primitive assembly,
 * immediate mode.
 */
#include <string.h>

#include "../include/tap.h"
#include "run.h"

static void draw_arrays(uint32_t count)
{
	cb_write(&CB, R_NUMVERTS, count);
	cb_write(&CB, R_DRAW_ARRAYS, 1);
}

static void topology(uint32_t t)
{
	cb_mask(&CB, R_PRIM_CONFIG, 2, t << 8);
}

/* Colour is clamped, the other outputs equal the inputs. */
static bool vec_is(unsigned int d, unsigned int v, unsigned int sem, const float *f, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (nat_f(&N, d, v, sem + i) != f[i]) {
			tap_comment("draw %u vertex %u semantic %u: %g, not %g", d, v, sem + i,
				    (double)nat_f(&N, d, v, sem + i), (double)f[i]);
			return false;
		}
	}
	return true;
}

/* ---- attribute formats ---- */

/* Value of a component stored at @p, type as in the format register. */
static float stored(uint32_t type, const uint8_t *p)
{
	int16_t s;
	float f;

	switch (type) {
	case 0:
		return (int8_t)*p;
	case 1:
		return *p;
	case 2:
		memcpy(&s, p, 2);
		return s;
	default:
		memcpy(&f, p, 4);
		return f;
	}
}

static void format_case(uint32_t type, uint32_t size)
{
	static const uint32_t width[] = { 1, 1, 2, 4 };
	uint32_t stride = width[type] * (size + 1);
	float want[4];
	bool ok;
	int v, c;

	cb_reset(&CB);
	nat_passthrough(1);
	nat_outmap(1);
	cb_write(&CB, R_ATTR_LOC, NAT_MEM_VA >> 3);
	cb_write(&CB, R_ATTR_FMT_LOW, type | size << 2);
	cb_write(&CB, R_ATTR_FMT_HIGH, 0);
	cb_write(&CB, R_ATTR_BUF0, 0x40);
	cb_write(&CB, R_ATTR_BUF0 + 1, 0);
	cb_write(&CB, R_ATTR_BUF0 + 2, 1u << 28 | stride << 16);
	draw_arrays(3);
	for (v = 0; v < 64; v++) {
		float f = (v - 20) * 1.5f;

		/* Bytes that are valid as every type. */
		if (type == 3)
			memcpy(N.mem + 0x40 + 4 * v, &f, 4);
		else
			N.mem[0x40 + v] = 0x70 + 0x37 * v;
	}
	ok = nat_run(&N, &CB) && N.ndraws == 1;
	for (v = 0; v < 3 && ok; v++) {
		for (c = 0; c < 4; c++) {
			want[c] = c == 3 ? 1.0f : 0.0f;
			if (c <= (int)size)
				want[c] = stored(type, N.mem + 0x40 + v * stride +
						 c * width[type]);
		}
		ok = vec_is(0, v, 0, want, 4);
	}
	tap_result(ok, "[%s] attribute type %u with %u components", nat_simd(), type, size + 1);
}

static void test_formats(void)
{
	uint32_t type, size;

	for (type = 0; type < 4; type++) {
		for (size = 0; size < 4; size++)
			format_case(type, size);
	}
}

/* Interleaved buffer with padding and alignment, a second buffer, a fixed attribute. */
static void test_buffers(void)
{
	static const float fixed[4] = { 0.5f, -8.0f, 2.0f, 4.0f };
	float want[4];
	bool ok;
	int v;

	nat_passthrough(4);
	nat_outmap(4);
	/* a0: u8 x 3, a1: s16 x 2, a2: fixed, a3: f32 x 4 */
	cb_write(&CB, R_ATTR_LOC, NAT_MEM_VA >> 3);
	cb_write(&CB, R_ATTR_FMT_LOW, 0x9 | 0x6 << 4 | 0xf << 8 | 0xfu << 12);
	cb_write(&CB, R_ATTR_FMT_HIGH, 3u << 28 | 1u << 18);
	/*
	 * Buffer 5: u8 x 3 at 0, 8 bytes of padding aligned to 4 at 4, then a1 at 12;
	 * 16 bytes per vertex.
	 */
	cb_write(&CB, R_ATTR_BUF0 + 15, 0x100);
	cb_write(&CB, R_ATTR_BUF0 + 16, 0x1d0);
	cb_write(&CB, R_ATTR_BUF0 + 17, 3u << 28 | 16 << 16);
	/* Buffer 11: a3 alone, 24 bytes per vertex. */
	cb_write(&CB, R_ATTR_BUF0 + 33, 0x1000);
	cb_write(&CB, R_ATTR_BUF0 + 34, 3);
	cb_write(&CB, R_ATTR_BUF0 + 35, 1u << 28 | 24 << 16);
	cb_fixed(&CB, 2, fixed);
	cb_write(&CB, R_VERTEX_OFFSET, 2);
	draw_arrays(3);
	for (v = 0; v < 5; v++) {
		int16_t s[2] = { -300 - v, 7000 + v };
		float f[4] = { v, v + 0.5f, v + 0.25f, v + 0.125f };

		N.mem[0x100 + 16 * v] = 200 + v;
		N.mem[0x101 + 16 * v] = 10 + v;
		N.mem[0x102 + 16 * v] = v;
		memset(N.mem + 0x103 + 16 * v, 0xee, 9);
		memcpy(N.mem + 0x10c + 16 * v, s, 4);
		nat_put_floats(0x1000 + 24 * v, f, 4);
	}
	ok = nat_run(&N, &CB) && N.ndraws == 1;
	for (v = 0; v < 3 && ok; v++) {
		want[0] = 202 + v;
		want[1] = 12 + v;
		want[2] = 2 + v;
		want[3] = 1;
		ok = vec_is(0, v, 0, want, 4) && vec_is(0, v, 18, fixed, 3);
		/* Colour: absolute, at most 1; the attribute is (-302 .., 7002 .., 0, 1). */
		want[0] = 1;
		want[1] = 1;
		want[2] = 0;
		want[3] = 1;
		ok = ok && vec_is(0, v, 8, want, 4);
		want[0] = v + 2;
		want[1] = v + 2.5f;
		want[2] = v + 2.25f;
		want[3] = v + 2.125f;
		ok = ok && vec_is(0, v, 12, want, 4);
	}
	tap_result(ok, "[%s] two buffers, padding, a fixed attribute, first vertex", nat_simd());
}

/* Twelve components in one buffer: both halves of the component list. */
static void test_many_components(void)
{
	uint32_t code[5], desc[1] = { DESC_XYZW };
	float want[4];
	bool ok;
	int v, a;

	nat_passthrough(12);
	nat_outmap(4);
	for (a = 0; a < 4; a++)
		code[a] = op_mov(O(a), V(8 + a));
	code[4] = OP_END;
	cb_code(&CB, R_VSH, code, 5);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_write(&CB, R_VSH + SH_OUTMASK, 0xf);
	cb_write(&CB, R_ATTR_LOC, NAT_MEM_VA >> 3);
	/* All u8 with two components; 24 bytes per vertex. */
	cb_write(&CB, R_ATTR_FMT_LOW, 0x55555555);
	cb_write(&CB, R_ATTR_FMT_HIGH, 0xb0005555);
	cb_write(&CB, R_ATTR_BUF0, 0);
	cb_write(&CB, R_ATTR_BUF0 + 1, 0x76543210);
	cb_write(&CB, R_ATTR_BUF0 + 2, 12u << 28 | 24 << 16 | 0xba98);
	draw_arrays(3);
	for (v = 0; v < 72; v++)
		N.mem[v] = v;
	ok = nat_run(&N, &CB);
	for (v = 0; v < 3 && ok; v++) {
		want[0] = 24 * v + 16;
		want[1] = 24 * v + 17;
		want[2] = 0;
		want[3] = 1;
		ok = vec_is(0, v, 0, want, 4);
		want[0] = 24 * v + 20;
		want[1] = 24 * v + 21;
		ok = ok && vec_is(0, v, 18, want, 3);
		want[0] = 24 * v + 22;
		want[1] = 24 * v + 23;
		ok = ok && vec_is(0, v, 12, want, 4);
	}
	tap_result(ok, "[%s] twelve components in a buffer", nat_simd());
}

static void test_permutation(void)
{
	static const float f[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	static const float fixed[4] = { 64, 32, 16, 8 };
	static const float zero[4];

	nat_passthrough(4);
	nat_outmap(4);
	nat_float_arrays(3);
	nat_put_floats(0, f, 12);
	cb_write(&CB, R_ATTR_BUF0 + 2, 3u << 28);	/* the same for every vertex */
	cb_fixed(&CB, 3, fixed);
	/* a0 -> v2, a1 -> v0, a2 -> v3, a3 -> v3: the later wins; v1 gets nothing. */
	cb_write(&CB, R_VSH + SH_PERM, 0x00003302);
	draw_arrays(3);
	tap_result(nat_run(&N, &CB) && vec_is(0, 0, 0, f + 4, 4) && vec_is(0, 1, 18, f, 3) &&
		   vec_is(0, 2, 12, fixed, 4) && vec_is(0, 2, 8, zero, 4),
		   "[%s] attribute permutation", nat_simd());
	/* Only two attributes reach the unit. */
	cb_reset(&CB);
	cb_write(&CB, R_VSH + SH_INPUTS, 0xa0000001);
	draw_arrays(3);
	tap_result(nat_run(&N, &CB) && vec_is(0, 0, 0, f + 4, 4) && vec_is(0, 0, 12, zero, 4),
		   "[%s] number of attributes of the unit", nat_simd());
}

static void test_fixed(void)
{
	static const float a[4] = { 1, -2, 0.5f, 4096 }, b[4] = { 9, 8, 7, 6 };
	static const float f[4] = { 3, 3, 3, 3 };
	uint32_t w[7];

	nat_passthrough(3);
	nat_outmap(3);
	nat_float_arrays(1);
	cb_write(&CB, R_ATTR_BUF0 + 2, 1u << 28);
	nat_put_floats(0, f, 4);
	/* A buffer overrides the mask of fixed attributes; a0 comes from the buffer. */
	cb_write(&CB, R_ATTR_FMT_HIGH, 2u << 28 | 7u << 16);
	/* Two writes to one index: it increments. */
	w[0] = 1;
	cb_pack24(a, w + 1);
	cb_pack24(b, w + 4);
	cb_burst(&CB, R_FIXED_INDEX, w, 4, true);
	cb_burst(&CB, R_FIXED_DATA, w + 4, 3, false);
	draw_arrays(3);
	tap_result(nat_run(&N, &CB) && vec_is(0, 0, 0, f, 4) && vec_is(0, 2, 18, b, 3) &&
		   nat_f(&N, 0, 1, 9) == 1 && nat_f(&N, 0, 1, 10) == 0.5f,
		   "[%s] fixed attributes", nat_simd());
}

/* ---- indices ---- */

static void index_case(bool wide)
{
	static const uint16_t idx[9] = { 2, 0, 1, 1, 1, 2, 200, 3, 0 };
	bool ok;
	int i;

	cb_reset(&CB);
	nat_passthrough(1);
	nat_outmap(1);
	nat_float_arrays(1);
	for (i = 0; i < 256; i++) {
		float f[4] = { i, -i, 2 * i, 1 };

		nat_put_floats(16 * i, f, 4);
	}
	for (i = 0; i < 9; i++) {
		if (wide)
			memcpy(N.mem + 0x8000 + 2 * i, &idx[i], 2);
		else
			N.mem[0x8001 + i] = idx[i];
	}
	cb_write(&CB, R_INDEX, wide ? 0x80008000 : 0x8001);
	/* Must not count with indices. */
	cb_write(&CB, R_VERTEX_OFFSET, 100);
	cb_write(&CB, R_NUMVERTS, 9);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	ok = nat_run(&N, &CB) && N.ndraws == 1 && N.draw[0].flags == 2 &&
	     N.draw[0].vertices == 9;
	for (i = 0; i < 9 && ok; i++)
		ok = nat_f(&N, 0, i, 0) == idx[i] && nat_f(&N, 0, i, 1) == -(float)idx[i];
	tap_result(ok, "[%s] %u-bit indices", nat_simd(), wide ? 16 : 8);
}

static void test_indices(void)
{
	index_case(false);
	index_case(true);
}

/* ---- output map ---- */

static void test_outmask(void)
{
	uint32_t code[8], desc[1] = { DESC_XYZW };
	static const float row[4][4] = {
		{ 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { -0.5f, 0.25f, -3, 0 }, { 13, 14, 15, 16 },
	};
	int i;

	for (i = 0; i < 4; i++)
		cb_uniform24(&CB, R_VSH, i, row[i]);
	code[0] = op_mov(O(1), C(0));
	code[1] = op_mov(O(4), C(1));
	code[2] = op_mov(O(9), C(2));
	code[3] = op_mov(O(15), C(3));
	code[4] = OP_END;
	cb_code(&CB, R_VSH, code, 5);
	cb_desc(&CB, R_VSH, desc, 1);
	/* o1, o9, o15 are packed to 0, 1, 2. */
	cb_write(&CB, R_VSH + SH_OUTMASK, 1 << 1 | 1 << 9 | 1 << 15);
	/* wzyx of the first to the position, colour, texcoord 0 w, 1 and 2. */
	cb_write(&CB, R_OUTMAP0, 0x00010203);
	cb_write(&CB, R_OUTMAP0 + 1, 0x0b0a0908);
	cb_write(&CB, R_OUTMAP0 + 2, 0x16100f0e);
	cb_write(&CB, R_OUTMAP_TOTAL, 3);
	draw_arrays(3);
	cb_write(&CB, R_OUTMAP_TOTAL, 2);
	draw_arrays(3);
	/* A fourth is mapped but no fourth output is enabled. */
	cb_write(&CB, R_OUTMAP_TOTAL, 4);
	cb_write(&CB, R_OUTMAP0 + 3, 0x1f1f1312);
	draw_arrays(3);
	tap_result(nat_run(&N, &CB) && N.ndraws == 3, "[%s] three output maps", nat_simd());
	tap_result(nat_f(&N, 0, 0, 0) == 4 && nat_f(&N, 0, 0, 1) == 3 &&
		   nat_f(&N, 0, 0, 2) == 2 && nat_f(&N, 0, 0, 3) == 1,
		   "[%s] components in any order", nat_simd());
	tap_result(nat_f(&N, 0, 1, 8) == 0.5f && nat_f(&N, 0, 1, 9) == 0.25f &&
		   nat_f(&N, 0, 1, 10) == 1 && nat_f(&N, 0, 1, 11) == 0,
		   "[%s] colour is absolute and at most 1", nat_simd());
	tap_result(nat_f(&N, 0, 2, 14) == 13 && nat_f(&N, 0, 2, 15) == 14 &&
		   nat_f(&N, 0, 2, 16) == 15 && nat_f(&N, 0, 2, 22) == 16,
		   "[%s] texture coordinates", nat_simd());
	tap_result(nat_f(&N, 0, 0, 4) == 1 && nat_f(&N, 0, 0, 7) == 1 &&
		   nat_f(&N, 0, 0, 12) == 1 && nat_f(&N, 0, 0, 18) == 1 &&
		   nat_f(&N, 0, 0, 23) == 1 && nat_f(&N, 1, 0, 14) == 1,
		   "[%s] what is not mapped is 1", nat_simd());
	tap_result(N.draw[0].v[0][17] == 0 && N.draw[0].v[0][21] == 0,
		   "[%s] unused words are 0", nat_simd());
	tap_result(nat_f(&N, 2, 0, 18) == 0 && nat_f(&N, 2, 0, 19) == 0 &&
		   nat_f(&N, 2, 0, 20) == 1,
		   "[%s] mapped but not enabled is 0", nat_simd());
}

static void test_colour_special(void)
{
	static const uint32_t in[4] = { 0x7fc00000, 0xff800000, 0x80000000, 0xbf800000 };
	uint32_t code[2] = { op_mov(O(0), V(0)), OP_END }, desc[1] = { DESC_XYZW };

	cb_code(&CB, R_VSH, code, 2);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_write(&CB, R_VSH + SH_OUTMASK, 1);
	cb_write(&CB, R_OUTMAP0, 0x0b0a0908);
	cb_write(&CB, R_OUTMAP_TOTAL, 1);
	nat_float_arrays(1);
	memcpy(N.mem, in, 16);
	cb_write(&CB, R_ATTR_BUF0 + 2, 1u << 28);
	draw_arrays(3);
	N.model = 1;
	tap_result(nat_run(&N, &CB) && nat_f(&N, 0, 0, 8) == 1 && nat_f(&N, 0, 0, 9) == 1 &&
		   N.draw[0].v[0][10] == 0 && nat_f(&N, 0, 0, 11) == 1,
		   "[%s] colours NaN, infinity, -0, -1", nat_simd());
}

/* ---- primitive assembly ---- */

/* Vertices numbered from 1 in x, in memory from vertex 0 on. */
static void numbered(void)
{
	int i;

	nat_passthrough(1);
	nat_outmap(1);
	nat_float_arrays(1);
	for (i = 0; i < 1000; i++) {
		float f[4] = { i + 1, 0, 0, 1 };

		nat_put_floats(16 * i, f, 4);
	}
}

static bool numbers(unsigned int d, const int *want, unsigned int n)
{
	unsigned int i;

	if (d >= N.ndraws || N.draw[d].vertices != n) {
		tap_comment("draw %u of %u: %u vertices, not %u", d, N.ndraws,
			    d < N.ndraws ? N.draw[d].vertices : 0, n);
		return false;
	}
	for (i = 0; i < n; i++) {
		if (nat_f(&N, d, i, 0) != want[i]) {
			tap_comment("vertex %u is %g, not %d", i, (double)nat_f(&N, d, i, 0),
				    want[i]);
			return false;
		}
	}
	return true;
}

#define NUMBERS(d, ...) ({						\
	static const int w_[] = { __VA_ARGS__ };			\
	numbers(d, w_, ARRAY_SIZE(w_)); })

static void test_topologies(void)
{
	numbered();
	topology(0);
	draw_arrays(6);
	topology(1);
	draw_arrays(6);
	topology(2);
	draw_arrays(6);
	topology(3);
	draw_arrays(3);
	topology(0);
	draw_arrays(2);
	topology(1);
	draw_arrays(2);
	topology(2);
	draw_arrays(0);
	tap_result(nat_run(&N, &CB) && N.ndraws == 7, "[%s] seven draws", nat_simd());
	tap_result(NUMBERS(0, 1, 2, 3, 4, 5, 6) && N.draw[0].topology == 0, "[%s] list",
		   nat_simd());
	/* Each triangle keeps the winding of the first. */
	tap_result(NUMBERS(1, 1, 2, 3, 3, 2, 4, 3, 4, 5, 5, 4, 6) && N.draw[1].topology == 1,
		   "[%s] strip", nat_simd());
	tap_result(NUMBERS(2, 1, 2, 3, 1, 3, 4, 1, 4, 5, 1, 5, 6) && N.draw[2].topology == 2,
		   "[%s] fan", nat_simd());
	tap_result(NUMBERS(3, 1, 2, 3) && N.draw[3].topology == 3, "[%s] shader topology",
		   nat_simd());
	tap_result(N.draw[4].vertices == 0 && N.draw[5].vertices == 0 &&
		   N.draw[6].vertices == 0 && N.draw[5].input_vertices == 2 &&
		   N.draw[6].size == 32, "[%s] draws without a triangle", nat_simd());
}

static void test_carry_over(void)
{
	numbered();
	topology(0);
	draw_arrays(4);
	cb_write(&CB, R_VERTEX_OFFSET, 10);
	draw_arrays(2);		/* completes the list's second triangle */
	draw_arrays(1);
	cb_write(&CB, R_PRIM_RESTART, 1);
	draw_arrays(3);		/* starts anew */
	topology(1);
	draw_arrays(2);
	cb_write(&CB, R_VERTEX_OFFSET, 20);
	draw_arrays(2);		/* the strip continues */
	cb_write(&CB, R_PRIM_RESTART, 0);
	draw_arrays(1);
	cb_write(&CB, R_PRIM_RESTART, 1);
	draw_arrays(2);
	tap_result(nat_run(&N, &CB) && N.ndraws == 8 && NUMBERS(0, 1, 2, 3) &&
		   NUMBERS(1, 4, 11, 12) && N.draw[2].vertices == 0 && NUMBERS(3, 11, 12, 13),
		   "[%s] lists across draws, restart", nat_simd());
	tap_result(N.draw[4].vertices == 0 && NUMBERS(5, 11, 12, 21, 21, 12, 22) &&
		   NUMBERS(6, 21, 22, 21) && N.draw[7].vertices == 0,
		   "[%s] strips across draws, restart", nat_simd());
}

/* More vertices than fit into the scratch memory of a pass. */
static void test_big_draw(void)
{
	const uint32_t n = 3 * 16384 + 99;
	uint32_t i, bad = 0;

	nat_passthrough(1);
	nat_outmap(1);
	nat_float_arrays(1);
	cb_write(&CB, R_INDEX, 0x80200000);
	for (i = 0; i < n; i++) {
		float f[4] = { i, i % 7, 0, 1 };
		uint16_t idx = n - 1 - i;

		nat_put_floats(16 * i, f, 4);
		memcpy(N.mem + 0x200000 + 2 * i, &idx, 2);
	}
	topology(0);
	draw_arrays(n);
	cb_write(&CB, R_NUMVERTS, n);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	tap_result(nat_run(&N, &CB) && N.ndraws == 2 && N.draw[0].vertices == n &&
		   N.draw[1].vertices == n, "[%s] draws of %u vertices", nat_simd(), n);
	for (i = 0; i < n && N.ndraws == 2; i++) {
		bad += nat_f(&N, 0, i, 0) != (float)i || nat_f(&N, 0, i, 1) != (float)(i % 7);
		bad += nat_f(&N, 1, i, 0) != (float)(n - 1 - i);
	}
	tap_result(!bad, "[%s] their vertices", nat_simd());
}

/* ---- immediate mode ---- */

static void submit(const float *f, unsigned int vectors)
{
	uint32_t w[3];
	unsigned int i;

	for (i = 0; i < vectors; i++) {
		cb_pack24(f + 4 * i, w);
		cb_burst(&CB, R_FIXED_DATA, w, 3, i & 1);
	}
}

static void test_immediate(void)
{
	static const float f[6 * 8] = {
		1, 0, 0, 1,  0.5f, 0, 0, 1,   2, 0, 0, 1,  0.25f, 0, 0, 1,
		3, 0, 0, 1,  0.125f, 0, 0, 1, 4, 0, 0, 1,  1, 0, 0, 1,
		5, 0, 0, 1,  0, 0, 0, 1,      6, 0, 0, 1,  0, 1, 0, 1,
	};
	unsigned int at;

	nat_passthrough(2);
	nat_outmap(2);
	topology(1);
	cb_write(&CB, R_FIXED_INDEX, 0xf);
	at = CB.n;
	submit(f, 8);		/* four vertices of a strip */
	cb_write(&CB, R_PRIM_RESTART, 1);
	submit(f + 32, 3);	/* one vertex and a half */
	cb_write(&CB, R_FIXED_INDEX, 0xf);
	submit(f, 6);		/* the half was dropped; three vertices */
	tap_result(nat_run(&N, &CB) && N.ndraws == 3, "[%s] immediate vertices make draws",
		   nat_simd());
	tap_result(NUMBERS(0, 1, 2, 3, 3, 2, 4) && nat_f(&N, 0, 1, 8) == 0.25f &&
		   N.draw[0].input_vertices == 4 && N.draw[0].flags == 0,
		   "[%s] immediate strip", nat_simd());
	tap_result(N.draw[1].vertices == 0 && N.draw[1].input_vertices == 1 &&
		   NUMBERS(2, 5, 1, 2, 2, 1, 3), "[%s] strip goes on, half a vertex does not",
		   nat_simd());
	/* The first vertex is complete with the last word of its second command. */
	tap_result(N.draw[0].list_offset == 4 * (at + 4), "[%s] place of an immediate draw",
		   nat_simd());
}

static void test_immediate_state(void)
{
	static const float f[4] = { 1, 2, 3, 4 };
	static const float a[4] = { 1, 1, 1, 1 }, b[4] = { 2, 2, 2, 2 };
	uint32_t code[3], desc[1] = { DESC_XYZW };

	nat_passthrough(1);
	nat_outmap(1);
	code[0] = op_add(O(0), C(0), V(0));
	code[1] = OP_END;
	cb_code(&CB, R_VSH, code, 2);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_uniform24(&CB, R_VSH, 0, a);
	cb_write(&CB, R_FIXED_INDEX, 0xf);
	submit(f, 1);
	submit(f, 1);
	submit(f, 1);
	/* Vertices keep the uniforms that they were submitted with. */
	cb_uniform24(&CB, R_VSH, 0, b);
	submit(f, 1);
	submit(f, 1);
	submit(f, 1);
	tap_result(nat_run(&N, &CB) && N.ndraws == 2 && NUMBERS(0, 2, 2, 2) &&
		   NUMBERS(1, 3, 3, 3), "[%s] immediate vertices and changing uniforms",
		   nat_simd());
}

static const nat_test tests[] = {
	test_formats, test_buffers, test_many_components, test_permutation, test_fixed,
	test_indices, test_outmask, test_colour_special, test_topologies, test_carry_over,
	test_big_draw, test_immediate, test_immediate_state,
};

int main(void)
{
	nat_all(tests, ARRAY_SIZE(tests));
	return tap_done();
}
