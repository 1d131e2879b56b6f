// SPDX-License-Identifier: GPL-2.0
/*
 * QPU assembler: the language. The assembled programs are disassembled and compared as
 * text; test_qpu_text checks the disassembler against words.
 */
#include "qpu_test.h"

/**
 * struct good - source and its instructions
 * @source: source
 * @want: text of each instruction, a line each
 */
struct good {
	const char *source;
	const char *want;
};

static const struct good goods[] = {
	/* ALUs */
	{ "add r0, r1, r2", "add r0, r1, r2\n" },
	{ "fmul r0, r1, r2", "nop; fmul r0, r1, r2\n" },
	{ "fmul r0, r1, r2; fadd r3, r1, r2", "fadd r3, r1, r2; fmul r0, r1, r2\n" },
	{ "v8adds r0, r1, r2; add r3, r1, r2", "add r3, r1, r2; v8adds r0, r1, r2\n" },
	{ "mv8adds r0, r1, r2", "nop; v8adds r0, r1, r2\n" },
	{ "nop; mov r0, r1", "nop; mov r0, r1\n" },
	{ "mmov r0, r1", "nop; mov r0, r1\n" },
	{ "mov r0, r1", "mov r0, r1\n" },
	{ "mov r0, r1; mov r2, r3; ldtmu0", "mov r0, r1; mov r2, r3; ldtmu0\n" },
	{ "mov r0, r2, r1", "mov r0, r1; mov r2, r1\n" },
	{ "thrend", "nop; thrend\n" },
	{ "tend; mov interrupt, r1", "mov irq, r1; thrend\n" },
	{ "ADD", NULL },
	/* suffixes on either side */
	{ "mov.setf r0, r1", "mov.setf r0, r1\n" },
	{ "mov r0.setf, r1", "mov.setf r0, r1\n" },
	{ "mov.ifz r0, r1", "mov.ifz r0, r1\n" },
	{ "mov r0.nz, r1", "mov.ifnz r0, r1\n" },
	{ "mov r0.ifcs, r1", "mov.ifc r0, r1\n" },
	{ "fadd.setf -, r0, r1", "fadd.setf -, r0, r1\n" },
	{ "nop; fmul.setf -, r0, r1", "nop; fmul.setf -, r0, r1\n" },
	{ "mov.pack8a ra1, r0", "mov ra1.8a, r0\n" },
	{ "mov ra1.8888, r0", "mov ra1.8abcd, r0\n" },
	{ "mov r0, ra1.unpack8b", "mov r0, ra1.8b\n" },
	{ "mov.unpack8b r0, ra1", "mov r0, ra1.8b\n" },
	{ "add.unpack8af r0, r4, ra1", "add r0, r4.8a, ra1\n" },
	{ "add.unpack16bf r0, ra2, r4", "add r0, ra2, r4.16b\n" },
	{ "add.unpack16bi r0, r4, ra1", "add r0, r4, ra1.16b\n" },
	{ "mov.unpack8a r0, r4; mov r1, ra0", "mov r0, r4.8a; mov r1, ra0\n" },
	{ "mov.unpack16a r0, r4", "mov r0, r4.16a\n" },
	{ "mov r0, ra1.16af", "fmin r0, ra1.16a, ra1.16a\n" },
	{ "mov r0, ra1.8cf", "fmin r0, ra1.8c, ra1.8c\n" },
	{ "mov.unpack8af r0, ra1", "fmin r0, ra1.8a, ra1.8a\n" },
	{ "mov r0, r4.16af", "mov r0, r4.16a\n" }, { "mmov r0, r4.8bf", "nop; mov r0, r4.8b\n" },
	{ "mov ra1.16af, r0", "fmin ra1.16a, r0, r0\n" },
	{ ".set x, ra1.8a\nadd r0, x, r1", "add r0, ra1.8a, r1\n" },
	{ "mov vpm.8as, r0", "nop; mov vpm.8asf, r0\n" },
	{ "mov r0.8888s, r1", "nop; mov r0.8abcdsf, r1\n" },
	{ "mov rb1.8b, r0", "nop; mov rb1.8bf, r0\n" },
	{ "fmul ra1.8bs, r0, r1", "nop; fmul ra1.8bsi, r0, r1\n" },
	{ "fmul ra1.8bsf, r0, r1", "nop; fmul ra1.8bsf, r0, r1\n" },
	{ "v8min ra1.8bs, r0, r1", "nop; v8min ra1.8bsi, r0, r1\n" },
	/* files */
	{ "mov ra1, rb2; mov rb3, ra4", "mov ra1, rb2; mov rb3, ra4\n" },
	{ "mov rb1, r2; mov ra3, r4", "mov rb1, r2; mov ra3, r4\n" },
	{ "mov r0, unif; mov r1, ra1", "mov r0, rb32; mov r1, ra1\n" },
	{ "add r0, unif, elem_num", "add r0, rb32, elem_num\n" },
	{ "add r0, unif, unif", "add r0, unif, unif\n" },
	{ "mov r0, mutex_acq; mov mutex_rel, r1", "mov r0, mutex; mov mutex, r1\n" },
	{ "mov vpmvcd_rd_setup, r0; mov vpmvcd_wr_setup, r1",
	  "mov vr_setup, r0; mov vw_setup, r1\n" },
	{ "read vw_wait; read vpm; mov r0, r1", "mov r0, r1; read vpm; read vw_wait\n" },
	/* constants */
	{ "add r0, r1, 15", "add r0, r1, 15\n" }, { "add r0, r1, -16", "add r0, r1, -16\n" },
	{ "fmul r0, r1, 1.0", "nop; fmul r0, r1, 1.0\n" },
	{ "fmul r0, r1, 0.5", "nop; fmul r0, r1, 0.5\n" },
	{ "add r0, r1, 0x3f800000", "add r0, r1, 1.0\n" },
	{ "shl r0, r1, 28", "shl r0, r1, -4\n" }, { "add r0, r1, 16", "sub r0, r1, -16\n" },
	{ "sub r0, r1, 16", "add r0, r1, -16\n" },
	{ "mov r0, 5", "ldi r0, 5\n" }, { "ldi r0, -1", "ldi r0, 0xffffffff\n" },
	{ "mov r0, 5; mov r1, r2", "or r0, 5, 5; mov r1, r2\n" },
	{ "mov r0, 5; mov r1, 5", "or r0, 5, 5; v8min r1, 5, 5\n" },
	{ "mov r0, 64; mov r1, r2", "ftoi r0, 64.0; mov r1, r2\n" },
	{ "mov r0, 31; mov r1, r2", "clz r0, 1; mov r1, r2\n" },
	{ "mov r0, 5; nop", "ldi r0, 5\n" }, { "mov.setf r0, 5", "or.setf r0, 5, 5\n" },
	{ "mov r0, ra1, 5", "ldi r0, ra1, 5\n" },
	{ "mov r0, 1; mov r1, -2", "not rb33, 1; v8min r0, 1, 1\n" },
	{ "mov ra0, 0xf3f3f3f3; mov rb0, 12", "not rb0, -13; v8min ra0.8abcd, -13, -13\n" },
	{ "mov r0, r1; mov rb2, 0x40404040", "mov r0, r1; v8min rb2.8abcdsf, 0.25, 0.25\n" },
	{ "mov ra0, 0x7fffffff; mov r1, r2", "add ra0.32s, 2.0, 2.0; mov r1, r2\n" },
	{ "mov r0, r1; mov ra2.8a, 0x01010101", NULL },
	{ "nop; mov r0, 64; read r1", NULL },
	{ "mov r0, 0; ldtmu0", "xor r0, rb39, rb39; mnop.always -; ldtmu0\n" },
	{ "mov r1, r2; mov r0, 0; ldtmu1", "mov r1, r2; v8subs r0, rb39, rb39; ldtmu1\n" },
	{ "mov r0, 0x12345678; mov rb1, 0x12345678", "ldi r0, rb1, 0x12345678\n" },
	{ "mov r0, 1.5", "ldi r0, 0x3fc00000\n" },
	{ "ldi ra0, [0,1,2,3]", "ldipeu ra0, [0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3]\n" },
	{ "ldi ra0, [-2,1]", "ldipes ra0, [-2,1,-2,1,-2,1,-2,1,-2,1,-2,1,-2,1,-2,1]\n" },
	{ "mov.setf r0, [0,1]", "ldipes.setf r0, [0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1]\n" },
	{ "ldi.ifn r0, ra1, 300", "ldi r0.ifn, ra1.ifn, 0x0000012c\n" },
	/* rotation */
	{ "mov r1, r0 << 5", "nop; mov r1, r0 << 5\n" },
	{ "mov r1, r0 >> 5", "nop; mov r1, r0 >> 5\n" },
	{ "mov r1, r0 >> 15", "nop; mov r1, r0 << 1\n" }, { "mov r1, r0 << 16", "mov r1, r0\n" },
	{ "mov r1, r0 >> r5", "nop; mov r1, r0 >> r5\n" },
	{ "mov r1 << 3, r0", "nop; mov r1, r0 >> 3\n" },
	{ "fmul r2 >> 1, r0, r3", "nop; fmul r2, r0 << 1, r3 << 1\n" },
	{ "add r0, r0, -8; mov r1, r2 >> 8", "add r0, r0, -8; mov r1, r2 << 8\n" },
	{ "v8adds r3, r3 >> 8, ra0.8b; mov rb0, -1",
	  "av8adds rb0, -8, -8; v8adds r3, r3 << 8, ra0.8b << 8\n" },
	{ "fmul r0, r0 << 7, ra0 << 3", "nop; fmul r0, r0 << 7, ra0 << 7\n" },
	{ "add r0, r1, -4; mov r2, ra0 >> 8", "add r0, r1, -4; mov r2, ra0 << 4\n" },
	/* semaphores */
	{ "sacq -, 7", "sacq -, 7\n" }, { "mov -, srel2", "srel -, 2\n" },
	{ "mov -, sacq(15)", "sacq -, 15\n" }, { "mov -, sacq0 + 3", "sacq -, 3\n" },
	{ ".rep i, 3\nmov -, srel(i + 1)\n.endr", "srel -, 1\nsrel -, 2\nsrel -, 3\n" },
	/* branches and labels */
	{ ":a\nbrr -, :a", "brr -, -32\n" },
	{ "brr.allz -, r:b\nnop\n:b\nnop", "brr.allz -, -16\nnop\nnop\n" },
	{ "a: nop\nbrr.anync ra1, r:a", "nop\nbrr.anycc ra1, -40\n" },
	{ ":1\nbrr -, :1f\n:1\nbrr -, :1b", "brr -, -24\nbrr -, -32\n" },
	{ ":1\n:1\nbrr -, :1", "brr -, -32\n" },
	{ "nop\n:x\nbra -, :x", "nop\nbra -, 0x8\n" }, { "bra -, ra5", "bra -, ra5\n" },
	{ "brr ra1, ra2, r:e\n:e\nnop", "brr ra1, ra2, -24\nnop\n" },
	{ "brr ra1, rb2, -, r:e\n:e\nnop", "brr ra1, rb2, -, -24\nnop\n" },
	{ "brr -, r:e, ra2\n:e\nnop", "brr -, ra2, -24\nnop\n" },
	{ "brr -, :e + 8\nnop\n:e\nnop\nnop", "brr -, -8\nnop\nnop\nnop\n" },
	{ "nop\n:a\nnop\n:b\nmov r0, :b - :a\nmov r1, :b", "nop\nnop\nldi r0, 8\nldi r1, 16\n" },
	/* symbols, macros, blocks */
	{ ".set x, ra5\nmov x, x + 1", "mov ra5, ra6\n" },
	{ ".set x, ra5.8a\nmov r0, x", "mov r0, ra5.8a\n" },
	{ ".set f(a, b) (a & 3) << 4 | b\nldi r0, f(7, 5)", "ldi r0, 53\n" },
	{ ".const n 3\n.set n2, n * 2\nldi r0, n2", "ldi r0, 6\n" },
	{ ".set n, 3\n.unset n\n.set n, 4\nldi r0, n", "ldi r0, 4\n" },
	{ ".macro m, d, v\nldi d, v\nmov d, d\n.endm\nm r0, 7\nm rb1, 0x100",
	  "ldi r0, 7\nmov r0, r0\nldi rb1, 0x00000100\nmov rb1, rb1\n" },
	{ ".macro m d\n.local\n.lset q, d + 1\nmov q, d\n.endloc\n.endm\nm ra3", "mov ra4, ra3\n" },
	{ ".macro m, d\nbrr d, :1f\n:1\n.endm\nm -\nm ra1", "brr -, -24\nbrr ra1, -24\n" },
	{ ".rep i, 2\n.rep j, 2\nldi r0, i * 2 + j\n.endr\n.endr",
	  "ldi r0, 0\nldi r0, 1\nldi r0, 2\nldi r0, 3\n" },
	{ ".foreach r, ra1, rb2, r3\nmov r, r0\n.endfor",
	  "mov ra1, r0\nmov rb2, r0\nmov r3, r0\n" },
	{ ".if 0\nbad\n.elseif 1\nnop\n.else\nbad\n.endif", "nop\n" },
	{ ".if 1\nmov r0, r1\n.rep i, 2\nnop\n.endr", "mov r0, r1\nnop\nnop\n" },
	{ ".if 0\nbad\n.else\nnop", "nop\n" },
	{ ".rep i, 2\n.if i\nnop\n.endr\nmov r0, r1", "nop\nmov r0, r1\n" },
	{ ".if 0\n.if 1\nbad\n.else\nbad\n.endif\n.else\nnop\n.endif", "nop\n" },
	{ ".set y, 1\n.ifset y\nnop\n.else\nbad\n.endif\n.ifset z\nbad\n.endif", "nop\n" },
	{ ".func f(x)\n.if x > 2\nx * 2\n.else\nx\n.endif\n.endf\nldi r0, f(5) + f(1)",
	  "ldi r0, 11\n" },
	{ "nop\nadd r0, r0, 1\nadd r1, r1, 1\n.back 2\nbrr -, r:e\n.endb\nnop\n:e\nnop",
	  "nop\nbrr -, 0\nadd r0, r0, 1\nadd r1, r1, 1\nnop\nnop\n" },
	{ "add r0, r0, r1;\nadd r1, r1, r2\n.back 1\n;mov r2, r3\nldi r3, 5\n.endb",
	  "add r0, r0, r1; mov r2, r3\nldi r3, 5\nadd r1, r1, r2\n" },
	{ "nop\n:a\nnop\nbrr -, :a\n:b\nnop\n.back 3\nldi r0, 1\n.endb\nbrr -, :b",
	  "nop\nldi r0, 1\nnop\nbrr -, -48\nnop\nbrr -, -40\n" },
	{ ":a\nadd r0, r0, 1\nadd r1, r1, 1\nbrr -, :a + 16\n.clone :a, 2\nnop",
	  "add r0, r0, 1\nadd r1, r1, 1\nbrr -, -32\nadd r0, r0, 1\nadd r1, r1, 1\nnop\n" },
	{ "add r0, r0, 1;\n;mov r2, 5\nnop", "add r0, r0, 1\nldi r2, 5\nnop\n" },
	{ "add r0, r0, r1;\n;mov r2, 64\n;nop", "add r0, r0, r1; mul24 r2, 8, 8\nnop\n" },
	{ "add r0, r0, r1;\n:\n;mov r2, r3", "add r0, r0, r1\nmov r2, r3\n" },
	{ "mov t0s, r1;\n;ldtmu0", "mov t0s, r1\nnop; ldtmu0\n" },
	{ "mov t0s, r1; ldtmu0", "mov t0s, r1; ldtmu0\n" },
	/* data */
	{ ".int 0x009e7000, 0x100009e7\n.long 0x100009e7009e7000", "nop\nnop\n" },
	{ ".byte 0, 0x70, 0x9e, 0, 0xe7, 9, 0, 0x10", "nop\n" },
	{ ".align 16\nnop\n.align 16\nnop",
	  "nop\nanop.never ra0; mnop.never rb0; read ra0; read rb0; bkpt\nnop\n" },
	/* built-in functions, by the guide's field positions */
	{ "ldi r0, vpm_setup(16, 1, h32(3))", "ldi r0, 0x00001a03\n" },
	{ "ldi r0, vpm_setup(2, -1, v32(16, 5))", "ldi r0, 0x0023f215\n" },
	{ "ldi r0, vdr_setup_0(3, 16, 16, vdr_h32(1, 2, 0))", "ldi r0, 0x83001020\n" },
	{ "ldi r0, vdw_setup_0(16, 16, dma_h32(1, 2))", "ldi r0, 0x88104090\n" },
	{ "ldi r0, vdw_setup_1(0x2000)", "ldi r0, 0xc0002000\n" },
	{ "ldi r0, vdr_setup_1(64)", "ldi r0, 0x90000040\n" },
	{ "ldi r0, ilog2(64) + countBits(0xff) + max(1, 2) + min(3, 4)", "ldi r0, 19\n" },
	{ "ldi r0, reverseBits8(1)", "ldi r0, 128\n" },
	/* expressions */
	{ "ldi r0, 1 + 2 * 3 ** 2 - (7 & 3 | 8)", "ldi r0, 8\n" },
	{ "ldi r0, 0b101 + 010 + 0x10", "ldi r0, 29\n" },
	{ "ldi r0, -8 >> 1", "ldi r0, 0xfffffffc\n" }, { "ldi r0, 1 ><< 33", "ldi r0, 2\n" },
	{ "ldi r0, (3 < 4) + (3 >= 4) * 2 + (1 != 1) * 4 + !0 * 8 + (1 && 2) * 16",
	  "ldi r0, 25\n" },
	{ "ldi r0, sin(0) + exp(0) * 2", "ldi r0, 0x40000000\n" },
	{ "mov exp, r0\nmov log, r1", "mov exp, r0\nmov log, r1\n" },
	{ "nop # mov r0, r1\nnop // x\n\n  # x\n", "nop\nnop\n" },
	/* escapes */
	{ "nop; .enc add_a=3, raddr_b=5", "nop; read rb5; .enc add_a=3\n" },
};

