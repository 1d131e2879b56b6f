/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes for both of Utgard's frames, and what they look like: a model of one pixel after another,
 * which shares nothing with the engine but the meaning of states.
 */
#ifndef SELFTESTS_UTGARD_SCENE_H
#define SELFTESTS_UTGARD_SCENE_H

#include "frame.h"

#define SC_MAX_DRAWS	24
#define SC_MAX_VERTICES	96
#define SC_PROGRAMS	(FR_CODE + 0x800)	/* 64 bytes for each draw */
#define SC_COLOR	FR_OUT
#define SC_DEPTH	(FR_OUT + 0x80000)

/* Layout of FR_ELEMS. */
#define SC_POSITIONS	FR_ELEMS
#define SC_VARYINGS	(FR_ELEMS + 0x8000)
#define SC_INDICES	(FR_ELEMS + 0x10000)
#define SC_SIZES	(FR_ELEMS + 0x14000)
#define SC_STREAMS	(FR_ELEMS + 0x18000)
#define SC_UNIFORMS	(FR_ELEMS + 0x30000)

enum sc_mode { SC_POINTS, SC_LINES, SC_LOOP, SC_LINE_STRIP, SC_TRIANGLES, SC_STRIP, SC_FAN,
	       SC_QUADS, SC_QUAD_STRIP, SC_POLYGON, SC_RECT = 15 };

struct sc_stencil {
	u32 func, fail, zfail, pass, ref, mask, write;
};

/**
 * struct sc_draw - A draw; the model knows all modes but points and lines.
 * @mode:	enum sc_mode
 * @n:		vertices
 * @pos:	x, y, z, 1 / w
 * @color:	of each vertex
 * @index_bytes: 0: arrays; else indices are those of @index
 * @index:	indices
 * @start:	subtracted from them
 * @scissor:	x0, y0, x1, y1
 * @cull:	bits 17 and 18 of the primitive command
 * @size:	of points and lines
 * @point_sizes: points have sizes of their own, @size plus the vertex's number
 * @range:	depth
 * @dual:	there is a second colour
 * @second:	it
 * @word:	render state, to be changed
 */
struct sc_draw {
	enum sc_mode mode;
	u32 n;
	float pos[SC_MAX_VERTICES][4];
	float color[SC_MAX_VERTICES][4];
	u32 index_bytes;
	u32 index[SC_MAX_VERTICES];
	u32 start;
	u32 scissor[4];
	u32 cull;
	float size;
	bool point_sizes;
	float range[2];
	bool dual;
	float second[4];
	u32 word[UTF_STATE_WORDS];
};

/**
 * struct scene - Memory, size, draws.
 * @fr:		memory
 * @width:	pixels, up to 256
 * @height:	pixels
 * @gpu:	enum utf_gpu
 * @shift:	log2 of tiles of a block
 * @pps:	processors
 * @dlbu:	lists without streams
 * @clear:	r, g, b, a
 * @clear_depth: 24 bits
 * @clear_stencil: 8 bits
 * @ndraws:	number of @draw
 * @draw:	draws
 * @unit:	write-back units: colour, then depth and stencil; word 0 is 0: none
 * @flags:	of the frame
 * @layout:	bits of the tile buffer
 * @skip:	tiles that are in no stream, bit x + 16 y
 * @unsure:	pixels that were not compared, because depths are nearly the same
 */
struct scene {
	struct frame fr;
	u32 width;
	u32 height;
	u32 gpu;
	u32 shift[2];
	u32 pps;
	bool dlbu;
	u32 clear;
	u32 clear_depth;
	u32 clear_stencil;
	u32 ndraws;
	struct sc_draw draw[SC_MAX_DRAWS];
	u32 unit[2][UTF_PP_WB_WORDS];
	u32 flags;
	u32 layout;
	u64 skip[4];
	u32 unsure;
};

void scene_new(struct scene *s);
/* A scene without draws: RGBA8 and Z24S8 in rows, cleared. */
void scene_begin(struct scene *s, u32 width, u32 height);
/* A further draw: replaces pixels, tests nothing. */
struct sc_draw *scene_draw(struct scene *s, enum sc_mode mode);
void scene_vertex(struct sc_draw *d, float x, float y, float z, float w);
/* Colour of the vertices from @first on. */
void scene_color(struct sc_draw *d, u32 first, float r, float g, float b, float a);
/*
 * A program at @va: a value of the rasteriser (enum upp_source, and what it divides by or
 * selects), or varying 0 with @comps components, to registers 0 and 1.
 */
void scene_program(struct scene *s, u32 va, u32 source, u32 perspective, u32 comps);
/* A program that writes the vertices' colour and a second one, for a draw. */
void scene_second(struct scene *s, struct sc_draw *d, const float c[4]);
/* Make both frames. */
void scene_make(struct scene *s);
/* Make and execute both. Return: no fault. */
bool scene_run(struct scene *s, const struct frame_run *how, struct vs_fault *fault);
/* Only the second one. */
bool scene_pixels(struct scene *s, const struct frame_run *how, struct vs_fault *fault);

/* Pixel of an image in rows. */
static inline u32 scene_at(struct scene *s, u32 va, u32 x, u32 y)
{
	return frame_at(&s->fr, va)[y * s->width + x];
}

/* Compare the images with the model. Return: largest difference; depth and stencil: 1000. */
u32 scene_compare(struct scene *s);

#endif /* SELFTESTS_UTGARD_SCENE_H */
