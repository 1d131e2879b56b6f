// SPDX-License-Identifier: GPL-2.0
/*
 * Random Utgard pixel programs on the engine, all its builds, with registers of binary16
 * and of binary32, against the reference model: the same bits.
 */
#include <stdlib.h>

#include "../include/tap.h"
#include "../ref/utgard_pp_ref.h"
#include "gp_gen.h"
#include "pp_gen.h"

#define ARENA		(16u << 20)
#define UBO_VA		0x10000000ULL
#define TLS_VA		0x20000000ULL
#define NHALVES	2400	/* more rows than a launch has uniforms */
#define NTEMPS		3
#define GROUPS		5
#define BUDGET		1000

static u32 words[PGEN_MAX_INSNS * UPP_INSN_WORDS];
static u32 nwords;
static u16 halves[NHALVES];
static u32 unif[NHALVES];
static struct upr_group input[GROUPS], want[GROUPS], got[GROUPS];
static struct upp_program program;

static void texture(u32 unit, u32 kind, const u32 in[4], u32 out[4])
{
	u32 i;

	/* any bits will do */
	for (i = 0; i < 4; i++)
		out[i] = in[i] ^ (unit & 7) << 23 ^ kind << 3;
}

/* ---- on the engine ---- */

static u32 *slot(struct simt_block *b, u32 n, u32 lane)
{
	return &b->slot[n * SIMT_LANES + lane];
}

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l, i;

	for (l = 0; l < 4 * g->packed; l++) {
		const struct upr_fragment *f = &input[g->group + l / 4].f[l % 4];

		for (i = 0; i < 48; i++)
			*slot(b, UPP_SLOT_VAR + i, l) = f->var[i / 4][i % 4];
		for (i = 0; i < 4; i++)
			*slot(b, UPP_SLOT_COORD + i, l) = f->coord[i];
		*slot(b, UPP_SLOT_POINT, l) = f->point[0];
		*slot(b, UPP_SLOT_POINT + 1, l) = f->point[1];
		*slot(b, UPP_SLOT_FACING, l) = f->facing;
		for (i = 0; i < 4; i++)
			*slot(b, UPP_SLOT_FB_COLOR + i, l) = f->fb_color[i];
		*slot(b, UPP_SLOT_FB_DEPTH, l) = f->fb_depth;
	}
}

static void end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l, i;

	for (l = 0; l < 4 * g->packed; l++) {
		struct upr_fragment *f = &got[g->group + l / 4].f[l % 4];

		f->gone = b->helper >> l & 1;
		for (i = 0; i < 24; i++)
			f->reg[i / 4][i % 4] = *slot(b, UPP_SLOT_REG + i, l);
	}
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 l, k, in[4], out[4];

	for (l = 0; l < SIMT_LANES; l++) {
		if (!(b->mask >> l & 1))
			continue;
		for (k = 0; k < 4; k++)
			in[k] = u->s[k] & SIMT_U ? b->unif[16 * (u->s[k] & ~SIMT_U)] :
						   *slot(b, u->s[k], l);
		texture(UPP_TEX_INDEX(u->imm) + *slot(b, u->d2, l),
			u->imm & UPP_TEX_CUBE ? UPP_SAMPLER_CUBE : UPP_SAMPLER_2D, in, out);
		for (k = 0; k < 4; k++)
			*slot(b, u->d + k, l) = out[k];
	}
	return true;
}

static const struct simt_ops ops = { .start = start, .ext = ext, .end = end };

static int run_engine(enum vs_simd simd, u32 flags)
{
	static u8 store[ARENA] __aligned(64), tls[SIMT_LANES * 16 * (NTEMPS + 2)] __aligned(64);
	struct simt_arena arena = { .base = store, .size = ARENA };
	const struct vs_extent extents[2] = {
		{ .lo = UBO_VA, .hi = UBO_VA + sizeof(halves), .kva = (u8 *)halves },
		{ .lo = TLS_VA, .hi = TLS_VA + sizeof(tls), .kva = tls, .flags = VS_EXT_WRITE },
	};
	const struct vs_map map = { .n = 2, .ext = extents };
	const struct simt_ubo ubo = { .va = UBO_VA, .size = sizeof(halves) };
	struct simt_launch l = {
		.ops = &ops, .local = { 4, 1, 1 }, .groups = { GROUPS, 1, 1 }, .unif = unif,
		.ubo = &ubo, .nubo = 1, .tls_va = TLS_VA,
	};
	enum simt_status r = SIMT_RUN_MORE;
	struct simt_machine *m;
	struct vs_reject rej;
	u64 used;
	int ret;

	memset(tls, 0xa5, sizeof(tls));
	ret = upp_lower(&arena, words, nwords, 0, NTEMPS, flags, &program, &rej);
	if (ret)
		return ret;
	if (program.prog->nunif > ARRAY_SIZE(unif))
		return -E2BIG;
	l.prog = program.prog;
	l.tls_size = program.tls;
	l.tls_total = (u64)program.tls * SIMT_LANES;
	m = simt_machine_new(&arena, &map);
	ret = m ? simt_machine_launch(m, &l) : -ENOMEM;
	while (!ret && r == SIMT_RUN_MORE)
		r = simt_machine_run(m, simd, 2000, &used);
	return ret ? ret : r == SIMT_RUN_DONE ? 0 : -EFAULT;
}