/* Text of all instructions. */
static void list(const struct vs_as_program *res, char *text, size_t size)
{
	struct vs_src src;
	size_t len = 0;
	char one[QPU_MAX_TEXT];
	u32 i;

	text[0] = 0;
	qpu_test_src(res, &src);
	for (i = 0; i < res->nwords / 2 && len < size; i++) {
		qpu_disasm(&src, i, one, sizeof(one));
		len += (size_t)snprintf(text + len, size - len, "%s\n", one);
	}
}

/* Source on one line, for the log. */
static const char *shown(const char *source)
{
	static char text[60];
	u32 i;

	for (i = 0; source[i] && i < sizeof(text) - 1; i++)
		text[i] = source[i] == '\n' ? '|' : source[i] == '#' ? '%' : source[i];
	text[i] = 0;
	return text;
}

static void test_good(const struct good *g)
{
	struct vs_as_program res;
	char msg[200], text[2000] = "";
	bool ok = qpu_test_assemble(g->source, &res, msg, sizeof(msg));
	char *p;

	if (ok)
		list(&res, text, sizeof(text));
	ok = g->want ? ok && !strcmp(text, g->want) : !ok;
	/* one line for the log */
	for (p = text; *p; p++)
		*p = *p == '\n' ? '|' : *p;
	tap_result(ok, "%s: %s", shown(g->source), ok ? (g->want ? "assembles" : "does not") :
		   *text ? text : msg);
	vs_as_program_free(&res);
}

