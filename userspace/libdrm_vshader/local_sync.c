// SPDX-License-Identifier: MIT
/*
 * Local backend: fences and syncobjs, with the meaning that DRM gives them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

struct vsl_fence *vsl_fence_new(void)
{
	struct vsl_fence *f = calloc(1, sizeof(*f));

	if (f)
		atomic_init(&f->ref, 1);
	return f;
}

struct vsl_fence *vsl_fence_get(struct vsl_fence *f)
{
	if (f)
		atomic_fetch_add(&f->ref, 1);
	return f;
}

void vsl_fence_put(struct vsl_fence *f)
{
	if (f && atomic_fetch_sub(&f->ref, 1) == 1)
		free(f);
}

void vsl_fence_signal(struct vsl_device *d, struct vsl_fence *f, int error)
{
	f->error = error;
	f->signaled = true;
	if (f->attached || d->closing)
		pthread_cond_broadcast(&d->ended);
}

/* ---- syncobjs ---- */

struct vsl_syncobj *vsl_syncobj_lookup(struct vsl_device *d, uint32_t handle)
{
	struct vsl_syncobj *s = vsl_table_get(&d->syncobjs, handle);

	if (!s)
		vsh_fail(ENOENT, "there is no syncobj %u", handle);
	return s;
}

static void drop_points(struct vsl_syncobj *s, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		vsl_fence_put(s->points[i].fence);
	if (n)
		memmove(s->points, s->points + n, (s->num_points - n) * sizeof(*s->points));
	s->num_points -= n;
}

void vsl_syncobj_free(struct vsl_syncobj *s)
{
	if (!s)
		return;
	drop_points(s, s->num_points);
	free(s->points);
	free(s);
}

/* Timeline points that were reached need not be kept. */
static void prune(struct vsl_syncobj *s)
{
	uint32_t n = 0;

	while (n < s->num_points && s->points[n].point && s->points[n].fence->signaled)
		s->reached = s->points[n++].point;
	drop_points(s, n);
}

int vsl_syncobj_reserve(struct vsl_syncobj *s, uint32_t more)
{
	struct vsl_point *n;

	prune(s);
	n = realloc(s->points, (s->num_points + more) * sizeof(*n));
	if (!n)
		return vsh_fail(ENOMEM, "out of memory");
	s->points = n;
	return 0;
}

void vsl_syncobj_attach(struct vsl_device *d, struct vsl_syncobj *s, uint64_t point,
			struct vsl_fence *f)
{
	if (!point) {
		drop_points(s, s->num_points);
		s->reached = 0;
	} else if (s->num_points && !s->points[s->num_points - 1].point) {
		/* A binary fence has no place in a timeline. */
		drop_points(s, s->num_points);
	}
	s->points[s->num_points].point = point;
	s->points[s->num_points].fence = vsl_fence_get(f);
	f->attached = true;
	s->num_points++;
	pthread_cond_broadcast(&d->ended);
}

bool vsl_syncobj_submitted(const struct vsl_syncobj *s, uint64_t point)
{
	if (!point)
		return s->num_points || s->reached;
	if (s->reached >= point)
		return true;
	return s->num_points && s->points[s->num_points - 1].point >= point;
}

uint32_t vsl_syncobj_until(const struct vsl_syncobj *s, uint64_t point)
{
	uint32_t n;

	if (!point)
		return s->num_points;
	if (s->reached >= point)
		return 0;
	for (n = 0; n < s->num_points && s->points[n].point < point; n++)
		;
	return n + 1;
}

int vsl_sync_create(struct vshader_device *dev, bool signaled, uint32_t *handle)
{
	struct vsl_device *d = vsl_of(dev);
	struct vsl_syncobj *s = calloc(1, sizeof(*s));
	struct vsl_fence *f = signaled ? vsl_fence_new() : NULL;
	int ret;

	if (!s || (signaled && !f)) {
		free(s);
		vsl_fence_put(f);
		return vsh_fail(ENOMEM, "out of memory");
	}
	pthread_mutex_lock(&d->lock);
	ret = signaled ? vsl_syncobj_reserve(s, 1) : 0;
	if (!ret && signaled) {
		f->signaled = true;
		vsl_syncobj_attach(d, s, 0, f);
	}
	if (!ret)
		ret = vsl_table_add(&d->syncobjs, s, VSL_MAX_HANDLES, handle);
	pthread_mutex_unlock(&d->lock);
	vsl_fence_put(f);
	if (ret) {
		vsl_syncobj_free(s);
		return vsh_fail(-ret, "too many syncobjs");
	}
	return 0;
}

