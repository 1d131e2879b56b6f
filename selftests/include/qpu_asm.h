/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of VideoCore IV QPU programs, encoded in C: instruction layouts as Broadcom's
 * architecture guide documents them. Independent of the driver's tables and of the
 * project's assembler on purpose. Operands without an encoding abort.
 */
#ifndef SELFTESTS_INCLUDE_QPU_ASM_H
#define SELFTESTS_INCLUDE_QPU_ASM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QA_MAX_WORDS	8192
#define QA_MAX_FIXUPS	256
#define QA_MAX_LABELS	128

/* Operands and destinations: an accumulator, or an address of a file, or a constant. */
#define Q_ACC(n)	(n)		/* r0..r5 */
#define Q_A(n)		(0x100 | (n))	/* read or write address of file A */
#define Q_B(n)		(0x200 | (n))
#define Q_SMI(code)	(0x300 | (code))	/* small immediate by its code */
#define QR0	Q_ACC(0)
#define QR1	Q_ACC(1)
#define QR2	Q_ACC(2)
#define QR3	Q_ACC(3)
#define QR4	Q_ACC(4)
#define QR5	Q_ACC(5)	/* as a destination: element 0 to all, see Q_R5QUAD */

/* Small integers -16..15. */
static inline unsigned int q_int(int v)
{
	return Q_SMI((unsigned int)v & 31);
}

/* Reads. */
#define Q_UNIF		Q_A(32)
#define Q_UNIF_B	Q_B(32)
#define Q_ELEM		Q_A(38)
#define Q_QPU		Q_B(38)
#define Q_NOP_A		Q_A(39)
#define Q_NOP_B		Q_B(39)
#define Q_VPM		Q_A(48)
#define Q_VPM_B		Q_B(48)
#define Q_LD_BUSY	Q_A(49)
#define Q_ST_BUSY	Q_B(49)
#define Q_LD_WAIT	Q_A(50)
#define Q_ST_WAIT	Q_B(50)
#define Q_MUTEX		Q_A(51)
/* Writes. */
#define Q_NOWHERE	Q_A(39)
#define Q_R5QUAD	Q_A(37)
#define Q_R5ALL		Q_B(37)
#define Q_TMU_NOSWAP	Q_A(36)
#define Q_HOST_INT	Q_A(38)
#define Q_UNIF_ADDR	Q_A(40)
#define Q_RD_SETUP	Q_A(49)
#define Q_WR_SETUP	Q_B(49)
#define Q_LD_ADDR	Q_A(50)
#define Q_ST_ADDR	Q_B(50)
#define Q_MUTEX_FREE	Q_A(51)
#define Q_SFU(n)	Q_A(52 + (n))	/* recip, rsqrt, exp2, log2 */
#define Q_TMU_S(unit)	Q_A(56 + 4 * (unit))

enum q_sig {
	Q_SIG_BKPT, Q_SIG_NONE, Q_SIG_THRSW, Q_SIG_END, Q_SIG_SBWAIT, Q_SIG_SBDONE,
	Q_SIG_LTHRSW, Q_SIG_LOADCV, Q_SIG_LOADC, Q_SIG_LDCEND, Q_SIG_LDTMU0, Q_SIG_LDTMU1,
	Q_SIG_LOADAM, Q_SIG_SMI, Q_SIG_LDI, Q_SIG_BRANCH
};

enum q_cond { Q_NEVER, Q_ALWAYS, Q_ZS, Q_ZC, Q_NS, Q_NC, Q_CS, Q_CC };

enum q_add {
	Q_NONE = 0, Q_FADD = 1, Q_FSUB, Q_FMIN, Q_FMAX, Q_FMINABS, Q_FMAXABS, Q_FTOI, Q_ITOF,
	Q_ADD = 12, Q_SUB, Q_SHR, Q_ASR, Q_ROR, Q_SHL, Q_MIN, Q_MAX, Q_AND, Q_OR, Q_XOR, Q_NOT,
	Q_CLZ, Q_V8ADDS = 30, Q_V8SUBS
};

