// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Atomic operations, lane by lane; atomic with respect to all other users of the memory. */
#include "simt_intern.h"

static u64 simt_atom_combine(u32 op, u64 old, u64 arg, u64 cmp, bool wide)
{
	s64 a = wide ? (s64)old : (s32)old, b = wide ? (s64)arg : (s32)arg;

	switch (op) {
	case SIMT_ATOM_ADD:
		return old + arg;
	case SIMT_ATOM_SMIN:
		return a < b ? old : arg;
	case SIMT_ATOM_SMAX:
		return a > b ? old : arg;
	case SIMT_ATOM_UMIN:
		return old < arg ? old : arg;
	case SIMT_ATOM_UMAX:
		return old > arg ? old : arg;
	case SIMT_ATOM_AND:
		return old & arg;
	case SIMT_ATOM_OR:
		return old | arg;
	case SIMT_ATOM_XOR:
		return old ^ arg;
	case SIMT_ATOM_CMPXCHG:
		return old == cmp ? arg : old;
	default:
		return arg;
	}
}

/* Attempts per slice while others keep changing the word. */
#define MAX_TRIES	16

/* Compare and exchange the word once; *@old: its previous value. Return: false: try again. */
static bool exchange(void *p, u32 op, u64 arg, u64 cmp, bool wide, u64 *old)
{
	u64 found = wide ? READ_ONCE(*(u64 *)p) : READ_ONCE(*(u32 *)p);
	u32 i;

	for (i = 0; i < MAX_TRIES; i++) {
		u64 new;

		*old = found;
		new = simt_atom_combine(op, *old, arg, cmp, wide);
		found = wide ? vs_cmpxchg64(p, *old, new) : vs_cmpxchg32(p, *old, new);
		if (found == *old)
			return true;
	}
	return false;
}

static u64 simt_atom_operand(const struct simt_block *b, u32 s, u32 lane)
{
	u32 step;
	const u32 *p = simt_src(b, s, &step);

	return p[step * lane];
}

static bool simt_atom_bad(struct simt_machine *m, enum vs_fault_kind kind, u32 lane, u64 va,
			  u32 size)
{
	simt_fault(m, kind, BIT_ULL(lane), va, size);
	return false;
}

bool simt_atomic_address(struct simt_machine *m, const struct simt_block *b,
			 const struct simt_uop *u, u32 lane, u64 *va)
{
	u32 seg = SIMT_MEM_SEG(u->imm), bytes = u->imm & SIMT_ATOM_64 ? 8 : 4;
	u64 off = simt_atom_operand(b, u->s[0], lane), size;

	if (seg == SIMT_SEG_BASE) {
		*va = off + (simt_atom_operand(b, u->s[1], lane) |
			     (u64)simt_atom_operand(b, u->s[1] + 1, lane) << 32) +
		      (s64)SIMT_MEM_OFF(u->imm);
		return true;
	}
	if (seg == SIMT_SEG_GLOBAL) {
		*va = (off | simt_atom_operand(b, u->s[1], lane) << 32) + (s64)SIMT_MEM_OFF(u->imm);
		return true;
	}
	off = (u32)(off + (s64)SIMT_MEM_OFF(u->imm));
	*va = simt_seg_base(m, m->wb, seg, lane, &size) + off;
	return off <= size && bytes <= size - off;
}

/* Execute ATOM for one lane. Return: false: fault, or m->paused: try again. */
static bool one_lane(struct simt_machine *m, const struct simt_block *b, const struct simt_uop *u,
		     u32 lane)
{
	bool wide = u->imm & SIMT_ATOM_64;
	u64 arg = simt_atom_operand(b, u->s[2], lane);
	u64 cmp = simt_atom_operand(b, u->s[3], lane), va, old;
	u32 bytes = wide ? 8 : 4;
	void *p = NULL;

	if (wide) {
		arg |= cmp << 32;
		cmp = simt_slot(b, u->d2)[lane] | (u64)simt_slot(b, u->d2 + 1)[lane] << 32;
	}
	if (simt_atomic_address(m, b, u, lane, &va))
		p = simt_ptr(m, va, bytes, VS_EXT_WRITE);
	if (!p)
		return simt_atom_bad(m, VS_FAULT_WRITE, lane, va, bytes);
	if (va % bytes || (unsigned long)p % bytes)
		return simt_atom_bad(m, VS_FAULT_MISALIGNED, lane, va, bytes);
	m->paused = !exchange(p, SIMT_ATOM_OP(u->imm), arg, cmp, wide, &old);
	if (m->paused) {
		m->left -= MAX_TRIES;
		return false;
	}
	if (u->imm & SIMT_ATOM_NORET)
		return true;
	simt_slot(b, u->d)[lane] = (u32)old;
	if (wide)
		simt_slot(b, u->d + 1)[lane] = old >> 32;
	return true;
}

/**
 * simt_atomic - execute ATOM
 * @m: machine
 * @b: block
 * @u: micro-op
 *
 * Return: false: fault.
 */
bool simt_atomic(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 mask;

	if (!m->resumes)
		simt_charge(m, hweight64(b->mask));
	for (mask = simt_ext_lanes(m, b) & ~b->helper; mask; mask &= mask - 1) {
		if (!one_lane(m, b, u, __ffs64(mask))) {
			m->pause_left = mask;
			return m->paused;
		}
	}
	return true;
}
