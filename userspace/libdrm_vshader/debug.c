// SPDX-License-Identifier: MIT
/*
 * Debug sessions of both backends.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"
#include "vshader_debug.h"

int vshader_debug_queue_create(struct vshader_device *dev,
			       const struct vshader_queue_params *params, uint32_t *id)
{
	struct drm_vshader_queue_create args = {
		.engine = params->engine,
		.vm_id = params->vm,
		.priority = params->priority ? params->priority - 1 : DRM_VSHADER_PRIORITY_MEDIUM,
		.flags = DRM_VSHADER_QUEUE_DEBUG,
		.budget = params->budget,
		.time_limit_ms = params->time_limit_ms,
	};
	int ret;

	ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_QUEUE_CREATE, &args);
	if (!ret)
		*id = args.id;
	return ret;
}

int vshader_debug_attach(struct vshader_device *dev, uint32_t queue, uint32_t flags,
			 uint32_t stop_limit_ms, struct vshader_debug **out)
{
	struct drm_vshader_debug_attach args = {
		.queue_id = queue, .flags = flags, .stop_limit_ms = stop_limit_ms, .fd = -1,
	};
	struct vshader_debug *dbg = calloc(1, sizeof(*dbg));
	int ret;

	if (!dbg)
		return vsh_fail(ENOMEM, "out of memory");
	dbg->dev = dev;
	dbg->fd = -1;
	ret = dev->backend->debug_attach(dbg, &args);
	if (ret) {
		free(dbg);
		return ret;
	}
	*out = dbg;
	return 0;
}

void vshader_debug_close(struct vshader_debug *dbg)
{
	if (!dbg)
		return;
	dbg->dev->backend->debug_close(dbg);
	free(dbg);
}

int vshader_debug_fd(const struct vshader_debug *dbg)
{
	return dbg->fd;
}

static const struct {
	unsigned long request;
	const char *name;
} calls[] = {
	{ DRM_IOCTL_VSHADER_DEBUG_SET_POINT, "DEBUG_SET_POINT" },
	{ DRM_IOCTL_VSHADER_DEBUG_CLEAR_POINT, "DEBUG_CLEAR_POINT" },
	{ DRM_IOCTL_VSHADER_DEBUG_GET_POINT, "DEBUG_GET_POINT" },
	{ DRM_IOCTL_VSHADER_DEBUG_INTERRUPT, "DEBUG_INTERRUPT" },
	{ DRM_IOCTL_VSHADER_DEBUG_RESUME, "DEBUG_RESUME" },
	{ DRM_IOCTL_VSHADER_DEBUG_GET_STOP, "DEBUG_GET_STOP" },
	{ DRM_IOCTL_VSHADER_DEBUG_INVOCATIONS, "DEBUG_INVOCATIONS" },
	{ DRM_IOCTL_VSHADER_DEBUG_REGISTERS, "DEBUG_REGISTERS" },
	{ DRM_IOCTL_VSHADER_DEBUG_MEMORY, "DEBUG_MEMORY" },
	{ DRM_IOCTL_VSHADER_DEBUG_TRACE, "DEBUG_TRACE" },
};

static const char *call_name(unsigned long request)
{
	unsigned int i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i].request == request)
			return calls[i].name;
	}
	return "unknown debug call";
}

static const char *hint(int err)
{
	switch (err) {
	case EAGAIN:
		return "the job is not stopped";
	case ENOENT:
		return "there is no such point, invocation or register";
	case E2BIG:
		return "too many points";
	case EFAULT:
		return "nothing is mapped there, or it cannot be written";
	case EACCES:
		return "the register can only be read";
	case EOPNOTSUPP:
		return "programs of this engine do not access memory, or cannot go on elsewhere";
	case EINVAL:
		return "a field or a combination of fields is not valid";
	default:
		return strerror(err);
	}
}

int vshader_debug_ioctl(struct vshader_debug *dbg, unsigned long request, void *arg)
{
	int ret = dbg->dev->backend->debug_ioctl(dbg, request, arg);

	return ret ? vsh_fail(-ret, "%s: %s", call_name(request), hint(-ret)) : 0;
}

/* ---- events ---- */

