/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Memory that an object gets when jobs access it. */
#ifndef VSHADER_HEAP_H
#define VSHADER_HEAP_H

#include <linux/types.h>

struct vs_extent;
struct vshader_account;
struct vshader_heap;
struct vshader_heap_view;

/**
 * vshader_heap_new - heap of the calling process, without memory yet
 * @acct: account of its memory and of its list of granules; the heap holds a reference
 * @size: bytes, a multiple of 64 KiB
 *
 * The memory is also charged to the memory control group of the calling process.
 *
 * Return: heap, or an error pointer: -ENOMEM, -EDQUOT or -ENOSPC.
 */
struct vshader_heap *vshader_heap_new(struct vshader_account *acct, u64 size);

/**
 * vshader_heap_free - give the memory back
 * @heap: heap without views, or NULL
 */
void vshader_heap_free(struct vshader_heap *heap);

/**
 * vshader_heap_view_new - a heap at an address; may sleep
 * @heap: heap, which outlives its views
 * @acct: account of a new view's list of granules; the view holds a reference
 * @va: address of its first byte
 *
 * Return: a reference to the view, of which there is one for each address; or an error pointer:
 * -ENOMEM, -EDQUOT or -ENOSPC.
 */
struct vshader_heap_view *vshader_heap_view_new(struct vshader_heap *heap,
						struct vshader_account *acct, u64 va);

/* Bytes of memory that a heap, or NULL, has now. */
u64 vshader_heap_bytes(const struct vshader_heap *heap);

/* References of views; may sleep. */
void vshader_heap_view_get(struct vshader_heap_view *view);
void vshader_heap_view_put(struct vshader_heap_view *view);

/**
 * vshader_heap_fault - memory at an address; does not sleep
 * @view: view
 * @va: address
 *
 * Return: the memory, which stays as long as the view exists. NULL: outside of the heap, a limit
 * of the account or of the control group is reached, or no memory is free right now.
 */
const struct vs_extent *vshader_heap_fault(struct vshader_heap_view *view, u64 va);

#endif /* VSHADER_HEAP_H */
