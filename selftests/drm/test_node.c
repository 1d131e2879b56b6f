// SPDX-License-Identifier: GPL-2.0
/*
 * What the C library says of the nodes of a device that presents itself as panfrost's, lima's or
 * vc4's: each call that takes a path or a descriptor. test_gl.sh runs it on "vshader gl"; the page
 * on personalities has a table of the calls.
 *
 * Needs a device with one of these personalities.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "vshader_test.h"

#define FOLDER		"/dev/dri"
#define SYSFS		"/sys/class/drm/"

static char node[64];		/* its path */
static const char *name;	/* in FOLDER */
static dev_t number;

static bool is_driver(int fd)
{
	static const char * const names[] = { "panfrost", "lima", "vc4" };
	char text[32] = "";
	struct drm_version v = { .name = text, .name_len = sizeof(text) - 1 };
	size_t i;

	if (fd < 0 || vst_ioctl(fd, DRM_IOCTL_VERSION, &v))
		return false;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i]))
			return true;
	}
	return false;
}

FIXTURE(node) {
	int fd;
};

FIXTURE_VARIANT(node) {
	const char *prefix;
	unsigned int first;
};

FIXTURE_VARIANT_ADD(node, render) { .prefix = "renderD", .first = 128 };
FIXTURE_VARIANT_ADD(node, card) { .prefix = "card", .first = 0 };

#define MINORS	64	/* of a kind */

FIXTURE_SETUP(node)
{
	unsigned int i;

	self->fd = -1;
	for (i = variant->first; i < variant->first + MINORS && self->fd < 0; i++) {
		snprintf(node, sizeof(node), FOLDER "/%s%u", variant->prefix, i);
		self->fd = open(node, O_RDWR | O_CLOEXEC);
		if (self->fd >= 0 && !is_driver(self->fd)) {
			close(self->fd);
			self->fd = -1;
		}
	}
	if (self->fd < 0)
		SKIP(return, "no device with a personality");
	name = node + strlen(FOLDER) + 1;
	number = makedev(226, i - 1);
}

FIXTURE_TEARDOWN(node)
{
	if (self->fd >= 0)
		close(self->fd);
}

static bool is_node(int ret, const struct stat *st)
{
	return !ret && S_ISCHR(st->st_mode) && st->st_rdev == number && !st->st_size &&
	       st->st_nlink == 1;
}

/* Opens a device, which is closed again. */
static bool opens(int fd)
{
	bool ok = is_driver(fd);

	if (fd >= 0)
		close(fd);
	return ok;
}

