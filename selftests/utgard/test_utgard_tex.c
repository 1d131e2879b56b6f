// SPDX-License-Identifier: GPL-2.0
/*
 * Utgard textures: random descriptors and images, sampled by a pixel program on every build
 * of the engine and by the reference model; descriptors that are rejected; fetches that fault.
 */
#include <math.h>
#include <stdlib.h>

#include "../include/tap.h"
#include "../ref/utgard_tex_ref.h"
#include "gp_gen.h"
#include "utgard_encode.h"
#include "../include/lower.h"
#include "isa/utgard/utgard_tex.h"

#define ARENA		(8u << 20)
#define IMAGE_VA	0x01000000U
#define IMAGE_SIZE	(4u << 20)
#define DESC_VA		0x00100000U
#define DESC_SIZE	0x1000
#define LIST_VA		DESC_VA
#define NDESCS		4
#define DESC_AT(i)	(256 * ((i) + 1))

static u64 seed = 1;
static u8 *image;
static u32 descs[DESC_SIZE / 4];
static struct simt_arena arena;
static float coord[SIMT_LANES][4];	/* x, y, z, level */
static u32 offset[SIMT_LANES];
static float got[SIMT_LANES][4];
static struct vs_fault fault;
static struct utgard_tex_bank bank;

static const u8 formats[] = {
	0x09, 0x0a, 0x0b, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x20,
	0x22, 0x23, 0x24, 0x25, 0x26, 0x2c, 0x2f, 0x32,
};

/* ---- the program ---- */

#define COORD	UPP_SLOT_VAR
#define EXTRA	(UPP_SLOT_VAR + 4)	/* level and offset */

static void put(struct simt_block *b, u32 slot, u32 lane, float v)
{
	memcpy(&b->slot[slot * SIMT_LANES + lane], &v, sizeof(v));
}

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l, i;

	for (l = 0; l < SIMT_LANES; l++) {
		for (i = 0; i < 3; i++)
			put(b, COORD + i, l, coord[l][i]);
		put(b, EXTRA, l, coord[l][3]);
		put(b, EXTRA + 1, l, (float)offset[l]);
	}
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	return utgard_tex_ext(m, b, u, &bank);
}

static void end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 l, i;

	for (l = 0; l < SIMT_LANES; l++)
		for (i = 0; i < 4; i++)
			memcpy(&got[l][i], &b->slot[(UPP_SLOT_REG + i) * SIMT_LANES + l], 4);
}

/* Level and offset to register 1; a fetch at the first varying's coordinates to register 0. */
static u32 make_program(u32 *words, bool is_cube, u32 lod, bool offsets, u32 index)
{
	struct upp_insn i[2] = {};
	u32 n;

	i[0].ctrl.fields = 1U << UPP_VARYING;
	i[0].form[UPP_VARYING] = UPP_FORM_VARYING;
	upp_defaults(UPP_FORM_VARYING, &i[0].part[UPP_VARYING]);
	i[0].part[UPP_VARYING].varying.alignment = UPP_VARYING_VEC4;
	i[0].part[UPP_VARYING].varying.index = 1;
	i[0].part[UPP_VARYING].varying.dest = 1;
	i[1] = i[0];
	i[1].part[UPP_VARYING].varying.index = 0;
	i[1].part[UPP_VARYING].varying.dest = UPP_REG_NOWHERE;
	i[1].ctrl.fields |= 1U << UPP_SAMPLER | 1U << UPP_VEC_ADD;
	i[1].form[UPP_SAMPLER] = UPP_FORM_SAMPLER;
	upp_defaults(UPP_FORM_SAMPLER, &i[1].part[UPP_SAMPLER]);
	i[1].part[UPP_SAMPLER].sampler.type = is_cube ? UPP_SAMPLER_CUBE : UPP_SAMPLER_2D;
	i[1].part[UPP_SAMPLER].sampler.index = index;
	i[1].part[UPP_SAMPLER].sampler.lod_enable = lod != UTR_COMPUTED;
	i[1].part[UPP_SAMPLER].sampler.explicit_lod = lod == UTR_EXPLICIT;
	i[1].part[UPP_SAMPLER].sampler.lod = 4;
	i[1].part[UPP_SAMPLER].sampler.offset_enable = offsets;
	i[1].part[UPP_SAMPLER].sampler.offset = 5;
	i[1].form[UPP_VEC_ADD] = UPP_FORM_VEC_ADD;
	i[1].part[UPP_VEC_ADD].vec = (struct upp_vec){
		.arg0 = UPP_REG_TEXTURE, .swizzle0 = 0xe4, .swizzle1 = 0xe4, .mask = 15,
		.op = UPP_OP_ADD_MOV,
	};
	i[1].ctrl.stop = 1;
	for (n = 0; n < 2; n++) {
		i[n].ctrl.count = upp_size(i[n].ctrl.fields);
		upp_encode(&i[n], words + (n ? i[0].ctrl.count : 0));
	}
	return i[0].ctrl.count + i[1].ctrl.count;
}

