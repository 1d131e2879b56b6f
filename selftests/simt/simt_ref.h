/* SPDX-License-Identifier: GPL-2.0 */
/* Reference results of the SIMT machine's operations, by host arithmetic, one lane at a time. */
#ifndef SELFTESTS_SIMT_REF_H
#define SELFTESTS_SIMT_REF_H

#include "engine/simt/simt.h"

/**
 * struct ref - result
 * @lo: the result
 * @hi: functions that are rounded from a value with a small error: the other possibility
 * @second: second result
 */
struct ref {
	u32 lo;
	u32 hi;
	u32 second;
};

/* False: no operation of a lane that the reference knows. */
bool ref_lane(const struct simt_uop *u, const u32 *src, unsigned int lane, struct ref *r);

/* Operations on all lanes; s0, s1 as words of 64 lanes, results of the lanes @mask. */
void ref_clper(u32 imm, const u32 *s0, const u32 *s1, u64 mask, u32 *d);
void ref_wmask(u32 imm, const u32 *s0, u64 mask, u32 *d);

#endif