/* ---- errors ---- */

struct wrong {
	const char *source;
	u32 line, col;
	const char *text;
};

static const struct wrong wrongs[] = {
	{ "foo r0, r1", 1, 1, "unknown instruction or macro foo" },
	{ "nop\n  bar", 2, 3, "unknown instruction or macro bar" },
	{ "add r0, r1", 1, 5, "expected a destination and 2 operands" },
	{ "add r0, r1, r2, r3", 1, 5, "expected a destination and 2 operands" },
	{ "clz r0, r1, r2", 1, 5, "1 operand" },
	{ "add r0, r1, 17", 1, 1, "no small immediate" },
	{ "add r0, 3, 4", 1, 1, "one small immediate" },
	{ "add r0, ra1, ra2", 1, 1, "two registers of file A" },
	{ "add r0, rb1, rb2", 1, 1, "two registers of file B" },
	{ "add r0, rb1, 5", 1, 1, "takes the place of register file B" },
	{ "add r0, r1, 5; ldtmu0", 1, 16, "signal excludes small immediates" },
	{ "add ra0, r1, r2; fmul ra1, r1, r2", 1, 18, "same register file" },
	{ "add r0, r1, r2; sub r0, r1, r2", 1, 17, "multiplier cannot do that" },
	{ "nop; nop; nop", 1, 11, "two ALUs" },
	{ "ldtmu0; ldtmu1", 1, 9, "one signal" },
	{ "ldi r0, 5; nop", 1, 1, "stand alone" },
	{ "brr -, 0; thrend", 1, 1, "stand alone" },
	{ "mov r4, r0", 1, 5, "r4 cannot be written" }, { "mov r5, r0", 1, 5, "r5quad or r5rep" },
	{ "mov elem_num, r0", 1, 5, "cannot be written" },
	{ "mov r0, t0s", 1, 1, "cannot be read" },
	{ "mov 5, r0", 1, 5, "destination must be a register" },
	{ "mov r0, rb1.8a", 1, 1, "only file A and r4 can be unpacked" },
	{ "add r0, ra1.8a, ra1.8b", 1, 1, "unpacked in one way" },
	{ "mov r0, ra1; mov r1, ra1.8a", 1, 14, "also applies to the other" },
	{ "add.unpack8b r0, r4, ra1", 1, 1, "file A and to r4" },
	{ "fadd.unpack16bf r0, ra1, r4", 1, 1, "file A and to r4" },
	{ "add.unpack8a r0, ra1.8a, r1", 1, 1, "two unpack modes" },
	{ "add.unpack8as r0, ra1, r1", 1, 1, "no unpack mode" },
	{ "add r0, ra1.16as, r1", 1, 1, "16as is no unpack mode" },
	{ ".set x, ra1.8as\nadd r0, x, r1", 2, 1, "8as is no unpack mode" },
	{ "add.unpack8888 r0, ra1, r1", 1, 1, "no unpack mode" },
	{ "fadd.unpack8ai r0, ra1, r1", 1, 1, "does not take" },
	{ "add r0, ra1.16af, r1", 1, 1, "takes an operation on floats" },
	{ "fmul r0, ra1.8ai, r1", 1, 1, "takes an operation on integers" },
	{ "mov r0, r4.8ai", 1, 1, "to floats only" },
	{ "mov r0, ra0.16ai; fmul r1, ra0.16af, ra0.16af", 1, 19, "not for both" },
	{ "mov ra1.16af, ra1.16bi", 1, 1, "takes an operation on integers" },
	{ "fadd.pack16ai ra0, r0, r1", 1, 1, "results of operations on integers" },
	{ "mov.pack16a r0, r1", 1, 1, "registers of file A only" },
	{ "fmul r0.8888si, r1, r2", 1, 1, "registers of file A only" },
	{ "add r0.8a, r1, r2", 1, 1, "takes the multiplier" },
	{ "add ra0.8asf, r1, r2", 1, 1, "multiplier only" },
	{ "add r0, ra1.8a, r4.8a", 1, 1, "exclude each other" },
	{ "add r0, ra1.8q, r4", 1, 0, "" },
	{ "mov ra0.8dr, r1", 1, 1, "no pack mode" },
	{ "add r0 << 3, r1, r2", 1, 1, "only the multiplier rotates" },
	{ "fmul r0, r1 << 3, r2 << 4", 1, 1, "different rotations" },
	{ "add r0, r1, 5; mov r2, r3 >> 3", 1, 16, "must be -13" },
	{ "fadd r0, r1, r2; fmul.setf r3, r1, r2", 1, 18, "flags come from the adder" },
	{ "mov.ifz.ifn r0, r1", 1, 1, "two conditions" },
	{ "mov.xyz r0, r1", 1, 1, "unknown suffix" },
	{ "brr.foo -, 0", 1, 1, "no branch condition" },
	{ "bra -, rb3", 1, 1, "register of file A" }, { "bra -, 1, 2", 1, 1, "one number" },
	{ "brr -, :nowhere", 1, 8, "label nowhere is not defined" },
	{ "brr -, :1b\n:1\nnop", 1, 8, "label 1 is not defined" },
	{ ":a\n:a\nnop", 2, 1, "already defined" },
	{ "ldi r0, nothing", 1, 9, "nothing is not defined" },
	{ "ldi r0, 1 / 0", 1, 11, "division by zero" },
	{ "ldi r0, 1 +", 1, 12, "expected a value" },
	{ "ldi r0, (1", 1, 11, "expected )" },
	{ "ldi r0, 0x100000000", 1, 1, "does not fit 32 bits" },
	{ "ldi r0, 99999999999999999999", 1, 9, "does not fit 64 bits" },
	{ "ldi r0, 12ab", 1, 9, "not a number" }, { "ldi r0, 089", 1, 9, "not a number" },
	{ "ldi r0, [0,1,2]", 1, 15, "list has" }, { "ldi r0, [0,4]", 1, 13, "elements are" },
	{ "ldi r0, [-1,2]", 1, 14, "elements are" },
	{ "ldi r0, ra30 + 5", 1, 14, "no register of that number" },
	{ "sacq -, r0", 1, 1, "expected a constant" },
	{ ".rep i, 3\nnop", 1, 0, ".endr is missing" },
	{ ".macro m\nnop", 1, 0, ".endm is missing" }, { ".endr", 1, 1, "misplaced directive" },
	{ ".foo", 1, 1, "unknown or misplaced directive" },
	{ ".rep i, -1\nnop\n.endr", 1, 0, "cannot be repeated" },
	{ ".macro m, a\nnop\n.endm\nm", 4, 2, "macro takes 1 arguments" },
	{ ".macro m, a\nnop\n.endm\nm 1, 2", 4, 6, "macro takes 1 arguments" },
	{ ".macro m\nm\n.endm\nm", 2, 0, "nested too deeply" },
	{ ".set f(x) f(x)\nldi r0, f(1)", 2, 0, "nested too deeply" },
	{ ".set f(x) x\nldi r0, f(1, 2)", 2, 9, "function takes 1 arguments" },
	{ ".assert 1 == 2", 1, 9, "assertion failed" },
	{ ".const a 1\n.const a 2", 2, 8, "is constant" },
	{ ".include \"nothing\"", 1, 10, "cannot include nothing" },
	{ ".back 1\nnop\n.endb", 1, 0, "back over" }, { ".clone 4, 1", 1, 0, "expected a label" },
	{ "ldi r0, vpm_setup(17, 1, 0)", 1, 9, "argument 1 must be 0 to 16" },
	{ "ldi r0, v32(5, 0)", 1, 9, "0, 16, 32 or 48" }, { "ldi r0, h32(1, 2)", 1, 9, "takes 1" },
	{ "ldi r0, sacq(16)", 1, 9, "semaphores 0 to 15" },
	{ ".byte 256", 1, 7, "does not fit 8 bits" }, { ".align 3\nnop", 1, 8, "power of two" },
	{ ".entry 1\nnop", 0, 0, "not in the program" }, { "", 0, 0, "no instructions" },
	{ ".stage vertex\nnop", 1, 8, "fragment or compute" },
	{ "nop; .enc foo=1", 1, 10, "no field" }, { "nop; .enc pm=2", 1, 10, "0 to 1" },
	{ "nop nop", 1, 5, "only anop and mnop" }, { "nop;;nop", 1, 5, "expected an instruction" },
	{ ".rep i, 100000\nnop\n.endr", 2, 0, "longer than 65536" },
	{ ".rep i, 100000\n.rep j, 100000\n.set x, 1\n.endr\n.endr\nnop", 0, 0, "takes too long" },
};

