/* SPDX-License-Identifier: MIT */
/*
 * Utgard pixel assembler: internal interfaces.
 */
#ifndef UTGARD_PP_AS_H
#define UTGARD_PP_AS_H

#include "utgard_as.h"

#define PAS_MAX_TOKENS	8

/**
 * struct pas_item - instruction or a word of data
 * @words: encoding; branch targets and sizes of other instructions are filled in later
 * @n: number of @words
 * @data: a word of data
 * @branch: has a branch whose target is unresolved
 * @fixed: parts of the control word that are given by name, a mask
 * @fixed_branch: parts of the branch field, likewise
 * @pos: position in words
 * @line: its line
 * @target: target of the branch
 * @label: name of the target, or NULL
 */
struct pas_item {
	u32 words[UPP_INSN_WORDS];
	u8 n;
	bool data;
	bool branch;
	u32 fixed;
	u32 fixed_branch;
	u32 pos;
	u32 line;
	s64 target;
	char *label;
};

/**
 * struct pas - assembly
 * @as: common state of both assemblers
 * @items: instructions and data
 * @n: number of @items
 * @pos: position of the next item
 * @insn: instruction being read
 * @item: item under construction
 */
struct pas {
	struct uas as;
	struct pas_item *items;
	u32 n;
	u32 pos;
	struct upp_insn insn;
	struct pas_item item;
};

/* An operand: a register, its components, signs. */
struct pas_src {
	u32 reg;
	u32 swizzle;	/* of scalars, the component */
	bool absolute;
	bool negate;
	bool special;	/* ^v0, ^s0 */
};

int __printf(2, 3) pas_error(struct pas *pas, const char *fmt, ...);

/* utgard_pp_as_src.c: they return 0 or -EINVAL with a message. */
int pas_vector(struct pas *pas, char *s, const char *special, struct pas_src *src);
int pas_scalar(struct pas *pas, char *s, const char *special, struct pas_src *src);
/* Register and component as a number, no signs. */
int pas_lane(struct pas *pas, char *s, u32 *lane);
/* Destinations: $3.xy, $3.x. */
int pas_masked(struct pas *pas, char *s, u32 *reg, u32 *mask);
int pas_dest(struct pas *pas, char *s, u32 *lane);
/* Array index: 3, 3.zw, 3.y: index and alignment. */
int pas_index(struct pas *pas, char *s, s64 low, s64 high, s64 *index, u32 *align);
/* Text after a plus sign, which is cut off; NULL if there is none. */
char *pas_offset(char *s);
/* A half-precision number. */
int pas_half(struct pas *pas, const char *s, u32 *half);

/* utgard_pp_as_alu.c: fields that calculate; @head is the mnemonic. */
int pas_alu(struct pas *pas, char *head, char **tokens, u32 n);
/* utgard_pp_as_field.c: one item of an instruction. */
int pas_field(struct pas *pas, char *s);
/* Begin a field in a form; an error if it is there already. */
union upp_part *pas_begin(struct pas *pas, enum upp_form form, enum upp_field field);

#endif /* UTGARD_PP_AS_H */
