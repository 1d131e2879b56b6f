// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers of the vc4 personality. One with a program has what validation has found in
 * &vshader_bo.own, and is not written any more.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_vma_manager.h>

#include "compat/vshader_compat.h"
#include "drm/vshader_args.h"
#include "drm/vshader_gem.h"
#include "personality/vc4.h"

/* The longest label, with its end. */
#define VC4_MAX_LABEL	4096U

static_assert((int)PERS_MADV_WILLNEED == VC4_MADV_WILLNEED);
static_assert((int)PERS_MADV_DONTNEED == VC4_MADV_DONTNEED);

int vc4_bo_open(struct vshader_bo *bo, struct drm_file *file)
{
	struct pers_place place;

	vc4_place(pers_bo_size(bo), false, &place);
	if (bo->own)
		place.flags &= ~VS_EXT_WRITE;
	return pers_bo_open(bo, file, &place);
}

int vc4_bo_share(struct vshader_bo *bo, struct vm_area_struct *vma)
{
	const struct drm_device *drm = bo->base.base.dev;

	if (bo->own && (!vma || vma->vm_flags & VM_WRITE))
		return vshader_einval(drm, "a program is neither mapped for writing nor exported");
	if (!vc4_bo_usable(bo))
		return vshader_einval(drm, "the buffer's memory is not needed");
	if (bo->own)
		vshader_compat_vm_flags_clear(vma, VM_MAYWRITE);
	return 0;
}

void vc4_bo_free(struct vshader_bo *bo)
{
	if (!bo->own)
		return;
	vc4_shader_info_done(bo->own);
	kfree(bo->own);
}

bool vc4_bo_usable(const struct vshader_bo *bo)
{
	return !(READ_ONCE(bo->personal) & VC4_BO_DONTNEED) &&
	       READ_ONCE(bo->base.madv) != PERS_MADV_GONE;
}

static void vc4_bo_set_flag(struct vshader_bo *bo, u32 flag, bool on)
{
	u32 old, new;

	do {
		old = READ_ONCE(bo->personal);
		new = on ? old | flag : old & ~flag;
	} while (cmpxchg(&bo->personal, old, new) != old);
}

void vc4_bo_retain(struct vshader_bo *bo)
{
	if (vshader_bo_gem(bo)->import_attach)
		return;
	pers_madv_set(bo, PERS_MADV_WILLNEED);
	vc4_bo_set_flag(bo, VC4_BO_DONTNEED, false);
}

int vc4_create_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_create_bo *args = data;
	struct vshader_bo *bo;
	u64 va;

	if (!args->size)
		return vshader_einval(drm, "size 0");
	bo = vshader_bo_new(to_vshader_device(drm), PAGE_ALIGN((u64)args->size), 0, NULL);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	return pers_bo_handle(file, bo, &args->handle, &va);
}

/* Validate the whole buffer, to which there is no handle yet. */
static int vc4_validate_bo(struct vshader_bo *bo)
{
	const struct drm_device *drm = bo->base.base.dev;
	struct vc4_shader_info *info;
	struct vc4_refusal why = {};
	int ret;

	info = kzalloc(sizeof(*info), GFP_KERNEL_ACCOUNT);
	if (!info)
		return -ENOMEM;
	ret = vc4_validate_shader(bo->map.vaddr, vshader_bo_gem(bo)->size, info, &why);
	if (ret) {
		kfree(info);
		if (why.text)
			drm_dbg(drm, "program: %s: instruction %u, value %#x, limit %#x\n",
				why.text, why.at, why.value, why.limit);
		return ret;
	}
	bo->own = info;
	bo->own_bytes = sizeof(*info) + info->bytes;
	return 0;
}

/* An instruction is at most a texture lookup and sets the uniforms' address. */
static u64 vc4_most_info(u32 bytes)
{
	return bytes / sizeof(u64) * (sizeof(struct vc4_lookup) + sizeof(u32) + 1);
}

/* What validation needs is charged before, and what it leaves with the first handle. */
static int vc4_validate_charged(struct vshader_file *vf, struct vshader_bo *bo)
{
	u64 most = vc4_most_info(vshader_bo_gem(bo)->size);
	int ret;

	ret = vshader_quota_charge(vf->account, most);
	if (ret)
		return ret;
	ret = vc4_validate_bo(bo);
	vshader_quota_uncharge(vf->account, most);
	return ret;
}

static int vc4_fill_shader(struct vshader_file *vf, struct vshader_bo *bo,
			   const struct drm_vc4_create_shader_bo *args)
{
	int ret;

	ret = vshader_bo_map(bo);
	if (ret)
		return ret;
	if (copy_from_user(bo->map.vaddr, u64_to_user_ptr(args->data), args->size))
		ret = -EFAULT;
	else
		ret = vc4_validate_charged(vf, bo);
	vshader_bo_unmap(bo);
	return ret;
}

