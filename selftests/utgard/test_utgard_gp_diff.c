// SPDX-License-Identifier: GPL-2.0
/*
 * Random Utgard vertex programs on the engine, all its builds, against the reference model:
 * the same bits, including reads before a result's latency has passed.
 */
#include <stdlib.h>

#include "../include/tap.h"
#include "gp_gen.h"

#define VERTICES	75
#define BUDGET		400
#define MAX_N		60

static struct gp_case kase;
static u32 words[UGP_MAX_INSNS * UGP_WORDS];
static struct ugr_vertex want[VERTICES];
static u32 got[VERTICES][16][4];

static void make_inputs(u64 *seed)
{
	u32 i, k;

	kase.nrows = gen_below(seed, 4) ? 6 : 1 + gen_below(seed, UGP_MAX_ROWS);
	memset(kase.row, 0, sizeof(kase.row));
	for (i = 0; i < 4 * kase.nrows; i++)
		kase.row[i / 4][i % 4] = gen_value(seed);
	kase.nv = 1 + gen_below(seed, VERTICES);
	for (i = 0; i < kase.nv; i++) {
		for (k = 0; k < 64; k++)
			kase.v[i].attr[k / 4][k % 4] = gen_value(seed);
	}
}

/* Return: false: the program takes too long. */
static bool run_model(void)
{
	u32 i, k;

	for (i = 0; i < kase.nv; i++) {
		want[i] = kase.v[i];
		memcpy(want[i].row, kase.row, sizeof(kase.row));
		for (k = 0; k < 64; k++)
			want[i].out[k / 4][k % 4] = GP_UNTOUCHED;
		if (ugr_run(words, kase.n, &want[i], BUDGET) != UGR_ENDED)
			return false;
	}
	return true;
}

static bool check(enum vs_simd simd, u32 slice)
{
	int ret = gp_run(&kase, simd, slice, 1000000, got);
	u32 i, k;

	if (ret) {
		tap_comment("%s: %d, reason %u", vs_simd_name(simd), ret, gp_reject()->reason);
		return false;
	}
	for (i = 0; i < kase.nv; i++) {
		for (k = 0; k < 64; k++) {
			if (got[i][k / 4][k % 4] == want[i].out[k / 4][k % 4])
				continue;
			tap_comment("%s: vertex %u varying %u.%c: %08x instead of %08x",
				    vs_simd_name(simd), i, k / 4, "xyzw"[k % 4],
				    got[i][k / 4][k % 4], want[i].out[k / 4][k % 4]);
			return false;
		}
	}
	return true;
}

/* Return: 1: the same, 0: not, -1: the program takes too long. */
static int one(u64 seed, u32 flags)
{
	u64 s = seed;
	u32 simd;
	int ok = 1;

	kase.words = words;
	kase.n = 1 + gen_below(&s, gen_below(&s, 8) ? 12 : MAX_N);
	if (flags & GEN_BRANCHES && !gen_below(&s, 16))
		kase.n = 250 + gen_below(&s, UGP_MAX_INSNS - 250 + 1);
	gen_program(&s, flags, kase.n, words);
	make_inputs(&s);
	if (!run_model())
		return -1;
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (vs_simd_mask() & BIT(simd))
			ok &= check((enum vs_simd)simd, 1 + gen_below(&s, 20000));
	}
	/* debuggable lowering returns the same results */
	kase.debug = true;
	ok &= check(VS_SIMD_PORTABLE, 1 + gen_below(&s, 20000));
	kase.debug = false;
	return ok;
}

static void run_set(u64 seed, u32 flags, u32 n)
{
	u32 ran = 0, bad = 0, i;
	int r;

	for (i = 0; i < n && bad < 5; i++) {
		r = one(seed + ((u64)flags << 48) + i, flags);
		ran += r >= 0;
		bad += !r;
		if (!r)
			tap_comment("program %u, %u instructions", i, kase.n);
	}
	tap_result(!bad && ran > n / 4,
		   "branches %u, indexed loads %u, stores to rows %u, all registers %u: %u programs",
		   flags & GEN_BRANCHES, flags / GEN_INDEXED & 1, flags / GEN_TEMPS & 1,
		   flags / GEN_ALL_REGS & 1, ran);
}

static void check_coverage(void)
{
	u32 op, missing = 0;

	for (op = 0; op < UGP_NUM_OPS; op++) {
		if (op == UGP_OP_EXP2 || op == UGP_OP_LOG2 || gen_count[op] >= 20)
			continue;
		tap_comment("%s: %u", ugp_op((enum ugp_opcode)op)->name, gen_count[op]);
		missing++;
	}
	tap_result(!missing, "all operations but exp2 and log2 occurred");
}

int main(int argc, char **argv)
{
	u64 seed = 1;
	u32 n = 150, flags;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--long"))
			n = 3000;
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 0);
	}
	tap_comment("seed %llu", (unsigned long long)seed);
	for (flags = 0; flags < 16; flags++)
		run_set(seed << 20, flags, n);
	check_coverage();
	return tap_done();
}
