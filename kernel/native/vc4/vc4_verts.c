// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Attribute fetch, launches of vertex programs, cache of their results. */
#include "../../isa/qpu/qpu_intern.h"
#include "vc4_verts.h"

#define START_COST	16
#define ATTRIBUTE_COST	16

/* ---- threads ---- */

/* Words of an element, the last one zero-extended. Return: false: it is not mapped. */
static bool vc4_verts_fetch(struct qpu_shared *s, u32 va, u32 bytes, u32 *row)
{
	const u8 *p = qpu_mem(s, va, bytes, 0);
	u32 word = 0;

	if (!p)
		return false;
	for (; bytes >= 4; bytes -= 4, p += 4, row += QPU_LANES)
		memcpy(row, p, 4);
	if (bytes) {
		memcpy(&word, p, bytes);
		*row = word;
	}
	return true;
}

/* The words of an attribute of a batch, whose first vertex is at @va, if they are in one extent. */
static bool vc4_verts_fetch_all(struct qpu_shared *s, const struct vc4_attribute *a, u32 va,
				u32 *row)
{
	u32 span = (VC4_BATCH - 1) * a->stride + a->bytes, i, l, stride = a->stride;
	const u8 *p, *at;

	/* a debugger sees each access */
	if (s->dbg || a->stride > 0xffff || a->bytes % 4)
		return false;
	p = qpu_mem(s, va, span, 0);
	if (!p)
		return false;
	for (i = 0; i < a->bytes; i += 4, p += 4, row += QPU_LANES)
		for (l = 0, at = p; l < VC4_BATCH; l++, at += stride)
			memcpy(row + l, at, 4);
	return true;
}

/* Vertices that no primitive uses need not be mapped: see vc4_verts_get(). */
static int vc4_verts_start(struct qpu_shared *s, struct qpu_core *q, u32 *w, u32 *z, void *arg)
{
	struct vc4_verts *v = arg;
	struct vc4_batch *b = v->want[q->thread];
	const struct vc4_record *r = v->r;
	const struct vc4_attribute *a;
	u32 i, l, va, *row;

	qpu_machine_charge(s, START_COST + r->nattr * ATTRIBUTE_COST);
	memset(s->vpm[q->in], 0, q->nrows * sizeof(s->vpm[0]));
	q->nrows = 0;
	memset(s->vpm[q->out], 0, b->words * sizeof(s->vpm[0]));
	for (i = 0; i < r->nattr; i++) {
		a = &r->attr[i];
		if (!(r->select[v->stage] >> i & 1))
			continue;
		va = a->va + a->stride * b->number * VC4_BATCH;
		row = s->vpm[q->in + a->row[v->stage]];
		q->nrows = max(q->nrows, a->row[v->stage] + DIV_ROUND_UP(a->bytes, 4));
		if (vc4_verts_fetch_all(s, a, va, row))
			continue;
		for (l = 0; l < VC4_BATCH; l++)
			if (!vc4_verts_fetch(s, va + a->stride * l, a->bytes, row + l))
				b->bad |= 1U << l;
	}
	return QPU_EV_OK;
}

void vc4_verts_use(struct vc4_verts *v, const struct vc4_record *r, u32 draw)
{
	v->r = r;
	v->draw = draw;
	v->words = 3 + r->point_size + (v->stage == VC4_CS ? 4 : r->nvary);
	v->last = NULL;
}

/* Results are in the first rows. */
static void vc4_verts_end(struct qpu_shared *s, struct qpu_core *q, void *arg)
{
	struct vc4_verts *v = arg;

	memcpy(v->want[q->thread]->row, s->vpm[q->out],
	       v->want[q->thread]->words * sizeof(s->vpm[0]));
}

static const struct qpu_feed vertex_feed = { .cost = 64, .start = vc4_verts_start,
					     .end = vc4_verts_end };

void vc4_verts_launch(struct vc4_verts *v, enum vs_simd simd)
{
	u32 i;

	for (i = 0; i < v->nwant; i++)
		v->thread[i] = (struct qpu_thread){ .pc = vc4_address(v->r->code[v->stage]),
						    .uniforms = v->r->uniforms[v->stage] };
	qpu_machine_begin(v->m, simd, &vertex_feed, v, v->thread, v->nwant);
}

void vc4_verts_done(struct vc4_verts *v)
{
	u32 i;

	for (i = 0; i < v->nwant; i++)
		v->want[i]->ready = true;
	v->nwant = 0;
}

/* ---- cache ---- */

#define RECENT	32	/* uses */

