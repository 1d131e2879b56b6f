// SPDX-License-Identifier: MIT
/*
 * QPU instruction words from their fields.
 */
#include "qpu_encode.h"

static u64 put(u32 value, unsigned int lo, unsigned int width)
{
	return (value & ((1ULL << width) - 1)) << lo;
}

/**
 * qpu_encode() - put an instruction word together
 * @insn: fields; those absent from the form are ignored, as is the sf of a branch
 *
 * Return: the word.
 */
u64 qpu_encode(const struct qpu_insn *insn)
{
	u64 word = put(insn->sig, 60, 4) | put(insn->unpack, 57, 3) | put(insn->pm, 56, 1) |
		   put(insn->ws, 44, 1) | put(insn->waddr_add, 38, 6) |
		   put(insn->waddr_mul, 32, 6);
	unsigned int i;

	if (insn->sig == QPU_SIG_BRANCH)
		return word | put(insn->br_cond, 52, 4) | put(insn->br_rel, 51, 1) |
		       put(insn->br_reg, 50, 1) | put(insn->br_raddr, 45, 5) | insn->imm;
	word |= put(insn->pack, 52, 4) | put(insn->cond_add, 49, 3) |
		put(insn->cond_mul, 46, 3) | put(insn->sf, 45, 1);
	if (insn->sig == QPU_SIG_LDI)
		return word | insn->imm;
	word |= put(insn->op_mul, 29, 3) | put(insn->op_add, 24, 5) |
		put(insn->raddr_a, 18, 6) | put(insn->raddr_b, 12, 6);
	for (i = 0; i < 4; i++)
		word |= put(insn->mux[i], 9 - 3 * i, 3);
	return word;
}
