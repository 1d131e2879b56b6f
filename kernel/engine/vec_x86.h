/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vector primitives for x86-64, VS_W lanes of 32 bits: 4 (SSE2), 8 (AVX2), 16 (AVX-512).
 *
 * Inline assembly where the operand order matters (a compiler may swap the operands of
 * additions and multiplications, and the first NaN wins) or where there is no operator. No
 * assembly is volatile: it only computes values.
 */
#ifndef VEC_X86_H
#define VEC_X86_H

#include "vec_gnu.h"

/*
 * NaNs are those of softfloat.h, if the processor is a real one: emulators may return the second
 * of two NaN operands. VS_ENTRY(first_nan) finds out, and executors with VS_NAN_RULE do not
 * depend on it.
 */
#define VS_NAN_PROBE
#ifdef VS_NAN_RULE
#define f_nan_rule(r, a, b)	f_first_nan(r, a, b)
#else
#define f_nan_rule(r, a, b)	(r)
#endif

/* gcc folds a load into the instruction; clang selects the worst of several constraints. */
#ifdef __clang__
#define VS_RM(x)	"v"(x)
#define VS_XM(x)	"x"(x)
#else
#define VS_RM(x)	"vm"(x)
#define VS_XM(x)	"xm"(x)
#endif

/* d = op(a, b) on floats, with the operand order preserved. */
#if VS_W == 4
#define VS_BIN(name, insn)						\
static __always_inline vf name(vf a, vf b)				\
{									\
	__asm__(insn "ps %1, %0" : "+x"(a) : VS_XM(b));			\
	return a;							\
}									\
static __always_inline vdh name##_dh(vdh a, vdh b)			\
{									\
	__asm__(insn "pd %1, %0" : "+x"(a) : VS_XM(b));			\
	return a;							\
}
#else
#define VS_BIN(name, insn)						\
static __always_inline vf name(vf a, vf b)				\
{									\
	vf r;								\
									\
	__asm__("v" insn "ps %2, %1, %0" : "=v"(r) : "v"(a), VS_RM(b));	\
	return r;							\
}									\
static __always_inline vdh name##_dh(vdh a, vdh b)			\
{									\
	vdh r;								\
									\
	__asm__("v" insn "pd %2, %1, %0" : "=v"(r) : "v"(a), VS_RM(b));	\
	return r;							\
}
#endif

VS_BIN(f_add, "add")
VS_BIN(f_mul, "mul")
VS_BIN(f_min, "min")
VS_BIN(f_max, "max")

#if VS_W == 4
#define VS_SQRT(type, insn, a) ({ type _r; __asm__(insn " %1, %0" : "=x"(_r) : "x"(a)); _r; })
#define VS_SQRT_PS	"sqrtps"
#define VS_SQRT_PD	"sqrtpd"
#else
#define VS_SQRT(type, insn, a) ({ type _r; __asm__(insn " %1, %0" : "=v"(_r) : "v"(a)); _r; })
#define VS_SQRT_PS	"vsqrtps"
#define VS_SQRT_PD	"vsqrtpd"
#endif

static __always_inline vf f_sqrt(vf a)
{
	return VS_SQRT(vf, VS_SQRT_PS, a);
}

static __always_inline vd vd_add(vd a, vd b)
{
	return (vd){ f_add_dh(a.l, b.l), f_add_dh(a.h, b.h) };
}

static __always_inline vd vd_mul(vd a, vd b)
{
	return (vd){ f_mul_dh(a.l, b.l), f_mul_dh(a.h, b.h) };
}

static __always_inline vd vd_sqrt(vd a)
{
	return (vd){ VS_SQRT(vdh, VS_SQRT_PD, a.l), VS_SQRT(vdh, VS_SQRT_PD, a.h) };
}

#if VS_W == 4

static __always_inline vd vd_from_f(vf a)
{
	vd r;
	vf h = __builtin_shufflevector(a, a, 2, 3, 2, 3);

	__asm__("cvtps2pd %1, %0" : "=x"(r.l) : "x"(a));
	__asm__("cvtps2pd %1, %0" : "=x"(r.h) : "x"(h));
	return r;
}

