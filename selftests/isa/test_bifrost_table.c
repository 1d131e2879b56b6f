// SPDX-License-Identifier: GPL-2.0
/*
 * The table of Bifrost operations: every operation with every value of every modifier has a
 * text that assembles to the same bits, and encodings published elsewhere are found in it.
 */
#include "bifrost_test.h"

/* Encodings from the notes on the instruction set, not from the table. */
static const struct {
	enum bi_unit unit;
	u32 bits;
	const char *name;
} known[] = {
	{ BI_FMA, 0x000000, "FMA.f32" }, { BI_FMA, 0x400000, "FMA.v2f16" },
	{ BI_FMA, 0x280000, "FMA_RSCALE.f32" }, { BI_FMA, 0x2c0000, "FADD.f32" },
	{ BI_FMA, 0x6c0000, "FADD.v2f16" }, { BI_FMA, 0x70f400, "FADD_LSCALE.f32" },
	{ BI_FMA, 0x240000, "FCMP.f32" }, { BI_FMA, 0x2e3000, "CSEL.i32" },
	{ BI_FMA, 0x2e0000, "CSEL.f32" }, { BI_FMA, 0x2e4000, "CSEL.s32" },
	{ BI_FMA, 0x2e6000, "CSEL.u32" }, { BI_FMA, 0x6e3000, "CSEL.v2i16" },
	{ BI_FMA, 0x27fc00, "IADDC.i32" }, { BI_FMA, 0x73c0c0, "IMUL.i32" },
	{ BI_FMA, 0x311000, "LSHIFT_AND.i32" }, { BI_FMA, 0x325000, "LSHIFT_XOR.i32" },
	{ BI_FMA, 0x335018, "ARSHIFT.i32" }, { BI_FMA, 0x701963, "NOP" },
	{ BI_FMA, 0x701968, "MOV.i32" },
	{ BI_ADD, 0x20000, "FADD.f32" }, { BI_ADD, 0x75200, "FADD.f32" },
	{ BI_ADD, 0xa0000, "FADD.v2f16" }, { BI_ADD, 0x00000, "FMAX.f32" },
	{ BI_ADD, 0x10000, "FMIN.f32" }, { BI_ADD, 0x80000, "FMAX.v2f16" },
	{ BI_ADD, 0x90000, "FMIN.v2f16" }, { BI_ADD, 0x30000, "FCMP.f32" },
	{ BI_ADD, 0x7b200, "ICMP.s32" }, { BI_ADD, 0x7b280, "ICMP.u32" },
	{ BI_ADD, 0x7b300, "ICMP.i32" }, { BI_ADD, 0x74000, "MUX.i32" },
	{ BI_ADD, 0xbc600, "IADD.s32" }, { BI_ADD, 0xbd600, "ISUB.s32" },
	{ BI_ADD, 0x67000, "FRCP_APPROX.f32" }, { BI_ADD, 0x67100, "FRSQ_APPROX.f32" },
	{ BI_ADD, 0x67ac0, "FEXP_TABLE.u4" }, { BI_ADD, 0x67a80, "FSIN_TABLE.u6" },
	{ BI_ADD, 0x67a88, "FCOS_TABLE.u6" }, { BI_ADD, 0x67300, "FLOG_TABLE.f32" },
	{ BI_ADD, 0x3d964, "NOP" },
};

static void test_known(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		const struct bi_op *op = bi_op_find(known[i].unit, known[i].bits);

		if (op && !strcmp(op->name, known[i].name))
			continue;
		tap_comment("0x%x is not %s", known[i].bits, known[i].name);
		bad++;
	}
	tap_result(!bad, "%zu published encodings", ARRAY_SIZE(known));
}

static bool well_formed(const struct bi_op *op, u32 width)
{
	u32 used = op->mask, i, nsrc = 0, bits = 0;

	for (i = 0; i < ARRAY_SIZE(op->src) && op->src[i].codes; i++, nsrc++)
		used |= 7U << op->src[i].pos;
	for (i = 0; i < ARRAY_SIZE(op->imm) && op->imm[i].name; i++)
		used |= ((1U << op->imm[i].width) - 1) << op->imm[i].pos;
	for (i = 0; i < ARRAY_SIZE(op->fields); i++) {
		used |= ((1U << op->fields[i].width) - 1) << op->fields[i].pos;
		bits += op->fields[i].width;
	}
	for (i = 0; op->mods && op->mods[i].list; i++) {
		const struct bi_mod *m = &op->mods[i];

		if (m->src >= (int)nsrc || m->def >= (int)bi_list(m->list)->n)
			return false;
		if (m->pos == BI_MOD_DERIVED && !op->rows)
			return false;
		if (m->pos != BI_MOD_DERIVED)
			used |= ((1U << m->width) - 1) << m->pos;
	}
	/* Every bit has a meaning, and the value lies within the mask. */
	return i < 16 && bits < 8 && !(op->exact & ~op->mask) && used == (1U << width) - 1;
}

