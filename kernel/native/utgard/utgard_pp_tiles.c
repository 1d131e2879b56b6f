// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tiles of frames of the pixel processor, on the rasteriser's floor: which primitives a tile has,
 * their vertices, state of draws, images. Lists are of blocks of tiles of 16 x 16 pixels; a tile of
 * the floor has up to 16 of them, whose primitives are drawn in the order of the frame.
 */
#include "utgard_tiles.h"

#define PARTS		4	/* tiles of 16 x 16 pixels in a row of 64 */
#define LIST_WEIGHT	16
#define ONE_F32		0x3f800000U

static struct utt_worker *utt_to_worker(struct vr_frame *f)
{
	return container_of(f, struct utt_worker, f);
}

/* ---- lists ---- */

/* List of a part of the current tile, 0: it is in no stream. */
static u32 list_of(const struct utt_worker *w, u32 x, u32 y)
{
	x += w->f.tx * PARTS;
	y += w->f.ty * PARTS;
	return x < w->t->columns && y < w->t->rows ? w->t->list[y * w->t->columns + x] : 0;
}

/* Do @n parts of a row, which have not been taken, have a list? */
static bool same_list(const struct utt_worker *w, u32 x, u32 y, u32 n, u32 list, u16 taken)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (list_of(w, x + i, y) != list || taken >> (y * PARTS + x + i) & 1)
			return false;
	return true;
}

/* A cursor for the largest rectangle of parts with the list of the one at @x, @y. */
static void add_cursor(struct utt_worker *w, u32 x, u32 y, u16 *taken)
{
	struct utt_cursor *c = &w->cursor[w->ncursors++];
	u32 list = list_of(w, x, y), width = 1, height = 1, i, k;

	while (x + width < PARTS && same_list(w, x + width, y, 1, list, *taken))
		width++;
	while (y + height < PARTS && same_list(w, x, y + height, width, list, *taken))
		height++;
	for (i = 0; i < height; i++)
		for (k = 0; k < width; k++)
			*taken |= BIT((y + i) * PARTS + x + k);
	c->box[0] = w->f.tx * VR_TILE + x * UTL_TILE;
	c->box[1] = w->f.ty * VR_TILE + y * UTL_TILE;
	c->box[2] = c->box[0] + width * UTL_TILE - 1;
	c->box[3] = c->box[1] + height * UTL_TILE - 1;
	c->at = 0;
	c->b.n = 0;
	c->b.next = list & ~1U;
	/* the address of the first part may be 0 */
	c->va = ~0U;
}

/* Read the next part of a list. Return: -EAGAIN, or an error. */
static int read_part(struct utt_worker *w, struct utt_cursor *c)
{
	u32 words[sizeof(c->b) / sizeof(u32)];

	c->va = c->b.next;
	w->f.charge += LIST_WEIGHT;
	if (!utf_read(w->j, c->va, words, ARRAY_SIZE(words)))
		return -ENOEXEC;
	memcpy(&c->b, words, sizeof(c->b));
	c->at = 0;
	if (c->b.magic == UTL_BLOCK_MAGIC && c->b.n <= UTL_BLOCK_PRIMS)
		return -EAGAIN;
	utf_reject(w->j, UTF_BAD_LIST, c->va, c->b.magic);
	return -ENOEXEC;
}

/* Return: 0: the cursor has a primitive; -ENOENT: it has none; -EAGAIN; or an error. */
static int fill_cursor(struct utt_worker *w, struct utt_cursor *c)
{
	if (c->at < c->b.n)
		return 0;
	return c->b.next || c->va == ~0U ? read_part(w, c) : -ENOENT;
}

static u32 area_of(const s32 box[4])
{
	return (u32)(box[2] - box[0] + 1) * (u32)(box[3] - box[1] + 1);
}

