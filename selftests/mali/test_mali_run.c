// SPDX-License-Identifier: GPL-2.0
/*
 * Captured job chains of compute and transform feedback executed as native jobs, on every
 * executor; then with the programs that were compiled for the other GPUs. Expected buffers are
 * the corpus's.
 *
 * usage: test_mali_run [--corpus DIR]
 */
#include <dirent.h>

#include "../include/tap.h"
#include "../ref/bifrost_ref.h"
#include "run.h"

#define CAPTURED	"bifrost-g52"
#define BUDGET		(1ULL << 32)

/* As on the reference model: close to single precision; mediump for v_half. */
static double tolerance(const char *name, const char *gpu)
{
	if (!strcmp(name, "v_half"))
		return 0.002;
	return !strcmp(name, "c_transc") && !strcmp(gpu, "bifrost-g71") ? 3e-4 : 4e-6;
}

static bool replace(struct mrf *g, u64 chain, const char *dir, const char *gpu, const char *name)
{
	const char *stage = *name == 'c' ? "comp" : "vert-xfb";
	struct mprog from = { 0 }, to = { 0 };
	bool ok;

	ok = !mcase_prog(&from, dir, CAPTURED, name, stage) &&
	     !mcase_prog(&to, dir, gpu, name, stage) &&
	     !mcase_replace(g, mcase_draw(g, chain, false), &from, &to);
	mcase_prog_free(&from);
	mcase_prog_free(&to);
	return ok;
}

/**
 * struct setup - A run.
 * @dir:	of the corpus
 * @name:	case
 * @gpu:	NULL: as it was captured, else whose program is to run
 * @simd:	executor
 * @switches:	MALI_SW_*
 */
struct setup {
	const char *dir;
	const char *name;
	const char *gpu;
	enum vs_simd simd;
	u32 switches;
};

static bool load(const struct setup *s, struct mrf *g, uint64_t *chain)
{
	memset(g, 0, sizeof(*g));
	g->arch = 7;
	g->budget = 20000000;
	return !mcase_capture(g, s->dir, CAPTURED, s->name, 0, chain) &&
	       (!s->gpu || replace(g, *chain, s->dir, s->gpu, s->name));
}

/* On the engine. */
static bool execute(const struct setup *s, struct mresult *res, char *why, size_t size)
{
	struct vs_fault fault = {};
	struct mrf g;
	struct space space;
	struct bench b;
	uint64_t chain;
	bool ok = true;
	int ret = 0;

	if (!load(s, &g, &chain)) {
		snprintf(why, size, "%s", mcase_error());
		mrf_free(&g);
		return false;
	}
	space_of(&space, &g);
	if (s->gpu) {
		ok = bench_new(&b, &space.map, s->simd);
		b.switches = s->switches;
		ok = ok && bench_chain(&b, &space.map, chain, gpu_number(s->gpu), &fault);
		bench_free(&b);
	} else {
		ret = run_chain(&space.map, chain, MALI_G52, s->switches, s->simd, BUDGET,
				&fault);
		ok = !ret && !fault.kind;
	}
	if (!ok)
		snprintf(why, size, "error %d, fault %u (%s) pc %u address %llx info %x", ret,
			 fault.kind, mali_exec_reason_text(fault.code), fault.pc,
			 (unsigned long long)fault.address, fault.info);
	else if (mcase_compare(&g, s->dir, CAPTURED, s->name, res)) {
		snprintf(why, size, "%s", mcase_error());
		ok = false;
	}
	mrf_free(&g);
	return ok;
}

/* Does a result that differs from the expected one equal the reference model's? */
static bool as_reference(const struct setup *s, const struct mresult *res)
{
	struct mresult like = {};
	uint64_t chain;
	struct mrf g;
	bool ok;

	ok = load(s, &g, &chain) && bfr_run(&g, chain) &&
	     !mcase_compare(&g, s->dir, CAPTURED, s->name, &like);
	mrf_free(&g);
	return ok && like.differing == res->differing && like.first == res->first &&
	       like.got == res->got && like.rel == res->rel;
}

/*
 * The expected values come from renderers that round products before they add. If they are
 * marked exact, a run must equal them; a run that rounds once may equal the reference model
 * instead, within single precision.
 */
static bool run(const struct setup *s)
{
	const char *gpu = s->gpu ? s->gpu : CAPTURED;
	struct mresult res = {};
	char why[256];
	bool exact, ok;

	if (mcase_exact(s->dir, s->name, &exact) || !execute(s, &res, why, sizeof(why))) {
		tap_result(false, "%s, %s, %s: %s", s->name, gpu, vs_simd_name(s->simd), why);
		return false;
	}
	if (!exact)
		ok = res.rel <= tolerance(s->name, gpu);
	else
		ok = !res.differing || (s->switches & MALI_SW_FUSED_FMA && res.rel <= 4e-6 &&
					as_reference(s, &res));
	tap_result(ok, "%s, %s%s, %s%s: %u words, %u differ, %.3g relative", s->name,
		   s->gpu ? "program of " : "", gpu, vs_simd_name(s->simd),
		   s->switches ? ", fused" : "", res.words, res.differing, res.rel);
	return ok;
}

static int is_case(const struct dirent *d)
{
	const char *only = getenv("MALI_CASE");

	if (only && strncmp(d->d_name, only, strlen(only)))
		return 0;
	return *d->d_name != 'f' && !!strstr(d->d_name, ".submit00.txt");
}

/* @programs: include the programs of other GPUs. */
static void run_all(const char *dir, bool programs)
{
	static const char *const gpus[] = { "bifrost-g31", "bifrost-g52", "bifrost-g71",
					    "bifrost-g72" };
	u32 passed[2][VS_NUM_SIMD] = {}, gpu_passed[2][4] = {}, i, k;
	struct dirent **list;
	struct setup s = { .dir = dir };
	char path[1024];
	int n, c;

	snprintf(path, sizeof(path), "%s/capture/%s", dir, CAPTURED);
	n = scandir(path, &list, is_case, alphasort);
	tap_result(n > 0, "captures found: %d", n);
	for (c = 0; c < n; c++) {
		*strchr(list[c]->d_name, '.') = 0;
		s.name = list[c]->d_name;
		for (i = 0; i < 2 * VS_NUM_SIMD; i++) {
			s.gpu = NULL;
			s.simd = i / 2;
			s.switches = i & 1 ? MALI_SW_FUSED_FMA : 0;
			if (vs_simd_mask() >> s.simd & 1)
				passed[i & 1][s.simd] += run(&s);
		}
		for (k = 0; k < 2 * 4 && programs; k++) {
			s.gpu = gpus[k / 2];
			s.simd = vs_simd_best();
			s.switches = k & 1 ? MALI_SW_FUSED_FMA : 0;
			gpu_passed[k & 1][k / 2] += run(&s);
		}
		free(list[c]);
	}
	if (n >= 0)
		free(list);
	for (i = 0; i < VS_NUM_SIMD; i++)
		if (vs_simd_mask() >> i & 1)
			tap_comment("captures on %s: %u, fused %u of %d", vs_simd_name(i),
				    passed[0][i], passed[1][i], n);
	for (k = 0; k < 4 && programs; k++)
		tap_comment("programs of %s: %u, fused %u of %d", gpus[k], gpu_passed[0][k],
			    gpu_passed[1][k], n);
}

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "BIFROST_DATA", "captures", run_all);
}
