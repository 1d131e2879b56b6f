// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard vertex programs to the SIMT machine, instruction by instruction,
 * including write latencies.
 */
#include "utgard_gp_lower_priv.h"

#define ENTRY	UGP_MAX_INSNS	/* label before the first instruction */

/* ---- values ---- */

u16 ugl_fresh(struct ugl *l)
{
	u32 i = l->pool;

	while (i < SIMT_MAX_SLOTS && l->used[i / 64] >> (i % 64) & 1)
		i++;
	if (i >= SIMT_MAX_SLOTS) {
		l->f.full = true;
		return (u16)l->pool;
	}
	l->used[i / 64] |= BIT_ULL(i % 64);
	l->f.top = max_t(u32, l->f.top, i + 1);
	return (u16)i;
}

void ugl_copy(struct ugl *l, u32 dst, struct ugl_val v)
{
	if (v.neg)
		ugl_emit(l, UGL_UOP(.op = SIMT_FMOV, .d = (u16)dst, .s = { v.s },
				    .mods = SIMT_NEG(0)));
	else
		ugl_emit(l, UGL_UOP(.op = SIMT_MOV, .d = (u16)dst, .s = { v.s }));
}

u16 ugl_in_slot(struct ugl *l, struct ugl_val v)
{
	u16 d;

	if (!v.neg && !(v.s & SIMT_U))
		return v.s;
	d = ugl_fresh(l);
	ugl_copy(l, d, v);
	return d;
}

static void ugl_keep(struct ugl *l, struct ugl_val v)
{
	if (!(v.s & SIMT_U) && v.s >= l->pool)
		l->used[v.s / 64] |= BIT_ULL(v.s % 64);
}

/* Mark the slots of all visible values; other slots of the pool are free from here on. */
static void keep_all(struct ugl *l)
{
	u32 i, k;

	memset(l->used, 0, sizeof(l->used));
	for (i = 0; i < UGL_NUM_CELLS; i++) {
		ugl_keep(l, l->now[i]);
		for (k = 0; k < UGL_RING; k++) {
			if (l->due_set[k][i])
				ugl_keep(l, l->due[k][i]);
		}
	}
	for (i = 0; i < UGL_NUM_RESULTS; i++)
		ugl_keep(l, l->r1[i]);
	for (i = 0; i < UGP_NUM_UNITS; i++)
		ugl_keep(l, l->r2[i]);
	for (i = 0; i < 4; i++) {
		ugl_keep(l, l->prev0[i]);
		for (k = 0; k < UGL_RING; k++) {
			if (!l->store[k][i].set)
				continue;
			ugl_keep(l, l->store[k][i].off);
			ugl_keep(l, l->store[k][i].v);
		}
	}
}

/* ---- instructions ---- */

/* Make writes visible that reach their latency at this instruction. */
static void arrive(struct ugl *l)
{
	u32 when = l->f.pos % UGL_RING, c;

	for (c = 0; c < UGL_NUM_CELLS; c++) {
		if (l->due_set[when][c])
			l->now[c] = l->due[when][c];
		l->due_set[when][c] = false;
	}
	ugl_rows_commit(l);
}

static void ugl_read_ports(struct ugl *l)
{
	const struct ugp_view *v = &l->v;
	u32 i;

	for (i = 0; i < 4; i++) {
		if (!v->port0_attribute)
			l->port0[i] = l->now[4 * v->port0 + i];
		else if (l->out->attr[v->port0] != UGP_NO_SLOT)
			l->port0[i] = ugl_slot(l->out->attr[v->port0] + i);
		else
			l->port0[i] = ugl_const(l, 0);
	}
	ugl_rows_load(l);
}

static void ugl_write_cell(struct ugl *l, u32 cell, struct ugl_val v)
{
	u32 when = l->f.pos + ugl_cell_late(cell) + 1;

	if (cell == UGL_ADDR0) {
		l->now[cell] = v;
		return;
	}
	l->due[when % UGL_RING][cell] = v;
	l->due_set[when % UGL_RING][cell] = true;
}

