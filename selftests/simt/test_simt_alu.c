// SPDX-License-Identifier: GPL-2.0
/*
 * Every operation of the classes F, H, B, G and I with all its immediates, on every executor
 * build, against the reference in simt_ref.c: all lanes and some, operands in slots and in
 * the uniform table, destinations that are sources. A test for each operation; one that has
 * no vectors fails.
 */
#include "../include/tap.h"
#include "simt_ref.h"
#include "engine/simt/simt_exec.h"

#define NSLOTS	12
#define NUNIF	6
#define RUNS	600	/* blocks for an operation, and at least PER of each immediate */
#define PER	6

static u64 seed = 1;

static u32 rnd(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) ^ (u32)(seed >> 13);
}

/* ---- operands ---- */

static const u32 floats[] = {
	0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
	0x80800000, 0x00800001, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3f7fffff,
	0x3f800001, 0x3fc00000, 0xbfc00000, 0x40200000, 0x40000000, 0x3effffff, 0x3f000001,
	0x3f400000, 0x3f3fffff, 0x4affffff, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000,
	0xcb000001, 0x4affffff, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
	0x4f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
	0x7f800001, 0xff812345, 0x7fffffff, 0x33000000, 0x33000001, 0x32ffffff, 0x33800000,
	0x387fc000, 0x387fdfff, 0x387fe000, 0x38800000, 0x477fe000, 0x477fefff, 0x477ff000,
	0x477fffff, 0x47800000, 0x33c00000, 0x42fe0000, 0xc2fc0000, 0xc3150000, 0xc3160000,
	0x43000000, 0x42ffffff, 0x3e800000, 0x3f317218, 0x40490fdb, 0x3fb504f3, 0x3f3504f3,
	/* 1 / sqrt() next to the middle of two results */
	0x4009f038, 0x403a18e3, 0x00113e07, 0x0044f81c,
};

static const u32 halves[] = {
	0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x3c00, 0xbc00,
	0x3800, 0xb800, 0x3bff, 0x3c01, 0x3e00, 0x4100, 0x37ff, 0x3801, 0x63ff, 0x6400, 0x6401,
	0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xfd55, 0x7fff, 0x4000, 0xc000,
	0x1400, 0x2c00, 0x4500, 0xc500,
};

static const u32 words[] = {
	0, 1, 2, 3, 7, 15, 16, 31, 32, 33, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
	0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0xffff0000,
	0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 0x01010101, 0x00ff00ff, 0xff00ff00,
	0x0000ff80, 0x00800000, 0x7f800000, 0x01800000, 0xfe800000, 0x00ffffff, 0xff000000,
};

static u32 any_float(void)
{
	switch (rnd() % 8) {
	case 0:
	case 1:
	case 2:
		return floats[rnd() % ARRAY_SIZE(floats)];
	case 3:
		return rnd();
	case 4:		/* integers and half-integers */
		return (rnd() & 0x80000000) | (0x3f000000 + ((rnd() % 26) << 23)) |
			(rnd() & 0x7fffff & ~(rnd() % 4 ? 0x7ffff : 0));
	case 5:		/* subnormal */
		return rnd() & 0x807fffff;
	default:	/* near 1 */
		return (rnd() & 0x80000000) | (0x3c000000 + rnd() % 0x08000000);
	}
}

static u32 any_half(void)
{
	return rnd() % 2 ? halves[rnd() % ARRAY_SIZE(halves)] : rnd() & 0xffff;
}

static u32 any_word(void)
{
	switch (rnd() % 4) {
	case 0:
		return words[rnd() % ARRAY_SIZE(words)];
	case 1:
		return words[rnd() % ARRAY_SIZE(words)] + rnd() % 5 - 2;
	case 2:
		return rnd();
	default:
		return rnd() % 70;
	}
}

static bool of_floats(u32 op)
{
	u32 cl = simt_opinfo[op].class;

	return cl == SIMT_CL_F || cl == SIMT_CL_B || op == SIMT_FFTZ || op == SIMT_FSUPP;
}

static bool of_halves(u32 op)
{
	u32 cl = simt_opinfo[op].class;

	return cl == SIMT_CL_H || cl == SIMT_CL_G || op == SIMT_HFTZ || op == SIMT_HSUPP ||
		op == SIMT_H2F;
}

