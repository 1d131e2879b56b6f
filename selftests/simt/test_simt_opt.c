// SPDX-License-Identifier: GPL-2.0
/*
 * Optimisations of simt_prog_finish(): that they apply, and that programs return the same
 * results as the reference, which executes every micro-op in order.
 */
#include <stdlib.h>

#include "../include/simt_prog.h"
#include "../include/tap.h"
#include "simt_ref.h"

#define MEM_VA		0x7f0000000000ULL
#define ARENA		(8u << 20)
#define NSLOTS		40
#define MAX_UOPS	200

/* Slots: random programs use the first ones. */
enum { TID, NUSED = 12, TIMES = NUSED, ADDRESS };

static u32 mem[SIMT_LANES][16];

static const struct vs_extent extent = {
	.lo = MEM_VA, .hi = MEM_VA + sizeof(mem), .kva = (u8 *)mem, .flags = VS_EXT_WRITE,
};

static const struct vs_map map = { .n = 1, .ext = &extent };
static const u32 unif[4] = { 0x40490fdb, 22, 0xbf000000, 44 };

static struct simt_arena arena;
static struct simt_builder *b;
static struct simt_uop code[MAX_UOPS];
static u32 where[MAX_UOPS];		/* micro-op of a label */
static u32 ncode;
static u32 consts[1024];
static u64 state;

static u32 rnd(u32 n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(state >> 33) % n;
}

/* ---- building ---- */

static void begin(u64 seed)
{
	state = seed;
	arena.used = 0;
	ncode = 0;
	b = simt_builder_new(&arena, MAX_UOPS + 40, 256, ARRAY_SIZE(unif));
	simt_builder_label(b, 0);
}

static u16 k(u32 v)
{
	u16 s = simt_builder_const(b, v);

	consts[s & ~SIMT_U] = v;
	return s;
}

static void emit(struct simt_uop u)
{
	simt_builder_emit(b, &u);
	code[ncode++] = u;
}

static void op2(u32 op, u32 d, u32 s0, u32 s1, u32 imm)
{
	emit((struct simt_uop){ .op = op, .d = d, .s = { s0, s1 }, .imm = imm });
}

static void label(u32 n)
{
	simt_builder_label(b, n);
	where[n] = ncode;
}

static struct simt_prog *finish(bool forget)
{
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4, .zero = NSLOTS,
					 .forget = forget };
	struct simt_prog *p;

	return simt_prog_finish(b, &proto, 0, &p) ? NULL : p;
}

static u32 count(const struct simt_prog *p, u32 op)
{
	u32 i, n = 0;

	for (i = 0; p && i < p->nuops; i++)
		n += p->uops[i].op == op;
	return n;
}

static const struct simt_uop *find(const struct simt_prog *p, u32 op)
{
	static const struct simt_uop none;
	u32 i;

	for (i = 0; p && i < p->nuops; i++)
		if (p->uops[i].op == op)
			return &p->uops[i];
	return &none;
}

/* ---- optimised programs ---- */

