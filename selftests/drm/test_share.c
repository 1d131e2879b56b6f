// SPDX-License-Identifier: GPL-2.0
/*
 * Objects with several handles: GEM_FLINK, GEM_OPEN and PRIME, within a file, between files and
 * between devices, closed in every order. Memory of heaps in memory control groups.
 *
 * Needs devices with the personalities panfrost:t860 and panfrost:g52, and primary nodes.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "vshader_test.h"
#include "vst_panfrost.h"

#define CLIENTS		"/sys/module/vshader/parameters/max_clients"
#define CGROUPS		"/tmp/vshader-memory"
#define HEAP_FLAGS	(PANFROST_BO_HEAP | PANFROST_BO_NOEXEC)
#define HEAP_SIZE	(64U << 20)
/* In the part of a heap that gets its memory from jobs. */
#define HEAP_AT		(20U << 20)
#define GRANULE		(64U << 10)
#define CHAIN		550

/* ---- helpers ---- */

static int flink(int fd, __u32 handle, __u32 *name)
{
	struct drm_gem_flink arg = { .handle = handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_GEM_FLINK, &arg);

	*name = arg.name;
	return ret;
}

static int gem_open(int fd, __u32 name, __u32 *handle)
{
	struct drm_gem_open arg = { .name = name };
	int ret = vst_ioctl(fd, DRM_IOCTL_GEM_OPEN, &arg);

	*handle = arg.handle;
	return ret;
}

/* Buffer objects of all devices, or -1. */
static int count_objects(void)
{
	char path[64], buf[16384], *at;
	int i, n = -1;

	for (i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%d/gems", 128 + i);
		if (vst_read_file(path, buf, sizeof(buf)) < 0)
			continue;
		/* the first line is a heading */
		for (at = strchr(buf, '\n'); at && at[1]; at = strchr(at + 1, '\n'))
			n++;
		n += n < 0;
	}
	return n;
}

/* Objects are freed in the background when jobs have used them. */
static int count_objects_down_to(int want)
{
	int i;

	for (i = 0; i < 3000 && count_objects() > want; i++)
		usleep(20000);
	return count_objects();
}

FIXTURE(share) {
	int fd[2];
	struct vst_pf_bo bo[2];
	char clients[32];
};

FIXTURE_VARIANT(share) {
	const struct vst_mali_arch *arch;
	__u32 id;
};

FIXTURE_VARIANT_ADD(share, t860) {
	.arch = &vst_mali_midgard,
	.id = 0x860,
};

FIXTURE_VARIANT_ADD(share, g52) {
	.arch = &vst_mali_bifrost,
	.id = 0x7212,
};

/* As objects, a client whose jobs have ended goes in the background: there may be no room yet. */
static int open_when_room(int (*open_node)(__u32 id), __u32 id)
{
	int i, fd = open_node(id);

	for (i = 0; i < 3000 && fd == -ENOSPC; i++) {
		usleep(20000);
		fd = open_node(id);
	}
	return fd;
}

