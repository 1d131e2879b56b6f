// SPDX-License-Identifier: GPL-2.0
/*
 * Draws with a geometry stage: its three input modes, its persistent state, its output to
 * primitive assembly.
 */
#include <string.h>

#include "../include/tap.h"
#include "run.h"
#include "../../kernel/isa/pica/pica_launch.h"
#include "../../kernel/native/pica/pica_cl.h"

#define POINT		0u
#define VARIABLE	1u
#define FIXED(n, stride, start)	(2u | ((n) - 1) << 8 | ((stride) - 1) << 12 | (start) << 16)

static void draw_arrays(uint32_t count)
{
	cb_write(&CB, R_NUMVERTS, count);
	cb_write(&CB, R_DRAW_ARRAYS, 1);
}

static void topology(uint32_t t)
{
	cb_mask(&CB, R_PRIM_CONFIG, 2, t << 8);
}

/* Vertex i is (i, -i, i / 2, 1) and, if there are two, (i / 4, 0, 0, 1). */
static void vertices(unsigned int vectors, unsigned int n)
{
	unsigned int i;

	nat_passthrough(vectors);
	nat_float_arrays(vectors);
	for (i = 0; i < n; i++) {
		float f[8] = { i, -(float)i, i / 2.0f, 1, i / 4.0f, 0, 0, 1 };

		nat_put_floats(16 * vectors * i, f, 4 * vectors);
	}
}

static void geometry(const uint32_t *code, unsigned int n, uint32_t mode, uint32_t inputs,
		     uint32_t outmask)
{
	static const uint32_t desc[1] = { DESC_XYZW };
	bool variable = (mode & 0xff) == VARIABLE;

	cb_write(&CB, R_GEOSTAGE, 2 | (uint32_t)variable << 31);
	cb_write(&CB, R_COM_MODE, 1);
	cb_write(&CB, R_GSH_MISC0, mode);
	cb_code(&CB, R_GSH, code, n);
	cb_desc(&CB, R_GSH, desc, 1);
	cb_write(&CB, R_GSH + SH_ENTRY, 0x7fff0000);
	cb_write(&CB, R_GSH + SH_INPUTS,
		 0x08000000 | ((mode & 0xff) != POINT) << 8 | (inputs - 1));
	cb_write(&CB, R_GSH + SH_PERM, 0x76543210);
	cb_write(&CB, R_GSH + SH_PERM + 1, 0xfedcba98);
	cb_write(&CB, R_GSH + SH_OUTMASK, outmask);
	topology(3);
}

/* Code that emits a triangle of (o0, o1) pairs from six source registers. */
static unsigned int emit_triangle(uint32_t *code, const uint32_t src[6], bool invert)
{
	unsigned int n = 0, v;

	for (v = 0; v < 3; v++) {
		code[n++] = op_setemit(v, v == 2, v == 2 && invert);
		code[n++] = op_mov(O(0), src[2 * v]);
		code[n++] = op_mov(O(1), src[2 * v + 1]);
		code[n++] = OP_EMIT;
	}
	code[n++] = OP_END;
	return n;
}

static bool x_is(unsigned int d, const float *want, unsigned int n)
{
	unsigned int i;

	if (d >= N.ndraws || N.draw[d].vertices != n) {
		tap_comment("draw %u of %u: %u vertices, not %u", d, N.ndraws,
			    d < N.ndraws ? N.draw[d].vertices : 0, n);
		return false;
	}
	for (i = 0; i < n; i++) {
		if (nat_f(&N, d, i, 0) != want[i]) {
			tap_comment("draw %u vertex %u is %g, not %g", d, i,
				    (double)nat_f(&N, d, i, 0), (double)want[i]);
			return false;
		}
	}
	return true;
}

#define X_IS(d, ...) ({							\
	static const float w_[] = { __VA_ARGS__ };			\
	x_is(d, w_, ARRAY_SIZE(w_)); })

static bool run(void)
{
	bool ok = nat_run(&N, &CB);

	if (!ok)
		tap_comment("ret %d fault %u code %u pc %u info %x address %llx", N.ret,
			    N.fault.kind, N.fault.code, N.fault.pc, N.fault.info,
			    (unsigned long long)N.fault.address);
	return ok;
}

