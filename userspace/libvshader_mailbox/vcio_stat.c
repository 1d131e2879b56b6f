// SPDX-License-Identifier: MIT
/*
 * stat() and access() of the device files that vcio.c stands for: character devices with their
 * numbers on a Raspberry Pi, though nodes that a program has made are marked files, and the
 * others need not exist on this machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "vcio.h"

#if __SIZEOF_LONG__ == 8

#include "../preload_stat.h"

#define DEVICE_MODE	(S_IFCHR | 0660)

static dev_t device_of(enum vcio_kind kind)
{
	switch (kind) {
	case KIND_MEM:
		return makedev(1, 1);
	case KIND_VCSM:
		return makedev(243, 0);
	case KIND_VCSM_CMA:
		return makedev(10, 62);
	default:
		return VCIO_DEV;
	}
}

/* Return: a path under which a link shows as one. */
static bool is_link(int dir, const char *path)
{
	struct stat st;

	return !NEXT(fstatat)(dir, path, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
}

static enum vcio_kind kind_at(int dir, const char *path, int flags)
{
	int saved = errno;
	enum vcio_kind kind;

	if (path && !*path && flags & AT_EMPTY_PATH)
		return vcio_kind_of(dir);
	kind = vcio_kind_of_path(dir, path);
	if (kind != KIND_NONE && flags & AT_SYMLINK_NOFOLLOW && is_link(dir, path))
		kind = KIND_NONE;
	errno = saved;
	return kind;
}

/* @ret: of the C library, which knows a marked file, and /dev/null of a descriptor. */
static int answer(int ret, struct stat *st, enum vcio_kind kind)
{
	if (kind == KIND_NONE)
		return ret;
	if (ret) {
		memset(st, 0, sizeof(*st));
		st->st_nlink = 1;
	}
	st->st_mode = ret || !S_ISREG(st->st_mode) ? DEVICE_MODE :
			S_IFCHR | (st->st_mode & 07777);
	st->st_rdev = device_of(kind);
	st->st_size = 0;
	st->st_blocks = 0;
	return 0;
}

EXPORT int fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return answer(NEXT(fstatat)(dir, path, st, flags), st, kind_at(dir, path, flags));
}

EXPORT int stat(const char *path, struct stat *st)
{
	return answer(NEXT(stat)(path, st), st, kind_at(AT_FDCWD, path, 0));
}

EXPORT int lstat(const char *path, struct stat *st)
{
	return answer(NEXT(lstat)(path, st), st, kind_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW));
}

EXPORT int fstat(int fd, struct stat *st)
{
	int ret = NEXT(fstat)(fd, st);

	return ret ? ret : answer(0, st, vcio_kind_of(fd));
}

EXPORT int statx(int dir, const char *path, int flags, unsigned int mask, struct statx *sx)
{
	enum vcio_kind kind = kind_at(dir, path, flags);
	int ret = NEXT(statx)(dir, path, flags, mask | STATX_TYPE | STATX_MODE, sx);

	if (kind == KIND_NONE)
		return ret;
	if (ret) {
		memset(sx, 0, sizeof(*sx));
		sx->stx_mask = STATX_TYPE | STATX_MODE;
	}
	sx->stx_mode = ret || !S_ISREG(sx->stx_mode) ? DEVICE_MODE :
			S_IFCHR | (sx->stx_mode & 07777);
	sx->stx_rdev_major = major(device_of(kind));
	sx->stx_rdev_minor = minor(device_of(kind));
	sx->stx_size = 0;
	sx->stx_blocks = 0;
	return 0;
}

#endif /* 64 bits */

/* Who may not open the machine's file may open the one that stands for it. */
EXPORT int faccessat(int dir, const char *path, int mode, int flags)
{
	enum vcio_kind kind = vcio_kind_of_path(dir, path);

	if (kind == KIND_NONE || vcio_is_node(dir, path))
		return NEXT(faccessat)(dir, path, mode, flags);
	if (!(mode & X_OK))
		return 0;
	errno = EACCES;
	return -1;
}

EXPORT int access(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, 0);
}

EXPORT int eaccess(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS);
}

EXPORT int euidaccess(const char *path, int mode)
{
	return eaccess(path, mode);
}
