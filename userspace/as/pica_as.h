/* SPDX-License-Identifier: MIT */
/*
 * Inner parts of the PICA200 assembler.
 */
#ifndef PICA_AS_H
#define PICA_AS_H

#include <locale.h>

#include "isa/pica/pica.h"
#include "isa/pica/pica_float.h"
#include "../libdrm_vshader/shbin.h"
#include "vs_as.h"

#define AS_MAX_TOKENS	512	/* on a line */
#define AS_MAX_BLOCKS	32
#define AS_MAX_FILES	256
#define AS_MAX_ENTRIES	64

/* Substring of the source, which stays in place until the end. */
struct as_str {
	const char *s;
	u32 len;
};

enum as_tok_kind { TOK_END, TOK_NAME, TOK_NUMBER, TOK_PUNCT };

/**
 * struct as_tok - token
 * @kind: enum as_tok_kind; punctuation is a single character
 * @col: column, from 1
 * @str: its text
 */
struct as_tok {
	u32 kind;
	u32 col;
	struct as_str str;
};

/**
 * struct as_reg - register operand or target of an alias
 * @file: 'v', 'r', 'c', 'o', 'i', 'b'
 * @idx: PICA_IDX_*
 * @neg: negated
 * @plain: written without swizzle, mask and sign
 * @none: empty write mask
 * @sel: swizzle
 * @letters: its text, "" if there is none
 * @num: number
 * @col: where it was written
 */
struct as_reg {
	char file;
	u8 idx;
	bool neg;
	bool plain;
	bool none;
	u8 sel[4];
	char letters[5];
	u32 num;
	u32 col;
};

/**
 * struct as_sym - symbol
 * @name: name
 * @reg: aliases: register
 * @addr: labels and procedures: address
 * @size: procedures: words; aliases: registers
 * @hash_next: chain in the map
 */
struct as_sym {
	struct as_str name;
	struct as_reg reg;
	u32 addr;
	u32 size;
	u32 hash_next;
};

#define AS_MAP_HEADS	1024

/* Names to symbols. */
struct as_map {
	struct as_sym *syms;
	u32 n;
	u32 cap;
	u32 head[AS_MAP_HEADS];
};

enum as_block_kind { BLOCK_PROC, BLOCK_FOR, BLOCK_IF, BLOCK_ARRAY };

/**
 * struct as_block - open block
 * @kind: enum as_block_kind
 * @start: its first word: the IF or FOR itself, or a procedure's first
 * @else_at: IF: first word of the else part, 0 if there is none
 * @size: ARRAY: elements announced, 0 if not
 * @first: ARRAY: first constant of it
 * @name: PROC, ARRAY
 * @line: line of its start
 * @col: column of its start
 */
struct as_block {
	u32 kind;
	u32 start;
	u32 else_at;
	u32 size;
	u32 first;
	struct as_str name;
	u32 line;
	u32 col;
};

/* A word whose target is a name. */
struct as_fixup {
	struct as_str name;
	u32 word;
	u32 file;
	u32 line;
	u32 col;
	bool proc;
};

/* A uniform declared in a source. */
struct as_uniform {
	struct as_str name;
	char file;
	u32 first;
	u32 count;
};

/* An entry point given as an address or a label, and where. */
struct as_entry {
	u32 addr;
	u32 file;
	u32 line;
	u32 col;
};

#define AS_MAX_CONSTS	(PICA_NUM_CONST + PICA_NUM_INT + PICA_NUM_BOOL)
#define AS_MAX_UNIFORMS	(PICA_NUM_REGS + PICA_NUM_CONST + PICA_NUM_INT + PICA_NUM_BOOL)

/* Free registers of a kind: uniforms from below, constants from above. */
struct as_alloc {
	u32 start;
	u32 end;
	u32 bound;
	u32 top;
};

enum { AS_ALLOC_C, AS_ALLOC_I, AS_ALLOC_B, AS_NUM_ALLOCS };

/**
 * struct as_dvle - source's own program
 * @used: a declaration or instruction was seen
 * @none: .nodvle
 * @geometry: geometry program
 * @own_space: geometry program with separate uniforms (.gsh with a mode)
 * @merge: it has dummy outputs
 * @entry_name: .entry
 * @entry_line: where
 * @entry_col: where
 * @entry_addr: .entry with an end: first word
 * @entry_end: .entry with an end: word after the main procedure, 0: none was given
 * @in_mask: input registers reserved
 * @out_mask: output registers wired
 * @out_comps: their components
 * @gs_mode: mode of the geometry stage
 * @gs_start: fixed mode: first uniform
 * @gs_count: variable and fixed mode: vertices
 * @consts: constants
 * @nconsts: number of @consts
 * @outs: outputs
 * @nouts: number of @outs
 * @uniforms: inputs and uniforms for the table
 * @nuniforms: number of @uniforms
 */
struct as_dvle {
	bool none;
	bool geometry;
	bool own_space;
	bool merge;
	struct as_str entry_name;
	u32 entry_line;
	u32 entry_col;
	u32 entry_addr;
	u32 entry_end;
	u32 in_mask;
	u32 out_mask;
	u64 out_comps;
	u32 gs_mode;
	u32 gs_start;
	u32 gs_count;
	struct vs_shbin_const consts[AS_MAX_CONSTS];
	u32 nconsts;
	struct vs_shbin_out outs[PICA_NUM_REGS];
	u32 nouts;
	struct as_uniform uniforms[AS_MAX_UNIFORMS];
	u32 nuniforms;
};

