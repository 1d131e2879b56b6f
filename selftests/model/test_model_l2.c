// SPDX-License-Identifier: GPL-2.0
/*
 * Register model of Mali GPUs with "write-back": what jobs write is in the L2 cache until it is
 * cleaned, and what the processor has written is not seen until it is invalidated.
 */
#include "mali_driver.h"

#define INVALIDATE	(3 << 8)	/* CONFIG: at the start */
#define CLEAN		BIT(8)
#define END		BIT(12)
#define OTHERS		0x80000

static void begin_l2(const char *gpu, enum fake_format format)
{
	begin(gpu, format);
	CHECK(vs_model_inject(f.model, "write-back", 1));
}

/* Execute the chain. Return: the interrupt. Findings of @flags are expected. */
static u32 run(u32 flags)
{
	u32 before = f.reports;

	wr(&f, JS(1, 0x40), (u32)CODE_VA);
	wr(&f, JS(1, 0x44), 0);
	wr(&f, JS(1, 0x50), 1);
	wr(&f, JS(1, 0x54), 0);
	wr(&f, JS(1, 0x58), OTHERS | 1 | flags);
	wr(&f, JS(1, 0x60), 1);
	if (f.reports == before + ((flags & INVALIDATE) != INVALIDATE) + !(flags & END))
		f.reports = before;
	fake_work(&f);
	rd(&f, JS(1, 0x24));
	return take_irq();
}

static u32 run_write(u32 value, u32 flags)
{
	put_write(0, DATA_VA, value, true);
	return run(flags);
}

/* What cleans the cache. */
enum cleaner { COMMAND, COMMAND_INVALIDATE, PAGES, MEMORY, NEXT_JOB, CLEANERS };

static void clean(enum cleaner how)
{
	switch (how) {
	case COMMAND:
	case COMMAND_INVALIDATE:
		wr(&f, 0x30, how == COMMAND ? 7 : 8);
		fake_work(&f);
		CHECK(rd(&f, 0x20) == 0x20600 || rd(&f, 0x20) == 0x20000);
		wr(&f, 0x24, 0x20000);
		break;
	case PAGES:
	case MEMORY:
		as_command(2, how == PAGES ? FLUSH_PT : FLUSH_MEM);
		break;
	default:
		put_job(1, 1, true);
		wr(&f, JS(1, 0x40), (u32)CODE_VA + 64);
		wr(&f, JS(1, 0x60), 1);
		fake_work(&f);
		take_irq();
	}
}

static void test_dirty(const char *gpu, enum fake_format format)
{
	enum cleaner how;

	for (how = 0; how < CLEANERS; how++) {
		begin_l2(gpu, format);
		CHECK(run_write(0x11111111, INVALIDATE | END) == 2);
		CHECK(data[0] == 0x11111111 && jobs[0] == 1);
		/* neither the data nor the job's status, as the driver has forgotten the end */
		CHECK(run_write(0x22222222, INVALIDATE) == 2);
		CHECK(data[0] == 0x11111111 && jobs[0] == 0);
		/* the processor writes beside them meanwhile */
		data[1] = 0x33333333;
		wr(&f, JS(1, 0x58), OTHERS | 1 | INVALIDATE | END);
		clean(how);
		CHECK(data[0] == 0x22222222 && data[1] == 0x33333333 && jobs[0] == 1);
		CHECK(!f.reports);
		end();
	}
}

/* Jobs that do not invalidate the cache are the old ones. */
static void test_old(void)
{
	begin_l2("g52", FAKE_LPAE);
	CHECK(run_write(1, INVALIDATE | END) == 2 && data[0] == 1);
	CHECK(run_write(2, END) == 2 && data[0] == 1);
	CHECK(run_write(2, CLEAN | END) == 2 && data[0] == 1);
	CHECK(run_write(2, INVALIDATE | END) == 2 && data[0] == 2);
	put_write(0, DATA_VA, 3, true);
	clean(COMMAND_INVALIDATE);
	CHECK(run(END) == 2 && data[0] == 3);
	/* off: at once */
	CHECK(vs_model_inject(f.model, "write-back", 0));
	CHECK(run_write(4, 0) == 2 && data[0] == 4 && jobs[0] == 1);
	CHECK(!f.reports);
	end();
}