/* Return: 0, or -EFAULT, or -ENOEXEC from reading the descriptors (@fault). */
static int run(enum vs_simd simd, bool is_cube, u32 lod, bool offsets, u32 index, u32 ntextures)
{
	struct vs_extent extents[] = {
		{ .lo = DESC_VA, .hi = DESC_VA + DESC_SIZE, .kva = (u8 *)descs },
		{ .lo = IMAGE_VA, .hi = IMAGE_VA + IMAGE_SIZE, .kva = image },
	};
	const struct vs_map map = { .n = ARRAY_SIZE(extents), .ext = extents };
	static const struct simt_ops ops = { .start = start, .ext = ext, .end = end };
	struct simt_launch l = { .ops = &ops, .local = { SIMT_LANES, 1, 1 },
				 .groups = { 1, 1, 1 } };
	enum simt_status r = SIMT_RUN_MORE;
	u32 words[2 * UPP_INSN_WORDS], n;
	struct upp_program program;
	struct utgard_tex *tex;
	struct simt_machine *m;
	struct vs_reject rej;
	u64 used;
	int ret;

	arena.used = 0;
	n = make_program(words, is_cube, lod, offsets, index);
	if (upp_lower(&arena, words, n, 0, 0, UPP_LOWER_FP32, &program, &rej))
		return -EINVAL;
	ret = utgard_tex_load(&map, LIST_VA, ntextures, &arena, &tex, &fault);
	bank.tex = tex;
	bank.n = ntextures;
	bank.req = simt_arena_alloc(&arena, 1, sizeof(*bank.req));
	if (ret || !bank.req)
		return ret ? ret : -ENOMEM;
	l.prog = program.prog;
	m = simt_machine_new(&arena, &map);
	ret = m ? simt_machine_launch(m, &l) : -ENOMEM;
	while (!ret && r == SIMT_RUN_MORE)
		r = simt_machine_run(m, simd, 1000, &used);
	if (!ret && r == SIMT_RUN_FAULT)
		fault = *simt_machine_fault(m);
	return ret ? ret : r == SIMT_RUN_DONE ? 0 : -EFAULT;
}

/* ---- random textures ---- */

static float rndf(float scale)
{
	return (float)((int)gen_below(&seed, 2000001) - 1000000) / 1000000 * scale;
}

static u32 *desc_of(u32 i)
{
	return descs + DESC_AT(i) / 4;
}

static u32 pick_size(bool small)
{
	static const u8 sizes[] = { 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 20, 31, 32, 33, 40, 64 };

	return sizes[gen_below(&seed, small ? 8 : ARRAY_SIZE(sizes))];
}

