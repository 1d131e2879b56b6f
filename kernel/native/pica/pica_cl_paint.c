// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 command lists: pictures of draws. At parse time the registers at a draw become its
 * state, at run time its triangles are drawn as primitive assembly completes them.
 */
#include "../../engine/vs_intern.h"
#include "pica_cl.h"

/* Of a geometry unit's hook, in the portable executor: some 10 us. */
#define HOOK_WEIGHT	64

/* ---- parsing ---- */

/* Write a word to a table; the index goes on. Return: the next index. */
static u32 lut_word(u32 *lut, u32 index, u32 n, u32 word)
{
	if (index < n)
		lut[index] = word;
	return (index + 1) & 0xff;
}

static void set_index(u32 *reg, u32 index)
{
	*reg = (*reg & ~0xffU) | index;
}

static void light_word(struct pica_cl_state *s, u32 word)
{
	u32 *reg = &s->regs[PICA_REG_LIGHT_LUT_INDEX], table = *reg >> 8 & 31;

	if (table < PICA_NUM_LIGHT_LUTS)
		set_index(reg, lut_word(s->luts.light[table], *reg & 0xff, 256, word));
}

static void fog_word(struct pica_cl_state *s, u32 word)
{
	u32 *reg = &s->regs[PICA_REG_FOG_INDEX];

	set_index(reg, lut_word(s->luts.fog, *reg & 0x7f, 128, word) & 0x7f);
}

static void proctex_word(struct pica_cl_state *s, u32 word)
{
	u32 *reg = &s->regs[PICA_REG_PROCTEX_INDEX], i = *reg & 0xff;

	switch (*reg >> 8 & 15) {
	case 0:
		i = lut_word(s->luts.noise, i, 128, word);
		break;
	case 2:
	case 3:
		i = lut_word(s->luts.map[*reg >> 8 & 1], i, 128, word);
		break;
	case 4:
		i = lut_word(s->luts.colour, i, 256, word);
		break;
	case 5:
		i = lut_word(s->luts.diff, i, 256, word);
		break;
	}
	set_index(reg, i);
}

/**
 * pica_cl_lut - a register of pictures was written: ports of tables
 * @p: parser
 * @id: register
 * @word: its value
 */
void pica_cl_lut(struct pica_cl_parser *p, u32 id, u32 word)
{
	if (id >= PICA_REG_LIGHT_LUT_DATA0 && id <= PICA_REG_LIGHT_LUT_DATA7)
		light_word(p->s, word);
	else if (id >= PICA_REG_FOG_DATA0 && id <= PICA_REG_FOG_DATA7)
		fog_word(p->s, word);
	else if (id >= PICA_REG_PROCTEX_DATA0 && id <= PICA_REG_PROCTEX_DATA7)
		proctex_word(p->s, word);
	else
		return;
	p->luts_stale = true;
}

static int keep_luts(struct pica_cl_parser *p)
{
	struct pica_luts *luts;
	int ret;

	if (p->last_luts && !p->luts_stale)
		return 0;
	luts = pica_cl_alloc(p->job, sizeof(*luts), &ret);
	if (!luts)
		return ret;
	*luts = p->s->luts;
	p->last_luts = luts;
	p->luts_stale = false;
	p->frag_stale = true;
	return 0;
}

/**
 * pica_cl_frag - prepare the picture of a draw
 * @p: parser
 * @d: draw
 *
 * Draws with the same registers share their state.
 *
 * Return: 0, -ENOEXEC, -E2BIG or -ENOMEM.
 */
int pica_cl_frag(struct pica_cl_parser *p, struct pica_cl_draw *d)
{
	const u32 *r = p->s->regs;
	struct pica_frag *f;
	int ret;

	if (!pica_paints(r))
		return 0;
	if ((r[PICA_REG_COLOUR_OP] & 3) == PICA_MODE_GAS ||
	    (r[PICA_REG_COMB_UPDATE] & 7) == 7)
		return pica_cl_reject(p, PICA_CL_GAS);
	if (!pica_proctex_is_defined(r))
		return pica_cl_reject(p, PICA_CL_PROCTEX);
	ret = keep_luts(p);
	if (ret)
		return ret;
	if (!p->last_frag || p->frag_stale) {
		f = pica_cl_alloc(p->job, sizeof(*f), &ret);
		if (!f)
			return ret;
		f->model = p->in->model;
		f->switches = p->in->switches;
		f->luts = p->last_luts;
		pica_frag_decode(f, r);
		p->last_frag = f;
		p->frag_stale = false;
	}
	d->frag = p->last_frag;
	p->job->paints = true;
	return 0;
}

