// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Immutable snapshots of address spaces.
 */
#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "vshader_gem.h"
#include "vshader_heap.h"
#include "vshader_vm.h"

static int compare_shared(const void *a, const void *b)
{
	const struct vshader_shared *x = a, *y = b;

	if (x->obj->resv != y->obj->resv)
		return x->obj->resv < y->obj->resv ? -1 : 1;
	return 0;
}

u32 vshader_shared_fold(struct vshader_shared *s, u32 n)
{
	u32 i, k = 0;

	sort(s, n, sizeof(*s), compare_shared, NULL);
	for (i = 0; i < n; i++) {
		if (k && s[k - 1].obj->resv == s[i].obj->resv)
			s[k - 1].write |= s[i].write;
		else
			s[k++] = s[i];
	}
	return k;
}

static u32 count_shared(const struct vs_mappings *x)
{
	u32 i, n = 0;

	for (i = 0; i < x->n; i++) {
		const struct vshader_bo *bo = x->e[i].obj;

		n += !bo->tag;
	}
	return n;
}

/* Mappings of one object are often neighbours, and sorting is dear. */
static void add_shared(struct vshader_map *map, struct drm_gem_object *obj, bool write)
{
	struct vshader_shared *last = &map->shared[map->nshared];

	if (map->nshared && last[-1].obj == obj) {
		last[-1].write |= write;
		return;
	}
	last->obj = obj;
	last->write = write;
	map->nshared++;
}

/* A heap is behind the memory that its object has itself. */
static const struct vs_extent *map_fault(struct vs_pager *p, u64 va)
{
	struct vshader_map *map = container_of(p, struct vshader_map, pager);
	u32 i = vs_mappings_search(&map->ext, va);
	struct vshader_bo *bo = i ? map->ext.e[i - 1].obj : NULL;

	return bo && bo->heap ? vshader_heap_fault(bo->heap, va) : NULL;
}

static void fill(struct vshader_map *map, struct vs_extent *vs)
{
	u32 i;

	for (i = 0; i < map->ext.n; i++) {
		const struct vs_mapping *e = &map->ext.e[i];
		struct vshader_bo *bo = e->obj;

		vs[i].lo = e->va;
		vs[i].hi = e->va + e->size;
		vs[i].kva = (u8 *)bo->map.vaddr + e->off;
		vs[i].flags = e->flags;
		vshader_bo_map_again(bo);
		if (bo->heap)
			map->vs.pager = &map->pager;
		if (!bo->tag)
			add_shared(map, vshader_bo_gem(bo), e->flags & VS_EXT_WRITE);
	}
}

static void map_free(struct vshader_map *map)
{
	kvfree(map->shared);
	kvfree(map->vs.ext);
	kvfree(map->ext.e);
	kfree(map);
}

struct vshader_map *vshader_map_new(const struct vs_mappings *x)
{
	struct vshader_map *map = kzalloc(sizeof(*map), GFP_KERNEL_ACCOUNT);
	u32 nshared = count_shared(x);
	struct vs_extent *vs = NULL;

	if (!map)
		return ERR_PTR(-ENOMEM);
	kref_init(&map->ref);
	map->pager.fault = map_fault;
	if (!x->n)
		return map;

	map->ext.e = kvmalloc_array(x->n, sizeof(*x->e), GFP_KERNEL_ACCOUNT);
	vs = kvcalloc(x->n, sizeof(*vs), GFP_KERNEL_ACCOUNT);
	map->vs.ext = vs;
	if (nshared)
		map->shared = kvcalloc(nshared, sizeof(*map->shared), GFP_KERNEL_ACCOUNT);
	if (!map->ext.e || !vs || (nshared && !map->shared)) {
		map_free(map);
		return ERR_PTR(-ENOMEM);
	}

	memcpy(map->ext.e, x->e, x->n * sizeof(*x->e));
	map->ext.n = x->n;
	map->ext.cap = x->n;
	map->vs.n = x->n;
	fill(map, vs);
	map->nshared = vshader_shared_fold(map->shared, map->nshared);
	return map;
}

static void map_release(struct kref *ref)
{
	struct vshader_map *map = container_of(ref, struct vshader_map, ref);
	u32 i;

	for (i = 0; i < map->ext.n; i++)
		vshader_bo_unmap(map->ext.e[i].obj);
	map_free(map);
}

void vshader_map_put(struct vshader_map *map)
{
	if (map)
		kref_put(&map->ref, map_release);
}

bool vshader_map_writable(const struct vshader_map *map, u64 va, u64 size)
{
	u64 end;
	u32 i;

	if (check_add_overflow(va, size, &end))
		return false;
	for (i = vs_mappings_search(&map->ext, va); va < end; i++) {
		const struct vs_mapping *e = &map->ext.e[i];

		if (i == map->ext.n || e->va > va || !(e->flags & VS_EXT_WRITE))
			return false;
		va = e->va + e->size;
	}
	return true;
}
