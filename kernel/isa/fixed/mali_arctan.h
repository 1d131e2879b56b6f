/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Arc tangents, which no processor has as a micro-op. */
#ifndef MALI_ARCTAN_H
#define MALI_ARCTAN_H

#include "../../engine/vs_glue.h"

#define MALI_ARCTAN_TERMS	12

/*
 * atan(sqrt(t)) / sqrt(t) from 0 to 1 as a polynomial, lowest power first, binary32;
 * interpolated at Chebyshev's points; below 2 ulp.
 */
extern const u32 mali_arctan[MALI_ARCTAN_TERMS];

#endif /* MALI_ARCTAN_H */
