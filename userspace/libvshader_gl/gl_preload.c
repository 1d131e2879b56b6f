// SPDX-License-Identifier: MIT
/*
 * Library to be preloaded (LD_PRELOAD) that gives a program a DRM render node of the panfrost
 * driver. The file is a socket to "vshader gl", which executes the ioctls; this library sends
 * them, maps the memory of buffers, and answers what libdrm asks about devices (gl_devices.c).
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <drm.h>
#include <panfrost_drm.h>

#include "gl_preload.h"
#include "gl_proto.h"

#define EXPORT		__attribute__((visibility("default")))
#define MAX_FILES	256
#define PAGE		4096U

/* A function of the C library. */
#define NEXT(name) ({ \
	static typeof(name) *cached; \
	typeof(name) *fn = __atomic_load_n(&cached, __ATOMIC_RELAXED); \
	if (!fn) { \
		fn = (typeof(name) *)dlsym(RTLD_NEXT, #name); \
		__atomic_store_n(&cached, fn, __ATOMIC_RELAXED); \
	} \
	fn; })

/**
 * struct file - an open file of the render node, whatever descriptors it has
 * @ino: of the socket; 0: none
 * @lock: one message at a time
 */
static struct file {
	ino_t ino;
	pthread_mutex_t lock;
} files[MAX_FILES];

static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;

static ino_t socket_ino(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && S_ISSOCK(st.st_mode) ? st.st_ino : 0;
}

static struct file *find_file(ino_t ino)
{
	struct file *f = NULL;
	int i;

	pthread_mutex_lock(&files_lock);
	for (i = 0; i < MAX_FILES && !f; i++) {
		if (files[i].ino == ino)
			f = &files[i];
	}
	pthread_mutex_unlock(&files_lock);
	return f;
}

static struct file *file_of(int fd)
{
	ino_t ino = socket_ino(fd);

	return ino ? find_file(ino) : NULL;
}

bool gl_is_node(int fd)
{
	return file_of(fd);
}

static int add_file(int fd)
{
	struct file *f;
	int i;

	pthread_mutex_lock(&files_lock);
	for (i = 0; i < MAX_FILES && files[i].ino; i++)
		;
	f = i < MAX_FILES ? &files[i] : NULL;
	if (f) {
		pthread_mutex_init(&f->lock, NULL);
		f->ino = socket_ino(fd);
	}
	pthread_mutex_unlock(&files_lock);
	return f ? 0 : -1;
}

static int open_node(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const char *name = getenv(GL_SOCKET_ENV);
	socklen_t len;
	int fd;

	if (!name || strlen(name) >= sizeof(a.sun_path) - 1) {
		errno = ENODEV;
		return -1;
	}
	strcpy(a.sun_path + 1, name);
	len = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&a, len) || add_file(fd)) {
		close(fd);
		errno = ENODEV;
		return -1;
	}
	return fd;
}

/* ---- messages ---- */

/* What goes along with an argument. */
struct message {
	struct iovec iov[4];
	int n;
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
};

static void put(struct message *m, void *p, size_t size)
{
	if (size)
		m->iov[m->n++] = (struct iovec){ p, size };
}

static int take_fd(struct msghdr *h)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(h);
	int fd = -1;

	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

static int send_message(int fd, struct message *m, int pass)
{
	struct msghdr h = { .msg_iov = m->iov, .msg_iovlen = m->n };
	struct cmsghdr *c;

	if (pass >= 0) {
		memset(&m->control, 0, sizeof(m->control));
		h.msg_control = m->control.space;
		h.msg_controllen = sizeof(m->control.space);
		c = CMSG_FIRSTHDR(&h);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &pass, sizeof(int));
	}
	return sendmsg(fd, &h, MSG_NOSIGNAL) < 0 ? -EIO : 0;
}

