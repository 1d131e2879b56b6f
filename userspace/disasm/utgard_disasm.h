/* SPDX-License-Identifier: MIT */
/*
 * Utgard programs as text.
 *
 * The text follows Mesa's listings. Fields that it omits are inferred from it; a field
 * that differs from the inferred value is shown as ".name value". Assembling a listing
 * thus reproduces any program word for word.
 */
#ifndef UTGARD_DISASM_H
#define UTGARD_DISASM_H

#include "disasm.h"
#include "utgard_encode.h"

/* utgard_text.c */
/* Components: a mask, empty for all four; a swizzle of four, empty for identity. */
void ut_put_mask(struct vs_text *t, u32 mask);
void ut_put_swizzle(struct vs_text *t, u32 swizzle);
/* A half-precision number, exactly. */
void ut_put_half(struct vs_text *t, u32 half);
/* Make one line of several. Return: its length. */
int ut_one_line(struct vs_text *t);

/* utgard_gp_disasm.c */

/* Code with which stores take the result of a unit. */
u32 ugp_store_code(enum ugp_unit unit);

/* An instruction; @index: its position, which numbers of results depend on. */
void ugp_put_insn(struct vs_text *t, const struct ugp_insn *insn, u32 index);
/* The four mode bits of branches and temporary stores, inferred from the text. */
u32 ugp_mode(const struct ugp_insn *insn);

/**
 * ugp_listing() - text of a vertex program
 * @words: program; it need not be valid
 * @nwords: 32-bit words
 * @buf: output buffer, or NULL
 * @size: room, terminating zero included
 *
 * Return: length of the whole text, even if truncated; -EINVAL if it is not whole
 * instructions, -E2BIG if there are more than UGP_MAX_INSNS.
 */
int ugp_listing(const u32 *words, u32 nwords, char *buf, size_t size);
/* An instruction in one line; see struct vs_disasm. */
int ugp_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size);

/* utgard_pp_disasm.c */

/* Suffix of "branch"; bits of @condition: less, equal, greater. */
const char *upp_condition(u32 condition);
/* Registers from UPP_REG_CONST0 on. */
const char *upp_special_reg(u32 reg);

/* Parts of the control word that follow from the text: presence, sizes. */
void upp_ctrl_follow(struct upp_ctrl *ctrl, u32 fields, u32 next_count);
/*
 * An instruction at word @pos without its position; @next_count: words of the next
 * instruction, 0 if none; @target_count: words of the branch target's instruction.
 */
void upp_put_insn(struct vs_text *t, const struct upp_insn *insn, u32 pos, u32 next_count,
		  u32 target_count);

/**
 * upp_listing() - text of a pixel program
 * @words: program; it need not be valid
 * @nwords: 32-bit words
 * @buf: output buffer, or NULL
 * @size: room, terminating zero included
 *
 * Return: length of the whole text, even if truncated; -E2BIG if there are more than
 * UPP_MAX_WORDS, -ENOMEM.
 */
int upp_listing(const u32 *words, u32 nwords, char *buf, size_t size);
/* An instruction in one line; see struct vs_disasm. */
int upp_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size);

#endif /* UTGARD_DISASM_H */