void vc4_verts_forget(struct vc4_batch *batch)
{
	u32 i;

	for (i = 0; i < VC4_BATCHES; i++)
		batch[i].used = 0;
}

static bool vc4_verts_is(const struct vc4_verts *v, const struct vc4_batch *b, u32 number)
{
	return b->used && b->number == number && b->draw == v->draw && b->words == v->words;
}

/* Batch that holds a vertex, shaded or wanted; or NULL. *@old: one to replace, or NULL. */
static struct vc4_batch *vc4_verts_find(struct vc4_verts *v, u32 index, struct vc4_batch **old)
{
	u32 number = index / VC4_BATCH, i;
	struct vc4_batch *set = v->batch + number % VC4_SETS * VC4_WAYS, *b;

	*old = NULL;
	for (i = 0; i < VC4_WAYS; i++) {
		b = &set[i];
		if (vc4_verts_is(v, b, number)) {
			v->last = b;
			return b;
		}
		if (b->used && !b->ready)
			continue;
		if (!*old || b->used < (*old)->used)
			*old = b;
	}
	return NULL;
}

/* The last batch, which is one of the draw, if it holds a vertex. */
static __always_inline struct vc4_batch *vc4_verts_last(const struct vc4_verts *v, u32 index)
{
	struct vc4_batch *b = v->last;

	return b && b->number == index / VC4_BATCH ? b : NULL;
}

static noinline struct vc4_batch *want(struct vc4_verts *v, u32 index, bool early)
{
	struct vc4_batch *old, *b;

	b = vc4_verts_find(v, index, &old);
	if (b || !old || v->nwant == QPU_NUM)
		return b;
	/* those of the current primitive stay */
	if (early && old->used && v->clock - old->used < RECENT)
		return NULL;
	old->draw = v->draw;
	old->number = index / VC4_BATCH;
	old->used = ++v->clock;
	old->words = v->words;
	old->bad = 0;
	old->ready = false;
	v->want[v->nwant++] = old;
	v->last = old;
	return old;
}

void vc4_verts_want(struct vc4_verts *v, u32 index)
{
	if (!v->r->nv && !vc4_verts_last(v, index))
		want(v, index, true);
}

/* ---- vertices ---- */

static void set_position(struct vc4_vertex *out, u32 xy)
{
	out->x = (s16)xy;
	out->y = (s16)(xy >> 16);
}

/* Words of a vertex at @p, from one to the next @step. */
static __always_inline void vc4_verts_take(const struct vc4_record *r, bool coords, const u32 *p,
					   u32 step, struct vc4_vertex *out)
{
	u32 i;

	for (i = 0; i < 4; i++, p += coords ? step : 0)
		out->clip[i] = coords ? *p : 0;
	set_position(out, p[0]);
	out->z = p[step];
	out->inv_w = p[2 * step];
	p += 3 * step;
	out->size = r->point_size ? *p : 0;
	out->vary = p + (r->point_size ? step : 0);
	out->step = step;
}

static int get_nv(struct vc4_verts *v, u32 index, u32 corner, struct vc4_vertex *out)
{
	const struct vc4_record *r = v->r;
	u32 va = vc4_address(r->vertices + index * r->stride);
	int ret;

	ret = vr_read(v->mem, va, v->nv[corner], 4 * vc4_vertex_words(r));
	vc4_verts_take(r, r->coords, v->nv[corner], 1, out);
	return ret;
}

/* An attribute of the vertex is not mapped. */
static int bad_vertex(struct vc4_verts *v, u32 index)
{
	const struct vc4_attribute *a = v->r->attr;
	u32 i, va = 0, bytes = 0;

	for (i = 0; i < v->r->nattr; i++) {
		va = vc4_address(a[i].va + a[i].stride * index);
		bytes = a[i].bytes;
		if (v->r->select[v->stage] >> i & 1 && !vs_map_ptr(v->mem->tlb.map, va, bytes, 0))
			break;
	}
	return vr_fault(v->mem, VS_FAULT_READ, va, bytes);
}

int vc4_verts_get(struct vc4_verts *v, u32 index, u32 corner, struct vc4_vertex *out)
{
	struct vc4_batch *b;

	if (v->r->nv)
		return get_nv(v, index, corner, out);
	b = vc4_verts_last(v, index);
	if (unlikely(!b))
		b = want(v, index, false);
	if (!b || !b->ready)
		return VC4_LAUNCH;
	b->used = ++v->clock;
	if (b->bad >> index % VC4_BATCH & 1)
		return bad_vertex(v, index);
	vc4_verts_take(v->r, v->stage == VC4_CS, &b->row[0][index % VC4_BATCH], VC4_BATCH, out);
	return 0;
}
