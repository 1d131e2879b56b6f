// SPDX-License-Identifier: GPL-2.0
/*
 * The tile buffer against scalar models: depth, stencil, blending, alpha to coverage; images in
 * all formats and layouts; blocks of quads.
 */
#include <math.h>

#include "rt.h"

#define IMAGE_VA	0x100000ULL
#define IMAGE_SIZE	(4U << 20)
#define V7_RGBA		0	/* order of components */

static u8 memory[4 << 20] __aligned(16), *image_mem;
static struct vs_extent extent;
static struct vs_map map;

static bool tile_new(struct vr_tile *t)
{
	u32 bytes = vr_tile_bytes(t);

	if (!bytes || bytes > sizeof(memory))
		return false;
	vr_tile_place(t, memory);
	return true;
}

/* ---- depth and stencil ---- */

static bool passes(u32 func, double a, double b)
{
	/* never, less, equal, lequal, greater, notequal, gequal, always */
	switch (func) {
	case 0:
		return false;
	case 1:
		return a < b;
	case 2:
		return a == b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	case 5:
		return a != b;
	case 6:
		return a >= b;
	default:
		return true;
	}
}

static u32 operate(u32 op, u32 v, u32 ref)
{
	static const s32 add[8] = { [VR_INCR_WRAP] = 1, [VR_DECR_WRAP] = -1, [VR_INCR] = 1,
				    [VR_DECR] = -1 };
	s32 n = (s32)v + add[op];

	if (op == VR_REPLACE)
		return ref;
	if (op == VR_ZERO)
		return 0;
	if (op == VR_INVERT)
		return 255 - v;
	if (op == VR_INCR || op == VR_DECR)
		n = n < 0 ? 0 : n > 255 ? 255 : n;
	return n & 255;
}

static double quantised(u32 zformat, float z)
{
	double n = zformat == VR_Z16 ? 65535 : 16777215;

	return zformat == VR_Z32F ? z : floor(fmin(fmax(z, 0), 1) * n + 0.5);
}

struct zs_model {
	double z;
	u32 s;
};

/* Return: does the sample pass? */
static bool zs_sample(struct zs_model *m, const struct vr_zs *zs, bool back, u32 zformat, float z,
		      u32 ref)
{
	const struct vr_stencil *s = &zs->side[back];
	double q = quantised(zformat, z);
	u32 op = s->pass;
	bool ok = true;

	if (zs->flags & VR_STENCIL_TEST &&
	    !passes(s->func, (double)(ref & s->read), (double)(m->s & s->read))) {
		op = s->fail;
		ok = false;
	} else if (zs->flags & VR_DEPTH_TEST && !passes(zs->func, q, m->z)) {
		op = s->zfail;
		ok = false;
	}
	if (zs->flags & VR_STENCIL_TEST)
		m->s = (m->s & ~s->write & 255) | (operate(op, m->s, ref) & s->write);
	if (ok && zs->flags & VR_DEPTH_WRITE)
		m->z = q;
	return ok;
}

static void random_zs(struct vr_zs *zs)
{
	u32 i;

	zs->flags = rt_rnd(8);
	zs->func = rt_rnd(8);
	for (i = 0; i < 2; i++)
		zs->side[i] = (struct vr_stencil){ .ref = rt_rnd(256),
			.read = rt_rnd(2) ? 255 : rt_rnd(256),
			.write = rt_rnd(2) ? 255 : rt_rnd(256), .func = rt_rnd(8),
			.fail = rt_rnd(8), .zfail = rt_rnd(8), .pass = rt_rnd(8) };
}

static void test_zs(void)
{
	static const float depths[] = { 0, 0.25, 0.5, 0.5000001f, 0.75, 1 };
	u32 n = rt_long ? 1000000 : 40000, i, k, bad = 0, wrong_count = 0;
	struct zs_model m[4][16];
	struct vr_tile t;
	struct vr_zs zs;

	for (i = 0; i < n; i++) {
		u32 z[16], ref[4], quad = rt_rnd(4), at, x, y, what = VR_ZS_TEST | VR_ZS_WRITE;
		u64 cover, want = 0, got;
		bool own_ref = rt_rnd(2), back = rt_rnd(2);
		u64 passed;

		if (i % 50 == 0) {
			float z0 = depths[rt_rnd(ARRAY_SIZE(depths))];
			u32 s0 = rt_rnd(256);

			t = (struct vr_tile){ .samples = i % 100 ? 4 : 1, .x = 64, .y = 128,
					      .zformat = 1 + rt_rnd(3), .has_stencil = true };
			if (!tile_new(&t))
				bad++;
			vr_tile_clear_zs(&t, rt_bits(z0), s0);
			for (k = 0; k < 64; k++)
				m[k / 16][k % 16] = (struct zs_model){
					quantised(t.zformat, z0), s0 };
		}
		random_zs(&zs);
		x = 64 + 62 * (quad & 1);
		y = 128 + 62 * (quad >> 1);
		for (k = 0; k < 16; k++)
			z[k] = rt_bits(rt_rnd(2) ? depths[rt_rnd(ARRAY_SIZE(depths))] :
				       (float)rt_between(0, 1));
		for (k = 0; k < 4; k++)
			ref[k] = rt_rnd(256);
		cover = rt_rnd_cover(t.samples);
		/* test, then write what has passed: the same, unless a write came between */
		passed = t.passed;
		if (rt_rnd(2)) {
			got = vr_tile_zs(&t, &zs, back, x, y, cover, z, own_ref ? ref : NULL,
					 VR_ZS_TEST);
			what = VR_ZS_WRITE;
		} else {
			got = cover;
		}
		got = vr_tile_zs(&t, &zs, back, x, y, got, z, own_ref ? ref : NULL, what);
		for (k = 0; k < 4 * t.samples; k++) {
			u64 bit = VR_SAMPLE(k % 4, k / 4);

			if (cover & bit &&
			    zs_sample(&m[quad][k], &zs, back, t.zformat, rt_float(z[k]),
				      own_ref ? ref[k % 4] : zs.side[back].ref))
				want |= bit;
			at = vr_tile_index(&t, x, y) + k;
			bad += m[quad][k].s != t.s[at];
			bad += t.zformat == VR_Z32F ?
			       m[quad][k].z != rt_float(vr_depth_value(VR_Z32F, t.z[at])) :
			       m[quad][k].z != t.z[at];
		}
		bad += want != got;
		wrong_count += t.passed - passed != hweight64(want);
	}
	tap_result(!bad, "%u quads of any depth and stencil state (%u differ)", n, bad);
	tap_result(!wrong_count, "samples that pass are counted");
}

