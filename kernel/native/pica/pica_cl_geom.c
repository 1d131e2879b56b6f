// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 command lists at run time: the geometry stage.
 *
 * The unit runs one invocation after the other. Before each, outputs of the vertex stage
 * are collected into its inputs (point mode) or its uniforms (variable and fixed mode);
 * after each, its emitted primitives go to primitive assembly at once.
 */
#include "pica_cl.h"

#define B15		0x8000
#define SLICE_INDICES	4096
#define INDEX_STREAM	32	/* in fault records */
/* Each vertex of a primitive takes at least one row from c1 on. */
#define MAX_PRIM_VERTS	(PICA_NUM_CONST - 1)

/* ---- variable mode: indices ---- */

/* An index or, at the start of a primitive, its number of vertices. */
static bool sort_index(struct vs_job *job, struct pica_cl_draw *d, u32 value)
{
	struct pica_cl_job *cl = d->job;
	struct pica_cl_feed *feed = &cl->run.feed;
	struct vs_fault f;

	if (feed->index) {
		feed->index--;
		cl->index[feed->nverts++] = value;
		cl->run.last_index = value;
		return true;
	}
	if (value >= 1 && value <= MAX_PRIM_VERTS) {
		feed->index = value;
		cl->counts[feed->ncounts++] = value;
		return true;
	}
	vs_fault_command(&f, 0, PICA_CL_VERTEX_COUNT, value);
	f.stream = INDEX_STREAM;
	pica_cl_fault(job, d, &f);
	return false;
}

static bool index_fault(struct vs_job *job, struct pica_cl_draw *d, enum vs_fault_kind kind, u64 va)
{
	struct vs_fault f;

	vs_fault_memory(&f, kind, va, d->index_size);
	f.stream = INDEX_STREAM;
	pica_cl_fault(job, d, &f);
	return false;
}

static bool pica_cl_read_indices(struct vs_job *job, struct pica_cl_batch *b, u32 first, u32 n,
				 u8 *buf)
{
	struct pica_cl_draw *d = b->draw;
	u64 va = d->index_va + (u64)(b->start + first) * d->index_size;
	u64 got;

	if (d->index_size == 2 && (va & 1))
		return index_fault(job, d, VS_FAULT_MISALIGNED, va);
	got = vs_map_read(&d->job->map, va, buf, (u64)n * d->index_size);
	return got == (u64)n * d->index_size || index_fault(job, d, VS_FAULT_READ, va + got);
}

/**
 * pica_cl_sort_indices - phase: separate vertex counts from indices
 * @job: engine job
 * @arg: the batch
 *
 * The vertex stage has as many vertices as there are entries. The last index fills the places
 * of the counts; the results of these vertices are not read.
 *
 * Return: VS_RUN_MORE until all are done.
 */
enum vs_run pica_cl_sort_indices(struct vs_job *job, void *arg)
{
	struct pica_cl_batch *b = arg;
	struct pica_cl_job *cl = b->draw->job;
	struct pica_cl_run *r = &cl->run;
	u32 end = min_t(u32, b->count, r->pos + SLICE_INDICES);
	bool wide = b->draw->index_size == 2;
	u8 buf[256];
	u32 i, n;

	if (!r->pos) {
		r->feed.nverts = 0;
		r->feed.ncounts = 0;
		r->feed.count_pos = 0;
		r->feed.pos = 0;
	}
	while (r->pos < end) {
		n = min_t(u32, end - r->pos, wide ? sizeof(buf) / 2 : sizeof(buf));
		if (!pica_cl_read_indices(job, b, r->pos, n, buf))
			return VS_RUN_IDLE;
		for (i = 0; i < n; i++) {
			if (!sort_index(job, b->draw, wide ? buf[2 * i] | buf[2 * i + 1] << 8 :
							     buf[i]))
				return VS_RUN_IDLE;
		}
		r->pos += n;
	}
	if (r->pos < b->count)
		return VS_RUN_MORE;
	r->pos = 0;
	for (i = r->feed.nverts; i < b->count; i++)
		cl->index[i] = r->last_index;
	return VS_RUN_IDLE;
}

/* ---- collecting vertices ---- */

/* Exact for whole numbers below 2^24. */
static u32 f32_of(u32 n)
{
	u32 exp = 127 + 23;

	if (!n)
		return 0;
	while (!(n & (1U << 23))) {
		n <<= 1;
		exp--;
	}
	return exp << 23 | (n & 0x7fffff);
}

/* Vector @i of the vertex at the feed's position; outputs that are not enabled are 0. */
static void get_vector(const struct pica_cl_draw *d, u32 i, u32 *to)
{
	const struct pica_cl_job *cl = d->job;

	if (i < d->nstored)
		memcpy(to, cl->verts + ((u64)cl->run.feed.pos * d->nstored + i) * 4, 16);
	else
		memset(to, 0, 16);
}

