// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost clauses to micro-ops of the SIMT machine.
 *
 * Operations become micro-ops in their order, FMA before ADD, and results go to the slots
 * of their registers at once. The hardware writes later: what reads a register at the same
 * time or before the write takes place, and what forwards an operand as a result, would see
 * the new value too early. Before a slot is written, such readers that are still to come
 * are given a copy of it (bl_save()).
 *
 * What nobody reads is left out, and a comparison with one reader that can compare itself
 * is merged with it.
 */
#include "bifrost_lower_priv.h"

#define TEMPS		4		/* tuples whose results have slots of their own */
#define LAST_WORK	(BI_SLOT_WORK + 31)

u32 bifrost_warp(enum bi_gpu gpu)
{
	return gpu == BI_G52 ? 8 : 4;
}

/* ---- emission ---- */

void bl_emit(struct bl *l, const struct simt_uop *u)
{
	struct simt_uop copy = *u;

	l->count++;
	if (!l->builder)
		return;
	copy.guest = l->v.pos;
	simt_builder_emit(l->builder, &copy);
}

struct bl_val bl_const(struct bl *l, u32 bits)
{
	struct bl_val v = { .s = SIMT_U, .is_const = true, .bits = bits };

	if (l->builder)
		v.s = simt_builder_const(l->builder, bits);
	return v;
}

struct bl_val bl_slot(u16 slot)
{
	return (struct bl_val){ .s = slot };
}

u16 bl_temp(struct bl *l)
{
	u16 slot = l->work;

	/* no operation needs so many */
	if (l->work < LAST_WORK)
		l->work++;
	return slot;
}

u64 bl_va(const struct bl *l, u32 pos)
{
	return l->part->va + 16ULL * (pos - l->part->first);
}

int bl_unsupported(struct bl *l)
{
	return bi_reject(&l->check, BI_UNSUPPORTED, l->v.pos, l->in->bits,
			 2 * l->tuple + l->unit);
}

/* ---- who reads what ---- */

static bool reads(const struct bl *l, u32 tuple, enum bi_unit unit, u32 code)
{
	const struct bl_ins *in;
	u32 i;

	if (tuple >= l->v.c.ntuples)
		return code >= BI_SRC_T0 && l->carries;
	in = &l->ins[tuple][unit];
	for (i = 0; in->live && i < in->nsrc; i++)
		if (in->code[i] == code)
			return true;
	return false;
}

static bool reads_both(const struct bl *l, u32 tuple, u32 code)
{
	return reads(l, tuple, BI_FMA, code) || reads(l, tuple, BI_ADD, code);
}

static void give_copy(struct bl *l, struct bl_val *v, u16 slot, struct bl_val *copy)
{
	if (v->is_const || v->cmp || v->s != slot)
		return;
	if (!copy->s) {
		*copy = *v;
		copy->s = l->save;
		if (l->save < BI_SLOT_WORK - 1)
			l->save++;
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = copy->s, .s = { slot }));
	}
	v->s = copy->s;
}

static void save_operands(struct bl *l, u16 slot, struct bl_val *copy)
{
	u32 next = l->tuple + 1, i;

	if (l->unit == BI_FMA) {
		for (i = 0; i < 3; i++)
			if (reads(l, l->tuple, BI_ADD, i))
				give_copy(l, &l->port[l->tuple][i], slot, copy);
		for (i = 0; i < BI_NUM_UNITS; i++)
			if (reads(l, l->tuple, BI_ADD, BI_SRC_T0 + i))
				give_copy(l, &l->prev[i], slot, copy);
		for (i = 0; i < l->nstage; i++)
			give_copy(l, &l->stage_val[i], slot, copy);
	}
	for (i = 0; next < l->v.c.ntuples && i < 3; i++)
		if (reads_both(l, next, i))
			give_copy(l, &l->port[next][i], slot, copy);
}

void bl_save(struct bl *l, u16 slot)
{
	struct bl_val copy = { };
	u32 i, k;

	save_operands(l, slot, &copy);
	for (i = 0; i < BI_NUM_UNITS; i++)
		if (reads_both(l, l->tuple + 1, BI_SRC_T0 + i) ||
		    l->ins[l->tuple][i].write > BI_PORT_WRITE)
			give_copy(l, &l->cur[i], slot, &copy);
	for (i = 0; i < l->ncmp; i++) {
		for (k = 0; l->cmp[i].op != SIMT_NUM_OPS && k < 2; k++) {
			struct bl_val v = { .s = l->cmp[i].s[k] };

			give_copy(l, &v, slot, &copy);
			l->cmp[i].s[k] = v.s;
		}
	}
}

