// SPDX-License-Identifier: GPL-2.0
/*
 * Programs over grids: diffusion, Mandelbrot set, transposition of blocks. Expectations
 * are computed with the processor's rounding towards zero, bit for bit.
 */
#include <fenv.h>

#include "kern.h"

/* One operation each, in the current rounding mode: to be done here and now. */
static noinline float add(float a, float b)
{
	__asm__ volatile("" : "+m" (a), "+m" (b));
	return a + b;
}

static noinline float mul(float a, float b)
{
	__asm__ volatile("" : "+m" (a), "+m" (b));
	return a * b;
}

/* Own rows of the pipeline memory: generic write of row @first, and a store of one. */
static void row_setups(struct q_prog *p, unsigned int rows, unsigned int first,
		       unsigned int generic, unsigned int store)
{
	q_ldi(p, QR1, rows);
	q_mul(p, Q_MUL24, QR1, QR1, Q_QPU);
	q_ldi(p, QR0, q_vpm_h32(0, 1, first));
	q_op(p, Q_ADD, generic, QR0, QR1);
	q_op(p, Q_SHL, QR1, QR1, q_int(7));
	q_ldi(p, QR0, q_dma_store(0, 1, 16, 1, first, 0));
	q_op(p, Q_ADD, store, QR0, QR1);
}

/* ---- diffusion ---- */

#define A_ROWS		Q_A(0)
#define A_STEPS		Q_A(1)
#define B_WRITE		Q_B(0)
#define B_STORE		Q_B(1)
#define B_LOAD		Q_B(2)
#define B_READ		Q_B(3)
#define B_64		Q_B(4)
#define A_IN		Q_A(2)
#define A_OUT		Q_A(3)
#define A_LEFT		Q_A(4)
#define A_UP		Q_A(5)
#define A_DOWN		Q_A(6)
#define SMI_4_0		Q_SMI(34)
#define SMI_1_8		Q_SMI(45)

static void heat_setups(struct q_prog *p)
{
	q_mov(p, A_ROWS, Q_UNIF);
	q_mov(p, A_STEPS, Q_UNIF);
	row_setups(p, 5, 3, B_WRITE, B_STORE);
	q_ldi(p, QR1, 5);
	q_mul(p, Q_MUL24, QR1, QR1, Q_QPU);
	q_ldi(p, QR0, q_vpm_h32(3, 1, 0));
	q_op(p, Q_ADD, B_READ, QR0, QR1);
	q_op(p, Q_SHL, QR1, QR1, q_int(4));
	q_ldi(p, QR0, q_dma_load(0, 3, 16, 3, 1, 0, 0, 0));
	q_op(p, Q_ADD, B_LOAD, QR0, QR1);
	q_ldi(p, B_64, 64);
}

/* r0 = sum of the left and right neighbours of r2; zero outside. */
static void neighbours(struct q_prog *p)
{
	Q(p, .op = Q_OR, .d = Q_NOWHERE, .a = Q_ELEM, .b = Q_ELEM, .sf = 1);
	Q(p, .mop = Q_V8MIN, .md = QR0, .ma = QR2, .mb = QR2, .rot = 1);
	Q(p, .op = Q_XOR, .d = QR0, .a = QR0, .b = QR0, .cond = Q_IF(Q_ZS));
	Q(p, .op = Q_SUB, .d = Q_NOWHERE, .a = Q_ELEM, .b = q_int(15), .sf = 1);
	Q(p, .mop = Q_V8MIN, .md = QR1, .ma = QR2, .mb = QR2, .rot = 15);
	Q(p, .op = Q_XOR, .d = QR1, .a = QR1, .b = QR1, .cond = Q_IF(Q_ZS));
	q_op(p, Q_FADD, QR0, QR0, QR1);
}

