// SPDX-License-Identifier: MIT
/*
 * Local backend: debug sessions. The device's lock protects them.
 *
 * The event file descriptor counts 1 while there are events.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "local.h"
#include "vshader_debug.h"

#define NS_PER_MS	1000000ull

struct vsl_debug *vsl_debug_new(const struct vs_isa *isa)
{
	struct vsl_debug *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	vs_session_init(&g->c, isa);
	g->fd = -1;
	return g;
}

void vsl_debug_free(struct vsl_debug *g)
{
	if (!g)
		return;
	free(vs_session_fini(&g->c));
	free(g);
}

/* ---- events; all with the lock ---- */

static void tell(struct vsl_device *d, struct vsl_debug *g)
{
	uint64_t one = 1;

	if (g->fd >= 0 && !g->told && vs_session_has_event(&g->c)) {
		g->told = true;
		if (write(g->fd, &one, sizeof(one)) < 0)
			g->told = false;
	}
	pthread_cond_broadcast(&d->ended);
}

static void untell(struct vsl_debug *g)
{
	uint64_t n;

	if (g->told && !vs_session_has_event(&g->c) && read(g->fd, &n, sizeof(n)) > 0)
		g->told = false;
}

/* ---- workers ---- */

void vsl_debug_slice(struct vsl_device *d, struct vsl_job *job)
{
	struct vsl_debug *g = job->queue->debug;

	pthread_mutex_lock(&d->lock);
	if (vs_session_slice(&g->c, job->number, job->program, (uint64_t)vsh_now_ns()))
		tell(d, g);
	pthread_mutex_unlock(&d->lock);
}

bool vsl_debug_stopped(struct vsl_device *d, struct vsl_job *job)
{
	struct vsl_debug *g = job->queue->debug;
	int64_t now = vsh_now_ns();
	bool stays;

	pthread_mutex_lock(&d->lock);
	stays = !vs_job_is_ending(job->engine) && vs_session_stopped(&g->c, (uint64_t)now);
	if (stays) {
		job->stopped = true;
		job->want = 0;
		tell(d, g);
	}
	pthread_mutex_unlock(&d->lock);
	return stays;
}

void vsl_debug_ended(struct vsl_device *d, struct vsl_job *job, int32_t status, uint32_t fault)
{
	struct vsl_debug *g = job->queue->debug;

	if (g && vs_session_ended(&g->c, job->number, status, fault, (uint64_t)vsh_now_ns()))
		tell(d, g);
}

void vsl_debug_gone(struct vsl_device *d, struct vsl_queue *q)
{
	if (!q->debug)
		return;
	vs_session_gone(&q->debug->c, (uint64_t)vsh_now_ns());
	tell(d, q->debug);
}

/* ---- the session ---- */

static int attach(struct vsl_device *d, struct vsl_queue *q,
		  const struct drm_vshader_debug_attach *args, int fd)
{
	uint64_t limit = args->stop_limit_ms ? args->stop_limit_ms : VSL_DEFAULT_STOP_MS;
	int ret;

	if (!q->debug)
		return vsh_fail(EOPNOTSUPP, "queue %u was created without DEBUG", args->queue_id);
	if (limit > VSL_MAX_STOP_MS)
		return vsh_fail(E2BIG, "debugger: stop limit %u ms, the limit is %u",
				args->stop_limit_ms, VSL_MAX_STOP_MS);
	pthread_mutex_lock(&d->lock);
	ret = vs_session_attach(&q->debug->c, args->flags, limit * NS_PER_MS);
	if (!ret) {
		q->debug->fd = fd;
		q->debug->told = false;
	}
	pthread_mutex_unlock(&d->lock);
	if (ret == -EBUSY)
		return vsh_fail(EBUSY, "queue %u has a debugger", args->queue_id);
	return ret ? vsh_fail(-ret, "debugger: unknown flags %#x", args->flags) : 0;
}

int vsl_debug_attach(struct vshader_debug *dbg, struct drm_vshader_debug_attach *args)
{
	struct vsl_device *d = vsl_of(dbg->dev);
	struct vsl_queue *q = vsl_queue_lookup(d, args->queue_id);
	int ret;

	if (!q)
		return -ENOENT;
	dbg->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ret = dbg->fd < 0 ? vsh_fail(errno, "eventfd: %s", strerror(errno)) :
	      attach(d, q, args, dbg->fd);
	if (ret) {
		if (dbg->fd >= 0)
			close(dbg->fd);
		vsl_queue_put(q);
		return ret;
	}
	dbg->queue = q;
	return 0;
}

/* With the lock: end the job that has been started. */
static void end_started(struct vsl_device *d, struct vsl_queue *q, enum vs_fault_kind kind)
{
	struct vsl_job *job = q->head;

	if (!job || !job->started)
		return;
	vs_job_cancel(job->engine, kind);
	vsl_exec_resume(d, q);
}

/* With the lock: a stopped job has used up its time. */
static void check_time(struct vsl_device *d, struct vsl_queue *q)
{
	if (!vs_session_time_left(&q->debug->c, (uint64_t)vsh_now_ns()))
		end_started(d, q, VS_FAULT_TIMEOUT);
}

