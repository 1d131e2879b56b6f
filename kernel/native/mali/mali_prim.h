/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Draws as TILER and INDEXED_VERTEX jobs describe them: primitives, and the records of them in
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

/* ---- records ---- */

#define MALI_LIST_MAGIC		0x54534c56U
#define MALI_RECORD_MAGIC	0x44524356U

/**
 * struct mali_list - Head of the list of a frame's records, in memory.
 * @magic:	MALI_LIST_MAGIC; else the list is empty
 * @count:	number of records
 * @first:	first record
 * @last:	last record
 * @used:	end of the records in the heap
 */
struct mali_list {
	u32 magic;
	u32 count;
	u64 first;
	u64 last;
	u64 used;
};

/**
 * struct mali_record - Consecutive primitives of a draw, in memory.
 * @magic:	MALI_RECORD_MAGIC
 * @nprims:	number of primitives
 * @job:	job with the draw
 * @next:	next record
 * @instance:	instance
 * @at:		first index
 * @box:	pixels that may be covered: x0, y0, x1, y1
 * @have:	state of primitive assembly before the first index
 * @primitive:	"
 * @v:		"
 */
struct mali_record {
	u32 magic;
	u32 nprims;
	u64 job;
	u64 next;
	u32 instance;
	u32 at;
	u16 box[4];
	u32 have;
	u32 primitive;
	u32 v[4];
};

/**
 * struct mali_heap - Tiler context: where a frame's records are.
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
