// SPDX-License-Identifier: GPL-2.0
/*
 * The primary node of a device that presents itself as panfrost's, lima's or vc4's, which has no
 * displays: masters, magics, names of buffers, and what the DRM core says of ioctls of displays on
 * both nodes. test_gl.sh runs it on "vshader gl".
 *
 * Needs a device with one of these personalities, and root for what only root may do.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <lima_drm.h>
#include <panfrost_drm.h>
#include <vc4_drm.h>

#include "vshader_test.h"

#define MINORS		64	/* of a kind */
#define NOBODY		65534
#define NO_OTHER_USER	99	/* exit status: the number has no user here */

static char card[64];
static char render[64];
static char driver[32];

static bool get_driver(int fd)
{
	struct drm_version v = { .name = driver, .name_len = sizeof(driver) - 1 };

	memset(driver, 0, sizeof(driver));
	return fd >= 0 && !vst_ioctl(fd, DRM_IOCTL_VERSION, &v) &&
	       (!strcmp(driver, "panfrost") || !strcmp(driver, "lima") || !strcmp(driver, "vc4"));
}

/* The render node of the same device. */
static void find_render(unsigned int minor)
{
	char path[64];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/dev/char/226:%u/device/drm", minor);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		if (!strncmp(e->d_name, "renderD", 7))
			snprintf(render, sizeof(render), "/dev/dri/%.40s", e->d_name);
	}
	if (dir)
		closedir(dir);
}

FIXTURE(primary) {
	int fd;		/* the master's */
	int render;
	mode_t mode;
};

FIXTURE_SETUP(primary)
{
	struct stat st;
	unsigned int i;

	self->fd = -1;
	self->render = -1;
	render[0] = 0;
	for (i = 0; i < MINORS && self->fd < 0; i++) {
		snprintf(card, sizeof(card), "/dev/dri/card%u", i);
		self->fd = open(card, O_RDWR | O_CLOEXEC);
		if (self->fd >= 0 && !get_driver(self->fd)) {
			close(self->fd);
			self->fd = -1;
		}
	}
	if (self->fd < 0)
		SKIP(return, "no device with a personality");
	find_render(i - 1);
	self->render = open(render, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->render);
	ASSERT_EQ(0, fstat(self->fd, &st));
	self->mode = st.st_mode & 07777;
}

FIXTURE_TEARDOWN(primary)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->render >= 0)
		close(self->render);
}

/* ---- who may what ---- */

static int authenticate(int master, int fd)
{
	struct drm_auth auth = {};
	int ret = vst_ioctl(fd, DRM_IOCTL_GET_MAGIC, &auth);

	return ret ? ret : vst_ioctl(master, DRM_IOCTL_AUTH_MAGIC, &auth);
}

static bool is_authenticated(int fd)
{
	struct drm_client client = {};

	return !vst_ioctl(fd, DRM_IOCTL_GET_CLIENT, &client) && client.auth;
}

TEST_F(primary, first_is_master)
{
	int second = open(card, O_RDWR | O_CLOEXEC);
	struct drm_auth magic = {}, again = {};

	ASSERT_LE(0, second);
	EXPECT_TRUE(is_authenticated(self->fd));
	EXPECT_EQ(0, vst_ioctl(second, DRM_IOCTL_GET_MAGIC, &magic));
	EXPECT_EQ(0, vst_ioctl(second, DRM_IOCTL_GET_MAGIC, &again));
	EXPECT_NE(0, magic.magic);
	EXPECT_EQ(magic.magic, again.magic);
	EXPECT_EQ(-EACCES, vst_ioctl(second, DRM_IOCTL_AUTH_MAGIC, &magic));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_AUTH_MAGIC, &magic));
	/* a magic serves once */
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_AUTH_MAGIC, &magic));
	magic.magic = 0;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_AUTH_MAGIC, &magic));
	close(second);
}