static int open_both(FIXTURE_DATA(share) *self, __u32 id)
{
	int i, ret;

	for (i = 0; i < 2; i++) {
		self->fd[i] = open_when_room(vst_pf_open_card, id);
		if (self->fd[i] < 0)
			return self->fd[i];
		ret = vst_pf_create_mapped(self->fd[i], PAGE, &self->bo[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static void close_file(FIXTURE_DATA(share) *self, int i)
{
	if (self->fd[i] < 0)
		return;
	munmap(self->bo[i].map, PAGE);
	close(self->fd[i]);
	self->fd[i] = -1;
}

static int open_clients(FIXTURE_DATA(share) *self, __u32 id, unsigned int most)
{
	char text[16];

	if (vst_read_file(CLIENTS, self->clients, sizeof(self->clients)) < 0)
		return -EPERM;
	snprintf(text, sizeof(text), "%u", most);
	return vst_write_file(CLIENTS, text);
}

FIXTURE_SETUP(share)
{
	int ret;

	self->clients[0] = 0;
	ret = open_both(self, variant->id);
	if (ret == -ENODEV)
		SKIP(return, "no primary node of panfrost and chip 0x%x", variant->id);
	ASSERT_EQ(0, ret);
	if (geteuid())
		SKIP(return, "needs root");
}

FIXTURE_TEARDOWN(share)
{
	close_file(self, 0);
	close_file(self, 1);
	if (self->clients[0])
		vst_write_file(CLIENTS, self->clients);
}

/* Does a job find memory at an address? Return: the fence's status. */
static int touch(FIXTURE_DATA(share) *self, int i, __u64 va)
{
	vst_pf_put_zero(&self->bo[i], PF_JOB_AT, va, 0);
	return vst_pf_run_chain(self->fd[i], &self->bo[i], self->bo[i].va);
}

/* A heap of the first file that the second one has opened. */
static int shared_heap(FIXTURE_DATA(share) *self, struct vst_pf_bo heap[2])
{
	__u32 name;
	int ret;

	ret = vst_pf_create(self->fd[0], HEAP_SIZE, HEAP_FLAGS, &heap[0]);
	if (!ret)
		ret = flink(self->fd[0], heap[0].handle, &name);
	if (!ret)
		ret = gem_open(self->fd[1], name, &heap[1].handle);
	return ret ? ret : vst_pf_offset_of(self->fd[1], heap[1].handle, &heap[1].va);
}

/* ---- handles in every order ---- */

enum { CLOSE_HANDLE_0, CLOSE_HANDLE_1, CLOSE_FILE_0, CLOSE_FILE_1, NUM_ACTIONS };

static void act(FIXTURE_DATA(share) *self, struct vst_pf_bo heap[2], int action)
{
	int i = action & 1;

	if (action >= CLOSE_FILE_0)
		close_file(self, i);
	else if (self->fd[i] >= 0)
		vst_bo_close(self->fd[i], heap[i].handle);
}

/*
 * A file sees the heap exactly as long as it has a handle, whatever the other one does. Nothing
 * of a round is left: there is room for few clients.
 */
TEST_F_TIMEOUT(share, heap_in_every_order, 120)
{
	int order, k, i, left[NUM_ACTIONS], before;
	struct vst_pf_bo heap[2];

	close_file(self, 0);
	close_file(self, 1);
	before = count_objects();
	ASSERT_EQ(0, open_clients(self, variant->id, 8));
	for (order = 0; order < 24; order++) {
		ASSERT_EQ(0, open_both(self, variant->id))
			TH_LOG("order %d", order);
		ASSERT_EQ(0, shared_heap(self, heap));
		for (k = 0; k < NUM_ACTIONS; k++)
			left[k] = k;
		for (k = 0, i = order; k < NUM_ACTIONS; k++) {
			int n = NUM_ACTIONS - k, at = i % n, action = left[at];
			bool has[2] = { false, false };
			int f;

			i /= n;
			memmove(&left[at], &left[at + 1], (n - at - 1) * sizeof(left[0]));
			act(self, heap, action);
			for (f = 0; f < n - 1; f++)
				if (left[f] < CLOSE_FILE_0)
					has[left[f]] = true;
			for (f = 0; f < 2; f++) {
				if (self->fd[f] < 0)
					continue;
				EXPECT_EQ(has[f] ? 0 : -EIO,
					  touch(self, f, heap[f].va + HEAP_AT))
					TH_LOG("order %d, step %d, file %d", order, k, f);
			}
		}
	}
	EXPECT_GE(before, count_objects_down_to(before));
}

/* A heap whose second handle is in the same file, as an attacker without privileges has it. */
TEST_F(share, heap_twice_in_a_file)
{
	__u32 name, again;
	struct vst_pf_bo heap;
	int round, before;
	__u64 va;

	close_file(self, 1);
	before = count_objects();
	ASSERT_EQ(0, open_clients(self, variant->id, 8));
	for (round = 0; round < 20; round++) {
		close_file(self, 0);
		ASSERT_EQ(0, open_both(self, variant->id))
			TH_LOG("round %d", round);
		ASSERT_EQ(0, vst_pf_create(self->fd[0], HEAP_SIZE, HEAP_FLAGS, &heap));
		ASSERT_EQ(0, flink(self->fd[0], heap.handle, &name));
		ASSERT_EQ(0, gem_open(self->fd[0], name, &again));
		close_file(self, 1);
	}
	EXPECT_NE(heap.handle, again);
	/* the addresses belong to the object in the file, not to a handle */
	EXPECT_EQ(0, vst_pf_offset_of(self->fd[0], again, &va));
	EXPECT_EQ(heap.va, va);
	EXPECT_EQ(0, touch(self, 0, va + HEAP_AT));
	EXPECT_EQ(0, vst_bo_close(self->fd[0], heap.handle));
	EXPECT_EQ(0, vst_pf_offset_of(self->fd[0], again, &va));
	EXPECT_EQ(heap.va, va);
	EXPECT_EQ(0, touch(self, 0, va + HEAP_AT));
	EXPECT_EQ(0, vst_bo_close(self->fd[0], again));
	EXPECT_EQ(-EIO, touch(self, 0, va + HEAP_AT));
	EXPECT_GE(before, count_objects_down_to(before));
}

/* Both files see the same memory, also what jobs of either have added, each at its addresses. */
TEST_F(share, heap_is_one_memory)
{
	struct vst_pf_bo heap[2], *b = self->bo, pad;
	unsigned int i;

	/* other addresses than in the first file */
	ASSERT_EQ(0, vst_pf_create(self->fd[1], HEAP_SIZE, PANFROST_BO_NOEXEC, &pad));
	ASSERT_EQ(0, shared_heap(self, heap));
	EXPECT_NE(heap[0].va, heap[1].va);
	vst_pf_put_copy(&b[0], variant->arch);
	vst_pf_w64(&b[0], PF_PUSH_AT + 8, heap[0].va + HEAP_AT);
	ASSERT_EQ(0, vst_pf_run_chain(self->fd[0], &b[0], b[0].va));
	vst_pf_put_copy(&b[1], variant->arch);
	vst_pf_w64(&b[1], PF_PUSH_AT, heap[1].va + HEAP_AT);
	memset(b[1].u8 + PF_FROM_AT, 0, 4 * PF_WORDS);
	ASSERT_EQ(0, vst_pf_run_chain(self->fd[1], &b[1], b[1].va));
	for (i = 0; i < PF_WORDS; i++)
		EXPECT_EQ(0x1000 + i, b[1].u32[PF_TO_AT / 4 + i]);
	/* it outlives the file that made it */
	close_file(self, 0);
	memset(b[1].u8 + PF_TO_AT, 0, 4 * PF_WORDS);
	ASSERT_EQ(0, vst_pf_run_chain(self->fd[1], &b[1], b[1].va));
	for (i = 0; i < PF_WORDS; i++)
		EXPECT_EQ(0x1000 + i, b[1].u32[PF_TO_AT / 4 + i]);
	EXPECT_EQ(0, touch(self, 1, heap[1].va + HEAP_SIZE - GRANULE));
}

/* PRIME through devices and back, closed in several orders. */
TEST_F_TIMEOUT(share, prime_around_devices, 120)
{
	int round, before = -1, other = variant->id == 0x860 ? 0x7212 : 0x860;

	close_file(self, 0);
	close_file(self, 1);
	before = count_objects();
	ASSERT_EQ(0, open_clients(self, variant->id, 8));
	for (round = 0; round < 24; round++) {
		int fd[3] = { open_when_room(vst_pf_open, variant->id),
			      open_when_room(vst_pf_open, other), vst_open() };
		__u32 handle[4];
		struct vst_pf_bo bo;
		int buf, i;

		if (fd[2] == -ENODEV)
			SKIP(return, "no vshader render node");
		for (i = 0; i < 3; i++)
			ASSERT_LE(0, fd[i]);
		ASSERT_EQ(0, vst_pf_create(fd[0], 16 * PAGE, 0, &bo));
		handle[0] = bo.handle;
		for (i = 0; i < 3; i++) {
			ASSERT_EQ(0, vst_prime_export(fd[i], handle[i], &buf));
			ASSERT_EQ(0, vst_prime_import(fd[(i + 1) % 3], buf, &handle[i + 1]));
			close(buf);
		}
		/* a dma-buf that comes home is the object, and the file has its handle */
		EXPECT_EQ(handle[0], handle[3]);
		if (round & 1)
			EXPECT_EQ(0, vst_bo_close(fd[round % 3], handle[round % 3]));
		for (i = 0; i < 3; i++)
			close(fd[(round / 2 + (round & 4 ? i : 2 * i)) % 3]);
	}
	EXPECT_GE(before, count_objects_down_to(before));
}

/* An exclusive object has handles in the file of its VM only. */
TEST(exclusive_object)
{
	__u32 vm, bo, name, again, i;
	int a = -ENODEV, b;
	char path[64];

	for (i = 0; i < 8 && a < 0; i++) {
		char driver[32] = "";
		struct drm_version v = { .name = driver, .name_len = sizeof(driver) - 1 };

		snprintf(path, sizeof(path), "/dev/dri/card%u", i);
		a = open(path, O_RDWR | O_CLOEXEC);
		if (a >= 0 && (vst_ioctl(a, DRM_IOCTL_VERSION, &v) || strcmp(driver, "vshader"))) {
			close(a);
			a = -ENODEV;
		}
	}
	if (a < 0)
		SKIP(return, "no primary node of vshader");
	b = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, b);
	ASSERT_EQ(0, vst_vm_create(a, 0, &vm));
	ASSERT_EQ(0, vst_bo_create(a, PAGE, 0, vm, &bo));
	ASSERT_EQ(0, flink(a, bo, &name));
	EXPECT_EQ(-EPERM, gem_open(b, name, &again));
	EXPECT_EQ(0, gem_open(a, name, &again));
	/* a file that has handles works on without them */
	ASSERT_EQ(0, vst_vm_destroy(a, vm));
	EXPECT_EQ(-EPERM, gem_open(a, name, &i));
	EXPECT_EQ(0, vst_bo_close(a, bo));
	EXPECT_EQ(0, vst_bo_close(a, again));
	EXPECT_EQ(-ENOENT, gem_open(a, name, &again));
	/* an object that is not exclusive is everybody's */
	ASSERT_EQ(0, vst_bo_create(a, PAGE, 0, 0, &bo));
	ASSERT_EQ(0, flink(a, bo, &name));
	EXPECT_EQ(0, gem_open(b, name, &again));
	close(a);
	EXPECT_EQ(0, vst_bo_close(b, again));
	close(b);
}

/* ---- advice ---- */

/* Status of a process that reads the word, which may be a SIGBUS; 0: it is @want. */
static int status_of_read(const __u32 *p, __u32 want)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(*p == want ? 0 : 1);
	return pid < 0 || waitpid(pid, &status, 0) != pid ? -1 : status;
}

/* Memory that the file does not need, which another file opens, is needed. */
TEST_F(share, purge_spares_others)
{
	struct vst_pf_bo mine, theirs = { .size = PAGE }, idle;
	__u32 name, retained;
	int status;

	ASSERT_EQ(0, vst_pf_create(self->fd[0], PAGE, 0, &mine));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd[0], PAGE, &idle));
	ASSERT_EQ(0, flink(self->fd[0], mine.handle, &name));
	ASSERT_EQ(0, vst_pf_advise(self->fd[0], mine.handle, PANFROST_MADV_DONTNEED, &retained));
	ASSERT_EQ(1, retained);
	ASSERT_EQ(0, gem_open(self->fd[1], name, &theirs.handle));
	ASSERT_EQ(0, vst_pf_map_bo(self->fd[1], &theirs));
	theirs.u32[0] = 0x1234;
	if (!vst_pf_purge(self->fd[0], idle.handle, &retained))
		SKIP(return, "%s cannot be written", PF_DROP_CACHES);
	ASSERT_EQ(0, retained);
	status = status_of_read(theirs.u32, 0x1234);
	EXPECT_EQ(0, status)
		TH_LOG("status 0x%x", status);
	/* neither has it alone */
	EXPECT_EQ(-EINVAL, vst_pf_advise(self->fd[0], mine.handle, PANFROST_MADV_DONTNEED,
					 &retained));
	EXPECT_EQ(-EINVAL, vst_pf_advise(self->fd[1], theirs.handle, PANFROST_MADV_DONTNEED,
					 &retained));
	/* who keeps it alone can give it up */
	EXPECT_EQ(0, vst_bo_close(self->fd[0], mine.handle));
	ASSERT_TRUE(vst_pf_purge(self->fd[1], theirs.handle, &retained));
	EXPECT_EQ(0, retained);
}