static __always_inline vf f_from_d(vd a)
{
	vf l, h;

	__asm__("cvtpd2ps %1, %0" : "=x"(l) : "x"(a.l));
	__asm__("cvtpd2ps %1, %0" : "=x"(h) : "x"(a.h));
	return __builtin_shufflevector(l, h, 0, 1, 4, 5);
}

static __always_inline vd vd_from_i(vi a)
{
	vd r;
	vi h = __builtin_shufflevector(a, a, 2, 3, 2, 3);

	__asm__("cvtdq2pd %1, %0" : "=x"(r.l) : "x"(a));
	__asm__("cvtdq2pd %1, %0" : "=x"(r.h) : "x"(h));
	return r;
}

#else

static __always_inline vd vd_from_f(vf a)
{
	return (vd){ __builtin_convertvector((vfh)VS_LO(a), vdh),
		     __builtin_convertvector((vfh)VS_HI(a), vdh) };
}

static __always_inline vf f_from_d(vd a)
{
	vfh l = __builtin_convertvector(a.l, vfh), h = __builtin_convertvector(a.h, vfh);

	return VS_JOIN(l, h);
}

static __always_inline vd vd_from_i(vi a)
{
	return (vd){ __builtin_convertvector((vih)VS_LO(a), vdh),
		     __builtin_convertvector((vih)VS_HI(a), vdh) };
}

#endif

/* ---- masks ---- */

/* Bit per lane of a comparison. */
static __always_inline u64 v_movemask(vi m)
{
#if VS_W == 16
	unsigned short k;
	u32 r;

	__asm__("vpmovd2m %1, %0" : "=k"(k) : "v"(m));
	r = k;
	return r;
#elif VS_W == 8
	u32 r;

	__asm__("vmovmskps %1, %0" : "=r"(r) : "x"(m));
	return r;
#else
	u32 r;

	__asm__("movmskps %1, %0" : "=r"(r) : "x"(m));
	return r;
#endif
}

/* Active lanes get @r, the others keep @old. */
static __always_inline vf v_blend(const struct vs_block *b, u32 lane, vf old, vf r)
{
#if VS_W == 16
	unsigned short k = b->mask >> lane;

	__asm__("vmovaps %1, %0%{%2%}" : "+v"(old) : "v"(r), "Yk"(k));
	return old;
#elif VS_W == 8
	vf m = ld_f(b->lanemask + lane);

	__asm__("vblendvps %3, %2, %1, %0" : "=x"(old) : "x"(old), "x"(r), "x"(m));
	return old;
#else
	return f_sel(ld_i(b->lanemask + lane), r, old);
#endif
}

/* All ones in active lanes. */
static __always_inline vi v_lanemask(const struct vs_block *b, u32 lane)
{
#if VS_W == 16
	unsigned short k = b->mask >> lane;
	vi r;

	__asm__("vpmovm2d %1, %0" : "=v"(r) : "k"(k));
	return r;
#else
	return ld_i(b->lanemask + lane);
#endif
}

#if VS_W == 4
/* SSE2 has no floor instruction. Values without a fraction are returned unchanged. */
static __always_inline vf f_floor(vf a)
{
	vi abs = as_i(a) & splat_i(VS_F32_ABS), small = i_gt(splat_i(0x4b000000), abs);
	vf x = as_f(as_i(a) & small), t = i_to_f(f_to_i(x));

	t = f_sub(t, as_f(f_lt(x, t) & splat_i(VS_F32_ONE)));
	t = as_f(as_i(t) | (as_i(a) & splat_i(VS_F32_SIGN)));
	/*
	 * Adding a NaN to itself would quiet it, but other values could overflow: OR the quiet bit.
	 */
	a = f_sel(i_gt(abs, splat_i(VS_F32_INF)), as_f(as_i(a) | splat_i(VS_F32_QUIET)), a);
	return f_sel(small, t, a);
}
#elif VS_W == 8
static __always_inline vf f_floor(vf a)
{
	vf r;

	__asm__("vroundps $9, %1, %0" : "=x"(r) : "x"(a));
	return r;
}
#else
static __always_inline vf f_floor(vf a)
{
	vf r;

	__asm__("vrndscaleps $9, %1, %0" : "=v"(r) : "v"(a));
	return r;
}
#endif

#endif /* VEC_X86_H */
