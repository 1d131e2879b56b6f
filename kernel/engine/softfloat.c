// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Integer-only floating point: the executor for machines without vector units, and the reference
 * for the vector executors.
 *
 * Both formats share one representation: significands as integers with the leading bit
 * at SIG_TOP and at least two bits below the format's last one, the lowest of them
 * sticky. Functions that are always inlined know the format at compile time.
 */
#include "softfloat.h"

#define SIG_TOP		62

/**
 * struct fmt - A binary format.
 * @mant:	stored significand bits
 * @bias:	exponent bias
 * @emax:	exponent field of infinities
 */
struct fmt {
	int mant;
	int bias;
	int emax;
};

static const struct fmt f32 = { 23, 127, 255 };
static const struct fmt f16 = { 10, 15, 31 };
static const struct fmt f64 = { 52, 1023, 2047 };

enum num_class { NUM_ZERO, NUM_FINITE, NUM_INF, NUM_NAN };

/**
 * struct num - An unpacked number.
 * @sig:	significand, leading bit at SIG_TOP
 * @exp:	value is sig * 2^(exp - SIG_TOP)
 * @cls:	class
 * @neg:	sign
 */
struct num {
	u64 sig;
	int exp;
	enum num_class cls;
	bool neg;
};

static inline u64 sign_bit(const struct fmt *f)
{
	return (u64)(f->emax + 1) << f->mant;
}

static inline u64 quiet_bit(const struct fmt *f)
{
	return 1ULL << (f->mant - 1);
}

static inline u64 inf_bits(const struct fmt *f, bool neg)
{
	return (u64)f->emax << f->mant | (neg ? sign_bit(f) : 0);
}

static inline u64 invalid(const struct fmt *f)
{
	return inf_bits(f, true) | quiet_bit(f);
}

/* Shift right, with the bits shifted out ORed into the lowest bit. */
static __always_inline u64 shift_sticky(u64 v, int n)
{
	if (n == 0)
		return v;
	if (n > 63)
		return v != 0;
	return v >> n | ((v << (64 - n)) != 0);
}

static __always_inline struct num unpack(const struct fmt *f, u64 bits)
{
	struct num n = { .neg = bits & sign_bit(f) };
	u64 mant = bits & ((1ULL << f->mant) - 1);
	int e = bits >> f->mant & f->emax, lead;

	if (e == f->emax) {
		n.cls = mant ? NUM_NAN : NUM_INF;
	} else if (e) {
		n.cls = NUM_FINITE;
		n.sig = (mant | 1ULL << f->mant) << (SIG_TOP - f->mant);
		n.exp = e - f->bias;
	} else if (mant) {
		lead = 63 - __builtin_clzll(mant);
		n.cls = NUM_FINITE;
		n.sig = mant << (SIG_TOP - lead);
		n.exp = 1 - f->bias - (f->mant - lead);
	}
	return n;
}

/* Return: rounding increments the last place. @rest: discarded bits, @half: half of a place. */
static __always_inline bool rounds_up(enum sf_round mode, bool neg, u64 rest, u64 half, bool odd)
{
	switch (mode) {
	case SF_RTE:
		return rest > half || (rest == half && odd);
	case SF_RTNA:
		return rest >= half;
	case SF_RTP:
		return rest && !neg;
	case SF_RTN:
		return rest && neg;
	case SF_ODD:
		return rest && !odd;
	default:
		return false;
	}
}

/* Return: overflow gives the largest finite number. */
static __always_inline bool overflow_finite(enum sf_round mode, bool neg)
{
	return mode == SF_RTZ || mode == SF_ODD || (mode == SF_RTP && neg) ||
	       (mode == SF_RTN && !neg);
}

/* Round and pack a finite nonzero number whose @n.sig is normalised. */
static __always_inline u64 pack(const struct fmt *f, struct num n, enum sf_round mode)
{
	int drop = SIG_TOP - f->mant, e = n.exp + f->bias;
	u64 sign = n.neg ? sign_bit(f) : 0, half = 1ULL << (drop - 1), rest, bits;

	if (e < 1) {
		n.sig = shift_sticky(n.sig, 1 - e);
		e = 0;
	} else {
		e--;	/* the leading bit adds one */
	}
	rest = n.sig & ((1ULL << drop) - 1);
	bits = ((u64)e << f->mant) + (n.sig >> drop);
	bits += rounds_up(mode, n.neg, rest, half, bits & 1);
	if (bits >= (u64)f->emax << f->mant)
		bits = inf_bits(f, false) - overflow_finite(mode, n.neg);
	return sign | bits;
}

