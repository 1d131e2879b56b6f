// SPDX-License-Identifier: GPL-2.0
/* Fragments on the Midgard reference model, of draws made by hand. */
#include <math.h>
#include <string.h>

#include "../include/tap.h"
#include "mcode.h"

#define SIZE		8
#define ORDER		0x688u
#define RGBA32F		(0xbfu << 12 | ORDER)
#define FRAG_COORD	0x25u
#define FRONT_FACING	0x26u

/* One that covers everything, and two that share an edge through pixels' centres. */
static const float whole[3][4] = { { 0, 0, 0.5f, 1 }, { 16, 0, 0.5f, 1 }, { 0, 16, 0.5f, 1 } };
static const float halves[6][4] = {
	{ 0, 0, 0.25f, 1 }, { 8, 0, 0.25f, 1 }, { 0, 8, 0.25f, 1 },
	{ 8, 0, 0.25f, 1 }, { 8, 8, 0.25f, 1 }, { 0, 8, 0.25f, 1 },
};

static float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* Varying 0 is the fragment's coordinates, or another stand-in. */
static void stand_in(struct mjob *j, unsigned int type)
{
	mj_w32(j, MJ_VARYINGS, RGBA32F << 10 | 1 << 9);
	mj_w32(j, MJ_VARYINGS + 4, 0);
	mj_w32(j, MJ_VARBUFS, type);
	j->varyings = 1;
}

static void load_varying(struct mcode *c, unsigned int reg, unsigned int op, unsigned int params)
{
	mc_ldst(c,
		MC_LS(.op = op, .reg = reg, .mask = 15, .swizzle = MC_XYZW, .arg_reg = 7,
		      .index_reg = 7, .index_format = 2, .offset = (int)params), MC_NOP_LS);
}

/* A scalar operation on components of registers, into r0.x. */
static void scalar(struct mc_alu *a, unsigned int unit, unsigned int op, unsigned int r1,
		   unsigned int c1, unsigned int r2, unsigned int c2, unsigned int to,
		   unsigned int c, bool integer)
{
	mc_unit(a, unit, mc_regs(r1, r2, to),
		mc_sca(op, mc_ssrc(0, true, 2 * c1), mc_ssrc(0, true, 2 * c2), integer ? 2 : 0,
		       true, 2 * c));
}

/* Interpolation of 1, 2, 4 at corners with different w, with and without perspective. */
static void interpolation(void)
{
	static const float pos[3][4] = { { 0, 0, 0, 1 }, { 8, 0, 0, 0.5f }, { 0, 8, 0, 0.25f } };
	static const float value[3] = { 1, 2, 4 };
	unsigned int x, y, i, perspective;

	for (perspective = 0; perspective < 3; perspective++) {
		struct mdraw d = { pos, 3, 7, false, false, SIZE };
		double worst = 0, want, e;
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		mj_w32(&j, MJ_VARYINGS, (0xa7u << 12 | ORDER) << 10 | 1 << 9);
		mj_w64(&j, MJ_VARBUFS, MJ_TEXELS | 1);
		mj_w32(&j, MJ_VARBUFS + 8, 4);
		mj_w32(&j, MJ_VARBUFS + 12, 64);
		j.varyings = 1;
		for (i = 0; i < 3; i++) {
			uint32_t bits;

			memcpy(&bits, &value[i], 4);
			mj_w32(&j, MJ_TEXELS + 4 * i, bits);
		}
		mc_start(&c);
		/* the third time flat */
		load_varying(&c, 0, 0x98, perspective == 2 ? 8 : perspective << 4);
		mc_write(&c);
		ok = mj_draw(&j, &c, &d);
		for (y = 0; y < SIZE; y++)
			for (x = 0; x < SIZE; x++) {
				double b = (x + 0.5) / 8, g = (y + 0.5) / 8, a = 1 - b - g;
				double p = a + b * 0.5 + g * 0.25;

				if (a <= 0)
					continue;
				want = perspective == 1 ?
					(a + 2 * b * 0.5 + 4 * g * 0.25) / p :
					perspective ? 4 : a + 2 * b + 4 * g;
				e = fabs(as_float(j.g.fb[SIZE * y + x]) / want - 1);
				worst = fmax(worst, e);
			}
		tap_result(ok && worst < 1e-7, "%s: %g off %s", perspective == 0 ? "linear" :
			   perspective == 1 ? "perspective" : "flat", worst, j.g.error);
		mj_free(&j);
	}
}

