// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes, images, typed accesses and textures in programs built from their micro-ops:
 * operands, results, faults.
 */
#include <math.h>

#include "../include/simt_prog.h"
#include "ext.h"

/* ---- attributes ---- */

static void fill_words(u32 at, u32 n, u32 first)
{
	u32 i, v;

	for (i = 0; i < n; i++) {
		v = first + i;
		memcpy(fx.mem + at + 4 * i, &v, 4);
	}
}

/* Every kind of buffer: which element a vertex of an instance gets. */
static void test_elements(void)
{
	u32 k, l, bad, want;

	for (k = 0; k < 5; k++) {
		fx_new();
		memset(bufs, 0, sizeof(bufs));
		set_attr(1, R32UI, 4);
		bufs[1] = (struct mali_attr_buf){ .va = MEM_VA, .size = 4 * 500, .stride = 8 };
		fx.run->w.instance_size = 20;
		fx.run->w.offset_start = 3;
		fill_words(0, 2000, 1000);
		bufs[1].type = k == 4 ? MALI_BUF_1D : MALI_BUF_1D + k;
		attrs[1].offset_enable = k == 4;
		bufs[1].r = 2;
		bufs[1].p = 2;	/* 5 << 2 */
		/* a division by three */
		bufs[1].magic = 0xaaaaaaab;
		if (bufs[1].type == MALI_BUF_NPOT_DIVISOR)
			bufs[1].r = 1;
		bind_attrs(&fx.run->w.attrs);
		for (l = 0; l < LANES; l++) {
			fx.slot[IN][l] = l % 20;
			fx.slot[IN + 1][l] = l / 20;
		}
		fill(IN + 2, 1);
		CHECK(ext(MALI_EXT_IMM(MX_LD_ATTR, 1, MALI_REG_U32)));
		for (bad = 0, l = 0; l < LANES; l++) {
			want = l;
			if (bufs[1].type == MALI_BUF_POT_DIVISOR)
				want = l / 4;
			else if (bufs[1].type == MALI_BUF_MODULUS)
				want = l % 20;
			else if (bufs[1].type == MALI_BUF_NPOT_DIVISOR)
				want = l / 3;
			if (k == 4)
				want += 3;
			bad += fx.slot[OUT][l] != 1000 + 2 * want + 1;
		}
		tap_result(!bad, "elements of buffer type %u", bufs[1].type);
	}
}

static void test_attr_edges(void)
{
	u32 l, bad = 0;

	fx_new();
	memset(bufs, 0, sizeof(bufs));
	set_attr(0, RGBA8, 0);
	bufs[0] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA, .size = 40,
					  .stride = 4 };
	memset(fx.mem, 0xff, 4096);
	bind_attrs(&fx.run->w.attrs);
	for (l = 0; l < LANES; l++)
		fx.slot[IN][l] = l * l;
	CHECK(ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F32)));
	for (l = 0; l < LANES; l++)
		bad += fx.slot[OUT + 3][l] != (l * l < 10 ? 0x3f800000 : 0);
	tap_result(!bad, "outside of an attribute buffer are zeros");
	/* nothing bound, and no such attribute */
	fill(IN + 2, 1);
	attrs[1].va = 0;
	CHECK(ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F32)) && !fx.slot[OUT + 3][5]);
	fill(IN + 2, 4);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F32)) && refused(MALI_RUN_BAD_INDEX));
	fill(IN + 2, 0);
	attrs[0].bad = MALI_BAD_FORMAT;
	attrs[0].bad_value = 0x60 << 12;
	CHECK(!ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F32)) && refused(MALI_BAD_FORMAT) &&
	      fx.fault.address == attrs[0].va && fx.fault.info == 0x60 << 12);
	attrs[0].bad = 0;
	/* within the buffer's size, but not mapped */
	bufs[0].va = MEM_VA + MEM_SIZE - 8;
	CHECK(!ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F32)) && fx.fault.kind == VS_FAULT_READ &&
	      fx.fault.address == MEM_VA + MEM_SIZE + 8 && fx.fault.invocation == 2);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F64)) && refused(MALI_RUN_BAD_FORMAT));
	CHECK(!ext(MALI_EXT_IMM(MX_NUM, 4, 0)) && refused(MALI_RUN_BAD_STAGE));
	CHECK(!ext(MALI_EXT_IMM(MX_LD_VAR, 4, MALI_REG_F32)) && refused(MALI_RUN_BAD_STAGE));
}

static u32 below(u32 n)
{
	return (u32)rand() % n;
}

