// SPDX-License-Identifier: GPL-2.0
/*
 * Job chains as native jobs: order, outcomes in headers, values that are written, jobs that
 * change later ones, faults, limits; then captures with random changes, which must end,
 * independently of the contents of uncleared memory.
 *
 * usage: test_mali_job [--corpus DIR] [--seed N] [--rounds N]
 */
#include <unistd.h>

#include "engine/vs_clock.h"
#include "../include/tap.h"
#include "capture.h"
#include "image.h"
#include "run.h"

#define CHECK(cond)	tap_result(cond, "%s", #cond)
#define BUDGET		(1ULL << 24)
#define AT_DATA		0xf000

static struct vs_fault fault;

static int run_image(struct image *im, u64 budget)
{
	return run_chain(&im->map, IMAGE_VA, MALI_G52, 0, vs_simd_best(), budget, &fault);
}

/* Job at @at that writes @value to AT_DATA + @to. */
static void put_write(struct image *im, u32 at, u32 type, u32 to, u64 value)
{
	image_w64(im, at + 32, IMAGE_VA + AT_DATA + to);
	image_w32(im, at + 40, type);
	image_w64(im, at + 48, value);
}

static u32 status(const struct image *im, u32 at)
{
	return image_r32(im, at + MALI_OFF_STATUS);
}

/* ---- simple jobs ---- */

static void test_values(void)
{
	static const struct {
		u32 type;
		u64 value;
		u64 result;
	} v[] = {
		{ MALI_WRITE_ZERO, 5, 0xffffffff00000000 },
		{ MALI_WRITE_IMM8, 0x1122334455667788, 0xffffffffffffff88 },
		{ MALI_WRITE_IMM16, 0x1122334455667788, 0xffffffffffff7788 },
		{ MALI_WRITE_IMM32, 0x1122334455667788, 0xffffffff55667788 },
		{ MALI_WRITE_IMM64, 0x1122334455667788, 0x1122334455667788 },
		{ MALI_WRITE_CYCLES, 0, 1 },
		{ MALI_WRITE_TIMESTAMP, 0, 1 },
	};
	struct image im;
	u64 got;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++) {
		image_new(&im, MALI_V7);
		image_job(&im, 0, MALI_JOB_WRITE_VALUE, 0, 0, 0, 0);
		put_write(&im, 0, v[i].type, 16, v[i].value);
		image_w64(&im, AT_DATA + 16, ~0ULL);
		image_w64(&im, AT_DATA + 24, ~0ULL);
		CHECK(!run_image(&im, BUDGET) && !fault.kind && status(&im, 0) == 1);
		memcpy(&got, im.bytes + AT_DATA + 16, 8);
		CHECK(got == v[i].result && image_r32(&im, AT_DATA + 24) == ~0U);
		image_free(&im);
	}
}

/* With a clock, both values are the time, which grows along the chain. */
static void test_clock(void)
{
	u64 before, first, second;
	struct image im;

	image_new(&im, MALI_V7);
	image_job(&im, 0x000, MALI_JOB_WRITE_VALUE, 0, 0, 0, 0x100);
	image_job(&im, 0x100, MALI_JOB_WRITE_VALUE, 0, 0, 0, 0);
	put_write(&im, 0x000, MALI_WRITE_TIMESTAMP, 0, 0);
	put_write(&im, 0x100, MALI_WRITE_CYCLES, 8, 0);
	before = vs_now_ns();
	CHECK(!run_chain(&im.map, IMAGE_VA, MALI_G52, MALI_SW_CLOCK, vs_simd_best(), BUDGET,
			 &fault) && !fault.kind);
	memcpy(&first, im.bytes + AT_DATA, 8);
	memcpy(&second, im.bytes + AT_DATA + 8, 8);
	CHECK(before <= first && first <= second && second <= vs_now_ns());
	image_free(&im);
}

