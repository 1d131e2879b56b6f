// SPDX-License-Identifier: MIT
/*
 * Warnings about Utgard pixel programs: lengths of other instructions that are wrong, and
 * comparisons of fragments that do not wait for each other.
 */
#include "isa/utgard/utgard_pp_check.h"
#include "lint.h"

struct linter {
	const u32 *words;
	struct vs_log *log;
	int found;
};

/* Is the length given for another instruction wrong? Hardware prefetches by it. */
static void check_hint(struct linter *l, u32 from, u32 pos, u32 count)
{
	u32 is = l->words[pos] & 31;

	if (is == count)
		return;
	l->found++;
	vs_log_printf(l->log, "@%6u: warning: the instruction at %u has %u words, not %u\n", from,
		      pos, is, count);
}

/* Groups of fragments that do not wait for each other have nothing to compare. */
static void check_sync(struct linter *l, const struct upp_insn *insn, u32 pos)
{
	const struct upp_vec *v = &insn->part[UPP_VEC_ADD].vec;
	const struct upp_scalar *s = &insn->part[UPP_SCALAR_ADD].scalar;
	bool needs = upp_has(insn, UPP_SAMPLER);

	if (upp_has(insn, UPP_VEC_ADD))
		needs = needs || v->op == UPP_OP_ADD_DFDX || v->op == UPP_OP_ADD_DFDY;
	if (upp_has(insn, UPP_SCALAR_ADD))
		needs = needs || s->op == UPP_OP_ADD_DFDX || s->op == UPP_OP_ADD_DFDY;
	if (!needs || insn->ctrl.sync)
		return;
	l->found++;
	vs_log_printf(l->log, "@%6u: warning: textures and derivatives without sync\n", pos);
}

static void look_at(struct linter *l, u32 pos, u32 nwords)
{
	const struct upp_branch *b;
	struct upp_insn insn;

	if (upp_decode(l->words + pos, nwords - pos, &insn))
		return;
	check_sync(l, &insn, pos);
	b = &insn.part[UPP_BRANCH].branch;
	if (upp_has(&insn, UPP_BRANCH) && !upp_is_discard(b))
		check_hint(l, pos, pos + upp_target(b), b->next_count);
	else
		b = NULL;
	if (insn.ctrl.prefetch && !insn.ctrl.stop && !(b && b->greater && b->equal && b->less))
		check_hint(l, pos, pos + insn.ctrl.count, insn.ctrl.next_count);
}

int upp_lint(const struct vs_src *src, struct vs_log *log)
{
	u32 n = src->nwords[VS_SECTION_CODE], left, i;
	u64 *places = vs_zalloc_array(vs_todo_words(n), sizeof(*places));
	struct linter l = { .words = src->words[VS_SECTION_CODE], .log = log };
	struct upp_check check;
	struct vs_report rep;
	struct upp_walk w;
	int ret;

	if (!places)
		return -ENOMEM;
	ret = upp_walk_begin(&w, src, &check, &rep, places);
	if (!ret)
		ret = -EAGAIN;
	while (ret == -EAGAIN) {
		left = ~0U;
		ret = upp_walk_step(&w, &left);
	}
	for (i = 0; i < n && !ret; i++)
		if (vs_todo_seen(&w.places, i))
			look_at(&l, i, n);
	vs_free(places);
	return ret ? ret : l.found;
}
