/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* ISA operations of Utgard. */
#ifndef UTGARD_ISA_H
#define UTGARD_ISA_H

#include "../isa.h"

extern const struct vs_isa utgard_gp_isa;
extern const struct vs_isa utgard_pp_isa;

#endif /* UTGARD_ISA_H */
