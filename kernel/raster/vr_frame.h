/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Frames: for each tile load or clear its buffers, shade the primitives of its list, store them.
 * Which primitives, how they are shaded and where images are is the chip's: struct vr_frame_ops.
 *
 * vr_frame_step()
 *	ops->begin		a tile: clear it, begin its list
 *	ops->image		for each load
 *	ops->next		for each primitive
 *		ops->draw	when the draw changes
 *		ops->vertices
 *		ops->begun	if it may cover pixels of the tile
 *	ops->shade		blocks of quads, when there are enough, and when the draw changes
 *	ops->image		for each store
 */
#ifndef VR_FRAME_H
#define VR_FRAME_H

#include "vr_quads.h"
#include "vr_tiles.h"

/**
 * struct vr_draw - State of a draw.
 * @id:		chip's number of the draw, or its address
 * @index:	of the draw, for debuggers
 * @rs:		state of setup
 * @depth:	state of depth
 * @zs:		tests
 * @single:	one sample for all of a pixel's
 * @whole:	samples of such a pixel
 * @loads:	what the draw writes leaves the tile clean: it reloads it
 * @zs_only:	depth and stencil only: nothing is shaded
 */
struct vr_draw {
	u64 id;
	u32 index;
	struct vr_state rs;
	struct vr_depth depth;
	struct vr_zs zs;
	bool single;
	u32 whole;
	bool loads;
	bool zs_only;
};

/**
 * struct vr_item - Primitive of a tile's list.
 * @draw:	its draw
 * @c:		vertices
 * @box:	pixels that it may cover, x0, y0, x1, y1: of chips whose lists are of smaller tiles;
 *		with @boxed
 * @boxed:	@box is valid
 */
struct vr_item {
	u64 draw;
	struct vr_corners c;
	s32 box[4];
	bool boxed;
};

/**
 * struct vr_access - Load or store of an attachment of a tile.
 * @image:	image in memory; NULL: none
 * @att:	attachment: a target's number or VR_ATT_ZS
 * @clean:	stores: parts that no draw has written are stored, too
 * @without:	loads: parts that are not loaded
 * @dirty:	loads: parts that become dirty, as if a draw had written them; then pixels outside
 *		of the image are not loaded
 */
struct vr_access {
	const struct vr_image *image;
	u32 att;
	bool clean;
	u16 without;
	u16 dirty;
};

struct vr_frame;

#define VR_FRAME_SHADE	1	/* the caller shades f->quads, then calls vr_frame_shaded() */

/**
 * struct vr_frame_ops - Operations of a chip. All return 0, or what vr_frame_step() is to return:
 * -EAGAIN (call it again), -EFAULT with a fault in f->mem, or another errno of the chip's.
 * @begin:	begin the tile at f->tx, f->ty and its list; -ENOENT: nothing is drawn or stored
 * @clear:	clear target @i of f->tile, or depth and stencil if there is none. Optional,
 *		for chips whose tile buffers have megabytes: @begin can clear smaller ones
 * @next:	next primitive of the tile; -ENOENT: there are no more
 * @draw:	state of draw @id, valid until the next call
 * @vertices:	corners of a primitive of f->draw; size of a point, width of a line
 * @begun:	optional: the primitive with these corners is f->quads->prim[f->quads->nprims]
 * @shade:	shade block @block of f->quads, in an FPU section; or VR_FRAME_SHADE: all blocks
 * @counted:	optional: @n samples of f->draw have passed in this tile
 * @image:	@i-th load or store; -ENOENT: there are no more
 * @parts:	optional: parts of 16 x 16 pixels of the tile that are stored
 */
struct vr_frame_ops {
	int (*begin)(struct vr_frame *f);
	void (*clear)(struct vr_frame *f, u32 i);
	int (*next)(struct vr_frame *f, struct vr_item *item);
	int (*draw)(struct vr_frame *f, u64 id, struct vr_draw **out);
	int (*vertices)(struct vr_frame *f, const struct vr_corners *c, struct vr_vertex v[3],
			u32 *size);
	void (*begun)(struct vr_frame *f);
	int (*shade)(struct vr_frame *f, u32 block);
	int (*counted)(struct vr_frame *f, u64 n);
	int (*image)(struct vr_frame *f, u32 i, bool store, struct vr_access *a);
	int (*parts)(struct vr_frame *f, u16 *parts);
};

enum vr_frame_phase {
	VR_FRAME_TILE,	/* take the next tile */
	VR_FRAME_CLEAR,
	VR_FRAME_LOAD,
	VR_FRAME_DRAW,
	VR_FRAME_STORE,
	VR_FRAME_DONE
};

/**
 * struct vr_frame - A worker's part of a frame.
 * @ops:	operations of the chip
 * @mem:	memory of the guest; after -EFAULT the fault
 * @simd:	executor
 * @tiles:	tiles of the frame
 * @worker:	number in @tiles
 * @charge:	weight to account for; the caller takes it
 * @tile:	tile buffer, placed
 * @quads:	blocks
 * @phase:	enum vr_frame_phase
 * @tx:		current tile of 64 x 64 pixels
 * @ty:		"
 * @access:	number of the current clear, load or store
 * @moving:	@io is in progress
 * @io:		a load or store
 * @draw:	current draw, or NULL
 * @item:	next primitive
 * @pending:	@item is valid
 * @walking:	the primitive @quads->nprims - 1 covers blocks that are left
 * @walk:	its coverage
 * @block:	8 x 8 pixels of it
 * @quad:	next quad of @block
 * @ran:	blocks that have been shaded one by one
 * @passed:	samples that had passed when the draw began
 */
struct vr_frame {
	const struct vr_frame_ops *ops;
	struct vr_mem mem;
	enum vs_simd simd;
	struct vr_tiles *tiles;
	u32 worker;
	u64 charge;
	struct vr_tile tile;
	struct vr_quads *quads;
	u32 phase;
	u32 tx;
	u32 ty;
	u32 access;
	bool moving;
	struct vr_io io;
	struct vr_draw *draw;
	struct vr_item item;
	bool pending;
	bool walking;
	struct vr_walk walk;
	struct vr_block block;
	u32 quad;
	u32 ran;
	u64 passed;
};

/**
 * vr_frame_step - go on for some microseconds
 * @f: frame: zeros but for @ops to @worker, @tile and @quads with its tile
 *
 * Return: 0: done; -EAGAIN: call again; VR_FRAME_SHADE; -EFAULT: see @f->mem, also
 * VS_FAULT_CANCELED when a tile before this one has faulted; -EINVAL: the image of access
 * @f->access cannot be the attachment's; or the errno of an operation.
 */
int vr_frame_step(struct vr_frame *f);
/* The caller has shaded f->quads. */
void vr_frame_shaded(struct vr_frame *f);
/*
 * For @ops->draw and @ops->next: begin the tile again, which has not been stored, as with another
 * number of samples. Return: what the operation returns.
 */
int vr_frame_restart(struct vr_frame *f);

#endif /* VR_FRAME_H */
