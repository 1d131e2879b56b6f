// SPDX-License-Identifier: GPL-2.0
/* ALU bundles of the Midgard reference model. */
#include <math.h>
#include <string.h>

#include "midgard_ref_int.h"
#include "midgard_ref_num.h"

/* Type of an operation's operands and result. */
enum operand { INT, FLT };

enum shape { ELEMENT, DOT, GROUP, SELECT };

struct op {
	enum operand in, out;
	enum shape shape;
	bool known;
};

/* A write that waits for the end of its stage. */
struct pending {
	bool some;
	unsigned int reg;
	uint16_t mask;
	struct mgr_reg v;
};

struct bundle {
	struct mrf *g;
	const struct mgr_draw *d;
	struct mgr_thread *t;
	const struct mgr_reg *constants;	/* NULL: it has none */
	uint64_t next;				/* address of the next bundle */
	unsigned int next_tag;			/* tag of the next bundle */
};

/* Decoded body; sources as up to 16 elements of @bits, with modifiers applied. */
struct insn {
	unsigned int op;
	unsigned int bits;
	unsigned int n;
	unsigned int dest;
	unsigned int outmod;
	unsigned int component;	/* component of r31 that element 0 of a select tests */
	bool shrink, upper;
	uint64_t a[16], b[16];
	uint16_t enabled;	/* elements */
};

static const enum mrf_round rounds[4] = { MRF_RTE, MRF_RTZ, MRF_RTN, MRF_RTP };

static struct op what(unsigned int op)
{
	struct op o = { INT, INT, ELEMENT, true };

	if (op < 0x40 || (op >= 0x80 && op < 0xa0) || op >= 0xc4)
		o.in = FLT;
	if (op < 0x40 || (op >= 0xb8 && op < 0xc0) || op >= 0xc4)
		o.out = FLT;
	switch (op) {
	case 0x10 ... 0x17:
	case 0x28 ... 0x3b:
	case 0x40 ... 0x41:
	case 0x46 ... 0x49:
	case 0x4e ... 0x4f:
	case 0x58:
	case 0x60 ... 0x69:
	case 0x6c ... 0x6e:
	case 0x70 ... 0x78:
	case 0x7a ... 0x7e:
	case 0x80 ... 0x83:
	case 0x98 ... 0xa5:
	case 0xb8 ... 0xbf:
	case 0xc6:
	case 0xe8:
	case 0xf0:
	case 0xf2 ... 0xf7:
	case 0xf9:
		break;
	case 0x3c ... 0x3e:
		o.shape = DOT;
		break;
	case 0x88 ... 0x8b:
	case 0x90 ... 0x93:
	case 0xa8 ... 0xad:
	case 0xb0 ... 0xb5:
		o.shape = GROUP;
		break;
	case 0xc0 ... 0xc1:
	case 0xc4 ... 0xc5:
		o.shape = SELECT;
		break;
	default:
		o.known = false;
	}
	return o;
}

/* ---- operands ---- */

static void special(const struct bundle *b, struct mgr_reg *r)
{
	/* address of the next bundle, and stack pointer */
	mrf_put(r->b, 4, (uint32_t)b->next);
	mrf_put(r->b + 4, 4, (uint32_t)(b->next >> 32));
	mrf_put(r->b + 8, 4, (uint32_t)b->t->tls);
	mrf_put(r->b + 12, 4, (uint32_t)(b->t->tls >> 32));
}

static void read_reg(const struct bundle *b, unsigned int n, struct mgr_reg *r)
{
	memset(r, MGR_POISON, sizeof(*r));
	if (n < 24) {
		if (n < b->d->work || n >= 24 - b->d->uniforms)
			*r = b->t->r[n];
		else
			mrf_fail(b->g, false, "r%u is neither work register nor uniform", n);
	} else if (n < 26) {
		*r = b->t->tmp[n - 24];
	} else if (n == 26 && b->constants) {
		*r = *b->constants;
	} else if (n == 28 || n == 29) {
		*r = b->t->ta[n - 28];
	} else if (n == 31) {
		special(b, r);
	} else {
		mrf_fail(b->g, true, "r%u as source", n);
	}
}

