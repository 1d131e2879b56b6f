/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scalar model of a frame: every sample of every pixel, in double precision, from vertices that
 * are truncated to 1/16 pixel. It knows nothing of tiles, lists, quads and programs.
 */
#ifndef SELFTESTS_VC4_MODEL_H
#define SELFTESTS_VC4_MODEL_H

#include "scene.h"

#define MODEL_SIDE	320

/**
 * struct model_draw - State of a draw.
 * @program:	fragments
 * @uniforms:	of the program
 * @window:	x, y, width, height
 * @front:	fronts are drawn
 * @back:	backs are drawn
 * @cw:		clockwise triangles show their front
 * @single:	of a frame of four samples: pixels are covered as a whole
 * @func:	depth function
 * @update:	depth is written
 * @flat:	varyings that are those of the last vertex
 * @size:	of points, width of lines
 * @factor:	depth offset
 * @units:	"
 */
struct model_draw {
	enum sc_program program;
	u32 uniforms[3];
	u32 window[4];
	bool front;
	bool back;
	bool cw;
	bool single;
	u32 func;
	bool update;
	u32 flat;
	double size;
	float factor;
	float units;
};

struct model_sample {
	u32 color;
	u32 z;
	u32 s;
	bool near;	/* an edge, or a step of depth, is so near that either result is right */
};

extern struct model_sample model[MODEL_SIDE][MODEL_SIDE][4];

void model_begin(const struct scene *s);
void model_draw_init(const struct scene *s, struct model_draw *d, enum sc_program program);
/* Triangles whose corners are in front of the eye; not clipped. */
void model_triangle(const struct scene *s, const struct model_draw *d,
		    const struct sc_vertex *const v[3], const struct sc_vertex *provoking);
void model_point(const struct scene *s, const struct model_draw *d, const struct sc_vertex *v);

/* Pixels of the stored images that differ by more than @most of 255 in a component. */
u32 model_differences(const struct scene *s, u32 most, u32 *worst);

#endif /* SELFTESTS_VC4_MODEL_H */