static int folder(void)
{
	return open(FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static const char *own_path(int fd)
{
	static char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

/* ---- opening ---- */

TEST_F(node, open)
{
	char again[96];
	int dir = folder(), dev = open("/dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ASSERT_LE(0, dir);
	ASSERT_LE(0, dev);
	EXPECT_TRUE(opens(open(node, O_RDONLY)));
	EXPECT_TRUE(opens(open(node, O_RDWR | O_NONBLOCK | O_NOFOLLOW)));
	EXPECT_TRUE(opens(open(node, O_RDWR | O_CREAT | O_TRUNC, 0600)));
	EXPECT_TRUE(opens(openat(AT_FDCWD, node, O_RDWR)));
	EXPECT_TRUE(opens(openat(dir, name, O_RDWR)));
	EXPECT_TRUE(opens(openat(dev, node + strlen("/dev/"), O_RDWR)));
	EXPECT_TRUE(opens(openat(dir, node, O_RDWR)));
	EXPECT_TRUE(opens(creat(node, 0600)) || errno == EACCES);
	snprintf(again, sizeof(again), "//dev/./dri//%s", name);
	EXPECT_TRUE(opens(open(again, O_RDWR)));
	snprintf(again, sizeof(again), "/dev/dri/../dri/%s", name);
	EXPECT_TRUE(opens(open(again, O_RDWR)));
	snprintf(again, sizeof(again), "/sys/../dev/dri/%s", name);
	EXPECT_TRUE(opens(open(again, O_RDWR)));
	EXPECT_TRUE(opens(open(own_path(self->fd), O_RDWR)));
	snprintf(again, sizeof(again), "/dev/fd/%d", self->fd);
	EXPECT_TRUE(opens(open(again, O_RDWR)) || errno == ENOENT);
	close(dir);
	close(dev);
}

TEST_F(node, open_errors)
{
	char below[96];

	EXPECT_EQ(-1, open(node, O_RDWR | O_CREAT | O_EXCL, 0600));
	EXPECT_EQ(EEXIST, errno);
	EXPECT_EQ(-1, open(node, O_RDONLY | O_DIRECTORY));
	EXPECT_EQ(ENOTDIR, errno);
	snprintf(below, sizeof(below), "%s/x", node);
	EXPECT_EQ(-1, open(below, O_RDONLY));
	EXPECT_EQ(ENOTDIR, errno);
	EXPECT_EQ(-1, open("/dev/dri/renderD999", O_RDWR));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(NULL, opendir(node));
	EXPECT_EQ(ENOTDIR, errno);
	/* what is beside the folder is there */
	EXPECT_EQ(0, access("/dev/dri/../null", R_OK));
}

TEST_F(node, streams)
{
	FILE *f = fopen(node, "r+e");

	ASSERT_NE(NULL, f);
	EXPECT_TRUE(is_driver(fileno(f)));
	EXPECT_NE(0, fcntl(fileno(f), F_GETFD) & FD_CLOEXEC);
	fclose(f);
	f = fopen(node, "r");
	ASSERT_NE(NULL, f);
	EXPECT_EQ(0, fcntl(fileno(f), F_GETFD) & FD_CLOEXEC);
	fclose(f);
	EXPECT_EQ(NULL, fopen("/dev/dri/none", "r"));
	EXPECT_EQ(ENOENT, errno);
}

/* A descriptor that is not closed by exec() is a node in the next program. */
TEST_F(node, close_on_exec)
{
	int open_on = open(node, O_RDWR), closed = open(node, O_RDWR | O_CLOEXEC), status = -1;
	char text[64];
	pid_t pid;

	EXPECT_EQ(0, fcntl(open_on, F_GETFD) & FD_CLOEXEC);
	EXPECT_NE(0, fcntl(closed, F_GETFD) & FD_CLOEXEC);
	snprintf(text, sizeof(text), "[ -e /proc/self/fd/%d ] && [ ! -e /proc/self/fd/%d ]",
		 open_on, closed);
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", text, (char *)NULL);
		_exit(9);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
	close(open_on);
	close(closed);
}

/* ---- its kind ---- */

TEST_F(node, stat)
{
	int dir = folder(), path = open(node, O_PATH | O_CLOEXEC);
	struct stat st;

	ASSERT_LE(0, dir);
	EXPECT_TRUE(is_node(stat(node, &st), &st));
	EXPECT_TRUE(is_node(lstat(node, &st), &st));
	EXPECT_TRUE(is_node(fstat(self->fd, &st), &st));
	EXPECT_TRUE(is_node(fstat(path, &st), &st));
	EXPECT_TRUE(is_node(fstatat(AT_FDCWD, node, &st, 0), &st));
	EXPECT_TRUE(is_node(fstatat(dir, name, &st, 0), &st));
	EXPECT_TRUE(is_node(fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW), &st));
	EXPECT_TRUE(is_node(fstatat(self->fd, "", &st, AT_EMPTY_PATH), &st));
	EXPECT_TRUE(is_node(fstatat(path, "", &st, AT_EMPTY_PATH), &st));
	EXPECT_TRUE(is_node(stat(own_path(self->fd), &st), &st));
	EXPECT_EQ(0, lstat(own_path(self->fd), &st));
	EXPECT_TRUE(S_ISLNK(st.st_mode));
	EXPECT_EQ(0, stat(FOLDER, &st));
	EXPECT_TRUE(S_ISDIR(st.st_mode));
	EXPECT_EQ(0, fstat(dir, &st));
	EXPECT_TRUE(S_ISDIR(st.st_mode));
	EXPECT_EQ(-1, stat("/dev/dri/none", &st));
	EXPECT_EQ(ENOENT, errno);
	close(dir);
	close(path);
}

static bool is_statx(int ret, const struct statx *sx)
{
	return !ret && S_ISCHR(sx->stx_mode) &&
	       makedev(sx->stx_rdev_major, sx->stx_rdev_minor) == number;
}

TEST_F(node, statx)
{
	int dir = folder();
	struct statx sx;

	EXPECT_TRUE(is_statx(statx(AT_FDCWD, node, 0, STATX_TYPE, &sx), &sx));
	EXPECT_TRUE(is_statx(statx(dir, name, 0, STATX_BASIC_STATS, &sx), &sx));
	EXPECT_TRUE(is_statx(statx(self->fd, "", AT_EMPTY_PATH, STATX_TYPE, &sx), &sx));
	EXPECT_TRUE(is_statx(statx(AT_FDCWD, own_path(self->fd), 0, STATX_TYPE, &sx), &sx));
	close(dir);
}

TEST_F(node, access)
{
	int dir = folder();

	EXPECT_EQ(0, access(node, F_OK));
	EXPECT_EQ(0, access(node, R_OK | W_OK));
	EXPECT_EQ(-1, access(node, X_OK));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(0, faccessat(AT_FDCWD, node, R_OK | W_OK, 0));
	EXPECT_EQ(0, faccessat(dir, name, R_OK, 0));
	EXPECT_EQ(0, faccessat(dir, name, R_OK, AT_EACCESS));
	EXPECT_EQ(0, eaccess(node, R_OK));
	EXPECT_EQ(0, euidaccess(node, R_OK));
	EXPECT_EQ(0, access(own_path(self->fd), F_OK));
	EXPECT_EQ(-1, access("/dev/dri/none", F_OK));
	EXPECT_EQ(ENOENT, errno);
	close(dir);
}

/* ---- names ---- */

TEST_F(node, names)
{
	char text[PATH_MAX] = "", relative[96], *real;
	ssize_t n;

	n = readlink(own_path(self->fd), text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = 0;
	EXPECT_STREQ(node, text);
	EXPECT_EQ(-1, readlink(node, text, sizeof(text)));
	EXPECT_EQ(EINVAL, errno);
	real = realpath(node, NULL);
	EXPECT_STREQ(node, real);
	free(real);
	EXPECT_STREQ(node, realpath(own_path(self->fd), text));
	snprintf(relative, sizeof(relative), "/dev/../dev/dri/./%s", name);
	real = canonicalize_file_name(relative);
	EXPECT_STREQ(node, real);
	free(real);
}

/* A link that the program makes. */
TEST_F(node, links)
{
	char dir[] = "/tmp/test_nodeXXXXXX", link[64];
	struct stat st;
	char *real;

	if (!mkdtemp(dir))
		SKIP(return, "no /tmp");
	snprintf(link, sizeof(link), "%s/gpu", dir);
	ASSERT_EQ(0, symlink(node, link));
	EXPECT_TRUE(opens(open(link, O_RDWR)));
	EXPECT_EQ(-1, open(link, O_RDWR | O_NOFOLLOW));
	EXPECT_EQ(ELOOP, errno);
	EXPECT_TRUE(is_node(stat(link, &st), &st));
	EXPECT_EQ(0, lstat(link, &st));
	EXPECT_TRUE(S_ISLNK(st.st_mode));
	EXPECT_EQ(0, access(link, R_OK));
	real = realpath(link, NULL);
	EXPECT_STREQ(node, real);
	free(real);
	unlink(link);
	rmdir(dir);
}

/* Links to links, and to the folder of the node. */
TEST_F(node, links_to_links)
{
	char dir[] = "/tmp/test_nodeXXXXXX", link[64], second[64], folder[64], path[96], *real;
	struct stat st;
	DIR *d;

	if (!mkdtemp(dir))
		SKIP(return, "no /tmp");
	snprintf(link, sizeof(link), "%s/gpu", dir);
	snprintf(second, sizeof(second), "%s/second", dir);
	snprintf(folder, sizeof(folder), "%s/folder", dir);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	EXPECT_EQ(0, symlink(node, link));
	/* relative to where the link is */
	EXPECT_EQ(0, symlink("gpu", second));
	EXPECT_EQ(0, symlink("/dev/dri", folder));
	EXPECT_TRUE(opens(open(second, O_RDWR)));
	EXPECT_TRUE(opens(open(path, O_RDWR)));
	EXPECT_TRUE(is_node(stat(second, &st), &st));
	EXPECT_TRUE(is_node(stat(path, &st), &st));
	EXPECT_TRUE(is_node(lstat(path, &st), &st));
	EXPECT_EQ(0, access(second, R_OK));
	real = realpath(path, NULL);
	EXPECT_STREQ(node, real);
	free(real);
	d = opendir(folder);
	EXPECT_NE(NULL, d);
	if (d)
		closedir(d);
	unlink(second);
	unlink(folder);
	/* one that leads to itself */
	EXPECT_EQ(0, symlink("second", second));
	EXPECT_EQ(-1, open(second, O_RDWR));
	EXPECT_EQ(ELOOP, errno);
	unlink(second);
	unlink(link);
	rmdir(dir);
}

TEST_F(node, current_folder)
{
	char was[PATH_MAX], text[PATH_MAX], relative[96];
	struct stat st;

	ASSERT_NE(NULL, getcwd(was, sizeof(was)));
	ASSERT_EQ(0, chdir("/dev"));
	snprintf(relative, sizeof(relative), "dri/%s", name);
	EXPECT_TRUE(opens(open(relative, O_RDWR)));
	EXPECT_TRUE(is_node(stat(relative, &st), &st));
	ASSERT_EQ(0, chdir("dri"));
	EXPECT_STREQ(FOLDER, getcwd(text, sizeof(text)));
	EXPECT_TRUE(opens(open(name, O_RDWR)));
	EXPECT_EQ(0, access(name, R_OK));
	EXPECT_EQ(0, access("../null", R_OK));
	EXPECT_EQ(NULL, getcwd(text, 4));
	EXPECT_EQ(ERANGE, errno);
	ASSERT_EQ(0, chdir(".."));
	EXPECT_STREQ("/dev", getcwd(text, sizeof(text)));
	EXPECT_EQ(0, chdir(was));
}

/* ---- folders ---- */

TEST_F(node, readdir)
{
	DIR *dir = opendir(FOLDER);
	struct dirent *e;
	int found = 0;

	ASSERT_NE(NULL, dir);
	while ((e = readdir(dir))) {
		if (strcmp(e->d_name, name))
			continue;
		found++;
		EXPECT_EQ(DT_CHR, e->d_type);
	}
	closedir(dir);
	EXPECT_EQ(1, found);
}

static int only_devices(const struct dirent *e)
{
	return e->d_type == DT_CHR && !strcmp(e->d_name, name);
}

TEST_F(node, scandir)
{
	struct dirent **list = NULL;
	int n = scandir(FOLDER, &list, only_devices, alphasort);

	ASSERT_EQ(1, n);
	EXPECT_STREQ(name, list[0]->d_name);
	free(list[0]);
	free(list);
	EXPECT_EQ(-1, scandir("/dev/dri/none", &list, NULL, NULL));
	EXPECT_EQ(ENOENT, errno);
}

static int find_path(const glob_t *g)
{
	int found = 0;
	size_t i;

	for (i = 0; i < g->gl_pathc; i++)
		found += !strcmp(g->gl_pathv[i], node);
	return found;
}

TEST_F(node, glob)
{
	static const char * const patterns[] = {
		"/dev/dri/%s*", "/dev/dri/[rc]*", "/d*v/dri/%s[0-9]*",
	};
	char pattern[64];
	glob_t g = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		snprintf(pattern, sizeof(pattern), patterns[i], variant->prefix);
		EXPECT_EQ(0, glob(pattern, 0, NULL, &g))
			TH_LOG("%s", pattern);
		EXPECT_EQ(1, find_path(&g))
			TH_LOG("%s", pattern);
		globfree(&g);
	}
	EXPECT_EQ(0, glob(node, 0, NULL, &g));
	EXPECT_EQ(1, find_path(&g));
	globfree(&g);
	EXPECT_EQ(GLOB_NOMATCH, glob("/dev/dri/none*", 0, NULL, &g));
	globfree(&g);
}

static int visited;

static int visit(const char *path, const struct stat *st, int type, struct FTW *f)
{
	if (!strcmp(path, node) && type == FTW_F && S_ISCHR(st->st_mode) &&
	    !strcmp(path + f->base, name) && f->level == 1)
		visited++;
	return 0;
}

static int visit_old(const char *path, const struct stat *st, int type)
{
	if (!strcmp(path, node) && type == FTW_F && S_ISCHR(st->st_mode))
		visited++;
	return 0;
}

TEST_F(node, walk)
{
	visited = 0;
	EXPECT_EQ(0, nftw(FOLDER, visit, 8, FTW_PHYS));
	EXPECT_EQ(1, visited);
	EXPECT_EQ(0, ftw(FOLDER, visit_old, 8));
	EXPECT_EQ(2, visited);
}

TEST_F(node, sysfs)
{
	char path[128], link[PATH_MAX], *real;
	ssize_t n;
	FILE *f;

	snprintf(path, sizeof(path), SYSFS "%s", name);
	EXPECT_EQ(0, access(path, F_OK));
	n = readlink(path, link, sizeof(link) - 1);
	ASSERT_LT(0, n);
	link[n] = 0;
	EXPECT_NE(NULL, strstr(link, name));
	real = realpath(path, NULL);
	ASSERT_NE(NULL, real);
	EXPECT_EQ(0, strncmp(real, "/sys/devices/", 13));
	free(real);
	snprintf(path, sizeof(path), SYSFS "%s/dev", name);
	f = fopen(path, "r");
	ASSERT_NE(NULL, f);
	snprintf(path, sizeof(path), "%u:%u\n", major(number), minor(number));
	EXPECT_STREQ(path, fgets(link, sizeof(link), f));
	fclose(f);
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/uevent", major(number), minor(number));
	EXPECT_EQ(0, access(path, R_OK));
}

/* Both nodes are of one device. */
TEST_F(node, siblings)
{
	char path[64];
	unsigned int found = 0;
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/drm", major(number),
		 minor(number));
	dir = opendir(path);
	ASSERT_NE(NULL, dir);
	while ((e = readdir(dir)))
		found += !strncmp(e->d_name, "renderD", 7) || !strncmp(e->d_name, "card", 4);
	closedir(dir);
	EXPECT_EQ(2, found);
}

/* ---- the descriptor ---- */

TEST_F(node, descriptor)
{
	struct pollfd p = { self->fd, POLLIN | POLLOUT, 0 };
	int copy = dup(self->fd);

	EXPECT_EQ(0, lseek(self->fd, 0, SEEK_END));
	EXPECT_EQ(0, lseek(self->fd, 5, SEEK_SET));
	EXPECT_EQ(0, poll(&p, 1, 0));
	EXPECT_EQ(0, isatty(self->fd));
	EXPECT_EQ(-1, ftruncate(self->fd, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(opens(copy));
	EXPECT_TRUE(is_driver(self->fd));
}

/* A DRM file cannot be written. */
TEST_F(node, write)
{
	char bytes[256] = {};
	struct iovec part = { bytes, sizeof(bytes) };

	EXPECT_EQ(-1, write(self->fd, bytes, sizeof(bytes)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, write(self->fd, bytes, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, writev(self->fd, &part, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, pwrite(self->fd, bytes, sizeof(bytes), 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, syscall(SYS_write, self->fd, bytes, sizeof(bytes)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(is_driver(self->fd));
}

/* Arguments where no memory is. */
TEST_F(node, bad_addresses)
{
	struct drm_version v = { .name = (char *)BAD_PTR, .name_len = 8 };

	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_VERSION, &v));
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_VERSION, (void *)BAD_PTR));
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_GET_CAP, (void *)BAD_PTR));
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_GEM_CLOSE, (void *)BAD_PTR));
}

TEST_HARNESS_MAIN
