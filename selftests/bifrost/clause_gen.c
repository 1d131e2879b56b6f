// SPDX-License-Identifier: GPL-2.0
/* Random Bifrost programs of operations between registers. */
#include "clause_gen.h"

#define NOP_FMA	0x701963
#define NOP_ADD	0x3d964

static u64 state = 1;

void gen_seed(u32 seed)
{
	state = seed * 2654435761ULL + 88172645463325252ULL;
}

u32 gen_rand(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 16);
}

static u32 random_half(void)
{
	static const u16 halves[] = {
		0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x83ff, 0x0400,
		0x7bff, 0x3800, 0x4248,
	};

	if (gen_rand() % 3 == 0)
		return halves[gen_rand() % ARRAY_SIZE(halves)];
	return gen_rand() % 2 ? gen_rand() & 0xffff : (gen_rand() & 0x83ff) | 0x3800;
}

u32 gen_word(void)
{
	static const u32 words[] = {
		0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
		0xff800000, 0x7fc00000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
		0x3f000000, 0x40490fdb, 0x4f000000, 0xcf000000,
	};

	switch (gen_rand() % 8) {
	case 0:
		return words[gen_rand() % ARRAY_SIZE(words)];
	case 1:
		return gen_rand();
	case 2:
		return gen_rand() % 64;
	case 3:
	case 4:
		return random_half() | random_half() << 16;
	case 5:
		return (u32)-(s32)(gen_rand() % 64);
	default:
		/* a float not far from 1 */
		return (gen_rand() & 0x807fffff) | (115 + gen_rand() % 24) << 23;
	}
}

bool gen_pure(const struct bi_op *op)
{
	static const char * const out[] = {
		"CLPER", "WMASK", "DISCARD", "JUMP", "BRANCH", "ATOM_C", "ATOM_PRE", "SEG_",
		"IMOV_FMA",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(out); i++)
		if (!strncmp(op->name, out[i], strlen(out[i])))
			return false;
	return !op->message;
}

/* Operands that the tuple has; @old: results of the tuple before are among them. */
static bool choose_sources(const struct bi_op *op, u32 *bits, bool port2, bool old)
{
	u32 i, code, tries;

	for (i = 0; i < 4 && op->src[i].codes; i++) {
		for (tries = 0; tries < 64; tries++) {
			code = gen_rand() % 8;
			if (op->src[i].codes >> code & 1 && (port2 || code != BI_SRC_PORT2) &&
			    (old || code < BI_SRC_T0))
				break;
		}
		if (tries == 64)
			return false;
		*bits = (*bits & ~(7U << op->src[i].pos)) | code << op->src[i].pos;
	}
	return bi_op_find(op == bi_op_find(BI_FMA, *bits) ? BI_FMA : BI_ADD, *bits) == op;
}

static u32 choose_bits(enum bi_unit unit, u32 n, bool port2, bool old)
{
	u32 all, bits, tries;
	const struct bi_op *ops = bi_ops(unit, &all), *op = &ops[n];

	for (tries = 0; tries < 200; tries++) {
		bits = (gen_rand() & (unit == BI_FMA ? 0x7fffff : 0xfffff) & ~op->mask) |
		       op->exact;
		if (bi_op_find(unit, bits) == op && choose_sources(op, &bits, port2, old))
			return bits;
	}
	return 0;
}

static u32 any_op(enum bi_unit unit, const bool *use, bool port2, bool old)
{
	u32 all, n, bits = 0;

	bi_ops(unit, &all);
	if (gen_rand() % 8 == 0)
		return unit == BI_FMA ? NOP_FMA : NOP_ADD;	/* NOP */
	do {
		n = gen_rand() % all;
		if (use[n])
			bits = choose_bits(unit, n, port2, old);
	} while (!bits);
	return bits;
}

static u32 reg(void)
{
	return gen_rand() % GEN_REGS;
}

