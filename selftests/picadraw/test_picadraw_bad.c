// SPDX-License-Identifier: GPL-2.0
/* Geometry programs, bad addresses, budgets, hostile registers. */
#include <string.h>

#include "../include/tap.h"
#include "../../kernel/native/pica/pica_cl.h"
#include "scene.h"

/* A geometry program in point mode: a triangle of three vertices, @times times. */
static void geometry(int times)
{
	static const uint32_t desc[1] = { DESC_XYZW };
	uint32_t code[200];
	unsigned int n = 0;
	int v, i, k;

	for (k = 0; k < times; k++) {
		for (v = 0; v < 3; v++) {
			code[n++] = op_setemit(v, v == 2, false);
			for (i = 0; i < 3; i++)
				code[n++] = op_mov(O(i), V(3 * v + i));
			code[n++] = OP_EMIT;
		}
	}
	code[n++] = OP_END;
	cb_write(&CB, R_GEOSTAGE, 2);
	cb_write(&CB, R_COM_MODE, 1);
	cb_write(&CB, R_GSH_MISC0, 0);
	cb_code(&CB, R_GSH, code, n);
	cb_desc(&CB, R_GSH, desc, 1);
	cb_write(&CB, R_GSH + SH_ENTRY, 0x7fff0000);
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000008);
	cb_write(&CB, R_GSH + SH_PERM, 0x76543210);
	cb_write(&CB, R_GSH + SH_PERM + 1, 0xfedcba98);
	cb_write(&CB, R_GSH + SH_OUTMASK, 7);
	cb_write(&CB, R_OUTMAP_TOTAL, 3);
	cb_write(&CB, R_OUTMAP_TOTAL1, 2);
	cb_write(&CB, R_OUTMAP_TOTAL2, 2);
	cb_mask(&CB, R_PRIM_CONFIG, 2, 3 << 8);
}

static void test_geometry(void)
{
	int i, k;

	sc_begin();
	geometry(4);
	for (i = 0; i < 40; i++) {
		for (k = 0; k < 3; k++) {
			float *v = sc_vertex(((int)(sc_random() & 511) - 256) / 256.0f,
					     ((int)(sc_random() & 511) - 256) / 256.0f, -0.5f, 1,
					     sc_random() << 8);

			v[SV_QUAT + 3] = 1;
		}
	}
	sc_draw();
	sc_check("40 triangles of a geometry program, 4 times each", 1);
	N.output_size = 0;
	tap_result(sc_run(), "%s: without results", nat_simd());
}

static void quad(void)
{
	sc_quad(-0.5f, 0x12345678);
	sc_draw();
}

static bool faults(uint32_t kind, uint32_t va)
{
	bool ok = !sc_run() && !N.ret && N.fault.kind == kind && N.fault.address - va < 0x10000;

	if (!ok)
		tap_comment("ret %d fault %u at %#llx", N.ret, N.fault.kind,
			    (unsigned long long)N.fault.address);
	return ok;
}

static void test_addresses(void)
{
	sc_begin();
	cb_write(&CB, 0x11d, NAT_HOLE_VA / 8);
	cb_write(&CB, 0x107, 0x0f00);
	quad();
	tap_result(faults(VS_FAULT_WRITE, NAT_HOLE_VA), "%s: no memory for colours", nat_simd());
	sc_begin();
	cb_write(&CB, 0x11c, NAT_HOLE_VA / 8);
	quad();
	tap_result(faults(VS_FAULT_READ, NAT_HOLE_VA), "%s: no memory for depth", nat_simd());
	sc_begin();
	sc_texture(0, 0, 64, 64, 0);
	cb_write(&CB, 0x85, NAT_HOLE_VA / 8);
	quad();
	tap_result(faults(VS_FAULT_READ, NAT_HOLE_VA), "%s: no memory for a texture", nat_simd());
	sc_begin();
	cb_write(&CB, 0x11d, (NAT_MEM_VA + NAT_MEM_SIZE - 8) / 8);
	cb_write(&CB, 0x107, 0x0f00);
	quad();
	tap_result(faults(VS_FAULT_WRITE, NAT_MEM_VA + NAT_MEM_SIZE),
		   "%s: the frame's end is beyond memory", nat_simd());
	sc_begin();
	geometry(1);
	cb_write(&CB, 0x11c, NAT_HOLE_VA / 8);
	quad();
	tap_result(faults(VS_FAULT_READ, NAT_HOLE_VA),
		   "%s: no memory for depth, geometry program", nat_simd());
}

static void test_budget(void)
{
	sc_begin();
	quad();
	N.budget = 20000;
	tap_result(!sc_run() && N.fault.kind == VS_FAULT_BUDGET,
		   "%s: fragments count towards the budget", nat_simd());
	sc_begin();
	geometry(1);
	quad();
	tap_result(!sc_run() && N.fault.kind == VS_FAULT_BUDGET,
		   "%s: also those of geometry programs", nat_simd());
}

/* Any registers, any vertices: the job ends, with a picture or a fault. */
static void test_hostile(void)
{
	static const uint32_t special[] = {
		0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 1,
		0x7f7fffff, 0xff7fffff, 0x00800000
	};
	unsigned int round, i, ended = 0;
	uint32_t reg;

	for (round = 0; round < 60; round++) {
		sc_begin();
		sc_texture(0, 0, 32, 32, 0);
		sc_texture(1, 0, 32, 32, 0);
		for (i = 0; i < 90; i++) {
			reg = 0x40 + (sc_random() + round * 977) % 0x1c0;
			if (reg >= 0x4f && reg <= 0x56)
				continue;
			/* most addresses stay where memory is */
			if ((reg == 0x11c || reg == 0x11d || reg == 0x85 || reg == 0x95 ||
			     reg == 0x9d) && round % 8)
				continue;
			cb_write(&CB, reg, sc_random() << 12 ^ sc_random());
		}
		cb_write(&CB, 0x11e, (sc_random() & 0x7f) | (sc_random() & 0x7f) << 12);
		for (i = 0; i < 30 * 24; i++) {
			uint32_t v = sc_random() % 3 ? special[sc_random() % 11] :
				     (sc_random() & 0x80ffffff) | (120 + sc_random() % 10) << 23;

			memcpy(N.mem + SC_VERTICES + 4 * i, &v, 4);
		}
		cb_write(&CB, R_NUMVERTS, 30);
		cb_write(&CB, R_DRAW_ARRAYS, 1);
		N.budget = 300000;
		sc_run();
		ended += !N.ret || N.fault.code == PICA_CL_GAS ||
			 N.fault.code == PICA_CL_PROCTEX;
	}
	tap_result(ended == round, "%s: %u of %u hostile lists end", nat_simd(), ended, round);
}

int main(void)
{
	static const nat_test tests[] = {
		test_geometry, test_addresses, test_budget, test_hostile,
	};

	nat_all(tests, sizeof(tests) / sizeof(tests[0]));
	return tap_done();
}
