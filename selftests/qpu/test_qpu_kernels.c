// SPDX-License-Identifier: GPL-2.0
/*
 * Programs modelled on published Raspberry Pi programs: matrix product, Fourier
 * transform, SHA-256, diffusion, Mandelbrot set. On the reference model and on every
 * build of the engine, against results computed in C, and bit for bit the same.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../include/tap.h"
#include "kern.h"

static struct kern K;
static uint8_t first[KERN_MAX_SIZE];

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* A kernel with its parameters. */
struct kernel {
	const char *name;
	void (*build)(void);
	void (*check)(struct kern_check *c);
};

static struct kern_sgemm sgemm;
static struct kern_fft fft;
static struct kern_sha256 sha;
static struct kern_heat heat;
static struct kern_mandel mandel;
static struct kern_transpose transpose;

static void build_sgemm1(void)
{
	sgemm = (struct kern_sgemm){ .m = 32, .n = 64, .k = 45, .nqpus = 1 };
	kern_sgemm(&K, &sgemm);
}

static void build_sgemm12(void)
{
	sgemm = (struct kern_sgemm){ .m = 96, .n = 112, .k = 67, .nqpus = 12 };
	kern_sgemm(&K, &sgemm);
}

static void check_sgemm(struct kern_check *c)
{
	kern_sgemm_check(&K, &sgemm, c);
}

static void build_fft1(void)
{
	fft = (struct kern_fft){ .log2n = 8, .nqpus = 1 };
	kern_fft(&K, &fft);
}

static void build_fft8(void)
{
	fft = (struct kern_fft){ .log2n = 10, .nqpus = 8 };
	kern_fft(&K, &fft);
}

static void build_fft8_large(void)
{
	fft = (struct kern_fft){ .log2n = 13, .nqpus = 8 };
	kern_fft(&K, &fft);
}

static void check_fft(struct kern_check *c)
{
	kern_fft_check(&K, &fft, c);
}

static void build_sha(void)
{
	sha.nqpus = 3;
	kern_sha256(&K, &sha);
}

static void check_sha(struct kern_check *c)
{
	kern_sha256_check(&K, &sha, c);
}

static void build_heat(void)
{
	heat = (struct kern_heat){ .rows = 36, .steps = 20, .nqpus = 12 };
	kern_heat(&K, &heat);
}

static void check_heat(struct kern_check *c)
{
	kern_heat_check(&K, &heat, c);
}

static void build_mandel(void)
{
	mandel = (struct kern_mandel){ .width = 64, .height = 40, .limit = 100, .nqpus = 12 };
	kern_mandel(&K, &mandel);
}

static void check_mandel(struct kern_check *c)
{
	kern_mandel_check(&K, &mandel, c);
}

static void build_transpose(void)
{
	transpose.nqpus = 4;
	kern_transpose(&K, &transpose);
}

static void check_transpose(struct kern_check *c)
{
	kern_transpose_check(&K, &transpose, c);
}

static const struct kernel kernels[] = {
	{ "sgemm, 1 QPU", build_sgemm1, check_sgemm },
	{ "sgemm, 12 QPUs", build_sgemm12, check_sgemm },
	{ "fft of 256 points, 1 QPU", build_fft1, check_fft },
	{ "fft of 1024 points, 8 QPUs", build_fft8, check_fft },
	{ "fft of 8192 points, 8 QPUs", build_fft8_large, check_fft },
	{ "sha-256, 3 QPUs", build_sha, check_sha },
	{ "diffusion, 12 QPUs", build_heat, check_heat },
	{ "mandelbrot, 12 QPUs", build_mandel, check_mandel },
	{ "transposition, 4 QPUs", build_transpose, check_transpose },
};

#define NUM_KERNELS	(sizeof(kernels) / sizeof(kernels[0]))

static void run_kernel(const struct kernel *k, unsigned int ex)
{
	struct qx_result res;
	struct kern_check c;
	double t;

	k->build();
	t = seconds();
	kern_run(&K, ex, 0, 0, &res);
	t = seconds() - t;
	k->check(&c);
	if (ex == QX_REF)
		memcpy(first, K.mem, K.size);
	tap_result(!res.status && !c.wrong && !memcmp(first, K.mem, K.size),
		   "%s, %s: %s, %u values wrong, error %.3g%s", k->name, qx_name(ex),
		   qx_status_name(res.status), c.wrong, c.error,
		   memcmp(first, K.mem, K.size) ? ", not as the reference" : "");
	tap_comment("%llu instructions, %llu stray reads, %.1f M instructions/s",
		    (unsigned long long)res.counters.insns,
		    (unsigned long long)res.counters.stray_reads,
		    res.counters.insns / t * 1e-6);
}

/* Print the words of the programs for reuse elsewhere. */
static void print_words(void)
{
	unsigned int i, j;

	for (i = 0; i < NUM_KERNELS; i++) {
		kernels[i].build();
		printf("/* %s: %u instructions */\n", kernels[i].name, K.code_words / 2);
		for (j = 0; j < K.code_words; j += 2)
			printf("\t0x%08x, 0x%08x,%c", kern_words(&K, KERN_BASE)[j],
			       kern_words(&K, KERN_BASE)[j + 1], j % 6 == 4 ? '\n' : ' ');
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	unsigned int i, ex;

	if (argc == 2 && !strcmp(argv[1], "--words")) {
		print_words();
		return 0;
	}
	tap_start();
	for (i = 0; i < NUM_KERNELS; i++) {
		for (ex = 0; ex < qx_count(); ex++)
			run_kernel(&kernels[i], ex);
	}
	return tap_done();
}