static void store(u32 slot)
{
	op2(SIMT_ST, slot, k((u32)MEM_VA), k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	op2(SIMT_END, 0, 0, 0, 0);
}

static void test_copies(void)
{
	struct simt_prog *p;

	begin(0);
	op2(SIMT_MOV, 2, TID, 0, 0);
	op2(SIMT_MOV, 3, 2, 0, 0);
	op2(SIMT_IADD, 4, 3, k(5), 0);
	op2(SIMT_MOV, 5, 4, 0, 0);
	store(5);
	p = finish(true);
	tap_result(p && !count(p, SIMT_MOV) && find(p, SIMT_IADD)->s[0] == TID &&
		   find(p, SIMT_ST)->d == find(p, SIMT_IADD)->d,
		   "moved operands are read where they come from");
	tap_result(p && p->zero == 1, "slots that are written first need not be zeros");

	begin(0);
	op2(SIMT_MOV, 2, TID, 0, 0);
	op2(SIMT_IADD, TID, TID, k(1), 0);
	op2(SIMT_IADD, 3, 2, TID, 0);
	store(3);
	p = finish(true);
	tap_result(count(p, SIMT_MOV) == 1 && p->uops[2].s[0] == 2,
		   "not where that is something else meanwhile");

	begin(0);
	op2(SIMT_IADD, 2, TID, k(1), 0);
	op2(SIMT_IADD, 3, TID, k(1), 0);
	store(3);
	tap_result(count(finish(false), SIMT_IADD) == 2, "all slots last, unless it is said");
}

static void test_moves(void)
{
	struct simt_prog *p;

	begin(0);
	op2(SIMT_IADD, 9, 2, k(1), 0);
	op2(SIMT_ISUB, 3, 9, k(7), 0);
	op2(SIMT_MOV, 2, 9, 0, 0);
	label(1);
	op2(SIMT_IADD, 2, 2, 3, 0);
	op2(SIMT_BRNZ, 0, 2, 0, 1);
	store(2);
	p = finish(true);
	tap_result(!count(p, SIMT_MOV) && p->uops[0].d == 2 && p->uops[1].s[0] == 2,
		   "results go where they would be moved to");

	begin(0);
	op2(SIMT_IADD, 9, TID, k(1), 0);
	op2(SIMT_ISUB, 3, 2, k(7), 0);
	op2(SIMT_MOV, 2, 9, 0, 0);
	label(1);
	op2(SIMT_IADD, 2, 2, 3, 0);
	op2(SIMT_BRNZ, 0, 2, 0, 1);
	store(2);
	tap_result(count(finish(true), SIMT_MOV) == 1, "but not if that is read in between");
}

/* A product, its sum, and code that may prevent their fusion. */
static struct simt_prog *product(u16 mods, bool used, bool changed)
{
	begin(0);
	op2(SIMT_FMUL, 3, TID, 2, 0);
	if (changed)
		op2(SIMT_IADD, 2, 2, k(1), 0);
	emit((struct simt_uop){ .op = SIMT_FADD, .d = 4, .s = { SIMT_U | 1, 3 }, .mods = mods });
	if (used)
		op2(SIMT_IXOR, 4, 4, 3, 0);
	if (changed)
		op2(SIMT_IXOR, 4, 4, 2, 0);
	store(4);
	return finish(true);
}

static void test_products(void)
{
	struct simt_prog *p = product(SIMT_NEG(1) | SIMT_ABS(0) | SIMT_CLAMP(1), false, false);
	const struct simt_uop *u = find(p, SIMT_FMAU);

	tap_result(!count(p, SIMT_FMUL) && !count(p, SIMT_FADD) && u->s[0] == TID &&
		   u->s[1] == 2 && u->s[2] == (SIMT_U | 1) &&
		   u->mods == (SIMT_NEG(0) | SIMT_ABS(2) | SIMT_CLAMP(1)),
		   "products become part of their sums");
	tap_result(count(product(SIMT_ABS(1), false, false), SIMT_FMUL) &&
		   count(product(0, true, false), SIMT_FMUL) &&
		   count(product(0, false, true), SIMT_FMUL),
		   "not absolute ones, used ones, those of factors that changed");
}

/* The phi of a loop: a move following a branch out of it, whose target may read either value. */
static struct simt_prog *after_branch(u32 read, bool entered)
{
	begin(0);
	op2(SIMT_IADD, 2, TID, k(1), 0);
	label(1);
	op2(SIMT_IADD, 3, 2, k(5), 0);
	op2(SIMT_BRNZ, 0, TID, 0, 2);
	if (entered)
		label(3);
	op2(SIMT_MOV, 2, 3, 0, 0);
	op2(SIMT_BRNZ, 0, 5, 0, 1);
	if (entered)
		op2(SIMT_BRNZ, 0, TID, 0, 3);
	op2(SIMT_BRNZ, 0, 5, 0, 4);
	label(4);
	op2(SIMT_IADD, read, 2, k(9), 0);
	label(2);
	store(read);
	return finish(true);
}

static void test_phis(void)
{
	tap_result(!count(after_branch(4, false), SIMT_MOV),
		   "moves following a branch out of a loop");
	tap_result(count(after_branch(2, false), SIMT_MOV) == 1 &&
		   count(after_branch(3, false), SIMT_MOV) == 1 &&
		   count(after_branch(4, true), SIMT_MOV) == 1,
		   "not if the branch's target reads either value, or others go to the move");
}

/* Two products and their sum, the second one changed or used afterwards on demand. */
static struct simt_prog *products(u16 first, u16 second, u16 sum, bool used)
{
	begin(0);
	op2(SIMT_IADD, 2, TID, k(1), 0);
	emit((struct simt_uop){ .op = SIMT_FMUL, .d = 3, .s = { TID, 2 }, .mods = first });
	emit((struct simt_uop){ .op = SIMT_FMUL, .d = 4, .s = { 2, SIMT_U | 1 }, .mods = second });
	emit((struct simt_uop){ .op = SIMT_FADD, .d = 5, .s = { 3, 4 }, .mods = sum });
	if (used)
		op2(SIMT_IXOR, 5, 5, 4, 0);
	store(5);
	return finish(true);
}

static void test_sums_of_products(void)
{
	struct simt_prog *p = products(SIMT_NEG(1), SIMT_NEG(0) | SIMT_ABS(1),
				       SIMT_NEG(0) | SIMT_NEG(1) | SIMT_CLAMP(2), false);
	const struct simt_uop *u = find(p, SIMT_FDOT);

	tap_result(!count(p, SIMT_FMUL) && !count(p, SIMT_FADD) && !count(p, SIMT_FMAU) &&
		   u->s[0] == TID && u->s[1] == 2 && u->s[2] == 2 && u->s[3] == (SIMT_U | 1) &&
		   u->mods == (SIMT_NEG(0) | SIMT_NEG(1) | SIMT_ABS(3) | SIMT_CLAMP(2)),
		   "sums of two products become one operation");
	p = products(0, 0, 0, true);
	tap_result(count(p, SIMT_FMUL) == 1 && count(p, SIMT_FMAU) == 1,
		   "not of one that is used, too");
	p = products(0, 0, SIMT_ABS(1), false);
	tap_result(count(p, SIMT_FMUL) == 1 && count(p, SIMT_FMAU) == 1, "nor of an absolute one");
	tap_result(count(products(0, SIMT_CLAMP(1), 0, false), SIMT_FMUL) == 1,
		   "nor of a clamped one");
}

/* An operation on two words that reads the result of another one. */
static const struct simt_uop *words_of(u32 op, u32 imm, u32 reader, u32 other, bool used)
{
	struct simt_prog *p;

	begin(0);
	op2(SIMT_IADD, 2, TID, k(1), 0);
	op2(op, 3, TID, 2, imm);
	op2(reader, 4, other, 3, 0);
	if (used)
		op2(SIMT_IXOR, 4, 4, 3, 0);
	store(4);
	p = finish(true);
	return count(p, SIMT_IMAD) ? find(p, SIMT_IMAD) :
	       count(p, SIMT_SHRXM) ? find(p, SIMT_SHRXM) : NULL;
}

static void test_words(void)
{
	const struct simt_uop *u = words_of(SIMT_IMUL, 0, SIMT_IADD, SIMT_U | 1, false);

	tap_result(u && u->op == SIMT_IMAD && u->s[0] == TID && u->s[1] == 2 &&
		   u->s[2] == (SIMT_U | 1), "products of words become part of sums");
	u = words_of(SIMT_SHRX, 9, SIMT_IMUL, SIMT_U | 1, false);
	tap_result(u && u->op == SIMT_SHRXM && u->s[0] == TID && u->s[2] == 2 &&
		   u->s[1] == (SIMT_U | 1) && u->imm == 9,
		   "exclusive ors with shifted words become part of products");
	tap_result(!words_of(SIMT_IMUL, 0, SIMT_IADD, TID, true) &&
		   !words_of(SIMT_SHRX, 9, SIMT_IMUL, TID, true) &&
		   !words_of(SIMT_IMUL, 0, SIMT_IADD, 3, false) &&
		   !words_of(SIMT_IADD, 0, SIMT_IADD, TID, false),
		   "not if they are used twice, nor others");
}

/* A uniform word that an operation reads first. */
static void test_order(void)
{
	const struct simt_uop sum = {
		.op = SIMT_FADD, .d = 3, .s = { SIMT_U | 1, TID },
		.mods = SIMT_NEG(0) | SIMT_ABS(1) | SIMT_CLAMP(1),
	}, *u;

	begin(0);
	emit(sum);
	op2(SIMT_ISUB, 4, SIMT_U | 1, 3, 0);
	store(4);
	u = find(finish(true), SIMT_FADD);
	tap_result(u->s[0] == TID && u->s[1] == (SIMT_U | 1) &&
		   u->mods == (SIMT_NEG(1) | SIMT_ABS(0) | SIMT_CLAMP(1)) &&
		   u[1].op == SIMT_ISUB && u[1].s[0] == (SIMT_U | 1),
		   "uniform words are second operands where the order is free");
}

/* An exclusive or of a shifted word, and code that may prevent their fusion. */
static struct simt_prog *shifted(u32 op, u32 by, u32 imm, u32 inverted, bool changed)
{
	begin(0);
	op2(op, 2, TID, by, imm);
	if (changed)
		op2(SIMT_IADD, TID, TID, k(1), 0);
	op2(SIMT_IXOR, 3, TID, 2, inverted);
	store(3);
	return finish(true);
}

static void test_shifts(void)
{
	struct simt_prog *p = shifted(SIMT_SHLI, 0, 5, 0, false);
	const struct simt_uop *u = find(p, SIMT_SHLX);

	tap_result(!count(p, SIMT_SHLI) && !count(p, SIMT_IXOR) && u->s[0] == TID &&
		   u->s[1] == TID && u->imm == 5, "shifts become part of exclusive ors");
	begin(0);
	op2(SIMT_SHR, 2, TID, k(39), 0);
	op2(SIMT_IXOR, 3, TID, 2, 0);
	store(3);
	p = finish(true);
	tap_result(!count(p, SIMT_SHR) && !count(p, SIMT_SHRI) && find(p, SIMT_SHRX)->imm == 7,
		   "and shifts by constants");
	tap_result(count(shifted(SIMT_SHLI, 0, 5, 1, false), SIMT_SHLI) &&
		   count(shifted(SIMT_SHRI, 0, 5, 0, true), SIMT_SHRI) &&
		   count(shifted(SIMT_SHR, SIMT_U | 1, 0, 0, false), SIMT_SHR) &&
		   count(shifted(SIMT_ASRI, 0, 5, 0, false), SIMT_ASRI),
		   "not inverted ones, words that changed, shifts by uniforms, arithmetic ones");
}

static void test_branches(void)
{
	struct simt_prog *p;

	begin(0);
	op2(SIMT_BRNZ, 0, TID, 0, 1);
	op2(SIMT_JMP, 0, 0, 0, 2);
	label(1);
	op2(SIMT_IADD, 2, 2, k(1), 0);
	label(2);
	store(2);
	p = finish(true);
	tap_result(!count(p, SIMT_JMP) && p->uops[0].op == SIMT_BRZ && count(p, SIMT_JOIN) == 1,
		   "branches over jumps are the other way round");

	begin(0);
	op2(SIMT_BRNZ, 0, TID, 0, 2);
	label(1);
	op2(SIMT_JMP, 0, 0, 0, 3);
	label(2);
	op2(SIMT_IADD, 2, 2, k(1), 0);
	op2(SIMT_BRZ, 0, 2, 0, 1);
	label(3);
	store(2);
	tap_result(count(finish(true), SIMT_JMP) == 1, "but if others go to the jump");
}

/* A comparison, a branch on it, and code that may prevent their fusion. */
static struct simt_prog *compared(u32 cmp, u32 branch, u32 imm, u16 mods, bool used, bool changed)
{
	struct simt_uop u = { .op = cmp, .d = 3, .s = { TID, 2 }, .mods = mods };

	begin(0);
	op2(SIMT_IADD, 2, TID, k(1), 0);
	u.imm = SIMT_CMP(imm, SIMT_TRUE_M1);
	emit(u);
	if (changed)
		op2(SIMT_IADD, 2, 2, k(1), 0);
	op2(branch, 0, 3, 0, 1);
	op2(SIMT_IADD, 2, 2, k(1), 0);
	label(1);
	store(used ? 3 : 2);
	return finish(true);
}

static void test_compared(void)
{
	struct simt_prog *p = compared(SIMT_FCMP, SIMT_BRZ, SIMT_GTLT, 0, false, false);
	const struct simt_uop *u = find(p, SIMT_BRCMP);
	bool refused;
	u32 bad;

	tap_result(!count(p, SIMT_FCMP) && u->s[0] == TID && u->s[1] == 2 &&
		   u->n == (SIMT_BRCMP(SIMT_GTLT, SIMT_CMP_F) | SIMT_BRCMP_NOT) &&
		   p->uops[u->imm].op == SIMT_JOIN,
		   "comparisons become part of branches");
	u = find(compared(SIMT_ICMP, SIMT_BRNZ, SIMT_LE, 0, false, false), SIMT_BRCMP);
	tap_result(u->n == SIMT_BRCMP(SIMT_LE, SIMT_CMP_I), "those of integers, too");
	tap_result(count(compared(SIMT_FCMP, SIMT_BRZ, SIMT_EQ, SIMT_NEG(0), false, false),
			 SIMT_BRZ) &&
		   count(compared(SIMT_UCMP, SIMT_BRZ, SIMT_EQ, 0, true, false), SIMT_BRZ) &&
		   count(compared(SIMT_UCMP, SIMT_BRZ, SIMT_EQ, 0, false, true), SIMT_BRZ) &&
		   count(compared(SIMT_UCMP, SIMT_BRZ, SIMT_ORD, 0, false, false), SIMT_BRZ),
		   "not with modifiers, used ones, those of operands that changed");
	p = compared(SIMT_UCMP, SIMT_BRZ, SIMT_EQ, 0, false, false);
	u = find(p, SIMT_BRCMP);
	((struct simt_uop *)u)->n = SIMT_BRCMP(SIMT_ORD, SIMT_CMP_U);
	refused = simt_prog_verify(p, &bad);
	((struct simt_uop *)u)->n = SIMT_BRCMP(SIMT_EQ, 3);
	refused &= !!simt_prog_verify(p, &bad);
	tap_result(refused, "comparisons that there are not are refused");
}

static void test_jumps(void)
{
	begin(0);
	op2(SIMT_BRNZ, 0, TID, 0, 1);
	op2(SIMT_IADD, 2, 2, k(1), 0);
	op2(SIMT_JMP, 0, 0, 0, 1);
	op2(SIMT_IADD, 9, 2, k(1), 0);
	label(1);
	store(2);
	tap_result(!count(finish(true), SIMT_JMP), "jumps to what comes next are none");
}

/* An address of a pair of words and a wider offset. */
static struct simt_prog *wide(u32 base, u32 imm, bool changed)
{
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4, .zero = NSLOTS,
					 .forget = true, .wls = 20 };
	const struct simt_uop u = { .op = SIMT_SHADD, .d = 3, .d2 = 4, .imm = imm,
				    .s = { TID, TID, base, base + 1 } };
	struct simt_prog *p;

	begin(0);
	if (changed)
		op2(SIMT_MOV, 21, TID, 0, 0);
	emit(u);
	op2(SIMT_LD, 2, 3, 4, SIMT_MEM(4, SIMT_SEG_GLOBAL, 8));
	store(2);
	return simt_prog_finish(b, &proto, 0, &p) ? NULL : p;
}