/* One page at two addresses is one page in the cache. */
static void test_alias(void)
{
	begin_l2("g72", FAKE_AARCH64);
	fake_map(&f, HEAP_VA, data_pa, true);
	as_command(1, FLUSH_PT);
	put_write(0, DATA_VA, 7, false);
	put_job(1, 1, true);
	jobs[6] = (u32)HEAP_VA + 64;
	/* the header of job 1 is in the data, and job 0 writes its type there */
	memcpy(data + 16, jobs + 16, 64);
	put_write(0, DATA_VA + 64 + 16, 1 | 1 << 1, false);
	jobs[6] = (u32)HEAP_VA + 64;
	data[16 + 4] = 1 | 99 << 1;
	CHECK(run(INVALIDATE | END) == 2 && data[16] == 1 && !f.reports);
	end();
}

static void test_lost(void)
{
	begin_l2("t860", FAKE_LPAE);
	put_write(0, DATA_VA, 0, true);
	jobs[10] = 3;
	data[0] = 5;
	CHECK(run(INVALIDATE) == 2 && data[0] == 5);
	/* a reset loses them, as a driver expects */
	wr(&f, 0x30, 1);
	rd(&f, 0x20);
	wr(&f, 0x24, 0x100);
	wr(&f, 0x1008, 0x70007);
	power_up();
	space_on(1);
	CHECK(data[0] == 5 && !f.reports);
	wr(&f, 0x30, 7);
	CHECK(data[0] == 5);
	CHECK(run(INVALIDATE) == 2 && data[0] == 5);
	/* so does power, which is a mistake */
	wr(&f, 0x1c0, 1);
	CHECK(!f.reports);
	wr(&f, 0x1e0, 1);
	CHECK(found("loses power with dirty lines"));
	power_up();
	wr(&f, 0x30, 7);
	CHECK(data[0] == 5);
	CHECK(run(INVALIDATE | END) == 2 && !data[0]);
	wr(&f, 0x1e0, 1);
	CHECK(!f.reports);
	end();
}

/* A page that is freed is not written. */
static void test_freed(void)
{
	begin_l2("g52", FAKE_LPAE);
	CHECK(run_write(5, INVALIDATE) == 2);
	fake_map(&f, DATA_VA, 0, false);
	fake_drop(&f, data_pa);
	as_command(1, FLUSH_PT);
	CHECK(found("freed with dirty lines") && fake_kept(&f));
	as_command(1, FLUSH_PT);
	CHECK(!f.reports);
	end();
}

static void test_counters(void)
{
	begin_l2("g52", FAKE_LPAE);
	wr(&f, 0x6c, ~0U);
	wr(&f, 0x60, (u32)DATA_VA);
	wr(&f, 0x64, 0);
	wr(&f, 0x68, 1 << 4 | 1);
	put_job(0, 1, true);
	CHECK(run(INVALIDATE | END) == 2);
	wr(&f, 0x30, 4);
	fake_work(&f);
	CHECK(!data[2] && !data[16]);
	wr(&f, 0x30, 7);
	fake_work(&f);
	CHECK(data[2] == ~0U && data[16] == 1 && !f.reports);
	end();
}

/* Pages that no space has are given back. */
static void test_pages(void)
{
	u64 pa;
	u32 i;

	begin_l2("g52", FAKE_LPAE);
	for (i = 0; i < 70; i++) {
		pa = fake_page(&f);
		fake_map(&f, HEAP_VA + i * FAKE_PAGE, pa, true);
		if (!i)
			fake_map(&f, HEAP_VA + 0x100000, 0, true);
	}
	as_command(1, FLUSH_PT);
	put_write(0, HEAP_VA, 5, true);
	CHECK(run(INVALIDATE | END) == 2 && !f.page_frees);
	for (i = 0; i < 70; i++)
		fake_map(&f, HEAP_VA + i * FAKE_PAGE, 0, false);
	as_command(1, FLUSH_PT);
	for (i = 0; i < 3; i++)
		CHECK(run_write(i, INVALIDATE | END) == 2 && data[0] == i);
	CHECK(f.page_frees == 70);
	/* none are left: an access is a bus error */
	fake_map(&f, HEAP_VA, fake_page(&f), true);
	as_command(1, FLUSH_PT);
	f.no_pages = true;
	CHECK(run_write(9, INVALIDATE | END) == 2 && data[0] == 9);
	CHECK(!f.reports);
	end();
	CHECK(f.page_frees >= 72);
}

static void test_refused(void)
{
	CHECK(fake_new(&f, "mali400"));
	CHECK(!vs_model_inject(f.model, "write-back", 1));
	fake_free(&f);
}

int main(void)
{
	test_dirty("g52", FAKE_LPAE);
	test_dirty("g72", FAKE_AARCH64);
	test_old();
	test_alias();
	test_lost();
	test_freed();
	test_counters();
	test_pages();
	test_refused();
	return tap_done();
}
