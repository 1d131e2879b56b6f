// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Verification of Utgard vertex programs. There is no end mark: a program ends after its last
 * instruction. All instructions must be defined, reachable or not.
 */
#include "utgard_gp.h"

static const char * const reason_texts[UGP_NUM_REASONS] = {
	[UGP_OK]		= "not rejected",
	[UGP_BAD_SIZE]		= "no code, more than 512 instructions, or not whole ones",
	[UGP_BAD_STAGE]		= "the vertex processor runs vertex programs only",
	[UGP_BAD_ENTRY]		= "programs start at their first instruction",
	[UGP_BAD_OP]		= "operation without a known meaning",
	[UGP_BAD_SRC]		= "operand without a known meaning",
	[UGP_MISSING_SRC]	= "operand of a unit in use is missing",
	[UGP_BAD_STORE]		= "the unit has no result that could be stored",
	[UGP_BAD_DEST]		= "store to a varying and to a temporary at once",
	[UGP_BAD_OFFSET]	= "address register of a load that does not exist",
	[UGP_BAD_ROW]		= "row of uniforms and temporaries that does not exist",
	[UGP_BAD_MODE]		= "unknown_1 is not that of branches, of stores to temporaries",
	[UGP_BAD_CONDITION]	= "branch without a result of the pass-through unit",
	[UGP_BAD_TARGET]	= "branch target is no instruction of the program",
};

const char *ugp_reason_text(u32 reason)
{
	return reason < UGP_NUM_REASONS ? reason_texts[reason] : "unknown reason";
}

const char *ugp_reject_field(const struct vs_reject *rej)
{
	u32 i;

	if (rej->reason <= UGP_BAD_ENTRY)
		return NULL;
	for (i = 0; i < UGP_NUM_FIELDS; i++)
		if (ugp_field((enum ugp_field)i)->pos == rej->field_lo)
			return ugp_field((enum ugp_field)i)->name;
	return NULL;
}

static int ugp_verify_reject(struct vs_reject *rej, enum ugp_reason reason, u32 value, u32 limit)
{
	*rej = (struct vs_reject){
		.reason = reason, .field_hi = 127, .value = value, .limit = limit,
	};
	return -ENOEXEC;
}

static int reject_field(struct vs_reject *rej, enum ugp_reason reason, u32 offset,
			const struct ugp_insn *insn, enum ugp_field field, u32 limit)
{
	const struct ugp_field_info *f = ugp_field(field);

	*rej = (struct vs_reject){
		.reason = reason, .offset = offset, .field_lo = f->pos,
		.field_hi = (u8)(f->pos + f->width - 1), .value = ugp_get(insn, field),
		.limit = limit,
	};
	return -ENOEXEC;
}

static u32 field_limit(enum ugp_reason reason)
{
	switch (reason) {
	case UGP_BAD_ROW:
		return UGP_MAX_ROWS - 1;
	case UGP_BAD_MODE:
		return UGP_MODE_BRANCH;
	default:
		return 0;
	}
}

/* Record the program's requirements. */
static void report(struct vs_report *rep, const struct ugp_view *v, u32 offset)
{
	u32 i;

	if (v->reads0 && v->port0_attribute)
		rep->inputs |= 1U << v->port0;
	if (v->reads0 && !v->port0_attribute)
		rep->temps |= 1U << v->port0;
	if (v->reads1)
		rep->temps |= 1U << v->port1;
	for (i = 0; i < ARRAY_SIZE(v->store); i++) {
		if (v->store[i].dest == UGP_DEST_VARYING)
			rep->outputs |= 1U << v->store[i].addr;
		else if (v->store[i].dest == UGP_DEST_REG)
			rep->temps |= 1U << v->store[i].addr;
		else if (v->store[i].dest == UGP_DEST_TEMP)
			rep->features |= VS_FEAT_RELATIVE;
	}
	if (v->reads && v->load_addr)
		rep->features |= VS_FEAT_RELATIVE;
	else if (v->reads)
		rep->uniform_rows = max_t(u32, rep->uniform_rows, v->load_row + 1);
	if (v->branch) {
		rep->features |= VS_FEAT_FLOW;
		if (v->target <= offset)
			rep->features |= VS_FEAT_LOOP;
	}
}

int ugp_verify_insn(const u32 *words, u32 offset, u32 n, struct vs_report *rep,
		    struct vs_reject *rej)
{
	enum ugp_reason reason;
	enum ugp_field field;
	struct ugp_insn insn;
	struct ugp_view view;
	int ret;

	ugp_decode(words, &insn);
	reason = ugp_view(&insn, &view, &field);
	if (reason)
		return reject_field(rej, reason, offset, &insn, field, field_limit(reason));
	if (view.branch && view.target >= n) {
		ret = reject_field(rej, UGP_BAD_TARGET, offset, &insn, UGP_F_branch_target,
				   n - 1);
		rej->value = view.target;
		return ret;
	}
	report(rep, &view, offset);
	return 0;
}

int ugp_verify_size(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej)
{
	u32 nwords = src->nwords[VS_SECTION_CODE], n = nwords / UGP_WORDS;

	memset(rep, 0, sizeof(*rep));
	memset(rej, 0, sizeof(*rej));
	if (src->stage != VS_STAGE_VERTEX)
		return ugp_verify_reject(rej, UGP_BAD_STAGE, src->stage, VS_STAGE_VERTEX);
	if (!n || nwords % UGP_WORDS || n > UGP_MAX_INSNS || src->nwords[VS_SECTION_OPDESC])
		return ugp_verify_reject(rej, UGP_BAD_SIZE, nwords, UGP_MAX_INSNS * UGP_WORDS);
	if (src->nentries != 1 || src->entries[0])
		return ugp_verify_reject(rej, UGP_BAD_ENTRY, src->nentries ? src->entries[0] : 0,
					 0);
	rep->code_words = nwords;
	rep->reachable_words = nwords;
	return 0;
}

int ugp_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej)
{
	u32 n = src->nwords[VS_SECTION_CODE] / UGP_WORDS, i;
	int ret;

	ret = ugp_verify_size(src, rep, rej);
	for (i = 0; i < n && !ret; i++)
		ret = ugp_verify_insn(src->words[VS_SECTION_CODE] + UGP_WORDS * i, i, n, rep,
				      rej);
	return ret;
}
