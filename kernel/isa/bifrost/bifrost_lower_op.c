// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: one operation, its operands and its result.
 *
 * Operations become micro-ops in program order, FMA before ADD, and results are written to the
 * slots of their registers at once. The hardware writes later: operations that read the register
 * before that, or forward a value that is in its slot, would see the new value too early. Before
 * a slot is written, values that such readers still need are copied (bl_save()).
 *
 * A comparison with a single reader is not emitted but handed to the reader, which may fuse it
 * (bl_compare(), bl_src_lazy()).
 */
#include "bifrost_lower_priv.h"

#define TEMPS		4		/* tuples whose results have slots of their own */

u64 bl_va(const struct bl *l, u32 pos)
{
	return l->part->va + 16ULL * (pos - l->part->first);
}

int bl_unsupported(struct bl *l)
{
	return bi_reject(&l->check, BI_UNSUPPORTED, l->cl.v.pos, l->o.in->bits,
			 2 * l->t.index + l->o.unit);
}

/* ---- write-after-read hazards ---- */

/* Does an operation read source code @code? Of the next clause if @tuple is past the end. */
static bool bl_op_reads(const struct bl *l, u32 tuple, enum bi_unit unit, u32 code)
{
	const struct bl_ins *in;
	u32 i;

	if (tuple >= l->cl.v.c.ntuples)
		return code >= BI_SRC_T0 && l->carries;
	in = &l->cl.ins[tuple][unit];
	for (i = 0; in->live && i < in->nsrc; i++)
		if (in->code[i] == code)
			return true;
	return false;
}

static bool reads_both(const struct bl *l, u32 tuple, u32 code)
{
	return bl_op_reads(l, tuple, BI_FMA, code) || bl_op_reads(l, tuple, BI_ADD, code);
}

/* Let @v use a copy of @slot if it is in that slot; *@copy is made once. */
static void give_copy(struct bl *l, struct bl_val *v, u16 slot, struct bl_val *copy)
{
	if (v->is_const || v->cmp || v->s != slot)
		return;
	if (!copy->s) {
		*copy = *v;
		copy->s = l->cl.save;
		if (l->cl.save < BI_SLOT_WORK - 1)
			l->cl.save++;
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = copy->s, .s = { slot }));
	}
	v->s = copy->s;
}

/* Operands of ADD in this tuple, and read ports of the next one. */
static void save_operands(struct bl *l, u16 slot, struct bl_val *copy)
{
	u32 next = l->t.index + 1, i;

	if (l->o.unit == BI_FMA) {
		for (i = 0; i < 3; i++)
			if (bl_op_reads(l, l->t.index, BI_ADD, i))
				give_copy(l, &l->cl.port[l->t.index][i], slot, copy);
		for (i = 0; i < BI_NUM_UNITS; i++)
			if (bl_op_reads(l, l->t.index, BI_ADD, BI_SRC_T0 + i))
				give_copy(l, &l->t.prev[i], slot, copy);
		for (i = 0; i < l->t.nstage; i++)
			give_copy(l, &l->t.stage_val[i], slot, copy);
	}
	for (i = 0; next < l->cl.v.c.ntuples && i < 3; i++)
		if (reads_both(l, next, i))
			give_copy(l, &l->cl.port[next][i], slot, copy);
}

void bl_save(struct bl *l, u16 slot)
{
	struct bl_val copy = { };
	u32 i, k;

	save_operands(l, slot, &copy);
	for (i = 0; i < BI_NUM_UNITS; i++)
		if (reads_both(l, l->t.index + 1, BI_SRC_T0 + i) ||
		    l->cl.ins[l->t.index][i].write > BI_PORT_WRITE)
			give_copy(l, &l->t.cur[i], slot, &copy);
	for (i = 0; i < l->cl.ncmp; i++) {
		for (k = 0; l->cl.cmp[i].op != SIMT_NUM_OPS && k < 2; k++) {
			struct bl_val v = { .s = l->cl.cmp[i].s[k] };

			give_copy(l, &v, slot, &copy);
			l->cl.cmp[i].s[k] = v.s;
		}
	}
}

