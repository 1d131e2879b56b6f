// SPDX-License-Identifier: GPL-2.0
/* Masks, swizzles, negation, register files, relative addressing, MOVA. */
#include <stdio.h>
#include <string.h>

#include "../include/tap.h"
#include "opcode_run.h"

#define NUM_MODELS	3
#define SEVEN		0x40e00000u
#define PLAIN		DESC_PLAIN(0xf)

static uint32_t small(unsigned int n)
{
	return pica_ref_to_bits((float)n);
}

static void report(struct pica_executor *ex, const char *what, const struct probe *p, bool ok)
{
	if (!tap_result(ok, "%s %s", ex->name, what))
		tap_comment("  %s", p->why);
}

/* Every mask with operations of several kinds; untouched components keep 7. */
static bool mask_case(struct probe *p, uint32_t word, uint32_t mask, const uint32_t result[4])
{
	uint32_t want[4];
	unsigned int i;

	p->ncode = 0;
	p->opdesc[0] = DESC_PLAIN(mask);
	p->opdesc[1] = PLAIN;
	probe_splat(p->uniforms.f[0], SEVEN);
	for (i = 0; i < 4; i++) {
		p->v[0][i] = small(i + 1);
		p->v[1][i] = F1;
		want[i] = mask >> (3 - i) & 1 ? result[i] : SEVEN;
	}
	probe_word(p, I1(MOV, O(2), 0, C(0), 0, 1));
	probe_word(p, word);
	probe_word(p, I0(END));
	return probe_run(p, PICA_REF_DONE) && probe_output(p, 2, want, 0);
}

static void test_masks(struct pica_executor *ex)
{
	const struct {
		const char *name;
		uint32_t word;
		uint32_t result[4];
	} t[] = {
		{ "MOV", I1(MOV, O(2), 0, V(0), 0, 0), { F1, F2, F3, F4 } },
		{ "ADD", I1(ADD, O(2), 0, V(0), V(1), 0), { F2, F3, F4, 0x40a00000 } },
		{ "MAD", IMAD(O(2), 0, V(0), V(1), V(1), 0), { F2, F3, F4, 0x40a00000 } },
		{ "MADI", IMADI(O(2), 0, V(0), V(1), V(1), 0), { F2, F3, F4, 0x40a00000 } },
		{ "DP4", I1(DP4, O(2), 0, V(0), V(1), 0),
		  { 0x41200000, 0x41200000, 0x41200000, 0x41200000 } },
		{ "DPHI", I1I(DPHI, O(2), 0, V(0), V(1), 0), { SEVEN, SEVEN, SEVEN, SEVEN } },
		{ "RCP", I1(RCP, O(2), 0, V(0), 0, 0), { F1, F1, F1, F1 } },
		{ "LITP", I1(LITP, O(2), 0, V(0), 0, 0), { F1, F2, F0, F4 } },
		{ "DST", I1(DST, O(2), 0, V(0), V(1), 0), { F1, F2, F3, F1 } },
		{ "SLT", I1(SLT, O(2), 0, V(0), V(1), 0), { F0, F0, F0, F0 } },
		{ "SGEI", I1I(SGEI, O(2), 0, V(0), V(1), 0), { F1, F1, F1, F1 } },
	};
	unsigned int i, m;
	uint32_t mask;
	struct probe p;
	bool ok;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char name[32];

		ok = true;
		for (m = 0; m < NUM_MODELS && ok; m++) {
			probe_init(&p, ex, (enum pica_ref_model)m);
			for (mask = 0; mask < 16 && ok; mask++)
				ok = mask_case(&p, t[i].word, mask, t[i].result);
		}
		snprintf(name, sizeof(name), "%s with 16 masks", t[i].name);
		report(ex, name, &p, ok);
	}
}

