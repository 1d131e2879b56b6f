// SPDX-License-Identifier: GPL-2.0
/*
 * Register model of Utgard GPUs: probe, power, resets, frames of both processors, page faults,
 * several cores at once, the checks for authors of drivers, failures; then random accesses.
 *
 * usage: test_model_utgard [--seed N] [--rounds N]
 */
#include "../include/tap.h"
#include "../include/utgard_draw.h"
#include "fake.h"

#define CHECK(cond)	tap_result(cond, "%s: %s", __func__, #cond)

#define DRAW_VA		0x00400000U
#define HEAP_VA		0x10000000U

/* Blocks. */
#define L2		0x1000
#define PMU		0x2000
#define GPMMU		0x3000
#define PPMMU(n)	((n) < 4 ? 0x4000 + (n) * 0x1000 : 0x1c000 + ((n) - 4) * 0x1000)
#define PP(n)		(((n) < 4 ? 0x8000 : 0x28000 - 4 * 0x2000) + (n) * 0x2000)
#define PP_ALL		0x16000
#define MMU_ALL		0x15000
#define BCAST		0x13000
#define DLBU		0x14000

#define GP_CMD		0x20
#define GP_RAW		0x24
#define GP_CLEAR	0x28
#define GP_MASK		0x2c
#define GP_STAT		0x30
#define GP_STATUS	0x68
#define PP_STATUS	0x1008
#define PP_CTRL		0x100c
#define PP_RAW		0x1020
#define PP_CLEAR	0x1024
#define PP_MASK		0x1028
#define PP_STAT		0x102c

enum { PAGING, NO_PAGING, STALL, NO_STALL, ZAP, FAULT_DONE, MMU_RESET };

static struct fake f;
static u8 *memory;	/* of the draw */
static u32 frame[6], pp_frame[DRAW_PP_WORDS], wb[DRAW_WB_WORDS], pps;

static bool found(const char *text)
{
	bool yes = f.reports && strstr(f.text, text);

	if (!yes)
		tap_comment("%u findings, the last: %s", f.reports, f.text);
	f.reports = 0;
	f.text[0] = 0;
	return yes;
}

/* ---- the driver's part ---- */

static u32 *entry(u32 va)
{
	u32 *dir = fake_mem(&f, f.root), *pde = dir + (va >> 22);

	if (!(*pde & 1))
		*pde = (u32)fake_page(&f) | 1;
	return (u32 *)fake_mem(&f, *pde & ~4095U) + (va >> 12 & 1023);
}

static void map_page(u32 va, u64 pa, bool write)
{
	*entry(va) = pa ? (u32)pa | 3 | (write ? 4 : 0) : 0;
}

static void mmu_on(u32 mmu)
{
	wr(&f, mmu + 8, MMU_RESET);
	wr(&f, mmu + 0x1c, 3);
	wr(&f, mmu, (u32)f.root);
	wr(&f, mmu + 8, PAGING);
}

static void zap(u32 mmu)
{
	wr(&f, mmu + 8, STALL);
	wr(&f, mmu, (u32)f.root);
	wr(&f, mmu + 8, ZAP);
	wr(&f, mmu + 8, NO_STALL);
}

static void gp_on(void)
{
	wr(&f, GP_CMD, 1 << 10);
	CHECK(rd(&f, GP_RAW) == 1 << 19);
	wr(&f, GP_CLEAR, 1 << 19);
	wr(&f, GP_MASK, 0x706a07);
	mmu_on(GPMMU);
}

static void pp_on(u32 n)
{
	wr(&f, PP(n) + PP_CTRL, 1 << 7);
	rd(&f, PP(n) + PP_RAW);
	wr(&f, PP(n) + PP_CLEAR, 0x1fff);
	wr(&f, PP(n) + PP_MASK, 0xf19);
	mmu_on(PPMMU(n));
}

static void l2_on(u32 l2)
{
	wr(&f, l2 + 0x10, 1);
	wr(&f, l2 + 0x1c, 3);
}

