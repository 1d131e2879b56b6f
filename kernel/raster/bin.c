// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bins: which ones primitives may cover; lists of primitives in memory.
 */
#include "../engine/vs_intern.h"
#include "vr_bin.h"
#include "vr_small.h"

#define HEAP_ALIGN	64

/* ---- rectangles ---- */

static __always_inline s32 bin_floor(u32 f)
{
	u32 e = f >> 23 & 0xff, mant = (f & 0x7fffff) | 0x800000;
	bool negative = f >> 31;
	s32 v;

	if (e < 127)
		return negative && f << 1 ? -1 : 0;
	if (e >= 127 + 17)
		return negative || (f & 0x7fffffff) > 0x7f800000 ? -VR_FAR : VR_FAR;
	v = (s32)(mant >> (150 - e));
	if (!negative)
		return v;
	return mant << (e - 118) ? -v - 1 : -v;
}

s32 vr_floor(u32 f)
{
	return bin_floor(f);
}

/* A vertex of a triangle, which is often one of the triangle before. Return: 0, or -EFAULT. */
static __always_inline int bin_corner(struct vr_binner *b, u32 index, struct vr_vertex *v)
{
	u32 k;

	for (k = 0; k < b->nlast; k++) {
		if (b->last[k] == index) {
			*v = b->vertex[k];
			return 0;
		}
	}
	return b->ops->vertex(b, index, v);
}

/* Reduce @b->box to the pixels of a triangle. Return: false: there are none. */
static bool bin_pixels(struct vr_binner *b, const struct vr_vertex v[3])
{
	enum vr_small small = VR_SMALL_NOT;
	struct vr_corner c[3];

	if (vr_small_quick(b->simd)) {
		vs_vector_begin(b->simd);
		small = vr_near_pixels(b->simd, b->box, b->cull, b->samples, v);
		vs_vector_end(b->simd);
	}
	if (small != VR_SMALL_NOT)
		return small == VR_SMALL_SET;
	return vr_snap(&c[0], &v[0]) && vr_snap(&c[1], &v[1]) && vr_snap(&c[2], &v[2]) &&
	       vr_triangle_pixels(b->box, b->cull, b->samples, c);
}

/* Vertices of a triangle. Return: 0, or -EFAULT. */
static __always_inline int bin_vertices(struct vr_binner *b, const u32 index[3],
					struct vr_vertex v[3])
{
	u32 i;
	int ret = 0;

	if (!b->keep && b->ops->triangle)
		return b->ops->triangle(b, index, v);
	for (i = 0; i < 3 && !ret; i++)
		ret = bin_corner(b, index[i], &v[i]);
	return ret;
}

/* Reduce @b->box to the pixels of a triangle. Return: 1; 0: there are none; or a negative errno. */
static int bin_triangle(struct vr_binner *b, const struct vr_corners *c)
{
	struct vr_vertex v[3];
	int ret = bin_vertices(b, c->index, v);

	if (ret)
		return ret;
	if (b->keep) {
		memcpy(b->last, c->index, sizeof(b->last));
		memcpy(b->vertex, v, sizeof(v));
		b->nlast = 3;
	}
	return bin_pixels(b, v);
}

/* The same of a line or point. */
static int bin_line(struct vr_binner *b, const struct vr_corners *c)
{
	s32 box[4] = { VR_FAR, VR_FAR, -VR_FAR, -VR_FAR }, at[2], more;
	struct vr_vertex v;
	u32 i, k, size;
	int ret;

	ret = b->ops->size(b, c->index[0], &size);
	if (ret)
		return ret;
	more = clamp_t(s32, vr_floor(size), 0, VR_FAR) + 2;
	for (i = 0; i < c->n; i++) {
		ret = b->ops->vertex(b, c->index[i], &v);
		if (ret)
			return ret;
		/* with a corner behind the eye, the box of its corners does not contain it */
		if (v.inv_w >> 31 || !v.inv_w || v.inv_w > 0x7f800000)
			return 1;
		at[0] = bin_floor(v.x);
		at[1] = bin_floor(v.y);
		for (k = 0; k < 2; k++) {
			box[k] = min(box[k], at[k] - more);
			box[k + 2] = max(box[k + 2], at[k] + more);
		}
	}
	for (k = 0; k < 2; k++) {
		b->box[k] = max(b->box[k], box[k]);
		b->box[k + 2] = min(b->box[k + 2], box[k + 2]);
	}
	return b->box[0] <= b->box[2] && b->box[1] <= b->box[3];
}

/* ---- primitives ---- */

int vr_bin_primitive(struct vr_binner *b, const struct vr_corners *c)
{
	u32 i;
	int ret;

	for (i = 0; i < 2; i++) {
		b->box[i] = b->first[i];
		b->box[i + 2] = b->frame[i];
		if (b->first[i] > b->frame[i])
			return 0;
	}
	ret = c->n == 3 ? bin_triangle(b, c) : bin_line(b, c);
	if (ret <= 0)
		return ret;
	for (i = 0; i < 4; i++)
		b->box[i] >>= b->side[i % 2];
	b->x = b->box[0];
	b->y = b->box[1];
	b->busy = true;
	return b->ops->begin(b, c);
}

int vr_bin_step(struct vr_binner *b)
{
	int ret = b->ops->add(b, b->x, b->y);

	if (b->x++ < b->box[2])
		return ret;
	b->x = b->box[0];
	if (b->y++ == b->box[3])
		b->busy = false;
	return ret;
}

