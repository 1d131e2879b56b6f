// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "../include/qpu_asm.h"
#include "opjob.h"

#define BASE		0x00100000u
#define MAX_OPERANDS	1024
#define MAX_GROUPS	(MAX_OPERANDS / 16)
#define MAX_ROWS	30

/* Memory of a job. */
static struct {
	uint64_t code[QA_MAX_WORDS];
	uint32_t uniforms[MAX_GROUPS][3];
	uint32_t a[MAX_OPERANDS];
	uint32_t b[MAX_OPERANDS];
	uint32_t out[MAX_GROUPS][MAX_ROWS][16];
} mem;

#define ADDR(x)		(BASE + (uint32_t)((uint8_t *)&(x) - (uint8_t *)&mem))

/* Registers of these programs. */
#define A_OUT		Q_A(31)		/* address of the next row */
#define A_FROM		Q_A(30)		/* address of the first operand */
#define B_VPM		Q_B(31)		/* setup of the QPU's row for writing */
#define B_DMA		Q_B(30)		/* ... and for storing it */
#define B_ROW		Q_B(29)		/* bytes of a row */

static struct q_prog P;

/* r1 and r2: operands. */
static void prologue(void)
{
	q_begin(&P);
	q_op(&P, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_op(&P, Q_ADD, A_FROM, Q_UNIF, QR0);
	q_op(&P, Q_ADD, Q_TMU_S(1), Q_UNIF, QR0);
	q_mov(&P, Q_TMU_S(0), A_FROM);
	q_mov(&P, A_OUT, Q_UNIF);
	q_ldi(&P, QR0, q_vpm_h32(0, 1, 0));
	q_op(&P, Q_ADD, B_VPM, QR0, Q_QPU);
	q_ldi(&P, QR0, q_dma_store(0, 1, 16, 1, 0, 0));
	q_mov(&P, QR1, Q_QPU);
	q_op(&P, Q_SHL, QR1, QR1, q_int(7));
	q_op(&P, Q_ADD, B_DMA, QR0, QR1);
	q_ldi(&P, B_ROW, 64);
	Q(&P, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(&P, .op = Q_OR, .d = QR1, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU1));
	q_mov(&P, QR2, QR4);
}

/* A row of the result from an accumulator or file A. */
static void store(unsigned int from)
{
	q_mov(&P, Q_WR_SETUP, B_VPM);
	q_mov(&P, Q_A(48), from);
	q_mov(&P, Q_WR_SETUP, B_DMA);
	q_mov(&P, Q_ST_ADDR, A_OUT);
	q_op(&P, Q_ADD, A_OUT, A_OUT, B_ROW);
	q_mov(&P, Q_NOWHERE, Q_ST_WAIT);
}

static void operation(bool mul, unsigned int op, unsigned int d, unsigned int pack,
		      unsigned int sf)
{
	if (mul)
		Q(&P, .mop = op, .md = d, .ma = QR1, .mb = QR2, .pack = pack, .sf = sf);
	else
		Q(&P, .op = op, .d = d, .a = QR1, .b = QR2, .pack = pack, .sf = sf);
}

static void build_operation(bool mul, unsigned int op)
{
	static const unsigned int set[] = { Q_ZS, Q_NS, Q_CS };
	unsigned int i;

	prologue();
	operation(mul, op, QR3, 0, 1);
	store(QR3);
	for (i = 0; i < 3; i++) {
		q_ldi(&P, QR3, 0);
		Q(&P, .op = Q_OR, .d = QR3, .a = q_int(1), .b = q_int(1), .cond = Q_IF(set[i]));
		store(QR3);
	}
	for (i = 1; i < 16; i++) {
		q_ldi(&P, Q_A(1), 0);
		operation(mul, op, Q_A(1), i, 0);
		q_nop(&P);
		store(Q_A(1));
	}
	q_end(&P);
	q_finish(&P);
}

static void build_unpack(void)
{
	unsigned int i;

	prologue();
	q_mov(&P, Q_A(1), QR1);
	q_nop(&P);
	for (i = 0; i < 16; i++) {
		Q(&P, .op = i < 8 ? Q_OR : Q_FMAX, .d = QR3, .a = Q_A(1), .b = Q_A(1),
		  .unpack = i & 7);
		store(QR3);
	}
	q_mov(&P, Q_TMU_S(0), A_FROM);
	Q(&P, .sig = Q_WITH(Q_SIG_LDTMU0));
	for (i = 0; i < 8; i++) {
		Q(&P, .op = Q_FMAX, .d = QR3, .a = QR4, .b = QR4, .unpack = i, .pm = 1);
		store(QR3);
	}
	for (i = 2; i < 8; i++) {
		q_ldi(&P, QR3, 0x11223344);
		Q(&P, .mop = Q_V8MAX, .md = QR3, .ma = QR1, .mb = QR1, .pm = 1,
		  .pack = i == 2 ? 0 : i);
		store(QR3);
	}
	q_end(&P);
	q_finish(&P);
}

static void run(unsigned int ex, const uint32_t *a, const uint32_t *b, unsigned int n,
		unsigned int rows, struct qx_result *res)
{
	struct qpu_ref_thread threads[MAX_GROUPS];
	unsigned int groups = (n + 15) / 16, i;
	struct qx_job job = {
		.lo = BASE, .size = sizeof(mem), .mem = (uint8_t *)&mem, .threads = threads,
		.nthreads = groups,
	};

	assert(n <= MAX_OPERANDS);
	memset(&mem, 0, sizeof(mem));
	memcpy(mem.code, P.w, 8 * P.n);
	memcpy(mem.a, a, 4 * n);
	memcpy(mem.b, b, 4 * n);
	for (i = 0; i < groups; i++) {
		mem.uniforms[i][0] = ADDR(mem.a[16 * i]);
		mem.uniforms[i][1] = ADDR(mem.b[16 * i]);
		mem.uniforms[i][2] = BASE + (uint32_t)offsetof(typeof(mem), out) + i * rows * 64;
		threads[i] = (struct qpu_ref_thread){
			.uniforms = ADDR(mem.uniforms[i]),
			.pc = ADDR(mem.code),
			.nuniforms = ARRAY_SIZE(mem.uniforms[i]),
		};
	}
	qx_run(ex, &job, res);
}

/* Word of operand @i. */
static uint32_t result(unsigned int i, unsigned int row, unsigned int rows)
{
	return ((const uint32_t *)mem.out)[(i / 16 * rows + row) * 16 + i % 16];
}

void opjob_run(unsigned int ex, bool mul, unsigned int op, const uint32_t *a, const uint32_t *b,
	       unsigned int n, uint32_t out[][OPJOB_ROWS], struct qx_result *res)
{
	unsigned int i, row;

	build_operation(mul, op);
	run(ex, a, b, n, OPJOB_ROWS, res);
	for (i = 0; i < n; i++) {
		for (row = 0; row < OPJOB_ROWS; row++)
			out[i][row] = result(i, row, OPJOB_ROWS);
	}
}

void opjob_unpack(unsigned int ex, const uint32_t *a, unsigned int n,
		  uint32_t out[][OPJOB_UNPACK_ROWS], struct qx_result *res)
{
	unsigned int i, row;

	build_unpack();
	run(ex, a, a, n, OPJOB_UNPACK_ROWS, res);
	for (i = 0; i < n; i++) {
		for (row = 0; row < OPJOB_UNPACK_ROWS; row++)
			out[i][row] = result(i, row, OPJOB_UNPACK_ROWS);
	}
}
