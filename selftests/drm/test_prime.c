// SPDX-License-Identifier: GPL-2.0
/*
 * Sharing buffers: PRIME between two files and with another driver, implicit
 * synchronisation through the buffer's reservation object.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>

#include "vshader_test.h"

FIXTURE(prime) {
	struct vst a;
	struct vst b;
	struct vst_job j;
};

FIXTURE_SETUP(prime)
{
	SETUP_OR_SKIP(return, &self->a, &vst_mov);
	ASSERT_EQ(0, vst_setup(&self->b, &vst_mov));
}

FIXTURE_TEARDOWN(prime)
{
	vst_teardown(&self->a);
	vst_teardown(&self->b);
}

/* A buffer of @t, exported, imported by @by and mapped there at @va. */
static int share(struct vst *t, __u32 *handle, struct vst *by, __u32 *imported, __u64 va,
		 int *dmabuf)
{
	int ret;

	*dmabuf = -1;
	ret = vst_bo_create(t->fd, PAGE, 0, 0, handle);
	if (!ret)
		ret = vst_prime_export(t->fd, *handle, dmabuf);
	if (!ret)
		ret = vst_prime_import(by->fd, *dmabuf, imported);
	if (!ret)
		ret = vst_map(by->fd, by->vm, *imported, 0, va, PAGE, 0);
	if (!ret)
		ret = vst_map(t->fd, t->vm, *handle, 0, va, PAGE, 0);
	return ret;
}

TEST_F(prime, two_files_share_data)
{
	__u32 handle, imported;
	int dmabuf, i;

	ASSERT_EQ(0, share(&self->a, &handle, &self->b, &imported, VA(40), &dmabuf));
	/* a writes it, b reads it */
	vst_default_job(&self->a, &self->j);
	self->j.out[0].va = VA(40);
	EXPECT_EQ(0, vst_run(self->a.fd, &self->j));
	vst_default_job(&self->b, &self->j);
	self->j.attr[0].va = VA(40);
	EXPECT_EQ(0, vst_run(self->b.fd, &self->j));
	for (i = 0; i < 4 * VST_COUNT; i++)
		ASSERT_EQ(i, self->b.out.f32[i]);
	close(dmabuf);
}

TEST_F(prime, import_in_the_same_file)
{
	__u32 handle, imported;
	int dmabuf;

	ASSERT_EQ(0, vst_bo_create(self->a.fd, PAGE, 0, 0, &handle));
	ASSERT_EQ(0, vst_prime_export(self->a.fd, handle, &dmabuf));
	EXPECT_EQ(0, vst_prime_import(self->a.fd, dmabuf, &imported));
	EXPECT_EQ(handle, imported);
	close(dmabuf);
}

TEST_F(prime, dmabuf_outlives_the_file)
{
	__u32 handle, imported;
	int dmabuf;
	void *map;

	ASSERT_EQ(0, vst_bo_create(self->a.fd, PAGE, 0, 0, &handle));
	ASSERT_EQ(0, vst_bo_mmap(self->a.fd, handle, PAGE, &map));
	strcpy(map, "still here");
	munmap(map, PAGE);
	ASSERT_EQ(0, vst_prime_export(self->a.fd, handle, &dmabuf));
	vst_teardown(&self->a);
	ASSERT_EQ(0, vst_prime_import(self->b.fd, dmabuf, &imported));
	close(dmabuf);
	ASSERT_EQ(0, vst_bo_mmap(self->b.fd, imported, PAGE, &map));
	EXPECT_STREQ("still here", (char *)map);
	munmap(map, PAGE);
}

