// SPDX-License-Identifier: MIT
/*
 * vshader gl --system-calls: ioctls, on copies of their arguments and of what these point to.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl_calls.h"
#include "personality/pan_uapi.h"
#include "personality/vc4_uapi.h"

#ifdef GL_CALLS_ARCH

#define NR(request)	((request) & 0xff)

/* Of dma-bufs; a descriptor is the second word of their argument. */
#define EXPORT_SYNC_FILE	2
#define IMPORT_SYNC_FILE	3

#define MAX_COPIES	8

/** struct copy - of what a pointer in an argument points to: its place, and the caller's memory */
struct copy {
	uint32_t at;
	uint64_t user;
	void *own;
	size_t size;
	bool out;
};

/**
 * struct argument - copy of an ioctl's argument
 * @words: argument, and zeros
 * @size: bytes that the call has
 * @copies: of what its pointers point to
 * @n: number of @copies
 * @in: member with a descriptor that the call takes, or NULL
 * @number: it, as the program has it
 * @out: member with one that the call returns, or NULL
 */
struct argument {
	uint64_t words[_IOC_SIZEMASK / 8 + 1];
	uint32_t size;
	struct copy copies[MAX_COPIES];
	unsigned int n;
	int *in;
	int number;
	int *out;
};

/* An address where there is no memory, for a pointer to memory that is not there. */
#define NOWHERE		((void *)16)

/*
 * Let a pointer point to a copy. @in: it is read; if it is not there, the call finds it so. What is
 * written is read too, as far as it is there: the call may write less.
 */
static void copy_pointer(const struct gl_syscall *c, struct argument *arg, uint32_t at,
			 uint64_t size, bool in, bool out)
{
	struct copy *copy = &arg->copies[arg->n];
	uint64_t *pointer = (uint64_t *)((uint8_t *)arg->words + at);

	if (!*pointer || !size || size > GL_MAX_FILE || arg->n == MAX_COPIES)
		return;
	*copy = (struct copy){ at, *pointer, calloc(1, size), size, out };
	arg->n++;
	if (copy->own) {
		size = gl_syscall_peek(c, copy->own, copy->user, size);
		if (in && size < copy->size)
			size = 0;
		copy->size = size;
	}
	*pointer = (uintptr_t)(copy->own && size ? copy->own : NOWHERE);
}

/* The same of a string. */
static void copy_text(const struct gl_syscall *c, struct argument *arg, uint32_t at)
{
	uint64_t pointer;
	char *text = malloc(PAN_MAX_LABEL + 1);
	ssize_t n;

	memcpy(&pointer, (uint8_t *)arg->words + at, sizeof(pointer));
	n = text ? gl_syscall_string(c, text, pointer, PAN_MAX_LABEL) : -EFAULT;
	free(text);
	/* one that is too long has no end here either */
	copy_pointer(c, arg, at, n == -ENAMETOOLONG ? PAN_MAX_LABEL : n + 1, true, false);
}

static void copy_version(const struct gl_syscall *c, struct argument *arg)
{
	const struct drm_version *v = (const void *)arg->words;

	copy_pointer(c, arg, offsetof(struct drm_version, name), v->name_len, false, true);
	copy_pointer(c, arg, offsetof(struct drm_version, date), v->date_len, false, true);
	copy_pointer(c, arg, offsetof(struct drm_version, desc), v->desc_len, false, true);
}

static void copy_arrays(const struct gl_syscall *c, struct argument *arg, uint32_t nr)
{
	enum gl_kind kind = gl_interface_find(getenv(GL_DRIVER_ENV))->kind;
	const struct gl_array *a;

	for (a = gl_next_array(NULL, kind, nr); a; a = gl_next_array(a, kind, nr)) {
		uint64_t bytes = a->count == GL_COUNTERS ? GL_MAX_COUNTERS * 8ULL :
				 gl_array_bytes(a, arg->words);

		copy_pointer(c, arg, a->pointer, bytes, a->out != GL_OUT_ONLY, a->out);
	}
}

static void copy_pointers(const struct gl_syscall *c, struct argument *arg, uint32_t nr)
{
	enum gl_kind kind = gl_interface_find(getenv(GL_DRIVER_ENV))->kind;

	if (nr == NR(DRM_IOCTL_VERSION))
		copy_version(c, arg);
	else if (nr == GL_GET_UNIQUE)
		copy_pointer(c, arg, offsetof(struct drm_unique, unique),
			     ((struct drm_unique *)arg->words)->unique_len, false, true);
	else if (kind == GL_PANFROST && nr == NR(DRM_IOCTL_PAN_SET_LABEL_BO))
		copy_text(c, arg, offsetof(struct pan_set_label_bo, label));
	else if (kind == GL_VC4 && nr == NR(DRM_IOCTL_VC4_LABEL_BO))
		copy_text(c, arg, offsetof(struct drm_vc4_label_bo, name));
	else
		copy_arrays(c, arg, nr);
}

