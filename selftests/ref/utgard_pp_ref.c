// SPDX-License-Identifier: GPL-2.0
/*
 * Reference model of the Utgard pixel processor.
 *
 * Sources: cwabbott0's notes on the instruction set, headers and disassembler of Mesa's
 * lima driver (positions of bits, numbers of operations). Gaps are filled as the project's
 * manual specifies. exp2, log2, sin, cos and atan are the C library's.
 */
#include <math.h>
#include <string.h>

#include "utgard_pp_ref.h"

enum {
	VARYING, SAMPLER, UNIFORM, VMUL, SMUL, VADD, SADD, COMBINE, TEMP, BRANCH, CONST0,
	CONST1, FIELDS
};

static const unsigned char field_bits[FIELDS] = { 34, 62, 41, 43, 30, 44, 31, 30, 41, 73, 64, 64 };

/**
 * struct lane - fragment within an instruction
 * @f: the fragment
 * @pc: program counter, words
 * @ended: its program has ended
 * @in: result of the varying field
 * @tex: the texel
 * @uni: the uniform or temporary
 * @vmul: result of the vector multiplier
 * @smul: result of the scalar multiplier
 */
struct lane {
	struct upr_fragment *f;
	unsigned int pc;
	bool ended;
	uint32_t in[4];
	uint32_t tex[4];
	uint32_t uni[4];
	uint32_t vmul[4];
	uint32_t smul;
};

struct group {
	struct upr_group *g;
	const uint32_t *w;
	unsigned int at[FIELDS];
	struct lane lane[4];
};

static float fl(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static uint32_t bits_of(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return isnan(f) ? 0x7fc00000 : bits;
}

/* To the nearest half, which a float holds; a subnormal one is a zero of its sign. */
static uint32_t keep(const struct group *q, uint32_t v)
{
	double x = fl(v), unit;

	if (q->g->fp32)
		return v;
	if (!isfinite(x) || x == 0)
		return bits_of((float)x);
	if (fabs(x) >= 65520)
		return bits_of(copysignf(INFINITY, (float)x));
	unit = ldexp(1, (ilogb(x) < -14 ? -14 : ilogb(x)) - 10);
	unit *= nearbyint(fabs(x) / unit);
	return bits_of((float)copysign(unit < 1.0 / 16384 ? 0 : unit, x));
}

static uint32_t from_half(uint32_t h)
{
	uint32_t e = h >> 10 & 31, m = h & 1023;
	double v = e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);

	if (e == 31)
		v = m ? NAN : INFINITY;
	return bits_of((float)(h & 0x8000 ? -v : v));
}

/* Bits of a field. */
static uint32_t get(const struct group *q, int field, unsigned int pos, unsigned int n)
{
	uint32_t v = 0;
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		k = q->at[field] + pos + i;
		v |= (q->w[k / 32] >> (k % 32) & 1) << i;
	}
	return v;
}

static bool has(const struct group *q, int field)
{
	return q->w[0] >> (7 + field) & 1;
}

/* ---- operands ---- */

static uint32_t reg(const struct group *q, const struct lane *l, uint32_t r, uint32_t c)
{
	if (r < 6)
		return l->f->reg[r][c];
	if (r == 12 || r == 13)
		return from_half(get(q, r == 12 ? CONST0 : CONST1, 16 * c, 16));
	return r == 14 ? l->tex[c] : r == 15 ? l->uni[c] : 0;
}

static uint32_t modified(uint32_t v, uint32_t absolute, uint32_t negate)
{
	if (absolute)
		v &= 0x7fffffff;
	return negate ? v ^ 0x80000000 : v;
}

static int64_t whole(uint32_t v)
{
	double x = trunc(fl(v));

	if (isnan(x))
		return 0;
	return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int64_t)x;
}

static int64_t lane_offset(const struct group *q, const struct lane *l, uint32_t n)
{
	return whole(reg(q, l, n >> 2, n & 3));
}

/* ---- operations ---- */

