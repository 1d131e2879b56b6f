// SPDX-License-Identifier: GPL-2.0
/*
 * Interaction of QPUs and corner cases: mutex, deadlock, time limits, delay slots,
 * subroutines, lookups past the end of memory, special functions, many threads. On the
 * reference model and on every build of the engine.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "kern.h"

static struct kern K;
static unsigned int cur;		/* executor under test */

/* Store one row of @from (file A or accumulator) at the address in r3, by any QPU. */
static void store_row(struct q_prog *p, unsigned int from)
{
	q_ldi(p, QR0, q_vpm_h32(0, 1, 0));
	q_op(p, Q_ADD, Q_WR_SETUP, QR0, Q_QPU);
	q_mov(p, Q_A(48), from);
	q_mov(p, QR1, Q_QPU);
	q_op(p, Q_SHL, QR1, QR1, q_int(7));
	q_ldi(p, QR0, q_dma_store(0, 1, 16, 1, 0, 0));
	q_op(p, Q_ADD, Q_WR_SETUP, QR0, QR1);
	q_mov(p, Q_ST_ADDR, QR3);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
}

/* Run a single thread that stores one row; its first uniform is the address. */
static const uint32_t *run_row(struct qx_result *res)
{
	uint32_t u[1], out;

	kern_code(&K);
	out = kern_alloc(&K, 16);
	u[0] = out;
	kern_thread(&K, 0, u, 1);
	kern_run(&K, cur, 0, 100000, res);
	return kern_words(&K, out);
}

static bool row_is(const uint32_t *row, uint32_t value)
{
	unsigned int i;

	for (i = 0; i < 16; i++) {
		if (row[i] != value)
			return false;
	}
	return true;
}

/* ---- mutex ---- */

#define ROUNDS	20

static void mutex_counter(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[1], counter;
	unsigned int top, i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, Q_A(28), ROUNDS);
	top = q_here(p);
	q_mov(p, Q_NOWHERE, Q_MUTEX);
	/* Row 0 is protected by the mutex. */
	q_ldi(p, Q_RD_SETUP, q_dma_load(0, 3, 16, 1, 1, 0, 0, 0));
	q_mov(p, Q_LD_ADDR, QR3);
	q_mov(p, Q_NOWHERE, Q_LD_WAIT);
	q_ldi(p, Q_RD_SETUP, q_vpm_h32(1, 1, 0));
	q_ldi(p, Q_WR_SETUP, q_vpm_h32(0, 1, 0));
	q_mov(p, QR0, Q_VPM);
	q_op(p, Q_ADD, Q_A(48), QR0, Q_ELEM);
	q_ldi(p, Q_WR_SETUP, q_dma_store(0, 1, 16, 1, 0, 0));
	q_mov(p, Q_ST_ADDR, QR3);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
	q_mov(p, Q_MUTEX_FREE, QR0);
	Q(p, .op = Q_SUB, .d = Q_A(28), .a = Q_A(28), .b = q_int(1), .sf = 1);
	q_branch(p, Q_ALLNZ, top);
	q_end(p);
	kern_code(&K);
	counter = kern_alloc(&K, 16);
	u[0] = counter;
	for (i = 0; i < 12; i++)
		kern_thread(&K, 0, u, 1);
	kern_run(&K, cur, 0, 0, &res);
	for (i = 0; i < 16 && kern_words(&K, counter)[i] == 12 * ROUNDS * i; i++)
		;
	tap_result(!res.status && i == 16, "%s: 12 QPUs count under the mutex", qx_name(cur));
}

/* ---- waiting for ever ---- */

