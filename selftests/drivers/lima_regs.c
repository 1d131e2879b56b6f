// SPDX-License-Identifier: GPL-2.0
/* Lima: what is written to the hardware and when, as the log of accesses has it. */
#include "lima_ko.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))

/* Interrupts that lima enables, and all there are. */
#define GP_USED		0x706e47
#define GP_ALL		0x787fff
#define PP_USED		0xf19
#define PP_ALL		0x1fff

/* ---- power ---- */

/* Power is the first; then the MMUs, the processors, the caches. */
static const struct hw_access resume[] = {
	HW_WRITE("PMU_INT_MASK", 0), HW_WRITE("PMU_SW_DELAY", 0xffff), HW_READS("PMU_STATUS"),
	HW_WRITES("PMU_POWER_UP"), HW_READ("PMU_INT_RAWSTAT", 1), HW_WRITE("PMU_INT_CLEAR", 1),
	HW_WRITE("GPMMU_COMMAND", 6), HW_READ("GPMMU_DTE_ADDR", 0),
	HW_WRITE("GPMMU_INT_MASK", 3), HW_WRITES("GPMMU_DTE_ADDR"),
	HW_WRITE("GPMMU_COMMAND", 0), { 'R', "GPMMU_STATUS", 1, 1 },
	HW_WRITE("PPMMU0_COMMAND", 6), HW_READ("PPMMU0_DTE_ADDR", 0),
	HW_WRITE("PPMMU0_INT_MASK", 3), HW_WRITES("PPMMU0_DTE_ADDR"),
	HW_WRITE("PPMMU0_COMMAND", 0), { 'R', "PPMMU0_STATUS", 1, 1 },
	HW_WRITE("GP_INT_MASK", 0), HW_WRITE("GP_INT_CLEAR", 1 << 19),
	HW_WRITE("GP_CMD", 1 << 10), HW_READ("GP_INT_RAWSTAT", 1 << 19),
	HW_WRITE("GP_INT_CLEAR", GP_ALL), HW_WRITE("GP_INT_MASK", GP_USED),
	HW_WRITE("PP0_INT_MASK", 0), HW_WRITE("PP0_INT_RAWSTAT", PP_ALL),
	HW_WRITE("PP0_CTRL", 1 << 7), HW_READ("PP0_INT_RAWSTAT", 1 << 12),
	HW_WRITE("PP0_INT_CLEAR", PP_ALL), HW_WRITE("PP0_INT_MASK", PP_USED),
	HW_WRITE("L2_CACHE_COMMAND", 1), HW_READ("L2_CACHE_STATUS", 0),
	HW_WRITE("L2_CACHE_ENABLE", 3), HW_WRITE("L2_CACHE_MAX_READS", 0x1c),
};

/* Of the units that PPs of a Mali-450 have in common. */
static bool resumed_450(uint64_t after)
{
	const struct hw_access more[] = {
		HW_WRITE("L2_CACHE_GP_ENABLE", 3), HW_WRITE("L2_CACHE_GP_MAX_READS", 0x1c),
		HW_WRITE("L2_CACHE_ENABLE", 3), HW_WRITE("L2_CACHE_MAX_READS", 0x1c),
		HW_WRITE("L2_CACHE_PP4_ENABLE", 3), HW_WRITE("L2_CACHE_PP4_MAX_READS", 0x1c),
		{ 'W', "DLBU_MASTER_TLLIST_PHYS_ADDR", 1, 0xfff },
		HW_WRITE("DLBU_MASTER_TLLIST_VADDR", 0xfff00000),
		HW_WRITE("BCAST_BROADCAST_MASK", ((1U << num_pp) - 1) << 16),
		HW_WRITE("BCAST_INTERRUPT_MASK", (1U << num_pp) - 1),
	};

	return hw_sequence(after, more, N(more));
}

/* All that has power loses it: a Mali-400 does not report the end. */
static bool suspended(uint64_t after)
{
	uint32_t all = is_450 ? 0xf : 3 | ((1U << num_pp) - 1) << 2;
	const struct hw_access down[] = {
		HW_READ("PMU_STATUS", 0), HW_WRITE("PMU_POWER_DOWN", all),
		HW_WRITE("PMU_INT_CLEAR", 1),
	};
	const struct hw_access waits = HW_READ("PMU_INT_RAWSTAT", 1);
	const struct hw_access up = HW_WRITE("PMU_POWER_UP", all);

	return hw_sequence(after, down, N(down)) && hw_has(after, &up) &&
	       (!is_450 || hw_has(after, &waits));
}

/* ---- tasks ---- */

