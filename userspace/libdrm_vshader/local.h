/* SPDX-License-Identifier: MIT */
/*
 * Local backend: the device that the kernel driver makes, inside of the process. One
 * file per concern, as there: local_device, local_vm, local_program, local_queue,
 * local_sync, local_job, local_submit, local_exec.
 *
 * Locking: submit_lock orders submits; lock protects everything that has no lock of its
 * own. submit_lock is taken first. Objects are counted with atomics and may be dropped
 * with or without the locks.
 */
#ifndef VSHADER_LOCAL_H
#define VSHADER_LOCAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "checks.h"
#include "engine/simt/simt_job.h"
#include "engine/vs_job.h"
#include "isa/isa.h"
#include "limits.h"
#include "native/native.h"
#include "priv.h"
#include "debug/capture.h"
#include "debug/fault.h"
#include "debug/session.h"
#include "engine/vs_mappings.h"

/* Weight per slice: about 0.3 ms, for cancellation and time limits. */
#define VSL_SLICE		20000

/** struct vsl_table - objects by id; 0 is never used */
struct vsl_table {
	void **p;
	uint32_t size;
	uint32_t used;
};

/** struct vsl_fence - end of a job; under vsl_device.lock but for @ref */
struct vsl_fence {
	atomic_uint ref;
	bool signaled;
	bool attached;			/* to a syncobj: it may be waited for */
	int error;
};

/** struct vsl_point - fence at a point of a syncobj */
struct vsl_point {
	uint64_t point;
	struct vsl_fence *fence;
};

/**
 * struct vsl_syncobj - under vsl_device.lock
 * @points: fences in ascending order; a binary syncobj has at most one, at point 0
 * @num_points: number of @points
 * @reached: last point of a timeline that was reached and dropped
 */
struct vsl_syncobj {
	struct vsl_point *points;
	uint32_t num_points;
	uint64_t reached;
};

/** struct vsl_tag - identity of a VM, for buffers that are exclusive to it */
struct vsl_tag {
	atomic_uint ref;
};

struct vsl_bo {
	atomic_uint ref;
	int fd;
	uint64_t size;
	uint8_t *ptr;
	uint32_t flags;
	struct vsl_tag *tag;

	/* under lock */
	char label[VSL_MAX_LABEL];
	struct vsl_fence *writer;	/* last job that may write it */
	struct vsl_fence **readers;	/* jobs that may have read it since */
	uint32_t num_readers;
	uint32_t max_readers;
};

/**
 * struct vsl_map - immutable snapshot of a VM
 * @ref: references
 * @ext: mappings; each holds a reference to its buffer
 * @vs: the same for the engine
 */
struct vsl_map {
	atomic_uint ref;
	struct vs_mappings ext;
	struct vs_map vs;
};

struct vsl_vm {
	atomic_uint ref;
	uint32_t number;		/* unique */
	unsigned int bits;
	uint64_t alloc_start;
	struct vsl_tag *tag;
	struct vsl_map *map;		/* under lock */
};

struct vsl_program {
	atomic_uint ref;
	struct vs_program *vs;
};

/**
 * struct vsl_debug - debugging of a queue; under vsl_device.lock
 * @c: session, the same code as in the kernel driver
 * @fd: of the session, or -1
 * @told: @fd is readable
 */
struct vsl_debug {
	struct vs_session c;
	int fd;
	bool told;
};

struct vshader_dump_src;
struct vshader_family;
struct vsl_job;
struct vsl_record;

struct vsl_queue {
	atomic_uint ref;
	struct vsl_device *dev;
	struct vsl_queue *next;		/* of dev->queue_list */
	uint32_t number;		/* unique */
	struct vsl_vm *vm;
	const struct vs_isa *isa;
	const struct vshader_family *family;
	uint32_t priority;
	uint32_t time_limit_ms;
	uint64_t budget;
	struct vs_native_state *native[VS_NUM_NATIVE];	/* under submit_lock */
	struct vsl_debug *debug;	/* or NULL */