bool bl_used_later(const struct bl *l, u32 reg, u32 n, bool own)
{
	u32 t, k;

	for (t = l->tuple; t < l->v.c.ntuples; t++) {
		const struct bi_ports *p = &l->v.ports[t];
		const u8 regs[3] = { p->reg0, p->reg1, p->reg2 };

		for (k = 0; k < BI_NUM_UNITS; k++) {
			const struct bl_ins *in = &l->ins[t][k];

			/* FMA of this tuple has written whole words already */
			if (t == l->tuple && in->write == BI_PORT_WRITE && (k == BI_FMA || !own))
				continue;
			if (in->write && ((in->reg - reg) & 63) < n)
				return true;
		}
		for (k = 0; t > l->tuple && k < 3; k++)
			if (reads_both(l, t, k) && ((regs[k] - reg) & 63) < n)
				return true;
	}
	return false;
}

/* ---- operands ---- */

static struct bl_val fau_const(struct bl *l, u32 fau, bool hi)
{
	u32 index = (u32)bi_fau_const(fau), low, high;
	u64 value = l->v.c.consts[index] | (fau & 15), pc = bl_va(l, l->v.pos);

	switch (l->v.modes[index]) {
	case BI_CONST_PC_LO:
		value = pc + (u64)((s64)(value << 4) >> 4);
		break;
	case BI_CONST_PC_HI:
	case BI_CONST_PC_BOTH:
		/* 28 bits with a sign */
		low = (u32)value;
		high = (u32)pc + (u32)((s32)(value >> 32 << 4) >> 4);
		if (l->v.modes[index] == BI_CONST_PC_BOTH)
			low = (u32)pc + (u32)((s32)(low << 4) >> 4);
		value = low | (u64)high << 32;
		break;
	default:
		break;
	}
	return bl_const(l, (u32)(hi ? value >> 32 : value));
}

static struct bl_val fau_special(struct bl *l, u32 fau, bool hi)
{
	u16 slot;

	if (!fau || (fau == 1 && hi))
		return bl_const(l, 0);
	if (fau == 1) {
		slot = bl_temp(l);
		bl_emit(l, BL_UOP(.op = SIMT_LANE, .d = slot, .imm = bifrost_warp(l->gpu) - 1));
		return bl_slot(slot);
	}
	l->special = true;
	if (fau >= BI_FAU_BLEND)
		return bl_slot(SIMT_U | (BI_UNIF_BLEND + 2 * (fau - BI_FAU_BLEND) + hi));
	return bl_slot(SIMT_U | (BI_UNIF_SPECIAL + 2 * (fau - 2) + hi));
}

static struct bl_val fau_value(struct bl *l, bool hi)
{
	u32 fau = l->v.ports[l->tuple].fau;

	if (fau >= BI_FAU_UNIFORM) {
		l->npush = max_t(u32, l->npush, fau - BI_FAU_UNIFORM + 1);
		return bl_slot(SIMT_U | (BI_UNIF_PUSH + 2 * (fau - BI_FAU_UNIFORM) + hi));
	}
	return fau >= BI_FAU_CONST ? fau_const(l, fau, hi) : fau_special(l, fau, hi);
}

static struct bl_val code_value(struct bl *l, u32 code)
{
	switch (code) {
	case BI_SRC_STAGE:
		return l->unit == BI_FMA ? bl_const(l, 0) : l->cur[BI_FMA];
	case BI_SRC_FAU_LO:
	case BI_SRC_FAU_HI:
		return fau_value(l, code == BI_SRC_FAU_HI);
	case BI_SRC_T0:
	case BI_SRC_T1:
		return l->prev[code - BI_SRC_T0];
	default:
		return l->port[l->tuple][code];
	}
}

struct bl_val bl_force(struct bl *l, struct bl_val v)
{
	struct simt_uop *u;
	u16 slot;

	if (!v.cmp)
		return v;
	u = &l->cmp[v.cmp - 1];
	slot = u->d;
	if (u->op != SIMT_NUM_OPS) {
		slot = bl_temp(l);
		u->d = slot;
		bl_emit(l, u);
		u->op = SIMT_NUM_OPS;
	}
	return (struct bl_val){ .s = slot, .is_bool = u->imm >> 4 != SIMT_TRUE_1F };
}

struct bl_val bl_src_lazy(struct bl *l, u32 i)
{
	return code_value(l, l->in->code[i]);
}

