// SPDX-License-Identifier: GPL-2.0
/*
 * Fragment programs: payload, coordinates, tile buffer, scoreboard.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "exec.h"
#include "unit.h"

#define COLOR	(UNIT_BASE + 0x10000)
#define ZS	(UNIT_BASE + 0x20000)
#define PAYLOAD	(UNIT_BASE + 0x1000)
#define STRIDE	0x400	/* of 64 pixels of 4 samples */

static struct qpu_thread threads[QPU_NUM];
static uint32_t v[16], w[16], z[16];

/* One thread: block at (8, 4) of a 16 x 16 tile, all of it covered. */
static void start(unsigned int samples)
{
	unit_start();
	memset(threads, 0, sizeof(threads));
	threads[0].x = 8;
	threads[0].y = 4;
	threads[0].coverage = 0xffff;
	unit_s.fragment = true;
	unit_s.threads = threads;
	unit_s.nthreads = QPU_NUM;
	unit_s.tile = (struct qpu_tile){
		.color_va = COLOR, .zs_va = ZS, .color_stride = STRIDE, .zs_stride = STRIDE,
		.width = 16, .height = 16, .samples = samples,
	};
	qpu_frag_start(&unit_s, unit_q, w, z);
}

static void restart(void)
{
	qpu_frag_start(&unit_s, unit_q, w, z);
}

static enum qpu_ev put(unsigned int waddr, unsigned int file, uint32_t mask)
{
	return qpu_frag_write(&unit_s, unit_q, waddr, file, v, mask);
}

/* All elements get this value. */
static enum qpu_ev put_all(unsigned int waddr, unsigned int file, uint32_t value)
{
	unsigned int e;

	for (e = 0; e < 16; e++)
		v[e] = value;
	return put(waddr, file, 0xffff);
}

static void number_v(uint32_t first)
{
	unsigned int e;

	for (e = 0; e < 16; e++)
		v[e] = first + e;
}

/* Address of a sample of element @e's pixel, from the definition of the block. */
static uint32_t sample(uint32_t base, unsigned int samples, unsigned int e, unsigned int k)
{
	static const uint8_t column[16] = { 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3 };
	static const uint8_t row[16] = { 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3 };

	return base + (4 + row[e]) * STRIDE + ((8 + column[e]) * samples + k) * 4;
}

/* ---- payload and coordinates ---- */

static void test_payload(void)
{
	uint32_t c[16], i;
	bool ok = true;

	start(1);
	for (i = 0; i < 96; i++)
		unit_put32(PAYLOAD + 4 * i, 1000 + i);
	threads[0].payload = PAYLOAD;
	ok = !qpu_frag_start(&unit_s, unit_q, w, z);
	ok &= w[0] == 1000 && w[15] == 1015 && z[0] == 1016 && z[15] == 1031;
	ok &= !qpu_frag_vary(&unit_s, unit_q, v, c);
	ok &= v[0] == 1032 && v[15] == 1047 && c[0] == 1048 && c[15] == 1063;
	ok &= !qpu_frag_vary(&unit_s, unit_q, v, c);
	ok &= v[3] == 1067 && c[3] == 1083;
	tap_result(ok && !unit_any_fault(), "W, Z, and varyings one after the other");
	threads[0].payload = UNIT_BASE + UNIT_SIZE - 200;
	ok = !qpu_frag_start(&unit_s, unit_q, w, z);
	ok &= qpu_frag_vary(&unit_s, unit_q, v, c) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted(VS_FAULT_READ, UNIT_BASE + UNIT_SIZE - 72, 128),
		   "a varying outside memory");
	threads[0].payload = 4;
	ok = qpu_frag_start(&unit_s, unit_q, w, z) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted(VS_FAULT_READ, 4, 128), "a payload outside memory");
	threads[0].payload = 0;
	ok = !qpu_frag_start(&unit_s, unit_q, w, z) && !w[0] && !z[9];
	ok &= qpu_frag_vary(&unit_s, unit_q, v, c) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted_code(VS_FAULT_HANG, QPU_HZ_FRAGMENT), "no payload");
}

static bool reads(unsigned int raddr, unsigned int file, const uint32_t *want)
{
	uint32_t got[16];

	return !qpu_frag_read(&unit_s, unit_q, raddr, file, got) && !memcmp(got, want, 64);
}

