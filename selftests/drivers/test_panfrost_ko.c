// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's panfrost driver on a register model: each ioctl and its errors, jobs of both
 * slots, growth of heaps, faults, hangs, resets, runtime suspend, performance counters, failures of
 * the hardware, another load of the module. Findings of the model are failures.
 *
 * usage: test_panfrost_ko [NAME...]
 */
#include <panfrost_drm.h>

#include "../include/tap.h"
#include "hw.h"

#define CHECK(cond)	tap_result(cond, "%s: %s", __func__, #cond)

#define TIMEOUT_MS	500	/* of the driver's jobs */

struct bo {
	uint32_t handle;
	uint64_t va;
	uint32_t *p;
	uint32_t size;
};

/* A client with a page for jobs and one for data. */
struct client {
	int fd;
	struct bo jobs;
	struct bo data;
};

/* ---- ioctls ---- */

static int open_device(void)
{
	return open_render("panfrost");
}

static int bo_new(int fd, uint32_t size, uint32_t flags, struct bo *b)
{
	struct drm_panfrost_create_bo c = { .size = size, .flags = flags };
	struct drm_panfrost_mmap_bo m = {};
	int ret;

	memset(b, 0, sizeof(*b));
	ret = call(fd, DRM_IOCTL_PANFROST_CREATE_BO, &c);
	if (ret)
		return ret;
	b->handle = c.handle;
	b->va = c.offset;
	b->size = size;
	if (flags & PANFROST_BO_HEAP)
		return 0;
	m.handle = c.handle;
	ret = call(fd, DRM_IOCTL_PANFROST_MMAP_BO, &m);
	if (ret)
		return ret;
	b->p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, m.offset);
	return b->p == MAP_FAILED ? errno : 0;
}

static void bo_free(int fd, struct bo *b)
{
	struct drm_gem_close c = { .handle = b->handle };

	if (b->p)
		munmap(b->p, b->size);
	call(fd, DRM_IOCTL_GEM_CLOSE, &c);
}

static bool client_open(struct client *c)
{
	c->fd = open_device();
	return c->fd >= 0 && !bo_new(c->fd, 65536, 0, &c->jobs) &&
	       !bo_new(c->fd, 8192, PANFROST_BO_NOEXEC, &c->data);
}

static void client_close(struct client *c)
{
	munmap(c->jobs.p, c->jobs.size);
	munmap(c->data.p, c->data.size);
	close(c->fd);
}

static int submit_with(struct client *c, uint32_t requirements, uint32_t more)
{
	uint32_t handles[3] = { c->jobs.handle, c->data.handle, more };
	struct drm_panfrost_submit s = {
		.jc = c->jobs.va, .bo_handles = (uintptr_t)handles,
		.bo_handle_count = more ? 3 : 2, .requirements = requirements,
	};

	return call(c->fd, DRM_IOCTL_PANFROST_SUBMIT, &s);
}

static int await(struct client *c, int ms)
{
	struct drm_panfrost_wait_bo w = {
		.handle = c->jobs.handle, .timeout_ns = now_ns() + ms * 1000000LL,
	};

	return call(c->fd, DRM_IOCTL_PANFROST_WAIT_BO, &w);
}

/* ---- jobs ---- */

static void put_job(struct client *c, uint32_t n, uint32_t type, uint64_t next)
{
	uint32_t *j = c->jobs.p + n * 16;

	memset(j, 0, 64);
	j[4] = 1 | type << 1;
	j[6] = (uint32_t)next;
	j[7] = next >> 32;
}

/* Jobs of Midgard write zeros only. */
static bool midgard;

static uint32_t written(uint32_t value)
{
	return midgard ? 0 : value;
}

static void put_write(struct client *c, uint32_t n, uint64_t to, uint32_t value, bool last)
{
	uint32_t *j = c->jobs.p + n * 16;

	put_job(c, n, 2, last ? 0 : c->jobs.va + (n + 1) * 64);
	j[8] = (uint32_t)to;
	j[9] = to >> 32;
	j[10] = midgard ? 3 : 6;
	j[12] = value;
}

/* Write a value with a job of its own. Return: whether it is there. */
static bool job_works(struct client *c, uint32_t value)
{
	c->data.p[0] = ~0U;
	put_write(c, 0, c->data.va, value, true);
	return !submit_with(c, 0, 0) && !await(c, 3000) && c->data.p[0] == written(value);
}

/* ---- tests ---- */

static void test_params(void)
{
	struct drm_panfrost_get_param g = {};
	int fd = open_device();
	uint32_t i;

	CHECK(fd >= 0);
	CHECK(!call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g) && g.value);
	printf("# product 0x%llx\n", (unsigned long long)g.value);
	for (i = DRM_PANFROST_PARAM_SHADER_PRESENT; i <= DRM_PANFROST_PARAM_AFBC_FEATURES; i++) {
		g.param = i;
		if (call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g))
			break;
	}
	CHECK(i > DRM_PANFROST_PARAM_AFBC_FEATURES);
	g.param = 1000;
	CHECK(call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g) == EINVAL);
	g.param = 0;
	g.pad = 1;
	CHECK(call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g) == EINVAL);
	close(fd);
}