/* ---- comparing ---- */

static void make_inputs(u64 *seed)
{
	u32 g, i;

	for (i = 0; i < NHALVES; i++) {
		halves[i] = gen_below(seed, 3) ? 0x3c00 + gen_below(seed, 6) * 0x100 :
						 (u16)gen_random(seed);
		unif[i] = vs_f16_to_f32(halves[i]);
	}
	for (g = 0; g < GROUPS; g++) {
		struct upr_group *q = &input[g];
		u32 *f;

		memset(q, 0, sizeof(*q));
		q->half = halves;
		q->nhalves = NHALVES;
		q->ntemps = NTEMPS;
		q->texture = texture;
		for (f = (u32 *)q->f; f < (u32 *)(q->f + 4); f++)
			*f = gen_value(seed);
		for (i = 0; i < 4; i++) {
			memset(q->f[i].temp, 0, sizeof(q->f[i].temp));
			memset(q->f[i].reg, 0, sizeof(q->f[i].reg));
			q->f[i].gone = false;
		}
	}
}

static bool run_model(bool fp32)
{
	u32 g;

	memcpy(want, input, sizeof(want));
	for (g = 0; g < GROUPS; g++) {
		want[g].fp32 = fp32;
		if (upr_run(words, nwords, &want[g], BUDGET) != UPR_ENDED)
			return false;
	}
	return true;
}

static bool same(enum vs_simd simd, u32 flags)
{
	u32 l, i;
	int ret = run_engine(simd, flags);

	if (ret) {
		tap_comment("%s: %d", vs_simd_name(simd), ret);
		return false;
	}
	for (l = 0; l < 4 * GROUPS; l++) {
		const struct upr_fragment *w = &want[l / 4].f[l % 4], *g = &got[l / 4].f[l % 4];

		if (w->gone != g->gone) {
			tap_comment("%s: fragment %u: discarded %u", vs_simd_name(simd), l,
				    g->gone);
			return false;
		}
		/* a helper does not store temporaries, so its results are undefined */
		for (i = 0; i < 24 && !w->gone; i++) {
			if (w->reg[i / 4][i % 4] == g->reg[i / 4][i % 4])
				continue;
			tap_comment("%s: fragment %u $%u.%c: %08x, not %08x",
				    vs_simd_name(simd), l, i / 4, "xyzw"[i % 4],
				    g->reg[i / 4][i % 4], w->reg[i / 4][i % 4]);
			return false;
		}
	}
	return true;
}

static bool one(u64 seed, u32 gen, u32 flags)
{
	u64 s = seed;
	u32 simd;
	bool ok = true;

	nwords = pgen_program(&s, gen,
			      1 + gen_below(&s, gen_below(&s, 4) ? 8 : PGEN_MAX_INSNS), words);
	make_inputs(&s);
	if (!run_model(flags & UPP_LOWER_FP32))
		return false;
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		if (vs_simd_mask() & BIT(simd))
			ok &= same((enum vs_simd)simd, flags);
	return ok & same(VS_SIMD_PORTABLE, flags | UPP_LOWER_DEBUG);
}

static void run_set(u64 seed, u32 gen, u32 flags, u32 n)
{
	u32 bad = 0, i;

	for (i = 0; i < n && bad < 5; i++) {
		if (one(seed + ((u64)gen << 48) + i, gen, flags))
			continue;
		tap_comment("program %u, %u words", i, nwords);
		bad++;
	}
	tap_result(!bad, "%s, branches %u, derivatives %u, loads %u: %u programs",
		   flags & UPP_LOWER_FP32 ? "binary32" : "binary16", gen & PGEN_BRANCHES,
		   gen / PGEN_GROUP & 1, gen / PGEN_LOADS & 1, i);
}

static void check_coverage(void)
{
	const struct upp_op_info *ops;
	u32 n, i, missing = 0;

	ops = upp_ops(&n);
	for (i = 0; i < n; i++) {
		if (ops[i].class == UPP_CLASS_COMBINE && ops[i].code >= UPP_OP_COMBINE_EXP2 &&
		    ops[i].code <= UPP_OP_COMBINE_COS)
			continue;
		if (pgen_ops[ops[i].class][ops[i].code] >= 20)
			continue;
		tap_comment("%s", ops[i].name);
		missing++;
	}
	for (i = UPP_FORM_VARYING; i < UPP_NUM_FORMS; i++) {
		if (i == UPP_FORM_ATAN_END || pgen_forms[i] >= 20)
			continue;
		tap_comment("%s", upp_form((enum upp_form)i)->name);
		missing++;
	}
	tap_result(!missing, "all occurred but exp2, log2, sin, cos, the second step of atan");
}

int main(int argc, char **argv)
{
	u64 seed = 1;
	u32 n = 500, gen;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--long"))
			n = 3000;
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 0);
	}
	tap_comment("seed %llu", (unsigned long long)seed);
	for (gen = 0; gen < 8; gen++) {
		if ((gen & (PGEN_BRANCHES | PGEN_GROUP)) == (PGEN_BRANCHES | PGEN_GROUP))
			continue;
		run_set(seed << 20, gen, 0, n);
		run_set(seed << 20, gen, UPP_LOWER_FP32, n);
	}
	check_coverage();
	return tap_done();
}