static void test_wide(void)
{
	const struct simt_uop *u = find(wide(SIMT_U | 2, 0x23, false), SIMT_LD);

	tap_result(u->s[0] == TID && u->s[1] == (SIMT_U | 2) &&
		   u->imm == (SIMT_MEM(4, SIMT_SEG_BASE, 8) | SIMT_MEM_SHIFT(3)),
		   "offsets that are made wider stay as they are");
	u = find(wide(20, 0x12, false), SIMT_LD);
	tap_result(u->s[0] == TID && u->imm == (SIMT_MEM(4, SIMT_SEG_LOCAL, 8) |
						SIMT_MEM_SHIFT(2) | SIMT_MEM_SIGNED),
		   "the workgroup's memory is known by where its address is");
	tap_result(count(wide(20, 0x12, true), SIMT_SHADD) &&
		   count(wide(22, 0x12, false), SIMT_SHADD) &&
		   count(wide(20, 0x02, false), SIMT_SHADD),
		   "unless that is written, another one, or an offset of 64 bits");
}

/* ---- random programs ---- */

static u16 operand(void)
{
	switch (rnd(8)) {
	case 0:
		return SIMT_U | rnd(ARRAY_SIZE(unif));
	case 1:
		return k(rnd(2) ? rnd(4) : 0x3f000000 + (rnd(64) << 20));
	default:
		return (u16)rnd(NUSED);
	}
}

