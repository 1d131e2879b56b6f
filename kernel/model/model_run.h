/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Execution of a job by a model's worker. */
#ifndef VS_MODEL_RUN_H
#define VS_MODEL_RUN_H

#include "../native/native.h"

/**
 * struct vs_model_engine - An engine context, which grows with its jobs.
 * @worker:	the context
 * @arena:	its size
 */
struct vs_model_engine {
	struct vs_worker *worker;
	u64 arena;
};

void vs_model_engine_free(struct vs_model_engine *e);

/**
 * struct vs_model_job - A job of the hardware on the engine.
 * @native:	parsed job
 * @job:	engine job
 */
struct vs_model_job {
	struct vs_native *native;
	struct vs_job *job;
};

/**
 * vs_model_job_begin - prepare a job of a format in memory
 * @e: engine context
 * @in: the job, without memory: that is chosen here
 * @j: job; vs_model_job_end() is needed also after errors
 * @fault: with -ENOEXEC: why
 *
 * There is no bound of its time: the driver's timeout comes first.
 *
 * Return: 0, or as vs_native_parse().
 */
int vs_model_job_begin(struct vs_model_engine *e, struct vs_native_in *in, struct vs_model_job *j,
		       struct vs_fault *fault);
void vs_model_job_end(struct vs_model_job *j);

#endif /* VS_MODEL_RUN_H */
