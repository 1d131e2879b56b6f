// SPDX-License-Identifier: MIT
/*
 * syscall(): calls of the kernel by number, of which those that the library replaces are its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gl_preload.h"

/* The kernel's structures are the C library's on 64-bit machines. */
#if __SIZEOF_LONG__ == 8

#define NUM_ARGS	6
#define PATH(a)		((const char *)(a))

/* What the path may not do, it does not do below the folder. */
static long open_how(const long *a)
{
	const struct open_how *how = (const struct open_how *)a[2];
	const char *path = PATH(a[1]);
	char buf[PATH_MAX];
	uint64_t flags;

	if (a[3] < (long)sizeof(*how) || gl_read_user(&flags, &how->flags, sizeof(flags)) ||
	    gl_follow(a[0], path, buf) == path)
		return NEXT(syscall)(SYS_openat2, a[0], a[1], a[2], a[3]);
	return openat(a[0], path, flags, 0600);
}

EXPORT long syscall(long nr, ...)
{
	long a[NUM_ARGS];
	va_list ap;
	int i;

	va_start(ap, nr);
	for (i = 0; i < NUM_ARGS; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	switch (nr) {
	case SYS_openat:
		return openat(a[0], PATH(a[1]), a[2], (mode_t)a[3]);
	case SYS_openat2:
		return open_how(a);
	case SYS_newfstatat:
		return fstatat(a[0], PATH(a[1]), (struct stat *)a[2], a[3]);
	case SYS_fstat:
		return fstat(a[0], (struct stat *)a[1]);
	case SYS_statx:
		return statx(a[0], PATH(a[1]), a[2], a[3], (struct statx *)a[4]);
	case SYS_faccessat:
		return faccessat(a[0], PATH(a[1]), a[2], 0);
	case SYS_faccessat2:
		return faccessat(a[0], PATH(a[1]), a[2], a[3]);
	case SYS_readlinkat:
		return readlinkat(a[0], PATH(a[1]), (char *)a[2], a[3]);
	case SYS_chdir:
		return chdir(PATH(a[0]));
	case SYS_ioctl:
		return ioctl(a[0], a[1], (void *)a[2]);
	case SYS_mmap:
		return (long)mmap((void *)a[0], a[1], a[2], a[3], a[4], a[5]);
	case SYS_write:
		return write(a[0], (const void *)a[1], a[2]);
	case SYS_lseek:
		return lseek(a[0], a[1], a[2]);
#ifdef SYS_open
	case SYS_open:
		return open(PATH(a[0]), a[1], (mode_t)a[2]);
	case SYS_creat:
		return creat(PATH(a[0]), a[1]);
	case SYS_stat:
		return stat(PATH(a[0]), (struct stat *)a[1]);
	case SYS_lstat:
		return lstat(PATH(a[0]), (struct stat *)a[1]);
	case SYS_access:
		return access(PATH(a[0]), a[1]);
	case SYS_readlink:
		return readlink(PATH(a[0]), (char *)a[1], a[2]);
#endif
	default:
		return NEXT(syscall)(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
}

#endif /* 64 bits */
