// SPDX-License-Identifier: MIT
/*
 * vshader gl: jobs of a file. They differ from those of a device in this: jobs of a context are one
 * after the other, a fault takes the jobs along that are queued after it, and SUBMIT itself waits
 * for the fences of other contexts and files, also where it only reads what they read.
 */
#include <errno.h>
#include <stdlib.h>

#include "gl_priv.h"

static int wait_for_sync(struct gl_file *f, const struct gl_ctx *ctx, uint32_t handle)
{
	struct gl_fence *fence;
	int ret = gl_sync_fence(f, handle, 0, &fence);

	if (ret)
		return ret;
	/* jobs of the context are in order anyway */
	if (!gl_fence_is_own(fence, ctx->timeline))
		ret = gl_fence_wait(fence, INT64_MAX, 0);
	gl_fence_put(fence);
	return ret;
}

/* Return: 0, GL_AGAIN or an errno. */
static int wait_for_others(struct gl_file *f, const struct gl_job *j)
{
	uint32_t i;
	int ret;

	for (i = 0; i < j->num_in_syncs; i++) {
		ret = wait_for_sync(f, j->ctx, j->in_syncs[i]);
		if (ret)
			return ret;
	}
	for (i = 0; i < j->num_bos && !j->explicit_sync; i++) {
		ret = gl_bo_wait_others(j->ctx, gl_bo_find(f, j->bos[i]));
		if (ret)
			return ret;
	}
	return 0;
}

/* The queue is full, which a driver's never is: the call is repeated when its jobs are done. */
static int wait_for_place(struct gl_file *f, const struct gl_ctx *ctx)
{
	uint32_t sync = gl_timeline_handle(ctx->timeline);
	int ret = vshader_sync_wait(f->dev, sync, ctx->submitted, 0);

	/* busy for another reason */
	if (ret != -ETIME)
		return ret ? ret : -EBUSY;
	ret = vshader_sync_wait(f->dev, sync, ctx->submitted, GL_PATIENCE_NS);
	return ret == -ETIME || !ret ? GL_AGAIN : ret;
}

static struct drm_vshader_job make_job(const struct gl_job *j,
				       const struct drm_vshader_native_job *native)
{
	return (struct drm_vshader_job){
		.queue_id = j->ctx->queue,
		.type = DRM_VSHADER_JOB_NATIVE,
		.desc = (uintptr_t)native,
		.desc_size = sizeof(*native),
	};
}

static int run_job(struct gl_file *f, const struct gl_job *j, uint64_t point)
{
	struct drm_vshader_sync sync = {
		.flags = DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE,
		.handle = gl_timeline_handle(j->ctx->timeline),
		.timeline_value = point,
	};
	struct drm_vshader_job jobs[2];
	uint32_t n = 0;

	if (j->before)
		jobs[n++] = make_job(j, j->before);
	jobs[n] = make_job(j, &j->native);
	jobs[n].syncs.array = (uintptr_t)&sync;
	jobs[n].syncs.stride = sizeof(sync);
	jobs[n].syncs.count = 1;
	return vshader_submit(f->dev, jobs, n + 1, NULL, NULL);
}

static void set_fence(struct gl_file *f, const struct gl_job *j, struct gl_fence *fence)
{
	uint32_t i;

	if (j->out_sync)
		gl_sync_set(f, j->out_sync, fence);
	for (i = 0; i < j->num_bos; i++)
		gl_bo_set_last(f, gl_bo_find(f, j->bos[i]), fence, !j->writes || j->writes[i]);
	gl_fence_replace(&f->newest, fence);
}

/* A job that is recorded: what the program writes meanwhile would be the job's. */
static void await_recorded(struct gl_fence *fence)
{
	if (!getenv("VSHADER_RECORD_FD"))
		return;
	while (gl_fence_wait(fence, INT64_MAX, 0) == GL_AGAIN)
		;
}

/* The job of a context that is guilty of a fault. */
static int end_at_once(struct gl_file *f, const struct gl_job *j)
{
	struct gl_fence *fence = gl_fence_signaled();

	if (!fence)
		return -ENOMEM;
	set_fence(f, j, fence);
	gl_fence_put(fence);
	return 0;
}

int gl_job_submit(struct gl_file *f, const struct gl_job *j)
{
	struct gl_ctx *ctx = j->ctx;
	struct gl_fence *fence;
	uint32_t i;
	int ret;

	for (i = 0; i < j->num_bos; i++) {
		if (!gl_bo_find(f, j->bos[i]))
			return -ENOENT;
	}
	ret = wait_for_others(f, j);
	if (ret)
		return ret;
	ret = gl_ctx_revive(f, ctx);
	if (ret < 0)
		return ret;
	if (ret == GL_GUILTY)
		return end_at_once(f, j);
	fence = gl_fence_new(ctx->timeline, ctx->submitted + 1);
	if (!fence)
		return -ENOMEM;
	ret = run_job(f, j, ctx->submitted + 1);
	if (ret)
		goto out_put;
	ctx->submitted++;
	set_fence(f, j, fence);
	await_recorded(fence);
	if (j->fence)
		*j->fence = gl_fence_get(fence);
	pthread_mutex_lock(&f->server->lock);
	f->server->jobs++;
	pthread_mutex_unlock(&f->server->lock);
out_put:
	gl_fence_put(fence);
	return ret == -EBUSY ? wait_for_place(f, ctx) : ret;
}