static void begin(const char *gpu)
{
	u32 i;
	u64 pa;

	if (!fake_new(&f, gpu))
		abort();
	pps = !strcmp(gpu, "mali450") ? 8 : strlen(gpu) > 9 ? gpu[9] - '0' : 4;
	for (i = 0; i < DRAW_BYTES; i += FAKE_PAGE) {
		pa = fake_page(&f);
		if (!i)
			memory = fake_mem(&f, pa);
	}
	pa -= DRAW_BYTES - FAKE_PAGE;
	for (i = 0; i < DRAW_BYTES; i += FAKE_PAGE)
		map_page(DRAW_VA + i, pa + i, true);
	draw_make(memory, DRAW_VA, frame);
	draw_pp(DRAW_VA, pp_frame, wb);
	wr(&f, PMU + 0x1c, 0xffff);
	wr(&f, PMU, rd(&f, PMU + 8));
	rd(&f, PMU + 0x10);
	wr(&f, PMU + 0x18, 1);
	l2_on(L2);
	if (pps == 8) {
		l2_on(0x10000);
		l2_on(0x11000);
		wr(&f, BCAST, 0xff0000);
		wr(&f, BCAST + 4, 0xff);
	}
	gp_on();
	for (i = 0; i < pps; i++)
		pp_on(i);
}

static void end(void)
{
	fake_free(&f);
}

static void clear_l2(void)
{
	wr(&f, L2 + 0x10, 1);
	if (pps == 8) {
		wr(&f, 0x10010, 1);
		wr(&f, 0x11010, 1);
	}
}

/* As lima starts a frame of the GP: one or both lists. */
static void gp_write_frame(void)
{
	u32 i;

	clear_l2();
	zap(GPMMU);
	for (i = 0; i < 6; i++)
		wr(&f, i * 4, frame[i]);
	wr(&f, GP_CMD, 1 << 4);
}

static void gp_start(u32 lists)
{
	gp_write_frame();
	wr(&f, GP_CMD, lists);
}

static u32 gp_irq(void)
{
	u32 stat = rd(&f, GP_STAT);

	wr(&f, GP_CLEAR, stat);
	return stat;
}

static void gp_hard_reset(void)
{
	wr(&f, GP_MASK, 0);
	wr(&f, GP_CMD, 1 << 9);
	CHECK(rd(&f, GP_STATUS) & 4);
	wr(&f, GP_CMD, 1 << 5);
	CHECK(!rd(&f, GP_STATUS) && !rd(&f, GP_RAW));
	wr(&f, GP_MASK, 0x706a07);
}

static void pp_write_frame(u32 base)
{
	u32 i, k;

	for (i = 0; i < DRAW_PP_WORDS; i++)
		wr(&f, base + i * 4, pp_frame[i]);
	for (i = 0; i < 3; i++)
		for (k = 0; k < 12; k++)
			wr(&f, base + 0x100 * (i + 1) + k * 4, wb[12 * i + k]);
}

static void pp_start(u32 n)
{
	clear_l2();
	zap(PPMMU(n));
	pp_write_frame(PP(n));
	wr(&f, PP(n) + PP_CTRL, 1 << 6);
}

/* ---- control ---- */

static void test_gpus(void)
{
	static const char * const gpus[] = { "mali400", "mali400mp1", "mali400mp2", "mali400mp3",
					     "mali400mp4", "mali450" };
	char name[40];
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		begin(gpus[i]);
		CHECK(rd(&f, 0x6c) >> 16 == (pps == 8 ? 0xd07 : 0xb07));
		for (n = 0; n < pps; n++)
			CHECK(rd(&f, PP(n) + 0x1000) >> 16 == (pps == 8 ? 0xcf07 : 0xcd07));
		CHECK(!f.reports);
		if (pps < 4) {
			rd(&f, PP(pps) + 0x1000);
			CHECK(found("no such register"));
		}
		end();
	}
	CHECK(!fake_new(&f, "mali400mp5"));
	end();
	begin("mali450");
	CHECK(!strcmp(vs_model_reg_name(f.model, 0x28000, name, sizeof(name)), "PP4_FRAME"));
	CHECK(!strcmp(vs_model_reg_name(f.model, 0x7008, name, sizeof(name)), "PPMMU3_COMMAND"));
	CHECK(!strcmp(vs_model_reg_name(f.model, 0x24, name, sizeof(name)), "GP_INT_RAWSTAT"));
	end();
}

