// SPDX-License-Identifier: GPL-2.0
/*
 * Exported buffers of devices that present themselves as panfrost's, lima's or vc4's: ioctls of the
 * dma-buf, its size, names, mappings and fences. "vshader gl" passes the same tests (test_gl.sh).
 *
 * Needs a device with each of the personalities panfrost:t860, panfrost:g52, lima:mali400, vc4.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include "vshader_test.h"
#include "vst_panfrost.h"

#define SIZE		(4 * PAGE)
#define NAME_BYTES	32
#define CHAIN		4096	/* jobs of 64 bytes */

#define SET_NAME_A	_IOW('b', 1, __u32)
#define SET_NAME_B	_IOW('b', 1, __u64)

/* Newer than the headers of some C libraries. */
struct sync_file_arg {
	__u32 flags;
	__s32 fd;
};

#define IOCTL_SYNC	_IOW('b', 0, __u64)
#define EXPORT_FILE	_IOWR('b', 2, struct sync_file_arg)
#define IMPORT_FILE	_IOW('b', 3, struct sync_file_arg)
#define READ		1
#define WRITE		2
#define END		4

/* ---- devices ---- */

static int open_driver(const char *driver)
{
	char path[64], name[32];
	int i, fd;

	for (i = 128; i < 160; i++) {
		struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		memset(name, 0, sizeof(name));
		if (fd >= 0 && !vst_ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, driver))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -ENODEV;
}

static int export(int fd, __u32 handle, __u32 flags)
{
	struct drm_prime_handle arg = { .handle = handle, .flags = flags, .fd = -1 };
	int ret = vst_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &arg);

	return ret ? ret : arg.fd;
}

FIXTURE(dmabuf) {
	int fd;
	__u32 handle;
	int file;
};

FIXTURE_VARIANT(dmabuf) {
	const char *driver;
	__u32 id;
};

FIXTURE_VARIANT_ADD(dmabuf, t860) { .driver = "panfrost", .id = 0x860 };
FIXTURE_VARIANT_ADD(dmabuf, g52) { .driver = "panfrost", .id = 0x7212 };
FIXTURE_VARIANT_ADD(dmabuf, lima) { .driver = "lima" };
FIXTURE_VARIANT_ADD(dmabuf, vc4) { .driver = "vc4" };

FIXTURE_SETUP(dmabuf)
{
	self->file = -1;
	self->fd = variant->id ? vst_pf_open(variant->id) : open_driver(variant->driver);
	if (self->fd == -ENODEV)
		SKIP(return, "no device of the driver %s", variant->driver);
	ASSERT_EQ(0, vst_foreign_bo(self->fd, variant->driver, SIZE, &self->handle));
	self->file = export(self->fd, self->handle, DRM_CLOEXEC | DRM_RDWR);
	ASSERT_LE(0, self->file);
}

FIXTURE_TEARDOWN(dmabuf)
{
	if (self->file >= 0)
		close(self->file);
	if (self->fd >= 0)
		close(self->fd);
}

static int do_sync(int file, __u64 flags)
{
	return vst_ioctl(file, IOCTL_SYNC, &flags);
}

/* ---- errors ---- */

TEST_F(dmabuf, access)
{
	static const __u64 good[] = { READ, WRITE, READ | WRITE };
	static const __u64 bad[] = { 0, END, 8, READ | 8, 1ULL << 32 | READ, ~0ULL };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_EQ(0, do_sync(self->file, good[i]));
		EXPECT_EQ(0, do_sync(self->file, good[i] | END));
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_EQ(-EINVAL, do_sync(self->file, bad[i]));
	/* an end without a beginning */
	EXPECT_EQ(0, do_sync(self->file, READ | END));
}

