// SPDX-License-Identifier: GPL-2.0
/*
 * Control flow: diverging and reconverging lanes compute the same results as single
 * lanes, on every executor; ring stacks at their limits.
 */
#include "gen.h"

#define LANES	(64 + 37)

static u32 in[LANES][4][4], unif[ENG_UNIF];
static u32 together[VS_NUM_SIMD][LANES][ENG_NOUT][4], alone[LANES][ENG_NOUT][4];

static void fill(struct eng_rand *r, bool wild)
{
	u32 i, k, c;

	for (i = 0; i < LANES; i++) {
		for (k = 0; k < 4; k++) {
			for (c = 0; c < 4; c++)
				in[i][k][c] = wild ? eng_operand(r) : eng_mild(r);
		}
	}
	for (i = 0; i < ENG_UNIF; i++)
		unif[i] = eng_mild(r);
}

struct tally {
	u32 programs;
	u32 ended;
	u32 faulted;
	u32 over;
	u32 bad;
};

static struct eng_run setup(struct eng_rand *r, const struct vs_prog *p, enum vs_fp_model fp)
{
	struct eng_run run = { .prog = p, .fp = fp, .nin = 4, .unif = unif,
			       .bools = eng_rand(r) & 0xffff };
	u32 i;

	for (i = 0; i < 4; i++)
		run.loops[i] = (struct vs_loop){ eng_below(r, 6), eng_below(r, 100),
						 eng_below(r, 4) };
	if (eng_below(r, 2))
		run.flags |= VS_LAUNCH_AL_RESTORE;
	return run;
}

/* Every lane alone. Return: fault kinds seen, a bit each. */
static u32 run_alone(struct eng_run run)
{
	u32 i, kinds = 0;

	run.simd = vs_simd_best();
	run.count = 1;
	run.budget = 3000;
	for (i = 0; i < LANES; i++) {
		run.in = in[i];
		run.out = alone[i];
		eng_run(&run);
		kinds |= BIT(run.fault.kind);
	}
	return kinds;
}

static void compare(const struct eng_run *setup, struct tally *t, u64 seed)
{
	u32 s, i, kinds = run_alone(*setup);
	u64 weight = 0;

	if (kinds & BIT(VS_FAULT_BUDGET)) {
		t->over++;
		return;
	}
	EACH_SIMD(s) {
		struct eng_run run = *setup;

		run.simd = s;
		run.count = LANES;
		run.in = in[0];
		run.out = together[s][0];
		run.slice = s & 1 ? 40 : 3000;
		eng_run(&run);
		if (kinds & ~BIT(VS_FAULT_NONE)) {
			/* The job ends at the first fault, one that a lane has alone. */
			t->bad += !(kinds >> run.fault.kind & 1) || !run.fault.kind;
			continue;
		}
		t->bad += run.fault.kind != VS_FAULT_NONE;
		if (s == VS_SIMD_PORTABLE)
			weight = run.weight;
		if (run.weight != weight) {
			tap_comment("seed %llu: weight %llu on %s, %llu on portable",
				    (unsigned long long)seed, (unsigned long long)run.weight,
				    vs_simd_name(s), (unsigned long long)weight);
			t->bad++;
		}
		for (i = 0; i < LANES; i++) {
			if (!memcmp(together[s][i], alone[i], sizeof(alone[i])))
				continue;
			if (!t->bad++)
				tap_comment("seed %llu, %s, lane %u differs",
					    (unsigned long long)seed, vs_simd_name(s), i);
		}
	}
	if (kinds & ~BIT(VS_FAULT_NONE))
		t->faulted++;
	else
		t->ended++;
}

static void test_random(u64 seed, enum vs_fp_model fp, u32 n, bool wild)
{
	struct tally t = { };
	u32 i;

	for (i = 0; i < n; i++) {
		struct eng_rand r;
		struct vs_prog *p;
		struct eng_run run;

		eng_srand(&r, seed + i);
		p = gen_program(&r, 8 + eng_below(&r, 40));
		fill(&r, wild);
		run = setup(&r, p, fp);
		compare(&run, &t, seed + i);
		vs_prog_free(p);
		t.programs++;
	}
	tap_result(!t.bad && t.ended * 4 > t.programs,
		   "%s%s: %u random programs: %u end, %u have faults, %u are too long, %u wrong",
		   eng_fp_name[fp], wild ? ", wild values" : "", t.programs, t.ended, t.faulted,
		   t.over, t.bad);
}