TEST_F(primary, masters)
{
	int second = open(card, O_RDWR | O_CLOEXEC), third;

	ASSERT_LE(0, second);
	if (geteuid())
		SKIP(close(second); return, "only root may be another master");
	EXPECT_EQ(-EINVAL, vst_ioctl(second, DRM_IOCTL_DROP_MASTER, NULL));
	EXPECT_EQ(-EBUSY, vst_ioctl(second, DRM_IOCTL_SET_MASTER, NULL));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SET_MASTER, NULL));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_DROP_MASTER, NULL));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_DROP_MASTER, NULL));
	EXPECT_EQ(-EACCES, authenticate(self->fd, second));
	EXPECT_EQ(0, vst_ioctl(second, DRM_IOCTL_SET_MASTER, NULL));
	EXPECT_EQ(-EBUSY, vst_ioctl(self->fd, DRM_IOCTL_SET_MASTER, NULL));
	/* a file has the master that was the device's when it was opened */
	third = open(card, O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, authenticate(second, third));
	EXPECT_EQ(-EINVAL, authenticate(second, self->fd));
	/* the end of a master's file is the end of the master */
	close(second);
	EXPECT_EQ(-EINVAL, vst_ioctl(third, DRM_IOCTL_DROP_MASTER, NULL));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SET_MASTER, NULL));
	close(third);
	third = open(card, O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, authenticate(self->fd, third));
	close(third);
}

/* As another user. Return: its exit status, number of the check that failed. */
static int by_user(int master, int ready, int answered)
{
	struct drm_gem_flink flink = { .handle = 1 };
	struct drm_auth auth = {};
	int fd;

	if (setgid(NOBODY) || setuid(NOBODY))
		return errno == EINVAL ? NO_OTHER_USER : 1;
	fd = open(card, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return 2;
	if (is_authenticated(fd) || !is_authenticated(master))
		return 3;
	if (vst_ioctl(fd, DRM_IOCTL_SET_MASTER, NULL) != -EACCES ||
	    vst_ioctl(fd, DRM_IOCTL_DROP_MASTER, NULL) != -EACCES)
		return 4;
	if (vst_ioctl(fd, DRM_IOCTL_GEM_FLINK, &flink) != -EACCES)
		return 5;
	if (vst_ioctl(fd, DRM_IOCTL_GET_MAGIC, &auth) || vst_ioctl(master, DRM_IOCTL_DROP_MASTER,
								   NULL) != -EACCES)
		return 6;
	if (write(ready, &auth.magic, sizeof(auth.magic)) != sizeof(auth.magic) ||
	    read(answered, &auth.magic, 1) != 1)
		return 7;
	if (!is_authenticated(fd) || vst_ioctl(fd, DRM_IOCTL_GEM_FLINK, &flink) != -ENOENT)
		return 8;
	return 0;
}

/* Who is not root has to be authenticated by the master. */
TEST_F(primary, other_user)
{
	int ready[2], answered[2], status = -1;
	struct drm_auth auth = {};
	pid_t pid;

	if (geteuid())
		SKIP(return, "only root can be another user");
	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(answered));
	chmod(card, 0666);
	pid = fork();
	if (!pid)
		_exit(by_user(self->fd, ready[1], answered[0]));
	close(ready[1]);
	if (read(ready[0], &auth.magic, sizeof(auth.magic)) == sizeof(auth.magic))
		EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_AUTH_MAGIC, &auth));
	EXPECT_EQ(1, write(answered[1], "x", 1));
	waitpid(pid, &status, 0);
	chmod(card, self->mode);
	close(ready[0]);
	close(answered[0]);
	close(answered[1]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_OTHER_USER)
		SKIP(return, "a user namespace without other users");
	EXPECT_EQ(0, status)
		TH_LOG("check %d", WEXITSTATUS(status));
}

TEST_F(primary, client)
{
	struct drm_client client = { .idx = 1 };
	struct drm_stats stats;
	size_t i;

	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_GET_CLIENT, &client));
	client.idx = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_CLIENT, &client));
	EXPECT_EQ(getpid(), client.pid);
	EXPECT_EQ(NOBODY, client.uid);
	memset(&stats, 0xa5, sizeof(stats));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_STATS, &stats));
	for (i = 0; i < sizeof(stats) && !((char *)&stats)[i]; i++)
		;
	EXPECT_EQ(sizeof(stats), i);
}

TEST_F(primary, version)
{
	struct drm_set_version v = { 1, 4, -1, -1 };
	char text[64] = "";
	struct drm_unique u = {};
	size_t len;

	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_UNIQUE, &u));
	EXPECT_EQ(0, u.unique_len);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SET_VERSION, &v));
	EXPECT_EQ(1, v.drm_di_major);
	EXPECT_EQ(4, v.drm_di_minor);
	EXPECT_NE(-1, v.drm_dd_major);
	/* the length alone, and a buffer that is too small */
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_UNIQUE, &u));
	len = u.unique_len;
	EXPECT_LT(0, len);
	ASSERT_GT(sizeof(text), len);
	u.unique = text;
	u.unique_len = len - 1;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_UNIQUE, &u));
	EXPECT_EQ(len, u.unique_len);
	EXPECT_EQ(0, text[0]);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GET_UNIQUE, &u));
	EXPECT_EQ(len, strlen(text));
	v = (struct drm_set_version){ 1, 5, -1, -1 };
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_SET_VERSION, &v));
	EXPECT_EQ(4, v.drm_di_minor);
	v = (struct drm_set_version){ -1, -1, 99, 0 };
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_SET_VERSION, &v));
}

