// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Midgard load/store operations to micro-ops.
 *
 * Both operations of a bundle read r26 and r27 as they were before it: writes of the first one
 * to these are deferred until the second one is done.
 */
#include "midgard_ext.h"
#include "midgard_lower_priv.h"

#define COMP(swizzle, i)	((swizzle) >> (2 * (i)) & 3)

/* ---- arguments ---- */

static struct ml_val ids(struct ml *l, u32 first, u32 comp)
{
	return comp == 3 ? ml_const(l, 0) : ml_slot(first + comp);
}

static struct ml_val arg(struct ml *l, u32 reg, u32 comp)
{
	comp &= 3;
	switch (reg) {
	case MG_LS_AL0:
	case MG_LS_AL1:
		return ml_slot(MG_SLOT_AL + 4 * (reg - MG_LS_AL0) + comp);
	case MG_LS_PC_SP:
		return comp < 2 ? ml_pc(l, 0, comp) : ml_tls(l, comp - 2);
	case MG_LS_LOCAL_STORAGE:
		return comp < 2 ? ml_tls(l, comp) : ml_wls(l, comp - 2);
	case MG_LS_LOCAL_ID:
		return ids(l, MG_SLOT_LOCAL, comp);
	case MG_LS_GROUP_ID:
		return ids(l, MG_SLOT_GROUP, comp);
	case MG_LS_GLOBAL_ID:
		return ids(l, MG_SLOT_GLOBAL, comp);
	default:
		return ml_const(l, 0);
	}
}

static int arg_pair(struct ml *l, u32 reg, u32 comp, struct ml_pair *v)
{
	if (comp & 1)
		return ml_reject(l, MG_BAD_LDST_FIELD, comp);
	v->lo = arg(l, reg, comp);
	v->hi = arg(l, reg, comp + 1);
	return 0;
}

/* (index << shift) + base, 64 bits; @how: index type: 0 u64, 1 s32, 2 u32. */
static struct ml_pair ml_ldst_sum(struct ml *l, struct ml_pair index, u32 how, u32 shift,
				  struct ml_pair base)
{
	struct ml_val zero = ml_const(l, 0);
	u16 d;

	if (shift > 7) {
		index = ml_ldst_sum(l, index, how, 7, (struct ml_pair){ zero, zero });
		how = 0;
		shift -= 7;
	}
	if (shift > 7) {
		index = ml_ldst_sum(l, index, how, 7, (struct ml_pair){ zero, zero });
		shift -= 7;
	}
	d = ml_temps(l, 2);
	ml_emit(l, ML_UOP(.op = SIMT_SHADD, .d = d, .d2 = (u16)(d + 1), .imm = shift | how << 4,
			  .s = { index.lo.s, index.hi.s, base.lo.s, base.hi.s }));
	return (struct ml_pair){ ml_slot(d), ml_slot(d + 1) };
}

static struct ml_pair ml_ldst_constant(struct ml *l, s64 v)
{
	return (struct ml_pair){ ml_const(l, (u32)v), ml_const(l, (u32)((u64)v >> 32)) };
}

/* Address of an operation, without an offset that fits into the immediate of the micro-op. */
static int ml_ldst_address(struct ml *l, const struct mg_ldst *s, bool indexed, struct ml_pair *v,
			   s32 *offset)
{
	struct ml_pair index;
	int ret = 0;

	*offset = s->offset;
	if (s->toggle) {
		ret = arg_pair(l, s->arg_reg, s->arg_comp, v);
	} else {
		v->lo = arg(l, s->arg_reg, s->arg_comp);
		v->hi = ml_const(l, 0);
	}
	if (!ret && indexed && s->index_reg != MG_LS_ZERO) {
		if (s->index_format == MG_INDEX_U64) {
			ret = arg_pair(l, s->index_reg, s->index_comp, &index);
		} else {
			index.lo = arg(l, s->index_reg, s->index_comp);
			index.hi = index.lo;
		}
		if (!ret)
			*v = ml_ldst_sum(l, index, s->index_format == MG_INDEX_U64 ? 0 :
					 s->index_format == MG_INDEX_U32 ? 2 : 1, s->index_shift,
					 *v);
	}
	if (!ret && *offset != (s16)*offset) {
		*v = ml_ldst_sum(l, ml_ldst_constant(l, *offset), 0, 0, *v);
		*offset = 0;
	}
	return ret;
}

/* ---- results ---- */

