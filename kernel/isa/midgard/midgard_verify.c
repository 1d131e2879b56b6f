// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Verification of Midgard programs.
 *
 * All code reachable from an entry must be defined, and the tags of bundles must equal the tags
 * that the preceding bundle and branches announce. A branch to the tag "break" leaves the
 * program.
 */
#include "midgard_verify.h"

static const char * const reason_texts[MG_NUM_REASONS] = {
	[MG_OK]			= "not rejected",
	[MG_BAD_TAG]		= "undefined tag, or one that the bundle must not have",
	[MG_TRUNCATED]		= "the program ends within a bundle",
	[MG_BAD_CONTROL]	= "undefined control word of arithmetic",
	[MG_BAD_PADDING]	= "bits after the operations of a bundle are set",
	[MG_BAD_ALU_SIZE]	= "the operations do not have the size that the tag says",
	[MG_BAD_ALU_OP]		= "undefined arithmetic operation",
	[MG_BAD_UNIT]		= "the unit is not known to have the operation",
	[MG_BAD_MODE]		= "the operation does not have lanes of this width",
	[MG_BAD_SHRINK]		= "undefined shrink mode",
	[MG_BAD_OUTMOD]		= "undefined output modifier",
	[MG_BAD_MASK]		= "undefined write mask",
	[MG_BAD_EXPAND]		= "undefined expansion of a source",
	[MG_BAD_COMPONENT]	= "undefined component",
	[MG_BAD_RESERVED]	= "reserved bits are set",
	[MG_BAD_SRC_REG]	= "register that cannot be read here",
	[MG_BAD_DEST_REG]	= "register that cannot be written",
	[MG_NO_CONSTS]		= "the bundle has no constants",
	[MG_BAD_BRANCH_OP]	= "undefined branch operation",
	[MG_BAD_CALL]		= "undefined mode of a branch",
	[MG_BAD_COND]		= "undefined condition, or none was written in the bundle",
	[MG_BAD_LDST_OP]	= "undefined load/store operation",
	[MG_BAD_LDST_REG]	= "register that a load/store operation cannot have",
	[MG_BAD_LDST_FIELD]	= "undefined value of a field of a load/store operation",
	[MG_BAD_TEX_OP]		= "undefined texture operation",
	[MG_BAD_TEX_MODE]	= "undefined texture mode",
	[MG_BAD_TEX_FIELD]	= "undefined value of a field of a texture operation",
	[MG_BAD_TEX_TAG]	= "the tag does not go with the texture operation",
	[MG_BAD_GPU]		= "this GPU does not have the encoding",
	[MG_BAD_NEXT]		= "next tag differs from the tag of the next bundle",
	[MG_BAD_TARGET]		= "branch target is not in the program",
	[MG_BAD_TARGET_TAG]	= "the branch announces another tag than the target has",
	[MG_BAD_ENTRY]		= "entry point is not in the program",
	[MG_BAD_SIZE]		= "no code, too much, not whole quads, or another section",
	[MG_BAD_STAGE]		= "not a stage of this GPU",
	[MG_RUNS_OFF]		= "execution runs off the end of the program",
};

const char *mg_reason_text(u32 reason)
{
	return reason < MG_NUM_REASONS ? reason_texts[reason] : "unknown reason";
}

/**
 * struct walk - traversal of the reachable bundles
 * @words: program
 * @nquads: its size
 * @todo: stack of bundles to visit; each is queued once at most
 * @ntodo: number of bundles in @todo
 * @seen: queued bundles, a bit set
 * @check: parameters and results
 * @rep: report
 */
struct walk {
	const u32 *words;
	u32 nquads;
	u32 *todo;
	u32 ntodo;
	u64 *seen;
	struct mg_check *check;
	struct vs_report *rep;
};

/* @w: bits from the start of the bundle, or NULL for the whole quad. */
static int mg_verify_reject(struct mg_check *check, enum mg_reason reason, u32 quad,
			    const struct mg_where *w)
{
	check->reject = (struct vs_reject){ .reason = reason, .offset = quad, .field_hi = 127 };
	if (!w)
		return -ENOEXEC;
	check->reject.offset += w->lo / 128;
	check->reject.field_lo = w->lo % 128;
	check->reject.field_hi = (u8)min_t(u32, w->hi - w->lo / 128 * 128, 127);
	check->reject.value = w->value;
	check->reject.limit = w->limit;
	return -ENOEXEC;
}

static int reject_value(struct mg_check *check, enum mg_reason reason, u32 quad, u32 value,
			u32 limit)
{
	const struct mg_where all = { 0, 127, value, limit };

	return mg_verify_reject(check, reason, quad, &all);
}

static void mg_verify_note(struct walk *w, u32 quad)
{
	if (w->seen[quad / 64] >> (quad % 64) & 1)
		return;
	w->seen[quad / 64] |= 1ULL << (quad % 64);
	w->todo[w->ntodo++] = quad;
}

