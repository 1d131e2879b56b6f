// SPDX-License-Identifier: MIT
/*
 * vshader gl: syncobjs, with the meaning that DRM gives them. Files share them, so that they are
 * the server's and not the library's.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <drm.h>

#include "cli.h"
#include "gl_priv.h"
#include "gl_sync.h"

/* How long DRM waits for a fence to be submitted. */
#define SUBMIT_TIMEOUT_NS	5000000000LL

/* Flags that are newer than the headers. */
#define WAIT_DEADLINE		(1 << 3)
#define WAIT_FLAGS		(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | \
				 DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | WAIT_DEADLINE)

/* Arrays of ioctls of timelines, in the order in which they are sent. */
enum { POINTS, HANDLES };

pthread_mutex_t gl_sync_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- syncobjs; the lock is held ---- */

static void sync_drop(struct gl_syncobj *s, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		gl_fence_put(s->points[i].fence);
	s->n -= n;
	if (n)
		memmove(s->points, s->points + n, s->n * sizeof(*s->points));
}

/* Points that were reached need not be kept. */
static void sync_prune(struct gl_syncobj *s)
{
	uint32_t n = 0;

	while (n < s->n && s->points[n].value && gl_fence_poll(s->points[n].fence, 0))
		s->reached = s->points[n++].value;
	if (n)
		sync_drop(s, n);
}

int gl_syncobj_attach(struct gl_syncobj *s, uint64_t value, struct gl_fence *fence)
{
	void *more;

	if (!fence)
		return -ENOMEM;
	sync_prune(s);
	more = realloc(s->points, (s->n + 1) * sizeof(*s->points));
	if (!more) {
		gl_fence_put(fence);
		return -ENOMEM;
	}
	s->points = more;
	if (!value || (s->n && !s->points[0].value)) {
		sync_drop(s, s->n);
		s->reached = 0;
	}
	if (s->n && value < s->points[s->n - 1].value)
		value = s->points[s->n - 1].value;
	if (value && value < s->reached)
		value = s->reached;
	s->points[s->n].value = value;
	s->points[s->n++].fence = fence;
	return 0;
}

/* The value of the last fence. Return: whether there is one. */
static bool sync_last(const struct gl_syncobj *s, uint64_t *value)
{
	*value = s->n ? s->points[s->n - 1].value : s->reached;
	return s->n || s->reached;
}

/* Fences that have to signal before a point is reached. Return: number, -1: no such point yet. */
static int sync_until(struct gl_syncobj *s, uint64_t value)
{
	uint64_t last;
	uint32_t i;

	sync_prune(s);
	if (!sync_last(s, &last) || value > last)
		return -1;
	if (!value)
		return s->n;
	for (i = 0; i < s->n && s->points[i].value < value; i++)
		;
	return value <= s->reached ? 0 : i + 1;
}

void gl_syncobj_unref(struct gl_syncobj *s)
{
	if (--s->refs)
		return;
	sync_drop(s, s->n);
	free(s->points);
	free(s);
}

struct gl_syncobj *gl_syncobj_find(struct gl_file *f, uint32_t handle)
{
	return handle < f->num_syncs ? f->syncs[handle] : NULL;
}

int gl_syncobj_add(struct gl_file *f, struct gl_syncobj *s, uint32_t *handle)
{
	uint32_t i;
	int ret;

	for (i = 1; i < f->num_syncs && f->syncs[i]; i++)
		;
	if (i >= f->num_syncs) {
		ret = gl_grow(&f->syncs, &f->num_syncs, sizeof(*f->syncs));
		if (ret)
			return ret;
	}
	s->refs++;
	f->syncs[i] = s;
	*handle = i;
	return 0;
}

/* ---- for jobs ---- */

int gl_syncobj_fence(struct gl_syncobj *s, uint64_t value, struct gl_fence **fence)
{
	int i, n = sync_until(s, value);

	*fence = NULL;
	if (n < 0)
		return -EINVAL;
	if (n == 1) {
		*fence = gl_fence_get(s->points[0].fence);
		return 0;
	}
	*fence = gl_fence_alloc(n);
	if (!*fence)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		(*fence)->all[i] = gl_fence_get(s->points[i].fence);
	(*fence)->n = n;
	return 0;
}

