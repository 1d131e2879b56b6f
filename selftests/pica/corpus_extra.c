// SPDX-License-Identifier: GPL-2.0
/* Geometry cases and number format pairs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "json_util.h"

/* The files give plain decimal numbers here, all exact in 1.7.16. */
static int parse_vec(struct json_object *array, uint32_t out[4])
{
	size_t i;

	if (!json_object_is_type(array, json_type_array) || json_object_array_length(array) != 4)
		return ju_fail("array of four numbers expected");
	for (i = 0; i < 4; i++) {
		struct json_object *value = json_object_array_get_idx(array, i);

		out[i] = pica_ref_to_bits((float)json_object_get_double(value));
	}
	return 0;
}

/* cN = (10(N+1), ..+1, ..+2, ..+3) for N below 8: the rule stated in the file. */
static void geometry_uniforms(struct pica_ref_uniforms *u)
{
	unsigned int i, j;

	memset(u, 0, sizeof(*u));
	for (i = 0; i < 8; i++)
		for (j = 0; j < 4; j++)
			u->f[i][j] = pica_ref_to_bits((float)(10 * (i + 1) + j));
}

static int parse_invocations(struct json_object *obj, struct corpus_geometry *g)
{
	struct json_object *array;
	int i, n = ju_array(obj, "invocations", &array);

	if (n <= 0)
		return ju_fail("no invocations");
	g->v = calloc((size_t)n, sizeof(*g->v));
	if (!g->v)
		return ju_fail("out of memory");
	g->n = (unsigned int)n;
	for (i = 0; i < n; i++) {
		struct json_object *rows = json_object_array_get_idx(array, (size_t)i);
		size_t j, len;

		if (!json_object_is_type(rows, json_type_array))
			return ju_fail("array of inputs expected");
		len = json_object_array_length(rows);
		for (j = 0; j < len && j < 16; j++) {
			if (parse_vec(json_object_array_get_idx(rows, j), g->v[i][j]))
				return -1;
		}
	}
	return 0;
}

static int parse_event(struct json_object *item, const struct corpus_geometry *g,
		       struct pica_exec_event *e)
{
	const char *kind = json_object_get_string(ju_get(item, "event"));
	unsigned int i;
	int64_t n;

	if (ju_int(ju_get(item, "invocation"), 0, g->n - 1, &n))
		return -1;
	e->invocation = (unsigned int)n;
	if (!kind)
		return ju_fail("event without kind");
	if (!strcmp(kind, "invert")) {
		e->kind = PICA_REF_EVENT_INVERT;
		return 0;
	}
	if (strcmp(kind, "vertex"))
		return ju_fail("unknown event \"%s\"", kind);
	e->kind = PICA_REF_EVENT_VERTEX;
	for (i = 0; i < 16; i++) {
		char name[8];

		if (!(g->output_mask >> i & 1))
			continue;
		snprintf(name, sizeof(name), "o%u", i);
		if (!ju_get(item, name) || parse_vec(ju_get(item, name), e->attr[e->nattr]))
			return ju_fail("event without %s", name);
		e->nattr++;
	}
	return 0;
}

static int parse_events(struct json_object *obj, struct corpus_geometry *g)
{
	struct json_object *array;
	int i, n = ju_array(obj, "expect", &array);

	if (n < 0)
		return -1;
	g->events = calloc((size_t)n + 1, sizeof(*g->events));
	if (!g->events)
		return ju_fail("out of memory");
	for (i = 0; i < n; i++) {
		if (parse_event(json_object_array_get_idx(array, (size_t)i), g, &g->events[i]))
			return -1;
	}
	g->nevents = (unsigned int)n;
	return 0;
}

