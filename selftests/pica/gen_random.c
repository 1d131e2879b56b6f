// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "gen_random.h"
#include "vectors.h"

#define MAX_DEPTH	5
#define MAX_FUNCTIONS	6
#define MAX_CALLS	64
#define NUM_MAX		255

/* Generator state; calls are patched once the functions' addresses are known. */
struct gen {
	struct gen_program *g;
	uint64_t rng;
	unsigned int limit;	/* words main code and functions may fill */
	unsigned int depth;
	bool in_loop;
	unsigned int function;	/* function being written, 0 is main code */
	unsigned int nfunctions;
	unsigned int start[MAX_FUNCTIONS + 1];
	unsigned int end[MAX_FUNCTIONS + 1];
	unsigned int ncalls;
	struct {
		unsigned int at;
		unsigned int function;
	} calls[MAX_CALLS];
};

static uint32_t next(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return (uint32_t)(x * 0x2545f4914f6cdd1dull >> 32);
}

static uint64_t seeded(uint64_t seed)
{
	uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15ull;
	unsigned int i;

	state ^= state >> 29;
	if (!state)
		state = 1;
	for (i = 0; i < 8; i++)
		next(&state);
	return state;
}

/* 0 .. n-1 */
static unsigned int below(struct gen *gen, unsigned int n)
{
	return next(&gen->rng) % n;
}

static bool percent(struct gen *gen, unsigned int p)
{
	return below(gen, 100) < p;
}

/* Values */

static uint32_t special_value(uint64_t *rng)
{
	static const uint32_t values[] = {
		F0, N0, F1, M1, F2, FHALF, FINF, MINF, FNAN, 0xffc00000, SUB24, MSUB24,
		0x18800000, 0x98800000, MIN24, 0xa0800000, MAX24, 0xdf7fff80, 0x00000001,
		0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x5f800000,
		0x4b800000, 0x3f800001, 0x3f80007f, 0x3f800080, 0x42fe0000, 0x43000000,
		0xc3000000, 0xc3010000, 0x4f000000, 0xcf000000, 0x42c00000, 0x3f7fffff,
	};

	return values[next(rng) % (sizeof(values) / sizeof(values[0]))];
}

static uint32_t ordinary_value(uint64_t *rng)
{
	uint32_t r = next(rng);
	uint32_t sign = r & 0x80000000u;

	switch (r & 3) {
	case 0:		/* small integers, signed */
		return pica_ref_to_bits((float)((int)(r >> 8 & 31) - 8));
	case 1:		/* magnitudes 2^-4 to 2^4, full mantissa */
		return sign | ((123 + (r >> 8 & 7)) << 23) | (next(rng) & 0x7fffff);
	case 2:		/* the same, exact in 1.7.16 */
		return sign | ((123 + (r >> 8 & 7)) << 23) | (next(rng) & 0x7fff80);
	default:	/* any exponent of 1.7.16 */
		return sign | ((65 + (r >> 8) % 126) << 23) | (next(rng) & 0x7fffff);
	}
}

/* Magnitudes around 1, so that results stay there for a while. */
static uint32_t tame_value(uint64_t *rng)
{
	uint32_t r = next(rng);

	if (r % 5 == 0)
		return pica_ref_to_bits((float)(1 + (r >> 8 & 3)));
	return (r & 0x80000000u) | (126 + (r >> 8 & 1)) << 23 | (next(rng) & 0x7fffff);
}

static uint32_t value(uint64_t *rng, unsigned int flags)
{
	uint32_t r = next(rng) % 100;

	if (flags & GEN_TAME)
		return tame_value(rng);

	if (r < ((flags & GEN_WILD) ? 55u : 6u))
		return special_value(rng);
	if (r >= 97)
		return next(rng);
	return ordinary_value(rng);
}

/* Values for an address register, including the limits of its range. */
static float small_offset(struct gen *gen)
{
	static const float limits[] = { -128, -129, 127, 128, 255, 256, -127, 300 };

	if (percent(gen, 25))
		return limits[below(gen, sizeof(limits) / sizeof(limits[0]))];
	return (float)((int)below(gen, 160) - 30);
}

