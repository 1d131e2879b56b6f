// SPDX-License-Identifier: GPL-2.0
/*
 * Resource micro-ops of Mali programs one by one, in programs made of them: operands, results,
 * faults; the portable and the native arithmetic give the same.
 */
#include <math.h>

#include "../include/tap.h"
#include "isa/mali/mali_run_int.h"
#include "run.h"

#define CHECK(cond)	tap_result(cond, "%s", #cond)

#define MEM_VA		0x100000ULL
#define MEM_SIZE	0x20000
#define NSLOTS		32
#define IN		8	/* slots that tests fill, from IN on */
#define OUT		0	/* slots of results */
#define LANES		SIMT_LANES
#define ALL		(~0ULL)

/**
 * struct fixture - A machine with resources, and what goes in and out.
 */
static struct fixture {
	u8 *mem;
	struct vs_extent ext;
	struct vs_map map;
	void *raw;
	struct simt_arena arena;
	struct mali_run *run;
	u32 slot[NSLOTS][LANES];
	u64 helper;
	u64 helper_after;
	bool frag;
	struct vs_fault fault;
} fx;

static u32 f32(double d)
{
	float f = (float)d;
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static double num(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static void fx_new(void)
{
	if (!fx.raw)
		fx.raw = calloc(1, RUN_MEMORY + 64);
	if (!fx.mem)
		fx.mem = calloc(1, MEM_SIZE);
	memset(fx.mem, 0, MEM_SIZE);
	memset(fx.slot, 0, sizeof(fx.slot));
	fx.ext = (struct vs_extent){ MEM_VA, MEM_VA + MEM_SIZE, fx.mem, VS_EXT_WRITE };
	fx.map = (struct vs_map){ 1, &fx.ext };
	fx.arena = (struct simt_arena){
		.base = (u8 *)(((unsigned long)fx.raw + 63) & ~63UL), .size = RUN_MEMORY,
	};
	fx.run = mali_run_new(&fx.arena, &fx.map);
	fx.run->w = (struct mali_work){ .gpu = MALI_G52, .arch = MALI_V7, .instance_size = 1 };
	fx.helper = 0;
	fx.frag = false;
}

static void fx_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 i;

	for (i = 0; i < NSLOTS; i++)
		memcpy(b->slot + i * LANES, fx.slot[i], sizeof(fx.slot[i]));
	if (fx.frag)
		mali_frag_start(m, b, g);
	b->helper |= fx.helper;
}

static void fx_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 i;

	for (i = 0; i < NSLOTS; i++)
		memcpy(fx.slot[i], b->slot + i * LANES, sizeof(fx.slot[i]));
	fx.helper_after = b->helper;
	if (fx.frag)
		mali_frag_end(m, b, g);
}

/* Execute @n micro-ops. Return: false with fx.fault. */
static bool fx_run(const struct simt_uop *uops, u32 n, enum vs_simd simd)
{
	static const struct simt_ops ops = { fx_start, mali_ext, fx_end };
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4, .quads = true };
	const struct simt_uop end = { .op = SIMT_END };
	struct simt_launch l = { .ops = &ops, .arg = fx.run, .local = { LANES, 1, 1 },
				 .groups = { 1, 1, 1 } };
	u64 mark = fx.arena.used, used;
	struct simt_builder *b = simt_builder_new(&fx.arena, 16, 4, 0);
	struct simt_prog *prog = NULL;
	enum simt_status s;
	struct simt_machine *m;
	u32 i;

	memset(&fx.fault, 0, sizeof(fx.fault));
	simt_builder_label(b, 0);
	for (i = 0; i < n; i++)
		simt_builder_emit(b, &uops[i]);
	simt_builder_emit(b, &end);
	if (simt_prog_finish(b, &proto, 0, &prog)) {
		fx.fault.kind = VS_FAULT_HANG;
		return false;
	}
	l.prog = prog;
	m = simt_machine_new(&fx.arena, &fx.map);
	if (simt_machine_launch(m, &l)) {
		fx.fault.kind = VS_FAULT_HANG;
		return false;
	}
	do {
		s = simt_machine_run(m, simd, 3000, &used);
	} while (s == SIMT_RUN_MORE);
	if (s == SIMT_RUN_FAULT)
		fx.fault = *simt_machine_fault(m);
	simt_arena_reset(&fx.arena, mark);
	return s == SIMT_RUN_DONE;
}

