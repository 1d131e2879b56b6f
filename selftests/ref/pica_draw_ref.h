/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of the PICA200 behind primitive assembly: one pixel after the other, in double
 * precision, with a function for memory. Written from public register documentation only.
 */
#ifndef SELFTESTS_REF_PICA_DRAW_REF_H
#define SELFTESTS_REF_PICA_DRAW_REF_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pica_draw_ref - State of the chip.
 * @r:		registers
 * @light:	tables of lighting
 * @fog:	table of fog
 * @noise:	tables of unit 3
 * @map:	"; colour, alpha
 * @colour:	"
 * @diff:	"
 * @f24:	window coordinates are of 1.7.16, truncated
 * @factors_of_min_max: switches, see numeric-model.rst
 * @reflections_swapped: "
 * @quaternions_as_given: "
 * @factor_unbounded: "
 * @shadow_alpha_of_both: "
 * @texels_to_zero: "
 * @clamp_of_both: "
 * @mem:	memory for an address, or NULL
 */
struct pica_draw_ref {
	uint32_t r[0x300];
	uint32_t light[32][256];
	uint32_t fog[128];
	uint32_t noise[128];
	uint32_t map[2][128];
	uint32_t colour[256];
	uint32_t diff[256];
	bool f24;
	bool factors_of_min_max;
	bool reflections_swapped;
	bool quaternions_as_given;
	bool factor_unbounded;
	bool shadow_alpha_of_both;
	bool texels_to_zero;
	bool clamp_of_both;
	uint8_t *(*mem)(uint32_t va);
};

/* Write a register, with the effects of ports. */
void pica_draw_ref_write(struct pica_draw_ref *s, uint32_t reg, uint32_t value);
/* Draw a triangle of three vertices of 24 numbers each. */
void pica_draw_ref_triangle(struct pica_draw_ref *s, const float v[3][24]);

/* ---- parts, in pica_draw_ref_tex.c and pica_draw_ref_light.c ---- */

struct pica_draw_ref_frag {
	int x;
	int y;
	double z;
	double a[24];
	double quad[4][24];	/* of the 2 x 2 pixels around, row by row */
	int src[16][4];
	int out[4];
};

void pica_draw_ref_texture(struct pica_draw_ref *s, int unit, struct pica_draw_ref_frag *f);
void pica_draw_ref_proctex(struct pica_draw_ref *s, struct pica_draw_ref_frag *f);
void pica_draw_ref_light(struct pica_draw_ref *s, struct pica_draw_ref_frag *f);
void pica_draw_ref_colour(int format, const uint8_t *p, int c[4]);
void pica_draw_ref_put_colour(int format, const int c[4], uint8_t *p);
double pica_draw_ref_float(uint32_t raw, int exponent, int mantissa);
/* Offset of a pixel in pixels: blocks of 8 x 8 in rows. */
uint32_t pica_draw_ref_place(int x, int y, int width);
/* The same in blocks of @side x @side. */
uint32_t pica_draw_ref_place_in(int x, int y, int width, int side);

#endif
