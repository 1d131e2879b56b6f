// SPDX-License-Identifier: MIT
/*
 * The files of /dev/dri and of sysfs that describe the device are below a folder of "vshader gl"
 * (GL_ROOT_ENV), with the names that they have on a board. Functions of the C library that take
 * a path get the name in that folder; those that return one take it out again. The node itself is
 * a regular file there: these functions tell the type and the number of a device.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "gl_preload.h"
#include "gl_proto.h"

/* Whatever is below these names is the device's; other GPUs of the machine do not show. */
static const char * const redirected[] = {
	"/dev/dri", "/sys/class/drm", "/sys/dev/char/226:", "/sys/devices/platform/vshader",
	"/sys/bus/platform/drivers/panfrost", "/sys/bus/platform/drivers/lima",
	"/sys/bus/platform/drivers/vc4", "/sys/bus/platform/devices/vshader",
};

static const char *root(void)
{
	return getenv(GL_ROOT_ENV);
}

static bool begins(const char *path, const char *with)
{
	size_t n = strlen(with);

	return !strncmp(path, with, n) &&
	       (!path[n] || path[n] == '/' || with[n - 1] == ':');
}

/* The name in the folder, in @buf, or @path itself. */
static const char *redirect(const char *path, char buf[PATH_MAX])
{
	const char *top = root();
	unsigned int i;

	if (!path || *path != '/' || !top)
		return path;
	for (i = 0; i < sizeof(redirected) / sizeof(redirected[0]); i++) {
		if (begins(path, redirected[i]) &&
		    snprintf(buf, PATH_MAX, "%s%s", top, path) < PATH_MAX)
			return buf;
	}
	return path;
}

#define IN_ROOT(path)	redirect(path, (char[PATH_MAX]){ 0 })

/* Take the folder out of a name. */
static char *outside(char *path)
{
	const char *top = root();
	size_t n = top ? strlen(top) : 0;

	if (path && n && !strncmp(path, top, n) && path[n] == '/')
		memmove(path, path + n, strlen(path + n) + 1);
	return path;
}

/* The descriptor of this process that a path in its folder of /proc names, or -1. */
static int own_descriptor(const char *path, const char *folder)
{
	char who[16], kind[8], end;
	int fd;

	if (!path || sscanf(path, "/proc/%15[^/]/%7[^/]/%d%c", who, kind, &fd, &end) != 3 ||
	    strcmp(kind, folder))
		return -1;
	return !strcmp(who, "self") || !strcmp(who, "thread-self") || atoi(who) == getpid() ?
		fd : -1;
}

/* ---- the node ---- */

#define NODE_DEV	makedev(GL_NODE_MAJOR, GL_NODE_MINOR)

/* Return: @st is of the node's file in the folder. */
static bool is_node_file(dev_t dev, ino_t ino)
{
	char path[PATH_MAX];
	struct stat node;
	const char *top = root();

	if (!top || snprintf(path, sizeof(path), "%s" GL_NODE, top) >= (int)sizeof(path) ||
	    NEXT(stat)(path, &node))
		return false;
	return node.st_dev == dev && node.st_ino == ino;
}

static void make_device(struct stat *st)
{
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = NODE_DEV;
	st->st_size = 0;
	st->st_blocks = 0;
}

/* The kind of a path or a descriptor, after the C library's answer @ret. */
static int node_stat(int ret, struct stat *st)
{
	if (!ret && S_ISREG(st->st_mode) && is_node_file(st->st_dev, st->st_ino))
		make_device(st);
	return ret;
}

int gl_real_fstat(int fd, struct stat *st)
{
	return NEXT(fstat)(fd, st);
}

/* A dma-buf has no type, and all of its memory. */
static void make_dmabuf(struct stat *st)
{
	st->st_mode = 0600;
	st->st_nlink = 1;
	st->st_blocks = st->st_size / 512;
}

static int node_fstat(int ret, int fd, struct stat *st)
{
	struct stat other;

	if (!ret && S_ISSOCK(st->st_mode) && gl_is_node(fd))
		make_device(st);
	else if (!ret && S_ISREG(st->st_mode) && gl_is_dmabuf(fd, &other))
		make_dmabuf(st);
	return node_stat(ret, st);
}

