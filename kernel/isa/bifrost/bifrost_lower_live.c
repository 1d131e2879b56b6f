// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: register liveness. Registers that a program reads before it writes them are
 * cleared for each thread; dead values are not written to registers.
 */
#include "bifrost_lower_priv.h"

#define MAX_QUADS	4096		/* larger programs: all registers are live */
#define MAX_PASSES	64
#define NOWHERE		(~0U)
#define PRELOADED	54		/* first register preset by the launch */

/**
 * struct bl_live - liveness of a clause, register bit sets
 * @use: read before they are written
 * @def: written
 * @in: live at the start
 * @next: clause that follows, or NOWHERE
 * @target: branch target, or NOWHERE
 * @ends: threads may end in it
 * @all: other programs may follow: all registers are live
 */
struct bl_live {
	u64 use;
	u64 def;
	u64 in;
	u32 next;
	u32 target;
	bool ends;
	bool all;
};

u64 bl_live_bytes(u32 nquads)
{
	return nquads > MAX_QUADS ? 0 : nquads * sizeof(struct bl_live);
}

int bl_live_init(struct bl *l, struct simt_arena *arena)
{
	if (l->nquads > MAX_QUADS || l->debug)
		return 0;
	l->live = simt_arena_alloc(arena, l->nquads, sizeof(*l->live));
	return l->live ? 0 : -ENOMEM;
}

static u64 bits_from(u32 reg, u32 n)
{
	u64 bits = 0;

	while (n--)
		bits |= BIT_ULL(reg++ & 63);
	return bits;
}

/* Registers that operation @i of the clause reads. */
static u64 reads_of(const struct bi_view *v, u32 i)
{
	const struct bi_ports *p = &v->ports[i / 2];
	const u8 regs[3] = { p->reg0, p->reg1, p->reg2 };
	u32 bits = bi_op_bits(v, i / 2, i % 2), k, code;
	const struct bi_op *op = bi_op_find(i % 2, bits);
	u64 set = 0;

	for (k = 0; k < 4 && op->src[k].codes; k++) {
		code = bi_bits(bits, op->src[k].pos, 3);
		if (code <= BI_SRC_PORT2)
			set |= BIT_ULL(regs[code]);
	}
	/* partial loads keep the rest of the register */
	if (op->staging)
		set |= bits_from(v->header.sr, op->staging == BI_SR_WRITE ? 1 : 8);
	return set;
}

/* Registers that a block writes completely; @halves: partially. */
static u64 writes_of(const struct bi_ports *p, u64 *halves)
{
	u64 set = 0;

	if (p->op2 == BI_PORT_WRITE)
		set |= BIT_ULL(p->reg2);
	else if (p->op2 > BI_PORT_WRITE)
		*halves |= BIT_ULL(p->reg2);
	if (p->op3 == BI_PORT_WRITE)
		set |= BIT_ULL(p->reg3);
	else if (p->op3 > BI_PORT_WRITE)
		*halves |= BIT_ULL(p->reg3);
	return set;
}

/*
 * Compute @use and @def of a clause. Writes of a tuple count from the second next tuple on,
 * though staging registers observe them earlier: conservative.
 */
void bl_live_clause(struct bl *l, const struct bi_view *v)
{
	u32 n = v->c.ntuples, bits = bi_op_bits(v, n - 1, BI_ADD), i;
	struct bl_live *c;
	u64 done = 0, written = 0, halves;
	enum bi_goes goes;
	s64 quad;

	if (!l->live)
		return;
	c = &l->live[v->pos];
	for (i = 0; i < n; i++) {
		c->use |= (reads_of(v, 2 * i) | reads_of(v, 2 * i + 1)) & ~done;
		done = written;
		halves = 0;
		written |= writes_of(&v->ports[i + 1 < n ? i + 1 : 0], &halves);
		c->use |= halves & ~done;
	}
	c->def = written;
	c->next = v->pos + v->c.quads;
	c->target = NOWHERE;
	if (v->header.flow == BI_FLOW_END || bi_op_jumps(bi_op_find(BI_ADD, bits)))
		c->next = NOWHERE;
	goes = bi_branch_target(v, &quad);
	if (goes == BI_GOES_QUAD && quad >= 0 && quad < l->nquads)
		c->target = (u32)quad;
	c->all = l->nparts > 1 && (v->header.message == BI_MSG_BLEND || goes == BI_GOES_RETURN);
	c->ends = v->header.flow == BI_FLOW_END || (goes != BI_GOES_ON && goes != BI_GOES_QUAD);
}