static void test_point(void)
{
	static const uint32_t src[6] = { V(0), V(1), V(2), V(3), V(4), V(5) };
	uint32_t code[32];
	unsigned int i;
	bool ok;

	vertices(2, 8);
	nat_outmap(2);
	geometry(code, emit_triangle(code, src, false), POINT, 6, 3);
	draw_arrays(8);		/* two triangles, two vertices left over */
	cb_write(&CB, R_VERTEX_OFFSET, 1);
	draw_arrays(3);		/* a draw starts to collect anew */
	ok = run() && N.ndraws == 2 && N.draw[0].flags == 1 && N.draw[0].topology == 3;
	tap_result(ok && X_IS(0, 0, 1, 2, 3, 4, 5) && N.draw[0].input_vertices == 8 &&
		   X_IS(1, 1, 2, 3), "[%s] point mode", nat_simd());
	/* the first invocations of both stages: two moves and the end; 13 instructions */
	if (N.debugged)
		tap_result(N.stops >= 3 + 13, "[%s] %u stops", nat_simd(), N.stops);
	for (i = 0; i < 6 && ok; i++)
		ok = nat_f(&N, 0, i, 1) == -(float)i && nat_f(&N, 0, i, 3) == 1 &&
		     nat_f(&N, 0, i, 8) == (i < 4 ? i / 4.0f : 1);
	tap_result(ok, "[%s] both vectors of the vertices", nat_simd());
}

static void test_point_indices(void)
{
	static const uint32_t src[6] = { V(0), V(0), V(7), V(7), V(2), V(2) };
	static const uint16_t idx[6] = { 3, 1, 2, 0, 0, 4 };
	uint32_t code[32];

	vertices(1, 8);
	nat_outmap(1);
	geometry(code, emit_triangle(code, src, false), POINT, 3, 3);
	/* The second vector is written to v7. */
	cb_write(&CB, R_GSH + SH_PERM, 0x00000270);
	memcpy(N.mem + 0x1000, idx, sizeof(idx));
	cb_write(&CB, R_INDEX, 0x80001000);
	cb_write(&CB, R_NUMVERTS, 6);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	tap_result(run() && N.draw[0].flags == 3 && X_IS(0, 3, 1, 2, 0, 0, 4),
		   "[%s] point mode with indices and a permutation", nat_simd());
}

/*
 * More vertices than are in scratch at a time, which do not end with a primitive: the first ones of
 * a primitive are kept for the next part.
 */
static void test_point_parts(void)
{
	static const uint32_t src[6] = { V(0), V(0), V(1), V(1), V(4), V(4) };
	static const unsigned int n = 3 * 16384 + 10, period = 251;
	static uint16_t idx[3 * 16384 + 10];
	static float want[3 * 10000];
	uint32_t code[32], inputs;
	unsigned int i;
	bool ok;

	for (i = 0; i < n; i++)
		idx[i] = i % period;
	vertices(1, period);
	nat_outmap(1);
	memcpy(N.mem + 0x10000, idx, sizeof(idx));
	cb_write(&CB, R_INDEX, 0x80010000);
	for (inputs = 5; inputs < 10; inputs++) {
		geometry(code, emit_triangle(code, src, false), POINT, inputs, 3);
		cb_write(&CB, R_NUMVERTS, n);
		cb_write(&CB, R_DRAW_ELEMENTS, 1);
	}
	ok = run();
	for (inputs = 5; inputs < 10; inputs++) {
		for (i = 0; i < n / inputs; i++) {
			want[3 * i] = idx[inputs * i];
			want[3 * i + 1] = idx[inputs * i + 1];
			want[3 * i + 2] = idx[inputs * i + 4];
		}
		tap_result(ok && x_is(inputs - 5, want, n / inputs * 3),
			   "[%s] point mode, %u vertices a primitive, %u in all", nat_simd(),
			   inputs, n);
	}
}

