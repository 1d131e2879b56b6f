// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Draws of a tile: frame shaders and the tile's list become blocks of quads. Blocks are run
 * when there is no room left, when the draw changes, and at the end.
 */
#include "../../engine/vs_intern.h"
#include "mali_frame_priv.h"

#define STEP_ITEMS	64	/* indices, primitives or blocks between two checks of the slice */
#define ITEM_WEIGHT	4
#define PRIM_WEIGHT	8
#define CHUNK_WEIGHT	8
#define SHADER_BYTES	128	/* of a frame shader's draw descriptor */
#define POST_SHADER	2
#define JOB_INDEX	18	/* of a job's header */

/* Coverage of pixels as a whole: all samples of @mask. */
static u32 whole_pixels(u32 cover, u32 mask)
{
	u32 k, all = 0;

	for (k = 0; k < 4; k++)
		if (VR_PIXEL(cover, k))
			all |= (mask & 15) << (4 * k);
	return all;
}

/* ---- blocks ---- */

static bool is_empty(const struct mali_quads *q)
{
	return !q->nblocks;
}

static void clear_blocks(struct mali_frame *f)
{
	struct mali_quads *q = f->quads;

	q->nblocks = 0;
	/* a primitive that goes on stays */
	if (f->walking && q->nprims > 1)
		q->prim[0] = q->prim[q->nprims - 1];
	q->nprims = f->walking;
}

/* Test and write depth and stencil of the next block. */
static void run_fixed(struct mali_frame *f)
{
	u32 saved = vs_fpu_begin(f->j->simd, VS_FPU_NEAREST);

	mali_quads_fixed(f->quads, f->ran, f->j->simd);
	vs_fpu_end(f->j->simd, saved);
	f->j->charge += SIMT_LANES * f->t->fb.samples;
	if (++f->ran < f->quads->nblocks)
		return;
	f->ran = 0;
	clear_blocks(f);
}

/* Run the blocks; without a program the next one. Return: MALI_FRAME_LAUNCH, or -EAGAIN. */
static int run_blocks(struct mali_frame *f)
{
	struct mali_state *s = f->state;

	f->quads->depth = s->depth;
	f->quads->zs = s->zs;
	f->quads->draw = s->index;
	f->touched = true;
	if (s->launch->prog.va) {
		s->frag.quads = f->quads;
		return MALI_FRAME_LAUNCH;
	}
	run_fixed(f);
	return -EAGAIN;
}

void mali_frame_ran(struct mali_frame *f)
{
	clear_blocks(f);
}

/* Is there room for the quad in the last block, or in a new one? */
static bool add_quad(struct mali_quads *q, u32 x, u32 y, u32 cover)
{
	struct vr_batch *b = &q->block[q->nblocks ? q->nblocks - 1 : 0];

	if (!q->nblocks || !vr_batch_room(b, x, y, cover)) {
		if (q->nblocks == MALI_QUADS_BLOCKS)
			return false;
		b = &q->block[q->nblocks++];
		vr_batch_clear(b);
	}
	vr_batch_add(b, q->nprims - 1, x, y, cover);
	return true;
}

/* Add the current primitive's quads of 8 x 8 pixels. Return: false: no room. */
static bool add_block(struct mali_frame *f)
{
	const struct vr_block *b = &f->block;
	u32 q, cover;

	for (; f->quad < VR_QUADS; f->quad++) {
		q = f->quad;
		if (!(b->quads >> q & 1))
			continue;
		cover = b->cover[q];
		if (f->state->single)
			cover = whole_pixels(cover, f->state->frag.sample_mask);
		if (cover && !add_quad(f->quads, b->x + 2 * (q % 4), b->y + 2 * (q / 4), cover))
			return false;
	}
	return true;
}

/* Go on with the current primitive. Return: false: no room. */
static bool walk(struct mali_frame *f)
{
	if (f->quad < VR_QUADS)
		return add_block(f);
	f->walking = vr_walk_next(&f->walk, &f->block);
	if (!f->walking)
		return true;
	f->quad = 0;
	f->j->charge += ITEM_WEIGHT;
	return add_block(f);
}

/* ---- primitives ---- */

static bool setup(struct mali_frame *f, struct mali_quad_prim *p, const struct vr_corners *c,
		  const struct vr_vertex *const v[3], u32 size)
{
	const struct vr_state *rs = &f->state->rs;

	switch (c->n) {
	case 1:
		return vr_setup_point(&p->p, rs, v[0], size);
	case 2:
		return vr_setup_line(&p->p, rs, v, size);
	default:
		return vr_setup_triangle(&p->p, rs, v);
	}
}