static u32 any_operand(u32 op, unsigned int src)
{
	if (op == SIMT_FMASC && src == 3)
		return rnd() % 4 ? rnd() % 320 - 160 : any_word();
	if (op == SIMT_FEXPX && src == 1)
		return any_float();
	if (op == SIMT_CSEL16 && src < 2 && rnd() % 2)
		return any_half() | any_half() << 16;
	if (of_halves(op))
		return any_half() | any_half() << 16;
	if (op == SIMT_WMASK)
		return rnd() % 2 ? 0 : rnd();
	return of_floats(op) ? any_float() : any_word();
}

/* Sums that cancel: the last operand is near the negated sum of the others. */
static void make_cancel(u32 op, u32 *s)
{
	float a, b, c;

	if (op != SIMT_FMA && op != SIMT_FMAU && op != SIMT_FMAR && op != SIMT_FMASC &&
	    op != SIMT_FADD)
		return;
	memcpy(&a, &s[0], 4);
	memcpy(&b, &s[1], 4);
	c = op == SIMT_FADD ? -a : -a * b;
	memcpy(&s[op == SIMT_FADD ? 1 : 2], &c, 4);
	s[op == SIMT_FADD ? 1 : 2] += rnd() % 3 - 1;
}

/* ---- immediates ---- */

struct field {
	u8 at;
	u8 n;
};

/*
 * Fields of the immediate, each from 0 to n - 1. Swizzles of halves, the nibbles of PERM
 * and LANE's mask are random.
 */
