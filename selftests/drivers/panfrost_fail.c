// SPDX-License-Identifier: GPL-2.0
/* Panfrost: allocations that fail in its threads and in its probe, and which locks it takes. */
#include "panfrost_ko.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))

/* ---- threads ---- */

/* The job that the scheduler has no memory for fails, the next one works. */
static void fail_scheduler(struct client *c)
{
	uint32_t slot, done = sync_new(c->fd);

	for (slot = 0; slot < 2; slot++) {
		CHECK(job_works(c, 1));
		CHECK(fail_threads("pan_js", 1) >= 2);
		put_write(c, 0, c->data.va, 3, true);
		CHECK(!submit_sync(c, 0, slot, 0, done));
		CHECK(sync_end(c->fd, done) == -ENOMEM && c->jobs.p[0] != 1);
		fail_threads("pan_js", 0);
		CHECK(job_works(c, 2));
	}
	sync_free(c->fd, done);
}

/* A write to a new heap, with allocation @n of the handler of its fault failing. */
static bool growth_fails(struct client *c, uint32_t n, struct bo *heap)
{
	CHECK_ROUND(!bo_new(c->fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, heap));
	put_write(c, 0, heap->va + 0x1234, 1, true);
	CHECK_ROUND(fail_threads("-panfrost", n) >= 1);
	CHECK_ROUND(!submit_with(c, 0, heap->handle) && !await(c, 5000));
	fail_threads("-panfrost", 0);
	if (c->jobs.p[0] == 1)
		return false;
	unmask_faults(c);
	return true;
}

/* The same write, with memory. */
static bool growth_works(struct client *c, struct bo *heap)
{
	put_write(c, 0, heap->va + 0x1234, 1, true);
	return !submit_with(c, 0, heap->handle) && !await(c, 5000) && c->jobs.p[0] == 1;
}

/* Pages fail, too: of kernel threads, as those of this process would. */
static void fail_heap_pages(bool fail)
{
	fail_pages(fail);
	CHECK(hw_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem", fail ? "N" : "Y"));
}

/* A heap that has no memory to grow: the job fails, and what it got is freed with the heap. */
static void fail_growth(struct client *c)
{
	/* of 512; then there are tables, whose failure Linux ignores */
	static const uint32_t pages[] = { 1, 2, 3, 4, 5, 6, 7, 40, 200, 8, 9, 10, 11, 12 };
	/* growth has two objects of its own */
	const uint32_t last[2] = { hw_stop ? 11 : 5, hw_stop ? N(pages) : 9 };
	uint32_t base = hw_buffers(), n, failed[2] = {};
	struct bo heap;

	for (n = 1; n <= last[0]; n++) {
		if (growth_fails(c, n, &heap)) {
			printf("# allocation %u\n", n);
			failed[0]++;
			CHECK_ROUND(growth_works(c, &heap));
		}
		bo_free(c->fd, &heap);
		CHECK_ROUND(hw_buffers_are(base));
	}
	fail_heap_pages(true);
	for (n = 0; n < last[1]; n++) {
		failed[1] += growth_fails(c, pages[n], &heap);
		bo_free(c->fd, &heap);
		CHECK_ROUND(hw_buffers_are(base));
	}
	fail_heap_pages(false);
	printf("# %u and %u faults without memory\n", failed[0], failed[1]);
	CHECK(failed[0] >= 2 && failed[1] >= 4);
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
	CHECK(job_works(&c, 4));
	client_close(&c);
}

/*
 * panfrost_mmu_map_fault_addr() takes a heap's part for mapped if its first page is there, also if
 * the last fault had no memory for another one. After tests of lockdep, as the job times out.
 */
void test_partial(void)
{
	bool failed = false;
	struct client c;
	struct bo heap;
	uint32_t n;

	if (!fail_init()) {
		tap_skip("no fault injection", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	fail_heap_pages(true);
	for (n = 30; n < 60 && !failed; n++) {
		failed = growth_fails(&c, n, &heap);
		if (!failed)
			bo_free(c.fd, &heap);
	}
	fail_heap_pages(false);
	CHECK(failed);
	hw_known(growth_works(&c, &heap), "partial-growth",
		 "a heap that had no memory in the middle of its growth is never mapped there");
	bo_free(c.fd, &heap);
	CHECK(job_works(&c, 1));
	client_close(&c);
}

/* ---- probe ---- */

/* All three interrupts have a handler: of jobs, of the MMU for a heap that grows, of the GPU. */
static bool probe_works(uint64_t since)
{
	struct drm_panfrost_perfcnt_enable e = { .enable = 1 };
	static uint32_t block[8 * 64];
	struct drm_panfrost_perfcnt_dump d = { .buf_ptr = (uintptr_t)block };
	struct client c;
	struct bo heap;
	bool good;

	if (!client_open(&c))
		return false;
	good = job_works(&c, 1);
	unmask_faults(&c);
	if (bo_new(c.fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap)) {
		good = false;
	} else {
		put_write(&c, 0, heap.va, 1, true);
		good &= !submit_with(&c, 0, heap.handle) && !await(&c, 3000) && c.jobs.p[0] == 1;
		bo_free(c.fd, &heap);
	}
	hw_write("/sys/module/panfrost/parameters/unstable_ioctls", "1");
	good &= !call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e) &&
		!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &d);
	e.enable = 0;
	good &= !call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e);
	client_close(&c);
	return good;
}

