/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Draws as TILER and INDEXED_VERTEX jobs describe them: primitives, and the lists of them in
 * the tiler heap, from which FRAGMENT jobs take them.
 */
#ifndef VS_MALI_PRIM_H
#define VS_MALI_PRIM_H

#include "../../raster/vr_bin.h"
#include "mali_desc.h"

/* Restart of primitives; hardware values. */
enum mali_restart { MALI_RESTART_NONE, MALI_RESTART_IMPLICIT = 2, MALI_RESTART_EXPLICIT };

/**
 * struct mali_prims - Primitives of a draw.
 * @mode:	enum vr_mode; VR_NUM_MODES: none
 * @index_bytes: of an index, 0: none
 * @indices:	address of the indices
 * @count:	number of indices
 * @base:	added to indices
 * @restart:	enum mali_restart
 * @restart_index: MALI_RESTART_EXPLICIT: the index
 * @first:	the first corner is the provoking one
 * @cull:	VR_DEPTH_CLIP_*: primitives in front of or behind the depth range are not drawn
 * @size_bytes:	of an element of the array of point sizes, 0: @size is a number
 * @size:	width of lines, size of points, binary32; or the address of the array
 * @everywhere:	a frame shader without positions: a rectangle that covers any frame
 * @positions:	vertices, 16 bytes each
 * @instance_size: vertices from an instance to the next
 * @instances:	number of instances
 */
struct mali_prims {
	u32 mode;
	u32 index_bytes;
	u64 indices;
	u32 count;
	u32 base;
	u32 restart;
	u32 restart_index;
	bool first;
	u32 cull;
	u32 size_bytes;
	u64 size;
	bool everywhere;
	u64 positions;
	u32 instance_size;
	u64 instances;
};

/* Offsets in a job of its draw descriptors: of fragments, of vertices (INDEXED_VERTEX). */
u32 mali_draw_offset(const struct mali_arch_info *arch);
#define MALI_VERTEX_DRAW	256

/* Words of a draw descriptor that mali_read_draw() does not keep. */
#define MALI_DRAW_POSITION	4
#define MALI_DRAW_VIEWPORT	24
#define MALI_DRAW_OCCLUSION	26
#define MALI_DRAW_STORAGE	28
#define MALI_DRAW_WORDS		30

/* Sides of triangles of a draw descriptor: VR_FRONT_CCW, VR_CULL_*. */
static inline u32 mali_cull(const u32 *draw)
{
	return (mali_bits(draw, 0, 5, 1) ? VR_FRONT_CCW : 0) |
	       (mali_bits(draw, 0, 6, 1) ? VR_CULL_FRONT : 0) |
	       (mali_bits(draw, 0, 7, 1) ? VR_CULL_BACK : 0);
}

/* Read the primitives of a job; @draw: words of its draw descriptor. Return: 0, -ENOEXEC. */
int mali_prim_read(struct mali_parser *p, u64 job, const u32 *draw, struct mali_prims *prim);
/* Primitives of a frame shader: a strip of four vertices, or without positions all of the frame. */
void mali_prim_frame(const u32 *draw, struct mali_prims *prim);
/*
 * Read index @i. *@restart: it ends the strip, else *@vertex is the vertex of instance
 * @instance. Return: 0, or -EFAULT, as of the following.
 */
int mali_prim_index(struct vr_mem *mem, const struct mali_prims *prim, u32 i, u32 instance,
		    u32 *vertex, bool *restart);
/* The same of index @i at @at, as it is in memory. */
static inline u32 mali_prim_index_vertex(const struct mali_prims *prim, const u8 *at, u32 i,
					 u32 instance, bool *restart)
{
	u32 bytes = prim->index_bytes, v = 0;

	if (bytes == 2)
		v = at[2 * i] | at[2 * i + 1] << 8;
	else if (bytes == 4)
		memcpy(&v, at + 4 * i, sizeof(v));
	else
		v = at[i];
	*restart = (prim->restart == MALI_RESTART_IMPLICIT && v == ~0U >> (32 - 8 * bytes)) ||
		   (prim->restart == MALI_RESTART_EXPLICIT && v == prim->restart_index);
	return v + prim->base + instance * prim->instance_size;
}

/* A corner of the largest frame. */
struct vr_vertex mali_prim_corner(u32 vertex);

/* Read a vertex. */
static inline int mali_prim_vertex(struct vr_mem *mem, const struct mali_prims *prim, u32 vertex,
				   struct vr_vertex *v)
{
	if (unlikely(prim->everywhere)) {
		*v = mali_prim_corner(vertex);
		return 0;
	}
	return vr_read(mem, prim->positions + (u64)vertex * sizeof(*v), v, sizeof(*v));
}

/* Read the vertices of a triangle, mostly of one extent. */
static inline int mali_prim_triangle(struct vr_mem *mem, const struct mali_prims *prim,
				     const u32 vertex[3], struct vr_vertex v[3])
{
	u64 va = prim->positions + (u64)vertex[0] * sizeof(*v);
	const struct vs_extent *e = mem->tlb.ext[(va >> VS_TLB_SHIFT) % VS_TLB_SIZE];
	const void *p = NULL;
	int ret = 0;
	u32 i;

	for (i = 0; i < 3 && likely(!prim->everywhere); i++) {
		va = prim->positions + (u64)vertex[i] * sizeof(*v);
		p = va < VS_INTERNAL_VA ? vs_extent_ptr(e, va, sizeof(*v), 0) : NULL;
		if (unlikely(!p))
			break;
		memcpy(&v[i], p, sizeof(*v));
	}
	if (likely(p))
		return 0;
	for (i = 0; i < 3 && !ret; i++)
		ret = mali_prim_vertex(mem, prim, vertex[i], &v[i]);
	return ret;
}

/* Width of lines or size of a point, binary32. */
int mali_prim_size(struct vr_mem *mem, const struct mali_prims *prim, u32 vertex, u32 *size);

/* ---- the tiler heap ---- */

/**
 * struct mali_binned - Primitive in a list, in memory.
 * @job:	job with the draw
 * @vertex:	vertices
 * @primitive:	primitive index
 * @n:		number of vertices, 1 to 3
 * @provoking:	corner of flat varyings
 */
struct mali_binned {
	u64 job;
	u32 vertex[3];
	u32 primitive;
	u32 n;
	u32 provoking;
};

/**
 * struct mali_heap - Tiler context: where a frame's lists are.
 * @list:	struct vr_lists
 * @heap:	heap
 */
struct mali_heap {
	u64 list;
	struct vr_heap heap;
};

/* Offset of the tiler context in a framebuffer descriptor of v4, v5. */
#define MALI_FB_TILER	56

/*
 * Read the tiler context at @va. The list is in the polygon list (v4, v5: a WRITE_VALUE job
 * resets it), or in the context's state, which is zero at first.
 */
int mali_heap_read(struct mali_parser *p, u64 va, struct mali_heap *h);

#endif /* VS_MALI_PRIM_H */
