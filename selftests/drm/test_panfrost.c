// SPDX-License-Identifier: GPL-2.0
/*
 * Devices that present themselves as the panfrost driver's: its ioctls and their errors, the
 * life of buffers and of their addresses, implicit and explicit synchronisation, faults.
 *
 * Needs a device with each of the personalities panfrost:t860 and panfrost:g52.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include <panfrost_drm.h>

#include "vshader_test.h"
#include "vst_mali.h"

#define NODES		8
#define HEAP_SIZE	(128U << 20)
#define NO_HANDLE	9999
#define DROP_CACHES	"/proc/sys/vm/drop_caches"

/* Layout of a buffer with a chain. */
#define JOB_AT		0x000
#define DRAW_AT		0x040
#define STATE_AT	0x100
#define STORAGE_AT	0x180
#define PUSH_AT		0x1c0
#define UBO_AT		0x200
#define FROM_AT		0x240
#define TO_AT		0x300
#define CODE_AT		0x800

#define WORDS		16

enum { T_NULL = 1, T_WRITE, T_COMPUTE = 4 };
enum { W_ZERO = 3 };

/* A buffer with its addresses. */
struct bo {
	__u32 handle;
	__u32 size;
	__u64 va;
	union {
		void *map;
		__u8 *u8;
		__u32 *u32;
	};
};

FIXTURE(panfrost) {
	int fd;
	struct bo bo;
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

/* ---- ioctls ---- */

static int param(int fd, __u32 which, __u64 *value)
{
	struct drm_panfrost_get_param arg = { .param = which };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_GET_PARAM, &arg);

	*value = arg.value;
	return ret;
}

static bool is_panfrost(int fd, int *minor)
{
	char name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	if (vst_ioctl(fd, DRM_IOCTL_VERSION, &v) || strcmp(name, "panfrost"))
		return false;
	*minor = v.version_major == 1 ? v.version_minor : -1;
	return true;
}

/* Return: a file of the device with this chip, or -ENODEV. */
static int open_chip(__u32 id)
{
	char path[64];
	int i, fd, minor;
	__u64 got;

	for (i = 0; i < NODES; i++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_panfrost(fd, &minor) &&
		    !param(fd, DRM_PANFROST_PARAM_GPU_PROD_ID, &got) && got == id)
			return fd;
		close(fd);
	}
	return -ENODEV;
}

static int create(int fd, __u32 size, __u32 flags, struct bo *bo)
{
	struct drm_panfrost_create_bo arg = { .size = size, .flags = flags };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_CREATE_BO, &arg);

	memset(bo, 0, sizeof(*bo));
	bo->handle = arg.handle;
	bo->size = size;
	bo->va = arg.offset;
	return ret;
}

static int map_bo(int fd, struct bo *bo)
{
	struct drm_panfrost_mmap_bo arg = { .handle = bo->handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, &arg);
	void *map;

	if (ret)
		return ret;
	map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, arg.offset);
	if (map == MAP_FAILED)
		return -errno;
	bo->map = map;
	return 0;
}

static int create_mapped(int fd, __u32 size, struct bo *bo)
{
	return create(fd, size, 0, bo) ?: map_bo(fd, bo);
}

static int offset_of(int fd, __u32 handle, __u64 *va)
{
	struct drm_panfrost_get_bo_offset arg = { .handle = handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, &arg);

	*va = arg.offset;
	return ret;
}

static __s64 after_ms(unsigned int ms)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec + ms * 1000000LL;
}

/* @timeout: absolute, ns. */
static int wait_bo(int fd, __u32 handle, __s64 timeout)
{
	struct drm_panfrost_wait_bo arg = { .handle = handle, .timeout_ns = timeout };

	return vst_ioctl(fd, DRM_IOCTL_PANFROST_WAIT_BO, &arg);
}

static int wait_idle(int fd, __u32 handle)
{
	return wait_bo(fd, handle, after_ms(20000 * vst_scale()));
}

static int submit(int fd, __u64 jc, const __u32 *handles, __u32 n, __u32 in, __u32 out, __u32 req)
{
	struct drm_panfrost_submit arg = {
		.jc = jc,
		.in_syncs = PTR(&in),
		.in_sync_count = !!in,
		.out_sync = out,
		.bo_handles = PTR(handles),
		.bo_handle_count = n,
		.requirements = req,
	};

	return vst_ioctl(fd, DRM_IOCTL_PANFROST_SUBMIT, &arg);
}

