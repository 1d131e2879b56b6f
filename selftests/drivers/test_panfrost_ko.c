// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's panfrost driver on a register model: each ioctl and its errors, jobs of both
 * slots, growth of heaps, faults, hangs, resets, runtime suspend, performance counters, failures of
 * the hardware, another load of the module. Findings of the model are failures.
 *
 * usage: test_panfrost_ko [--stop] [--reload] [NAME...]
 */
#include "panfrost_ko.h"

/* Jobs of Midgard write zeros only. */
bool midgard;

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

/* The spaces of both are off until they are used again: each is switched on by its own job. */
static void two_faults(struct client *c)
{
	struct client other;

	CHECK(client_open(&other));
	CHECK(hw_suspends() && hw_write(hw_device_file("power/control"), "on"));
	CHECK(job_works(c, 1) && job_works(&other, 2));
	put_write(c, 0, 0xe0000000, 1, true);
	CHECK(!submit_with(c, 0, 0) && !await(c, 3000) && c->jobs.p[0] != 1);
	put_write(&other, 0, 0xe0000000, 1, true);
	CHECK(!submit_with(&other, 0, 0) && !await(&other, 3000) && other.jobs.p[0] != 1);
	CHECK(job_works(c, 3) && job_works(&other, 4));
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
	client_close(&other);
}

/* Faults end a job long before its timeout, and no other. */
static void test_faults(void)
{
	struct client c;
	int64_t begin, ms;
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 2; i++) {
		put_write(&c, 0, 0xe0000000, 1, true);
		begin = now_ns();
		CHECK(!submit_with(&c, 0, 0) && !await(&c, 3000));
		ms = ms_since(begin);
		printf("# fault %d: %lld ms\n", i, (long long)ms);
		if (i)
			hw_known(ms < TIMEOUT_MS - 150, "second-fault",
				 "the interrupt of an address space is enabled a fault too late");
		else
			CHECK(ms < TIMEOUT_MS - 150);
		CHECK(c.jobs.p[0] != 1);
		CHECK(job_works(&c, 3 + i));
	}
	put_job(&c, 0, 100, 0);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 3000));
	CHECK(c.jobs.p[0] == 0x40);
	CHECK(job_works(&c, 5));
	/* the access, and the level at which there was no table */
	CHECK(hw_said("Unhandled Page fault in AS0 at VA 0x00000000E0000000"));
	CHECK(hw_said("decoded fault status: SLAVE FAULT"));
	CHECK(hw_said("exception type 0xC1: TRANSLATION_FAULT_1"));
	CHECK(hw_said("access type 0x3: WRITE"));
	two_faults(&c);
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
	int early;

	CHECK(client_open(&c));
	put_job(&c, 0, 1, c.jobs.va);
	CHECK(!submit_with(&c, 0, 0));
	/* a busy machine has let the time pass: EBUSY, or 0 when the job has ended */
	early = await(&c, 50);
	CHECK(early == ETIMEDOUT || early == EBUSY ||
	      (!early && ms_since(begin) >= TIMEOUT_MS - 100));
	CHECK(!await(&c, 5000));
	CHECK(ms_since(begin) >= TIMEOUT_MS - 100);
	CHECK(job_works(&c, 6));
	/* a slot that does not even stop */
	CHECK(hw_inject("hang 1"));
	put_job(&c, 0, 1, 0);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 5000));
	CHECK(job_works(&c, 7));
	client_close(&c);
	/*
	 * A kernel without lockdep shows nothing. That of 6.12 counts preemption, and then does not
	 * look at fences that are signalled with a spinlock held.
	 */
	if (hw_since(612))
		CHECK(!hw_said("possible circular locking dependency"));
	else if (!access("/proc/lockdep_stats", F_OK))
		hw_known(!hw_said("possible circular locking dependency"), "reset-locks",
			 "job_lock is taken where fences are signalled, and the other way round");
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
	struct client c;
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 3; i++) {
		CHECK(job_works(&c, 20 + i));
		CHECK(hw_suspends());
	}
	CHECK(hw_inject("slow-power 3"));
	CHECK(job_works(&c, 30));
	/* a reset that does not end: the driver goes on */
	CHECK(hw_suspends() && hw_inject("failed-reset 1"));
	CHECK(job_works(&c, 31) && hw_said("gpu soft reset timed out") == 1);
	CHECK(hw_suspends() && job_works(&c, 32));
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
	/* each job of a chain */
	put_write(&c, 0, c.data.va, 1, false);
	put_write(&c, 1, c.data.va, 2, false);
	put_job(&c, 2, 1, 0);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 3000));
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &d) && block[16] == 5 && !block[8]);
	e.enable = 0;
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e));
	client_close(&c);
}

/* After all others: from then on the device does not suspend. */
static void test_load(void)
{
	struct client c;

	CHECK(hw_remove());
	CHECK(open_device() < 0);
	CHECK(!hw_leaks());
	CHECK(hw_load());
	CHECK(client_open(&c));
	CHECK(job_works(&c, 50));
	client_close(&c);
	hw_known(hw_suspends(), "remove-runtime-pm",
		 "a reference for runtime PM is never put, so that the device stays on");
}

