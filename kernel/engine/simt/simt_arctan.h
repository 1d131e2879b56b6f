/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Arc tangents, which no machine has as a micro-op. */
#ifndef SIMT_ARCTAN_H
#define SIMT_ARCTAN_H

#include "../vs_glue.h"

#define SIMT_ARCTAN_TERMS	12

/*
 * Polynomial of atan(sqrt(t)) / sqrt(t) on [0, 1], lowest power first, binary32;
 * interpolated at Chebyshev nodes; error below 2 ulp.
 */
extern const u32 simt_arctan[SIMT_ARCTAN_TERMS];

#endif /* SIMT_ARCTAN_H */
