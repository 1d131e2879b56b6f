/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * QPU arithmetic of one element, in integers.
 *
 * Floats: exponent 0 is read as +0, no result is subnormal, -0 or NaN; all operations
 * truncate. As recorded on hardware by the VC4C project; truncation in the multiplier
 * follows from GPU_FFT's published accuracy. Overflow of an addition, for which no recording
 * exists, results in infinity as in the multiplier.
 */
#ifndef QPU_NUM_H
#define QPU_NUM_H

#include "../../engine/vs_glue.h"

#define QPU_F_SIGN	0x80000000U
#define QPU_F_INF	0x7f800000U

static inline u32 qpu_f_exp(u32 a)
{
	return a >> 23 & 0xff;
}

/* Build a float: sign, biased exponent of bit 62 (the leading bit), 63 bits of magnitude. */
static inline u32 qpu_f_make(u32 sign, s32 exp, u64 mag)
{
	u32 up;

	if (!mag)
		return 0;
	up = __builtin_clzll(mag) - 1;
	mag <<= up;
	exp -= up;
	if (exp >= 255)
		return sign | QPU_F_INF;
	if (exp <= 0)
		return 0;
	return sign | (u32)exp << 23 | (mag >> 39 & 0x7fffff);
}

static inline u32 qpu_fadd1(u32 a, u32 b)
{
	u64 ma, mb;
	u32 d;

	if (qpu_f_exp(b) == 255)
		return (b & QPU_F_SIGN) | QPU_F_INF;
	if (qpu_f_exp(a) == 255)
		return (a & QPU_F_SIGN) | QPU_F_INF;
	if (!qpu_f_exp(a))
		return qpu_f_exp(b) ? b : 0;
	if (!qpu_f_exp(b))
		return a;
	if ((a & ~QPU_F_SIGN) < (b & ~QPU_F_SIGN)) {
		u32 t = a;

		a = b;
		b = t;
	}
	/* One spare bit for the carry; the last one is sticky. */
	ma = (u64)((a & 0x7fffff) | 0x800000) << 38;
	mb = (u64)((b & 0x7fffff) | 0x800000) << 38;
	d = qpu_f_exp(a) - qpu_f_exp(b);
	if (d)
		mb = d > 62 ? 1 : mb >> d | (mb << (64 - d) ? 1 : 0);
	if ((a ^ b) & QPU_F_SIGN)
		ma -= mb;
	else
		ma += mb;
	return qpu_f_make(a & QPU_F_SIGN, qpu_f_exp(a) + 1, ma);
}

static inline u32 qpu_fmul1(u32 a, u32 b)
{
	u32 sign = (a ^ b) & QPU_F_SIGN;

	if (!qpu_f_exp(a) || !qpu_f_exp(b))
		return 0;
	if (qpu_f_exp(a) == 255 || qpu_f_exp(b) == 255)
		return sign | QPU_F_INF;
	return qpu_f_make(sign, (s32)qpu_f_exp(a) + (s32)qpu_f_exp(b) - 126,
			  (u64)((a & 0x7fffff) | 0x800000) *
			  ((b & 0x7fffff) | 0x800000) << 15);
}

/* Float to integer, truncated; 0 if out of range. */
static inline u32 qpu_ftoi1(u32 a)
{
	u32 e = qpu_f_exp(a), m = (a & 0x7fffff) | 0x800000;

	if (e < 127)
		return 0;
	if (e >= 158)
		return a == 0xcf000000 ? 0x80000000 : 0;
	m = e >= 150 ? m << (e - 150) : m >> (150 - e);
	return a & QPU_F_SIGN ? -m : m;
}

static inline u32 qpu_itof1(u32 a)
{
	u32 sign = a & QPU_F_SIGN;

	return qpu_f_make(sign, 127 + 62, sign ? -a : a);
}

/* Half to float; exponents 0 and 31 keep the mantissa, too. */
static inline u32 qpu_half_to_float(u32 h)
{
	u32 sign = (h & 0x8000) << 16, e = h >> 10 & 0x1f, m = (h & 0x3ff) << 13;

	if (e == 31)
		return sign | QPU_F_INF | m;
	return sign | (e ? (e + 112) << 23 : 0) | m;
}

/* Float to half, nearest even; below 2^-14 results in +0, overflow in infinity. */
static inline u32 qpu_float_to_half(u32 f)
{
	u32 sign = f >> 16 & 0x8000, a = f & ~QPU_F_SIGN;

	if (qpu_f_exp(f) == 255)
		return sign | 0x7c00;
	if (a < 113U << 23)
		return 0;
	a += 0xfff + (a >> 13 & 1);
	a -= 112U << 23;
	return sign | (a >= 31U << 23 ? 0x7c00 : a >> 13);
}

