// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Control-flow graph and def-use information of micro-ops, for the optimization passes.
 *
 * A basic block begins at a label or at the micro-op following a branch or an end. Its
 * successors are the target of its last micro-op (simt_code.to) and the block that follows.
 */
#include "simt_opt.h"

u32 simt_num_defs(const struct simt_uop *u)
{
	switch (u->op) {
	case SIMT_LD:
		return DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4);
	case SIMT_ATOM:
		return u->imm & SIMT_ATOM_NORET ? 0 : u->imm & SIMT_ATOM_64 ? 2 : 1;
	case SIMT_EXT:
		return SIMT_EXT_SLOTS;
	case SIMT_ST:
		return 0;
	default:
		return simt_opinfo[u->op].class == SIMT_CL_C ? 0 : 1;
	}
}

u32 simt_implicit_uses(const struct simt_uop *u, u32 k, u32 *first)
{
	*first = k ? u->d2 : u->d;
	switch (u->op) {
	case SIMT_ST:
		return k ? 0 : DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4);
	case SIMT_ATOM:
		return k ? 2 : 0;
	case SIMT_EXT:
		return SIMT_EXT_SLOTS;
	default:
		return 0;
	}
}

u32 simt_bb_of(const struct simt_code *c, u32 at)
{
	u32 lo = 0, hi = c->nblocks, mid;

	while (lo + 1 < hi) {
		mid = lo + (hi - lo) / 2;
		if (c->start[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

u32 simt_bb_end(const struct simt_code *c, u32 block)
{
	return block + 1 < c->nblocks ? c->start[block + 1] : c->n;
}

static bool ends_block(const struct simt_uop *u)
{
	return simt_is_branch(u) || u->op == SIMT_END || u->op == SIMT_ENDKILL ||
	       u->op == SIMT_FAULT;
}

/* Find the basic blocks. Their number is not known in advance: @start grows in the arena. */
int simt_cfg_build(struct simt_finish *f)
{
	struct simt_code *c = &f->c;
	struct simt_pass *p = &f->pass;

	if (!c->start)
		c->start = simt_arena_take(f->a, 0, sizeof(*c->start));
	if (!c->start)
		return -ENOMEM;
	for (; simt_pass_more(p, c->n); p->i++) {
		if (c->nblocks && !simt_bit(c->labels, p->i) && !ends_block(&c->uops[p->i - 1]))
			continue;
		if (f->a->size - f->a->used < sizeof(*c->start))
			return -ENOMEM;
		f->a->used += sizeof(*c->start);
		c->start[c->nblocks++] = p->i;
	}
	return simt_pass_end(p, c->n);
}

/* Only dead micro-ops lie between jump @i and its target. */
static bool jumps_to_next(const struct simt_code *c, u32 i, struct simt_pass *p)
{
	u32 k;

	if (c->uops[i].op != SIMT_JMP || c->to[i] <= i)
		return false;
	for (k = i + 1; k < c->to[i] && simt_bit(c->dead, k); k++) {
		/* 64 dead micro-ops at once */
		if (!(k % 64) && k + 64 <= c->to[i] && !~c->dead[k / 64])
			k += 63;
	}
	simt_pass_use(p, (k - i) / 64);
	return k == c->to[i];
}

/* Remove jumps to the micro-op that follows once dead code is gone. */
int simt_cfg_drop_jumps(struct simt_finish *f)
{
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, f->c.n - 1); p->i++)
		if (jumps_to_next(&f->c, p->i, p))
			simt_set_bit(f->c.dead, p->i);
	return simt_pass_end(p, f->c.n - 1);
}
