// SPDX-License-Identifier: GPL-2.0
/*
 * Programs without a builder: random micro-ops in random tables. Programs that the
 * verifier accepts must run safely (under the sanitizers), in bounded time, and with the
 * same bits on every executor.
 */
#include "gen.h"
#include "engine/vs_opinfo.h"

#define COUNT	70
#define MAX	48

static u32 in[COUNT][4][4], out[VS_NUM_SIMD][COUNT][ENG_NOUT][4], unif[ENG_UNIF];
static u32 prims[COUNT][4][3][16][4];

struct tables {
	struct vs_uop uops[MAX];
	u32 uop_of_guest[MAX + 1];
	u16 guest_of_uop[MAX];
	u32 wsum[MAX + 1];
	u16 zero[VS_MAX_SLOTS];
	u32 consts[4];
	u64 unif_used[16];
	struct vs_reg regs[1];
};

/* A field that is mostly right. */
static u32 mostly(struct eng_rand *r, u32 limit)
{
	u32 k = eng_below(r, 2000);

	return k == 0 ? limit : k == 1 ? eng_rand(r) : eng_below(r, limit);
}

static struct vs_uop random_uop(struct eng_rand *r, u32 n, u32 nuops)
{
	struct vs_uop u;
	u32 i;

	if (eng_below(r, 3)) {
		u = gen_data(r);
	} else {
		u = gen_flow(r, n, nuops);
		u.f.target = mostly(r, nuops);
		u.f.resume = mostly(r, nuops);
		u.f.other = mostly(r, nuops);
		u.f.end = eng_below(r, nuops);
		u.f.next = eng_below(r, nuops);
		u.f.al = ENG_AL;
		if (u.op == VS_OP_LOOP || u.op == VS_OP_RINGS || u.op == VS_OP_BREAK)
			u.f.target = 0;
		if (u.op == VS_OP_RINGS || u.op == VS_OP_BREAK || u.op == VS_OP_BR ||
		    u.op == VS_OP_CALL)
			u.f.other = 0;
		if (!eng_below(r, 6))
			u = UOP(.op = eng_below(r, 2) ? VS_OP_END : VS_OP_CHECK, .ncomp = 1);
		else if (!eng_below(r, 6))
			u = UOP(.op = VS_OP_EMIT, .ncomp = 1);
		else if (!eng_below(r, 6))
			u = UOP(.op = VS_OP_SETEMIT, .ncomp = 1, .imm = mostly(r, 16));
	}
	/* Every now and then any bit. */
	if (!eng_below(r, 200)) {
		i = eng_below(r, sizeof(u) * 8);
		((u8 *)&u)[i / 8] ^= 1 << i % 8;
	}
	if (u.op < VS_NUM_OPS)
		u.handler = vs_handler(&u);
	if (!eng_below(r, 3))
		u.flags |= VS_UOP_FIRST;
	return u;
}

static void random_prog(struct eng_rand *r, struct vs_prog *p, struct tables *t)
{
	u32 i, nuops = 2 + eng_below(r, MAX - 2);

	memset(p, 0, sizeof(*p));
	memset(t, 0, sizeof(*t));
	*p = (struct vs_prog){
		.uops = t->uops, .nuops = nuops, .uop_of_guest = t->uop_of_guest,
		.guest_of_uop = t->guest_of_uop, .nguest = MAX, .nslots = ENG_SLOTS,
		.nunif = ENG_UNIF, .nconst = 2, .consts = t->consts, .wsum = t->wsum,
		.uses_neg = true, .zero = t->zero, .nzero = ENG_SLOTS, .regs = t->regs,
		.rows = { .mask = 127, .limit = 96, .beyond = 0x3f800000, .off_min = -128,
			  .off_max = 127 },
		.in_slot = ENG_IN, .out_slot = ENG_OUT, .shadow_slot = ENG_SHADOW, .nin = 16,
		.nout = 16, .out_written = 0xf, .bools_used = 0xffff, .has_emit = true,
		.uses_rows = true, .unif_used = t->unif_used,
	};
	memset(t->unif_used, 0xff, sizeof(t->unif_used));
	for (i = 0; i < ENG_SLOTS; i++)
		t->zero[i] = i;
	for (i = 0; i <= MAX; i++)
		t->uop_of_guest[i] = VS_NO_UOP;
	for (i = 0; i < nuops; i++) {
		t->uops[i] = random_uop(r, i, nuops);
		if (i == nuops - 1)
			t->uops[i] = UOP(.op = VS_OP_END, .ncomp = 1, .flags = VS_UOP_FIRST);
		if (!i)
			t->uops[i].flags |= VS_UOP_FIRST;
		t->guest_of_uop[i] = mostly(r, nuops);
		t->wsum[i + 1] = t->wsum[i] + (t->uops[i].op < VS_NUM_OPS ?
					       vs_opinfo[t->uops[i].op].weight : 0);
	}
	t->uop_of_guest[0] = 0;
	t->guest_of_uop[0] = 0;
}

