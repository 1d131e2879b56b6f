// SPDX-License-Identifier: GPL-2.0
/*
 * Bifrost reference model: operations on halves and bytes, and operations absent from the
 * corpus. They act on each element like their 32-bit siblings.
 */
#include <math.h>

#include "bifrost_ref_int.h"
#include "bifrost_ref_num.h"

static unsigned int bit(uint32_t op, unsigned int at)
{
	return op >> at & 1;
}

static int32_t sext(uint32_t v, unsigned int bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static uint32_t ones(unsigned int bits)
{
	return bits == 32 ? 0xffffffff : (1u << bits) - 1;
}

static uint32_t element(uint32_t v, unsigned int i, unsigned int bits)
{
	return bits == 32 ? v : v >> (i * bits) & ones(bits);
}

/* ---- which elements of an operand ---- */

/* h00 h10 h01 h11 */
static uint32_t swz(uint32_t v, unsigned int how)
{
	return mrf_lane16(v, how & 1) | (uint32_t)mrf_lane16(v, how >> 1 & 1) << 16;
}

static uint32_t swap16(uint32_t v, bool yes)
{
	return yes ? v >> 16 | v << 16 : v;
}

static uint32_t splat8(uint32_t v, unsigned int lane)
{
	return mrf_lane8(v, lane) * 0x01010101u;
}

/* Two bytes as halves. */
static uint32_t bytes16(uint32_t v, unsigned int lo, unsigned int hi, bool is_signed)
{
	uint32_t a = mrf_lane8(v, lo), b = mrf_lane8(v, hi);

	if (is_signed) {
		a = (uint32_t)sext(a, 8) & 0xffff;
		b = (uint32_t)sext(b, 8) & 0xffff;
	}
	return a | b << 16;
}

/* ---- an element at a time ---- */

enum what {
	ADD, SUB, ADD_SAT, SUB_SAT, HALF_DOWN, HALF_UP, MUL, ABS, CLZ, CLZ_MASK,
	EQ, NE, GT, GE,
};

static int64_t saturate(int64_t v, unsigned int bits, bool is_signed)
{
	int64_t hi = is_signed ? (int64_t)ones(bits - 1) : (int64_t)ones(bits);
	int64_t lo = is_signed ? -hi - 1 : 0;

	return v < lo ? lo : v > hi ? hi : v;
}

static uint32_t clz(uint32_t v, unsigned int bits)
{
	unsigned int n = 0;

	while (n < bits && !(v >> (bits - 1 - n) & 1))
		n++;
	return n;
}

static uint32_t one(enum what what, uint32_t ua, uint32_t ub, unsigned int bits, bool is_signed)
{
	int64_t a = is_signed ? sext(ua, bits) : (int64_t)ua;
	int64_t b = is_signed ? sext(ub, bits) : (int64_t)ub;

	switch (what) {
	case ADD:
		return (uint32_t)(a + b);
	case SUB:
		return (uint32_t)(a - b);
	case ADD_SAT:
		return (uint32_t)saturate(a + b, bits, is_signed);
	case SUB_SAT:
		return (uint32_t)saturate(a - b, bits, is_signed);
	case HALF_DOWN:
		return (uint32_t)((a + b) >> 1);
	case HALF_UP:
		return (uint32_t)((a + b + 1) >> 1);
	case MUL:
		return (uint32_t)(a * b);
	case ABS:
		return (uint32_t)(a < 0 ? -a : a);
	case CLZ:
		return clz(ua, bits);
	case CLZ_MASK:
		return ua ? clz(ua, bits) : 0xffffffff;
	case EQ:
		return a == b;
	case NE:
		return a != b;
	case GT:
		return a > b;
	default:
		return a >= b;
	}
}

static uint32_t each(enum what what, uint32_t a, uint32_t b, unsigned int bits, bool is_signed)
{
	uint32_t res = 0;
	unsigned int i;

	for (i = 0; i < 32 / bits; i++)
		res |= (one(what, element(a, i, bits), element(b, i, bits), bits, is_signed) &
			ones(bits)) << (i * bits);
	return res;
}

/* 1 or all ones where the comparison is true. */
static uint32_t truth(uint32_t yes, unsigned int bits, bool all)
{
	uint32_t res = 0;
	unsigned int i;

	for (i = 0; i < 32 / bits; i++)
		if (element(yes, i, bits))
			res |= (all ? ones(bits) : 1) << (i * bits);
	return res;
}

/* @a where @yes, else @b. */
static uint32_t choose(uint32_t yes, uint32_t a, uint32_t b, unsigned int bits)
{
	uint32_t m = truth(yes, bits, true);

	return (a & m) | (b & ~m);
}

/* ---- halves that are floats ---- */

static double half(uint32_t v, unsigned int i, bool abs, bool neg)
{
	double d = mrf_f(mrf_half(mrf_lane16(v, i)));

	if (abs)
		d = copysign(d, 1);
	return neg ? -d : d;
}

static uint32_t pack(double lo, double hi, enum mrf_round round, unsigned int clamp)
{
	return mrf_clamp_half(mrf_to_half(lo, round), clamp) |
	       (uint32_t)mrf_clamp_half(mrf_to_half(hi, round), clamp) << 16;
}

/* Signs of both operands of a packed operation. */
struct signs {
	bool abs[2];
	bool neg[2];
};

static uint32_t add_halves(const struct signs *g, uint32_t a, uint32_t b, enum mrf_round round,
			   unsigned int clamp)
{
	double d[2];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		double x = half(a, i, g->abs[0], g->neg[0]), y = half(b, i, g->abs[1], g->neg[1]);

		d[i] = mrf_fma_odd(x, 1, y);
		if (round == MRF_RTN)
			d[i] = mrf_zero_down(d[i], x, y);
	}
	return pack(d[0], d[1], round, clamp);
}

