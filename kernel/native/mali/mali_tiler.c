// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * TILER jobs: primitives are put into lists of the bins of 64 x 64 pixels that they may cover.
 * FRAGMENT jobs take them from there; vertices stay where they are. Bins are raster/bin.c's.
 */
#include "mali_tiler.h"

#define STEP_ITEMS	64	/* indices, primitives or bins between two checks of the slice */
#define ITEM_WEIGHT	4
#define SIDE		6	/* of bins: 64 pixels */

static struct mali_tiler *to_tiler(struct vr_binner *b)
{
	return container_of(b, struct mali_tiler, bins);
}

static int mali_tiler_bin_vertex(struct vr_binner *b, u32 index, struct vr_vertex *v)
{
	return mali_prim_vertex(&b->mem, &to_tiler(b)->prim, index, v);
}

static int mali_tiler_bin_triangle(struct vr_binner *b, const u32 index[3], struct vr_vertex v[3])
{
	return mali_prim_triangle(&b->mem, &to_tiler(b)->prim, index, v);
}

static int mali_tiler_bin_size(struct vr_binner *b, u32 index, u32 *size)
{
	return mali_prim_size(&b->mem, &to_tiler(b)->prim, index, size);
}

/* Put a primitive into the heap. */
static int mali_tiler_bin_begin(struct vr_binner *b, const struct vr_corners *c)
{
	struct mali_tiler *t = to_tiler(b);
	struct mali_binned prim = { .job = t->job, .primitive = c->primitive, .n = c->n,
				    .provoking = c->provoking };
	int ret;

	memcpy(prim.vertex, c->index, c->n * sizeof(*prim.vertex));
	ret = vr_lists_take(&t->list, &b->mem, &t->heap.heap, sizeof(prim), &t->binning);
	return ret ? ret : vr_write(&b->mem, t->binning, &prim, sizeof(prim));
}

static int mali_tiler_bin_add(struct vr_binner *b, u32 x, u32 y)
{
	struct mali_tiler *t = to_tiler(b);

	return vr_lists_add(&t->list, &b->mem, &t->heap.heap, &t->last, y * t->list.width + x,
			    t->binning);
}

static const struct vr_bin_ops bin_ops = {
	.vertex = mali_tiler_bin_vertex,
	.triangle = mali_tiler_bin_triangle,
	.size = mali_tiler_bin_size,
	.begin = mali_tiler_bin_begin,
	.add = mali_tiler_bin_add,
};

/* ---- the job ---- */

/* The framebuffer's size and samples: in its descriptor (v4, v5), or the tiler context. */
static int read_context(struct mali_tiler *t, u64 job, const u32 *draw)
{
	struct mali_parser *p = &t->p;
	u64 va = mali_u64(draw, MALI_DRAW_STORAGE) & ~63ULL;
	u32 w[4], size, samples;
	int ret;

	if (p->arch->midgard) {
		ret = mali_words(p, va + 32, w, 4, 4, "framebuffer");
		size = w[0];
		samples = mali_bits(w, 3, 0, 3);
		va += MALI_FB_TILER;
	} else {
		ret = mali_words(p, job + 72, w, 2, 8, "tiler");
		va = mali_u64(w, 0);
		if (!ret)
			ret = mali_words(p, va + 8, w, 2, 8, "tiler context");
		size = w[1];
		samples = mali_bits(w, 0, 13, 3);
	}
	if (ret)
		return ret;
	t->bins.frame[0] = size & 0xffff;
	t->bins.frame[1] = size >> 16;
	/* both fields are 0 without multisampling */
	t->bins.samples = samples ? 0 : 1;
	return mali_heap_read(p, va, &t->heap);
}

/* Lists that an earlier job of the frame has begun, or new ones. */
static int mali_tiler_read_list(struct mali_tiler *t)
{
	u32 w[sizeof(t->list) / 4], width = (t->bins.frame[0] >> SIDE) + 1;
	u32 height = (t->bins.frame[1] >> SIDE) + 1;
	int ret = mali_words(&t->p, t->heap.list, w, ARRAY_SIZE(w), 8, "polygon list");

	if (ret)
		return ret;
	memcpy(&t->list, w, sizeof(t->list));
	if (!vr_lists_match(&t->list, width, height))
		vr_lists_init(&t->list, &t->heap.heap, width, height);
	return 0;
}

int mali_tiler_begin(struct mali_tiler *t, const struct mali_parser *p, u64 job)
{
	u64 va = job + mali_draw_offset(p->arch);
	u32 draw[MALI_DRAW_WORDS];
	int ret;

	*t = (struct mali_tiler){ .p = *p, .job = job,
				  .bins = { .ops = &bin_ops, .mem.tlb.map = p->c->tlb.map,
					    .side = { SIDE, SIDE } } };
	ret = mali_words(&t->p, va, draw, MALI_DRAW_WORDS, 64, "draw");
	if (ret)
		return ret;
	ret = mali_prim_read(&t->p, job, draw, &t->prim);
	if (ret)
		return ret;
	ret = read_context(t, job, draw);
	if (ret)
		return ret;
	t->bins.cull = mali_cull(draw);
	/* a list without indices has each vertex once */
	t->bins.keep = t->prim.index_bytes || t->prim.mode != VR_TRIANGLES;
	vr_assembly_begin(&t->a, t->prim.mode, t->prim.first);
	return mali_tiler_read_list(t);
}

