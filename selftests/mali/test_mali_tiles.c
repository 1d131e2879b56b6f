// SPDX-License-Identifier: GPL-2.0
/*
 * Frames drawn by several workers: pictures, counters, order of programs that write memory, and
 * faults are those of one worker.
 */
#include "../include/tap.h"
#include "../midgard/mcode.h"
#include "frame.h"
#include "native/mali/mali_prim.h"

#define ROUNDS		8
#define TRIANGLES	160
#define MAIN		0x7800	/* programs, after the enable map */
#define BLEND		0x7c00
#define TICKET		0x580	/* number of fragments that have run */
#define PUSH		0x5c0
#define AADD		0x40
#define BRANCH_WRITE	7
#define OP_MOV		0x7b

static u8 *before, *after;
static u64 seed;

static u32 rnd(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 40) % n;
}

/* Triangles of any size all over the frame. */
static void scene(u32 samples)
{
	u32 i;

	seed = 1;
	frame.size = 256;
	frame_new(samples);
	for (i = 0; i < 3 * TRIANGLES; i += 3) {
		u32 x = rnd(256), y = rnd(256), k;

		for (k = 0; k < 3; k++) {
			float dx = (float)rnd(120) - 60, dy = (float)rnd(120) - 60;

			frame_vertex(i + k, (float)x + dx, (float)y + dy, (float)rnd(1000) / 1000);
		}
	}
	frame_primitive(8, 0, 3 * TRIANGLES);
}

/* Memory before the FRAGMENT job. Return: what one worker makes of it is in @after. */
static bool draw_alone(void)
{
	bool ok;

	run_threads = 1;
	ok = !frame_run(FRAME_TILER_JOB) && !frame.fault.kind;
	memcpy(before, frame.mem, FRAME_MEM_SIZE);
	ok = ok && !frame_run(FRAME_FRAGMENT_JOB);
	memcpy(after, frame.mem, FRAME_MEM_SIZE);
	return ok;
}

static bool draw_again(u32 threads)
{
	memcpy(frame.mem, before, FRAME_MEM_SIZE);
	run_threads = threads;
	return !frame_run(FRAME_FRAGMENT_JOB);
}

/* The picture of any number of workers is that of one. */
static void same_picture(const char *what)
{
	bool ok = draw_alone() && !frame.fault.kind;
	u32 i, threads, bad = 0;

	for (threads = 2; threads <= 6; threads += 2)
		for (i = 0; i < ROUNDS; i++)
			bad += !draw_again(threads) || frame.fault.kind ||
			       memcmp(frame.mem, after, FRAME_MEM_SIZE);
	tap_result(ok && !bad, "%s: %s, 2 to 6 workers: %u of %u runs differ", frame_arch_name(),
		   what, bad, 3 * ROUNDS);
}

static void same_fault(const char *what)
{
	struct vs_fault want;
	u32 i, threads, bad = 0;
	bool ok = draw_alone();

	want = frame.fault;
	for (threads = 2; threads <= 6; threads += 2)
		for (i = 0; i < ROUNDS; i++)
			bad += !draw_again(threads) ||
			       memcmp(&frame.fault, &want, sizeof(want)) ||
			       frame_r32(FRAME_FRAGMENT_JOB) == MALI_STATUS_DONE;
	tap_result(ok && want.kind && !bad, "%s: %s, 2 to 6 workers: %u of %u runs differ",
		   frame_arch_name(), what, bad, 3 * ROUNDS);
}

/* First part of a tile's list. */
static u64 bin_at(u32 tile)
{
	u64 list = frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128, bins;

	memcpy(&bins, frame.mem + list + offsetof(struct vr_lists, bins), 8);
	return bins - FRAME_MEM_VA + tile * sizeof(struct vr_bin);
}

static void test_pictures(void)
{
	scene(1);
	same_picture("a sample a pixel");
	frame_w32(FRAME_COUNTER, 0);
	tap_result(frame_r32(FRAME_COUNTER) == 0 && draw_alone() && frame_r32(FRAME_COUNTER) > 1000,
		   "%s: samples are counted", frame_arch_name());
	scene(4);
	same_picture("four samples");
}