/* An attribute of vertices that mostly count up; some elements are outside of buffer or memory. */
static void random_attr(bool store)
{
	static const u32 formats[] = { RGBA32F, R32F, R32UI, 183 << 12, 175 << 12, 157 << 12,
				       RGBA8, RG16F };
	static const u8 types[] = { MALI_BUF_1D, MALI_BUF_1D, MALI_BUF_MODULUS,
				    MALI_BUF_POT_DIVISOR };
	u32 l, first = below(3) ? below(40) : -below(80), instance = below(8);
	struct mali_attr_table *t = store ? &fx.run->w.varyings : &fx.run->w.attrs;

	memset(bufs, 0, sizeof(bufs));
	set_attr(1, formats[below(ARRAY_SIZE(formats))], 4 * below(5));
	attrs[1].offset_enable = below(2);
	bufs[1] = (struct mali_attr_buf){
		.type = types[below(ARRAY_SIZE(types))],
		.va = MEM_VA + 64 * below(4) + (below(8) ? 0 : MEM_SIZE - 1024),
		.stride = below(4) ? 4 * below(9) : below(40), .r = below(4),
		.p = below(2) ? 15 : below(8), .size = below(4) ? 4096 : below(2560),
	};
	bind_attrs(t);
	fx.run->w.instance_size = below(100);
	fx.run->w.offset_start = below(4);
	for (l = 0; l < LANES; l++) {
		fx.slot[IN][l] = first + l;
		fx.slot[IN + 1][l] = instance;
	}
	if (!below(4))
		fx.slot[IN + below(2)][below(LANES)]++;
	fx.threads = below(2) ? LANES : 1 + below(LANES);
	fx.helper = below(3) ? 0 : (u64)rand() << 31 ^ (u64)rand();
	for (l = 0; l < 4096; l++)
		fx.mem[l] = (u8)rand();
	memcpy(fx.mem + MEM_SIZE - 4096, fx.mem, 4096);
	for (l = 0; l < 4 * LANES; l++)
		fx.slot[IN + 4 + l / LANES][l % LANES] = (u32)rand();
}

/* Execute @imm; with @store also a store to the addresses that it finds. */
static bool run_attr(u32 imm, bool store, enum vs_simd simd)
{
	const struct simt_uop u[2] = {
		{ .op = SIMT_EXT, .d = OUT, .d2 = IN + 4, .s = { IN, IN + 1, FX_ONE }, .n = 4,
		  .imm = imm },
		{ .op = SIMT_EXT, .d = IN + 4, .d2 = IN + 8, .s = { OUT, OUT + 1, OUT + 2 }, .n = 4,
		  .imm = MALI_EXT_IMM(MX_ST_CVT, MALI_EXT_COMPS(imm), MALI_REG_AUTO) },
	};

	return fx_run(u, store ? 2 : 1, simd);
}

struct outcome {
	u8 mem[MEM_SIZE];
	u32 slot[NSLOTS][LANES];
	struct vs_fault fault;
	bool ok;
};

static bool outcomes_differ(const struct outcome *a, const struct outcome *b)
{
	u32 i, l;

	if (a->ok != b->ok || memcmp(&a->fault, &b->fault, sizeof(a->fault)))
		return true;
	for (i = OUT; a->ok && i < OUT + 4; i++)
		for (l = 0; l < fx.threads; l++)
			if (a->slot[i][l] != b->slot[i][l])
				return true;
	return memcmp(a->mem, b->mem, sizeof(a->mem));
}

/* Elements of all lanes at once are those of the lanes one by one, as a debugger has them. */
static void test_rows(enum vs_simd simd)
{
	static struct outcome from, to[2];
	u32 i, k, imm, n = 600, bad = 0, good = 0;

	for (i = 0; i < n; i++) {
		fx_new();
		random_attr(i & 1);
		memcpy(from.mem, fx.mem, sizeof(from.mem));
		memcpy(from.slot, fx.slot, sizeof(from.slot));
		imm = MALI_EXT_IMM(i & 1 ? MX_LEA_ATTR : MX_LD_ATTR, 1 + below(4),
				   below(4) ? MALI_REG_F32 : below(6));
		imm |= i & 1 ? MALI_EXT_VARYING : 0;
		for (k = 0; k < 2; k++) {
			memcpy(fx.mem, from.mem, sizeof(from.mem));
			memcpy(fx.slot, from.slot, sizeof(from.slot));
			fx.run->w.dbg = k ? NULL : (struct vs_debug *)&fx;
			to[k].ok = run_attr(imm, i & 1, simd);
			memcpy(to[k].mem, fx.mem, sizeof(from.mem));
			memcpy(to[k].slot, fx.slot, sizeof(from.slot));
			to[k].fault = fx.fault;
		}
		bad += outcomes_differ(&to[0], &to[1]);
		good += to[1].ok;
	}
	tap_result(!bad && good > n / 2, "%s: %u attributes, varyings, %u faults (%u wrong)",
		   vs_simd_name(simd), n, n - good, bad);
}

