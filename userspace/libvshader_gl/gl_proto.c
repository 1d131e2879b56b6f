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
/* Without them, all are 0. */
#define POINTS(req, type) \
	{ GL_ANY, NR(req), offsetof(type, points), offsetof(type, count_handles), 8, GL_OR_NULL }

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
	POINTS(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, struct drm_syncobj_timeline_wait),
	ARRAY(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, struct drm_syncobj_timeline_wait, handles,
	      count_handles, 4),
	POINTS(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, struct drm_syncobj_timeline_array),
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

bool gl_array_is_read(const struct gl_array *a, const void *arg)
{
	return a->out != GL_OUT_ONLY && (a->out != GL_OR_NULL || gl_array_at(a, arg));
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

/* ---- requests ---- */

#define ANY_REQUEST(id) { GL_ANY, DRM_IOCTL_##id }
#define PAN_REQUEST(id) { GL_PANFROST, DRM_IOCTL_##id }
#define LIMA_REQUEST(id) { GL_LIMA, DRM_IOCTL_LIMA_##id }
#define VC4_REQUEST(id) { GL_VC4, DRM_IOCTL_VC4_##id }

static const struct request {
	enum gl_kind kind;
	uint32_t request;
} requests[] = {
	ANY_REQUEST(VERSION), ANY_REQUEST(GET_UNIQUE), ANY_REQUEST(GET_MAGIC),
	ANY_REQUEST(GET_CLIENT), ANY_REQUEST(GET_STATS), ANY_REQUEST(SET_VERSION),
	ANY_REQUEST(GEM_CLOSE), ANY_REQUEST(GEM_FLINK), ANY_REQUEST(GEM_OPEN),
	ANY_REQUEST(GET_CAP), ANY_REQUEST(SET_CLIENT_CAP), ANY_REQUEST(SET_UNIQUE),
	ANY_REQUEST(AUTH_MAGIC), ANY_REQUEST(BLOCK), ANY_REQUEST(UNBLOCK),
	ANY_REQUEST(SET_MASTER), ANY_REQUEST(DROP_MASTER), ANY_REQUEST(ADD_DRAW),
	ANY_REQUEST(RM_DRAW), ANY_REQUEST(FINISH), ANY_REQUEST(PRIME_HANDLE_TO_FD),
	ANY_REQUEST(PRIME_FD_TO_HANDLE), ANY_REQUEST(WAIT_VBLANK),
	ANY_REQUEST(CRTC_GET_SEQUENCE), ANY_REQUEST(CRTC_QUEUE_SEQUENCE),
	ANY_REQUEST(UPDATE_DRAW), ANY_REQUEST(MODE_GETRESOURCES), ANY_REQUEST(MODE_GETCRTC),
	ANY_REQUEST(MODE_SETCRTC), ANY_REQUEST(MODE_CURSOR), ANY_REQUEST(MODE_GETGAMMA),
	ANY_REQUEST(MODE_SETGAMMA), ANY_REQUEST(MODE_GETENCODER), ANY_REQUEST(MODE_GETCONNECTOR),
	ANY_REQUEST(MODE_ATTACHMODE), ANY_REQUEST(MODE_DETACHMODE),
	ANY_REQUEST(MODE_GETPROPERTY), ANY_REQUEST(MODE_SETPROPERTY),
	ANY_REQUEST(MODE_GETPROPBLOB), ANY_REQUEST(MODE_GETFB), ANY_REQUEST(MODE_ADDFB),
	ANY_REQUEST(MODE_RMFB), ANY_REQUEST(MODE_PAGE_FLIP), ANY_REQUEST(MODE_DIRTYFB),
	ANY_REQUEST(MODE_CREATE_DUMB), ANY_REQUEST(MODE_MAP_DUMB), ANY_REQUEST(MODE_DESTROY_DUMB),
	ANY_REQUEST(MODE_GETPLANERESOURCES), ANY_REQUEST(MODE_GETPLANE),
	ANY_REQUEST(MODE_SETPLANE), ANY_REQUEST(MODE_ADDFB2), ANY_REQUEST(MODE_OBJ_GETPROPERTIES),
	ANY_REQUEST(MODE_OBJ_SETPROPERTY), ANY_REQUEST(MODE_CURSOR2), ANY_REQUEST(MODE_ATOMIC),
	ANY_REQUEST(MODE_CREATEPROPBLOB), ANY_REQUEST(MODE_DESTROYPROPBLOB),
	ANY_REQUEST(SYNCOBJ_CREATE), ANY_REQUEST(SYNCOBJ_DESTROY),
	ANY_REQUEST(SYNCOBJ_HANDLE_TO_FD), ANY_REQUEST(SYNCOBJ_FD_TO_HANDLE),
	ANY_REQUEST(SYNCOBJ_WAIT), ANY_REQUEST(SYNCOBJ_RESET), ANY_REQUEST(SYNCOBJ_SIGNAL),
	ANY_REQUEST(MODE_CREATE_LEASE), ANY_REQUEST(MODE_LIST_LESSEES),
	ANY_REQUEST(MODE_GET_LEASE), ANY_REQUEST(MODE_REVOKE_LEASE),
	ANY_REQUEST(SYNCOBJ_TIMELINE_WAIT), ANY_REQUEST(SYNCOBJ_QUERY),
	ANY_REQUEST(SYNCOBJ_TRANSFER), ANY_REQUEST(SYNCOBJ_TIMELINE_SIGNAL),
	ANY_REQUEST(MODE_GETFB2),
	{ GL_ANY, DRM_IOWR(GL_SYNCOBJ_EVENTFD, struct gl_syncobj_eventfd) },
	{ GL_ANY, DRM_IOWR(GL_CLOSE_FB, struct gl_close_fb) },
	{ GL_ANY, DRM_IOWR(GL_SET_CLIENT_NAME, struct gl_client_name) },
	PAN_REQUEST(PAN_SUBMIT), PAN_REQUEST(PANFROST_WAIT_BO), PAN_REQUEST(PANFROST_CREATE_BO),
	PAN_REQUEST(PANFROST_MMAP_BO), PAN_REQUEST(PANFROST_GET_PARAM),
	PAN_REQUEST(PANFROST_GET_BO_OFFSET), PAN_REQUEST(PANFROST_PERFCNT_ENABLE),
	PAN_REQUEST(PANFROST_PERFCNT_DUMP), PAN_REQUEST(PANFROST_MADVISE),
	PAN_REQUEST(PAN_SET_LABEL_BO), PAN_REQUEST(PAN_JM_CTX_CREATE),
	PAN_REQUEST(PAN_JM_CTX_DESTROY), PAN_REQUEST(PAN_SYNC_BO), PAN_REQUEST(PAN_QUERY_BO_INFO),
	LIMA_REQUEST(GET_PARAM), LIMA_REQUEST(GEM_CREATE), LIMA_REQUEST(GEM_INFO),
	LIMA_REQUEST(GEM_SUBMIT), LIMA_REQUEST(GEM_WAIT), LIMA_REQUEST(CTX_CREATE),
	LIMA_REQUEST(CTX_FREE),
	VC4_REQUEST(SUBMIT_CL), VC4_REQUEST(WAIT_SEQNO), VC4_REQUEST(WAIT_BO),
	VC4_REQUEST(CREATE_BO), VC4_REQUEST(MMAP_BO), VC4_REQUEST(CREATE_SHADER_BO),
	VC4_REQUEST(GET_HANG_STATE), VC4_REQUEST(GET_PARAM), VC4_REQUEST(SET_TILING),
	VC4_REQUEST(GET_TILING), VC4_REQUEST(LABEL_BO), VC4_REQUEST(GEM_MADVISE),
	VC4_REQUEST(PERFMON_CREATE), VC4_REQUEST(PERFMON_DESTROY), VC4_REQUEST(PERFMON_GET_VALUES),
};

uint32_t gl_request_of(enum gl_kind kind, uint32_t nr)
{
	size_t i;

	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (NR(requests[i].request) == nr &&
		    (requests[i].kind == GL_ANY || requests[i].kind == kind))
			return requests[i].request;
	}
	return 0;
}