/* Of all cursors with the same primitive one item, if their tiles are a rectangle. */
static void take_item(struct utt_worker *w, struct utt_cursor *first, struct vr_item *item)
{
	const struct utl_prim *p = &first->b.prim[first->at];
	struct utt_cursor *c;
	u16 same = 0;
	u32 i, area = 0;

	item->draw = p->draw;
	item->c = (struct vr_corners){ .n = (u8)p->n, .primitive = p->seq };
	memcpy(item->c.index, p->v, sizeof(p->v));
	item->boxed = true;
	memcpy(item->box, first->box, sizeof(item->box));
	for (i = 0; i < w->ncursors; i++) {
		c = &w->cursor[i];
		if (c->at >= c->b.n || memcmp(&c->b.prim[c->at], p, sizeof(*p)))
			continue;
		same |= BIT(i);
		area += area_of(c->box);
		item->box[0] = min(item->box[0], c->box[0]);
		item->box[1] = min(item->box[1], c->box[1]);
		item->box[2] = max(item->box[2], c->box[2]);
		item->box[3] = max(item->box[3], c->box[3]);
	}
	if (area != area_of(item->box)) {
		memcpy(item->box, first->box, sizeof(item->box));
		same = BIT(first - w->cursor);
	}
	for (i = 0; i < w->ncursors; i++)
		w->cursor[i].at += same >> i & 1;
}

static int utt_frame_next(struct vr_frame *vf, struct vr_item *item)
{
	struct utt_worker *w = utt_to_worker(vf);
	struct utt_cursor *c, *first = NULL;
	u32 i;
	int ret;

	for (i = 0; i < w->ncursors; i++) {
		c = &w->cursor[i];
		ret = fill_cursor(w, c);
		if (ret == -ENOENT)
			continue;
		if (ret)
			return ret;
		if (!first || c->b.prim[c->at].seq < first->b.prim[first->at].seq)
			first = c;
	}
	if (!first)
		return -ENOENT;
	i = first->b.prim[first->at].n;
	if (!i || i > 3) {
		utf_reject(w->j, UTF_BAD_LIST, first->va, i);
		return -ENOEXEC;
	}
	take_item(w, first, item);
	return 0;
}

/* ---- a tile ---- */

static int utt_frame_begin(struct vr_frame *vf)
{
	struct utt_worker *w = utt_to_worker(vf);
	const struct utf_tiles *t = w->t;
	u16 taken = 0;
	u32 i;

	w->ncursors = 0;
	w->parts = 0;
	for (i = 0; i < PARTS * PARTS; i++) {
		if (!list_of(w, i % PARTS, i / PARTS))
			continue;
		w->parts |= BIT(i);
		if (!(taken >> i & 1))
			add_cursor(w, i % PARTS, i / PARTS, &taken);
	}
	vf->tile.samples = w->four ? 4 : t->samples;
	w->four = false;
	vr_tile_place(&vf->tile, w->memory);
	return 0;
}

static void utt_frame_clear(struct vr_frame *vf, u32 i)
{
	struct utt_worker *w = utt_to_worker(vf);
	const struct utf_tiles *t = w->t;

	if (!w->parts)
		return;
	if (i < t->ntargets)
		vr_tile_clear(&vf->tile, 0, t->clear);
	else
		vr_tile_clear_zs(&vf->tile, t->z, t->s);
}

static int frame_parts(struct vr_frame *vf, u16 *parts)
{
	*parts = utt_to_worker(vf)->parts;
	return 0;
}

static int utt_frame_image(struct vr_frame *vf, u32 i, bool store, struct vr_access *a)
{
	const struct utt_worker *w = utt_to_worker(vf);

	if (!store || !w->parts || i >= w->t->nimages)
		return -ENOENT;
	*a = w->t->image[i];
	return 0;
}

/* ---- draws ---- */

static int utt_frame_vertices(struct vr_frame *vf, const struct vr_corners *c,
			      struct vr_vertex v[3], u32 *size)
{
	const struct utl_draw *d = &container_of(vf->draw, struct utf_state, d)->list;
	u32 i;
	int ret;

	for (i = 0; i < c->n; i++) {
		ret = vr_read(&vf->mem, d->positions + 16ULL * c->index[i], &v[i], sizeof(v[i]));
		if (ret)
			return ret;
		if (d->flags & UTL_RECTANGLE)
			v[i].inv_w = ONE_F32;
	}
	*size = d->size;
	if (c->n != 1 || !d->sizes)
		return 0;
	return vr_read(&vf->mem, d->sizes + (u64)d->stride * c->index[0], size, sizeof(*size));
}

