// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * TILER jobs: primitives are put into lists of the bins of 64 x 64 pixels that they may cover.
 * FRAGMENT jobs take them from there; vertices stay where they are.
 */
#include "mali_tiler.h"

#define STEP_ITEMS	64	/* indices, primitives or bins between two checks of the slice */
#define ITEM_WEIGHT	4
#define FAR		0x20000	/* pixels; frames are smaller */
#define HEAP_ALIGN	64
#define CLEAR_BINS	64	/* at a time */

/* ---- memory ---- */

static int fault(struct simt_job *j, enum vs_fault_kind kind, u64 va, u32 size)
{
	simt_job_fault(j, kind, va, size);
	return -EFAULT;
}

static int put(struct mali_tiler *t, struct simt_job *j, u64 va, const void *from, u32 size)
{
	if (mali_write(t->p.c->map, va, from, size))
		return 0;
	return fault(j, VS_FAULT_WRITE, va, size);
}

static int get(struct mali_tiler *t, struct simt_job *j, u64 va, void *to, u32 size)
{
	if (mali_read(t->p.c->map, va, to, size))
		return 0;
	return fault(j, VS_FAULT_READ, va, size);
}

/* Take bytes of the heap. */
static int take(struct mali_tiler *t, struct simt_job *j, u32 size, u64 *va)
{
	*va = t->list.used;
	if (*va < t->heap.lo || *va > t->heap.hi || t->heap.hi - *va < size)
		return fault(j, VS_FAULT_OVERFLOW, *va, size);
	t->list.used += size;
	return 0;
}

static int put_list(struct mali_tiler *t, struct simt_job *j)
{
	return put(t, j, t->heap.list, &t->list, sizeof(t->list));
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

/* Extend a rectangle of pixels by a vertex and @more pixels around it. */
static void extend(s32 box[4], const struct vr_vertex *v, s32 more)
{
	s32 x = floor_of(v->x), y = floor_of(v->y);

	/* behind the eye: anywhere */
	if (v->inv_w >> 31 || !v->inv_w || v->inv_w > 0x7f800000) {
		box[0] = 0;
		box[1] = 0;
		box[2] = FAR;
		box[3] = FAR;
		return;
	}
	box[0] = min(box[0], x - more);
	box[1] = min(box[1], y - more);
	box[2] = max(box[2], x + more);
	box[3] = max(box[3], y + more);
}

static int pixels_of(struct mali_tiler *t, struct simt_job *j, const struct vr_corners *c,
		     s32 box[4])
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
		extend(box, &v, more);
	}
	return 0;
}

/* ---- bins ---- */

/* Put a primitive into the heap, unless it covers nothing of the frame. */
static int begin_primitive(struct mali_tiler *t, struct simt_job *j, const struct vr_corners *c)
{
	struct mali_binned prim = { .job = t->job, .primitive = c->primitive, .n = c->n,
				    .provoking = c->provoking };
	s32 box[4] = { FAR, FAR, -FAR, -FAR };
	u32 i;
	int ret;

	ret = pixels_of(t, j, c, box);
	if (ret || box[2] < 0 || box[3] < 0 || box[0] > (s32)t->frame[0] ||
	    box[1] > (s32)t->frame[1])
		return ret;
	for (i = 0; i < 4; i++)
		t->box[i] = clamp_t(s32, box[i], 0, t->frame[i % 2]) / MALI_BIN_SIZE;
	memcpy(prim.vertex, c->index, c->n * sizeof(*prim.vertex));
	ret = take(t, j, sizeof(prim), &t->binning);
	t->x = t->box[0];
	t->y = t->box[1];
	return ret ? ret : put(t, j, t->binning, &prim, sizeof(prim));
}

/* Add a chunk to a bin's list. */
static int new_chunk(struct mali_tiler *t, struct simt_job *j, u64 at, struct mali_bin *bin)
{
	const struct mali_chunk c = { .magic = MALI_CHUNK_MAGIC, .n = 1, .prim = { t->binning } };
	u64 va;
	int ret;

	ret = take(t, j, sizeof(c), &va);
	if (!ret)
		ret = put(t, j, va, &c, sizeof(c));
	if (!ret && bin->first)
		ret = put(t, j, bin->last + offsetof(struct mali_chunk, next), &va, sizeof(va));
	if (!bin->first)
		bin->first = va;
	bin->last = va;
	return ret ? ret : put(t, j, at, bin, sizeof(*bin));
}

