/* SPDX-License-Identifier: MIT */
/*
 * vshader gl: a DRM file (gl_file.c) has buffers (gl_bo.c), syncobjs (gl_sync.c) and contexts
 * (gl_ctx.c), whose jobs (gl_job.c) are executed one after the other. A driver's ioctls are a table
 * over them (gl_panfrost.c, gl_lima.c, gl_vc4.c).
 */
#ifndef VSHADER_GL_PRIV_H
#define VSHADER_GL_PRIV_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "../libvshader_gl/gl_proto.h"
#include "personality/pers_va.h"
#include "gl.h"

#define NR(request)	((request) & 0xff)

/* How long a message may keep the file's others waiting. */
#define GL_PATIENCE_NS	20000000LL

/* Handles of contexts are 0, which every file has, to this one. */
#define GL_MAX_CTX	64U

/* Priorities of contexts. */
#define GL_PRIORITY_LOW		0
#define GL_PRIORITY_MEDIUM	1
#define GL_PRIORITY_HIGH	2

struct gl_fence;
struct gl_primary;
struct gl_shared;
struct gl_syncobj;
struct gl_timeline;

/**
 * struct gl_bo_kind - how a buffer was created
 * @flags: the driver's
 * @noexec: not for programs
 * @heap: without memory for the program
 */
struct gl_bo_kind {
	uint32_t flags;
	bool noexec;
	bool heap;
};

/**
 * struct gl_bo - a handle's buffer
 * @bo: buffer, NULL: the handle is free
 * @kind: as it was created
 * @imported: not from this command's files
 * @label: or NULL
 * @own: the driver's, or NULL
 * @last: fence of the last job that named it, or NULL
 * @wrote: fence of the last one that writes it, or NULL
 * @shared: of a buffer that was exported or imported, else NULL
 */
struct gl_bo {
	struct vshader_bo *bo;
	struct gl_bo_kind kind;
	bool imported;
	char *label;
	void *own;
	struct gl_fence *last;
	struct gl_fence *wrote;
	struct gl_shared *shared;
};

/**
 * struct gl_ctx - a context of a file; its jobs are executed one after the other
 * @queue: queue
 * @engine: enum drm_vshader_engine
 * @pair: a fault in one of both ends the later jobs of both at once; or NULL
 * @guilty: a job has faulted
 * @priority: GL_PRIORITY_*
 * @timeline: has a point for each job
 * @submitted: jobs
 */
struct gl_ctx {
	uint32_t queue;
	uint32_t engine;
	struct gl_ctx *pair;
	bool guilty;
	uint32_t priority;
	struct gl_timeline *timeline;
	uint64_t submitted;
};

/**
 * struct gl_file - a DRM file
 * @server: server
 * @open: it could be opened
 * @primary: of the primary node, NULL: of the render node
 * @opener: process that has opened it, and its user
 * @dev: device of the file; @timeline closes it
 * @timeline: of the file itself, for those of its contexts
 * @vm: address space
 * @own: the driver's
 * @ctxs: panfrost's contexts by handle; 0 is there from the beginning
 * @vas: addresses of the buffers
 * @bos: buffers by handle; 0 is none
 * @num_bos: size of @bos
 * @handles: two tables for the program, as GL_OPEN has them; NULL: it asks
 * @newest: fence of the last job, as long as its buffers count as busy; or NULL
 * @syncs: syncobjs by handle; 0 is none
 * @num_syncs: size of @syncs
 */
struct gl_file {
	struct gl_server *server;
	bool open;
	struct gl_primary *primary;
	struct ucred opener;
	struct vshader_device *dev;
	struct gl_timeline *timeline;
	uint32_t vm;
	void *own;
	struct gl_ctx *ctxs[GL_MAX_CTX + 1];
	struct pers_vas vas;
	struct gl_bo *bos;
	uint32_t num_bos;
	uint64_t *handles;
	struct gl_fence *newest;
	struct gl_syncobj **syncs;
	uint32_t num_syncs;
};

