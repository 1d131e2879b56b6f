// SPDX-License-Identifier: MIT
/*
 * Bifrost operations as text, in the notation of Mesa's disassembler.
 *
 * Operands are resolved to registers, uniforms and constants. If two operand codes of a
 * tuple resolve to the same one, the second is shown as its code: port1, fau.hi. Text and
 * encoding thus determine each other.
 */
#include "bifrost_disasm.h"

static void put_const(struct vs_text *t, const struct bi_view *v, u32 tuple, u32 code)
{
	u32 fau = v->ports[tuple].fau, index = (u32)bi_fau_const(fau);
	u64 value = v->c.consts[index] | (fau & 15);
	bool hi = code == BI_SRC_FAU_HI;
	s64 bytes, quad;

	if (!bi_pc_offset(v, tuple, code, &bytes)) {
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
