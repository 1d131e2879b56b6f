/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * PICA200 pictures: from triangles to the frame buffer in memory. The chip has no tiles of its own;
 * a draw reads and writes its pixels in memory, in the order of the list.
 *
 *	pica_paint.c	triangles: queue, quaternions, clip volume, viewport
 *	pica_walk.c	coverage, interpolation, fragments of a quad
 *	pica_tex.c	texture units 0 to 2
 *	pica_proctex.c	texture unit 3
 *	pica_light.c	fragment lighting
 *	pica_comb.c	combiners, fog
 *	pica_fp.h	lighting and combiners for 64 fragments at a time
 *	pica_out.c	tests, blending, formats of the frame buffer
 *
 * Registers are decoded once a draw, into struct pica_frag. All arithmetic is integers or binary32
 * in integers, but for weights, which the rasteriser's builds calculate with equal results, and for
 * the builds of pica_fp.h.
 */
#ifndef PICA_PAINT_H
#define PICA_PAINT_H

#include "../../engine/softfloat.h"
#include "../../engine/vs_debug.h"
#include "../../raster/vs_raster.h"
#include "pica_regs.h"

#define PICA_NUM_PAINT_REGS	0x200	/* registers that a picture depends on */
#define PICA_NUM_LIGHT_LUTS	24
#define PICA_NUM_UNITS		3
#define PICA_NUM_STAGES		6
#define PICA_NUM_LIGHTS		8
#define PICA_MAX_LEVELS		8	/* 1024 to 8 */

#define PICA_ONE		0x3f800000u
#define PICA_TWO		0x40000000u
#define PICA_HALF		0x3f000000u

/* Words of a vertex by semantic, as in the results. */
enum {
	PICA_V_POS = 0, PICA_V_QUAT = 4, PICA_V_COLOUR = 8, PICA_V_TC0 = 12, PICA_V_TC1 = 14,
	PICA_V_TC0W = 16, PICA_V_VIEW = 18, PICA_V_TC2 = 22, PICA_V_WORDS = 24
};

/* Tables of struct pica_luts @light. */
enum {
	PICA_LUT_D0, PICA_LUT_D1, PICA_LUT_SP, PICA_LUT_FR, PICA_LUT_RB, PICA_LUT_RG, PICA_LUT_RR,
	PICA_LUT_SP0 = 8, PICA_LUT_DA0 = 16
};

/**
 * struct pica_luts - Tables that ports fill.
 * @light:	lighting
 * @fog:	fog
 * @noise:	unit 3: noise
 * @map:	unit 3: map of colour, of alpha
 * @colour:	unit 3: colours
 * @diff:	unit 3: their differences
 */
struct pica_luts {
	u32 light[PICA_NUM_LIGHT_LUTS][256];
	u32 fog[128];
	u32 noise[128];
	u32 map[2][128];
	u32 colour[256];
	u32 diff[256];
};

/**
 * struct pica_texunit - Texture unit of a draw.
 * @on:		enabled
 * @type:	enum pica_tex_type
 * @format:	0 to 13, others are not readable
 * @wrap:	of s, t
 * @mag:	linear
 * @min:	linear
 * @mip:	linear
 * @coord:	first word of its coordinates in a vertex
 * @border:	r, g, b, a
 * @size:	width and height of each level
 * @fsize:	"; binary32
 * @offset:	of each level from the face's address, bytes
 * @lod:	least and largest LOD, 8 fractional bits
 * @bias:	", of the LOD
 * @addr:	of each face
 * @shadow:	PICA_REG_TEX0_SHADOW
 */
struct pica_texunit {
	bool on;
	u8 type;
	u8 format;
	u8 wrap[2];
	bool mag;
	bool min;
	bool mip;
	u8 coord;
	u8 border[4];
	u32 size[PICA_MAX_LEVELS][2];
	u32 fsize[PICA_MAX_LEVELS][2];
	u32 offset[PICA_MAX_LEVELS];
	s32 lod[2];
	s32 bias;
	u64 addr[6];
	u32 shadow;
};

enum pica_tex_type {
	PICA_TEX_2D, PICA_TEX_CUBE, PICA_TEX_SHADOW, PICA_TEX_PROJECTION, PICA_TEX_SHADOW_CUBE,
	PICA_TEX_OFF
};

/* Colour operations of the frame buffer. */
enum { PICA_MODE_COLOUR, PICA_MODE_GAS, PICA_MODE_SHADOW = 3 };