/* Result if an operand is NaN. Return: false if none is. */
static __always_inline bool pick_nan(const struct fmt *f, u64 a, u64 b, const struct num *x,
				     const struct num *y, u64 *r)
{
	if (x->cls != NUM_NAN && y->cls != NUM_NAN)
		return false;
	*r = (x->cls == NUM_NAN ? a : b) | quiet_bit(f);
	return true;
}

static __always_inline struct num softfloat_normalize(struct num n)
{
	int shift = __builtin_clzll(n.sig) - 1;

	if (shift < 0) {
		n.sig = shift_sticky(n.sig, 1);
		n.exp++;
	} else {
		n.sig <<= shift;
		n.exp -= shift;
	}
	return n;
}

/* Sum of finite nonzero numbers; without a significand if they cancel. */
static __always_inline struct num softfloat_sum(struct num x, struct num y)
{
	struct num r;

	if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig))
		swap(x, y);
	r = x;
	/*
	 * All formats leave at least ten spare bits, a product of binary32 fifteen:
	 * aligned by no more, the sum is exact; aligned by more, at most one leading bit
	 * cancels and the sticky bit stays below the rounding position.
	 */
	y.sig = shift_sticky(y.sig, x.exp - y.exp);
	r.sig = x.neg == y.neg ? x.sig + y.sig : x.sig - y.sig;
	return r.sig ? softfloat_normalize(r) : r;
}

static __always_inline u64 add_finite(const struct fmt *f, struct num x, struct num y, bool rz)
{
	struct num r = softfloat_sum(x, y);

	return r.sig ? pack(f, r, rz) : 0;
}

static __always_inline u64 num_add(const struct fmt *f, u64 a, u64 b, bool negate, bool rz)
{
	struct num x = unpack(f, a), y = unpack(f, b);
	u64 r;

	if (pick_nan(f, a, b, &x, &y, &r))
		return r;
	if (negate) {
		b ^= sign_bit(f);
		y.neg = !y.neg;
	}
	if (x.cls == NUM_INF)
		return y.cls == NUM_INF && x.neg != y.neg ? invalid(f) : a;
	if (y.cls == NUM_INF)
		return b;
	if (x.cls == NUM_ZERO && y.cls == NUM_ZERO)
		return x.neg && y.neg ? a : 0;
	if (y.cls == NUM_ZERO)
		return a;
	if (x.cls == NUM_ZERO)
		return b;
	return add_finite(f, x, y, rz);
}

/* High part of a product of significands, with the low part ORed into the lowest bit. */
static __always_inline u64 mul_sig(u64 x, u64 y)
{
	unsigned __int128 p = (unsigned __int128)x * y;

	return (u64)(p >> SIG_TOP) | ((u64)p << (64 - SIG_TOP) != 0);
}

static __always_inline u64 num_mul(const struct fmt *f, u64 a, u64 b, bool rz)
{
	struct num x = unpack(f, a), y = unpack(f, b);
	u64 r, sign;

	if (pick_nan(f, a, b, &x, &y, &r))
		return r;
	sign = x.neg != y.neg ? sign_bit(f) : 0;
	if (x.cls == NUM_INF || y.cls == NUM_INF)
		return x.cls == NUM_ZERO || y.cls == NUM_ZERO ? invalid(f) :
		       inf_bits(f, false) | sign;
	if (x.cls == NUM_ZERO || y.cls == NUM_ZERO)
		return sign;
	x.sig = mul_sig(x.sig, y.sig);
	x.exp += y.exp;
	x.neg = sign != 0;
	return pack(f, softfloat_normalize(x), rz);
}

/* Shift right, with the bits shifted out ORed into the lowest bit. */
static unsigned __int128 shift_sticky_wide(unsigned __int128 v, int n)
{
	if (n == 0)
		return v;
	if (n > 127)
		return v != 0;
	return v >> n | ((v << (128 - n)) != 0);
}

/* Normalise. Bit 2 * SIG_TOP counts as 2^@exp. */
static struct num num_from_wide(unsigned __int128 v, int exp, bool neg)
{
	int lead = v >> 64 ? 127 - __builtin_clzll((u64)(v >> 64)) :
			     63 - __builtin_clzll((u64)v);
	struct num r = { .cls = NUM_FINITE, .neg = neg, .exp = exp + lead - 2 * SIG_TOP };

	r.sig = lead > SIG_TOP ? (u64)shift_sticky_wide(v, lead - SIG_TOP) :
				 (u64)v << (SIG_TOP - lead);
	return r;
}