/* The first of the chain depends on the second, the third is a barrier. */
static void test_order(void)
{
	struct image im;

	image_new(&im, MALI_V7);
	image_job(&im, 0x000, MALI_JOB_WRITE_VALUE, 1, 2, 0, 0x100);
	image_job(&im, 0x100, MALI_JOB_WRITE_VALUE, 2, 0, 0, 0x200);
	image_job(&im, 0x200, MALI_JOB_NULL, 3, 1, 2, 0x300);
	image_job(&im, 0x300, MALI_JOB_CACHE_FLUSH, 4, 3, 0, 0);
	put_write(&im, 0x000, MALI_WRITE_IMM32, 0, 1);
	put_write(&im, 0x100, MALI_WRITE_IMM32, 0, 2);
	CHECK(!run_image(&im, BUDGET) && !fault.kind);
	CHECK(image_r32(&im, AT_DATA) == 1);
	CHECK(status(&im, 0) == 1 && status(&im, 0x100) == 1 && status(&im, 0x200) == 1 &&
	      status(&im, 0x300) == 1);
	image_free(&im);
}

/* Reject reasons, and the status in the job's header. */
static void test_rejects(void)
{
	struct image im;
	u32 i;

	image_new(&im, MALI_V7);
	image_job(&im, 0x000, MALI_JOB_NULL, 0, 0, 0, 0x100);
	image_job(&im, 0x100, MALI_JOB_NULL, 0, 0, 0, 0x100);
	CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_COMMAND &&
	      fault.code == MALI_LOOP && status(&im, 0) == 1 &&
	      status(&im, 0x100) == MALI_STATUS_JOB_CONFIG_FAULT);
	image_job(&im, 0x100, MALI_JOB_NULL, 5, 6, 0, 0x200);
	image_job(&im, 0x200, MALI_JOB_NULL, 6, 5, 0, 0);
	CHECK(!run_image(&im, BUDGET) && fault.code == MALI_DEADLOCK && fault.draw == 1 &&
	      status(&im, 0x100) == MALI_STATUS_JOB_CONFIG_FAULT && !status(&im, 0x200));
	image_job(&im, 0x200, MALI_JOB_NULL, 6, 7, 0, 0);
	CHECK(!run_image(&im, BUDGET) && fault.code == MALI_NO_SUCH_INDEX && fault.draw == 2 &&
	      status(&im, 0x200) == MALI_STATUS_JOB_CONFIG_FAULT);
	image_job(&im, 0x200, 11, 6, 0, 0, 0);
	CHECK(!run_image(&im, BUDGET) && fault.code == MALI_JOB_TYPE &&
	      fault.address == IMAGE_VA + 0x210 && fault.draw == 2 &&
	      status(&im, 0x200) == MALI_STATUS_JOB_CONFIG_FAULT);
	image_w64(&im, 0x100 + 24, 0xdead000);
	CHECK(!run_image(&im, BUDGET) && fault.code == MALI_UNMAPPED &&
	      fault.address == 0xdead000 && fault.draw == 2 && status(&im, 0) == 1);
	image_free(&im);

	for (i = MALI_JOB_GEOMETRY; i <= MALI_JOB_FUSED; i++) {
		if (i == MALI_JOB_TILER)
			continue;
		image_new(&im, MALI_V7);
		image_job(&im, 0x000, MALI_JOB_NULL, 0, 0, 0, 0x100);
		image_job(&im, 0x100, i, 0, 0, 0, 0x200);
		image_job(&im, 0x200, MALI_JOB_NULL, 0, 0, 0, 0);
		CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_COMMAND &&
		      fault.code == MALI_JOB_UNSUPPORTED && fault.draw == 1 &&
		      fault.info == i);
		CHECK(status(&im, 0) == 1 && !status(&im, 0x200) &&
		      status(&im, 0x100) == MALI_STATUS_JOB_CONFIG_FAULT);
		image_free(&im);
	}
	CHECK(!strcmp(vs_native_reason_text(VS_NATIVE_BIFROST_CHAIN, MALI_JOB_UNSUPPORTED),
		      "unsupported job type"));
	CHECK(strlen(vs_native_reason_text(VS_NATIVE_BIFROST_CHAIN, MALI_RUN_BAD_BLEND)) > 4);
}

