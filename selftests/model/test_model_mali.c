// SPDX-License-Identifier: GPL-2.0
/*
 * Register model of Mali GPUs: resets, power, job slots, address spaces with both formats of page
 * tables, faults with retry, stops, counters, the checks for authors of drivers, failures; then
 * random accesses, which must end.
 *
 * usage: test_model_mali [--seed N] [--rounds N]
 */
#include "mali_driver.h"

/* ---- control ---- */

static void test_gpus(void)
{
	static const struct {
		const char *gpu;
		u32 id;
	} k[] = {
		{ "t760", 0x750 }, { "t860", 0x860 }, { "g71", 0x6000 }, { "g72", 0x6221 },
		{ "g31", 0x7093 }, { "g52", 0x7212 },
	};
	char name[40];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(k); i++) {
		begin(k[i].gpu, FAKE_LPAE);
		CHECK(rd(&f, 0) >> 16 == k[i].id && rd(&f, 0x18) == 0xff && rd(&f, 0x1c) == 7);
		CHECK(!f.reports);
		end();
	}
	CHECK(!fake_new(&f, "t999"));
	end();
	begin("t860", FAKE_LPAE);
	CHECK(!strcmp(vs_model_reg_name(f.model, 0x18c0, name, sizeof(name)),
		      "JS1_HEAD_NEXT_LO"));
	CHECK(!strcmp(vs_model_reg_name(f.model, 0x2418, name, sizeof(name)), "AS0_COMMAND"));
	CHECK(!strcmp(vs_model_reg_name(f.model, 0x144, name, sizeof(name)), "SHADER_READY_HI"));
	CHECK(!strcmp(vs_model_reg_name(f.model, 0x2ffc, name, sizeof(name)), "0x2ffc"));
	end();
}

static void test_reset(void)
{
	begin("t860", FAKE_LPAE);
	CHECK(rd(&f, 0x140) == 1 && rd(&f, 0x150) == 1 && rd(&f, 0x160) == 1);
	wr(&f, 0x1c0, 1);
	CHECK(!rd(&f, 0x140) && !rd(&f, 0x200));
	wr(&f, 0x30, 1);
	CHECK(rd(&f, 0x20) == 0x100 && !rd(&f, 0x28) && !rd(&f, 0x160));
	CHECK(!(rd(&f, AS(1, 0)) & 3));
	wr(&f, 0x24, 0x100);
	CHECK(!rd(&f, 0x20) && !vs_model_lines(f.model));
	CHECK(vs_model_inject(f.model, "failed-reset", 1));
	wr(&f, 0x30, 1);
	CHECK(!rd(&f, 0x20));
	CHECK(vs_model_inject(f.model, "slow-power", 2));
	power_up();
	CHECK(!rd(&f, 0x160) && !rd(&f, 0x160) && rd(&f, 0x160) == 1);
	CHECK(!vs_model_inject(f.model, "rain", 1));
	CHECK(!f.reports);
	end();
}

/* Registers that only describe the chip have values of their own, others stay. */
static void test_features(void)
{
	static const u32 own[] = { 0x004, 0x010, 0x04c, 0x0a0, 0x0a4, 0x0bc, 0x0c8, 0x300, 0x310 };
	static const u32 same[] = { 0x000, 0x014, 0x018, 0x01c, 0x100, 0x110, 0x120 };
	u32 i, was[ARRAY_SIZE(same)];

	begin("g52", FAKE_LPAE);
	for (i = 0; i < ARRAY_SIZE(same); i++)
		was[i] = rd(&f, same[i]);
	CHECK(rd(&f, 0x0a0) == 256 && vs_model_inject(f.model, "features", 1));
	for (i = 0; i < ARRAY_SIZE(own); i++)
		CHECK(rd(&f, own[i]) == (0x5a000000 | own[i] << 12));
	for (i = 0; i < ARRAY_SIZE(same); i++)
		CHECK(rd(&f, same[i]) == was[i]);
	CHECK(vs_model_inject(f.model, "features", 0) && rd(&f, 0x0a0) == 256);
	CHECK(!f.reports);
	end();
}

/* ---- jobs ---- */

