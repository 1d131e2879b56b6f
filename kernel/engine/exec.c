// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Which executor build does the work. Plain calls, no function pointers.
 */
#include "vs_block.h"

#if defined(__x86_64__)
#define VS_DISPATCH(simd, call, ...)					\
	do {								\
		if (likely((simd) == VS_SIMD_AVX2))			\
			return call##_avx2(__VA_ARGS__);		\
		if ((simd) == VS_SIMD_AVX512)				\
			return call##_avx512(__VA_ARGS__);		\
		if ((simd) == VS_SIMD_SSE2)				\
			return call##_sse2(__VA_ARGS__);		\
		return call##_soft(__VA_ARGS__);			\
	} while (0)
#else
#define VS_DISPATCH(simd, call, ...)	return call##_soft(__VA_ARGS__)
#endif

/**
 * vs_exec_run - execute a straight run of micro-ops
 * @simd: executor build
 * @kind: instantiation
 * @b: block
 * @u: first micro-op
 *
 * Return: the control micro-op that ends the run, not executed.
 */
const struct vs_uop *vs_exec_run(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
				 const struct vs_uop *u)
{
	VS_DISPATCH(simd, vs_exec_run, kind, b, u);
}

/**
 * vs_exec_load - rows of binary32 into slots
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @r: rows
 */
void vs_exec_load(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
		  const struct vs_rowio *r)
{
	VS_DISPATCH(simd, vs_exec_load, kind, b, r);
}

/**
 * vs_exec_convert - binary32 patterns in slots into the representation of values
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @slot: first slot
 * @n: slots
 * @ints: they are integers below 2^24
 */
void vs_exec_convert(enum vs_simd simd, enum vs_kind kind, struct vs_block *b, u32 slot, u32 n,
		     bool ints)
{
	VS_DISPATCH(simd, vs_exec_convert, kind, b, slot, n, ints);
}

/**
 * vs_exec_store - slots into rows of four binary32
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @r: rows
 */
void vs_exec_store(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
		   const struct vs_rowio *r)
{
	VS_DISPATCH(simd, vs_exec_store, kind, b, r);
}

/**
 * vs_exec_unload - slots as binary32 patterns into the block's scratch
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @slot: first slot
 * @n: slots, at most 4
 */
void vs_exec_unload(enum vs_simd simd, enum vs_kind kind, struct vs_block *b, u32 slot, u32 n)
{
	VS_DISPATCH(simd, vs_exec_unload, kind, b, slot, n);
}