static int rank(float a, float b)
{
	if (a == b)
		return !!signbit(b) - !!signbit(a);
	return a < b ? -1 : 1;
}

static uint32_t extreme(uint32_t a, uint32_t b, int which)
{
	if (isnan(fl(a)))
		return bits_of(fl(b));
	if (isnan(fl(b)))
		return bits_of(fl(a));
	return rank(fl(a), fl(b)) == which ? a : b;
}

static uint32_t truth(bool t)
{
	return t ? 0x3f800000 : 0;
}

static uint32_t result(const struct group *q, uint32_t v, uint32_t modifier)
{
	if (modifier == 1 || modifier == 2)
		v = extreme(v, 0, 1);
	if (modifier == 1)
		v = extreme(v, 0x3f800000, -1);
	if (modifier == 3)
		v = bits_of(truncf(fl(v)));
	return keep(q, v);
}

static uint32_t multiply(uint32_t op, uint32_t a, uint32_t b)
{
	float x = fl(a), y = fl(b);

	switch (op) {
	case 8:
		return truth(x == 0);
	case 9:
		return truth(x != 0 && y != 0);
	case 10:
		return truth(x != 0 || y != 0);
	case 11:
		return truth((x != 0) != (y != 0));
	case 12:
		return truth(x != y);
	case 13:
		return truth(x > y);
	case 14:
		return truth(x >= y);
	case 15:
		return truth(x == y);
	case 16:
		return extreme(a, b, -1);
	case 17:
		return extreme(a, b, 1);
	case 31:
		return a;
	default:
		x = x * y;
		if (op)
			x = x * ldexpf(1, op < 4 ? (int)op : (int)op - 8);
		return bits_of(x);
	}
}

static uint32_t add(uint32_t op, uint32_t a, uint32_t b, uint32_t condition)
{
	float x = fl(a), y = fl(b);

	switch (op) {
	case 0:
		return bits_of(x + y);
	case 4:
		return bits_of(x - floorf(x));
	case 8:
		return truth(x != y);
	case 9:
		return truth(x > y);
	case 10:
		return truth(x >= y);
	case 11:
		return truth(x == y);
	case 12:
		return bits_of(floorf(x));
	case 13:
		return bits_of(ceilf(x));
	case 14:
		return extreme(a, b, -1);
	case 15:
		return extreme(a, b, 1);
	case 23:
		return fl(condition) != 0 ? a : b;
	default:
		return a;
	}
}

static uint32_t function(uint32_t op, uint32_t a)
{
	float x = fl(a);

	switch (op) {
	case 0:
		return bits_of(1 / x);
	case 2:
		return bits_of(sqrtf(x));
	case 3:
		return bits_of((float)(1 / sqrt((double)x)));
	case 4:
		return bits_of(exp2f(x));
	case 5:
		return bits_of(log2f(x));
	case 6:
		return bits_of((float)sin(2 * M_PI * x));
	case 7:
		return bits_of((float)cos(2 * M_PI * x));
	default:
		return a;
	}
}

static void write(struct lane *l, uint32_t r, uint32_t mask, const uint32_t v[4])
{
	unsigned int i;

	for (i = 0; i < 4 && r < 6; i++)
		if (mask >> i & 1)
			l->f->reg[r][i] = v[i];
}

/* ---- fields ---- */

static void fetch(const struct group *q, struct lane *l, uint32_t v[4])
{
	uint32_t size = get(q, VARYING, 5, 2) + 1, off = get(q, VARYING, 10, 4), i;
	uint32_t first = get(q, VARYING, 18, 6) * size;
	int64_t row = first / 4;

	if (off != 15)
		row = (int32_t)(row + lane_offset(q, l, 4 * off + get(q, VARYING, 16, 2)));
	for (i = 0; i < 4; i++)
		v[i] = row >= 0 && row < 12 ? l->f->var[row][first % 4 + i % size] : 0;
}

