// SPDX-License-Identifier: MIT
/*
 * Linear and video memory: first fit, in lists of blocks that are kept apart from the memory.
 */
#include <stdlib.h>
#include <string.h>

#include "gx_priv.h"

#define ALIGNMENT	128u

/** struct block - allocated memory */
struct block {
	struct block *next;	/* by address */
	uint32_t start;		/* offset in the heap */
	uint32_t size;
	uint32_t wanted;	/* bytes asked for */
};

/** struct heap - memory that is allocated from; none is given back to the area */
struct heap {
	enum gx_area_id area;
	uint32_t first;		/* offset in the area */
	uint32_t size;
	struct block *blocks;
};

static struct heap linear = { .area = GX_LINEAR };
static struct heap vram[2] = { { .area = GX_VRAM }, { .area = GX_VRAM } };

static void set_up(void)
{
	gx_start();
	if (linear.size)
		return;
	linear.size = gx_areas[GX_LINEAR].size;
	vram[0].size = gx_areas[GX_VRAM].size / 2;
	vram[1].size = vram[0].size;
	vram[1].first = vram[0].size;
}

static uint8_t *address(const struct heap *h, uint32_t start)
{
	return gx_areas[h->area].ptr + h->first + start;
}

/* The first gap that is large enough. Return: NULL: there is none. */
static void *heap_alloc(struct heap *h, size_t size, size_t align)
{
	struct block **p = &h->blocks, *b;
	uint64_t at = 0, end;
	uint32_t room;

	if (align < ALIGNMENT)
		align = ALIGNMENT;
	if (!size || align & (align - 1) || size > h->size)
		return NULL;
	room = ((uint32_t)size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	for (;; p = &(*p)->next) {
		at = (at + align - 1) & ~(uint64_t)(align - 1);
		end = *p ? (*p)->start : h->size;
		if (at + room <= end)
			break;
		if (!*p)
			return NULL;
		at = (uint64_t)(*p)->start + (*p)->size;
	}
	b = malloc(sizeof(*b));
	if (!b)
		return NULL;
	*b = (struct block){ .next = *p, .start = (uint32_t)at, .size = room,
			     .wanted = (uint32_t)size };
	*p = b;
	end = h->first + at + room;
	if (gx_areas[h->area].used < end)
		gx_areas[h->area].used = (uint32_t)end;
	return address(h, b->start);
}

static struct block **find(struct heap *h, const void *mem)
{
	struct block **p;

	for (p = &h->blocks; *p; p = &(*p)->next) {
		if (address(h, (*p)->start) == mem)
			return p;
	}
	return NULL;
}

static void heap_free(struct heap *h, void *mem, const char *call)
{
	struct block **p, *b;

	if (!mem)
		return;
	p = find(h, mem);
	if (!p)
		gx_die("%s: nothing is allocated at %p", call, mem);
	b = *p;
	*p = b->next;
	free(b);
}

static uint32_t heap_space(const struct heap *h)
{
	const struct block *b;
	uint32_t n = h->size;

	for (b = h->blocks; b; b = b->next)
		n -= b->size;
	return n;
}

/* ---- linear memory ---- */

void *linearMemAlign(size_t size, size_t alignment)
{
	set_up();
	return heap_alloc(&linear, size, alignment);
}

void *linearAlloc(size_t size)
{
	return linearMemAlign(size, ALIGNMENT);
}

void linearFree(void *mem)
{
	set_up();
	heap_free(&linear, mem, "linearFree");
}

size_t linearGetSize(void *mem)
{
	struct block **p = find(&linear, mem);

	return p ? (*p)->wanted : 0;
}

void *linearRealloc(void *mem, size_t size)
{
	size_t old = linearGetSize(mem);
	void *p;

	if (!size) {
		linearFree(mem);
		return NULL;
	}
	p = linearAlloc(size);
	if (!p)
		return NULL;
	if (mem)
		memcpy(p, mem, old < size ? old : size);
	linearFree(mem);
	return p;
}

u32 linearSpaceFree(void)
{
	set_up();
	return heap_space(&linear);
}

/* ---- video memory ---- */

static struct heap *bank_of(const void *mem)
{
	return (const uint8_t *)mem >= address(&vram[1], 0) ? &vram[1] : &vram[0];
}

void *vramMemAlignAt(size_t size, size_t alignment, vramAllocPos pos)
{
	void *p = NULL;

	set_up();
	if (pos & VRAM_ALLOC_A)
		p = heap_alloc(&vram[0], size, alignment);
	if (!p && pos & VRAM_ALLOC_B)
		p = heap_alloc(&vram[1], size, alignment);
	return p;
}

void *vramMemAlign(size_t size, size_t alignment)
{
	return vramMemAlignAt(size, alignment, VRAM_ALLOC_ANY);
}

void *vramAllocAt(size_t size, vramAllocPos pos)
{
	return vramMemAlignAt(size, ALIGNMENT, pos);
}

void *vramAlloc(size_t size)
{
	return vramAllocAt(size, VRAM_ALLOC_ANY);
}

void vramFree(void *mem)
{
	set_up();
	heap_free(bank_of(mem), mem, "vramFree");
}

size_t vramGetSize(void *mem)
{
	struct block **p = find(bank_of(mem), mem);

	return p ? (*p)->wanted : 0;
}

void *vramRealloc(void *mem, size_t size)
{
	size_t old = mem ? vramGetSize(mem) : 0;
	void *p;

	if (!size) {
		vramFree(mem);
		return NULL;
	}
	p = vramAlloc(size);
	if (!p)
		return NULL;
	if (mem)
		memcpy(p, mem, old < size ? old : size);
	vramFree(mem);
	return p;
}

u32 vramSpaceFree(void)
{
	set_up();
	return heap_space(&vram[0]) + heap_space(&vram[1]);
}

/* ---- addresses ---- */

u32 osConvertVirtToPhys(const void *vaddr)
{
	uintptr_t at = (uintptr_t)vaddr;
	const struct gx_area *a;

	for (a = gx_areas; a < &gx_areas[GX_OWN]; a++) {
		if (at >= a->vaddr && at - a->vaddr < a->size)
			return a->paddr + (uint32_t)(at - a->vaddr);
	}
	return 0;
}

void *gx_ptr(uint32_t paddr, uint32_t size)
{
	const struct gx_area *a;

	for (a = gx_areas; a < &gx_areas[GX_NUM_AREAS]; a++) {
		if (paddr >= a->paddr && paddr - a->paddr < a->size &&
		    size <= a->size - (paddr - a->paddr))
			return a->ptr + (paddr - a->paddr);
	}
	return NULL;
}
