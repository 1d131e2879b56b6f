// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * FRAGMENT jobs as frames of the rasteriser: which primitives a tile has, state of draws, images.
 */
#include "mali_frame.h"

#define OFF_PAYLOAD	32
#define PAYLOAD_WORDS	8
#define PARTS		4	/* 16 x 16 pixels in a row of a tile */
#define MAP_PARTS	2	/* for a bit of the tile enable map, as Mesa makes it for v5 */
#define CHUNK_WEIGHT	8
#define SHADER_BYTES	128	/* of a frame shader's draw descriptor */
#define POST_SHADER	2
#define JOB_INDEX	18	/* of a job's header */

static int read_payload(struct mali_parser *p, u64 job, struct mali_tiles *t)
{
	u32 w[PAYLOAD_WORDS], i;
	int ret;

	ret = mali_words(p, job + OFF_PAYLOAD, w, PAYLOAD_WORDS, 32, "fragment payload");
	if (ret)
		return ret;
	for (i = 0; i < 4; i++)
		t->bound[i] = mali_bits(w, i / 2, i % 2 * 16, 12);
	if (mali_bits(w, 1, 31, 1)) {
		t->map = mali_u64(w, 4);
		t->map_stride = mali_bits(w, 6, 0, 8);
	}
	return mali_fb_read(p, mali_u64(w, 2) & ~63ULL, &t->fb);
}

/* Lists of the frame; without them, nothing is drawn. */
static int mali_frame_read_list(struct mali_parser *p, struct mali_tiles *t)
{
	u32 w[sizeof(struct vr_lists) / 4];
	struct mali_heap h;
	int ret;

	if (!t->fb.tiler)
		return 0;
	ret = mali_heap_read(p, t->fb.tiler, &h);
	if (ret || !h.list)
		return ret;
	ret = mali_words(p, h.list, w, ARRAY_SIZE(w), 8, "polygon list");
	if (ret)
		return ret;
	memcpy(&t->list, w, sizeof(t->list));
	return 0;
}

int mali_frame_read(const struct mali_parser *p, u64 job, struct mali_tiles *t)
{
	struct mali_parser copy = *p;
	int ret;

	*t = (struct mali_tiles){ .job = p->job };
	ret = read_payload(&copy, job, t);
	return ret ? ret : mali_frame_read_list(&copy, t);
}

static struct mali_frame *to_frame(struct vr_frame *f)
{
	return container_of(f, struct mali_frame, f);
}

/* ---- a tile ---- */

/*
 * Does frame shader @i run in this tile? "Intersect" saves the reload of tiles that are not
 * written; where clean pixels are, what is written has to be right. Mesa counts on that for depth
 * without stencil on v6.
 */
static bool runs(const struct mali_frame *f, u32 i)
{
	const struct mali_fb *fb = &f->t->fb;

	switch (fb->mode[i]) {
	case MALI_FRAME_ALWAYS:
	case MALI_FRAME_EARLY_ZS_ALWAYS:
		return true;
	case MALI_FRAME_INTERSECT:
		return f->listed || fb->clean || fb->clean_zs;
	default:
		return false;
	}
}

/* Without primitives, frame shaders or clean pixels to write, memory stays as it is. */
static bool mali_frame_is_idle(const struct mali_frame *f)
{
	const struct mali_fb *fb = &f->t->fb;
	u32 i;

	if (f->listed || fb->clean || fb->clean_zs)
		return false;
	for (i = 0; i <= POST_SHADER; i++)
		if (runs(f, i))
			return false;
	return true;
}

static int mali_frame_read_chunk(struct mali_frame *f)
{
	u32 w[sizeof(f->chunk) / 4];
	u64 va = f->chunk.next;
	int ret;

	f->f.charge += CHUNK_WEIGHT;
	ret = mali_words(&f->p, va, w, ARRAY_SIZE(w), 8, "tiler list");
	if (ret)
		return ret;
	memcpy(&f->chunk, w, sizeof(f->chunk));
	f->next = 0;
	if (f->chunk.magic != VR_CHUNK_MAGIC || f->chunk.n > VR_CHUNK_ENTRIES)
		return mali_reject_at(&f->p, MALI_BAD_HEAP, "tiler list", va, f->chunk.magic);
	return -EAGAIN;
}