static void fetch_reg(const struct group *q, struct lane *l, uint32_t v[4])
{
	uint32_t i;

	for (i = 0; i < 4; i++)
		v[i] = modified(reg(q, l, get(q, VARYING, 10, 4), get(q, VARYING, 16 + 2 * i, 2)),
				get(q, VARYING, 15, 1), get(q, VARYING, 14, 1));
}

static void varying(const struct group *q, struct lane *l)
{
	uint32_t kind = get(q, VARYING, 0, 2), source = get(q, VARYING, 2, 2), i;
	uint32_t v[4] = { 0 };
	float by;

	if (source == 0 || (source == 2 && kind == 0))
		fetch(q, l, v);
	else if (source == 1 || (source == 2 && kind < 3))
		fetch_reg(q, l, v);
	else if (source == 2)
		memcpy(v, l->f->coord, sizeof(v));
	else if (!kind)
		memcpy(v, l->f->point, sizeof(l->f->point));
	for (i = 0; i < 4 && source == 3 && kind; i++)
		v[i] = l->f->facing;
	if (source < 2 && kind > 1) {
		by = 1 / fl(v[kind]);
		for (i = 0; i < 4; i++)
			v[i] = bits_of(fl(v[i]) * by);
	}
	if (source == 2 && kind == 2) {
		by = fl(v[0]) * fl(v[0]);
		by += fl(v[1]) * fl(v[1]);
		by += fl(v[2]) * fl(v[2]);
		by = fl(function(3, bits_of(by)));
		for (i = 0; i < 3; i++)
			v[i] = bits_of(fl(v[i]) * by);
	}
	for (i = 0; i < 4 && get(q, VARYING, 24, 4) != 15; i++)
		v[i] = keep(q, v[i]);
	memcpy(l->in, v, sizeof(v));
	write(l, get(q, VARYING, 24, 4), get(q, VARYING, 28, 4), v);
}

static void sampler(const struct group *q, struct lane *l)
{
	uint32_t lod = get(q, SAMPLER, 0, 6), unit = get(q, SAMPLER, 30, 12), in[4], i;

	if (get(q, SAMPLER, 29, 1))
		unit += (uint32_t)lane_offset(q, l, get(q, SAMPLER, 6, 6));
	memcpy(in, l->in, sizeof(in));
	in[3] = get(q, SAMPLER, 18, 1) ? reg(q, l, lod >> 2, lod & 3) : 0;
	q->g->texture(unit, get(q, SAMPLER, 24, 5), in, l->tex);
	for (i = 0; i < 4; i++)
		l->tex[i] = keep(q, l->tex[i]);
}

/* First component that a load or store means; negative: none. */
static int64_t place(const struct group *q, const struct lane *l, int field, bool temp)
{
	int32_t index = (int16_t)get(q, field, 25, 16), size = 1 << get(q, field, 10, 2);
	int64_t at = index, n = (int64_t)q->g->ntemps * 4 / size;

	if (get(q, field, 24, 1))
		at = (int32_t)(at + lane_offset(q, l, get(q, field, 18, 6)));
	if (temp && index < 0)
		at = (int32_t)(at + n);
	if (at < 0 || (temp && at >= n))
		return -1;
	return at * size;
}

static void uniform(const struct group *q, struct lane *l)
{
	bool temp = get(q, UNIFORM, 0, 2) == 3;
	int64_t at = place(q, l, UNIFORM, temp), k;
	uint32_t size = 1u << get(q, UNIFORM, 10, 2), i;

	for (i = 0; i < 4; i++) {
		k = at + i % size;
		l->uni[i] = 0;
		if (at >= 0 && temp)
			l->uni[i] = l->f->temp[k / 4][k % 4];
		else if (at >= 0 && k < q->g->nhalves)
			l->uni[i] = from_half(q->g->half[k]);
	}
}