/* Copy a value that may be an argument register, so that it survives the result writes. */
static u16 kept(struct ml *l, u16 v)
{
	u32 i;

	if (v < MG_SLOT_AL || v >= MG_SLOT_AT)
		return v;
	for (i = 0; i < 2; i++)
		if (l->b.ldst[i].reg == MG_REG_LDST || l->b.ldst[i].reg == MG_REG_LDST + 1)
			return ml_aux(l, ML_U(.op = SIMT_MOV, .s = { v })).s;
	return v;
}

/* Write result words to the components in the write mask. */
static int ml_ldst_deliver(struct ml *l, const struct mg_ldst *s, const u16 v[4])
{
	u32 i;
	u16 slot;
	int ret;

	if (!s->mask)
		return 0;
	ret = ml_dest_slot(l, s->reg, &slot);
	if (ret)
		return ret;
	for (i = 0; i < 4; i++) {
		if (!(s->mask >> i & 1))
			continue;
		if (l->nwrites == ML_MAX_WRITES)
			return ml_unsupported(l, s->op);
		l->writes[l->nwrites++] = (struct ml_write){ slot + i, 15, kept(l, v[i]) };
	}
	return 0;
}

static int deliver_swizzled(struct ml *l, const struct mg_ldst *s, const u16 v[4])
{
	u16 out[4];
	u32 i;

	for (i = 0; i < 4; i++)
		out[i] = v[COMP(s->swizzle, i)];
	return ml_ldst_deliver(l, s, out);
}

static void ml_ldst_write_all(struct ml *l)
{
	u32 i;

	for (i = 0; i < l->nwrites; i++)
		if (l->writes[i].s != l->writes[i].d)
			ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = l->writes[i].d,
					  .s = { l->writes[i].s }));
	l->nwrites = 0;
}

/* May a load write its words directly to the register, without visible difference? */
static bool ml_ldst_straight(const struct ml *l, const struct mg_ldst *s, u32 words)
{
	return !l->nwrites && s->reg < MG_REG_LDST && s->mask == (1U << words) - 1 &&
	       !((s->swizzle ^ MG_SWIZZLE_NONE) & ((1U << (2 * words)) - 1));
}

/* Choose the slots that a load of @n words writes. */
static int load_to(struct ml *l, const struct mg_ldst *s, u32 n, u16 *d)
{
	if (ml_ldst_straight(l, s, n))
		return ml_dest_slot(l, s->reg, d);
	*d = ml_temps(l, 4);
	return 0;
}

/* ---- memory ---- */

static struct ml_val swapped(struct ml *l, u16 v, u32 unit)
{
	u32 imm = unit == 2 ? ML_PERM(1, 0, 3, 2) : ML_PERM(3, 2, 1, 0);

	return ml_perm(l, ml_slot(v), ml_slot(v), imm);
}

/* Reverse the bytes of each unit; 8-byte units span two words. */
static void swap_words(struct ml *l, u16 *v, u32 n, u32 unit)
{
	u32 i;
	u16 t;

	for (i = 0; i < n && unit; i++)
		v[i] = swapped(l, v[i], unit).s;
	for (i = 0; i + 1 < n && unit == 8; i += 2) {
		t = v[i];
		v[i] = v[i + 1];
		v[i + 1] = t;
	}
}

/* Convert, swizzle and write the words that were loaded to @d and following slots. */
static int ml_ldst_loaded(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def,
			  u16 d)
{
	u32 n = def->bits < 32 ? 1 : def->bits / 32, i;
	bool is_signed = def->type == MG_LT_S8 || def->type == MG_LT_S16;
	u16 v[4];

	for (i = 0; i < 4; i++)
		v[i] = i < n ? d + i : ml_const(l, 0).s;
	swap_words(l, v, n, def->swap);
	if (is_signed) {
		u32 sign = SIMT_PERM_SIGN(def->bits / 8 - 1);
		struct ml_val w = ml_slot(v[0]);

		v[0] = ml_perm(l, w, w, def->bits == 8 ? ML_PERM(0, sign, sign, sign) :
			       ML_PERM(0, 1, sign, sign)).s;
	}
	return deliver_swizzled(l, s, v);
}

static int ml_ldst_load(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u32 n = def->bits < 32 ? 1 : def->bits / 32;
	bool plain = !def->swap && def->bits >= 32;
	struct ml_pair at;
	s32 offset;
	u16 d;
	int ret;

	ret = ml_ldst_address(l, s, true, &at, &offset);
	if (ret)
		return ret;
	d = ml_temps(l, 4);
	if (plain)
		ret = load_to(l, s, n, &d);
	if (ret)
		return ret;
	ml_emit(l, ML_UOP(.op = SIMT_LD, .d = d, .s = { at.lo.s, at.hi.s },
			  .imm = SIMT_MEM(def->bits / 8, SIMT_SEG_GLOBAL, offset)));
	if (plain && ml_ldst_straight(l, s, n))
		return 0;
	return ml_ldst_loaded(l, s, def, d);
}

