// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The lima interface without DRM.
 */
#include "drm/vshader_drm_utgard.h"
#include "engine/vs_job.h"
#include "personality/lima_gpu.h"
#include "personality/lima_uapi.h"

/* Versions as the register models have them: r1p1 and r0p0. */
#define MALI400(name, pps) { name, "arm,mali-400", DRM_LIMA_PARAM_GPU_ID_MALI400, pps, \
			     DRM_VSHADER_UTGARD_MALI400, 0x0b070101, 0xcd070101 }
#define MALI450(name, pps) { name, "arm,mali-450", DRM_LIMA_PARAM_GPU_ID_MALI450, pps, \
			     DRM_VSHADER_UTGARD_MALI450, 0x0d070000, 0xcf070000 }

static const struct lima_gpu gpus[] = {
	MALI400("mali400", 4),
	MALI400("mali400mp1", 1),
	MALI400("mali400mp2", 2),
	MALI400("mali400mp3", 3),
	MALI400("mali400mp4", 4),
	MALI450("mali450", 8),
};

/* A frame's programs, tile buffer and threads. */
#define JOB_MEMORY	0x2000000ULL

/* Granule of &struct vshader_heap. */
#define HEAP_GRANULE	0x10000U

/* Words of a GP frame: lists of vertices and tiles, and the heap. */
enum { VS_START, VS_END, PLBU_START, PLBU_END, HEAP_START, HEAP_END };

static_assert(sizeof(struct drm_lima_m450_pp_frame) == LIMA_MAX_FRAME * sizeof(u32));
static_assert(sizeof(struct drm_lima_m400_pp_frame) < LIMA_MAX_FRAME * sizeof(u32));
static_assert((int)LIMA_GP == LIMA_PIPE_GP && (int)LIMA_PP == LIMA_PIPE_PP);

const struct lima_gpu *lima_gpu_find(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		if (!strcmp(gpus[i].name, name))
			return &gpus[i];
	}
	return NULL;
}

int lima_gpu_param(const struct lima_gpu *gpu, u32 param, u64 *value)
{
	switch (param) {
	case DRM_LIMA_PARAM_GPU_ID:
		*value = gpu->id;
		return 0;
	case DRM_LIMA_PARAM_NUM_PP:
		*value = gpu->num_pp;
		return 0;
	case DRM_LIMA_PARAM_GP_VERSION:
		*value = gpu->gp_version;
		return 0;
	case DRM_LIMA_PARAM_PP_VERSION:
		*value = gpu->pp_version;
		return 0;
	default:
		return -EINVAL;
	}
}

static bool lima_is_mali450(const struct lima_gpu *gpu)
{
	return gpu->id == DRM_LIMA_PARAM_GPU_ID_MALI450;
}

u32 lima_frame_size(const struct lima_gpu *gpu, u32 pipe)
{
	if (pipe == LIMA_GP)
		return sizeof(struct drm_lima_gp_frame);
	return lima_is_mali450(gpu) ? sizeof(struct drm_lima_m450_pp_frame) :
				 sizeof(struct drm_lima_m400_pp_frame);
}

static int lima_check_gp(const u32 *f)
{
	if (f[VS_START] > f[VS_END] || f[PLBU_START] > f[PLBU_END] || f[HEAP_START] > f[HEAP_END])
		return -EINVAL;
	return f[VS_START] == f[VS_END] && f[PLBU_START] == f[PLBU_END] ? -EINVAL : 0;
}

int lima_check_frame(const struct lima_gpu *gpu, u32 pipe, const u32 *frame)
{
	/* the same place in frames of both chips */
	const struct drm_lima_m450_pp_frame *pp = (const void *)frame;

	if (pipe == LIMA_GP)
		return lima_check_gp(frame);
	if (lima_is_mali450(gpu) && pp->_pad)
		return -EINVAL;
	return pp->num_pp && pp->num_pp <= gpu->num_pp ? 0 : -EINVAL;
}

u64 lima_heap_first(u64 size, u32 page)
{
	u64 first = LIMA_HEAP_PAGES * page;

	return size > first ? first + (size - first) % HEAP_GRANULE : size;
}

bool lima_grow_heap(u32 *frame, u64 va, u64 size)
{
	if (frame[HEAP_START] != va)
		return false;
	frame[HEAP_END] = va + size;
	return true;
}

void lima_place(u64 size, bool noexec, struct pers_place *place)
{
	*place = (struct pers_place){
		.start = LIMA_VA_START,
		.end = LIMA_VA_END,
		.size = size,
		.align = 4096,
		.flags = VS_EXT_WRITE | VS_EXT_EXEC,
	};
}

u32 lima_engine(u32 pipe)
{
	return pipe == LIMA_GP ? DRM_VSHADER_ENGINE_UTGARD_GP : DRM_VSHADER_ENGINE_UTGARD_PP;
}

void lima_job(const struct lima_gpu *gpu, u32 pipe, struct drm_vshader_native_job *job)
{
	memset(job, 0, sizeof(*job));
	job->format = pipe == LIMA_GP ? DRM_VSHADER_NATIVE_UTGARD_GP_FRAME :
					DRM_VSHADER_NATIVE_UTGARD_PP_FRAME;
	job->va = LIMA_FRAME_VA;
	job->model = gpu->model;
	job->memory = JOB_MEMORY;
}
