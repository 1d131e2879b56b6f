/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes: a command list of our own and the reference model get the same registers; memory after
 * the list has run is compared with the model's.
 */
#ifndef SELFTESTS_PICADRAW_SCENE_H
#define SELFTESTS_PICADRAW_SCENE_H

#include "../native/run.h"
#include "../ref/pica_draw_ref.h"

/* Offsets in N.mem. */
#define SC_VERTICES	0x000000u
#define SC_COLOUR	0x100000u
#define SC_DEPTH	0x180000u
#define SC_TEXTURE	0x200000u	/* 256 KiB each */
#define SC_SIDE		64

/* Words of a vertex. */
enum {
	SV_POS = 0, SV_QUAT = 4, SV_COLOUR = 8, SV_TC0 = 12, SV_TC1 = 14, SV_TC0W = 16,
	SV_VIEW = 18, SV_TC2 = 22
};

extern struct pica_draw_ref REF;

/* A frame of 64 x 64 RGBA8 and D24S8 pixels, whose first combiner passes the primary colour. */
void sc_begin(void);
/* A register, in the list and in the model. */
void sc_reg(uint32_t reg, uint32_t value);
uint32_t sc_f24(float f);
uint32_t sc_f16(float f);
uint32_t sc_f20(float f);
/* First combiner: sources and operation of colour and alpha; the others pass. */
void sc_combiner(int stage, uint32_t sources, uint32_t operands, uint32_t op);
/* Texture @unit in RGBA8, of noise, @size pixels a side. */
void sc_texture(int unit, int format, int w, int h, uint32_t params);
/* A vertex: position x, y, z, w and colour; other words as the last one's. */
float *sc_vertex(float x, float y, float z, float w, uint32_t rgba);
/* Rectangle of the whole window, at depth z: texture coordinates 0 to 1. */
void sc_quad(float z, uint32_t rgba);
void sc_rect(float x0, float y0, float x1, float y1, float z, uint32_t rgba);
/* Draw what was added. */
void sc_draw(void);
/* The same with vertices in the list. */
void sc_draw_immediate(void);
/* Run, and compare colours and depths. Up to @tolerance of each byte. */
void sc_check(const char *name, int tolerance);
/* Run without comparison. Return: no fault. */
bool sc_run(void);
/* Pixel of the result: r, g, b, a. @y upwards. */
void sc_pixel(int x, int y, int c[4]);
uint32_t sc_rgba(int x, int y);
/* Of all colours and depths. */
uint32_t sc_sum(void);
uint32_t sc_zs(int x, int y);
uint32_t sc_random(void);
void sc_seed(uint32_t s);
/* DRM_VSHADER_PICA_* of pictures, in the job and in the model. */
void sc_switches(uint32_t switches);
/* As sc_check(), but up to @outliers bytes may differ by more. */
void sc_check_most(const char *name, int tolerance, unsigned int outliers);

#endif
