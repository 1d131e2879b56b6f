// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard vertex programs: analysis of the whole program, so that only state that
 * the program uses gets slots.
 */
#include "utgard_gp_lower_priv.h"

static void view(struct ugl *l, u32 at)
{
	struct ugp_insn insn;

	ugp_decode(l->words + UGP_WORDS * at, &insn);
	ugp_view(&insn, &l->v, NULL);
	l->f.pos = at;
}

/* ---- blocks ---- */

static void ugl_look_start(struct ugl *l, u32 at)
{
	if (at >= l->n || ugl_starts(l, at))
		return;
	l->starts[at / 64] |= BIT_ULL(at % 64);
	l->nstarts++;
}

static void look_operands(struct ugl *l)
{
	u32 unit, i;

	for (unit = 0; unit < UGP_NUM_UNITS; unit++) {
		for (i = 0; i < l->v.slot[unit].nsrc; i++)
			l->prev_port0 |= l->v.slot[unit].src[i].kind == UGP_KIND_PREV_PORT0;
	}
}

void ugl_look_flow(struct ugl *l, u32 i)
{
	view(l, i);
	look_operands(l);
	if (!i)
		ugl_look_start(l, 0);
	if (l->debug)
		ugl_look_start(l, i);
	l->flows |= l->debug;
	if (!l->v.branch)
		return;
	l->flows = true;
	ugl_look_start(l, l->v.target);
	ugl_look_start(l, i + 1);
}

/* ---- reads and writes ---- */

static void read_port(struct ugl *l, u32 reg, u32 mask)
{
	u32 i;

	for (i = 0; i < 4; i++)
		l->cell_read[4 * reg + i] |= mask >> i & 1;
}

static void look_reads(struct ugl *l)
{
	const struct ugp_view *v = &l->v;
	u32 mask = l->prev_port0 ? 15 : v->reads0;

	if (mask && v->port0_attribute)
		l->out->attrmask |= 1U << v->port0;
	else
		read_port(l, v->port0, mask);
	read_port(l, v->port1, v->reads1);
	if (!v->reads)
		return;
	if (v->load_addr) {
		l->cell_read[UGL_ADDR0 + v->load_addr] = true;
		l->indexed = true;
		return;
	}
	l->loaded[v->load_row / 64] |= BIT_ULL(v->load_row % 64);
	l->rows = max_t(u32, l->rows, v->load_row + 1);
}

/* @late: instructions until the block ends; the write may still be pending there. */
static void ugl_look_write_cell(struct ugl *l, u32 cell, u32 late)
{
	l->cell_written[cell] = true;
	l->late[cell] |= late < ugl_cell_late(cell);
}

static void ugl_look_store(struct ugl *l, const struct ugp_store_group *g, u32 comp, u32 late)
{
	switch (g->dest) {
	case UGP_DEST_REG:
		ugl_look_write_cell(l, 4 * g->addr + comp, late);
		break;
	case UGP_DEST_VARYING:
		l->out->out[g->addr] = 0;
		l->out->outmask[g->addr] |= 1U << comp;
		l->stores[4 * g->addr + comp]++;
		break;
	case UGP_DEST_TEMP:
		l->temps = true;
		l->temps_late |= late < UGL_MAX_LATE;
		l->cell_read[UGL_ADDR0] = true;
		break;
	default:
		break;
	}
}

static void look_writes(struct ugl *l, u32 late)
{
	u32 op = l->v.slot[UGP_COMPLEX_UNIT].op, i;

	for (i = 0; i < 4; i++) {
		if (l->v.store[i / 2].unit[i % 2] != UGP_NUM_UNITS)
			ugl_look_store(l, &l->v.store[i / 2], i, late);
	}
	if (op >= UGP_OP_ADDR0 && op <= UGP_OP_ADDR3)
		ugl_look_write_cell(l, UGL_ADDR0 + op - UGP_OP_ADDR0, late);
	if (op == UGP_OP_ADDR01) {
		ugl_look_write_cell(l, UGL_ADDR0, late);
		ugl_look_write_cell(l, UGL_ADDR0 + 1, late);
	}
}

