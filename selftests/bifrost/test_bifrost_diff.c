// SPDX-License-Identifier: GPL-2.0
/*
 * Bifrost operations and clauses: lowered programs on every executor of this machine,
 * against the reference model, with random operands.
 *
 * Single operations: what each operation of the table makes. Mixed: clauses of any
 * operations that read and write a few registers, through all ports and at all times.
 */
#include <stdlib.h>

#include "../../userspace/disasm/bifrost_disasm.h"
#include "../../userspace/disasm/uop_print.h"
#include "../include/tap.h"
#include "../ref/bifrost_ref_int.h"
#include "clause_gen.h"
#include "../include/lower.h"
#include "isa/mali/mali_run_int.h"

#define CODE_VA		0x100000ULL
#define PUSH_VA		0x200000ULL
#define DATA_VA		0x300000ULL
#define DATA_SIZE	(LANES * GEN_MEMORY)
#define ARENA		(4U << 20)
#define LANES		SIMT_LANES

static u32 data[DATA_SIZE / 4], start_data[DATA_SIZE / 4];

static const struct vs_extent extent = {
	.lo = DATA_VA, .hi = DATA_VA + DATA_SIZE, .kva = (u8 *)data, .flags = VS_EXT_WRITE,
};

static const struct vs_map map = { .n = 1, .ext = &extent };
static struct simt_arena arena;
static u32 before[LANES][64], after[LANES][64], push[2 * GEN_PUSH];
/* For what is no matter of the machine. */
static struct mali_run mali;
static struct mrf *ref;
/* Where the memory of workgroups and of threads is; lane 0's. */
static const u32 segments[4] = { 0x80001000, 0x12, 0xfffffff0, 0x7fffffff };
static enum vs_simd simd;
/* Operations that both have, and that have one right result. */
static bool use[BI_NUM_UNITS][GEN_MAX_OPS];

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct simt_prog *p = simt_machine_launched(m)->prog;
	u32 l, r, slot;

	for (r = 0; r < 64; r++) {
		slot = simt_prog_slot(p, r);
		for (l = 0; l < LANES && slot != SIMT_NOWHERE; l++)
			b->slot[slot * LANES + l] = before[l][r];
	}
	for (r = 0; r < 4; r++) {
		slot = simt_prog_slot(p, BI_SLOT_WLS + r);
		for (l = 0; l < LANES && slot < p->own; l++)
			b->slot[slot * LANES + l] = segments[r] + l * (1 - (r & 1));
	}
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	return mali_ext(m, b, u);
}

static void end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l, r;

	for (l = 0; l < LANES; l++)
		for (r = 0; r < 64; r++)
			after[l][r] = b->slot[r * LANES + l];
}

static const struct simt_ops ops = { .start = start, .ext = ext, .end = end };

enum outcome { SAME, DIFFERENT, SKIPPED, BROKEN };

/* Return: 0, -ENOEXEC: not executed. */
static int run_engine(const struct gen_prog *p, u32 flags, struct simt_prog **prog)
{
	static u32 unif[BI_NUM_UNIF];
	struct simt_launch l = {
		.ops = &ops, .arg = &mali, .local = { LANES, 1, 1 }, .groups = { 1, 1, 1 },
		.unif = unif, .wls_instances = 1,
	};
	enum simt_status status = SIMT_RUN_MORE;
	struct simt_machine *m;
	struct vs_reject rej;
	u64 used;
	int ret;

	arena.used = 0;
	ret = bifrost_lower(&arena, p->words, p->nquads, CODE_VA, 0, BI_G72,
			    VS_STAGE_COMPUTE, BI_LOWER_FUSED_FMA | flags, prog, &rej);
	if (ret == -ENOEXEC && rej.reason == BI_UNSUPPORTED)
		return ret;
	if (ret) {
		tap_comment("lowering: %d, %s at %u", ret, bi_reason_text(rej.reason),
			    rej.offset);
		return -EINVAL;
	}
	memcpy(unif + BI_UNIF_PUSH, push, sizeof(push));
	l.prog = *prog;
	m = simt_machine_new(&arena, &map);
	if (!m || simt_machine_launch(m, &l))
		return -ENOMEM;
	while (status == SIMT_RUN_MORE)
		status = simt_machine_run(m, simd, 100000, &used);
	return status == SIMT_RUN_DONE ? 0 : -EINVAL;
}