/* Addresses of varyings, stores and loads there; helpers store nothing. */
static void test_typed(void)
{
	u32 l, bad = 0, v;
	u16 h[2];

	fx_new();
	set_attr(2, RG16F, 8);
	bufs[2] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA, .size = 4096,
					  .stride = 16 };
	bind_attrs(&fx.run->w.varyings);
	for (l = 0; l < LANES; l++)
		fx.slot[IN][l] = l;
	fill(IN + 2, 2);
	CHECK(ext(MALI_EXT_IMM(MX_LEA_ATTR, 0, MALI_REG_F32) | MALI_EXT_VARYING));
	for (l = 0; l < LANES; l++)
		bad += fx.slot[OUT][l] != MEM_VA + 8 + 16 * l || fx.slot[OUT + 1][l] ||
		       fx.slot[OUT + 2][l] != (RG16F | MALI_REG_F32 << 24);
	tap_result(!bad, "addresses of varyings");
	memcpy(fx.slot[IN], fx.slot[OUT], 3 * sizeof(fx.slot[0]));
	for (l = 0; l < LANES; l++) {
		fx.slot[OUT][l] = f32(l);
		fx.slot[OUT + 1][l] = f32(-0.5 * l);
	}
	fx.helper = 0xf0;
	CHECK(ext(MALI_EXT_IMM(MX_ST_CVT, 2, MALI_REG_AUTO)));
	for (bad = 0, l = 0; l < LANES; l++) {
		memcpy(h, fx.mem + 8 + 16 * l, 4);
		v = l >= 4 && l < 8 ? 0 : f32(-0.5 * l);
		bad += vs_f16_to_f32(h[1]) != v && !(v == 0x80000000 && !(h[1] & 0x7fff));
	}
	tap_result(!bad, "typed stores, not of helpers");
	fx.helper = 0;
	CHECK(ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) &&
	      fx.slot[OUT][9] == f32(9) && fx.slot[OUT + 1][9] == f32(-4.5) && !fx.slot[OUT][5]);
	/* accesses at address 0 are ignored; others must be mapped */
	fill(IN, 0);
	CHECK(ext(MALI_EXT_IMM(MX_ST_CVT, 2, MALI_REG_AUTO)));
	CHECK(ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) && !fx.slot[OUT][1]);
	fill(IN, 64);
	CHECK(!ext(MALI_EXT_IMM(MX_ST_CVT, 2, MALI_REG_AUTO)) &&
	      fx.fault.kind == VS_FAULT_WRITE && fx.fault.address == 64);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) && fx.fault.kind == VS_FAULT_READ);
	fill(IN + 2, 0x3fffff);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) && refused(MALI_RUN_BAD_FORMAT));
	CHECK(!ext(MALI_EXT_IMM(MX_ST_CVT, 2, MALI_REG_AUTO)) && refused(MALI_RUN_BAD_FORMAT));
	/* constants are not stored */
	fill(IN + 2, 0x5f << 12);
	CHECK(ext(MALI_EXT_IMM(MX_ST_CVT, 2, MALI_REG_AUTO)));
}

static void test_images(void)
{
	u32 k, l, x, y, at, bad, v;

	for (k = 0; k < 2; k++) {
		fx_new();
		set_attr(3, RGBA8UI, 0);
		bufs[3] = (struct mali_attr_buf){
			.type = k ? MALI_BUF_3D_INTERLEAVED : MALI_BUF_3D_LINEAR, .va = MEM_VA,
			.stride = 4, .dim = { 20, 18, 2 }, .row_stride = k ? 4 * 512 : 4 * 20,
			.slice_stride = 0x4000,
		};
		for (y = 0; y < 18; y++) {
			for (x = 0; x < 20; x++) {
				at = k ? (y >> 4) * 2048 + ((x >> 4) * 256 +
				     px_tile_index(x, y)) * 4 : y * 80 + x * 4;
				v = x | y << 8 | 7 << 16;
				memcpy(fx.mem + 0x4000 + at, &v, 4);
			}
		}
		bind_attrs(&fx.run->w.attrs);
		for (l = 0; l < LANES; l++)
			fx.slot[IN][l] = (l % 24) | (l / 3) << 16;
		fill(IN + 1, 1);
		fill(IN + 2, 3);
		CHECK(ext(MALI_EXT_IMM(MX_LD_IMG, 4, MALI_REG_U32)));
		for (bad = 0, l = 0; l < LANES; l++) {
			bool in = l % 24 < 20 && l / 3 < 18;

			bad += fx.slot[OUT][l] != (in ? l % 24 : 0) ||
			       fx.slot[OUT + 1][l] != (in ? l / 3 : 0) ||
			       fx.slot[OUT + 2][l] != (in ? 7 : 0);
		}
		tap_result(!bad, "texels of an image, %s", k ? "interleaved" : "linear");
		CHECK(ext(MALI_EXT_IMM(MX_LEA_IMG, 0, MALI_REG_AUTO)) && !fx.slot[OUT][21] &&
		      fx.slot[OUT][0] == MEM_VA + 0x4000 &&
		      fx.slot[OUT + 2][0] == (RGBA8UI | 1 << 22));
		fill(IN + 1, 2);
		CHECK(ext(MALI_EXT_IMM(MX_LD_IMG, 4, MALI_REG_U32)) && !fx.slot[OUT + 2][0]);
		bufs[3].type = MALI_BUF_1D;
		CHECK(!ext(MALI_EXT_IMM(MX_LD_IMG, 4, MALI_REG_U32)) &&
		      refused(MALI_RUN_BAD_IMAGE));
	}
}

/* ---- textures ---- */

#define DESC(op, dim, lod, flags, texture) \
	(1 << 11 | (texture) << 4 | (op) << 12 | (flags) << 15 | (dim) << 18 | (lod) << 20 | \
	 14 << 24 | 15U << 28)
#define OFFSETS	1
#define SHADOW	2
#define ARRAY	4

/* Lanes whose result is not x, y, @z, @w of the 8 x 8 texels they ask for. */
static u32 wrong(u32 shift, u32 z, u32 w)
{
	u32 l, bad = 0;

	for (l = 0; l < LANES; l++)
		bad += rgba(l) != ((l % 8) >> shift | (l / 8) >> shift << 8 | z << 16 | w << 24);
	return bad;
}

