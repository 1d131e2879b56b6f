// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tiles of render jobs: lists of primitives, vertex shaders, threads of fragment shaders.
 *
 * A thread shades four quads of a draw, of any primitives. A varying is P * W + C: C is its value
 * at the primitive's first corner, P the difference to it, times 1 / w, linear in the window.
 * Depth of all samples of a pixel is that of its centre.
 */
#include "../../engine/softfloat.h"
#include "../../engine/vs_intern.h"
#include "../../isa/qpu/qpu_intern.h"
#include "vc4_render.h"

#define ONE_F32		0x3f800000U
#define QUADS		4	/* of a thread */
#define MAX_THREADS	(VR_QUADS_BLOCKS * VR_QUADS / QUADS)
#define MAX_INPUTS	(VC4_ROWS + 2)
#define INPUT_ROWS	(2 * MAX_INPUTS)
#define STATES		16
#define CHUNKS_AHEAD	4	/* whose vertices are shaded together */
#define ITEM_WEIGHT	8
#define THREAD_WEIGHT	48
#define INPUT_WEIGHT	8	/* of a varying of a thread, or of a primitive that is clipped */
#define IO_WEIGHT	1024

/* Bits of a draw's configuration. */
#define CONFIG_FRONT	0x1
#define CONFIG_BACK	0x2
#define CONFIG_CW	0x4
#define CONFIG_OFFSET	0x8
#define CONFIG_SAMPLES	0xc0
#define CONFIG_FUNC(c)	((c) >> 12 & 7)
#define CONFIG_UPDATE	0x8000

/* Draw with its state. */
struct state {
	struct vr_draw d;
	struct vc4_draw list;
	struct vc4_record r;
};

/* Varyings of a primitive: C, and P at its corners. */
struct inputs {
	u32 c[MAX_INPUTS];
	u32 p[MAX_INPUTS][3];
};

/* Quads of a thread: its block, and the first of them. */
struct place {
	u8 block;
	u8 quad;
};

enum launch { LAUNCH_NONE, LAUNCH_VERTICES, LAUNCH_FRAGMENTS };

/**
 * struct vc4_worker - A worker's part of a render job.
 * @f:		tiles, blocks
 * @r:		job
 * @m:		machine
 * @v:		vertices
 * @launch:	enum launch, in progress
 * @scan:	for packets of passes, and reasons
 * @pass:	current pass
 * @head:	its list
 * @chunk:	part of the list
 * @nchunk:	primitives of it
 * @ichunk:	next one
 * @prim:	current primitive
 * @vertex:	its vertices
 * @cut:	its corners, if it is clipped
 * @box:	pixels of the pass
 * @blank:	the tile buffer is not cleared yet, as nothing has used it
 * @state:	draws that have been read
 * @why:	enum vc4_reason, after -EPROTO
 * @at:		address, and
 * @info:	value
 * @ninputs:	varyings of fragment threads
 * @insns:	instructions of all QPUs when the launch began
 * @events:	events so far, by enum vc4_event
 * @in:		varyings of the blocks' primitives
 * @place:	of each thread
 * @thread:	threads
 * @weights:	of a thread that starts
 * @lane:	a value of its lanes
 * @corner:	values at the corners
 * @rows:	varyings of each QPU's thread: P and C in turns
 * @quads:	blocks
 * @batch:	vertices
 */