static void multipliers(const struct group *q, struct lane *l)
{
	uint32_t i, a, b, s[4], d = get(q, SMUL, 16, 6);

	for (i = 0; i < 4 && has(q, VMUL); i++) {
		a = modified(reg(q, l, get(q, VMUL, 0, 4), get(q, VMUL, 4 + 2 * i, 2)),
			     get(q, VMUL, 12, 1), get(q, VMUL, 13, 1));
		b = modified(reg(q, l, get(q, VMUL, 14, 4), get(q, VMUL, 18 + 2 * i, 2)),
			     get(q, VMUL, 26, 1), get(q, VMUL, 27, 1));
		l->vmul[i] = result(q, multiply(get(q, VMUL, 38, 5), a, b), get(q, VMUL, 36, 2));
	}
	if (has(q, SMUL)) {
		a = get(q, SMUL, 0, 6);
		b = get(q, SMUL, 8, 6);
		a = modified(reg(q, l, a >> 2, a & 3), get(q, SMUL, 6, 1), get(q, SMUL, 7, 1));
		b = modified(reg(q, l, b >> 2, b & 3), get(q, SMUL, 14, 1), get(q, SMUL, 15, 1));
		l->smul = result(q, multiply(get(q, SMUL, 25, 5), a, b), get(q, SMUL, 23, 2));
	}
	if (has(q, VMUL))
		write(l, get(q, VMUL, 28, 4), get(q, VMUL, 32, 4), l->vmul);
	for (i = 0; i < 4; i++)
		s[i] = l->smul;
	if (has(q, SMUL) && get(q, SMUL, 22, 1))
		write(l, d >> 2, 1u << (d & 3), s);
}

/* Operand @n, component @c, of the vector adder. */
static uint32_t vadd_operand(const struct group *q, const struct lane *l, int n, uint32_t c)
{
	unsigned int at = n ? 14 : 0;
	uint32_t from = get(q, VADD, at + 4 + 2 * c, 2);
	uint32_t v = !n && get(q, VADD, 43, 1) ? l->vmul[from] :
						 reg(q, l, get(q, VADD, at, 4), from);

	return modified(v, get(q, VADD, at + 12, 1), get(q, VADD, at + 13, 1));
}

static uint32_t sadd_operand(const struct group *q, const struct lane *l, int n)
{
	unsigned int at = n ? 8 : 0;
	uint32_t from = get(q, SADD, at, 6);
	uint32_t v = !n && get(q, SADD, 30, 1) ? l->smul : reg(q, l, from >> 2, from & 3);

	return modified(v, get(q, SADD, at + 6, 1), get(q, SADD, at + 7, 1));
}

/* Adder results of fragment @n; derivatives read the other fragments' operands. */
static uint32_t vadd_result(const struct group *q, int n, uint32_t c)
{
	uint32_t op = get(q, VADD, 38, 5), bit = op == 20 ? 1 : 2, i;
	const struct lane *l = &q->lane[n];
	float x;

	if (op == 20 || op == 21)
		return bits_of(fl(vadd_operand(q, &q->lane[n | bit], 0, c)) +
			       fl(vadd_operand(q, &q->lane[n & ~bit], 1, c)));
	if (op != 16 && op != 17)
		return add(op, vadd_operand(q, l, 0, c), vadd_operand(q, l, 1, c), l->smul);
	x = fl(vadd_operand(q, l, 0, 0));
	for (i = 1; i < op - 13; i++)
		x = fl(keep(q, bits_of(x + fl(vadd_operand(q, l, 0, i)))));
	return bits_of(x);
}

static uint32_t sadd_result(const struct group *q, int n)
{
	uint32_t op = get(q, SADD, 25, 5), bit = op == 20 ? 1 : 2;
	const struct lane *l = &q->lane[n];

	if (op == 20 || op == 21)
		return bits_of(fl(sadd_operand(q, &q->lane[n | bit], 0)) +
			       fl(sadd_operand(q, &q->lane[n & ~bit], 1)));
	return add(op, sadd_operand(q, l, 0), sadd_operand(q, l, 1), l->smul);
}