/* Registers of a lane afterwards; false: the model does not have it. */
static bool run_ref(const struct gen_prog *p, u32 lane, u32 *r)
{
	struct mrf_draw d = { .code = CODE_VA, .push = PUSH_VA, .npush = GEN_PUSH };
	struct bfr_thread t = { .pc = CODE_VA, .covered = true };

	memcpy(mrf_at(ref, CODE_VA, sizeof(p->words)), p->words, sizeof(p->words));
	memcpy(mrf_at(ref, PUSH_VA, sizeof(push)), push, sizeof(push));
	memcpy(t.r, before[lane], sizeof(t.r));
	t.lane = lane % 4;
	ref->budget = 100;
	*ref->error = 0;
	ref->unsupported = false;
	bfr_run_one(ref, &d, &t);
	memcpy(r, t.r, sizeof(t.r));
	return !*ref->error;
}

/* Values of functions may differ in the last place. */
static bool near(u32 a, u32 b, u32 ulps)
{
	return a - b + ulps <= 2 * ulps;
}

static void show(const struct gen_prog *p, const struct simt_prog *prog)
{
	static char text[8192];
	char *line = text, *next;
	u32 i;

	bi_listing(p->words, 4 * p->nquads, text, sizeof(text));
	for (; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (*line)
			tap_comment("  %s", line);
	}
	for (i = 0; i < prog->nuops; i++) {
		simt_prog_print_uop(prog, i, text, sizeof(text));
		tap_comment("  %s", text);
	}
}

static enum outcome compare(const struct gen_prog *p, u32 ulps)
{
	struct simt_prog *prog;
	u32 l, i, want[64];
	int ret;

	for (l = 0; l < LANES; l++)
		for (i = 0; i < 64; i++)
			before[l][i] = i < GEN_REGS ? gen_word() : l << 8 | i;
	for (l = 0; l < LANES; l++) {
		before[l][GEN_ADDRESS] = (u32)DATA_VA + l * GEN_MEMORY;
		before[l][GEN_ADDRESS + 1] = 0;
	}
	for (i = 0; i < DATA_SIZE / 4; i++)
		start_data[i] = gen_word();
	memcpy(data, start_data, sizeof(data));
	memcpy(mrf_at(ref, DATA_VA, DATA_SIZE), data, sizeof(data));
	for (i = 0; i < ARRAY_SIZE(push); i++)
		push[i] = gen_word();
	ret = run_engine(p, BI_LOWER_KEEP_REGS, &prog);
	if (ret == -ENOEXEC)
		return SKIPPED;
	if (ret)
		return BROKEN;
	for (l = 0; l < LANES; l++) {
		if (!run_ref(p, l, want))
			return SKIPPED;
		for (i = 0; i < 64; i++) {
			if (near(after[l][i], want[i], ulps))
				continue;
			tap_comment("executor %s, lane %u: r%u is %08x, should be %08x",
				    vs_simd_name(simd), l, i, after[l][i], want[i]);
			for (i = 0; i < GEN_REGS; i++)
				tap_comment("  r%u was %08x", i, before[l][i]);
			show(p, prog);
			return DIFFERENT;
		}
	}
	if (memcmp(mrf_at(ref, DATA_VA, DATA_SIZE), data, sizeof(data))) {
		tap_comment("executor %s: other values are stored", vs_simd_name(simd));
		show(p, prog);
		return DIFFERENT;
	}
	return SAME;
}

/*
 * Registers that the program says it does not read before it writes them: other values in
 * these change nothing but what is not written either.
 */
