// SPDX-License-Identifier: GPL-2.0
/*
 * DMA between memory and the vertex pipeline memory, in all shapes.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "exec.h"
#include "unit.h"

#define SRC	(UNIT_BASE + 0x1000)
#define DST	(UNIT_BASE + 0x80000)

/* Setup words, fields as the guide has them. */
static uint32_t load_word(unsigned int modew, unsigned int mpitch, unsigned int rowlen,
			  unsigned int nrows, unsigned int vpitch, bool vert, unsigned int y,
			  unsigned int x)
{
	return 0x80000000u | modew << 28 | mpitch << 24 | (rowlen & 15) << 20 |
	       (nrows & 15) << 16 | (vpitch & 15) << 12 | vert << 11 | y << 4 | x;
}

static uint32_t store_word(unsigned int units, unsigned int depth, bool horiz, unsigned int y,
			   unsigned int x, unsigned int modew)
{
	return 0x80000000u | (units & 127) << 23 | (depth & 127) << 16 | horiz << 14 | y << 7 |
	       x << 3 | modew;
}

static bool load(uint32_t word, uint32_t addr)
{
	qpu_vpm_rd_setup(&unit_s, unit_q, word);
	return !qpu_dma_load(&unit_s, unit_q, addr);
}

static bool store(uint32_t word, uint32_t addr)
{
	qpu_vpm_wr_setup(&unit_s, unit_q, word);
	return !qpu_dma_store(&unit_s, unit_q, addr);
}

static void number_source(unsigned int words)
{
	unsigned int i;

	unit_start();
	for (i = 0; i < words; i++)
		unit_put32(SRC + 4 * i, i + 1);
}

static void number_vpm(void)
{
	unsigned int i;

	unit_start();
	for (i = 0; i < 1024; i++)
		unit_s.vpm[i / 16][i % 16] = i + 1;
}

/* ---- shapes of py-videocore's tests and other published programs ---- */

static void test_load_rows(void)
{
	bool ok;

	number_source(1024);
	/* pitch code 3: 64 bytes */
	ok = load(load_word(0, 3, 16, 16, 1, false, 16, 0), SRC);
	tap_result(ok && unit_s.vpm[16][0] == 1 && unit_s.vpm[31][15] == 256 &&
		   !unit_s.vpm[15][15] && !unit_s.vpm[32][0], "16 rows of 16 words");
	number_source(1024);
	/* 8 x 8 words of 32 bytes each at (4, 4) */
	ok = load(load_word(0, 2, 8, 8, 1, false, 4, 4), SRC);
	tap_result(ok && unit_s.vpm[4][4] == 1 && unit_s.vpm[4][11] == 8 &&
		   unit_s.vpm[5][4] == 9 && unit_s.vpm[11][11] == 64 && !unit_s.vpm[4][3] &&
		   !unit_s.vpm[4][12], "8 rows of 8 words in the middle");
}

static void test_load_pitch(void)
{
	bool ok;

	number_source(65536);
	qpu_vpm_rd_setup(&unit_s, unit_q, 0x90000000u | 128);
	ok = load(load_word(0, 0, 16, 16, 1, false, 0, 0), SRC);
	tap_result(ok && unit_s.vpm[1][0] == 33 && unit_s.vpm[15][15] == 15 * 32 + 16,
		   "pitch register");
	qpu_vpm_rd_setup(&unit_s, unit_q, 0x90000000u | 12288);
	ok = load(load_word(0, 0, 16, 16, 1, false, 0, 0), SRC);
	tap_result(ok && unit_s.vpm[1][0] == 3073, "pitch of more than 13 bits");
	ok = load(load_word(0, 9, 16, 16, 1, false, 0, 0), SRC);
	tap_result(ok && unit_s.vpm[2][0] == 2 * 1024 + 1, "pitch code 9: 4096 bytes");
}

static void test_load_vertical(void)
{
	unsigned int x, y;
	bool ok = true;

	/* 16 columns of 64 words, each in four rows that are 16 words apart (pitch 0) */
	number_source(1024);
	for (x = 0; x < 16; x++)
		ok &= load(load_word(0, 3, 0, 4, 0, true, 0, x), SRC + x * 256);
	for (x = 0; x < 16; x++)
		for (y = 0; y < 64; y++)
			ok &= unit_s.vpm[y][x] == x * 64 + y + 1;
	tap_result(ok, "columns: the next row goes lower down the same column");
}

