/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Pixel programs on blocks of quads in a tile buffer: a draw's state, and its launches. */
#ifndef UTGARD_QUADS_H
#define UTGARD_QUADS_H

#include "../../raster/vr_quads.h"
#include "utgard_run.h"

/* Flags of a draw. */
#define UPQ_EARLY	0x1	/* depth and stencil are tested before the program */
#define UPQ_SHADER_Z	0x2	/* the program provides the depth, in x of a register */
#define UPQ_SHADER_S	0x4	/* and the stencil reference, in y: 1 is 255 */
#define UPQ_TO_COVERAGE	0x8	/* alpha to coverage */
#define UPQ_SECOND	0x10	/* there is a second colour */
#define UPQ_COORD_UP	0x20	/* the fragment's y grows upwards, from @origin */
#define UPQ_POINT_UP	0x40	/* t in points grows upwards */
#define UPQ_FP32	0x80	/* registers are binary32 */

/* Layouts of varyings; the names of others are known only. */
enum upq_varying { UPQ_F32X4, UPQ_F32X2, UPQ_F16X4, UPQ_F16X2, UPQ_NUM_VARYING };

/**
 * struct upq_draw - How the quads of a draw are shaded. Lives in the arena, as all it points to.
 * @flags:	UPQ_*
 * @program:	lowered program
 * @code_va:	its address
 * @temps:	rows of temporaries
 * @unif:	uniforms of the program, binary32
 * @uniforms:	their address
 * @rows:	their number, of four halves
 * @textures:	texture units
 * @ntextures:	their number
 * @varyings:	address of the first vertex's varyings
 * @stride:	bytes from vertex to vertex
 * @type:	enum upq_varying of each varying that the program reads
 * @at:		its offset
 * @color:	register with the colour
 * @second:	register with the second colour
 * @depth:	register with the depth
 * @alpha:	alpha test
 * @blend:	checked by vr_blend_ok()
 * @origin:	twice the row of the lower edge, less one
 */
struct upq_draw {
	u32 flags;
	struct upp_program program;
	u32 code_va;
	u32 temps;
	const u32 *unif;
	u32 uniforms;
	u32 rows;
	const struct utgard_tex *textures;
	u32 ntextures;
	u32 varyings;
	u32 stride;
	u8 type[UPP_NUM_VARYINGS];
	u16 at[UPP_NUM_VARYINGS];
	u8 color;
	u8 second;
	u8 depth;
	struct vr_alpha alpha;
	struct vr_blend blend;
	u32 origin;
};

/* Number of registers that are read at the end. */
static inline u32 upq_registers(const struct upq_draw *d)
{
	u32 n = d->color + 1U;

	if (d->flags & UPQ_SECOND)
		n = max(n, d->second + 1U);
	if (d->flags & (UPQ_SHADER_Z | UPQ_SHADER_S))
		n = max(n, d->depth + 1U);
	return n;
}

struct upq_run;

/* Memory for launches, of the arena. Return: NULL: it is full. */
struct upq_run *upq_new(struct simt_arena *a);
/*
 * Launch the program on all blocks of @quads, until utgard_run_end(). Return: 0, -ENOEXEC with
 * @fault, -ENOMEM (arena).
 */
int upq_launch(struct utgard_run *r, struct upq_run *q, const struct upq_draw *d,
	       struct vr_quads *quads, struct vs_debug *dbg, struct vs_fault *fault);

#endif /* UTGARD_QUADS_H */
