/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Control lists of the VideoCore IV: native jobs VC4_BIN and VC4_RENDER, their words, packets and
 * shader records.
 *
 * Sources: VideoCore IV 3D Architecture Reference Guide; Linux's vc4_packet.h and Mesa's vc4 driver
 * for what the guide does not say; numbers only.
 */
#ifndef VS_VC4_CL_H
#define VS_VC4_CL_H

#include "../../raster/vr_mem.h"
#include "vc4_packet.h"

/* Reasons of COMMAND faults; those of lists of threads are below. */
enum vc4_reason {
	VC4_OK,
	VC4_BAD_PACKET = 32,	/* unknown, or not allowed in this list */
	VC4_BAD_END,		/* a packet goes past the end of the list */
	VC4_BAD_ORDER,
	VC4_BAD_VALUE,
	VC4_UNUSED_VALUE,	/* not supported: no open driver uses it */
	VC4_MISSING,		/* a draw without required state */
	VC4_BAD_RECORD,		/* shader record */
	VC4_BAD_LIST,		/* not a tile list that a bin job has written */
	VC4_LIMIT,
	VC4_NUM_REASONS
};

/* ---- words of jobs ---- */

/* VC4_BIN: the list, then ranges for tile lists when their own memory is used up. */
enum vc4_bin_word { VC4_BIN_START, VC4_BIN_END, VC4_BIN_WORDS };
#define VC4_MAX_RANGES	32	/* of two words: address, bytes */

/* VC4_RENDER: a list, or a description of surfaces. */
enum vc4_render_word {
	VC4_RENDER_KIND,	/* enum vc4_render_kind */
	VC4_RENDER_START, VC4_RENDER_END, VC4_RENDER_ZERO, VC4_RENDER_LIST_WORDS,
	VC4_RENDER_SIZE = 1,	/* width, height << 16 */
	VC4_RENDER_TILES,	/* bytes: first column and row, last column and row */
	VC4_RENDER_FLAGS,	/* VC4_RENDER_* */
	VC4_RENDER_COLOR0, VC4_RENDER_COLOR1, VC4_RENDER_Z, VC4_RENDER_S,
	VC4_RENDER_LISTS,	/* tile lists, 0: none */
	VC4_RENDER_COLUMNS,	/* tile lists in a row */
	VC4_RENDER_SURFACES	/* enum vc4_surface, two words each */
};

enum vc4_render_kind { VC4_RENDER_CL, VC4_RENDER_DESC };
enum vc4_surface { VC4_COLOR_READ, VC4_COLOR_WRITE, VC4_ZS_READ, VC4_ZS_WRITE, VC4_MSAA_COLOR_WRITE,
		   VC4_MSAA_ZS_WRITE, VC4_NUM_SURFACES };

#define VC4_RENDER_DESC_WORDS	(VC4_RENDER_SURFACES + 2 * VC4_NUM_SURFACES)
#define VC4_RENDER_CLEAR	0x1	/* tiles begin with the clear values */
#define VC4_RENDER_MS		0x2	/* four samples of a pixel, tiles of 32 x 32 pixels */
/* Second word of a surface: bits as in struct drm_vc4_submit_rcl_surface, flags << 16. */
#define VC4_FULL_RES		0x10000

/* ---- counters ---- */

/*
 * Events that jobs with output_va count, by Linux's numbers. They are added to the counters there;
 * those of other events stay as they are.
 */
enum vc4_event {
	VC4_EV_PRIMS = 1,		/* not reversed, of each tile that has them in its list */
	VC4_EV_QUADS = 3,		/* shaded */
	VC4_EV_NO_STENCIL = 4,		/* of quads whose depth is written: none passes stencil */
	VC4_EV_NO_ZS = 5,		/* none passes both depth and stencil */
	VC4_EV_ZS = 6,			/* some pass both */
	VC4_EV_NO_COVERAGE = 7,		/* quads without samples at the end of their thread */
	VC4_EV_COVERAGE = 8,		/* quads with samples then */
	VC4_EV_COLOR = 9,		/* quads of which colours are written */
	VC4_EV_OUTSIDE = 10,		/* primitives of which nothing is in the clip window */
	VC4_EV_CLIPPED = 11,		/* primitives that are cut at planes, or beyond one */
	VC4_EV_REVERSED = 12,		/* culled faces, of each tile that they are in */
	VC4_EV_VERTEX_CYCLES = 14,	/* VC4_CYCLES for each instruction of a QPU */
	VC4_EV_FRAGMENT_CYCLES = 15,
	VC4_EV_CYCLES = 16,
	VC4_EV_TEXTURE_QUADS = 24,	/* looked up by coordinates */
	VC4_NUM_EVENTS = 30
};

#define VC4_CYCLES	4
#define VC4_COUNTER_BYTES	(VC4_NUM_EVENTS * sizeof(u64))

/* Add @n, by event, to the counters at @va, of 64 bits. Return: 0 or -EFAULT. */
int vc4_add_counters(struct vr_mem *mem, u64 va, const u64 *n);