static uint64_t get(const struct mgr_reg *r, unsigned int bits, unsigned int i)
{
	uint64_t v = 0;
	unsigned int k;

	for (k = 0; k < bits / 8; k++)
		v |= (uint64_t)r->b[i * bits / 8 + k] << (8 * k);
	return v;
}

static void put(struct mgr_reg *r, unsigned int bits, unsigned int i, uint64_t v)
{
	unsigned int k;

	for (k = 0; k < bits / 8; k++)
		r->b[i * bits / 8 + k] = (uint8_t)(v >> (8 * k));
}

/* An element of half the size to @bits. */
static uint64_t widen(uint64_t v, unsigned int bits, enum operand type, unsigned int mod)
{
	unsigned int half = bits / 2;

	if (type == FLT)
		return mgr_raw(mgr_value(v, half), bits, MRF_RTE);
	switch (mod) {
	case 0:
		return (uint64_t)mgr_sext(v, half) & mgr_mask(bits);
	case 1:
		return v;
	case 2:
		return v | v << half;
	default:
		return v << half;
	}
}

static uint64_t modify(uint64_t v, unsigned int bits, enum operand type, unsigned int mod)
{
	if (type == INT)
		return v;
	if (mod & 1)
		v = mgr_abs(v, bits);
	return mod & 2 ? mgr_neg(v, bits) : v;
}

/*
 * Source index of element @i of a vector, in elements of @bits, or of half of that if it
 * is widened. Return: -1 if undefined.
 */
static int select_element(unsigned int bits, unsigned int expand, unsigned int swizzle,
			  unsigned int i)
{
	/* which half the lower and the upper elements see */
	static const uint8_t half[4][2] = { { 0, 1 }, { 0, 0 }, { 1, 1 }, { 1, 0 } };
	/* which quarter, if widened */
	static const uint8_t quarter[4][2] = { { 0, 1 }, { 2, 3 }, { 1, 0 }, { 3, 2 } };
	unsigned int sel;

	switch (bits) {
	case 8:
		if (expand > 3)
			return -1;
		sel = swizzle >> (2 * (i / 2 & 3)) & 3;
		return 8 * half[expand][i / 8] + 2 * sel + (i & 1);
	case 16:
		sel = swizzle >> (2 * (i & 3)) & 3;
		if (expand > 3)
			return 4 * quarter[expand - 4][i / 4] + sel;
		return 4 * half[expand][i / 4] + sel;
	case 32:
		sel = swizzle >> (2 * i) & 3;
		if (expand == 4 || expand == 5)
			return 4 * (expand - 4) + sel;
		return expand ? -1 : (int)sel;
	default:
		sel = swizzle >> (4 * i) & 3;
		if (expand == 4 || expand == 5)
			return 2 * (expand - 4) + sel / 2;
		return expand ? -1 : (int)sel;
	}
}

static void vector_source(const struct bundle *b, const struct insn *in, enum operand type,
			  unsigned int reg, unsigned int src, uint64_t *out)
{
	unsigned int mod = src & 3, expand = src >> 2 & 7, swizzle = src >> 5 & 255, i;
	bool wide = expand >= 4;
	struct mgr_reg r;
	uint64_t v;
	int e;

	read_reg(b, reg, &r);
	if (type == FLT && !mgr_is_float(wide ? in->bits / 2 : in->bits)) {
		mrf_fail(b->g, true, "floats of %u bits", in->bits);
		return;
	}
	for (i = 0; i < in->n; i++) {
		e = select_element(in->bits, expand, swizzle, i);
		if (e < 0) {
			mrf_fail(b->g, true, "source mode %u with %u bits", expand, in->bits);
			return;
		}
		if (wide)
			v = widen(get(&r, in->bits / 2, e), in->bits, type, mod);
		else if (in->bits == 64)
			v = get(&r, 32, e) | get(&r, 32, swizzle >> (4 * i + 2) & 3) << 32;
		else
			v = get(&r, in->bits, e);
		out[i] = modify(v, in->bits, type, mod);
	}
}

static uint64_t immediate(const struct insn *in, enum operand type, uint16_t imm)
{
	/* without a conversion a NaN keeps its bits */
	if (type == FLT)
		return in->bits == 16 ? imm : mgr_raw(mgr_value(imm, 16), in->bits, MRF_RTE);
	return (uint64_t)(int16_t)imm & mgr_mask(in->bits);
}

/* ---- operations ---- */

