// SPDX-License-Identifier: GPL-2.0
/* Panfrost: each ioctl with each of its errors, addresses, and failing allocations. */
#include "panfrost_ko.h"

/* ---- parameters ---- */

static void ioctl_params(int fd)
{
	/* as kernel/model has the registers */
	static const struct {
		uint32_t param;
		uint64_t value;
	} right[] = {
		{ DRM_PANFROST_PARAM_SHADER_PRESENT, 1 }, { DRM_PANFROST_PARAM_TILER_PRESENT, 1 },
		{ DRM_PANFROST_PARAM_L2_PRESENT, 1 }, { DRM_PANFROST_PARAM_STACK_PRESENT, 0 },
		{ DRM_PANFROST_PARAM_AS_PRESENT, 0xff }, { DRM_PANFROST_PARAM_JS_PRESENT, 7 },
		{ DRM_PANFROST_PARAM_L2_FEATURES, 0x07120206 },
		{ DRM_PANFROST_PARAM_CORE_FEATURES, 0 },
		{ DRM_PANFROST_PARAM_TILER_FEATURES, 0x809 },
		{ DRM_PANFROST_PARAM_MEM_FEATURES, 1 },
		{ DRM_PANFROST_PARAM_MMU_FEATURES, 0x2830 },
		{ DRM_PANFROST_PARAM_THREAD_FEATURES, 0x0a040400 },
		{ DRM_PANFROST_PARAM_MAX_THREADS, 256 },
		{ DRM_PANFROST_PARAM_THREAD_MAX_WORKGROUP_SZ, 256 },
		{ DRM_PANFROST_PARAM_THREAD_MAX_BARRIER_SZ, 256 },
		{ DRM_PANFROST_PARAM_COHERENCY_FEATURES, 0 },
		{ DRM_PANFROST_PARAM_TEXTURE_FEATURES0, 0x000e001e },
		{ DRM_PANFROST_PARAM_JS_FEATURES0, 0x20e },
		{ DRM_PANFROST_PARAM_JS_FEATURES1, 0x4be },
		{ DRM_PANFROST_PARAM_JS_FEATURES2, 0x7e },
		{ DRM_PANFROST_PARAM_JS_FEATURES3, 0 },
		{ DRM_PANFROST_PARAM_NR_CORE_GROUPS, 1 },
		{ DRM_PANFROST_PARAM_THREAD_TLS_ALLOC, 0 },
	};
	struct drm_panfrost_get_param g = {};
	uint32_t i, good = 0, n = sizeof(right) / sizeof(right[0]);

	for (i = 0; i < n; i++) {
		g = (struct drm_panfrost_get_param){ .param = right[i].param, .value = ~0ULL };
		if (!call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g) && g.value == right[i].value)
			good++;
		else
			printf("# parameter %u: 0x%llx\n", right[i].param,
			       (unsigned long long)g.value);
	}
	CHECK(good == n);
}

/* The model's value of a register under the injection "features". */
#define FEATURE(offset)	(0x5a000000ULL | (offset) << 12)

