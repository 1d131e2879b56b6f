// SPDX-License-Identifier: GPL-2.0
/*
 * Compiled and hand-made Utgard pixel programs with results that were worked out from their
 * sources: on every build of the engine, with registers of binary16 and of binary32.
 */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "../pica/json_util.h"
#include "../include/lower.h"

#define ARENA		(32u << 20)
#define UBO_VA		0x10000000ULL
#define TLS_VA		0x20000000ULL
#define MAX_WORDS	4096
#define MAX_ROWS	256
#define NFRAGS		4

static u32 words[MAX_WORDS];
static u32 nwords;
static u16 halves[4 * MAX_ROWS];
static u32 unif[4 * MAX_ROWS];
static u32 nrows;

static struct upp_program program;
static struct json_object *doc;
static float got[NFRAGS][4];
static bool discarded[NFRAGS];

static float as_float(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static u32 as_bits(float f)
{
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static double number(struct json_object *array, u32 i)
{
	return json_object_get_double(json_object_array_get_idx(array, i));
}

/* ---- the program's surroundings ---- */

static u32 *lane_slot(struct simt_block *b, u32 slot, u32 lane)
{
	return &b->slot[slot * SIMT_LANES + lane];
}

static void put(struct simt_block *b, u32 slot, u32 lane, struct json_object *list)
{
	u32 i, n = list ? json_object_array_length(list) : 0;

	for (i = 0; i < n && i < 4; i++)
		*lane_slot(b, slot + i, lane) = as_bits((float)number(list, i));
}

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct json_object *frags = ju_get(doc, "fragments"), *f, *facing;
	u32 l;

	for (l = 0; l < NFRAGS; l++) {
		f = json_object_array_get_idx(frags, l);
		json_object_object_foreach(ju_get(f, "varyings"), key, val)
			put(b, UPP_SLOT_VAR + 4 * (u32)atoi(key), l, val);
		put(b, UPP_SLOT_COORD, l, ju_get(f, "fragcoord_raw"));
		put(b, UPP_SLOT_POINT, l, ju_get(f, "pointcoord_raw"));
		facing = ju_get(f, "front_facing");
		if (facing && json_object_get_boolean(facing))
			*lane_slot(b, UPP_SLOT_FACING, l) = as_bits(1);
	}
}

static void end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l, i, reg;

	reg = (u32)json_object_get_int(ju_get(ju_get(doc, "state"), "color_output_register"));
	for (l = 0; l < NFRAGS; l++) {
		discarded[l] = b->helper >> l & 1;
		for (i = 0; i < 4; i++)
			got[l][i] = as_float(*lane_slot(b, UPP_SLOT_REG + 4 * (reg % 6) + i, l));
	}
}

/* Does a fragment's texture request match? The level is compared if there is one. */
static bool asks(struct json_object *r, const float *at, const struct simt_uop *u, u32 index)
{
	struct json_object *coords = ju_get(r, "coords"), *lod = ju_get(r, "lod");
	struct json_object *absolute = ju_get(r, "lod_is_absolute");
	u32 i, n = json_object_array_length(coords);
	bool cube = !strcmp(json_object_get_string(ju_get(r, "type")), "cube");

	if (cube != !!(u->imm & UPP_TEX_CUBE) ||
	    (u32)json_object_get_int(ju_get(r, "sampler")) != index)
		return false;
	for (i = 0; i < n; i++) {
		if (fabs(at[i] - number(coords, i)) > 0.01 + 0.01 * fabs(number(coords, i)))
			return false;
	}
	if (!lod || json_object_is_type(lod, json_type_null))
		return !(u->imm & (UPP_TEX_BIAS | UPP_TEX_LEVEL));
	return !!(u->imm & UPP_TEX_LEVEL) == json_object_get_boolean(absolute) &&
	       fabs(at[3] - json_object_get_double(lod)) < 0.01;
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct json_object *list = ju_get(doc, "texture_requests"), *r;
	u32 n = list ? json_object_array_length(list) : 0, l, i, k;

	for (l = 0; l < NFRAGS; l++) {
		float at[4];

		if (!(b->mask >> l & 1))
			continue;
		for (k = 0; k < 4; k++)
			at[k] = as_float(u->s[k] & SIMT_U ? b->unif[16 * (u->s[k] & ~SIMT_U)] :
							    *lane_slot(b, u->s[k], l));
		for (i = 0; i < n; i++) {
			r = json_object_array_get_idx(list, i);
			if (asks(r, at, u, UPP_TEX_INDEX(u->imm) + *lane_slot(b, u->d2, l)))
				break;
		}
		if (i == n) {
			tap_comment("fragment %u asks for a texel at %g %g %g, %g", l, at[0],
				    at[1], at[2], at[3]);
			simt_fault(m, VS_FAULT_COMMAND, 1ULL << l, 0, 0);
			return false;
		}
		put(b, u->d, l, ju_get(r, "returned"));
	}
	return true;
}

static const struct simt_ops ops = { .start = start, .ext = ext, .end = end };

/* ---- running ---- */

