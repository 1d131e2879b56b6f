// SPDX-License-Identifier: MIT
/*
 * vshader gl: the ioctls of the panfrost interface. The counterpart of
 * kernel/personality/panfrost_*.c, with which it shares pan_gpu.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "personality/pan_gpu.h"
#include "personality/pan_uapi.h"
#include "gl_priv.h"

_Static_assert(GL_MAX_CTX == PAN_MAX_CTX, "as many contexts");
_Static_assert(GL_PRIORITY_LOW == PAN_PRIORITY_LOW &&
	       GL_PRIORITY_MEDIUM == PAN_PRIORITY_MEDIUM &&
	       GL_PRIORITY_HIGH == PAN_PRIORITY_HIGH, "one order of priorities");

/* ---- jobs ---- */

/* Arrays of SUBMIT, in the order in which they are sent. */
enum { IN_SYNCS, BOS };

static int submit(struct gl_file *f, struct gl_call *c)
{
	const struct pan_submit *args = (void *)c->arg;
	struct gl_job job = {
		.ctx = gl_ctx_find(f, args->jm_ctx_handle),
		.bos = (const uint32_t *)(uintptr_t)args->bo_handles,
		.num_bos = args->bo_handle_count,
		.in_syncs = (const uint32_t *)(uintptr_t)args->in_syncs,
		.num_in_syncs = args->in_sync_count,
		.out_sync = args->out_sync,
	};
	int ret;

	if (args->pad || !args->jc || args->requirements & ~PAN_JD_REQ_ALL)
		return -EINVAL;
	if (c->errors[IN_SYNCS] == -EINVAL || c->errors[BOS] == -EINVAL)
		return -E2BIG;
	if (args->out_sync && !gl_sync_exists(f, args->out_sync))
		return -ENODEV;
	if (!job.ctx)
		return -EINVAL;
	ret = c->errors[IN_SYNCS];
	if (!ret)
		ret = gl_sync_check(f, job.in_syncs, job.num_in_syncs);
	if (!ret)
		ret = c->errors[BOS];
	if (ret)
		return ret;
	pan_job(f->server->chip, args->jc, args->requirements, &job.native);
	return gl_job_submit(f, &job);
}

static int create_ctx(struct gl_file *f, struct gl_call *c)
{
	struct pan_jm_ctx_create *args = (void *)c->arg;

	return gl_ctx_create(f, args->priority, &args->handle);
}

static int destroy_ctx(struct gl_file *f, struct gl_call *c)
{
	const struct pan_jm_ctx_destroy *args = (void *)c->arg;

	return args->pad ? -EINVAL : gl_ctx_destroy(f, args->handle);
}

/* ---- device ---- */

static int get_param(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_get_param *args = (void *)c->arg;
	uint64_t value;
	int ret;

	if (args->pad)
		return -EINVAL;
	ret = pan_gpu_param(f->server->chip, args->param, gl_ctx_high_allowed(), &value);
	if (ret)
		return ret;
	args->value = value;
	return 0;
}

static int no_counters(struct gl_file *f, struct gl_call *c)
{
	return -ENOSYS;
}

/* ---- buffers ---- */

static int create_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_create_bo *args = (void *)c->arg;
	const struct gl_bo_kind kind = {
		.flags = args->flags,
		.noexec = args->flags & PANFROST_BO_NOEXEC,
		.heap = args->flags & PANFROST_BO_HEAP,
	};
	uint64_t size = args->size, va;
	int ret;

	if (!args->size || args->pad || pan_check_bo(args->flags))
		return -EINVAL;
	if (kind.heap)
		size = (size + PAN_HEAP_GRANULE - 1) & ~(PAN_HEAP_GRANULE - 1);
	ret = gl_bo_create(f, size, &kind, &args->handle, &va);
	if (ret)
		return ret;
	args->offset = va;
	return 0;
}

static int mmap_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_mmap_bo *args = (void *)c->arg;
	uint64_t offset;
	int ret;

	if (args->flags)
		return -EINVAL;
	ret = gl_bo_mmap(f, args->handle, &offset);
	if (ret)
		return ret;
	args->offset = offset;
	return 0;
}

static int get_offset(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_get_bo_offset *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);

	if (!b)
		return -ENOENT;
	args->offset = pers_va_of(&f->vas, b->bo);
	return 0;
}

