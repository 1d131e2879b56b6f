// SPDX-License-Identifier: MIT
/*
 * vshader gl: buffers of a file. Buffers that files share have one fence for all:
 * jobs that name such a buffer wait for each other, as with the driver's implicit fences.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <drm.h>

#include "cli.h"
#include "gl_priv.h"

#define PAGE	4096ULL

/* The library's labels are shorter; with the end. */
#define VSHADER_LABEL_BYTES	128

/**
 * struct gl_shared - a buffer that is more than one file's
 * @next: next in the list
 * @ino: of the file of its memory
 * @refs: number of handles
 * @kind: as it was created
 * @last: fence of the last job that named it, of any file, or NULL
 * @wrote: fence of the last one that writes it, or NULL
 */
struct gl_shared {
	struct gl_shared *next;
	ino_t ino;
	uint32_t refs;
	struct gl_bo_kind kind;
	struct gl_fence *last;
	struct gl_fence *wrote;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gl_shared *all_shared;

int gl_grow(void *table, uint32_t *n, size_t size)
{
	uint32_t more = *n ? *n * 2 : 64;
	char *grown = reallocarray(*(void **)table, more, size);

	if (!grown)
		return -ENOMEM;
	memset(grown + *n * size, 0, (more - *n) * size);
	*(void **)table = grown;
	*n = more;
	return 0;
}

struct gl_bo *gl_bo_find(struct gl_file *f, uint32_t handle)
{
	return handle < f->num_bos && f->bos[handle].bo ? &f->bos[handle] : NULL;
}

/* ---- sharing ---- */

static ino_t ino_of(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) ? st.st_ino : 0;
}

static int share(struct gl_bo *b, ino_t ino)
{
	struct gl_shared *s, *new;

	if (b->shared || !ino)
		return 0;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	pthread_mutex_lock(&lock);
	for (s = all_shared; s && s->ino != ino; s = s->next)
		;
	if (!s) {
		s = new;
		new = NULL;
		s->ino = ino;
		s->kind = b->kind;
		s->last = gl_fence_get(b->last);
		s->wrote = gl_fence_get(b->wrote);
		s->next = all_shared;
		all_shared = s;
	}
	s->refs++;
	b->shared = s;
	pthread_mutex_unlock(&lock);
	free(new);
	return 0;
}

/* Kind of a buffer that comes as a file. @imported: receives that it is not of our files */
static struct gl_bo_kind shared_kind(ino_t ino, bool *imported)
{
	struct gl_bo_kind kind = { .noexec = true };
	const struct gl_shared *s;

	pthread_mutex_lock(&lock);
	for (s = all_shared; s && s->ino != ino; s = s->next)
		;
	if (s)
		kind = s->kind;
	*imported = !s;
	pthread_mutex_unlock(&lock);
	return kind;
}

static void drop_share(struct gl_bo *b)
{
	struct gl_shared **at, *s = b->shared;

	if (!s)
		return;
	pthread_mutex_lock(&lock);
	if (--s->refs) {
		s = NULL;
	} else {
		for (at = &all_shared; *at != s; at = &(*at)->next)
			;
		*at = s->next;
	}
	pthread_mutex_unlock(&lock);
	if (s) {
		gl_fence_put(s->last);
		gl_fence_put(s->wrote);
	}
	free(s);
}

/* The fence of the last job that named the buffer, or that writes it, or NULL. */
static struct gl_fence *last_fence(const struct gl_bo *b, bool writers)
{
	struct gl_fence *fence;

	if (!b->shared)
		return gl_fence_get(writers ? b->wrote : b->last);
	pthread_mutex_lock(&lock);
	fence = gl_fence_get(writers ? b->shared->wrote : b->shared->last);
	pthread_mutex_unlock(&lock);
	return fence;
}

int gl_bo_wait_others(const struct gl_ctx *ctx, struct gl_bo *b)
{
	struct gl_fence *fence = last_fence(b, false);
	int ret = 0;

	if (fence && !gl_fence_is_own(fence, ctx->timeline))
		ret = gl_fence_wait(fence, INT64_MAX, 0);
	gl_fence_put(fence);
	return ret;
}

