/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Debug sessions: points, stops, events. Shared by the driver and the library's in-process
 * backend, which provide locks, memory and wait queues.
 *
 * Each debug queue has one struct vs_session, protected as a whole by a lock of its owner. A
 * worker calls vs_session_slice() before each slice of a job and executes without the lock.
 * From vs_session_stopped() to vs_session_slice() or vs_session_resume(), the lock
 * also protects the job's state.
 */
#ifndef VS_SESSION_H
#define VS_SESSION_H

#include "drm/vshader_drm_debug.h"
#include "engine/vs_debug.h"
#include "isa/isa.h"

#define VS_SESSION_EVENTS		256
#define VS_SESSION_TRACE		8192
#define VS_SESSION_MAX_REGS		256
#define VS_SESSION_MAX_INVS		1024
#define VS_SESSION_MAX_BYTES		65536
/* Stops and traces count as CPU time: the limit of a job is this many times its queue's. */
#define VS_SESSION_TIME_SCALE		10U

/**
 * struct vs_session - Debugging of a queue's jobs.
 * @dbg: interface to the machines; owned by the worker during a slice
 * @isa: instruction set
 * @points: breakpoints and watchpoints, as set
 * @last_id: number of the newest point
 * @attached: a debugger is attached
 * @let_go: the debugger has detached and no longer stops jobs
 * @fresh: state of the previous debugger must be reset
 * @gone: the queue has been destroyed
 * @flags: bits of enum drm_vshader_debug_attach_flags
 * @state: enum drm_vshader_debug_state
 * @job: number of the started job, 0: none
 * @program: program of @job
 * @stop: the last stop
 * @since: time of @stop, ns
 * @stopped: total duration of the job's earlier stops, ns
 * @limit: maximum total duration of stops, ns
 * @seq: number of the newest event
 * @lost: events lost by overflow
 * @first: index of the oldest event in @events
 * @num: number of events in @events
 * @events: ring buffer
 */
struct vs_session {
	struct vs_debug dbg;
	const struct vs_isa *isa;
	struct vs_debug_points points;
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
	struct drm_vshader_debug_event events[VS_SESSION_EVENTS];
};

/* @c is zeroed. */
void vs_session_init(struct vs_session *c, const struct vs_isa *isa);

/* ---- the session ---- */

/* Return: 0, -EBUSY, -EINVAL. */
int vs_session_attach(struct vs_session *c, u32 flags, u64 limit_ns);
/* The debugger is gone. Return: true: the started job must be ended. */
bool vs_session_close(struct vs_session *c);
/* No worker uses the session any more. Return: memory to free, or NULL. */
void *vs_session_fini(struct vs_session *c);
/* The queue is gone. */
void vs_session_gone(struct vs_session *c, u64 now);
/* Return: false: there is no event. */
bool vs_session_read(struct vs_session *c, struct drm_vshader_debug_event *ev);
bool vs_session_has_event(const struct vs_session *c);
/* Remaining time of the current stop, ns; ~0: not stopped. */
u64 vs_session_time_left(const struct vs_session *c, u64 now);

int vs_session_set_point(struct vs_session *c, struct drm_vshader_debug_point *p);
int vs_session_get_point(struct vs_session *c, struct drm_vshader_debug_point *p);
int vs_session_clear_point(struct vs_session *c,
			   const struct drm_vshader_debug_clear_point *a);
int vs_session_interrupt(struct vs_session *c, const struct drm_vshader_debug_interrupt *a);
/* @kill: end the started job; @go: a stopped job resumes. */
int vs_session_resume(struct vs_session *c, const struct drm_vshader_debug_resume *a, u64 now,
		      bool *kill, bool *go);
void vs_session_get_stop(const struct vs_session *c, struct drm_vshader_debug_stop *stop);
/* At most @max. */
int vs_session_invocations(struct vs_session *c, struct vs_debug_inv *out, u32 max,
			   u32 *num);
/* Check without the lock; then @values has a->words words. */
int vs_session_check_registers(const struct vs_session *c,
			       const struct drm_vshader_debug_registers *a);
int vs_session_registers(struct vs_session *c, const struct drm_vshader_debug_registers *a,
			 u32 *values);
int vs_session_check_memory(const struct drm_vshader_debug_memory *a);
int vs_session_memory(struct vs_session *c, struct drm_vshader_debug_memory *a, void *data);
int vs_session_check_trace(const struct vs_session *c, const struct drm_vshader_debug_trace *a);
/*
 * @out: a->count records, at most VS_SESSION_TRACE; @buffer: VS_SESSION_TRACE zeroed
 * records for the trace, or NULL; set to NULL if the session keeps it.
 */
int vs_session_trace(struct vs_session *c, struct drm_vshader_debug_trace *a,
		     struct vs_debug_record *out, struct vs_debug_record **buffer);

/* ---- the workers ---- */

/* A slice begins. Return: true: there are new events. */
bool vs_session_slice(struct vs_session *c, u64 job, u32 program, u64 now);
/* A slice has ended with VS_RUN_STOP. Return: false: the stop is obsolete, resume. */
bool vs_session_stopped(struct vs_session *c, u64 now);
/* A job has ended, also one that never began. Return: true: there are new events. */
bool vs_session_ended(struct vs_session *c, u64 job, s32 status, u32 fault, u64 now);

/* ---- registers ---- */

/* Banks of all engines, the first @max in @out. Return: number of banks. */
u32 vs_session_banks(struct drm_vshader_debug_bank *out, u32 max);

#endif /* VS_SESSION_H */