static void gen_uniforms(struct gen *gen)
{
	struct pica_ref_uniforms *u = &gen->g->uniforms;
	unsigned int i, j;

	for (i = 0; i < PICA_REF_NUM_CF; i++)
		for (j = 0; j < 4; j++)
			u->f[i][j] = value(&gen->rng, gen->g->flags);
	/* A few rows of small integers feed MOVA and comparisons. */
	for (i = 0; i < PICA_REF_NUM_CF; i += 7)
		for (j = 0; j < 4; j++)
			u->f[i][j] = pica_ref_to_bits(small_offset(gen));
	for (i = 0; i < 4; i++) {
		u->i[i][0] = (uint8_t)(percent(gen, 90) ? below(gen, 4) : below(gen, 40));
		u->i[i][1] = (uint8_t)(percent(gen, 70) ? below(gen, 100) : below(gen, 256));
		u->i[i][2] = (uint8_t)(percent(gen, 70) ? below(gen, 4) : below(gen, 256));
		u->i[i][3] = (uint8_t)below(gen, 256);
	}
	u->b = (uint16_t)next(&gen->rng);
}

void gen_inputs(const struct gen_program *g, unsigned int index, uint32_t v[16][4])
{
	uint64_t rng = seeded(g->seed * 0x100000001b3ull + index + 7);
	unsigned int i, j;

	for (i = 0; i < 16; i++)
		for (j = 0; j < 4; j++)
			v[i][j] = value(&rng, g->flags);
	/* v15 holds small integers, so that lanes address and branch differently. */
	for (j = 0; j < 4; j++)
		v[15][j] = pica_ref_to_bits((float)(next(&rng) % 12));
}

/* Descriptors */

static uint32_t selector(struct gen *gen)
{
	return percent(gen, 50) ? SEL_XYZW : below(gen, 256);
}

static void gen_descriptors(struct gen *gen)
{
	unsigned int i;

	for (i = 0; i < PICA_REF_MAX_OPDESC; i++) {
		uint32_t mask = percent(gen, 50) ? 0xf : below(gen, 16);

		gen->g->opdesc[i] = DESC(mask, selector(gen), percent(gen, 15), selector(gen),
					 percent(gen, 15), selector(gen), percent(gen, 15));
		if (percent(gen, 10))
			gen->g->opdesc[i] |= 0x80000000u;
	}
}

/* Words */

static unsigned int put(struct gen *gen, uint32_t word)
{
	struct gen_program *g = gen->g;

	if (g->ncode == GEN_MAX_CODE)
		return g->ncode - 1;
	g->code[g->ncode] = word;
	return g->ncode++;
}

static unsigned int narrow(struct gen *gen)
{
	if (percent(gen, 8))
		return V(15);
	return percent(gen, 40) ? V(below(gen, 15)) : R(below(gen, 16));
}

static unsigned int wide(struct gen *gen)
{
	return percent(gen, 45) ? C(below(gen, PICA_REF_NUM_CF)) : narrow(gen);
}

static unsigned int address(struct gen *gen)
{
	return percent(gen, 75) ? 0 : 1 + below(gen, 3);
}

static unsigned int destination(struct gen *gen)
{
	return percent(gen, 25) ? O(below(gen, GEN_FIRST_APPROX_OUTPUT)) : R(below(gen, 16));
}

static unsigned int desc(struct gen *gen)
{
	return below(gen, PICA_REF_MAX_OPDESC);
}

static void put_two_source(struct gen *gen)
{
	static const uint8_t ops[] = {
		ADD, ADD, ADD, MUL, MUL, MUL, DP3, DP3, DP4, DP4, DPH, DST, SGE, SLT, MAX, MIN,
		DPHI, DSTI, SGEI, SLTI,
	};
	unsigned int op = ops[below(gen, sizeof(ops))];

	if (op >= DPHI)
		put(gen, I1I(op, destination(gen), address(gen), narrow(gen), wide(gen),
			     desc(gen)));
	else
		put(gen, I1(op, destination(gen), address(gen), wide(gen), narrow(gen),
			    desc(gen)));
}

static void put_one_source(struct gen *gen)
{
	static const uint8_t ops[] = { MOV, MOV, MOV, FLR, RCP, LITP };
	unsigned int op = ops[below(gen, sizeof(ops))];

	/* The field of the second source is ignored. */
	put(gen, I1(op, destination(gen), address(gen), wide(gen), below(gen, 32), desc(gen)));
}

