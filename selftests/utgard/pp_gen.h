/* SPDX-License-Identifier: GPL-2.0 */
/* Random Utgard pixel programs. */
#ifndef SELFTESTS_UTGARD_PP_GEN_H
#define SELFTESTS_UTGARD_PP_GEN_H

#include "isa/utgard/utgard_pp_check.h"
#include "../include/lower.h"

/* Features that a program may use: derivatives or branches, never both. */
#define PGEN_BRANCHES	0x1
#define PGEN_GROUP	0x2	/* derivatives */
#define PGEN_LOADS	0x4	/* textures, offsets, temporaries */

#define PGEN_MAX_INSNS	40

/* Random program of up to @n instructions without exp2, log2, sin, cos. Return: words. */
u32 pgen_program(u64 *seed, u32 flags, u32 n, u32 *words);

/* Number of generated operations, by class and code; and of forms. */
extern u32 pgen_ops[UPP_NUM_CLASSES][32];
extern u32 pgen_forms[UPP_NUM_FORMS];

#endif
