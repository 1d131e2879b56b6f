// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels of OpenCL on the first device, whose results are compared with those of C.
 *
 *   opencl [KERNEL...]     TAP
 */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "kernels.h"	/* the program's text */

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define N		256
#define GROUP		64
#define MAX_PRINTED	3
#define ULPS		64	/* of functions, whose arguments are rounded */

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static unsigned int mistakes;
static const char *skipped;

static void wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The test fails; the first few reasons are printed. */
static void wrong(const char *fmt, ...)
{
	va_list ap;

	if (mistakes++ >= MAX_PRINTED)
		return;
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

static void skip(const char *why)
{
	skipped = why;
}

static bool is_midgard(void)
{
	char name[256] = "";

	clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL);
	return strstr(name, "Mali-T");
}

#define CHECK(call)	check(call, #call)

static void check(cl_int error, const char *call)
{
	if (!error)
		return;
	printf("Bail out! %.*s: error %d\n", (int)strcspn(call, "("), call, error);
	exit(1);
}

/* ---- kernels and buffers ---- */

static cl_mem make_buffer(size_t size, const void *data)
{
	cl_int error;
	cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0),
				  size, (void *)data, &error);

	check(error, "clCreateBuffer()");
	if (!data)
		CHECK(clEnqueueFillBuffer(queue, b, &(cl_uint){ 0 }, 4, 0, size, 0, NULL, NULL));
	return b;
}

static void read_buffer(cl_mem b, size_t size, void *data)
{
	CHECK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, size, data, 0, NULL, NULL));
	CHECK(clReleaseMemObject(b));
}

static cl_kernel make_kernel(const char *name)
{
	cl_int error;
	cl_kernel k = clCreateKernel(program, name, &error);

	check(error, "clCreateKernel()");
	return k;
}

static void set_buffer(cl_kernel k, cl_uint i, cl_mem b)
{
	CHECK(clSetKernelArg(k, i, sizeof(b), &b));
}

static void run(cl_kernel k, cl_uint dims, const size_t *offset, const size_t *size,
		const size_t *group)
{
	CHECK(clEnqueueNDRangeKernel(queue, k, dims, offset, size, group, 0, NULL, NULL));
	CHECK(clFinish(queue));
	CHECK(clReleaseKernel(k));
}

static void run_line(cl_kernel k)
{
	run(k, 1, NULL, (const size_t[]){ N }, (const size_t[]){ GROUP });
}

/* A kernel of an input and an output. */
static void run_simple(const char *name, const void *in, size_t in_size, void *out, size_t size)
{
	cl_kernel k = make_kernel(name);
	cl_mem a = make_buffer(in_size, in), o = make_buffer(size, NULL);

	set_buffer(k, 0, a);
	set_buffer(k, 1, o);
	run_line(k);
	read_buffer(o, size, out);
	CHECK(clReleaseMemObject(a));
}

static uint32_t noise(uint32_t i)
{
	i = (i ^ i >> 16) * 0x7feb352d;
	i = (i ^ i >> 15) * 0x846ca68b;
	return i ^ i >> 16;
}

static void fill_noise(uint32_t *a, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		a[i] = noise(i) >> (i % 5 * 6);
}

static void same(const char *what, const uint32_t *got, const uint32_t *want, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (got[i] != want[i])
			wrong("%s %u: 0x%x, expected 0x%x", what, i, got[i], want[i]);
	}
}

/* ---- tests ---- */

static void test_add(void)
{
	uint32_t a[N], b[N], o[N], want[N];
	cl_kernel k = make_kernel("add");
	cl_int factor = -7;
	cl_mem out = make_buffer(sizeof(o), NULL);
	int i;

	fill_noise(a, N);
	fill_noise(b, N);
	for (i = 0; i < N; i++)
		want[i] = a[i] * factor + b[i];
	set_buffer(k, 0, make_buffer(sizeof(a), a));
	set_buffer(k, 1, make_buffer(sizeof(b), b));
	set_buffer(k, 2, out);
	CHECK(clSetKernelArg(k, 3, sizeof(factor), &factor));
	run_line(k);
	read_buffer(out, sizeof(o), o);
	same("element", o, want, N);
}