static void grid(bool integer, u32 shift)
{
	u32 l;

	for (l = 0; l < LANES; l++) {
		u32 x = l % 8 >> shift, y = l / 8 >> shift;

		fx.slot[IN][l] = integer ? x : f32((l % 8 + 0.5) / 8);
		fx.slot[IN + 1][l] = integer ? y : f32((l / 8 + 0.5) / 8);
	}
}

static bool texc(u32 desc)
{
	fill(IN + 2, desc);
	return ext(MALI_EXT_IMM(MX_TEXC, 0, 0));
}

/* The fault of a descriptor that is wrong names its address and the value. */
static void test_bad_descriptors(void)
{
	struct tx_texture bad_tex[1];
	struct tx_sampler bad_samp[1];

	tex_new();
	bad_tex[0] = fx.run->w.textures[0];
	bad_tex[0].va = 0x1240;
	bad_tex[0].bad = MALI_BAD_FORMAT;
	bad_tex[0].bad_value = 76;
	fx.run->w.textures = bad_tex;
	fx.run->w.ntextures = 1;
	grid(true, 0);
	fill(IN + 4, 0);
	CHECK(!texc(DESC(6, 2, 1, 0, 0)) && refused(MALI_BAD_FORMAT) &&
	      fx.fault.address == 0x1240 && fx.fault.info == 76);
	tex_new();
	bad_samp[0] = fx.run->w.samplers[0];
	bad_samp[0].va = 0x1280;
	bad_samp[0].bad = MALI_BAD_WRAP;
	bad_samp[0].bad_value = 7;
	fx.run->w.samplers = bad_samp;
	grid(false, 0);
	CHECK(!texc(DESC(7, 2, 6, 0, 0)) && refused(MALI_BAD_WRAP) &&
	      fx.fault.address == 0x1280 && fx.fault.info == 7);
}

static void test_fetch(void)
{
	tex_new();
	grid(true, 0);
	fill(IN + 4, 0);
	CHECK(texc(DESC(6, 2, 1, 0, 0)) && !wrong(0, 0, 0));
	grid(true, 1);
	fill(IN + 4, 1 << 8);
	CHECK(texc(DESC(6, 2, 1, 0, 0)) && !wrong(1, 1, 0));
	/* operands: level, layer */
	grid(true, 0);
	fill(IN + 4, 0);
	fill(IN + 5, 2);
	CHECK(texc(DESC(6, 2, 1, ARRAY, 1)) && !wrong(0, 2 << 4, 0));
	/* z, level */
	fill(IN + 4, 3);
	fill(IN + 5, 0);
	CHECK(texc(DESC(6, 3, 1, 0, 2)) && !wrong(0, 3 << 4, 0));
	/* level, layer, offsets and sample: one to the right is outside in the last column */
	fill(IN + 4, 0);
	fill(IN + 5, 1);
	fill(IN + 6, 0xff | 0 << 8);
	CHECK(texc(DESC(6, 2, 1, ARRAY | OFFSETS, 1)) && !rgba(0) && rgba(1) == 1 << 20 &&
	      rgba(15) == (6 | 1 << 8 | 1 << 20));
	fill(IN + 6, 1 << 24);
	CHECK(texc(DESC(6, 2, 1, ARRAY | OFFSETS, 1)) && !rgba(9));
	/* layers and levels that are not there */
	fill(IN + 5, 3);
	CHECK(texc(DESC(6, 2, 1, ARRAY, 1)) && !rgba(9));
	fill(IN + 4, 3 << 8);
	CHECK(texc(DESC(6, 2, 1, 0, 0)) && !rgba(9));
	/* several samples */
	set_texture(0, TX_DIM_2D, 1, 4);
	fill(IN + 4, 0);
	fill(IN + 5, 2 << 24);
	CHECK(texc(DESC(6, 2, 1, OFFSETS, 0)) && !wrong(0, 0, 2 << 4));
}

/* Components have their places in the result; the others keep what they had. */
static void test_masks(void)
{
	u32 d = DESC(6, 2, 1, 0, 0) & ~(15U << 28), i, mask;

	tex_new();
	grid(true, 0);
	for (mask = 0; mask < 16; mask++) {
		u32 bad = 0;

		fill(IN + 4, 0);
		for (i = 0; i < 4; i++)
			fill(OUT + i, 0xabcd0000 | i);
		bad += !texc(d | mask << 28);
		for (i = 0; i < 4; i++) {
			u32 want = i == 0 ? 9 % 8 : i == 1 ? 9 / 8 : 0;

			bad += fx.slot[OUT + i][9] != (mask >> i & 1 ? want : 0xabcd0000 | i);
		}
		tap_result(!bad, "components of mask 0x%x", mask);
	}
	/* halves of words */
	d = (d & ~(15U << 24)) | 12 << 24;
	fill(OUT, 0xabcd5678);
	fill(OUT + 1, 0xabcd5678);
	CHECK(texc(d | 2U << 28) && fx.slot[OUT][17] == (17 / 8 << 16 | 0x5678) &&
	      fx.slot[OUT + 1][17] == 0xabcd5678);
	fill(OUT, 0xabcd5678);
	CHECK(texc(d | 5U << 28) && fx.slot[OUT][17] == (0xabcd0000 | 17 % 8) &&
	      fx.slot[OUT + 1][17] == 0xabcd0000);
}

