/* SPDX-License-Identifier: MIT */
/*
 * QPU assembler, inside.
 *
 * Source is executed line by line: blocks (.if, .rep, macros ...) control the execution
 * of their lines. Passes repeat until no label moves. MAX_STEPS, MAX_DEPTH and the
 * program size bound the work for any source.
 */
#ifndef QPU_AS_H
#define QPU_AS_H

#include "engine/vs_glue.h"
#include "isa/qpu/qpu.h"
#include "qpu_names.h"
#include "vs_as.h"

#define QAS_MAX_STEPS	(4 * 1000 * 1000)	/* lines and terms of all passes */
#define QAS_MAX_DEPTH	48		/* blocks, macros, functions, braces */
#define QAS_MAX_PASSES	8
#define QAS_MAX_FILES	64
#define QAS_MAX_ARGS	16
#define QAS_MAX_ITEMS	20		/* parts of an instruction */
#define QAS_RECENT	16		/* instructions that others can join */
#define QAS_MAX_SYMS	(64 * 1024)
#define QAS_HASH	1024

/* ---- text ---- */

/**
 * struct qas_line - source line
 * @s: text
 * @len: without the newline
 * @file: index of its source
 * @num: from 1
 */
struct qas_line {
	const char *s;
	u32 len;
	u32 file;
	u32 num;
};

/**
 * struct qas_cur - reading position in a line
 * @line: the line
 * @p: next character
 * @end: end of the line (exclusive)
 */
struct qas_cur {
	const struct qas_line *line;
	const char *p;
	const char *end;
};

/* Substring, not NUL-terminated. */
struct qas_str {
	const char *s;
	u32 len;
};

/* ---- values ---- */

enum qas_type { QAS_NONE, QAS_INT, QAS_FLOAT, QAS_ELEM, QAS_REG, QAS_SEMA };

/**
 * struct qas_val - value of an expression
 * @type: enum qas_type
 * @dep: depends on a label
 * @labels: labels added minus labels subtracted
 * @i: integer; of a semaphore its number and 16 to acquire; per-element bits
 * @f: float
 * @is_signed: per-element constant without elements 2 and 3
 * @is_acc: register is an accumulator that operands can be (r0 to r5), @addr its number
 * @addr: register address
 * @use: QPU_REG_*
 * @rot: rotation + 1, 0: none; 1: by r5; 2..16: elements move up by @rot - 1
 * @sfx: pack or unpack suffix, index + 1 of qas_suffixes, 0: none
 */
struct qas_val {
	u8 type;
	bool dep;
	s32 labels;
	s64 i;
	double f;
	bool is_signed;
	bool is_acc;
	u8 addr;
	u8 use;
	u8 rot;
	u8 sfx;
};

/**
 * struct qas_suffix - pack and unpack modes by name
 * @name: as written
 * @pack: mode of file A, 0: none
 * @mul: mode of the multiplier, 0: none
 * @unpack: mode, 0: none
 * @kind: 'i', 'f' or 0
 */
struct qas_suffix {
	const char *name;
	u8 pack;
	u8 mul;
	u8 unpack;
	char kind;
};

extern const struct qas_suffix qas_suffixes[];
/* Index + 1 of a suffix, 0 if there is none of that name. */
u8 qas_find_suffix(struct qas_str s);

/* ---- symbols ---- */

/**
 * struct qas_sym - name: constant, function or macro
 * @name: name
 * @level: nesting of the scope it belongs to, 0: global
 * @next: another one + 1 of the same hash
 * @val: value of a constant
 * @kind: kind of symbol
 * @nargs: parameters of a function or macro
 * @args: their names
 * @body: text of a one-line function
 * @first: first line of a body
 * @last: line after its end
 * @final: .const: no other value may follow
 */
struct qas_sym {
	struct qas_str name;
	u32 level;
	s32 next;
	struct qas_val val;
	enum { QAS_SYM_CONST, QAS_SYM_EXPR, QAS_SYM_FUNC, QAS_SYM_MACRO } kind;
	u32 nargs;
	struct qas_str args[QAS_MAX_ARGS];
	struct qas_cur body;
	u32 first;
	u32 last;
	bool final;
};

/**
 * struct qas_label - position of a label
 * @name: name
 * @addr: byte offset
 */
struct qas_label {
	struct qas_str name;
	s64 addr;
};

/* Labels of a pass. */
struct qas_labels {
	struct qas_label *l;
	u32 n;
	u32 max;
};

/* ---- instructions ---- */

