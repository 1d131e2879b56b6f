// SPDX-License-Identifier: GPL-2.0
/*
 * Compiled and hand-made Utgard vertex programs with results that were worked out from
 * their sources: on the reference model and on every build of the engine.
 */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "../pica/json_util.h"
#include "gp_run.h"

static struct gp_case kase;
static u32 words[UGP_MAX_INSNS * UGP_WORDS];
static u32 got[GP_MAX_VERTICES][16][4];

static u32 load_words(const char *path)
{
	FILE *f = fopen(path, "r");
	u32 n = 0;

	while (f && n < ARRAY_SIZE(words) && fscanf(f, "%x", &words[n]) == 1)
		n++;
	if (f)
		fclose(f);
	return n;
}

/* Missing components are 0, 0, 0, 1. */
static bool load_attributes(struct json_object *attrs, struct ugr_vertex *v)
{
	u32 i, k;

	for (i = 0; i < 16; i++)
		v->attr[i][3] = 0x3f800000;
	json_object_object_foreach(attrs, key, val) {
		i = (u32)atoi(key);
		if (i >= 16)
			return false;
		for (k = 0; k < json_object_array_length(val) && k < 4; k++)
			if (ju_hex(json_object_array_get_idx(val, k), &v->attr[i][k]))
				return false;
	}
	return true;
}

static bool load_rows(struct json_object *c)
{
	struct json_object *rows;
	int n = ju_array(c, "uniform_rows_fp32", &rows), i;

	if (n < 0 || n > UGP_MAX_ROWS)
		return false;
	kase.nrows = (u32)n;
	for (i = 0; i < n; i++)
		if (ju_hex4(json_object_array_get_idx(rows, i), kase.row[i]))
			return false;
	return true;
}

