// SPDX-License-Identifier: GPL-2.0
/*
 * Captured draws: position, varying and fragment programs as works of the engine, on every
 * executor; then with the programs that were compiled for the other GPUs. Pixels are compared
 * with the corpus's and with the reference model's.
 *
 * usage: test_mali_draw [--corpus DIR]
 */
#include <dirent.h>

#include "../include/tap.h"
#include "../ref/bifrost_ref.h"
#include "run.h"

#define CAPTURED	"bifrost-g52"

static bool replace(struct mrf *g, u64 chain, const char *dir, const char *gpu, const char *name,
		    const char *stage)
{
	u64 draw = mcase_draw(g, chain, !strcmp(stage, "frag"));
	struct mprog from = { 0 }, to = { 0 };
	bool ok;

	ok = !mcase_prog(&from, dir, CAPTURED, name, stage) &&
	     !mcase_prog(&to, dir, gpu, name, stage) && !mcase_replace(g, draw, &from, &to);
	mcase_prog_free(&from);
	mcase_prog_free(&to);
	return ok;
}

/**
 * struct setup - A run.
 * @dir:	of the corpus
 * @name:	case
 * @gpu:	NULL: as it was captured, else whose programs are to run
 * @simd:	executor
 * @program:	a program blends
 */
struct setup {
	const char *dir;
	const char *name;
	const char *gpu;
	enum vs_simd simd;
	bool program;
};

/*
 * LD_TILE.v4 own pixel, @r4; r0 .. r2 = clamp_0_1(r0 .. r2 - r4 .. r6); r3 = r7; BLEND r8, r60,
 * opaque, @r0; JUMP r48
 */
static const u32 minus[] = {
	0xc000400e, 0x80cb1843, 0xc002dd13, 0x02860088,
	0xf0000070, 0x10ed000f, 0x00000000, 0x00000000,
	0x00c30029, 0x80cb1e88, 0xc0006423, 0x00000808,
	0x10000021, 0x80cb1a8a, 0x08006423, 0x58d46102,
	0x70820045, 0x80cb1828, 0xe03765a3, 0x24001908,
	0xc208410e, 0x80cb186b, 0xc002a583, 0x02400008,
	0x00000070, 0x10ed0000, 0x00000000, 0x00000000,
	0x0000004b, 0x80cb1843, 0x8003f8d3, 0x00000008,
};

#define MINUS_VA	0x60000000ULL

/* Let a program blend, which ends the thread. Return: false: not into bytes of a tile. */
static bool blend_by_program(struct mrf *g, uint64_t chain)
{
	u64 draw = mcase_draw(g, chain, true), blend;
	const u32 words[2] = { 0, (u32)MINUS_VA };
	u8 *p = draw ? mrf_at(g, draw + 56, 8) : NULL;
	u32 cvt;

	if (!p)
		return false;
	memcpy(&blend, p, 8);
	p = mrf_at(g, blend + 64, 16);
	if (!p)
		return false;
	memcpy(&cvt, p + 12, 4);
	if ((cvt & 0x3fffff) != 237 << 12 || (cvt >> 24 & 7) != 1 ||
	    !mrf_map(g, MINUS_VA, sizeof(minus)))
		return false;
	memcpy(mrf_at(g, MINUS_VA, sizeof(minus)), minus, sizeof(minus));
	memcpy(p + 8, words, sizeof(words));
	return true;
}

static bool load(const struct setup *s, struct mrf *g, uint64_t *chain)
{
	memset(g, 0, sizeof(*g));
	g->arch = 7;
	g->budget = 20000000;
	return !mcase_clear_color(7, s->dir, CAPTURED, s->name, &g->clear) &&
	       !mcase_capture(g, s->dir, CAPTURED, s->name, 0, chain) &&
	       (!s->gpu || (replace(g, *chain, s->dir, s->gpu, s->name, "vert") &&
			    replace(g, *chain, s->dir, s->gpu, s->name, "frag"))) &&
	       (!s->program || blend_by_program(g, *chain));
}

/* Return: 1 done, 0 not of a kind that is executed here, -1 failed. */
static int execute(const struct setup *s, struct mrf *g, char *why, size_t size)
{
	static u8 positions[4096];
	struct space space;
	uint64_t chain;
	struct bench b;
	int ret;

	if (!load(s, g, &chain)) {
		snprintf(why, size, "%s", mcase_error());
		return -1;
	}
	memset(positions, 0, sizeof(positions));
	space_of(&space, g);
	space_add(&space, DRAW_FB, g->fb, sizeof(g->fb));
	space_add(&space, DRAW_DEPTH, g->depth, sizeof(g->depth));
	space_add(&space, DRAW_POSITIONS, positions, sizeof(positions));
	bench_new(&b, &space.map, s->simd);
	b.switches = MALI_SW_FUSED_FMA;
	ret = draw_run(&b, g, &space.map, chain,
		       s->gpu ? gpu_number(s->gpu) : MALI_G52, NULL, why, size);
	bench_free(&b);
	return ret;
}

