/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * QPU operations on vectors. The including file has defined the vector primitives of one
 * width (vi, ld_i() ...).
 *
 * op_NAME(a, b): result. Floats rely on VS_FPU_RZ_FLUSH: toward zero, subnormals flushed on both
 * sides. Remaining differences between processor and QPU (sign of zero, exponent 255,
 * overflow) are detected in the result and corrected.
 *
 * carry_NAME(a, b, r): all ones where the C flag is set.
 */
#ifndef QPU_EXEC_OPS_H
#define QPU_EXEC_OPS_H

#include "qpu_num.h"

#if VS_W == 1
typedef u32 vu;
#else
typedef VS_VEC(u32, 4 * VS_W) vu;
typedef VS_VEC(u8, 4 * VS_W) vb;
#endif

/* Mask @m (all ones or zero) as bits, shifted to lane @lane. */
static __always_inline u32 bits_of(vi m, u32 lane)
{
	return (u32)v_movemask(m) << lane;
}

/* @r where bits from @lane on of @mask are set, else @old. */
static __always_inline vi blend(u32 mask, u32 lane, vi r, vi old)
{
#if VS_W == 1
	return mask >> lane & 1 ? r : old;
#elif VS_W == 16
	unsigned short k = mask;

	__asm__("vmovdqa32 %1, %0%{%2%}" : "+v"(old) : "v"(r), "Yk"(k));
	return old;
#else
	vi bits = {};
	u32 i;

	for (i = 0; i < VS_W; i++)
		bits[i] = 1 << i;
	return i_sel(i_eq(splat_i(mask >> lane) & bits, bits), r, old);
#endif
}

static __always_inline vi shr_v(vi a, vi n)
{
	return (vi)((vu)a >> (vu)n);
}

/* a > b, unsigned. */
static __always_inline vi u_gt(vi a, vi b)
{
	return i_gt(a ^ splat_i(0x80000000), b ^ splat_i(0x80000000));
}

/* Magnitude order of floats, +0 and -0 equal. */
static __always_inline vi f_key(vi a)
{
	vi s = a >> 31;

	return ((a & splat_i(0x7fffffff)) ^ s) - s;
}

/* ---- floats ---- */

#if VS_W == 1

static __always_inline vi op_FADD(vi a, vi b)
{
	return qpu_fadd1(a, b);
}

static __always_inline vi op_FMUL(vi a, vi b)
{
	return qpu_fmul1(a, b);
}

static __always_inline vi op_FTOI(vi a, vi b)
{
	return qpu_ftoi1(a);
}

static __always_inline vi op_ITOF(vi a, vi b)
{
	return qpu_itof1(a);
}

#else

/* Slow path, out of line. Recomputes all lanes. */
static noinline vi fadd_exact(vi a, vi b)
{
	u32 l;

	for (l = 0; l < VS_W; l++)
		a[l] = qpu_fadd1(a[l], b[l]);
	return a;
}

static noinline vi fmul_exact(vi a, vi b)
{
	u32 l;

	for (l = 0; l < VS_W; l++)
		a[l] = qpu_fmul1(a[l], b[l]);
	return a;
}

/*
 * May the result be wrong? Operands of exponent 255 and overflow (the largest finite number,
 * when truncating) result in a magnitude of at least 0x7f7fffff.
 */
static __always_inline bool f_doubtful(vi abs)
{
#if VS_W == 16
	unsigned short k;

	__asm__("vpcmpgtd %2, %1, %0" : "=Yk"(k) : "v"(abs), "v"(splat_i(0x7f7ffffe)));
	return k;
#else
	return v_movemask(i_gt(abs, splat_i(0x7f7ffffe)));
#endif
}

/* @r with -0 replaced by +0: the result of adding +0 when truncating. */
static __always_inline vi f_clean(vi r)
{
	return as_i(f_add(as_f(r), as_f(splat_i(0))));
}

