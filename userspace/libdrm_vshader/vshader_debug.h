/* SPDX-License-Identifier: MIT */
/*
 * Debugging with libdrm_vshader: the same on a kernel device and in-process.
 * vshader_drm_debug.h documents the structures.
 *
 * A session belongs to a queue that was created with DRM_VSHADER_QUEUE_DEBUG. Submit jobs
 * without signals, then wait for events:
 *
 *	vshader_debug_queue_create(dev, &params, &queue);
 *	vshader_debug_attach(dev, queue, 0, 0, &dbg);
 *	vshader_debug_set_point(dbg, &point);
 *	vshader_submit(dev, &job, 1, NULL, NULL);
 *	vshader_debug_wait(dbg, -1, &event);		// stop or end of a job
 *	vshader_debug_read_registers(dbg, inv, reg, 1, &value, 1);
 *	vshader_debug_resume(dbg, DRM_VSHADER_DEBUG_CONTINUE, 0, 0, 0);
 *
 * A session may be used by several threads, but for closing it.
 */
#ifndef VSHADER_DEBUG_H
#define VSHADER_DEBUG_H

#include "vshader.h"
#include "vshader_drm_debug.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * vshader_debug_queue_create - create a queue whose jobs can be debugged
 * @dev: device
 * @params: its properties
 * @id: queue id
 *
 * Return: 0 or a negative errno.
 */
int vshader_debug_queue_create(struct vshader_device *dev,
			       const struct vshader_queue_params *params, uint32_t *id);

/** struct vshader_debug - a debug session */
struct vshader_debug;

/**
 * vshader_debug_attach - debug the jobs of a queue
 * @dev: device
 * @queue: queue, created with DRM_VSHADER_QUEUE_DEBUG
 * @flags: bits of enum drm_vshader_debug_attach_flags
 * @stop_limit_ms: how long a job may be stopped, 0: the default
 * @out: the session
 *
 * Return: 0, -EBUSY there is one already, -EOPNOTSUPP not such a queue, or another error.
 */
int vshader_debug_attach(struct vshader_device *dev, uint32_t queue, uint32_t flags,
			 uint32_t stop_limit_ms, struct vshader_debug **out);

/**
 * vshader_debug_close - end a session
 * @dbg: session, or NULL
 *
 * A job that has been started ends, unless DRM_VSHADER_DEBUG_DETACH has let go of it. Close
 * sessions before their device.
 */
void vshader_debug_close(struct vshader_debug *dbg);

/**
 * vshader_debug_fd - file descriptor to poll
 * @dbg: session
 *
 * It is readable while there are events. Do not read from it.
 *
 * Return: file descriptor, which belongs to the session.
 */
int vshader_debug_fd(const struct vshader_debug *dbg);

/**
 * vshader_debug_ioctl - raw call
 * @dbg: session
 * @request: one of DRM_IOCTL_VSHADER_DEBUG_*
 * @arg: its argument structure
 *
 * Return: 0 or a negative errno.
 */
int vshader_debug_ioctl(struct vshader_debug *dbg, unsigned long request, void *arg);

/**
 * vshader_debug_next_event - take the next event
 * @dbg: session
 * @timeout_ns: how long to wait for one, negative: for ever
 * @event: the event
 *
 * Return: 0, -ETIME none came, or another error.
 */
int vshader_debug_next_event(struct vshader_debug *dbg, int64_t timeout_ns,
			     struct drm_vshader_debug_event *event);

/**
 * vshader_debug_wait - take events up to a stop, the end of a job or of the queue
 * @dbg: session
 * @timeout_ns: how long to wait, negative: for ever
 * @event: that event
 *
 * Return: 0, -ETIME none came, or another error.
 */
int vshader_debug_wait(struct vshader_debug *dbg, int64_t timeout_ns,
		       struct drm_vshader_debug_event *event);

/**
 * vshader_debug_set_point - set or change a breakpoint or watchpoint
 * @dbg: session
 * @point: breakpoint or watchpoint; @id 0: a new one, receives its number
 *
 * Return: 0 or a negative errno.
 */
int vshader_debug_set_point(struct vshader_debug *dbg, struct drm_vshader_debug_point *point);

/**
 * vshader_debug_get_point - state of a point
 * @dbg: session
 * @id: its number
 * @point: the point, with its hits
 *
 * Return: 0 or -ENOENT.
 */
int vshader_debug_get_point(struct vshader_debug *dbg, uint32_t id,
			    struct drm_vshader_debug_point *point);

/**
 * vshader_debug_clear_point - remove a breakpoint or watchpoint
 * @dbg: session
 * @id: its number, 0: all
 *
 * Return: 0 or -ENOENT.
 */
int vshader_debug_clear_point(struct vshader_debug *dbg, uint32_t id);