/* 16 x 4 x 3 items from 5 on, in groups of 8 x 2 x 1. */
static void test_ids(void)
{
	const size_t offset[] = { 5, 0, 0 }, size[] = { 16, 4, 3 }, group[] = { 8, 2, 1 };
	uint32_t o[16 * 4 * 3], want[16 * 4 * 3];
	cl_kernel k = make_kernel("ids");
	cl_mem out = make_buffer(sizeof(o), NULL);
	unsigned int x, y, z;

	for (z = 0; z < 3; z++) {
		for (y = 0; y < 4; y++) {
			for (x = 0; x < 16; x++)
				want[x + 16 * (y + 4 * z)] = (x + 5) | y << 8 | z << 12 |
					x % 8 << 16 | y / 2 << 20 | 2 << 24 | 3 << 28;
		}
	}
	set_buffer(k, 0, out);
	run(k, 3, offset, size, group);
	read_buffer(out, sizeof(o), o);
	same("item", o, want, ARRAY_SIZE(want));
}

static void test_reverse(void)
{
	uint32_t a[N], o[N], want[N];
	cl_kernel k = make_kernel("reverse");
	cl_mem out = make_buffer(sizeof(o), NULL);
	int i;

	fill_noise(a, N);
	for (i = 0; i < N; i++) {
		int l = i % GROUP, first = i - l;

		want[i] = a[first + GROUP - 1 - l] + a[first + l * 5 % GROUP];
	}
	set_buffer(k, 0, make_buffer(sizeof(a), a));
	set_buffer(k, 1, out);
	CHECK(clSetKernelArg(k, 2, 4 * GROUP, NULL));
	run_line(k);
	read_buffer(out, sizeof(o), o);
	same("element", o, want, N);
}

static void test_scan(void)
{
	uint32_t a[N], o[N], want[N];
	int i;

	fill_noise(a, N);
	for (i = 0; i < N; i++)
		want[i] = a[i] + (i % GROUP ? want[i - 1] : 0);
	run_simple("scan", a, sizeof(a), o, sizeof(o));
	same("sum", o, want, N);
}

static void test_histogram(void)
{
	uint32_t a[N], o[18], want[18] = {};
	int i;

	fill_noise(a, N);
	for (i = 0; i < N; i++) {
		want[a[i] & 15]++;
		if (a[i] > want[16])
			want[16] = a[i];
		want[17] ^= a[i];
	}
	run_simple("histogram", a, sizeof(a), o, sizeof(o));
	same("bin", o, want, 18);
}

/* Small integers, whose sums are exact. */
static void test_matrix(void)
{
	enum { SIDE = 24 };
	float a[SIDE * SIDE], b[SIDE * SIDE], o[SIDE * SIDE], sum;
	cl_kernel k = make_kernel("matrix");
	cl_mem out = make_buffer(sizeof(o), NULL);
	cl_uint side = SIDE;
	unsigned int i, n;

	for (i = 0; i < SIDE * SIDE; i++) {
		a[i] = i % 7;
		b[i] = (int)(i % 5) - 2;
	}
	set_buffer(k, 0, make_buffer(sizeof(a), a));
	set_buffer(k, 1, make_buffer(sizeof(b), b));
	set_buffer(k, 2, out);
	CHECK(clSetKernelArg(k, 3, sizeof(side), &side));
	run(k, 2, NULL, (const size_t[]){ SIDE, SIDE }, (const size_t[]){ 8, 8 });
	read_buffer(out, sizeof(o), o);
	for (i = 0; i < SIDE * SIDE; i++) {
		sum = 0;
		for (n = 0; n < SIDE; n++)
			sum += a[i / SIDE * SIDE + n] * b[n * SIDE + i % SIDE];
		if (o[i] != sum)
			wrong("element %u: %g, expected %g", i, o[i], sum);
	}
}

static uint32_t rotated(uint32_t x, uint32_t n)
{
	return n ? x << n | x >> (32 - n) : x;
}