/* Record results that the first two instructions of a block read; @second: the second one. */
static void look_results(struct ugl *l, bool second)
{
	u32 unit, i;

	for (unit = 0; unit < UGP_NUM_UNITS; unit++) {
		for (i = 0; i < l->v.slot[unit].nsrc; i++) {
			const struct ugp_src *s = &l->v.slot[unit].src[i];

			if (s->kind == UGP_KIND_PREV_PORT0 && !second)
				l->live_port0 = true;
			if (s->kind != UGP_KIND_RESULT || (second && s->back == 1))
				continue;
			if (s->back == 1)
				l->live1[s->unit] = true;
			else if (!second)
				l->live2[s->unit] = true;
			/* the previous block may consist of one instruction */
			if (s->back == 2)
				l->live1[s->unit == UGP_MUL0 ? UGL_NEXT_MUL0 : s->unit] = true;
		}
	}
}

void ugl_look_insn(struct ugl *l, u32 i)
{
	if (i + 1 == l->n)
		l->until_end = UGL_RING;
	view(l, i);
	/* no write is pending at a program's end */
	if (l->flows && (l->v.branch || (i + 1 < l->n && ugl_starts(l, i + 1))))
		l->until_end = 0;
	look_reads(l);
	look_writes(l, l->until_end++);
	if (ugl_starts(l, i))
		look_results(l, false);
	else if (ugl_starts(l, i - 1))
		look_results(l, true);
}

/* A debugger reads and changes all state, including the rows of each vertex. */
static void look_debug(struct ugl *l)
{
	u32 i;

	memset(l->cell_read, true, sizeof(l->cell_read));
	memset(l->cell_written, true, sizeof(l->cell_written));
	memset(l->live1, true, sizeof(l->live1));
	memset(l->live2, true, sizeof(l->live2));
	l->live_port0 = true;
	l->temps = true;
	l->indexed = true;
	for (i = 0; i < UGP_NUM_VARYINGS; i++)
		l->out->out[i] = 0;
}

/* ---- slots ---- */

static u16 slots(struct ugl *l, u32 n)
{
	l->pool += n;
	return (u16)(l->pool - n);
}

static void place_cell(struct ugl *l, u32 c)
{
	l->cell_slot[c] = UGP_NO_SLOT;
	if (!l->flows || !l->cell_read[c] || !l->cell_written[c]) {
		l->late[c] = false;
		return;
	}
	l->cell_slot[c] = slots(l, 1);
}

static void place_late(struct ugl *l, u32 c)
{
	u32 k;

	for (k = 0; l->late[c] && k < ugl_cell_late(c); k++)
		l->late_slot[c][k] = slots(l, 1);
}

static void place_results(struct ugl *l)
{
	u32 i;

	for (i = 0; i < UGL_NUM_RESULTS; i++)
		l->slot1[i] = l->flows && l->live1[i] ? slots(l, 1) : UGP_NO_SLOT;
	for (i = 0; i < UGP_NUM_UNITS; i++)
		l->slot2[i] = l->flows && l->live2[i] ? slots(l, 1) : UGP_NO_SLOT;
	for (i = 0; i < 4; i++)
		l->slot_port0[i] = l->flows && l->live_port0 ? slots(l, 1) : UGP_NO_SLOT;
}

static void place_stores(struct ugl *l)
{
	u32 k, i;

	for (k = 0; l->temps_late && k < UGL_MAX_LATE; k++) {
		for (i = 0; i < 4; i++) {
			l->slot_store[k][i][0] = slots(l, 1);
			l->slot_store[k][i][1] = slots(l, 1);
		}
	}
}

/* Allocate slots; those visible to debuggers first, in the order of UGP_SLOT_*. */
static void ugl_look_place(struct ugl *l)
{
	struct ugp_program *out = l->out;
	u32 i;

	for (i = 0; i < UGL_NUM_CELLS; i++)
		place_cell(l, i);
	place_results(l);
	for (i = 0; i < UGP_NUM_VARYINGS; i++) {
		if (out->out[i] != UGP_NO_SLOT)
			out->out[i] = slots(l, 4);
	}
	for (i = 0; i < UGP_NUM_ATTRIBUTES && l->debug; i++)
		out->attr[i] = slots(l, 4);
	for (i = 0; i < UGL_NUM_CELLS; i++)
		place_late(l, i);
	place_stores(l);
	l->fixed = l->pool;
	for (i = 0; i < UGP_NUM_ATTRIBUTES && !l->debug; i++) {
		if (out->attrmask >> i & 1)
			out->attr[i] = slots(l, 4);
	}
	l->f.top = l->pool;
}

void ugl_look_end(struct ugl *l)
{
	if (l->debug)
		look_debug(l);
	if (l->indexed && l->temps)
		l->rows = UGP_MAX_ROWS;
	if (l->temps)
		l->out->tls = UGL_TLS;
	l->out->ubo = l->indexed && !l->temps;
	ugl_look_place(l);
}
