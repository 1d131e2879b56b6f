// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard vertex programs: edges between basic blocks. Each live value has one slot
 * at block boundaries, whichever block it comes from.
 */
#include "utgard_gp_lower_priv.h"

static struct ugl_val from(struct ugl *l, u16 slot)
{
	return slot == UGP_NO_SLOT ? ugl_const(l, 0) : ugl_slot(slot);
}

static void cells_begin(struct ugl *l)
{
	u32 c, k;

	memset(l->due_set, 0, sizeof(l->due_set));
	for (c = 0; c < UGL_NUM_CELLS; c++) {
		l->now[c] = from(l, l->cell_slot[c]);
		for (k = 0; l->late[c] && k < ugl_cell_late(c); k++) {
			u32 when = (l->f.pos + 1 + k) % UGL_RING;

			l->due[when][c] = ugl_slot(l->late_slot[c][k]);
			l->due_set[when][c] = true;
		}
	}
}

static void stores_begin(struct ugl *l)
{
	u32 k, i;

	memset(l->store, 0, sizeof(l->store));
	for (k = 0; l->temps_late && k < UGL_MAX_LATE; k++) {
		for (i = 0; i < 4; i++) {
			struct ugl_store *s = &l->store[(l->f.pos + 1 + k) % UGL_RING][i];

			s->off = ugl_slot(l->slot_store[k][i][0]);
			s->v = ugl_slot(l->slot_store[k][i][1]);
			s->set = true;
		}
	}
}

/* Set the state at the start of the basic block that begins at instruction l->f.pos. */
void ugl_block_begin(struct ugl *l)
{
	u32 i;

	cells_begin(l);
	stores_begin(l);
	for (i = 0; i < UGL_NUM_RESULTS; i++)
		l->r1[i] = from(l, l->slot1[i]);
	for (i = 0; i < UGP_NUM_UNITS; i++)
		l->r2[i] = from(l, l->slot2[i]);
	for (i = 0; i < 4; i++)
		l->prev0[i] = from(l, l->slot_port0[i]);
}

static void move(struct ugl *l, u16 dst, struct ugl_val v)
{
	if (dst == UGP_NO_SLOT || (v.s == dst && !v.neg))
		return;
	l->move[l->nmoves++] = (struct ugl_move){ .dst = dst, .v = v };
}

/* @next: following instruction */
static void cells_end(struct ugl *l, u32 next)
{
	struct ugl_val v;
	u32 c, k;

	for (c = 0; c < UGL_NUM_CELLS; c++) {
		v = l->now[c];
		if (l->due_set[next % UGL_RING][c])
			v = l->due[next % UGL_RING][c];
		move(l, l->cell_slot[c], v);
		for (k = 0; l->late[c] && k < ugl_cell_late(c); k++) {
			if (l->due_set[(next + 1 + k) % UGL_RING][c])
				v = l->due[(next + 1 + k) % UGL_RING][c];
			move(l, l->late_slot[c][k], v);
		}
	}
}

static void stores_end(struct ugl *l, u32 next)
{
	u32 k, i;

	for (k = 0; l->temps_late && k < UGL_MAX_LATE; k++) {
		for (i = 0; i < 4; i++) {
			struct ugl_store s = l->store[(next + 1 + k) % UGL_RING][i];

			if (!s.set) {
				s.off = ugl_const(l, 16 * UGL_DUMP_ROW);
				s.v = ugl_const(l, 0);
			}
			move(l, l->slot_store[k][i][0], s.off);
			move(l, l->slot_store[k][i][1], s.v);
		}
	}
}

static bool is_written(const struct ugl *l, u32 slot)
{
	return !(slot & SIMT_U) && l->written[slot / 64] >> (slot % 64) & 1;
}

/* Parallel move: values that would be overwritten before they are read are saved first. */
static void make_moves(struct ugl *l)
{
	struct ugl_move *m;
	u32 i;

	memset(l->written, 0, sizeof(l->written));
	for (i = 0; i < l->nmoves; i++) {
		m = &l->move[i];
		if (is_written(l, m->v.s)) {
			u16 d = ugl_fresh(l);

			ugl_copy(l, d, ugl_slot(m->v.s));
			m->v.s = d;
		}
		l->written[m->dst / 64] |= BIT_ULL(m->dst % 64);
	}
	for (i = 0; i < l->nmoves; i++)
		ugl_copy(l, l->move[i].dst, l->move[i].v);
}

/* Move live values to their boundary slots, after the last instruction of a block, l->f.pos. */
void ugl_block_end(struct ugl *l)
{
	u32 next = l->f.pos + 1, i;

	l->nmoves = 0;
	cells_end(l, next);
	for (i = 0; i < UGP_NUM_UNITS; i++)
		move(l, l->slot2[i], l->r2[i]);
	for (i = 0; i < UGL_NUM_RESULTS; i++)
		move(l, l->slot1[i], l->r1[i]);
	for (i = 0; i < 4; i++)
		move(l, l->slot_port0[i], l->prev0[i]);
	/* the next instruction sees writes due there */
	l->f.pos = next;
	ugl_rows_commit(l);
	l->f.pos = next - 1;
	stores_end(l, next);
	make_moves(l);
}
