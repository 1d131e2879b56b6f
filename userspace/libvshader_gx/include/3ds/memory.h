/* SPDX-License-Identifier: MIT */
/*
 * Memory that the GPU sees. Both kinds are mapped below 4 GiB at the console's addresses, so that
 * pointers to it fit into 32 bits.
 */
#ifndef VSHADER_3DS_MEMORY_H
#define VSHADER_3DS_MEMORY_H

#include <3ds/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Addresses of the process (V) and of the GPU (P); bytes. */
#define OS_FCRAM_VADDR	0x30000000
#define OS_FCRAM_PADDR	0x20000000
#define OS_FCRAM_SIZE	0x10000000
#define OS_VRAM_VADDR	0x1F000000
#define OS_VRAM_PADDR	0x18000000
#define OS_VRAM_SIZE	0x00600000

/* Linear memory, valid from the first call of this library on. */
extern u32 __ctru_linear_heap;
extern u32 __ctru_linear_heap_size;

/* Return: address, aligned to 128 bytes or as asked, or NULL. */
void *linearAlloc(size_t size);
void *linearMemAlign(size_t size, size_t alignment);
void *linearRealloc(void *mem, size_t size);
void linearFree(void *mem);
size_t linearGetSize(void *mem);
u32 linearSpaceFree(void);

/* The two halves of the video memory. */
typedef enum {
	VRAM_ALLOC_A = BIT(0),
	VRAM_ALLOC_B = BIT(1),
	VRAM_ALLOC_ANY = VRAM_ALLOC_A | VRAM_ALLOC_B,
} vramAllocPos;

void *vramAlloc(size_t size);
void *vramAllocAt(size_t size, vramAllocPos pos);
void *vramMemAlign(size_t size, size_t alignment);
void *vramMemAlignAt(size_t size, size_t alignment, vramAllocPos pos);
void *vramRealloc(void *mem, size_t size);
void vramFree(void *mem);
size_t vramGetSize(void *mem);
u32 vramSpaceFree(void);

/* Return: the GPU's address of linear or video memory, or 0. */
u32 osConvertVirtToPhys(const void *vaddr);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_MEMORY_H */
