// SPDX-License-Identifier: GPL-2.0
/*
 * The ends of Midgard's fragments: writes to several targets, programs that blend for them, alpha,
 * depth and stencil tests, samples, the tile's bits.
 */
#include <math.h>

#include "isa/midgard/midgard_lower.h"
#include "mgfrag.h"

#define OLD		0x40302010u
#define COLOUR_A	0x44332211u
#define XOR		0x76u

static struct mgf f;

static bool go(void)
{
	return mgf_run(&f, vs_simd_best());
}

static bool all_are(u32 at, u32 v)
{
	u32 i;

	for (i = 0; i < MGF_SIZE * MGF_SIZE; i++)
		if (mgf_pixel(at, i % MGF_SIZE, i / MGF_SIZE, 0) != v)
			return false;
	return true;
}

static void fill_target(u32 at, u32 v)
{
	u32 i;

	for (i = 0; i < 0x1000; i += 4)
		memcpy(fx.mem + at + i, &v, 4);
}

static void set_colour(u32 vector, double r, double g, double b, double a)
{
	const double v[4] = { r, g, b, a };
	u32 i;

	for (i = 0; i < 4; i++)
		f.push[4 * vector + i] = f32(v[i]);
}

/* r2 = the tile's bits; r0 = r0 ^ r2, stored as bits. */
static void xor_program(struct mcode *c, u32 target)
{
	struct mc_alu a = { };

	mc_start(c);
	mgf_load_tile(c, 0xba, target, 0, 2);
	mc_unit(&a, MC_VMUL, mc_regs(0, 2, 0),
		mc_vec(XOR, 2, mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2, 2, 0xff));
	mc_alu(c, &a);
	mgf_write(c, target << 8, 0);
}

/* u0 to the first target, blended by a program, then u1 to the second one. */
static void two_targets(u32 how)
{
	struct mcode c;

	mgf_new(&f, MGF_RGBA8, 1);
	fill_target(MGF_TARGET_A, OLD);
	f.push[0] = COLOUR_A;
	set_colour(1, 1, 0, 0, 1);
	mgf_move(&f.main, 23, 0);
	mgf_write(&f.main, 0, how);
	mgf_move(&f.main, 22, 0);
	mgf_write(&f.main, 1 << 8, how);
	xor_program(&c, 0);
	mgf_blend(0, MGF_PROGRAM, mgf_put(&c, MGF_BLEND_A));
}

static void test_call(void)
{
	u32 simd;

	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		two_targets(MGF_BACK);
		tap_result(mgf_run(&f, simd) && all_are(MGF_TARGET_A, OLD ^ COLOUR_A) &&
			   all_are(MGF_TARGET_B, 0xff0000ff), "%s: a program blends, and returns",
			   vs_simd_name(simd));
	}
	/* lowered programs are cached: the same target again, then the new state */
	CHECK(go() && all_are(MGF_TARGET_A, OLD));
	mgf_blend(1, MGF_PROGRAM, frag.blend[0].internal[0]);
	CHECK(go() && all_are(MGF_TARGET_A, OLD ^ COLOUR_A ^ 0x3f800000));
	/* without a call r1.w is 0 */
	two_targets(0);
	CHECK(!go() && fx.fault.kind == VS_FAULT_FETCH);
	/* after the program's last write r1.w does not matter */
	two_targets(0);
	mc_start(&f.main);
	mgf_move(&f.main, 23, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(go() && all_are(MGF_TARGET_A, OLD ^ COLOUR_A));
	/* a target that is not written at all */
	two_targets(MGF_BACK);
	frag.blend[0].flags = 2;
	CHECK(go() && all_are(MGF_TARGET_A, OLD) && all_are(MGF_TARGET_B, 0xff0000ff));
}