static void test_coordinates(void)
{
	static const uint32_t x[16] = {
		8, 9, 8, 9, 10, 11, 10, 11, 8, 9, 8, 9, 10, 11, 10, 11,
	};
	static const uint32_t y[16] = { 4, 4, 5, 5, 4, 4, 5, 5, 6, 6, 7, 7, 6, 6, 7, 7 };
	static const uint32_t moved[16] = {
		0, 1, 0, 1, 10, 11, 10, 11, 8, 9, 8, 9, 12, 13, 12, 13,
	};
	bool ok;

	start(1);
	ok = reads(QPU_R_XY_PIXEL, 0, x) && reads(QPU_R_XY_PIXEL, 1, y);
	tap_result(ok, "coordinates of the pixels");
	number_v(1);
	v[0] = 0;
	put(QPU_W_QUAD_XY, 0, 0xf00f);
	tap_result(reads(QPU_R_XY_PIXEL, 0, moved) && reads(QPU_R_XY_PIXEL, 1, y),
		   "quads can be moved");
}

static void test_flags(void)
{
	uint32_t want[16] = { 0 };
	unsigned int e;
	bool ok;

	start(4);
	threads[0].coverage = 0x8001;
	threads[0].flags = QPU_THREAD_REV;
	restart();
	want[0] = 0xf;
	want[15] = 0xf;
	ok = reads(QPU_R_MS_REV, 0, want);
	memset(v, 0, sizeof(v));
	v[0] = 0x16;
	v[1] = 1;
	put(QPU_W_MS_REV, 0, 3);
	want[0] = 6;
	want[1] = 1;
	tap_result(ok && reads(QPU_R_MS_REV, 0, want), "sample masks");
	for (e = 0; e < 16; e++)
		want[e] = 1;
	ok = reads(QPU_R_MS_REV, 1, want);
	put_all(QPU_W_MS_REV, 1, 0);
	memset(want, 0, sizeof(want));
	tap_result(ok && reads(QPU_R_MS_REV, 1, want), "facing");
}

/* ---- colours ---- */

static void test_color(void)
{
	unsigned int e;
	bool ok;

	start(1);
	threads[0].coverage = 0x7fff;
	restart();
	number_v(100);
	ok = !put(QPU_W_TLB_COLOR, 0, 0xfffe);
	for (e = 0; e < 16; e++)
		ok &= unit_get32(sample(COLOR, 1, e, 0)) == (e == 0 || e == 15 ? 0 : 100 + e);
	tap_result(ok, "colours, of covered pixels and of elements that write");
	ok = !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADC, w);
	for (e = 0; e < 16; e++)
		ok &= w[e] == (e == 0 || e == 15 ? 0 : 100 + e);
	tap_result(ok, "and back");
	put_all(QPU_W_MS_REV, 0, 0xe);
	ok = !put_all(QPU_W_TLB_COLOR, 0, 7);
	tap_result(ok && unit_get32(sample(COLOR, 1, 3, 0)) == 103,
		   "bit 0 of the sample mask counts if there is one sample");
}

static void test_samples(void)
{
	unsigned int e, k;
	bool ok = true;

	start(4);
	put_all(QPU_W_MS_REV, 0, 0xd);
	number_v(100);
	ok = !put(QPU_W_TLB_COLOR, 0, 0xffff);
	for (e = 0; e < 16; e++)
		for (k = 0; k < 4; k++)
			ok &= unit_get32(sample(COLOR, 4, e, k)) == (k == 1 ? 0 : 100 + e);
	tap_result(ok, "all samples of the mask");
	put_all(QPU_W_MS_REV, 0, 0xf);
	for (k = 0; k < 6; k++)
		ok &= !put_all(QPU_W_TLB_COLOR_MS, 0, 1000 + k);
	for (e = 0; e < 16; e++)
		for (k = 0; k < 4; k++)
			ok &= unit_get32(sample(COLOR, 4, e, k)) == (k < 2 ? 1004 : 1000) + k;
	tap_result(ok, "one sample after the other, the first again after the last");
	for (k = 0; k < 5; k++) {
		ok &= !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADC, w);
		ok &= w[0] == (k % 4 < 2 ? 1004 : 1000) + k % 4;
	}
	tap_result(ok && !unit_any_fault(), "loads one after the other");
}

