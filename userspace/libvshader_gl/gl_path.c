// SPDX-License-Identifier: MIT
/*
 * The files of /dev/dri and of sysfs that describe the device are below a folder of "vshader gl"
 * (GL_ROOT_ENV), with the names that they have on a board. Functions of the C library that take
 * a path get the name in that folder; those that return one take it out again. The nodes are
 * regular files there: these functions tell the type and the number of a device.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "gl_preload.h"
#include "gl_proto.h"
#include "../preload_stat.h"

/* Whatever is below these names is the device's; other GPUs of the machine do not show. */
static const char * const redirected[] = {
	"/dev/dri", "/dev/char/226:", "/sys/class/drm", "/sys/dev/char/226:",
	"/sys/devices/platform/vshader",
	"/sys/bus/platform/drivers/panfrost", "/sys/bus/platform/drivers/lima",
	"/sys/bus/platform/drivers/vc4", "/sys/bus/platform/devices/vshader",
};

static const char *root(void)
{
	return getenv(GL_ROOT_ENV);
}

/* Take the next component of a path. Return: its length, 0: there is none. */
static size_t next_component(const char **path)
{
	while (**path == '/')
		(*path)++;
	return strcspn(*path, "/");
}

/* Without a slash at the end; "" is the root. */
static void push(char *to, const char *name, size_t n)
{
	size_t at = strlen(to);

	if (at + n + 2 > PATH_MAX)
		return;
	to[at] = '/';
	memcpy(to + at + 1, name, n);
	to[at + 1 + n] = 0;
}

static void pop(char *to)
{
	char *slash = strrchr(to, '/');

	if (slash)
		*slash = 0;
}

/* Return: the path is one of the names above, or below. */
static bool is_redirected(const char *path)
{
	unsigned int i;
	size_t n;

	for (i = 0; i < sizeof(redirected) / sizeof(redirected[0]); i++) {
		n = strlen(redirected[i]);
		if (!strncmp(path, redirected[i], n) &&
		    (!path[n] || path[n] == '/' || redirected[i][n - 1] == ':'))
			return true;
	}
	return false;
}

/*
 * The part of a path up to one of the names above, without "." and "..", in @to, and the rest, in
 * which links are those of the folder. @left: the path has left one again. Return: the rest, or
 * NULL: there is no such name.
 */
static const char *match(const char *path, char *to, bool *left)
{
	size_t n;

	for (; (n = next_component(&path)); path += n) {
		if (n == 1 && *path == '.')
			continue;
		if (n == 2 && !memcmp(path, "..", 2)) {
			*left |= is_redirected(to);
			pop(to);
			continue;
		}
		push(to, path, n);
		/* the parent of the last one of these is that of the link's target */
		if (is_redirected(to) && (strncmp(path + n, "/..", 3) || strchr(to, ':')))
			return path + n;
	}
	return NULL;
}

/* The folder that a relative path begins at, as the program knows it, in @to. */
static bool folder_of(int dir, char *to)
{
	char path[64];
	ssize_t n;

	if (dir == AT_FDCWD)
		return NEXT(getcwd)(to, PATH_MAX) && gl_outside(to);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
	n = NEXT(readlink)(path, to, PATH_MAX - 1);
	to[n > 0 ? n : 0] = 0;
	return n > 0 && *to == '/' && gl_outside(to);
}

/* Does not change errno. */
const char *gl_redirect(int dir, const char *path, char buf[PATH_MAX])
{
	char at[PATH_MAX] = "";
	const char *top = root(), *rest;
	int saved = errno;
	bool known, left = false;

	if (!path || !*path || !top)
		return path;
	known = *path == '/' || folder_of(dir, at);
	errno = saved;
	if (!known)
		return path;
	if (!strcmp(at, "/"))
		at[0] = 0;
	rest = match(path, at, &left);
	if (rest)
		return snprintf(buf, PATH_MAX, "%s%s%s", top, at, rest) < PATH_MAX ? buf : path;
	/* out of the folder */
	if (left && !is_redirected(at))
		return strcpy(buf, *at ? at : "/");
	return path;
}

/*
 * Replace the first link in an absolute path by its target; @last: also its last component. Return:
 * false: there is none, or the path is too long.
 */