static void test_load_packed(void)
{
	bool ok;

	number_source(256);
	/* rows of 16 bytes, pitch 1: four of them in one row of words */
	ok = load(load_word(4, 1, 16, 8, 1, false, 2, 0), SRC);
	tap_result(ok && unit_s.vpm[2][0] == 1 && unit_s.vpm[2][4] == 5 &&
		   unit_s.vpm[3][15] == 32, "rows of bytes packed");
	number_source(256);
	/* pitch 4: each in a separate row */
	ok = load(load_word(4, 1, 16, 8, 4, false, 2, 0), SRC);
	tap_result(ok && unit_s.vpm[2][3] == 4 && !unit_s.vpm[2][4] && unit_s.vpm[9][0] == 29,
		   "rows of bytes in a row of words each");
	number_source(256);
	/* halves, pitch 2, starting with the upper half of word 1 */
	ok = load(load_word(3, 1, 2, 2, 2, false, 0, 1), SRC);
	tap_result(ok && unit_s.vpm[0][1] == 1 << 16 && !unit_s.vpm[0][2] &&
		   unit_s.vpm[1][1] == 5 << 16, "halves from the upper half on");
}

static void test_store_rows(void)
{
	bool ok;

	number_vpm();
	ok = store(store_word(64, 16, true, 0, 0, 0), DST);
	tap_result(ok && unit_get32(DST) == 1 && unit_get32(DST + 4095 - 3) == 1024 &&
		   !unit_get32(DST + 4096), "64 rows of 16 words");
	number_vpm();
	qpu_vpm_wr_setup(&unit_s, unit_q, 0xc0000000u | 64);
	ok = store(store_word(16, 16, true, 0, 0, 0), DST);
	tap_result(ok && unit_get32(DST + 128) == 17 && !unit_get32(DST + 64),
		   "stride from a row's end to the next");
	number_vpm();
	/* block mode, as QPULib's and V3DLib's code sets it */
	qpu_vpm_wr_setup(&unit_s, unit_q, 0xc0010000u | 0xf000);
	ok = store(store_word(3, 5, true, 7, 2, 0), DST);
	tap_result(ok && unit_get32(DST) == 7 * 16 + 3 && unit_get32(DST + 16) == 7 * 16 + 7 &&
		   !unit_get32(DST + 20) && unit_get32(DST + 0xf000 + 20) == 8 * 16 + 3,
		   "short rows with block mode: a row of words each; 16 bits of stride");
	number_vpm();
	ok = store(store_word(0, 0, true, 0, 0, 0), DST);
	/* 128 rows of 128 words, each starting one row of words later */
	tap_result(ok && unit_get32(DST + 511 - 3) == 128 && unit_get32(DST + 512) == 17 &&
		   unit_get32(DST + 128 * 512 - 4) == ((127 * 16 + 127) & 1023) + 1,
		   "0 is 128; the memory goes round");
}

static void test_store_columns(void)
{
	unsigned int x, y;
	bool ok = true;

	number_vpm();
	for (x = 0; x < 16; x++)
		for (y = 0; y < 64; y += 16)
			ok &= store(store_word(1, 16, false, y, x, 0), DST + (x * 64 + y) * 4);
	for (x = 0; x < 16; x++)
		for (y = 0; y < 64; y++)
			ok &= unit_get32(DST + (x * 64 + y) * 4) == y * 16 + x + 1;
	tap_result(ok, "columns");
	number_vpm();
	ok = store(store_word(16, 5, false, 3, 1, 0), DST);
	tap_result(ok && unit_get32(DST) == 3 * 16 + 2 && unit_get32(DST + 16) == 7 * 16 + 2 &&
		   unit_get32(DST + 20) == 3 * 16 + 3 && unit_get32(DST + 15 * 20) == 19 * 16 + 1,
		   "columns next to each other, number 0 of the next block after 15");
}

/* Word @i of a column that starts at row @y: on the chip it stays in its block of 16 rows. */
static uint32_t column_word(unsigned int y, unsigned int x, unsigned int i)
{
	return ((y & 48) + (y + i) % 16) * 16 + x + 1;
}

