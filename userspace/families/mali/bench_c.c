// SPDX-License-Identifier: MIT
/*
 * The Mali workloads in plain C: scalar code of the compiler.
 */
#include <string.h>

#include "bench_mali.h"

/* clang's flag is in the Makefile. */
#ifdef __clang__
#define SCALAR		__attribute__((noinline))
#else
#define SCALAR		__attribute__((optimize("no-tree-vectorize"), noinline))
#endif

const float bench_mali_mandel_args[3] = { -2, 0.005859375f, -1.5f };

SCALAR uint64_t bench_c_mandel(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
	const float ox = bench_mali_mandel_args[0], step = bench_mali_mandel_args[1];
	const float oy = bench_mali_mandel_args[2];
	uint64_t all = 0;
	uint32_t x, y, n;

	for (y = 0; y < BENCH_MALI_MANDEL_N; y++) {
		for (x = 0; x < BENCH_MALI_MANDEL_N; x++) {
			float cx = (float)x * step + ox, cy = (float)y * step + oy;
			float re = 0, im = 0;

			for (n = 0; n < BENCH_MALI_MANDEL_MAX; n++) {
				float two = re + re, r = re * re + cx;

				re = im * -im + r;
				im = two * im + cy;
				if (re * re + im * im > 4)
					break;
			}
			all += n;
			out[y * BENCH_MALI_MANDEL_N + x] = n;
		}
	}
	/* floating point operations of an iteration */
	return 10 * all;
}

SCALAR uint64_t bench_c_matmul(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
	const uint32_t n = BENCH_MALI_MATMUL_N;
	const float *fa = (const float *)a, *fb = (const float *)b;
	float *fo = (float *)out;
	uint32_t x, y, k;

	for (y = 0; y < n; y++) {
		for (x = 0; x < n; x++) {
			float sum = 0;

			for (k = 0; k < n; k++)
				sum = fa[y * n + k] * fb[k * n + x] + sum;
			fo[y * n + x] = sum;
		}
	}
	return 2ull * n * n * n;
}

SCALAR uint64_t bench_c_reduce(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
	const uint32_t n = BENCH_MALI_REDUCE_N;
	uint32_t s[BENCH_MALI_REDUCE_N], g, d, i;

	for (g = 0; g < BENCH_MALI_REDUCE_GROUPS; g++) {
		for (i = 0; i < n; i++)
			s[i] = a[g * n + i];
		for (d = n / 2; d; d /= 2) {
			for (i = 0; i < d; i++)
				s[i] += s[i + d];
		}
		out[g] = s[0];
		for (i = 0; i < n; i++)
			out[BENCH_MALI_REDUCE_GROUPS + g * n + i] = s[n - 1 - i];
	}
	return (uint64_t)n * BENCH_MALI_REDUCE_GROUPS;
}

SCALAR uint64_t bench_c_matmul8(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
	const float *fa = (const float *)a, *fb = (const float *)b;
	uint32_t g, x, y, k, j;
	uint64_t ops = 0;

	for (g = 0; g < BENCH_MALI_MATMUL8_GROUPS; g++) {
		for (y = 0; y < 8; y++) {
			for (x = 0; x < 8; x++) {
				float sum = 0;

				for (k = 0; k < BENCH_MALI_MATMUL8_N; k++) {
					float t = 0;

					for (j = 0; j < k; j++)
						t = fa[j] * 0.01f + t;
					t = fa[y * 8 + k] * fb[k * 8 + x] + t;
					sum += t;
					ops += 2 * k + 3;
				}
				memcpy(out + y * 8 + x, &sum, sizeof(sum));
			}
		}
		/* the groups do the same: none may be left out */
		__asm__ volatile("" : : : "memory");
	}
	return ops;
}

SCALAR uint64_t bench_c_hash(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
	const uint32_t all = BENCH_MALI_HASH_N * BENCH_MALI_HASH_N;
	uint32_t i, n, x;

	for (i = 0; i < all; i++) {
		x = i;
		for (n = 0; n < BENCH_MALI_HASH_ROUNDS; n++) {
			x = (x ^ x >> 16) * 0x7feb352d;
			x = (x ^ x >> 15) * 0x846ca68b;
			x ^= x >> 16;
		}
		out[i] = x;
	}
	return (uint64_t)all * BENCH_MALI_HASH_ROUNDS;
}

SCALAR uint64_t bench_c_conv(const uint32_t *a, const uint32_t *b, uint32_t *out)
{
	const uint32_t n = BENCH_MALI_CONV_N, taps = BENCH_MALI_CONV_TAPS;
	const float *fa = (const float *)a, *fb = (const float *)b;
	float *fo = (float *)out;
	uint32_t x, y, i, j;

	for (y = 0; y < n; y++) {
		for (x = 0; x < n; x++) {
			float sum = 0;

			for (j = 0; j < taps; j++)
				for (i = 0; i < taps; i++)
					sum = fa[(y + j) * BENCH_MALI_CONV_ROW + x + i] *
					      fb[j * taps + i] + sum;
			fo[y * n + x] = sum;
		}
	}
	return 2ull * n * n * taps * taps;
}
