// SPDX-License-Identifier: GPL-2.0
/*
 * Devices that present themselves as the panfrost driver's: its ioctls and their errors, the
 * life of buffers and of their addresses, implicit and explicit synchronisation, faults.
 *
 * Needs a device with each of the personalities panfrost:t860 and panfrost:g52.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "pan_sizes.h"
#include "vshader_test.h"
#include "vst_panfrost.h"

#define HEAP_SIZE	(128U << 20)
#define HEAP_FLAGS	(PANFROST_BO_HEAP | PANFROST_BO_NOEXEC)
#define NO_HANDLE	9999
#define MAX_BUFFERS	40000

FIXTURE(panfrost) {
	int fd;
	struct vst_pf_bo bo;
};

FIXTURE_VARIANT(panfrost) {
	const struct vst_mali_arch *arch;
	__u32 id;
};

FIXTURE_VARIANT_ADD(panfrost, t860) {
	.arch = &vst_mali_midgard,
	.id = 0x860,
};

FIXTURE_VARIANT_ADD(panfrost, g52) {
	.arch = &vst_mali_bifrost,
	.id = 0x7212,
};

FIXTURE_SETUP(panfrost)
{
	self->fd = vst_pf_open(variant->id);
	if (self->fd == -ENODEV)
		SKIP(return, "no device with personality panfrost and chip 0x%x", variant->id);
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &self->bo));
}

FIXTURE_TEARDOWN(panfrost)
{
	if (self->fd >= 0)
		close(self->fd);
}

/* ---- what it says of itself ---- */

TEST_F(panfrost, version)
{
	int minor = 0;

	EXPECT_TRUE(vst_pf_is(self->fd, &minor));
	EXPECT_EQ(6, minor);
}

static void size_result(bool ok, const char *name, void *failed)
{
	if (ok)
		return;
	printf("# sizes of %s\n", name);
	++*(int *)failed;
}

/* Arguments of all sizes; "vshader gl" has the same test. */
TEST_F(panfrost, sizes)
{
	struct pan_objects o = { .bo = self->bo.handle, .va = self->bo.va };
	struct drm_syncobj_array array = { .handles = PTR(&o.sync), .count_handles = 1 };
	struct drm_syncobj_handle file = { 0 };
	int failed = 0;

	ASSERT_EQ(0, o.va & 0xffffff);
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	ASSERT_EQ(0, vst_prime_export(self->fd, o.bo, &o.bo_fd));
	ASSERT_EQ(0, vst_syncobj(self->fd, &o.sync));
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &array));
	ASSERT_EQ(0, vst_syncobj(self->fd, &o.timeline));
	file.handle = o.sync;
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file));
	o.sync_fd = file.fd;
	pan_all_sizes(self->fd, &o, size_result, &failed);
	EXPECT_EQ(0, failed);
	close(o.bo_fd);
	close(o.sync_fd);
}

TEST_F(panfrost, parameters)
{
	struct drm_panfrost_get_param arg = { .pad = 1 };
	__u64 value;
	__u32 i;

	EXPECT_EQ(0, vst_pf_param(self->fd, DRM_PANFROST_PARAM_GPU_PROD_ID, &value));
	EXPECT_EQ(variant->id, value);
	EXPECT_EQ(0, vst_pf_param(self->fd, DRM_PANFROST_PARAM_SHADER_PRESENT, &value));
	EXPECT_EQ(1, value);
	/* no compressed framebuffers */
	EXPECT_EQ(0, vst_pf_param(self->fd, DRM_PANFROST_PARAM_AFBC_FEATURES, &value));
	EXPECT_EQ(1, value);
	for (i = 0; i <= PF_PARAM_COHERENCY; i++)
		EXPECT_EQ(0, vst_pf_param(self->fd, i, &value));
	EXPECT_EQ(-EINVAL, vst_pf_param(self->fd, PF_PARAM_COHERENCY + 1, &value));
	EXPECT_EQ(-EINVAL, vst_pf_param(self->fd, 0x1000, &value));
	EXPECT_EQ(-EINVAL, vst_pf_param(self->fd, ~0U, &value));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_GET_PARAM, &arg));
}

TEST_F(panfrost, no_counters)
{
	struct drm_panfrost_perfcnt_enable enable = { .enable = 1 };
	struct drm_panfrost_perfcnt_dump dump = { 0 };

	EXPECT_EQ(-ENOSYS, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &enable));
	EXPECT_EQ(-ENOSYS, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &dump));
}

TEST_F(panfrost, no_ioctls_of_vshader)
{
	/* the numbers of the others are those of the panfrost driver's, too */
	struct drm_vshader_debug_attach args = { .queue_id = 1 };

	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_DEBUG_ATTACH, &args));
}

/* The panfrost driver leaves them to the DRM core. */
TEST_F(panfrost, unknown_ioctl)
{
	char arg[256] = { 0 };
	unsigned int nr;

	for (nr = PAN_NR_QUERY_BO_INFO - DRM_COMMAND_BASE + 1; nr < 0x60; nr++) {
		EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, _IOC(_IOC_READ | _IOC_WRITE, 'd',
							    DRM_COMMAND_BASE + nr, sizeof(arg)),
					     arg))
			TH_LOG("ioctl %x", nr);
	}
}

/* ---- buffers ---- */