TEST_F(dmabuf, sync_file_arguments)
{
	static const __u32 bad[] = { 0, END, READ | END, 1U << 31 };
	struct sync_file_arg arg;
	size_t i;
	int null;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		arg = (struct sync_file_arg){ bad[i], -1 };
		EXPECT_EQ(-EINVAL, vst_ioctl(self->file, EXPORT_FILE, &arg));
		EXPECT_EQ(-1, arg.fd);
		EXPECT_EQ(-EINVAL, vst_ioctl(self->file, IMPORT_FILE, &arg));
	}
	arg = (struct sync_file_arg){ READ, -1 };
	EXPECT_EQ(-EINVAL, vst_ioctl(self->file, IMPORT_FILE, &arg));
	/* none of them is a sync file */
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	arg.fd = null;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->file, IMPORT_FILE, &arg));
	close(null);
	arg.fd = self->file;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->file, IMPORT_FILE, &arg));
	arg.fd = self->fd;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->file, IMPORT_FILE, &arg));
}

TEST_F(dmabuf, bad_addresses)
{
	void *bad = (void *)BAD_PTR;

	EXPECT_EQ(-EFAULT, vst_ioctl(self->file, IOCTL_SYNC, bad));
	EXPECT_EQ(-EFAULT, vst_ioctl(self->file, EXPORT_FILE, bad));
	EXPECT_EQ(-EFAULT, vst_ioctl(self->file, IMPORT_FILE, bad));
	EXPECT_EQ(-EFAULT, vst_ioctl(self->file, SET_NAME_B, bad));
}

TEST_F(dmabuf, unknown_ioctls)
{
	char arg[64] = { 0 };
	unsigned int nr;

	for (nr = 4; nr < 64; nr++)
		EXPECT_EQ(-ENOTTY, vst_ioctl(self->file, _IOWR('b', nr, __u64), arg));
	/* other sizes are other numbers */
	EXPECT_EQ(-ENOTTY, vst_ioctl(self->file, _IOW('b', 0, __u32), arg));
	EXPECT_EQ(-ENOTTY, vst_ioctl(self->file, _IOWR('b', 0, __u64), arg));
	/* an ioctl of a node, of a sync file, of a terminal */
	EXPECT_EQ(-ENOTTY, vst_ioctl(self->file, DRM_IOCTL_VERSION, arg));
	EXPECT_EQ(-ENOTTY, vst_ioctl(self->file, _IOWR('>', 4, __u64), arg));
}

/* ---- the file ---- */

TEST_F(dmabuf, size)
{
	struct stat st;

	EXPECT_EQ(SIZE, lseek(self->file, 0, SEEK_END));
	EXPECT_EQ(0, lseek(self->file, 0, SEEK_SET));
	EXPECT_EQ(-1, lseek(self->file, 1, SEEK_SET));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, lseek(self->file, 0, SEEK_CUR));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, lseek(self->file, -1, SEEK_END));
	EXPECT_EQ(EINVAL, errno);
	ASSERT_EQ(0, fstat(self->file, &st));
	EXPECT_EQ(0600, st.st_mode);
	EXPECT_EQ(SIZE, st.st_size);
	EXPECT_EQ(SIZE / 512, st.st_blocks);
	EXPECT_EQ(1, st.st_nlink);
}

TEST_F(dmabuf, one_file)
{
	int again = export(self->fd, self->handle, DRM_CLOEXEC | DRM_RDWR);
	struct stat a, b;

	ASSERT_LE(0, again);
	ASSERT_EQ(0, fstat(self->file, &a));
	ASSERT_EQ(0, fstat(again, &b));
	EXPECT_EQ(a.st_ino, b.st_ino);
	EXPECT_EQ(a.st_dev, b.st_dev);
	close(again);
}

static const char *link_of(int file, char text[128])
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	n = readlink(path, text, 127);
	text[n > 0 ? n : 0] = 0;
	return text;
}

/* Value of a line of /proc/self/fdinfo, or "". */
static const char *info_of(int file, const char *key, char value[128])
{
	char path[64], line[256];
	size_t n = strlen(key);
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", file);
	f = fopen(path, "r");
	value[0] = 0;
	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, key, n) && line[n] == ':')
			snprintf(value, 128, "%.*s", (int)strcspn(line + n + 2, "\n"),
				 line + n + 2);
	}
	if (f)
		fclose(f);
	return value;
}

