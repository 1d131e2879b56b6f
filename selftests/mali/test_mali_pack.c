// SPDX-License-Identifier: GPL-2.0
/* Formats to components and back, components to registers: against doubles of the host. */
#include <math.h>

#include "../include/tap.h"
#include "isa/mali/mali_pack.h"
#include "isa/mali/mali_res.h"

#define NAN_BITS	0x7fc00000U
#define ONE		0x3f800000U

static u32 seed = 1;

static u32 rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

static float to_f(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static u32 to_bits(float f)
{
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return isnan(f) ? NAN_BITS : bits;
}

/* Numbers of all sizes, mostly between -2 and 2. */
static u32 rnd_float(void)
{
	switch (rnd() & 7) {
	case 0:
		return rnd();
	case 1:
		return to_bits(ldexpf((float)(s32)rnd(), (int)(rnd() % 80) - 60));
	default:
		return to_bits((float)(s32)rnd() / 1073741824.0f);
	}
}

static double small_float(u32 raw, int ebits, int mbits)
{
	int e = (int)(raw >> mbits) & ((1 << ebits) - 1), m = (int)(raw & ((1 << mbits) - 1));
	int bias = (1 << (ebits - 1)) - 1;

	if (e == (1 << ebits) - 1)
		return m ? NAN : INFINITY;
	return e ? ldexp((1 << mbits) + m, e - bias - mbits) : ldexp(m, 1 - bias - mbits);
}

/* ---- numbers ---- */

static void test_halves(void)
{
	u32 h, i, f, bad = 0, wrong = 0;
	double d, r;
	int e;

	for (h = 0; h < 0x10000; h++) {
		d = small_float(h & 0x7fff, 5, 10);
		bad += vs_f16_to_f32(h) != to_bits((float)(h & 0x8000 ? -d : d));
		f = vs_f16_to_f32(h);
		bad += px_f32_to_f16(f) != (isnan(d) ? 0x7e00 : h);
	}
	tap_result(!bad, "all halves: %u wrong", bad);
	for (i = 0; i < 1000000; i++) {
		f = i & 1 ? rnd() : rnd_float();
		d = fabs((double)to_f(f));
		if (isnan(d)) {
			wrong += px_f32_to_f16(f) != 0x7e00;
			continue;
		}
		frexp(d, &e);
		e = e < -13 ? -13 : e;
		r = isinf(d) ? d : ldexp(rint(ldexp(d, 11 - e)), e - 11);
		h = px_f32_to_f16(f);
		wrong += small_float(h & 0x7fff, 5, 10) != (r > 65504 ? INFINITY : r) ||
			 h >> 15 != f >> 31;
	}
	tap_result(!wrong, "to halves: %u wrong", wrong);
}

static void test_integers(void)
{
	static const u32 edges[] = { 0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff,
				     0xffffff7f, 0xffffff80, 0x01000001, 0x01000003 };
	u32 i, v, f, bad = 0;
	double d;

	for (i = 0; i < 200000; i++) {
		v = i < ARRAY_SIZE(edges) ? edges[i] : rnd() >> (i % 32);
		bad += px_u32_to_f32(v) != to_bits((float)v);
		bad += px_s32_to_f32(v) != to_bits((float)(s32)v);
		f = i & 1 ? rnd() : to_bits((float)v * (i & 2 ? 1 : -1));
		d = isnan(to_f(f)) ? 0 : trunc(to_f(f));
		bad += px_f32_to_u32(f) != (u32)fmin(fmax(d, 0), 4294967295.0);
		bad += px_f32_to_s32(f) != (u32)(s32)fmin(fmax(d, -2147483648.0), 2147483647.0);
	}
	tap_result(!bad, "integers: %u wrong", bad);
}

static double srgb_curve(double x)
{
	return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static void test_srgb(void)
{
	u32 i, f, bad = 0, wrong = 0, n = 0;
	double c, want;

	for (i = 0; i < 256; i++) {
		c = i / 255.0;
		want = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
		bad += fabs(to_f(px_srgb_to_f32(i)) - want) > want * 1e-7;
		bad += px_f32_to_srgb(px_srgb_to_f32(i)) != i;
	}
	tap_result(!bad, "sRGB codes: %u wrong", bad);
	for (i = 0; i < 300000; i++) {
		f = to_bits((float)(rnd() & 0xffffff) / 16777216.0f);
		want = srgb_curve(to_f(f)) * 255;
		if (fabs(want - floor(want) - 0.5) < 1e-4)
			continue;
		n++;
		wrong += px_f32_to_srgb(f) != (u32)rint(want);
	}
	tap_result(n > 290000 && !wrong, "to sRGB: %u wrong", wrong);
	tap_result(!px_f32_to_srgb(NAN_BITS) && !px_f32_to_srgb(0xbf800000) &&
		   !px_f32_to_srgb(0x80000000) && px_f32_to_srgb(ONE) == 255 &&
		   px_f32_to_srgb(0x7f800000) == 255 && px_f32_to_srgb(0x7f7fffff) == 255 &&
		   !px_f32_to_srgb(1), "sRGB limits");
}

/* ---- formats of the grid ---- */

enum type { SNORM, UINT, UNORM, SINT, FLOAT };

static u32 code_of(enum type type, u32 comps, u32 bits)
{
	static const u8 rows[] = { 3, 4, 5, 6 };
	u32 size = bits == 4 ? 2 : bits == 8 ? 3 : bits == 16 ? 4 : 5;

	if (type == FLOAT)
		return (bits == 32 ? 5 : 6) << 5 | (comps - 1) << 3 | 7;
	return rows[type] << 5 | (comps - 1) << 3 | size;
}

static s64 as_signed(u32 raw, u32 bits)
{
	return (s64)raw - (raw >> (bits - 1) & 1 ? 1LL << bits : 0);
}

/* Up to 16 bits 1 / max is rounded before it is multiplied with. */
static u32 want_norm(s64 v, u32 maxbits)
{
	double max = ldexp(1, (int)maxbits) - 1, r = (float)(1 / max);

	if (maxbits > 16)
		return to_bits((float)fmax((double)v / max, -1));
	return to_bits((float)fmax((double)v * r, -1));
}

static u32 want_component(enum type type, u32 bits, u32 raw)
{
	switch (type) {
	case SNORM:
		return want_norm(as_signed(raw, bits), bits - 1);
	case UNORM:
		return want_norm(raw, bits);
	case SINT:
		return (u32)as_signed(raw, bits);
	case FLOAT:
		if (bits == 32)
			return raw;
		return to_bits((float)(small_float(raw & 0x7fff, 5, 10) *
				       (raw & 0x8000 ? -1 : 1)));
	default:
		return raw;
	}
}

/* Expected bits of a component with value @v. */
static u32 want_raw(enum type type, u32 bits, u32 v)
{
	double max = ldexp(1, (int)bits - (type == SNORM)) - 1, d;

	if (type == FLOAT)
		return bits == 32 ? v : px_f32_to_f16(v);
	if (bits == 32 && (type == SINT || type == UINT))
		return v;
	if (type == UINT)
		return v >> bits ? (1U << bits) - 1 : v;
	if (type == SINT) {
		max = ldexp(1, (int)bits - 1);
		return (u32)(s64)fmin(fmax((s32)v, -max), max - 1) & ((1U << bits) - 1);
	}
	d = isnan(to_f(v)) ? 0 : fmin(fmax(to_f(v), type == SNORM ? -1 : 0), 1);
	d = rint((float)(d * max));
	d = fmin(fmax(d, -max), max);
	return (u32)(s64)d & (bits == 32 ? ~0U : (1U << bits) - 1);
}

static u32 rnd_raw(u32 bits)
{
	static const u32 tops[] = { 0, ~0U, 0x80000000, 0x7fffffff };
	u32 v = rnd() & 7 ? rnd() : tops[rnd() & 3];

	return v >> (32 - bits);
}

static void put_le(u8 *p, u32 at_bits, u32 bits, u32 raw)
{
	u32 i;

	for (i = 0; i < bits; i++)
		if (raw >> i & 1)
			p[(at_bits + i) / 8] |= 1U << ((at_bits + i) % 8);
}

static u32 check_grid(const struct px_format *f, enum type type, u32 comps, u32 bits, u32 raw0)
{
	u32 i, raw[4] = {}, v[4], bad = 0, one = type == UINT || type == SINT ? 1 : ONE;
	u8 p[PX_MAX_BYTES] = {}, w[PX_MAX_BYTES], want[PX_MAX_BYTES];

	for (i = 0; i < comps; i++) {
		raw[i] = i ? rnd_raw(bits) : raw0;
		put_le(p, i * bits, bits, raw[i]);
	}
	px_unpack(f, p, v);
	for (i = 0; i < 4; i++)
		bad += v[i] != (i < comps ? want_component(type, bits, raw[i]) : i == 3 ? one : 0);
	/* Back: everything but a NaN and the second -1 returns. */
	memset(w, 0xa5, sizeof(w));
	memset(want, 0, sizeof(want));
	px_pack(f, v, 4, w);
	for (i = 0; i < comps; i++)
		put_le(want, i * bits, bits, want_raw(type, bits, v[i]));
	bad += memcmp(w, want, f->bytes) != 0;
	/* Anything. */
	for (i = 0; i < 4; i++)
		v[i] = type == UINT || type == SINT ? rnd() : rnd_float();
	memset(want, 0, sizeof(want));
	for (i = 0; i < comps; i++)
		put_le(want, i * bits, bits, want_raw(type, bits, v[i]));
	px_pack(f, v, 4, w);
	bad += memcmp(w, want, f->bytes) != 0;
	bad += w[f->bytes % PX_MAX_BYTES] != (f->bytes < PX_MAX_BYTES ? 0xa5 : w[0]);
	return bad;
}

static void test_grid(void)
{
	static const char *const names[] = { "SNORM", "UINT", "UNORM", "SINT", "FLOAT" };
	u32 type, comps, size, bits, i, n, bad, formats = 0;
	struct px_format f;

	for (type = SNORM; type <= FLOAT; type++) {
		bad = 0;
		for (comps = 1; comps <= 4; comps++)
			for (size = 2; size <= 5; size++) {
				bits = 1U << size;
				if ((type == FLOAT && bits < 16) || bits * comps % 8)
					continue;
				if (!mali_format_decode(MALI_V6, code_of(type, comps, bits) << 12 |
							03210, &f) ||
				    !px_format_readable(&f) || !px_format_writable(&f)) {
					bad++;
					continue;
				}
				formats++;
				n = bits < 16 ? 1U << bits : bits == 16 ? 65536 : 40000;
				for (i = 0; i < n; i++)
					bad += check_grid(&f, type, comps, bits,
							  bits == 32 ? rnd_raw(32) : i);
			}
		tap_result(!bad, "%s of all sizes: %u wrong", names[type], bad);
	}
	tap_result(formats == 14 * 4 + 8, "%u formats", formats);
}

/* ---- formats outside the grid ---- */

struct special {
	const char *name;
	enum mali_arch arch;
	u32 word;
	enum type type;
	u8 bits[4];
};

static const struct special specials[] = {
	{ "RGB565", MALI_V7, 0x40 << 12 | 16, UNORM, { 5, 6, 5 } },
	{ "RGB5A1", MALI_V7, 0x41 << 12, UNORM, { 5, 5, 5, 1 } },
	{ "RGB10A2", MALI_V7, 0x43 << 12, UNORM, { 10, 10, 10, 2 } },
	{ "RGB10A2 snorm", MALI_V6, 0x45 << 12 | 03210, SNORM, { 10, 10, 10, 2 } },
	{ "RGB10A2 uint", MALI_V7, 0x47 << 12, UINT, { 10, 10, 10, 2 } },
	{ "RGB10A2 sint", MALI_V6, 0x49 << 12 | 03210, SINT, { 10, 10, 10, 2 } },
	{ "Z16", MALI_V7, 0x4b << 12 | 16, UNORM, { 16 } },
	{ "Z24X8", MALI_V7, 0x4d << 12 | 16, UNORM, { 24 } },
	{ "Z32 X32", MALI_V7, 0x57 << 12 | 16, FLOAT, { 32 } },
	{ "X24S8", MALI_V7, 0x55 << 12, UINT, { 24, 8 } },
	{ "X24S8 of Midgard", MALI_V5, 0x4e << 12 | 03210, UINT, { 24, 8 } },
	{ "S8", MALI_V7, 0x5d << 12, UINT, { 0, 8 } },
	{ "X32 S8X24", MALI_V6, 0x4f << 12 | 03210, UINT, { 32, 8 } },
	{ "RGB332", MALI_V5, 0x4b << 12 | 03210, UNORM, { 3, 3, 2 } },
	{ "A8", MALI_V7, 0x1a << 12, UNORM, { 0, 0, 0, 8 } },
	{ "L8A8", MALI_V7, 0x18 << 12, UNORM, { 8, 0, 0, 8 } },
	{ "tile RGB565", MALI_V7, 0xe3 << 12, UNORM, { 5, 6, 5 } },
	{ "tile RGBA8", MALI_V7, 0xed << 12, UNORM, { 8, 8, 8, 8 } },
	{ "tile RGB8A2", MALI_V7, 0xf2 << 12, UNORM, { 8, 8, 8, 2 } },
};

static u32 check_special(const struct special *s, const struct px_format *f)
{
	u32 i, at = 0, raw[4] = {}, v[4], bad = 0;
	u32 one = s->type == UINT || s->type == SINT ? 1 : ONE;
	u8 p[PX_MAX_BYTES] = {}, w[PX_MAX_BYTES], want[PX_MAX_BYTES];

	for (i = 0; i < 4; at += s->bits[i++])
		if (s->bits[i]) {
			raw[i] = rnd_raw(s->bits[i]);
			put_le(p, at, s->bits[i], raw[i]);
		}
	px_unpack(f, p, v);
	for (i = 0; i < 4; i++)
		bad += v[i] != (s->bits[i] ? want_component(s->type, s->bits[i], raw[i]) :
				i == 3 ? one : 0);
	for (i = 0; i < 4; i++)
		v[i] = s->type == UINT || s->type == SINT ? rnd() : rnd_float();
	/* Bits outside all components are preserved: zeros here. */
	memset(w, 0, sizeof(w));
	memset(want, 0, sizeof(want));
	at = 0;
	for (i = 0; i < 4; at += s->bits[i++])
		if (s->bits[i])
			put_le(want, at, s->bits[i], want_raw(s->type, s->bits[i], v[i]));
	px_pack(f, v, 4, w);
	return bad + (memcmp(w, want, sizeof(w)) != 0);
}

static void test_specials(void)
{
	const struct special *s;
	struct px_format f;
	u32 i, n, bad;

	for (i = 0; i < ARRAY_SIZE(specials); i++) {
		s = &specials[i];
		bad = !mali_format_decode(s->arch, s->word, &f);
		for (n = 0; n < 20000 && !bad; n++)
			bad = check_special(s, &f);
		tap_result(!bad, "%s", s->name);
	}
}

static void test_small_floats(void)
{
	u32 i, k, n, raw, v[4], back, bad = 0, wrong = 0;
	double d, got, next;
	struct px_format f;

	tap_result(mali_format_decode(MALI_V7, 0x59 << 12 | 16, &f), "R11F G11F B10F");
	for (i = 0; i < 2048; i++) {
		raw = i | (2047 - i) << 11 | (i & 1023) << 22;
		px_unpack(&f, &raw, v);
		bad += v[0] != to_bits((float)small_float(i, 5, 6));
		bad += v[1] != to_bits((float)small_float(2047 - i, 5, 6));
		bad += v[2] != to_bits((float)small_float(i & 1023, 5, 5));
		bad += v[3] != ONE;
		px_pack(&f, v, 4, &back);
		for (k = 0; k < 3; k++) {
			n = k == 2 ? 1023 : 2047;
			if (!isnan(to_f(v[k])))
				bad += (back >> 11 * k & n) != (raw >> 11 * k & n);
			else
				bad += !isnan(small_float(back >> 11 * k & n, 5, k == 2 ? 5 : 6));
		}
	}
	tap_result(!bad, "all of them: %u wrong", bad);
	for (i = 0; i < 200000; i++) {
		v[0] = rnd_float();
		v[1] = v[0];
		v[2] = v[0];
		px_pack(&f, v, 4, &raw);
		d = to_f(v[0]);
		for (k = 0; k < 3; k += 2) {
			n = raw >> 11 * k & (k ? 1023 : 2047);
			got = small_float(n, 5, k ? 5 : 6);
			if (isnan(d) || isinf(d) || d <= 0) {
				wrong += isnan(d) ? !isnan(got) : d <= 0 ? got != 0 : !isinf(got);
				continue;
			}
			next = small_float(n + 1, 5, k ? 5 : 6);
			wrong += got > d || (next <= d && !isinf(next));
		}
	}
	tap_result(!wrong, "toward zero: %u wrong", wrong);
}

static void test_shared_exponent(void)
{
	u32 i, k, raw, v[4], w[4], bad = 0, wrong = 0;
	double top, step, d;
	struct px_format f;

	tap_result(mali_format_decode(MALI_V7, 0x5b << 12 | 16, &f), "R9F G9F B9F E5F");
	for (i = 0; i < 200000; i++) {
		raw = rnd();
		px_unpack(&f, &raw, v);
		for (k = 0; k < 3; k++)
			bad += v[k] != to_bits((float)ldexp(raw >> 9 * k & 511,
							    (int)(raw >> 27) - 24));
		bad += v[3] != ONE;
		/* Nearest step of the least exponent that has the largest. */
		for (k = 0, top = 0; k < 3; k++) {
			v[k] = rnd() & 3 ? rnd_float() & 0x7fffffff : rnd_float();
			d = isnan(to_f(v[k])) ? 0 : fmin(fmax(to_f(v[k]), 0), 65408);
			top = fmax(top, d);
		}
		px_pack(&f, v, 4, &raw);
		px_unpack(&f, &raw, w);
		step = ldexp(1, (int)(raw >> 27) - 24);
		wrong += raw >> 27 && top < 255.4 * step;
		for (k = 0; k < 3; k++) {
			d = isnan(to_f(v[k])) ? 0 : fmin(fmax(to_f(v[k]), 0), 65408);
			wrong += fabs(to_f(w[k]) - d) > step / 2;
		}
	}
	tap_result(!bad, "read: %u wrong", bad);
	tap_result(!wrong, "written: %u wrong", wrong);
}

static void test_fixed(void)
{
	u32 i, raw, back, v[4], bad = 0;
	struct px_format f;
	double d;

	tap_result(mali_format_decode(MALI_V7, 0x51 << 12 | 16, &f), "R32 fixed");
	for (i = 0; i < 100000; i++) {
		raw = rnd_raw(32);
		px_unpack(&f, &raw, v);
		bad += v[0] != to_bits((float)((s32)raw / 65536.0)) || v[1] || v[3] != ONE;
		v[0] = i & 1 ? to_bits((float)(s32)rnd() / 16384.0f) : rnd_float();
		px_pack(&f, v, 1, &back);
		d = isnan(to_f(v[0])) ? 0 : rint(to_f(v[0]) * 65536.0);
		bad += back != (u32)(s32)fmin(fmax(d, -2147483648.0), 2147483647.0);
	}
	tap_result(!bad, "16.16: %u wrong", bad);
}

/* ---- orders, sRGB, preserved bits ---- */

struct order {
	enum mali_arch arch;
	u32 word;
	u32 want[4];	/* of bytes 10, 20, 30, 40 */
};

static void test_orders(void)
{
	static const struct order orders[] = {
		{ MALI_V7, 0x9b << 12, { 10, 20, 30, 40 } },
		{ MALI_V7, 0x9b << 12 | 4, { 30, 20, 10, 40 } },
		{ MALI_V7, 0x9b << 12 | 8, { 20, 30, 40, 10 } },
		{ MALI_V7, 0x9b << 12 | 12, { 40, 30, 20, 10 } },
		{ MALI_V7, 0x9b << 12 | 20, { 30, 20, 10, 1 } },
		{ MALI_V7, 0x9b << 12 | 240, { 10, 0, 0, 0 } },
		{ MALI_V6, 0x9b << 12 | 03012, { 30, 20, 10, 40 } },
		{ MALI_V5, 0x9b << 12 | 05432, { 30, 40, 0, 1 } },
		{ MALI_V5, 0x83 << 12 | 05000, { 10, 10, 10, 1 } },
	};
	static const u8 bytes[4] = { 10, 20, 30, 40 };
	u32 i, v[4], bad;
	struct px_format f;
	u8 back[4];

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		bad = !mali_format_decode(orders[i].arch, orders[i].word, &f);
		px_unpack(&f, bytes, v);
		bad += memcmp(v, orders[i].want, sizeof(v)) != 0;
		/* Written components return to their places; the others are never read. */
		memcpy(back, bytes, sizeof(back));
		px_pack(&f, v, 4, back);
		bad += memcmp(back, bytes, f.bytes) != 0;
		tap_result(!bad, "order 0x%x of v%u", orders[i].word & 0xfff, orders[i].arch + 4);
	}
	/* Two components of four. */
	mali_format_decode(MALI_V7, 0xbb << 12 | 4, &f);
	memcpy(back, bytes, sizeof(back));
	v[0] = ONE;
	v[1] = 0;
	px_pack(&f, v, 2, back);
	tap_result(back[2] == 255 && !back[1] && back[0] == 10 && back[3] == 40,
		   "components that are not written stay");
}

static void test_srgb_format(void)
{
	u32 i, v[4], raw, back, bad = 0;
	struct px_format f;

	tap_result(mali_format_decode(MALI_V7, 1 << 20 | 0xbb << 12, &f) &&
		   px_format_readable(&f), "sRGB8 A8");
	for (i = 0; i < 256; i++) {
		raw = i | (255 - i) << 8 | (i ^ 85) << 16 | i << 24;
		px_unpack(&f, &raw, v);
		bad += v[0] != px_srgb_to_f32(i) || v[1] != px_srgb_to_f32(255 - i) ||
		       v[2] != px_srgb_to_f32(i ^ 85) || v[3] != want_norm(i, 8);
		px_pack(&f, v, 4, &back);
		bad += back != raw;
	}
	tap_result(!bad, "alpha is linear: %u wrong", bad);
}

static void test_unsupported(void)
{
	struct px_format f;

	tap_result(mali_format_decode(MALI_V7, 1 << 21 | 0xbb << 12, &f) &&
		   !px_format_readable(&f) && !px_format_writable(&f), "big endian");
	tap_result(mali_format_decode(MALI_V7, 1 << 20 | 0xbc << 12, &f) &&
		   !px_format_readable(&f), "sRGB of 16 bits");
	tap_result(mali_format_decode(MALI_V7, 1 << 12, &f) && px_format_readable(&f) &&
		   !px_format_writable(&f), "blocks are not written");
	tap_result(mali_format_decode(MALI_V6, 0x5f << 12 | 05554, &f) &&
		   px_format_readable(&f) && !px_format_writable(&f), "constant");
}

/*
 * Every format that decodes, in memory that ends with the element. A second round of writing
 * and reading returns the same values as the first.
 */
static void test_all_formats(void)
{
	static const u32 orders[2][4] = { { 03210, 05012, 00000, 04444 }, { 0, 16, 12, 226 } };
	u32 arch, code, i, n = 0, bad = 0, v[4], w[4];
	struct px_format f;
	u8 *p;

	for (arch = 0; arch < MALI_NUM_ARCH; arch++)
		for (code = 0; code < 0x800; code++) {
			u32 word = (code & 0xff) << 12 | (code >> 8 & 1) << 20 |
				   orders[arch == MALI_V7][code >> 9];

			if (!mali_format_decode(arch, word, &f) || !px_format_readable(&f))
				continue;
			n++;
			p = malloc(f.bytes ? f.bytes : 1);
			for (i = 0; i < f.bytes; i++)
				p[i] = rnd();
			if (f.layout == PX_ETC2)
				px_etc2(&f, p, rnd() & 3, rnd() & 3, v);
			else
				px_unpack(&f, p, v);
			if (px_format_writable(&f)) {
				px_pack(&f, v, 4, p);
				px_unpack(&f, p, v);
				px_pack(&f, v, 4, p);
				px_unpack(&f, p, w);
				bad += memcmp(v, w, sizeof(v)) != 0;
			}
			free(p);
		}
	tap_result(n > 1000 && !bad, "%u formats: %u do not settle", n, bad);
}

/* ---- registers ---- */

struct regs {
	enum px_kind kind;
	u32 v[4];
	u32 fmt;
	u32 comps;
	u32 want[4];
};

static void test_registers(void)
{
	static const struct regs regs[] = {
		{ PX_KIND_F32, { ONE, 0xc0000000, 0x3f000000, 0 }, MALI_REG_F16, 4,
		  { 0xc0003c00, 0x00003800 } },
		{ PX_KIND_F32, { ONE, 0xc0000000, 0x3f000000, 0 }, MALI_REG_F16, 3,
		  { 0xc0003c00, 0x00003800 } },
		{ PX_KIND_F32, { 0x40490fdb, NAN_BITS, 0xcf800000, 0x4f800000 }, MALI_REG_S32, 4,
		  { 3, 0, 0x80000000, 0x7fffffff } },
		{ PX_KIND_F32, { 0x40490fdb, NAN_BITS, 0xbf800000, 0x4f800000 }, MALI_REG_U32, 4,
		  { 3, 0, 0, 0xffffffff } },
		{ PX_KIND_U32, { 0xffffffff, 16777217, 5, 1 }, MALI_REG_F32, 3,
		  { 0x4f800000, 0x4b800000, 0x40a00000 } },
		{ PX_KIND_S32, { 0xffffffff, 0x12345678, 5, 1 }, MALI_REG_F32, 1,
		  { 0xbf800000 } },
		{ PX_KIND_S32, { 0xffffffff, 0x12345678, 5, 1 }, MALI_REG_S16, 4,
		  { 0x5678ffff, 0x00010005 } },
		{ PX_KIND_U32, { 0xffffffff, 0x12345678, 5, 1 }, MALI_REG_U16, 2,
		  { 0x5678ffff } },
		{ PX_KIND_F32, { 0x12345678, 2, 3, 4 }, MALI_REG_AUTO, 4,
		  { 0x12345678, 2, 3, 4 } },
		{ PX_KIND_S32, { 0x12345678, 2, 3, 4 }, MALI_REG_AUTO, 2, { 0x12345678, 2 } },
		{ PX_KIND_U32, { 7, 2, 3, 4 }, MALI_REG_F16, 2, { 0x40004700 } },
	};
	static const u32 halves[2] = { 0x80013c00, 0x0000fc00 };
	u32 v[4][SIMT_LANES], slot[4 * SIMT_LANES], c[4];
	u32 i, k, l, n, bad;
	u32 out[4];

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		bad = 0;
		n = mali_reg_slots(regs[i].fmt, regs[i].comps);
		mali_to_reg(regs[i].kind, regs[i].v, regs[i].fmt, regs[i].comps, out);
		for (k = 0; k < n; k++)
			bad += out[k] != regs[i].want[k];
		for (k = 0; k < 4; k++)
			for (l = 0; l < SIMT_LANES; l++)
				v[k][l] = regs[i].v[k];
		memset(slot, 0x77, sizeof(slot));
		mali_block_to_reg(vs_simd_best(), regs[i].kind, v, regs[i].fmt, regs[i].comps,
				  0x80000000000000f1, slot);
		for (k = 0; k < n; k++)
			bad += slot[k * 64] != out[k] || slot[k * 64 + 63] != out[k] ||
			       slot[k * 64 + 1] != 0x77777777;
		mali_block_to_reg(vs_simd_best(), regs[i].kind, v, regs[i].fmt, regs[i].comps,
				  ~0ULL, slot);
		for (k = 0; k < n * SIMT_LANES; k++)
			bad += slot[k] != out[k / SIMT_LANES];
		bad += n < 4 && slot[n * SIMT_LANES] != 0x77777777;
		tap_result(!bad, "registers %u", i);
	}
	tap_result(!mali_reg_slots(MALI_REG_F64, 2) && !mali_reg_slots(MALI_REG_I64, 1) &&
		   !mali_reg_slots(9, 1), "64 bits are not supported");
	mali_from_reg(MALI_REG_F16, halves, 3, PX_KIND_F32, c);
	tap_result(c[0] == ONE && c[1] == 0xb3800000 && c[2] == 0xff800000 && c[3] == ONE,
		   "from halves");
	mali_from_reg(MALI_REG_S16, halves, 2, PX_KIND_S32, c);
	tap_result(c[0] == 0x3c00 && c[1] == 0xffff8001 && !c[2] && c[3] == 1, "from s16");
	mali_from_reg(MALI_REG_U16, halves, 2, PX_KIND_F32, c);
	tap_result(c[0] == to_bits(0x3c00) && c[1] == to_bits(0x8001), "from u16");
	mali_from_reg(MALI_REG_F32, halves, 1, PX_KIND_U32, c);
	tap_result(!c[0] && !c[1] && c[3] == 1, "from f32 to unsigned");
	mali_from_reg(MALI_REG_AUTO, halves, 2, PX_KIND_F32, c);
	tap_result(c[0] == halves[0] && c[1] == halves[1] && c[3] == ONE, "as they are");
}