/* A register block that reads three registers if @reads; what it writes is by chance. */
static u64 choose_ports(bool first, bool reads, u32 nconsts, struct bi_ports *p)
{
	u64 regs;

	do {
		memset(p, 0, sizeof(*p));
		p->read0 = true;
		p->read1 = true;
		p->reg0 = (u8)reg();
		p->reg1 = (u8)reg();
		p->reg2 = (u8)reg();
		p->reg3 = (u8)(gen_rand() % 4 ? reg() : p->reg2);
		if (p->reg0 > p->reg1)
			swap(p->reg0, p->reg1);
		p->op2 = reads ? BI_PORT_READ : gen_rand() % 5;
		p->op3 = BI_PORT_WRITE + gen_rand() % 3;
		p->fma3 = gen_rand() % 2;
		switch (gen_rand() % 3) {
		case 0:
			p->fau = (u8)(BI_FAU_UNIFORM + gen_rand() % GEN_PUSH);
			break;
		case 1:
			p->fau = nconsts ? (u8)bi_const_fau(gen_rand() % nconsts,
							    gen_rand() % 16) : 0;
			break;
		default:
			p->fau = 0;
			break;
		}
	} while (!bi_ports_encode(p, first, &regs));
	return regs;
}

static void start_clause(struct bi_clause *c, u32 ntuples, bool last)
{
	struct bi_header h = { .flow = last ? BI_FLOW_END : BI_FLOW_NBB };
	u32 min, max, i;

	memset(c, 0, sizeof(*c));
	c->ntuples = (u8)ntuples;
	min = bi_min_consts(ntuples);
	max = bi_max_consts(ntuples);
	c->nconsts = (u8)(min + 2 * (gen_rand() % ((max - min) / 2 + 1)));
	c->header = bi_header_encode(&h);
	/* equal upper bits: the program counter is not added */
	for (i = 0; i < c->nconsts; i++)
		c->consts[i] = ((u64)gen_word() << 32 | gen_word()) &
			       ~(15ULL << 60 | 15ULL << 28 | 15);
}

static void finish(struct gen_prog *p, const struct bi_clause *c)
{
	p->nquads += bi_clause_encode(c, p->words + 4 * p->nquads);
}

bool gen_single(struct gen_prog *p, enum bi_unit unit, u32 n)
{
	u32 all, bits;
	const struct bi_op *ops = bi_ops(unit, &all);
	struct bi_ports ports;
	struct bi_clause c;

	p->nquads = 0;
	p->op = &ops[n];
	p->unit = unit;
	bits = gen_pure(p->op) ? choose_bits(unit, n, true, false) : 0;
	if (!bits)
		return false;
	start_clause(&c, 1, true);
	do {
		c.tuples[0].regs = choose_ports(true, true, c.nconsts, &ports);
	} while (ports.op3 != BI_PORT_WRITE || ports.fma3 != (unit == BI_FMA));
	c.tuples[0].fma = unit == BI_FMA ? bits : NOP_FMA;
	c.tuples[0].add = unit == BI_ADD ? bits : NOP_ADD;
	finish(p, &c);
	return true;
}

void gen_all(bool use[BI_NUM_UNITS][GEN_MAX_OPS])
{
	u32 unit, n, all;

	memset(use, 0, BI_NUM_UNITS * sizeof(use[0]));
	for (unit = 0; unit < BI_NUM_UNITS; unit++) {
		const struct bi_op *ops = bi_ops(unit, &all);

		for (n = 0; n < all; n++)
			use[unit][n] = gen_pure(&ops[n]) && !(ops[n].flags & BI_LAST);
	}
}

/* Operations of the other unit that this one goes with. */
static u32 companion(const struct bi_op *op, enum bi_unit unit)
{
	static const struct {
		const char *name;
		u32 bits;
	} with[] = {
		{ "ATOM_C", 0xd7400 }, { "SHADDXL", 0x3f8c0 }, { "CUBEFACE1", 0x3de58 },
	};
	u32 i;

	if (unit == BI_FMA) {
		for (i = 0; i < ARRAY_SIZE(with); i++)
			if (!strncmp(op->name, with[i].name, strlen(with[i].name)))
				return with[i].bits;
		return strcmp(op->name, "SEG_ADD") ? NOP_ADD : 0x3d500 | 2 << 3;
	}
	if (!strcmp(op->name, "ATOM_CX"))
		return 0x2f7e00;
	if (!strcmp(op->name, "SHADDXH.i32"))
		return 0x70e600;
	if (!strcmp(op->name, "CUBEFACE2"))
		return 0x706800;
	return strcmp(op->name, "SEG_ADD") ? NOP_FMA : 0x701500 | 2 << 3;
}