TEST_F(panfrost, buffers)
{
	struct vst_pf_bo a, b;
	__u64 va;

	ASSERT_EQ(0, vst_pf_create(self->fd, 100, PANFROST_BO_NOEXEC, &a));
	ASSERT_EQ(0, vst_pf_create(self->fd, 3 * PAGE, PANFROST_BO_NOEXEC, &b));
	EXPECT_NE(0, a.va);
	EXPECT_EQ(0, a.va % PAGE);
	EXPECT_TRUE(a.va + PAGE <= b.va || b.va + 3 * PAGE <= a.va);
	EXPECT_EQ(0, vst_pf_offset_of(self->fd, b.handle, &va));
	EXPECT_EQ(b.va, va);
	EXPECT_EQ(0, vst_bo_close(self->fd, b.handle));
	EXPECT_EQ(-ENOENT, vst_pf_offset_of(self->fd, b.handle, &va));
	/* addresses of one that is gone are free */
	ASSERT_EQ(0, vst_pf_create(self->fd, 3 * PAGE, PANFROST_BO_NOEXEC, &a));
	EXPECT_EQ(b.va, a.va);
}

TEST_F(panfrost, bad_buffers)
{
	struct drm_panfrost_create_bo pad = { .size = PAGE, .pad = 1 };
	struct drm_panfrost_mmap_bo flags = { .handle = self->bo.handle, .flags = 1 };
	struct vst_pf_bo b;

	EXPECT_EQ(-EINVAL, vst_pf_create(self->fd, 0, 0, &b));
	EXPECT_EQ(-EINVAL, vst_pf_create(self->fd, PAGE, 8, &b));
	EXPECT_EQ(-EINVAL, vst_pf_create(self->fd, PAGE, HEAP_FLAGS | PF_WB_MMAP, &b));
	EXPECT_EQ(-EINVAL, vst_pf_create(self->fd, PAGE, PANFROST_BO_HEAP, &b));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_CREATE_BO, &pad));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_MMAP_BO, &flags));
	flags.flags = 0;
	flags.handle = NO_HANDLE;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_MMAP_BO, &flags));
}

/* Programs are within 16 MiB, whose addresses share the upper bits. */
TEST_F(panfrost, programs_do_not_cross)
{
	static const __u32 sizes[] = { PAGE, 3 << 20, 5 << 20, 7 << 20, 9 << 20, PAGE, 13 << 20 };
	struct vst_pf_bo b;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_EQ(0, vst_pf_create(self->fd, sizes[i], 0, &b));
		EXPECT_EQ(b.va >> 24, (b.va + sizes[i] - 1) >> 24);
	}
}

TEST_F(panfrost, heap)
{
	struct vst_pf_bo heap, next;

	ASSERT_EQ(0, vst_pf_create(self->fd, HEAP_SIZE, HEAP_FLAGS, &heap));
	EXPECT_EQ(-EINVAL, vst_pf_map_bo(self->fd, &heap));
	ASSERT_EQ(0, vst_pf_create(self->fd, PAGE, PANFROST_BO_NOEXEC, &next));
	EXPECT_TRUE(next.va < heap.va || next.va >= heap.va + HEAP_SIZE);
	vst_pf_put_zero(&self->bo, PF_JOB_AT, heap.va + PAGE, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

/* A job writes another past the memory that a heap has from the beginning; this one runs, too. */
TEST_F(panfrost, heap_grows)
{
	struct vst_pf_bo *b = &self->bo, heap;
	__u64 at;

	ASSERT_EQ(0, vst_pf_create(self->fd, HEAP_SIZE, HEAP_FLAGS, &heap));
	at = heap.va + HEAP_SIZE - (1 << 20);
	vst_pf_put_copy(b, variant->arch);
	vst_pf_put_zero(b, PF_FROM_AT, b->va + PF_TO_AT, 0);
	vst_pf_w64(b, PF_PUSH_AT + 8, at);
	vst_pf_w64(b, PF_TO_AT, ~0ULL);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, b, b->va));
	EXPECT_EQ(~0U, b->u32[PF_TO_AT / 4]);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, b, at));
	EXPECT_EQ(0, b->u32[PF_TO_AT / 4]);
	/* the last address, and the next one */
	vst_pf_put_zero(b, PF_JOB_AT, heap.va + HEAP_SIZE - 8, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, b, b->va));
	vst_pf_put_zero(b, PF_JOB_AT, heap.va + HEAP_SIZE, 0);
	EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, b, b->va));
}

/* All addresses: an error, and none is lost. */
TEST_F(panfrost, out_of_addresses)
{
	struct vst_pf_bo heap[4];
	unsigned int n, round, last = 0;

	for (round = 0; round < 2; round++) {
		for (n = 0; n < 4; n++) {
			int ret = vst_pf_create(self->fd, ~0U & ~4095U,
					 PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap[n]);

			/* nearly 4 GiB: beside the buffer of the fixture there is no room */
			EXPECT_EQ(-ENOSPC, ret);
			ret = vst_pf_create(self->fd, 1 << 30, HEAP_FLAGS, &heap[n]);
			if (ret) {
				EXPECT_EQ(-ENOSPC, ret);
				break;
			}
		}
		EXPECT_EQ(3, n);
		EXPECT_TRUE(!round || n == last);
		last = n;
		while (n--)
			EXPECT_EQ(0, vst_bo_close(self->fd, heap[n].handle));
	}
}