static void test_depth_codes(void)
{
	u32 i, bad = 0, z, last[4] = {};

	for (i = 0; i < 200000; i++) {
		double scale = rt_rnd(2) ? 1 : pow(2, -(s32)rt_rnd(60));
		float f = (float)(rt_between(-0.2, 1.2) * scale);

		z = rt_bits(f);
		bad += vr_depth_code(VR_Z16, z) != quantised(VR_Z16, f);
		bad += vr_depth_code(VR_Z24, z) != quantised(VR_Z24, f);
		bad += rt_float(vr_depth_value(VR_Z32F, vr_depth_code(VR_Z32F, z))) != f;
	}
	/* codes are in the order of depths */
	for (z = 0x80000000; z < 0xff800000; z += 0x1357) {
		u32 code = vr_depth_code(VR_Z32F, z);

		bad += last[0] && code > last[0];
		last[0] = code;
	}
	tap_result(!bad, "codes of depths (%u differ)", bad);
	CHECK(!vr_depth_code(VR_Z24, 0x7fc00000) && !vr_depth_code(VR_Z16, 0xff800000) &&
	      vr_depth_code(VR_Z24, 0x7f800000) == 0xffffff);
	CHECK(vr_depth_code(VR_Z32F, 0) == vr_depth_code(VR_Z32F, 0x80000000) &&
	      vr_depth_code(VR_Z32F, 0) == vr_depth_code(VR_Z32F, 0x7fc00000));
}

static bool alpha_test(u32 func, float alpha, float ref)
{
	const struct vr_alpha a = { .func = func, .ref = rt_bits(ref) };

	return vr_alpha_passes(&a, rt_bits(alpha));
}

static void test_alpha(void)
{
	static const u8 samples[] = { 1, 4, 8, 16 };
	u32 i, k, n, bad = 0;

	for (i = 0; i <= 4000; i++) {
		double a = i / 4000.0;

		k = samples[i % 4];
		n = (u32)floor(a * k + 0.5);
		bad += vr_alpha_cover(k, rt_bits((float)a)) != (1U << n) - 1;
	}
	tap_result(!bad, "alpha to coverage");
	CHECK(alpha_test(1, -1, 0) && !alpha_test(1, -0.0f, 0) && alpha_test(2, -0.0f, 0) &&
	      alpha_test(6, 2, -2) && !alpha_test(6, NAN, 1) && alpha_test(7, NAN, 1) &&
	      !alpha_test(3, 1, -NAN) && !alpha_test(0, 0, 0));
	/* 0.4 is 102 of 255, which is also what 0.401 is rounded to */
	for (i = 0; i < 8; i++) {
		const struct vr_alpha a = { .func = i, .bytes = true, .ref = 102 };

		bad += vr_alpha_passes(&a, rt_bits(0.401f)) != !!(i & 2);
		bad += vr_alpha_passes(&a, rt_bits(0.403f)) != !!(i & 4);
		bad += vr_alpha_passes(&a, rt_bits(-7)) != !!(i & 1);
	}
	tap_result(!bad, "alpha test of bytes");
	CHECK(!vr_alpha_cover(4, 0x7fc00000) && !vr_alpha_cover(4, rt_bits(-1)) &&
	      vr_alpha_cover(4, rt_bits(9)) == 15);
}

/* ---- blending ---- */

/* A term of a component; @s: source, second colour. */
static double term_model(const struct vr_blend *b, const struct vr_term *t, double s[2][4],
			 const double *d, u32 i)
{
	u32 k = t->alpha ? 3 : i;
	double f[VR_NUM_FACTORS] = { 0, s[0][k], d[k], s[1][k], rt_float(b->constant[k]),
				     2 * s[0][k], i == 3 ? 1 : fmin(s[0][3], 1 - d[3]) };

	return (t->src * s[0][i] + t->dst * d[i]) * (t->invert ? 1 - f[t->factor] : f[t->factor]);
}

static double blend_model(const struct vr_blend *b, double s[2][4], const double *d, u32 i)
{
	const struct vr_function *f = &b->f[i == 3];
	double x = term_model(b, &f->a, s, d, i), y = term_model(b, &f->b, s, d, i);

	if (f->op >= VR_BLEND_SUM_MIN)
		return f->op == VR_BLEND_SUM_MIN ? fmin(x + y, d[i]) : fmax(x + y, d[i]);
	return f->op == VR_BLEND_MIN ? fmin(x, y) : f->op == VR_BLEND_MAX ? fmax(x, y) : x + y;
}