static __always_inline vi op_FADD(vi a, vi b)
{
	vi r = as_i(f_add(as_f(a), as_f(b)));

	if (unlikely(f_doubtful(r & splat_i(0x7fffffff))))
		return fadd_exact(a, b);
	return f_clean(r);
}

static __always_inline vi op_FMUL(vi a, vi b)
{
	vi r = as_i(f_mul(as_f(a), as_f(b)));

	if (unlikely(f_doubtful(r & splat_i(0x7fffffff))))
		return fmul_exact(a, b);
	return f_clean(r);
}

/* Out-of-range values are 0x80000000 on the processor, or saturated, and 0 on the QPU. */
static __always_inline vi op_FTOI(vi a, vi b)
{
	vi r = f_to_i(as_f(a));

#ifdef VS_NEON
	r &= ~i_eq(r, splat_i(0x7fffffff));
#endif
	return r & ~(i_eq(r, splat_i(0x80000000)) & ~i_eq(a, splat_i(0xcf000000)));
}

static __always_inline vi op_ITOF(vi a, vi b)
{
	return as_i(i_to_f(a));
}

#endif

static __always_inline vi op_FSUB(vi a, vi b)
{
	return op_FADD(a, b ^ splat_i(0x80000000));
}

static __always_inline vi op_FMIN(vi a, vi b)
{
	return i_sel(i_gt(f_key(a), f_key(b)), b, a);
}

static __always_inline vi op_FMAX(vi a, vi b)
{
	return i_sel(i_gt(f_key(a), f_key(b)), a, b);
}

static __always_inline vi op_MIN(vi a, vi b)
{
	return i_sel(i_gt(a, b), b, a);
}

static __always_inline vi op_MAX(vi a, vi b)
{
	return i_sel(i_gt(a, b), a, b);
}

static __always_inline vi op_FMINABS(vi a, vi b)
{
	return op_MIN(a & splat_i(0x7fffffff), b & splat_i(0x7fffffff));
}

static __always_inline vi op_FMAXABS(vi a, vi b)
{
	return op_MAX(a & splat_i(0x7fffffff), b & splat_i(0x7fffffff));
}

/* ---- all elements ---- */

#if VS_W == 1

/* Return: false: not supported, use the element-wise path. */
static __always_inline bool plain_float(u32 op, u32 *d, const u32 *a, const u32 *b)
{
	return false;
}

#else

static noinline void plain_exact(u32 op, u32 *d, const u32 *a, const u32 *b)
{
	u32 flip = op == QPU_A_FSUB ? 0x80000000 : 0, e;

	for (e = 0; e < QPU_LANES; e++)
		d[e] = op == QPU_U_MUL + QPU_M_FMUL ? qpu_fmul1(a[e], b[e]) :
						      qpu_fadd1(a[e], b[e] ^ flip);
}

/* Frequent operations, with one check for doubtful results. Return: false: other operation. */
static __always_inline bool plain_float(u32 op, u32 *d, const u32 *a, const u32 *b)
{
	vi r[QPU_LANES / VS_W], bad = splat_i(0), x, y;
	u32 i;

	if (op != QPU_A_FADD && op != QPU_A_FSUB && op != QPU_U_MUL + QPU_M_FMUL)
		return false;
	VS_UNROLL(4)
	for (i = 0; i < QPU_LANES / VS_W; i++) {
		x = ld_i(a + i * VS_W);
		y = ld_i(b + i * VS_W);
		if (op == QPU_A_FSUB)
			y ^= splat_i(0x80000000);
		r[i] = as_i(op == QPU_U_MUL + QPU_M_FMUL ? f_mul(as_f(x), as_f(y)) :
							   f_add(as_f(x), as_f(y)));
#if VS_W < 16
		bad |= i_gt(r[i] & splat_i(0x7fffffff), splat_i(0x7f7ffffe));
#endif
	}
	if (unlikely(VS_W == 16 ? f_doubtful(r[0] & splat_i(0x7fffffff)) : !!v_movemask(bad))) {
		plain_exact(op, d, a, b);
		return true;
	}
	VS_UNROLL(4)
	for (i = 0; i < QPU_LANES / VS_W; i++)
		st_i(d + i * VS_W, f_clean(r[i]));
	return true;
}

