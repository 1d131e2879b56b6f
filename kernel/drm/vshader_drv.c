// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Module, virtual platform devices, DRM driver, table of ioctls.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_managed.h>
#include <drm/drm_prime.h>

#include "compat/vshader_compat.h"
#include "vshader_debug.h"
#include "vshader_debugfs.h"
#include "vshader_device.h"
#include "vshader_dump.h"
#include "vshader_exec.h"
#include "vshader_file.h"
#include "vshader_gem.h"
#include "vshader_inject.h"
#include "vshader_perf.h"
#include "vshader_personality.h"
#include "vshader_program.h"
#include "vshader_query.h"
#include "vshader_queue.h"
#include "vshader_record.h"
#include "vshader_submit.h"
#include "vshader_vm.h"

/* How long unplugging waits for jobs. */
#define DRAIN_TIME	msecs_to_jiffies(2000)

/* Weight that is executed in a microsecond, roughly. */
#define WEIGHT_PER_US	60

#define MAX_DEVICES	16

static unsigned int devices = 1;
module_param(devices, uint, 0444);
MODULE_PARM_DESC(devices, "number of devices (1-16, default 1)");

static char *simd = "auto";
module_param(simd, charp, 0444);
MODULE_PARM_DESC(simd, "executor: auto, portable, sse2, avx2, avx512, neon (default auto)");

static unsigned int slice_us = 50;
module_param(slice_us, uint, 0444);
MODULE_PARM_DESC(slice_us, "length of a slice, microseconds (5-1000, default 50)");

static char *personality = "";
module_param(personality, charp, 0444);
MODULE_PARM_DESC(personality,
		 "interface of each device: vshader (default), or panfrost:CHIP, lima:CHIP, vc4 or vc4:cygnus to present itself as that driver, CHIP: t760, t860, g31, g52, g71, g72, or mali400, mali400mp1 to mp4, mali450; comma separated");

static enum vs_simd chosen_simd;
struct workqueue_struct *vshader_wq;
struct workqueue_struct *vshader_end_wq;

static struct platform_device *pdevs[MAX_DEVICES];

/*
 * The DRM core rejects ioctls for an unplugged device. None holds drm_dev_enter(): see Lifetime in
 * vshader_file.c.
 */
#define VSHADER_IOCTL(name)							\
static int vshader_ioctl_##name(struct drm_device *drm, void *data, struct drm_file *file)	\
{										\
	return vshader_##name(file, data);					\
}

VSHADER_IOCTL(dev_query)
VSHADER_IOCTL(vm_create)
VSHADER_IOCTL(vm_destroy)
VSHADER_IOCTL(vm_bind)
VSHADER_IOCTL(bo_create)
VSHADER_IOCTL(bo_mmap_offset)
VSHADER_IOCTL(bo_set_label)
VSHADER_IOCTL(program_create)
VSHADER_IOCTL(program_destroy)
VSHADER_IOCTL(program_query)
VSHADER_IOCTL(queue_create)
VSHADER_IOCTL(queue_destroy)
VSHADER_IOCTL(queue_get_state)
VSHADER_IOCTL(submit)
VSHADER_IOCTL(queue_debug)

/*
 * The DRM core's error for a driver's number that the table does not have is -EINVAL, which an
 * argument can cause, too.
 */
static int vshader_ioctl_unknown(struct drm_device *drm, void *data, struct drm_file *file)
{
	return -ENOTTY;
}

