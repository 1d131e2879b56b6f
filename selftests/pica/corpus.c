// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "json_util.h"

const char *corpus_error(void)
{
	return ju_error();
}

const char *corpus_data_path(const char *argv0, const char *data_dir, const char *name)
{
	static char path[PATH_MAX];
	const char *slash = strrchr(argv0, '/');

	if (data_dir)
		snprintf(path, sizeof(path), "%s/%s", data_dir, name);
	else if (slash)
		snprintf(path, sizeof(path), "%.*s/data/%s", (int)(slash - argv0), argv0, name);
	else
		snprintf(path, sizeof(path), "data/%s", name);
	return path;
}

static int parse_model(const char *name, enum corpus_model *model)
{
	if (!strcmp(name, "any"))
		*model = CORPUS_ANY;
	else if (!strcmp(name, "binary32-precision"))
		*model = CORPUS_F32_PRECISION;
	else if (!strcmp(name, "binary32-range"))
		*model = CORPUS_F32_RANGE;
	else
		return ju_fail("unknown model \"%s\"", name);
	return 0;
}

static int parse_register(const char *name, unsigned int count, unsigned int *index)
{
	char *end;
	unsigned long n = strtoul(name + 1, &end, 10);

	if (*end || end == name + 1 || n >= count)
		return ju_fail("unknown register \"%s\"", name);
	*index = (unsigned int)n;
	return 0;
}

static int parse_components(const char *text, struct corpus_expect *e)
{
	static const char names[] = "xyzw";

	for (; *text; text++) {
		const char *at = strchr(names, *text);

		if (!at || e->ncomp == 4)
			return ju_fail("bad component list");
		e->comp[e->ncomp++] = (unsigned int)(at - names);
	}
	return 0;
}

static int parse_target(struct json_object *obj, struct corpus_expect *e)
{
	struct json_object *comp = ju_get(obj, "comp");
	const char *reg = json_object_get_string(ju_get(obj, "reg"));

	if (!reg)
		return ju_fail("expectation without register");
	if (!strcmp(reg, "aL")) {
		e->reg = 'L';
		e->ncomp = 1;
		return 0;
	}
	if (!strcmp(reg, "cc")) {
		e->reg = 'c';
	} else {
		if (reg[0] != 'o' && reg[0] != 'r')
			return ju_fail("unknown register \"%s\"", reg);
		e->reg = reg[0];
		if (parse_register(reg, 16, &e->index))
			return -1;
	}
	if (!comp)
		return ju_fail("expectation without components");
	return parse_components(json_object_get_string(comp), e);
}

static int parse_op(struct json_object *obj, struct corpus_expect *e)
{
	static const char *const names[] = { "eq", "nan", "inf", "abs", "eqi" };
	const char *op = json_object_get_string(ju_get(obj, "op"));
	struct json_object *tol = ju_get(obj, "tol");
	unsigned int i;

	for (i = 0; op && i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(op, names[i]))
			continue;
		e->op = (enum corpus_op)i;
		if (e->op == CORPUS_ABS) {
			if (!tol)
				return ju_fail("abs without tolerance");
			e->tol = json_object_get_double(tol);
		}
		return 0;
	}
	return ju_fail("unknown comparison \"%s\"", op ? op : "");
}

static int parse_values(struct json_object *obj, struct corpus_expect *e)
{
	struct json_object *array;
	unsigned int i;
	int64_t n;

	if (e->op == CORPUS_NAN || e->op == CORPUS_INF)
		return 0;
	if (ju_array(obj, "val", &array) != (int)e->ncomp)
		return ju_fail("values do not match components");
	for (i = 0; i < e->ncomp; i++) {
		struct json_object *value = json_object_array_get_idx(array, i);

		if (e->op != CORPUS_EQI) {
			if (ju_hex(value, &e->val[i]))
				return -1;
			continue;
		}
		if (ju_int(value, 0, 255, &n))
			return -1;
		e->val[i] = (uint32_t)n;
	}
	return 0;
}

static int parse_expect(struct json_object *obj, struct corpus_case *c)
{
	struct json_object *array;
	int i, n = ju_array(obj, "expect", &array);

	if (n < 1 || n > CORPUS_MAX_EXPECT)
		return ju_fail("1 to %u expectations wanted", CORPUS_MAX_EXPECT);
	for (i = 0; i < n; i++) {
		struct json_object *item = json_object_array_get_idx(array, (size_t)i);
		struct corpus_expect *e = &c->expect[i];
		bool flags_or_al;

		if (parse_target(item, e) || parse_op(item, e) || parse_values(item, e))
			return -1;
		flags_or_al = e->reg == 'L' || e->reg == 'c';
		if (e->op == CORPUS_EQI ? !flags_or_al : flags_or_al)
			return ju_fail("comparison does not fit the register");
	}
	c->nexpect = (unsigned int)n;
	return 0;
}