#endif

/* ---- integers ---- */

static __always_inline vi op_ADD(vi a, vi b)
{
	return (vi)((vu)a + (vu)b);
}

static __always_inline vi op_SUB(vi a, vi b)
{
	return (vi)((vu)a - (vu)b);
}

static __always_inline vi op_SHR(vi a, vi b)
{
	return shr_v(a, b & splat_i(31));
}

static __always_inline vi op_ASR(vi a, vi b)
{
	return a >> (b & splat_i(31));
}

static __always_inline vi op_SHL(vi a, vi b)
{
	return (vi)((vu)a << (vu)(b & splat_i(31)));
}

static __always_inline vi op_ROR(vi a, vi b)
{
	return shr_v(a, b & splat_i(31)) | op_SHL(a, (vi)(0 - (vu)b));
}

static __always_inline vi op_AND(vi a, vi b)
{
	return a & b;
}

static __always_inline vi op_OR(vi a, vi b)
{
	return a | b;
}

static __always_inline vi op_XOR(vi a, vi b)
{
	return a ^ b;
}

static __always_inline vi op_NOT(vi a, vi b)
{
	return ~a;
}

static __always_inline vi op_MUL24(vi a, vi b)
{
	return (vi)((vu)(a & splat_i(0xffffff)) * (vu)(b & splat_i(0xffffff)));
}

/* Byte @k of each word. */
#define BYTE(a, k)	(i_shr(a, 8 * (k)) & splat_i(0xff))

/* (x * y + 127) / 255, and x / 255 = (x + 1 + (x >> 8)) >> 8 for x < 65535 */
static __always_inline vi muld(vi x, vi y)
{
	vi p = (vi)((vu)x * (vu)y) + splat_i(127);

	return i_shr(p + splat_i(1) + i_shr(p, 8), 8);
}

static __always_inline vi op_V8MULD(vi a, vi b)
{
	return muld(BYTE(a, 0), BYTE(b, 0)) | i_shl(muld(BYTE(a, 1), BYTE(b, 1)), 8) |
	       i_shl(muld(BYTE(a, 2), BYTE(b, 2)), 16) |
	       i_shl(muld(BYTE(a, 3), BYTE(b, 3)), 24);
}

#if VS_W == 1

static __always_inline vi op_CLZ(vi a, vi b)
{
	return a ? __builtin_clz(a) : 32;
}

#define V8_OP(name, expr)						\
static __always_inline vi op_##name(vi a, vi b)				\
{									\
	u32 r = 0, k;							\
									\
	for (k = 0; k < 32; k += 8) {					\
		s32 x = (u32)a >> k & 0xff, y = (u32)b >> k & 0xff;	\
									\
		r |= (u32)(expr) << k;					\
	}								\
	return r;							\
}

V8_OP(V8ADDS, x + y > 255 ? 255 : x + y)
V8_OP(V8SUBS, x < y ? 0 : x - y)
V8_OP(V8MIN, x < y ? x : y)
V8_OP(V8MAX, x > y ? x : y)

#else

static __always_inline vi op_CLZ(vi a, vi b)
{
	u32 l;

	for (l = 0; l < VS_W; l++)
		a[l] = a[l] ? __builtin_clz(a[l]) : 32;
	return a;
}

static __always_inline vi op_V8ADDS(vi a, vi b)
{
	vb r = (vb)a + (vb)b;

	return (vi)(r | (vb)(r < (vb)a));
}

static __always_inline vi op_V8SUBS(vi a, vi b)
{
	return (vi)(((vb)a - (vb)b) & (vb)((vb)a > (vb)b));
}