static void test_probe(void)
{
	begin("mali400mp2");
	wr(&f, GPMMU + 8, STALL);
	wr(&f, GPMMU, 0xcafebabe);
	CHECK(rd(&f, GPMMU) == 0xcafeb000 && rd(&f, GPMMU + 4) & 4);
	wr(&f, GPMMU + 8, MMU_RESET);
	CHECK(!rd(&f, GPMMU) && !(rd(&f, GPMMU + 4) & 7));
	wr(&f, 0x54, 0xc01a0000);
	CHECK(rd(&f, 0x54) == 0xc01a0000);
	wr(&f, GP_CMD, 1 << 5);
	CHECK(!rd(&f, 0x54));
	wr(&f, PP(1) + 0x1020, 0x1fff);
	wr(&f, PP(1) + PP_CTRL, 1 << 7);
	CHECK(rd(&f, PP(1) + PP_RAW) == 1 << 12);
	CHECK(rd(&f, L2 + 4) == 0x06100206 && !rd(&f, L2 + 8));
	CHECK(!f.reports);
	end();
}

static void test_power(void)
{
	begin("mali400mp2");
	CHECK(!rd(&f, PMU + 8));
	wr(&f, PMU + 4, 8);
	CHECK(rd(&f, PMU + 8) == 8 && rd(&f, PMU + 0x10) == 1);
	wr(&f, PMU + 0x18, 1);
	CHECK(!rd(&f, PP(1) + 0x1000) && found("no power"));
	/* the end of all power is not reported */
	wr(&f, PMU + 4, 7);
	CHECK(rd(&f, PMU + 8) == 15 && !rd(&f, PMU + 0x10));
	CHECK(vs_model_inject(f.model, "slow-power", 2));
	wr(&f, PMU, 15);
	CHECK(!rd(&f, PMU + 0x10) && !rd(&f, PMU + 0x10) && rd(&f, PMU + 0x10) == 1);
	wr(&f, PMU + 0x18, 1);
	CHECK(!rd(&f, GPMMU) && !rd(&f, GP_MASK) && !f.reports);
	end();
}

/* ---- frames ---- */

static void test_draw(const char *gpu)
{
	begin(gpu);
	gp_start(3);
	CHECK(rd(&f, GP_STATUS) == 10 && f.kicks);
	/* the end of the first list is an interrupt of its own */
	CHECK(vs_model_work(f.model));
	CHECK(rd(&f, GP_STATUS) == 8 && vs_model_lines(f.model) == 1 && gp_irq() == 1);
	CHECK(draw_written(memory) == DRAW_VERTICES);
	fake_work(&f);
	CHECK(!rd(&f, GP_STATUS) && gp_irq() == 2 && !vs_model_lines(f.model));
	/* each list alone */
	draw_forget(memory);
	gp_start(1);
	fake_work(&f);
	CHECK(draw_written(memory) == DRAW_VERTICES && gp_irq() == 1);
	draw_forget(memory);
	gp_start(2);
	fake_work(&f);
	CHECK(!draw_written(memory) && gp_irq() == 2);
	CHECK(!f.reports);
	end();
}

/* ---- races ---- */

#define RACES	200

/* Both lists of the GP, as lima's handler sees their ends: STAT, then STATUS. */
static bool race_gp(u32 *early)
{
	u32 i, stat, seen = 0;

	gp_start(3);
	for (i = 0; i < 50; i++) {
		vs_model_work(f.model);
		if (!i || !(vs_model_lines(f.model) & 1))
			continue;
		stat = rd(&f, GP_STAT);
		if (!rd(&f, GP_STATUS) && stat) {
			/* idle, although one of the ends has not been read */
			*early += (seen | stat) != 3;
			wr(&f, GP_CLEAR, stat);
			seen |= stat | rd(&f, GP_STAT);
			wr(&f, GP_CLEAR, 3);
			return seen == 3;
		}
		wr(&f, GP_CLEAR, stat);
		seen |= stat;
	}
	return false;
}

static void pass(struct fake *fk)
{
}

static void test_races(void)
{
	u32 seed, good = 0, early = 0, slow = 0, findings = 0;

	for (seed = 1; seed <= RACES; seed++) {
		begin("mali400mp2");
		f.on_wait = pass;
		if (!vs_model_inject(f.model, "race", seed))
			abort();
		good += race_gp(&early) && draw_written(memory) == DRAW_VERTICES;
		wr(&f, GP_CMD, 1 << 10);
		slow += !rd(&f, GP_RAW);
		while (!rd(&f, GP_RAW))
			;
		wr(&f, GP_CLEAR, 1 << 19);
		findings += f.reports;
		end();
	}
	tap_result(good == RACES && !findings && early && slow,
		   "%u good, %u ends after the first read, %u slow resets",
		   good, early, slow);
}

