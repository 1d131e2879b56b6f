/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hand-derived vectors for every PICA200 operation and builders for the
 * instruction layouts. Nothing here is computed by an interpreter.
 */
#ifndef SELFTESTS_PICA_VECTORS_H
#define SELFTESTS_PICA_VECTORS_H

#include "pica_exec.h"

/* Register numbers as instructions name them. */
#define V(n)	(0x00u + (n))
#define R(n)	(0x10u + (n))
#define C(n)	(0x20u + (n))
#define O(n)	(0x00u + (n))

/* Layouts 1, 1i, 1c, 5, 5i, 2, 3, 4 and 0. */
#define I1(op, dst, idx, s1, s2, d) \
	((uint32_t)(op) << 26 | (dst) << 21 | (idx) << 19 | (s1) << 12 | (s2) << 7 | (d))
#define I1I(op, dst, idx, s1, s2, d) \
	((uint32_t)(op) << 26 | (dst) << 21 | (idx) << 19 | (s1) << 14 | (s2) << 7 | (d))
#define ICMP(cx, cy, idx, s1, s2, d) \
	(0x17u << 27 | (uint32_t)(cx) << 24 | (cy) << 21 | (idx) << 19 | (s1) << 12 | \
	 (s2) << 7 | (d))
#define IMAD(dst, idx, s1, s2, s3, d) \
	(7u << 29 | (uint32_t)(dst) << 24 | (idx) << 22 | (s1) << 17 | (s2) << 10 | (s3) << 5 | (d))
#define IMADI(dst, idx, s1, s2, s3, d) \
	(6u << 29 | (uint32_t)(dst) << 24 | (idx) << 22 | (s1) << 17 | (s2) << 12 | (s3) << 5 | (d))
#define I2(op, refx, refy, cond, dst, num) \
	((uint32_t)(op) << 26 | (uint32_t)(refx) << 25 | (refy) << 24 | (cond) << 22 | \
	 (dst) << 10 | (num))
#define I3(op, id, dst, num)	((uint32_t)(op) << 26 | (uint32_t)(id) << 22 | (dst) << 10 | (num))
#define ISETEMIT(slot, prim, inv) \
	(0x2bu << 26 | (uint32_t)(slot) << 24 | (prim) << 23 | (inv) << 22)
#define I0(op)	((uint32_t)(op) << 26)

/* Opcodes, by the names picasso uses. */
enum {
	ADD = 0x00, DP3 = 0x01, DP4 = 0x02, DPH = 0x03, DST = 0x04, EX2 = 0x05, LG2 = 0x06,
	LITP = 0x07, MUL = 0x08, SGE = 0x09, SLT = 0x0a, FLR = 0x0b, MAX = 0x0c, MIN = 0x0d,
	RCP = 0x0e, RSQ = 0x0f, MOVA = 0x12, MOV = 0x13, DPHI = 0x18, DSTI = 0x19, SGEI = 0x1a,
	SLTI = 0x1b, BREAK = 0x20, NOP = 0x21, END = 0x22, BREAKC = 0x23, CALL = 0x24,
	CALLC = 0x25, CALLU = 0x26, IFU = 0x27, IFC = 0x28, LOOP = 0x29, EMIT = 0x2a,
	SETEMIT = 0x2b, JMPC = 0x2c, JMPU = 0x2d, CMP = 0x2e, MADI = 0x30, MAD = 0x38,
};

/* Descriptor parts: mask bits x=8 .. w=1, selectors, negation. */
#define SEL_XYZW	0x1bu
#define DESC(mask, sel1, neg1, sel2, neg2, sel3, neg3) \
	((uint32_t)(mask) | (uint32_t)(neg1) << 4 | (uint32_t)(sel1) << 5 | \
	 (uint32_t)(neg2) << 13 | (uint32_t)(sel2) << 14 | (uint32_t)(neg3) << 22 | \
	 (uint32_t)(sel3) << 23)
#define DESC_PLAIN(mask)	DESC(mask, SEL_XYZW, 0, SEL_XYZW, 0, SEL_XYZW, 0)

/* binary32 bits used all over the tables */
#define F0	0x00000000u
#define N0	0x80000000u
#define F1	0x3f800000u
#define M1	0xbf800000u
#define F2	0x40000000u
#define F3	0x40400000u
#define F4	0x40800000u
#define FHALF	0x3f000000u
#define FINF	0x7f800000u
#define MINF	0xff800000u
#define FNAN	0x7fc00000u	/* as an expectation: any NaN */
#define SUB24	0x207fff00u	/* largest subnormal of 1.7.16 */
#define MSUB24	0xa07fff00u
#define MIN24	0x20800000u	/* 2^-62, smallest normal of 1.7.16 */
#define MAX24	0x5f7fff80u	/* largest finite of 1.7.16 */

/**
 * struct scalar_vector - operation on one component
 * @op: opcode in its plain form
 * @name: description of the case
 * @in: sources 1 to 3
 * @out: result in the models F32, F24_TRUNC, F24_NEAREST
 * @ulp: allowed distance in units of the model's last place
 */
struct scalar_vector {
	unsigned int op;
	const char *name;
	uint32_t in[3];
	uint32_t out[3];
	unsigned int ulp;
};

extern const struct scalar_vector scalar_vectors[];
extern const unsigned int num_scalar_vectors;

/**
 * struct vec4_vector - operation on whole registers
 * @op: opcode in its plain form
 * @name: description of the case
 * @desc: operand descriptor
 * @in: sources 1 and 2
 * @out: result, the same in every model
 */
struct vec4_vector {
	unsigned int op;
	const char *name;
	uint32_t desc;
	uint32_t in[2][4];
	uint32_t out[4];
};

extern const struct vec4_vector vec4_vectors[];
extern const unsigned int num_vec4_vectors;

#define FLOW_MAX_CODE	48

/**
 * struct flow_vector - program that counts the blocks it executes
 * @name: description of the case
 * @code: words; word 0 is the entry. c0 is (1, 1, 1, 1), descriptors 0 to 3
 *	  write one component, x to w: BUMP(i) adds 1 to component i of r0;
 *	  descriptor 4 writes all. SHOW copies r0 to o0.
 * @ncode: number of words
 * @i: integer uniforms
 * @b: boolean uniforms
 * @count: expected r0 when @status is PICA_REF_DONE
 * @al: expected aL, or -1
 * @status: expected status
 * @switches: PICA_REF_* switches
 */
struct flow_vector {
	const char *name;
	uint32_t code[FLOW_MAX_CODE];
	unsigned int ncode;
	uint8_t i[4][4];
	uint16_t b;
	unsigned int count[4];
	int al;
	enum pica_ref_status status;
	unsigned int switches;
};

#define BUMP(comp)	I1(ADD, R(0), 0, C(0), R(0), comp)
#define SHOW		I1(MOV, O(0), 0, R(0), 0, 4)

extern const struct flow_vector flow_vectors[];
extern const unsigned int num_flow_vectors;

#endif