/* Add 1.0 to component @c of o0. */
static struct vs_uop count(struct vs_builder *b, u32 c)
{
	return UOP(.op = VS_OP_ADD, .flags = VS_UOP_B_UNIF, .d = { ENG_OUT + c },
		   .a = { ENG_OUT + c }, .b = { vs_builder_const(b, 0x3f800000) });
}

#define NEXT(g)	.flags = VS_UOP_RINGS, .f.next = (g) + 1, .f.resume = (g) + 1

static void run_fixed(struct vs_builder *b, struct eng_run *run, u32 (*o)[4], enum vs_simd s)
{
	static u32 res[64][ENG_NOUT][4];
	struct vs_prog *p = eng_finish(b);

	memset(in, 0, sizeof(in));
	run->prog = p;
	run->simd = s;
	run->count = 64;
	run->nin = 4;
	run->in = in[0];
	run->out = res[0];
	eng_run(run);
	memcpy(o, res[63], sizeof(res[63]));
	vs_prog_free(p);
}

/*
 * Six calls deep. Calls from 0, 2, .. 10, each into the next, end where the next one
 * returns to; the two oldest are lost. After the body, word 12: four pops in one step,
 * the last of which does not move: 7. Then 8 and 10 call again, return to 9 (two pops);
 * 10 calls, returns to 11, which runs on into 12 with empty stacks. That makes 7, 9, 11
 * once and 12 four times.
 */
static void test_call_overflow(void)
{
	u32 o[ENG_NOUT][4], s, bad = 0, g;

	EACH_SIMD(s) {
		struct vs_builder *b = eng_builder(32);
		struct eng_run run = { };

		for (g = 0; g < 12; g += 2) {
			eng_emit(b, g, UOP(.op = VS_OP_CALL, NEXT(g), .f.target = g + 2,
					   .f.end = g + 3));
			eng_emit(b, g + 1, count(b, 0));
			eng_emit(b, g + 1, UOP(.op = VS_OP_RINGS, NEXT(g + 1)));
		}
		eng_emit(b, 12, count(b, 1));
		eng_emit(b, 12, UOP(.op = VS_OP_RINGS, NEXT(12)));
		eng_emit(b, 13, UOP(.op = VS_OP_END));
		run_fixed(b, &run, o, s);
		bad += o[0][0] != eng_bits(3) || o[0][1] != eng_bits(4) || run.fault.kind;
	}
	tap_result(!bad, "calls deeper than the ring");
}

/* A loop that runs count + 1 times; aL after it; nested, with and without restore. */
static void test_loops(void)
{
	u32 o[ENG_NOUT][4], s, flags, bad = 0;

	EACH_SIMD(s) {
		for (flags = 0; flags <= VS_LAUNCH_AL_RESTORE; flags += VS_LAUNCH_AL_RESTORE) {
			struct vs_builder *b = eng_builder(8);
			struct eng_run run = { .flags = flags,
					       .loops = { { 2, 10, 1 }, { 4, 50, 7 } } };
			u32 unif_al[ENG_UNIF];
			u32 i;

			/* Row r holds the float r in x. */
			for (i = 0; i < ENG_UNIF; i++)
				unif_al[i] = eng_bits(i / 4);
			run.unif = unif_al;
			eng_emit(b, 0, UOP(.op = VS_OP_LOOP, NEXT(0), .f.other = 5, .f.end = 5,
					   .f.num = 0, .f.al = ENG_AL));
			eng_emit(b, 1, UOP(.op = VS_OP_LOOP, NEXT(1), .f.other = 3, .f.end = 3,
					   .f.num = 1, .f.al = ENG_AL));
			eng_emit(b, 2, count(b, 1));
			eng_emit(b, 2, UOP(.op = VS_OP_RINGS, NEXT(2)));
			eng_emit(b, 3, UOP(.op = VS_OP_LDROW, .d = { ENG_OUT + 2 },
					   .a = { ENG_AL }));
			eng_emit(b, 4, count(b, 0));
			eng_emit(b, 4, UOP(.op = VS_OP_RINGS, NEXT(4)));
			eng_emit(b, 5, UOP(.op = VS_OP_LDROW, .d = { ENG_OUT + 3 },
					   .a = { ENG_AL }));
			eng_emit(b, 6, UOP(.op = VS_OP_END));
			run_fixed(b, &run, o, s);
			bad += o[0][0] != eng_bits(3) || o[0][1] != eng_bits(15);
			/*
			 * Inner: 50 + 5 * 7 = 85; outer then increments the resulting
			 * value by 1.
			 */
			bad += o[0][2] != eng_bits(flags ? 12 : 85);
			bad += o[0][3] != eng_bits(flags ? 13 : 86);
		}
	}
	tap_result(!bad, "nested loops, trip counts and address register");
}