/* Replace a draw that reloads the tile. Return: -ENOENT: there is nothing else. */
static int begin_reload(struct mali_frame *f)
{
	bool idle = false;
	int ret = mali_frame_read_chunk(f);

	if (ret != -EAGAIN)
		return ret;
	return mali_reload_tile(f, &idle) && idle ? -ENOENT : 0;
}

static int mali_frame_begin(struct vr_frame *vf)
{
	struct mali_frame *f = to_frame(vf);
	int ret;

	f->source = MALI_FRAME_PRE;
	f->pass = 0;
	f->shader = 0;
	f->next = 0;
	f->load.image = NULL;
	ret = vr_lists_read(&f->t->list, &vf->mem, vf->tx, vf->ty, &f->chunk);
	f->listed = f->chunk.next;
	if (ret)
		return ret;
	if (mali_frame_is_idle(f))
		return -ENOENT;
	return f->reload && f->listed ? begin_reload(f) : 0;
}

static void mali_frame_clear(struct vr_frame *vf, u32 i)
{
	const struct mali_fb *fb = &to_frame(vf)->t->fb;
	struct vr_tile *t = &vf->tile;

	if (i == t->ntargets)
		vr_tile_clear_zs(t, fb->z_clear, fb->s_clear);
	else if (t->format[i].bytes)
		vr_tile_clear(t, i, fb->clear[i]);
}

/* Whether the tile enable map has a part; true without a map. */
static int read_enabled(struct vr_frame *vf, u32 x, u32 y, bool *enabled)
{
	const struct mali_tiles *t = to_frame(vf)->t;
	u32 bit = x / MAP_PARTS;
	u8 byte = 0xff;
	int ret = 0;

	if (t->map)
		ret = vr_read(&vf->mem, t->map + (u64)(y / MAP_PARTS) * t->map_stride + bit / 8,
			      &byte, 1);
	*enabled = byte >> (bit % 8) & 1;
	return ret;
}

/* Parts of the current tile that are written. */
static int mali_frame_parts(struct vr_frame *vf, u16 *parts)
{
	const struct mali_tiles *t = to_frame(vf)->t;
	bool enabled;
	u32 i, x, y;
	int ret;

	*parts = 0;
	for (i = 0; i < PARTS * PARTS; i++) {
		x = vf->tx * PARTS + i % PARTS;
		y = vf->ty * PARTS + i / PARTS;
		if (x < t->bound[0] || x > t->bound[2] || y < t->bound[1] || y > t->bound[3])
			continue;
		ret = read_enabled(vf, x, y, &enabled);
		if (ret)
			return ret;
		if (enabled)
			*parts |= BIT(i);
	}
	return 0;
}

/* Images of targets, depth, stencil. Draws reload tiles, and a load may replace one. */
static int mali_frame_image(struct vr_frame *vf, u32 i, bool store, struct vr_access *a)
{
	const struct mali_fb *fb = &to_frame(vf)->t->fb;

	if (!store && !i && to_frame(vf)->load.image) {
		*a = to_frame(vf)->load;
		return 0;
	}
	if (!store || i == VR_MAX_TARGETS + MALI_FB_NUM_ZS)
		return -ENOENT;
	if (i < VR_MAX_TARGETS)
		*a = (struct vr_access){ &fb->image[i], i, fb->clean >> i & 1 };
	else
		*a = (struct vr_access){ &fb->zs[i - VR_MAX_TARGETS], VR_ATT_ZS, fb->clean_zs };
	if (!a->image->va)
		a->image = NULL;
	return 0;
}

/* ---- primitives ---- */

/* Next primitive of the tile's list. */
static int next_binned(struct mali_frame *f, struct vr_item *item)
{
	struct mali_binned b;
	u64 va;
	int ret;

	if (f->next == f->chunk.n && f->chunk.next)
		return mali_frame_read_chunk(f);
	if (f->next == f->chunk.n)
		return -ENOENT;
	va = f->chunk.entry[f->next++];
	ret = vr_read(&f->f.mem, va, &b, sizeof(b));
	if (ret)
		return ret;
	if (!b.n || b.n > 3 || b.provoking >= b.n)
		return mali_reject_at(&f->p, MALI_BAD_HEAP, "tiler primitive", va, b.n);
	item->draw = b.job + mali_draw_offset(f->p.arch);
	item->c = (struct vr_corners){ .n = b.n, .provoking = b.provoking,
				       .primitive = b.primitive };
	memcpy(item->c.index, b.vertex, sizeof(b.vertex));
	return 0;
}

