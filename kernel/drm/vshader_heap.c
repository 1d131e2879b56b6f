// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory that an object gets when jobs access it. A job is in the fence signalling path,
 * where nothing may wait for memory: an allocation that does not succeed at once is a fault of the
 * job. Therefore objects have the part that most jobs need from the beginning.
 *
 * A heap belongs to its object and is the same memory for everybody who has a handle. Each address
 * at which jobs see it is a view; snapshots of address spaces hold their views.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "engine/vs_job.h"
#include "vshader_heap.h"
#include "vshader_quota.h"

#define GRANULE		SZ_64K
#define ORDER		get_order(GRANULE)

/**
 * struct vshader_heap - Memory in granules.
 * @acct: account; holds a reference
 * @memcg: memory control group; holds a reference; NULL: the kernel has none
 * @used: granules that have memory
 * @lock: protects @views and their reference counts
 * @views: views
 * @n: number of granules
 * @granules: granules, NULL: no memory yet
 */
struct vshader_heap {
	struct vshader_account *acct;
	struct mem_cgroup *memcg;
	atomic_t used;

	/** @lock: protects @views and their reference counts */
	struct mutex lock;
	struct list_head views;
	u32 n;
	u8 *granules[];
};

/**
 * struct vshader_heap_view - A heap at an address.
 * @heap: heap
 * @node: in &vshader_heap.views
 * @refs: references
 * @va: first address
 * @acct: account of the client that made it; holds a reference
 * @ext: granules; &vs_extent.kva is NULL until jobs have accessed them here
 */
struct vshader_heap_view {
	struct vshader_heap *heap;
	struct vshader_account *acct;
	struct list_head node;
	u32 refs;
	u64 va;
	struct vs_extent ext[];
};

/* Memory for a list of granules. Return: zeros or an error pointer. */
static void *heap_list_alloc(struct vshader_account *acct, size_t bytes)
{
	int ret = vshader_quota_charge(acct, bytes);
	void *list;

	if (ret)
		return ERR_PTR(ret);
	list = kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (list)
		return list;
	vshader_quota_uncharge(acct, bytes);
	return ERR_PTR(-ENOMEM);
}

struct vshader_heap *vshader_heap_new(struct vshader_account *acct, u64 size)
{
	u32 n = size / GRANULE;
	struct vshader_heap *heap = heap_list_alloc(acct, struct_size(heap, granules, n));

	if (IS_ERR(heap))
		return heap;
	heap->acct = vshader_account_get(acct);
	heap->memcg = get_mem_cgroup_from_mm(current->mm);
	mutex_init(&heap->lock);
	INIT_LIST_HEAD(&heap->views);
	heap->n = n;
	return heap;
}

void vshader_heap_free(struct vshader_heap *heap)
{
	u32 i;

	if (!heap)
		return;
	WARN_ON_ONCE(!list_empty(&heap->views));
	for (i = 0; i < heap->n; i++) {
		if (!heap->granules[i])
			continue;
		free_pages((unsigned long)heap->granules[i], ORDER);
		vshader_quota_uncharge(heap->acct, GRANULE);
	}
	mem_cgroup_put(heap->memcg);
	vshader_quota_uncharge(heap->acct, struct_size(heap, granules, heap->n));
	vshader_account_put(heap->acct);
	mutex_destroy(&heap->lock);
	kvfree(heap);
}

u64 vshader_heap_bytes(const struct vshader_heap *heap)
{
	return heap ? (u64)atomic_read(&heap->used) * GRANULE : 0;
}

/* ---- views ---- */

static struct vshader_heap_view *heap_view_alloc(struct vshader_heap *heap,
						 struct vshader_account *acct, u64 va)
{
	struct vshader_heap_view *view = heap_list_alloc(acct, struct_size(view, ext, heap->n));
	u32 i;

	if (IS_ERR(view))
		return view;
	view->heap = heap;
	view->acct = vshader_account_get(acct);
	view->refs = 1;
	view->va = va;
	for (i = 0; i < heap->n; i++) {
		view->ext[i].lo = va + (u64)i * GRANULE;
		view->ext[i].hi = view->ext[i].lo + GRANULE;
		view->ext[i].flags = VS_EXT_WRITE;
	}
	list_add(&view->node, &heap->views);
	return view;
}

struct vshader_heap_view *vshader_heap_view_new(struct vshader_heap *heap,
						struct vshader_account *acct, u64 va)
{
	struct vshader_heap_view *view;

	mutex_lock(&heap->lock);
	list_for_each_entry(view, &heap->views, node) {
		if (view->va == va) {
			view->refs++;
			goto out;
		}
	}
	view = heap_view_alloc(heap, acct, va);
out:
	mutex_unlock(&heap->lock);
	return view;
}

void vshader_heap_view_get(struct vshader_heap_view *view)
{
	mutex_lock(&view->heap->lock);
	view->refs++;
	mutex_unlock(&view->heap->lock);
}

void vshader_heap_view_put(struct vshader_heap_view *view)
{
	struct vshader_heap *heap = view->heap;

	mutex_lock(&heap->lock);
	if (--view->refs)
		view = NULL;
	else
		list_del(&view->node);
	mutex_unlock(&heap->lock);
	if (!view)
		return;
	vshader_quota_uncharge(view->acct, struct_size(view, ext, heap->n));
	vshader_account_put(view->acct);
	kvfree(view);
}

/* ---- faults ---- */

/* Threads are in no memory control group: charge the creator's. */
static u8 *heap_alloc_granule(struct vshader_heap *heap)
{
	struct mem_cgroup *old = set_active_memcg(heap->memcg);
	u8 *p = (u8 *)__get_free_pages(GFP_NOWAIT | __GFP_ACCOUNT | __GFP_ZERO | __GFP_NOWARN,
				       ORDER);

	set_active_memcg(old);
	return p;
}

/* Several workers of a job may get here at once: one of them adds the memory. */
static u8 *heap_add_granule(struct vshader_heap *heap, u8 **at)
{
	u8 *p, *old;

	if (vshader_quota_charge(heap->acct, GRANULE))
		return NULL;
	p = heap_alloc_granule(heap);
	old = p ? cmpxchg(at, NULL, p) : NULL;
	if (p && !old) {
		atomic_inc(&heap->used);
		return p;
	}
	if (p)
		free_pages((unsigned long)p, ORDER);
	vshader_quota_uncharge(heap->acct, GRANULE);
	return old;
}

const struct vs_extent *vshader_heap_fault(struct vshader_heap_view *view, u64 va)
{
	struct vshader_heap *heap = view->heap;
	u64 i = (va - view->va) / GRANULE;
	struct vs_extent *e;
	u8 *p;

	if (i >= heap->n)
		return NULL;
	i = array_index_nospec(i, heap->n);
	e = &view->ext[i];
	/* the zeroes are there before the pointer */
	if (smp_load_acquire(&e->kva))
		return e;
	/* likewise, of another view */
	p = smp_load_acquire(&heap->granules[i]);
	if (!p)
		p = heap_add_granule(heap, &heap->granules[i]);
	if (!p)
		return NULL;
	/* after the zeroes */
	smp_store_release(&e->kva, p);
	return e;
}