enum q_mul {
	Q_MNONE = 0, Q_FMUL = 1, Q_MUL24, Q_V8MULD, Q_V8MIN, Q_V8MAX, Q_MV8ADDS, Q_MV8SUBS
};

enum q_br {
	Q_ALLZ, Q_ALLNZ, Q_ANYZ, Q_ANYNZ, Q_ALLN, Q_ALLNN, Q_ANYN, Q_ANYNN, Q_ALLC, Q_ALLNC,
	Q_ANYC, Q_ANYNC, Q_BR_ALWAYS = 15
};

/**
 * struct q_insn - operands of an ALU instruction; 0 means absent
 * @op: @d: @a: @b: adder
 * @mop: @md: @ma: @mb: multiplier
 * @cond: @mcond: enum q_cond plus 1, 0: always
 * @sig: enum q_sig plus 1, 0: none, or the signal that a constant requires
 * @rot: rotation of the multiplier's result 1..15, 16: by r5
 * @sf: set flags
 * @unpack: @pm: @pack: see the guide
 */
struct q_insn {
	unsigned int op, d, a, b;
	unsigned int mop, md, ma, mb;
	unsigned int cond, mcond, sig, rot, sf, unpack, pm, pack;
};

#define Q_IF(c)		((unsigned int)(c) + 1)
#define Q_WITH(s)	((unsigned int)(s) + 1)

__attribute__((noreturn))
static inline void q_bad(const char *what)
{
	fprintf(stderr, "qpu_asm: %s\n", what);
	abort();
}

/* Read ports in use: -1 free. */
struct q_ports {
	int a;
	int b;
	int smi;
};

static inline void q_take(int *port, unsigned int addr)
{
	if (*port >= 0 && *port != (int)addr)
		q_bad("two addresses on one read port");
	*port = (int)addr;
}

static inline uint64_t q_mux(struct q_ports *p, unsigned int operand)
{
	switch (operand >> 8) {
	case 0:
		return operand;
	case 1:
		q_take(&p->a, operand & 0xff);
		return 6;
	case 2:
		q_take(&p->b, operand & 0xff);
		return 7;
	default:
		q_take(&p->smi, operand & 0xff);
		return 7;
	}
}

/* File of a destination: 0 A, 1 B, 2 either. */
static inline unsigned int q_file(unsigned int d)
{
	if (d < 4 || (d & 0xff) == 39)
		return 2;
	return d == QR5 || d >> 8 == 2;
}

static inline uint64_t q_waddr(unsigned int d)
{
	if (d >> 8 == 3 || d == QR4)
		q_bad("no destination");
	return d >> 8 ? d & 0xff : 32 + d;
}

static inline uint64_t q_dest(unsigned int d, unsigned int md)
{
	unsigned int f = q_file(d), mf = q_file(md), ws;

	if (f != 2 && f == mf)
		q_bad("both results to the same file");
	ws = f != 2 ? f : mf != 2 ? !mf : 0;
	return (uint64_t)ws << 44 | q_waddr(d) << 38 | q_waddr(md) << 32;
}