static void test_speed(void)
{
	struct hw_pace pace = {};
	struct client c;

	CHECK(client_open(&c));
	hw_pace_begin(&pace);
	while (pace.jobs < 200 && job_works(&c, pace.jobs))
		hw_pace_job(&pace);
	CHECK(pace.jobs == 200);
	hw_pace_print(&pace);
	/* a driver that waits for timeouts needs 250 ms */
	CHECK(ms_since(pace.begin) < 200 * 50);
	client_close(&c);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "params", test_params }, { "errors", test_errors }, { "ioctls", test_ioctls },
	{ "registers", test_registers }, { "perfcnt-registers", test_counter_registers },
	{ "locks", test_locks }, { "lru", test_lru },
	{ "chains", test_chains }, { "heap", test_heap }, { "faults", test_faults },
	{ "reuse", test_reuse }, { "clients", test_clients }, { "speed", test_speed },
	{ "pages", test_pages }, { "write-back", test_write_back },
	{ "suspend", test_suspend }, { "counters", test_counters },
	{ "perfcnt", test_counter_errors }, { "thread-memory", test_thread_memory },
	{ "space", test_space }, { "programs", test_programs },
	{ "shared", test_shared }, { "handles", test_handles }, { "foreign", test_foreign },
	{ "slots", test_slots }, { "fault-pair", test_fault_pair },
	{ "purge", test_purge }, { "heap-purge", test_heap_purge },
	{ "refaults", test_refaults }, { "no-memory", test_no_memory },
	{ "usage", test_usage },
	/* resets: lockdep's report of reset-locks is its last one */
	{ "timeout", test_timeout }, { "lost", test_lost_irq }, { "fences", test_fences },
	{ "reset-registers", test_reset_registers }, { "resets", test_resets },
	{ "times", test_times },
	{ "killed", test_killed }, { "pending", test_pending },
	{ "stuck", test_stuck }, { "partial", test_partial }, { "dump", test_dump },
	{ "devfreq", test_devfreq }, { "bind", test_bind }, { "bind-governor", test_governor },
	{ "unbind-registers", test_unbind_registers }, { "bind-params", test_bind_params },
	{ "probe", test_probe }, { "load", test_load },
	{ "open-purgeable", test_open_purgeable }, { "reclaim", test_reclaim },
};

/* What the driver says when the hardware does not do what it was told. */
static unsigned int complaints(void)
{
	static const char * const texts[] = {
		"gpu soft reset timed out", "error powering up gpu", "power transition timeout",
		"AS_ACTIVE bit stuck",
	};

	return hw_said_any(texts, sizeof(texts) / sizeof(texts[0]));
}

/**
 * struct rest - What there was before a test
 * @findings:	of the register model
 * @buffers:	KiB
 * @complaints:	of the driver
 * @mappings:	for DMA, or -1
 */
struct rest {
	unsigned int findings, buffers, complaints;
	int mappings;
};

/* Each test leaves no finding, no buffer, a device that sleeps. */
static void check_rest(const char *name, const struct rest *before)
{
	unsigned int findings = before->findings;
	bool loaded = strstr(name, "bind") || !strcmp(name, "load") || !strcmp(name, "probe");
	unsigned int known = 0;

	/* next-of-fault */
	if (!strcmp(name, "fault-pair"))
		known = hw_findings_with(findings, "a job for address space 0, which is off");
	hw_result(hw_findings(findings) == findings + known, name,
		  "the register model found nothing");
	hw_result(!hw_said("BUG: ") && !hw_said("usage count underflow"), name,
		  "the kernel has reported nothing");
	hw_result(hw_buffers_are(before->buffers), name, "all buffers are freed");
	if (before->mappings != -1)
		hw_result(hw_mappings_are(before->mappings, true), name,
			  "and all mappings for DMA");
	/* after a removal it does not: remove-runtime-pm */
	hw_result(loaded || hw_suspends(), name, "the device suspends");
	/* these tests let the hardware fail */
	hw_result(complaints() == before->complaints || !strcmp(name, "resets") ||
		  !strcmp(name, "bind") || !strcmp(name, "suspend") ||
		  !strcmp(name, "times"), name,
		  "the hardware does as it was told");
}

/* On a busy machine a guest's first job may take longer than its timeout: it is not of a test. */
static void warm_up(void)
{
	bool good = false;
	struct client c;
	int i;

	for (i = 0; i < 20 && !good && client_open(&c); i++) {
		good = job_works(&c, 1);
		client_close(&c);
	}
}

int main(int argc, char **argv)
{
	struct drm_panfrost_get_param g = {};
	int fd = open_device();
	struct rest before;
	unsigned int i;

	if (!call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g))
		midgard = g.value < 0x1000;
	close(fd);
	hw_chosen("", argc, argv);
	if (hw_stop)
		alarm(HW_ALARM_S);
	if (hw_reload)
		CHECK(hw_remove() && hw_load());
	hw_result(!hw_device_errors(), "probe", "the driver has reported no error");
	if (!hw_stop)
		warm_up();
	hw_result(!hw_findings(0), "probe", "the register model found nothing");
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (!hw_chosen(tests[i].name, argc, argv) ||
		    ((tests[i].run == test_open_purgeable || tests[i].run == test_reclaim) &&
		     hw_chosen("", argc, argv)))
			continue;
		printf("# test %s\n", tests[i].name);
		before.findings = hw_findings(~0U);
		before.buffers = hw_buffers();
		before.complaints = complaints();
		before.mappings = hw_mappings(true);
		tests[i].run();
		check_rest(tests[i].name, &before);
	}
	hw_result(hw_log_in_order(), "log", "each access is later than the one before");
	return tap_done();
}
