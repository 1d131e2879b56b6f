// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Contexts of the lima personality: queues of both pipes. A context that is guilty of a fault gets
 * no further job executed.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "drm/vshader_args.h"
#include "personality/lima.h"
#include "personality/lima_uapi.h"

static unsigned int lima_timeout_ms = 500;
module_param(lima_timeout_ms, uint, 0644);
MODULE_PARM_DESC(lima_timeout_ms,
		 "time limit of jobs of lima devices, ms (1-10000, default 500)");

/* Jobs that have not ended are cancelled. */
static void lima_ctx_destroy(struct drm_file *file, struct lima_ctx *ctx)
{
	u32 i;

	for (i = 0; i < LIMA_NUM_PIPES; i++)
		pers_queue_destroy(file, ctx->queues[i]);
	kfree(ctx);
}

int lima_ctx_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_lima_ctx_create *args = data;
	struct lima_ctx *ctx;
	int ret;
	u32 i;

	if (args->_pad)
		return vshader_einval(drm, "pad %u, expected 0", args->_pad);
	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return -ENOMEM;
	for (i = 0; i < LIMA_NUM_PIPES; i++) {
		ret = pers_queue_create(file, lima_engine(i), DRM_VSHADER_PRIORITY_MEDIUM,
					lima_timeout_ms, 0, &ctx->queues[i]);
		if (ret)
			goto err_destroy;
	}
	pers_queue_pair(file, ctx->queues[LIMA_GP], ctx->queues[LIMA_PP]);
	ret = xa_alloc(&to_lima_file(file)->ctxs, &args->id, ctx, xa_limit_32b,
		       GFP_KERNEL_ACCOUNT);
	if (ret)
		goto err_destroy;
	return 0;

err_destroy:
	lima_ctx_destroy(file, ctx);
	return ret;
}

int lima_ctx_free(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_lima_ctx_free *args = data;
	struct lima_ctx *ctx;

	if (args->_pad)
		return vshader_einval(drm, "pad %u, expected 0", args->_pad);
	ctx = xa_erase(&to_lima_file(file)->ctxs, args->id);
	if (!ctx)
		return vshader_einval(drm, "no context %u", args->id);
	lima_ctx_destroy(file, ctx);
	return 0;
}

int lima_ctx_queue(struct lima_file *lf, u32 id, u32 pipe, u32 *queue)
{
	const struct lima_ctx *ctx;

	xa_lock(&lf->ctxs);
	ctx = xa_load(&lf->ctxs, id);
	if (ctx)
		*queue = ctx->queues[pipe];
	xa_unlock(&lf->ctxs);
	return ctx ? 0 : -ENOENT;
}

void lima_ctxs_fini(struct lima_file *lf)
{
	struct lima_ctx *ctx;
	unsigned long id;

	xa_for_each(&lf->ctxs, id, ctx)
		kfree(ctx);
	xa_destroy(&lf->ctxs);
}
