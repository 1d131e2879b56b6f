// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a launch's steps: random programs whose lanes take turns, with any
 * operands, in each numeric model; primitives of sixteen outputs. The weight of a step is bounded;
 * the times of steps are printed.
 */
#include "../include/sections.h"
#include "gen.h"

#define LANES	128
#define PROGRAMS 60
#define PRIMS	21
/* Maximum weight that a stretch of micro-ops adds to a slice. */
#define OVER	1100

static u32 in[LANES][4][4], out[LANES][ENG_NOUT][4], unif[ENG_UNIF];
static u32 prims[LANES * PRIMS * 3 * 64];
static struct sections_way way;
static struct sections *steps;

static void run_job(struct vs_job *job)
{
	sections_run(steps, job);
}

static struct eng_run setup(const struct vs_prog *p, enum vs_fp_model fp)
{
	struct eng_run run = { .prog = p, .fp = fp, .simd = way.limits.simd, .count = LANES,
			       .nin = 4, .in = in[0], .out = out[0], .unif = unif,
			       .bools = 0x1234, .run = run_job };
	u32 i;

	for (i = 0; i < 4; i++)
		run.loops[i] = (struct vs_loop){ 255, i, 1 };
	return run;
}

static void result(struct sections *s, const char *model, bool ok)
{
	sections_show(s, &way);
	tap_result(ok, "%s: %s, %s: as expected", way.name, s->name, model);
	tap_result(s->weight < SECTIONS_SLICE + OVER, "%s: %s, %s: weight of a step", way.name,
		   s->name, model);
}

/* Any operands, so that there are subnormal numbers. */
static void fill(struct eng_rand *r)
{
	u32 i, k;

	for (i = 0; i < LANES; i++)
		for (k = 0; k < 16; k++)
			in[i][k / 4][k % 4] = k < 8 ? eng_mild(r) : eng_operand(r);
	for (i = 0; i < ENG_UNIF; i++)
		unif[i] = eng_mild(r);
}

static void test_random(enum vs_fp_model fp)
{
	static const char *const name[VS_NUM_FP] = { "random programs, binary32",
						     "random programs, 1.7.16 truncating",
						     "random programs, 1.7.16 to nearest" };
	struct sections s = { .name = name[fp] };
	struct eng_rand r;
	struct vs_prog *p;
	u32 i;

	steps = &s;
	while (sections_again(&s)) {
		eng_srand(&r, 7);
		for (i = 0; i < PROGRAMS; i++) {
			struct eng_run run;

			p = gen_program(&r, 8 + eng_below(&r, 40));
			fill(&r);
			run = setup(p, fp);
			run.budget = 30000;
			eng_run(&run);
			vs_prog_free(p);
		}
	}
	result(&s, "random", s.n > PROGRAMS);
}

static void test_emit(enum vs_fp_model fp)
{
	struct sections s = { .name = "primitives of sixteen outputs" };
	struct vs_builder *b = eng_builder(4 * PRIMS + 1);
	struct vs_prog *p;
	bool ok = true;
	u32 i, k;

	for (i = 0; i < PRIMS; i++) {
		for (k = 0; k < 16 && !i; k++)
			eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4 * k),
					   .a = SEQ(4 * (k % 4))));
		eng_emit(b, 2 * i + 1, UOP(.op = VS_OP_SETEMIT, .imm = i % 3 | 4));
		eng_emit(b, 2 * i + 2, UOP(.op = VS_OP_EMIT));
	}
	eng_emit(b, 2 * PRIMS + 1, UOP(.op = VS_OP_END));
	p = eng_finish(b);
	steps = &s;
	while (sections_again(&s)) {
		struct eng_run run = setup(p, fp);

		run.flags = VS_LAUNCH_EMIT;
		run.emit = (struct vs_emit){ .mask = 0xffff, .max_prims = PRIMS,
					     .bool_after = ~0U };
		run.prims = prims;
		run.prims_size = sizeof(prims);
		eng_run(&run);
		ok &= run.fault.kind == VS_FAULT_NONE;
	}
	result(&s, fp == VS_FP_F32 ? "binary32" : "1.7.16", ok);
	vs_prog_free(p);
}

int main(void)
{
	u32 fp;

	/* a debugger's launches are test_debug's */
	while (sections_next(&way) && !way.limits.dbg) {
		for (fp = 0; fp < VS_NUM_FP; fp++) {
			test_random(fp);
			test_emit(fp);
		}
	}
	return tap_done();
}