/**
 * struct pica_frag - State of a draw's picture.
 * @model:	enum pica_model
 * @switches:	PICA_SW_*
 * @r:		registers at the draw
 * @luts:	tables at the draw
 * @width:	of the frame
 * @height:	"
 * @block:	log2 of the side of its blocks
 * @half:	viewport: half width, half height; binary32
 * @corner:	"; pixels
 * @plane:	user clip plane; binary32
 * @depth:	scale, offset; binary32
 * @w_buffer:	depth is multiplied by w
 * @rs:		setup
 * @exclude:	pixels in @box are dropped
 * @box:	x0, y0, x1, y1, y downwards
 * @words:	words of a vertex that are interpolated
 * @unit:	texture units
 * @lit:	fragment lighting is on
 * @mode:	PICA_MODE_*
 * @colour:	address of the colour buffer
 * @zs:		address of the depth buffer
 * @cformat:	format of colours
 * @cbytes:	bytes of a colour
 * @zbits:	bits of depth
 * @zbytes:	bytes of depth and stencil
 * @cmask:	components that are written
 * @reads:	colours are read
 * @source_weight: of a fragment's texels
 * @weight:	of the rest of it
 * @block_weight: of lighting and combiners of a block's lanes
 */
struct pica_frag {
	u32 model;
	u32 switches;
	u32 r[PICA_NUM_PAINT_REGS];
	const struct pica_luts *luts;
	u32 width;
	u32 height;
	u32 block;
	u32 half[2];
	s32 corner[2];
	u32 plane[4];
	u32 depth[2];
	bool w_buffer;
	struct vr_state rs;
	bool exclude;
	s32 box[4];
	u32 words;
	struct pica_texunit unit[PICA_NUM_UNITS];
	bool lit;
	u32 mode;
	u64 colour;
	u64 zs;
	u32 cformat;
	u32 cbytes;
	u32 zbits;
	u32 zbytes;
	u32 cmask;
	bool reads;
	u32 source_weight;
	u32 weight;
	u32 block_weight;
};

#define PICA_MAX_CORNERS	(3 + 8)		/* a plane adds one at most */

/**
 * struct pica_corner - Corner of a clipped triangle.
 * @v:		vertex
 * @at:		in the window
 * @z:		depth, or depth times w
 */
struct pica_corner {
	u32 v[PICA_V_WORDS];
	struct vr_vertex at;
	u32 z;
};

/* Sources of combiners; others are 0. */
enum {
	PICA_SRC_PRIMARY, PICA_SRC_LIGHT0, PICA_SRC_LIGHT1,
	PICA_SRC_TEX0, PICA_SRC_TEX1, PICA_SRC_TEX2, PICA_SRC_TEX3,
	PICA_SRC_BUFFER = 13, PICA_SRC_CONSTANT, PICA_SRC_PREVIOUS, PICA_NUM_SRCS
};

/* Steps of a fragment that a debugger sees: enum drm_vshader_debug_fragment. */
enum pica_step {
	PICA_STEP_BEGIN, PICA_STEP_TEXTURE, PICA_STEP_NORMAL, PICA_STEP_LIGHT, PICA_STEP_TERMS,
	PICA_STEP_LIT, PICA_STEP_COMBINER, PICA_STEP_ALPHA, PICA_STEP_FOG, PICA_STEP_DEPTH,
	PICA_STEP_COLOUR, PICA_STEP_SHADOW
};

/**
 * struct pica_watch - A pixel whose fragments a debugger sees.
 * @dbg:	debugger, or NULL
 * @draw:	current draw
 * @list_offset: where it is in the list
 * @x:		column
 * @y:		row
 */
struct pica_watch {
	struct vs_debug *dbg;
	u32 draw;
	u32 list_offset;
	u32 x;
	u32 y;
};

/**
 * struct pica_pixel - A fragment.
 * @watch:	it is seen; or NULL
 * @x:		column
 * @y:		row, downwards
 * @z:		depth, binary32, 0 to 1
 * @v:		interpolated words of a vertex
 * @src:	sources of combiners: r, g, b, a
 * @out:	colour
 */
struct pica_pixel {
	const struct pica_watch *watch;
	u32 x;
	u32 y;
	u32 z;
	u32 v[PICA_V_WORDS];
	u8 src[PICA_NUM_SRCS][4];
	u8 out[4];
};