static void deadlock(void)
{
	static const struct {
		unsigned int wait;
		unsigned int info;
		unsigned int at;	/* instruction in its own code */
	} want[4] = {
		{ QPU_WAIT_SEMA_DEC, 3, 1 }, { QPU_WAIT_SEMA_INC, 4, 15 },
		{ QPU_WAIT_SEMA_DEC, 5, 1 }, { QPU_WAIT_MUTEX, 2, 2 },
	};
	struct q_prog *p = &K.p;
	unsigned int entry[4], i, q;
	struct qx_result res;
	bool right = true;

	kern_begin(&K);
	entry[0] = p->n;
	q_nop(p);
	q_acquire(p, 3);
	q_end(p);
	entry[1] = p->n;
	for (i = 0; i < 16; i++)
		q_release(p, 4);
	q_end(p);
	entry[2] = p->n;
	q_mov(p, Q_NOWHERE, Q_MUTEX);
	q_acquire(p, 5);
	q_end(p);
	entry[3] = p->n;
	q_nop(p);
	q_nop(p);
	q_mov(p, Q_NOWHERE, Q_MUTEX);
	q_end(p);
	kern_code(&K);
	for (i = 0; i < 4; i++)
		kern_thread(&K, entry[i], &i, 1);
	kern_run(&K, cur, 0, 0, &res);
	for (q = 0; q < 4; q++) {
		const struct qpu_state *s = &res.state[q];

		if (s->wait == want[q].wait && s->info == want[q].info && s->thread == q &&
		    s->pc == KERN_BASE + 8 * (entry[q] + want[q].at))
			continue;
		right = false;
		tap_comment("QPU %u: wait %u info %u pc %x thread %u", q, s->wait, s->info, s->pc,
			    s->thread);
	}
	for (; q < QPU_NUM; q++)
		right &= res.state[q].wait == QPU_WAIT_IDLE;
	tap_result(res.status == QPU_REF_DEADLOCK && right,
		   "%s: a deadlock is found and everybody's place known", qx_name(cur));
}

static void endless_loop(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t zero = 0;
	unsigned int i;

	kern_begin(&K);
	q_branch(p, Q_BR_ALWAYS, q_here(p));
	q_end(p);
	kern_code(&K);
	for (i = 0; i < 5; i++)
		kern_thread(&K, 0, &zero, 1);
	kern_run(&K, cur, 0, 50000, &res);
	tap_result(res.status == QPU_REF_BUDGET && res.counters.insns <= 60000 &&
		   res.counters.insns > 1000, "%s: a loop without end runs out of budget",
		   qx_name(cur));
}

/* A QPU that polls memory until another one has written there. */
static void polling(void)
{
	struct q_prog *p = &K.p;
	unsigned int top, writer, i;
	struct qx_result res;
	uint32_t u[1], flag;

	kern_begin(&K);
	q_op(p, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, Q_A(1), Q_UNIF, QR0);
	top = q_here(p);
	q_mov(p, Q_TMU_S(0), Q_A(1));
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .op = Q_OR, .d = Q_NOWHERE, .a = QR4, .b = QR4, .sf = 1);
	q_branch(p, Q_ANYZ, top);
	q_end(p);
	writer = p->n;
	for (i = 0; i < 100; i++)
		q_nop(p);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, QR2, 77);
	store_row(p, QR2);
	q_end(p);
	kern_code(&K);
	flag = kern_alloc(&K, 16);
	u[0] = flag;
	kern_thread(&K, 0, u, 1);
	kern_thread(&K, writer, u, 1);
	kern_thread(&K, 0, u, 1);
	kern_run(&K, cur, 0, 10000000, &res);
	tap_result(!res.status && row_is(kern_words(&K, flag), 77),
		   "%s: polling does not keep others from running", qx_name(cur));
}

/* ---- order ---- */

static void end_slots(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	const uint32_t *row;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, Q_WR_SETUP, q_vpm_h32(0, 1, 0));
	q_ldi(p, Q_A(48), 5);
	q_ldi(p, Q_WR_SETUP, q_vpm_h32(0, 1, 0));
	Q(p, .sig = Q_WITH(Q_SIG_END), .op = Q_OR, .d = Q_A(48), .a = Q_ELEM, .b = Q_ELEM);
	q_ldi(p, Q_WR_SETUP, q_dma_store(0, 1, 16, 1, 0, 0));
	q_mov(p, Q_ST_ADDR, QR3);
	/* Too late. */
	q_ldi(p, Q_ST_ADDR, 0x3ffff000);
	row = run_row(&res);
	tap_result(!res.status && !row[0] && row[15] == 15 && res.counters.insns == 7,
		   "%s: a program end and its two slots are executed", qx_name(cur));
}

