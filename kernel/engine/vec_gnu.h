/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vector primitives that are the same for all processors, on the vector types of gcc and clang:
 * VS_W lanes of 32 bits, 4 or more. Included by vec_x86.h and vec_neon.h.
 */
#ifndef VEC_GNU_H
#define VEC_GNU_H

#include "vs_block.h"

#define VS_VEC(type, n)	type __attribute__((vector_size(n), may_alias))

typedef VS_VEC(float, 4 * VS_W) vf;
typedef VS_VEC(s32, 4 * VS_W) vi;
typedef VS_VEC(double, 4 * VS_W) vdh;
typedef VS_VEC(s64, 4 * VS_W) vlh;
typedef VS_VEC(float, 16) v4f;
typedef VS_VEC(s32, 16) v4i;

/* As many doubles as lanes: lower and upper half. */
typedef struct {
	vdh l, h;
} vd;

typedef struct {
	vlh l, h;
} vl;

#ifdef __clang__
#define VS_UNROLL(n)	VS_UNROLL_(clang loop unroll_count(n))
#else
#define VS_UNROLL(n)	VS_UNROLL_(GCC unroll n)
#endif
#define VS_UNROLL_(x)	_Pragma(#x)

static __always_inline vi as_i(vf a)
{
	return (vi)a;
}

static __always_inline vf as_f(vi a)
{
	return (vf)a;
}

static __always_inline vf ld_f(const u32 *p)
{
	return *(const vf *)p;
}

static __always_inline vi ld_i(const u32 *p)
{
	return *(const vi *)p;
}

static __always_inline void st_f(u32 *p, vf v)
{
	*(vf *)p = v;
}

static __always_inline void st_i(u32 *p, vi v)
{
	*(vi *)p = v;
}

static __always_inline vi splat_i(u32 v)
{
	return (s32)v - (vi){};
}

static __always_inline vf splat_f(u32 bits)
{
	return (vf)splat_i(bits);
}

static __always_inline vf f_sub(vf a, vf b)
{
	return a - b;
}

static __always_inline vf f_div(vf a, vf b)
{
	return a / b;
}

/* Comparisons give all ones or zero. */
static __always_inline vi f_lt(vf a, vf b)
{
	return (vi)(a < b);
}

static __always_inline vi f_le(vf a, vf b)
{
	return (vi)(a <= b);
}

static __always_inline vi f_eq(vf a, vf b)
{
	return (vi)(a == b);
}

static __always_inline vi f_nan(vf a)
{
	return (vi)(a != a);
}

static __always_inline vi i_eq(vi a, vi b)
{
	return (vi)(a == b);
}

static __always_inline vi i_gt(vi a, vi b)
{
	return (vi)(a > b);
}

static __always_inline vi i_shl(vi a, int n)
{
	return a << n;
}

static __always_inline vi i_shr(vi a, int n)
{
	return (vi)((VS_VEC(u32, 4 * VS_W))a >> n);
}

/* @a where @m is set, else @b. */
static __always_inline vi i_sel(vi m, vi a, vi b)
{
	return (a & m) | (b & ~m);
}

static __always_inline vf f_sel(vi m, vf a, vf b)
{
	return (vf)i_sel(m, (vi)a, (vi)b);
}

/*
 * The sum, difference or product @r of @a and @b with the NaNs of softfloat.h: the first NaN
 * operand, quieted; the negative quiet NaN if there is none.
 */
static __always_inline vf f_first_nan(vf r, vf a, vf b)
{
	vi nan = f_nan(r), bits = i_sel(f_nan(b), as_i(b), as_i(r) | (nan & splat_i(VS_F32_SIGN)));

	bits = i_sel(f_nan(a), as_i(a), bits);
	return as_f(bits | (nan & splat_i(VS_F32_QUIET)));
}

/* Truncation of values in the range of s32. */
static __always_inline vi f_to_i(vf a)
{
	return __builtin_convertvector(a, vi);
}

static __always_inline vf i_to_f(vi a)
{
	return __builtin_convertvector(a, vf);
}

/* ---- doubles ---- */

static __always_inline vd vd_splat(u64 bits)
{
	vlh v = (s64)bits - (vlh){};

	return (vd){ (vdh)v, (vdh)v };
}

static __always_inline vl l_splat(u64 bits)
{
	vlh v = (s64)bits - (vlh){};

	return (vl){ v, v };
}

static __always_inline vl vd_bits(vd a)
{
	return (vl){ (vlh)a.l, (vlh)a.h };
}

static __always_inline vd bits_d(vl a)
{
	return (vd){ (vdh)a.l, (vdh)a.h };
}