int vc4_create_shader_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_create_shader_bo *args = data;
	struct vshader_bo *bo;
	int ret;
	u64 va;

	if (!args->size || args->size % sizeof(u64) || args->flags || args->pad)
		return vshader_einval(drm, "size %u, flags %#x, pad %u", args->size, args->flags,
				      args->pad);
	bo = vshader_bo_new(to_vshader_device(drm), PAGE_ALIGN((u64)args->size), 0, NULL);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = vc4_fill_shader(file->driver_priv, bo, args);
	if (ret) {
		drm_gem_object_put(vshader_bo_gem(bo));
		return ret;
	}
	return pers_bo_handle(file, bo, &args->handle, &va);
}

int vc4_mmap_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_mmap_bo *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);

	/* the vc4 driver's error */
	if (!obj)
		return vshader_einval(drm, "no handle %u", args->handle);
	args->offset = drm_vma_node_offset_addr(&obj->vma_node);
	drm_gem_object_put(obj);
	return 0;
}

int vc4_wait_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_wait_bo *args = data;
	unsigned long start = jiffies;
	int ret;

	if (args->pad)
		return vshader_einval(drm, "pad %u, expected 0", args->pad);
	ret = pers_bo_wait(file, args->handle, DMA_RESV_USAGE_READ, vc4_timeout(args->timeout_ns));
	if (ret == -ENOENT)
		return vshader_einval(drm, "no handle %u", args->handle);
	vc4_time_left(&args->timeout_ns, ret, start);
	return ret == -ETIMEDOUT || ret == -EBUSY ? -ETIME : ret;
}

int vc4_set_tiling(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_set_tiling *args = data;
	struct drm_gem_object *obj;

	if (args->flags)
		return vshader_einval(drm, "flags %#x, expected 0", args->flags);
	if (args->modifier != VC4_MOD_LINEAR && args->modifier != VC4_MOD_T_TILED)
		return vshader_einval(drm, "unknown modifier %#llx", args->modifier);
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	vc4_bo_set_flag(to_vshader_bo(obj), VC4_BO_T_TILED, args->modifier == VC4_MOD_T_TILED);
	drm_gem_object_put(obj);
	return 0;
}

int vc4_get_tiling(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_get_tiling *args = data;
	struct drm_gem_object *obj;

	if (args->flags || args->modifier)
		return vshader_einval(drm, "flags %#x, modifier %#llx, expected 0", args->flags,
				      args->modifier);
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	args->modifier = READ_ONCE(to_vshader_bo(obj)->personal) & VC4_BO_T_TILED ?
			 VC4_MOD_T_TILED : VC4_MOD_LINEAR;
	drm_gem_object_put(obj);
	return 0;
}

/* Seen in debugfs. */
int vc4_label_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_vc4_label_bo *args = data;
	long len, max;
	int ret;

	if (!args->len)
		return vshader_einval(drm, "label without length");
	/* the driver's length with its end is 0, too, which strndup_user() takes for a bad name */
	if (!args->name || args->len == U32_MAX)
		return -EFAULT;
	max = min(args->len, VC4_MAX_LABEL - 1) + 1;
	/* as in the driver, before the buffer is looked up */
	len = strnlen_user(u64_to_user_ptr(args->name), max);
	if (!len)
		return -EFAULT;
	if (len > max)
		return vshader_einval(drm, "label longer than %u", args->len);
	ret = vshader_bo_label(file, args->handle, args->name, max);
	/* strndup_user()'s error */
	return ret == -E2BIG ? vshader_einval(drm, "label longer than %u", args->len) : ret;
}

int vc4_gem_madvise(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_gem_madvise *args = data;
	struct drm_gem_object *obj;
	struct vshader_bo *bo;
	int ret = 0;

	if (args->madv > VC4_MADV_DONTNEED || args->pad)
		return vshader_einval(drm, "madv %u, pad %u", args->madv, args->pad);
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	bo = to_vshader_bo(obj);
	if (obj->import_attach) {
		ret = vshader_einval(drm, "handle %u is imported", args->handle);
		goto out_put;
	}
	/* that others have handles, too, is no error here, but then the memory is kept */
	pers_madvise(file, args->handle, args->madv);
	vc4_bo_set_flag(bo, VC4_BO_DONTNEED, args->madv == VC4_MADV_DONTNEED);
	args->retained = READ_ONCE(bo->base.madv) != PERS_MADV_GONE;
out_put:
	drm_gem_object_put(obj);
	return ret;
}
