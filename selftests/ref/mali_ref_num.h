/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of the Mali reference models: bits in, bits out. */
#ifndef SELFTESTS_REF_MALI_REF_NUM_H
#define SELFTESTS_REF_MALI_REF_NUM_H

#include <stdbool.h>
#include <stdint.h>

enum mrf_round { MRF_RTE, MRF_RTP, MRF_RTN, MRF_RTZ, MRF_RTNA };
enum mrf_clamp { MRF_CLAMP_NONE, MRF_CLAMP_0_INF, MRF_CLAMP_M1_1, MRF_CLAMP_0_1 };

#define MRF_NAN	0x7fc00000u

float mrf_f(uint32_t bits);
uint32_t mrf_bits(float f);
/* The bits; all NaNs are one. */
uint32_t mrf_quiet(float f);

/* Half to single, exact; double to half and to single, rounded once. */
uint32_t mrf_half(uint16_t h);
uint16_t mrf_to_half(double d, enum mrf_round round);
uint32_t mrf_to_single(double d, enum mrf_round round);

/* a * b + c in doubles, rounded to odd: exact enough to be rounded again. */
double mrf_fma_odd(double a, double b, double c);
double mrf_zero_down(double d, double p, double c);
uint32_t mrf_fma(uint32_t a, uint32_t b, uint32_t c, int scale, enum mrf_round round);

uint32_t mrf_clamp(uint32_t v, enum mrf_clamp clamp);
uint16_t mrf_clamp_half(uint16_t v, enum mrf_clamp clamp);

/* Compare: 0 eq, 1 gt, 2 ge, 3 ne, 4 lt, 5 le, 6 less or greater, 7 ordered. */
bool mrf_fcmp(double a, double b, unsigned int op);

uint32_t mrf_min(uint32_t a, uint32_t b, bool max, unsigned int sem);

double mrf_round_int(double d, enum mrf_round round);
uint32_t mrf_to_s32(uint32_t v, enum mrf_round round);
uint32_t mrf_to_u32(uint32_t v, enum mrf_round round);

#endif