static const struct shape {
	u16 op;
	struct field f[3];
} shapes[] = {
	{ SIMT_MOV }, { SIMT_PERM }, { SIMT_LANE }, { SIMT_FMOV }, { SIMT_FADD },
	{ SIMT_FMUL }, { SIMT_FMA }, { SIMT_FMAU }, { SIMT_FDOT }, { SIMT_FMAR, { { 0, 5 } } },
	{ SIMT_FMASC, { { 0, 5 }, { 4, 3 } } }, { SIMT_FADDM }, { SIMT_FMIN, { { 0, 4 } } },
	{ SIMT_FMAX, { { 0, 4 } } }, { SIMT_FRND, { { 0, 5 } } }, { SIMT_FSQRT },
	{ SIMT_FRCP }, { SIMT_FRSQ }, { SIMT_FEXP2 }, { SIMT_FLOG2 }, { SIMT_FSINPI },
	{ SIMT_FCOSPI }, { SIMT_FLOGD }, { SIMT_FEXPX }, { SIMT_FREXPM, { { 0, 3 } } },
	{ SIMT_FREXPE, { { 0, 3 }, { 4, 2 } } }, { SIMT_FRCPA }, { SIMT_FRSQA },
	{ SIMT_FEXPT }, { SIMT_FSINT }, { SIMT_FCOST }, { SIMT_FLOGT, { { 0, 3 } } },
	{ SIMT_FCMP, { { 0, 8 }, { 4, 3 } } }, { SIMT_FCSEL, { { 0, 8 } } },
	{ SIMT_F2I, { { 0, 5 } } }, { SIMT_F2U, { { 0, 5 } } }, { SIMT_I2F, { { 0, 5 } } },
	{ SIMT_U2F, { { 0, 5 } } }, { SIMT_F2H2, { { 0, 5 }, { 4, 4 } } },
	{ SIMT_H2F, { { 0, 2 } } }, { SIMT_FHALF }, { SIMT_FFTZ }, { SIMT_FSUPP, { { 0, 4 } } },
	{ SIMT_HADD },
	{ SIMT_HMUL }, { SIMT_HFMA }, { SIMT_HFMAR, { { 0, 5 } } },
	{ SIMT_HMIN, { { 0, 4 } } }, { SIMT_HMAX, { { 0, 4 } } }, { SIMT_HRND, { { 0, 5 } } },
	{ SIMT_HCMP, { { 0, 8 }, { 4, 3 } } }, { SIMT_HFTZ }, { SIMT_HSUPP, { { 0, 4 } } },
	{ SIMT_IADD }, { SIMT_ISUB }, { SIMT_IMUL }, { SIMT_IMULH }, { SIMT_UMULH },
	{ SIMT_IADDS }, { SIMT_UADDS }, { SIMT_ISUBS }, { SIMT_USUBS },
	{ SIMT_IHADD, { { 0, 4 } } }, { SIMT_IMIN }, { SIMT_IMAX }, { SIMT_UMIN },
	{ SIMT_UMAX }, { SIMT_IABS }, { SIMT_IAND, { { 0, 8 } } }, { SIMT_IOR, { { 0, 8 } } },
	{ SIMT_IXOR, { { 0, 8 } } }, { SIMT_SHL }, { SIMT_SHR }, { SIMT_ASR },
	{ SIMT_SHLI, { { 0, 32 } } }, { SIMT_SHLA, { { 0, 32 } } }, { SIMT_SHRI, { { 0, 32 } } },
	{ SIMT_SHLX, { { 0, 32 } } }, { SIMT_SHRX, { { 0, 32 } } },
	{ SIMT_SHRXM, { { 0, 32 } } }, { SIMT_IMAD },
	{ SIMT_ASRI, { { 0, 32 } } }, { SIMT_FUN }, { SIMT_CLZ, { { 0, 2 } } }, { SIMT_POPC },
	{ SIMT_BREV }, { SIMT_ICMP, { { 0, 8 }, { 4, 3 } } },
	{ SIMT_UCMP, { { 0, 8 }, { 4, 3 } } }, { SIMT_ICSEL, { { 0, 8 } } },
	{ SIMT_UCSEL, { { 0, 8 } } }, { SIMT_BSEL }, { SIMT_SHADD, { { 0, 8 }, { 4, 3 } } },
	{ SIMT_IADD16 }, { SIMT_ISUB16 }, { SIMT_IMUL16 }, { SIMT_ISAT16, { { 0, 4 } } },
	{ SIMT_IHADD16, { { 0, 4 } } }, { SIMT_IMM16, { { 0, 4 } } }, { SIMT_IABS16 },
	{ SIMT_SHL16 }, { SIMT_SHR16 }, { SIMT_ASR16 },
	{ SIMT_ICMP16, { { 0, 8 }, { 4, 3 }, { 6, 2 } } },
	{ SIMT_CSEL16, { { 0, 8 }, { 6, 3 } } }, { SIMT_CLZ16, { { 0, 2 } } }, { SIMT_IADD8 },
	{ SIMT_ISUB8 }, { SIMT_IMUL8 }, { SIMT_ISAT8, { { 0, 4 } } },
	{ SIMT_IHADD8, { { 0, 4 } } }, { SIMT_IMM8, { { 0, 4 } } }, { SIMT_IABS8 },
	{ SIMT_SHL8 }, { SIMT_SHR8 }, { SIMT_ASR8 },
	{ SIMT_ICMP8, { { 0, 8 }, { 4, 3 }, { 6, 2 } } },
	{ SIMT_CSEL8, { { 0, 8 }, { 4, 1 }, { 6, 2 } } }, { SIMT_CLZ8, { { 0, 2 } } },
	{ SIMT_CLPER, { { 0, 4 }, { 4, 4 }, { 8, 16 } } }, { SIMT_WMASK, { { 0, 6 } } },
};

static const struct shape *shape_of(u32 op)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		if (shapes[i].op == op)
			return &shapes[i];
	return NULL;
}

static u32 field_count(const struct field *f)
{
	return f->n ? f->n : 1;
}

static u32 shape_count(const struct shape *s)
{
	return field_count(&s->f[0]) * field_count(&s->f[1]) * field_count(&s->f[2]);
}

static u32 make_imm(u32 op, u32 n)
{
	const struct shape *s = shape_of(op);
	u32 imm = 0, i;

	for (i = 0; i < 3; i++) {
		imm |= n % field_count(&s->f[i]) << s->f[i].at;
		n /= field_count(&s->f[i]);
	}
	if (simt_opinfo[op].class == SIMT_CL_H || simt_opinfo[op].class == SIMT_CL_G)
		for (i = 0; i < simt_opinfo[op].nsrc && rnd() % 2; i++)
			imm |= SIMT_SWZ(i, rnd() % 4);
	if (op == SIMT_PERM)
		for (i = 0; i < 4; i++)
			imm |= rnd() % (rnd() % 2 ? 14 : 10) << (4 * i);
	if (op == SIMT_LANE)
		imm = rnd() % 64;
	return imm;
}