TEST_F(prime, mmap_of_the_dmabuf)
{
	__u32 handle;
	void *map, *other;
	int dmabuf;

	ASSERT_EQ(0, vst_bo_create(self->a.fd, PAGE, 0, 0, &handle));
	ASSERT_EQ(0, vst_bo_mmap(self->a.fd, handle, PAGE, &map));
	ASSERT_EQ(0, vst_prime_export(self->a.fd, handle, &dmabuf));
	other = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, dmabuf, 0);
	ASSERT_NE(MAP_FAILED, other);
	strcpy(other, "by the other way");
	EXPECT_STREQ("by the other way", (char *)map);
	munmap(other, PAGE);
	munmap(map, PAGE);
	close(dmabuf);
}

TEST_F(prime, exclusive_is_not_exported)
{
	__u32 handle;
	int dmabuf;

	ASSERT_EQ(0, vst_bo_create(self->a.fd, PAGE, 0, self->a.vm, &handle));
	EXPECT_EQ(-EINVAL, vst_prime_export(self->a.fd, handle, &dmabuf));
}

TEST_F(prime, bad_handles)
{
	__u32 handle;
	int dmabuf;

	EXPECT_EQ(-ENOENT, vst_prime_export(self->a.fd, 0, &dmabuf));
	EXPECT_EQ(-ENOENT, vst_prime_export(self->a.fd, NEVER, &dmabuf));
	EXPECT_EQ(-EBADF, vst_prime_import(self->a.fd, -1, &handle));
	EXPECT_EQ(-EINVAL, vst_prime_import(self->a.fd, self->a.fd, &handle));
}

/* GEM names are not for render nodes. */
TEST_F(prime, no_flink)
{
	struct drm_gem_flink arg = { 0 };

	ASSERT_EQ(0, vst_bo_create(self->a.fd, PAGE, 0, 0, &arg.handle));
	EXPECT_EQ(-EACCES, vst_ioctl(self->a.fd, DRM_IOCTL_GEM_FLINK, &arg));
}

/* Another driver's memory. */
TEST_F(prime, import_from_vgem)
{
	struct vst_gate g;
	__u32 handle;
	float *map;
	int ret;

	ret = vst_gate_new(&g, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_prime_import(self->a.fd, g.dmabuf, &handle));
	ASSERT_EQ(0, vst_map(self->a.fd, self->a.vm, handle, 0, VA(40), PAGE, 0));
	map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, g.dmabuf, 0);
	ASSERT_NE(MAP_FAILED, map);
	map[5] = 77;
	vst_default_job(&self->a, &self->j);
	self->j.attr[0].va = VA(40);
	EXPECT_EQ(0, vst_run(self->a.fd, &self->j));
	EXPECT_EQ(77, self->a.out.f32[5]);
	/* and written to */
	vst_default_job(&self->a, &self->j);
	self->j.out[0].va = VA(40);
	EXPECT_EQ(0, vst_run(self->a.fd, &self->j));
	EXPECT_EQ(5, map[5]);
	munmap(map, PAGE);
	vst_gate_free(&g);
}

/* A page of the system heap. The dma-buf, or a negative errno. */
static int heap_page(void)
{
	struct dma_heap_allocation_data arg = { .len = PAGE, .fd_flags = O_RDWR | O_CLOEXEC };
	int heap = open("/dev/dma_heap/system", O_RDWR | O_CLOEXEC), ret;

	if (heap < 0)
		return -errno;
	ret = vst_ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &arg);
	close(heap);
	return ret ? ret : (int)arg.fd;
}

/* A page of a memfd. The dma-buf, or a negative errno. */
static int udmabuf_page(void)
{
	struct udmabuf_create arg = { .size = PAGE };
	int dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC), ret;

	if (dev < 0)
		return -errno;
	arg.memfd = memfd_create("page", MFD_ALLOW_SEALING);
	if (ftruncate(arg.memfd, PAGE) || fcntl(arg.memfd, F_ADD_SEALS, F_SEAL_SHRINK))
		ret = -1;
	else
		ret = ioctl(dev, UDMABUF_CREATE, &arg);
	ret = ret < 0 ? -errno : ret;
	close(arg.memfd);
	close(dev);
	return ret;
}

