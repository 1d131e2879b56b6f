// SPDX-License-Identifier: GPL-2.0
/*
 * Register model of Mali GPUs: faults of accesses that entries of page tables forbid, of both
 * formats, with access and level; what the driver gives makes the job go on. Modes that are not
 * modelled.
 */
#include "mali_driver.h"

#define RW	BIT_ULL(7)	/* LPAE: writable; AArch64: read-only */
#define READ	BIT_ULL(6)
#define AF	BIT_ULL(10)
#define XN	BIT_ULL(54)
#define INDEX_3	(3 << 2)	/* of the attributes */

/* What the driver sees, and does: the entry gets other bits, or the space goes off. */
static struct {
	u32 status, irqs;
	u64 va, *entry, flip;
	bool allow;
} seen;

/* The page that job 0 writes. The fake host maps no pages side by side that are not. */
#define MORE_VA		(DATA_VA + 2 * FAKE_PAGE)

static u32 *more;

static void begin_more(const char *gpu, enum fake_format format)
{
	u64 pa;

	begin(gpu, format);
	pa = fake_page(&f);
	more = fake_mem(&f, pa);
	fake_map(&f, MORE_VA, pa, true);
}

static void rights_on_wait(struct fake *fk)
{
	u32 raw = rd(fk, 0x2000);

	seen.irqs = raw;
	seen.status = rd(fk, AS(1, 0x1c));
	seen.va = (u64)rd(fk, AS(1, 0x24)) << 32 | rd(fk, AS(1, 0x20));
	wr(fk, 0x2004, raw);
	if (!seen.allow) {
		space_off(1);
		return;
	}
	*seen.entry ^= seen.flip;
	/* job 0 is not executed once more */
	more[0] = 0x77777777;
	as_command(1, FLUSH_PT);
}

/* A program that ends at once, in job @n, followed by none. */
static void put_program(u32 n, u64 code, bool midgard)
{
	const u64 state = CODE_VA + 0x800;
	u32 *j = jobs + n * 16;

	memset(j, 0, 128);
	put_job(n, 4, true);
	memset(j + 16, 0, 64);
	j[16] = 3 | 1 << 24;
	j[30] = (u32)state;
	j[31] = state >> 32;
	memset(jobs + 512, 0, 64);
	jobs[512] = (u32)code | (midgard ? 8 : 0);
	jobs[513] = code >> 32;
}

enum access { EXECUTES = 1, READS, WRITES };

/* Job 0 writes, job 1 accesses the data: a store, the header of the next job, or a program. */
static void put_access(enum access access, u64 to, bool midgard)
{
	static const u32 program[2][4] = {
		{ 0x00000049, 0x80cb1844, 0x00076593 }, { 0x00800018, 0x047b0018, 0x00001801 },
	};

	memset(data, 0, FAKE_PAGE);
	more[0] = ~0U;
	put_write(0, MORE_VA, 0, false);
	jobs[10] = 3;
	memcpy(data, program[midgard], sizeof(program[0]));
	if (access == EXECUTES) {
		put_program(1, to, midgard);
	} else if (access == WRITES) {
		put_write(1, to, 0, true);
		jobs[16 + 10] = 3;
	} else {
		put_job(1, 1, false);
		jobs[16 + 6] = (u32)to;
		jobs[16 + 7] = to >> 32;
		memset(data, 0, 64);
		data[4] = 1 | 1 << 1;
	}
}

/* The data's entry differs by @flip; the driver gives up, or gives the right. */
static void right(const char *gpu, enum fake_format format, enum access access, u64 flip,
		  u32 status)
{
	static const u32 ends[] = { 0, 0x50, 0x42, 0x43 };
	bool midgard = *gpu == 't';
	u32 raw;

	for (seen.allow = false;; seen.allow = true) {
		begin_more(gpu, format);
		f.on_wait = rights_on_wait;
		seen.entry = fake_entry(&f, DATA_VA, false);
		seen.flip = flip;
		*seen.entry ^= flip;
		wr(&f, AS(1, 0x08), 0xc0000000);
		space_on(1);
		put_access(access, DATA_VA, midgard);
		start(1);
		fake_work(&f);
		raw = take_irq();
		tap_result(seen.status == (status | access << 8) && seen.irqs == 2 &&
			   seen.va == DATA_VA && f.waits == 1 && !f.reports,
			   "%s, entry ^ 0x%llx: status 0x%x at 0x%llx, %u waits, %u findings %s",
			   gpu, (unsigned long long)flip, seen.status, (unsigned long long)seen.va,
			   f.waits, f.reports, f.text);
		if (seen.allow)
			break;
		CHECK(raw == 0x20000 && rd(&f, JS(1, 0x24)) == ends[access]);
		CHECK(jobs[0] == 1 && !more[0] && (access != WRITES || data[0]));
		end();
	}
	CHECK(raw == 2 && jobs[0] == 1 && jobs[16] == 1 && more[0] == 0x77777777);
	CHECK(access == EXECUTES || data[0] == (access == READS));
	end();
}