/* Jobs without indices, so that only their number ends them. */
static void test_long(void)
{
	u32 n = MALI_MAX_JOBS, i, size = (n + 1) * 64;
	u8 *p = calloc(1, size);
	struct vs_extent ext = { 0x100000, 0x100000 + size, p, VS_EXT_WRITE };
	struct vs_map map = { 1, &ext };
	u32 flags = 1 | MALI_JOB_NULL << 1, done = 0;
	u64 next;

	for (i = 0; i <= n; i++) {
		next = i < n ? ext.lo + (i + 1) * 64 : 0;
		memcpy(p + i * 64 + 16, &flags, 4);
		memcpy(p + i * 64 + 24, &next, 8);
	}
	CHECK(!run_chain(&map, ext.lo, MALI_G52, 0, vs_simd_best(), BUDGET, &fault) &&
	      fault.code == MALI_LIMIT_JOBS && p[0] == MALI_STATUS_DONE &&
	      p[n * 64] == MALI_STATUS_OUT_OF_MEMORY);
	next = 0;
	memcpy(p + (n - 1) * 64 + 24, &next, 8);
	CHECK(!run_chain(&map, ext.lo, MALI_G52, 0, vs_simd_best(), BUDGET, &fault) && !fault.kind);
	for (i = 0; i < n; i++)
		done += p[i * 64] == MALI_STATUS_DONE;
	CHECK(done == n);
	CHECK(!run_chain(&map, ext.lo, MALI_G52, 0, vs_simd_best(), 10000, &fault) &&
	      fault.kind == VS_FAULT_BUDGET);
	free(p);
}

/*
 * Jobs that write a counter, each after two earlier ones, so that the result depends on the
 * order; the first waits for the last.
 */
static void test_many(u32 n)
{
	u32 size = 64 * (n + 1), i, word, done = 0;
	u8 *p = calloc(1, size);
	struct vs_extent ext = { 0x100000, 0x100000 + size, p, VS_EXT_WRITE };
	struct vs_map map = { 1, &ext };
	u64 wide;

	for (i = 0; i < n; i++) {
		u8 *job = p + 64 * (i + 1);

		word = 1 | MALI_JOB_WRITE_VALUE << 1 | (i + 1) << 16;
		memcpy(job + 16, &word, 4);
		word = i ? i | (i > 1 ? i - 1 : 0) << 16 : n;
		memcpy(job + 20, i == 1 ? &(u32){ 0 } : &word, 4);
		wide = i + 1 < n ? ext.lo + 64 * (i + 2) : 0;
		memcpy(job + 24, &wide, 8);
		wide = ext.lo;
		memcpy(job + 32, &wide, 8);
		word = MALI_WRITE_IMM32;
		memcpy(job + 40, &word, 4);
		word = i + 1;
		memcpy(job + 48, &word, 4);
	}
	/* the third waits for the first, which waits for the last: a circle */
	CHECK(!run_chain(&map, ext.lo + 64, MALI_G52, 0, vs_simd_best(), BUDGET, &fault) &&
	      fault.code == MALI_DEADLOCK && !fault.draw);
	word = 2;
	memcpy(p + 64 * 3 + 20, &word, 4);
	CHECK(!run_chain(&map, ext.lo + 64, MALI_G52, 0, vs_simd_best(), BUDGET, &fault) &&
	      !fault.kind);
	for (i = 1; i <= n; i++)
		done += p[64 * i] == MALI_STATUS_DONE;
	memcpy(&word, p, 4);
	tap_result(done == n && word == 1, "%u jobs: %u done, %u was the last", n, done, word);
	free(p);
}