static u16 make_mods(u32 op)
{
	u32 cl = simt_opinfo[op].class, n = simt_opinfo[op].nsrc, i;
	u16 m = 0;

	if (cl == SIMT_CL_I || rnd() % 2)
		return 0;
	/* the scale of FMASC and the values selected by FCSEL have no modifiers */
	if (op == SIMT_FCSEL)
		n = 2;
	for (i = 0; i < n && i < 3; i++)
		m |= (rnd() % 2 ? SIMT_NEG(i) : 0) | (rnd() % 3 ? 0 : SIMT_ABS(i));
	if ((cl == SIMT_CL_F || cl == SIMT_CL_H) && rnd() % 2)
		m |= SIMT_CLAMP(rnd() % 4);
	return m;
}

/* ---- a micro-op on a block ---- */

static u32 unif[16 * NUNIF] __aligned(64);
static u32 before[SIMT_LANES * NSLOTS] __aligned(64);
static u32 after[SIMT_LANES * NSLOTS] __aligned(64);
static u32 want[SIMT_LANES * NSLOTS] __aligned(64);
static u32 other[SIMT_LANES * NSLOTS] __aligned(64);	/* @want or the other possibility */

static u64 make_mask(void)
{
	u64 m = rnd() | (u64)rnd() << 32;

	switch (rnd() % 8) {
	case 0:
		return 1ULL << (rnd() % 64);
	case 1:
		return m & (rnd() | (u64)rnd() << 32) & (rnd() | (u64)rnd() << 32);
	case 2:
		return m;
	case 3:
		return ~0ULL >> (rnd() % 64);
	default:
		return ~0ULL;
	}
}

/* Near 1: sums and products of such operands are numbers. */
static u32 tame(u32 op, u32 v)
{
	return of_halves(op) ? (v & 0x83ff83ff) | 0x38003800 :
	       (v & 0x80000000) | (0x3c000000 + v % 0x08000000);
}

/* Only one lane has a NaN: executors look for those of results in all lanes together. */
static void make_lone_nan(u32 op, u32 n)
{
	u32 i;

	for (i = 0; i < SIMT_LANES * n; i++)
		before[i] = tame(op, before[i]);
	for (i = 0; i < 16 * NUNIF; i++)
		unif[i] = tame(op, unif[i]);
	i = rnd() % (SIMT_LANES * n);
	before[i] = !of_halves(op) ? 0xffc12345 : rnd() % 2 ? 0xff123800 : 0x3800ff12;
}

static void make_operands(struct simt_uop *u)
{
	u32 n = simt_opinfo[u->op].nsrc, i, l, s[4];

	for (i = 0; i < SIMT_LANES * NSLOTS; i++)
		before[i] = rnd();
	for (i = 0; i < 4; i++) {
		u->s[i] = rnd() % 4 ? i : SIMT_U | (rnd() % NUNIF);
		if (i && rnd() % 16 == 0)
			u->s[i] = u->s[0];
	}
	u->d = rnd() % 3 ? 8 : rnd() % 4;
	u->d2 = rnd() % 3 ? 9 : (u->d + 1) % 4;
	for (l = 0; l < SIMT_LANES; l++) {
		for (i = 0; i < n; i++)
			s[i] = any_operand(u->op, i);
		if (rnd() % 4 == 0)
			make_cancel(u->op, s);
		for (i = 0; i < n; i++)
			before[SIMT_LANES * i + l] = s[i];
	}
	for (i = 0; i < NUNIF; i++) {
		u32 v = any_operand(u->op, n ? rnd() % n : 0);

		for (l = 0; l < 16; l++)
			unif[16 * i + l] = v;
	}
	if (n && (of_floats(u->op) || of_halves(u->op)) && rnd() % 3 == 0)
		make_lone_nan(u->op, n);
}

static u32 operand(const struct simt_uop *u, unsigned int i, unsigned int lane)
{
	return u->s[i] & SIMT_U ? unif[16 * (u->s[i] & ~SIMT_U)] :
		before[SIMT_LANES * u->s[i] + lane];
}