static uint64_t min_max(uint64_t a, uint64_t b, unsigned int bits, bool max, bool is_signed)
{
	bool less = is_signed ? mgr_sext(a, bits) < mgr_sext(b, bits) : a < b;

	return less != max ? a : b;
}

/* A sum or difference of more than 64 bits, cut at the ends of the type. */
static uint64_t saturate(__int128 v, unsigned int bits, bool is_signed)
{
	__int128 top = ((__int128)1 << (bits - is_signed)) - 1, low = is_signed ? -top - 1 : 0;

	return (uint64_t)(v > top ? top : v < low ? low : v) & mgr_mask(bits);
}

static __int128 wide(uint64_t a, unsigned int bits, bool is_signed)
{
	return is_signed ? (__int128)mgr_sext(a, bits) : (__int128)a;
}

static uint64_t arithmetic(unsigned int op, uint64_t a, uint64_t b, unsigned int bits)
{
	bool s = !(op & 1);	/* of each pair the first is signed */

	switch (op) {
	case 0x40:
		return a + b;
	case 0x41:
		return (a << 1) + b;
	case 0x46:
		return a - b;
	case 0x47:
		return (a << 1) - b;
	case 0x48:
	case 0x49:
		return saturate(wide(a, bits, s) + wide(b, bits, s), bits, s);
	case 0x4e:
	case 0x4f:
		return saturate(wide(a, bits, s) - wide(b, bits, s), bits, s);
	case 0x58:
		return a * b;
	case 0x60:
	case 0x61:
	case 0x62:
	case 0x63:
		return min_max(a, b, bits, op & 2, s);
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
		/* down, or to nearest and up */
		return (uint64_t)((wide(a, bits, s) + wide(b, bits, s) + !!(op & 2)) >> 1);
	case 0x7c:
	case 0x7d:
		s = op == 0x7c;
		return wide(a, bits, s) < wide(b, bits, s) ? b - a : a - b;
	default:
		return 0;
	}
}

static uint64_t shift(unsigned int op, uint64_t a, uint64_t b, unsigned int bits)
{
	unsigned int n = b & (bits - 1);

	switch (op) {
	case 0x68:
		return (uint64_t)(mgr_sext(a, bits) >> n);
	case 0x69:
		return a >> n;
	case 0x6c:
	case 0x6d:
		return saturate(wide(a, bits, op == 0x6c) * ((__int128)1 << n), bits, op == 0x6c);
	default:
		return a << n;
	}
}

static uint64_t bitwise(unsigned int op, uint64_t a, uint64_t b, unsigned int bits)
{
	switch (op) {
	case 0x70:
		return a & b;
	case 0x71:
		return a | b;
	case 0x72:
		return ~(a & b);
	case 0x73:
		return ~(a | b);
	case 0x74:
		return a & ~b;
	case 0x75:
		return a | ~b;
	case 0x76:
		return a ^ b;
	case 0x77:
		return ~(a ^ b);
	case 0x78:
		return a ? (uint64_t)__builtin_clzll(a) - (64 - bits) : bits;
	case 0x7a:
		return (uint64_t)__builtin_popcountll(a);
	default:
		return b;	/* 7B, move */
	}
}

static bool icompare(unsigned int op, uint64_t a, uint64_t b, unsigned int bits)
{
	switch (op) {
	case 0:
		return a == b;
	case 1:
		return a != b;
	case 2:
		return a < b;
	case 3:
		return a <= b;
	case 4:
		return mgr_sext(a, bits) < mgr_sext(b, bits);
	default:
		return mgr_sext(a, bits) <= mgr_sext(b, bits);
	}
}

static bool fcompare(unsigned int op, uint64_t ra, uint64_t rb, unsigned int bits)
{
	double a = mgr_value(ra, bits), b = mgr_value(rb, bits);

	switch (op) {
	case 0:
		return a == b;
	case 1:
		return a != b;
	case 2:
		return a < b;
	default:
		return a <= b;
	}
}