/* Next of the two triangles of each frame shader before @end. */
static int next_shader(struct mali_frame *f, u32 end, struct vr_item *item)
{
	static const struct vr_corners half[2] = {
		{ .n = 3, .provoking = 2, .index = { 0, 1, 2 } },
		{ .n = 3, .provoking = 2, .primitive = 1, .index = { 2, 1, 3 } },
	};

	for (; f->pass < end; f->pass++, f->shader = 0) {
		if (!runs(f, f->pass) || f->shader == ARRAY_SIZE(half))
			continue;
		item->draw = f->t->fb.shaders + SHADER_BYTES * f->pass;
		item->c = half[f->shader++];
		return 0;
	}
	return -ENOENT;
}

static int mali_frame_next(struct vr_frame *vf, struct vr_item *item)
{
	struct mali_frame *f = to_frame(vf);
	int ret;

	switch (f->source) {
	case MALI_FRAME_PRE:
		ret = next_shader(f, POST_SHADER, item);
		break;
	case MALI_FRAME_BIN:
		ret = next_binned(f, item);
		break;
	default:
		return next_shader(f, POST_SHADER + 1, item);
	}
	if (ret != -ENOENT)
		return ret;
	f->source++;
	return -EAGAIN;
}

static int mali_frame_vertices(struct vr_frame *vf, const struct vr_corners *c,
			       struct vr_vertex v[3], u32 *size)
{
	const struct mali_state *s = container_of(vf->draw, struct mali_state, d);
	u32 i;
	int ret = 0;

	if (likely(c->n == 3))
		return mali_prim_triangle(&vf->mem, &s->prim, c->index, v);
	for (i = 0; i < c->n && !ret; i++)
		ret = mali_prim_vertex(&vf->mem, &s->prim, c->index[i], &v[i]);
	if (!ret)
		ret = mali_prim_size(&vf->mem, &s->prim, c->index[0], size);
	return ret;
}

/* ---- draws ---- */

/* Add the samples that passed to the draw's counter. */
static int frame_counted(struct vr_frame *vf, u64 n)
{
	const struct mali_state *s = container_of(vf->draw, struct mali_state, d);

	if (!s->occlusion)
		return 0;
	return vr_tiles_count(vf->tiles, &vf->mem, s->occlusion, s->counts ? n * s->counts : 1,
			      s->counts);
}

static struct mali_state **cached(struct mali_frame *f, u64 va)
{
	return &f->cache[va / 64 % MALI_FRAME_CACHE];
}

static int mali_frame_read_index(struct mali_frame *f, struct mali_state *s)
{
	u64 va = s->d.id - mali_draw_offset(f->p.arch) + JOB_INDEX;
	u16 index;
	int ret;

	if (f->source != MALI_FRAME_BIN)
		return 0;
	ret = vr_read(&f->f.mem, va, &index, sizeof(index));
	if (!ret)
		s->d.index = index;
	return ret;
}

/* The draw's tables have been read: read the words around them. */
static int mali_frame_read_words(struct mali_frame *f, struct mali_state *s)
{
	u32 draw[MALI_DRAW_WORDS];
	int ret;

	ret = mali_words(&f->p, s->d.id, draw, MALI_DRAW_WORDS, 64, "draw");
	if (ret)
		return ret;
	if (f->source == MALI_FRAME_BIN) {
		ret = mali_prim_read(&f->p, s->d.id - mali_draw_offset(f->p.arch), draw, &s->prim);
		if (ret)
			return ret;
	} else {
		mali_prim_frame(draw, &s->prim);
	}
	ret = mali_state_read(&f->p, &f->t->fb, draw, s);
	if (ret)
		return ret;
	if (f->source != MALI_FRAME_BIN)
		s->d.rs.flags &= ~(VR_CULL_FRONT | VR_CULL_BACK);
	return mali_frame_read_index(f, s);
}

/* Begin to read a draw. When the arena is full, all draws are forgotten. */
static int mali_frame_begin_read(struct mali_frame *f, u64 va)
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
	s->d.id = va;
	f->state = s;
	ret = mali_read_draw(&f->p, va, &f->reader);
	s->launch = f->reader.l;
	return ret;
}

