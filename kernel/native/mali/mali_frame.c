// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * FRAGMENT jobs: tiles of the frame, and for each tile clear, draws, store. Draws are in
 * mali_frame_draw.c.
 */
#include "mali_frame_priv.h"

#define OFF_PAYLOAD	32
#define PAYLOAD_WORDS	8
#define PARTS		4	/* 16 x 16 pixels in a row of a tile */
#define CLEAR_WEIGHT	1024
#define IO_WEIGHT	512

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
static int read_list(struct mali_parser *p, struct mali_tiles *t)
{
	u32 w[sizeof(struct mali_list) / 4];
	struct mali_heap h;
	int ret;

	if (!t->fb.tiler)
		return 0;
	ret = mali_heap_read(p, t->fb.tiler, &h);
	if (!ret && h.list)
		ret = mali_words(p, h.list, w, ARRAY_SIZE(w), 8, "polygon list");
	if (!ret && h.list)
		memcpy(&t->list, w, sizeof(t->list));
	return ret;
}

int mali_frame_read(const struct mali_parser *p, u64 job, struct mali_tiles *t)
{
	struct mali_parser copy = *p;
	int ret;

	*t = (struct mali_tiles){ .job = p->job };
	ret = read_payload(&copy, job, t);
	return ret ? ret : read_list(&copy, t);
}

static int new_tile(struct mali_frame *f)
{
	struct vr_tile *t = &f->tile;
	u32 bytes;
	void *mem;

	t->samples = f->t->fb.samples;
	t->ntargets = f->t->fb.ntargets;
	memcpy(t->format, f->t->fb.format, sizeof(t->format));
	t->zformat = f->t->fb.zformat;
	t->has_stencil = true;
	bytes = vr_tile_bytes(t);
	f->quads = simt_arena_alloc(&f->j->arena, 1, sizeof(*f->quads));
	mem = simt_arena_take(&f->j->arena, bytes, 1);
	if (!bytes || !f->quads || !mem)
		return mali_reject_at(&f->p, MALI_LIMIT_MEMORY, "tile buffer", 0, bytes);
	vr_tile_place(t, mem);
	f->quads->tile = t;
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
	f->worker = worker;
	ret = new_tile(f);
	f->mark = j->arena.used;
	*out = f;
	return ret;
}

enum simt_next mali_frame_launch(struct mali_frame *f, struct mali_exec *e)
{
	const struct mali_state *s = f->state;
	struct mali_work w;

	mali_exec_work(e, s->launch, &w);
	w.stage = MALI_STAGE_FRAGMENT;
	w.warp_limit = 0;
	w.frag = &s->frag;
	return mali_exec_begin(e, &w);
}

int mali_frame_fault(struct mali_frame *f, enum vs_fault_kind kind, u64 va, u32 size)
{
	simt_job_fault(f->j, kind, va, size);
	return -EFAULT;
}

/* ---- tiles ---- */

/* Parts of the current tile that are written. */
static int parts_of(struct mali_frame *f, u16 *parts)
{
	const struct mali_tiles *t = f->t;
	u32 i, x, y;
	u8 byte;
	u64 va;

	*parts = 0;
	for (i = 0; i < PARTS * PARTS; i++) {
		x = f->tx * PARTS + i % PARTS;
		y = f->ty * PARTS + i / PARTS;
		if (x < t->bound[0] || x > t->bound[2] || y < t->bound[1] || y > t->bound[3])
			continue;
		if (t->map) {
			va = t->map + (u64)y * t->map_stride + x / 8;
			if (!mali_read(f->p.c->map, va, &byte, 1))
				return mali_frame_fault(f, VS_FAULT_READ, va, 1);
			if (!(byte >> (x % 8) & 1))
				continue;
		}
		*parts |= BIT(i);
	}
	return 0;
}

