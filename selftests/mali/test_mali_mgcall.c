// SPDX-License-Identifier: GPL-2.0
/*
 * Calls and returns of Midgard programs, with and without conditions, in loops and by some of the
 * threads only, on the reference model and every executor; faults.
 */
#include "../include/tap.h"
#include "../ref/midgard_ref.h"
#include "mgjob.h"

#define MODEL	VS_NUM_SIMD
#define KEEP	2	/* integers: the lower half */
#define THREADS	64
#define LOOPS	5

#define TAG_BREAK 1
#define TAG_LDST 5
#define TAG_ALU	8

enum { JUMP = 1, CALL, RETURN };	/* modes */

/* Registers; uniforms hold the same value in all components. */
#define SUM	1
#define ID	2
#define LEFT	3
#define ODD	4
#define SECOND	5
#define ONE	22
#define TWO	21
#define THREE	20
#define SEVEN	19
#define COUNT	18
#define ZERO	17

/* All bundles but loads and stores have one quadword. */
static u32 alu(struct mcode *c, u32 op, u32 src1, u32 src2, u32 dest)
{
	struct mc_alu a = {};

	mc_unit(&a, MC_VMUL, mc_regs(src1, src2, dest),
		mc_vec(op, 2, mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2, KEEP, 0xff));
	return mc_alu(c, &a);
}

static u32 jump(struct mcode *c, u32 mode, u32 tag, u32 to)
{
	struct mc_alu a = { .has_compact = true };

	a.compact = mc_jump(tag, mode, (int)to - (int)(c->n / 4 + 1));
	return mc_alu(c, &a);
}

/* If the first component of @reg is not 0. */
static u32 jump_if(struct mcode *c, u32 reg, u32 mode, u32 to)
{
	struct mc_alu a = { .has_extended = true };

	mc_unit(&a, MC_SADD, mc_regs(reg, ZERO, MC_R31),
		mc_sca(0xa1, mc_ssrc(0, true, 0), mc_ssrc(0, true, 0), KEEP, true, 6));
	a.extended = mc_extended(2, TAG_ALU, mode, (int)to - (int)(c->n / 4 + 1), 0xaaaa);
	return mc_alu(c, &a);
}

static u32 get_id(struct mcode *c)
{
	return mc_ldst(c, MC_LS(.op = 0x10, .reg = ID, .mask = 15, .swizzle = MC_X, .arg_reg = 4),
		       MC_NOP_LS);
}

/* Defects of a program. */
enum wrong { NOTHING, NESTED, NO_CALL };

/* The program begins with a jump over its functions, to @main. Return: where that is. */
static u32 write(struct mcode *c, u32 main, enum wrong wrong)
{
	u32 add, scale, keep, inner, loop;

	mc_start(c);
	jump(c, JUMP, TAG_LDST, main);
	add = alu(c, 0x40, SUM, ID, SUM);
	jump(c, RETURN, TAG_ALU, 0);
	scale = alu(c, 0x58, SUM, THREE, SUM);
	jump_if(c, SECOND, RETURN, 77);
	alu(c, 0x40, SUM, SEVEN, SUM);
	jump(c, RETURN, TAG_BREAK, 0);
	inner = jump(c, CALL, TAG_ALU, add);
	jump(c, RETURN, TAG_ALU, 0);
	keep = c->n / 4;
	mc_store(c, SUM, 0, 4);
	jump(c, RETURN, TAG_ALU, 0);
	main = get_id(c);
	alu(c, 0x70, ID, ONE, ODD);
	alu(c, 0x70, ID, TWO, SECOND);
	alu(c, 0x40, ZERO, ZERO, SUM);
	alu(c, 0x40, COUNT, ZERO, LEFT);
	if (wrong == NO_CALL)
		jump(c, RETURN, TAG_ALU, 0);
	loop = jump(c, CALL, TAG_ALU, wrong == NESTED ? inner : add);
	jump_if(c, ODD, CALL, scale);
	alu(c, 0x46, LEFT, ONE, LEFT);
	jump_if(c, LEFT, JUMP, loop);
	/* the last bundle */
	jump(c, CALL, c->w[4 * keep] & 15, keep);
	return main;
}

static u32 expected(u32 id)
{
	u32 i, sum = 0;

	for (i = 0; i < LOOPS; i++) {
		sum += id;
		if (id & 1)
			sum = 3 * sum + (id & 2 ? 0 : 7);
	}
	return sum;
}

static void set_up(struct mjob *j)
{
	static const u32 values[] = { [1] = 1, 2, 3, 7, LOOPS, 0 };
	u32 i, k;

	mj_new(j);
	j->uniforms = 8;
	j->local[0] = THREADS;
	for (i = 1; i < ARRAY_SIZE(values); i++)
		for (k = 0; k < 4; k++)
			mj_push(j, i, k, values[i]);
}

static u32 run(u32 simd, enum wrong wrong, u32 *bad)
{
	struct vs_fault fault = {};
	struct mcode c;
	struct mjob j;
	u32 i;

	set_up(&j);
	write(&c, write(&c, 0, wrong), wrong);
	if (simd == MODEL)
		fault.kind = !mj_run(&j, &c);
	else
		mg_execute(&j, mj_write(&j, &c), simd, &fault);
	if (fault.kind)
		tap_comment("fault %u at %u %x %s", fault.kind, fault.pc, fault.code, j.g.error);
	for (i = 0, *bad = 0; i < THREADS; i++)
		*bad += mj_r32(&j, MJ_DATA + 16 * i) != expected(i);
	mj_free(&j);
	return fault.kind;
}

int main(void)
{
	u32 simd, bad, fault;

	tap_start();
	for (simd = 0; simd <= MODEL; simd++) {
		const char *name = simd == MODEL ? "model" : vs_simd_name(simd);

		if (simd != MODEL && !(vs_simd_mask() >> simd & 1))
			continue;
		fault = run(simd, NOTHING, &bad);
		tap_result(!fault && !bad,
			   "%s: functions called by all and by some, %u wrong", name, bad);
		tap_result(run(simd, NESTED, &bad) == (simd == MODEL ? 1 : VS_FAULT_ENCODING),
			   "%s: a call in a function", name);
		tap_result(run(simd, NO_CALL, &bad) == (simd == MODEL ? 1 : VS_FAULT_FETCH),
			   "%s: a return without a call", name);
	}
	return tap_done();
}