static void test_sample(void)
{
	u32 l, bad;

	tex_new();
	grid(false, 0);
	CHECK(texc(DESC(7, 2, 6, 0, 0)) && !wrong(0, 0, 0));
	/* each pixel two texels on: level 1; quads are of lanes, not of rows */
	for (l = 0; l < LANES; l++) {
		fx.slot[IN][l] = f32(((l & 1) * 2 + 0.5) / 8);
		fx.slot[IN + 1][l] = f32(((l >> 1 & 1) * 2 + 0.5) / 8);
	}
	CHECK(texc(DESC(7, 2, 7, 0, 0)) && rgba(0) == 1 << 16 &&
	      rgba(3) == (1 | 1 << 8 | 1 << 16));
	fill(IN + 4, 0xff00);	/* bias -1 */
	CHECK(texc(DESC(7, 2, 5, 0, 0)) && rgba(3) == (2 | 2 << 8));
	fill(IN + 4, 0x200);	/* explicit */
	CHECK(texc(DESC(7, 2, 4, 0, 0)) && rgba(3) == 2 << 16);
	/* gradient descriptors: the upper half is private */
	fill(IN + 4, 0x200 | 0x5a << 16);
	CHECK(texc(DESC(7, 2, 3, 0, 0)) && rgba(3) == 2 << 16);
	/* bias and a lower bound of the LOD */
	fill(IN + 4, 0xff00 | 0x80 << 16);
	CHECK(texc(DESC(7, 2, 5, 0, 0)) && rgba(3) == (1 | 1 << 8 | 1 << 16));
	fill(IN + 4, 0xff00 | 0x200 << 16);
	CHECK(texc(DESC(7, 2, 5, 0, 0)) && rgba(3) == 2 << 16);
	/* 3D: z comes first */
	grid(false, 0);
	fill(IN + 4, f32(0.7));
	CHECK(texc(DESC(7, 3, 6, 0, 2)) && !wrong(0, 2 << 4, 0));
	/* layer, then offsets */
	fill(IN + 4, 2);
	fill(IN + 5, 1 << 8);
	CHECK(texc(DESC(7, 2, 6, ARRAY | OFFSETS, 1)) && rgba(0) == (1 << 8 | 2 << 20) &&
	      rgba(63) == (7 | 7 << 8 | 2 << 20));
	/* cubes: the face is in the upper bits of S */
	for (l = 0; l < LANES; l++)
		fx.slot[IN][l] = (fx.slot[IN][l] & 0x1fffffff) | (l % 6) << 29;
	CHECK(texc(DESC(7, 0, 6, 0, 3)));
	for (bad = 0, l = 0; l < LANES; l++)
		bad += rgba(l) != ((l % 8) | l / 8 << 8 | (l % 6) << 24);
	tap_result(!bad, "faces of a cube");
}

/* Indices from registers, in each of the ways; different ones side by side. */
static void test_indices(void)
{
	u32 l, d = DESC(7, 2, 6, ARRAY, 1), bad = 0;

	tex_new();
	grid(false, 0);
	fill(IN + 4, 2);
	d &= ~(1U << 11 | 15);
	CHECK(texc(d | 3 << 2 | 0) && !wrong(0, 2 << 4, 0));	/* one index for both */
	fill(IN + 5, 1);
	CHECK(texc(d | 3 << 2 | 1) && !wrong(0, 2 << 4, 0));	/* the texture's here */
	fill(IN + 5, 0);
	CHECK(texc(d | 3 << 2 | 2) && !wrong(0, 2 << 4, 0));	/* the sampler's here */
	fill(IN + 5, 2);
	CHECK(!texc(d | 3 << 2 | 2) && refused(MALI_RUN_BAD_INDEX));
	for (l = 0; l < LANES; l++) {
		fx.slot[IN + 5][l] = l & 1;	/* sampler */
		fx.slot[IN + 6][l] = l < 20 ? 1 : 0;
	}
	fill(IN + 4, 0);
	CHECK(texc(d | 3 << 2 | 3) && !wrong(0, 0, 0));
	fill(IN + 4, 2);
	CHECK(texc(d | 3 << 2 | 3));
	for (l = 0; l < LANES; l++)
		bad += rgba(l) != ((l % 8) | l / 8 << 8 | (l < 20 ? 2 << 20 : 0));
	/* the layer is clamped or there is none: either texture 0 has its layer, or zeros */
	tap_result(rgba(5) == (5 | 2 << 20) && bad <= LANES - 20, "textures of lanes");
	fill(IN + 6, 4);
	CHECK(!texc(d | 3 << 2 | 3) && refused(MALI_RUN_BAD_INDEX));
	tex[0].va = 0;
	CHECK(texc(DESC(7, 2, 6, 0, 0)) && !rgba(9));
}