/* Values that the format has: what blending makes of them has no error but the last rounding. */
static void test_blend(void)
{
	struct px_format f = rt_format(0xbb, V7_RGBA, false);
	u32 n = rt_long ? 500000 : 30000, i, k, c, s, bad = 0;
	static const struct vr_function replace = { .a = { .src = 1, .invert = true } };
	struct vr_tile t = { .ntargets = 2, .format = { f, f } };

	for (i = 0; i < n; i++) {
		struct vr_blend b = { .f = { rt_rnd_function(), rt_rnd_function() },
				      .write = rt_rnd(16), .alpha_one = !rt_rnd(4) };
		u32 src[2][4][4], x = 2 * rt_rnd(32), y = 2 * rt_rnd(32);
		u64 cover;
		double sd[2][4], dd[4], want;
		u8 clear[4], *p;

		t.samples = i / 100 % 2 ? 4 : 1;
		if (i % 100 == 0 && !tile_new(&t))
			bad++;
		for (c = 0; c < 4; c++)
			clear[c] = rt_rnd(256);
		/* only the quad, not all of the buffer */
		for (k = 0; k < 4 * t.samples; k++)
			memcpy(t.colour[1] + (vr_tile_index(&t, x, y) + k) * 4, clear, 4);
		cover = rt_rnd_cover(t.samples);
		for (k = 0; k < 16; k++) {
			src[0][k / 4][k % 4] = rt_bits((float)rt_between(-0.2, 1.2));
			src[1][k / 4][k % 4] = rt_bits((float)rt_between(-0.2, 1.2));
			b.constant[k % 4] = rt_bits((float)rt_between(0, 1));
		}
		if (rt_rnd(8) == 0)
			b.f[0] = replace;
		if (!vr_blend_ok(&b, &f))
			bad++;
		rt_blend_quad(vs_simd_best(), &t, 1, &b, x, y, cover, (const u32 (*)[4])src[0],
			      (const u32 (*)[4])src[1]);
		for (k = 0; k < 4; k++) {
			for (c = 0; c < 4; c++) {
				for (s = 0; s < 2; s++)
					sd[s][c] = fmin(fmax(rt_float(src[s][k][c]), 0), 1);
				dd[c] = clear[c] / 255.0;
			}
			if (b.alpha_one)
				sd[0][3] = 1;
			for (s = 0; s < t.samples; s++) {
				p = t.colour[1] + (vr_tile_index(&t, x, y) + 4 * s + k) * 4;
				for (c = 0; c < 4; c++) {
					want = fmin(fmax(blend_model(&b, sd, dd, c), 0), 1) * 255;
					if (!(cover & VR_SAMPLE(k, s) && b.write >> c & 1))
						want = clear[c];
					bad += fabs(want - p[c]) > 0.5001;
				}
			}
		}
	}
	tap_result(!bad, "%u quads of any blend state (%u components differ)", n, bad);
	CHECK(!vr_blend_ok(&(struct vr_blend){ .f[0].op = VR_NUM_BLEND_OPS }, &f) &&
	      !vr_blend_ok(&(struct vr_blend){ .f[0].a.src = 2 }, &f) &&
	      !vr_blend_ok(&(struct vr_blend){ .f[1].b.factor = VR_NUM_FACTORS }, &f) &&
	      !vr_blend_ok(&(struct vr_blend){ .logic = VR_NUM_LOGIC }, &f));
}

static void test_logic(void)
{
	static const u32 words[] = { 0xbb, 0x40 };
	u32 src[4] = { rt_bits(1), rt_bits(0), rt_bits(0x5a / 255.0f), rt_bits(0) };
	u32 i, op, old, new, want, p, bad = 0;
	struct vr_blend b = { .write = 15 };
	struct px_format f;

	for (i = 0; i < 32; i++) {
		f = rt_format(words[i & 1], V7_RGBA, false);
		op = i / 2;
		b.logic = VR_LOGIC_CLEAR + op;
		old = (u32)rt_rnd64() & (f.bytes == 2 ? 0xffff : ~0U);
		new = 0;
		px_pack(&f, src, 4, &new);
		want = (op & 1 ? ~new & ~old : 0) | (op & 2 ? ~new & old : 0) |
		       (op & 4 ? new & ~old : 0) | (op & 8 ? new & old : 0);
		p = old;
		vr_blend_pixel(vs_simd_best(), &f, &b, src, NULL, &p);
		bad += memcmp(&p, &want, f.bytes) != 0;
	}
	tap_result(!bad, "logic operations (%u differ)", bad);
	f = rt_format(0xbb, V7_RGBA, false);
	b.logic = VR_LOGIC_XOR;
	b.write = 4;
	p = 0x12345678;
	vr_blend_pixel(vs_simd_best(), &f, &b, src, NULL, &p);
	CHECK(p == (0x12345678 ^ 0x5a0000));
	b.logic = VR_LOGIC_COPY;
	b.write = 15;
	vr_blend_pixel(vs_simd_best(), &f, &b, src, NULL, &p);
	CHECK(p == 0x005a00ff);
}

/* Blocks of any number of quads. Bytes are blended by other code where there is floating point. */
static void test_blend_builds(void)
{
	static const u16 orders[] = { 0, 4, 8, 10, 12 };
	u32 n = rt_long ? 200000 : 5000, i, k, l, bad = 0, simd, size;
	static u32 src[2][4][VS_LANES];
	static u8 was[VR_TILE * 4 * 16], first[sizeof(was)];
	struct vr_tile t = { .ntargets = 1 };
	struct vr_batch batch;
	u16 cover[VS_LANES];

	for (i = 0; i < n; i++) {
		struct vr_blend b = rt_rnd_blend();
		const struct vr_blend *state = rt_rnd(8) ? &b : NULL;

		t.samples = i < n / 2 ? 1 : 4;
		t.format[0] = rt_format(0xbb, orders[rt_rnd(ARRAY_SIZE(orders))], !rt_rnd(8));
		if (i % (n / 2) == 0 && !tile_new(&t))
			bad++;
		/* two rows of pixels */
		size = VR_TILE * 2 * 4 * t.samples;
		rt_fill(was, size);
		vr_batch_clear(&batch);
		for (k = 1 + rt_rnd(VR_QUADS); k; k--)
			vr_batch_add(&batch, 0, 4 * batch.n, 0, 0, 0);
		for (l = 0; l < VS_LANES; l++) {
			cover[l] = rt_rnd(2) ? 15 : rt_rnd(16);
			for (k = 0; k < 8; k++)
				src[k / 4][k % 4][l] = rt_component();
		}
		for (simd = VS_SIMD_PORTABLE; simd < VS_NUM_SIMD; simd++) {
			if (!(vs_simd_mask() >> simd & 1))
				continue;
			memcpy(t.colour[0], was, size);
			vr_tile_blend(simd, &t, 0, &t.format[0], state, &batch, cover,
				      (const u32 (*)[VS_LANES])src[0],
				      i % 2 ? (const u32 (*)[VS_LANES])src[1] : NULL);
			if (simd == VS_SIMD_PORTABLE)
				memcpy(first, t.colour[0], size);
			bad += memcmp(t.colour[0], first, size) != 0;
		}
	}
	tap_result(!bad, "%u blocks are blended alike by all builds (%u are not)", n, bad);
}

/* ---- dirty buffers ---- */

/* Draw a quad to target 1, depth and stencil; also with nothing that passes. */
static void draw_any(struct vr_tile *t, u32 x, u32 y)
{
	struct vr_blend b = rt_rnd_blend();
	static u32 src[4][VS_LANES];
	struct vr_batch batch;
	u16 cover[VS_LANES];
	struct vr_zs zs;
	u32 z[16], i;
	u64 left;

	random_zs(&zs);
	for (i = 0; i < 16; i++)
		z[i] = rt_bits((float)rt_between(0, 1));
	left = vr_tile_zs(t, &zs, false, x, y, rt_rnd_cover(4), z, NULL,
			  VR_ZS_TEST | VR_ZS_WRITE);
	vr_batch_clear(&batch);
	vr_batch_add(&batch, 0, x, y, left, vr_pixels_of(left));
	for (i = 0; i < VS_LANES; i++) {
		cover[i] = i < 4 ? VR_PIXEL(left, i) : 0;
		src[0][i] = rt_component();
	}
	vr_tile_blend(vs_simd_best(), t, 1, &t->format[1], &b, &batch, cover,
		      (const u32 (*)[VS_LANES])src, NULL);
}