static uint64_t floats(unsigned int op, uint64_t a, uint64_t b, unsigned int bits)
{
	static const enum mrf_round whole[4] = { MRF_RTE, MRF_RTZ, MRF_RTN, MRF_RTP };

	switch (op) {
	case 0x10 ... 0x13:
		return mgr_fadd(a, b, bits, rounds[op & 3]);
	case 0x14 ... 0x17:
		return mgr_fmul(a, b, bits, rounds[op & 3]);
	case 0x2a ... 0x2b:
	case 0x2e ... 0x2f:
		a = mgr_abs(a, bits);
		b = mgr_abs(b, bits);
		return mgr_fmin(a, b, bits, op & 4, op & 1);
	case 0x28 ... 0x29:
	case 0x2c ... 0x2d:
		return mgr_fmin(a, b, bits, op & 4, op & 1);
	case 0x30 ... 0x33:
		return b;
	case 0x34 ... 0x37:
		return mgr_fround(a, bits, whole[op & 3]);
	default:
		return mgr_fround(a, bits, MRF_RTNA);	/* C6 */
	}
}

/*
 * The angle of a vector in two steps: the program multiplies z and w of the first one, and
 * passes the product to the second one with x. Nothing else is known. Here z / w is at
 * most 1, and its arc tangent is added to or subtracted from the angle x, depending on the
 * quadrant.
 */
static uint64_t atan_first(const struct insn *in, unsigned int i)
{
	double y = mgr_value(in->a[i], in->bits), x = mgr_value(in->b[i], in->bits);
	bool steep = fabs(y) > fabs(x);
	double v = 0;

	switch (i & 3) {
	case 0:
		v = steep ? copysign(M_PI_2, y) : signbit(x) ? copysign(M_PI, y) : 0;
		break;
	case 2:
		v = steep ? x : y;
		break;
	case 3:
		v = !x && !y ? 1 : 1 / (steep ? y : x);
		break;
	}
	return mgr_raw(v, in->bits, MRF_RTE);
}

static uint64_t atan_second(const struct insn *in, unsigned int i)
{
	double from = mgr_value(in->a[i], in->bits), r = atan(mgr_value(in->b[i], in->bits));

	if (mgr_raw(fabs(from), in->bits, MRF_RTE) == mgr_raw(M_PI_2, in->bits, MRF_RTE))
		r = copysign(M_PI_2, from) - r;
	else if (from)
		r += copysign(M_PI, from);
	return mgr_raw(r, in->bits, MRF_RTE);
}

/* One element computed from the source elements of the same index. */
static uint64_t element(const struct insn *in, unsigned int i)
{
	unsigned int op = in->op, bits = in->bits;
	uint64_t a = in->a[i], b = in->b[i], res;

	switch (op) {
	case 0x38 ... 0x3b:
		return mgr_fma(in->a[0], in->a[1], b, bits, rounds[op & 3]);
	case 0x40 ... 0x67:
	case 0x7c ... 0x7d:
		return arithmetic(op, a, b, bits);
	case 0x68 ... 0x6e:
		return shift(op, a, b, bits);
	case 0x70 ... 0x7b:
		return bitwise(op, a, b, bits);
	case 0x7e:
		return in->a[b & (in->n - 1)];
	case 0x80 ... 0x83:
		return fcompare(op & 3, a, b, bits) ? ~0ull : 0;
	case 0x98 ... 0x9f:
		return mgr_to_int(a, bits, op < 0x9c, rounds[op & 3]);
	case 0xa0 ... 0xa5:
		return icompare(op & 7, a, b, bits) ? ~0ull : 0;
	case 0xb8 ... 0xbf:
		return mgr_from_int(a, bits, op < 0xbc, rounds[op & 3]);
	case 0xe8:
		return atan_second(in, i);
	case 0xf9:
		return atan_first(in, i);
	case 0xf0 ... 0xf7:
		return mgr_function(op, a, bits, &res) ? res : 0;
	default:
		return floats(op, a, b, bits);
	}
}

/* Products rounded one by one, then added from the first on. */
static uint64_t dot(const struct insn *in)
{
	unsigned int n = in->op == 0x3e ? 4 : 3, i;
	uint64_t sum = 0, p;

	for (i = 0; i < n; i++) {
		p = mgr_fmul(in->a[i], in->b[i], in->bits, MRF_RTE);
		sum = i ? mgr_fadd(sum, p, in->bits, MRF_RTE) : p;
	}
	return sum;
}

