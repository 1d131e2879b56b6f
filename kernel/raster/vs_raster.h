/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Rasteriser: from corners in window coordinates to quads of covered pixels, their depth and
 * the weights of varyings. No DRM, no ISA. Coverage is calculated in integers.
 *
 * How a fragment job uses it, for each tile of 64 x 64 pixels:
 *
 *	for each primitive that may meet the tile, in order:
 *		vr_setup_triangle(), vr_setup_line() or vr_setup_point()
 *		vr_walk_begin(), vr_plane()
 *		while (vr_walk_next()): quads of 8 x 8 pixels
 *			vr_plane_quad(): depth, near and far plane
 *
 * Functions with a simd argument use floating point: call them in FPU sections, or with
 * VS_SIMD_PORTABLE. Both builds have the same results.
 *
 * No function takes longer than a few microseconds: callers charge weight and look for
 * cancellation between calls. All input may be hostile: any bits are accepted wherever no range
 * is stated, and what cannot be drawn covers nothing.
 *
 * Arithmetic: window coordinates have 8 sub-pixel bits. |x|, |y| are at most 2^36 pixels, that
 * is 2^44 units; corners farther away move towards the origin, see struct vr_corner.
 */
#ifndef VS_RASTER_H
#define VS_RASTER_H

#include "../engine/vs_block.h"

#define VR_SUBPIXEL_BITS	8
#define VR_ONE			256	/* units in a pixel */
#define VR_TILE			64	/* pixels a side */
#define VR_BLOCK		8	/* pixels a side that vr_walk_next() returns */
#define VR_QUADS		16	/* in a block */
#define VR_MAX_SIZE		65536	/* pixels of a frame, a side */
#define VR_MAX_SAMPLES		16	/* 1, 4, 8 or 16 of a pixel */
#define VR_MAX_EDGES		4

#define vr_s128 __int128

/**
 * struct vr_vertex - A vertex in window coordinates, y downwards: binary32 patterns.
 * @x:		pixels
 * @y:		pixels
 * @z:		depth
 * @inv_w:	1 / w: negative behind the eye
 */
struct vr_vertex {
	u32 x;
	u32 y;
	u32 z;
	u32 inv_w;
};

/* ---- primitive assembly ---- */

enum vr_mode {
	VR_POINTS, VR_LINES, VR_LINE_STRIP, VR_LINE_LOOP, VR_TRIANGLES, VR_TRIANGLE_STRIP,
	VR_TRIANGLE_FAN, VR_POLYGON, VR_QUADS_LIST, VR_QUAD_STRIP, VR_NUM_MODES
};

/**
 * struct vr_corners - A primitive made of vertices.
 * @n:		1: point, 2: line, 3: triangle
 * @provoking:	corner whose flat varyings count, below @n
 * @primitive:	number of the primitive; both halves of a quad have the same
 * @index:	vertices
 */
struct vr_corners {
	u8 n;
	u8 provoking;
	u32 primitive;
	u32 index[3];
};

/**
 * struct vr_assembly - State of primitive assembly between two indices.
 * @mode:	enum vr_mode
 * @first:	the first vertex is the provoking one, else the last
 * @have:	vertices since the last restart, saturated
 * @primitive:	number of the next primitive
 * @v:		vertices that later primitives use
 */
struct vr_assembly {
	u32 mode;
	bool first;
	u32 have;
	u32 primitive;
	u32 v[4];
};

/* Most primitives that one index completes. */
#define VR_MAX_ASSEMBLED	2

/**
 * vr_assembly_begin - start a draw
 * @a: state
 * @mode: enum vr_mode; others draw nothing
 * @first: the first vertex is provoking
 */
void vr_assembly_begin(struct vr_assembly *a, u32 mode, bool first);

/**
 * vr_assemble - add the next index of the draw
 * @a: state
 * @index: vertex
 * @out: completed primitives
 *
 * Return: number of completed primitives.
 */
u32 vr_assemble(struct vr_assembly *a, u32 index, struct vr_corners out[VR_MAX_ASSEMBLED]);