/* A job's type, next pointer and size are written by the job before it. */
static void test_patched_header(void)
{
	struct image im;

	image_new(&im, MALI_V7);
	image_job(&im, 0x000, MALI_JOB_WRITE_VALUE, 1, 0, 0, 0x100);
	image_job(&im, 0x100, 0, 2, 1, 0, 0);
	put_write(&im, 0x000, MALI_WRITE_IMM8, 0, 0);
	image_w64(&im, 0x000 + 32, IMAGE_VA + 0x110);
	image_w64(&im, 0x000 + 48, 1 | MALI_JOB_WRITE_VALUE << 1);
	put_write(&im, 0x100, MALI_WRITE_IMM32, 0, 0x1234);
	CHECK(!run_image(&im, BUDGET) && !fault.kind && image_r32(&im, AT_DATA) == 0x1234 &&
	      status(&im, 0) == 1 && status(&im, 0x100) == 1);
	/* not patched: the jobs before it have run */
	image_job(&im, 0x100, 0, 2, 1, 0, 0);
	image_w32(&im, 0x100, 0);
	image_w64(&im, 0x000 + 32, IMAGE_VA + AT_DATA);
	CHECK(!run_image(&im, BUDGET) && fault.code == MALI_JOB_TYPE && fault.draw == 1 &&
	      status(&im, 0) == 1 && status(&im, 0x100) == MALI_STATUS_JOB_CONFIG_FAULT);
	/* a chain that its first job extends */
	image_w64(&im, 0x100 + 24, 0xdead000);
	image_job(&im, 0x100, MALI_JOB_NULL, 2, 1, 0, 0);
	image_w64(&im, 0x000 + 32, IMAGE_VA + 0x118);
	image_w32(&im, 0x000 + 40, MALI_WRITE_IMM64);
	image_w64(&im, 0x000 + 48, IMAGE_VA + 0x200);
	image_job(&im, 0x200, MALI_JOB_WRITE_VALUE, 3, 2, 0, 0);
	put_write(&im, 0x200, MALI_WRITE_IMM32, 4, 0x5678);
	CHECK(!run_image(&im, BUDGET) && !fault.kind && image_r32(&im, AT_DATA + 4) == 0x5678 &&
	      status(&im, 0x200) == 1);
	image_free(&im);
}

/* Outcomes that cannot be written. */
static void test_read_only(void)
{
	struct image im;

	image_new(&im, MALI_V7);
	image_job(&im, 0, MALI_JOB_NULL, 0, 0, 0, 0);
	im.ext.flags = 0;
	CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_WRITE &&
	      fault.address == IMAGE_VA && !status(&im, 0));
	im.ext.flags = VS_EXT_WRITE;
	image_job(&im, 0, MALI_JOB_WRITE_VALUE, 0, 0, 0, 0);
	put_write(&im, 0, MALI_WRITE_IMM64, 0x1000 - 4, 0);
	CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_WRITE &&
	      fault.address == IMAGE_VA + IMAGE_SIZE - 4 &&
	      status(&im, 0) == MALI_STATUS_JOB_WRITE_FAULT);
	image_free(&im);
}

static void test_arguments(void)
{
	struct vs_native_state *state = vs_native_state_new(VS_NATIVE_BIFROST_CHAIN);
	struct vs_native_in in = { .format = VS_NATIVE_BIFROST_CHAIN, .va = IMAGE_VA,
				   .model = MALI_G52, .max_memory = 1 << 24 };
	struct vs_native *n = NULL;
	struct image im;
	u32 word = 0;

	image_new(&im, MALI_V7);
	in.map = &im.map;
	/* its arena is not the queued job's */
	CHECK(!vs_native_parse(&in, state, &n, &fault) && vs_native_memory(n) < 1 << 16);
	vs_native_free(n);
	in.nwords = 1;
	in.words = &word;
	CHECK(vs_native_parse(&in, state, &n, &fault) == -EINVAL);
	in.nwords = 0;
	in.model = MALI_NUM_GPUS;
	CHECK(vs_native_parse(&in, state, &n, &fault) == -EINVAL);
	in.model = MALI_G52;
	in.va = 0;
	CHECK(vs_native_parse(&in, state, &n, &fault) == -EINVAL);
	in.va = IMAGE_VA;
	in.switches = MALI_SW_CHAIN + 1;
	CHECK(vs_native_parse(&in, state, &n, &fault) == -EINVAL);
	in.switches = 0;
	in.memory = MALI_JOB_MIN_MEMORY - 1;
	CHECK(vs_native_parse(&in, state, &n, &fault) == -EINVAL);
	in.memory = in.max_memory + 1;
	CHECK(vs_native_parse(&in, state, &n, &fault) == -E2BIG);
	in.memory = 0;
	fail_after = 0;
	CHECK(vs_native_parse(&in, state, &n, &fault) == -ENOMEM);
	fail_after = -1;
	CHECK(vs_native_in_memory(VS_NATIVE_BIFROST_CHAIN) &&
	      vs_native_isa(VS_NATIVE_BIFROST_CHAIN) == VS_ISA_BIFROST);
	vs_native_state_free(state);
	image_free(&im);
}

/* ---- descriptors and programs ---- */

