// SPDX-License-Identifier: MIT
/*
 * Utgard vertex programs as text, in the notation of Mesa's listings.
 *
 * The writer records the fields that the text implies; fields with other values follow by
 * name.
 */
#include "utgard_disasm.h"

/**
 * struct writer - instruction being written
 * @t: output buffer
 * @insn: its fields
 * @said: fields implied by the text
 * @index: its position
 * @port1: port 1 is in use
 * @lines: lines written
 */
struct writer {
	struct vs_text *t;
	const struct ugp_insn *insn;
	struct ugp_insn said;
	u32 index;
	bool port1;
	u32 lines;
};

static const u8 store_codes[UGP_NUM_UNITS] = {
	[UGP_ACC0] = UGP_STORE_ACC0, [UGP_ACC1] = UGP_STORE_ACC1, [UGP_MUL0] = UGP_STORE_MUL0,
	[UGP_MUL1] = UGP_STORE_MUL1, [UGP_PASS_UNIT] = UGP_STORE_PASS,
	[UGP_COMPLEX_UNIT] = UGP_STORE_COMPLEX,
};

u32 ugp_store_code(enum ugp_unit unit)
{
	return store_codes[unit];
}

static void say(struct writer *w, enum ugp_field f)
{
	ugp_set(&w->said, f, ugp_get(w->insn, f));
}

static void begin(struct writer *w)
{
	vs_put(w->t, w->lines++ ? "\n\t" : "\t");
}

/* ---- operands ---- */

/* Registers are read through port 1 unless that reads another one already. */
static void put_port0(struct writer *w, u32 comp)
{
	const struct ugp_insn *insn = w->insn;
	bool plain = insn->port0_attribute ||
		     (w->port1 && insn->port1_addr != insn->port0_addr);

	vs_put(w->t, "%c%u%s.%c", insn->port0_attribute ? 'a' : '$', insn->port0_addr,
	       plain ? "" : ":0", "xyzw"[comp]);
	say(w, UGP_F_port0_addr);
	say(w, UGP_F_port0_attribute);
}

static void put_load(struct writer *w, u32 comp)
{
	const struct ugp_insn *insn = w->insn;

	vs_put(w->t, "t[%u", insn->load_addr);
	if (insn->load_offset >= UGP_OFFSET_ADDR1 && insn->load_offset <= UGP_OFFSET_ADDR3)
		vs_put(w->t, "+addr%u", insn->load_offset);
	else if (insn->load_offset != UGP_OFFSET_NONE)
		vs_put(w->t, "+unk%u", insn->load_offset);
	vs_put(w->t, "].%c", "xyzw"[comp]);
	say(w, UGP_F_load_addr);
	say(w, UGP_F_load_offset);
}

static void put_code(struct writer *w, u32 code, enum ugp_unit unit, bool b)
{
	struct ugp_src src;

	ugp_src(code, b, &src);
	switch (src.kind) {
	case UGP_KIND_NONE:
		vs_put(w->t, "unused");
		break;
	case UGP_KIND_BAD:
		vs_put(w->t, "unknown%u", src.comp);
		break;
	case UGP_KIND_PORT0:
		put_port0(w, src.comp);
		break;
	case UGP_KIND_PORT1:
		vs_put(w->t, "$%u.%c", w->insn->port1_addr, "xyzw"[src.comp]);
		say(w, UGP_F_port1_addr);
		w->port1 = true;
		break;
	case UGP_KIND_LOAD:
		put_load(w, src.comp);
		break;
	case UGP_KIND_NEUTRAL:
		vs_put(w->t, "%u", unit == UGP_MUL0 || unit == UGP_MUL1);
		break;
	case UGP_KIND_PREV_PORT0:
		vs_put(w->t, "^port0.%c", "xyzw"[src.comp]);
		break;
	default:
		vs_put(w->t, "^%d", UGP_NUM_UNITS * ((int)w->index - src.back) + src.unit);
		break;
	}
}

static void put_src(struct writer *w, enum ugp_field field, enum ugp_unit unit, bool b, bool neg)
{
	vs_put(w->t, neg ? " -" : " ");
	put_code(w, ugp_get(w->insn, field), unit, b);
	say(w, field);
}

/* ---- destinations ---- */

static void put_group(struct writer *w, enum ugp_unit unit, enum ugp_field src,
		      enum ugp_field addr, enum ugp_field varying, enum ugp_field temporary)
{
	bool first = ugp_get(w->insn, src) == store_codes[unit];
	bool second = ugp_get(w->insn, (enum ugp_field)(src + 1)) == store_codes[unit];
	u32 comp = src == UGP_F_store_x ? 0 : 2;

	if (!first && !second)
		return;
	if (ugp_get(w->insn, temporary)) {
		vs_put(w->t, "/t[addr0].");
		say(w, temporary);
	} else {
		vs_put(w->t, "/%c%u.", ugp_get(w->insn, varying) ? 'v' : '$',
		       ugp_get(w->insn, addr));
		say(w, varying);
		say(w, addr);
	}
	if (first) {
		vs_put(w->t, "%c", "xyzw"[comp]);
		say(w, src);
	}
	if (second) {
		vs_put(w->t, "%c", "xyzw"[comp + 1]);
		say(w, (enum ugp_field)(src + 1));
	}
}