/* The cache is cleared, the MMU is stalled while its directory changes. */
static bool space_switched(uint64_t after, const char *mmu, const char *cache)
{
	static char name[3][40];
	const struct hw_access change[] = {
		HW_WRITE(cache, 1), HW_WRITE(name[0], 2), { 'R', name[1], 4, 4 },
		HW_WRITES(name[2]), HW_WRITE(name[0], 4), HW_WRITE(name[0], 3),
		{ 'R', name[1], 0, 4 },
	};

	snprintf(name[0], sizeof(name[0]), "%s_COMMAND", mmu);
	snprintf(name[1], sizeof(name[1]), "%s_STATUS", mmu);
	snprintf(name[2], sizeof(name[2]), "%s_DTE_ADDR", mmu);
	return hw_sequence(after, change, N(change));
}

static bool draw_written_down(uint64_t after, const struct client *c)
{
	const uint32_t *f = c->gp.frame;
	const struct hw_access draw[] = {
		HW_WRITE("GP_VSCL_START_ADDR", f[0]), HW_WRITE("GP_VSCL_END_ADDR", f[1]),
		HW_WRITE("GP_PLBUCL_START_ADDR", f[2]), HW_WRITE("GP_PLBUCL_END_ADDR", f[3]),
		HW_WRITE("GP_PLBU_ALLOC_START_ADDR", f[4]),
		HW_WRITE("GP_PLBU_ALLOC_END_ADDR", f[5]),
		HW_WRITE("GP_CMD", 1 << 4), HW_WRITE("GP_CMD", 3),
		{ 'R', "GP_INT_STAT", 2, 2 }, HW_READS("GP_STATUS"),
		{ 'W', "GP_INT_CLEAR", 2, 2 },
		/* a reset, for which the next task waits */
		HW_WRITE("GP_INT_MASK", 0), HW_WRITE("GP_CMD", 1 << 10),
	};

	return hw_sequence(after, draw, N(draw));
}

/* One list only: the other one is not started. */
static void halves(struct client *c)
{
	static const struct hw_access vs = HW_WRITE("GP_CMD", 1), plbu = HW_WRITE("GP_CMD", 2);
	static const struct hw_access both = HW_WRITE("GP_CMD", 3);
	uint64_t time = hw_log_time();

	c->gp.frame[3] = c->gp.frame[2];
	CHECK(!submit_gp(c, 0) && !await(c, 3000));
	CHECK(hw_has(time, &vs) && !hw_has(time, &both));
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	time = hw_log_time();
	c->gp.frame[1] = c->gp.frame[0];
	CHECK(!submit_gp(c, 0) && !await(c, 3000));
	CHECK(hw_has(time, &plbu) && !hw_has(time, &both));
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
}

static bool pixels_written_down(uint64_t after)
{
	static const struct hw_access m400[] = {
		HW_WRITES("PP0_FRAME"), HW_WRITES("PP0_WB0_SOURCE_SELECT"),
		HW_WRITES("PP0_WB2_WORD11"), HW_WRITE("PP0_CTRL", 1 << 6),
		HW_READ("PP0_INT_STATUS", 1), HW_WRITE("PP0_INT_CLEAR", 1),
	};
	static const struct hw_access m400_reset[] = {
		HW_WRITE("PP0_CTRL", 1 << 6), HW_WRITE("PP0_INT_MASK", 0),
		HW_WRITE("PP0_INT_RAWSTAT", PP_ALL), HW_WRITE("PP0_CTRL", 1 << 7),
	};
	static const struct hw_access m450[] = {
		HW_WRITE("DLBU_PP_ENABLE_MASK", 0), HW_READS("BCAST_BROADCAST_MASK"),
		HW_WRITE("BCAST_BROADCAST_MASK", 0xff00ff), HW_WRITES("PP_BCAST_FRAME"),
		HW_WRITES("PP_BCAST_WB2_WORD11"), HW_WRITES("PP0_STACK"), HW_WRITES("PP0_FRAME"),
		HW_WRITES("PP7_STACK"), HW_WRITES("PP7_FRAME"),
		HW_WRITE("PP_BCAST_CTRL", 1 << 6), HW_READS("PP0_STATUS"),
		HW_READ("PP0_INT_STATUS", 1), HW_WRITE("PP0_INT_CLEAR", 1),
	};
	static const struct hw_access m450_reset[] = {
		HW_WRITE("PP_BCAST_CTRL", 1 << 6), HW_WRITE("PP_BCAST_INT_MASK", 0),
		HW_WRITE("PP_BCAST_INT_RAWSTAT", PP_ALL), HW_WRITE("PP_BCAST_CTRL", 1 << 7),
	};

	if (is_450)
		return hw_sequence(after, m450, N(m450)) &&
		       hw_sequence(after, m450_reset, N(m450_reset));
	return hw_sequence(after, m400, N(m400)) &&
	       hw_sequence(after, m400_reset, N(m400_reset));
}

