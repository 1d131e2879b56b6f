// SPDX-License-Identifier: GPL-2.0
/*
 * Random Midgard compute programs. What they do is defined: registers are written before
 * they are read, units of a stage write different registers, threads have memory of their
 * own, loops end.
 */
#include <string.h>

#include "mgen.h"

#define REGS		12	/* r0 to r11 are for results */
#define COUNTER		12	/* and the next one: of loops */
#define FIRST_UNIFORM	16
#define UNIFORMS	8
#define OWN		0x2000	/* threads' memory, after MJ_DATA */

struct gen {
	uint32_t state;
	unsigned int flags;
	unsigned int left;	/* bundles that may still come */
};

/* Numbers of operations; several times those that matter. */
struct op {
	uint8_t first, last;
	uint8_t units;		/* bit for each */
};

#define MUL	(1 << MC_VMUL | 1 << MC_SMUL)
#define ADD	(1 << MC_VADD | 1 << MC_SADD)
#define MOST	(MUL | ADD)
#define LUT	(1 << MC_VLUT)
#define VECTOR	(1 << MC_VMUL | 1 << MC_VADD)

static const struct op integers[] = {
	{ 0x40, 0x40, MOST }, { 0x41, 0x41, MUL }, { 0x46, 0x46, MOST }, { 0x47, 0x47, MUL },
	{ 0x48, 0x49, ADD }, { 0x4e, 0x4f, ADD }, { 0x58, 0x58, MUL }, { 0x60, 0x63, MOST },
	{ 0x64, 0x69, ADD }, { 0x6c, 0x6e, ADD }, { 0x70, 0x77, MOST }, { 0x78, 0x78, ADD },
	{ 0x7a, 0x7a, 1 << MC_VADD }, { 0x7b, 0x7b, MOST | LUT }, { 0x7c, 0x7d, ADD },
	{ 0x7e, 0x7e, 1 << MC_VADD },
	{ 0xa0, 0xa5, MOST }, { 0xa8, 0xad, VECTOR }, { 0xb0, 0xb5, VECTOR },
};

static const struct op floats[] = {
	{ 0x10, 0x13, ADD }, { 0x14, 0x17, MUL | LUT }, { 0x28, 0x2f, MOST },
	{ 0x30, 0x33, MOST | LUT }, { 0x34, 0x37, ADD }, { 0x38, 0x3b, LUT },
	{ 0x3c, 0x3c, 1 << MC_VMUL }, { 0x3e, 0x3e, 1 << MC_VMUL }, { 0x80, 0x83, MOST },
	{ 0x88, 0x8b, VECTOR }, { 0x90, 0x93, VECTOR }, { 0x98, 0x9f, ADD }, { 0xb8, 0xbf, ADD },
	{ 0xc6, 0xc6, ADD },
};

static const struct op functions[] = { { 0xf0, 0xf0, LUT }, { 0xf2, 0xf7, LUT } };

static uint32_t rnd(struct gen *g, uint32_t n)
{
	g->state ^= g->state << 13;
	g->state ^= g->state >> 17;
	g->state ^= g->state << 5;
	return (uint32_t)((uint64_t)g->state * n >> 32);
}

/* A word: small numbers, floats, anything. */
static uint32_t word(struct gen *g)
{
	static const uint32_t special[] = {
		0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000, 0x7f800000,
		0xff800000, 0x7fc00000, 0x80000001, 0x00800000, 0x3c003c00, 0x7c00fc00, 0x00018000,
		0x3ff00000, 0xbff00000, 0x7ff00000, 0x7ff80000, 0x43e00000, 0x7fefffff, 0x000fffff,
	};
	uint32_t v;

	/* each number in a statement of its own: compilers choose the order in an expression */
	switch (rnd(g, g->flags & MGEN_DOUBLES ? 5 : 4)) {
	case 4:
		/* upper halves of doubles near one */
		v = (uint32_t)rnd(g, 2) << 31;
		v |= (1020 + rnd(g, 8)) << 20;
		return v | rnd(g, 1 << 20);
	case 0:
		return special[rnd(g, sizeof(special) / sizeof(special[0]))];
	case 1:
		return rnd(g, 100);
	case 2:
		/* floats near one */
		v = (uint32_t)rnd(g, 2) << 31;
		v |= (120 + rnd(g, 16)) << 23;
		return v | rnd(g, 1 << 23);
	default:
		v = rnd(g, 0x10000) << 16;
		return v | rnd(g, 0x10000);
	}
}

