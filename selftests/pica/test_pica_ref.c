// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the reference model itself: 1.7.16 rounding against integer
 * arithmetic, number formats, and the two workloads against recorded outputs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "corpus.h"
#include "exact24.h"
#include "json_util.h"
#include "options.h"
#include "workload.h"

#define ROUNDING_TRIALS	300000

static struct pica_options opt;
static const char *argv0;

static uint64_t rng_state = 0x2545f4914f6cdd1dull;

static uint64_t rng(void)
{
	rng_state ^= rng_state << 13;
	rng_state ^= rng_state >> 7;
	rng_state ^= rng_state << 17;
	return rng_state;
}

/* A random register value, exponents often close to each other or to the limits. */
static uint32_t random_raw(void)
{
	uint64_t r = rng();
	uint32_t sign = (uint32_t)(r & 1) << 23;
	uint32_t mantissa = (uint32_t)(r >> 8) & 0xffff;
	uint32_t exponent;

	switch (r >> 32 & 7) {
	case 0:
		exponent = (uint32_t)(r >> 40) % 127;
		break;
	case 1:
		exponent = 1 + ((uint32_t)(r >> 40) & 3);
		break;
	case 2:
		exponent = 126 - ((uint32_t)(r >> 40) & 3);
		break;
	default:
		exponent = 60 + ((uint32_t)(r >> 40) & 31) - 16;
		break;
	}
	switch (r >> 35 & 7) {
	case 0:
		mantissa = 0;
		break;
	case 1:
		mantissa = 0xffff;
		break;
	case 2:
		mantissa &= 0xff;
		break;
	}
	return sign | exponent << 16 | mantissa;
}

typedef float (*binary_fn)(struct pica_ref_num *n, float a, float b);
typedef uint32_t (*exact_fn)(uint32_t a, uint32_t b, bool nearest);

static void test_rounding(const char *name, binary_fn fn, exact_fn exact,
			  enum pica_ref_model model)
{
	struct pica_ref_num num = { .model = model };
	unsigned int i;

	for (i = 0; i < ROUNDING_TRIALS; i++) {
		uint32_t a = random_raw(), b = random_raw();
		uint32_t want = exact(a, b, model == PICA_REF_F24_NEAREST);
		uint32_t got = pica_ref_pack24(fn(&num, pica_ref_unpack(a, 7, 16),
						  pica_ref_unpack(b, 7, 16)));

		if (got == want)
			continue;
		tap_result(false, "%s %s", name, pica_model_name(model));
		tap_comment("  %06x, %06x gives %06x, want %06x", a, b, got, want);
		return;
	}
	tap_result(true, "%s %s: %u random pairs", name, pica_model_name(model), ROUNDING_TRIALS);
}

static float rcp_pair(struct pica_ref_num *n, float a, float b)
{
	(void)b;
	return pica_ref_rcp(n, a);
}

static float rsq_pair(struct pica_ref_num *n, float a, float b)
{
	(void)b;
	return pica_ref_rsq(n, fabsf(a));
}

static uint32_t exact_rsq_abs(uint32_t a, uint32_t b, bool nearest)
{
	return exact24_rsq(a & 0x7fffff, b, nearest);
}

static void test_pack(void)
{
	uint32_t raw;

	for (raw = 0; raw < 1u << 24; raw++) {
		bool nan = (raw >> 16 & 0x7f) == 0x7f && (raw & 0xffff);
		float f = pica_ref_unpack(raw, 7, 16);

		if (nan ? !isnan(f) : pica_ref_pack24(f) != raw)
			break;
		if (pica_ref_to_bits(f) & 0x7f && !nan)
			break;
	}
	tap_result(raw == 1u << 24, "every f24 value survives unpack and pack");
}

static void test_load(enum pica_ref_model model)
{
	uint32_t raw;

	/* Everything the register format holds enters unchanged; -0 is not observable. */
	for (raw = 0; raw < 1u << 24; raw++) {
		float f = pica_ref_unpack(raw, 7, 16);
		float got = pica_ref_load(model, pica_ref_to_bits(f));

		if (isnan(f) ? isnan(got) : got == f && !(got == 0.0f && signbit(got)))
			continue;
		break;
	}
	tap_result(raw == 1u << 24, "every f24 value enters unchanged in %s",
		   pica_model_name(model));
}

