/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REF_WORKER_H
#define REF_WORKER_H

struct vs_job;
struct vs_worker;

/* A worker for a job, whose arena has rubbish, as if others had used it. NULL: no memory. */
struct vs_worker *used_worker(struct vs_job *job);

/* It has no job any more, and may be another's worker. */
void leave_worker(struct vs_worker *w);

#endif