/* A selector takes component sel>>6 into x, .. sel into w; then the sign flips. */
static bool swizzle_case(struct probe *p, unsigned int source, uint32_t sel, bool negate)
{
	uint32_t s[3] = { SEL_XYZW, SEL_XYZW, SEL_XYZW };
	bool n[3] = { false, false, false };
	uint32_t want[4];
	unsigned int i;

	s[source] = sel;
	n[source] = negate;
	p->ncode = 0;
	p->opdesc[0] = DESC(0xf, s[0], n[0], s[1], n[1], s[2], n[2]);
	memset(p->v, 0, sizeof(p->v));
	for (i = 0; i < 4; i++) {
		p->v[3][i] = small(i + 1);
		want[i] = small((sel >> (6 - 2 * i) & 3) + 1) | (negate ? N0 : 0);
	}
	if (source == 0)
		probe_word(p, I1(MOV, O(0), 0, V(3), 0, 0));
	else if (source == 1)
		probe_word(p, I1(ADD, O(0), 0, V(4), V(3), 0));
	else
		probe_word(p, IMAD(O(0), 0, V(4), V(4), V(3), 0));
	probe_word(p, I0(END));
	return probe_run(p, PICA_REF_DONE) && probe_output(p, 0, want, 0);
}

static void test_swizzles(struct pica_executor *ex)
{
	unsigned int source, m;
	struct probe p;
	uint32_t sel;
	bool ok;

	for (source = 0; source < 3; source++) {
		char name[48];

		ok = true;
		for (m = 0; m < NUM_MODELS && ok; m++) {
			probe_init(&p, ex, (enum pica_ref_model)m);
			for (sel = 0; sel < 256 && ok; sel++)
				ok = swizzle_case(&p, source, sel, false) &&
				     swizzle_case(&p, source, sel, true);
		}
		snprintf(name, sizeof(name), "source %u with 256 selectors, negated or not",
			 source + 1);
		report(ex, name, &p, ok);
	}
}

/* Unused sources' descriptor bits and the 31st bit change nothing. */
static void test_unused_bits(struct pica_executor *ex)
{
	const uint32_t want[4] = { F1, F2, F3, F4 };
	struct probe p;
	bool ok;

	probe_init(&p, ex, PICA_REF_F32);
	p.opdesc[0] = DESC(0xf, SEL_XYZW, 0, 0xff, 1, 0xff, 1) | 0x80000000u;
	memcpy(p.v[0], want, sizeof(want));
	probe_word(&p, I1(MOV, O(0), 0, V(0), 0x1f, 0));
	probe_word(&p, I0(END));
	ok = probe_run(&p, PICA_REF_DONE) && probe_output(&p, 0, want, 0);
	report(ex, "MOV with the fields of other sources set", &p, ok);
}

static void test_negative_zero(struct pica_executor *ex)
{
	const uint32_t f32[4] = { N0, F0, MINF, M1 };
	const uint32_t f24[4] = { F0, F0, MINF, M1 };
	unsigned int m;
	struct probe p;
	bool ok = true;

	for (m = 0; m < NUM_MODELS && ok; m++) {
		probe_init(&p, ex, (enum pica_ref_model)m);
		p.opdesc[0] = DESC(0xf, SEL_XYZW, 1, 0, 0, 0, 0);
		p.v[0][0] = F0;
		p.v[0][1] = N0;
		p.v[0][2] = FINF;
		p.v[0][3] = F1;
		probe_word(&p, I1(MOV, O(0), 0, V(0), 0, 0));
		probe_word(&p, I0(END));
		ok = probe_run(&p, PICA_REF_DONE) && probe_output(&p, 0, m ? f24 : f32, 0);
	}
	report(ex, "negation of zeros and infinity", &p, ok);
}

/* Files */

static void test_inputs_outputs(struct pica_executor *ex)
{
	struct probe p;
	unsigned int i;
	uint32_t want[4];
	bool ok;

	probe_init(&p, ex, PICA_REF_F24_TRUNC);
	p.opdesc[0] = PLAIN;
	for (i = 0; i < 16; i++) {
		probe_splat(p.v[i], small(100 + i));
		probe_word(&p, I1(MOV, O(15 - i), 0, V(i), 0, 0));
	}
	probe_word(&p, I0(END));
	ok = probe_run(&p, PICA_REF_DONE);
	for (i = 0; i < 16 && ok; i++) {
		probe_splat(want, small(115 - i));
		ok = probe_output(&p, i, want, 0);
	}
	report(ex, "all inputs and outputs", &p, ok);
}

