// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Panfrost personality
 *
 * A device with this personality has the name, the version and the ioctls of the panfrost driver,
 * so that Mesa drives it as a Mali. It is an impostor: programs are interpreted, and everything
 * that the interface does not say, such as counters, power and page tables, does not exist.
 *
 * A file has for each context two hidden queues, of fragment and of other jobs. All buffers that a
 * job names are written, as the panfrost driver has it. What monitors read is in panfrost_usage.c.
 * See pers_file.c for the rest.
 */
#include <linux/capability.h>
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
#include "personality/pan_uapi.h"
#include "personality/panfrost.h"

static int get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct vshader_device *vdev = to_vshader_device(drm);
	struct drm_panfrost_get_param *args = data;
	u64 value;
	int ret;

	if (args->pad)
		return vshader_einval(drm, "pad %u, expected 0", args->pad);
	ret = pan_gpu_param(vdev->chip, args->param, capable(CAP_SYS_NICE), &value);
	if (ret)
		return vshader_einval(drm, "unknown param %u", args->param);
	args->value = value;
	return 0;
}

/* As of the panfrost driver without its parameter unstable_ioctls. */
static int perfcnt(struct drm_device *drm, void *data, struct drm_file *file)
{
	return -ENOSYS;
}

#define PANFROST_IOCTL_DEF(id, func) DRM_IOCTL_DEF_DRV(PANFROST_##id, func, DRM_RENDER_ALLOW)
#define PAN_IOCTL_DEF(id, func) DRM_IOCTL_DEF_DRV(PAN_##id, func, DRM_RENDER_ALLOW)

static const struct drm_ioctl_desc ioctls[] = {
	PAN_IOCTL_DEF(SUBMIT, panfrost_submit),
	PANFROST_IOCTL_DEF(WAIT_BO, panfrost_wait_bo),
	PANFROST_IOCTL_DEF(CREATE_BO, panfrost_create_bo),
	PANFROST_IOCTL_DEF(MMAP_BO, panfrost_mmap_bo),
	PANFROST_IOCTL_DEF(GET_PARAM, get_param),
	PANFROST_IOCTL_DEF(GET_BO_OFFSET, panfrost_get_bo_offset),
	PANFROST_IOCTL_DEF(PERFCNT_ENABLE, perfcnt),
	PANFROST_IOCTL_DEF(PERFCNT_DUMP, perfcnt),
	PANFROST_IOCTL_DEF(MADVISE, panfrost_madvise),
	PAN_IOCTL_DEF(SET_LABEL_BO, panfrost_set_label_bo),
	PAN_IOCTL_DEF(JM_CTX_CREATE, panfrost_ctx_create),
	PAN_IOCTL_DEF(JM_CTX_DESTROY, panfrost_ctx_destroy),
	PAN_IOCTL_DEF(SYNC_BO, panfrost_sync_bo),
	PAN_IOCTL_DEF(QUERY_BO_INFO, panfrost_query_bo_info),
};

static int file_open(struct drm_device *drm, struct drm_file *file)
{
	struct panfrost_file *pf = kzalloc(sizeof(*pf), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!pf)
		return -ENOMEM;
	xa_init_flags(&pf->ctxs, XA_FLAGS_ALLOC);
	ret = pers_file_open(drm, file, &pf->base, DRM_VSHADER_VM_48BIT);
	if (ret)
		goto err_free;
	ret = panfrost_ctxs_init(file, pf);
	if (ret)
		goto err_close;
	return 0;

err_close:
	pers_file_close(drm, file);
	panfrost_ctxs_fini(pf);
err_free:
	kfree(pf);
	return ret;
}

static void file_close(struct drm_device *drm, struct drm_file *file)
{
	struct panfrost_file *pf = to_panfrost_file(file);

	pers_file_close(drm, file);
	panfrost_ctxs_fini(pf);
	kfree(pf);
}

static const struct file_operations fops = {
	VSHADER_FOPS,
	.show_fdinfo = panfrost_show_fdinfo,
};

static const struct drm_driver panfrost_drm_driver = {
	/* the panfrost driver has no timelines */
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = file_open,
	.postclose = file_close,
	VSHADER_DRIVER_COMMON,
	.ioctls = ioctls,
	.num_ioctls = ARRAY_SIZE(ioctls),
	.fops = &fops,
	.name = "panfrost",
	.desc = "vshader as panfrost",
	.major = PAN_MAJOR,
	.minor = PAN_MINOR,
};

static const void *find_chip(const char *name)
{
	return pan_gpu_find(name);
}

/* A GPU needs power to count cycles, so that the driver's profiling is off until it is wanted. */
static int panfrost_device_init(struct vshader_device *vdev)
{
	vdev->profiling = true;
	return pers_device_init(vdev);
}

static const char *panfrost_compatible(const void *chip)
{
	const struct pan_gpu *gpu = chip;

	return gpu->compatible;
}

const struct vshader_personality vshader_panfrost = {
	.driver = &panfrost_drm_driver,
	.chip = find_chip,
	.compatible = panfrost_compatible,
	.init = panfrost_device_init,
	.bo_open = panfrost_bo_open,
	.bo_close = pers_bo_close,
};
