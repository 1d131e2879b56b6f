/* SPDX-License-Identifier: GPL-2.0 */
/* Random Bifrost programs of operations between registers. */
#ifndef SELFTESTS_BIFROST_CLAUSE_GEN_H
#define SELFTESTS_BIFROST_CLAUSE_GEN_H

#include "bifrost_disasm.h"

#define GEN_REGS	12		/* registers that programs use */
#define GEN_ADDRESS	12		/* and the next one: address of GEN_MEMORY bytes */
#define GEN_MEMORY	64
#define GEN_PUSH	4		/* pairs of push uniforms */
#define GEN_MAX_OPS	512		/* more than a unit has */
#define GEN_MAX_CLAUSES	5
#define GEN_MAX_WORDS	(GEN_MAX_CLAUSES * 4 * BI_CLAUSE_QUADS)

/**
 * struct gen_prog - a program
 * @words: code
 * @nquads: quads
 * @op: single operations: the one that is tested
 * @unit: its unit
 */
struct gen_prog {
	u32 words[GEN_MAX_WORDS];
	u32 nquads;
	const struct bi_op *op;
	enum bi_unit unit;
};

u32 gen_rand(void);
void gen_seed(u32 seed);
/* A word of a kind that shows mistakes: floats, halves, small numbers, bits. */
u32 gen_word(void);
/* Does the operation only make a value of its operands? */
bool gen_pure(const struct bi_op *op);
/* One tuple with operation @n of a unit. Return: false if there is nothing to test. */
bool gen_single(struct gen_prog *p, enum bi_unit unit, u32 n);
/* The same, messages, branches and what belongs together too. */
bool gen_any(struct gen_prog *p, enum bi_unit unit, u32 n);
/* All operations that only make a value. */
void gen_all(bool use[BI_NUM_UNITS][GEN_MAX_OPS]);
/* Clauses of operations that @use says, with at most one message each, and branches forward. */
void gen_mixed(struct gen_prog *p, bool use[BI_NUM_UNITS][GEN_MAX_OPS]);

/*
 * Two operations of a tuple: port 0 reads r0, port 1 r1, port 2 r2, the FAU value is the first
 * pair of push uniforms; results go to r4 and r5. Messages have the address on ports 0 and 1,
 * staging registers from r6 on.
 */
void gen_pair(struct gen_prog *p, u32 fma, u32 add);

#endif