/* Compute the results of all lanes and keep those of active lanes. */
static bool make_want(const struct simt_uop *u, u64 mask)
{
	u32 d[SIMT_LANES], s0[SIMT_LANES], s1[SIMT_LANES], l, i;

	memcpy(want, before, sizeof(want));
	memcpy(other, before, sizeof(other));
	for (l = 0; l < SIMT_LANES; l++) {
		s0[l] = operand(u, 0, l);
		s1[l] = operand(u, 1, l);
	}
	if (u->op == SIMT_CLPER)
		ref_clper(u->imm, s0, s1, mask, d);
	if (u->op == SIMT_WMASK)
		ref_wmask(u->imm, s0, mask, d);
	for (l = 0; l < SIMT_LANES; l++) {
		struct ref r = { d[l], d[l], 0 };
		u32 s[4];

		if (!(mask >> l & 1))
			continue;
		for (i = 0; i < 4; i++)
			s[i] = operand(u, i, l);
		if (u->op != SIMT_CLPER && u->op != SIMT_WMASK && !ref_lane(u, s, l, &r))
			return false;
		want[SIMT_LANES * u->d + l] = r.lo;
		other[SIMT_LANES * u->d + l] = r.hi;
		if (u->op == SIMT_SHADD) {
			want[SIMT_LANES * u->d2 + l] = r.second;
			other[SIMT_LANES * u->d2 + l] = r.second;
		}
	}
	return true;
}

static struct simt_block block;
static u32 first[SIMT_LANES * NSLOTS];

static bool check(const struct simt_uop *u, enum vs_simd simd, u64 mask)
{
	u32 i, l, s;

	for (i = 0; i < SIMT_LANES * NSLOTS; i++) {
		if (after[i] == want[i] || after[i] == other[i])
			continue;
		l = i % SIMT_LANES;
		tap_comment("%s: %s imm %#x mods %#x s %x %x %x %x d %u mask %#llx",
			    vs_simd_name(simd), simt_opinfo[u->op].name, u->imm, u->mods,
			    u->s[0], u->s[1], u->s[2], u->s[3], u->d,
			    (unsigned long long)mask);
		tap_comment("slot %u lane %u: %08x, not %08x; operands:", i / SIMT_LANES, l,
			    after[i], want[i]);
		for (s = 0; s < simt_opinfo[u->op].nsrc; s++)
			tap_comment("  %08x", operand(u, s, l));
		return false;
	}
	return true;
}

static bool run(const struct simt_uop *u, u64 mask)
{
	struct simt_uop prog[2] = { *u, { .op = SIMT_END } };
	enum vs_simd simd;

	prog[0].h = simt_handler(&prog[0]);
	prog[1].h = simt_handler(&prog[1]);
	if (!make_want(u, mask)) {
		tap_comment("no reference for %s", simt_opinfo[u->op].name);
		return false;
	}
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		memcpy(after, before, sizeof(after));
		block.slot = after;
		block.unif = unif;
		block.mask = mask;
		block.live = ~0ULL;
		block.warp = SIMT_LANES;
		if (simt_exec_run(simd, &block, prog) != prog + 1) {
			tap_comment("%s does not stop", vs_simd_name(simd));
			return false;
		}
		if (!check(u, simd, mask))
			return false;
		/* If two results are acceptable, all builds must still agree. */
		if (simd == VS_SIMD_PORTABLE)
			memcpy(first, after, sizeof(first));
		if (memcmp(first, after, sizeof(first))) {
			tap_comment("%s and %s differ: %s", vs_simd_name(VS_SIMD_PORTABLE),
				    vs_simd_name(simd), simt_opinfo[u->op].name);
			return false;
		}
	}
	return true;
}

static void test_op(u32 op, u32 runs)
{
	u32 shape = shape_of(op) ? shape_count(shape_of(op)) : 0, n, failed = 0, vectors = 0;

	if (runs < PER * shape)
		runs = PER * shape;
	for (n = 0; n < runs && shape && failed < 3; n++) {
		struct simt_uop u = { .op = op, .imm = make_imm(op, n % shape),
				      .mods = make_mods(op) };
		u64 mask = make_mask();

		make_operands(&u);
		failed += !run(&u, mask);
		vectors++;
	}
	tap_result(vectors && !failed, "%s: %u vectors of %u lanes, %u immediates",
		   simt_opinfo[op].name, vectors, SIMT_LANES, shape);
}