/* The header's fields for the message, as the operation's siblings do. */
static u32 message_of(const struct bi_op *op, u32 bits)
{
	if (op->message == BI_MSG_LOAD && bi_has_mod(op, bits, "ubo"))
		return BI_MSG_ATTRIBUTE;
	if (op->message == BI_MSG_VARYING && bi_has_mod(op, bits, "frag_z"))
		return BI_MSG_Z_STENCIL;
	return op->message;
}

bool gen_any(struct gen_prog *p, enum bi_unit unit, u32 n)
{
	struct bi_header h = { .sr = 8, .flow = BI_FLOW_END };
	u32 all, bits, other;
	const struct bi_op *ops = bi_ops(unit, &all), *add;
	struct bi_ports ports;
	struct bi_clause c;

	p->nquads = 0;
	p->op = &ops[n];
	p->unit = unit;
	bits = choose_bits(unit, n, true, false);
	if (!bits)
		return false;
	start_clause(&c, 1, true);
	do {
		c.tuples[0].regs = choose_ports(true, true, 0, &ports);
	} while (ports.op3 != BI_PORT_WRITE || ports.fma3 != (unit == BI_FMA));
	/* constant 0 is where branches may go */
	if (bi_op_branches(p->op))
		c.tuples[0].regs &= ~0xffULL;
	other = companion(p->op, unit);
	c.tuples[0].fma = unit == BI_FMA ? bits : other;
	c.tuples[0].add = unit == BI_ADD ? bits : other;
	add = bi_op_find(BI_ADD, c.tuples[0].add);
	h.message = (u8)message_of(add, c.tuples[0].add);
	c.header = bi_header_encode(&h);
	finish(p, &c);
	return true;
}

/* Messages: what the header calls them, and their staging registers. */
static const struct message {
	u32 bits;
	u8 type;
	u8 n;
} messages[] = {
	{ 0x60c40, BI_MSG_LOAD, 1 }, { 0x60e40, BI_MSG_LOAD, 2 }, { 0x65440, BI_MSG_LOAD, 3 },
	{ 0x61040, BI_MSG_LOAD, 4 }, { 0x62c40, BI_MSG_STORE, 1 }, { 0x62e40, BI_MSG_STORE, 2 },
	{ 0x65c40, BI_MSG_STORE, 3 }, { 0x61240, BI_MSG_STORE, 4 },
	{ 0x640c0, BI_MSG_ATOMIC, 1 }, { 0x644c0, BI_MSG_ATOMIC, 2 },
};

/* One of the tuples sends a message to the thread's memory. */
static void add_message(struct bi_clause *c)
{
	const struct message *m = &messages[gen_rand() % ARRAY_SIZE(messages)];
	u32 at = gen_rand() % c->ntuples;
	struct bi_ports p;
	struct bi_header h;
	u64 regs;

	bi_header_decode(c->header, &h);
	bi_ports_decode(c->tuples[at].regs, !at, &p);
	p.reg0 = GEN_ADDRESS;
	p.reg1 = GEN_ADDRESS + 1;
	if (!bi_ports_encode(&p, !at, &regs))
		return;
	h.message = m->type;
	h.sr = (u8)(gen_rand() % (GEN_REGS + 1 - m->n));
	c->header = bi_header_encode(&h);
	c->tuples[at].regs = regs;
	c->tuples[at].add = m->bits | 1 << 3;
}

/* The first constant of a pair, to which the program counter is added. */
static void set_target(struct bi_clause *c, u32 from, u32 to)
{
	c->consts[0] = (16ULL * to - 16ULL * from) & GENMASK_ULL(59, 0);
	c->consts[0] |= 1ULL << 60;
	c->consts[1] &= GENMASK_ULL(59, 0);
}

/* The last tuple branches by the first constant. */
static void add_branch(struct bi_clause *c, bool jump)
{
	u32 last = c->ntuples - 1U, src = gen_rand() % 2;

	c->tuples[last].regs = (c->tuples[last].regs & ~0xffULL) | bi_const_fau(0, 0);
	if (jump)
		c->tuples[last].add = 0x6fe34 | BI_SRC_FAU_LO << 6;
	else
		c->tuples[last].add = 0x6f800 | src | (gen_rand() & 1) << 3 |
				      (1 + gen_rand() % 2) << 4 | BI_SRC_FAU_LO << 6;
}