/**
 * struct gl_call - a message
 * @arg: argument, as long as any
 * @pass: descriptor that came or goes along, or -1
 * @arrays: error of the first array that has one: -EFAULT, -EINVAL: too long
 * @errors: of each array that the ioctl reads, as in &struct gl_request
 * @since: time of the first message, of which this is a repetition; CLOCK_MONOTONIC, ns
 * @sock: connection
 * @inherited: it is of another process than the one that has opened the file
 * @caller: the process that calls, and its user; of one that has opened the file when it did
 */
struct gl_call {
	uint8_t arg[GL_MAX_ARG] __attribute__((aligned(8)));
	int pass;
	int arrays;
	int32_t errors[GL_MAX_READ];
	int64_t since;
	int sock;
	bool inherited;
	struct ucred caller;
};

/**
 * struct gl_ioctl - an entry of the table of ioctls
 * @nr: number
 * @fn: function. Return: 0, an errno, or GL_AGAIN
 * @late: @fn looks at the error of the arrays itself
 * @timeline: of drivers with timelines
 */
struct gl_ioctl {
	uint32_t nr;
	int (*fn)(struct gl_file *f, struct gl_call *c);
	bool late;
	bool timeline;
};

/* Who gets to see a buffer's memory: a mapping that reads or writes, or another file. */
enum gl_share { GL_SHARE_READ, GL_SHARE_WRITE, GL_SHARE_EXPORT };

/**
 * struct gl_driver - a driver's interface
 * @kind: which one
 * @vm_flags: DRM_VSHADER_VM_*
 * @timelines: its syncobjs can be timelines
 * @ioctls: its ioctls
 * @submit: number of the one that submits jobs
 * @open: a file has been opened. Return: 0 or an errno
 * @close: it is closed: jobs that have not ended are cancelled, and their fences signal
 * @place: addresses that a buffer may have
 * @check_share: NULL, or whether a buffer's memory may be shared. Return: 0 or an errno
 * @free_own: free &gl_bo.own; NULL: it has none
 */
struct gl_driver {
	enum gl_kind kind;
	uint32_t vm_flags;
	bool timelines;
	const struct gl_ioctl *ioctls;
	uint32_t submit;
	int (*open)(struct gl_file *f);
	void (*close)(struct gl_file *f);
	void (*place)(uint64_t size, bool noexec, struct pers_place *place);
	int (*check_share)(const struct gl_bo *b, enum gl_share how);
	void (*free_own)(void *own);
};

/**
 * struct gl_job - a job
 * @ctx: context
 * @bos: handles of the buffers with which it synchronises
 * @writes: whether it writes each of them; NULL: all
 * @num_bos: number of @bos
 * @explicit_sync: it does not wait because of them
 * @in_syncs: binary syncobjs for which it waits
 * @num_in_syncs: number of @in_syncs
 * @out_sync: existing syncobj that gets its fence, 0: none
 * @before: descriptor of a job to be executed before, for which it waits; NULL: none
 * @native: descriptor
 * @fence: receives its fence, unless NULL
 */
struct gl_job {
	struct gl_ctx *ctx;
	const uint32_t *bos;
	const bool *writes;
	uint32_t num_bos;
	bool explicit_sync;
	const uint32_t *in_syncs;
	uint32_t num_in_syncs;
	uint32_t out_sync;
	const struct drm_vshader_native_job *before;
	struct drm_vshader_native_job native;
	struct gl_fence **fence;
};

/* ---- gl_job.c ---- */

/* Submit a job. Return: 0, -ENOENT, GL_AGAIN, or another errno. */
int gl_job_submit(struct gl_file *f, const struct gl_job *j);

/* Make room for another entry of a table whose entry 0 is not used. Return: 0 or -ENOMEM. */
int gl_grow(void *table, uint32_t *n, size_t size);

/* ---- gl_bo.c ---- */

extern const struct gl_ioctl gl_bo_ioctls[];

/* A file for the program with &gl_file.handles. Return: descriptor, or -1: it has none. */
int gl_bo_publish(struct gl_file *f);

/* The buffer of a handle, or NULL. */
struct gl_bo *gl_bo_find(struct gl_file *f, uint32_t handle);