static void random_sampling(u32 *w)
{
	u32 i, min = gen_below(&seed, 3) ? 0 : gen_below(&seed, 40);

	utr_set(w, UTR_MIN_LOD, 8, min);
	utr_set(w, UTR_MAX_LOD, 8, gen_below(&seed, 4) ? gen_below(&seed, 7) * 16 :
				   gen_below(&seed, 256));
	utr_set(w, UTR_BIAS_AT, 9, gen_below(&seed, 3) ? 0 : gen_below(&seed, 96) - 48);
	utr_set(w, UTR_MIP, 2, gen_below(&seed, 2) ? 3 : 0);
	utr_set(w, UTR_MIN_NEAREST, 1, gen_below(&seed, 2));
	utr_set(w, UTR_MAG_NEAREST, 1, gen_below(&seed, 2));
	for (i = 0; i < 3; i++)
		utr_set(w, UTR_WRAP + 3 * i, 3, gen_below(&seed, 8));
	for (i = 0; i < 4; i++)
		utr_set(w, UTR_BORDER + 16 * i, 16, gen_random(&seed));
}

/* Addresses of levels, some without. Return: false: it does not fit. */
static bool place_levels(u32 *w, u32 dims, bool is_cube, u32 *used)
{
	u32 i, n, depth = is_cube ? 6 : dims == 2 ? utr_get(w, UTR_DEPTH, 13) : 1;

	for (i = 0; i < utr_levels(w); i++) {
		n = utr_image_bytes(w, i) * (is_cube ? 6 : max_t(u32, depth >> i, 1));
		if (!i && utr_get(w, UTR_HAS_STRIDE, 1))
			n = max_t(u32, n, utr_get(w, UTR_STRIDE, 15) * utr_get(w, UTR_HEIGHT, 13));
		*used = (*used + 63) & ~63u;
		if (*used + n > IMAGE_SIZE)
			return false;
		utr_set(w, UTR_MIPS + 26 * i, 26, (IMAGE_VA + *used) >> 6);
		if (i && !gen_below(&seed, 30))
			utr_set(w, UTR_MIPS + 26 * i, 26, 0);
		*used += n;
	}
	return true;
}

/* @cube: all textures of a test are cubes, or none is. */
static bool random_texture(u32 i, u32 format, bool is_cube, u32 *used)
{
	u32 *w = desc_of(i), dim = is_cube ? 2 : gen_below(&seed, 5) ? 1 : gen_below(&seed, 3);
	u32 width = pick_size(is_cube || dim == 2), row;

	memset(w, 0, 4 * UTX_WORDS);
	random_sampling(w);
	utr_set(w, UTR_FORMAT, 6, format);
	utr_set(w, UTR_SWAP, 1, format != 0x20 && gen_below(&seed, 2));
	utr_set(w, UTR_CUBE, 1, is_cube);
	utr_set(w, UTR_DIM, 2, dim);
	utr_set(w, UTR_UNNORM, 1, !is_cube && !gen_below(&seed, 6));
	utr_set(w, UTR_WIDTH, 13, width);
	utr_set(w, UTR_HEIGHT, 13, is_cube ? width : dim ? pick_size(dim == 2) : 1);
	utr_set(w, UTR_DEPTH, 13, dim == 2 ? pick_size(true) : 1);
	utr_set(w, UTR_LAYOUT, 2, gen_below(&seed, 2) ? 3 : 0);
	if (!utr_get(w, UTR_LAYOUT, 2) && dim == 1 && gen_below(&seed, 2)) {
		row = format == 0x20 ? (width + 3) / 4 * 8 : width * 8;
		utr_set(w, UTR_HAS_STRIDE, 1, 1);
		utr_set(w, UTR_STRIDE, 15, row + 8 * gen_below(&seed, 8));
	}
	return place_levels(w, dim, is_cube, used);
}

/* Halves that are moderate numbers, and blocks that do not overflow. */
static void random_image(u32 format, u32 used)
{
	u32 i, k;

	for (i = 0; i < used; i++)
		image[i] = (u8)(gen_random(&seed) >> 8);
	for (i = 0; i + 1 < used && format >= 0x22; i += 2)
		image[i + 1] = (u8)((image[i + 1] & 0x8f) | 0x30);
	for (i = 0; i + 8 <= used && format == 0x20; i += 8)
		for (k = 0; k < 3; k++)
			if ((image[i + k] >> 3) + (image[i + k] & 3) - (image[i + k] & 4) > 31 ||
			    (image[i + k] >> 3) + (image[i + k] & 3) < (image[i + k] & 4))
				image[i + k] &= 0xf8;
}