static int load_ubo(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u32 n = def->bits < 32 ? 1 : def->bits / 32;
	bool plain = !def->swap && def->bits >= 32;
	struct ml_val index = arg(l, s->index_reg, s->index_comp);
	u16 d = ml_temps(l, 4);
	int ret = 0;

	if (s->index_shift && s->index_reg != MG_LS_ZERO)
		index = ml_aux(l, ML_U(.op = SIMT_SHLI, .s = { index.s }, .imm = s->index_shift));
	if (plain)
		ret = load_to(l, s, n, &d);
	if (ret)
		return ret;
	ml_emit(l, ML_UOP(.op = SIMT_LD, .d = d, .s = { index.s, ml_const(l, mg_ldst_ubo(s)).s },
			  .imm = SIMT_MEM(def->bits / 8, SIMT_SEG_UBO, mg_ldst_ubo_offset(s))));
	if (plain && ml_ldst_straight(l, s, n))
		return 0;
	return ml_ldst_loaded(l, s, def, d);
}

/* Bytes that the mask of a store selects. */
static u32 stored_bytes(const struct mg_ldst *s, u32 n)
{
	u32 i, bytes = 0;

	for (i = 0; i < n; i++)
		if (s->mask >> (n < 4 ? i : 4 * i / n) & 1)
			bytes |= 1U << i;
	return bytes;
}

/* Word of @v that starts at byte @at. */
static u16 word_at(struct ml *l, const u16 v[4], u32 at)
{
	u32 k = at & 3, i, imm = 0;

	if (!k)
		return v[at / 4];
	for (i = 0; i < 4; i++)
		imm |= (k + i < 4 ? SIMT_PERM_A(k + i) : SIMT_PERM_B(k + i - 4)) << (4 * i);
	return ml_perm(l, ml_slot(v[at / 4]), ml_slot(v[min_t(u32, at / 4 + 1, 3)]), imm).s;
}

/* Store bytes [lo, hi) of @v. */
static void store_run(struct ml *l, const u16 v[4], u32 lo, u32 hi, struct ml_pair at, s32 offset)
{
	u32 n = DIV_ROUND_UP(hi - lo, 4), i;
	u16 w[4] = { }, d;

	for (i = 0; i < n; i++)
		w[i] = word_at(l, v, lo + 4 * i);
	d = w[0];
	for (i = 1; i < n && !(d & SIMT_U); i++)
		if (w[i] != d + i)
			break;
	if (i < n || d & SIMT_U) {
		d = ml_temps(l, 4);
		for (i = 0; i < n; i++)
			ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = d + i, .s = { w[i] }));
	}
	ml_emit(l, ML_UOP(.op = SIMT_ST, .d = d, .s = { at.lo.s, at.hi.s },
			  .imm = SIMT_MEM(hi - lo, SIMT_SEG_GLOBAL, offset + (s32)lo)));
}

static void swizzled_args(struct ml *l, u32 reg, u32 swizzle, u16 v[4])
{
	u32 i;

	for (i = 0; i < 4; i++)
		v[i] = arg(l, reg, COMP(swizzle, i)).s;
}

static int ml_ldst_store(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u32 n = def->bits / 8, bytes = stored_bytes(s, n), lo, hi;
	struct ml_pair at;
	s32 offset;
	u16 v[4];
	int ret;

	if (s->reg > MG_LS_AL1)
		return ml_unsupported(l, s->reg);
	ret = ml_ldst_address(l, s, true, &at, &offset);
	if (ret)
		return ret;
	if (offset > 0x7fff - 16) {
		at = ml_ldst_sum(l, ml_ldst_constant(l, offset), 0, 0, at);
		offset = 0;
	}
	swizzled_args(l, s->reg, s->swizzle, v);
	swap_words(l, v, DIV_ROUND_UP(n, 4), def->swap);
	for (lo = 0; lo < n; lo = hi) {
		for (hi = lo; hi < n && bytes >> hi & 1; hi++)
			;
		if (hi > lo)
			store_run(l, v, lo, hi, at, offset);
		else
			hi++;
	}
	return 0;
}

/* ---- atomics ---- */

static u32 ml_ldst_atom_op(u32 op)
{
	static const u8 ops[10] = {
		SIMT_ATOM_ADD, SIMT_ATOM_AND, SIMT_ATOM_OR, SIMT_ATOM_XOR, SIMT_ATOM_SMIN,
		SIMT_ATOM_UMIN, SIMT_ATOM_SMAX, SIMT_ATOM_UMAX, SIMT_ATOM_XCHG,
		SIMT_ATOM_CMPXCHG,
	};

	return ops[(op - 0x40) / 4];
}

