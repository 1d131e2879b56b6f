/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Instruction set front ends. A new ISA is one folder and one line in isas.def.
 *
 * CONTRACT READY
 */
#ifndef VS_ISA_H
#define VS_ISA_H

#include "../engine/vs_debug.h"
#include "../engine/vs_prog.h"

/* VS_ISA_PICA and so on: same numbers as enum drm_vshader_engine. */
enum vs_isa_id {
#define VS_ISA(NAME, number, isa, family) VS_ISA_##NAME = (number),
#include "isas.def"
#undef VS_ISA
	VS_MAX_ISAS = 8
};

/* Same numbers as enum drm_vshader_stage. */
enum vs_stage { VS_STAGE_VERTEX, VS_STAGE_GEOMETRY, VS_STAGE_FRAGMENT, VS_STAGE_COMPUTE };

enum vs_section { VS_SECTION_CODE, VS_SECTION_OPDESC, VS_NUM_SECTIONS };

/* Features in the resource report; same bits as enum drm_vshader_program_feature. */
#define VS_FEAT_FLOW		0x01
#define VS_FEAT_LOOP		0x02
#define VS_FEAT_RELATIVE	0x04
#define VS_FEAT_EMIT		0x08
#define VS_FEAT_CARRIES_STATE	0x10
#define VS_FEAT_DIVERGES	0x20

/**
 * struct vs_src - program as submitted
 * @stage:	its stage
 * @words:	each section, NULL: none; read-only to the callee, copied from user memory before
 * @nwords:	words of 32 bits in each section
 * @entries:	entry points, instruction numbers
 * @nentries:	number of @entries, at least 1
 */
struct vs_src {
	enum vs_stage stage;
	const u32 *words[VS_NUM_SECTIONS];
	u32 nwords[VS_NUM_SECTIONS];
	const u32 *entries;
	u32 nentries;
};

/**
 * struct vs_reject - reject reason and position
 * @reason:	ISA specific, not 0
 * @section:	enum vs_section
 * @offset:	index of the bad word in its section; of code: of the instruction
 * @field_lo:	lowest bit of the offending field
 * @field_hi:	highest bit of the offending field
 * @value:	value found
 * @limit:	bound or value expected, where there is one
 */
struct vs_reject {
	u32 reason;
	u32 section;
	u32 offset;
	u8 field_lo;
	u8 field_hi;
	u32 value;
	u32 limit;
};

/**
 * struct vs_todo - worklist of a program walk: each position once, lowest first
 * @todo:	positions to visit, a bit set
 * @seen:	positions ever added, a bit set
 * @n:		words per bit set
 * @first:	no bit of @todo is set before this word
 */
struct vs_todo {
	u64 *todo;
	u64 *seen;
	u32 n;
	u32 first;
};

/* Words of both bit sets for positions up to @last. */
static inline u32 vs_todo_words(u32 last)
{
	return 2 * (last / 64 + 1);
}

/* @bits: vs_todo_words(@last) zeros. */
static inline void vs_todo_init(struct vs_todo *t, u64 *bits, u32 last)
{
	*t = (struct vs_todo){ .todo = bits, .seen = bits + last / 64 + 1, .n = last / 64 + 1 };
}

static inline bool vs_todo_seen(const struct vs_todo *t, u32 pos)
{
	return t->seen[pos / 64] >> (pos % 64) & 1;
}

/* Add a position. Return: false if @pos had been added before. */
bool vs_todo_add(struct vs_todo *t, u32 pos);
/*
 * Remove the lowest position, at @cost of @left. Return: 1: removed to *@pos; 0: empty; -EAGAIN:
 * @left is used up.
 */
int vs_todo_take(struct vs_todo *t, u32 cost, u32 *left, u32 *pos);

/**
 * struct vs_report - resource report
 * @features:	VS_FEAT_*
 * @code_words:	instruction words given
 * @reachable_words: words that an entry point can reach
 * @inputs:	mask of input registers read
 * @outputs:	mask of output registers written
 * @temps:	mask of temporary registers used; Midgard: their number
 * @uniform_rows: one past the highest uniform row used, all if relative; QPU: reachable
 *		instructions that read a uniform
 * @const_bools: mask of boolean uniforms read
 * @const_ints:	mask of integer uniforms read
 */