static bool is_float(unsigned int op)
{
	return op < 0x40 || (op >= 0x80 && op < 0xa0) || op >= 0xc4;
}

static bool gives_float(unsigned int op)
{
	return op < 0x40 || (op >= 0xb8 && op < 0xc0) || op >= 0xc4;
}

static bool across(unsigned int op)
{
	return (op >= 0x3c && op <= 0x3e) || (op >= 0x88 && op <= 0x93) ||
		(op >= 0xa8 && op <= 0xb5);
}

static unsigned int pick_from(struct gen *g, const struct op *t, unsigned int n, unsigned int unit)
{
	unsigned int tries, i;

	for (tries = 0; tries < 100; tries++) {
		i = rnd(g, n);
		if (t[i].units >> unit & 1)
			return t[i].first + rnd(g, t[i].last - t[i].first + 1u);
	}
	return 0x7b;
}

static unsigned int pick_op(struct gen *g, unsigned int unit)
{
	if (unit == MC_VLUT && g->flags & MGEN_FUNCTIONS && rnd(g, 2))
		return pick_from(g, functions, 2, unit);
	if (g->flags & MGEN_FLOATS && rnd(g, 2))
		return pick_from(g, floats, sizeof(floats) / sizeof(floats[0]), unit);
	return pick_from(g, integers, sizeof(integers) / sizeof(integers[0]), unit);
}

/* Registers that a unit may read now, and those that are taken as destinations. */
struct place {
	bool second;		/* stage */
	bool whole;		/* r24 is there */
	bool constants;
	uint32_t taken;
};

static unsigned int source(struct gen *g, const struct place *p)
{
	if (p->second && p->whole && !rnd(g, 3))
		return MC_R24;
	if (p->constants && !rnd(g, 4))
		return MC_CONST;
	return rnd(g, 3) ? rnd(g, REGS) : FIRST_UNIFORM + rnd(g, UNIFORMS);
}

static unsigned int destination(struct gen *g, struct place *p)
{
	unsigned int r;

	do {
		r = rnd(g, REGS);
	} while (p->taken >> r & 1);
	p->taken |= 1u << r;
	return r;
}

static unsigned int mode_of(struct gen *g, unsigned int op)
{
	unsigned int mode;

	if (g->flags & MGEN_DOUBLES && !across(op) && op < 0xf0 && rnd(g, 4))
		return 3;
	if (!(g->flags & MGEN_WIDTHS) || rnd(g, 2))
		return 2;
	mode = rnd(g, 4);
	if (across(op) || op >= 0xf0)
		return 1 + (mode & 1);
	return mode || (!is_float(op) && !gives_float(op)) ? mode : 1;
}

static uint32_t vector_source(struct gen *g, unsigned int op, unsigned int mode)
{
	static const uint8_t expands[4][4] = { { 0, 1, 2, 3 }, { 0, 1, 2, 3 }, { 0, 0, 4, 5 },
					       { 0, 0, 4, 5 } };
	static const uint8_t pairs[4] = { 0x44, 0x4e, 0xe4, 0xee };
	unsigned int expand = expands[mode][rnd(g, 4)], swizzle = rnd(g, 256);

	/* widened bytes, which only integers can be */
	if (mode == 1 && !is_float(op) && !rnd(g, 3))
		expand = 4 + rnd(g, 4);
	if (mode == 3)
		swizzle = pairs[rnd(g, 4)];
	return mc_vsrc(is_float(op) || expand >= 4 ? rnd(g, 4) : 0, expand, swizzle);
}

/* Bits for whole elements, one if the operation has one result. */
static unsigned int vector_mask(struct gen *g, unsigned int op, unsigned int mode)
{
	static const uint8_t per[4] = { 1, 1, 2, 4 };
	unsigned int n = 8 / per[mode], i, mask = 0, only = rnd(g, n);
	bool one = across(op) || op >= 0xf0;

	for (i = 0; i < n; i++)
		if (one ? i == only : rnd(g, 3) || i == only)
			mask |= ((1u << per[mode]) - 1) << (i * per[mode]);
	return mask;
}

static unsigned int outmod(struct gen *g, unsigned int op, bool shrink)
{
	if (gives_float(op))
		return rnd(g, 2) ? rnd(g, 4) : 0;
	return shrink ? rnd(g, 4) : 2;
}

