/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Between the parts of simt_scalar(). */
#ifndef SIMT_SCALAR_H
#define SIMT_SCALAR_H

#include "simt_exec.h"

/* Class I operations without a place in the vector executors, of one lane. */
u32 simt_scalar_int(const struct simt_uop *u, const u32 *s);

#endif /* SIMT_SCALAR_H */