static int next_event(struct vshader_debug *dbg, int64_t deadline,
		      struct drm_vshader_debug_event *event)
{
	int ret = dbg->dev->backend->debug_read(dbg, deadline, event);

	if (ret == -ETIME)
		return vsh_fail(ETIME, "no event of the debugger came in time");
	return ret ? vsh_fail(-ret, "events of the debugger: %s", strerror(-ret)) : 0;
}

static int64_t deadline_of(int64_t timeout_ns)
{
	return timeout_ns < 0 ? INT64_MAX : vsh_deadline(timeout_ns);
}

int vshader_debug_next_event(struct vshader_debug *dbg, int64_t timeout_ns,
			     struct drm_vshader_debug_event *event)
{
	return next_event(dbg, deadline_of(timeout_ns), event);
}

int vshader_debug_wait(struct vshader_debug *dbg, int64_t timeout_ns,
		       struct drm_vshader_debug_event *event)
{
	int64_t deadline = deadline_of(timeout_ns);
	int ret;

	do {
		ret = next_event(dbg, deadline, event);
	} while (!ret && event->type != DRM_VSHADER_DEBUG_EVENT_STOP &&
		 event->type != DRM_VSHADER_DEBUG_EVENT_JOB_END &&
		 event->type != DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE);
	return ret;
}

/* ---- points, going and stopping ---- */

int vshader_debug_set_point(struct vshader_debug *dbg, struct drm_vshader_debug_point *point)
{
	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_SET_POINT, point);
}

int vshader_debug_get_point(struct vshader_debug *dbg, uint32_t id,
			    struct drm_vshader_debug_point *point)
{
	memset(point, 0, sizeof(*point));
	point->id = id;
	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_GET_POINT, point);
}

int vshader_debug_clear_point(struct vshader_debug *dbg, uint32_t id)
{
	struct drm_vshader_debug_clear_point args = { .id = id };

	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_CLEAR_POINT, &args);
}

int vshader_debug_interrupt(struct vshader_debug *dbg)
{
	struct drm_vshader_debug_interrupt args = { 0 };

	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_INTERRUPT, &args);
}

int vshader_debug_resume(struct vshader_debug *dbg, uint32_t action, uint64_t invocation,
			 uint32_t pc, uint32_t count)
{
	struct drm_vshader_debug_resume args = {
		.action = action, .pc = pc, .count = count, .invocation = invocation,
	};

	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_RESUME, &args);
}

int vshader_debug_get_stop(struct vshader_debug *dbg, struct drm_vshader_debug_stop *stop)
{
	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_GET_STOP, stop);
}

/* ---- looking and changing ---- */

static int compare_invs(const void *a, const void *b)
{
	const struct drm_vshader_debug_invocation *x = a, *y = b;

	return x->invocation < y->invocation ? -1 : x->invocation > y->invocation;
}

int vshader_debug_invocations(struct vshader_debug *dbg,
			      struct drm_vshader_debug_invocation *invs, unsigned int max)
{
	struct drm_vshader_debug_invocations args = { .count = max, .array = (uintptr_t)invs };
	int ret = vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_INVOCATIONS, &args);

	if (ret)
		return ret;
	qsort(invs, args.count < max ? args.count : max, sizeof(*invs), compare_invs);
	return (int)args.count;
}

int vshader_debug_read_registers(struct vshader_debug *dbg, uint64_t invocation, uint32_t first,
				 uint32_t count, uint32_t *values, uint32_t words)
{
	struct drm_vshader_debug_registers args = {
		.invocation = invocation, .first = first, .count = count, .words = words,
		.values = (uintptr_t)values,
	};

	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_REGISTERS, &args);
}

