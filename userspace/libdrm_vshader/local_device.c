// SPDX-License-Identifier: MIT
/*
 * Local backend: the device.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

/* ---- information ---- */

static void fill_dev_info(const struct vsl_device *d, struct drm_vshader_dev_info *info)
{
	uint32_t i;

	*info = (struct drm_vshader_dev_info){
		.min_va = VSL_MIN_VA,
		.max_va_32 = VSL_MAX_VA_32,
		.max_va_48 = VSL_MAX_VA_48,
		.page_size = (uint32_t)VSL_PAGE,
		.num_workers = d->num_workers,
		.simd = d->simd,
		.simd_mask = vs_simd_mask(),
		.block_size = VS_LANES,
	};
	for (i = 0; i < VS_MAX_ISAS; i++) {
		if (vs_isa_by_id(i))
			info->engine_mask |= 1ull << i;
	}
}

static void fill_limits(struct drm_vshader_limits *limits)
{
	*limits = (struct drm_vshader_limits){
		.max_bo_size = VSL_MAX_BO_SIZE,
		.max_budget = VSL_MAX_BUDGET,
		.max_job_memory = VSL_MAX_JOB_MEMORY,
		.max_code_size = VSL_MAX_CODE_SIZE,
		.max_entries = VSL_MAX_ENTRIES,
		.max_jobs = VSL_MAX_JOBS,
		.max_syncs = VSL_MAX_SYNCS,
		.max_streams = VS_MAX_STREAMS,
		.max_bind_ops = VSL_MAX_BIND_OPS,
		.max_mappings = VSL_MAX_MAPPINGS,
		.max_objects = VSL_MAX_OBJECTS,
		.max_time_ms = VSL_MAX_TIME_MS,
		.default_time_ms = VSL_DEFAULT_TIME_MS,
		.max_invocations = VSL_MAX_INVOCATIONS,
		.max_label = VSL_MAX_LABEL,
		.max_native_draws = VSL_MAX_DRAWS,
		.max_native_size = VSL_MAX_NATIVE_SIZE,
		.max_queued_jobs = VSL_MAX_QUEUED,
	};
}

static void fill_engine(const struct vs_isa *isa, struct drm_vshader_engine_info *e)
{
	uint32_t i;

	*e = (struct drm_vshader_engine_info){
		.engine = isa->id,
		.caps = DRM_VSHADER_CAP_SHADER_JOBS,
		.stage_mask = isa->stage_mask,
		.va_bits = isa->va_bits,
		.max_code_words = min(isa->max_words, VSL_MAX_CODE_SIZE / isa->word_bytes),
		.word_bytes = isa->word_bytes,
	};
	for (i = 0; i < VS_NUM_NATIVE; i++) {
		if (vs_native_isa(i) == isa->id)
			e->caps |= DRM_VSHADER_CAP_NATIVE_JOBS;
	}
	snprintf(e->name, sizeof(e->name), "%s", isa->name);
}

static void fill_numeric(const struct vs_isa *isa, struct drm_vshader_numeric_info *n)
{
	*n = (struct drm_vshader_numeric_info){
		.engine = isa->id,
		.model_mask = isa->model_mask,
		.default_model = isa->default_model,
		.switches = isa->switches,
	};
}

static int answer(struct drm_vshader_dev_query *args, const void *src, uint32_t size)
{
	uint8_t *to = (uint8_t *)(uintptr_t)args->pointer;
	uint32_t n = min(args->size, size);

	if (to) {
		memcpy(to, src, n);
		memset(to + n, 0, args->size - n);
	}
	args->size = size;
	return 0;
}

#define MAX_BANKS	128

static int query_banks(struct drm_vshader_dev_query *args)
{
	struct drm_vshader_debug_bank banks[MAX_BANKS];

	return answer(args, banks, vs_session_banks(banks, MAX_BANKS) * sizeof(banks[0]));
}