static void test_wrong(const struct wrong *w)
{
	static struct vs_as_diag diag;
	struct vs_as_program res;
	const struct vs_as_message *m = &diag.messages[0];
	int ret = vs_as_qpu(w->source, strlen(w->source), NULL, &res, &diag);
	bool ok = ret == -EINVAL && diag.nerrors && strstr(m->text, w->text) && !res.words;

	/* The line that exceeds the limit depends on the cost of each line. */
	ok = ok && (!w->line || m->line == w->line) && (!w->col || m->column == w->col);
	tap_result(ok, "%s: %u:%u: %s%s", shown(w->source), w->line, w->col, w->text,
		   ok ? "" : " expected");
	if (!ok)
		tap_comment("%d, %u:%u: %s", ret, m->line, m->column, m->text);
	vs_as_program_free(&res);
}

/* ---- include, entries, labels ---- */

static int load(void *ctx, const char *name, char **text, size_t *len)
{
	const char *s = !strcmp(name, "a.qinc") ? ".set x, 7\n.include <b.qinc>\n" :
			!strcmp(name, "b.qinc") ? "ldi r0, x\n" :
			!strcmp(name, "self") ? ".include \"self\"\n" :
			!strcmp(name, "bad") ? "nop\nadd\n" : NULL;

	(*(u32 *)ctx)++;
	if (!s)
		return -ENOENT;
	*text = strdup(s);
	*len = strlen(s);
	return *text ? 0 : -ENOMEM;
}