static int parse_opdesc(struct json_object *obj, uint32_t opdesc[], unsigned int *n)
{
	uint32_t *words = NULL;
	int ret = ju_words(obj, "opdesc", &words, n, PICA_REF_MAX_OPDESC);

	if (!ret)
		memcpy(opdesc, words, *n * sizeof(*words));
	free(words);
	return ret;
}

static int parse_inputs(struct json_object *obj, struct corpus_case *c)
{
	struct json_object *inputs = ju_get(obj, "inputs");

	if (!inputs)
		return 0;
	json_object_object_foreach(inputs, key, row) {
		unsigned int index = 0;

		if (key[0] != 'v' || parse_register(key, 16, &index) || ju_hex4(row, c->v[index]))
			return ju_fail("bad input \"%s\"", key);
	}
	return 0;
}

static int parse_uniforms(struct json_object *obj, struct json_object *sets, struct corpus_case *c)
{
	struct json_object *cfset = ju_get(obj, "cfset");
	struct json_object *cf = ju_get(obj, "cf");
	struct json_object *cb = ju_get(obj, "cb");
	int64_t n;

	if (cfset) {
		struct json_object *set = ju_get(sets, json_object_get_string(cfset));

		if (!set || ju_rows(set, c->uniforms.f, PICA_REF_NUM_CF))
			return ju_fail("bad uniform set");
	}
	if (cf && ju_rows(cf, c->uniforms.f, PICA_REF_NUM_CF))
		return -1;
	if (ju_get(obj, "ci") && ju_integers(obj, "ci", c->uniforms.i))
		return -1;
	if (cb) {
		if (ju_int(cb, 0, 0xffff, &n))
			return -1;
		c->uniforms.b = (uint16_t)n;
	}
	return 0;
}

static int parse_state(struct json_object *obj, struct corpus_case *c)
{
	struct json_object *entry = ju_get(obj, "entry");
	struct json_object *cc = ju_get(obj, "cc");
	int64_t n;
	size_t i;

	if (entry) {
		if (ju_int(entry, 0, PICA_REF_MAX_CODE - 1, &n))
			return -1;
		c->entry = (unsigned int)n;
	}
	if (!cc)
		return 0;
	if (!json_object_is_type(cc, json_type_array) || json_object_array_length(cc) != 2)
		return ju_fail("two flags expected");
	for (i = 0; i < 2; i++) {
		if (ju_int(json_object_array_get_idx(cc, i), 0, 1, &n))
			return -1;
		c->cc[i] = n;
	}
	return 0;
}

static int parse_case(struct json_object *obj, struct json_object *sets, struct corpus_case *c)
{
	const char *model = json_object_get_string(ju_get(obj, "model"));

	if (ju_string(obj, "id", &c->id) || ju_string(obj, "basis", &c->basis))
		return -1;
	if (ju_get(obj, "note") && ju_string(obj, "note", &c->note))
		return -1;
	if (parse_model(model ? model : "", &c->model) ||
	    ju_words(obj, "code", &c->code, &c->ncode, PICA_REF_MAX_CODE) ||
	    parse_opdesc(obj, c->opdesc, &c->nopdesc) || parse_inputs(obj, c) ||
	    parse_uniforms(obj, sets, c) || parse_state(obj, c))
		return -1;
	return parse_expect(obj, c);
}

int corpus_load(const char *path, struct corpus *out)
{
	struct json_object *root = ju_load(path);
	struct json_object *cases, *sets;
	int i, n, ret = -1;

	memset(out, 0, sizeof(*out));
	if (!root)
		return -1;
	sets = ju_get(root, "sets");
	n = ju_array(root, "cases", &cases);
	if (n <= 0)
		goto out;
	out->cases = calloc((size_t)n, sizeof(*out->cases));
	if (!out->cases)
		goto out;
	out->n = (unsigned int)n;
	for (i = 0; i < n; i++) {
		if (parse_case(json_object_array_get_idx(cases, (size_t)i), sets, &out->cases[i])) {
			const char *id = out->cases[i].id;
			char why[128];

			snprintf(why, sizeof(why), "%.127s", ju_error());
			ju_fail("case %d (%s): %s", i, id ? id : "no id", why);
			goto out;
		}
	}
	ret = 0;
out:
	json_object_put(root);
	if (ret)
		corpus_free(out);
	return ret;
}

void corpus_free(struct corpus *c)
{
	unsigned int i;

	for (i = 0; i < c->n; i++) {
		free(c->cases[i].id);
		free(c->cases[i].basis);
		free(c->cases[i].note);
		free(c->cases[i].code);
	}
	free(c->cases);
	memset(c, 0, sizeof(*c));
}