static int dev_query(struct vsl_device *d, struct drm_vshader_dev_query *args)
{
	struct drm_vshader_engine_info engines[VS_MAX_ISAS];
	struct drm_vshader_numeric_info numerics[VS_MAX_ISAS];
	struct drm_vshader_dev_info info;
	struct drm_vshader_limits limits;
	uint32_t i, n = 0;

	for (i = 0; i < VS_MAX_ISAS; i++) {
		const struct vs_isa *isa = vs_isa_by_id(i);

		if (!isa)
			continue;
		fill_engine(isa, &engines[n]);
		fill_numeric(isa, &numerics[n]);
		n++;
	}
	switch (args->type) {
	case DRM_VSHADER_DEV_QUERY_DEV_INFO:
		fill_dev_info(d, &info);
		return answer(args, &info, sizeof(info));
	case DRM_VSHADER_DEV_QUERY_LIMITS:
		fill_limits(&limits);
		return answer(args, &limits, sizeof(limits));
	case DRM_VSHADER_DEV_QUERY_ENGINE_INFO:
		return answer(args, engines, n * (uint32_t)sizeof(engines[0]));
	case DRM_VSHADER_DEV_QUERY_NUMERIC_INFO:
		return answer(args, numerics, n * (uint32_t)sizeof(numerics[0]));
	case DRM_VSHADER_DEV_QUERY_DEBUG_BANKS:
		return query_banks(args);
	default:
		return vsh_fail(EINVAL, "unknown query %u", args->type);
	}
}

/* ---- calls ---- */

static int call(struct vsl_device *d, unsigned long request, void *arg)
{
	switch (request) {
	case DRM_IOCTL_VSHADER_DEV_QUERY:
		return dev_query(d, arg);
	case DRM_IOCTL_VSHADER_VM_CREATE:
		return vsl_vm_create(d, arg);
	case DRM_IOCTL_VSHADER_VM_DESTROY:
		return vsl_vm_destroy(d, arg);
	case DRM_IOCTL_VSHADER_VM_BIND:
		return vsl_vm_bind(d, arg);
	case DRM_IOCTL_VSHADER_BO_CREATE:
		return vsl_bo_create(d, arg);
	case DRM_IOCTL_VSHADER_BO_MMAP_OFFSET:
		return vsl_bo_mmap_offset(d, arg);
	case DRM_IOCTL_VSHADER_BO_SET_LABEL:
		return vsl_bo_set_label(d, arg);
	case DRM_IOCTL_VSHADER_PROGRAM_CREATE:
		return vsl_program_create(d, arg);
	case DRM_IOCTL_VSHADER_PROGRAM_DESTROY:
		return vsl_program_destroy(d, arg);
	case DRM_IOCTL_VSHADER_PROGRAM_QUERY:
		return vsl_program_query(d, arg);
	case DRM_IOCTL_VSHADER_QUEUE_CREATE:
		return vsl_queue_create(d, arg);
	case DRM_IOCTL_VSHADER_QUEUE_DESTROY:
		return vsl_queue_destroy(d, arg);
	case DRM_IOCTL_VSHADER_QUEUE_GET_STATE:
		return vsl_queue_get_state(d, arg);
	case DRM_IOCTL_VSHADER_SUBMIT:
		return vsl_submit(d, arg);
	default:
		return vsh_fail(ENOTTY, "unknown ioctl %#lx", request);
	}
}

static int local_ioctl(struct vshader_device *dev, unsigned long request, void *arg)
{
	return call(vsl_of(dev), request, arg);
}

/* ---- opening and closing ---- */

static int set_simd(struct vsl_device *d, const char *name)
{
	uint32_t i;

	for (i = 0; i < VS_NUM_SIMD; i++) {
		if (strcmp(vshader_simd_name(i), name))
			continue;
		if (!(vs_simd_mask() >> i & 1))
			return vsh_fail(EINVAL, "this machine has no %s executor", name);
		d->simd = (enum vs_simd)i;
		return 0;
	}
	return vsh_fail(EINVAL, "unknown executor \"%.20s\": portable, sse2, avx2, avx512",
			name);
}

static int set_workers(struct vsl_device *d, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || *text < '0' || *text > '9' || !n || n > VSL_MAX_WORKERS)
		return vsh_fail(EINVAL, "workers is \"%.20s\", expected 1 to %u", text,
				VSL_MAX_WORKERS);
	d->num_workers = (uint32_t)n;
	return 0;
}