/* Create a buffer. @handle, @va: receive its handle and its address. Return: 0 or an errno. */
int gl_bo_create(struct gl_file *f, uint64_t size, const struct gl_bo_kind *kind,
		 uint32_t *handle, uint64_t *va);

/*
 * Wait for the last job that names it, or that writes it, until a time.
 * Return: 0, -ETIMEDOUT, -EBUSY, GL_AGAIN.
 */
int gl_bo_wait(const struct gl_bo *b, bool writers, int64_t timeout_ns);

/* The offset for mmap(). Return: 0, -ENOENT, -EINVAL: a heap. */
int gl_bo_mmap(struct gl_file *f, uint32_t handle, uint64_t *offset);

/* Set or, with NULL, remove the label. Return: 0 or an errno. */
int gl_bo_set_label(struct gl_bo *b, const char *text);

/* The driver's flags of a buffer, which all files that share it see. */
void gl_bo_set_flags(struct gl_bo *b, uint32_t flags);
uint32_t gl_bo_flags(const struct gl_bo *b);

/*
 * Wait for jobs of other contexts and files that name the buffer. Return: 0, GL_AGAIN.
 */
int gl_bo_wait_others(const struct gl_ctx *ctx, struct gl_bo *b);

/* The buffer with an address, or NULL. */
const struct gl_bo *gl_bo_at(const struct gl_file *f, uint64_t va);

/* Ioctls of the primary node: a buffer by a name. */
int gl_bo_flink(struct gl_file *f, struct gl_call *c);
int gl_bo_open(struct gl_file *f, struct gl_call *c);

/* A job of the file names the buffer. */
void gl_bo_set_last(struct gl_file *f, struct gl_bo *b, struct gl_fence *fence, bool write);
/* Publish which buffers are idle, if the last job is known to have ended. */
void gl_bo_settle(struct gl_file *f);
void gl_bo_fini(struct gl_file *f);

/* ---- gl_dmabuf.c ---- */

/* The entry of a buffer's file; takes a reference. Return: entry, or NULL. */
struct gl_shared *gl_share_get(ino_t ino, const struct gl_bo *b);
/* @s: NULL: nothing */
void gl_share_put(struct gl_shared *s);
/* Number of handles of all files; @s: NULL: one */
uint32_t gl_share_handles(const struct gl_shared *s);
/* Whether an entry, or NULL, is of this file. */
bool gl_share_is(const struct gl_shared *s, ino_t ino);
/* Kind of a buffer that comes as a file. Return: it is of this command's files */
bool gl_share_kind(ino_t ino, struct gl_bo_kind *kind);
/* The fence of the last job that named it, or that writes it, or NULL; a reference. */
struct gl_fence *gl_share_fence(struct gl_shared *s, bool writers);
void gl_share_set_last(struct gl_shared *s, struct gl_fence *fence, bool write);
/*
 * The name of a buffer that has handles, which lasts as long as these. @fd: its file, which is
 * taken over. Return: name
 */
uint32_t gl_share_name(struct gl_shared *s, int fd);
/* The file of a name. Return: descriptor, or a negative errno; -ENOENT: no such name. */
int gl_share_named(uint32_t name);
void gl_share_set_flags(struct gl_shared *s, uint32_t flags);
uint32_t gl_share_flags(const struct gl_shared *s);

/* The message GL_DMABUF. Return: 0, -ENOENT, -EINVAL: not a sync file, GL_AGAIN, -ENOMEM. */
int gl_dmabuf(struct gl_call *c);

/* ---- gl_ctx.c ---- */

/* A context of no table. Return: 0 or an errno. */
int gl_ctx_new(struct gl_file *f, uint32_t engine, uint32_t priority, struct gl_ctx **ctx);
/* Jobs that have not ended are cancelled. */
void gl_ctx_free(struct gl_file *f, struct gl_ctx *ctx);

/* Make the context that a file has from the beginning. Return: 0 or a negative errno. */
int gl_ctx_init(struct gl_file *f);