/* BREAK leaves the innermost loop from inside an IF; without a loop the unit hangs. */
static void test_break(void)
{
	u32 o[ENG_NOUT][4], s, bad = 0;

	EACH_SIMD(s) {
		struct vs_builder *b = eng_builder(8);
		struct eng_run run = { .loops = { { 200, 0, 1 } }, .bools = 1 };

		eng_emit(b, 0, UOP(.op = VS_OP_LOOP, NEXT(0), .f.other = 5, .f.end = 5,
				   .f.al = ENG_AL));
		eng_emit(b, 1, count(b, 0));
		eng_emit(b, 2, UOP(.op = VS_OP_IF, NEXT(2), .f.cond = VS_COND_BOOL,
				   .f.target = 4, .f.end = 4, .f.other = 4));
		eng_emit(b, 3, UOP(.op = VS_OP_BREAK, NEXT(3)));
		eng_emit(b, 4, count(b, 1));
		eng_emit(b, 4, UOP(.op = VS_OP_RINGS, NEXT(4)));
		eng_emit(b, 5, UOP(.op = VS_OP_END));
		run_fixed(b, &run, o, s);
		bad += o[0][0] != eng_bits(1) || o[0][1] != 0 || run.fault.kind;

		b = eng_builder(4);
		eng_emit(b, 0, count(b, 0));
		eng_emit(b, 1, UOP(.op = VS_OP_BREAK, NEXT(1)));
		eng_emit(b, 2, UOP(.op = VS_OP_END));
		run = (struct eng_run){ };
		run_fixed(b, &run, o, s);
		bad += run.fault.kind != VS_FAULT_HANG || run.fault.pc != 1 ||
		       run.fault.invocation != 0 || run.fault.active != ~0ULL;
	}
	tap_result(!bad, "BREAK inside and outside of a loop");
}

/* An endless loop ends by its budget, with the same record everywhere. */
static void test_budget(void)
{
	u32 o[ENG_NOUT][4], s, bad = 0;

	EACH_SIMD(s) {
		struct vs_builder *b = eng_builder(4);
		struct eng_run run = { .budget = 10000, .slice = 100 };

		eng_emit(b, 0, count(b, 0));
		eng_emit(b, 1, UOP(.op = VS_OP_BR, .f.target = 0));
		run_fixed(b, &run, o, s);
		/* Two per turn, and two for each attribute stream. */
		bad += run.fault.kind != VS_FAULT_BUDGET || run.fault.pc != 0 ||
		       run.weight != 10002;
	}
	tap_result(!bad, "an endless loop uses up its budget and no more");
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	u32 n, fp;

	eng_options(argc, argv, &opt);
	n = opt.longer ? 3000 : 250;
	test_call_overflow();
	test_loops();
	test_break();
	test_budget();
	for (fp = 0; fp < VS_NUM_FP; fp++) {
		test_random(opt.seed * 1000003, fp, n, false);
		test_random(opt.seed * 1000003 + n, fp, n, true);
	}
	return tap_done();
}
