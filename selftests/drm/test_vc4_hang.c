// SPDX-License-Identifier: GPL-2.0
/*
 * Devices that present themselves as the vc4 driver's: hang states, and each ioctl with every
 * allocation failing in turn.
 *
 * Needs a device with the personality vc4, in a kernel.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vshader_test.h"
#include "vst_failnth.h"
#include "vst_vc4_job.h"

/* ---- hang states ---- */

#define NUM_HUNG	(NUM_BOS + 1)	/* and the job's own memory */
#define PATIENCE_MS	20000

/* The primary node of a render node's device. */
static int open_primary(int render)
{
	char path[64];
	struct stat st;
	struct dirent *e;
	int fd = -ENOENT;
	DIR *dir;

	if (fstat(render, &st))
		return -errno;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/drm", major(st.st_rdev),
		 minor(st.st_rdev));
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (fd < 0 && (e = readdir(dir))) {
		if (strncmp(e->d_name, "card", 4))
			continue;
		snprintf(path, sizeof(path), "/dev/dri/%.32s", e->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
	}
	closedir(dir);
	return fd;
}

static int hang_state(int fd, struct drm_vc4_get_hang_state *s,
		      struct drm_vc4_get_hang_state_bo *bo, __u32 n)
{
	memset(s, 0xff, sizeof(*s));
	s->bo = PTR(bo);
	s->bo_count = n;
	return vst_ioctl(fd, DRM_IOCTL_VC4_GET_HANG_STATE, s);
}

/* Wait for a state, which a work makes after the job has ended. Return: how many buffers it has. */
static int wait_hang(int fd)
{
	struct drm_vc4_get_hang_state s;
	int i, ret;

	for (i = 0; i < PATIENCE_MS / 10; i++) {
		ret = hang_state(fd, &s, NULL, 0);
		if (ret != -ENOENT)
			return ret ? ret : (int)s.bo_count;
		usleep(10000);
	}
	return -ETIME;
}

/* A job whose list the engine refuses, at the configuration bits. */
static int submit_bad(int fd, struct job *j, const __u32 *handles)
{
	int ret;

	make_job(j, handles);
	j->list[LIST_CONFIG + 2] |= 1;
	ret = submit(fd, j);
	return ret ? ret : wait_seqno(fd, j->arg.seqno, ~0ULL);
}

/* Forget states of earlier tests. Return: the primary node, -ENOENT: not that of a kernel. */
static int open_hangs(int render)
{
	struct drm_vc4_get_hang_state_bo bo[64];
	struct drm_vc4_get_hang_state s;
	int fd = open_primary(render);
	int ret;

	if (fd < 0)
		return fd;
	/* the job of an earlier test may just have ended */
	usleep(100000);
	ret = hang_state(fd, &s, bo, ARRAY_SIZE(bo));
	if (!ret || ret == -ENOENT)
		return fd;
	close(fd);
	return ret;
}

#define HANGS_OR_SKIP(statement, node) do {				\
	int __fd = open_hangs(self->fd);				\
	if (__fd == -ENOENT || __fd == -EACCES)				\
		SKIP(statement, "no primary node for the superuser");	\
	ASSERT_LE(0, __fd);						\
	(node) = __fd;							\
} while (0)

/* Only for the superuser, on a primary node. */
TEST_F(vc4, hang_state_access)
{
	struct drm_vc4_get_hang_state s;
	int fd;

	EXPECT_EQ(-EACCES, hang_state(self->fd, &s, NULL, 0));
	HANGS_OR_SKIP(return, fd);
	EXPECT_EQ(-ENOENT, hang_state(fd, &s, NULL, 0));
	ASSERT_EQ(0, seteuid(65534));
	EXPECT_EQ(-EACCES, hang_state(fd, &s, NULL, 0));
	ASSERT_EQ(0, seteuid(0));
	close(fd);
}