int vsl_sync_destroy(struct vshader_device *dev, uint32_t handle)
{
	struct vsl_device *d = vsl_of(dev);
	struct vsl_syncobj *s;

	pthread_mutex_lock(&d->lock);
	s = vsl_table_remove(&d->syncobjs, handle);
	/* Whoever waits for it sees that it is gone. */
	pthread_cond_broadcast(&d->ended);
	pthread_mutex_unlock(&d->lock);
	if (!s)
		return vsh_fail(ENOENT, "there is no syncobj %u", handle);
	vsl_syncobj_free(s);
	return 0;
}

int vsl_sync_reset(struct vshader_device *dev, uint32_t handle)
{
	struct vsl_device *d = vsl_of(dev);
	struct vsl_syncobj *s;

	pthread_mutex_lock(&d->lock);
	s = vsl_syncobj_lookup(d, handle);
	if (s) {
		drop_points(s, s->num_points);
		s->reached = 0;
	}
	pthread_mutex_unlock(&d->lock);
	return s ? 0 : -ENOENT;
}

int vsl_sync_signal(struct vshader_device *dev, uint32_t handle, uint64_t point)
{
	struct vsl_device *d = vsl_of(dev);
	struct vsl_fence *f = vsl_fence_new();
	struct vsl_syncobj *s;
	int ret = -ENOENT;

	if (!f)
		return vsh_fail(ENOMEM, "out of memory");
	f->signaled = true;
	pthread_mutex_lock(&d->lock);
	s = vsl_syncobj_lookup(d, handle);
	if (s)
		ret = vsl_syncobj_reserve(s, 1);
	if (!ret) {
		vsl_syncobj_attach(d, s, point, f);
		vsl_exec_kick(d, 1);
	}
	pthread_mutex_unlock(&d->lock);
	vsl_fence_put(f);
	return ret;
}

/* Whether the wait is over, with the fences that are there now. */
static bool reached(const struct vsl_syncobj *s, uint64_t point)
{
	uint32_t i, n;

	if (!vsl_syncobj_submitted(s, point))
		return false;
	n = vsl_syncobj_until(s, point);
	for (i = 0; i < n; i++) {
		if (!s->points[i].fence->signaled)
			return false;
	}
	return true;
}

/* Before a wait: its job is executed by this thread, or a worker has been woken for it. */
static void help(struct vsl_device *d, struct vsl_syncobj *s, int64_t deadline)
{
	struct vsl_fence *f;
	bool ok = false;

	if (s && s->num_points == 1) {
		f = vsl_fence_get(s->points[0].fence);
		ok = !f->signaled && vsl_exec_help(d, f, deadline);
		vsl_fence_put(f);
	}
	if (!ok)
		vsl_exec_kick(d, 1);
}

int vsl_sync_wait(struct vshader_device *dev, uint32_t handle, uint64_t point, int64_t deadline)
{
	struct timespec ts = {
		.tv_sec = deadline / 1000000000,
		.tv_nsec = deadline % 1000000000,
	};
	struct vsl_device *d = vsl_of(dev);
	struct vsl_syncobj *s;
	int ret = 0;

	pthread_mutex_lock(&d->lock);
	s = vsl_syncobj_lookup(d, handle);
	if (vsh_waits_next)
		help(d, s, deadline);
	while ((s = vsl_syncobj_lookup(d, handle)) && !reached(s, point) && !ret)
		ret = pthread_cond_timedwait(&d->ended, &d->lock, &ts);
	/* The last look counts, not the clock. */
	if (s && reached(s, point))
		ret = 0;
	pthread_mutex_unlock(&d->lock);
	if (!s)
		return -ENOENT;
	return ret ? vsh_fail(ETIME, "still waiting when the time was over") : 0;
}

int vsl_sync_query(struct vshader_device *dev, uint32_t handle, uint64_t *point)
{
	struct vsl_device *d = vsl_of(dev);
	struct vsl_syncobj *s;

	pthread_mutex_lock(&d->lock);
	s = vsl_syncobj_lookup(d, handle);
	if (s) {
		prune(s);
		*point = s->reached;
	}
	pthread_mutex_unlock(&d->lock);
	return s ? 0 : -ENOENT;
}
