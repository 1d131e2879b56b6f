// SPDX-License-Identifier: GPL-2.0
/*
 * Every kind of kernel memory that a client can ask for is bounded by client_memory: as many
 * objects as that has room for, -EDQUOT, and room again when something is given back. The table
 * in Documentation/clients.rst names the test of each kind.
 */
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "vst_dump.h"
#include "vst_mali.h"
#include "vshader_test.h"

#define PARAMETER	"/sys/module/vshader/parameters/client_memory"
#define MANY		100000

FIXTURE(accounts) {
	char was[32];
	struct vst t;
	__u32 bo;
};

FIXTURE_SETUP(accounts)
{
	int fd = vst_open();

	self->t.fd = -1;
	if (fd == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_LE(0, fd);
	close(fd);
	ASSERT_LT(0, vst_read_file(PARAMETER, self->was, sizeof(self->was)));
	ASSERT_EQ(0, vst_setup(&self->t, &vst_spin));
	ASSERT_EQ(0, vst_bo_create(self->t.fd, 2 * PAGE, 0, 0, &self->bo));
}

FIXTURE_TEARDOWN(accounts)
{
	if (self->was[0])
		vst_write_file(PARAMETER, self->was);
	if (self->t.fd >= 0)
		close(self->t.fd);
}

static int limit(FIXTURE_DATA(accounts) *self, const char *mib)
{
	return vst_write_file(PARAMETER, mib);
}

/* ---- programs ---- */

/* The program that never ends, and much that it does not reach. */
static int big_program(int fd, __u32 *words, __u32 size, __u32 *id)
{
	static const __u32 entry;
	struct drm_vshader_program_section s = {
		.type = DRM_VSHADER_SECTION_CODE, .data = PTR(words), .size = size,
	};
	struct drm_vshader_program_create arg = {
		.engine = DRM_VSHADER_ENGINE_BIFROST,
		.stage = DRM_VSHADER_STAGE_COMPUTE,
		.sections = DRM_VSHADER_OBJ_ARRAY(1, &s),
		.entries = PTR(&entry),
		.num_entries = 1,
	};
	int ret;

	memcpy(words, vst_mali_bifrost.spin.words, 4 * vst_mali_bifrost.spin.n);
	ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg);
	*id = arg.id;
	return ret;
}

TEST_F(accounts, programs)
{
	static __u32 words[1 << 17], id[64];
	int i, ret = 0;

	ASSERT_EQ(0, limit(self, "8"));
	for (i = 0; i < 64 && !ret; i++)
		ret = big_program(self->t.fd, words, sizeof(words), &id[i]);
	EXPECT_EQ(-EDQUOT, ret);
	/* 512 KiB each, at least */
	EXPECT_GT(17, i);
	EXPECT_LT(1, i);
	EXPECT_EQ(0, vst_program_destroy(self->t.fd, id[0]));
	EXPECT_EQ(0, big_program(self->t.fd, words, sizeof(words), &id[0]));
}

/* ---- buffers ---- */

static int fill_with_buffers(FIXTURE_DATA(accounts) *self, __u32 *last, int *n)
{
	__u32 bo;
	int ret;

	for (*n = 0; *n < MANY; ++*n) {
		ret = vst_bo_create(self->t.fd, PAGE, 0, 0, &bo);
		if (ret)
			return ret;
		*last = bo;
	}
	return 0;
}

TEST_F(accounts, buffers)
{
	__u32 bo = 0;
	int n;

	ASSERT_EQ(0, limit(self, "4"));
	EXPECT_EQ(-EDQUOT, fill_with_buffers(self, &bo, &n));
	printf("# %d buffers\n", n);
	EXPECT_GT(1025, n);
	EXPECT_LT(500, n);
	EXPECT_EQ(0, vst_bo_close(self->t.fd, bo));
	EXPECT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &bo));
	/* a large one has many pages to keep count of */
	EXPECT_EQ(-EDQUOT, vst_bo_create(self->t.fd, 1ULL << 30, 0, 0, &bo));
}

/* A buffer without a handle, but with a mapping, is paid for. */
TEST_F(accounts, buffers_without_handles)
{
	int n, ret = 0;
	__u32 bo;

	ASSERT_EQ(0, limit(self, "4"));
	for (n = 0; n < 4096 && !ret; n++) {
		ret = vst_bo_create(self->t.fd, PAGE, 0, 0, &bo);
		if (ret)
			break;
		ret = vst_map(self->t.fd, self->t.vm, bo, 0, VA(200) + n * PAGE, PAGE, 0);
		ASSERT_EQ(0, vst_bo_close(self->t.fd, bo));
	}
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_GT(1025, n);
	EXPECT_EQ(0, limit(self, "8"));
	EXPECT_EQ(0, vst_unmap(self->t.fd, self->t.vm, VA(200), 4096 * PAGE));
	EXPECT_EQ(0, limit(self, "4"));
	EXPECT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &bo));
}