/* Parts of a buffer that two states of it differ in. @bytes: of a sample */
static u32 changed_parts(const struct vr_tile *t, const u8 *a, const u8 *b, u32 bytes)
{
	u32 x, y, parts = 0, size = 4 * t->samples * bytes;

	for (y = 0; y < VR_TILE; y += 2)
		for (x = 0; x < VR_TILE; x += 2)
			if (memcmp(a + vr_tile_index(t, x, y) * bytes,
				   b + vr_tile_index(t, x, y) * bytes, size))
				parts |= 1U << (y / 16 * 4 + x / 16);
	return parts;
}

/* Changed pixels are dirty, unless they are loaded; nothing else is. */
static void test_dirty(void)
{
	struct vr_tile t = { .samples = 4, .ntargets = 2, .zformat = VR_Z24, .has_stencil = true,
			     .format = { rt_format(0xbb, 0, false), rt_format(0xbb, 0, false) } };
	u32 n = rt_long ? 20000 : 600, i, k, x, y, bad = 0, part, all = 0, size;
	const struct vr_image z24 = { .zs = VR_IMAGE_Z24X8 }, s8 = { .zs = VR_IMAGE_S8 };
	const struct vr_image both = { .zs = VR_IMAGE_Z24S8 };
	static u8 was[sizeof(memory)];

	bad += !tile_new(&t);
	size = vr_tile_bytes(&t);
	for (i = 0; i < n; i++) {
		u32 changed[3], dirty[3];

		vr_tile_clear(&t, 0, &(u32){ 0 });
		vr_tile_clear(&t, 1, &(u32){ 0x80808080 });
		vr_tile_clear_zs(&t, 0x3f000000, 0x80);
		for (k = 0; k < VR_NUM_DIRTY; k++)
			bad += t.dirty[k] != 0;
		memcpy(was, memory, size);
		t.loads = i % 3 == 0;
		x = 2 * rt_rnd(32);
		y = 2 * rt_rnd(32);
		draw_any(&t, x, y);
		part = 1U << (y / 16 * 4 + x / 16);
		changed[0] = changed_parts(&t, t.colour[1], was + (t.colour[1] - memory), 4);
		changed[1] = changed_parts(&t, (u8 *)t.z, was + ((u8 *)t.z - memory), 4);
		changed[2] = changed_parts(&t, t.s, was + (t.s - memory), 1);
		dirty[0] = vr_io_dirty(&t, &both, 1);
		dirty[1] = vr_io_dirty(&t, &z24, VR_ATT_ZS);
		dirty[2] = vr_io_dirty(&t, &s8, VR_ATT_ZS);
		for (k = 0; k < 3; k++) {
			bad += (changed[k] & ~dirty[k] && !t.loads) || dirty[k] & ~part ||
			       (t.loads && dirty[k]);
			all |= (u32)!!dirty[k] << k | (u32)(!dirty[k] && !t.loads) << (3 + k);
		}
		bad += vr_io_dirty(&t, &both, VR_ATT_ZS) != (dirty[1] | dirty[2]);
		bad += t.dirty[0] != 0;
	}
	tap_result(!bad && all == 63, "%u quads: what draws change is dirty (%u wrong)", n, bad);
}

/* ---- images ---- */

static const struct {
	const char *name;
	u8 code;
	u8 order;
	bool srgb;
} formats[] = {
	{ "RGBA8", 0xbb, 0, false }, { "BGRA8", 0xbb, 4, false }, { "sRGB", 0xbb, 0, true },
	{ "RGB565", 0x40, 0, false }, { "RGB5A1", 0x41, 0, false }, { "RGBA4", 0xba, 0, false },
	{ "RGB10A2", 0x43, 0, false }, { "RGB10A2UI", 0x47, 0, false },
	{ "R8", 0xa3, 0, false }, { "RG8", 0xab, 0, false }, { "R16", 0xa4, 0, false },
	{ "RGBA16", 0xbc, 0, false }, { "RGBA8 SNORM", 0x7b, 0, false },
	{ "R11G11B10F", 0x59, 0, false },
	{ "R16F", 0xc7, 0, false }, { "RG16F", 0xcf, 0, false }, { "RGBA16F", 0xdf, 0, false },
	{ "R32F", 0xa7, 0, false }, { "RG32F", 0xaf, 0, false }, { "RGBA32F", 0xbf, 0, false },
	{ "R8UI", 0x83, 0, false }, { "RGBA8UI", 0x9b, 0, false }, { "RGBA16UI", 0x9c, 0, false },
	{ "RGBA32UI", 0x9d, 0, false }, { "RGBA8I", 0xdb, 0, false }, { "R32I", 0xc5, 0, false },
	{ "RGBA32I", 0xdd, 0, false },
};

static int run_io(struct vr_tile *t, const struct vr_image *image, u32 att, bool store)
{
	static struct vr_io io;
	int err;

	if (!vr_io_begin(&io, t, image, att, store))
		return -EINVAL;
	do
		err = vr_io_step(&io, &map);
	while (err == -EAGAIN);
	return err;
}