static void branch_slots(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	const uint32_t *row;
	unsigned int label;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, QR2, 0);
	label = q_label(p);
	q_branch_only(p, Q_BR_ALWAYS, label, Q_NOWHERE);
	q_op(p, Q_ADD, QR2, QR2, q_int(1));
	q_op(p, Q_ADD, QR2, QR2, q_int(2));
	q_op(p, Q_ADD, QR2, QR2, q_int(4));
	q_op(p, Q_ADD, QR2, QR2, q_int(8));
	q_place(p, label);
	store_row(p, QR2);
	q_end(p);
	row = run_row(&res);
	tap_result(!res.status && row_is(row, 7), "%s: a branch and its three slots", qx_name(cur));
}

/* The last slot of one branch starts the next, taken or not. */
static void branch_in_last_slot(unsigned int cond, uint32_t want)
{
	struct q_prog *p = &K.p;
	unsigned int one, two;
	struct qx_result res;
	const uint32_t *row;

	kern_begin(&K);
	one = q_label(p);
	two = q_label(p);
	q_mov(p, QR3, Q_UNIF);
	Q(p, .op = Q_OR, .d = QR2, .a = q_int(0), .b = q_int(0), .sf = 1);
	q_branch_only(p, Q_BR_ALWAYS, one, Q_NOWHERE);
	q_op(p, Q_ADD, QR2, QR2, q_int(1));
	q_nop(p);
	q_branch_only(p, (enum q_br)cond, two, Q_NOWHERE);
	q_op(p, Q_ADD, QR2, QR2, q_int(2));
	q_place(p, one);
	q_op(p, Q_ADD, QR2, QR2, q_int(4));
	q_op(p, Q_ADD, QR2, QR2, q_int(4));
	q_op(p, Q_ADD, QR2, QR2, q_int(4));
	q_ldi(p, QR0, 100);
	q_op(p, Q_ADD, QR2, QR2, QR0);
	q_place(p, two);
	store_row(p, QR2);
	q_end(p);
	row = run_row(&res);
	tap_result(!res.status && row_is(row, want),
		   "%s: a branch in the last slot of another, %s", qx_name(cur),
		   want > 100 ? "not taken" : "taken");
}

/* Calls with a link register, two deep, and a jump that uses element 15 alone. */
static void subroutines(void)
{
	struct q_prog *p = &K.p;
	unsigned int outer, inner;
	struct qx_result res;
	const uint32_t *row;

	kern_begin(&K);
	outer = q_label(p);
	inner = q_label(p);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, QR2, 1);
	q_branch_only(p, Q_BR_ALWAYS, outer, Q_A(4));
	q_nop(p);
	q_nop(p);
	q_op(p, Q_ADD, QR2, QR2, QR2);
	q_op(p, Q_ADD, QR2, QR2, q_int(1));	/* back here */
	store_row(p, QR2);
	q_end(p);
	q_place(p, outer);
	q_branch_only(p, Q_BR_ALWAYS, inner, Q_A(6));
	q_nop(p);
	q_nop(p);
	q_nop(p);
	q_op(p, Q_SHL, QR2, QR2, q_int(4));
	/* Other elements hold nonsense. */
	Q(p, .op = Q_SUB, .d = Q_NOWHERE, .a = Q_ELEM, .b = q_int(15), .sf = 1);
	Q(p, .op = Q_OR, .d = Q_A(4), .a = Q_ELEM, .b = Q_ELEM, .cond = Q_IF(Q_ZC));
	q_nop(p);
	q_word(p, q_branch_word(Q_BR_ALWAYS, 0, 4, Q_NOWHERE, 0));
	q_nop(p);
	q_nop(p);
	q_nop(p);
	q_place(p, inner);
	q_op(p, Q_ADD, QR2, QR2, q_int(3));
	q_word(p, q_branch_word(Q_BR_ALWAYS, 0, 6, Q_NOWHERE, 0));
	q_nop(p);
	q_nop(p);
	q_nop(p);
	row = run_row(&res);
	/* ((1 + 1) + 3) * 16 + 1 */
	tap_result(!res.status && row_is(row, 81), "%s: subroutines", qx_name(cur));
}

