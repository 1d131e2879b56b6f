// SPDX-License-Identifier: MIT
/*
 * Drivers, and the arrays of the ioctls that programs send.
 */
#include <stddef.h>
#include <string.h>

#include <drm.h>

#include "gl_proto.h"
#include "personality/lima_uapi.h"
#include "personality/pan_uapi.h"
#include "personality/vc4_uapi.h"

#define NR(request)	((request) & 0xff)

static const struct gl_interface interfaces[] = {
	{ GL_PANFROST, "panfrost", PAN_MAJOR, PAN_MINOR },
	{ GL_LIMA, "lima", LIMA_MAJOR, LIMA_MINOR },
	{ GL_VC4, "vc4", VC4_MAJOR, VC4_MINOR },
};

const struct gl_node gl_nodes[GL_NODES] = {
	{ GL_RENDER, 128 },
	{ GL_CARD, GL_CARD_MINOR },
};

const struct gl_interface *gl_interface_find(const char *name)
{
	unsigned int i;

	for (i = 0; name && i < sizeof(interfaces) / sizeof(interfaces[0]); i++) {
		if (!strcmp(interfaces[i].name, name))
			return &interfaces[i];
	}
	return &interfaces[0];
}

#define ARRAY_OF(kind, req, type, pointer, count, size) \
	{ kind, NR(req), offsetof(type, pointer), offsetof(type, count), size, 0 }
#define ARRAY(...) ARRAY_OF(GL_ANY, __VA_ARGS__)
#define PAN_ARRAY(...) ARRAY_OF(GL_PANFROST, __VA_ARGS__)
#define LIMA_ARRAY(...) ARRAY_OF(GL_LIMA, __VA_ARGS__)
#define VC4_ARRAY(...) ARRAY_OF(GL_VC4, __VA_ARGS__)

static const struct gl_array arrays[] = {
	PAN_ARRAY(DRM_IOCTL_PANFROST_SUBMIT, struct drm_panfrost_submit, in_syncs, in_sync_count,
		  4),
	PAN_ARRAY(DRM_IOCTL_PANFROST_SUBMIT, struct drm_panfrost_submit, bo_handles,
		  bo_handle_count, 4),
	PAN_ARRAY(DRM_IOCTL_PAN_SYNC_BO, struct pan_sync_bo, ops, op_count,
		  sizeof(struct pan_sync_op)),
	{ GL_PANFROST, NR(DRM_IOCTL_PAN_SET_LABEL_BO), offsetof(struct pan_set_label_bo, label),
	  GL_LABEL_BYTES, 1, 0 },
	LIMA_ARRAY(DRM_IOCTL_LIMA_GEM_SUBMIT, struct drm_lima_gem_submit, bos, nr_bos,
		   sizeof(struct drm_lima_gem_submit_bo)),
	LIMA_ARRAY(DRM_IOCTL_LIMA_GEM_SUBMIT, struct drm_lima_gem_submit, frame, frame_size, 1),
	VC4_ARRAY(DRM_IOCTL_VC4_SUBMIT_CL, struct drm_vc4_submit_cl, bo_handles, bo_handle_count,
		  4),
	VC4_ARRAY(DRM_IOCTL_VC4_SUBMIT_CL, struct drm_vc4_submit_cl, bin_cl, bin_cl_size, 1),
	VC4_ARRAY(DRM_IOCTL_VC4_SUBMIT_CL, struct drm_vc4_submit_cl, shader_rec, shader_rec_size,
		  1),
	VC4_ARRAY(DRM_IOCTL_VC4_SUBMIT_CL, struct drm_vc4_submit_cl, uniforms, uniforms_size, 1),
	VC4_ARRAY(DRM_IOCTL_VC4_CREATE_SHADER_BO, struct drm_vc4_create_shader_bo, data, size, 1),
	{ GL_VC4, NR(DRM_IOCTL_VC4_LABEL_BO), offsetof(struct drm_vc4_label_bo, name),
	  GL_LABEL_BYTES, 1, 0 },
	{ GL_VC4, NR(DRM_IOCTL_VC4_PERFMON_GET_VALUES),
	  offsetof(struct drm_vc4_perfmon_get_values, values_ptr), GL_COUNTERS, 8, GL_OUT_ONLY },
	ARRAY(DRM_IOCTL_SYNCOBJ_WAIT, struct drm_syncobj_wait, handles, count_handles, 4),
	ARRAY(DRM_IOCTL_SYNCOBJ_RESET, struct drm_syncobj_array, handles, count_handles, 4),
	ARRAY(DRM_IOCTL_SYNCOBJ_SIGNAL, struct drm_syncobj_array, handles, count_handles, 4),
	ARRAY(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, struct drm_syncobj_timeline_wait, points,
	      count_handles, 8),
	ARRAY(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, struct drm_syncobj_timeline_wait, handles,
	      count_handles, 4),
	ARRAY(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, struct drm_syncobj_timeline_array, points,
	      count_handles, 8),
	ARRAY(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, struct drm_syncobj_timeline_array, handles,
	      count_handles, 4),
	{ GL_ANY, NR(DRM_IOCTL_SYNCOBJ_QUERY), offsetof(struct drm_syncobj_timeline_array, points),
	  offsetof(struct drm_syncobj_timeline_array, count_handles), 8, 1 },
	ARRAY(DRM_IOCTL_SYNCOBJ_QUERY, struct drm_syncobj_timeline_array, handles,
	      count_handles, 4),
	ARRAY(GL_SET_CLIENT_NAME, struct gl_client_name, name, len, 1),
};

const struct gl_array *gl_next_array(const struct gl_array *a, enum gl_kind kind, uint32_t nr)
{
	const struct gl_array *end = arrays + sizeof(arrays) / sizeof(arrays[0]);

	for (a = a ? a + 1 : arrays; a < end; a++) {
		if (a->nr == nr && (a->kind == GL_ANY || a->kind == kind))
			return a;
	}
	return NULL;
}

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
