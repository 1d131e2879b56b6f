/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Toy ISA: an accumulator machine with integers of 32 bits. A word is opcode << 24 | operand.
 */
#ifndef TOY_H
#define TOY_H

#define TOY_WORD(op, n)	((uint32_t)(op) << 24 | ((n) & 0xffffff))
#define TOY_ENGINE	7

enum toy_op {
	TOY_END,	/* next invocation */
	TOY_SET,	/* acc = operand, signed */
	TOY_LOAD,	/* acc = in[invocation] */
	TOY_STORE,	/* out[invocation] = acc */
	TOY_ADD,	/* acc += operand, signed */
	TOY_MUL,	/* acc *= operand, signed */
	TOY_JNZ,	/* if acc is not 0, go to word operand */
	TOY_NUM_OPS
};

/* Reasons of the verifier. */
enum toy_reason { TOY_OPCODE = 1, TOY_TARGET, TOY_NO_END };

/* Engine block of a shader job. */
struct toy_block {
	uint64_t in_va;
	uint64_t out_va;
	uint32_t count;
	uint32_t pad;
};

#endif /* TOY_H */