/* ldtmu writes r4 after the instruction has read it. */
static void old_r4(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[3], in;
	const uint32_t *row;
	unsigned int i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_op(p, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_mov(p, QR1, Q_UNIF);
	q_op(p, Q_ADD, Q_TMU_S(0), QR0, QR1);
	q_mov(p, QR1, Q_UNIF);
	q_op(p, Q_ADD, Q_TMU_S(0), QR0, QR1);
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .op = Q_OR, .d = QR2, .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU0));
	q_op(p, Q_SUB, QR2, QR4, QR2);
	store_row(p, QR2);
	q_end(p);
	kern_code(&K);
	in = kern_alloc(&K, 48);
	for (i = 0; i < 16; i++) {
		kern_words(&K, in)[i] = 1000 * i;
		kern_words(&K, in)[16 + i] = 1000 * i + 9;
	}
	u[0] = in + 128;
	u[1] = in;
	u[2] = in + 64 + 3;	/* low bits do not count */
	kern_thread(&K, 0, u, 3);
	kern_run(&K, cur, 0, 0, &res);
	row = kern_words(&K, in + 128);
	tap_result(!res.status && row_is(row, 9), "%s: loads read r4 first", qx_name(cur));
}

/* ---- past the end ---- */

static void prefetch(uint32_t switches)
{
	struct q_prog *p = &K.p;
	bool strict = switches;
	struct qx_result res;
	const uint32_t *row;
	uint32_t u[2], out;
	unsigned int i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_op(p, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, Q_TMU_S(1), QR0, Q_UNIF);
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU1));
	q_mov(p, QR2, QR4);
	store_row(p, QR2);
	q_end(p);
	kern_code(&K);
	kern_alloc(&K, 16);
	out = kern_alloc(&K, 16);
	u[0] = out;
	/* The last four words of the window, after the uniforms. */
	u[1] = out + 64 + 64 - 16;
	kern_thread(&K, 0, u, 2);
	for (i = 12; i < 16; i++)
		kern_words(&K, out + 64)[i] = 100 + i;
	kern_run(&K, cur, switches, 0, &res);
	row = kern_words(&K, out);
	if (cur == QX_REF && strict)
		return;
	tap_result(strict ? res.status == QPU_REF_READ :
		   !res.status && row[0] == 112 && row[3] == 115 && !row[4] && !row[15] &&
		   res.counters.stray_reads == 12,
		   "%s: lookups past the end %s", qx_name(cur),
		   strict ? "are faults in strict mode" : "read zeros and are counted");
}

/* ---- special functions ---- */

static const float sfu_in[16] = {
	1, -1, 2, 3, 0.5f, 0.1f, 100, 1e10f, 1e-10f, -7.3f, 0, 1.9999999f, 12345.678f, 1e30f,
	0.75f, -0.3333333f,
};

/* Where the quotient of the rounded root is one off, in both directions. */
static const uint32_t rsqrt_in[16] = {
	0x3f800001, 0x3f80000d, 0x3f84a9c4, 0x3f897f13, 0x3f8e8138, 0x3f9ea41f, 0x3faa666b,
	0x3fb70962, 0x3fc4a251, 0x3fd3390b, 0x3fe2e47d, 0x3ff3b810, 0x4005c3db, 0x401a5715,
	0x404d820c, 0x407ec76d,
};

/* Whose results are nearest to the middle between two numbers. */
static const uint32_t rsqrt_middle[16] = {
	0x403a18e3, 0x4009f038, 0x407ffffe, 0x3fba2a39, 0x3fd2208f, 0x3fed3230, 0x3f8a5c86,
	0x3fdae942, 0x407de1e1, 0x407dbbac, 0x401dd16a, 0x4042ed16, 0x3fd19305, 0x40355499,
	0x3fa49c14, 0x3fd7aea0,
};

static double sfu_want(unsigned int fn, double x)
{
	if (fn == 0)
		return x == 0 ? INFINITY : 1 / x;
	if (fn == 1)
		return 1 / sqrt(fabs(x));
	return fn == 2 ? exp2(x) : log2(fabs(x));
}