static void test_load_rounds(void)
{
	static const struct {
		uint32_t in, trunc, nearest;
	} t[] = {
		{ 0x3f80007f, 0x3f800000, 0x3f800080 },
		{ 0x3f800040, 0x3f800000, 0x3f800000 }, /* tie, even below */
		{ 0x3f8000c0, 0x3f800080, 0x3f800100 }, /* tie, even above */
		{ 0xbf80007f, 0xbf800000, 0xbf800080 },
		{ 0x5f7fffff, 0x5f7fff80, 0x7f800000 },
		{ 0x5f800000, 0x7f800000, 0x7f800000 }, /* 2^64 */
		{ 0xff7fffff, 0xff800000, 0xff800000 },
		{ 0x80000000, 0x00000000, 0x00000000 },
		{ 0x00000001, 0x00000000, 0x00000000 },
		{ 0x18800000, 0x18800000, 0x18800000 }, /* smallest f24 subnormal */
		{ 0x187fffff, 0x00000000, 0x18800000 },
		{ 0x18000000, 0x00000000, 0x00000000 }, /* half of it: tie to even */
		{ 0x207fffff, 0x207fff00, 0x20800000 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint32_t trunc = pica_ref_to_bits(pica_ref_load(PICA_REF_F24_TRUNC, t[i].in));
		uint32_t near = pica_ref_to_bits(pica_ref_load(PICA_REF_F24_NEAREST, t[i].in));
		uint32_t same = pica_ref_to_bits(pica_ref_load(PICA_REF_F32, t[i].in));

		tap_result(trunc == t[i].trunc && near == t[i].nearest && same == t[i].in,
			   "entering %08x: %08x, %08x", t[i].in, trunc, near);
	}
}

static void test_formats(void)
{
	struct corpus_float *f;
	unsigned int i, n;

	if (corpus_load_floats(corpus_data_path(argv0, opt.data, "float_formats.json"), &f, &n)) {
		tap_result(false, "float formats load: %s", corpus_error());
		return;
	}
	for (i = 0; i < n; i++) {
		float got = pica_ref_unpack(f[i].raw, f[i].exponent_bits, f[i].mantissa_bits);
		float want = pica_ref_from_bits(f[i].f32);
		bool same = isnan(want) ? isnan(got) : pica_ref_to_bits(got) == f[i].f32;

		tap_result(same, "%s %06x is %08x", f[i].format, f[i].raw, f[i].f32);
	}
	corpus_free_floats(f, n);
}

/* Workloads */

static struct json_object *find_workload(struct json_object *root, const char *name)
{
	struct json_object *list;
	int i, n = ju_array(root, "workloads", &list);

	for (i = 0; i < n; i++) {
		struct json_object *w = json_object_array_get_idx(list, (size_t)i);
		const char *s = json_object_get_string(ju_get(w, "name"));

		if (s && !strcmp(s, name))
			return w;
	}
	return NULL;
}

static bool same_words(struct json_object *obj, const char *name, const uint32_t *words,
		       unsigned int n)
{
	uint32_t *file = NULL;
	unsigned int nfile = 0;
	bool same;

	same = !ju_words(obj, name, &file, &nfile, PICA_REF_MAX_CODE) && nfile == n &&
	       !memcmp(file, words, n * sizeof(*words));
	free(file);
	return same;
}

static void fill_uniforms(const struct workload *w, struct pica_ref_uniforms *u)
{
	unsigned int i;

	memset(u, 0, sizeof(*u));
	for (i = 0; i < w->ncf; i++)
		memcpy(u->f[w->cf[i].index], w->cf[i].value, sizeof(w->cf[i].value));
	memcpy(u->i, w->ci, sizeof(u->i));
	u->b = w->cb;
}

static bool same_constants(struct json_object *obj, const struct workload *w)
{
	struct pica_ref_uniforms have, file;
	int64_t n;

	fill_uniforms(w, &have);
	memset(&file, 0, sizeof(file));
	if (ju_rows(ju_get(obj, "cf"), file.f, PICA_REF_NUM_CF) ||
	    ju_integers(obj, "ci", file.i) || ju_int(ju_get(obj, "cb"), 0, 0xffff, &n))
		return false;
	file.b = (uint16_t)n;
	if (memcmp(have.f, file.f, sizeof(have.f)) || memcmp(have.i, file.i, sizeof(have.i)) ||
	    have.b != file.b)
		return false;
	if (ju_int(ju_get(obj, "entry"), 0, 4095, &n) || n != w->entry)
		return false;
	return !ju_int(ju_get(obj, "output_mask"), 0, 0xffff, &n) && n == w->output_mask;
}

/* Rows of @per vec4 in the file against @words; false at the first difference. */
static bool same_rows(struct json_object *obj, const char *name, const uint32_t *words,
		      unsigned int per, bool approx, unsigned int *differ)
{
	struct json_object *list;
	int i, n = ju_array(obj, name, &list);
	unsigned int j, k;

	*differ = 0;
	if (n <= 0)
		return false;
	for (i = 0; i < n; i++) {
		struct json_object *row = json_object_array_get_idx(list, (size_t)i);

		for (j = 0; j < per; j++) {
			uint32_t v[4];

			if (ju_hex4(json_object_array_get_idx(row, j), v))
				return false;
			for (k = 0; k < 4; k++) {
				uint32_t got = words[((unsigned int)i * per + j) * 4 + k];

				if (got == v[k])
					continue;
				(*differ)++;
				if (!approx || llabs((long long)got - v[k]) > 4)
					return false;
			}
		}
	}
	return true;
}

static unsigned int mask_count(uint16_t mask)
{
	return (unsigned int)__builtin_popcount(mask);
}

/* Run all vertices; outputs packed, vertex major. Returns the executed instructions. */
static uint64_t run_workload(const struct workload *w, enum pica_ref_model model,
			     unsigned int switches, const uint32_t *vertices, uint32_t *out)
{
	unsigned int i, j, k, per = mask_count(w->output_mask);
	struct pica_ref_program prog = {
		.code = w->code, .ncode = w->ncode, .opdesc = w->opdesc, .nopdesc = w->nopdesc,
		.entry = w->entry, .output_mask = w->output_mask, .model = model,
		.step_limit = 10000, .switches = switches,
	};
	struct pica_ref_uniforms u;
	uint64_t steps = 0;

	fill_uniforms(w, &u);
	for (i = 0; i < WORKLOAD_VERTICES; i++) {
		struct pica_ref_result res = { 0 };
		struct pica_ref_unit unit;
		float packed[16][4];

		pica_ref_reset(&unit);
		memcpy(unit.v, vertices + (size_t)i * w->inputs * 4, w->inputs * 16);
		pica_ref_run(&prog, &u, &unit, &res);
		if (res.status != PICA_REF_DONE)
			return 0;
		steps += res.steps;
		pica_ref_pack_outputs(&unit, w->output_mask, packed);
		for (j = 0; j < per; j++)
			for (k = 0; k < 4; k++)
				out[((size_t)i * per + j) * 4 + k] = pica_ref_to_bits(packed[j][k]);
	}
	return steps;
}

static double worst_relative(const uint32_t *a, const uint32_t *b, size_t n)
{
	double worst = 0.0;
	size_t i;

	for (i = 0; i < n; i++) {
		double x = pica_ref_from_bits(a[i]), y = pica_ref_from_bits(b[i]);
		double scale = fmax(fabs(x), 1.0);

		if (!(fabs(x - y) / scale <= worst))
			worst = fabs(x - y) / scale;
	}
	return worst;
}

/* Largest distance in units of the last place; values of one sign. */
static uint32_t worst_ulp(const uint32_t *a, const uint32_t *b, size_t n, size_t *differ)
{
	uint32_t worst = 0;
	size_t i;

	*differ = 0;
	for (i = 0; i < n; i++) {
		uint32_t d = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];

		if (d)
			(*differ)++;
		if (d > worst)
			worst = d;
	}
	return worst;
}