static uint32_t min_max_halves(const struct signs *g, uint32_t a, uint32_t b, bool max,
			       unsigned int sem)
{
	uint32_t v[2];
	unsigned int i;

	for (i = 0; i < 2; i++)
		v[i] = mrf_min(mrf_bits((float)half(a, i, g->abs[0], g->neg[0])),
			       mrf_bits((float)half(b, i, g->abs[1], g->neg[1])), max, sem);
	return pack(mrf_f(v[0]), mrf_f(v[1]), MRF_RTE, MRF_CLAMP_NONE);
}

static uint32_t cmp_halves(const struct signs *g, uint32_t a, uint32_t b, unsigned int cmp,
			   unsigned int type)
{
	static const uint32_t yes[4] = { 1, 0x3c00, 0xffff, 0 };
	uint32_t res = 0;
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (mrf_fcmp(half(a, i, g->abs[0], g->neg[0]), half(b, i, g->abs[1], g->neg[1]),
			     cmp))
			res |= yes[type] << (16 * i);
	return res;
}

/*
 * For operations that encode a bit in the order of their operands: swapped operands mean
 * the absolute value of the first operand, and the operation's bit that of the second; in
 * order, the operation's bit means the first.
 */
static void ordered(uint32_t op, struct signs *g)
{
	bool greater = (op & 7) > (op >> 3 & 7);

	g->abs[0] = greater || bit(op, 6);
	g->abs[1] = greater && bit(op, 6);
	g->neg[0] = bit(op, 7);
	g->neg[1] = bit(op, 8);
}

static uint32_t round_halves(uint32_t op, uint32_t v, enum mrf_round round)
{
	v = swz(v, mrf_field(op, 3, 2));
	return pack(mrf_round_int(half(v, 0, bit(op, 7), bit(op, 8)), round),
		    mrf_round_int(half(v, 1, bit(op, 7), bit(op, 8)), round), MRF_RTE, 0);
}

