// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers of the panfrost personality.
 *
 * A heap has memory for the first %PAN_HEAP_SIZE bytes of its addresses, and gets it for the others
 * when jobs access them. All files that have handles of it see the same memory.
 */
#include <drm/drm_utils.h>

#include "drm/vshader_args.h"
#include "drm/vshader_gem.h"
#include "personality/pan_uapi.h"
#include "personality/panfrost.h"

static_assert((int)PERS_MADV_WILLNEED == PANFROST_MADV_WILLNEED);
static_assert((int)PERS_MADV_DONTNEED == PANFROST_MADV_DONTNEED);

int panfrost_bo_open(struct vshader_bo *bo, struct drm_file *file)
{
	bool noexec = vshader_bo_gem(bo)->import_attach || bo->personal & PANFROST_BO_NOEXEC;
	struct pers_place place;

	pan_place(pers_bo_size(bo), noexec, &place);
	return pers_bo_open(bo, file, &place);
}

int panfrost_create_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_create_bo *args = data;
	struct vshader_bo *bo;

	if (!args->size || args->pad || pan_check_bo(args->flags))
		return vshader_einval(drm, "size %u, pad %u, flags %#x", args->size, args->pad,
				      args->flags);
	if (args->flags & PANFROST_BO_HEAP)
		bo = pers_bo_new(file->driver_priv, ALIGN((u64)args->size, PAN_HEAP_GRANULE),
				 PAN_HEAP_SIZE);
	else
		bo = vshader_bo_new(to_vshader_device(drm), PAGE_ALIGN((u64)args->size), 0, NULL);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	bo->personal = args->flags;
	return pers_bo_handle(file, bo, &args->handle, &args->offset);
}

int panfrost_mmap_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_mmap_bo *args = data;
	struct drm_vshader_bo_mmap_offset own = { .handle = args->handle };
	int ret;

	if (args->flags)
		return vshader_einval(drm, "flags %#x, expected 0", args->flags);
	ret = vshader_bo_mmap_offset(file, &own);
	if (ret)
		return ret;
	args->offset = own.offset;
	return 0;
}

int panfrost_get_bo_offset(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_get_bo_offset *args = data;

	return pers_bo_offset(file, args->handle, &args->offset);
}

int panfrost_wait_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_wait_bo *args = data;

	if (args->pad)
		return vshader_einval(drm, "pad %u, expected 0", args->pad);
	return pers_bo_wait(file, args->handle, DMA_RESV_USAGE_READ,
			    drm_timeout_abs_to_jiffies(args->timeout_ns));
}

/* As in the panfrost driver, advice that it does not know has no effect. */
int panfrost_madvise(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_madvise *args = data;
	int ret;

	ret = pers_madvise(file, args->handle, args->madv);
	if (ret < 0)
		return ret;
	args->retained = ret;
	return 0;
}

/* Seen in debugfs. */
int panfrost_set_label_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct pan_set_label_bo *args = data;

	if (args->pad)
		return vshader_einval(drm, "pad %u, expected 0", args->pad);
	return vshader_bo_label(file, args->handle, args->label, PAN_MAX_LABEL);
}

static int sync_range(struct drm_file *file, const struct pan_sync_op *op)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, op->handle);
	u64 size;
	int ret;

	if (!obj)
		return -ENOENT;
	size = pers_bo_size(to_vshader_bo(obj));
	ret = pan_check_sync(op->type, op->offset, op->size, size, obj->import_attach);
	if (ret)
		drm_dbg(obj->dev, "sync: type %u, offset %#x, size %#x of %#llx\n", op->type,
			op->offset, op->size, size);
	drm_gem_object_put(obj);
	return ret;
}

int panfrost_sync_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct pan_sync_bo *args = data;
	struct pan_sync_op *ops;
	int ret = 0;
	u32 i;

	if (args->pad)
		return vshader_einval(drm, "pad %u, expected 0", args->pad);
	if (!args->op_count)
		return 0;
	if (args->op_count > VSHADER_MAX_MAPPINGS)
		return -E2BIG;
	ops = (struct pan_sync_op *)vshader_copy_words(args->ops, args->op_count *
						       (sizeof(*ops) / sizeof(u32)));
	if (IS_ERR(ops))
		return PTR_ERR(ops);
	for (i = 0; i < args->op_count; i++) {
		ret = sync_range(file, &ops[i]);
		if (ret)
			break;
	}
	kvfree(ops);
	return ret;
}

int panfrost_query_bo_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct pan_query_bo_info *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);

	if (!obj)
		return -ENOENT;
	args->create_flags = pan_bo_info(to_vshader_bo(obj)->personal, obj->import_attach,
					 &args->extra_flags);
	args->pad = 0;
	drm_gem_object_put(obj);
	return 0;
}