static int find_fence(struct gl_file *f, uint32_t handle, uint64_t value, struct gl_fence **fence)
{
	struct gl_syncobj *s = gl_syncobj_find(f, handle);

	*fence = NULL;
	return s ? gl_syncobj_fence(s, value, fence) : -ENOENT;
}

int gl_sync_fence(struct gl_file *f, uint32_t handle, uint64_t value, struct gl_fence **fence)
{
	int ret;

	pthread_mutex_lock(&gl_sync_lock);
	ret = find_fence(f, handle, value, fence);
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

int gl_sync_check(struct gl_file *f, const uint32_t *handles, uint32_t n)
{
	struct gl_fence *fence;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		ret = gl_sync_fence(f, handles[i], 0, &fence);
		if (!ret)
			gl_fence_put(fence);
	}
	return ret;
}

int gl_sync_set(struct gl_file *f, uint32_t handle, struct gl_fence *fence)
{
	struct gl_syncobj *s;
	int ret;

	pthread_mutex_lock(&gl_sync_lock);
	s = gl_syncobj_find(f, handle);
	ret = s ? gl_syncobj_attach(s, 0, gl_fence_get(fence)) : -ENODEV;
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

bool gl_sync_exists(struct gl_file *f, uint32_t handle)
{
	return gl_syncobj_find(f, handle);
}

/* ---- ioctls ---- */

static int create(struct gl_file *f, struct gl_call *c)
{
	struct drm_syncobj_create *args = (void *)c->arg;
	struct gl_syncobj *s;
	int ret = 0;

	if (args->flags & ~DRM_SYNCOBJ_CREATE_SIGNALED)
		return -EINVAL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->refs = 1;
	pthread_mutex_lock(&gl_sync_lock);
	if (args->flags)
		ret = gl_syncobj_attach(s, 0, gl_fence_signaled());
	if (!ret)
		ret = gl_syncobj_add(f, s, &args->handle);
	gl_syncobj_unref(s);
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

static int destroy(struct gl_file *f, struct gl_call *c)
{
	const struct drm_syncobj_destroy *args = (void *)c->arg;
	struct gl_syncobj *s;

	if (args->pad)
		return -EINVAL;
	pthread_mutex_lock(&gl_sync_lock);
	s = gl_syncobj_find(f, args->handle);
	if (s) {
		f->syncs[args->handle] = NULL;
		gl_syncobj_unref(s);
	}
	pthread_mutex_unlock(&gl_sync_lock);
	return s ? 0 : -EINVAL;
}

/**
 * struct wait - arguments of both ioctls that wait
 * @handles: syncobjs
 * @points: of timelines, or NULL
 * @error: of @points
 * @n: number of them
 * @flags: DRM_SYNCOBJ_WAIT_FLAGS_*
 * @deadline: of CLOCK_MONOTONIC, ns
 */
struct wait {
	const uint32_t *handles;
	const uint64_t *points;
	int error;
	uint32_t n;
	uint32_t flags;
	int64_t deadline;
};

/* Return: 1: reached, 0: not yet (because of *@until if it is set), -EINVAL: there is no fence. */
static int is_reached(const struct gl_syncobj *s, int n, uint32_t flags, struct gl_fence **until)
{
	int i;

	if (n < 0)
		return flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
				DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) ? 0 : -EINVAL;
	if (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)
		return 1;
	for (i = 0; i < n; i++) {
		if (!gl_fence_poll(s->points[i].fence, 0)) {
			*until = s->points[i].fence;
			return 0;
		}
	}
	return 1;
}

/* Return: 0, or -ENOENT if one of the handles is none: nothing happens then. */
static int find_all(struct gl_file *f, const uint32_t *handles, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (!gl_syncobj_find(f, handles[i]))
			return -ENOENT;
	}
	return 0;
}

/*
 * Look once. Return: 0 with the first that is reached, -ETIME, or an errno. *@until: with
 * -ETIME a fence that has to be reached, with a reference, or NULL.
 */