TEST_F(dmabuf, names)
{
	char text[128], name[NAME_BYTES + 1] = "";

	EXPECT_STREQ("/dmabuf:", link_of(self->file, text));
	EXPECT_STREQ("", info_of(self->file, "name", text));
	EXPECT_EQ(0, vst_ioctl(self->file, SET_NAME_B, "a buffer"));
	EXPECT_STREQ("/dmabuf:a buffer", link_of(self->file, text));
	EXPECT_STREQ("a buffer", info_of(self->file, "name", text));
	EXPECT_EQ(0, vst_ioctl(self->file, SET_NAME_A, "another"));
	EXPECT_STREQ("/dmabuf:another", link_of(self->file, text));
	memset(name, 'x', NAME_BYTES);
	EXPECT_EQ(-EINVAL, vst_ioctl(self->file, SET_NAME_B, name));
	EXPECT_STREQ("/dmabuf:another", link_of(self->file, text));
	name[NAME_BYTES - 1] = 0;
	EXPECT_EQ(0, vst_ioctl(self->file, SET_NAME_B, name));
	EXPECT_STREQ(name, link_of(self->file, text) + strlen("/dmabuf:"));
	EXPECT_EQ(0, vst_ioctl(self->file, SET_NAME_B, ""));
	EXPECT_STREQ("/dmabuf:", link_of(self->file, text));
}

TEST_F(dmabuf, information)
{
	char text[128], want[32];

	snprintf(want, sizeof(want), "%llu", SIZE);
	EXPECT_STREQ(want, info_of(self->file, "size", text));
	EXPECT_STREQ("drm", info_of(self->file, "exp_name", text));
	EXPECT_LE(1, atoi(info_of(self->file, "count", text)));
	EXPECT_STREQ("0", info_of(self->file, "pos", text));
}

TEST_F(dmabuf, mappings)
{
	int file = self->file, prot = PROT_READ | PROT_WRITE;
	__u32 *p = mmap(NULL, SIZE, prot, MAP_SHARED, file, 0);
	__u32 *first = mmap(NULL, PAGE, prot, MAP_SHARED, file, 0);
	/* which memory is at an offset is not compared: drm_gem_shmem_fault() ignores it */
	__u32 *last = mmap(NULL, PAGE, prot, MAP_SHARED, file, SIZE - PAGE);

	ASSERT_NE(MAP_FAILED, (void *)p);
	ASSERT_NE(MAP_FAILED, (void *)first);
	ASSERT_NE(MAP_FAILED, (void *)last);
	p[PAGE / 4 - 1] = 0x1234;
	EXPECT_EQ(0x1234, first[PAGE / 4 - 1]);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, SIZE + 1, prot, MAP_SHARED, file, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, SIZE, prot, MAP_SHARED, file, PAGE));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, prot, MAP_SHARED, file, SIZE));
	EXPECT_EQ(EINVAL, errno);
	munmap(p, SIZE);
	munmap(first, PAGE);
	munmap(last, PAGE);
}

/* Without DRM_RDWR the program's mapping is read-only; importers can write. */
TEST_F(dmabuf, read_only)
{
	int other, file;
	__u32 handle;
	void *p;

	/* an exported buffer stays what it is: another one */
	ASSERT_EQ(0, vst_foreign_bo(self->fd, variant->driver, SIZE, &handle));
	file = export(self->fd, handle, DRM_CLOEXEC);
	ASSERT_LE(0, file);
	EXPECT_EQ(O_RDWR, fcntl(self->file, F_GETFL) & O_ACCMODE);
	EXPECT_EQ(O_RDONLY, fcntl(file, F_GETFL) & O_ACCMODE);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
	EXPECT_EQ(EACCES, errno);
	p = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, file, 0);
	EXPECT_NE(MAP_FAILED, p);
	munmap(p, SIZE);
	EXPECT_EQ(0, do_sync(file, READ | WRITE));
	other = variant->id ? vst_pf_open(variant->id) : open_driver(variant->driver);
	ASSERT_LE(0, other);
	EXPECT_EQ(0, vst_prime_import(other, file, &handle));
	close(other);
	close(file);
}