#define VS_DBIN(name, op)					\
static __always_inline vd name(vd a, vd b)			\
{								\
	return (vd){ a.l op b.l, a.h op b.h };			\
}

VS_DBIN(vd_sub, -)
VS_DBIN(vd_div, /)

/* Lanes where a <= b. */
static __always_inline vi vd_le(vd a, vd b)
{
	vi l = (vi)(a.l <= b.l), h = (vi)(a.h <= b.h);

#if VS_W == 4
	return __builtin_shufflevector(l, h, 0, 2, 4, 6);
#elif VS_W == 8
	return __builtin_shufflevector(l, h, 0, 2, 4, 6, 8, 10, 12, 14);
#else
	return __builtin_shufflevector(l, h, 0, 2, 4, 6, 8, 10, 12, 14,
				       16, 18, 20, 22, 24, 26, 28, 30);
#endif
}

#define VS_LBIN(name, op)					\
static __always_inline vl name(vl a, vl b)			\
{								\
	return (vl){ a.l op b.l, a.h op b.h };			\
}

VS_LBIN(l_add, +)
VS_LBIN(l_sub, -)
VS_LBIN(l_and, &)
VS_LBIN(l_or, |)

static __always_inline vl l_shl(vl a, int n)
{
	return (vl){ a.l << n, a.h << n };
}

static __always_inline vl l_shr(vl a, int n)
{
	typedef VS_VEC(u64, 4 * VS_W) vluh;

	return (vl){ (vlh)((vluh)a.l >> n), (vlh)((vluh)a.h >> n) };
}

/* ---- halves of vectors ---- */

#if VS_W == 4

static __always_inline vl l_from_i(vi a)
{
	vi s = a >> 31;

	return (vl){ (vlh)__builtin_shufflevector(a, s, 0, 4, 1, 5),
		     (vlh)__builtin_shufflevector(a, s, 2, 6, 3, 7) };
}

#else

#if VS_W == 8
typedef VS_VEC(float, 16) vfh;
typedef VS_VEC(s32, 16) vih;
#define VS_LO(a)	__builtin_shufflevector(a, a, 0, 1, 2, 3)
#define VS_HI(a)	__builtin_shufflevector(a, a, 4, 5, 6, 7)
#define VS_JOIN(l, h)	__builtin_shufflevector(l, h, 0, 1, 2, 3, 4, 5, 6, 7)
#else
typedef VS_VEC(float, 32) vfh;
typedef VS_VEC(s32, 32) vih;
#define VS_LO(a)	__builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7)
#define VS_HI(a)	__builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15)
#define VS_JOIN(l, h)	__builtin_shufflevector(l, h, 0, 1, 2, 3, 4, 5, 6, 7, \
						8, 9, 10, 11, 12, 13, 14, 15)
#endif

static __always_inline vl l_from_i(vi a)
{
	return (vl){ __builtin_convertvector((vih)VS_LO(a), vlh),
		     __builtin_convertvector((vih)VS_HI(a), vlh) };
}

#endif

/* ---- permutations ---- */

/*
 * v_permute(): lane i of the result is lane index[i] of @v. v_permute2(): of @a, or of @b from
 * VS_W on. Bits of an index that number no lane are ignored. For indices that are constants there
 * is __builtin_shufflevector().
 */
#ifndef __clang__

static __always_inline vi v_permute(vi v, vi index)
{
	return __builtin_shuffle(v, index);
}

static __always_inline vi v_permute2(vi a, vi b, vi index)
{
	return __builtin_shuffle(a, b, index);
}

#else

static __always_inline vi v_permute(vi v, vi index)
{
#if VS_W == 16
	return __builtin_ia32_permvarsi512(v, index);
#elif VS_W == 8
	return __builtin_ia32_permvarsi256(v, index);
#elif defined(__aarch64__)
	/* The instruction looks up bytes. */
	vi bytes = (index & 3) * 0x04040404 + 0x03020100, r;

	__asm__("tbl %0.16b, { %1.16b }, %2.16b" : "=w"(r) : "w"(v), "w"(bytes));
	return r;
#else
	/* SSE2 has no such instruction: gcc, too, stores @v and loads its lanes. */
	vi r = {};
	u32 i;

	for (i = 0; i < VS_W; i++)
		r[i] = v[index[i] & (VS_W - 1)];
	return r;
#endif
}

static __always_inline vi v_permute2(vi a, vi b, vi index)
{
	return i_sel((vi)((index & VS_W) != 0), v_permute(b, index), v_permute(a, index));
}

#endif

/* ---- masks ---- */

