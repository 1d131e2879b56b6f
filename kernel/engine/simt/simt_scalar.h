/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Interface between the parts of simt_scalar(). */
#ifndef SIMT_SCALAR_H
#define SIMT_SCALAR_H

#include "simt_exec.h"

/* Class I operations without vector code, for one lane. */
u32 simt_scalar_int(const struct simt_uop *u, const u32 *s);

#endif /* SIMT_SCALAR_H */
