// SPDX-License-Identifier: GPL-2.0
/*
 * Uniformity analysis: which values get slots that workgroups in step share. Optimized programs,
 * run in step, return the results of unoptimized ones whose workgroups run sequentially.
 */
#include <stdlib.h>

#include "../include/simt_prog.h"
#include "../include/tap.h"
#include "engine/simt/simt_intern.h"

#define ARENA		(8u << 20)
#define OUT_VA		0x7f0000000000ULL
#define TABLE_VA	0x7f0000100000ULL
#define WLS_VA		0x7f0000200000ULL
#define MAX_THREADS	2048
#define OUT_WORDS	12
#define TABLE_WORDS	256
#define WLS_BYTES	256
#define MAX_UOPS	400
#define NSLOTS		40

/* Slots: random programs use the first ones. TID is the same in all workgroups. */
enum { TID, WG, NUSED = OUT_WORDS, TIMES = NUSED, ADDRESS, T0, T1, T2, LOCAL, ZEROS = 32 };

static u32 out[MAX_THREADS][16] __aligned(64), want[MAX_THREADS][16];
static u32 table[TABLE_WORDS] __aligned(64);
static u8 wls[64 * WLS_BYTES] __aligned(64);

static const struct vs_extent extents[] = {
	{ .lo = OUT_VA, .hi = OUT_VA + sizeof(out), .kva = (u8 *)out, .flags = VS_EXT_WRITE },
	{ .lo = TABLE_VA, .hi = TABLE_VA + sizeof(table), .kva = (u8 *)table },
	{ .lo = WLS_VA, .hi = WLS_VA + sizeof(wls), .kva = wls, .flags = VS_EXT_WRITE },
};

static const struct vs_map map = { .n = ARRAY_SIZE(extents), .ext = extents };
static const u32 unif[4] = { (u32)TABLE_VA, TABLE_VA >> 32, 0xbf000000, 44 };
static struct simt_arena arena;
static struct simt_builder *b;
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
	b = simt_builder_new(&arena, MAX_UOPS, 64, ARRAY_SIZE(unif));
	simt_builder_label(b, 0);
}

static u16 k(u32 v)
{
	return simt_builder_const(b, v);
}

static void emit(struct simt_uop u)
{
	simt_builder_emit(b, &u);
}

static void op2(u32 op, u32 d, u32 s0, u32 s1, u32 imm)
{
	emit((struct simt_uop){ .op = op, .d = d, .s = { s0, s1 }, .imm = imm });
}

/* d and the next one = wider offset + pair. */
static void sum(u32 d, u32 off, u32 pair, u32 imm)
{
	const struct simt_uop u = { .op = SIMT_SHADD, .d = d, .d2 = d + 1, .imm = imm,
				    .s = { off, off, pair, pair + 1 } };

	emit(u);
}

static void label(u32 n)
{
	simt_builder_label(b, n);
}

static struct simt_prog *finish(bool simpler)
{
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4, .zero = NSLOTS,
					 .forget = true, .debug = !simpler, .wls = LOCAL,
					 .uniform = { BIT_ULL(TID) } };
	struct simt_prog *p;

	return simt_prog_finish(b, &proto, 0, &p) ? NULL : p;
}