TEST_F(panfrost, heaps_are_of_granules)
{
	struct vst_pf_bo a, b;

	ASSERT_EQ(0, vst_pf_create(self->fd, PAGE, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &a));
	ASSERT_EQ(0, vst_pf_create(self->fd, 2 << 20, PANFROST_BO_NOEXEC, &b));
	EXPECT_TRUE(b.va >= a.va + (2 << 20) || b.va + (2 << 20) <= a.va);
	/* all of it has memory */
	vst_pf_put_zero(&self->bo, PF_JOB_AT, a.va + (2 << 20) - 8, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_F(panfrost, advice)
{
	__u32 retained = 0;

	EXPECT_EQ(0, vst_pf_advise(self->fd, self->bo.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(1, retained);
	retained = 0;
	EXPECT_EQ(0, vst_pf_advise(self->fd, self->bo.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	/* no effect */
	EXPECT_EQ(0, vst_pf_advise(self->fd, self->bo.handle, 2, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(-ENOENT, vst_pf_advise(self->fd, NO_HANDLE, 0, &retained));
}

/* Memory that is not needed goes when the kernel wants memory; the addresses stay. */
TEST_F(panfrost, purge)
{
	__u32 retained = 1;
	struct vst_pf_bo b;
	int status;
	pid_t pid;
	__u64 va;

	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, 16 * PAGE, &b));
	self->bo.u32[PF_TO_AT / 4] = 0x1234;
	if (!vst_pf_purge(self->fd, b.handle, &retained))
		SKIP(return, "%s cannot be written", PF_DROP_CACHES);
	ASSERT_EQ(0, retained);
	EXPECT_EQ(0, vst_pf_advise(self->fd, b.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(0, retained);
	EXPECT_EQ(0, vst_pf_advise(self->fd, self->bo.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(0x1234, self->bo.u32[PF_TO_AT / 4]);
	EXPECT_EQ(0, vst_pf_offset_of(self->fd, b.handle, &va));
	EXPECT_EQ(b.va, va);
	/* there is nothing for jobs and for the CPU */
	vst_pf_put_zero(&self->bo, PF_JOB_AT, b.va, 0);
	EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		b.u32[0] = 1;
		_exit(0);
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	/* and the file works on */
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(0, vst_bo_close(self->fd, b.handle));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, 16 * PAGE, &b));
	vst_pf_put_zero(&self->bo, PF_JOB_AT, b.va, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

/* A buffer that a waiting job names, or that was exported, is kept. */
TEST_F(panfrost, no_purge)
{
	__u32 in, retained = 0, imported;
	struct vst_pf_bo idle, shared;
	struct vst_gate g;
	int fd, dmabuf;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &idle));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &shared));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_prime_export(self->fd, shared.handle, &dmabuf));
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	self->bo.u32[PF_TO_AT / 4] = ~0U;
	EXPECT_EQ(0, vst_pf_submit(self->fd, self->bo.va, &self->bo.handle, 1, in, 0, 0));
	EXPECT_EQ(0, vst_pf_advise(self->fd, self->bo.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(0, vst_pf_advise(self->fd, shared.handle, PANFROST_MADV_DONTNEED, &retained));
	if (!vst_pf_purge(self->fd, idle.handle, &retained)) {
		EXPECT_EQ(0, vst_gate_open(&g));
		SKIP(return, "%s cannot be written", PF_DROP_CACHES);
	}
	EXPECT_EQ(0, retained);
	EXPECT_EQ(0, vst_pf_advise(self->fd, self->bo.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(0, vst_pf_advise(self->fd, shared.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[PF_TO_AT / 4]);
	/* one that two files have is needed */
	fd = vst_pf_open(variant->id);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vst_prime_import(fd, dmabuf, &imported));
	EXPECT_EQ(-EINVAL,
		  vst_pf_advise(self->fd, shared.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(-EINVAL, vst_pf_advise(fd, imported, PANFROST_MADV_DONTNEED, &retained));
	close(dmabuf);
	close(fd);
	vst_gate_free(&g);
}

/* ---- jobs ---- */

TEST_F(panfrost, compute)
{
	unsigned int i;

	vst_pf_put_copy(&self->bo, variant->arch);
	ASSERT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	for (i = 0; i < PF_WORDS; i++)
		EXPECT_EQ(0x1000 + i, self->bo.u32[PF_TO_AT / 4 + i]);
	EXPECT_EQ(0, self->bo.u32[PF_TO_AT / 4 + PF_WORDS]);
}

/* A buffer that comes later is there for the next job, one that has gone is not. */
TEST_F(panfrost, buffers_come_and_go)
{
	struct vst_pf_bo b;

	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &b));
	b.u32[0] = ~0U;
	vst_pf_put_zero(&self->bo, PF_JOB_AT, b.va, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(0, b.u32[0]);
	EXPECT_EQ(0, vst_bo_close(self->fd, b.handle));
	EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_F(panfrost, faults_do_not_ban)
{
	unsigned int i;

	for (i = 0; i < 5; i++) {
		EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, &self->bo, 0x1000));
		vst_pf_put_zero(&self->bo, PF_JOB_AT, 0x1000, 0);
		EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	}
	vst_pf_put_copy(&self->bo, variant->arch);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(0x1000, self->bo.u32[PF_TO_AT / 4]);
}

/* A program that another buffer flags as data is not executed. */
TEST_F(panfrost, noexec)
{
	struct vst_pf_bo b;

	ASSERT_EQ(0, vst_pf_create(self->fd, PAGE, PANFROST_BO_NOEXEC, &b));
	ASSERT_EQ(0, vst_pf_map_bo(self->fd, &b));
	vst_pf_put_copy(&b, variant->arch);
	EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, &b, b.va));
	EXPECT_EQ(0, b.u32[PF_TO_AT / 4]);
}

TEST_F(panfrost, bad_submits)
{
	__u32 handle = self->bo.handle, no_handle = NO_HANDLE, sync;
	struct drm_panfrost_submit arg = { .jc = self->bo.va };
	__u64 jc = self->bo.va;

	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	EXPECT_EQ(-EINVAL, vst_pf_submit(self->fd, 0, &handle, 1, 0, 0, 0));
	EXPECT_EQ(-EINVAL, vst_pf_submit(self->fd, jc, &handle, 1, 0, 0, 4));
	EXPECT_EQ(-ENOENT, vst_pf_submit(self->fd, jc, &no_handle, 1, 0, 0, 0));
	EXPECT_EQ(-ENODEV, vst_pf_submit(self->fd, jc, &handle, 1, 0, NO_HANDLE, 0));
	EXPECT_EQ(-ENOENT, vst_pf_submit(self->fd, jc, &handle, 1, NO_HANDLE, 0, 0));
	/* nothing that it could wait for */
	ASSERT_EQ(0, vst_syncobj(self->fd, &sync));
	EXPECT_EQ(-EINVAL, vst_pf_submit(self->fd, jc, &handle, 1, sync, 0, 0));
	arg.bo_handle_count = 1;
	arg.bo_handles = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_SUBMIT, &arg));
	arg.bo_handle_count = 0;
	arg.in_sync_count = 1;
	arg.in_syncs = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_SUBMIT, &arg));
	arg.in_sync_count = ~0U;
	EXPECT_EQ(-E2BIG, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_SUBMIT, &arg));
	arg.in_sync_count = 0;
	arg.bo_handle_count = ~0U;
	EXPECT_EQ(-E2BIG, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_SUBMIT, &arg));
	arg.bo_handle_count = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_SUBMIT, &arg));
}