/* A varying over one of its components, and coordinates of a fragment as halves. */
static void divided(void)
{
	struct mdraw d = { whole, 3, 7, false, false, SIZE };
	unsigned int i, k, bad;

	for (k = 1; k < 4; k++) {
		struct mcode c;
		struct mjob j;

		/* x + 1/2, y + 1/2, z of 1/2, 1/w of 1 */
		mj_new(&j);
		stand_in(&j, FRAG_COORD);
		mc_start(&c);
		load_varying(&c, 0, 0x98, k);
		mc_write(&c);
		bad = !mj_draw(&j, &c, &d);
		for (i = 0; i < SIZE * SIZE; i++) {
			float x = (float)(i % SIZE) + 0.5f, y = (float)(i / SIZE) + 0.5f;

			bad += as_float(j.g.fb[i]) != (k == 1 ? x / y : k == 2 ? x / 0.5f : x);
		}
		tap_result(!bad, "varying over component %u: %u %s", k, bad, j.g.error);
		mj_free(&j);
	}
}

/* A second render target is not there. */
static void targets(void)
{
	struct mdraw d = { whole, 3, 7, false, false, SIZE };
	unsigned int k;

	for (k = 0; k < 2; k++) {
		struct mc_alu a = { .has_extended = true };
		struct mcode c;
		struct mjob j;

		mj_new(&j);
		mc_start(&c);
		mc_unit(&a, MC_SADD, mc_regs_imm(MC_R24, (uint16_t)(k << 8), 1),
			mc_sca(0x7b, mc_ssrc(0, true, 0), mc_simm((uint16_t)(k << 8)), 2, true, 4));
		mc_move(&a, MC_VLUT, 22, 0);
		a.extended = mc_extended(7, 8, 0, 0, 0xffff);
		mc_alu(&c, &a);
		tap_result(mj_draw(&j, &c, &d) == !k, "write to target %u: %s", k, j.g.error);
		mj_free(&j);
	}
}

/* Each pixel is drawn once. */
static void shared_edge(void)
{
	struct mdraw d = { halves, 6, 7, false, false, SIZE };
	struct mc_alu a = { 0 };
	unsigned int i, bad;
	struct mcode c;
	struct mjob j;

	mj_new(&j);
	j.g.clear = 5;
	mc_start(&c);
	mc_ldst(&c, MC_LS(.op = 0xba, .reg = 0, .mask = 15, .swizzle = MC_XYZW), MC_NOP_LS);
	mc_unit(&a, MC_SADD, mc_regs_imm(0, 1, 0),
		mc_sca(0x40, mc_ssrc(0, true, 0), mc_simm(1), 2, true, 0));
	mc_alu(&c, &a);
	mc_write(&c);
	bad = !mj_draw(&j, &c, &d);
	for (i = 0; i < SIZE * SIZE; i++)
		bad += j.g.fb[i] != 6;
	tap_result(!bad, "triangles with a common edge, tile buffer: %u %s", bad, j.g.error);
	mj_free(&j);
}

/* Pixels whose x is less than 4 are given up; what is drawn there is seen no more. */
static void discard(void)
{
	struct mdraw d = { whole, 3, 7, false, false, SIZE };
	struct mc_alu a = { 0 };
	unsigned int i, bad;
	struct mcode c;
	struct mjob j;

	mj_new(&j);
	j.g.clear = 5;
	stand_in(&j, FRAG_COORD);
	mc_start(&c);
	load_varying(&c, 0, 0x98, 0);
	mc_unit(&a, MC_SMUL, mc_regs_imm(0, 0x4400, MC_R31),
		mc_sca(0x82, mc_ssrc(0, true, 0), mc_simm(0x4400), 2, true, 6));
	a.has_compact = true;
	a.compact = mc_compact(4, 0, 2, 2);
	mc_alu(&c, &a);
	/* a side effect: one is added to the data by those that remain */
	memset(&a, 0, sizeof(a));
	mc_move(&a, MC_VMUL, 22, MC_AL0);
	mc_move(&a, MC_VLUT, 23, MC_AL1);
	mc_alu(&c, &a);
	mc_ldst(&c,
		MC_LS(.op = 0x40, .reg = 1, .mask = 1, .arg_reg = 1, .toggle = true,
		      .index_reg = 7), MC_NOP_LS);
	mc_write(&c);
	mj_push(&j, 1, 0, 1);
	bad = !mj_draw(&j, &c, &d);
	for (i = 0; i < SIZE * SIZE; i++)
		bad += i % SIZE < 4 ? j.g.fb[i] != 5 :
			as_float(j.g.fb[i]) != (float)(i % SIZE) + 0.5f;
	tap_result(!bad && mj_r32(&j, MJ_DATA) == 32, "discard: %u, %u left %s", bad,
		   mj_r32(&j, MJ_DATA), j.g.error);
	mj_free(&j);
}