static void put_approximate(struct gen *gen)
{
	static const uint8_t ops[] = { RSQ, EX2, LG2 };
	unsigned int dst = GEN_FIRST_APPROX_OUTPUT + below(gen, 16 - GEN_FIRST_APPROX_OUTPUT);

	put(gen, I1(ops[below(gen, sizeof(ops))], dst, address(gen), wide(gen), 0, desc(gen)));
}

static void put_mad(struct gen *gen)
{
	unsigned int d = below(gen, 32);

	if (percent(gen, 30))
		put(gen, IMADI(destination(gen), address(gen), narrow(gen), narrow(gen),
			       wide(gen), d));
	else
		put(gen, IMAD(destination(gen), address(gen), narrow(gen), wide(gen),
			      narrow(gen), d));
}

static void put_mova(struct gen *gen)
{
	unsigned int src = wide(gen);

	if (percent(gen, 40))
		src = V(15);
	else if (percent(gen, 50))
		src = C(7 * below(gen, 13));
	put(gen, I1(MOVA, below(gen, 32), address(gen), src, 0, desc(gen)));
}

static void put_cmp(struct gen *gen)
{
	unsigned int src1 = percent(gen, 40) ? V(15) : wide(gen);

	put(gen, ICMP(below(gen, 6), below(gen, 6), address(gen), src1, narrow(gen), desc(gen)));
}

static void put_setemit(struct gen *gen)
{
	put(gen, ISETEMIT(below(gen, 3), percent(gen, 60), percent(gen, 25)) | below(gen, 1 << 22));
}

static void put_arithmetic(struct gen *gen)
{
	unsigned int r = below(gen, 100);

	if (gen->g->flags & GEN_GEOMETRY && percent(gen, 12)) {
		if (percent(gen, 50))
			put(gen, I0(EMIT) | below(gen, 1 << 26));
		else
			put_setemit(gen);
	} else if (r < 42) {
		put_two_source(gen);
	} else if (r < 64) {
		put_one_source(gen);
	} else if (r < 80) {
		put_mad(gen);
	} else if (r < 88) {
		put_cmp(gen);
	} else if (r < 95) {
		put_mova(gen);
	} else if (r < 97 || gen->g->flags & GEN_GEOMETRY) {
		put(gen, I0(NOP) | below(gen, 1 << 26));
	} else {
		put_approximate(gen);
	}
}

/* References and operator of a condition, in place. */
static uint32_t random_condition(struct gen *gen)
{
	return I2(0, below(gen, 2), below(gen, 2), below(gen, 4), 0, 0);
}

/* Nested blocks */

static void put_block(struct gen *gen, unsigned int words);

static bool room(const struct gen *gen, unsigned int words)
{
	return gen->g->ncode + words < gen->limit;
}

/* Most compilers pad here; sometimes leave it out to see scopes end together. */
static void pad(struct gen *gen)
{
	if (percent(gen, 70))
		put(gen, I0(NOP));
}

static void set_target(struct gen *gen, unsigned int at, unsigned int dst, unsigned int num)
{
	gen->g->code[at] |= dst << 10 | num;
}

static void put_if(struct gen *gen)
{
	struct gen_program *g = gen->g;
	unsigned int at, else_at;

	if (percent(gen, 60))
		at = put(gen, I0(IFC) | random_condition(gen));
	else
		at = put(gen, I3(IFU, below(gen, 16), 0, 0));
	gen->depth++;
	put_block(gen, 1 + below(gen, 8));
	pad(gen);
	else_at = g->ncode;
	if (percent(gen, 50)) {
		put_block(gen, 1 + below(gen, 6));
		pad(gen);
	}
	gen->depth--;
	set_target(gen, at, else_at, g->ncode - else_at < NUM_MAX ? g->ncode - else_at : 0);
}

static void put_loop(struct gen *gen)
{
	bool outer = gen->in_loop;
	unsigned int at = put(gen, I3(LOOP, below(gen, 4), 0, below(gen, 256)));

	gen->in_loop = true;
	gen->depth++;
	put_block(gen, 1 + below(gen, 8));
	pad(gen);
	gen->depth--;
	gen->in_loop = outer;
	if (gen->g->ncode == at + 1)
		put(gen, I0(NOP));
	gen->g->code[at] |= (gen->g->ncode - 1) << 10;
}

