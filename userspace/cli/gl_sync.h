/* SPDX-License-Identifier: MIT */
/*
 * vshader gl: fences and syncobjs from the inside, for gl_fence.c, gl_sync.c and gl_syncfd.c.
 */
#ifndef VSHADER_GL_SYNC_H
#define VSHADER_GL_SYNC_H

#include <pthread.h>

#include "gl_priv.h"

/* Between two looks at several fences. */
#define GL_LOOK_NS		200000L

/**
 * struct gl_fence - has signalled, or is a point of a timeline, a sync file, or several fences
 * @refs: references
 * @signaled: for good
 * @timeline: of a job, else NULL
 * @point: of @timeline
 * @fd: sync file, or -1
 * @n: number of the fences that @all has
 * @all: signals when all of them have
 */
struct gl_fence {
	int refs;
	bool signaled;
	struct gl_timeline *timeline;
	uint64_t point;
	int fd;
	uint32_t n;
	struct gl_fence *all[];
};

/**
 * struct gl_syncobj - a fence, or the fences of a timeline in the order of their points
 * @refs: references of handles and exported descriptors
 * @points: fences; the one fence of a binary syncobj has the point 0
 * @n: number of them
 * @reached: highest point whose fence is not kept any more
 */
struct gl_syncobj {
	int refs;
	struct {
		uint64_t value;
		struct gl_fence *fence;
	} *points;
	uint32_t n;
	uint64_t reached;
};

/* Protects syncobjs. */
extern pthread_mutex_t gl_sync_lock;

/* A fence of @n others, which are still to be set. Return: fence, or NULL. */
struct gl_fence *gl_fence_alloc(uint32_t n);

/*
 * Return: whether it has signalled within a time. Then sync files of fences that have signalled can
 * be read, as a program expects of those before it.
 */
bool gl_fence_poll(struct gl_fence *fence, int64_t ns);
/* The same without a look at sync files. */
bool gl_fence_look(struct gl_fence *fence, int64_t ns);

/* The lock is held for the following. */

struct gl_syncobj *gl_syncobj_find(struct gl_file *f, uint32_t handle);

/* A handle; takes a reference. Return: 0 or -ENOMEM. */
int gl_syncobj_add(struct gl_file *f, struct gl_syncobj *s, uint32_t *handle);
void gl_syncobj_unref(struct gl_syncobj *s);

/* Takes the fence over. A point below the last one is the last one, as in the DRM core. */
int gl_syncobj_attach(struct gl_syncobj *s, uint64_t value, struct gl_fence *fence);

/*
 * The fences that have to signal before a point is reached, as one. Return: 0, -EINVAL if there is
 * no such point yet, -ENOMEM.
 */
int gl_syncobj_fence(struct gl_syncobj *s, uint64_t value, struct gl_fence **fence);

/* ---- gl_syncfd.c ---- */

/* A sync file of a fence, which is taken over. Return: 0 or an errno. */
int gl_sync_file_new(struct gl_fence *fence, int *fd);
/* Signal the sync files of fences that have signalled; their threads may be late. */
void gl_sync_files_signal(void);
/* The fence of a sync file or an eventfd. Return: 0, -EINVAL, -ENOMEM, -EMFILE. */
int gl_sync_file_fence(int fd, struct gl_fence **fence);

int gl_sync_to_fd(struct gl_file *f, struct gl_call *c);
int gl_sync_from_fd(struct gl_file *f, struct gl_call *c);
int gl_sync_eventfd(struct gl_file *f, struct gl_call *c);

/* Forget exported syncobjs whose descriptors are closed. The lock is held. */
void gl_sync_reap(void);

#endif /* VSHADER_GL_SYNC_H */
