/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The tile list unit (PLBU): from its commands to primitives in tile lists. */
#ifndef VS_UTGARD_PLBU_H
#define VS_UTGARD_PLBU_H

#include "../../raster/vr_bin.h"
#include "utgard_frame_job.h"
#include "utgard_lists.h"

/**
 * struct utf_sizes - Tables of point sizes that some draws of the vertex list have written.
 * @next:	those of later draws
 * @n:		number of draws
 * @va:		table, 0: none
 * @stride:	bytes from vertex to vertex
 */
struct utf_sizes {
	struct utf_sizes *next;
	u32 n;
	u32 va[60];
	u32 stride[60];
};

#define UTB_MAX_STRIDE	256

/* Parts of the state that commands have set. */
#define UTB_TILES	0x1
#define UTB_ARRAY	0x2
#define UTB_STRIDE	0x4
#define UTB_LEFT	0x8
#define UTB_RIGHT	0x10
#define UTB_BOTTOM	0x20
#define UTB_TOP		0x40
#define UTB_SCISSOR	0x80
#define UTB_SIZE	0x100
#define UTB_POSITIONS	0x200
#define UTB_INDICES	0x400
#define UTB_SIZES	0x800
#define UTB_STATE	0x1000
#define UTB_FRAME	(UTB_TILES | UTB_ARRAY | UTB_STRIDE)

/**
 * struct utf_plbu - The unit's state.
 * @set:	UTB_*
 * @array:	addresses of the blocks
 * @narray:	number of them
 * @stride:	blocks in a row
 * @columns:	of the frame, tiles
 * @rows:	of the frame, tiles
 * @shift:	log2 of the tiles of a block, x and y
 * @ncleared:	blocks that have been cleared
 * @viewport:	left, bottom, right, top: binary32
 * @scissor:	pixels: x0, y0, x1, y1
 * @primitive:	word of the primitive command
 * @size:	of points and lines
 * @range:	near, far
 * @state:	render state
 * @vertices:	positions of the state command
 * @positions:	of indexed vertices
 * @indices:	index buffer
 * @sizes:	point sizes of indexed vertices
 * @heap:	free part of the tile heap
 * @heap_end:	its end
 * @first:	point sizes of the vertex list's draws
 * @last:	newest of them
 * @pair:	next draw's
 * @pair_at:	"
 * @seq:	number of the next primitive
 * @ndraws:	number of draws
 * @mode:	mode of the current draw
 * @indexed:	it has indices
 * @count:	its vertices or indices
 * @start:	subtracted from indices
 * @at:		next of them
 * @ended:	strips have been ended
 * @draw:	the current draw
 * @draw_va:	where it is in the heap, 0: nowhere yet
 * @bins:	bins of the current primitive
 * @a:		assembly
 * @c:		assembled primitives
 * @nc:		number of them
 * @ic:		next of them
 * @prim:	current primitive
 */
struct utf_plbu {
	u32 set;
	u32 array;
	u32 narray;
	u32 stride;
	u32 columns;
	u32 rows;
	u32 shift[2];
	u32 ncleared;
	u32 viewport[4];
	u32 scissor[4];
	u32 primitive;
	u32 size;
	u32 range[2];
	u32 state;
	u32 vertices;
	u32 positions;
	u32 indices;
	u32 sizes;
	u32 heap;
	u32 heap_end;
	struct utf_sizes *first;
	struct utf_sizes *last;
	struct utf_sizes *pair;
	u32 pair_at;
	u32 seq;
	u32 ndraws;
	u32 mode;
	bool indexed;
	u32 count;
	u32 start;
	u32 at;
	bool ended;
	struct utl_draw draw;
	u32 draw_va;
	struct vr_binner bins;
	struct vr_assembly a;
	struct vr_corners c[VR_MAX_ASSEMBLED + 1];
	u32 nc;
	u32 ic;
	struct utl_prim prim;
};

/* Begin a frame with a heap. */
void utf_plbu_begin(struct utf_plbu *p, const struct vs_map *map, u32 heap, u32 heap_end);
/*
 * A draw of the vertex list writes point sizes at @va, or none: 0. Return: false: @a is full.
 */
bool utf_plbu_vertices(struct utf_plbu *p, struct simt_arena *a, u32 va, u32 stride);
/* A command that sets state. Return: UTF_OK or the reject reason, of its first word. */
enum utf_reason utf_plbu_set(struct utf_plbu *p, const struct utf_cmd *c);
/* Begin a draw of at least one vertex. Return: UTF_OK or the reject reason. */
enum utf_reason utf_plbu_draw(struct utf_plbu *p, const struct utf_cmd *c);
/* Have commands set where lists are? */
static inline bool utf_plbu_has_frame(const struct utf_plbu *p)
{
	return (p->set & UTB_FRAME) == UTB_FRAME;
}

/* Is there a draw to go on with? */
static inline bool utf_plbu_busy(const struct utf_plbu *p)
{
	return p->count;
}

/*
 * Go on with the draw. Return: 0: done; -EAGAIN: call again; -EFAULT: fault in @p->bins.mem.
 */
int utf_plbu_step(struct utf_plbu *p, u64 *charge);
/* The list has ended. Return: UTF_OK or the reject reason. */
enum utf_reason utf_plbu_end(const struct utf_plbu *p);
/* Initialise the blocks of a frame without draws. Return: as utf_plbu_step(). */
int utf_plbu_finish(struct utf_plbu *p, u64 *charge);

#endif /* VS_UTGARD_PLBU_H */
