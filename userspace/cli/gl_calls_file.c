// SPDX-License-Identifier: MIT
/*
 * vshader gl --system-calls: calls that take a path, and stat() of descriptors.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl_calls.h"

#ifdef GL_CALLS_ARCH

/* The kernel's structure is the C library's on these machines. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "64-bit file sizes");

/* The folder that a relative path of the program begins at. */
static bool folder_of(const struct gl_syscall *c, int dir, char to[PATH_MAX])
{
	char link[64];
	ssize_t n;

	if (dir == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%d/cwd", (int)c->tid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)c->tid, dir);
	n = readlink(link, to, PATH_MAX - 1);
	to[n > 0 ? n : 0] = 0;
	return n > 0 && *to == '/';
}

/**
 * struct place - a path of the device
 * @path: from "/"
 * @fd: descriptor that it names, to be closed, or -1
 */
struct place {
	char path[PATH_MAX];
	int fd;
};

/* A path of a descriptor of the program: of its copy here. Return: whether it is of a node. */
static bool own_descriptor(const struct gl_syscall *c, struct place *to)
{
	char who[16], end;
	int fd, own;

	if (sscanf(to->path, "/dev/fd/%d%c", &fd, &end) != 1) {
		if (sscanf(to->path, "/proc/%15[^/]/fd/%d%c", who, &fd, &end) != 2)
			return false;
		if (strcmp(who, "self") && strcmp(who, "thread-self") && atoi(who) != c->tid)
			return false;
	}
	own = gl_syscall_get_fd(c, fd);
	if (own < 0)
		return false;
	if (!gl_syscall_is_node(own) || gl_syscall_is_library(c)) {
		close(own);
		return false;
	}
	snprintf(to->path, sizeof(to->path), "/proc/self/fd/%d", own);
	to->fd = own;
	return true;
}

static void put_place(const struct place *p)
{
	int saved = errno;

	if (p->fd >= 0)
		close(p->fd);
	errno = saved;
}

/*
 * The path of the program's call. Return: whether it is the device's; others are the kernel's.
 */
static bool get_place(const struct gl_syscall *c, int dir, uint64_t from, struct place *place)
{
	const char *top = getenv(GL_ROOT_ENV);
	char path[PATH_MAX], buf[PATH_MAX], *to = place->path;
	size_t n;

	place->fd = -1;
	if (gl_syscall_string(c, path, from, sizeof(path)) <= 0)
		return false;
	if (*path == '/') {
		strcpy(to, path);
	} else {
		if (!folder_of(c, dir, to))
			return false;
		n = strlen(to);
		if (n + strlen(path) + 2 > PATH_MAX)
			return false;
		to[n] = '/';
		strcpy(to + n + 1, path);
	}
	if (!strncmp(to, "/proc/", 6) || !strncmp(to, "/dev/fd/", 8))
		return own_descriptor(c, place);
	/* a folder of the device, by its descriptor */
	n = top ? strlen(top) : 0;
	if (n && !strncmp(to, top, n) && to[n] == '/')
		memmove(to, to + n, strlen(to + n) + 1);
	return gl_library_redirect(AT_FDCWD, to, buf) != to && !gl_syscall_is_library(c);
}

static int64_t open_path(const struct gl_syscall *c, int dir, uint64_t path, int flags)
{
	struct place at;
	int fd, number;

	if (!get_place(c, dir, path, &at))
		return GL_CONTINUE;
	/* files without access cannot be handed on */
	if (flags & O_PATH)
		flags = O_RDONLY | (flags & (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	fd = open(at.path, flags | O_CLOEXEC, 0600);
	put_place(&at);
	if (fd < 0)
		return -errno;
	number = gl_syscall_give_fd(c, fd, flags & O_CLOEXEC);
	close(fd);
	return number;
}

static int64_t open_how(const struct gl_syscall *c)
{
	const uint64_t *a = (const uint64_t *)c->data.args;
	struct open_how how;

	/* what the path may not do, it does not do there */
	if (a[3] < sizeof(how) || gl_syscall_read(c, &how, a[2], sizeof(how)))
		return GL_CONTINUE;
	return open_path(c, a[0], a[1], how.flags);
}

static int64_t stat_path(const struct gl_syscall *c, int dir, uint64_t path, uint64_t to, int flags)
{
	struct place at;
	struct stat st;
	int ret;

	if (!get_place(c, dir, path, &at))
		return GL_CONTINUE;
	ret = fstatat(AT_FDCWD, at.path, &st, flags & AT_SYMLINK_NOFOLLOW);
	put_place(&at);
	return ret ? -errno : gl_syscall_write(c, to, &st, sizeof(st));
}

static int64_t stat_fd(const struct gl_syscall *c, int fd, uint64_t to)
{
	int own = gl_syscall_get_fd(c, fd);
	int64_t ret = GL_CONTINUE;
	struct stat st;

	if (own < 0)
		return GL_CONTINUE;
	if (gl_syscall_is_node(own) && !gl_syscall_is_library(c))
		ret = fstat(own, &st) ? -errno : gl_syscall_write(c, to, &st, sizeof(st));
	close(own);
	return ret;
}

/* A call with an empty name is about the descriptor itself. */
static bool is_fstat(const struct gl_syscall *c, uint64_t path, int flags)
{
	char first;

	return flags & AT_EMPTY_PATH && (!path || (!gl_syscall_read(c, &first, path, 1) && !first));
}

static int64_t stat_at(const struct gl_syscall *c)
{
	const uint64_t *a = (const uint64_t *)c->data.args;

	return is_fstat(c, a[1], a[3]) ? stat_fd(c, a[0], a[2]) :
	       stat_path(c, a[0], a[1], a[2], a[3]);
}

static int64_t statx_at(const struct gl_syscall *c)
{
	const uint64_t *a = (const uint64_t *)c->data.args;
	int64_t ret = GL_CONTINUE;
	struct place at;
	struct statx sx;
	int own;

	if (is_fstat(c, a[1], a[2])) {
		own = gl_syscall_get_fd(c, a[0]);
		if (own < 0)
			return GL_CONTINUE;
		if (gl_syscall_is_node(own) && !gl_syscall_is_library(c))
			ret = statx(own, "", a[2], a[3], &sx) ? -errno : 0;
		close(own);
	} else if (get_place(c, a[0], a[1], &at)) {
		ret = statx(AT_FDCWD, at.path, a[2], a[3], &sx) ? -errno : 0;
		put_place(&at);
	}
	return ret ? ret : gl_syscall_write(c, a[4], &sx, sizeof(sx));
}

static int64_t access_path(const struct gl_syscall *c, int dir, uint64_t path, int mode)
{
	struct place at;
	int ret;

	if (!get_place(c, dir, path, &at))
		return GL_CONTINUE;
	ret = access(at.path, mode);
	put_place(&at);
	return ret ? -errno : 0;
}

static int64_t readlink_path(const struct gl_syscall *c, int dir, uint64_t path, uint64_t to,
			     uint64_t size)
{
	char text[PATH_MAX];
	struct place at;
	ssize_t n;

	if (!get_place(c, dir, path, &at))
		return GL_CONTINUE;
	n = readlink(at.path, text, size < sizeof(text) ? size : sizeof(text));
	put_place(&at);
	if (n < 0)
		return -errno;
	return gl_syscall_write(c, to, text, n) ? -EFAULT : n;
}

/* ---- all of them ---- */

int64_t gl_syscall_file(const struct gl_syscall *c)
{
	const uint64_t *a = (const uint64_t *)c->data.args;

	switch (c->data.nr) {
	case SYS_openat:
		return open_path(c, a[0], a[1], a[2]);
	case SYS_openat2:
		return open_how(c);
	case SYS_newfstatat:
		return stat_at(c);
	case SYS_fstat:
		return stat_fd(c, a[0], a[1]);
	case SYS_statx:
		return statx_at(c);
	case SYS_faccessat:
	case SYS_faccessat2:
		return access_path(c, a[0], a[1], a[2]);
	case SYS_readlinkat:
		return readlink_path(c, a[0], a[1], a[2], a[3]);
#ifdef __x86_64__
	case SYS_open:
		return open_path(c, AT_FDCWD, a[0], a[1]);
	case SYS_creat:
		return open_path(c, AT_FDCWD, a[0], O_CREAT | O_WRONLY | O_TRUNC);
	case SYS_stat:
		return stat_path(c, AT_FDCWD, a[0], a[1], 0);
	case SYS_lstat:
		return stat_path(c, AT_FDCWD, a[0], a[1], AT_SYMLINK_NOFOLLOW);
	case SYS_access:
		return access_path(c, AT_FDCWD, a[0], a[1]);
	case SYS_readlink:
		return readlink_path(c, AT_FDCWD, a[0], a[1], a[2]);
#endif
	default:
		return GL_CONTINUE;
	}
}

#endif