void test_probe(void)
{
	/* devfreq's core does not survive that its device has no memory */
	bool devfreq = !access(hw_device_file("devfreq"), F_OK);
	int n;

	if (!fail_init()) {
		tap_skip("no fault injection", "%s", __func__);
		return;
	}
	CHECK(!hw_bind(false));
	n = fail_probes(&(struct fail_probe){
		.step = 1, .said = devfreq ? NULL : "Fatal error during GPU init",
		.works = probe_works });
	printf("# %d probes have failed\n", n);
	CHECK(n > 10);
	CHECK(!hw_bind(true) && probe_works(0));
}

/* ---- locks ---- */

static void use_buffer(void *arg)
{
	struct client *c = arg;
	uint32_t retained;
	struct bo b;

	bo_new(c->fd, 1 << 20, PANFROST_BO_NOEXEC, &b);
	advise(c->fd, b.handle, PANFROST_MADV_DONTNEED, &retained);
	hw_shrink();
	bo_free(c->fd, &b);
}

static void use_job(void *arg)
{
	job_works(arg, 1);
}

static void use_heap(void *arg)
{
	struct client *c = arg;
	struct bo heap;

	bo_new(c->fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap);
	put_write(c, 0, heap.va, 1, true);
	submit_with(c, 0, heap.handle);
	await(c, 3000);
	bo_free(c->fd, &heap);
	hw_settle();
}

static void use_file(void *arg)
{
	struct client other;

	client_open(&other);
	job_works(&other, 1);
	client_close(&other);
	hw_settle();
}

static void use_counters(void *arg)
{
	struct drm_panfrost_perfcnt_enable e = { .enable = 1 };
	static uint32_t block[4 * 64];
	struct drm_panfrost_perfcnt_dump d = { .buf_ptr = (uintptr_t)block };
	struct client *c = arg;

	call(c->fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e);
	call(c->fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &d);
	e.enable = 0;
	call(c->fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e);
}

void test_locks(void)
{
	static const struct lock_use buffer[] = {
		{ "&pfdev->shrinker_lock", 4 }, { "&obj->mappings.lock", 5 },
		{ "&mmu->mm_lock", 3 }, { "&pfdev->as_lock", 2 },
	};
	static const struct lock_use job[] = {
		{ "&pfdev->sched_lock", 1 }, { "&js->job_lock", 3 },
		{ "&pfdev->as_lock", 1 }, { "&obj->mappings.lock", 2 },
	};
	static const struct lock_use heap[] = {
		{ "&pfdev->as_lock", 5 }, { "&mmu->mm_lock", 3 },
		{ "&shmem->pages_lock", 2 },
	};
	static const struct lock_use heap_612[] = {
		{ "&pfdev->as_lock", 5 }, { "&mmu->mm_lock", 3 },
		{ "reservation_ww_class_mutex", 5 },
	};
	static const struct lock_use file[] = {
		{ "&pfdev->as_lock", 4 }, { "&js->job_lock", 4 },
		{ "&mmu->mm_lock", 4 }, { "&pfdev->shrinker_lock", 2 },
	};
	static const struct lock_use counters[] = {
		{ "&perfcnt->lock", 3 }, { "&obj->mappings.lock", 3 },
	};
	struct client c;

	CHECK(client_open(&c));
	CHECK(hw_write(hw_device_file("power/control"), "on") && job_works(&c, 1));
	CHECK(hw_locks("a buffer", use_buffer, &c, buffer, N(buffer)));
	CHECK(hw_locks("a job", use_job, &c, job, N(job)));
	CHECK(hw_locks("a heap", use_heap, &c, hw_since(612) ? heap_612 : heap,
		       N(heap)));
	CHECK(hw_locks("a file", use_file, &c, file, N(file)));
	hw_write("/sys/module/panfrost/parameters/unstable_ioctls", "1");
	CHECK(hw_locks("counters", use_counters, &c, counters, N(counters)));
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
	client_close(&c);
}

/* ---- pages ---- */

/* The tables of an address space end with its file. */
void test_pages(void)
{
	CHECK(hw_frees_pages(use_file, NULL, 8));
}