/* A compute job whose program is @words at AT_CODE, without resources. */
static void put_program(struct image *im, const u32 *words, u32 n)
{
	u32 d = 64, i;

	image_job(im, 0, MALI_JOB_COMPUTE, 1, 0, 0, 0);
	/* one thread */
	image_w32(im, 32, 0);
	image_w32(im, 36, 0);
	image_w32(im, d, 3 | 1 << 24);
	image_w64(im, d + 56, IMAGE_VA + AT_STATE);
	image_w64(im, AT_STATE, IMAGE_VA + AT_CODE);
	for (i = 0; i < n; i++)
		image_w32(im, AT_CODE + 4 * i, words[i]);
}

/* A clause of one tuple, both operations idle, that ends the program. */
static const u32 end[] = { 0x00000049, 0x80cb1844, 0x00076593, 0x00000000 };

static void test_programs(void)
{
	struct image im;
	u32 zero[4] = {};

	image_new(&im, MALI_V7);
	put_program(&im, zero, 4);
	CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_ENCODING && !fault.pc &&
	      status(&im, 0) == MALI_STATUS_INSTR_INVALID_ENC);
	image_w64(&im, AT_STATE, 0xbad0000);
	CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_FETCH &&
	      fault.address == 0xbad0000 && status(&im, 0) == MALI_STATUS_INSTR_INVALID_PC);
	/* in memory that is for data only */
	put_program(&im, end, 4);
	im.ext.flags = VS_EXT_WRITE;
	CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_FETCH &&
	      fault.address == IMAGE_VA + AT_CODE &&
	      status(&im, 0) == MALI_STATUS_INSTR_INVALID_PC);
	im.ext.flags |= VS_EXT_EXEC;
	CHECK(!run_image(&im, BUDGET) && !fault.kind && status(&im, 0) == MALI_STATUS_DONE);
	/* at the end of memory: the program runs into unmapped memory */
	image_w64(&im, AT_STATE, IMAGE_VA + IMAGE_SIZE - 16);
	memcpy(im.bytes + IMAGE_SIZE - 16, end, 16);
	CHECK(!run_image(&im, BUDGET) && !fault.kind && status(&im, 0) == MALI_STATUS_DONE);
	im.bytes[IMAGE_SIZE - 16 + 11] = 0xc0;	/* a clause follows */
	CHECK(!run_image(&im, BUDGET) && fault.kind == VS_FAULT_FETCH);
	/* too many threads in a workgroup */
	put_program(&im, zero, 4);
	image_w32(&im, 32, 2047);
	image_w32(&im, 36, 11 | 11 << 5 | 11 << 10 | 11 << 16 | 11 << 22);
	CHECK(!run_image(&im, BUDGET) && fault.kind);
	image_free(&im);
}

/* Unused descriptors are read, too: the budget bounds that work. */
static void test_reading(void)
{
	struct image im;

	image_new(&im, MALI_V7);
	put_program(&im, end, 4);
	CHECK(!run_image(&im, 3000) && !fault.kind);
	/* samplers that are not bound */
	image_w64(&im, 64 + 40, IMAGE_VA + 0x4000);
	image_w32(&im, AT_STATE + 8, 1000);
	CHECK(!run_image(&im, 3000) && fault.kind == VS_FAULT_BUDGET &&
	      status(&im, 0) == MALI_STATUS_TERMINATED);
	CHECK(!run_image(&im, BUDGET) && !fault.kind);
	image_free(&im);
}

/* ---- captures ---- */

static bool load(const char *corpus, const char *name, struct capture *c)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/capture/bifrost-g52/%s.submit00", corpus, name);
	return capture_load(path, c);
}

static int run_capture(struct capture *c, u64 budget)
{
	return run_chain(&c->map, c->jc, MALI_G52, 0, vs_simd_best(), budget, &fault);
}

static u32 *word(struct capture *c, u64 va)
{
	return vs_map_ptr(&c->map, va, 4, 0);
}