/* Each parameter is that of its own register: many of a chip's have the same value. */
void test_bind_params(void)
{
	static const struct {
		uint32_t param, offset;
	} of[] = {
		{ DRM_PANFROST_PARAM_L2_FEATURES, 0x004 },
		{ DRM_PANFROST_PARAM_CORE_FEATURES, 0x008 },
		{ DRM_PANFROST_PARAM_TILER_FEATURES, 0x00c },
		{ DRM_PANFROST_PARAM_MEM_FEATURES, 0x010 },
		{ DRM_PANFROST_PARAM_AFBC_FEATURES, 0x04c },
		{ DRM_PANFROST_PARAM_MAX_THREADS, 0x0a0 },
		{ DRM_PANFROST_PARAM_THREAD_MAX_WORKGROUP_SZ, 0x0a4 },
		{ DRM_PANFROST_PARAM_THREAD_MAX_BARRIER_SZ, 0x0a8 },
		{ DRM_PANFROST_PARAM_THREAD_FEATURES, 0x0ac },
		{ DRM_PANFROST_PARAM_TEXTURE_FEATURES0, 0x0b0 },
		{ DRM_PANFROST_PARAM_TEXTURE_FEATURES1, 0x0b4 },
		{ DRM_PANFROST_PARAM_TEXTURE_FEATURES2, 0x0b8 },
		{ DRM_PANFROST_PARAM_TEXTURE_FEATURES3, 0x0bc },
		{ DRM_PANFROST_PARAM_JS_FEATURES0, 0x0c0 },
		{ DRM_PANFROST_PARAM_JS_FEATURES1, 0x0c4 },
		{ DRM_PANFROST_PARAM_JS_FEATURES2, 0x0c8 },
		{ DRM_PANFROST_PARAM_COHERENCY_FEATURES, 0x300 },
		{ DRM_PANFROST_PARAM_THREAD_TLS_ALLOC, 0x310 },
	};
	struct drm_panfrost_get_param g;
	uint32_t i, good = 0, n = sizeof(of) / sizeof(of[0]);
	struct client c;
	int fd;

	CHECK(!hw_bind(false) && hw_inject("features 1") && !hw_bind(true));
	fd = open_device();
	for (i = 0; i < n; i++) {
		g = (struct drm_panfrost_get_param){ .param = of[i].param };
		if (!call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g) && g.value == FEATURE(of[i].offset))
			good++;
		else
			printf("# parameter %u: 0x%llx\n", of[i].param,
			       (unsigned long long)g.value);
	}
	close(fd);
	CHECK(good == n);
	CHECK(!hw_bind(false) && hw_inject("features 0") && !hw_bind(true));
	CHECK(client_open(&c) && job_works(&c, 1));
	client_close(&c);
}

/* ---- buffers ---- */

static void ioctl_buffers(struct client *c)
{
	struct drm_panfrost_create_bo create = { .size = 4096, .pad = 1 };
	struct drm_panfrost_mmap_bo m = { .handle = c->data.handle, .flags = 1 };
	struct drm_panfrost_get_bo_offset o = { .handle = c->data.handle };
	struct drm_panfrost_wait_bo w = { .handle = c->data.handle, .pad = 1 };
	uint32_t retained;
	struct bo heap;

	CHECK(call(c->fd, DRM_IOCTL_PANFROST_CREATE_BO, &create) == EINVAL);
	CHECK(call(c->fd, DRM_IOCTL_PANFROST_MMAP_BO, &m) == EINVAL);
	CHECK(!call(c->fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &o) && o.offset == c->data.va);
	o.handle = 999;
	CHECK(call(c->fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &o) == ENOENT);
	CHECK(call(c->fd, DRM_IOCTL_PANFROST_WAIT_BO, &w) == EINVAL);
	CHECK(!await_bo(c->fd, c->data.handle, -1));
	CHECK(advise(c->fd, 999, PANFROST_MADV_DONTNEED, &retained) == ENOENT);
	CHECK(!bo_new(c->fd, 1, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	m = (struct drm_panfrost_mmap_bo){ .handle = heap.handle };
	CHECK(call(c->fd, DRM_IOCTL_PANFROST_MMAP_BO, &m) == EINVAL);
	bo_free(c->fd, &heap);
}

/* ---- submit ---- */

static int raw_submit(struct client *c, struct drm_panfrost_submit s)
{
	if (!s.jc)
		s.jc = c->jobs.va;
	return call(c->fd, DRM_IOCTL_PANFROST_SUBMIT, &s);
}

static void ioctl_submit(struct client *c)
{
	uint32_t twice[2] = { c->jobs.handle, c->jobs.handle }, bad[2] = { c->jobs.handle, 999 };
	uint32_t sync = sync_new(c->fd), syncs[2] = { sync, 999 }, done = sync_new(c->fd);
	uint32_t before = hw_buffers();

	put_job(c, 0, 1, 0);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){ .requirements = 4 }) == EINVAL);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){ .requirements = 3 }) == EINVAL);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){ .out_sync = 999 }) == ENODEV);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){
		.in_syncs = 8, .in_sync_count = 1 }) == EFAULT);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){
		.in_syncs = (uintptr_t)(syncs + 1), .in_sync_count = 1 }) == ENOENT);
	/* a syncobj without a fence */
	CHECK(raw_submit(c, (struct drm_panfrost_submit){
		.in_syncs = (uintptr_t)syncs, .in_sync_count = 2, .out_sync = done }) == EINVAL);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){
		.bo_handles = 8, .bo_handle_count = 1, .out_sync = done }) == EFAULT);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){
		.bo_handles = (uintptr_t)bad, .bo_handle_count = 2, .out_sync = done }) == ENOENT);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){
		.bo_handles = (uintptr_t)twice, .bo_handle_count = 2,
		.out_sync = done }) == EALREADY);
	/* nothing has been done to the fence, nothing is left */
	CHECK(sync_status(c->fd, done) == SYNC_NONE);
	CHECK(hw_buffers() == before);
	/* no buffers at all */
	CHECK(!raw_submit(c, (struct drm_panfrost_submit){ .out_sync = done }));
	CHECK(sync_end(c->fd, done) == 1 && c->jobs.p[0] == 1);
	sync_free(c->fd, sync);
	sync_free(c->fd, done);
	CHECK(raw_submit(c, (struct drm_panfrost_submit){ .out_sync = done }) == ENODEV);
}

