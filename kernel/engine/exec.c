// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Dispatch to the executor build. Plain calls, no function pointers. */
#include "vs_block.h"

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
#ifdef __x86_64__
	if (VS_BUILT(avx2) && likely(simd == VS_SIMD_AVX2))
		return vs_exec_run_avx2(kind, b, u);
	if (VS_BUILT(avx512) && simd == VS_SIMD_AVX512)
		return vs_exec_run_avx512(kind, b, u);
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return vs_exec_run_sse2(kind, b, u);
#elif defined(__aarch64__)
	if (likely(simd == VS_SIMD_NEON))
		return vs_exec_run_neon(kind, b, u);
#endif
	return vs_exec_run_soft(kind, b, u);
}

/**
 * vs_exec_load - load rows of binary32 into slots
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @r: rows
 */
void vs_exec_load(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
		  const struct vs_rowio *r)
{
#ifdef __x86_64__
	if (VS_BUILT(avx2) && likely(simd == VS_SIMD_AVX2))
		return vs_exec_load_avx2(kind, b, r);
	if (VS_BUILT(avx512) && simd == VS_SIMD_AVX512)
		return vs_exec_load_avx512(kind, b, r);
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return vs_exec_load_sse2(kind, b, r);
#elif defined(__aarch64__)
	if (likely(simd == VS_SIMD_NEON))
		return vs_exec_load_neon(kind, b, r);
#endif
	vs_exec_load_soft(kind, b, r);
}

/**
 * vs_exec_convert - convert binary32 patterns in slots to the representation of values
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @slot: first slot
 * @n: number of slots
 * @ints: they are integers below 2^24
 */
void vs_exec_convert(enum vs_simd simd, enum vs_kind kind, struct vs_block *b, u32 slot, u32 n,
		     bool ints)
{
#ifdef __x86_64__
	if (VS_BUILT(avx2) && likely(simd == VS_SIMD_AVX2))
		return vs_exec_convert_avx2(kind, b, slot, n, ints);
	if (VS_BUILT(avx512) && simd == VS_SIMD_AVX512)
		return vs_exec_convert_avx512(kind, b, slot, n, ints);
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return vs_exec_convert_sse2(kind, b, slot, n, ints);
#elif defined(__aarch64__)
	if (likely(simd == VS_SIMD_NEON))
		return vs_exec_convert_neon(kind, b, slot, n, ints);
#endif
	vs_exec_convert_soft(kind, b, slot, n, ints);
}

/**
 * vs_exec_store - store slots to rows of four binary32
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @r: rows
 */
void vs_exec_store(enum vs_simd simd, enum vs_kind kind, struct vs_block *b,
		   const struct vs_rowio *r)
{
#ifdef __x86_64__
	if (VS_BUILT(avx2) && likely(simd == VS_SIMD_AVX2))
		return vs_exec_store_avx2(kind, b, r);
	if (VS_BUILT(avx512) && simd == VS_SIMD_AVX512)
		return vs_exec_store_avx512(kind, b, r);
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return vs_exec_store_sse2(kind, b, r);
#elif defined(__aarch64__)
	if (likely(simd == VS_SIMD_NEON))
		return vs_exec_store_neon(kind, b, r);
#endif
	vs_exec_store_soft(kind, b, r);
}

/**
 * vs_exec_unload - convert slots to binary32 patterns in the block's scratch
 * @simd: executor build
 * @kind: representation of values
 * @b: block
 * @slot: first slot
 * @n: number of slots, at most 4
 */
void vs_exec_unload(enum vs_simd simd, enum vs_kind kind, struct vs_block *b, u32 slot, u32 n)
{
#ifdef __x86_64__
	if (VS_BUILT(avx2) && likely(simd == VS_SIMD_AVX2))
		return vs_exec_unload_avx2(kind, b, slot, n);
	if (VS_BUILT(avx512) && simd == VS_SIMD_AVX512)
		return vs_exec_unload_avx512(kind, b, slot, n);
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return vs_exec_unload_sse2(kind, b, slot, n);
#elif defined(__aarch64__)
	if (likely(simd == VS_SIMD_NEON))
		return vs_exec_unload_neon(kind, b, slot, n);
#endif
	vs_exec_unload_soft(kind, b, slot, n);
}

/**
 * vs_exec_first_nan - test which NaN the processor returns
 * @simd: executor build; within a section that uses its registers
 *
 * Return: the first of two NaN operands, as softfloat.h does.
 */
bool vs_exec_first_nan(enum vs_simd simd)
{
#ifdef __x86_64__
	/* here, where compilers of executors do not see them */
	static const u32 nan[] = { 0x7fc00001, 0xffc12345, 0x7f800001, 0xffb00000 };

	if (VS_BUILT(avx2) && simd == VS_SIMD_AVX2)
		return vs_exec_first_nan_avx2(nan, ARRAY_SIZE(nan));
	if (VS_BUILT(avx512) && simd == VS_SIMD_AVX512)
		return vs_exec_first_nan_avx512(nan, ARRAY_SIZE(nan));
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return vs_exec_first_nan_sse2(nan, ARRAY_SIZE(nan));
#endif
	return true;
}