/* Faults of programs in the header; the budget. */
static void test_shader_faults(const char *dir)
{
	struct capture c;
	u64 state, ubos, last, sys;
	u32 i, n;

	if (!load(dir, "c_int", &c)) {
		tap_result(false, "c_int loads");
		return;
	}
	CHECK(!run_capture(&c, 300) && fault.kind == VS_FAULT_BUDGET &&
	      *word(&c, c.jc) == MALI_STATUS_TERMINATED);
	CHECK(!run_capture(&c, BUDGET) && !fault.kind && *word(&c, c.jc) == 1);
	/* addresses of storage buffers are in the last uniform buffer, and pushed */
	state = *(u64 *)vs_map_ptr(&c.map, c.jc + 64 + 56, 8, 0);
	ubos = *(u64 *)vs_map_ptr(&c.map, c.jc + 64 + 24, 8, 0);
	n = *word(&c, state + 16) & 0xff;
	last = n ? *(u64 *)vs_map_ptr(&c.map, ubos + 8 * (n - 1), 8, 0) >> 12 << 4 : 0;
	sys = *(u64 *)vs_map_ptr(&c.map, c.jc + 64 + 48, 8, 0);
	for (i = 0; i < (*word(&c, state + 48) >> 15 & 127) * 2; i++)
		if (*word(&c, sys + 4 * i) > 0xf0000000)
			*word(&c, sys + 4 * i) = 0x1000;
	for (i = 0; last && i < 16; i++)
		if (word(&c, last + 4 * i) && *word(&c, last + 4 * i) > 0xf0000000)
			*word(&c, last + 4 * i) = 0x1000;
	CHECK(!run_capture(&c, BUDGET) &&
	      (fault.kind == VS_FAULT_READ || fault.kind == VS_FAULT_WRITE) &&
	      fault.address < 0x10000 && fault.pc != ~0U);
	CHECK(*word(&c, c.jc) == (fault.kind == VS_FAULT_READ ? MALI_STATUS_JOB_READ_FAULT :
				  MALI_STATUS_JOB_WRITE_FAULT) &&
	      *word(&c, c.jc + MALI_OFF_FAULT) == (u32)fault.address);
	capture_free(&c);
}

/*
 * An earlier job writes the workgroup count of a later one, or turns it into a null job,
 * as indirect dispatches do.
 */
static void test_indirect(const char *dir)
{
	static u64 bytes[32];
	struct vs_extent ext[MAX_BOS + 1];
	struct vs_map map;
	struct capture c;
	u32 groups, i;
	u64 before;

	if (!load(dir, "c_ids", &c)) {
		tap_skip("not among what is kept", "indirect dispatch");
		return;
	}
	groups = *word(&c, c.jc + 32);
	memset(bytes, 0, sizeof(bytes));
	memcpy(ext + 1, c.map.ext, c.map.n * sizeof(*ext));
	ext[0] = (struct vs_extent){ 0x10000, 0x10000 + sizeof(bytes), (u8 *)bytes,
				     VS_EXT_WRITE };
	map = (struct vs_map){ c.map.n + 1, ext };
	/* the dispatch in memory has one workgroup; the value is unchanged */
	*word(&c, c.jc + 32) &= 0xff;
	bytes[2] = 1 | MALI_JOB_WRITE_VALUE << 1;
	bytes[3] = c.jc;
	bytes[4] = c.jc + 32;
	bytes[5] = MALI_WRITE_IMM32;
	bytes[6] = groups;
	before = *word(&c, c.jc + 16);
	i = run_chain(&map, 0x10000, MALI_G52, 0, vs_simd_best(), BUDGET, &fault);
	CHECK(!i && !fault.kind && *word(&c, c.jc + 32) == groups && bytes[0] == 1 &&
	      *word(&c, c.jc) == 1);
	bytes[4] = c.jc + 16;
	bytes[6] = (before & ~0xfeULL) | MALI_JOB_NULL << 1;
	*word(&c, c.jc) = 0;
	*word(&c, c.jc + 64 + 56) = 0;	/* its descriptors are not read */
	i = run_chain(&map, 0x10000, MALI_G52, 0, vs_simd_best(), BUDGET, &fault);
	CHECK(!i && !fault.kind && *word(&c, c.jc) == 1);
	capture_free(&c);
}

/**
 * struct asked - Memory that is found when it is accessed.
 * @p:		pager
 * @c:		where it is
 * @missed:	number of addresses that are nowhere
 * @va:		the last of them
 */
struct asked {
	struct vs_pager p;
	const struct capture *c;
	u32 missed;
	u64 va;
};

