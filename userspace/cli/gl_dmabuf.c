// SPDX-License-Identifier: MIT
/*
 * vshader gl: buffers that are exported or imported. All their handles have common fences, which
 * ioctls of the dma-buf wait for, export and import (libvshader_gl/gl_dmabuf.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gl_priv.h"
#include "gl_sync.h"

/*
 * A dma-buf may outlive its handles, and nobody tells when it is closed. Entries without handles
 * are kept up to this number; the oldest one is forgotten.
 */
#define MAX_ORPHANS	4096U

/**
 * struct gl_shared - a buffer that is more than one file's, or a dma-buf
 * @next: next in the list, which has the newest entry first
 * @ino: of the file of its memory
 * @refs: number of handles
 * @kind: as it was created
 * @imported: not from this command's files
 * @name: of DMA_BUF_SET_NAME
 * @flink: name of GEM_FLINK, or 0
 * @fd: its file, as long as there is a @flink
 * @last: fence of the last job that named it, of any file, and imported ones; or NULL
 * @wrote: fence of the last one that writes it, and imported ones of writers; or NULL
 */
struct gl_shared {
	struct gl_shared *next;
	ino_t ino;
	uint32_t refs;
	struct gl_bo_kind kind;
	bool imported;
	char name[GL_DMABUF_NAME_LEN];
	uint32_t flink;
	int fd;
	struct gl_fence *last;
	struct gl_fence *wrote;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gl_shared *all_shared;

static struct gl_shared *find(ino_t ino)
{
	struct gl_shared *s;

	for (s = all_shared; s && s->ino != ino; s = s->next)
		;
	return s;
}

/* A fence keeps its device open. */
static void drop_signaled(struct gl_fence **fence)
{
	if (*fence && gl_fence_poll(*fence, 0))
		gl_fence_replace(fence, NULL);
}

static void forget(struct gl_shared **at)
{
	struct gl_shared *s = *at;

	*at = s->next;
	gl_fence_put(s->last);
	gl_fence_put(s->wrote);
	free(s);
}

/* Bound the entries that have no handles. */
static void reap(void)
{
	struct gl_shared **at = &all_shared;
	unsigned int orphans = 0;

	while (*at) {
		if (!(*at)->refs) {
			drop_signaled(&(*at)->last);
			drop_signaled(&(*at)->wrote);
			if (++orphans > MAX_ORPHANS) {
				forget(at);
				continue;
			}
		}
		at = &(*at)->next;
	}
}

/* ---- handles ---- */

struct gl_shared *gl_share_get(ino_t ino, const struct gl_bo *b)
{
	struct gl_shared *s, *new = calloc(1, sizeof(*new));

	if (!new)
		return NULL;
	pthread_mutex_lock(&lock);
	s = find(ino);
	if (!s) {
		s = new;
		new = NULL;
		s->ino = ino;
		s->kind = b->kind;
		s->imported = b->imported;
		s->last = gl_fence_get(b->last);
		s->wrote = gl_fence_get(b->wrote);
		s->next = all_shared;
		all_shared = s;
	}
	s->refs++;
	pthread_mutex_unlock(&lock);
	free(new);
	return s;
}

void gl_share_put(struct gl_shared *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&lock);
	if (!--s->refs) {
		if (s->flink)
			close(s->fd);
		s->flink = 0;
		reap();
	}
	pthread_mutex_unlock(&lock);
}

uint32_t gl_share_name(struct gl_shared *s, int fd)
{
	static uint32_t last;
	uint32_t name;

	pthread_mutex_lock(&lock);
	if (s->flink) {
		close(fd);
	} else {
		s->flink = ++last;
		s->fd = fd;
	}
	name = s->flink;
	pthread_mutex_unlock(&lock);
	return name;
}