/**
 * vr_assemble_restart - end the strip, at a restart index or at the end of the draw
 * @a: state
 * @out: completed primitives: a loop's last line
 *
 * Return: number of completed primitives, at most 1.
 */
u32 vr_assemble_restart(struct vr_assembly *a, struct vr_corners out[VR_MAX_ASSEMBLED]);

/* ---- setup ---- */

#define VR_FRONT_CCW		0x1	/* counter-clockwise triangles, as seen, show their front */
#define VR_CULL_FRONT		0x2
#define VR_CULL_BACK		0x4
/* Ends of lines are parallel to the axes, else at right angles to the line. */
#define VR_LINE_ALIGNED		0x8
/*
 * Three corners are those of a rectangle parallel to the axes: all pixels whose centres are in
 * their box are covered, with all samples. Depth and varyings are in the plane of the corners.
 */
#define VR_RECTANGLE		0x10

/**
 * struct vr_state - Fixed state of a draw that setup and coverage need.
 * @flags:	VR_*
 * @samples:	1, 4, 8 or 16; others count as 1
 * @sample_mask: samples that may be covered; single ones have bit 0
 * @width:	of the frame, at most VR_MAX_SIZE
 * @height:	of the frame
 * @scissor:	first and last column and row: x0, y0, x1, y1
 */
struct vr_state {
	u32 flags;
	u32 samples;
	u32 sample_mask;
	u32 width;
	u32 height;
	u32 scissor[4];
};

/**
 * struct vr_corner - A snapped vertex.
 * @x:		1/256 pixels, at most 2^44 either way
 * @y:		"
 * @exp:	the vertex is 2^@exp times as far from the origin as @x and @y say. Only beyond
 *		2^36 pixels; keeps the direction to 2^-20
 * @behind:	w is negative
 *
 * A vertex is snapped independently of its primitive, and edges are calculated exactly from
 * snapped corners: of two primitives that share an edge, exactly one covers a point on it.
 */
struct vr_corner {
	s64 x;
	s64 y;
	u8 exp;
	bool behind;
};

/* VR_RECT: all pixels of the scissor. */
enum vr_kind { VR_TRIANGLE, VR_LINE, VR_POINT, VR_RECT };

/**
 * struct vr_edge - Half plane a x + b y + c >= 0, x and y in 1/256 pixels.
 * @a:		at most 2^46 either way
 * @b:		"
 * @c:		at most 2^92; one less if the edge itself is not inside
 * @open:	1 if the edge itself is not inside: a x + b y + c + @open is the edge function
 */
struct vr_edge {
	s64 a;
	s64 b;
	vr_s128 c;
	u8 open;
};

/**
 * struct vr_prim - A primitive that may cover pixels.
 * @kind:	enum vr_kind
 * @nedges:	3 for triangles, 0 for rectangles: @box, else 4
 * @back:	the triangle shows its back
 * @wide:	a corner is beyond 2^15 pixels: edge functions may need more than 50 bits
 * @edge:	insides. Edge i of a triangle is opposite to corner i; edges 0 and 1 of a
 *		line are its ends at corner 1 and 0
 * @sign:	1, or -1 where the edge function was negated, as the corner is behind the eye
 * @exp:	of the corners
 * @shift:	right shift that makes edge functions of covered pixels fit in 53 bits
 * @box:	pixels that may be covered, inside of frame and scissor: x0, y0, x1, y1
 * @samples:	of a pixel
 * @sample_mask: samples of the draw
 * @at:		points: upper left corner, in 1/512 pixels; the point's coordinate at x is
 *		(2 x - @at) / (2 @size)
 * @size:	points: size in 1/256 pixels
 */
struct vr_prim {
	u8 kind;
	u8 nedges;
	bool back;
	bool wide;
	struct vr_edge edge[VR_MAX_EDGES];
	s8 sign[3];
	u8 exp[3];
	u8 shift[3];
	s32 box[4];
	u32 samples;
	u32 sample_mask;
	s64 at[2];
	s64 size;
};