struct vc4_worker {
	struct vr_frame f;
	struct vc4_render *r;
	struct qpu_machine *m;
	struct vc4_verts v;
	u32 launch;
	struct vc4_scan scan;
	struct vc4_pass pass;
	struct vc4_head head;
	struct vc4_chunk chunk;
	u32 nchunk;
	u32 ichunk;
	struct vc4_prim prim;
	struct vc4_vertex vertex[3];
	struct vc4_corner cut[3];
	s32 box[4];
	bool blank;
	struct state state[STATES];
	u32 why;
	u32 at;
	u32 info;
	u32 ninputs;
	u64 insns;
	u64 events[VC4_NUM_EVENTS];
	struct inputs in[VR_QUADS_PRIMS];
	struct place place[MAX_THREADS];
	struct qpu_thread thread[MAX_THREADS];
	struct vr_weights weights;
	u32 lane[VS_LANES];
	u32 corner[VR_QUADS][3];
	u32 rows[QPU_NUM][INPUT_ROWS][QPU_LANES];
	struct vr_quads quads;
	struct vc4_batch batch[VC4_BATCHES];
};

static struct vc4_worker *vc4_tile_to_worker(struct vr_frame *f)
{
	return container_of(f, struct vc4_worker, f);
}

static struct state *to_state(struct vc4_worker *w)
{
	return container_of(w->f.draw, struct state, d);
}

static int vc4_tile_refuse(struct vc4_worker *w, u32 why, u32 at, u32 info)
{
	w->why = why;
	w->at = at;
	w->info = info;
	return -EPROTO;
}

/* ---- lists ---- */

static int read_head(struct vc4_worker *w)
{
	struct vc4_head *h = &w->head;
	int ret;

	w->nchunk = 0;
	w->chunk.next = 0;
	w->ichunk = 0;
	if (!w->pass.list)
		return 0;
	ret = vr_read(&w->f.mem, w->pass.list, h, sizeof(*h));
	if (!ret && (h->magic != VC4_HEAD_MAGIC || h->n > VC4_CHUNK_PRIMS))
		ret = vc4_tile_refuse(w, VC4_BAD_LIST, w->pass.list, h->magic);
	if (!ret)
		w->chunk.next = h->first;
	return ret;
}

static int vc4_tile_frame_begin(struct vr_frame *f)
{
	struct vc4_worker *w = vc4_tile_to_worker(f);
	u32 side = w->r->ms ? 32 : 64;
	int ret;

	/* tiles are passes in a row */
	ret = vc4_pass_read(&w->scan, w->r, f->tx, &w->pass);
	if (ret == -EFAULT)
		f->mem = w->scan.mem;
	if (ret == -EPROTO)
		vc4_tile_refuse(w, w->scan.why, w->scan.packet, w->scan.info);
	if (ret)
		return ret;
	w->box[0] = w->pass.x * side;
	w->box[1] = w->pass.y * side;
	w->box[2] = w->box[0] + side - 1;
	w->box[3] = w->box[1] + side - 1;
	f->tx = w->box[0] / VR_TILE;
	f->ty = w->box[1] / VR_TILE;
	f->tile.x = f->tx * VR_TILE;
	f->tile.y = f->ty * VR_TILE;
	w->blank = true;
	return read_head(w);
}

static int read_chunk(struct vc4_worker *w)
{
	u32 va = w->chunk.next;
	int ret;

	if (!va)
		return -ENOENT;
	ret = vr_read(&w->f.mem, va, &w->chunk, sizeof(w->chunk));
	if (ret)
		return ret;
	w->ichunk = 0;
	w->nchunk = w->chunk.next ? VC4_CHUNK_PRIMS : w->head.n;
	return w->chunk.magic == VC4_CHUNK_MAGIC ?
	       -EAGAIN : vc4_tile_refuse(w, VC4_BAD_LIST, va, w->chunk.magic);
}

static int vc4_tile_frame_next(struct vr_frame *f, struct vr_item *item)
{
	struct vc4_worker *w = vc4_tile_to_worker(f);
	struct vc4_prim *p = &w->prim;
	int ret;

	f->charge += ITEM_WEIGHT;
	if (w->ichunk >= w->nchunk)
		return read_chunk(w);
	ret = vr_read(&f->mem, w->chunk.prim[w->ichunk], p, sizeof(*p));
	if (ret)
		return ret;
	if (!p->n || p->n > 3 || p->provoking >= p->n)
		return vc4_tile_refuse(w, VC4_BAD_LIST, w->chunk.prim[w->ichunk], p->n);
	w->ichunk++;
	item->draw = p->draw;
	item->c = (struct vr_corners){ .n = (u8)p->n, .provoking = (u8)p->provoking };
	memcpy(item->c.index, p->index, sizeof(p->index));
	memcpy(item->box, w->box, sizeof(item->box));
	item->boxed = true;
	return 0;
}

