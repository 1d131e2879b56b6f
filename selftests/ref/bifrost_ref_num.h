/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of the Bifrost reference model: bits in, bits out. */
#ifndef SELFTESTS_REF_BIFROST_REF_NUM_H
#define SELFTESTS_REF_BIFROST_REF_NUM_H

#include <stdbool.h>
#include <stdint.h>

enum bfr_round { BFR_RTE, BFR_RTP, BFR_RTN, BFR_RTZ, BFR_RTNA };
enum bfr_clamp { BFR_CLAMP_NONE, BFR_CLAMP_0_INF, BFR_CLAMP_M1_1, BFR_CLAMP_0_1 };

#define BFR_NAN	0x7fc00000u

float bfr_f(uint32_t bits);
uint32_t bfr_bits(float f);

/* Half to single, exact; double to half and to single, rounded once. */
uint32_t bfr_half(uint16_t h);
uint16_t bfr_to_half(double d, enum bfr_round round);
uint32_t bfr_to_single(double d, enum bfr_round round);

/* a * b + c in doubles, rounded to odd: exact enough to be rounded again. */
double bfr_fma_odd(double a, double b, double c);
uint32_t bfr_fma(uint32_t a, uint32_t b, uint32_t c, int scale, enum bfr_round round);

uint32_t bfr_clamp(uint32_t v, enum bfr_clamp clamp);
uint16_t bfr_clamp_half(uint16_t v, enum bfr_clamp clamp);

/* Compare: 0 eq, 1 gt, 2 ge, 3 ne, 4 lt, 5 le, 6 less or greater, 7 ordered. */
bool bfr_fcmp(double a, double b, unsigned int op);

uint32_t bfr_min(uint32_t a, uint32_t b, bool max, unsigned int sem);

double bfr_round_int(double d, enum bfr_round round);
uint32_t bfr_to_s32(uint32_t v, enum bfr_round round);
uint32_t bfr_to_u32(uint32_t v, enum bfr_round round);

enum bfr_frexp { BFR_FREXP, BFR_FREXP_SQRT, BFR_FREXP_LOG };

uint32_t bfr_frexpm(uint32_t v, enum bfr_frexp how);
int bfr_frexpe(uint32_t v, enum bfr_frexp how);

uint32_t bfr_rcp(uint32_t v);
uint32_t bfr_rsq(uint32_t v);
uint32_t bfr_rcp_approx(uint32_t v);
uint32_t bfr_rsq_approx(uint32_t v);
uint32_t bfr_exp(uint32_t fixed, uint32_t v);
uint32_t bfr_logd(uint32_t v);
/* mode: 0 the reciprocal, 1 its negated log of base 2, 2 the natural one. */
uint32_t bfr_log_table(uint32_t v, unsigned int mode);
uint32_t bfr_exp_table(uint32_t v);
uint32_t bfr_sincos_table(uint32_t v, bool cosine);

#endif
