// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: one clause. Decodes its operations, eliminates dead ones, lowers tuple by
 * tuple, then the branch or call.
 */
#include "bifrost_lower_priv.h"

/* ---- decoding, liveness of operations ---- */

/* Decode an operation: rule, sources, and the write port that it uses. */
static void take_op(struct bl *l, u32 tuple, enum bi_unit unit)
{
	struct bl_ins *in = &l->cl.ins[tuple][unit];
	const struct bi_ports *w = bi_writes(&l->cl.v, tuple);

	memset(in, 0, sizeof(*in));
	in->bits = bi_op_bits(&l->cl.v, tuple, unit);
	in->op = bi_op_find(unit, in->bits);
	in->rule = bl_rule(in->op);
	for (; in->nsrc < 4 && in->op->src[in->nsrc].codes; in->nsrc++)
		in->code[in->nsrc] = (u8)bi_bits(in->bits, in->op->src[in->nsrc].pos, 3);
	if (unit == BI_FMA && w->op2 >= BI_PORT_WRITE) {
		in->write = w->op2;
		in->reg = w->reg2;
	} else if (w->op3 >= BI_PORT_WRITE && w->fma3 == (unit == BI_FMA)) {
		in->write = w->op3;
		in->reg = w->reg3;
	}
}

static bool has_effect(const struct bl_ins *in)
{
	/* keep it, so that it is rejected */
	if (!in->rule)
		return true;
	return in->rule->flags & BL_EFFECT;
}

static u32 count_code(const struct bl_ins *in, u32 code)
{
	u32 n = 0, i;

	for (i = 0; in->live && i < in->nsrc; i++)
		n += in->code[i] == code;
	return n;
}

/* Backward pass: an operation is live if it has an effect, a register write or a live reader. */
static void find_live(struct bl *l)
{
	u32 last = l->cl.v.c.ntuples - 1, t = l->cl.v.c.ntuples, u;

	while (t-- > 0) {
		struct bl_ins *fma = &l->cl.ins[t][BI_FMA], *add = &l->cl.ins[t][BI_ADD];

		for (u = 0; u < BI_NUM_UNITS && t < last; u++)
			l->cl.ins[t][u].readers =
				(u8)(count_code(&l->cl.ins[t + 1][BI_FMA], BI_SRC_T0 + u) +
				     count_code(&l->cl.ins[t + 1][BI_ADD], BI_SRC_T0 + u));
		for (u = 0; u < BI_NUM_UNITS && t == last; u++)
			l->cl.ins[t][u].readers = l->carries;
		add->live = add->readers || add->write || has_effect(add);
		fma->readers += count_code(add, BI_SRC_STAGE);
		fma->live = fma->readers || fma->write || has_effect(fma) ||
			    (add->live && add->rule && add->rule->flags & BL_PAIR);
	}
}

/* Decode all operations and reset the state of the clause. */
static void take_clause(struct bl *l)
{
	u32 t, k;

	for (t = 0; t < l->cl.v.c.ntuples; t++) {
		const struct bi_ports *p = &l->cl.v.ports[t];

		l->cl.port[t][0] = bl_slot(p->reg0);
		l->cl.port[t][1] = bl_slot(p->reg1);
		l->cl.port[t][2] = bl_slot(p->reg2);
		for (k = 0; k < BI_NUM_UNITS; k++)
			take_op(l, t, k);
	}
	bl_live_writes(l);
	find_live(l);
	for (k = 0; k < BI_NUM_UNITS; k++)
		l->t.prev[k] = bl_slot(BI_SLOT_CARRY + k);
	l->cl.ncmp = 0;
	l->cl.part = 0;
	l->t.nstage = 0;
	l->cl.late = 0;
	l->cl.save = BI_SLOT_SAVE;
	l->cl.branch = SIMT_NUM_OPS;
	l->cl.calls = false;
	l->cl.returns = false;
}

/* ---- tuples ---- */

/* Merge a result into a half of its register; the other half may come from the other unit. */
static void write_half(struct bl *l, enum bi_unit unit)
{
	const struct bl_ins *ins = l->cl.ins[l->t.index], *in = &ins[unit], *other = &ins[!unit];
	u32 keep = SIMT_PERM_B(2) << 8 | SIMT_PERM_B(3) << 12;
	u32 imm = SIMT_PERM_A(0) | SIMT_PERM_A(1) << 4;
	u16 s1 = in->reg;

	if (in->write != BI_PORT_WRITE_LO && in->write != BI_PORT_WRITE_HI)
		return;
	/* both halves in one micro-op */
	if (other->write == (in->write ^ BI_PORT_WRITE_LO ^ BI_PORT_WRITE_HI) &&
	    other->write != BI_PORT_WRITE && other->reg == in->reg) {
		if (in->write == BI_PORT_WRITE_HI)
			return;
		s1 = l->t.cur[!unit].s;
	}
	bl_save(l, in->reg);
	if (in->write == BI_PORT_WRITE_LO)
		imm |= keep << 0;
	else
		imm = SIMT_PERM_B(0) | SIMT_PERM_B(1) << 4 | SIMT_PERM_A(2) << 8 |
		      SIMT_PERM_A(3) << 12;
	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = in->reg, .s = { l->t.cur[unit].s, s1 },
			  .imm = imm));
}