/* A mapping of a file that has closed its handle keeps the memory, too. */
TEST_F(share, purge_spares_mappings)
{
	struct vst_pf_bo mine, theirs = { .size = PAGE }, idle;
	__u32 name, retained;
	int status;

	ASSERT_EQ(0, vst_pf_create_mapped(self->fd[0], PAGE, &mine));
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd[0], PAGE, &idle));
	mine.u32[0] = 0x1234;
	ASSERT_EQ(0, flink(self->fd[0], mine.handle, &name));
	ASSERT_EQ(0, gem_open(self->fd[1], name, &theirs.handle));
	ASSERT_EQ(0, vst_pf_map_bo(self->fd[1], &theirs));
	ASSERT_EQ(0, vst_bo_close(self->fd[1], theirs.handle));
	ASSERT_EQ(0, vst_pf_advise(self->fd[0], mine.handle, PANFROST_MADV_DONTNEED, &retained));
	if (!vst_pf_purge(self->fd[0], idle.handle, &retained))
		SKIP(return, "%s cannot be written", PF_DROP_CACHES);
	/* its own mapping spares nothing */
	ASSERT_EQ(0, retained);
	status = status_of_read(theirs.u32, 0x1234);
	EXPECT_EQ(0, status)
		TH_LOG("status 0x%x", status);
	EXPECT_EQ(0, vst_pf_advise(self->fd[0], mine.handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(1, retained);
}

/* One that was purged has addresses and no memory for those who open it, too. */
TEST_F(share, purged_then_opened)
{
	__u32 name, handle, retained;
	struct vst_pf_bo b;
	__u64 va;

	ASSERT_EQ(0, vst_pf_create(self->fd[0], PAGE, 0, &b));
	ASSERT_EQ(0, flink(self->fd[0], b.handle, &name));
	if (!vst_pf_purge(self->fd[0], b.handle, &retained))
		SKIP(return, "%s cannot be written", PF_DROP_CACHES);
	ASSERT_EQ(0, retained);
	ASSERT_EQ(0, gem_open(self->fd[1], name, &handle));
	EXPECT_EQ(0, vst_pf_offset_of(self->fd[1], handle, &va));
	EXPECT_NE(0, va);
	EXPECT_EQ(-EIO, touch(self, 1, va));
	EXPECT_EQ(0, vst_pf_advise(self->fd[1], handle, PANFROST_MADV_WILLNEED, &retained));
	EXPECT_EQ(0, retained);
	EXPECT_EQ(0, vst_bo_close(self->fd[0], b.handle));
	EXPECT_EQ(0, vst_bo_close(self->fd[1], handle));
	EXPECT_EQ(0, touch(self, 1, self->bo[1].va + PF_TO_AT));
}

/* ---- memory control groups ---- */

static int make_cgroup(const char *max)
{
	int ret;

	mkdir(CGROUPS, 0755);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL))
		return -errno;
	ret = vst_write_file(CGROUPS "/cgroup.subtree_control", "+memory");
	if (ret)
		return ret;
	if (mkdir(CGROUPS "/client", 0755) && errno != EEXIST)
		return -errno;
	/* absent without swap */
	vst_write_file(CGROUPS "/client/memory.swap.max", "0");
	return vst_write_file(CGROUPS "/client/memory.max", max);
}