/*
 * Product of @x and @y, whose sign is that of @x, plus @z if nonzero: binary64, exact except for
 * a sticky bit. A product has twenty spare bits at its lower end, @z more: aligned by no more,
 * the sum is exact; aligned by more, the addend is so small that only one leading bit cancels.
 */
static struct num wide_sum(struct num x, struct num y, struct num z)
{
	unsigned __int128 p = (unsigned __int128)x.sig * y.sig;
	unsigned __int128 q = (unsigned __int128)z.sig << SIG_TOP;
	int exp = x.exp + y.exp;

	if (z.cls == NUM_ZERO)
		return num_from_wide(p, exp, x.neg);
	if (exp > z.exp) {
		q = shift_sticky_wide(q, exp - z.exp);
	} else {
		p = shift_sticky_wide(p, z.exp - exp);
		exp = z.exp;
	}
	if (x.neg == z.neg)
		return num_from_wide(p + q, exp, x.neg);
	if (p == q)
		return (struct num){ .cls = NUM_FINITE };
	return p > q ? num_from_wide(p - q, exp, x.neg) : num_from_wide(q - p, exp, z.neg);
}

/*
 * (a * b + c) * 2^scale, rounded once. Every NaN result is the negative quiet one.
 */
static u64 num_fma(const struct fmt *f, const u64 op[3], int scale, enum sf_round mode)
{
	struct num x = unpack(f, op[0]), y = unpack(f, op[1]), z = unpack(f, op[2]), r;
	bool neg = x.neg != y.neg;

	if (x.cls == NUM_NAN || y.cls == NUM_NAN || z.cls == NUM_NAN)
		return invalid(f);
	if (x.cls == NUM_INF || y.cls == NUM_INF) {
		if (x.cls == NUM_ZERO || y.cls == NUM_ZERO || (z.cls == NUM_INF && z.neg != neg))
			return invalid(f);
		return inf_bits(f, neg);
	}
	if (z.cls == NUM_INF)
		return inf_bits(f, z.neg);
	r = z;
	if (x.cls != NUM_ZERO && y.cls != NUM_ZERO && f->mant > 23) {
		x.neg = neg;
		r = wide_sum(x, y, z);
	} else if (x.cls != NUM_ZERO && y.cls != NUM_ZERO) {
		x.sig = mul_sig(x.sig, y.sig);
		x.exp += y.exp;
		x.neg = neg;
		x = softfloat_normalize(x);
		r = z.cls == NUM_ZERO ? x : softfloat_sum(x, z);
	}
	if (!r.sig) {
		/* Zeros of opposite signs, or exact cancellation. */
		if (r.cls != NUM_ZERO || neg != z.neg)
			neg = mode == SF_RTN;
		return neg ? sign_bit(f) : 0;
	}
	r.exp += scale;
	return pack(f, r, mode);
}

/*
 * Quotient of significands, leading bit at SIG_TOP or one below; lowest bit sticky. Those of
 * binary32 are short enough for the processor's division, which returns more bits than are kept.
 */
static u64 div_sig(const struct fmt *f, u64 x, u64 y)
{
	const int low = SIG_TOP - 23;
	u64 q = 0;
	int i;

	if (f->mant <= 23) {
		y >>= low;
		q = x / y;
		return q << (SIG_TOP - low) | (x != q * y);
	}

	for (i = 0; i <= SIG_TOP; i++) {
		q <<= 1;
		if (x >= y) {
			x -= y;
			q |= 1;
		}
		x <<= 1;
	}
	return q | (x != 0);
}

static u64 num_div(const struct fmt *f, u64 a, u64 b, bool rz)
{
	struct num x = unpack(f, a), y = unpack(f, b);
	u64 r, sign;

	if (pick_nan(f, a, b, &x, &y, &r))
		return r;
	sign = x.neg != y.neg ? sign_bit(f) : 0;
	if (x.cls == NUM_INF)
		return y.cls == NUM_INF ? invalid(f) : inf_bits(f, false) | sign;
	if (y.cls == NUM_INF)
		return sign;
	if (y.cls == NUM_ZERO)
		return x.cls == NUM_ZERO ? invalid(f) : inf_bits(f, false) | sign;
	if (x.cls == NUM_ZERO)
		return sign;
	x.sig = div_sig(f, x.sig, y.sig);
	x.exp -= y.exp;
	x.neg = sign != 0;
	return pack(f, softfloat_normalize(x), rz);
}

