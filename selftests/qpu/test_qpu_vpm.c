// SPDX-License-Identifier: GPL-2.0
/*
 * Accesses to the vertex pipeline memory, in all shapes.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "exec.h"
#include "unit.h"

/* Setup words, fields as the guide has them. */
static uint32_t setup(unsigned int num, unsigned int stride, bool horiz, bool laned,
		      unsigned int size, unsigned int addr)
{
	return (num & 0xf) << 20 | (stride & 0x3f) << 12 | horiz << 11 | laned << 10 |
	       size << 8 | addr;
}

static uint32_t h32(unsigned int num, unsigned int stride, unsigned int y)
{
	return setup(num, stride, true, false, 2, y);
}

static uint32_t v32(unsigned int num, unsigned int stride, unsigned int y, unsigned int x)
{
	return setup(num, stride, false, false, 2, (y & 0x30) | x);
}

static uint8_t *vpm_byte(unsigned int row, unsigned int byte)
{
	return (uint8_t *)unit_s.vpm[row] + byte;
}

static void number_words(void)
{
	unsigned int i;

	for (i = 0; i < 1024; i++)
		unit_s.vpm[i / 16][i % 16] = i;
}

/* ---- hand-written cases ---- */

static void test_rows(void)
{
	uint32_t v[16], bad = 0;
	unsigned int i, n;

	unit_start();
	number_words();
	bad |= qpu_vpm_rd_setup(&unit_s, unit_q, h32(3, 2, 5));
	for (n = 0; n < 3; n++) {
		bad |= qpu_vpm_read(&unit_s, unit_q, v);
		for (i = 0; i < 16; i++)
			bad |= v[i] ^ ((5 + 2 * n) * 16 + i);
	}
	tap_result(!bad, "rows 5, 7, 9");
	bad = qpu_vpm_rd_setup(&unit_s, unit_q, v32(16, 1, 16, 14));
	for (n = 0; n < 16; n++) {
		/* after column 15 of rows 16..31 comes column 0 of rows 32..47 */
		unsigned int row = n < 2 ? 16 : 32, col = (14 + n) % 16;

		bad |= qpu_vpm_read(&unit_s, unit_q, v);
		for (i = 0; i < 16; i++)
			bad |= v[i] ^ ((row + i) * 16 + col);
	}
	tap_result(!bad && !unit_any_fault(), "columns 14, 15, then those of the next 16 rows");
}

static void test_transpose(void)
{
	uint32_t v[16];
	bool same = true;
	unsigned int i, j;

	unit_start();
	number_words();
	qpu_vpm_rd_setup(&unit_s, unit_q, h32(0, 1, 16));
	qpu_vpm_wr_setup(&unit_s, unit_q, v32(0, 1, 48, 0));
	for (i = 0; i < 16; i++) {
		qpu_vpm_read(&unit_s, unit_q, v);
		qpu_vpm_write(&unit_s, unit_q, v, 0xffff);
	}
	for (i = 0; i < 16; i++)
		for (j = 0; j < 16; j++)
			same &= unit_s.vpm[48 + i][j] == (16 + j) * 16 + i;
	tap_result(same && !unit_any_fault(), "rows in, columns out: transposed");
}

static void put_bytes(unsigned int addr, bool horiz, bool laned, unsigned int size)
{
	uint32_t v[16];
	unsigned int i;

	for (i = 0; i < 16; i++)
		v[i] = 0xabcd0100 + i * 0x0202;
	qpu_vpm_wr_setup(&unit_s, unit_q, setup(0, 1, horiz, laned, size, addr));
	qpu_vpm_write(&unit_s, unit_q, v, 0xffff);
}