static const struct vs_extent *find_asked(struct vs_pager *p, u64 va, u32 need)
{
	struct asked *a = container_of(p, struct asked, p);
	const struct vs_extent *e = vs_map_find(&a->c->map, va);

	if (e)
		return e;
	a->missed++;
	a->va = va;
	return NULL;
}

/*
 * An indirect dispatch whose memory is found on demand. Page faults are events: only addresses that
 * the program accesses may cause one.
 */
static void test_on_demand(const char *dir)
{
	struct asked a = { .p.fault = find_asked };
	struct vs_map map = { .pager = &a.p };
	struct capture c;
	char path[600];
	u32 i, bad = 0;

	snprintf(path, sizeof(path), "%s/mesa26/compute_indirect", dir);
	if (!tap_result(capture_load(path, &c), "compute_indirect loads"))
		return;
	a.c = &c;
	CHECK(!run_chain(&map, c.jc, MALI_G52, 0, vs_simd_best(), BUDGET, &fault) && !fault.kind);
	for (i = 0; i < 48; i++)
		bad += *word(&c, 0xa021000 + 4 * i) != 3000 + i;
	tap_result(!bad && !a.missed, "memory on demand: %u words wrong, %u addresses missed", bad,
		   a.missed);
	if (a.missed)
		tap_comment("0x%llx", (unsigned long long)a.va);
	capture_free(&c);
}

/* ---- random changes ---- */

static u64 rng;

static u32 rnd(void)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return rng >> 33;
}

struct snapshot {
	u8 *bytes[MAX_BOS];
};

/* Larger buffers are the tiler heap, which chains without tiler jobs do not touch. */
#define SMALL	(1 << 20)

static void save(const struct capture *c, struct snapshot *s)
{
	u32 i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < c->map.n; i++) {
		u64 size = c->ext[i].hi - c->ext[i].lo;

		if (size > SMALL)
			continue;
		s->bytes[i] = malloc(size);
		memcpy(s->bytes[i], c->ext[i].kva, size);
	}
}

static void restore(const struct capture *c, const struct snapshot *s)
{
	u32 i;

	for (i = 0; i < c->map.n; i++)
		if (s->bytes[i])
			memcpy(c->ext[i].kva, s->bytes[i], c->ext[i].hi - c->ext[i].lo);
}

static void drop(const struct capture *c, struct snapshot *s)
{
	u32 i;

	for (i = 0; i < c->map.n; i++)
		free(s->bytes[i]);
}

/* A word that is not zero, of memory that the capture filled. */
static u32 *victim(const struct capture *c, const struct snapshot *s)
{
	u32 tries, i, n, *w;

	for (tries = 0; tries < 4000; tries++) {
		i = rnd() % c->map.n;
		if (!s->bytes[i])
			continue;
		n = (c->ext[i].hi - c->ext[i].lo) / 4;
		w = (u32 *)c->ext[i].kva + rnd() % min_t(u32, n, rnd() % 4 ? 512 : n);
		if (*w || !(rnd() % 64))
			return w;
	}
	return NULL;
}

static void mutate(const struct capture *c, const struct snapshot *s)
{
	u32 n = 1 + rnd() % 3, *w;

	while (n--) {
		w = victim(c, s);
		if (!w)
			return;
		switch (rnd() % 4) {
		case 0:
			*w ^= 1U << rnd() % 32;
			break;
		case 1:
			*w = rnd();
			break;
		case 2:
			*w += (rnd() % 33) - 16;
			break;
		default:
			((u8 *)w)[rnd() % 4] = rnd();
			break;
		}
	}
}

static bool is_outcome(const struct capture *c, const struct snapshot *outcome)
{
	u32 i;

	for (i = 0; i < c->map.n; i++)
		if (outcome->bytes[i] && memcmp(outcome->bytes[i], c->ext[i].kva,
						c->ext[i].hi - c->ext[i].lo))
			return false;
	return true;
}

/*
 * Repeat from @changed, with garbage in the arena, and with the contents left by other
 * jobs.
 */
