// SPDX-License-Identifier: GPL-2.0
/*
 * Peripheral accesses inside of runs of instructions: faults name the instruction and the
 * QPU, earlier effects are visible and later ones are not; stores and uniforms, requests
 * and results of the same instruction keep their order; slices may end anywhere.
 */
#include <string.h>

#include "../include/tap.h"
#include "kern.h"

#define QPUS	3

static struct kern K;
static unsigned int cur;		/* executor under test */

/* This QPU's row of the pipeline memory gets @from. */
static void write_row(struct q_prog *p, unsigned int from)
{
	q_ldi(p, QR0, q_vpm_h32(0, 1, 0));
	q_op(p, Q_ADD, Q_WR_SETUP, QR0, Q_QPU);
	q_mov(p, Q_A(48), from);
}

/* ... and is the operand of stores. */
static void setup_store(struct q_prog *p)
{
	q_mov(p, QR1, Q_QPU);
	q_op(p, Q_SHL, QR1, QR1, q_int(7));
	q_ldi(p, QR0, q_dma_store(0, 1, 16, 1, 0, 0));
	q_op(p, Q_ADD, Q_WR_SETUP, QR0, QR1);
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

/* ---- faults ---- */

enum what { STORE, LOAD, EMPTY_TMU, EMPTY_VPM, BAD_SETUP, BAD_READ, NUM_WHAT };

static const struct {
	const char *name;
	unsigned int kind;
	unsigned int size;
	unsigned int code;
} faults[NUM_WHAT] = {
	[STORE] = { "a store to nowhere", VS_FAULT_WRITE, 64, 0 },
	[LOAD] = { "a load from nowhere", VS_FAULT_READ, 64, 0 },
	[EMPTY_TMU] = { "no result to take", VS_FAULT_HANG, 0, QPU_HZ_TMU_EMPTY },
	[EMPTY_VPM] = { "no vector to read", VS_FAULT_HANG, 0, QPU_HZ_VPM_EMPTY },
	[BAD_SETUP] = { "an unknown setup", VS_FAULT_HANG, 0, QPU_HZ_VPM_SETUP },
	[BAD_READ] = { "an unknown reading setup", VS_FAULT_HANG, 0, QPU_HZ_VPM_SETUP },
};

/* r2: one QPU's value differs from those of the others. */
static void emit_fault(struct q_prog *p, enum what what)
{
	switch (what) {
	case STORE:
		q_mov(p, Q_ST_ADDR, QR2);
		break;
	case LOAD:
		q_mov(p, Q_LD_ADDR, QR2);
		break;
	case EMPTY_TMU:
		Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
		break;
	case EMPTY_VPM:
		q_op(p, Q_ADD, QR0, QR0, Q_VPM);
		break;
	case BAD_SETUP:
		q_mov(p, Q_WR_SETUP, QR2);
		break;
	default:
		q_mov(p, Q_RD_SETUP, QR2);
	}
}

/* Value of r2 in QPU @q; it makes the second QPU, or all of them, fault. */
static uint32_t value_of(enum what what, unsigned int q, uint32_t row)
{
	bool second = q == 1;

	switch (what) {
	case STORE:
	case LOAD:
		return second ? 0x3f000000 : row;
	case BAD_SETUP:
		return second ? 0x40000000 : q_vpm_h32(0, 1, 0);
	case BAD_READ:
		return second ? 0x40000000 : 0x90000000;
	default:
		return 0;
	}
}

static void fault_inside(enum what what)
{
	unsigned int at, i, first = what == EMPTY_TMU || what == EMPTY_VPM ? 0 : 1;
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[3], out;
	bool right;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_mov(p, QR2, Q_UNIF);
	write_row(p, QR3);
	setup_store(p);
	q_mov(p, Q_ST_ADDR, QR3);
	q_ldi(p, Q_RD_SETUP, q_dma_load(0, 0, 16, 1, 1, 0, 63, 0));
	at = p->n;
	emit_fault(p, what);
	q_mov(p, QR3, Q_UNIF);
	q_mov(p, Q_ST_ADDR, QR3);
	q_end(p);
	kern_code(&K);
	out = kern_alloc(&K, 16 * 3 * QPUS);
	for (i = 0; i < QPUS; i++) {
		u[0] = out + 64 * i;
		u[1] = value_of(what, i, out + 64 * (QPUS + i));
		u[2] = out + 64 * (2 * QPUS + i);
		kern_thread(&K, 0, u, 3);
	}
	kern_run(&K, cur, 0, 0, &res);
	right = res.kind == faults[what].kind && res.size == faults[what].size &&
		res.code == faults[what].code && res.pc == KERN_BASE + 8 * at &&
		res.counters.insns == QPUS * at;
	for (i = 0; i < QPUS; i++) {
		const uint32_t *done = kern_words(&K, out + 64 * i);
		uint32_t stored = what == STORE && i < first ? out + 64 * i : 0;

		right &= res.state[i].insns == at && res.state[i].pc == res.pc;
		right &= row_is(done, out + 64 * i) && row_is(done + 16 * QPUS, stored) &&
			 row_is(done + 32 * QPUS, 0);
	}
	tap_result(right, "%s: %s ends a run there", qx_name(cur), faults[what].name);
	if (!right)
		tap_comment("kind %u size %u code %u pc %x, %llu instructions; expected at %x",
			    res.kind, res.size, res.code, res.pc,
			    (unsigned long long)res.counters.insns,
			    KERN_BASE + 8 * at);
}

/* ---- order ---- */

/* The second uniform is the store's address. */
static void store_over_uniforms(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[16] = {}, at, out;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, QR2, 77);
	write_row(p, QR2);
	setup_store(p);
	q_mov(p, Q_ST_ADDR, QR3);
	q_mov(p, QR2, Q_UNIF);
	write_row(p, QR2);
	setup_store(p);
	q_ldi(p, QR1, 64);
	q_op(p, Q_ADD, Q_ST_ADDR, QR3, QR1);
	q_end(p);
	kern_code(&K);
	kern_thread(&K, 0, u, 16);
	at = K.threads[0].uniforms;
	out = kern_alloc(&K, 16);
	kern_words(&K, at)[0] = at;
	kern_run(&K, cur, 0, 0, &res);
	tap_result(!res.status && out == at + 64 && row_is(kern_words(&K, out), 77),
		   "%s: a uniform that the store before it wrote", qx_name(cur));
}

