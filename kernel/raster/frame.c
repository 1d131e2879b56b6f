// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tiles of a frame, and for each tile loads, draws, stores. Primitives become blocks of quads,
 * which are shaded when there is no room left, when the draw changes, and at the end.
 */
#include "../engine/vs_intern.h"
#include "vr_frame.h"
#include "vr_small.h"

#define STEP_ITEMS	64	/* primitives or blocks between two checks of the slice */
#define STEP_WEIGHT	1024	/* the same */
#define ITEM_WEIGHT	4
#define PRIM_WEIGHT	8
#define CLEAR_WEIGHT	1024
#define IO_WEIGHT	512
#define QUICK_STEPS	8

/* Coverage of pixels as a whole: all samples of @mask. */
static u64 whole_pixels(u64 cover, u32 mask)
{
	u64 all = 0;
	u32 k;

	for (k = 0; k < 4; k++)
		if (VR_PIXEL(cover, k))
			all |= mask * VR_SAMPLE(k, 0);
	return all;
}

/* ---- blocks ---- */

void vr_frame_shaded(struct vr_frame *f)
{
	struct vr_quads *q = f->quads;

	f->ran = 0;
	q->nblocks = 0;
	/* a primitive that goes on stays */
	if (f->walking && q->nprims > 1)
		q->prim[0] = q->prim[q->nprims - 1];
	q->nprims = f->walking;
}

/* Shade a block, or only test and write depth and stencil. */
static int shade_block(struct vr_frame *f)
{
	u32 saved = vs_fpu_begin(f->simd, VS_FPU_NEAREST);
	int ret = 0;

	if (f->draw->zs_only)
		vr_quads_fixed(f->quads, f->ran, f->simd);
	else
		ret = f->ops->shade(f, f->ran);
	vs_fpu_end(f->simd, saved);
	return ret;
}

/* Shade the blocks, or the next one. */
static int shade(struct vr_frame *f)
{
	int ret;

	f->quads->depth = f->draw->depth;
	f->quads->zs = f->draw->zs;
	f->quads->draw = f->draw->index;
	f->tile.loads = f->draw->loads;
	ret = shade_block(f);
	if (ret)
		return ret;
	f->charge += VS_LANES * f->tile.samples;
	if (++f->ran == f->quads->nblocks)
		vr_frame_shaded(f);
	return -EAGAIN;
}

/* Is there room for the quad in the last block, or in a new one? */
static bool add_quad(struct vr_quads *q, u32 x, u32 y, u64 cover)
{
	struct vr_batch *b = &q->block[q->nblocks ? q->nblocks - 1 : 0];
	u32 pixels = vr_pixels_of(cover);

	if (!q->nblocks || !vr_batch_room(b, x, y, cover, pixels)) {
		if (q->nblocks == VR_QUADS_BLOCKS)
			return false;
		b = &q->block[q->nblocks++];
		vr_batch_clear(b);
	}
	vr_batch_add(b, q->nprims - 1, x, y, cover, pixels);
	return true;
}

/* Add 8 x 8 pixels as a block of their own, unless the last one has room. */
static noinline bool add_whole(struct vr_quads *q, u32 x, u32 y)
{
	struct vr_batch *b;

	if (q->nblocks == VR_QUADS_BLOCKS || (q->nblocks && q->block[q->nblocks - 1].n < VR_QUADS))
		return false;
	b = &q->block[q->nblocks++];
	vr_batch_clear(b);
	vr_batch_fill(b, q->nprims - 1, x, y);
	return true;
}