static void test_gather(void)
{
	u32 l, k;

	tex_new();
	/* between texels 2 and 3, 4 and 5 */
	for (l = 0; l < LANES; l++) {
		fx.slot[IN][l] = f32(3.0 / 8);
		fx.slot[IN + 1][l] = f32(5.0 / 8);
	}
	fill(IN + 4, 0);
	for (k = 0; k < 2; k++)
		CHECK(texc(DESC(6, 2, 4 + k, 0, 0)) &&
		      rgba(7) == (k ? 0x05050404U : 0x03020302U));
	fill(IN + 5, 1 | 1 << 8);
	CHECK(texc(DESC(6, 2, 4, OFFSETS, 0)) && rgba(7) == 0x04030403);
	CHECK(!texc(DESC(6, 2, 2, 0, 0)) && refused(MALI_RUN_BAD_TEXOP));
	CHECK(!texc(DESC(6, 2, 0, 0, 0)) && refused(MALI_RUN_BAD_TEXOP));
}

/* Reference, then layer: the texel must be less than the reference. */
static void test_shadow(void)
{
	u32 i, v;

	tex_new();
	if (!mali_format_decode(MALI_V7, R32F, &tex[1].format))
		abort();
	for (i = 0; i < 3 * 84; i++) {
		v = f32(i / 84 * 0.25);
		memcpy(fx.mem + 0x8000 + 0x2000 + 4 * i, &v, 4);
	}
	grid(false, 0);
	fill(IN + 4, f32(0.3));
	fill(IN + 5, 2);
	CHECK(texc((DESC(7, 2, 6, SHADOW | ARRAY, 1) & ~(15 << 24)) | 4 << 24) &&
	      !fx.slot[OUT][11]);
	fill(IN + 5, 1);
	CHECK(texc((DESC(7, 2, 6, SHADOW | ARRAY, 1) & ~(15 << 24)) | 4 << 24) &&
	      fx.slot[OUT][11] == f32(1));
}

#define AS_F32(d)	(((d) & ~(15U << 24)) | 4U << 24)

/* S of a face of a cube. */
static u32 on_face(u32 face, double s)
{
	return (f32(s) & 0x1fffffff) | face << 29;
}

/* Texels of cube @i: a number for each layer and face. */
static void number_faces(u32 i, u32 layers)
{
	u32 n, v;

	set_texture(i, TX_DIM_CUBE, layers, 1);
	if (!mali_format_decode(MALI_V7, R32F, &tex[i].format))
		abort();
	for (n = 0; n < layers * 6 * 84; n++) {
		v = f32(n / 84 / 16.0);
		memcpy(fx.mem + 0x8000 + 0x2000 * i + 4 * n, &v, 4);
	}
}

/* Combinations of cubes, arrays, comparisons and gathers. */
static void test_together(void)
{
	u32 l, face, layer, bad = 0;
	double is;

	for (layer = 0; layer < 2; layer++) {
		for (face = 0; face < 6; face++) {
			is = (6 * layer + face) / 16.0;
			tex_new();
			number_faces(3, 2);
			fill(IN, on_face(face, 0.4));
			fill(IN + 1, f32(0.6));
			/* layer */
			fill(IN + 4, layer);
			bad += !texc(AS_F32(DESC(7, 0, 6, ARRAY, 3))) ||
			       fx.slot[OUT][20] != f32(is);
			/* reference, layer */
			fill(IN + 4, f32(is + 0.01));
			fill(IN + 5, layer);
			bad += !texc(AS_F32(DESC(7, 0, 6, SHADOW | ARRAY, 3))) ||
			       fx.slot[OUT][20] != f32(1);
			fill(IN + 4, f32(is - 0.01));
			bad += !texc(AS_F32(DESC(7, 0, 6, SHADOW | ARRAY, 3))) ||
			       fx.slot[OUT][20];
			/* level, reference, layer: four comparisons */
			fill(IN + 4, 0);
			fill(IN + 5, f32(is + 0.01));
			fill(IN + 6, layer);
			bad += !texc(AS_F32(DESC(6, 0, 4, SHADOW | ARRAY, 3)));
			for (l = 0; l < 4; l++)
				bad += fx.slot[OUT + l][33] != f32(1);
		}
	}
	tap_result(!bad, "arrays of cubes: comparisons and gathers, %u wrong", bad);
	/* LOD, then reference: levels of a cube, explicit and biased */
	tex_new();
	number_faces(3, 1);
	fill(IN, on_face(2, 0.5));
	fill(IN + 1, f32(0.5));
	fill(IN + 4, 0x100);
	fill(IN + 5, f32(0.2));
	CHECK(texc(AS_F32(DESC(7, 0, 4, SHADOW, 3))) && fx.slot[OUT][5] == f32(1));
	CHECK(texc(AS_F32(DESC(7, 0, 5, SHADOW, 3))) && fx.slot[OUT][5] == f32(1));
	/* unsupported: gathers of volumes, gradients of cube coordinates */
	tex_new();
	fill(IN + 4, 0);
	CHECK(!texc(DESC(6, 3, 4, 0, 2)) && refused(MALI_RUN_BAD_FORMAT));
	CHECK(!texc(DESC(4, 0, 0, 0, 3)) && refused(MALI_RUN_BAD_TEXOP));
	/* integers are not compared */
	CHECK(!texc(DESC(7, 2, 6, SHADOW, 0)) && refused(MALI_RUN_BAD_FORMAT));
}