static u64 offset(const struct vr_image *m, u32 bytes, u32 sample, u32 x, u32 y)
{
	u32 index = 0, i;

	if (m->order != PX_TILED)
		return sample * m->sample_stride + y * m->row_stride + (u64)x * bytes;
	/* u-interleaved: two bits of the index for each of x and y */
	for (i = 0; i < 4; i++)
		index |= ((x ^ y) >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return sample * m->sample_stride + y / 16 * m->row_stride +
	       ((u64)(x / 16) * 256 + index) * bytes;
}

/* An image of 100 x 90, the tile at (64, 64): its edges are inside. */
static struct vr_image image_of(const struct px_format *f, u32 bytes, bool tiled)
{
	struct vr_image m = { .va = IMAGE_VA, .order = tiled ? PX_TILED : PX_LINEAR, .width = 100,
			      .height = 90, .sample_stride = 112 * 96 * bytes };

	if (f)
		m.format = *f;
	m.row_stride = tiled ? 7 * 256 * bytes : 100 * bytes + 8;
	return m;
}

/* Load from one layout, store to the other: equal pixels, nothing else is written. */
static bool round_trip(u32 i, u32 samples, bool tiled)
{
	struct px_format f = rt_format(formats[i].code, formats[i].order, formats[i].srgb);
	struct vr_tile t = { .samples = samples, .ntargets = 1, .format = { f }, .x = 64, .y = 64 };
	struct vr_image from = image_of(&f, f.bytes, tiled), to = image_of(&f, f.bytes, !tiled);
	u32 x, y, s, bad = 0;
	u8 *half = image_mem + IMAGE_SIZE / 2;
	static u8 was[4 << 20];

	to.va += IMAGE_SIZE / 2;
	if (!tile_new(&t))
		return false;
	rt_fill(image_mem, samples * from.sample_stride);
	rt_fill(half, samples * to.sample_stride);
	memcpy(was, image_mem, IMAGE_SIZE);
	if (run_io(&t, &from, 0, false) || run_io(&t, &to, 0, true))
		return false;
	for (s = 0; s < samples; s++) {
		for (y = 64; y < 90; y++) {
			for (x = 64; x < 100; x++) {
				u64 a = offset(&from, f.bytes, s, x, y);
				u64 b = offset(&to, f.bytes, s, x, y);

				bad += memcmp(was + a, half + b, f.bytes) != 0;
				memcpy(was + IMAGE_SIZE / 2 + b, half + b, f.bytes);
			}
		}
	}
	/* a tiled image has whole tiles */
	if (to.order != PX_TILED)
		bad += memcmp(was, image_mem, IMAGE_SIZE) != 0;
	return !bad;
}

static void test_formats(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		tap_result(round_trip(i, 1, false) && round_trip(i, 4, true),
			   "%s is loaded and stored, linear and tiled", formats[i].name);
}

/* Stores of a tile with parts that are as the clear left them, and with none known to be. */
static void test_plain(void)
{
	static const u8 zs[] = { VR_IMAGE_Z24X8, VR_IMAGE_Z24S8, VR_IMAGE_S8 };
	const struct px_format rgba = rt_format(0xbb, 0, false), rgb565 = rt_format(0x40, 0, false);
	struct vr_tile t = { .ntargets = 2, .format = { rgba, rgba }, .zformat = VR_Z24,
			     .has_stencil = true, .x = 64, .y = 64 };
	u32 n = rt_long ? 2000 : 100, half = IMAGE_SIZE / 2, i, k, bad = 0, att, plain = 0;

	for (i = 0; i < n; i++) {
		const struct px_format *f = i % 4 ? &rgba : &rgb565;
		struct vr_image m = image_of(f, 4, i & 1);

		t.samples = i & 2 ? 4 : 1;
		bad += !tile_new(&t);
		vr_tile_clear(&t, 1, &(u32){ rt_rnd(~0U) });
		vr_tile_clear_zs(&t, rt_bits(0.25f), rt_rnd(256));
		for (k = 0; k < i % 5; k++)
			draw_any(&t, 64 + 2 * rt_rnd(32), 64 + 2 * rt_rnd(32));
		att = rt_rnd(2) ? VR_ATT_ZS : 1;
		m.zs = zs[i % 3];
		m.resolve = att == 1 && t.samples == 4 && rt_rnd(2);
		rt_fill(image_mem, half);
		memcpy(image_mem + half, image_mem, half);
		plain += hweight32(t.plain[att == 1 ? 1 : VR_DIRTY_Z]);
		bad += run_io(&t, &m, att, true) != 0;
		memset(t.plain, 0, sizeof(t.plain));
		m.va += half;
		bad += run_io(&t, &m, att, true) != 0;
		bad += memcmp(image_mem, image_mem + half, half) != 0;
	}
	tap_result(!bad && plain > 8 * n, "%u tiles with parts that are cleared (%u wrong)", n,
		   bad);
}

/* ---- orders of pixels ---- */

#define SIDE	128	/* of the image that is walked */

/* Pixels in the order of memory. */
struct walk {
	u32 order;
	u32 bytes;
	u64 stride;
	u64 at;
	u32 bad;
};

static void walk_pixels(struct walk *w, u32 x0, u32 y0, u32 width, u32 height)
{
	u32 x, y;

	for (y = y0; y < y0 + height; y++) {
		for (x = x0; x < x0 + width; x++) {
			w->bad += px_offset(w->order, w->bytes, w->stride, x, y) != w->at;
			w->at += w->bytes;
		}
	}
}

static void walk_utiles(struct walk *w, u32 ux, u32 uy, u32 columns, u32 rows)
{
	static const u8 widths[9] = { [1] = 8, [2] = 8, [4] = 4, [8] = 2 };
	u32 width = widths[w->bytes], height = 64 / w->bytes / width, x, y;

	for (y = 0; y < rows; y++)
		for (x = 0; x < columns; x++)
			walk_pixels(w, (ux + x) * width, (uy + y) * height, width, height);
}

/* Even rows of tiles run to the right, their sub-tiles down, right, up; odd ones the other way. */
static void walk_t(struct walk *w, u32 tiles, u32 rows)
{
	static const u8 even[4][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };
	static const u8 odd[4][2] = { { 1, 1 }, { 1, 0 }, { 0, 0 }, { 0, 1 } };
	u32 x, y, s;

	for (y = 0; y < rows; y++)
		for (x = 0; x < tiles; x++)
			for (s = 0; s < 4; s++)
				if (y & 1)
					walk_utiles(w, 8 * (tiles - 1 - x) + 4 * odd[s][0],
						    8 * y + 4 * odd[s][1], 4, 4);
				else
					walk_utiles(w, 8 * x + 4 * even[s][0],
						    8 * y + 4 * even[s][1], 4, 4);
}

/* A block of 2^n pixels a side: four of half the size. */
static void walk_morton(struct walk *w, u32 x, u32 y, u32 side)
{
	if (side == 1) {
		walk_pixels(w, x, y, 1, 1);
		return;
	}
	side /= 2;
	walk_morton(w, x, y, side);
	walk_morton(w, x + side, y, side);
	walk_morton(w, x, y + side, side);
	walk_morton(w, x + side, y + side, side);
}

static void test_orders(void)
{
	u32 bytes, x, y, rows, bad = 0;
	struct walk w = {};

	for (bytes = 1; bytes <= 8; bytes *= 2) {
		u32 columns = SIDE >> px_utile_wshift(8 * bytes);

		rows = SIDE >> px_utile_hshift(8 * bytes);
		w = (struct walk){ PX_LT, bytes, 64 * columns };
		walk_utiles(&w, 0, 0, columns, rows);
		bad += w.bad;
		w = (struct walk){ PX_T, bytes, 64 * 8 * columns };
		walk_t(&w, columns / 8, rows / 8);
		bad += w.bad;
		w = (struct walk){ PX_MORTON, bytes, 8 * SIDE * bytes };
		for (y = 0; y < SIDE; y += 8)
			for (x = 0; x < SIDE; x += 8)
				walk_morton(&w, x, y, 8);
		bad += w.bad;
	}
	tap_result(!bad, "orders of pixels (%u differ)", bad);
	CHECK(!px_order_ok(PX_T, 3) && px_order_ok(PX_T, 4) && !px_order_ok(PX_NUM_ORDERS, 4) &&
	      px_order_ok(PX_MORTON, 3));
}

/* Pixels in any order are loaded and stored, and nothing else. */
static bool order_round_trip(u32 order, u32 format, u32 samples)
{
	struct px_format f = rt_format(formats[format].code, formats[format].order, false);
	struct vr_tile t = { .samples = samples, .ntargets = 1, .format = { f } };
	struct vr_image linear = image_of(&f, f.bytes, false), m = linear;
	static u8 was[IMAGE_SIZE];
	u32 tile, x, y, s, bad = 0;

	m.va += IMAGE_SIZE / 2;
	m.order = order;
	m.row_stride = order == PX_MORTON ? 8 * 104 * f.bytes :
		       order == PX_LT ? 64 * (104 >> px_utile_wshift(8 * f.bytes)) :
					4096 * (128 >> px_utile_wshift(8 * f.bytes) >> 3);
	m.sample_stride = 128 * 128 * f.bytes;
	if (!tile_new(&t))
		return false;
	rt_fill(image_mem, IMAGE_SIZE);
	memcpy(was, image_mem, IMAGE_SIZE);
	for (tile = 0; tile < 4; tile++) {
		t.x = tile % 2 * 64;
		t.y = tile / 2 * 64;
		if (run_io(&t, &linear, 0, false) || run_io(&t, &m, 0, true))
			return false;
	}
	for (s = 0; s < samples; s++)
		for (y = 0; y < 90; y++)
			for (x = 0; x < 100; x++)
				memcpy(was + IMAGE_SIZE / 2 + s * m.sample_stride +
				       px_offset(order, f.bytes, m.row_stride, x, y),
				       was + offset(&linear, f.bytes, s, x, y), f.bytes);
	bad += memcmp(was, image_mem, IMAGE_SIZE) != 0;
	/* and back */
	for (tile = 0; tile < 4; tile++) {
		t.x = tile % 2 * 64;
		t.y = tile / 2 * 64;
		if (run_io(&t, &m, 0, false) || run_io(&t, &linear, 0, true))
			return false;
	}
	return !bad && !memcmp(was, image_mem, IMAGE_SIZE);
}

static void test_order_images(void)
{
	static const char * const names[PX_NUM_ORDERS] = {
		[PX_LT] = "LT", [PX_T] = "T", [PX_MORTON] = "Morton",
	};
	u32 order, i, bad, n;

	for (order = PX_LT; order < PX_NUM_ORDERS; order++) {
		for (i = 0, bad = 0, n = 0; i < ARRAY_SIZE(formats); i++) {
			struct px_format f = rt_format(formats[i].code, formats[i].order, false);

			if (f.bytes > 4 || !px_order_ok(order, f.bytes))
				continue;
			bad += !order_round_trip(order, i, 1) || !order_round_trip(order, i, 4);
			n++;
		}
		tap_result(n > 5 && !bad, "%s: images of %u formats (%u differ)", names[order], n,
			   bad);
	}
}

static void test_zs_images(void)
{
	static const struct {
		u32 image, zformat, bytes;
		u64 mask;
	} kinds[] = {
		{ VR_IMAGE_Z16, VR_Z16, 2, 0xffff }, { VR_IMAGE_Z24X8, VR_Z24, 4, 0xffffff },
		{ VR_IMAGE_Z24S8, VR_Z24, 4, 0xffffffff }, { VR_IMAGE_S8, VR_Z16, 1, 0xff },
		{ VR_IMAGE_Z32F, VR_Z32F, 4, 0xffffffff },
		{ VR_IMAGE_Z32F_S8X24, VR_Z32F, 8, 0xffffffffffULL },
	};
	u32 i, x, y, k, bad = 0;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct vr_tile t = { .samples = 4, .zformat = kinds[i].zformat,
				     .has_stencil = true, .x = 64, .y = 64 };
		struct vr_image m = image_of(NULL, kinds[i].bytes, i & 1), to = m;

		m.zs = kinds[i].image;
		to = m;
		to.va += IMAGE_SIZE / 2;
		bad += !tile_new(&t);
		for (k = 0; k < 4 * m.sample_stride; k += 4)
			memcpy(image_mem + k, &(u32){ rt_rnd(0x7f800000) }, 4);
		if (run_io(&t, &m, VR_ATT_ZS, false) || run_io(&t, &to, VR_ATT_ZS, true))
			bad++;
		for (y = 64; y < 90; y++) {
			for (x = 64; x < 100; x++) {
				u64 at = offset(&m, kinds[i].bytes, 3, x, y), a = 0, b = 0;

				memcpy(&a, image_mem + at, kinds[i].bytes);
				memcpy(&b, image_mem + IMAGE_SIZE / 2 + at, kinds[i].bytes);
				bad += (a & kinds[i].mask) != b;
			}
		}
	}
	tap_result(!bad, "depth and stencil images (%u differ)", bad);
}