static int receive_message(int fd, struct message *m, int *passed)
{
	struct msghdr h = {
		.msg_iov = m->iov,
		.msg_iovlen = m->n,
		.msg_control = m->control.space,
		.msg_controllen = sizeof(m->control.space),
	};
	ssize_t n;

	do {
		n = recvmsg(fd, &h, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	*passed = n > 0 ? take_fd(&h) : -1;
	return n < (ssize_t)sizeof(struct gl_reply) ? -EIO : 0;
}

static void put_arrays(struct message *m, uint32_t nr, void *arg, struct gl_request *r)
{
	unsigned int i;

	for (i = 0; i < gl_num_arrays; i++) {
		const struct gl_array *a = &gl_arrays[i];
		uint64_t bytes;

		if (a->nr != nr)
			continue;
		bytes = gl_array_bytes(a, arg);
		if (bytes > GL_MAX_ARRAYS - r->arrays)
			bytes = GL_MAX_ARRAYS - r->arrays;
		put(m, gl_array_at(a, arg), bytes);
		r->arrays += bytes;
	}
}

/* Return: 0, a negative errno, or GL_AGAIN. */
static int exchange(int fd, uint32_t nr, void *arg, uint32_t size, int *pass)
{
	struct gl_request r = { .nr = nr, .size = size };
	struct message out = {}, in = {};
	struct gl_reply reply;
	int ret;

	put(&out, &r, sizeof(r));
	put(&out, arg, size);
	put_arrays(&out, nr, arg, &r);
	put(&in, &reply, sizeof(reply));
	put(&in, arg, size);
	ret = send_message(fd, &out, *pass);
	if (!ret)
		ret = receive_message(fd, &in, pass);
	return ret ? ret : reply.ret;
}

static int call(struct file *f, int fd, uint32_t nr, void *arg, uint32_t size, int *pass)
{
	int ret;

	do {
		pthread_mutex_lock(&f->lock);
		ret = exchange(fd, nr, arg, size, pass);
		pthread_mutex_unlock(&f->lock);
	} while (ret == GL_AGAIN);
	return ret;
}

/* ---- ioctls ---- */

static void put_text(char *to, size_t *len, const char *text)
{
	size_t n = strlen(text);

	if (to && *len)
		memcpy(to, text, *len < n ? *len : n);
	*len = n;
}

static int get_version(struct drm_version *v)
{
	v->version_major = GL_MAJOR;
	v->version_minor = GL_MINOR;
	v->version_patchlevel = 0;
	put_text(v->name, &v->name_len, GL_DRIVER);
	put_text(v->date, &v->date_len, "20261123");
	put_text(v->desc, &v->desc_len, "vshader as panfrost");
	return 0;
}

/* The member with a file that goes along, or NULL. */
static int *passed_fd(uint32_t nr, void *arg, bool *in)
{
	*in = nr == (DRM_IOCTL_PRIME_FD_TO_HANDLE & 0xff) ||
	      nr == (DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE & 0xff);
	if (nr == (DRM_IOCTL_PRIME_HANDLE_TO_FD & 0xff) ||
	    nr == (DRM_IOCTL_PRIME_FD_TO_HANDLE & 0xff))
		return &((struct drm_prime_handle *)arg)->fd;
	if (nr == (DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD & 0xff) ||
	    nr == (DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE & 0xff))
		return &((struct drm_syncobj_handle *)arg)->fd;
	return NULL;
}

static int node_ioctl(struct file *f, int fd, unsigned long request, void *arg)
{
	uint32_t nr = _IOC_NR(request);
	bool in = false;
	int pass = -1;
	int *at;
	int ret;

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE || _IOC_SIZE(request) > GL_MAX_ARG)
		return -ENOTTY;
	if (nr == (DRM_IOCTL_VERSION & 0xff))
		return get_version(arg);
	at = passed_fd(nr, arg, &in);
	if (in)
		pass = *at;
	ret = call(f, fd, nr, arg, _IOC_SIZE(request), &pass);
	if (at && !in)
		*at = pass;
	return ret;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	struct file *f = NULL;
	va_list ap;
	void *arg;
	int ret;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (_IOC_TYPE(request) == DRM_IOCTL_BASE)
		f = file_of(fd);
	if (!f)
		return NEXT(ioctl)(fd, request, arg);
	ret = node_ioctl(f, fd, request, arg);
	if (!ret)
		return 0;
	errno = -ret;
	return -1;
}

/* ---- memory ---- */

static void *map_bo(struct file *f, int fd, void *addr, size_t len, int prot, int flags,
		    off64_t at)
{
	uint32_t handle = at / PAGE;
	int memory = -1;
	void *p;
	int ret;

	ret = call(f, fd, GL_MAP, &handle, sizeof(handle), &memory);
	if (ret || memory < 0) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	p = NEXT(mmap64)(addr, len, prot, (flags & MAP_FIXED) | MAP_SHARED, memory, 0);
	close(memory);
	return p;
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t at)
{
	struct file *f = fd < 0 || flags & MAP_ANONYMOUS ? NULL : file_of(fd);

	return f ? map_bo(f, fd, addr, len, prot, flags, at) :
		   NEXT(mmap64)(addr, len, prot, flags, fd, at);
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t at)
{
	return mmap64(addr, len, prot, flags, fd, at);
}

/* ---- opening ---- */

static mode_t take_mode(int flags, va_list ap)
{
	return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(ap, int) : 0;
}

#define OPEN(name)							\
EXPORT int name(const char *path, int flags, ...)			\
{									\
	va_list ap;							\
	mode_t mode;							\
									\
	va_start(ap, flags);						\
	mode = take_mode(flags, ap);					\
	va_end(ap);							\
	return !strcmp(path, GL_NODE) ? open_node() : NEXT(name)(path, flags, mode);	\
}

#define OPENAT(name)							\
EXPORT int name(int dir, const char *path, int flags, ...)		\
{									\
	va_list ap;							\
	mode_t mode;							\
									\
	va_start(ap, flags);						\
	mode = take_mode(flags, ap);					\
	va_end(ap);							\
	return !strcmp(path, GL_NODE) ? open_node() : NEXT(name)(dir, path, flags, mode);	\
}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