/**
 * struct pica_lanes - Fragments of a block of 8 x 8 pixels, four of a quad side by side.
 * @src:	sources of combiners: r, g, b, a
 * @out:	colour
 * @next:	combiners: what is written to the buffer
 * @at:		texture units: texel at level 0, 8 fractional bits
 * @placed:	lanes that have @at
 * @lit:	lanes whose lighting is done
 * @cover:	lanes that are drawn
 */
struct pica_lanes {
	u8 src[PICA_NUM_SRCS][4][VS_LANES];
	u8 out[4][VS_LANES];
	u8 next[4][VS_LANES];
	s32 at[PICA_NUM_UNITS][2][VS_LANES];
	u64 placed[PICA_NUM_UNITS];
	u64 lit;
	u64 cover;
};

/* Accesses to memory, by cache: buffers are often as far apart as the caches are large. */
enum pica_mem_use { PICA_MEM_TEXTURE, PICA_MEM_DEPTH, PICA_MEM_COLOUR, PICA_MEM_USES };

/**
 * struct pica_mem - Accesses to memory.
 * @map:	address space
 * @tlb:	its caches
 * @bad:	an access has failed:
 * @fault:	its fault
 */
struct pica_mem {
	const struct vs_map *map;
	struct vs_tlb tlb[PICA_MEM_USES];
	bool bad;
	struct vs_fault fault;
};

/**
 * struct pica_paint - Painting of a job: state between two slices.
 * @mem:	memory
 * @frag:	state of the draw
 * @charge:	weight to account for
 * @corner:	clipped triangle
 * @uncut:	before the current clip plane
 * @ncorners:	number of @corner
 * @fan:	next triangle of the fan
 * @in_prim:	@prim is being drawn
 * @in_tile:	@walk is in progress
 * @prim:	current triangle
 * @z:		depth of its corners
 * @inv_w:	"
 * @v:		vertices of its corners
 * @tile:	next tile: column, row
 * @walk:	coverage
 * @block:	8 x 8 pixels
 * @quad:	next quad of it
 * @pixel:	next fragment of the quad to be written
 * @w:		weights, with perspective
 * @w_linear:	weights without
 * @values:	corners' values, for each quad
 * @lane:	interpolated words
 * @depth:	interpolated depth
 * @lanes:	fragments of the block
 * @shading:	their sources are known: @quad is the next one to be written
 * @px:		fragments of a quad
 * @watch:	pixel that is debugged
 */
struct pica_paint {
	struct pica_mem mem;
	const struct pica_frag *frag;
	u64 charge;
	struct pica_corner corner[PICA_MAX_CORNERS];
	struct pica_corner uncut[PICA_MAX_CORNERS];
	u32 ncorners;
	u32 fan;
	bool in_prim;
	bool in_tile;
	struct vr_prim prim;
	u32 z[3];
	u32 inv_w[3];
	const u32 *v[3];
	u32 tile[2];
	struct vr_walk walk;
	struct vr_block block;
	u32 quad;
	u32 pixel;
	struct vr_weights w;
	struct vr_weights w_linear;
	u32 values[VR_QUADS][3];
	u32 lane[PICA_V_WORDS][VS_LANES];
	u32 depth[VS_LANES];
	struct pica_lanes lanes;
	bool shading;
	struct pica_pixel px[4];
	struct pica_watch watch;
};

/* Record a step of a fragment. */
static inline void pica_note(const struct pica_pixel *px, enum pica_step step, u32 n,
			     const u32 v[6])
{
	if (unlikely(px->watch))
		vs_debug_fragment(px->watch->dbg, px->watch->draw, step, n, v);
}

static inline u32 pica_word(const u8 c[4])
{
	return c[0] | c[1] << 8 | c[2] << 16 | (u32)c[3] << 24;
}

/* ---- numbers ---- */

static inline u32 pf_add(u32 a, u32 b)
{
	return sf_add(a, b, false);
}

static inline u32 pf_sub(u32 a, u32 b)
{
	return sf_sub(a, b, false);
}

static inline u32 pf_mul(u32 a, u32 b)
{
	return sf_mul(a, b, false);
}

static inline u32 pf_div(u32 a, u32 b)
{
	return sf_div(a, b, false);
}

static inline u32 pf_int(s32 a)
{
	return sf_from_int(a, SF_RTE);
}

static inline u32 pf_neg(u32 a)
{
	return a ^ 0x80000000u;
}

static inline u32 pf_abs(u32 a)
{
	return a & 0x7fffffff;
}