static int mg_verify_follow_branch(struct walk *w, u32 pos, const struct mg_bundle *b, u32 i)
{
	const struct mg_branch *br = &b->branch[i];
	s64 target = mg_branch_target(pos, b, br);
	u32 at = mg_branch_place(b, i), tag;
	struct mg_where where = { (u16)(at + 3), (u16)(at + 6), br->dest_tag, 0 };

	w->rep->features |= VS_FEAT_FLOW;
	w->check->calls |= br->call >= MG_CALL_CALL;
	/* A discard ends threads; a wait for the tile buffer resumes at the bundle. */
	if (br->call == MG_CALL_RETURN || br->dest_tag == MG_TAG_BREAK ||
	    br->op == MG_BR_DISCARD || br->op == MG_BR_TILEBUFFER)
		return 0;
	if (target < 0 || target >= w->nquads) {
		where = (struct mg_where){ (u16)at, (u16)(at + (br->extended ? 47 : 15)),
					   (u32)target, w->nquads };
		return mg_verify_reject(w->check, MG_BAD_TARGET, pos, &where);
	}
	tag = w->words[4 * target] & 15;
	where.limit = tag;
	if (tag != br->dest_tag)
		return mg_verify_reject(w->check, MG_BAD_TARGET_TAG, pos, &where);
	if (target <= pos)
		w->rep->features |= VS_FEAT_LOOP;
	mg_verify_note(w, (u32)target);
	return 0;
}

/* Is the target the only successor of a branch? */
static bool always_taken(const struct mg_branch *br)
{
	if (br->call == MG_CALL_CALL || br->cond != 0xffff)
		return false;
	return br->op == MG_BR_JUMP || br->op == MG_BR_COND;
}

static int mg_verify_follow(struct walk *w, u32 pos, const struct mg_bundle *b)
{
	u32 after = pos + b->quads, tag, i;
	struct mg_where where = { 4, 7, b->next, 0 };
	int ret;

	for (i = 0; i < b->nbranch; i++) {
		ret = mg_verify_follow_branch(w, pos, b, i);
		if (ret)
			return ret;
		if (always_taken(&b->branch[i]))
			return 0;
	}
	if (mg_bundle_ends(w->words, w->nquads, pos, b))
		return 0;
	if (after >= w->nquads)
		return reject_value(w->check, MG_RUNS_OFF, pos, after, w->nquads);
	tag = w->words[4 * after] & 15;
	where.limit = tag;
	if (b->next != MG_TAG_BREAK && b->next != tag)
		return mg_verify_reject(w->check, MG_BAD_NEXT, pos, &where);
	mg_verify_note(w, after);
	return 0;
}

static void note_registers(struct walk *w, const struct mg_bundle *b)
{
	u32 i, reg;

	for (i = 0; i < b->nalu; i++)
		if (b->alu[i].dest < 16)
			w->rep->temps = max_t(u32, w->rep->temps, b->alu[i].dest + 1);
	for (i = 0; i < 2 && b->kind == MG_KIND_LDST; i++) {
		const struct mg_ldst_def *def = mg_ldst_op(b->ldst[i].op);

		reg = b->ldst[i].reg;
		if (def->class != MG_LS_NOP && def->class != MG_LS_TRAP &&
		    !mg_class_stores(def->class) && reg < 16)
			w->rep->temps = max_t(u32, w->rep->temps, reg + 1);
	}
}

static int mg_verify_visit(struct walk *w, u32 pos)
{
	struct mg_where where = { };
	enum mg_reason reason;
	struct mg_bundle b;

	reason = mg_bundle_decode(w->words + 4 * pos, w->nquads - pos, &b, &where);
	if (!reason)
		reason = mg_bundle_check(&b, w->check->gpu, &where);
	if (reason)
		return mg_verify_reject(w->check, reason, pos, &where);
	w->check->bundles++;
	w->rep->reachable_words += 4 * b.quads;
	note_registers(w, &b);
	return mg_verify_follow(w, pos, &b);
}

static int check_source(const struct vs_src *src, struct mg_check *check)
{
	u32 n = src->nwords[VS_SECTION_CODE], i;

	if (src->stage == VS_STAGE_GEOMETRY || (u32)src->stage > VS_STAGE_COMPUTE)
		return reject_value(check, MG_BAD_STAGE, 0, src->stage, VS_STAGE_COMPUTE);
	if (!n || n % 4 || n > 4 * MG_MAX_QUADS || src->nwords[VS_SECTION_OPDESC])
		return reject_value(check, MG_BAD_SIZE, 0, n, 4 * MG_MAX_QUADS);
	if (!src->nentries)
		return reject_value(check, MG_BAD_ENTRY, 0, 0, n / 4);
	for (i = 0; i < src->nentries; i++)
		if (src->entries[i] >= n / 4)
			return reject_value(check, MG_BAD_ENTRY, 0, src->entries[i], n / 4);
	return 0;
}

int mg_verify(const struct vs_src *src, struct vs_report *rep, struct mg_check *check)
{
	struct walk w = { .words = src->words[VS_SECTION_CODE], .check = check, .rep = rep };
	int ret = check_source(src, check);
	u32 i;

	memset(rep, 0, sizeof(*rep));
	check->bundles = 0;
	check->calls = false;
	if (ret)
		return ret;
	rep->code_words = src->nwords[VS_SECTION_CODE];
	w.nquads = rep->code_words / 4;
	w.todo = vs_zalloc_array(w.nquads, sizeof(*w.todo));
	w.seen = vs_zalloc_array(w.nquads / 64 + 1, sizeof(*w.seen));
	if (!w.todo || !w.seen) {
		ret = -ENOMEM;
		goto out;
	}
	for (i = 0; i < src->nentries; i++)
		mg_verify_note(&w, src->entries[i]);
	while (!ret && w.ntodo)
		ret = mg_verify_visit(&w, w.todo[--w.ntodo]);
out:
	vs_free(w.seen);
	vs_free(w.todo);
	return ret;
}