static void test_workload_f32(struct json_object *obj, const struct workload *w,
			      const uint32_t *vertices, uint32_t *out, uint32_t *libm, size_t words)
{
	unsigned int per = mask_count(w->output_mask), first = 0;
	uint64_t steps, hash;
	uint32_t worst;
	size_t differ;

	steps = run_workload(w, PICA_REF_F32, 0, vertices, out);
	tap_result(steps > 0, "%s ends on every vertex, %.1f instructions each", w->name,
		   (double)steps / WORKLOAD_VERTICES);
	hash = workload_hash(WORKLOAD_HASH_INIT, out, words);
	tap_result(hash == w->hash, "%s hash of all outputs %016llx", w->name,
		   (unsigned long long)hash);

	run_workload(w, PICA_REF_F32, PICA_REF_LIBM_FLOAT, vertices, libm);
	tap_result(same_rows(obj, "first_outputs_f32_host", libm, per, true, &first),
		   "%s first outputs as recorded (%u components off by a bit)", w->name, first);
	hash = workload_hash(WORKLOAD_HASH_INIT, libm, words);
	if (hash == w->hash_libm)
		tap_result(true, "%s recorded hash %016llx with exp2f and log2f", w->name,
			   (unsigned long long)hash);
	else
		tap_skip("this C library's exp2f or log2f rounds differently",
			 "%s recorded hash with exp2f and log2f", w->name);
	worst = worst_ulp(out, libm, words, &differ);
	tap_result(worst <= 2,
		   "%s EX2 and LG2 rounded or by the library: %zu of %zu differ, worst %u ulp",
		   w->name, differ, words, worst);
}

