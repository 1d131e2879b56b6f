/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Micro-ops: front ends lower guest instructions to them, executors run them.
 *
 * A block is VS_LANES invocations. A slot is one 32-bit value per
 * lane. A micro-op is one operation on 1 to 4 component tuples of slot
 * numbers, so that swizzles and write masks cost nothing. Uniform operands are
 * word numbers in the block's uniform file, the same for all lanes.
 */
#ifndef VS_UOP_H
#define VS_UOP_H

#include "vs_glue.h"

#define VS_LANES	64
#define VS_MAX_SLOTS	512
#define VS_MAX_UOPS	(8 * 4096 + 64)
#define VS_MAX_PREDS	8
#define VS_MAX_STRAIGHT	128	/* maximum between two control micro-ops */

/*
 * Micro-operations.
 *
 * uops.def has one line each, from which this enum, the handlers, the verifier and
 * the printer are generated.
 */
enum vs_op {
#define VS_UOP(name, ...) VS_OP_##name,
#include "uops.def"
#undef VS_UOP
	VS_NUM_OPS
};

/* Flags of a micro-op. */
#define VS_UOP_FIRST	0x01	/* first micro-op of a guest instruction */
#define VS_UOP_A_UNIF	0x02	/* a[] are uniform words. At most one of a, b, c is */
#define VS_UOP_B_UNIF	0x04
#define VS_UOP_C_UNIF	0x08
#define VS_UOP_RINGS	0x10	/* flow: compare ring stacks with f.next afterwards */

/* Condition kinds of flow micro-ops. */
enum vs_cond {
	VS_COND_ALWAYS,
	VS_COND_PREDS,		/* lut >> (p0 | p1 << 1) & 1, per lane */
	VS_COND_BOOL,		/* boolean uniform number @num, xor @invert */
};

/**
 * struct vs_flow - Operands of control micro-ops.
 * @target:	branch destination (branches: when taken; IF: when false; LOOP: unused;
 *		CALL: first micro-op of the callee)
 * @resume:	micro-op that follows in guest order (CALL: return point; LOOP: start
 *		of the body)
 * @end:	guest address on which the pushed ring entry ends (its pop compares
 *		next == end)
 * @other:	micro-op to continue at when the pushed IF entry pops (after the
 *		else part); LOOP: micro-op after the loop
 * @next:	guest address of this instruction + 1, for %VS_UOP_RINGS
 * @cond:	enum vs_cond
 * @lut:	%VS_COND_PREDS: truth table over preds 0 and 1;
 *		%VS_COND_BOOL: invert
 * @num:	%VS_COND_BOOL: number of the boolean; LOOP: number of the loop
 *		descriptor (integer uniform)
 * @pad:	0
 * @al:		LOOP and ring pops: slot of the loop's address register
 * @pad2:	0
 */
struct vs_flow {
	u32 target;
	u32 resume;
	u32 other;
	u16 end;
	u16 next;
	u8 cond;
	u8 lut;
	u8 num;
	u8 pad;
	u16 al;
	u16 pad2;
};

/**
 * struct vs_uop - One micro-op.
 * @op:		enum vs_op
 * @ncomp:	components, 1..4
 * @flags:	VS_UOP_*
 * @imm:	meaning by operation, see uops.def
 * @handler:	executor's handler, set by vs_prog_finish()
 * @pad:	0
 * @d:		destination slots (or preds)
 * @a: @b: @c:	source slots, or uniform words with the flag; unused ones 0
 * @f:		control micro-ops only
 */
struct vs_uop {
	u16 op;
	u8 ncomp;
	u8 flags;
	u32 imm;
	u16 handler;
	u16 pad;
	union {
		struct {
			u16 d[4], a[4], b[4], c[4];
		};
		struct vs_flow f;
	};
};

/* imm of VS_OP_LDROW. */
#define VS_LDROW_BASE(imm)	((imm) & 0xff)
#define VS_LDROW_NEG		0x100	/* negate the value */

/* Comparison conditions of VS_OP_CMP: imm = condition of comp 0 | comp 1 << 4. */
enum vs_cmp { VS_CMP_EQ, VS_CMP_NE, VS_CMP_LT, VS_CMP_LE, VS_CMP_GT, VS_CMP_GE };

#endif /* VS_UOP_H */
