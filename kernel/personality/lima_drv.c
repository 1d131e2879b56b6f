// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Lima personality
 *
 * A device with this personality has the name, the version and the ioctls of the lima driver, so
 * that Mesa drives it as a Mali-400 or Mali-450.
 *
 * A file has for each context two hidden queues, of the vertex processor and of the pixel
 * processors; a fault in either cancels later jobs of both. Frames come by value, and name the
 * buffers that they read and write. See pers_file.c for the rest.
 */
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_prime.h>

#include "drm/vshader_args.h"
#include "drm/vshader_debugfs.h"
#include "drm/vshader_file.h"
#include "drm/vshader_gem.h"
#include "drm/vshader_personality.h"
#include "personality/lima.h"
#include "personality/lima_uapi.h"

static int lima_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct vshader_device *vdev = to_vshader_device(drm);
	struct drm_lima_get_param *args = data;
	u64 value;

	if (args->pad)
		return vshader_einval(drm, "pad %u, expected 0", args->pad);
	if (lima_gpu_param(vdev->chip, args->param, &value))
		return vshader_einval(drm, "unknown param %u", args->param);
	args->value = value;
	return 0;
}

#define LIMA_IOCTL_DEF(id, func) DRM_IOCTL_DEF_DRV(LIMA_##id, func, DRM_RENDER_ALLOW)

static const struct drm_ioctl_desc lima_ioctls[] = {
	LIMA_IOCTL_DEF(GET_PARAM, lima_get_param),
	LIMA_IOCTL_DEF(GEM_CREATE, lima_gem_create),
	LIMA_IOCTL_DEF(GEM_INFO, lima_gem_info),
	LIMA_IOCTL_DEF(GEM_SUBMIT, lima_gem_submit),
	LIMA_IOCTL_DEF(GEM_WAIT, lima_gem_wait),
	LIMA_IOCTL_DEF(CTX_CREATE, lima_ctx_create),
	LIMA_IOCTL_DEF(CTX_FREE, lima_ctx_free),
};

static int lima_open(struct drm_device *drm, struct drm_file *file)
{
	struct lima_file *lf = kzalloc(sizeof(*lf), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!lf)
		return -ENOMEM;
	xa_init_flags(&lf->ctxs, XA_FLAGS_ALLOC);
	ret = pers_file_open(drm, file, &lf->base, 0);
	if (ret)
		kfree(lf);
	return ret;
}

static void lima_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct lima_file *lf = to_lima_file(file);

	pers_file_close(drm, file);
	lima_ctxs_fini(lf);
	kfree(lf);
}

/* The lima driver has no usage statistics in fdinfo. */
static const struct file_operations lima_fops = { VSHADER_FOPS };

static const struct drm_driver lima_drm_driver = {
	/* no timelines */
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ,
	.open = lima_open,
	.postclose = lima_postclose,
	VSHADER_DRIVER_COMMON,
	.ioctls = lima_ioctls,
	.num_ioctls = ARRAY_SIZE(lima_ioctls),
	.fops = &lima_fops,
	.name = "lima",
	.desc = "vshader as lima",
	.major = LIMA_MAJOR,
	.minor = LIMA_MINOR,
};

static const void *lima_find_chip(const char *name)
{
	return lima_gpu_find(name);
}

static const char *lima_compatible(const void *chip)
{
	const struct lima_gpu *gpu = chip;

	return gpu->compatible;
}

const struct vshader_personality vshader_lima = {
	.driver = &lima_drm_driver,
	.chip = lima_find_chip,
	.compatible = lima_compatible,
	.init = pers_device_init,
	.bo_open = lima_bo_open,
	.bo_close = pers_bo_close,
};