/* Compare with the reference model; draws into other targets are excluded. */
static u32 against_reference(const struct setup *s, const struct mrf *g);

static u32 run_blended(struct setup *s)
{
	static struct mrf g;
	char why[256] = "";
	uint64_t chain;
	u32 differ, done = 0;
	bool other;

	s->program = false;
	other = !load(s, &g, &chain) || !blend_by_program(&g, chain);
	mrf_free(&g);
	if (other)
		return 0;
	s->program = true;
	if (execute(s, &g, why, sizeof(why)) > 0) {
		differ = against_reference(s, &g);
		done = !differ;
		tap_result(!differ, "%s, a program blends, %s: reference: %d", s->name,
			   vs_simd_name(s->simd), (int)differ);
	} else if (*why) {
		tap_result(false, "%s, a program blends: %s", s->name, why);
	}
	mrf_free(&g);
	s->program = false;
	return done;
}

/* Pixels that the reference model has otherwise; ~0: it does not know the draw. */
static u32 against_reference(const struct setup *s, const struct mrf *g)
{
	static struct mrf like;
	uint64_t chain;
	u32 n = ~0U;

	if (load(s, &like, &chain) && bfr_run(&like, chain))
		n = mcase_pixels(g, &like);
	mrf_free(&like);
	return n;
}

/* The corpus decides: bytes are at most one step off; the reference model is a hint. */
static bool run(const struct setup *s)
{
	const char *gpu = s->gpu ? s->gpu : CAPTURED;
	static struct mrf g;
	struct mresult res = {};
	char why[256] = "";
	u32 differ;
	bool ok;
	int ret;

	ret = execute(s, &g, why, sizeof(why));
	if (!ret)
		tap_skip("kind of draw", "%s, %s", s->name, gpu);
	if (ret < 0 || (ret && mcase_compare(&g, s->dir, CAPTURED, s->name, &res)))
		tap_result(false, "%s, %s, %s: %s", s->name, gpu, vs_simd_name(s->simd),
			   *why ? why : mcase_error());
	ok = ret > 0 && res.words;
	if (ok) {
		differ = against_reference(s, &g);
		ok = res.byte <= 1;
		tap_result(ok, "%s, %s%s, %s: %u words, %u differ, %u in a byte; reference: %d",
			   s->name, s->gpu ? "programs of " : "", gpu, vs_simd_name(s->simd),
			   res.words, res.differing, res.byte, (int)differ);
	}
	mrf_free(&g);
	return ok;
}

static int is_case(const struct dirent *d)
{
	const char *only = getenv("MALI_CASE");

	if (only && strncmp(d->d_name, only, strlen(only)))
		return 0;
	return *d->d_name == 'f' && !!strstr(d->d_name, ".submit00.txt");
}

/* @programs: include the programs of other GPUs. */
static void run_all(const char *dir, bool programs)
{
	static const char *const gpus[] = { "bifrost-g31", "bifrost-g52", "bifrost-g71",
					    "bifrost-g72" };
	u32 passed[VS_NUM_SIMD] = {}, gpu_passed[4] = {}, blended = 0, i, k;
	struct setup s = { .dir = dir };
	struct dirent **list;
	char path[1024];
	int n, c;

	snprintf(path, sizeof(path), "%s/capture/%s", dir, CAPTURED);
	n = scandir(path, &list, is_case, alphasort);
	tap_result(n > 0, "draws found: %d", n);
	for (c = 0; c < n; c++) {
		*strchr(list[c]->d_name, '.') = 0;
		s.name = list[c]->d_name;
		for (i = 0; i < VS_NUM_SIMD; i++) {
			s.gpu = NULL;
			s.simd = i;
			if (vs_simd_mask() >> i & 1)
				passed[i] += run(&s);
		}
		s.gpu = NULL;
		s.simd = vs_simd_best();
		blended += run_blended(&s);
		for (k = 0; k < 4 && programs; k++) {
			s.gpu = gpus[k];
			s.simd = vs_simd_best();
			gpu_passed[k] += run(&s);
		}
		free(list[c]);
	}
	if (n >= 0)
		free(list);
	for (i = 0; i < VS_NUM_SIMD; i++)
		if (vs_simd_mask() >> i & 1)
			tap_comment("draws on %s: %u of %d", vs_simd_name(i), passed[i], n);
	tap_comment("draws with a blend program: %u of %d", blended, n);
	for (k = 0; k < 4 && programs; k++)
		tap_comment("programs of %s: %u of %d", gpus[k], gpu_passed[k], n);
}

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "BIFROST_DATA", "draws", run_all);
}