static void test_form(enum bi_unit unit)
{
	u32 n, i, bad = 0;
	const struct bi_op *ops = bi_ops(unit, &n);

	for (i = 0; i < n; i++) {
		if (well_formed(&ops[i], unit == BI_FMA ? 23 : 20))
			continue;
		tap_comment("%s is not well-formed", ops[i].name);
		bad++;
	}
	tap_result(!bad, "%u encodings of %s: every bit has a meaning", n,
		   unit == BI_FMA ? "FMA" : "ADD");
}

/* Operations collected until they fill a program. */
#define BATCH	(8 * 64)

static struct {
	u32 bits[BI_NUM_UNITS][BATCH];
	u32 n[BI_NUM_UNITS];
	u32 total;
	u32 failed;
} batch;

static void flush(void)
{
	static u32 words[4 * BI_CLAUSE_QUADS * BATCH / 8];
	u32 n = 0, i;
	char msg[300];

	for (i = 0; i < BATCH; i += 8) {
		struct bi_clause c = { .ntuples = 8, .nconsts = 5, .header = 0x1800 };
		u32 k;

		for (k = 0; k < 8; k++) {
			/* r1, r2 and r3 are read, no register is written; a uniform. */
			struct bi_ports p = { .fau = 0x85, .read0 = true, .read1 = true,
					      .op2 = BI_PORT_READ, .reg0 = 1, .reg1 = 2,
					      .reg2 = 3, .reg3 = 3 };

			bi_ports_encode(&p, !k, &c.tuples[k].regs);
			c.tuples[k].fma = i + k < batch.n[BI_FMA] ? batch.bits[BI_FMA][i + k] :
								    0x701963;
			c.tuples[k].add = i + k < batch.n[BI_ADD] ? batch.bits[BI_ADD][i + k] :
								    0x3d964;
		}
		n += 4 * bi_clause_encode(&c, words + n);
	}
	if (!bi_test_round_trip(words, n, msg, sizeof(msg)) && batch.failed++ < 5)
		tap_comment("%s", msg);
	batch.n[BI_FMA] = 0;
	batch.n[BI_ADD] = 0;
}

static void add(enum bi_unit unit, u32 bits)
{
	batch.bits[unit][batch.n[unit]++] = bits;
	batch.total++;
	if (batch.n[unit] == BATCH)
		flush();
}

/* Random allowed operand codes; both orders of the first two occur. */
static u32 with_sources(const struct bi_op *op, u32 bits, bool swapped)
{
	u32 i, code;

	for (i = 0; i < ARRAY_SIZE(op->src) && op->src[i].codes; i++) {
		if (op->mask >> op->src[i].pos & 7)
			continue;
		code = swapped && i < 2 ? !i : i;
		while (!(op->src[i].codes >> code & 1))
			code = (code + 1) % 8;
		bits |= code << op->src[i].pos;
	}
	return bits;
}

/* All values of all bits other than operands and the bits that select the operation. */
static bool all_values(enum bi_unit unit, const struct bi_op *op)
{
	u32 width = unit == BI_FMA ? 23 : 20, free = ~op->mask & ((1U << width) - 1);
	u32 i, value = 0, found = 0;

	for (i = 0; i < ARRAY_SIZE(op->src) && op->src[i].codes; i++)
		free &= ~(7U << op->src[i].pos);
	do {
		for (i = 0; i < 2; i++) {
			u32 bits = with_sources(op, op->exact | value, i);

			if (bi_op_find(unit, bits) != op)
				continue;
			found++;
			add(unit, bits);
		}
		value = (value - free) & free;
	} while (value);
	return found;
}

static void test_values(enum bi_unit unit)
{
	u32 n, i, missing = 0;
	const struct bi_op *ops = bi_ops(unit, &n);

	batch.total = 0;
	batch.failed = 0;
	for (i = 0; i < n; i++) {
		if (all_values(unit, &ops[i]))
			continue;
		tap_comment("%s cannot be reached", ops[i].name);
		missing++;
	}
	flush();
	tap_result(!missing && !batch.failed,
		   "%s: %u values of modifiers and immediates assemble to the same bits",
		   unit == BI_FMA ? "FMA" : "ADD", batch.total);
}

int main(void)
{
	test_known();
	test_form(BI_FMA);
	test_form(BI_ADD);
	test_values(BI_FMA);
	test_values(BI_ADD);
	return tap_done();
}
