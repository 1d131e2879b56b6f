// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs in random draws against the independent reference interpreter: vertex
 * stage alone, and with a geometry stage in point mode that keeps its registers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "../ref/pica_ref.h"
#include "run.h"

#define VECTORS		3
#define COUNT		130
#define ROWS		8
#define MAX_CODE	64
#define MAX_VERTS	(COUNT * 40)

static uint64_t seed = 7;
static unsigned int rounds = 300;

static uint32_t rnd(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 33;
}

static float some_float(void)
{
	switch (rnd() % 16) {
	case 0:
		return 0.0f;
	case 1:
		return -0.0f;
	case 2:
		return INFINITY;
	case 3:
		return NAN;
	case 4:
		return 1e18f;
	case 5:
		return 1e-18f;
	case 6:
		return 1.0f / 3;
	default:
		return ((int)(rnd() % 4001) - 2000) / 64.0f;
	}
}

/* A unit's program and its uniforms, for both sides. */
struct unit {
	uint32_t code[MAX_CODE];
	unsigned int n;
	uint32_t desc[4];
	struct pica_ref_uniforms u;
	struct pica_ref_program prog;
};

static struct unit vsh, gsh;
static float data[COUNT][VECTORS][4];
/* Expected input of primitive assembly: o0 to o3 of each vertex. */
static uint32_t want[MAX_VERTS][16];
static unsigned int nwant;

static uint32_t random_op(bool temps)
{
	/* ADD DP3 DP4 DPH MUL SGE SLT MAX MIN, FLR MOV with one source */
	static const uint8_t ops[] = { 0, 1, 2, 3, 8, 9, 10, 12, 13, 11, 19 };
	uint32_t dst = rnd() & 1 ? O(rnd() % 4) : R(rnd() % 4);
	uint32_t wide, narrow = rnd() & 1 ? V(rnd() % VECTORS) : R(rnd() % 4);
	uint32_t desc = rnd() % 4;

	switch (rnd() % 3) {
	case 0:
		wide = C(rnd() % ROWS);
		break;
	case 1:
		wide = R(rnd() % 4);
		break;
	default:
		wide = V(rnd() % VECTORS);
		break;
	}
	if (rnd() % 5 == 0)	/* MAD */
		return 7u << 29 | dst << 24 | narrow << 17 | wide << 10 |
		       (temps ? R(rnd() % 4) : V(0)) << 5 | desc;
	return op2(ops[rnd() % sizeof(ops)], dst, wide, narrow, desc);
}

static void random_uniforms(struct unit *u)
{
	unsigned int i;

	memset(&u->u, 0, sizeof(u->u));
	for (i = 0; i < 4 * ROWS; i++)
		u->u.f[i / 4][i % 4] = nat_bits(some_float());
	for (i = 0; i < 4; i++)
		u->desc[i] = rnd();
	u->desc[0] = DESC_XYZW;
}

static void describe(struct unit *u, enum pica_ref_stage stage)
{
	static const enum pica_ref_model models[] = { PICA_REF_F24_TRUNC, PICA_REF_F32 };

	u->prog = (struct pica_ref_program){
		.code = u->code,
		.ncode = u->n,
		.opdesc = u->desc,
		.nopdesc = 4,
		.stage = stage,
		.output_mask = 0xf,
		.model = N.switches & 1 ? PICA_REF_F24_NEAREST : models[N.model],
		.step_limit = 10000,
	};
}

static void random_vertex_unit(void)
{
	unsigned int i;

	vsh.n = 0;
	for (i = rnd() % 30; i; i--)
		vsh.code[vsh.n++] = random_op(true);
	vsh.code[vsh.n++] = OP_END;
	random_uniforms(&vsh);
	describe(&vsh, PICA_REF_VERTEX);
}

static void random_geometry_unit(void)
{
	unsigned int i;

	gsh.n = 0;
	for (i = 10 + rnd() % 30; i; i--) {
		switch (rnd() % 4) {
		case 0:
			gsh.code[gsh.n++] = op_setemit(rnd() % 3, rnd() & 1, rnd() & 1);
			break;
		case 1:
			gsh.code[gsh.n++] = OP_EMIT;
			break;
		default:
			gsh.code[gsh.n++] = random_op(true);
			break;
		}
	}
	/* Also a dependency on b15. */
	gsh.code[gsh.n] = op_ifu(15, gsh.n + 3, 0);
	gsh.code[gsh.n + 1] = op_mov(O(0), C(0));
	gsh.code[gsh.n + 2] = OP_NOP;
	gsh.n += 3;
	gsh.code[gsh.n++] = OP_EMIT;
	gsh.code[gsh.n++] = OP_END;
	random_uniforms(&gsh);
	describe(&gsh, PICA_REF_GEOMETRY);
}

