/* SPDX-License-Identifier: GPL-2.0 */
/* Midgard texture operations made by hand, with their results. */
#ifndef SELFTESTS_MIDGARD_MTEX_H
#define SELFTESTS_MIDGARD_MTEX_H

#include <string.h>

#include "mcode.h"

/* Tables have a form of an operation and what is different in it. */
#pragma GCC diagnostic ignored "-Woverride-init"

#define ORDER	0x688u
#define R32F	(0xa7u << 12 | ORDER)
#define RGBA8	(0xbbu << 12 | ORDER)
#define R32UI	(0x85u << 12 | ORDER)
#define F(x)	mtex_float(x)

#define NEAREST		0x23u
#define LINEAR		0x20u
#define TRILINEAR	0x38u
#define EDGE		0x999u
#define REPEAT		0x888u
#define BORDER		0xbbbu
#define MIRROR		0xcccu
#define MIRROR_EDGE	0xdddu

#define ONE		0x3f800000u
#define P5		0x3f000000u	/* 0.5 */
#define P25		0x3e800000u
#define TEX(...)	{ .tag = 2, .op = 2, .mode = 1, .partial = 3, .dim = 2, .in_full = true, \
			  .in_swizzle = MC_XYZW, .out_full = true, .type = 1, .mask = 15, \
			  .swizzle = MC_XYZW, __VA_ARGS__ }
#define WHOLE(d, w, h, dp, l, lv) { d, w, h, dp, l, lv, 2, R32F, ORDER }
#define OLD		0xa5a5a5a5u	/* not written: the model's mark */

/* A texture's descriptor; surfaces have addresses and strides. @samples: 0 counts as 1. */
struct mtex {
	unsigned int dim, w, h, d, layers, levels, order;
	uint32_t fmt, swizzle;
	unsigned int samples;
};

/* One operation on one texture with given arguments. */
struct mtex_form {
	const char *what;
	struct mtex t;
	uint32_t flags, lods, wraps;
	struct mc_tex x;
	uint32_t at0[4], at1[4];
	uint32_t want[4];
};

extern const struct mtex_form mtex_forms[];
extern const unsigned int mtex_nforms;

uint32_t mtex_float(float f);

/*
 * Texel x, y, z of a surface is 1 + x + 10 y + 100 z + 1000 surface, as a float or an
 * integer; RGBA8 has x, y, z, surface as bytes.
 */
uint32_t mtex_texel(const struct mtex *t, unsigned int s, unsigned int x, unsigned int y,
		    unsigned int z);

/* Descriptor and texels of the job's only texture. */
void mtex_texture(struct mjob *j, const struct mtex *t);

/* @flags: first word of a sampler; wrap modes of s, t and r, 4 bits each, and a function. */
void mtex_sampler(struct mjob *j, uint32_t flags, uint32_t lods, uint32_t wraps);

/* A thread puts its arguments in place, executes the operation, stores the result at MJ_DATA. */
void mtex_program(struct mjob *j, const struct mc_tex *x, const uint32_t *at0,
		  const uint32_t *at1, struct mcode *c);

#endif
