// SPDX-License-Identifier: GPL-2.0
/*
 * ETC2 and EAC: blocks are encoded from the parameters of their modes, and the expected
 * texels computed from the same parameters.
 */
#include "../include/tap.h"
#include "isa/mali/mali_res.h"
#include "pixel/px_pack.h"

static u32 seed = 7;

static u32 rnd(u32 n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static u64 field(u32 value, u32 at)
{
	return (u64)value << at;
}

static void store(u8 *p, u64 block)
{
	u32 i;

	for (i = 0; i < 8; i++)
		p[i] = block >> (56 - 8 * i);
}

static u32 norm(u32 v, u32 max)
{
	float r = 1.0f / max, f = (float)((double)v * r);
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static s32 limit(s32 v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* Index of each texel, column by column: high bits in 31..16, low bits in 15..0. */
static u64 index_bits(const u8 index[16])
{
	u64 b = 0;
	u32 i;

	for (i = 0; i < 16; i++)
		b |= field(index[i] >> 1, 16 + i) | field(index[i] & 1, i);
	return b;
}

static void rnd_indices(u8 index[16])
{
	u32 i;

	for (i = 0; i < 16; i++)
		index[i] = rnd(4);
}

static struct px_format get_format(u32 code)
{
	struct px_format f;

	if (!mali_format_decode(MALI_V6, code << 12 | 03210, &f) || !px_format_readable(&f))
		tap_result(false, "format %u", code);
	return f;
}

/* @want: 16 texels, row by row. @rgba8: with a block of alpha 255 before. */
static u32 check(u32 code, u64 block, s32 want[16][4])
{
	struct px_format f = get_format(code);
	u32 i, k, v[4], bad = 0;
	u8 p[16];

	if (code == 3) {
		store(p, field(255, 56) | field(0, 52) | field(3, 48));
		store(p + 8, block);
	} else {
		store(p, block);
	}
	for (i = 0; i < 16; i++) {
		px_etc2(&f, p, i & 3, i >> 2, v);
		for (k = 0; k < 4; k++)
			bad += v[k] != norm(want[i][k], 255);
	}
	return bad;
}

static const s32 strengths[8][2] = {
	{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 },
	{ 47, 183 },
};

static const s32 distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

/* Two halves of one colour each; four bits, or five and a difference. */
static u32 test_halves(u32 code, bool differential)
{
	u32 r, i, k, flip, cw[2], half, step, a[3], b[3], bad = 0;
	bool opaque = code != 19;
	s32 want[16][4], base[2][3], d[3], add;
	u8 index[16];
	u64 block;

	for (r = 0; r < 3000; r++) {
		flip = rnd(2);
		cw[0] = rnd(8);
		cw[1] = rnd(8);
		rnd_indices(index);
		if (code == 19)
			opaque = rnd(2);
		block = index_bits(index) | field(cw[0], 37) | field(cw[1], 34) | field(flip, 32);
		for (k = 0; k < 3; k++) {
			if (!differential) {
				a[k] = rnd(16);
				b[k] = rnd(16);
				base[0][k] = a[k] * 17;
				base[1][k] = b[k] * 17;
				block |= field(a[k], 60 - 8 * k) | field(b[k], 56 - 8 * k);
				continue;
			}
			do {
				a[k] = rnd(32);
				d[k] = (s32)rnd(8) - 4;
			} while ((s32)a[k] + d[k] < 0 || (s32)a[k] + d[k] > 31);
			b[k] = a[k] + d[k];
			base[0][k] = a[k] << 3 | a[k] >> 2;
			base[1][k] = b[k] << 3 | b[k] >> 2;
			block |= field(a[k], 59 - 8 * k) | field(d[k] & 7, 56 - 8 * k);
		}
		if (differential && opaque)
			block |= field(1, 33);
		for (i = 0; i < 16; i++) {
			half = flip ? i >> 3 : i >> 1 & 1;
			step = index[(i & 3) * 4 + (i >> 2)];
			add = strengths[cw[half]][step & 1];
			if (!opaque && !(step & 1))
				add = 0;
			for (k = 0; k < 3; k++)
				want[i][k] = limit(base[half][k] + (step & 2 ? -add : add));
			want[i][3] = 255;
			if (!opaque && step == 2)
				memset(want[i], 0, sizeof(want[i]));
		}
		bad += check(code, block, want);
	}
	return bad;
}

/* Sum of a 5-bit number and a signed 3-bit one leaves 0..31. */
static bool overflows(u64 block, u32 at)
{
	s32 a = block >> at & 31, d = block >> (at - 3) & 7;

	a += d > 3 ? d - 8 : d;
	return a < 0 || a > 31;
}

/* Bits that the mode has no meaning for, so that colour @k, and none before, overflows. */
static bool choose_mode(u64 *block, u64 spare, u32 k)
{
	u64 b, bits;
	u32 i, n;

	for (n = 0; n < 64; n++) {
		b = *block;
		for (bits = spare, i = n; bits; bits &= bits - 1, i >>= 1)
			if (i & 1)
				b |= bits & -bits;
		if (overflows(b, 59 - 8 * k) && (k < 1 || !overflows(b, 59)) &&
		    (k < 2 || !overflows(b, 51))) {
			*block = b;
			return true;
		}
	}
	return false;
}

static u32 test_t(u32 code)
{
	u32 r, i, k, c[2][3], d, bad = 0, done = 0, step;
	bool opaque = code != 19;
	s32 want[16][4], add;
	u8 index[16];
	u64 block;

	for (r = 0; r < 3000; r++) {
		rnd_indices(index);
		d = rnd(8);
		if (code == 19)
			opaque = rnd(2);
		for (k = 0; k < 6; k++)
			c[k / 3][k % 3] = rnd(16);
		block = index_bits(index) | field(c[0][0] >> 2, 59) | field(c[0][0] & 3, 56) |
			field(c[0][1], 52) | field(c[0][2], 48) | field(c[1][0], 44) |
			field(c[1][1], 40) | field(c[1][2], 36) | field(d >> 1, 34) |
			field(opaque, 33) | field(d & 1, 32);
		if (!choose_mode(&block, field(7, 61) | field(1, 58), 0))
			continue;
		done++;
		for (i = 0; i < 16; i++) {
			step = index[(i & 3) * 4 + (i >> 2)];
			add = step == 1 ? distances[d] : step == 3 ? -distances[d] : 0;
			for (k = 0; k < 3; k++)
				want[i][k] = limit((s32)c[step > 0][k] * 17 + add);
			want[i][3] = 255;
			if (!opaque && step == 2)
				memset(want[i], 0, sizeof(want[i]));
		}
		bad += check(code, block, want);
	}
	return done > 2900 ? bad : 1;
}

static u32 test_h(u32 code)
{
	u32 r, i, k, c[2][3], d, order, bad = 0, done = 0, step;
	bool opaque = code != 19;
	s32 want[16][4], add;
	u8 index[16];
	u64 block;

	for (r = 0; r < 3000; r++) {
		rnd_indices(index);
		d = rnd(8);
		if (code == 19)
			opaque = rnd(2);
		for (k = 0; k < 6; k++)
			c[k / 3][k % 3] = rnd(16);
		/* Now and then equal colours. */
		if (!(r & 15))
			memcpy(c[1], c[0], sizeof(c[1]));
		order = (c[0][0] << 8 | c[0][1] << 4 | c[0][2]) >=
			(c[1][0] << 8 | c[1][1] << 4 | c[1][2]);
		d = (d & 6) | order;
		block = index_bits(index) | field(c[0][0], 59) | field(c[0][1] >> 1, 56) |
			field(c[0][1] & 1, 52) | field(c[0][2] >> 3, 51) | field(c[0][2] & 7, 47) |
			field(c[1][0], 43) | field(c[1][1], 39) | field(c[1][2], 35) |
			field(d >> 2, 34) | field(opaque, 33) | field(d >> 1 & 1, 32);
		if (!choose_mode(&block, field(1, 63) | field(7, 53) | field(1, 50), 1))
			continue;
		done++;
		for (i = 0; i < 16; i++) {
			step = index[(i & 3) * 4 + (i >> 2)];
			add = step & 1 ? -distances[d] : distances[d];
			for (k = 0; k < 3; k++)
				want[i][k] = limit((s32)c[step >> 1][k] * 17 + add);
			want[i][3] = 255;
			if (!opaque && step == 2)
				memset(want[i], 0, sizeof(want[i]));
		}
		bad += check(code, block, want);
	}
	return done > 2900 ? bad : 1;
}

static s32 expand(u32 v, u32 bits)
{
	return v << (8 - bits) | v >> (2 * bits - 8);
}

static u32 test_planar(u32 code)
{
	static const u32 bits[3] = { 6, 7, 6 };
	u32 r, i, k, n, c[3][3], bad = 0, done = 0;
	s32 want[16][4], e[3][3];
	u64 block;

	for (r = 0; r < 3000; r++) {
		for (n = 0; n < 3; n++)
			for (k = 0; k < 3; k++) {
				c[n][k] = rnd(1 << bits[k]);
				e[n][k] = expand(c[n][k], bits[k]);
			}
		block = field(c[0][0], 57) | field(c[0][1] >> 6, 56) | field(c[0][1] & 63, 49) |
			field(c[0][2] >> 5, 48) | field(c[0][2] >> 3 & 3, 43) |
			field(c[0][2] & 7, 39) | field(c[1][0] >> 1, 34) |
			field(c[1][0] & 1, 32) | field(c[1][1], 25) | field(c[1][2], 19) |
			field(c[2][0], 13) | field(c[2][1], 6) | field(c[2][2], 0);
		/* Without the bit, a block with one bit alpha has the mode as well. */
		if (code != 19 || rnd(2))
			block |= field(1, 33);
		if (!choose_mode(&block, field(1, 63) | field(1, 55) | field(7, 45) |
				 field(1, 42), 2))
			continue;
		done++;
		for (i = 0; i < 16; i++) {
			for (k = 0; k < 3; k++)
				want[i][k] = limit(((s32)(i & 3) * (e[1][k] - e[0][k]) +
						    (s32)(i >> 2) * (e[2][k] - e[0][k]) +
						    4 * e[0][k] + 2) >> 2);
			want[i][3] = 255;
		}
		bad += check(code, block, want);
	}
	return done > 2900 ? bad : 1;
}

/* ---- EAC ---- */

static const s8 modifiers[16][4] = {
	/* Of the first four; the others are one less than the negated, in the same order. */
	{ -3, -6, -9, -15 }, { -3, -7, -10, -13 }, { -2, -5, -8, -13 }, { -2, -4, -6, -13 },
	{ -3, -6, -8, -12 }, { -3, -7, -9, -11 }, { -4, -7, -8, -11 }, { -3, -5, -8, -11 },
	{ -2, -6, -8, -10 }, { -2, -5, -8, -10 }, { -2, -4, -8, -10 }, { -2, -5, -7, -10 },
	{ -3, -4, -7, -10 }, { -1, -2, -3, -10 }, { -4, -6, -8, -9 }, { -3, -5, -7, -9 },
};

static s32 modifier(u32 table, u32 i)
{
	return i < 4 ? modifiers[table][i] : -1 - modifiers[table][i - 4];
}

/* Random block; its texels row by row, multiplied. */
static u64 eac_block(u32 base, u32 mul, u32 table, s32 mod[16])
{
	u64 block = field(base, 56) | field(mul, 52) | field(table, 48);
	u32 i, n, index;

	for (i = 0; i < 16; i++) {
		index = rnd(8);
		n = (i & 3) * 4 + (i >> 2);
		block |= field(index, 45 - 3 * n);
		mod[i] = modifier(table, index);
	}
	return block;
}

static u32 test_alpha(void)
{
	struct px_format f = get_format(3);
	u32 r, i, v[4], base, mul, bad = 0;
	s32 mod[16];
	u8 p[16];

	store(p + 8, 0);
	for (r = 0; r < 4000; r++) {
		base = rnd(256);
		mul = rnd(16);
		store(p, eac_block(base, mul, r & 15, mod));
		for (i = 0; i < 16; i++) {
			px_etc2(&f, p, i & 3, i >> 2, v);
			bad += v[3] != norm(limit((s32)base + mod[i] * (s32)mul), 255);
			/* Individual mode, all zeros: 0 + 2 */
			bad += v[0] != norm(2, 255);
		}
	}
	return bad;
}

static u32 want_signed(s32 v)
{
	return v < 0 ? norm(-v, 1023) | 0x80000000 : norm(v, 1023);
}

static u32 want_11(s32 base, s32 mul, s32 mod, bool is_signed)
{
	s32 v = mul ? mod * mul * 8 : mod;

	if (is_signed) {
		v += (base == -128 ? -127 : base) * 8;
		return want_signed(v < -1023 ? -1023 : v > 1023 ? 1023 : v);
	}
	v += base * 8 + 4;
	return norm(v < 0 ? 0 : v > 2047 ? 2047 : v, 2047);
}

static u32 test_11(u32 code, u32 comps, bool is_signed)
{
	struct px_format f = get_format(code);
	u32 r, i, k, v[4], base[2], mul[2], bad = 0;
	s32 mod[2][16];
	u8 p[16];

	for (r = 0; r < 4000; r++) {
		for (k = 0; k < comps; k++) {
			base[k] = rnd(256);
			mul[k] = rnd(3) ? rnd(16) : 0;
			store(p + 8 * k, eac_block(base[k], mul[k], rnd(16), mod[k]));
		}
		for (i = 0; i < 16; i++) {
			px_etc2(&f, p, i & 3, i >> 2, v);
			for (k = 0; k < comps; k++)
				bad += v[k] != want_11(is_signed ? (s8)base[k] : (s32)base[k],
						       mul[k], mod[k][i], is_signed);
			for (; k < 4; k++)
				bad += v[k] != (k == 3 ? 0x3f800000 : 0);
		}
	}
	return bad;
}

/* sRGB of a grey block, alpha as it is; another order. */
static void test_variants(void)
{
	struct px_format f;
	u32 v[4];
	u8 p[16];

	store(p, field(77, 56) | field(1, 52) | field(13, 48) | 0x924924924924ULL);
	store(p + 8, field(5, 60) | field(5, 56) | field(6, 52) | field(6, 48) | field(7, 44) |
	      field(7, 40));
	mali_format_decode(MALI_V6, 1 << 20 | 3 << 12 | 03012, &f);
	px_etc2(&f, p, 1, 2, v);
	tap_result(px_format_readable(&f) && v[2] == px_srgb_to_f32(5 * 17 + 2) &&
		   v[1] == px_srgb_to_f32(6 * 17 + 2) && v[0] == px_srgb_to_f32(7 * 17 + 2) &&
		   v[3] == norm(77, 255), "sRGB, exchanged");
	mali_format_decode(MALI_V6, 1 << 20 | 2 << 12 | 03210, &f);
	tap_result(!px_format_readable(&f), "no sRGB of 11 bits");
}

int main(void)
{
	static const struct { u32 code; const char *name; } rgb[] = {
		{ 1, "RGB8" }, { 3, "RGBA8" }, { 19, "RGB8A1" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rgb); i++) {
		if (rgb[i].code != 19)
			tap_result(!test_halves(rgb[i].code, false), "%s: individual", rgb[i].name);
		tap_result(!test_halves(rgb[i].code, true), "%s: differential", rgb[i].name);
		tap_result(!test_t(rgb[i].code), "%s: T", rgb[i].name);
		tap_result(!test_h(rgb[i].code), "%s: H", rgb[i].name);
		tap_result(!test_planar(rgb[i].code), "%s: planar", rgb[i].name);
	}
	tap_result(!test_alpha(), "alpha of RGBA8");
	tap_result(!test_11(2, 1, false), "R11");
	tap_result(!test_11(17, 1, true), "R11 signed");
	tap_result(!test_11(4, 2, false), "RG11");
	tap_result(!test_11(18, 2, true), "RG11 signed");
	test_variants();
	return tap_done();
}