static void write_addr(struct ugl *l, u32 first, u32 n, struct ugl_val v)
{
	struct ugl_val addr = ugl_slot(ugl_fresh(l));
	u32 i;

	ugl_emit(l, UGL_UOP(.op = SIMT_F2I, .d = addr.s, .s = { v.s }, .imm = SIMT_RTZ,
			    .mods = v.neg ? SIMT_NEG(0) : 0));
	for (i = 0; i < n; i++)
		ugl_write_cell(l, UGL_ADDR0 + first + i, addr);
}

/* Write address registers. Precedes stores, which may be addressed by address register 0. */
static void write_addrs(struct ugl *l)
{
	u32 op = l->v.slot[UGP_COMPLEX_UNIT].op;

	if (op >= UGP_OP_ADDR0 && op <= UGP_OP_ADDR3)
		write_addr(l, op - UGP_OP_ADDR0, 1, l->cur[UGP_COMPLEX_UNIT]);
	else if (op == UGP_OP_ADDR01)
		write_addr(l, 0, 2, l->cur[UGP_PASS_UNIT]);
}

static void store(struct ugl *l, const struct ugp_store_group *g, u32 comp, struct ugl_val off)
{
	struct ugl_val v = l->cur[g->unit[comp % 2]];
	u32 slot;

	switch (g->dest) {
	case UGP_DEST_REG:
		ugl_write_cell(l, 4 * g->addr + comp, v);
		break;
	case UGP_DEST_VARYING:
		slot = l->out->out[g->addr] + comp;
		if (v.s != slot || v.neg)
			ugl_copy(l, slot, v);
		break;
	case UGP_DEST_TEMP:
		l->store[(l->f.pos + UGP_TEMP_LATENCY) % UGL_RING][comp] =
			(struct ugl_store){ .off = off, .v = v, .set = true };
		break;
	default:
		break;
	}
}

static void stores(struct ugl *l)
{
	const struct ugp_store_group *g = l->v.store;
	struct ugl_val off = { };
	u32 i;

	if (g[0].dest == UGP_DEST_TEMP || g[1].dest == UGP_DEST_TEMP)
		off = ugl_row_stored(l);
	for (i = 0; i < 4; i++) {
		if (g[i / 2].unit[i % 2] != UGP_NUM_UNITS)
			store(l, &g[i / 2], i, off);
	}
}

/* Advance by one instruction: current results become previous ones. */
static void pass_time(struct ugl *l)
{
	memcpy(l->r2, l->r1, sizeof(l->r2));
	l->r2[UGP_MUL0] = l->r1[UGL_NEXT_MUL0];
	memcpy(l->r1, l->cur, sizeof(l->r1));
	memcpy(l->prev0, l->port0, sizeof(l->prev0));
}

/* -0 does not branch, so an integer test does not suffice. */
static u16 condition(struct ugl *l)
{
	struct ugl_val v = l->cur[UGP_PASS_UNIT];
	u16 d;

	if (v.truth)
		return v.s;
	d = ugl_fresh(l);
	ugl_emit(l, UGL_UOP(.op = SIMT_FCMP, .d = d, .s = { v.s, ugl_const(l, 0).s },
			    .imm = SIMT_CMP(SIMT_NE, SIMT_TRUE_1)));
	return d;
}

static void leave(struct ugl *l)
{
	bool last = l->f.pos + 1 == l->n;
	u16 s;

	if (l->v.branch) {
		s = condition(l);
		ugl_block_end(l);
		ugl_emit(l, UGL_UOP(.op = SIMT_BRNZ, .s = { s }, .imm = l->v.target));
	} else if (!last && ugl_starts(l, l->f.pos + 1)) {
		ugl_block_end(l);
	}
}

static void ugl_lower_insn(struct ugl *l, u32 at)
{
	struct ugp_insn insn;

	l->f.pos = at;
	ugp_decode(l->words + UGP_WORDS * at, &insn);
	ugp_view(&insn, &l->v, NULL);
	if (ugl_starts(l, at)) {
		simt_front_label(&l->f, at);
		ugl_block_begin(l);
	}
	if (l->debug)
		ugl_emit(l, UGL_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST));
	keep_all(l);
	arrive(l);
	ugl_read_ports(l);
	ugl_units(l);
	write_addrs(l);
	stores(l);
	pass_time(l);
	leave(l);
}

