// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The special function unit. The chip's tables are not public: results here are those of
 * the shared executor, rounded to nearest, which the chip approximates to 13 or 14 bits.
 * RECIPSQRT and LOG take the absolute value.
 */
#include "qpu_run.h"

#define F_ABS	0x7fffffffU
#define F_INF	0x7f800000U

/* Clamp an operand: exponent 0 to 0, exponent 255 to infinity. */
static u32 input(u32 v, bool abs)
{
	if (!(v & F_INF))
		return 0;
	if ((v & F_INF) == F_INF)
		v &= ~(F_ABS & ~F_INF);
	return abs ? v & F_ABS : v;
}

static u32 output(u32 v)
{
	return v & F_INF ? v : 0;
}

void qpu_sfu(struct qpu_machine *m, u32 fn, const u32 *v, u32 *r)
{
	static const u8 ops[] = { VS_OP_RCP, VS_OP_RSQ, VS_OP_EX2, VS_OP_LG2 };
	struct vs_uop u[2] = {
		{ .op = ops[fn - QPU_W_SFU_RECIP], .ncomp = 1, .d = { 1 } },
		{ .op = VS_OP_END },
	};
	struct vs_block *b = m->sfu;
	u32 e;

	for (e = 0; e < 2; e++)
		u[e].handler = vs_handler(&u[e]);
	for (e = 0; e < QPU_LANES; e++)
		b->slot[0][e] = input(v[e], fn == QPU_W_SFU_RSQRT || fn == QPU_W_SFU_LOG);
	b->mask = ~0ULL;
	b->lanes = QPU_LANES;
	qpu_fp_sfu(m, true);
	vs_exec_run(m->simd, VS_K_F32_X, b, u);
	qpu_fp_sfu(m, false);
	for (e = 0; e < QPU_LANES; e++)
		r[e] = output(b->slot[1][e]);
	qpu_charge(m, m->simd == VS_SIMD_PORTABLE ? 100 : 12);
}
