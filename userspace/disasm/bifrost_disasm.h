/* SPDX-License-Identifier: MIT */
/*
 * Bifrost programs as text.
 */
#ifndef BIFROST_DISASM_H
#define BIFROST_DISASM_H

#include "bifrost_encode.h"
#include "disasm.h"

/* bifrost_disasm.c */

/* Text of an operand, without modifiers; no other code of the tuple has the same. */
void bi_put_operand(struct vs_text *t, const struct bi_view *v, u32 tuple, enum bi_unit unit,
		    u32 code);
/* Text of an operation. */
void bi_put_op(struct vs_text *t, const struct bi_view *v, u32 tuple, enum bi_unit unit);

/* bifrost_listing.c */
/* Return: enum bi_gpu, or -1. */
int bi_gpu_by_name(const char *name);
const char *bi_gpu_name(enum bi_gpu gpu);
const char *bi_message_name(u32 message);
const char *bi_flow_name(u32 flow);
void bi_put_clause(struct vs_text *t, const struct bi_view *v);

/**
 * bi_listing() - text of a program
 * @words: program; it need not be valid
 * @nwords: 32-bit words
 * @buf: output buffer, or NULL
 * @size: room, terminating zero included
 *
 * Assembling the text reproduces the words.
 *
 * Return: length of the whole text, even if truncated; -E2BIG if the program exceeds
 * BI_MAX_QUADS, -EINVAL if it is not whole quads.
 */
int bi_listing(const u32 *words, u32 nwords, char *buf, size_t size);

/* The operations of a clause in one line; see struct vs_disasm. */
int bi_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size);

#endif /* BIFROST_DISASM_H */
