/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Implicit synchronisation of a submit: reservation objects of shared buffers.
 */
#ifndef VSHADER_RESV_H
#define VSHADER_RESV_H

#include <linux/types.h>
#include <linux/ww_mutex.h>

struct drm_gem_object;
struct vshader_job;
struct vshader_resv_use;

/* Bytes of a set for each object, at most. */
#define VSHADER_RESV_BYTES	(sizeof(void *) + 3 * sizeof(u64))

/**
 * struct vshader_resv_set - All reservation objects that a submit locks.
 * @n: number of objects
 * @objs: one object for each distinct reservation object, ordered by it
 * @use: kind of use of each by the jobs of this submit
 * @ticket: lock context
 * @locked: they are locked
 */
struct vshader_resv_set {
	u32 n;
	struct drm_gem_object **objs;
	struct vshader_resv_use *use;
	struct ww_acquire_ctx ticket;
	bool locked;
};

/**
 * vshader_resv_collect - collect the reservation objects to lock
 * @set: zeroed set
 * @jobs: jobs of the submit
 * @njobs: number of @jobs
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_resv_collect(struct vshader_resv_set *set, struct vshader_job **jobs, u32 njobs);

/**
 * vshader_resv_lock - lock all and reserve room for the jobs' fences
 * @set: set
 *
 * Return: 0, -ENOMEM or -EINTR.
 */
int vshader_resv_lock(struct vshader_resv_set *set);

/**
 * vshader_resv_add_deps - make all jobs wait for other users, and for each other
 * @set: locked set
 * @jobs: jobs of the submit
 * @njobs: number of @jobs
 * @bad: index of the job at fault
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_resv_add_deps(struct vshader_resv_set *set, struct vshader_job **jobs, u32 njobs,
			  u32 *bad);

/**
 * vshader_resv_attach - publish the fence of an armed job
 * @set: locked set
 * @job: job
 */
void vshader_resv_attach(struct vshader_resv_set *set, struct vshader_job *job);

/**
 * vshader_resv_fini - unlock and free
 * @set: set, in any state
 */
void vshader_resv_fini(struct vshader_resv_set *set);

#endif /* VSHADER_RESV_H */
