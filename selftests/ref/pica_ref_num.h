/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of the PICA200 reference model: binary32 as it is, and the 24-bit
 * format 1.7.16 carried in binary32 variables.
 */
#ifndef SELFTESTS_REF_PICA_REF_NUM_H
#define SELFTESTS_REF_PICA_REF_NUM_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum pica_ref_model - arithmetic model
 * @PICA_REF_F32: IEEE binary32, nearest even, subnormals kept
 * @PICA_REF_F24_TRUNC: 1.7.16, results rounded toward zero
 * @PICA_REF_F24_NEAREST: 1.7.16, results rounded to nearest, ties to even
 */
enum pica_ref_model {
	PICA_REF_F32,
	PICA_REF_F24_TRUNC,
	PICA_REF_F24_NEAREST,
};

/**
 * struct pica_ref_num - one arithmetic context
 * @model: the number model
 * @libm: take EX2 and LG2 of the binary32 model from the C library's float
 *	  functions, as the recorded workload outputs do, instead of rounding
 *	  its double functions once
 * @flushes: number of non-zero operands and results that the 1.7.16 format flushed to
 *	     zero; stays 0 in the binary32 model
 */
struct pica_ref_num {
	enum pica_ref_model model;
	bool libm;
	uint64_t flushes;
};

float pica_ref_from_bits(uint32_t bits);
uint32_t pica_ref_to_bits(float value);

/* A value that enters the unit: input attribute or float uniform. */
float pica_ref_load(enum pica_ref_model model, uint32_t bits);

/*
 * The value of 1.7.16 for an exact (or rounded-to-odd) double. Subnormal
 * results become zero, too large ones infinity.
 */
float pica_ref_round24(enum pica_ref_model model, double exact);

/*
 * A packed sign-exponent-mantissa number; the bias is half the largest
 * exponent: (7, 16) is f24, (7, 12) is f20, (5, 10) is f16.
 */
float pica_ref_unpack(uint32_t raw, unsigned int exponent_bits, unsigned int mantissa_bits);

/* A register value of 1.7.16 in its packed 24-bit form. */
uint32_t pica_ref_pack24(float value);

float pica_ref_neg(struct pica_ref_num *n, float a);
float pica_ref_add(struct pica_ref_num *n, float a, float b);
float pica_ref_mul(struct pica_ref_num *n, float a, float b);
float pica_ref_rcp(struct pica_ref_num *n, float a);
float pica_ref_rsq(struct pica_ref_num *n, float a);
float pica_ref_ex2(struct pica_ref_num *n, float a);
float pica_ref_lg2(struct pica_ref_num *n, float a);
float pica_ref_flr(struct pica_ref_num *n, float a);
float pica_ref_max(float a, float b);
float pica_ref_min(float a, float b);

/* Truncate toward zero; NaN is 0, out of range saturates. */
int32_t pica_ref_to_int(float a);

#endif
