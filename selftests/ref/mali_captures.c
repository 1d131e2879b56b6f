// SPDX-License-Identifier: GPL-2.0
/*
 * Captured jobs of the Mali corpus on a reference model: each capture as it is, then with its
 * programs replaced by those compiled for other GPUs.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "mali_captures.h"
#include "mali_case.h"

#define BUDGET		20000000ull

static int replace_one(const struct mcaptures *c, struct mrf *g, uint64_t chain, const char *dir,
		       const char *gpu, const char *name, const char *stage)
{
	struct mprog from = { 0 }, to = { 0 };
	uint64_t draw = mcase_draw(g, chain, !strcmp(stage, "frag"));
	int ret;

	ret = mcase_prog(&from, dir, c->captured, name, stage) ||
		mcase_prog(&to, dir, gpu, name, stage) || mcase_replace(g, draw, &from, &to);
	mcase_prog_free(&from);
	mcase_prog_free(&to);
	return ret;
}

/* Replace the captured programs by those of another GPU. */
static int replace_all(const struct mcaptures *c, struct mrf *g, uint64_t chain, const char *dir,
		       const char *gpu, const char *name)
{
	switch (*name) {
	case 'c':
		return replace_one(c, g, chain, dir, gpu, name, "comp");
	case 'v':
		return replace_one(c, g, chain, dir, gpu, name, "vert-xfb");
	default:
		return replace_one(c, g, chain, dir, gpu, name, "vert") ||
			replace_one(c, g, chain, dir, gpu, name, "frag");
	}
}

/* One run. Return: 0 compared, 1 outside the model, -1 failed; @why has the reason. */
static int execute(const struct mcaptures *c, const char *dir, const char *gpu, const char *name,
		   bool replace, bool unfused, struct mresult *res, char *why, size_t size)
{
	struct mrf g = { .arch = c->arch, .budget = BUDGET, .unfused = unfused };
	uint64_t chain;
	int ret = -1;

	if ((*name == 'f' && mcase_clear_color(c->arch, dir, c->captured, name, &g.clear)) ||
	    mcase_capture(&g, dir, c->captured, name, 0, &chain) ||
	    (replace && replace_all(c, &g, chain, dir, gpu, name))) {
		snprintf(why, size, "%s", mcase_error());
	} else if (!c->run(&g, chain)) {
		snprintf(why, size, "%s", g.error);
		ret = g.unsupported ? 1 : -1;
	} else if (mcase_compare(&g, dir, c->captured, name, res)) {
		snprintf(why, size, "%s", mcase_error());
	} else {
		ret = 0;
	}
	mrf_free(&g);
	return ret;
}

static bool near(const struct mcaptures *c, const char *name, const char *gpu,
		 const struct mresult *res)
{
	/* pixels: half of the least step either way; the corpus allows more for points */
	if (*name == 'f')
		return res->byte <= 1;
	return res->rel <= c->tolerance(name, gpu);
}

/*
 * The expected values come from renderers that round products before they add; a fused FMA
 * does not. If they are marked exact, a run must equal them; alternatively a second run
 * that rounds as they do must, with the first within single precision.
 *
 * Return: whether the model supports the case.
 */
static bool run(const struct mcaptures *c, const char *dir, const char *gpu, const char *name,
		bool replace)
{
	const char *what = replace ? "program of" : "capture of";
	struct mresult res, like;
	char why[256];
	bool exact;
	int ret;

	if (mcase_exact(dir, name, &exact)) {
		tap_result(false, "%s: %s", name, mcase_error());
		return true;
	}
	ret = execute(c, dir, gpu, name, replace, false, &res, why, sizeof(why));
	if (ret == 1 && c->partial) {
		tap_skip(why, "%s, %s %s", name, what, gpu);
		return false;
	}
	if (ret) {
		tap_result(false, "%s, %s %s: %s", name, what, gpu, why);
	} else if (!exact || !res.differing || !c->fused) {
		tap_result(exact ? !res.differing : near(c, name, gpu, &res),
			   "%s, %s %s: %u words, %u differ, %.3g relative, %u in a byte", name,
			   what, gpu, res.words, res.differing, res.rel, res.byte);
	} else {
		ret = execute(c, dir, gpu, name, replace, true, &like, why, sizeof(why));
		tap_result(!ret && !like.differing && res.rel <= 4e-6,
			   "%s, %s %s: %u words, fused %u differ, %.3g relative; rounded twice %u differ",
			   name, what, gpu, res.words, res.differing, res.rel,
			   ret ? like.words : like.differing);
	}
	return true;
}

static int is_case(const struct dirent *d)
{
	const char *only = getenv("MALI_CASE");

	if (only && strncmp(d->d_name, only, strlen(only)))
		return 0;
	return !!strstr(d->d_name, ".submit00.txt");
}

/* Captures alone, or all programs too. */
static void run_all(const struct mcaptures *c, const char *dir, bool programs)
{
	struct dirent **list;
	char path[1024];
	unsigned int k;
	int i, n;

	snprintf(path, sizeof(path), "%s/capture/%s", dir, c->captured);
	n = scandir(path, &list, is_case, alphasort);
	tap_result(n > 0, "captures found: %d", n);
	for (i = 0; i < n; i++) {
		*strchr(list[i]->d_name, '.') = 0;
		if (run(c, dir, c->captured, list[i]->d_name, false) && programs)
			for (k = 0; c->gpus[k]; k++)
				run(c, dir, c->gpus[k], list[i]->d_name, true);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

int mcaptures_main(const struct mcaptures *c)
{
	const char *corpus = getenv(c->corpus), *data = getenv(c->data);
	char path[512];

	tap_start();
	if (data && *data)
		run_all(c, data, false);
	else
		tap_skip("no data given", "captured jobs that are kept here");
	if (corpus && *corpus) {
		snprintf(path, sizeof(path), "%s/mali", corpus);
		run_all(c, path, true);
	} else {
		tap_skip("no corpus given", "captured jobs");
	}
	return tap_done();
}
