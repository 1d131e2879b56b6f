/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arithmetic of the QPU reference model: one element at a time, integers only.
 *
 * From Broadcom's architecture guide and from results that the VC4C project recorded on
 * hardware. Shares nothing with the engine.
 */
#ifndef SELFTESTS_REF_QPU_REF_NUM_H
#define SELFTESTS_REF_QPU_REF_NUM_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct qpu_ref_val - result and its properties
 * @v: the word
 * @z: @n: @c: flags
 * @ov: signed overflow of an addition or subtraction
 * @f: is a float, for pack modes
 */
struct qpu_ref_val {
	uint32_t v;
	bool z;
	bool n;
	bool c;
	bool ov;
	bool f;
};

/* Codes of the guide; undefined ones give 0. */
void qpu_ref_add_op(unsigned int op, uint32_t a, uint32_t b, struct qpu_ref_val *r);
void qpu_ref_mul_op(unsigned int op, uint32_t a, uint32_t b, struct qpu_ref_val *r);
/* Does the operation read its operands as floats (for unpacking)? */
bool qpu_ref_add_reads_float(unsigned int op);
bool qpu_ref_mul_reads_float(unsigned int op);

/* Unpack mode 0..7. */
uint32_t qpu_ref_unpack(unsigned int mode, uint32_t v, bool as_float);

/*
 * Pack mode 0..15 of register file A, merged with the register's @old value.
 */
uint32_t qpu_ref_pack_a(unsigned int mode, const struct qpu_ref_val *r, uint32_t old);
/* Pack mode 0, 3..7 of the multiplier, with bit 3 or without; false for the others. */
bool qpu_ref_pack_mul(unsigned int mode, uint32_t r, uint32_t old, uint32_t *out);

/* Constant of small immediate 0..63. */
uint32_t qpu_ref_small_imm(unsigned int code);

/* Reciprocal and so on in double precision: @op 0 recip, 1 rsqrt, 2 exp2, 3 log2. */
double qpu_ref_sfu_exact(unsigned int op, uint32_t x);
/* The nearest word, inputs and results without denormals. */
uint32_t qpu_ref_sfu(unsigned int op, uint32_t x);

#endif