static void vector(struct gen *g, struct mc_alu *a, unsigned int unit, unsigned int op,
		   unsigned int mode, unsigned int dest, struct place *p)
{
	bool can_shrink = mode && (mode > 1 || !gives_float(op)) && dest < REGS;
	unsigned int shrink = can_shrink && !rnd(g, 6) ? rnd(g, 2) : 2, mask;
	unsigned int r1 = source(g, p), r2 = source(g, p);
	uint32_t s1, s2;
	uint16_t imm;

	mask = dest < REGS ? vector_mask(g, op, mode) : 0xff;
	s1 = vector_source(g, op, mode);
	s2 = vector_source(g, op, mode);
	if (rnd(g, 6)) {
		mc_unit(a, unit, mc_regs(r1, r2, dest),
			mc_vec(op, mode, s1, s2, shrink, outmod(g, op, shrink != 2), mask));
		return;
	}
	imm = (uint16_t)word(g);
	mc_unit(a, unit, mc_regs_imm(r1, imm, dest),
		mc_vec(op, mode, s1, mc_vimm(imm), shrink, outmod(g, op, shrink != 2), mask));
}

static uint32_t scalar_source(struct gen *g, unsigned int op)
{
	bool full = rnd(g, 4);
	unsigned int comp = full ? 2 * rnd(g, 4) : rnd(g, 8);

	return mc_ssrc(is_float(op) || !full ? rnd(g, 4) : 0, full, comp);
}

static void scalar(struct gen *g, struct mc_alu *a, unsigned int unit, unsigned int op,
		   unsigned int dest, struct place *p)
{
	unsigned int r1 = source(g, p), r2 = source(g, p), comp;
	bool full = rnd(g, 5);
	uint32_t s1 = scalar_source(g, op), s2 = scalar_source(g, op);
	uint16_t imm;

	comp = full ? 2 * rnd(g, 4) : rnd(g, 8);
	if (rnd(g, 6)) {
		mc_unit(a, unit, mc_regs(r1, r2, dest),
			mc_sca(op, s1, s2, outmod(g, op, !full), full, comp));
		return;
	}
	imm = (uint16_t)word(g);
	mc_unit(a, unit, mc_regs_imm(r1, imm, dest),
		mc_sca(op, s1, mc_simm(imm), outmod(g, op, !full), full, comp));
}

/* Operations across lanes and selects bit by bit are not for scalar units. */
static void unit(struct gen *g, struct mc_alu *a, unsigned int u, struct place *p)
{
	bool is_scalar = u == MC_SADD || u == MC_SMUL;
	unsigned int op, mode, dest = destination(g, p);

	do {
		op = pick_op(g, u);
	} while (is_scalar && across(op));
	if (is_scalar) {
		scalar(g, a, u, op, dest, p);
		return;
	}
	mode = mode_of(g, op);
	if (u == MC_VMUL && !across(op) && op < 0xf0 && !rnd(g, 3)) {
		dest = MC_R24;
		p->whole = true;
	}
	vector(g, a, u, op, mode, dest, p);
}

/* A comparison into r31 and a select of either form. */
static void select_bundle(struct gen *g, struct mcode *c)
{
	struct place p = { 0 };
	struct mc_alu a = { 0 };
	unsigned int op = rnd(g, 2) && g->flags & MGEN_FLOATS ? 0x80 + rnd(g, 4) : 0xa0 + rnd(g, 6);

	vector(g, &a, MC_VMUL, op, 2, MC_R31, &p);
	p.second = true;
	vector(g, &a, MC_VADD, (g->flags & MGEN_FLOATS && rnd(g, 2) ? 0xc4 : 0xc0) + rnd(g, 2), 2,
	       destination(g, &p), &p);
	if (rnd(g, 2))
		scalar(g, &a, MC_SMUL,
		       (g->flags & MGEN_FLOATS && rnd(g, 2) ? 0xc4 : 0xc0) + rnd(g, 2),
		       destination(g, &p), &p);
	mc_alu(c, &a);
}

static void alu_bundle(struct gen *g, struct mcode *c)
{
	struct mc_alu a = { .has_constants = !rnd(g, 3) };
	struct place p = { .constants = a.has_constants };
	unsigned int i, n = 0;

	for (i = 0; i < 4; i++)
		a.constants[i] = word(g);
	for (i = 0; i < 5; i++) {
		p.second = i >= MC_VADD;
		if (rnd(g, 2) || (i == 4 && !n)) {
			unit(g, &a, i, &p);
			n++;
		}
	}
	mc_alu(c, &a);
}

/* r26 = a register, r27 = address of the data. */
static void arguments(struct mcode *c, unsigned int reg)
{
	struct mc_alu a = { 0 };

	mc_move(&a, MC_VMUL, reg, MC_AL0);
	mc_move(&a, MC_VLUT, 23, MC_AL1);
	mc_alu(c, &a);
}