static void test_temporaries(struct pica_executor *ex)
{
	struct probe p;
	unsigned int i;
	uint32_t want[4];
	bool ok;

	probe_init(&p, ex, PICA_REF_F32);
	p.opdesc[0] = PLAIN;
	for (i = 0; i < 16; i++) {
		probe_splat(p.v[i], small(100 + i));
		probe_word(&p, I1(MOV, R(i), 0, V(i), 0, 0));
	}
	for (i = 0; i < 16; i++)
		probe_word(&p, I1(ADD, O(i), 0, R(i), R(15 - i), 0));
	probe_word(&p, I0(END));
	ok = probe_run(&p, PICA_REF_DONE);
	for (i = 0; i < 16 && ok; i++) {
		probe_splat(want, small(215));
		ok = probe_output(&p, i, want, 0);
	}
	report(ex, "all temporaries", &p, ok);
}

static void fill_uniforms(struct probe *p)
{
	unsigned int i, j;

	for (i = 0; i < PICA_REF_NUM_CF; i++)
		for (j = 0; j < 4; j++)
			p->uniforms.f[i][j] = small(1000 + 4 * i + j);
}

static void want_uniform(unsigned int index, uint32_t want[4])
{
	unsigned int j;

	for (j = 0; j < 4; j++)
		want[j] = index < PICA_REF_NUM_CF ? small(1000 + 4 * index + j) : F1;
}

static void test_uniforms(struct pica_executor *ex)
{
	uint32_t want[4];
	struct probe p;
	unsigned int i;
	bool ok = true;

	probe_init(&p, ex, PICA_REF_F32);
	p.opdesc[0] = PLAIN;
	fill_uniforms(&p);
	for (i = 0; i < PICA_REF_NUM_CF && ok; i++) {
		p.ncode = 0;
		probe_word(&p, I1(MOV, O(0), 0, C(i), 0, 0));
		probe_word(&p, I0(END));
		want_uniform(i, want);
		ok = probe_run(&p, PICA_REF_DONE) && probe_output(&p, 0, want, 0);
	}
	report(ex, "all float uniforms", &p, ok);
}

static void test_zero_start(struct pica_executor *ex)
{
	const uint32_t zero[4] = { 0 };
	struct probe p;
	unsigned int i;
	bool ok;

	/* Write state first, then check whether it is visible. */
	probe_init(&p, ex, PICA_REF_F32);
	p.opdesc[0] = PLAIN;
	probe_splat(p.v[0], SEVEN);
	for (i = 0; i < 16; i++) {
		probe_word(&p, I1(MOV, R(i), 0, V(0), 0, 0));
		probe_word(&p, I1(MOV, O(i), 0, V(0), 0, 0));
	}
	probe_word(&p, I1(MOVA, 0, 0, V(0), 0, 0));
	probe_word(&p, I0(END));
	ok = probe_run(&p, PICA_REF_DONE);

	p.ncode = 0;
	memset(p.uniforms.f, 0, sizeof(p.uniforms.f));
	probe_splat(p.uniforms.f[7], SEVEN);
	for (i = 0; i < 15; i++)
		probe_word(&p, I1(MOV, O(i), 0, R(i), 0, 0));
	/* c0 with a0 still 7 would read c7; the flags start as 0. */
	probe_word(&p, I1(MOV, O(0), 1, C(0), 0, 0));
	probe_word(&p, I2(JMPC, 0, 0, 1, p.ncode + 2, 0));
	probe_word(&p, I1(MOV, O(0), 0, V(0), 0, 0));
	probe_word(&p, I0(END));
	ok = ok && probe_run(&p, PICA_REF_DONE);
	for (i = 0; i < 16 && ok; i++)
		ok = probe_output(&p, i, zero, 0);
	report(ex, "registers start at zero", &p, ok);
}

/* Relative addressing */

/* Set the register of the offset. */
static void set_offset(struct probe *p, unsigned int idx, float offset)
{
	probe_splat(p->v[1], 0);
	if (idx == 3) {
		p->uniforms.i[1][0] = 0;
		p->uniforms.i[1][1] = (uint8_t)offset;
		p->uniforms.i[1][2] = 0;
		probe_word(p, I3(LOOP, 1, p->ncode + 2, 0));
		return;
	}
	p->v[1][idx - 1] = pica_ref_to_bits(offset);
	probe_word(p, I1(MOVA, 0, 0, V(1), 0, 1));
}