/* Rows beyond c95 do not exist: writes to them are dropped. */
static void to_uniforms(struct pica_cl_draw *d, u32 nvec)
{
	struct pica_cl_run *r = &d->job->run;
	u32 i;

	for (i = 0; i < nvec; i++, r->feed.row++) {
		if (r->feed.row < PICA_NUM_CONST)
			get_vector(d, i, r->unif[r->feed.row]);
	}
}

static bool feed_point(struct pica_cl_draw *d)
{
	struct pica_cl_feed *feed = &d->job->run.feed;
	u32 i;

	for (i = 0; i < d->geom->nattrs; i++)
		get_vector(d, i, d->job->gin + 4 * feed->fill++);
	feed->pos++;
	if (feed->fill < d->geom->ninputs)
		return false;
	feed->fill = 0;
	return true;
}

static void start_variable(struct pica_cl_draw *d)
{
	struct pica_cl_run *r = &d->job->run;
	struct pica_cl_feed *feed = &r->feed;
	u32 c;

	feed->verts = d->job->counts[feed->count_pos++];
	feed->nmain = d->geom->nmain;
	feed->row = d->geom->row;
	for (c = 0; c < 4; c++)
		r->unif[0][c] = f32_of(feed->verts);
}

static bool feed_variable(struct pica_cl_draw *d)
{
	struct pica_cl_feed *feed = &d->job->run.feed;

	if (!feed->verts)
		start_variable(d);
	to_uniforms(d, feed->nmain ? d->geom->nattrs : 1);
	if (feed->nmain)
		feed->nmain--;
	feed->pos++;
	return !--feed->verts;
}

static bool feed_fixed(struct pica_cl_draw *d)
{
	struct pica_cl_feed *feed = &d->job->run.feed;

	if (!feed->verts) {
		feed->verts = d->geom->nverts;
		feed->row = d->geom->row;
	}
	to_uniforms(d, d->geom->nattrs);
	feed->pos++;
	return !--feed->verts;
}

/* Collect vertices until an invocation is complete. */
static bool collect(struct pica_cl_draw *d)
{
	struct pica_cl_feed *feed = &d->job->run.feed;
	bool full = false;

	while (!full && feed->pos < feed->nverts) {
		switch (d->geom->mode) {
		case PICA_GS_POINT:
			full = feed_point(d);
			break;
		case PICA_GS_VARIABLE:
			full = feed_variable(d);
			break;
		default:
			full = feed_fixed(d);
			break;
		}
	}
	/* A count without vertices yet: they come with the next batch. */
	if (!full && !feed->verts && feed->count_pos < feed->ncounts)
		start_variable(d);
	return full;
}

/**
 * pica_cl_gs_begin - start a draw with a geometry stage
 * @d: draw
 */
void pica_cl_gs_begin(struct pica_cl_draw *d)
{
	struct pica_cl_run *r = &d->job->run;
	u32 row;

	for (row = 0; row < PICA_NUM_CONST; row++) {
		if (d->geom->changed[row / 32] & (1U << (row % 32)))
			memcpy(r->unif[row], d->geom->unif + 4 * row, 16);
	}
	if (d->refill)
		memset(&r->feed, 0, sizeof(r->feed));
	r->b15 = false;
}

/* ---- between invocations ---- */

static bool gs_before(struct vs_job *job, void *arg, u64 inv, u32 *bools)
{
	struct pica_cl_batch *b = arg;
	struct pica_cl_draw *d = b->draw;
	struct pica_cl_run *r = &d->job->run;

	(void)job;
	if (!inv && d->geom->mode != PICA_GS_VARIABLE) {
		r->feed.pos = 0;
		r->feed.nverts = b->count;
	}
	if (!inv)
		r->inputs += r->feed.nverts;
	if (!collect(d))
		return false;
	*bools = d->geom->gs.bools | (r->b15 ? B15 : 0);
	return true;
}

static void gs_after(struct vs_job *job, void *arg, u64 inv, u32 nprims)
{
	struct pica_cl_batch *b = arg;
	struct pica_cl_draw *d = b->draw;
	struct pica_cl_job *cl = d->job;
	u32 nvec = d->geom->npacked;
	const u32 *vec = cl->prims;
	u32 i, v;

	(void)inv;
	cl->run.b15 = true;
	for (i = 0; i < nprims; i++) {
		if (cl->info[1 + i] & 1)
			cl->run.prim.invert = true;
		for (v = 0; v < 3; v++, vec += 4 * nvec) {
			if (!pica_cl_vertex(job, d, vec, nvec))
				return;
		}
	}
}

const struct vs_serial_ops pica_cl_gs_ops = {
	.before = gs_before,
	.after = gs_after,
	.busy = pica_cl_gs_busy,
};
