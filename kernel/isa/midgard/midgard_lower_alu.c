// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Midgard arithmetic: operations word by word, and writes of their results.
 */
#include "midgard_lower_priv.h"

static bool is_float_out(const struct ml *l)
{
	return !(l->def->flags & MG_INT_OUT);
}

static bool in_set(const struct ml_set *set, u32 slot)
{
	return slot < 128 && set->bits[slot / 64] >> (slot % 64) & 1;
}

/* Does a later read need the old value of the slot? Words up to @w are done. */
static bool ml_alu_read_later(struct ml *l, u32 slot, u32 w)
{
	struct ml_set rest = { };
	u32 i;

	for (i = 0; i < l->nwrites; i++)
		if (l->writes[i].d == slot)
			return true;
	for (i = l->i + 1; i < l->stage_end; i++)
		if (in_set(&l->reads[i], slot))
			return true;
	for (i = w + 1; i < 4 && !l->has_across; i++)
		ml_src_reads(l->a, i, &rest);
	return in_set(&rest, slot);
}

/* Slot for the register's word: its own if it may be written now, else a pending one. */
static u16 ml_alu_place(struct ml *l, u16 slot, u32 w)
{
	return ml_alu_read_later(l, slot, w) ? MG_SLOT_PEND + (l->nwrites % 15) : slot;
}

static void ml_alu_put_word(struct ml *l, u16 slot, u16 at, u32 bytes, struct ml_val v)
{
	u32 k, imm = 0;

	if (at != slot) {
		if (v.s != at)
			ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = at, .s = { v.s }));
		if (l->nwrites < ML_MAX_WRITES)
			l->writes[l->nwrites++] = (struct ml_write){ slot, (u8)bytes, at };
		return;
	}
	if (bytes == 15) {
		if (v.s != slot)
			ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = slot, .s = { v.s }));
		return;
	}
	for (k = 0; k < 4; k++)
		imm |= (bytes >> k & 1 ? SIMT_PERM_A(k) : SIMT_PERM_B(k)) << (4 * k);
	ml_emit(l, ML_UOP(.op = SIMT_PERM, .d = slot, .s = { v.s, slot }, .imm = imm));
}

/* ---- results before narrowing ---- */

int ml_word(struct ml *l, u32 w, struct ml_val *v)
{
	struct ml_val a = ml_const(l, 0), b = a;
	int ret = 0;

	if (!(l->def->flags & MG_MOVE))
		ret = ml_src(l, 0, w, &a);
	if (!ret && !(l->def->flags & MG_UNARY))
		ret = ml_src(l, 1, w, &b);
	if (ret)
		return ret;
	return l->def->flags & MG_INT_IN ? ml_int(l, w, a, b, v) : ml_float(l, w, a, b, v);
}

static int op_word(struct ml *l, u32 w, struct ml_val *v)
{
	if (l->has_across) {
		*v = l->across;
		return 0;
	}
	return ml_word(l, w, v);
}

/* ---- narrowing ---- */

/* Clamp words to the range of half their width. */
static struct ml_val limit(struct ml *l, struct ml_val v, u32 bits)
{
	u32 top = (1U << (bits - 1)) - 1, op = bits == 8 ? SIMT_IMM16 : SIMT_IMIN;
	u32 rep = bits == 8 ? 0x10001 : 1, low = bits == 8 ? 0xff80ff80 : ~top;

	if (l->a->outmod == MG_TRIM_USAT)
		return ml_aux(l, ML_U(.op = bits == 8 ? SIMT_IMM16 : SIMT_UMIN,
				      .s = { v.s, ml_const(l, (2 * top + 1) * rep).s },
				      .imm = bits == 8 ? 2 : 0));
	if (l->a->outmod != MG_TRIM_SSAT)
		return v;
	v = ml_aux(l, ML_U(.op = op, .s = { v.s, ml_const(l, top * rep).s }));
	return ml_aux(l, ML_U(.op = bits == 8 ? SIMT_IMM16 : SIMT_IMAX,
			      .s = { v.s, ml_const(l, low).s }, .imm = bits == 8 ? 1 : 0));
}

/* Same value? While micro-ops are counted, constants have no operands. */
static bool is_same(struct ml_val a, struct ml_val b)
{
	return a.is_const || b.is_const ? a.is_const && b.is_const && a.bits == b.bits :
					  a.s == b.s;
}

