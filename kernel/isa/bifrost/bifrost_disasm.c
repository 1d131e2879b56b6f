// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost operations as text, in the notation of Mesa's disassembler.
 *
 * Operands are written as what they stand for: registers, uniforms, constants. Where two
 * operand codes of a tuple stand for the same, the second one is written as what it is:
 * port1, fau.hi. Thus text and code determine each other.
 */
#include "bifrost_text.h"

void bi_view_parts(struct bi_view *v)
{
	u32 i;

	v->header_ok = bi_header_decode(v->c.header, &v->header);
	v->consts_ok = !bi_const_modes(&v->c, v->modes);
	if (!v->consts_ok)
		memset(v->modes, 0, sizeof(v->modes));
	v->ports_ok = 0;
	for (i = 0; i < v->c.ntuples; i++) {
		if (bi_ports_decode(v->c.tuples[i].regs, !i, &v->ports[i]))
			v->ports_ok |= 1U << i;
	}
}

u32 bi_op_bits(const struct bi_view *v, u32 tuple, enum bi_unit unit)
{
	return unit == BI_FMA ? v->c.tuples[tuple].fma : v->c.tuples[tuple].add;
}

const struct bi_ports *bi_writes(const struct bi_view *v, u32 tuple)
{
	return &v->ports[tuple + 1 == v->c.ntuples ? 0 : tuple + 1];
}

static bool fau_readable(const struct bi_view *v, u32 fau)
{
	int index = bi_fau_const(fau);

	if (index >= 0)
		return index < v->c.nconsts;
	return fau >= BI_FAU_UNIFORM || fau <= 6 || (fau >= BI_FAU_BLEND && fau < 0x10);
}

bool bi_readable(const struct bi_view *v, u32 tuple, u32 code)
{
	const struct bi_ports *p = &v->ports[tuple];

	switch (code) {
	case BI_SRC_PORT0:
		return p->read0;
	case BI_SRC_PORT1:
		return p->read1;
	case BI_SRC_PORT2:
		return p->op2 == BI_PORT_READ;
	case BI_SRC_FAU_LO:
	case BI_SRC_FAU_HI:
		return fau_readable(v, p->fau);
	default:
		return true;
	}
}

static s64 sign_extend(u64 value, u32 bits)
{
	return (s64)(value << (64 - bits)) >> (64 - bits);
}

/* How the half of a constant depends on the program counter, in bytes. */
static bool pc_offset(const struct bi_view *v, u32 tuple, u32 code, s64 *bytes)
{
	u32 fau = v->ports[tuple].fau;
	int index = bi_fau_const(fau);
	u64 value;

	if (index < 0 || index >= v->c.nconsts)
		return false;
	value = v->c.consts[index] | (fau & 15);
	switch (v->modes[index]) {
	case BI_CONST_PC_LO:
		*bytes = sign_extend(value, 60);
		return true;
	case BI_CONST_PC_HI:
		*bytes = sign_extend(value >> 32, 28);
		return code == BI_SRC_FAU_HI;
	case BI_CONST_PC_BOTH:
		*bytes = sign_extend(code == BI_SRC_FAU_HI ? value >> 32 : value, 28);
		return true;
	default:
		return false;
	}
}

bool bi_pc_target(const struct bi_view *v, u32 tuple, u32 code, s64 *quad)
{
	s64 bytes;

	if (code != BI_SRC_FAU_LO && code != BI_SRC_FAU_HI)
		return false;
	if (!pc_offset(v, tuple, code, &bytes) || bytes & 15)
		return false;
	*quad = v->pos + bytes / 16;
	return true;
}

static void put_const(struct vs_text *t, const struct bi_view *v, u32 tuple, u32 code)
{
	u32 fau = v->ports[tuple].fau, index = (u32)bi_fau_const(fau);
	u64 value = v->c.consts[index] | (fau & 15);
	bool hi = code == BI_SRC_FAU_HI;
	s64 bytes, quad;

	if (!pc_offset(v, tuple, code, &bytes)) {
		vs_put(t, "0x%08x", (u32)(hi ? value >> 32 : value));
	} else if (bi_pc_target(v, tuple, code, &quad)) {
		vs_put(t, "clause_%lld%s", (long long)quad,
		       hi && v->modes[index] == BI_CONST_PC_LO ? " >> 32" : "");
	} else {
		vs_put(t, "fau.%s", hi ? "hi" : "lo");
	}
}

