// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: debugging, with all ioctls of the debug file descriptor.
 */
#include <fcntl.h>

#include "ops.h"

/* A queue for debugging instead of the scene's. */
FZ_OP(debug_queue)
{
	struct drm_vshader_queue_create *a = fz_mem(c, sizeof(*a));
	struct fz_res *vm = fz_res(c, FZ_VM), *q;

	a->engine = vm->scene ? fz_scenes[vm->scene - 1].queue->engine : fz_byte(c) % 6;
	a->vm_id = vm->id;
	a->priority = DRM_VSHADER_PRIORITY_MEDIUM;
	a->flags = DRM_VSHADER_QUEUE_DEBUG;
	a->budget = 200000;
	a->time_limit_ms = 50;
	if (fz_ioctl(c, vm->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, a))
		return;
	q = fz_add(c, FZ_QUEUE, vm->fd, a->id);
	q->scene = vm->scene;
	q->size = a->flags;
}

FZ_OP(debug_attach)
{
	struct drm_vshader_debug_attach *a = fz_mem(c, sizeof(*a));
	struct fz_res *q = fz_res(c, FZ_QUEUE);

	a->queue_id = q->id;
	a->flags = (fz_byte(c) & 3) ^ DRM_VSHADER_DEBUG_STOP_START;
	a->stop_limit_ms = fz_byte(c) % 2 ? 20 : 0;
	if (fz_ioctl(c, q->fd, DRM_IOCTL_VSHADER_DEBUG_ATTACH, a))
		return;
	/* reads do not wait for events */
	fcntl(a->fd, F_SETFL, O_NONBLOCK);
	fz_add(c, FZ_DEBUG, a->fd, 0);
}

static int debugger(struct fz_ctx *c)
{
	return fz_res(c, FZ_DEBUG)->fd;
}

/* The job has to be there, in most cases. */
static void settle(struct fz_ctx *c)
{
	if (fz_byte(c) % 2 == 0)
		usleep(500);
}

FZ_OP(set_point)
{
	struct drm_vshader_debug_point *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);
	struct fz_res *m;

	a->kind = fz_byte(c) % 2;
	a->flags = fz_byte(c) & 0x1f;
	a->id = fz_byte(c) % 8;
	if (a->kind == DRM_VSHADER_DEBUG_BREAK) {
		a->pc = fz_byte(c) % 64;
		a->ignore = fz_byte(c) % 4;
		a->flags &= 7;
	} else {
		m = fz_res(c, FZ_MAP);
		a->flags |= DRM_VSHADER_DEBUG_POINT_READ | DRM_VSHADER_DEBUG_POINT_WRITE;
		a->va = m->va;
		a->size = m->size ? m->size : 16;
	}
	a->last = a->flags & DRM_VSHADER_DEBUG_POINT_FILTER ? fz_byte(c) : 0;
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_SET_POINT, a);
}

FZ_OP(clear_point)
{
	struct drm_vshader_debug_clear_point *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);

	a->id = fz_byte(c) % 8;
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_CLEAR_POINT, a);
}

FZ_OP(get_point)
{
	struct drm_vshader_debug_point *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);

	a->id = 1 + fz_byte(c) % 8;
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_GET_POINT, a);
}

FZ_OP(interrupt)
{
	struct drm_vshader_debug_interrupt *a = fz_mem(c, sizeof(*a));

	fz_ioctl(c, debugger(c), DRM_IOCTL_VSHADER_DEBUG_INTERRUPT, a);
}

FZ_OP(resume)
{
	static const u8 actions[] = {
		DRM_VSHADER_DEBUG_STEP, DRM_VSHADER_DEBUG_STEP_OVER, DRM_VSHADER_DEBUG_STEP_OUT,
		DRM_VSHADER_DEBUG_UNTIL, DRM_VSHADER_DEBUG_JUMP, DRM_VSHADER_DEBUG_CONTINUE,
		DRM_VSHADER_DEBUG_KILL, DRM_VSHADER_DEBUG_DETACH,
	};
	struct drm_vshader_debug_resume *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);

	a->action = actions[fz_pick(c, ARRAY_SIZE(actions))];
	settle(c);
	if (a->action == DRM_VSHADER_DEBUG_UNTIL || a->action == DRM_VSHADER_DEBUG_JUMP)
		a->pc = fz_byte(c) % 64;
	if (a->action == DRM_VSHADER_DEBUG_STEP || a->action == DRM_VSHADER_DEBUG_STEP_OVER)
		a->count = fz_byte(c) % 16;
	if (a->action != DRM_VSHADER_DEBUG_CONTINUE && a->action < DRM_VSHADER_DEBUG_KILL)
		a->invocation = fz_byte(c) % 16;
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_RESUME, a);
}

FZ_OP(get_stop)
{
	struct drm_vshader_debug_stop *a = fz_mem(c, sizeof(*a));

	fz_ioctl(c, debugger(c), DRM_IOCTL_VSHADER_DEBUG_GET_STOP, a);
}

FZ_OP(invocations)
{
	struct drm_vshader_debug_invocations *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);

	settle(c);
	a->count = 64 - fz_byte(c) % 65;
	a->array = PTR(fz_mem(c, 64 * sizeof(struct drm_vshader_debug_invocation)));
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_INVOCATIONS, a);
}

FZ_OP(registers)
{
	static const u8 components[] = { 4, 1, 16 };
	struct drm_vshader_debug_registers *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);

	settle(c);
	a->invocation = fz_byte(c) % 16;
	a->first = 4 * fz_byte(c);
	a->count = 1 + fz_byte(c) % 4;
	a->words = a->count * components[fz_pick(c, ARRAY_SIZE(components))];
	a->flags = fz_byte(c) & DRM_VSHADER_DEBUG_ACCESS_WRITE;
	a->values = PTR(fz_mem(c, 4 * a->words));
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_REGISTERS, a);
}

FZ_OP(debug_memory)
{
	struct drm_vshader_debug_memory *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);

	settle(c);
	a->va = fz_res(c, FZ_MAP)->va + 4 * fz_byte(c);
	a->size = 16 + fz_byte(c) * 16;
	a->flags = fz_byte(c) & DRM_VSHADER_DEBUG_ACCESS_WRITE;
	a->data = PTR(fz_mem(c, a->size));
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_MEMORY, a);
}

FZ_OP(trace)
{
	struct drm_vshader_debug_trace *a = fz_mem(c, sizeof(*a));
	int fd = debugger(c);

	settle(c);
	a->flags = (fz_byte(c) & 15) ^ DRM_VSHADER_DEBUG_TRACE_ON;
	a->count = fz_byte(c);
	a->records = PTR(fz_mem(c, a->count * sizeof(struct drm_vshader_debug_trace_record)));
	a->filter_pc_last = fz_byte(c);
	a->filter_last = fz_byte(c);
	/* fragments at a pixel */
	if (fz_byte(c) & 1) {
		a->flags |= DRM_VSHADER_DEBUG_TRACE_FRAGMENTS;
		a->filter_words = 2;
		a->filter_values[0] = fz_byte(c) % 8;
		a->filter_values[1] = fz_byte(c) % 8;
	}
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_DEBUG_TRACE, a);
}

FZ_OP(debug_read)
{
	int fd = debugger(c);
	u32 size = sizeof(struct drm_vshader_debug_event) * (1 + fz_byte(c) % 4) - fz_byte(c) % 3;
	void *buf = fz_mem(c, size);

	settle(c);
	if (fd >= 0 && read(fd, buf, size) < 0 && errno == EFAULT)
		c->at = FZ_BYTES;
}