static bool relative_case(struct probe *p, unsigned int idx, unsigned int base, float offset,
			  const uint32_t want[4])
{
	p->ncode = 0;
	set_offset(p, idx, offset);
	probe_word(p, I1(MOV, O(0), idx, C(base), 0, 0));
	probe_word(p, I0(NOP));
	probe_word(p, I0(END));
	return probe_run(p, PICA_REF_DONE) && probe_output(p, 0, want, 0);
}

static void relative_want(unsigned int base, int offset, bool reads_zero, uint32_t want[4])
{
	if (offset < -128 || offset > 127) {
		if (reads_zero) {
			probe_splat(want, F0);
			return;
		}
		offset = 0;
	}
	want_uniform((unsigned int)((int)base + offset) & 0x7f, want);
}

static void test_relative(struct pica_executor *ex, unsigned int switches)
{
	static const int offsets[] = {
		0, 1, 2, 30, 31, 55, 56, 86, 87, 95, 96, 126, 127, -1, -2, -41, -64, -127, -128,
		-129, 128, 129, 255, 256, -256, 1000, -100000,
	};
	static const unsigned int bases[] = { 0, 1, 40, 95 };
	static const char *const from[] = { "", "a0.x", "a0.y", "aL" };
	unsigned int idx, i, b, m;
	uint32_t want[4];
	struct probe p;
	char name[64];
	bool ok;

	for (idx = 1; idx <= 3; idx++) {
		ok = true;
		for (m = 0; m < NUM_MODELS; m++) {
			probe_init(&p, ex, (enum pica_ref_model)m);
			p.switches = switches;
			p.opdesc[0] = PLAIN;
			p.opdesc[1] = DESC_PLAIN(0xc);
			fill_uniforms(&p);
			for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]) && ok; i++) {
				if (idx == 3 && (offsets[i] < 0 || offsets[i] > 255))
					continue;
				for (b = 0; b < 4 && ok; b++) {
					relative_want(bases[b], offsets[i], switches, want);
					ok = relative_case(&p, idx, bases[b], (float)offsets[i],
							   want);
				}
			}
			if (!ok)
				break;
		}
		snprintf(name, sizeof(name), "offsets from %s%s", from[idx],
			 switches ? ", far ones read zero" : "");
		report(ex, name, &p, ok);
	}
}

/* The index belongs to the wide source of every layout. */
static void test_relative_layouts(struct pica_executor *ex)
{
	const struct {
		const char *name;
		uint32_t word;
	} t[] = {
		{ "layout 1", I1(ADD, O(0), 1, C(10), V(0), 0) },
		{ "layout 1, wide register", I1(ADD, O(0), 1, V(2), V(0), 0) },
		{ "layout 1, wide temporary", I1(ADD, O(0), 1, R(2), V(2), 0) },
		{ "layout 1i", I1I(SGEI, O(0), 1, V(3), C(10), 0) },
		{ "layout 1i, wide register", I1I(SGEI, O(0), 1, V(3), V(2), 0) },
		{ "layout 5", IMAD(O(0), 1, V(4), C(10), V(0), 0) },
		{ "layout 5, wide register", IMAD(O(0), 1, V(4), V(2), V(0), 0) },
		{ "layout 5i", IMADI(O(0), 1, V(0), V(0), C(10), 0) },
		{ "layout 5i, wide register", IMADI(O(0), 1, V(0), V(0), V(2), 0) },
	};
	uint32_t want[4];
	struct probe p;
	char name[64];
	unsigned int i;
	bool ok;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		probe_init(&p, ex, PICA_REF_F32);
		p.opdesc[0] = PLAIN;
		p.opdesc[1] = DESC_PLAIN(0x8);
		/* c10 is 5, c13 is 50; SGEI tests 20 >= operand */
		probe_splat(p.uniforms.f[10], small(5));
		probe_splat(p.uniforms.f[13], small(50));
		probe_splat(p.v[1], F3);
		probe_splat(p.v[2], small(50));
		probe_splat(p.v[3], small(20));
		probe_splat(p.v[4], F1);
		probe_word(&p, I1(MOVA, 0, 0, V(1), 0, 1));
		probe_word(&p, t[i].word);
		probe_word(&p, I0(END));
		probe_splat(want, (t[i].word >> 26) == SGEI ? F0 : small(50));
		ok = probe_run(&p, PICA_REF_DONE) && probe_output(&p, 0, want, 0);
		snprintf(name, sizeof(name), "relative %s", t[i].name);
		report(ex, name, &p, ok);
	}
}