/* Add the current primitive's quads of 8 x 8 pixels. Return: false: no room. */
static bool add_block(struct vr_frame *f)
{
	bool plain = f->tile.samples == 1 && !f->draw->single;
	const struct vr_block *b = &f->block;
	struct vr_quads *to = f->quads;
	u32 q, left = b->quads & ~0U << f->quad;
	u64 cover;

	if (b->whole && !f->quad && plain && add_whole(to, b->x, b->y)) {
		f->quad = VR_QUADS;
		return true;
	}
	for (; left; left &= left - 1) {
		if (plain && to->nblocks)
			left = vr_batch_add_block(&to->block[to->nblocks - 1], to->nprims - 1, b,
						  left);
		if (!left)
			break;
		q = __ffs64(left);
		cover = b->cover[q];
		if (f->draw->single)
			cover = whole_pixels(cover, f->draw->whole &
						    ((1U << f->tile.samples) - 1));
		if (!cover || add_quad(to, b->x + 2 * (q % 4), b->y + 2 * (q / 4), cover))
			continue;
		f->quad = q;
		return false;
	}
	f->quad = VR_QUADS;
	return true;
}

/* The next block of the current primitive. */
static bool frame_next_block(struct vr_frame *f)
{
	bool more;

	if (!f->walk.small || !f->walk.plain || !vr_small_quick(f->simd))
		return vr_walk_next(&f->walk, &f->block);
	vs_vector_begin(f->simd);
	more = vr_small_next(f->simd, &f->walk, &f->block);
	vs_vector_end(f->simd);
	return more;
}

/* Go on with the current primitive. Return: false: no room. */
static bool frame_walk(struct vr_frame *f)
{
	if (f->quad == VR_QUADS) {
		f->walking = frame_next_block(f);
		if (!f->walking)
			return true;
		f->quad = 0;
		f->charge += ITEM_WEIGHT;
	}
	if (!add_block(f))
		return false;
	f->walking = vr_walk_more(&f->walk);
	return true;
}

/* ---- primitives ---- */

static bool setup(struct vr_frame *f, struct vr_prim *p, const struct vr_vertex *const v[3],
		  u32 size)
{
	const struct vr_state *rs = &f->draw->rs;
	const s32 *box = f->item.box;

	if (f->item.c.n == 1 ? !vr_setup_point(p, rs, v[0], size) :
	    f->item.c.n == 2 ? !vr_setup_line(p, rs, v, size) : !vr_setup_triangle(p, rs, v))
		return false;
	if (!f->item.boxed)
		return true;
	p->box[0] = max(p->box[0], box[0]);
	p->box[1] = max(p->box[1], box[1]);
	p->box[2] = min(p->box[2], box[2]);
	p->box[3] = min(p->box[3], box[3]);
	return p->box[0] <= p->box[2] && p->box[1] <= p->box[3];
}

/* A small triangle, and its first block. Return: VR_SMALL_NOT: it is none. */
static enum vr_small begin_small(struct vr_frame *f, struct vr_prim *p,
				 const struct vr_vertex v[3])
{
	enum vr_small small;

	if (f->item.c.n != 3 || !vr_small_quick(f->simd))
		return VR_SMALL_NOT;
	vs_vector_begin(f->simd);
	small = vr_small_triangle(f->simd, p, &f->walk, &f->draw->rs, v,
				  f->item.boxed ? f->item.box : NULL, f->tx, f->ty);
	if (small == VR_SMALL_SET)
		f->walking = vr_small_next(f->simd, &f->walk, &f->block);
	vs_vector_end(f->simd);
	return small;
}

/* Set up the next primitive, and begin to walk the tile. Return: false: it covers nothing. */
static bool frame_begin_walk(struct vr_frame *f, struct vr_prim *p, const struct vr_vertex v[3],
			     u32 size)
{
	const struct vr_vertex *const corner[3] = { &v[0], &v[1], &v[2] };
	enum vr_small small = begin_small(f, p, v);

	if (small == VR_SMALL_SET) {
		f->quad = 0;
		f->charge += f->walking ? ITEM_WEIGHT : 0;
		return true;
	}
	if (small == VR_SMALL_EMPTY || !setup(f, p, corner, size) ||
	    !vr_walk_begin(&f->walk, p, f->tx, f->ty))
		return false;
	f->walking = true;
	f->quad = VR_QUADS;
	return true;
}

