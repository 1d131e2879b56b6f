/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Iteration over the lanes of a block and access to operands, for EXT micro-ops. */
#ifndef SIMT_EXT_H
#define SIMT_EXT_H

#include "simt.h"

/* Remove the next lane from a mask. Return: false if the mask is empty. */
static inline bool simt_next_lane(u64 *left, u32 *lane)
{
	if (!*left)
		return false;
	*lane = __ffs64(*left);
	*left &= *left - 1;
	return true;
}

#define EACH_LANE(l, mask)	for (u64 left_ = (mask); simt_next_lane(&left_, &(l)); )

static inline u32 sx_src(const struct simt_block *b, const struct simt_uop *u, u32 i, u32 lane)
{
	u32 s = u->s[i];

	return s & SIMT_U ? b->unif[16 * (s & ~SIMT_U)] : b->slot[s * SIMT_LANES + lane];
}

static inline u64 sx_src64(const struct simt_block *b, const struct simt_uop *u, u32 i, u32 lane)
{
	return sx_src(b, u, i, lane) | (u64)sx_src(b, u, i + 1, lane) << 32;
}

static inline u32 *sx_slot(const struct simt_block *b, u32 n, u32 lane)
{
	return b->slot + n * SIMT_LANES + lane;
}

/* Lanes of @mask with the same value in slot @n as the first one. */
static inline u64 sx_same_slot(const struct simt_block *b, u32 n, u64 mask)
{
	u32 first = *sx_slot(b, n, __ffs64(mask)), l;
	u64 lanes = 0;

	EACH_LANE(l, mask)
		if (*sx_slot(b, n, l) == first)
			lanes |= BIT_ULL(l);
	return lanes;
}

/* Lanes of @mask with the same value in operand @i as the first one. */
static inline u64 sx_same(const struct simt_block *b, const struct simt_uop *u, u32 i, u64 mask)
{
	return u->s[i] & SIMT_U ? mask : sx_same_slot(b, u->s[i], mask);
}

/* Lanes whose writes have an effect: without helpers. */
static inline u64 sx_effect(const struct simt_block *b)
{
	return b->mask & ~b->helper;
}

#endif /* SIMT_EXT_H */
