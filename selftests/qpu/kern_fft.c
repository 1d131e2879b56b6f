// SPDX-License-Identifier: GPL-2.0
/*
 * Fourier transform: Stockham's algorithm, radix 2, in time. Every stage gathers pairs of
 * points and writes two runs of successive points, so that no final reordering is needed.
 * QPUs share the work of a stage and synchronise after it.
 *
 * With r = n / 2, n / 4 ... 1, butterfly i takes points i + t and i + t + r and the
 * factor t of the table, t being i without its bits below r; its results are points
 * i and i + n / 2.
 *
 * Uniforms: address of the factors' real and imaginary parts; bytes of half a buffer;
 * vectors of butterflies per stage; bytes between the first vectors of two QPUs; stages;
 * per stage: 4 r; addresses of real and imaginary parts to read, the same to write.
 */
#include <math.h>

#include "kern.h"

#define A_TW_RE		Q_A(0)
#define A_TW_IM		Q_A(1)
#define B_HALF		Q_B(2)
#define A_VECTORS	Q_A(3)
#define A_FIRST		Q_A(4)		/* first butterfly by element, in bytes */
#define A_STAGES	Q_A(5)
#define B_R		Q_B(6)		/* 4 r */
#define B_IN_RE		Q_B(7)
#define B_IN_IM		Q_B(8)
#define B_OUT_RE	Q_B(9)
#define B_OUT_IM	Q_B(10)
#define A_I		Q_A(11)		/* butterflies, in bytes */
#define A_LEFT		Q_A(12)
#define B_SETUP		Q_B(13)
#define B_STORE		Q_B(14)
#define B_STEP		Q_B(15)
#define B_ROW		Q_B(16)		/* one row further in a DMA setup */
#define A_RE		Q_A(17)
#define A_IM		Q_A(18)
#define B_RE		Q_B(19)
#define B_IM		Q_B(20)

static void setups(struct q_prog *p)
{
	q_mov(p, A_TW_RE, Q_UNIF);
	q_mov(p, A_TW_IM, Q_UNIF);
	q_mov(p, B_HALF, Q_UNIF);
	q_mov(p, A_VECTORS, Q_UNIF);
	q_mov(p, QR0, Q_UNIF);
	q_mov(p, A_STAGES, Q_UNIF);
	q_mul(p, Q_MUL24, QR0, QR0, Q_QPU);
	q_op(p, Q_SHL, QR1, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, A_FIRST, QR0, QR1);
	q_ldi(p, B_STEP, 64);
	q_ldi(p, B_ROW, 128);
	q_mov(p, QR1, Q_QPU);
	q_op(p, Q_SHL, QR1, QR1, q_int(2));
	q_ldi(p, QR0, q_vpm_h32(0, 1, 0));
	q_op(p, Q_ADD, B_SETUP, QR0, QR1);
	q_op(p, Q_SHL, QR1, QR1, q_int(7));
	q_ldi(p, QR0, q_dma_store(0, 1, 16, 1, 0, 0));
	q_op(p, Q_ADD, B_STORE, QR0, QR1);
}

/* Real and imaginary parts of a butterfly's inputs and factor. */
static void load(struct q_prog *p)
{
	/* t = i & -r */
	q_ldi(p, QR0, 0);
	q_op(p, Q_SUB, QR0, QR0, B_R);
	q_op(p, Q_AND, QR2, A_I, QR0);
	q_op(p, Q_ADD, QR1, A_I, QR2);
	q_op(p, Q_ADD, Q_TMU_S(0), QR1, B_IN_RE);
	q_op(p, Q_ADD, Q_TMU_S(1), QR1, B_IN_IM);
	q_op(p, Q_ADD, QR1, QR1, B_R);
	q_op(p, Q_ADD, Q_TMU_S(0), QR1, B_IN_RE);
	q_op(p, Q_ADD, Q_TMU_S(1), QR1, B_IN_IM);
	q_op(p, Q_ADD, Q_TMU_S(0), QR2, A_TW_RE);
	q_op(p, Q_ADD, Q_TMU_S(1), QR2, A_TW_IM);
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .op = Q_OR, .d = A_RE, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU1));
	Q(p, .op = Q_OR, .d = A_IM, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .op = Q_OR, .d = B_RE, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU1));
	Q(p, .op = Q_OR, .d = B_IM, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .op = Q_OR, .d = QR2, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU1));
	q_mov(p, QR3, QR4);
}

/* b * w to r0 and r1, then four results to the pipeline memory. */
static void butterfly(struct q_prog *p)
{
	q_mul(p, Q_FMUL, QR0, B_RE, QR2);
	q_mul(p, Q_FMUL, QR1, B_IM, QR3);
	Q(p, .op = Q_FSUB, .d = QR0, .a = QR0, .b = QR1,
	  .mop = Q_FMUL, .md = QR1, .ma = B_RE, .mb = QR3);
	q_mul(p, Q_FMUL, QR3, B_IM, QR2);
	q_op(p, Q_FADD, QR1, QR1, QR3);
	q_mov(p, Q_WR_SETUP, B_SETUP);
	q_op(p, Q_FADD, Q_A(48), A_RE, QR0);
	q_op(p, Q_FADD, Q_A(48), A_IM, QR1);
	q_op(p, Q_FSUB, Q_A(48), A_RE, QR0);
	q_op(p, Q_FSUB, Q_A(48), A_IM, QR1);
}