/* Prepare the next primitive. Return: 0, or an operation's. */
static int frame_begin_primitive(struct vr_frame *f)
{
	struct vr_quads *q = f->quads;
	struct vr_quad_prim *p = &q->prim[q->nprims];
	const struct vr_corners *c = &f->item.c;
	struct vr_vertex vertex[3] = {};
	u32 i, size = 0;
	int ret;

	f->charge += PRIM_WEIGHT;
	ret = f->ops->vertices(f, c, vertex, &size);
	if (ret)
		return ret;
	if (!frame_begin_walk(f, &p->p, vertex, size))
		return 0;
	for (i = 0; i < 3; i++) {
		p->z[i] = vertex[i].z;
		p->inv_w[i] = vertex[i].inv_w;
	}
	memcpy(p->vertex, c->index, sizeof(p->vertex));
	for (i = c->n; i < 3; i++)
		p->vertex[i] = 0;
	/* the depth of all samples, whatever they are covered by */
	p->p.samples = f->tile.samples;
	p->planed = false;
	p->provoking = c->provoking;
	p->primitive = c->primitive;
	if (f->ops->begun)
		f->ops->begun(f);
	q->nprims++;
	return 0;
}

/* ---- draws ---- */

/* The current draw is over in this tile. */
static int end_draw(struct vr_frame *f)
{
	u64 n = f->tile.passed - f->passed;
	int ret = 0;

	f->passed = f->tile.passed;
	if (f->draw && n && f->ops->counted)
		ret = f->ops->counted(f, n);
	f->draw = NULL;
	return ret;
}

/* Make the draw the current one. Return: 0: it is; else call again, or an error. */
static int frame_begin_draw(struct vr_frame *f, u64 id)
{
	struct vr_draw *d;
	int ret;

	if (f->draw && f->draw->id == id)
		return 0;
	if (f->draw && f->quads->nblocks)
		return shade(f);
	ret = end_draw(f);
	if (ret)
		return ret;
	f->quads->nprims = 0;
	ret = f->ops->draw(f, id, &d);
	if (!ret)
		f->draw = d;
	return ret;
}

/* Begin the next primitive. Return: 0: begun, or it covers nothing; else as frame_begin_draw(). */
static int begin_item(struct vr_frame *f)
{
	int ret = frame_begin_draw(f, f->item.draw);

	if (ret)
		return ret;
	if (f->quads->nprims == VR_QUADS_PRIMS)
		return shade(f);
	return frame_begin_primitive(f);
}

/* The last blocks, then the end of the tile. */
static int finish_tile(struct vr_frame *f)
{
	int ret;

	if (f->draw && f->quads->nblocks)
		return shade(f);
	ret = end_draw(f);
	f->access = 0;
	f->phase = VR_FRAME_STORE;
	return ret ? ret : -EAGAIN;
}

/* Return: 0: go on at once. */
static int step_draw(struct vr_frame *f)
{
	int ret;

	if (f->walking)
		return frame_walk(f) ? 0 : shade(f);
	if (!f->pending) {
		f->item.boxed = false;
		ret = f->ops->next(f, &f->item);
		if (ret == -ENOENT)
			return finish_tile(f);
		if (ret)
			return ret;
		f->pending = true;
	}
	ret = begin_item(f);
	/* not if the tile begins again */
	f->pending = ret && f->phase == VR_FRAME_DRAW;
	return ret;
}

static int frame_do_draw(struct vr_frame *f)
{
	u64 end = f->charge + STEP_WEIGHT;
	u32 i;
	int ret = 0;

	for (i = 0; i < STEP_ITEMS && f->charge < end && !ret; i++)
		ret = step_draw(f);
	return ret ? ret : -EAGAIN;
}

/* ---- loads and stores ---- */