/* Relative accuracy that every program may count on, and better after a Newton step. */
static void special_function(unsigned int fn, const void *rows)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	double want, error = 0;
	float got, x[16];
	uint32_t u[2], in, v;
	unsigned int i, off = 0;

	memcpy(x, rows, sizeof(x));
	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_op(p, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, Q_TMU_S(0), QR0, Q_UNIF);
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	q_mov(p, Q_SFU(fn), QR4);
	q_nop(p);
	q_nop(p);
	q_mov(p, QR2, QR4);
	store_row(p, QR2);
	q_end(p);
	kern_code(&K);
	in = kern_alloc(&K, 32);
	memcpy(kern_words(&K, in), x, 64);
	u[0] = in + 64;
	u[1] = in;
	kern_thread(&K, 0, u, 2);
	kern_run(&K, cur, 0, 0, &res);
	for (i = 0; i < 16; i++) {
		want = sfu_want(fn, x[i]);
		v = kern_words(&K, in + 64)[i];
		memcpy(&got, &v, 4);
		/* too large or too small for a float */
		if (fabs(want) > 3.4e38 || fabs(want) < 1.2e-38) {
			if (fabs(want) < 1 ? v : v != (want < 0 ? 0xff800000 : 0x7f800000))
				error = INFINITY;
		} else {
			error = fmax(error, fabs(got / want - 1));
			off += fn < 2 && got != (float)want;
		}
	}
	/* As documented: RECIP and RSQRT to nearest, the others at most a step away from that. */
	tap_result(!res.status && !off && error < ldexp(1, -22), "%s: %s, error 2^%.1f",
		   qx_name(cur), fn == 0 ? "recip" : fn == 1 ? "rsqrt" : fn == 2 ? "exp2" : "log2",
		   log2(error + 1e-12));
}

/* r = r * (2 - x * r): a Newton step, as programs refine the chip's table values. */
static void newton(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[2], in, v;
	double error = 0;
	float got;
	unsigned int i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_op(p, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, Q_TMU_S(0), QR0, Q_UNIF);
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	q_mov(p, QR1, QR4);
	q_mov(p, Q_SFU(0), QR1);
	q_nop(p);
	q_nop(p);
	/* As coarse as the chip: 12 bits. */
	q_ldi(p, QR2, 0xfffff000);
	q_op(p, Q_AND, QR2, QR4, QR2);
	q_mul(p, Q_FMUL, QR0, QR1, QR2);
	q_ldi(p, QR1, 0x40000000);
	q_op(p, Q_FSUB, QR0, QR1, QR0);
	q_mul(p, Q_FMUL, QR2, QR2, QR0);
	store_row(p, QR2);
	q_end(p);
	kern_code(&K);
	in = kern_alloc(&K, 32);
	for (i = 0; i < 16; i++)
		kern_floats(&K, in)[i] = 1.0f + i * 0.777f;
	u[0] = in + 64;
	u[1] = in;
	kern_thread(&K, 0, u, 2);
	kern_run(&K, cur, 0, 0, &res);
	for (i = 0; i < 16; i++) {
		v = kern_words(&K, in + 64)[i];
		memcpy(&got, &v, 4);
		error = fmax(error, fabs((double)got * (1.0f + i * 0.777f) - 1));
	}
	tap_result(!res.status && error < ldexp(1, -21), "%s: reciprocal and a Newton step, 2^%.1f",
		   qx_name(cur), log2(error + 1e-12));
}

/* r4 keeps its value for two more instructions. */
static void sfu_latency(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	const uint32_t *row;
	unsigned int i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, QR0, 0x40800000);
	q_mov(p, Q_SFU(0), QR0);	/* 1/4 */
	q_nop(p);
	q_nop(p);
	q_ldi(p, QR2, 0);
	q_mov(p, Q_SFU(1), QR0);	/* 1/2 */
	for (i = 0; i < 3; i++)
		q_op(p, Q_FADD, QR2, QR2, QR4);
	store_row(p, QR2);
	q_end(p);
	row = run_row(&res);
	tap_result(!res.status && row_is(row, 0x3f800000),
		   "%s: special functions take three instructions", qx_name(cur));
}

