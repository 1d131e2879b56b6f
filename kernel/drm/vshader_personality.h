/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Personalities: a device presents itself to userspace as another driver's, with that driver's
 * name and interface. They are in kernel/personality/.
 */
#ifndef VSHADER_PERSONALITY_H
#define VSHADER_PERSONALITY_H

#include <linux/types.h>

struct attribute_group;
struct drm_driver;
struct drm_file;
struct vm_area_struct;
struct vshader_bo;
struct vshader_device;

/**
 * struct vshader_personality - A driver as which devices can present themselves.
 * @driver: its DRM driver; open and postclose call vshader_file_open() and _close()
 * @chip: find a chip by its name. Return: NULL: unknown
 * @compatible: Return: a chip's property "compatible" in a device tree
 * @init: a device is being made. Return: 0 or an error
 * @bo_open: a file gets a handle of an object. Return: 0 or an error
 * @bo_close: a file gives a handle up
 * @bo_share: an object is mapped, or, with a vma of NULL, exported. Return: 0 or an error; NULL: it
 *	may be
 * @bo_free: free &vshader_bo.own; NULL: there is none
 */
struct vshader_personality {
	const struct drm_driver *driver;
	const void *(*chip)(const char *name);
	const char *(*compatible)(const void *chip);
	int (*init)(struct vshader_device *vdev);
	int (*bo_open)(struct vshader_bo *bo, struct drm_file *file);
	void (*bo_close)(struct vshader_bo *bo, struct drm_file *file);
	int (*bo_share)(struct vshader_bo *bo, struct vm_area_struct *vma);
	void (*bo_free)(struct vshader_bo *bo);
};

extern const struct vshader_personality vshader_lima;
extern const struct vshader_personality vshader_panfrost;
extern const struct vshader_personality vshader_vc4;

/* Files of the platform device in sysfs; none but for devices of this personality. */
extern const struct attribute_group vshader_panfrost_group;

/**
 * vshader_personality_parse - personality and chip of a word of the module parameter
 * @word: DRIVER:CHIP, DRIVER alone if a chip has its name, or the driver's own name
 * @len: characters of @word
 * @p: the personality, NULL: none
 * @chip: its chip
 *
 * Return: 0 or -EINVAL.
 */
int vshader_personality_parse(const char *word, size_t len, const struct vshader_personality **p,
			      const void **chip);

/* Members of struct drm_driver that are the same for all. */
#ifdef HAVE_DRM_DRIVER_PRIME_MMAP
#define VSHADER_DRIVER_PRIME_MMAP	.gem_prime_mmap = drm_gem_prime_mmap,
#else
#define VSHADER_DRIVER_PRIME_MMAP
#endif

#ifdef HAVE_DRM_DRIVER_DATE
#define VSHADER_DRIVER_DATE	.date = "20261123",
#else
#define VSHADER_DRIVER_DATE
#endif

#ifdef FOP_UNSIGNED_OFFSET
#define VSHADER_FOP_FLAGS	.fop_flags = FOP_UNSIGNED_OFFSET,
#else
#define VSHADER_FOP_FLAGS
#endif

/* Members of struct file_operations; as DRM_GEM_FOPS but for release. */
#define VSHADER_FOPS							\
	.owner = THIS_MODULE,						\
	.open = drm_open,						\
	.release = vshader_file_release,				\
	.unlocked_ioctl = drm_ioctl,					\
	.compat_ioctl = drm_compat_ioctl,				\
	.poll = drm_poll,						\
	.read = drm_read,						\
	.llseek = noop_llseek,						\
	VSHADER_FOP_FLAGS						\
	.mmap = drm_gem_mmap

#define VSHADER_DRIVER_COMMON						\
	.gem_create_object = vshader_gem_create_object,			\
	.gem_prime_import_sg_table = vshader_gem_import_sg_table,	\
	.prime_handle_to_fd = drm_gem_prime_handle_to_fd,		\
	.prime_fd_to_handle = drm_gem_prime_fd_to_handle,		\
	VSHADER_DRIVER_PRIME_MMAP					\
	VSHADER_DRIVER_DATE						\
	.debugfs_init = vshader_debugfs_init

#endif /* VSHADER_PERSONALITY_H */
