// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV fragment programs: varyings, coordinates, sample masks, scoreboard.
 *
 * A thread shades a block of 4 x 4 pixels. Element e belongs to quad e / 4, which is at
 * (2 * (quad & 1), 2 * (quad / 2)), and there to the pixel at (e & 1, e / 2 & 1).
 *
 * The scoreboard keeps threads that shade the same block in order. It admits a thread once
 * all threads with a lower number and the same block have unlocked or ended; SBWAIT
 * and every access to the tile buffer wait for that.
 *
 * Threads of draws shade any four quads of a draw; their coordinates are those of the frame.
 *
 * Choices: coordinates of shader jobs are relative to the tile (they have no others). A write to
 * 41 moves each quad: its first element has the column (A) or row (B) of the quad's corner. Sample
 * masks (42 A) are four bits per element, all set where the block is covered. There is no buffer
 * for alpha masks: a load returns the thread's last write to 47, initially 0. Coverage loads
 * return the sample mask without samples that failed a depth test.
 */
#include "qpu_frag.h"

static enum qpu_ev not_fragment(struct qpu_shared *s, struct qpu_core *q)
{
	return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_FRAGMENT);
}

/* Read two rows of 16 words. */
static enum qpu_ev read_rows(struct qpu_shared *s, struct qpu_core *q, u32 addr, u32 *a, u32 *b)
{
	const u8 *p = qpu_mem(s, addr, 128, 0);

	if (!p)
		return qpu_fault(s, q, VS_FAULT_READ, addr, 128);
	memcpy(a, p, 64);
	memcpy(b, p + 64, 64);
	return QPU_EV_OK;
}

static void qpu_frag_place(struct qpu_frag *f, const struct qpu_thread *t)
{
	u32 e, quad;

	f->ms_mask = 0;
	for (e = 0; e < QPU_LANES; e++) {
		quad = e / 4;
		f->x[e] = t->x + 2 * (quad & 1) + (e & 1);
		f->y[e] = t->y + 2 * (quad / 2) + (e / 2 & 1);
		if (t->coverage >> e & 1)
			f->ms_mask |= 0xfULL << (4 * e);
	}
}

enum qpu_ev qpu_frag_start(struct qpu_shared *s, struct qpu_core *q, u32 *w, u32 *z)
{
	const struct qpu_thread *t = &s->threads[q->thread];
	struct qpu_frag *f = &q->frag;

	memset(w, 0, 4 * QPU_LANES);
	memset(z, 0, 4 * QPU_LANES);
	memset(f, 0, sizeof(*f));
	if (!s->fragment)
		return not_fragment(s, q);
	qpu_tlb_reset(q);
	f->open = true;
	if (s->feed)
		return (enum qpu_ev)s->feed->start(s, q, w, z, s->feed_arg);
	qpu_frag_place(f, t);
	f->rev = t->flags & QPU_THREAD_REV ? 0xffff : 0;
	if (!t->payload)
		return QPU_EV_OK;
	f->vary = t->payload + 128;
	return read_rows(s, q, t->payload, w, z);
}

enum qpu_ev qpu_frag_vary(struct qpu_shared *s, struct qpu_core *q, u32 *v, u32 *c)
{
	struct qpu_frag *f = &q->frag;

	if (f->nrows) {
		memcpy(v, f->rows[0], sizeof(f->rows[0]));
		memcpy(c, f->rows[1], sizeof(f->rows[1]));
		f->rows += 2;
		f->nrows--;
		return QPU_EV_OK;
	}
	if (!s->fragment || !f->vary)
		return not_fragment(s, q);
	if (read_rows(s, q, f->vary, v, c))
		return QPU_EV_FAULT;
	f->vary += 128;
	return QPU_EV_OK;
}

static u32 sample_mask(const struct qpu_frag *f, u32 e)
{
	return f->ms_mask >> (4 * e) & 0xf;
}

enum qpu_ev qpu_frag_read(struct qpu_shared *s, struct qpu_core *q, u32 raddr, u32 file,
			  u32 *v)
{
	const struct qpu_frag *f = &q->frag;
	u32 e;

	if (!s->fragment)
		return not_fragment(s, q);
	for (e = 0; e < QPU_LANES; e++) {
		if (raddr == QPU_R_XY_PIXEL)
			v[e] = file ? f->y[e] : f->x[e];
		else
			v[e] = file ? f->rev >> e & 1U : sample_mask(f, e);
	}
	return QPU_EV_OK;
}

static void move_quads(u16 *to, const u32 *v, u32 mask, u32 row)
{
	u32 e, first;

	for (e = 0; e < QPU_LANES; e++) {
		first = e & ~3U;
		if (mask >> first & 1)
			to[e] = (v[first] & 0xfffe) + (row ? e / 2 & 1 : e & 1);
	}
}