bool bl_used_later(const struct bl *l, u32 reg, u32 n, bool own)
{
	u32 t, k;

	for (t = l->t.index; t < l->cl.v.c.ntuples; t++) {
		const struct bi_ports *p = &l->cl.v.ports[t];
		const u8 regs[3] = { p->reg0, p->reg1, p->reg2 };

		for (k = 0; k < BI_NUM_UNITS; k++) {
			const struct bl_ins *in = &l->cl.ins[t][k];

			/* FMA of this tuple has already written its register */
			if (t == l->t.index && in->write == BI_PORT_WRITE && (k == BI_FMA || !own))
				continue;
			if (in->write && ((in->reg - reg) & 63) < n)
				return true;
		}
		for (k = 0; t > l->t.index && k < 3; k++)
			if (reads_both(l, t, k) && ((regs[k] - reg) & 63) < n)
				return true;
	}
	return false;
}

/* ---- operands ---- */

/* Embedded constant, plus the clause's address if it is relative. */
static struct bl_val fau_const(struct bl *l, u32 fau, bool hi)
{
	u32 index = (u32)bi_fau_const(fau), low, high;
	u64 value = l->cl.v.c.consts[index] | (fau & 15), pc = bl_va(l, l->cl.v.pos);

	switch (l->cl.v.modes[index]) {
	case BI_CONST_PC_LO:
		value = pc + (u64)((s64)(value << 4) >> 4);
		break;
	case BI_CONST_PC_HI:
	case BI_CONST_PC_BOTH:
		/* 28 bits, signed */
		low = (u32)value;
		high = (u32)pc + (u32)((s32)(value >> 32 << 4) >> 4);
		if (l->cl.v.modes[index] == BI_CONST_PC_BOTH)
			low = (u32)pc + (u32)((s32)(low << 4) >> 4);
		value = low | (u64)high << 32;
		break;
	default:
		break;
	}
	return bl_const(l, (u32)(hi ? value >> 32 : value));
}

/* Zero, lane number, or a word of the special uniforms. */
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
	if (fau >= BI_FAU_BLEND)
		return bl_slot(SIMT_U | (BI_UNIF_BLEND + 2 * (fau - BI_FAU_BLEND) + hi));
	return bl_slot(SIMT_U | (BI_UNIF_SPECIAL + 2 * (fau - 2) + hi));
}

/* Low or high word of the tuple's FAU value: push uniform, constant or special. */
static struct bl_val fau_value(struct bl *l, bool hi)
{
	u32 fau = l->cl.v.ports[l->t.index].fau;

	if (fau >= BI_FAU_UNIFORM) {
		l->npush = max_t(u32, l->npush, fau - BI_FAU_UNIFORM + 1);
		return bl_slot(SIMT_U | (BI_UNIF_PUSH + 2 * (fau - BI_FAU_UNIFORM) + hi));
	}
	return fau >= BI_FAU_CONST ? fau_const(l, fau, hi) : fau_special(l, fau, hi);
}

/* Value of a source code: port, forwarded result, FAU. */
static struct bl_val code_value(struct bl *l, u32 code)
{
	switch (code) {
	case BI_SRC_STAGE:
		return l->o.unit == BI_FMA ? bl_const(l, 0) : l->t.cur[BI_FMA];
	case BI_SRC_FAU_LO:
	case BI_SRC_FAU_HI:
		return fau_value(l, code == BI_SRC_FAU_HI);
	case BI_SRC_T0:
	case BI_SRC_T1:
		return l->t.prev[code - BI_SRC_T0];
	default:
		return l->cl.port[l->t.index][code];
	}
}

struct bl_val bl_force(struct bl *l, struct bl_val v)
{
	struct simt_uop *u;
	u16 slot;

	if (!v.cmp)
		return v;
	u = &l->cl.cmp[v.cmp - 1];
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
	return code_value(l, l->o.in->code[i]);
}

struct bl_val bl_src(struct bl *l, u32 i)
{
	return bl_force(l, bl_src_lazy(l, i));
}

/* ---- results ---- */

/* Slot for a result that is not written to a register. */
static u16 temp_slot(const struct bl *l)
{
	return (u16)(BI_SLOT_TEMP + 2 * (l->t.index % TEMPS) + l->o.unit);
}

/* Do the clause's float modes change the result? */
static bool has_modes(const struct bl *l)
{
	const struct bi_header *h = &l->cl.v.header;

	return (l->o.in->rule->flags & (BL_F32 | BL_F16)) &&
	       (h->ftz || h->suppress_inf || h->suppress_nan);
}

