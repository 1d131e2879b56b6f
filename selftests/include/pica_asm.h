/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of PICA200 programs, encoded by hand: instruction layouts and operand descriptors
 * as 3dbrew documents them. Independent of the driver's tables on purpose.
 */
#ifndef PICA_ASM_H
#define PICA_ASM_H

/* Destinations (5 bits). */
#define PD_O(n)		(n)
#define PD_R(n)		(0x10 + (n))
/* Sources: inputs, temporaries (5 or 7 bits), uniforms (7 bits only). */
#define PS_V(n)		(n)
#define PS_R(n)		(0x10 + (n))
#define PS_C(n)		(0x20 + (n))

enum {
	PICA_ADD = 0x00, PICA_DP3 = 0x01, PICA_DP4 = 0x02, PICA_MUL = 0x08,
	PICA_SGE = 0x09, PICA_SLT = 0x0a, PICA_FLR = 0x0b, PICA_MAX = 0x0c,
	PICA_MIN = 0x0d, PICA_RCP = 0x0e, PICA_RSQ = 0x0f, PICA_UNDEF = 0x10,
	PICA_MOVA = 0x12, PICA_MOV = 0x13, PICA_BREAK = 0x20, PICA_NOP = 0x21,
	PICA_END = 0x22, PICA_BREAKC = 0x23, PICA_CALL = 0x24, PICA_CALLC = 0x25,
	PICA_CALLU = 0x26, PICA_IFU = 0x27, PICA_IFC = 0x28, PICA_LOOP = 0x29,
	PICA_EMIT = 0x2a, PICA_SETEMIT = 0x2b, PICA_JMPC = 0x2c, PICA_JMPU = 0x2d,
};

/* Index field of wide sources. */
enum { PX_NONE, PX_A0X, PX_A0Y, PX_AL };

/* Layout 0: no operands. */
#define P0(op)		((unsigned int)(op) << 26)
/* Layout 1: wide first source, narrow second one (0 where there is none). */
#define P1X(op, dst, idx, s1, s2, desc)					\
	((unsigned int)(op) << 26 | (dst) << 21 | (idx) << 19 | (s1) << 12 |	\
	 (s2) << 7 | (desc))
#define P1(op, dst, s1, s2, desc)	P1X(op, dst, PX_NONE, s1, s2, desc)
/* Layout 1c: conditions of x and y. */
#define PCMP(cx, cy, s1, s2, desc)					\
	(0x2eu << 26 | (cx) << 24 | (cy) << 21 | (s1) << 12 | (s2) << 7 | (desc))
/* Layout 2: conditional flow; condition 0 or, 1 and, 2 x only, 3 y only. */
#define P2(op, refx, refy, cond, dst, num)				\
	((unsigned int)(op) << 26 | (refx) << 25 | (refy) << 24 | (cond) << 22 |	\
	 (dst) << 10 | (num))
/* Layout 3: flow by a uniform. */
#define P3(op, id, dst, num)						\
	((unsigned int)(op) << 26 | (id) << 22 | (dst) << 10 | (num))
/* Layout 4. */
#define PSETEMIT(slot, prim, inv)					\
	((unsigned int)PICA_SETEMIT << 26 | (slot) << 24 | (prim) << 23 | (inv) << 22)
/* Layout 5: the second source is the wide one. */
#define PMAD(dst, s1, s2, s3, desc)					\
	(7u << 29 | (dst) << 24 | (s1) << 17 | (s2) << 10 | (s3) << 5 | (desc))

/* Write mask and selectors of operand descriptors. */
#define PM_X		8u
#define PM_Y		4u
#define PM_Z		2u
#define PM_W		1u
#define PM_XYZW		15u
#define PSEL_XYZW	0x1bu
#define PSEL_XXXX	0x00u
#define PSEL_WZYX	0xe4u
#define PDESC(mask, sel1, sel2, sel3)					\
	((mask) | (sel1) << 5 | (sel2) << 14 | (sel3) << 23)
#define PDESC_NEG1	0x10u
#define PDESC_ALL	PDESC(PM_XYZW, PSEL_XYZW, PSEL_XYZW, PSEL_XYZW)

/* Float24: 1 sign, 7 exponent (bias 63), 16 mantissa bits. */
#define F24_ONE		0x3f0000u
#define F24_TWO		0x400000u

#endif
