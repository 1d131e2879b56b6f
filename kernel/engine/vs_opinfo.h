/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Operand classes of micro-ops and executor handler numbers.
 */
#ifndef VS_OPINFO_H
#define VS_OPINFO_H

#include "vs_uop.h"

/* Operand classes, see uops.def. */
enum vs_class {
	VS_CL_C1, VS_CL_C2, VS_CL_C3, VS_CL_S1, VS_CL_D3, VS_CL_D4, VS_CL_DH, VS_CL_P2,
	VS_CL_RW, VS_CL_FL, VS_CL_HP
};

/**
 * struct vs_opinfo - A line of uops.def.
 * @name:	name
 * @class:	enum vs_class
 * @weight:	budget charged
 */
struct vs_opinfo {
	char name[8];
	u8 class;
	u8 weight;
};

extern const struct vs_opinfo vs_opinfo[VS_NUM_OPS];

static inline bool vs_op_is_control(u32 op)
{
	return vs_opinfo[op].class >= VS_CL_FL;
}

/* Operand components of sources a, b and c when @ncomp components are written. */
static inline u32 vs_src_comps(enum vs_class class, int src, u32 ncomp)
{
	switch (class) {
	case VS_CL_C1:
		return src == 0 ? ncomp : 0;
	case VS_CL_C2:
	case VS_CL_P2:
		return src <= 1 ? ncomp : 0;
	case VS_CL_C3:
		return ncomp;
	case VS_CL_S1:
	case VS_CL_RW:
		return src == 0 ? 1 : 0;
	case VS_CL_D3:
		return src <= 1 ? 3 : 0;
	case VS_CL_D4:
		return src <= 1 ? 4 : 0;
	case VS_CL_DH:
		return src == 0 ? 3 : src == 1 ? 4 : 0;
	default:
		return 0;
	}
}

/*
 * Handlers. Control micro-ops have handler 0: the executor returns at them. Frequent
 * operations have a handler for each component count and uniform operand (0 none, 1 a,
 * 2 b, 3 c); the others are numbered by operation.
 */
#define VS_H_CONTROL	0
#define VS_H(op, nc, unif)	((op) + 1 + ((nc) << 8) + ((unif) << 11))

static inline u32 vs_handler(const struct vs_uop *u)
{
	u32 unif = u->flags & VS_UOP_A_UNIF ? 1 : u->flags & VS_UOP_B_UNIF ? 2 :
		   u->flags & VS_UOP_C_UNIF ? 3 : 0;

	if (vs_op_is_control(u->op))
		return VS_H_CONTROL;
	switch (u->op) {
	case VS_OP_MOV:
	case VS_OP_ADD:
	case VS_OP_MUL:
	case VS_OP_MIN:
	case VS_OP_MAX:
		return VS_H(u->op, u->ncomp, unif);
	case VS_OP_MAD:
		return VS_H(u->op, unif == 1 ? 0 : u->ncomp, unif == 1 ? 0 : unif);
	case VS_OP_DP3:
	case VS_OP_DP4:
		return VS_H(u->op, u->ncomp == 1, u->ncomp == 1 ? unif : 0);
	default:
		return VS_H(u->op, 0, 0);
	}
}

#endif /* VS_OPINFO_H */
