// SPDX-License-Identifier: GPL-2.0
/*
 * Fragment programs on the whole machine: several QPUs, one tile.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../include/qpu_asm.h"
#include "../include/tap.h"
#include "../../kernel/isa/qpu/qpu_machine.h"
#include "exec.h"

#define BASE		0x10000000u
#define SIZE		0x40000u
#define COLOR		0x0u		/* offsets */
#define ZS		0x4000u
#define UNIFORMS	0x8000u
#define PAYLOAD		0x20000u
#define WIDTH		16
#define STRIDE		(WIDTH * 4)
#define MAX_THREADS	64

#define Q_W15		Q_A(15)
#define Q_Z15		Q_B(15)
#define Q_VARY_B	Q_B(35)
#define Q_TLB_Z		Q_A(44)
#define Q_TLB_COLOR	Q_A(46)

static uint8_t mem[SIZE];
static struct q_prog prog;
static struct qpu_thread threads[MAX_THREADS];
static unsigned int nthreads;
static uint32_t depth;
static enum vs_simd simd;

static struct vs_fault fault;
static struct qpu_state state[QPU_NUM];

static uint32_t get(uint32_t offset)
{
	uint32_t v;

	memcpy(&v, mem + offset, 4);
	return v;
}

static void put(uint32_t offset, uint32_t v)
{
	memcpy(mem + offset, &v, 4);
}

static uint32_t pixel(uint32_t plane, unsigned int x, unsigned int y)
{
	return get(plane + y * STRIDE + x * 4);
}

/* Column and row of element @e in its block. */
static unsigned int column(unsigned int e)
{
	return (e & 1) + (e & 4 ? 2 : 0);
}

static unsigned int row(unsigned int e)
{
	return (e & 2 ? 1 : 0) + (e & 8 ? 2 : 0);
}

/* No threads, no memory contents, no program. */
static void start(void)
{
	memset(mem, 0, sizeof(mem));
	memset(threads, 0, sizeof(threads));
	nthreads = 0;
	depth = 0;
	q_begin(&prog);
}

/* One more thread with these uniforms. */
static struct qpu_thread *thread(unsigned int x, unsigned int y, uint32_t u0, uint32_t u1)
{
	struct qpu_thread *t = &threads[nthreads];

	assert(nthreads < MAX_THREADS);
	t->uniforms = BASE + UNIFORMS + nthreads * 64;
	t->x = x;
	t->y = y;
	t->coverage = 0xffff;
	put(UNIFORMS + nthreads * 64, u0);
	put(UNIFORMS + nthreads * 64 + 4, u1);
	nthreads++;
	return t;
}

static void step_all(struct qpu_job *m, const struct vs_map *map)
{
	struct vs_job_limits lim = { .budget = 10000000, .simd = simd, .slice = 500 };
	struct vs_job *j = vs_job_new(map, &lim, 1);
	struct vs_worker *w;
	int ret;

	assert(j);
	ret = qpu_job_add(m, j);
	assert(!ret);
	w = vs_worker_new(vs_job_arena(j));
	assert(w);
	while (vs_job_step(j, w) != VS_RUN_DONE)
		;
	fault = *vs_job_get_fault(j);
	qpu_job_get_state(m, state);
	vs_worker_free(w);
	vs_job_free(j);
}

/* Return: false if the job is refused. */
static bool run(void)
{
	struct vs_extent ext = { BASE, BASE + SIZE, mem, VS_EXT_WRITE };
	struct vs_map map = { 1, &ext };
	struct qpu_launch l = {
		.map = &map, .code = (uint32_t *)prog.w, .ncode = prog.n, .threads = threads,
		.nthreads = nthreads, .fragment = true,
		.tile = {
			.color_va = BASE + COLOR, .zs_va = BASE + ZS, .color_stride = STRIDE,
			.zs_stride = STRIDE, .width = WIDTH, .height = WIDTH, .samples = 1,
			.depth = depth,
		},
	};
	struct qpu_job *m = NULL;
	const char *what = NULL;

	q_finish(&prog);
	if (qpu_job_new(&l, &what, &m)) {
		tap_comment("refused: %s", what ? what : "?");
		return false;
	}
	step_all(m, &map);
	qpu_job_free(m);
	return true;
}

/* ---- order ---- */

/* Wait uniform 0 times round, then colour = 3 * colour + uniform 1. */
static void ordered_program(bool sbwait)
{
	unsigned int loop;

	q_mov(&prog, QR1, Q_UNIF);
	loop = q_here(&prog);
	Q(&prog, .op = Q_SUB, .d = QR1, .a = QR1, .b = q_int(1), .sf = 1);
	q_nop(&prog);
	q_branch(&prog, Q_ANYNZ, loop);
	if (sbwait)
		Q(&prog, .sig = Q_WITH(Q_SIG_SBWAIT));
	Q(&prog, .sig = Q_WITH(Q_SIG_LOADC));
	q_mul(&prog, Q_MUL24, QR0, QR4, q_int(3));
	q_op(&prog, Q_ADD, QR0, QR0, Q_UNIF);
	q_mov(&prog, Q_TLB_COLOR, QR0);
	q_end(&prog);
}

static void test_order(bool sbwait)
{
	uint32_t want[3] = { 0 };
	unsigned int i, e;
	bool ok;

	start();
	ordered_program(sbwait);
	/* three blocks; earlier threads take longer */
	for (i = 0; i < 60; i++) {
		unsigned int block = i * 7 % 3;

		thread(4 * block, 8, 1 + (59 - i) * 5 % 83, i + 1);
		want[block] = (want[block] & 0xffffff) * 3 + i + 1;
	}
	ok = run() && !fault.kind;
	for (i = 0; i < 3; i++)
		for (e = 0; e < 16; e++)
			ok &= pixel(COLOR, 4 * i + column(e), 8 + row(e)) == want[i];
	tap_result(ok && !pixel(COLOR, 12, 8) && !pixel(COLOR, 0, 7),
		   "[%s] 60 threads blend in order, %s", vs_simd_name(simd),
		   sbwait ? "with a wait" : "tile buffer accesses wait");
}

