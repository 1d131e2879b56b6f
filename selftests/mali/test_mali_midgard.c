// SPDX-License-Identifier: GPL-2.0
/*
 * Captured job chains of Midgard, of compute and transform feedback, executed as native jobs
 * on every executor; then with the programs that were compiled for the T760. Expected buffers
 * are the corpus's.
 *
 * usage: test_mali_midgard [--corpus DIR]
 */
#include <dirent.h>

#include "../include/tap.h"
#include "../ref/midgard_ref.h"
#include "mgjob.h"

#define CAPTURED	"midgard-t860"
#define OTHER		"midgard-t760"
#define BUDGET		0x100000000ULL

/* Near what single floats give; mediump for v_half. */
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

/**
 * struct setup - A run.
 * @dir:	of the corpus
 * @name:	case
 * @other:	with the program of the T760
 * @shader:	as a shader job
 * @simd:	executor
 */
struct setup {
	const char *dir;
	const char *name;
	bool other;
	bool shader;
	enum vs_simd simd;
};

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

static int is_case(const struct dirent *d)
{
	const char *only = getenv("MALI_CASE");

	if (only && strncmp(d->d_name, only, strlen(only)))
		return 0;
	return *d->d_name != 'f' && !!strstr(d->d_name, ".submit00.txt");
}

/* @programs: of the other GPU, too. */
static void run_all(const char *dir, bool programs)
{
	u32 passed[VS_NUM_SIMD] = {}, other = 0, jobs[2] = {}, i;
	struct setup s = { .dir = dir };
	struct dirent **list;
	char path[1024];
	int n, c;

	snprintf(path, sizeof(path), "%s/capture/%s", dir, CAPTURED);
	n = scandir(path, &list, is_case, alphasort);
	tap_result(n > 0, "captures found: %d", n);
	for (c = 0; c < n; c++) {
		*strchr(list[c]->d_name, '.') = 0;
		s.name = list[c]->d_name;
		s.other = false;
		s.shader = false;
		for (i = 0; i < VS_NUM_SIMD; i++) {
			s.simd = i;
			if (vs_simd_mask() >> i & 1)
				passed[i] += run(&s);
		}
		s.other = true;
		s.simd = vs_simd_best();
		if (programs)
			other += run(&s);
		s.shader = true;
		for (i = 0; i < 2 && programs; i++) {
			s.other = i;
			jobs[i] += run(&s);
		}
		free(list[c]);
	}
	if (n >= 0)
		free(list);
	for (i = 0; i < VS_NUM_SIMD; i++)
		if (vs_simd_mask() >> i & 1)
			tap_comment("captures on %s: %u of %d", vs_simd_name(i), passed[i], n);
	if (programs)
		tap_comment("programs of " OTHER ": %u, as shader jobs %u; of " CAPTURED
			    " %u of %d", other, jobs[1], jobs[0], n);
}

int main(int argc, char **argv)
{
	const char *corpus = NULL, *data = getenv("MIDGARD_DATA");
	char path[512];
	int i;

	for (i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "--corpus"))
			corpus = argv[i + 1];
	tap_start();
	if (data && *data)
		run_all(data, false);
	else
		tap_skip("no data given", "captures that are kept here");
	if (corpus) {
		snprintf(path, sizeof(path), "%s/mali", corpus);
		run_all(path, true);
	} else {
		tap_skip("no corpus given", "captures of the corpus");
	}
	return tap_done();
}