static void drop_cgroup(void)
{
	int i;

	for (i = 0; i < 100 && rmdir(CGROUPS "/client") && errno == EBUSY; i++)
		usleep(50000);
	umount(CGROUPS);
	rmdir(CGROUPS);
}

static long cgroup_mib(void)
{
	char buf[32];

	return vst_read_file(CGROUPS "/client/memory.current", buf, sizeof(buf)) < 0 ? -1 :
	       atol(buf) >> 20;
}

/* A chain whose jobs write into one granule of a heap each. Return: jobs that have ended well. */
static int fill_part(int fd, struct vst_pf_bo *chain, __u64 va, int *status)
{
	int i;

	for (i = 0; i < CHAIN; i++) {
		vst_pf_put_zero(chain, 64 * i, va + (__u64)i * GRANULE,
				i + 1 < CHAIN ? chain->va + 64 * (i + 1) : 0);
		chain->u32[16 * i] = 0;
	}
	*status = vst_pf_run_chain(fd, chain, chain->va);
	for (i = 0; i < CHAIN && chain->u32[16 * i] == 1; i++)
		;
	return i;
}

/* 16 MiB of the heap are there at once, the others come with jobs. */
static int make_heap(int fd, struct vst_pf_bo *chain, struct vst_pf_bo *heap)
{
	return vst_pf_create_mapped(fd, CHAIN * 64, chain) ?:
	       vst_pf_create(fd, (16 << 20) + 2 * CHAIN * GRANULE, HEAP_FLAGS, heap);
}

