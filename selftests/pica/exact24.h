/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 1.7.16 arithmetic on packed values in integers only: the check of the reference model's
 * floating point. Finite operands.
 */
#ifndef SELFTESTS_PICA_EXACT24_H
#define SELFTESTS_PICA_EXACT24_H

#include <stdbool.h>
#include <stdint.h>

uint32_t exact24_add(uint32_t a, uint32_t b, bool nearest);
uint32_t exact24_mul(uint32_t a, uint32_t b, bool nearest);
/* @b is not used. */
uint32_t exact24_rcp(uint32_t a, uint32_t b, bool nearest);
/* @a is not negative; @b is not used. */
uint32_t exact24_rsq(uint32_t a, uint32_t b, bool nearest);

#endif