/* As measured: 16 columns of 32 words have rows 0 to 15 twice, 32 columns have two blocks. */
static void test_store_long_columns(void)
{
	static const uint8_t depths[] = { 15, 16, 17, 31, 32, 33, 64, 127, 128 };
	static const uint8_t starts[] = { 0, 1, 5, 15, 16, 23, 47, 48, 63 };
	unsigned int i, k, x, n;
	char name[80];
	bool ok;

	number_vpm();
	ok = store(store_word(16, 32, false, 0, 0, 0), DST);
	for (x = 0; x < 16; x++) {
		for (i = 0; i < 32; i++)
			ok &= unit_get32(DST + (x * 32 + i) * 4) == i % 16 * 16 + x + 1;
	}
	tap_result(ok, "16 columns of 32 words: two equal blocks");
	number_vpm();
	ok = store(store_word(64, 16, false, 0, 0, 0), DST);
	for (x = 0; x < 64; x++) {
		for (i = 0; i < 16; i++)
			ok &= unit_get32(DST + (x * 16 + i) * 4) ==
			      (x / 16 * 16 + i) * 16 + x % 16 + 1;
	}
	tap_result(ok, "64 columns of 16 words: four blocks");
	number_vpm();
	ok = store(store_word(20, 16, false, 48, 0, 0), DST);
	tap_result(ok && unit_get32(DST) == 48 * 16 + 1 && unit_get32(DST + 16 * 64) == 1,
		   "block 0 follows block 3");
	for (k = 0; k < ARRAY_SIZE(starts); k++) {
		ok = true;
		for (n = 0; n < ARRAY_SIZE(depths); n++) {
			number_vpm();
			ok &= store(store_word(1, depths[n] & 127, false, starts[k], 7, 0), DST);
			for (i = 0; i < depths[n]; i++)
				ok &= unit_get32(DST + 4 * i) == column_word(starts[k], 7, i);
			ok &= !unit_get32(DST + 4 * i);
		}
		snprintf(name, sizeof(name), "columns from row %u on", starts[k]);
		tap_result(ok, "%s", name);
	}
	/* 100 halves are 50 words, 100 bytes 25 */
	number_vpm();
	ok = store(store_word(1, 100, false, 20, 3, 2), DST);
	for (i = 0; i < 50; i++)
		ok &= unit_get32(DST + 4 * i) == column_word(20, 3, i);
	ok &= store(store_word(1, 100, false, 36, 2, 4), DST);
	for (i = 0; i < 25; i++)
		ok &= unit_get32(DST + 4 * i) == column_word(36, 2, i);
	tap_result(ok, "columns of halves and bytes");
	/* from the upper half of row 15 on: the lower half of row 0 follows */
	number_vpm();
	ok = store(store_word(1, 2, false, 15, 3, 3), DST);
	tap_result(ok && unit_get32(DST) == 4 << 16, "an odd half at the end of a block");
}

/* As video decoders do: pixels written as vectors, a part of a row for each QPU. */
static void test_store_parts(void)
{
	uint32_t v[16];
	unsigned int i;
	bool ok;

	unit_start();
	for (i = 0; i < 16; i++)
		v[i] = i + 1;
	/* 16 bit packed, Y 4, H 1, which is X 8 */
	qpu_vpm_wr_setup(&unit_s, unit_q, 2 << 12 | 1 << 11 | 1 << 8 | 4 << 1 | 1);
	qpu_vpm_write(&unit_s, unit_q, v, 0xffff);
	ok = store(store_word(1, 16, true, 4, 8, 2), DST + 2);
	tap_result(ok && unit_get32(DST) == 1 << 16 && unit_get32(DST + 4) == (3 << 16 | 2) &&
		   unit_get32(DST + 32) == 16, "a vector of halves, to an odd address");
	/* 8 bit packed, Y 4, B 3, which is X 12 */
	qpu_vpm_wr_setup(&unit_s, unit_q, 4 << 12 | 1 << 11 | 4 << 2 | 3);
	qpu_vpm_write(&unit_s, unit_q, v, 0xffff);
	ok = store(store_word(1, 16, true, 4, 12, 4), DST);
	tap_result(ok && unit_get32(DST) == 0x04030201 && unit_get32(DST + 12) == 0x100f0e0d,
		   "a vector of bytes");
	ok = store(store_word(1, 2, true, 4, 12, 7), DST + 64);
	tap_result(ok && unit_get32(DST + 64) == 0x0504, "from byte 3 on");
}