/* Submit a buffer's chain. Return: the fence's status. */
static int run_chain(int fd, const struct bo *bo, __u64 jc)
{
	__u32 sync;
	int ret;

	ret = vst_syncobj(fd, &sync);
	if (ret)
		return ret;
	ret = submit(fd, jc, &bo->handle, 1, 0, sync, 0);
	if (!ret)
		ret = vst_wait(fd, sync, 20000);
	if (!ret)
		ret = vst_fence_status(fd, sync);
	vst_syncobj_destroy(fd, sync);
	return ret;
}

static int advise(int fd, __u32 handle, __u32 madv, __u32 *retained)
{
	struct drm_panfrost_madvise arg = { .handle = handle, .madv = madv };
	int ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_MADVISE, &arg);

	*retained = arg.retained;
	return ret;
}

/*
 * Have the kernel take the memory of a buffer, which happens some time after it has asked.
 * Return: false: it cannot be made to.
 */
static bool purge(int fd, __u32 handle, __u32 *retained)
{
	unsigned int i;

	for (i = 0; i < 250; i++) {
		if (advise(fd, handle, PANFROST_MADV_DONTNEED, retained) ||
		    vst_write_file(DROP_CACHES, "2"))
			return false;
		usleep(20000);
		if (advise(fd, handle, PANFROST_MADV_WILLNEED, retained))
			return false;
		if (!*retained)
			break;
	}
	return true;
}

/* ---- chains ---- */

static void w32(struct bo *b, unsigned int at, __u32 v)
{
	b->u32[at / 4] = v;
}

static void w64(struct bo *b, unsigned int at, __u64 v)
{
	w32(b, at, v);
	w32(b, at + 4, v >> 32);
}

static void put_header(struct bo *b, unsigned int at, __u32 type, __u64 next)
{
	memset(b->u8 + at, 0, 64);
	w32(b, at + 16, 1 | type << 1 | 1 << 16);
	w64(b, at + 24, next);
}

/* Clears 8 bytes. */
static void put_zero(struct bo *b, unsigned int at, __u64 to, __u64 next)
{
	put_header(b, at, T_WRITE, next);
	w64(b, at + 32, to);
	w32(b, at + 40, W_ZERO);
}

static void put_compute(struct bo *b, const struct vst_mali_arch *arch,
			const struct vst_mali_code *code, unsigned int threads)
{
	put_header(b, JOB_AT, T_COMPUTE, 0);
	w32(b, JOB_AT + 32, threads - 1);
	w32(b, JOB_AT + 36, 8 | 8 << 5 | 8 << 10 | 16 << 16 | 16 << 22);
	memset(b->u8 + DRAW_AT, 0, CODE_AT - DRAW_AT);
	w32(b, DRAW_AT, 2 | 1 << 24);
	w64(b, DRAW_AT + 24, b->va + UBO_AT);
	w64(b, DRAW_AT + 48, b->va + PUSH_AT);
	w64(b, DRAW_AT + 56, b->va + STATE_AT);
	w64(b, DRAW_AT + 112, b->va + STORAGE_AT);
	w64(b, STATE_AT, (b->va + CODE_AT) | (arch->tags ? code->words[0] & 15 : 0));
	w32(b, STATE_AT + 16, arch->state[0]);
	w32(b, STATE_AT + 48, arch->state[1]);
	w64(b, UBO_AT, vst_mali_ubo(b->va + FROM_AT, 4 * WORDS));
	memcpy(b->u8 + CODE_AT, code->words, 4 * code->n);
}

static void put_copy(struct bo *b, const struct vst_mali_arch *arch)
{
	unsigned int i;

	put_compute(b, arch, &arch->copy, WORDS);
	w64(b, PUSH_AT, b->va + FROM_AT);
	w64(b, PUSH_AT + 8, b->va + TO_AT);
	for (i = 0; i < WORDS; i++)
		w32(b, FROM_AT + 4 * i, 0x1000 + i);
}

FIXTURE_SETUP(panfrost)
{
	self->fd = open_chip(variant->id);
	if (self->fd == -ENODEV)
		SKIP(return, "no device with personality panfrost and chip 0x%x", variant->id);
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &self->bo));
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

	EXPECT_TRUE(is_panfrost(self->fd, &minor));
	EXPECT_EQ(2, minor);
}