#define VSHADER_IOCTL_DEF(id, name) \
	DRM_IOCTL_DEF_DRV(VSHADER_##id, vshader_ioctl_##name, DRM_RENDER_ALLOW)

static const struct drm_ioctl_desc ioctls[] = {
	VSHADER_IOCTL_DEF(DEV_QUERY, dev_query),
	VSHADER_IOCTL_DEF(VM_CREATE, vm_create),
	VSHADER_IOCTL_DEF(VM_DESTROY, vm_destroy),
	VSHADER_IOCTL_DEF(VM_BIND, vm_bind),
	VSHADER_IOCTL_DEF(BO_CREATE, bo_create),
	VSHADER_IOCTL_DEF(BO_MMAP_OFFSET, bo_mmap_offset),
	VSHADER_IOCTL_DEF(BO_SET_LABEL, bo_set_label),
	VSHADER_IOCTL_DEF(PROGRAM_CREATE, program_create),
	VSHADER_IOCTL_DEF(PROGRAM_DESTROY, program_destroy),
	VSHADER_IOCTL_DEF(PROGRAM_QUERY, program_query),
	VSHADER_IOCTL_DEF(QUEUE_CREATE, queue_create),
	VSHADER_IOCTL_DEF(QUEUE_DESTROY, queue_destroy),
	VSHADER_IOCTL_DEF(QUEUE_GET_STATE, queue_get_state),
	VSHADER_IOCTL_DEF(SUBMIT, submit),
	VSHADER_IOCTL_DEF(DEBUG_ATTACH, queue_debug),
	[DRM_VSHADER_DEBUG_ATTACH + 1 ... DRM_COMMAND_END - DRM_COMMAND_BASE - 1] = {
		.func = vshader_ioctl_unknown,
		.flags = DRM_RENDER_ALLOW,
		.name = "VSHADER_UNKNOWN",
	},
};

static const struct file_operations fops = {
	VSHADER_FOPS,
	.show_fdinfo = vshader_show_fdinfo,
};

/* vshader_drm.h has the changelog. */
static const struct drm_driver vshader_drm_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = vshader_file_open,
	.postclose = vshader_file_close,
	VSHADER_DRIVER_COMMON,
	.ioctls = ioctls,
	.num_ioctls = ARRAY_SIZE(ioctls),
	.fops = &fops,
	.name = VSHADER_NAME,
	.desc = "virtual shader processor",
	.major = 1,
	.minor = 0,
};

static int device_init(struct vshader_device *vdev)
{
	int ret;

	INIT_LIST_HEAD(&vdev->bos);
	INIT_LIST_HEAD(&vdev->queues);
	spin_lock_init(&vdev->queues_lock);
	spin_lock_init(&vdev->record_lock);
	init_waitqueue_head(&vdev->idle);
	vshader_quota_init(&vdev->quota);
	ret = drmm_mutex_init(&vdev->drm, &vdev->bos_lock);
	if (ret)
		return ret;
	ret = vshader_dump_init(vdev);
	if (ret)
		return ret;
	ret = vshader_inject_init(vdev);
	if (ret)
		return ret;
	vdev->slice = clamp(slice_us, 5U, 1000U) * WEIGHT_PER_US;
	vdev->simd = chosen_simd;
	return 0;
}

/* The word of device @id, "" for the devices after the last. */
static const char *personality_word(u32 id, size_t *len)
{
	const char *word = personality;

	for (; id && *word; id--)
		word = strchrnul(word, ',') + !!*strchrnul(word, ',');
	*len = strchrnul(word, ',') - word;
	return word;
}

static int vshader_probe(struct platform_device *pdev)
{
	const struct vshader_personality *p;
	struct vshader_device *vdev;
	const void *chip;
	const char *word;
	size_t len;
	int ret;

	word = personality_word(pdev->id, &len);
	ret = vshader_personality_parse(word, len, &p, &chip);
	if (ret) {
		dev_err(&pdev->dev, "personality: no such interface or chip: %.*s\n", (int)len,
			word);
		return ret;
	}

	/* imported buffers are mapped for the device, though it has no DMA */
	ret = dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (ret)
		return ret;
	vdev = devm_drm_dev_alloc(&pdev->dev, p ? p->driver : &vshader_drm_driver,
				  struct vshader_device, drm);
	if (IS_ERR(vdev))
		return PTR_ERR(vdev);
	vdev->personality = p;
	vdev->chip = chip;
	platform_set_drvdata(pdev, vdev);
	ret = device_init(vdev);
	if (ret)
		return ret;
	if (p) {
		ret = p->init(vdev);
		if (ret)
			return ret;
	}
	return drm_dev_register(&vdev->drm, 0);
}

/* The queues cannot go away before the list's lock is dropped. */
static void cancel_all(struct vshader_device *vdev)
{
	struct vshader_queue *q;

	spin_lock(&vdev->queues_lock);
	vdev->gone = true;
	list_for_each_entry(q, &vdev->queues, node) {
		spin_lock(&q->lock);
		q->state |= DRM_VSHADER_QUEUE_STATE_INNOCENT;
		spin_unlock(&q->lock);
		vshader_exec_cancel(&q->fifo, -ENODEV);
		vshader_debug_gone(q->debug);
	}
	spin_unlock(&vdev->queues_lock);
}

static void vshader_remove(struct platform_device *pdev)
{
	struct vshader_device *vdev = platform_get_drvdata(pdev);

	cancel_all(vdev);
	vshader_record_unplug(vdev);
	drm_dev_unplug(&vdev->drm);
	wait_event_timeout(vdev->idle, !atomic_read(&vdev->jobs), DRAIN_TIME);
	flush_workqueue(vshader_wq);
}

static const struct attribute_group *vshader_groups[] = {
	&vshader_panfrost_group,
	NULL,
};