/* ---- faults ---- */

static void test_faults(void)
{
	uint32_t end = UNIT_BASE + UNIT_SIZE;
	bool ok;

	unit_start();
	ok = qpu_dma_load(&unit_s, unit_q, SRC) == QPU_EV_FAULT;
	ok &= unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_SETUP);
	ok &= qpu_dma_store(&unit_s, unit_q, SRC) == QPU_EV_FAULT;
	tap_result(ok && unit_faulted_code(VS_FAULT_HANG, QPU_HZ_VPM_SETUP), "nothing set up");
	unit_put32(end - 64, 77);
	ok = !load(load_word(0, 3, 16, 2, 1, false, 0, 0), end - 64);
	tap_result(ok && unit_faulted(VS_FAULT_READ, end, 64) && unit_s.vpm[0][0] == 77,
		   "a load leaves memory; what came before is there");
	ok = !load(load_word(4, 3, 5, 1, 1, false, 0, 0), end - 4);
	tap_result(ok && unit_faulted(VS_FAULT_READ, end - 4, 5), "a row leaves memory");
	ok = !store(store_word(3, 2, true, 0, 0, 0), end - 12);
	tap_result(ok && unit_faulted(VS_FAULT_WRITE, end - 4, 8) && unit_get32(end - 12) == 77,
		   "a store leaves memory");
	ok = !store(store_word(1, 1, true, 0, 0, 0), UNIT_RO_BASE);
	tap_result(ok && unit_faulted(VS_FAULT_WRITE, UNIT_RO_BASE, 4), "read-only memory");
	ok = load(load_word(0, 3, 16, 1, 1, false, 0, 0), UNIT_RO_BASE | 0xc0000000u);
	tap_result(ok && !unit_any_fault(), "alias bits of addresses do not count");
}

/* Rows wrap from the last address to 0, also where the same buffer is mapped there. */
static void test_last_address(void)
{
	static uint32_t low[1024], high[2048];
	static const struct vs_extent extents[] = {
		{ 0, sizeof(low), (uint8_t *)low, VS_EXT_WRITE },
		{ 0x3ffff000, 0x40001000, (uint8_t *)high, VS_EXT_WRITE },
	};
	static const struct vs_map map = { 2, extents };
	bool ok;

	unit_start();
	unit_s.tlb.map = &map;
	low[0] = 1;
	high[1008] = 2;
	high[1024] = 3;
	ok = load(load_word(0, 3, 16, 2, 1, false, 0, 0), 0x3fffffc0);
	tap_result(ok && unit_s.vpm[0][0] == 2 && unit_s.vpm[1][0] == 1,
		   "a load goes round after the last address");
	unit_s.vpm[1][0] = 4;
	ok = store(store_word(2, 16, true, 0, 0, 0), 0x3fffffc0);
	tap_result(ok && low[0] == 4 && high[1024] == 3, "so does a store");
	ok = !load(load_word(0, 3, 16, 1, 1, false, 0, 0), 0x3fffffd0);
	tap_result(ok && unit_faulted(VS_FAULT_READ, 0x3fffffd0, 64), "a row does not");
}

/* ---- against a model ---- */

static uint8_t *vpm_byte(unsigned int row, unsigned int byte)
{
	return (uint8_t *)unit_s.vpm[row % 64] + byte;
}

/*
 * Byte number @n of a row that begins at word (@y, @x), byte @sel, in a direction; @down:
 * bytes down a column from there.
 */
static uint8_t *model(bool horiz, unsigned int y, unsigned int x, unsigned int sel,
		      unsigned int n)
{
	n += sel;
	if (horiz)
		return vpm_byte(y + (4 * x + n) / 64, (4 * x + n) % 64);
	return vpm_byte(y + n / 4, 4 * x + n % 4);
}

