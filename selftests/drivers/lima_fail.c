// SPDX-License-Identifier: GPL-2.0
/* Lima: allocations that fail in its threads and in its probe, and which locks it takes. */
#include <sched.h>

#include "lima_ko.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))
#define MIB	(1U << 20)

/* ---- threads ---- */

/* The threads that start tasks: since Linux 6.8 those of an unbound workqueue. */
static const char *scheduler(uint32_t pipe)
{
	return hw_since(608) ? "kworker/u" : pipe ? "pp" : "gp";
}

/* A task that the scheduler has no memory for is not executed; the next one is. */
static void fail_scheduler(struct client *c)
{
	uint32_t pipe, done = sync_new(c->fd);

	for (pipe = 0; pipe < 2; pipe++) {
		CHECK(draw_works(c) && pixels_work(c));
		draw_make(c->bo.p, c->bo.va, c->gp.frame);
		CHECK(fail_threads(scheduler(pipe), 1) >= 1);
		CHECK(!submit_how(c, (struct how){
			.pipe = pipe, .access = LIMA_SUBMIT_BO_WRITE, .done = done }));
		/* Linux says that it is done */
		CHECK(sync_end(c->fd, done) && !draw_written(c->bo.p));
		fail_threads(scheduler(pipe), 0);
		CHECK(draw_works(c) && pixels_work(c));
	}
	sync_free(c->fd, done);
}

/* A heap that has no memory to grow: the task fails, and what it got is freed with the heap. */
static bool heap_fails(struct client *c, uint32_t n)
{
	uint32_t base = hw_buffers();
	struct bo heap;
	bool failed;

	CHECK_ROUND(!bo_new(c->fd, 1 << 20, LIMA_BO_FLAG_HEAP, &heap));
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	c->gp.frame[4] = heap.va;
	c->gp.frame[5] = heap.va + (1 << 20);
	CHECK_ROUND(hw_inject("out-of-heap 1"));
	CHECK_ROUND(fail_threads("kworker/0", n) >= 1);
	CHECK_ROUND(!submit_gp(c, heap.handle) && !await(c, 5000));
	fail_threads("kworker/0", 0);
	failed = errors();
	CHECK_ROUND(!failed || new_context(c));
	bo_free(c->fd, &heap);
	CHECK_ROUND(draw_works(c));
	CHECK_ROUND(hw_buffers_are(base));
	return failed;
}

static void fail_growth(struct client *c)
{
	/* growth has one object, and ten with pages */
	const uint32_t last[2] = { hw_stop ? 13 : 4, hw_stop ? 27 : 14 };
	uint32_t n, failed[2] = {};
	struct client other;

	for (n = 1; n <= last[0]; n++)
		failed[0] += heap_fails(c, n);
	/* pages, too: of the heap, and the table for the second half of its growth */
	fail_pages(true);
	for (n = 1; n <= last[1]; n++) {
		CHECK(client_open(&other) && table_filled(&other, TABLE_MIB * MIB - 0xc000));
		failed[1] += heap_fails(&other, n);
		client_close(&other);
	}
	fail_pages(false);
	printf("# %u and %u heaps without memory\n", failed[0], failed[1]);
	CHECK(failed[0] > 0 && failed[1] > 2);
}

