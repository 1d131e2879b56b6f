// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: vc4 personality
 *
 * A device with this personality has the name, the version and the ioctls of the vc4 driver, so
 * that Mesa drives it as the 3D core of a VideoCore IV. It is a render node, without displays.
 *
 * A file has one hidden queue. A job's lists are validated as the vc4 driver does it, and become a
 * bin job and a render job (vc4_submit.c). Jobs have numbers of the whole device (vc4_seqno.c). See
 * pers_file.c for the rest.
 */
#include <linux/module.h>
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
#include "personality/vc4.h"

static unsigned int vc4_timeout_ms = 10000;
module_param(vc4_timeout_ms, uint, 0644);
MODULE_PARM_DESC(vc4_timeout_ms,
		 "time limit of jobs of vc4 devices, ms (1-10000, default 10000)");

static int vc4_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct vshader_device *vdev = to_vshader_device(drm);
	struct drm_vc4_get_param *args = data;
	u64 value;

	if (args->pad)
		return vshader_einval(drm, "pad %u, expected 0", args->pad);
	if (vc4_gpu_param(vdev->chip, args->param, &value))
		return vshader_einval(drm, "unknown param %u", args->param);
	args->value = value;
	return 0;
}

#define VC4_IOCTL_DEF(id, func) DRM_IOCTL_DEF_DRV(VC4_##id, func, DRM_RENDER_ALLOW)

static const struct drm_ioctl_desc vc4_ioctls[] = {
	VC4_IOCTL_DEF(SUBMIT_CL, vc4_submit_cl),
	VC4_IOCTL_DEF(WAIT_SEQNO, vc4_wait_seqno),
	VC4_IOCTL_DEF(WAIT_BO, vc4_wait_bo),
	VC4_IOCTL_DEF(CREATE_BO, vc4_create_bo),
	VC4_IOCTL_DEF(MMAP_BO, vc4_mmap_bo),
	VC4_IOCTL_DEF(CREATE_SHADER_BO, vc4_create_shader_bo),
	DRM_IOCTL_DEF_DRV(VC4_GET_HANG_STATE, vc4_get_hang_state, DRM_ROOT_ONLY),
	VC4_IOCTL_DEF(GET_PARAM, vc4_get_param),
	VC4_IOCTL_DEF(SET_TILING, vc4_set_tiling),
	VC4_IOCTL_DEF(GET_TILING, vc4_get_tiling),
	VC4_IOCTL_DEF(LABEL_BO, vc4_label_bo),
	VC4_IOCTL_DEF(GEM_MADVISE, vc4_gem_madvise),
	VC4_IOCTL_DEF(PERFMON_CREATE, vc4_perfmon_create),
	VC4_IOCTL_DEF(PERFMON_DESTROY, vc4_perfmon_destroy),
	VC4_IOCTL_DEF(PERFMON_GET_VALUES, vc4_perfmon_get_values),
};

static int vc4_open(struct drm_device *drm, struct drm_file *file)
{
	struct vc4_file *vf = kzalloc(sizeof(*vf), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!vf)
		return -ENOMEM;
	mutex_init(&vf->lock);
	xa_init_flags(&vf->perfmons, XA_FLAGS_ALLOC1);
	ret = pers_file_open(drm, file, &vf->base, 0);
	if (ret)
		goto err_free;
	ret = pers_queue_create(file, vc4_engine(), DRM_VSHADER_PRIORITY_MEDIUM, vc4_timeout_ms,
				0, &vf->queue);
	if (ret)
		goto err_close;
	return 0;

err_close:
	pers_file_close(drm, file);
err_free:
	mutex_destroy(&vf->lock);
	kfree(vf);
	return ret;
}

static void vc4_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct vc4_file *vf = to_vc4_file(file);

	/* while the file has an account */
	vc4_perfmons_fini(vf);
	pers_file_close(drm, file);
	vc4_slots_fini(vf);
	mutex_destroy(&vf->lock);
	kfree(vf);
}

/* The vc4 driver has no usage statistics in fdinfo. */
static const struct file_operations vc4_fops = { VSHADER_FOPS };

static const struct drm_driver vc4_drm_driver = {
	/* no timelines */
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ,
	.open = vc4_open,
	.postclose = vc4_postclose,
	VSHADER_DRIVER_COMMON,
	.ioctls = vc4_ioctls,
	.num_ioctls = ARRAY_SIZE(vc4_ioctls),
	.fops = &vc4_fops,
	.name = "vc4",
	.desc = "vshader as vc4",
	.major = VC4_MAJOR,
	.minor = VC4_MINOR,
};

static const void *vc4_find_chip(const char *name)
{
	return vc4_gpu_find(name);
}

static const char *vc4_compatible(const void *chip)
{
	const struct vc4_gpu *gpu = chip;

	return gpu->compatible;
}

const struct vshader_personality vshader_vc4 = {
	.driver = &vc4_drm_driver,
	.chip = vc4_find_chip,
	.compatible = vc4_compatible,
	.init = vc4_device_init,
	.bo_open = vc4_bo_open,
	.bo_close = pers_bo_close,
	.bo_share = vc4_bo_share,
	.bo_free = vc4_bo_free,
};
