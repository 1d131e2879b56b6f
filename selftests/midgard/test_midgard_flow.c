// SPDX-License-Identifier: GPL-2.0
/* Branches, ends, barriers and threads' ids on the Midgard reference model, made by hand. */
#include <string.h>

#include "../include/tap.h"
#include "mcode.h"

/* r0.x = @v by an immediate. */
static void set(struct mcode *c, unsigned int reg, uint16_t v)
{
	struct mc_alu a = { 0 };

	mc_unit(&a, MC_VMUL, mc_regs_imm(MC_R24, v, reg),
		mc_vec(0x7b, 2, 0, mc_vimm(v), 2, 2, 0xff));
	mc_alu(c, &a);
}

/* r0.x += 1, and r31.w from r0.x < @n; no branch yet. */
static struct mc_alu count(uint16_t n)
{
	struct mc_alu a = { 0 };

	mc_unit(&a, MC_SADD, mc_regs_imm(0, 1, 0),
		mc_sca(0x40, mc_ssrc(0, true, 0), mc_simm(1), 2, true, 0));
	mc_unit(&a, MC_SMUL, mc_regs_imm(0, n, MC_R31),
		mc_sca(0xa4, mc_ssrc(0, true, 0), mc_simm(n), 2, true, 6));
	return a;
}

/* Runs what counts in r0.x. Return: r0.x, ~0 if there was an error. */
static uint32_t counted(struct mcode *c, char *error)
{
	struct mjob j;
	uint32_t v;

	mj_new(&j);
	mc_store(c, 0, 0, 0);
	v = mj_run(&j, c) ? mj_r32(&j, MJ_DATA) : ~0u;
	memcpy(error, j.g.error, sizeof(j.g.error));
	mj_free(&j);
	return v;
}

static void loops(void)
{
	char error[200];
	struct mcode c;
	struct mc_alu a;
	unsigned int i;
	uint32_t v;

	for (i = 0; i < 6; i++) {
		/* while true; while not false, the other way round; compact or extended */
		bool far = i & 1;

		mc_start(&c);
		set(&c, 0, 0);
		a = count(7);
		a.has_compact = !far;
		a.has_extended = far;
		switch (i / 2) {
		case 0:
			a.compact = mc_compact(2, 9, -2, 2);
			a.extended = mc_extended(2, 9, 0, -2, 0xaaaa);
			break;
		case 1:
			/* the loop ends at once: the first comparison is true */
			a.compact = mc_compact(2, 9, -2, 1);
			a.extended = mc_extended(2, 9, 0, -2, 0x5555);
			break;
		default:
			/* never */
			a.compact = mc_compact(2, 9, -2, 0);
			a.extended = mc_extended(2, 9, 0, -2, 0);
		}
		mc_alu(&c, &a);
		v = counted(&c, error);
		tap_result(v == (i < 2 ? 7 : 1), "%s branch %u: %u times %s",
			   far ? "extended" : "compact", i / 2, v, error);
	}
}

/* Tables of two conditions: which of r31.w's halves are set says whether 1 is added. */
static void tables(void)
{
	static const uint16_t luts[4] = { 0x8888, 0xeeee, 0x6666, 0x4444 };
	static const uint8_t taken[4] = { 0x8, 0xe, 0x6, 0x4 };
	unsigned int i, k, bad = 0;
	char error[200];

	for (i = 0; i < 16; i++) {
		struct mc_alu a = { .has_constants = true };
		struct mcode c;
		unsigned int in = i & 3;

		a.constants[3] = (in & 1 ? 0xffff : 0) | (in & 2 ? 0xffff0000 : 0);
		mc_start(&c);
		set(&c, 0, 5);
		mc_move(&a, MC_VMUL, MC_CONST, MC_R31);
		a.has_extended = true;
		/* over one bundle, to the one of two quadwords that stores */
		a.extended = mc_extended(2, 9, 0, 1, luts[i / 4]);
		mc_alu(&c, &a);
		set(&c, 0, 6);
		k = counted(&c, error);
		if (k != (taken[i / 4] >> in & 1 ? 5 : 6))
			bad++;
	}
	tap_result(!bad, "tables of two conditions: %u of 16 wrong %s", bad, error);
}

