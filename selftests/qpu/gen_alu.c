// SPDX-License-Identifier: GPL-2.0
/* Random ALU instructions and load immediates. */
#include "gen_int.h"

/* Anything that can be read without harm. */
static unsigned int read_address(struct gen *g, bool b)
{
	/* On which QPU a thread of a crowd runs must not show. */
	bool crowd = g->j->flags & GEN_CROWD;
	unsigned int r = gen_below(g, 100);

	if (r < 74)
		return gen_below(g, crowd ? FREE_REGS : 32);
	if (r < 82)
		return crowd && b ? 39 : 38;
	if (r < 88)
		return 32;
	if (r < 94)
		return 39;
	/* Addresses that are meaningful only as the source of an operand. */
	return b ? 50 : 49;
}

static unsigned int write_address(struct gen *g)
{
	unsigned int r = gen_below(g, 100);

	if (r < 35)
		return 32 + gen_below(g, 4);
	if (r < 82)
		return gen_below(g, FREE_REGS);
	if (r < 88)
		return 37;
	return 39;
}

static unsigned int condition(struct gen *g)
{
	return gen_chance(g, 55) ? Q_ALWAYS : gen_below(g, 8);
}

static unsigned int adder_op(struct gen *g)
{
	static const unsigned char ops[] = {
		1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 8, 12, 12, 12, 13, 13, 13, 14, 15, 16, 17, 18,
		19, 20, 21, 21, 22, 23, 24, 30, 31,
	};

	if (gen_chance(g, 18))
		return 0;
	if (gen_chance(g, 2))
		return gen_chance(g, 50) ? 9 + gen_below(g, 3) : 25 + gen_below(g, 5);
	return ops[gen_below(g, sizeof(ops))];
}

static unsigned int multiplier_op(struct gen *g)
{
	if (gen_chance(g, 40))
		return 0;
	return gen_chance(g, 35) ? 1 : 1 + gen_below(g, 7);
}

/* Destinations and conditions; both results never go to the same register. */
static uint64_t destinations(struct gen *g)
{
	unsigned int add = write_address(g), mul = write_address(g);

	if (add >= 32 && add == mul)
		mul = 39;
	return (uint64_t)condition(g) << 49 | (uint64_t)condition(g) << 46 |
	       (uint64_t)gen_chance(g, 25) << 45 | (uint64_t)gen_chance(g, 50) << 44 |
	       (uint64_t)add << 38 | (uint64_t)mul << 32;
}

/* Pack and unpack fields. */
static uint64_t packing(struct gen *g, bool unpack)
{
	static const unsigned char mul_packs[] = { 0, 0, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15 };
	bool pm = gen_chance(g, 30);
	uint64_t w = (uint64_t)pm << 56;

	if (unpack && gen_chance(g, 35))
		w |= (uint64_t)gen_below(g, 8) << 57;
	if (gen_chance(g, 45))
		w |= (uint64_t)(pm ? mul_packs[gen_below(g, sizeof(mul_packs))] :
				gen_below(g, 16)) << 52;
	return w;
}

static void load_immediate(struct gen *g)
{
	static const unsigned char forms[] = { 0, 0, 1, 3 };

	q_word(g->p, (uint64_t)Q_SIG_LDI << 60 |
		     (uint64_t)forms[gen_below(g, sizeof(forms))] << 57 | packing(g, false) |
		     destinations(g) | gen_value(g));
}

static void arithmetic(struct gen *g)
{
	unsigned int sig = Q_SIG_NONE, b = read_address(g, true);
	uint64_t w = gen_below(g, 4096);

	if (gen_chance(g, 30)) {
		sig = Q_SIG_SMI;
		b = gen_chance(g, 50) ? 48 + gen_below(g, 16) : gen_below(g, 48);
	} else if (gen_chance(g, 3)) {
		sig = gen_chance(g, 50) ? Q_SIG_THRSW : Q_SIG_LTHRSW;
	}
	/* Rotations from accumulators are different from others. */
	if (gen_chance(g, 40))
		w &= ~044ull;
	w |= (uint64_t)b << 12 | (uint64_t)read_address(g, false) << 18;
	w |= (uint64_t)adder_op(g) << 24 | (uint64_t)multiplier_op(g) << 29;
	q_word(g->p, w | destinations(g) | packing(g, true) | (uint64_t)sig << 60);
}

void gen_alu(struct gen *g)
{
	if (gen_chance(g, 14))
		load_immediate(g);
	else
		arithmetic(g);
}

unsigned int gen_register(struct gen *g)
{
	switch (gen_below(g, 3)) {
	case 0:
		return Q_ACC(gen_below(g, 4));
	case 1:
		return Q_A(gen_below(g, FREE_REGS));
	default:
		return Q_B(gen_below(g, FREE_REGS));
	}
}
