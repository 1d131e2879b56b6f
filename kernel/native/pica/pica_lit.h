/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * PICA200 pictures: decoding that both builds of lighting and combiners share.
 */
#ifndef PICA_LIT_H
#define PICA_LIT_H

#include "../../isa/pica/pica_launch.h"
#include "pica_paint.h"

/* ---- lighting ---- */

#define PICA_LIT_DA	BIT(7)

/* Tables of a configuration; D0 is bit 0, distance attenuation bit 7. */
static inline u32 pica_lit_tables(u32 config)
{
	static const u8 tables[16] = { 0xc5, 0xcc, 0xc3, 0x8b, 0xf7, 0xfd, 0xcf, 0, 0xff };

	return tables[config & 15];
}

/* Is a table used? Public sources disagree on the order of the bits that turn reflections off. */
static inline bool pica_lit_has(const struct pica_frag *f, u32 luts, u32 c1, u32 k)
{
	u32 off = k;

	if (f->switches & PICA_SW_REFLECTIONS_SWAPPED && k >= PICA_LUT_RB && k <= PICA_LUT_RR)
		off = PICA_LUT_RB + PICA_LUT_RR - k;
	return luts >> k & 1 && !(c1 >> (16 + off) & 1);
}

/* ---- combiners ---- */

enum pica_comb_op {
	PICA_OP_REPLACE, PICA_OP_MODULATE, PICA_OP_ADD, PICA_OP_ADD_SIGNED, PICA_OP_LERP,
	PICA_OP_SUBTRACT, PICA_OP_DOT3_RGB, PICA_OP_DOT3_RGBA, PICA_OP_MULTIPLY_ADD,
	PICA_OP_ADD_MULTIPLY
};

/* First register of a stage. */
static inline u32 pica_comb_base(u32 stage)
{
	return stage < 4 ? 0x0c0 + 8 * stage : 0x0f0 + 8 * (stage - 4);
}

/*
 * The first stage's previous result is that of its third source; if this is the previous one,
 * too, the primary colour.
 */
static inline u32 pica_comb_source(u32 stage, u32 code, u32 third)
{
	if (code != PICA_SRC_PREVIOUS || stage)
		return code;
	return third == PICA_SRC_PREVIOUS ? PICA_SRC_PRIMARY : third;
}

/* Component that an operand of colour reads, by its code without the lowest bit. */
static inline u32 pica_comb_rgb(u32 code, u32 i)
{
	switch (code & 0xe) {
	case 0:
		return i;
	case 2:
		return 3;
	case 4:
		return 0;
	case 8:
		return 1;
	default:
		return 2;
	}
}

/* The same of alpha. */
static inline u32 pica_comb_alpha(u32 code)
{
	static const u8 from[4] = { 3, 0, 1, 2 };

	return from[code >> 1 & 3];
}

#endif /* PICA_LIT_H */