static int assemble_with(const char *text, struct vs_as_program *res, struct vs_as_diag *diag,
			 u32 *loads)
{
	struct vs_as_options opt = { .load = load, .ctx = loads };

	*loads = 0;
	return vs_as_qpu(text, strlen(text), &opt, res, diag);
}

static void test_include(void)
{
	static struct vs_as_diag diag;
	struct vs_as_program res;
	char text[200];
	u32 loads;

	tap_result(!assemble_with(".include \"a.qinc\"\n.include \"a.qinc\"\nnop", &res, &diag,
				  &loads) && loads == 2, "included files are loaded once");
	list(&res, text, sizeof(text));
	tap_result(!strcmp(text, "ldi r0, 7\nldi r0, 7\nnop\n"), "what they contain");
	vs_as_program_free(&res);
	tap_result(!assemble_with(".include <vc4.qinc>\nldi r0, h32(0)", &res, &diag, &loads),
		   "vc4.qinc is there");
	vs_as_program_free(&res);
	tap_result(assemble_with(".include \"self\"", &res, &diag, &loads) == -EINVAL &&
		   strstr(diag.messages[0].text, "nested too deeply"), "a file including itself");
	tap_result(assemble_with("nop\n.include \"bad\"", &res, &diag, &loads) == -EINVAL &&
		   diag.messages[0].file == 1 && diag.messages[0].line == 2, "error in a file");
}