static void test_errors(void)
{
	begin("mali400mp1");
	((u32 *)(memory + DRAW_VS))[1] = 0xe0000000;
	gp_start(3);
	fake_work(&f);
	CHECK(gp_irq() == 1 << 13 && rd(&f, GP_STATUS) == 10);
	gp_hard_reset();
	draw_make(memory, DRAW_VA, frame);
	((u32 *)(memory + DRAW_PLBU))[1] = 0x10000103;
	gp_start(3);
	fake_work(&f);
	CHECK(gp_irq() == (1 | 1 << 14));
	gp_hard_reset();
	/* a list without an end */
	draw_make(memory, DRAW_VA, frame);
	((u32 *)(memory + DRAW_VS))[0] = DRAW_VA + DRAW_VS;
	((u32 *)(memory + DRAW_VS))[1] = 0xf0000000;
	gp_start(1);
	fake_work(&f);
	CHECK(!gp_irq() && rd(&f, GP_STATUS) == 2);
	gp_hard_reset();
	draw_make(memory, DRAW_VA, frame);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1 && draw_written(memory) == DRAW_VERTICES && !f.reports);
	end();
}

static void test_heap(void)
{
	begin("mali400");
	CHECK(vs_model_inject(f.model, "out-of-heap", 1));
	frame[4] = DRAW_VA + DRAW_HEAP;
	frame[5] = DRAW_VA + DRAW_HEAP + 0x400;
	gp_start(3);
	fake_work(&f);
	CHECK(gp_irq() == (1 | 4) && rd(&f, GP_STATUS) == 8);
	/* goes on without another start */
	wr(&f, 0x10, DRAW_VA + DRAW_HEAP + 0x400);
	wr(&f, 0x14, DRAW_VA + DRAW_BYTES);
	fake_work(&f);
	CHECK(!gp_irq());
	wr(&f, GP_CMD, 1 << 4);
	fake_work(&f);
	CHECK(gp_irq() == 2 && !rd(&f, GP_STATUS) && !f.reports);
	/* with an error that a new heap does not end */
	CHECK(vs_model_inject(f.model, "heap-error", 1));
	gp_start(2);
	fake_work(&f);
	CHECK(gp_irq() == (4 | 1 << 14) && rd(&f, GP_STATUS) == 8);
	wr(&f, GP_CMD, 1 << 4);
	fake_work(&f);
	CHECK(!gp_irq() && rd(&f, GP_STATUS) == 8);
	gp_hard_reset();
	CHECK(!rd(&f, GP_STATUS) && !f.reports);
	end();
}

/* The list of the PLBU needs what is beyond the end; @at: where the new part is */
static void extend_heap(uint32_t at, uint32_t size)
{
	wr(&f, 0x10, at);
	wr(&f, 0x14, at + size);
	wr(&f, GP_CMD, 1 << 4);
	fake_work(&f);
}

/* It runs out of heap, once or twice, and goes on in a longer one or in another one. */
static void test_heap_grows(void)
{
	begin("mali400");
	frame[5] = frame[4];
	gp_start(3);
	fake_work(&f);
	CHECK(gp_irq() == (1 | 4) && rd(&f, GP_STATUS) == 8 && draw_written(memory));
	/* not enough */
	extend_heap(frame[4], 8);
	CHECK(gp_irq() == 4 && rd(&f, GP_STATUS) == 8);
	extend_heap(frame[4] + 8, 0x400);
	CHECK(gp_irq() == 2 && !rd(&f, GP_STATUS) && !f.reports);
	end();
	begin("mali400");
	frame[5] = frame[4];
	gp_start(3);
	fake_work(&f);
	CHECK(gp_irq() == (1 | 4));
	extend_heap(frame[4] + 0x200, 0x400);
	CHECK(gp_irq() == 2 && !rd(&f, GP_STATUS) && !f.reports);
	end();
}

static void test_pixels(const char *gpu)
{
	u32 i;

	begin(gpu);
	for (i = 0; i < pps; i++)
		pp_start(i);
	if (pps == 8)
		wr(&f, BCAST + 4, 0);
	CHECK(rd(&f, PP(pps - 1) + PP_STATUS) == 1);
	fake_work(&f);
	for (i = 0; i < pps; i++) {
		CHECK(vs_model_lines(f.model) & 1U << (4 + 2 * i));
		CHECK(rd(&f, PP(i) + PP_RAW) == 1 && !rd(&f, PP(i) + PP_STATUS));
		wr(&f, PP(i) + PP_CLEAR, 1);
	}
	/* a tile without a list */
	((u32 *)(memory + DRAW_TILES))[1] = 0xb8000000;
	pp_start(0);
	fake_work(&f);
	CHECK(rd(&f, PP(0) + PP_RAW) == 1 << 9);
	wr(&f, PP(0) + PP_CTRL, 1 << 5);
	CHECK(!rd(&f, PP(0) + PP_RAW) && !rd(&f, PP(0) + PP_STATUS));
	CHECK(!f.reports);
	end();
}

