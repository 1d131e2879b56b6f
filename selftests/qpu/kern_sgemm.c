// SPDX-License-Identifier: GPL-2.0
/*
 * Matrix product, tiles of 16 x 16: the tile's rows are in registers, a rotation of the
 * multiplier broadcasts an element of A to r5, the next column of A and row of B are
 * requested before the current ones are used. The last request of a tile reads past the
 * matrices.
 *
 * Uniforms: columns of A; bytes of a row of A, B, C; number of tiles; per tile
 * addresses of its first row of A, first row of B, first element of C.
 */
#include <math.h>

#include "kern.h"

#define ROW(i)	Q_A(i)		/* of the tile, 0 to 15 */
#define A_COLS	Q_A(16)
#define B_LDA	Q_B(16)
#define B_LDB	Q_B(17)
#define B_LDC	Q_B(18)
#define A_TILES	Q_A(17)
#define A_PTR_A	Q_A(18)		/* column of A by element */
#define A_PTR_B	Q_A(19)		/* row of B by element */
#define A_PTR_C	Q_A(20)
#define A_LEFT	Q_A(21)		/* columns left */
#define B_VPM	Q_B(20)
#define B_DMA	Q_B(21)
#define B_FOUR	Q_B(22)

static void setups(struct q_prog *p)
{
	q_mov(p, A_COLS, Q_UNIF);
	q_mov(p, B_LDA, Q_UNIF);
	q_mov(p, B_LDB, Q_UNIF);
	q_mov(p, B_LDC, Q_UNIF);
	q_mov(p, A_TILES, Q_UNIF);
	q_ldi(p, B_FOUR, 4);
	/* four rows of the pipeline memory for each QPU */
	q_ldi(p, QR1, 4);
	q_mul(p, Q_MUL24, QR1, QR1, Q_QPU);
	q_ldi(p, QR0, q_vpm_h32(0, 1, 0));
	q_op(p, Q_ADD, B_VPM, QR0, QR1);
	q_op(p, Q_SHL, QR1, QR1, q_int(7));
	q_ldi(p, QR0, q_dma_store(0, 4, 16, 1, 0, 0));
	q_op(p, Q_ADD, B_DMA, QR0, QR1);
	q_ldi(p, QR0, q_dma_stride(0));
	q_op(p, Q_ADD, QR0, QR0, B_LDC);
	q_ldi(p, QR1, 64);
	q_op(p, Q_SUB, Q_WR_SETUP, QR0, QR1);
}

/* Start of a tile: addresses by element, zeros, first requests. */
static void tile_start(struct q_prog *p)
{
	unsigned int i;

	q_mul(p, Q_MUL24, QR0, Q_ELEM, B_LDA);
	q_op(p, Q_ADD, A_PTR_A, Q_UNIF, QR0);
	q_op(p, Q_SHL, QR1, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, A_PTR_B, Q_UNIF, QR1);
	q_mov(p, A_PTR_C, Q_UNIF);
	q_mov(p, A_LEFT, A_COLS);
	for (i = 0; i < 16; i++)
		q_op(p, Q_XOR, ROW(i), QR0, QR0);
	q_mov(p, Q_TMU_S(0), A_PTR_A);
	q_mov(p, Q_TMU_S(1), A_PTR_B);
	q_op(p, Q_ADD, A_PTR_A, A_PTR_A, B_FOUR);
	q_op(p, Q_ADD, A_PTR_B, A_PTR_B, B_LDB);
}

/* One column of A times one row of B. r2: column, r3: row of B. */
static void tile_step(struct q_prog *p)
{
	unsigned int i;

	Q(p, .op = Q_OR, .d = Q_TMU_S(0), .a = A_PTR_A, .b = A_PTR_A,
	  .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .op = Q_OR, .d = QR2, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU1));
	Q(p, .op = Q_OR, .d = Q_TMU_S(1), .a = A_PTR_B, .b = A_PTR_B,
	  .mop = Q_V8MIN, .md = QR3, .ma = QR4, .mb = QR4);
	q_op(p, Q_ADD, A_PTR_A, A_PTR_A, B_FOUR);
	Q(p, .op = Q_ADD, .d = A_PTR_B, .a = A_PTR_B, .b = B_LDB,
	  .mop = Q_V8MIN, .md = Q_R5ALL, .ma = QR2, .mb = QR2);
	for (i = 0; i < 16; i++) {
		q_mul(p, Q_FMUL, QR1, QR3, QR5);
		if (i < 15)	/* element i + 1 to element 0, and from there to all */
			Q(p, .op = Q_FADD, .d = ROW(i), .a = ROW(i), .b = QR1, .mop = Q_V8MIN,
			  .md = Q_R5ALL, .ma = QR2, .mb = QR2, .rot = 15 - i);
		else
			q_op(p, Q_FADD, ROW(i), ROW(i), QR1);
	}
}

