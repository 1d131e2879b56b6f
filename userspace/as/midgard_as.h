/* SPDX-License-Identifier: MIT */
/*
 * Midgard assembler: internal interfaces.
 */
#ifndef MIDGARD_AS_H
#define MIDGARD_AS_H

#include "midgard_disasm.h"
#include "vs_as.h"

#define MAS_MAX_LINES	16	/* of a bundle */

/* A line of a bundle, blanks around it cut off; notes in braces are separate. */
struct mas_line {
	char *text;
	char *notes;
	u32 line;
};

/* Branch to a label; the tag defaults to the target's. */
struct mas_ref {
	char *label;
	bool tag_given;
	u32 line;
};

/**
 * struct mas_item - bundle, or data
 * @words: encoding without branch offsets to labels and the announced tag
 * @nwords: number of words; data of zeroes may exceed @words
 * @bundle: a bundle
 * @next: tag that it announces, -1: the tag of the following item
 * @ref: labels that its branches name
 * @pos: quad
 * @line: number of its first line
 * @last: number of its last line
 */
struct mas_item {
	u32 words[4 * MG_BUNDLE_QUADS];
	u32 nwords;
	bool bundle;
	int next;
	struct mas_ref ref[2];
	u32 pos;
	u32 line;
	u32 last;
};

#define MAS_BUCKETS	16384

/* @next: 1 + index of another label with the same hash value, or 0. */
struct mas_label {
	char *name;
	u32 item;
	u32 line;
	u32 next;
};

/**
 * struct mas - assembly
 * @diag: messages
 * @line: line being read
 * @open: lines of the bundle being read
 * @nopen: number of @open
 * @b: that bundle
 * @nldst: load/store operations that it has so far
 * @consts_given: the bundle has a line of constants
 * @taken: without a line of constants: mask of allocated constant bytes
 * @ref: labels that its branches name
 * @items: bundles and data
 * @nitems: number of @items
 * @labels: labels
 * @nlabels: number of @labels
 * @bucket: 1 + index of the last label of each hash value
 * @nquads: size so far
 * @nomem: memory ran out
 */
struct mas {
	struct vs_as_diag *diag;
	u32 line;
	struct mas_line open[MAS_MAX_LINES];
	u32 nopen;
	struct mg_bundle b;
	u32 nldst;
	bool consts_given;
	u32 taken;
	struct mas_ref ref[2];
	struct mas_item *items;
	u32 nitems;
	struct mas_label *labels;
	u32 nlabels;
	u32 bucket[MAS_BUCKETS];
	u32 nquads;
	bool nomem;
};

int __printf(3, 4) mas_error(struct mas *as, u32 line, const char *fmt, ...);

/* midgard_as_text.c: parsing; the functions skip the text that they parse. */

void mas_blanks(const char **p);
/* Is this text next? */
bool mas_take(const char **p, const char *text);
bool mas_number(const char **p, u64 limit, u64 *value);
/* A number with an optional sign. */
bool mas_signed(const char **p, s64 low, s64 high, s64 *value);
/* Longest of names (NULL: no such name) that is next, or -1. */
int mas_name(const char **p, const char *const *names, u32 n);
/* Element by its letter, less than @limit, or -1. */
int mas_letter(const char **p, u32 limit);
/* Parse a swizzle of four letters, or of one per bit of @mask; false for other letters. */
bool mas_swizzle(const char **p, u32 mask, u32 *swizzle);
/* Cut at commas that are not within <> or []; the text is changed. Return: parts. */
u32 mas_split(char *text, char **part, u32 max);
/* Cut off the next part that ends in a dot or with the text; NULL: there is none. */
char *mas_part(char **text);
/* Value of a note, "" if it has none; NULL: there is no such note. The text ends in a blank. */
const char *mas_get_note(const char *notes, const char *name);
bool mas_note_number(const char *notes, const char *name, u64 limit, u64 *value);

/* midgard_as_alu.c, midgard_as_tex.c, midgard_as_ldst.c: a line each. */
int mas_alu_line(struct mas *as, const struct mas_line *l, u32 unit);
int mas_branch_line(struct mas *as, const struct mas_line *l);
int mas_tex_line(struct mas *as, const struct mas_line *l);
int mas_ldst_line(struct mas *as, const struct mas_line *l);
/* Number of the unit that a line is for, or -1. */
int mas_line_unit(const char *text);
/* Does the line begin with a texture operation? */
bool mas_is_tex(const char *text);

/* midgard_as_const.c: a number that fits into an operation, however it is written. */
bool mas_small_number(const struct mg_alu *a, const char *token, u32 *imm);
/*
 * Allocate constants for numbers and replace the tokens by the disassembler's spelling.
 * Return: false if a token is no number or there is no room.
 */
bool mas_place_consts(struct mas *as, const struct mg_alu *a, struct mg_token *tokens, u32 n);

/* midgard_as_line.c */

/* Parse a line without comments; @only_comment: it held comments only. */
int mas_line(struct mas *as, char *s, bool only_comment);
/* The bundle being read is complete. */
int mas_close(struct mas *as);
const struct mas_label *mas_find_label(const struct mas *as, const char *name);

#endif /* MIDGARD_AS_H */
