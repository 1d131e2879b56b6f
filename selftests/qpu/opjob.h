/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One operation over many operands, as a program: results that a job of 16 operand pairs
 * per thread writes to memory.
 */
#ifndef SELFTESTS_QPU_OPJOB_H
#define SELFTESTS_QPU_OPJOB_H

#include "exec.h"

/* Rows of words of a group of 16 operand pairs. */
enum opjob_row {
	OPJOB_RESULT, OPJOB_Z, OPJOB_N, OPJOB_C,
	OPJOB_PACK,			/* pack modes 1..15 over zero */
	OPJOB_ROWS = OPJOB_PACK + 15,
	/* of opjob_unpack() */
	OPJOB_INT = 0,			/* unpack modes 0..7, integer consumer */
	OPJOB_FLOAT = 8,		/* the same for a float consumer */
	OPJOB_R4 = 16,			/* of r4 */
	OPJOB_PACK_MUL = 24,		/* multiplier's pack modes 0, 3..7 over 0x11223344 */
	OPJOB_UNPACK_ROWS = 30
};

/**
 * opjob_run - run an operation on an executor
 * @ex: executor
 * @mul: operation of the multiplier
 * @op: its code
 * @a: @b: operands
 * @n: number of operand pairs, at most 1024
 * @out: OPJOB_ROWS words for each, operand by operand
 * @res: result of the job
 */
void opjob_run(unsigned int ex, bool mul, unsigned int op, const uint32_t *a, const uint32_t *b,
	       unsigned int n, uint32_t out[][OPJOB_ROWS], struct qx_result *res);

/* The same for unpack modes of words @a, and multiplier packs. */
void opjob_unpack(unsigned int ex, const uint32_t *a, unsigned int n,
		  uint32_t out[][OPJOB_UNPACK_ROWS], struct qx_result *res);

#endif