static void test_errors(void)
{
	struct drm_panfrost_submit s = {};
	struct drm_panfrost_mmap_bo m = {};
	struct drm_panfrost_wait_bo w = {};
	struct client c;
	struct bo b;

	CHECK(client_open(&c));
	CHECK(bo_new(c.fd, 0, 0, &b) == EINVAL);
	CHECK(bo_new(c.fd, 4096, ~3U, &b) == EINVAL);
	CHECK(bo_new(c.fd, 4096, PANFROST_BO_HEAP, &b) == EINVAL);
	CHECK(call(c.fd, DRM_IOCTL_PANFROST_SUBMIT, &s) == EINVAL);
	CHECK(submit_with(&c, 2, 0) == EINVAL);
	CHECK(submit_with(&c, 0, 999) == ENOENT);
	m.handle = 999;
	CHECK(call(c.fd, DRM_IOCTL_PANFROST_MMAP_BO, &m) == ENOENT);
	w.handle = 999;
	CHECK(call(c.fd, DRM_IOCTL_PANFROST_WAIT_BO, &w) == ENOENT);
	CHECK(job_works(&c, 1));
	client_close(&c);
}

static void test_chains(void)
{
	struct client c;

	CHECK(client_open(&c));
	c.data.p[0] = ~0U;
	c.data.p[1] = ~0U;
	put_write(&c, 0, c.data.va, 0x11111111, false);
	put_write(&c, 1, c.data.va + 4, 0x22222222, false);
	put_job(&c, 2, 1, 0);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 3000));
	CHECK(c.data.p[0] == written(0x11111111) && c.data.p[1] == written(0x22222222));
	CHECK(c.jobs.p[0] == 1 && c.jobs.p[16] == 1 && c.jobs.p[32] == 1);
	c.data.p[0] = ~0U;
	put_write(&c, 0, c.data.va, 0x33333333, true);
	CHECK(!submit_with(&c, PANFROST_JD_REQ_FS, 0) && !await(&c, 3000));
	CHECK(c.data.p[0] == written(0x33333333));
	client_close(&c);
}

static void test_heap(void)
{
	struct client c;
	struct bo heap;

	CHECK(client_open(&c));
	CHECK(!bo_new(c.fd, 8 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	c.data.p[0] = ~0U;
	put_write(&c, 0, heap.va + 0x345678, 1, false);
	put_write(&c, 1, heap.va + 0x745678, 2, false);
	put_write(&c, 2, c.data.va, 3, true);
	CHECK(!submit_with(&c, 0, heap.handle) && !await(&c, TIMEOUT_MS - 150));
	CHECK(c.data.p[0] == written(3) && c.jobs.p[0] == 1 && c.jobs.p[16] == 1);
	bo_free(c.fd, &heap);
	CHECK(job_works(&c, 2));
	client_close(&c);
}

/* Faults end a job long before its timeout, and no other. */
static void test_faults(void)
{
	struct client c;
	int64_t begin;
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 2; i++) {
		put_write(&c, 0, 0xe0000000, 1, true);
		begin = now_ns();
		CHECK(!submit_with(&c, 0, 0) && !await(&c, 3000));
		/*
		 * Linux 6.1 enables the interrupt of an address space that has had a fault one
		 * fault too late: the second one ends by the timeout.
		 */
		CHECK(i || ms_since(begin) < TIMEOUT_MS - 150);
		printf("# fault %d: %lld ms\n", i, (long long)ms_since(begin));
		CHECK(c.jobs.p[0] != 1);
		CHECK(job_works(&c, 3 + i));
	}
	put_job(&c, 0, 100, 0);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 3000));
	CHECK(c.jobs.p[0] == 0x40);
	CHECK(job_works(&c, 5));
	client_close(&c);
}

/* Addresses of freed buffers are used again: translations must not be stale. */
static void test_reuse(void)
{
	struct client c;
	struct bo b;
	uint32_t i, good = 0;

	CHECK(client_open(&c));
	CHECK(job_works(&c, 1));
	for (i = 0; i < 20; i++) {
		if (bo_new(c.fd, 16384, PANFROST_BO_NOEXEC, &b))
			break;
		b.p[1024] = ~0U;
		put_write(&c, 0, b.va + 4096, i + 1, true);
		if (submit_with(&c, 0, b.handle) || await(&c, 3000))
			break;
		good += b.p[1024] == written(i + 1);
		bo_free(c.fd, &b);
		/* other memory at the same address */
		if (!job_works(&c, i))
			break;
	}
	CHECK(good == 20);
	client_close(&c);
}