static void random_op(void)
{
	static const u16 ops[] = {
		SIMT_MOV, SIMT_MOV, SIMT_MOV, SIMT_FMUL, SIMT_FMUL, SIMT_FADD, SIMT_FADD,
		SIMT_FMAU, SIMT_IADD, SIMT_ISUB, SIMT_SHLI, SIMT_SHADD, SIMT_UCSEL, SIMT_BSEL,
		SIMT_IMUL, SIMT_SHRX,
	};
	struct simt_uop u = { .op = ops[rnd(ARRAY_SIZE(ops))], .d = (u16)rnd(NUSED) };
	u32 i;

	for (i = 0; i < simt_opinfo[u.op].nsrc; i++)
		u.s[i] = operand();
	if (simt_opinfo[u.op].class == SIMT_CL_F)
		u.mods = rnd(2) ? 0 : (rnd(4) | rnd(4) << 4 | (rnd(4) ? 0 : SIMT_CLAMP(rnd(4))));
	if (u.op == SIMT_SHLI || u.op == SIMT_SHRX)
		u.imm = rnd(32);
	if (u.op == SIMT_UCSEL)
		u.imm = SIMT_LT;
	u.d2 = (u16)((u.d + 1) % NUSED);
	emit(u);
}

/* Blocks that some lanes jump over, and a loop around some blocks. */
static void random_program(u64 seed)
{
	static const u16 cmps[] = { SIMT_FCMP, SIMT_ICMP, SIMT_UCMP };
	u32 parts = 3 + rnd(5), i, n, w;

	begin(seed);
	op2(SIMT_MOV, TIMES, k(3), 0, 0);
	label(1);
	for (i = 0; i < parts; i++) {
		label(10 + i);
		for (n = rnd(12); n; n--)
			random_op();
		w = i + 1 + rnd(parts - i);
		n = rnd(NUSED);
		if (rnd(2)) {
			op2(cmps[rnd(3)], n, operand(), operand(), SIMT_CMP(rnd(6), rnd(3)));
			op2(rnd(2) ? SIMT_BRNZ : SIMT_BRZ, 0, n, 0, 10 + w);
		} else if (rnd(2)) {
			op2(rnd(2) ? SIMT_BRNZ : SIMT_BRZ, 0, n, 0, 10 + w);
		}
		if (!rnd(4))
			op2(SIMT_JMP, 0, 0, 0, 10 + i + 1 + rnd(parts - i));
	}
	label(10 + parts);
	op2(SIMT_ISUB, TIMES, TIMES, k(1), 0);
	op2(SIMT_BRNZ, 0, TIMES, 0, 1);
	for (i = 0; i < NUSED; i += 4)
		op2(SIMT_ST, i, ADDRESS, k(MEM_VA >> 32), SIMT_MEM(16, SIMT_SEG_GLOBAL, 4 * i));
	op2(SIMT_END, 0, 0, 0, 0);
}