static int ml_ldst_operand(struct ml *l, u32 reg, u32 comp, bool wide, struct ml_pair *v)
{
	v->lo = arg(l, reg, comp);
	v->hi = v->lo;
	return wide ? arg_pair(l, reg, comp, v) : 0;
}

/* Reverse the bytes. */
static struct ml_pair swapped_pair(struct ml *l, struct ml_pair v, bool wide)
{
	struct ml_pair r = { swapped(l, v.lo.s, 4), swapped(l, v.hi.s, 4) };

	return wide ? (struct ml_pair){ r.hi, r.lo } : r;
}

/* Is there an atomic micro-op? Byte-swapped sums and comparisons have none. */
static bool has_micro_op(const struct mg_ldst_def *def, u32 op)
{
	return !def->swap || ml_ldst_atom_op(op) >= SIMT_ATOM_AND;
}

static struct ml_pair combined(struct ml *l, u32 op, bool wide, struct ml_pair a, struct ml_pair b)
{
	static const u16 words[] = {
		[SIMT_ATOM_ADD] = SIMT_IADD, [SIMT_ATOM_SMIN] = SIMT_IMIN,
		[SIMT_ATOM_SMAX] = SIMT_IMAX, [SIMT_ATOM_UMIN] = SIMT_UMIN,
		[SIMT_ATOM_UMAX] = SIMT_UMAX,
	};
	struct ml_val v;

	if (wide && op == SIMT_ATOM_ADD)
		return ml_wide_sum(l, a, b);
	if (wide)
		return ml_wide_end(l, a, b, op == SIMT_ATOM_SMAX || op == SIMT_ATOM_UMAX,
				   op == SIMT_ATOM_UMIN || op == SIMT_ATOM_UMAX);
	v = ml_aux(l, ML_U(.op = words[op], .s = { a.lo.s, b.lo.s }));
	return (struct ml_pair){ v, v };
}

/*
 * Atomic operation on byte-swapped memory: a compare-exchange of the old value for the result.
 * Helpers neither write nor observe a change. @old: zeros; returns the previous value.
 */
static void reversed_atomic(struct ml *l, u32 op, bool wide, struct ml_pair at, struct ml_pair v,
			    u16 old)
{
	struct ml_pair with = { ml_slot(old), ml_slot(old + wide) };
	u16 got = ml_temps(l, 2);
	u32 again = ml_new_label(l), i;
	struct ml_val diff[2];

	ml_emit(l, ML_UOP(.op = SIMT_LD, .d = old, .s = { at.lo.s, at.hi.s },
			  .imm = SIMT_MEM(wide ? 8 : 4, SIMT_SEG_GLOBAL, 0)));
	simt_front_label(&l->f, again);
	for (i = 0; i <= wide; i++)
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = got + i, .s = { old + i }));
	with = swapped_pair(l, combined(l, op, wide, swapped_pair(l, with, wide), v), wide);
	ml_emit(l, ML_UOP(.op = SIMT_ATOM, .d = got, .d2 = old,
			  .s = { at.lo.s, at.hi.s, with.lo.s, wide ? with.hi.s : old },
			  .imm = SIMT_ATOM_IMM(SIMT_ATOM_CMPXCHG, SIMT_SEG_GLOBAL,
					       wide ? SIMT_ATOM_64 : 0, 0)));
	for (i = 0; i <= wide; i++) {
		diff[i] = ml_aux(l, ML_U(.op = SIMT_IXOR, .s = { got + i, old + i }));
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = old + i, .s = { got + i }));
	}
	if (wide)
		diff[0] = ml_aux(l, ML_U(.op = SIMT_IOR, .s = { diff[0].s, diff[1].s }));
	ml_emit(l, ML_UOP(.op = SIMT_BRNZ, .s = { diff[0].s }, .imm = again));
}

/*
 * An atomic operation. The swizzle field holds the operand, the index field the comparand. All
 * components in the mask receive the old value. Address 0 is a texel outside of its image and
 * is not accessed.
 */