/* A dma-buf that outlives the file keeps the charge of its buffer, and nothing else. */
TEST_F(accounts, exported_buffer)
{
	int file;
	__u32 bo;

	ASSERT_EQ(0, vst_bo_create(self->t.fd, 16 * PAGE, 0, 0, &bo));
	ASSERT_EQ(0, vst_prime_export(self->t.fd, bo, &file));
	close(self->t.fd);
	self->t.fd = vst_open();
	ASSERT_LE(0, self->t.fd);
	close(file);
	EXPECT_EQ(0, vst_alive());
}

/* ---- address spaces ---- */

static int fill_space(FIXTURE_DATA(accounts) *self, __u32 vm, int *n)
{
	struct drm_vshader_vm_bind_op op[128];
	int i, ret;

	for (; *n % 16000 < 15800; *n += 128) {
		for (i = 0; i < 128; i++)
			op[i] = (struct drm_vshader_vm_bind_op){
				.bo_handle = self->bo,
				.va = 0x40000000ULL + (*n % 16000 + i) * PAGE,
				.size = PAGE,
				.bo_offset = (i & 1) * PAGE,
			};
		ret = vst_bind_ops(self->t.fd, vm, op, 128, NULL);
		if (ret)
			return ret;
	}
	*n += 16000 - *n % 16000;
	return 0;
}

TEST_F_TIMEOUT(accounts, mappings, 120)
{
	__u32 vm = 0, last;
	int n = 0, ret = 0;

	ASSERT_EQ(0, limit(self, "3"));
	while (!ret && n < MANY) {
		last = vm;
		ret = vst_vm_create(self->t.fd, 0, &vm);
		if (!ret)
			ret = fill_space(self, vm, &n);
	}
	printf("# %d mappings\n", n);
	EXPECT_EQ(-EDQUOT, ret);
	/* 48 bytes each, at least */
	EXPECT_GT(3 * 1048576 / 48, n);
	EXPECT_EQ(0, vst_vm_destroy(self->t.fd, last));
	EXPECT_EQ(0, vst_map(self->t.fd, vm, self->bo, 0, VA(0), PAGE, 0));
}

/* ---- jobs ---- */

static long available_kib(void)
{
	char buf[4096], *at;

	if (vst_read_file("/proc/meminfo", buf, sizeof(buf)) < 0)
		return 0;
	at = strstr(buf, "MemAvailable:");
	return at ? strtol(at + 13, NULL, 10) : 0;
}

/* Jobs after one that does not end, each with its own address space. Return: the error. */
static int queue_jobs(FIXTURE_DATA(accounts) *self, struct vst_job *j, int *n)
{
	int ret;

	for (*n = 0; *n < 511; ++*n) {
		ret = vst_map(self->t.fd, self->t.vm, self->bo, (*n & 1) * PAGE, 0x40000000ULL,
			      PAGE, *n & 2 ? DRM_VSHADER_VM_BIND_READONLY : 0);
		if (!ret)
			ret = vst_submit(self->t.fd, j);
		if (ret)
			return ret;
	}
	return 0;
}

TEST_F_TIMEOUT(accounts, snapshots, 120)
{
	int n = 0, many = 0, queues;
	struct vst_job j;
	long before;
	__u32 queue;
	int ret = 0;

	ASSERT_EQ(0, fill_space(self, self->t.vm, &n));
	ASSERT_EQ(0, limit(self, "8"));
	vst_default_job(&self->t, &j);
	j.job.result_va = 0;
	before = available_kib();
	for (queues = 0; queues < 16 && !ret; queues++) {
		ret = vst_queue(self->t.fd, self->t.vm, 0, 0, &queue);
		j.job.queue_id = queue;
		if (!ret)
			ret = queue_jobs(self, &j, &n);
		many += n;
	}
	printf("# %d queued jobs, %ld KiB\n", many, before - available_kib());
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_GT(1024, many);
	EXPECT_LT(100, many);
	/* a copy of all mappings for each would be a gigabyte; sanitizers double what there is */
	EXPECT_GT(131072, before - available_kib());
}

TEST_F(accounts, syncs)
{
	struct drm_vshader_sync op[32];
	int n, few, ret, i;
	struct vst_job j;
	__u32 sync;

	ASSERT_EQ(0, limit(self, "4"));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &sync));
	vst_default_job(&self->t, &j);
	j.job.result_va = 0;
	ASSERT_EQ(-EDQUOT, queue_jobs(self, &j, &n));
	ASSERT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	/* its jobs are freed when they have ended */
	for (i = 0; i < 500; i++) {
		ret = vst_queue(self->t.fd, self->t.vm, 0, 0, &self->t.queue);
		if (ret != -EDQUOT)
			break;
		usleep(20000);
	}
	ASSERT_EQ(0, ret);
	vst_default_job(&self->t, &j);
	j.job.result_va = 0;
	for (i = 0; i < 32; i++)
		op[i] = (struct drm_vshader_sync){
			.flags = DRM_VSHADER_SYNC_SIGNAL, .handle = sync,
		};
	j.job.syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(32, op);
	for (i = 0; i < 100; i++) {
		ret = queue_jobs(self, &j, &few);
		if (few)
			break;
		usleep(20000);
	}
	printf("# %d jobs, %d with 32 signals\n", n, few);
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_GT(n, few);
}