static void upload(uint32_t base, const struct unit *u)
{
	float row[4];
	unsigned int i;

	cb_code(&CB, base, u->code, u->n);
	cb_desc(&CB, base, u->desc, 4);
	for (i = 0; i < ROWS; i++) {
		memcpy(row, u->u.f[i], sizeof(row));
		cb_uniform32(&CB, base, i, row);
	}
	cb_write(&CB, base + SH_BOOL, 0);
	cb_write(&CB, base + SH_OUTMASK, 0xf);
}

/* ---- expected results ---- */

static void put_want(float v[16][4])
{
	unsigned int i;

	if (nwant == MAX_VERTS)
		return;
	for (i = 0; i < 16; i++)
		want[nwant][i] = pica_ref_to_bits(v[i / 4][i % 4]);
	nwant++;
}

static void want_vertices(unsigned int first, unsigned int count)
{
	static struct pica_ref_unit unit;
	struct pica_ref_result res;
	float packed[16][4];
	unsigned int i, k;

	for (i = 0; i < count / 3 * 3; i++) {
		pica_ref_reset(&unit);
		for (k = 0; k < VECTORS; k++)
			memcpy(unit.v[k], data[first + i][k], 16);
		memset(&res, 0, sizeof(res));
		pica_ref_run(&vsh.prog, &vsh.u, &unit, &res);
		memset(packed, 0, sizeof(packed));
		pica_ref_pack_outputs(&unit, 0xf, packed);
		put_want(packed);
	}
}

static void want_events(const struct pica_ref_result *res)
{
	float tri[3][16][4];
	unsigned int i, n = 0;
	bool invert = false;

	for (i = 0; i < res->nevents; i++) {
		if (res->events[i].kind == PICA_REF_EVENT_INVERT) {
			invert = true;
			continue;
		}
		memcpy(tri[n++], res->events[i].attr, sizeof(tri[0]));
		if (n < 3)
			continue;
		put_want(tri[invert ? 1 : 0]);
		put_want(tri[invert ? 0 : 1]);
		put_want(tri[2]);
		n = 0;
		invert = false;
	}
}

/* Point mode, one vertex of four vectors an invocation; @unit is never reset. */
static void want_geometry(struct pica_ref_unit *unit, unsigned int first, unsigned int count)
{
	static struct pica_ref_event events[512];
	struct pica_ref_result res;
	unsigned int i;

	for (i = 0; i < count; i++) {
		static struct pica_ref_unit vunit;
		float packed[16][4] = { { 0 } };

		pica_ref_reset(&vunit);
		memcpy(vunit.v, data[first + i], sizeof(data[0]));
		memset(&res, 0, sizeof(res));
		pica_ref_run(&vsh.prog, &vsh.u, &vunit, &res);
		pica_ref_pack_outputs(&vunit, 0xf, packed);
		memcpy(unit->v, packed, 4 * 16);
		res = (struct pica_ref_result){ .events = events, .max_events = 512 };
		pica_ref_run(&gsh.prog, &gsh.u, unit, &res);
		want_events(&res);
	}
}

/* ---- running ---- */

static void configure(void)
{
	static const uint32_t map[] = { 0x03020100, 0x07060504, 0x1f141312, 0x0f0e0d0c };
	unsigned int i;

	cb_reset(&CB);
	cb_write(&CB, R_GEOSTAGE, 0);
	cb_write(&CB, R_COM_MODE, 1);
	cb_write(&CB, R_VSH + SH_ENTRY, 0);
	cb_write(&CB, R_VSH + SH_INPUTS, 0xa0000000 | (VECTORS - 1));
	cb_write(&CB, R_VSH + SH_PERM, 0x76543210);
	cb_write(&CB, R_OUTMAP_TOTAL1, 3);
	cb_write(&CB, R_OUTMAP_TOTAL, 4);
	cb_burst(&CB, R_OUTMAP0, map, 4, true);
	nat_float_arrays(VECTORS);
	for (i = 0; i < COUNT * VECTORS * 4; i++)
		data[i / (VECTORS * 4)][i / 4 % VECTORS][i % 4] = some_float();
	memcpy(N.mem, data, sizeof(data));
}

