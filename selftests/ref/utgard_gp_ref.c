// SPDX-License-Identifier: GPL-2.0
/*
 * Reference model of the Utgard vertex processor.
 *
 * Sources: cwabbott0's notes on the instruction set, headers and disassembler of Mesa's lima
 * driver (positions of bits, numbers of operations, latencies). Gaps are filled as the
 * project's manual specifies. exp2 and log2 are the C library's.
 */
#include <math.h>
#include <string.h>

#include "utgard_gp_ref.h"

enum { ACC0, ACC1, MUL0, MUL1, PASS, COMPLEX, UNITS };

/* Pending write, visible from step @when on. */
struct write {
	unsigned int when;
	uint32_t *to;
	uint32_t value;
};

#define MAX_WRITES	64

/**
 * struct machine - vertex being processed
 * @w: the instruction
 * @v: the vertex
 * @reg: registers
 * @addr_bits: address registers, integers
 * @one: results of the last instruction
 * @two: results of the instruction before the last
 * @mul0_next: value of the first multiplier's result two instructions later
 * @port0: value of port 0
 * @port0_before: value of port 0 in the previous instruction
 * @port1: value of port 1
 * @load: the loaded row
 * @write: pending writes, in order
 */
struct machine {
	const uint32_t *w;
	struct ugr_vertex *v;
	uint32_t reg[16][4];
	uint32_t one[UNITS];
	uint32_t two[UNITS];
	uint32_t mul0_next;
	uint32_t port0[4];
	uint32_t port0_before[4];
	uint32_t port1[4];
	uint32_t load[4];
	uint32_t addr_bits[4];
	struct write write[MAX_WRITES];
	unsigned int nwrites;
};

static float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static uint32_t as_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return isnan(f) ? 0x7fc00000 : bits;
}

/* Bits @pos .. @pos + @n - 1 of the instruction. */
static uint32_t field(const struct machine *m, unsigned int pos, unsigned int n)
{
	uint64_t low = m->w[pos / 32];

	if (pos / 32 < 3)
		low |= (uint64_t)m->w[pos / 32 + 1] << 32;
	return low >> (pos % 32) & ((1u << n) - 1);
}

/* ---- operands ---- */

#define NOTHING		21
#define SPECIAL		22

static uint32_t source(const struct machine *m, uint32_t code)
{
	if (code < 4)
		return m->port0[code];
	if (code < 8)
		return m->port1[code - 4];
	if (code >= 12 && code < 16)
		return m->load[code - 12];
	switch (code) {
	case 16:
		return m->one[ACC0];
	case 17:
		return m->one[ACC1];
	case 18:
		return m->one[MUL0];
	case 19:
		return m->one[MUL1];
	case 20:
		return m->one[PASS];
	case SPECIAL:
		return m->one[COMPLEX];
	case 23:
		return m->two[PASS];
	case 24:
		return m->two[ACC0];
	case 25:
		return m->two[ACC1];
	case 26:
		return m->two[MUL0];
	case 27:
		return m->two[MUL1];
	default:
		return code >= 28 ? m->port0_before[code - 28] : 0;
	}
}

static uint32_t second(const struct machine *m, uint32_t code, float neutral)
{
	return code == SPECIAL ? as_bits(neutral) : source(m, code);
}

static uint32_t flip(uint32_t v, uint32_t negate)
{
	return negate ? v ^ 0x80000000 : v;
}

/* ---- units ---- */

/* -1: a < b, 0: equal, 1: a > b, with -0 below +0; neither is NaN. */
static int order(float a, float b)
{
	if (a == b)
		return !!signbit(b) - !!signbit(a);
	return a < b ? -1 : 1;
}

static uint32_t extreme(uint32_t a, uint32_t b, int which)
{
	float x = as_float(a), y = as_float(b);

	if (isnan(x))
		return as_bits(y);
	if (isnan(y))
		return as_bits(x);
	return order(x, y) == which ? a : b;
}

static uint32_t truth(bool t)
{
	return as_bits(t ? 1.0f : 0.0f);
}

static uint32_t add_unit(const struct machine *m, unsigned int n)
{
	uint32_t code_a = field(m, n ? 32 : 22, 5), code_b = field(m, n ? 37 : 27, 5);
	uint32_t neg_b = field(m, n ? 45 : 43, 1);
	uint32_t a = flip(source(m, code_a), field(m, n ? 44 : 42, 1));
	uint32_t b = flip(second(m, code_b, 0), neg_b);
	float x = as_float(a), y = as_float(b);

	if (code_a == NOTHING)
		return 0;
	switch (field(m, 83, 3)) {
	case 0:
		/* the way to move */
		if (code_b == SPECIAL && neg_b)
			return a;
		return as_bits(x + y);
	case 1:
		return as_bits(floorf(x));
	case 2:
		return as_bits(x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f);
	case 4:
		return truth(x >= y);
	case 5:
		return truth(x < y);
	case 6:
		return extreme(a, b, -1);
	default:
		return extreme(a, b, 1);
	}
}

static uint32_t product(const struct machine *m, unsigned int a, unsigned int b, uint32_t neg)
{
	uint32_t ca = field(m, a, 5), cb = field(m, b, 5), x;
	float r;

	if (ca == NOTHING && cb == NOTHING)
		return 0;
	x = source(m, ca);
	if (cb == SPECIAL)
		return flip(x, neg);
	r = as_float(x) * as_float(second(m, cb, 1));
	return as_bits(neg ? -r : r);
}