void test_ioctls(void)
{
	struct client c;

	CHECK(client_open(&c));
	ioctl_params(c.fd);
	ioctl_buffers(&c);
	ioctl_submit(&c);
	CHECK(job_works(&c, 1));
	client_close(&c);
}

/* ---- addresses ---- */

#define MIB	(1U << 20)

/* Code is not in the last 16 MiB before a multiple of 4 GiB. */
static void code_at_end(void)
{
	int fd = open_device();
	struct bo big, b;

	CHECK(!bo_new(fd, 0xfd000000, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &big));
	CHECK(big.va == 32 * MIB);
	CHECK(bo_new(fd, 4096, 0, &b) == ENOSPC);
	CHECK(!bo_new(fd, 4096, PANFROST_BO_NOEXEC, &b) && b.va == 0xff000000);
	bo_free(fd, &b);
	close(fd);
}

/* Write to a buffer at each of these offsets. */
static bool all_written(struct client *c, const struct bo *b, const uint32_t *at, uint32_t n)
{
	uint32_t i, good = 0;

	for (i = 0; i < n; i++) {
		b->p[at[i] / 4] = ~0U;
		put_write(c, i, b->va + at[i], i + 1, i == n - 1);
	}
	if (submit_with(c, 0, b->handle) || await(c, 3000))
		return false;
	for (i = 0; i < n; i++)
		good += b->p[at[i] / 4] == written(i + 1);
	return good == n;
}

/* Buffers that begin at, end at and cross what a table of each level maps: 2 MiB and 1 GiB. */
static void borders(void)
{
	static const uint32_t at[] = { 0, 4092, 4096, 2 * MIB - 4, 2 * MIB, 4 * MIB - 4 };
	const uint32_t noexec = PANFROST_BO_NOEXEC, heap = PANFROST_BO_HEAP | PANFROST_BO_NOEXEC;
	uint32_t i, used;
	struct bo rest, b;
	struct client c;

	CHECK(client_open(&c));
	used = c.data.va + c.data.size;
	/* up to a page before the end of a table */
	CHECK(!bo_new(c.fd, 34 * MIB - 4096 - used, noexec, &rest) && rest.va == used);
	CHECK(!bo_new(c.fd, 12288, noexec, &b) && b.va == 34 * MIB - 4096);
	CHECK(all_written(&c, &b, at, 3));
	bo_free(c.fd, &b);
	CHECK(!bo_new(c.fd, 4096, noexec, &b) && b.va == 34 * MIB - 4096);
	CHECK(all_written(&c, &b, at, 2));
	bo_free(c.fd, &b);
	bo_free(c.fd, &rest);
	for (i = 0; i < 3; i++) {
		/* 4 MiB below, across and above 1 GiB */
		uint32_t va = 1024 * MIB - 4 * MIB + i * 2 * MIB;

		CHECK(!bo_new(c.fd, va - 34 * MIB, heap, &rest) && rest.va == 34 * MIB);
		CHECK(!bo_new(c.fd, 4 * MIB, noexec, &b) && b.va == va);
		CHECK(all_written(&c, &b, at, sizeof(at) / sizeof(at[0])));
		bo_free(c.fd, &rest);
		bo_free(c.fd, &b);
		CHECK(job_works(&c, i));
	}
	/* all there is */
	client_close(&c);
	c.fd = open_device();
	CHECK(!bo_new(c.fd, 4064 * MIB, heap, &b) && b.va == 32 * MIB);
	CHECK(bo_new(c.fd, 4096, noexec, &rest) == ENOSPC);
	close(c.fd);
}

