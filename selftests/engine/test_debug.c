// SPDX-License-Identifier: GPL-2.0
/*
 * The debugger: stepping, stopping and inspecting a block does not change its results.
 */
#include "../include/block_debug.h"
#include "gen.h"

#define NINV	100
#define IN	0x10000ULL
#define OUT	0x1000000ULL

static u32 mem_in[NINV][4][4], mem_out[NINV][ENG_NOUT][4], want[NINV][ENG_NOUT][4];
static u32 unif[ENG_UNIF];

static const struct vs_extent ext[2] = {
	{ IN, IN + sizeof(mem_in), (u8 *)mem_in, 0 },
	{ OUT, OUT + sizeof(mem_out), (u8 *)mem_out, VS_EXT_WRITE },
};

static const struct vs_map map = { 2, ext };
static const struct vs_job_limits lim = { .budget = 100000, .simd = VS_SIMD_SSE2, .slice = 3000 };

static struct vs_launch launch(const struct vs_prog *p, enum vs_fp_model fp)
{
	struct vs_launch l = { .prog = p, .count = NINV, .instances = 1, .unif = unif, .nattr = 4,
			       .nout = ENG_NOUT, .fp = fp, .bools = 0x5555,
			       .loops = { { 3, 5, 1 }, { 1, 0, 2 }, { 2, 7, 3 }, { 0, 9, 1 } } };
	u32 i;

	for (i = 0; i < 4; i++) {
		l.attr[i] = (struct vs_stream){ .va = IN + 16 * i, .stride = 64, .reg = i,
						.ncomp = 4 };
		l.out[i] = (struct vs_stream){ .va = OUT + 16 * i, .stride = 64, .reg = i,
					       .ncomp = 4 };
	}
	return l;
}

static u32 run_plain(const struct vs_launch *l)
{
	struct vs_job *job = vs_job_new(&map, &lim, 1);
	u64 steps = 0;
	u32 kind;

	if (!job || vs_job_add_launch(job, l))
		exit(2);
	eng_finish_job(job, eng_worker(), &steps);
	kind = vs_job_get_fault(job)->kind;
	vs_job_free(job);
	return kind;
}

static void fill(struct eng_rand *r)
{
	u32 i;

	for (i = 0; i < sizeof(mem_in) / 4; i++)
		((u32 *)mem_in)[i] = eng_mild(r);
	for (i = 0; i < ENG_UNIF; i++)
		unif[i] = eng_mild(r) & 0xffffff80;
}

/* v0 + v1 -> t0, branch on t0.x < v2.x, two arms, o0 */
static struct vs_prog *sample(void)
{
	struct vs_builder *b = eng_builder(8);

	eng_emit(b, 0, UOP(.op = VS_OP_ADD, .ncomp = 4, .d = SEQ(ENG_TEMP), .a = SEQ(0),
			   .b = SEQ(4)));
	eng_emit(b, 1, UOP(.op = VS_OP_CMP, .ncomp = 1, .imm = VS_CMP_LT, .a = { ENG_TEMP },
			   .b = { 8 }));
	eng_emit(b, 2, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = 5, .f.target = 5,
			   .f.resume = 3));
	eng_emit(b, 3, UOP(.op = VS_OP_NEG, .ncomp = 4, .d = SEQ(ENG_TEMP),
			   .a = SEQ(ENG_TEMP)));
	eng_emit(b, 4, UOP(.op = VS_OP_MUL, .ncomp = 4, .d = SEQ(ENG_TEMP), .a = SEQ(ENG_TEMP),
			   .b = SEQ(12)));
	eng_emit(b, 5, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT), .a = SEQ(ENG_TEMP)));
	eng_emit(b, 6, UOP(.op = VS_OP_END));
	return eng_finish(b);
}