/* Add the primitive to a bin's list. */
static int add_to(struct mali_tiler *t, struct simt_job *j, u32 number)
{
	u64 at = t->list.bins + (u64)number * sizeof(struct mali_bin);
	struct mali_bin bin;
	u32 n = MALI_CHUNK_ENTRIES;
	int ret;

	ret = get(t, j, at, &bin, sizeof(bin));
	if (!ret && bin.first)
		ret = get(t, j, bin.last + offsetof(struct mali_chunk, n), &n, sizeof(n));
	if (ret)
		return ret;
	if (n >= MALI_CHUNK_ENTRIES)
		return new_chunk(t, j, at, &bin);
	ret = put(t, j, bin.last + offsetof(struct mali_chunk, prim) + n * sizeof(t->binning),
		  &t->binning, sizeof(t->binning));
	n++;
	return ret ? ret : put(t, j, bin.last + offsetof(struct mali_chunk, n), &n, sizeof(n));
}

static int next_bin(struct mali_tiler *t, struct simt_job *j)
{
	int ret = add_to(t, j, t->y * t->list.width + t->x);

	if (t->x++ < t->box[2])
		return ret;
	t->x = t->box[0];
	if (t->y++ == t->box[3])
		t->binning = 0;
	return ret;
}

/* Clear some of a new frame's bins. */
static int clear_bins(struct mali_tiler *t, struct simt_job *j)
{
	static const struct mali_bin empty[CLEAR_BINS];
	u32 n = min_t(u32, CLEAR_BINS, t->list.width * t->list.height - t->list.cleared);
	int ret;

	if (t->list.used > t->heap.hi || t->list.used < t->heap.lo)
		return fault(j, VS_FAULT_OVERFLOW, t->heap.hi, sizeof(*empty));
	ret = put(t, j, t->list.bins + (u64)t->list.cleared * sizeof(*empty), empty,
		  n * sizeof(*empty));
	t->list.cleared += n;
	j->charge += CLEAR_BINS;
	return ret;
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

/* Lists that an earlier job of the frame has begun, or new ones. */
static int read_list(struct mali_tiler *t)
{
	u32 w[sizeof(t->list) / 4], width = t->frame[0] / MALI_BIN_SIZE + 1;
	u32 height = t->frame[1] / MALI_BIN_SIZE + 1;
	int ret = mali_words(&t->p, t->heap.list, w, ARRAY_SIZE(w), 8, "polygon list");

	if (ret)
		return ret;
	memcpy(&t->list, w, sizeof(t->list));
	if (t->list.magic == MALI_LIST_MAGIC && t->list.width == width &&
	    t->list.height == height && t->list.cleared <= width * height)
		return 0;
	t->list = (struct mali_list){ .magic = MALI_LIST_MAGIC, .width = width, .height = height };
	t->list.bins = (t->heap.lo + HEAP_ALIGN - 1) & ~(HEAP_ALIGN - 1ULL);
	t->list.used = t->list.bins + (u64)width * height * sizeof(struct mali_bin);
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

/* Assemble the primitives of the next index. */
static int next_index(struct mali_tiler *t, struct simt_job *j)
{
	u32 vertex;
	bool restart;

	t->ic = 0;
	if (!mali_prim_index(t->p.c->map, &t->prim, t->at, t->instance, &vertex, &restart))
		return fault(j, VS_FAULT_READ,
			     t->prim.indices + (u64)t->at * t->prim.index_bytes,
			     t->prim.index_bytes);
	t->nc = restart ? vr_assemble_restart(&t->a, t->c) : vr_assemble(&t->a, vertex, t->c);
	if (++t->at < t->prim.count)
		return 0;
	if (!restart)
		t->nc += vr_assemble_restart(&t->a, t->c + t->nc);
	t->at = 0;
	t->instance++;
	vr_assembly_begin(&t->a, t->prim.mode, t->prim.first);
	return 0;
}

static int step(struct mali_tiler *t, struct simt_job *j)
{
	if (t->list.cleared < t->list.width * t->list.height)
		return clear_bins(t, j);
	if (t->binning)
		return next_bin(t, j);
	if (t->ic < t->nc)
		return begin_primitive(t, j, &t->c[t->ic++]);
	return next_index(t, j);
}

static bool is_done(const struct mali_tiler *t)
{
	return t->instance >= t->prim.instances && !t->binning && t->ic == t->nc;
}

int mali_tiler_step(struct mali_tiler *t, struct simt_job *j)
{
	u32 i;
	int ret = 0;

	if (t->prim.mode == VR_NUM_MODES)
		return 0;
	for (i = 0; i < STEP_ITEMS && !is_done(t) && !ret; i++) {
		j->charge += ITEM_WEIGHT;
		ret = step(t, j);
	}
	if (ret || !is_done(t))
		return ret ? ret : -EAGAIN;
	return put_list(t, j);
}