static void test_chain(const char *gpu, enum fake_format format)
{
	begin(gpu, format);
	put_write(0, DATA_VA, 0x11111111, false);
	put_write(1, DATA_VA + 4, 0x22222222, false);
	put_job(2, 1, true);
	wr(&f, 0x30, 5);
	start(1);
	CHECK(!rd(&f, JS(1, 0x60)) && rd(&f, JS(1, 0x24)) == 8 && rd(&f, 0x1010) == 2);
	CHECK(f.kicks);
	fake_work(&f);
	CHECK(data[0] == 0x11111111 && data[1] == 0x22222222);
	CHECK(jobs[0] == 1 && jobs[16] == 1 && jobs[32] == 1);
	CHECK(vs_model_lines(f.model) == 1 && rd(&f, 0x100c) == 2 && rd(&f, JS(1, 0x24)) == 1);
	CHECK(take_irq() == 2 && !rd(&f, 0x1010) && !vs_model_lines(f.model));
	CHECK(rd(&f, 0x90) > 0 && !f.reports);
	wr(&f, 0x30, 6);
	rd(&f, 0x90);
	CHECK(found("the cycle counter is stopped"));
	end();
}

/* Its jobs write zeros or counters, no values. */
static void test_midgard(void)
{
	begin("t860", FAKE_LPAE);
	data[0] = ~0U;
	data[1] = ~0U;
	put_write(0, DATA_VA, 0, true);
	jobs[10] = 3;
	start(1);
	fake_work(&f);
	CHECK(take_irq() == 2 && !data[0] && data[1] == ~0U && jobs[0] == 1 && !f.reports);
	end();
}

static void test_next(void)
{
	begin("g52", FAKE_LPAE);
	put_write(0, DATA_VA, 1, true);
	start(0);
	start(0);
	CHECK(rd(&f, JS(0, 0x60)) == 1);
	start(2);
	fake_work(&f);
	CHECK(!rd(&f, JS(0, 0x60)) && take_irq() == 5 && !rd(&f, 0x1010));
	/* a failure keeps the next one back until it has been cleared */
	put_job(0, 100, true);
	start(0);
	start(0);
	fake_work(&f);
	CHECK(rd(&f, 0x1000) == 0x10000 && rd(&f, JS(0, 0x60)) == 1);
	CHECK(rd(&f, JS(0, 0x24)) == 0x40);
	put_job(0, 1, true);
	CHECK(take_irq() == 0x10000 && rd(&f, 0x1010) == 1 && !rd(&f, JS(0, 0x60)));
	fake_work(&f);
	CHECK(take_irq() == 1);
	/* the second ends after the driver has read the end of the first */
	start(0);
	start(0);
	vs_model_work(f.model);
	CHECK(rd(&f, 0x1000) == 1);
	fake_work(&f);
	wr(&f, 0x1004, 1);
	CHECK(!rd(&f, 0x1000) && !rd(&f, 0x1010));
	CHECK(!f.reports);
	end();
}

static void stop_on_wait(struct fake *fk)
{
	wr(fk, JS(0, 0x20), 7);
	CHECK(rd(fk, 0x1010) == 1);
	wr(fk, JS(0, 0x20), fk->waits == 1 ? 4 : 5);
}

static void test_stop(void)
{
	begin("t860", FAKE_LPAE);
	/* an endless chain is stopped softly, by the flag of its chain */
	put_job(0, 1, false);
	put_job(1, 1, true);
	jobs[16 + 6] = (u32)CODE_VA;
	f.on_wait = stop_on_wait;
	start(0);
	fake_work(&f);
	CHECK(take_irq() == 0x10000 && rd(&f, JS(0, 0x24)) == 3);
	CHECK(rd(&f, JS(0, 0x08)) == (u32)CODE_VA && !rd(&f, 0x1010));
	/* one that hangs only ends hard */
	put_job(0, 1, true);
	CHECK(vs_model_inject(f.model, "hang", 1));
	f.waits = 0;
	start(0);
	fake_work(&f);
	CHECK(f.waits == 2 && take_irq() == 0x10000 && rd(&f, JS(0, 0x24)) == 1 + 3);
	/* before it began */
	start(0);
	wr(&f, JS(0, 0x20), 2);
	CHECK(take_irq() == 0x10000 && rd(&f, JS(0, 0x24)) == 3);
	fake_work(&f);
	CHECK(!f.reports);
	end();
}

static void reset_on_wait(struct fake *fk)
{
	wr(fk, 0x30, 1);
}

