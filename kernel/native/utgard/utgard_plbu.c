// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The tile list unit: primitives of draws are put into the lists of the blocks that they may
 * cover. Blocks and heap are the driver's memory; every address in it is checked when it is used.
 */
#include "utgard_plbu.h"

#define STEP_ITEMS	64	/* indices, primitives, bins between two checks of the slice */
#define STEP_CLEARS	16	/* blocks */
#define ITEM_WEIGHT	4
#define ONE_F32		0x3f800000U
#define MODE_RECTANGLE	15
#define MAX_SHIFT	8
#define MAX_MIN		2
#define HEAP_ALIGN	64
#define PRIM_CULL_CW	0x20000
#define PRIM_CULL_CCW	0x40000
#define PRIM_SIZE	0x1000
#define PRIM_INDEX(w)	((w) >> 10 & 3)

static struct utf_plbu *to_plbu(struct vr_binner *b)
{
	return container_of(b, struct utf_plbu, bins);
}

/* ---- memory ---- */

/* Take memory of the heap. Return: 0, or -EFAULT. */
static int plbu_take(struct utf_plbu *p, u32 size, u32 *va)
{
	u64 at = ((u64)p->heap + HEAP_ALIGN - 1) & ~(HEAP_ALIGN - 1ULL);

	if (at + size > p->heap_end)
		return vr_fault(&p->bins.mem, VS_FAULT_OVERFLOW, at, size);
	*va = (u32)at;
	p->heap = (u32)(at + size);
	return 0;
}

/* Address of a block. Return: 0, or -EFAULT. */
static int block_va(struct utf_plbu *p, u32 number, u32 *va)
{
	return vr_read(&p->bins.mem, p->array + 4ULL * number, va, sizeof(*va));
}

static u32 block_rows(const struct utf_plbu *p)
{
	return ((p->rows - 1) >> p->shift[1]) + 1;
}

/* Clear some of the blocks: drivers reuse them. Return: 0: all; -EAGAIN; -EFAULT. */
static int clear_blocks(struct utf_plbu *p, u64 *charge)
{
	const u32 head[4] = { UTL_BLOCK_MAGIC };
	u32 i, va, n = p->stride * block_rows(p);
	int ret;

	for (i = 0; i < STEP_CLEARS && p->ncleared < n; i++, p->ncleared++) {
		*charge += ITEM_WEIGHT;
		ret = block_va(p, p->ncleared, &va);
		if (!ret)
			ret = vr_write(&p->bins.mem, va, head, sizeof(head));
		if (ret)
			return ret;
	}
	return p->ncleared < n ? -EAGAIN : 0;
}

/* ---- bins ---- */

static int bin_vertex(struct vr_binner *b, u32 index, struct vr_vertex *v)
{
	const struct utf_plbu *p = to_plbu(b);
	int ret = vr_read(&b->mem, p->draw.positions + 16ULL * index, v, sizeof(*v));

	if (p->draw.flags & UTL_RECTANGLE)
		v->inv_w = ONE_F32;
	return ret;
}

static int bin_size(struct vr_binner *b, u32 index, u32 *size)
{
	const struct utl_draw *d = &to_plbu(b)->draw;

	*size = d->size;
	if (!d->sizes)
		return 0;
	return vr_read(&b->mem, d->sizes + (u64)d->stride * index, size, sizeof(*size));
}

/* The first primitive of a draw puts the draw into the heap. */
static int bin_begin(struct vr_binner *b, const struct vr_corners *c)
{
	struct utf_plbu *p = to_plbu(b);
	int ret;

	p->prim = (struct utl_prim){ .seq = p->seq++, .n = c->n };
	memcpy(p->prim.v, c->index, sizeof(p->prim.v));
	if (!p->draw_va) {
		ret = plbu_take(p, sizeof(p->draw), &p->draw_va);
		if (ret)
			return ret;
		ret = vr_write(&b->mem, p->draw_va, &p->draw, sizeof(p->draw));
		if (ret)
			return ret;
	}
	p->prim.draw = p->draw_va;
	return 0;
}

