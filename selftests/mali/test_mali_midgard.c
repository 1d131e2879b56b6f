// SPDX-License-Identifier: GPL-2.0
/*
 * Captured job chains of Midgard, of compute and transform feedback, executed as native jobs
 * on every executor; then with the programs that were compiled for the T760. Expected buffers
 * are the corpus's.
 *
 * usage: test_mali_midgard [--corpus DIR]
 */
#include "../include/tap.h"
#include "../ref/midgard_ref.h"
#include "mgjob.h"

#define BUDGET		0x100000000ULL

/* Close to single precision; mediump for v_half. */
static double tolerance(const char *name)
{
	return !strcmp(name, "v_half") ? 0.002 : 4e-6;
}

static bool replace(struct mrf *g, u64 chain, const char *dir, const char *name)
{
	const char *stage = *name == 'c' ? "comp" : "vert-xfb";
	struct mprog from = { 0 }, to = { 0 };
	bool ok;

	ok = !mcase_prog(&from, dir, CAPTURED, name, stage) &&
	     !mcase_prog(&to, dir, OTHER, name, stage) &&
	     !mcase_replace(g, mcase_draw(g, chain, false), &from, &to);
	mcase_prog_free(&from);
	mcase_prog_free(&to);
	return ok;
}

static bool load(const struct setup *s, struct mrf *g, uint64_t *chain)
{
	memset(g, 0, sizeof(*g));
	g->arch = 5;
	g->budget = 20000000;
	return !mcase_capture(g, s->dir, CAPTURED, s->name, 0, chain) &&
	       (!s->other || replace(g, *chain, s->dir, s->name));
}

/* The first job with its program as an object. */
static bool shader_job(const struct setup *s, const struct vs_map *map, u64 chain,
		       struct vs_fault *fault)
{
	struct vs_program *prog = NULL;
	struct mprog p = { 0 };
	struct mali_shader sh;
	int error = 0;
	bool ok;

	if (!mcase_prog(&p, s->dir, s->other ? OTHER : CAPTURED, s->name,
			*s->name == 'c' ? "comp" : "vert-xfb"))
		prog = mg_program_of(&p, *s->name == 'c' ? VS_STAGE_COMPUTE : VS_STAGE_VERTEX);
	ok = prog;
	if (ok) {
		mg_shader_of(map, chain + 64, prog, s->other ? MALI_T760 : MALI_T860, &sh);
		ok = mg_sizes(map, chain, &sh) && run_shader(&sh, s->simd, &error, fault);
	}
	vs_program_destroy(prog);
	mcase_prog_free(&p);
	return ok;
}

/* On the engine. */
static bool execute(const struct setup *s, struct mresult *res, char *why, size_t size)
{
	struct vs_fault fault = {};
	struct space space;
	struct mrf g;
	uint64_t chain;
	bool ok;

	if (!load(s, &g, &chain)) {
		snprintf(why, size, "%s", mcase_error());
		mrf_free(&g);
		return false;
	}
	space_of(&space, &g);
	if (s->shader)
		ok = shader_job(s, &space.map, chain, &fault);
	else
		ok = !run_native(&space.map, VS_NATIVE_MIDGARD_CHAIN, chain,
				 s->other ? MALI_T760 : MALI_T860, 0, s->simd, BUDGET, &fault) &&
		     !fault.kind;
	if (!ok) {
		mg_fault_text(&fault, why, size);
	} else if (mcase_compare(&g, s->dir, CAPTURED, s->name, res)) {
		snprintf(why, size, "%s", mcase_error());
		ok = false;
	}
	mrf_free(&g);
	return ok;
}

static bool run(const struct setup *s)
{
	const char *what = s->other ? "program of " OTHER : s->shader ? "program of " CAPTURED :
			   CAPTURED;
	struct mresult res = {};
	char why[256];
	bool exact, ok;

	if (mcase_exact(s->dir, s->name, &exact) || !execute(s, &res, why, sizeof(why))) {
		tap_result(false, "%s, %s%s, %s: %s", s->name, what,
			   s->shader ? " as a shader job" : "", vs_simd_name(s->simd), why);
		return false;
	}
	ok = exact ? !res.differing : res.rel <= tolerance(s->name);
	tap_result(ok, "%s, %s%s, %s: %u words, %u differ, %.3g relative", s->name, what,
		   s->shader ? " as a shader job" : "", vs_simd_name(s->simd), res.words,
		   res.differing, res.rel);
	return ok;
}

static bool wanted(const char *name)
{
	return *name != 'f';
}

int main(int argc, char **argv)
{
	static const struct mg_cases cases = { "captures", wanted, run };

	return mg_run_cases(&cases, argc, argv);
}
