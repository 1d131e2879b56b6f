/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of the fixed-function fragment stages of Mali GPUs: coverage, samples, alpha,
 * stencil and depth tests, blending. Pixel by pixel, sample by sample, with the host's floats;
 * no code of the engine.
 */
#ifndef SELFTESTS_REF_MALI_REF_FRAG_H
#define SELFTESTS_REF_MALI_REF_FRAG_H

#include <stdbool.h>
#include <stdint.h>

#define MRS_SIZE	8		/* pixels each way */
#define MRS_SAMPLES	16

enum mrs_prim { MRS_RECT, MRS_TRIANGLE, MRS_POINT };
/* Stencil operations. */
enum mrs_op { MRS_KEEP, MRS_REPLACE, MRS_ZERO, MRS_INVERT, MRS_INCR_WRAP, MRS_DECR_WRAP,
	      MRS_INCR_SAT, MRS_DECR_SAT };

/* Comparisons: sums of these, of the new value with the old one. */
#define MRS_LESS	1
#define MRS_EQUAL	2
#define MRS_GREATER	4

struct mrs_stencil {
	unsigned int ref, mask, func, fail, zfail, pass, writable;
};

/* One factor or term of A + B * C. */
enum mrs_a { MRS_A_ZERO = 1, MRS_A_SRC, MRS_A_DST };
enum mrs_b { MRS_B_SRC_LESS_DST, MRS_B_SRC_AND_DST, MRS_B_SRC, MRS_B_DST };
enum mrs_c { MRS_C_ZERO = 1, MRS_C_SRC, MRS_C_DST, MRS_C_SRC_TWICE, MRS_C_SRC_ALPHA,
	     MRS_C_DST_ALPHA, MRS_C_CONSTANT };

struct mrs_function {
	enum mrs_a a;
	enum mrs_b b;
	enum mrs_c c;
	bool minus_a, minus_b, one_minus_c;
};

/**
 * struct mrs_draw - primitive and its state
 * @prim: kind
 * @corner: x and y on the screen, multiples of 1/256, and z; points have one
 * @size: point size
 * @back: back-facing
 * @samples: 1, 4, 8, 16
 * @sample_mask: samples that may be covered; 0: all
 * @per_sample: the program runs for each sample
 * @late: tests are made at the end of the program
 * @alpha_test: @alpha_func of alpha and @alpha_ref
 * @alpha_to_coverage: alpha scales the number of covered samples
 * @depth_test: @depth_func
 * @depth_write: fragments that pass write their depth
 * @program_z: the program outputs the depth, @z
 * @stencil_test: per @stencil, front and back
 * @program_s: the program outputs the stencil reference, @s
 * @colour: colour from the program
 * @enable: colour writes are enabled
 * @rgb: blend function of the first three components
 * @alpha: blend function of the fourth component
 * @constant: blend constant
 * @components: bit mask of the written components
 * @alpha_to_one: alpha is 1 for blending
 */
struct mrs_draw {
	enum mrs_prim prim;
	float corner[3][3];
	float size;
	bool back;
	unsigned int samples;
	unsigned int sample_mask;
	bool per_sample;
	bool late;
	bool alpha_test;
	unsigned int alpha_func;
	float alpha_ref;
	bool alpha_to_coverage;
	bool depth_test;
	unsigned int depth_func;
	bool depth_write;
	bool program_z;
	float z;
	bool stencil_test;
	struct mrs_stencil stencil[2];
	bool program_s;
	unsigned int s;
	float colour[4];
	bool enable;
	struct mrs_function rgb, alpha;
	float constant;
	unsigned int components;
	bool alpha_to_one;
};

/* Images, by sample; RGBA8, lowest byte red. */
struct mrs_images {
	uint32_t colour[MRS_SAMPLES][MRS_SIZE][MRS_SIZE];
	float depth[MRS_SAMPLES][MRS_SIZE][MRS_SIZE];
	uint8_t stencil[MRS_SAMPLES][MRS_SIZE][MRS_SIZE];
};

void mrs_run(const struct mrs_draw *d, struct mrs_images *to);

#endif