/* A Mali-450 writes to several cores at once, and has one interrupt for them. */
static void test_broadcast(void)
{
	u32 i;

	begin("mali450");
	clear_l2();
	zap(MMU_ALL);
	CHECK(rd(&f, PPMMU(7)) == (u32)f.root);
	wr(&f, BCAST, 0xff003f);
	pp_write_frame(PP_ALL);
	wr(&f, PP_ALL + PP_CTRL, 1 << 6);
	CHECK(rd(&f, PP(5) + PP_STATUS) == 1 && !rd(&f, PP(6) + PP_STATUS));
	/* one finding, not six */
	wr(&f, PP_ALL, 0);
	CHECK(f.reports == 1 && found("registers of a frame that executes"));
	wr(&f, PP_ALL, pp_frame[0]);
	CHECK(found("registers of a frame that executes"));
	fake_work(&f);
	CHECK(vs_model_lines(f.model) == 8);
	for (i = 0; i < 6; i++) {
		CHECK(rd(&f, PP(i) + 0x102c) == 1);
		wr(&f, PP(i) + PP_CLEAR, 1);
	}
	CHECK(!vs_model_lines(f.model) && !f.reports);
	wr(&f, BCAST, 0);
	wr(&f, PP_ALL, 0);
	CHECK(found("has no core"));
	wr(&f, DLBU + 4, 0xfff00000);
	wr(&f, PP(0), 0xfff00000);
	wr(&f, L2 + 0x10, 1);
	wr(&f, PP(0) + PP_CTRL, 1 << 6);
	CHECK(found("DLBU, which is off"));
	end();
}

/* ---- MMU ---- */

static void test_faults(void)
{
	u32 i;

	begin("mali400mp1");
	/* attributes: a read */
	map_page(DRAW_VA + DRAW_ELEMS, 0, false);
	gp_start(3);
	fake_work(&f);
	CHECK(vs_model_lines(f.model) == 2 && rd(&f, GPMMU + 0x20) == 1);
	CHECK((rd(&f, GPMMU + 4) & 0x23) == 3);
	CHECK(rd(&f, GPMMU + 0xc) == DRAW_VA + DRAW_ELEMS);
	wr(&f, GPMMU + 0x18, 1);
	CHECK(rd(&f, GP_STATUS) == 10 && !draw_written(memory));
	gp_hard_reset();
	mmu_on(GPMMU);
	CHECK(!(rd(&f, GPMMU + 4) & 2));
	/* varyings: a write to a page that can only be read */
	for (i = 0; i < DRAW_BYTES; i += FAKE_PAGE)
		map_page(DRAW_VA + i, FAKE_PA + (memory - f.mem) + i, i != DRAW_OUT);
	gp_start(1);
	fake_work(&f);
	CHECK((rd(&f, GPMMU + 4) & 0x23) == 0x23 && rd(&f, GPMMU + 0x14) == 1);
	CHECK(rd(&f, GPMMU + 0xc) == DRAW_VA + DRAW_OUT);
	wr(&f, GPMMU + 0x18, 1);
	gp_hard_reset();
	mmu_on(GPMMU);
	/* attributes: a page that can only be written */
	*entry(DRAW_VA + DRAW_ELEMS) &= ~2U;
	gp_start(1);
	fake_work(&f);
	CHECK((rd(&f, GPMMU + 4) & 0x23) == 3 && rd(&f, GPMMU + 0x14) == 1);
	CHECK(rd(&f, GPMMU + 0xc) == DRAW_VA + DRAW_ELEMS);
	wr(&f, GPMMU + 0x18, 1);
	*entry(DRAW_VA + DRAW_ELEMS) |= 2;
	gp_hard_reset();
	mmu_on(GPMMU);
	gp_start(1);
	fake_work(&f);
	CHECK(rd(&f, GPMMU + 0x14) == 1 && rd(&f, GPMMU + 0xc) == DRAW_VA + DRAW_OUT);
	wr(&f, GPMMU + 0x18, 1);
	/* resolved: the list is repeated */
	map_page(DRAW_VA + DRAW_OUT, FAKE_PA + (memory - f.mem) + DRAW_OUT, true);
	wr(&f, GPMMU + 8, ZAP);
	wr(&f, GPMMU + 8, FAULT_DONE);
	fake_work(&f);
	CHECK(gp_irq() == 1 && draw_written(memory) == DRAW_VERTICES);
	CHECK(!f.reports);
	end();
}