static u64 num_root(const struct fmt *f, u64 a, bool rz)
{
	struct num x = unpack(f, a);
	u64 rem = 0, q = 0;
	int i;

	if (x.cls == NUM_NAN)
		return a | quiet_bit(f);
	if (x.cls == NUM_ZERO)
		return a;
	if (x.neg)
		return invalid(f);
	if (x.cls == NUM_INF)
		return a;
	/* sig * 2^e with e even; two bits of the radicand make one of the root. */
	if (x.exp & 1)
		x.sig <<= 1;
	x.exp = (x.exp - (x.exp & 1)) / 2;
	for (i = 0; i < 59; i++) {
		rem = rem << 2 | x.sig >> 62;
		x.sig <<= 2;
		q <<= 1;
		if (rem >= (q << 1 | 1)) {
			rem -= q << 1 | 1;
			q |= 1;
		}
	}
	/* The first pair holds the integer part, so bit 58 has weight 1. */
	x.sig = q << (SIG_TOP - 58) | (rem != 0 || x.sig != 0);
	return pack(f, softfloat_normalize(x), rz);
}

/* Convert to another format; a NaN keeps the upper bits of its payload. */
static __always_inline u64 softfloat_convert(const struct fmt *to, const struct fmt *from, u64 a,
					     enum sf_round mode)
{
	u64 mant = a & ((1ULL << from->mant) - 1);
	struct num n = unpack(from, a);

	switch (n.cls) {
	case NUM_ZERO:
		return n.neg ? sign_bit(to) : 0;
	case NUM_INF:
		return inf_bits(to, n.neg);
	case NUM_NAN:
		mant = to->mant > from->mant ? mant << (to->mant - from->mant) :
					       mant >> (from->mant - to->mant);
		return inf_bits(to, n.neg) | mant | quiet_bit(to);
	default:
		return pack(to, n, mode);
	}
}

static __always_inline u64 num_from_int(const struct fmt *f, u64 magnitude, bool neg,
					enum sf_round mode)
{
	struct num n = { .sig = magnitude, .exp = SIG_TOP, .cls = NUM_FINITE, .neg = neg };

	return magnitude ? pack(f, softfloat_normalize(n), mode) : 0;
}

static __always_inline bool num_is_nan(const struct fmt *f, u64 a)
{
	return (a & ~sign_bit(f)) > inf_bits(f, false);
}

static __always_inline u64 num_rint(const struct fmt *f, u64 a, enum sf_round mode)
{
	u64 sign = a & sign_bit(f), m = (a & ((1ULL << f->mant) - 1)) | 1ULL << f->mant, i, rest;
	int e = (int)(a >> f->mant & f->emax) - f->bias, shift = f->mant - e;

	if (num_is_nan(f, a))
		return a | quiet_bit(f);
	if (e >= f->mant || a == sign)
		return a;
	/* All magnitudes below 1/4 round alike. */
	if (e < -2) {
		m = 1;
		shift = f->mant + 2;
	}
	i = m >> shift;
	rest = m & ((1ULL << shift) - 1);
	i += rounds_up(mode, sign, rest, 1ULL << (shift - 1), i & 1);
	return sign | num_from_int(f, i, false, SF_RTE);
}

/* Total order of numbers, zeros equal. */
static __always_inline s64 num_order(const struct fmt *f, u64 a)
{
	return a & sign_bit(f) ? -(s64)(a & ~sign_bit(f)) : (s64)a;
}

static __always_inline bool ordered(const struct fmt *f, u64 a, u64 b)
{
	return !num_is_nan(f, a) && !num_is_nan(f, b);
}

