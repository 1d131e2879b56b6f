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

/*
 * The executor rounds the square root and the quotient: the result may be one off. It is
 * right if x times the square of the middle between it and a neighbour is not on the wrong
 * side of 1. The products are as near to a power of two from 2^71 to 2^75 as 2^53, so that
 * the low 64 bits, with a sign, are the exact difference.
 */
static u32 round_rsqrt(u32 x, u32 y)
{
	u64 m = (x & 0x7fffff) | 0x800000, n = (y & 0x7fffff) | 0x800000;
	u64 above = 2 * n + 1, below = n == 0x800000 ? 4 * n - 1 : 2 * n - 1;

	if (!x || x >= F_INF)
		return y;
	if (!(x & 0x800000))
		m <<= 1;	/* the exponent without its bias is odd */
	if ((s64)(above * above * m) < 0)
		return y + 1;
	return (s64)(below * below * m) > 0 ? y - 1 : y;
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
		r[e] = output(fn == QPU_W_SFU_RSQRT ? round_rsqrt(b->slot[0][e], b->slot[1][e]) :
			      b->slot[1][e]);
	qpu_charge(m, m->simd == VS_SIMD_PORTABLE ? 100 : 12);
}