/* Registers and buffers of the first job that has a fault. */
TEST_F(vc4, hang_state)
{
	struct drm_vc4_get_hang_state_bo bo[NUM_HUNG + 1] = { 0 };
	struct drm_vc4_get_hang_state s;
	const __u8 *mem;
	__u32 *image;
	int fd;

	HANGS_OR_SKIP(return, fd);
	self->image[5] = 0x12345678;
	ASSERT_EQ(0, submit_bad(self->fd, &self->job, self->handles));
	EXPECT_EQ(NUM_HUNG, wait_hang(fd));
	/*
	 * another one is not kept, and what the client closes is; closing waits for the work that
	 * keeps states, if no mapping holds the file
	 */
	ASSERT_EQ(0, submit_bad(self->fd, &self->job, self->handles));
	munmap(self->image, 4 * SIZE * SIZE);
	close(self->fd);
	self->fd = open_vc4();
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(0, hang_state(fd, &s, bo, NUM_HUNG - 1));
	EXPECT_EQ(NUM_HUNG, s.bo_count);
	EXPECT_EQ(0, bo[0].handle);
	ASSERT_EQ(0, hang_state(fd, &s, bo, NUM_HUNG + 1));
	EXPECT_EQ(NUM_HUNG, s.bo_count);
	EXPECT_EQ(PTR(bo), s.bo);
	EXPECT_EQ(0, bo[NUM_HUNG].handle);
	EXPECT_EQ(s.ct0ea - s.start_bin, sizeof(vc4_list));
	EXPECT_EQ(s.start_bin + LIST_CONFIG, s.ct0ca);
	EXPECT_EQ(8, s.ct0cs);
	EXPECT_EQ(0, s.start_render | s.ct1cs);
	EXPECT_EQ(4 * SIZE * SIZE, bo[IMAGE].size);
	EXPECT_NE(0, bo[IMAGE].paddr);
	ASSERT_EQ(0, map_bo(fd, bo[IMAGE].handle, 4 * SIZE * SIZE, PROT_READ, &image));
	EXPECT_EQ(0x12345678, image[5]);
	/* the list as the engine reads it */
	ASSERT_LE(bo[NUM_BOS].paddr, s.start_bin);
	ASSERT_EQ(0, map_bo(fd, bo[NUM_BOS].handle, bo[NUM_BOS].size, PROT_READ, &mem));
	EXPECT_EQ(0x60, mem[s.ct0ca - bo[NUM_BOS].paddr]);
	/* once */
	EXPECT_EQ(-ENOENT, hang_state(fd, &s, bo, NUM_HUNG));
	close(fd);
}

/* The fragment program waits for ever: the list has been executed, the render job has not. */
TEST_F(vc4, hang_state_of_rendering)
{
	struct drm_vc4_get_hang_state_bo bo[NUM_HUNG];
	struct drm_vc4_get_hang_state s;
	__u32 code[ARRAY_SIZE(vc4_fs)];
	int fd;

	HANGS_OR_SKIP(return, fd);
	memcpy(code, vc4_fs, sizeof(code));
	/* acquire a semaphore that nobody releases */
	code[2] = 0x00000010;
	code[3] = 0xe80009e7;
	ASSERT_EQ(0, create_shader(self->fd, code, sizeof(code), &self->handles[FS]));
	make_job(&self->job, self->handles);
	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(0, wait_seqno(self->fd, self->job.arg.seqno, ~0ULL));
	ASSERT_EQ(NUM_HUNG, wait_hang(fd));
	ASSERT_EQ(0, hang_state(fd, &s, bo, NUM_HUNG));
	EXPECT_EQ(0, s.start_bin | s.ct0cs);
	EXPECT_EQ(s.ct0ea, s.ct0ca);
	EXPECT_EQ(0x20, s.ct1cs);
	EXPECT_NE(0, s.start_render);
	EXPECT_EQ(s.start_render, s.ct1ca);
	EXPECT_LT(s.ct1ca, s.ct1ea);
	close(fd);
}