static void test_result(void)
{
	struct vs_as_program res;
	char msg[200];

	qpu_test_assemble(".stage fragment\n.entry :b\n.entry 0\n:a\nnop\n:1\nnop\n:b\nnop",
			  &res, msg, sizeof(msg));
	tap_result(res.stage == VS_STAGE_FRAGMENT && res.nentries == 2 && res.entries[0] == 2 &&
		   !res.entries[1], "stage and entry points");
	tap_result(res.debug.nlabels == 2 && !strcmp(res.debug.labels[0].name, "a") &&
		   !res.debug.labels[0].word && !strcmp(res.debug.labels[1].name, "b") &&
		   res.debug.labels[1].word == 2, "labels");
	vs_as_program_free(&res);
	qpu_test_assemble("nop", &res, msg, sizeof(msg));
	tap_result(res.stage == VS_STAGE_COMPUTE && res.nentries == 1 && !res.entries[0],
		   "without them: compute, the first instruction");
	vs_as_program_free(&res);
}

/* A listing includes the stage and entry points. */
static void test_whole_listing(void)
{
	struct vs_as_program a, b;
	struct vs_src src;
	char msg[200], text[2000];
	bool ok;

	qpu_test_assemble(".stage fragment\n.entry 2\n.entry 0\n:1\nnop\nbrr -, :1b\nnop\nnop\n"
			  "brr.allz -, r:2f\n:2\n.long 0xe40009e700000000", &a, msg, sizeof(msg));
	qpu_test_src(&a, &src);
	qpu_listing(&src, text, sizeof(text));
	ok = qpu_test_assemble(text, &b, msg, sizeof(msg));
	tap_result(ok && b.stage == a.stage && b.nentries == 2 && b.entries[0] == 2 &&
		   b.nwords == a.nwords && !memcmp(a.words, b.words, 4 * a.nwords),
		   "listing of stage, entries, labels, undefined words");
	tap_result(strstr(text, ":L000\n") && strstr(text, "r:L000") &&
		   strstr(text, ".long 0xe40009e7"),
		   "labels and numbers in it");
	vs_as_program_free(&a);
	vs_as_program_free(&b);
}

int main(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(goods); i++)
		test_good(&goods[i]);
	for (i = 0; i < ARRAY_SIZE(wrongs); i++)
		test_wrong(&wrongs[i]);
	test_include();
	test_result();
	test_whole_listing();
	return tap_done();
}
