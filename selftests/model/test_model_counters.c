// SPDX-License-Identifier: GPL-2.0
/*
 * Register model of Mali GPUs: performance counters of frames, whose numbers of jobs, tasks and
 * primitives are known.
 */
#include "mali_driver.h"
#include "../mali/frame.h"

/* Blocks of a sample. */
enum { JM, TILER, L2, CORE };

static u32 word(u32 block, u32 n)
{
	return data[block * 64 + n];
}

static void run(u32 slot, u32 job)
{
	wr(&f, JS(slot, 0x40), (u32)FRAME_MEM_VA + job);
	wr(&f, JS(slot, 0x44), 0);
	wr(&f, JS(slot, 0x50), 1);
	wr(&f, JS(slot, 0x54), 0);
	wr(&f, JS(slot, 0x58), 0x83301);
	wr(&f, JS(slot, 0x60), 1);
	fake_work(&f);
	CHECK(take_irq() == 1U << slot);
}

static void sample(void)
{
	memset(data, 0, FAKE_PAGE);
	wr(&f, 0x30, 4);
	fake_work(&f);
	wr(&f, 0x30, 7);
	fake_work(&f);
}

/* Points, lines and triangles. */
static bool are(u32 points, u32 lines, u32 triangles)
{
	bool yes = frame.v5 ? word(TILER, 7) == points && word(TILER, 8) == lines &&
			      word(TILER, 4) == triangles :
			      word(TILER, 8) == points && word(TILER, 7) == lines &&
			      word(TILER, 6) == triangles;

	if (!yes)
		tap_comment("%u %u %u %u %u", word(TILER, 4), word(TILER, 5), word(TILER, 6),
			    word(TILER, 7), word(TILER, 8));
	return yes;
}

static void begin_frame(const char *gpu)
{
	u32 i;

	frame.v5 = *gpu == 't';
	frame.v6 = !strcmp(gpu, "g71");
	frame_begin();
	begin(gpu, FAKE_LPAE);
	f.more = frame.mem;
	f.more_pages = FRAME_MEM_SIZE / FAKE_PAGE;
	for (i = 0; i < f.more_pages; i++)
		fake_map(&f, FRAME_MEM_VA + i * FAKE_PAGE, FAKE_MORE_PA + i * FAKE_PAGE, true);
	as_command(1, FLUSH_PT);
	for (i = 0; i < 4; i++)
		wr(&f, i == 3 ? 0x7c : 0x6c + 4 * i, ~0U);
	wr(&f, 0x60, (u32)DATA_VA);
	wr(&f, 0x64, 0);
	wr(&f, 0x68, 1 << 4 | 1);
	wr(&f, 0x30, 3);
}

static void test_frame(const char *gpu)
{
	u32 i;

	begin_frame(gpu);
	/* a triangle in a frame of 96 x 96 pixels */
	frame_new(1);
	run(1, FRAME_TILER_JOB);
	run(0, FRAME_FRAGMENT_JOB);
	sample();
	CHECK(word(JM, 8) == 1 && word(JM, 16) == 1 && word(JM, 24) == 0);
	CHECK(word(JM, 9) == 9 && !word(JM, 17) && are(0, 0, 1));
	CHECK(word(CORE, 20) == (frame.v5 ? 9 : 0));
	/* a strip with instances; a fan with a restart, before culling */
	frame_new(1);
	for (i = 0; i < 8; i++)
		frame_vertex(i, i, i % 2, 0);
	frame_primitive(10, 0, 5);
	frame_instances(3, 5);
	run(1, FRAME_TILER_JOB);
	sample();
	CHECK(word(JM, 16) == 2 && are(0, 0, 1 + 9));
	/* a loop of lines, and points */
	frame_new(1);
	frame_primitive(6, 0, 4);
	run(1, FRAME_TILER_JOB);
	frame_new(1);
	frame_primitive(1, 0, 7);
	run(1, FRAME_TILER_JOB);
	sample();
	CHECK(word(JM, 16) == 4 && are(7, 4, 10));
	/* cleared; blocks that are off are 0 */
	wr(&f, 0x30, 3);
	wr(&f, 0x74, 0);
	frame_new(1);
	run(1, FRAME_TILER_JOB);
	sample();
	CHECK(word(JM, 16) == 1 && !word(JM, 9) && are(0, 0, 0) && word(TILER, 2) == 0);
	CHECK(!f.reports);
	end();
	frame_end();
}

/* Jobs of a chain that are done: the one that fails is none. */
static void test_jobs(void)
{
	begin_frame("g52");
	put_write(0, DATA_VA, 1, false);
	put_write(1, DATA_VA, 2, false);
	put_job(2, 100, true);
	start(1);
	fake_work(&f);
	rd(&f, JS(1, 0x24));
	CHECK(take_irq() == 0x20000);
	sample();
	CHECK(word(JM, 16) == 2 && !f.reports);
	end();
	frame_end();
}

int main(void)
{
	test_frame("g52");
	test_frame("g71");
	test_frame("t860");
	test_frame("t760");
	test_jobs();
	return tap_done();
}
