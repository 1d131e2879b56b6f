// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "engine/vs_intern.h"
#include "worker.h"

struct vs_worker *used_worker(struct vs_job *job)
{
	u64 size = vs_job_arena(job);
	struct vs_worker *w = vs_worker_new(size);

	if (w)
		memset(vs_worker_arena(w), 0xd3, size);
	return w;
}