static void test_bits(void)
{
	uint32_t a[N], o[N], want[N];
	int i;

	fill_noise(a, N);
	for (i = 0; i < N; i++) {
		uint32_t x = a[i], y = a[i ^ 1], m = 0x0ff0f00f;
		uint32_t high = (int64_t)(int32_t)x * (int32_t)y >> 32;

		want[i] = __builtin_popcount(x) + ((x ? __builtin_clz(x) : 32) << 8) +
			  rotated(x, y & 31) + ((x & ~m) | (y & m)) +
			  (uint32_t)((uint64_t)x * y >> 32) + (uint32_t)(((uint64_t)x + y) >> 1) +
			  (uint32_t)(((uint64_t)x + y + 1) >> 1) + (x & 0x7fff) * (y & 0x7fff) + 3 +
			  (high >> 3);
	}
	run_simple("bits", a, sizeof(a), o, sizeof(o));
	same("word", o, want, N);
}

static int64_t clamped(int64_t v, int64_t lo, int64_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

static void test_saturate(void)
{
	uint32_t a[N], o[N], want[N];
	int i;

	fill_noise(a, N);
	for (i = 0; i < N; i++) {
		int64_t x = (int32_t)a[i], y = (int32_t)a[i ^ 1];

		want[i] = (uint32_t)clamped(x + y, INT32_MIN, INT32_MAX) ^
			  (a[i] > a[i ^ 1] ? a[i] - a[i ^ 1] : 0) ^ (uint32_t)llabs(x - y) ^
			  (uint16_t)clamped(x >> 12, -32768, 32767) ^
			  (uint32_t)clamped(y >> 10, 0, 65535) << 8 ^
			  (uint32_t)clamped(x, -1000, 1000) << 3;
	}
	run_simple("saturate", a, sizeof(a), o, sizeof(o));
	same("word", o, want, N);
}

static void vector_model(const float *v, float *o)
{
	float w[4] = { v[3] * 2 + 1, v[2] * 2 + 2, v[1] * 2 + 3, v[0] * 2 + 4 };
	float c[4] = {
		v[1] * w[3] - v[2] * w[2], v[2] * w[1] - v[0] * w[3], v[0] * w[2] - v[1] * w[1],
	};
	int i;

	w[0] = v[2];
	w[2] = v[3];
	for (i = 0; i < 4; i++)
		c[3] += v[i] * w[i];
	for (i = 0; i < 4; i++)
		o[i] = (v[i] > w[i] ? w[i] : v[i]) + c[i];
}

/* Small integers again. */
static void test_vectors(void)
{
	float a[4 * N], o[4 * N], want[4];
	int i, k;

	for (i = 0; i < 4 * N; i++)
		a[i] = (int)(noise(i) % 31) - 15;
	run_simple("vectors", a, sizeof(a), o, sizeof(o));
	for (i = 0; i < N; i++) {
		vector_model(a + 4 * i, want);
		for (k = 0; k < 4; k++) {
			if (o[4 * i + k] != want[k])
				wrong("vector %d, element %d: %g, expected %g", i, k, o[4 * i + k],
				      want[k]);
		}
	}
}

static void test_narrow(void)
{
	uint16_t a[N], p[N];
	int16_t b[N], o[N];
	cl_kernel k = make_kernel("narrow");
	cl_mem out = make_buffer(sizeof(o), NULL), other = make_buffer(sizeof(p), NULL);
	int i;

	for (i = 0; i < N; i++) {
		a[i] = noise(i);
		b[i] = noise(i + N);
	}
	set_buffer(k, 0, make_buffer(sizeof(a), a));
	set_buffer(k, 1, make_buffer(sizeof(b), b));
	set_buffer(k, 2, out);
	set_buffer(k, 3, other);
	run_line(k);
	read_buffer(out, sizeof(o), o);
	read_buffer(other, sizeof(p), p);
	for (i = 0; i < N; i++) {
		int16_t c = a[i] - b[i];
		uint16_t s = (uint16_t)(a[i] * b[i]) ^ (uint16_t)b[i ^ 1];

		if (o[i] != c || p[i] != s)
			wrong("element %d: %d and %u, expected %d and %u", i, o[i], p[i], c, s);
	}
}

static void test_bytes(void)
{
	uint8_t a[N];
	int8_t o[N], want;
	int i;

	if (is_midgard())
		return skip("8-bit integers: Mesa's compiler reads byte 12 of a register, not 8");
	for (i = 0; i < N; i++)
		a[i] = noise(i);
	run_simple("bytes", a, sizeof(a), o, sizeof(o));
	for (i = 0; i < N; i++) {
		want = clamped((int8_t)a[i] + (int8_t)a[i ^ 1], -128, 127) ^ a[i] >> 3;
		if (o[i] != want)
			wrong("byte %d: %d, expected %d", i, o[i], want);
	}
}

static void fill_wide(uint64_t *a)
{
	int i;

	for (i = 0; i < N; i++)
		a[i] = ((uint64_t)noise(i) << 32 | noise(i + N)) >> (i % 7 * 9);
}

static void same_wide(int i, uint64_t got, uint64_t want)
{
	if (got != want)
		wrong("element %d: 0x%llx, expected 0x%llx", i, (unsigned long long)got,
		      (unsigned long long)want);
}

static void test_wide(void)
{
	uint64_t a[N], o[N];
	int i;

	if (is_midgard())
		return skip("64-bit carries: Mesa's compiler, \"Unhandled ALU op b2i64\"");
	fill_wide(a);
	run_simple("wide", a, sizeof(a), o, sizeof(o));
	for (i = 0; i < N; i++) {
		uint64_t x = a[i], y = a[i ^ 1] | 1;
		uint64_t want = x * y + (x >> (i & 63)) + (uint64_t)((int64_t)x >> 7) +
				(x > y ? x ^ y : y << 5) + (uint64_t)(float)(uint32_t)x;

		same_wide(i, o[i], want);
	}
}

static void test_divide(void)
{
	uint64_t a[N], o[N];
	int i;

	if (is_midgard())
		return skip("64-bit division: Mesa's compiler, \"Unhandled ALU op udiv\"");
	fill_wide(a);
	run_simple("divide", a, sizeof(a), o, sizeof(o));
	for (i = 0; i < N; i++) {
		uint64_t x = a[i], y = a[i ^ 1] | 1;

		same_wide(i, o[i], x / y + x % (y >> 20 | 3) +
			  (uint64_t)((int64_t)x / (int64_t)(y >> 30 | 1)) +
			  __builtin_popcountll(x) + __builtin_clzll(y));
	}
}

static void test_convert(void)
{
	float a[N];
	uint32_t o[N], want[N];
	int i;

	for (i = 0; i < N; i++) {
		a[i] = (i - 128) * 0.25f + (i % 3) * 1000;
		want[i] = (int)rintf(a[i]) * 3 + (int)a[i] * 5 + (int)ceilf(a[i]) * 7 +
			  (int)floorf(a[i]) * 11 + (int)clamped((int)a[i], 0, 65535) +
			  (int)rintf(a[i]) + (int)roundf(a[i]) * 13;
	}
	run_simple("convert", a, sizeof(a), o, sizeof(o));
	same("number", o, want, N);
}

static double function_model(unsigned int i, float x)
{
	switch (i & 7) {
	case 0:
		return sin(x);
	case 1:
		return cos(x);
	case 2:
		return exp(x * 0.1f);
	case 3:
		return log(fabsf(x) + 0.5f);
	case 4:
		return sqrt(fabsf(x));
	case 5:
		return pow(fabsf(x) + 0.1f, 1.5);
	case 6:
		return (double)x / 7.3f + hypot(x, 2);
	default:
		return atan2(x, 3) + ((double)x * x + 0.25);
	}
}

static void test_functions(void)
{
	float a[N], o[N];
	unsigned int i;

	for (i = 0; i < N; i++)
		a[i] = ((int)i - 100) * 0.11f;
	run_simple("functions", a, sizeof(a), o, sizeof(o));
	for (i = 0; i < N; i++) {
		double want = function_model(i, a[i]);

		/* near zeros of a function its argument's rounding counts */
		if (!(fabs(o[i] - want) <= ULPS * 0x1p-24 * fmax(fabs(want), 0.25)))
			wrong("function %u of %g: %.9g, expected %.9g", i & 7, a[i], o[i], want);
	}
}

/* Exact, as the device rounds products, too, unless it is told not to (numeric-model.rst). */
static void test_fused(void)
{
	float a[N], o[N], want;
	int i;

	if (is_midgard())
		return skip("fma(): Mesa's compiler, \"Unhandled ALU op ufind_msb\"");
	for (i = 0; i < N; i++)
		a[i] = (int)(noise(i) & 0xfff) - 0x800;
	run_simple("fused", a, sizeof(a), o, sizeof(o));
	for (i = 0; i < N; i++) {
		want = fmaf(a[i], a[i ^ 1], a[i ^ 2]);
		if (o[i] != want)
			wrong("element %d: %a, expected %a", i, o[i], want);
	}
}

static float half_value(uint16_t h)
{
	return ldexpf(1024 + (h & 1023), (h >> 10 & 31) - 25) * (h & 0x8000 ? -1 : 1);
}

/* Values and results are normal numbers, and the results are exact. */
static void test_halves(void)
{
	uint16_t a[N], o[N];
	float p[N];
	cl_kernel k = make_kernel("halves");
	cl_mem out = make_buffer(sizeof(o), NULL), other = make_buffer(sizeof(p), NULL);
	int i;

	for (i = 0; i < N; i++)
		a[i] = 0x4000 | (i & 1) << 15 | (i << 2 & 0x3ff);
	set_buffer(k, 0, make_buffer(sizeof(a), a));
	set_buffer(k, 1, out);
	set_buffer(k, 2, other);
	run_line(k);
	read_buffer(out, sizeof(o), o);
	read_buffer(other, sizeof(p), p);
	for (i = 0; i < N; i++) {
		float want = half_value(a[i]) * 0.5f + 1;

		if (p[i] != half_value(a[i]) || (want && half_value(o[i]) != want) ||
		    (!want && o[i] & 0x7fff))
			wrong("element %d: 0x%x (%g), expected %g", i, o[i], p[i], want);
	}
}

struct item {
	uint32_t key;
	uint16_t tag;
	float weight;
};

static void test_structures(void)
{
	static const uint32_t primes[] = { 2, 3, 5, 7, 11, 13, 17, 19 };
	const struct item first = { 0, 200, 3 };
	struct item a[N];
	uint32_t table[8], o[N], want[N];
	cl_kernel k = make_kernel("structures");
	cl_mem out = make_buffer(sizeof(o), NULL);
	int i, n;

	fill_noise(table, 8);
	for (i = 0; i < N; i++) {
		a[i] = (struct item){ noise(i), i * 3, i * 0.5f };
		n = (i - a[i].tag) & 7;
		want[i] = primes[n] * a[i].key + table[n] + (uint32_t)(a[i].weight * 3) + 200;
	}
	set_buffer(k, 0, make_buffer(sizeof(a), a));
	CHECK(clSetKernelArg(k, 1, sizeof(first), &first));
	set_buffer(k, 2, make_buffer(sizeof(table), table));
	set_buffer(k, 3, out);
	run_line(k);
	read_buffer(out, sizeof(o), o);
	same("element", o, want, N);
}

static void test_branches(void)
{
	uint32_t a[N], o[N], want[N], n, steps;
	int i;

	fill_noise(a, N);
	for (i = 0; i < N; i++) {
		n = a[i] % 1000 + 1;
		for (steps = 0; n != 1 && steps < 300;) {
			n = n & 1 ? 3 * n + 1 : n / 2;
			if (++steps != 77 && (n & 0xff) == 0xab)
				break;
		}
		want[i] = steps << 16 | (n & 0xffff);
	}
	run_simple("branches", a, sizeof(a), o, sizeof(o));
	same("element", o, want, N);
}

static cl_mem make_image(const void *data)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16,
	};
	cl_int error;
	cl_mem m = clCreateImage(context, data ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR :
				 CL_MEM_WRITE_ONLY, &format, &desc, (void *)data, &error);

	check(error, "clCreateImage()");
	return m;
}