/* When the arena is full, all draws and programs are forgotten. */
static void utt_forget(struct utt_worker *w)
{
	simt_arena_reset(&w->j->arena, w->mark);
	memset(w->cache, 0, sizeof(w->cache));
	memset(w->r.programs, 0, sizeof(w->r.programs));
	w->r.s = NULL;
	w->r.lowering = NULL;
}

static int read_draw(struct utt_worker *w, u32 va, struct utf_state **out)
{
	struct simt_arena *a = &w->j->arena;
	int ret;

	if (!w->r.s && a->size - a->used < (a->size - w->mark) / 4)
		utt_forget(w);
	if (!w->r.s)
		w->alone = a->used == w->mark;
	ret = utf_read_draw(&w->r, va);
	if (ret == -ENOMEM && !w->alone) {
		/* again, with all of the arena */
		utt_forget(w);
		return -EAGAIN;
	}
	if (ret == -ENOMEM) {
		simt_job_fault(w->j, VS_FAULT_OVERFLOW, va, 0);
		return -ENOEXEC;
	}
	if (ret)
		return ret;
	*out = w->r.s;
	w->r.s = NULL;
	return 0;
}

static int utt_frame_draw(struct vr_frame *vf, u64 id, struct vr_draw **out)
{
	struct utt_worker *w = utt_to_worker(vf);
	struct utf_state **cached = &w->cache[id / 64 % UTT_CACHE], *s = *cached;
	int ret;

	if (!s || s->d.id != id) {
		ret = read_draw(w, (u32)id, &s);
		if (ret)
			return ret;
		*cached = s;
	}
	if (s->four && vf->tile.samples != 4) {
		w->four = true;
		return vr_frame_restart(vf);
	}
	s->d.single = s->d.rs.samples == 1 && vf->tile.samples == 4;
	*out = &s->d;
	return 0;
}

/* The caller runs the program on all blocks. */
static int utt_frame_shade(struct vr_frame *vf, u32 block)
{
	return VR_FRAME_SHADE;
}

static const struct vr_frame_ops frame_ops = {
	.begin = utt_frame_begin,
	.clear = utt_frame_clear,
	.next = utt_frame_next,
	.draw = utt_frame_draw,
	.vertices = utt_frame_vertices,
	.shade = utt_frame_shade,
	.image = utt_frame_image,
	.parts = frame_parts,
};

/* ---- a worker ---- */

/* Tile buffer, with room for four samples. */
static bool new_tile(struct utt_worker *w)
{
	struct vr_tile *t = &w->f.tile;
	u32 bytes;

	t->samples = 4;
	t->ntargets = w->t->ntargets;
	t->format[0] = w->t->format;
	t->zformat = w->t->zformat;
	t->has_stencil = true;
	bytes = vr_tile_bytes(t);
	w->memory = simt_arena_take(&w->j->arena, bytes, 1);
	w->f.quads = simt_arena_alloc(&w->j->arena, 1, sizeof(*w->f.quads));
	if (!bytes || !w->memory || !w->f.quads)
		return false;
	vr_tile_place(t, w->memory);
	w->f.quads->tile = t;
	return true;
}

struct utt_worker *utt_new(struct simt_job *j, struct utgard_run *run, struct utf_tiles *t,
			   u32 worker)
{
	struct utt_worker *w = simt_arena_alloc(&j->arena, 1, sizeof(*w));

	if (!w)
		return NULL;
	w->j = j;
	w->run = run;
	w->t = t;
	w->q = upq_new(&j->arena);
	w->f.ops = &frame_ops;
	w->f.mem.tlb.map = j->map;
	w->f.tiles = &t->tiles;
	w->f.worker = worker;
	w->r.j = j;
	w->r.t = t;
	w->r.code = simt_arena_take(&j->arena, UTF_MAX_CODE, sizeof(*w->r.code));
	if (!w->q || !w->r.code || !new_tile(w))
		return NULL;
	w->mark = j->arena.used;
	return w;
}

static enum simt_next launch(struct utt_worker *w)
{
	const struct utf_state *s = container_of(w->f.draw, struct utf_state, d);
	struct simt_job *j = w->j;
	int ret;