static void draw(unsigned int first, unsigned int count, uint32_t topology)
{
	cb_mask(&CB, R_PRIM_CONFIG, 2, topology << 8);
	cb_write(&CB, R_VERTEX_OFFSET, first);
	cb_write(&CB, R_NUMVERTS, count);
	cb_write(&CB, R_DRAW_ARRAYS, 1);
}

static bool same(uint32_t a, uint32_t b)
{
	bool nan_a = (a & 0x7fffffff) > 0x7f800000, nan_b = (b & 0x7fffffff) > 0x7f800000;

	return a == b || (nan_a && nan_b);
}

static bool compare(void)
{
	/* Semantic of each of o0 to o3; o2.w has none. */
	static const uint8_t sem[16] = {
		0, 1, 2, 3, 4, 5, 6, 7, 18, 19, 20, 0xff, 12, 13, 14, 15,
	};
	unsigned int d, v, i, at = 0;

	for (d = 0; d < N.ndraws; d++) {
		for (v = 0; v < N.draw[d].vertices; v++, at++) {
			if (at >= nwant)
				return false;
			for (i = 0; i < 16; i++) {
				if (sem[i] == 0xff ||
				    same(N.draw[d].v[v][sem[i]], want[at][i]))
					continue;
				tap_comment("draw %u vertex %u o%u.%c: %08x, not %08x", d, v,
					    i / 4, "xyzw"[i % 4], N.draw[d].v[v][sem[i]],
					    want[at][i]);
				return false;
			}
		}
	}
	return at == nwant;
}

static bool vertex_round(void)
{
	unsigned int split = rnd() % COUNT;

	configure();
	random_vertex_unit();
	upload(R_VSH, &vsh);
	draw(0, split, 0);
	draw(split, COUNT - split, 0);
	nwant = 0;
	want_vertices(0, split);
	want_vertices(split, COUNT - split);
	return nat_run(&N, &CB) && compare();
}

static bool geometry_round(void)
{
	static struct pica_ref_unit unit;
	unsigned int i, first = 0, count;

	configure();
	random_vertex_unit();
	upload(R_VSH, &vsh);
	cb_write(&CB, R_GEOSTAGE, 2);
	cb_write(&CB, R_GSH_MISC0, 0);
	cb_write(&CB, R_GSH + SH_INPUTS, 0x08000003);
	cb_write(&CB, R_GSH + SH_PERM, 0x76543210);
	cb_write(&CB, R_GSH + SH_ENTRY, 0);
	pica_ref_reset(&unit);
	nwant = 0;
	for (i = 0; i < 3; i++) {
		/* A new program finds the unit as the old one left it. */
		random_geometry_unit();
		upload(R_GSH, &gsh);
		count = rnd() % (COUNT / 3);
		draw(first, count, 3);
		want_geometry(&unit, first, count);
		first += count;
	}
	return nat_run(&N, &CB) && compare();
}

static void many(bool (*round)(void), const char *name)
{
	unsigned int i, bad = 0;
	uint64_t vertices = 0;

	for (i = 0; i < rounds; i++) {
		uint64_t start = seed;

		N.model = i % 3 == 0;
		N.switches = i % 3 == 1;
		if (!round()) {
			if (!bad++)
				tap_comment("seed %llu: ret %d fault %u",
					    (unsigned long long)start, N.ret, N.fault.kind);
		}
		vertices += nwant;
	}
	tap_result(!bad && vertices > 1000, "[%s] %s: %u rounds, %llu vertices, %u differ",
		   nat_simd(), name, rounds, (unsigned long long)vertices, bad);
}

static void test_vertex(void)
{
	many(vertex_round, "vertex programs");
}

static void test_geometry(void)
{
	many(geometry_round, "geometry programs");
}

static const nat_test tests[] = { test_vertex, test_geometry };

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = strtoull(argv[1], NULL, 0);
	if (argc > 2)
		rounds = strtoul(argv[2], NULL, 0);
	nat_all(tests, ARRAY_SIZE(tests));
	return tap_done();
}