/* The dma-buf lives on without its handle and its file. */
TEST_F(dmabuf, outlives_handles)
{
	struct sync_file_arg arg = { READ | WRITE, -1 };
	char text[128];
	int other;

	EXPECT_EQ(0, vst_bo_close(self->fd, self->handle));
	EXPECT_EQ(0, do_sync(self->file, READ));
	EXPECT_EQ(0, vst_ioctl(self->file, SET_NAME_B, "alone"));
	EXPECT_STREQ("/dmabuf:alone", link_of(self->file, text));
	other = variant->id ? vst_pf_open(variant->id) : open_driver(variant->driver);
	ASSERT_LE(0, other);
	close(self->fd);
	self->fd = other;
	EXPECT_EQ(0, vst_ioctl(self->file, EXPORT_FILE, &arg));
	EXPECT_EQ(0, vst_sync_file_status(arg.fd));
	close(arg.fd);
	EXPECT_EQ(SIZE, lseek(self->file, 0, SEEK_END));
	EXPECT_EQ(0, vst_prime_import(self->fd, self->file, &self->handle));
	EXPECT_STREQ("/dmabuf:alone", link_of(self->file, text));
}

/* ---- fences ---- */

/* A sync file that the test signals: of vgem, in "vshader gl" an eventfd with its mark. */
struct gate {
	struct vst_gate vgem;
	int file;
	bool is_vgem;
	atomic_bool open;
};

static int gate_new(struct gate *g, int fd)
{
	__u32 sync;
	int ret;

	memset(g, 0, sizeof(*g));
	g->is_vgem = !vst_gate_new(&g->vgem, PAGE);
	if (g->is_vgem) {
		ret = vst_gate_syncobj(&g->vgem, fd, &sync);
	} else {
		g->vgem.fd = -1;
		g->vgem.dmabuf = -1;
		g->file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		fcntl(g->file, F_SETSIG, 30);
		ret = vst_syncobj(fd, &sync);
		/* which the kernel refuses */
		if (!ret && vst_import_sync_file(fd, sync, g->file)) {
			close(g->file);
			return -ENODEV;
		}
	}
	if (ret)
		return ret;
	if (g->is_vgem)
		g->file = vst_export_sync_file(fd, sync);
	vst_syncobj_destroy(fd, sync);
	return g->file < 0 ? g->file : 0;
}

static void *gate_open(void *p)
{
	struct gate *g = p;

	g->open = true;
	if (g->is_vgem)
		vst_gate_open(&g->vgem);
	else
		eventfd_write(g->file, 1);
	return NULL;
}

static void *gate_open_later(void *p)
{
	usleep(50000);
	return gate_open(p);
}

static void gate_free(struct gate *g)
{
	vst_gate_free(&g->vgem);
	close(g->file);
}

/* An import of a closed gate's file as a reader's or a writer's. */
static int import_gate(const struct gate *g, int file, __u32 flags)
{
	struct sync_file_arg arg = { flags, g->file };

	return vst_ioctl(file, IMPORT_FILE, &arg);
}

static int fences(int file, __u32 flags)
{
	struct sync_file_arg arg = { flags, -1 };
	int ret = vst_ioctl(file, EXPORT_FILE, &arg);

	return ret ? ret : arg.fd;
}

/* 0: signalled, 1: not yet. */
static int status(int file, __u32 flags)
{
	int fence = fences(file, flags), ret;

	if (fence < 0)
		return fence;
	ret = vst_sync_file_status(fence);
	close(fence);
	return ret;
}