/* Prepare v_blend() and v_lanemask(). */
static __always_inline void v_expand(struct vs_block *b)
{
#if VS_W != 16
	vi bits = {};
	u32 i;

	if (b->expanded == b->mask)
		return;
	for (i = 0; i < VS_W; i++)
		bits[i] = 1 << i;
	for (i = 0; i < VS_LANES; i += VS_W)
		st_i(b->lanemask + i, i_eq(splat_i(b->mask >> i) & bits, bits));
	b->expanded = b->mask;
#endif
}

/* ---- rows ---- */

/* Transpose four vectors of four rows in each group of four lanes. */
#if VS_W == 4
#define VS_UNPACKLO(a, b)	__builtin_shufflevector(a, b, 0, 4, 1, 5)
#define VS_UNPACKHI(a, b)	__builtin_shufflevector(a, b, 2, 6, 3, 7)
#define VS_LOLO(a, b)		__builtin_shufflevector(a, b, 0, 1, 4, 5)
#define VS_HIHI(a, b)		__builtin_shufflevector(a, b, 2, 3, 6, 7)
#elif VS_W == 8
#define VS_UNPACKLO(a, b)	__builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define VS_UNPACKHI(a, b)	__builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define VS_LOLO(a, b)		__builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define VS_HIHI(a, b)		__builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define VS_UNPACKLO(a, b)	__builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, \
							8, 24, 9, 25, 12, 28, 13, 29)
#define VS_UNPACKHI(a, b)	__builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, \
							10, 26, 11, 27, 14, 30, 15, 31)
#define VS_LOLO(a, b)		__builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, \
							8, 9, 24, 25, 12, 13, 28, 29)
#define VS_HIHI(a, b)		__builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, \
							10, 11, 26, 27, 14, 15, 30, 31)
#endif

static __always_inline void v_transpose(vf t[4])
{
	vf a = VS_UNPACKLO(t[0], t[1]), b = VS_UNPACKHI(t[0], t[1]);
	vf c = VS_UNPACKLO(t[2], t[3]), d = VS_UNPACKHI(t[2], t[3]);

	t[0] = VS_LOLO(a, c);
	t[1] = VS_HIHI(a, c);
	t[2] = VS_LOLO(b, d);
	t[3] = VS_HIHI(b, d);
}

/* One attribute list: in separate ones, gcc keeps the alignment of the vector. */
typedef float v4f_u __attribute__((vector_size(16), may_alias, aligned(1)));

/* 16 bytes at @p, unaligned. */
#define VS_ROW(p)	(*(const v4f_u *)(p))

/* Row r of the result: rows i, i + 4, ... side by side. */
#if VS_W == 4
#define VS_ROWS(i, addr)	VS_ROW(addr(i))
#elif VS_W == 8
#define VS_ROWS(i, addr)	\
	__builtin_shufflevector(VS_ROW(addr(i)), VS_ROW(addr((i) + 4)), 0, 1, 2, 3, 4, 5, 6, 7)
#else
#define VS_ROWS2(i, addr)	\
	__builtin_shufflevector(VS_ROW(addr(i)), VS_ROW(addr((i) + 4)), 0, 1, 2, 3, 4, 5, 6, 7)
#define VS_ROWS(i, addr)	\
	__builtin_shufflevector(VS_ROWS2(i, addr), VS_ROWS2((i) + 8, addr), \
				0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif

/* Load component c of the rows at addr(0) .. addr(VS_W - 1) into t[c]. */
#define V_LOAD_ROWS(t, addr)			\
	do {					\
		(t)[0] = VS_ROWS(0, addr);	\
		(t)[1] = VS_ROWS(1, addr);	\
		(t)[2] = VS_ROWS(2, addr);	\
		(t)[3] = VS_ROWS(3, addr);	\
		v_transpose(t);			\
	} while (0)

static __always_inline v4f v_part(vf v, int k)
{
#if VS_W == 4
	return v;
#elif VS_W == 8
	return k ? __builtin_shufflevector(v, v, 4, 5, 6, 7) :
		   __builtin_shufflevector(v, v, 0, 1, 2, 3);
#else
	return k == 0 ? __builtin_shufflevector(v, v, 0, 1, 2, 3) :
	       k == 1 ? __builtin_shufflevector(v, v, 4, 5, 6, 7) :
	       k == 2 ? __builtin_shufflevector(v, v, 8, 9, 10, 11) :
			__builtin_shufflevector(v, v, 12, 13, 14, 15);
#endif
}

/* The inverse; rows are written in lane order. */
#define V_STORE_ROWS(t, addr)							\
	do {									\
		v_transpose(t);							\
		VS_UNROLL(16)							\
		for (int _k = 0; _k < VS_W; _k++)				\
			*(v4f_u *)(addr(_k)) = v_part((t)[_k % 4], _k / 4);	\
	} while (0)

#endif /* VEC_GNU_H */
