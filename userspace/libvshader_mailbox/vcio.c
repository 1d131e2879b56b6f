// SPDX-License-Identifier: MIT
/*
 * For programs that bring their own mailbox.c: a library to be preloaded (LD_PRELOAD) that
 * takes the place of the device files /dev/vcio, /dev/mem, /dev/vcsm and /dev/vcsm-cma. Older
 * programs make a device file of their own, with the numbers of /dev/vcio; that does not need
 * root here, since a marked file is made instead.
 *
 * Of /dev/vcio there are the messages about memory and QPUs, of /dev/mem the memory that
 * was allocated by them. Everything else goes to the C library.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core.h"
#include "property.h"
#include "regs.h"
#include "vcio.h"
#include "vcsm.h"

#define MAX_FDS		64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
	int fd;
	enum vcio_kind kind;
} fds[MAX_FDS];

/* Contents of a file that stands for a device file of the program's own. */
static const char node_mark[] = "character device 100:0 of libvshader_vcio\n";

/* ---- the C library's own ---- */

void *vcio_next(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	if (!p) {
		mbox_say("the C library has no %s()", name);
		abort();
	}
	return p;
}

/* ---- descriptors ---- */

/* Also one that another process has left. */
bool vcio_is_node(int dir, const char *path)
{
	char text[sizeof(node_mark)];
	struct stat st;
	ssize_t n;
	int fd;

	if (NEXT(fstatat)(dir, path, &st, 0))
		return false;
	if (S_ISCHR(st.st_mode))
		return st.st_rdev == VCIO_DEV;
	if (!S_ISREG(st.st_mode) || st.st_size != sizeof(node_mark) - 1)
		return false;
	fd = NEXT(openat)(dir, path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text));
	NEXT(close)(fd);
	return n == sizeof(node_mark) - 1 && !memcmp(text, node_mark, sizeof(node_mark) - 1);
}

enum vcio_kind vcio_kind_of_path(int dir, const char *path)
{
	if (!path)
		return KIND_NONE;
	if (!strcmp(path, "/dev/vcio"))
		return KIND_VCIO;
	if (!strcmp(path, "/dev/mem"))
		return KIND_MEM;
#ifdef VCSM_MAP_LOW
	if (!strcmp(path, "/dev/vcsm"))
		return KIND_VCSM;
#endif
	if (!strcmp(path, "/dev/vcsm-cma"))
		return KIND_VCSM_CMA;
	return vcio_is_node(dir, path) ? KIND_VCIO : KIND_NONE;
}

enum vcio_kind vcio_kind_of(int fd)
{
	enum vcio_kind kind = KIND_NONE;
	int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < MAX_FDS; i++) {
		if (fds[i].kind != KIND_NONE && fds[i].fd == fd)
			kind = fds[i].kind;
	}
	pthread_mutex_unlock(&lock);
	return kind;
}

static int add_fd(int fd, enum vcio_kind kind)
{
	int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < MAX_FDS && fds[i].kind != KIND_NONE; i++)
		;
	if (i < MAX_FDS) {
		fds[i].fd = fd;
		fds[i].kind = kind;
	}
	pthread_mutex_unlock(&lock);
	return i < MAX_FDS ? 0 : -1;
}

static void forget_fd(int fd)
{
	int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < MAX_FDS; i++) {
		if (fds[i].kind != KIND_NONE && fds[i].fd == fd)
			fds[i].kind = KIND_NONE;
	}
	pthread_mutex_unlock(&lock);
}

static int open_kind(enum vcio_kind kind)
{
	int fd;

	if (!mbox_start()) {
		errno = ENODEV;
		return -1;
	}
	/* A real descriptor: nothing else in the process gets the same number. */
	fd = NEXT(open)("/dev/null", O_RDWR | O_CLOEXEC);
	if (fd >= 0 && add_fd(fd, kind)) {
		NEXT(close)(fd);
		errno = EMFILE;
		return -1;
	}
	return fd;
}

/* The mode is only there if a file may be made. */
static mode_t take_mode(int flags, va_list ap)
{
	return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(ap, int) : 0;
}

static int open_path(int (*next)(const char *path, int flags, ...), const char *path, int flags,
		     va_list ap)
{
	enum vcio_kind kind = vcio_kind_of_path(AT_FDCWD, path);

	return kind == KIND_NONE ? next(path, flags, take_mode(flags, ap)) : open_kind(kind);
}

static int openat_path(int (*next)(int dir, const char *path, int flags, ...), int dir,
		       const char *path, int flags, va_list ap)
{
	enum vcio_kind kind = vcio_kind_of_path(dir, path);

	return kind == KIND_NONE ? next(dir, path, flags, take_mode(flags, ap)) : open_kind(kind);
}

EXPORT int open(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	va_start(ap, flags);
	fd = open_path(NEXT(open), path, flags, ap);
	va_end(ap);
	return fd;
}

EXPORT int open64(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	va_start(ap, flags);
	fd = open_path(NEXT(open64), path, flags, ap);
	va_end(ap);
	return fd;
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	va_start(ap, flags);
	fd = openat_path(NEXT(openat), dir, path, flags, ap);
	va_end(ap);
	return fd;
}

EXPORT int openat64(int dir, const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	va_start(ap, flags);
	fd = openat_path(NEXT(openat64), dir, path, flags, ap);
	va_end(ap);
	return fd;
}

EXPORT int __open_2(const char *path, int flags)
{
	enum vcio_kind kind = vcio_kind_of_path(AT_FDCWD, path);

	return kind == KIND_NONE ? NEXT(__open_2)(path, flags) : open_kind(kind);
}

