// SPDX-License-Identifier: GPL-2.0
/*
 * Memory lookups and the queues of the lookup units.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "exec.h"
#include "unit.h"

#define S	0
#define T	1
#define R	2
#define B	3

static uint32_t addr[16];
static uint32_t out[16];

static void start(void)
{
	unsigned int i;

	unit_start();
	for (i = 0; i < 0x4000; i += 4)
		unit_put32(UNIT_BASE + i, 0x1000000 + i);
	for (i = 0; i < 16; i++)
		addr[i] = UNIT_BASE + i * 4;
}

static bool request(unsigned int unit, uint32_t mask)
{
	return !qpu_tmu_write(&unit_s, unit_q, unit, S, addr, mask);
}

static bool result(unsigned int unit)
{
	return !qpu_tmu_load(&unit_s, unit_q, unit, out);
}

static void test_words(void)
{
	unsigned int i;
	bool ok;

	start();
	for (i = 0; i < 16; i++)
		addr[i] = UNIT_BASE + (i * 400 + i % 4) % 0x4000;
	ok = request(0, 0xffff) && result(0);
	for (i = 0; i < 16; i++)
		ok &= out[i] == 0x1000000 + i * 400;
	tap_result(ok, "a word per element, the low two bits of addresses ignored");
	for (i = 0; i < 16; i++)
		addr[i] |= i << 30;
	ok = request(1, 0xffff) && result(1);
	for (i = 0; i < 16; i++)
		ok &= out[i] == 0x1000000 + i * 400;
	tap_result(ok, "alias bits, different ones too");
	ok = request(0, 0x8421) && result(0);
	for (i = 0; i < 16; i++)
		ok &= out[i] == (0x8421 >> i & 1 ? 0x1000000 + i * 400 : 0);
	tap_result(ok && !unit_any_fault() && !unit_s.cnt.stray_reads,
		   "elements without a request get 0");
}

static void test_stray(void)
{
	unsigned int i;
	bool ok;

	start();
	addr[3] = UNIT_BASE + UNIT_SIZE;
	addr[9] = 0;
	addr[10] = UNIT_BASE - 1;
	ok = request(0, 0xffff) && result(0);
	for (i = 0; i < 16; i++)
		ok &= out[i] == (i == 3 || i == 9 || i == 10 ? 0 : 0x1000000 + i * 4);
	tap_result(ok && unit_s.cnt.stray_reads == 3 && !unit_any_fault(),
		   "reads outside memory give 0 and are counted");
	ok = request(0, 1 << 9 | 1) && result(0);
	tap_result(ok && unit_s.cnt.stray_reads == 4, "only those that are made");
	unit_s.switches = QPU_SW_STRICT_TMU;
	ok = !request(0, 0xffff);
	tap_result(ok && unit_faulted(VS_FAULT_READ, UNIT_BASE + UNIT_SIZE, 4),
		   "the strict switch: a fault");
}

static void test_queue(void)
{
	unsigned int i;
	bool ok = true;

	start();
	ok = !result(0) && unit_faulted_code(VS_FAULT_HANG, QPU_HZ_TMU_EMPTY);
	tap_result(ok, "no result to come");
	ok = true;
	for (i = 0; i < 8; i++) {
		addr[0] = UNIT_BASE + 4 * i;
		ok &= request(i & 1, 1);
		addr[0] += 0x100;
		ok &= request(~i & 1, 1);
	}
	for (i = 0; i < 8; i++) {
		ok &= result(i & 1) && out[0] == 0x1000000 + 4 * i;
		ok &= result(~i & 1) && out[0] == 0x1000100 + 4 * i;
	}
	tap_result(ok && !unit_any_fault(), "eight requests in each unit, first in, first out");
	for (i = 0; i < 11; i++) {
		addr[0] = UNIT_BASE + 4 * i;
		ok &= request(0, 1);
	}
	for (i = 3; i < 11; i++)
		ok &= result(0) && out[0] == 0x1000000 + 4 * i;
	tap_result(ok && !unit_any_fault() && !result(0), "of more, the oldest are lost");
	start();
	unit_s.switches = QPU_SW_STRICT_HAZARDS;
	for (i = 0; i < 8; i++)
		ok &= request(0, 1);
	ok &= !request(0, 1);
	tap_result(ok && unit_faulted_code(VS_FAULT_HAZARD, QPU_HZ_TMU_FULL), "strict: a fault");
}

/* Store 16 words of the pipeline memory. */
static bool store(uint32_t to)
{
	qpu_vpm_wr_setup(&unit_s, unit_q, 0x80904000);
	return !qpu_dma_store(&unit_s, unit_q, to);
}

/* The cache of the chip is not coherent with DMA: VC4C's issue 60. */
static void test_stale(void)
{
	bool ok;

	start();
	ok = request(0, 1) && store(UNIT_BASE) && request(0, 1) && result(0) &&
	     out[0] == 0x1000000 && result(0) && !out[0];
	tap_result(ok && !unit_any_fault(), "a read after a store has the new data");
	start();
	unit_s.switches = QPU_SW_STRICT_HAZARDS;
	ok = request(0, 1) && request(1, 1) && store(UNIT_BASE + 64) && request(0, 1);
	tap_result(ok && !unit_any_fault(), "strict: a store elsewhere");
	ok = store(UNIT_BASE + 60) && !request(1, 1);
	tap_result(ok && unit_faulted_code(VS_FAULT_HAZARD, QPU_HZ_TMU_STALE),
		   "strict: the line was cached before the store");
	start();
	unit_s.switches = QPU_SW_STRICT_HAZARDS;
	ok = request(0, 1) && store(UNIT_BASE);
	addr[0] += 4096;
	ok = ok && request(0, 1);
	addr[0] -= 4096;
	ok = ok && request(0, 1) && store(UNIT_BASE + 8192);
	addr[0] = UNIT_BASE + 8192;
	tap_result(ok && request(0, 1) && !unit_any_fault(), "strict: displaced, or not cached");
}