static void test_narrow(void)
{
	unit_start();
	/* Y 3, B 2: bytes 32..47 of row 3 */
	put_bytes(3 << 2 | 2, true, false, 0);
	tap_result(*vpm_byte(3, 32) == 0x00 && *vpm_byte(3, 33) == 0x02 &&
		   *vpm_byte(3, 47) == 0x1e && !*vpm_byte(3, 31) && !*vpm_byte(3, 48),
		   "bytes packed in a row");
	unit_start();
	/* Y 3, H 1, laned: upper halves of the words of row 3 */
	put_bytes(3 << 1 | 1, true, true, 1);
	tap_result(unit_s.vpm[3][0] == 0x01000000 && unit_s.vpm[3][15] == 0x1f1e0000,
		   "halves laned in a row");
	unit_start();
	/* rows 32.., X 5, H 1: halves of words 8..15 of the column, two in each */
	put_bytes(2 << 5 | 5 << 1 | 1, false, false, 1);
	tap_result(unit_s.vpm[40][5] == 0x03020100 && unit_s.vpm[47][5] == 0x1f1e1d1c &&
		   !unit_s.vpm[39][5] && !unit_s.vpm[48][5], "halves packed down a column");
	unit_start();
	/* rows 16.., X 0, B 3, laned: highest bytes down column 0 */
	put_bytes(1 << 6 | 0 << 2 | 3, false, true, 0);
	tap_result(unit_s.vpm[16][0] == 0 && unit_s.vpm[17][0] == 0x02000000 &&
		   unit_s.vpm[31][0] == 0x1e000000, "bytes laned down a column");
}

/* ---- setups ---- */

static void test_queue(void)
{
	uint32_t v[16];
	bool ok;

	unit_start();
	number_words();
	ok = qpu_vpm_read(&unit_s, unit_q, v) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_EMPTY),
		   "a read without setup");
	/* the examples of vc4asm's addendum */
	qpu_vpm_rd_setup(&unit_s, unit_q, h32(2, 1, 1));
	ok = !qpu_vpm_rd_setup(&unit_s, unit_q, h32(2, 1, 7));
	ok &= !qpu_vpm_read(&unit_s, unit_q, v) && v[0] == 16;
	ok &= !qpu_vpm_read(&unit_s, unit_q, v) && v[0] == 32;
	ok &= qpu_vpm_read(&unit_s, unit_q, v) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_EMPTY),
		   "a setup is ignored while two vectors are left");
	qpu_vpm_rd_setup(&unit_s, unit_q, h32(1, 1, 1));
	ok = !qpu_vpm_rd_setup(&unit_s, unit_q, h32(3, 1, 7));
	ok &= !qpu_vpm_rd_setup(&unit_s, unit_q, h32(1, 1, 20));
	ok &= !qpu_vpm_read(&unit_s, unit_q, v) && v[0] == 16;
	ok &= !qpu_vpm_read(&unit_s, unit_q, v) && v[0] == 112;
	ok &= !qpu_vpm_read(&unit_s, unit_q, v) && v[0] == 128;
	ok &= !qpu_vpm_rd_setup(&unit_s, unit_q, h32(1, 1, 21));
	ok &= !qpu_vpm_read(&unit_s, unit_q, v) && v[0] == 144;
	ok &= !qpu_vpm_read(&unit_s, unit_q, v) && v[0] == 336;
	ok &= qpu_vpm_read(&unit_s, unit_q, v) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_EMPTY),
		   "one is accepted while one vector is left");
	unit_s.switches = QPU_SW_STRICT_HAZARDS;
	qpu_vpm_rd_setup(&unit_s, unit_q, h32(0, 1, 1));
	ok = qpu_vpm_rd_setup(&unit_s, unit_q, h32(1, 1, 9)) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted_code(VS_FAULT_HAZARD, QPU_HZ_VPM_FULL),
		   "in strict hazard mode it is a fault");
	unit_s.switches = 0;
	qpu_vpm_reset(unit_q);
	qpu_vpm_read(&unit_s, unit_q, v);
	tap_result(unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_EMPTY), "a reset drops them");
}

static void test_undefined(void)
{
	uint32_t w = setup(1, 1, 1, 0, 3, 0);
	bool ok;

	unit_start();
	ok = qpu_vpm_rd_setup(&unit_s, unit_q, w) == QPU_EV_FAULT;
	ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_SETUP);
	ok &= qpu_vpm_wr_setup(&unit_s, unit_q, w) == QPU_EV_FAULT;
	ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_SETUP);
	tap_result(ok, "the reserved size");
	ok = qpu_vpm_rd_setup(&unit_s, unit_q, 0x40000a00) == QPU_EV_FAULT;
	ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_SETUP);
	ok &= qpu_vpm_wr_setup(&unit_s, unit_q, 0x40000a00) == QPU_EV_FAULT;
	ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_SETUP);
	ok &= qpu_vpm_wr_setup(&unit_s, unit_q, 0x80000001) == QPU_EV_FAULT;
	ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_SETUP);
	tap_result(ok, "words that are no setup");
}

