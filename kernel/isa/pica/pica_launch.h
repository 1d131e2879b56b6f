/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Conversion of a shader job's PICA block to the engine's launch record.
 */
#ifndef PICA_LAUNCH_H
#define PICA_LAUNCH_H

#include "../isa.h"
#include "../../engine/vs_job.h"

#define PICA_FLOAT_UNIFORMS	96

/* Same numbers as enum drm_vshader_pica_model. */
enum pica_model { PICA_MODEL_F24, PICA_MODEL_F32 };

/* Same bits as enum drm_vshader_pica_switch. */
#define PICA_SW_ROUND_NEAREST	0x1
#define PICA_SW_OOR_READS_ZERO	0x2
#define PICA_SW_LOOP_RESTORES_AL 0x4
#define PICA_SW_STRICT		0x8	/* command lists only */
#define PICA_SW_FACTORS_OF_MIN_MAX 0x10	/* these and the following: pictures only */
#define PICA_SW_REFLECTIONS_SWAPPED 0x20
#define PICA_SW_QUATERNIONS_AS_GIVEN 0x40
#define PICA_SW_FACTOR_UNBOUNDED 0x80
#define PICA_SW_SHADOW_ALPHA_OF_BOTH 0x100
#define PICA_SW_TEXELS_TO_ZERO	0x200
#define PICA_SW_CLAMP_OF_BOTH	0x400
#define PICA_SW_ALL		0x7ff

/**
 * struct pica_launch - parameters of a PICA run other than program, range and streams
 * @model:	enum pica_model
 * @switches:	PICA_SW_*
 * @floats:	rows c0.., binary32 bits, or raw 1.7.16 words if @floats_f24
 * @nfloats:	number of rows in @floats, at most 96; the rest is zero
 * @floats_f24:	format of @floats
 * @ints:	i0..i3 as x, y, z, w
 * @bools:	bit n = bn
 * @output_mask: geometry: enabled outputs
 * @max_prims:	geometry: capacity per invocation, in primitives
 * @prims_va:	geometry: address of the primitives
 * @prim_info_va: geometry: address of their information, or 0
 */
struct pica_launch {
	u32 model;
	u32 switches;
	const u32 (*floats)[4];
	u32 nfloats;
	bool floats_f24;
	u8 ints[4][4];
	u32 bools;
	u32 output_mask;
	u32 max_prims;
	u64 prims_va;
	u64 prim_info_va;
};

/**
 * pica_launch_fill - complete a launch record
 * @prog: program
 * @pl: PICA block, checked here
 * @l: count, instances, first, index and streams set by the caller; the rest is set here
 * @entry: guest word of the entry point
 * @unif: prog->prog->nunif words, filled here in the model's representation; must live
 *	as long as the job
 * @what: on error the name of the offending field
 *
 * Return: 0 or -EINVAL.
 */
int pica_launch_fill(const struct vs_program *prog, const struct pica_launch *pl,
		     struct vs_launch *l, u32 entry, u32 *unif, const char **what);

#endif /* PICA_LAUNCH_H */