static void test_reset_while_running(void)
{
	begin("g31", FAKE_LPAE);
	put_job(0, 1, true);
	jobs[6] = (u32)CODE_VA;
	f.on_wait = reset_on_wait;
	start(0);
	fake_work(&f);
	CHECK(f.waits == 1 && !rd(&f, 0x1000) && !rd(&f, 0x1010) && rd(&f, 0x20) == 0x100);
	wr(&f, 0x24, 0x100);
	wr(&f, 0x1008, 0x70007);
	power_up();
	space_on(1);
	put_write(0, DATA_VA, 7, true);
	start(0);
	fake_work(&f);
	CHECK(take_irq() == 1 && data[0] == 7 && !f.reports);
	end();
}

/*
 * The driver is faster than the worker: after the reset it starts another job in the same slot and
 * space, with tables of which the page that the first job waits for is a part.
 */
static void reset_and_on(struct fake *fk)
{
	wr(fk, 0x30, 1);
	rd(fk, 0x20);
	wr(fk, 0x24, 0x100);
	wr(fk, 0x1008, 0x70007);
	wr(fk, 0x2008, 0xff00ff);
	power_up();
	fake_map(fk, HEAP_VA, data_pa, true);
	space_on(1);
}

static void restart_on_wait(struct fake *fk)
{
	if (fk->waits == 1) {
		reset_and_on(fk);
		start(0);
	} else if (fk->waits == 20) {
		wr(fk, 0x30, 1);
	}
}

static bool restarts;

static void restart_on_call(struct fake *fk)
{
	fk->on_call = NULL;
	reset_and_on(fk);
	put_write(0, DATA_VA, 7, true);
	if (restarts)
		start(0);
}

/* The same before the worker has begun: the failure moves a line. */
static void restart_early(bool again)
{
	begin("g52", FAKE_LPAE);
	put_job(0, 1, true);
	start(0);
	CHECK(vs_model_inject(f.model, "gpu-fault", 1));
	restarts = again;
	f.on_call = restart_on_call;
	fake_work(&f);
	CHECK(!f.on_call && take_irq() == again && jobs[0] == again && data[0] == (again ? 7 : 0));
	/* a sample of counters meets no chain that is gone */
	wr(&f, 0x6c, ~0U);
	wr(&f, 0x60, (u32)DATA_VA);
	wr(&f, 0x64, 0);
	wr(&f, 0x68, 1 << 4 | 1);
	wr(&f, 0x30, 4);
	fake_work(&f);
	wr(&f, 0x30, 7);
	fake_work(&f);
	CHECK(data[2] == ~0U && !f.reports);
	end();
}

static void test_restart(void)
{
	u32 i, raw;

	restart_early(false);
	restart_early(true);

	/* a fault; a chain that hangs */
	for (i = 0; i < 2; i++) {
		begin("g52", FAKE_LPAE);
		f.on_wait = restart_on_wait;
		put_write(0, HEAP_VA, 7, true);
		if (i) {
			put_job(0, 1, true);
			CHECK(vs_model_inject(f.model, "hang", 1));
		}
		start(0);
		if (!i)
			vs_model_work(f.model);
		else
			fake_work(&f);
		/* of the first job nothing is left */
		CHECK(f.waits == 1 && !data[0]);
		if (!i)
			put_job(0, 1, true);
		fake_work(&f);
		raw = take_irq();
		tap_result(raw == 1 && !data[0] && f.waits == 1 && !f.reports,
			   "restart %u: interrupts 0x%x, %u waits, %u findings %s", i, raw,
			   f.waits, f.reports, f.text);
		end();
	}
}

/* ---- address spaces ---- */

static u64 heap_pa;

static void grow_on_wait(struct fake *fk)
{
	u32 status = rd(fk, 0x2000);

	if (!status)
		return;
	CHECK(vs_model_lines(fk->model) & 2 && status == 2);
	CHECK((rd(fk, AS(1, 0x1c)) & 0xf8) == 0xc0 && rd(fk, AS(1, 0x20)) == (u32)HEAP_VA);
	wr(fk, 0x2004, status);
	heap_pa = fake_page(fk);
	fake_map(fk, HEAP_VA, heap_pa, true);
	as_command(1, FLUSH_PT);
}

static void give_up_on_wait(struct fake *fk)
{
	rd(fk, 0x2000);
	rd(fk, AS(1, 0x1c));
	wr(fk, 0x2004, 2);
	space_off(1);
}