static void test_breakpoints(void)
{
	struct vs_prog *p = sample();
	struct vs_launch l = launch(p, VS_FP_F32);
	struct block_debug *d;
	u32 v, x, y, bad = 0, i, hits = 0;
	u64 mask, seen = 0;

	d = bd_new(&map, &lim, &l, 0);
	if (!d)
		exit(2);
	bad += !bd_break_set(d, 3) || !bd_break_set(d, 99);
	bad += bd_pc(d, &mask) != 0 || mask != ~0ULL;
	bad += bd_continue(d) != BD_BREAK || bd_pc(d, &mask) != 3;
	for (i = 0; i < 64; i++) {
		x = eng_bits(eng_f(mem_in[i][0][1]) + eng_f(mem_in[i][1][1]));
		bad += bd_reg_read(d, "t0", 1, i, &v) || v != x;
		bad += bd_reg_read(d, "p", 0, i, &v) ||
		       v != (eng_f(mem_in[i][0][0]) + eng_f(mem_in[i][1][0]) <
			     eng_f(mem_in[i][2][0])) || v != (mask >> i & 1);
		bad += bd_lane_pc(d, i) != (v ? 3 : 5);
	}
	bad += bd_lane_pc(d, 64) != ~0U;
	bad += bd_reg_read(d, "t0", 4, 0, &v) != -ENOENT ||
	       bd_reg_read(d, "nope", 0, 0, &v) != -ENOENT ||
	       bd_reg_read(d, "t0", 0, 64, &v) != -ENOENT;
	/* A written register counts. */
	i = __builtin_ctzll(mask);
	bad += bd_reg_write(d, "t0", 2, i, eng_bits(2.0f)) != 0;
	bad += bd_step(d) != BD_STEP || bd_pc(d, &mask) != 4;
	bad += bd_reg_read(d, "t0", 2, i, &v) || v != eng_bits(-2.0f);
	bad += !bd_break_set(d, 5);
	while (bd_continue(d) == BD_BREAK) {
		bad += bd_pc(d, &mask) != 5;
		seen |= mask;
		hits++;
	}
	bad += hits < 1 || seen != ~0ULL || bd_continue(d) != BD_DONE ||
	       bd_step(d) != BD_DONE || bd_lane_pc(d, 0) != ~0U;
	y = eng_bits(-2.0f * eng_f(mem_in[i][3][2]));
	bad += mem_out[i][0][2] != y;
	bd_free(d);
	bad += !!bd_new(&map, &lim, &l, 2);
	tap_result(!bad, "breakpoints, registers, predicates, %u wrong", bad);
	vs_prog_free(p);
}

struct trace {
	u32 n;
	u64 lanes;
	u32 per_lane[64];
};

static void on_insn(void *arg, u32 guest, u64 mask)
{
	struct trace *t = arg;

	t->n++;
	t->lanes |= mask;
	for (; mask; mask &= mask - 1)
		t->per_lane[__builtin_ctzll(mask)]++;
}

static void test_trace(void)
{
	struct vs_prog *p = sample();
	struct vs_launch l = launch(p, VS_FP_F32);
	struct block_debug *d = bd_new(&map, &lim, &l, 1);
	struct trace t = { };
	u32 i, bad = 0;

	bd_set_trace(d, on_insn, &t);
	bad += bd_continue(d) != BD_DONE;
	/* Block 1 has invocations 64 to 99. */
	bad += t.lanes != (1ULL << 36) - 1;
	for (i = 0; i < 36; i++) {
		const u32 (*v)[4] = (const u32 (*)[4])mem_in[64 + i];
		bool arm = eng_f(v[0][0]) + eng_f(v[1][0]) < eng_f(v[2][0]);

		bad += t.per_lane[i] != (arm ? 7 : 5);
	}
	bd_free(d);
	vs_prog_free(p);
	tap_result(!bad, "trace of %u instructions, %u wrong", t.n, bad);
}

/* Random programs return the same results when single-stepped to their end. */
static void test_random(struct eng_rand *r, u32 n)
{
	u32 i, bad = 0, faults = 0, block, kind;

	for (i = 0; i < n; i++) {
		struct vs_prog *p = gen_program(r, 8 + eng_below(r, 30));
		struct vs_launch l = launch(p, eng_below(r, VS_NUM_FP));

		fill(r);
		memset(mem_out, 0, sizeof(mem_out));
		kind = run_plain(&l);
		memcpy(want, mem_out, sizeof(want));
		memset(mem_out, 0, sizeof(mem_out));
		for (block = 0; block < 2; block++) {
			struct block_debug *d = bd_new(&map, &lim, &l, block);
			enum bd_stop s;
			u32 at;

			/* Breakpoints everywhere must not change anything either. */
			for (at = 0; at <= p->nguest && i & 1; at++)
				bd_break_set(d, at);
			do {
				s = i & 1 ? bd_continue(d) : bd_step(d);
			} while (s == BD_STEP || s == BD_BREAK);
			if (s == BD_DONE)
				bad += bd_fault(d)->kind != VS_FAULT_NONE;
			else
				bad += bd_fault(d)->kind == VS_FAULT_NONE || !kind;
			bd_free(d);
		}
		faults += kind != 0;
		if (!kind)
			bad += memcmp(want, mem_out, sizeof(want)) != 0;
		vs_prog_free(p);
	}
	tap_result(!bad && faults < n / 2,
		   "%u random programs stepped, %u with faults, %u wrong", n, faults, bad);
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	struct eng_rand r;

	eng_options(argc, argv, &opt);
	eng_srand(&r, opt.seed);
	fill(&r);
	test_breakpoints();
	test_trace();
	test_random(&r, opt.longer ? 2000 : 150);
	return tap_done();
}