/* Micro-ops that follow each other, and an executor that changes in between. */
static void test_sequence(void)
{
	struct simt_uop u[4] = {
		{ .op = SIMT_IADD, .s = { 0, 1 }, .d = 2 },
		{ .op = SIMT_IMUL, .s = { 2, 2 }, .d = 2 },
		{ .op = SIMT_IXOR, .s = { 2, SIMT_U }, .d = 3 },
		{ .op = SIMT_JOIN },
	};
	u32 i, l, bad = 0, builds = 0;
	enum vs_simd simd;

	for (i = 0; i < 4; i++)
		u[i].h = simt_handler(&u[i]);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		builds++;
		for (i = 0; i < SIMT_LANES * NSLOTS; i++)
			before[i] = rnd();
		memcpy(after, before, sizeof(after));
		block.mask = simd & 1 ? 0x00ff00f0ff000f0fULL : ~0ULL;
		bad += simt_exec_run(simd, &block, u) != u + 3;
		for (l = 0; l < SIMT_LANES; l++) {
			u32 x = before[l] + before[SIMT_LANES + l];

			bad += after[3 * SIMT_LANES + l] != (block.mask >> l & 1 ?
				(x * x) ^ unif[0] : before[3 * SIMT_LANES + l]);
		}
	}
	tap_result(builds && !bad, "a sequence of micro-ops on %u builds", builds);
}

/* Return: number of the micro-op that the executor returns. Lane l starts with @first + l * @by. */
static u32 looped(enum vs_simd simd, u32 first, u32 by, u32 left, u32 limit)
{
	static const u32 wsum[5] = { 0, 0, 3, 5, 6 };
	static struct simt_uop u[4] = {
		{ .op = SIMT_JOIN },
		{ .op = SIMT_ISUB, .s = { 0, SIMT_U }, .d = 0 },
		{ .op = SIMT_BRNZ, .s = { 0 }, .imm = 0 },
		{ .op = SIMT_END },
	};
	u32 i;

	for (i = 0; i < 4; i++)
		u[i].h = simt_handler(&u[i]);
	for (i = 0; i < 16; i++)
		unif[i] = 1;
	for (i = 0; i < SIMT_LANES; i++)
		after[i] = first + i * by;
	block.mask = ~0ULL;
	block.slot = after;
	block.step = 1;
	block.jumps = (struct simt_jumps){ .uops = u, .wsum = wsum, .limit = limit, .left = left,
					   .max_picks = 1000 };
	return simt_exec_run(simd, &block, u) - u;
}

/* Control micro-ops that an executor executes itself. */
static void test_jumps(void)
{
	const struct simt_jumps *j = &block.jumps;
	bool whole, cut, other, apart, none;
	enum vs_simd simd;

	for (simd = VS_SIMD_PORTABLE + 1; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & BIT(simd)))
			continue;
		whole = looped(simd, 7, 0, 1000, ~0U) == 3 && !after[0] && !after[63] &&
			j->charged == 7 * 5 && j->picks == 7 && j->left == 1000 - 7 * 5 &&
			j->from == 3;
		cut = looped(simd, 7, 0, 11, ~0U) == 2 && after[0] == 4 && j->charged == 2 * 5 &&
		      j->from == 1;
		other = looped(simd, 7, 0, 1000, 3) == 2 && !after[0] && j->charged == 6 * 5;
		apart = looped(simd, 5, 1, 1000, ~0U) == 2 && !after[0] && after[63] == 63;
		none = looped(simd, 7, 0, 0, ~0U) == 0 && after[0] == 7;
		tap_result(whole && cut && other && apart && none,
			   "%s: a loop ends where lanes, the weight or another path say so",
			   vs_simd_name(simd));
		if (!(whole && cut && other && apart && none))
			tap_comment("%d %d %d %d %d", whole, cut, other, apart, none);
	}
	block.step = 0;
}

int main(int argc, char **argv)
{
	u32 op, runs = RUNS, i;

	for (i = 1; i < (u32)argc; i++) {
		if (!strcmp(argv[i], "--long"))
			runs *= 50;
		else if (!strcmp(argv[i], "--seed") && i + 1 < (u32)argc)
			seed = strtoull(argv[++i], NULL, 0);
	}
	tap_comment("builds %#x, seed %llu", vs_simd_mask(), (unsigned long long)seed);
	for (op = 0; op < SIMT_NUM_OPS; op++)
		if (simt_opinfo[op].class <= SIMT_CL_I)
			test_op(op, runs);
	test_sequence();
	test_jumps();
	return tap_done();
}