/**
 * struct as - assembly
 * @src: sources
 * @nsrc: number of @src
 * @flags: VS_AS_*
 * @diag: messages go here
 * @oom: out of memory; overrides all other errors
 * @c_locale: C locale, for numbers
 * @file: source at hand
 * @line: line at hand
 * @tok: tokens of the line, TOK_END last
 * @pos: token at hand
 * @code: words
 * @shares_desc: words whose descriptor number may be moved
 * @line_of: line of each word
 * @file_of: source of each word
 * @foreign: line numbers are those of another file
 * @ncode: number of @code
 * @opdesc: descriptors
 * @opmask: bits of a descriptor that some instruction relies on
 * @desc_fixed: descriptor came from .opdesc
 * @desc_mad: descriptor is named by a MAD
 * @nopdesc: number of @opdesc
 * @blocks: open blocks
 * @nblocks: number of @blocks
 * @last_was_end: the last thing was the end of an IF or FOR
 * @aliases: of this source
 * @labels: of this source
 * @procs: of all sources
 * @fixups: words to complete
 * @nfixups: number of @fixups
 * @cap_fixups: room
 * @shared: uniforms that sources share
 * @nshared: number of @shared
 * @alloc: free registers of vertex sources
 * @gs_alloc: free registers of the geometry source at hand
 * @dvle: program of the source at hand
 * @dvles: one per source
 * @entries: entry points given as numbers or labels
 * @nentries: number of @entries
 */
struct as {
	const struct vs_as_source *src;
	u32 nsrc;
	u32 flags;
	struct vs_as_diag *diag;
	bool oom;
	locale_t c_locale;

	u32 file;
	u32 line;
	struct as_tok tok[AS_MAX_TOKENS];
	u32 pos;

	u32 code[PICA_MAX_CODE];
	bool shares_desc[PICA_MAX_CODE];
	u32 line_of[PICA_MAX_CODE];
	u32 file_of[PICA_MAX_CODE];
	bool foreign;
	u32 ncode;
	u32 opdesc[PICA_MAX_OPDESC];
	u32 opmask[PICA_MAX_OPDESC];
	bool desc_fixed[PICA_MAX_OPDESC];
	bool desc_mad[PICA_MAX_OPDESC];
	u32 nopdesc;

	struct as_block blocks[AS_MAX_BLOCKS];
	u32 nblocks;
	bool last_was_end;

	struct as_map aliases;
	struct as_map labels;
	struct as_map procs;
	struct as_fixup *fixups;
	u32 nfixups;
	u32 cap_fixups;
	struct as_uniform shared[PICA_NUM_CONST + PICA_NUM_INT + PICA_NUM_BOOL];
	u32 nshared;
	struct as_alloc alloc[AS_NUM_ALLOCS];
	struct as_alloc gs_alloc[AS_NUM_ALLOCS];
	struct as_dvle *dvle;
	struct as_dvle *dvles;
	struct as_entry entries[AS_MAX_ENTRIES];
	u32 nentries;
};

/* Messages; the errors return -EINVAL. */
int as_error(struct as *as, u32 col, const char *fmt, ...) __printf(3, 4);
int as_error_at(struct as *as, u32 file, u32 line, u32 col, const char *fmt, ...) __printf(5, 6);
void as_warn(struct as *as, u32 col, const char *fmt, ...) __printf(3, 4);
/* For %.*s: length clamped to the room in a message. */
int as_len(struct as_str s);

/* Tokens */
int as_lex(struct as *as, const char *s, size_t len);
const struct as_tok *as_peek(const struct as *as);
const struct as_tok *as_next(struct as *as);
bool as_is(const struct as_tok *t, char c);
bool as_accept(struct as *as, char c);
int as_expect(struct as *as, char c, const char *where);
int as_expect_end(struct as *as);
int as_name(struct as *as, const char *what, struct as_tok *tok);
int as_int(struct as *as, const char *what, s64 lo, s64 hi, s64 *out);
int as_decimal(struct as *as, const char *what, s64 lo, s64 hi, u32 bits, s64 *out);
int as_float(struct as *as, u32 *f32_bits);
bool as_str_is(struct as_str s, const char *lower);
bool as_str_eq(struct as_str a, struct as_str b);

/* Symbols */
struct as_sym *as_find(const struct as_map *map, struct as_str name);
struct as_sym *as_add(struct as *as, struct as_map *map, struct as_str name);
void as_map_clear(struct as_map *map);
void as_map_free(struct as_map *map);

/* Operands */
#define AS_REG_INDEX	0x1	/* a0.x, a0.y, aL in brackets */
#define AS_REG_SIGN	0x2	/* a minus sign in front */

int as_reg(struct as *as, u32 flags, struct as_reg *reg);
int as_reg_of(struct as *as, const char *files, const char *what, struct as_reg *reg);
int as_swizzle(struct as *as, struct as_reg *reg);
u8 as_mask(struct as *as, const struct as_reg *reg);
int as_condition(struct as *as, struct pica_insn *insn);

/* Instructions */
int as_put_word(struct as *as, u32 word, bool shares_desc);
void as_pad(struct as *as, u32 col);
int as_instruction(struct as *as, const struct as_tok *mnem);
int as_use_desc(struct as *as, struct pica_insn *insn, u32 desc, bool plain);

/* Directives */
int as_directive(struct as *as, const struct as_tok *name);
int as_open_block(struct as *as, const struct as_block *block);
int as_target(struct as *as, u32 word, bool proc);
int as_add_entry(struct as *as, u32 addr, u32 line, u32 col);

#endif /* PICA_AS_H */
