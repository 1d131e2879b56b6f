// SPDX-License-Identifier: GPL-2.0
/*
 * SIMT machine: building and verifying programs, divergence, memory, barriers, layouts of
 * workgroups, faults, slices. Every executor of this machine.
 */
#include <stdlib.h>

#include "../include/simt_prog.h"
#include "../include/tap.h"
#include "engine/simt/simt.h"

#define MEM_VA		0x7f0000000000ULL
#define MEM_SIZE	0x10000u
#define RO_VA		0x7f0000100000ULL
#define ARENA		(8u << 20)

/* Slots: 0 thread in the workgroup, 1 workgroup, 2.. free. */
enum { TID, WG, A, B, C, D, E, F, NSLOTS = 64 };

static u8 mem[MEM_SIZE] __aligned(64);
static u8 ro[4096] __aligned(64);
static const struct vs_extent extents[] = {
	{ .lo = MEM_VA, .hi = MEM_VA + MEM_SIZE, .kva = mem, .flags = VS_EXT_WRITE },
	{ .lo = RO_VA, .hi = RO_VA + sizeof(ro), .kva = ro },
};

static const struct vs_map map = { .n = 2, .ext = extents };

static struct simt_arena arena;
static struct simt_builder *b;
static enum vs_simd simd;
static bool many;		/* workgroups at the same time */
static u64 weight;
static u32 max_slices = 200000;

static const char *who(void)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s%s", vs_simd_name(simd), many ? ", in step" : "");
	return text;
}

static void start(struct simt_machine *m, struct simt_block *blk, const struct simt_group *g)
{
	u32 l, k, t;

	for (l = 0; l < SIMT_LANES; l++) {
		k = g->packed > 1 || g->stride < SIMT_LANES ? l / g->stride : 0;
		t = g->packed > 1 || g->stride < SIMT_LANES ? l % g->stride : g->first + l;
		blk->slot[TID * SIMT_LANES + l] = t;
		blk->slot[WG * SIMT_LANES + l] = (u32)g->group + k;
	}
}

static bool ext(struct simt_machine *m, struct simt_block *blk, const struct simt_uop *u)
{
	simt_fault(m, VS_FAULT_COMMAND, blk->mask, 0, u->imm);
	return false;
}

static const struct simt_ops ops = { .start = start, .ext = ext };

/* ---- building ---- */

static void begin(void)
{
	memset(mem, 0, sizeof(mem));
	arena.used = 0;
	b = simt_builder_new(&arena, 4096, 256, 4);
	simt_builder_label(b, 0);
}

static u16 k(u32 v)
{
	return simt_builder_const(b, v);
}

static void op4(u32 op, u32 d, u32 s0, u32 s1, u32 s2, u32 s3, u32 imm)
{
	const struct simt_uop u = { .op = op, .d = d, .s = { s0, s1, s2, s3 }, .imm = imm,
				    .guest = 7 };

	simt_builder_emit(b, &u);
}

static void op2(u32 op, u32 d, u32 s0, u32 s1, u32 imm)
{
	op4(op, d, s0, s1, 0, 0, imm);
}

static void ctl(u32 op, u32 s0, u32 imm)
{
	op4(op, 0, s0, 0, 0, 0, imm);
}

static void label(u32 n)
{
	simt_builder_label(b, n);
}

/* d = address of word @index of memory. */
static void address(u32 lo, u32 hi, u32 index, u32 shift)
{
	op2(SIMT_SHLI, lo, index, 0, shift);
	op2(SIMT_IADD, lo, lo, k((u32)MEM_VA), 0);
	op2(SIMT_MOV, hi, k(MEM_VA >> 32), 0, 0);
}

static int finish(struct simt_prog **p, u32 warp)
{
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = warp, .zero = NSLOTS };

	return simt_prog_finish(b, &proto, 0, p);
}

struct shape {
	u32 local[3];
	u64 groups[3];
	u64 wls_size;
	u32 wls_instances;
	u64 tls_size;
	u64 tls_total;
};

/* Run with slices of @slice. Return: status; the fault in @fault. */
static enum simt_status run(const struct shape *s, u32 slice, struct vs_fault *fault)
{
	static const u32 unif[4] = { 11, 22, 33, 44 };
	static const struct simt_ubo ubo[2] = { { MEM_VA + 0x8000, 64 }, { RO_VA, 4096 } };
	struct simt_launch l = {
		.ops = &ops, .unif = unif, .ubo = ubo, .nubo = 2,
		.wls_va = MEM_VA + 0xc000, .wls_size = s->wls_size,
		.wls_instances = s->wls_instances ? s->wls_instances : 1,
		.tls_va = MEM_VA + 0xe000, .tls_size = s->tls_size, .tls_total = s->tls_total,
		.many = many,
	};
	enum simt_status r = SIMT_RUN_MORE;
	struct simt_machine *m;
	struct simt_prog *p;
	u64 used;
	u32 n;
	int ret = finish(&p, 4);

