/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Device core dumps of faults.
 */
#ifndef VSHADER_DUMP_H
#define VSHADER_DUMP_H

struct vshader_job;

/* Module parameter: MiB of memory that a dump has at most. */
extern unsigned int vshader_dump_mb;

/**
 * vshader_dump - make a device core dump of a job that faulted
 * @job: job that has ended; outside of the signalling path
 *
 * Does nothing if the job did not fault.
 */
void vshader_dump(struct vshader_job *job);

#endif /* VSHADER_DUMP_H */