static bool replace_link(char path[PATH_MAX], bool last)
{
	char link[PATH_MAX], rest[PATH_MAX], *end = path;
	ssize_t n = -1;
	char slash;

	while (n < 0 && *end) {
		end += strspn(end, "/");
		end += strcspn(end, "/");
		slash = *end;
		if (!slash && !last)
			return false;
		*end = 0;
		n = NEXT(readlink)(path, link, sizeof(link) - 1);
		*end = slash;
	}
	if (n < 0)
		return false;
	link[n] = 0;
	strcpy(rest, end);
	*end = 0;
	if (*link == '/')
		*path = 0;
	else
		pop(path);
	n = strlen(path);
	return snprintf(path + n, PATH_MAX - n, "%s%s%s", n ? "/" : "", link, rest) <
	       PATH_MAX - n;
}

/* Return: the node with a name, or NULL. */
static const struct gl_node *node_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < GL_NODES; i++) {
		if (!strcmp(name, gl_nodes[i].name))
			return &gl_nodes[i];
	}
	return NULL;
}

/* A path that may lead by links to what is redirected: a link, one of none, one of a node. */
static bool may_have_links(int dir, const char *path)
{
	const char *name = strrchr(path, '/');
	char link;

	return NEXT(readlinkat)(dir, path, &link, 1) >= 0 || errno == ENOENT ||
	       (name && node_by_name(name + 1));
}

/* Links to links, as many as the kernel follows. */
#define MAX_LINKS	40

/*
 * The same with links: one that the program has made may point to the node, or to a folder above
 * it. Those of /proc are of descriptors. @last: the call follows a link that the path itself is
 */
static const char *walk(int dir, const char *path, char buf[PATH_MAX], bool last)
{
	const char *at = gl_redirect(dir, path, buf);
	char now[PATH_MAX] = "", to[PATH_MAX];
	int saved = errno, i;

	if (!path || at != path || !*path || !root() || !strncmp(path, "/proc/", 6) ||
	    !may_have_links(dir, path) || (*path != '/' && !folder_of(dir, now)) ||
	    strlen(now) + strlen(path) + 2 > PATH_MAX) {
		errno = saved;
		return at;
	}
	if (*path != '/')
		strcat(now, "/");
	strcat(now, path);
	for (i = 0; i < MAX_LINKS && replace_link(now, last); i++) {
		at = gl_redirect(AT_FDCWD, now, to);
		if (at != now) {
			errno = saved;
			return strcpy(buf, at);
		}
	}
	errno = saved;
	return path;
}

const char *gl_follow(int dir, const char *path, char buf[PATH_MAX])
{
	return walk(dir, path, buf, true);
}

/* For "vshader gl --system-calls". */
const char *vshader_gl_redirect(int dir, const char *path, char buf[PATH_MAX]);
EXPORT const char *vshader_gl_redirect(int dir, const char *path, char buf[PATH_MAX])
{
	return walk(dir, path, buf, true);
}

#define BUFFER		((char[PATH_MAX]){ 0 })
#define AT(dir, path)	walk(dir, path, BUFFER, false)
#define IN_ROOT(path)	AT(AT_FDCWD, path)
#define TO(dir, path)	gl_follow(dir, path, BUFFER)

char *gl_outside(char *path)
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

	if (path && !strcmp(folder, "fd") && sscanf(path, "/dev/fd/%d%c", &fd, &end) == 1)
		return fd;
	if (!path || sscanf(path, "/proc/%15[^/]/%7[^/]/%d%c", who, kind, &fd, &end) != 3 ||
	    strcmp(kind, folder))
		return -1;
	return !strcmp(who, "self") || !strcmp(who, "thread-self") || atoi(who) == getpid() ?
		fd : -1;
}

/* ---- the nodes ---- */

/* Return: the node whose file in the folder this is, or NULL. */
static const struct gl_node *node_of_file(dev_t dev, ino_t ino)
{
	char path[PATH_MAX];
	struct stat st;
	const char *top = root();
	unsigned int i;

	for (i = 0; i < GL_NODES && top; i++) {
		if (snprintf(path, sizeof(path), "%s" GL_DRI "%s", top, gl_nodes[i].name) <
		    (int)sizeof(path) && !NEXT(stat)(path, &st) && st.st_dev == dev &&
		    st.st_ino == ino)
			return &gl_nodes[i];
	}
	return NULL;
}