/* More clients than address spaces, with two jobs of each in flight. */
static void test_clients(void)
{
	struct client c[12];
	uint32_t i, good = 0;

	for (i = 0; i < 12; i++)
		good += client_open(&c[i]);
	CHECK(good == 12);
	for (i = 0, good = 0; i < 12; i++) {
		c[i].data.p[0] = ~0U;
		put_write(&c[i], 0, c[i].data.va, i + 1, true);
		good += !submit_with(&c[i], 0, 0) &&
			!submit_with(&c[i], PANFROST_JD_REQ_FS, 0);
	}
	CHECK(good == 12);
	for (i = 0, good = 0; i < 12; i++)
		good += !await(&c[i], 5000) && c[i].data.p[0] == written(i + 1);
	CHECK(good == 12);
	for (i = 0; i < 12; i++)
		client_close(&c[i]);
}

static void test_timeout(void)
{
	struct client c;
	int64_t begin = now_ns();

	CHECK(client_open(&c));
	put_job(&c, 0, 1, c.jobs.va);
	CHECK(!submit_with(&c, 0, 0) && await(&c, 50) == ETIMEDOUT && !await(&c, 5000));
	CHECK(ms_since(begin) >= TIMEOUT_MS - 100);
	CHECK(job_works(&c, 6));
	/* a slot that does not even stop */
	CHECK(hw_inject("hang 1"));
	put_job(&c, 0, 1, 0);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 5000));
	CHECK(job_works(&c, 7));
	client_close(&c);
}

static void test_lost_irq(void)
{
	struct client c;

	CHECK(client_open(&c));
	CHECK(hw_inject("lost-irq 1"));
	c.data.p[0] = ~0U;
	put_write(&c, 0, c.data.va, 8, true);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 5000));
	CHECK(c.data.p[0] == written(8));
	CHECK(job_works(&c, 9));
	CHECK(hw_inject("spurious-irq 1"));
	CHECK(job_works(&c, 10));
	client_close(&c);
}

static void test_suspend(void)
{
	const char *path = "/sys/bus/platform/devices/d0000000.gpu/power/runtime_status";
	struct client c;
	char status[32];
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 3; i++) {
		CHECK(job_works(&c, 20 + i));
		usleep(200000);
		CHECK(!strcmp(read_line(path, status, sizeof(status)), "suspended"));
	}
	CHECK(hw_inject("slow-power 3"));
	CHECK(job_works(&c, 30));
	client_close(&c);
}

static void allow_counters(void)
{
	int fd = open("/sys/module/panfrost/parameters/unstable_ioctls", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		printf("# no unstable ioctls\n");
	close(fd);
}

static void test_counters(void)
{
	struct drm_panfrost_perfcnt_enable e = { .enable = 1 };
	struct drm_panfrost_perfcnt_dump d;
	static uint32_t block[4 * 64];
	struct client c;

	CHECK(client_open(&c));
	allow_counters();
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e));
	CHECK(job_works(&c, 40) && job_works(&c, 41));
	memset(block, 0, sizeof(block));
	d = (struct drm_panfrost_perfcnt_dump){ .buf_ptr = (uintptr_t)block };
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &d));
	CHECK(block[6] > 0 && block[16] == 2);
	e.enable = 0;
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e));
	client_close(&c);
}

static void test_load(void)
{
	struct client c;

	CHECK(!system("rmmod panfrost"));
	CHECK(open_device() < 0);
	CHECK(!system(access("/stage/module/driver.ko", F_OK) ? "modprobe panfrost" :
		      "insmod /stage/module/driver.ko"));
	CHECK(client_open(&c));
	CHECK(job_works(&c, 50));
	client_close(&c);
}

static void test_speed(void)
{
	struct client c;
	int64_t begin;
	uint32_t i;

	CHECK(client_open(&c));
	begin = now_ns();
	for (i = 0; i < 200 && job_works(&c, i); i++)
		;
	CHECK(i == 200);
	printf("# %lld us per job\n", (long long)(now_ns() - begin) / 200000);
	/* without KASAN 150 us; a driver that waits for timeouts needs 250 ms */
	CHECK(ms_since(begin) < 200 * 50);
	client_close(&c);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "params", test_params }, { "errors", test_errors }, { "chains", test_chains },
	{ "heap", test_heap }, { "faults", test_faults }, { "reuse", test_reuse },
	{ "clients", test_clients }, { "speed", test_speed }, { "suspend", test_suspend },
	{ "counters", test_counters }, { "timeout", test_timeout }, { "lost", test_lost_irq },
	{ "load", test_load },
};

static bool chosen(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc == 1;
}

int main(int argc, char **argv)
{
	struct drm_panfrost_get_param g = {};
	unsigned int i, before, after;
	int fd = open_device();

	if (!call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g))
		midgard = g.value < 0x1000;
	close(fd);
	tap_result(!hw_findings(0), "probe: the register model found nothing");
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (!chosen(tests[i].name, argc, argv))
			continue;
		before = hw_findings(~0U);
		tests[i].run();
		after = hw_findings(before);
		tap_result(after == before, "%s: the register model found nothing", tests[i].name);
	}
	return tap_done();
}