/* Prepare the next primitive. Return: 0, -EFAULT. */
static int begin_primitive(struct mali_frame *f, const struct vr_corners *c)
{
	struct mali_quads *q = f->quads;
	struct mali_quad_prim *p = &q->prim[q->nprims];
	const struct mali_prims *prim = &f->state->prim;
	const struct vs_map *map = f->p.c->map;
	struct vr_vertex vertex[3] = {};
	const struct vr_vertex *const v[3] = { &vertex[0], &vertex[1], &vertex[2] };
	u32 i, size = 0;

	f->j->charge += PRIM_WEIGHT;
	for (i = 0; i < c->n; i++)
		if (!mali_prim_vertex(map, prim, c->index[i], &vertex[i]))
			return mali_frame_fault(f, VS_FAULT_READ,
						prim->positions + 16ULL * c->index[i], 16);
	if (c->n < 3 && !mali_prim_size(map, prim, c->index[0], &size))
		return mali_frame_fault(f, VS_FAULT_READ, prim->size, prim->size_bytes);
	if (!setup(f, p, c, v, size) || !vr_walk_begin(&f->walk, &p->p, f->tx, f->ty))
		return 0;
	for (i = 0; i < 3; i++) {
		p->z[i] = vertex[i].z;
		p->inv_w[i] = vertex[i].inv_w;
		p->vertex[i] = i < c->n ? c->index[i] : 0;
	}
	/* the depth of all samples, whatever they are covered by */
	p->p.samples = f->t->fb.samples;
	p->planed = false;
	p->provoking = c->provoking;
	p->primitive = c->primitive;
	q->nprims++;
	f->walking = true;
	f->quad = VR_QUADS;
	return 0;
}

/* ---- draws ---- */

/* Add the samples that passed in this tile to the draw's counter. */
static int end_draw(struct mali_frame *f)
{
	const struct mali_state *s = f->state;
	u64 n = f->tile.passed - f->passed;
	u32 kind;

	f->state = NULL;
	if (!s || !s->occlusion || !n)
		return 0;
	kind = mali_tiles_count(f->t, f->p.c->map, s->occlusion, s->counts ? n : 1, s->counts);
	return kind ? mali_frame_fault(f, kind, s->occlusion, sizeof(n)) : 0;
}

static struct mali_state **cached(struct mali_frame *f, u64 va)
{
	return &f->cache[va / 64 % MALI_FRAME_CACHE];
}

static int read_index(struct mali_frame *f, struct mali_state *s)
{
	u64 va = s->va - mali_draw_offset(f->p.arch) + JOB_INDEX;
	u16 index;

	if (f->phase != MALI_FRAME_BIN)
		return 0;
	if (!mali_read(f->p.c->map, va, &index, sizeof(index)))
		return mali_frame_fault(f, VS_FAULT_READ, va, sizeof(index));
	s->index = index;
	return 0;
}

/* The draw's tables have been read, or there is an error. */
static int tables_read(struct mali_frame *f, int ret)
{
	struct mali_state *s = f->state;
	u32 draw[MALI_DRAW_WORDS];

	f->j->charge += 4 * f->p.c->reads;
	f->p.c->reads = 0;
	f->reading = ret == -EAGAIN;
	if (ret)
		return ret;
	ret = mali_words(&f->p, s->va, draw, MALI_DRAW_WORDS, 64, "draw");
	if (ret)
		return ret;
	if (f->phase == MALI_FRAME_BIN)
		ret = mali_prim_read(&f->p, s->va - mali_draw_offset(f->p.arch), draw, &s->prim);
	else
		mali_prim_frame(draw, &s->prim);
	if (!ret)
		ret = mali_state_read(&f->p, &f->t->fb, draw, s);
	if (ret)
		return ret;
	if (f->phase != MALI_FRAME_BIN)
		s->rs.flags &= ~(VR_CULL_FRONT | VR_CULL_BACK);
	ret = read_index(f, s);
	if (ret)
		return ret;
	*cached(f, s->va) = s;
	return -EAGAIN;
}

/* Read a draw. When the arena is full, all draws are forgotten. */
static int read_draw(struct mali_frame *f, u64 va)
{
	struct mali_state *s;
	int ret;

	if (f->j->arena.size - f->j->arena.used < f->j->arena.size / 4) {
		simt_arena_reset(&f->j->arena, f->mark);
		memset(f->cache, 0, sizeof(f->cache));
	}
	s = simt_arena_alloc(&f->j->arena, 1, sizeof(*s));
	if (!s)
		return mali_reject_at(&f->p, MALI_LIMIT_MEMORY, "draw", va, sizeof(*s));
	s->va = va;
	f->state = s;
	ret = mali_read_draw(&f->p, va, &f->reader);
	s->launch = f->reader.l;
	return tables_read(f, ret ? ret : mali_reader_step(&f->reader));
}

/* Make the draw the current one. Return: 0: it is; else call again, or an error. */
static int begin_draw(struct mali_frame *f, u64 va)
{
	struct mali_state *s = *cached(f, va);
	int ret;

	if (f->state && f->state->va == va)
		return 0;
	if (f->state && !is_empty(f->quads))
		return run_blocks(f);
	ret = end_draw(f);
	f->passed = f->tile.passed;
	if (ret)
		return ret;
	f->quads->nprims = 0;
	if (!s || s->va != va)
		return read_draw(f, va);
	f->state = s;
	return 0;
}