static void start(struct simt_machine *m, struct simt_block *blk, const struct simt_group *g)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		blk->slot[TID * SIMT_LANES + l] = l;
		blk->slot[ADDRESS * SIMT_LANES + l] = (u32)MEM_VA + l * sizeof(mem[0]);
	}
}

static bool ext(struct simt_machine *m, struct simt_block *blk, const struct simt_uop *u)
{
	return false;
}

static const struct simt_ops ops = { .start = start, .ext = ext };

static bool run(const struct simt_prog *p, enum vs_simd simd)
{
	struct simt_launch l = { .ops = &ops, .unif = unif, .prog = p, .wls_instances = 1,
				 .local = { SIMT_LANES, 1, 1 }, .groups = { 1, 1, 1 } };
	struct simt_machine *m = simt_machine_new(&arena, &map);
	u64 used;

	return m && !simt_machine_launch(m, &l) &&
	       simt_machine_run(m, simd, 1 << 24, &used) == SIMT_RUN_DONE;
}

/* A lane by the reference. */
static void run_ref(u32 lane, u32 *slot)
{
	u32 pc = 0, s[4], i;

	memset(slot, 0, NSLOTS * sizeof(*slot));
	slot[TID] = lane;
	while (code[pc].op != SIMT_ST) {
		const struct simt_uop *u = &code[pc++];
		struct ref r = { };

		for (i = 0; i < 4; i++)
			s[i] = !(u->s[i] & SIMT_U) ? slot[u->s[i]] :
			       (u->s[i] & ~SIMT_U) < ARRAY_SIZE(unif) ? unif[u->s[i] & ~SIMT_U] :
			       consts[u->s[i] & ~SIMT_U];
		if (u->op == SIMT_JMP || (u->op == SIMT_BRNZ && s[0]) ||
		    (u->op == SIMT_BRZ && !s[0]))
			pc = where[u->imm];
		if (!ref_lane(u, s, lane, &r))
			continue;
		slot[u->d] = r.lo;
		if (u->op == SIMT_SHADD)
			slot[u->d2] = r.second;
	}
}

