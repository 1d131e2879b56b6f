// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The panfrost interface without DRM. Parameters are registers of the chip; what differs from
 * one chip to the next is what our device is: one core, no AFBC, ETC2 of the compressed formats.
 */
#include "drm/vshader_drm_mali.h"
#include "engine/vs_clock.h"
#include "engine/vs_job.h"
#include "personality/pan_gpu.h"
#include "personality/pan_uapi.h"

#define MIDGARD(name, id, gpu) { #name, "arm,mali-" #name, id, DRM_VSHADER_MALI_##gpu, \
				 DRM_VSHADER_ENGINE_MIDGARD, DRM_VSHADER_NATIVE_MIDGARD_CHAIN }
#define BIFROST(name, id, gpu) { #name, "arm,mali-bifrost", id, DRM_VSHADER_MALI_##gpu, \
				 DRM_VSHADER_ENGINE_BIFROST, DRM_VSHADER_NATIVE_BIFROST_CHAIN }

/* Products as in Mesa, src/panfrost/lib/pan_props.c. */
static const struct pan_gpu gpus[] = {
	MIDGARD(t760, 0x0750, T760),
	MIDGARD(t860, 0x0860, T860),
	BIFROST(g71, 0x6000, G71),
	BIFROST(g72, 0x6221, G72),
	BIFROST(g31, 0x7093, G31),
	BIFROST(g52, 0x7212, G52),
};

/* Alignment from which on the panfrost driver can use large pages. */
#define LARGE_PAGE	0x200000ULL

/* A chain's programs, tile buffer and threads. */
#define JOB_MEMORY	0x2000000ULL

const struct pan_gpu *pan_gpu_find(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		if (!strcmp(gpus[i].name, name))
			return &gpus[i];
	}
	return NULL;
}

int pan_gpu_param(const struct pan_gpu *gpu, u32 param, bool high, u64 *value)
{
	static const u32 values[PAN_NUM_PARAMS] = {
		[DRM_PANFROST_PARAM_SHADER_PRESENT] = 1,
		[DRM_PANFROST_PARAM_TILER_PRESENT] = 1,
		[DRM_PANFROST_PARAM_L2_PRESENT] = 1,
		[DRM_PANFROST_PARAM_AS_PRESENT] = 1,
		/* slots for fragment jobs and for all others */
		[DRM_PANFROST_PARAM_JS_PRESENT] = 3,
		/* bins of 64 KiB at most, 8 levels of the hierarchy */
		[DRM_PANFROST_PARAM_TILER_FEATURES] = 0x809,
		/* 48 bits of virtual addresses */
		[DRM_PANFROST_PARAM_MMU_FEATURES] = 0x2830,
		[DRM_PANFROST_PARAM_MAX_THREADS] = 256,
		[DRM_PANFROST_PARAM_THREAD_MAX_WORKGROUP_SZ] = 256,
		[DRM_PANFROST_PARAM_THREAD_MAX_BARRIER_SZ] = 256,
		/* bit of ACE-Lite: memory is coherent */
		[DRM_PANFROST_PARAM_COHERENCY_FEATURES] = BIT(0),
		/* bits of compressed formats: ETC2 and EAC */
		[DRM_PANFROST_PARAM_TEXTURE_FEATURES0] = 0x000e001e,
		/* bits of job types */
		[DRM_PANFROST_PARAM_JS_FEATURES0] = 0x20e,
		[DRM_PANFROST_PARAM_JS_FEATURES1] = 0x4be,
		[DRM_PANFROST_PARAM_NR_CORE_GROUPS] = 1,
		/* not 0: AFBC is absent */
		[DRM_PANFROST_PARAM_AFBC_FEATURES] = 1,
		[PAN_PARAM_SYSTEM_TIMESTAMP_FREQUENCY] = PAN_CLOCK_HZ,
		[PAN_PARAM_ALLOWED_JM_CTX_PRIORITIES] = BIT(PAN_PRIORITY_LOW) |
							BIT(PAN_PRIORITY_MEDIUM),
		/* ACE-Lite */
		[PAN_PARAM_SELECTED_COHERENCY] = 0,
	};

	if (param >= PAN_NUM_PARAMS)
		return -EINVAL;
	*value = values[param];
	if (param == DRM_PANFROST_PARAM_GPU_PROD_ID)
		*value = gpu->id;
	else if (param == PAN_PARAM_SYSTEM_TIMESTAMP)
		*value = vs_now_ns();
	else if (param == PAN_PARAM_ALLOWED_JM_CTX_PRIORITIES && high)
		*value |= BIT(PAN_PRIORITY_HIGH);
	return 0;
}

int pan_check_bo(u32 flags)
{
	if (flags & ~(PANFROST_BO_NOEXEC | PANFROST_BO_HEAP | PAN_BO_WB_MMAP))
		return -EINVAL;
	if (!(flags & PANFROST_BO_HEAP))
		return 0;
	/* as in the panfrost driver */
	return flags & PANFROST_BO_NOEXEC && !(flags & PAN_BO_WB_MMAP) ? 0 : -EINVAL;
}

int pan_check_sync(u32 type, u32 offset, u32 bytes, u64 size, bool imported)
{
	if (type >= PAN_NUM_SYNC_TYPES || imported || (u64)offset + bytes > size)
		return -EINVAL;
	return offset + bytes < offset ? -EINVAL : 0;
}

u32 pan_bo_info(u32 flags, bool imported, u32 *extra)
{
	*extra = imported ? PAN_BO_IS_IMPORTED : 0;
	/* the panfrost driver maps all memory of a coherent device cached */
	return imported ? 0 : flags | PAN_BO_WB_MMAP;
}

void pan_place(u64 size, bool noexec, struct pers_place *place)
{
	*place = (struct pers_place){
		.start = PAN_VA_START,
		.end = PAN_VA_END,
		.size = size,
		.align = size >= LARGE_PAGE ? LARGE_PAGE : 4096,
		.flags = VS_EXT_WRITE | (noexec ? 0 : VS_EXT_EXEC),
	};
	while (!noexec && place->align < size)
		place->align *= 2;
}

void pan_job(const struct pan_gpu *gpu, u64 jc, u32 requirements,
	     struct drm_vshader_native_job *job)
{
	memset(job, 0, sizeof(*job));
	job->format = gpu->format;
	job->va = jc;
	job->model = gpu->model;
	job->switches = requirements & PAN_JD_REQ_CYCLE_COUNT ? DRM_VSHADER_MALI_CLOCK : 0;
	job->memory = JOB_MEMORY;
}
