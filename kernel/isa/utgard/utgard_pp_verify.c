// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Verification of Utgard pixel programs. All code reachable from an entry must be defined.
 */
#include "../../engine/simt/simt.h"
#include "utgard_pp_check.h"

static const char * const reason_texts[UPP_NUM_REASONS] = {
	[UPP_OK]		= "not rejected",
	[UPP_BAD_SIZE]		= "no code, too much, or another section",
	[UPP_BAD_STAGE]		= "the pixel processor runs fragment programs only",
	[UPP_BAD_ENTRY]		= "entry point is not in the program",
	[UPP_BAD_COUNT]		= "the instruction's length is not that of its fields",
	[UPP_TRUNCATED]		= "the program ends within an instruction",
	[UPP_BAD_PADDING]	= "bits after the last field are set",
	[UPP_BAD_RESERVED]	= "bits that nothing is known of have another value than ever seen",
	[UPP_BAD_VALUE]		= "value without a known meaning",
	[UPP_BAD_OP]		= "operation without a known meaning",
	[UPP_BAD_REG]		= "register that does not exist",
	[UPP_BAD_DEST]		= "register that cannot be written",
	[UPP_NOT_LOADED]	= "operand is not loaded by the instruction",
	[UPP_MISSING_FIELD]	= "needs another field of the instruction",
	[UPP_BAD_INDEX]		= "index of a varying or uniform that does not exist",
	[UPP_BAD_TARGET]	= "branch target is not in the program",
	[UPP_RUNS_OFF]		= "execution runs off the end of the program",
};

const char *upp_reason_text(u32 reason)
{
	return reason < UPP_NUM_REASONS ? reason_texts[reason] : "unknown reason";
}

static int upp_verify_reject(struct upp_check *check, enum upp_reason reason, u32 offset, u32 value,
			     u32 limit)
{
	check->field = UPP_NUM_FIELDS;
	check->part = NULL;
	check->reject = (struct vs_reject){
		.reason = reason, .offset = offset, .field_hi = 31, .value = value,
		.limit = limit,
	};
	return -ENOEXEC;
}

/* Return: 0, 1 if the branch never falls through, -ENOEXEC. */
static int follow_branch(struct upp_walk *w, const struct upp_insn *insn, u32 pos)
{
	const struct upp_branch *b = &insn->part[UPP_BRANCH].branch;
	s64 target;

	if (!upp_has(insn, UPP_BRANCH) || upp_is_discard(b))
		return 0;
	target = (s64)pos + upp_target(b);
	if (target < 0 || target >= w->nwords) {
		upp_verify_reject(w->check, UPP_BAD_TARGET, pos, (u32)target, w->nwords - 1);
		w->check->field = UPP_BRANCH;
		w->check->part = "target";
		w->check->reject.field_lo = 41;
		w->check->reject.field_hi = 67;
		return -ENOEXEC;
	}
	if (target <= pos)
		w->rep->features |= VS_FEAT_LOOP;
	vs_todo_add(&w->places, (u32)target);
	return b->greater && b->equal && b->less;
}

static int upp_verify_visit(struct upp_walk *w, u32 pos)
{
	struct upp_insn insn;
	enum upp_reason reason = upp_decode(w->words + pos, w->nwords - pos, &insn);
	u32 next = pos + insn.ctrl.count;
	int ret;

	if (reason)
		return upp_verify_reject(w->check, reason, pos, insn.ctrl.count,
					 reason == UPP_TRUNCATED ? w->nwords - pos :
								   upp_size(insn.ctrl.fields));
	ret = upp_check_insn(&insn, w->check, w->rep);
	if (ret) {
		w->check->reject.offset = pos;
		return ret;
	}
	w->check->insns++;
	w->rep->reachable_words += insn.ctrl.count;
	ret = follow_branch(w, &insn, pos);
	if (ret < 0)
		return ret;
	if (ret || insn.ctrl.stop)
		return 0;
	if (next >= w->nwords)
		return upp_verify_reject(w->check, UPP_RUNS_OFF, pos, next, w->nwords);
	vs_todo_add(&w->places, next);
	return 0;
}

int upp_walk_step(struct upp_walk *w, u32 *left)
{
	u32 pos;
	int ret;

	while ((ret = vs_todo_take(&w->places, UPP_VISIT, left, &pos)) > 0) {
		ret = upp_verify_visit(w, pos);
		if (ret)
			return ret;
	}
	return ret;
}

static int upp_verify_check_sizes(const struct vs_src *src, struct upp_check *check)
{
	u32 n = src->nwords[VS_SECTION_CODE], i;

	if (src->stage != VS_STAGE_FRAGMENT)
		return upp_verify_reject(check, UPP_BAD_STAGE, 0, src->stage, VS_STAGE_FRAGMENT);
	if (!n || n > UPP_MAX_WORDS || src->nwords[VS_SECTION_OPDESC])
		return upp_verify_reject(check, UPP_BAD_SIZE, 0, n, UPP_MAX_WORDS);
	if (!src->nentries)
		return upp_verify_reject(check, UPP_BAD_ENTRY, 0, 0, n - 1);
	for (i = 0; i < src->nentries; i++)
		if (src->entries[i] >= n)
			return upp_verify_reject(check, UPP_BAD_ENTRY, src->entries[i],
						 src->entries[i], n - 1);
	return 0;
}

int upp_walk_begin(struct upp_walk *w, const struct vs_src *src, struct upp_check *check,
		   struct vs_report *rep, u64 *places)
{
	u32 i;
	int ret;

	memset(rep, 0, sizeof(*rep));
	memset(check, 0, sizeof(*check));
	ret = upp_verify_check_sizes(src, check);
	if (ret)
		return ret;
	*w = (struct upp_walk){
		.words = src->words[VS_SECTION_CODE], .nwords = src->nwords[VS_SECTION_CODE],
		.check = check, .rep = rep,
	};
	vs_todo_init(&w->places, places, w->nwords);
	rep->code_words = w->nwords;
	check->first_count = w->words[src->entries[0]] & 31;
	for (i = 0; i < src->nentries; i++)
		vs_todo_add(&w->places, src->entries[i]);
	return 0;
}

int upp_verify(const struct vs_src *src, struct vs_report *rep, struct upp_check *check)
{
	u32 n = min_t(u32, src->nwords[VS_SECTION_CODE], UPP_MAX_WORDS), left;
	u64 *places = vs_zalloc_array(vs_todo_words(n), sizeof(*places));
	struct upp_walk w;
	int ret;

	if (!places)
		return -ENOMEM;
	ret = upp_walk_begin(&w, src, check, rep, places);
	if (!ret)
		ret = -EAGAIN;
	while (ret == -EAGAIN) {
		left = SIMT_PIECE;
		ret = upp_walk_step(&w, &left);
		vs_cond_resched();
	}
	vs_free(places);
	return ret;
}