/* Return: granules of 2 * CHAIN that jobs have got. */
static int fill_heap(int fd, struct vst_pf_bo *chain, const struct vst_pf_bo *heap, int *status)
{
	int n = fill_part(fd, chain, heap->va + (16 << 20), status);

	if (!*status)
		n += fill_part(fd, chain, heap->va + (16 << 20) + CHAIN * GRANULE, status);
	return n;
}

/*
 * The heap's memory is that of the group in which it was made. At the group's limit the next page
 * that a process of it needs ends one of them: this one has left it before.
 */
static int heap_client(__u32 id, int out)
{
	int leave = open(CGROUPS "/cgroup.procs", O_WRONLY | O_CLOEXEC);
	struct vst_pf_bo chain, heap;
	int fd, got[3];

	if (leave < 0 || vst_write_file(CGROUPS "/client/cgroup.procs", "0"))
		return 1;
	fd = vst_pf_open(id);
	if (fd < 0 || make_heap(fd, &chain, &heap))
		return 2;
	if (write(leave, "0", 1) != 1)
		return 4;
	got[0] = fill_heap(fd, &chain, &heap, &got[1]);
	got[2] = cgroup_mib();
	if (write(out, got, sizeof(got)) != sizeof(got))
		return 3;
	close(fd);
	return 0;
}