static void put_dest(struct writer *w, enum ugp_unit unit)
{
	vs_put(w->t, " ^%u", UGP_NUM_UNITS * w->index + unit);
	put_group(w, unit, UGP_F_store_x, UGP_F_store0_addr, UGP_F_store0_varying,
		  UGP_F_store0_temporary);
	put_group(w, unit, UGP_F_store_z, UGP_F_store1_addr, UGP_F_store1_varying,
		  UGP_F_store1_temporary);
}

/* ---- units ---- */

static void put_acc(struct writer *w, enum ugp_unit unit, enum ugp_field a, enum ugp_field neg)
{
	const struct ugp_op_info *op = ugp_op(ugp_op_find(UGP_ACC, w->insn->acc_op));
	enum ugp_field b = (enum ugp_field)(a + 1), bneg = (enum ugp_field)(neg + 1);
	bool mov = !w->insn->acc_op && ugp_get(w->insn, b) == UGP_SRC_P1_COMPLEX &&
		   ugp_get(w->insn, bneg);

	if (ugp_get(w->insn, a) == UGP_SRC_NONE)
		return;
	begin(w);
	if (mov)
		vs_put(w->t, "mov");
	else if (op)
		vs_put(w->t, "%s", op->name);
	else
		vs_put(w->t, "op%u", w->insn->acc_op);
	vs_put(w->t, ".a%u", unit - UGP_ACC0);
	put_dest(w, unit);
	put_src(w, a, unit, false, ugp_get(w->insn, neg));
	say(w, neg);
	say(w, UGP_F_acc_op);
	if (mov) {
		say(w, b);
		say(w, bneg);
	} else if (op && op->nsrc == 1) {
		ugp_set(&w->said, b, 0);
	} else {
		put_src(w, b, unit, true, ugp_get(w->insn, bneg));
		say(w, bneg);
	}
}

static bool uses(const struct writer *w, enum ugp_field a)
{
	return ugp_get(w->insn, a) != UGP_SRC_NONE ||
	       ugp_get(w->insn, (enum ugp_field)(a + 1)) != UGP_SRC_NONE;
}

static void put_mul(struct writer *w, enum ugp_unit unit, enum ugp_field a, enum ugp_field neg)
{
	enum ugp_field b = (enum ugp_field)(a + 1);
	bool complex2 = unit == UGP_MUL0 && w->insn->mul_op;
	bool mov = !complex2 && ugp_get(w->insn, b) == UGP_SRC_P1_COMPLEX &&
		   !ugp_get(w->insn, neg);

	if (!uses(w, a))
		return;
	begin(w);
	vs_put(w->t, "%s.m%u", complex2 ? "complex2" : mov ? "mov" : "mul", unit - UGP_MUL0);
	if (complex2)
		say(w, UGP_F_mul_op);
	put_dest(w, unit);
	put_src(w, a, unit, false, false);
	if (mov) {
		say(w, b);
	} else {
		put_src(w, b, unit, true, ugp_get(w->insn, neg));
		say(w, neg);
	}
}

static void put_wide(struct writer *w, const struct ugp_op_info *op)
{
	bool select = op && op->nsrc == 3;

	if (!uses(w, UGP_F_mul0_a) && !uses(w, UGP_F_mul1_a))
		return;
	begin(w);
	if (op)
		vs_put(w->t, "%s.m01", op->name);
	else
		vs_put(w->t, "unknown%u.m01", w->insn->mul_op);
	say(w, UGP_F_mul_op);
	put_dest(w, UGP_MUL0);
	if (select) {
		put_src(w, UGP_F_mul0_b, UGP_MUL0, true, false);
		put_src(w, UGP_F_mul0_a, UGP_MUL0, false, false);
		put_src(w, UGP_F_mul1_a, UGP_MUL1, false, false);
	} else {
		put_src(w, UGP_F_mul0_a, UGP_MUL0, false, false);
		put_src(w, UGP_F_mul0_b, UGP_MUL0, true, false);
		put_src(w, UGP_F_mul1_a, UGP_MUL1, false, false);
		put_src(w, UGP_F_mul1_b, UGP_MUL1, true, false);
	}
}

static void put_muls(struct writer *w)
{
	const struct ugp_op_info *op = ugp_op(ugp_op_find(UGP_MUL, w->insn->mul_op));

	if (!op || op->flags & UGP_WIDE) {
		put_wide(w, op);
		return;
	}
	put_mul(w, UGP_MUL0, UGP_F_mul0_a, UGP_F_mul0_neg);
	put_mul(w, UGP_MUL1, UGP_F_mul1_a, UGP_F_mul1_neg);
}