/* Find the slots of the staging registers that the tuple's message reads. */
static void take_staging(struct bl *l)
{
	const struct bl_ins *in = &l->cl.ins[l->t.index][BI_ADD];
	u32 i;

	l->t.nstage = 0;
	if (!in->op->staging || in->op->staging == BI_SR_WRITE)
		return;
	l->t.nstage = in->op->sr_count;
	if (!l->t.nstage)
		l->t.nstage = in->op->message == BI_MSG_TEXTURE ? ARRAY_SIZE(l->t.stage_val) : 4;
	for (i = 0; i < l->t.nstage; i++)
		l->t.stage_val[i] = bl_slot((l->cl.v.header.sr + i) & 63);
}

/* Debuggers stop before each operation but NOPs; begin_clause() does it before the first one. */
static void begin_part(struct bl *l, enum bi_unit unit)
{
	if (!l->debug || l->cl.ins[l->t.index][unit].op->rule == BI_RULE_NOP)
		return;
	if (l->cl.part)
		bl_emit(l, BL_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST + l->cl.part));
	l->cl.part++;
}

/* Show debuggers the result of an operation that is not dead. */
static void show_result(struct bl *l, enum bi_unit unit)
{
	if (l->debug && l->cl.ins[l->t.index][unit].live)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = BI_SLOT_SHOW + unit,
				  .s = { l->t.cur[unit].s }));
}

static int lower_unit(struct bl *l, enum bi_unit unit)
{
	int ret;

	begin_part(l, unit);
	ret = bl_op(l, unit);
	if (!ret)
		show_result(l, unit);
	return ret;
}

static int lower_tuple(struct bl *l)
{
	int ret;

	take_staging(l);
	l->t.atom = SIMT_NUM_ATOMS;
	l->t.cur[BI_FMA] = bl_const(l, 0);
	l->t.cur[BI_ADD] = l->t.cur[BI_FMA];
	ret = lower_unit(l, BI_FMA);
	if (!ret)
		ret = lower_unit(l, BI_ADD);
	if (ret)
		return ret;
	l->t.nstage = 0;
	l->o.in = NULL;
	write_half(l, BI_FMA);
	write_half(l, BI_ADD);
	l->t.prev[BI_FMA] = l->t.cur[BI_FMA];
	l->t.prev[BI_ADD] = l->t.cur[BI_ADD];
	return 0;
}

/* ---- the end of a clause ---- */

/* Keep the results of the last tuple for the next clause. */
static void carry(struct bl *l)
{
	u32 i;

	for (i = 0; i < BI_NUM_UNITS && l->carries; i++)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = BI_SLOT_CARRY + i,
				  .s = { l->t.cur[i].s }));
}

/* Is the clause at @pos only a jump? *@target: its target, *@next: the following quad. */
static bool only_jumps(const struct bl *l, u32 pos, s64 *target, u32 *next)
{
	struct bi_view v = { .pos = pos };
	u32 i, k;

	if (bi_clause_decode(l->words + 4 * pos, l->nquads - pos, &v.c))
		return false;
	bi_view_parts(&v);
	for (i = 0; i < 2 * v.c.ntuples; i++) {
		const struct bi_op *op = bi_op_find(i % 2, bi_op_bits(&v, i / 2, i % 2));

		k = i + 1 == 2U * v.c.ntuples;
		if (!op || (k ? !bi_op_jumps(op) : op->rule != BI_RULE_NOP))
			return false;
		if (v.ports[i / 2].op2 >= BI_PORT_WRITE || v.ports[i / 2].op3 >= BI_PORT_WRITE)
			return false;
	}
	*next = pos + v.c.quads;
	return (l->stage != VS_STAGE_FRAGMENT || v.header.td == l->cl.v.header.td) &&
	       bi_branch_target(&v, target) == BI_GOES_QUAD;
}

#define MAX_JUMPS 4	/* jumps in a chain */

/*
 * Jump threading: a branch to a jump takes the jump's target. A branch over a jump becomes the
 * opposite branch to the jump's target, and the jump is skipped, if nothing else leads to it.
 */