static void random_coords(const u32 *w, bool is_cube)
{
	float size = utr_get(w, UTR_UNNORM, 1) ? 50 : 2, spread = 0, at[3] = {};
	u32 l, i;

	for (l = 0; l < SIMT_LANES; l++) {
		if (l % 4 == 0) {
			spread = size * powf(2, -(float)gen_below(&seed, 12));
			for (i = 0; i < 3; i++)
				at[i] = rndf(is_cube ? 1 : size);
		}
		for (i = 0; i < 3; i++)
			coord[l][i] = at[i] + rndf(spread);
		coord[l][3] = rndf(6);
		offset[l] = gen_below(&seed, NDESCS);
	}
}

/* ---- comparison ---- */

/* Tolerance for the engine's binary32 results. */
static bool close_to(float a, double b)
{
	return a == (float)b || fabs(a - b) <= 1e-6 + 1e-6 * fabs(b);
}

static void print_desc(const u32 *w)
{
	u32 i;

	for (i = 0; i < UTX_WORDS; i++)
		tap_comment("%08x", w[i]);
}

static bool lanes_ok(u32 lod, bool offsets, u32 index, u32 *checked)
{
	struct utr_fetch f = { .mem = image, .va = IMAGE_VA, .size = IMAGE_SIZE, .lod = lod };
	double want[4];
	u32 l, i, k;

	for (l = 0; l < SIMT_LANES; l++) {
		f.desc = desc_of(index + (offsets ? offset[l] : 0));
		for (i = 0; i < 4; i++) {
			for (k = 0; k < 3; k++)
				f.coord[i][k] = coord[(l & ~3) + i][k];
			f.level[i] = coord[(l & ~3) + i][3];
		}
		if (utr_sample(&f, l & 3, want) < 1e-9)
			continue;
		++*checked;
		for (i = 0; i < 4; i++) {
			if (close_to(got[l][i], want[i]))
				continue;
			tap_comment("lane %u.%c is %.9g, not %.9g", l, "rgba"[i], got[l][i],
				    want[i]);
			tap_comment("at %.9g %.9g %.9g, %.9g", coord[l][0], coord[l][1],
				    coord[l][2], coord[l][3]);
			print_desc(f.desc);
			return false;
		}
	}
	return true;
}

static bool one_case(enum vs_simd simd, u32 format, bool is_cube, u32 *checked)
{
	bool offsets = !gen_below(&seed, 3);
	u32 lod = gen_below(&seed, 3), index = offsets ? 0 : gen_below(&seed, NDESCS), i;
	u32 used = 0, high = 0;
	int ret;

	memset(descs, 0, sizeof(descs));
	for (i = 0; i < NDESCS; i++) {
		descs[i] = DESC_VA + DESC_AT(i);
		while (!random_texture(i, format, is_cube, &used))
			used = 0;
		high = max_t(u32, high, used);
	}
	random_image(format, high);
	random_coords(desc_of(index), is_cube);
	ret = run(simd, is_cube, lod, offsets, index, NDESCS);
	if (!ret && lanes_ok(lod, offsets, index, checked))
		return true;
	tap_comment("%d, fault %u at 0x%llx, lod %u, offsets %u", ret, fault.kind,
		    (unsigned long long)fault.address, lod, offsets);
	return false;
}

static void test_format(enum vs_simd simd, u32 format, u32 n)
{
	u32 i, checked = 0;
	bool ok = true;

	for (i = 0; i < n && ok; i++)
		ok = one_case(simd, format, i % 4 == 3, &checked);
	tap_result(ok && checked > n * SIMT_LANES / 2, "%s: %s, %u fetches", vs_simd_name(simd),
		   utx_format_name(format), checked);
}

/* ---- rejected descriptors ---- */

static void good_texture(u32 *w)
{
	u32 used = 0;

	memset(w, 0, 4 * UTX_WORDS);
	utr_set(w, UTR_FORMAT, 6, 0x16);
	utr_set(w, UTR_DIM, 2, 1);
	utr_set(w, UTR_WIDTH, 13, 16);
	utr_set(w, UTR_HEIGHT, 13, 16);
	utr_set(w, UTR_LAYOUT, 2, 3);
	place_levels(w, 1, false, &used);
}