/* Lists of two tiles cannot be read: the first one's fault is reported. */
static void test_faults(void)
{
	scene(1);
	run_threads = 1;
	frame_run(FRAME_TILER_JOB);
	frame_w64((u32)bin_at(13), 0x900000000ULL);
	frame_w64((u32)bin_at(6), 0x910000000ULL);
	/* the lists are not made again */
	frame_job(FRAME_TILER_JOB, MALI_JOB_NULL);
	same_fault("bad lists");
	tap_result(frame.fault.address == 0x910000000ULL, "%s: fault of the first tile",
		   frame_arch_name());
	/* no memory for the picture's second half */
	scene(4);
	frame_w64(FRAME_FB + 128 + 16, FRAME_MEM_VA + FRAME_MEM_SIZE - 0x20000);
	same_fault("picture beyond memory");
}

/* A bundle that writes r0 to the tile buffer. */
static void write_tile(struct mcode *c)
{
	struct mc_alu a = { .has_extended = true };

	mc_unit(&a, MC_SADD, mc_regs_imm(24, 0, 1), mc_sca(OP_MOV, 0, mc_simm(0), 2, true, 4));
	a.extended = mc_extended(BRANCH_WRITE, 8, 0, -1, 0xffff);
	mc_alu(c, &a);
}

static u64 put(struct mcode *c, u32 at)
{
	memcpy(frame.mem + at, c->w, 4 * c->n);
	return (FRAME_MEM_VA + at) | c->first_tag;
}

/*
 * v5: each fragment takes a number, which becomes its colour, by way of a blend program that
 * writes bits as they are.
 */
static void ticket_programs(void)
{
	static struct mcode c;
	u32 target = FRAME_FB + 192;
	struct mc_alu a = { };

	mc_start(&c);
	mc_move(&a, MC_VMUL, 22, MC_AL0);
	mc_move(&a, MC_VLUT, 23, MC_AL1);
	mc_alu(&c, &a);
	mc_ldst(&c, MC_LS(.op = AADD, .reg = 0, .mask = 15, .swizzle = 0, .arg_reg = 1,
			  .toggle = true, .index_reg = 7, .index_comp = 2), MC_NOP_LS);
	write_tile(&c);
	frame_w64(FRAME_STATE, put(&c, MAIN));
	/* work registers, vectors of uniforms, side effects */
	frame_w32(FRAME_STATE + 16, 8 << 16 | 2 << 21 | 1 << 13);
	mc_start(&c);
	write_tile(&c);
	frame_w64(FRAME_STATE + 64, 0x202);
	frame_w64(FRAME_STATE + 72, put(&c, BLEND));
	frame_w64(frame_draw_at() + 48, FRAME_MEM_VA + PUSH);
	frame_w64(PUSH, FRAME_MEM_VA + TICKET);
	frame_w32(PUSH + 16, 1);
	frame_w32(target, 34U << 26);
	frame_w32(target + 4, 1 | 3 << 3 | 2 << 10 | 1U << 31);
	frame_w64(target + 32, FRAME_MEM_VA + FRAME_COLOUR);
	frame_w32(target + 40, frame.size * 4);
}

static void test_order(void)
{
	if (!frame.v5)
		return;
	scene(1);
	ticket_programs();
	same_picture("programs with atomics");
	tap_result(frame_r32(TICKET) > 20000, "v5: %u fragments have run", frame_r32(TICKET));
}

int main(void)
{
	u32 i;

	frame_begin();
	before = malloc(FRAME_MEM_SIZE);
	after = malloc(FRAME_MEM_SIZE);
	for (i = 0; i < 2; i++) {
		frame.v5 = i;
		test_pictures();
		test_faults();
		test_order();
	}
	free(before);
	free(after);
	frame_end();
	return tap_done();
}
