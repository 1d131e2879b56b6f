// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 command lists at run time: output map, primitive assembly and results.
 */
#include "../../engine/vs_intern.h"
#include "pica_cl.h"

#define ONE		0x3f800000u
#define SEM_COLOUR	8	/* .. 11 */
#define SEM_UNUSED1	17
#define SEM_UNUSED2	21
#define SLICE_VERTICES	192	/* per call, some 50 us */
#define VERTEX_WEIGHT	16
#define NO_WORD		(~0U)

/**
 * pica_cl_fault - raise a fault in a phase
 * @job: engine job
 * @d: draw, or NULL
 * @f: fault; its draw is set here
 */
void pica_cl_fault(struct vs_job *job, struct pica_cl_draw *d, struct vs_fault *f)
{
	f->draw = d ? d->num : NO_WORD;
	vs_job_fault(job, f);
}

/* ---- results ---- */

static bool write_out(struct vs_job *job, struct pica_cl_job *cl, struct pica_cl_draw *d,
		      u64 offset, const void *bytes, u32 size)
{
	struct vs_fault f;
	u64 done;

	if (!cl->output_size)
		return true;
	done = vs_map_write(&cl->map, cl->output_va + offset, bytes, size);
	if (done == size)
		return true;
	vs_fault_memory(&f, VS_FAULT_WRITE, cl->output_va + offset + done, size);
	pica_cl_fault(job, d, &f);
	return false;
}

/* Room for @size more bytes and the end marker, in the output and in a draw's size. */
static bool have_room(struct vs_job *job, struct pica_cl_job *cl, struct pica_cl_draw *d,
		      u32 size)
{
	struct pica_cl_run *r = &cl->run;
	u64 need = r->out + size + sizeof(struct pica_cl_header);
	struct vs_fault f;

	/* a job that draws needs no results */
	if (!cl->output_size && d->frag)
		return true;
	if (need <= cl->output_size && r->out + size - r->header <= 0xffffffffu)
		return true;
	vs_fault_init(&f, VS_FAULT_OVERFLOW);
	f.address = cl->output_va + r->out;
	pica_cl_fault(job, d, &f);
	return false;
}

static bool put_triangle(struct vs_job *job, struct pica_cl_draw *d, const u32 *a,
			 const u32 *b, const u32 *c)
{
	struct pica_cl_job *cl = d->job;
	struct pica_cl_run *r = &cl->run;

	if (!have_room(job, cl, d, sizeof(r->tri)))
		return false;
	memcpy(r->tri[0], a, sizeof(r->tri[0]));
	memcpy(r->tri[1], b, sizeof(r->tri[1]));
	memcpy(r->tri[2], c, sizeof(r->tri[2]));
	if (!write_out(job, cl, d, r->out, r->tri, sizeof(r->tri)))
		return false;
	r->out += cl->output_size ? sizeof(r->tri) : 0;
	r->vertices += 3;
	if (d->frag)
		pica_cl_paint_triangle(d);
	return true;
}

/*
 * ---- primitive assembly ----
 *
 * Not vr_assemble(), which has indices of one draw: here vertices' values wait for the next draw,
 * over a change of the topology, too, and geometry programs invert triangles.
 */

static void pica_cl_prim_keep(struct pica_cl_prim *pr, u32 index, const u32 *v)
{
	memcpy(pr->buf[index], v, sizeof(pr->buf[index]));
}

static bool list_vertex(struct vs_job *job, struct pica_cl_draw *d, const u32 *v)
{
	struct pica_cl_prim *pr = &d->job->run.prim;
	bool flip;

	if (pr->index < 2) {
		pica_cl_prim_keep(pr, pr->index++, v);
		return true;
	}
	pr->index = 0;
	flip = pr->invert && d->topology == PICA_TOPO_SHADER;
	pr->invert = false;
	return put_triangle(job, d, pr->buf[flip], pr->buf[!flip], v);
}

/* A strip replaces the older of its two vertices in turn, a fan always the second. */
static bool strip_vertex(struct vs_job *job, struct pica_cl_draw *d, const u32 *v)
{
	struct pica_cl_prim *pr = &d->job->run.prim;

	if (pr->ready && !put_triangle(job, d, pr->buf[0], pr->buf[1], v))
		return false;
	pica_cl_prim_keep(pr, pr->index, v);
	if (pr->index == 1)
		pr->ready = true;
	pr->index = d->topology == PICA_TOPO_STRIP ? !pr->index : 1;
	return true;
}

/* ---- output map ---- */

/* The unit takes the absolute value of colours and clamps it to 1 before interpolation. */
static u32 pica_cl_prim_colour(u32 bits)
{
	bits &= 0x7fffffff;
	return bits < ONE ? bits : ONE;
}