	/* under lock */
	struct vsl_job *head;
	struct vsl_job *tail;
	uint32_t queued;
	int error;			/* status of all further jobs, or 0 */
	uint32_t state;
	uint64_t submitted;
	uint64_t completed;
	uint64_t busy_ns;
	uint64_t invocations;
	struct drm_vshader_fault fault;
	uint32_t num_states;		/* 0, or as of @fault */
	void *states;			/* of the processors, as many as the family has */
};

struct vsl_job {
	struct vsl_job *next;		/* of the queue */
	struct vsl_queue *queue;
	struct vsl_map *map;
	struct vsl_program *prog;
	struct vsl_fence *fence;
	struct vs_job *engine;
	struct vs_native *native;
	void *work;			/* shader jobs: owned by the queue's family */
	uint64_t result_va;
	uint64_t number;
	uint32_t flags;
	uint32_t program;		/* its id, 0: native */
	uint32_t num_waits;
	uint32_t max_waits;
	struct vsl_fence **waits;
	struct drm_vshader_native_job native_desc;
	struct vshader_capture args;
	bool is_native;
	uint32_t *words;		/* command list, until it is parsed */
	uint64_t copied;

	/* under lock */
	bool started;
	bool done;
	bool stopped;			/* by its debugger */
	uint32_t active;		/* workers inside */
	uint32_t want;			/* workers that may still come */
	uint64_t busy_ns;		/* CPU time */
	struct vs_worker *ctx;		/* with an arena, from the first slice on */
	uint64_t arena;			/* its bytes */
	struct vsl_record *record;	/* NULL: not recorded */
};

struct vsl_worker {
	struct vsl_device *dev;
	struct vs_worker *ctx;
	struct vs_worker *guest;	/* with an arena, for jobs that others execute */
	uint64_t guest_arena;
	pthread_t thread;
};

struct vsl_device {
	pthread_mutex_t submit_lock;
	pthread_mutex_t lock;
	int record_fd;			/* socket for records, or -1; under lock, as the next two */
	bool record_slow;		/* its reader has let a job wait in vain */
	uint64_t record_lost;		/* jobs since the last record */
	pthread_cond_t work;		/* jobs became runnable */
	pthread_cond_t ended;		/* fences were signaled or attached */
	enum vs_simd simd;
	uint32_t num_workers;
	uint32_t started_workers;
	uint32_t idle_workers;
	uint32_t closing;		/* queues whose end is waited for */
	bool stop;
	bool blocked;			/* a queue's first job waits for a fence */
	struct vsl_job *dead;		/* ended, to be freed without the lock */
	bool dumps;			/* faults leave dumps */
	void *dump;			/* the first one, until it is taken */
	size_t dump_size;
	struct vsl_session *session;	/* submit that is recorded */
	struct vs_worker *spare;	/* context that a job left for the next one */
	uint64_t spare_arena;		/* bytes of its arena */
	struct vsl_worker workers[VSL_MAX_WORKERS];
	struct vsl_worker helper;	/* a thread that waits for the job that it executes */
	bool helping;			/* it is in use */
	struct vsl_queue *queue_list;
	struct vsl_table vms;
	struct vsl_table bos;
	struct vsl_table programs;
	struct vsl_table queues;
	struct vsl_table syncobjs;
};

static inline struct vsl_device *vsl_of(struct vshader_device *dev)
{
	return dev->local;
}

/* ---- local_table.c ---- */

/* All need the lock. Return: 0, -ENOMEM, -E2BIG at @max objects. */
int vsl_table_add(struct vsl_table *t, void *p, uint32_t max, uint32_t *id);
void *vsl_table_get(const struct vsl_table *t, uint32_t id);
void *vsl_table_remove(struct vsl_table *t, uint32_t id);

/* ---- local_vm.c ---- */

