/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Memory that an address space gets when jobs access it. */
#ifndef VSHADER_HEAP_H
#define VSHADER_HEAP_H

#include <linux/types.h>

struct vs_extent;
struct vshader_file;
struct vshader_heap;

/**
 * vshader_heap_new - addresses with no memory yet
 * @vf: file that the memory is charged to; the heap holds a reference
 * @va: first address
 * @size: bytes, a multiple of 64 KiB
 *
 * Return: heap or NULL.
 */
struct vshader_heap *vshader_heap_new(struct vshader_file *vf, u64 va, u64 size);

/**
 * vshader_heap_free - give the memory back; may sleep
 * @heap: heap that no job can access, or NULL
 */
void vshader_heap_free(struct vshader_heap *heap);

/**
 * vshader_heap_fault - memory at an address; does not sleep
 * @heap: heap
 * @va: address
 *
 * Return: the memory, which stays as long as the heap exists. NULL: outside of the heap, its file
 * has reached a limit, or no memory is free right now.
 */
const struct vs_extent *vshader_heap_fault(struct vshader_heap *heap, u64 va);

#endif /* VSHADER_HEAP_H */
