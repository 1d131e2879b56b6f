// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The worker of an Utgard GPU: executes a list of the GP, or a frame of a PP, as a frame in
 * memory whose words are the registers; one at a time.
 *
 * Draws of the list of the PLBU have vertices of the other list, which is executed again with it:
 * it writes the same once more. So are both if the heap was extended.
 */
#include "utgard_model.h"

/* The frame's words: outside of the 32 bits of addresses. */
#define FRAME_VA	BIT_ULL(32)

/**
 * struct run - A list or frame that is executed.
 * @g:		model
 * @c:		core
 * @frame:	where @c->frame is
 * @map:	memory
 * @resets:	number of resets of the core when it began
 * @j:		engine job
 * @fault:	how it ended
 */
struct run {
	struct utg_model *g;
	struct utg_core *c;
	struct vs_extent frame;
	struct vs_map map;
	u32 resets;
	struct vs_model_job j;
	struct vs_fault fault;
};

/* ---- frames ---- */

/* One list at a time: the interrupts of their ends are separate. */
static void gp_frame(struct utg_core *c)
{
	memcpy(c->frame, c->plain, UTF_GP_WORDS * sizeof(u32));
	c->frame[UTF_GP_HEAP_START] = c->heap;
	if (c->running == UTG_GP_START_VS)
		memset(c->frame + UTF_GP_PLBU_START, 0, 2 * sizeof(u32));
	else if (!(c->lists & UTG_GP_START_VS))
		memset(c->frame + UTF_GP_VS_START, 0, 2 * sizeof(u32));
}

/* Whether a PP takes its tiles from the load balancer. */
static bool utgard_has_dlbu(const struct utg_model *g, const struct utg_core *c)
{
	return utg_is_450(g) && g->dlbu[1] && c->plain[0] == g->dlbu[1];
}

/*
 * The load balancer deals the tiles of a frame. Here the first one of its PPs draws all, as
 * executing a tile twice would load what it has stored.
 */
static bool utgard_has_tiles(const struct utg_model *g, const struct utg_core *c)
{
	return !utgard_has_dlbu(g, c) || utg_core_number(g, c) == (u32)ffs(g->dlbu[6]);
}

/* A frame for one processor. */
static void pp_frame(struct utg_model *g, struct utg_core *c)
{
	u32 i, *w = c->frame, lists = utf_pp_words(g->chip->gpu) - (utg_is_450(g) ? 16 : 8);

	memset(w, 0, sizeof(c->frame));
	memcpy(w, c->plain, UTF_PP_FRAME_WORDS * sizeof(u32));
	w[UTF_PP_FRAME_WORDS] = 1;
	for (i = 0; i < UTF_PP_WB_UNITS; i++)
		memcpy(w + UTF_PP_FRAME_WORDS + 1 + i * UTF_PP_WB_WORDS, c->plain + 64 * (i + 1),
		       UTF_PP_WB_WORDS * sizeof(u32));
	w[lists] = c->plain[0];
	if (utgard_has_dlbu(g, c)) {
		w[lists - 2] = 1;
		memcpy(w + lists, g->dlbu + 2, 4 * sizeof(u32));
	}
	w[lists + (utg_is_450(g) ? 8 : 4)] = c->plain[12];
}

/* With the lock: a core that can go on, with what it is to execute. NULL: none. */
static struct utg_core *utgard_work_choose(struct utg_model *g)
{
	struct utg_core *c;
	u32 i, n, lists;

	g->turn += vs_model_random(&g->m, g->chip->pps + 1);
	for (i = 0; i <= g->chip->pps; i++) {
		n = (g->turn + i) % (g->chip->pps + 1);
		c = &g->core[n];
		lists = c->active & ~c->held;
		if (!lists || c->running || c->hold || c->mmu.stalled || c->mmu.fault)
			continue;
		g->turn = n + 1;
		c->running = lists & UTG_GP_START_VS ?: lists;
		if (n)
			pp_frame(g, c);
		else
			gp_frame(c);
		return c;
	}
	return NULL;
}

/* ---- the engine ---- */

static bool utgard_work_is_over(const struct run *r)
{
	return READ_ONCE(r->c->resets) != r->resets;
}

static int utgard_work_make_job(struct run *r)
{
	bool gp = utg_is_gp(r->c);
	struct vs_native_in in = {
		.format = gp ? VS_NATIVE_UTGARD_GP_FRAME : VS_NATIVE_UTGARD_PP_FRAME,
		.va = FRAME_VA,
		.model = r->g->chip->gpu,
		.map = &r->map,
	};

	return vs_model_job_begin(&r->g->engine, &in, &r->j, &r->fault);
}

static void utgard_work_execute(struct run *r)
{
	enum vs_run run;

	do {
		if (utgard_work_is_over(r))
			vs_job_cancel(r->j.job, VS_FAULT_CANCELED);
		run = vs_job_step(r->j.job, r->g->engine.worker);
		vs_cond_resched();
	} while (run != VS_RUN_DONE);
	r->fault = *vs_job_get_fault(r->j.job);
}

/* ---- ends ---- */

static void page_fault(struct utg_core *c, u64 address, bool write)
{
	struct utg_mmu *s = &c->mmu;

	s->fault = true;
	s->write = write;
	s->address = (u32)address;
	s->unread = true;
	s->irq.raw |= UTG_MMU_FAULT;
	s->irq.seen &= ~UTG_MMU_FAULT;
	c->hold |= UTG_HOLD_FAULT;
}