/**
 * vshader_debug_interrupt - stop soon
 * @dbg: session
 *
 * Return: 0 or a negative errno.
 */
int vshader_debug_interrupt(struct vshader_debug *dbg);

/**
 * vshader_debug_resume - go on
 * @dbg: session
 * @action: enum drm_vshader_debug_action
 * @invocation: whose steps count
 * @pc: of UNTIL
 * @count: of STEP and STEP_OVER
 *
 * Arguments that an action does not use must be 0.
 *
 * Return: 0, -EAGAIN not stopped, -ENOENT no such invocation, -EINVAL.
 */
int vshader_debug_resume(struct vshader_debug *dbg, uint32_t action, uint64_t invocation,
			 uint32_t pc, uint32_t count);

/**
 * vshader_debug_get_stop - state, and the last stop
 * @dbg: session
 * @stop: where and why
 *
 * Return: 0 or a negative errno.
 */
int vshader_debug_get_stop(struct vshader_debug *dbg, struct drm_vshader_debug_stop *stop);

/**
 * vshader_debug_invocations - the invocations that are being executed
 * @dbg: session
 * @invs: where to, by number of the invocation
 * @max: room
 *
 * Return: how many there are, which may be more than @max, or -EAGAIN.
 */
int vshader_debug_invocations(struct vshader_debug *dbg,
			      struct drm_vshader_debug_invocation *invs, unsigned int max);

/**
 * vshader_debug_read_registers - read registers of an invocation
 * @dbg: session
 * @invocation: which
 * @first: first register
 * @count: registers
 * @values: their components, one after the other
 * @words: number of them
 *
 * Return: 0, -EAGAIN, -ENOENT, -EINVAL.
 */
int vshader_debug_read_registers(struct vshader_debug *dbg, uint64_t invocation, uint32_t first,
				 uint32_t count, uint32_t *values, uint32_t words);

/**
 * vshader_debug_write_registers - write registers of an invocation
 * @dbg: session
 * @invocation: which
 * @first: first register
 * @count: registers
 * @values: their components, one after the other
 * @words: number of them
 *
 * Return: 0, -EAGAIN, -ENOENT, -EINVAL, -EACCES.
 */
int vshader_debug_write_registers(struct vshader_debug *dbg, uint64_t invocation, uint32_t first,
				  uint32_t count, const uint32_t *values, uint32_t words);

/**
 * vshader_debug_read_memory - read the job's address space
 * @dbg: session
 * @va: address
 * @data: where to
 * @size: bytes
 *
 * Return: bytes read, fewer where the mapping ends, or -EAGAIN, -EFAULT.
 */
int64_t vshader_debug_read_memory(struct vshader_debug *dbg, uint64_t va, void *data,
				  uint64_t size);

/**
 * vshader_debug_write_memory - write the job's address space
 * @dbg: session
 * @va: address
 * @data: bytes
 * @size: how many
 *
 * Return: bytes written, fewer where the mapping ends, or -EAGAIN, -EFAULT.
 */
int64_t vshader_debug_write_memory(struct vshader_debug *dbg, uint64_t va, const void *data,
				   uint64_t size);

/**
 * vshader_debug_trace - start or end tracing, and take records
 * @dbg: session
 * @args: access
 *
 * Return: 0 or -EAGAIN a job runs.
 */
int vshader_debug_trace(struct vshader_debug *dbg, struct drm_vshader_debug_trace *args);

/* ---- registers of an engine ---- */

/**
 * vshader_debug_banks - register banks of an engine
 * @dev: device
 * @engine: enum drm_vshader_engine
 * @banks: where to, or NULL
 * @max: room
 *
 * Return: how many there are, 0 if the engine cannot be debugged, or a negative errno.
 */
int vshader_debug_banks(struct vshader_device *dev, uint32_t engine,
			struct drm_vshader_debug_bank *banks, unsigned int max);

/**
 * vshader_debug_register_name - name of a register
 * @banks: banks of an engine
 * @num: number of @banks
 * @reg: register
 * @buf: buffer
 * @size: bytes at @buf, 28 are enough
 *
 * Return: its bank, or NULL.
 */
const struct drm_vshader_debug_bank *
vshader_debug_register_name(const struct drm_vshader_debug_bank *banks, unsigned int num,
			    uint32_t reg, char *buf, size_t size);

/**
 * vshader_debug_register_by_name - find a register
 * @banks: banks of an engine
 * @num: number of @banks
 * @name: name
 * @reg: the register
 *
 * Return: its bank, or NULL.
 */
const struct drm_vshader_debug_bank *
vshader_debug_register_by_name(const struct drm_vshader_debug_bank *banks, unsigned int num,
			       const char *name, uint32_t *reg);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_DEBUG_H */
