// SPDX-License-Identifier: GPL-2.0
/*
 * Selects of Midgard's scalar unit with results of 32 and 16 bits, by r31.w and bit by bit, on
 * the reference model and every executor.
 */
#include "../include/tap.h"
#include "../ref/midgard_ref.h"
#include "mgjob.h"

#define MODEL	VS_NUM_SIMD
#define KEEP	2	/* integers: the lower half */
#define HIGH	3	/* the upper half */

static const u32 cond[4] = { 0xffffffff, 0x00000000, 0xff00f00f, 0x0000ffff };
static const u32 was[4] = { 0x11111111, 0x22222222, 0x33333333, 0x44444444 };
/* 1.5 and -2.0 as floats */
static const u32 a = 0x3fc00000, b = 0xc0000000;
#define HALF_A	0x3e00
#define HALF_B	0xc000

/* r1 = { was }, its component @comp = op(a, b) with r31 = { cond }. Return: no fault. */
static bool run(u32 simd, u32 op, bool full, u32 comp, u32 outmod, u32 *out)
{
	struct mc_alu first = {}, second = {};
	struct vs_fault fault = {};
	struct mcode c;
	struct mjob j;
	u32 i;

	mj_new(&j);
	j.uniforms = 4;
	for (i = 0; i < 4; i++) {
		mj_push(&j, 1, i, cond[i]);
		mj_push(&j, 2, i, was[i]);
	}
	mj_push(&j, 3, 0, a);
	mj_push(&j, 3, 1, b);
	mc_start(&c);
	mc_move(&first, MC_VMUL, 21, 1);
	mc_alu(&c, &first);
	mc_move(&second, MC_VMUL, 22, MC_R31);
	mc_unit(&second, MC_SMUL, mc_regs(20, 20, 1),
		mc_sca(op, mc_ssrc(0, true, 0), mc_ssrc(0, true, 2), outmod, full, comp));
	mc_alu(&c, &second);
	mc_store(&c, 1, 0, 0);
	if (simd == MODEL)
		fault.kind = !mj_run(&j, &c);
	else
		mg_execute(&j, mj_write(&j, &c), simd, &fault);
	if (fault.kind)
		tap_comment("%02x to component %u: fault %u %x %s", op, comp, fault.kind,
			    fault.code, j.g.error);
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(&j, MJ_DATA + 4 * i);
	mj_free(&j);
	return !fault.kind;
}

/* 32 bits of a select, by hand; floats go by words that are all ones or zeros. */
static u32 selected(u32 op, u32 word)
{
	if (op & 1)
		return cond[3] ? a : b;
	return (a & cond[word]) | (b & ~cond[word]);
}

static bool is_one(u32 simd, u32 op, bool full, u32 comp, u32 outmod)
{
	u32 want[4], out[4], word = comp / 2, v = selected(op, word), at = 16 * (comp & 1);

	memcpy(want, was, sizeof(want));
	if (full) {
		want[word] = v;
	} else {
		if (op >= 0xc4)
			v = v == a ? HALF_A : HALF_B;
		else
			v = outmod == HIGH ? v >> 16 : v & 0xffff;
		want[word] = (want[word] & ~(0xffffU << at)) | v << at;
	}
	return run(simd, op, full, comp, outmod, out) && !memcmp(want, out, sizeof(out));
}

static void forms(u32 simd, u32 op)
{
	u32 comp, n = 0, bad = 0;

	for (comp = 0; comp < 8; comp++) {
		/* a float mixed from the bits of two values is meaningless */
		if (op == 0xc4 && comp >= 4)
			continue;
		bad += !is_one(simd, op, false, comp, op >= 0xc4 ? 0 : KEEP);
		n++;
		if (op < 0xc4) {
			bad += !is_one(simd, op, false, comp, HIGH);
			n++;
		}
		if (comp & 1)
			continue;
		bad += !is_one(simd, op, true, comp, op >= 0xc4 ? 0 : KEEP);
		n++;
	}
	tap_result(!bad, "%s: %02x in a scalar unit: %u of %u forms differ",
		   simd == MODEL ? "model" : vs_simd_name(simd), op, bad, n);
}

int main(void)
{
	static const u8 ops[] = { 0xc0, 0xc1, 0xc4, 0xc5 };
	u32 simd, i;

	tap_start();
	for (simd = 0; simd <= MODEL; simd++)
		for (i = 0; i < ARRAY_SIZE(ops); i++)
			if (simd == MODEL || vs_simd_mask() >> simd & 1)
				forms(simd, ops[i]);
	return tap_done();
}