/* Begin an access, if it has parts to transfer. */
static int begin_access(struct vr_frame *f, bool store, const struct vr_access *a)
{
	u16 parts = 0xffff & ~a->without, some;
	int ret;

	if (store && !a->clean)
		parts = vr_io_dirty(&f->tile, a->image, a->att);
	if (!parts)
		return 0;
	if (!vr_io_begin(&f->io, &f->tile, a->image, a->att, store))
		return -EINVAL;
	f->moving = true;
	if (a->dirty) {
		f->io.inside = true;
		f->tile.dirty[a->att] |= a->dirty;
	}
	if (store && f->ops->parts) {
		ret = f->ops->parts(f, &some);
		if (ret)
			return ret;
		parts &= some;
	}
	f->io.parts &= parts;
	return 0;
}

static int next_access(struct vr_frame *f, bool store)
{
	struct vr_access a = {};
	int ret;

	ret = f->ops->image(f, f->access, store, &a);
	if (ret == -ENOENT) {
		f->phase = store ? VR_FRAME_TILE : VR_FRAME_DRAW;
		return -EAGAIN;
	}
	if (!ret && a.image)
		ret = begin_access(f, store, &a);
	if (ret)
		return ret;
	f->access += !f->moving;
	return -EAGAIN;
}

static int frame_move(struct vr_frame *f, bool store)
{
	u32 n;
	int ret;

	if (!f->moving)
		return next_access(f, store);
	n = f->io.quick ? QUICK_STEPS : 1;
	do {
		f->charge += IO_WEIGHT;
		ret = vr_io_step(&f->io, f->mem.tlb.map);
	} while (ret == -EAGAIN && --n);
	if (ret == -EFAULT)
		return vr_fault(&f->mem, store ? VS_FAULT_WRITE : VS_FAULT_READ, f->io.fault,
				f->io.bytes);
	if (ret)
		return ret;
	f->moving = false;
	f->access++;
	return -EAGAIN;
}

/* ---- tiles ---- */

static int frame_enter_tile(struct vr_frame *f)
{
	int ret;

	f->access = 0;
	f->phase = VR_FRAME_CLEAR;
	ret = f->ops->begin(f);
	if (ret == -ENOENT)
		f->phase = VR_FRAME_TILE;
	return ret && ret != -ENOENT ? ret : -EAGAIN;
}

/* Clear up to 256 KiB: a target, or depth and stencil. */
static int frame_clear(struct vr_frame *f)
{
	f->charge += CLEAR_WEIGHT * f->tile.samples;
	if (f->ops->clear)
		f->ops->clear(f, f->access);
	if (f->access++ == f->tile.ntargets) {
		f->access = 0;
		f->phase = VR_FRAME_LOAD;
	}
	return -EAGAIN;
}

int vr_frame_restart(struct vr_frame *f)
{
	f->walking = false;
	f->pending = false;
	f->draw = NULL;
	f->passed = f->tile.passed;
	vr_frame_shaded(f);
	return frame_enter_tile(f);
}

/* Begin a tile, or finish after the last one. */
static int begin_tile(struct vr_frame *f)
{
	u32 n = vr_tiles_take(f->tiles, f->worker);

	if (n == VR_TILES_NONE) {
		f->phase = VR_FRAME_DONE;
		return -EAGAIN;
	}
	f->tx = f->tiles->x + n % f->tiles->columns;
	f->ty = f->tiles->y + n / f->tiles->columns;
	f->tile.x = f->tx * VR_TILE;
	f->tile.y = f->ty * VR_TILE;
	return frame_enter_tile(f);
}

int vr_frame_step(struct vr_frame *f)
{
	if (vr_tiles_is_over(f->tiles, f->worker))
		return vr_fault(&f->mem, VS_FAULT_CANCELED, 0, 0);
	switch (f->phase) {
	case VR_FRAME_TILE:
		return begin_tile(f);
	case VR_FRAME_CLEAR:
		return frame_clear(f);
	case VR_FRAME_LOAD:
		return frame_move(f, false);
	case VR_FRAME_DRAW:
		return frame_do_draw(f);
	case VR_FRAME_STORE:
		return frame_move(f, true);
	default:
		return 0;
	}
}