static void test_outside(void)
{
	unsigned int i;
	bool ok;

	start(1);
	threads[0].x = 12;
	threads[0].y = 16;
	restart();
	ok = !put_all(QPU_W_TLB_COLOR, 0, ~0u) && !put_all(QPU_W_TLB_Z, 0, 1);
	for (i = 0; i < UNIT_SIZE; i += 4)
		ok &= !unit_get32(UNIT_BASE + i);
	ok &= !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADC, w) && !w[0];
	tap_result(ok, "nothing is written outside the tile");
	unit_s.tile.color_va = 0;
	unit_s.tile.zs_va = 0;
	threads[0].y = 12;
	restart();
	ok = !put_all(QPU_W_TLB_COLOR, 0, 1) && !put_all(QPU_W_TLB_Z, 0, 1) &&
	     !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADC, w) && !w[3];
	tap_result(ok && !unit_any_fault(), "a tile without buffers");
	unit_s.tile.color_va = UNIT_RO_BASE;
	unit_s.tile.color_stride = 64;
	ok = !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LDCEND, w);
	ok &= put_all(QPU_W_TLB_COLOR, 0, 1) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted(VS_FAULT_WRITE, UNIT_RO_BASE + 12 * 64 + 48, 4),
		   "a read-only buffer");
	unit_s.tile.zs_va = UNIT_BASE + UNIT_SIZE;
	ok = put_all(QPU_W_TLB_Z, 0, 1) == QPU_EV_FAULT;
	tap_result(ok && unit_s.fault.kind == VS_FAULT_READ && unit_s.fault.size == 4,
		   "a buffer outside memory");
}

static void test_alpha(void)
{
	bool ok;

	start(4);
	ok = !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADAM, w) && !w[4];
	number_v(5);
	ok &= !put(QPU_W_TLB_ALPHA, 0, 0x00ff);
	ok &= !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADAM, w);
	tap_result(ok && w[0] == 5 && w[7] == 12 && !w[8], "alpha masks");
	put_all(QPU_W_MS_REV, 0, 0xb);
	ok = !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADCV, w);
	tap_result(ok && w[0] == 0xb && w[15] == 0xb, "coverage");
}

/* ---- depth and stencil ---- */

/* Functions as the configuration has them. */
static bool function(unsigned int func, unsigned int a, unsigned int b)
{
	switch (func) {
	case 0:
		return false;
	case 1:
		return a < b;
	case 2:
		return a == b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	case 5:
		return a != b;
	case 6:
		return a >= b;
	default:
		return true;
	}
}

static void test_depth(void)
{
	uint32_t old = 0x123456aa, a = sample(ZS, 1, 6, 0), c = sample(COLOR, 1, 6, 0);
	unsigned int func, write, i;
	bool ok = true;

	for (func = 0; func < 8; func++) {
		for (write = 0; write < 2; write++) {
			for (i = 0; i < 3; i++) {
				uint32_t z = 0x123455 + i;
				bool pass = function(func, z, 0x123456);

				start(1);
				unit_put32(a, old);
				unit_s.tile.depth = QPU_DEPTH_TEST | func |
						    (write ? QPU_DEPTH_WRITE : 0);
				/* bits above 23 do not count */
				put_all(QPU_W_TLB_Z, 0, 0x5a000000 | z);
				put_all(QPU_W_TLB_COLOR, 0, 99);
				ok &= unit_get32(a) == (pass && write ? z << 8 | 0xaa : old);
				ok &= unit_get32(c) == (pass ? 99 : 0);
			}
		}
	}
	tap_result(ok && !unit_any_fault(), "depth functions, and colours of what passes");
	start(1);
	unit_put32(a, old);
	put_all(QPU_W_TLB_Z, 0, 77);
	tap_result(unit_get32(a) == (77 << 8 | 0xaa), "no depth test: all is stored");
}