int vshader_debug_write_registers(struct vshader_debug *dbg, uint64_t invocation, uint32_t first,
				  uint32_t count, const uint32_t *values, uint32_t words)
{
	struct drm_vshader_debug_registers args = {
		.invocation = invocation, .first = first, .count = count, .words = words,
		.flags = DRM_VSHADER_DEBUG_ACCESS_WRITE, .values = (uintptr_t)values,
	};

	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_REGISTERS, &args);
}

/* In pieces of the size that a call accepts. */
static int64_t access_memory(struct vshader_debug *dbg, uint64_t va, uintptr_t data,
			     uint64_t size, uint32_t flags)
{
	uint64_t done = 0, piece;
	int ret;

	while (done < size) {
		struct drm_vshader_debug_memory args = { .va = va + done, .data = data + done,
							 .flags = flags };

		piece = size - done < 65536 ? size - done : 65536;
		args.size = piece;
		ret = vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_MEMORY, &args);
		if (ret)
			return done && ret == -EFAULT ? (int64_t)done : ret;
		done += args.size;
		if (args.size < piece)
			break;
	}
	return (int64_t)done;
}

int64_t vshader_debug_read_memory(struct vshader_debug *dbg, uint64_t va, void *data,
				  uint64_t size)
{
	return access_memory(dbg, va, (uintptr_t)data, size, 0);
}

int64_t vshader_debug_write_memory(struct vshader_debug *dbg, uint64_t va, const void *data,
				   uint64_t size)
{
	return access_memory(dbg, va, (uintptr_t)data, size, DRM_VSHADER_DEBUG_ACCESS_WRITE);
}

int vshader_debug_trace(struct vshader_debug *dbg, struct drm_vshader_debug_trace *args)
{
	return vshader_debug_ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_TRACE, args);
}

/* ---- registers of an engine ---- */

#define MAX_BANKS	128

int vshader_debug_banks(struct vshader_device *dev, uint32_t engine,
			struct drm_vshader_debug_bank *banks, unsigned int max)
{
	struct drm_vshader_debug_bank *all = calloc(MAX_BANKS, sizeof(*all));
	struct drm_vshader_dev_query args = {
		.type = DRM_VSHADER_DEV_QUERY_DEBUG_BANKS,
		.size = MAX_BANKS * sizeof(*all),
		.pointer = (uintptr_t)all,
	};
	unsigned int i, n = 0, total;
	int ret;

	if (!all)
		return vsh_fail(ENOMEM, "out of memory");
	ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_DEV_QUERY, &args);
	total = ret ? 0 : args.size / (uint32_t)sizeof(*all);
	for (i = 0; i < total && i < MAX_BANKS; i++) {
		if (all[i].engine != engine)
			continue;
		if (n < max)
			banks[n] = all[i];
		n++;
	}
	free(all);
	return ret ? ret : (int)n;
}

const struct drm_vshader_debug_bank *
vshader_debug_register_name(const struct drm_vshader_debug_bank *banks, unsigned int num,
			    uint32_t reg, char *buf, size_t size)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		const struct drm_vshader_debug_bank *b = &banks[i];

		if (reg < b->first || reg - b->first >= b->count)
			continue;
		if (b->count == 1)
			snprintf(buf, size, "%.16s", b->name);
		else
			snprintf(buf, size, "%.16s%u", b->name, b->name_base + reg - b->first);
		return b;
	}
	return NULL;
}

const struct drm_vshader_debug_bank *
vshader_debug_register_by_name(const struct drm_vshader_debug_bank *banks, unsigned int num,
			       const char *name, uint32_t *reg)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		const struct drm_vshader_debug_bank *b = &banks[i];
		size_t len = strnlen(b->name, sizeof(b->name));
		unsigned long n;
		char *end;

		if (strncmp(name, b->name, len))
			continue;
		*reg = b->first;
		if (b->count == 1) {
			if (!name[len])
				return b;
			continue;
		}
		if (name[len] < '0' || name[len] > '9')
			continue;
		n = strtoul(name + len, &end, 10);
		if (*end || n < b->name_base || n - b->name_base >= b->count)
			continue;
		*reg += (uint32_t)(n - b->name_base);
		return b;
	}
	return NULL;
}