static int look(struct gl_file *f, const struct wait *w, uint32_t *first, struct gl_fence **until)
{
	uint32_t i, found = 0, need;
	int ret = find_all(f, w->handles, w->n);

	if (!ret)
		ret = w->error;
	need = w->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? w->n : 1;
	for (i = 0; i < w->n && ret >= 0; i++) {
		struct gl_syncobj *s = gl_syncobj_find(f, w->handles[i]);

		ret = is_reached(s, sync_until(s, w->points ? w->points[i] : 0), w->flags, until);
		if (ret > 0 && !found++)
			*first = i;
	}
	*until = ret >= 0 && found < need && need == w->n && *until ? gl_fence_get(*until) : NULL;
	if (ret < 0)
		return ret;
	return found >= need ? 0 : -ETIME;
}

/* Looking again and again costs as much time as small jobs. */
static void pause_for(struct gl_fence *until, int64_t ns)
{
	const struct timespec pause = { 0, GL_LOOK_NS };

	if (until)
		gl_fence_poll(until, ns);
	else
		nanosleep(&pause, NULL);
}

static int wait_for(struct gl_file *f, const struct wait *w, uint32_t *first)
{
	int64_t end = gl_now_ns() + GL_PATIENCE_NS, now;
	struct gl_fence *until;
	int ret;

	for (;;) {
		until = NULL;
		pthread_mutex_lock(&gl_sync_lock);
		ret = look(f, w, first, &until);
		pthread_mutex_unlock(&gl_sync_lock);
		now = gl_now_ns();
		if (ret == -ETIME && now < w->deadline && now < end)
			pause_for(until, (w->deadline < end ? w->deadline : end) - now);
		gl_fence_put(until);
		if (ret != -ETIME || now >= w->deadline)
			return ret;
		if (now >= end)
			return GL_AGAIN;
	}
}

static int wait_binary(struct gl_file *f, struct gl_call *c)
{
	struct drm_syncobj_wait *args = (void *)c->arg;
	const struct wait w = {
		.handles = (const uint32_t *)(uintptr_t)args->handles,
		.n = args->count_handles,
		.flags = args->flags,
		.deadline = args->timeout_nsec,
	};

	if (args->flags & ~WAIT_FLAGS)
		return -EINVAL;
	if (c->arrays)
		return c->arrays;
	return args->count_handles ? wait_for(f, &w, &args->first_signaled) : 0;
}