/*
 * The exporter needs dma_buf_begin_cpu_access(), which no job can call: the buffer can be
 * imported and be mapped by userspace, but not into an address space.
 */
static void not_for_jobs(struct __test_metadata *_metadata, FIXTURE_DATA(prime) *self, int dmabuf)
{
	struct drm_vshader_vm_bind_op ops[2] = {
		{ .va = VA(40), .size = PAGE },
		{ .va = VA(41), .size = PAGE },
	};
	__u32 failed = NEVER;
	void *map;

	ASSERT_LE(0, dmabuf);
	ASSERT_EQ(0, vst_prime_import(self->a.fd, dmabuf, &ops[1].bo_handle));
	ASSERT_EQ(0, vst_bo_create(self->a.fd, PAGE, 0, 0, &ops[0].bo_handle));
	EXPECT_EQ(-EOPNOTSUPP, vst_bind_ops(self->a.fd, self->a.vm, ops, 2, &failed));
	EXPECT_EQ(1, failed);
	ASSERT_EQ(0, vst_bo_mmap(self->a.fd, ops[1].bo_handle, PAGE, &map));
	strcpy(map, "mapped");
	munmap(map, PAGE);
	/* neither operation took effect */
	vst_default_job(&self->a, &self->j);
	self->j.attr[0].va = VA(40);
	EXPECT_EQ(-EIO, vst_run(self->a.fd, &self->j));
	close(dmabuf);
}

TEST_F(prime, system_heap_is_not_for_jobs)
{
	int dmabuf = heap_page();

	if (dmabuf == -ENOENT)
		SKIP(return, "needs the system heap");
	not_for_jobs(_metadata, self, dmabuf);
}

TEST_F(prime, udmabuf_is_not_for_jobs)
{
	int dmabuf = udmabuf_page();

	if (dmabuf == -ENOENT)
		SKIP(return, "needs udmabuf");
	not_for_jobs(_metadata, self, dmabuf);
}

/* A job waits for another driver's fences on a buffer of its VM ... */
static void wait_for_foreign_fence(struct __test_metadata *_metadata, FIXTURE_DATA(prime) *self,
				   bool implicit)
{
	struct vst_gate g;
	__u32 handle, done;
	int ret;

	ret = vst_gate_new(&g, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_prime_import(self->a.fd, g.dmabuf, &handle));
	ASSERT_EQ(0, vst_map(self->a.fd, self->a.vm, handle, 0, VA(40), PAGE, 0));
	ASSERT_EQ(0, vst_syncobj(self->a.fd, &done));
	ASSERT_EQ(0, vst_gate_close(&g, true));
	vst_default_job(&self->a, &self->j);
	self->j.job.flags = implicit ? 0 : DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	EXPECT_EQ(0, vst_submit(self->a.fd, &self->j));
	EXPECT_EQ(implicit ? -ETIME : 0, vst_wait(self->a.fd, done, implicit ? 100 : 5000));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_wait(self->a.fd, done, 10000));
	vst_gate_free(&g);
}

TEST_F(prime, implicit_wait)
{
	wait_for_foreign_fence(_metadata, self, true);
}

/* ... unless DRM_VSHADER_JOB_NO_IMPLICIT_SYNC is set. */
TEST_F(prime, no_implicit_wait)
{
	wait_for_foreign_fence(_metadata, self, false);
}