static bool check_zero(const struct gen_prog *p)
{
	static u32 old[LANES][64], was[LANES][64];
	struct simt_prog *prog;
	u32 l, r;

	memcpy(old, before, sizeof(old));
	memcpy(was, after, sizeof(was));
	if (run_engine(p, BI_LOWER_KEEP_REGS, &prog))
		return false;
	for (l = 0; l < LANES; l++)
		for (r = prog->zero; r < GEN_ADDRESS; r++)
			before[l][r] = gen_word();
	memcpy(data, start_data, sizeof(data));
	if (run_engine(p, BI_LOWER_KEEP_REGS, &prog))
		return false;
	memcpy(before, old, sizeof(before));
	for (l = 0; l < LANES; l++) {
		for (r = 0; r < 64; r++) {
			if (after[l][r] == was[l][r] || was[l][r] == old[l][r])
				continue;
			tap_comment("lane %u: r%u is %08x, was %08x; %u registers are cleared", l,
				    r, after[l][r], was[l][r], prog->zero);
			show(p, prog);
			return false;
		}
	}
	return true;
}

/* Without registers at the end memory is still the same. */
static bool check_memory(const struct gen_prog *p)
{
	struct simt_prog *prog;

	memcpy(data, start_data, sizeof(data));
	if (run_engine(p, 0, &prog))
		return false;
	if (!memcmp(mrf_at(ref, DATA_VA, DATA_SIZE), data, sizeof(data)))
		return true;
	tap_comment("executor %s: other values are stored", vs_simd_name(simd));
	show(p, prog);
	return false;
}

static u32 ulps_of(const char *name)
{
	static const char * const functions[] = {
		"FEXP", "FLOG", "FSIN", "FCOS", "FRSQ", "FRCP",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strncmp(name, functions[i], strlen(functions[i])))
			return 1;
	return 0;
}

static void next_simd(void)
{
	u32 mask = vs_simd_mask();

	do {
		simd = (simd + 1) % VS_NUM_SIMD;
	} while (!(mask >> simd & 1));
}

/* Each encoding of the unit. */
static void test_single(enum bi_unit unit, u32 times)
{
	u32 all, n, i, done, compared = 0, skipped = 0, bad = 0;
	struct gen_prog p = { };

	bi_ops(unit, &all);
	for (n = 0; n < all; n++) {
		done = 0;
		for (i = 0; i < times; i++) {
			enum outcome o;

			if (!gen_single(&p, unit, n))
				break;
			next_simd();
			o = compare(&p, ulps_of(p.op->name));
			done += o == SAME;
			if (o == DIFFERENT || o == BROKEN) {
				tap_comment("%s", p.op->name);
				bad++;
				break;
			}
		}
		use[unit][n] = done && !ulps_of(p.op->name);
		if (done)
			compared++;
		else if (i == times)
			skipped++;
		if (!done && i == times && bifrost_executes(p.op->name))
			tap_comment("%s is not in the model", p.op->name);
	}
	tap_result(!bad && compared,
		   "operations of %s: %u encodings alike, %u not in both models, %u differ",
		   unit == BI_FMA ? "FMA" : "ADD", compared, skipped, bad);
}

static void test_mixed(u32 times)
{
	u32 i, same = 0, skipped = 0, bad = 0;
	struct gen_prog p;

	for (i = 0; i < times && bad < 3; i++) {
		gen_mixed(&p, use);
		next_simd();
		switch (compare(&p, 0)) {
		case SAME:
			same++;
			bad += i % 4 == 0 && !check_zero(&p);
			bad += !check_memory(&p);
			break;
		case SKIPPED:
			skipped++;
			break;
		default:
			bad++;
			break;
		}
	}
	tap_result(!bad && same, "clauses: %u alike, %u not in both models, %u differ", same,
		   skipped, bad);
}

/* ---- what the model does not have ---- */

#define NOP_FMA		0x701963
#define FAU_LO		BI_SRC_FAU_LO

static bool run_pair(u32 fma, u32 add)
{
	struct simt_prog *prog;
	struct gen_prog p;
	u32 l, i;

	gen_pair(&p, fma, add);
	for (l = 0; l < LANES; l++) {
		for (i = 0; i < 64; i++)
			before[l][i] = gen_word();
		before[l][GEN_ADDRESS] = (u32)DATA_VA + l * GEN_MEMORY;
		before[l][GEN_ADDRESS + 1] = 0;
	}
	for (i = 0; i < ARRAY_SIZE(push); i++)
		push[i] = gen_word();
	for (i = 0; i < DATA_SIZE / 4; i++)
		data[i] = gen_rand();
	next_simd();
	return !run_engine(&p, BI_LOWER_KEEP_REGS, &prog);
}

