// SPDX-License-Identifier: MIT
/*
 * Bifrost: header and register block from their fields.
 */
#include "bifrost_encode.h"

u64 bi_header_encode(const struct bi_header *h)
{
	return (u64)h->ftz << 5 | (u64)h->suppress_inf << 7 | (u64)h->suppress_nan << 8 |
	       (u64)h->fpe << 9 | (u64)h->flow << 11 | (u64)h->td << 15 | (u64)h->ncph << 16 |
	       (u64)h->osrb << 17 | (u64)h->sr << 18 | (u64)h->wait << 24 | (u64)h->slot << 32 |
	       (u64)h->message << 35 | (u64)h->next_message << 40;
}

/* Control field that makes ports 2 and 3 do the accesses of @regs, or -1. */
static int find_control(const struct bi_ports *p, bool first, u64 regs)
{
	struct bi_ports got;
	u32 i;

	for (i = 0; i < 16; i++) {
		if (!bi_ports_decode(regs | (u64)i << 27, first, &got) || got.op2 != p->op2 ||
		    got.op3 != p->op3)
			continue;
		if (!p->op3 || got.fma3 == p->fma3)
			return (int)i;
	}
	return -1;
}

/* Fields of ports 0 and 1, and control. Return: false if they cannot be. */
static bool encode_reads(const struct bi_ports *p, u32 control, u64 *regs)
{
	u32 r0 = p->reg0, r1 = p->reg1;

	if (p->read1) {
		if (!p->read0 || r0 > r1 || !control)
			return false;
		if (r0 > 31 && r0 == r1)
			return false;
		*regs |= (u64)(r0 > 31 ? 63 - r0 : r0) << 20;
		*regs |= (u64)(r0 > 31 ? 63 - r1 : r1) << 25 | (u64)control << 31;
	} else if (p->read0) {
		*regs |= (u64)(r0 & 31) << 20 | (u64)(control << 2 | r0 >> 5) << 25;
	} else {
		*regs |= (u64)(control << 2 | 2) << 25;
	}
	return true;
}

bool bi_ports_encode(const struct bi_ports *p, bool first, u64 *regs)
{
	u32 r2 = p->reg2, r3 = p->reg3;
	int control;

	if (!p->op2)
		r2 = p->op3 ? r3 : 0;
	if (!p->op3)
		r3 = r2;
	*regs = p->fau | (u64)r3 << 8 | (u64)r2 << 14;
	control = find_control(p, first, *regs);
	return control >= 0 && encode_reads(p, (u32)control, regs);
}

u32 bi_const_fau(u32 index, u32 low)
{
	return (index < 4 ? index + 4 : index - 2) << 4 | low;
}

u32 bi_num_rows(const struct bi_op *op)
{
	u32 bits = 0, i;

	for (i = 0; i < ARRAY_SIZE(op->fields); i++)
		bits += op->fields[i].width;
	return (op->flags & BI_ORDERED ? 2U : 1U) << bits;
}

bool bi_sources_ok(const struct bi_op *op, u32 bits)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(op->src) && op->src[i].codes; i++)
		if (!(op->src[i].codes >> bi_bits(bits, op->src[i].pos, 3) & 1))
			return false;
	return true;
}