/* @requests requests, then one whose instruction also receives the oldest result. */
static void request_and_take(unsigned int requests)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[2], out, in;
	unsigned int i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_mov(p, QR2, Q_UNIF);
	for (i = 0; i < requests; i++) {
		q_mov(p, Q_TMU_S(0), QR2);
		q_op(p, Q_ADD, QR2, QR2, q_int(4));
	}
	Q(p, .op = Q_OR, .d = Q_TMU_S(0), .a = QR2, .b = QR2, .sig = Q_WITH(Q_SIG_LDTMU0));
	q_mov(p, QR2, QR4);
	write_row(p, QR2);
	setup_store(p);
	q_mov(p, Q_ST_ADDR, QR3);
	q_end(p);
	kern_code(&K);
	out = kern_alloc(&K, 16 * QPUS);
	in = kern_alloc(&K, 16);
	for (i = 0; i < 16; i++)
		kern_words(&K, in)[i] = 100 + i;
	for (i = 0; i < QPUS; i++) {
		u[0] = out + 64 * i;
		u[1] = in + 16 * i;
		kern_thread(&K, 0, u, 2);
	}
	kern_run(&K, cur, 0, 0, &res);
	for (i = 0; i < QPUS; i++) {
		if (!row_is(kern_words(&K, out + 64 * i), 100 + 4 * i))
			break;
	}
	tap_result(!res.status && i == QPUS, "%s: request and result in one, %u before",
		   qx_name(cur), requests);
}

/* A vector is written from r4 by the instruction that receives the next result there. */
static void move_and_take(void)
{
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[3], out, in;
	unsigned int i;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	for (i = 0; i < 2; i++)
		q_mov(p, Q_TMU_S(0), Q_UNIF);
	Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
	q_ldi(p, QR0, q_vpm_h32(0, 1, 0));
	q_op(p, Q_ADD, Q_WR_SETUP, QR0, Q_QPU);
	Q(p, .op = Q_OR, .d = Q_A(48), .a = QR4, .b = QR4, .sig = Q_WITH(Q_SIG_LDTMU0));
	setup_store(p);
	q_mov(p, Q_ST_ADDR, QR3);
	q_end(p);
	kern_code(&K);
	out = kern_alloc(&K, 16 * QPUS);
	in = kern_alloc(&K, 2);
	kern_words(&K, in)[0] = 1;
	kern_words(&K, in)[1] = 2;
	for (i = 0; i < QPUS; i++) {
		u[0] = out + 64 * i;
		u[1] = in;
		u[2] = in + 4;
		kern_thread(&K, 0, u, 3);
	}
	kern_run(&K, cur, 0, 0, &res);
	for (i = 0; i < QPUS; i++) {
		if (!row_is(kern_words(&K, out + 64 * i), 1))
			break;
	}
	tap_result(!res.status && i == QPUS, "%s: a move from r4 and a result in one",
		   qx_name(cur));
}

