// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * TILER jobs: groups of consecutive primitives with the rectangle of pixels that they may cover
 * become records in the tiler heap. FRAGMENT jobs take the primitives from there; vertices and
 * indices stay where they are.
 */
#include "mali_tiler.h"

#define GROUP_PRIMS	64	/* of a record */
#define GROUP_INDICES	256	/* looked at for a record */
#define STEP_INDICES	64	/* between two checks of the slice */
#define INDEX_WEIGHT	4
#define RECORD_WEIGHT	16
#define FAR		0x20000	/* pixels; frames are smaller */

/* ---- memory ---- */

static int fault(struct simt_job *j, enum vs_fault_kind kind, u64 va, u32 size)
{
	simt_job_fault(j, kind, va, size);
	return -EFAULT;
}

static int put(struct mali_tiler *t, struct simt_job *j, u64 va, const void *from, u32 size)
{
	if (va < VS_INTERNAL_VA && vs_map_write(t->p.c->map, va, from, size) == size)
		return 0;
	return fault(j, VS_FAULT_WRITE, va, size);
}

/* Append the record to the list. */
static int append(struct mali_tiler *t, struct simt_job *j)
{
	struct mali_list *l = &t->list;
	u64 va = l->used;
	int ret;

	if (va < t->heap.lo || va > t->heap.hi || t->heap.hi - va < sizeof(t->rec) || !~l->count)
		return fault(j, VS_FAULT_OVERFLOW, va, sizeof(t->rec));
	ret = put(t, j, va, &t->rec, sizeof(t->rec));
	if (!ret && l->count)
		ret = put(t, j, l->last + offsetof(struct mali_record, next), &va, sizeof(va));
	if (!l->count)
		l->first = va;
	l->last = va;
	l->used = va + sizeof(t->rec);
	l->count++;
	return ret ? ret : put(t, j, t->heap.list, l, sizeof(*l));
}

/* ---- rectangles ---- */

/* Largest integer that is not above a binary32; within FAR, NaN is the lower end. */
static s32 floor_of(u32 f)
{
	u32 e = f >> 23 & 0xff, mant = (f & 0x7fffff) | 0x800000;
	bool negative = f >> 31;
	s32 v;

	if (e < 127)
		return negative && f << 1 ? -1 : 0;
	if (e >= 127 + 17)
		return negative || (f & 0x7fffffff) > 0x7f800000 ? -FAR : FAR;
	v = (s32)(mant >> (150 - e));
	if (!negative)
		return v;
	return mant << (e - 118) ? -v - 1 : -v;
}

static void whole(struct mali_tiler *t)
{
	t->box[0] = 0;
	t->box[1] = 0;
	t->box[2] = FAR;
	t->box[3] = FAR;
}

/* Extend the rectangle by a vertex and @more pixels around it. */
static void extend(struct mali_tiler *t, const struct vr_vertex *v, s32 more)
{
	s32 x = floor_of(v->x), y = floor_of(v->y);

	/* behind the eye: anywhere */
	if (v->inv_w >> 31 || !v->inv_w || v->inv_w > 0x7f800000) {
		whole(t);
		return;
	}
	t->box[0] = min(t->box[0], x - more);
	t->box[1] = min(t->box[1], y - more);
	t->box[2] = max(t->box[2], x + more);
	t->box[3] = max(t->box[3], y + more);
}

static int add_primitive(struct mali_tiler *t, struct simt_job *j, const struct vr_corners *c)
{
	const struct vs_map *map = t->p.c->map;
	struct vr_vertex v;
	u32 i, size;
	s32 more = 1;

	if (c->n < 3) {
		if (!mali_prim_size(map, &t->prim, c->index[0], &size))
			return fault(j, VS_FAULT_READ, t->prim.size, t->prim.size_bytes);
		more = clamp_t(s32, floor_of(size), 0, FAR) + 2;
	}
	for (i = 0; i < c->n; i++) {
		if (!mali_prim_vertex(map, &t->prim, c->index[i], &v))
			return fault(j, VS_FAULT_READ, t->prim.positions + 16ULL * c->index[i], 16);
		extend(t, &v, more);
	}
	t->rec.nprims++;
	return 0;
}

/* ---- records ---- */

static void open_record(struct mali_tiler *t)
{
	t->rec = (struct mali_record){
		.magic = MALI_RECORD_MAGIC, .job = t->job, .instance = t->instance, .at = t->at,
		.have = t->a.have, .primitive = t->a.primitive,
	};
	memcpy(t->rec.v, t->a.v, sizeof(t->rec.v));
	t->box[0] = FAR;
	t->box[1] = FAR;
	t->box[2] = -FAR;
	t->box[3] = -FAR;
	t->open = true;
}