/* ---- programs ---- */

static void ugl_begin_all(struct simt_front *f)
{
	struct ugl *l = container_of(f, struct ugl, f);

	f->pos = 0;
	simt_front_label(f, ENTRY);
	ugl_rows_begin(l);
}

/* ---- steps ---- */

/* Visit instructions in order. Return: 0: the pass is complete. */
static int each_insn(struct simt_front *f, u32 *left, int (*visit)(struct ugl *l, u32 i))
{
	struct ugl *l = container_of(f, struct ugl, f);
	int ret;

	for (; l->next < l->n; l->next++) {
		if (!*left)
			return -EAGAIN;
		*left -= min(*left, UGL_VISIT);
		ret = visit(l, l->next);
		if (ret)
			return ret;
	}
	l->next = 0;
	return 0;
}

static int verify_insn(struct ugl *l, u32 i)
{
	return ugp_verify_insn(l->words + UGP_WORDS * i, i, l->n, &l->rep, &l->rej);
}

static int flow_insn(struct ugl *l, u32 i)
{
	ugl_look_flow(l, i);
	return 0;
}

/* Analyse the instructions in reverse order. */
static int look_insn(struct ugl *l, u32 i)
{
	ugl_look_insn(l, l->n - 1 - i);
	return 0;
}

static int ugl_verify(struct simt_front *f, u32 *left)
{
	return each_insn(f, left, verify_insn);
}

static int ugl_flow(struct simt_front *f, u32 *left)
{
	return each_insn(f, left, flow_insn);
}

static int ugl_look(struct simt_front *f, u32 *left)
{
	int ret = each_insn(f, left, look_insn);

	if (!ret)
		ugl_look_end(container_of(f, struct ugl, f));
	return ret;
}

static int emit_insn(struct ugl *l, u32 i)
{
	ugl_lower_insn(l, i);
	return 0;
}

static int ugl_lower_all(struct simt_front *f, u32 *left)
{
	int ret = each_insn(f, left, emit_insn);

	if (!ret)
		simt_front_emit(f, UGL_UOP(.op = SIMT_END));
	return ret;
}

static u32 ugl_plan(struct simt_front *f, struct simt_prog *p)
{
	const struct ugl *l = container_of(f, struct ugl, f);

	*p = (struct simt_prog){
		.nslots = f->top, .warp = 4, .zero = l->fixed, .temp = l->debug ? 0 : l->pool,
		.debug = l->debug, .nunif = 4 * l->rows, .entry = ENTRY,
	};
	return l->nstarts + 1;
}

static const struct simt_front_ops ugl_ops = {
	.look = { ugl_verify, ugl_flow, ugl_look }, .begin = ugl_begin_all,
	.lower = ugl_lower_all, .plan = ugl_plan,
};

int ugp_lower_new(struct simt_arena *arena, const u32 *words, u32 ninsns, u32 flags,
		  struct ugp_program *out, struct simt_front **lowering,
		  struct vs_reject *rej)
{
	static const u32 entry;
	struct vs_src src = {
		.stage = VS_STAGE_VERTEX, .entries = &entry, .nentries = 1,
		.words[VS_SECTION_CODE] = words,
		.nwords[VS_SECTION_CODE] = min_t(u32, ninsns, UGP_MAX_INSNS + 1) * UGP_WORDS,
	};
	struct vs_report rep;
	struct ugl *l;
	int ret;

	memset(out, 0, sizeof(*out));
	memset(out->attr, 0xff, sizeof(out->attr));
	memset(out->out, 0xff, sizeof(out->out));
	ret = ugp_verify_size(&src, &rep, rej);
	if (ret)
		return ret;
	l = simt_arena_alloc(arena, 1, sizeof(*l));
	if (!l)
		return -ENOMEM;
	l->f.ops = &ugl_ops;
	l->f.arena = arena;
	l->f.rej = &l->rej;
	l->words = words;
	l->n = ninsns;
	l->debug = flags & UGP_LOWER_DEBUG;
	l->out = out;
	l->hint = UGP_NO_SLOT;
	*lowering = &l->f;
	return 0;
}