/* A socket has no directory: a call with an empty name is about the descriptor itself. */
static bool is_fstat(const char *path, int flags)
{
	return flags & AT_EMPTY_PATH && (!path || !*path);
}

EXPORT int stat(const char *path, struct stat *st)
{
	return node_stat(NEXT(stat)(IN_ROOT(path), st), st);
}

EXPORT int lstat(const char *path, struct stat *st)
{
	return node_stat(NEXT(lstat)(IN_ROOT(path), st), st);
}

EXPORT int fstat(int fd, struct stat *st)
{
	return node_fstat(NEXT(fstat)(fd, st), fd, st);
}

EXPORT int fstatat(int dir, const char *path, struct stat *st, int flags)
{
	int ret = NEXT(fstatat)(dir, IN_ROOT(path), st, flags);

	return is_fstat(path, flags) ? node_fstat(ret, dir, st) : node_stat(ret, st);
}

/* The structures are one on 64-bit machines. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "64-bit file sizes");

EXPORT int stat64(const char *path, struct stat64 *st)
{
	return stat(path, (struct stat *)st);
}

EXPORT int lstat64(const char *path, struct stat64 *st)
{
	return lstat(path, (struct stat *)st);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
	return fstat(fd, (struct stat *)st);
}

EXPORT int fstatat64(int dir, const char *path, struct stat64 *st, int flags)
{
	return fstatat(dir, path, (struct stat *)st, flags);
}

/* Programs that were linked before glibc 2.33 call these. */
#define OLD_STAT(name, args, call)					\
int name args;								\
EXPORT int name args							\
{									\
	return call;							\
}

OLD_STAT(__xstat, (int v, const char *path, struct stat *st), stat(path, st))
OLD_STAT(__lxstat, (int v, const char *path, struct stat *st), lstat(path, st))
OLD_STAT(__fxstat, (int v, int fd, struct stat *st), fstat(fd, st))
OLD_STAT(__fxstatat, (int v, int dir, const char *path, struct stat *st, int flags),
	 fstatat(dir, path, st, flags))
OLD_STAT(__xstat64, (int v, const char *path, struct stat64 *st), stat64(path, st))
OLD_STAT(__lxstat64, (int v, const char *path, struct stat64 *st), lstat64(path, st))
OLD_STAT(__fxstat64, (int v, int fd, struct stat64 *st), fstat64(fd, st))
OLD_STAT(__fxstatat64, (int v, int dir, const char *path, struct stat64 *st, int flags),
	 fstatat64(dir, path, st, flags))

EXPORT int statx(int dir, const char *path, int flags, unsigned int mask, struct statx *sx)
{
	int ret = NEXT(statx)(dir, IN_ROOT(path), flags, mask | STATX_TYPE | STATX_INO, sx);
	bool node;

	if (ret)
		return ret;
	node = S_ISREG(sx->stx_mode) &&
	       is_node_file(makedev(sx->stx_dev_major, sx->stx_dev_minor), sx->stx_ino);
	if (!node && is_fstat(path, flags))
		node = gl_is_node(dir);
	if (node) {
		sx->stx_mode = S_IFCHR | 0666;
		sx->stx_rdev_major = GL_NODE_MAJOR;
		sx->stx_rdev_minor = GL_NODE_MINOR;
		sx->stx_size = 0;
		sx->stx_blocks = 0;
	}
	return 0;
}

/* ---- opening ---- */

/* Return: @path, of the folder, is the node. */
static bool opens_node(const char *path, const char *was, int flags)
{
	struct stat st;

	return path != was && !(flags & O_PATH) && !NEXT(stat)(path, &st) &&
	       S_ISREG(st.st_mode) && is_node_file(st.st_dev, st.st_ino);
}

#define OPEN(name, params, call)						\
EXPORT int name params							\
{									\
	const char *at = IN_ROOT(path);					\
	mode_t mode = 0;						\
	va_list ap;							\
	int fd;								\
									\
	va_start(ap, flags);						\
	if (flags & O_CREAT || (flags & __O_TMPFILE) == __O_TMPFILE)	\
		mode = va_arg(ap, int);					\
	va_end(ap);							\
	if (opens_node(at, path, flags))				\
		return gl_open_node();					\
	fd = gl_dmabuf_fdinfo(own_descriptor(path, "fdinfo"), flags);	\
	return fd >= 0 ? fd : call;					\
}

