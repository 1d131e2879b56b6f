// SPDX-License-Identifier: GPL-2.0
/*
 * State of fragments at random, of both families, against the reference model: coverage, samples,
 * alpha, stencil, depth, blending. Several primitives on the same images.
 */
#include "../ref/mali_ref_frag.h"
#include "mgfrag.h"

#define CASES		600
#define DRAWS		3
#define RGBA8_V7	(187u << 12)
#define TILE_RGBA8	(237u << 12 | 1u << 24)
#define FIXED_FUNCTION	2u

static u32 seed;

static u32 rnd(u32 n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static bool maybe(u32 one_in)
{
	return !rnd(one_in);
}

/* ---- programs of Bifrost ---- */

/* r0 .. r5 = u0 .. u2; ATEST r60, r60, r3 */
static const u32 load_and_atest[] = {
	0x01458029, 0x80cb606c, 0xc00765b7, 0x00000008,
	0x00018121, 0x80cb187c, 0x140f65b3, 0x58c16004,
	0x00c38289, 0x80cb182c, 0xe03765b3, 0x0001d96d,
	0x01048251, 0x80cb182c, 0x000765b7, 0x00000000,
	0x0f3c0029, 0x80cb186c, 0xc0076593, 0x4b460f8c,
	0x30000043, 0x80cb1df8, 0x00023d07, 0xc0000000,
};

/* ZS_EMIT r60, r4, r5, r60; word 2 takes the modifiers */
static const u32 zs_emit[] = { 0x4f3c004e, 0x80cb1b0a, 0xc0050023, 0x4b060f88 };
#define EMIT_Z		0xf200
#define EMIT_S		0xea00
/* BLEND r48, r60, descriptor 0, @r0 */
static const u32 blend[] = { 0xcc30084e, 0x80cb186b, 0x0002a583, 0x02400004 };

static void put_bifrost(const struct mrs_draw *d)
{
	u32 emit[ARRAY_SIZE(zs_emit)];
	u8 *to = fx.mem + MGF_CODE;

	memcpy(to, load_and_atest, sizeof(load_and_atest));
	to += sizeof(load_and_atest);
	if (d->program_z || d->program_s) {
		memcpy(emit, zs_emit, sizeof(emit));
		emit[2] |= (d->program_z ? EMIT_Z : 0) | (d->program_s ? EMIT_S : 0);
		memcpy(to, emit, sizeof(emit));
		to += sizeof(emit);
	}
	memcpy(to, blend, sizeof(blend));
}

/* ---- a draw ---- */

static u32 func(const struct mrs_function *f)
{
	return f->a | f->minus_a << 3 | f->b << 4 | f->minus_b << 7 | f->c << 8 |
	       f->one_minus_c << 11;
}

static struct mrs_function random_function(void)
{
	return (struct mrs_function){ 1 + rnd(3), rnd(4), 1 + rnd(7), maybe(3), maybe(3),
				      maybe(2) };
}

/* Mostly within the image; multiples of 1/256, often of a half. */
static float coordinate(void)
{
	s32 v = (s32)rnd(16 * 256) - 4 * 256;

	return (maybe(2) ? v & ~127 : v) / 256.0f;
}

/* Comparisons that pass more often than not. */
static u32 comparison(void)
{
	return maybe(3) ? 7 : rnd(8);
}

static struct mrs_stencil random_stencil(void)
{
	return (struct mrs_stencil){
		.ref = rnd(4), .mask = maybe(2) ? 255 : rnd(256), .func = comparison(),
		.fail = rnd(8), .zfail = rnd(8), .pass = rnd(8),
		.writable = maybe(2) ? 255 : rnd(256),
	};
}

static void random_depth(struct mrs_draw *d)
{
	static const float zs[] = { -1, 0, 0.25f, 0.5f, 0.75f, 1, 2 };
	u32 i;

	d->depth_test = maybe(2);
	d->depth_write = maybe(2);
	d->depth_func = comparison();
	d->program_z = maybe(4);
	d->z = zs[rnd(ARRAY_SIZE(zs))];
	for (i = 0; i < 3; i++)
		d->corner[i][2] = zs[1 + rnd(5)];
}

static void random_draw(struct mrs_draw *d, u32 samples)
{
	u32 i;

	memset(d, 0, sizeof(*d));
	d->prim = rnd(3);
	for (i = 0; i < 3; i++) {
		d->corner[i][0] = coordinate();
		d->corner[i][1] = coordinate();
	}
	d->size = (1 + rnd(8 * 256)) / 256.0f;
	d->back = d->prim == MRS_TRIANGLE && maybe(2);
	d->samples = samples;
	d->sample_mask = maybe(3) ? rnd(1u << samples) : 0;
	d->per_sample = samples > 1 && maybe(3);
	d->late = maybe(3);
	d->alpha_test = maybe(3);
	d->alpha_func = comparison();
	d->alpha_ref = rnd(5) / 4.0f;
	d->alpha_to_coverage = maybe(4);
	random_depth(d);
	d->stencil_test = maybe(2);
	d->stencil[0] = random_stencil();
	d->stencil[1] = random_stencil();
	d->program_s = d->stencil_test && maybe(3);
	d->s = rnd(1000);
	for (i = 0; i < 4; i++)
		d->colour[i] = maybe(2) ? rnd(5) / 4.0f : (float)rnd(3000) / 1000 - 1;
	d->enable = !maybe(8);
	d->rgb = random_function();
	d->alpha = random_function();
	/* as in Bifrost's descriptors: a byte for these targets */
	d->constant = rnd(256) * (1.0f / 255.0f);
	d->components = maybe(2) ? 15 : rnd(16);
	d->alpha_to_one = maybe(4);
	/* values vary across it only through its corners */
	if (d->prim == MRS_RECT)
		d->corner[0][2] = 0;
}

static u32 side(const struct mrs_stencil *s)
{
	return s->ref | s->mask << 8 | s->func << 16 | s->fail << 19 | s->zfail << 22 |
	       s->pass << 25;
}

static u32 flags_of(const struct mrs_draw *d)
{
	return (d->back ? MALI_FRAG_BACK : 0) | (d->per_sample ? MALI_FRAG_PER_SAMPLE : 0) |
	       (d->late ? MALI_FRAG_LATE : 0) | (d->alpha_test ? MALI_FRAG_ALPHA_TEST : 0) |
	       (d->alpha_to_coverage ? MALI_FRAG_ALPHA_TO_COVERAGE : 0) |
	       (d->depth_test ? MALI_FRAG_DEPTH_TEST : 0) |
	       (d->depth_write ? MALI_FRAG_DEPTH_WRITE : 0) |
	       (d->program_z ? MALI_FRAG_SHADER_Z : 0) |
	       (d->stencil_test ? MALI_FRAG_STENCIL_TEST : 0) |
	       (d->program_s ? MALI_FRAG_SHADER_S : 0);
}

static void set_primitive(const struct mrs_draw *d)
{
	static const u32 prims[] = { MALI_PRIM_RECT, MALI_PRIM_TRIANGLE, MALI_PRIM_POINT };
	u32 i, k;

	frag.prim = prims[d->prim];
	for (i = 0; i < 3; i++) {
		for (k = 0; k < 3; k++)
			frag.vertex[i][k] = f32(d->corner[i][k]);
		frag.vertex[i][3] = f32(1);
	}
	frag.point_size = f32(d->size);
}

static void set_state(const struct mrs_draw *d, bool midgard)
{
	u32 equation = func(&d->rgb) | func(&d->alpha) << 12 | d->components << 28;
	u32 flags = (d->enable ? 0x200 : 0) | (d->alpha_to_one ? 0x100 : 0);

	set_primitive(d);
	frag.flags = flags_of(d);
	frag.samples = d->samples;
	frag.sample_mask = d->sample_mask;
	frag.alpha_func = d->alpha_func;
	frag.alpha_ref = f32(d->alpha_ref);
	frag.depth_func = d->depth_func;
	frag.stencil_side[0] = side(&d->stencil[0]);
	frag.stencil_side[1] = side(&d->stencil[1]);
	frag.stencil_write = d->stencil[0].writable | d->stencil[1].writable << 8;
	if (midgard)
		frag.blend[0] = (struct mali_blend){ flags, 0, { equation, f32(d->constant) } };
	else
		frag.blend[0] = (struct mali_blend){
			flags | (u32)(d->constant * 255 + 0.5f) << 24, equation,
			{ FIXED_FUNCTION, TILE_RGBA8 } };
}

/* r0 = u0, r1.x = u1.x, r1.y = u1.y; write. */
static void midgard_program(struct mcode *c)
{
	mc_start(c);
	mgf_move(c, 23, 0);
	mgf_word(c, 22, 0, 1, 0);
	mgf_word(c, 22, 1, 1, 1);
	mgf_write(c, 0, 0);
}

static bool draw(struct mgf *f, const struct mrs_draw *d, bool midgard, enum vs_simd simd)
{
	u32 i;

	set_state(d, midgard);
	for (i = 0; i < 4; i++)
		f->push[i] = f32(d->colour[i]);
	f->push[4] = f32(d->z);
	f->push[5] = d->s;
	if (midgard)
		midgard_program(&f->main);
	else
		put_bifrost(d);
	return mgf_run(f, simd);
}

/* ---- images ---- */

static void random_images(struct mrs_images *m)
{
	static const float zs[] = { 0, 0.25f, 0.5f, 0.75f, 1 };
	u32 s, y, x;

	for (s = 0; s < MRS_SAMPLES; s++)
		for (y = 0; y < MRS_SIZE; y++)
			for (x = 0; x < MRS_SIZE; x++) {
				m->colour[s][y][x] = rnd(1 << 24) | rnd(256) << 24;
				m->depth[s][y][x] = zs[rnd(ARRAY_SIZE(zs))];
				m->stencil[s][y][x] = (u8)(maybe(4) ? rnd(256) : rnd(4));
			}
}

static void put_images(const struct mrs_images *m)
{
	memcpy(fx.mem + MGF_TARGET_A, m->colour, sizeof(m->colour));
	memcpy(fx.mem + MGF_DEPTH, m->depth, sizeof(m->depth));
	memcpy(fx.mem + MGF_STENCIL, m->stencil, sizeof(m->stencil));
}

/* Differing images: bit 0 colours, 1 depths, 2 stencil values. */
static u32 differ(const struct mrs_images *m)
{
	bool colour = memcmp(fx.mem + MGF_TARGET_A, m->colour, sizeof(m->colour));
	bool depth = memcmp(fx.mem + MGF_DEPTH, m->depth, sizeof(m->depth));
	bool stencil = memcmp(fx.mem + MGF_STENCIL, m->stencil, sizeof(m->stencil));

	return colour | depth << 1 | stencil << 2;
}

/* ---- cases ---- */

static void begin(struct mgf *f, bool midgard)
{
	mgf_new(f, midgard ? MGF_RGBA8 : RGBA8_V7, 1);
	frag.ntargets = 1;
	if (midgard)
		return;
	f->work.gpu = MALI_G52;
	f->work.arch = MALI_V7;
	f->work.work_regs = 0;
	f->work.npush = 6;
	f->work.preload = 0x3e00;
	frag.depth.format = R32F;
	frag.stencil.format = 131 << 12;
	mc_start(&f->main);
}

static u32 counts[16];	/* which features met */

static void count(const struct mrs_draw *d, const struct mrs_images *before,
		  const struct mrs_images *after)
{
	const bool what[16] = {
		memcmp(before->colour, after->colour, sizeof(after->colour)),
		memcmp(before->depth, after->depth, sizeof(after->depth)),
		memcmp(before->stencil, after->stencil, sizeof(after->stencil)),
		d->per_sample, d->samples == 4, d->samples == 8, d->samples == 16, d->late,
		d->program_z, d->program_s, d->alpha_test, d->alpha_to_coverage, d->back,
		d->prim == MRS_POINT, d->prim == MRS_TRIANGLE, d->sample_mask,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(what); i++)
		counts[i] += what[i];
}

static bool one(u32 number, bool midgard, enum vs_simd simd)
{
	static struct mrs_images want, before;
	static const u8 samples[] = { 1, 4, 8, 16 };
	static struct mgf f;
	struct mrs_draw d;
	u32 i, n, bad;

	seed = number * 2654435761u;
	n = samples[rnd(4)];
	begin(&f, midgard);
	random_images(&want);
	put_images(&want);
	for (i = 0; i < DRAWS; i++) {
		random_draw(&d, n);
		if (midgard && maybe(4))
			d.constant = (float)rnd(4000) / 1000 - 1;
		before = want;
		mrs_run(&d, &want);
		count(&d, &before, &want);
		if (!draw(&f, &d, midgard, simd)) {
			tap_comment("case %u, draw %u: fault %u, %s", number, i, fx.fault.kind,
				    mali_run_reason_text(fx.fault.code));
			return false;
		}
		bad = differ(&want);
		if (bad) {
			tap_comment("case %u, draw %u: %s%s%sdiffer; flags %x, %u samples, prim %u",
				    number, i, bad & 1 ? "colours " : "",
				    bad & 2 ? "depths " : "", bad & 4 ? "stencil values " : "",
				    frag.flags, n, d.prim);
			return false;
		}
	}
	return true;
}

static void family(const char *name, bool midgard)
{
	u32 simd, i, bad;

	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		bad = 0;
		for (i = 0; i < CASES && bad < 5; i++)
			bad += !one(i, midgard, simd);
		tap_result(!bad, "%s, %s: %u cases of state, %u differ", name, vs_simd_name(simd),
			   i, bad);
	}
}

int main(void)
{
	u32 i, few = 0;

	tap_start();
	family("Midgard", true);
	family("Bifrost", false);
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		few += counts[i] < CASES / 10;
	tap_result(!few, "all kinds of state are among them: %u are rare", few);
	fx_free();
	return tap_done();
}
