/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * QPU programs as a whole: the ways through them, verification.
 */
#ifndef QPU_VERIFY_H
#define QPU_VERIFY_H

#include "qpu.h"

/**
 * struct qpu_program - a program and the ways through it
 * @words: code, low half of an instruction first
 * @ninsns: instructions
 * @entries: instructions where a thread may start
 * @nentries: how many
 * @stage: enum vs_stage
 * @state: for each instruction how it may be reached, bit set of QPU_AT()
 */
struct qpu_program {
	const u32 *words;
	u32 ninsns;
	const u32 *entries;
	u32 nentries;
	enum vs_stage stage;
	u16 *state;
};

/*
 * How an instruction is reached: @slots instructions remain until a branch is taken (0:
 * none is pending), @end instructions until the thread has ended (0: not ending).
 */
#define QPU_AT(slots, end)	BIT((slots) + 4 * (end))

/* Instruction @pc of a program. */
u64 qpu_word(const struct qpu_program *p, u32 pc);

/* qpu_walk.c */
void qpu_program_init(struct qpu_program *p, const struct vs_src *src);
/* Find what can be reached; -ENOMEM. @links: also what follows calls. */
int qpu_walk(struct qpu_program *p, bool links);
void qpu_program_done(struct qpu_program *p);
/* Target of a branch at @pc, if it is known. */
bool qpu_target(const struct qpu_insn *insn, u32 pc, s64 *byte);
/* Signals that end a thread after two more instructions. */
bool qpu_ends(const struct qpu_insn *insn);

/* qpu_verify.c */
int qpu_check_program(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej);
int qpu_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
	       struct vs_log *log);
const char *qpu_reason_text(u32 reason);

#endif /* QPU_VERIFY_H */