static int mali_frame_draw(struct vr_frame *vf, u64 va, struct vr_draw **out)
{
	struct mali_frame *f = to_frame(vf);
	struct mali_state *s = *cached(f, va);
	int ret = 0;

	if (s && s->d.id == va) {
		*out = &s->d;
		return 0;
	}
	if (!f->state)
		ret = mali_frame_begin_read(f, va);
	if (!ret)
		ret = mali_reader_step(&f->reader);
	vf->charge += 4 * f->p.c->reads;
	f->p.c->reads = 0;
	if (!ret)
		ret = mali_frame_read_words(f, f->state);
	if (ret)
		return ret;
	*cached(f, va) = f->state;
	f->state = NULL;
	return -EAGAIN;
}

/* The caller runs the program on all blocks. */
static int mali_frame_shade(struct vr_frame *vf, u32 block)
{
	struct mali_state *s = container_of(vf->draw, struct mali_state, d);

	s->frag.quads = vf->quads;
	return VR_FRAME_SHADE;
}

enum simt_next mali_frame_launch(struct mali_frame *f, struct mali_exec *e)
{
	const struct mali_state *s = container_of(f->f.draw, struct mali_state, d);
	struct mali_work w;

	mali_exec_work(e, s->launch, &w);
	w.stage = MALI_STAGE_FRAGMENT;
	w.warp_limit = 0;
	w.frag = &s->frag;
	return mali_exec_begin(e, &w);
}

void mali_frame_shaded(struct mali_frame *f, const struct mali_run *run)
{
	struct mali_state *s = container_of(f->f.draw, struct mali_state, d);

	if (f->p.arch->midgard && !s->checked && !f->reload &&
	    mali_reload_is(&f->f.mem, &f->t->fb, s, run))
		f->reload = s->d.id;
	s->checked = true;
	vr_frame_shaded(&f->f);
}

static const struct vr_frame_ops frame_ops = {
	.begin = mali_frame_begin,
	.clear = mali_frame_clear,
	.next = mali_frame_next,
	.draw = mali_frame_draw,
	.vertices = mali_frame_vertices,
	.shade = mali_frame_shade,
	.counted = frame_counted,
	.image = mali_frame_image,
	.parts = mali_frame_parts,
};

/* ---- the frame ---- */

static int mali_frame_new_tile(struct mali_frame *f)
{
	struct vr_tile *t = &f->f.tile;
	u32 bytes;
	void *mem;

	t->samples = f->t->fb.samples;
	t->ntargets = f->t->fb.ntargets;
	memcpy(t->format, f->t->fb.format, sizeof(t->format));
	t->zformat = f->t->fb.zformat;
	t->has_stencil = true;
	bytes = vr_tile_bytes(t);
	f->f.quads = simt_arena_alloc(&f->j->arena, 1, sizeof(*f->f.quads));
	mem = simt_arena_take(&f->j->arena, bytes, 1);
	if (!bytes || !f->f.quads || !mem)
		return mali_reject_at(&f->p, MALI_LIMIT_MEMORY, "tile buffer", 0, bytes);
	vr_tile_place(t, mem);
	f->f.quads->tile = t;
	return 0;
}

int mali_frame_new(const struct mali_parser *p, struct simt_job *j, struct mali_tiles *t,
		   u32 worker, struct mali_frame **out)
{
	struct mali_frame *f = simt_arena_alloc(&j->arena, 1, sizeof(*f));
	struct mali_parser copy = *p;
	int ret;

	if (!f)
		return mali_reject_at(&copy, MALI_LIMIT_MEMORY, "frame", 0, sizeof(*f));
	f->p = *p;
	f->p.fixed = true;
	f->j = j;
	f->t = t;
	f->f.ops = &frame_ops;
	f->f.mem.tlb.map = p->c->tlb.map;
	f->f.tiles = &t->tiles;
	f->f.worker = worker;
	ret = mali_frame_new_tile(f);
	f->mark = j->arena.used;
	*out = f;
	return ret;
}

int mali_frame_step(struct mali_frame *f)
{
	struct vr_access a = {};
	int ret;

	f->f.simd = f->j->simd;
	ret = vr_frame_step(&f->f);
	f->j->charge += f->f.charge;
	f->f.charge = 0;
	if (ret == -EFAULT)
		simt_job_fault(f->j, f->f.mem.kind, f->f.mem.va, f->f.mem.size);
	if (ret != -EINVAL)
		return ret;
	/* the image of the access that failed */
	mali_frame_image(&f->f, f->f.access, true, &a);
	return mali_reject_at(&f->p, MALI_BAD_FRAMEBUFFER, "writeback", a.image->va, a.att);
}