/**
 * vr_setup_triangle - prepare a triangle
 * @p: result
 * @st: state
 * @v: corners; those with w <= 0 are allowed
 *
 * A triangle that reaches behind the eye covers the part in front of it: no polygon is clipped.
 * With window coordinates (x / w, y / w), the homogeneous edge function of edge i is that of the
 * window, times the signs of w of its two ends.
 *
 * Return: false: it covers nothing: culled, empty, outside, or a coordinate is not finite.
 */
bool vr_setup_triangle(struct vr_prim *p, const struct vr_state *st,
		       const struct vr_vertex *const v[3]);

/* Snap a vertex. Return: false: a coordinate is not finite, no triangle with it covers anything. */
bool vr_snap(struct vr_corner *c, const struct vr_vertex *v);

/**
 * vr_triangle_pixels - pixels that a triangle may cover
 * @box: pixels that may be drawn, reduced to those of them: x0, y0, x1, y1
 * @flags: VR_FRONT_CCW, VR_CULL_*
 * @samples: of a pixel, as in struct vr_state; 0: unknown
 * @c: corners
 *
 * Return: false: none, as vr_setup_triangle() refuses it.
 */
bool vr_triangle_pixels(s32 box[4], u32 flags, u32 samples, const struct vr_corner c[3]);

/**
 * vr_setup_line - prepare a line
 * @p: result
 * @st: state
 * @v: ends
 * @width: binary32, in pixels
 *
 * A rectangle; with VR_LINE_ALIGNED a parallelogram whose ends are horizontal or vertical,
 * @width pixels of the minor axis, as OpenGL has it without multisampling.
 *
 * Return: false: it covers nothing.
 */
bool vr_setup_line(struct vr_prim *p, const struct vr_state *st,
		   const struct vr_vertex *const v[2], u32 width);

/**
 * vr_setup_point - prepare a point, a square
 * @p: result
 * @st: state
 * @v: centre
 * @size: binary32, in pixels
 *
 * Return: false: it covers nothing.
 */
bool vr_setup_point(struct vr_prim *p, const struct vr_state *st, const struct vr_vertex *v,
		    u32 size);

/* Set up all pixels of the scissor. Return: false: there are none. */
bool vr_setup_rect(struct vr_prim *p, const struct vr_state *st);

/* Is one value valid for all of the primitive: has it one corner? */
static inline bool vr_is_flat(const struct vr_prim *p)
{
	return p->kind == VR_POINT || p->kind == VR_RECT;
}

/* Position of a sample in its pixel, 1/256; @samples: 1, 4, 8, 16, @sample below it. */
void vr_sample_place(u32 samples, u32 sample, s32 *x, s32 *y);
/* Least distance of the samples from the pixel's left and upper side, 1/256. */
static inline s32 vr_sample_inset(u32 samples)
{
	return samples == 1 ? VR_ONE / 2 : samples == 4 ? VR_ONE / 8 :
	       samples == 8 ? VR_ONE / 16 : 0;
}

/* ---- coverage ---- */

/*
 * Coverage of a quad: 64 bits, a bit for each sample, 16 bits for each pixel, the pixels (0, 0),
 * (1, 0), (0, 1), (1, 1) upwards.
 */
#define VR_SAMPLE(k, s)		(1ULL << (16 * (k) + (s)))
#define VR_PIXEL(cover, k)	((u32)((cover) >> (16 * (k))) & 0xffff)
#define VR_EACH_PIXEL(samples)	(0x0001000100010001ULL * (samples))

/**
 * struct vr_block - Covered quads of 8 x 8 pixels.
 * @x:		first column, a multiple of 8
 * @y:		first row
 * @quads:	quads that are covered in part; quad q is at 2 * (q % 4), 2 * (q / 4)
 * @whole:	all pixels are covered, with one sample each; not of small primitives
 * @cover:	coverage of each quad of @quads
 */
struct vr_block {
	u16 x;
	u16 y;
	u16 quads;
	bool whole;
	u64 cover[VR_QUADS];
};

