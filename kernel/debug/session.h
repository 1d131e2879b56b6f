/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Debug sessions: points, stops, events. The same for the driver and for the library's
 * in-process backend, which bring locks, memory and ways to wait.
 *
 * Each queue that can be debugged has one struct vshader_session, all of which is protected by a
 * lock of its owner. A worker calls vshader_session_slice() before each slice of a job, and
 * executes without the lock. After vshader_session_stopped() the job's state belongs to whoever
 * has the lock, until vshader_session_slice() or vshader_session_resume().
 */
#ifndef VSHADER_SESSION_H
#define VSHADER_SESSION_H

#include "drm/vshader_drm_debug.h"
#include "engine/vs_dbg.h"
#include "isa/isa.h"

#define VSHADER_SESSION_EVENTS		256
#define VSHADER_SESSION_TRACE		8192
#define VSHADER_SESSION_MAX_REGS		256
#define VSHADER_SESSION_MAX_INVS		1024
#define VSHADER_SESSION_MAX_BYTES		65536

/**
 * struct vshader_session - Debugging of a queue's jobs.
 * @dbg: what machines ask; theirs while a job runs
 * @isa: instruction set
 * @points: breakpoints and watchpoints as they were set
 * @last_id: number of the newest of them
 * @attached: there is a debugger
 * @let_go: it does not stop jobs any more
 * @fresh: what the debugger before left is still to be forgotten
 * @gone: the queue has been destroyed
 * @flags: bits of enum drm_vshader_debug_attach_flags
 * @state: enum drm_vshader_debug_state
 * @job: number of the job that has been started, 0: none
 * @program: its program
 * @stop: the last stop
 * @since: when it was, ns
 * @stopped: how long the job has been stopped before, ns
 * @limit: how long it may be, ns
 * @seq: number of the newest event
 * @lost: events that there was no room for
 * @first: oldest event
 * @num: events
 * @events: ring
 */
struct vshader_session {
	struct vs_dbg dbg;
	const struct vs_isa *isa;
	struct vs_dbg_points points;
	u32 last_id;
	bool attached;
	bool let_go;
	bool fresh;
	bool gone;
	u32 flags;
	u32 state;
	u64 job;
	u32 program;
	struct drm_vshader_debug_stop stop;
	u64 since;
	u64 stopped;
	u64 limit;
	u64 seq;
	u64 lost;
	u32 first;
	u32 num;
	struct drm_vshader_debug_event events[VSHADER_SESSION_EVENTS];
};

/* @c is zeros. */
void vshader_session_init(struct vshader_session *c, const struct vs_isa *isa);

/* ---- the session ---- */

/* Return: 0, -EBUSY, -EINVAL. */
int vshader_session_attach(struct vshader_session *c, u32 flags, u64 limit_ns);
/* The debugger is gone. Return: true: the job that has been started must be ended. */
bool vshader_session_close(struct vshader_session *c);
/* Nothing runs any more. Return: memory to be freed, or NULL. */
void *vshader_session_fini(struct vshader_session *c);
/* The queue is gone. */
void vshader_session_gone(struct vshader_session *c, u64 now);
/* Return: false: there is no event. */
bool vshader_session_read(struct vshader_session *c, struct drm_vshader_debug_event *ev);
bool vshader_session_has_event(const struct vshader_session *c);
/* How long the job may still be stopped, ns; ~0: it is not stopped. */
u64 vshader_session_time_left(const struct vshader_session *c, u64 now);

int vshader_session_set_point(struct vshader_session *c, struct drm_vshader_debug_point *p);
int vshader_session_get_point(struct vshader_session *c, struct drm_vshader_debug_point *p);
int vshader_session_clear_point(struct vshader_session *c,
			    const struct drm_vshader_debug_clear_point *a);
int vshader_session_interrupt(struct vshader_session *c, const struct drm_vshader_debug_interrupt *a);
/* @kill: end the job that has been started; @go: a stopped job goes on. */
int vshader_session_resume(struct vshader_session *c, const struct drm_vshader_debug_resume *a, u64 now,
		       bool *kill, bool *go);
void vshader_session_get_stop(const struct vshader_session *c, struct drm_vshader_debug_stop *stop);
/* At most @max. */
int vshader_session_invocations(struct vshader_session *c, struct vs_dbg_inv *out, u32 max, u32 *num);
/* Check without the lock; then @values has a->words words. */
int vshader_session_check_registers(const struct vshader_session *c,
				const struct drm_vshader_debug_registers *a);
int vshader_session_registers(struct vshader_session *c, const struct drm_vshader_debug_registers *a,
			  u32 *values);
int vshader_session_check_memory(const struct drm_vshader_debug_memory *a);
int vshader_session_memory(struct vshader_session *c, struct drm_vshader_debug_memory *a, void *data);
int vshader_session_check_trace(const struct drm_vshader_debug_trace *a);
/*
 * @out: room for a->count records, at most VSHADER_SESSION_TRACE; @buffer: VSHADER_SESSION_TRACE records
 * of zeros for the trace, or NULL; NULL if it has been taken.
 */
int vshader_session_trace(struct vshader_session *c, struct drm_vshader_debug_trace *a,
		      struct vs_dbg_record *out, struct vs_dbg_record **buffer);

/* ---- the workers ---- */

/* A slice begins. Return: true: there are new events. */
bool vshader_session_slice(struct vshader_session *c, u64 job, u32 program, u64 now);
/* It has ended with VS_RUN_STOP. Return: false: nobody wants that any more, go on. */
bool vshader_session_stopped(struct vshader_session *c, u64 now);
/* A job has ended, also one that never began. Return: true: there are new events. */
bool vshader_session_ended(struct vshader_session *c, u64 job, s32 status, u32 fault, u64 now);

/* ---- registers ---- */

/* Banks of all engines. Return: how many; those that there is room for are in @out. */
u32 vshader_session_banks(struct drm_vshader_debug_bank *out, u32 max);

#endif /* VSHADER_SESSION_H */