static void heat_row(struct q_prog *p)
{
	q_mov(p, Q_RD_SETUP, B_LOAD);
	q_mov(p, Q_LD_ADDR, A_IN);
	q_mov(p, Q_NOWHERE, Q_LD_WAIT);
	q_mov(p, Q_RD_SETUP, B_READ);
	q_op(p, Q_ADD, A_IN, A_IN, B_64);
	q_mov(p, A_UP, Q_VPM);
	q_mov(p, QR2, Q_VPM);
	q_mov(p, A_DOWN, Q_VPM);
	neighbours(p);
	q_mov(p, QR1, A_UP);
	q_op(p, Q_FADD, QR1, QR1, A_DOWN);
	Q(p, .op = Q_FADD, .d = QR0, .a = QR0, .b = QR1,
	  .mop = Q_FMUL, .md = QR1, .ma = QR2, .mb = SMI_4_0);
	q_op(p, Q_FSUB, QR0, QR0, QR1);
	q_mul(p, Q_FMUL, QR0, QR0, SMI_1_8);
	q_mov(p, Q_WR_SETUP, B_WRITE);
	q_op(p, Q_FADD, Q_A(48), QR2, QR0);
	q_mov(p, Q_WR_SETUP, B_STORE);
	q_mov(p, Q_ST_ADDR, A_OUT);
	q_op(p, Q_ADD, A_OUT, A_OUT, B_64);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
}

void kern_heat(struct kern *k, struct kern_heat *h)
{
	unsigned int step, row, i, s, per = h->rows / h->nqpus, n;
	uint32_t u[2 + 2 * 64];

	kern_begin(k);
	heat_setups(&k->p);
	step = q_here(&k->p);
	q_mov(&k->p, A_IN, Q_UNIF);
	q_mov(&k->p, A_OUT, Q_UNIF);
	q_mov(&k->p, A_LEFT, A_ROWS);
	row = q_here(&k->p);
	heat_row(&k->p);
	Q(&k->p, .op = Q_SUB, .d = A_LEFT, .a = A_LEFT, .b = q_int(1), .sf = 1);
	q_branch(&k->p, Q_ALLNZ, row);
	kern_barrier(&k->p, h->nqpus);
	Q(&k->p, .op = Q_SUB, .d = A_STEPS, .a = A_STEPS, .b = q_int(1), .sf = 1);
	q_branch(&k->p, Q_ALLNZ, step);
	q_end(&k->p);
	kern_code(k);
	h->grid[0] = kern_alloc(k, 16 * (h->rows + 2));
	h->grid[1] = kern_alloc(k, 16 * (h->rows + 2));
	for (i = 16; i < 16 * (h->rows + 1); i++)
		kern_floats(k, h->grid[0])[i] = (float)(i * 37 % 101) / 3;
	for (i = 0; i < h->nqpus; i++) {
		u[0] = per;
		u[1] = h->steps;
		for (s = 0, n = 2; s < h->steps; s++) {
			u[n++] = h->grid[s & 1] + i * per * 64;
			u[n++] = h->grid[~s & 1] + (i * per + 1) * 64;
		}
		kern_thread(k, 0, u, n);
	}
}

static float heat_point(const float *g, unsigned int x)
{
	float lr = add(x ? g[-1] : 0, x < 15 ? g[1] : 0), ud = add(g[-16], g[16]);

	return add(g[0], mul(add(add(lr, ud), -mul(g[0], 4)), 0.125f));
}

void kern_heat_check(struct kern *k, const struct kern_heat *h, struct kern_check *c)
{
	static float g[2][16 * 256];
	unsigned int s, i, cells = 16 * (h->rows + 2);
	int mode = fegetround();

	fesetround(FE_TOWARDZERO);
	memset(g, 0, sizeof(g));
	for (i = 16; i < cells - 16; i++) {
		fesetround(mode);
		g[0][i] = (float)(i * 37 % 101) / 3;
		fesetround(FE_TOWARDZERO);
	}
	for (s = 0; s < h->steps; s++) {
		for (i = 16; i < cells - 16; i++)
			g[~s & 1][i] = heat_point(&g[s & 1][i], i % 16);
	}
	fesetround(mode);
	c->wrong = 0;
	c->error = 0;
	for (i = 16; i < cells - 16; i++)
		c->wrong += kern_bits(g[h->steps & 1][i]) !=
			    kern_words(k, h->grid[h->steps & 1])[i];
}

/* ---- Mandelbrot ---- */

