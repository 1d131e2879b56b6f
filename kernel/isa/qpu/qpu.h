/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * VideoCore IV QPU: instruction fields, decoding and checks.
 *
 * Source: VideoCore IV 3D Architecture Reference Guide, with the corrections that the
 * vc4asm and VC4C projects and Mesa's vc4 driver found on hardware.
 */
#ifndef QPU_H
#define QPU_H

#include "../isa.h"

#define QPU_MAX_WORDS	65536	/* instructions (64 bit) per program */

/* Operations; adder and multiplier have separate codes. */
enum qpu_add_op {
#define QPU_ADD_OP(code, name, ...) QPU_A_##name = (code),
#define QPU_MUL_OP(...)
#include "qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
	QPU_NUM_ADD_OPS = 32
};

enum qpu_mul_op {
#define QPU_ADD_OP(...)
#define QPU_MUL_OP(code, name, ...) QPU_M_##name = (code),
#include "qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
	QPU_NUM_MUL_OPS = 8
};

/* Signalling bits 63:60. */
enum qpu_sig {
	QPU_SIG_BKPT, QPU_SIG_NONE, QPU_SIG_THRSW, QPU_SIG_THREND, QPU_SIG_SBWAIT,
	QPU_SIG_SBDONE, QPU_SIG_LTHRSW, QPU_SIG_LOADCV, QPU_SIG_LOADC, QPU_SIG_LDCEND,
	QPU_SIG_LDTMU0, QPU_SIG_LDTMU1, QPU_SIG_LOADAM, QPU_SIG_SMI, QPU_SIG_LDI,
	QPU_SIG_BRANCH
};

/* Condition codes of the ALUs. */
enum qpu_cond {
	QPU_COND_NEVER, QPU_COND_ALWAYS, QPU_COND_ZS, QPU_COND_ZC, QPU_COND_NS, QPU_COND_NC,
	QPU_COND_CS, QPU_COND_CC
};

/* Branch conditions; 12 to 14 are undefined. */
enum qpu_br_cond {
	QPU_BR_ALLZ, QPU_BR_ALLNZ, QPU_BR_ANYZ, QPU_BR_ANYNZ, QPU_BR_ALLN, QPU_BR_ALLNN,
	QPU_BR_ANYN, QPU_BR_ANYNN, QPU_BR_ALLC, QPU_BR_ALLNC, QPU_BR_ANYC, QPU_BR_ANYNC,
	QPU_BR_ALWAYS = 15
};

/* Input multiplexers: 0..5 are r0..r5. */
#define QPU_MUX_R4	4
#define QPU_MUX_R5	5
#define QPU_MUX_A	6
#define QPU_MUX_B	7

/* Read addresses of register files A and B from 32 on. */
enum qpu_raddr {
	QPU_R_UNIF = 32, QPU_R_VARY = 35, QPU_R_ELEM_QPU = 38, QPU_R_NOP = 39,
	QPU_R_XY_PIXEL = 41, QPU_R_MS_REV = 42, QPU_R_VPM = 48, QPU_R_VPM_BUSY = 49,
	QPU_R_VPM_WAIT = 50, QPU_R_MUTEX = 51
};

/* Write addresses from 32 on. */
enum qpu_waddr {
	QPU_W_ACC0 = 32, QPU_W_ACC1, QPU_W_ACC2, QPU_W_ACC3, QPU_W_TMU_NOSWAP = 36,
	QPU_W_ACC5 = 37, QPU_W_HOST_INT = 38, QPU_W_NOP = 39, QPU_W_UNIF_ADDR = 40,
	QPU_W_QUAD_XY = 41, QPU_W_MS_REV = 42, QPU_W_TLB_STENCIL = 43, QPU_W_TLB_Z = 44,
	QPU_W_TLB_COLOR_MS = 45, QPU_W_TLB_COLOR = 46, QPU_W_TLB_ALPHA = 47, QPU_W_VPM = 48,
	QPU_W_VPM_SETUP = 49, QPU_W_VPM_ADDR = 50, QPU_W_MUTEX = 51, QPU_W_SFU_RECIP = 52,
	QPU_W_SFU_RSQRT = 53, QPU_W_SFU_EXP = 54, QPU_W_SFU_LOG = 55, QPU_W_TMU0_S = 56,
	QPU_W_TMU0_T, QPU_W_TMU0_R, QPU_W_TMU0_B, QPU_W_TMU1_S = 60, QPU_W_TMU1_T,
	QPU_W_TMU1_R, QPU_W_TMU1_B
};

