// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Device queries.
 */
#include <linux/slab.h>
#include <linux/string.h>

#include "debug/session.h"
#include "native/native.h"
#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_query.h"

static u64 engine_mask(void)
{
	u64 mask = 0;
	u32 i;

	for (i = 0; i < VS_MAX_ISAS; i++)
		mask |= vs_isa_by_id(i) ? BIT_ULL(i) : 0;
	return mask;
}

static int query_dev_info(struct vshader_device *vdev, struct drm_vshader_dev_query *args)
{
	const struct drm_vshader_dev_info info = {
		.engine_mask = engine_mask(),
		.min_va = VSHADER_MIN_VA,
		.max_va_32 = VSHADER_MAX_VA_32,
		.max_va_48 = VSHADER_MAX_VA_48,
		.page_size = PAGE_SIZE,
		.num_workers = vshader_exec_max_threads(),
		.simd = vdev->simd,
		.simd_mask = vs_simd_mask(),
		.block_size = VS_LANES,
	};

	return vshader_copy_answer(args->pointer, &args->size, &info, sizeof(info));
}

static int query_limits(struct drm_vshader_dev_query *args)
{
	static const struct drm_vshader_limits limits = {
		.max_bo_size = VSHADER_MAX_BO_SIZE,
		.max_budget = VSHADER_MAX_BUDGET,
		.max_job_memory = VSHADER_MAX_JOB_MEMORY,
		.max_code_size = VSHADER_MAX_CODE_SIZE,
		.max_entries = VSHADER_MAX_ENTRIES,
		.max_jobs = VSHADER_MAX_JOBS,
		.max_syncs = VSHADER_MAX_SYNCS,
		.max_streams = VS_MAX_STREAMS,
		.max_bind_ops = VSHADER_MAX_BIND_OPS,
		.max_mappings = VSHADER_MAX_MAPPINGS,
		.max_objects = VSHADER_MAX_OBJECTS,
		.max_time_ms = VSHADER_MAX_TIME_MS,
		.default_time_ms = VSHADER_DEFAULT_TIME_MS,
		.max_invocations = VSHADER_MAX_INVOCATIONS,
		.max_label = VSHADER_MAX_LABEL,
		.max_native_draws = VSHADER_MAX_DRAWS,
		.max_native_size = VSHADER_MAX_NATIVE_SIZE,
		.max_queued_jobs = VSHADER_MAX_QUEUED,
	};

	return vshader_copy_answer(args->pointer, &args->size, &limits, sizeof(limits));
}

static int query_engines(struct drm_vshader_dev_query *args)
{
	struct drm_vshader_engine_info info[VS_MAX_ISAS] = {};
	u32 i, n = 0;

	for (i = 0; i < VS_MAX_ISAS; i++) {
		const struct vs_isa *isa = vs_isa_by_id(i);

		if (!isa)
			continue;
		info[n].engine = isa->id;
		info[n].caps = DRM_VSHADER_CAP_SHADER_JOBS;
		if (vs_native_formats(isa->id))
			info[n].caps |= DRM_VSHADER_CAP_NATIVE_JOBS;
		info[n].stage_mask = isa->stage_mask;
		info[n].va_bits = isa->va_bits;
		info[n].max_code_words = min_t(u32, isa->max_words,
					       VSHADER_MAX_CODE_SIZE / isa->word_bytes);
		info[n].word_bytes = isa->word_bytes;
		strscpy(info[n].name, isa->name, sizeof(info[n].name));
		n++;
	}
	return vshader_copy_answer(args->pointer, &args->size, info, n * sizeof(info[0]));
}

static int query_numeric(struct drm_vshader_dev_query *args)
{
	struct drm_vshader_numeric_info info[VS_MAX_ISAS] = {};
	u32 i, n = 0;

	for (i = 0; i < VS_MAX_ISAS; i++) {
		const struct vs_isa *isa = vs_isa_by_id(i);

		if (!isa)
			continue;
		info[n].engine = isa->id;
		info[n].model_mask = isa->model_mask;
		info[n].default_model = isa->default_model;
		info[n].switches = isa->switches;
		n++;
	}
	return vshader_copy_answer(args->pointer, &args->size, info, n * sizeof(info[0]));
}

static int query_banks(struct drm_vshader_dev_query *args)
{
	u32 n = vs_session_banks(NULL, 0);
	struct drm_vshader_debug_bank *banks;
	int ret;

	banks = kcalloc(n, sizeof(*banks), GFP_KERNEL_ACCOUNT);
	if (!banks)
		return -ENOMEM;
	vs_session_banks(banks, n);
	ret = vshader_copy_answer(args->pointer, &args->size, banks, n * sizeof(*banks));
	kfree(banks);
	return ret;
}

/**
 * vshader_dev_query - DRM_IOCTL_VSHADER_DEV_QUERY
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_dev_query(struct drm_file *file, struct drm_vshader_dev_query *args)
{
	struct vshader_file *vf = file->driver_priv;

	switch (args->type) {
	case DRM_VSHADER_DEV_QUERY_DEV_INFO:
		return query_dev_info(vf->vdev, args);
	case DRM_VSHADER_DEV_QUERY_LIMITS:
		return query_limits(args);
	case DRM_VSHADER_DEV_QUERY_ENGINE_INFO:
		return query_engines(args);
	case DRM_VSHADER_DEV_QUERY_NUMERIC_INFO:
		return query_numeric(args);
	case DRM_VSHADER_DEV_QUERY_DEBUG_BANKS:
		return query_banks(args);
	default:
		return vshader_einval(&vf->vdev->drm, "unknown query type %u", args->type);
	}
}