static int events(int file, short wanted, int ms)
{
	struct pollfd p = { .fd = file, .events = wanted };
	int ret = poll(&p, 1, ms);

	return ret < 0 ? -errno : p.revents;
}

#define GATE_OR_SKIP(g) do {							\
	int ret_ = gate_new((g), self->fd);					\
	if (ret_ == -ENODEV)							\
		SKIP(return, "no vgem");					\
	ASSERT_EQ(0, ret_);							\
} while (0)

TEST_F(dmabuf, idle)
{
	struct pollfd two[2] = { { self->file, POLLIN | POLLOUT, 0 }, { -1, POLLIN, 0 } };

	EXPECT_EQ(0, status(self->file, READ));
	EXPECT_EQ(0, status(self->file, WRITE));
	EXPECT_EQ(POLLIN, events(self->file, POLLIN, 0));
	EXPECT_EQ(POLLOUT, events(self->file, POLLOUT, 0));
	EXPECT_EQ(0, events(self->file, 0, 0));
	EXPECT_EQ(0, events(self->file, POLLPRI, 0));
	EXPECT_EQ(1, poll(two, 2, -1));
	EXPECT_EQ(POLLIN | POLLOUT, two[0].revents);
	EXPECT_EQ(0, two[1].revents);
}

/* A fence of a reader keeps writers off. */
TEST_F(dmabuf, reader)
{
	struct gate g;
	int out;

	GATE_OR_SKIP(&g);
	ASSERT_EQ(0, import_gate(&g, self->file, READ));
	EXPECT_EQ(0, status(self->file, READ));
	EXPECT_EQ(1, status(self->file, WRITE));
	EXPECT_EQ(1, status(self->file, READ | WRITE));
	EXPECT_EQ(POLLIN, events(self->file, POLLIN, 0));
	EXPECT_EQ(0, events(self->file, POLLOUT, 0));
	EXPECT_EQ(0, do_sync(self->file, READ));
	EXPECT_EQ(0, do_sync(self->file, READ | END));
	out = fences(self->file, WRITE);
	gate_open(&g);
	EXPECT_EQ(POLLIN, events(out, POLLIN, -1));
	EXPECT_EQ(POLLOUT, events(self->file, POLLOUT, -1));
	EXPECT_EQ(0, status(self->file, WRITE));
	close(out);
	gate_free(&g);
}

/* One of a writer keeps all off. */
TEST_F(dmabuf, writer)
{
	struct gate g;

	GATE_OR_SKIP(&g);
	ASSERT_EQ(0, import_gate(&g, self->file, WRITE));
	EXPECT_EQ(1, status(self->file, READ));
	EXPECT_EQ(1, status(self->file, WRITE));
	EXPECT_EQ(0, events(self->file, POLLIN | POLLOUT, 0));
	/* the end waits for nothing */
	EXPECT_EQ(0, do_sync(self->file, READ | WRITE | END));
	gate_open(&g);
	EXPECT_EQ(0, do_sync(self->file, READ | WRITE));
	EXPECT_EQ(0, status(self->file, READ));
	EXPECT_EQ(POLLIN | POLLOUT, events(self->file, POLLIN | POLLOUT, 0));
	gate_free(&g);
}

TEST_F(dmabuf, two_fences)
{
	struct gate g, h;

	GATE_OR_SKIP(&g);
	GATE_OR_SKIP(&h);
	ASSERT_EQ(0, import_gate(&g, self->file, READ));
	ASSERT_EQ(0, import_gate(&h, self->file, WRITE));
	gate_open(&h);
	EXPECT_EQ(0, do_sync(self->file, READ));
	EXPECT_EQ(1, status(self->file, WRITE));
	gate_open(&g);
	EXPECT_EQ(0, do_sync(self->file, WRITE));
	EXPECT_EQ(0, status(self->file, WRITE));
	gate_free(&g);
	gate_free(&h);
}