static void put_complex(struct writer *w)
{
	enum ugp_opcode code = ugp_op_find(UGP_COMPLEX, w->insn->complex_op);
	const struct ugp_op_info *op = ugp_op(code);
	bool none = w->insn->complex_a == UGP_SRC_NONE;

	if (!w->insn->complex_op || (none && code != UGP_OP_ADDR01))
		return;
	begin(w);
	if (op)
		vs_put(w->t, "%s.c", op->name);
	else
		vs_put(w->t, "unk%u.c", w->insn->complex_op);
	say(w, UGP_F_complex_op);
	put_dest(w, UGP_COMPLEX_UNIT);
	if (code >= UGP_OP_ADDR0 && code <= UGP_OP_ADDR3)
		vs_put(w->t, "/addr%u", code - UGP_OP_ADDR0);
	if (!op || op->nsrc)
		put_src(w, UGP_F_complex_a, UGP_COMPLEX_UNIT, false, false);
}

static void put_pass(struct writer *w)
{
	enum ugp_opcode code = ugp_op_find(UGP_PASS, w->insn->pass_op);
	const struct ugp_op_info *op = ugp_op(code);

	if (w->insn->pass_a == UGP_SRC_NONE)
		return;
	begin(w);
	if (op)
		vs_put(w->t, "%s.p", op->name);
	else
		vs_put(w->t, "unk%u.p", w->insn->pass_op);
	say(w, UGP_F_pass_op);
	put_dest(w, UGP_PASS_UNIT);
	put_src(w, UGP_F_pass_a, UGP_PASS_UNIT, false, false);
	if (code != UGP_OP_CLAMP)
		return;
	vs_put(w->t, " ");
	put_load(w, 0);
	vs_put(w->t, " ");
	put_load(w, 1);
}

u32 ugp_mode(const struct ugp_insn *insn)
{
	if (insn->branch)
		return UGP_MODE_BRANCH;
	return insn->store0_temporary || insn->store1_temporary ? UGP_MODE_TEMP_STORE :
								  UGP_MODE_NORMAL;
}

static void put_branch(struct writer *w)
{
	if (w->insn->branch) {
		begin(w);
		vs_put(w->t, "branch ^%u %03u", UGP_NUM_UNITS * w->index + UGP_PASS_UNIT,
		       ugp_target(w->insn));
		say(w, UGP_F_branch);
		say(w, UGP_F_branch_target);
		say(w, UGP_F_branch_target_low);
	}
	w->said.unknown_1 = (u16)ugp_mode(w->insn);
	if (!w->insn->unknown_1)
		return;
	begin(w);
	vs_put(w->t, "unknown_1 %u", w->insn->unknown_1);
	say(w, UGP_F_unknown_1);
}

static void put_rest(struct writer *w)
{
	u32 i, value;

	for (i = 0; i < UGP_NUM_FIELDS; i++) {
		value = ugp_get(w->insn, (enum ugp_field)i);
		if (value == ugp_get(&w->said, (enum ugp_field)i))
			continue;
		begin(w);
		vs_put(w->t, ".%s %u", ugp_field((enum ugp_field)i)->name, value);
	}
}

void ugp_put_insn(struct vs_text *t, const struct ugp_insn *insn, u32 index)
{
	struct writer w = { .t = t, .insn = insn, .index = index };

	ugp_idle(&w.said);
	vs_put(t, "%03u:", index);
	put_acc(&w, UGP_ACC0, UGP_F_acc0_a, UGP_F_acc0_a_neg);
	put_acc(&w, UGP_ACC1, UGP_F_acc1_a, UGP_F_acc1_a_neg);
	put_muls(&w);
	put_complex(&w);
	put_pass(&w);
	put_branch(&w);
	put_rest(&w);
	if (!w.lines)
		vs_put(t, "\tnop");
	vs_put(t, "\n");
}

int ugp_listing(const u32 *words, u32 nwords, char *buf, size_t size)
{
	struct vs_text t = { buf, size, 0 };
	struct ugp_insn insn;
	u32 i;

	if (nwords % UGP_WORDS)
		return -EINVAL;
	if (nwords / UGP_WORDS > UGP_MAX_INSNS)
		return -E2BIG;
	if (buf && size)
		buf[0] = '\0';
	for (i = 0; i < nwords / UGP_WORDS; i++) {
		ugp_decode(words + UGP_WORDS * i, &insn);
		ugp_put_insn(&t, &insn, i);
	}
	return (int)t.len;
}

int ugp_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	struct vs_text t = { .buf = buf, .size = size };
	enum ugp_field field;
	struct ugp_insn insn;
	struct ugp_view view;

	if (offset >= src->nwords[VS_SECTION_CODE] / UGP_WORDS)
		return -EINVAL;
	ugp_decode(src->words[VS_SECTION_CODE] + UGP_WORDS * offset, &insn);
	if (ugp_view(&insn, &view, &field)) {
		vs_put(&t, "?");
		return -ENOEXEC;
	}
	ugp_put_insn(&t, &insn, offset);
	return ut_one_line(&t);
}