static void test_faults(const char *gpu, enum fake_format format)
{
	begin(gpu, format);
	f.on_wait = grow_on_wait;
	put_write(0, HEAP_VA + 0, 0x33333333, false);
	put_write(1, DATA_VA, 0x44444444, true);
	start(1);
	fake_work(&f);
	CHECK(take_irq() == 2 && f.waits == 1 && data[0] == 0x44444444);
	CHECK(*(u32 *)fake_mem(&f, heap_pa) == 0x33333333);
	/* read-only */
	fake_map(&f, HEAP_VA, heap_pa, false);
	as_command(1, FLUSH_PT);
	put_write(0, HEAP_VA, 5, true);
	f.on_wait = give_up_on_wait;
	start(1);
	fake_work(&f);
	CHECK(take_irq() == 0x20000 && rd(&f, JS(1, 0x24)) == 0x43);
	CHECK(rd(&f, JS(1, 0x08)) == (u32)CODE_VA && jobs[0] == 0x43);
	CHECK(*(u32 *)fake_mem(&f, heap_pa) == 0x33333333);
	/* nobody helps */
	space_on(1);
	put_write(0, HEAP_VA + 0x100000, 5, true);
	start(1);
	fake_work(&f);
	CHECK(take_irq() == 0x20000 && rd(&f, JS(1, 0x24)) == 0x43);
	CHECK(!f.reports);
	end();
}

static void stop_fault_on_wait(struct fake *fk)
{
	wr(fk, JS(1, 0x20), 2);
}

/* A chain that waits for memory can be stopped. */
static void test_stop_fault(void)
{
	begin("g52", FAKE_LPAE);
	f.on_wait = stop_fault_on_wait;
	put_write(0, DATA_VA, 1, false);
	put_write(1, HEAP_VA, 5, true);
	start(1);
	fake_work(&f);
	CHECK(f.waits == 1 && take_irq() == 0x20000 && rd(&f, JS(1, 0x24)) == 3);
	CHECK(rd(&f, JS(1, 0x08)) == (u32)CODE_VA + 64 && !f.reports);
	end();
}

/* A driver that does not flush sees stale pages, each time, and hears of it. */
static void test_stale(void)
{
	u64 other;

	begin("g52", FAKE_LPAE);
	other = fake_page(&f);
	put_write(0, DATA_VA, 1, true);
	start(0);
	fake_work(&f);
	take_irq();
	fake_map(&f, DATA_VA, other, true);
	put_write(0, DATA_VA, 2, true);
	start(0);
	fake_work(&f);
	take_irq();
	CHECK(found("a page was changed or removed") && data[0] == 2);
	CHECK(!*(u32 *)fake_mem(&f, other));
	as_command(1, FLUSH_PT);
	put_write(0, DATA_VA, 3, true);
	start(0);
	fake_work(&f);
	take_irq();
	CHECK(data[0] == 2 && *(u32 *)fake_mem(&f, other) == 3 && !f.reports);
	/* a new page may be used, but should have been flushed */
	fake_map(&f, HEAP_VA, other, true);
	put_write(0, HEAP_VA, 4, true);
	start(0);
	fake_work(&f);
	take_irq();
	CHECK(*(u32 *)fake_mem(&f, other) == 4 && found("a page was added"));
	end();
}

static u32 move_at;

/* Both pages move, and are freed where they were. */
static void move_on_call(struct fake *fk)
{
	u64 code, to;

	if (move_at--)
		return;
	fk->on_call = NULL;
	code = fake_page(fk);
	to = fake_page(fk);
	memcpy(fake_mem(fk, code), jobs, FAKE_PAGE);
	memcpy(fake_mem(fk, to), data, FAKE_PAGE);
	fake_map(fk, CODE_VA, code, true);
	fake_map(fk, DATA_VA, to, true);
	as_command(1, FLUSH_PT);
	fake_drop(fk, code_pa);
	fake_drop(fk, data_pa);
	jobs = fake_mem(fk, code);
	data = fake_mem(fk, to);
}