/* Begin a primitive of the draw. Return: 0: begun, or it covers nothing; else call again. */
static int draw(struct mali_frame *f, u64 va, const struct vr_corners *c)
{
	int ret = begin_draw(f, va);

	if (ret)
		return ret;
	if (f->quads->nprims == MALI_QUADS_PRIMS)
		return run_blocks(f);
	return begin_primitive(f, c);
}

/* ---- what is drawn ---- */

static int read_chunk(struct mali_frame *f)
{
	u32 w[sizeof(f->chunk) / 4];
	u64 va = f->chunk.next;
	int ret;

	f->j->charge += CHUNK_WEIGHT;
	ret = mali_words(&f->p, va, w, ARRAY_SIZE(w), 8, "tiler list");
	if (ret)
		return ret;
	memcpy(&f->chunk, w, sizeof(f->chunk));
	f->next = 0;
	if (f->chunk.magic != MALI_CHUNK_MAGIC || f->chunk.n > MALI_CHUNK_ENTRIES)
		return mali_reject_at(&f->p, MALI_BAD_HEAP, "tiler list", va, f->chunk.magic);
	return 0;
}

/* Next primitive of the tile's list. */
static int next_binned(struct mali_frame *f)
{
	u64 va = f->chunk.prim[f->next];
	struct mali_binned b;
	struct vr_corners c;
	int ret;

	if (!mali_read(f->p.c->map, va, &b, sizeof(b)))
		return mali_frame_fault(f, VS_FAULT_READ, va, sizeof(b));
	if (!b.n || b.n > 3 || b.provoking >= b.n)
		return mali_reject_at(&f->p, MALI_BAD_HEAP, "tiler primitive", va, b.n);
	c = (struct vr_corners){ .n = b.n, .provoking = b.provoking, .primitive = b.primitive,
				 .index = { b.vertex[0], b.vertex[1], b.vertex[2] } };
	ret = draw(f, b.job + mali_draw_offset(f->p.arch), &c);
	f->next += !ret;
	return ret;
}

static int step_bin(struct mali_frame *f)
{
	if (f->next < f->chunk.n)
		return next_binned(f);
	if (f->chunk.next)
		return read_chunk(f);
	f->phase = MALI_FRAME_POST;
	return -EAGAIN;
}

/* Does frame shader @i run in this tile? */
static bool runs(const struct mali_frame *f, u32 i)
{
	switch (f->t->fb.mode[i]) {
	case MALI_FRAME_ALWAYS:
	case MALI_FRAME_EARLY_ZS_ALWAYS:
		return true;
	case MALI_FRAME_INTERSECT:
		return f->chunk.next || f->touched;
	default:
		return false;
	}
}

/* The two triangles of frame shader @i. Return: 0: both are begun. */
static int frame_shader(struct mali_frame *f, u32 i)
{
	static const struct vr_corners half[2] = {
		{ .n = 3, .provoking = 2, .index = { 0, 1, 2 } },
		{ .n = 3, .provoking = 2, .primitive = 1, .index = { 2, 1, 3 } },
	};
	int ret;

	if (!runs(f, i) || f->shader == ARRAY_SIZE(half))
		return 0;
	ret = draw(f, f->t->fb.shaders + SHADER_BYTES * i, &half[f->shader]);
	f->shader += !ret;
	return ret ? ret : -EAGAIN;
}

/* Shaders before the frame, or after it. */
static int step_shaders(struct mali_frame *f, u32 end)
{
	int ret;

	if (f->pass == end)
		return 0;
	ret = frame_shader(f, f->pass);
	if (ret)
		return ret;
	f->shader = 0;
	f->pass++;
	return -EAGAIN;
}

static int step_pre(struct mali_frame *f)
{
	int ret = step_shaders(f, POST_SHADER);

	if (ret)
		return ret;
	f->phase = MALI_FRAME_BIN;
	return -EAGAIN;
}

/* The last shader, the last blocks, then the end of the tile. */
static int step_post(struct mali_frame *f)
{
	int ret = step_shaders(f, POST_SHADER + 1);

	if (ret)
		return ret;
	if (f->state && !is_empty(f->quads))
		return run_blocks(f);
	ret = end_draw(f);
	f->passed = f->tile.passed;
	f->att = 0;
	f->phase = MALI_FRAME_STORE;
	return ret ? ret : -EAGAIN;
}

/* Return: 0: go on at once. */
static int step(struct mali_frame *f)
{
	if (f->walking)
		return walk(f) ? 0 : run_blocks(f);
	switch (f->phase) {
	case MALI_FRAME_PRE:
		return step_pre(f);
	case MALI_FRAME_BIN:
		return step_bin(f);
	default:
		return step_post(f);
	}
}

int mali_frame_draw(struct mali_frame *f)
{
	u32 i;
	int ret = 0;

	if (f->reading)
		return tables_read(f, mali_reader_step(&f->reader));
	for (i = 0; i < STEP_ITEMS && !ret; i++)
		ret = step(f);
	return ret ? ret : -EAGAIN;
}