static void test_bus(void)
{
	begin("mali400");
	/* a page that is not in memory */
	map_page(DRAW_VA + DRAW_OUT, 0x1000, true);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1 << 11);
	gp_hard_reset();
	/* a table that is not */
	((u32 *)fake_mem(&f, f.root))[5] = 0x1001;
	gp_start(1);
	fake_work(&f);
	CHECK(rd(&f, GPMMU + 0x14) == 2 && vs_model_lines(f.model) == 2);
	wr(&f, GPMMU + 0x18, 2);
	gp_hard_reset();
	((u32 *)fake_mem(&f, f.root))[5] = 0;
	CHECK(vs_model_inject(f.model, "bus-error", 1));
	gp_start(1);
	fake_work(&f);
	CHECK(rd(&f, GPMMU + 0x14) == 2 && !f.reports);
	end();
}

/* Dropped translations that are the same stay mapped; others are mapped anew. */
static void test_same(void)
{
	u32 maps;

	begin("mali400");
	/* the host maps no pages that do not follow each other: a run ends before and after it */
	map_page(DRAW_VA + DRAW_OUT + FAKE_PAGE, 0, false);
	gp_start(1);
	fake_work(&f);
	maps = f.maps;
	CHECK(gp_irq() == 1 && maps > 0);
	draw_forget(memory);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1 && f.maps == maps && draw_written(memory) == DRAW_VERTICES);
	/* rights of a page */
	map_page(DRAW_VA + DRAW_ELEMS, FAKE_PA + (memory - f.mem) + DRAW_ELEMS, false);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1 && f.maps > maps);
	/* a page elsewhere */
	maps = f.maps;
	map_page(DRAW_VA + DRAW_OUT, fake_page(&f), true);
	draw_forget(memory);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1 && f.maps > maps && !draw_written(memory) && !f.reports);
	end();
}

static void test_stale(void)
{
	u8 *old;
	u64 other;

	begin("mali400");
	/* the host maps no pages that do not follow each other: this one alone */
	map_page(DRAW_VA + DRAW_ELEMS, FAKE_PA + (memory - f.mem) + DRAW_ELEMS, false);
	map_page(DRAW_VA + DRAW_OUT + FAKE_PAGE, 0, false);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1);
	/* elsewhere, without a zap: the old page is written */
	other = fake_page(&f);
	map_page(DRAW_VA + DRAW_OUT, other, true);
	draw_forget(memory);
	clear_l2();
	wr(&f, GP_CMD, 1);
	fake_work(&f);
	CHECK(found("without ZAP_CACHE") && gp_irq() == 1);
	CHECK(draw_written(memory) == DRAW_VERTICES);
	old = memory;
	draw_forget(old);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1 && !draw_written(old));
	CHECK(*(u32 *)fake_mem(&f, other) == 0xc0e00000 && !f.reports);
	/* pages that are added need none */
	map_page(HEAP_VA, other, true);
	clear_l2();
	wr(&f, GP_CMD, 1);
	fake_work(&f);
	CHECK(gp_irq() == 1 && !f.reports);
	end();
}

/* Another client unmaps a page between the lists of a frame that does not access it. */
static void test_unmapped(void)
{
	begin("mali400");
	map_page(HEAP_VA, fake_page(&f), true);
	gp_start(3);
	CHECK(vs_model_work(f.model));
	map_page(HEAP_VA, 0, false);
	fake_work(&f);
	CHECK(!f.reports && gp_irq() == 3);
	/* before the next frame, it is to zap */
	map_page(HEAP_VA, fake_page(&f), true);
	gp_start(3);
	fake_work(&f);
	CHECK(!f.reports && gp_irq() == 3);
	map_page(HEAP_VA, 0, false);
	clear_l2();
	wr(&f, GP_CMD, 3);
	fake_work(&f);
	CHECK(found("without ZAP_CACHE"));
	end();
}

static u32 move_at;
static u64 move_to;