/* Begin a further part of the list at @va. */
static int add_part(struct utf_plbu *p, u32 va, u32 *last)
{
	const u32 head[4] = { UTL_BLOCK_MAGIC };
	u32 at;
	int ret;

	ret = plbu_take(p, sizeof(struct utl_block), &at);
	if (ret)
		return ret;
	ret = vr_write(&p->bins.mem, at, head, sizeof(head));
	if (ret)
		return ret;
	ret = vr_write(&p->bins.mem, (u64)*last + offsetof(struct utl_block, next), &at,
		       sizeof(at));
	*last = at;
	if (ret)
		return ret;
	return vr_write(&p->bins.mem, (u64)va + offsetof(struct utl_block, last), &at, sizeof(at));
}

static int bin_add(struct vr_binner *b, u32 x, u32 y)
{
	struct utf_plbu *p = to_plbu(b);
	struct vr_mem *mem = &b->mem;
	u32 va, last, n;
	int ret;

	ret = block_va(p, y * p->stride + x, &va);
	if (ret)
		return ret;
	ret = vr_read(mem, (u64)va + offsetof(struct utl_block, last), &last, sizeof(last));
	if (ret)
		return ret;
	if (!last)
		last = va;
	ret = vr_read(mem, (u64)last + offsetof(struct utl_block, n), &n, sizeof(n));
	if (!ret && n >= UTL_BLOCK_PRIMS) {
		ret = add_part(p, va, &last);
		n = 0;
	}
	if (ret)
		return ret;
	ret = vr_write(mem, (u64)last + offsetof(struct utl_block, prim) + n * sizeof(p->prim),
		       &p->prim, sizeof(p->prim));
	n++;
	return ret ? ret : vr_write(mem, (u64)last + offsetof(struct utl_block, n), &n, sizeof(n));
}

static const struct vr_bin_ops bin_ops = {
	.vertex = bin_vertex,
	.size = bin_size,
	.begin = bin_begin,
	.add = bin_add,
};

void utf_plbu_begin(struct utf_plbu *p, const struct vs_map *map, u32 heap, u32 heap_end)
{
	*p = (struct utf_plbu){ .heap = heap, .heap_end = heap_end, .range[1] = ONE_F32,
				.size = ONE_F32,
				.bins = { .ops = &bin_ops, .mem.tlb.map = map } };
}

bool utf_plbu_vertices(struct utf_plbu *p, struct simt_arena *a, u32 va, u32 stride)
{
	struct utf_sizes *s = p->last;

	if (!s || s->n == ARRAY_SIZE(s->va)) {
		s = simt_arena_alloc(a, 1, sizeof(*s));
		if (!s)
			return false;
		if (p->last)
			p->last->next = s;
		else
			p->first = s;
		p->last = s;
		if (!p->pair)
			p->pair = s;
	}
	s->va[s->n] = va;
	s->stride[s->n++] = stride;
	return true;
}

/* ---- state ---- */

static enum utf_reason set_step(struct utf_plbu *p, u32 w)
{
	p->shift[0] = w & 0x3f;
	p->shift[1] = w >> 16 & 0x3f;
	return p->shift[0] > MAX_SHIFT || p->shift[1] > MAX_SHIFT || w >> 28 > MAX_MIN ?
	       UTF_BAD_VALUE : UTF_OK;
}

static enum utf_reason set_primitive(struct utf_plbu *p, u32 w)
{
	p->primitive = w;
	return PRIM_INDEX(w) == 3 ? UTF_BAD_VALUE : UTF_OK;
}

static void set_viewport(struct utf_plbu *p, u32 i, u32 v, u32 bit)
{
	p->viewport[i] = v;
	p->set |= bit;
}

static void set_scissor(struct utf_plbu *p, const u32 *w)
{
	p->scissor[0] = w[0] >> 30 | (w[1] & 0x1fff) << 2;
	p->scissor[1] = w[0] & 0x3fff;
	p->scissor[2] = w[1] >> 13 & 0x7fff;
	p->scissor[3] = w[0] >> 15 & 0x7fff;
	p->set |= UTB_SCISSOR;
}