/* ---- draws ---- */

static void set_clip(struct vr_state *rs, const u16 clip[4])
{
	u32 i;

	for (i = 0; i < 2; i++) {
		rs->scissor[i] = clip[i];
		rs->scissor[2 + i] = clip[i] + clip[2 + i] - 1;
		/* of no pixels */
		if (!clip[2 + i]) {
			rs->scissor[i] = 1;
			rs->scissor[2 + i] = 0;
		}
	}
}

static void set_draw(struct vc4_worker *w, struct state *s, u32 va)
{
	u32 config = s->list.config;
	struct vr_draw *d = &s->d;

	*d = (struct vr_draw){ .id = va, .index = s->list.number };
	d->rs = (struct vr_state){ .flags = VR_LINE_ALIGNED, .sample_mask = 0xf,
				   .width = w->r->width,
				   .height = w->r->height,
				   .samples = w->r->ms && config & CONFIG_SAMPLES ? 4 : 1 };
	d->rs.flags |= config & CONFIG_CW ? VR_FRONT_CCW : 0;
	d->rs.flags |= config & CONFIG_FRONT ? 0 : VR_CULL_FRONT;
	d->rs.flags |= config & CONFIG_BACK ? 0 : VR_CULL_BACK;
	set_clip(&d->rs, s->list.clip);
	d->depth.range[1] = ONE_F32;
	if (config & CONFIG_OFFSET)
		d->depth.flags = VR_DEPTH_OFFSET;
	d->depth.factor = s->list.offset << 16;
	d->depth.units = s->list.offset & 0xffff0000;
	d->depth.bits = 24;
	d->single = w->r->ms && d->rs.samples == 1;
	d->whole = 0xf;
}

static int vc4_tile_frame_draw(struct vr_frame *f, u64 id, struct vr_draw **out)
{
	struct vc4_worker *w = vc4_tile_to_worker(f);
	u32 va = (u32)id;
	struct state *s = &w->state[va / 32 % STATES];
	int ret;

	if (s->d.id != id || !s->list.magic) {
		s->list.magic = 0;
		ret = vr_read(&f->mem, va, &s->list, sizeof(s->list));
		if (!ret && s->list.magic != VC4_DRAW_MAGIC)
			ret = vc4_tile_refuse(w, VC4_BAD_LIST, va, s->list.magic);
		if (!ret)
			ret = vc4_record_read(&f->mem, &s->r, s->list.state, s->list.record);
		if (ret == -EPROTO && s->list.magic == VC4_DRAW_MAGIC)
			vc4_tile_refuse(w, VC4_BAD_RECORD, s->r.va, s->list.record);
		if (ret) {
			s->list.magic = 0;
			return ret;
		}
		set_draw(w, s, va);
		f->charge += ITEM_WEIGHT * 4;
	}
	/* draws with the same record share their vertices */
	vc4_verts_use(&w->v, &s->r, s->list.record);
	*out = &s->d;
	return 0;
}

/* ---- primitives ---- */

/* A coordinate in 1/16 pixels, in pixels. */
static u32 vc4_tile_pixels(s32 v)
{
	u32 f = px_s32_to_f32(v);

	return f ? f - (4U << 23) : 0;
}

static u32 weighted(const struct vc4_vertex v[3], u32 n, const u32 weight[3], u32 at)
{
	u32 i, sum = 0;

	for (i = 0; i < n; i++)
		if (weight[i])
			sum = sf_add(sum, sf_mul(weight[i], v[i].vary[at * v[i].step], false),
				     false);
	return sum;
}

