// SPDX-License-Identifier: MIT
/*
 * vshader gl: buffers of a file. Buffers that files share have one fence for all:
 * jobs that name such a buffer wait for each other, as with the driver's implicit fences.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <drm.h>

#include "cli.h"
#include "gl_priv.h"
#include "gl_sync.h"

/* The library's labels are shorter; with the end. */
#define VSHADER_LABEL_BYTES	128

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

/* ---- handles that the program sees ---- */

/* The program cannot truncate the file under the server, nor write to it. */
int gl_bo_publish(struct gl_file *f)
{
	int fd = memfd_create("vshader-gl", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;
	void *p = MAP_FAILED;

	if (fd < 0)
		return -1;
	if (!ftruncate(fd, GL_HANDLES_BYTES))
		p = mmap(NULL, GL_HANDLES_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED && !fcntl(fd, F_ADD_SEALS, seals)) {
		f->handles = p;
		return fd;
	}
	if (p != MAP_FAILED)
		munmap(p, GL_HANDLES_BYTES);
	close(fd);
	return -1;
}

static void publish_busy(struct gl_file *f, uint32_t handle)
{
	if (f->handles && handle < GL_HANDLES)
		__atomic_fetch_or(&f->handles[GL_HANDLES_WORDS + handle / 64],
				  1ULL << (handle % 64), __ATOMIC_RELEASE);
}

/* Until gl_bo_settle(), a new buffer counts as busy. */
static void publish(struct gl_file *f, uint32_t handle, bool exists)
{
	uint64_t bit = 1ULL << (handle % 64);

	if (!f->handles || handle >= GL_HANDLES)
		return;
	if (exists) {
		publish_busy(f, handle);
		__atomic_fetch_or(&f->handles[handle / 64], bit, __ATOMIC_RELEASE);
	} else {
		__atomic_fetch_and(&f->handles[handle / 64], ~bit, __ATOMIC_RELEASE);
	}
}

static bool is_idle(const struct gl_bo *b)
{
	return b->bo && (!b->last || gl_fence_poll(b->last, 0));
}

void gl_bo_settle(struct gl_file *f)
{
	uint32_t end = f->num_bos < GL_HANDLES ? f->num_bos : GL_HANDLES, i;
	uint64_t left, *busy;

	if (!f->newest || !__atomic_load_n(&f->newest->signaled, __ATOMIC_ACQUIRE))
		return;
	gl_fence_replace(&f->newest, NULL);
	for (i = 0; i < end && f->handles; i += 64) {
		busy = &f->handles[GL_HANDLES_WORDS + i / 64];
		for (left = *busy; left; left &= left - 1) {
			uint32_t bit = __builtin_ctzll(left);

			if (i + bit < end && is_idle(&f->bos[i + bit]))
				__atomic_fetch_and(busy, ~(1ULL << bit), __ATOMIC_RELEASE);
		}
	}
}

/* ---- sharing ---- */

static ino_t ino_of(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) ? st.st_ino : 0;
}

static int share(struct gl_file *f, struct gl_bo *b, ino_t ino)
{
	if (b->shared || !ino)
		return 0;
	/* other files may open, close and use it at any time: the program asks */
	publish(f, b - f->bos, false);
	b->shared = gl_share_get(ino, b);
	return b->shared ? 0 : -ENOMEM;
}