int gl_share_named(uint32_t name)
{
	const struct gl_shared *s;
	int ret = -ENOENT;

	pthread_mutex_lock(&lock);
	for (s = all_shared; s && (!name || s->flink != name); s = s->next)
		;
	if (s) {
		ret = fcntl(s->fd, F_DUPFD_CLOEXEC, 3);
		if (ret < 0)
			ret = -errno;
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

uint32_t gl_share_handles(const struct gl_shared *s)
{
	uint32_t n = 1;

	pthread_mutex_lock(&lock);
	if (s)
		n = s->refs;
	pthread_mutex_unlock(&lock);
	return n;
}

bool gl_share_is(const struct gl_shared *s, ino_t ino)
{
	return s && s->ino == ino;
}

bool gl_share_kind(ino_t ino, struct gl_bo_kind *kind)
{
	const struct gl_shared *s;
	bool own;

	*kind = (struct gl_bo_kind){ .noexec = true };
	pthread_mutex_lock(&lock);
	s = find(ino);
	if (s)
		*kind = s->kind;
	own = s && !s->imported;
	pthread_mutex_unlock(&lock);
	return own;
}

struct gl_fence *gl_share_fence(struct gl_shared *s, bool writers)
{
	struct gl_fence *fence;

	pthread_mutex_lock(&lock);
	fence = gl_fence_get(writers ? s->wrote : s->last);
	pthread_mutex_unlock(&lock);
	return fence;
}

void gl_share_set_last(struct gl_shared *s, struct gl_fence *fence, bool write)
{
	pthread_mutex_lock(&lock);
	gl_fence_replace(&s->last, fence);
	if (write)
		gl_fence_replace(&s->wrote, fence);
	pthread_mutex_unlock(&lock);
}

void gl_share_set_flags(struct gl_shared *s, uint32_t flags)
{
	pthread_mutex_lock(&lock);
	s->kind.flags = flags;
	pthread_mutex_unlock(&lock);
}

uint32_t gl_share_flags(const struct gl_shared *s)
{
	uint32_t flags;

	pthread_mutex_lock(&lock);
	flags = s->kind.flags;
	pthread_mutex_unlock(&lock);
	return flags;
}

/* ---- the dma-buf ---- */

/* Add a fence to one that is there. Return: 0 or -ENOMEM. */
static int add_fence(struct gl_fence **at, struct gl_fence *fence)
{
	struct gl_fence *both;

	drop_signaled(at);
	if (!*at) {
		*at = gl_fence_get(fence);
		return 0;
	}
	both = gl_fence_alloc(2);
	if (!both)
		return -ENOMEM;
	both->n = 2;
	both->all[0] = *at;
	both->all[1] = gl_fence_get(fence);
	*at = both;
	return 0;
}

static int import(struct gl_shared *s, struct gl_call *c, bool write)
{
	struct gl_fence *fence;
	int ret = gl_sync_file_fence(c->pass, &fence);

	if (ret)
		return ret;
	ret = add_fence(&s->last, fence);
	if (!ret && write)
		ret = add_fence(&s->wrote, fence);
	gl_fence_put(fence);
	return ret;
}

/* Takes the fence over, which is NULL if there is none. */
static int use_fence(struct gl_fence *fence, uint32_t op, int *fd)
{
	int ret;

	if (!fence) {
		fence = gl_fence_signaled();
		if (!fence)
			return -ENOMEM;
	}
	if (op == GL_DMABUF_EXPORT)
		return gl_sync_file_new(fence, fd);
	ret = gl_fence_wait(fence, INT64_MAX, 0);
	gl_fence_put(fence);
	return ret;
}

static void get_name(const struct gl_shared *s, struct gl_dmabuf *args)
{
	memcpy(args->name, s->name, sizeof(args->name));
	args->handles = s->refs;
}

int gl_dmabuf(struct gl_call *c)
{
	struct gl_dmabuf *args = (void *)c->arg;
	struct gl_fence *fence = NULL;
	struct gl_shared *s;
	int ret = 0;

	pthread_mutex_lock(&lock);
	s = find(args->ino);
	if (!s)
		ret = -ENOENT;
	else if (args->op == GL_DMABUF_WAIT || args->op == GL_DMABUF_EXPORT)
		fence = gl_fence_get(args->write ? s->last : s->wrote);
	else if (args->op == GL_DMABUF_IMPORT)
		ret = import(s, c, args->write);
	else if (args->op == GL_DMABUF_SET_NAME)
		memcpy(s->name, args->name, sizeof(s->name));
	else
		get_name(s, args);
	pthread_mutex_unlock(&lock);
	if (ret || (args->op != GL_DMABUF_WAIT && args->op != GL_DMABUF_EXPORT))
		return ret;
	return use_fence(fence, args->op, &c->pass);
}