static void test_random(enum vs_simd simd, u32 n)
{
	u32 i, l, bad = 0, want[NSLOTS];
	u64 uops = 0, left = 0;
	struct simt_prog *p;

	for (i = 0; i < n && !bad; i++) {
		random_program(i + 1);
		memset(mem, 0xee, sizeof(mem));
		p = finish(true);
		if (!p || !run(p, simd)) {
			bad = 1;
			break;
		}
		uops += ncode;
		left += p->nuops;
		for (l = 0; l < SIMT_LANES; l++) {
			run_ref(l, want);
			bad += !!memcmp(want, mem[l], NUSED * sizeof(u32));
		}
	}
	tap_result(!bad, "%s: %u random programs", vs_simd_name(simd), i);
	tap_comment("%llu micro-ops, %llu left", (unsigned long long)uops,
		    (unsigned long long)left);
}

int main(void)
{
	u32 simd;

	arena.base = aligned_alloc(64, ARENA);
	arena.size = ARENA;
	if (!arena.base)
		return 1;
	test_copies();
	test_moves();
	test_phis();
	test_products();
	test_sums_of_products();
	test_words();
	test_order();
	test_shifts();
	test_branches();
	test_compared();
	test_jumps();
	test_wide();
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		if (vs_simd_mask() & BIT(simd))
			test_random(simd, simd == VS_SIMD_PORTABLE ? 300 : 3000);
	free(arena.base);
	return tap_done();
}