static float as_float(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* Does a component match the file? @exact: bit for bit, if the file has its bits. */
static bool component_ok(struct json_object *out, u32 k, u32 bits, bool exact)
{
	struct json_object *want = json_object_array_get_idx(ju_get(out, "expected"), k);
	struct json_object *tol = ju_get(out, "tolerance"), *model = ju_get(out, "model_fp32");
	double limit, value = as_float(bits);
	u32 v;

	if (!want || json_object_is_type(want, json_type_null))
		return true;
	if (json_object_is_type(want, json_type_string))
		return bits == GP_UNTOUCHED;
	limit = tol ? json_object_get_double(json_object_array_get_idx(tol, k)) : 0;
	if (value != json_object_get_double(want) &&
	    !(fabs(value - json_object_get_double(want)) <= limit))
		return false;
	if (!exact || !model)
		return true;
	return !ju_hex(json_object_array_get_idx(model, k), &v) && v == bits;
}

/* Programs with these have functions that a model need not round correctly. */
static bool is_exact(struct json_object *obj)
{
	struct json_object *f;
	int n = ju_array(obj, "features", &f), i;

	for (i = 0; i < n; i++) {
		const char *s = json_object_get_string(json_object_array_get_idx(f, i));

		if (!strncmp(s, "cplx", 4) && s[4] >= '2' && s[4] <= '5' && !s[5])
			return false;
	}
	return true;
}

static bool outputs_ok(struct json_object *obj, struct json_object *c, u32 v[16][4])
{
	bool early = !strcmp(json_object_get_string(ju_get(obj, "name")), "h05_reglatency");
	bool ok = true, exact = is_exact(obj);
	struct json_object *outs, *o;
	int n = ju_array(c, "outputs", &outs), i;
	u32 k, slot;

	for (i = 0; i < n; i++) {
		o = json_object_array_get_idx(outs, i);
		slot = (u32)json_object_get_int(ju_get(o, "slot"));
		if (slot >= 16)
			return false;
		/* results of early reads are reported only */
		if (early && slot != 2)
			continue;
		for (k = 0; k < 4; k++) {
			if (component_ok(o, k, v[slot][k], exact))
				continue;
			tap_comment("varying %u.%c is %.9g", slot, "xyzw"[k],
				    as_float(v[slot][k]));
			ok = false;
		}
	}
	return ok && n > 0;
}

static bool run_model(struct json_object *obj, struct json_object *c, u32 i)
{
	static struct ugr_vertex v;
	struct json_object *steps = ju_get(c, "executed_instructions");
	u32 k;

	v = kase.v[0];
	memcpy(v.row, kase.row, sizeof(v.row));
	for (k = 0; k < 64; k++)
		v.out[k / 4][k % 4] = GP_UNTOUCHED;
	if (ugr_run(kase.words, kase.n, &v, 100000) != UGR_ENDED)
		return false;
	if (steps && json_object_get_int(steps) != (int)v.steps) {
		tap_comment("case %u: %u instructions", i, v.steps);
		return false;
	}
	return outputs_ok(obj, c, v.out);
}

static bool run_engine(struct json_object *obj, struct json_object *c, enum vs_simd simd)
{
	int ret = gp_run(&kase, simd, 5000, 1000, got);

	if (ret) {
		tap_comment("run: %d, reason %u", ret, gp_reject()->reason);
		return false;
	}
	return outputs_ok(obj, c, got[0]);
}

/* @simd VS_NUM_SIMD: the reference model */
static void run_cases(const char *name, struct json_object *obj, enum vs_simd simd)
{
	struct json_object *cases, *c;
	int n = ju_array(obj, "cases", &cases), i, good = 0;

	for (i = 0; i < n; i++) {
		c = json_object_array_get_idx(cases, i);
		memset(kase.row, 0, sizeof(kase.row));
		memset(kase.v, 0, sizeof(kase.v[0]));
		kase.nv = 1;
		if (!load_rows(c) || !load_attributes(ju_get(c, "attributes_fp32"), kase.v))
			tap_comment("case %d: %s", i, ju_error());
		else if (simd == VS_NUM_SIMD)
			good += run_model(obj, c, i);
		else
			good += run_engine(obj, c, simd);
	}
	tap_result(n > 0 && good == n, "%s: %s: %d cases",
		   simd == VS_NUM_SIMD ? "model" : vs_simd_name(simd), name, n);
}

static void run_program(const char *dir, const char *name)
{
	struct json_object *obj;
	char path[PATH_MAX + 300];
	u32 simd;

	snprintf(path, sizeof(path), "%s/%s/shader.hex", dir, name);
	kase.words = words;
	kase.n = load_words(path) / UGP_WORDS;
	snprintf(path, sizeof(path), "%s/%s/case.json", dir, name);
	obj = ju_load(path);
	if (!obj || !kase.n) {
		tap_result(false, "%s: %s", name, obj ? "no words" : ju_error());
		return;
	}
	for (simd = 0; simd <= VS_NUM_SIMD; simd++) {
		if (simd == VS_NUM_SIMD || vs_simd_mask() & BIT(simd))
			run_cases(name, obj, (enum vs_simd)simd);
	}
	json_object_put(obj);
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void run_dir(const char *root, const char *sub)
{
	struct dirent **list;
	char path[PATH_MAX];
	int n, i;

	snprintf(path, sizeof(path), "%s/%s", root, sub);
	n = scandir(path, &list, visible, alphasort);
	if (n <= 0) {
		tap_result(false, "%s: no programs", sub);
		return;
	}
	for (i = 0; i < n; i++) {
		run_program(path, list[i]->d_name);
		free(list[i]);
	}
	free(list);
}

int main(int argc, char **argv)
{
	const char *data = getenv("UTGARD_DATA"), *corpus = getenv("UTGARD_CORPUS");
	char path[PATH_MAX];

	if (data) {
		run_dir(data, "gp");
		run_dir(data, "gp-hand");
	}
	if (corpus && *corpus) {
		snprintf(path, sizeof(path), "%s/utgard", corpus);
		run_dir(path, "gp");
		run_dir(path, "gp-hand");
	} else {
		tap_skip("no CORPUS", "programs of the corpus");
	}
	return tap_done();
}
