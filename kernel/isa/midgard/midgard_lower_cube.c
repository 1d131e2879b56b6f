// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Midgard cube map coordinates: face selection and coordinates by the cube map
 * tables of the APIs. The format of the two result words is not published; here they are numbers
 * from 0 to 1, with the face in the high bits, which are zero in such numbers.
 */
#include "midgard_lower_priv.h"

/* |a| < |b| */
static u16 is_shorter(struct ml *l, u16 a, u16 b)
{
	return ml_aux(l, ML_U(.op = SIMT_FCMP, .s = { a, b }, .mods = SIMT_ABS(0) | SIMT_ABS(1),
			      .imm = SIMT_CMP(SIMT_LT, SIMT_TRUE_M1))).s;
}

/* on ? a : b */
static u16 ml_cube_pick(struct ml *l, u16 on, u16 a, u16 b)
{
	return ml_aux(l, ML_U(.op = SIMT_UCSEL, .imm = SIMT_NE,
			      .s = { on, ml_const(l, 0).s, a, b })).s;
}

static u16 ml_cube_two(struct ml *l, u32 op, u16 a, u16 b)
{
	return ml_aux(l, ML_U(.op = (u16)op, .s = { a, b })).s;
}

static u16 shifted(struct ml *l, u32 op, u16 a, u32 n)
{
	return ml_aux(l, ML_U(.op = (u16)op, .s = { a }, .imm = n)).s;
}

/*
 * Map a coordinate from [-1, 1] to [0, 1]: @a / @major, negated if @minus is 1. 0 for the zero
 * vector.
 */
static u16 coordinate(struct ml *l, u16 a, u16 reciprocal, u16 minus, u16 major)
{
	u16 half = ml_const(l, 0x3f000000).s;

	a = ml_cube_two(l, SIMT_FMUL, a, reciprocal);
	a = ml_cube_two(l, SIMT_IXOR, a, shifted(l, SIMT_SHLI, minus, 31));
	a = ml_aux(l, ML_U(.op = SIMT_FMA, .s = { a, half, half },
			   .mods = SIMT_CLAMP(SIMT_CLAMP_0_1))).s;
	return ml_cube_pick(l, shifted(l, SIMT_SHLI, major, 1), a, ml_const(l, 0).s);
}

void ml_cube(struct ml *l, u16 v[4])
{
	u16 zero = ml_const(l, 0).s, one = ml_const(l, 1).s;
	u16 use_y = is_shorter(l, v[0], v[1]), major = ml_cube_pick(l, use_y, v[1], v[0]);
	u16 use_z = is_shorter(l, major, v[2]), minus, face, s, t, flip_s, flip_t, r;

	major = ml_cube_pick(l, use_z, v[2], major);
	minus = shifted(l, SIMT_SHRI, major, 31);
	face = ml_cube_pick(l, use_z, ml_const(l, 4).s,
			    ml_cube_pick(l, use_y, ml_const(l, 2).s, zero));
	face = ml_cube_two(l, SIMT_IOR, face, minus);
	/* faces of x, y, z: s is -z or z, x, x or -x; t is -y, z or -z, -y */
	s = ml_cube_pick(l, use_z, v[0], ml_cube_pick(l, use_y, v[0], v[2]));
	t = ml_cube_pick(l, use_z, v[1], ml_cube_pick(l, use_y, v[2], v[1]));
	flip_s = ml_cube_pick(l, use_z, minus,
			      ml_cube_pick(l, use_y, zero, ml_cube_two(l, SIMT_IXOR, minus, one)));
	flip_t = ml_cube_pick(l, use_z, one, ml_cube_pick(l, use_y, minus, one));
	r = ml_aux(l, ML_U(.op = SIMT_FRCP, .s = { major }, .mods = SIMT_ABS(0))).s;
	s = coordinate(l, s, r, flip_s, major);
	t = coordinate(l, t, r, flip_t, major);
	v[0] = ml_cube_two(l, SIMT_IOR, s, shifted(l, SIMT_SHLI, face, 30));
	face = shifted(l, SIMT_SHRI, face, 2);
	v[1] = ml_cube_two(l, SIMT_IOR, t, shifted(l, SIMT_SHLI, face, 30));
	v[2] = zero;
	v[3] = zero;
}