/* The beginning of an access returns after the fence. */
TEST_F(dmabuf, access_waits)
{
	pthread_t thread;
	struct gate g;

	GATE_OR_SKIP(&g);
	ASSERT_EQ(0, import_gate(&g, self->file, WRITE));
	ASSERT_EQ(0, pthread_create(&thread, NULL, gate_open_later, &g));
	EXPECT_EQ(0, do_sync(self->file, READ));
	EXPECT_TRUE(g.open);
	pthread_join(thread, NULL);
	gate_free(&g);
}

TEST_F(dmabuf, poll_waits)
{
	pthread_t thread;
	struct gate g;

	GATE_OR_SKIP(&g);
	ASSERT_EQ(0, import_gate(&g, self->file, READ));
	ASSERT_EQ(0, pthread_create(&thread, NULL, gate_open_later, &g));
	EXPECT_EQ(POLLOUT, events(self->file, POLLOUT, -1));
	EXPECT_TRUE(g.open);
	pthread_join(thread, NULL);
	gate_free(&g);
}

/* ---- jobs of panfrost's ---- */

/* A chain that takes a while; its last job clears the first word. */
static int long_chain(int fd, struct vst_pf_bo *b)
{
	unsigned int i;
	int ret = vst_pf_create_mapped(fd, (CHAIN + 1) * 64, b);

	if (ret)
		return ret;
	b->u32[0] = 7;
	for (i = 1; i <= CHAIN; i++)
		vst_pf_put_zero(b, 64 * i, i < CHAIN ? b->va + 8 : b->va,
				i < CHAIN ? b->va + 64 * (i + 1) : 0);
	return vst_pf_submit(fd, b->va + 64, &b->handle, 1, 0, 0, 0);
}

/* Each way of waiting for a job that was submitted before the buffer was exported. */
TEST_F(dmabuf, jobs)
{
	struct vst_pf_bo b;
	int file, way, sync;

	if (!variant->id)
		SKIP(return, "jobs of panfrost's");
	for (way = 0; way < 4; way++) {
		ASSERT_EQ(0, long_chain(self->fd, &b));
		file = export(self->fd, b.handle, DRM_CLOEXEC | DRM_RDWR);
		ASSERT_LE(0, file);
		switch (way) {
		case 0:
			EXPECT_EQ(0, do_sync(file, READ));
			break;
		case 1:
			EXPECT_EQ(POLLIN, events(file, POLLIN, -1));
			break;
		case 2:
			EXPECT_EQ(POLLOUT, events(file, POLLOUT, -1));
			break;
		case 3:
			sync = fences(file, WRITE);
			EXPECT_EQ(POLLIN, events(sync, POLLIN, -1));
			close(sync);
			break;
		}
		EXPECT_EQ(0, b.u32[0]);
		close(file);
		munmap(b.map, b.size);
		vst_bo_close(self->fd, b.handle);
	}
}

/* A job waits for a fence that was imported. */
TEST_F(dmabuf, jobs_wait)
{
	struct vst_pf_bo b;
	pthread_t thread;
	struct gate g;
	int file;

	if (!variant->id)
		SKIP(return, "jobs of panfrost's");
	GATE_OR_SKIP(&g);
	ASSERT_EQ(0, vst_pf_create_mapped(self->fd, PAGE, &b));
	vst_pf_put_zero(&b, PF_JOB_AT, b.va + PF_TO_AT, 0);
	file = export(self->fd, b.handle, DRM_CLOEXEC | DRM_RDWR);
	ASSERT_LE(0, file);
	ASSERT_EQ(0, import_gate(&g, file, WRITE));
	ASSERT_EQ(0, pthread_create(&thread, NULL, gate_open_later, &g));
	EXPECT_EQ(0, vst_pf_submit(self->fd, b.va, &b.handle, 1, 0, 0, 0));
	EXPECT_EQ(0, vst_pf_wait_idle(self->fd, b.handle));
	EXPECT_TRUE(g.open);
	pthread_join(thread, NULL);
	close(file);
	gate_free(&g);
}

TEST_HARNESS_MAIN