static void move_on_call(struct fake *fk)
{
	if (move_at--)
		return;
	fk->on_call = NULL;
	map_page(DRAW_VA + DRAW_OUT, move_to, true);
	zap(GPMMU);
}

static void again(void)
{
	clear_l2();
	wr(&f, GP_CMD, 1);
	fake_work(&f);
	CHECK(gp_irq() == 1);
}

/* Another CPU zaps when the model calls: the frame after that has the new page. */
static bool move_page(u32 at)
{
	bool called;

	begin("mali400");
	map_page(DRAW_VA + DRAW_ELEMS, FAKE_PA + (memory - f.mem) + DRAW_ELEMS, false);
	map_page(DRAW_VA + DRAW_OUT + FAKE_PAGE, 0, false);
	move_to = fake_page(&f);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1);
	zap(GPMMU);
	move_at = at;
	f.on_call = move_on_call;
	again();
	called = !f.on_call;
	f.on_call = NULL;
	if (called) {
		fake_drop(&f, FAKE_PA + (memory - f.mem) + DRAW_OUT);
		again();
		CHECK(*(u32 *)fake_mem(&f, move_to) == 0xc0e00000);
	}
	tap_result(fake_kept(&f) && !f.reports, "zap at call %u: %u findings %s", at, f.reports,
		   f.text);
	end();
	return called;
}

/* Pages that are freed, in the tables or not. */
static void test_freed(void)
{
	u32 at;

	for (at = 0; move_page(at); at++)
		;
	begin("mali400");
	map_page(DRAW_VA + DRAW_ELEMS, FAKE_PA + (memory - f.mem) + DRAW_ELEMS, false);
	gp_start(1);
	fake_work(&f);
	CHECK(gp_irq() == 1);
	fake_drop(&f, FAKE_PA + (memory - f.mem) + DRAW_OUT);
	clear_l2();
	wr(&f, GP_CMD, 1);
	fake_work(&f);
	CHECK(gp_irq() == 1 << 11 && fake_kept(&f) && found("the page has been freed"));
	end();
}

/* ---- checks ---- */

static void test_checks(void)
{
	begin("mali400mp1");
	rd(&f, 0x38);
	CHECK(found("no such register"));
	wr(&f, 0x10000, 1);
	CHECK(found("no such register"));
	wr(&f, GP_STAT, 1);
	CHECK(found("read only"));
	wr(&f, GP_CMD, 1 << 2);
	CHECK(found("reserved bits"));
	wr(&f, GPMMU + 8, 7);
	CHECK(found("no such command"));
	wr(&f, GPMMU, 0);
	CHECK(found("not stalled"));
	wr(&f, GPMMU + 8, FAULT_DONE);
	CHECK(found("there is no page fault"));
	gp_write_frame();
	wr(&f, GPMMU + 8, STALL);
	wr(&f, GPMMU, (u32)f.root);
	wr(&f, GPMMU + 8, NO_STALL);
	wr(&f, GP_CMD, 1);
	CHECK(found("without ZAP_CACHE"));
	wr(&f, GP_CMD, 1);
	CHECK(found("is executing"));
	wr(&f, 0, 0);
	CHECK(found("registers of a frame that executes"));
	wr(&f, GP_CMD, 1 << 10);
	CHECK(found("reset softly"));
	wr(&f, 0, 0);
	CHECK(found("not been awaited"));
	gp_on();
	gp_start(1);
	fake_work(&f);
	wr(&f, GP_CLEAR, 1);
	CHECK(found("that have not been read"));
	wr(&f, GP_CMD, 1);
	CHECK(found("not cleared after its last frame"));
	fake_work(&f);
	gp_irq();
	gp_write_frame();
	wr(&f, 0x10, HEAP_VA);
	wr(&f, GP_CMD, 2);
	CHECK(found("without UPDATE_PLBU_ALLOC"));
	fake_work(&f);
	gp_irq();
	wr(&f, L2 + 0x1c, 0);
	gp_start(1);
	CHECK(found("L2 cache is off"));
	wr(&f, PMU + 4, 1);
	CHECK(found("which is executing"));
	wr(&f, PMU, 1);
	CHECK(found("has not been cleared"));
	end();
	begin("mali400mp1");
	wr(&f, GPMMU + 8, NO_PAGING);
	gp_start(1);
	CHECK(found("without paging"));
	fake_work(&f);
	wr(&f, GPMMU + 0x18, rd(&f, GPMMU + 0x14));
	CHECK(found("the fault has not been read"));
	wr(&f, GPMMU + 8, STALL);
	CHECK(found("is not resolved"));
	wr(&f, PMU + 0x1c, 0);
	wr(&f, PMU + 4, 4);
	CHECK(found("PMU_SW_DELAY"));
	end();
}

