/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Bin lists: from packets to primitives in tile lists. */
#ifndef VS_VC4_BIN_H
#define VS_VC4_BIN_H

#include "../../raster/vs_raster.h"
#include "vc4_clip.h"
#include "vc4_verts.h"

#define VC4_INDICES	64	/* read at a time */

/* Packets that a draw needs. */
#define VC4_HAS_MODE	0x1
#define VC4_HAS_START	0x2
#define VC4_HAS_STATE	0x4
#define VC4_HAS_CONFIG	0x8
#define VC4_HAS_WINDOW	0x10
#define VC4_HAS_VIEWPORT 0x20
#define VC4_HAS_XY	0x40
#define VC4_HAS_Z	0x80
#define VC4_HAS_ALL	(VC4_HAS_MODE | VC4_HAS_START | VC4_HAS_STATE | VC4_HAS_CONFIG | \
			 VC4_HAS_WINDOW | VC4_HAS_VIEWPORT)

/* Memory for tile lists: address, end. */
struct vc4_range {
	u32 lo;
	u32 hi;
};

/**
 * struct vc4_bin - A bin list being executed.
 * @mem:	memory of the guest
 * @v:		vertices
 * @pc:		next packet
 * @end:	end of the list
 * @has:	VC4_HAS_*
 * @why:	enum vc4_reason, after -EPROTO
 * @at:		address of the packet, and
 * @info:	its value
 * @npackets:	packets so far
 * @columns:	of tiles
 * @rows:	"
 * @side:	log2 of a tile's width
 * @lists:	heads of the tiles
 * @pitch:	bytes from head to head
 * @ncleared:	heads that have been written
 * @head:	head that has been read last
 * @head_va:	where it is in memory, ~0: nowhere yet
 * @head_changed: it is not written yet
 * @range:	memory for lists: that of the configuration, then the job's
 * @nranges:	number of them
 * @irange:	current one
 * @heap:	its first free byte
 * @c:		clipper
 * @draw:	state of the next draw
 * @draw_va:	where it is in memory, 0: nowhere yet
 * @ndraws:	draws so far
 * @r:		shader record
 * @stated:	@r is read
 * @mode:	enum vr_mode of the draw
 * @count:	its vertices or indices
 * @first:	first vertex
 * @indexed:	bytes of an index, or 0
 * @indices:	address of indices
 * @next:	next one of @count
 * @have:	number of @index, from @base on
 * @base:	"
 * @index:	indices
 * @a:		assembly
 * @prim:	assembled primitives
 * @nprims:	number of them
 * @iprim:	next one
 * @ended:	the last strip has ended
 * @ncorners:	corners of a clipped primitive
 * @icorner:	its next triangle's second corner
 * @corner:	corners
 * @cut:	primitive that @corner are of
 * @busy:	a primitive is being added to lists
 * @box:	tiles that it may cover: x0, y0, x1, y1
 * @tile:	next tile
 * @out:	the primitive
 * @clip:	its corners, if it is clipped
 * @out_va:	where it is in memory, 0: nowhere yet
 * @events:	events so far, by enum vc4_event
 */
struct vc4_bin {
	struct vr_mem mem;
	struct vc4_verts v;
	u32 pc;
	u32 end;
	u32 has;
	u32 why;
	u32 at;
	u32 info;
	u32 npackets;
	u32 columns;
	u32 rows;
	u32 side;
	u32 lists;
	u32 pitch;
	u32 ncleared;
	struct vc4_head head;
	u32 head_va;
	bool head_changed;
	struct vc4_range range[VC4_MAX_RANGES + 1];
	u32 nranges;
	u32 irange;
	u32 heap;
	struct vc4_clipper c;
	struct vc4_draw draw;
	u32 draw_va;
	u32 ndraws;
	struct vc4_record r;
	bool stated;
	u32 mode;
	u32 count;
	u32 first;
	u32 indexed;
	u32 indices;
	u32 next;
	u32 have;
	u32 base;
	u32 index[VC4_INDICES];
	struct vr_assembly a;
	struct vr_corners prim[VR_MAX_ASSEMBLED + 1];
	u32 nprims;
	u32 iprim;
	bool ended;
	u32 ncorners;
	u32 icorner;
	struct vc4_corner corner[VC4_MAX_POLYGON];
	struct vr_corners cut;
	bool busy;
	u32 box[4];
	u32 tile[2];
	struct vc4_prim out;
	struct vc4_corner clip[3];
	u32 out_va;
	u64 events[VC4_NUM_EVENTS];
};

/**
 * vc4_bin_step - go on for some microseconds
 * @b: bin list
 * @charge: work done is added
 *
 * Return: 0: done; -EAGAIN: call again; VC4_LAUNCH: after vc4_verts_launch(); -EFAULT: see @b->mem;
 * -EPROTO: see @b->why.
 */
int vc4_bin_step(struct vc4_bin *b, u64 *charge);

#endif /* VS_VC4_BIN_H */