/* Four samples to one; the buffer's format is another one than the image's. */
static void test_resolve(void)
{
	struct px_format rgba8 = rt_format(0xbb, V7_RGBA, false);
	struct px_format rgb565 = rt_format(0x40, V7_RGBA, false);
	struct px_format rgba32f = rt_format(0xbf, V7_RGBA, false), f;
	u32 kind, x, y, s, c, bad = 0;

	for (kind = 0; kind < 3; kind++) {
		struct vr_tile t = { .samples = 4, .ntargets = 1, .x = 64, .y = 64 };
		struct vr_image m;

		f = kind == 1 ? rgb565 : kind == 2 ? rgba32f : rgba8;
		t.format[0] = kind == 2 ? rgba32f : rgba8;
		bad += !tile_new(&t);
		for (c = 0; c < 4096 * 16; c++)
			((u32 *)t.colour[0])[c] = kind == 2 ? rt_bits(rt_rnd(1000)) :
							      (u32)rt_rnd64();
		m = image_of(&f, f.bytes, false);
		m.resolve = true;
		if (run_io(&t, &m, 0, true))
			bad++;
		for (y = 64; y < 90; y++) {
			for (x = 64; x < 100; x++) {
				u32 at = vr_tile_index(&t, x, y) + (x & 1) + 2 * (y & 1), v[4];
				double sum[4] = {}, want;

				for (s = 0; s < 4; s++) {
					px_unpack(&t.format[0], t.colour[0] +
						  (at + 4 * s) * t.format[0].bytes, v);
					for (c = 0; c < 4; c++)
						sum[c] += rt_float(v[c]) / 4;
				}
				px_unpack(&f, image_mem + offset(&m, f.bytes, 0, x, y), v);
				for (c = 0; c < 3; c++) {
					/* the mean is rounded to bytes, then to the image's bits */
					want = kind == 2 ? 0 : 0.5001 / 255;
					if (kind == 1)
						want += 0.5001 / (c == 1 ? 63 : 31);
					bad += fabs(sum[c] - rt_float(v[c])) > want;
				}
			}
		}
	}
	tap_result(!bad, "four samples become their mean (%u differ)", bad);
}

