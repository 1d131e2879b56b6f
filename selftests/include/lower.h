/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lowering in one call. The driver lowers in pieces only, in contexts with bounded latency.
 */
#ifndef SELFTESTS_LOWER_H
#define SELFTESTS_LOWER_H

#include "isa/bifrost/bifrost_lower.h"
#include "isa/midgard/midgard_lower.h"
#include "isa/utgard/utgard_gp_lower.h"
#include "isa/utgard/utgard_pp_lower.h"

/* All steps after a front end's first one, which returned @ret. */
static inline int lower_run(int ret, struct simt_front *f, struct simt_prog **out,
			    struct vs_reject *rej)
{
	u32 left = SIMT_PIECE;

	if (ret)
		return ret;
	while ((ret = simt_front_step(f, &left, out, rej)) == -EAGAIN)
		left = SIMT_PIECE;
	return ret;
}

static inline int midgard_lower(struct simt_arena *arena, const struct mg_code *code,
				struct simt_prog **out, struct vs_reject *rej)
{
	struct simt_front *f;
	int ret = midgard_lower_new(arena, code, &f, rej);

	return lower_run(ret, f, out, rej);
}

/* @out NULL: check only. */
static inline int bifrost_lower(struct simt_arena *arena, const u32 *words, u32 nquads, u64 va,
				u32 entry, enum bi_gpu gpu, enum vs_stage stage, u32 flags,
				struct simt_prog **out, struct vs_reject *rej)
{
	const struct bi_part all = { .nquads = nquads, .va = va };
	const struct bi_code code = {
		.words = words, .nquads = nquads, .parts = &all, .nparts = 1, .entry = entry,
	};
	struct simt_front *f;
	int ret = bifrost_lower_new(arena, &code, gpu, stage, flags | (out ? 0 : BI_LOWER_CHECK),
				    &f, rej);

	return lower_run(ret, f, out, rej);
}

static inline int bifrost_extent(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
				 u32 *need)
{
	u64 used = arena->used;
	u32 left = SIMT_PIECE;
	struct bl *l;
	int ret = bifrost_extent_new(arena, words, nquads, entry, need, &l);

	while (!ret && bifrost_extent_step(l, &left))
		left = SIMT_PIECE;
	simt_arena_reset(arena, used);
	return ret;
}

static inline int ugp_lower(struct simt_arena *arena, const u32 *words, u32 ninsns, u32 flags,
			    struct ugp_program *out, struct vs_reject *rej)
{
	struct simt_front *f;
	int ret = ugp_lower_new(arena, words, ninsns, flags, out, &f, rej);

	return lower_run(ret, f, &out->prog, rej);
}

static inline int upp_lower(struct simt_arena *arena, const u32 *words, u32 nwords, u32 entry,
			    u32 temps, u32 flags, struct upp_program *out, struct vs_reject *rej)
{
	struct simt_front *f;
	int ret = upp_lower_new(arena, words, nwords, entry, temps, flags, out, &f, rej);

	return lower_run(ret, f, &out->prog, rej);
}

#endif /* SELFTESTS_LOWER_H */