static bool is_of_frame(enum utf_op op)
{
	return op == UTF_PLBU_TILES || op == UTF_PLBU_BLOCK_STEP || op == UTF_PLBU_ARRAY ||
	       op == UTF_PLBU_STRIDE;
}

enum utf_reason utf_plbu_set(struct utf_plbu *p, const struct utf_cmd *c)
{
	u32 w = c->w[0];

	/* lists have been made by it */
	if (is_of_frame(c->op) && p->ncleared)
		return UTF_BAD_ORDER;
	switch (c->op) {
	case UTF_PLBU_TILES:
		p->columns = (w >> 24) + 1;
		p->rows = (w >> 8 & 0xffff) + 1;
		p->set |= UTB_TILES;
		return p->rows > 256 ? UTF_BAD_VALUE : UTF_OK;
	case UTF_PLBU_BLOCK_STEP:
		return set_step(p, w);
	case UTF_PLBU_ARRAY:
		p->array = w;
		p->narray = (c->w[1] & 0xffffff) + 1;
		p->set |= UTB_ARRAY;
		break;
	case UTF_PLBU_STRIDE:
		/* drivers write the lower bits of 256 */
		p->stride = w ? w : UTB_MAX_STRIDE;
		p->set |= UTB_STRIDE;
		break;
	case UTF_PLBU_PRIMITIVE:
		return set_primitive(p, w);
	case UTF_PLBU_LEFT:
		set_viewport(p, 0, w, UTB_LEFT);
		break;
	case UTF_PLBU_BOTTOM:
		set_viewport(p, 1, w, UTB_BOTTOM);
		break;
	case UTF_PLBU_RIGHT:
		set_viewport(p, 2, w, UTB_RIGHT);
		break;
	case UTF_PLBU_TOP:
		set_viewport(p, 3, w, UTB_TOP);
		break;
	case UTF_PLBU_SCISSOR:
		if (w & BIT(14))
			return UTF_UNKNOWN_BITS;
		set_scissor(p, c->w);
		break;
	case UTF_PLBU_SIZE:
		p->size = w;
		p->set |= UTB_SIZE;
		break;
	case UTF_PLBU_NEAR:
		p->range[0] = w;
		break;
	case UTF_PLBU_FAR:
		p->range[1] = w;
		break;
	case UTF_PLBU_STATE:
		p->state = w;
		p->vertices = c->w[1] << 4;
		p->set |= UTB_STATE;
		break;
	case UTF_PLBU_INDEXED_DEST:
		p->positions = w;
		p->set |= UTB_POSITIONS;
		break;
	case UTF_PLBU_INDICES:
		p->indices = w;
		p->set |= UTB_INDICES;
		break;
	case UTF_PLBU_POINT_SIZES:
		p->sizes = w;
		p->set |= UTB_SIZES;
		break;
	default:
		break;
	}
	return UTF_OK;
}

/* ---- draws ---- */

static const u8 modes[] = { VR_POINTS, VR_LINES, VR_LINE_LOOP, VR_LINE_STRIP, VR_TRIANGLES,
			    VR_TRIANGLE_STRIP, VR_TRIANGLE_FAN, VR_QUADS_LIST, VR_QUAD_STRIP,
			    VR_POLYGON };

static bool has_points(const struct utf_plbu *p)
{
	return p->mode == 0;
}

/* Twice a binary32 that is a number. */
static u32 twice(u32 f)
{
	return f & 0x7f800000 ? f + 0x800000 : f;
}

/* Twice a coordinate, rounded up. */
static s32 halves(u32 f)
{
	return -vr_floor(twice(f) ^ 0x80000000U);
}

