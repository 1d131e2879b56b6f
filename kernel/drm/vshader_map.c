// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Immutable snapshots of address spaces.
 *
 * A snapshot has two persistent trees, which it shares with the snapshots before and after it: the
 * mappings, and the reservation objects of those that others may use too. A change copies the
 * nodes on its way, half a KiB for each level.
 */
#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "vshader_gem.h"
#include "vshader_heap.h"
#include "vshader_quota.h"
#include "vshader_vm.h"

/*
 * Entries of &vshader_map.shared: the addresses are that of the reservation object, the offset
 * counts its mappings and, in the upper half, the writable ones.
 */
#define SHARED_WRITER	BIT_ULL(32)

static struct vshader_nodes *nodes_of(struct vs_mappings_owner *owner)
{
	return container_of(owner, struct vshader_nodes, owner);
}

/* Memory that is charged like a node. Return: 0, -ENOMEM, -EDQUOT or -ENOSPC. */
static int nodes_take(const struct vshader_nodes *nodes, size_t size, void **p)
{
	int ret = 0;

	if (nodes->must)
		vshader_quota_exceed(nodes->acct, size);
	else
		ret = vshader_quota_charge(nodes->acct, size);
	if (ret)
		return ret;
	*p = kmalloc(size, GFP_KERNEL_ACCOUNT | (nodes->must ? __GFP_NOFAIL : 0));
	if (*p)
		return 0;
	vshader_quota_uncharge(nodes->acct, size);
	return -ENOMEM;
}

static void nodes_give(const struct vshader_nodes *nodes, size_t size, void *p)
{
	kfree(p);
	vshader_quota_uncharge(nodes->acct, size);
}

static int nodes_alloc(struct vs_mappings_owner *owner, void **node)
{
	return nodes_take(nodes_of(owner), VS_MAPPINGS_NODE, node);
}

static void nodes_free(struct vs_mappings_owner *owner, void *node)
{
	nodes_give(nodes_of(owner), VS_MAPPINGS_NODE, node);
}

static void nodes_get_mapped(void *obj)
{
	vshader_bo_map_again(obj);
}

static void nodes_put_mapped(void *obj)
{
	vshader_bo_unmap(obj);
}

static void nodes_get_shared(void *obj)
{
	drm_gem_object_get(vshader_bo_gem(obj));
}

static void nodes_put_shared(void *obj)
{
	drm_gem_object_put(vshader_bo_gem(obj));
}

static void nodes_get_heap(void *obj)
{
	vshader_heap_view_get(obj);
}

static void nodes_put_heap(void *obj)
{
	vshader_heap_view_put(obj);
}

#define NODES_OPS(name) \
	static const struct vs_mappings_ops name##_ops = { \
		.alloc = nodes_alloc, \
		.free = nodes_free, \
		.get = nodes_get_##name, \
		.put = nodes_put_##name, \
	}

NODES_OPS(mapped);
NODES_OPS(shared);
NODES_OPS(heap);

static const struct vs_mappings_ops address_ops = {
	.alloc = nodes_alloc,
	.free = nodes_free,
};

static void nodes_init(struct vshader_nodes *nodes, const struct vs_mappings_ops *ops,
		       struct vshader_account *acct)
{
	nodes->owner.ops = ops;
	nodes->acct = acct;
	nodes->must = false;
}

void vshader_nodes_init(struct vshader_nodes *nodes, struct vshader_account *acct)
{
	nodes_init(nodes, &address_ops, acct);
}

void vshader_map_init(struct vshader_vm *vm)
{
	nodes_init(&vm->mapped, &mapped_ops, vm->acct);
	nodes_init(&vm->shared, &shared_ops, vm->acct);
	nodes_init(&vm->heaps, &heap_ops, vm->acct);
}

static const struct vs_extent *map_fault(struct vs_pager *p, u64 va, u32 need)
{
	struct vshader_map *map = container_of(p, struct vshader_map, pager);
	const struct vs_mapping *m = vs_mappings_find(&map->heaps, va);

	return m ? vshader_heap_fault(m->obj, va) : NULL;
}

struct vshader_map *vshader_map_new(struct vshader_edit *edit)
{
	struct vshader_map *map;
	void *p;
	int ret;

	ret = nodes_take(nodes_of(edit->ext.owner), sizeof(*map), &p);
	if (ret) {
		vshader_edit_abort(edit);
		return ERR_PTR(ret);
	}
	map = memset(p, 0, sizeof(*map));
	kref_init(&map->ref);
	map->ext = edit->ext;
	map->shared = edit->shared;
	map->heaps = edit->heaps;
	map->pager.fault = map_fault;
	map->vs.mappings = &map->ext;
	map->vs.pager = &map->pager;
	return map;
}

static void map_release(struct kref *ref)
{
	struct vshader_map *map = container_of(ref, struct vshader_map, ref);
	const struct vshader_nodes *nodes = nodes_of(map->ext.owner);

	/* while the objects still exist */
	vs_mappings_fini(&map->heaps);
	vs_mappings_fini(&map->shared);
	vs_mappings_fini(&map->ext);
	nodes_give(nodes, sizeof(*map), map);
}