/* x / 255, truncated. */
static inline u32 qpu_byte_to_float(u32 x)
{
	if (!x)
		return 0;
	return qpu_f_make(0, 127 + 6, ((u64)x << 56) / 255);
}

/* 255 * x to nearest, clamped to a byte. */
static inline u32 qpu_float_to_byte(u32 f)
{
	u32 e = qpu_f_exp(f);
	u64 m;

	if (f & QPU_F_SIGN || e < 127 - 10)
		return 0;
	if (e >= 127)
		return 255;
	/* 1.0 is 2^33 */
	m = (u64)((f & 0x7fffff) | 0x800000) << 10 >> (127 - e);
	return (m * 255 + (1ULL << 32)) >> 33;
}

/* Unpack modes 1..7 for an integer consumer. */
static inline u32 qpu_unpack_int(u32 v, u32 mode)
{
	switch (mode) {
	case 1:
		return (s32)(v << 16) >> 16;
	case 2:
		return (s32)v >> 16;
	case 3:
		return (v >> 24) * 0x01010101;
	default:
		return mode ? v >> (8 * (mode - 4)) & 0xff : v;
	}
}

/* Unpack modes 1..7 for a float consumer; replicating does not convert. */
static inline u32 qpu_unpack_float(u32 v, u32 mode)
{
	switch (mode) {
	case 1:
		return qpu_half_to_float(v & 0xffff);
	case 2:
		return qpu_half_to_float(v >> 16);
	case 3:
		return (v >> 24) * 0x01010101;
	default:
		return mode ? qpu_byte_to_float(v >> (8 * (mode - 4)) & 0xff) : v;
	}
}

/**
 * struct qpu_result - result before the packer of register file A
 * @r:	result
 * @c:	carry or borrow
 * @ov:	signed overflow of add or sub
 * @f:	it is a float
 */
struct qpu_result {
	u32 r;
	bool c;
	bool ov;
	bool f;
};

static inline u32 qpu_sat16(const struct qpu_result *x)
{
	s32 v = x->r;
	u32 ovv = x->c ? 0x8000 : 0x7fff;

	if (v > 32767 || v < -32768)
		return (v < 0 ? 0x8000 : 0x7fff) & (x->ov ? ovv : 0xffff);
	return x->ov ? ovv : x->r & 0xffff;
}

static inline u32 qpu_sat8(const struct qpu_result *x)
{
	s32 v = x->r;
	u32 ovv = x->c ? 0 : 255;

	if (v > 255 || v < 0)
		return (v < 0 ? 0 : 255) & (x->ov ? ovv : 255);
	return x->ov ? ovv : x->r & 0xff;
}

static inline u32 qpu_pack16(const struct qpu_result *x, bool sat)
{
	if (x->f)
		return qpu_float_to_half(x->r);
	if (sat)
		return qpu_sat16(x);
	return x->ov ? (x->c ? 0x8000 : 0x7fff) : x->r & 0xffff;
}

static inline u32 qpu_pack8(const struct qpu_result *x, bool sat)
{
	if (sat)
		return qpu_sat8(x);
	return x->ov ? (x->c ? 0 : 255) : x->r & 0xff;
}

/**
 * qpu_pack_a - packer of register file A (pm = 0)
 * @x: result
 * @mode: pack mode 1..15
 * @old: old value of the destination
 *
 * Return: new value of the destination.
 */
static inline u32 qpu_pack_a(const struct qpu_result *x, u32 mode, u32 old)
{
	bool sat = mode & 8;
	u32 shift = 8 * (mode & 3);

	switch (mode & 7) {
	case 0:
		return x->ov ? (x->c ? 0x80000000 : 0x7fffffff) : x->r;
	case 1:
		return (old & 0xffff0000) | qpu_pack16(x, sat);
	case 2:
		return (old & 0xffff) | qpu_pack16(x, sat) << 16;
	case 3:
		return qpu_pack8(x, sat) * 0x01010101;
	default:
		return (old & ~(0xffU << shift)) | qpu_pack8(x, sat) << shift;
	}
}

/* Packer of the multiplier (pm = 1): modes 3 to 7. */
static inline u32 qpu_pack_mul(u32 r, u32 mode, u32 old)
{
	u32 byte = qpu_float_to_byte(r), shift = 8 * (mode & 3);

	if (mode == 3)
		return byte * 0x01010101;
	return (old & ~(0xffU << shift)) | byte << shift;
}

#endif /* QPU_NUM_H */
