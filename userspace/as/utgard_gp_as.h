/* SPDX-License-Identifier: MIT */
/*
 * Utgard vertex assembler: internal interfaces.
 */
#ifndef UTGARD_GP_AS_H
#define UTGARD_GP_AS_H

#include "utgard_as.h"

/**
 * struct gas_insn - parsed instruction
 * @insn: its fields
 * @fixed: fields that are given by name, a mask
 * @units: units in use, a mask
 * @acc_op: the adders' operation is known
 * @mul_op: the multipliers' operation is known
 * @port0: port 0 is in use
 * @port1: port 1 is
 * @load: the load is
 * @store: components that are stored, a mask
 * @target: label of the branch, or NULL
 * @line: its first line
 * @last: its last line
 */
struct gas_insn {
	struct ugp_insn insn;
	u64 fixed;
	u32 units;
	bool acc_op;
	bool mul_op;
	bool port0;
	bool port1;
	bool load;
	u32 store;
	char *target;
	u32 line;
	u32 last;
};

/**
 * struct gas - assembly
 * @as: common state of both assemblers
 * @insns: instructions
 * @n: number of @insns
 */
struct gas {
	struct uas as;
	struct gas_insn insns[UGP_MAX_INSNS];
	u32 n;
};

/* Set a field unless it is given by name. */
static inline void gas_set(struct gas_insn *g, enum ugp_field f, u32 value)
{
	if (!(g->fixed >> f & 1))
		ugp_set(&g->insn, f, value);
}

/* utgard_gp_as_src.c */

/**
 * gas_src() - read an operand
 * @gas: assembly; applies to its last instruction
 * @s: text
 * @unit: unit
 * @b: it is operand b of an adder or multiplier
 * @code: its code
 *
 * Return: 0 or -EINVAL.
 */
int gas_src(struct gas *gas, char *s, enum ugp_unit unit, bool b, u32 *code);
/* Parse the number of a result, ^N; false for any other text. */
bool gas_result(const char *s, s64 *number);

/* utgard_gp_as_op.c: an operation of the last instruction. */
int gas_op(struct gas *gas, char *s);

#endif /* UTGARD_GP_AS_H */
