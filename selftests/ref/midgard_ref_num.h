/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of the Midgard reference model: bits of 8, 16, 32 or 64 in a word. */
#ifndef SELFTESTS_REF_MIDGARD_REF_NUM_H
#define SELFTESTS_REF_MIDGARD_REF_NUM_H

#include <stdbool.h>
#include <stdint.h>

#include "mali_ref_num.h"

/* Whether there are floats of this size. */
bool mgr_is_float(unsigned int bits);
double mgr_value(uint64_t raw, unsigned int bits);
/* Rounded once; all NaNs are one. */
uint64_t mgr_raw(double d, unsigned int bits, enum mrf_round round);
uint64_t mgr_nan(unsigned int bits);

uint64_t mgr_fadd(uint64_t a, uint64_t b, unsigned int bits, enum mrf_round round);
uint64_t mgr_fmul(uint64_t a, uint64_t b, unsigned int bits, enum mrf_round round);
uint64_t mgr_fma(uint64_t a, uint64_t b, uint64_t c, unsigned int bits, enum mrf_round round);
/* @nan: a NaN wins, else the other operand; -0 is less than 0. */
uint64_t mgr_fmin(uint64_t a, uint64_t b, unsigned int bits, bool max, bool nan);
uint64_t mgr_fround(uint64_t a, unsigned int bits, enum mrf_round round);
uint64_t mgr_fclamp(uint64_t a, unsigned int bits, unsigned int outmod);
/* 0 for NaN, the largest number for infinity. */
uint64_t mgr_suppress(uint64_t a, unsigned int bits);
uint64_t mgr_abs(uint64_t a, unsigned int bits);
uint64_t mgr_neg(uint64_t a, unsigned int bits);

/* Saturating; NaN is 0. */
uint64_t mgr_to_int(uint64_t a, unsigned int bits, bool is_signed, enum mrf_round round);
uint64_t mgr_from_int(uint64_t a, unsigned int bits, bool is_signed, enum mrf_round round);

/* The operations F0 to F7 of the table unit. Return: false for any other operation. */
bool mgr_function(unsigned int op, uint64_t a, unsigned int bits, uint64_t *res);

uint64_t mgr_mask(unsigned int bits);
int64_t mgr_sext(uint64_t a, unsigned int bits);

#endif