/* @node: NULL: the file is another one */
static void make_device(struct stat *st, const struct gl_node *node)
{
	if (!node)
		return;
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = makedev(GL_NODE_MAJOR, node->minor);
	st->st_size = 0;
	st->st_blocks = 0;
}

/* The kind of a path or a descriptor, after the C library's answer @ret. */
static int node_stat(int ret, struct stat *st)
{
	if (!ret && S_ISREG(st->st_mode))
		make_device(st, node_of_file(st->st_dev, st->st_ino));
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

	if (!ret && S_ISSOCK(st->st_mode))
		make_device(st, gl_node_of(fd));
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
	int fd = own_descriptor(path, "fd"), ret = NEXT(stat)(TO(AT_FDCWD, path), st);

	return fd >= 0 ? node_fstat(ret, fd, st) : node_stat(ret, st);
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
	bool link = flags & AT_SYMLINK_NOFOLLOW;
	int fd = link ? -1 : own_descriptor(path, "fd");
	int ret = NEXT(fstatat)(dir, link ? AT(dir, path) : TO(dir, path), st, flags);

	if (is_fstat(path, flags))
		fd = dir;
	return fd >= 0 ? node_fstat(ret, fd, st) : node_stat(ret, st);
}

EXPORT int statx(int dir, const char *path, int flags, unsigned int mask, struct statx *sx)
{
	bool link = flags & AT_SYMLINK_NOFOLLOW;
	int fd = link ? -1 : own_descriptor(path, "fd");
	const struct gl_node *node = NULL;
	int ret = NEXT(statx)(dir, link ? AT(dir, path) : TO(dir, path), flags,
			      mask | STATX_TYPE | STATX_INO, sx);

	if (ret)
		return ret;
	if (S_ISREG(sx->stx_mode))
		node = node_of_file(makedev(sx->stx_dev_major, sx->stx_dev_minor), sx->stx_ino);
	if (is_fstat(path, flags))
		fd = dir;
	if (!node && fd >= 0)
		node = gl_node_of(fd);
	if (node) {
		sx->stx_mode = S_IFCHR | 0666;
		sx->stx_rdev_major = GL_NODE_MAJOR;
		sx->stx_rdev_minor = node->minor;
		sx->stx_size = 0;
		sx->stx_blocks = 0;
	}
	return 0;
}

/* ---- opening ---- */

static const struct gl_node *node_at(int dir, const char *at)
{
	const struct gl_node *node = NULL;
	int saved = errno;
	struct stat st;

	if (at && !NEXT(fstatat)(dir, at, &st, 0) && S_ISREG(st.st_mode))
		node = node_of_file(st.st_dev, st.st_ino);
	errno = saved;
	return node;
}

bool gl_is_node_entry(int dir, const char *name)
{
	return node_by_name(name) && node_at(dir, name);
}

/* The node that a path names, or a descriptor of which it names. */
static const struct gl_node *named_node(int dir, const char *at, const char *path)
{
	int fd = own_descriptor(path, "fd");

	return fd >= 0 ? gl_node_of(fd) : node_at(dir, at);
}

static int open_node(const struct gl_node *node, int flags)
{
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
		errno = EEXIST;
		return -1;
	}
	if (flags & O_DIRECTORY) {
		errno = ENOTDIR;
		return -1;
	}
	return gl_open_node(node, flags & O_CLOEXEC);
}

#define OPEN(name, dir, params, call)						\
EXPORT int name params							\
{									\
	const char *at = flags & O_NOFOLLOW ? AT(dir, path) : TO(dir, path); \
	const struct gl_node *node = NULL;				\
	mode_t mode = 0;						\
	va_list ap;							\
	int fd;								\
									\
	va_start(ap, flags);						\
	if (flags & O_CREAT || (flags & __O_TMPFILE) == __O_TMPFILE)	\
		mode = va_arg(ap, int);					\
	va_end(ap);							\
	if (!(flags & O_PATH))						\
		node = named_node(dir, at, path);			\
	if (node)							\
		return open_node(node, flags);				\
	fd = gl_dmabuf_fdinfo(own_descriptor(path, "fdinfo"), flags);	\
	return fd >= 0 ? fd : call;					\
}