static int launch(struct simt_arena *arena, enum vs_simd simd, u8 *tls)
{
	struct vs_extent extents[2] = {
		{ .lo = UBO_VA, .hi = UBO_VA + sizeof(halves), .kva = (u8 *)halves },
		{ .lo = TLS_VA, .hi = TLS_VA + SIMT_LANES * (u64)program.tls, .kva = tls,
		  .flags = VS_EXT_WRITE },
	};
	struct vs_map map = { .n = program.tls ? 2 : 1, .ext = extents };
	const struct simt_ubo ubo = { .va = UBO_VA, .size = 8 * nrows };
	struct simt_launch l = {
		.prog = program.prog, .ops = &ops, .local = { NFRAGS, 1, 1 },
		.groups = { 1, 1, 1 }, .unif = unif, .ubo = &ubo, .nubo = 1,
		.tls_va = TLS_VA, .tls_size = program.tls,
		.tls_total = SIMT_LANES * (u64)program.tls,
	};
	struct simt_machine *m = simt_machine_new(arena, &map);
	enum simt_status r = SIMT_RUN_MORE;
	u32 slices = 1000;
	u64 used;
	int ret = m ? simt_machine_launch(m, &l) : -ENOMEM;

	while (!ret && r == SIMT_RUN_MORE && slices--)
		r = simt_machine_run(m, simd, 1000, &used);
	return ret ? ret : r == SIMT_RUN_DONE ? 0 : -EFAULT;
}

static int run(enum vs_simd simd, u32 flags)
{
	static struct simt_arena arena;
	static u8 *tls;
	struct json_object *rows = ju_get(ju_get(doc, "state"), "temporary_rows");
	struct vs_reject rej;
	int ret;

	if (!arena.base) {
		arena.base = aligned_alloc(64, ARENA);
		tls = aligned_alloc(64, SIMT_LANES * 16 * 66);
		if (!arena.base || !tls)
			abort();
		arena.size = ARENA;
	}
	simt_arena_reset(&arena, 0);
	memset(tls, 0xa5, SIMT_LANES * 16 * 66);
	ret = upp_lower(&arena, words, nwords, 0, (u32)json_object_get_int(rows) % 65, flags,
			&program, &rej);
	if (ret) {
		tap_comment("lowering: %d, reason %u at %u", ret, rej.reason, rej.offset);
		return ret;
	}
	if (program.prog->nunif > ARRAY_SIZE(unif))
		return -E2BIG;
	return launch(&arena, simd, tls);
}

static bool fragment_ok(u32 l)
{
	struct json_object *f = json_object_array_get_idx(ju_get(doc, "fragments"), l);
	struct json_object *want = ju_get(f, "expected"), *tol = ju_get(f, "tolerance");
	bool gone = json_object_get_boolean(ju_get(f, "discarded"));
	u32 i;

	if (gone != discarded[l]) {
		tap_comment("fragment %u is %sdiscarded", l, gone ? "not " : "");
		return false;
	}
	for (i = 0; !gone && i < json_object_array_length(want); i++) {
		struct json_object *w = json_object_array_get_idx(want, i);

		if (json_object_is_type(w, json_type_null))
			continue;
		if (fabs(got[l][i] - json_object_get_double(w)) <= number(tol, i))
			continue;
		tap_comment("fragment %u.%c is %.9g, not %.9g", l, "xyzw"[i], got[l][i],
			    json_object_get_double(w));
		return false;
	}
	return true;
}

static void run_one(const char *name, enum vs_simd simd, u32 flags)
{
	int ret = run(simd, flags);
	bool ok = !ret;
	u32 l;

	for (l = 0; l < NFRAGS && ok; l++)
		ok = fragment_ok(l);
	tap_result(ok, "%s: %s, %s", vs_simd_name(simd), name,
		   flags & UPP_LOWER_FP32 ? "binary32" : "binary16");
}

/* ---- files ---- */

static bool load_rows(void)
{
	struct json_object *rows;
	int n = ju_array(doc, "uniform_rows_fp16", &rows), i;
	u32 row[4], k;

	memset(halves, 0, sizeof(halves));
	memset(unif, 0, sizeof(unif));
	nrows = n > 0 ? (u32)n : 0;
	for (i = 0; i < n; i++) {
		if (i >= MAX_ROWS || ju_hex4(json_object_array_get_idx(rows, i), row))
			return false;
		for (k = 0; k < 4; k++) {
			halves[4 * i + k] = (u16)row[k];
			unif[4 * i + k] = vs_f16_to_f32(row[k]);
		}
	}
	return true;
}

static void run_program(const char *dir, const char *name)
{
	char path[PATH_MAX + 300];
	u32 simd, flags;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/shader.hex", dir, name);
	f = fopen(path, "r");
	for (nwords = 0; f && nwords < MAX_WORDS && fscanf(f, "%x", &words[nwords]) == 1;)
		nwords++;
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "%s/%s/case.json", dir, name);
	doc = ju_load(path);
	if (!doc || !nwords || !load_rows()) {
		tap_result(false, "%s: %s", name, nwords ? ju_error() : "no words");
		return;
	}
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		for (flags = 0; flags <= UPP_LOWER_FP32 && vs_simd_mask() & BIT(simd); flags++)
			run_one(name, (enum vs_simd)simd, flags);
	}
	json_object_put(doc);
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
		run_dir(data, "pp");
		run_dir(data, "pp-hand");
	}
	if (corpus && *corpus) {
		snprintf(path, sizeof(path), "%s/utgard", corpus);
		run_dir(path, "pp");
		run_dir(path, "pp-hand");
	} else {
		tap_skip("no CORPUS", "programs of the corpus");
	}
	return tap_done();
}