/* All fragments compute before one writes. */
static void adders(struct group *q, const bool run[4])
{
	uint32_t v[4][4] = { 0 }, s[4][4] = { 0 }, d = get(q, SADD, 16, 6), c;
	int n;

	for (n = 0; n < 4; n++) {
		for (c = 0; c < 4 && has(q, VADD); c++)
			v[n][c] = result(q, vadd_result(q, n, c), get(q, VADD, 36, 2));
		for (c = 0; c < 4 && has(q, SADD); c++)
			s[n][c] = result(q, sadd_result(q, n), get(q, SADD, 23, 2));
	}
	for (n = 0; n < 4; n++) {
		if (run[n] && has(q, VADD))
			write(&q->lane[n], get(q, VADD, 28, 4), get(q, VADD, 32, 4), v[n]);
		if (run[n] && has(q, SADD) && get(q, SADD, 22, 1))
			write(&q->lane[n], d >> 2, 1u << (d & 3), s[n]);
	}
}

/* Operand of the combiner: where its lane is, where its modifiers are. */
static uint32_t scalar_of(const struct group *q, const struct lane *l, unsigned int at,
			  unsigned int modifiers)
{
	uint32_t n = get(q, COMBINE, at, 6);

	return modified(reg(q, l, n >> 2, n & 3), get(q, COMBINE, modifiers, 1),
			get(q, COMBINE, modifiers + 1, 1));
}

/* First step: ratio in two parts, quarter turns with the sign of y. */
static void atan_start(const struct group *q, struct lane *l)
{
	uint32_t y = scalar_of(q, l, 16, 14), x = 0x3f800000, v[4] = { 0, 0, 0, 0 }, i;
	bool two = get(q, COMBINE, 2, 4) == 9, steep;

	if (two)
		x = scalar_of(q, l, 8, 6);
	steep = fabsf(fl(y)) > fabsf(fl(x));
	v[0] = steep ? x : y;
	v[1] = 0x3f800000;
	if (two && (fl(x) != 0 || fl(y) != 0))
		v[1] = bits_of(1 / fl(steep ? y : x));
	if (!two && steep)
		v[0] = bits_of(1 / fl(y));
	v[2] = (steep ? 0x3f800000 : x >> 31 ? 0x40000000 : 0) | (y & 0x80000000);
	for (i = 0; i < 4; i++)
		v[i] = keep(q, v[i]);
	write(l, get(q, COMBINE, 26, 4), get(q, COMBINE, 22, 4), v);
}

static void atan_end(const struct group *q, struct lane *l)
{
	uint32_t r = get(q, COMBINE, 10, 4), d = get(q, COMBINE, 24, 6), v[4], i;
	double ratio = fl(reg(q, l, r, get(q, COMBINE, 2, 2)));
	double turns = fl(reg(q, l, r, get(q, COMBINE, 6, 2)));
	double a = atan(ratio);

	if (fabs(turns) == 1)
		a = -a;
	v[0] = result(q, bits_of((float)(a + turns * M_PI / 2)), get(q, COMBINE, 22, 2));
	for (i = 1; i < 4; i++)
		v[i] = v[0];
	write(l, d >> 2, 1u << (d & 3), v);
}

static void combine(const struct group *q, struct lane *l)
{
	uint32_t n = get(q, COMBINE, 16, 6), v[4], i;
	uint32_t a = modified(reg(q, l, n >> 2, n & 3), get(q, COMBINE, 14, 1),
			      get(q, COMBINE, 15, 1));

	switch (get(q, COMBINE, 0, 2)) {
	case 1:
		atan_start(q, l);
		return;
	case 2:
		atan_end(q, l);
		return;
	case 3:
		for (i = 0; i < 4; i++)
			v[i] = keep(q, multiply(0, a, reg(q, l, get(q, COMBINE, 10, 4),
							  get(q, COMBINE, 2 + 2 * i, 2))));
		write(l, get(q, COMBINE, 26, 4), get(q, COMBINE, 22, 4), v);
		return;
	default:
		break;
	}
	a = result(q, function(get(q, COMBINE, 2, 4), a), get(q, COMBINE, 22, 2));
	for (i = 0; i < 4; i++)
		v[i] = a;
	n = get(q, COMBINE, 24, 6);
	write(l, n >> 2, 1u << (n & 3), v);
}