/* Operations that binary32 and binary64 share. Comparisons with a NaN are false. */
#define SF_FORMAT(name, bits)								\
u##bits name##_add(u##bits a, u##bits b, bool rz)					\
{											\
	return num_add(&f##bits, a, b, false, rz);					\
}											\
											\
u##bits name##_sub(u##bits a, u##bits b, bool rz)					\
{											\
	return num_add(&f##bits, a, b, true, rz);					\
}											\
											\
u##bits name##_mul(u##bits a, u##bits b, bool rz)					\
{											\
	return num_mul(&f##bits, a, b, rz);						\
}											\
											\
u##bits name##_div(u##bits a, u##bits b, bool rz)					\
{											\
	return num_div(&f##bits, a, b, rz);						\
}											\
											\
u##bits name##_sqrt(u##bits a, bool rz)							\
{											\
	return num_root(&f##bits, a, rz);						\
}											\
											\
u##bits name##_rint(u##bits a, enum sf_round mode)					\
{											\
	return num_rint(&f##bits, a, mode);						\
}											\
											\
bool name##_lt(u##bits a, u##bits b)							\
{											\
	return ordered(&f##bits, a, b) && num_order(&f##bits, a) < num_order(&f##bits, b);	\
}											\
											\
bool name##_eq(u##bits a, u##bits b)							\
{											\
	return ordered(&f##bits, a, b) && num_order(&f##bits, a) == num_order(&f##bits, b);	\
}

SF_FORMAT(sf, 32)
SF_FORMAT(sd, 64)

/**
 * sf_le - a <= b, false for NaNs
 * @a: binary32
 * @b: binary32
 */
bool sf_le(u32 a, u32 b)
{
	return ordered(&f32, a, b) && num_order(&f32, a) <= num_order(&f32, b);
}

/**
 * sf_to_int - truncate
 * @a: binary32 of magnitude below 2^31
 */
s32 sf_to_int(u32 a)
{
	int e = (int)(a >> 23 & 0xff) - 127;
	u32 m = (a & 0x7fffff) | 0x800000;

	if (e < 0)
		return 0;
	m = e > 23 ? m << (e - 23) : m >> (23 - e);
	return a >> 31 ? -(s32)m : (s32)m;
}

/**
 * sf_from_int - integer to binary32
 * @a: integer
 * @mode: rounding
 */
u32 sf_from_int(s64 a, enum sf_round mode)
{
	return num_from_int(&f32, a < 0 ? -(u64)a : (u64)a, a < 0, mode);
}

/**
 * sd_from_int64 - integer to binary64
 * @a: magnitude
 * @neg: it is negative
 * @mode: rounding
 */
u64 sd_from_int64(u64 a, bool neg, enum sf_round mode)
{
	return num_from_int(&f64, a, neg, mode);
}

/**
 * sd_to_int64 - binary64 to integer, saturated, NaN becomes 0
 * @a: binary64
 * @is_unsigned: of the integer
 * @mode: rounding
 */
u64 sd_to_int64(u64 a, bool is_unsigned, enum sf_round mode)
{
	bool neg = a >> 63;
	u64 r = sd_rint(a, mode), m = (r & ((1ULL << 52) - 1)) | 1ULL << 52;
	int e = (int)(r >> 52 & 2047) - 1023;

	if (num_is_nan(&f64, a) || e < 0 || (neg && is_unsigned))
		return 0;
	if (e > 62 + is_unsigned)
		return is_unsigned ? ~0ULL : neg ? 1ULL << 63 : ~0ULL >> 1;
	m = e > 52 ? m << (e - 52) : m >> (52 - e);
	return neg ? -m : m;
}

/**
 * sd_from_float - widen, exact
 * @a: binary32
 */
u64 sd_from_float(u32 a)
{
	return softfloat_convert(&f64, &f32, a, SF_RTZ);
}

/**
 * sd_to_float - narrow
 * @a: binary64
 * @mode: rounding
 */
u32 sd_to_float(u64 a, enum sf_round mode)
{
	return softfloat_convert(&f32, &f64, a, mode);
}

/**
 * sh_from_float - binary32 to binary16
 * @a: binary32
 * @mode: rounding
 */
u32 sh_from_float(u32 a, enum sf_round mode)
{
	return softfloat_convert(&f16, &f32, a, mode);
}

/**
 * sd_fma - a * b + c, rounded once
 * @a: binary64
 * @b: binary64
 * @c: binary64
 * @mode: rounding
 */
u64 sd_fma(u64 a, u64 b, u64 c, enum sf_round mode)
{
	const u64 op[3] = { a, b, c };

	return num_fma(&f64, op, 0, mode);
}

/**
 * sf_fma - (a * b + c) * 2^scale, rounded once
 * @a: binary32
 * @b: binary32
 * @c: binary32
 * @scale: magnitude at most 1000
 * @mode: rounding
 */
u32 sf_fma(u32 a, u32 b, u32 c, int scale, enum sf_round mode)
{
	const u64 op[3] = { a, b, c };

	return num_fma(&f32, op, scale, mode);
}

/**
 * sh_fma - a * b + c, rounded once
 * @a: binary16
 * @b: binary16
 * @c: binary16
 * @mode: rounding
 */
u32 sh_fma(u32 a, u32 b, u32 c, enum sf_round mode)
{
	const u64 op[3] = { a, b, c };

	return num_fma(&f16, op, 0, mode);
}
