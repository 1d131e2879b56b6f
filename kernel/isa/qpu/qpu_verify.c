// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Verification of QPU programs.
 *
 * Rejected are undefined instructions (see qpu_check()) that are reachable from an entry,
 * and reachable relative branches out of the program or between instructions. Targets of
 * absolute branches and branches that add a register are known at execution only: with one
 * of those any instruction may be executed, and code that is not reachable otherwise is not
 * checked. Executing an undefined instruction, or running out of the program, is a fault of
 * the job.
 */
#include "qpu_verify.h"

static const char * const reason_texts[QPU_NUM_REASONS] = {
	[QPU_OK]		= "not rejected",
	[QPU_BAD_PACK]		= "undefined pack mode of the multiplier",
	[QPU_BAD_LDI]		= "undefined form of load immediate",
	[QPU_BAD_BR_COND]	= "undefined branch condition",
	[QPU_BAD_RADDR_A]	= "undefined read address of file A is an operand",
	[QPU_BAD_RADDR_B]	= "undefined read address of file B is an operand",
	[QPU_BAD_RESERVED]	= "reserved bits are set",
	[QPU_BAD_BRANCH_TARGET]	= "branch target is no instruction of the program",
	[QPU_BAD_ENTRY]		= "entry point is no instruction of the program",
	[QPU_BAD_SIZE]		= "no code, too much, half an instruction, or another section",
	[QPU_BAD_STAGE]		= "not a stage of this unit",
};

/**
 * qpu_reason_text() - text of a reject reason
 * @reason: enum qpu_reason
 *
 * Return: a phrase.
 */
const char *qpu_reason_text(u32 reason)
{
	return reason < QPU_NUM_REASONS ? reason_texts[reason] : "unknown reason";
}

static int qpu_verify_reject(struct vs_reject *rej, enum qpu_reason reason, u32 offset, u32 value,
			     u32 limit)
{
	memset(rej, 0, sizeof(*rej));
	rej->reason = reason;
	rej->offset = offset;
	rej->field_hi = 63;
	rej->value = value;
	rej->limit = limit;
	return -ENOEXEC;
}

static int qpu_verify_check_sizes(const struct vs_src *src, struct vs_reject *rej)
{
	u32 n = src->nwords[VS_SECTION_CODE];
	u32 i;

	if (src->stage != VS_STAGE_FRAGMENT && src->stage != VS_STAGE_COMPUTE)
		return qpu_verify_reject(rej, QPU_BAD_STAGE, 0, src->stage, VS_STAGE_COMPUTE);
	if (!n || n % 2 || n > 2 * QPU_MAX_WORDS)
		return qpu_verify_reject(rej, QPU_BAD_SIZE, n / 2, n, 2 * QPU_MAX_WORDS);
	if (src->nwords[VS_SECTION_OPDESC]) {
		qpu_verify_reject(rej, QPU_BAD_SIZE, 0, src->nwords[VS_SECTION_OPDESC], 0);
		rej->section = VS_SECTION_OPDESC;
		return -ENOEXEC;
	}
	if (!src->nentries)
		return qpu_verify_reject(rej, QPU_BAD_ENTRY, 0, 0, n / 2);
	for (i = 0; i < src->nentries; i++)
		if (src->entries[i] >= n / 2)
			return qpu_verify_reject(rej, QPU_BAD_ENTRY, src->entries[i],
						 src->entries[i], n / 2);
	return 0;
}

static int check_target(const struct qpu_program *p, const struct qpu_insn *insn, u32 pc,
			struct vs_reject *rej)
{
	s64 byte;

	if (!qpu_target(insn, pc, &byte))
		return 0;
	if (byte >= 0 && byte / 8 < p->ninsns && !(byte & 7))
		return 0;
	qpu_verify_reject(rej, QPU_BAD_BRANCH_TARGET, pc, insn->imm, p->ninsns);
	rej->field_hi = 31;
	return -ENOEXEC;
}

static int qpu_verify_check_insn(const struct qpu_program *p, const struct qpu_insn *insn, u32 pc,
				 struct vs_reject *rej)
{
	u64 word = qpu_word(p, pc);
	enum qpu_reason reason;
	u8 lo = 0, hi = 63;