struct bl_val bl_src(struct bl *l, u32 i)
{
	return bl_force(l, bl_src_lazy(l, i));
}

/* ---- results ---- */

static u16 temp_slot(const struct bl *l)
{
	return (u16)(BI_SLOT_TEMP + 2 * (l->tuple % TEMPS) + l->unit);
}

/* Float modes of the clause that change the result of this operation. */
static bool has_modes(const struct bl *l)
{
	const struct bi_header *h = &l->v.header;

	return (l->in->rule->flags & (BL_F32 | BL_F16)) &&
	       (h->ftz || h->suppress_inf || h->suppress_nan);
}

static u16 real_dst(struct bl *l)
{
	if (l->in->write != BI_PORT_WRITE)
		return temp_slot(l);
	bl_save(l, l->in->reg);
	return l->in->reg;
}

u16 bl_dst(struct bl *l)
{
	if (!l->dst_known) {
		l->dst = has_modes(l) ? bl_temp(l) : real_dst(l);
		l->dst_known = true;
		l->res = bl_slot(l->dst);
	}
	return l->dst;
}

void bl_result(struct bl *l, struct bl_val v)
{
	l->dst_known = true;
	l->res = v;
}

/* Flush to zero 1 (Direct3D) is not for binary16. */
static void apply_modes(struct bl *l)
{
	const struct bi_header *h = &l->v.header;
	bool half = l->in->rule->flags & BL_F16;
	u32 supp = h->suppress_inf | h->suppress_nan << 1;
	u16 dst = real_dst(l), s = l->res.s;

	if (h->ftz > half) {
		bl_emit(l, BL_UOP(.op = half ? SIMT_HFTZ : SIMT_FFTZ, .d = dst, .s = { s }));
		s = dst;
	}
	if (supp) {
		bl_emit(l, BL_UOP(.op = half ? SIMT_HSUPP : SIMT_FSUPP, .d = dst, .s = { s },
				  .imm = supp));
		s = dst;
	}
	if (s != dst)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = dst, .s = { s }));
	l->res = bl_slot(dst);
}

/* Slots of intermediate values are used again by the next operation. */
static bool lasts(const struct bl *l, struct bl_val v)
{
	u32 age;

	if (v.s & SIMT_U || v.s < BI_SLOT_TEMP)
		return true;
	if (v.s >= BI_SLOT_CARRY)
		return v.s < BI_SLOT_STAGE || (v.s >= BI_SLOT_SAVE && v.s < BI_SLOT_WORK);
	age = (l->tuple + TEMPS - (v.s - BI_SLOT_TEMP) / 2) % TEMPS;
	return age <= 1;
}

/* A result that is a value that was there before. */
static void place_value(struct bl *l)
{
	u16 dst;

	if (l->in->write != BI_PORT_WRITE && lasts(l, l->res))
		return;
	dst = real_dst(l);
	if (l->res.s != dst)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = dst, .s = { l->res.s }));
	l->res.s = dst;
	l->res.is_const = false;
}

/* ---- operations ---- */

static bool may_wait(const struct bl *l, const struct simt_uop *u)
{
	return l->in->readers == 1 && !l->in->write && l->ncmp < BL_MAX_CMPS &&
	       !(l->carries && l->tuple + 1 == l->v.c.ntuples) &&
	       lasts(l, bl_slot(u->s[0])) && lasts(l, bl_slot(u->s[1]));
}

void bl_compare(struct bl *l, const struct simt_uop *u)
{
	struct simt_uop copy = *u;

	if (may_wait(l, u)) {
		l->cmp[l->ncmp++] = copy;
		bl_result(l, (struct bl_val){ .cmp = (u8)l->ncmp });
		return;
	}
	copy.d = bl_dst(l);
	bl_emit(l, &copy);
	l->res.is_bool = u->imm >> 4 != SIMT_TRUE_1F;
}

static int lower_op(struct bl *l)
{
	u16 own;
	int ret;

	l->in = &l->ins[l->tuple][l->unit];
	l->dst_known = false;
	l->res = (struct bl_val){ };
	l->work = BI_SLOT_WORK;
	if (!l->in->live) {
		l->cur[l->unit] = bl_const(l, 0);
		return 0;
	}
	if (!l->in->rule || !bl_mods_read(l->in->op, l->in->bits, &l->m))
		return bl_unsupported(l);
	ret = l->in->rule->emit(l, l->in->rule->arg);
	if (ret)
		return ret;
	own = l->in->write == BI_PORT_WRITE ? l->in->reg : temp_slot(l);
	if (!l->dst_known)
		bl_result(l, bl_const(l, 0));
	if (has_modes(l))
		apply_modes(l);
	else if (!l->res.cmp && l->res.s != own)
		place_value(l);
	l->cur[l->unit] = l->res;
	return 0;
}

