// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Traversal of the reachable bundles of a Midgard program. Allocates from an arena only:
 * lowering runs where other allocation is forbidden.
 *
 * Execution ends at the first bundle that announces no next tag: compilers put code after it
 * only as the loop target of failed framebuffer writes, which do not happen here.
 */
#include "midgard_lower_priv.h"

int ml_walk_new(struct ml_walk *w, struct simt_arena *arena, const u32 *words, u32 nquads,
		u32 entry)
{
	w->words = words;
	w->nquads = nquads;
	w->todo = simt_arena_take(arena, nquads, sizeof(*w->todo));
	w->seen = simt_arena_alloc(arena, nquads / 64 + 1, sizeof(*w->seen));
	if (!w->todo || !w->seen)
		return -ENOMEM;
	w->seen[entry / 64] |= 1ULL << (entry % 64);
	w->todo[w->ntodo++] = entry;
	return 0;
}

/* @where: bits from the start of the bundle. */
static int ml_walk_reject(struct ml_walk *w, enum mg_reason reason, u32 pos,
			  const struct mg_where *where)
{
	w->rej = (struct vs_reject){
		.reason = reason, .offset = pos + where->lo / 128, .field_lo = where->lo % 128,
		.field_hi = (u8)min_t(u32, where->hi - where->lo / 128 * 128, 127),
		.value = where->value, .limit = where->limit,
	};
	return -ENOEXEC;
}

void ml_walk_note(struct ml_walk *w, u32 quad)
{
	if (w->seen[quad / 64] >> (quad % 64) & 1)
		return;
	w->seen[quad / 64] |= 1ULL << (quad % 64);
	w->todo[w->ntodo++] = quad;
}

/* End of the part that a quad belongs to. */
static u32 part_end(const struct ml_walk *w, u32 quad, u32 *first)
{
	*first = 0;
	return w->code ? ml_part_end(w->code, quad, first) : w->nquads;
}

/* Queue a successor. @tag: announced tag. @lo: bit position of the announcement. */
static int lead_to(struct ml_walk *w, u32 pos, s64 target, u32 tag, u32 lo, enum mg_reason bad)
{
	struct mg_where where = { (u16)lo, (u16)(lo + 3), tag, 0 };
	u32 first, end = part_end(w, pos, &first);

	if (target < first || target >= MG_MAX_QUADS) {
		where.value = (u32)target;
		where.limit = w->nquads;
		return ml_walk_reject(w, MG_BAD_TARGET, pos, &where);
	}
	w->need = max_t(u32, w->need, (u32)target + 1);
	if (target >= end) {
		where.value = (u32)target;
		where.limit = w->nquads;
		return ml_walk_reject(w, bad == MG_BAD_NEXT ? MG_RUNS_OFF : MG_BAD_TARGET, pos,
				      &where);
	}
	where.limit = w->words[4 * target] & 15;
	if (where.limit != tag)
		return ml_walk_reject(w, bad, pos, &where);
	ml_walk_note(w, (u32)target);
	return 0;
}

static bool ml_walk_leaves(const struct mg_branch *br)
{
	if (br->call == MG_CALL_CALL)
		return false;
	return br->op == MG_BR_JUMP || (br->op == MG_BR_COND && br->cond == 0xffff);
}

static int ml_walk_follow(struct ml_walk *w, u32 pos)
{
	const struct mg_bundle *b = &w->b;
	u32 i;
	int ret;

	for (i = 0; i < b->nbranch; i++) {
		const struct mg_branch *br = &b->branch[i];

		/* discards and writes fall through */
		if (br->op != MG_BR_JUMP && br->op != MG_BR_COND)
			continue;
		if (br->dest_tag != MG_TAG_BREAK && br->call != MG_CALL_RETURN) {
			ret = lead_to(w, pos, (s64)pos + b->quads + br->offset, br->dest_tag,
				      mg_branch_place(b, i) + 3, MG_BAD_TARGET_TAG);
			if (ret)
				return ret;
		}
		if (ml_walk_leaves(br))
			return 0;
	}
	if (b->next == MG_TAG_BREAK)
		return 0;
	return lead_to(w, pos, pos + b->quads, b->next, 4, MG_BAD_NEXT);
}

static int ml_walk_visit(struct ml_walk *w, u32 pos)
{
	struct mg_where where = { };
	u32 first, end = part_end(w, pos, &first);
	enum mg_reason reason;

	reason = mg_bundle_decode(w->words + 4 * pos, end - pos, &w->b, &where);
	if (w->b.quads)
		w->need = max_t(u32, w->need, pos + w->b.quads);
	if (!reason)
		reason = mg_bundle_check(&w->b, w->gpu, &where);
	if (reason)
		return ml_walk_reject(w, reason, pos, &where);
	w->bundles++;
	return ml_walk_follow(w, pos);
}

int ml_walk_step(struct ml_walk *w, u32 *left)
{
	int ret = 0;

	while (!ret && w->ntodo) {
		if (!*left)
			return -EAGAIN;
		*left -= min(*left, ML_VISIT);
		ret = ml_walk_visit(w, w->todo[--w->ntodo]);
	}
	return ret;
}
