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

void test_heap_purge(void)
{
	uint32_t before = hw_buffers(), base, retained;
	struct client c;
	struct bo heap;

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