/* ---- versions 1.3 to 1.6 ---- */

/* The parameter's clock and the jobs' are one; without the requirement there is none. */
TEST_F(panfrost, timestamps)
{
	__u64 frequency, before, after, stamp;

	EXPECT_EQ(0, vst_pf_param(self->fd, PF_PARAM_FREQUENCY, &frequency));
	EXPECT_EQ(1000000000, frequency);
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	vst_pf_w32(&self->bo, PF_JOB_AT + 40, 2);
	EXPECT_EQ(0, vst_pf_param(self->fd, PF_PARAM_TIMESTAMP, &before));
	EXPECT_EQ(0, vst_pf_submit(self->fd, self->bo.va, &self->bo.handle, 1, 0, 0,
				   PF_CYCLE_COUNT));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, vst_pf_param(self->fd, PF_PARAM_TIMESTAMP, &after));
	memcpy(&stamp, self->bo.u8 + PF_TO_AT, sizeof(stamp));
	EXPECT_LE(before, stamp);
	EXPECT_LE(stamp, after);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(1, self->bo.u32[PF_TO_AT / 4]);
}

static int set_label(int fd, __u32 handle, __u64 text)
{
	__u64 arg[2] = { handle, text };

	return pan_call(fd, PAN_NR_SET_LABEL_BO, sizeof(arg), arg);
}

/* The label is seen in debugfs; a long one is charged to the client. */
TEST_F(panfrost, labels)
{
	static const char seen[] = "vertices of test_panfrost";
	static char text[4200], path[64], list[1 << 16];
	bool found = false;
	int i, n;

	EXPECT_EQ(0, set_label(self->fd, self->bo.handle, PTR(seen)));
	for (i = 0; i < 16 && !found; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%d/gems", i);
		n = vst_read_file(path, list, sizeof(list) - 1);
		list[n > 0 ? n : 0] = 0;
		found = strstr(list, seen);
	}
	if (access("/sys/kernel/debug/dri", R_OK))
		TH_LOG("no debugfs");
	else
		EXPECT_TRUE(found);
	memset(text, 'x', 4095);
	for (i = 0; i < 100; i++)
		EXPECT_EQ(0, set_label(self->fd, self->bo.handle, PTR(text)));
	EXPECT_EQ(0, set_label(self->fd, self->bo.handle, PTR(seen)));
	text[4095] = 'x';
	EXPECT_EQ(-E2BIG, set_label(self->fd, self->bo.handle, PTR(text)));
	EXPECT_EQ(-EFAULT, set_label(self->fd, self->bo.handle, 16));
	EXPECT_EQ(-ENOENT, set_label(self->fd, NO_HANDLE, 16));
	EXPECT_EQ(0, set_label(self->fd, self->bo.handle, 0));
}

static int call_ctx(int fd, unsigned int nr, __u32 *handle, __u32 arg)
{
	__u32 args[2] = { *handle, arg };
	int ret = pan_call(fd, nr, sizeof(args), args);

	*handle = args[0];
	return ret;
}

static int submit_to(int fd, const struct vst_pf_bo *bo, __u32 ctx, __u32 in)
{
	struct {
		struct drm_panfrost_submit s;
		__u32 more[2];
	} arg = {
		.s.jc = bo->va,
		.s.bo_handles = PTR(&bo->handle),
		.s.bo_handle_count = 1,
		.s.in_syncs = PTR(&in),
		.s.in_sync_count = !!in,
		.more = { ctx },
	};

	return pan_call(fd, _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT), 48, &arg);
}