enum qas_kind {
	QAS_I_ALU,	/* op of the adder, the multiplier, or either */
	QAS_I_MOV,
	QAS_I_NOP,
	QAS_I_LDI,
	QAS_I_BRANCH,
	QAS_I_SIGNAL,
	QAS_I_READ,
	QAS_I_ENC,
};

/**
 * struct qas_item - one part of an instruction, between semicolons
 * @kind: kind of part
 * @col: column of its first character
 * @add: adder operation or -1
 * @mul: multiplier operation or -1
 * @sig: signal
 * @setf: set flags
 * @cond: condition + 1 for the whole part, 0: not given
 * @pack: suffix of the whole part
 * @unpack: "
 * @ndst: destinations
 * @dst: destinations
 * @dst_cond: condition + 1 of each
 * @nsrc: sources
 * @src: sources; of .enc: value
 * @form: load immediate: enum qpu_ldi, or 0xff to choose by the value
 * @br_cond: branch
 * @rel: branch is relative
 * @field: .enc: which field
 */
struct qas_item {
	enum qas_kind kind;
	u32 col;
	s8 add;
	s8 mul;
	u8 sig;
	bool setf;
	u8 cond;
	u8 pack;
	u8 unpack;
	u8 ndst;
	struct qas_val dst[2];
	u8 dst_cond[2];
	u8 nsrc;
	struct qas_val src[2];
	u8 form;
	u8 br_cond;
	bool rel;
	const struct qpu_field_name *field;
};

/**
 * struct qas_recent - parts of a recent instruction
 * @items: its parts
 * @n: number of @items
 * @open: the next one may join it
 */
struct qas_recent {
	struct qas_item items[QAS_MAX_ITEMS];
	u32 n;
	bool open;
};

/**
 * struct qas_slot - eight bytes of the program
 * @word: contents
 * @target: byte offset that a relative branch leads to
 * @is_rel: @target is valid
 * @is_insn: holds an instruction
 * @line: its source line
 */
struct qas_slot {
	u64 word;
	s64 target;
	bool is_rel;
	bool is_insn;
	const struct qas_line *line;
};

/**
 * struct qas_file - source
 * @name: name in .include; NULL: the main source
 * @text: contents to be freed
 * @lines: its lines
 * @first: number of the first in qas.lines
 * @last: number of the last line + 1
 */
struct qas_file {
	char *name;
	char *text;
	struct qas_line *lines;
	u32 first;
	u32 last;
};

/**
 * struct qas - assembler
 * @diag: messages
 * @opt: caller's options
 * @lines: all lines of all sources, never moved
 * @nlines: number of @lines
 * @max_lines: room
 * @file: sources, the main one first
 * @nfiles: number of @file
 * @slots: program of this pass
 * @nbytes: its length
 * @max_slots: room
 * @prev: program of the previous pass
 * @nprev: its slots
 * @pass: from 0
 * @labels: labels of this pass
 * @old: labels of the previous pass
 * @syms: global symbols
 * @nsyms: number of @syms
 * @max_syms: room
 * @hash: last symbol + 1 of each hash
 * @locals: symbols of scopes, inner ones last
 * @nlocals: number of @locals
 * @max_locals: room
 * @level: scopes open
 * @depth: nesting
 * @macro_depth: macros being expanded
 * @func_depth: functions being called
 * @steps: work done
 * @cur_line: line that messages are about
 * @recent: the last instructions, in a ring
 * @top: index of the last one
 * @nrecent: number of valid entries in @recent
 * @entries: .entry
 * @nentries: number of @entries
 * @max_entries: room
 * @stage: .stage
 * @result: value of a function's body
 * @quiet: errors are not reported
 * @failed: an error was found
 * @nomem: out of memory
 * @stop: abort the assembly
 */
struct qas {
	struct vs_as_diag *diag;
	const struct vs_as_options *opt;
	struct qas_line **lines;
	u32 nlines;
	u32 max_lines;
	struct qas_file file[QAS_MAX_FILES];
	u32 nfiles;
	struct qas_slot *slots;
	u32 nbytes;
	u32 max_slots;
	struct qas_slot *prev;
	u32 nprev;
	u32 pass;
	struct qas_labels labels;
	struct qas_labels old;
	struct qas_sym *syms;
	u32 nsyms;
	u32 max_syms;
	s32 hash[QAS_HASH];
	struct qas_sym *locals;
	u32 nlocals;
	u32 max_locals;
	u32 level;
	u32 depth;
	u32 macro_depth;
	u32 func_depth;
	u64 steps;
	const struct qas_line *cur_line;
	struct qas_recent recent[QAS_RECENT];
	u32 top;
	u32 nrecent;
	u32 *entries;
	u32 nentries;
	u32 max_entries;
	u32 stage;
	struct qas_val result;
	bool quiet;
	bool failed;
	bool nomem;
	bool stop;
};