TEST_F(accounts, queues)
{
	int i, ret = 0;
	__u32 q;

	ASSERT_EQ(0, limit(self, "4"));
	for (i = 0; i < 1024 && !ret; i++)
		ret = vst_queue(self->t.fd, self->t.vm, 0, 0, &q);
	EXPECT_EQ(-EDQUOT, ret);
	EXPECT_GT(65, i);
	EXPECT_LT(10, i);
	EXPECT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	EXPECT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &q));
}

/* The list of a job's shared buffers, and the fences in them. */
TEST_F_TIMEOUT(accounts, fences, 120)
{
	struct vst_job j;
	int i, ret = 0;
	__u32 bo;

	vst_default_job(&self->t, &j);
	j.job.result_va = 0;
	j.job.flags = DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	ASSERT_EQ(0, vst_submit(self->t.fd, &j));
	for (i = 0; i < 1000; i++) {
		ASSERT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &bo));
		ASSERT_EQ(0, vst_map(self->t.fd, self->t.vm, bo, 0, VA(200) + i * PAGE, PAGE, 0));
	}
	ASSERT_EQ(0, limit(self, "8"));
	for (i = 0; i < 100 && !ret; i++) {
		ret = vst_queue(self->t.fd, self->t.vm, 0, 0, &j.job.queue_id);
		if (!ret)
			ret = vst_submit(self->t.fd, &j);
	}
	printf("# %d queues\n", i);
	EXPECT_EQ(-EDQUOT, ret);
	/* 16 KiB for fences and 64 KiB for the queue, each, of 3.5 MiB */
	EXPECT_GT(45, i);
}

/* ---- device core dumps ---- */

#define CGROUPS		"/tmp/vshader-accounts"
#define DUMPED		(24ULL << 20)

static int make_cgroup(void)
{
	int ret;

	mkdir(CGROUPS, 0755);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL))
		return -errno;
	ret = vst_write_file(CGROUPS "/cgroup.subtree_control", "+memory");
	if (ret)
		return ret;
	return mkdir(CGROUPS "/client", 0755) && errno != EEXIST ? -errno : 0;
}

static void drop_cgroup(void)
{
	int i;

	for (i = 0; i < 100 && rmdir(CGROUPS "/client") && errno == EBUSY; i++)
		usleep(50000);
	umount(CGROUPS);
	rmdir(CGROUPS);
}

/* A fault, in an address space with much that is not zero. */
static int fault(struct vst *t)
{
	struct vst_job j;
	int ret;

	ret = vst_queue(t->fd, t->vm, 0, 0, &t->queue);
	vst_default_job(t, &j);
	j.attr[0].va = VA(98);
	return ret ? ret : vst_run(t->fd, &j);
}

/* Bit 0: a dump is made in a group with little memory, bit 1: in one with enough. Or negative. */
static int dump_in_cgroup(void)
{
	char path[256];
	struct stat st;
	struct vst t;
	int got = 0;
	__u32 bo;
	void *p;

	/* the file belongs to the group, the memory of its buffers does not */
	if (vst_write_file(CGROUPS "/client/cgroup.procs", "0") || vst_setup(&t, &vst_mov) ||
	    vst_write_file(CGROUPS "/cgroup.procs", "0"))
		return -1;
	if (vst_bo_create(t.fd, DUMPED, 0, 0, &bo) ||
	    vst_map(t.fd, t.vm, bo, 0, VA(200), DUMPED, 0) ||
	    vst_bo_mmap(t.fd, bo, DUMPED, &p) || fstat(t.fd, &st))
		return -2;
	memset(p, 0x5a, DUMPED);
	vst_dump_drop(minor(st.st_rdev));
	if (vst_write_file(CGROUPS "/client/memory.max", "8M") || fault(&t) != -EIO)
		return -3;
	got |= vst_dump_wait(minor(st.st_rdev), path, sizeof(path));
	vst_dump_drop(minor(st.st_rdev));
	if (vst_write_file(CGROUPS "/client/memory.max", "max") || fault(&t) != -EIO)
		return -4;
	got |= vst_dump_wait(minor(st.st_rdev), path, sizeof(path)) << 1;
	vst_dump_drop(minor(st.st_rdev));
	return got;
}

/* The memory of a dump is charged to the control group of the client: without room, no dump. */
TEST_F_TIMEOUT(accounts, dumps, 120)
{
	int ret, status;
	pid_t pid;

	if (access("/sys/class/devcoredump", R_OK))
		SKIP(return, "kernel without device core dumps");
	ret = make_cgroup();
	if (ret) {
		drop_cgroup();
		SKIP(return, "no memory controller of cgroup2 (%s)", strerror(-ret));
	}
	pid = fork();
	if (!pid)
		_exit(dump_in_cgroup());
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	drop_cgroup();
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(2, WEXITSTATUS(status));
}

TEST_HARNESS_MAIN