/* Missing outputs are zeros, those beyond the count do not go in. */
static void test_point_widths(void)
{
	static const uint32_t src[6] = { V(0), V(1), V(2), V(3), V(4), V(5) };
	uint32_t code[32];

	vertices(2, 8);
	nat_outmap(2);
	geometry(code, emit_triangle(code, src, false), POINT, 6, 3);
	/* Two vectors a vertex, only one is enabled. */
	cb_write(&CB, R_VSH + SH_OUTMASK, 1);
	draw_arrays(3);
	/* One vector a vertex, two are enabled; six vertices an invocation. */
	cb_write(&CB, R_VSH + SH_OUTMASK, 3);
	cb_write(&CB, R_OUTMAP_TOTAL1, 0);
	draw_arrays(7);
	tap_result(run() && X_IS(0, 0, 1, 2) && nat_f(&N, 0, 1, 8) == 0 &&
		   nat_f(&N, 0, 1, 11) == 0, "[%s] outputs that are not enabled",
		   nat_simd());
	tap_result(X_IS(1, 0, 2, 4) && nat_f(&N, 1, 0, 8) == 1 && nat_f(&N, 1, 0, 10) == 0.5f,
		   "[%s] outputs beyond the count", nat_simd());
}

static void test_winding(void)
{
	static const uint32_t src[6] = { V(0), V(0), V(1), V(1), V(2), V(2) };
	uint32_t code[32];

	vertices(1, 8);
	nat_outmap(1);
	geometry(code, emit_triangle(code, src, true), POINT, 3, 3);
	draw_arrays(6);
	topology(0);
	draw_arrays(3);
	topology(1);
	draw_arrays(6);
	topology(2);
	draw_arrays(6);
	tap_result(run() && X_IS(0, 1, 0, 2, 4, 3, 5),
		   "[%s] inverted winding in the shader topology", nat_simd());
	tap_result(X_IS(1, 0, 1, 2) &&
		   X_IS(2, 0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5) &&
		   X_IS(3, 0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5),
		   "[%s] emitted vertices in the other topologies", nat_simd());
}

/* o0 = b15 ? c1 : c0 for all three vertices. */
static unsigned int b15_code(uint32_t *code)
{
	static const uint32_t src[6] = { R(0), R(0), R(0), R(0), R(0), R(0) };

	code[0] = op_mov(R(0), C(0));
	code[1] = op_ifu(15, 4, 0);
	code[2] = op_mov(R(0), C(1));
	code[3] = OP_NOP;
	return 4 + emit_triangle(code + 4, src, false);
}

static void test_b15(void)
{
	static const float first[4] = { 100, 0, 0, 0 }, later[4] = { 200, 0, 0, 0 };
	uint32_t code[32];

	vertices(1, 8);
	nat_outmap(1);
	geometry(code, b15_code(code), POINT, 1, 3);
	cb_uniform24(&CB, R_GSH, 0, first);
	cb_uniform24(&CB, R_GSH, 1, later);
	cb_write(&CB, R_GSH + SH_BOOL, 0x7fff0000);
	draw_arrays(2);
	draw_arrays(1);
	draw_arrays(0);
	cb_mask(&CB, R_GSH + SH_BOOL, 1, 0);	/* not its byte */
	draw_arrays(1);
	cb_mask(&CB, R_GSH + SH_BOOL, 2, 0);
	draw_arrays(0);
	draw_arrays(2);
	tap_result(run() && N.ndraws == 6 && X_IS(0, 100, 100, 100, 200, 200, 200) &&
		   X_IS(1, 200, 200, 200) && N.draw[2].vertices == 0 && X_IS(3, 200, 200, 200) &&
		   N.draw[4].vertices == 0 && X_IS(5, 100, 100, 100, 200, 200, 200),
		   "[%s] b15 after an invocation", nat_simd());
	cb_reset(&CB);
	draw_arrays(1);
	tap_result(run() && X_IS(0, 200, 200, 200), "[%s] b15 in the next job", nat_simd());
}