static void test_bad_images(void)
{
	struct px_format rgba8 = rt_format(0xbb, V7_RGBA, false);
	struct px_format ui = rt_format(0x9b, V7_RGBA, false);
	struct vr_tile t = { .samples = 1, .ntargets = 1, .format = { rgba8 }, .zformat = VR_Z16 };
	struct vr_image m = image_of(&rgba8, 4, false);

	CHECK(tile_new(&t) && !run_io(&t, &m, 0, true));
	CHECK(run_io(&t, &m, 1, true) == -EINVAL && run_io(&t, &m, 9, true) == -EINVAL);
	m.va = IMAGE_VA + IMAGE_SIZE - 1000;
	CHECK(run_io(&t, &m, 0, true) == -EFAULT && run_io(&t, &m, 0, false) == -EFAULT);
	m.va = ~0ULL - 100;
	m.row_stride = ~0ULL;
	CHECK(run_io(&t, &m, 0, true) == -EFAULT && run_io(&t, &m, 0, false) == -EFAULT);
	m = image_of(&ui, 4, false);
	CHECK(run_io(&t, &m, 0, true) == -EINVAL);
	m = image_of(&rgba8, 4, false);
	m.resolve = true;
	CHECK(run_io(&t, &m, 0, false) == -EINVAL);
	m.resolve = false;
	m.width = 65537;
	CHECK(run_io(&t, &m, 0, false) == -EINVAL);
	m.width = 4;
	m.zs = VR_IMAGE_Z32F;
	CHECK(run_io(&t, &m, VR_ATT_ZS, true) == -EINVAL);
	m.zs = VR_NUM_ZS_IMAGES;
	CHECK(run_io(&t, &m, VR_ATT_ZS, true) == -EINVAL);
	t.samples = 2;
	CHECK(!vr_tile_bytes(&t));
	t.samples = 4;
	t.ntargets = 9;
	CHECK(!vr_tile_bytes(&t));
	t.ntargets = 1;
	t.zformat = 7;
	CHECK(!vr_tile_bytes(&t));
}

/* ---- blocks ---- */

/* Quads of a few places: blocks keep the order of each sample, and waste no room. */
static void test_batch(void)
{
	static struct vr_batch b;
	static u32 last[64][64][64], done[64][64][64];
	u32 n = rt_long ? 5000000 : 200000, i, q, bit, slot, bad = 0, flushes = 0, quads = 0;
	u32 stamp[VR_QUADS];

	vr_batch_clear(&b);
	for (i = 1; i <= n; i++) {
		u32 x = 2 * rt_rnd(32), y = 2 * rt_rnd(i / 1000 % 2 ? 32 : 2);
		u64 cover = rt_rnd_cover(4);

		if (!cover)
			continue;
		slot = rt_rnd(65536);
		if (!vr_batch_room(&b, x, y, cover, vr_pixels_of(cover))) {
			bool meets = b.n == VR_QUADS;

			for (q = 0; q < b.n; q++) {
				meets |= b.quad[q].x == x && b.quad[q].y == y &&
					 b.quad[q].cover & cover;
				for (bit = 0; bit < 64; bit++) {
					if (!(b.quad[q].cover >> bit & 1))
						continue;
					bad += stamp[q] < done[b.quad[q].y][b.quad[q].x][bit];
					/* a later quad of this block must not have been first */
					bad += stamp[q] != last[b.quad[q].y][b.quad[q].x][bit];
					done[b.quad[q].y][b.quad[q].x][bit] = stamp[q];
				}
			}
			bad += !meets;
			flushes++;
			vr_batch_clear(&b);
		}
		stamp[b.n] = i;
		for (bit = 0; bit < 64; bit++)
			if (cover >> bit & 1)
				last[y][x][bit] = i;
		vr_batch_add(&b, slot, x, y, cover, vr_pixels_of(cover));
		bad += b.quad[b.n - 1].slot != slot;
		quads++;
	}
	tap_result(!bad && flushes, "%u quads in %u blocks keep their order (%u do not)", quads,
		   flushes, bad);
}

/* ---- all of it ---- */

struct slot {
	struct vr_prim p;
	struct vr_plane plane;
	u32 primitive;
};

static struct slot slots[201];

struct picture {
	u32 id[64][64][4];
	double z[64][64][4];
	u64 passed;
};