EXPORT int __open64_2(const char *path, int flags)
{
	enum vcio_kind kind = vcio_kind_of_path(AT_FDCWD, path);

	return kind == KIND_NONE ? NEXT(__open64_2)(path, flags) : open_kind(kind);
}

EXPORT int close(int fd)
{
	forget_fd(fd);
	vcsm_closed(fd);
	return NEXT(close)(fd);
}

/* ---- device files ---- */

static int make_node(int dir, const char *path, mode_t mode)
{
	int fd = NEXT(openat)(dir, path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
			      (mode & 07777) | 0400);
	const ssize_t size = sizeof(node_mark) - 1;
	bool whole;

	if (fd < 0)
		return -1;
	whole = write(fd, node_mark, (size_t)size) == size;
	NEXT(close)(fd);
	if (whole)
		return 0;
	unlinkat(dir, path, 0);
	errno = ENOSPC;
	return -1;
}

EXPORT int mknod(const char *path, mode_t mode, dev_t dev)
{
	return S_ISCHR(mode) && dev == VCIO_DEV ? make_node(AT_FDCWD, path, mode) :
	       NEXT(mknod)(path, mode, dev);
}

EXPORT int mknodat(int dir, const char *path, mode_t mode, dev_t dev)
{
	return S_ISCHR(mode) && dev == VCIO_DEV ? make_node(dir, path, mode) :
	       NEXT(mknodat)(dir, path, mode, dev);
}

/* The C library's mknod() and mknodat() called these up to version 2.32. */
EXPORT int __xmknod(int version, const char *path, mode_t mode, dev_t *dev)
{
	return mknod(path, mode, *dev);
}

EXPORT int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *dev)
{
	return mknodat(dir, path, mode, *dev);
}

/* ---- calls ---- */

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	switch (vcio_kind_of(fd)) {
	case KIND_VCIO:
		break;
	case KIND_VCSM:
		return vcsm_ioctl(fd, request, arg);
	case KIND_VCSM_CMA:
		return vcsm_cma_ioctl(request, arg);
	default:
		/* DMA_BUF_IOCTL_SYNC: memory is coherent, and need not be a dma-buf */
		return _IOC_TYPE(request) == 'b' && vcsm_is_buffer(fd) ? 0 :
		       NEXT(ioctl)(fd, request, arg);
	}
	/* The size in the number is that of a pointer, of 32 or of 64 bits. */
	if (_IOC_TYPE(request) != 100 || _IOC_NR(request) != 0) {
		errno = EINVAL;
		return -1;
	}
	if (!property_message(arg)) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

static void *map_memory(void *addr, size_t len, int prot, int flags, off64_t at)
{
	uint64_t offset = 0;
	void *p;
	int fd;

	if (at >= 0 && regs_address((uint64_t)at)) {
		p = regs_map((uint64_t)at, len);
		if (p)
			return p;
		mbox_say("the registers at %#llx cannot be mapped", (unsigned long long)at);
		errno = EPERM;
		return MAP_FAILED;
	}
	fd = at >= 0 && at <= UINT32_MAX ? mbox_export((uint32_t)at, len, &offset) : -1;
	if (fd < 0) {
		mbox_say("no allocated memory at %#llx with %zu bytes", (unsigned long long)at,
			 len);
		errno = EINVAL;
		return MAP_FAILED;
	}
	p = NEXT(mmap64)(addr, len, prot, (flags & MAP_FIXED) | MAP_SHARED, fd, (off64_t)offset);
	NEXT(close)(fd);
	return p;
}

static void *map_vcsm(void *addr, size_t len, int prot, int flags, off64_t at)
{
	int fd = at > 0 ? vcsm_export((uint64_t)at, len) : -1;
	void *p = MAP_FAILED;

#ifdef VCSM_MAP_LOW
	if (fd >= 0)
		p = NEXT(mmap64)(addr, len, prot, (flags & MAP_FIXED) | MAP_SHARED | VCSM_MAP_LOW,
				 fd, 0);
#endif
	if (fd < 0) {
		mbox_say("/dev/vcsm: no memory %#llx with %zu bytes", (unsigned long long)at, len);
		errno = EINVAL;
		return MAP_FAILED;
	}
	NEXT(close)(fd);
	if (p != MAP_FAILED)
		vcsm_mapped((uint32_t)at, -1, p);
	return p;
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t at)
{
	enum vcio_kind kind = fd < 0 || flags & MAP_ANONYMOUS ? KIND_NONE : vcio_kind_of(fd);
	void *p;

	if (kind == KIND_MEM)
		return map_memory(addr, len, prot, flags, at);
	if (kind == KIND_VCSM)
		return map_vcsm(addr, len, prot, flags, at);
	p = NEXT(mmap64)(addr, len, prot, flags, fd, at);
	if (p != MAP_FAILED && !(flags & MAP_ANONYMOUS) && vcsm_is_buffer(fd))
		vcsm_mapped(0, fd, p);
	return p;
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t at)
{
	return mmap64(addr, len, prot, flags, fd, at);
}

EXPORT int munmap(void *addr, size_t len)
{
	regs_forget(addr, len);
	vcsm_unmapped(addr);
	return NEXT(munmap)(addr, len);
}

/* ---- libbcm_host ---- */

EXPORT void *dlopen(const char *path, int flags)
{
	void *lib = NEXT(dlopen)(path, flags);

	/* Its functions are in here. */
	if (!lib && path && strstr(path, "libbcm_host.so"))
		return NEXT(dlopen)(NULL, flags);
	return lib;
}