/* Varyings of the primitive. */
static void vc4_tile_frame_begun(struct vr_frame *f)
{
	struct vc4_worker *w = vc4_tile_to_worker(f);
	const struct vc4_corner *c = w->prim.clip ? w->cut : NULL;
	struct inputs *in = &w->in[w->quads.nprims];
	const struct state *s = to_state(w);
	const struct vc4_vertex *v = w->vertex;
	u32 i, k, n = w->prim.n, at = n == 3 ? 0 : n == 2 ? 1 : 2, value[3];

	w->f.charge += s->r.nvary * (c ? INPUT_WEIGHT : INPUT_WEIGHT / 4);
	memset(in->p, 0, at * sizeof(in->p[0]));
	in->c[0] = 0;
	/* along the line */
	if (n == 2)
		in->p[0][1] = v[1].inv_w;
	for (i = 0; i < s->r.nvary; i++, at++) {
		memset(in->p[at], 0, sizeof(in->p[at]));
		if (i < 32 && s->list.flat >> i & 1) {
			in->c[at] = v[w->prim.provoking].vary[i * v[0].step];
			continue;
		}
		for (k = 0; k < n; k++)
			value[k] = c ? weighted(v, n, c[k].weight, i) : v[k].vary[i * v[k].step];
		in->c[at] = value[0];
		for (k = 1; k < n; k++)
			in->p[at][k] = sf_mul(sf_sub(value[k], value[0], false), v[k].inv_w, false);
	}
}

/* Vertices of the next primitives of the tile, if they are of this draw. */
static void vc4_tile_look_ahead(struct vc4_worker *w)
{
	u32 i = w->ichunk, n = w->nchunk, left = CHUNKS_AHEAD, k;
	struct vc4_chunk c = w->chunk;
	struct vc4_prim p;

	while (w->v.nwant < QPU_NUM) {
		if (i >= n) {
			if (!left-- || !c.next || vr_read(&w->f.mem, c.next, &c, sizeof(c)))
				return;
			n = c.next ? VC4_CHUNK_PRIMS : w->head.n;
			i = 0;
			continue;
		}
		if (vr_read(&w->f.mem, c.prim[i++], &p, sizeof(p)) || p.draw != w->prim.draw)
			return;
		for (k = 0; k < min_t(u32, p.n, 3); k++)
			vc4_verts_want(&w->v, p.index[k]);
	}
}

static int get_vertices(struct vc4_worker *w, struct vc4_vertex v[3])
{
	int ret = 0, got;
	u32 i;

	for (i = 0; i < w->prim.n; i++) {
		got = vc4_verts_get(&w->v, w->prim.index[i], i, &v[i]);
		if (got < 0)
			return got;
		ret = ret ? ret : got;
	}
	if (ret)
		vc4_tile_look_ahead(w);
	return ret;
}

/* Is the triangle's face culled? */
static bool is_reversed(const struct state *s, const struct vc4_vertex v[3])
{
	s64 area = (s64)(v[1].x - v[0].x) * (v[2].y - v[0].y) -
		   (s64)(v[1].y - v[0].y) * (v[2].x - v[0].x);
	bool front = (area > 0) ^ !!(s->list.config & CONFIG_CW);

	return area && !(s->list.config & (front ? CONFIG_FRONT : CONFIG_BACK));
}

static int vc4_tile_frame_vertices(struct vr_frame *f, const struct vr_corners *corners,
				   struct vr_vertex out[3], u32 *size)
{
	struct vc4_worker *w = vc4_tile_to_worker(f);
	const struct state *s = to_state(w);
	struct vc4_corner *c = w->cut;
	struct vc4_vertex *v = w->vertex;
	u32 i;
	int ret;