static inline uint64_t q_encode(const struct q_insn *i)
{
	unsigned int d = i->op ? i->d : Q_NOWHERE, md = i->mop ? i->md : Q_NOWHERE;
	struct q_ports p = { -1, -1, -1 };
	uint64_t w, sig = i->sig ? i->sig - 1 : Q_SIG_NONE;

	w = i->op ? q_mux(&p, i->a) << 9 | q_mux(&p, i->b) << 6 : 0;
	w |= i->mop ? q_mux(&p, i->ma) << 3 | q_mux(&p, i->mb) : 0;
	if (i->rot)
		q_take(&p.smi, 48 + (i->rot & 15));
	if (p.smi >= 0) {
		if (p.b >= 0 || i->sig)
			q_bad("no room for a constant");
		sig = Q_SIG_SMI;
		p.b = p.smi;
	}
	w |= (uint64_t)(p.a < 0 ? 39 : p.a) << 18 | (uint64_t)(p.b < 0 ? 39 : p.b) << 12;
	w |= (uint64_t)i->op << 24 | (uint64_t)i->mop << 29 | q_dest(d, md);
	w |= (uint64_t)(i->op ? i->cond ? i->cond - 1 : Q_ALWAYS : Q_NEVER) << 49;
	w |= (uint64_t)(i->mop ? i->mcond ? i->mcond - 1 : Q_ALWAYS : Q_NEVER) << 46;
	return w | sig << 60 | (uint64_t)i->unpack << 57 | (uint64_t)i->pm << 56 |
	       (uint64_t)i->pack << 52 | (uint64_t)!!i->sf << 45;
}

/**
 * struct q_prog - program being built
 * @w: instructions
 * @n: number of @w
 * @label: instruction numbers by label, -1: not placed yet
 * @fix: branches to labels
 */
struct q_prog {
	uint64_t w[QA_MAX_WORDS];
	unsigned int n;
	int label[QA_MAX_LABELS];
	unsigned int nlabels;
	struct {
		unsigned int at;
		unsigned int label;
	} fix[QA_MAX_FIXUPS];
	unsigned int nfix;
};

static inline void q_begin(struct q_prog *p)
{
	p->n = 0;
	p->nlabels = 0;
	p->nfix = 0;
}

static inline void q_word(struct q_prog *p, uint64_t w)
{
	if (p->n == QA_MAX_WORDS)
		q_bad("program too long");
	p->w[p->n++] = w;
}

static inline void q_emit(struct q_prog *p, struct q_insn i)
{
	q_word(p, q_encode(&i));
}

/* An instruction with designated initializers. */
#define Q(p, ...)	q_emit(p, (struct q_insn){ __VA_ARGS__ })

static inline void q_nop(struct q_prog *p)
{
	Q(p, .sig = 0);
}

static inline void q_op(struct q_prog *p, unsigned int op, unsigned int d, unsigned int a,
			unsigned int b)
{
	Q(p, .op = op, .d = d, .a = a, .b = b);
}

static inline void q_mul(struct q_prog *p, unsigned int mop, unsigned int d, unsigned int a,
			 unsigned int b)
{
	Q(p, .mop = mop, .md = d, .ma = a, .mb = b);
}

static inline void q_mov(struct q_prog *p, unsigned int d, unsigned int a)
{
	q_op(p, Q_OR, d, a, a);
}

/* Load immediate of a form: 0 word, 1 signed and 3 unsigned elements. */
static inline uint64_t q_ldi_word(unsigned int form, unsigned int d, uint32_t imm)
{
	return (uint64_t)Q_SIG_LDI << 60 | (uint64_t)form << 57 | q_dest(d, Q_NOWHERE) |
	       (uint64_t)Q_ALWAYS << 49 | imm;
}

static inline void q_ldi(struct q_prog *p, unsigned int d, uint32_t imm)
{
	q_word(p, q_ldi_word(0, d, imm));
}

static inline uint64_t q_sema_word(unsigned int n, unsigned int acquire)
{
	return q_ldi_word(4, Q_NOWHERE, n | acquire << 4);
}

static inline void q_release(struct q_prog *p, unsigned int n)
{
	q_word(p, q_sema_word(n, 0));
}

static inline void q_acquire(struct q_prog *p, unsigned int n)
{
	q_word(p, q_sema_word(n, 1));
}

/* The end and its two delay slots. */
static inline void q_end(struct q_prog *p)
{
	Q(p, .sig = Q_WITH(Q_SIG_END));
	q_nop(p);
	q_nop(p);
}

static inline unsigned int q_label(struct q_prog *p)
{
	if (p->nlabels == QA_MAX_LABELS)
		q_bad("too many labels");
	p->label[p->nlabels] = -1;
	return p->nlabels++;
}