static void multiply(const struct machine *m, uint32_t *r, uint32_t *later)
{
	uint32_t op = field(m, 100, 3), a0 = field(m, 0, 5), b0 = field(m, 5, 5);
	bool used = a0 != NOTHING || b0 != NOTHING || field(m, 10, 5) != NOTHING ||
		    field(m, 15, 5) != NOTHING;

	r[MUL0] = 0;
	r[MUL1] = 0;
	if (op == 0)
		r[MUL0] = product(m, 0, 5, field(m, 20, 1));
	if (op == 0 || op == 3)
		r[MUL1] = product(m, 10, 15, field(m, 21, 1));
	if (op == 4 && used)
		r[MUL0] = as_float(second(m, b0, 1)) != 0 ? source(m, field(m, 10, 5)) :
							    source(m, a0);
	*later = op == 1 && used ? source(m, a0) : r[MUL0];
}

static uint32_t pass_unit(const struct machine *m)
{
	uint32_t code = field(m, 111, 5), v = source(m, code);

	if (code == NOTHING)
		return 0;
	if (field(m, 103, 3) == 6)
		return extreme(extreme(v, m->load[0], 1), m->load[1], -1);
	return v;
}

static uint32_t complex_function(const struct machine *m)
{
	uint32_t v = source(m, field(m, 106, 5));
	float x = as_float(v);

	switch (field(m, 86, 4)) {
	case 0:
	case 10:
		return 0;
	case 2:
		return as_bits(exp2f(x));
	case 3:
		return as_bits(log2f(x));
	case 4:
		return as_bits((float)(1.0 / sqrt((double)x)));
	case 5:
		return as_bits(1.0f / x);
	default:
		return v;
	}
}

/* ---- writes ---- */

static void later(struct machine *m, unsigned int delay, uint32_t *to, uint32_t value)
{
	m->write[m->nwrites++] = (struct write){ m->v->steps + delay, to, value };
}

static void arrive(struct machine *m)
{
	unsigned int i, n = 0;

	for (i = 0; i < m->nwrites; i++) {
		if (m->write[i].when <= m->v->steps)
			*m->write[i].to = m->write[i].value;
		else
			m->write[n++] = m->write[i];
	}
	m->nwrites = n;
}

/* Row number, stored as bits. */
static uint32_t row_number(uint32_t v)
{
	float x = as_float(v);

	if (isnan(x))
		return 0;
	if (x >= 2147483648.0f)
		return INT32_MAX;
	return x < -2147483648.0f ? (uint32_t)INT32_MIN : (uint32_t)(int32_t)truncf(x);
}

static void set_addresses(struct machine *m, const uint32_t *r)
{
	uint32_t op = field(m, 86, 4);

	if (op == 12)
		m->addr_bits[0] = row_number(r[COMPLEX]);
	else if (op > 12)
		later(m, 4, &m->addr_bits[op - 12], row_number(r[COMPLEX]));
	if (op != 10)
		return;
	m->addr_bits[0] = row_number(r[PASS]);
	later(m, 4, &m->addr_bits[1], row_number(r[PASS]));
}

static void store(struct machine *m, const uint32_t *r)
{
	static const int unit[8] = { ACC0, ACC1, MUL0, MUL1, PASS, -1, COMPLEX, -1 };
	uint32_t row = m->addr_bits[0], c, group, place;

	for (c = 0; c < 4; c++) {
		int u = unit[field(m, 71 + 3 * c, 3)];

		group = c / 2;
		place = field(m, group ? 95 : 90, 4);
		if (u < 0)
			continue;
		if (field(m, group ? 68 : 67, 1)) {
			if (row < UGR_ROWS)
				later(m, 4, &m->v->row[row][c], r[u]);
		} else if (field(m, group ? 99 : 94, 1)) {
			m->v->out[place][c] = r[u];
		} else {
			later(m, 3, &m->reg[place][c], r[u]);
		}
	}
}

/* ---- running ---- */

static void fetch(struct machine *m)
{
	uint32_t port0 = field(m, 58, 4), offset = field(m, 55, 3);
	int64_t row = field(m, 46, 9);

	memcpy(m->port0, field(m, 62, 1) ? m->v->attr[port0] : m->reg[port0],
	       sizeof(m->port0));
	memcpy(m->port1, m->reg[field(m, 63, 4)], sizeof(m->port1));
	if (offset >= 1 && offset <= 3)
		row += (int32_t)m->addr_bits[offset];
	memset(m->load, 0, sizeof(m->load));
	if (row >= 0 && row < UGR_ROWS)
		memcpy(m->load, m->v->row[row], sizeof(m->load));
}

/* Return: the next instruction. */
static unsigned int step(struct machine *m, unsigned int pc)
{
	uint32_t r[UNITS], next;

	arrive(m);
	fetch(m);
	r[ACC0] = add_unit(m, 0);
	r[ACC1] = add_unit(m, 1);
	multiply(m, r, &next);
	r[PASS] = pass_unit(m);
	r[COMPLEX] = complex_function(m);
	set_addresses(m, r);
	store(m, r);
	memcpy(m->two, m->one, sizeof(m->two));
	m->two[MUL0] = m->mul0_next;
	memcpy(m->one, r, sizeof(m->one));
	m->mul0_next = next;
	memcpy(m->port0_before, m->port0, sizeof(m->port0));
	m->v->steps++;
	if (field(m, 69, 1) && as_float(r[PASS]) != 0)
		return field(m, 120, 8) + (field(m, 70, 1) ? 0 : 256);
	return pc + 1;
}

enum ugr_status ugr_run(const uint32_t *words, unsigned int n, struct ugr_vertex *v,
			unsigned int budget)
{
	struct machine m = { .v = v };
	unsigned int pc = 0;

	v->steps = 0;
	while (pc < n) {
		if (v->steps >= budget)
			return UGR_BUDGET;
		m.w = words + 4 * pc;
		pc = step(&m, pc);
	}
	return UGR_ENDED;
}