static void test_rights(void)
{
	right("g31", FAKE_LPAE, WRITES, RW, 0xcb);
	right("t860", FAKE_LPAE, WRITES, RW, 0xcb);
	right("g52", FAKE_LPAE, READS, READ, 0xcb);
	right("g52", FAKE_LPAE, EXECUTES, XN, 0xcb);
	right("t760", FAKE_LPAE, EXECUTES, XN, 0xcb);
	right("g71", FAKE_AARCH64, WRITES, RW, 0xcb);
	right("g71", FAKE_AARCH64, EXECUTES, XN, 0xcb);
	right("g72", FAKE_AARCH64, READS, AF, 0xdb);
	right("g72", FAKE_AARCH64, WRITES, INDEX_3, 0xeb);
	right("g52", FAKE_LPAE, READS, BIT_ULL(40), 0xe7);
	right("g72", FAKE_AARCH64, READS, BIT_ULL(47), 0xe7);
}

/* No fault: the access flag is not checked, nor are attributes and flag of LPAE. */
static void no_fault(const char *gpu, enum fake_format format, u64 flip, u32 config)
{
	begin(gpu, format);
	*fake_entry(&f, DATA_VA, false) ^= flip;
	wr(&f, AS(1, 0x08), 0xc0000000);
	wr(&f, AS(1, 0x34), config);
	space_on(1);
	put_write(0, DATA_VA, 5, true);
	start(1);
	fake_work(&f);
	CHECK(take_irq() == 2 && data[0] == 5 && !f.reports);
	end();
}

static bool failed(void)
{
	return rd(&f, JS(1, 0x24)) > 0x3f && take_irq() == 0x20000;
}

/* Levels, ends of the address space, and tables that are not in memory. */
static void test_levels(const char *gpu, enum fake_format format)
{
	const bool aarch64 = format == FAKE_AARCH64;
	const u64 wide = 1ULL << 48;
	u32 raw;

	seen.allow = false;
	begin_more(gpu, format);
	f.on_wait = rights_on_wait;
	/* a block that can only be read, of a page that is not in memory */
	*fake_entry(&f, HEAP_VA, true) = FAKE_PA | 1 | READ | AF | (aarch64 ? RW : 0);
	put_access(WRITES, HEAP_VA + 0x1000, false);
	start(1);
	fake_work(&f);
	CHECK(failed() && seen.status == 0x3ca && seen.va == HEAP_VA + 0x1000);
	/* more bits than addresses have */
	space_on(1);
	put_access(READS, DATA_VA + wide, false);
	start(1);
	fake_work(&f);
	CHECK(failed() && seen.status == (aarch64 ? 0x2e0 : 0x2c0));
	CHECK(seen.va == DATA_VA + wide && seen.irqs == 2);
	/* fewer bits: the first of three levels */
	if (aarch64) {
		space_on(1);
		wr(&f, AS(1, 0x30), 6 | 25 << 6);
		wr(&f, AS(1, 0x18), UPDATE);
		put_access(WRITES, 1 << 30, false);
		start(1);
		fake_work(&f);
		CHECK(failed());
	}
	/* the table of the last level */
	space_on(1);
	*fake_entry(&f, HEAP_VA, true) = 0x1000 | 3;
	put_access(WRITES, HEAP_VA, false);
	start(1);
	fake_work(&f);
	raw = take_irq();
	tap_result(raw == 0x20000 && seen.status == 0x3d3 && seen.irqs == 0x20000 && !f.reports,
		   "interrupts 0x%x, MMU 0x%x, status 0x%x at 0x%llx, %u findings %s", raw,
		   seen.irqs, seen.status, (unsigned long long)seen.va, f.reports, f.text);
	end();
}

static void test_modes(void)
{
	begin("g52", FAKE_AARCH64);
	wr(&f, AS(2, 0x30), 8);
	wr(&f, AS(2, 0x18), UPDATE);
	CHECK(found("mode 8 of TRANSCFG is not modelled"));
	wr(&f, AS(2, 0x30), 6 | 7 << 6);
	wr(&f, AS(2, 0x34), 1 << 3);
	wr(&f, AS(2, 0x18), UPDATE);
	CHECK(found("bits 0x800000000 of TRANSCFG are not modelled"));
	wr(&f, AS(2, 0x34), 0);
	wr(&f, AS(2, 0x30), 1);
	wr(&f, AS(2, 0x18), UPDATE);
	CHECK(!f.reports);
	wr(&f, AS(2, 0x30), 0);
	wr(&f, AS(2, 0x00), 2);
	wr(&f, AS(2, 0x18), UPDATE);
	CHECK(found("mode 2 of TRANSTAB is not modelled"));
	/* unmapped, whatever the tables are */
	wr(&f, AS(1, 0x00), (u32)f.root | 3);
	wr(&f, AS(1, 0x30), 1);
	wr(&f, AS(1, 0x18), UPDATE);
	put_write(0, DATA_VA, 5, true);
	start(0);
	CHECK(found("address space 1, which is off"));
	fake_work(&f);
	CHECK(take_irq() == 0x10000 && !data[0]);
	end();
}

int main(void)
{
	test_rights();
	no_fault("g52", FAKE_LPAE, AF, 0);
	no_fault("g52", FAKE_LPAE, INDEX_3, 0);
	no_fault("g52", FAKE_AARCH64, AF, 1 << 2);
	test_levels("g52", FAKE_LPAE);
	test_levels("g72", FAKE_AARCH64);
	test_modes();
	return tap_done();
}