static void test_workload_outputs(struct json_object *obj, const struct workload *w,
				  const uint32_t *vertices)
{
	size_t words = (size_t)WORKLOAD_VERTICES * mask_count(w->output_mask) * 4;
	uint32_t *out = calloc(words, sizeof(*out));
	uint32_t *other = calloc(words, sizeof(*other));
	uint64_t steps;
	double worst;
	int m;

	if (!out || !other)
		abort();
	test_workload_f32(obj, w, vertices, out, other, words);
	for (m = PICA_REF_F24_TRUNC; m <= PICA_REF_F24_NEAREST; m++) {
		steps = run_workload(w, (enum pica_ref_model)m, 0, vertices, other);
		worst = worst_relative(out, other, words);
		tap_result(steps && worst < 1.0 / 256, "%s %s stays close to f32 (worst %.2g)",
			   w->name, pica_model_name((enum pica_ref_model)m), worst);
	}
	free(out);
	free(other);
}

static void test_workload(struct json_object *root, const struct workload *w)
{
	struct json_object *obj = find_workload(root, w->name);
	uint32_t *vertices = calloc((size_t)WORKLOAD_VERTICES * w->inputs * 4, sizeof(*vertices));
	unsigned int differ = 0;

	if (!vertices)
		abort();
	tap_result(obj && same_words(obj, "code", w->code, w->ncode) &&
		   same_words(obj, "opdesc", w->opdesc, w->nopdesc) && same_constants(obj, w),
		   "%s compiled in equals the data file", w->name);
	workload_vertices(w, vertices, WORKLOAD_VERTICES);
	tap_result(same_rows(obj, "first_vertices", vertices, w->inputs, false, &differ),
		   "%s generated vertices equal the first recorded ones", w->name);
	test_workload_outputs(obj, w, vertices);
	free(vertices);
}

static void test_workloads(void)
{
	struct json_object *root = ju_load(corpus_data_path(argv0, opt.data, "workloads.json"));

	if (!root) {
		tap_result(false, "workloads load: %s", ju_error());
		return;
	}
	test_workload(root, &workload_w1);
	test_workload(root, &workload_w2);
	json_object_put(root);
}

int main(int argc, char **argv)
{
	int m;

	pica_options_parse(argc, argv, &opt);
	argv0 = argv[0];
	test_pack();
	for (m = PICA_REF_F24_TRUNC; m <= PICA_REF_F24_NEAREST; m++) {
		enum pica_ref_model model = (enum pica_ref_model)m;

		test_load(model);
		test_rounding("add", pica_ref_add, exact24_add, model);
		test_rounding("mul", pica_ref_mul, exact24_mul, model);
		test_rounding("rcp", rcp_pair, exact24_rcp, model);
		test_rounding("rsq", rsq_pair, exact_rsq_abs, model);
	}
	test_load_rounds();
	test_formats();
	test_workloads();
	return tap_done();
}