/*
 * Derivatives of x * x * y: those of the lane's row and column. Helpers take part, but
 * have no effects, also after those that are not needed have been killed.
 */
static void derivatives(void)
{
	static const float corner[3][4] = { { 0, 0, 0, 1 }, { 5, 0, 0, 1 }, { 0, 5, 0, 1 } };
	unsigned int i, k, bad, inside, dir;

	for (dir = 0; dir < 2; dir++) {
		struct mdraw d = { corner, 3, 7, false, false, SIZE };
		uint32_t w[4] = { 3 | 13 << 8 | dir << 12 | 2u << 16 | 2u << 18 | 1u << 24, 0 };
		struct mc_alu a = { 0 };
		struct mcode c;
		struct mjob j;

		/* in full, identity swizzles; out full, floats */
		w[0] |= (uint32_t)MC_XYZW << 27;
		w[1] |= MC_XYZW >> 5 | 1 << 5 | 1 << 6 | 15 << 10 | (uint32_t)MC_XYZW << 16;
		mj_new(&j);
		stand_in(&j, FRAG_COORD);
		mj_push(&j, 1, 0, 1);
		mc_start(&c);
		load_varying(&c, 1, 0x98, 0);
		scalar(&a, MC_SADD, 0x14, 1, 0, 1, 0, MC_R24, 0, false);
		scalar(&a, MC_SMUL, 0x14, MC_R24, 0, 1, 1, MC_T0, 0, false);
		mc_alu(&c, &a);
		mc_quad(&c, w);
		memset(&a, 0, sizeof(a));
		mc_move(&a, MC_VMUL, MC_T0, 0);
		mc_alu(&c, &a);
		memset(&a, 0, sizeof(a));
		mc_move(&a, MC_VMUL, 22, MC_AL0);
		mc_move(&a, MC_VLUT, 23, MC_AL1);
		mc_alu(&c, &a);
		mc_ldst(&c,
			MC_LS(.op = 0x40, .reg = 1, .mask = 1, .arg_reg = 1, .toggle = true,
			      .index_reg = 7), MC_NOP_LS);
		mc_write(&c);
		bad = !mj_draw(&j, &c, &d);
		for (inside = 0, i = 0; i < SIZE; i++)
			for (k = 0; k < SIZE; k++) {
				float x = (float)k + 0.5f, y = (float)i + 0.5f;
				float x0 = (float)(k & ~1u) + 0.5f;
				float want = dir ? x * x : (2 * x0 + 1) * y;

				if (x + y >= 5)
					continue;
				inside++;
				bad += as_float(j.g.fb[SIZE * i + k]) != want;
			}
		tap_result(!bad && mj_r32(&j, MJ_DATA) == inside,
			   "derivative along %c: %u wrong, %u of %u %s", "xy"[dir], bad,
			   mj_r32(&j, MJ_DATA), inside, j.g.error);
		mj_free(&j);
	}
}

