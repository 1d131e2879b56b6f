/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Device core dumps of faults.
 */
#ifndef VSHADER_DUMP_H
#define VSHADER_DUMP_H

#include <linux/types.h>

struct vshader_device;
struct vshader_job;

/* Module parameter: MiB of memory that a dump has at most. */
extern unsigned int vshader_dump_mb;

/**
 * vshader_dump_init - prepare a device for dumps
 * @vdev: device being created
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_dump_init(struct vshader_device *vdev);

/**
 * vshader_dump - make a device core dump of a job that faulted
 * @job: job that has ended; outside of the signalling path
 *
 * Does nothing if the job did not fault. May sleep.
 */
void vshader_dump(struct vshader_job *job);

/**
 * vshader_dump_job - write the record of a job that has ended, without its memory sections
 * @job: job
 * @memory: bytes of memory sections that follow
 * @sections: number of them
 * @buf: buffer, or NULL: only the size is computed
 * @room: bytes there
 *
 * For the signalling path: neither allocates nor takes locks.
 *
 * Return: bytes.
 */
u64 vshader_dump_job(const struct vshader_job *job, u64 memory, u32 sections, void *buf, u64 room);

#endif /* VSHADER_DUMP_H */
