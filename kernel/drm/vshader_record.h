/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Recording of jobs, for root.
 */
#ifndef VSHADER_RECORD_H
#define VSHADER_RECORD_H

#include "vshader_device.h"

struct dentry;
struct vshader_job;

/**
 * vshader_recording - whether jobs of a device are being recorded
 * @vdev: device
 *
 * Return: true: call vshader_record_begin() for jobs that start now.
 */
static inline bool vshader_recording(const struct vshader_device *vdev)
{
	return READ_ONCE(vdev->recorder);
}

/**
 * vshader_record_begin - record the memory of a job that is about to run
 * @job: job; no thread executes it before this returns
 *
 * In the signalling path: neither allocates nor waits; may sleep in cond_resched(), so that no
 * spinlock may be held.
 */
void vshader_record_begin(struct vshader_job *job);

/**
 * vshader_record_end - record a job that has ended
 * @job: job with its status, fault and result; its fence has not signalled, and no thread
 * executes it any more
 *
 * As vshader_record_begin(). Does nothing if that was not called, or recorded nothing.
 */
void vshader_record_end(struct vshader_job *job);

/**
 * vshader_record_unplug - nothing is recorded any more; readers get the end of the file
 * @vdev: device
 */
void vshader_record_unplug(struct vshader_device *vdev);

/**
 * vshader_record_debugfs - create the file to record with
 * @vdev: device
 * @dir: folder
 */
void vshader_record_debugfs(struct vshader_device *vdev, struct dentry *dir);

#endif /* VSHADER_RECORD_H */