/* Beginning of the tile's list. */
static int read_bin(struct mali_frame *f)
{
	const struct mali_list *l = &f->t->list;
	struct mali_bin bin;
	u64 va;

	f->chunk = (struct mali_chunk){};
	f->next = 0;
	if (l->magic != MALI_LIST_MAGIC || f->tx >= l->width || f->ty >= l->height ||
	    l->cleared != l->width * l->height)
		return 0;
	va = l->bins + ((u64)f->ty * l->width + f->tx) * sizeof(bin);
	if (!mali_read(f->p.c->map, va, &bin, sizeof(bin)))
		return mali_frame_fault(f, VS_FAULT_READ, va, sizeof(bin));
	f->chunk.next = bin.first;
	return 0;
}

/* Begin a tile, or finish behind the last one. */
static int begin_tile(struct mali_frame *f)
{
	u32 n = mali_tiles_take(f->t, f->worker), i;
	struct vr_tile *t = &f->tile;

	if (n == MALI_TILES_NONE) {
		f->phase = MALI_FRAME_DONE;
		return -EAGAIN;
	}
	f->tx = f->t->x + n % f->t->columns;
	f->ty = f->t->y + n / f->t->columns;
	t->x = f->tx * VR_TILE;
	t->y = f->ty * VR_TILE;
	for (i = 0; i < t->ntargets; i++)
		if (t->format[i].bytes)
			vr_tile_clear(t, i, f->t->fb.clear[i]);
	vr_tile_clear_zs(t, f->t->fb.z_clear, f->t->fb.s_clear);
	f->j->charge += CLEAR_WEIGHT * (1 + t->ntargets) * t->samples;
	f->touched = false;
	f->pass = 0;
	f->shader = 0;
	f->phase = MALI_FRAME_PRE;
	return read_bin(f) ?: -EAGAIN;
}

/* ---- stores ---- */

/* Image of attachment @i: targets, depth, stencil. NULL: not to be written. */
static const struct vr_image *image_of(const struct mali_frame *f, u32 i, u32 *att)
{
	const struct mali_fb *fb = &f->t->fb;
	const struct vr_image *m;
	bool clean;

	if (i < VR_MAX_TARGETS) {
		*att = i;
		m = &fb->image[i];
		clean = fb->clean >> i & 1;
	} else {
		*att = VR_ATT_ZS;
		m = &fb->zs[i - VR_MAX_TARGETS];
		clean = fb->clean_zs;
	}
	return m->va && (clean || f->touched) ? m : NULL;
}

static int begin_store(struct mali_frame *f, const struct vr_image *m, u32 att)
{
	if (!vr_io_begin(&f->io, &f->tile, m, att, true))
		return mali_reject_at(&f->p, MALI_BAD_FRAMEBUFFER, "writeback", m->va, att);
	f->storing = true;
	return parts_of(f, &f->io.parts) ?: -EAGAIN;
}

static int store(struct mali_frame *f)
{
	const struct vr_image *m;
	u32 att;
	int ret;

	if (!f->storing) {
		if (f->att == VR_MAX_TARGETS + MALI_FB_NUM_ZS) {
			f->phase = MALI_FRAME_TILE;
			return -EAGAIN;
		}
		m = image_of(f, f->att, &att);
		if (m)
			return begin_store(f, m, att);
		f->att++;
		return -EAGAIN;
	}
	f->j->charge += IO_WEIGHT;
	ret = vr_io_step(&f->io, f->p.c->map);
	if (ret == -EFAULT)
		return mali_frame_fault(f, VS_FAULT_WRITE, f->io.fault, f->io.bytes);
	if (ret)
		return ret;
	f->storing = false;
	f->att++;
	return -EAGAIN;
}

int mali_frame_step(struct mali_frame *f)
{
	if (mali_tiles_is_over(f->t, f->worker))
		return mali_frame_fault(f, VS_FAULT_CANCELED, 0, 0);
	switch (f->phase) {
	case MALI_FRAME_TILE:
		return begin_tile(f);
	case MALI_FRAME_PRE:
	case MALI_FRAME_BIN:
	case MALI_FRAME_POST:
		return mali_frame_draw(f);
	case MALI_FRAME_STORE:
		return store(f);
	default:
		return 0;
	}
}
