/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * QPU programs as a whole: verification, warnings, text.
 */
#ifndef QPU_TEXT_H
#define QPU_TEXT_H

#include "qpu.h"

/* Warnings; names and texts are in qpu_lint.c. */
enum qpu_lint_code {
	QPU_LINT_REG_RAW, QPU_LINT_SFU_EARLY, QPU_LINT_SFU_BUSY, QPU_LINT_TMU_UNDERFLOW,
	QPU_LINT_TMU_DEPTH, QPU_LINT_TMU_OVERFLOW, QPU_LINT_UNIFORM_WINDOW,
	QPU_LINT_ROTATE_SOURCE, QPU_LINT_ROTATE_R5, QPU_LINT_ROTATE_GROUP,
	QPU_LINT_VPM_LATENCY, QPU_LINT_VPM_NO_SETUP, QPU_LINT_VPM_TWICE,
	QPU_LINT_BRANCH_DISTANCE, QPU_LINT_SLOT_SIGNAL, QPU_LINT_BRANCH_FLAGS,
	QPU_LINT_END_R14, QPU_LINT_END_WRITE, QPU_LINT_END_FIFO, QPU_LINT_END_TLB_Z,
	QPU_LINT_END_MUTEX, QPU_LINT_SWITCH_ACC, QPU_LINT_SWITCH_DISTANCE,
	QPU_LINT_SCOREBOARD_EARLY, QPU_LINT_TLB_NO_WAIT, QPU_LINT_TLB_AFTER_DONE,
	QPU_LINT_SAME_DEST, QPU_LINT_PERIPHERAL_TWICE, QPU_LINT_MUTEX_TWICE,
	QPU_LINT_MUTEX_NOT_HELD, QPU_LINT_COND_PERIPHERAL, QPU_LINT_PACK_PERIPHERAL,
	QPU_LINT_NOSWAP_WINDOW, QPU_LINT_NOSWAP_LATE, QPU_LINT_MS_WINDOW,
	QPU_LINT_UNDEFINED_OP, QPU_LINT_RUNS_OFF, QPU_NUM_LINTS
};

/**
 * struct qpu_lint - a warning
 * @code: enum qpu_lint_code
 * @offset: instruction
 * @arg: register number or whatever qpu_lint_text() says
 */
struct qpu_lint {
	u32 code;
	u32 offset;
	u32 arg;
};

/**
 * struct qpu_info - what verification learns beyond struct vs_report
 * @ra: registers of file A that reachable instructions name
 * @rb: registers of file B
 * @uniforms: reachable instructions that read a uniform
 * @varyings: reachable instructions that read a varying
 * @indirect: absolute or register branches are reachable: anything may be executed
 * @garbage: words that are not reachable and no defined instruction
 * @nlints: warnings found, may exceed @max_lints
 * @max_lints: room at @lints
 * @lints: warnings in the order of the code; the caller's
 */
struct qpu_info {
	u32 ra;
	u32 rb;
	u32 uniforms;
	u32 varyings;
	bool indirect;
	u32 garbage;
	u32 nlints;
	u32 max_lints;
	struct qpu_lint *lints;
};

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
int qpu_check_program(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		      struct qpu_info *info);
int qpu_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
	       struct vs_log *log);
const char *qpu_reason_text(u32 reason);

/* qpu_lint.c */
int qpu_lint(struct qpu_program *p, struct qpu_info *info);
const char *qpu_lint_name(u32 code);
const char *qpu_lint_text(u32 code);

/* qpu_disasm.c, qpu_listing.c */

/* Room that the text of any instruction fits in. */
#define QPU_MAX_TEXT	256

int qpu_disasm_label(u64 word, s64 label, char *buf, size_t size);
int qpu_disasm_word(u64 word, char *buf, size_t size);
int qpu_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size);
int qpu_listing(const struct vs_src *src, char *buf, size_t size);

#endif /* QPU_TEXT_H */