TEST_F(panfrost, contexts)
{
	__u32 low = 0, high = 0, none = 0, i;
	__u64 allowed;

	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	self->bo.u32[PF_TO_AT / 4] = ~0U;
	EXPECT_EQ(0, vst_pf_param(self->fd, PF_PARAM_PRIORITIES, &allowed));
	EXPECT_EQ(3, allowed & 3);
	EXPECT_EQ(-EINVAL, call_ctx(self->fd, PAN_NR_JM_CTX_CREATE, &none, 3));
	EXPECT_EQ(allowed & 4 ? 0 : -EACCES, call_ctx(self->fd, PAN_NR_JM_CTX_CREATE, &high, 2));
	ASSERT_EQ(0, call_ctx(self->fd, PAN_NR_JM_CTX_CREATE, &low, 0));
	EXPECT_EQ(0, submit_to(self->fd, &self->bo, low, 0));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[PF_TO_AT / 4]);
	EXPECT_EQ(-EINVAL, submit_to(self->fd, &self->bo, 65, 0));
	EXPECT_EQ(-EINVAL, submit_to(self->fd, &self->bo, ~0U, 0));
	EXPECT_EQ(-EINVAL, call_ctx(self->fd, PAN_NR_JM_CTX_DESTROY, &low, 1));
	EXPECT_EQ(-EINVAL, call_ctx(self->fd, PAN_NR_JM_CTX_DESTROY, &none, 0));
	EXPECT_EQ(0, call_ctx(self->fd, PAN_NR_JM_CTX_DESTROY, &low, 0));
	EXPECT_EQ(-EINVAL, call_ctx(self->fd, PAN_NR_JM_CTX_DESTROY, &low, 0));
	EXPECT_EQ(-EINVAL, submit_to(self->fd, &self->bo, low, 0));
	/* 65 with the file's own */
	for (i = allowed & 4 ? 2 : 1; i <= 64; i++)
		EXPECT_EQ(0, call_ctx(self->fd, PAN_NR_JM_CTX_CREATE, &none, 1));
	EXPECT_EQ(-EBUSY, call_ctx(self->fd, PAN_NR_JM_CTX_CREATE, &none, 1));
}

/* Jobs of a context that is destroyed are cancelled, those of others are not. */
TEST_F(panfrost, destroyed_context)
{
	struct vst_pf_bo other;
	struct vst_gate g;
	__u32 ctx = 0, in;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, call_ctx(self->fd, PAN_NR_JM_CTX_CREATE, &ctx, 1));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &other));
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	vst_pf_put_zero(&other, PF_JOB_AT, other.va + PF_TO_AT, 0);
	self->bo.u32[PF_TO_AT / 4] = ~0U;
	other.u32[PF_TO_AT / 4] = ~0U;
	EXPECT_EQ(0, submit_to(self->fd, &self->bo, ctx, in));
	EXPECT_EQ(0, submit_to(self->fd, &other, 0, in));
	EXPECT_EQ(0, call_ctx(self->fd, PAN_NR_JM_CTX_DESTROY, &ctx, 0));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, other.handle));
	EXPECT_EQ(~0U, self->bo.u32[PF_TO_AT / 4]);
	EXPECT_EQ(0, other.u32[PF_TO_AT / 4]);
	vst_gate_free(&g);
}

static int query_info(int fd, __u32 handle, __u32 *extra, __u32 *flags)
{
	__u32 arg[4] = { handle, 1, 1, 1 };
	int ret = pan_call(fd, PAN_NR_QUERY_BO_INFO, sizeof(arg), arg);

	*extra = arg[1];
	*flags = arg[2];
	return ret;
}

TEST_F(panfrost, buffer_info)
{
	__u32 extra, flags, imported;
	struct vst_pf_bo heap;
	struct vst_gate g;

	ASSERT_EQ(0, vst_pf_create(self->fd, HEAP_SIZE, HEAP_FLAGS, &heap));
	EXPECT_EQ(0, query_info(self->fd, self->bo.handle, &extra, &flags));
	EXPECT_EQ(0, extra);
	EXPECT_EQ(PF_WB_MMAP, flags);
	EXPECT_EQ(0, query_info(self->fd, heap.handle, &extra, &flags));
	EXPECT_EQ(HEAP_FLAGS | PF_WB_MMAP, flags);
	EXPECT_EQ(-ENOENT, query_info(self->fd, NO_HANDLE, &extra, &flags));
	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_prime_import(self->fd, g.dmabuf, &imported));
	EXPECT_EQ(0, query_info(self->fd, imported, &extra, &flags));
	EXPECT_EQ(1, extra);
	EXPECT_EQ(0, flags);
	vst_gate_free(&g);
}

static int sync_bo(int fd, __u64 ops, __u32 n, __u32 pad)
{
	__u64 arg[2] = { ops, n | (__u64)pad << 32 };

	return pan_call(fd, PAN_NR_SYNC_BO, sizeof(arg), arg);
}

