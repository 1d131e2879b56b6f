/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Accesses to a guest's memory, and the fault of the last one that failed. */
#ifndef VR_MEM_H
#define VR_MEM_H

#include "../engine/vs_job.h"

/**
 * struct vr_mem - A guest's memory.
 * @tlb:	address space, and translations of late
 * @kind:	enum vs_fault_kind, after -EFAULT
 * @va:		address of the fault
 * @size:	bytes
 */
struct vr_mem {
	struct vs_tlb tlb;
	u32 kind;
	u64 va;
	u32 size;
};

/* Remember a fault. Return: -EFAULT. */
static inline int vr_fault(struct vr_mem *m, u32 kind, u64 va, u32 size)
{
	m->kind = kind;
	m->va = va;
	m->size = size;
	return -EFAULT;
}

/* As vs_tlb_ptr(), with the usual case inline. */
static __always_inline void *vr_mem_ptr(struct vr_mem *m, u64 va, u32 size, u32 need)
{
	const struct vs_extent *e = m->tlb.ext[(va >> VS_TLB_SHIFT) % VS_TLB_SIZE];
	void *p;

	if (va >= VS_INTERNAL_VA)
		return NULL;
	p = vs_extent_ptr(e, va, size, need);
	return likely(p) ? p : vs_tlb_ptr(&m->tlb, va, size, need);
}

/* Return: 0, or -EFAULT. */
static __always_inline int vr_read(struct vr_mem *m, u64 va, void *to, u32 size)
{
	const void *p = vr_mem_ptr(m, va, size, 0);

	if (p) {
		memcpy(to, p, size);
		return 0;
	}
	/* in several extents */
	if (va < VS_INTERNAL_VA && vs_map_read(m->tlb.map, va, to, size) == size)
		return 0;
	return vr_fault(m, VS_FAULT_READ, va, size);
}

static __always_inline int vr_write(struct vr_mem *m, u64 va, const void *from, u32 size)
{
	void *p = vr_mem_ptr(m, va, size, VS_EXT_WRITE);

	if (p) {
		memcpy(p, from, size);
		return 0;
	}
	if (va < VS_INTERNAL_VA && vs_map_write(m->tlb.map, va, from, size) == size)
		return 0;
	return vr_fault(m, VS_FAULT_WRITE, va, size);
}

#endif /* VR_MEM_H */