static __always_inline vi op_V8MIN(vi a, vi b)
{
	vb m = (vb)((vb)a < (vb)b);

	return (vi)(((vb)a & m) | ((vb)b & ~m));
}

static __always_inline vi op_V8MAX(vi a, vi b)
{
	vb m = (vb)((vb)a > (vb)b);

	return (vi)(((vb)a & m) | ((vb)b & ~m));
}

#endif

#define op_MV8ADDS	op_V8ADDS
#define op_MV8SUBS	op_V8SUBS

/* ---- the C flag ---- */

#define CARRY(name, expr)						\
static __always_inline vi carry_##name(vi a, vi b, vi r)		\
{									\
	return expr;							\
}

/* Bit n - 1 of @a for a shift by n to the right, 0 for none. */
static __always_inline vi out_right(vi a, vi b)
{
	vi n = b & splat_i(31), some = ~i_eq(n, splat_i(0));

	return some & i_eq(shr_v(a, (n - splat_i(1)) & splat_i(31)) & splat_i(1), splat_i(1));
}

static __always_inline vi out_left(vi a, vi b)
{
	vi n = b & splat_i(31), some = ~i_eq(n, splat_i(0));

	return some & i_eq(shr_v(a, (splat_i(0) - n) & splat_i(31)) & splat_i(1), splat_i(1));
}

/* Products of 24-bit numbers that exceed 32 bits. */
#if VS_W == 1
static __always_inline vi wide24(vi a, vi b)
{
	return -(vi)(((u64)(a & 0xffffff) * (b & 0xffffff)) >> 32 != 0);
}
#else
static __always_inline vi wide24(vi a, vi b)
{
	u32 l;

	for (l = 0; l < VS_W; l++)
		a[l] = -(s32)(((u64)(a[l] & 0xffffff) * (b[l] & 0xffffff)) >> 32 != 0);
	return a;
}
#endif

CARRY(FADD, i_gt(r, splat_i(0)))
CARRY(FSUB, i_gt(r, splat_i(0)))
CARRY(FMIN, i_gt(f_key(a), f_key(b)))
CARRY(FMAX, i_gt(f_key(a), f_key(b)))
CARRY(FMINABS, i_gt(a & splat_i(0x7fffffff), b & splat_i(0x7fffffff)))
CARRY(FMAXABS, i_gt(a & splat_i(0x7fffffff), b & splat_i(0x7fffffff)))
CARRY(FTOI, splat_i(0))
CARRY(ITOF, i_gt(r, splat_i(0)))
CARRY(ADD, u_gt(a, r))
CARRY(SUB, u_gt(b, a))
CARRY(SHR, out_right(a, b))
CARRY(ASR, out_right(a, b))
CARRY(ROR, splat_i(0))
CARRY(SHL, out_left(a, b))
CARRY(MIN, i_gt(a, b))
CARRY(MAX, i_gt(a, b))
CARRY(AND, splat_i(0))
CARRY(OR, splat_i(0))
CARRY(XOR, splat_i(0))
CARRY(NOT, splat_i(0))
CARRY(CLZ, splat_i(0))
CARRY(V8ADDS, splat_i(0))
CARRY(V8SUBS, splat_i(0))
CARRY(FMUL, splat_i(0))
CARRY(MUL24, wide24(a, b))
CARRY(V8MULD, splat_i(0))
CARRY(V8MIN, splat_i(0))
CARRY(V8MAX, splat_i(0))
CARRY(MV8ADDS, splat_i(0))
CARRY(MV8SUBS, splat_i(0))

/* Signed overflow, for the packer. */
static __always_inline vi overflow(u32 op, vi a, vi b, vi r)
{
	if (op == QPU_A_ADD)
		return (~(a ^ b) & (a ^ r)) >> 31;
	if (op == QPU_A_SUB)
		return ((a ^ b) & (a ^ r)) >> 31;
	return splat_i(0);
}

#endif /* QPU_EXEC_OPS_H */
