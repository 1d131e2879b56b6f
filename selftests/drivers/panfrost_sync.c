// SPDX-License-Identifier: GPL-2.0
/* Panfrost: fences of jobs and their errors, buffers that clients share. */
#include "panfrost_ko.h"

static int wait_long(void *client)
{
	return await(client, 900);
}

/* A job waits for its fences, and its own fence says how it ended. */
void test_fences(void)
{
	uint32_t gate[2], done, waits;
	struct client c;
	char name[80];
	int t[2], i;

	CHECK(client_open(&c));
	done = sync_new(c.fd);
	t[0] = gate_new(c.fd, &gate[0]);
	t[1] = gate_new(c.fd, &gate[1]);
	if (t[0] < 0 || t[1] < 0) {
		tap_skip("no sw_sync", "%s", __func__);
		client_close(&c);
		return;
	}
	/* two fences, one after the other */
	c.data.p[0] = ~0U;
	put_write(&c, 0, c.data.va, 0, true);
	struct drm_panfrost_submit s = {
		.jc = c.jobs.va, .in_syncs = (uintptr_t)gate, .in_sync_count = 2,
		.bo_handles = (uintptr_t)&c.jobs.handle, .bo_handle_count = 1, .out_sync = done,
	};
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_SUBMIT, &s));
	CHECK(sync_status_name(c.fd, done, name) == 0);
	printf("# %s\n", name);
	CHECK(!strcmp(name, "drm_sched pan_js"));
	CHECK(sync_wait(c.fd, done, 30) == ETIME && c.data.p[0] == ~0U);
	CHECK(await(&c, -1) == EBUSY || await(&c, 1) == ETIMEDOUT);
	CHECK(await_bo(c.fd, c.jobs.handle, -1) == EBUSY);
	CHECK(sig_ends(wait_long, &c));
	gate_open(t[0]);
	CHECK(sync_wait(c.fd, done, 30) == ETIME && c.data.p[0] == ~0U);
	gate_open(t[1]);
	CHECK(sync_end(c.fd, done) == 1 && c.data.p[0] == 0);
	/* a fence that is signalled is no reason to wait */
	waits = sync_new(c.fd);
	CHECK(!submit_sync(&c, 0, PANFROST_JD_REQ_FS, done, waits) && sync_end(c.fd, waits) == 1);
	/* faults of either slot, and what waits for them */
	for (i = 0; i < 2; i++) {
		put_write(&c, 8, 0xe0000000, 1, true);
		c.data.p[0] = ~0U;
		put_write(&c, 0, c.data.va, 0, true);
		CHECK(!submit_sync(&c, 8, i, 0, done));
		CHECK(!submit_sync(&c, 0, !i, done, waits));
		CHECK(sync_end(c.fd, done) == hw_error(-EINVAL));
		CHECK(sync_end(c.fd, waits) == 1 && c.data.p[0] == 0);
		unmask_faults(&c);
	}
	/* a timeout */
	for (i = 0; i < 2; i++) {
		put_loop(&c, 8);
		c.data.p[0] = ~0U;
		CHECK(!submit_sync(&c, 8, i, 0, done) && !submit_sync(&c, 0, !i, done, waits));
		CHECK(sync_end(c.fd, done) == -ECANCELED);
		CHECK(sync_end(c.fd, waits) == 1 && c.data.p[0] == 0);
	}
	CHECK(job_works(&c, 3));
	client_close(&c);
}