/* One micro-op with operands in IN, IN + 1, IN + 2, more of them from IN + 4. */
static bool ext(u32 imm)
{
	const struct simt_uop u = { .op = SIMT_EXT, .d = OUT, .d2 = IN + 4,
				    .s = { IN, IN + 1, IN + 2, IN + 3 }, .n = 4, .imm = imm };

	return fx_run(&u, 1, vs_simd_best());
}

static bool refused(u32 reason)
{
	return fx.fault.kind == VS_FAULT_COMMAND && fx.fault.size == reason;
}

static void fill(u32 slot, u32 value)
{
	u32 l;

	for (l = 0; l < LANES; l++)
		fx.slot[slot][l] = value;
}

/* ---- attributes ---- */

#define RGBA8UI		(155 << 12)
#define RGBA8		(187 << 12)
#define RG16F		(207 << 12)
#define R32F		(167 << 12)
#define R32UI		(133 << 12)
#define RGBA32F		(191 << 12)
#define RGB565		(64 << 12)
#define RGBA8_TB	(237 << 12)

static struct mali_attr attrs[4];
static struct mali_attr_buf bufs[4];

static void set_attr(u32 i, u32 format, s32 offset)
{
	attrs[i] = (struct mali_attr){ .va = 8, .raw = format, .buf = i, .offset = offset };
	if (!mali_format_decode(MALI_V7, format, &attrs[i].format))
		abort();
}

static void bind_attrs(struct mali_attr_table *t)
{
	*t = (struct mali_attr_table){ .n = 4, .attr = attrs, .nbufs = 4, .bufs = bufs };
}

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
	/* within the buffer's size, but not mapped */
	fill(IN + 2, 0);
	bufs[0].va = MEM_VA + MEM_SIZE - 8;
	CHECK(!ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F32)) && fx.fault.kind == VS_FAULT_READ &&
	      fx.fault.address == MEM_VA + MEM_SIZE + 8 && fx.fault.invocation == 2);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_ATTR, 4, MALI_REG_F64)) && refused(MALI_RUN_BAD_FORMAT));
	CHECK(!ext(MALI_EXT_IMM(MX_NUM, 4, 0)) && refused(MALI_RUN_BAD_STAGE));
	CHECK(!ext(MALI_EXT_IMM(MX_LD_VAR, 4, MALI_REG_F32)) && refused(MALI_RUN_BAD_STAGE));
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
		bad += mali_f16_to_f32(h[1]) != v && !(v == 0x80000000 && !(h[1] & 0x7fff));
	}
	tap_result(!bad, "typed stores, not of helpers");
	fx.helper = 0;
	CHECK(ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) &&
	      fx.slot[OUT][9] == f32(9) && fx.slot[OUT + 1][9] == f32(-4.5) && !fx.slot[OUT][5]);
	/* address 0 is where nothing is; others have to be mapped */
	fill(IN, 0);
	CHECK(ext(MALI_EXT_IMM(MX_ST_CVT, 2, MALI_REG_AUTO)));
	CHECK(ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) && !fx.slot[OUT][1]);
	fill(IN, 64);
	CHECK(!ext(MALI_EXT_IMM(MX_ST_CVT, 2, MALI_REG_AUTO)) &&
	      fx.fault.kind == VS_FAULT_WRITE && fx.fault.address == 64);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) && fx.fault.kind == VS_FAULT_READ);
	fill(IN + 2, 0x3fffff);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_CVT, 2, MALI_REG_AUTO)) && refused(MALI_RUN_BAD_FORMAT));
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
				     mali_tile_index(x & 15, y & 15, false)) * 4 : y * 80 + x * 4;
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

/* A texture whose texels say where they are: x, y, level | layer << 4, face | sample << 4. */
static struct mali_texture tex[4];
static struct mali_surface surfaces[4][64];
static struct mali_sampler samp[2];

/* Slices of a level at @at. Return: where they end. */
static u32 put_slices(u32 at, u32 level, u32 depth, u32 layer, u32 alpha)
{
	u32 w = 8 >> level, n, v;

	for (n = 0; n < depth * w * w; n++, at += 4) {
		v = n % w | n / w % w << 8 | (level | (layer + n / w / w) << 4) << 16 |
		    alpha << 24;
		memcpy(fx.mem + at, &v, 4);
	}
	return at;
}