static inline void q_place(struct q_prog *p, unsigned int label)
{
	p->label[label] = (int)p->n;
}

static inline unsigned int q_here(struct q_prog *p)
{
	unsigned int label = q_label(p);

	q_place(p, label);
	return label;
}

/* Branch word; @reg: a register of file A, or ~0. */
static inline uint64_t q_branch_word(enum q_br cond, unsigned int rel, unsigned int reg,
				     unsigned int link, uint32_t imm)
{
	return (uint64_t)Q_SIG_BRANCH << 60 | (uint64_t)cond << 52 | (uint64_t)rel << 51 |
	       (uint64_t)(reg != ~0u) << 50 | (uint64_t)(reg != ~0u ? reg & 31 : 0) << 45 |
	       q_dest(link, Q_NOWHERE) | imm;
}

/* Relative branch without its delay slots. */
static inline void q_branch_only(struct q_prog *p, enum q_br cond, unsigned int label,
				 unsigned int link)
{
	if (p->nfix == QA_MAX_FIXUPS)
		q_bad("too many branches");
	p->fix[p->nfix].at = p->n;
	p->fix[p->nfix++].label = label;
	q_word(p, q_branch_word(cond, 1, ~0u, link, 0));
}

/* The same with three empty slots. */
static inline void q_branch(struct q_prog *p, enum q_br cond, unsigned int label)
{
	q_branch_only(p, cond, label, Q_NOWHERE);
	q_nop(p);
	q_nop(p);
	q_nop(p);
}

/* Branches get their distances. */
static inline void q_finish(struct q_prog *p)
{
	unsigned int i, at;
	int to;

	for (i = 0; i < p->nfix; i++) {
		at = p->fix[i].at;
		to = p->label[p->fix[i].label];
		if (to < 0)
			q_bad("label not placed");
		p->w[at] |= (uint32_t)(8 * (to - (int)at - 4));
	}
}

/* Setup words of the vertex pipeline memory. */

/* Generic access: @size 0 8 bit, 1 16 bit, 2 32 bit; @num only for reads. */
static inline uint32_t q_vpm_setup(unsigned int num, unsigned int stride, unsigned int horizontal,
				   unsigned int laned, unsigned int size, unsigned int addr)
{
	return (num & 15) << 20 | (stride & 63) << 12 | horizontal << 11 | laned << 10 |
	       size << 8 | addr;
}

static inline uint32_t q_vpm_h32(unsigned int num, unsigned int stride, unsigned int y)
{
	return q_vpm_setup(num, stride, 1, 0, 2, y);
}

static inline uint32_t q_vpm_v32(unsigned int num, unsigned int stride, unsigned int y,
				 unsigned int x)
{
	return q_vpm_setup(num, stride, 0, 0, 2, y | x);
}

/* DMA load: pitch of 8 << @mpitch bytes, 0: by the pitch register. */
static inline uint32_t q_dma_load(unsigned int mode, unsigned int mpitch, unsigned int len,
				  unsigned int rows, unsigned int vpitch, unsigned int vertical,
				  unsigned int y, unsigned int x)
{
	return 1u << 31 | mode << 28 | mpitch << 24 | (len & 15) << 20 | (rows & 15) << 16 |
	       (vpitch & 15) << 12 | vertical << 11 | y << 4 | x;
}

static inline uint32_t q_dma_pitch(unsigned int bytes)
{
	return 9u << 28 | bytes;
}

static inline uint32_t q_dma_store(unsigned int mode, unsigned int rows, unsigned int len,
				   unsigned int horizontal, unsigned int y, unsigned int x)
{
	return 2u << 30 | (rows & 127) << 23 | (len & 127) << 16 | horizontal << 14 | y << 7 |
	       x << 3 | mode;
}

static inline uint32_t q_dma_stride(unsigned int bytes)
{
	return 3u << 30 | bytes;
}

#endif