static int wait_timeline(struct gl_file *f, struct gl_call *c)
{
	struct drm_syncobj_timeline_wait *args = (void *)c->arg;
	const struct wait w = {
		.handles = (const uint32_t *)(uintptr_t)args->handles,
		.points = (const uint64_t *)(uintptr_t)args->points,
		.error = c->errors[POINTS],
		.n = args->count_handles,
		.flags = args->flags,
		.deadline = args->timeout_nsec,
	};

	if (args->flags & ~(WAIT_FLAGS | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
		return -EINVAL;
	if (c->errors[HANDLES])
		return c->errors[HANDLES];
	return args->count_handles ? wait_for(f, &w, &args->first_signaled) : 0;
}

static int change_array(struct gl_file *f, struct gl_call *c, bool signal)
{
	const struct drm_syncobj_array *args = (void *)c->arg;
	const uint32_t *handles = (const uint32_t *)(uintptr_t)args->handles;
	uint32_t i;
	int ret;

	if (args->pad || !args->count_handles)
		return -EINVAL;
	if (c->arrays)
		return c->arrays;
	pthread_mutex_lock(&gl_sync_lock);
	ret = find_all(f, handles, args->count_handles);
	for (i = 0; i < args->count_handles && !ret; i++) {
		struct gl_syncobj *s = gl_syncobj_find(f, handles[i]);

		sync_drop(s, s->n);
		s->reached = 0;
		if (signal)
			ret = gl_syncobj_attach(s, 0, gl_fence_signaled());
	}
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

static int reset(struct gl_file *f, struct gl_call *c)
{
	return change_array(f, c, false);
}

static int signal_binary(struct gl_file *f, struct gl_call *c)
{
	return change_array(f, c, true);
}

static int signal_timeline(struct gl_file *f, struct gl_call *c)
{
	const struct drm_syncobj_timeline_array *args = (void *)c->arg;
	const uint32_t *handles = (const uint32_t *)(uintptr_t)args->handles;
	const uint64_t *points = (const uint64_t *)(uintptr_t)args->points;
	uint32_t i;
	int ret;

	if (args->flags || !args->count_handles)
		return -EINVAL;
	if (c->errors[HANDLES])
		return c->errors[HANDLES];
	pthread_mutex_lock(&gl_sync_lock);
	ret = find_all(f, handles, args->count_handles);
	if (!ret)
		ret = c->errors[POINTS];
	for (i = 0; i < args->count_handles && !ret; i++)
		ret = gl_syncobj_attach(gl_syncobj_find(f, handles[i]), points ? points[i] : 0,
					gl_fence_signaled());
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

static int query(struct gl_file *f, struct gl_call *c)
{
	const struct drm_syncobj_timeline_array *args = (void *)c->arg;
	const uint32_t *handles = (const uint32_t *)(uintptr_t)args->handles;
	uint64_t *points = (uint64_t *)(uintptr_t)args->points;
	uint32_t i;
	int ret;

	if (args->flags & ~DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED || !args->count_handles)
		return -EINVAL;
	if (c->errors[HANDLES])
		return c->errors[HANDLES];
	pthread_mutex_lock(&gl_sync_lock);
	ret = find_all(f, handles, args->count_handles);
	if (!ret)
		ret = c->errors[POINTS];
	for (i = 0; i < args->count_handles && !ret; i++) {
		struct gl_syncobj *s = gl_syncobj_find(f, handles[i]);

		sync_prune(s);
		points[i] = s->reached;
		if (args->flags)
			sync_last(s, &points[i]);
	}
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

static int transfer_now(struct gl_file *f, const struct drm_syncobj_transfer *args)
{
	struct gl_fence *fence = NULL;
	struct gl_syncobj *to;
	int ret;

	pthread_mutex_lock(&gl_sync_lock);
	to = gl_syncobj_find(f, args->dst_handle);
	ret = to ? find_fence(f, args->src_handle, args->src_point, &fence) : -ENOENT;
	if (!ret)
		ret = gl_syncobj_attach(to, args->dst_point, fence);
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

static int transfer(struct gl_file *f, struct gl_call *c)
{
	const struct drm_syncobj_transfer *args = (void *)c->arg;
	const struct timespec pause = { 0, GL_LOOK_NS };
	int ret;

	if (args->pad)
		return -EINVAL;
	ret = transfer_now(f, args);
	if (ret != -EINVAL || !(args->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
		return ret;
	if (gl_now_ns() > c->since + SUBMIT_TIMEOUT_NS)
		return -ETIME;
	nanosleep(&pause, NULL);
	return GL_AGAIN;
}

const struct gl_ioctl gl_sync_ioctls[] = {
	{ NR(DRM_IOCTL_SYNCOBJ_CREATE), create },
	{ NR(DRM_IOCTL_SYNCOBJ_DESTROY), destroy },
	{ NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD), gl_sync_to_fd },
	{ NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE), gl_sync_from_fd },
	{ NR(DRM_IOCTL_SYNCOBJ_WAIT), wait_binary, .late = true },
	{ NR(DRM_IOCTL_SYNCOBJ_RESET), reset, .late = true },
	{ NR(DRM_IOCTL_SYNCOBJ_SIGNAL), signal_binary, .late = true },
	{ NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT), wait_timeline, .late = true, .timeline = true },
	{ NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL), signal_timeline, .late = true,
	  .timeline = true },
	{ NR(DRM_IOCTL_SYNCOBJ_QUERY), query, .late = true, .timeline = true },
	{ NR(DRM_IOCTL_SYNCOBJ_TRANSFER), transfer, .timeline = true },
	{ GL_SYNCOBJ_EVENTFD, gl_sync_eventfd, .timeline = true },
	{ }
};

void gl_sync_fini(struct gl_file *f)
{
	uint32_t i;

	pthread_mutex_lock(&gl_sync_lock);
	for (i = 1; i < f->num_syncs; i++) {
		if (f->syncs[i])
			gl_syncobj_unref(f->syncs[i]);
	}
	gl_sync_reap();
	pthread_mutex_unlock(&gl_sync_lock);
	free(f->syncs);
}
