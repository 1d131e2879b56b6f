/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The vc4 personality.
 */
#ifndef VSHADER_VC4_H
#define VSHADER_VC4_H

#include <linux/container_of.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "personality/pers.h"
#include "personality/vc4_gpu.h"
#include "personality/vc4_uapi.h"

struct dma_fence;
struct vc4_exec;
struct vshader_bo;
struct vshader_kept;

/* Flags of a buffer, in &vshader_bo.personal. */
#define VC4_BO_T_TILED	0x1U
#define VC4_BO_DONTNEED	0x2U	/* userspace does not need its memory */

/**
 * struct vc4_device - A device.
 * @base: the part of all personalities
 * @jobs_lock: protects @last and @jobs; taken with a fence's lock held
 * @last: number of the last job
 * @jobs: struct vc4_number of jobs that have not ended, in order
 * @numbered: woken when @last has become more
 * @lock: protects everything below
 * @hang: the first job with a fault since the last GET_HANG_STATE, or NULL
 * @unplugged: no job becomes @hang any more
 * @settle: takes fences of jobs that have ended from the buffers of @hang
 */
struct vc4_device {
	struct pers_device base;

	/** @jobs_lock: see above */
	spinlock_t jobs_lock;
	u64 last;
	struct list_head jobs;
	wait_queue_head_t numbered;
	/** @lock: protects everything below */
	struct mutex lock;
	struct vc4_exec *hang;
	bool unplugged;
	struct delayed_work settle;
};

/**
 * struct vc4_slot - Memory of a job: tile lists, words, then list, records and uniforms.
 * @bo: buffer; holds a reference; NULL: none yet
 * @va: its address
 * @bytes: for list, records and uniforms
 * @fence: of the last job that had it; holds a reference; or NULL
 * @perfmon: id of the performance monitor that its counters are still to be added to, or 0
 */
struct vc4_slot {
	struct vshader_bo *bo;
	u32 va;
	u32 bytes;
	struct dma_fence *fence;
	u32 perfmon;
};

/**
 * struct vc4_file - A client.
 * @base: the part of all personalities
 * @queue: id of its queue
 * @perfmons: struct vc4_perfmon by their ids
 * @lock: protects everything below; held by SUBMIT_CL
 * @slots: memory of jobs
 * @more: memory for tile lists that need more than a slot, or NULL; holds a reference
 * @more_va: its address
 */
struct vc4_file {
	struct pers_file base;
	u32 queue;
	struct xarray perfmons;

	/** @lock: protects everything below; held by SUBMIT_CL */
	struct mutex lock;
	struct vc4_slot slots[VC4_NUM_SLOTS];
	struct vshader_bo *more;
	u32 more_va;
};

static inline struct vc4_file *to_vc4_file(const struct drm_file *file)
{
	return container_of(to_pers_file(file), struct vc4_file, base);
}

static inline struct vc4_device *to_vc4_device(const struct drm_device *drm)
{
	struct pers_device *pd = to_vshader_device((struct drm_device *)drm)->personal;

	return container_of(pd, struct vc4_device, base);
}

/* ---- vc4_bo.c ---- */

/* &struct vshader_personality. */
int vc4_bo_open(struct vshader_bo *bo, struct drm_file *file);
int vc4_bo_share(struct vshader_bo *bo, struct vm_area_struct *vma);
void vc4_bo_free(struct vshader_bo *bo);

/* Whether a job may use the buffer: its memory is there and is needed. */
bool vc4_bo_usable(const struct vshader_bo *bo);

/* Somebody needs the buffer: a job may use it, and its memory is not given back. */
void vc4_bo_retain(struct vshader_bo *bo);

/* The ioctls; arguments as in the uAPI. */
int vc4_create_bo(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_create_shader_bo(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_mmap_bo(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_wait_bo(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_set_tiling(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_get_tiling(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_label_bo(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_gem_madvise(struct drm_device *drm, void *data, struct drm_file *file);

/* ---- vc4_hang.c ---- */

/**
 * vc4_exec_new - what is kept of a bin and a render job until they have ended
 * @file: file that submits them
 * @bos: buffers, with room for one more; &pers_bos.objs is taken over
 * @v: the job after validation; its table of buffers, with room for one more, is taken over
 * @slot: its memory
 * @nwords: words of the render job
 *
 * Return: a reference or an error pointer: nothing is taken over.
 */
struct vc4_exec *vc4_exec_new(struct drm_file *file, struct pers_bos *bos, struct vc4_val_job *v,
			      const struct vc4_slot *slot, u32 nwords);

/* A reference for a job, which drops it when it has ended. */
struct vshader_kept *vc4_exec_get(struct vc4_exec *exec);

/* Drop a reference. May sleep. */
void vc4_exec_put(struct vc4_exec *exec);

/* Prepare a device for hang states. Return: 0 or an error. */
int vc4_hang_init(struct vshader_device *vdev);

/* The ioctl. */
int vc4_get_hang_state(struct drm_device *drm, void *data, struct drm_file *file);

/* ---- vc4_perfmon.c ---- */

/* Whether the file has a performance monitor. */
bool vc4_perfmon_exists(struct vc4_file *vf, u32 id);

/* Add the counters of jobs that have ended. &vc4_file.lock is held. */
void vc4_perfmons_collect(struct vc4_file *vf);

/* The file is closed. */
void vc4_perfmons_fini(struct vc4_file *vf);

/* The ioctls. */
int vc4_perfmon_create(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_perfmon_destroy(struct drm_device *drm, void *data, struct drm_file *file);
int vc4_perfmon_get_values(struct drm_device *drm, void *data, struct drm_file *file);

/* ---- vc4_seqno.c ---- */

/* Make the numbers of a device. Return: 0 or an error. */
int vc4_device_init(struct vshader_device *vdev);

struct vc4_number;

/* Before a job is submitted, so that it can be numbered. Return: NULL: no memory. */
struct vc4_number *vc4_number_new(void);

/* The job has not been submitted. */
void vc4_number_free(struct vc4_number *n);

/**
 * vc4_number_job - number a job
 * @vd: device
 * @n: from vc4_number_new(); taken over
 * @fence: the job's
 *
 * Return: its number.
 */
u64 vc4_number_job(struct vc4_device *vd, struct vc4_number *n, struct dma_fence *fence);

/* Jiffies of a relative time, ~0: without end. */
unsigned long vc4_timeout(u64 ns);

/* The rest of a relative time, if the wait was interrupted and may be repeated. */
void vc4_time_left(u64 *ns, int ret, unsigned long start);

/* The ioctl. */
int vc4_wait_seqno(struct drm_device *drm, void *data, struct drm_file *file);

/* ---- vc4_slot.c ---- */

/**
 * vc4_slot_take - find memory for a job
 * @file: file; &vc4_file.lock is held
 * @bytes: of its list, records and uniforms
 *
 * Waits until a job ends if there are as many as slots.
 *
 * Return: a slot or an error pointer.
 */
struct vc4_slot *vc4_slot_take(struct drm_file *file, u32 bytes);

/* The kernel's address of a slot. */
u8 *vc4_slot_mem(const struct vc4_slot *s);

/* The file is closed. */
void vc4_slots_fini(struct vc4_file *vf);

/* ---- vc4_submit.c ---- */

int vc4_submit_cl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* VSHADER_VC4_H */