	ret = upq_launch(w->run, w->q, &s->q, w->f.quads, j->dbg, &j->fault);
	j->fault.draw = s->d.index;
	if (ret == -ENOEXEC)
		return SIMT_NEXT_FAULT;
	if (ret)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, s->q.code_va, 0);
	return simt_job_run(j, utgard_run_machine(w->run));
}

enum simt_next utt_next(struct utt_worker *w)
{
	const struct vr_mem *mem = &w->f.mem;
	int ret;

	w->f.simd = w->j->simd;
	ret = vr_frame_step(&w->f);
	w->j->charge += w->f.charge;
	w->f.charge = 0;
	switch (ret) {
	case 0:
		return SIMT_NEXT_DONE;
	case -EAGAIN:
		return SIMT_NEXT_WAIT;
	case VR_FRAME_SHADE:
		return launch(w);
	case -EFAULT:
		return simt_job_fault(w->j, mem->kind, mem->va, mem->size);
	case -EINVAL:
		return utf_reject(w->j, UTF_BAD_VALUE,
				  w->t->va + sizeof(u32) * w->t->unit[w->f.access], 0);
	default:
		return SIMT_NEXT_FAULT;
	}
}

/* ---- guests ---- */

/**
 * struct utt_guest - A further worker, with all its state in its arena.
 * @j:		SIMT job
 * @t:		frame
 * @worker:	number in it
 * @run:	machine
 * @w:		its part of the frame
 */
struct utt_guest {
	struct simt_job j;
	struct utf_tiles *t;
	u32 worker;
	struct utgard_run *run;
	struct utt_worker *w;
};

#define GUEST_BYTES	((sizeof(struct utt_guest) + 63) & ~63UL)

static struct utt_guest *to_guest(struct simt_job *j)
{
	return container_of(j, struct utt_guest, j);
}

static bool guest_start(struct simt_job *j)
{
	struct utt_guest *g = to_guest(j);

	g->run = utgard_run_new(&j->arena, j->map);
	return g->run;
}

/* Without room for its part a guest leaves all tiles to the others. */
static enum simt_next guest_next(struct simt_job *j)
{
	struct utt_guest *g = to_guest(j);

	if (g->w)
		return utt_next(g->w);
	g->w = utt_new(j, g->run, g->t, g->worker);
	return g->w ? SIMT_NEXT_WAIT : SIMT_NEXT_DONE;
}

static bool guest_ended(struct simt_job *j, const struct vs_fault *fault)
{
	struct utt_guest *g = to_guest(j);

	if (j->m)
		utgard_run_end(g->run);
	if (!fault)
		utt_shaded(g->w);
	return !fault;
}

static const struct simt_job_ops guest_ops = {
	.start = guest_start,
	.next = guest_next,
	.ended = guest_ended,
};

bool utt_reserve(struct simt_job *j)
{
	return simt_arena_take(&j->arena, GUEST_BYTES, 1);
}

/* Take a place in the frame. Return: false: there is none, or the arena is too small. */
static bool utt_join(struct vs_worker *w, struct utf_tiles *t)
{
	struct utt_guest *g = vs_worker_take_arena(w, t->arena);

	if (!g)
		return false;
	*g = (struct utt_guest){ .t = t, .worker = vr_tiles_join(&t->tiles) };
	g->j = (struct simt_job){ .ops = &guest_ops, .map = t->map, .memory = t->arena,
				  .guest = true };
	g->j.arena = (struct simt_arena){ .base = (u8 *)g, .size = t->arena,
					  .used = GUEST_BYTES };
	return g->worker != VR_TILES_NONE;
}

enum vs_run utt_guest(struct vs_job *job, struct vs_worker *w, bool first, void *arg)
{
	struct utf_tiles *t = arg;
	struct utt_guest *g;
	enum vs_run run;

	if (first && !utt_join(w, t))
		return VS_RUN_IDLE;
	g = vs_worker_take_arena(w, t->arena);
	run = simt_job_slice(&g->j, job);
	if (run == VS_RUN_IDLE && g->j.fault.kind && g->w)
		vr_tiles_fault(&t->tiles, g->worker, &g->j.fault);
	return run;
}