/**
 * struct vr_walk - A primitive in a tile.
 * @small:	edges are packed, see walk.c
 * @packed:	values of packed edges at the first quad of the box; of other samples than the first
 *		one, less those
 * @plain:	there are three, of one sample
 * @nedges:	edges that cross the tile, if they are not packed
 * @e:		value at the tile's origin, at most 2^61 either way
 * @a:		step of a column; of packed edges of a quad
 * @b:		step of a row; of packed edges of a quad
 * @lo:		least value of a block's samples, less that at its origin
 * @hi:		largest value of a block's samples
 * @place:	values of a quad's samples, less that at its origin; pixel 4 * sample + pixel
 * @full:	coverage of a quad that is inside
 * @samples:	of a pixel
 * @x:		columns of the tile: the first and the last that may be covered
 * @y:		rows
 * @at:		next block
 * @tile:	origin of the tile, pixels
 */
struct vr_walk {
	bool small;
	bool plain;
	u64 packed[VR_MAX_SAMPLES][VR_MAX_EDGES];
	u32 nedges;
	s64 e[VR_MAX_EDGES];
	s64 a[VR_MAX_EDGES];
	s64 b[VR_MAX_EDGES];
	s64 lo[VR_MAX_EDGES];
	s64 hi[VR_MAX_EDGES];
	s64 place[VR_MAX_EDGES][4 * VR_MAX_SAMPLES];
	u64 full;
	u8 samples;
	u8 x[2];
	u8 y[2];
	u8 at[2];
	u32 tile[2];
};

/**
 * vr_walk_begin - start on a tile
 * @w: state
 * @p: primitive
 * @tx: tile's column, in tiles
 * @ty: tile's row
 *
 * Return: false: the primitive covers nothing of the tile.
 */
bool vr_walk_begin(struct vr_walk *w, const struct vr_prim *p, u32 tx, u32 ty);

/**
 * vr_walk_next - the next block of the tile that is covered, row by row
 * @w: state
 * @b: block
 *
 * Return: false: there are no more.
 */
bool vr_walk_next(struct vr_walk *w, struct vr_block *b);
/* Return: false: vr_walk_next() finds no more. */
static inline bool vr_walk_more(const struct vr_walk *w)
{
	return w->at[1] * VR_BLOCK <= w->y[1];
}

/* Coverage of one quad of the tile; @x, @y: of the frame, even. */
u64 vr_walk_quad(const struct vr_walk *w, u32 x, u32 y);

/* ---- depth ---- */

#define VR_DEPTH_OFFSET_FRONT	0x1	/* polygon offset of triangles that show their front */
#define VR_DEPTH_OFFSET_BACK	0x8
#define VR_DEPTH_OFFSET		(VR_DEPTH_OFFSET_FRONT | VR_DEPTH_OFFSET_BACK)
#define VR_DEPTH_CLIP_NEAR	0x2	/* samples in front of @range are not covered */
#define VR_DEPTH_CLIP_FAR	0x4	/* samples behind @range are not covered */

/**
 * struct vr_depth - Fixed state of a draw's depth; numbers are binary32 patterns.
 * @flags:	VR_DEPTH_*
 * @range:	least and largest depth, in any order; depth is clamped to it, clipped depth with an
 *		offset to 0 to 1
 * @factor:	polygon offset: times the largest slope, in depth per pixel
 * @units:	polygon offset: times the resolution
 * @clamp:	largest or, if negative, least offset; 0: none
 * @bits:	resolution is 2^-@bits, 1 to 32; else of binary32 at the largest depth
 */
struct vr_depth {
	u32 flags;
	u32 range[2];
	u32 factor;
	u32 units;
	u32 clamp;
	u32 bits;
};

/**
 * struct vr_plane - Depth over a primitive; linear in the window.
 * @z:		depth at the origin, binary64; clipped by the range
 * @moved:	the same with polygon offset
 * @dz:		step of 1/256 pixel to the right, downwards
 * @x:		origin, pixels
 * @y:		"
 * @lo:		least depth, binary32
 * @hi:		largest depth, binary32
 * @flags:	VR_DEPTH_*
 * @samples:	of a pixel
 * @offset:	there is a polygon offset
 * @inside:	depths of all quads of the primitive's box are in the range: none is clamped or
 *		clipped
 */
struct vr_plane {
	u64 z;
	u64 moved;
	u64 dz[2];
	s32 x;
	s32 y;
	u32 lo;
	u32 hi;
	u32 flags;
	u32 samples;
	bool offset;
	bool inside;
};