static void set_texture(u32 i, u32 dim, u32 layers, u32 samples)
{
	u32 faces = dim == MALI_DIM_CUBE ? 6 : 1, depth = dim == MALI_DIM_3D ? 4 : 1;
	u32 level, face, layer, s, n, at = 0x8000 + 0x2000 * i;
	struct mali_texture *t = &tex[i];

	*t = (struct mali_texture){ .va = 64, .dim = dim, .order = MALI_LINEAR, .width = 8,
				    .height = 8, .depth = depth, .array_size = layers,
				    .samples = samples, .levels = 3, .max_lod = 0x200,
				    .swizzle = { 0, 1, 2, 3 }, .surfaces = surfaces[i],
				    .level_inner = true };
	if (!mali_format_decode(MALI_V7, RGBA8UI, &t->format))
		abort();
	for (n = 0; n < layers * faces * samples * 3; n++) {
		level = n % 3;
		s = n / 3 % samples;
		face = n / 3 / samples % faces;
		layer = n / 3 / samples / faces;
		surfaces[i][n] = (struct mali_surface){ MEM_VA + at, 32 >> level,
							256 >> (2 * level) };
		at = put_slices(at, level, max(depth >> level, 1U), layer, face | s << 4);
	}
	t->nsurfaces = n;
}

static void set_sampler(u32 i, bool linear)
{
	samp[i] = (struct mali_sampler){ .va = 64, .wrap = { MALI_CLAMP_TO_EDGE,
					 MALI_CLAMP_TO_EDGE, MALI_CLAMP_TO_EDGE },
					 .mag_nearest = !linear, .min_nearest = !linear,
					 .normalized = true, .seamless = true, .max_lod = 0x1f00,
					 .max_aniso = 1, .func = 1 };
}

static void tex_new(void)
{
	fx_new();
	set_texture(0, MALI_DIM_2D, 1, 1);
	set_texture(1, MALI_DIM_2D, 3, 1);
	set_texture(2, MALI_DIM_3D, 1, 1);
	set_texture(3, MALI_DIM_CUBE, 1, 1);
	set_sampler(0, false);
	set_sampler(1, false);
	fx.run->w.textures = tex;
	fx.run->w.ntextures = 4;
	fx.run->w.samplers = samp;
	fx.run->w.nsamplers = 2;
}

#define DESC(op, dim, lod, flags, texture) \
	(1 << 11 | (texture) << 4 | (op) << 12 | (flags) << 15 | (dim) << 18 | (lod) << 20 | \
	 14 << 24 | 15U << 28)
#define OFFSETS	1
#define SHADOW	2
#define ARRAY	4

static u32 rgba(u32 l)
{
	return fx.slot[OUT][l] | fx.slot[OUT + 1][l] << 8 | fx.slot[OUT + 2][l] << 16 |
	       fx.slot[OUT + 3][l] << 24;
}

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
	set_texture(0, MALI_DIM_2D, 1, 4);
	fill(IN + 4, 0);
	fill(IN + 5, 2 << 24);
	CHECK(texc(DESC(6, 2, 1, OFFSETS, 0)) && !wrong(0, 0, 2 << 4));
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
	fill(IN + 4, 0x200 | 0x5a << 16);	/* gradient descriptors: the upper half is private */
	CHECK(texc(DESC(7, 2, 3, 0, 0)) && rgba(3) == 2 << 16);
	/* a lower bound of the LOD */
	fill(IN + 4, 1 << 16);
	CHECK(!texc(DESC(7, 2, 5, 0, 0)) && refused(MALI_RUN_BAD_TEXOP));
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
		      rgba(7) == (k ? 0x04040505U : 0x02030302U));
	fill(IN + 5, 1 | 1 << 8);
	CHECK(texc(DESC(6, 2, 4, OFFSETS, 0)) && rgba(7) == 0x03040403);
	CHECK(!texc(DESC(6, 2, 2, 0, 0)) && refused(MALI_RUN_BAD_TEXOP));
	CHECK(!texc(DESC(6, 2, 0, 0, 0)) && refused(MALI_RUN_BAD_TEXOP));
}

/* Reference, then layer: what is there has to be less than the reference. */
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
	CHECK(texc((d & 0xfffffff) | 4 << 24 | 10U << 28) && fx.slot[OUT][0] == f32(2.5) &&
	      fx.slot[OUT + 1][0] == f32(1));
	CHECK(texc((d & 0xfffffff) | 4 << 24));
}