static uint32_t frexp_halves(uint32_t op, uint32_t v, bool mantissa, bool log)
{
	enum bfr_frexp how = log ? BFR_FREXP_LOG : bit(op, mantissa ? 7 : 8) ? BFR_FREXP_SQRT :
			     BFR_FREXP;
	uint32_t f[2], res = 0;
	unsigned int i;
	int e;

	v = swz(v, mrf_field(op, 3, 2));
	for (i = 0; i < 2; i++) {
		f[i] = mrf_bits((float)half(v, i, mantissa && bit(op, 6),
					    mantissa && log && bit(op, 7)));
		e = bfr_frexpe(f[i], how);
		if (!mantissa && !log && bit(op, 6))
			e = -e;
		res |= ((uint32_t)e & 0xffff) << (16 * i);
		f[i] = bfr_frexpm(f[i], how);
	}
	return mantissa ? pack(mrf_f(f[0]), mrf_f(f[1]), MRF_RTE, 0) : res;
}

/* ---- shifts ---- */

/*
 * Amounts for each element: @lanes 0 to 3 that byte for all; of halves 4 b01, 5 b23, 6 b02;
 * of bytes 4 each its own.
 */
static uint32_t amounts(uint32_t v, unsigned int lanes, unsigned int bits)
{
	static const uint8_t pairs[3][2] = { { 0, 1 }, { 2, 3 }, { 0, 2 } };

	if (bits == 8)
		return lanes < 4 ? splat8(v, lanes) : v;
	if (lanes < 4)
		return bytes16(v, lanes, lanes, false);
	return bytes16(v, pairs[lanes - 4][0], pairs[lanes - 4][1], false);
}

enum way { LEFT, RIGHT, ARITHMETIC };

static uint32_t shift_each(enum way way, uint32_t a, uint32_t by, unsigned int bits)
{
	uint32_t res = 0, v, n;
	unsigned int i;

	for (i = 0; i < 32 / bits; i++) {
		v = element(a, i, bits);
		n = element(by, i, bits) & (bits - 1);
		if (way == LEFT)
			v <<= n;
		else if (way == RIGHT)
			v >>= n;
		else
			v = (uint32_t)(sext(v, bits) >> n);
		res |= (v & ones(bits)) << (i * bits);
	}
	return res;
}

/*
 * Bits 11 and 12 and the lane bits (9, 10) select the shifted elements: halves by one byte
 * (01), bytes by one byte (00), bytes each by its own amount or halves by two (11). For
 * AND and OR, bit 12 marks halves, bit 12 is the left shift, 13 OR.
 */
static bool packed_shift(uint32_t op, const uint32_t *s, uint32_t *res)
{
	uint32_t kind = mrf_field(op, 11, 2), lanes = mrf_field(op, 9, 2), v, b = s[1];
	unsigned int bits;
	enum way way;
	bool xor = (op & 0x7fc000) == 0x324000 || (op & 0x7fc000) == 0x320000;
	bool logic = (op & 0x7f0000) == 0x310000 || (op & 0x7f0000) == 0x300000;
	bool ar = (op & 0x7fe038) == 0x334018;

	/* XOR with its NOT (bit 13) */
	if ((op & 0x7f8000) == 0x320000)
		xor = true;
	if (!xor && !logic && !ar)
		return false;
	if (kind == 2)
		return false;	/* words */
	bits = kind == 1 || (kind == 3 && lanes) ? 16 : 8;
	if (kind == 3)
		lanes = bits == 16 ? lanes + 3 : 4;
	if (ar) {
		*res = shift_each(ARITHMETIC, s[0], amounts(s[2], lanes, bits), bits);
		return true;
	}
	way = xor ? (bit(op, 14) ? LEFT : RIGHT) : (bit(op, 16) ? LEFT : RIGHT);
	v = shift_each(way, s[0], amounts(s[2], lanes, bits), bits);
	if (xor) {
		v ^= b;
		*res = bit(op, 13) ? ~v : v;
	} else if (bit(op, 13)) {
		v |= bit(op, 14) ? b : ~b;
		*res = bit(op, 15) ? ~v : v;
	} else {
		v &= bit(op, 14) ? ~b : b;
		*res = bit(op, 15) ? v : ~v;
	}
	return true;
}