static void map_vertex(const struct pica_cl_draw *d, const u32 *vec, u32 nvec, u32 *out)
{
	u32 i, sem;

	for (i = 0; i < PICA_CL_VERTEX_WORDS; i++)
		out[i] = ONE;
	for (i = 0; i < 4 * d->noutmap; i++) {
		sem = d->outmap[i / 4][i % 4];
		if (sem < PICA_CL_VERTEX_WORDS)
			out[sem] = i < 4 * nvec ? vec[i] : 0;
	}
	out[SEM_UNUSED1] = 0;
	out[SEM_UNUSED2] = 0;
	for (i = SEM_COLOUR; i < SEM_COLOUR + 4; i++)
		out[i] = pica_cl_prim_colour(out[i]);
}

/**
 * pica_cl_vertex - send a vertex to primitive assembly
 * @job: engine job
 * @d: draw
 * @vec: its packed outputs, 4 words each
 * @nvec: number of outputs
 *
 * Return: false after a fault.
 */
bool pica_cl_vertex(struct vs_job *job, struct pica_cl_draw *d, const u32 *vec, u32 nvec)
{
	u32 *v = d->job->run.vertex;

	map_vertex(d, vec, nvec, v);
	if (d->topology == PICA_TOPO_STRIP || d->topology == PICA_TOPO_FAN)
		return strip_vertex(job, d, v);
	return list_vertex(job, d, v);
}

/* ---- phases ---- */

/**
 * pica_cl_draw_begin - phase: start of a draw
 * @job: engine job
 * @arg: the draw
 *
 * Return: VS_RUN_IDLE.
 */
enum vs_run pica_cl_draw_begin(struct vs_job *job, void *arg)
{
	struct pica_cl_draw *d = arg;
	struct pica_cl_run *r = &d->job->run;

	r->header = r->out;
	if (!have_room(job, d->job, d, sizeof(struct pica_cl_header)))
		return VS_RUN_IDLE;
	r->out += sizeof(struct pica_cl_header);
	r->vertices = 0;
	r->inputs = 0;
	r->pos = 0;
	if (d->restart) {
		r->prim.index = 0;
		r->prim.ready = false;
		r->prim.invert = false;
	}
	if (d->geom)
		pica_cl_gs_begin(d);
	if (d->frag)
		pica_cl_paint_begin(d);
	return VS_RUN_IDLE;
}

/**
 * pica_cl_draw_batch - phase: send the vertices of a batch to primitive assembly
 * @job: engine job
 * @arg: the batch
 *
 * Return: VS_RUN_MORE until all are done.
 */
enum vs_run pica_cl_draw_batch(struct vs_job *job, void *arg)
{
	struct pica_cl_batch *b = arg;
	struct pica_cl_draw *d = b->draw;
	struct pica_cl_run *r = &d->job->run;
	u32 end = min_t(u32, b->count, r->pos + SLICE_VERTICES);
	u64 left = job->lim.slice;

	for (; r->pos < end; r->pos++) {
		left -= min_t(u64, left, VERTEX_WEIGHT);
		if (d->frag && pica_cl_paint(job, d, &left))
			return vs_job_is_ending(job) ? VS_RUN_IDLE : VS_RUN_MORE;
		if (!pica_cl_vertex(job, d, d->job->verts + (u64)r->pos * 4 * d->nstored,
				    d->nstored))
			return VS_RUN_IDLE;
	}
	if (r->pos < b->count)
		return VS_RUN_MORE;
	if (d->frag && pica_cl_paint(job, d, &left))
		return vs_job_is_ending(job) ? VS_RUN_IDLE : VS_RUN_MORE;
	r->pos = 0;
	r->inputs += b->count;
	return VS_RUN_IDLE;
}

/**
 * pica_cl_draw_end - phase: end of a draw, write its header
 * @job: engine job
 * @arg: the draw
 *
 * Return: VS_RUN_IDLE.
 */
enum vs_run pica_cl_draw_end(struct vs_job *job, void *arg)
{
	struct pica_cl_draw *d = arg;
	struct pica_cl_run *r = &d->job->run;
	struct pica_cl_header h = {
		.size = r->out - r->header,
		.flags = d->flags,
		.topology = d->topology,
		.vertices = r->vertices,
		.input_vertices = r->inputs,
		.list_offset = d->list_offset,
	};

	write_out(job, d->job, d, r->header, &h, sizeof(h));
	return VS_RUN_IDLE;
}

/**
 * pica_cl_list_end - phase: end of the job, write the end marker of the results
 * @job: engine job
 * @arg: the parsed job
 *
 * Return: VS_RUN_IDLE.
 */
enum vs_run pica_cl_list_end(struct vs_job *job, void *arg)
{
	static const struct pica_cl_header end;
	struct pica_cl_job *cl = arg;

	/* A job that draws nothing needs no room for results. */
	if (cl->output_size)
		write_out(job, cl, NULL, cl->run.out, &end, sizeof(end));
	return VS_RUN_IDLE;
}