/* A jump that skips a bundle, with what is wrong about it. */
static void jumps(void)
{
	static const struct {
		const char *what;
		unsigned int op, tag, mode;
		int offset;
		uint32_t want;
		const char *error;
	} t[] = {
		{ "jump over a bundle", 1, 9, 1, 1, 1, "" },
		{ "jump to the next bundle", 1, 8, 1, 0, 2, "" },
		{ "jump to another kind", 1, 8, 1, 1, ~0u, "expected" },
		{ "jump into a bundle", 1, 8, 1, 2, ~0u, "" },
		{ "jump out of the program", 1, 1, 1, 100, 0, "" },
		{ "jump out of memory", 1, 8, 1, -60, ~0u, "" },
		{ "call", 1, 9, 2, 1, 1, "" },
		{ "call of nothing", 1, 1, 2, 1, ~0u, "of nothing" },
		{ "return", 1, 9, 3, 1, ~0u, "without a call" },
		{ "branch 3", 3, 9, 1, 1, ~0u, "branch" },
		{ "framebuffer write", 7, 9, 0, 0, ~0u, "" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mc_alu a = { .has_compact = true };
		char error[200];
		struct mcode c;
		uint32_t v;

		mc_start(&c);
		set(&c, 0, 1);
		a.compact = t[i].op == 1 ? mc_jump(t[i].tag, t[i].mode, t[i].offset) :
			mc_compact(t[i].op, t[i].tag, t[i].offset, 3);
		mc_alu(&c, &a);
		set(&c, 0, 2);
		v = counted(&c, error);
		tap_result(v == t[i].want && (v == ~0u) == !!*error && strstr(error, t[i].error),
			   "%s: %d %s", t[i].what, (int)v, error);
	}
}

/* No condition, the wait for the tile buffer, and the program counter. */
static void rest(void)
{
	struct mc_alu a = { .has_compact = true, .compact = mc_compact(2, 8, 0, 2) };
	char error[200];
	struct mcode c;
	uint32_t v;

	mc_start(&c);
	set(&c, 0, 1);
	mc_alu(&c, &a);
	v = counted(&c, error);
	tap_result(v == ~0u && strstr(error, "condition"), "branch without condition: %s", error);
	mc_start(&c);
	set(&c, 0, 1);
	a.compact = mc_compact(6, 8, -1, 3);
	mc_alu(&c, &a);
	v = counted(&c, error);
	tap_result(v == 1, "wait for the tile buffer: %u %s", v, error);
	mc_start(&c);
	set(&c, 0, 1);
	memset(&a, 0, sizeof(a));
	mc_unit(&a, MC_SADD, mc_regs_imm(MC_R31, 0, 0),
		mc_sca(0x40, mc_ssrc(0, true, 0), mc_simm(0), 2, true, 0));
	mc_alu(&c, &a);
	v = counted(&c, error);
	tap_result(v == MJ_CODE + 32, "program counter: %x %s", v, error);
}

static void ends(void)
{
	struct mc_alu a = { .has_compact = true, .compact = mc_compact(2, 8, -1, 3) };
	char error[200];
	struct mcode c;
	uint32_t v;

	mc_start(&c);
	set(&c, 0, 1);
	mc_alu(&c, &a);
	v = counted(&c, error);
	tap_result(v == ~0u && strstr(error, "budget"), "endless loop: %s", error);
	/* the second bundle says that nothing follows */
	mc_start(&c);
	set(&c, 0, 1);
	set(&c, 0, 2);
	mc_store(&c, 0, 0, 0);
	c.w[4] = (c.w[4] & ~0xf0u) | 0x10;
	v = counted(&c, error);
	tap_result(!v, "end before the store: %u %s", v, error);
	c.w[4] &= ~0xf0u;
	v = counted(&c, error);
	tap_result(v == ~0u && *error, "0 as next kind: %s", error);
	c.w[4] |= 0x50;
	v = counted(&c, error);
	tap_result(v == ~0u && strstr(error, "expected"), "another next kind: %s", error);
}

/* Each thread stores an id: local, of the group, global. */
static void ids(void)
{
	unsigned int k, x, y, gx, bad = 0;
	struct mcode c;
	struct mjob j;

	for (k = 4; k <= 6; k++) {
		struct mc_alu a = { 0 };

		mj_new(&j);
		j.local[0] = 4;
		j.local[1] = 3;
		j.groups[0] = 2;
		mc_start(&c);
		mc_ldst(&c,
			MC_LS(.op = 0x10, .reg = 1, .mask = 15, .swizzle = MC_XYZW, .arg_reg = 6),
			MC_NOP_LS);
		mc_ldst(&c,
			MC_LS(.op = 0x10, .reg = 0, .mask = 15, .swizzle = MC_XYZW, .arg_reg = k),
			MC_NOP_LS);
		/* r2.x = x + 8 y */
		mc_unit(&a, MC_SADD, mc_regs_imm(1, 3, MC_R24),
			mc_sca(0x6e, mc_ssrc(0, true, 2), mc_simm(3), 2, true, 0));
		mc_unit(&a, MC_SMUL, mc_regs(1, MC_R24, 2),
			mc_sca(0x40, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), 2, true, 0));
		mc_alu(&c, &a);
		memset(&a, 0, sizeof(a));
		mc_move(&a, MC_VMUL, 0, MC_AL0);
		mc_move(&a, MC_VLUT, 23, MC_AL1);
		mc_unit(&a, MC_SMUL, mc_regs(MC_R24, 2, MC_AL0),
			mc_sca(0x7b, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), 2, true, 6));
		mc_alu(&c, &a);
		mc_ldst(&c,
			MC_LS(.op = 0xd0, .mask = 7, .swizzle = MC_XYZW, .arg_reg = 1,
			      .toggle = true, .index_format = 2, .index_reg = 0, .index_comp = 3,
			      .shift = 4), MC_NOP_LS);
		if (!mj_run(&j, &c))
			bad++;
		for (gx = 0; gx < 2; gx++)
			for (y = 0; y < 3; y++)
				for (x = 0; x < 4; x++) {
					uint64_t at = MJ_DATA + 16 * (4 * gx + x + 8 * y);
					uint32_t want = k == 4 ? x : k == 5 ? gx : 4 * gx + x;

					if (mj_r32(&j, at) != want ||
					    mj_r32(&j, at + 4) != (k == 5 ? 0 : y) ||
					    mj_r32(&j, at + 8))
						bad++;
				}
		tap_result(!bad, "ids of argument register %u %s", k, j.g.error);
		mj_free(&j);
	}
}