static int parse_geometry(struct json_object *obj, struct corpus_geometry *g)
{
	uint32_t *opdesc = NULL;
	int64_t mask;

	if (ju_string(obj, "id", &g->id))
		return -1;
	if (ju_get(obj, "note") && ju_string(obj, "note", &g->note))
		return -1;
	if (ju_words(obj, "code", &g->code, &g->ncode, PICA_REF_MAX_CODE))
		return -1;
	if (ju_words(obj, "opdesc", &opdesc, &g->nopdesc, PICA_REF_MAX_OPDESC)) {
		free(opdesc);
		return -1;
	}
	memcpy(g->opdesc, opdesc, g->nopdesc * sizeof(*opdesc));
	free(opdesc);
	if (ju_int(ju_get(obj, "output_mask"), 0, 0xffff, &mask))
		return -1;
	g->output_mask = (uint16_t)mask;
	geometry_uniforms(&g->uniforms);
	return parse_invocations(obj, g) || parse_events(obj, g) ? -1 : 0;
}

int corpus_load_geometry(const char *path, struct corpus_geometries *out)
{
	struct json_object *root = ju_load(path);
	struct json_object *cases;
	int i, n, ret = -1;

	memset(out, 0, sizeof(*out));
	if (!root)
		return -1;
	n = ju_array(root, "cases", &cases);
	if (n <= 0)
		goto out;
	out->cases = calloc((size_t)n, sizeof(*out->cases));
	if (!out->cases)
		goto out;
	out->n = (unsigned int)n;
	for (i = 0; i < n; i++) {
		if (parse_geometry(json_object_array_get_idx(cases, (size_t)i), &out->cases[i]))
			goto out;
	}
	ret = 0;
out:
	json_object_put(root);
	if (ret)
		corpus_free_geometry(out);
	return ret;
}

void corpus_free_geometry(struct corpus_geometries *g)
{
	unsigned int i;

	for (i = 0; i < g->n; i++) {
		free(g->cases[i].id);
		free(g->cases[i].note);
		free(g->cases[i].code);
		free(g->cases[i].v);
		free(g->cases[i].events);
	}
	free(g->cases);
	memset(g, 0, sizeof(*g));
}

static int parse_format(struct json_object *obj, struct corpus_float **out, unsigned int *n)
{
	struct json_object *pairs;
	struct corpus_float *grown;
	int64_t exponent, mantissa;
	int i, count = ju_array(obj, "pairs", &pairs);

	if (count < 0 || ju_int(ju_get(obj, "exponent_bits"), 1, 8, &exponent) ||
	    ju_int(ju_get(obj, "mantissa_bits"), 1, 23, &mantissa))
		return -1;
	grown = realloc(*out, (*n + (unsigned int)count) * sizeof(*grown));
	if (!grown)
		return ju_fail("out of memory");
	*out = grown;
	for (i = 0; i < count; i++) {
		struct json_object *pair = json_object_array_get_idx(pairs, (size_t)i);
		struct corpus_float *f = &grown[*n];
		char *name;

		f->exponent_bits = (unsigned int)exponent;
		f->mantissa_bits = (unsigned int)mantissa;
		if (ju_hex(ju_get(pair, "raw"), &f->raw) || ju_hex(ju_get(pair, "f32"), &f->f32) ||
		    ju_string(obj, "name", &name))
			return -1;
		f->format = name;
		(*n)++;
	}
	return 0;
}

int corpus_load_floats(const char *path, struct corpus_float **out, unsigned int *n)
{
	struct json_object *root = ju_load(path);
	size_t i, len;
	int ret = 0;

	*out = NULL;
	*n = 0;
	if (!root)
		return -1;
	len = json_object_is_type(root, json_type_array) ? json_object_array_length(root) : 0;
	for (i = 0; i < len && !ret; i++)
		ret = parse_format(json_object_array_get_idx(root, i), out, n);
	json_object_put(root);
	if (!ret && !*n)
		ret = ju_fail("no pairs");
	if (ret) {
		corpus_free_floats(*out, *n);
		*out = NULL;
	}
	return ret;
}

void corpus_free_floats(struct corpus_float *f, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		free((char *)f[i].format);
	free(f);
}