/* Make another one. Return: 0, -EINVAL, -EACCES, -EBUSY: too many, or another errno. */
int gl_ctx_create(struct gl_file *f, uint32_t priority, uint32_t *handle);

/* The context of a handle, or NULL. */
struct gl_ctx *gl_ctx_find(const struct gl_file *f, uint32_t handle);

/* Destroy a context but the first. Return: 0 or -EINVAL. */
int gl_ctx_destroy(struct gl_file *f, uint32_t handle);

/*
 * Report a fault, and make the queue that it has banned again.
 * Return: 0, a negative errno, or GL_GUILTY: the context has a pair, and executes nothing more.
 */
#define GL_GUILTY	2

int gl_ctx_revive(struct gl_file *f, struct gl_ctx *ctx);

/* Whether contexts of high priority are allowed. */
bool gl_ctx_high_allowed(void);

/* Jobs that have not ended are cancelled, and their fences signal. */
void gl_ctx_fini(struct gl_file *f);

/* ---- gl_primary.c ---- */

/* The file is of the primary node. @sock: its connection. Return: 0 or -ENOMEM. */
int gl_primary_open(struct gl_file *f, int sock);
/* A file of the render node is none of its. */
void gl_primary_close(struct gl_file *f);

/*
 * An ioctl that render nodes do not have. Return: 0 or an errno; -EACCES: the caller or the node
 * may not, -EINVAL: there is none.
 */
int gl_primary_ioctl(struct gl_file *f, uint32_t nr, struct gl_call *c);

/* ---- gl_sync.c ---- */

extern const struct gl_ioctl gl_sync_ioctls[];

/**
 * gl_timeline_new - a timeline
 * @dev: device; it is closed when the file and all fences of its jobs are gone
 * @file: timeline of the file whose context it is for, or NULL
 *
 * Return: timeline, or NULL.
 */
struct gl_timeline *gl_timeline_new(struct vshader_device *dev, struct gl_timeline *file);
/* The syncobj of the library that jobs signal. */
uint32_t gl_timeline_handle(const struct gl_timeline *t);
void gl_timeline_put(struct gl_timeline *t);

/* The fence of a point. Return: fence, or NULL. */
struct gl_fence *gl_fence_new(struct gl_timeline *t, uint64_t point);
/* One that has signaled. Return: fence, or NULL. */
struct gl_fence *gl_fence_signaled(void);
struct gl_fence *gl_fence_get(struct gl_fence *fence);
void gl_fence_put(struct gl_fence *fence);
/* Put another fence, or NULL, where one is, or NULL; takes a reference. */
void gl_fence_replace(struct gl_fence **at, struct gl_fence *fence);

/* Whether a fence is of a job of this file, so that a later job need not wait for it. */
bool gl_fence_is_own(const struct gl_fence *fence, const struct gl_timeline *t);

/**
 * gl_fence_wait - wait, but not longer than a message may take
 * @fence: fence
 * @deadline: of CLOCK_MONOTONIC, ns
 * @late: what to return after it
 *
 * Return: 0, @late or GL_AGAIN.
 */
int gl_fence_wait(struct gl_fence *fence, int64_t deadline, int late);

/*
 * The fence of a syncobj's point, 0 for a binary one. Return: 0, -ENOENT: there is no syncobj,
 * -EINVAL: it has no such fence, -ENOMEM.
 */
int gl_sync_fence(struct gl_file *f, uint32_t handle, uint64_t value, struct gl_fence **fence);

/* Put a fence into a syncobj. Return: 0, -ENODEV as SUBMIT, -ENOMEM. */
int gl_sync_set(struct gl_file *f, uint32_t handle, struct gl_fence *fence);

/* Whether all of them exist and have fences. Return: 0 or an errno. */
int gl_sync_check(struct gl_file *f, const uint32_t *handles, uint32_t n);

/* Whether SUBMIT may signal it. */
bool gl_sync_exists(struct gl_file *f, uint32_t handle);
void gl_sync_fini(struct gl_file *f);

int64_t gl_now_ns(void);

#endif /* VSHADER_GL_PRIV_H */