static void test_kept_registers(void)
{
	static const uint32_t src[6] = { R(5), R(5), R(5), R(5), R(5), R(5) };
	static const float one[4] = { 1, 1, 1, 1 };
	uint32_t code[32];

	vertices(1, 8);
	nat_outmap(1);
	code[0] = op_add(R(5), C(9), R(5));
	geometry(code, 1 + emit_triangle(code + 1, src, false), POINT, 1, 3);
	cb_uniform24(&CB, R_GSH, 9, one);
	draw_arrays(3);
	cb_write(&CB, R_GEOSTAGE, 0);
	topology(0);
	draw_arrays(3);
	cb_write(&CB, R_GEOSTAGE, 2);
	topology(3);
	draw_arrays(1);
	/* Another program finds the register as it was left. */
	code[0] = OP_NOP;
	cb_code(&CB, R_GSH, code, 2);
	draw_arrays(1);
	tap_result(run() && X_IS(0, 1, 1, 1, 2, 2, 2, 3, 3, 3) && X_IS(1, 0, 1, 2) &&
		   X_IS(2, 4, 4, 4) && X_IS(3, 4, 4, 4),
		   "[%s] the unit keeps its registers from draw to draw", nat_simd());
	cb_reset(&CB);
	draw_arrays(1);
	tap_result(run() && X_IS(0, 0, 0, 0), "[%s] but not from job to job", nat_simd());
}

/* Slots and output banks, as the unit was left by the draw before. */
static void test_kept_emission(void)
{
	uint32_t code[32];
	unsigned int n = 0;

	vertices(1, 8);
	nat_outmap(1);
	/* One vertex per invocation into slot 2; the other slots keep their vertices. */
	code[n++] = op_setemit(0, false, false);
	code[n++] = op_mov(O(0), V(0));
	code[n++] = OP_EMIT;
	code[n++] = op_setemit(1, false, false);
	code[n++] = OP_EMIT;		/* the other bank: empty at first */
	code[n++] = OP_END;
	geometry(code, n, POINT, 1, 1);
	cb_write(&CB, R_VERTEX_OFFSET, 5);
	draw_arrays(1);
	n = 0;
	code[n++] = op_setemit(2, true, false);
	code[n++] = OP_EMIT;		/* first bank again */
	code[n++] = OP_END;
	cb_code(&CB, R_GSH, code, n);
	draw_arrays(2);
	tap_result(run() && N.draw[0].vertices == 0 && X_IS(1, 5, 0, 5, 5, 0, 0),
		   "[%s] slots and output banks stay from draw to draw", nat_simd());
}

static void put_indices(uint32_t offset, const uint16_t *idx, unsigned int n)
{
	memcpy(N.mem + offset, idx, 2 * n);
	cb_write(&CB, R_INDEX, 0x80000000 | offset);
	cb_write(&CB, R_NUMVERTS, n);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
}

static void test_variable(void)
{
	/* Count, then rows: p0 q0 p1 q1 p2 with two whole vertices. */
	static const uint32_t src[6] = { C(0), C(2), C(1), C(4), C(3), C(6) };
	static const uint32_t src2[6] = { C(5), C(5), C(6), C(6), C(7), C(7) };
	static const uint16_t idx[] = { 3, 4, 5, 6, 4, 1, 2, 3, 4, 2, 7, 6, 5 };
	static const float junk[4] = { -1, -1, -1, -1 };
	uint32_t code[64];
	unsigned int n;

	vertices(2, 8);
	nat_outmap(2);
	n = emit_triangle(code, src, false) - 1;
	n += emit_triangle(code + n, src2, false);
	geometry(code, n, VARIABLE, 1, 3);
	cb_write(&CB, R_GSH_MISC1, 1);
	cb_uniform24(&CB, R_GSH, 7, junk);
	put_indices(0x1000, idx, 13);
	tap_result(run() && N.ndraws == 1 && N.draw[0].flags == 3 &&
		   N.draw[0].input_vertices == 9, "[%s] variable mode", nat_simd());
	/*
	 * Three primitives of 3, 4 and 2 vertices; the draw ends inside a fourth. Rows
	 * that a primitive does not write keep the previous primitive's values.
	 */
	tap_result(X_IS(0, 3, 4, 5, 6, 0, -1,
			4, 1, 2, 3, 4, -1,
			2, 7, 6, 3, 4, -1),
		   "[%s] counts and positions in uniforms", nat_simd());
	tap_result(nat_f(&N, 0, 0, 8) == 1 && nat_f(&N, 0, 6, 8) == 0.25f &&
		   nat_f(&N, 0, 7, 8) == 0.5f && nat_f(&N, 0, 12, 8) == 1,
		   "[%s] second vectors of whole vertices", nat_simd());
}