static void replace(struct gl_fence **at, struct gl_fence *fence)
{
	gl_fence_put(*at);
	*at = gl_fence_get(fence);
}

void gl_bo_set_last(struct gl_bo *b, struct gl_fence *fence, bool write)
{
	replace(&b->last, fence);
	if (write)
		replace(&b->wrote, fence);
	if (!b->shared)
		return;
	pthread_mutex_lock(&lock);
	replace(&b->shared->last, fence);
	if (write)
		replace(&b->shared->wrote, fence);
	pthread_mutex_unlock(&lock);
}

/* ---- handles ---- */

static int new_handle(struct gl_file *f, uint32_t *handle)
{
	uint32_t i;

	for (i = 1; i < f->num_bos && f->bos[i].bo; i++)
		;
	*handle = i;
	return i < f->num_bos ? 0 : gl_grow(&f->bos, &f->num_bos, sizeof(*f->bos));
}

static int bind_bo(struct gl_file *f, struct vshader_bo *bo, bool noexec, uint64_t *va)
{
	struct pers_place place;
	int ret;

	f->server->driver->place(vshader_bo_size(bo), noexec, &place);
	ret = pers_va_add(&f->vas, bo, &place);
	if (ret)
		return ret;
	*va = pers_va_of(&f->vas, bo);
	ret = vshader_vm_map(f->dev, f->vm, bo, noexec ? DRM_VSHADER_VM_BIND_NOEXEC : 0, va);
	if (ret)
		pers_va_remove(&f->vas, bo);
	return ret;
}

/* Takes the buffer over. */
static int add_bo(struct gl_file *f, struct vshader_bo *bo, const struct gl_bo_kind *kind,
		  uint32_t *handle, uint64_t *va)
{
	int ret;

	ret = new_handle(f, handle);
	if (!ret)
		ret = bind_bo(f, bo, kind->noexec, va);
	if (ret) {
		vshader_bo_destroy(bo);
		return ret;
	}
	f->bos[*handle] = (struct gl_bo){
		.bo = bo,
		.kind = *kind,
	};
	return 0;
}

static void free_bo(struct gl_file *f, struct gl_bo *b)
{
	drop_share(b);
	gl_fence_put(b->last);
	gl_fence_put(b->wrote);
	free(b->label);
	if (b->own)
		f->server->driver->free_own(b->own);
	vshader_bo_destroy(b->bo);
	*b = (struct gl_bo){};
}

void gl_bo_fini(struct gl_file *f)
{
	uint32_t i;

	for (i = 1; i < f->num_bos; i++) {
		if (f->bos[i].bo)
			free_bo(f, &f->bos[i]);
	}
	free(f->bos);
	pers_va_fini(&f->vas);
}

int gl_bo_create(struct gl_file *f, uint64_t size, const struct gl_bo_kind *kind,
		 uint32_t *handle, uint64_t *va)
{
	struct vshader_bo *bo;
	uint64_t at;
	uint32_t h;
	int ret;

	ret = vshader_bo_create(f->dev, size, 0, 0, &bo);
	if (ret)
		return ret;
	ret = add_bo(f, bo, kind, &h, &at);
	if (ret)
		return ret;
	*handle = h;
	*va = at;
	return 0;
}

int gl_bo_wait(const struct gl_bo *b, bool writers, int64_t timeout_ns)
{
	struct gl_fence *fence = last_fence(b, writers);
	int ret;

	if (!fence)
		return 0;
	ret = gl_fence_wait(fence, timeout_ns, timeout_ns ? -ETIMEDOUT : -EBUSY);
	gl_fence_put(fence);
	return ret;
}

int gl_bo_mmap(struct gl_file *f, uint32_t handle, uint64_t *offset)
{
	const struct gl_bo *b = gl_bo_find(f, handle);

	if (!b)
		return -ENOENT;
	*offset = handle * PAGE;
	return b->kind.heap ? -EINVAL : 0;
}

void gl_bo_set_flags(struct gl_bo *b, uint32_t flags)
{
	pthread_mutex_lock(&lock);
	b->kind.flags = flags;
	if (b->shared)
		b->shared->kind.flags = flags;
	pthread_mutex_unlock(&lock);
}

