/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Execution of jobs.
 */
#ifndef VSHADER_JOB_RUN_H
#define VSHADER_JOB_RUN_H

#include <drm/gpu_scheduler.h>

#include "vshader_exec.h"

struct work_struct;

/* Operations of clients' schedulers. */
extern const struct drm_sched_backend_ops vshader_job_sched_ops;

/* Operations of clients' execution. */
extern const struct vshader_exec_ops vshader_job_exec_ops;

/**
 * vshader_job_reap - work function of &vshader_file.reap
 * @work: work item
 *
 * Makes the dumps of jobs that have ended, frees their execution state, and frees jobs without
 * users.
 */
void vshader_job_reap(struct work_struct *work);

#endif /* VSHADER_JOB_RUN_H */
