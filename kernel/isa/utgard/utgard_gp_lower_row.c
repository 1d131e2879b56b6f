// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard vertex programs: rows of uniforms and temporaries. Without stores to
 * rows, they are words of the uniform table, or a buffer if indexed by an address register.
 * With such stores, a vertex has its rows in thread memory.
 */
#include "utgard_gp_lower_priv.h"

static void row_init(struct ugl *l, u32 row)
{
	u32 d = l->pool, i;

	for (i = 0; i < 4; i++) {
		if (row == UGL_ZERO_ROW)
			ugl_copy(l, d + i, ugl_const(l, 0));
		else
			ugl_copy(l, d + i, ugl_slot(SIMT_U | (4 * row + i)));
	}
	ugl_emit(l, UGL_UOP(.op = SIMT_ST, .d = d,
			    .s = { ugl_const(l, 0).s, ugl_const(l, 0).s },
			    .imm = SIMT_MEM(16, SIMT_SEG_TLS, 16 * row)));
}

/* Program prologue: initialise the rows that may be read, with no store pending. */
void ugl_rows_begin(struct ugl *l)
{
	u32 row, i;

	if (!l->temps)
		return;
	for (i = 0; l->temps_late && i < 4 * UGL_MAX_LATE; i++)
		ugl_copy(l, l->slot_store[i / 4][i % 4][0],
			 ugl_const(l, 16 * UGL_DUMP_ROW));
	l->f.top = max_t(u32, l->f.top, l->pool + 4);
	for (row = 0; row < l->rows; row++) {
		if (l->indexed || l->loaded[row / 64] >> (row % 64) & 1)
			row_init(l, row);
	}
	if (l->indexed)
		row_init(l, UGL_ZERO_ROW);
}

/* Emit stores that become visible at this instruction. */
void ugl_rows_commit(struct ugl *l)
{
	struct ugl_store *s = l->store[l->f.pos % UGL_RING];
	u32 i;

	for (i = 0; i < 4 && l->temps; i++) {
		if (s[i].set)
			ugl_emit(l, UGL_UOP(.op = SIMT_ST, .d = ugl_in_slot(l, s[i].v),
					    .s = { s[i].off.s, ugl_const(l, 0).s },
					    .imm = SIMT_MEM(4, SIMT_SEG_TLS, 4 * i)));
		s[i].set = false;
	}
}

/* Offset of the loaded row. */
static struct ugl_val row_loaded(struct ugl *l)
{
	struct ugl_val addr = l->now[UGL_ADDR0 + l->v.load_addr];
	u16 d = ugl_fresh(l);

	ugl_emit(l, UGL_UOP(.op = SIMT_IADD, .d = d,
			    .s = { addr.s, ugl_const(l, l->v.load_row).s }));
	ugl_emit(l, UGL_UOP(.op = SIMT_UMIN, .d = d, .s = { d, ugl_const(l, UGL_ZERO_ROW).s }));
	ugl_emit(l, UGL_UOP(.op = SIMT_SHLI, .d = d, .s = { d }, .imm = 4));
	return ugl_slot(d);
}

static struct ugl_val ugl_row_load(struct ugl *l, u32 off, u32 imm)
{
	u16 d = ugl_fresh(l);

	ugl_emit(l, UGL_UOP(.op = SIMT_LD, .d = d, .s = { off, ugl_const(l, UGP_UBO).s },
			    .imm = imm));
	return ugl_slot(d);
}

void ugl_rows_load(struct ugl *l)
{
	u32 seg = l->temps ? SIMT_SEG_TLS : SIMT_SEG_UBO, row = 0, i;
	struct ugl_val off = ugl_const(l, 0);

	if (l->v.reads && l->v.load_addr)
		off = row_loaded(l);
	else
		row = l->v.load_row;
	for (i = 0; i < 4; i++) {
		if (!(l->v.reads >> i & 1))
			l->load[i] = ugl_const(l, 0);
		else if (l->temps || l->v.load_addr)
			l->load[i] = ugl_row_load(l, off.s, SIMT_MEM(4, seg, 16 * row + 4 * i));
		else
			l->load[i] = ugl_slot(SIMT_U | (4 * row + i));
	}
}

struct ugl_val ugl_row_stored(struct ugl *l)
{
	struct ugl_val addr = l->now[UGL_ADDR0];
	u16 d = ugl_fresh(l);

	ugl_emit(l, UGL_UOP(.op = SIMT_UCSEL, .d = d, .imm = SIMT_LT,
			    .s = { addr.s, ugl_const(l, UGP_MAX_ROWS).s, addr.s,
				   ugl_const(l, UGL_DUMP_ROW).s }));
	ugl_emit(l, UGL_UOP(.op = SIMT_SHLI, .d = d, .s = { d }, .imm = 4));
	return ugl_slot(d);
}
