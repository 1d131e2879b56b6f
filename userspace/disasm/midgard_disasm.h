/* SPDX-License-Identifier: MIT */
/*
 * Midgard programs as text.
 */
#ifndef MIDGARD_DISASM_H
#define MIDGARD_DISASM_H

#include "disasm.h"
#include "midgard_encode.h"

/**
 * struct mg_notes - fields of an operation that its text does not show
 * @buf: notes, separated by blanks
 * @text: for writing them
 */
struct mg_notes {
	char buf[160];
	struct vs_text text;
};

#define MG_TOKEN	32	/* room for a number as text */

struct mg_token {
	char text[MG_TOKEN];
};

/**
 * struct mg_view - bundle and the context that its text depends on
 * @b: bundle
 * @pos: quad where it starts
 * @written: work registers written so far; r8 to r15 are uniforms until then
 */
struct mg_view {
	const struct mg_bundle *b;
	u32 pos;
	u32 *written;
};

/* midgard_float.c */

/* A number of 16, 32 or 64 bits in printf's %g format. */
void mg_put_float(struct vs_text *t, u64 bits, u32 width);

/*
 * midgard_infer.c: fields that the text omits, inferred in the same way by assembler and
 * disassembler.
 */

/* Letters of the components of a vector source; none if it is in order. */
void mg_put_swizzle(struct vs_text *t, const struct mg_alu *a, const struct mg_src *s);
/* Lanes whose components are shown. */
u32 mg_shown_lanes(const struct mg_alu *a);
/**
 * mg_infer_swizzle() - expansion and swizzle by the letters shown
 * @a: operation: @mode, @op and mask are known
 * @letters: without the dot; NULL if none are shown
 * @widen: the source is widened
 * @s: @reg is known; @expand, @swizzle are set
 *
 * Return: false if the letters are none of a source.
 */
bool mg_infer_swizzle(const struct mg_alu *a, const char *letters, bool widen, struct mg_src *s);

/* Text of the @i-th constant that a source shows; false past the last one. */
bool mg_shown_const(const u32 consts[4], const struct mg_alu *a, const struct mg_src *s, u32 i,
		    struct mg_token *token);
/* Infer the remaining fields of a source from the constants shown. */
bool mg_infer_const(const u32 consts[4], const struct mg_alu *a,
		    const struct mg_token *tokens, u32 ntokens, struct mg_src *s);
/* Number in an operation as text. */
void mg_put_imm(struct vs_text *t, const struct mg_alu *a, u32 imm);
/* Parse a number; false if it is none. */
bool mg_infer_imm(const struct mg_alu *a, const char *token, u32 *imm);

/* Swizzle from a mask and the letters of its components; the other selectors follow a rule. */
u32 mg_fill_swizzle(u32 mask, u32 shown);

/* midgard_disasm.c */
void mg_put_alu(struct vs_text *t, const struct mg_view *v, u32 i);
void mg_put_branch(struct vs_text *t, const struct mg_view *v, u32 i);
void __printf(2, 3) mg_note(struct mg_notes *n, const char *fmt, ...);
void mg_put_notes(struct vs_text *t, const struct mg_notes *n);
void mg_put_tex(struct vs_text *t, const struct mg_view *v);
const char *mg_outmod_name(u32 outmod, bool integer);
const char *mg_widen_name(u32 mod);
const char *mg_branch_op_name(u32 op);
const char *mg_cond_name(u32 cond);
const char *mg_call_name(u32 call);
const char *mg_expand_name(u32 expand);
const char *mg_tex_mode_name(u32 mode);
const char *mg_tex_dim_name(u32 dim);
const char *mg_tex_exec_name(u32 exec);
char mg_tex_type_letter(u32 type);

/* midgard_ldst_text.c */

/* A field of load/store operations by name: lowest bit, width. Ends with a NULL name. */
struct mg_ldst_field {
	const char *name;
	u8 lo;
	u8 width;
};

extern const struct mg_ldst_field mg_ldst_fields[];
/* Interpolation flags: value and mask of their bits in the offset. */
extern const struct mg_ldst_field mg_vary_flags[];

/* Operations between registers: they show a source with its swizzle. */
bool mg_class_reg2reg(u32 class);
/* Operations whose swizzle is shown with the result. */
bool mg_class_shows_result_swizzle(u32 class);
/* As mg_fill_swizzle() for results of load/store operations. */
u32 mg_fill_ldst_swizzle(const struct mg_ldst_def *def, u32 mask, u32 shown);
/* Fields that text does not show, if no notes do. */
void mg_ldst_defaults(const struct mg_ldst_def *def, struct mg_ldst *l);
const char *mg_ldst_reg_name(u32 reg);
const char *mg_index_name(u32 format);
void mg_put_ldst(struct vs_text *t, const struct mg_view *v, u32 i);

/* midgard_listing.c */
/* Return: enum mg_gpu, or -1. */
int mg_gpu_by_name(const char *name);
const char *mg_gpu_name(enum mg_gpu gpu);

/* Tag that a bundle announces by default: the tag of the following words, or break. */
u32 mg_default_next(const u32 *words, u32 nquads, u32 after);

/**
 * mg_listing() - text of a program
 * @words: program; it need not be valid
 * @nwords: 32-bit words
 * @buf: output buffer, or NULL
 * @size: room, terminating zero included
 *
 * Assembling the text reproduces the words.
 *
 * Return: length of the whole text, even if truncated; -E2BIG if the program exceeds
 * MG_MAX_QUADS, -EINVAL if it is not whole quads.
 */
int mg_listing(const u32 *words, u32 nwords, char *buf, size_t size);
/* The operations of a bundle in one line; see struct vs_disasm. */
int mg_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size);

#endif /* MIDGARD_DISASM_H */