static inline bool pf_is_neg(u32 a)
{
	return a >> 31 && a << 1;
}

/* NaN and below 0: 0. Above 1: 1. */
static inline u32 pf_clamp01(u32 a)
{
	return a >> 31 || a > 0x7f800000 ? 0 : min_t(u32, a, PICA_ONE);
}

static inline s32 pica_signed(u32 word, u32 at, u32 bits)
{
	return (s32)(word << (32 - at - bits)) >> (32 - bits);
}

/* Largest integer that is not above f * 2^shift, up to 2^40 either way; NaN: 0. */
s64 pica_fix(u32 f, s32 shift);
/* Component of a colour, 0 to 255, to the nearest; or truncated. */
u32 pica_unorm8(u32 f, bool nearest);

/* ---- memory ---- */

bool pica_get_slow(struct pica_mem *m, enum pica_mem_use use, u64 va, void *to, u32 n);
bool pica_put_slow(struct pica_mem *m, enum pica_mem_use use, u64 va, const void *from, u32 n);
void pica_mem_init(struct pica_mem *m, const struct vs_map *map);

/* Bytes in the extent of the last access to the page, or NULL. */
static __always_inline u8 *pica_hit(struct pica_mem *m, enum pica_mem_use use, u64 va, u32 n,
				    u32 need)
{
	const struct vs_extent *e = vs_tlb_hit(&m->tlb[use], va);

	if (!e || (e->flags & need) != need)
		return NULL;
	return vs_bounded_ptr(e->kva, e->hi - e->lo, va - e->lo, n);
}

/* Read or write a few bytes. Return: false: fault. */
static __always_inline bool pica_get(struct pica_mem *m, enum pica_mem_use use, u64 va, void *to,
				     u32 n)
{
	const u8 *from = pica_hit(m, use, va, n, 0);

	if (!from)
		return pica_get_slow(m, use, va, to, n);
	memcpy(to, from, n);
	return true;
}

static __always_inline bool pica_put(struct pica_mem *m, enum pica_mem_use use, u64 va,
				     const void *from, u32 n)
{
	u8 *to = pica_hit(m, use, va, n, VS_EXT_WRITE);

	if (!to)
		return pica_put_slow(m, use, va, from, n);
	memcpy(to, from, n);
	return true;
}

extern const u16 pica_spread[32];

/* Index of a pixel in its block of side 1 << @log2, of at most 32. */
static inline u32 pica_morton(u32 x, u32 y, u32 log2)
{
	u32 mask = (1U << log2) - 1;

	return pica_spread[x & mask] | pica_spread[y & mask] << 1;
}

/* pica_frag.c */
bool pica_paints(const u32 *regs);
void pica_frag_decode(struct pica_frag *f, const u32 *regs);

/* pica_paint.c */
void pica_paint_triangle(struct pica_paint *p, const u32 v[3][PICA_V_WORDS]);
bool pica_paint_setup(struct pica_paint *p);

/* pica_walk.c */
bool pica_paint_is_busy(const struct pica_paint *p);
void pica_paint_step(struct pica_paint *p, enum vs_simd simd, u64 weight);

/* pica_tex.c, pica_proctex.c */
extern const u8 pica_quad_pair[4][2];
s32 pica_tex_log2_fixed(u64 v);
void pica_tex_quad(struct pica_paint *p, u32 unit, u32 cover);
bool pica_proctex_is_defined(const u32 *r);
const u32 *pica_proctex_coords(const struct pica_frag *f, const struct pica_pixel *px);
s32 pica_proctex_lod(const struct pica_frag *f, const struct pica_pixel px[4]);
void pica_proctex(const struct pica_frag *f, struct pica_pixel *px, s32 lod);

/* pica_light.c */
void pica_light(const struct pica_frag *f, struct pica_pixel *px);

/* pica_comb.c */
void pica_combine(const struct pica_frag *f, struct pica_pixel *px);
void pica_fog(const struct pica_frag *f, struct pica_pixel *px);

/* pica_out.c */
bool pica_compare(u32 func, u32 a, u32 b);
void pica_output(struct pica_paint *p, struct pica_pixel *px);
void pica_unpack_colour(u32 format, const u8 *bytes, u8 c[4]);
void pica_pack_colour(u32 format, const u8 c[4], u8 *bytes);

/* pica_gx.c */
const char *pica_gx_reason_text(u32 reason);

#endif /* PICA_PAINT_H */