static void test_variable_faults(void)
{
	static const uint32_t src[6] = { C(0), C(0), C(0), C(0), C(0), C(0) };
	uint16_t idx[100] = { 0, 1, 2 };
	uint32_t code[32];

	vertices(1, 100);
	nat_outmap(1);
	geometry(code, emit_triangle(code, src, false), VARIABLE, 1, 3);
	put_indices(0x1000, idx, 3);
	tap_result(!nat_run(&N, &CB) && !N.ret && N.fault.kind == VS_FAULT_COMMAND &&
		   N.fault.info == 0 && N.fault.stream == 32, "[%s] a primitive of 0 vertices",
		   nat_simd());
	idx[0] = 96;
	memcpy(N.mem + 0x1000, idx, 6);
	tap_result(!nat_run(&N, &CB) && N.fault.kind == VS_FAULT_COMMAND && N.fault.info == 96,
		   "[%s] a primitive of 96 vertices", nat_simd());
	idx[0] = 95;
	cb_write(&CB, R_NUMVERTS, 96);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	memcpy(N.mem + 0x1000, idx, 200);
	tap_result(run() && N.draw[0].vertices == 0 && X_IS(1, 95, 95, 95),
		   "[%s] a primitive of 95 vertices", nat_simd());
	cb_write(&CB, R_NUMVERTS, 1);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	tap_result(run() && N.ndraws == 3 && N.draw[2].vertices == 0 &&
		   N.draw[2].input_vertices == 0, "[%s] a lone vertex count", nat_simd());
	cb_write(&CB, R_INDEX, 0x80000000 | (NAT_MEM_SIZE - 4));
	cb_write(&CB, R_NUMVERTS, 3);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	memset(N.mem + NAT_MEM_SIZE - 4, 2, 4);
	tap_result(!nat_run(&N, &CB) && N.fault.kind == VS_FAULT_READ &&
		   N.fault.address == NAT_MEM_VA + NAT_MEM_SIZE && N.fault.draw == 3,
		   "[%s] indices beyond memory", nat_simd());
}

static void test_fixed(void)
{
	static const uint32_t src[6] = { C(20), C(21), C(22), C(23), C(24), C(25) };
	static const float keep[4] = { 50, 0, 0, 0 };
	uint32_t code[32];

	vertices(2, 8);
	nat_outmap(2);
	geometry(code, emit_triangle(code, src, false), FIXED(2, 2, 20), 1, 3);
	cb_uniform24(&CB, R_GSH, 24, keep);
	draw_arrays(5);
	tap_result(run() && X_IS(0, 0, 1, 50, 2, 3, 50) && nat_f(&N, 0, 1, 8) == 0.25f &&
		   nat_f(&N, 0, 4, 8) == 0.75f, "[%s] fixed mode", nat_simd());
	/*
	 * Vertices in uniforms persist until the host overwrites them; the last vertex of
	 * the previous draw did not complete an invocation's input.
	 */
	cb_write(&CB, R_GSH_MISC0, FIXED(1, 2, 24));
	draw_arrays(1);
	cb_uniform24(&CB, R_GSH, 20, keep);
	draw_arrays(1);
	tap_result(run() && X_IS(1, 4, 3, 0) && X_IS(2, 50, 3, 0),
		   "[%s] uniforms keep what vertices left", nat_simd());
	/* The last row there is. */
	cb_reset(&CB);
	cb_write(&CB, R_GSH_MISC0, FIXED(2, 2, 94));
	code[1] = op_mov(O(0), C(94));
	cb_code(&CB, R_GSH, code, 2);
	draw_arrays(4);
	cb_write(&CB, R_GSH_MISC0, FIXED(2, 2, 255));
	draw_arrays(2);
	tap_result(run() && nat_f(&N, 0, 0, 0) == 0 && nat_f(&N, 0, 3, 0) == 2 &&
		   N.draw[1].vertices == 3, "[%s] vertices beyond the last row are lost",
		   nat_simd());
}