	reason = qpu_check(insn, &lo, &hi);
	if (reason) {
		qpu_verify_reject(rej, reason, pc, (word >> lo) & GENMASK_ULL(hi - lo, 0), 0);
		rej->field_lo = lo;
		rej->field_hi = hi;
		return -ENOEXEC;
	}
	return insn->sig == QPU_SIG_BRANCH ? check_target(p, insn, pc, rej) : 0;
}

static void note_branch(const struct qpu_insn *insn, u32 pc, struct vs_report *rep, bool *indirect)
{
	s64 byte;

	rep->features |= VS_FEAT_FLOW;
	if (!qpu_target(insn, pc, &byte))
		*indirect = true;
	else if (byte <= (s64)pc * 8)
		rep->features |= VS_FEAT_LOOP;
	if (insn->br_reg) {
		rep->features |= VS_FEAT_RELATIVE;
		rep->temps |= 1U << insn->br_raddr;
	}
}

static void note_reg(struct vs_report *rep, u32 addr)
{
	if (addr < 32)
		rep->temps |= 1U << addr;
}

static void note_insn(const struct qpu_insn *insn, u32 pc, struct vs_report *rep, bool *indirect)
{
	bool file_b = insn->sig != QPU_SIG_SMI;

	note_reg(rep, insn->waddr_add);
	note_reg(rep, insn->waddr_mul);
	if (insn->sig == QPU_SIG_BRANCH) {
		note_branch(insn, pc, rep, indirect);
		return;
	}
	if (insn->sig == QPU_SIG_LDI)
		return;
	note_reg(rep, insn->raddr_a);
	if (file_b)
		note_reg(rep, insn->raddr_b);
	rep->uniform_rows += insn->raddr_a == QPU_R_UNIF ||
			     (file_b && insn->raddr_b == QPU_R_UNIF);
}

static int qpu_verify_check_words(const struct qpu_program *p, struct vs_report *rep,
				  struct vs_reject *rej)
{
	bool indirect = false;
	struct qpu_insn insn;
	u32 pc;
	int ret;

	for (pc = 0; pc < p->ninsns; pc++) {
		if (!p->state[pc])
			continue;
		qpu_decode(qpu_word(p, pc), &insn);
		rep->reachable_words++;
		ret = qpu_verify_check_insn(p, &insn, pc, rej);
		if (ret)
			return ret;
		note_insn(&insn, pc, rep, &indirect);
	}
	/* Any instruction may be executed. */
	if (indirect)
		rep->reachable_words = p->ninsns;
	return 0;
}

/**
 * qpu_check_program() - verify a program
 * @src: the program
 * @rep: resource report, zeroed and filled in
 * @rej: filled in if the program is rejected; offsets count instructions
 *
 * In the report, temps is the mask of registers used in either file, and uniform_rows
 * the number of reachable instructions that read a uniform.
 *
 * Return: 0, -ENOEXEC if the program is rejected, -ENOMEM.
 */
int qpu_check_program(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej)
{
	struct qpu_program p;
	int ret;

	memset(rep, 0, sizeof(*rep));
	memset(rej, 0, sizeof(*rej));

	ret = qpu_verify_check_sizes(src, rej);
	if (ret)
		return ret;
	qpu_program_init(&p, src);
	rep->code_words = p.ninsns;
	ret = qpu_walk(&p, false);
	if (!ret)
		ret = qpu_verify_check_words(&p, rep, rej);
	qpu_program_done(&p);
	return ret;
}

/**
 * qpu_verify() - verify a program for execution
 * @src: the program
 * @rep: resource report
 * @rej: reject reason
 * @log: reject message
 *
 * Return: 0, -ENOEXEC, -ENOMEM.
 */
int qpu_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
	       struct vs_log *log)
{
	int ret = qpu_check_program(src, rep, rej);

	if (ret == -ENOEXEC)
		vs_log_printf(log, "instruction 0x%03x, bits %u..%u: error: %s (found 0x%x)\n",
			      rej->offset, rej->field_lo, rej->field_hi,
			      qpu_reason_text(rej->reason), rej->value);
	return ret;
}