void vshader_map_put(struct vshader_map *map)
{
	if (map)
		kref_put(&map->ref, map_release);
}

bool vshader_map_writable(const struct vshader_map *map, u64 va, u64 size)
{
	return vs_mappings_covered(&map->ext, va, size, VS_EXT_WRITE);
}

/* ---- changes ---- */

void vshader_edit_begin(struct vshader_edit *edit, struct vshader_vm *vm,
			const struct vshader_map *map)
{
	*edit = (struct vshader_edit){
		.vm = vm,
		.ext.owner = &vm->mapped.owner,
		.shared.owner = &vm->shared.owner,
		.heaps.owner = &vm->heaps.owner,
	};
	if (map) {
		vs_mappings_copy(&edit->ext, &map->ext);
		vs_mappings_copy(&edit->shared, &map->shared);
		vs_mappings_copy(&edit->heaps, &map->heaps);
	}
}

void vshader_edit_abort(struct vshader_edit *edit)
{
	vs_mappings_fini(&edit->heaps);
	vs_mappings_fini(&edit->shared);
	vs_mappings_fini(&edit->ext);
}

/* Count mappings of an object, @n more. */
static int edit_count(struct vshader_edit *edit, struct vshader_bo *bo, u32 flags, int n)
{
	u64 at = (uintptr_t)vshader_bo_gem(bo)->resv;
	const struct vs_mapping *old;
	struct vs_mapping m = {
		.x.lo = at,
		.x.hi = at + 1,
		.off = n * (1 + (flags & VS_EXT_WRITE ? SHARED_WRITER : 0)),
		.obj = bo,
	};

	if (edit->vm->explicit_sync || bo->tag || !n)
		return 0;
	old = vs_mappings_find(&edit->shared, at);
	if (!old)
		return vs_mappings_map(&edit->shared, &m);
	m.off += old->off;
	if (!m.off)
		return vs_mappings_unmap(&edit->shared, at, 1);
	return vs_mappings_update(&edit->shared, at, m.off, 0);
}

/* Mappings of which the range is cut out become fewer, or more where one is divided. */
static int edit_count_cut(struct vshader_edit *edit, u64 va, u64 end)
{
	const struct vs_mapping *m;
	int ret;

	for (m = vs_mappings_next(&edit->ext, va); m && m->x.lo < end;
	     m = vs_mappings_next(&edit->ext, m->x.hi)) {
		ret = edit_count(edit, m->obj, m->x.flags, (m->x.lo < va) + (m->x.hi > end) - 1);
		if (ret)
			return ret;
	}
	return 0;
}

int vshader_edit_unmap(struct vshader_edit *edit, u64 va, u64 size)
{
	int ret = edit_count_cut(edit, va, va + size);

	if (ret)
		return ret;
	ret = vs_mappings_unmap(&edit->heaps, va, size);
	if (ret)
		return ret;
	return vs_mappings_unmap(&edit->ext, va, size);
}

static int edit_map_heap(struct vshader_edit *edit, u64 va, struct vshader_bo *bo)
{
	u64 size = vshader_bo_gem(bo)->size;
	struct vs_mapping m = {
		.x.lo = va + size,
		.x.hi = va + bo->va_size,
	};
	int ret;

	m.obj = vshader_heap_view_new(bo->heap, edit->vm->acct, m.x.lo);
	if (IS_ERR(m.obj))
		return PTR_ERR(m.obj);
	ret = vs_mappings_map(&edit->heaps, &m);
	vshader_heap_view_put(m.obj);
	return ret;
}

int vshader_edit_map(struct vshader_edit *edit, u64 va, u64 size, struct vshader_bo *bo, u64 off,
		     u32 flags)
{
	const struct vs_mapping m = {
		.x.lo = va,
		.x.hi = va + size,
		.x.kva = (u8 *)bo->map.vaddr + off,
		.x.flags = flags,
		.off = off,
		.obj = bo,
	};
	int ret;

	ret = edit_count_cut(edit, va, va + size);
	if (ret)
		return ret;
	ret = edit_count(edit, bo, flags, 1);
	if (ret)
		return ret;
	ret = vs_mappings_map(&edit->ext, &m);
	if (ret)
		return ret;
	return bo->heap ? edit_map_heap(edit, va, bo) : 0;
}

/* ---- synchronisation with others ---- */

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

struct vshader_shared *vshader_map_shared(const struct vshader_map *map)
{
	const struct vs_mapping *m;
	struct vshader_shared *s;
	u32 n = 0;

	s = kvcalloc(map->shared.n, sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s)
		return NULL;
	for (m = vs_mappings_next(&map->shared, 0); m;
	     m = vs_mappings_next(&map->shared, m->x.hi)) {
		s[n].obj = vshader_bo_gem(m->obj);
		s[n++].write = m->off >= SHARED_WRITER;
	}
	return s;
}