/* ---- the multiplier ---- */

static uint32_t dot(uint32_t op, uint32_t a, uint32_t b)
{
	uint32_t sum = 0;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		uint32_t x = mrf_lane8(a, i), y = mrf_lane8(b, i);

		sum += (bit(op, 9) ? (uint32_t)sext(x, 8) : x) *
		       (bit(op, 10) ? (uint32_t)sext(y, 8) : y);
	}
	return sum;
}

static bool fma_floats(uint32_t op, const uint32_t *s, uint32_t *res)
{
	struct signs g = { 0 };

	if ((op & 0x7e0000) == 0x6c0000) {
		ordered(op, &g);
		*res = add_halves(&g, swz(s[0], mrf_field(op, 9, 2)),
				  swz(s[1], mrf_field(op, 11, 2)), mrf_field(op, 13, 2),
				  mrf_field(op, 15, 2));
	} else if ((op & 0x7c0000) == 0x640000 && mrf_field(op, 16, 2) < 3) {
		ordered(op, &g);
		*res = cmp_halves(&g, swz(s[0], mrf_field(op, 9, 2)),
				  swz(s[1], mrf_field(op, 11, 2)), mrf_field(op, 13, 3),
				  mrf_field(op, 16, 2));
	} else if ((op & 0x7ffe60) == 0x707600) {
		*res = round_halves(op, s[0], MRF_RTNA);
	} else if ((op & 0x7ff860) == 0x70c000) {
		*res = round_halves(op, s[0], mrf_field(op, 9, 2));
	} else if ((op & 0x7fffe0) == 0x701e00) {
		*res = frexp_halves(op, s[0], false, true);
	} else if ((op & 0x7ffea0) == 0x701c00) {
		*res = frexp_halves(op, s[0], false, false);
	} else if ((op & 0x7fff20) == 0x701b00) {
		*res = frexp_halves(op, s[0], true, false);
	} else if ((op & 0x7fff20) == 0x701a00) {
		*res = frexp_halves(op, s[0], true, true);
	} else if ((op & 0x7ffff8) == 0x701970) {
		*res = mrf_quiet(mrf_f(s[0]));
	} else if ((op & 0x7fffc8) == 0x701900) {
		*res = swz(s[0], mrf_field(op, 4, 2));
		*res = pack(half(*res, 0, 0, 0), half(*res, 1, 0, 0), MRF_RTE, 0);
	} else {
		return false;
	}
	return true;
}

static bool fma_selects(uint32_t op, const uint32_t *s, uint32_t *res)
{
	struct signs g = { 0 };

	if ((op & 0x7fe000) == 0x6e4000)
		*res = each(bit(op, 12) ? GE : GT, s[0], s[1], 16, true);
	else if ((op & 0x7fe000) == 0x6e6000)
		*res = each(bit(op, 12) ? GE : GT, s[0], s[1], 16, false);
	else if ((op & 0x7fc000) == 0x6e0000 && mrf_field(op, 12, 2) < 3)
		*res = cmp_halves(&g, s[0], s[1], mrf_field(op, 12, 2), 0);
	else
		return false;
	*res = choose(*res, s[2], s[3], 16);
	return true;
}

/* Shifts and rotations of two words, a word of the result. */
static bool wide_shift(uint32_t op, const uint32_t *s, uint32_t *res)
{
	uint64_t v = s[0] | (uint64_t)s[1] << 32;
	unsigned int n = mrf_lane8(s[2], bit(op, 10) ? 2 : 0);

	n = (bit(op, 9) ? 8 * n : n) & 63;
	switch (op >> 12) {
	case 0x33a:
		v = v >> n | (n ? v << (64 - n) : 0);
		break;
	case 0x33b:
		v = v << n | (n ? v >> (64 - n) : 0);
		break;
	case 0x33c:
		v <<= n;
		break;
	case 0x33d:
		v >>= n;
		break;
	case 0x33e:
		v = (uint64_t)((int64_t)v >> n);
		break;
	default:
		return false;
	}
	*res = (uint32_t)(bit(op, 11) ? v >> 32 : v);
	return true;
}