static void test_mirror(void)
{
	static const uint32_t src[6] = { C(3), C(3), C(3), C(3), C(3), C(3) };
	static const float a[4] = { 11, 0, 0, 0 }, b[4] = { 22, 0, 0, 0 };
	uint32_t code[32], desc[1] = { DESC_XYZW };
	unsigned int n = emit_triangle(code, src, false);

	vertices(1, 8);
	nat_outmap(1);
	/* While the geometry stage is off, the vertex units' port reaches all units. */
	geometry(code, 1, POINT, 1, 0);
	cb_write(&CB, R_GEOSTAGE, 0);
	cb_write(&CB, R_COM_MODE, 0);
	cb_code(&CB, R_VSH, code, n);
	cb_desc(&CB, R_VSH, desc, 1);
	cb_uniform24(&CB, R_VSH, 3, a);
	cb_write(&CB, R_VSH + SH_OUTMASK, 3);
	/* In exclusive mode it does not. */
	cb_write(&CB, R_COM_MODE, 1);
	cb_uniform24(&CB, R_VSH, 3, b);
	nat_passthrough(1);
	cb_write(&CB, R_GEOSTAGE, 2);
	cb_write(&CB, R_COM_MODE, 0);
	cb_uniform24(&CB, R_VSH, 3, b);
	draw_arrays(1);
	tap_result(run() && X_IS(0, 11, 11, 11), "[%s] configuration shared between units",
		   nat_simd());
}

static void test_immediate(void)
{
	static const uint32_t src[6] = { V(0), V(0), V(1), V(1), V(2), V(2) };
	static const float f[4][4] = { { 1, 0, 0, 0 }, { 2, 0, 0, 0 }, { 3, 0, 0, 0 },
				       { 4, 0, 0, 0 } };
	uint32_t code[32], w[3];
	int i;

	vertices(1, 8);
	nat_outmap(1);
	geometry(code, emit_triangle(code, src, false), POINT, 3, 3);
	cb_write(&CB, R_FIXED_INDEX, 0xf);
	for (i = 0; i < 4; i++) {
		cb_pack24(f[i], w);
		cb_burst(&CB, R_FIXED_DATA, w, 3, false);
		if (i == 1)	/* ends the draw, not the collection */
			cb_write(&CB, R_VERTEX_OFFSET, 0);
	}
	cb_write(&CB, R_FIXED_INDEX, 0xf);
	for (i = 1; i < 4; i++) {
		cb_pack24(f[i], w);
		cb_burst(&CB, R_FIXED_DATA, w, 3, false);
	}
	tap_result(run() && N.ndraws == 3 && N.draw[0].vertices == 0 && X_IS(1, 1, 2, 3) &&
		   X_IS(2, 2, 3, 4), "[%s] immediate vertices to the geometry stage",
		   nat_simd());
}

/* Invocations and primitives that lie across the parts a draw is run in. */
static void test_big(void)
{
	static const uint32_t src[6] = { V(0), V(0), V(1), V(1), V(2), V(2) };
	static const uint32_t rows[6] = { C(0), C(0), C(1), C(1), C(5), C(5) };
	const unsigned int n = 2 * 16384 + 100, prims = 16384 / 3;
	unsigned int i, bad = 0, at = 0;
	uint32_t code[32];

	vertices(1, n);
	nat_outmap(1);
	geometry(code, emit_triangle(code, src, false), POINT, 3, 3);
	draw_arrays(n);
	tap_result(run() && N.draw[0].vertices == n / 3 * 3, "[%s] point mode, %u vertices",
		   nat_simd(), n);
	for (i = 0; i < n / 3 * 3 && N.ndraws == 1; i++)
		bad += nat_f(&N, 0, i, 0) != (float)i;
	tap_result(!bad, "[%s] their triangles", nat_simd());

	/* The first count sits at the end of a part: primitives of 5, one of 5 + 3. */
	cb_reset(&CB);
	geometry(code, emit_triangle(code, rows, false), VARIABLE, 1, 3);
	for (i = 0; i < prims; i++) {
		uint16_t p[7] = { 5, i, i + 1, i + 2, i + 3, i + 4 };

		memcpy(N.mem + 0x200000 + 2 * at, p, 12);
		at += 6;
	}
	cb_write(&CB, R_INDEX, 0x80200000);
	cb_write(&CB, R_NUMVERTS, at);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	tap_result(run() && N.ndraws == 1 && N.draw[0].vertices == 3 * prims &&
		   N.draw[0].input_vertices == 5 * prims,
		   "[%s] variable mode, %u primitives", nat_simd(), prims);
	for (i = 0, bad = 0; i < prims && N.ndraws == 1; i++)
		bad += nat_f(&N, 0, 3 * i, 0) != 5 || nat_f(&N, 0, 3 * i + 1, 0) != (float)i ||
		       nat_f(&N, 0, 3 * i + 2, 0) != (float)(i + 4);
	tap_result(!bad, "[%s] their triangles", nat_simd());
}

