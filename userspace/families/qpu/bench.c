// SPDX-License-Identifier: MIT
/*
 * QPU benchmark workloads: lists of threads, as the chip's firmware takes them.
 *
 * How many instructions a workload takes follows from its program: each stretch of code
 * is executed a known number of times. Operations are those of the two ALUs: an
 * instruction has none, one or two. QPUs that wait execute nothing.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_qpu.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define BASE		BENCH_QPU_BASE
#define CODE_AT		0u
#define LIST_AT		0x8000u
#define UNIF_AT		0x9000u
#define UNIF_BYTES	0x800u		/* of each thread */
#define DATA_AT		0x10000u
#define MEM_BYTES	BENCH_QPU_BYTES

#define MANDEL_WIDTH	64u
#define MANDEL_HEIGHT	48u
/* Those of the points, and of each QPU's beginning and end. */
#define MANDEL_INSNS	774531u
#define MANDEL_QPU_INSNS 53u
#define MANDEL_OPS	541247u
#define MANDEL_QPU_OPS	28u
#define MANDEL_HASH	0x736b03b04fe7365eull

#define SGEMM_N		128u		/* of all three sides */
#define SGEMM_A		DATA_AT
#define SGEMM_B		(SGEMM_A + 4 * SGEMM_N * SGEMM_N)
#define SGEMM_C		(SGEMM_B + 4 * SGEMM_N * SGEMM_N)

/* Real parts, then imaginary ones, transform after transform. */
#define FFT_LOG2	12u
#define FFT_N		(1u << FFT_LOG2)
#define FFT_BATCH	8u
#define FFT_X		DATA_AT
#define FFT_Y		(FFT_X + 8 * FFT_N * FFT_BATCH)
#define FFT_W		(FFT_Y + 8 * FFT_N * FFT_BATCH)
#define FFT_CONST	(FFT_W + 8 * FFT_N)
#define FFT_W_IM	(FFT_W + 4 * FFT_N)

#define ROTATE_N	19200u		/* points */
#define ROTATE_X	DATA_AT
#define ROTATE_Y	(ROTATE_X + 4 * ROTATE_N)
#define ROTATE_ANGLE	2.5

#define GCD_N		4096u		/* pairs */
#define GCD_A		DATA_AT
#define GCD_B		(GCD_A + 4 * GCD_N)
#define GCD_R		(GCD_B + 4 * GCD_N)

/* ---- memory ---- */

static void put_word(struct bench_qpu *b, uint32_t at, uint32_t word)
{
	memcpy(b->start + at, &word, 4);
}

static void put_float(struct bench_qpu *b, uint32_t at, double d)
{
	float f = (float)d;

	memcpy(b->start + at, &f, 4);
}

static double get_float(const uint8_t *p)
{
	float f;

	memcpy(&f, p, 4);
	return f;
}

static double random_float(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return (double)(*x >> 8) / 8388608.0 - 1;
}

/* Thread @n starts at the code's first instruction. */
static uint32_t put_thread(struct bench_qpu *b, uint32_t n)
{
	uint32_t at = UNIF_AT + n * UNIF_BYTES;

	put_word(b, LIST_AT + 8 * n, BASE + at);
	put_word(b, LIST_AT + 8 * n + 4, BASE + CODE_AT);
	return at;
}

/* ---- counting ---- */

static unsigned int ops_of(const uint32_t *insn)
{
	uint32_t sig = insn[1] >> 28;

	/* load immediates, semaphores and branches have none */
	if (sig >= 14)
		return 0;
	return !!(insn[0] >> 24 & 31) + !!(insn[0] >> 29);
}

void bench_qpu_count(struct bench_qpu *b, const uint32_t *words, uint32_t from, uint32_t to,
		     uint64_t times)
{
	uint32_t i;

	b->counts.insns += (to - from) * times;
	for (i = from; i < to; i++)
		b->counts.ops += ops_of(words + 2 * i) * times;
}