/* Load immediate forms, bits 59:57. */
enum qpu_ldi { QPU_LDI_32 = 0, QPU_LDI_ELEM_S = 1, QPU_LDI_ELEM_U = 3, QPU_LDI_SEMA = 4 };

/**
 * struct qpu_insn - fields of an instruction word
 *
 * @sig determines which fields are used. The fields of each form cover all bits of a word;
 * branches do not use bits 59:56 (@unpack and @pm), which must be zero.
 *
 * @sig:	enum qpu_sig; SMI, LDI and BRANCH change the form
 * @unpack:	unpack mode; LDI: enum qpu_ldi
 * @pm:		pack/unpack select: 0 register file A, 1 r4 and the multiplier
 * @pack:	pack mode
 * @cond_add:	enum qpu_cond
 * @cond_mul:	enum qpu_cond
 * @sf:		set flags; branch: also the lowest bit of @br_raddr
 * @ws:		write swap: add result to file B, mul result to file A
 * @waddr_add:	destination of the adder
 * @waddr_mul:	destination of the multiplier
 * @op_mul:	enum qpu_mul_op
 * @op_add:	enum qpu_add_op
 * @raddr_a:	read address of file A
 * @raddr_b:	read address of file B; with SMI the small immediate
 * @mux:	input multiplexers: add a, add b, mul a, mul b
 * @br_cond:	branch: enum qpu_br_cond
 * @br_rel:	branch: relative to the address of the fourth instruction on
 * @br_reg:	branch: add register file A, @br_raddr, element 15
 * @br_raddr:	branch: 0..31
 * @imm:	LDI: value; semaphore: bit 4 acquire, 3:0 index; branch: offset
 */
struct qpu_insn {
	u8 sig;
	u8 unpack;
	u8 pm;
	u8 pack;
	u8 cond_add;
	u8 cond_mul;
	u8 sf;
	u8 ws;
	u8 waddr_add;
	u8 waddr_mul;
	u8 op_mul;
	u8 op_add;
	u8 raddr_a;
	u8 raddr_b;
	u8 mux[4];
	u8 br_cond;
	u8 br_rel;
	u8 br_reg;
	u8 br_raddr;
	u32 imm;
};

/* qpu_decode.c */

/* Decode an instruction word; cannot fail. */
void qpu_decode(u64 word, struct qpu_insn *insn);
/* qpu_walk.c: does a branch write the address following its delay slots? */
bool qpu_stores_link(const struct qpu_insn *insn);

/* Reject reasons; 0 is none. */
enum qpu_reason {
	QPU_OK, QPU_BAD_PACK, QPU_BAD_LDI, QPU_BAD_BR_COND, QPU_BAD_RADDR_A,
	QPU_BAD_RADDR_B, QPU_BAD_RESERVED, QPU_BAD_BRANCH_TARGET, QPU_BAD_ENTRY, QPU_BAD_SIZE,
	QPU_BAD_STAGE, QPU_NUM_REASONS
};

/**
 * qpu_check - check that an instruction is defined
 * @insn: its fields
 * @lo: on error: lowest bit (0..63) of the offending field
 * @hi: on error: highest bit
 *
 * Return: QPU_OK or the reject reason.
 */
enum qpu_reason qpu_check(const struct qpu_insn *insn, u8 *lo, u8 *hi);

/*
 * Is an adder operation code defined? Undefined codes return 0 (no known effect on flags):
 * programs that measure the hardware contain them, so they are not rejected.
 */
bool qpu_add_op_defined(u32 op);
/* Number of operands; 2 for undefined operations, which read like the others. */
u32 qpu_add_operands(u32 op);
u32 qpu_mul_operands(u32 op);

/* Value of small immediate 0..47 (0x3f800000 for 1.0 ...); 48..63: -16..-1. */
u32 qpu_small_imm(u32 code);

extern const struct vs_isa qpu_isa;

#endif /* QPU_H */