/* A block's program and the later stages: the primitive's number is the colour. */
static void shade(struct vr_tile *t, const struct vr_zs *zs, struct vr_batch *b)
{
	u32 q, z[4 * VR_MAX_SAMPLES], src[4][4] = {}, k;
	const struct slot *s;

	for (q = 0; q < b->n; q++) {
		s = &slots[b->quad[q].slot];
		for (k = 0; k < 4; k++)
			src[k][0] = s->primitive;
		vr_plane_quad(vs_simd_best(), &s->plane, b->quad[q].x, b->quad[q].y, 0, z);
		vr_tile_zs(t, zs, s->p.back, b->quad[q].x, b->quad[q].y, b->quad[q].cover, z, NULL,
			   VR_ZS_WRITE);
		rt_blend_quad(vs_simd_best(), t, 0, NULL, b->quad[q].x, b->quad[q].y,
			      b->quad[q].cover, (const u32 (*)[4])src, NULL);
	}
	vr_batch_clear(b);
}

static void draw_quad(struct vr_tile *t, const struct vr_zs *zs, struct vr_batch *b, u32 slot,
		      u32 x, u32 y, u64 cover)
{
	const struct slot *s = &slots[slot];
	u32 z[4 * VR_MAX_SAMPLES];

	cover = vr_plane_quad(vs_simd_best(), &s->plane, x, y, cover, z);
	if (!vr_batch_room(b, x, y, cover, vr_pixels_of(cover)))
		shade(t, zs, b);
	cover = vr_tile_zs(t, zs, s->p.back, x, y, cover, z, NULL, VR_ZS_TEST);
	if (cover)
		vr_batch_add(b, slot, x, y, cover, vr_pixels_of(cover));
}

/* The same triangle, a sample after the other. */
static void paint(struct picture *pic, const struct slot *s, u32 func)
{
	struct rt_cover c;
	u32 x, y, k, i, z[4 * VR_MAX_SAMPLES];

	rt_cover(&c, &s->p);
	for (y = 0; y < 64; y++) {
		for (x = 0; x < 64; x++) {
			k = (x & 1) + 2 * (y & 1);
			vr_plane_quad(vs_simd_best(), &s->plane, x & ~1, y & ~1, 0, z);
			for (i = 0; i < s->p.samples; i++) {
				double q = quantised(VR_Z24, rt_float(z[4 * i + k]));

				if (!(c.at[y][x] >> i & 1) || !passes(func, q, pic->z[y][x][i]))
					continue;
				pic->z[y][x][i] = q;
				pic->id[y][x][i] = s->primitive;
				pic->passed++;
			}
		}
	}
}

static void random_slot(struct slot *s, bool *ok, u32 samples, u32 id)
{
	static const struct vr_depth depth = { .range = { 0, 0x3f800000 } };
	double x = rt_between(0, 64), y = rt_between(0, 64), size = rt_rnd(8) ? 6 : 60;
	struct vr_state st = rt_state();
	struct vr_vertex v[3];
	u32 i, z[3];

	st.samples = samples;
	for (i = 0; i < 3; i++) {
		v[i] = rt_vertex(x + rt_between(-size, size), y + rt_between(-size, size),
				 rt_between(0, 1), 1);
		z[i] = v[i].z;
	}
	s->primitive = id;
	*ok = vr_setup_triangle(&s->p, &st, (const struct vr_vertex *[]){ &v[0], &v[1], &v[2] });
	if (*ok)
		vr_plane(vs_simd_best(), &s->plane, &s->p, &depth, z);
}

/* Triangles in blocks give the picture of triangles one after the other. */
static void test_order(void)
{
	static struct vr_batch b;
	static struct picture pic;
	u32 i, k, x, y, round, bad = 0, rounds = rt_long ? 200 : 8;

	for (round = 0; round < rounds; round++) {
		struct vr_tile t = { .samples = round % 2 ? 4 : 1, .ntargets = 1, .zformat = VR_Z24,
				     .format = { rt_format(0x85, V7_RGBA, false) } };
		struct vr_zs zs = { .flags = VR_DEPTH_TEST | VR_DEPTH_WRITE,
				    .func = round % 4 < 2 ? 7 : 1 };

		bad += !tile_new(&t) || t.format[0].bytes != 4;
		vr_tile_clear(&t, 0, &(u32){ 0 });
		vr_tile_clear_zs(&t, 0x3f800000, 0);
		memset(&pic, 0, sizeof(pic));
		for (i = 0; i < 64 * 64 * 4; i++)
			pic.z[i / 256][i / 4 % 64][i % 4] = 16777215;
		vr_batch_clear(&b);
		for (i = 1; i <= 200; i++) {
			u32 slot = i, q;
			struct vr_block block;
			struct vr_walk w;
			bool ok;

			random_slot(&slots[slot], &ok, t.samples, i);
			if (!ok)
				continue;
			paint(&pic, &slots[slot], zs.func);
			if (!vr_walk_begin(&w, &slots[slot].p, 0, 0))
				continue;
			while (vr_walk_next(&w, &block))
				for (q = 0; q < VR_QUADS; q++)
					if (block.quads >> q & 1)
						draw_quad(&t, &zs, &b, slot, block.x + 2 * (q % 4),
							  block.y + 2 * (q / 4), block.cover[q]);
		}
		shade(&t, &zs, &b);
		for (y = 0; y < 64; y++)
			for (x = 0; x < 64; x++)
				for (k = 0; k < t.samples; k++) {
					u32 at = vr_tile_index(&t, x, y) + 4 * k + (x & 1) +
						 2 * (y & 1);

					bad += ((u32 *)t.colour[0])[at] != pic.id[y][x][k];
				}
		bad += t.passed != pic.passed;
	}
	tap_result(!bad, "200 triangles in blocks give the picture of single ones (%u)", bad);
}

int main(int argc, char **argv)
{
	rt_args(argc, argv);
	image_mem = calloc(1, IMAGE_SIZE);
	extent = (struct vs_extent){ .lo = IMAGE_VA, .hi = IMAGE_VA + IMAGE_SIZE,
				     .kva = image_mem, .flags = VS_EXT_WRITE };
	map = (struct vs_map){ 1, &extent };
	test_zs();
	test_depth_codes();
	test_alpha();
	test_blend();
	test_logic();
	test_blend_builds();
	test_dirty();
	test_formats();
	test_plain();
	test_orders();
	test_order_images();
	test_zs_images();
	test_resolve();
	test_bad_images();
	test_batch();
	test_order();
	free(image_mem);
	return tap_done();
}