/* Narrow two words into one. */
static struct ml_val ml_alu_narrow(struct ml *l, struct ml_val a, struct ml_val b)
{
	u32 high = l->a->outmod == MG_TRIM_HIGH && !is_float_out(l);
	bool same = is_same(a, b);
	u16 want = l->want;

	if (is_float_out(l))
		return ml_op(l, ML_U(.op = SIMT_F2H2, .s = { a.s, b.s }, .imm = ml_round(l)));
	l->want = ML_NOWHERE;
	a = limit(l, a, l->a->dbits);
	b = same ? a : limit(l, b, l->a->dbits);
	l->want = want;
	if (l->a->mode == MG_MODE_16)
		return ml_perm(l, a, b, ML_PERM(high, high + 2, SIMT_PERM_B(high),
						SIMT_PERM_B(high + 2)));
	high *= 2;
	return ml_perm(l, a, b, ML_PERM(high, high + 1, SIMT_PERM_B(high),
					SIMT_PERM_B(high + 1)));
}

/* Narrow a 64-bit lane to a word. */
static struct ml_val narrow_wide(struct ml *l, const struct ml_pair *p)
{
	struct ml_val sign, top;
	u16 want = l->want;

	if (is_float_out(l))
		return ml_double_narrow(l, p);
	switch (l->a->outmod) {
	case MG_TRIM_LOW:
		return p->lo;
	case MG_TRIM_HIGH:
		return p->hi;
	case MG_TRIM_USAT:
		return ml_op(l,
			     ML_U(.op = SIMT_UCSEL, .imm = SIMT_EQ,
				  .s = { p->hi.s, ml_const(l, 0).s, p->lo.s, ml_const(l, ~0U).s }));
	default:
		break;
	}
	l->want = ML_NOWHERE;
	sign = ml_aux(l, ML_U(.op = SIMT_ASRI, .s = { p->lo.s }, .imm = 31));
	top = ml_aux(l, ML_U(.op = SIMT_ASRI, .s = { p->hi.s }, .imm = 31));
	top = ml_aux(l, ML_U(.op = SIMT_IXOR, .s = { top.s, ml_const(l, 0x7fffffff).s }));
	l->want = want;
	return ml_op(l, ML_U(.op = SIMT_UCSEL, .imm = SIMT_EQ,
			     .s = { p->hi.s, sign.s, p->lo.s, top.s }));
}

/* ---- vectors ---- */

/* Written bytes of word @w of the result, before narrowing. */
static u32 word_bytes(const struct mg_alu *a, u32 w)
{
	u32 m = a->mask >> (2 * w) & 3;

	return (m & 1 ? 3 : 0) | (m & 2 ? 12 : 0);
}

static int vector_words(struct ml *l, u16 slot)
{
	u32 w, bytes;
	struct ml_val v;
	u16 at;
	int ret;

	for (w = 0; w < 4; w++) {
		bytes = word_bytes(l->a, w);
		if (!bytes)
			continue;
		at = ml_alu_place(l, slot + w, w);
		l->f.temp = l->has_across ? MG_SLOT_WORK + 8 : MG_SLOT_WORK;
		l->want = bytes == 15 || at != slot + w ? at : ML_NOWHERE;
		ret = op_word(l, w, &v);
		if (ret)
			return ret;
		ml_alu_put_word(l, slot + w, at, bytes, v);
	}
	return 0;
}

/* A vector operation with 64-bit lanes. */
static int vector_wide(struct ml *l, u16 slot)
{
	bool shrink = l->a->shrink != MG_SHRINK_NONE;
	u32 lane, w, half = l->a->shrink == MG_SHRINK_HIGH ? 2 : 0;
	struct ml_pair p;
	struct ml_val v;
	u16 at;
	int ret;

	for (lane = 0; lane < 2; lane++) {
		if (!(l->a->lanes >> lane & 1))
			continue;
		l->f.temp = MG_SLOT_WORK;
		l->want = ML_NOWHERE;
		ret = ml_wide(l, lane, &p);
		if (ret)
			return ret;
		if (shrink) {
			at = ml_alu_place(l, slot + half + lane, 2 * lane + 1);
			l->want = at;
			v = narrow_wide(l, &p);
			ml_alu_put_word(l, slot + half + lane, at, 15, v);
			continue;
		}
		for (w = 2 * lane; w < 2 * lane + 2; w++) {
			at = ml_alu_place(l, slot + w, 2 * lane + 1);
			/* the other word may be a source of the word written now */
			v = w & 1 ? p.hi : p.lo;
			if (!(w & 1) && at == slot + w && p.hi.s == at)
				p.hi = ml_aux(l, ML_U(.op = SIMT_MOV, .s = { p.hi.s }));
			ml_alu_put_word(l, slot + w, at, 15, v);
		}
	}
	return 0;
}