static void test_images(void)
{
	const size_t zero[3] = {}, size[] = { 16, 16, 1 };
	uint8_t a[16][16][4], o[16][16][4];
	cl_kernel k = make_kernel("images");
	cl_mem from = make_image(memset(a, 0, sizeof(a))), to;
	cl_sampler sampler;
	cl_int error;
	int x, y;

	for (y = 0; y < 16; y++) {
		for (x = 0; x < 16; x++) {
			const uint8_t texel[4] = { 3 * x, 5 * y, x ^ y, 100 };

			memcpy(a[y][x], texel, 4);
		}
	}
	CHECK(clReleaseMemObject(from));
	from = make_image(a);
	to = make_image(NULL);
	sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST,
				  &error);
	check(error, "clCreateSampler()");
	set_buffer(k, 0, from);
	set_buffer(k, 1, to);
	CHECK(clSetKernelArg(k, 2, sizeof(sampler), &sampler));
	run(k, 2, NULL, size, (const size_t[]){ 8, 8 });
	CHECK(clEnqueueReadImage(queue, to, CL_TRUE, zero, size, 0, 0, o, 0, NULL, NULL));
	for (y = 0; y < 16; y++) {
		for (x = 0; x < 16; x++) {
			const uint8_t *t = a[x][y];
			const uint8_t want[4] = { t[1] + x, t[0] + y, t[3] + 1, t[2] + 2 };

			if (memcmp(o[y][x], want, 4))
				wrong("texel %d, %d: %d %d %d %d, expected %d %d %d %d", x, y,
				      o[y][x][0], o[y][x][1], o[y][x][2], o[y][x][3], want[0],
				      want[1], want[2], want[3]);
		}
	}
}

