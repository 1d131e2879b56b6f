// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Debugged launches: which operations produce NaNs and infinities?
 *
 * Micro-ops are executed one at a time. A micro-op whose result is a NaN or an infinity, although
 * no operand is, makes one. Its operation has produced one if a slot that it writes, and
 * does not read itself, has one at its end, and none of its own operands was one: tests and
 * selections in the lowered code of an operation may still remove what an intermediate step made.
 */
#include "../vs_debug.h"
#include "simt_exec.h"
#include "simt_opt.h"

/* How bits are read: as no float, a binary32, two binary16. */
enum view { VIEW_NONE, VIEW_F32, VIEW_F16 };

static bool simt_special_is_special(u32 bits, enum view view)
{
	if (view == VIEW_F32)
		return (bits & 0x7f800000) == 0x7f800000;
	return view == VIEW_F16 && ((bits & 0x7c00) == 0x7c00 || (bits & 0x7c000000) == 0x7c000000);
}

/* View of the result of a micro-op that calculates floats. */
static enum view result_view(u32 op)
{
	switch (op) {
	case SIMT_I2F:
	case SIMT_U2F:
	case SIMT_FEXPX:
	case SIMT_FREXPM:
	case SIMT_FRCPA:
	case SIMT_FRSQA:
	case SIMT_FLOGT:
		return VIEW_F32;
	case SIMT_F2H2:
		return VIEW_F16;
	default:
		return simt_opinfo[op].class == SIMT_CL_F ? VIEW_F32 :
		       simt_opinfo[op].class == SIMT_CL_H ? VIEW_F16 : VIEW_NONE;
	}
}

/* View of operand @i. */
static enum view operand_view(u32 op, u32 i)
{
	switch (op) {
	case SIMT_H2F:
		return VIEW_F16;
	case SIMT_F2H2:
		return VIEW_F32;
	case SIMT_I2F:
	case SIMT_U2F:
		return VIEW_NONE;
	case SIMT_FEXPX:
		return i == 1 ? VIEW_F32 : VIEW_NONE;
	case SIMT_FMASC:
		return i < 3 ? VIEW_F32 : VIEW_NONE;
	default:
		return simt_opinfo[op].class == SIMT_CL_B ? VIEW_F32 :
		       simt_opinfo[op].class == SIMT_CL_G ? VIEW_F16 : result_view(op);
	}
}

/* Lanes whose word at @v is a NaN or an infinity. */
static u64 simt_special_lanes(const u32 *v, u32 step, u64 mask, enum view view)
{
	u64 lanes = 0, left;

	for (left = view == VIEW_NONE ? 0 : mask; left; left &= left - 1) {
		u32 l = __ffs64(left);

		if (simt_special_is_special(v[step ? l : 0], view))
			lanes |= BIT_ULL(l);
	}
	return lanes;
}

/* Does the operation write @slot before micro-op @n? */
static bool wrote(const struct simt_machine *m, u32 slot, u32 n)
{
	const struct simt_uop *u;
	u32 i;

	for (i = m->special.first; i < n; i++) {
		u = &m->l.prog->uops[i];
		if (slot - u->d < simt_num_defs(u) || (u->op == SIMT_SHADD && slot == u->d2))
			return true;
	}
	return false;
}

/* Does the operation read or overwrite @slot from micro-op @from up to @n? */
static bool simt_special_uses(const struct simt_machine *m, u32 slot, u32 from, u32 n)
{
	const struct simt_uop *u;
	u32 i, k;

	for (i = from; i < n; i++) {
		u = &m->l.prog->uops[i];
		for (k = 0; k < simt_opinfo[u->op].nsrc; k++) {
			if (u->s[k] == slot)
				return true;
		}
		if (slot - u->d < simt_num_defs(u))
			return true;
	}
	return false;
}

static void simt_special_begin(struct simt_special *s, u32 n)
{
	*s = (struct simt_special){ .first = n, .open = true };
}

/* Execute one micro-op, number @n, and note what it makes. */
static void execute_one(struct simt_machine *m, struct simt_block *b, u32 n)
{
	const struct simt_uop *u = &m->l.prog->uops[n];
	const struct simt_uop one[2] = { *u, { .op = SIMT_JOIN, .h = SIMT_H_STOP } };
	enum view view = result_view(u->op);
	struct simt_special *s = &m->special;
	u64 bad = 0, own = 0, lanes, made;
	u32 i, step;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++) {
		const u32 *v = simt_src(b, u->s[i], &step);

		lanes = simt_special_lanes(v, step, b->mask, operand_view(u->op, i));
		bad |= lanes;
		if (lanes && !wrote(m, u->s[i], n))
			own |= lanes;
	}
	s->given |= own;
	simt_exec_run(m->simd, b, one);
	made = simt_special_lanes(simt_slot(b, u->d), 1, b->mask, view) & ~bad;
	s->made |= made;
	s->half |= view == VIEW_F16;
}

void simt_special_run(struct simt_machine *m, struct simt_block *b, const struct simt_uop **at)
{
	u32 n = *at - m->l.prog->uops;

	if (!m->special.open)
		simt_special_begin(&m->special, n);
	for (; simt_opinfo[m->l.prog->uops[n].op].class <= SIMT_CL_I; n++) {
		m->left -= SIMT_CHECK_TIME;
		execute_one(m, b, n);
	}
	*at = &m->l.prog->uops[n];
}

/* Lanes with a result of the operation that is special; its micro-ops end before @n. */
static u64 simt_special_results(const struct simt_machine *m, const struct simt_block *b, u32 n)
{
	const struct simt_special *s = &m->special;
	u64 left = s->made & ~s->given, lanes = 0;
	u32 i;

	for (i = s->first; i < n && left; i++) {
		const struct simt_uop *u = &m->l.prog->uops[i];
		const u32 *v;

		if (simt_opinfo[u->op].class > SIMT_CL_I || simt_special_uses(m, u->d, i + 1, n))
			continue;
		v = simt_slot(b, u->d);
		lanes |= simt_special_lanes(v, 1, left, VIEW_F32);
		if (s->half)
			lanes |= simt_special_lanes(v, 1, left, VIEW_F16);
	}
	return lanes;
}

void simt_special_end(struct simt_machine *m, struct simt_block *b, u32 n)
{
	struct simt_special *s = &m->special;
	u64 left;

	if (!s->open)
		return;
	if (s->made & ~s->given) {
		m->l.dbg->part = simt_debug_part(m, s->first);
		left = simt_special_results(m, b, n) & ~b->helper;
		m->left -= SIMT_POINTS_TIME * hweight64(left);
		for (; left; left &= left - 1)
			vs_debug_produced(m->l.dbg, simt_invocation(m, m->wb, __ffs64(left)),
					  m->l.prog->uops[s->first].guest);
	}
	s->open = false;
}