/* Another CPU acts when the model calls. Return: it has called often enough. */
static bool move_pages(u32 at)
{
	bool called;

	begin("g52", FAKE_LPAE);
	put_write(0, DATA_VA, 0x33333333, true);
	start(0);
	move_at = at;
	f.on_call = move_on_call;
	fake_work(&f);
	called = !f.on_call;
	f.on_call = NULL;
	tap_result(take_irq() == 1 && fake_kept(&f) && !f.reports && jobs[0] == 1 &&
		   data[0] == 0x33333333, "pages that move at call %u: %u findings %s", at,
		   f.reports, f.text);
	end();
	return called;
}

/* A page that is freed while tables, or translations that were dropped, have it. */
static void test_freed(void)
{
	u32 at;

	begin("g52", FAKE_LPAE);
	put_write(0, DATA_VA, 1, true);
	start(0);
	fake_work(&f);
	CHECK(take_irq() == 1);
	fake_drop(&f, data_pa);
	f.on_wait = give_up_on_wait;
	start(0);
	fake_work(&f);
	CHECK(take_irq() == 0x10000 && fake_kept(&f) && found("the page has been freed"));
	end();
	/* a walk that fails leaves nothing of the tables before it */
	begin("g52", FAKE_LPAE);
	put_write(0, DATA_VA, 1, true);
	start(0);
	fake_work(&f);
	CHECK(take_irq() == 1);
	fake_map(&f, DATA_VA, 0, false);
	as_command(1, FLUSH_PT);
	fake_drop(&f, data_pa);
	CHECK(vs_model_inject(f.model, "bus-error", 1));
	f.on_wait = give_up_on_wait;
	start(0);
	fake_work(&f);
	CHECK(take_irq() == 0x10000 && fake_kept(&f) && !f.reports);
	end();
	for (at = 0; move_pages(at); at++)
		;
}

/* Tables that point to themselves or outside of memory. */
static void test_tables(void)
{
	u64 *root;
	u32 i;

	begin("t860", FAKE_LPAE);
	root = fake_mem(&f, f.root);
	for (i = 1; i < 512; i++)
		root[i] = f.root | 3;
	as_command(1, FLUSH_PT);
	put_write(0, DATA_VA, 6, true);
	start(0);
	fake_work(&f);
	CHECK(rd(&f, 0x1000) && (rd(&f, 0x2000) >> 16 == 2));
	end();
	begin("t860", FAKE_LPAE);
	CHECK(vs_model_inject(f.model, "bus-error", 1));
	put_write(0, DATA_VA, 6, true);
	f.on_wait = give_up_on_wait;
	start(0);
	fake_work(&f);
	CHECK(rd(&f, 0x2000) >> 16 == 2);
	end();
}

/* ---- counters ---- */

static void test_counters(const char *gpu)
{
	u32 *c;

	begin(gpu, FAKE_LPAE);
	put_job(0, 1, true);
	wr(&f, 0x30, 3);
	wr(&f, 0x6c, ~0U);
	/* of a core, those from 20 on */
	wr(&f, 0x70, 0xffe0);
	wr(&f, 0x60, (u32)DATA_VA);
	wr(&f, 0x64, 0);
	wr(&f, 0x68, 1 << 4 | 1);
	start(1);
	start(1);
	fake_work(&f);
	take_irq();
	start(0);
	fake_work(&f);
	take_irq();
	wr(&f, 0x30, 4);
	fake_work(&f);
	CHECK(rd(&f, 0x20) & 0x10000);
	/* in the L2 cache, until that is cleaned by a command, or by a job */
	c = data;
	CHECK(!c[2] && !c[16]);
	wr(&f, 0x30, 7);
	fake_work(&f);
	CHECK(rd(&f, 0x20) & 0x20000);
	CHECK(c[2] == ~0U && c[16] == 2);
	wr(&f, 0x24, rd(&f, 0x20));
	memset(data, 0, FAKE_PAGE);
	wr(&f, 0x30, 4);
	fake_work(&f);
	CHECK(!c[2] && rd(&f, 0x20) == 0x10000);
	start(1);
	fake_work(&f);
	CHECK(c[2] == ~0U && c[6] > 0 && c[8] == 1 && c[16] == 2 && c[18] + c[10] == c[6]);
	CHECK(c[10] > 0 && c[18] == 2 * c[10]);
	/* blocks that are off; a core's cycles, of which those of fragments are off */
	CHECK(c[64 + 2] == 0 && c[128 + 2] == 0);
	CHECK(c[192 + 2] == 0xffe0 && c[192 + 4] == 0 && c[192 + 22] == c[18]);
	CHECK(!f.reports);
	end();
}