/* ---- what happens between tuples ---- */

static void write_half(struct bl *l, enum bi_unit unit)
{
	const struct bl_ins *in = &l->ins[l->tuple][unit], *other = &l->ins[l->tuple][!unit];
	u32 keep = SIMT_PERM_B(2) << 8 | SIMT_PERM_B(3) << 12;
	u32 imm = SIMT_PERM_A(0) | SIMT_PERM_A(1) << 4;
	u16 s1 = in->reg;

	if (in->write != BI_PORT_WRITE_LO && in->write != BI_PORT_WRITE_HI)
		return;
	/* both halves at once */
	if (other->write == (in->write ^ BI_PORT_WRITE_LO ^ BI_PORT_WRITE_HI) &&
	    other->write != BI_PORT_WRITE && other->reg == in->reg) {
		if (in->write == BI_PORT_WRITE_HI)
			return;
		s1 = l->cur[!unit].s;
	}
	bl_save(l, in->reg);
	if (in->write == BI_PORT_WRITE_LO)
		imm |= keep << 0;
	else
		imm = SIMT_PERM_B(0) | SIMT_PERM_B(1) << 4 | SIMT_PERM_A(2) << 8 |
		      SIMT_PERM_A(3) << 12;
	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = in->reg, .s = { l->cur[unit].s, s1 },
			  .imm = imm));
}

static int lower_tuple(struct bl *l)
{
	int ret;

	l->atom = SIMT_NUM_ATOMS;
	l->unit = BI_FMA;
	l->cur[BI_FMA] = bl_const(l, 0);
	l->cur[BI_ADD] = l->cur[BI_FMA];
	ret = lower_op(l);
	if (ret)
		return ret;
	l->unit = BI_ADD;
	ret = lower_op(l);
	if (ret)
		return ret;
	l->nstage = 0;
	l->in = NULL;
	write_half(l, BI_FMA);
	write_half(l, BI_ADD);
	l->prev[BI_FMA] = l->cur[BI_FMA];
	l->prev[BI_ADD] = l->cur[BI_ADD];
	return 0;
}

/* ---- clauses ---- */

static void take_op(struct bl *l, u32 tuple, enum bi_unit unit)
{
	struct bl_ins *in = &l->ins[tuple][unit];
	const struct bi_ports *w = bi_writes(&l->v, tuple);

	memset(in, 0, sizeof(*in));
	in->bits = bi_op_bits(&l->v, tuple, unit);
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
	/* so that it is rejected */
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

/* From the end: an operation lives if something that lives needs it. */
static void find_live(struct bl *l)
{
	u32 last = l->v.c.ntuples - 1, t = l->v.c.ntuples, u;

	while (t-- > 0) {
		struct bl_ins *fma = &l->ins[t][BI_FMA], *add = &l->ins[t][BI_ADD];

		for (u = 0; u < BI_NUM_UNITS && t < last; u++)
			l->ins[t][u].readers =
				(u8)(count_code(&l->ins[t + 1][BI_FMA], BI_SRC_T0 + u) +
				     count_code(&l->ins[t + 1][BI_ADD], BI_SRC_T0 + u));
		for (u = 0; u < BI_NUM_UNITS && t == last; u++)
			l->ins[t][u].readers = l->carries;
		add->live = add->readers || add->write || has_effect(add);
		fma->readers += count_code(add, BI_SRC_STAGE);
		fma->live = fma->readers || fma->write || has_effect(fma) ||
			    (add->live && add->rule && add->rule->flags & BL_PAIR);
	}
}

static void take_clause(struct bl *l)
{
	u32 t, k;

	for (t = 0; t < l->v.c.ntuples; t++) {
		const struct bi_ports *p = &l->v.ports[t];

		l->port[t][0] = bl_slot(p->reg0);
		l->port[t][1] = bl_slot(p->reg1);
		l->port[t][2] = bl_slot(p->reg2);
		for (k = 0; k < BI_NUM_UNITS; k++)
			take_op(l, t, k);
	}
	bl_live_writes(l);
	find_live(l);
	for (k = 0; k < BI_NUM_UNITS; k++)
		l->prev[k] = bl_slot(BI_SLOT_CARRY + k);
	l->ncmp = 0;
	l->nstage = 0;
	l->late = 0;
	l->save = BI_SLOT_SAVE;
	l->branch = SIMT_NUM_OPS;
	l->calls = false;
	l->returns = false;
}

/* Registers that the message of the tuple reads, where they are. */
static void take_staging(struct bl *l)
{
	const struct bl_ins *in = &l->ins[l->tuple][BI_ADD];
	u32 i;

	l->nstage = 0;
	if (!in->op->staging || in->op->staging == BI_SR_WRITE)
		return;
	l->nstage = in->op->sr_count;
	if (!l->nstage)
		l->nstage = in->op->message == BI_MSG_TEXTURE ? ARRAY_SIZE(l->stage_val) : 4;
	for (i = 0; i < l->nstage; i++)
		l->stage_val[i] = bl_slot((l->v.header.sr + i) & 63);
}

/* What the last tuple made, for the next clause. */
static void carry(struct bl *l)
{
	u32 i;

	for (i = 0; i < BI_NUM_UNITS && l->carries; i++)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = BI_SLOT_CARRY + i,
				  .s = { l->cur[i].s }));
}

