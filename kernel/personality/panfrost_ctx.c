// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Contexts of the panfrost personality: the queues of a file's jobs, of one priority each.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "drm/vshader_args.h"
#include "personality/pan_uapi.h"
#include "personality/panfrost.h"

static unsigned int panfrost_timeout_ms = VSHADER_MAX_TIME_MS;
module_param(panfrost_timeout_ms, uint, 0644);
MODULE_PARM_DESC(panfrost_timeout_ms,
		 "time limit of jobs of panfrost devices, ms (1-10000, default 10000)");

static_assert(DRM_VSHADER_PRIORITY_LOW == PAN_PRIORITY_LOW);
static_assert(DRM_VSHADER_PRIORITY_MEDIUM == PAN_PRIORITY_MEDIUM);
static_assert(DRM_VSHADER_PRIORITY_HIGH == PAN_PRIORITY_HIGH);

/* Jobs that have not ended are cancelled. */
static void free_ctx(struct drm_file *file, struct panfrost_ctx *ctx)
{
	u32 i;

	for (i = 0; i < PANFROST_NUM_QUEUES; i++)
		pers_queue_destroy(file, ctx->queues[i]);
	kfree(ctx);
}

static int add_ctx(struct drm_file *file, struct panfrost_file *pf, u32 priority, u32 *handle)
{
	struct panfrost_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	const struct vshader_file *vf = file->driver_priv;
	const struct pan_gpu *gpu = vf->vdev->chip;
	int ret;
	u32 i;

	if (!ctx)
		return -ENOMEM;
	for (i = 0; i < PANFROST_NUM_QUEUES; i++) {
		ret = pers_queue_create(file, gpu->engine, priority, panfrost_timeout_ms, i,
					&ctx->queues[i]);
		if (ret)
			goto err_free;
	}
	ret = xa_alloc(&pf->ctxs, handle, ctx, XA_LIMIT(0, PAN_MAX_CTX), GFP_KERNEL_ACCOUNT);
	if (ret)
		goto err_free;
	return 0;

err_free:
	free_ctx(file, ctx);
	return ret;
}

int panfrost_ctxs_init(struct drm_file *file, struct panfrost_file *pf)
{
	u32 handle;

	return add_ctx(file, pf, PAN_PRIORITY_MEDIUM, &handle);
}

void panfrost_ctxs_fini(struct panfrost_file *pf)
{
	struct panfrost_ctx *ctx;
	unsigned long handle;

	xa_for_each(&pf->ctxs, handle, ctx)
		kfree(ctx);
	xa_destroy(&pf->ctxs);
}

int panfrost_ctx_queue(struct panfrost_file *pf, u32 handle, u32 which, u32 *id)
{
	const struct panfrost_ctx *ctx;

	xa_lock(&pf->ctxs);
	ctx = xa_load(&pf->ctxs, handle);
	if (ctx)
		*id = ctx->queues[which];
	xa_unlock(&pf->ctxs);
	return ctx ? 0 : -EINVAL;
}

int panfrost_ctx_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct pan_jm_ctx_create *args = data;

	return add_ctx(file, to_panfrost_file(file), args->priority, &args->handle);
}

int panfrost_ctx_destroy(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct pan_jm_ctx_destroy *args = data;
	struct panfrost_ctx *ctx;

	/* the file's own context stays */
	if (args->pad || !args->handle)
		return vshader_einval(drm, "pad %u, expected 0, context %u, expected > 0",
				      args->pad, args->handle);
	ctx = xa_erase(&to_panfrost_file(file)->ctxs, args->handle);
	if (!ctx)
		return vshader_einval(drm, "no context %u", args->handle);
	free_ctx(file, ctx);
	return 0;
}