static uint64_t group(const struct insn *in)
{
	bool any = in->op & 0x10, res = !any, one;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		one = in->op < 0xa0 ? fcompare(in->op & 3, in->a[i], in->b[i], in->bits) :
			icompare(in->op & 7, in->a[i], in->b[i], in->bits);
		res = any ? res || one : res && one;
	}
	return res ? ~0ull : 0;
}

/* By r31, which the first stage has written: bit for bit, or all by its w. */
static uint64_t choose(const struct bundle *b, const struct insn *in, unsigned int i)
{
	bool vector = !(in->op & 1);
	unsigned int bytes = in->bits / 8, at = vector ? (in->component + i) * bytes : 12;
	uint16_t need = (uint16_t)((vector ? (1u << bytes) - 1 : 15) << at);
	uint64_t c;

	if ((b->t->cond_set & need) != need) {
		mrf_fail(b->g, true, "select without a condition in its bundle");
		return 0;
	}
	if (!vector)
		return mgr_word(&b->t->cond, 3) ? in->a[i] : in->b[i];
	c = get(&b->t->cond, in->bits, in->component + i);
	return (in->a[i] & c) | (in->b[i] & ~c);
}

/* ---- results ---- */

static uint64_t narrow(const struct bundle *b, const struct insn *in, enum operand out, uint64_t v)
{
	unsigned int half = in->bits / 2;
	bool round = in->op < 0x28 || (in->op >= 0x30 && in->op < 0x34) ||
		(in->op >= 0x38 && in->op < 0x3c) || (in->op >= 0xb8 && in->op < 0xc0);

	if (out == FLT) {
		if (!mgr_is_float(half))
			mrf_fail(b->g, true, "floats of %u bits", half);
		v = mgr_raw(mgr_value(v, in->bits), half, round ? rounds[in->op & 3] : MRF_RTE);
		return v;
	}
	v &= mgr_mask(in->bits);
	switch (in->outmod) {
	case 0:
		return saturate(wide(v, in->bits, true), half, true);
	case 1:
		return saturate(wide(v, in->bits, false), half, false);
	case 2:
		return v & mgr_mask(half);
	default:
		return v >> half;
	}
}

/* Are subnormal numbers flushed to zero? 32-bit operations in Direct3D mode, except moves. */
static bool flushes(const struct bundle *b, const struct insn *in, struct op o)
{
	return b->d->fp_mode == 3 && in->bits == 32 && o.shape != SELECT &&
		(in->op < 0x30 || in->op > 0x33);
}

static uint64_t flush(uint64_t v)
{
	return v & 0x7f800000 ? v : v & 0x80000000;
}

static uint64_t compute(const struct bundle *b, const struct insn *in, struct op o,
			unsigned int i)
{
	uint64_t v;

	switch (o.shape) {
	case DOT:
		v = dot(in);
		break;
	case GROUP:
		v = group(in);
		break;
	case SELECT:
		v = choose(b, in, i);
		break;
	default:
		v = element(in, i);
	}
	v &= mgr_mask(in->bits);
	if (o.out == FLT && b->d->fp_mode == 1 && o.shape != SELECT &&
	    (in->op < 0x30 || in->op > 0x33))
		v = mgr_suppress(v, in->bits);
	if (o.out == FLT && flushes(b, in, o))
		v = flush(v);
	if (o.out == FLT)
		v = mgr_fclamp(v, in->bits, in->outmod);
	return in->shrink ? narrow(b, in, o.out, v) : v;
}

static void execute(const struct bundle *b, struct insn *in, struct pending *p)
{
	unsigned int out = in->shrink ? in->bits / 2 : in->bits, i, at;
	struct op o = what(in->op);

	for (i = 0; o.in == FLT && flushes(b, in, o) && i < in->n; i++) {
		in->a[i] = flush(in->a[i]);
		in->b[i] = flush(in->b[i]);
	}

	memset(p, 0, sizeof(*p));
	if ((o.shape == DOT || o.shape == GROUP) && (in->bits == 8 || in->bits == 64)) {
		mrf_fail(b->g, true, "operation %02x of %u bits", in->op, in->bits);
		return;
	}
	if (o.out == INT && !in->shrink && in->outmod != 2) {
		mrf_fail(b->g, true, "output modifier %u of a whole integer", in->outmod);
		return;
	}
	p->some = true;
	p->reg = in->dest;
	for (i = 0; i < in->n && !*b->g->error; i++) {
		if (!(in->enabled >> i & 1))
			continue;
		at = in->upper ? i + in->n : i;
		put(&p->v, out, at, compute(b, in, o, i));
		p->mask |= (uint16_t)(((1u << out / 8) - 1) << (at * out / 8));
	}
}