/*
 * Each thread writes its number to memory of its own and of the group, waits, and reads
 * that of the one opposite.
 */
static void shared(void)
{
	static const uint32_t barrier[4] = { 4 | 11 << 8 | 3 << 16 };
	static const uint32_t other[4] = { 2 | 11 << 8 | 3 << 16 };
	unsigned int i, bad = 0;
	struct mc_alu a = { 0 };
	struct mcode c;
	struct mjob j;

	mj_new(&j);
	j.local[0] = 8;
	j.wls = 64;
	j.tls = 32;
	mc_start(&c);
	mc_ldst(&c,
		MC_LS(.op = 0x10, .reg = 0, .mask = 15, .swizzle = MC_X, .arg_reg = 4), MC_NOP_LS);
	mc_move(&a, MC_VMUL, 0, MC_AL0);
	mc_alu(&c, &a);
	mc_ldst(&c,
		MC_LS(.op = 0xc8, .mask = 15, .swizzle = MC_X, .arg_reg = 3, .arg_comp = 2,
		      .toggle = true, .index_format = 2, .index_reg = 4, .shift = 2, .offset = 4),
		MC_LS(.op = 0xc8, .mask = 15, .swizzle = MC_X, .arg_reg = 3, .arg_comp = 0,
		      .toggle = true, .index_reg = 7, .offset = 28));
	mc_quad(&c, barrier);
	/* r26.x = -id */
	memset(&a, 0, sizeof(a));
	mc_unit(&a, MC_SADD, mc_regs(0, 0, MC_R24),
		mc_sca(0x46, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), 2, true, 0));
	mc_unit(&a, MC_SMUL, mc_regs(MC_R24, 0, MC_AL0),
		mc_sca(0x46, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), 2, true, 0));
	mc_alu(&c, &a);
	mc_ldst(&c,
		MC_LS(.op = 0x88, .reg = 1, .mask = 3, .swizzle = MC_X, .arg_reg = 3,
		      .arg_comp = 2, .toggle = true, .index_format = 3, .index_reg = 0, .shift = 2,
		      .offset = 4 + 28),
		MC_LS(.op = 0x88, .reg = 1, .mask = 12, .swizzle = MC_X, .arg_reg = 3,
		      .toggle = true, .index_reg = 7, .offset = 28));
	mc_store(&c, 1, 0, 4);
	if (!mj_run(&j, &c))
		bad++;
	for (i = 0; i < 8; i++)
		if (mj_r32(&j, MJ_DATA + 16 * i) != 7 - i ||
		    mj_r32(&j, MJ_DATA + 16 * i + 12) != i)
			bad++;
	tap_result(!bad, "barrier, shared memory, memory of a thread %s", j.g.error);
	mj_free(&j);
	/* of another kind of bundle it is none */
	mc_start(&c);
	mc_quad(&c, other);
	mj_new(&j);
	tap_result(!mj_run(&j, &c), "barrier in a bundle of kind 2: %s", j.g.error);
	mj_free(&j);
}

int main(void)
{
	tap_start();
	loops();
	tables();
	jumps();
	rest();
	ends();
	ids();
	shared();
	return tap_done();
}