/* Is there only a jump to a place in the code at @pos? */
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
	return (l->stage != VS_STAGE_FRAGMENT || v.header.td == l->v.header.td) &&
	       bi_branch_target(&v, target) == BI_GOES_QUAD;
}

#define MAX_JUMPS 4	/* that are followed */

/*
 * Branches to jumps go where these go. A branch over a jump becomes one to the jump's
 * target, if nothing else comes by that jump.
 */
static void shorten_branch(struct bl *l)
{
	u32 after = l->v.pos + l->v.c.quads, next, i;
	s64 target;

	if (l->carries || l->branch == SIMT_NUM_OPS || l->goes != BI_GOES_QUAD)
		return;
	if (l->branch != SIMT_JMP && l->after == after && l->target > after &&
	    !(l->targets[after / 64] >> (after % 64) & 1) &&
	    only_jumps(l, after, &target, &next) && next == l->target) {
		l->branch = l->branch == SIMT_BRZ ? SIMT_BRNZ : SIMT_BRZ;
		l->target = target;
		l->skip = after;
		l->skip_to = next;
	}
	for (i = 0; i < MAX_JUMPS && only_jumps(l, (u32)l->target, &target, &next); i++)
		l->target = target;
}

/* To quad @pos, of the part that is at @va, if that is where it goes. */
static void go_if(struct bl *l, u32 va, u32 pos)
{
	u16 slot;

	l->work = BI_SLOT_WORK;
	slot = bl_temp(l);
	bl_emit(l, BL_UOP(.op = SIMT_UCMP, .d = slot, .s = { BI_SLOT_GO, bl_const(l, va).s },
			  .imm = SIMT_CMP(SIMT_EQ, SIMT_TRUE_1)));
	bl_emit(l, BL_UOP(.op = SIMT_BRNZ, .s = { slot }, .imm = pos));
}

static void call_parts(struct bl *l)
{
	u32 i;

	for (i = 1; i < l->nparts; i++)
		go_if(l, (u32)l->parts[i].va, l->parts[i].first);
}

/* Address 0 ends threads; where there was no call is no way back. */
static void return_back(struct bl *l)
{
	u32 i;

	for (i = 0; i < l->nback; i++)
		go_if(l, (u32)(l->parts[0].va + 16ULL * l->back[i]), l->back[i]);
	bl_emit(l, BL_UOP(.op = SIMT_BRZ, .s = { BI_SLOT_GO }, .imm = l->nquads));
	bl_emit(l, BL_UOP(.op = SIMT_FAULT, .imm = VS_FAULT_FETCH));
	l->ends = true;
}

static void end_clause(struct bl *l)
{
	u32 i;

	if (!l->debug)
		shorten_branch(l);
	carry(l);
	for (i = 0; i < l->late; i++)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = (l->late_reg + i) & 63,
				  .s = { BI_SLOT_STAGE + i }));
	if (l->calls)
		call_parts(l);
	if (l->returns)
		return return_back(l);
	if (l->branch != SIMT_NUM_OPS)
		bl_emit(l, BL_UOP(.op = l->branch, .s = { l->branch_on.s },
				  .imm = l->goes == BI_GOES_QUAD ? (u32)l->target : l->nquads));
	l->ends |= l->branch != SIMT_NUM_OPS && l->branch != SIMT_END && l->goes != BI_GOES_QUAD;
	if (l->branch == SIMT_JMP || l->branch == SIMT_END)
		return;
	if (l->v.header.flow == BI_FLOW_END)
		bl_emit(l, BL_UOP(.op = SIMT_END));
}