static struct mc_ls own_address(struct gen *g)
{
	struct mc_ls o = { .swizzle = rnd(g, 256), .arg_reg = 1, .toggle = true, .index_format = 2,
			   .index_reg = 4, .shift = 8, .offset = OWN + 16 * (int)rnd(g, 15) };

	return o;
}

static void memory_bundles(struct gen *g, struct mcode *c)
{
	static const uint8_t forms[] = {
		0, 1, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19,
	};
	struct mc_ls o = own_address(g), second = MC_NOP_LS;

	arguments(c, rnd(g, REGS));
	o.mask = 1 + rnd(g, 15);
	o.op = forms[rnd(g, sizeof(forms))];
	switch (rnd(g, 4)) {
	case 0:
		o.op += 0x80;
		o.reg = rnd(g, REGS);
		o.offset += (int)rnd(g, 4);
		break;
	case 1:
		o.op += 0xc0;
		o.offset += 4 * (int)rnd(g, 4);
		break;
	case 2:
		/* atomics of 32 and 64 bits, but exchange on a condition */
		o.op = 0x40 + rnd(g, 0x24);
		o.reg = rnd(g, REGS);
		o.swizzle = 2 * rnd(g, 2);
		break;
	default:
		second = MC_LS(.op = 0x10, .reg = rnd(g, REGS), .mask = 15, .swizzle = rnd(g, 256),
			       .arg_reg = 4 + rnd(g, 4));
		o = MC_LS(.op = 0xa8 + 4 * rnd(g, 3), .mask = 15, .swizzle = rnd(g, 256),
			  .index_reg = 7, .offset = 16 * (int)rnd(g, 16) << 2);
		do {
			o.reg = rnd(g, REGS);
		} while (o.reg == second.reg);
	}
	mc_ldst(c, o, second);
}

/* Each thread's register to the group's memory, and that of another one from there. */
static void shared_bundles(struct gen *g, struct mcode *c)
{
	static const uint32_t barrier[4] = { 4 | 11 << 8 | 3 << 16 };
	unsigned int other = 1u << rnd(g, 4);
	struct mc_alu a = { 0 };

	arguments(c, rnd(g, REGS));
	mc_ldst(c, MC_LS(.op = 0xd0, .mask = 15, .swizzle = MC_XYZW, .arg_reg = 3, .arg_comp = 2,
			 .toggle = true, .index_format = 2, .index_reg = 4, .shift = 4), MC_NOP_LS);
	mc_quad(c, barrier);
	/* r12.x = id ^ other; r26 is it */
	mc_ldst(c, MC_LS(.op = 0x10, .reg = COUNTER, .mask = 15, .swizzle = MC_XYZW, .arg_reg = 4),
		MC_NOP_LS);
	mc_unit(&a, MC_SADD, mc_regs_imm(COUNTER, (uint16_t)other, MC_AL0),
		mc_sca(0x76, mc_ssrc(0, true, 0), mc_simm((uint16_t)other), 2, true, 0));
	mc_alu(c, &a);
	mc_ldst(c, MC_LS(.op = 0x90, .reg = rnd(g, REGS), .mask = 15, .swizzle = MC_XYZW,
			 .arg_reg = 3, .arg_comp = 2, .toggle = true, .index_format = 2,
			 .index_reg = 0, .shift = 4), MC_NOP_LS);
	mc_quad(c, barrier);
}

/* The bundles of one program after those of another one. */
static void append(struct mcode *c, const struct mcode *body)
{
	unsigned int at, tag, i;
	uint32_t w[16];

	for (at = 0; at < body->n; at += 4 * i) {
		tag = body->w[at] & 15;
		i = tag >= 8 ? (tag & 3) + 1 : 1;
		memcpy(w, body->w + at, 16 * i);
		mc_bundle(c, w, i);
	}
}

static void set(struct mcode *c, unsigned int reg, uint16_t v)
{
	struct mc_alu a = { 0 };

	mc_unit(&a, MC_VMUL, mc_regs_imm(MC_R24, v, reg),
		mc_vec(0x7b, 2, 0, mc_vimm(v), 2, 2, 0xff));
	mc_alu(c, &a);
}

static void body(struct gen *g, struct mcode *c, unsigned int depth);