/* Final slot of the result; from now on a register's slot may be written. */
static u16 real_dst(struct bl *l)
{
	if (l->o.in->write != BI_PORT_WRITE)
		return temp_slot(l);
	bl_save(l, l->o.in->reg);
	return l->o.in->reg;
}

u16 bl_dst(struct bl *l)
{
	if (!l->o.dst_known) {
		l->o.dst = has_modes(l) ? bl_temp(l) : real_dst(l);
		l->o.dst_known = true;
		l->o.res = bl_slot(l->o.dst);
	}
	return l->o.dst;
}

void bl_result(struct bl *l, struct bl_val v)
{
	l->o.dst_known = true;
	l->o.res = v;
}

/* Apply flush-to-zero and suppression of infinities and NaNs. FTZ mode 1 excludes binary16. */
static void apply_modes(struct bl *l)
{
	const struct bi_header *h = &l->cl.v.header;
	bool half = l->o.in->rule->flags & BL_F16;
	u32 supp = h->suppress_inf | h->suppress_nan << 1;
	u16 dst = real_dst(l), s = l->o.res.s;

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
	l->o.res = bl_slot(dst);
}

/* Does the value survive until the next tuple: is its slot not reused by then? */
static bool lasts(const struct bl *l, struct bl_val v)
{
	u32 age;

	if (v.s & SIMT_U || v.s < BI_SLOT_TEMP)
		return true;
	if (v.s >= BI_SLOT_CARRY)
		return v.s < BI_SLOT_STAGE || (v.s >= BI_SLOT_SAVE && v.s < BI_SLOT_WORK);
	age = (l->t.index + TEMPS - (v.s - BI_SLOT_TEMP) / 2) % TEMPS;
	return age <= 1;
}

/* The result is an existing value: move it if it belongs in a register or would not last. */
static void place_value(struct bl *l)
{
	u16 dst;

	if (l->o.in->write != BI_PORT_WRITE && lasts(l, l->o.res))
		return;
	dst = real_dst(l);
	if (l->o.res.s != dst)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = dst, .s = { l->o.res.s }));
	l->o.res.s = dst;
	l->o.res.is_const = false;
}

/* ---- operations ---- */

/* May the comparison be handed to its only reader instead of being emitted? */
static bool may_wait(const struct bl *l, const struct simt_uop *u)
{
	return !l->debug && l->o.in->readers == 1 && !l->o.in->write && l->cl.ncmp < BL_MAX_CMPS &&
	       !(l->carries && l->t.index + 1 == l->cl.v.c.ntuples) &&
	       lasts(l, bl_slot(u->s[0])) && lasts(l, bl_slot(u->s[1]));
}

void bl_compare(struct bl *l, const struct simt_uop *u)
{
	struct simt_uop copy = *u;

	if (may_wait(l, u)) {
		l->cl.cmp[l->cl.ncmp++] = copy;
		bl_result(l, (struct bl_val){ .cmp = (u8)l->cl.ncmp });
		return;
	}
	copy.d = bl_dst(l);
	bl_emit(l, &copy);
	l->o.res.is_bool = u->imm >> 4 != SIMT_TRUE_1F;
}

static void begin_op(struct bl *l, enum bi_unit unit)
{
	l->o.unit = unit;
	l->o.in = &l->cl.ins[l->t.index][unit];
	l->o.dst_known = false;
	l->o.res = (struct bl_val){ };
	l->f.temp = BI_SLOT_WORK;
}

/* Finish an operation: apply float modes or move the result, and make it visible to readers. */
static void end_op(struct bl *l)
{
	u16 own = l->o.in->write == BI_PORT_WRITE ? l->o.in->reg : temp_slot(l);

	if (!l->o.dst_known)
		bl_result(l, bl_const(l, 0));
	if (has_modes(l))
		apply_modes(l);
	else if (!l->o.res.cmp && l->o.res.s != own)
		place_value(l);
	l->t.cur[l->o.unit] = l->o.res;
}

int bl_op(struct bl *l, enum bi_unit unit)
{
	int ret;

	begin_op(l, unit);
	if (!l->o.in->live) {
		l->t.cur[unit] = bl_const(l, 0);
		return 0;
	}
	if (!l->o.in->rule || !bl_mods_read(l->o.in->op, l->o.in->bits, &l->o.m))
		return bl_unsupported(l);
	ret = l->o.in->rule->emit(l, l->o.in->rule->arg);
	if (!ret)
		end_op(l);
	return ret;
}
