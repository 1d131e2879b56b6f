// SPDX-License-Identifier: GPL-2.0
/*
 * v_permute() and v_permute2() of the compiler and the flags that compile this, against a loop:
 * every index that numbers a lane in every lane, the indices that both compilers cut alike, and
 * indices of constants, which compilers fold. Exit status 4: not a processor for these flags.
 */
#include <stdio.h>

#ifdef __AVX512F__
#define VS_W	16
#elif defined(__AVX2__)
#define VS_W	8
#else
#define VS_W	4
#endif
#ifdef __aarch64__
#include "engine/vec_neon.h"
#else
#include "engine/vec_x86.h"
#endif

static int errors;

static void compare(const char *what, vi got, const u32 *want)
{
	u32 i;

	for (i = 0; i < VS_W; i++) {
		if ((u32)got[i] == want[i])
			continue;
		printf("%s: lane %u is %#x, not %#x\n", what, i, got[i], want[i]);
		errors++;
	}
}

/* @index is no constant here. */
static noinline void check(const u32 *a, const u32 *b, const u32 *index)
{
	u32 one[VS_W], two[VS_W], i;

	for (i = 0; i < VS_W; i++) {
		one[i] = a[index[i] % VS_W];
		two[i] = index[i] & VS_W ? b[index[i] % VS_W] : one[i];
	}
	compare("v_permute", v_permute(ld_i(a), ld_i(index)), one);
	compare("v_permute2", v_permute2(ld_i(a), ld_i(b), ld_i(index)), two);
}

/* The first of each group of four, and reversed. */
static void check_constants(const u32 *a)
{
	u32 first[VS_W], back[VS_W], i;
	vi firsts = {}, backs = {};

	for (i = 0; i < VS_W; i++) {
		firsts[i] = i & ~3;
		backs[i] = VS_W - 1 - i;
		first[i] = a[i & ~3];
		back[i] = a[VS_W - 1 - i];
	}
	compare("groups of four", v_permute(ld_i(a), firsts), first);
	compare("reversed", v_permute(ld_i(a), backs), back);
}

int main(void)
{
	u32 a[VS_W] __aligned(64), b[VS_W] __aligned(64), index[VS_W] __aligned(64), lane, i, x = 1;

#if VS_W == 16
	if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw"))
		return 4;
#elif VS_W == 8
	if (!__builtin_cpu_supports("avx2"))
		return 4;
#endif
	for (i = 0; i < VS_W; i++) {
		a[i] = 0x80000000 + i * 0x01010101;
		b[i] = ~a[i] * 5;
	}
	for (lane = 0; lane < VS_W; lane++) {
		for (i = 0; i < 2 * VS_W; i++) {
			memset(index, 0, sizeof(index));
			index[lane] = i;
			check(a, b, index);
		}
	}
	for (lane = 0; lane < 10000; lane++) {
		for (i = 0; i < VS_W; i++) {
			x = x * 1664525 + 1013904223;
			index[i] = lane & 1 ? x : x >> 27;
		}
		check(a, b, index);
	}
	check_constants(a);
	printf("%u lanes\n", VS_W);
	return errors != 0;
}