/*
 * The first thread of a block waits for the second one, after it has unlocked. Uniform 0
 * selects the role: the first one acquires.
 */
static void test_unlock(bool unlocks)
{
	unsigned int other, end;
	bool ok;

	start();
	other = q_label(&prog);
	end = q_label(&prog);
	Q(&prog, .op = Q_OR, .d = QR1, .a = Q_UNIF, .b = Q_UNIF, .sf = 1);
	q_mov(&prog, Q_TLB_COLOR, Q_UNIF);
	Q(&prog, .sig = unlocks ? Q_WITH(Q_SIG_SBDONE) : 0);
	q_nop(&prog);
	q_branch(&prog, Q_ALLZ, other);
	q_acquire(&prog, 5);
	q_nop(&prog);
	q_branch(&prog, Q_BR_ALWAYS, end);
	q_place(&prog, other);
	q_release(&prog, 5);
	q_nop(&prog);
	q_nop(&prog);
	q_place(&prog, end);
	q_end(&prog);
	thread(0, 0, 1, 100);
	thread(0, 0, 0, 200);
	ok = run();
	if (unlocks) {
		tap_result(ok && !fault.kind && pixel(COLOR, 3, 3) == 200,
			   "[%s] unlocking lets the next thread go ahead", vs_simd_name(simd));
		return;
	}
	tap_result(ok && fault.kind == VS_FAULT_DEADLOCK && pixel(COLOR, 3, 3) == 100 &&
		   state[0].wait == QPU_WAIT_SEMA_DEC && state[0].info == 5 &&
		   state[1].wait == QPU_WAIT_SCOREBOARD && !state[1].info,
		   "[%s] without it they deadlock, and are seen to", vs_simd_name(simd));
}

/* ---- shading ---- */

static uint32_t bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, 4);
	return v;
}

/* W, Z, one varying and its C: 16 words each. */
static void payload(struct qpu_thread *t, float w, uint32_t z, float c)
{
	uint32_t at = PAYLOAD + (t - threads) * 0x100, e;

	for (e = 0; e < 16; e++) {
		put(at + 4 * e, bits(w));
		put(at + 64 + 4 * e, z + e);
		put(at + 128 + 4 * e, bits(e));
		put(at + 192 + 4 * e, bits(c));
	}
	t->payload = BASE + at;
}

/* Colour = vary * W + C; Z unchanged; odd colours are discarded. */
static void shading_program(void)
{
	q_mul(&prog, Q_FMUL, QR0, Q_VARY_B, Q_W15);
	q_op(&prog, Q_FADD, QR0, QR0, QR5);
	q_op(&prog, Q_FTOI, QR0, QR0, QR0);
	Q(&prog, .op = Q_AND, .d = Q_NOWHERE, .a = QR0, .b = q_int(1), .sf = 1);
	Q(&prog, .op = Q_OR, .d = Q_TLB_Z, .a = Q_Z15, .b = Q_Z15, .cond = Q_IF(Q_ZS));
	Q(&prog, .op = Q_OR, .d = Q_TLB_COLOR, .a = QR0, .b = QR0, .cond = Q_IF(Q_ZS));
	q_end(&prog);
}

static void test_shading(void)
{
	unsigned int e;
	bool ok;

	start();
	shading_program();
	depth = QPU_DEPTH_TEST | QPU_DEPTH_WRITE | 1;	/* nearer ones pass */
	for (e = 0; e < 16; e++)
		put(ZS + (4 + row(e)) * STRIDE + (8 + column(e)) * 4, (506 << 8) | 0x77);
	payload(thread(8, 4, 0, 0), 3, 500, 10);
	ok = run() && !fault.kind;
	for (e = 0; e < 16; e++) {
		uint32_t color = 3 * e + 10, x = 8 + column(e), y = 4 + row(e);
		bool drawn = color % 2 == 0 && e < 6;

		ok &= pixel(COLOR, x, y) == (drawn ? color : 0);
		ok &= pixel(ZS, x, y) == ((drawn ? 500 + e : 506) << 8 | 0x77);
	}
	tap_result(ok, "[%s] varyings, discard, depth test", vs_simd_name(simd));
}

/* The same block by two threads, the nearer one first. */
static void test_hidden(void)
{
	bool ok;

	start();
	shading_program();
	depth = QPU_DEPTH_TEST | QPU_DEPTH_WRITE | 3;
	memset(mem + ZS, 0xff, WIDTH * STRIDE);
	payload(thread(0, 0, 0, 0), 2, 100, 20);
	payload(thread(0, 0, 0, 0), 2, 200, 40);
	payload(thread(0, 0, 0, 0), 2, 99, 60);
	threads[2].coverage = 0x8000;
	ok = run() && !fault.kind;
	tap_result(ok && pixel(COLOR, 0, 0) == 20 && pixel(COLOR, 2, 3) == 20 + 14 * 2 &&
		   pixel(COLOR, 3, 3) == 60 + 15 * 2 && pixel(ZS, 3, 3) == (114 << 8 | 0xff),
		   "[%s] hidden pixels, covered ones", vs_simd_name(simd));
}

int main(void)
{
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		test_order(true);
		test_order(false);
		test_unlock(true);
		test_unlock(false);
		test_shading();
		test_hidden();
	}
	return tap_done();
}