/* A part that ends with a count whose vertices all arrive in the next part. */
static void test_count_at_end(void)
{
	static const uint32_t rows[6] = { C(0), C(0), C(1), C(1), C(2), C(2) };
	unsigned int at = 0, i;
	uint32_t code[32];
	uint16_t v;

	vertices(1, 64);
	nat_outmap(1);
	geometry(code, emit_triangle(code, rows, false), VARIABLE, 1, 3);
	/* 16383 = 3 * 5461 entries of primitives with two vertices, then one with four. */
	for (i = 0; i < 5461; i++) {
		uint16_t p[3] = { 2, 7, 9 };

		memcpy(N.mem + 0x200000 + 6 * i, p, 6);
		at += 3;
	}
	for (v = 0; v < 5; v++) {
		uint16_t p = v ? 10 + v : 4;

		memcpy(N.mem + 0x200000 + 2 * at++, &p, 2);
	}
	cb_write(&CB, R_INDEX, 0x80200000);
	cb_write(&CB, R_NUMVERTS, at);
	cb_write(&CB, R_DRAW_ELEMENTS, 1);
	i = 3 * 5461;
	tap_result(run() && N.draw[0].vertices == i + 3 && nat_f(&N, 0, i - 3, 0) == 2 &&
		   nat_f(&N, 0, i - 2, 0) == 7 && nat_f(&N, 0, i - 1, 0) == 9 &&
		   nat_f(&N, 0, i, 0) == 4 && nat_f(&N, 0, i + 1, 0) == 11 &&
		   nat_f(&N, 0, i + 2, 0) == 12,
		   "[%s] a vertex count at the end of a part", nat_simd());
}

static void test_many_prims(void)
{
	uint32_t code[32];
	unsigned int n = 0;

	vertices(1, 8);
	nat_outmap(1);
	code[n++] = op_setemit(0, true, false);
	code[n++] = op_mov(O(0), V(0));
	code[n++] = op_loop(0, 5);
	code[n++] = OP_EMIT;
	code[n++] = OP_EMIT;
	code[n++] = OP_NOP;
	code[n++] = OP_END;
	geometry(code, n, POINT, 1, 1);
	cb_write(&CB, R_GSH + SH_INT0, 255);
	cb_write(&CB, R_VERTEX_OFFSET, 3);
	draw_arrays(1);
	tap_result(run() && N.draw[0].vertices == 3 * 512, "[%s] 512 primitives an invocation",
		   nat_simd());
	code[5] = OP_EMIT;
	cb_code(&CB, R_GSH, code, n);
	draw_arrays(1);
	tap_result(!nat_run(&N, &CB) && N.fault.kind == VS_FAULT_OVERFLOW && N.fault.draw == 1,
		   "[%s] more are a fault", nat_simd());
}

static void without_geometry(void)
{
	cb_write(&CB, R_GEOSTAGE, 0);
	cb_write(&CB, R_COM_MODE, 0);
	topology(0);
	draw_arrays(3);
}