/* ---- names of buffers ---- */

static __u32 *map_bo(int fd, __u32 handle)
{
	struct drm_panfrost_mmap_bo pan = { .handle = handle };
	struct drm_lima_gem_info lima = { .handle = handle };
	struct drm_vc4_mmap_bo vc4 = { .handle = handle };
	__u64 at;
	int ret;

	if (!strcmp(driver, "panfrost")) {
		ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, &pan);
		at = pan.offset;
	} else if (!strcmp(driver, "lima")) {
		ret = vst_ioctl(fd, DRM_IOCTL_LIMA_GEM_INFO, &lima);
		at = lima.offset;
	} else {
		ret = vst_ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &vc4);
		at = vc4.offset;
	}
	return ret ? MAP_FAILED : mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
}

TEST_F(primary, names)
{
	int second = open(card, O_RDWR | O_CLOEXEC);
	struct drm_gem_flink flink = {}, again = {};
	struct drm_gem_open opened = {}, twice;
	__u32 *first, *other;

	ASSERT_EQ(0, authenticate(self->fd, second));
	ASSERT_EQ(0, vst_foreign_bo(self->fd, driver, PAGE, &flink.handle));
	again.handle = flink.handle;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GEM_FLINK, &flink));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_GEM_FLINK, &again));
	EXPECT_NE(0, flink.name);
	EXPECT_EQ(flink.name, again.name);
	again.handle = 999;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_GEM_FLINK, &again));
	opened.name = flink.name;
	twice = opened;
	EXPECT_EQ(0, vst_ioctl(second, DRM_IOCTL_GEM_OPEN, &opened));
	EXPECT_EQ(PAGE, opened.size);
	/* another handle each time */
	EXPECT_EQ(0, vst_ioctl(second, DRM_IOCTL_GEM_OPEN, &twice));
	EXPECT_NE(opened.handle, twice.handle);
	first = map_bo(self->fd, flink.handle);
	other = map_bo(second, opened.handle);
	ASSERT_NE(MAP_FAILED, first);
	ASSERT_NE(MAP_FAILED, other);
	*first = 0x1234;
	EXPECT_EQ(0x1234, *other);
	munmap(first, PAGE);
	munmap(other, PAGE);
	/* the name lasts as long as any handle */
	EXPECT_EQ(0, vst_bo_close(self->fd, flink.handle));
	EXPECT_EQ(0, vst_bo_close(second, twice.handle));
	EXPECT_EQ(0, vst_ioctl(second, DRM_IOCTL_GEM_OPEN, &twice));
	EXPECT_EQ(0, vst_bo_close(second, twice.handle));
	EXPECT_EQ(0, vst_bo_close(second, opened.handle));
	EXPECT_EQ(-ENOENT, vst_ioctl(second, DRM_IOCTL_GEM_OPEN, &opened));
	opened.name = 0;
	EXPECT_EQ(-ENOENT, vst_ioctl(second, DRM_IOCTL_GEM_OPEN, &opened));
	close(second);
}

/* A buffer of one node is one of the other. */
TEST_F(primary, buffers_of_both_nodes)
{
	struct drm_prime_handle prime = { .flags = DRM_CLOEXEC | DRM_RDWR };
	__u32 *first, *other;

	ASSERT_EQ(0, vst_foreign_bo(self->fd, driver, PAGE, &prime.handle));
	first = map_bo(self->fd, prime.handle);
	ASSERT_NE(MAP_FAILED, first);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime));
	EXPECT_EQ(0, vst_ioctl(self->render, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime));
	other = map_bo(self->render, prime.handle);
	ASSERT_NE(MAP_FAILED, other);
	*other = 7;
	EXPECT_EQ(7, *first);
	munmap(first, PAGE);
	munmap(other, PAGE);
	close(prime.fd);
}

/* ---- ioctls of the core that render nodes do not have ---- */