struct vs_report {
	u64 features;
	u32 code_words;
	u32 reachable_words;
	u32 inputs;
	u32 outputs;
	u32 temps;
	u32 uniform_rows;
	u32 const_bools;
	u32 const_ints;
};

/**
 * struct vs_log - bounded text sink for messages about programs
 * @buf:	text, terminated by zero; may be NULL
 * @size:	bytes at @buf
 * @len:	characters in @buf
 */
struct vs_log {
	char *buf;
	size_t size;
	size_t len;
};

void __printf(2, 3) vs_log_printf(struct vs_log *log, const char *fmt, ...);

/**
 * struct vs_isa - operations of an instruction set
 * @id:		number of the ISA
 * @name:	its name, for users
 * @word_bytes:	bytes per instruction: 4 or 8
 * @pc_unit:	units of a fault's pc per instruction
 * @max_words:	maximum of each section, in instructions
 * @stage_mask:	a bit for each enum vs_stage
 * @va_bits:	bits of a guest address
 * @model_mask:	numeric models of the ISA's launch block
 * @default_model: one of them
 * @switches:	numeric or behavioural switches that the launch block accepts
 * @verify:	check everything that execution does not check; fill the report, on error
 *		(-ENOEXEC) the reject record, and a message to the log
 * @lower:	build the engine program of verified source; NULL: programs of this ISA are
 *		lowered when a job executes them
 * @reason_text: text of a reject reason
 * @banks:	registers visible to debuggers; NULL: jobs cannot be debugged
 * @nbanks:	number of @banks
 * @watch:	programs access memory that a debugger can watch
 */
struct vs_isa {
	enum vs_isa_id id;
	const char *name;
	u32 word_bytes;
	u32 pc_unit;
	u32 max_words;
	u32 stage_mask;
	u32 va_bits;
	u32 model_mask;
	u32 default_model;
	u64 switches;
	int (*verify)(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		      struct vs_log *log);
	int (*lower)(const struct vs_src *src, struct vs_report *rep, struct vs_prog **out);
	const char *(*reason_text)(u32 reason);
	const struct vs_debug_bank *banks;
	u32 nbanks;
	bool watch;
};

#define VS_ISA(NAME, number, isa, family) extern const struct vs_isa isa;
#include "isas.def"
#undef VS_ISA

const struct vs_isa *vs_isa_by_id(u32 id);
const struct vs_isa *vs_isa_by_name(const char *name);
/* The bank that register @reg is in, or NULL. */
const struct vs_debug_bank *vs_isa_bank(const struct vs_isa *isa, u32 reg);

/**
 * struct vs_program - verified program with a copy of its source
 * @isa:	instruction set
 * @src:	source, owned copies
 * @report:	resource report
 * @prog:	engine program, NULL if the ISA has no @lower
 * @hash:	of all sections and entries
 */
struct vs_program {
	const struct vs_isa *isa;
	struct vs_src src;
	struct vs_report report;
	struct vs_prog *prog;
	u64 hash;
};

/**
 * vs_program_create - create a program: copy, verify and lower its source
 * @isa: instruction set
 * @src: the program; not referred to after return
 * @rej: with -ENOEXEC: reject reason and position
 * @log: verifier messages, or NULL
 * @out: the program
 *
 * Return: 0, -ENOEXEC, -EINVAL, -E2BIG or -ENOMEM.
 */
int vs_program_create(const struct vs_isa *isa, const struct vs_src *src, struct vs_reject *rej,
		      struct vs_log *log, struct vs_program **out);
void vs_program_destroy(struct vs_program *p);
/* Was instruction @guest declared an entry point? */
bool vs_program_has_entry(const struct vs_program *p, u32 guest);
/* Micro-op of entry point @guest, or VS_NO_UOP if it was not declared. */
u32 vs_program_entry(const struct vs_program *p, u32 guest);

#endif /* VS_ISA_H */
