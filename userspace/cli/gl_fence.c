// SPDX-License-Identifier: MIT
/*
 * vshader gl: fences. Of the library each context has one timeline, with a point for each of its
 * jobs.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "gl_priv.h"
#include "gl_sync.h"

/* @file: timeline that closes the device; NULL: this one does */
struct gl_timeline {
	int refs;
	struct vshader_device *dev;
	struct gl_timeline *file;
	uint32_t handle;
};

int64_t gl_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Time to wait now for something with a deadline. */
static int64_t patience(int64_t deadline)
{
	int64_t left = deadline - gl_now_ns();

	if (left < 0)
		return 0;
	return left < GL_PATIENCE_NS ? left : GL_PATIENCE_NS;
}

/* ---- timelines ---- */

static struct gl_timeline *timeline_get(struct gl_timeline *t)
{
	if (t)
		__atomic_add_fetch(&t->refs, 1, __ATOMIC_RELAXED);
	return t;
}

struct gl_timeline *gl_timeline_new(struct vshader_device *dev, struct gl_timeline *file)
{
	struct gl_timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->refs = 1;
	t->dev = dev;
	if (vshader_sync_create(dev, false, &t->handle)) {
		free(t);
		return NULL;
	}
	t->file = timeline_get(file);
	return t;
}

uint32_t gl_timeline_handle(const struct gl_timeline *t)
{
	return t->handle;
}

void gl_timeline_put(struct gl_timeline *t)
{
	if (!t || __atomic_sub_fetch(&t->refs, 1, __ATOMIC_ACQ_REL))
		return;
	if (t->file)
		vshader_sync_destroy(t->dev, t->handle);
	else
		vshader_close(t->dev);
	gl_timeline_put(t->file);
	free(t);
}

/* ---- fences ---- */

struct gl_fence *gl_fence_alloc(uint32_t n)
{
	struct gl_fence *fence = calloc(1, sizeof(*fence) + n * sizeof(fence->all[0]));

	if (fence) {
		fence->refs = 1;
		fence->fd = -1;
	}
	return fence;
}

struct gl_fence *gl_fence_signaled(void)
{
	struct gl_fence *fence = gl_fence_alloc(0);

	if (fence)
		fence->signaled = true;
	return fence;
}

struct gl_fence *gl_fence_new(struct gl_timeline *t, uint64_t point)
{
	struct gl_fence *fence = gl_fence_alloc(0);

	if (!fence)
		return NULL;
	fence->point = point;
	fence->timeline = timeline_get(t);
	return fence;
}

struct gl_fence *gl_fence_get(struct gl_fence *fence)
{
	if (fence)
		__atomic_add_fetch(&fence->refs, 1, __ATOMIC_RELAXED);
	return fence;
}

void gl_fence_put(struct gl_fence *fence)
{
	uint32_t i;

	if (!fence || __atomic_sub_fetch(&fence->refs, 1, __ATOMIC_ACQ_REL))
		return;
	for (i = 0; i < fence->n; i++)
		gl_fence_put(fence->all[i]);
	gl_timeline_put(fence->timeline);
	if (fence->fd >= 0)
		close(fence->fd);
	free(fence);
}

void gl_fence_replace(struct gl_fence **at, struct gl_fence *fence)
{
	gl_fence_get(fence);
	gl_fence_put(*at);
	*at = fence;
}

bool gl_fence_is_own(const struct gl_fence *fence, const struct gl_timeline *t)
{
	return fence->timeline == t;
}

bool gl_fence_look(struct gl_fence *fence, int64_t ns)
{
	struct pollfd p = { .fd = fence->fd, .events = POLLIN };
	bool done = true;
	uint32_t i;

	if (__atomic_load_n(&fence->signaled, __ATOMIC_RELAXED))
		return true;
	if (fence->timeline)
		done = vshader_sync_wait(fence->timeline->dev, fence->timeline->handle,
					 fence->point, ns) != -ETIME;
	else if (fence->fd >= 0)
		done = poll(&p, 1, (ns + 999999) / 1000000) > 0;
	for (i = 0; i < fence->n && done; i++)
		done = gl_fence_look(fence->all[i], ns);
	return done;
}

bool gl_fence_poll(struct gl_fence *fence, int64_t ns)
{
	if (__atomic_load_n(&fence->signaled, __ATOMIC_ACQUIRE))
		return true;
	if (!gl_fence_look(fence, ns))
		return false;
	gl_sync_files_signal();
	__atomic_store_n(&fence->signaled, true, __ATOMIC_RELEASE);
	return true;
}

int gl_fence_wait(struct gl_fence *fence, int64_t deadline, int late)
{
	if (gl_fence_poll(fence, patience(deadline)))
		return 0;
	return gl_now_ns() < deadline ? GL_AGAIN : late;
}
