/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Faults that driver authors inject through debugfs.
 */
#ifndef VSHADER_INJECT_H
#define VSHADER_INJECT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "vshader_job.h"

struct dentry;
struct vshader_device;
struct vshader_file;
struct vshader_slot;

#ifdef CONFIG_FAULT_INJECTION_DEBUG_FS

/* Numbers of the injections, in traces too. */
enum vshader_inject_kind {
	VSHADER_INJECT_FAIL_SUBMIT,
	VSHADER_INJECT_HANG_JOB,
	VSHADER_INJECT_FAULT_PAGE,
	VSHADER_INJECT_DELAY_COMPLETION,
	VSHADER_INJECT_LOSE_COMPLETION,
	VSHADER_INJECT_CORRUPT_BUFFER,
	VSHADER_NUM_INJECTS
};

/**
 * vshader_inject_init - allocate a device's attributes; freed with it
 * @vdev: device being created
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_inject_init(struct vshader_device *vdev);

/**
 * vshader_inject_debugfs - create the files
 * @vdev: device
 * @dir: its debugfs folder
 */
void vshader_inject_debugfs(struct vshader_device *vdev, struct dentry *dir);

/**
 * vshader_inject_submit - decide whether a submit fails
 * @vf: file that submits
 *
 * Return: 0, or the error to fail with.
 */
int vshader_inject_submit(struct vshader_file *vf);

/**
 * vshader_inject_job - decide on the faults of a job
 * @job: job with queue, address space and result address, not armed
 *
 * Everything that the faults need is allocated here. May replace the job's address space.
 * Return: 0 or -ENOMEM.
 */
int vshader_inject_job(struct vshader_job *job);

/* Hooks for a job with injected faults; the functions below call them. */
void vshader_injected_start(const struct vshader_job *job);
bool vshader_injected_hangs(const struct vshader_job *job);
bool vshader_injected_end(struct vshader_job *job, struct vshader_slot *slot);
void vshader_injected_fault(const struct vshader_job *job, struct vs_fault *fault);
void vshader_injected_result(const struct vshader_job *job);

#define VSHADER_INJECTED(job)	unlikely((job)->injected)

#else /* !CONFIG_FAULT_INJECTION_DEBUG_FS */

static inline int vshader_inject_init(struct vshader_device *vdev)
{
	return 0;
}

static inline void vshader_inject_debugfs(struct vshader_device *vdev, struct dentry *dir)
{
}

static inline int vshader_inject_submit(struct vshader_file *vf)
{
	return 0;
}

static inline int vshader_inject_job(struct vshader_job *job)
{
	return 0;
}

static inline void vshader_injected_start(const struct vshader_job *job)
{
}

static inline bool vshader_injected_hangs(const struct vshader_job *job)
{
	return false;
}

static inline bool vshader_injected_end(struct vshader_job *job, struct vshader_slot *slot)
{
	return false;
}

static inline void vshader_injected_fault(const struct vshader_job *job, struct vs_fault *fault)
{
}

static inline void vshader_injected_result(const struct vshader_job *job)
{
}

#define VSHADER_INJECTED(job)	false

#endif /* CONFIG_FAULT_INJECTION_DEBUG_FS */

/**
 * vshader_inject_start - a job is about to execute its first slice
 * @job: job
 *
 * In the signalling path, as all below.
 */
static inline void vshader_inject_start(const struct vshader_job *job)
{
	if (VSHADER_INJECTED(job))
		vshader_injected_start(job);
}

/**
 * vshader_inject_hangs - instead of a slice
 * @job: job
 *
 * Return: true: the slice is over without progress; false: execute it.
 */
static inline bool vshader_inject_hangs(const struct vshader_job *job)
{
	return VSHADER_INJECTED(job) && vshader_injected_hangs(job);
}

/**
 * vshader_inject_end - a job is about to be completed
 * @job: job that has ended
 * @slot: its slot, or NULL
 *
 * Return: true: not yet, vshader_exec_complete() will be called from a work item.
 */
static inline bool vshader_inject_end(struct vshader_job *job, struct vshader_slot *slot)
{
	return VSHADER_INJECTED(job) && vshader_injected_end(job, slot);
}

/**
 * vshader_inject_fault - change the fault of a job that has ended
 * @job: job
 * @fault: its fault
 */
static inline void vshader_inject_fault(const struct vshader_job *job, struct vs_fault *fault)
{
	if (VSHADER_INJECTED(job))
		vshader_injected_fault(job, fault);
}

/**
 * vshader_inject_result - the result of a job is written, its fence has not signalled
 * @job: job
 */
static inline void vshader_inject_result(const struct vshader_job *job)
{
	if (VSHADER_INJECTED(job))
		vshader_injected_result(job);
}

#endif /* VSHADER_INJECT_H */