/* ---- run time ---- */

/**
 * pica_cl_paint_begin - begin the picture of a draw
 * @d: draw with a picture
 */
void pica_cl_paint_begin(struct pica_cl_draw *d)
{
	struct pica_paint *p = d->job->paint;

	pica_mem_init(&p->mem, &d->job->map);
	p->frag = d->frag;
	memset(p->lanes.src, 0, sizeof(p->lanes.src));
	p->ncorners = 0;
	p->in_prim = false;
	d->job->run.queued = 0;
	d->job->run.drawn = 0;
}

/**
 * pica_cl_paint_triangle - draw a triangle, in the run state's @tri
 * @d: draw with a picture
 *
 * Without a geometry stage the triangles before it have been drawn; with one it waits until the
 * invocation has ended.
 */
void pica_cl_paint_triangle(struct pica_cl_draw *d)
{
	struct pica_cl_run *r = &d->job->run;

	if (!d->geom)
		pica_paint_triangle(d->job->paint, (const u32 (*)[PICA_V_WORDS])r->tri);
	else if (r->queued < 3 * PICA_CL_MAX_PRIMS)
		memcpy(d->job->queue[r->queued++], r->tri, sizeof(r->tri));
}

/* A debugger that traces fragments. */
static void set_watch(struct vs_job *job, const struct pica_cl_draw *d, struct pica_watch *w)
{
	struct vs_debug *dbg = job->lim.dbg;

	w->dbg = dbg && dbg->on && dbg->trace.on && dbg->trace.fragments ? dbg : NULL;
	if (!w->dbg)
		return;
	w->draw = d->num;
	w->list_offset = d->list_offset;
	w->x = dbg->trace.values[0];
	w->y = dbg->trace.values[1];
}

/* Draw, up to some weight. Return: weight used; 0: nothing was left, or there is a fault. */
static u64 paint_some(struct vs_job *job, struct pica_cl_draw *d, enum vs_simd simd, u64 weight)
{
	struct pica_paint *p = d->job->paint;
	struct pica_cl_run *r = &d->job->run;

	p->charge = 0;
	set_watch(job, d, &p->watch);
	if (!pica_paint_is_busy(p) && r->drawn < r->queued) {
		pica_paint_triangle(p, (const u32 (*)[PICA_V_WORDS])d->job->queue[r->drawn++]);
		p->charge++;
	}
	if (r->drawn == r->queued) {
		r->queued = 0;
		r->drawn = 0;
	}
	pica_paint_step(p, simd, weight);
	if (!p->mem.bad)
		return p->charge;
	r->queued = 0;
	r->drawn = 0;
	pica_cl_fault(job, d, &p->mem.fault);
	return 0;
}

/**
 * pica_cl_paint - go on with the triangles that have been begun
 * @job: engine job
 * @d: draw with a picture
 * @left: weight left of the slice
 *
 * Return: true: the slice is over, or the job ends.
 */
bool pica_cl_paint(struct vs_job *job, struct pica_cl_draw *d, u64 *left)
{
	struct vs_fault f;
	u64 used;

	do {
		used = paint_some(job, d, job->lim.simd, max_t(u64, *left, 1));
		vs_job_account(job, used, 0);
		*left -= min(*left, used);
		if (vs_job_weight(job) > job->lim.budget) {
			vs_fault_init(&f, VS_FAULT_BUDGET);
			pica_cl_fault(job, d, &f);
		}
		if (vs_job_is_ending(job))
			return true;
	} while (used && *left);
	return used;
}

/**
 * pica_cl_gs_busy - hook of the geometry unit: draw the triangles of the last invocation
 * @job: engine job
 * @arg: batch
 *
 * Return: weight used, 0: all are drawn.
 */
u32 pica_cl_gs_busy(struct vs_job *job, void *arg)
{
	struct pica_cl_batch *b = arg;

	if (!b->draw->frag)
		return 0;
	return (u32)paint_some(job, b->draw, VS_SIMD_PORTABLE, HOOK_WEIGHT);
}

/**
 * pica_cl_paint_rest - phase: draw the triangles of the batch's last invocation
 * @job: engine job
 * @arg: draw with a picture
 *
 * Return: VS_RUN_MORE until all are drawn.
 */
enum vs_run pica_cl_paint_rest(struct vs_job *job, void *arg)
{
	u64 left = job->lim.slice;

	if (!pica_cl_paint(job, arg, &left) || vs_job_is_ending(job))
		return VS_RUN_IDLE;
	return VS_RUN_MORE;
}