static int madvise_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_madvise *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);

	if (!b)
		return -ENOENT;
	/* others would lose it, too */
	if (args->madv == PANFROST_MADV_DONTNEED && gl_share_handles(b->shared) > 1)
		return -EINVAL;
	args->retained = 1;
	return 0;
}

static int wait_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_panfrost_wait_bo *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);

	if (args->pad)
		return -EINVAL;
	return b ? gl_bo_wait(b, false, args->timeout_ns) : -ENOENT;
}

/* The label is in messages about faults, and in debugfs of a device. */
static int set_label(struct gl_file *f, struct gl_call *c)
{
	const struct pan_set_label_bo *args = (void *)c->arg;
	struct gl_bo *b = gl_bo_find(f, args->handle);
	char *label = NULL;
	int32_t error;
	int ret;

	memcpy(&error, c->arg + GL_LABEL_ERRNO, sizeof(error));
	if (args->pad)
		return -EINVAL;
	if (!b)
		return -ENOENT;
	if (error)
		return error;
	if (args->label) {
		label = strndup((const char *)(uintptr_t)args->label, PAN_MAX_LABEL - 1);
		if (!label)
			return -ENOMEM;
	}
	ret = gl_bo_set_label(b, label);
	free(label);
	return ret;
}

static int sync_bo(struct gl_file *f, struct gl_call *c)
{
	const struct pan_sync_bo *args = (void *)c->arg;
	const struct pan_sync_op *op = (const struct pan_sync_op *)(uintptr_t)args->ops;
	const struct gl_bo *b;
	uint32_t i;
	int ret;

	if (args->pad)
		return -EINVAL;
	if (c->arrays)
		return c->arrays == -EINVAL ? -E2BIG : c->arrays;
	for (i = 0; i < args->op_count; i++, op++) {
		b = gl_bo_find(f, op->handle);
		if (!b)
			return -ENOENT;
		ret = pan_check_sync(op->type, op->offset, op->size, vshader_bo_size(b->bo),
				     b->imported);
		if (ret)
			return ret;
	}
	return 0;
}

static int query_info(struct gl_file *f, struct gl_call *c)
{
	struct pan_query_bo_info *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);

	if (!b)
		return -ENOENT;
	args->create_flags = pan_bo_info(b->kind.flags, b->imported, &args->extra_flags);
	args->pad = 0;
	return 0;
}

/* ---- driver ---- */

static const struct gl_ioctl ioctls[] = {
	{ NR(DRM_IOCTL_PAN_SUBMIT), submit, .late = true },
	{ NR(DRM_IOCTL_PANFROST_WAIT_BO), wait_bo },
	{ NR(DRM_IOCTL_PANFROST_CREATE_BO), create_bo },
	{ NR(DRM_IOCTL_PANFROST_MMAP_BO), mmap_bo },
	{ NR(DRM_IOCTL_PANFROST_GET_PARAM), get_param },
	{ NR(DRM_IOCTL_PANFROST_GET_BO_OFFSET), get_offset },
	{ NR(DRM_IOCTL_PANFROST_PERFCNT_ENABLE), no_counters },
	{ NR(DRM_IOCTL_PANFROST_PERFCNT_DUMP), no_counters },
	{ NR(DRM_IOCTL_PANFROST_MADVISE), madvise_bo },
	{ NR(DRM_IOCTL_PAN_SET_LABEL_BO), set_label },
	{ NR(DRM_IOCTL_PAN_JM_CTX_CREATE), create_ctx },
	{ NR(DRM_IOCTL_PAN_JM_CTX_DESTROY), destroy_ctx },
	{ NR(DRM_IOCTL_PAN_SYNC_BO), sync_bo, .late = true },
	{ NR(DRM_IOCTL_PAN_QUERY_BO_INFO), query_info },
	{ }
};

static const struct gl_driver driver = {
	.kind = GL_PANFROST,
	.vm_flags = DRM_VSHADER_VM_48BIT,
	.timelines = true,
	.open = gl_ctx_init,
	.close = gl_ctx_fini,
	.ioctls = ioctls,
	.submit = NR(DRM_IOCTL_PAN_SUBMIT),
	.place = pan_place,
};

bool gl_panfrost_chip(struct gl_server *server, const char *name)
{
	const struct pan_gpu *gpu = pan_gpu_find(name);

	if (!gpu)
		return false;
	server->driver = &driver;
	server->chip = gpu;
	server->name = gpu->name;
	server->interface = "panfrost";
	server->compatible = gpu->compatible;
	server->engine = gpu->engine;
	return true;
}