static int atomic(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	bool wide = def->bits == 64, exchange = def->class == MG_LS_CMPXCHG;
	struct ml_pair at, v, old, with = { };
	u16 d = ml_temps(l, 2), cmp = ml_temps(l, 2), out[4];
	struct ml_val any;
	u32 i, label;
	s32 offset;
	int ret;

	ret = ml_ldst_address(l, s, !exchange, &at, &offset);
	if (ret)
		return ret;
	ret = ml_ldst_operand(l, mg_ldst_atomic_reg(s), mg_ldst_atomic_comp(s), wide, &v);
	if (!ret && exchange)
		ret = ml_ldst_operand(l, s->index_reg, s->index_comp, wide, &with);
	if (ret)
		return ret;
	if (def->swap && has_micro_op(def, s->op)) {
		v = swapped_pair(l, v, wide);
		with = exchange ? swapped_pair(l, with, wide) : with;
	}
	if (offset)
		at = ml_ldst_sum(l, ml_ldst_constant(l, offset), 0, 0, at);
	for (i = 0; i < 2; i++)
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = d + i, .s = { ml_const(l, 0).s }));
	for (i = 0; i < 2 && wide && exchange; i++)
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = cmp + i,
				  .s = { i ? with.hi.s : with.lo.s }));
	any = ml_aux(l, ML_U(.op = SIMT_IOR, .s = { at.lo.s, at.hi.s }));
	label = ml_new_label(l);
	ml_emit(l, ML_UOP(.op = SIMT_BRZ, .s = { any.s }, .imm = label));
	if (has_micro_op(def, s->op))
		ml_emit(l, ML_UOP(.op = SIMT_ATOM, .d = d, .d2 = cmp,
				  .s = { at.lo.s, at.hi.s, v.lo.s,
					 wide ? v.hi.s : exchange ? with.lo.s : v.lo.s },
				  .imm = SIMT_ATOM_IMM(ml_ldst_atom_op(s->op), SIMT_SEG_GLOBAL,
						       wide ? SIMT_ATOM_64 : 0, 0)));
	else
		reversed_atomic(l, ml_ldst_atom_op(s->op), wide, at, v, d);
	simt_front_label(&l->f, label);
	old = (struct ml_pair){ ml_slot(d), ml_slot(wide ? d + 1 : d) };
	if (def->swap)
		old = swapped_pair(l, old, wide);
	for (i = 0; i < 4; i++)
		out[i] = i & 1 ? old.hi.s : old.lo.s;
	return ml_ldst_deliver(l, s, out);
}

/* ---- attributes, varyings, images ---- */

/* Descriptor index. */
static struct ml_val ml_ldst_number(struct ml *l, const struct mg_ldst *s)
{
	struct ml_val v = arg(l, s->index_reg, s->index_comp);

	if (s->index_reg == MG_LS_ZERO)
		return ml_const(l, (u32)mg_ldst_attr_offset(s));
	if (s->index_shift)
		v = ml_aux(l, ML_U(.op = SIMT_SHLI, .s = { v.s }, .imm = s->index_shift));
	return ml_aux(l, ML_U(.op = SIMT_IADD,
			      .s = { v.s, ml_const(l, (u32)mg_ldst_attr_offset(s)).s }));
}

/* Register format; bit 0 of the index format selects the type in the descriptor. */
static u32 regfmt(const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	if (s->index_format & 1)
		return MALI_REG_AUTO;
	switch (def->type) {
	case MG_LT_F16:
		return MALI_REG_F16;
	case MG_LT_U32:
		return MALI_REG_U32;
	case MG_LT_S32:
		return MALI_REG_S32;
	default:
		return MALI_REG_F32;
	}
}

/* Copy four result words to slots of their own; missing components are zeros. */
static u16 ml_ldst_results(struct ml *l, u32 fmt)
{
	u16 d = ml_temps(l, 4);
	u32 i;

	for (i = 2; i < 4 && fmt == MALI_REG_F16; i++)
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = d + i, .s = { ml_const(l, 0).s }));
	return d;
}

static int deliver_slots(struct ml *l, const struct mg_ldst *s, u16 d)
{
	const u16 v[4] = { d, d + 1, d + 2, d + 3 };

	return deliver_swizzled(l, s, v);
}

static int load_attribute(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	struct ml_val vertex = ml_slot(MG_SLOT_GLOBAL + 1), instance = ml_slot(MG_SLOT_GLOBAL + 2);
	u32 fmt = regfmt(s, def);
	u16 d;

	/* varyings */
	if (s->index_format & 2)
		return ml_unsupported(l, s->index_format);
	if (s->toggle) {
		vertex = arg(l, s->arg_reg, s->arg_comp);
		instance = ml_const(l, (u32)mg_ldst_vertex_offset(s));
		vertex = ml_aux(l, ML_U(.op = SIMT_IADD, .s = { vertex.s, instance.s }));
		instance = ml_const(l, 0);
	}
	d = ml_ldst_results(l, fmt);
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .n = 4,
			  .s = { vertex.s, instance.s, ml_ldst_number(l, s).s },
			  .imm = MALI_EXT_IMM(MX_LD_ATTR, 4, fmt)));
	return deliver_slots(l, s, d);
}