static void test_gradients(void)
{
	u32 d = (1 << 11 | 4 << 12 | 3 << 15 | 2 << 18 | 4 << 24 | 15U << 28);

	tex_new();
	samp[0].mip = MALI_MIP_TRILINEAR;
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
	/* texture 1 to OUT as 32-bit float, texture 0 to OUT + 2, its first component */
	u32 d = 0 | 1 << 2 | 1 << 4 | 0 << 6 | 0 << 8 | (OUT + 2) << 12 | 4 << 18 | 1 << 21 |
		4 << 25 | 2U << 28, l, bad = 0;

	tex_new();
	grid(false, 0);
	samp[0].max_lod = 0;
	CHECK(texc(d));
	for (l = 0; l < LANES; l++)
		bad += fx.slot[OUT][l] != f32(l / 8) || fx.slot[OUT + 2][l] != f32(l % 8);
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

/* ---- fragments ---- */

static struct mali_frag frag;
static enum mali_run_reason why;

/* An 8 x 8 target of @format at MEM_VA, a Z image behind it. */
static void frag_new(u32 format)
{
	u32 i, one = f32(1);

	fx_new();
	fx.frag = true;
	frag = (struct mali_frag){
		.width = 8, .height = 8, .ntargets = 1,
		.target[0] = { MEM_VA, 64, MALI_LINEAR, format },
		.depth = { MEM_VA + 0x1000, 32, MALI_LINEAR, R32F },
		.provoking = 2, .index = { 0, 1, 2 },
	};
	for (i = 0; i < 64; i++)
		memcpy(fx.mem + 0x1000 + 4 * i, &one, 4);
	fx.run->w.stage = MALI_STAGE_FRAGMENT;
	fx.run->w.frag = &frag;
}

/* Corners in pixels, depth, w. */
static void corner(u32 i, double x, double y, double z, double w)
{
	frag.prim = MALI_PRIM_TRIANGLE;
	frag.vertex[i][0] = f32(x);
	frag.vertex[i][1] = f32(y);
	frag.vertex[i][2] = f32(z);
	frag.vertex[i][3] = f32(1 / w);
}

static bool frag_begin(void)
{
	return !mali_frag_begin(fx.run, &why);
}

/* Lane of a pixel in a rectangle that is 8 wide: quads of a row, four of them. */
static u32 lane_of(u32 x, u32 y)
{
	return (y / 2 * 4 + x / 2) * 4 + (y & 1) * 2 + (x & 1);
}

/* Of triangles that share edges every pixel belongs to exactly one. */
static void test_coverage(void)
{
	static const double v[6][2] = { { 0, 0 }, { 8, 0 }, { 8, 8 }, { 0, 8 }, { 3.5, 4.5 },
					{ 0, 0 } };
	u32 count[64] = {}, i, l, bad = 0;
	struct simt_uop nop = { .op = SIMT_MOV, .d = OUT, .s = { IN, IN, IN, IN } };

	for (i = 0; i < 8; i++) {
		frag_new(RGBA8);
		/* the corners of the square with a point on pixel centres, both ways round */
		corner(i < 4 ? 0 : 1, v[i % 4][0], v[i % 4][1], 0, 1);
		corner(i < 4 ? 1 : 0, v[(i + 1) % 4][0], v[(i + 1) % 4][1], 0, 1);
		corner(2, v[4][0], v[4][1], 0, 1);
		frag_begin();
		if (!fx_run(&nop, 1, vs_simd_best()))
			bad++;
		for (l = 0; l < LANES; l++)
			count[l] += fx.run->r->covered >> l & 1;
	}
	for (l = 0; l < LANES; l++)
		bad += count[l] != 2;
	tap_result(!bad, "four triangles of a square cover each pixel once");
	/* nothing, degenerate, too far away */
	frag_new(RGBA8);
	corner(0, 1, 1, 0, 1);
	corner(1, 5, 5, 0, 1);
	corner(2, 7, 7, 0, 1);
	CHECK(frag_begin() && !fx.run->w.groups[0]);
	corner(2, 1e6, 7, 0, 1);
	CHECK(!frag_begin() && why == MALI_RUN_BAD_FRAGMENT);
	corner(2, NAN, 7, 0, 1);
	CHECK(!frag_begin());
	corner(2, -65536, 65536, 0, 1);
	CHECK(frag_begin());
	frag.x = 1;
	CHECK(!frag_begin());
	frag.x = 65534;
	CHECK(!frag_begin());
	frag.x = 0;
	frag.target[0].format = 255 << 12;
	CHECK(!frag_begin());
	frag.target[0].format = RGBA8;
	frag.target[0].order = 3;
	CHECK(!frag_begin());
	frag.ntargets = 9;
	CHECK(!frag_begin());
}

/* A varying over a triangle with different w; the same by both builds. */
static void test_varyings(void)
{
	static u32 first[4][LANES];
	u32 k, i, j, x, y, l, bad = 0, differ = 0, imm;
	double e[3], n, d, want, got;

	for (k = 0; k < 2; k++) {
		frag_new(RGBA8);
		corner(0, -2, -2, 0, 1);
		corner(1, 14, -2, 0.5, 2);
		corner(2, -2, 14, 1, 5);
		set_attr(1, RGBA32F, 0);
		bufs[1] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA + 0x4000,
						  .size = 4096, .stride = 16 };
		for (i = 0; i < 3; i++) {
			for (j = 0; j < 4; j++) {
				u32 v = f32(i * 10 + j + 0.5);

				memcpy(fx.mem + 0x4000 + 16 * i + 4 * j, &v, 4);
			}
		}
		bind_attrs(&fx.run->w.varyings);
		fill(IN, 1);
		frag_begin();
		imm = MALI_EXT_IMM(MX_LD_VAR, 4, MALI_REG_F32);
		const struct simt_uop u = { .op = SIMT_EXT, .d = OUT,
					    .s = { IN, IN + 1, IN, IN }, .n = 4, .imm = imm };

		CHECK(fx_run(&u, 1, k ? vs_simd_best() : VS_SIMD_PORTABLE));
		if (k)
			differ = memcmp(first, fx.slot, sizeof(first));
		memcpy(first, fx.slot, sizeof(first));
	}
	for (y = 0; y < 8; y++) {
		for (x = 0; x < 8; x++) {
			e[1] = (x + 2.5) / 16;
			e[2] = (y + 2.5) / 16;
			e[0] = 1 - e[1] - e[2];
			/* nothing of these quads is covered */
			if (x >= 6 && y >= 6)
				continue;
			for (n = 0, d = 0, i = 0; i < 3; i++) {
				static const double w[3] = { 1, 2, 5 };

				n += e[i] / w[i] * (i * 10 + 3 + 0.5);
				d += e[i] / w[i];
			}
			want = n / d;
			got = num(fx.slot[OUT + 3][lane_of(x, y)]);
			bad += fabs(got - want) > 1e-5 * fabs(want);
		}
	}
	tap_result(!bad && !differ, "perspective: %u wrong, %s", bad,
		   differ ? "builds differ" : "builds agree");
	/* a quarter of a pixel away is linear in between, where w is the same */
	for (i = 0; i < 3; i++)
		frag.vertex[i][3] = f32(1);
	frag_begin();
	fill(IN + 1, 64 | (u32)(u16)-64 << 16);
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR, 1, MALI_REG_F32) | MALI_EXT_SAMPLE_IS(MALI_EXPLICIT)));
	l = lane_of(3, 5);
	want = 0.5 + 10 * (3.5 + 0.25 + 2) / 16 + 20 * (5.5 - 0.25 + 2) / 16;
	tap_result(fabs(num(fx.slot[OUT][l]) - want) < 1e-5, "varying at an offset");
	fill(IN + 1, 0);
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_FLAT, 2, MALI_REG_F32)) &&
	      fx.slot[OUT + 1][5] == f32(21.5));
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 1, MALI_REG_F32) | MALI_VAR_FRAG_Z << 20) &&
	      fabs(num(fx.slot[OUT][l]) - (0.5 * 5.5 / 16 + 7.5 / 16)) < 1e-6);
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 1, MALI_REG_F32) | MALI_VAR_FRAG_W << 20) &&
	      fx.slot[OUT][l] == f32(1));
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR, 2, MALI_REG_F16)) &&
	      (fx.slot[OUT][l] & 0xffff) == mali_f32_to_f16(f32(0.5 + 10 * 5.5 / 16 +
								   20 * 7.5 / 16)));
	fill(IN, 7);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_VAR, 1, MALI_REG_F32)) && refused(MALI_RUN_BAD_INDEX));
}

