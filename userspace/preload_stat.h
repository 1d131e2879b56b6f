/* SPDX-License-Identifier: MIT */
/*
 * For a preloaded library that exports stat(), lstat(), fstat() and fstatat(): the other names that
 * the C library has for them. EXPORT is its attribute of exported functions.
 */
#ifndef PRELOAD_STAT_H
#define PRELOAD_STAT_H

#include <sys/stat.h>

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

#undef OLD_STAT

#endif /* PRELOAD_STAT_H */