/* Over some bundles, to one of a known kind. */
static void skip(struct gen *g, struct mcode *c, unsigned int depth)
{
	struct mc_alu a = { 0 };
	struct place p = { 0 };
	struct mcode inner;
	unsigned int lut = rnd(g, 2) ? 0xaaaa : 0x5555;
	int n;

	mc_start(&inner);
	body(g, &inner, depth + 1);
	n = (int)inner.n / 4;
	vector(g, &a, MC_VMUL, 0xa0 + rnd(g, 6), 2, MC_R31, &p);
	if (n < 64 && rnd(g, 2)) {
		a.has_compact = true;
		a.compact = mc_compact(2, 8, n, lut & 3);
	} else {
		a.has_extended = true;
		a.extended = mc_extended(2, 8, 0, n, lut);
	}
	mc_alu(c, &a);
	append(c, &inner);
	set(c, rnd(g, REGS), (uint16_t)word(g));
}

/* Two to four times. */
static void loop(struct gen *g, struct mcode *c, unsigned int depth)
{
	unsigned int counter = COUNTER + 1 + depth;
	struct mc_alu a = { .has_extended = true };
	uint16_t times = (uint16_t)(2 + rnd(g, 3));
	struct mcode inner;

	set(c, counter, 0);
	mc_start(&inner);
	body(g, &inner, depth + 1);
	append(c, &inner);
	mc_unit(&a, MC_SADD, mc_regs_imm(counter, 1, counter),
		mc_sca(0x40, mc_ssrc(0, true, 0), mc_simm(1), 2, true, 0));
	mc_unit(&a, MC_SMUL, mc_regs_imm(counter, times, MC_R31),
		mc_sca(0xa4, mc_ssrc(0, true, 0), mc_simm(times), 2, true, 6));
	/* the condition is of the second stage: r31 is written before the branch */
	a.extended = mc_extended(2, inner.first_tag, 0, -(int)(inner.n / 4 + 2), 0xaaaa);
	mc_alu(c, &a);
}

static void body(struct gen *g, struct mcode *c, unsigned int depth)
{
	unsigned int n = 2 + rnd(g, depth ? 4 : 30);

	while (n-- && g->left) {
		g->left--;
		switch (rnd(g, 12)) {
		case 0:
			if (g->flags & MGEN_FLOW && depth < 2) {
				skip(g, c, depth);
				continue;
			}
			break;
		case 1:
			if (g->flags & MGEN_FLOW && depth < 2) {
				loop(g, c, depth);
				continue;
			}
			break;
		case 2:
		case 3:
			if (g->flags & MGEN_MEMORY) {
				memory_bundles(g, c);
				continue;
			}
			break;
		case 4:
			if (g->flags & MGEN_SHARED && !depth) {
				shared_bundles(g, c);
				continue;
			}
			break;
		case 5:
			select_bundle(g, c);
			continue;
		}
		alu_bundle(g, c);
	}
	if (!c->n)
		alu_bundle(g, c);
}

void mgen_job(struct mjob *j, struct mcode *c, uint32_t seed, unsigned int flags)
{
	struct gen g = { seed * 2654435761u ^ 0x9e3779b9u, flags, 60 };
	struct mc_alu a = { 0 };
	unsigned int i, k;

	if (!g.state)
		g.state = 1;
	j->local[0] = MGEN_THREADS;
	j->uniforms = UNIFORMS;
	j->wls = 16 * MGEN_THREADS;
	j->ubos = 1;
	for (i = 1; i < UNIFORMS; i++)
		for (k = 0; k < 4; k++)
			mj_push(j, i, k, word(&g));
	mj_push(j, 0, 2, word(&g));
	mj_push(j, 0, 3, word(&g));
	mj_w64(j, MJ_UBOS, MJ_TEXELS << 8 | 15);
	for (i = 0; i < 256; i += 4)
		mj_w32(j, MJ_TEXELS + i, word(&g));
	for (i = 0; i < 256 * MGEN_THREADS; i += 4)
		mj_w32(j, MJ_DATA + OWN + i, word(&g));
	mc_start(c);
	for (i = 0; i < REGS; i++) {
		memset(&a, 0, sizeof(a));
		mc_move(&a, MC_VMUL, FIRST_UNIFORM + (i % UNIFORMS), i);
		mc_alu(c, &a);
	}
	/* ids make threads different */
	mc_ldst(c, MC_LS(.op = 0x10, .reg = rnd(&g, REGS), .mask = 15, .swizzle = MC_X,
			 .arg_reg = 4), MC_NOP_LS);
	body(&g, c, 0);
	for (i = 0; i < REGS; i++)
		mc_store(c, i, 16 * i, 8);
}
