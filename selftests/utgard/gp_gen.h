/* SPDX-License-Identifier: GPL-2.0 */
/* Random Utgard vertex programs. */
#ifndef SELFTESTS_UTGARD_GP_GEN_H
#define SELFTESTS_UTGARD_GP_GEN_H

#include "gp_run.h"

/* Features that a program may use. */
#define GEN_BRANCHES	0x1
#define GEN_INDEXED	0x2	/* loads with address registers */
#define GEN_TEMPS	0x4	/* stores to rows */
#define GEN_ALL_REGS	0x8	/* of all numbers, not only some */

u32 gen_random(u64 *seed);
/* Below @n. */
u32 gen_below(u64 *seed, u32 n);
/* A number that operations may find hard, as bits. */
u32 gen_value(u64 *seed);
/* @n valid instructions without exp2 and log2, to @words. */
void gen_program(u64 *seed, u32 flags, u32 n, u32 *words);
/* Number of generated operations, by code. */
extern u32 gen_count[UGP_NUM_OPS];

#endif