bool bfr_more_fma(uint32_t op, const uint32_t *s, uint32_t *res)
{
	unsigned int i;

	if (wide_shift(op, s, res))
		return true;
	if ((op & 0x7ffe00) == 0x27fe00) {
		*res = s[0] - s[1] - (s[2] & 1);
	} else if ((op & 0x7ffff0) == 0x701f90) {
		*res = each(bit(op, 3) ? CLZ_MASK : CLZ, s[0], 0, 8, false);
	} else if ((op & 0x7fffc0) == 0x701ec0) {
		*res = each(bit(op, 3) ? CLZ_MASK : CLZ, swz(s[0], mrf_field(op, 4, 2)), 0, 16,
			    false);
	} else if ((op & 0x7fffc8) == 0x700b40) {
		*res = (uint32_t)sext(mrf_lane8(s[0], mrf_field(op, 4, 2)), 8);
	} else if ((op & 0x7fffc8) == 0x700b48) {
		*res = mrf_lane8(s[0], mrf_field(op, 4, 2));
	} else if ((op & 0x7fffc0) == 0x73e0c0) {
		*res = each(MUL, s[0], s[1], 8, false);
	} else if ((op & 0x7ff9c0) == 0x7380c0) {
		*res = each(MUL, s[0], splat8(s[1], mrf_field(op, 9, 2)), 8, false);
	} else if ((op & 0x7fe1c0) == 0x7240c0) {
		*res = each(MUL, swz(s[0], mrf_field(op, 9, 2)), swz(s[1], mrf_field(op, 11, 2)),
			    16, false);
	} else if ((op & 0x7ff9c0) == 0x73e8c0) {
		*res = dot(op, s[0], s[1]);
	} else if ((op & 0x7f0000) == 0x710000) {
		for (*res = 0, i = 0; i < 4; i++)
			*res |= (uint32_t)mrf_lane8(s[i], 2 * bit(op, 12 + i)) << (8 * i);
	} else {
		return packed_shift(op, s, res) || fma_selects(op, s, res) ||
		       fma_floats(op, s, res);
	}
	return true;
}

/* ---- the adder ---- */

/* Sums and differences of halves and bytes: the difference has bit 12. */
static bool add_packed(uint32_t op, const uint32_t *s, uint32_t *res)
{
	bool sub = bit(op, 12), u = bit(op, 7), sat = bit(op, 8);
	uint32_t o = op & ~0x1000u, a = s[0], b = s[1];
	unsigned int bits = 16;

	if ((o & 0xffe40) == 0xbc400) {
		bits = 8;
	} else if ((o & 0xff840) == 0xbe040) {
		bits = 8;
		b = splat8(b, mrf_field(op, 9, 2));
	} else if ((o & 0xffc40) == 0xbe840) {
		bits = 8;
		b = bit(op, 9) ? b >> 16 | (b & 0xffff0000) : (b & 0xffff) * 0x10001u;
	} else if ((o & 0xff840) == 0xbc800) {
		a = swap16(a, bit(op, 10));
		b = swap16(b, bit(op, 9));
	} else if ((o & 0xffc40) == 0xbec40) {
		b = swz(b, bit(op, 9) ? 3 : 0);
	} else if ((o & 0xffc40) == 0xbe800) {
		b = bytes16(b, 2 * bit(op, 9), 2 * bit(op, 9) + 1, !u);
	} else {
		return false;
	}
	*res = each(sat ? (sub ? SUB_SAT : ADD_SAT) : sub ? SUB : ADD, a, b, bits, !u);
	return true;
}