static void test_points(void)
{
	u32 l, n = 0;

	frag_new(RGBA8);
	frag.prim = MALI_PRIM_POINT;
	frag.vertex[0][0] = f32(4);
	frag.vertex[0][1] = f32(3);
	frag.point_size = f32(4);
	CHECK(frag_begin());
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 2, MALI_REG_F32)));
	for (l = 0; l < LANES; l++)
		n += fx.run->r->covered >> l & 1;
	l = lane_of(2, 4);
	CHECK(n == 16 && fx.slot[OUT][l] == f32(0.125) && fx.slot[OUT + 1][l] == f32(0.875));
	frag.flags = MALI_FRAG_POINT_UP;
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 2, MALI_REG_F32)) &&
	      fx.slot[OUT + 1][l] == f32(0.125));
	frag.point_size = f32(-1);
	CHECK(!frag_begin());
}

/* A varying is the place in a texture; preloaded and not. */
static void test_var_tex(void)
{
	u32 i, v, l;

	frag_new(RGBA8);
	set_texture(0, MALI_DIM_2D, 1, 1);
	set_sampler(0, false);
	fx.run->w.textures = tex;
	fx.run->w.ntextures = 1;
	fx.run->w.samplers = samp;
	fx.run->w.nsamplers = 1;
	corner(0, 0, 0, 0, 1);
	corner(1, 16, 0, 0, 1);
	corner(2, 0, 16, 0, 1);
	set_attr(1, RGBA32F, 0);
	bufs[1] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA + 0x4000,
					  .size = 4096, .stride = 16 };
	for (i = 0; i < 3; i++) {
		v = f32(i == 1 ? 2 : 0);
		memcpy(fx.mem + 0x4000 + 16 * i, &v, 4);
		v = f32(i == 2 ? 2 : 0);
		memcpy(fx.mem + 0x4000 + 16 * i + 4, &v, 4);
	}
	bind_attrs(&fx.run->w.varyings);
	frag_begin();
	l = lane_of(5, 2);
	CHECK(ext(MALI_EXT_IMM(MX_VAR_TEX, 4, MALI_REG_U32) | 1 << 16) &&
	      rgba(l) == (5 | 2 << 8));
	/* messages: the same as single floats in r0 .., the varying as halves in r4 .. */
	fx.run->w.message[0] = 2 | 1 << 4;
	fx.run->w.message[1] = 1 | 1 << 4 | 1 << 9 | 1 << 11;
	const struct simt_uop nop = { .op = SIMT_MOV, .d = 20, .s = { IN, IN, IN, IN } };

	CHECK(fx_run(&nop, 1, vs_simd_best()) && fx.slot[0][l] == f32(5) &&
	      fx.slot[1][l] == f32(2) &&
	      fx.slot[4][l] == (mali_f32_to_f16(f32(5.5 / 8)) |
				mali_f32_to_f16(f32(2.5 / 8)) << 16));
	fx.run->w.message[0] = 3;
	CHECK(!fx_run(&nop, 1, vs_simd_best()) && refused(MALI_RUN_BAD_MESSAGE));
}