OPEN(open, AT_FDCWD, (const char *path, int flags, ...), NEXT(open)(at, flags, mode))
OPEN(open64, AT_FDCWD, (const char *path, int flags, ...), NEXT(open64)(at, flags, mode))
OPEN(openat, dir, (int dir, const char *path, int flags, ...), NEXT(openat)(dir, at, flags, mode))
OPEN(openat64, dir, (int dir, const char *path, int flags, ...),
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

EXPORT int creat(const char *path, mode_t mode)
{
	return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

EXPORT int creat64(const char *path, mode_t mode)
{
	return creat(path, mode);
}

/* Return: NULL: the file is another one, or errno is set. */
static FILE *open_stream(const char *path, const char *at, const char *mode)
{
	const struct gl_node *node = named_node(AT_FDCWD, at, path);
	int cloexec = strchr(mode, 'e') ? O_CLOEXEC : 0, fd;

	errno = 0;
	if (node)
		fd = gl_open_node(node, cloexec);
	else
		fd = gl_dmabuf_fdinfo(own_descriptor(path, "fdinfo"), cloexec);
	return fd >= 0 ? fdopen(fd, mode) : NULL;
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	const char *at = TO(AT_FDCWD, path);

	return open_stream(path, at, mode) ?: errno ? NULL : NEXT(fopen)(at, mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
	return fopen(path, mode);
}

EXPORT int access(const char *path, int mode)
{
	return NEXT(access)(TO(AT_FDCWD, path), mode);
}

EXPORT int eaccess(const char *path, int mode)
{
	return NEXT(eaccess)(TO(AT_FDCWD, path), mode);
}

EXPORT int euidaccess(const char *path, int mode)
{
	return eaccess(path, mode);
}

EXPORT int faccessat(int dir, const char *path, int mode, int flags)
{
	return NEXT(faccessat)(dir, TO(dir, path), mode, flags);
}

/* ls asks for access control lists. */
EXPORT ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
	return NEXT(getxattr)(TO(AT_FDCWD, path), name, value, size);
}

EXPORT ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size)
{
	return NEXT(lgetxattr)(IN_ROOT(path), name, value, size);
}

EXPORT ssize_t listxattr(const char *path, char *list, size_t size)
{
	return NEXT(listxattr)(TO(AT_FDCWD, path), list, size);
}

EXPORT ssize_t llistxattr(const char *path, char *list, size_t size)
{
	return NEXT(llistxattr)(IN_ROOT(path), list, size);
}

/* ---- links ---- */

/* The path of a node, in @buf. */
static char *path_of(const struct gl_node *node, char *buf)
{
	snprintf(buf, PATH_MAX, GL_DRI "%s", node->name);
	return buf;
}

/* The file of a descriptor is a node or a buffer. Return: length, 0: another one. */
static ssize_t read_own_link(const char *path, char *buf, size_t size)
{
	int fd = own_descriptor(path, "fd");
	const struct gl_node *node;
	char text[PATH_MAX];
	struct stat st;
	size_t n;

	if (gl_is_dmabuf(fd, &st))
		return gl_dmabuf_link(&st, buf, size);
	node = fd >= 0 ? gl_node_of(fd) : NULL;
	if (!node)
		return 0;
	n = strlen(path_of(node, text));
	n = n < size ? n : size;
	memcpy(buf, text, n);
	return n;
}

EXPORT ssize_t readlink(const char *path, char *buf, size_t size)
{
	return read_own_link(path, buf, size) ?: NEXT(readlink)(IN_ROOT(path), buf, size);
}

EXPORT ssize_t readlinkat(int dir, const char *path, char *buf, size_t size)
{
	return read_own_link(path, buf, size) ?: NEXT(readlinkat)(dir, AT(dir, path), buf, size);
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
	int fd = own_descriptor(path, "fd");
	const struct gl_node *node = fd >= 0 ? gl_node_of(fd) : NULL;
	char text[PATH_MAX];

	if (node)
		return resolved ? path_of(node, resolved) : strdup(path_of(node, text));
	return gl_outside(NEXT(realpath)(TO(AT_FDCWD, path), resolved));
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