static void store(u32 slot)
{
	op2(SIMT_ST, slot, ADDRESS, k(OUT_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	op2(SIMT_END, 0, 0, 0, 0);
}

/* ---- uniformity analysis ---- */

static u32 count(const struct simt_prog *p, u32 op)
{
	u32 i, n = 0;

	for (i = 0; p && i < p->nuops; i++)
		n += p->uops[i].op == op;
	return n;
}

/* Number of micro-ops that write shared slots. */
static u32 shared(const struct simt_prog *p)
{
	u32 i, n = 0;

	for (i = 0; p && i < p->nuops; i++) {
		u32 class = simt_opinfo[p->uops[i].op].class;

		n += (class <= SIMT_CL_I || p->uops[i].op == SIMT_LD) && p->uops[i].d >= p->own;
	}
	return n;
}

static struct simt_prog *sum_of(u32 from)
{
	begin(0);
	op2(SIMT_IADD, 2, from, k(5), 0);
	op2(SIMT_IXOR, 3, 2, from, 0);
	op2(SIMT_IADD, 4, 3, WG, 0);
	store(4);
	return finish(true);
}

static void test_which(void)
{
	struct simt_prog *p = sum_of(TID);

	tap_result(p && p->own == NSLOTS && p->nslots == NSLOTS + 2 && shared(p) == 2,
		   "what is made of local ids");
	tap_result(!shared(sum_of(WG)) && !shared(sum_of(9)), "not what may differ");

	begin(0);
	op2(SIMT_IADD, 2, TID, k(5), 0);
	op2(SIMT_BRNZ, 0, WG, 0, 1);
	op2(SIMT_IADD, 2, WG, k(1), 0);
	label(1);
	op2(SIMT_IADD, 3, 2, WG, 0);
	store(3);
	tap_result(!shared(finish(true)), "not what is read where something else may be");

	begin(0);
	op2(SIMT_MOV, 2, TID, 0, 0);
	label(1);
	op2(SIMT_ISUB, 2, 2, k(1), 0);
	op2(SIMT_BRNZ, 0, 2, 0, 1);
	op2(SIMT_IADD, 2, WG, k(1), 0);
	store(2);
	tap_result(shared(finish(true)) == 2, "one use of a slot, if not another one");

	begin(0);
	op2(SIMT_IADD, 2, TID, k(5), 0);
	store(2);
	tap_result(!shared(finish(true)), "not what is stored");
}

static struct simt_prog *load_from(u32 seg, u32 s1)
{
	begin(0);
	op2(SIMT_SHLI, 2, TID, 0, 2);
	op2(SIMT_LD, 3, 2, s1, SIMT_MEM(4, seg, 0));
	op2(SIMT_IADD, 4, 3, WG, 0);
	store(4);
	return finish(true);
}

static void test_loads(void)
{
	tap_result(shared(load_from(SIMT_SEG_UBO, SIMT_U | 3)) == 2 &&
		   shared(load_from(SIMT_SEG_BASE, SIMT_U | 0)) == 2 &&
		   shared(load_from(SIMT_SEG_GLOBAL, SIMT_U | 1)) == 2,
		   "what is loaded from one place by all workgroups");
	tap_result(shared(load_from(SIMT_SEG_WLS, SIMT_U | 3)) == 1 &&
		   shared(load_from(SIMT_SEG_TLS, SIMT_U | 3)) == 1,
		   "but not from memory of their own");
}

static void test_refused(void)
{
	struct simt_prog *p = sum_of(TID);
	struct simt_uop *u;
	u32 bad;

	begin(0);
	emit((struct simt_uop){ .op = SIMT_SHADD, .d = 2, .d2 = 3, .s = { TID, TID, TID, TID } });
	op2(SIMT_IADD, 4, 2, WG, 0);
	op2(SIMT_IADD, 4, 3, 4, 0);
	store(4);
	p = finish(true);
	u = p ? (struct simt_uop *)p->uops : NULL;
	if (!u || shared(p) != 1 || u->d2 < p->own) {
		tap_result(false, "both halves of a sum");
		return;
	}
	tap_result(!simt_prog_verify(p, &bad), "both halves of a sum");
	u->d2 = 3;
	tap_result(simt_prog_verify(p, &bad), "halves in different kinds of slots are refused");
}

/* ---- random programs ---- */

static u16 operand(void)
{
	switch (rnd(8)) {
	case 0:
		return SIMT_U | rnd(ARRAY_SIZE(unif));
	case 1:
		return k(rnd(2) ? rnd(4) : 0x3f000000 + (rnd(64) << 20));
	case 2:
	case 3:
		return TID;
	default:
		return (u16)rnd(NUSED);
	}
}

/* Any slot but the first two, which stay unchanged in most programs. */
static u16 target(void)
{
	return (u16)(rnd(40) ? 2 + rnd(NUSED - 2) : rnd(2));
}

static void random_access(void)
{
	static const u8 bytes[] = { 4, 4, 4, 4, 1, 8 };
	u32 n = bytes[rnd(ARRAY_SIZE(bytes))], d = 2 + rnd(NUSED - 3), mask = 0xfc;
	u16 from = operand();

	/* rows, forward and backward, scattered addresses */
	op2(SIMT_SHLI, T0, from, 0, 2 * rnd(2));
	if (!rnd(3))
		op2(SIMT_ISUB, T0, k(252), T0, 0);
	if (n == 8)
		mask = 0xf8;
	op2(SIMT_IAND, T0, T0, k(mask), 0);
	switch (rnd(5)) {
	case 0:
		op2(SIMT_LD, d, T0, k(0), SIMT_MEM(n, SIMT_SEG_UBO, 0));
		break;
	case 1:
		op2(SIMT_LD, d, T0, SIMT_U | 0, SIMT_MEM(n, SIMT_SEG_BASE, 16));
		break;
	case 2:
		op2(SIMT_IADD, T0, T0, k((u32)TABLE_VA), 0);
		op2(SIMT_MOV, T1, k(TABLE_VA >> 32), 0, 0);
		op2(SIMT_LD, d, T0, T1, SIMT_MEM(n, SIMT_SEG_GLOBAL, 8));
		break;
	case 3:
		op2(SIMT_LD, d, T0, k(0), SIMT_MEM(n, SIMT_SEG_WLS, 0));
		break;
	default:
		/* no part of an address */
		op2(SIMT_ST, n == 8 || rnd(2) ? d : T0, T0, k(0),
		    SIMT_MEM(n, SIMT_SEG_WLS, 0));
	}
}

/* From a base by a word that is made wider, forward or back from the end. */
static void wide_access(void)
{
	u32 base = rnd(2) ? LOCAL : SIMT_U | 0, d = 2 + rnd(NUSED - 3), off = 0, how = 1 + rnd(2);

	op2(SIMT_IAND, T0, operand(), k(63), 0);
	if (rnd(2)) {
		op2(SIMT_ISUB, T0, k(0), T0, 0);
		off = 252;
		how = 1;
	}
	sum(T1, T0, base, 2 | how << 4);
	if (base == LOCAL && rnd(2))
		op2(SIMT_ST, d, T1, T2, SIMT_MEM(4, SIMT_SEG_GLOBAL, off));
	else
		op2(SIMT_LD, d, T1, T2, SIMT_MEM(4, SIMT_SEG_GLOBAL, off));
}

static void random_op(void)
{
	/* with and without specialised code in executors */
	static const u16 ops[] = {
		SIMT_MOV, SIMT_MOV, SIMT_FMUL, SIMT_FADD, SIMT_IADD, SIMT_IADD, SIMT_ISUB,
		SIMT_SHLI, SIMT_SHADD, SIMT_UCSEL, SIMT_UCMP, SIMT_BSEL, SIMT_CLZ, SIMT_POPC,
		SIMT_IABS, SIMT_LANE, SIMT_CLPER, SIMT_WMASK, SIMT_IMULH, SIMT_FMAR, SIMT_PERM,
		SIMT_HADD,
	};
	struct simt_uop u = { .op = ops[rnd(ARRAY_SIZE(ops))], .d = target() };
	u32 i;

	for (i = 0; i < simt_opinfo[u.op].nsrc; i++)
		u.s[i] = operand();
	switch (u.op) {
	case SIMT_SHLI:
	case SIMT_FMAR:
		u.imm = rnd(5);
		break;
	case SIMT_LANE:
		u.imm = 15;
		break;
	case SIMT_UCSEL:
		u.imm = SIMT_LT;
		break;
	case SIMT_UCMP:
		u.imm = SIMT_CMP(SIMT_GT, SIMT_TRUE_M1);
		break;
	case SIMT_CLPER:
		u.imm = rnd(4) | rnd(3) << 4;
		break;
	case SIMT_WMASK:
		u.imm = rnd(5);
		break;
	case SIMT_PERM:
		u.imm = 0x5140;
		break;
	}
	u.d2 = (u16)(2 + (u.d + 1) % (NUSED - 2));
	emit(u);
}

static void random_branch(u32 to)
{
	static const u16 ops[] = { SIMT_FCMP, SIMT_ICMP, SIMT_UCMP };
	u32 op = ops[rnd(ARRAY_SIZE(ops))];
	u32 cmp = rnd(op == SIMT_FCMP ? 8 : 6), a = rnd(8) ? TID : rnd(NUSED), b = k(rnd(70));
	bool turned = rnd(2);

	op2(op, T0, turned ? b : a, turned ? a : b, SIMT_CMP(cmp, rnd(3)));
	op2(rnd(2) ? SIMT_BRNZ : SIMT_BRZ, 0, T0, 0, to);
}

static void random_part(u32 i, u32 parts)
{
	u32 w = i + 1 + rnd(parts - i), n;

	for (n = rnd(10); n; n--) {
		if (rnd(4))
			random_op();
		else if (rnd(2))
			random_access();
		else
			wide_access();
	}
	if (!rnd(3))
		random_branch(10 + w);
	/* workgroups part here, mostly */
	if (!rnd(12))
		op2(rnd(2) ? SIMT_BRNZ : SIMT_BRZ, 0, rnd(NUSED), 0, 10 + w);
	if (!rnd(8))
		op2(SIMT_JMP, 0, 0, 0, 10 + i + 1 + rnd(parts - i));
}

/* Workgroup memory left by earlier workgroups depends on the execution order. */
static void clear_wls(u32 threads)
{
	u32 i;

	for (i = 0; i < WLS_BYTES; i += 16 * threads) {
		op2(SIMT_SHLI, T0, TID, 0, 4);
		op2(SIMT_IADD, T0, T0, k(i), 0);
		op2(SIMT_IAND, T0, T0, k(WLS_BYTES - 16), 0);
		op2(SIMT_ST, ZEROS, T0, k(0), SIMT_MEM(16, SIMT_SEG_WLS, 0));
	}
	op2(SIMT_BARRIER, 0, 0, 0, 0);
}

/* Blocks that some lanes jump over, and a loop around some blocks. */
static struct simt_prog *random_program(u64 seed, u32 threads, bool simpler)
{
	u32 parts, i;

	begin(seed);
	parts = 3 + rnd(5);
	clear_wls(threads);
	op2(SIMT_MOV, TIMES, k(3), 0, 0);
	label(1);
	for (i = 0; i < parts; i++) {
		label(10 + i);
		random_part(i, parts);
	}
	label(10 + parts);
	op2(SIMT_BARRIER, 0, 0, 0, 0);
	op2(SIMT_ISUB, TIMES, TIMES, k(1), 0);
	op2(SIMT_BRNZ, 0, TIMES, 0, 1);
	for (i = 0; i < NUSED; i += 4)
		op2(SIMT_ST, i, ADDRESS, k(OUT_VA >> 32), SIMT_MEM(16, SIMT_SEG_GLOBAL, 4 * i));
	op2(SIMT_END, 0, 0, 0, 0);
	return finish(simpler);
}

static void start(struct simt_machine *m, struct simt_block *blk, const struct simt_group *g)
{
	u32 threads = simt_machine_launched(m)->local[0], l, t, group;
	u64 base, size;

	for (l = 0; l < SIMT_LANES; l++) {
		t = g->packed > 1 ? l % g->stride : g->first + l;
		group = (u32)g->group + (g->packed > 1 ? l / g->stride : 0);
		blk->slot[TID * SIMT_LANES + l] = t;
		blk->slot[WG * SIMT_LANES + l] = group;
		blk->slot[ADDRESS * SIMT_LANES + l] =
			(u32)OUT_VA + (group * threads + t) * (u32)sizeof(out[0]);
		base = simt_seg_base(m, m->wb, SIMT_SEG_WLS, l, &size);
		blk->slot[LOCAL * SIMT_LANES + l] = (u32)base;
		blk->slot[(LOCAL + 1) * SIMT_LANES + l] = base >> 32;
	}
}

static bool ext(struct simt_machine *m, struct simt_block *blk, const struct simt_uop *u)
{
	return false;
}

static const struct simt_ops ops = { .start = start, .ext = ext };

static struct vs_fault fault;

static bool run(const struct simt_prog *p, enum vs_simd simd, u32 threads, u32 groups, bool many)
{
	static const struct simt_ubo ubo = { TABLE_VA + 64, 320 };
	struct simt_launch l = { .ops = &ops, .unif = unif, .prog = p, .many = many,
				 .local = { threads, 1, 1 }, .groups = { groups, 1, 1 },
				 .wls_va = WLS_VA, .wls_size = WLS_BYTES, .wls_instances = 64,
				 .ubo = &ubo, .nubo = 1 };
	struct simt_machine *m = simt_machine_new(&arena, &map);
	bool ok;
	u64 used;

	memset(wls, 0, sizeof(wls));
	memset(out, 0xee, sizeof(out));
	ok = p && m && !simt_machine_launch(m, &l) &&
	     simt_machine_run(m, simd, 1 << 28, &used) == SIMT_RUN_DONE;
	if (m)
		fault = *simt_machine_fault(m);
	return ok;
}

/* ---- wide offsets ---- */

/* One thread of each workgroup loads through a wide offset, and faults. */
static void wide_fault(enum vs_simd simd, u32 word, u32 imm, u32 off, u64 va)
{
	struct simt_prog *p;
	bool ok;

	begin(0);
	op2(SIMT_MOV, 2, k(0), 0, 0);
	op2(SIMT_UCMP, 3, TID, k(21), SIMT_CMP(SIMT_NE, SIMT_TRUE_1));
	op2(SIMT_BRNZ, 0, 3, 0, 1);
	op2(SIMT_MOV, 2, k(word), 0, 0);
	label(1);
	sum(T1, 2, LOCAL, imm);
	op2(SIMT_LD, 4, T1, T2, SIMT_MEM(4, SIMT_SEG_GLOBAL, off));
	store(4);
	p = finish(true);
	ok = p && !count(p, SIMT_SHADD) && !run(p, simd, 64, 8, true);
	tap_result(ok && fault.kind == VS_FAULT_READ && fault.address == va &&
		   fault.invocation == 21, "%s: offset %x << %u + %d", vs_simd_name(simd), word,
		   imm & 7, (s16)off);
	if (fault.address != va)
		tap_comment("address %llx", (unsigned long long)fault.address);
}

static void test_wide(enum vs_simd simd)
{
	wide_fault(simd, 0x40000000, 0x22, 0, WLS_VA + (1ULL << 32));
	wide_fault(simd, 0x40000000, 0x12, 0, WLS_VA + (1ULL << 32));
	wide_fault(simd, 0xc0000000, 0x12, 0, WLS_VA - (1ULL << 32));
	wide_fault(simd, 0xc0000000, 0x22, 0, WLS_VA + (3ULL << 32));
	wide_fault(simd, 0x80000000, 0x10, 0, WLS_VA - (1ULL << 31));
	wide_fault(simd, 0x80000000, 0x20, 0, WLS_VA + (1ULL << 31));
	wide_fault(simd, 0x02000000, 0x27, 4, WLS_VA + (1ULL << 32) + 4);
	wide_fault(simd, 0xffffffff, 0x12, 0, WLS_VA - 4);
	wide_fault(simd, 0xfffffff0, 0x12, 16, WLS_VA - 48);
}

/* Sets that end with one that is not full. */
static const struct {
	u32 threads;
	u32 groups;
} shapes[] = { { 64, 8 }, { 40, 19 }, { 12, 70 }, { 64, 3 } };

static void test_random(enum vs_simd simd, u32 n)
{
	u32 i, sh, bad = 0, with = 0, branches = 0;

	for (i = 0; i < n && !bad; i++) {
		struct simt_prog *p;

		sh = i % ARRAY_SIZE(shapes);
		/* one workgroup, as the portable executor runs it */
		p = random_program(i + 1, shapes[sh].threads, false);
		bad = !run(p, VS_SIMD_PORTABLE, shapes[sh].threads, 1, false);
		memcpy(want, out, sizeof(want));
		p = random_program(i + 1, shapes[sh].threads, true);
		with += shared(p) > 0;
		branches += count(p, SIMT_BRCMP);
		bad |= !run(p, simd, shapes[sh].threads, 1, false);
		bad |= !!memcmp(want, out, sizeof(want));
		/* many workgroups */
		p = random_program(i + 1, shapes[sh].threads, false);
		bad |= !run(p, simd, shapes[sh].threads, shapes[sh].groups, false);
		memcpy(want, out, sizeof(want));
		p = random_program(i + 1, shapes[sh].threads, true);
		bad |= !run(p, simd, shapes[sh].threads, shapes[sh].groups, true);
		bad |= !!memcmp(want, out, sizeof(want));
	}
	tap_result(!bad && with > n / 2 && branches > n / 2, "%s: %u random programs",
		   vs_simd_name(simd), i);
	tap_comment("%u of them share, %u comparisons in branches", with, branches);
}

int main(void)
{
	u32 simd, i;

	arena.base = aligned_alloc(64, ARENA);
	arena.size = ARENA;
	if (!arena.base)
		return 1;
	for (i = 0; i < TABLE_WORDS; i++)
		table[i] = i * 0x9e3779b1U;
	test_which();
	test_loads();
	test_refused();
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		test_wide(simd);
		test_random(simd, simd == VS_SIMD_PORTABLE ? 200 : 2000);
	}
	free(arena.base);
	return tap_done();
}