/* Helper threads end where the first clause does not need them any more. */
static void end_helpers(struct bl *l, bool follows)
{
	u32 pos = l->v.pos;

	if (l->stage != VS_STAGE_FRAGMENT)
		return;
	if (l->targets[pos / 64] >> (pos % 64) & 1)
		follows = false;
	if (l->v.header.td && !(follows && l->td))
		bl_emit(l, BL_UOP(.op = SIMT_ENDKILL));
	l->td = l->v.header.td;
}

static int lower_clause(struct bl *l, u32 pos, bool follows)
{
	int ret;

	l->v.pos = pos;
	l->part = bi_part_at(l->parts, l->nparts, pos);
	/* bi_walk() has found it to be right */
	bi_clause_decode(l->words + 4 * pos, l->nquads - pos, &l->v.c);
	bi_view_parts(&l->v);
	if (l->builder)
		simt_builder_label(l->builder, pos);
	if (l->debug)
		bl_emit(l, BL_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST));
	take_clause(l);
	end_helpers(l, follows);
	for (l->tuple = 0; l->tuple < l->v.c.ntuples; l->tuple++) {
		take_staging(l);
		ret = lower_tuple(l);
		if (ret)
			return ret;
	}
	end_clause(l);
	return 0;
}

/* ---- programs ---- */

/* BLEND of the first part: blend programs come back behind it. */
static int note_call(struct bl *l, const struct bi_view *v)
{
	u32 i, after = v->pos + v->c.quads;

	if (l->nparts < 2 || v->pos >= l->parts[1].first || v->header.message != BI_MSG_BLEND ||
	    v->header.flow == BI_FLOW_END)
		return 0;
	if (l->nback == BL_MAX_BACK)
		return bi_reject(&l->check, BI_UNSUPPORTED, v->pos,
				 bi_op_bits(v, v->c.ntuples - 1, BI_ADD),
				 2 * (v->c.ntuples - 1) + BI_ADD);
	for (i = 0; i < l->nback; i++)
		if (l->back[i] == after)
			return 0;
	l->back[l->nback++] = after;
	if (after < l->nquads)
		l->targets[after / 64] |= 1ULL << (after % 64);
	return 0;
}

static int note_clause(void *arg, const struct bi_view *v)
{
	struct bl *l = arg;
	s64 quad;
	u32 i, k;

	l->clauses++;
	bl_live_clause(l, v);
	/* its bounds are checked when it is followed */
	if (bi_branch_target(v, &quad) == BI_GOES_QUAD && quad >= 0 && quad < l->nquads)
		l->targets[quad / 64] |= 1ULL << (quad % 64);
	for (k = 0; k < BI_NUM_UNITS; k++) {
		u32 bits = bi_op_bits(v, 0, k);
		const struct bi_op *op = bi_op_find(k, bits);

		for (i = 0; i < 4 && op->src[i].codes; i++)
			l->carries |= bi_bits(bits, op->src[i].pos, 3) >= BI_SRC_T0;
	}
	return note_call(l, v);
}

/* First clause from @pos on. */
static u32 next_seen(const struct bl *l, const u64 *seen, u32 pos)
{
	u32 i = pos / 64;
	u64 bits = seen[i] & ~0ULL << (pos % 64);

	while (!bits) {
		if (++i > l->nquads / 64)
			return BL_NOWHERE;
		bits = seen[i];
	}
	return 64 * i + __ffs64(bits);
}

/* Clauses that lie within others may be followed by something else. */
static void jump_on(struct bl *l, u32 next)
{
	if (next == BL_NOWHERE)
		return;
	l->targets[next / 64] |= 1ULL << (next % 64);
	bl_emit(l, BL_UOP(.op = SIMT_JMP, .imm = next));
}

static void begin_all(struct bl *l)
{
	l->td = false;
	l->skip = BL_NOWHERE;
	l->next = BL_NOWHERE;
	l->pos = next_seen(l, l->walk.seen, 0);
}

/* Clause l->pos, unless another one has taken its place. */
static int lower_one(struct bl *l)
{
	u32 pos = l->pos, next = l->next;
	int ret;

	l->after = next_seen(l, l->walk.seen, pos + 1);
	l->pos = l->after;
	if (pos == l->skip) {
		l->next = l->skip_to;
		return 0;
	}
	if (next != pos)
		jump_on(l, next);
	ret = lower_clause(l, pos, next == pos);
	l->next = pos + l->v.c.quads;
	if (l->branch == SIMT_JMP || l->branch == SIMT_END || l->v.header.flow == BI_FLOW_END)
		l->next = BL_NOWHERE;
	return ret;
}