/* Written bytes of word @j of the destination half. */
static u32 shrunk_bytes(const struct mg_alu *a, u32 j)
{
	u32 n = a->mode == MG_MODE_16 ? 4 : 2, i, bytes = 0;

	for (i = 0; i < n; i++)
		if (a->lanes >> (n * j + i) & 1)
			bytes |= (n == 4 ? 1U : 3U) << (i * 4 / n);
	return bytes;
}

static int vector_shrunk(struct ml *l, u16 slot)
{
	u32 half = l->a->shrink == MG_SHRINK_HIGH ? 2 : 0, j, bytes, k;
	struct ml_val v[2];
	u16 at, d;
	int ret;

	for (j = 0; j < 2; j++) {
		bytes = shrunk_bytes(l->a, j);
		if (!bytes)
			continue;
		l->f.temp = l->has_across ? MG_SLOT_WORK + 8 : MG_SLOT_WORK;
		for (k = 0; k < 2; k++) {
			v[k] = ml_const(l, 0);
			l->want = ML_NOWHERE;
			if (!(bytes >> (2 * k) & 3))
				continue;
			ret = op_word(l, 2 * j + k, &v[k]);
			if (ret)
				return ret;
		}
		d = slot + half + j;
		at = ml_alu_place(l, d, 2 * j + 1);
		l->want = bytes == 15 || at != d ? at : ML_NOWHERE;
		v[0] = ml_alu_narrow(l, v[0], v[1]);
		ml_alu_put_word(l, d, at, bytes, v[0]);
	}
	return 0;
}

/* ---- scalars ---- */

static int scalar(struct ml *l, u16 slot)
{
	u32 w = l->a->comp / 2, bytes = 15;
	bool half = l->a->shrink != MG_SHRINK_NONE;
	struct ml_val v;
	u16 at;
	int ret;

	slot += w;
	at = ml_alu_place(l, slot, 3);
	l->f.temp = MG_SLOT_WORK;
	l->want = half ? ML_NOWHERE : at;
	ret = op_word(l, 0, &v);
	if (ret)
		return ret;
	if (half) {
		bytes = l->a->comp & 1 ? 12 : 3;
		l->want = at != slot ? at : ML_NOWHERE;
		v = ml_alu_narrow(l, v, v);
	}
	ml_alu_put_word(l, slot, at, bytes, v);
	return 0;
}

bool midgard_executes_alu(u32 op)
{
	const struct mg_alu_def *def = mg_alu_op(op);

	/* widening products and undefined operations */
	return def && def->units && !(op >= MG_OP_WMUL_S && op <= MG_OP_WMUL_SU) &&
	       !(op >= MG_OP_FPOW_PT1 && op <= MG_OP_FPOWR_PT1);
}

int ml_alu_op(struct ml *l)
{
	u16 slot = 0;
	int ret;

	ret = ml_check_sources(l);
	if (!ret)
		ret = ml_dest_slot(l, l->a->dest, &slot);
	if (ret)
		return ret;
	if (l->a->nlanes == 1)
		return scalar(l, slot);
	/* 8-bit floats */
	if (is_float_out(l) && (l->a->mode == MG_MODE_8 ||
				(l->a->mode == MG_MODE_16 && l->a->shrink != MG_SHRINK_NONE)))
		return ml_unsupported(l, l->a->op);
	if (l->def->channels) {
		/* reserved while the result is written, clear of intermediate values */
		l->want = MG_SLOT_WORK;
		l->f.temp = MG_SLOT_WORK + 1;
		ret = ml_across(l, &l->across);
		if (ret)
			return ret;
		l->has_across = true;
	}
	if (l->a->mode == MG_MODE_64)
		return vector_wide(l, slot);
	return l->a->shrink == MG_SHRINK_NONE ? vector_words(l, slot) : vector_shrunk(l, slot);
}