	ret = get_vertices(w, v);
	if (!ret && w->prim.clip)
		ret = vr_read(&f->mem, w->prim.clip, c, sizeof(w->cut));
	if (ret)
		return ret;
	for (i = 0; i < w->prim.n; i++) {
		if (w->prim.clip) {
			v[i].x = clamp_t(s32, c[i].x, -0x8000, 0x7fff);
			v[i].y = clamp_t(s32, c[i].y, -0x8000, 0x7fff);
			v[i].z = c[i].z;
			v[i].inv_w = c[i].inv_w;
		}
		out[i].x = vc4_tile_pixels(s->list.centre[0] + v[i].x);
		out[i].y = vc4_tile_pixels(s->list.centre[1] + v[i].y);
		out[i].z = v[i].z;
		out[i].inv_w = v[i].inv_w;
	}
	w->events[w->prim.n == 3 && is_reversed(s, v) ? VC4_EV_REVERSED : VC4_EV_PRIMS]++;
	*size = w->prim.n == 2 ? s->list.line_width :
		s->r.point_size ? v[0].size : s->list.point_size;
	w->f.charge += s->r.nvary;
	return 0;
}

static int vc4_tile_frame_shade(struct vr_frame *f, u32 block)
{
	return VR_FRAME_SHADE;
}

static int vc4_tile_frame_image(struct vr_frame *f, u32 i, bool store, struct vr_access *a)
{
	struct vc4_worker *w = vc4_tile_to_worker(f);
	const struct vc4_pass *p = &w->pass;

	if (i >= (store ? p->nstore : p->nload))
		return -ENOENT;
	a->image = NULL;
	f->charge += IO_WEIGHT;
	return vc4_io(w->r, p, &f->tile, &f->mem, store ? &p->store[i] : &p->load[i], store,
		      &w->blank);
}

static const struct vr_frame_ops frame_ops = {
	.begin = vc4_tile_frame_begin,
	.next = vc4_tile_frame_next,
	.draw = vc4_tile_frame_draw,
	.vertices = vc4_tile_frame_vertices,
	.begun = vc4_tile_frame_begun,
	.shade = vc4_tile_frame_shade,
	.image = vc4_tile_frame_image,
};

/* ---- threads ---- */

/* Depth from 0 to 1, 24 bits, rounded as drivers round the value of a clear. */
static u32 depth_bits(u32 z)
{
	u32 shift = 150 - (z >> 23);

	if (z >= ONE_F32)
		return z >> 31 ? 0 : 0xffffff;
	if (shift > 48)
		return 0;
	return ((u64)((z & 0x7fffff) | 0x800000) * 0xffffff + (1ULL << (shift - 1))) >> shift;
}

static void place_depth(struct vc4_worker *w, struct vr_quad_prim *p, u32 x, u32 y, u32 *z)
{
	u32 f[4 * VR_MAX_SAMPLES], i;
	struct vr_plane plane;

	if (!p->planed)
		vr_plane(w->f.simd, &p->plane, &p->p, &w->quads.depth, p->z);
	p->planed = true;
	plane = p->plane;
	plane.samples = 1;
	vr_plane_quad(w->f.simd, &plane, x, y, 0, f);
	for (i = 0; i < 4; i++)
		z[i] = depth_bits(f[i]);
}

/* Samples of a quad, bit 4 * pixel + sample; single ones count as all. */
static u32 samples_of(const struct vc4_worker *w, u64 cover)
{
	u32 k, mask = 0, pixel;

	for (k = 0; k < 4; k++) {
		pixel = VR_PIXEL(cover, k) & 0xf;
		mask |= (pixel && !w->r->ms ? 0xf : pixel) << (4 * k);
	}
	return mask;
}

