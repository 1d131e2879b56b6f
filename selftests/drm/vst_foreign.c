// SPDX-License-Identifier: GPL-2.0
/* What the interfaces of panfrost, lima and vc4 have in common. */
#include <lima_drm.h>
#include <panfrost_drm.h>
#include <vc4_drm.h>

#include "vst.h"

int vst_foreign_bo(int fd, const char *driver, __u32 size, __u32 *handle)
{
	struct drm_panfrost_create_bo pan = { .size = size };
	struct drm_lima_gem_create lima = { .size = size };
	struct drm_vc4_create_bo vc4 = { .size = size };
	int ret;

	if (!strcmp(driver, "panfrost")) {
		ret = vst_ioctl(fd, DRM_IOCTL_PANFROST_CREATE_BO, &pan);
		*handle = pan.handle;
	} else if (!strcmp(driver, "lima")) {
		ret = vst_ioctl(fd, DRM_IOCTL_LIMA_GEM_CREATE, &lima);
		*handle = lima.handle;
	} else {
		ret = vst_ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &vc4);
		*handle = vc4.handle;
	}
	return ret;
}