static void put_colour(double r, double g, double b, double a)
{
	fill(OUT, f32(r));
	fill(OUT + 1, f32(g));
	fill(OUT + 2, f32(b));
	fill(OUT + 3, f32(a));
}

static bool blend(u32 mode, u32 cvt)
{
	fill(IN, 0xffff);
	fill(IN + 1, mode);
	fill(IN + 2, cvt);
	return ext(MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO));
}

static u32 pixel(u32 x, u32 y)
{
	u32 v;

	memcpy(&v, fx.mem + 64 * y + 4 * x, 4);
	return v;
}

#define CVT_F32	(RGBA8_TB | MALI_REG_F32 << 24)
/* src * src alpha + dst * (1 - src alpha): dst + (src - dst) * sa */
#define EQ_OVER	(0x503 | 0x503 << 12 | 0xfU << 28)

static void test_blend(void)
{
	static const struct {
		u32 function;
		double result;	/* of src 0.75, dst 0.5, src alpha 0.25, dst alpha 1 */
	} f[] = {
		{ 0x503, 0.5 + 0.25 * 0.25 },		/* over */
		{ 0x921, 0.75 },			/* 0 + src * (1 - 0) */
		{ 0x931, 0.5 },
		{ 0x231, 0.375 },			/* dst * src */
		{ 0x122, 0.75 },			/* src + src * 0 */
		{ 0x522, 0.75 + 0.75 * 0.25 },
		{ 0x932, 1 },				/* src + dst, clamped */
		{ 0x93a, 0 },				/* -src + dst, clamped */
		{ 0x9b2, 0.25 },			/* src - dst */
		{ 0xe32, 0.75 },			/* src + dst * (1 - dst alpha) */
		{ 0x311, (0.75 + 0.5) * 0.5 },		/* (src + dst) * dst */
		{ 0x421, 1 },				/* src * 2 src, clamped */
		{ 0x721, 0.75 * 128 / 255 },		/* src * constant */
	};
	u32 i, k, got, bad;

	for (i = 0; i < ARRAY_SIZE(f); i++) {
		u32 seen[2];

		for (k = 0; k < 2; k++) {
			frag_new(RGBA8);
			memset(fx.mem, 0x80, 64 * 8);
			frag.blend[0].flags = 0x200 | 0x8000U << 16;
			frag.blend[0].equation = f[i].function | 0x921 << 12 | 7U << 28;
			memset(fx.mem + 3, 0xff, 1);
			frag_begin();
			put_colour(0.75, 0.75, 0.75, 0.25);
			fill(IN, 0xffff);
			fill(IN + 1, 2);
			fill(IN + 2, CVT_F32);
			const struct simt_uop u = {
				.op = SIMT_EXT, .d = OUT, .s = { IN, IN + 1, IN + 2, IN }, .n = 4,
				.imm = MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO),
			};

			if (!fx_run(&u, 1, k ? vs_simd_best() : VS_SIMD_PORTABLE))
				tap_comment("fault %u", fx.fault.kind);
			seen[k] = pixel(0, 0);
		}
		got = seen[0] & 255;
		bad = fabs(got - f[i].result * 255) > 1.01 || seen[0] != seen[1] ||
		      seen[0] >> 24 != 0xff;
		tap_result(!bad, "blend function %03x: %u for %g", f[i].function, got,
			   f[i].result * 255);
	}
}