/* Without a place for the buffers the state is lost, and no handle stays. */
TEST_F(vc4, hang_state_errors)
{
	struct drm_vc4_get_hang_state s;
	__u32 before, after;
	int fd;

	HANGS_OR_SKIP(return, fd);
	ASSERT_EQ(0, create_bo(fd, PAGE, &before));
	ASSERT_EQ(0, submit_bad(self->fd, &self->job, self->handles));
	ASSERT_EQ(NUM_HUNG, wait_hang(fd));
	EXPECT_EQ(-EFAULT, hang_state(fd, &s, (void *)BAD_PTR, NUM_HUNG));
	EXPECT_EQ(-ENOENT, hang_state(fd, &s, NULL, 0));
	ASSERT_EQ(0, create_bo(fd, PAGE, &after));
	EXPECT_EQ(before + 1, after);
	close(fd);
}

/* Memory that is not needed any more is, for the state. */
TEST_F(vc4, hang_state_retains)
{
	struct drm_vc4_get_hang_state_bo bo[NUM_HUNG];
	struct drm_vc4_get_hang_state s;
	__u32 *image, in;
	struct vst_gate g;
	int fd;

	HANGS_OR_SKIP(return, fd);
	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, self->fd, &in));
	self->job.list[LIST_CONFIG + 2] |= 1;
	self->job.arg.in_sync = in;
	self->image[7] = 0x12345678;
	ASSERT_EQ(0, submit(self->fd, &self->job));
	EXPECT_EQ(1, madvise_bo(self->fd, self->handles[IMAGE], VC4_MADV_DONTNEED, 0));
	EXPECT_EQ(0, vst_gate_open(&g));
	ASSERT_EQ(NUM_HUNG, wait_hang(fd));
	ASSERT_EQ(0, map_bo(self->fd, self->handles[IMAGE], PAGE, PROT_READ, &image));
	EXPECT_EQ(0x12345678, image[7]);
	EXPECT_EQ(0, hang_state(fd, &s, bo, NUM_HUNG));
	vst_gate_free(&g);
	close(fd);
}

/* ---- failing allocations ---- */

static int perfmon_values(int fd, __u32 id, __u64 *values)
{
	struct drm_vc4_perfmon_get_values get = { .id = id, .values_ptr = PTR(values) };

	return vst_ioctl(fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get);
}

static int once_create_bo(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	struct drm_vc4_create_bo a = { .size = PAGE };
	int ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_CREATE_BO, &a);

	self->handle = a.handle;
	return ret;
}

static int once_create_shader(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	struct drm_vc4_create_shader_bo a = { .size = sizeof(vc4_vs), .data = PTR(vc4_vs) };
	int ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &a);

	self->handle = a.handle;
	return ret;
}

static void undo_bo(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;

	vst_bo_close(self->fd, self->handle);
}

/* A new buffer each time: the offset and the pages are made once. */
static int once_mmap(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	struct drm_vc4_mmap_bo a = { 0 };
	int ret = once_create_bo(self);
	void *p;

	if (ret)
		return ret;
	a.handle = self->handle;
	ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_MMAP_BO, &a);
	if (!ret) {
		p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, a.offset);
		if (p == MAP_FAILED)
			ret = -errno;
		else
			munmap(p, PAGE);
	}
	undo_bo(self);
	return ret;
}

static int once_small(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	__u32 bo = self->handles[IMAGE];
	struct drm_vc4_get_param param = { 0 };
	struct drm_vc4_set_tiling set = { .handle = bo, .modifier = T_TILED };
	struct drm_vc4_get_tiling get = { .handle = bo };
	struct drm_vc4_gem_madvise madvise = { .handle = bo };
	struct drm_vc4_label_bo name = { .handle = bo, .len = 5, .name = PTR("image") };
	struct drm_vc4_wait_bo wait = { .handle = bo };
	struct drm_vc4_wait_seqno seqno = { 0 };
	int ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_GET_PARAM, &param);

	if (!ret)
		ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_SET_TILING, &set);
	if (!ret)
		ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_GET_TILING, &get);
	if (!ret)
		ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_GEM_MADVISE, &madvise);
	if (!ret)
		ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_LABEL_BO, &name);
	if (!ret)
		ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_WAIT_BO, &wait);
	if (!ret)
		ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_WAIT_SEQNO, &seqno);
	return ret;
}

