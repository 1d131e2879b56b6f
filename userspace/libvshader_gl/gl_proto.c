// SPDX-License-Identifier: MIT
/*
 * Arrays of the ioctls that programs send.
 */
#include <stddef.h>
#include <string.h>

#include <drm.h>
#include <panfrost_drm.h>

#include "gl_proto.h"

#define ARRAY(req, type, pointer, count, size) \
	{ (req) & 0xff, offsetof(type, pointer), offsetof(type, count), size }

const struct gl_array gl_arrays[] = {
	ARRAY(DRM_IOCTL_PANFROST_SUBMIT, struct drm_panfrost_submit, in_syncs, in_sync_count, 4),
	ARRAY(DRM_IOCTL_PANFROST_SUBMIT, struct drm_panfrost_submit, bo_handles, bo_handle_count,
	      4),
	ARRAY(DRM_IOCTL_SYNCOBJ_WAIT, struct drm_syncobj_wait, handles, count_handles, 4),
	ARRAY(DRM_IOCTL_SYNCOBJ_RESET, struct drm_syncobj_array, handles, count_handles, 4),
	ARRAY(DRM_IOCTL_SYNCOBJ_SIGNAL, struct drm_syncobj_array, handles, count_handles, 4),
};

const unsigned int gl_num_arrays = sizeof(gl_arrays) / sizeof(gl_arrays[0]);

uint64_t gl_array_bytes(const struct gl_array *a, const void *arg)
{
	uint32_t count;

	memcpy(&count, (const uint8_t *)arg + a->count, sizeof(count));
	return (uint64_t)count * a->size;
}

void *gl_array_at(const struct gl_array *a, const void *arg)
{
	uint64_t at;

	memcpy(&at, (const uint8_t *)arg + a->pointer, sizeof(at));
	return (void *)(uintptr_t)at;
}