struct vsl_bo *vsl_bo_lookup(struct vsl_device *d, uint32_t handle);
void vsl_bo_put(struct vsl_bo *bo);
struct vsl_vm *vsl_vm_lookup(struct vsl_device *d, uint32_t id);
void vsl_vm_put(struct vsl_vm *vm);
uint64_t vsl_vm_limit(const struct vsl_vm *vm);
struct vsl_map *vsl_vm_snapshot(struct vsl_device *d, struct vsl_vm *vm);
void vsl_map_put(struct vsl_map *map);
bool vsl_map_writable(const struct vsl_map *map, uint64_t va, uint64_t size);
int vsl_vm_create(struct vsl_device *d, struct drm_vshader_vm_create *args);
int vsl_vm_destroy(struct vsl_device *d, struct drm_vshader_vm_destroy *args);
int vsl_vm_bind(struct vsl_device *d, struct drm_vshader_vm_bind *args);

/* ---- local_bo.c ---- */

int vsl_bo_create(struct vsl_device *d, struct drm_vshader_bo_create *args);
int vsl_bo_mmap_offset(struct vsl_device *d, struct drm_vshader_bo_mmap_offset *args);
int vsl_bo_set_label(struct vsl_device *d, struct drm_vshader_bo_set_label *args);
int vsl_bo_map(struct vshader_bo *bo);
void vsl_bo_close(struct vshader_bo *bo);
int vsl_bo_export(struct vshader_bo *bo, int *fd);
int vsl_bo_import(struct vshader_device *dev, int fd, uint32_t *handle, uint64_t *size);

/* ---- local_program.c ---- */

struct vsl_program *vsl_program_lookup(struct vsl_device *d, uint32_t id);
void vsl_program_put(struct vsl_program *p);
int vsl_program_create(struct vsl_device *d, struct drm_vshader_program_create *args);
int vsl_program_destroy(struct vsl_device *d, struct drm_vshader_program_destroy *args);
int vsl_program_query(struct vsl_device *d, struct drm_vshader_program_query *args);

/* ---- local_queue.c ---- */

struct vsl_queue *vsl_queue_lookup(struct vsl_device *d, uint32_t id);
void vsl_queue_put(struct vsl_queue *q);
int vsl_queue_create(struct vsl_device *d, struct drm_vshader_queue_create *args);
int vsl_queue_destroy(struct vsl_device *d, struct drm_vshader_queue_destroy *args);
/* Cancel all jobs and drop the table's reference. */
void vsl_queue_close(struct vsl_device *d, struct vsl_queue *q);
int vsl_queue_get_state(struct vsl_device *d, struct drm_vshader_queue_get_state *args);

/* ---- local_sync.c ---- */

struct vsl_fence *vsl_fence_new(void);
struct vsl_fence *vsl_fence_get(struct vsl_fence *f);
void vsl_fence_put(struct vsl_fence *f);
/* With the lock. */
void vsl_fence_signal(struct vsl_device *d, struct vsl_fence *f, int error);
struct vsl_syncobj *vsl_syncobj_lookup(struct vsl_device *d, uint32_t handle);
void vsl_syncobj_free(struct vsl_syncobj *s);
/* Make room for one more point, so that attaching cannot fail. */
int vsl_syncobj_reserve(struct vsl_syncobj *s, uint32_t more);
void vsl_syncobj_attach(struct vsl_device *d, struct vsl_syncobj *s, uint64_t point,
			struct vsl_fence *f);
/* Whether there is something to wait for (or that was reached) at a point. */
bool vsl_syncobj_submitted(const struct vsl_syncobj *s, uint64_t point);
/* Number of points to wait for. */
uint32_t vsl_syncobj_until(const struct vsl_syncobj *s, uint64_t point);
int vsl_sync_create(struct vshader_device *dev, bool signaled, uint32_t *handle);
int vsl_sync_destroy(struct vshader_device *dev, uint32_t handle);
int vsl_sync_reset(struct vshader_device *dev, uint32_t handle);
int vsl_sync_signal(struct vshader_device *dev, uint32_t handle, uint64_t point);
int vsl_sync_wait(struct vshader_device *dev, uint32_t handle, uint64_t point, int64_t deadline);
int vsl_sync_query(struct vshader_device *dev, uint32_t handle, uint64_t *point);

/* ---- local_job.c ---- */