/* Quad @i of the thread; past the last one a copy of the first one that covers nothing. */
static struct vr_quad_prim *place_quad(struct vc4_worker *w, struct qpu_frag *f, u32 thread, u32 i,
				       u32 *z)
{
	const struct vr_batch *b = &w->quads.block[w->place[thread].block];
	u32 first = w->place[thread].quad, at = first + i < b->n ? first + i : first, k;
	struct vr_quad_prim *p = &w->quads.prim[b->quad[at].slot];
	u32 x = b->quad[at].x, y = b->quad[at].y;

	for (k = 0; k < 4; k++) {
		f->x[4 * i + k] = (u16)(x + (k & 1));
		f->y[4 * i + k] = (u16)(y + (k >> 1));
	}
	f->quad[i] = ~0U;
	if (at == first + i) {
		f->ms_mask |= (u64)samples_of(w, b->quad[at].cover) << (16 * i);
		f->quad[i] = x << 16 | y;
	}
	f->rev |= p->p.back ? 0xf << (4 * i) : 0;
	place_depth(w, p, x, y, z + 4 * i);
	vr_weights_quad(w->f.simd, &w->weights, i, &p->p, NULL, x, y, NULL);
	return p;
}

static void vc4_tile_interpolate(struct vc4_worker *w)
{
	vr_interpolate(w->f.simd, &w->weights, 0xf, (const u32 (*)[3])w->corner, w->lane);
}

/* Coordinates of points from 0 to 1, y upwards. */
static void point_inputs(struct vc4_worker *w, const struct qpu_frag *f,
			 struct vr_quad_prim *const p[QUADS], const u32 *inv_w,
			 u32 (*rows)[QPU_LANES])
{
	const struct vr_prim *v;
	s32 x, y, size;
	u32 l;

	for (l = 0; l < QPU_LANES; l++) {
		v = &p[l / 4]->p;
		/* 1/512 pixels */
		size = 2 * (s32)v->size;
		x = (s32)((2 * f->x[l] + 1) * VR_ONE - v->at[0]);
		y = (s32)((2 * f->y[l] + 1) * VR_ONE - v->at[1]);
		rows[0][l] = sf_mul(vr_ratio(w->f.simd, x, size), inv_w[l], false);
		rows[2][l] = sf_mul(vr_ratio(w->f.simd, size - y, size), inv_w[l], false);
		rows[1][l] = 0;
		rows[3][l] = 0;
	}
}

static int vc4_tile_start(struct qpu_shared *sh, struct qpu_core *q, u32 *wv, u32 *zv, void *arg)
{
	struct vc4_worker *w = arg;
	u32 (*rows)[QPU_LANES] = w->rows[q->num], i, l, n, first = 0, inv_w[QPU_LANES];
	struct vr_quad_prim *p[QUADS];
	struct qpu_frag *f = &q->frag;
	const struct inputs *in[QUADS];

	qpu_machine_charge(sh, w->ninputs * INPUT_WEIGHT);
	qpu_machine_nearest(sh, true);
	for (i = 0; i < QUADS; i++) {
		p[i] = place_quad(w, f, q->thread, i, zv);
		in[i] = &w->in[p[i] - w->quads.prim];
		memcpy(w->corner[i], p[i]->inv_w, sizeof(w->corner[i]));
	}
	vc4_tile_interpolate(w);
	memcpy(inv_w, w->lane, sizeof(inv_w));
	vr_invert(w->f.simd, inv_w, QPU_LANES, wv);
	if (p[0]->p.kind == VR_POINT) {
		point_inputs(w, f, p, inv_w, rows);
		first = 2;
	}
	for (n = first; n < w->ninputs; n++) {
		for (i = 0; i < QUADS; i++)
			memcpy(w->corner[i], in[i]->p[n], sizeof(w->corner[i]));
		vc4_tile_interpolate(w);
		memcpy(rows[2 * n], w->lane, sizeof(rows[0]));
		for (l = 0; l < QPU_LANES; l++)
			rows[2 * n + 1][l] = in[l / 4]->c[n];
	}
	f->rows = (const u32 (*)[QPU_LANES])rows;
	f->nrows = w->ninputs;
	qpu_machine_nearest(sh, false);
	return QPU_EV_OK;
}

