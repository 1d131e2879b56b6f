// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of the ioctl tests, assembled by hand.
 */
#include "vst.h"

static const __u32 desc_all[] = { PDESC_ALL };

static const __u32 mov[] = {
	P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* mov o0, v0 */
	P0(PICA_END),
};

static const __u32 mul[] = {
	P1(PICA_MUL, PD_O(0), PS_C(0), PS_V(0), 0),	/* mul o0, c0, v0 */
	P0(PICA_END),
};

static const __u32 mad[] = {
	P1(PICA_MOV, PD_R(0), PS_C(1), 0, 0),		/* mov r0, c1 */
	PMAD(PD_O(0), PS_V(0), PS_C(0), PS_R(0), 0),	/* mad o0, v0, c0, r0 */
	P0(PICA_END),
};

static const __u32 two[] = {
	P1(PICA_ADD, PD_O(0), PS_V(0), PS_V(0), 0),	/* add o0, v0, v0 */
	P1(PICA_MOV, PD_O(1), PS_V(0), 0, 1),		/* mov o1, v0.wzyx */
	P0(PICA_END),
};

static const __u32 two_desc[] = {
	PDESC_ALL,
	PDESC(PM_XYZW, PSEL_WZYX, PSEL_XYZW, PSEL_XYZW),
};

static const __u32 loop[] = {
	P1(PICA_MOV, PD_R(0), PS_C(1), 0, 0),		/* 0: mov r0, c1 */
	P3(PICA_LOOP, 0, 2, 0),				/* 1: loop i0, to word 2 */
	P1(PICA_ADD, PD_R(0), PS_C(0), PS_R(0), 0),	/* 2: add r0, c0, r0 */
	P1(PICA_MOV, PD_O(0), PS_R(0), 0, 0),		/* 3: mov o0, r0 */
	P0(PICA_END),
};

static const __u32 spin[] = {
	P3(PICA_JMPU, 0, 0, 1),				/* 0: jmpu !b0, 0 */
	P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* 1: mov o0, v0 */
	P0(PICA_END),
};

/* Two nested loops, which must not end on the same word. */
static const __u32 long_loop[] = {
	P1(PICA_MOV, PD_R(0), PS_C(0), 0, 0),		/* 0: mov r0, c0 */
	P3(PICA_LOOP, 0, 4, 0),				/* 1: loop i0, to word 4 */
	P3(PICA_LOOP, 1, 3, 0),				/* 2: loop i1, to word 3 */
	P1(PICA_ADD, PD_R(0), PS_C(0), PS_R(0), 0),	/* 3: add r0, c0, r0 */
	P0(PICA_NOP),					/* 4: nop */
	P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* 5: mov o0, v0 */
	P0(PICA_END),
};

static const __u32 hang[] = {
	P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* 0: mov o0, v0 */
	P0(PICA_BREAK),					/* 1: break */
	P0(PICA_END),
};

static const __u32 relative[] = {
	P1(PICA_MOVA, 0, PS_V(0), 0, 1),		/* mova a0.x, v0.x */
	P1X(PICA_MOV, PD_O(0), PX_A0X, PS_C(0), 0, 0),	/* mov o0, c0[a0.x] */
	P0(PICA_END),
};

static const __u32 relative_desc[] = {
	PDESC_ALL,
	PDESC(PM_X, PSEL_XYZW, PSEL_XYZW, PSEL_XYZW),
};

static const __u32 diverge[] = {
	PCMP(4, 4, PS_C(0), PS_V(0), 0),		/* 0: cmp c0 > v0 */
	P2(PICA_IFC, 1, 0, 2, 3, 1),			/* 1: ifc cmp.x, else at 3, 1 word */
	P1(PICA_MOV, PD_O(0), PS_C(1), 0, 0),		/* 2: mov o0, c1 */
	P1(PICA_MOV, PD_O(0), PS_C(2), 0, 0),		/* 3: mov o0, c2 */
	P0(PICA_NOP),
	P0(PICA_END),
};

static const __u32 triangle[] = {
	PSETEMIT(0, 0, 0),
	P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* mov o0, v0 */
	P0(PICA_EMIT),
	PSETEMIT(1, 0, 0),
	P1(PICA_ADD, PD_O(0), PS_C(0), PS_V(0), 0),	/* add o0, c0, v0 */
	P0(PICA_EMIT),
	PSETEMIT(2, 1, 0),
	P1(PICA_ADD, PD_O(0), PS_C(1), PS_V(0), 0),	/* add o0, c1, v0 */
	P0(PICA_EMIT),
	P0(PICA_END),
};

#define CODE(s, c, d) {							\
	.stage = DRM_VSHADER_STAGE_##s, .code = (c), .ncode = ARRAY_SIZE(c),	\
	.desc = (d), .ndesc = ARRAY_SIZE(d) }

const struct vst_code vst_mov = CODE(VERTEX, mov, desc_all);
const struct vst_code vst_mul = CODE(VERTEX, mul, desc_all);
const struct vst_code vst_mad = CODE(VERTEX, mad, desc_all);
const struct vst_code vst_two = CODE(VERTEX, two, two_desc);
const struct vst_code vst_loop = CODE(VERTEX, loop, desc_all);
const struct vst_code vst_spin = CODE(VERTEX, spin, desc_all);
const struct vst_code vst_long_loop = CODE(VERTEX, long_loop, desc_all);
const struct vst_code vst_hang = CODE(VERTEX, hang, desc_all);
const struct vst_code vst_relative = CODE(VERTEX, relative, relative_desc);
const struct vst_code vst_diverge = CODE(VERTEX, diverge, desc_all);
const struct vst_code vst_triangle = CODE(GEOMETRY, triangle, desc_all);