static int set_options(struct vsl_device *d, const char *options)
{
	char *copy = strdup(options), *rest = copy, *opt;
	bool has_simd = false, has_workers = false, twice = false;
	int ret = 0;

	if (!copy)
		return vsh_fail(ENOMEM, "out of memory");
	while (*options && !ret && (opt = strsep(&rest, ","))) {
		if (!strncmp(opt, "simd=", 5)) {
			ret = set_simd(d, opt + 5);
			twice |= has_simd;
			has_simd = true;
		} else if (!strncmp(opt, "workers=", 8)) {
			ret = set_workers(d, opt + 8);
			twice |= has_workers;
			has_workers = true;
		} else {
			ret = vsh_fail(EINVAL, "unknown option \"%.40s\"; known: simd=, workers=",
				       opt);
		}
		if (!ret && twice)
			ret = vsh_fail(EINVAL, "option \"%.40s\" is given twice", opt);
	}
	free(copy);
	return ret;
}

static void init_locks(struct vsl_device *d)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&d->submit_lock, NULL);
	pthread_mutex_init(&d->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&d->ended, &attr);
	pthread_cond_init(&d->work, &attr);
	pthread_condattr_destroy(&attr);
}

int vsh_local_open(struct vshader_device *dev, const char *options)
{
	struct vsl_device *d = calloc(1, sizeof(*d));
	cpu_set_t set;
	int ret;

	if (!d)
		return vsh_fail(ENOMEM, "out of memory");
	d->simd = vs_simd_best();
	d->num_workers = 1;
	if (!sched_getaffinity(0, sizeof(set), &set))
		d->num_workers = min((uint32_t)CPU_COUNT(&set), VSL_MAX_WORKERS);
	ret = set_options(d, options);
	if (ret) {
		free(d);
		return ret;
	}
	init_locks(d);
	vsl_record_open(d);
	dev->backend = &vsh_local_backend;
	dev->local = d;
	dev->fd = -1;
	dev->major = VSHADER_VERSION_MAJOR;
	dev->minor = VSHADER_VERSION_MINOR;
	snprintf(dev->name, sizeof(dev->name), "local");
	return 0;
}

static void local_close(struct vshader_device *dev)
{
	struct vsl_device *d = vsl_of(dev);
	uint32_t i;

	for (i = 0; i < d->queues.size; i++) {
		if (d->queues.p[i])
			vsl_queue_close(d, d->queues.p[i]);
	}
	vsl_exec_stop(d);
	for (i = 0; i < d->programs.size; i++)
		vsl_program_put(d->programs.p[i]);
	for (i = 0; i < d->vms.size; i++)
		vsl_vm_put(d->vms.p[i]);
	for (i = 0; i < d->bos.size; i++)
		vsl_bo_put(d->bos.p[i]);
	for (i = 0; i < d->syncobjs.size; i++)
		vsl_syncobj_free(d->syncobjs.p[i]);
	vsl_record_close(d);
	free(d->dump);
	free(d->queues.p);
	free(d->programs.p);
	free(d->vms.p);
	free(d->bos.p);
	free(d->syncobjs.p);
	pthread_cond_destroy(&d->work);
	pthread_cond_destroy(&d->ended);
	pthread_mutex_destroy(&d->lock);
	pthread_mutex_destroy(&d->submit_lock);
	free(d);
}

const struct vsh_backend vsh_local_backend = {
	.ioctl = local_ioctl,
	.close = local_close,
	.bo_map = vsl_bo_map,
	.bo_close = vsl_bo_close,
	.bo_export = vsl_bo_export,
	.bo_import = vsl_bo_import,
	.sync_create = vsl_sync_create,
	.sync_destroy = vsl_sync_destroy,
	.sync_reset = vsl_sync_reset,
	.sync_signal = vsl_sync_signal,
	.sync_wait = vsl_sync_wait,
	.sync_query = vsl_sync_query,
	.debug_attach = vsl_debug_attach,
	.debug_close = vsl_debug_close,
	.debug_ioctl = vsl_debug_ioctl,
	.debug_read = vsl_debug_read,
};
