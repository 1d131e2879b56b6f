// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Execution of a job by a model's worker. */
#include "model_run.h"

#define MEMORY		0x2000000ULL	/* a job's programs, tile buffer and threads */
#define BUDGET		BIT_ULL(50)
#define SLICE		3000

void vs_model_engine_free(struct vs_model_engine *e)
{
	vs_worker_free(e->worker);
	e->worker = NULL;
}

static bool make_worker(struct vs_model_engine *e, u64 arena)
{
	if (e->worker && e->arena >= arena)
		return true;
	vs_worker_free(e->worker);
	e->worker = vs_worker_new(arena);
	e->arena = arena;
	return e->worker;
}

int vs_model_job_begin(struct vs_model_engine *e, struct vs_native_in *in, struct vs_model_job *j,
		       struct vs_fault *fault)
{
	const struct vs_job_limits lim = {
		.budget = BUDGET, .simd = vs_simd_best(), .slice = SLICE,
	};
	struct vs_native_state *state = vs_native_state_new(in->format);
	int ret = -ENOMEM;

	in->memory = MEMORY;
	in->max_memory = MEMORY;
	in->max_draws = 1U << 16;
	if (state)
		ret = vs_native_parse(in, state, &j->native, fault);
	vs_native_state_free(state);
	if (ret)
		return ret;
	j->job = vs_job_new(vs_native_map(j->native), &lim, vs_native_phases(j->native));
	if (!j->job)
		return -ENOMEM;
	ret = vs_native_add_phases(j->native, j->job);
	return ret ?: make_worker(e, vs_job_arena(j->job)) ? 0 : -ENOMEM;
}

void vs_model_job_end(struct vs_model_job *j)
{
	if (j->job)
		vs_job_free(j->job);
	if (j->native)
		vs_native_free(j->native);
}