static unsigned int random_mode(unsigned int *size, unsigned int *sel)
{
	static const uint8_t modes[] = { 0, 2, 3, 4, 5, 6, 7 };
	unsigned int m = modes[unit_below(sizeof(modes))];

	*size = m >= 4 ? 1 : m >= 2 ? 2 : 4;
	*sel = m >= 4 ? m - 4 : m >= 2 ? (m - 2) * 2 : 0;
	return m;
}

static unsigned int any16(unsigned int field)
{
	return field ? field : 16;
}

static bool random_load(void)
{
	static uint32_t before[64][16], got[64][16];
	unsigned int size, sel, mode = random_mode(&size, &sel);
	unsigned int code = unit_below(8), len = unit_below(16), rows = unit_below(16);
	unsigned int vpitch = unit_below(16), y = unit_below(128), x = unit_below(16), r, n;
	bool vert = unit_below(2);
	unsigned int reg = unit_below(0x10000);
	uint32_t addr = SRC + unit_below(0x1000);

	memcpy(before, unit_s.vpm, sizeof(before));
	qpu_vpm_rd_setup(&unit_s, unit_q, 0x90000000u | reg);
	if (!load(load_word(mode, code, len, rows, vpitch, vert, y, x), addr))
		return false;
	memcpy(got, unit_s.vpm, sizeof(got));
	memcpy(unit_s.vpm, before, sizeof(before));
	for (r = 0; r < any16(rows); r++) {
		const uint8_t *m = unit_mem + (addr - UNIT_BASE) + r * (code ? 8 << code : reg);
		/* elements down a column, or vectors of 16 elements along the rows */
		unsigned int skip = r * any16(vpitch) * size * (vert ? 1 : 16);

		for (n = 0; n < any16(len) * size; n++)
			*model(!vert, y, x, sel, skip + n) = m[n];
	}
	return !memcmp(got, unit_s.vpm, sizeof(got));
}

/*
 * Byte @n of a stored column: after row 15 of its block row 0 of the block follows, after column
 * 15 column 0 of the next block.
 */
static uint8_t *model_column(unsigned int y, unsigned int column, unsigned int n)
{
	unsigned int block = (y / 16 + column / 16) % 4;

	return model(false, block * 16 + (y + n / 4) % 16, column % 16, 0, n % 4);
}

static bool random_store(void)
{
	static uint8_t want[0x40000];
	unsigned int size, sel, mode = random_mode(&size, &sel);
	unsigned int units = 1 + unit_below(40), depth = 1 + unit_below(unit_below(4) ? 20 : 128);
	unsigned int y = unit_below(128), x = unit_below(16), stride = unit_below(2000), r, n;
	bool horiz = unit_below(2);
	uint32_t addr = DST + unit_below(64);

	memset(unit_mem + (DST - UNIT_BASE), 0x55, sizeof(want));
	memset(want, 0x55, sizeof(want));
	qpu_vpm_wr_setup(&unit_s, unit_q, 0xc0000000u | unit_below(2) << 16 | stride);
	if (!store(store_word(units, depth, horiz, y, x, mode), addr))
		return false;
	for (r = 0; r < units; r++)
		for (n = 0; n < depth * size; n++)
			want[addr - DST + r * (depth * size + stride) + n] =
				horiz ? *model(true, y + r, x, sel, n) :
					*model_column(y, x + r, sel + n);
	return !memcmp(want, unit_mem + (DST - UNIT_BASE), sizeof(want));
}

static void test_random(void)
{
	unsigned long n = qx_effort(500, 4000, 40000), i;
	bool loads = true, stores = true;

	unit_start();
	unit_seed(qx_seed(2));
	unit_fill(unit_mem, sizeof(unit_mem));
	unit_fill(unit_s.vpm, sizeof(unit_s.vpm));
	for (i = 0; i < n && loads; i++)
		loads = random_load();
	tap_result(loads && !unit_any_fault(), "random loads like a simple model");
	for (i = 0; i < n / 4 && stores; i++)
		stores = random_store();
	tap_result(stores && !unit_any_fault(), "random stores like a simple model");
}

int main(void)
{
	test_load_rows();
	test_load_pitch();
	test_load_vertical();
	test_load_packed();
	test_store_rows();
	test_store_columns();
	test_store_long_columns();
	test_store_parts();
	test_faults();
	test_last_address();
	test_random();
	return tap_done();
}