/**
 * struct core - such ioctls
 * @first: number
 * @last: the last one with the same answer
 * @master: only a master may call it
 * @want: answer to a call with zeros on the primary node
 */
static const struct core {
	unsigned int first, last;
	bool master;
	int want;
} core[] = {
	{ 0x01, 0x02, false, 0 },
	{ 0x05, 0x06, false, 0 },
	{ 0x07, 0x07, true, -EINVAL },
	{ 0x0a, 0x0b, false, -ENOENT },
	{ 0x0d, 0x0d, false, -EOPNOTSUPP },
	{ 0x11, 0x11, true, -EINVAL },
	{ 0x3a, 0x3c, false, -EOPNOTSUPP },
	{ 0xa0, 0xa1, false, -EOPNOTSUPP },
	{ 0xa2, 0xa3, true, -EOPNOTSUPP },
	{ 0xa4, 0xa4, false, -EOPNOTSUPP },
	{ 0xa5, 0xa5, true, -EOPNOTSUPP },
	{ 0xa6, 0xa7, false, -EOPNOTSUPP },
	{ 0xa8, 0xa9, true, 0 },
	{ 0xaa, 0xaa, false, -EOPNOTSUPP },
	{ 0xab, 0xab, true, -EOPNOTSUPP },
	{ 0xac, 0xaf, false, -EOPNOTSUPP },
	{ 0xb0, 0xb1, true, -EOPNOTSUPP },
	{ 0xb2, 0xb4, false, -ENOSYS },
	{ 0xb5, 0xb6, false, -EOPNOTSUPP },
	{ 0xb7, 0xb7, true, -EOPNOTSUPP },
	{ 0xb8, 0xb9, false, -EOPNOTSUPP },
	{ 0xba, 0xbc, true, -EOPNOTSUPP },
	{ 0xbd, 0xbe, false, -EOPNOTSUPP },
	{ 0xc6, 0xc9, true, -EOPNOTSUPP },
	{ 0xce, 0xce, false, -EINVAL },
};

/* A call with @size bytes of zeros. */
static int zeros(int fd, unsigned int nr, size_t size)
{
	__u8 arg[512] = {};

	return vst_ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, size), arg);
}

TEST_F(primary, core)
{
	int second = open(card, O_RDWR | O_CLOEXEC);
	unsigned int nr;
	size_t i, size;

	ASSERT_LE(0, second);
	for (i = 0; i < ARRAY_SIZE(core); i++) {
		for (nr = core[i].first; nr <= core[i].last; nr++) {
			EXPECT_EQ(core[i].want, zeros(self->fd, nr, 256))
				TH_LOG("0x%02x of the master", nr);
			EXPECT_EQ(core[i].master ? -EACCES : core[i].want, zeros(second, nr, 256))
				TH_LOG("0x%02x of a second file", nr);
			EXPECT_EQ(-EACCES, zeros(self->render, nr, 256))
				TH_LOG("0x%02x of a render node", nr);
			for (size = 0; size <= 64; size++) {
				if (core[i].want == zeros(self->fd, nr, size))
					continue;
				EXPECT_EQ(64, size)
					TH_LOG("0x%02x with %zu bytes", nr, size);
				break;
			}
		}
	}
	EXPECT_EQ(-EACCES, zeros(self->render, 0x1e, 0));
	EXPECT_EQ(-EACCES, zeros(self->render, 0x1f, 0));
	EXPECT_EQ(-EINVAL, zeros(self->fd, 0xff, 0));
	EXPECT_EQ(-EINVAL, zeros(self->render, 0xff, 0));
	close(second);
}

/* What both nodes have. */
TEST_F(primary, capabilities)
{
	struct drm_get_cap on_card, on_render;
	int first, second;
	__u64 cap;

	for (cap = 0; cap < 32; cap++) {
		on_card = (struct drm_get_cap){ .capability = cap };
		on_render = on_card;
		first = vst_ioctl(self->fd, DRM_IOCTL_GET_CAP, &on_card);
		second = vst_ioctl(self->render, DRM_IOCTL_GET_CAP, &on_render);
		EXPECT_EQ(first, second);
		EXPECT_EQ(on_card.value, on_render.value);
	}
	on_card = (struct drm_get_cap){ .capability = DRM_CAP_DUMB_BUFFER };
	EXPECT_EQ(-EOPNOTSUPP, vst_ioctl(self->fd, DRM_IOCTL_GET_CAP, &on_card));
}

TEST_HARNESS_MAIN
