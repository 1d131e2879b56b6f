// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Primitive assembly: from a draw's indices to points, lines and triangles.
 */
#include "vs_raster.h"

void vr_assembly_begin(struct vr_assembly *a, u32 mode, bool first)
{
	memset(a, 0, sizeof(*a));
	a->mode = mode;
	a->first = first;
}

static void put_line(struct vr_assembly *a, struct vr_corners *c, u32 v0, u32 v1)
{
	*c = (struct vr_corners){ .n = 2, .provoking = !a->first, .primitive = a->primitive++,
				  .index = { v0, v1 } };
}

static void assemble_put_triangle(struct vr_assembly *a, struct vr_corners *c, u32 provoking,
				  u32 v0, u32 v1, u32 v2)
{
	*c = (struct vr_corners){ .n = 3, .provoking = provoking, .primitive = a->primitive,
				  .index = { v0, v1, v2 } };
}

/* Two triangles that both have the provoking vertex; @provoking: its number in @q. */
static u32 assemble_put_quad(struct vr_assembly *a, struct vr_corners out[VR_MAX_ASSEMBLED],
			     const u32 q[4], u32 provoking)
{
	u32 i, v[4];

	for (i = 0; i < 4; i++)
		v[i] = q[(provoking + i) % 4];
	assemble_put_triangle(a, &out[0], 0, v[0], v[1], v[2]);
	assemble_put_triangle(a, &out[1], 0, v[0], v[2], v[3]);
	a->primitive++;
	return 2;
}

static u32 assemble_list(struct vr_assembly *a, struct vr_corners *out, u32 n)
{
	if (a->have < n)
		return 0;
	a->have = 0;
	if (n == 1) {
		*out = (struct vr_corners){ .n = 1, .primitive = a->primitive++,
					    .index = { a->v[0] } };
	} else if (n == 2) {
		put_line(a, out, a->v[0], a->v[1]);
	} else {
		assemble_put_triangle(a, out, a->first ? 0 : 2, a->v[0], a->v[1], a->v[2]);
		a->primitive++;
	}
	return 1;
}

/* Loops keep their first vertex in v[2]. */
static u32 line_strip(struct vr_assembly *a, struct vr_corners *out)
{
	if (a->have == 1) {
		a->v[2] = a->v[0];
		return 0;
	}
	put_line(a, out, a->v[0], a->v[1]);
	a->v[0] = a->v[1];
	a->have--;
	/* a loop needs its last line */
	a->v[3] = 1;
	return 1;
}

/* Every second triangle has its first two vertices exchanged, so that all face one side. */
static u32 triangle_strip(struct vr_assembly *a, struct vr_corners *out)
{
	u32 odd = a->v[3];

	if (a->have < 3)
		return 0;
	assemble_put_triangle(a, out, a->first ? odd : 2, a->v[odd], a->v[!odd], a->v[2]);
	a->primitive++;
	a->v[0] = a->v[1];
	a->v[1] = a->v[2];
	a->v[3] = !odd;
	a->have--;
	return 1;
}

/* A polygon's provoking vertex is its first, whatever the convention. */
static u32 triangle_fan(struct vr_assembly *a, struct vr_corners *out)
{
	u32 provoking = a->mode == VR_POLYGON ? 0 : a->first ? 1 : 2;

	if (a->have < 3)
		return 0;
	assemble_put_triangle(a, out, provoking, a->v[0], a->v[1], a->v[2]);
	a->primitive += a->mode != VR_POLYGON;
	a->v[1] = a->v[2];
	a->have--;
	return 1;
}

static u32 quads(struct vr_assembly *a, struct vr_corners out[VR_MAX_ASSEMBLED])
{
	if (a->have < 4)
		return 0;
	a->have = 0;
	return assemble_put_quad(a, out, a->v, a->first ? 0 : 3);
}

static u32 quad_strip(struct vr_assembly *a, struct vr_corners out[VR_MAX_ASSEMBLED])
{
	u32 q[4];

	if (a->have < 4)
		return 0;
	q[0] = a->v[0];
	q[1] = a->v[1];
	q[2] = a->v[3];
	q[3] = a->v[2];
	a->v[0] = a->v[2];
	a->v[1] = a->v[3];
	a->have = 2;
	/* the last vertex given is q[2] */
	return assemble_put_quad(a, out, q, a->first ? 0 : 2);
}

u32 vr_assemble(struct vr_assembly *a, u32 index, struct vr_corners out[VR_MAX_ASSEMBLED])
{
	/* at most 3 are kept from one call to the next */
	if (a->mode >= VR_NUM_MODES)
		return 0;
	a->v[a->have++ & 3] = index;
	switch (a->mode) {
	case VR_POINTS:
		return assemble_list(a, out, 1);
	case VR_LINES:
		return assemble_list(a, out, 2);
	case VR_LINE_STRIP:
	case VR_LINE_LOOP:
		return line_strip(a, out);
	case VR_TRIANGLES:
		return assemble_list(a, out, 3);
	case VR_TRIANGLE_STRIP:
		return triangle_strip(a, out);
	case VR_TRIANGLE_FAN:
	case VR_POLYGON:
		return triangle_fan(a, out);
	case VR_QUADS_LIST:
		return quads(a, out);
	default:
		return quad_strip(a, out);
	}
}

u32 vr_assemble_restart(struct vr_assembly *a, struct vr_corners out[VR_MAX_ASSEMBLED])
{
	u32 n = 0;

	if (a->mode == VR_LINE_LOOP && a->have && a->v[3]) {
		put_line(a, out, a->v[0], a->v[2]);
		n = 1;
	}
	a->have = 0;
	a->v[3] = 0;
	/* the next polygon */
	if (a->mode == VR_POLYGON)
		a->primitive++;
	return n;
}
