// SPDX-License-Identifier: MIT
/*
 * Exported buffers. The file of one that is executed in "vshader gl" is a memfd: its ioctls, size,
 * names and fences as those of a dma-buf are answered here. A dma-buf of a device has the kernel's
 * answers, and the fences of "vshader gl" in addition.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "gl_preload.h"
#include "gl_proto.h"

#define MEMFD		"/memfd:vshader (deleted)"	/* libdrm_vshader/local_bo.c */
#define DMABUF		"/dmabuf:"
#define EXPORTER	"drm"
#define PAGE		4096ULL

/* Newer than the headers of some C libraries. */
struct export_sync_file {
	uint32_t flags;
	int32_t fd;
};

#define EXPORT_SYNC_FILE	_IOWR(DMA_BUF_BASE, 2, struct export_sync_file)
#define IMPORT_SYNC_FILE	_IOW(DMA_BUF_BASE, 3, struct export_sync_file)

enum buffer { NO_BUFFER, OUR_BUFFER, KERNEL_BUFFER };

static bool has_name(int fd, const char *name)
{
	char path[64], text[64];
	size_t want = strlen(name);
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = NEXT(readlink)(path, text, sizeof(text));
	return n >= (ssize_t)want && !memcmp(text, name, want);
}

/* Does not change errno. */
static enum buffer buffer_kind(int fd, struct stat *st)
{
	enum buffer kind = NO_BUFFER;
	int saved = errno;

	if (fd >= 0 && !gl_real_fstat(fd, st)) {
		if (S_ISREG(st->st_mode) && !st->st_nlink && has_name(fd, MEMFD))
			kind = OUR_BUFFER;
		else if (!(st->st_mode & S_IFMT) && has_name(fd, DMABUF))
			kind = KERNEL_BUFFER;
	}
	errno = saved;
	return kind;
}

bool gl_is_dmabuf(int fd, struct stat *st)
{
	return buffer_kind(fd, st) == OUR_BUFFER;
}

/* ---- ioctls ---- */

static bool bad_direction(uint64_t flags, uint64_t allowed)
{
	return flags & ~allowed || !(flags & DMA_BUF_SYNC_RW);
}

/* A buffer of which the server does not know has no fences. */
static int wait_for_access(const struct stat *st, bool write)
{
	struct gl_dmabuf ask = { .ino = st->st_ino, .op = GL_DMABUF_WAIT, .write = write };
	int pass = -1, ret = gl_ask_dmabuf(&ask, &pass);

	return ret == -ENOENT ? 0 : ret;
}

static int sync_access(const struct stat *st, const void *arg)
{
	struct dma_buf_sync sync;

	if (gl_read_user(&sync, arg, sizeof(sync)))
		return -EFAULT;
	if (bad_direction(sync.flags, DMA_BUF_SYNC_VALID_FLAGS_MASK))
		return -EINVAL;
	return sync.flags & DMA_BUF_SYNC_END ? 0 :
		wait_for_access(st, sync.flags & DMA_BUF_SYNC_WRITE);
}

/* The fences of readers or writers as a sync file. Return: 0, -ENOENT, or another errno. */
static int fences_file(const struct stat *st, bool write, int *fd)
{
	struct gl_dmabuf ask = { .ino = st->st_ino, .op = GL_DMABUF_EXPORT, .write = write };

	*fd = -1;
	return gl_ask_dmabuf(&ask, fd);
}

/* A sync file of a fence that has signalled. */
static int signaled_file(int *fd)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	*fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (*fd < 0 || fcntl(*fd, F_SETSIG, GL_SYNC_FILE_SIGNAL))
		return -errno;
	eventfd_write(*fd, now.tv_sec * 1000000000LL + now.tv_nsec);
	return 0;
}