uint32_t gl_bo_flags(const struct gl_bo *b)
{
	uint32_t flags;

	pthread_mutex_lock(&lock);
	flags = b->shared ? b->shared->kind.flags : b->kind.flags;
	pthread_mutex_unlock(&lock);
	return flags;
}

int gl_bo_set_label(struct gl_bo *b, const char *text)
{
	char device[VSHADER_LABEL_BYTES], *label = NULL;

	if (text) {
		label = strdup(text);
		if (!label)
			return -ENOMEM;
		snprintf(device, sizeof(device), "%s", label);
	}
	free(b->label);
	b->label = label;
	return vshader_bo_set_label(b->bo, label ? device : NULL);
}

/* ---- ioctls ---- */

static int close_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_gem_close *args = (void *)c->arg;
	struct gl_bo *b = gl_bo_find(f, args->handle);

	if (args->pad || !b)
		return -EINVAL;
	vshader_vm_unmap(f->dev, f->vm, pers_va_of(&f->vas, b->bo), vshader_bo_size(b->bo));
	pers_va_remove(&f->vas, b->bo);
	free_bo(f, b);
	return 0;
}

static int check_share(const struct gl_file *f, const struct gl_bo *b, enum gl_share how)
{
	const struct gl_driver *driver = f->server->driver;

	if (b->kind.heap)
		return -EINVAL;
	return driver->check_share ? driver->check_share(b, how) : 0;
}

/* The message for mmap(). */
static int map_bo(struct gl_file *f, struct gl_call *c)
{
	const struct gl_bo *b;
	uint32_t words[2];
	int ret;

	memcpy(words, c->arg, sizeof(words));
	b = gl_bo_find(f, words[0]);
	if (!b)
		return -EINVAL;
	ret = check_share(f, b, words[1] ? GL_SHARE_WRITE : GL_SHARE_READ);
	return ret ? ret : vshader_bo_export(b->bo, &c->pass);
}

static int export_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_prime_handle *args = (void *)c->arg;
	struct gl_bo *b = gl_bo_find(f, args->handle);
	int ret;

	if (args->flags & ~(DRM_CLOEXEC | DRM_RDWR))
		return -EINVAL;
	if (!b)
		return -ENOENT;
	ret = check_share(f, b, GL_SHARE_EXPORT);
	if (ret)
		return ret;
	ret = vshader_bo_export(b->bo, &c->pass);
	return ret ? ret : share(b, ino_of(c->pass));
}

static int import_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_prime_handle *args = (void *)c->arg;
	ino_t ino = ino_of(c->pass);
	struct gl_bo_kind kind;
	struct vshader_bo *bo;
	uint32_t i, handle;
	bool imported;
	uint64_t va;
	int ret;

	for (i = 1; i < f->num_bos; i++) {
		if (f->bos[i].shared && f->bos[i].shared->ino == ino) {
			args->handle = i;
			return 0;
		}
	}
	kind = shared_kind(ino, &imported);
	ret = vshader_bo_import(f->dev, c->pass, &bo);
	if (!ret)
		ret = add_bo(f, bo, &kind, &handle, &va);
	if (ret)
		return ret;
	f->bos[handle].imported = imported;
	ret = share(&f->bos[handle], ino);
	args->handle = handle;
	return ret;
}

const struct gl_bo *gl_bo_at(const struct gl_file *f, uint64_t va)
{
	uint32_t i;

	for (i = 1; i < f->num_bos; i++) {
		const struct gl_bo *b = &f->bos[i];

		if (b->bo && va - pers_va_of(&f->vas, b->bo) < vshader_bo_size(b->bo))
			return b;
	}
	return NULL;
}

const struct gl_ioctl gl_bo_ioctls[] = {
	{ NR(DRM_IOCTL_GEM_CLOSE), close_bo },
	{ NR(DRM_IOCTL_PRIME_HANDLE_TO_FD), export_bo },
	{ NR(DRM_IOCTL_PRIME_FD_TO_HANDLE), import_bo },
	{ GL_MAP, map_bo },
	{ }
};