static void error(struct utg_core *c, u32 gp_bit, u32 pp_bit)
{
	c->hold |= UTG_HOLD_ERROR;
	utg_core_raise(c, utg_is_gp(c) ? gp_bit : pp_bit);
}

static void out_of_heap(struct utg_core *c)
{
	c->heap_end = c->plain[UTF_GP_HEAP_END];
	c->hold |= UTG_HOLD_HEAP;
	utg_core_raise(c, UTG_GP_NO_HEAP);
}

/* Whether the list of the PLBU wanted memory at the end of its heap. */
static bool is_out_of_heap(const struct utg_core *c, u32 list, const struct vs_fault *f)
{
	return list == UTG_GP_START_PLBU && f->kind == VS_FAULT_OVERFLOW &&
	       f->address >= c->frame[UTF_GP_HEAP_START] &&
	       f->address + f->size > c->frame[UTF_GP_HEAP_END];
}

static void end_with_fault(struct utg_core *c, u32 list, const struct vs_fault *f)
{
	if (is_out_of_heap(c, list, f))
		out_of_heap(c);
	else if (f->kind == VS_FAULT_COMMAND && f->code == UTF_LIMIT_COMMANDS)
		c->hold |= UTG_HOLD_HANG;
	else if (f->kind != VS_FAULT_READ && f->kind != VS_FAULT_WRITE && f->kind != VS_FAULT_FETCH)
		error(c, list == UTG_GP_START_VS ? UTG_GP_VS_INVALID : UTG_GP_PLBU_INVALID,
		      UTG_PP_INVALID);
	else if (c->mmu.off)
		error(c, UTG_GP_BUS_ERROR, UTG_PP_BUS_ERROR);
	else
		page_fault(c, f->address, f->kind == VS_FAULT_WRITE);
}

static void utgard_work_end(struct utg_core *c, u32 list)
{
	if (list == UTG_GP_START_PLBU && c->full) {
		c->full = false;
		out_of_heap(c);
		if (c->invalid)
			error(c, UTG_GP_PLBU_INVALID, 0);
		return;
	}
	/* the list of the PLBU never shows its end before the other one */
	if (c->held || vs_model_hold(&c->mmu.g->m, utg_core_number(c->mmu.g, c)))
		c->held |= list;
	else
		utg_core_end(c, list);
}

static void utgard_work_finish(struct run *r, int ret)
{
	struct utg_core *c = r->c;
	u32 list = c->running;

	vs_model_lock(&r->g->m);
	c->running = 0;
	/* of a reset frame nothing is left */
	if (!utgard_work_is_over(r)) {
		/* an end is shown before what stops the other list */
		if (c->held && (ret || r->fault.kind || c->full))
			utg_core_end(c, c->held);
		if (ret && ret != -ENOEXEC)
			error(c, UTG_GP_BUS_ERROR, UTG_PP_BUS_ERROR);
		else if (r->fault.kind)
			end_with_fault(c, list, &r->fault);
		else
			utgard_work_end(c, list);
	}
	vs_model_unlock(&r->g->m);
}

/* The tables cannot be read. */
static void walk_failed(struct run *r)
{
	struct utg_core *c = r->c;

	vs_model_lock(&r->g->m);
	c->running = 0;
	if (!utgard_work_is_over(r)) {
		c->hold |= UTG_HOLD_ERROR;
		c->mmu.irq.raw |= UTG_MMU_BUS_ERROR;
		c->mmu.irq.seen &= ~UTG_MMU_BUS_ERROR;
	}
	vs_model_unlock(&r->g->m);
}

/* @begun: it goes on with a frame. */
static void run_core(struct utg_model *g, struct utg_core *c, u32 resets, bool begun)
{
	struct run r = { .g = g, .c = c, .resets = resets };
	int ret;

	if (!utg_mmu_begin(&c->mmu, begun)) {
		walk_failed(&r);
		return;
	}
	if (!utgard_has_tiles(g, c)) {
		utgard_work_finish(&r, 0);
		return;
	}
	r.frame = (struct vs_extent){
		.lo = FRAME_VA, .hi = FRAME_VA + sizeof(c->frame), .kva = (u8 *)c->frame,
	};
	r.map = (struct vs_map){ .n = 1, .ext = &r.frame, .pager = &c->mmu.pager };
	ret = utgard_work_make_job(&r);
	if (!ret)
		utgard_work_execute(&r);
	vs_model_job_end(&r.j);
	utgard_work_finish(&r, ret);
}

bool utg_work(struct vs_model *m)
{
	struct utg_model *g = to_utg(m);
	struct utg_core *c;
	bool begun = false;
	u32 resets = 0;

	vs_model_lock(m);
	if (vs_model_fails(m, UTG_FAIL_SPURIOUS))
		g->core[0].spurious = true;
	if (vs_model_fails(m, UTG_FAIL_SPURIOUS_PP))
		g->core[1].spurious = true;
	c = utgard_work_choose(g);
	if (c) {
		resets = c->resets;
		begun = c->begun;
		c->begun = true;
	}
	vs_model_unlock(m);
	if (c)
		run_core(g, c, resets, begun);
	return c;
}