/* ---- bodies ---- */

static bool known(const struct bundle *b, unsigned int op)
{
	if (what(op).known)
		return true;
	mrf_fail(b->g, true, "ALU operation %02x", op);
	return false;
}

/* A bit of the mask is 16 bits of the register; elements have all of theirs or none. */
static bool mask(const struct bundle *b, struct insn *in, unsigned int bits)
{
	unsigned int i, per = in->bits / 16, all = (1u << per) - 1, m;

	for (i = 0; i < in->n; i++) {
		if (in->bits == 8) {
			in->enabled |= (bits >> (i / 2) & 1) << i;
			continue;
		}
		m = bits >> (i * per) & all;
		if (m && m != all) {
			mrf_fail(b->g, true, "mask %02x of %u bits", bits, in->bits);
			return false;
		}
		in->enabled |= !!m << i;
	}
	return true;
}

static void vector(const struct bundle *b, const uint32_t *w, unsigned int at, uint16_t regs,
		   struct pending *p)
{
	uint64_t body = mgr_bits(w, at, 48);
	unsigned int shrink = body >> 36 & 3, src2 = body >> 23 & 0x1fff;
	struct insn in = { 0 };
	enum operand type;
	uint16_t imm;
	unsigned int i;

	in.op = body & 255;
	in.bits = 8u << (body >> 8 & 3);
	in.n = 128 / in.bits;
	in.outmod = body >> 38 & 3;
	in.dest = regs >> 10 & 31;
	in.shrink = shrink != 2;
	in.upper = shrink == 1;
	if (!known(b, in.op) || !mask(b, &in, body >> 40 & 255))
		return;
	if (shrink == 3 || (in.shrink && in.bits == 8)) {
		mrf_fail(b->g, true, "shrink %u of %u bits", shrink, in.bits);
		return;
	}
	type = what(in.op).in;
	vector_source(b, &in, type, regs & 31, body >> 10 & 0x1fff, in.a);
	if (regs >> 15) {
		src2 >>= 2;
		imm = (uint16_t)((regs >> 5 & 31) << 11 | (src2 & 7) << 8 | (src2 >> 3 & 255));
		for (i = 0; i < in.n; i++)
			in.b[i] = immediate(&in, type, imm);
	} else {
		vector_source(b, &in, type, regs >> 5 & 31, src2, in.b);
	}
	if (!*b->g->error)
		execute(b, &in, p);
}

static uint64_t scalar_source(const struct bundle *b, enum operand type, unsigned int reg,
			      unsigned int src)
{
	unsigned int mod = src & 3, c = src >> 3 & 7;
	struct mgr_reg r;
	uint64_t v;

	read_reg(b, reg, &r);
	if (src >> 2 & 1) {
		if (c & 1)
			mrf_fail(b->g, true, "component %u.5 as source", c / 2);
		v = get(&r, 32, c / 2);
	} else {
		v = widen(get(&r, 16, c), 32, type, mod);
	}
	return modify(v, 32, type, mod);
}

/*
 * Its one element is put where the vector forms have it, so that results go the same way:
 * element 0, which is then moved to the component.
 */
static void scalar(const struct bundle *b, const uint32_t *w, unsigned int at, uint16_t regs,
		   struct pending *p)
{
	uint32_t body = (uint32_t)mgr_bits(w, at, 32);
	unsigned int src2 = body >> 14 & 0x7ff, c = body >> 29, bytes;
	struct insn in = { 0 };
	struct pending one;
	enum operand type;
	uint16_t imm;