/* Registers live at the end of a clause. */
static u64 live_out(const struct bl *l, const struct bl_live *c)
{
	u64 out = c->all || (c->ends && l->keeps) ? ~0ULL : 0;

	if (c->next < l->nquads)
		out |= l->live[c->next].in;
	if (c->target < l->nquads)
		out |= l->live[c->target].in;
	return out;
}

/* Recompute the live-in set of a clause. Return: it has changed. */
static bool bl_live_update(struct bl *l, u32 pos)
{
	struct bl_live *c = &l->live[pos];
	u64 in = c->use | (live_out(l, c) & ~c->def);
	bool changed = in != c->in;

	c->in = in;
	return changed;
}

/* Backward data-flow over all clauses until the sets are stable. */
int bl_live_find(struct bl *l, const u64 *seen, u32 *left)
{
	while (l->live) {
		for (; l->seq.pos && *left; --*left) {
			l->seq.pos--;
			if (seen[l->seq.pos / 64] >> (l->seq.pos % 64) & 1)
				l->changed |= bl_live_update(l, l->seq.pos);
		}
		if (l->seq.pos)
			return -EAGAIN;
		if (!l->changed)
			break;
		if (l->passes++ == MAX_PASSES)
			l->live = NULL;
		l->changed = false;
		l->seq.pos = l->nquads;
	}
	return 0;
}

u32 bl_live_zero(const struct bl *l, u32 entry)
{
	u32 i, n = 0;

	if (!l->live)
		return 64;
	for (i = 0; i < PRELOADED; i++)
		if (l->live[entry].in >> i & 1)
			n = i + 1;
	return n;
}

/* Does an operation of the clause read @reg after tuple @tuple wrote it? */
static bool bl_live_read_later(const struct bl *l, u32 tuple, u32 reg)
{
	u32 n = l->cl.v.c.ntuples, t, k, i;

	for (t = tuple; t < n; t++) {
		const struct bi_ports *p = &l->cl.v.ports[t];
		const u8 regs[3] = { p->reg0, p->reg1, p->reg2 };

		for (k = 0; k < BI_NUM_UNITS; k++) {
			const struct bl_ins *in = &l->cl.ins[t][k];

			/* writing a half reads the rest of the register */
			if (in->write > BI_PORT_WRITE && in->reg == reg)
				return true;
			if (t > tuple && in->op->staging && ((reg - l->cl.v.header.sr) & 63) < 8)
				return true;
			for (i = 0; t > tuple + 1 && i < in->nsrc; i++)
				if (in->code[i] <= BI_SRC_PORT2 && regs[in->code[i]] == reg)
					return true;
		}
	}
	return false;
}

static bool written_later(const struct bl *l, u32 tuple, u32 reg)
{
	u32 t, k;

	for (t = tuple + 1; t < l->cl.v.c.ntuples; t++)
		for (k = 0; k < BI_NUM_UNITS; k++)
			if (l->cl.ins[t][k].write == BI_PORT_WRITE && l->cl.ins[t][k].reg == reg)
				return true;
	return false;
}

void bl_live_writes(struct bl *l)
{
	u64 out;
	u32 t, k;

	if (!l->live)
		return;
	out = live_out(l, &l->live[l->cl.v.pos]);
	for (t = 0; t < l->cl.v.c.ntuples; t++) {
		for (k = 0; k < BI_NUM_UNITS; k++) {
			struct bl_ins *in = &l->cl.ins[t][k];

			if (in->write != BI_PORT_WRITE || bl_live_read_later(l, t, in->reg))
				continue;
			if (!(out >> in->reg & 1) || written_later(l, t, in->reg))
				in->write = BI_PORT_IDLE;
		}
	}
}