/* r4 is 1/4. */
static void quarter_in_r4(struct q_prog *p)
{
	q_ldi(p, QR0, 0x40800000);
	q_mov(p, Q_SFU(0), QR0);
	q_nop(p);
	q_nop(p);
}

/* The address that a branch leaves may go to a special function, like other results. */
static void link_to_sfu(unsigned int fn)
{
	struct q_prog *p = &K.p;
	unsigned int next, last;
	struct qx_result res;

	kern_begin(&K);
	next = q_label(p);
	last = q_label(p);
	q_mov(p, QR3, Q_UNIF);
	quarter_in_r4(p);
	q_branch_only(p, Q_BR_ALWAYS, next, Q_A(4));
	q_nop(p);
	q_nop(p);
	q_nop(p);
	q_place(p, next);
	q_branch_only(p, Q_BR_ALWAYS, last, Q_SFU(fn));
	q_nop(p);
	q_nop(p);
	q_mov(p, Q_A(5), QR4);
	q_place(p, last);
	/* the same function of the same address, four instructions after the first one */
	q_ldi(p, QR0, 32);
	q_op(p, Q_ADD, QR0, Q_A(4), QR0);
	q_mov(p, Q_SFU(fn), QR0);
	q_nop(p);
	q_nop(p);
	q_op(p, Q_XOR, QR2, Q_A(5), QR4);
	store_row(p, QR2);
	q_end(p);
	tap_result(row_is(run_row(&res), 0) && !res.status,
		   "%s: a branch's link to special function %u", qx_name(cur), fn);
}

/* All places that the stack can have: vectors of executors are aligned whatever it is. */
static noinline void link_to_sfus(unsigned int depth)
{
	char room[16 * depth + 1];
	unsigned int fn;

	/* it is used */
	__asm__ ("" : : "r"(room) : "memory");
	for (fn = 0; fn < 4; fn++)
		link_to_sfu(fn);
	if (depth < 3)
		link_to_sfus(depth + 1);
}

/* The link of a branch that is not taken goes nowhere. */
static void no_link_to_sfu(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	unsigned int label;

	kern_begin(&K);
	label = q_label(p);
	q_mov(p, QR3, Q_UNIF);
	quarter_in_r4(p);
	Q(p, .op = Q_SUB, .d = Q_NOWHERE, .a = QR0, .b = QR0, .sf = 1);
	q_branch_only(p, Q_ALLNZ, label, Q_SFU(1));
	q_nop(p);
	q_nop(p);
	q_nop(p);
	q_place(p, label);
	q_mov(p, QR2, QR4);
	store_row(p, QR2);
	q_end(p);
	tap_result(row_is(run_row(&res), 0x3e800000) && !res.status,
		   "%s: no link to a special function", qx_name(cur));
}

/* A function of no element leaves r4, which something else has written since. */
static void sfu_of_none(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	quarter_in_r4(p);
	q_mov(p, Q_TMU_S(0), QR3);	/* the row, which is zero */
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	Q(p, .op = Q_SUB, .d = Q_NOWHERE, .a = QR0, .b = QR0, .sf = 1);
	Q(p, .op = Q_OR, .d = Q_SFU(0), .a = QR0, .b = QR0, .cond = Q_IF(Q_ZC));
	q_nop(p);
	q_nop(p);
	q_op(p, Q_ADD, QR2, QR4, q_int(5));
	store_row(p, QR2);
	q_end(p);
	tap_result(row_is(run_row(&res), 5) && !res.status,
		   "%s: a special function of no element", qx_name(cur));
}

/* Of two functions in one instruction, the first one's result arrives at once. */
static void two_sfus(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	const uint32_t *row;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, QR0, 0x40800000);
	Q(p, .op = Q_SUB, .d = Q_NOWHERE, .a = Q_ELEM, .b = q_int(0), .sf = 1);
	/* 1/4 for all elements, and 1/2 for the first one */
	Q(p, .op = Q_OR, .d = Q_SFU(0), .a = QR0, .b = QR0, .mop = Q_V8MIN,
	  .md = Q_B(53), .ma = QR0, .mb = QR0, .mcond = Q_IF(Q_ZS));
	q_nop(p);
	q_nop(p);
	q_mov(p, QR2, QR4);
	store_row(p, QR2);
	q_end(p);
	row = run_row(&res);
	tap_result(!res.status && row[0] == 0x3f000000 && row[1] == 0x3e800000 &&
		   row[15] == 0x3e800000, "%s: two special functions at once", qx_name(cur));
}