	memset(fault, 0, sizeof(*fault));
	weight = 0;
	if (ret) {
		tap_comment("program: %d", ret);
		return SIMT_RUN_FAULT;
	}
	memcpy(l.local, s->local, sizeof(l.local));
	memcpy(l.groups, s->groups, sizeof(l.groups));
	l.prog = p;
	m = simt_machine_new(&arena, &map);
	ret = m ? simt_machine_launch(m, &l) : -ENOMEM;
	if (ret) {
		tap_comment("launch: %d", ret);
		return SIMT_RUN_FAULT;
	}
	for (n = 0; r == SIMT_RUN_MORE && n < max_slices; n++) {
		r = simt_machine_run(m, simd, slice, &used);
		weight += used;
	}
	*fault = *simt_machine_fault(m);
	return r;
}

static u32 word(u32 i)
{
	u32 v;

	memcpy(&v, mem + 4 * i, 4);
	return v;
}

static void put_word(u32 i, u32 v)
{
	memcpy(mem + 4 * i, &v, 4);
}

#define SHAPE(lx, ly, lz, gx, gy, gz)	\
	((struct shape){ .local = { lx, ly, lz }, .groups = { gx, gy, gz } })

/* ---- tests ---- */

/* Loop (tid % 7) times adding 3, then another path for odd threads; lanes reconverge. */
static void test_divergence(u32 slice)
{
	struct shape s = SHAPE(100, 1, 1, 3, 1, 1);
	struct vs_fault f;
	u32 i, bad = 0;

	begin();
	op2(SIMT_MOV, A, TID, 0, 0);
	label(1);
	op2(SIMT_UCMP, B, A, k(7), SIMT_CMP(SIMT_LT, SIMT_TRUE_1));
	ctl(SIMT_BRNZ, B, 2);
	op2(SIMT_ISUB, A, A, k(7), 0);
	ctl(SIMT_JMP, 0, 1);
	label(2);
	op2(SIMT_MOV, C, k(100), 0, 0);
	label(3);
	ctl(SIMT_BRZ, A, 4);
	op2(SIMT_IADD, C, C, k(3), 0);
	op2(SIMT_ISUB, A, A, k(1), 0);
	ctl(SIMT_JMP, 0, 3);
	label(4);
	op2(SIMT_IAND, B, TID, k(1), 0);
	ctl(SIMT_BRNZ, B, 5);
	op2(SIMT_IADD, C, C, SIMT_U | 1, 0);
	label(5);
	op2(SIMT_IMUL, D, WG, k(100), 0);
	op2(SIMT_IADD, D, D, TID, 0);
	address(E, F, D, 2);
	op2(SIMT_ST, C, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	if (run(&s, slice, &f) != SIMT_RUN_DONE)
		bad = 1;
	for (i = 0; i < 300; i++) {
		u32 t = i % 100, want = 100 + 3 * (t % 7) + (t & 1 ? 0 : 22);

		bad += word(i) != want;
	}
	tap_result(!bad, "%s: loops and branches, slices of %u", who(), slice);
}

/* Sum of the workgroup's threads through its memory, as reductions do it. */
static void test_reduce(u32 n)
{
	struct shape s = SHAPE(n, 1, 1, 5, 1, 1);
	struct vs_fault f;
	u32 d, i, bad;

	s.wls_size = 4 * n;
	s.wls_instances = 2;
	begin();
	op2(SIMT_SHLI, A, TID, 0, 2);
	op2(SIMT_IMUL, B, WG, k(1000), 0);
	op2(SIMT_IADD, B, B, TID, 0);
	op2(SIMT_ST, B, A, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
	ctl(SIMT_BARRIER, 0, 0);
	for (d = n / 2; d; d /= 2) {
		op2(SIMT_UCMP, C, TID, k(d), SIMT_CMP(SIMT_LT, SIMT_TRUE_1));
		ctl(SIMT_BRZ, C, d);
		op2(SIMT_LD, D, A, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
		op2(SIMT_LD, E, A, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 4 * d));
		op2(SIMT_IADD, D, D, E, 0);
		op2(SIMT_ST, D, A, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
		label(d);
		ctl(SIMT_BARRIER, 0, 0);
	}
	op2(SIMT_LD, D, k(0), k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
	address(E, F, WG, 2);
	ctl(SIMT_BRNZ, TID, 9999);
	op2(SIMT_ST, D, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	label(9999);
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 300, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 5; i++)
		bad += word(i) != i * 1000 * n + n * (n - 1) / 2;
	tap_result(!bad, "%s: barriers, workgroups of %u", who(), n);
}

/* Threads that end before the barrier do not block the others. */
static void test_early_end(void)
{
	struct shape s = SHAPE(96, 1, 1, 1, 1, 1);
	struct vs_fault f;
	u32 i, bad;

	begin();
	op2(SIMT_IAND, A, TID, k(3), 0);
	ctl(SIMT_BRZ, A, 2);
	ctl(SIMT_BARRIER, 0, 0);
	address(E, F, TID, 2);
	op2(SIMT_ST, TID, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	label(2);
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 5000, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 96; i++)
		bad += word(i) != (i & 3 ? i : 0);
	tap_result(!bad, "%s: threads that end do not count at barriers", who());
}

/* Cases that simt_mem.c distinguishes: one address, rows, near, far; all widths; masks. */
static void test_widths(u32 bytes, u32 stride_shift, bool masked)
{
	struct shape s = SHAPE(64, 1, 1, 1, 1, 1);
	struct vs_fault f;
	u32 i, j, bad;

	begin();
	for (i = 0; i < 0x4000; i++)
		mem[0x4000 + i] = i * 37 + (i >> 8);
	address(E, F, TID, stride_shift);
	op2(SIMT_IAND, A, TID, k(5), 0);
	if (masked)
		ctl(SIMT_BRZ, A, 1);
	op2(SIMT_LD, 16, E, F, SIMT_MEM(bytes, SIMT_SEG_GLOBAL, 0x4000));
	op2(SIMT_ST, 16, E, F, SIMT_MEM(bytes, SIMT_SEG_GLOBAL, 0));
	label(1);
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 5000, &f) != SIMT_RUN_DONE;
	/* stores are made in the order of the lanes */
	for (i = 0; i < 64 && 1u << stride_shift >= bytes; i++) {
		for (j = 0; j < bytes; j++) {
			u32 at = (i << stride_shift) + j;
			u8 want = masked && !(i & 5) ? 0 : mem[0x4000 + at];

			bad += mem[at] != want;
		}
		for (; j < 1u << stride_shift; j++)
			bad += mem[(i << stride_shift) + j] != 0;
	}
	tap_result(!bad, "%s: %u bytes at steps of %u%s", who(), bytes,
		   1 << stride_shift, masked ? ", some lanes" : "");
}

/* Words in disorder, of all lanes or of some, from memory and back. */
static void test_disorder(bool masked)
{
	struct shape s = SHAPE(64, 1, 1, 9, 1, 1);
	struct vs_fault f;
	u32 i, bad;

	s.wls_size = 256;
	s.wls_instances = 3;
	begin();
	op2(SIMT_IMUL, A, TID, k(37), 0);
	op2(SIMT_IADD, A, A, WG, 0);
	op2(SIMT_IAND, A, A, k(63), 0);
	op2(SIMT_SHLI, B, A, 0, 2);
	op2(SIMT_IAND, C, A, k(4), 0);
	if (masked)
		ctl(SIMT_BRZ, C, 1);
	op2(SIMT_ST, A, B, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
	op2(SIMT_LD, C, B, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
	op2(SIMT_IADD, C, C, k(1000), 0);
	op2(SIMT_SHLI, D, WG, 0, 8);
	op2(SIMT_IADD, D, D, B, 0);
	op2(SIMT_IADD, E, D, k((u32)MEM_VA), 0);
	op2(SIMT_MOV, F, k(MEM_VA >> 32), 0, 0);
	op2(SIMT_ST, C, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	label(1);
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 5000, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 64 * 9; i++)
		bad += word(i) != (masked && !(i & 4) ? 0 : 1000 + (i & 63));
	tap_result(!bad, "%s: words in disorder%s", who(), masked ? ", some lanes" : "");
}

/* Addresses whose low words would lead back into memory if they were not 64 bits. */
static void test_wrap(void)
{
	struct shape s = SHAPE(64, 1, 1, 2, 1, 1);
	struct vs_fault f;
	bool ok;

	begin();
	op2(SIMT_UCMP, A, TID, k(40), SIMT_CMP(SIMT_EQ, SIMT_TRUE_M1));
	op2(SIMT_IAND, A, A, k((u32)-12), 0);
	op2(SIMT_MOV, B, k(MEM_VA >> 32), 0, 0);
	op2(SIMT_LD, C, A, B, SIMT_MEM(4, SIMT_SEG_GLOBAL, 16));
	ctl(SIMT_END, 0, 0);
	ok = run(&s, 5000, &f) == SIMT_RUN_FAULT && f.kind == VS_FAULT_READ &&
	     f.address == MEM_VA + (1ULL << 32) + 4 && f.invocation == 40;
	begin();
	put_word(1, 77);
	/* the same low words, one below */
	op2(SIMT_MOV, A, k((u32)-12), 0, 0);
	op2(SIMT_MOV, B, k((MEM_VA >> 32) - 1), 0, 0);
	op2(SIMT_LD, C, A, B, SIMT_MEM(4, SIMT_SEG_GLOBAL, 16));
	op2(SIMT_MOV, A, k((u32)MEM_VA + 8), 0, 0);
	op2(SIMT_MOV, B, k(MEM_VA >> 32), 0, 0);
	op2(SIMT_ST, C, A, B, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	ok &= run(&s, 5000, &f) == SIMT_RUN_DONE && word(2) == 77;
	tap_result(ok, "%s: addresses that cross a multiple of 2^32", who());
}

static void test_uniform_address(void)
{
	struct shape s = SHAPE(64, 1, 1, 1, 1, 1);
	struct vs_fault f;
	u32 i, bad;

	begin();
	put_word(0x1000, 0x12345678);
	put_word(0x1001, 0x9abcdef0);
	op2(SIMT_LD, 16, k((u32)MEM_VA + 0x4000), k(MEM_VA >> 32),
	    SIMT_MEM(6, SIMT_SEG_GLOBAL, 0));
	op2(SIMT_IADD, 16, 16, 17, 0);
	address(E, F, TID, 2);
	op2(SIMT_ST, 16, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 5000, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 64; i++)
		bad += word(i) != 0x12345678 + 0xdef0;
	tap_result(!bad, "%s: one address for all lanes, 6 bytes", who());
}

/* Out of a uniform buffer there are zeros, also for part of the lanes. */
static void test_ubo(void)
{
	struct shape s = SHAPE(32, 1, 1, 1, 1, 1);
	struct vs_fault f;
	u32 i, bad;

	begin();
	for (i = 0; i < 16; i++)
		put_word(0x2000 + i, 500 + i);
	op2(SIMT_SHLI, A, TID, 0, 2);
	op2(SIMT_LD, B, A, k(0), SIMT_MEM(4, SIMT_SEG_UBO, 0));
	op2(SIMT_LD, C, A, k(9), SIMT_MEM(4, SIMT_SEG_UBO, 0));
	op2(SIMT_IADD, B, B, C, 0);
	address(E, F, TID, 2);
	op2(SIMT_ST, B, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 5000, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 32; i++)
		bad += word(i) != (i < 16 ? 500 + i : 0);
	tap_result(!bad, "%s: uniform buffers, zeros outside", who());
}

/* A 16-byte load that straddles the end of a uniform buffer reads zeros past it. */
static void test_ubo_end(void)
{
	struct shape s = SHAPE(32, 1, 1, 1, 1, 1);
	struct vs_fault f;
	u32 i, bad, n;

	begin();
	for (i = 0; i < 32; i++)
		put_word(0x2000 + i, 500 + i);
	op2(SIMT_SHLI, A, TID, 0, 2);
	op2(SIMT_LD, B, A, k(0), SIMT_MEM(16, SIMT_SEG_UBO, 0));
	op2(SIMT_IADD, B, B, C, 0);
	op2(SIMT_IADD, B, B, D, 0);
	op2(SIMT_IADD, B, B, E, 0);
	address(E, F, TID, 2);
	op2(SIMT_ST, B, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 5000, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 32; i++) {
		u32 sum = 0;

		for (n = i; n < i + 4; n++)
			sum += n < 16 ? 500 + n : 0;
		bad += word(i) != sum;
	}
	tap_result(!bad, "%s: uniform buffers, loads across the end", who());
}

/* Every thread has separate memory in every layout. */
static void test_tls(u32 local, u32 groups, u64 total)
{
	struct shape s = SHAPE(local, 1, 1, groups, 1, 1);
	struct vs_fault f;
	u32 i, bad;

	s.tls_size = 16;
	s.tls_total = total;
	begin();
	op2(SIMT_IMUL, A, WG, k(local), 0);
	op2(SIMT_IADD, A, A, TID, 0);
	op2(SIMT_ST, A, k(4), k(0), SIMT_MEM(4, SIMT_SEG_TLS, 4));
	ctl(SIMT_BARRIER, 0, 0);
	op2(SIMT_LD, B, k(8), k(0), SIMT_MEM(4, SIMT_SEG_TLS, 0));
	address(E, F, A, 2);
	op2(SIMT_ST, B, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 100, &f) != SIMT_RUN_DONE;
	for (i = 0; i < local * groups; i++)
		bad += word(i) != i;
	tap_result(!bad, "%s: thread memory, %u x %u threads, room for %u", who(),
		   groups, local, (u32)(total / 16));
}

static void test_atomics(void)
{
	struct shape s = SHAPE(50, 1, 1, 4, 1, 1);
	struct vs_fault f;
	u32 i, bad, sum = 0;

	begin();
	put_word(0x101, 1000);
	op2(SIMT_IMUL, A, WG, k(50), 0);
	op2(SIMT_IADD, A, A, TID, 0);
	op4(SIMT_ATOM, B, k((u32)MEM_VA + 0x400), k(MEM_VA >> 32), A, 0,
	    SIMT_ATOM_IMM(SIMT_ATOM_ADD, SIMT_SEG_GLOBAL, 0, 0));
	op4(SIMT_ATOM, C, k((u32)MEM_VA + 0x400), k(MEM_VA >> 32), A, 0,
	    SIMT_ATOM_IMM(SIMT_ATOM_UMIN, SIMT_SEG_GLOBAL, SIMT_ATOM_NORET, 4));
	op4(SIMT_ATOM, 16, k((u32)MEM_VA + 0x408), k(MEM_VA >> 32), k(0xffffffff), k(0),
	    SIMT_ATOM_IMM(SIMT_ATOM_ADD, SIMT_SEG_GLOBAL, SIMT_ATOM_64, 0));
	op4(SIMT_ATOM, 18, k((u32)MEM_VA + 0x410), k(MEM_VA >> 32), A, k(0),
	    SIMT_ATOM_IMM(SIMT_ATOM_CMPXCHG, SIMT_SEG_GLOBAL, 0, 0));
	address(E, F, A, 2);
	op2(SIMT_ST, B, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 100000, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 200; i++) {
		bad += word(i) != sum;
		sum += i;
	}
	bad += word(0x100) != sum;
	bad += word(0x101) != 0;
	/* 200 * 0xffffffff */
	bad += word(0x102) != 0xffffff38 || word(0x103) != 199;
	/* thread 0 stored 0, thread 1 found 0 and stored 1, the others found 1 */
	bad += word(0x104) != 1;
	tap_result(!bad, "%s: atomic operations, thread after thread", who());
}

static void expect_fault(const char *what, enum vs_fault_kind kind, u64 va, u64 inv,
			 const struct shape *s)
{
	struct vs_fault f;
	bool ok = run(s, 5000, &f) == SIMT_RUN_FAULT && f.kind == kind && f.address == va &&
		  f.invocation == inv && f.pc == 7;

	if (!tap_result(ok, "%s: fault: %s", who(), what))
		tap_comment("kind %u address %llx invocation %llu pc %u", f.kind,
			    (unsigned long long)f.address, (unsigned long long)f.invocation,
			    f.pc);
}

static void test_faults(void)
{
	struct shape s = SHAPE(128, 1, 1, 2, 1, 1);

	/* thread 100 of the first workgroup leaves memory first */
	begin();
	op2(SIMT_IMUL, A, TID, k((MEM_SIZE - 4) / 99 / 4), 0);
	address(E, F, A, 2);
	op2(SIMT_LD, B, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	expect_fault("load outside memory", VS_FAULT_READ,
		     MEM_VA + 4 * 100 * ((MEM_SIZE - 4) / 99 / 4), 100, &s);
	begin();
	op2(SIMT_ST, TID, k((u32)RO_VA + 8), k(RO_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	expect_fault("store to what is read-only", VS_FAULT_WRITE, RO_VA + 8, 0, &s);
	begin();
	s.wls_size = 256;
	op2(SIMT_SHLI, A, TID, 0, 2);
	op2(SIMT_ST, TID, A, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
	ctl(SIMT_END, 0, 0);
	expect_fault("workgroup memory", VS_FAULT_WRITE, MEM_VA + 0xc000 + 256, 64, &s);
	begin();
	op4(SIMT_ATOM, A, k((u32)MEM_VA + 6), k(MEM_VA >> 32), TID, 0,
	    SIMT_ATOM_IMM(SIMT_ATOM_ADD, SIMT_SEG_GLOBAL, 0, 0));
	ctl(SIMT_END, 0, 0);
	expect_fault("misaligned atomic", VS_FAULT_MISALIGNED, MEM_VA + 6, 0, &s);
	begin();
	op2(SIMT_UCMP, A, TID, k(77), SIMT_CMP(SIMT_EQ, SIMT_TRUE_1));
	ctl(SIMT_BRZ, A, 1);
	ctl(SIMT_FAULT, 0, VS_FAULT_HANG);
	label(1);
	ctl(SIMT_END, 0, 0);
	expect_fault("FAULT", VS_FAULT_HANG, 0, 77, &s);
}

/* Killed lanes do not store; their loads from unmapped addresses return zeros. */
static void test_kill(void)
{
	struct shape s = SHAPE(64, 1, 1, 1, 1, 1);
	struct vs_fault f;
	u32 i, bad;

	begin();
	op2(SIMT_IAND, A, TID, k(1), 0);
	ctl(SIMT_KILL, A, 0);
	op2(SIMT_IMUL, B, A, k(0x10000000), 0);
	address(E, F, TID, 2);
	op2(SIMT_IADD, B, B, E, 0);
	op2(SIMT_LD, C, B, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	op2(SIMT_IADD, C, C, k(5), 0);
	op2(SIMT_ST, C, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_ENDKILL, 0, 0);
	op2(SIMT_ST, C, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0x400));
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 5000, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 64; i++)
		bad += word(i) != (i & 1 ? 0 : 5) || word(0x100 + i) != word(i);
	tap_result(!bad, "%s: helpers have no effects", who());
}

/* Forward progress: a lane that spins on another lane of its block terminates. */
static void test_spin(u32 local)
{
	struct shape s = SHAPE(local, 1, 1, 1, 1, 1);
	struct vs_fault f;
	bool ok;

	begin();
	ctl(SIMT_BRZ, TID, 5);
	label(1);
	op2(SIMT_LD, A, k((u32)MEM_VA), k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_BRZ, A, 1);
	ctl(SIMT_END, 0, 0);
	label(5);
	op2(SIMT_MOV, B, k(1), 0, 0);
	op2(SIMT_ST, B, k((u32)MEM_VA), k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	ok = run(&s, 3000, &f) == SIMT_RUN_DONE && word(0) == 1;
	tap_result(ok, "%s: waiting for another thread, %u threads", who(), local);
}

/* Workgroups that go the same way for some time, then each its own, with barriers. */
static void test_parting(void)
{
	struct shape s = SHAPE(70, 1, 1, 11, 1, 1);
	struct vs_fault f;
	u32 i, bad;

	s.wls_size = 512;
	s.wls_instances = 8;
	begin();
	op2(SIMT_SHLI, A, TID, 0, 2);
	op2(SIMT_MOV, B, WG, 0, 0);
	op2(SIMT_MOV, C, TID, 0, 0);
	label(1);
	op2(SIMT_ST, C, A, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
	ctl(SIMT_BARRIER, 0, 0);
	/* value of the thread at the mirrored position */
	op2(SIMT_ISUB, D, k(4 * 69), A, 0);
	op2(SIMT_LD, D, D, k(0), SIMT_MEM(4, SIMT_SEG_WLS, 0));
	op2(SIMT_IADD, C, C, D, 0);
	ctl(SIMT_BARRIER, 0, 0);
	/* iterations: index of the workgroup */
	ctl(SIMT_BRZ, B, 2);
	op2(SIMT_ISUB, B, B, k(1), 0);
	ctl(SIMT_JMP, 0, 1);
	label(2);
	op2(SIMT_IMUL, D, WG, k(70), 0);
	op2(SIMT_IADD, D, D, TID, 0);
	address(E, F, D, 2);
	op2(SIMT_ST, C, E, F, SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	bad = run(&s, 700, &f) != SIMT_RUN_DONE;
	for (i = 0; i < 70 * 11; i++)
		bad += word(i) != 69u << (i / 70);
	tap_result(!bad, "%s: workgroups that part", who());
}

/* The fault of a workgroup that is not the first one in step. */
static void test_step_fault(void)
{
	struct shape s = SHAPE(128, 1, 1, 6, 1, 1);

	begin();
	op2(SIMT_IMUL, A, WG, k(128), 0);
	op2(SIMT_IADD, A, A, TID, 0);
	op2(SIMT_UCMP, B, A, k(3 * 128 + 77), SIMT_CMP(SIMT_EQ, SIMT_TRUE_1));
	op2(SIMT_SHLI, B, B, 0, 30);
	op2(SIMT_IADD, B, B, k((u32)MEM_VA), 0);
	op2(SIMT_LD, C, B, k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 8));
	ctl(SIMT_END, 0, 0);
	expect_fault("another workgroup in step", VS_FAULT_READ, MEM_VA + (1u << 30) + 8,
		     3 * 128 + 77, &s);
}

/* A workgroup that waits for a later one that runs at the same time. */
static void test_wait_other(void)
{
	struct shape s = SHAPE(128, 1, 1, 2, 1, 1);
	struct vs_fault f;
	bool ok;

	begin();
	ctl(SIMT_BRNZ, WG, 5);
	label(1);
	op2(SIMT_LD, A, k((u32)MEM_VA), k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_BRZ, A, 1);
	ctl(SIMT_END, 0, 0);
	label(5);
	ctl(SIMT_BARRIER, 0, 0);
	op2(SIMT_MOV, B, k(1), 0, 0);
	op2(SIMT_ST, B, k((u32)MEM_VA), k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	ctl(SIMT_END, 0, 0);
	ok = run(&s, 3000, &f) == SIMT_RUN_DONE && word(0) == 1;
	tap_result(ok, "%s: waiting for another workgroup", who());
}

static void test_endless(void)
{
	struct shape s = SHAPE(1, 1, 1, 1, 1, 1);
	struct vs_fault f;
	bool ok;

	begin();
	label(1);
	ctl(SIMT_JMP, 0, 1);
	ctl(SIMT_END, 0, 0);
	max_slices = 500;
	ok = run(&s, 1000, &f) == SIMT_RUN_MORE && weight >= 1000 * 500;
	max_slices = 200000;
	tap_result(ok, "%s: an endless loop ends every slice", who());
}

/* Programs that the verifier must refuse. */
static void test_verify(void)
{
	static const struct simt_uop bad[] = {
		{ .op = SIMT_MOV, .d = NSLOTS },
		{ .op = SIMT_MOV, .s = { NSLOTS } },
		{ .op = SIMT_MOV, .s = { SIMT_U | 4 } },
		{ .op = SIMT_MOV, .mods = SIMT_NEG(0) },
		{ .op = SIMT_FADD, .mods = SIMT_NEG(2) },
		{ .op = SIMT_FCMP, .mods = SIMT_CLAMP(1) },
		{ .op = SIMT_FCMP, .imm = 8 },
		{ .op = SIMT_FMIN, .imm = 4 },
		{ .op = SIMT_FRND, .imm = 5 },
		{ .op = SIMT_PERM, .imm = 0xe },
		{ .op = SIMT_SHLI, .imm = 32 },
		{ .op = SIMT_SHADD, .imm = 0x30 },
		{ .op = SIMT_SHADD, .d2 = NSLOTS },
		{ .op = SIMT_LD, .imm = SIMT_MEM(0, 0, 0) },
		{ .op = SIMT_LD, .imm = SIMT_MEM(17, 0, 0) },
		{ .op = SIMT_LD, .d = NSLOTS - 3, .imm = SIMT_MEM(16, 0, 0) },
		{ .op = SIMT_LD, .imm = SIMT_MEM(4, 4, 0) },
		{ .op = SIMT_ST, .imm = SIMT_MEM(4, SIMT_SEG_UBO, 0) },
		{ .op = SIMT_ATOM, .imm = SIMT_NUM_ATOMS },
		{ .op = SIMT_ATOM, .d = NSLOTS - 1, .imm = SIMT_ATOM_64 },
		{ .op = SIMT_EXT, .d = NSLOTS - 7 },
		{ .op = SIMT_EXT, .d2 = NSLOTS - 7 },
		{ .op = SIMT_HADD, .imm = 1 },
		{ .op = SIMT_CLPER, .imm = 0x30 },
		{ .op = SIMT_NUM_OPS },
		{ .op = SIMT_BRNZ, .imm = 12345 },
	};
	struct simt_prog *p;
	u32 i, n = 0;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		begin();
		simt_builder_emit(b, &bad[i]);
		ctl(SIMT_END, 0, 0);
		if (finish(&p, 4) == -EINVAL)
			n++;
		else
			tap_comment("micro-op %u is accepted", i);
	}
	tap_result(n == ARRAY_SIZE(bad), "%zu defects are refused", ARRAY_SIZE(bad));
	begin();
	op2(SIMT_MOV, A, TID, 0, 0);
	tap_result(finish(&p, 4) == -EINVAL, "a program must end");
	begin();
	ctl(SIMT_END, 0, 0);
	tap_result(finish(&p, 3) == -EINVAL, "warps are powers of two");
	begin();
	for (i = 0; i < 1000; i++)
		op2(SIMT_IADD, A, A, k(i % 700), 0);
	ctl(SIMT_END, 0, 0);
	tap_result(!finish(&p, 4) && p->nconst == 700 && p->nuops > 1001,
		   "constants are shared, long straight code is cut");
}

static void test_arena(void)
{
	u8 store[256] __aligned(64) = { };
	struct simt_arena a = { .base = store, .size = sizeof(store) };
	u8 *p = simt_arena_alloc(&a, 1, 100), *q;
	u64 mark = a.used;

	q = simt_arena_alloc(&a, 1, 64);
	tap_result(p == store && q == store + 128 && !simt_arena_alloc(&a, 1, 65) &&
		   simt_arena_alloc(&a, 64, 1) && !simt_arena_alloc(&a, ~0ULL, 2),
		   "the arena has so much and no more");
	memset(q, 0xee, 64);
	simt_arena_reset(&a, mark);
	q = simt_arena_alloc(&a, 1, 64);
	tap_result(q == store + 128 && !q[0] && !q[63], "memory given back is clean");
}

/*
 * Threads loop without accesses to memory and for so long that others which have left the loop get
 * their turn, then take a number. The numbers and the weight show the order of paths and blocks:
 * vector executors, which execute branches themselves, have that of the portable one.
 */
static void test_order(void)
{
	static u32 want[2][1 + 600];
	static u64 want_weight[2];
	struct shape s = SHAPE(200, 1, 1, 3, 1, 1);
	struct vs_fault f;
	bool ok;

	begin();
	op2(SIMT_IAND, A, TID, k(3), 0);
	op2(SIMT_IMUL, A, A, k(3000), 0);
	op2(SIMT_IMUL, B, WG, k(200), 0);
	op2(SIMT_IADD, B, B, TID, 0);
	address(C, D, B, 2);
	label(1);
	ctl(SIMT_BRZ, A, 2);
	op2(SIMT_ISUB, A, A, k(1), 0);
	op2(SIMT_UCMP, B, A, k(9), SIMT_CMP(SIMT_LT, SIMT_TRUE_1));
	ctl(SIMT_BRNZ, B, 1);
	op2(SIMT_MOV, B, k(0), 0, 0);
	ctl(SIMT_JMP, 0, 1);
	label(2);
	op2(SIMT_LD, B, k((u32)MEM_VA), k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	op2(SIMT_IADD, B, B, k(1), 0);
	op2(SIMT_ST, B, k((u32)MEM_VA), k(MEM_VA >> 32), SIMT_MEM(4, SIMT_SEG_GLOBAL, 0));
	op2(SIMT_ST, B, C, D, SIMT_MEM(4, SIMT_SEG_GLOBAL, 4));
	ctl(SIMT_END, 0, 0);
	ok = run(&s, 5000, &f) == SIMT_RUN_DONE && word(0) >= 16 && word(600);
	if (simd == VS_SIMD_PORTABLE) {
		memcpy(want[many], mem, sizeof(want[many]));
		want_weight[many] = weight;
	}
	tap_result(ok && !memcmp(want[many], mem, sizeof(want[many])) &&
		   weight == want_weight[many], "%s: paths and blocks have their order: %u numbers",
		   who(), word(0));
}

static void test_simd(void)
{
	static const u32 slices[] = { 1, 50, 1000, 100000 };
	static const u8 widths[] = { 1, 2, 3, 4, 6, 8, 12, 16 };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(slices); i++)
		test_divergence(slices[i]);
	for (i = 2; i <= 1024; i *= 4)
		test_reduce(i);
	test_reduce(64);
	test_early_end();
	for (i = 0; i < ARRAY_SIZE(widths); i++) {
		for (j = 0; j <= 6; j += 2) {
			test_widths(widths[i], j, false);
			test_widths(widths[i], j, true);
		}
		test_widths(widths[i], 3, false);
	}
	test_disorder(false);
	test_disorder(true);
	test_wrap();
	test_uniform_address();
	test_ubo();
	test_ubo_end();
	test_tls(64, 3, 64 * 16);
	test_tls(8, 20, 1024 * 16);
	test_tls(8, 20, 24 * 16);
	test_tls(1, 200, 64 * 16);
	test_tls(1, 200, 7 * 16);
	test_tls(200, 2, 256 * 16);
	test_atomics();
	test_faults();
	test_kill();
	test_spin(2);
	test_spin(64);
	test_spin(512);
	test_endless();
	test_order();
}

int main(void)
{
	arena.base = aligned_alloc(64, ARENA);
	arena.size = ARENA;
	if (!arena.base)
		return 1;
	memset(arena.base, 0, ARENA);
	test_arena();
	test_verify();
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		many = false;
		test_simd();
		many = true;
		test_simd();
		test_parting();
		test_step_fault();
		test_wait_other();
	}
	free(arena.base);
	return tap_done();
}