/**
 * vr_plane - prepare the depth of a primitive
 * @simd: executor
 * @plane: result
 * @p: primitive
 * @d: state
 * @z: of the corners, binary32
 */
void vr_plane(enum vs_simd simd, struct vr_plane *plane, const struct vr_prim *p,
	      const struct vr_depth *d, const u32 z[3]);

/**
 * vr_plane_quad - depth of the samples of a quad that has pixels of the primitive's box
 * @simd: executor
 * @plane: depth of the primitive
 * @x: column of the quad
 * @y: row of the quad
 * @cover: coverage
 * @z: result, binary32: pixel + 4 * sample
 *
 * NaNs become the least depth.
 *
 * Return: coverage without samples that near and far plane clip.
 */
u64 vr_plane_quad(enum vs_simd simd, const struct vr_plane *plane, u32 x, u32 y, u64 cover,
		  u32 z[4 * VR_MAX_SAMPLES]);

/* ---- varyings ---- */

/**
 * struct vr_weights - Weights of the corners' varyings at the lanes of a block: binary64.
 * @w:		of each corner; their sum is 1
 */
struct vr_weights {
	u64 w[3][VS_LANES];
};

/**
 * vr_edge_values - edge functions at a point, for weights of one's own
 * @p: primitive
 * @x: 1/256 pixels, in the frame
 * @y: 1/256 pixels
 * @e: of each corner, below 2^53 at covered pixels. The corner's weight is proportional to
 *	@e * 2^(shift + exp) / w, with members of @p
 */
void vr_edge_values(const struct vr_prim *p, s32 x, s32 y, s64 e[3]);

/**
 * vr_weights_quad - weights of a quad
 * @simd: executor
 * @w: result, lanes 4 * @q to 4 * @q + 3
 * @q: quad of the block
 * @p: primitive
 * @inv_w: of the corners, binary32; NULL: not divided by w
 * @x: column
 * @y: row
 * @at: where in each pixel, x and y, 1/256; NULL: the centre
 */
void vr_weights_quad(enum vs_simd simd, struct vr_weights *w, u32 q, const struct vr_prim *p,
		     const u32 inv_w[3], u32 x, u32 y, const s16 at[4][2]);

/**
 * vr_interpolate - a component of a varying
 * @simd: executor
 * @w: weights
 * @quads: quads of the block
 * @v: binary32 at the corners, of each quad
 * @out: of each lane, binary32; rounded once
 */
void vr_interpolate(enum vs_simd simd, const struct vr_weights *w, u32 quads,
		    const u32 v[VR_QUADS][3], u32 *out);

/* @a / @b, of integers, binary32. */
u32 vr_ratio(enum vs_simd simd, s32 a, s32 b);
/* 1 / @v, of @n numbers, binary32. */
void vr_invert(enum vs_simd simd, const u32 *v, u32 n, u32 *out);

#define VR_FP_PROTOTYPES(suffix)							\
void vr_plane_##suffix(struct vr_plane *plane, const struct vr_prim *p,		\
		       const struct vr_depth *d, const u32 z[3]);			\
u64 vr_plane_quad_##suffix(const struct vr_plane *plane, u32 x, u32 y, u64 cover,	\
			   u32 z[4 * VR_MAX_SAMPLES]);					\
void vr_weights_quad_##suffix(struct vr_weights *w, u32 q, const struct vr_prim *p,	\
			      const u32 inv_w[3], u32 x, u32 y, const s16 at[4][2]);	\
void vr_interpolate_##suffix(const struct vr_weights *w, u32 quads,			\
			     const u32 v[VR_QUADS][3], u32 *out);			\
u32 vr_ratio_##suffix(s32 a, s32 b);							\
void vr_invert_##suffix(const u32 *v, u32 n, u32 *out)

VR_FP_PROTOTYPES(soft);
VR_FP_PROTOTYPES(sse2);
VR_FP_PROTOTYPES(avx2);
VR_FP_PROTOTYPES(neon);

#endif /* VS_RASTER_H */