/* The fence of the last job that named the buffer, or that writes it, or NULL. */
static struct gl_fence *last_fence(const struct gl_bo *b, bool writers)
{
	return b->shared ? gl_share_fence(b->shared, writers) :
			   gl_fence_get(writers ? b->wrote : b->last);
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

void gl_bo_set_last(struct gl_file *f, struct gl_bo *b, struct gl_fence *fence, bool write)
{
	publish_busy(f, b - f->bos);
	gl_fence_replace(&b->last, fence);
	if (write)
		gl_fence_replace(&b->wrote, fence);
	if (b->shared)
		gl_share_set_last(b->shared, fence, write);
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
	publish(f, *handle, !kind->heap);
	return 0;
}

static void free_bo(struct gl_file *f, struct gl_bo *b)
{
	publish(f, b - f->bos, false);
	gl_share_put(b->shared);
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
	gl_fence_put(f->newest);
	if (f->handles)
		munmap(f->handles, GL_HANDLES_BYTES);
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
	*offset = (uint64_t)handle * GL_PAGE;
	return b->kind.heap ? -EINVAL : 0;
}

void gl_bo_set_flags(struct gl_bo *b, uint32_t flags)
{
	b->kind.flags = flags;
	if (b->shared)
		gl_share_set_flags(b->shared, flags);
}

uint32_t gl_bo_flags(const struct gl_bo *b)
{
	return b->shared ? gl_share_flags(b->shared) : b->kind.flags;
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

	if (!b)
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

/*
 * Another file of the same memory, whose access is another one. Files of a device are left as they
 * are: they have the access that the kernel gives them. Return: 0 or a negative errno.
 */
static int reopen(int *fd, int access)
{
	char path[64];
	struct stat st;
	int other;

	if (fstat(*fd, &st) || !S_ISREG(st.st_mode) ||
	    (fcntl(*fd, F_GETFL) & O_ACCMODE) == access)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	other = open(path, access | O_CLOEXEC);
	if (other < 0)
		return -errno;
	close(*fd);
	*fd = other;
	return 0;
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
	if (!ret && !(args->flags & DRM_RDWR))
		ret = reopen(&c->pass, O_RDONLY);
	if (!ret)
		ret = share(f, b, ino_of(c->pass));
	if (!ret)
		__atomic_add_fetch(&f->server->exported, 1, __ATOMIC_RELAXED);
	return ret;
}

/* Jobs write also what the program may only read. */
static int import_file(struct gl_file *f, int pass, struct vshader_bo **bo)
{
	int fd = fcntl(pass, F_DUPFD_CLOEXEC, 3), ret;

	if (fd < 0)
		return -errno;
	ret = reopen(&fd, O_RDWR) ? -EINVAL : vshader_bo_import(f->dev, fd, bo);
	close(fd);
	return ret;
}

/* A new handle of a buffer's file. */
static int open_file(struct gl_file *f, int fd, uint32_t *handle)
{
	ino_t ino = ino_of(fd);
	struct gl_bo_kind kind;
	struct vshader_bo *bo;
	bool imported;
	uint64_t va;
	int ret;

	imported = !gl_share_kind(ino, &kind);
	ret = import_file(f, fd, &bo);
	if (!ret)
		ret = add_bo(f, bo, &kind, handle, &va);
	if (ret)
		return ret;
	f->bos[*handle].imported = imported;
	return share(f, &f->bos[*handle], ino);
}

static int import_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_prime_handle *args = (void *)c->arg;
	ino_t ino = ino_of(c->pass);
	uint32_t i;

	for (i = 1; i < f->num_bos; i++) {
		if (gl_share_is(f->bos[i].shared, ino)) {
			args->handle = i;
			return 0;
		}
	}
	return open_file(f, c->pass, &args->handle);
}

/* ---- names ---- */

int gl_bo_flink(struct gl_file *f, struct gl_call *c)
{
	struct drm_gem_flink *args = (void *)c->arg;
	struct gl_bo *b = gl_bo_find(f, args->handle);
	int ret, fd;

	if (!b)
		return -ENOENT;
	ret = vshader_bo_export(b->bo, &fd);
	if (ret)
		return ret;
	ret = share(f, b, ino_of(fd));
	if (ret) {
		close(fd);
		return ret;
	}
	args->name = gl_share_name(b->shared, fd);
	return 0;
}

/* Each call has a handle of its own. */
int gl_bo_open(struct gl_file *f, struct gl_call *c)
{
	struct drm_gem_open *args = (void *)c->arg;
	int fd = gl_share_named(args->name), ret;

	if (fd < 0)
		return fd;
	ret = open_file(f, fd, &args->handle);
	close(fd);
	if (!ret)
		args->size = vshader_bo_size(f->bos[args->handle].bo);
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
