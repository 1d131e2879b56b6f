// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Verification of PICA200 programs.
 *
 * Rejected, in reachable words: undefined operation codes, comparison
 * conditions 6 and 7, EMIT and SETEMIT outside the geometry unit, vertex slot 3,
 * descriptor indices past the table, jump, call and IF targets outside the
 * code, and calls and else parts that end outside it. Register fields cannot be
 * invalid: every register code exists.
 *
 * Accepted, because the ring stacks define the behaviour and the instruction
 * budget bounds it: blocks that end before they start, empty blocks, nesting
 * deeper than the rings, blocks sharing their last word, BREAK without a loop (a
 * fault at execution) and running off the end of the code (a fetch fault).
 * Ignored bits may have any value.
 */
#include "pica_walk.h"

static const char * const reason_texts[PICA_NUM_REASONS] = {
	[PICA_REASON_NONE]		= "not rejected",
	[PICA_REASON_NO_CODE]		= "no code",
	[PICA_REASON_CODE_SIZE]		= "more instruction words than code memory holds",
	[PICA_REASON_OPDESC_COUNT]	= "more operand descriptors than the table holds",
	[PICA_REASON_STAGE]		= "not a stage of this unit",
	[PICA_REASON_NO_ENTRY]		= "no entry point",
	[PICA_REASON_ENTRY]		= "entry point outside the code",
	[PICA_REASON_OPCODE]		= "undefined operation code",
	[PICA_REASON_CMP_COND]		= "undefined comparison condition",
	[PICA_REASON_GEOMETRY_ONLY]	= "operation of the geometry unit in a vertex program",
	[PICA_REASON_EMIT_SLOT]		= "undefined vertex slot",
	[PICA_REASON_OPDESC]		= "operand descriptor was not given",
	[PICA_REASON_TARGET]		= "target outside the code",
	[PICA_REASON_CALL_RANGE]	= "procedure ends outside the code",
	[PICA_REASON_ELSE_RANGE]	= "else part ends outside the code",
};

/**
 * pica_reason_text() - text of a reject reason
 * @reason: enum pica_reason
 *
 * Return: a phrase.
 */
const char *pica_reason_text(u32 reason)
{
	return reason < PICA_NUM_REASONS ? reason_texts[reason] : "unknown reason";
}

/**
 * pica_program_init() - initialise PICA's view of a submitted program
 * @prog: filled in
 * @src: the program; its arrays are referenced, not copied
 */
void pica_program_init(struct pica_program *prog, const struct vs_src *src)
{
	prog->code = src->words[VS_SECTION_CODE];
	prog->ncode = src->nwords[VS_SECTION_CODE];
	prog->opdesc = src->words[VS_SECTION_OPDESC];
	prog->nopdesc = src->nwords[VS_SECTION_OPDESC];
	prog->entries = src->entries;
	prog->nentries = src->nentries;
	prog->stage = src->stage;
}

static int pica_verify_reject(struct vs_reject *rej, u32 reason, u32 section, u32 offset, u32 value,
			      u32 limit)
{
	memset(rej, 0, sizeof(*rej));
	rej->reason = reason;
	rej->section = section;
	rej->offset = offset;
	rej->field_hi = 31;
	rej->value = value;
	rej->limit = limit;
	return -ENOEXEC;
}

static int pica_verify_reject_field(struct vs_reject *rej, u32 reason, u32 offset,
				    const struct pica_insn *insn, enum pica_field_id id, u32 limit)
{
	const struct pica_field *fd = pica_find_field((enum pica_layout)insn->info->layout, id);

	pica_verify_reject(rej, reason, VS_SECTION_CODE, offset, insn->f[id], limit);
	rej->field_lo = fd->lo;
	rej->field_hi = fd->lo + fd->width - 1;
	return -ENOEXEC;
}