OPEN(open, (const char *path, int flags, ...), NEXT(open)(at, flags, mode))
OPEN(open64, (const char *path, int flags, ...), NEXT(open64)(at, flags, mode))
OPEN(openat, (int dir, const char *path, int flags, ...), NEXT(openat)(dir, at, flags, mode))
OPEN(openat64, (int dir, const char *path, int flags, ...),
     NEXT(openat64)(dir, at, flags, mode))

/* Calls of programs that were compiled with _FORTIFY_SOURCE. */
#define OPEN_2(name, params, call)					\
int name params;							\
EXPORT int name params							\
{									\
	return call;							\
}

OPEN_2(__open_2, (const char *path, int flags), open(path, flags, 0))
OPEN_2(__open64_2, (const char *path, int flags), open64(path, flags, 0))
OPEN_2(__openat_2, (int dir, const char *path, int flags), openat(dir, path, flags, 0))
OPEN_2(__openat64_2, (int dir, const char *path, int flags), openat64(dir, path, flags, 0))

/* Return: NULL: the file is another one. */
static FILE *open_fdinfo(const char *path, const char *mode)
{
	int fd = gl_dmabuf_fdinfo(own_descriptor(path, "fdinfo"),
				  strchr(mode, 'e') ? O_CLOEXEC : 0);

	return fd >= 0 ? fdopen(fd, mode) : NULL;
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	return open_fdinfo(path, mode) ?: NEXT(fopen)(IN_ROOT(path), mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
	return open_fdinfo(path, mode) ?: NEXT(fopen64)(IN_ROOT(path), mode);
}

EXPORT int access(const char *path, int mode)
{
	return NEXT(access)(IN_ROOT(path), mode);
}

EXPORT int faccessat(int dir, const char *path, int mode, int flags)
{
	return NEXT(faccessat)(dir, IN_ROOT(path), mode, flags);
}

/* ---- folders and links ---- */

EXPORT DIR *opendir(const char *path)
{
	return NEXT(opendir)(IN_ROOT(path));
}

EXPORT int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **, const struct dirent **))
{
	return NEXT(scandir)(IN_ROOT(path), list, filter, compare);
}

EXPORT int scandir64(const char *path, struct dirent64 ***list,
		     int (*filter)(const struct dirent64 *),
		     int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	return NEXT(scandir64)(IN_ROOT(path), list, filter, compare);
}

/* The file of a descriptor is the node or a buffer. Return: length, 0: another one. */
static ssize_t read_own_link(const char *path, char *buf, size_t size)
{
	size_t n = sizeof(GL_NODE) - 1;
	int fd = own_descriptor(path, "fd");
	struct stat st;

	if (gl_is_dmabuf(fd, &st))
		return gl_dmabuf_link(&st, buf, size);
	if (fd < 0 || !gl_is_node(fd))
		return 0;
	n = n < size ? n : size;
	memcpy(buf, GL_NODE, n);
	return n;
}

EXPORT ssize_t readlink(const char *path, char *buf, size_t size)
{
	return read_own_link(path, buf, size) ?: NEXT(readlink)(IN_ROOT(path), buf, size);
}

EXPORT ssize_t readlinkat(int dir, const char *path, char *buf, size_t size)
{
	return read_own_link(path, buf, size) ?: NEXT(readlinkat)(dir, IN_ROOT(path), buf, size);
}

ssize_t __readlink_chk(const char *path, char *buf, size_t size, size_t room);
EXPORT ssize_t __readlink_chk(const char *path, char *buf, size_t size, size_t room)
{
	if (size > room)
		abort();
	return readlink(path, buf, size);
}

EXPORT char *realpath(const char *path, char *resolved)
{
	return outside(NEXT(realpath)(IN_ROOT(path), resolved));
}

char *__realpath_chk(const char *path, char *resolved, size_t room);
EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
	if (room < PATH_MAX)
		abort();
	return realpath(path, resolved);
}

EXPORT char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}