/* From label to label; NULL: from the beginning, to the end. */
static void count(struct bench_qpu *b, const struct vshader_binary *bin, const char *from,
		  const char *to, uint64_t times)
{
	struct vshader_source src;
	uint32_t first = 0, last;

	vshader_binary_source(bin, 0, &src);
	last = src.num_words[0] / 2;
	if (from)
		vshader_binary_label(bin, 0, from, &first);
	if (to)
		vshader_binary_label(bin, 0, to, &last);
	bench_qpu_count(b, src.words[0], first, last, times);
}

static int assemble(struct bench_qpu *b, const char *text, struct vshader_binary **bin)
{
	struct vshader_source src;
	int ret;

	ret = vshader_assemble(DRM_VSHADER_ENGINE_QPU, text, strlen(text), b->w->name, bin);
	if (ret)
		return ret;
	vshader_binary_source(*bin, 0, &src);
	memcpy(b->start + CODE_AT, src.words[0], 4 * (size_t)src.num_words[0]);
	return 0;
}

/* ---- q1: Mandelbrot set ---- */

static int make_mandel(struct bench_qpu *b)
{
	/* first row, QPUs, where to, step, left, step, top, iterations, words of a QPU */
	const uint32_t unif[] = {
		0, b->qpus, BASE + DATA_AT, 0x3d4ccccd, 0xbf99999a, 0x3d266666, 0xc0000000, 200,
		MANDEL_WIDTH * MANDEL_HEIGHT,
	};
	uint32_t i, k, at;

	memcpy(b->start + CODE_AT, bench_qpu_mandel, sizeof(bench_qpu_mandel));
	for (i = 0; i < b->qpus; i++) {
		at = put_thread(b, i);
		for (k = 0; k < ARRAY_SIZE(unif); k++)
			put_word(b, at + 4 * k, k ? unif[k] : i);
	}
	b->counts.insns = MANDEL_INSNS + MANDEL_QPU_INSNS * b->qpus;
	b->counts.ops = MANDEL_OPS + MANDEL_QPU_OPS * b->qpus;
	return 0;
}