/* Pixels whose centres are in the viewport; points are clipped by their own centres. */
static void plbu_clip(const struct utf_plbu *p, s32 box[4])
{
	box[0] = 0;
	box[1] = 0;
	box[2] = (s32)(UTL_TILE * p->columns) - 1;
	box[3] = (s32)(UTL_TILE * p->rows) - 1;
	if (p->set & UTB_SCISSOR) {
		box[0] = max_t(s32, box[0], p->scissor[0]);
		box[1] = max_t(s32, box[1], p->scissor[1]);
		box[2] = min_t(s32, box[2], p->scissor[2]);
		box[3] = min_t(s32, box[3], p->scissor[3]);
	}
	if (has_points(p))
		return;
	if (p->set & UTB_LEFT)
		box[0] = max(box[0], halves(p->viewport[0]) >> 1);
	if (p->set & UTB_BOTTOM)
		box[1] = max(box[1], halves(p->viewport[1]) >> 1);
	if (p->set & UTB_RIGHT)
		box[2] = min(box[2], (halves(p->viewport[2]) >> 1) - 1);
	if (p->set & UTB_TOP)
		box[3] = min(box[3], (halves(p->viewport[3]) >> 1) - 1);
}

/* The table of point sizes that the vertex list's draw has written. */
static void pair(struct utf_plbu *p, u32 *va, u32 *stride)
{
	struct utf_sizes *s = p->pair;

	*va = 0;
	*stride = 0;
	if (!s || p->pair_at >= s->n)
		return;
	*va = s->va[p->pair_at];
	*stride = s->stride[p->pair_at++];
	if (p->pair_at == ARRAY_SIZE(s->va)) {
		p->pair = s->next;
		p->pair_at = 0;
	}
}

/* Are there blocks for all tiles? */
static enum utf_reason check_blocks(const struct utf_plbu *p)
{
	if (!utf_plbu_has_frame(p))
		return UTF_MISSING;
	if (((p->columns - 1) >> p->shift[0]) >= p->stride ||
	    p->stride * block_rows(p) > p->narray)
		return UTF_BAD_COUNT;
	return UTF_OK;
}

static enum utf_reason set_vertices(struct utf_plbu *p)
{
	struct utl_draw *d = &p->draw;
	u32 paired, stride;

	if (p->mode != MODE_RECTANGLE)
		pair(p, &paired, &stride);
	d->positions = p->vertices;
	d->size = p->size;
	if (p->indexed) {
		if (!(p->set & UTB_POSITIONS) || !(p->set & UTB_INDICES))
			return UTF_MISSING;
		d->positions = p->positions;
	}
	if (!has_points(p) || p->primitive & PRIM_SIZE)
		return UTF_OK;
	d->sizes = p->indexed ? p->set & UTB_SIZES ? p->sizes : 0 : paired;
	d->stride = p->indexed ? 4 : stride;
	return d->sizes ? UTF_OK : UTF_MISSING;
}

/* Bins that the draw may meet; of an empty box there are none. */
static void set_bins(struct utf_plbu *p)
{
	const s32 *clip = p->draw.clip;
	u32 i;

	for (i = 0; i < 2; i++) {
		p->bins.side[i] = 4 + p->shift[i];
		p->bins.first[i] = clip[i + 2] < clip[i] ? 1 : clip[i];
		p->bins.frame[i] = clip[i + 2] < clip[i] ? 0 : clip[i + 2];
	}
	p->bins.keep = true;
	p->bins.nlast = 0;
	p->bins.busy = false;
}

enum utf_reason utf_plbu_draw(struct utf_plbu *p, const struct utf_cmd *c)
{
	enum utf_reason why = check_blocks(p);