/* ---- against a model ---- */

/* Byte @b of element @e of the vector with setup @w at address @addr. */
static uint8_t *model(uint32_t w, unsigned int addr, unsigned int e, unsigned int b)
{
	unsigned int size = 1u << (w >> 8 & 3), parts = 4 / size;
	unsigned int part = addr % parts, vec = addr / parts % 64;
	bool horiz = w >> 11 & 1, laned = w >> 10 & 1 && size != 4;
	/* position in a line of 64 bytes: a row, or 16 words of a column */
	unsigned int pos = laned ? 4 * e + part * size + b : (part * 16 + e) * size + b;

	if (horiz)
		return vpm_byte(vec, pos);
	return vpm_byte(vec / 16 * 16 + pos / 4, vec % 16 * 4 + pos % 4);
}

static unsigned int element_size(uint32_t w)
{
	return 1u << (w >> 8 & 3);
}

static uint32_t random_setup(void)
{
	return setup(unit_below(16), unit_below(64), unit_below(2), unit_below(2), unit_below(3),
		     unit_below(256));
}

static unsigned int stride_of(uint32_t w)
{
	return w >> 12 & 0x3f ? w >> 12 & 0x3f : 64;
}

static bool random_reads(void)
{
	uint32_t w = random_setup(), v[16];
	unsigned int num = w >> 20 & 0xf ? w >> 20 & 0xf : 16, addr = w & 0xff, n, e, b;

	qpu_vpm_rd_setup(&unit_s, unit_q, w);
	for (n = 0; n < num; n++, addr = (addr + stride_of(w)) & 0xff) {
		if (qpu_vpm_read(&unit_s, unit_q, v))
			return false;
		for (e = 0; e < 16; e++) {
			uint32_t want = 0;

			for (b = 0; b < element_size(w); b++)
				want |= (uint32_t)*model(w, addr, e, b) << (8 * b);
			if (v[e] != want)
				return false;
		}
	}
	return true;
}

static bool random_writes(void)
{
	static uint32_t before[64][16], want[64][16];
	uint32_t w = random_setup(), v[16];
	unsigned int addr = w & 0xff, n, e, b, mask;

	memcpy(before, unit_s.vpm, sizeof(before));
	qpu_vpm_wr_setup(&unit_s, unit_q, w);
	for (n = unit_below(20); n; n--, addr = (addr + stride_of(w)) & 0xff) {
		mask = unit_below(2) ? 0xffff : unit_below(0x10000);
		unit_fill(v, sizeof(v));
		for (e = 0; e < 16; e++)
			for (b = 0; mask >> e & 1 && b < element_size(w); b++)
				*model(w, addr, e, b) = v[e] >> (8 * b);
		memcpy(want, unit_s.vpm, sizeof(want));
		memcpy(unit_s.vpm, before, sizeof(before));
		qpu_vpm_write(&unit_s, unit_q, v, mask);
		if (memcmp(want, unit_s.vpm, sizeof(want)))
			return false;
		memcpy(before, want, sizeof(before));
	}
	return true;
}

static void test_random(void)
{
	unsigned long n = qx_effort(2000, 20000, 200000), i;
	bool reads = true, writes = true;

	unit_start();
	unit_seed(qx_seed(1));
	unit_fill(unit_s.vpm, sizeof(unit_s.vpm));
	for (i = 0; i < n && reads && writes; i++) {
		reads = random_reads();
		writes = random_writes();
	}
	tap_result(reads && !unit_any_fault(), "random reads like a simple model");
	tap_result(writes && !unit_any_fault(), "random writes like a simple model");
}

int main(void)
{
	test_rows();
	test_transpose();
	test_narrow();
	test_queue();
	test_undefined();
	test_random();
	return tap_done();
}