static bool add_halving(uint32_t op, const uint32_t *s, uint32_t *res)
{
	enum what what = bit(op, 12) ? HALF_UP : HALF_DOWN;
	bool is_signed = !bit(op, 7);

	if ((op & 0xfef40) == 0xbc640)
		*res = each(what, s[0], s[1], 32, is_signed);
	else if ((op & 0xfef40) == 0xbc440)
		*res = each(what, s[0], s[1], 8, is_signed);
	else if ((op & 0xfe940) == 0xbc840)
		*res = each(what, swap16(s[0], bit(op, 10)), swap16(s[1], bit(op, 9)), 16,
			    is_signed);
	else
		return false;
	return true;
}

static bool add_compares(uint32_t op, const uint32_t *s, uint32_t *res)
{
	uint32_t a = swz(s[0], mrf_field(op, 6, 2)), b = swz(s[1], mrf_field(op, 8, 2));
	unsigned int bits = 16;

	if ((op & 0xffb80) == 0x7b100 || (op & 0xffb00) == 0x7b000) {
		bits = 8;
		if (op & 0x100)
			*res = each(bit(op, 6) ? NE : EQ, s[0], s[1], 8, false);
		else
			*res = each(bit(op, 6) ? GE : GT, s[0], s[1], 8, !bit(op, 7));
	} else if ((op & 0xff000) == 0x7a000) {
		*res = each(bit(op, 11) ? NE : EQ, a, b, 16, false);
	} else if ((op & 0xfe000) == 0x78000) {
		*res = each(bit(op, 12) ? GE : GT, a, b, 16, !bit(op, 11));
	} else {
		return false;
	}
	*res = truth(*res, bits, bit(op, 10));
	return true;
}

/* The first operand where the third one is negative, or zero. */
static bool add_muxes(uint32_t op, const uint32_t *s, uint32_t *res)
{
	unsigned int mode = mrf_field(op, 9, 2), i;
	uint32_t a = s[0], b = s[1], c = s[2], yes = 0;

	if ((op & 0xffe00) == 0x74000) {
		*res = (int32_t)c < 0 ? a : b;
		return true;
	}
	if ((op & 0xffc00) == 0x74800) {
		for (i = 0; i < 4; i++)
			if (bit(op, 9) ? !mrf_lane8(c, i) : mrf_lane8(c, i) >> 7)
				yes |= 1u << (8 * i);
		*res = choose(yes, a, b, 8);
		return true;
	}
	if ((op & 0xfc000) != 0x70000)
		return false;
	a = swap16(a, bit(op, 13));
	b = swap16(b, bit(op, 12));
	c = swap16(c, bit(op, 11));
	for (i = 0; i < 2; i++)
		if (mode == 0 ? mrf_lane16(c, i) >> 15 : mode == 1 ? !mrf_lane16(c, i) :
		    half(c, i, 0, 0) == 0)
			yes |= 1u << (16 * i);
	*res = mode == 3 ? (a & c) | (b & ~c) : choose(yes, a, b, 16);
	return true;
}

static uint32_t to_int16(double d, enum mrf_round round, bool is_signed)
{
	if (isnan(d))
		return 0;
	d = mrf_round_int(d, round);
	if (is_signed)
		return (uint32_t)(int32_t)(d < -32768 ? -32768 : d > 32767 ? 32767 : d) & 0xffff;
	return (uint32_t)(d < 0 ? 0 : d > 65535 ? 65535 : d);
}

static uint32_t ints_to_halves(uint32_t v, enum mrf_round round, bool is_signed)
{
	double d[2];
	unsigned int i;

	for (i = 0; i < 2; i++)
		d[i] = is_signed ? sext(mrf_lane16(v, i), 16) : mrf_lane16(v, i);
	return pack(d[0], d[1], round, 0);
}