/* Count the thread's quads. */
static void thread_end(struct qpu_shared *sh, struct qpu_core *q, void *arg)
{
	const struct qpu_frag *f = &q->frag;
	u64 *n = ((struct vc4_worker *)arg)->events;
	u32 i;

	for (i = 0; i < QUADS; i++) {
		if (f->quad[i] == ~0U)
			continue;
		n[f->ms_mask >> (16 * i) & 0xffff ? VC4_EV_COVERAGE : VC4_EV_NO_COVERAGE]++;
		n[VC4_EV_COLOR] += f->colored >> i & 1;
		if (!(f->tested >> i & 1))
			continue;
		n[VC4_EV_NO_STENCIL] += !(f->stencil_ok >> i & 1);
		n[f->zs_ok >> i & 1 ? VC4_EV_ZS : VC4_EV_NO_ZS]++;
	}
}

static const struct qpu_feed fragment_feed = { .fragment = true, .cost = THREAD_WEIGHT,
					       .start = vc4_tile_start, .end = thread_end };

static void launch_fragments(struct vc4_worker *w)
{
	const struct state *s = to_state(w);
	struct qpu_shared *sh = qpu_machine_shared(w->m);
	u32 i, k, n = 0, kind = w->quads.prim[0].p.kind;

	for (i = 0; i < w->quads.nblocks; i++) {
		w->events[VC4_EV_QUADS] += w->quads.block[i].n;
		for (k = 0; k < w->quads.block[i].n; k += QUADS, n++) {
			w->place[n] = (struct place){ (u8)i, (u8)k };
			w->thread[n] = (struct qpu_thread){ .pc = vc4_address(s->r.code[VC4_FS]),
							    .uniforms = s->r.uniforms[VC4_FS] };
		}
	}
	w->ninputs = s->r.nvary + (kind == VR_POINT ? 2 : kind == VR_LINE ? 1 : 0);
	if (w->blank)
		vc4_clear(w->r, &w->pass, &w->f.tile);
	w->blank = false;
	sh->buffer = &w->f.tile;
	sh->tile.depth = QPU_DEPTH_TEST | CONFIG_FUNC(s->list.config) |
			 (s->list.config & CONFIG_UPDATE ? QPU_DEPTH_WRITE : 0);
	qpu_machine_begin(w->m, w->f.simd, &fragment_feed, w, w->thread, n);
	w->launch = LAUNCH_FRAGMENTS;
}

static void launch_done(struct vc4_worker *w)
{
	u64 insns = qpu_machine_shared(w->m)->cnt.insns;
	u64 cycles = VC4_CYCLES * (insns - w->insns);
	struct vr_quads *q = &w->quads;

	w->insns = insns;
	w->events[VC4_EV_CYCLES] += cycles;
	if (w->launch == LAUNCH_VERTICES) {
		w->events[VC4_EV_VERTEX_CYCLES] += cycles;
		vc4_verts_done(&w->v);
	} else {
		w->events[VC4_EV_FRAGMENT_CYCLES] += cycles;
		/* see vr_frame_shaded() */
		if (w->f.walking && q->nprims > 1)
			w->in[0] = w->in[q->nprims - 1];
		vr_frame_shaded(&w->f);
	}
	w->launch = LAUNCH_NONE;
}

/* ---- a worker ---- */

#define WORKER_SIZE	((sizeof(struct vc4_worker) + 63) & ~63UL)

/* Largest tile buffer. */
static void vc4_tile_set_largest(struct vr_tile *t, bool ms)
{
	t->samples = ms ? 4 : 1;
	t->ntargets = 1;
	t->format[0] = (struct px_format){ .layout = PX_PLAIN, .comp = PX_UNORM, .ncomp = 4,
					   .bytes = 4, .bits = { 8, 8, 8, 8 },
					   .swizzle = { 0, 1, 2, 3 } };
	t->zformat = VR_Z24;
	t->has_stencil = true;
}

