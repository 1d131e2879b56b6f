// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The panfrost interface without DRM. Parameters are registers of the chip; what differs from
 * one chip to the next is what our device is: one core, no AFBC, ETC2 of the compressed formats.
 */
#include <panfrost_drm.h>

#include "drm/vshader_drm_mali.h"
#include "engine/vs_job.h"
#include "personality/pan_gpu.h"

#define MIDGARD(name, id, gpu) { name, id, DRM_VSHADER_MALI_##gpu, DRM_VSHADER_ENGINE_MIDGARD, \
				 DRM_VSHADER_NATIVE_MIDGARD_CHAIN }
#define BIFROST(name, id, gpu) { name, id, DRM_VSHADER_MALI_##gpu, DRM_VSHADER_ENGINE_BIFROST, \
				 DRM_VSHADER_NATIVE_BIFROST_CHAIN }

/* Products as in Mesa, src/panfrost/lib/pan_props.c. */
static const struct pan_gpu gpus[] = {
	MIDGARD("t760", 0x0750, T760),
	MIDGARD("t860", 0x0860, T860),
	BIFROST("g71", 0x6000, G71),
	BIFROST("g72", 0x6221, G72),
	BIFROST("g31", 0x7093, G31),
	BIFROST("g52", 0x7212, G52),
};

/* Alignment from which on the panfrost driver can use large pages. */
#define LARGE_PAGE	0x200000ULL

/* A chain's programs, tile buffer and threads. */
#define JOB_MEMORY	0x2000000ULL

#define MAPPINGS_ROOM	64U

const struct pan_gpu *pan_gpu_find(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(gpus); i++) {
		if (!strcmp(gpus[i].name, name))
			return &gpus[i];
	}
	return NULL;
}

int pan_gpu_param(const struct pan_gpu *gpu, u32 param, u64 *value)
{
	static const u32 values[] = {
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
		/* bits of compressed formats: ETC2 and EAC */
		[DRM_PANFROST_PARAM_TEXTURE_FEATURES0] = 0x000e001e,
		/* bits of job types */
		[DRM_PANFROST_PARAM_JS_FEATURES0] = 0x20e,
		[DRM_PANFROST_PARAM_JS_FEATURES1] = 0x4be,
		[DRM_PANFROST_PARAM_NR_CORE_GROUPS] = 1,
		/* not 0: AFBC is absent */
		[DRM_PANFROST_PARAM_AFBC_FEATURES] = 1,
	};

	if (param >= ARRAY_SIZE(values))
		return -EINVAL;
	*value = param == DRM_PANFROST_PARAM_GPU_PROD_ID ? gpu->id : values[param];
	return 0;
}

int pan_check_bo(u32 flags)
{
	if (flags & ~(PANFROST_BO_NOEXEC | PANFROST_BO_HEAP))
		return -EINVAL;
	/* as in the panfrost driver */
	return flags & PANFROST_BO_HEAP && !(flags & PANFROST_BO_NOEXEC) ? -EINVAL : 0;
}

static u64 alignment(u64 size, bool noexec)
{
	u64 align = 4096;

	while (!noexec && align < size)
		align *= 2;
	return size >= LARGE_PAGE ? max_t(u64, align, LARGE_PAGE) : align;
}

static int make_room(struct vs_mappings *x)
{
	u32 cap = max_t(u32, MAPPINGS_ROOM, x->cap * 2);
	struct vs_mapping *e;

	if (x->n + VS_MAPPINGS_GROWTH <= x->cap)
		return 0;
	e = vs_zalloc_array(cap, sizeof(*e));
	if (!e)
		return -ENOMEM;
	if (x->n)
		memcpy(e, x->e, x->n * sizeof(*e));
	vs_free(x->e);
	x->e = e;
	x->cap = cap;
	return 0;
}

int pan_va_add(struct vs_mappings *x, void *obj, u64 size, bool noexec)
{
	struct vs_mapping m = {
		.size = size,
		.obj = obj,
		.flags = VS_EXT_WRITE | (noexec ? 0 : VS_EXT_EXEC),
	};
	int ret;

	ret = make_room(x);
	if (!ret)
		ret = vs_mappings_gap(x, PAN_VA_START, PAN_VA_END, size, alignment(size, noexec),
				      &m.va);
	return ret ?: vs_mappings_map(x, &m);
}

static const struct vs_mapping *find(const struct vs_mappings *x, const void *obj)
{
	u32 i;

	for (i = 0; i < x->n; i++) {
		if (x->e[i].obj == obj)
			return &x->e[i];
	}
	return NULL;
}

bool pan_va_remove(struct vs_mappings *x, const void *obj)
{
	const struct vs_mapping *m = find(x, obj);

	return m && !vs_mappings_unmap(x, m->va, m->size);
}

u64 pan_va_of(const struct vs_mappings *x, const void *obj)
{
	const struct vs_mapping *m = find(x, obj);

	return m ? m->va : 0;
}

void pan_job(const struct pan_gpu *gpu, u64 jc, struct drm_vshader_native_job *job)
{
	memset(job, 0, sizeof(*job));
	job->format = gpu->format;
	job->va = jc;
	job->model = gpu->model;
	job->memory = JOB_MEMORY;
}