static bool add_converts(uint32_t op, const uint32_t *s, uint32_t *res)
{
	bool is_signed = !bit(op, 3), away = true;
	unsigned int round = mrf_field(op, 4, 2), at = 4;
	uint32_t v = s[0];

	if ((op & 0xffff0) == 0x3cd00) {
		*res = mrf_to_single(is_signed ? (double)(int32_t)v : (double)v, MRF_RTNA);
		return true;
	}
	if ((op & 0xfffd0) == 0x3cc40 || (op & 0xfff40) == 0x3c500) {
		away = (op & 0xfffd0) == 0x3cc40;
		v = mrf_half(mrf_lane16(v, bit(op, away ? 5 : 7)));
		*res = is_signed ? mrf_to_s32(v, away ? MRF_RTNA : round) :
				   mrf_to_u32(v, away ? MRF_RTNA : round);
		return true;
	}
	if ((op & 0xfff00) == 0x3c700 || (op & 0xfff00) == 0x3c800) {
		v = bytes16(v, mrf_field(op, 4, 2), mrf_field(op, 6, 2), is_signed);
		*res = (op & 0xfff00) == 0x3c700 ? v : ints_to_halves(v, MRF_RTE, is_signed);
		return true;
	}
	if ((op & 0xfff00) == 0x3c200 || (op & 0xfff00) == 0x3c600) {
		away = false;
		at = 6;
	} else if ((op & 0xfffc0) != 0x3ca80 && (op & 0xfffc0) != 0x3cb00) {
		return false;
	}
	v = swz(v, mrf_field(op, at, 2));
	round = away ? MRF_RTNA : round;
	if ((op & 0xfffc0) == 0x3cb00 || (op & 0xfff00) == 0x3c600)
		*res = ints_to_halves(v, round, is_signed);
	else
		*res = to_int16(half(v, 0, 0, 0), round, is_signed) |
		       to_int16(half(v, 1, 0, 0), round, is_signed) << 16;
	return true;
}

static bool add_floats(uint32_t op, const uint32_t *s, uint32_t *res)
{
	struct signs g = { { bit(op, 15), bit(op, 6) }, { bit(op, 7), bit(op, 8) } };
	uint32_t v;

	if ((op & 0xf0000) == 0xa0000) {
		*res = add_halves(&g, swz(s[0], mrf_field(op, 9, 2)),
				  swz(s[1], mrf_field(op, 11, 2)), mrf_field(op, 13, 2), 0);
	} else if ((op & 0xe8000) == 0x80000) {
		ordered(op, &g);
		*res = min_max_halves(&g, swz(s[0], mrf_field(op, 9, 2)),
				      swz(s[1], mrf_field(op, 11, 2)), !bit(op, 16),
				      mrf_field(op, 13, 2));
	} else if ((op & 0xff860) == 0x3e800) {
		*res = round_halves(op, s[0], mrf_field(op, 9, 2));
	} else if ((op & 0xffee0) == 0x67080 || (op & 0xffee0) == 0x67280) {
		v = mrf_bits((float)half(s[0], bit(op, 8), bit(op, 4), bit(op, 3)));
		v = (op & 0xffee0) == 0x67080 ? bfr_rcp(v) : bfr_rsq(v);
		*res = mrf_to_half(mrf_f(v), MRF_RTE);
	} else if ((op & 0xffe00) == 0x74c00 && mrf_field(op, 6, 3) < 5) {
		*res = mrf_fma(s[0], 0x3f800000, 0x80000000, (int32_t)s[1], mrf_field(op, 6, 3));
	} else if ((op & 0xfffe0) == 0x3de00) {
		*res = frexp_halves(op, s[0], false, true);
	} else if ((op & 0xffea0) == 0x3dc00) {
		*res = frexp_halves(op, s[0], false, false);
	} else if ((op & 0xfff20) == 0x3db00) {
		*res = frexp_halves(op, s[0], true, false);
	} else if ((op & 0xfff20) == 0x3da00) {
		*res = frexp_halves(op, s[0], true, true);
	} else if ((op & 0xffff8) == 0x3d970) {
		*res = mrf_quiet(mrf_f(s[0]));
	} else if ((op & 0xfffc8) == 0x3d900) {
		v = swz(s[0], mrf_field(op, 4, 2));
		*res = pack(half(v, 0, 0, 0), half(v, 1, 0, 0), MRF_RTE, 0);
	} else {
		return false;
	}
	return true;
}