u64 vc4_worker_bytes(void)
{
	struct vr_tile t;

	vc4_tile_set_largest(&t, true);
	return WORKER_SIZE + vr_tile_bytes(&t) + qpu_machine_bytes();
}

struct vc4_worker *vc4_worker_new(void *memory, struct vc4_render *r, u32 worker)
{
	struct vc4_worker *w = memory;
	u8 *at = (u8 *)memory + WORKER_SIZE;

	memset(w, 0, offsetof(struct vc4_worker, batch));
	vc4_verts_forget(w->batch);
	w->r = r;
	w->f.ops = &frame_ops;
	w->f.mem.tlb.map = r->map;
	w->f.tiles = &r->tiles;
	w->f.worker = worker;
	w->f.quads = &w->quads;
	w->quads.tile = &w->f.tile;
	vc4_tile_set_largest(&w->f.tile, r->ms);
	vr_tile_place(&w->f.tile, at);
	w->m = qpu_machine_init(at + vr_tile_bytes(&w->f.tile), r->map);
	w->v = (struct vc4_verts){ .mem = &w->f.mem, .m = w->m, .stage = VC4_VS,
				   .batch = w->batch };
	return w;
}

static enum vs_run vc4_tile_go_on(struct vc4_worker *w, struct vs_job *job, struct vs_fault *fault)
{
	enum vs_run run = qpu_machine_slice(w->m, job, !w->f.worker);
	const struct vs_fault *bad;

	if (run != VS_RUN_IDLE)
		return run;
	bad = qpu_machine_fault(w->m);
	if (bad) {
		*fault = *bad;
		fault->draw = w->f.draw ? w->f.draw->index : 0;
		return VS_RUN_IDLE;
	}
	launch_done(w);
	return VS_RUN_MORE;
}

/* All tiles are drawn: add the worker's events to the job's. */
static void count_events(struct vc4_worker *w)
{
	u32 i;

	w->events[VC4_EV_TEXTURE_QUADS] = QUADS * qpu_machine_shared(w->m)->cnt.textures;
	vs_lock_get(&w->r->tiles.lock);
	for (i = 0; i < VC4_NUM_EVENTS; i++)
		w->r->events[i] += w->events[i];
	vs_lock_put(&w->r->tiles.lock);
}

static enum vs_run failed(const struct vc4_worker *w, int ret, struct vs_fault *fault)
{
	const struct vr_mem *mem = &w->f.mem;

	if (ret == -EFAULT)
		vs_fault_memory(fault, mem->kind, mem->va, mem->size);
	else
		vs_fault_command(fault, w->at, w->why, w->info);
	return VS_RUN_IDLE;
}

enum vs_run vc4_worker_slice(struct vc4_worker *w, struct vs_job *job, struct vs_fault *fault)
{
	int ret;

	fault->kind = VS_FAULT_NONE;
	if (w->launch)
		return vc4_tile_go_on(w, job, fault);
	w->f.simd = job->lim.simd;
	ret = vr_frame_step(&w->f);
	switch (ret) {
	case VR_FRAME_SHADE:
		launch_fragments(w);
		break;
	case VC4_LAUNCH:
		vc4_verts_launch(&w->v, w->f.simd);
		w->launch = LAUNCH_VERTICES;
		break;
	}
	vs_job_account(job, w->f.charge, 0);
	w->f.charge = 0;
	if (!ret) {
		count_events(w);
		return VS_RUN_IDLE;
	}
	if (ret < 0 && ret != -EAGAIN)
		return failed(w, ret, fault);
	if (vs_job_weight(job) <= job->lim.budget)
		return VS_RUN_MORE;
	vs_fault_memory(fault, VS_FAULT_BUDGET, 0, 0);
	return VS_RUN_IDLE;
}