/* ---- shader records ---- */

#define VC4_MAX_ATTRIBUTES	8
#define VC4_ROWS		64	/* of pipeline memory: words of a vertex */

/**
 * struct vc4_attribute - Attribute array of a shader record.
 * @va:		address
 * @stride:	bytes
 * @bytes:	of an element
 * @row:	first row of pipeline memory: vertex shader, coordinate shader
 */
struct vc4_attribute {
	u32 va;
	u32 stride;
	u32 bytes;
	u8 row[2];
};

enum vc4_stage { VC4_VS, VC4_CS, VC4_FS, VC4_NUM_STAGES };

/**
 * struct vc4_record - Shader record.
 * @va:		address
 * @nv:		vertices are shaded already: @vertices
 * @point_size:	vertices have a size
 * @clips:	primitives are clipped
 * @coords:	of @nv: vertices begin with clip coordinates
 * @nvary:	varyings
 * @code:	of enum vc4_stage
 * @uniforms:	"
 * @nattr:	number of @attr
 * @select:	attributes of vertex shader, coordinate shader
 * @attr:	attribute arrays
 * @vertices:	of @nv
 * @stride:	"
 */
struct vc4_record {
	u32 va;
	bool nv;
	bool point_size;
	bool clips;
	bool coords;
	u32 nvary;
	u32 code[VC4_NUM_STAGES];
	u32 uniforms[VC4_NUM_STAGES];
	u32 nattr;
	u8 select[2];
	struct vc4_attribute attr[VC4_MAX_ATTRIBUTES];
	u32 vertices;
	u32 stride;
};

/* Words of a vertex without clip coordinates of coordinate shaders. */
static inline u32 vc4_vertex_words(const struct vc4_record *r)
{
	return (r->coords ? 4 : 0) + 3 + r->point_size + r->nvary;
}

/* Read the record of a state packet. Return: 0, -EFAULT, or -EPROTO: it is not valid. */
int vc4_record_read(struct vr_mem *mem, struct vc4_record *r, u32 op, u32 word);

/* ---- tile lists: from bin jobs to render jobs ---- */

/*
 * The hardware's format is documented in part only, and drivers do not read it: this one is our
 * own. The initial block of a tile has a head; its primitives are in chunks after the initial
 * blocks.
 */
#define VC4_HEAD_MAGIC		0x314c56f4U	/* no packet begins so */
#define VC4_CHUNK_MAGIC		0x324c56f4U
#define VC4_DRAW_MAGIC		0x334c56f4U
#define VC4_CHUNK_PRIMS		30

/**
 * struct vc4_head - List of a tile.
 * @magic:	VC4_HEAD_MAGIC
 * @first:	first chunk, 0: none
 * @last:	last chunk
 * @n:		its primitives: the others are full
 * @pad:	unused
 */
struct vc4_head {
	u32 magic;
	u32 first;
	u32 last;
	u32 n;
	u32 pad[4];
};

/**
 * struct vc4_chunk - Part of a list.
 * @magic:	VC4_CHUNK_MAGIC
 * @next:	next chunk, 0: none
 * @prim:	struct vc4_prim
 */
struct vc4_chunk {
	u32 magic;
	u32 next;
	u32 prim[VC4_CHUNK_PRIMS];
};

/**
 * struct vc4_corner - Corner that clipping has made.
 * @x:		relative to the viewport's centre, 1/16 pixels
 * @y:		"
 * @z:		binary32
 * @inv_w:	"
 * @weight:	of the primitive's vertices, binary32
 */
struct vc4_corner {
	s32 x;
	s32 y;
	u32 z;
	u32 inv_w;
	u32 weight[3];
};

/**
 * struct vc4_prim - Primitive.
 * @draw:	struct vc4_draw
 * @index:	vertices
 * @n:		number of vertices
 * @provoking:	vertex of flat varyings, below @n
 * @clip:	struct vc4_corner of each corner, 0: corners are the vertices
 * @pad:	unused
 */
struct vc4_prim {
	u32 draw;
	u32 index[3];
	u32 n;
	u32 provoking;
	u32 clip;
	u32 pad;
};

/**
 * struct vc4_draw - State of a draw.
 * @magic:	VC4_DRAW_MAGIC
 * @number:	index of the draw
 * @state:	packet of the shader state
 * @record:	its word
 * @config:	configuration bits
 * @clip:	clip window: left, bottom, width, height
 * @centre:	of the viewport, 1/16 pixels
 * @flat:	flat varyings
 * @point_size:	binary32
 * @line_width:	binary32
 * @offset:	depth offset: factor, units << 16
 * @pad:	unused
 */
struct vc4_draw {
	u32 magic;
	u32 number;
	u32 state;
	u32 record;
	u32 config;
	u16 clip[4];
	s16 centre[2];
	u32 flat;
	u32 point_size;
	u32 line_width;
	u32 offset;
	u32 pad[3];
};

#endif /* VS_VC4_CL_H */