/* The nearest of overlapping triangles, by interpolated depth and by the program's. */
static void depth(void)
{
	static const float pos[6][4] = {
		{ 0, 0, 0.25f, 1 }, { 16, 0, 0.25f, 1 }, { 0, 16, 0.25f, 1 },
		/* from 0 at the left to 1 at the right of 8 pixels */
		{ 0, 0, 0, 1 }, { 16, 0, 2, 1 }, { 0, 16, 0, 1 },
	};
	unsigned int i, k, bad;

	for (k = 0; k < 2; k++) {
		struct mdraw d = { pos, 6, 9, k, false, SIZE };
		struct mc_alu a = { 0 };
		struct mcode c;
		struct mjob j;

		mj_new(&j);
		stand_in(&j, FRAG_COORD);
		mc_start(&c);
		load_varying(&c, 1, 0x98, 0);
		/* z in r0.x; the program's own depth is 1 - z */
		scalar(&a, MC_SADD, 0x30, MC_R24, 0, 1, 2, 0, 0, false);
		mc_unit(&a, MC_SMUL, mc_regs_imm(1, 0x3c00, 1),
			mc_sca(0x10, mc_ssrc(2, true, 4), mc_simm(0x3c00), 0, true, 0));
		mc_alu(&c, &a);
		mc_write(&c);
		bad = !mj_draw(&j, &c, &d);
		for (i = 0; i < SIZE * SIZE; i++) {
			float slope = ((float)(i % SIZE) + 0.5f) / 8;
			float want = (slope < 0.25f) != k ? slope : 0.25f;

			bad += as_float(j.g.fb[i]) != want;
		}
		tap_result(!bad, "%s depth: %u wrong %s", k ? "the program's" : "interpolated", bad,
			   j.g.error);
		mj_free(&j);
	}
}

static void facing(void)
{
	unsigned int k;

	for (k = 0; k < 4; k++) {
		static const float other[3][4] = {
			{ 0, 0, 0, 1 }, { 0, 16, 0, 1 }, { 16, 0, 0, 1 },
		};
		struct mdraw d = { k & 2 ? other : whole, 3, 7, false, k & 1, SIZE };
		uint32_t want = (k & 1) != (k >> 1) ? 0 : ~0u;
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		stand_in(&j, FRONT_FACING);
		mc_start(&c);
		load_varying(&c, 0, 0x9a, 0);
		mc_write(&c);
		ok = mj_draw(&j, &c, &d);
		tap_result(ok && j.g.fb[9] == want, "facing, %u: %08x %s", k, j.g.fb[9], j.g.error);
		mj_free(&j);
	}
}

/* A triangle that has no pixel's centre, and one that has one of four. */
static void helpers(void)
{
	static const float none[3][4] = { { 0, 0, 0, 1 }, { 0.9f, 0, 0, 1 }, { 0, 0.9f, 0, 1 } };
	static const float one[3][4] = { { 0, 0, 0, 1 }, { 1.5f, 0, 0, 1 }, { 0, 1.5f, 0, 1 } };
	unsigned int k;

	for (k = 0; k < 2; k++) {
		struct mdraw d = { k ? one : none, 3, 7, false, false, SIZE };
		struct mc_alu a = { 0 };
		struct mcode c;
		struct mjob j;
		bool ok;

		/* the sample mask is added to a counter: 1 or 0 for a helper */
		mj_new(&j);
		mc_start(&c);
		mc_ldst(&c,
			MC_LS(.op = 0x9e, .reg = 0, .mask = 15, .swizzle = MC_X, .index_reg = 7,
			      .offset = 96 << 9), MC_NOP_LS);
		mc_move(&a, MC_VMUL, 0, MC_AL0);
		mc_move(&a, MC_VLUT, 23, MC_AL1);
		mc_alu(&c, &a);
		mc_ldst(&c,
			MC_LS(.op = 0x40, .reg = 1, .mask = 1, .arg_reg = 1, .toggle = true,
			      .index_reg = 7),
			MC_LS(.op = 0xc8, .reg = 0, .mask = 15, .arg_reg = 1, .toggle = true,
			      .index_reg = 7, .offset = 4));
		mc_write(&c);
		ok = mj_draw(&j, &c, &d);
		tap_result(ok && j.g.threads == 4 * k && mj_r32(&j, MJ_DATA) == k &&
			   mj_r32(&j, MJ_DATA + 4) == k && j.g.fb[0] == k,
			   "%u pixels of a quad: %u threads %s", k, (unsigned int)j.g.threads,
			   j.g.error);
		mj_free(&j);
	}
}

int main(void)
{
	tap_start();
	interpolation();
	divided();
	targets();
	shared_edge();
	discard();
	derivatives();
	depth();
	facing();
	helpers();
	return tap_done();
}