/* Exponents, as integers or floats. */
static double logarithm(double d)
{
	return d == 0 || isnan(d) || isinf(d) ? logb(d) : floor(logb(d));
}

static int32_t int_logarithm(double d, int32_t least, int32_t most)
{
	if (d == 0)
		return least;
	return isnan(d) || isinf(d) ? most : (int32_t)logb(d);
}

static bool add_exponents(uint32_t op, const uint32_t *s, uint32_t *res)
{
	unsigned int how = mrf_field(op, 3, 2), i;
	bool to_int = bit(op, 6);
	double d[2];

	if ((op & 0xfffa0) == 0x3d9a0) {
		if (!how)
			return false;
		d[0] = mrf_f(how == 1 ? s[0] : mrf_half(mrf_lane16(s[0], how - 2)));
		*res = to_int ? (uint32_t)int_logarithm(d[0], INT32_MIN, INT32_MAX) :
				mrf_to_single(logarithm(d[0]), MRF_RTE);
		return true;
	}
	if ((op & 0xfffa0) != 0x3d980)
		return false;
	for (i = 0; i < 2; i++)
		d[i] = half(swz(s[0], how), i, false, false);
	*res = to_int ? (uint16_t)int_logarithm(d[0], -32768, 32767) |
			(uint32_t)int_logarithm(d[1], -32768, 32767) << 16 :
			pack(logarithm(d[0]), logarithm(d[1]), MRF_RTE, 0);
	return true;
}

/* Rounded to odd: discarded bits set the lowest result bit. */
static bool add_to_odd(uint32_t op, const uint32_t *s, uint32_t *res)
{
	double d = mrf_fma_odd(mrf_f(s[0]), 1, mrf_f(s[1]));

	if ((op & 0xfffc0) != 0x75200)
		return false;
	*res = mrf_to_single(d, MRF_RTZ);
	if (!isnan(d) && mrf_f(*res) != d)
		*res |= 1;
	return true;
}

static bool add_bits(uint32_t op, const uint32_t *s, uint32_t *res)
{
	static const uint16_t swizzles[8] = {
		0x0000, 0x1111, 0x2222, 0x3333, 0x1100, 0x3322, 0x2301, 0x0123
	};
	unsigned int i;

	if ((op & 0xffff8) == 0x3deb0) {
		*res = each(ABS, s[0], 0, 8, true);
	} else if ((op & 0xfffc8) == 0x3de88) {
		*res = each(ABS, swz(s[0], mrf_field(op, 4, 2)), 0, 16, true);
	} else if ((op & 0xfffc8) == 0x3d948 && mrf_field(op, 4, 2) != 2) {
		*res = swz(s[0], mrf_field(op, 4, 2));
	} else if ((op & 0xfffc0) == 0x3df40) {
		/* the lowest nibble is the lowest byte's */
		for (*res = 0, i = 0; i < 4; i++)
			*res |= (uint32_t)mrf_lane8(s[0], swizzles[mrf_field(op, 3, 3)] >> 4 * i &
						    3) << (8 * i);
	} else {
		return false;
	}
	return true;
}

bool bfr_more_add(uint32_t op, const uint32_t *s, uint32_t *res)
{
	return add_packed(op, s, res) || add_halving(op, s, res) || add_compares(op, s, res) ||
	       add_muxes(op, s, res) || add_converts(op, s, res) || add_floats(op, s, res) ||
	       add_bits(op, s, res) || add_exponents(op, s, res) || add_to_odd(op, s, res);
}