/* 16-bit coordinates: halves of one word; 64-bit arguments have the third in the next word. */
static void ml_ldst_coordinates(struct ml *l, const struct mg_ldst *s, u16 *xy, u16 *z)
{
	*xy = arg(l, s->arg_reg, s->arg_comp).s;
	*z = ml_const(l, 0).s;
	if (!s->toggle)
		return;
	*z = arg(l, s->arg_reg, s->arg_comp + 1).s;
	*z = ml_aux(l, ML_U(.op = SIMT_IAND, .s = { *z, ml_const(l, 0xffff).s })).s;
}

/* Texel address and conversion, three slots. */
static int image_address(struct ml *l, const struct mg_ldst *s, u32 fmt, u16 *d)
{
	u16 xy, z;

	if (s->index_format & 2)
		return ml_unsupported(l, s->index_format);
	ml_ldst_coordinates(l, s, &xy, &z);
	*d = ml_temps(l, 3);
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = *d, .n = 3, .s = { xy, z, ml_ldst_number(l, s).s },
			  .imm = MALI_EXT_IMM(MX_LEA_IMG, 4, fmt)));
	return 0;
}

static int load_image(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u32 fmt = regfmt(s, def);
	u16 xy, z, d;

	if (s->index_format & 2)
		return ml_unsupported(l, s->index_format);
	ml_ldst_coordinates(l, s, &xy, &z);
	d = ml_ldst_results(l, fmt);
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .n = 4, .s = { xy, z, ml_ldst_number(l, s).s },
			  .imm = MALI_EXT_IMM(MX_LD_IMG, 4, fmt)));
	return deliver_slots(l, s, d);
}

static int ml_ldst_put_address(struct ml *l, const struct mg_ldst *s, u16 lo, u16 hi)
{
	const u16 v[4] = { lo, hi, lo, hi };

	return ml_ldst_deliver(l, s, v);
}

static int lea(struct ml *l, const struct mg_ldst *s)
{
	struct ml_pair at;
	s32 offset;
	int ret;

	ret = ml_ldst_address(l, s, true, &at, &offset);
	if (ret)
		return ret;
	if (offset)
		at = ml_ldst_sum(l, ml_ldst_constant(l, offset), 0, 0, at);
	return ml_ldst_put_address(l, s, at.lo.s, at.hi.s);
}

static int lea_image(struct ml *l, const struct mg_ldst *s)
{
	u16 d;
	int ret;

	ret = image_address(l, s, MALI_REG_AUTO, &d);
	return ret ? ret : ml_ldst_put_address(l, s, d, d + 1);
}

/* Copy the words of an argument register to consecutive slots. */
static int ml_ldst_gather(struct ml *l, const struct mg_ldst *s, u16 *d)
{
	u16 v[4];
	u32 i;

	if (s->reg > MG_LS_AL1)
		return ml_unsupported(l, s->reg);
	swizzled_args(l, s->reg, s->swizzle, v);
	*d = v[0];
	if (s->swizzle == MG_SWIZZLE_NONE)
		return 0;
	*d = ml_temps(l, 4);
	for (i = 0; i < 4; i++)
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = *d + i, .s = { v[i] }));
	return 0;
}

static void store_converted(struct ml *l, u16 value, u16 at)
{
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = value, .s = { at, at + 1, at + 2 },
			  .imm = MALI_EXT_IMM(MX_ST_CVT, 4, 0)));
}

static int store_image(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u16 d, at;
	int ret;

	ret = ml_ldst_gather(l, s, &d);
	if (!ret)
		ret = image_address(l, s, regfmt(s, def), &at);
	if (ret)
		return ret;
	store_converted(l, d, at);
	return 0;
}

static int store_varying(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u16 d, at;
	int ret;

	if (!(s->index_format & 2))
		return ml_unsupported(l, s->index_format);
	ret = ml_ldst_gather(l, s, &d);
	if (ret)
		return ret;
	at = ml_temps(l, 3);
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = at, .n = 3,
			  .s = { MG_SLOT_GLOBAL + 1, MG_SLOT_GLOBAL + 2, ml_ldst_number(l, s).s },
			  .imm = MALI_EXT_IMM(MX_LEA_ATTR, 4, regfmt(s, def)) |
				 MALI_EXT_VARYING));
	store_converted(l, d, at);
	return 0;
}

/* Divide the components by component @by. */
static void ml_ldst_project(struct ml *l, u16 v[4], u32 by)
{
	struct ml_val r = ml_aux(l, ML_U(.op = SIMT_FRCP, .s = { v[by] }));
	u32 i;

	for (i = 0; i < 4; i++)
		v[i] = ml_aux(l, ML_U(.op = SIMT_FMUL, .s = { v[i], r.s })).s;
}