TEST_F(panfrost, parameters)
{
	struct drm_panfrost_get_param arg = { .pad = 1 };
	__u64 value;
	__u32 i;

	EXPECT_EQ(0, param(self->fd, DRM_PANFROST_PARAM_GPU_PROD_ID, &value));
	EXPECT_EQ(variant->id, value);
	EXPECT_EQ(0, param(self->fd, DRM_PANFROST_PARAM_SHADER_PRESENT, &value));
	EXPECT_EQ(1, value);
	/* no compressed framebuffers */
	EXPECT_EQ(0, param(self->fd, DRM_PANFROST_PARAM_AFBC_FEATURES, &value));
	EXPECT_EQ(1, value);
	for (i = 0; i <= DRM_PANFROST_PARAM_AFBC_FEATURES; i++)
		EXPECT_EQ(0, param(self->fd, i, &value));
	EXPECT_EQ(-EINVAL, param(self->fd, DRM_PANFROST_PARAM_AFBC_FEATURES + 1, &value));
	EXPECT_EQ(-EINVAL, param(self->fd, 0x1000, &value));
	EXPECT_EQ(-EINVAL, param(self->fd, ~0U, &value));
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
	struct drm_vshader_queue_create args = { .engine = variant->arch->engine };

	EXPECT_NE(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &args));
}

/* ---- buffers ---- */

TEST_F(panfrost, buffers)
{
	struct bo a, b;
	__u64 va;

	ASSERT_EQ(0, create(self->fd, 100, PANFROST_BO_NOEXEC, &a));
	ASSERT_EQ(0, create(self->fd, 3 * PAGE, PANFROST_BO_NOEXEC, &b));
	EXPECT_NE(0, a.va);
	EXPECT_EQ(0, a.va % PAGE);
	EXPECT_TRUE(a.va + PAGE <= b.va || b.va + 3 * PAGE <= a.va);
	EXPECT_EQ(0, offset_of(self->fd, b.handle, &va));
	EXPECT_EQ(b.va, va);
	EXPECT_EQ(0, vst_bo_close(self->fd, b.handle));
	EXPECT_EQ(-ENOENT, offset_of(self->fd, b.handle, &va));
	/* addresses of one that is gone are free */
	ASSERT_EQ(0, create(self->fd, 3 * PAGE, PANFROST_BO_NOEXEC, &a));
	EXPECT_EQ(b.va, a.va);
}

TEST_F(panfrost, bad_buffers)
{
	struct drm_panfrost_create_bo pad = { .size = PAGE, .pad = 1 };
	struct drm_panfrost_mmap_bo flags = { .handle = self->bo.handle, .flags = 1 };
	struct bo b;

	EXPECT_EQ(-EINVAL, create(self->fd, 0, 0, &b));
	EXPECT_EQ(-EINVAL, create(self->fd, PAGE, 4, &b));
	EXPECT_EQ(-EINVAL, create(self->fd, PAGE, PANFROST_BO_HEAP, &b));
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
	struct bo b;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_EQ(0, create(self->fd, sizes[i], 0, &b));
		EXPECT_EQ(b.va >> 24, (b.va + sizes[i] - 1) >> 24);
	}
}