static bool happens_again(const struct capture *c, const struct snapshot *changed, u32 gpu,
			  u32 switches, enum vs_simd simd)
{
	static struct vs_worker *used;
	struct vs_fault first = fault;
	struct snapshot outcome;
	bool same = true;
	u32 i;

	save(c, &outcome);
	for (i = 0; i < 2; i++) {
		if (!used)
			used = vs_worker_new(RUN_MEMORY);
		run_worker = i ? used : vs_worker_new(RUN_MEMORY);
		if (!i)
			memset(vs_worker_arena(run_worker), 0xd3, RUN_MEMORY);
		restore(c, changed);
		same = same && !run_chain(&c->map, c->jc, gpu, switches, simd, 300000, &fault) &&
		       !memcmp(&first, &fault, sizeof(first)) && is_outcome(c, &outcome);
		if (!i)
			vs_worker_free(run_worker);
		run_worker = NULL;
	}
	drop(c, &outcome);
	return same;
}

static void fuzz(const char *dir, const char *name, u32 rounds)
{
	u32 i, kinds[VS_FAULT_HAZARD + 1] = {}, errors = 0, differ = 0, gpu, switches;
	struct snapshot s, changed;
	struct capture c;
	enum vs_simd simd;

	if (!load(dir, name, &c)) {
		tap_result(false, "%s loads", name);
		return;
	}
	save(&c, &s);
	for (i = 0; i < rounds; i++) {
		mutate(&c, &s);
		save(&c, &changed);
		gpu = rnd() % (MALI_G52 + 1);
		switches = rnd() % 2;
		simd = rnd() % 4 ? vs_simd_best() : VS_SIMD_PORTABLE;
		errors += run_chain(&c.map, c.jc, gpu, switches, simd, 300000, &fault) != 0;
		differ += !happens_again(&c, &changed, gpu, switches, simd);
		drop(&c, &changed);
		kinds[min_t(u32, fault.kind, VS_FAULT_HAZARD)]++;
		restore(&c, &s);
	}
	tap_result(!errors,
		   "%s, %u changes: %u done, %u read, %u write, %u fetch, %u code, %u budget, %u command, %u memory",
		   name, rounds, kinds[0], kinds[VS_FAULT_READ], kinds[VS_FAULT_WRITE],
		   kinds[VS_FAULT_FETCH], kinds[VS_FAULT_ENCODING], kinds[VS_FAULT_BUDGET],
		   kinds[VS_FAULT_COMMAND], kinds[VS_FAULT_OVERFLOW]);
	tap_result(!differ, "%s: the same with other rubbish in memory, %u differ", name, differ);
	drop(&c, &s);
	capture_free(&c);
}

int main(int argc, char **argv)
{
	static const char *const kept[] = { "c_int", "c_image", "c_reduce", "c_atomic", "v_int" };
	static const char *const others[] = { "c_texfetch", "c_ubo", "v_points" };
	const char *corpus = NULL, *data = getenv("BIFROST_DATA");
	u32 rounds = 150, i;
	char dir[512];
	int k;

	rng = 1;
	for (k = 1; k + 1 < argc; k += 2) {
		if (!strcmp(argv[k], "--corpus"))
			corpus = argv[k + 1];
		else if (!strcmp(argv[k], "--seed"))
			rng = strtoull(argv[k + 1], NULL, 0);
		else if (!strcmp(argv[k], "--rounds"))
			rounds = strtoul(argv[k + 1], NULL, 0);
	}
	alarm(600);	/* nothing may hang */
	tap_start();
	test_values();
	test_clock();
	test_order();
	test_rejects();
	test_long();
	test_many(20000);
	test_many(MALI_MAX_JOBS);
	test_patched_header();
	test_read_only();
	test_arguments();
	test_programs();
	test_reading();
	if (data && *data) {
		test_shader_faults(data);
		test_on_demand(data);
		for (i = 0; i < ARRAY_SIZE(kept); i++)
			fuzz(data, kept[i], rounds);
	} else {
		tap_skip("no data given", "changed captures that are kept here");
	}
	if (corpus) {
		snprintf(dir, sizeof(dir), "%s/mali", corpus);
		test_indirect(dir);
		for (i = 0; i < ARRAY_SIZE(others); i++)
			fuzz(dir, others[i], rounds);
	} else {
		tap_skip("no corpus given", "changed captures of the corpus");
	}
	return tap_done();
}