/* Mark branch targets as first micro-ops, so that the verifier accepts more programs. */
static void mark_targets(struct vs_prog *p)
{
	u32 i;

	for (i = 0; i < p->nuops; i++) {
		const struct vs_uop *u = &p->uops[i];

		if (u->op >= VS_NUM_OPS || vs_opinfo[u->op].class != VS_CL_FL)
			continue;
		if (u->f.target < p->nuops)
			p->uops[u->f.target].flags |= VS_UOP_FIRST;
		if (u->f.resume < p->nuops)
			p->uops[u->f.resume].flags |= VS_UOP_FIRST;
		if (u->f.other < p->nuops)
			p->uops[u->f.other].flags |= VS_UOP_FIRST;
	}
}

struct tally {
	u32 passed;
	u32 ended;
	u32 bad;
};

static void run(struct eng_rand *r, struct vs_prog *p, struct tally *t, u64 seed)
{
	enum vs_fp_model fp = eng_below(r, VS_NUM_FP);
	struct vs_fault first = { };
	u64 weight = 0;
	u32 s;

	EACH_SIMD(s) {
		struct eng_run run = {
			.prog = p, .fp = fp, .simd = s, .count = COUNT, .nin = 4, .in = in[0],
			.out = out[s][0], .unif = unif, .bools = 0x1234, .budget = 6000,
			.loops = { { 3, 5, 1 }, { 255, 0, 255 }, { 2, 7, 3 }, { 0, 9, 1 } },
			.flags = VS_LAUNCH_EMIT | (seed & 1 ? VS_LAUNCH_AL_RESTORE : 0),
			.slice = seed & 2 ? 11 : 3000,
			.emit = { .mask = 0xffff, .max_prims = 4, .bool_after = 3 },
			.prims = prims, .prims_size = sizeof(prims),
		};

		memset(out[s], 0, sizeof(out[s]));
		eng_run(&run);
		if (s == VS_SIMD_PORTABLE) {
			first = run.fault;
			weight = run.weight;
		}
		if (run.weight != weight) {
			t->bad++;
			tap_comment("seed %llu, %s, %s: weight %llu, portable %llu, fault %u",
				    (unsigned long long)seed, eng_fp_name[fp], vs_simd_name(s),
				    (unsigned long long)run.weight, (unsigned long long)weight,
				    run.fault.kind);
		}
		if (!run.fault.kind && memcmp(out[s], out[0], sizeof(out[s]))) {
			t->bad++;
			tap_comment("seed %llu, %s, %s: outputs differ", (unsigned long long)seed,
				    eng_fp_name[fp], vs_simd_name(s));
		}
		if (run.fault.kind != first.kind || run.fault.pc != first.pc ||
		    run.fault.invocation != first.invocation ||
		    run.fault.active != first.active) {
			t->bad++;
			tap_comment("seed %llu, %s, %s: fault %u pc %u, portable %u pc %u",
				    (unsigned long long)seed, eng_fp_name[fp], vs_simd_name(s),
				    run.fault.kind, run.fault.pc, first.kind, first.pc);
		}
	}
	t->ended += !first.kind;
}

int main(int argc, char **argv)
{
	struct tally t = { };
	struct eng_opts opt;
	struct tables tab;
	struct vs_prog p;
	u32 i, k, n, bad;

	eng_options(argc, argv, &opt);
	n = opt.longer ? 100000 : 1200;
	for (i = 0; i < n && t.bad < 20; i++) {
		struct eng_rand r;

		eng_srand(&r, opt.seed * 10000019 + i);
		if (!(i % 20)) {
			for (k = 0; k < sizeof(in) / 4; k++)
				((u32 *)in)[k] = i % 40 ? eng_operand(&r) : eng_mild(&r);
			for (k = 0; k < ENG_UNIF; k++)
				unif[k] = eng_mild(&r);
		}
		random_prog(&r, &p, &tab);
		mark_targets(&p);
		if (vs_prog_verify(&p, &bad))
			continue;
		t.passed++;
		run(&r, &p, &t, i);
	}
	tap_result(!t.bad && t.passed > n / 10,
		   "%u random tables: %u pass the verifier, %u of them end, %u wrong", n, t.passed,
		   t.ended, t.bad);
	return tap_done();
}