TEST_F(panfrost, sync_bo)
{
	__u32 op[8] = { self->bo.handle, 0, 0, PAGE, self->bo.handle, 1, 100, 0 };

	EXPECT_EQ(0, sync_bo(self->fd, 0, 0, 0));
	EXPECT_EQ(-EINVAL, sync_bo(self->fd, 0, 0, 1));
	EXPECT_EQ(0, sync_bo(self->fd, PTR(op), 2, 0));
	EXPECT_EQ(-EFAULT, sync_bo(self->fd, BAD_PTR, 1, 0));
	EXPECT_EQ(-E2BIG, sync_bo(self->fd, PTR(op), ~0U, 0));
	op[7] = PAGE;
	EXPECT_EQ(-EINVAL, sync_bo(self->fd, PTR(op), 2, 0));
	op[7] = ~0U;
	EXPECT_EQ(-EINVAL, sync_bo(self->fd, PTR(op), 2, 0));
	op[7] = 0;
	op[5] = 2;
	EXPECT_EQ(-EINVAL, sync_bo(self->fd, PTR(op), 2, 0));
	op[0] = NO_HANDLE;
	EXPECT_EQ(-ENOENT, sync_bo(self->fd, PTR(op), 2, 0));
}

TEST_F(panfrost, timelines)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_SYNCOBJ_TIMELINE };

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_CAP, &cap));
	EXPECT_EQ(1, cap.value);
}

/* ---- synchronisation ---- */

TEST_F(panfrost, wait_bad)
{
	struct drm_panfrost_wait_bo arg = { .handle = self->bo.handle, .pad = 1 };

	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_WAIT_BO, &arg));
	EXPECT_EQ(-ENOENT, vst_pf_wait_bo(self->fd, NO_HANDLE, 0));
	EXPECT_EQ(0, vst_pf_wait_bo(self->fd, self->bo.handle, 0));
}

/* A job that waits for a fence keeps the buffers busy that it names, and only these. */
static int inject(const char *dir, const char *file, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return vst_write_file(path, value);
}

/* EBUSY that has another reason than a full queue is not waited for. */
TEST_F(panfrost, injected_ebusy)
{
	char dir[64];
	struct stat st;

	ASSERT_EQ(0, fstat(self->fd, &st));
	snprintf(dir, sizeof(dir), "/sys/kernel/debug/dri/%u/fail_submit", minor(st.st_rdev));
	if (inject(dir, "times", "-1"))
		SKIP(return, "kernel without CONFIG_FAULT_INJECTION_DEBUG_FS");
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	ASSERT_EQ(0, inject(dir, "errno", "16"));
	ASSERT_EQ(0, inject(dir, "probability", "100"));
	EXPECT_EQ(-EBUSY, vst_pf_submit(self->fd, self->bo.va, &self->bo.handle, 1, 0, 0, 0));
	ASSERT_EQ(0, inject(dir, "probability", "0"));
	ASSERT_EQ(0, inject(dir, "times", "1"));
	ASSERT_EQ(0, inject(dir, "errno", "12"));
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_F(panfrost, waits)
{
	struct vst_pf_bo other;
	struct vst_gate g;
	__u32 in, out;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &other));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	self->bo.u32[PF_TO_AT / 4] = ~0U;
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	EXPECT_EQ(0, vst_pf_submit(self->fd, self->bo.va, &self->bo.handle, 1, in, out, 0));
	EXPECT_EQ(-EBUSY, vst_pf_wait_bo(self->fd, self->bo.handle, 0));
	EXPECT_EQ(-ETIMEDOUT, vst_pf_wait_bo(self->fd, self->bo.handle, vst_pf_after_ms(20)));
	EXPECT_EQ(0, vst_pf_wait_bo(self->fd, other.handle, 0));
	EXPECT_EQ(~0U, self->bo.u32[PF_TO_AT / 4]);
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[PF_TO_AT / 4]);
	EXPECT_EQ(0, vst_fence_status(self->fd, out));
	vst_gate_free(&g);
}

/* Jobs of both queues and with a buffer in common are in order; other jobs overtake. */
TEST_F(panfrost, implicit_order)
{
	struct vst_pf_bo shared, first, other;
	struct vst_gate g;
	__u32 in, handles[2];

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &shared));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &first));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &other));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	vst_pf_put_zero(&first, PF_JOB_AT, shared.va, 0);
	vst_pf_put_zero(&self->bo, PF_JOB_AT, shared.va + 64, 0);
	vst_pf_put_zero(&other, PF_JOB_AT, other.va + PF_TO_AT, 0);
	shared.u32[0] = 1;
	shared.u32[16] = 1;
	other.u32[PF_TO_AT / 4] = 1;
	handles[0] = shared.handle;
	handles[1] = first.handle;
	EXPECT_EQ(0, vst_pf_submit(self->fd, first.va, handles, 2, in, 0, 0));
	/* the same buffer twice is one */
	handles[1] = shared.handle;
	EXPECT_EQ(0, vst_pf_submit(self->fd, self->bo.va, handles, 2, 0, 0, PANFROST_JD_REQ_FS));
	EXPECT_EQ(0, vst_pf_submit(self->fd, other.va, &other.handle, 1, 0, 0, PANFROST_JD_REQ_FS));
	EXPECT_EQ(-EBUSY, vst_pf_wait_bo(self->fd, shared.handle, 0));
	EXPECT_EQ(1, shared.u32[16]);
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, shared.handle));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, other.handle));
	EXPECT_EQ(0, shared.u32[0] | shared.u32[16] | other.u32[PF_TO_AT / 4]);
	vst_gate_free(&g);
}

/* ---- sharing, other files ---- */