/* Color, or depth as one component. */
static void frame_buffer(const struct group *q, struct lane *l)
{
	bool color = get(q, TEMP, 0, 2) == 3;
	uint32_t v[4], i;

	for (i = 0; i < 4; i++)
		v[i] = keep(q, color ? l->f->fb_color[i] : l->f->fb_depth);
	write(l, get(q, TEMP, 6, 4), color ? 15 : 1, v);
}

static void store(const struct group *q, struct lane *l)
{
	uint32_t size = 1u << get(q, TEMP, 10, 2), from = get(q, TEMP, 4, 6), i;
	int64_t at = place(q, l, TEMP, true);

	for (i = 0; i < size && at >= 0; i++)
		l->f->temp[(at + i) / 4][(at + i) % 4] =
			reg(q, l, from >> 2, (from & 3 & ~(size - 1)) + i);
}

static void branch(const struct group *q, struct lane *l, unsigned int pc, unsigned int next)
{
	uint32_t a = get(q, BRANCH, 10, 6), b = get(q, BRANCH, 4, 6);
	float x = fl(reg(q, l, a >> 2, a & 3)), y = fl(reg(q, l, b >> 2, b & 3));
	uint32_t gt = get(q, BRANCH, 16, 1), eq = get(q, BRANCH, 17, 1), lt = get(q, BRANCH, 18, 1);

	l->pc = next;
	if (get(q, BRANCH, 0, 32) == 0x7f0003) {
		l->f->gone = true;
		return;
	}
	if ((gt && eq && lt) || (gt && x > y) || (eq && x == y) || (lt && x < y))
		l->pc = pc + (uint32_t)((int32_t)(get(q, BRANCH, 41, 27) << 5) >> 5);
}

/* ---- running ---- */

static void step(struct group *q, const bool run[4], unsigned int pc)
{
	unsigned int i, at = 32, next = pc + (q->w[0] & 31);
	int n;

	for (i = 0; i < FIELDS; i++) {
		q->at[i] = at;
		at += has(q, (int)i) ? field_bits[i] : 0;
	}
	for (n = 0; n < 4; n++) {
		struct lane *l = &q->lane[n];

		if (!run[n])
			continue;
		if (has(q, VARYING))
			varying(q, l);
		if (has(q, SAMPLER))
			sampler(q, l);
		if (has(q, UNIFORM))
			uniform(q, l);
		multipliers(q, l);
	}
	adders(q, run);
	for (n = 0; n < 4; n++) {
		struct lane *l = &q->lane[n];

		if (!run[n])
			continue;
		if (has(q, COMBINE))
			combine(q, l);
		if (has(q, TEMP) && get(q, TEMP, 2, 4) == 3)
			frame_buffer(q, l);
		else if (has(q, TEMP))
			store(q, l);
		if (has(q, BRANCH))
			branch(q, l, pc, next);
		else
			l->pc = next;
		l->ended = q->w[0] >> 5 & 1 && l->pc == next;
	}
}

enum upr_status upr_run(const uint32_t *words, unsigned int n, struct upr_group *g,
			unsigned int budget)
{
	struct group q = { .g = g };
	bool run[4];
	int i;

	for (i = 0; i < 4; i++)
		q.lane[i].f = &g->f[i];
	for (; budget; budget--) {
		unsigned int pc = n;

		for (i = 0; i < 4; i++)
			if (!q.lane[i].ended && q.lane[i].pc < pc)
				pc = q.lane[i].pc;
		if (pc == n)
			return UPR_ENDED;
		for (i = 0; i < 4; i++)
			run[i] = !q.lane[i].ended && q.lane[i].pc == pc;
		q.w = words + pc;
		step(&q, run, pc);
	}
	return UPR_BUDGET;
}
