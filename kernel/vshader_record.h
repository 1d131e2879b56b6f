/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Recording of the jobs of other processes.
 */
#ifndef VSHADER_RECORD_H
#define VSHADER_RECORD_H

#include <linux/types.h>

#include "drm/vshader_drm.h"

struct drm_file;
struct vshader_device;
struct vshader_job;
struct vshader_recorder;
struct vshader_session;

/**
 * vshader_record_join - who records a file that is being opened
 * @vdev: device
 *
 * Return: a recorder whose token the process has, with a reference for the file, or NULL.
 */
struct vshader_recorder *vshader_record_join(struct vshader_device *vdev);

/**
 * vshader_record_leave - the file is closed
 * @rec: recorder or NULL
 */
void vshader_record_leave(struct vshader_recorder *rec);

/**
 * vshader_record_lock - one submit at a time is recorded
 * @rec: recorder
 *
 * Return: 0 or -EINTR.
 */
int vshader_record_lock(struct vshader_recorder *rec);
void vshader_record_unlock(struct vshader_recorder *rec);

/**
 * vshader_record_begin - before a submit: wait until nothing can change memory, and copy it
 * @rec: recorder, locked
 * @file: DRM file
 * @jobs: its jobs
 * @ujobs: as submitted
 * @syncs: their sync operations
 * @n: how many
 * @out: the submit's record; NULL: nobody reads any more
 *
 * Nothing is armed yet, so that nobody waits for these jobs.
 *
 * Return: 0 or -EINTR.
 */
int vshader_record_begin(struct vshader_recorder *rec, struct drm_file *file,
			 struct vshader_job **jobs, const struct drm_vshader_job *ujobs,
			 struct drm_vshader_sync **syncs, u32 n, struct vshader_session **out);

/**
 * vshader_record_armed - the jobs are about to be pushed
 * @s: record or NULL
 */
void vshader_record_armed(struct vshader_session *s);

/**
 * vshader_record_end - the submit is over: if its jobs were pushed wait for them, tell the reader
 * @s: record or NULL
 */
void vshader_record_end(struct vshader_session *s);

/* The ioctl; arguments as in the uAPI. */
int vshader_record(struct drm_file *file, struct drm_vshader_record *args);

#endif /* VSHADER_RECORD_H */