static void put_call(struct gen *gen)
{
	unsigned int function, at;

	/* Only functions further on: calls end. */
	if (gen->function >= gen->nfunctions || gen->ncalls == MAX_CALLS) {
		put_arithmetic(gen);
		return;
	}
	function = gen->function + 1 + below(gen, gen->nfunctions - gen->function);
	switch (below(gen, 3)) {
	case 0:
		at = put(gen, I0(CALL));
		break;
	case 1:
		at = put(gen, I0(CALLC) | random_condition(gen));
		break;
	default:
		at = put(gen, I3(CALLU, below(gen, 16), 0, 0));
		break;
	}
	gen->calls[gen->ncalls].at = at;
	gen->calls[gen->ncalls++].function = function;
}

/* Jump forward over a block. */
static void put_skip(struct gen *gen)
{
	unsigned int at;

	if (percent(gen, 60))
		at = put(gen, I0(JMPC) | random_condition(gen));
	else
		at = put(gen, I3(JMPU, below(gen, 16), 0, below(gen, 256)));
	gen->depth++;
	put_block(gen, 1 + below(gen, 5));
	pad(gen);
	gen->depth--;
	gen->g->code[at] |= gen->g->ncode << 10;
}

static void put_item(struct gen *gen)
{
	unsigned int r = below(gen, 100);

	if (gen->depth >= MAX_DEPTH || !room(gen, 24) || r < 72)
		put_arithmetic(gen);
	else if (r < 80)
		put_if(gen);
	else if (r < 86)
		put_loop(gen);
	else if (r < 91)
		put_call(gen);
	else if (r < 95)
		put_skip(gen);
	else if (gen->in_loop && percent(gen, 80))
		put(gen, I0(BREAKC) | random_condition(gen) | below(gen, 1 << 22));
	else if (gen->in_loop)
		put(gen, I0(BREAK) | below(gen, 1 << 26));
	else
		put_arithmetic(gen);
}

static void put_block(struct gen *gen, unsigned int words)
{
	unsigned int end = gen->g->ncode + words;

	while (gen->g->ncode < end && room(gen, 1))
		put_item(gen);
}

/* Make results visible: full writes of a few temporaries. */
static void put_epilogue(struct gen *gen)
{
	unsigned int i;

	gen->g->opdesc[0] = DESC_PLAIN(0xf);
	for (i = 0; i < 3; i++)
		put(gen, I1(MOV, O(i), 0, R(below(gen, 16)), 0, 0));
	if (gen->g->flags & GEN_GEOMETRY)
		put(gen, I0(EMIT));
	put(gen, I0(END) | below(gen, 1 << 26));
}

static void gen_nested(struct gen *gen)
{
	unsigned int i;

	gen->nfunctions = below(gen, MAX_FUNCTIONS + 1);
	gen->limit = 40 + below(gen, 160);
	put_block(gen, 10 + below(gen, 80));
	put_epilogue(gen);
	for (i = 1; i <= gen->nfunctions; i++) {
		gen->function = i;
		gen->in_loop = false;
		gen->depth = 2;
		gen->limit = gen->g->ncode + 40;
		gen->start[i] = gen->g->ncode;
		put_block(gen, 1 + below(gen, 16));
		if (percent(gen, 50))
			put(gen, I0(NOP));
		gen->end[i] = gen->g->ncode;
	}
	put(gen, I0(END));
	for (i = 0; i < gen->ncalls; i++) {
		unsigned int f = gen->calls[i].function;

		set_target(gen, gen->calls[i].at, gen->start[f], gen->end[f] - gen->start[f]);
	}
}

/* Deep nesting */

static void put_some(struct gen *gen, unsigned int most)
{
	unsigned int n = below(gen, most + 1);

	while (n--)
		put_arithmetic(gen);
}

/* Mostly true; flags start as 0. */
static unsigned int put_likely_if(struct gen *gen)
{
	if (percent(gen, 70))
		return put(gen, I2(IFC, 0, below(gen, 2), 0, 0, 0));
	if (percent(gen, 70))
		return put(gen, I3(IFU, 0, 0, 0));
	return put(gen, I0(IFC) | random_condition(gen));
}

/* Openers in a row, then the ends from the innermost, with little or nothing between. */
static void put_deep_ifs(struct gen *gen)
{
	unsigned int at[10], n = 6 + below(gen, 5), i;

	for (i = 0; i < n; i++) {
		put_some(gen, 1);
		at[i] = put_likely_if(gen);
	}
	put_some(gen, 3);
	while (n--) {
		unsigned int else_at = gen->g->ncode;

		put_some(gen, 2);
		set_target(gen, at[n], else_at, gen->g->ncode - else_at);
		put_some(gen, 1);
	}
}