static void test_reject(u32 at, u32 bits, u32 value, enum utx_reason want, const char *what)
{
	static struct tx_surface s[UTX_MAX_SURFACES];
	static struct utgard_tex t;
	u32 w[UTX_WORDS], v;
	enum utx_reason why;

	good_texture(w);
	why = utx_decode(w, 0x1000, s, &t, &v);
	utr_set(w, at, bits, value);
	if (!why)
		why = utx_decode(w, 0x1000, s, &t, &v);
	tap_result(why == want, "%s: %s", what, utx_reason_text(UTX_REASON + why));
}

static void test_rejects(void)
{
	static const u8 known[] = { 0x0c, 0x0d, 0x18, 0x1f, 0x21, 0x2b, 0x2d, 0x33, 0x3f };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		test_reject(UTR_FORMAT, 6, known[i], UTX_BAD_FORMAT, "format");
	test_reject(0, 8, 0xa0, UTX_BAD_FORMAT, "exchange in blocks");
	test_reject(6, 1, 1, UTX_BAD_ORDER, "reversed components");
	for (i = 1; i < 8; i++)
		test_reject(8, 3, i, UTX_BAD_RANGE, "range");
	test_reject(UTR_DIM, 2, 3, UTX_BAD_DIM, "dimension 3");
	test_reject(UTR_CUBE, 3, 1, UTX_BAD_DIM, "cube of one dimension");
	test_reject(UTR_WIDTH, 13, 0, UTX_BAD_SIZE, "width 0");
	test_reject(UTR_HEIGHT, 13, 0, UTX_BAD_SIZE, "height 0");
	test_reject(UTR_DIM, 2, 2, UTX_BAD_SIZE, "depth 0");
	test_reject(UTR_LAYOUT, 2, 1, UTX_BAD_LAYOUT, "layout 1");
	test_reject(UTR_LAYOUT, 2, 2, UTX_BAD_LAYOUT, "layout 2");
	test_reject(UTR_HAS_STRIDE, 1, 1, UTX_BAD_LAYOUT, "stride of tiles");
	test_reject(UTR_MIP, 2, 1, UTX_BAD_FILTER, "filter 1");
	test_reject(UTR_MIP, 2, 2, UTX_BAD_FILTER, "filter 2");
	test_reject(11, 5, 16, UTX_UNKNOWN_BITS, "word 0");
	test_reject(31, 8, 1, UTX_UNKNOWN_BITS, "word 0, 1");
	test_reject(40, 1, 1, UTX_UNKNOWN_BITS, "word 1");
	test_reject(189, 16, 4, UTX_UNKNOWN_BITS, "word 5, 6");
	test_reject(207, 15, 0x4000, UTX_UNKNOWN_BITS, "word 6");
	test_reject(508, 4, 1, UTX_UNKNOWN_BITS, "word 15");
}