void test_thread_memory(void)
{
	struct client c;

	if (!fail_init()) {
		tap_skip("no fault injection", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	fail_scheduler(&c);
	fail_growth(&c);
	client_close(&c);
}

/* Threads whose name begins with @comm get a real-time priority; 0: none. */
static void set_priority(const char *comm, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	DIR *dir = opendir("/proc");
	char path[300], line[64];
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		if (!strncmp(read_line(path, line, sizeof(line)), comm, strlen(comm)))
			sched_setscheduler(atoi(e->d_name), priority ? SCHED_FIFO : SCHED_OTHER,
					   &param);
	}
	if (dir)
		closedir(dir);
}

/* In which order threads run on a single CPU: the GPU, this test, timeouts, the scheduler. */
static void set_order(bool on)
{
	set_priority("vshader-model", on ? 3 : 0);
	set_priority("test_lima_ko", on ? 2 : 0);
	set_priority("kworker/0", on ? 1 : 0);
}

/*
 * A task fails while the one before has ended, but is not freed yet: the scheduler of Linux 6.8 and
 * newer takes the task that has ended for the one that failed, and loses it.
 */
void test_spurious(void)
{
	uint32_t before = hw_buffers(), said = hw_said("gp spurious timeout"), n;
	struct client c;

	if (!hw_since(608)) {
		tap_skip("its scheduler frees tasks in the thread that starts them", "%s",
			 __func__);
		return;
	}
	CHECK(client_open(&c));
	for (n = 0; n < 50 && hw_said("gp spurious timeout") == said; n++) {
		draw_make(c.bo.p, c.bo.va, c.gp.frame);
		set_order(true);
		CHECK_ROUND(!submit_gp(&c, 0) && !await_end(&c, 3000));
		((uint32_t *)(c.bo.p + DRAW_VS))[0] = NOWHERE;
		((uint32_t *)(c.bo.p + DRAW_VS))[1] = 0xf0000000;
		CHECK_ROUND(!submit_gp(&c, 0) && !await(&c, 3000));
		set_order(false);
		CHECK_ROUND(errors() == 1 && new_context(&c));
	}
	printf("# %u tries\n", n);
	client_close(&c);
	hw_known(hw_buffers_are(before), "spurious-timeout",
		 "a task that has ended is taken for the next one, which failed, and is lost");
	/* forgets its fences */
	hw_leaks();
}

/* ---- probe ---- */

/*
 * Without memory for their interrupts, the PMU and pixel processors are taken as absent. Without
 * the file of errors, draw_works() knows nothing.
 */
static bool probe_works(uint64_t since)
{
	const struct hw_access pmu = HW_READS("PMU_STATUS");
	struct drm_lima_get_param g = { .param = DRM_LIMA_PARAM_NUM_PP };
	uint32_t all = num_pp;
	struct client c;
	bool good;

	if (!client_open(&c))
		return false;
	good = !call(c.fd, DRM_IOCTL_LIMA_GET_PARAM, &g) && g.value <= all;
	num_pp = g.value;
	good &= !hw_has(since, &pmu) || access(hw_device_file("error"), F_OK) ||
		(draw_works(&c) && (!num_pp || pixels_work(&c)));
	num_pp = all;
	client_close(&c);
	return good;
}

/* A cache that stays busy, a core that does not come out of its reset. */
static void failing_hardware(void)
{
	static const char * const what[2][2] = {
		{ "busy-l2 1000000", "busy-l2 0" }, { "failed-reset 1", "failed-reset 0" },
	};
	uint32_t i;

	for (i = 0; i < 2; i++) {
		CHECK(hw_inject(what[i][0]));
		CHECK(hw_bind(true) == ETIMEDOUT);
		CHECK(hw_inject(what[i][1]));
		CHECK(open_device() < 0 && !hw_clock("clock"));
	}
}

/*
 * Pages that fail are those of a Mali-450 for the DLBU and for an address space that has nothing
 * else, or others before them, for objects, without which the probe goes well: their number
 * depends on what has been freed.
 */
static void probe_pages(void)
{
	uint32_t failed = 0;
	char text[16];
	int n, ret, last = hw_stop ? 20 : 12;

	CHECK(hw_write(hw_device_file("power/control"), "on"));
	CHECK(!hw_bind(false));
	fail_pages(true);
	CHECK(hw_write("/sys/kernel/debug/failslab/ignore-gfp-wait", "Y"));
	for (n = 0; n < last || (!failed && n < 10 * last); n++) {
		snprintf(text, sizeof(text), "%d", 1 + n % last);
		hw_write(FAIL_NTH, text);
		ret = hw_bind(true);
		hw_write(FAIL_NTH, "0");
		failed += ret == ENOMEM;
		if (ret) {
			/* or a copy of what is written */
			CHECK_ROUND(ret == ENOMEM || ret == EFAULT);
			CHECK_ROUND(open_device() < 0 && !hw_clock("clock"));
		} else {
			CHECK_ROUND(probe_works(0) && !hw_bind(false));
		}
	}
	CHECK(hw_write("/sys/kernel/debug/failslab/ignore-gfp-wait", "N"));
	fail_pages(false);
	printf("# %u probes without a page\n", failed);
	CHECK(failed);
	CHECK(!hw_bind(true) && probe_works(0));
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
}

void test_probe(void)
{
	int n;

	if (!fail_init()) {
		tap_skip("no fault injection", "%s", __func__);
		return;
	}
	/* a probe of a Mali-450 takes 0.2 s of processor time, and has 25 blocks that are alike */
	if (is_450) {
		probe_pages();
		return;
	}
	/* awake: the removal of a device that sleeps uses it without its clocks */
	CHECK(hw_write(hw_device_file("power/control"), "on"));
	CHECK(!hw_bind(false));
	failing_hardware();
	n = fail_probes(&(struct fail_probe){
		.step = hw_stop ? 1 : 5, .said = "fail to ioremap", .last = " clk failed",
		/* the address space */
		.silent = 2, .works = probe_works });
	probes_failed = true;
	printf("# %d probes have failed\n", n);
	CHECK(n > 4);
	CHECK(!hw_bind(true) && probe_works(0));
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
}

/* ---- locks ---- */

static void use_buffer(void *arg)
{
	struct client *c = arg;
	struct bo b;

	bo_new(c->fd, BO_BYTES, 0, &b);
	bo_free(c->fd, &b);
}

static void use_context(void *arg)
{
	struct client *c = arg;
	struct drm_lima_ctx_create ctx = {};
	struct drm_lima_ctx_free f = {};

	call(c->fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx);
	f.id = ctx.id;
	call(c->fd, DRM_IOCTL_LIMA_CTX_FREE, &f);
}

static void use_draw(void *arg)
{
	struct client *c = arg;

	submit_gp(c, 0);
	await(c, 3000);
}

static void use_heap(void *arg)
{
	struct client *c = arg;
	struct bo heap;

	bo_new(c->fd, 1 << 20, LIMA_BO_FLAG_HEAP, &heap);
	c->gp.frame[4] = heap.va;
	c->gp.frame[5] = heap.va + (1 << 20);
	hw_inject("out-of-heap 1");
	submit_gp(c, heap.handle);
	await(c, 3000);
	bo_free(c->fd, &heap);
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
}

static void use_error(void *arg)
{
	struct client *c = arg;

	((uint32_t *)(c->bo.p + DRAW_VS))[0] = NOWHERE;
	((uint32_t *)(c->bo.p + DRAW_VS))[1] = 0xf0000000;
	submit_gp(c, 0);
	await(c, 3000);
	errors();
	new_context(c);
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
}

void test_locks(void)
{
	static const struct lock_use buffer[] = { { "&bo->lock", 3 }, { "&vm->lock", 2 } };
	static const struct lock_use context[] = { { "&mgr->lock", 1 } };
	static const struct lock_use draw[] = {
		{ "&mgr->lock", 1 }, { "&bo->lock", 2 },
		{ "&ip->data.lock", 1 }, { "&pipe->fence_lock", 2 },
	};
	static const struct lock_use heap[] = {
		{ "&shmem->pages_lock", 3 }, { "&bo->lock", 9 }, { "&vm->lock", 3 },
	};
	static const struct lock_use heap_612[] = {
		{ "reservation_ww_class_mutex", 5 }, { "&bo->lock", 9 }, { "&vm->lock", 3 },
	};
	static const struct lock_use error[] = { { "&ldev->error_task_list_lock", 3 } };
	struct client c;

	CHECK(client_open(&c) && draw_works(&c));
	CHECK(hw_locks("a buffer", use_buffer, &c, buffer, N(buffer)));
	CHECK(hw_locks("a context", use_context, &c, context, N(context)));
	CHECK(hw_locks("a draw", use_draw, &c, draw, N(draw)));
	CHECK(hw_locks("a heap", use_heap, &c, hw_since(612) ? heap_612 : heap, N(heap)));
	CHECK(hw_locks("an error", use_error, &c, error, N(error)));
	CHECK(draw_works(&c));
	client_close(&c);
}

/* ---- pages ---- */

static void use_file(void *arg)
{
	struct client other;

	client_open(&other);
	draw_works(&other);
	client_close(&other);
}

/* The tables of an address space end with its file. */
void test_pages(void)
{
	CHECK(hw_frees_pages(use_file, NULL, 16));
}