static void store_row(struct q_prog *p, unsigned int from)
{
	q_mov(p, Q_WR_SETUP, QR3);
	q_mov(p, Q_ST_ADDR, from);
	q_op(p, Q_ADD, QR3, QR3, B_ROW);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
}

/* Element 0 of i is where the vector begins. */
static void store(struct q_prog *p)
{
	q_mov(p, QR3, B_STORE);
	q_op(p, Q_ADD, QR0, A_I, B_OUT_RE);
	q_op(p, Q_ADD, QR1, A_I, B_OUT_IM);
	store_row(p, QR0);
	store_row(p, QR1);
	q_op(p, Q_ADD, QR0, QR0, B_HALF);
	q_op(p, Q_ADD, QR1, QR1, B_HALF);
	store_row(p, QR0);
	store_row(p, QR1);
}

static void build(struct q_prog *p, unsigned int nqpus)
{
	unsigned int stage, vector;

	setups(p);
	stage = q_here(p);
	q_mov(p, B_R, Q_UNIF);
	q_mov(p, B_IN_RE, Q_UNIF);
	q_mov(p, B_IN_IM, Q_UNIF);
	q_mov(p, B_OUT_RE, Q_UNIF);
	q_mov(p, B_OUT_IM, Q_UNIF);
	q_mov(p, A_I, A_FIRST);
	q_mov(p, A_LEFT, A_VECTORS);
	vector = q_here(p);
	load(p);
	butterfly(p);
	store(p);
	q_op(p, Q_ADD, A_I, A_I, B_STEP);
	Q(p, .op = Q_SUB, .d = A_LEFT, .a = A_LEFT, .b = q_int(1), .sf = 1);
	q_branch(p, Q_ALLNZ, vector);
	kern_barrier(p, nqpus);
	Q(p, .op = Q_SUB, .d = A_STAGES, .a = A_STAGES, .b = q_int(1), .sf = 1);
	q_branch(p, Q_ALLNZ, stage);
	q_end(p);
}

static void tables(struct kern *k, struct kern_fft *f)
{
	unsigned int n = 1u << f->log2n, i;
	double angle;

	for (i = 0; i < 2; i++) {
		f->re[i] = kern_alloc(k, n);
		f->im[i] = kern_alloc(k, n);
		f->twiddle[i] = kern_alloc(k, n / 2);
	}
	for (i = 0; i < n / 2; i++) {
		angle = -2 * M_PI * i / n;
		kern_floats(k, f->twiddle[0])[i] = (float)cos(angle);
		kern_floats(k, f->twiddle[1])[i] = (float)sin(angle);
	}
	for (i = 0; i < n; i++) {
		kern_floats(k, f->re[0])[i] = (float)cos(i * 0.7) + (float)(i % 7) / 8;
		kern_floats(k, f->im[0])[i] = (float)sin(i * 1.3) - (float)(i % 5) / 4;
	}
}

void kern_fft(struct kern *k, struct kern_fft *f)
{
	unsigned int n = 1u << f->log2n, vectors = n / 32 / f->nqpus, i, s, at;
	uint32_t u[6 + 5 * 16];

	kern_begin(k);
	build(&k->p, f->nqpus);
	kern_code(k);
	tables(k, f);
	u[0] = f->twiddle[0];
	u[1] = f->twiddle[1];
	u[2] = n / 2 * 4;
	u[3] = vectors;
	u[4] = vectors * 64;
	u[5] = f->log2n;
	for (s = 0, at = 6; s < f->log2n; s++) {
		u[at++] = 4 * (n >> (s + 1));
		u[at++] = f->re[s & 1];
		u[at++] = f->im[s & 1];
		u[at++] = f->re[~s & 1];
		u[at++] = f->im[~s & 1];
	}
	for (i = 0; i < f->nqpus; i++)
		kern_thread(k, 0, u, at);
}

/* Against the sum by definition; error relative to the largest magnitude. */
void kern_fft_check(struct kern *k, const struct kern_fft *f, struct kern_check *c)
{
	static double re[65536], im[65536];
	unsigned int n = 1u << f->log2n, i, j, out = f->log2n & 1;
	double sr, si, w, max = 0, error;

	for (i = 0; i < n; i++) {
		re[i] = (float)cos(i * 0.7) + (float)(i % 7) / 8;
		im[i] = (float)sin(i * 1.3) - (float)(i % 5) / 4;
	}
	c->wrong = 0;
	c->error = 0;
	/* A sample of the points is enough for long ones. */
	for (i = 0; i < n; i += 1 + n / 2048) {
		sr = 0;
		si = 0;
		for (j = 0; j < n; j++) {
			w = -2 * M_PI * ((uint64_t)i * j % n) / n;
			sr += re[j] * cos(w) - im[j] * sin(w);
			si += re[j] * sin(w) + im[j] * cos(w);
		}
		max = fmax(max, hypot(sr, si));
		sr -= kern_floats(k, f->re[out])[i];
		si -= kern_floats(k, f->im[out])[i];
		error = hypot(sr, si);
		c->error = fmax(c->error, error);
	}
	c->error /= max;
	c->wrong = !(c->error < 2e-6);
}