static void put_deep_loops(struct gen *gen)
{
	unsigned int at[6], n = 3 + below(gen, 4), i;

	for (i = 0; i < n; i++) {
		put_some(gen, 1);
		at[i] = put(gen, I3(LOOP, below(gen, 4), 0, 0));
	}
	put_arithmetic(gen);
	put_some(gen, 2);
	while (n--) {
		if (percent(gen, 10))
			put(gen, I0(BREAKC) | random_condition(gen));
		gen->g->code[at[n]] |= (gen->g->ncode - 1) << 10;
		put_some(gen, 1);
	}
}

/* Functions that call the next one, often in their last word. */
static void put_chain(struct gen *gen)
{
	unsigned int i, at = 0;

	for (i = 1; i <= gen->nfunctions; i++) {
		gen->start[i] = gen->g->ncode;
		put_some(gen, 3);
		if (percent(gen, 15))
			put_deep_ifs(gen);
		if (i < gen->nfunctions) {
			if (percent(gen, 85))
				at = put(gen, I0(CALL));
			else
				at = put(gen, I2(CALLC, 0, below(gen, 2), 0, 0, 0));
			gen->calls[gen->ncalls].at = at;
			gen->calls[gen->ncalls++].function = i + 1;
		} else {
			put_arithmetic(gen);
		}
		if (percent(gen, 25))
			put_some(gen, 2);
		gen->end[i] = gen->g->ncode;
		/* Code that runs if a return is lost. */
		put_some(gen, 1);
		if (percent(gen, 60))
			put(gen, I0(END));
	}
}

static void gen_deep(struct gen *gen)
{
	unsigned int i, n = 1 + below(gen, 2);

	gen->nfunctions = 2 + below(gen, MAX_FUNCTIONS - 1);
	gen->g->uniforms.b |= 1;
	for (i = 0; i < 4; i++)
		gen->g->uniforms.i[i][0] &= 1;
	for (i = 0; i < n; i++) {
		put_some(gen, 4);
		if (percent(gen, 60)) {
			gen->calls[gen->ncalls].at = put(gen, I0(CALL));
			gen->calls[gen->ncalls++].function = 1;
		}
		if (percent(gen, 50))
			put_deep_ifs(gen);
		if (percent(gen, 50))
			put_deep_loops(gen);
	}
	put_epilogue(gen);
	put_chain(gen);
	put(gen, I0(END));
	for (i = 0; i < gen->ncalls; i++) {
		unsigned int f = gen->calls[i].function;

		set_target(gen, gen->calls[i].at, gen->start[f], gen->end[f] - gen->start[f]);
	}
}

/* Targets anywhere */

/* Mostly a little ahead, sometimes anywhere, seldom back. */
static unsigned int any_target(struct gen *gen, unsigned int at, unsigned int last)
{
	unsigned int r = below(gen, 100);

	if (r < 85 && at + 1 < last)
		return at + 1 + below(gen, last - at - 1 < 12 ? last - at - 1 : 12);
	if (r < 94 && at + 1 < last)
		return at + 1 + below(gen, last - at - 1);
	return below(gen, last);
}

static unsigned int any_count(struct gen *gen, unsigned int dst, unsigned int last)
{
	unsigned int most = last - dst < NUM_MAX ? last - dst : NUM_MAX;

	return below(gen, (most < 8 ? most : 8) + 1);
}

static void put_any_flow(struct gen *gen, unsigned int last)
{
	unsigned int at = gen->g->ncode;
	unsigned int dst = any_target(gen, at, last);
	unsigned int num = any_count(gen, dst, last);
	unsigned int boolean = below(gen, 16);

	switch (below(gen, 12)) {
	case 0:
		put(gen, I2(CALL, 0, 0, 0, dst, num));
		break;
	case 1:
		put(gen, I2(CALLC, 0, 0, 0, dst, num) | random_condition(gen));
		break;
	case 2:
		put(gen, I3(CALLU, boolean, dst, num));
		break;
	case 3: case 4:
		put(gen, I2(IFC, 0, 0, 0, dst, num) | random_condition(gen));
		break;
	case 5:
		put(gen, I3(IFU, boolean, dst, num));
		break;
	case 6: case 7: case 8:
		put(gen, I3(LOOP, below(gen, 4), dst, num));
		break;
	case 9:
		put(gen, I2(JMPC, 0, 0, 0, dst, num) | random_condition(gen));
		break;
	case 10:
		put(gen, I3(JMPU, boolean, dst, num));
		break;
	default:
		/* Outside a loop these hang the unit: not too many. */
		if (percent(gen, 60))
			put_arithmetic(gen);
		else
			put(gen, I0(percent(gen, 80) ? BREAKC : BREAK) | random_condition(gen));
		break;
	}
}