/* ---- checks ---- */

static void test_checks(void)
{
	begin("t860", FAKE_LPAE);
	rd(&f, 0x2ffc);
	CHECK(found("no such register"));
	wr(&f, 0x0, 1);
	CHECK(found("read only"));
	rd(&f, 0x30);
	CHECK(found("written only"));
	wr(&f, JS(0, 0x40), 0x2000001);
	CHECK(found("reserved bits 0x1"));
	wr(&f, JS(0, 0x58), 1U << 31);
	CHECK(found("reserved bits"));
	wr(&f, 0x30, 99);
	CHECK(found("no such command"));
	wr(&f, AS(1, 0x18), FLUSH_PT);
	CHECK(found("flush without LOCK"));
	wr(&f, AS(1, 0x10), 3);
	wr(&f, AS(1, 0x18), LOCK);
	CHECK(found("at least 32 KiB"));
	wr(&f, AS(1, 0x18), UPDATE);
	CHECK(found("UPDATE while locked"));
	wr(&f, AS(1, 0x18), UNLOCK);
	wr(&f, 0x1e0, 1);
	wr(&f, AS(1, 0x18), UPDATE);
	CHECK(found("a command while the L2 cache has no power"));
	power_up();
	put_job(0, 1, true);
	start_in(0, 5, 0);
	CHECK(found("address space 5, which is off"));
	fake_work(&f);
	rd(&f, JS(0, 0x24));
	take_irq();
	wr(&f, AS(1, 0x08), 1);
	start(0);
	CHECK(found("await UPDATE"));
	wr(&f, AS(1, 0x18), UPDATE);
	start(0);
	start(0);
	CHECK(found("has a next job already"));
	fake_work(&f);
	wr(&f, 0x1004, 1);
	CHECK(found("that have not been read"));
	put_job(0, 100, true);
	start(0);
	fake_work(&f);
	take_irq();
	start(0);
	CHECK(found("STATUS has not been read"));
	fake_work(&f);
	rd(&f, JS(0, 0x24));
	take_irq();
	wr(&f, JS(0, 0x58), 0x83001);
	wr(&f, JS(0, 0x60), 1);
	CHECK(found("not invalidated at the job's start"));
	fake_work(&f);
	rd(&f, JS(0, 0x24));
	take_irq();
	wr(&f, JS(0, 0x58), 0x82301);
	wr(&f, JS(0, 0x60), 1);
	CHECK(found("keeps what the job writes"));
	wr(&f, 0x1c0, 1);
	CHECK(found("power is taken"));
	fake_work(&f);
	start(1);
	CHECK(found("without power"));
	fake_work(&f);
	CHECK(rd(&f, JS(1, 0x24)) == 8);
	wr(&f, 0x30, 4);
	CHECK(found("counters are off"));
	wr(&f, 0x54, 1);
	CHECK(found("locked"));
	end();
}

static void test_failures(void)
{
	begin("g72", FAKE_LPAE);
	CHECK(vs_model_inject(f.model, "stuck-as", 1));
	wr(&f, AS(2, 0x18), UPDATE);
	CHECK(rd(&f, AS(2, 0x28)) == 1 && !f.reports);
	wr(&f, AS(2, 0x18), UPDATE);
	CHECK(found("busy"));
	CHECK(vs_model_inject(f.model, "lost-irq", 1));
	put_job(0, 1, true);
	start(0);
	fake_work(&f);
	CHECK(!vs_model_lines(f.model) && take_irq() == 1);
	CHECK(vs_model_inject(f.model, "spurious-irq", 1));
	fake_work(&f);
	CHECK(vs_model_lines(f.model) == 1 && !rd(&f, 0x100c) && !vs_model_lines(f.model));
	CHECK(vs_model_inject(f.model, "gpu-fault", 1));
	fake_work(&f);
	CHECK(rd(&f, 0x20) & 1 && rd(&f, 0x3c) == 0x88 && vs_model_lines(f.model) == 4);
	CHECK(!f.reports);
	end();
}

/* ---- random accesses ---- */

static u64 seed = 1;

static u32 rnd(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)((seed >> 33) % n);
}

static void random_on_wait(struct fake *fk)
{
	if (fk->waits % 4 == 0)
		wr(fk, 0x30, 1);
	else
		wr(fk, AS(rnd(8), 0x18), rnd(8));
}