/* Everything but parsing of native jobs, waits and signals. */
int vsl_job_new(struct vsl_device *d, const struct drm_vshader_job *uj, struct vsl_job **out);
/* With submit_lock. @fault is filled with -ENOEXEC. */
int vsl_job_parse_native(struct vsl_job *job, struct vs_native_state *state,
			 struct vs_fault *fault);
void vsl_job_free(struct vsl_job *job);
/* Memory for engine and phases. */
int vsl_job_set_engine(struct vsl_job *job, const struct vs_map *map, uint32_t phases);
int vsl_job_reserve_waits(struct vsl_job *job, uint32_t more);
/* Needs room. */
void vsl_job_add_wait(struct vsl_job *job, struct vsl_fence *f);

/* ---- local_submit.c ---- */

int vsl_submit(struct vsl_device *d, struct drm_vshader_submit *args);

/* ---- local_exec.c ---- */

int vsl_exec_start(struct vsl_device *d);
void vsl_exec_stop(struct vsl_device *d);
/* With the lock: append to the queue. */
void vsl_exec_push(struct vsl_device *d, struct vsl_job *job);
/* With the lock: something may have become runnable. */
void vsl_exec_kick(struct vsl_device *d, uint32_t workers);
/*
 * With the lock, which is given back meanwhile: execute the job that signals @f, if it is the next
 * one of its queue, nobody has begun it, and it will have ended long before @deadline. Return:
 * false: another thread has to.
 */
bool vsl_exec_help(struct vsl_device *d, struct vsl_fence *f, int64_t deadline);
/* With the lock: end a queue's jobs soon, and all that come later. */
void vsl_exec_cancel(struct vsl_device *d, struct vsl_queue *q, int error);
/* With the lock: the queue's job is stopped no more. */
void vsl_exec_resume(struct vsl_device *d, struct vsl_queue *q);
/* Without the lock: free jobs that ended. */
void vsl_exec_reap(struct vsl_device *d);

/* ---- local_dump.c ---- */

void vsl_dump_enable(struct vsl_device *d);
int vsl_dump_take(struct vsl_device *d, void **data, size_t *size);
/* With the lock: a job has ended. */
void vsl_dump_job(struct vsl_device *d, const struct vsl_job *job,
		  const struct drm_vshader_job_result *r);

/* All but @limit, states of processors and members of records. */
void vsl_dump_fill(const struct vsl_device *d, const struct vsl_job *job,
		   const struct drm_vshader_job_result *r, struct vshader_dump_src *src);

/* ---- local_record.c ---- */

void vsl_record_open(struct vsl_device *d);
void vsl_record_close(struct vsl_device *d);
/* With the lock: a job is about to run. */
void vsl_record_begin(struct vsl_device *d, struct vsl_job *job);
/* With the lock: it has ended. */
void vsl_record_end(struct vsl_device *d, struct vsl_job *job,
		    const struct drm_vshader_job_result *r);
void vsl_record_free(struct vsl_job *job);

/* ---- local_debug.c ---- */

struct vsl_debug *vsl_debug_new(const struct vs_isa *isa);
void vsl_debug_free(struct vsl_debug *g);
/* Before a slice, without the lock. */
void vsl_debug_slice(struct vsl_device *d, struct vsl_job *job);
/* A slice ended with VS_RUN_STOP; without the lock. Return: false: go on. */
bool vsl_debug_stopped(struct vsl_device *d, struct vsl_job *job);
/* With the lock. */
void vsl_debug_ended(struct vsl_device *d, struct vsl_job *job, int32_t status, uint32_t fault);
void vsl_debug_gone(struct vsl_device *d, struct vsl_queue *q);
int vsl_debug_attach(struct vshader_debug *dbg, struct drm_vshader_debug_attach *args);
void vsl_debug_close(struct vshader_debug *dbg);
int vsl_debug_ioctl(struct vshader_debug *dbg, unsigned long request, void *arg);
int vsl_debug_read(struct vshader_debug *dbg, int64_t deadline,
		   struct drm_vshader_debug_event *event);

#endif /* VSHADER_LOCAL_H */