static int export_file(enum buffer kind, const struct stat *st, void *user)
{
	struct export_sync_file arg;
	int ret, fd;

	if (gl_read_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (bad_direction(arg.flags, DMA_BUF_SYNC_RW))
		return -EINVAL;
	ret = fences_file(st, arg.flags & DMA_BUF_SYNC_WRITE, &fd);
	if (ret == -ENOENT && kind == OUR_BUFFER)
		ret = signaled_file(&fd);
	if (ret)
		return ret;
	arg.fd = fd;
	if (!gl_write_user(user, &arg, sizeof(arg)))
		return 0;
	close(fd);
	return -EFAULT;
}

static int import_file(const struct stat *st, const void *user)
{
	struct gl_dmabuf ask = { .ino = st->st_ino, .op = GL_DMABUF_IMPORT };
	struct export_sync_file arg;

	if (gl_read_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (bad_direction(arg.flags, DMA_BUF_SYNC_RW) || fcntl(arg.fd, F_GETFD) < 0)
		return -EINVAL;
	ask.write = !!(arg.flags & DMA_BUF_SYNC_WRITE);
	return gl_ask_dmabuf(&ask, &arg.fd);
}

static int set_name(const struct stat *st, const void *user)
{
	struct gl_dmabuf ask = { .ino = st->st_ino, .op = GL_DMABUF_SET_NAME };
	unsigned int i;
	int pass = -1;

	/* byte by byte: the string may be the last one before memory that is not there */
	for (i = 0; i < GL_DMABUF_NAME_LEN; i++) {
		if (gl_read_user(ask.name + i, (const char *)user + i, 1))
			return -EFAULT;
		if (!ask.name[i])
			return gl_ask_dmabuf(&ask, &pass);
	}
	return -EINVAL;
}

static int our_ioctl(const struct stat *st, uint32_t request, void *arg)
{
	switch (request) {
	case DMA_BUF_IOCTL_SYNC:
		return sync_access(st, arg);
	case _IOW(DMA_BUF_BASE, 1, uint32_t):
	case _IOW(DMA_BUF_BASE, 1, uint64_t):
		return set_name(st, arg);
	case EXPORT_SYNC_FILE:
		return export_file(OUR_BUFFER, st, arg);
	case IMPORT_SYNC_FILE:
		return import_file(st, arg);
	default:
		return -ENOTTY;
	}
}

/* Return: false: the kernel answers. */
static bool kernel_ioctl(const struct stat *st, uint32_t request, void *arg, int *ret)
{
	switch (request) {
	case DMA_BUF_IOCTL_SYNC:
		*ret = sync_access(st, arg);
		return *ret;
	case EXPORT_SYNC_FILE:
		*ret = export_file(KERNEL_BUFFER, st, arg);
		return *ret != -ENOENT;
	case IMPORT_SYNC_FILE:
		*ret = import_file(st, arg);
		return *ret != -ENOENT;
	default:
		return false;
	}
}

bool gl_dmabuf_ioctl(int fd, unsigned long request, void *arg, int *ret)
{
	enum buffer kind;
	struct stat st;

	if (_IOC_TYPE(request) != DMA_BUF_BASE)
		return false;
	kind = buffer_kind(fd, &st);
	if (kind == KERNEL_BUFFER)
		return kernel_ioctl(&st, request, arg, ret);
	if (kind == OUR_BUFFER)
		*ret = our_ioctl(&st, request, arg);
	return kind == OUR_BUFFER;
}

/* ---- size, name ---- */

bool gl_dmabuf_maps(int fd, size_t len, off64_t at)
{
	uint64_t pages = (len + PAGE - 1) / PAGE;
	struct stat st;

	return !gl_is_dmabuf(fd, &st) ||
	       (uint64_t)at / PAGE + pages <= (uint64_t)st.st_size / PAGE;
}

EXPORT off64_t lseek64(int fd, off64_t offset, int whence)
{
	struct stat st;

	if (gl_node_of(fd))
		return 0;
	if (!gl_is_dmabuf(fd, &st))
		return NEXT(lseek64)(fd, offset, whence);
	if (offset || (whence != SEEK_END && whence != SEEK_SET)) {
		errno = EINVAL;
		return -1;
	}
	return whence == SEEK_END ? st.st_size : 0;
}

EXPORT off_t lseek(int fd, off_t offset, int whence)
{
	return lseek64(fd, offset, whence);
}

static struct gl_dmabuf name_of(const struct stat *st)
{
	struct gl_dmabuf ask = { .ino = st->st_ino, .op = GL_DMABUF_GET_NAME };
	int pass = -1;

	if (gl_ask_dmabuf(&ask, &pass))
		ask.name[0] = 0;
	ask.name[sizeof(ask.name) - 1] = 0;
	return ask;
}

size_t gl_dmabuf_link(const struct stat *st, char *buf, size_t size)
{
	struct gl_dmabuf ask = name_of(st);
	char text[sizeof(DMABUF) + sizeof(ask.name)];
	size_t n = snprintf(text, sizeof(text), DMABUF "%s", ask.name);

	n = n < size ? n : size;
	memcpy(buf, text, n);
	return n;
}

/* Descriptors of this process that are of the buffer. */
static unsigned int count_descriptors(const struct stat *st)
{
	DIR *dir = NEXT(opendir)("/proc/self/fd");
	unsigned int n = 0;
	struct dirent *e;
	struct stat other;

	while (dir && (e = readdir(dir))) {
		if (!gl_real_fstat(atoi(e->d_name), &other) && other.st_ino == st->st_ino &&
		    other.st_dev == st->st_dev)
			n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

int gl_dmabuf_fdinfo(int fd, int flags)
{
	char path[64], text[512];
	struct gl_dmabuf ask;
	struct stat st;
	ssize_t n = 0;
	int out, in;

	if (!gl_is_dmabuf(fd, &st))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	in = NEXT(open)(path, O_RDONLY | O_CLOEXEC);
	if (in >= 0) {
		n = read(in, text, sizeof(text));
		close(in);
	}
	if (n <= 0)
		return -1;
	ask = name_of(&st);
	out = memfd_create("fdinfo", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
	if (out < 0)
		return -1;
	if (write(out, text, n) == n)
		dprintf(out, "size:\t%lld\ncount:\t%u\nexp_name:\t" EXPORTER "\n",
			(long long)st.st_size, count_descriptors(&st) + ask.handles);
	if (ask.name[0])
		dprintf(out, "name:\t%s\n", ask.name);
	NEXT(lseek64)(out, 0, SEEK_SET);
	return out;
}

/* ---- waiting ---- */

/**
 * struct waiting - descriptors of poll(), with sync files instead of buffers
 * @fds: the caller's, with -1 for buffers; sync files at the end
 * @of: of which of the caller's each sync file is
 * @event: event that it stands for
 * @n: number of @fds
 */
struct waiting {
	struct pollfd *fds;
	nfds_t *of;
	short *event;
	nfds_t n;
};

static bool wait_for(struct waiting *w, nfds_t first, nfds_t i, const struct stat *st, short event)
{
	int fd;

	if (fences_file(st, event == POLLOUT, &fd) && signaled_file(&fd))
		return false;
	w->of[w->n - first] = i;
	w->event[w->n - first] = event;
	w->fds[w->n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return true;
}

static void free_waiting(struct waiting *w, nfds_t first)
{
	nfds_t i;

	for (i = first; i < w->n; i++)
		close(w->fds[i].fd);
	free(w->fds);
	free(w->of);
	free(w->event);
}

/* Return: false: there is not enough memory or no descriptor. */
static bool make_waiting(struct waiting *w, struct pollfd *fds, nfds_t n, nfds_t buffers)
{
	struct stat st;
	bool ok = true;
	nfds_t i;

	w->fds = calloc(n + 2 * buffers, sizeof(*w->fds));
	w->of = calloc(2 * buffers, sizeof(*w->of));
	w->event = calloc(2 * buffers, sizeof(*w->event));
	if (!w->fds || !w->of || !w->event)
		return false;
	memcpy(w->fds, fds, n * sizeof(*fds));
	w->n = n;
	for (i = 0; i < n && ok; i++) {
		if (gl_node_of(fds[i].fd))
			/* it has no events */
			w->fds[i].fd = -1;
		if (!gl_is_dmabuf(fds[i].fd, &st))
			continue;
		w->fds[i].fd = -1;
		if (fds[i].events & POLLIN)
			ok = wait_for(w, n, i, &st, POLLIN);
		if (ok && fds[i].events & POLLOUT)
			ok = wait_for(w, n, i, &st, POLLOUT);
	}
	return ok;
}

static int poll_buffers(struct pollfd *fds, nfds_t n, nfds_t buffers, const struct timespec *time,
			const sigset_t *mask)
{
	struct waiting w = {};
	int ret = -1, saved;
	nfds_t i;

	errno = ENOMEM;
	if (make_waiting(&w, fds, n, buffers))
		ret = NEXT(ppoll)(w.fds, w.n, time, mask);
	saved = errno;
	if (ret >= 0) {
		ret = 0;
		for (i = 0; i < n; i++)
			fds[i].revents = w.fds[i].revents;
		for (; i < w.n; i++) {
			if (w.fds[i].revents & POLLIN)
				fds[w.of[i - n]].revents |= w.event[i - n];
		}
		for (i = 0; i < n; i++)
			ret += !!fds[i].revents;
	}
	free_waiting(&w, n);
	errno = saved;
	return ret;
}

static nfds_t count_buffers(struct pollfd *fds, nfds_t n)
{
	nfds_t i, found = 0;
	struct stat st;

	for (i = 0; i < n; i++)
		found += gl_is_dmabuf(fds[i].fd, &st) || gl_node_of(fds[i].fd);
	return found;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask)
{
	nfds_t buffers = count_buffers(fds, n);

	return buffers ? poll_buffers(fds, n, buffers, time, mask) :
			 NEXT(ppoll)(fds, n, time, mask);
}

EXPORT int poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };
	nfds_t buffers = count_buffers(fds, n);

	return buffers ? poll_buffers(fds, n, buffers, ms < 0 ? NULL : &time, NULL) :
			 NEXT(poll)(fds, n, ms);
}

/* Calls of programs that were compiled with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room);
EXPORT int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room)
{
	if (room / sizeof(*fds) < n)
		abort();
	return poll(fds, n, ms);
}

int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask,
		size_t room);
EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *time,
		       const sigset_t *mask, size_t room)
{
	if (room / sizeof(*fds) < n)
		abort();
	return ppoll(fds, n, time, mask);
}