/* Write the record, unless it covers nothing of the frame. */
static int close_record(struct mali_tiler *t, struct simt_job *j)
{
	u32 i;

	t->open = false;
	if (!t->rec.nprims || t->box[2] < 0 || t->box[3] < 0 || t->box[0] > (s32)t->frame[0] ||
	    t->box[1] > (s32)t->frame[1])
		return 0;
	for (i = 0; i < 4; i++)
		t->rec.box[i] = clamp_t(s32, t->box[i], 0, t->frame[i % 2]);
	j->charge += RECORD_WEIGHT;
	return append(t, j);
}

/* ---- the job ---- */

/* Words of the framebuffer's size: in its descriptor (v4, v5), or the tiler context. */
static int read_context(struct mali_tiler *t, u64 job, const u32 *draw)
{
	struct mali_parser *p = &t->p;
	u64 va = mali_u64(draw, MALI_DRAW_STORAGE) & ~63ULL;
	u32 w[2];
	int ret;

	if (p->arch->midgard) {
		ret = mali_words(p, va + 32, w, 1, 4, "framebuffer");
		va += MALI_FB_TILER;
	} else {
		ret = mali_words(p, job + 72, w, 2, 8, "tiler");
		va = mali_u64(w, 0);
		if (!ret)
			ret = mali_words(p, va + 12, w, 1, 4, "tiler context");
	}
	if (ret)
		return ret;
	t->frame[0] = w[0] & 0xffff;
	t->frame[1] = w[0] >> 16;
	return mali_heap_read(p, va, &t->heap);
}

/* A list that is empty, or that an earlier job of the frame has begun. */
static int read_list(struct mali_tiler *t)
{
	u32 w[sizeof(t->list) / 4];
	int ret = mali_words(&t->p, t->heap.list, w, ARRAY_SIZE(w), 8, "polygon list");

	if (ret)
		return ret;
	memcpy(&t->list, w, sizeof(t->list));
	if (t->list.magic != MALI_LIST_MAGIC)
		t->list = (struct mali_list){ .magic = MALI_LIST_MAGIC,
					      .used = (t->heap.lo + 63) & ~63ULL };
	return 0;
}

int mali_tiler_begin(struct mali_tiler *t, const struct mali_parser *p, u64 job)
{
	u64 va = job + mali_draw_offset(p->arch);
	u32 draw[MALI_DRAW_WORDS];
	int ret;

	*t = (struct mali_tiler){ .p = *p, .job = job };
	ret = mali_words(&t->p, va, draw, MALI_DRAW_WORDS, 64, "draw");
	if (!ret)
		ret = mali_prim_read(&t->p, job, draw, &t->prim);
	if (!ret)
		ret = read_context(t, job, draw);
	if (!ret)
		ret = read_list(t);
	vr_assembly_begin(&t->a, t->prim.mode, t->prim.first);
	return ret;
}

static int next_index(struct mali_tiler *t, struct simt_job *j)
{
	struct vr_corners c[VR_MAX_ASSEMBLED + 1];
	u32 vertex, n, i;
	bool restart;
	int ret = 0;

	if (!t->open)
		open_record(t);
	if (!mali_prim_index(t->p.c->map, &t->prim, t->at, t->instance, &vertex, &restart))
		return fault(j, VS_FAULT_READ,
			     t->prim.indices + (u64)t->at * t->prim.index_bytes,
			     t->prim.index_bytes);
	n = restart ? vr_assemble_restart(&t->a, c) : vr_assemble(&t->a, vertex, c);
	if (++t->at == t->prim.count && !restart)
		n += vr_assemble_restart(&t->a, c + n);
	for (i = 0; i < n && !ret; i++)
		ret = add_primitive(t, j, &c[i]);
	if (!ret && (t->at == t->prim.count || t->rec.nprims >= GROUP_PRIMS ||
		     t->at - t->rec.at >= GROUP_INDICES))
		ret = close_record(t, j);
	return ret;
}

int mali_tiler_step(struct mali_tiler *t, struct simt_job *j)
{
	u32 i;
	int ret;

	if (t->prim.mode == VR_NUM_MODES || t->instance >= t->prim.instances)
		return 0;
	for (i = 0; i < STEP_INDICES && t->at < t->prim.count; i++) {
		j->charge += INDEX_WEIGHT;
		ret = next_index(t, j);
		if (ret)
			return ret;
	}
	if (t->at == t->prim.count) {
		t->at = 0;
		t->instance++;
		vr_assembly_begin(&t->a, t->prim.mode, t->prim.first);
	}
	return t->instance < t->prim.instances ? -EAGAIN : 0;
}