static u32 random_value(void)
{
	switch (rnd(5)) {
	case 0:
		return (u32)FAKE_PA + (rnd(64) << 12) + rnd(8);
	case 1:
		return rnd(16);
	case 2:
		return (u32)CODE_VA + rnd(64) * 64;
	case 3:
		return 0;
	default:
		return rnd(~0U);
	}
}

/* ---- several CPUs ---- */

#define LATE_VA		0x40000000ULL	/* its table is read after the heap's */
#define MANY_WAITS	20

/*
 * The driver on another CPU: at call number @at of the model it does one of the things below, once.
 */
static struct {
	enum { ADD_PAGE, ADD_PAGE_EARLY, SPACE_OFF, FLUSH_ONLY, NUM_ACTS } act;
	u32 at, calls;
	bool busy;
} other;

/* As panfrost: status, page, flush, and the interrupt is cleared at the end or at the begin. */
static void handle_fault(bool early)
{
	u32 raw = rd(&f, 0x2000);

	if (raw)
		rd(&f, AS(1, 0x1c));
	if (early)
		wr(&f, 0x2004, raw);
	fake_map(&f, HEAP_VA, heap_pa, true);
	as_command(1, FLUSH_MEM);
	if (!early)
		wr(&f, 0x2004, raw);
}

static void race_on_call(struct fake *fk)
{
	if (other.busy || other.calls++ != other.at)
		return;
	other.busy = true;
	if (other.act == SPACE_OFF)
		space_off(1);
	else if (other.act == FLUSH_ONLY)
		as_command(1, FLUSH_MEM);
	else
		handle_fault(other.act == ADD_PAGE_EARLY);
	other.busy = false;
}

/*
 * The handler of a reported fault. Nothing is left to do if the other CPU was first: panfrost does
 * not flush again then. An event that the model misses makes the job wait for ever.
 */
static void race_on_wait(struct fake *fk)
{
	u32 raw = rd(fk, 0x2000);
	bool done = other.calls > other.at;

	if (raw && other.act == FLUSH_ONLY) {
		/* another client gets the address space and clears its interrupt unread */
		space_off(1);
		wr(fk, 0x2004, raw);
	} else if (raw && done) {
		rd(fk, AS(1, 0x1c));
		wr(fk, 0x2004, raw);
	} else if (raw) {
		handle_fault(false);
	}
	if (fk->waits == MANY_WAITS)
		wr(fk, JS(1, 0x20), 3);
}

/* Return: the model has called often enough for the driver's turn to come. */
static bool race(u32 act, u32 at)
{
	u32 raw;

	begin("g52", FAKE_LPAE);
	heap_pa = fake_page(&f);
	fake_map(&f, LATE_VA, data_pa, true);
	as_command(1, FLUSH_PT);
	f.on_wait = race_on_wait;
	f.on_call = race_on_call;
	other.act = act;
	other.at = at;
	other.calls = 0;
	put_write(0, HEAP_VA, 0x33333333, true);
	start(1);
	fake_work(&f);
	f.on_call = NULL;
	raw = take_irq();
	tap_result(f.waits < MANY_WAITS && !f.reports && (act >= SPACE_OFF ? raw : raw == 2),
		   "act %u at call %u: interrupts 0x%x, %u waits, %u findings %s", act, at, raw,
		   f.waits, f.reports, f.text);
	end();
	return other.calls > at;
}

static void test_races(void)
{
	u32 act, at;

	for (act = 0; act < NUM_ACTS; act++) {
		for (at = 0; race(act, at); at++)
			;
	}
}

/* ---- clients that come and go ---- */

#define LIVES		200
#define LIVES_SEEDS	100

/* Whether the space is on and its client lives; calls of the model until the driver resets it. */
static struct {
	bool on, alive, busy;
	u32 calls;
} life;

static void life_begin(void)
{
	if (!life.alive) {
		code_pa = fake_page(&f);
		data_pa = fake_page(&f);
		jobs = fake_mem(&f, code_pa);
		data = fake_mem(&f, data_pa);
		fake_map(&f, CODE_VA, code_pa, true);
		fake_map(&f, DATA_VA, data_pa, true);
		if (life.on)
			as_command(1, FLUSH_PT);
	}
	life.alive = true;
	if (!life.on)
		space_on(1);
	life.on = true;
}