	in.op = body & 255;
	in.bits = 32;
	in.n = 1;
	in.enabled = 1;
	in.outmod = body >> 26 & 3;
	in.dest = regs >> 10 & 31;
	in.shrink = !(body >> 28 & 1);
	if (!known(b, in.op))
		return;
	if (body >> 25 & 1 || (!in.shrink && c & 1) || what(in.op).shape == DOT ||
	    what(in.op).shape == GROUP || in.op == 0x7e) {
		mrf_fail(b->g, true, "scalar operation %08x", body);
		return;
	}
	type = what(in.op).in;
	in.a[0] = scalar_source(b, type, regs & 31, body >> 8 & 63);
	if (regs >> 15) {
		imm = (uint16_t)((regs >> 5 & 31) << 11 | (src2 & 3) << 9 | (src2 & 4) << 6 |
				 (src2 & 0x38) << 2 | src2 >> 6);
		in.b[0] = immediate(&in, type, imm);
	} else {
		in.b[0] = scalar_source(b, type, regs >> 5 & 31, src2 & 63);
	}
	/* all 32 bits go by the word of r31 that the result is in, or in a half of */
	if (what(in.op).shape == SELECT && !(in.op & 1))
		in.component = c >> 1;
	if (*b->g->error)
		return;
	execute(b, &in, &one);
	bytes = in.shrink ? 2 : 4;
	c = in.shrink ? 2 * c : 2 * (c & ~1u);
	*p = one;
	p->mask = (uint16_t)(((1u << bytes) - 1) << c);
	memmove(p->v.b + c, one.v.b, bytes);
}

/* ---- bundles ---- */

static void commit(const struct bundle *b, const struct pending *p)
{
	struct mgr_thread *t = b->t;
	struct mgr_reg *to = NULL;
	unsigned int i;

	if (!p->some || *b->g->error)
		return;
	if (p->reg < 24)
		to = mgr_work_reg(b->g, b->d, t, p->reg);
	else if (p->reg < 26)
		to = &t->tmp[p->reg - 24];
	else if (p->reg < 28)
		to = &t->al[p->reg - 26];
	else if (p->reg < 30)
		to = &t->at[p->reg - 28];
	else if (p->reg == 31)
		to = &t->cond;
	else
		mrf_fail(b->g, true, "r30 as destination");
	for (i = 0; to && i < 16; i++)
		if (p->mask >> i & 1)
			to->b[i] = p->v.b[i];
	if (p->reg == 31)
		t->cond_set |= p->mask;
	if (p->reg == 1)
		t->r1_set |= p->mask;
}

/*
 * Four conditions are looked up in the table of 16 bits: the low and the high half of
 * r31.w, then those of r31.x. Only tables of the first alone have been seen.
 */
static bool table(const struct bundle *b, unsigned int lut)
{
	const struct mgr_reg *c = &b->t->cond;
	unsigned int w, x, i;

	if (lut == 0xffff || !lut)
		return lut;
	if ((b->t->cond_set & 0xf000) != 0xf000) {
		mrf_fail(b->g, true, "branch without a condition in its bundle");
		return false;
	}
	w = mgr_word(c, 3);
	x = mgr_word(c, 0);
	i = (w & 1) | (w >> 16 & 1) << 1 | (x & 1) << 2 | (x >> 16 & 1) << 3;
	return lut >> i & 1;
}

static enum mgr_flow jump(const struct bundle *b, int64_t offset, unsigned int tag)
{
	if (tag == 1)
		return MGR_EXIT;
	b->t->pc = b->next + 16 * (uint64_t)offset;
	b->t->tag = tag;
	return MGR_TAKEN;
}

static enum mgr_flow go_back(const struct bundle *b)
{
	struct mgr_thread *t = b->t;

	if (!t->link) {
		mrf_fail(b->g, false, "return without a call");
		return MGR_NEXT;
	}
	t->pc = t->link;
	t->tag = t->link_tag;
	t->link = 0;
	return t->tag == 1 ? MGR_EXIT : MGR_TAKEN;
}

/* Modes of jumps: 1 or, in extended ones, 0: plain jump; 2: call; 3: return. */
static enum mgr_flow taken(const struct bundle *b, unsigned int tag, unsigned int call,
			   int64_t offset)
{
	if (call == 3)
		return go_back(b);
	if (call < 2)
		return jump(b, offset, tag);
	if (b->t->link || tag == 1) {
		mrf_fail(b->g, true, "call in a function, or of nothing");
		return MGR_NEXT;
	}
	b->t->link = b->next;
	b->t->link_tag = b->next_tag;
	return jump(b, offset, tag);
}