/* r2:r0 + ((u0.w0:r1) << shift), where the second one may have 32 bits. */
static bool shaddx(u32 base, s32 (*high)(u32 l))
{
	u32 shift = gen_rand() % 8, l;
	bool ok = run_pair(base | 1 << 3 | shift << 6, 0x3f8c0 | BI_SRC_PORT2 | FAU_LO << 3);

	for (l = 0; ok && l < LANES; l++) {
		u64 a = before[l][0] | (u64)before[l][2] << 32;
		u64 b = before[l][1] | (u64)(u32)high(l) << 32, sum = a + (b << shift);

		ok = after[l][4] == (u32)sum && after[l][5] == (u32)(sum >> 32);
	}
	return ok;
}

static s32 high_given(u32 l)
{
	return (s32)push[0];
}

static s32 high_sign(u32 l)
{
	return (s32)before[l][1] < 0 ? -1 : 0;
}

static s32 high_zero(u32 l)
{
	return 0;
}

static void test_shaddx(u32 times)
{
	bool ok = true;
	u32 i;

	for (i = 0; ok && i < times; i++)
		ok = shaddx(0x70e600, high_given) && shaddx(0x70e800 | 2 << 9, high_sign) &&
		     shaddx(0x70e000 | 2 << 9, high_zero);
	tap_result(ok, "shifted sums of 64 bits");
}

/* r4, r5 = r0, r2 and the segment's address; a null pointer may stay one. */
static bool seg_op(bool sub, bool tls, bool keep_null)
{
	u32 bits = (sub ? 0x540 : 0x500) | (tls ? 7 : 2) << 3 | (keep_null ? 0x80 : 0), l;
	bool ok = run_pair(0x701000 | bits, 0x3d000 | bits | BI_SRC_PORT2);

	for (l = 0; ok && l < LANES; l++) {
		u64 a = before[l][0] | (u64)before[l][2] << 32;
		u64 base = segments[2 * tls] + l, want;

		base = (u32)base | (u64)segments[2 * tls + 1] << 32;
		want = keep_null && !a ? 0 : sub ? a - base : a + base;
		ok = after[l][4] == (u32)want && after[l][5] == (u32)(want >> 32);
	}
	return ok;
}

static void test_segments(u32 times)
{
	bool ok = true;
	u32 i;

	for (i = 0; ok && i < 8 * times; i++)
		ok = seg_op(i & 1, i & 2, i & 4);
	tap_result(ok, "pointers to segments and back");
}

/* ---- branches that a warp decides ---- */

/* BRANCHC by r0 over: r4 = 1; then: r5 = 1; end. @word: the third one of the program. */
static const struct warp_branch {
	const char *name;
	u32 word;
	u32 shift;
	bool all;
} warp_branches[] = {
	{ "i32.any", 0x8003cde3, 0, false }, { "i32.all", 0x8003dde3, 0, true },
	{ "i16.any", 0x8003c5e3, 0, false }, { "i16.all h1", 0x8003ddc3, 16, true },
};

static bool branch_of_warp(const struct warp_branch *t)
{
	const u32 words[] = {
		0x0000400b, 0x80cb1840, t->word, 0x00000008,
		0x00000070, 0x00000400, 0x00000004, 0x00000000,
		0x01044109, 0x80cb186c, 0xc00765b3, 0x00000008,
		0x00000070, 0x00000000, 0x00000000, 0x00000000,
		0x01454109, 0x80cb186c, 0x000765b3, 0x00000008,
		0x00000070, 0x00000000, 0x00000000, 0x00000000,
	};
	struct gen_prog p = { .nquads = ARRAY_SIZE(words) / 4 };
	struct simt_prog *prog;
	bool ok = true;
	u32 l, i;

	memcpy(p.words, words, sizeof(words));
	memset(before, 0, sizeof(before));
	for (l = 0; l < LANES; l++)
		before[l][0] = gen_rand() % 4 == 0 ? 0 : gen_rand() % 2 ? 0x10001 << 8 :
			       gen_rand() % 2 ? 0xff : 0xff0000;
	next_simd();
	if (run_engine(&p, BI_LOWER_KEEP_REGS, &prog))
		return false;
	for (l = 0; l < LANES; l++) {
		bool some = false, all = true;

		for (i = l & ~3U; i <= (l | 3); i++) {
			u32 v = t->name[1] == '3' ? before[i][0] :
				before[i][0] >> t->shift & 0xffff;

			some |= v != 0;
			all &= v != 0;
		}
		ok &= after[l][4] == !(t->all ? all : some) && after[l][5] == 1;
	}
	return ok;
}