static void tile_store(struct q_prog *p)
{
	unsigned int i, j;

	for (i = 0; i < 16; i += 4) {
		q_mov(p, Q_WR_SETUP, B_VPM);
		for (j = i; j < i + 4; j++)
			q_mov(p, Q_A(48), ROW(j));
		q_mov(p, Q_WR_SETUP, B_DMA);
		q_mov(p, Q_ST_ADDR, A_PTR_C);
		q_mov(p, Q_NOWHERE, Q_ST_WAIT);
		q_op(p, Q_ADD, QR0, B_LDC, B_LDC);
		q_op(p, Q_ADD, QR0, QR0, QR0);
		q_op(p, Q_ADD, A_PTR_C, A_PTR_C, QR0);
	}
}

static void build(struct q_prog *p)
{
	unsigned int tile, step;

	setups(p);
	tile = q_here(p);
	tile_start(p);
	step = q_here(p);
	tile_step(p);
	Q(p, .op = Q_SUB, .d = A_LEFT, .a = A_LEFT, .b = q_int(1), .sf = 1);
	q_branch(p, Q_ALLNZ, step);
	/* Drain the surplus requests. */
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU1));
	tile_store(p);
	Q(p, .op = Q_SUB, .d = A_TILES, .a = A_TILES, .b = q_int(1), .sf = 1);
	q_branch(p, Q_ALLNZ, tile);
	q_end(p);
}

static float value(unsigned int i)
{
	return (float)((int)(i * 0x9e3779b1u >> 16 & 0x3ff) - 512) / 256.0f;
}

void kern_sgemm(struct kern *k, struct kern_sgemm *s)
{
	static uint32_t u[5 + 3 * 4096];
	unsigned int i, t, n, tiles = s->m / 16 * (s->n / 16), per_row = s->n / 16;

	kern_begin(k);
	build(&k->p);
	kern_code(k);
	s->a = kern_alloc(k, s->m * s->k);
	s->b = kern_alloc(k, s->k * s->n);
	s->c = kern_alloc(k, s->m * s->n);
	for (i = 0; i < s->m * s->k; i++)
		kern_floats(k, s->a)[i] = value(i);
	for (i = 0; i < s->k * s->n; i++)
		kern_floats(k, s->b)[i] = value(i + 77777);
	for (i = 0; i < s->nqpus; i++) {
		u[0] = s->k;
		u[1] = 4 * s->k;
		u[2] = 4 * s->n;
		u[3] = 4 * s->n;
		n = 5;
		for (t = i; t < tiles; t += s->nqpus) {
			u[n++] = s->a + t / per_row * 16 * 4 * s->k;
			u[n++] = s->b + t % per_row * 64;
			u[n++] = s->c + (t / per_row * 16 * s->n + t % per_row * 16) * 4;
		}
		u[4] = (n - 5) / 3;
		kern_thread(k, 0, u, n);
	}
}

void kern_sgemm_check(struct kern *k, const struct kern_sgemm *s, struct kern_check *c)
{
	const float *a = kern_floats(k, s->a), *b = kern_floats(k, s->b);
	unsigned int i, j, l;
	double sum, error;

	c->wrong = 0;
	c->error = 0;
	for (i = 0; i < s->m; i++) {
		for (j = 0; j < s->n; j++) {
			sum = 0;
			for (l = 0; l < s->k; l++)
				sum += (double)a[i * s->k + l] * b[l * s->n + j];
			error = fabs(sum - kern_floats(k, s->c)[i * s->n + j]);
			c->error = fmax(c->error, error);
			/* a step of the accumulator per addition */
			c->wrong += !(error <= s->k * ldexp(2.0 * s->k, -23));
		}
	}
}