void vsl_debug_close(struct vshader_debug *dbg)
{
	struct vsl_device *d = vsl_of(dbg->dev);
	struct vsl_queue *q = dbg->queue;

	pthread_mutex_lock(&d->lock);
	if (vs_session_close(&q->debug->c))
		end_started(d, q, VS_FAULT_CANCELED);
	q->debug->fd = -1;
	pthread_mutex_unlock(&d->lock);
	close(dbg->fd);
	vsl_queue_put(q);
}

int vsl_debug_read(struct vshader_debug *dbg, int64_t deadline,
		   struct drm_vshader_debug_event *event)
{
	struct vsl_device *d = vsl_of(dbg->dev);
	struct vsl_debug *g = dbg->queue->debug;
	int64_t now, until;
	uint64_t left;
	int ret = 0;

	pthread_mutex_lock(&d->lock);
	while (!vs_session_read(&g->c, event)) {
		struct timespec ts;

		now = vsh_now_ns();
		if (g->c.gone || now >= deadline) {
			ret = g->c.gone ? -ENODEV : -ETIME;
			break;
		}
		check_time(d, dbg->queue);
		left = vs_session_time_left(&g->c, (uint64_t)now);
		until = left < (uint64_t)(deadline - now) ? now + (int64_t)left : deadline;
		ts.tv_sec = until / 1000000000;
		ts.tv_nsec = until % 1000000000;
		pthread_cond_timedwait(&d->ended, &d->lock, &ts);
	}
	untell(g);
	pthread_mutex_unlock(&d->lock);
	return ret;
}

/* ---- calls; all with the lock ---- */

static int resume(struct vsl_device *d, struct vsl_queue *q,
		  const struct drm_vshader_debug_resume *a)
{
	bool kill, go;
	int ret = vs_session_resume(&q->debug->c, a, (uint64_t)vsh_now_ns(), &kill, &go);

	if (kill)
		end_started(d, q, VS_FAULT_CANCELED);
	if (go)
		vsl_exec_resume(d, q);
	tell(d, q->debug);
	return ret;
}

static int invocations(struct vs_session *c, struct drm_vshader_debug_invocations *a)
{
	void *out = (void *)(uintptr_t)a->array;
	u32 n = 0;
	int ret;

	if (a->pad)
		return -EINVAL;
	static_assert(sizeof(struct vs_debug_inv) == sizeof(struct drm_vshader_debug_invocation),
		      "one is copied as the other");
	ret = vs_session_invocations(c, out, out ? a->count : 0, &n);
	if (!ret)
		a->count = n;
	return ret;
}

static int registers(struct vs_session *c, struct drm_vshader_debug_registers *a)
{
	int ret = vs_session_check_registers(c, a);

	return ret ? ret : vs_session_registers(c, a, (u32 *)(uintptr_t)a->values);
}

static int memory(struct vs_session *c, struct drm_vshader_debug_memory *a)
{
	int ret = vs_session_check_memory(a);

	return ret ? ret : vs_session_memory(c, a, (void *)(uintptr_t)a->data);
}

static int trace(struct vs_session *c, struct drm_vshader_debug_trace *a)
{
	struct vs_debug_record *buffer = calloc(VS_SESSION_TRACE, sizeof(*buffer));
	int ret = buffer ? vs_session_check_trace(c, a) : -ENOMEM;

	static_assert(sizeof(struct vs_debug_record) ==
		      sizeof(struct drm_vshader_debug_trace_record), "one is copied as the other");
	if (!ret)
		ret = vs_session_trace(c, a, (void *)(uintptr_t)a->records, &buffer);
	free(buffer);
	return ret;
}

static int call(struct vsl_device *d, struct vsl_queue *q, unsigned long request, void *arg)
{
	struct vs_session *c = &q->debug->c;

	switch (request) {
	case DRM_IOCTL_VSHADER_DEBUG_SET_POINT:
		return vs_session_set_point(c, arg);
	case DRM_IOCTL_VSHADER_DEBUG_CLEAR_POINT:
		return vs_session_clear_point(c, arg);
	case DRM_IOCTL_VSHADER_DEBUG_GET_POINT:
		return vs_session_get_point(c, arg);
	case DRM_IOCTL_VSHADER_DEBUG_INTERRUPT:
		return vs_session_interrupt(c, arg);
	case DRM_IOCTL_VSHADER_DEBUG_RESUME:
		return resume(d, q, arg);
	case DRM_IOCTL_VSHADER_DEBUG_GET_STOP:
		vs_session_get_stop(c, arg);
		return 0;
	case DRM_IOCTL_VSHADER_DEBUG_INVOCATIONS:
		return invocations(c, arg);
	case DRM_IOCTL_VSHADER_DEBUG_REGISTERS:
		return registers(c, arg);
	case DRM_IOCTL_VSHADER_DEBUG_MEMORY:
		return memory(c, arg);
	case DRM_IOCTL_VSHADER_DEBUG_TRACE:
		return trace(c, arg);
	default:
		return -ENOTTY;
	}
}

int vsl_debug_ioctl(struct vshader_debug *dbg, unsigned long request, void *arg)
{
	struct vsl_device *d = vsl_of(dbg->dev);
	int ret;

	pthread_mutex_lock(&d->lock);
	check_time(d, dbg->queue);
	ret = call(d, dbg->queue, request, arg);
	pthread_mutex_unlock(&d->lock);
	return ret;
}