/* Find the descriptors in an argument. */
static void find_fds(struct argument *arg, uint32_t type, uint32_t nr)
{
	struct drm_prime_handle *prime = (void *)arg->words;
	struct gl_syncobj_handle *sync = (void *)arg->words;
	struct gl_syncobj_eventfd *event = (void *)arg->words;
	struct sync_merge_data *merge = (void *)arg->words;

	switch (type << _IOC_NRBITS | nr) {
	case DRM_IOCTL_BASE << _IOC_NRBITS | NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
		arg->out = &prime->fd;
		break;
	case DRM_IOCTL_BASE << _IOC_NRBITS | NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
		arg->in = &prime->fd;
		break;
	case DRM_IOCTL_BASE << _IOC_NRBITS | NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
		arg->out = &sync->fd;
		break;
	case DRM_IOCTL_BASE << _IOC_NRBITS | NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
		arg->in = &sync->fd;
		break;
	case DRM_IOCTL_BASE << _IOC_NRBITS | GL_SYNCOBJ_EVENTFD:
		arg->in = &event->fd;
		break;
	case DMA_BUF_BASE << _IOC_NRBITS | EXPORT_SYNC_FILE:
		arg->out = (int *)arg->words + 1;
		break;
	case DMA_BUF_BASE << _IOC_NRBITS | IMPORT_SYNC_FILE:
		arg->in = (int *)arg->words + 1;
		break;
	case SYNC_IOC_MAGIC << _IOC_NRBITS | NR(SYNC_IOC_MERGE):
		arg->in = &merge->fd2;
		arg->out = &merge->fence;
		break;
	}
}

static void free_copies(struct argument *arg)
{
	unsigned int i;

	for (i = 0; i < arg->n; i++)
		free(arg->copies[i].own);
}

/* Return: 0 or -EFAULT. */
static int put_copies(const struct gl_syscall *c, struct argument *arg)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < arg->n; i++) {
		const struct copy *copy = &arg->copies[i];

		if (copy->out && copy->own && copy->size)
			ret |= gl_syscall_write(c, copy->user, copy->own, copy->size);
		memcpy((uint8_t *)arg->words + copy->at, &copy->user, sizeof(copy->user));
	}
	return ret;
}

/* The call on a copy of its argument. @fd: of this process */
static int64_t call_copy(const struct gl_syscall *c, int fd, uint32_t request, uint64_t user,
			 struct argument *arg)
{
	bool out = _IOC_DIR(request) & _IOC_READ;
	int ret, given;

	if (arg->in) {
		arg->number = *arg->in;
		*arg->in = gl_syscall_get_fd(c, arg->number);
	}
	/* pointers of a shorter argument have their whole size here */
	if (_IOC_TYPE(request) == DRM_IOCTL_BASE && arg->size < GL_MAX_ARG)
		request = _IOC(_IOC_DIR(request), DRM_IOCTL_BASE, _IOC_NR(request), GL_MAX_ARG);
	ret = ioctl(fd, request, arg->words) ? -errno : 0;
	if (arg->in) {
		if (*arg->in >= 0)
			close(*arg->in);
		*arg->in = arg->number;
	}
	if (!ret && arg->out) {
		given = *arg->out;
		*arg->out = gl_syscall_give_fd(c, given, fcntl(given, F_GETFD) & FD_CLOEXEC);
		close(given);
		if (*arg->out < 0)
			ret = *arg->out;
	}
	if (put_copies(c, arg) || (out && gl_syscall_write(c, user, arg->words, arg->size)))
		return -EFAULT;
	return ret;
}

static int64_t copy_call(const struct gl_syscall *c, int fd, uint32_t request, uint64_t user)
{
	uint32_t type = _IOC_TYPE(request), nr = _IOC_NR(request);
	struct sync_file_info *info;
	struct argument *arg;
	int64_t ret = 0;
	ssize_t n;

	arg = calloc(1, sizeof(*arg));
	if (!arg)
		return -ENOMEM;
	arg->size = _IOC_SIZE(request);
	/* the argument is the name */
	if (type == DMA_BUF_BASE && nr == NR(DMA_BUF_SET_NAME)) {
		n = gl_syscall_string(c, (char *)arg->words, user, GL_DMABUF_NAME_LEN);
		ret = n == -EFAULT ? n : 0;
	} else if (_IOC_DIR(request) & _IOC_WRITE) {
		ret = gl_syscall_read(c, arg->words, user, arg->size);
	}
	info = (void *)arg->words;
	if (type == DRM_IOCTL_BASE)
		copy_pointers(c, arg, nr);
	else if (type == SYNC_IOC_MAGIC && nr == NR(SYNC_IOC_FILE_INFO))
		copy_pointer(c, arg, offsetof(struct sync_file_info, sync_fence_info),
			     info->num_fences * sizeof(struct sync_fence_info), false, true);
	find_fds(arg, type, nr);
	if (!ret)
		ret = call_copy(c, fd, request, user, arg);
	free_copies(arg);
	free(arg);
	return ret;
}

/* Whether a descriptor may be one that the library answers ioctls of a type for. */
static bool is_answered(int fd, uint32_t type)
{
	struct stat st;

	if (type == DRM_IOCTL_BASE)
		return gl_syscall_is_node(fd);
	if (fstat(fd, &st))
		return false;
	/* a memfd, an eventfd */
	return type == DMA_BUF_BASE ? !(st.st_mode & S_IFMT) && st.st_size :
				      !(st.st_mode & S_IFMT) && !st.st_size;
}

int64_t gl_syscall_ioctl(const struct gl_syscall *c)
{
	uint32_t request = c->data.args[1];
	int fd = gl_syscall_get_fd(c, c->data.args[0]);
	int64_t ret = GL_CONTINUE;

	if (fd < 0)
		return GL_CONTINUE;
	if (is_answered(fd, _IOC_TYPE(request)))
		ret = copy_call(c, fd, request, c->data.args[2]);
	close(fd);
	return ret;
}

#endif
