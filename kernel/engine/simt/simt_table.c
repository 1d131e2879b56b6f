// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Micro-ops of the SIMT machine as data, and which handler executes a micro-op.
 */
#include "simt_exec.h"

#define F	SIMT_CL_F
#define H	SIMT_CL_H
#define B	SIMT_CL_B
#define G	SIMT_CL_G
#define I	SIMT_CL_I
#define M	SIMT_CL_M
#define X	SIMT_CL_X
#define C	SIMT_CL_C

const struct simt_opinfo simt_opinfo[SIMT_NUM_OPS] = {
#define SIMT_OP(op, cl, n, w, text) \
	[SIMT_##op] = { .name = #op, .class = cl, .nsrc = n, .weight = w },
#include "simt_ops.def"
#undef SIMT_OP
};

#undef F
#undef H
#undef B
#undef G
#undef I
#undef M
#undef X
#undef C

/* Tables of functions, see selftests/simt/coef.py. */

/* 2^(i / 16) */
const u32 simt_exp_table[16] __aligned(64) = {
	0x3f800000, 0x3f85aac3, 0x3f8b95c2, 0x3f91c3d3, 0x3f9837f0, 0x3f9ef532, 0x3fa5fed7,
	0x3fad583f, 0x3fb504f3, 0x3fbd08a4, 0x3fc5672a, 0x3fce248c, 0x3fd744fd, 0x3fe0ccdf,
	0x3feac0c7, 0x3ff5257d,
};

/* sin(i pi / 32) */
const u32 simt_sin_table[16] __aligned(64) = {
	0x00000000, 0x3dc8bd36, 0x3e47c5c2, 0x3e94a031, 0x3ec3ef15, 0x3ef15aea, 0x3f0e39da,
	0x3f226799, 0x3f3504f3, 0x3f45e403, 0x3f54db31, 0x3f61c598, 0x3f6c835e, 0x3f74fa0b,
	0x3f7b14be, 0x3f7ec46d,
};

/* By the four highest bits of the fraction: reciprocal, -log2 and -ln of it. */
const u32 simt_log_table[3][16] __aligned(64) = {
	{
		0x3f780000, 0x3f680000, 0x3f600000, 0x3f500000, 0x3f480000, 0x3f400000,
		0x3f380000, 0x3f300000, 0x3fa80000, 0x3fa00000, 0x3f980000, 0x3f980000,
		0x3f900000, 0x3f880000, 0x3f880000, 0x3f800000,
	}, {
		0x3d3b9ca6, 0x3e116d6e, 0x3e4544c0, 0x3e995ff7, 0x3eb6587b, 0x3ed47fcc,
		0x3ef3efb0, 0x3f0a62b0, 0xbec8ddd4, 0xbea4d3c2, 0xbe7de0b6, 0xbe7de0b6,
		0xbe2e00d2, 0xbdb31fb8, 0xbdb31fb8, 0x80000000,
	}, {
		0x3d020aec, 0x3dc99af3, 0x3e08bc74, 0x3e549f6a, 0x3e7cc8e3, 0x3e934b11,
		0x3ea91570, 0x3ebfd7d2, 0xbe8b3ae5, 0xbe647fbe, 0xbe2ff984, 0xbe2ff984,
		0xbdf1383b, 0xbd785186, 0xbd785186, 0x80000000,
	},
};

#define SWIZZLES	0x00ff0000U

/* Integers have six comparisons; GTLT is NE. */
static u16 int_cmp(u32 imm, u32 handler)
{
	u32 cmp = imm & 15;

	if (cmp == SIMT_GTLT)
		cmp = SIMT_NE;
	return cmp <= SIMT_LE ? handler + cmp : SIMT_H_GEN;
}

/* Operations that have a handler whatever the immediate is. */
static const u8 simple[SIMT_NUM_OPS] = {
	[SIMT_MOV] = SIMT_H_MOV, [SIMT_IADD] = SIMT_H_IADD, [SIMT_ISUB] = SIMT_H_ISUB,
	[SIMT_IMUL] = SIMT_H_IMUL, [SIMT_IMIN] = SIMT_H_IMIN, [SIMT_IMAX] = SIMT_H_IMAX,
	[SIMT_UMIN] = SIMT_H_UMIN, [SIMT_UMAX] = SIMT_H_UMAX, [SIMT_SHL] = SIMT_H_SHL,
	[SIMT_SHR] = SIMT_H_SHR, [SIMT_ASR] = SIMT_H_ASR, [SIMT_SHLI] = SIMT_H_SHLI,
	[SIMT_SHLA] = SIMT_H_SHLA,
	[SIMT_SHRI] = SIMT_H_SHRI, [SIMT_ASRI] = SIMT_H_ASRI, [SIMT_BSEL] = SIMT_H_BSEL,
};

/* Without modifiers, of words. */
static u16 plain_word(const struct simt_uop *u)
{
	switch (u->op) {
	case SIMT_IAND:
		return u->imm & 7 ? SIMT_H_GEN : SIMT_H_IAND;
	case SIMT_IOR:
		return u->imm & 7 ? SIMT_H_GEN : SIMT_H_IOR;
	case SIMT_IXOR:
		return u->imm & 7 ? SIMT_H_GEN : SIMT_H_IXOR;
	case SIMT_I2F:
		return (u->imm & 7) == SIMT_RTE ? SIMT_H_I2F : SIMT_H_GEN;
	case SIMT_U2F:
		return (u->imm & 7) == SIMT_RTE ? SIMT_H_U2F : SIMT_H_GEN;
	case SIMT_SHADD:
		return SIMT_H_SHADD + min_t(u32, u->imm >> 4 & 3, 2);
	case SIMT_ICMP:
		return int_cmp(u->imm, SIMT_H_ICMP);
	case SIMT_UCMP:
		return int_cmp(u->imm, SIMT_H_UCMP);
	case SIMT_ICSEL:
		return int_cmp(u->imm, SIMT_H_ICSEL);
	case SIMT_UCSEL:
		return int_cmp(u->imm, SIMT_H_UCSEL);
	default:
		return simple[u->op] ? simple[u->op] : SIMT_H_GEN;
	}
}

/* Without modifiers and clamp, of floats. */
static u16 plain_float(const struct simt_uop *u)
{
	bool swz = u->imm & SWIZZLES;

	switch (u->op) {
	case SIMT_FMOV:
		return SIMT_H_MOV;
	case SIMT_FADD:
		return SIMT_H_FADD;
	case SIMT_FMUL:
		return SIMT_H_FMUL;
	case SIMT_FMA:
		return SIMT_H_FMA;
	case SIMT_FMAU:
		return SIMT_H_FMAU;
	case SIMT_FMAR:
		return (u->imm & 7) == SIMT_RTE ? SIMT_H_FMA : SIMT_H_GEN;
	case SIMT_FMIN:
		return (u->imm & 3) == SIMT_NAN_SUPPRESS ? SIMT_H_FMIN : SIMT_H_GEN;
	case SIMT_FMAX:
		return (u->imm & 3) == SIMT_NAN_SUPPRESS ? SIMT_H_FMAX : SIMT_H_GEN;
	case SIMT_F2I:
		return (u->imm & 7) == SIMT_RTZ ? SIMT_H_F2I : SIMT_H_GEN;
	case SIMT_F2U:
		return (u->imm & 7) == SIMT_RTZ ? SIMT_H_F2U : SIMT_H_GEN;
	case SIMT_FCMP:
		return SIMT_H_FCMP + (u->imm & 7);
	case SIMT_FCSEL:
		return SIMT_H_FCSEL + (u->imm & 7);
	case SIMT_HADD:
		return swz ? SIMT_H_GEN : SIMT_H_HADD;
	case SIMT_HMUL:
		return swz ? SIMT_H_GEN : SIMT_H_HMUL;
	case SIMT_HFMAR:
		if ((u->imm & 7) != SIMT_RTE)
			return SIMT_H_GEN;
		fallthrough;
	case SIMT_HFMA:
		return swz ? SIMT_H_GEN : SIMT_H_HFMA;
	case SIMT_H2F:
		return SIMT_H_H2F;
	case SIMT_F2H2:
		return u->imm & 0x37 ? SIMT_H_GEN : SIMT_H_F2H2;
	default:
		return SIMT_H_GEN;
	}
}

/* With modifiers or a clamp. */
static u16 modified(const struct simt_uop *u)
{
	switch (u->op) {
	case SIMT_FADD:
		return SIMT_H_FADD_M;
	case SIMT_FMUL:
		return SIMT_H_FMUL_M;
	case SIMT_FMA:
		return SIMT_H_FMA_M;
	case SIMT_FMAU:
		return SIMT_H_FMAU_M;
	case SIMT_FMAR:
		return (u->imm & 7) == SIMT_RTE ? SIMT_H_FMA_M : SIMT_H_GEN;
	default:
		return SIMT_H_GEN;
	}
}

/* Does the byte permutation ask for a sign? */
static bool perm_signs(u32 imm)
{
	u32 i;

	for (i = 0; i < 16; i += 4)
		if ((imm >> i & 15) > SIMT_PERM_FF)
			return true;
	return false;
}

/**
 * simt_handler - the handler of a micro-op
 * @u: a micro-op that simt_prog_verify() accepts
 */
u16 simt_handler(const struct simt_uop *u)
{
	switch (simt_opinfo[u->op].class) {
	case SIMT_CL_M:
	case SIMT_CL_X:
	case SIMT_CL_C:
		return SIMT_H_STOP;
	case SIMT_CL_I:
		if (u->op == SIMT_PERM)
			return perm_signs(u->imm) ? SIMT_H_GEN : SIMT_H_PERM;
		return plain_word(u);
	default:
		return u->mods ? modified(u) : plain_float(u);
	}
}
