/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Device core dumps of faults.
 */
#ifndef VSHADER_DUMP_H
#define VSHADER_DUMP_H

#include <linux/types.h>

struct vshader_device;
struct vshader_dump_memory;
struct vshader_dump_record;
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
 * Does nothing if the job did not fault. Called by one work item, which frees the jobs of
 * all devices.
 */
void vshader_dump(struct vshader_job *job);

/**
 * vshader_dump_record - make a record of a job that has ended
 * @job: job
 * @what: what it has of memory
 * @base: what memory was before the submit
 * @alloc: memory for it
 * @buf: the dump
 * @size: its size
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_dump_record(const struct vshader_job *job, const struct vshader_dump_record *what,
			const struct vshader_dump_memory *base, void *(*alloc)(size_t size),
			void **buf, u64 *size);

#endif /* VSHADER_DUMP_H */