TEST_F(panfrost, files_are_apart)
{
	struct vst_pf_bo b;
	__u64 va;
	int fd;

	fd = vst_pf_open(variant->id);
	ASSERT_LE(0, fd);
	/* the first of each file: the same address, other memory */
	ASSERT_EQ(0, vst_pf_create_mapped(fd, PAGE, &b));
	EXPECT_EQ(self->bo.va, b.va);
	EXPECT_EQ(-ENOENT, vst_pf_offset_of(fd, NO_HANDLE, &va));
	b.u32[PF_TO_AT / 4] = 1;
	self->bo.u32[PF_TO_AT / 4] = 1;
	vst_pf_put_zero(&b, PF_JOB_AT, b.va + PF_TO_AT, 0);
	EXPECT_EQ(0, vst_pf_run_chain(fd, &b, b.va));
	EXPECT_EQ(0, b.u32[PF_TO_AT / 4]);
	EXPECT_EQ(1, self->bo.u32[PF_TO_AT / 4]);
	close(fd);
}

TEST_F(panfrost, prime)
{
	__u32 imported, again;
	struct vst_gate g;
	int fd, dmabuf;
	__u64 va;
	__u32 in;

	fd = vst_pf_open(variant->id);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vst_prime_export(self->fd, self->bo.handle, &dmabuf));
	ASSERT_EQ(0, vst_prime_import(fd, dmabuf, &imported));
	EXPECT_EQ(0, vst_pf_offset_of(fd, imported, &va));
	EXPECT_NE(0, va);
	EXPECT_EQ(0, vst_prime_import(fd, dmabuf, &again));
	EXPECT_EQ(imported, again);
	/* one file writes where the other one sees it */
	self->bo.u32[PF_TO_AT / 4] = 1;
	vst_pf_put_zero(&self->bo, PF_JOB_AT, va + PF_TO_AT, 0);
	EXPECT_EQ(0, vst_pf_submit(fd, va, &imported, 1, 0, 0, 0));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[PF_TO_AT / 4]);
	/* its owner waits for the other file's job */
	if (!vst_gate_new(&g, PAGE)) {
		ASSERT_EQ(0, vst_gate_syncobj(&g, fd, &in));
		EXPECT_EQ(0, vst_pf_submit(fd, va, &imported, 1, in, 0, 0));
		EXPECT_EQ(-EBUSY, vst_pf_wait_bo(self->fd, self->bo.handle, 0));
		EXPECT_EQ(0, vst_gate_open(&g));
		EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
		vst_gate_free(&g);
	}
	close(dmabuf);
	close(fd);
}

TEST_F(panfrost, heap_is_not_shared)
{
	struct vst_pf_bo heap;
	int dmabuf;

	ASSERT_EQ(0, vst_pf_create(self->fd, HEAP_SIZE, HEAP_FLAGS, &heap));
	EXPECT_EQ(-EINVAL, vst_prime_export(self->fd, heap.handle, &dmabuf));
}

/* ---- limits ---- */

/* More jobs than a queue takes: submits wait until the first one has ended. */
TEST_F(panfrost, many_jobs)
{
	struct vst_gate g;
	unsigned int i;
	int status;
	pid_t pid;
	__u32 in;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	self->bo.u32[PF_TO_AT / 4] = ~0U;
	vst_pf_put_zero(&self->bo, PF_JOB_AT, self->bo.va + PF_TO_AT, 0);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		usleep(300000);
		_exit(!!vst_gate_open(&g));
	}
	for (i = 0; i < 1200; i++)
		EXPECT_EQ(0, vst_pf_submit(self->fd, self->bo.va, &self->bo.handle, 1,
					   i ? 0 : in, 0, 0));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[PF_TO_AT / 4]);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	vst_gate_free(&g);
}

TEST_F(panfrost, time_limit)
{
	static const char name[] = "/sys/module/vshader/parameters/panfrost_timeout_ms";
	struct vst_pf_bo b;
	int fd;

	if (vst_write_file(name, "200"))
		SKIP(return, "no %s", name);
	fd = vst_pf_open(variant->id);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, vst_write_file(name, "10000"));
	ASSERT_EQ(0, vst_pf_create_mapped(fd, PAGE, &b));
	vst_pf_put_compute(&b, variant->arch, &variant->arch->spin, 4);
	EXPECT_EQ(-ETIME, vst_pf_run_chain(fd, &b, b.va));
	vst_pf_put_copy(&b, variant->arch);
	EXPECT_EQ(0, vst_pf_run_chain(fd, &b, b.va));
	close(fd);
}

/* Closing a file ends what it runs. */
TEST_F(panfrost, close_while_running)
{
	unsigned int i;
	struct vst_pf_bo b;
	int fd;

	for (i = 0; i < 4; i++) {
		fd = vst_pf_open(variant->id);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, vst_pf_create_mapped(fd, PAGE, &b));
		vst_pf_put_compute(&b, variant->arch, &variant->arch->spin, 4);
		EXPECT_EQ(0, vst_pf_submit(fd, b.va, &b.handle, 1, 0, 0, 0));
		munmap(b.map, b.size);
		close(fd);
	}
	vst_pf_put_copy(&self->bo, variant->arch);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