/* Fences of a buffer that two files have. */
void test_shared(void)
{
	uint32_t gate, done, retained, before = hw_buffers();
	struct drm_panfrost_submit s = {};
	struct drm_panfrost_get_bo_offset o = {};
	struct client a, b;
	struct bo mine;
	int t, buf;
	void *p;

	CHECK(client_open(&a) && client_open(&b));
	CHECK(!bo_new(a.fd, 65536, PANFROST_BO_NOEXEC, &mine));
	CHECK(!advise(a.fd, mine.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	CHECK(!advise(a.fd, mine.handle, PANFROST_MADV_WILLNEED, &retained) && retained == 1);
	buf = bo_export(a.fd, mine.handle);
	CHECK(buf >= 0);
	o.handle = bo_import(b.fd, buf);
	CHECK(o.handle && !call(b.fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &o) && o.offset);
	/* others need it */
	CHECK(advise(a.fd, mine.handle, PANFROST_MADV_DONTNEED, &retained) == EINVAL);
	CHECK(advise(b.fd, o.handle, PANFROST_MADV_DONTNEED, &retained) == EINVAL);
	p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, buf, 0);
	CHECK(p != MAP_FAILED);
	mine.p[100] = 77;
	CHECK(p != MAP_FAILED && ((uint32_t *)p)[100] == 77);
	munmap(p, 65536);
	/* b's job waits for a's, which waits for the gate; so do readers that have no job */
	t = gate_new(a.fd, &gate);
	if (t >= 0) {
		mine.p[0] = ~0U;
		put_write(&b, 0, o.offset, 9, true);
		put_job(&a, 0, 1, 0);
		s = (struct drm_panfrost_submit){
			.jc = a.jobs.va, .in_syncs = (uintptr_t)&gate, .in_sync_count = 1,
			.bo_handles = (uintptr_t)&mine.handle, .bo_handle_count = 1,
		};
		CHECK(bo_status(buf, false) && bo_status(buf, true));
		CHECK(!call(a.fd, DRM_IOCTL_PANFROST_SUBMIT, &s));
		CHECK(!bo_status(buf, false) && !bo_status(buf, true));
		done = sync_new(b.fd);
		s = (struct drm_panfrost_submit){
			.jc = b.jobs.va, .out_sync = done, .requirements = PANFROST_JD_REQ_FS,
			.bo_handles = (uintptr_t)&o.handle, .bo_handle_count = 1,
		};
		CHECK(!call(b.fd, DRM_IOCTL_PANFROST_SUBMIT, &s));
		CHECK(sync_wait(b.fd, done, 30) == ETIME && mine.p[0] == ~0U);
		CHECK(await_bo(b.fd, o.handle, 50) == ETIMEDOUT);
		gate_open(t);
		CHECK(sync_end(b.fd, done) == 1 && mine.p[0] == written(9));
		CHECK(!await_bo(a.fd, mine.handle, -1) && !await_bo(b.fd, o.handle, -1));
	}
	close(buf);
	/* it lives as long as one of them has it */
	bo_free(a.fd, &mine);
	put_write(&b, 0, o.offset, 9, true);
	CHECK(!submit_with(&b, 0, o.handle) && !await(&b, 3000) && b.jobs.p[0] == 1);
	CHECK(!advise(b.fd, o.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	client_close(&a);
	CHECK(job_works(&b, 2));
	client_close(&b);
	CHECK(hw_buffers_are(before));
}

/* A file has a buffer twice: a handle keeps its address until it is closed itself. */
void test_handles(void)
{
	struct drm_panfrost_get_bo_offset o = {};
	struct client c, other;
	uint32_t retained;
	struct bo b, again = {};
	bool kept;

	CHECK(client_on(&c, open_primary()) && client_open(&other));
	CHECK(!bo_new(c.fd, 16384, PANFROST_BO_NOEXEC, &b));
	again.handle = bo_again(c.fd, b.handle);
	CHECK(again.handle && again.handle != b.handle);
	CHECK(!bo_again(other.fd, other.data.handle));
	o.handle = again.handle;
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &o));
	b.p[0] = ~0U;
	put_write(&c, 0, o.offset, 1, true);
	CHECK(!submit_with(&c, 0, again.handle) && !await(&c, 3000) && b.p[0] == written(1));
	CHECK(advise(c.fd, b.handle, PANFROST_MADV_DONTNEED, &retained) == EINVAL);
	bo_free(c.fd, &b);
	put_write(&c, 0, o.offset, 2, true);
	CHECK(!submit_with(&c, 0, again.handle) && !await(&c, 3000));
	kept = c.jobs.p[0] == 1;
	if (!kept)
		unmask_faults(&c);
	hw_known(kept, "two-handles",
		 "the end of one handle takes the address that the other one was told");
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &o));
	put_write(&c, 0, o.offset, 3, true);
	CHECK(!submit_with(&c, 0, again.handle) && !await(&c, 3000) && c.jobs.p[0] == 1);
	CHECK(!advise(c.fd, again.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	bo_free(c.fd, &again);
	CHECK(job_works(&c, 4));
	client_close(&c);
	client_close(&other);
}

/* By its name only, as the kernel warns: a purgeable buffer is given to another file. */
void test_open_purgeable(void)
{
	struct client a, b;
	uint32_t retained;
	int buf;

	CHECK(client_open(&a) && client_open(&b));
	buf = bo_export(a.fd, a.data.handle);
	CHECK(!advise(a.fd, a.data.handle, PANFROST_MADV_DONTNEED, &retained) && retained == 1);
	CHECK(bo_import(b.fd, buf));
	close(buf);
	client_close(&a);
	client_close(&b);
	hw_known(!hw_said("panfrost_gem_open+"), "open-purgeable",
		 "the kernel warns when a file opens a purgeable buffer");
}

/* ---- buffers of another device ---- */

struct vgem_create {
	uint32_t height, width, bpp, flags, handle, pitch;
	uint64_t size;
};

static int open_vgem(void)
{
	char path[40];
	int i, fd;

	if (system("modprobe vgem 2>/dev/null"))
		return -1;
	for (i = 0; i < 4; i++) {
		char name[32] = "";
		struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && !ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, "vgem"))
			return fd;
		close(fd);
	}
	return -1;
}

void test_foreign(void)
{
	struct vgem_create create = { .height = 64, .width = 256, .bpp = 32 };
	struct drm_panfrost_get_bo_offset o = {};
	struct drm_mode_map_dumb map = {};
	struct client c;
	struct bo heap;
	int other = open_vgem(), buf;
	uint32_t *p;

	if (other < 0) {
		tap_skip("no vgem", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	CHECK(!call(other, DRM_IOCTL_MODE_CREATE_DUMB, &create));
	map.handle = create.handle;
	CHECK(!call(other, DRM_IOCTL_MODE_MAP_DUMB, &map));
	p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, other, map.offset);
	CHECK(p != MAP_FAILED);
	p[1000] = ~0U;
	buf = bo_export(other, create.handle);
	o.handle = bo_import(c.fd, buf);
	CHECK(o.handle && !call(c.fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &o));
	/* the GPU writes to it */
	put_write(&c, 0, o.offset + 4000, 4, true);
	CHECK(!submit_with(&c, 0, o.handle) && !await(&c, 3000) && p[1000] == written(4));
	memcpy(p, program(), 16);
	CHECK(run_program(&c, o.offset, o.handle) == NOT_CODE);
	unmask_faults(&c);
	close(buf);
	/* a buffer without pages cannot be exported */
	CHECK(!bo_new(c.fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	buf = bo_export(c.fd, heap.handle);
	CHECK(buf < 0 || !bo_import(other, buf));
	close(buf);
	/* the other direction */
	buf = bo_export(c.fd, c.data.handle);
	CHECK(buf >= 0 && bo_import(other, buf));
	close(buf);
	munmap(p, 65536);
	close(other);
	CHECK(job_works(&c, 5));
	client_close(&c);
}