static struct platform_driver vshader_platform_driver = {
	.probe = vshader_probe,
	.remove_new = vshader_remove,
	.driver = {
		.name = VSHADER_NAME,
		.dev_groups = vshader_groups,
	},
};

/* Also from module init. */
static void remove_devices(void)
{
	u32 i;

	for (i = 0; i < MAX_DEVICES; i++)
		platform_device_unregister(pdevs[i]);
}

/*
 * The uevent has the variables that libdrm takes for a node of a device tree: monitors look for the
 * device in sysfs by them. By the kernel's rule the device of a node NAME@ADDRESS is ADDRESS.NAME.
 */
static int vshader_uevent(VSHADER_UEVENT_DEVICE *dev, struct kobj_uevent_env *env)
{
	const struct vshader_personality *p;
	int id = to_platform_device(dev)->id;
	const void *chip;
	const char *word;
	size_t len;

	word = personality_word(id, &len);
	if (vshader_personality_parse(word, len, &p, &chip) || !p)
		return 0;
	if (add_uevent_var(env, "OF_NAME=%d", id) ||
	    add_uevent_var(env, "OF_FULLNAME=/%d@" VSHADER_NAME, id) ||
	    add_uevent_var(env, "OF_COMPATIBLE_0=%s", p->compatible(chip)) ||
	    add_uevent_var(env, "OF_COMPATIBLE_N=1"))
		return -ENOMEM;
	return 0;
}

static const struct device_type vshader_device_type = {
	.uevent = vshader_uevent,
};

/* Return: the device or an error pointer. */
static struct platform_device *add_device(int id)
{
	struct platform_device *pdev = platform_device_alloc(VSHADER_NAME, id);
	int ret;

	if (!pdev)
		return ERR_PTR(-ENOMEM);
	pdev->dev.type = &vshader_device_type;
	ret = platform_device_add(pdev);
	if (ret) {
		platform_device_put(pdev);
		return ERR_PTR(ret);
	}
	return pdev;
}

static int add_devices(void)
{
	struct platform_device *pdev;
	u32 i;

	for (i = 0; i < clamp(devices, 1U, (unsigned int)MAX_DEVICES); i++) {
		pdev = add_device(i);
		if (IS_ERR(pdev)) {
			remove_devices();
			return PTR_ERR(pdev);
		}
		pdevs[i] = pdev;
		/* probing is synchronous; its own error is lost */
		if (!platform_get_drvdata(pdev)) {
			remove_devices();
			return -ENODEV;
		}
	}
	return 0;
}

static int __init choose_simd(void)
{
	u32 i;

	chosen_simd = vs_simd_best();
	if (!strcmp(simd, "auto"))
		return 0;
	for (i = 0; i < VS_NUM_SIMD; i++) {
		if (!strcmp(simd, vs_simd_name(i)) && vs_simd_mask() & BIT(i)) {
			chosen_simd = i;
			return 0;
		}
	}
	pr_err("simd=%s: this machine has no such executor\n", simd);
	return -EINVAL;
}

static int __init vshader_init(void)
{
	int ret;

	ret = choose_simd();
	if (ret)
		return ret;
	vshader_wq = alloc_workqueue(VSHADER_NAME, WQ_UNBOUND, 0);
	if (!vshader_wq)
		return -ENOMEM;
	vshader_end_wq = alloc_workqueue(VSHADER_NAME "-end",
					 WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 0);
	if (!vshader_end_wq) {
		ret = -ENOMEM;
		goto err_wq;
	}
	ret = platform_driver_register(&vshader_platform_driver);
	if (ret)
		goto err_end_wq;
	ret = add_devices();
	if (ret)
		goto err_driver;
	return 0;

err_driver:
	platform_driver_unregister(&vshader_platform_driver);
err_end_wq:
	destroy_workqueue(vshader_end_wq);
err_wq:
	destroy_workqueue(vshader_wq);
	return ret;
}

static void __exit vshader_exit(void)
{
	remove_devices();
	platform_driver_unregister(&vshader_platform_driver);
	/* files and fences hold the module: only the work that put the last one may remain */
	destroy_workqueue(vshader_wq);
	destroy_workqueue(vshader_end_wq);
	rcu_barrier();
}

module_init(vshader_init);
module_exit(vshader_exit);

VSHADER_IMPORT_NS("DMA_BUF");
MODULE_AUTHOR("vshader contributors");
MODULE_DESCRIPTION("Virtual shader processor");
MODULE_VERSION(VSHADER_RELEASE);
MODULE_LICENSE("Dual MIT/GPL");