static void test_depth_samples(void)
{
	bool ok;

	start(4);
	unit_s.tile.depth = QPU_DEPTH_TEST | QPU_DEPTH_WRITE | 4;
	unit_put32(sample(ZS, 4, 2, 1), 50 << 8);
	put_all(QPU_W_MS_REV, 0, 0x7);
	put_all(QPU_W_TLB_Z, 0, 20);
	put_all(QPU_W_TLB_COLOR, 0, 99);
	ok = unit_get32(sample(ZS, 4, 2, 0)) == 20 << 8 &&
	     unit_get32(sample(ZS, 4, 2, 1)) == 50 << 8 && !unit_get32(sample(ZS, 4, 2, 3)) &&
	     unit_get32(sample(COLOR, 4, 2, 0)) == 99 &&
	     !unit_get32(sample(COLOR, 4, 2, 1)) && !unit_get32(sample(COLOR, 4, 2, 3));
	ok &= !qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADCV, w) && w[2] == 5 && w[3] == 7;
	tap_result(ok, "each sample is tested by itself");
}

static unsigned int operation(unsigned int op, unsigned int old, unsigned int ref)
{
	switch (op) {
	case 0:
		return 0;
	case 1:
		return old;
	case 2:
		return ref;
	case 3:
		return old == 255 ? 255 : old + 1;
	case 4:
		return old == 0 ? 0 : old - 1;
	case 5:
		return 255 - old;
	case 6:
		return (old + 1) % 256;
	default:
		return (old + 255) % 256;
	}
}

struct stencil {
	unsigned int func, ref, mask, wmask, fail, zpass, zfail;
};

static uint32_t stencil_word(const struct stencil *s, unsigned int faces, unsigned int wcode)
{
	return faces << 30 | wcode << 28 | s->zfail << 25 | s->zpass << 22 | s->fail << 19 |
	       s->func << 16 | s->ref << 8 | s->mask;
}

static struct stencil random_stencil(void)
{
	return (struct stencil){
		unit_below(8), unit_below(256), unit_below(2) ? 255 : unit_below(256), 0,
		unit_below(8), unit_below(8), unit_below(8),
	};
}

/* Set up front and back faces in one of the ways there are. */
static void set_stencil(struct stencil *f, struct stencil *b)
{
	static const uint8_t masks[] = { 1, 3, 15, 255 };
	unsigned int wf = unit_below(4), wb = unit_below(4);

	f->wmask = masks[wf];
	b->wmask = masks[wb];
	if (unit_below(3)) {
		put_all(QPU_W_TLB_STENCIL, 0, stencil_word(f, 1, wf));
		put_all(QPU_W_TLB_STENCIL, 0, stencil_word(b, 2, wb));
	} else {
		*b = *f;
		put_all(QPU_W_TLB_STENCIL, 0, stencil_word(f, 3, wf));
	}
	if (unit_below(2)) {
		f->wmask = unit_below(256);
		b->wmask = unit_below(256);
		put_all(QPU_W_TLB_STENCIL, 0, b->wmask << 8 | f->wmask);
	}
}

static bool stencil_ok(void)
{
	struct stencil f = random_stencil(), b = random_stencil(), *s;
	uint32_t a = sample(ZS, 1, 9, 0), old = 500 << 8 | unit_below(256), st = old & 255, z, new;
	bool back = unit_below(2), spass, zpass;

	threads[0].flags = back ? QPU_THREAD_REV : 0;
	restart();
	set_stencil(&f, &b);
	s = back ? &b : &f;
	unit_put32(a, old);
	unit_put32(sample(COLOR, 1, 9, 0), 0);
	z = 499 + unit_below(3);
	put_all(QPU_W_TLB_Z, 0, z);
	put_all(QPU_W_TLB_COLOR, 0, 1);
	spass = function(s->func, s->ref & s->mask, st & s->mask);
	zpass = z < 500;
	new = operation(!spass ? s->fail : zpass ? s->zpass : s->zfail, st, s->ref);
	new = (new & s->wmask) | (st & ~s->wmask);
	new |= (spass && zpass ? z : 500) << 8;
	return unit_get32(a) == new && unit_get32(sample(COLOR, 1, 9, 0)) == (spass && zpass);
}

static void test_stencil(void)
{
	unsigned long n = qx_effort(2000, 20000, 200000), i;
	bool ok = true;

	start(1);
	unit_seed(qx_seed(8));
	unit_s.tile.depth = QPU_DEPTH_TEST | QPU_DEPTH_WRITE | 1;
	for (i = 0; i < n && ok; i++)
		ok = stencil_ok();
	tap_result(ok && !unit_any_fault(), "random stencil setups like a simple model");
}