/* All clauses in the order of their places; what does not follow is jumped to. */
static int lower_all(struct bl *l, u32 *left)
{
	int ret;

	while (l->pos != BL_NOWHERE) {
		if (!*left)
			return -EAGAIN;
		*left -= min(*left, BI_VISIT);
		ret = lower_one(l);
		if (ret)
			return ret;
	}
	jump_on(l, l->next);
	/* where branches to 0 go */
	if (l->ends && l->builder)
		simt_builder_label(l->builder, l->nquads);
	if (l->ends)
		bl_emit(l, BL_UOP(.op = SIMT_END));
	return 0;
}

static struct bl *prepare(struct simt_arena *arena, const struct bi_code *code)
{
	struct bl *l = simt_arena_alloc(arena, 1, sizeof(*l));
	u32 n = code->nquads / 64 + 1, i;
	struct bi_walk *w = &l->walk;

	if (!l)
		return NULL;
	memcpy(l->parts, code->parts, code->nparts * sizeof(*l->parts));
	w->words = code->words;
	w->nquads = code->nquads;
	w->parts = l->parts;
	w->nparts = code->nparts;
	w->todo = simt_arena_alloc(arena, n, sizeof(u64));
	w->seen = simt_arena_alloc(arena, n, sizeof(u64));
	l->targets = simt_arena_alloc(arena, n, sizeof(u64));
	if (!w->todo || !w->seen || !l->targets)
		return NULL;
	w->todo[code->entry / 64] = 1ULL << (code->entry % 64);
	for (i = 1; i < code->nparts; i++) {
		u32 first = code->parts[i].first;

		w->todo[first / 64] |= 1ULL << (first % 64);
		l->targets[first / 64] |= 1ULL << (first % 64);
	}
	w->check = &l->check;
	w->arg = l;
	l->arena = arena;
	l->words = code->words;
	l->nquads = code->nquads;
	l->entry = code->entry;
	l->nparts = code->nparts;
	l->part = l->parts;
	return l;
}

u64 bifrost_check_bytes(u32 nquads)
{
	/* each piece is rounded up */
	return sizeof(struct bl) + 3 * sizeof(u64) * (nquads / 64 + 1) + bl_live_bytes(nquads) +
	       6 * 64;
}

/* ---- steps ---- */

static int step_walk(struct bl *l, u32 *left)
{
	int ret = bi_walk_step(&l->walk, left);

	l->pos = l->nquads;
	return ret;
}

static int step_live(struct bl *l, u32 *left)
{
	int ret = bl_live_find(l, l->walk.seen, left);

	if (!ret)
		begin_all(l);
	return ret;
}

/* Micro-ops are counted. */
static int step_count(struct bl *l, u32 *left)
{
	return lower_all(l, left);
}

static int step_builder(struct bl *l, u32 *left)
{
	u32 nunif = l->special ? BI_NUM_UNIF : 2 * l->npush;

	if (l->count > SIMT_MAX_UOPS)
		return -E2BIG;
	l->builder = simt_builder_new(l->arena, l->count, l->clauses + 1, nunif);
	begin_all(l);
	return l->builder ? 0 : -ENOMEM;
}

static int step_emit(struct bl *l, u32 *left)
{
	const struct simt_prog proto = {
		.nslots = l->segments ? BI_NUM_SEG_SLOTS : BI_NUM_SLOTS,
		.warp = bifrost_warp(l->gpu), .zero = bl_live_zero(l, l->entry),
		.quads = l->stage == VS_STAGE_FRAGMENT,
		.temp = BI_SLOT_TEMP,
		.keep = BI_SLOT_CARRY,
		.nkeep = BI_SLOT_STAGE - BI_SLOT_CARRY,
		.forget = !l->keeps,
		/* local ids */
		.uniform = { BIT_ULL(55) | BIT_ULL(56) },
		.compact = l->stage != VS_STAGE_FRAGMENT && !l->keeps,
		.debug = l->debug,
	};
	int ret = lower_all(l, left);

	if (ret)
		return ret;
	l->finish = simt_finish_new(l->builder, &proto, l->entry);
	return l->finish ? 0 : -ENOMEM;
}