void test_space(void)
{
	const uint32_t noexec = PANFROST_BO_NOEXEC, heap = PANFROST_BO_HEAP | PANFROST_BO_NOEXEC;
	struct bo a, b, big, small;
	struct client c;
	uint32_t before = hw_buffers();

	CHECK(client_open(&c));
	/* code does not cross 16 MiB, as its buffers are aligned to their size */
	CHECK(!bo_new(c.fd, 4096, 0, &small) && !bo_new(c.fd, MIB, 0, &a));
	CHECK(a.va % MIB == 0);
	CHECK(!bo_new(c.fd, 3 * MIB, noexec, &b) && b.va % (2 * MIB) == 0);
	CHECK(!bo_new(c.fd, 5 * MIB + 1, heap, &big) && big.va % (2 * MIB) == 0);
	CHECK(a.va >= 32 * MIB && b.va >= 32 * MIB && small.va >= 32 * MIB);
	/* of whole pages */
	CHECK(hw_buffers() - before >= 4 * 1024 + 4 && hw_buffers() - before < 4 * 1024 + 200);
	a.p[MIB / 4 - 1] = 1;
	b.p[3 * MIB / 4 - 1] = ~0U;
	put_write(&c, 0, b.va + 3 * MIB - 4, 5, true);
	CHECK(!submit_with(&c, 0, b.handle) && !await(&c, 3000));
	CHECK(b.p[3 * MIB / 4 - 1] == written(5));
	/* the heap has been rounded to 2 MiB */
	c.data.p[0] = ~0U;
	put_write(&c, 0, big.va + 6 * MIB - 4, 5, false);
	put_write(&c, 1, c.data.va, 6, true);
	CHECK(!submit_with(&c, 0, big.handle) && !await(&c, 3000));
	CHECK(c.data.p[0] == written(6));
	bo_free(c.fd, &a);
	bo_free(c.fd, &b);
	bo_free(c.fd, &big);
	bo_free(c.fd, &small);
	/* the space is full */
	CHECK(!bo_new(c.fd, 0xe0000000, heap, &big));
	CHECK(bo_new(c.fd, 0x20000000, heap, &a) == ENOSPC);
	CHECK(!bo_new(c.fd, MIB, noexec, &a));
	/* that of another client is not */
	bo_free(c.fd, &a);
	bo_free(c.fd, &big);
	CHECK(!bo_new(c.fd, 0xe0000000, heap, &big));
	bo_free(c.fd, &big);
	CHECK(job_works(&c, 7));
	client_close(&c);
	code_at_end();
	borders();
	CHECK(hw_buffers_are(before));
}

/* ---- rights ---- */

/*
 * Programs are executed from buffers without NOEXEC only, which heaps always have. Others are
 * permission faults, which end the job at once.
 */
