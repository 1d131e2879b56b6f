// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Panfrost personality
 *
 * A device with this personality has the name, the version and the ioctls of the panfrost driver,
 * so that Mesa drives it as a Mali. It is an impostor: programs are interpreted, and everything
 * that the interface does not say, such as counters, power and page tables, does not exist.
 *
 * A file has one hidden address space and two hidden queues, of fragment and of other jobs, on
 * the same scheduler, threads, statistics, dumps, recorder and fault injection as files of the
 * driver's own interface. The differences: buffers get their addresses with their handles
 * (panfrost_bo.c); a job synchronises implicitly with those that it names, all of them written,
 * but may access all of the file's; a fault is the fence's error and bans nothing.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include <panfrost_drm.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_prime.h>

#include "drm/vshader_debugfs.h"
#include "drm/vshader_file.h"
#include "drm/vshader_gem.h"
#include "drm/vshader_perf.h"
#include "drm/vshader_personality.h"
#include "drm/vshader_queue.h"
#include "drm/vshader_vm.h"
#include "personality/panfrost.h"

static unsigned int panfrost_timeout_ms = VSHADER_MAX_TIME_MS;
module_param(panfrost_timeout_ms, uint, 0644);
MODULE_PARM_DESC(panfrost_timeout_ms,
		 "time limit of jobs of panfrost devices, ms (1-10000, default 10000)");

static int get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct vshader_device *vdev = to_vshader_device(drm);
	struct drm_panfrost_get_param *args = data;
	u64 value;
	int ret;

	if (args->pad)
		return -EINVAL;
	ret = pan_gpu_param(vdev->chip, args->param, &value);
	if (!ret)
		args->value = value;
	return ret;
}

/* As of the panfrost driver without its parameter unstable_ioctls. */
static int perfcnt(struct drm_device *drm, void *data, struct drm_file *file)
{
	return -ENOSYS;
}

#define PANFROST_IOCTL_DEF(id, func) DRM_IOCTL_DEF_DRV(PANFROST_##id, func, DRM_RENDER_ALLOW)

static const struct drm_ioctl_desc ioctls[] = {
	PANFROST_IOCTL_DEF(SUBMIT, panfrost_submit),
	PANFROST_IOCTL_DEF(WAIT_BO, panfrost_wait_bo),
	PANFROST_IOCTL_DEF(CREATE_BO, panfrost_create_bo),
	PANFROST_IOCTL_DEF(MMAP_BO, panfrost_mmap_bo),
	PANFROST_IOCTL_DEF(GET_PARAM, get_param),
	PANFROST_IOCTL_DEF(GET_BO_OFFSET, panfrost_get_bo_offset),
	PANFROST_IOCTL_DEF(PERFCNT_ENABLE, perfcnt),
	PANFROST_IOCTL_DEF(PERFCNT_DUMP, perfcnt),
	PANFROST_IOCTL_DEF(MADVISE, panfrost_madvise),
};

static void free_file(struct panfrost_file *pf)
{
	vshader_vm_put(pf->vm);
	vs_free(pf->bos.e);
	mutex_destroy(&pf->lock);
	kfree(pf);
}

static int make_vm(struct drm_file *file, struct panfrost_file *pf, u32 *id)
{
	struct drm_vshader_vm_create args = {
		.flags = DRM_VSHADER_VM_48BIT,
	};
	int ret = vshader_vm_create(file, &args);

	if (ret)
		return ret;
	*id = args.id;
	pf->vm = vshader_vm_lookup(file->driver_priv, args.id);
	return 0;
}

static int make_queue(struct drm_file *file, const struct pan_gpu *gpu, u32 vm_id, u32 *id)
{
	struct drm_vshader_queue_create args = {
		.engine = gpu->engine,
		.vm_id = vm_id,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.time_limit_ms = clamp(panfrost_timeout_ms, 1U, VSHADER_MAX_TIME_MS),
	};
	struct vshader_queue *q;
	int ret;

	ret = vshader_queue_create(file, &args);
	if (ret)
		return ret;
	*id = args.id;
	q = vshader_queue_lookup(file->driver_priv, args.id);
	q->fifo.no_ban = true;
	vshader_queue_put(q);
	return 0;
}

static int make_file(struct drm_device *drm, struct drm_file *file, struct panfrost_file *pf)
{
	const struct pan_gpu *gpu = to_vshader_device(drm)->chip;
	u32 i, vm_id = 0;
	int ret;

	ret = make_vm(file, pf, &vm_id);
	for (i = 0; i < PANFROST_NUM_QUEUES && !ret; i++)
		ret = make_queue(file, gpu, vm_id, &pf->queues[i]);
	return ret;
}

static int file_open(struct drm_device *drm, struct drm_file *file)
{
	struct panfrost_file *pf = kzalloc(sizeof(*pf), GFP_KERNEL_ACCOUNT);
	struct vshader_file *vf;
	int ret;

	if (!pf)
		return -ENOMEM;
	mutex_init(&pf->lock);
	ret = vshader_file_open(drm, file);
	if (ret) {
		free_file(pf);
		return ret;
	}
	vf = file->driver_priv;
	vf->personal = pf;
	ret = make_file(drm, file, pf);
	if (ret) {
		vshader_file_close(drm, file);
		free_file(pf);
	}
	return ret;
}

/* The core has closed the handles. */
static void file_close(struct drm_device *drm, struct drm_file *file)
{
	struct panfrost_file *pf = to_panfrost_file(file);

	vshader_file_close(drm, file);
	free_file(pf);
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.show_fdinfo = vshader_show_fdinfo,
	DRM_GEM_FOPS,
};

static const struct drm_driver panfrost_drm_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ,
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

const struct vshader_personality vshader_panfrost = {
	.driver = &panfrost_drm_driver,
	.chip = find_chip,
	.init = panfrost_device_init,
	.bo_open = panfrost_bo_open,
	.bo_close = panfrost_bo_close,
};
