// SPDX-License-Identifier: GPL-2.0
/*
 * Control flow, derived by hand from the rules of the three ring stacks: after
 * every instruction CALL closes up to four scopes, IF and LOOP one each; LOOP
 * wins over IF over CALL over a jump. The numbers in front are word indices.
 */
#include "vectors.h"

#define W(...)		.code = { __VA_ARGS__ }, .ncode = sizeof((uint32_t[]){ __VA_ARGS__ }) / 4
#define LOOPS(...)	.i = { __VA_ARGS__ }

#define CALL_(dst, num)		I2(CALL, 0, 0, 0, dst, num)
#define JUMP(dst)		I2(JMPC, 0, 0, 0, dst, 0)	/* flags are 0: always */
#define IF_B(n, dst, num)	I3(IFU, n, dst, num)
#define LOOP_I(n, dst)		I3(LOOP, n, dst, 0)
#define DONE			I0(END)
#define PAD			I0(NOP)
#define X	0
#define Y	1
#define Z	2
#define T	3	/* component w */

const struct flow_vector flow_vectors[] = {
	{
		.name = "CALL runs NUM words and returns",
		W(/* 0 */ CALL_(3, 2), SHOW, DONE,
		  /* 3 */ BUMP(X), BUMP(X), BUMP(Y), DONE),
		.count = { 2 }, .al = 0,
	}, {
		.name = "CALLC takes the condition",
		W(/* 0 */ I2(CALLC, 1, 0, 2, 4, 1), I2(CALLC, 0, 0, 2, 5, 1), SHOW, DONE,
		  /* 4 */ BUMP(X), BUMP(Y), BUMP(Z)),
		.count = { 0, 1 }, .al = -1,
	}, {
		.name = "CALLU takes the boolean",
		W(/* 0 */ I3(CALLU, 3, 4, 1), I3(CALLU, 15, 5, 1), SHOW, DONE,
		  /* 4 */ BUMP(X), BUMP(Y), BUMP(Z)),
		.b = 0x8000, .count = { 0, 1 }, .al = -1,
	}, {
		.name = "two CALLs return by one word",
		W(/* 0 */ CALL_(3, 2), SHOW, DONE,
		  /* 3 */ BUMP(X), CALL_(6, 1), DONE,
		  /* 6 */ BUMP(Y), DONE),
		.count = { 1, 1 }, .al = -1,
	}, {
		.name = "three CALLs return by one word",
		W(/* 0 */ CALL_(5, 1), SHOW, DONE, PAD, PAD,
		  /* 5 */ CALL_(7, 1), DONE,
		  /* 7 */ CALL_(9, 1), DONE,
		  /* 9 */ BUMP(X), DONE),
		.count = { 1 }, .al = -1,
	}, {
		.name = "the fourth CALL pop does not move the program counter",
		/*
		 * Word 3 executes a second time, with the flags set and no call, to show
		 * that the fourth entry is gone.
		 */
		W(/* 0 */ CALL_(3, 1), SHOW, DONE,
		  /* 3 */ I2(CALLC, 0, 0, 2, 7, 1), BUMP(T), I2(JMPC, 1, 0, 2, 1, 0), JUMP(12),
		  /* 7 */ CALL_(9, 1), DONE,
		  /* 9 */ CALL_(11, 1), DONE,
		  /* 11 */ BUMP(X), ICMP(0, 0, 0, V(0), V(0), 4), I2(JMPC, 1, 1, 1, 3, 0)),
		.count = { 1, 0, 0, 2 }, .al = -1,
	}, {
		.name = "a fifth CALL drops the oldest",
		W(/* 0 */ CALL_(4, 2), BUMP(T), SHOW, DONE,
		  /* 4 */ CALL_(10, 2), BUMP(X), BUMP(Y), SHOW, DONE, PAD,
		  /* 10 */ CALL_(14, 2), BUMP(X), DONE, PAD,
		  /* 14 */ CALL_(18, 2), BUMP(X), DONE, PAD,
		  /* 18 */ CALL_(22, 2), BUMP(X), DONE, PAD,
		  /* 22 */ BUMP(Z), BUMP(Z), DONE),
		.count = { 4, 1, 2 }, .al = -1,
	}, {
		.name = "CALL of no words never returns",
		W(/* 0 */ CALL_(4, 0), DONE, DONE, DONE,
		  /* 4 */ BUMP(X), SHOW, DONE),
		.count = { 1 }, .al = -1,
	}, {
		.name = "CALL that ends right after itself returns at once",
		W(/* 0 */ PAD, BUMP(Y), CALL_(1, 2), BUMP(X), SHOW, DONE),
		.count = { 1, 1 }, .al = -1,
	}, {
		.name = "a jump in the last word of a CALL is lost",
		W(/* 0 */ CALL_(4, 2), BUMP(Y), SHOW, DONE,
		  /* 4 */ BUMP(X), JUMP(8), DONE, DONE,
		  /* 8 */ BUMP(Z), SHOW, DONE),
		.count = { 1, 1 }, .al = -1,
	}, {
		.name = "IFU true",
		W(/* 0 */ IF_B(0, 3, 1), BUMP(X), BUMP(X), BUMP(Y), SHOW, DONE),
		.b = 1, .count = { 2 }, .al = -1,
	}, {
		.name = "IFU false",
		W(/* 0 */ IF_B(0, 3, 1), BUMP(X), BUMP(X), BUMP(Y), SHOW, DONE),
		.b = 0xfffe, .count = { 0, 1 }, .al = -1,
	}, {
		.name = "IF with an empty body",
		W(/* 0 */ IF_B(0, 1, 2), BUMP(X), BUMP(X), BUMP(Y), SHOW, DONE),
		.b = 1, .count = { 0, 1 }, .al = -1,
	}, {
		.name = "two IFs that end on one word close only the inner",
		W(/* 0 */ IF_B(0, 3, 1), IF_B(0, 3, 0), BUMP(X), BUMP(Y), SHOW, DONE),
		.b = 1, .count = { 1, 1 }, .al = -1,
	}, {
		.name = "a ninth IF drops the oldest",
		W(/* 0 */ IF_B(0, 26, 1), IF_B(0, 24, 1), IF_B(0, 22, 1), IF_B(0, 20, 1),
		  IF_B(0, 18, 1), IF_B(0, 16, 1), IF_B(0, 14, 1), IF_B(0, 12, 1),
		  IF_B(0, 10, 1), BUMP(X),
		  /* 10 */ BUMP(Y), BUMP(X), BUMP(Y), BUMP(X), BUMP(Y), BUMP(X), BUMP(Y),
		  BUMP(X), BUMP(Y), BUMP(X), BUMP(Y), BUMP(X), BUMP(Y), BUMP(X), BUMP(Y),
		  BUMP(X),
		  /* 26 */ BUMP(Y), SHOW, DONE),
		.b = 1, .count = { 9, 1 }, .al = -1,
	}, {
		.name = "a jump in the last word of an IF is lost",
		W(/* 0 */ IF_B(0, 3, 1), BUMP(X), JUMP(5), BUMP(Y), BUMP(Z), SHOW, DONE),
		.b = 1, .count = { 1, 0, 1 }, .al = -1,
	}, {
		.name = "LOOP runs x + 1 times and steps aL",
		W(/* 0 */ LOOP_I(0, 1), BUMP(X), SHOW, DONE),
		LOOPS({ 2, 5, 3, 0 }), .count = { 3 }, .al = 14,
	}, {
		.name = "LOOP with x = 0 runs once",
		W(/* 0 */ LOOP_I(3, 1), BUMP(X), SHOW, DONE),
		LOOPS({ 9, 9, 9, 9 }, { 9, 9, 9, 9 }, { 9, 9, 9, 9 }, { 0, 7, 1, 255 }),
		.count = { 1 }, .al = 8,
	}, {
		.name = "LOOP with x = 255 runs 256 times",
		W(/* 0 */ LOOP_I(1, 1), BUMP(X), SHOW, DONE),
		LOOPS({ 0 }, { 255, 0, 0, 0 }), .count = { 256 }, .al = 0,
	}, {
		.name = "aL has eight bits",
		W(/* 0 */ LOOP_I(0, 1), BUMP(X), SHOW, DONE),
		LOOPS({ 1, 250, 10, 0 }), .count = { 2 }, .al = 14,
	}, {
		.name = "nested LOOPs",
		W(/* 0 */ LOOP_I(0, 4), LOOP_I(1, 2), BUMP(X), BUMP(Y), PAD, SHOW, DONE),
		LOOPS({ 1, 10, 1, 0 }, { 2, 100, 2, 0 }), .count = { 6, 2 }, .al = 107,
	}, {
		.name = "nested LOOPs, outer aL restored",
		W(/* 0 */ LOOP_I(0, 4), LOOP_I(1, 2), BUMP(X), BUMP(Y), PAD, SHOW, DONE),
		LOOPS({ 1, 10, 1, 0 }, { 2, 100, 2, 0 }), .count = { 6, 2 }, .al = 12,
		.switches = PICA_REF_NESTED_AL_RESTORE,
	}, {
		.name = "two LOOPs that end on one word close only the inner",
		W(/* 0 */ LOOP_I(0, 2), LOOP_I(1, 2), BUMP(X), SHOW, DONE),
		LOOPS({ 1, 0, 1, 0 }, { 2, 0, 1, 0 }), .count = { 3 }, .al = 3,
	}, {
		.name = "a fifth LOOP drops the oldest",
		W(/* 0 */ LOOP_I(0, 13), LOOP_I(0, 11), LOOP_I(0, 9), LOOP_I(0, 7), LOOP_I(0, 5),
		  /* 5 */ BUMP(X), PAD, PAD, PAD, PAD, PAD, PAD, PAD, PAD,
		  /* 14 */ BUMP(Y), SHOW, DONE),
		LOOPS({ 1, 0, 1, 0 }), .count = { 16, 1 }, .al = -1,
	}, {
		.name = "LOOP that ends on itself repeats after itself",
		W(/* 0 */ LOOP_I(0, 0), BUMP(X), SHOW, DONE),
		LOOPS({ 2, 7, 1, 0 }), .count = { 1 }, .al = 8,
	}, {
		.name = "a jump in the last word of a LOOP is lost",
		W(/* 0 */ LOOP_I(0, 2), BUMP(X), JUMP(4), BUMP(Y), SHOW, DONE),
		LOOPS({ 2, 0, 1, 0 }), .count = { 3, 1 }, .al = -1,
	}, {
		.name = "a jump out of a LOOP leaves it active",
		/* The jump back into the body ends another pass of the same loop. */
		W(/* 0 */ LOOP_I(0, 3), BUMP(X), JUMP(6), BUMP(Y), SHOW, DONE,
		  /* 6 */ BUMP(Z), JUMP(3)),
		LOOPS({ 1, 0, 1, 0 }), .count = { 2, 2, 2 }, .al = 2,
	}, {
		.name = "BREAK leaves the loop at once",
		W(/* 0 */ LOOP_I(0, 3), BUMP(X), I0(BREAK), BUMP(Y), SHOW, DONE),
		LOOPS({ 7, 40, 1, 0 }), .count = { 1 }, .al = -1,
	}, {
		.name = "BREAK leaves only the innermost loop",
		W(/* 0 */ LOOP_I(0, 4), LOOP_I(1, 3), BUMP(X), I0(BREAK), BUMP(Y), SHOW, DONE),
		LOOPS({ 1, 0, 1, 0 }, { 5, 0, 1, 0 }), .count = { 2, 2 }, .al = -1,
	}, {
		.name = "BREAK leaves an IF entry behind",
		W(/* 0 */ LOOP_I(0, 4), IF_B(0, 6, 1), BUMP(X), I0(BREAK), PAD,
		  /* 5 */ BUMP(Y), BUMP(Z), SHOW, DONE),
		LOOPS({ 3, 0, 1, 0 }), .b = 1, .count = { 1, 1 }, .al = -1,
	}, {
		.name = "BREAK in a called function leaves the loop of the caller",
		/* The CALL entry stays, and returns when its end is reached again. */
		W(/* 0 */ LOOP_I(0, 2), CALL_(6, 3), BUMP(T), BUMP(Y), SHOW, DONE,
		  /* 6 */ BUMP(X), I0(BREAK), BUMP(Z), DONE),
		LOOPS({ 3, 0, 1, 0 }), .count = { 1, 1 }, .al = -1,
	}, {
		.name = "BREAKC false goes on",
		W(/* 0 */ LOOP_I(0, 3), BUMP(X), I2(BREAKC, 1, 1, 0, 0, 0), BUMP(Y), SHOW, DONE),
		LOOPS({ 3, 0, 1, 0 }), .count = { 4, 4 }, .al = -1,
	}, {
		.name = "BREAKC false needs no loop",
		W(/* 0 */ BUMP(X), I2(BREAKC, 1, 1, 0, 0, 0), SHOW, DONE),
		.count = { 1 }, .al = -1,
	}, {
		.name = "BREAK with no loop hangs",
		W(/* 0 */ BUMP(X), I0(BREAK), SHOW, DONE),
		.status = PICA_REF_HANG,
	}, {
		.name = "BREAKC with no loop hangs",
		W(/* 0 */ BUMP(X), I2(BREAKC, 0, 0, 1, 0, 0), SHOW, DONE),
		.status = PICA_REF_HANG,
	}, {
		.name = "BREAK after the loop has ended hangs",
		W(/* 0 */ LOOP_I(0, 1), BUMP(X), I0(BREAK), SHOW, DONE),
		.status = PICA_REF_HANG,
	}, {
		.name = "LOOP wins over CALL, which is popped all the same",
		W(/* 0 */ CALL_(4, 3), BUMP(Y), SHOW, DONE,
		  /* 4 */ LOOP_I(0, 6), BUMP(X), BUMP(Z), BUMP(T), SHOW, DONE),
		LOOPS({ 2, 0, 1, 0 }), .count = { 3, 0, 3, 1 }, .al = -1,
	}, {
		.name = "IF wins over CALL, which is popped all the same",
		W(/* 0 */ CALL_(4, 2), BUMP(Y), SHOW, DONE,
		  /* 4 */ IF_B(0, 6, 1), BUMP(X), BUMP(Z), BUMP(T), SHOW, DONE),
		.b = 1, .count = { 1, 0, 0, 1 }, .al = -1,
	}, {
		.name = "LOOP wins over IF, which is popped all the same",
		W(/* 0 */ LOOP_I(0, 2), IF_B(0, 3, 1), BUMP(X), BUMP(Y), BUMP(Z), SHOW, DONE),
		LOOPS({ 1, 0, 1, 0 }), .b = 1, .count = { 2, 1, 1 }, .al = -1,
	}, {
		.name = "JMPU jumps on true, with NUM bit 0 on false",
		W(/* 0 */ I3(JMPU, 1, 2, 0), BUMP(X), I3(JMPU, 2, 4, 0), BUMP(Y),
		  /* 4 */ I3(JMPU, 1, 6, 1), BUMP(Z), I3(JMPU, 2, 8, 1), BUMP(T), SHOW, DONE),
		.b = 0x2, .count = { 0, 1, 1, 0 }, .al = -1,
	}, {
		.name = "running past the last word is an error",
		W(BUMP(X), SHOW),
		.status = PICA_REF_RAN_OFF,
	}, {
		.name = "the bits below the opcode of END and NOP do not matter",
		W(BUMP(X), I0(NOP) | 0x3ffffff, SHOW, I0(END) | 0x3ffffff),
		.count = { 1 }, .al = -1,
	}, {
		.name = "an endless jump uses up the step limit",
		W(JUMP(0)),
		.status = PICA_REF_STEP_LIMIT,
	},
};

const unsigned int num_flow_vectors = sizeof(flow_vectors) / sizeof(flow_vectors[0]);
