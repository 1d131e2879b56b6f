// SPDX-License-Identifier: GPL-2.0
/*
 * Captured jobs of the Mali corpus on the Midgard reference model: each T860 capture as it
 * is, then with its programs replaced by those compiled for the T760.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "../ref/mali_case.h"
#include "../ref/midgard_ref.h"

#define CAPTURED	"midgard-t860"
#define OTHER		"midgard-t760"
#define BUDGET		20000000ull

/* Where the corpus allows a tolerance: near what single floats give; mediump for v_half. */
static double tolerance(const char *name)
{
	return !strcmp(name, "v_half") ? 0.002 : 4e-6;
}

/* What the fragment job that goes with a draw clears to. */
static int clear_color(const char *dir, const char *name, uint32_t *color)
{
	struct mrf g = { .arch = 5 };
	uint64_t chain;
	int ret;

	ret = mcase_capture(&g, dir, CAPTURED, name, 1, &chain);
	if (!ret && !mrf_clear_color(&g, chain, color))
		ret = -1;
	mrf_free(&g);
	return ret;
}

static int replace_one(struct mrf *g, uint64_t chain, const char *dir, const char *name,
		       const char *stage)
{
	struct mprog from = { 0 }, to = { 0 };
	uint64_t draw = mcase_draw(g, chain, !strcmp(stage, "frag"));
	int ret;

	ret = mcase_prog(&from, dir, CAPTURED, name, stage) ||
		mcase_prog(&to, dir, OTHER, name, stage) || mcase_replace(g, draw, &from, &to);
	mcase_prog_free(&from);
	mcase_prog_free(&to);
	return ret;
}

/* Programs of the other GPU in place of those that were captured. */
static int replace_all(struct mrf *g, uint64_t chain, const char *dir, const char *name)
{
	switch (*name) {
	case 'c':
		return replace_one(g, chain, dir, name, "comp");
	case 'v':
		return replace_one(g, chain, dir, name, "vert-xfb");
	default:
		return replace_one(g, chain, dir, name, "vert") ||
			replace_one(g, chain, dir, name, "frag");
	}
}

/* One run. Return: 0 compared, 1 outside the model, -1 failed; @why then says how. */
static int execute(const char *dir, const char *name, bool replace, struct mresult *res,
		   char *why, size_t size)
{
	struct mrf g = { .arch = 5, .budget = BUDGET };
	uint64_t chain;
	int ret = -1;

	if ((*name == 'f' && clear_color(dir, name, &g.clear)) ||
	    mcase_capture(&g, dir, CAPTURED, name, 0, &chain) ||
	    (replace && replace_all(&g, chain, dir, name))) {
		snprintf(why, size, "%s", mcase_error());
	} else if (!mgr_run(&g, chain)) {
		snprintf(why, size, "%s", g.error);
		ret = g.unsupported ? 1 : -1;
	} else if (mcase_compare(&g, dir, CAPTURED, name, res)) {
		snprintf(why, size, "%s", mcase_error());
	} else {
		ret = 0;
	}
	mrf_free(&g);
	return ret;
}

static bool near(const char *name, const struct mresult *res)
{
	/* pixels: half of the least step either way; what the corpus has for points is more */
	if (*name == 'f')
		return res->byte <= 1;
	return res->rel <= tolerance(name);
}

static void run(const char *dir, const char *name, bool replace)
{
	const char *what = replace ? "program of " OTHER : "capture of " CAPTURED;
	struct mresult res;
	char why[256];
	bool exact;
	int ret;

	if (mcase_exact(dir, name, &exact)) {
		tap_result(false, "%s: %s", name, mcase_error());
		return;
	}
	ret = execute(dir, name, replace, &res, why, sizeof(why));
	if (ret)
		tap_result(false, "%s, %s: %s%s", name, what, why,
			   ret == 1 ? " (outside the model)" : "");
	else
		tap_result(!res.differing || (!exact && near(name, &res)),
			   "%s, %s: %u words, %u differ, %.3g relative, %u in a byte", name, what,
			   res.words, res.differing, res.rel, res.byte);
}

static int is_case(const struct dirent *d)
{
	const char *only = getenv("MIDGARD_CASE");

	if (only && strncmp(d->d_name, only, strlen(only)))
		return 0;
	return !!strstr(d->d_name, ".submit00.txt");
}

/* Captures alone, or all programs too. */
static void run_all(const char *dir, bool programs)
{
	struct dirent **list;
	char path[1024];
	int i, n;

	snprintf(path, sizeof(path), "%s/capture/%s", dir, CAPTURED);
	n = scandir(path, &list, is_case, alphasort);
	tap_result(n > 0, "captures found: %d", n);
	for (i = 0; i < n; i++) {
		*strchr(list[i]->d_name, '.') = 0;
		run(dir, list[i]->d_name, false);
		if (programs)
			run(dir, list[i]->d_name, true);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

int main(void)
{
	const char *corpus = getenv("MIDGARD_CORPUS"), *data = getenv("MIDGARD_DATA");
	char path[512];

	tap_start();
	if (data && *data)
		run_all(data, false);
	else
		tap_skip("no data given", "captured jobs that are kept here");
	if (corpus && *corpus) {
		snprintf(path, sizeof(path), "%s/mali", corpus);
		run_all(path, true);
	} else {
		tap_skip("no corpus given", "captured jobs");
	}
	return tap_done();
}