/* ---- lists ---- */

int vr_lists_take(struct vr_lists *l, struct vr_mem *mem, const struct vr_heap *heap, u32 size,
		  u64 *va)
{
	*va = l->used;
	if (*va < heap->lo || *va > heap->hi || heap->hi - *va < size)
		return vr_fault(mem, VS_FAULT_OVERFLOW, *va, size);
	l->used += size;
	return 0;
}

void vr_lists_init(struct vr_lists *l, const struct vr_heap *heap, u32 width, u32 height)
{
	*l = (struct vr_lists){ .magic = VR_LISTS_MAGIC, .width = width, .height = height };
	l->bins = (heap->lo + HEAP_ALIGN - 1) & ~(HEAP_ALIGN - 1ULL);
	l->used = l->bins + (u64)width * height * sizeof(struct vr_bin);
}

bool vr_lists_match(const struct vr_lists *l, u32 width, u32 height)
{
	return l->magic == VR_LISTS_MAGIC && l->width == width && l->height == height &&
	       l->cleared <= width * height;
}

int vr_lists_clear(struct vr_lists *l, struct vr_mem *mem, const struct vr_heap *heap)
{
	static const struct vr_bin empty[VR_CLEAR_BINS];
	u32 n = min_t(u32, VR_CLEAR_BINS, l->width * l->height - l->cleared);
	u64 va = l->bins + (u64)l->cleared * sizeof(*empty);

	if (l->used > heap->hi || l->used < heap->lo)
		return vr_fault(mem, VS_FAULT_OVERFLOW, heap->hi, sizeof(*empty));
	l->cleared += n;
	return vr_write(mem, va, empty, n * sizeof(*empty));
}

/* Append a chunk to the list. */
static int bin_new_chunk(struct vr_lists *l, struct vr_mem *mem, const struct vr_heap *heap,
			 struct vr_list *list)
{
	const struct vr_chunk c = { .magic = VR_CHUNK_MAGIC };
	struct vr_bin *bin = &list->bin;
	u64 va;
	int ret;

	ret = vr_lists_take(l, mem, heap, sizeof(c), &va);
	if (ret)
		return ret;
	ret = vr_write(mem, va, &c, sizeof(c));
	if (ret)
		return ret;
	if (bin->first) {
		ret = vr_write(mem, bin->last + offsetof(struct vr_chunk, next), &va, sizeof(va));
		if (ret)
			return ret;
	} else {
		bin->first = va;
	}
	bin->last = va;
	list->n = 0;
	return vr_write(mem, list->va, bin, sizeof(*bin));
}

/* Make a bin's list the current one. */
static int bin_read_list(struct vr_mem *mem, u64 va, struct vr_list *list)
{
	int ret;

	list->va = 0;
	list->n = VR_CHUNK_ENTRIES;
	ret = vr_read(mem, va, &list->bin, sizeof(list->bin));
	if (ret)
		return ret;
	if (list->bin.first) {
		ret = vr_read(mem, list->bin.last + offsetof(struct vr_chunk, n), &list->n,
			      sizeof(list->n));
		if (ret)
			return ret;
	}
	list->va = va;
	return 0;
}

int vr_lists_add(struct vr_lists *l, struct vr_mem *mem, const struct vr_heap *heap,
		 struct vr_list *list, u32 number, u64 entry)
{
	u64 at = l->bins + (u64)number * sizeof(struct vr_bin);
	u64 chunk;
	u8 *p, *to;
	int ret;

	if (list->va != at) {
		ret = bin_read_list(mem, at, list);
		if (ret)
			return ret;
	}
	if (list->n >= VR_CHUNK_ENTRIES) {
		ret = bin_new_chunk(l, mem, heap, list);
		if (ret) {
			list->va = 0;
			return ret;
		}
	}
	chunk = list->bin.last;
	p = vr_mem_ptr(mem, chunk, sizeof(struct vr_chunk), VS_EXT_WRITE);
	if (likely(p)) {
		/* the number was in the guest's memory */
		to = vs_bounded_ptr(p, sizeof(struct vr_chunk),
				    offsetof(struct vr_chunk, entry[list->n]), sizeof(entry));
		if (unlikely(!to))
			return -EFAULT;
		memcpy(to, &entry, sizeof(entry));
		list->n++;
		memcpy(p + offsetof(struct vr_chunk, n), &list->n, sizeof(list->n));
		return 0;
	}
	ret = vr_write(mem, chunk + offsetof(struct vr_chunk, entry[list->n]), &entry,
		       sizeof(entry));
	if (ret)
		return ret;
	list->n++;
	return vr_write(mem, chunk + offsetof(struct vr_chunk, n), &list->n, sizeof(list->n));
}

int vr_lists_read(const struct vr_lists *l, struct vr_mem *mem, u32 x, u32 y, struct vr_chunk *c)
{
	struct vr_bin bin;
	int ret;

	*c = (struct vr_chunk){};
	if (l->magic != VR_LISTS_MAGIC || x >= l->width || y >= l->height ||
	    l->cleared != l->width * l->height)
		return 0;
	ret = vr_read(mem, l->bins + ((u64)y * l->width + x) * sizeof(bin), &bin, sizeof(bin));
	if (!ret)
		c->next = bin.first;
	return ret;
}