static int load_varying(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u32 fmt = regfmt(s, def), by = MG_VARY_MOD(s->offset), ask = by ? MALI_REG_F32 : fmt, i;
	u16 d, v[4];

	if (!(s->index_format & 2) || by >= MG_VARY_CUBE || l->code->stage != VS_STAGE_FRAGMENT ||
	    (by && fmt != MALI_REG_F32 && fmt != MALI_REG_F16))
		return ml_unsupported(l, s->offset);
	d = ml_ldst_results(l, ask);
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .n = 4, .s = { ml_ldst_number(l, s).s },
			  .imm = MALI_EXT_IMM(MGX_LD_VAR, 4, ask) |
				 (s->offset & MG_VARY_FLAT ? MGX_VAR_FLAT : 0) |
				 (s->offset & MG_VARY_PERSPECTIVE ? MGX_VAR_PERSPECTIVE : 0) |
				 (s->offset & MG_VARY_CENTROID ? MGX_VAR_CENTROID : 0) |
				 (s->offset & MG_VARY_SAMPLE ? MGX_VAR_SAMPLE : 0)));
	if (!by)
		return deliver_slots(l, s, d);
	for (i = 0; i < 4; i++)
		v[i] = d + i;
	ml_ldst_project(l, v, by);
	for (i = 0; i < 2 && fmt == MALI_REG_F16; i++)
		v[i] = ml_aux(l, ML_U(.op = SIMT_F2H2, .s = { v[2 * i], v[2 * i + 1] })).s;
	for (i = 2; i < 4 && fmt == MALI_REG_F16; i++)
		v[i] = ml_const(l, 0).s;
	return deliver_swizzled(l, s, v);
}

/* ---- other operations ---- */

static int ml_ldst_move(struct ml *l, const struct mg_ldst *s)
{
	u16 v[4];

	swizzled_args(l, s->arg_reg, s->swizzle, v);
	return ml_ldst_deliver(l, s, v);
}

static int perspective(struct ml *l, const struct mg_ldst *s)
{
	u32 by = s->op - 0x10;
	u16 v[4];

	if (!s->toggle)
		return ml_unsupported(l, s->op);
	swizzled_args(l, s->arg_reg, s->swizzle, v);
	ml_ldst_project(l, v, by);
	v[3] = ml_const(l, 0x3f800000).s;
	return ml_ldst_deliver(l, s, v);
}

/* PACK, UNPACK: convert four components to words or back; two fields hold the 22-bit format. */
static int ml_ldst_convert(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	u32 op = def->class == MG_LS_PACK ? MGX_PACK : MGX_UNPACK, i;
	u16 at = ml_temps(l, 4), d = ml_temps(l, 4), v[4];

	swizzled_args(l, s->arg_reg, s->swizzle, v);
	for (i = 0; i < 4; i++)
		ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = at + i, .s = { v[i] }));
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .d2 = at, .n = 4,
			  .s = { ml_const(l, mg_ldst_format(s)).s },
			  .imm = MALI_EXT_IMM(op, 4, regfmt(&(struct mg_ldst){ }, def))));
	for (i = 0; i < 4; i++)
		v[i] = d + i;
	return ml_ldst_deliver(l, s, v);
}

/* Sample mask and sample index, as integers: their float forms are undocumented. */
static int load_special(struct ml *l, const struct mg_ldst *s)
{
	u32 n = (u32)mg_ldst_attr_offset(s);
	u16 v[4], d = ml_temp(l);
	u32 i;

	if (s->index_reg != MG_LS_ZERO || (n != 96 && n != 97) || !midgard_executes_ldst(s->op) ||
	    l->code->stage != VS_STAGE_FRAGMENT)
		return ml_unsupported(l, n);
	for (i = 1; i < 4; i++)
		v[i] = ml_const(l, 0).s;
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .n = 1,
			  .imm = n == 96 ? MGX_COVERED : MGX_SAMPLE));
	v[0] = d;
	return deliver_swizzled(l, s, v);
}

/*
 * Sample of the thread's pixel to read: an inline constant, or with bit 0 of the offset a
 * register. Colours are read from the program's own sample.
 */
static struct ml_val tile_sample(struct ml *l, const struct mg_ldst *s, bool raw)
{
	u16 d;

	if (s->offset & 1)
		return arg(l, s->arg_reg, s->arg_comp);
	if (raw)
		return ml_const(l, s->arg_comp | s->arg_reg << 2);
	d = ml_temp(l);
	ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .n = 1, .imm = MGX_SAMPLE));
	return ml_slot(d);
}