	if (!why && !(p->set & UTB_STATE))
		why = UTF_MISSING;
	if (why)
		return why;
	p->mode = c->w[1] >> 16 & 31;
	p->indexed = c->op == UTF_PLBU_DRAW_ELEMENTS;
	p->draw = (struct utl_draw){ .magic = UTL_DRAW_MAGIC, .number = p->ndraws,
				     .state = p->state,
				     .range = { p->range[0], p->range[1] } };
	why = set_vertices(p);
	if (why)
		return why;
	p->ndraws++;
	if (p->mode == MODE_RECTANGLE)
		p->draw.flags |= UTL_RECTANGLE;
	if (p->primitive & PRIM_CULL_CCW)
		p->draw.flags |= UTL_CULL_CCW;
	if (p->primitive & PRIM_CULL_CW)
		p->draw.flags |= UTL_CULL_CW;
	plbu_clip(p, p->draw.clip);
	p->draw_va = 0;
	p->count = utf_count(c);
	/* the vertices of arrays begin at the first one */
	p->start = p->indexed ? c->w[0] & 0xffffff : 0;
	p->at = 0;
	p->ended = false;
	p->nc = 0;
	p->ic = 0;
	set_bins(p);
	/* three corners of a rectangle are assembled like a triangle */
	vr_assembly_begin(&p->a, p->mode == MODE_RECTANGLE ? VR_TRIANGLES : modes[p->mode], false);
	return UTF_OK;
}

static int read_index(struct utf_plbu *p, u32 *index)
{
	u32 size = 1U << PRIM_INDEX(p->primitive), v = 0;
	int ret;

	*index = p->at;
	if (!p->indexed)
		return 0;
	ret = vr_read(&p->bins.mem, p->indices + (u64)size * p->at, &v, size);
	*index = v - p->start;
	return ret;
}

static int plbu_next_index(struct utf_plbu *p)
{
	u32 index;
	int ret;

	p->ic = 0;
	if (p->at == p->count) {
		p->nc = vr_assemble_restart(&p->a, p->c);
		p->ended = true;
		return 0;
	}
	ret = read_index(p, &index);
	p->at++;
	p->nc = ret ? 0 : vr_assemble(&p->a, index, p->c);
	return ret;
}

/* Is a coordinate outside of the viewport? NaN is. */
static bool is_outside(u32 v, u32 low, u32 high, bool has_low, bool has_high)
{
	s64 at = v >> 31 ? -(s64)(v & 0x7fffffff) : v;
	s64 lo = low >> 31 ? -(s64)(low & 0x7fffffff) : low;
	s64 hi = high >> 31 ? -(s64)(high & 0x7fffffff) : high;

	return (v & 0x7fffffff) > 0x7f800000 || (has_low && at < lo) || (has_high && at > hi);
}

/* Points whose centre is outside of the viewport are clipped. */
static int begin_primitive(struct utf_plbu *p, const struct vr_corners *c)
{
	struct vr_vertex v;
	int ret;

	if (has_points(p)) {
		ret = bin_vertex(&p->bins, c->index[0], &v);
		if (ret)
			return ret;
		if (is_outside(v.x, p->viewport[0], p->viewport[2], p->set & UTB_LEFT,
			       p->set & UTB_RIGHT) ||
		    is_outside(v.y, p->viewport[1], p->viewport[3], p->set & UTB_BOTTOM,
			       p->set & UTB_TOP))
			return 0;
	}
	return vr_bin_primitive(&p->bins, c);
}

static int plbu_step(struct utf_plbu *p)
{
	if (p->bins.busy)
		return vr_bin_step(&p->bins);
	if (p->ic < p->nc)
		return begin_primitive(p, &p->c[p->ic++]);
	return plbu_next_index(p);
}

static bool is_done(const struct utf_plbu *p)
{
	return p->ended && !p->bins.busy && p->ic == p->nc;
}

int utf_plbu_step(struct utf_plbu *p, u64 *charge)
{
	u32 i;
	int ret;

	ret = clear_blocks(p, charge);
	for (i = 0; i < STEP_ITEMS && !ret && !is_done(p); i++) {
		*charge += ITEM_WEIGHT;
		ret = plbu_step(p);
	}
	if (ret)
		return ret;
	if (!is_done(p))
		return -EAGAIN;
	p->count = 0;
	return 0;
}

enum utf_reason utf_plbu_end(const struct utf_plbu *p)
{
	return utf_plbu_has_frame(p) ? check_blocks(p) : UTF_OK;
}

int utf_plbu_finish(struct utf_plbu *p, u64 *charge)
{
	/* lists without a frame's size make none */
	return clear_blocks(p, charge);
}