#define M_ZR	Q_A(0)
#define M_ZI	Q_A(1)
#define M_CR	Q_B(2)
#define M_CI	Q_B(3)
#define M_COUNT	Q_A(4)
#define M_LEFT	Q_A(5)
#define M_X	Q_A(6)
#define M_DX	Q_B(7)
#define M_X0	Q_B(8)
#define M_LIMIT	Q_B(9)
#define M_VECS	Q_A(10)
#define M_OUT	Q_A(11)
#define M_ROWS	Q_A(12)
#define M_WRITE	Q_B(10)
#define M_STORE	Q_B(11)
#define M_64	Q_B(12)
#define M_16	Q_B(13)
#define M_WIDTH	Q_B(14)

static void mandel_point(struct q_prog *p)
{
	unsigned int top, out = q_label(p);

	q_op(p, Q_ITOF, QR0, M_X, QR0);
	q_mul(p, Q_FMUL, QR0, QR0, M_DX);
	q_op(p, Q_FADD, M_CR, QR0, M_X0);
	q_ldi(p, M_ZR, 0);
	q_ldi(p, M_ZI, 0);
	q_ldi(p, M_COUNT, 0);
	q_mov(p, M_LEFT, M_LIMIT);
	top = q_here(p);
	q_mul(p, Q_FMUL, QR0, M_ZR, M_ZR);
	q_mul(p, Q_FMUL, QR1, M_ZI, M_ZI);
	q_op(p, Q_FADD, QR2, QR0, QR1);
	Q(p, .op = Q_FSUB, .d = Q_NOWHERE, .a = QR2, .b = SMI_4_0, .sf = 1);
	q_branch_only(p, Q_ALLNN, out, Q_NOWHERE);
	q_mov(p, QR3, M_ZR);
	q_mul(p, Q_FMUL, QR3, QR3, M_ZI);
	q_op(p, Q_FADD, QR3, QR3, QR3);
	Q(p, .op = Q_FADD, .d = M_ZI, .a = QR3, .b = M_CI, .cond = Q_IF(Q_NS));
	q_op(p, Q_FSUB, QR0, QR0, QR1);
	Q(p, .op = Q_FADD, .d = M_ZR, .a = QR0, .b = M_CR, .cond = Q_IF(Q_NS));
	Q(p, .op = Q_ADD, .d = M_COUNT, .a = M_COUNT, .b = q_int(1), .cond = Q_IF(Q_NS));
	Q(p, .op = Q_SUB, .d = M_LEFT, .a = M_LEFT, .b = q_int(1), .sf = 1);
	q_branch(p, Q_ALLNZ, top);
	q_place(p, out);
}

static void mandel_store(struct q_prog *p)
{
	q_mov(p, Q_WR_SETUP, M_WRITE);
	q_mov(p, Q_A(48), M_COUNT);
	q_mov(p, Q_WR_SETUP, M_STORE);
	q_mov(p, Q_ST_ADDR, M_OUT);
	q_op(p, Q_ADD, M_OUT, M_OUT, M_64);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
}

static void mandel_build(struct q_prog *p)
{
	unsigned int row, vec;

	q_mov(p, M_WIDTH, Q_UNIF);
	q_mov(p, M_LIMIT, Q_UNIF);
	q_mov(p, M_X0, Q_UNIF);
	q_mov(p, M_DX, Q_UNIF);
	q_mov(p, M_ROWS, Q_UNIF);
	q_ldi(p, M_64, 64);
	q_ldi(p, M_16, 16);
	row_setups(p, 1, 0, M_WRITE, M_STORE);
	row = q_here(p);
	q_mov(p, M_CI, Q_UNIF);
	q_mov(p, M_OUT, Q_UNIF);
	q_mov(p, M_X, Q_ELEM);
	q_mov(p, M_VECS, M_WIDTH);
	vec = q_here(p);
	mandel_point(p);
	mandel_store(p);
	q_op(p, Q_ADD, M_X, M_X, M_16);
	Q(p, .op = Q_SUB, .d = M_VECS, .a = M_VECS, .b = M_16, .sf = 1);
	q_branch(p, Q_ALLNZ, vec);
	Q(p, .op = Q_SUB, .d = M_ROWS, .a = M_ROWS, .b = q_int(1), .sf = 1);
	q_branch(p, Q_ALLNZ, row);
	q_end(p);
}

#define MANDEL_X0	-2.0f
#define MANDEL_Y0	-1.25f

