/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the rasteriser's tests.
 */
#ifndef SELFTESTS_RASTER_RT_H
#define SELFTESTS_RASTER_RT_H

#include "raster/vr_tile.h"
#include "tap.h"

#define CHECK(ok)	tap_result(ok, "%s", #ok)

/* From the command line: --long, --quick, --emulated, --seed N. */
extern bool rt_long;
extern bool rt_quick;
extern bool rt_emulated;	/* by another processor: slow */
void rt_args(int argc, char **argv);

u64 rt_rnd64(void);
u32 rt_rnd(u32 n);
/* Coverage of a quad, with up to @samples. */
u64 rt_rnd_cover(u32 samples);
/* Between @lo and @hi. */
double rt_between(double lo, double hi);

u32 rt_bits(float f);
float rt_float(u32 bits);
/* Seconds of CPU time. */
double rt_seconds(void);

struct vr_vertex rt_vertex(double x, double y, double z, double inv_w);
/* A frame of one tile, one sample, nothing culled. */
struct vr_state rt_state(void);

/* Coverage of the tile at the frame's origin: samples of each pixel. */
struct rt_cover {
	u16 at[VR_TILE][VR_TILE];
};

void rt_cover(struct rt_cover *c, const struct vr_prim *p);

/* Blend a quad whose colours are given pixel by pixel: a block of its own. @second: or NULL */
void rt_blend_quad(enum vs_simd simd, struct vr_tile *t, u32 target, const struct vr_blend *b,
		   u32 x, u32 y, u64 cover, const u32 src[4][4], const u32 second[4][4]);

/* Of Mali's code for a format of v7. @order: of components */
struct px_format rt_format(u32 code, u32 order, bool srgb);
/* Random bytes; @n: a multiple of 8 */
void rt_fill(u8 *p, u32 n);
/* Any number, or the code of a byte. */
u32 rt_component(void);
/* A function of blending, and the state with two. */
struct vr_function rt_rnd_function(void);
struct vr_blend rt_rnd_blend(void);

#endif /* SELFTESTS_RASTER_RT_H */