/* A program of another kind for each target, of the same draw. */
static void test_two_programs(void)
{
	struct mcode c;

	two_targets(MGF_BACK);
	xor_program(&c, 1);
	mgf_blend(1, MGF_PROGRAM, mgf_put(&c, MGF_BLEND_B));
	CHECK(go() && all_are(MGF_TARGET_A, OLD ^ COLOUR_A) &&
	      all_are(MGF_TARGET_B, 0x3f800000));
	/* exits by a branch instead of after a write, which follows it */
	mc_start(&c);
	{
		struct mc_alu a = { .has_extended = true };

		a.extended = mc_extended(2, 1, 0, 0, 0xffff);
		mc_alu(&c, &a);
	}
	mgf_blend(1, MGF_PROGRAM, mgf_put(&c, MGF_BLEND_B));
	CHECK(go() && all_are(MGF_TARGET_A, OLD) && all_are(MGF_TARGET_B, 0x3f800000));
}

static void test_refused(void)
{
	struct mcode c;

	two_targets(MGF_BACK);
	frag.blend[0].internal[0] ^= 1;
	CHECK(!go() && fx.fault.kind == VS_FAULT_ENCODING && fx.fault.code == MG_BAD_TARGET_TAG &&
	      fx.fault.address == MEM_VA + MGF_BLEND_A);
	/* a tag of 0: unspecified */
	frag.blend[0].internal[0] &= ~15u;
	CHECK(go());
	mgf_blend(0, MGF_PROGRAM, MEM_VA + MEM_SIZE + 0x1000);
	CHECK(!go() && fx.fault.kind == VS_FAULT_FETCH &&
	      fx.fault.address == MEM_VA + MEM_SIZE + 0x1000);
	mgf_blend(0, MGF_PROGRAM, 0);
	CHECK(!go() && refused(MALI_RUN_BAD_BLEND));
	/* out of the blend program, into the preceding one */
	mc_start(&c);
	{
		struct mc_alu a = { .has_extended = true };

		a.extended = mc_extended(2, 8, 0, -2, 0xffff);
		mc_alu(&c, &a);
	}
	mgf_blend(0, MGF_PROGRAM, mgf_put(&c, MGF_BLEND_A));
	CHECK(!go() && fx.fault.kind == VS_FAULT_ENCODING && fx.fault.code == MG_BAD_TARGET);
	/* another branch after the write */
	two_targets(MGF_BACK);
	{
		struct mc_alu a = { .has_compact = true, .has_extended = true };

		mc_start(&f.main);
		a.compact = mc_compact(7, 8, -1, 3);
		a.extended = mc_extended(2, 8, 0, -1, 0xffff);
		mc_alu(&f.main, &a);
	}
	CHECK(!go() && fx.fault.kind == VS_FAULT_ENCODING && fx.fault.code == MG_UNSUPPORTED);
	/* not executable */
	two_targets(MGF_BACK);
	fx.ext.flags &= ~VS_EXT_EXEC;
	CHECK(!go() && fx.fault.kind == VS_FAULT_FETCH);
	/* targets that there are not: colours are dropped */
	two_targets(MGF_BACK);
	frag.ntargets = 1;
	CHECK(go());
	mgf_new(&f, MGF_RGBA8, 1);
	mgf_load_tile(&f.main, 0xba, 2, 0, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(!go() && refused(MALI_RUN_BAD_INDEX));
	mgf_new(&f, MGF_RGBA8, 4);
	mgf_load_tile(&f.main, 0xba, 0, 5, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(!go() && refused(MALI_RUN_BAD_INDEX));
	/* an equation without a meaning */
	mgf_new(&f, MGF_RGBA8, 1);
	mgf_blend(0, MGF_ENABLE, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(!go() && refused(MALI_RUN_BAD_BLEND));
}

/* A bundle with a branch only: @compact, else @extended. @writeout: the second kind of tag. */
static void put_branch(struct mcode *c, u32 compact, u64 extended, bool writeout)
{
	struct mc_alu a = { .has_compact = !extended, .compact = (u16)compact,
			    .has_extended = extended, .extended = extended };

	mc_alu(c, &a);
	if (!writeout)
		return;
	/* the first bundle of a program */
	c->w[0] |= 4;
	c->first_tag |= 4;
}

/* r0 = the tile's bits ^ u0 in a program that first waits for the tile buffer. */
static bool fetches(u32 compact, u64 extended, bool writeout, enum mali_gpu gpu)
{
	mgf_new(&f, MGF_R32UI, 1);
	f.work.gpu = gpu;
	f.push[0] = COLOUR_A;
	fill_target(MGF_TARGET_A, OLD);
	put_branch(&f.main, compact, extended, writeout);
	mgf_load_tile(&f.main, 0xba, 0, 0, 2);
	mgf_move(&f.main, 23, 0);
	{
		struct mc_alu a = { };

		mc_unit(&a, MC_VMUL, mc_regs(0, 2, 0),
			mc_vec(XOR, 2, mc_vsrc(0, 0, MC_XYZW), mc_vsrc(0, 0, MC_XYZW), 2, 2, 0xff));
		mc_alu(&f.main, &a);
	}
	mgf_write(&f.main, 0, 0);
	return go();
}

/* Waits for the tile buffer in each form, and writes that depend on a condition. */
static void test_branches(void)
{
	u64 wait = mc_extended(6, 8, 0, -1, 0xffff), waitw = mc_extended(6, 12, 0, -1, 0xffff);

	CHECK(fetches(0, wait, false, MALI_T860) && all_are(MGF_TARGET_A, OLD ^ COLOUR_A));
	CHECK(fetches(0, waitw, true, MALI_T860) && all_are(MGF_TARGET_A, OLD ^ COLOUR_A));
	CHECK(fetches(0, wait, false, MALI_T760) && all_are(MGF_TARGET_A, OLD ^ COLOUR_A));
	CHECK(fetches(mc_compact(6, 12, -1, 3), 0, true, MALI_T860) &&
	      all_are(MGF_TARGET_A, OLD ^ COLOUR_A));
	CHECK(!fetches(0, waitw, true, MALI_T760) && fx.fault.kind == VS_FAULT_ENCODING &&
	      fx.fault.code == MG_BAD_GPU);
	/* a tag of writes without a write or a wait: a jump to the next bundle */
	CHECK(!fetches(0, mc_extended(2, 5, 0, 0, 0xffff), true, MALI_T860) &&
	      fx.fault.kind == VS_FAULT_ENCODING && fx.fault.code == MG_BAD_TAG);
	/* a write that depends on a condition */
	CHECK(!fetches(0, mc_extended(7, 8, 0, -1, 0), false, MALI_T860) &&
	      fx.fault.kind == VS_FAULT_ENCODING && fx.fault.code == MG_UNSUPPORTED);
	CHECK(!fetches(mc_compact(7, 8, -1, 2), 0, false, MALI_T860) &&
	      fx.fault.code == MG_UNSUPPORTED);
}

/* r4 in a fragment program or in the blend program that it calls, with @n work registers. */
static bool uses_r4(u32 n, bool blend)
{
	struct mcode c;

	mgf_new(&f, MGF_R32UI, 1);
	f.work.work_regs = n;
	f.push[0] = COLOUR_A;
	mgf_move(&f.main, 23, blend ? 0 : 4);
	if (!blend)
		mgf_move(&f.main, 4, 0);
	mgf_write(&f.main, 0, MGF_BACK);
	if (blend) {
		mc_start(&c);
		mgf_move(&c, 0, 4);
		mgf_move(&c, 4, 0);
		mgf_write(&c, 0, 0);
		mgf_blend(0, MGF_PROGRAM, mgf_put(&c, MGF_BLEND_A));
	}
	return go();
}

/* The number of work registers is that of the renderer state, for blend programs, too. */
static void test_work_registers(void)
{
	u32 blend;

	for (blend = 0; blend < 2; blend++) {
		CHECK(uses_r4(5, blend) && all_are(MGF_TARGET_A, COLOUR_A));
		CHECK(!uses_r4(4, blend) && fx.fault.kind == VS_FAULT_ENCODING &&
		      fx.fault.code == MG_NO_WORK_REG && fx.fault.info == 4);
	}
	/* a source that is neither a work register nor a uniform */
	mgf_new(&f, MGF_R32UI, 1);
	f.work.npush = 4;
	mgf_move(&f.main, 22, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(!go() && fx.fault.code == MG_NO_WORK_REG && fx.fault.info == 22);
}

/* A wait in a program that has no tile buffer. */
static void test_no_tile(void)
{
	mgf_new(&f, MGF_RGBA8, 1);
	put_branch(&f.main, 0, mc_extended(6, 8, 0, -1, 0xffff), false);
	f.work.stage = MALI_STAGE_COMPUTE;
	f.work.frag = NULL;
	f.work.local[0] = 1;
	f.work.local[1] = 1;
	f.work.local[2] = 1;
	f.work.groups[0] = 1;
	f.work.groups[1] = 1;
	f.work.groups[2] = 1;
	CHECK(!go() && fx.fault.kind == VS_FAULT_ENCODING && fx.fault.code == MG_UNSUPPORTED);
}

/* The constant is a number by itself: constant times source, with (0 + source) * constant. */
static void test_constant(void)
{
	mgf_new(&f, MGF_RGBA8, 1);
	set_colour(0, 1, 0.5, 1, 1);
	mgf_move(&f.main, 23, 0);
	mgf_write(&f.main, 0, 0);
	/* a = zero, b = source, c = constant */
	mgf_blend(0, MGF_ENABLE, 0xf0000000 | 0x721 << 12 | 0x721 |
		  (u64)f32(0.25) << 32);
	CHECK(go() && all_are(MGF_TARGET_A, 0x40402040));
	/* limited, as colours are, where the format has no more than 1 */
	mgf_blend(0, MGF_ENABLE, 0xf0000000 | 0x721 << 12 | 0x721 | (u64)f32(2) << 32);
	CHECK(go() && all_are(MGF_TARGET_A, 0xffff80ff));
	mgf_blend(0, MGF_ENABLE, 0xf0000000 | 0x721 << 12 | 0x721 | (u64)f32(-1) << 32);
	CHECK(go() && all_are(MGF_TARGET_A, 0));
}

/* A point's coordinates are x, y, 0, 1: programs of textures divide them by w. */
static void test_point(void)
{
	static const u8 type[2] = { MALI_BUF_POINT_COORD_MIN, MALI_BUF_POINT_COORD_MAX };
	u32 i, at = 2 * MGF_SIZE + 5;

	for (i = 0; i < 2; i++) {
		mgf_new(&f, MGF_RGBA32F, 1);
		corner(0, 4, 4, 0.5, 1);
		frag.target[0].row_stride = 16 * MGF_SIZE;
		frag.prim = MALI_PRIM_POINT;
		frag.point_size = f32(8);
		bufs[1] = (struct mali_attr_buf){ .type = type[i] };
		set_attr(1, RGBA32F, 0);
		mali_format_decode(MALI_V5, MGF_RGBA32F, &attrs[1].format);
		bind_attrs(&f.work.varyings);
		mc_ldst(&f.main, MC_LS(.op = 0x98, .reg = 0, .mask = 15, .swizzle = MC_XYZW,
				       .arg_reg = 7, .index_reg = 7, .index_format = 2,
				       .offset = 0x50 | 1 << 9), MC_NOP_LS);
		mgf_write(&f.main, 0, 0);
		CHECK(go() && !memcmp(fx.mem + MGF_TARGET_A + 16 * at,
				      (u32[]){ f32(5.5 / 8), f32(i ? 5.5 / 8 : 2.5 / 8), 0,
					       f32(1) }, 16));
	}
}

/* ---- tests at the end ---- */

static u32 depth_at(u32 x, u32 y)
{
	return mgf_pixel(MGF_DEPTH, x, y, 0);
}

/* Alpha of columns: x / 8. */
static void alpha_columns(void)
{
	u32 i, v;

	mgf_new(&f, MGF_RGBA8, 1);
	corner(0, 0, 0, 0.25, 1);
	corner(1, 16, 0, 0.25, 1);
	corner(2, 0, 16, 0.25, 1);
	bufs[1] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA + MGF_VARYING,
					  .size = 4096, .stride = 16 };
	set_attr(1, RGBA32F, 0);
	mali_format_decode(MALI_V5, MGF_RGBA32F, &attrs[1].format);
	bind_attrs(&f.work.varyings);
	for (i = 0; i < 12; i++) {
		v = i / 4 == 1 ? f32(2) : 0;
		memcpy(fx.mem + MGF_VARYING + 4 * i, &v, 4);
	}
	mc_ldst(&f.main, MC_LS(.op = 0x98, .reg = 0, .mask = 15, .swizzle = MC_XYZW,
			       .arg_reg = 7, .index_reg = 7, .index_format = 2,
			       .offset = 0x50 | 1 << 9), MC_NOP_LS);
	mgf_write(&f.main, 0, 0);
}

static void test_alpha(void)
{
	u32 x, bad = 0;

	alpha_columns();
	frag.flags = MALI_FRAG_ALPHA_TEST | MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE;
	frag.depth_func = 1;
	frag.alpha_func = 4;
	frag.alpha_ref = f32(0.5);
	bad += !go();
	/* failing samples write neither colour nor depth, although depth was tested before */
	for (x = 0; x < MGF_SIZE; x++) {
		bool pass = x >= 4;

		bad += !!mgf_pixel(MGF_TARGET_A, x, 2, 0) != pass ||
		       depth_at(x, 2) != f32(pass ? 0.25 : 1);
	}
	tap_result(!bad, "alpha test: %u wrong", bad);
	/* alpha as coverage, of one sample and of four */
	alpha_columns();
	frag.flags = MALI_FRAG_ALPHA_TO_COVERAGE;
	CHECK(go() && !mgf_pixel(MGF_TARGET_A, 3, 0, 0) && mgf_pixel(MGF_TARGET_A, 4, 0, 0));
	alpha_columns();
	frag.samples = 4;
	frag.flags = MALI_FRAG_ALPHA_TO_COVERAGE;
	CHECK(go() && !mgf_pixel(MGF_TARGET_A, 0, 1, 0) && mgf_pixel(MGF_TARGET_A, 1, 1, 0) &&
	      !mgf_pixel(MGF_TARGET_A, 1, 1, 1) && mgf_pixel(MGF_TARGET_A, 4, 1, 1) &&
	      !mgf_pixel(MGF_TARGET_A, 4, 1, 2) && mgf_pixel(MGF_TARGET_A, 7, 1, 3));
}

/* Depth of the program in r1.x, and only its first write tests it. */
static void test_depth(void)
{
	two_targets(MGF_BACK);
	frag.flags = MALI_FRAG_SHADER_Z | MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE;
	frag.depth_func = 1;
	f.push[8] = f32(0.5);
	mc_start(&f.main);
	mgf_word(&f.main, 21, 0, 1, 0);
	mgf_move(&f.main, 23, 0);
	mgf_write(&f.main, 0, MGF_BACK);
	mgf_move(&f.main, 22, 0);
	mgf_write(&f.main, 1 << 8, MGF_BACK);
	CHECK(go() && all_are(MGF_TARGET_A, OLD ^ COLOUR_A) &&
	      all_are(MGF_TARGET_B, 0xff0000ff) && all_are(MGF_DEPTH, f32(0.5)));
	fill_target(MGF_TARGET_B, 0);
	CHECK(go() && all_are(MGF_TARGET_A, OLD ^ COLOUR_A) && all_are(MGF_TARGET_B, 0));
	/* the primitive's, late */
	two_targets(MGF_BACK);
	frag.flags = MALI_FRAG_LATE | MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE;
	frag.depth_func = 1;
	corner(0, 0, 0, 0.25, 1);
	corner(1, 16, 0, 0.25, 1);
	corner(2, 0, 16, 0.25, 1);
	CHECK(go() && all_are(MGF_TARGET_B, 0xff0000ff) && all_are(MGF_DEPTH, f32(0.25)));
	/* depth alone */
	two_targets(MGF_BACK);
	frag.flags = MALI_FRAG_SHADER_Z | MALI_FRAG_DEPTH_WRITE;
	f.push[8] = f32(0.75);
	mc_start(&f.main);
	mgf_word(&f.main, 21, 0, 1, 0);
	mgf_write(&f.main, 0xff, 0);
	CHECK(go() && all_are(MGF_TARGET_A, OLD) && all_are(MGF_DEPTH, f32(0.75)));
}

static void test_stencil(void)
{
	u32 i, bad = 0;

	two_targets(MGF_BACK);
	frag.flags = MALI_FRAG_SHADER_S | MALI_FRAG_STENCIL_TEST;
	/* not equal; replaced where it passes */
	frag.stencil_side[0] = 0xff00 | 5 << 16 | 1 << 25;
	f.push[8] = 9;
	mc_start(&f.main);
	mgf_word(&f.main, 21, 0, 1, 1);
	mgf_move(&f.main, 22, 0);
	mgf_write(&f.main, 1 << 8, 0);
	fx.mem[MGF_STENCIL + 8 * 3 + 5] = 9;
	bad += !go();
	for (i = 0; i < 64; i++)
		bad += fx.mem[MGF_STENCIL + i] != 9 ||
		       !!mgf_pixel(MGF_TARGET_B, i % 8, i / 8, 0) != (i != 8 * 3 + 5);
	tap_result(!bad, "the program's stencil value: %u wrong", bad);
}

/* ---- samples ---- */

static void edge(void)
{
	corner(0, 3.5, -20, 0, 1);
	corner(1, 3.5, 40, 0, 1);
	corner(2, -60, 10, 0, 1);
}

static void test_samples(void)
{
	static const s8 x4[4] = { -2, 6, -6, 2 };
	u32 s, x, bad = 0;

	mgf_new(&f, MGF_RGBA8, 4);
	edge();
	set_colour(0, 1, 1, 1, 1);
	mgf_move(&f.main, 23, 0);
	mgf_write(&f.main, 0, 0);
	bad += !go();
	for (s = 0; s < 4; s++)
		for (x = 0; x < 8; x++)
			bad += mgf_pixel(MGF_TARGET_A, x, 3, s) !=
			       (x < 3 || (x == 3 && x4[s] < 0) ? 0xffffffff : 0);
	tap_result(!bad, "samples at an edge: %u wrong", bad);
	/* sample values visible to the program */
	mgf_new(&f, MGF_R32UI, 4);
	edge();
	mgf_special(&f.main, 96, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(go() && mgf_pixel(MGF_TARGET_A, 2, 3, 1) == 15 &&
	      mgf_pixel(MGF_TARGET_A, 3, 3, 0) == 5 && !mgf_pixel(MGF_TARGET_A, 3, 3, 1));
	mgf_new(&f, MGF_R32UI, 4);
	frag.flags = MALI_FRAG_PER_SAMPLE;
	edge();
	mgf_special(&f.main, 97, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(go() && mgf_pixel(MGF_TARGET_A, 1, 1, 3) == 3 &&
	      mgf_pixel(MGF_TARGET_A, 3, 1, 2) == 2 && !mgf_pixel(MGF_TARGET_A, 3, 1, 3));
}

/* Varyings at samples, and at the first covered one. */
static void test_places(void)
{
	u32 x, s, v, bad = 0;

	for (x = 0; x < 2; x++) {
		alpha_columns();
		frag.target[0].format = MGF_R32F;
		frag.samples = 4;
		frag.flags = x ? 0 : MALI_FRAG_PER_SAMPLE;
		/* the sample position matters only in per-sample programs */
		bad += !go();
		for (s = 0; s < 4; s++) {
			static const double x4[4] = { -0.125, 0.375, -0.375, 0.125 };

			v = mgf_pixel(MGF_TARGET_A, 2, 2, s);
			bad += v != f32((2.5 + (x ? 0 : x4[s])) / 8);
		}
	}
	tap_result(!bad, "varyings at samples: %u wrong", bad);
	/* an edge of the primitive through the pixels of column 3: sample 0 is covered */
	alpha_columns();
	frag.target[0].format = MGF_R32F;
	frag.samples = 4;
	corner(0, 3.5, -12.5, 0, 1);
	corner(1, 3.5, 19.5, 0, 1);
	corner(2, -28.5, 3.5, 0, 1);
	for (s = 0; s < 12; s++) {
		v = s / 4 == 2 ? f32(-32) : 0;
		memcpy(fx.mem + MGF_VARYING + 4 * s, &v, 4);
	}
	mc_start(&f.main);
	mc_ldst(&f.main, MC_LS(.op = 0x98, .reg = 0, .mask = 15, .swizzle = MC_XYZW,
			       .arg_reg = 7, .index_reg = 7, .index_format = 2,
			       .offset = 0x30 | 1 << 9), MC_NOP_LS);
	mgf_write(&f.main, 0, 0);
	CHECK(go() && mgf_pixel(MGF_TARGET_A, 3, 3, 0) == f32(-0.125) &&
	      mgf_pixel(MGF_TARGET_A, 1, 3, 0) == f32(-2));
}

/* ---- bits ---- */

static const struct {
	const char *name;
	u32 format;
	u32 bytes;
} raws[] = {
	{ "RGBA8", MGF_RGBA8, 4 }, { "BGRA8", 187 << 12 | 0x60a, 4 },
	{ "RGBA8 SNORM", 99 << 12 | 24 << 12 | MGF_ORDER, 4 },
	{ "RGBA8 sRGB", 187 << 12 | MGF_ORDER | 1 << 20, 4 },
	{ "RG8", 171 << 12 | MGF_ORDER, 2 }, { "R8", 163 << 12 | MGF_ORDER, 1 },
	{ "RGB565", 64 << 12 | MGF_ORDER, 2 }, { "RGB10 A2", 67 << 12 | MGF_ORDER, 4 },
	{ "RGB5 A1", 65 << 12 | MGF_ORDER, 2 }, { "RGBA4", 0xba << 12 | MGF_ORDER, 2 },
	{ "RGBA32F", MGF_RGBA32F, 16 }, { "R32UI", MGF_R32UI, 4 },
	{ "RGBA16F", 223 << 12 | MGF_ORDER, 8 }, { "R11G11B10F", 0x59 << 12 | MGF_ORDER, 4 },
};

/* Bits that a program loads and stores leave memory as it is. */
static void test_raw(void)
{
	static u8 was[0x2000];
	u32 i, k, samples, s, bad;
	struct px_format fmt;
	u32 size;

	for (i = 0; i < ARRAY_SIZE(raws); i++) {
		bad = 0;
		for (samples = 1; samples <= 4; samples += 3) {
			struct mcode c;

			mgf_new(&f, raws[i].format, samples);
			bad += !mali_format_decode(MALI_V5, raws[i].format, &fmt) ||
			       fmt.bytes != raws[i].bytes;
			size = 64 * raws[i].bytes;
			frag.target[0].row_stride = 8 * raws[i].bytes;
			frag.target[0].sample_stride = size;
			/* the texels of sample 0 everywhere */
			for (k = 0; k < samples * size; k++)
				fx.mem[MGF_TARGET_A + k] = (k % size) * 37 + (k % size) / 8 * 11;
			memcpy(was, fx.mem + MGF_TARGET_A, sizeof(was));
			mgf_write(&f.main, 0, 0);
			mc_start(&c);
			mgf_load_tile(&c, 0xba, 0, 0, 0);
			/* all samples that are in the first 16 bytes, by the same words */
			for (s = raws[i].bytes <= 4 ? 1 : 2; s < 4 && raws[i].bytes <= 8; s++)
				mgf_word(&c, 0, raws[i].bytes <= 4 ? 0 : s - 2, 0, s);
			mgf_write(&c, 0, 0);
			mgf_blend(0, MGF_PROGRAM, mgf_put(&c, MGF_BLEND_A));
			bad += !go() || memcmp(was, fx.mem + MGF_TARGET_A, sizeof(was));
		}
		tap_result(!bad, "bits of %s", raws[i].name);
	}
	/* normalised components of 16 bits have no bits that are documented */
	mgf_new(&f, 0xbc << 12 | MGF_ORDER, 1);
	mgf_load_tile(&f.main, 0xba, 0, 0, 0);
	mgf_write(&f.main, 0, 0);
	CHECK(!go() && refused(MALI_RUN_BAD_FORMAT));
}

/* The words themselves, in a second target: as compilers expect them. */
static void test_words(void)
{
	static const struct {
		u32 format, bytes, texel, word;
	} cases[] = {
		{ MGF_RGBA8, 4, 0x44332211, 0x44332211 },
		{ 187 << 12 | 0x60a, 4, 0x44332211, 0x44112233 },
		/* r 5 lowest */
		{ 64 << 12 | MGF_ORDER, 2, 3 | 33 << 5 | 17 << 11, 24 | 132 << 8 | 136 << 16 },
		/* green has six bits in the tile: 17 * 63 / 31 is 34.5 */
		{ 65 << 12 | MGF_ORDER, 2, 3 | 17 << 5 | 9 << 10 | 1 << 15,
		  24 | 35 << 10 | 72 << 16 | 128u << 24 },
		/* the upper 8 bits of ten; the others and alpha in the last byte */
		{ 67 << 12 | MGF_ORDER, 4, 0x201 | 0x3fe << 10 | 0x103 << 20 | 2u << 30,
		  0x80 | 0xff << 8 | 0x40 << 16 | (1u | 2 << 2 | 3 << 4 | 2u << 6) << 24 },
		{ MGF_R32UI, 4, 0xdeadbeef, 0xdeadbeef },
	};
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		mgf_new(&f, cases[i].format, 1);
		frag.target[0].row_stride = 8 * cases[i].bytes;
		frag.target[1].format = MGF_R32UI;
		for (k = 0; k < 64; k++)
			memcpy(fx.mem + MGF_TARGET_A + cases[i].bytes * k, &cases[i].texel,
			       cases[i].bytes);
		mgf_load_tile(&f.main, 0xba, 0, 0, 0);
		mgf_write(&f.main, 1 << 8, 0);
		tap_result(go() && all_are(MGF_TARGET_B, cases[i].word), "word of format %x: %08x",
			   cases[i].format >> 12, mgf_pixel(MGF_TARGET_B, 0, 0, 0));
	}
}

/* Samples of a pixel are consecutive in the tile, 16 bytes per write. */
static void test_chunks(void)
{
	u32 s, bad = 0;
	struct mcode c;

	mgf_new(&f, MGF_RGBA8, 8);
	mgf_write(&f.main, 0, 0);
	mc_start(&c);
	mgf_move(&c, 23, 0);
	mgf_write(&c, 0, 0);
	mgf_move(&c, 22, 0);
	mgf_write(&c, 1, 0);
	for (s = 0; s < 8; s++)
		f.push[s] = 0x01010101 * (s + 1);
	mgf_blend(0, MGF_PROGRAM, mgf_put(&c, MGF_BLEND_A));
	bad += !go();
	for (s = 0; s < 8; s++)
		bad += mgf_pixel(MGF_TARGET_A, 4, 4, s) != 0x01010101 * (s + 1);
	tap_result(!bad, "samples of a blend program: %u wrong", bad);
	/* colours of the program's own sample */
	mgf_new(&f, MGF_RGBA8, 4);
	frag.flags = MALI_FRAG_PER_SAMPLE;
	for (s = 0; s < 4; s++)
		fx.mem[MGF_TARGET_A + MGF_SAMPLE * s + 32 * 2 + 4 * 2] = 51 * s;
	frag.target[1].format = MGF_R32F;
	mgf_load_tile(&f.main, 0xb8, 0, 0, 0);
	mgf_write(&f.main, 1 << 8, 0);
	bad = !go();
	for (s = 0; s < 4; s++)
		bad += fabs(num(mgf_pixel(MGF_TARGET_B, 2, 2, s)) - 0.2 * s) > 1e-6;
	tap_result(!bad, "colours of the own sample: %u wrong", bad);
}

int main(void)
{
	tap_start();
	test_call();
	test_two_programs();
	test_refused();
	test_branches();
	test_no_tile();
	test_work_registers();
	test_constant();
	test_point();
	test_alpha();
	test_depth();
	test_stencil();
	test_samples();
	test_places();
	test_raw();
	test_words();
	test_chunks();
	fx_free();
	return tap_done();
}