static enum mgr_flow branch(const struct bundle *b, unsigned int op, unsigned int tag,
			    unsigned int call, int64_t offset, unsigned int lut)
{
	switch (op) {
	case 1:
		if (call)
			return taken(b, tag, call, offset);
		break;
	case 2:
		return table(b, lut) ? taken(b, tag, call, offset) : MGR_NEXT;
	case 4:
		/* becomes a helper, for the neighbours' derivatives */
		if (table(b, lut))
			b->t->covered = false;
		return MGR_NEXT;
	case 6:
		/* earlier draws are already complete */
		return MGR_NEXT;
	case 7:
		if (lut != 0xffff)
			break;
		mgr_write_out(b->g, b->d, b->t);
		return MGR_NEXT;
	}
	mrf_fail(b->g, true, "branch %u, mode %u, condition %04x", op, call, lut);
	return MGR_NEXT;
}

static enum mgr_flow compact(const struct bundle *b, uint32_t w)
{
	unsigned int op = w & 7, tag = w >> 3 & 15, cond = w >> 14 & 3;

	if (op == 1)
		return branch(b, op, tag, w >> 7 & 3, mgr_sext(w >> 9 & 127, 7), 0xffff);
	return branch(b, op, tag, 0, mgr_sext(w >> 7 & 127, 7), cond * 0x5555);
}

static enum mgr_flow extended(const struct bundle *b, uint64_t w)
{
	return branch(b, w & 7, w >> 3 & 15, w >> 7 & 3, mgr_sext(w >> 9 & 0x7fffff, 23),
		      w >> 32 & 0xffff);
}

/* Units in the order of their bits; the first two are the first stage. */
static const struct {
	uint8_t bit;
	bool vector;
} units[5] = { { 17, true }, { 19, false }, { 21, true }, { 23, false }, { 25, true } };

enum mgr_flow mgr_exec_alu(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
			   const uint32_t *w, unsigned int size)
{
	struct bundle b = { g, d, t, NULL, t->pc + 16 * size, mgr_bits(w, 4, 4) };
	unsigned int at, reg = 32, n = 0, used, i;
	enum mgr_flow flow = MGR_NEXT;
	struct pending p[5] = { 0 };
	struct mgr_reg constants;

	if (w[0] & 0xf1550000 || !(w[0] >> 16)) {
		mrf_fail(g, true, "ALU control word %08x", w[0]);
		return MGR_NEXT;
	}
	for (i = 0; i < 5; i++)
		n += w[0] >> units[i].bit & 1;
	at = 32 + 16 * n;
	used = at;
	for (i = 0; i < 5; i++)
		used += w[0] >> units[i].bit & 1 ? units[i].vector ? 48 : 32 : 0;
	used += (w[0] >> 26 & 1 ? 16 : 0) + (w[0] >> 27 & 1 ? 48 : 0);
	used = (used + 127) / 128;
	if (used + 1 == size) {
		for (i = 0; i < 16; i++)
			constants.b[i] = (uint8_t)mgr_bits(w, 128 * (size - 1) + 8 * i, 8);
		b.constants = &constants;
	} else if (used != size) {
		mrf_fail(g, false, "ALU bundle of %u quadwords, %u used", size, used);
		return MGR_NEXT;
	}
	memset(t->tmp, MGR_POISON, sizeof(t->tmp));
	t->cond_set = 0;
	t->r1_set = 0;
	for (i = 0; i < 5 && !*g->error; i++) {
		if (i == 2) {
			commit(&b, &p[0]);
			commit(&b, &p[1]);
		}
		if (!(w[0] >> units[i].bit & 1))
			continue;
		if (units[i].vector)
			vector(&b, w, at, (uint16_t)mgr_bits(w, reg, 16), &p[i]);
		else
			scalar(&b, w, at, (uint16_t)mgr_bits(w, reg, 16), &p[i]);
		reg += 16;
		at += units[i].vector ? 48 : 32;
	}
	for (i = 2; i < 5; i++)
		commit(&b, &p[i]);
	if (w[0] >> 26 & 1 && !*g->error)
		flow = compact(&b, (uint32_t)mgr_bits(w, at, 16));
	at += w[0] >> 26 & 1 ? 16 : 0;
	if (w[0] >> 27 & 1 && flow == MGR_NEXT && !*g->error)
		flow = extended(&b, mgr_bits(w, at, 48));
	return flow;
}