/* Memory that a heap gets is charged to its client's control group, and ends with it. */
TEST_F_TIMEOUT(share, heap_in_cgroup, 120)
{
	int got[3] = { 0 }, out[2], status, ret, i;
	struct vst_pf_bo chain, heap;
	pid_t pid;

	ret = make_cgroup("64M");
	if (ret) {
		drop_cgroup();
		SKIP(return, "no memory controller of cgroup2 (%s)", strerror(-ret));
	}
	ASSERT_EQ(0, pipe(out));
	pid = fork();
	if (!pid)
		_exit(heap_client(variant->id, out[1]));
	close(out[1]);
	EXPECT_EQ(sizeof(got), read(out[0], got, sizeof(got)));
	close(out[0]);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status))
		TH_LOG("status 0x%x", status);
	printf("# %d granules of %d, status %d, %d MiB of 64\n", got[0], 2 * CHAIN, got[1], got[2]);
	/* the job ends where the group's limit is, beside what the client has otherwise */
	EXPECT_EQ(-EIO, got[1]);
	EXPECT_LT(100, got[0]);
	EXPECT_GT(64 * 16, got[0]);
	EXPECT_LE(got[0] / 16, got[2]);
	/* and everything is given back */
	for (i = 0; i < 1200 && cgroup_mib() > 4; i++)
		usleep(50000);
	EXPECT_GE(4, cgroup_mib());
	drop_cgroup();
	/* the same without a limit */
	ASSERT_EQ(0, make_heap(self->fd[0], &chain, &heap));
	EXPECT_EQ(2 * CHAIN, fill_heap(self->fd[0], &chain, &heap, &ret));
	EXPECT_EQ(0, ret);
}

TEST_HARNESS_MAIN
