/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * QPU programs as a whole: control flow, verification.
 */
#ifndef QPU_VERIFY_H
#define QPU_VERIFY_H

#include "qpu.h"

/**
 * struct qpu_program - a program and its reachable instructions
 * @words: code, low half of an instruction first
 * @ninsns: number of instructions
 * @entries: instructions at which a thread may start
 * @nentries: number of @entries
 * @stage: enum vs_stage
 * @state: states in which each instruction may be reached, bit set of QPU_AT()
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
 * State in which an instruction is reached: @slots instructions until a branch is taken (0:
 * none is pending), @end instructions until the thread has ended (0: not ending).
 */
#define QPU_AT(slots, end)	BIT((slots) + 4 * (end))

/* Instruction @pc of a program. */
u64 qpu_word(const struct qpu_program *p, u32 pc);

/* qpu_walk.c */
void qpu_program_init(struct qpu_program *p, const struct vs_src *src);
/* Find the reachable code; -ENOMEM. @links: including code that calls return to. */
int qpu_walk(struct qpu_program *p, bool links);
void qpu_program_done(struct qpu_program *p);
/* Target of a branch at @pc, if it is known. */
bool qpu_target(const struct qpu_insn *insn, u32 pc, s64 *byte);
/* Does the signal end the thread after two more instructions? */
bool qpu_ends(const struct qpu_insn *insn);

/* qpu_verify.c */
int qpu_check_program(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej);
int qpu_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
	       struct vs_log *log);
const char *qpu_reason_text(u32 reason);

#endif /* QPU_VERIFY_H */