static void test_targets(void)
{
	u32 v, at;
	u16 h;

	frag_new(RGBA8);
	frag_begin();
	put_colour(1, 0.5, 0, 2);
	CHECK(blend(1, CVT_F32) && pixel(3, 3) == 0xff0080ff);
	/* only red and alpha are written */
	frag.blend[0].flags = 0x200;
	frag.blend[0].equation = 0x921 | 0x921 << 12 | 9U << 28;
	put_colour(0, 1, 1, 0);
	CHECK(blend(2, CVT_F32) && pixel(3, 3) == 0x00008000);
	frag.blend[0].flags = 0;
	put_colour(1, 1, 1, 1);
	CHECK(blend(2, CVT_F32) && pixel(3, 3) == 0x00008000);
	CHECK(blend(3, CVT_F32) && pixel(3, 3) == 0x00008000);
	CHECK(!blend(0, CVT_F32) && refused(MALI_RUN_BAD_BLEND));
	CHECK(!blend(1 | 1 << 16, CVT_F32) && refused(MALI_RUN_BAD_INDEX));
	frag.blend[0].flags = 0x200;
	frag.blend[0].equation = 0x920 | 0x921 << 12;
	CHECK(!blend(2, CVT_F32) && refused(MALI_RUN_BAD_BLEND));
	/* helpers and lanes without coverage write nothing */
	fx.helper = ALL;
	CHECK(blend(1, CVT_F32) && pixel(3, 3) == 0x00008000);
	fx.helper = 0;
	put_colour(1, 1, 1, 1);
	fill(IN, 0);
	CHECK(ext(MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO)) && pixel(3, 3) == 0x00008000);
	/* halves in registers */
	fill(OUT, 0x3c00);
	fill(OUT + 1, 0x3c003c00);
	CHECK(blend(1, RGBA8_TB | MALI_REG_F16 << 24) && pixel(3, 3) == 0xffff00ff);
	/* integers */
	frag_new(R32UI);
	frag_begin();
	fill(OUT, 0x12345678);
	CHECK(blend(1, R32UI | MALI_REG_U32 << 24) && pixel(5, 6) == 0x12345678);
	frag.blend[0] = (struct mali_blend){ .flags = 0x200, .equation = EQ_OVER };
	CHECK(!blend(2, R32UI | MALI_REG_U32 << 24) && refused(MALI_RUN_BAD_BLEND));
	CHECK(!blend(1, RGBA32F | MALI_REG_F32 << 24) && refused(MALI_RUN_BAD_FORMAT));
	/* 16 bits, tiled */
	frag_new(RGB565);
	frag.target[0].order = MALI_TILED;
	frag.target[0].row_stride = 512;
	frag_begin();
	put_colour(1, 0, 1, 1);
	CHECK(blend(1, (227 << 12) | MALI_REG_F32 << 24));
	at = mali_tile_index(5, 6, false) * 2;
	memcpy(&h, fx.mem + at, 2);
	CHECK(h == 0xf81f);
	/* read and written by the program */
	frag_new(RGBA8);
	frag_begin();
	v = 0x80ff4000;
	memcpy(fx.mem + 64 * 2 + 4 * 4, &v, 4);
	fill(IN, 0xffffU << 16 | 0xff);
	fill(IN + 1, 0xffff);
	fill(IN + 2, CVT_F32);
	CHECK(ext(MALI_EXT_IMM(MX_LD_TILE, 4, MALI_REG_AUTO)) &&
	      fx.slot[OUT + 2][lane_of(4, 2)] == f32(1) &&
	      !fx.slot[OUT][lane_of(4, 2)]);
	put_colour(0, 1, 0, 1);
	CHECK(ext(MALI_EXT_IMM(MX_ST_TILE, 4, MALI_REG_AUTO)) && pixel(1, 1) == 0xff00ff00);
	fill(IN, 0);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_TILE, 4, MALI_REG_AUTO)) && refused(MALI_RUN_BAD_INDEX));
	/* a target that is not mapped */
	frag.target[0].va = MEM_VA + MEM_SIZE;
	frag_begin();
	CHECK(!blend(1, CVT_F32) && fx.fault.kind == VS_FAULT_WRITE &&
	      fx.fault.address == MEM_VA + MEM_SIZE);
	frag.target[0].va = 0;
	frag_begin();
	CHECK(blend(1, CVT_F32));
}