/* Read the thread's pixel of a render target, as a colour or as raw tile bits. */
static int load_tile(struct ml *l, const struct mg_ldst *s, const struct mg_ldst_def *def)
{
	bool raw = def->type == MG_LT_RAW;
	u32 fmt = def->type == MG_LT_F16 ? MALI_REG_F16 : MALI_REG_F32;
	u32 target = s->index_comp | s->index_reg << 2;
	struct ml_val at, sample, pixel;
	u16 d;

	if (l->code->stage != VS_STAGE_FRAGMENT || s->offset & ~1 || s->index_format ||
	    s->index_shift || s->toggle)
		return ml_unsupported(l, s->op);
	sample = tile_sample(l, s, raw);
	pixel = ml_const(l, MGX_OWN_PIXEL | target << 8);
	at = ml_aux(l, ML_U(.op = SIMT_IOR, .s = { sample.s, pixel.s }));
	d = ml_ldst_results(l, fmt);
	if (raw)
		ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .n = 4, .s = { at.s },
				  .imm = MGX_LD_RAW));
	else
		ml_emit(l, ML_UOP(.op = SIMT_EXT, .d = d, .n = 4,
				  .s = { at.s, ml_const(l, 1).s,
					 ml_const(l, MGX_TILE_COLOUR | fmt << 24).s },
				  .imm = MALI_EXT_IMM(MX_LD_TILE, 4, 0)));
	return deliver_slots(l, s, d);
}

static int cube(struct ml *l, const struct mg_ldst *s)
{
	u16 v[4];

	if (!s->toggle)
		return ml_unsupported(l, s->op);
	swizzled_args(l, s->arg_reg, s->swizzle, v);
	ml_cube(l, v);
	return ml_ldst_deliver(l, s, v);
}

static int ml_ldst_operation(struct ml *l, const struct mg_ldst *s)
{
	const struct mg_ldst_def *def = mg_ldst_op(s->op);

	switch (def->class) {
	case MG_LS_NOP:
		return 0;
	case MG_LS_LEA:
		return lea(l, s);
	case MG_LS_LEA_IMAGE:
		return lea_image(l, s);
	case MG_LS_MOV:
		return ml_ldst_move(l, s);
	case MG_LS_PERSPECTIVE:
		return perspective(l, s);
	case MG_LS_CUBEMAP:
		return cube(l, s);
	case MG_LS_PACK:
	case MG_LS_UNPACK:
		return ml_ldst_convert(l, s, def);
	case MG_LS_LD_SPECIAL:
		return load_special(l, s);
	case MG_LS_VARYING:
		return load_varying(l, s, def);
	case MG_LS_LD_TILEBUFFER:
		return load_tile(l, s, def);
	case MG_LS_ATOMIC:
	case MG_LS_CMPXCHG:
		return atomic(l, s, def);
	case MG_LS_LOAD:
		return ml_ldst_load(l, s, def);
	case MG_LS_UBO:
		return load_ubo(l, s, def);
	case MG_LS_STORE:
		return ml_ldst_store(l, s, def);
	case MG_LS_ATTR:
		return load_attribute(l, s, def);
	case MG_LS_LD_IMAGE:
		return load_image(l, s, def);
	case MG_LS_ST_IMAGE:
		return store_image(l, s, def);
	case MG_LS_ST_VARYING:
		return store_varying(l, s, def);
	case MG_LS_TRAP:
		ml_emit(l, ML_UOP(.op = SIMT_FAULT, .imm = VS_FAULT_ENCODING));
		l->last = true;
		return 0;
	default:
		return ml_unsupported(l, s->op);
	}
}

bool midgard_executes_ldst(u32 op)
{
	const struct mg_ldst_def *def = mg_ldst_op(op);

	if (!def)
		return false;
	switch (def->class) {
	case MG_LS_ST_TILEBUFFER:
	case MG_LS_ST_SPECIAL:
		return false;
	case MG_LS_LD_SPECIAL:
		return def->type == MG_LT_U32 || def->type == MG_LT_S32;
	default:
		return true;
	}
}

int ml_ldst_bundle(struct ml *l)
{
	u32 i;
	int ret;

	l->f.temp = MG_SLOT_WORK;
	l->want = ML_NOWHERE;
	l->nwrites = 0;
	for (i = 0; i < 2; i++) {
		if (l->b.ldst[i].bits != MG_LDST_NOP)
			ml_part(l);
		ret = ml_ldst_operation(l, &l->b.ldst[i]);
		if (ret)
			return ret;
		if (l->last)
			return 0;
	}
	ml_ldst_write_all(l);
	return 0;
}