/* ---- scoreboard ---- */

static enum qpu_ev wait_of(unsigned int n)
{
	return qpu_frag_scoreboard(&unit_s, &unit_s.core[n], QPU_SIG_SBWAIT);
}

static void unlock(unsigned int n)
{
	qpu_frag_scoreboard(&unit_s, &unit_s.core[n], QPU_SIG_SBDONE);
}

/* Threads 0..3 on QPUs 3..0; 0, 2 and 3 shade the same block. */
static void four_threads(void)
{
	unsigned int i;

	start(1);
	memset(&unit_q->frag, 0, sizeof(unit_q->frag));
	for (i = 0; i < 4; i++) {
		threads[i] = threads[0];
		unit_s.core[3 - i].thread = i;
	}
	threads[1].x = 4;
	for (i = 0; i < 4; i++)
		qpu_frag_start(&unit_s, &unit_s.core[i], w, z);
}

static void test_scoreboard(void)
{
	bool ok;

	four_threads();
	ok = wait_of(1) == QPU_EV_STALL && unit_s.core[1].wait == QPU_WAIT_SCOREBOARD &&
	     unit_s.core[1].wait_info == 3;
	ok &= wait_of(0) == QPU_EV_STALL && wait_of(2) == QPU_EV_OK && wait_of(3) == QPU_EV_OK;
	tap_result(ok, "the first thread of a block goes ahead, others do not matter");
	unlock(3);
	ok = wait_of(0) == QPU_EV_STALL && unit_s.core[0].wait_info == 1 &&
	     wait_of(1) == QPU_EV_OK && wait_of(1) == QPU_EV_OK;
	unlock(1);
	tap_result(ok && wait_of(0) == QPU_EV_OK, "then the next");
	four_threads();
	unit_q = &unit_s.core[0];
	ok = put_all(QPU_W_TLB_COLOR, 0, 1) == QPU_EV_STALL;
	ok &= put_all(QPU_W_TLB_Z, 0, 1) == QPU_EV_STALL;
	ok &= qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADC, w) == QPU_EV_STALL;
	ok &= put_all(QPU_W_MS_REV, 0, 0xf) == QPU_EV_OK;
	ok &= !unit_get32(sample(COLOR, 1, 0, 0)) && !unit_get32(sample(ZS, 1, 0, 0));
	unlock(3);
	unlock(1);
	ok &= put_all(QPU_W_TLB_COLOR, 0, 5) == QPU_EV_OK;
	tap_result(ok && unit_get32(sample(COLOR, 1, 0, 0)) == 5,
		   "accesses to the tile buffer wait too, and do nothing before");
	/* A thread that starts later on a QPU is ordered after all others. */
	unit_s.core[3].thread = 4;
	threads[4] = threads[0];
	qpu_frag_start(&unit_s, &unit_s.core[3], w, z);
	ok = wait_of(3) == QPU_EV_STALL;
	unlock(0);
	tap_result(ok && wait_of(3) == QPU_EV_OK && !unit_any_fault(), "later threads");
}

static bool not_here(void)
{
	return unit_faulted_code(VS_FAULT_HANG, QPU_HZ_FRAGMENT);
}

static void test_not_fragment(void)
{
	bool ok = true;
	unsigned int i;

	start(1);
	unit_s.fragment = false;
	ok &= qpu_frag_start(&unit_s, unit_q, w, z) && not_here();
	ok &= qpu_frag_vary(&unit_s, unit_q, w, z) && not_here();
	ok &= qpu_frag_read(&unit_s, unit_q, 41, 0, w) && not_here();
	for (i = 41; i < 48; i++)
		ok &= put_all(i, 0, 0) && not_here();
	ok &= qpu_frag_load(&unit_s, unit_q, QPU_SIG_LOADC, w) && not_here();
	ok &= wait_of(0) && not_here();
	tap_result(ok, "other jobs have none of this");
}

int main(void)
{
	test_payload();
	test_coordinates();
	test_flags();
	test_color();
	test_samples();
	test_outside();
	test_alpha();
	test_depth();
	test_depth_samples();
	test_stencil();
	test_scoreboard();
	test_not_fragment();
	return tap_done();
}