/* Strict mode rejects the list at the last draw, others accept it. It stays as it is. */
static void other_uniform(bool other, const char *what)
{
	bool ok;

	N.switches = 0;
	ok = run();
	N.switches = PICA_SW_STRICT;
	if (other)
		ok = ok && !nat_run(&N, &CB) && N.ret == -ENOEXEC &&
		     N.fault.code == PICA_CL_UNIT_UNIFORM && N.fault.info == CB.w[CB.n - 1] &&
		     N.fault.address == NAT_LIST_VA + 4 * (CB.n - 1);
	else
		ok = ok && run();
	tap_result(ok, "[%s] strict: %s: %s", nat_simd(), what, other ? "a fault" : "none");
}

/*
 * Without a geometry stage, its unit is the fourth vertex unit. The vertex program reads c1, b3
 * and i2.
 */
static void test_fourth_unit(void)
{
	static const uint32_t src[6] = { V(0), V(0), V(0), V(0), V(0), V(0) };
	static const float a[4] = { 1, 2, 3, 4 }, b[4] = { 5, 6, 7, 8 };
	const uint32_t reads[] = { op_add(O(0), C(1), V(0)), op_ifu(3, 3, 0), op_mov(O(0), V(0)),
				   op_loop(2, 4), OP_NOP, OP_END };
	uint32_t code[32];
	unsigned int n, mark;

	vertices(1, 4);
	nat_outmap(1);
	cb_code(&CB, R_VSH, reads, ARRAY_SIZE(reads));
	cb_uniform24(&CB, R_VSH, 1, a);
	cb_write(&CB, R_VSH + SH_INT0 + 2, 0x010101);
	cb_write(&CB, R_VSH + SH_BOOL, 8);
	without_geometry();
	other_uniform(false, "uniforms for all units");
	n = emit_triangle(code, src, false);
	geometry(code, n, POINT, 1, 3);
	mark = CB.n;
	cb_uniform24(&CB, R_GSH, 2, b);
	cb_write(&CB, R_GSH + SH_INT0 + 1, 5);
	cb_write(&CB, R_GSH + SH_INT0 + 2, 0x77010101);
	cb_write(&CB, R_GSH + SH_BOOL, 0xffff);
	draw_arrays(1);
	without_geometry();
	other_uniform(false, "those of the geometry unit that the vertex program does not read");
	CB.n = mark;
	cb_uniform24(&CB, R_GSH, 1, b);
	draw_arrays(1);
	without_geometry();
	other_uniform(true, "c1 of the geometry unit");
	CB.n = mark;
	cb_uniform24(&CB, R_GSH, 1, b);
	draw_arrays(1);
	cb_write(&CB, R_GEOSTAGE, 0);
	cb_write(&CB, R_COM_MODE, 0);
	cb_uniform24(&CB, R_VSH, 1, a);
	topology(0);
	draw_arrays(3);
	other_uniform(false, "c1 written again before the draw");
	CB.n = mark;
	cb_write(&CB, R_GSH + SH_BOOL, 0);
	without_geometry();
	other_uniform(true, "b3 of the geometry unit");
	CB.n = mark;
	cb_write(&CB, R_GSH + SH_INT0 + 2, 0x010102);
	without_geometry();
	other_uniform(true, "i2 of the geometry unit");
	CB.n = mark;
	cb_uniform24(&CB, R_VSH, 1, b);
	without_geometry();
	other_uniform(true, "c1 of the vertex units only");
	CB.n = mark;
	geometry(code, n, FIXED(2, 1, 1), 1, 3);
	draw_arrays(1);
	without_geometry();
	other_uniform(false, "too few vertices for a primitive");
	CB.n = mark;
	geometry(code, n, FIXED(2, 1, 1), 1, 3);
	draw_arrays(2);
	without_geometry();
	other_uniform(true, "vertices in c1");
	CB.n = mark;
	geometry(code, n, FIXED(2, 1, 2), 1, 3);
	draw_arrays(2);
	without_geometry();
	other_uniform(false, "vertices in c2 and c3");
}

static const nat_test tests[] = {
	test_point, test_point_indices, test_point_parts, test_point_widths, test_winding, test_b15,
	test_kept_registers, test_kept_emission, test_variable, test_variable_faults, test_fixed,
	test_mirror, test_immediate, test_big, test_count_at_end, test_many_prims,
	test_fourth_unit,
};

int main(void)
{
	nat_all(tests, ARRAY_SIZE(tests));
	return tap_done();
}