void test_traces(void)
{
	struct client c;
	uint64_t time;

	CHECK(client_open(&c));
	CHECK(hw_suspends());
	time = hw_log_time();
	CHECK(draw_works(&c));
	CHECK(hw_suspends());
	CHECK(hw_sequence(time, resume, N(resume)));
	CHECK(!is_450 || resumed_450(time));
	CHECK(space_switched(time, "GPMMU", is_450 ? "L2_CACHE_GP_COMMAND" : "L2_CACHE_COMMAND"));
	CHECK(draw_written_down(time, &c));
	CHECK(suspended(time));
	time = hw_log_time();
	CHECK(pixels_work(&c));
	CHECK(space_switched(time, is_450 ? "PPMMU_BCAST" : "PPMMU0", "L2_CACHE_COMMAND"));
	CHECK(!is_450 || space_switched(time, "PPMMU_BCAST", "L2_CACHE_PP4_COMMAND"));
	CHECK(pixels_written_down(time));
	halves(&c);
	CHECK(draw_works(&c));
	/* who has not begun a reset does not wait for one */
	CHECK(!hw_said("soft reset time out"));
	client_close(&c);
}

/* ---- errors ---- */

/* A task that hangs is stopped at the bus before the reset; interrupts are masked. */
static const struct hw_access gp_reset[] = {
	HW_WRITE("GP_INT_MASK", 0), HW_WRITE("GP_PERF_CNT_0_LIMIT", 0xc0ffe000),
	HW_WRITE("GP_INT_MASK", 0), HW_WRITE("GP_CMD", 1 << 9), { 'R', "GP_STATUS", 4, 4 },
	HW_WRITE("GP_CMD", 1 << 5), HW_WRITE("GP_PERF_CNT_0_LIMIT", 0xc01a0000),
	HW_READ("GP_PERF_CNT_0_LIMIT", 0xc01a0000), HW_WRITE("GP_PERF_CNT_0_LIMIT", 0),
	HW_WRITE("GP_INT_CLEAR", GP_ALL), HW_WRITE("GP_INT_MASK", GP_USED),
};

/* Of each pixel processor. */
static bool pixels_reset(uint64_t after)
{
	char name[4][32];
	const struct hw_access reset[] = {
		HW_WRITE(name[0], 0), HW_WRITE(name[1], 0xc0ffe000),
		HW_WRITE(name[0], 0), HW_WRITE(name[2], 1 << 5),
		HW_WRITE(name[1], 0xc01a0000), HW_READ(name[1], 0xc01a0000),
		HW_WRITE(name[1], 0), HW_WRITE(name[3], PP_ALL), HW_WRITE(name[0], PP_USED),
	};
	bool good = true;
	uint32_t i;

	for (i = 0; i < num_pp && good; i++) {
		snprintf(name[0], sizeof(name[0]), "PP%u_INT_MASK", i);
		snprintf(name[1], sizeof(name[1]), "PP%u_PERF_CNT_0_LIMIT", i);
		snprintf(name[2], sizeof(name[2]), "PP%u_CTRL", i);
		snprintf(name[3], sizeof(name[3]), "PP%u_INT_CLEAR", i);
		good = hw_sequence(after, reset, N(reset));
	}
	return good;
}

/* Nor for a moment are other interrupts enabled. */
static bool masks_are_right(void)
{
	char name[32];
	bool good = hw_only("GP_INT_MASK", 0, GP_USED) && hw_only("GPMMU_INT_MASK", 0, 3) &&
		    hw_only("PMU_INT_MASK", 0, 0);
	uint32_t i;

	for (i = 0; i < num_pp && good; i++) {
		snprintf(name, sizeof(name), "PP%u_INT_MASK", i);
		good = hw_only(name, 0, PP_USED);
		snprintf(name, sizeof(name), "PPMMU%u_INT_MASK", i);
		good &= hw_only(name, 0, 3);
	}
	return good && (!is_450 || hw_only("BCAST_INTERRUPT_MASK", 0, (1U << num_pp) - 1));
}