static void test_unmapped(void)
{
	int ret;

	memset(descs, 0, sizeof(descs));
	descs[0] = DESC_VA + DESC_AT(0);
	good_texture(desc_of(0));
	memset(coord, 0, sizeof(coord));
	ret = run(VS_SIMD_PORTABLE, false, UTR_COMPUTED, false, 0, 1);
	tap_result(!ret, "one texture");
	memset(got, 0xff, sizeof(got));
	ret = run(VS_SIMD_PORTABLE, false, UTR_COMPUTED, false, 1, 1);
	tap_result(!ret && !got[0][0] && !got[63][3], "no such texture");
	ret = run(VS_SIMD_PORTABLE, true, UTR_COMPUTED, false, 0, 1);
	tap_result(ret == -EFAULT && fault.kind == VS_FAULT_COMMAND &&
		   fault.code == UTX_REASON + UTX_BAD_KIND, "not a cube");
	utr_set(desc_of(0), UTR_MIPS, 26, 0x03000000 >> 6);
	ret = run(VS_SIMD_PORTABLE, false, UTR_COMPUTED, false, 0, 1);
	tap_result(ret == -EFAULT && fault.kind == VS_FAULT_READ && fault.address >= 0x03000000 &&
		   fault.address < 0x03000400 && fault.size == 4, "image that is not there");
	memset(desc_of(0), 0, 4 * UTX_WORDS);
	memset(got, 0xff, sizeof(got));
	ret = run(VS_SIMD_PORTABLE, true, UTR_COMPUTED, false, 0, 1);
	tap_result(!ret && !got[0][0] && !got[63][3], "descriptor of zeros");
	descs[0] = 0;
	memset(got, 0xff, sizeof(got));
	ret = run(VS_SIMD_PORTABLE, false, UTR_COMPUTED, false, 0, 1);
	tap_result(!ret && !got[0][0] && !got[63][3], "no descriptor");
	descs[0] = DESC_VA + 32;
	ret = run(VS_SIMD_PORTABLE, false, UTR_COMPUTED, false, 0, 1);
	tap_result(ret == -ENOEXEC && fault.kind == VS_FAULT_COMMAND &&
		   fault.code == UTX_REASON + UTX_MISALIGNED && fault.address == descs[0],
		   "misaligned descriptor");
	descs[0] = DESC_VA + DESC_SIZE;
	ret = run(VS_SIMD_PORTABLE, false, UTR_COMPUTED, false, 0, 1);
	tap_result(ret == -ENOEXEC && fault.kind == VS_FAULT_READ && fault.address == descs[0],
		   "descriptor that is not there");
	ret = run(VS_SIMD_PORTABLE, false, UTR_COMPUTED, false, 0, DESC_SIZE / 4 + 1);
	tap_result(ret == -ENOEXEC && fault.kind == VS_FAULT_READ &&
		   fault.address == DESC_VA + DESC_SIZE, "list that is not there");
}

/* Any words: a texture, a reason or a fault, and the same on all builds. */
static void test_random_words(u32 n)
{
	static float first[SIMT_LANES][4];
	u32 i, k, simd, accepted = 0;
	bool ok = true;
	int ret, was = 0;

	for (i = 0; i < n && ok; i++) {
		memset(descs, 0, sizeof(descs));
		descs[0] = DESC_VA + DESC_AT(0);
		good_texture(desc_of(0));
		for (k = 0; k < gen_below(&seed, 6); k++)
			utr_set(desc_of(0), gen_below(&seed, 32 * UTX_WORDS - 16),
				gen_below(&seed, 16), gen_random(&seed));
		random_coords(desc_of(0), false);
		k = gen_below(&seed, 3);
		for (simd = 0; simd < VS_NUM_SIMD; simd++) {
			if (!(vs_simd_mask() & BIT(simd)))
				continue;
			memset(got, 0, sizeof(got));
			ret = run((enum vs_simd)simd, utr_get(desc_of(0), UTR_CUBE, 1), k, false,
				  0, 1);
			if (simd && (ret != was || memcmp(first, got, sizeof(got))))
				ok = false;
			was = ret;
			memcpy(first, got, sizeof(got));
		}
		accepted += !was;
	}
	tap_result(ok && accepted, "random descriptors: %u of %u are textures", accepted, i);
}

int main(int argc, char **argv)
{
	u32 simd, i, n = 40;

	for (i = 1; i < (u32)argc; i++) {
		if (!strcmp(argv[i], "--long"))
			n = 1000;
		else if (!strcmp(argv[i], "--seed") && i + 1 < (u32)argc)
			seed = strtoull(argv[++i], NULL, 0);
	}
	image = malloc(IMAGE_SIZE);
	arena.base = aligned_alloc(64, ARENA);
	arena.size = ARENA;
	if (!image || !arena.base)
		return TAP_EXIT_FAIL;
	tap_comment("seed %llu", (unsigned long long)seed);
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		for (i = 0; i < ARRAY_SIZE(formats) && vs_simd_mask() & BIT(simd); i++)
			test_format((enum vs_simd)simd, formats[i], n);
	test_rejects();
	test_unmapped();
	test_random_words(10 * n);
	return tap_done();
}