static int pica_verify_check_sizes(const struct pica_program *prog, struct vs_reject *rej)
{
	u32 i;

	if (prog->stage != VS_STAGE_VERTEX && prog->stage != VS_STAGE_GEOMETRY)
		return pica_verify_reject(rej, PICA_REASON_STAGE, VS_SECTION_CODE, 0, prog->stage,
					  VS_STAGE_GEOMETRY);
	if (!prog->ncode)
		return pica_verify_reject(rej, PICA_REASON_NO_CODE, VS_SECTION_CODE, 0, 0, 1);
	if (prog->ncode > PICA_MAX_CODE)
		return pica_verify_reject(rej, PICA_REASON_CODE_SIZE, VS_SECTION_CODE,
					  PICA_MAX_CODE, prog->ncode, PICA_MAX_CODE);
	if (prog->nopdesc > PICA_MAX_OPDESC)
		return pica_verify_reject(rej, PICA_REASON_OPDESC_COUNT, VS_SECTION_OPDESC,
					  PICA_MAX_OPDESC, prog->nopdesc, PICA_MAX_OPDESC);
	if (!prog->nentries)
		return pica_verify_reject(rej, PICA_REASON_NO_ENTRY, VS_SECTION_CODE, 0, 0, 1);
	for (i = 0; i < prog->nentries; i++)
		if (prog->entries[i] >= prog->ncode)
			return pica_verify_reject(rej, PICA_REASON_ENTRY, VS_SECTION_CODE,
						  prog->entries[i], prog->entries[i], prog->ncode);
	return 0;
}

/* Targets must be words of the code; block ends may also be the end of the code. */
static int check_flow(const struct pica_program *prog, const struct pica_insn *insn, u32 pc,
		      struct vs_reject *rej)
{
	u32 flags = insn->info->flags;
	u32 target = insn->f[PICA_F_TARGET];

	if ((flags & (PICA_OPF_JUMP | PICA_OPF_CALL | PICA_OPF_IF | PICA_OPF_LOOP)) &&
	    target >= prog->ncode)
		return pica_verify_reject_field(rej, PICA_REASON_TARGET, pc, insn, PICA_F_TARGET,
						prog->ncode);
	if ((flags & PICA_OPF_CALL) && target + insn->f[PICA_F_NUM] > prog->ncode)
		return pica_verify_reject_field(rej, PICA_REASON_CALL_RANGE, pc, insn, PICA_F_NUM,
						prog->ncode - target);
	if ((flags & PICA_OPF_IF) && target + insn->f[PICA_F_NUM] > prog->ncode)
		return pica_verify_reject_field(rej, PICA_REASON_ELSE_RANGE, pc, insn, PICA_F_NUM,
						prog->ncode - target);
	return 0;
}

static int pica_verify_check_insn(const struct pica_program *prog, const struct pica_insn *insn,
				  u32 pc, struct vs_reject *rej)
{
	if (!insn->info) {
		pica_verify_reject(rej, PICA_REASON_OPCODE, VS_SECTION_CODE, pc, insn->raw >> 26,
				   0);
		rej->field_lo = 26;
		return -ENOEXEC;
	}
	if ((insn->info->flags & PICA_OPF_GEOM) && prog->stage != VS_STAGE_GEOMETRY)
		return pica_verify_reject_field(rej, PICA_REASON_GEOMETRY_ONLY, pc, insn, PICA_F_OP,
						0);
	if (insn->op == PICA_OP_SETEMIT && insn->f[PICA_F_VTX] > 2)
		return pica_verify_reject_field(rej, PICA_REASON_EMIT_SLOT, pc, insn, PICA_F_VTX,
						3);
	if (insn->op == PICA_OP_CMP && insn->f[PICA_F_CMPX] > VS_CMP_GE)
		return pica_verify_reject_field(rej, PICA_REASON_CMP_COND, pc, insn, PICA_F_CMPX,
						6);
	if (insn->op == PICA_OP_CMP && insn->f[PICA_F_CMPY] > VS_CMP_GE)
		return pica_verify_reject_field(rej, PICA_REASON_CMP_COND, pc, insn, PICA_F_CMPY,
						6);
	if (insn->nsrc && insn->f[PICA_F_DESC] >= prog->nopdesc)
		return pica_verify_reject_field(rej, PICA_REASON_OPDESC, pc, insn, PICA_F_DESC,
						prog->nopdesc);
	return check_flow(prog, insn, pc, rej);
}

static void note_source(const struct pica_insn *insn, unsigned int n, struct vs_report *rep)
{
	u32 reg = insn->src[n];

	if (reg < PICA_SRC_R0) {
		rep->inputs |= 1U << reg;
	} else if (reg < PICA_SRC_C0) {
		rep->temps |= 1U << (reg - PICA_SRC_R0);
	} else if (n == insn->wide && insn->f[PICA_F_IDX]) {
		rep->features |= VS_FEAT_RELATIVE;
		rep->uniform_rows = PICA_NUM_CONST;
	} else {
		rep->uniform_rows = max(rep->uniform_rows, reg - PICA_SRC_C0 + 1);
	}
}