static u32 z_at(u32 x, u32 y)
{
	u32 v;

	memcpy(&v, fx.mem + 0x1000 + 32 * y + 4 * x, 4);
	return v;
}

static void test_depth(void)
{
	const struct simt_uop nop = { .op = SIMT_MOV, .d = 20, .s = { IN, IN, IN, IN } };
	u32 half, n, l;

	/* the primitive's: from 0 on the left to 1 on the right, less than a half passes */
	frag_new(RGBA8);
	half = f32(0.5);
	for (l = 0; l < 64; l++)
		memcpy(fx.mem + 0x1000 + 4 * l, &half, 4);
	corner(0, 0, 0, 0, 1);
	corner(1, 16, 0, 2, 1);
	corner(2, 0, 16, 0, 1);
	frag.depth_func = 1;
	frag.flags = MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE;
	CHECK(frag_begin() && fx_run(&nop, 1, vs_simd_best()));
	for (n = 0, l = 0; l < LANES; l++)
		n += fx.run->r->covered >> l & 1;
	CHECK(n == 32 && z_at(1, 5) == f32(1.5 / 8) && z_at(4, 5) == half);
	/* what is killed leaves no depth */
	fx.helper = ALL;
	frag.depth_func = 7;
	CHECK(fx_run(&nop, 1, vs_simd_best()) && z_at(7, 0) == half);
	fx.helper = 0;
	/* the program's, clamped */
	frag.flags |= MALI_FRAG_SHADER_Z;
	frag.depth_func = 4;
	for (l = 0; l < LANES; l++)
		fx.slot[IN][l] = f32(l & 1 ? 3 : -3);
	fill(IN + 2, 0xffff);
	CHECK(ext(MALI_EXT_IMM(MX_ZS_EMIT, 0, 0) | MALI_EXT_Z) && !fx.slot[OUT][0] &&
	      fx.slot[OUT][1] == 0xffff && z_at(1, 0) == f32(1) && z_at(4, 0) == half);
	CHECK(!ext(MALI_EXT_IMM(MX_ZS_EMIT, 0, 0) | MALI_EXT_S) && refused(MALI_RUN_BAD_STAGE));
	/* coverage passes; none: the lane becomes a helper */
	for (l = 0; l < LANES; l++)
		fx.slot[IN][l] = l & 4 ? 0xffff : 0;
	CHECK(ext(MALI_EXT_IMM(MX_ATEST, 0, 0)) && fx.slot[OUT][4] == 0xffff &&
	      !fx.slot[OUT][8] && fx.helper_after == 0x0f0f0f0f0f0f0f0fULL);
	CHECK(mali_compare(1, f32(-1), f32(0)) && !mali_compare(1, 0x80000000, 0) &&
	      mali_compare(2, 0x80000000, 0) && mali_compare(6, f32(2), f32(-2)) &&
	      !mali_compare(6, f32(NAN), f32(1)) && mali_compare(7, f32(NAN), f32(1)) &&
	      !mali_compare(0, 0, 0));
}

int main(void)
{
	tap_start();
	test_elements();
	test_attr_edges();
	test_typed();
	test_images();
	test_fetch();
	test_sample();
	test_indices();
	test_gather();
	test_shadow();
	test_results();
	test_gradients();
	test_dual();
	test_texs();
	test_coverage();
	test_varyings();
	test_points();
	test_var_tex();
	test_blend();
	test_targets();
	test_depth();
	free(fx.raw);
	free(fx.mem);
	return tap_done();
}