/* Result formats, clamps, masks. */
static void test_results(void)
{
	u32 d = DESC(6, 2, 1, 0, 0) & 0xf0ffffff, i, v = 0;

	tex_new();
	if (!mali_format_decode(MALI_V7, R32F, &tex[0].format))
		abort();
	tex[0].swizzle[1] = 0;
	for (i = 0; i < 64; i++) {
		v = f32(i % 2 ? -3.5 : 2.5);
		memcpy(fx.mem + 0x8000 + 4 * i, &v, 4);
	}
	grid(true, 0);
	CHECK(texc(d | 4 << 24) && fx.slot[OUT][0] == f32(2.5) && fx.slot[OUT][1] == f32(-3.5));
	CHECK(texc(d | 5 << 24) && fx.slot[OUT][0] == f32(2.5) && !fx.slot[OUT][1]);
	CHECK(texc(d | 6 << 24) && fx.slot[OUT][0] == f32(1) && fx.slot[OUT][1] == f32(-1));
	CHECK(texc(d | 7 << 24) && fx.slot[OUT][0] == f32(1) && !fx.slot[OUT][1]);
	CHECK(texc(d | 0 << 24) && fx.slot[OUT][0] == 0x41004100 && fx.slot[OUT][1] == 0xc300c300);
	CHECK(texc(d | 15 << 24) && fx.slot[OUT][0] == 2 && fx.slot[OUT][1] == (u32)-3);
	CHECK(texc(d | 14 << 24) && fx.slot[OUT][0] == 2 && !fx.slot[OUT][1]);
	CHECK(!texc(d | 8 << 24) && refused(MALI_RUN_BAD_TEXOP));
	CHECK(!texc(d | 4 << 24 | 1 << 23) && refused(MALI_RUN_BAD_TEXOP));
	/* the second and the fourth component */
	CHECK(texc((d & 0xfffffff) | 4 << 24 | 10U << 28) && fx.slot[OUT + 1][0] == f32(2.5) &&
	      fx.slot[OUT + 3][0] == f32(1));
	CHECK(texc((d & 0xfffffff) | 4 << 24));
}

static void test_gradients(void)
{
	u32 d = (1 << 11 | 4 << 12 | 3 << 15 | 2 << 18 | 4 << 24 | 15U << 28);

	tex_new();
	samp[0].mip = TX_MIP_TRILINEAR;
	/* integers would have no levels in between */
	if (!mali_format_decode(MALI_V7, RGBA8, &tex[0].format))
		abort();
	/* x differences: four texels; y differences none */
	fill(IN, f32(4.0 / 8));
	fill(IN + 1, 0);
	fill(IN + 4, 0);
	fill(IN + 5, 0);
	CHECK(texc(d) && fx.slot[OUT][3] == 0x200);
	fill(IN, f32(3.0 / 8));
	fill(IN + 5, f32(0.5 / 8));
	CHECK(texc(d) && abs((int)fx.slot[OUT][3] - (int)(log2(3) * 256)) <= 1);
	/* implicit: two texels from the third lane to the first; clamped and not */
	grid(false, 0);
	CHECK(texc((d & ~(7 << 12)) | 5 << 12) && fx.slot[OUT][0] == 0x100);
	tex[0].max_lod = 0x40;
	CHECK(texc((d & ~(7 << 12)) | 5 << 12) && fx.slot[OUT][0] == 0x100);
	CHECK(texc((d & ~(7 << 12 | 2 << 15)) | 5 << 12) && fx.slot[OUT][0] == 0x40);
	CHECK(!texc(d & ~(3U << 18)) && refused(MALI_RUN_BAD_TEXOP));
}

static void test_dual(void)
{
	/* the second component of texture 1 to OUT + 1, the first of texture 0 to OUT + 2 */
	u32 d = 0 | 1 << 2 | 1 << 4 | 0 << 6 | 0 << 8 | (OUT + 2) << 12 | 4 << 18 | 1 << 21 |
		4 << 25 | 2U << 28, l, bad = 0;

	tex_new();
	grid(false, 0);
	samp[0].max_lod = 0;
	CHECK(texc(d));
	for (l = 0; l < LANES; l++)
		bad += fx.slot[OUT + 1][l] != f32(l / 8) || fx.slot[OUT + 2][l] != f32(l % 8);
	tap_result(!bad, "two textures at once");
	CHECK(!texc(d | 1 << 10) && refused(MALI_RUN_BAD_TEXOP));
}

static void test_texs(void)
{
	u32 l, imm = MALI_EXT_IMM(MX_TEXS, 4, MALI_REG_U32) | 3 << 16 | 1 << 20;

	tex_new();
	grid(false, 0);
	for (l = 0; l < LANES; l++)
		fx.slot[IN + 2][l] = (l % 6) << 29;
	CHECK(ext(imm | MALI_EXT_CUBE | MALI_EXT_LOD0) && rgba(10) == (2 | 1 << 8 | 4 << 24));
	imm &= ~(15 << 16);
	CHECK(ext(imm | MALI_EXT_LOD0) && !wrong(0, 0, 0));
	CHECK(!ext(imm | 5 << 16) && refused(MALI_RUN_BAD_INDEX));
	surfaces[0][0].va = 0x5000;
	CHECK(!ext(imm | MALI_EXT_LOD0) && fx.fault.kind == VS_FAULT_READ &&
	      fx.fault.address == 0x5000);
}