static void note_dest(const struct pica_program *prog, const struct pica_insn *insn,
		      struct vs_report *rep)
{
	struct pica_opdesc desc;
	u32 reg = insn->f[PICA_F_DST];

	if (!(insn->info->flags & PICA_OPF_DEST))
		return;
	pica_opdesc_decode(prog->opdesc[insn->f[PICA_F_DESC]], &desc);
	if (!desc.mask)
		return;
	if (reg < PICA_DST_R0)
		rep->outputs |= 1U << reg;
	else
		rep->temps |= 1U << (reg - PICA_DST_R0);
}

static void note_flow(const struct pica_insn *insn, u32 pc, struct vs_report *rep)
{
	u32 flags = insn->info->flags;

	if (flags & PICA_OPF_GEOM)
		rep->features |= VS_FEAT_EMIT;
	if (!(flags & PICA_OPF_FLOW) || (flags & PICA_OPF_END))
		return;
	rep->features |= VS_FEAT_FLOW;
	if (flags & PICA_OPF_COND)
		rep->features |= VS_FEAT_DIVERGES;
	if (flags & PICA_OPF_LOOP) {
		rep->features |= VS_FEAT_LOOP;
		rep->const_ints |= 1U << insn->f[PICA_F_INT];
	}
	if ((flags & (PICA_OPF_JUMP | PICA_OPF_IF)) && insn->f[PICA_F_TARGET] <= pc)
		rep->features |= VS_FEAT_LOOP;
	if (flags & PICA_OPF_BOOL)
		rep->const_bools |= 1U << insn->f[PICA_F_BOOL];
}

static int pica_verify_check_words(const struct pica_walk *w, struct vs_report *rep,
				   struct vs_reject *rej)
{
	const struct pica_program *prog = w->prog;
	unsigned int n;
	u32 pc;
	int ret;

	for (pc = 0; pc < prog->ncode; pc++) {
		const struct pica_insn *insn = &w->insn[pc];

		if (!pica_reached(w, pc))
			continue;
		rep->reachable_words++;
		ret = pica_verify_check_insn(prog, insn, pc, rej);
		if (ret)
			return ret;
		for (n = 0; n < insn->nsrc; n++)
			note_source(insn, n, rep);
		note_dest(prog, insn, rep);
		note_flow(insn, pc, rep);
	}
	return 0;
}

/**
 * pica_check() - verify a program
 * @src: the program
 * @rep: resource report, zeroed and filled in
 * @rej: filled in if the program is rejected
 *
 * Return: 0, -ENOEXEC if the program is rejected, -ENOMEM.
 */
int pica_check(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej)
{
	struct pica_program prog;
	struct pica_walk *w;
	int ret;

	memset(rep, 0, sizeof(*rep));
	memset(rej, 0, sizeof(*rej));

	pica_program_init(&prog, src);
	rep->code_words = prog.ncode;
	ret = pica_verify_check_sizes(&prog, rej);
	if (ret)
		return ret;

	w = pica_walk_new(&prog);
	if (!w)
		return -ENOMEM;
	pica_walk_run(w);
	ret = pica_verify_check_words(w, rep, rej);
	pica_walk_free(w);
	return ret;
}

static void log_reject(struct vs_log *log, const struct vs_reject *rej)
{
	const char *section = rej->section == VS_SECTION_OPDESC ? "descriptor" : "word";

	vs_log_printf(log, "%s 0x%03x, bits %u..%u: error: %s (found %u, limit %u)\n", section,
		      rej->offset, rej->field_lo, rej->field_hi, pica_reason_text(rej->reason),
		      rej->value, rej->limit);
}

/**
 * pica_verify() - verify a program for execution
 * @src: the program
 * @rep: resource report
 * @rej: reject reason
 * @log: reject message
 *
 * Return: 0, -ENOEXEC, -ENOMEM.
 */
int pica_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		struct vs_log *log)
{
	int ret = pica_check(src, rep, rej);

	if (ret == -ENOEXEC)
		log_reject(log, rej);
	return ret;
}