/* Nothing but a jump. */
static void only_jump(struct bi_clause *c)
{
	struct bi_ports p = { };

	bi_ports_encode(&p, true, &c->tuples[0].regs);
	c->tuples[0].fma = NOP_FMA;
	add_branch(c, true);
}

/* Numbers of tuples with which constants come in pairs only. */
static const u8 pair_tuples[] = { 1, 2, 4, 7 };

static void fill_clause(struct bi_clause *c, bool use[BI_NUM_UNITS][GEN_MAX_OPS], bool old)
{
	struct bi_ports ports;
	bool read2;
	u32 i;

	for (i = 0; i < c->ntuples; i++) {
		c->tuples[i].regs = choose_ports(!i, gen_rand() % 2, c->nconsts, &ports);
		read2 = ports.op2 == BI_PORT_READ;
		c->tuples[i].fma = any_op(BI_FMA, use[BI_FMA], read2, old || i);
		c->tuples[i].add = any_op(BI_ADD, use[BI_ADD], read2, old || i);
	}
}

void gen_mixed(struct gen_prog *p, bool use[BI_NUM_UNITS][GEN_MAX_OPS])
{
	u32 n = 1 + gen_rand() % GEN_MAX_CLAUSES, at[GEN_MAX_CLAUSES], quad = 0, k;
	u32 words[4 * BI_CLAUSE_QUADS];
	struct bi_clause c[GEN_MAX_CLAUSES];
	bool carries = gen_rand() % 4 == 0, branch[GEN_MAX_CLAUSES] = { }, jump;

	memset(p, 0, sizeof(*p));
	for (k = 0; k < n; k++) {
		jump = k && k + 1 < n && gen_rand() % 4 == 0;
		branch[k] = jump || (k + 1 < n && gen_rand() % 2);
		start_clause(&c[k], jump ? 1 : branch[k] ? pair_tuples[gen_rand() % 4] :
			     1 + gen_rand() % BI_MAX_TUPLES, k + 1 == n);
		if (branch[k] && !c[k].nconsts)
			c[k].nconsts = 2;
		if (jump)
			only_jump(&c[k]);
		else
			fill_clause(&c[k], use, k && carries);
		if (branch[k] && !jump)
			add_branch(&c[k], false);
		else if (!jump && gen_rand() % 2)
			add_message(&c[k]);
		at[k] = quad;
		quad += bi_clause_encode(&c[k], words);
	}
	for (k = 0; k < n; k++) {
		if (branch[k])
			set_target(&c[k], at[k], at[k + 1 + gen_rand() % (n - k - 1)]);
		finish(p, &c[k]);
	}
}

void gen_pair(struct gen_prog *p, u32 fma, u32 add)
{
	struct bi_ports read = {
		.read0 = true, .read1 = true, .reg0 = 0, .reg1 = 1, .reg2 = 2, .op2 = BI_PORT_READ,
		.fau = BI_FAU_UNIFORM,
	};
	struct bi_ports write = {
		.op2 = BI_PORT_WRITE, .op3 = BI_PORT_WRITE, .reg2 = 4, .reg3 = 5,
	};
	struct bi_header h = { .flow = BI_FLOW_END };
	const struct bi_op *op = bi_op_find(BI_ADD, add);
	struct bi_clause c = { .ntuples = 2 };

	memset(p, 0, sizeof(*p));
	if (op->message) {
		read.reg0 = GEN_ADDRESS;
		read.reg1 = GEN_ADDRESS + 1;
		h.message = op->message;
		h.sr = 6;
	}
	bi_ports_encode(&read, true, &c.tuples[0].regs);
	bi_ports_encode(&write, false, &c.tuples[1].regs);
	c.tuples[0].fma = fma;
	c.tuples[0].add = add;
	c.tuples[1].fma = NOP_FMA;
	c.tuples[1].add = NOP_ADD;
	c.header = bi_header_encode(&h);
	finish(p, &c);
}