static void shorten_branch(struct bl *l)
{
	u32 after = l->cl.v.pos + l->cl.v.c.quads, next, i;
	s64 target;

	if (l->carries || l->cl.branch == SIMT_NUM_OPS || l->cl.goes != BI_GOES_QUAD)
		return;
	if (l->cl.branch != SIMT_JMP && l->seq.after == after && l->cl.target > after &&
	    !(l->targets[after / 64] >> (after % 64) & 1) &&
	    only_jumps(l, after, &target, &next) && next == l->cl.target) {
		l->cl.branch = l->cl.branch == SIMT_BRZ ? SIMT_BRNZ : SIMT_BRZ;
		l->cl.target = target;
		l->seq.skip = after;
		l->seq.skip_to = next;
	}
	for (i = 0; i < MAX_JUMPS && only_jumps(l, (u32)l->cl.target, &target, &next); i++)
		l->cl.target = target;
}

/* Branch to quad @pos if the address in BI_SLOT_GO is @va. */
static void go_if(struct bl *l, u32 va, u32 pos)
{
	u16 slot;

	l->f.temp = BI_SLOT_WORK;
	slot = bl_temp(l);
	bl_emit(l, BL_UOP(.op = SIMT_UCMP, .d = slot, .s = { BI_SLOT_GO, bl_const(l, va).s },
			  .imm = SIMT_CMP(SIMT_EQ, SIMT_TRUE_1)));
	bl_emit(l, BL_UOP(.op = SIMT_BRNZ, .s = { slot }, .imm = pos));
}

/* Dispatch a call by address to the blend programs. */
static void bl_clause_call_parts(struct bl *l)
{
	u32 i;

	for (i = 1; i < l->nparts; i++)
		go_if(l, (u32)l->parts[i].va, l->parts[i].first);
}

/* Dispatch a return by address. Address 0 ends threads; addresses other than call sites fault. */
static void return_back(struct bl *l)
{
	u32 i;

	for (i = 0; i < l->nback; i++)
		go_if(l, (u32)(l->parts[0].va + 16ULL * l->back[i]), l->back[i]);
	bl_emit(l, BL_UOP(.op = SIMT_BRZ, .s = { BI_SLOT_GO }, .imm = l->nquads));
	bl_emit(l, BL_UOP(.op = SIMT_FAULT, .imm = VS_FAULT_FETCH));
	l->ends = true;
}

/* Emit the clause's branch, to a quad or to the end of the program, and its END. */
static void end_branch(struct bl *l)
{
	u32 op = l->cl.branch;
	bool to_quad = l->cl.goes == BI_GOES_QUAD;

	if (op != SIMT_NUM_OPS)
		bl_emit(l, BL_UOP(.op = op, .s = { l->cl.branch_on.s },
				  .imm = to_quad ? (u32)l->cl.target : l->nquads));
	l->ends |= op != SIMT_NUM_OPS && op != SIMT_END && !to_quad;
	if (op == SIMT_JMP || op == SIMT_END)
		return;
	if (l->cl.v.header.flow == BI_FLOW_END)
		bl_emit(l, BL_UOP(.op = SIMT_END));
}

/* Emit the end of the clause: late writes, calls, returns, its branch. */
static void end_clause(struct bl *l)
{
	u32 i;

	if (!l->debug)
		shorten_branch(l);
	carry(l);
	for (i = 0; i < l->cl.late; i++)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = (l->cl.late_reg + i) & 63,
				  .s = { BI_SLOT_STAGE + i }));
	if (l->cl.calls)
		bl_clause_call_parts(l);
	if (l->cl.returns)
		return return_back(l);
	end_branch(l);
}

/* End helper threads, at the first clause with the td flag. */
static void end_helpers(struct bl *l, bool follows)
{
	u32 pos = l->cl.v.pos;

	if (l->stage != VS_STAGE_FRAGMENT)
		return;
	if (l->targets[pos / 64] >> (pos % 64) & 1)
		follows = false;
	if (l->cl.v.header.td && !(follows && l->seq.td))
		bl_emit(l, BL_UOP(.op = SIMT_ENDKILL));
	l->seq.td = l->cl.v.header.td;
}

static void begin_clause(struct bl *l, u32 pos, bool follows)
{
	l->cl.v.pos = pos;
	l->f.pos = pos;
	l->part = bi_part_at(l->parts, l->nparts, pos);
	/* cannot fail: bi_walk() has checked it */
	bi_clause_decode(l->words + 4 * pos, l->nquads - pos, &l->cl.v.c);
	bi_view_parts(&l->cl.v);
	simt_front_label(&l->f, pos);
	if (l->debug)
		bl_emit(l, BL_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST));
	take_clause(l);
	end_helpers(l, follows);
}

int bl_clause(struct bl *l, u32 pos, bool follows)
{
	int ret;

	begin_clause(l, pos, follows);
	for (l->t.index = 0; l->t.index < l->cl.v.c.ntuples; l->t.index++) {
		ret = lower_tuple(l);
		if (ret)
			return ret;
	}
	end_clause(l);
	return 0;
}