static void test_mova(struct pica_executor *ex)
{
	/* Base is c40, so the offset shows in the index; c41, c39 and so on. */
	static const struct {
		const char *name;
		uint32_t in;
		unsigned int index;
	} t[] = {
		{ "2.75 is 2", 0x40300000, 42 }, { "-2.75 is -2", 0xc0300000, 38 },
		{ "0.99 is 0", 0x3f7d7080, 40 }, { "-0.99 is 0", 0xbf7d7080, 40 },
		{ "-0 is 0", N0, 40 }, { "NaN is 0", FNAN, 40 }, { "inf is far", FINF, 40 },
		{ "-inf is far", MINF, 40 }, { "2^31 is far", 0x4f000000, 40 },
		{ "-2^33 is far", 0xd0000000, 40 }, { "127.99 is 127", 0x42fffb00, 39 },
		{ "-128.5 is -128", 0xc3008000, 40 }, { "subnormal is 0", SUB24, 40 },
	};
	unsigned int i, m;
	uint32_t want[4];
	struct probe p;
	char name[48];
	bool ok;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		ok = true;
		for (m = 0; m < NUM_MODELS && ok; m++) {
			probe_init(&p, ex, (enum pica_ref_model)m);
			p.opdesc[0] = PLAIN;
			p.opdesc[1] = DESC_PLAIN(0xc);
			fill_uniforms(&p);
			want_uniform(t[i].index, want);
			ok = relative_case(&p, 1, 40, pica_ref_from_bits(t[i].in), want);
		}
		snprintf(name, sizeof(name), "MOVA: %s", t[i].name);
		report(ex, name, &p, ok);
	}
}

/* Only the x and y bits of the mask count, one register part each. */
static void test_mova_mask(struct pica_executor *ex)
{
	struct probe p;
	uint32_t mask, want[4];
	bool ok = true;

	for (mask = 0; mask < 16 && ok; mask++) {
		probe_init(&p, ex, PICA_REF_F32);
		p.opdesc[0] = PLAIN;
		p.opdesc[1] = DESC_PLAIN(mask);
		p.opdesc[2] = DESC_PLAIN(0xc);
		fill_uniforms(&p);
		p.v[0][0] = F1;
		p.v[0][1] = F2;
		p.v[1][0] = small(20);
		p.v[1][1] = small(30);
		probe_word(&p, I1(MOVA, 0, 0, V(0), 0, 2));
		probe_word(&p, I0(NOP));
		probe_word(&p, I1(MOVA, 0x1f, 0, V(1), 0, 1));
		probe_word(&p, I1(MOV, O(0), 1, C(0), 0, 0));
		probe_word(&p, I1(MOV, O(1), 2, C(0), 0, 0));
		probe_word(&p, I0(END));
		ok = probe_run(&p, PICA_REF_DONE);
		want_uniform(mask & 8 ? 20 : 1, want);
		ok = ok && probe_output(&p, 0, want, 0);
		want_uniform(mask & 4 ? 30 : 2, want);
		ok = ok && probe_output(&p, 1, want, 0);
	}
	report(ex, "MOVA with 16 masks", &p, ok);
}

void opcodes_layout(struct pica_executor *ex)
{
	test_masks(ex);
	test_swizzles(ex);
	test_unused_bits(ex);
	test_negative_zero(ex);
	test_inputs_outputs(ex);
	test_temporaries(ex);
	test_uniforms(ex);
	test_zero_start(ex);
	test_relative(ex, 0);
	test_relative(ex, PICA_REF_OOR_READS_ZERO);
	test_relative_layouts(ex);
	test_mova(ex);
	test_mova_mask(ex);
}