static void test_failures(void)
{
	begin("mali400mp1");
	CHECK(vs_model_inject(f.model, "hang", 1));
	gp_start(1);
	fake_work(&f);
	CHECK(!gp_irq() && rd(&f, GP_STATUS) == 2);
	gp_hard_reset();
	CHECK(vs_model_inject(f.model, "lost-irq", 1));
	gp_start(1);
	fake_work(&f);
	CHECK(!vs_model_lines(f.model) && gp_irq() == 1);
	CHECK(vs_model_inject(f.model, "spurious-irq", 1));
	fake_work(&f);
	CHECK(vs_model_lines(f.model) == 1 && !rd(&f, GP_STAT) && !vs_model_lines(f.model));
	CHECK(vs_model_inject(f.model, "spurious-pp", 1));
	fake_work(&f);
	CHECK(vs_model_lines(f.model) == 1 << 4 && !rd(&f, PP(0) + PP_STAT) &&
	      !vs_model_lines(f.model));
	CHECK(vs_model_inject(f.model, "failed-reset", 1));
	wr(&f, GP_CMD, 1 << 10);
	CHECK(!rd(&f, GP_RAW));
	CHECK(vs_model_inject(f.model, "failed-stall", 1));
	wr(&f, GPMMU + 8, STALL);
	CHECK(!(rd(&f, GPMMU + 4) & 4));
	CHECK(vs_model_inject(f.model, "busy-l2", 2));
	CHECK(rd(&f, L2 + 8) && rd(&f, L2 + 8) && !rd(&f, L2 + 8));
	CHECK(!vs_model_inject(f.model, "rain", 1) && !f.reports);
	end();
}

/* ---- random accesses ---- */

static u64 seed = 1;

static u32 rnd(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)((seed >> 33) % n);
}

static u32 random_value(void)
{
	switch (rnd(5)) {
	case 0:
		return (u32)FAKE_PA + (rnd(64) << 12) + rnd(8);
	case 1:
		return 1U << rnd(12);
	case 2:
		return DRAW_VA + rnd(0x500) * 8;
	case 3:
		return rnd(8);
	default:
		return rnd(~0U);
	}
}

static void test_random(u32 rounds)
{
	static const u32 bases[] = { 0, 0x40, L2, PMU, GPMMU, 0x4000, 0x8000, 0x9000, 0x10000,
				     BCAST, DLBU, MMU_ALL, PP_ALL, PP_ALL + 0x1000, 0x28000 };
	u32 i, k;

	begin(rnd(2) ? "mali400" : "mali450");
	for (i = 0; i < rounds; i++) {
		*(u32 *)(memory + rnd(0x500) * 4) = random_value();
		if (rnd(8) == 0)
			draw_make(memory, DRAW_VA, frame);
		for (k = 0; k < 8; k++)
			wr(&f, bases[rnd(ARRAY_SIZE(bases))] + rnd(32) * 4, random_value());
		wr(&f, PMU, 15);
		mmu_on(GPMMU);
		if (rnd(2))
			gp_start(1 + rnd(3));
		if (rnd(2))
			pp_start(rnd(pps));
		fake_work(&f);
		rd(&f, bases[rnd(ARRAY_SIZE(bases))] + rnd(32) * 4);
		wr(&f, GP_CMD, 1 << 5);
		wr(&f, PP(0) + PP_CTRL, 1 << 5);
	}
	tap_result(true, "%u random rounds", rounds);
	end();
}

int main(int argc, char **argv)
{
	u32 rounds = 3000;
	int i;

	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--rounds"))
			rounds = strtoul(argv[i + 1], NULL, 0);
	}
	test_gpus();
	test_probe();
	test_power();
	test_draw("mali400mp1");
	test_draw("mali450");
	test_races();
	test_errors();
	test_heap();
	test_heap_grows();
	test_pixels("mali400mp3");
	test_pixels("mali450");
	test_broadcast();
	test_faults();
	test_bus();
	test_same();
	test_stale();
	test_unmapped();
	test_freed();
	test_checks();
	test_failures();
	test_random(rounds);
	return tap_done();
}
