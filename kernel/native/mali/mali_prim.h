/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Draws as TILER and INDEXED_VERTEX jobs describe them: primitives, and the lists of them in
 * the tiler heap, from which FRAGMENT jobs take them.
 */
#ifndef VS_MALI_PRIM_H
#define VS_MALI_PRIM_H

#include "../../raster/vs_raster.h"
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

/* Copy from or to guest memory. Return: false: unmapped. */
bool mali_read(const struct vs_map *map, u64 va, void *to, u32 size);
bool mali_write(const struct vs_map *map, u64 va, const void *from, u32 size);

/* Read the primitives of a job; @draw: words of its draw descriptor. Return: 0, -ENOEXEC. */
int mali_prim_read(struct mali_parser *p, u64 job, const u32 *draw, struct mali_prims *prim);
/* Primitives of a frame shader: a strip of four vertices. */
void mali_prim_frame(const u32 *draw, struct mali_prims *prim);
/*
 * Read index @i. *@restart: it ends the strip, else *@vertex is the vertex of instance
 * @instance. Return: false: unmapped.
 */
bool mali_prim_index(const struct vs_map *map, const struct mali_prims *prim, u32 i, u32 instance,
		     u32 *vertex, bool *restart);
/* Read a vertex. Return: false: unmapped. */
bool mali_prim_vertex(const struct vs_map *map, const struct mali_prims *prim, u32 vertex,
		      struct vr_vertex *v);
/* Width of lines or size of a point, binary32. Return: false: unmapped. */
bool mali_prim_size(const struct vs_map *map, const struct mali_prims *prim, u32 vertex, u32 *size);

/* ---- the tiler heap ---- */

#define MALI_LIST_MAGIC		0x54534c56U
#define MALI_CHUNK_MAGIC	0x4b4e4843U
#define MALI_CHUNK_ENTRIES	30
#define MALI_BIN_SIZE		64	/* pixels a side */

/**
 * struct mali_list - Head of a frame's lists, in memory.
 * @magic:	MALI_LIST_MAGIC; else there are none
 * @width:	bins in a row
 * @height:	rows of bins
 * @cleared:	number of bins that have been cleared
 * @bins:	struct mali_bin of each, row by row
 * @used:	end of what is used of the heap
 */
struct mali_list {
	u32 magic;
	u32 width;
	u32 height;
	u32 cleared;
	u64 bins;
	u64 used;
};

/**
 * struct mali_bin - List of a bin's primitives, in memory.
 * @first:	first chunk, 0: empty
 * @last:	last chunk
 */
struct mali_bin {
	u64 first;
	u64 last;
};

/**
 * struct mali_chunk - Part of a list, in memory.
 * @magic:	MALI_CHUNK_MAGIC
 * @n:		number of entries
 * @next:	next chunk, 0: none
 * @prim:	struct mali_binned, in the order of the draws
 */
struct mali_chunk {
	u32 magic;
	u32 n;
	u64 next;
	u64 prim[MALI_CHUNK_ENTRIES];
};

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
 * @list:	struct mali_list
 * @lo:		heap
 * @hi:		end of the heap
 */
struct mali_heap {
	u64 list;
	u64 lo;
	u64 hi;
};

/* Offset of the tiler context in a framebuffer descriptor of v4, v5. */
#define MALI_FB_TILER	56

/*
 * Read the tiler context at @va. The list is in the polygon list (v4, v5: a WRITE_VALUE job
 * resets it), or in the context's state, which is zero at first.
 */
int mali_heap_read(struct mali_parser *p, u64 va, struct mali_heap *h);

#endif /* VS_MALI_PRIM_H */