/* Advice changes nothing for a job that is executed, whatever becomes of other buffers. */
TEST_F(panfrost, advice_while_running)
{
	__u32 retained = 0;
	struct vst_pf_bo b, idle;
	int fd = vst_pf_open(variant->id);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vst_pf_create_mapped(fd, PAGE, &b));
	ASSERT_EQ(0, vst_pf_create_mapped(fd, 16 * PAGE, &idle));
	vst_pf_put_compute(&b, variant->arch, &variant->arch->spin, 4);
	b.u32[PF_TO_AT / 4] = 0x1234;
	ASSERT_EQ(0, vst_pf_submit(fd, b.va, &b.handle, 1, 0, 0, 0));
	EXPECT_EQ(0, vst_pf_advise(fd, b.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(1, retained);
	/* the snapshot of the running job holds what the address space loses */
	if (!vst_pf_purge(fd, idle.handle, &retained))
		SKIP(return, "%s cannot be written", PF_DROP_CACHES);
	EXPECT_EQ(0, retained);
	EXPECT_EQ(-EBUSY, vst_pf_wait_bo(fd, b.handle, 0));
	EXPECT_EQ(0, vst_pf_advise(fd, b.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(0x1234, b.u32[PF_TO_AT / 4]);
	/* and once more, closing the file while the job names unneeded memory */
	EXPECT_EQ(0, vst_pf_advise(fd, b.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(0, vst_bo_close(fd, idle.handle));
	close(fd);
	vst_pf_put_copy(&self->bo, variant->arch);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_F(panfrost, many_buffers)
{
	static struct vst_pf_bo b[2000];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(b); i++)
		ASSERT_EQ(0, vst_pf_create(self->fd, PAGE, PANFROST_BO_NOEXEC, &b[i]));
	vst_pf_put_zero(&self->bo, PF_JOB_AT, b[1999].va, 0);
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	for (i = 0; i < ARRAY_SIZE(b); i += 2)
		ASSERT_EQ(0, vst_bo_close(self->fd, b[i].handle));
	EXPECT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	vst_pf_put_zero(&self->bo, PF_JOB_AT, b[1998].va, 0);
	EXPECT_EQ(-EIO, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
}

/* Buffers are bounded by client_memory. */
TEST_F(panfrost, buffers_are_limited)
{
	static const char parameter[] = "/sys/module/vshader/parameters/client_memory";
	struct vst_pf_bo b, last[2] = {};
	char was[32];
	int n, ret = 0;

	ASSERT_LT(0, vst_read_file(parameter, was, sizeof(was)));
	ASSERT_EQ(0, vst_write_file(parameter, "4"));
	for (n = 0; n < 10000 && !ret; n++) {
		ret = vst_pf_create(self->fd, PAGE, PANFROST_BO_NOEXEC, &b);
		if (!ret)
			last[n % 2] = b;
	}
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_GT(1025, n);
	EXPECT_LT(500, n);
	/* one alone may leave a node of mappings, which was made for it */
	EXPECT_EQ(0, vst_bo_close(self->fd, last[0].handle));
	EXPECT_EQ(0, vst_bo_close(self->fd, last[1].handle));
	EXPECT_EQ(0, vst_pf_create(self->fd, PAGE, PANFROST_BO_NOEXEC, &b));
	EXPECT_EQ(0, vst_write_file(parameter, was));
}

static __u64 now_us(void)
{
	return vst_pf_after_ms(0) / 1000;
}

/* Environment: VST_BUFFERS, how many (3000: 4 KiB each of a quarter of a small guest's RAM). */
static unsigned int number_of_buffers(void)
{
	const char *text = getenv("VST_BUFFERS");
	unsigned int n = text ? strtoul(text, NULL, 10) : 3000;

	return n < 20 ? 20 : n > MAX_BUFFERS ? MAX_BUFFERS : n;
}

/*
 * Creating a buffer and submitting after that cost about the same with many buffers as with few.
 * The accounts of the client or of the device may end it early. The times are printed only; the
 * timeout is what ends a test whose cost grows with each buffer.
 */
TEST_F_TIMEOUT(panfrost, cost_of_many_buffers, 300)
{
	__u64 from, all, few = 0, last = 0, first = 0;
	static struct vst_pf_bo b[MAX_BUFFERS];
	unsigned int i, n = number_of_buffers();
	const unsigned int part = n / 10;
	int ret = 0;

	all = now_us();
	for (i = 0; i < n && !ret; i++) {
		from = now_us();
		if (i == part) {
			vst_pf_put_zero(&self->bo, PF_JOB_AT, b[i - 1].va, 0);
			ASSERT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
			few = now_us() - from;
			from = now_us();
		}
		ret = vst_pf_create(self->fd, PAGE, PANFROST_BO_NOEXEC, &b[i]);
		if (i < part)
			first += now_us() - from;
		else if (i >= n - part)
			last += now_us() - from;
	}
	all = now_us() - all;
	if (ret) {
		i--;
		printf("# no more than %u buffers: %s\n", i, strerror(-ret));
		EXPECT_TRUE(ret == -ENOSPC || ret == -EDQUOT);
	}
	ASSERT_LT(part, i);
	/* the first submit after all these changes, and one after a single one */
	vst_pf_put_zero(&self->bo, PF_JOB_AT, b[i - 1].va, 0);
	from = now_us();
	ASSERT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	printf("# submit: %llu us with a tenth of them, then %llu us\n", few, now_us() - from);
	printf("# %u buffers: %llu us; the first tenth %llu us, the last %llu us\n", i, all, first,
	       last);
	ASSERT_EQ(0, vst_bo_close(self->fd, b[i / 2].handle));
	from = now_us();
	ASSERT_EQ(0, vst_pf_run_chain(self->fd, &self->bo, self->bo.va));
	printf("# submit after one change: %llu us\n", now_us() - from);
	/* a mapping keeps the file open */
	munmap(self->bo.map, PAGE);
	from = now_us();
	close(self->fd);
	printf("# close: %llu us\n", now_us() - from);
	self->fd = vst_pf_open(variant->id);
	EXPECT_LE(0, self->fd);
}

TEST_HARNESS_MAIN
