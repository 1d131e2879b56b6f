// SPDX-License-Identifier: GPL-2.0
/* Panfrost: buffers that may be purged, before, while and after jobs use them. */
#include "panfrost_ko.h"

#define KIB(bo)		((bo).size / 1024)

void test_purge(void)
{
	uint32_t before = hw_buffers(), base, retained, gate, done;
	struct client c;
	struct bo a, b;
	int t;

	CHECK(client_open(&c));
	done = sync_new(c.fd);
	CHECK(!bo_new(c.fd, 1 << 20, PANFROST_BO_NOEXEC, &a));
	CHECK(!bo_new(c.fd, 1 << 20, PANFROST_BO_NOEXEC, &b));
	a.p[5] = 55;
	b.p[5] = 66;
	base = hw_buffers();
	/* needed buffers stay, also if they have not been needed for a while */
	hw_shrink();
	CHECK(hw_buffers() == base);
	CHECK(!advise(c.fd, a.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	CHECK(!advise(c.fd, a.handle, PANFROST_MADV_WILLNEED, &retained) && retained == 1);
	hw_shrink();
	CHECK(hw_buffers() == base && a.p[5] == 55);
	/* buffers that a job waits for, too */
	t = gate_new(c.fd, &gate);
	if (t >= 0) {
		uint32_t handles[2] = { c.jobs.handle, a.handle };
		struct drm_panfrost_submit s = {
			.jc = c.jobs.va, .bo_handles = (uintptr_t)handles, .bo_handle_count = 2,
			.in_syncs = (uintptr_t)&gate, .in_sync_count = 1, .out_sync = done,
		};

		put_write(&c, 0, a.va + 64, 1, true);
		a.p[16] = ~0U;
		CHECK(!call(c.fd, DRM_IOCTL_PANFROST_SUBMIT, &s));
		CHECK(!advise(c.fd, a.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
		hw_shrink();
		CHECK(hw_buffers() == base);
		gate_open(t);
		CHECK(sync_end(c.fd, done) == 1 && a.p[16] == written(1) && a.p[5] == 55);
	}
	CHECK(!advise(c.fd, a.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	/* a worker ends the job's use of it */
	CHECK(HW_SOON((hw_shrink(), hw_buffers() <= base - KIB(a))) && b.p[5] == 66);
	/* purged for good */
	CHECK(!advise(c.fd, a.handle, PANFROST_MADV_WILLNEED, &retained) && retained == 0);
	CHECK(!advise(c.fd, a.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 0);
	hw_shrink();
	/* nothing is mapped: a job faults */
	put_write(&c, 0, a.va, 1, true);
	c.data.p[0] = ~0U;
	CHECK(!submit_sync(&c, 0, 0, 0, done) && sync_end(c.fd, done) == hw_error(-EINVAL));
	CHECK(c.jobs.p[0] != 1);
	unmask_faults(&c);
	CHECK(job_works(&c, 3));
	/* the other one's memory is still there */
	put_write(&c, 0, b.va, 1, true);
	CHECK(!submit_with(&c, 0, b.handle) && !await(&c, 3000) && c.jobs.p[0] == 1);
	/* purged, then freed; purgeable, then freed; purgeable, and the file is closed */
	bo_free(c.fd, &a);
	CHECK(!bo_new(c.fd, 1 << 20, PANFROST_BO_NOEXEC, &a));
	CHECK(a.p[5] == 0);
	CHECK(!advise(c.fd, a.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	bo_free(c.fd, &a);
	hw_shrink();
	CHECK(!advise(c.fd, b.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	CHECK(job_works(&c, 4));
	client_close(&c);
	hw_shrink();
	munmap(b.p, b.size);
	CHECK(hw_buffers_are(before));
}

#define HEAP_MIB	8

/* Write to the heap at @mib. Return: whether the job ends well, before a timeout. */
static bool heap_write(struct client *c, struct bo *heap, uint32_t mib)
{
	uint32_t done = sync_new(c->fd);
	uint32_t handles[2] = { c->jobs.handle, heap->handle };
	struct drm_panfrost_submit s = {
		.jc = c->jobs.va, .bo_handles = (uintptr_t)handles, .bo_handle_count = 2,
		.out_sync = done,
	};
	unsigned int timeouts = hw_said(TIMED_OUT);
	bool good;

	put_write(c, 0, heap->va + mib * (1 << 20) + 0x1234, 0, true);
	good = !call(c->fd, DRM_IOCTL_PANFROST_SUBMIT, &s) && sync_end(c->fd, done) == 1 &&
	       c->jobs.p[0] == 1 && hw_said(TIMED_OUT) == timeouts;
	sync_free(c->fd, done);
	return good;
}

/* A heap that is all that a space has, so that there is no table of any level yet. */
static void heap_alone(void)
{
	uint32_t base = hw_buffers();
	int fd = open_device();
	struct bo heap;

	CHECK(!bo_new(fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	struct drm_panfrost_submit s = {
		.jc = heap.va, .bo_handles = (uintptr_t)&heap.handle, .bo_handle_count = 1,
	};
	CHECK(!call(fd, DRM_IOCTL_PANFROST_SUBMIT, &s) && !await_bo(fd, heap.handle, 3000));
	/* the job that is read there is none */
	CHECK(hw_buffers() == base + 2048);
	close(fd);
	CHECK(hw_buffers_are(base));
}

void test_heap_purge(void)
{
	uint32_t before = hw_buffers(), base, retained;
	struct client c;
	struct bo heap;

	heap_alone();
	CHECK(client_open(&c));
	base = hw_buffers();
	CHECK(!bo_new(c.fd, HEAP_MIB << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	CHECK(hw_buffers() == base);
	/* 2 MiB at a time, each once */
	CHECK(heap_write(&c, &heap, 3) && hw_buffers() == base + 2048);
	CHECK(heap_write(&c, &heap, 2) && hw_buffers() == base + 2048);
	CHECK(heap_write(&c, &heap, 7) && hw_buffers() == base + 4096);
	CHECK(heap_write(&c, &heap, 0) && hw_buffers() == base + 6144);
	/* the pages before and after it are not its own */
	put_write(&c, 0, heap.va + (HEAP_MIB << 20), 0, true);
	CHECK(!submit_with(&c, 0, heap.handle) && !await(&c, 3000) && c.jobs.p[0] != 1);
	unmask_faults(&c);
	CHECK(hw_buffers_are(base + 6144) && hw_buffers() == base + 6144);
	hw_shrink();
	CHECK(hw_buffers() == base + 6144);
	CHECK(!advise(c.fd, heap.handle, PANFROST_MADV_DONTNEED, &retained));
	hw_shrink();
	printf("# heap: retained %u, %u KiB are left of 6144\n", retained, hw_buffers() - base);
	bo_free(c.fd, &heap);
	CHECK(hw_buffers_are(base));
	/* another one at its address */
	CHECK(!bo_new(c.fd, HEAP_MIB << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	CHECK(heap_write(&c, &heap, 3) && hw_buffers() == base + 2048);
	CHECK(job_works(&c, 4));
	client_close(&c);
	CHECK(hw_buffers_are(before));
}

static bool is_purged(void *kib)
{
	return hw_buffers() <= *(uint32_t *)kib;
}

/*
 * By its name only, as lockdep reports once and other tests need it: memory that is purged because
 * there is none. lockdep learns which locks that may need.
 */
void test_reclaim(void)
{
	uint32_t retained, left;
	struct client c;
	struct bo b;

	if (access("/proc/lockdep_stats", F_OK)) {
		tap_skip("no lockdep", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	CHECK(!bo_new(c.fd, 2 << 20, PANFROST_BO_NOEXEC, &b));
	put_write(&c, 0, b.va, 1, true);
	CHECK(!submit_with(&c, 0, b.handle) && !await(&c, 3000));
	left = hw_buffers() - KIB(b);
	CHECK(!advise(c.fd, b.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	CHECK(hw_reclaims(is_purged, &left));
	bo_free(c.fd, &b);
	CHECK(job_works(&c, 1));
	client_close(&c);
	CHECK(!hw_said("possible circular locking") && !hw_said("inconsistent lock state"));
}

/* How often the driver has read what fault there is, after a time. */
static uint32_t faults_read(uint64_t after)
{
	FILE *log = hw_file("log");
	char what, name[64];
	uint32_t n = 0, value;
	uint64_t time;

	while (log && hw_next_access(log, &time, &what, name, &value))
		n += time > after && what == 'R' && !strcmp(name, "AS0_FAULTSTATUS");
	if (log)
		fclose(log);
	return n;
}

/* A fault that another core reports once more, when the heap has grown already. */
void test_refaults(void)
{
	uint32_t i, again = 0, good = 0;
	const char *race = getenv("RACE");
	char text[32] = "race 0";
	struct client c;
	struct bo heap;
	uint64_t time;

	CHECK(client_open(&c));
	CHECK(hw_inject("race 3"));
	for (i = 0; i < 80 && again < 2; i++) {
		if (i % 4 == 0)
			CHECK_ROUND(!bo_new(c.fd, HEAP_MIB << 20,
					    PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
		time = hw_log_time();
		good += heap_write(&c, &heap, i % 4 * 2);
		again += faults_read(time) > 1;
		if (i % 4 == 3)
			bo_free(c.fd, &heap);
	}
	if (race)
		snprintf(text, sizeof(text), "race %s", race);
	CHECK(hw_inject(text));
	printf("# %u of %u faults are reported again\n", again, i);
	/* a busy machine has timeouts */
	CHECK(again == 2 && (good == i || !hw_exact()));
	if (i % 4)
		bo_free(c.fd, &heap);
	/* later faults are handled */
	CHECK(!bo_new(c.fd, HEAP_MIB << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	for (i = 0, good = 0; i < HEAP_MIB / 2 && !good; i++)
		good = heap_write(&c, &heap, 2 * i);
	CHECK(good);
	bo_free(c.fd, &heap);
	CHECK(job_works(&c, 4));
	client_close(&c);
}

/* ---- the L2 cache ---- */

/* What jobs write is in the cache until the driver has it cleaned, and what they read is old. */
void test_write_back(void)
{
	struct drm_panfrost_perfcnt_enable e = { .enable = 1 };
	struct drm_panfrost_perfcnt_dump d;
	static uint32_t block[4 * 64];
	struct client c, other;
	struct bo heap;
	uint32_t i;

	if (!hw_inject("write-back 1")) {
		tap_skip("this host cannot", "%s", __func__);
		return;
	}
	CHECK(client_open(&c) && client_open(&other));
	for (i = 0; i < 4; i++) {
		CHECK(job_works(&c, i) && c.jobs.p[0] == 1);
		CHECK(job_works(&other, 10 + i) && other.jobs.p[0] == 1);
	}
	/* of both slots, and over suspend, where the cache loses power */
	c.data.p[1] = ~0U;
	put_write(&c, 0, c.data.va + 4, 5, true);
	CHECK(!submit_with(&c, PANFROST_JD_REQ_FS, 0) && !await(&c, 3000));
	CHECK(c.data.p[1] == written(5) && hw_suspends());
	CHECK(job_works(&c, 6));
	/* pages that come while a chain executes */
	CHECK(!bo_new(c.fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	c.data.p[2] = ~0U;
	put_write(&c, 0, c.data.va + 8, 7, false);
	put_write(&c, 1, heap.va + 12, 1, false);
	put_job(&c, 2, 1, 0);
	CHECK(!submit_with(&c, 0, heap.handle) && !await(&c, 3000));
	CHECK(c.data.p[2] == written(7) && c.jobs.p[16] == 1 && c.jobs.p[32] == 1);
	bo_free(c.fd, &heap);
	/* counters, which no job cleans */
	hw_write("/sys/module/panfrost/parameters/unstable_ioctls", "1");
	d = (struct drm_panfrost_perfcnt_dump){ .buf_ptr = (uintptr_t)block };
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e));
	CHECK(job_works(&c, 8));
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &d) && block[16] == 1);
	e.enable = 0;
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e));
	client_close(&other);
	CHECK(job_works(&c, 9));
	client_close(&c);
	CHECK(hw_inject("write-back 0"));
}
