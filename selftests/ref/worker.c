// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/vs_intern.h"
#include "worker.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* those that have no job, the last first */
static struct vs_worker *idle[16];

struct vs_worker *used_worker(struct vs_job *job)
{
	u64 size = vs_job_arena(job);
	struct vs_worker *w = NULL;
	size_t i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < ARRAY_SIZE(idle) && !w; i++) {
		/* in a larger one, an access beyond the job's arena would go unseen */
		if (!idle[i] || idle[i]->arena_size != size)
			continue;
		w = idle[i];
		idle[i] = NULL;
	}
	pthread_mutex_unlock(&lock);
	w = w ?: vs_worker_new(size);
	if (w)
		memset(vs_worker_arena(w), 0xd3, size);
	return w;
}

void leave_worker(struct vs_worker *w)
{
	struct vs_worker *last;

	pthread_mutex_lock(&lock);
	last = idle[ARRAY_SIZE(idle) - 1];
	memmove(idle + 1, idle, sizeof(idle) - sizeof(idle[0]));
	idle[0] = w;
	pthread_mutex_unlock(&lock);
	vs_worker_free(last);
}
