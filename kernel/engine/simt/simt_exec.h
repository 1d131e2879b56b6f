/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * SIMT executors: interface between their builds and simt_finish_step(). No floating-point types
 * here.
 */
#ifndef SIMT_EXEC_H
#define SIMT_EXEC_H

#include "simt.h"

/* Micro-ops that the portable executor, which is slow, executes per call. */
#define SIMT_SOFT_PIECE	16
#include "../vs_num.h"

#define SIMT_F32_NAN	0x7fc00000U
#define SIMT_F16_NAN	0x7e00U

/*
 * Specialised handlers of the dispatcher; _M: with modifiers or a clamp. All other cases are
 * SIMT_H_GEN, which dispatches on the operation.
 */
enum simt_h {
	SIMT_H_STOP,		/* classes M, X and C, but for the next three */
	SIMT_H_JOIN, SIMT_H_JMP, SIMT_H_BRANCH,
	SIMT_H_GEN,
	SIMT_H_MOV, SIMT_H_PERM,
	SIMT_H_FADD, SIMT_H_FMUL, SIMT_H_FMA, SIMT_H_FMIN, SIMT_H_FMAX,
	SIMT_H_FADD_M, SIMT_H_FMUL_M, SIMT_H_FMA_M, SIMT_H_FMAU, SIMT_H_FMAU_M, SIMT_H_FDOT,
	SIMT_H_FDOT_M,
	SIMT_H_F2I, SIMT_H_F2U, SIMT_H_I2F, SIMT_H_U2F,
	SIMT_H_IADD, SIMT_H_ISUB, SIMT_H_IMUL, SIMT_H_IMAD,
	SIMT_H_IMIN, SIMT_H_IMAX, SIMT_H_UMIN, SIMT_H_UMAX,
	SIMT_H_IAND, SIMT_H_IOR, SIMT_H_IXOR,
	SIMT_H_SHL, SIMT_H_SHR, SIMT_H_ASR, SIMT_H_SHLI, SIMT_H_SHLA, SIMT_H_SHRI, SIMT_H_ASRI,
	SIMT_H_SHLX, SIMT_H_SHRX, SIMT_H_SHRXM,
	SIMT_H_BSEL, SIMT_H_SHADD, SIMT_H_SHADD_S, SIMT_H_SHADD_U,
	SIMT_H_HADD, SIMT_H_HMUL, SIMT_H_HFMA, SIMT_H_H2F, SIMT_H_F2H2,
	SIMT_H_FHALF,
	/* one for each comparison, in the order of enum simt_cmp */
	SIMT_H_FCMP,
	SIMT_H_FCSEL = SIMT_H_FCMP + 8,
	SIMT_H_ICMP = SIMT_H_FCSEL + 8,
	SIMT_H_ICSEL = SIMT_H_ICMP + 6,
	SIMT_H_UCMP = SIMT_H_ICSEL + 6,
	SIMT_H_UCSEL = SIMT_H_UCMP + 6,
	SIMT_NUM_HANDLERS = SIMT_H_UCSEL + 6
};

extern const u32 simt_exp_table[16];
extern const u32 simt_sin_table[16];
extern const u32 simt_log_table[3][16];
extern const u32 simt_inactive_value[16];

/* The handler of a micro-op. */
u16 simt_handler(const struct simt_uop *u);

/* Execute an operation of the classes F to I that has no vector code. */
void simt_scalar(struct simt_block *b, const struct simt_uop *u);
/* One word of PERM. */
u32 simt_perm1(u32 imm, u32 s0, u32 s1);

const struct simt_uop *simt_exec_soft(struct simt_block *b, const struct simt_uop *u);
const struct simt_uop *simt_exec_sse2(struct simt_block *b, const struct simt_uop *u);
const struct simt_uop *simt_exec_avx2(struct simt_block *b, const struct simt_uop *u);
const struct simt_uop *simt_exec_avx512(struct simt_block *b, const struct simt_uop *u);
const struct simt_uop *simt_exec_neon(struct simt_block *b, const struct simt_uop *u);

/* Copy a block's operands from shared slots; @first: slots of the first block in step. */
static inline void simt_fetch(struct simt_block *b, const u32 *first, const struct simt_uop *u)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++) {
		size_t at = (size_t)SIMT_LANES * u->s[i];

		if (u->s[i] >= b->own && !(u->s[i] & SIMT_U))
			memcpy(b->slot + at, first + at, SIMT_LANES * sizeof(*first));
	}
}

/* Values of "true". */
static inline u32 simt_true(u32 imm)
{
	switch (imm >> 4 & 3) {
	case SIMT_TRUE_1:
		return 1;
	case SIMT_TRUE_1F:
		return VS_F32_ONE;
	default:
		return ~0U;
	}
}

/* The same in halves: binary16, or integers when there is nothing like 1.0. */
static inline u32 simt_true16(u32 imm, bool is_float)
{
	switch (imm >> 4 & 3) {
	case SIMT_TRUE_1:
		return 1;
	case SIMT_TRUE_1F:
		return is_float ? 0x3c00 : 1;
	default:
		return 0xffff;
	}
}

/* Source half (by the swizzle) that half @half of a class H or G result is computed from. */
static inline u32 simt_swz_half(u32 imm, u32 src, u32 half)
{
	switch (imm >> (16 + 2 * src) & 3) {
	case SIMT_H01:
		return half;
	case SIMT_H00:
		return 0;
	case SIMT_H11:
		return 1;
	default:
		return !half;
	}
}

#endif /* SIMT_EXEC_H */