void kern_mandel(struct kern *k, struct kern_mandel *m)
{
	static uint32_t u[5 + 2 * 1024];
	unsigned int i, y, n;

	kern_begin(k);
	mandel_build(&k->p);
	kern_code(k);
	m->out = kern_alloc(k, m->width * m->height);
	for (i = 0; i < m->nqpus; i++) {
		u[0] = m->width;
		u[1] = m->limit;
		u[2] = kern_bits(MANDEL_X0);
		u[3] = kern_bits(2.5f / m->width);
		for (y = i, n = 5; y < m->height; y += m->nqpus) {
			u[n++] = kern_bits(MANDEL_Y0 + y * (2.5f / m->height));
			u[n++] = m->out + y * m->width * 4;
		}
		u[4] = (n - 5) / 2;
		kern_thread(k, 0, u, n);
	}
}

static unsigned int mandel_count(float cr, float ci, unsigned int limit)
{
	float zr = 0, zi = 0, r, i;
	unsigned int n;

	for (n = 0; n < limit; n++) {
		r = mul(zr, zr);
		i = mul(zi, zi);
		if (add(add(r, i), -4) >= 0)
			break;
		zi = mul(zr, zi);
		zi = add(add(zi, zi), ci);
		zr = add(add(r, -i), cr);
	}
	return n;
}

void kern_mandel_check(struct kern *k, const struct kern_mandel *m, struct kern_check *c)
{
	float dx = 2.5f / m->width, ci;
	unsigned int x, y;
	int mode = fegetround();

	c->wrong = 0;
	c->error = 0;
	for (y = 0; y < m->height; y++) {
		ci = MANDEL_Y0 + y * (2.5f / m->height);
		fesetround(FE_TOWARDZERO);
		for (x = 0; x < m->width; x++)
			c->wrong += kern_words(k, m->out)[y * m->width + x] !=
				    mandel_count(add(mul((float)x, dx), MANDEL_X0), ci, m->limit);
		fesetround(mode);
	}
}

/* ---- transposition ---- */

static void transpose_build(struct q_prog *p)
{
	unsigned int i;

	q_op(p, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, QR0, QR0, Q_UNIF);
	q_ldi(p, QR3, 64);
	q_mov(p, QR1, Q_QPU);
	q_op(p, Q_SHL, QR1, QR1, q_int(4));
	q_ldi(p, QR2, q_vpm_v32(0, 1, 0, 0));
	q_op(p, Q_ADD, Q_WR_SETUP, QR2, QR1);
	for (i = 0; i < 16; i++) {
		q_mov(p, Q_TMU_S(0), QR0);
		q_op(p, Q_ADD, QR0, QR0, QR3);
		Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
		q_mov(p, Q_A(48), QR4);
	}
	q_op(p, Q_SHL, QR1, QR1, q_int(7));
	q_ldi(p, QR2, q_dma_store(0, 16, 16, 1, 0, 0));
	q_op(p, Q_ADD, Q_WR_SETUP, QR2, QR1);
	q_mov(p, Q_ST_ADDR, Q_UNIF);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
	q_end(p);
}

void kern_transpose(struct kern *k, struct kern_transpose *t)
{
	unsigned int i;
	uint32_t u[2];

	kern_begin(k);
	transpose_build(&k->p);
	kern_code(k);
	t->in = kern_alloc(k, 256 * t->nqpus);
	t->out = kern_alloc(k, 256 * t->nqpus);
	for (i = 0; i < 256 * t->nqpus; i++)
		kern_words(k, t->in)[i] = i * 0x9e3779b1u;
	for (i = 0; i < t->nqpus; i++) {
		u[0] = t->in + 1024 * i;
		u[1] = t->out + 1024 * i;
		kern_thread(k, 0, u, 2);
	}
}

void kern_transpose_check(struct kern *k, const struct kern_transpose *t, struct kern_check *c)
{
	unsigned int b, y, x;

	c->wrong = 0;
	c->error = 0;
	for (b = 0; b < t->nqpus; b++) {
		for (y = 0; y < 16; y++) {
			for (x = 0; x < 16; x++)
				c->wrong += kern_words(k, t->out)[256 * b + 16 * y + x] !=
					    (256 * b + 16 * x + y) * 0x9e3779b1u;
		}
	}
}