static void set_sample_masks(struct qpu_frag *f, const u32 *v, u32 mask)
{
	u32 e;

	for (e = 0; e < QPU_LANES; e++) {
		if (!(mask >> e & 1))
			continue;
		f->ms_mask &= ~(0xfULL << (4 * e));
		f->ms_mask |= (u64)(v[e] & 0xf) << (4 * e);
	}
}

static void write_setup(struct qpu_core *q, u32 waddr, u32 file, const u32 *v, u32 mask)
{
	struct qpu_frag *f = &q->frag;

	switch (waddr) {
	case QPU_W_QUAD_XY:
		move_quads(file ? f->y : f->x, v, mask, file);
		break;
	case QPU_W_MS_REV:
		if (!file)
			set_sample_masks(f, v, mask);
		else if (mask & 1)
			f->rev = v[0] & 1 ? 0xffff : 0;
		break;
	default: /* QPU_W_TLB_STENCIL */
		if (mask & 1)
			qpu_tlb_stencil(q, v[0]);
		break;
	}
}

static void write_alpha(struct qpu_frag *f, const u32 *v, u32 mask)
{
	u32 e;

	for (e = 0; e < QPU_LANES; e++) {
		if (mask >> e & 1)
			f->alpha[e] = v[e];
	}
}

enum qpu_ev qpu_frag_write(struct qpu_shared *s, struct qpu_core *q, u32 waddr, u32 file,
			   const u32 *v, u32 mask)
{
	enum qpu_ev ev;

	if (!s->fragment)
		return not_fragment(s, q);
	if (waddr <= QPU_W_TLB_STENCIL) {
		write_setup(q, waddr, file, v, mask);
		return QPU_EV_OK;
	}
	ev = qpu_frag_scoreboard(s, q, QPU_SIG_SBWAIT);
	if (ev)
		return ev;
	if (waddr == QPU_W_TLB_Z)
		return qpu_tlb_z(s, q, v, mask);
	if (waddr != QPU_W_TLB_ALPHA)
		return qpu_tlb_color(s, q, v, mask, waddr == QPU_W_TLB_COLOR_MS);
	write_alpha(&q->frag, v, mask);
	return QPU_EV_OK;
}

enum qpu_ev qpu_frag_load(struct qpu_shared *s, struct qpu_core *q, enum qpu_sig sig, u32 *v)
{
	const struct qpu_frag *f = &q->frag;
	enum qpu_ev ev = qpu_frag_scoreboard(s, q, QPU_SIG_SBWAIT);
	u32 e;

	if (ev)
		return ev;
	if (sig == QPU_SIG_LOADC || sig == QPU_SIG_LDCEND)
		return qpu_tlb_load(s, q, v);
	for (e = 0; e < QPU_LANES; e++) {
		if (sig == QPU_SIG_LOADAM)
			v[e] = f->alpha[e];
		else
			v[e] = (f->ms_mask & f->passed) >> (4 * e) & 0xf;
	}
	return QPU_EV_OK;
}

/* Do threads of a draw have a quad in common? */
static bool meet(const struct qpu_frag *a, const struct qpu_frag *b)
{
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(a->quad); i++)
		for (k = 0; k < ARRAY_SIZE(b->quad); k++)
			if (a->quad[i] == b->quad[k] && a->quad[i] != ~0U)
				return true;
	return false;
}

/* QPU whose thread must unlock before @q's, or NULL. Threads start in order. */
static const struct qpu_core *ahead(const struct qpu_shared *s, const struct qpu_core *q)
{
	const struct qpu_thread *mine = &s->threads[q->thread], *other;
	const struct qpu_core *c;
	u32 i;

	for (i = 0; i < QPU_NUM; i++) {
		c = &s->core[i];
		if (!c->frag.open || c->thread >= q->thread)
			continue;
		other = &s->threads[c->thread];
		if (s->feed ? meet(&c->frag, &q->frag) : other->x == mine->x && other->y == mine->y)
			return c;
	}
	return NULL;
}

enum qpu_ev qpu_frag_scoreboard(struct qpu_shared *s, struct qpu_core *q, enum qpu_sig sig)
{
	struct qpu_frag *f = &q->frag;
	const struct qpu_core *c;

	if (!s->fragment)
		return not_fragment(s, q);
	if (sig == QPU_SIG_SBDONE) {
		f->open = false;
		f->locked = false;
		return QPU_EV_OK;
	}
	if (f->locked || !f->open)
		return QPU_EV_OK;
	c = ahead(s, q);
	if (c) {
		q->wait = QPU_WAIT_SCOREBOARD;
		q->wait_info = c->num;
		return QPU_EV_STALL;
	}
	f->locked = true;
	return QPU_EV_OK;
}
