// SPDX-License-Identifier: GPL-2.0
/*
 * Random Utgard vertex programs: fields are drawn mostly from valid values, and redrawn if
 * invalid. Registers and rows are few, so that programs read back their writes.
 */
#include "gp_gen.h"
#include "utgard_encode.h"

u32 gen_count[UGP_NUM_OPS];

u32 gen_random(u64 *seed)
{
	u64 z = *seed += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return (u32)(z >> 32);
}

u32 gen_below(u64 *seed, u32 n)
{
	return (u32)((u64)gen_random(seed) * n >> 32);
}

#define PICK(seed, list)	((list)[gen_below(seed, ARRAY_SIZE(list))])

u32 gen_value(u64 *seed)
{
	static const u32 hard[] = {
		0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xc0200000, 0x7f800000,
		0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345, 1, 0x80000001, 0x007fffff,
		0x00800000, 0x7f7fffff, 0xff7fffff, 0x4b000001, 0xcb000001, 0x4f000000,
		0xcf000000, 0x5f000000,
	};
	float f = (float)gen_below(seed, 12) - 3;
	u32 bits;

	switch (gen_below(seed, 8)) {
	case 0:
		return PICK(seed, hard);
	case 1:
		return gen_random(seed);
	case 2:
	case 3:
		f += (float)gen_below(seed, 1000) / 1000;
		break;
	default:
		break;
	}
	memcpy(&bits, &f, 4);
	return bits;
}

/* ---- instructions ---- */

static u32 source(u64 *seed)
{
	static const u8 codes[] = {
		0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23,
		24, 25, 26, 27, 28, 29, 30, 31,
	};

	return PICK(seed, codes);
}

static void gen_adders(u64 *seed, struct ugp_insn *i)
{
	static const u8 ops[] = { 0, 0, 0, 1, 2, 4, 5, 6, 7 };

	i->acc_op = PICK(seed, ops);
	if (gen_below(seed, 4)) {
		i->acc0_a = source(seed);
		i->acc0_b = source(seed);
		i->acc0_a_neg = gen_below(seed, 2);
		i->acc0_b_neg = gen_below(seed, 2);
	}
	if (gen_below(seed, 2)) {
		i->acc1_a = source(seed);
		i->acc1_b = gen_below(seed, 3) ? source(seed) : 22;
		i->acc1_a_neg = gen_below(seed, 2);
		i->acc1_b_neg = gen_below(seed, 2);
	}
}

static void gen_multipliers(u64 *seed, struct ugp_insn *i)
{
	static const u8 ops[] = { 0, 0, 0, 0, 0, 1, 3, 4, 4 };

	i->mul_op = PICK(seed, ops);
	if (i->mul_op == 1 || i->mul_op == 4 || gen_below(seed, 4)) {
		i->mul0_a = source(seed);
		i->mul0_b = source(seed);
	}
	if (i->mul_op == 1 || i->mul_op == 4 || gen_below(seed, 2)) {
		i->mul1_a = source(seed);
		i->mul1_b = gen_below(seed, 3) ? source(seed) : 22;
	}
	if (i->mul_op == 1 || i->mul_op == 4)
		return;
	i->mul0_neg = gen_below(seed, 2);
	i->mul1_neg = gen_below(seed, 2);
}

static void gen_rest(u64 *seed, u32 flags, struct ugp_insn *i)
{
	static const u8 pass[] = { 2, 2, 4, 5, 6 };
	static const u8 functions[] = { 0, 4, 5, 9, 9 };
	static const u8 addresses[] = { 10, 12, 13, 14, 15 };

	if (gen_below(seed, 2)) {
		i->pass_op = PICK(seed, pass);
		i->pass_a = source(seed);
	}
	i->complex_op = PICK(seed, functions);
	if (flags & (GEN_INDEXED | GEN_TEMPS) && !gen_below(seed, 3)) {
		i->complex_op = PICK(seed, addresses);
		/* an attribute is likely to be a number of a row */
		if (gen_below(seed, 4))
			i->port0_attribute = 1;
		i->complex_a = gen_below(seed, 4);
		if (i->complex_op == 10)
			i->pass_a = gen_below(seed, 4);
		return;
	}
	if (i->complex_op)
		i->complex_a = source(seed);
}

static void gen_loads(u64 *seed, u32 flags, struct ugp_insn *i)
{
	u32 regs = flags & GEN_ALL_REGS ? 16 : 3;

	i->port0_attribute = gen_below(seed, 2);
	i->port0_addr = gen_below(seed, i->port0_attribute ? 4 : regs);
	i->port1_addr = gen_below(seed, regs);
	i->load_addr = gen_below(seed, 16) ? gen_below(seed, 6) : gen_below(seed, 304);
	if (flags & GEN_INDEXED && !gen_below(seed, 3))
		i->load_offset = 1 + gen_below(seed, 3);
	if (i->load_offset != UGP_OFFSET_NONE && !gen_below(seed, 16))
		i->load_addr = gen_below(seed, 512);
}

static void gen_stores(u64 *seed, u32 flags, struct ugp_insn *i)
{
	u32 regs = flags & GEN_ALL_REGS ? 16 : 3;

	if (gen_below(seed, 2)) {
		i->store0_varying = gen_below(seed, 3) == 0;
		i->store0_addr = gen_below(seed, i->store0_varying ? 6 : regs);
		i->store_x = gen_below(seed, 8);
		i->store_y = gen_below(seed, 8);
	}
	if (gen_below(seed, 2)) {
		i->store1_varying = gen_below(seed, 3) == 0;
		i->store1_addr = gen_below(seed, i->store1_varying ? 6 : regs);
		i->store_z = gen_below(seed, 8);
		i->store_w = gen_below(seed, 8);
	}
	if (flags & GEN_TEMPS && !gen_below(seed, 3)) {
		i->store0_temporary = gen_below(seed, 2);
		i->store1_temporary = !i->store0_temporary || gen_below(seed, 2);
		i->store0_varying &= !i->store0_temporary;
		i->store1_varying &= !i->store1_temporary;
		i->unknown_1 = UGP_MODE_TEMP_STORE;
	}
}

static void gen_branch(u64 *seed, struct ugp_insn *i, u32 at, u32 n)
{
	/* mostly forward, so that most programs end */
	u32 target = gen_below(seed, 4) && at + 1 < n ? at + 1 + gen_below(seed, n - at - 1) :
							 gen_below(seed, n);

	i->branch = 1;
	i->branch_target = target & 255;
	i->branch_target_low = target < 256;
	i->unknown_1 = UGP_MODE_BRANCH;
	if (i->pass_a == UGP_SRC_NONE)
		i->pass_a = source(seed);
}

static void count(const struct ugp_view *v)
{
	u32 u;

	for (u = 0; u < UGP_NUM_UNITS; u++)
		gen_count[v->slot[u].op]++;
}

void gen_program(u64 *seed, u32 flags, u32 n, u32 *words)
{
	u32 rate = 2 + gen_below(seed, 12), at = 0;
	enum ugp_field field;
	struct ugp_insn i;
	struct ugp_view v;

	while (at < n) {
		ugp_idle(&i);
		gen_loads(seed, flags, &i);
		gen_adders(seed, &i);
		gen_multipliers(seed, &i);
		gen_rest(seed, flags, &i);
		gen_stores(seed, flags, &i);
		if (flags & GEN_BRANCHES && !i.unknown_1 && !gen_below(seed, rate))
			gen_branch(seed, &i, at, n);
		if (ugp_view(&i, &v, &field))
			continue;
		count(&v);
		ugp_encode(&i, words + UGP_WORDS * at++);
	}
}