/*
 * Lanes with r0 go to: BRANCH_NO_DIVERG over r4 = 2; r6 = 1; end. The others: BRANCH_DIVERG over
 * r4 = 1; r5 = 1; and there.
 */
static const u32 diverging[] = {
	0x0000400b, 0x80cb1840, 0x8003e583, 0x00000008,
	0x00000070, 0x00000800, 0x00000004, 0x00000000,
	0x0000400b, 0x80cb1844, 0xc003e5f3, 0x00000008,
	0x00000070, 0x00000400, 0x00000004, 0x00000000,
	0x01044109, 0x80cb186c, 0xc00765b3, 0x00000008,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x01454109, 0x80cb186c, 0xc00765b3, 0x00000008,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x0000400b, 0x80cb1844, 0xc003edd3, 0x00000008,
	0x00000070, 0x00000400, 0x00000004, 0x00000000,
	0x01044209, 0x80cb186c, 0xc00765b3, 0x00000008,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x01864109, 0x80cb186c, 0x000765b3, 0x00000008,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
};

static bool divergence(void)
{
	struct gen_prog p = { .nquads = ARRAY_SIZE(diverging) / 4 };
	struct simt_prog *prog;
	bool ok = true;
	u32 l, i;

	memcpy(p.words, diverging, sizeof(diverging));
	memset(before, 0, sizeof(before));
	for (l = 0; l < LANES; l++)
		before[l][0] = gen_rand() % 4 == 0;
	next_simd();
	if (run_engine(&p, BI_LOWER_KEEP_REGS, &prog))
		return false;
	for (l = 0; l < LANES; l++) {
		bool go = before[l][0], apart = false;

		for (i = l & ~3U; i <= (l | 3); i++)
			apart |= before[i][0] != before[l][0];
		/* all are together again at the end */
		ok &= after[l][4] == (!go && !apart) && after[l][5] == !go && after[l][6] == 1;
	}
	return ok;
}

static void test_warps(u32 times)
{
	bool ok = true;
	u32 i, k;

	for (k = 0; k < ARRAY_SIZE(warp_branches); k++) {
		for (ok = true, i = 0; ok && i < times; i++)
			ok = branch_of_warp(&warp_branches[k]);
		tap_result(ok, "BRANCHC.%s", warp_branches[k].name);
	}
	for (ok = true, i = 0; ok && i < times; i++)
		ok = divergence();
	tap_result(ok, "branches where a warp is apart");
}

static float as_float(u32 v)
{
	float f;

	memcpy(&f, &v, 4);
	return f < 0 ? -f : f;
}

/* Largest coordinate, and its face: +x -x +y -y +z -z. */
static bool cube_face(void)
{
	bool ok = run_pair(0x706800 | 1 << 3 | 2 << 6, 0x3de58 | BI_SRC_STAGE);
	u32 l, i;

	for (l = 0; ok && l < LANES; l++) {
		u32 best = 0, nan = 0;

		for (i = 0; i < 3; i++) {
			nan |= as_float(before[l][i]) != as_float(before[l][i]);
			if (as_float(before[l][i]) > as_float(before[l][best]))
				best = i;
		}
		ok = nan || (after[l][4] == (before[l][best] & 0x7fffffff) &&
			     after[l][5] == (2 * best + (before[l][best] >> 31)) << 29);
	}
	return ok;
}

/* s and t of a face: how they depend on two coordinates. */
static bool cube_select(u32 add, const s8 *of)
{
	bool ok = run_pair(NOP_FMA, add | 1 << 3 | 2 << 6);
	u32 l, v, face;

	for (l = 0; ok && l < LANES; l++) {
		face = before[l][2] >> 29;
		if (face > 5)
			continue;
		v = before[l][of[face] & 1];
		ok = after[l][5] == (of[face] & 2 ? v ^ 0x80000000 : v);
	}
	return ok;
}

