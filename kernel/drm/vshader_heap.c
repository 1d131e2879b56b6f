// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory that an address space gets when jobs access it. A job is in the fence signalling path,
 * where nothing may wait for memory: what is not free at once is a fault of the job. So objects
 * have the part that most jobs need from the beginning.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>

#include "engine/vs_job.h"
#include "vshader_device.h"
#include "vshader_heap.h"
#include "vshader_quota.h"

#define GRANULE		SZ_64K
#define ORDER		get_order(GRANULE)

/**
 * struct vshader_heap - Addresses that get memory.
 * @vf: file that the memory is charged to
 * @va: first address
 * @n: number of granules
 * @ext: granules; without memory &vs_extent.kva is NULL
 */
struct vshader_heap {
	struct vshader_file *vf;
	u64 va;
	u32 n;
	struct vs_extent ext[];
};

struct vshader_heap *vshader_heap_new(struct vshader_file *vf, u64 va, u64 size)
{
	u32 i, n = size / GRANULE;
	struct vshader_heap *heap = kvzalloc(struct_size(heap, ext, n), GFP_KERNEL_ACCOUNT);

	if (!heap)
		return NULL;
	heap->vf = vshader_file_get(vf);
	heap->va = va;
	heap->n = n;
	for (i = 0; i < n; i++) {
		heap->ext[i].lo = va + (u64)i * GRANULE;
		heap->ext[i].hi = heap->ext[i].lo + GRANULE;
		heap->ext[i].flags = VS_EXT_WRITE;
	}
	return heap;
}

void vshader_heap_free(struct vshader_heap *heap)
{
	u32 i;

	if (!heap)
		return;
	for (i = 0; i < heap->n; i++) {
		if (!heap->ext[i].kva)
			continue;
		free_pages((unsigned long)heap->ext[i].kva, ORDER);
		vshader_quota_uncharge(heap->vf, GRANULE);
	}
	vshader_file_put(heap->vf);
	kvfree(heap);
}

/* Several workers of a job may get here at once: one of them adds the memory. */
static u8 *add_granule(struct vshader_heap *heap, struct vs_extent *e)
{
	u8 *p, *old;

	if (vshader_quota_charge(heap->vf, GRANULE))
		return NULL;
	p = (u8 *)__get_free_pages(GFP_NOWAIT | __GFP_ZERO | __GFP_NOWARN, ORDER);
	old = p ? cmpxchg(&e->kva, NULL, p) : NULL;
	if (p && !old)
		return p;
	if (p)
		free_pages((unsigned long)p, ORDER);
	vshader_quota_uncharge(heap->vf, GRANULE);
	return old;
}

const struct vs_extent *vshader_heap_fault(struct vshader_heap *heap, u64 va)
{
	u64 i = (va - heap->va) / GRANULE;
	struct vs_extent *e;

	if (i >= heap->n)
		return NULL;
	e = &heap->ext[array_index_nospec(i, heap->n)];
	/* the zeroes are there before the pointer */
	return smp_load_acquire(&e->kva) || add_granule(heap, e) ? e : NULL;
}