/* The pages are freed. */
static void life_end(void)
{
	if (!life.alive)
		return;
	fake_map(&f, CODE_VA, 0, false);
	fake_map(&f, DATA_VA, 0, false);
	if (life.on)
		as_command(1, FLUSH_PT);
	fake_drop(&f, code_pa);
	fake_drop(&f, data_pa);
	life.alive = false;
}

static void life_reset(void)
{
	wr(&f, 0x30, 1);
	power_up();
	life.on = false;
	life_end();
}

static void life_on_call(struct fake *fk)
{
	if (!life.busy && life.calls && !--life.calls)
		life_reset();
}

/* A fault, or a chain that hangs. */
static void life_on_wait(struct fake *fk)
{
	u32 raw = rd(fk, 0x2000), n;

	life.busy = true;
	if (raw) {
		rd(fk, AS(1, 0x1c));
		wr(fk, 0x2004, raw);
		space_off(1);
		life.on = false;
	} else if (rnd(2)) {
		life_reset();
	} else {
		for (n = 0; n < 3; n++)
			wr(fk, JS(n, 0x20), 3);
	}
	life.busy = false;
}

static void life_job(void)
{
	u32 n;

	put_write(0, rnd(4) ? DATA_VA : HEAP_VA, 5, true);
	if (!rnd(3))
		vs_model_inject(f.model, "bus-error", 1);
	if (!rnd(6))
		vs_model_inject(f.model, "hang", 1);
	life.calls = rnd(3) ? 0 : 1 + rnd(14);
	start(rnd(3));
	f.on_call = life_on_call;
	fake_work(&f);
	f.on_call = NULL;
	for (n = 0; n < 3; n++)
		rd(&f, JS(n, 0x24));
	take_irq();
}

/* Clients, jobs, failures and resets by seed: nothing is written to a page that was freed. */
static void test_lives(void)
{
	u32 i, k, good = 0, lives = 0;

	for (i = 0; i < LIVES_SEEDS; i++) {
		begin(i & 1 ? "t860" : "g52", FAKE_LPAE);
		f.on_wait = life_on_wait;
		memset(&life, 0, sizeof(life));
		for (k = 0; k < LIVES && f.used < FAKE_PAGES - 8; k++) {
			lives += !life.alive;
			life_begin();
			life_job();
			if (!rnd(3))
				life_end();
			else if (!rnd(4))
				life_reset();
		}
		good += fake_kept(&f) && !f.reports;
		if (f.reports)
			tap_comment("%u: %s", i, f.text);
		end();
	}
	tap_result(good == LIVES_SEEDS, "%u of %u seeds, %u clients", good, LIVES_SEEDS, lives);
}

static void test_random(u32 rounds)
{
	static const u32 bases[] = { 0, 0x100, 0x1000, 0x1800, 0x1840, 0x1880, 0x2000, 0x2400,
				     0x2440 };
	u32 i, k;

	begin(rnd(2) ? "t860" : "g52", FAKE_LPAE);
	f.on_wait = random_on_wait;
	for (i = 0; i < rounds; i++) {
		for (k = 0; k < 16; k++)
			put_write(k, rnd(2) ? DATA_VA : HEAP_VA, rnd(~0U), rnd(4) == 0);
		for (k = 0; k < 8; k++)
			wr(&f, bases[rnd(ARRAY_SIZE(bases))] + rnd(32) * 4, random_value());
		wr(&f, 0x1a0, 1);
		wr(&f, 0x180, 1);
		if (rnd(2))
			space_on(1);
		start_in(rnd(3), rnd(3), 0);
		fake_work(&f);
		rd(&f, bases[rnd(ARRAY_SIZE(bases))] + rnd(32) * 4);
		wr(&f, 0x1004, rd(&f, 0x1000));
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
	test_reset();
	test_features();
	test_midgard();
	test_chain("g71", FAKE_LPAE);
	test_chain("g52", FAKE_LPAE);
	test_chain("g52", FAKE_AARCH64);
	test_next();
	test_stop();
	test_reset_while_running();
	test_restart();
	test_faults("g31", FAKE_LPAE);
	test_faults("g71", FAKE_AARCH64);
	test_stop_fault();
	test_stale();
	test_freed();
	test_tables();
	test_counters("g52");
	test_counters("t860");
	test_checks();
	test_failures();
	test_races();
	test_lives();
	test_random(rounds);
	return tap_done();
}
