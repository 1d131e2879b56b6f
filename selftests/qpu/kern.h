/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Own programs modelled on published Raspberry Pi programs: memory image, threads and
 * expected results. Builders allocate ascending addresses from KERN_BASE on, code first.
 */
#ifndef SELFTESTS_QPU_KERN_H
#define SELFTESTS_QPU_KERN_H

#include "../include/qpu_asm.h"
#include "exec.h"

#define KERN_BASE		0x00400000u
#define KERN_MAX_SIZE		(2u << 20)
#define KERN_MAX_THREADS	64

/**
 * struct kern - job under construction and its memory
 * @p: program
 * @mem: memory window at KERN_BASE
 * @size: used bytes of @mem
 * @threads: threads
 * @nthreads: number of @threads
 * @code_words: 32-bit words of code at KERN_BASE
 */
struct kern {
	struct q_prog p;
	uint8_t mem[KERN_MAX_SIZE];
	uint32_t size;
	struct qpu_ref_thread threads[KERN_MAX_THREADS];
	unsigned int nthreads;
	unsigned int code_words;
};

/* Start anew: no code, no memory. */
void kern_begin(struct kern *k);
/* The program is complete: write it to memory. */
void kern_code(struct kern *k);
/* Room for @words words, zero; its address. */
uint32_t kern_alloc(struct kern *k, unsigned int words);
/* Words at an address. */
uint32_t *kern_words(struct kern *k, uint32_t addr);
float *kern_floats(struct kern *k, uint32_t addr);
/* A thread at instruction @entry with @n uniforms. */
void kern_thread(struct kern *k, unsigned int entry, const uint32_t *uniforms, unsigned int n);
void kern_run(struct kern *k, unsigned int ex, uint32_t switches, uint64_t budget,
	      struct qx_result *res);

/* Barrier of all QPUs with semaphores 0 and 1; r0 and flags change. */
void kern_barrier(struct q_prog *p, unsigned int nqpus);
/* Bits of a float. */
uint32_t kern_bits(float f);

/**
 * struct kern_check - accuracy of results
 * @wrong: values that are not as expected
 * @error: largest relative or absolute error, as the kernel defines it
 */
struct kern_check {
	unsigned int wrong;
	double error;
};

/* kern_sgemm.c: C = A B, row major; m, n multiples of 16. */
struct kern_sgemm {
	unsigned int m, n, k, nqpus;
	uint32_t a, b, c;
};

void kern_sgemm(struct kern *k, struct kern_sgemm *s);
void kern_sgemm_check(struct kern *k, const struct kern_sgemm *s, struct kern_check *c);

/* kern_fft.c: complex transform of n = 2^log2n points, split format, radix 2. */
struct kern_fft {
	unsigned int log2n, nqpus;
	uint32_t re[2], im[2];	/* two buffers each */
	uint32_t twiddle[2];
};

void kern_fft(struct kern *k, struct kern_fft *f);
void kern_fft_check(struct kern *k, const struct kern_fft *f, struct kern_check *c);

/* kern_sha256.c: digests of one-block messages, 16 per QPU. */
struct kern_sha256 {
	unsigned int nqpus;
	uint32_t message, digest;	/* word w of message i at 16 * w + i, per QPU */
};

void kern_sha256(struct kern *k, struct kern_sha256 *s);
void kern_sha256_check(struct kern *k, const struct kern_sha256 *s, struct kern_check *c);

/* kern_grid.c */

/* Diffusion on a grid 16 wide, @rows a multiple of the QPUs, @steps steps. */
struct kern_heat {
	unsigned int rows, steps, nqpus;
	uint32_t grid[2];	/* a row of zeros above and below */
};

void kern_heat(struct kern *k, struct kern_heat *h);
void kern_heat_check(struct kern *k, const struct kern_heat *h, struct kern_check *c);

/* Iteration counts of a part of the Mandelbrot set. */
struct kern_mandel {
	unsigned int width, height, limit, nqpus;
	uint32_t out;
};

void kern_mandel(struct kern *k, struct kern_mandel *m);
void kern_mandel_check(struct kern *k, const struct kern_mandel *m, struct kern_check *c);

/* 16 x 16 blocks transposed through the pipeline memory, a QPU each, at most four. */
struct kern_transpose {
	unsigned int nqpus;
	uint32_t in, out;
};

void kern_transpose(struct kern *k, struct kern_transpose *t);
void kern_transpose_check(struct kern *k, const struct kern_transpose *t, struct kern_check *c);

#endif