/* Asked twice: the second time is later, and all lanes have the same. */
static void test_clock(void)
{
	const struct simt_uop u[2] = {
		{ .op = SIMT_EXT, .d = OUT, .d2 = IN, .s = { IN, IN, IN, IN }, .n = 2,
		  .imm = MALI_EXT_IMM(MX_CLOCK, 0, 0) },
		{ .op = SIMT_EXT, .d = OUT + 4, .d2 = IN, .s = { IN, IN, IN, IN }, .n = 2,
		  .imm = MALI_EXT_IMM(MX_CLOCK, 0, 0) },
	};
	u32 l, bad = 0;

	fx_new();
	fill(OUT + 1, 9);
	fill(OUT + 5, 9);
	if (!fx_run(u, 2, vs_simd_best()))
		bad++;
	for (l = 0; l < LANES; l++)
		bad += fx.slot[OUT][l] != 1 || fx.slot[OUT + 4][l] != 2 || fx.slot[OUT + 1][l] ||
		       fx.slot[OUT + 5][l];
	tap_result(!bad, "time goes on");
}

/* ---- ids of vertices ---- */

static u32 ids_seen, ids_bad;

/* The ids that a block starts with are those of its lanes' workgroups. */
static void ids_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	static const u8 slots[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	const struct mali_work *w = &fx.run->w;
	u64 n, position;
	u32 l, k, id[3];

	mali_each_thread(m, b, g, slots);
	for (l = 0; l < g->packed; l++) {
		n = g->group + l;
		id[0] = n % w->groups[0];
		id[1] = n / w->groups[0] % w->groups[1];
		id[2] = n / w->groups[0] / w->groups[1];
		for (k = 0; k < 4; k++)
			ids_bad += *sx_slot(b, k, l) != 0;
		for (k = 0; k < 3; k++)
			ids_bad += *sx_slot(b, 7 + k, l) != id[k];
		position = w->position + 16 * ((u64)id[2] * w->instance_size + id[1]);
		if (w->gpu == MALI_G52) {
			id[1] = (u32)position;
			id[2] = position >> 32;
		}
		for (k = 0; k < 3; k++)
			ids_bad += *sx_slot(b, 4 + k, l) != id[k];
		ids_seen++;
	}
}

/* Ids of blocks with and without a change of the row, or of the address's upper half. */
static void test_ids(void)
{
	static const u64 groups[][3] = {
		{ 1, 200, 1 }, { 1, 70, 3 }, { 3, 7, 20 }, { 64, 2, 2 }, { 2, 3, 40 }, { 5, 1, 50 },
		{ 1, 1, 130 }, { 130, 1, 1 },
	};
	static const struct simt_ops ops = { .start = ids_start, .ext = mali_ext };
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4 };
	const struct simt_uop end = { .op = SIMT_END };
	struct simt_launch launch = { .ops = &ops, .local = { 1, 1, 1 } };
	struct simt_builder *b;
	struct simt_machine *m;
	struct simt_prog *prog;
	u32 i;
	u64 used;

	for (i = 0; i < 2 * ARRAY_SIZE(groups); i++) {
		fx_new();
		fx.run->w.gpu = i & 1 ? MALI_T860 : MALI_G52;
		fx.run->w.stage = MALI_STAGE_VERTEX;
		fx.run->w.instance_size = 72;
		fx.run->w.position = i & 2 ? 0x1fffffe00ULL : MEM_VA;
		memcpy(fx.run->w.local, launch.local, sizeof(launch.local));
		memcpy(fx.run->w.groups, groups[i / 2], sizeof(groups[0]));
		memcpy(launch.groups, groups[i / 2], sizeof(groups[0]));
		b = simt_builder_new(&fx.arena, 16, 4, 0);
		simt_builder_label(b, 0);
		simt_builder_emit(b, &end);
		if (simt_prog_finish(b, &proto, 0, &prog))
			break;
		memset(prog->live, 0xff, sizeof(prog->live));
		launch.prog = prog;
		launch.arg = fx.run;
		m = simt_machine_new(&fx.arena, &fx.map);
		if (simt_machine_launch(m, &launch))
			break;
		while (simt_machine_run(m, vs_simd_best(), 3000, &used) == SIMT_RUN_MORE)
			;
	}
	tap_result(!ids_bad && i == 16 && ids_seen > 3000, "ids of %u vertices (%u wrong)",
		   ids_seen, ids_bad);
}

int main(void)
{
	u32 simd;

	tap_start();
	test_ids();
	test_elements();
	test_attr_edges();
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		if (vs_simd_mask() >> simd & 1)
			test_rows(simd);
	test_typed();
	test_images();
	test_bad_descriptors();
	test_fetch();
	test_masks();
	test_sample();
	test_indices();
	test_gather();
	test_shadow();
	test_together();
	test_results();
	test_gradients();
	test_dual();
	test_texs();
	test_clock();
	fx_free();
	return tap_done();
}