static void test_cube(u32 times)
{
	/* 0, 1: which one; 2, 3: negated */
	static const s8 s_of[6] = { 2, 0, 1, 1, 1, 3 }, t_of[6] = { 2, 2, 1, 3, 2, 2 };
	bool ok = true;
	u32 i;

	for (i = 0; ok && i < times; i++)
		ok = cube_face() && cube_select(0x3e000, s_of) && cube_select(0x3e400, t_of);
	tap_result(ok, "cube faces");
}

/**
 * struct lane_load - a load to a part of a register
 * @bits: operation
 * @bytes: that are loaded
 * @first: where they go
 * @size: bytes that are written
 * @sign: they are extended with the sign
 */
struct lane_load {
	u32 bits;
	u8 bytes;
	u8 first;
	u8 size;
	bool sign;
};

static const struct lane_load lane_loads[] = {
	{ 0x60040, 1, 0, 1 }, { 0x60240, 1, 1, 1 }, { 0x60440, 1, 2, 1 }, { 0x60640, 1, 3, 1 },
	{ 0x63840, 1, 0, 2, true }, { 0x63a40, 1, 0, 2 }, { 0x63c40, 1, 2, 2, true },
	{ 0x63e40, 1, 2, 2 }, { 0x63440, 1, 0, 4, true }, { 0x63640, 1, 0, 4 },
	{ 0x61440, 1, 0, 8, true }, { 0x61640, 1, 0, 8 }, { 0x60840, 2, 0, 2 },
	{ 0x60a40, 2, 2, 2 }, { 0x63040, 2, 0, 4, true }, { 0x63240, 2, 0, 4 },
	{ 0x61840, 2, 0, 8, true }, { 0x61a40, 2, 0, 8 }, { 0x65040, 3, 0, 4 },
	{ 0x60c40, 4, 0, 4 }, { 0x61c40, 4, 0, 8, true }, { 0x61e40, 4, 0, 8 },
	{ 0x65240, 6, 0, 8 },
};

static bool lane_load(const struct lane_load *t)
{
	bool ok = run_pair(NOP_FMA, t->bits | 1 << 3);
	u32 l, i;

	for (l = 0; ok && l < LANES; l++) {
		const u8 *from = (const u8 *)data + l * GEN_MEMORY;
		u8 want[8];

		memcpy(want, &before[l][6], 8);
		for (i = 0; i < t->size; i++)
			want[t->first + i] = i < t->bytes ? from[i] :
					     t->sign && from[t->bytes - 1] & 0x80 ? 0xff : 0;
		ok = !memcmp(want, &after[l][6], 8);
	}
	if (!ok)
		tap_comment("LOAD %05x", t->bits);
	return ok;
}

static void test_loads(void)
{
	bool ok = true;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(lane_loads); i++)
		for (k = 0; k < VS_NUM_SIMD; k++)
			ok &= lane_load(&lane_loads[i]);
	tap_result(ok, "loads to parts of registers");
}

int main(int argc, char **argv)
{
	u32 scale = 1, i;

	for (i = 1; i < (u32)argc; i++) {
		if (!strcmp(argv[i], "--long"))
			scale = 20;
		else if (!strcmp(argv[i], "--seed") && i + 1 < (u32)argc)
			gen_seed((u32)strtoul(argv[++i], NULL, 0));
	}
	tap_plan(12);
	arena.size = ARENA;
	arena.base = aligned_alloc(64, ARENA);
	memset(arena.base, 0, ARENA);
	ref = calloc(1, sizeof(*ref));
	ref->arch = 7;
	mrf_map(ref, CODE_VA, sizeof(((struct gen_prog *)NULL)->words) + 256);
	mrf_map(ref, PUSH_VA, 4096);
	mrf_map(ref, DATA_VA, DATA_SIZE);
	test_single(BI_FMA, 40 * scale);
	test_single(BI_ADD, 40 * scale);
	test_mixed(20000 * scale);
	test_shaddx(50 * scale);
	test_segments(50 * scale);
	test_warps(20 * scale);
	test_cube(50 * scale);
	test_loads();
	mrf_free(ref);
	free(ref);
	free(arena.base);
	return tap_done();
}