/* qpu_as_lex.c */
int __printf(3, 4) qas_error(struct qas *as, u32 col, const char *fmt, ...);
void __printf(3, 4) qas_warn(struct qas *as, u32 col, const char *fmt, ...);
bool qas_step(struct qas *as);
u32 qas_col(const struct qas_cur *c);
void qas_line_cur(const struct qas_line *line, struct qas_cur *c);
void qas_space(struct qas_cur *c);
bool qas_end(struct qas_cur *c);
bool qas_char(struct qas_cur *c, char ch);
bool qas_word(struct qas_cur *c, struct qas_str *w);
bool qas_suffix_word(struct qas_cur *c, struct qas_str *w);
bool qas_eq(struct qas_str s, const char *text);
bool qas_same(struct qas_str a, struct qas_str b);
int qas_number(struct qas *as, struct qas_cur *c, struct qas_val *v);
int qas_room(struct qas *as, void **array, u32 n, u32 *max, size_t size, u32 limit);
int qas_comma(struct qas *as, struct qas_cur *c);
int qas_done(struct qas *as, struct qas_cur *c);

/* qpu_as_sym.c */
struct qas_sym *qas_lookup(struct qas *as, struct qas_str name);
struct qas_sym *qas_define(struct qas *as, struct qas_str name, bool local);
void qas_undefine(struct qas *as, struct qas_str name, bool local);
void qas_enter(struct qas *as);
void qas_leave(struct qas *as);
int qas_define_label(struct qas *as, struct qas_str name, u32 col);
int qas_label_addr(struct qas *as, struct qas_str name, char dir, s64 *addr, u32 col);
int qas_reg(struct qas_str name, struct qas_val *v);

/* qpu_as_expr.c */
int qas_expr(struct qas *as, struct qas_cur *c, struct qas_val *v);
int qas_int_expr(struct qas *as, struct qas_cur *c, s64 *v);
bool qas_true(const struct qas_val *v);

/* qpu_as_fn.c */
int qas_builtin(struct qas *as, struct qas_str name, const struct qas_val *arg, u32 n,
		struct qas_val *v, u32 col);
bool qas_is_builtin(struct qas_str name);
int qas_builtin_const(struct qas_str name, struct qas_val *v);

/* qpu_as_insn.c */
bool qas_nothing(struct qas_cur *c);
void qas_no_join(struct qas *as);
void qas_push_recent(struct qas *as, const struct qas_item *items, u32 n, bool open);
int qas_insn_line(struct qas *as, struct qas_cur *c, bool joined);

/* qpu_as_enc.c */
int qas_encode(struct qas *as, const struct qas_item *items, u32 n, struct qas_slot *slot);

/**
 * struct qas_const - way to make a constant
 * @imm: small immediate, 0xff: none
 * @op: operation with it, or any operand of file B, as both operands
 * @pack: pack mode, 0: none
 * @pm: it is the multiplier's
 */
struct qas_const {
	u8 imm;
	s8 op;
	u8 pack;
	bool pm;
};

/* qpu_as_const.c */
u32 qas_consts(u32 value, bool mul, struct qas_const *list, u32 max);
int qas_small(u32 value);
bool qas_bits(const struct qas_val *v, u32 *bits);

/* qpu_as_run.c */
int qas_run(struct qas *as, u32 first, u32 last);
bool qas_dir_word(struct qas_cur *c, struct qas_str *w);
u32 qas_block_end(struct qas *as, u32 first, u32 last, const char *open, const char *close);

/* qpu_as_dir.c */
int qas_simple_dir(struct qas *as, struct qas_str dir, struct qas_cur *c);
int qas_def_macro(struct qas *as, struct qas_cur *c, u32 first, u32 last, bool func);
int qas_macro(struct qas *as, const struct qas_sym *s, struct qas_cur *c);
int qas_call(struct qas *as, const struct qas_sym *fn, const struct qas_val *arg, u32 n,
	     struct qas_val *v);

/* qpu_as_data.c */
int qas_data(struct qas *as, struct qas_str dir, struct qas_cur *c);
int qas_align_insn(struct qas *as);
int qas_emit(struct qas *as, const struct qas_slot *slot);
bool qas_is_data(struct qas_str dir);

/* qpu_as.c */
int qas_add_source(struct qas *as, const char *text, size_t len, char *name, char *owned,
		   u32 *file);

#endif /* QPU_AS_H */
