/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Shared internals of the program container.
 */
#ifndef VS_PROGINT_H
#define VS_PROGINT_H

#include "vs_opinfo.h"
#include "vs_prog.h"

#define VS_MAX_CONST	512
#define VS_MAX_GUEST	4096

/* Flow fields that an operation uses. */
#define VS_USE_TARGET	1
#define VS_USE_RESUME	2
#define VS_USE_OTHER	4

static inline u32 vs_flow_use(const struct vs_uop *u)
{
	switch (u->op) {
	case VS_OP_BR:
		return VS_USE_TARGET | (u->f.cond == VS_COND_ALWAYS ? 0 : VS_USE_RESUME);
	case VS_OP_CALL:
		return VS_USE_TARGET | VS_USE_RESUME;
	case VS_OP_IF:
		return VS_USE_TARGET | VS_USE_RESUME | VS_USE_OTHER;
	case VS_OP_LOOP:
		return VS_USE_RESUME | VS_USE_OTHER;
	case VS_OP_BREAK:
		return u->f.cond == VS_COND_ALWAYS ? 0 : VS_USE_RESUME;
	case VS_OP_RINGS:
		return VS_USE_RESUME;
	default:
		return 0;
	}
}

static inline bool vs_bit(const u64 *map, u32 n)
{
	return map[n / 64] >> (n % 64) & 1;
}

static inline void vs_bit_set(u64 *map, u32 n)
{
	map[n / 64] |= 1ULL << (n % 64);
}

static inline void vs_bit_clear(u64 *map, u32 n)
{
	map[n / 64] &= ~(1ULL << (n % 64));
}

int vs_prog_analyse(struct vs_prog *p, const u32 *entries, u32 nentries);

#endif /* VS_PROGINT_H */