#define TEST(name)	{ #name, test_##name }

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	TEST(add), TEST(ids), TEST(reverse), TEST(scan), TEST(histogram), TEST(matrix), TEST(bits),
	TEST(saturate), TEST(vectors), TEST(narrow), TEST(bytes), TEST(wide), TEST(divide),
	TEST(convert), TEST(functions), TEST(fused), TEST(halves), TEST(structures), TEST(branches),
	TEST(images),
};

static bool open_device(void)
{
	cl_platform_id platform;
	char name[256] = "";
	cl_int error;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return false;
	clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL);
	printf("# %s\n", name);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	check(error, "clCreateContext()");
	queue = clCreateCommandQueue(context, device, 0, &error);
	check(error, "clCreateCommandQueue()");
	return true;
}

static void build_program(void)
{
	char log[8192] = "";
	cl_int error;

	program = clCreateProgramWithSource(context, 1, (const char *[]){ kernels }, NULL, &error);
	check(error, "clCreateProgramWithSource()");
	error = clBuildProgram(program, 1, &device, "", NULL, NULL);
	if (error)
		clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
				      NULL);
	if (*log)
		printf("%s\n", log);
	check(error, "clBuildProgram()");
}

static bool wanted(const char *name, char **names, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return !n;
}

int main(int argc, char **argv)
{
	unsigned int i, n = 0;
	bool any = false;

	setbuf(stdout, NULL);
	printf("TAP version 13\n");
	if (!open_device()) {
		printf("1..0 # SKIP no device of OpenCL\n");
		return 4;
	}
	build_program();
	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		if (!wanted(tests[i].name, argv + 1, argc - 1))
			continue;
		mistakes = 0;
		skipped = NULL;
		tests[i].run();
		any |= !!mistakes;
		printf("%sok %u %s%s%s\n", mistakes ? "not " : "", ++n, tests[i].name,
		       skipped ? " # SKIP " : "", skipped ?: "");
	}
	printf("1..%u\n", n);
	return any || !n;
}
