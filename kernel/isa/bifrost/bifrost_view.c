// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Decoding of the parts of a Bifrost clause and of its operands.
 */
#include "bifrost_verify.h"

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

static s64 bi_view_sign_extend(u64 value, u32 bits)
{
	return (s64)(value << (64 - bits)) >> (64 - bits);
}

bool bi_pc_offset(const struct bi_view *v, u32 tuple, u32 code, s64 *bytes)
{
	u32 fau = v->ports[tuple].fau;
	int index = bi_fau_const(fau);
	u64 value;

	if (index < 0 || index >= v->c.nconsts)
		return false;
	value = v->c.consts[index] | (fau & 15);
	switch (v->modes[index]) {
	case BI_CONST_PC_LO:
		*bytes = bi_view_sign_extend(value, 60);
		return true;
	case BI_CONST_PC_HI:
		*bytes = bi_view_sign_extend(value >> 32, 28);
		return code == BI_SRC_FAU_HI;
	case BI_CONST_PC_BOTH:
		*bytes = bi_view_sign_extend(code == BI_SRC_FAU_HI ? value >> 32 : value, 28);
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
	if (!bi_pc_offset(v, tuple, code, &bytes) || bytes & 15)
		return false;
	*quad = v->pos + bytes / 16;
	return true;
}