/* After a page fault, the MMU is reset. */
static const struct hw_access mmu_fault[] = {
	{ 'R', "GPMMU_INT_STATUS", 1, 1 }, HW_READ("GPMMU_PAGE_FAULT_ADDR", NOWHERE),
	HW_WRITE("GPMMU_INT_MASK", 0), HW_WRITE("GPMMU_INT_CLEAR", 1),
	{ 'R', "GPMMU_STATUS", 2, 2 }, HW_WRITE("GPMMU_INT_MASK", 0),
	HW_WRITE("GPMMU_DTE_ADDR", 0xcafebabe), HW_WRITE("GPMMU_COMMAND", 6),
	HW_READ("GPMMU_DTE_ADDR", 0), HW_WRITE("GPMMU_INT_MASK", 3),
	HW_WRITES("GPMMU_DTE_ADDR"), HW_WRITE("GPMMU_COMMAND", 0),
};

/* A command that does not exist: interrupts are masked before this one is cleared. */
static const struct hw_access pp_error[] = {
	{ 'R', "PP0_INT_STATUS", 1 << 9, 1 << 9 }, HW_READS("PP0_STATUS"),
	HW_WRITE("PP0_INT_MASK", 0), HW_WRITE("PP0_INT_CLEAR", 1 << 9),
};

static void commands(struct client *c)
{
	uint64_t time = hw_log_time();
	struct bo heap;

	((uint32_t *)(c->bo.p + DRAW_TILES))[1] = 0xb8000000;
	CHECK(fails_soon(c, submit_pp(c, num_pp, c->bo.va, false)));
	CHECK(hw_sequence(time, pp_error, N(pp_error)));
	/* a heap does not grow for it */
	CHECK(!bo_new(c->fd, 1 << 20, LIMA_BO_FLAG_HEAP, &heap));
	((uint32_t *)(c->bo.p + DRAW_VS))[1] = 0xe0000000;
	c->gp.frame[4] = heap.va;
	c->gp.frame[5] = heap.va + (1 << 20);
	CHECK(fails_soon(c, submit_gp(c, heap.handle)));
	/* nor if it is full at the same time */
	CHECK(hw_inject("heap-error 1"));
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	c->gp.frame[4] = heap.va;
	c->gp.frame[5] = heap.va + (1 << 20);
	CHECK(fails_soon(c, submit_gp(c, heap.handle)));
	bo_free(c->fd, &heap);
}

void test_error_traces(void)
{
	struct client c;
	uint64_t time;

	CHECK(client_open(&c));
	commands(&c);
	time = hw_log_time();
	((uint32_t *)(c.bo.p + DRAW_VS))[0] = NOWHERE;
	((uint32_t *)(c.bo.p + DRAW_VS))[1] = 0xf0000000;
	CHECK(fails_soon(&c, submit_gp(&c, 0)));
	CHECK(hw_sequence(time, mmu_fault, N(mmu_fault)));
	CHECK(hw_said("mmu page fault at 0xe0000000 from bus id"));
	time = hw_log_time();
	CHECK(hw_inject("hang 1"));
	CHECK(!submit_gp(&c, 0) && !await(&c, 5000));
	CHECK(hw_sequence(time, gp_reset, N(gp_reset)) && recovers(&c));
	time = hw_log_time();
	CHECK(hw_inject("hang 1"));
	CHECK(!submit_pp(&c, num_pp, c.bo.va, false) && !await(&c, 5000));
	CHECK(pixels_reset(time) && recovers(&c));
	CHECK(masks_are_right());
	client_close(&c);
}

/* ---- times ---- */

/* How long the driver waits for a block that does not answer, before it goes on. */
static void waits_of_blocks(struct client *c)
{
	const struct hw_access l2[] = {
		HW_WRITE(is_450 ? "L2_CACHE_GP_COMMAND" : "L2_CACHE_COMMAND", 1),
		HW_WRITE("GPMMU_COMMAND", 2),
	};
	uint64_t time;

	/* power that comes after half of the time */
	CHECK(hw_suspends() && hw_inject("slow-power 500") && draw_works(c));
	time = hw_log_time();
	CHECK(hw_inject("busy-l2 1000000") && draw_works(c) && hw_inject("busy-l2 0"));
	CHECK(hw_waited("cache", hw_between(time, &l2[0], &l2[1]), 1000));
}

void test_times(void)
{
	static const struct hw_times times = {
		.start = HW_WRITE("GP_CMD", 3), .stop = HW_WRITE("GP_INT_MASK", 0),
		.off = HW_WRITES("PMU_POWER_DOWN"), .idle_us = { 200000, 255000 },
	};
	struct client c;

	if (!hw_exact()) {
		tap_skip("time passes while programs compute", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	hw_check_times(hang_of(&c), &times);
	waits_of_blocks(&c);
	client_close(&c);
}