static void gen_chaotic(struct gen *gen)
{
	unsigned int last = 12 + below(gen, 90);

	while (gen->g->ncode < last) {
		if (percent(gen, 28))
			put_any_flow(gen, last);
		else
			put_arithmetic(gen);
	}
	put_epilogue(gen);
	/* Some run off the code. */
	if (percent(gen, 6))
		gen->g->code[gen->g->ncode - 1] = I0(NOP);
	if (percent(gen, 10))
		gen->g->entry = below(gen, last);
}

static void make_undefined(struct gen *gen)
{
	static const uint8_t ops[] = { 0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1c, 0x1d, 0x1e, 0x1f };
	unsigned int at = below(gen, gen->g->ncode);

	if (percent(gen, 30))
		gen->g->code[at] = ICMP(percent(gen, 50) ? 6 + below(gen, 2) : below(gen, 6),
					6 + below(gen, 2), 0, R(0), R(1), 0);
	else
		gen->g->code[at] = I0(ops[below(gen, sizeof(ops))]) | below(gen, 1 << 26);
}

static bool has_target(uint32_t word)
{
	unsigned int op = word >> 26;

	return (op >= CALL && op <= LOOP) || op == JMPC || op == JMPU;
}

/* Move the program up; the words below it are unreachable and are not code. */
static void move_high(struct gen *gen)
{
	struct gen_program *g = gen->g;
	unsigned int base = GEN_MAX_WORDS - g->ncode, i;

	if (percent(gen, 50))
		base = below(gen, base + 1);
	for (i = 0; i < g->ncode; i++)
		if (has_target(g->code[i]))
			g->code[i] += base << 10;
	memmove(g->code + base, g->code, g->ncode * sizeof(*g->code));
	for (i = 0; i < base; i++)
		g->code[i] = I0(0x10 + below(gen, 2)) | below(gen, 1 << 26);
	g->ncode += base;
	g->entry += base;
}

void gen_program(struct gen_program *g, uint64_t seed, unsigned int flags)
{
	struct gen gen = { .g = g, .rng = seeded(seed) };

	memset(g, 0, sizeof(*g));
	g->seed = seed;
	g->flags = flags;
	gen_descriptors(&gen);
	gen_uniforms(&gen);
	if (percent(&gen, 20))
		g->switches |= PICA_REF_OOR_READS_ZERO;
	if (percent(&gen, 20))
		g->switches |= PICA_REF_NESTED_AL_RESTORE;
	g->output_mask = flags & GEN_GEOMETRY ? (uint16_t)(1 + below(&gen, 0x7f)) : 0xffff;
	if (flags & GEN_DEEP)
		gen_deep(&gen);
	else if (flags & GEN_CHAOTIC)
		gen_chaotic(&gen);
	else
		gen_nested(&gen);
	if (flags & GEN_UNDEFINED)
		make_undefined(&gen);
	if (flags & GEN_HIGH)
		move_high(&gen);
}

void gen_job(const struct gen_program *g, enum pica_ref_model model, uint64_t step_limit,
	     struct pica_exec_job *job, pica_input_regs *v, unsigned int n)
{
	unsigned int i;

	memset(job, 0, sizeof(*job));
	job->prog.code = g->code;
	job->prog.ncode = g->ncode;
	job->prog.opdesc = g->opdesc;
	job->prog.nopdesc = PICA_REF_MAX_OPDESC;
	job->prog.entry = g->entry;
	job->prog.stage = g->flags & GEN_GEOMETRY ? PICA_REF_GEOMETRY : PICA_REF_VERTEX;
	job->prog.output_mask = g->output_mask;
	job->prog.model = model;
	job->prog.switches = g->switches;
	job->prog.step_limit = step_limit;
	job->uniforms = g->uniforms;
	job->n = n;
	job->v = v;
	for (i = 0; i < n; i++)
		gen_inputs(g, i, v[i]);
}