void test_programs(void)
{
	uint32_t i, denied = hw_said("access type 0x1: EXECUTE"), timeouts = hw_said(TIMED_OUT);
	struct client c;
	struct bo heap;

	CHECK(client_open(&c));
	memcpy(c.jobs.p + 1024, program(), 16);
	memcpy(c.data.p, program(), 16);
	CHECK(run_program(&c, c.jobs.va + 4096, 0) == 1);
	CHECK(run_program(&c, c.data.va, 0) == NOT_CODE);
	CHECK(hw_said("exception type 0xCB: PERM_FAULT_3"));
	CHECK(hw_said("access type 0x1: EXECUTE") == denied + 1);
	unmask_faults(&c);
	CHECK(!bo_new(c.fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	for (i = 0; i < 4; i++)
		put_write(&c, i, heap.va + 4 * i, program()[i], i == 3);
	CHECK(!submit_with(&c, 0, heap.handle) && !await(&c, 3000) && c.jobs.p[48] == 1);
	CHECK(run_program(&c, heap.va, heap.handle) == NOT_CODE);
	CHECK(hw_said("access type 0x1: EXECUTE") == denied + 2 && hw_said(TIMED_OUT) == timeouts);
	unmask_faults(&c);
	bo_free(c.fd, &heap);
	CHECK(job_works(&c, 1));
	client_close(&c);
}

/* ---- performance counters ---- */

static int counters(int fd, uint32_t enable, uint32_t set)
{
	struct drm_panfrost_perfcnt_enable e = { .enable = enable, .counterset = set };

	return call(fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e);
}

static int sample(int fd, void *to)
{
	struct drm_panfrost_perfcnt_dump d = { .buf_ptr = (uintptr_t)to };

	return call(fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &d);
}

#define UNSTABLE	"/sys/module/panfrost/parameters/unstable_ioctls"

/* Words of the blocks of job manager, tiler, L2 cache and core. */
static uint32_t block[8 * 64 + 1];

static uint32_t sample_words(void)
{
	uint32_t n = sizeof(block) / 4;

	while (n && block[n - 1] == 0xdeadbeef)
		n--;
	return n;
}

static int sample_long(void *client)
{
	return sample(((struct client *)client)->fd, block);
}

/* After a fault of the GPU its interrupts are off until the next reset: counters wait for 1 s. */
static void lost_counters(struct client *c)
{
	int64_t begin;
	int i;

	for (i = 0; i < 3; i++) {
		CHECK(hw_write(hw_device_file("power/control"), "on"));
		CHECK(!i || !counters(c->fd, 1, 0));
		CHECK(hw_inject("gpu-fault 1") && job_works(c, 5));
		begin = now_ns();
		if (i == 2)
			CHECK(sig_ends(sample_long, c));
		else if (i)
			CHECK(sample(c->fd, block) == ETIMEDOUT);
		else
			CHECK(counters(c->fd, 1, 0) == ETIMEDOUT);
		CHECK(i == 2 || !hw_exact() ||
		      hw_waited("counters", (now_ns() - begin) / 1000, 1000000));
		CHECK(!i || !counters(c->fd, 0, 0));
		CHECK(hw_write(hw_device_file("power/control"), "auto") && hw_suspends());
	}
	CHECK(!counters(c->fd, 1, 0) && !sample(c->fd, block) && !counters(c->fd, 0, 0));
}

void test_counter_errors(void)
{
	struct client c, other;
	uint32_t i;

	CHECK(client_open(&c) && client_open(&other));
	CHECK(hw_write(UNSTABLE, "0"));
	CHECK(counters(c.fd, 1, 0) == ENOSYS && sample(c.fd, block) == ENOSYS);
	CHECK(hw_write(UNSTABLE, "1"));
	CHECK(counters(c.fd, 1, 2) == EINVAL);
	CHECK(counters(c.fd, 0, 0) == EINVAL && sample(c.fd, block) == EINVAL);
	CHECK(counters(c.fd, 1, 1) == (midgard ? EINVAL : 0));
	CHECK(midgard || !counters(c.fd, 0, 0));
	CHECK(!counters(c.fd, 1, 0) && !counters(c.fd, 1, 0));
	CHECK(counters(other.fd, 1, 0) == EBUSY && counters(other.fd, 0, 0) == EINVAL);
	CHECK(sample(other.fd, block) == EINVAL);
	CHECK(sample(c.fd, (void *)8) == EFAULT);
	CHECK(job_works(&c, 1));
	for (i = 0; i < sizeof(block) / 4; i++)
		block[i] = 0xdeadbeef;
	CHECK(!sample(c.fd, block));
	/* blocks of job manager, tiler, L2 cache and core, and nothing after them */
	CHECK(sample_words() == 4 * 64);
	CHECK(block[2] == ~0U && block[16] == 1 && block[8] == 0);
	/* each is enabled; cycles of the job are those of the core, none of fragments */
	for (i = 1; i < 4; i++)
		CHECK(block[64 * i + 2] == ~0U);
	CHECK(block[6] && block[18] == block[6] && !block[10]);
	CHECK(block[192 + 22] == block[18] && !block[192 + 4]);
	CHECK(job_works(&c, 2) && job_works(&c, 3) && !sample(c.fd, block) && block[16] == 3);
	/* they keep the device awake */
	usleep(150000);
	CHECK(hw_has_status("active"));
	/* on another start they are 0 again */
	CHECK(!counters(c.fd, 0, 0) && !counters(c.fd, 1, 0));
	CHECK(!sample(c.fd, block) && block[16] == 0);
	/* who closes the file leaves them off */
	client_close(&c);
	CHECK(hw_suspends());
	CHECK(!counters(other.fd, 1, 0) && job_works(&other, 4) && !sample(other.fd, block));
	CHECK(block[16] == 1);
	CHECK(!counters(other.fd, 0, 0));
	lost_counters(&other);
	client_close(&other);
}

/* ---- allocations that fail ---- */

static int fail_create(void *arg)
{
	struct client *c = arg;
	struct drm_panfrost_create_bo create = { .size = 16384 };
	int ret = call(c->fd, DRM_IOCTL_PANFROST_CREATE_BO, &create);
	struct drm_gem_close d = { .handle = create.handle };

	if (!ret)
		call(c->fd, DRM_IOCTL_GEM_CLOSE, &d);
	return ret;
}

/* A job that is accepted is executed. One of its buffers has no fences yet. */
static int fail_submit(void *arg)
{
	struct client *c = arg;
	char left[16];
	struct bo b;
	int ret;

	fail_pause(left);
	CHECK_ROUND(!bo_new(c->fd, 4096, PANFROST_BO_NOEXEC, &b));
	put_job(c, 0, 1, 0);
	fail_again(left);
	ret = submit_with(c, 0, b.handle);
	fail_pause(left);
	CHECK_ROUND(!await(c, 3000) && !await_bo(c->fd, b.handle, -1));
	CHECK_ROUND((c->jobs.p[0] == 1) == !ret);
	bo_free(c->fd, &b);
	fail_again(left);
	return ret;
}

/**
 * struct gated - Submits of a client that wait for a fence
 * @c:		the client
 * @timeline:	signals the fence
 * @gate:	the syncobj that has it
 * @done:	the syncobj that gets the job's end
 * @early:	a job has not waited
 */
struct gated {
	struct client *c;
	int timeline;
	uint32_t gate;
	uint32_t done;
	bool early;
};

/* A job that is accepted waits, whatever has failed. */
static int fail_gated(void *arg)
{
	struct gated *g = arg;
	struct client *c = g->c;
	char left[16];
	int ret;

	put_job(c, 0, 1, 0);
	g->done = sync_new(c->fd);
	ret = g->done ? submit_sync(c, 0, 0, g->gate, g->done) : ENOMEM;
	if (ret) {
		fail_pause(left);
		CHECK_ROUND(sync_status(c->fd, g->done) == SYNC_NONE);
		sync_free(c->fd, g->done);
		fail_again(left);
		return ret;
	}
	/* what follows does not fail */
	fail_pause(left);
	usleep(20000);
	g->early |= c->jobs.p[0] == 1;
	gate_open(g->timeline);
	CHECK_ROUND(!await(c, 3000) && c->jobs.p[0] == 1 && sync_end(c->fd, g->done) == 1);
	sync_free(c->fd, g->done);
	sync_free(c->fd, g->gate);
	g->timeline = gate_new(c->fd, &g->gate);
	fail_again(left);
	return 0;
}

static void no_memory_for_fences(struct client *c)
{
	struct gated g = { .c = c };

	g.timeline = gate_new(c->fd, &g.gate);
	if (g.timeline < 0)
		return;
	CHECK(fail_each(fail_gated, &g, "fences", 0) > 4 && !g.early);
	close(g.timeline);
	sync_free(c->fd, g.gate);
}

static int fail_open(void *arg)
{
	struct drm_version v = {};
	int fd = open("/dev/dri/renderD128", O_RDWR), ret;

	if (fd < 0)
		return errno;
	ret = call(fd, DRM_IOCTL_VERSION, &v);
	close(fd);
	return ret;
}

static int fail_counters(void *arg)
{
	struct client *c = arg;
	int ret = counters(c->fd, 1, 0);

	return ret ?: counters(c->fd, 0, 0);
}

void test_no_memory(void)
{
	uint32_t before = hw_buffers();
	struct client c;
	int n[4];

	if (!fail_init()) {
		tap_skip("no fault injection", __func__);
		return;
	}
	CHECK(client_open(&c));
	CHECK(job_works(&c, 1));
	n[0] = fail_each(fail_create, &c, "create", 0);
	n[1] = fail_each(fail_submit, &c, "submit", 0);
	/* EINVAL: of page tables */
	n[2] = fail_each(fail_open, &c, "open", EINVAL);
	hw_write(UNSTABLE, "1");
	n[3] = fail_each(fail_counters, &c, "counters", 0);
	printf("# %d, %d, %d, %d allocations have failed\n", n[0], n[1], n[2], n[3]);
	CHECK(n[0] > 4 && n[1] > 4 && n[2] > 4 && n[3] > 4);
	no_memory_for_fences(&c);
	CHECK(job_works(&c, 2));
	client_close(&c);
	CHECK(hw_buffers_are(before));
}