/* Any 32 bits, of which many are numbers that halves have. */
static u32 rnd_component(void)
{
	return rnd() % 4 ? rnd_float() : rnd();
}

/* Registers of a block, to components and back, against those of one lane. */
static u32 block_differs(enum vs_simd simd, u32 fmt, u32 comps, u64 mask)
{
	static u32 v[4][SIMT_LANES], slot[4 * SIMT_LANES], room[4][SIMT_LANES];
	u32 n = mali_reg_slots(fmt, comps), bad = 0, l, k, one[4], out[4];
	const u32 (*back)[SIMT_LANES];

	for (k = 0; k < 4 * SIMT_LANES; k++)
		v[k / SIMT_LANES][k % SIMT_LANES] = rnd_component();
	memset(slot, 0x77, sizeof(slot));
	mali_block_to_reg(simd, PX_KIND_F32, (const u32 (*)[SIMT_LANES])v, fmt, comps, mask, slot);
	for (l = 0; l < SIMT_LANES; l++) {
		for (k = 0; k < 4; k++)
			one[k] = v[k][l];
		mali_to_reg(PX_KIND_F32, one, fmt, comps, out);
		for (k = 0; k < 4; k++)
			bad += slot[k * SIMT_LANES + l] !=
			       (mask >> l & 1 && k < n ? out[k] : 0x77777777);
	}
	for (k = 0; k < 4 * SIMT_LANES; k++)
		slot[k] = rnd();
	back = mali_block_from_reg(simd, fmt, slot, comps, PX_KIND_F32, mask, room);
	for (l = 0; l < SIMT_LANES; l++) {
		for (k = 0; k < 4; k++)
			one[k] = slot[k * SIMT_LANES + l];
		mali_from_reg(fmt, one, comps, PX_KIND_F32, out);
		for (k = 0; k < 4 && mask >> l & 1; k++)
			bad += back[k][l] != out[k];
	}
	return bad;
}

static void test_blocks(void)
{
	static const u32 fmts[] = { MALI_REG_F16, MALI_REG_F32, MALI_REG_AUTO, MALI_REG_S16 };
	u32 i, bad = 0, simd;
	u64 mask;

	for (i = 0; i < 4000; i++) {
		mask = rnd() % 3 ? (u64)rnd() << 32 | rnd() : ~0ULL;
		for (simd = VS_SIMD_PORTABLE; simd < VS_NUM_SIMD; simd++)
			if (vs_simd_mask() >> simd & 1)
				bad += block_differs(simd, fmts[i % 4], 1 + i / 4 % 4, mask);
	}
	tap_result(!bad, "registers of blocks are those of single lanes (%u are not)", bad);
}

int main(void)
{
	test_halves();
	test_integers();
	test_srgb();
	test_grid();
	test_specials();
	test_small_floats();
	test_shared_exponent();
	test_fixed();
	test_orders();
	test_srgb_format();
	test_unsupported();
	test_all_formats();
	test_registers();
	test_blocks();
	return tap_done();
}