static void put_fau(struct vs_text *t, const struct bi_view *v, u32 tuple, u32 code)
{
	static const char * const names[] = {
		"#0", "lane_id", "warp_id", "core_id", "framebuffer_size", "atest_datum",
		"sample",
	};
	u32 fau = v->ports[tuple].fau;
	bool hi = code == BI_SRC_FAU_HI;

	if (fau >= BI_FAU_UNIFORM)
		vs_put(t, "u%u.w%u", fau & 0x7f, hi);
	else if (fau >= BI_FAU_CONST)
		put_const(t, v, tuple, code);
	else if (fau >= BI_FAU_BLEND)
		vs_put(t, "blend_descriptor_%u.%c", fau - BI_FAU_BLEND, hi ? 'y' : 'x');
	else
		vs_put(t, "%s.%c", names[fau], hi ? 'y' : 'x');
}

static void put_raw(struct vs_text *t, u32 code)
{
	if (code <= BI_SRC_PORT2)
		vs_put(t, "port%u", code);
	else
		vs_put(t, "fau.%s", code == BI_SRC_FAU_HI ? "hi" : "lo");
}

static void put_simple(struct vs_text *t, const struct bi_view *v, u32 tuple, enum bi_unit unit,
		       u32 code)
{
	const struct bi_ports *p = &v->ports[tuple];
	const u8 regs[3] = { p->reg0, p->reg1, p->reg2 };

	if (code == BI_SRC_STAGE)
		vs_put(t, unit == BI_FMA ? "#0" : "t");
	else if (code >= BI_SRC_T0)
		vs_put(t, "t%u", code - BI_SRC_T0);
	else if (!bi_readable(v, tuple, code))
		put_raw(t, code);
	else if (code <= BI_SRC_PORT2)
		vs_put(t, "r%u", regs[code]);
	else
		put_fau(t, v, tuple, code);
}

void bi_put_operand(struct vs_text *t, const struct bi_view *v, u32 tuple, enum bi_unit unit,
		    u32 code)
{
	char text[40], other[40];
	struct vs_text mine = { text, sizeof(text), 0 };
	u32 i;

	put_simple(&mine, v, tuple, unit, code);
	for (i = 0; i < code; i++) {
		struct vs_text theirs = { other, sizeof(other), 0 };

		put_simple(&theirs, v, tuple, unit, i);
		if (!strcmp(text, other)) {
			put_raw(t, code);
			return;
		}
	}
	vs_put(t, "%s", text);
}

static void put_half(struct vs_text *t, u32 op)
{
	if (op == BI_PORT_WRITE_LO)
		vs_put(t, ".h0");
	else if (op == BI_PORT_WRITE_HI)
		vs_put(t, ".h1");
}

static void put_dest(struct vs_text *t, const struct bi_ports *p, enum bi_unit unit)
{
	u32 op = BI_PORT_IDLE, reg = p->reg3;
	bool fma = unit == BI_FMA;

	if (p->op3 >= BI_PORT_WRITE && p->fma3 == fma)
		op = p->op3;
	if (fma && p->op2 >= BI_PORT_WRITE) {
		op = p->op2;
		reg = p->reg2;
	}
	if (op)
		vs_put(t, " r%u:t%u", reg, unit);
	else
		vs_put(t, " t%u", unit);
	put_half(t, op);
}

static void put_mods(struct vs_text *t, const struct bi_op *op, u32 bits, int src)
{
	u32 i;

	for (i = 0; op->mods && op->mods[i].list; i++) {
		int value = bi_mod_value(op, i, bits);

		if (op->mods[i].src == src && value != op->mods[i].def)
			vs_put(t, ".%s", bi_list(op->mods[i].list)->names[value]);
	}
}

void bi_put_op(struct vs_text *t, const struct bi_view *v, u32 tuple, enum bi_unit unit)
{
	u32 bits = bi_op_bits(v, tuple, unit), i;
	const struct bi_op *op = bi_op_find(unit, bits);

	vs_put(t, "%c", unit == BI_FMA ? '*' : '+');
	if (!op || !bi_sources_ok(op, bits)) {
		vs_put(t, ".bits 0x%x", bits);
		return;
	}
	vs_put(t, "%s", op->name);
	put_mods(t, op, bits, BI_MOD_MNEMONIC);
	put_dest(t, bi_writes(v, tuple), unit);
	for (i = 0; i < ARRAY_SIZE(op->src) && op->src[i].codes; i++) {
		vs_put(t, ", ");
		bi_put_operand(t, v, tuple, unit, bi_bits(bits, op->src[i].pos, 3));
		put_mods(t, op, bits, (int)i);
	}
	for (i = 0; i < ARRAY_SIZE(op->imm) && op->imm[i].name; i++)
		vs_put(t, ", %s:%u", op->imm[i].name,
		       bi_bits(bits, op->imm[i].pos, op->imm[i].width));
	if (op->staging)
		vs_put(t, ", @r%u", (u32)(v->c.header >> 18 & 63));
}