/* Store words of a column, then the same with gaps, and the same setup again without. */
static void columns(void)
{
	static const unsigned int gaps[] = { 0, 4, 0 };
	struct q_prog *p = &K.p;
	unsigned int i, e, right = 0;
	struct qx_result res;
	uint32_t u, out;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	q_ldi(p, Q_WR_SETUP, q_vpm_v32(0, 0, 16, 5));
	q_mov(p, Q_A(48), Q_ELEM);
	for (i = 0; i < 3; i++) {
		q_ldi(p, Q_WR_SETUP, q_dma_stride(gaps[i]));
		q_ldi(p, Q_WR_SETUP, q_dma_store(0, 16, 1, 1, 16, 5));
		q_mov(p, Q_ST_ADDR, QR3);
		q_ldi(p, QR1, 128);
		q_op(p, Q_ADD, QR3, QR3, QR1);
	}
	q_end(p);
	kern_code(&K);
	out = kern_alloc(&K, 32 * 3);
	u = out;
	kern_thread(&K, 0, &u, 1);
	kern_run(&K, cur, 0, 0, &res);
	for (i = 0; i < 3; i++) {
		for (e = 0; e < 16; e++)
			right += kern_words(&K, out + 128 * i)[e * (1 + gaps[i] / 4)] == e;
	}
	tap_result(!res.status && right == 48, "%s: columns with and without gaps", qx_name(cur));
}

/* ---- time ---- */

#define STORES	10

/* Stores, some followed by a uniform read; each of them charges a whole slice. */
static void slices(uint32_t slice)
{
	struct qx_job job = {
		.lo = KERN_BASE, .mem = K.mem, .threads = K.threads, .nthreads = 12,
		.slice = slice,
	};
	struct q_prog *p = &K.p;
	struct qx_result res;
	uint32_t u[1 + STORES], out;
	unsigned int i, q;
	bool right;

	kern_begin(&K);
	q_mov(p, QR3, Q_UNIF);
	for (i = 0; i < STORES; i++) {
		q_mov(p, QR2, i & 2 ? QR3 : Q_UNIF);
		write_row(p, QR2);
		setup_store(p);
		q_mov(p, Q_ST_ADDR, QR3);
		q_ldi(p, QR1, 64 * 12);
		q_op(p, Q_ADD, QR3, QR3, QR1);
	}
	q_end(p);
	kern_code(&K);
	out = kern_alloc(&K, 16 * 12 * STORES);
	for (q = 0; q < 12; q++) {
		u[0] = out + 64 * q;
		for (i = 0; i < STORES; i++)
			u[1 + i] = 1000 * q + i;
		kern_thread(&K, 0, u, 1 + STORES);
	}
	job.size = K.size;
	qx_run(cur, &job, &res);
	right = !res.status;
	for (q = 0; q < 12; q++) {
		uint32_t next = 1000 * q;

		for (i = 0; i < STORES; i++) {
			uint32_t at = out + 64 * (12 * i + q);

			right &= row_is(kern_words(&K, at), i & 2 ? at : next++);
		}
	}
	tap_result(right, "%s: stores and uniforms in slices of %u", qx_name(cur), slice);
}

int main(void)
{
	unsigned int i;

	tap_start();
	for (cur = 0; cur < qx_count(); cur++) {
		for (i = 0; i < NUM_WHAT && cur != QX_REF; i++)
			fault_inside(i);
		store_over_uniforms();
		/* An instruction that takes its own result: a choice of the engine's. */
		for (i = cur == QX_REF; i < 4; i++)
			request_and_take(i);
		move_and_take();
		columns();
		slices(1);
		slices(100);
		slices(3000);
	}
	return tap_done();
}