static int once_perfmon(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	struct drm_vc4_perfmon_create p = { .ncounters = 1 };
	int ret = vst_ioctl_once(self->fd, DRM_IOCTL_VC4_PERFMON_CREATE, &p);

	self->id = p.id;
	return ret;
}

static void undo_perfmon(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	struct drm_vc4_perfmon_destroy a = { .id = self->id };
	__u64 value;

	if (perfmon_values(self->fd, self->id, &value) ||
	    vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_DESTROY, &a))
		abort();
}

static int once_submit(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;

	return vst_ioctl_once(self->fd, DRM_IOCTL_VC4_SUBMIT_CL, &self->job.arg);
}

/* A job that has been submitted is executed, also if its number could not be copied. */
static void undo_submit(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;

	if (wait_bo(self->fd, self->handles[IMAGE], 0, ~0ULL) || count(self->image, RED) != NUM_RED)
		abort();
	memset(self->image, 0, 4 * SIZE * SIZE);
}

/* The first job of a file, which gets memory for its lists. */
static int once_first_submit(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	struct job *j = &self->job;
	int fd = self->fd, ret;
	__u32 bo;

	self->fd = open_vc4();
	ret = self->fd < 0 ? -ENOMEM : once_create_bo(self);
	bo = self->handle;
	if (!ret) {
		make_job(j, self->handles);
		j->handles[0] = bo;
		j->arg.bo_handle_count = 1;
		j->arg.bin_cl_size = 0;
		j->arg.color_write.hindex = 0;
		j->arg.width = 16;
		j->arg.height = 16;
		ret = once_submit(self);
	}
	close(self->fd);
	self->fd = fd;
	return ret;
}

static int once_hang(void *arg)
{
	FIXTURE_DATA(vc4) *self = arg;
	struct drm_vc4_get_hang_state_bo bo[NUM_HUNG];
	struct drm_vc4_get_hang_state s;
	int i, ret = submit_bad(self->fd, &self->job, self->handles);

	if (!ret)
		ret = wait_hang(self->primary);
	if (ret < 0)
		return ret;
	ret = hang_state(self->primary, &s, bo, NUM_HUNG);
	for (i = 0; !ret && i < NUM_HUNG; i++)
		vst_bo_close(self->primary, bo[i].handle);
	return ret;
}

TEST_F_TIMEOUT(vc4, failing_allocations, 300)
{
	int fd = open(VST_FAILNTH, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		SKIP(return, "kernel without fault injection");
	vst_failnth_setup();
	vst_failnth_sweep(_metadata, fd, once_create_bo, undo_bo, self);
	vst_failnth_sweep(_metadata, fd, once_create_shader, undo_bo, self);
	vst_failnth_sweep(_metadata, fd, once_mmap, NULL, self);
	vst_failnth_sweep(_metadata, fd, once_small, NULL, self);
	vst_failnth_sweep(_metadata, fd, once_perfmon, undo_perfmon, self);
	vst_failnth_sweep(_metadata, fd, once_submit, undo_submit, self);
	vst_failnth_sweep(_metadata, fd, once_first_submit, NULL, self);
	self->primary = open_hangs(self->fd);
	if (self->primary >= 0)
		vst_failnth_sweep(_metadata, fd, once_hang, NULL, self);
	close(fd);
	/* nothing is wrong afterwards */
	make_job(&self->job, self->handles);
	ASSERT_EQ(0, submit(self->fd, &self->job));
	undo_submit(self);
}

TEST_HARNESS_MAIN