TEST_F(panfrost, heap)
{
	struct bo heap, next;

	ASSERT_EQ(0, create(self->fd, HEAP_SIZE, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	EXPECT_EQ(-EINVAL, map_bo(self->fd, &heap));
	ASSERT_EQ(0, create(self->fd, PAGE, PANFROST_BO_NOEXEC, &next));
	EXPECT_TRUE(next.va < heap.va || next.va >= heap.va + HEAP_SIZE);
	put_zero(&self->bo, JOB_AT, heap.va + PAGE, 0);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
}

/* A job writes another behind the memory that a heap has from the beginning; this one runs, too. */
TEST_F(panfrost, heap_grows)
{
	struct bo *b = &self->bo, heap;
	__u64 at;

	ASSERT_EQ(0, create(self->fd, HEAP_SIZE, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	at = heap.va + HEAP_SIZE - (1 << 20);
	put_copy(b, variant->arch);
	put_zero(b, FROM_AT, b->va + TO_AT, 0);
	w64(b, PUSH_AT + 8, at);
	w64(b, TO_AT, ~0ULL);
	EXPECT_EQ(0, run_chain(self->fd, b, b->va));
	EXPECT_EQ(~0U, b->u32[TO_AT / 4]);
	EXPECT_EQ(0, run_chain(self->fd, b, at));
	EXPECT_EQ(0, b->u32[TO_AT / 4]);
	/* the last address, and the one behind it */
	put_zero(b, JOB_AT, heap.va + HEAP_SIZE - 8, 0);
	EXPECT_EQ(0, run_chain(self->fd, b, b->va));
	put_zero(b, JOB_AT, heap.va + HEAP_SIZE, 0);
	EXPECT_EQ(-EIO, run_chain(self->fd, b, b->va));
}

/* All addresses: an error, and none is lost. */
TEST_F(panfrost, out_of_addresses)
{
	struct bo heap[4];
	unsigned int n, round, last = 0;

	for (round = 0; round < 2; round++) {
		for (n = 0; n < 4; n++) {
			int ret = create(self->fd, ~0U & ~4095U,
					 PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap[n]);

			/* nearly 4 GiB: beside the buffer of the fixture there is no room */
			EXPECT_EQ(-ENOSPC, ret);
			ret = create(self->fd, 1 << 30, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC,
				     &heap[n]);
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
	struct bo a, b;

	ASSERT_EQ(0, create(self->fd, PAGE, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &a));
	ASSERT_EQ(0, create(self->fd, 2 << 20, PANFROST_BO_NOEXEC, &b));
	EXPECT_TRUE(b.va >= a.va + (2 << 20) || b.va + (2 << 20) <= a.va);
	/* all of it has memory */
	put_zero(&self->bo, JOB_AT, a.va + (2 << 20) - 8, 0);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_F(panfrost, advice)
{
	__u32 retained = 0;

	EXPECT_EQ(0, advise(self->fd, self->bo.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(1, retained);
	retained = 0;
	EXPECT_EQ(0, advise(self->fd, self->bo.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	/* no effect */
	EXPECT_EQ(0, advise(self->fd, self->bo.handle, 2, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(-ENOENT, advise(self->fd, NO_HANDLE, 0, &retained));
}

/* Memory that is not needed goes when the kernel wants memory; the addresses stay. */
TEST_F(panfrost, purge)
{
	__u32 retained = 1;
	struct bo b;
	int status;
	pid_t pid;
	__u64 va;

	ASSERT_EQ(0, create_mapped(self->fd, 16 * PAGE, &b));
	self->bo.u32[TO_AT / 4] = 0x1234;
	if (!purge(self->fd, b.handle, &retained))
		SKIP(return, "%s cannot be written", DROP_CACHES);
	ASSERT_EQ(0, retained);
	EXPECT_EQ(0, advise(self->fd, b.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(0, retained);
	EXPECT_EQ(0, advise(self->fd, self->bo.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(0x1234, self->bo.u32[TO_AT / 4]);
	EXPECT_EQ(0, offset_of(self->fd, b.handle, &va));
	EXPECT_EQ(b.va, va);
	/* there is nothing for jobs and for the CPU */
	put_zero(&self->bo, JOB_AT, b.va, 0);
	EXPECT_EQ(-EIO, run_chain(self->fd, &self->bo, self->bo.va));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		b.u32[0] = 1;
		_exit(0);
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	/* and the file works on */
	put_zero(&self->bo, JOB_AT, self->bo.va + TO_AT, 0);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(0, vst_bo_close(self->fd, b.handle));
	ASSERT_EQ(0, create_mapped(self->fd, 16 * PAGE, &b));
	put_zero(&self->bo, JOB_AT, b.va, 0);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
}

/* A buffer that a waiting job names, or that was exported, is kept. */
TEST_F(panfrost, no_purge)
{
	__u32 in, retained = 0, imported;
	struct bo idle, shared;
	struct vst_gate g;
	int fd, dmabuf;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &idle));
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &shared));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_prime_export(self->fd, shared.handle, &dmabuf));
	put_zero(&self->bo, JOB_AT, self->bo.va + TO_AT, 0);
	self->bo.u32[TO_AT / 4] = ~0U;
	EXPECT_EQ(0, submit(self->fd, self->bo.va, &self->bo.handle, 1, in, 0, 0));
	EXPECT_EQ(0, advise(self->fd, self->bo.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(0, advise(self->fd, shared.handle, PANFROST_MADV_DONTNEED, &retained));
	if (!purge(self->fd, idle.handle, &retained)) {
		EXPECT_EQ(0, vst_gate_open(&g));
		SKIP(return, "%s cannot be written", DROP_CACHES);
	}
	EXPECT_EQ(0, retained);
	EXPECT_EQ(0, advise(self->fd, self->bo.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(0, advise(self->fd, shared.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[TO_AT / 4]);
	/* one that two files have is needed */
	fd = open_chip(variant->id);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vst_prime_import(fd, dmabuf, &imported));
	EXPECT_EQ(-EINVAL, advise(self->fd, shared.handle, PANFROST_MADV_DONTNEED, &retained));
	EXPECT_EQ(-EINVAL, advise(fd, imported, PANFROST_MADV_DONTNEED, &retained));
	close(dmabuf);
	close(fd);
	vst_gate_free(&g);
}

/* ---- jobs ---- */

TEST_F(panfrost, compute)
{
	unsigned int i;

	put_copy(&self->bo, variant->arch);
	ASSERT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
	for (i = 0; i < WORDS; i++)
		EXPECT_EQ(0x1000 + i, self->bo.u32[TO_AT / 4 + i]);
	EXPECT_EQ(0, self->bo.u32[TO_AT / 4 + WORDS]);
}

/* A buffer that comes later is there for the next job, one that has gone is not. */
TEST_F(panfrost, buffers_come_and_go)
{
	struct bo b;

	put_zero(&self->bo, JOB_AT, self->bo.va + TO_AT, 0);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &b));
	b.u32[0] = ~0U;
	put_zero(&self->bo, JOB_AT, b.va, 0);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(0, b.u32[0]);
	EXPECT_EQ(0, vst_bo_close(self->fd, b.handle));
	EXPECT_EQ(-EIO, run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_F(panfrost, faults_do_not_ban)
{
	unsigned int i;

	for (i = 0; i < 5; i++) {
		EXPECT_EQ(-EIO, run_chain(self->fd, &self->bo, 0x1000));
		put_zero(&self->bo, JOB_AT, 0x1000, 0);
		EXPECT_EQ(-EIO, run_chain(self->fd, &self->bo, self->bo.va));
	}
	put_copy(&self->bo, variant->arch);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
	EXPECT_EQ(0x1000, self->bo.u32[TO_AT / 4]);
}

/* A program that another buffer flags as data is not executed. */
TEST_F(panfrost, noexec)
{
	struct bo b;

	ASSERT_EQ(0, create(self->fd, PAGE, PANFROST_BO_NOEXEC, &b));
	ASSERT_EQ(0, map_bo(self->fd, &b));
	put_copy(&b, variant->arch);
	EXPECT_EQ(-EIO, run_chain(self->fd, &b, b.va));
	EXPECT_EQ(0, b.u32[TO_AT / 4]);
}

TEST_F(panfrost, bad_submits)
{
	__u32 handle = self->bo.handle, no_handle = NO_HANDLE, sync;
	struct drm_panfrost_submit arg = { .jc = self->bo.va };
	__u64 jc = self->bo.va;

	put_zero(&self->bo, JOB_AT, self->bo.va + TO_AT, 0);
	EXPECT_EQ(-EINVAL, submit(self->fd, 0, &handle, 1, 0, 0, 0));
	EXPECT_EQ(-EINVAL, submit(self->fd, jc, &handle, 1, 0, 0, 2));
	EXPECT_EQ(-ENOENT, submit(self->fd, jc, &no_handle, 1, 0, 0, 0));
	EXPECT_EQ(-ENODEV, submit(self->fd, jc, &handle, 1, 0, NO_HANDLE, 0));
	EXPECT_EQ(-ENOENT, submit(self->fd, jc, &handle, 1, NO_HANDLE, 0, 0));
	/* nothing that it could wait for */
	ASSERT_EQ(0, vst_syncobj(self->fd, &sync));
	EXPECT_EQ(-EINVAL, submit(self->fd, jc, &handle, 1, sync, 0, 0));
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

/* ---- synchronisation ---- */

TEST_F(panfrost, wait_bad)
{
	struct drm_panfrost_wait_bo arg = { .handle = self->bo.handle, .pad = 1 };

	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_PANFROST_WAIT_BO, &arg));
	EXPECT_EQ(-ENOENT, wait_bo(self->fd, NO_HANDLE, 0));
	EXPECT_EQ(0, wait_bo(self->fd, self->bo.handle, 0));
}

/* A job that waits for a fence keeps the buffers busy that it names, and only these. */
TEST_F(panfrost, waits)
{
	struct bo other;
	struct vst_gate g;
	__u32 in, out;

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &other));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	ASSERT_EQ(0, vst_syncobj(self->fd, &out));
	self->bo.u32[TO_AT / 4] = ~0U;
	put_zero(&self->bo, JOB_AT, self->bo.va + TO_AT, 0);
	EXPECT_EQ(0, submit(self->fd, self->bo.va, &self->bo.handle, 1, in, out, 0));
	EXPECT_EQ(-EBUSY, wait_bo(self->fd, self->bo.handle, 0));
	EXPECT_EQ(-ETIMEDOUT, wait_bo(self->fd, self->bo.handle, after_ms(20)));
	EXPECT_EQ(0, wait_bo(self->fd, other.handle, 0));
	EXPECT_EQ(~0U, self->bo.u32[TO_AT / 4]);
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[TO_AT / 4]);
	EXPECT_EQ(0, vst_fence_status(self->fd, out));
	vst_gate_free(&g);
}

/* Jobs of both queues and with a buffer in common are in order; other jobs overtake. */
TEST_F(panfrost, implicit_order)
{
	struct bo shared, first, other;
	struct vst_gate g;
	__u32 in, handles[2];

	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &shared));
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &first));
	ASSERT_EQ(0, create_mapped(self->fd, PAGE, &other));
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	put_zero(&first, JOB_AT, shared.va, 0);
	put_zero(&self->bo, JOB_AT, shared.va + 64, 0);
	put_zero(&other, JOB_AT, other.va + TO_AT, 0);
	shared.u32[0] = 1;
	shared.u32[16] = 1;
	other.u32[TO_AT / 4] = 1;
	handles[0] = shared.handle;
	handles[1] = first.handle;
	EXPECT_EQ(0, submit(self->fd, first.va, handles, 2, in, 0, 0));
	/* the same buffer twice is one */
	handles[1] = shared.handle;
	EXPECT_EQ(0, submit(self->fd, self->bo.va, handles, 2, 0, 0, PANFROST_JD_REQ_FS));
	EXPECT_EQ(0, submit(self->fd, other.va, &other.handle, 1, 0, 0, PANFROST_JD_REQ_FS));
	EXPECT_EQ(-EBUSY, wait_bo(self->fd, shared.handle, 0));
	EXPECT_EQ(1, shared.u32[16]);
	EXPECT_EQ(0, vst_gate_open(&g));
	EXPECT_EQ(0, wait_idle(self->fd, shared.handle));
	EXPECT_EQ(0, wait_idle(self->fd, other.handle));
	EXPECT_EQ(0, shared.u32[0] | shared.u32[16] | other.u32[TO_AT / 4]);
	vst_gate_free(&g);
}

/* ---- sharing, other files ---- */

TEST_F(panfrost, files_are_apart)
{
	struct bo b;
	__u64 va;
	int fd;

	fd = open_chip(variant->id);
	ASSERT_LE(0, fd);
	/* the first of each file: the same address, other memory */
	ASSERT_EQ(0, create_mapped(fd, PAGE, &b));
	EXPECT_EQ(self->bo.va, b.va);
	EXPECT_EQ(-ENOENT, offset_of(fd, NO_HANDLE, &va));
	b.u32[TO_AT / 4] = 1;
	self->bo.u32[TO_AT / 4] = 1;
	put_zero(&b, JOB_AT, b.va + TO_AT, 0);
	EXPECT_EQ(0, run_chain(fd, &b, b.va));
	EXPECT_EQ(0, b.u32[TO_AT / 4]);
	EXPECT_EQ(1, self->bo.u32[TO_AT / 4]);
	close(fd);
}

TEST_F(panfrost, prime)
{
	__u32 imported, again;
	struct vst_gate g;
	int fd, dmabuf;
	__u64 va;
	__u32 in;

	fd = open_chip(variant->id);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vst_prime_export(self->fd, self->bo.handle, &dmabuf));
	ASSERT_EQ(0, vst_prime_import(fd, dmabuf, &imported));
	EXPECT_EQ(0, offset_of(fd, imported, &va));
	EXPECT_NE(0, va);
	EXPECT_EQ(0, vst_prime_import(fd, dmabuf, &again));
	EXPECT_EQ(imported, again);
	/* one file writes where the other one sees it */
	self->bo.u32[TO_AT / 4] = 1;
	put_zero(&self->bo, JOB_AT, va + TO_AT, 0);
	EXPECT_EQ(0, submit(fd, va, &imported, 1, 0, 0, 0));
	EXPECT_EQ(0, wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[TO_AT / 4]);
	/* its owner waits for the other file's job */
	if (!vst_gate_new(&g, PAGE)) {
		ASSERT_EQ(0, vst_gate_syncobj(&g, fd, &in));
		EXPECT_EQ(0, submit(fd, va, &imported, 1, in, 0, 0));
		EXPECT_EQ(-EBUSY, wait_bo(self->fd, self->bo.handle, 0));
		EXPECT_EQ(0, vst_gate_open(&g));
		EXPECT_EQ(0, wait_idle(self->fd, self->bo.handle));
		vst_gate_free(&g);
	}
	close(dmabuf);
	close(fd);
}

TEST_F(panfrost, heap_is_not_shared)
{
	struct bo heap;
	int dmabuf;

	ASSERT_EQ(0, create(self->fd, HEAP_SIZE, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
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
	self->bo.u32[TO_AT / 4] = ~0U;
	put_zero(&self->bo, JOB_AT, self->bo.va + TO_AT, 0);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		usleep(300000);
		_exit(!!vst_gate_open(&g));
	}
	for (i = 0; i < 1200; i++)
		EXPECT_EQ(0, submit(self->fd, self->bo.va, &self->bo.handle, 1, i ? 0 : in, 0, 0));
	EXPECT_EQ(0, wait_idle(self->fd, self->bo.handle));
	EXPECT_EQ(0, self->bo.u32[TO_AT / 4]);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	vst_gate_free(&g);
}

TEST_F(panfrost, time_limit)
{
	static const char name[] = "/sys/module/vshader/parameters/panfrost_timeout_ms";
	struct bo b;
	int fd;

	if (vst_write_file(name, "200"))
		SKIP(return, "no %s", name);
	fd = open_chip(variant->id);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, vst_write_file(name, "10000"));
	ASSERT_EQ(0, create_mapped(fd, PAGE, &b));
	put_compute(&b, variant->arch, &variant->arch->spin, 4);
	EXPECT_EQ(-ETIME, run_chain(fd, &b, b.va));
	put_copy(&b, variant->arch);
	EXPECT_EQ(0, run_chain(fd, &b, b.va));
	close(fd);
}

/* Closing a file ends what it runs. */
TEST_F(panfrost, close_while_running)
{
	unsigned int i;
	struct bo b;
	int fd;

	for (i = 0; i < 4; i++) {
		fd = open_chip(variant->id);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, create_mapped(fd, PAGE, &b));
		put_compute(&b, variant->arch, &variant->arch->spin, 4);
		EXPECT_EQ(0, submit(fd, b.va, &b.handle, 1, 0, 0, 0));
		munmap(b.map, b.size);
		close(fd);
	}
	put_copy(&self->bo, variant->arch);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_F(panfrost, many_buffers)
{
	static struct bo b[2000];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(b); i++)
		ASSERT_EQ(0, create(self->fd, PAGE, PANFROST_BO_NOEXEC, &b[i]));
	put_zero(&self->bo, JOB_AT, b[1999].va, 0);
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
	for (i = 0; i < ARRAY_SIZE(b); i += 2)
		ASSERT_EQ(0, vst_bo_close(self->fd, b[i].handle));
	EXPECT_EQ(0, run_chain(self->fd, &self->bo, self->bo.va));
	put_zero(&self->bo, JOB_AT, b[1998].va, 0);
	EXPECT_EQ(-EIO, run_chain(self->fd, &self->bo, self->bo.va));
}

TEST_HARNESS_MAIN