/* Pollers of the dma-buf see our job's fence. */
static int poll_while_held(FIXTURE_DATA(prime) *self, __u32 flags, bool *held)
{
	struct pollfd p = { .events = POLLOUT };
	__u32 handle, imported, wait;
	struct vst_gate g;
	int dmabuf, ret;

	ret = vst_gate_new(&g, PAGE);
	if (ret)
		return ret;
	ret = share(&self->a, &handle, &self->b, &imported, VA(40), &dmabuf);
	if (!ret)
		ret = vst_gate_syncobj(&g, self->a.fd, &wait);
	vst_default_job(&self->a, &self->j);
	self->j.out[0].va = VA(40);
	self->j.job.flags = flags;
	vst_job_sync(&self->j, 0, wait, 0);
	if (!ret)
		ret = vst_submit(self->a.fd, &self->j);
	p.fd = dmabuf;
	*held = poll(&p, 1, 50) == 0;
	vst_gate_open(&g);
	if (!ret && poll(&p, 1, 10000) != 1)
		ret = -ETIMEDOUT;
	close(dmabuf);
	vst_gate_free(&g);
	return ret;
}

TEST_F(prime, dmabuf_poll)
{
	bool held;
	int ret = poll_while_held(self, 0, &held);

	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	EXPECT_EQ(0, ret);
	EXPECT_TRUE(held);
}

TEST_F(prime, dmabuf_poll_without_implicit_sync)
{
	bool held;
	int ret = poll_while_held(self, DRM_VSHADER_JOB_NO_IMPLICIT_SYNC, &held);

	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	EXPECT_EQ(0, ret);
	EXPECT_FALSE(held);
}

/* Implicit sync: the reader in one file waits for the writer in another. */
TEST_F(prime, writer_then_reader)
{
	__u32 handle, imported, wait, done;
	struct vst_gate g;
	int dmabuf, ret;

	ret = vst_gate_new(&g, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, share(&self->a, &handle, &self->b, &imported, VA(40), &dmabuf));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->a.fd, &wait));
	ASSERT_EQ(0, vst_syncobj(self->b.fd, &done));
	vst_default_job(&self->a, &self->j);
	self->j.out[0].va = VA(40);
	vst_job_sync(&self->j, 0, wait, 0);
	EXPECT_EQ(0, vst_submit(self->a.fd, &self->j));
	vst_default_job(&self->b, &self->j);
	self->j.attr[0].va = VA(40);
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	EXPECT_EQ(0, vst_submit(self->b.fd, &self->j));
	EXPECT_EQ(-ETIME, vst_wait(self->b.fd, done, 50));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_wait(self->b.fd, done, 10000));
	EXPECT_EQ(9, self->b.out.f32[9]);
	close(dmabuf);
	vst_gate_free(&g);
}

/* Export the fence of the dma-buf, and import one. */
TEST_F(prime, sync_file_of_a_dmabuf)
{
	struct dma_buf_export_sync_file out = { .flags = DMA_BUF_SYNC_READ, .fd = -1 };
	struct dma_buf_import_sync_file in = { .flags = DMA_BUF_SYNC_WRITE };
	__u32 handle, imported, wait, obj;
	struct vst_gate g;
	int dmabuf, ret;

	ret = vst_gate_new(&g, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, share(&self->a, &handle, &self->b, &imported, VA(40), &dmabuf));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->a.fd, &wait));
	ASSERT_EQ(0, vst_syncobj(self->a.fd, &obj));
	vst_default_job(&self->a, &self->j);
	vst_job_sync(&self->j, 0, wait, 0);
	EXPECT_EQ(0, vst_submit(self->a.fd, &self->j));
	ret = vst_ioctl(dmabuf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out);
	if (ret == -ENOTTY) {
		vst_gate_open(&g);
		SKIP(return, "kernel without sync files of dma-bufs");
	}
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_import_sync_file(self->a.fd, obj, out.fd));
	EXPECT_EQ(-ETIME, vst_wait(self->a.fd, obj, 20));
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, vst_wait(self->a.fd, obj, 10000));
	/* an external fence that our jobs must wait for */
	in.fd = out.fd;
	EXPECT_EQ(0, vst_ioctl(dmabuf, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in));
	vst_default_job(&self->b, &self->j);
	EXPECT_EQ(0, vst_run(self->b.fd, &self->j));
	close(out.fd);
	close(dmabuf);
	vst_gate_free(&g);
}

TEST_HARNESS_MAIN