/* ---- odds and ends ---- */

/* More threads than QPUs: all run, the QPU number stays below 12. */
static void many_threads(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	unsigned int i, bad = 0;
	uint32_t u[1], out;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_mov(p, QR2, Q_QPU);
	q_op(p, Q_ADD, QR2, QR2, q_int(1));
	store_row(p, QR2);
	q_end(p);
	kern_code(&K);
	out = kern_alloc(&K, 16 * 50);
	for (i = 0; i < 50; i++) {
		u[0] = out + 64 * i;
		kern_thread(&K, 0, u, 1);
	}
	kern_run(&K, cur, 0, 0, &res);
	for (i = 0; i < 50; i++) {
		uint32_t v = kern_words(&K, out)[16 * i];

		bad += !v || v > 12 || (i < 12 && v != i + 1) ||
		       !row_is(&kern_words(&K, out)[16 * i], v);
	}
	tap_result(!res.status && !bad, "%s: 50 threads on 12 QPUs", qx_name(cur));
}

/* The last value read stays on the bus; a shipped kernel raises its interrupt that way. */
static void residue(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	const uint32_t *row;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_op(p, Q_ADD, QR1, Q_ELEM, q_int(-5));
	q_mov(p, QR2, Q_NOP_A);
	q_op(p, Q_ADD, QR2, QR2, Q_NOP_B);
	q_mov(p, Q_HOST_INT, Q_NOP_A);
	store_row(p, QR2);
	q_end(p);
	row = run_row(&res);
	tap_result(!res.status && row[0] == 7 && row[1] == 8 && row[15] == 10 && row[4] == 7 &&
		   res.counters.host_ints == 1, "%s: reading nothing gives what was read last",
		   qx_name(cur));
}

/* Uniforms can be read again. */
static void uniform_address(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[4], out;
	unsigned int i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_mov(p, QR1, Q_UNIF);
	q_mov(p, Q_UNIF_ADDR, QR1);
	q_ldi(p, QR2, 0);
	q_nop(p);
	for (i = 0; i < 3; i++) {
		/* the same address on both ports is one uniform */
		q_op(p, Q_ADD, QR0, Q_UNIF, Q_UNIF_B);
		q_op(p, Q_ADD, QR2, QR2, QR0);
	}
	store_row(p, QR2);
	q_end(p);
	kern_code(&K);
	out = kern_alloc(&K, 32);
	kern_words(&K, out)[16] = 1;
	kern_words(&K, out)[17] = 10;
	kern_words(&K, out)[18] = 100;
	u[0] = out;
	u[1] = out + 64;
	kern_thread(&K, 0, u, 2);
	kern_run(&K, cur, 0, 0, &res);
	tap_result(!res.status && row_is(kern_words(&K, out), 222), "%s: uniforms elsewhere",
		   qx_name(cur));
}

int main(void)
{
	unsigned int fn;

	tap_start();
	for (cur = 0; cur < qx_count(); cur++) {
		mutex_counter();
		deadlock();
		endless_loop();
		polling();
		end_slots();
		branch_slots();
		/* 1 + 3 * 4, and 1 + 3 * 4 + 100 */
		branch_in_last_slot(Q_BR_ALWAYS, 13);
		branch_in_last_slot(Q_ALLNZ, 113);
		subroutines();
		old_r4();
		prefetch(0);
		prefetch(QPU_SW_STRICT_TMU);
		for (fn = 0; fn < 4; fn++)
			special_function(fn, sfu_in);
		special_function(1, rsqrt_in);
		special_function(1, rsqrt_middle);
		newton();
		sfu_latency();
		link_to_sfus(0);
		no_link_to_sfu();
		sfu_of_none();
		two_sfus();
		many_threads();
		residue();
		uniform_address();
	}
	return tap_done();
}