/* The next index, of some that are read at once if all can be. */
static int mali_tiler_read_index(struct mali_tiler *t, u32 *vertex, bool *restart)
{
	u32 bytes = t->prim.index_bytes, n = min_t(u32, TILER_INDICES, t->prim.count - t->at);

	if (!bytes)
		return mali_prim_index(&t->bins.mem, &t->prim, t->at, t->instance, vertex, restart);
	if (t->used == t->read) {
		t->used = 0;
		t->read = 0;
		if (vr_read(&t->bins.mem, t->prim.indices + (u64)t->at * bytes, t->index,
			    n * bytes))
			return mali_prim_index(&t->bins.mem, &t->prim, t->at, t->instance, vertex,
					       restart);
		t->read = n;
	}
	*vertex = mali_prim_index_vertex(&t->prim, t->index, t->used++, t->instance, restart);
	return 0;
}

/* All indices of the instance have been read. */
static void mali_tiler_next_instance(struct mali_tiler *t)
{
	t->at = 0;
	t->instance++;
	vr_assembly_begin(&t->a, t->prim.mode, t->prim.first);
}

/* Is the next primitive the triangle of the next three indices? */
static bool mali_tiler_is_listed(const struct mali_tiler *t)
{
	return t->prim.mode == VR_TRIANGLES && t->prim.restart == MALI_RESTART_NONE &&
	       !t->a.have && t->prim.count - t->at >= 3;
}

/* Assemble it, as mali_tiler_next_index() does of each index. */
static int mali_tiler_next_listed(struct mali_tiler *t)
{
	struct vr_corners *c = t->c;
	bool restart;
	u32 i;
	int ret;

	c->n = 3;
	c->provoking = t->a.first ? 0 : 2;
	c->primitive = t->a.primitive++;
	for (i = 0; i < 3; i++, t->at++) {
		c->index[i] = t->at + t->instance * t->prim.instance_size;
		if (!t->prim.index_bytes)
			continue;
		ret = mali_tiler_read_index(t, &c->index[i], &restart);
		if (ret)
			return ret;
	}
	t->ic = 0;
	t->nc = 1;
	if (t->at == t->prim.count)
		mali_tiler_next_instance(t);
	return 0;
}

/* Assemble the primitives of the next index. */
static int mali_tiler_next_index(struct mali_tiler *t)
{
	u32 vertex;
	bool restart;
	int ret;

	t->ic = 0;
	ret = mali_tiler_read_index(t, &vertex, &restart);
	if (ret)
		return ret;
	t->nc = restart ? vr_assemble_restart(&t->a, t->c) : vr_assemble(&t->a, vertex, t->c);
	if (++t->at < t->prim.count)
		return 0;
	if (!restart)
		t->nc += vr_assemble_restart(&t->a, t->c + t->nc);
	mali_tiler_next_instance(t);
	return 0;
}

static int mali_tiler_do_step(struct mali_tiler *t, struct simt_job *j)
{
	int ret = 0;

	if (!vr_lists_cleared(&t->list)) {
		j->charge += VR_CLEAR_BINS;
		return vr_lists_clear(&t->list, &t->bins.mem, &t->heap.heap);
	}
	if (t->bins.busy)
		return vr_bin_step(&t->bins);
	if (t->ic == t->nc) {
		if (mali_tiler_is_listed(t)) {
			/* three indices */
			j->charge += 2 * ITEM_WEIGHT;
			ret = mali_tiler_next_listed(t);
		} else {
			ret = mali_tiler_next_index(t);
		}
		t->prims += ret ? 0 : t->nc;
	}
	if (!ret && t->ic < t->nc)
		ret = vr_bin_primitive(&t->bins, &t->c[t->ic++]);
	/* mostly the only one */
	return !ret && t->bins.busy ? vr_bin_step(&t->bins) : ret;
}

static bool mali_tiler_is_done(const struct mali_tiler *t)
{
	return t->instance >= t->prim.instances && !t->bins.busy && t->ic == t->nc;
}

static int steps(struct mali_tiler *t, struct simt_job *j)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < STEP_ITEMS && !mali_tiler_is_done(t) && !ret; i++) {
		j->charge += ITEM_WEIGHT;
		ret = mali_tiler_do_step(t, j);
	}
	if (ret)
		return ret;
	if (!mali_tiler_is_done(t))
		return -EAGAIN;
	return vr_write(&t->bins.mem, t->heap.list, &t->list, sizeof(t->list));
}

int mali_tiler_step(struct mali_tiler *t, struct simt_job *j)
{
	const struct vr_mem *mem = &t->bins.mem;
	int ret;

	if (t->prim.mode == VR_NUM_MODES)
		return 0;
	t->bins.simd = j->simd;
	ret = steps(t, j);
	if (ret == -EFAULT)
		simt_job_fault(j, mem->kind, mem->va, mem->size);
	return ret;
}
