// SPDX-License-Identifier: GPL-2.0
/* Operations that mix components. All values are exact in 1.7.16. */
#include "vectors.h"

#define F5	0x40a00000u
#define F6	0x40c00000u
#define F7	0x40e00000u
#define F8	0x41000000u
#define F9	0x41100000u
#define F10	0x41200000u
#define F20	0x41a00000u
#define F64	0x42800000u
#define FCLAMP	0x42fffe00u	/* 127.99609375 */
#define MCLAMP	0xc2fffe00u
#define P24	0x4b800000u	/* 2^24 */

#define SPLAT(x)	{ x, x, x, x }
#define PLAIN		DESC_PLAIN(0xf)
#define NEG1		DESC(0xf, SEL_XYZW, 1, SEL_XYZW, 0, SEL_XYZW, 0)
#define NEG2		DESC(0xf, SEL_XYZW, 0, SEL_XYZW, 1, SEL_XYZW, 0)

const struct vec4_vector vec4_vectors[] = {
	{ DP3, "1 2 3 . 1 1 1", PLAIN, { { F1, F2, F3, F4 }, SPLAT(F1) }, SPLAT(F6) },
	{ DP3, "w unused", PLAIN, { { F1, F2, F3, FNAN }, { F2, F2, F2, FNAN } },
	  SPLAT(0x41400000) },
	{ DP3, "inf and 0", PLAIN, { SPLAT(FINF), SPLAT(F0) }, SPLAT(F0) },
	{ DP3, "0 and inf", PLAIN, { SPLAT(F0), SPLAT(FINF) }, SPLAT(F0) },
	{ DP3, "NaN and 0", PLAIN, { { F1, FNAN, F1, F1 }, SPLAT(F0) }, SPLAT(FNAN) },
	{ DP3, "negated", NEG1, { { F1, F2, F3, F4 }, SPLAT(F1) }, SPLAT(0xc0c00000) },

	{ DP4, "1 2 3 4 . 1 1 1 1", PLAIN, { { F1, F2, F3, F4 }, SPLAT(F1) }, SPLAT(F10) },
	{ DP4, "1 2 3 4 . 4 3 2 1", PLAIN, { { F1, F2, F3, F4 }, { F4, F3, F2, F1 } },
	  SPLAT(F20) },
	{ DP4, "mask x only", DESC_PLAIN(0x8), { { F1, F2, F3, F4 }, SPLAT(F1) },
	  { F10, F0, F0, F0 } },
	{ DP4, "inf and 0", PLAIN, { { FINF, F1, F1, F1 }, { F0, F1, F1, F1 } }, SPLAT(F3) },
	{ DP4, "inf - inf", PLAIN, { { FINF, FINF, F1, F1 }, { F1, M1, F1, F1 } },
	  SPLAT(FNAN) },
	/* left to right 2^24 + 1 loses the 1 twice; pairs would add 2 */
	{ DP4, "sums left to right", PLAIN, { { P24, F0, F1, F1 }, SPLAT(F1) }, SPLAT(P24) },
	{ DP4, "sums left to right, large last", PLAIN, { { F1, F1, F0, 0x47800000 }, SPLAT(F1) },
	  SPLAT(0x47800100) },

	{ DPH, "w of source 1 is 1", PLAIN, { { F1, F2, F3, FNAN }, { F1, F1, F1, F4 } },
	  SPLAT(F10) },
	{ DPH, "negation leaves the 1 alone", NEG1, { { F1, F2, F3, F4 }, { F1, F1, F1, F4 } },
	  SPLAT(0xc0000000) },
	{ DPH, "negated source 2", NEG2, { { F1, F2, F3, F4 }, { F1, F1, F1, F4 } },
	  SPLAT(0xc1200000) },
	{ DPH, "inf and 0", PLAIN, { SPLAT(FINF), SPLAT(F0) }, SPLAT(F0) },
	{ DPH, "w of source 2 inf", PLAIN, { SPLAT(F0), { F1, F1, F1, FINF } }, SPLAT(FINF) },
	{ DPH, "mask yw", DESC_PLAIN(0x5), { { F1, F2, F3, F4 }, { F1, F1, F1, F4 } },
	  { F0, F10, F0, F10 } },

	{ DST, "2 3 4 5, 9 7 6 8", PLAIN, { { F2, F3, F4, F5 }, { F9, F7, F6, F8 } },
	  { F1, 0x41a80000, F4, F8 } },
	{ DST, "0 * inf in y", PLAIN, { { FNAN, F0, F4, FNAN }, { FNAN, FINF, FNAN, F8 } },
	  { F1, F0, F4, F8 } },
	{ DST, "mask z", DESC_PLAIN(0x2), { { F2, F3, F4, F5 }, { F9, F7, F6, F8 } },
	  { F0, F0, F4, F0 } },
	{ DST, "negated", NEG1, { { F2, F3, F4, F5 }, { F9, F7, F6, F8 } },
	  { F1, 0xc1a80000, 0xc0800000, F8 } },

	{ LITP, "1 2 3 4", PLAIN, { { F1, F2, F3, F4 } }, { F1, F2, F0, F4 } },
	{ LITP, "negative x and w", PLAIN, { { M1, F2, F3, 0xc0800000 } }, { F0, F2, F0, F0 } },
	{ LITP, "y above the clamp", PLAIN, { { F1, 0x43800000, F0, F1 } },
	  { F1, FCLAMP, F0, F1 } },
	{ LITP, "y below the clamp", PLAIN, { { F1, 0xc3800000, F0, F1 } },
	  { F1, MCLAMP, F0, F1 } },
	{ LITP, "y inf", PLAIN, { { FINF, FINF, FINF, FINF } }, { FINF, FCLAMP, F0, FINF } },
	{ LITP, "-inf", PLAIN, { SPLAT(MINF) }, { F0, MCLAMP, F0, F0 } },
	{ LITP, "NaN x and w are 0", PLAIN, { { FNAN, F1, FNAN, FNAN } }, { F0, F1, F0, F0 } },
	{ LITP, "negated", NEG1, { { F1, F64, F1, M1 } }, { F0, 0xc2800000, F0, F1 } },
	{ LITP, "mask yz", DESC_PLAIN(0x6), { { F1, F2, F3, F4 } }, { F0, F2, F0, F0 } },

	{ ADD, "four components", PLAIN, { { F1, F2, F3, F4 }, { F4, F3, F2, F1 } },
	  SPLAT(F5) },
	{ ADD, "negated source 2", NEG2, { SPLAT(F10), { F1, F2, F3, F4 } },
	  { F9, F8, F7, F6 } },
	{ MUL, "four components", PLAIN, { { F1, F2, F3, F4 }, { F4, F3, F2, F1 } },
	  { F4, F6, F6, F4 } },
	{ RCP, "x to all", PLAIN, { { F4, F1, F2, F3 } }, SPLAT(0x3e800000) },
	{ RSQ, "x to all", PLAIN, { { F1, F2, F3, F4 } }, SPLAT(F1) },
	{ EX2, "x to all", PLAIN, { { F1, F2, F3, F4 } }, SPLAT(F2) },
	{ LG2, "x to all", PLAIN, { { F2, F1, F3, F4 } }, SPLAT(F1) },
	{ RCP, "x after the swizzle", DESC(0xf, 0xff, 0, SEL_XYZW, 0, SEL_XYZW, 0),
	  { { F1, F2, F3, F4 } }, SPLAT(0x3e800000) },
	{ LG2, "x after the swizzle", DESC(0xc, 0x6c, 0, SEL_XYZW, 0, SEL_XYZW, 0),
	  { { F3, F2, F3, F3 } }, { F1, F1, F0, F0 } },
	{ FLR, "four components", PLAIN, { { 0x3fc00000, 0x40200000, 0x40600000, 0xbfc00000 } },
	  { F1, F2, F3, 0xc0000000 } },
	{ SGE, "four components", PLAIN, { { F1, F2, F3, F4 }, SPLAT(F3) }, { F0, F0, F1, F1 } },
	{ SLT, "four components", PLAIN, { { F1, F2, F3, F4 }, SPLAT(F3) }, { F1, F1, F0, F0 } },
	{ MAX, "four components", PLAIN, { { F1, F2, F3, F4 }, SPLAT(F3) }, { F3, F3, F3, F4 } },
	{ MIN, "four components", PLAIN, { { F1, F2, F3, F4 }, SPLAT(F3) }, { F1, F2, F3, F3 } },
};

const unsigned int num_vec4_vectors = sizeof(vec4_vectors) / sizeof(vec4_vectors[0]);