static bool write_coord(unsigned int reg)
{
	static const uint32_t zero[16];

	return !qpu_tmu_write(&unit_s, unit_q, 0, reg, zero, 0xffff);
}

/* A texture of 1 x 1, RGBA8888, at 0x100000. */
static void put_config(uint32_t at, uint32_t p0, uint32_t p1)
{
	unit_put32(at, p0);
	unit_put32(at + 4, p1);
	unit_put32(at + 8, 0);
	unit_put32(at + 12, 0);
}

static void test_uniforms(void)
{
	uint32_t u = UNIT_BASE + 0x8000;
	bool ok;

	start();
	unit_put32(UNIT_BASE + 0x100000, 0x44332211);
	put_config(u, UNIT_BASE + 0x100000, 1 << 20 | 1 << 8 | 1 << 7 | 1 << 4);
	unit_q->unif = u;
	ok = write_coord(T) && unit_q->unif == u + 4;
	ok &= write_coord(S) && unit_q->unif == u + 8;
	ok &= result(0) && out[0] == 0x44332211 && out[15] == 0x44332211;
	tap_result(ok, "T and S take two uniforms");
	unit_q->unif = u;
	ok = write_coord(B) && write_coord(R) && write_coord(T) && write_coord(S);
	ok &= unit_q->unif == u + 16 && result(0) && out[7] == 0x44332211;
	tap_result(ok, "B, R, T, S take four");
	ok = request(0, 0xffff) && unit_q->unif == u + 16 && result(0) && out[1] == 0x1000004;
	tap_result(ok, "then S alone is an address again");
	unit_q->unif = u;
	ok = write_coord(T) && write_coord(T) && write_coord(R) && write_coord(B);
	ok &= !write_coord(S);
	tap_result(ok && unit_faulted_code(VS_FAULT_HANG, QPU_HZ_TMU_CONFIG),
		   "a fifth one is a fault");
	qpu_tmu_reset(&unit_s, unit_q);
	unit_q->unif = UNIT_BASE + UNIT_SIZE;
	ok = !write_coord(T);
	tap_result(ok && unit_faulted(VS_FAULT_READ, UNIT_BASE + UNIT_SIZE, 4),
		   "no uniform to take");
}

static void test_undefined(void)
{
	uint32_t u = UNIT_BASE + 0x8000, type, filter;
	bool ok = true;

	start();
	for (type = 18; type < 32; type++) {
		qpu_tmu_reset(&unit_s, unit_q);
		put_config(u, 0x100000 | (type & 15) << 4, type >> 4 << 31);
		unit_q->unif = u;
		ok &= write_coord(T) && !write_coord(S);
		ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_TMU_CONFIG);
	}
	tap_result(ok, "texture types 18 to 31 are undefined");
	for (filter = 6; filter < 8; filter++) {
		qpu_tmu_reset(&unit_s, unit_q);
		put_config(u, 0x100000, filter << 4);
		unit_q->unif = u;
		ok &= write_coord(T) && !write_coord(S);
		ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_TMU_CONFIG);
	}
	tap_result(ok, "filters 6 and 7 are undefined");
}

/* Any configuration, any coordinates: nothing but results, stray reads or these faults. */
static void test_garbage(void)
{
	unsigned long n = qx_effort(2000, 20000, 400000), i, faults = 0, results = 0;
	uint32_t v[16];
	bool ok = true;

	start();
	unit_seed(qx_seed(3));
	unit_fill(unit_mem, sizeof(unit_mem));
	for (i = 0; i < n; i++) {
		unit_q->unif = UNIT_BASE + unit_below(UNIT_SIZE - 64);
		if (unit_below(2))
			unit_put32(unit_q->unif & ~3u, (UNIT_BASE + unit_below(UNIT_SIZE)) ^
				   unit_below(0x1000));
		unit_fill(v, sizeof(v));
		if (qpu_tmu_write(&unit_s, unit_q, i & 1, unit_below(4), v, unit_random())) {
			uint32_t kind = unit_s.fault.kind;

			ok &= kind == VS_FAULT_HANG && unit_s.fault.code == QPU_HZ_TMU_CONFIG;
			memset(&unit_s.fault, 0, sizeof(unit_s.fault));
			qpu_tmu_reset(&unit_s, unit_q);
			faults++;
		} else if (unit_q->tmu[i & 1].count && unit_below(2)) {
			results += !qpu_tmu_load(&unit_s, unit_q, i & 1, v);
		}
	}
	tap_comment("%lu requests and writes: %lu faults, %lu results", n, faults, results);
	tap_result(ok && faults && results, "garbage does no harm");
}

int main(void)
{
	test_words();
	test_stray();
	test_queue();
	test_stale();
	test_uniforms();
	test_undefined();
	test_garbage();
	return tap_done();
}