static uint64_t hash_bytes(const uint8_t *p, size_t bytes)
{
	uint64_t h = 0xcbf29ce484222325ull;
	size_t i;

	for (i = 0; i < bytes; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	return h;
}

static bool verify_mandel(const struct bench_qpu *b, char *how, size_t size)
{
	uint64_t h = hash_bytes(b->mem + DATA_AT, b->w->out_bytes);

	if (h == MANDEL_HASH)
		snprintf(how, size, "all points known");
	else
		snprintf(how, size, "points differ, hash %016llx", (unsigned long long)h);
	return h == MANDEL_HASH;
}

/* ---- q2: SGEMM ---- */

static void put_tiles(struct bench_qpu *b, uint32_t thread)
{
	const uint32_t row = 4 * SGEMM_N, side = SGEMM_N / 16, tiles = side * side;
	uint32_t at = put_thread(b, thread), i, n = 0;

	put_word(b, at, SGEMM_N);
	for (i = 1; i < 4; i++)
		put_word(b, at + 4 * i, row);
	for (i = thread; i < tiles; i += b->qpus, n++) {
		uint32_t y = 16 * (i / side), x = 16 * (i % side), to = at + 20 + 12 * n;

		put_word(b, to, BASE + SGEMM_A + y * row);
		put_word(b, to + 4, BASE + SGEMM_B + 4 * x);
		put_word(b, to + 8, BASE + SGEMM_C + y * row + 4 * x);
	}
	put_word(b, at + 16, n);
}

static int make_sgemm(struct bench_qpu *b)
{
	const uint64_t tiles = (SGEMM_N / 16) * (SGEMM_N / 16);
	struct vshader_binary *bin;
	uint32_t i, seed = 0x2545f491;
	int ret = assemble(b, bench_qpu_sgemm, &bin);

	if (ret)
		return ret;
	for (i = 0; i < 2 * SGEMM_N * SGEMM_N; i++)
		put_float(b, SGEMM_A + 4 * i, random_float(&seed));
	for (i = 0; i < b->qpus; i++)
		put_tiles(b, i);
	count(b, bin, NULL, "tile", b->qpus);
	count(b, bin, "tile", "k", tiles);
	count(b, bin, "k", "rows", tiles * SGEMM_N);
	count(b, bin, "rows", "done", tiles);
	count(b, bin, "done", NULL, b->qpus);
	vshader_binary_free(bin);
	return 0;
}

/* Each sum within the error of truncating its terms. */
static bool verify_sgemm(const struct bench_qpu *b, char *how, size_t size)
{
	double sum, mag, got, x, worst = 0;
	uint32_t i, j, k;

	for (i = 0; i < SGEMM_N; i++) {
		for (j = 0; j < SGEMM_N; j++) {
			sum = 0;
			mag = 0;
			for (k = 0; k < SGEMM_N; k++) {
				x = get_float(b->mem + SGEMM_A + 4 * (i * SGEMM_N + k)) *
				    get_float(b->mem + SGEMM_B + 4 * (k * SGEMM_N + j));
				sum += x;
				mag += fabs(x);
			}
			got = get_float(b->mem + SGEMM_C + 4 * (i * SGEMM_N + j));
			x = fabs(got - sum) / mag;
			if (!(x <= SGEMM_N * 0x1p-23)) {
				snprintf(how, size, "C[%u][%u] is %g, expected %g", i, j, got, sum);
				return false;
			}
			worst = x > worst ? x : worst;
		}
	}
	snprintf(how, size, "all sums within %.1g of their terms", worst);
	return true;
}

/* ---- q3 and q4: FFT ---- */

static uint32_t reverse(uint32_t i, uint32_t bits)
{
	uint32_t r = 0, k;

	for (k = 0; k < bits; k++)
		r |= (i >> k & 1) << (bits - 1 - k);
	return r;
}

static void put_points(struct bench_qpu *b, uint32_t batch)
{
	uint32_t i, seed = 0x12345678;

	for (i = 0; i < 2 * FFT_N * batch; i++)
		put_float(b, FFT_X + 4 * i, random_float(&seed));
	for (i = 0; i < FFT_N; i++) {
		put_float(b, FFT_W + 4 * i, cos(2 * M_PI * i / FFT_N));
		put_float(b, FFT_W_IM + 4 * i, -sin(2 * M_PI * i / FFT_N));
	}
}

static void put_uniforms(struct bench_qpu *b, uint32_t thread, const uint32_t *unif, uint32_t n)
{
	uint32_t at = put_thread(b, thread), i;

	for (i = 0; i < n; i++)
		put_word(b, at + 4 * i, unif[i]);
}

/* Part of @total for thread @n: where it begins. */
static uint32_t part(const struct bench_qpu *b, uint32_t total, uint32_t n)
{
	return total * n / b->qpus;
}

/* @passes of @groups each through one of the two copies of the code. */
static void count_pass(struct bench_qpu *b, const struct vshader_binary *bin, char pass,
		       uint64_t passes, uint64_t groups)
{
	const uint64_t others = b->qpus - 1;
	char from[] = "pass?", group[] = "group?", sync[] = "sync?", first[] = "first?";
	char arrive[] = "arrive?", leave[] = "leave?", next[] = "next?", then[] = "pass2";
	struct vshader_source src;
	uint32_t at;

	from[4] = pass;
	group[5] = pass;
	sync[4] = pass;
	first[5] = pass;
	arrive[6] = pass;
	leave[5] = pass;
	next[4] = pass;
	vshader_binary_source(bin, 0, &src);
	count(b, bin, from, group, passes * b->qpus);
	count(b, bin, group, sync, passes * groups);
	/* the question who is the first, then the others' way or the first's */
	vshader_binary_label(bin, 0, sync, &at);
	bench_qpu_count(b, src.words[0], at, at + 5, passes);
	count(b, bin, sync, first, passes * others);
	count(b, bin, first, arrive, passes);
	/* the last two instructions before the second loop are not part of the first */
	vshader_binary_label(bin, 0, leave, &at);
	if (others) {
		count(b, bin, arrive, leave, passes * others);
		bench_qpu_count(b, src.words[0], at - 2, at, passes - passes * others);
		count(b, bin, leave, next, passes * others);
	}
	count(b, bin, next, pass == '1' ? then : "again", passes * b->qpus);
}

static int load_fft(struct bench_qpu *b, const char *text, uint32_t passes, uint32_t groups)
{
	struct vshader_binary *bin;
	int ret = assemble(b, text, &bin);

	if (ret)
		return ret;
	count(b, bin, NULL, "pass1", b->qpus);
	count_pass(b, bin, '1', (passes + 1) / 2, groups);
	count_pass(b, bin, '2', passes / 2, groups);
	count(b, bin, "again", "done", b->qpus * (uint64_t)(passes / 2));
	count(b, bin, "done", NULL, b->qpus);
	vshader_binary_free(bin);
	return 0;
}

/* Rows of the pipeline memory: two for each thread. */
static void put_fft_thread(struct bench_qpu *b, uint32_t thread)
{
	const uint32_t vectors = FFT_BATCH * FFT_N / 16, first = part(b, vectors, thread);
	const uint32_t unif[] = {
		BASE + FFT_X, BASE + FFT_X + 4 * FFT_N, BASE + FFT_Y, BASE + FFT_Y + 4 * FFT_N,
		BASE + FFT_W, BASE + FFT_W_IM, BASE + FFT_CONST, 0xc0000000u | (4 * FFT_N - 64),
		first, part(b, vectors, thread + 1) - first, 0x1a00u | 2 * thread,
		0x80000000u | 2 << 23 | 16 << 16 | 0x4000 | 2 * thread << 7, b->qpus - 1, thread,
		FFT_LOG2 / 4,
	};

	put_uniforms(b, thread, unif, ARRAY_SIZE(unif));
}

/* For each step of a transform of 16 points: signs, powers of the root. */
static void put_fft_constants(struct bench_qpu *b)
{
	uint32_t at = FFT_CONST, half, e;
	double a;

	for (half = 8; half; half /= 2, at += 192) {
		for (e = 0; e < 16; e++) {
			a = e & half ? -M_PI * (e % half) / half : 0;
			put_float(b, at + 4 * e, e & half ? -1 : 1);
			put_float(b, at + 64 + 4 * e, cos(a));
			put_float(b, at + 128 + 4 * e, sin(a));
		}
	}
	/* In place of the last powers, all 1: where the power of an element is. */
	for (e = 0; e < 16; e++)
		put_word(b, at - 128 + 4 * e, 4 * reverse(e, 4));
}

static int make_fft(struct bench_qpu *b)
{
	uint32_t i;

	put_points(b, FFT_BATCH);
	put_fft_constants(b);
	for (i = 0; i < b->qpus; i++)
		put_fft_thread(b, i);
	return load_fft(b, bench_qpu_fft, FFT_LOG2 / 4, FFT_BATCH * FFT_N / 16);
}

/* Columns of the pipeline memory: four for each thread, four threads to 16 rows. */
static void put_fft2_thread(struct bench_qpu *b, uint32_t thread)
{
	const uint32_t first = part(b, FFT_N / 32, thread);
	const uint32_t y = 16 * (thread / 4), x = 4 * (thread % 4);
	const uint32_t store = 0x80000000u | 16 << 23 | 2 << 16 | 0x4000 | y << 7;
	const uint32_t unif[] = {
		BASE + FFT_X, BASE + FFT_X + 4 * FFT_N, BASE + FFT_Y, BASE + FFT_Y + 4 * FFT_N,
		BASE + FFT_W, BASE + FFT_W_IM, 2 * FFT_N, 64 * first,
		part(b, FFT_N / 32, thread + 1) - first, 1 << 12 | 0x200 | y | x, store | x << 3,
		store | (x + 2) << 3, b->qpus - 1, thread, FFT_LOG2,
	};

	put_uniforms(b, thread, unif, ARRAY_SIZE(unif));
}

static int make_fft2(struct bench_qpu *b)
{
	uint32_t i;

	put_points(b, 1);
	for (i = 0; i < b->qpus; i++)
		put_fft2_thread(b, i);
	return load_fft(b, bench_qpu_fft2, FFT_LOG2, FFT_N / 32);
}

/* Passes of radix 2 in double precision: @re, @im of FFT_N each. */
static void transform(double *re, double *im, double *re2, double *im2)
{
	uint32_t p, t, e;

	for (p = 0; p < FFT_LOG2; p++) {
		for (t = 0; t < FFT_N / 2; t++) {
			double dr = re[t] - re[t + FFT_N / 2], di = im[t] - im[t + FFT_N / 2];
			double c, s;

			e = t >> p << p;
			c = cos(2 * M_PI * e / FFT_N);
			s = -sin(2 * M_PI * e / FFT_N);
			re2[2 * t] = re[t] + re[t + FFT_N / 2];
			im2[2 * t] = im[t] + im[t + FFT_N / 2];
			re2[2 * t + 1] = dr * c - di * s;
			im2[2 * t + 1] = dr * s + di * c;
		}
		memcpy(re, re2, FFT_N * sizeof(*re));
		memcpy(im, im2, FFT_N * sizeof(*im));
	}
}

/* One value by the definition of the transform: that the passes are one, too. */
static bool is_transform(const struct bench_qpu *b, uint32_t from, uint32_t k, double re, double im)
{
	double sr = 0, si = 0, a, xr, xi;
	uint32_t i;

	for (i = 0; i < FFT_N; i++) {
		a = -2 * M_PI * (double)((uint64_t)i * k % FFT_N) / FFT_N;
		xr = get_float(b->start + from + 4 * i);
		xi = get_float(b->start + from + 4 * (FFT_N + i));
		sr += xr * cos(a) - xi * sin(a);
		si += xr * sin(a) + xi * cos(a);
	}
	return hypot(sr - re, si - im) < 1e-6;
}

/* The transform at @from is at @to; @v: room for four parts. */
static bool verify_one(const struct bench_qpu *b, uint32_t from, uint32_t to, double *v,
		       double *error)
{
	double *re = v, *im = v + FFT_N, sum = 0, diff = 0, dr, di;
	bool ok = true;
	uint32_t i;

	for (i = 0; i < FFT_N; i++) {
		re[i] = get_float(b->start + from + 4 * i);
		im[i] = get_float(b->start + from + 4 * (FFT_N + i));
	}
	transform(re, im, v + 2 * FFT_N, v + 3 * FFT_N);
	for (i = 0; i < FFT_N && ok; i += FFT_N / 7)
		ok = is_transform(b, from, reverse(i, FFT_LOG2), re[i], im[i]);
	for (i = 0; i < FFT_N; i++) {
		dr = get_float(b->mem + to + 4 * i) - re[i];
		di = get_float(b->mem + to + 4 * (FFT_N + i)) - im[i];
		sum += re[i] * re[i] + im[i] * im[i];
		diff += dr * dr + di * di;
	}
	*error = sqrt(diff / sum);
	return ok && *error <= 2e-6;
}

static bool verify_batch(const struct bench_qpu *b, uint32_t to, uint32_t batch, char *how,
			 size_t size)
{
	double *v = calloc(4 * FFT_N, sizeof(*v)), error, worst = 0;
	bool ok = v;
	uint32_t i;

	for (i = 0; i < batch && ok; i++) {
		ok = verify_one(b, FFT_X + 8 * FFT_N * i, to + 8 * FFT_N * i, v, &error);
		worst = error > worst ? error : worst;
	}
	snprintf(how, size, ok ? "relative error %.2g ppm" : "wrong: relative error %g ppm",
		 1e6 * worst);
	free(v);
	return ok;
}

/* An odd number of passes ends in Y, an even one in X. */
static bool verify_fft(const struct bench_qpu *b, char *how, size_t size)
{
	return verify_batch(b, FFT_Y, FFT_BATCH, how, size);
}

static bool verify_fft2(const struct bench_qpu *b, char *how, size_t size)
{
	return verify_batch(b, FFT_X, 1, how, size);
}

/* ---- q9: points of a plane ---- */

/* Vectors of all threads in turn: how many of @total thread @n has. */
static uint32_t turns(const struct bench_qpu *b, uint32_t total, uint32_t n)
{
	return (total + b->qpus - 1 - n) / b->qpus;
}

static uint32_t float_bits(double d)
{
	float f = (float)d;
	uint32_t word;

	memcpy(&word, &f, 4);
	return word;
}

static int make_rotate(struct bench_qpu *b)
{
	const uint32_t sine = float_bits(sin(ROTATE_ANGLE)), cosine = float_bits(cos(ROTATE_ANGLE));
	struct vshader_binary *bin;
	uint32_t i, seed = 0x2545f491;
	int ret = assemble(b, bench_qpu_rotate, &bin);

	if (ret)
		return ret;
	for (i = 0; i < 2 * ROTATE_N; i++)
		put_float(b, ROTATE_X + 4 * i, 100 * random_float(&seed));
	for (i = 0; i < b->qpus; i++) {
		const uint32_t unif[] = {
			i, 64 * b->qpus, 64 * b->qpus * turns(b, ROTATE_N / 16, i), sine, cosine,
			BASE + ROTATE_X + 64 * i, BASE + ROTATE_Y + 64 * i,
		};

		put_uniforms(b, i, unif, ARRAY_SIZE(unif));
	}
	count(b, bin, NULL, "step", b->qpus);
	count(b, bin, "step", "done", ROTATE_N / 16);
	count(b, bin, "done", NULL, b->qpus);
	vshader_binary_free(bin);
	return 0;
}

/* Each within the error of truncating its terms. */
static bool verify_rotate(const struct bench_qpu *b, char *how, size_t size)
{
	const double c = (float)cos(ROTATE_ANGLE), s = (float)sin(ROTATE_ANGLE);
	double x, y, dx, dy, worst = 0;
	uint32_t i;

	for (i = 0; i < ROTATE_N; i++) {
		x = get_float(b->start + ROTATE_X + 4 * i);
		y = get_float(b->start + ROTATE_Y + 4 * i);
		dx = get_float(b->mem + ROTATE_X + 4 * i) - (x * c - y * s);
		dy = get_float(b->mem + ROTATE_Y + 4 * i) - (y * c + x * s);
		x = fmax(fabs(dx) / (fabs(x * c) + fabs(y * s)),
			 fabs(dy) / (fabs(y * c) + fabs(x * s)));
		worst = fmax(worst, x);
		if (!(x <= 2 * 0x1p-23)) {
			snprintf(how, size, "point %u differs by %g, %g", i, dx, dy);
			return false;
		}
	}
	snprintf(how, size, "all points within %.1g of their terms", worst);
	return true;
}

/* ---- q10: greatest common divisors ---- */

static uint32_t word_at(const uint8_t *p, uint32_t i)
{
	uint32_t word;

	memcpy(&word, p + 4 * i, 4);
	return word;
}

/* Rounds of a pair: the first difference comes before the second. */
static uint32_t gcd_rounds(uint32_t a, uint32_t b)
{
	uint32_t n = 0;

	for (; a != b; n++) {
		if (a > b)
			a -= b;
		if (a < b)
			b -= a;
	}
	return n;
}

static int make_gcd(struct bench_qpu *b)
{
	struct vshader_binary *bin;
	uint32_t i, seed = 0x2545f491, most = 0;
	uint64_t rounds = 0;
	int ret = assemble(b, bench_qpu_gcd, &bin);

	if (ret)
		return ret;
	for (i = 0; i < 2 * GCD_N; i++)
		put_word(b, GCD_A + 4 * i, 150 + (int)(50 * random_float(&seed)));
	for (i = 0; i < GCD_N; i++) {
		uint32_t n = gcd_rounds(word_at(b->start + GCD_A, i), word_at(b->start + GCD_B, i));

		most = i % 16 && most > n ? most : n;
		rounds += i % 16 == 15 ? most : 0;
	}
	for (i = 0; i < b->qpus; i++) {
		const uint32_t unif[] = {
			i, 64 * b->qpus, turns(b, GCD_N / 16, i), BASE + GCD_A + 64 * i,
			BASE + GCD_B + 64 * i, BASE + GCD_R + 64 * i,
		};

		put_uniforms(b, i, unif, ARRAY_SIZE(unif));
	}
	count(b, bin, NULL, "vector", b->qpus);
	count(b, bin, "vector", "round", GCD_N / 16);
	count(b, bin, "round", "store", rounds);
	count(b, bin, "store", "done", GCD_N / 16);
	count(b, bin, "done", NULL, b->qpus);
	vshader_binary_free(bin);
	return 0;
}

/* By divisions. */
static bool verify_gcd(const struct bench_qpu *b, char *how, size_t size)
{
	uint32_t i, x, y, rest;

	for (i = 0; i < GCD_N; i++) {
		x = word_at(b->start + GCD_A, i);
		y = word_at(b->start + GCD_B, i);
		for (; y; y = rest) {
			rest = x % y;
			x = y;
		}
		if (word_at(b->mem + GCD_R, i) != x) {
			snprintf(how, size, "pair %u: %u, expected %u", i,
				 word_at(b->mem + GCD_R, i), x);
			return false;
		}
	}
	snprintf(how, size, "all divisors by Euclid's divisions");
	return true;
}

const struct bench_qpu_workload bench_qpu_workloads[BENCH_QPU_WORKLOADS] = {
	{
		.name = "q1_mandelbrot",
		.text = "64 x 48 points, at most 200 iterations; QPULib's code",
		.make = make_mandel,
		.verify = verify_mandel,
		.out = DATA_AT,
		.out_bytes = 4 * MANDEL_WIDTH * MANDEL_HEIGHT,
	},
	{
		.name = "q2_sgemm",
		.text = "128 x 128 x 128, tiles of 16 x 16",
		.make = make_sgemm,
		.verify = verify_sgemm,
		.out = SGEMM_C,
		.out_bytes = 4 * SGEMM_N * SGEMM_N,
	},
	{
		.name = "q3_fft",
		.text = "8 x 4096 complex points, radix 16 by rotations, three passes",
		.make = make_fft,
		.verify = verify_fft,
		.out = FFT_Y,
		.out_bytes = 8 * FFT_N * FFT_BATCH,
	},
	{
		.name = "q4_fft2",
		.text = "4096 complex points, radix 2, twelve passes with a barrier each",
		.make = make_fft2,
		.verify = verify_fft2,
		.out = FFT_X,
		.out_bytes = 8 * FFT_N,
	},
	{
		.name = "q9_rot3d",
		.text = "19,200 points turned, in the form of QPULib's Rot3D",
		.make = make_rotate,
		.verify = verify_rotate,
		.out = ROTATE_X,
		.out_bytes = 8 * ROTATE_N,
	},
	{
		.name = "q10_gcd",
		.text = "4,096 greatest common divisors, in the form of QPULib's GCD",
		.make = make_gcd,
		.verify = verify_gcd,
		.out = GCD_R,
		.out_bytes = 4 * GCD_N,
	},
};

/* ---- running ---- */

int bench_qpu_setup(struct bench_qpu *b, struct vshader_device *dev,
		    const struct bench_qpu_workload *w, uint32_t qpus)
{
	struct vshader_queue_params q = { .engine = DRM_VSHADER_ENGINE_QPU };
	struct drm_vshader_limits limits;
	uint64_t va = BASE;
	void *ptr;
	int ret;

	memset(b, 0, sizeof(*b));
	b->w = w;
	b->dev = dev;
	b->qpus = qpus;
	b->job[0] = (struct drm_vshader_native_job){ .format = DRM_VSHADER_NATIVE_QPU_LIST,
						     .va = BASE + LIST_AT, .size = 8ull * qpus };
	b->num_jobs = 1;
	b->num_timed = 1;
	b->start = calloc(1, MEM_BYTES);
	ret = b->start ? vshader_vm_create(dev, 0, 0, &b->vm) : -ENOMEM;
	if (!ret)
		ret = vshader_bo_create(dev, MEM_BYTES, 0, b->vm, &b->bo);
	if (!ret)
		ret = vshader_bo_map(b->bo, &ptr);
	if (!ret)
		ret = vshader_vm_map(dev, b->vm, b->bo, 0, &va);
	if (!ret)
		ret = vshader_get_limits(dev, &limits);
	if (!ret) {
		b->mem = ptr;
		q.vm = b->vm;
		q.time_limit_ms = limits.max_time_ms;
		ret = vshader_queue_create(dev, &q, &b->queue);
	}
	if (!ret)
		ret = w->make(b);
	if (ret)
		bench_qpu_teardown(b);
	return ret;
}

void bench_qpu_teardown(struct bench_qpu *b)
{
	if (b->queue)
		vshader_queue_destroy(b->dev, b->queue);
	vshader_bo_destroy(b->bo);
	if (b->vm)
		vshader_vm_destroy(b->dev, b->vm);
	free(b->start);
	memset(b, 0, sizeof(*b));
}

/* A fault shows only in the queue's state. */
static int check_queue(const struct bench_qpu *b)
{
	struct drm_vshader_queue_get_state state;
	char text[256];
	int ret = vshader_queue_get_state(b->dev, b->queue, &state);

	if (ret || !state.state)
		return ret;
	fprintf(stderr, "%s: %s\n", b->w->name,
		vshader_fault_text(&state.fault, text, sizeof(text)));
	return -EIO;
}

/* Jobs one after the other. */
static int run_jobs(const struct bench_qpu *b, uint32_t from, uint32_t to)
{
	uint32_t i;
	int ret = 0;

	for (i = from; i < to && !ret; i++) {
		const struct drm_vshader_job job = {
			.queue_id = b->queue,
			.type = DRM_VSHADER_JOB_NATIVE,
			.desc = (uintptr_t)&b->job[i],
			.desc_size = sizeof(b->job[i]),
		};

		ret = vshader_submit_wait(b->dev, &job, VSHADER_WAIT_FOREVER);
	}
	return ret;
}

int bench_qpu_run(struct bench_qpu *b, uint64_t *ns, uint64_t *cpu)
{
	uint64_t wall, process;
	int ret;

	memcpy(b->mem, b->start, MEM_BYTES);
	process = bench_cpu_start();
	wall = bench_now_ns();
	ret = run_jobs(b, 0, b->num_timed);
	*ns = bench_now_ns() - wall;
	*cpu = bench_cpu_since(process);
	return ret ? ret : check_queue(b);
}

int bench_qpu_check(struct bench_qpu *b, uint64_t reference, uint64_t *hash, bool *ok, char *how,
		    size_t size)
{
	uint64_t ns, cpu;
	int ret = bench_qpu_run(b, &ns, &cpu);

	if (!ret)
		ret = run_jobs(b, b->num_timed, b->num_jobs);
	if (!ret)
		ret = check_queue(b);
	if (ret)
		return ret;
	*ok = b->w->verify(b, how, size);
	*hash = hash_bytes(b->mem + b->w->out, b->w->out_bytes);
	if (*ok && reference && *hash != reference) {
		snprintf(how, size, "differs from another executor");
		*ok = false;
	}
	return 0;
}