int bifrost_lower_step(struct bl *l, u32 *left, struct simt_prog **out, struct vs_reject *rej)
{
	static int (*const steps[])(struct bl *l, u32 *left) = {
		step_walk, step_live, step_count, step_builder, step_emit,
	};
	u32 n = l->checks ? 3 : ARRAY_SIZE(steps);
	int ret = 0;

	for (; l->step < n && !ret; l->step += !ret)
		ret = steps[l->step](l, left);
	if (!ret && !l->checks)
		ret = simt_finish_step(l->finish, left, out);
	*rej = l->check.reject;
	return ret;
}

int bifrost_lower_new(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct bl **out, struct vs_reject *rej)
{
	bool checks = flags & BI_LOWER_CHECK;
	u32 nquads = code->nquads;
	struct bl *l;

	memset(rej, 0, sizeof(*rej));
	if (!nquads || nquads > BI_MAX_QUADS || code->entry >= code->parts[0].nquads ||
	    gpu >= BI_NUM_GPUS + checks) {
		rej->reason = nquads && nquads <= BI_MAX_QUADS ? BI_BAD_ENTRY : BI_BAD_SIZE;
		rej->value = code->entry;
		rej->limit = nquads;
		return -ENOEXEC;
	}
	l = prepare(arena, code);
	if (!l)
		return -ENOMEM;
	l->walk.clause = note_clause;
	l->gpu = gpu;
	l->stage = stage;
	l->checks = checks;
	l->fused = flags & BI_LOWER_FUSED_FMA;
	l->keeps = flags & BI_LOWER_KEEP_REGS;
	l->debug = flags & BI_LOWER_DEBUG;
	l->check.gpu = gpu;
	*out = l;
	return bl_live_init(l, arena);
}

/* Where sleeping is allowed. */
static int lower_code(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct simt_prog **out,
		      struct vs_reject *rej)
{
	u32 left;
	struct bl *l;
	int ret;

	ret = bifrost_lower_new(arena, code, gpu, stage, flags | (out ? 0 : BI_LOWER_CHECK), &l,
				rej);
	if (ret)
		return ret;
	do {
		left = SIMT_PIECE;
		ret = bifrost_lower_step(l, &left, out, rej);
		vs_cond_resched();
	} while (ret == -EAGAIN);
	return ret;
}

int bifrost_lower(struct simt_arena *arena, const u32 *words, u32 nquads, u64 va, u32 entry,
		  enum bi_gpu gpu, enum vs_stage stage, u32 flags, struct simt_prog **out,
		  struct vs_reject *rej)
{
	const struct bi_part all = { .nquads = nquads, .va = va };
	const struct bi_code code = {
		.words = words, .nquads = nquads, .parts = &all, .nparts = 1, .entry = entry,
	};

	return lower_code(arena, &code, gpu, stage, flags, out, rej);
}

int bifrost_lower_parts(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
			u32 flags, struct simt_prog **out, struct vs_reject *rej)
{
	return lower_code(arena, code, gpu, VS_STAGE_FRAGMENT, flags, out, rej);
}

int bifrost_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       u32 *need, struct bl **out)
{
	const struct bi_part all = { .nquads = nquads };
	const struct bi_code code = {
		.words = words, .nquads = nquads, .parts = &all, .nparts = 1, .entry = entry,
	};
	struct bl *l;

	*need = entry + 1;
	*out = NULL;
	if (entry >= nquads || nquads > BI_MAX_QUADS)
		return 0;
	l = prepare(arena, &code);
	if (!l)
		return -ENOMEM;
	/* of any GPU: what this one lacks is rejected later */
	l->check.gpu = BI_NUM_GPUS;
	l->walk.need = need;
	*out = l;
	return 0;
}

int bifrost_extent_step(struct bl *l, u32 *left)
{
	/* whatever is wrong is found again */
	return l && bi_walk_step(&l->walk, left) == -EAGAIN ? -EAGAIN : 0;
}

int bifrost_extent(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry, u32 *need)
{
	u64 used = arena->used;
	u32 left;
	struct bl *l;
	int ret = bifrost_extent_new(arena, words, nquads, entry, need, &l);

	if (ret)
		return ret;
	do {
		left = SIMT_PIECE;
	} while (bifrost_extent_step(l, &left));
	simt_arena_reset(arena, used);
	return 0;
}

const char *bifrost_reject_name(const struct vs_reject *rej)
{
	const struct bi_op *op = bi_op_find(rej->limit & 1 ? BI_ADD : BI_FMA, rej->value);

	return rej->reason == BI_UNSUPPORTED && op ? op->name : "?";
}
