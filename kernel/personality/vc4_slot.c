// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory of the vc4 personality's jobs. The vc4 driver has 32 slots of 512 KiB for tile lists and
 * tile state, and allocates memory for list, records and uniforms. Here a slot has both; it is kept
 * for the file's next jobs.
 */
#include <linux/dma-fence.h>
#include <linux/slab.h>

#include "drm/vshader_gem.h"
#include "personality/vc4.h"

/* Slots have room for so much at least. */
#define VC4_SLOT_MIN_EXEC	0x10000U

/* Memory that the buffer for more tile lists has from the beginning. */
#define VC4_MORE_FIRST		0x10000U

u8 *vc4_slot_mem(const struct vc4_slot *s)
{
	return s->bo->map.vaddr;
}

/* Give a buffer of the file's own an address. @bo: the reference is dropped if this fails */
static int vc4_slot_map(struct drm_file *file, struct vshader_bo *bo, u32 *va)
{
	struct pers_place place;
	int ret;

	ret = vshader_bo_charge(bo, to_pers_file(file)->acct);
	if (ret)
		goto err_put;
	vc4_own_place(pers_bo_size(bo), &place);
	ret = pers_bo_open(bo, file, &place);
	if (ret)
		goto err_put;
	*va = pers_bo_va(file, bo);
	return 0;

err_put:
	drm_gem_object_put(vshader_bo_gem(bo));
	return ret == -ENOSPC ? -ENOMEM : ret;
}

static void vc4_slot_drop(struct vc4_slot *s)
{
	if (s->bo)
		drm_gem_object_put(vshader_bo_gem(s->bo));
	dma_fence_put(s->fence);
	*s = (struct vc4_slot){};
}

static int vc4_slot_make(struct drm_file *file, struct vc4_slot *s, u32 bytes)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_bo *bo;
	int ret;

	if (s->bo)
		pers_bo_close(s->bo, file);
	vc4_slot_drop(s);
	bytes = PAGE_ALIGN(VC4_EXEC_AT + max(bytes, VC4_SLOT_MIN_EXEC));
	/* a hang state has a handle of it, to be mapped */
	bo = vshader_bo_new(vf->vdev, bytes, 0, NULL);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = vc4_slot_map(file, bo, &s->va);
	if (ret)
		return ret;
	s->bo = bo;
	s->bytes = bytes - VC4_EXEC_AT;
	return 0;
}

static int vc4_slot_make_more(struct drm_file *file)
{
	struct vc4_file *vf = to_vc4_file(file);
	struct vshader_bo *bo;
	int ret;

	if (vf->more)
		return 0;
	bo = pers_bo_new(file->driver_priv, VC4_MORE_BYTES, VC4_MORE_FIRST);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = vc4_slot_map(file, bo, &vf->more_va);
	if (!ret)
		vf->more = bo;
	return ret;
}

/* A slot whose job has had a fault may be part of a hang state. */
static bool vc4_slot_fits(const struct vc4_slot *s, u32 bytes)
{
	return s->bo && s->bytes >= bytes &&
	       !(s->fence && dma_fence_get_status(s->fence) < 0);
}

/* A slot without a job, one that has room if there is one. */
static struct vc4_slot *vc4_slot_find(struct vc4_file *vf, u32 bytes)
{
	struct vc4_slot *s, *best = NULL;
	u32 i;

	for (i = 0; i < VC4_NUM_SLOTS; i++) {
		s = &vf->slots[i];
		if (s->fence && !dma_fence_is_signaled(s->fence))
			continue;
		if (vc4_slot_fits(s, bytes))
			return s;
		best = best ?: s;
	}
	return best;
}

struct vc4_slot *vc4_slot_take(struct drm_file *file, u32 bytes)
{
	struct vc4_file *vf = to_vc4_file(file);
	struct vc4_slot *s;
	long ret;

	lockdep_assert_held(&vf->lock);
	ret = vc4_slot_make_more(file);
	if (ret)
		return ERR_PTR(ret);
	while (!(s = vc4_slot_find(vf, bytes))) {
		/* jobs of a file end in order, but any of them will do */
		ret = dma_fence_wait(vf->slots[0].fence, true);
		if (ret)
			return ERR_PTR(ret);
	}
	/* before the counters in its memory are lost */
	vc4_perfmons_collect(vf);
	if (!vc4_slot_fits(s, bytes)) {
		ret = vc4_slot_make(file, s, bytes);
		if (ret)
			return ERR_PTR(ret);
	}
	return s;
}

void vc4_slots_fini(struct vc4_file *vf)
{
	u32 i;

	for (i = 0; i < VC4_NUM_SLOTS; i++)
		vc4_slot_drop(&vf->slots[i]);
	if (vf->more)
		drm_gem_object_put(vshader_bo_gem(vf->more));
}
