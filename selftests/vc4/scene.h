/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes: a memory image with a bin list, shader records, programs and vertices, and the jobs that
 * draw it.
 */
#ifndef SELFTESTS_VC4_SCENE_H
#define SELFTESTS_VC4_SCENE_H

#include "native/native.h"
#include "native/vc4/vc4_cl.h"

#define SC_BASE		0x10000000u
#define SC_SIZE		0x02800000u

/* Where things are, relative to SC_BASE. */
#define SC_LIST		0x00100000u
#define SC_RCL		0x00400000u
#define SC_RECORDS	0x00600000u
#define SC_UNIFORMS	0x00700000u
#define SC_CODE		0x00780000u
#define SC_VERTICES	0x00800000u
#define SC_INDICES	0x00c00000u
#define SC_TILES	0x01000000u
#define SC_TILES_SIZE	0x00080000u
#define SC_MORE		0x01100000u
#define SC_MORE_SIZE	0x00f00000u
#define SC_COLOR	0x02000000u
#define SC_ZS		0x02200000u
#define SC_FULL_COLOR	0x02400000u
#define SC_FULL_ZS	0x02600000u

extern u8 *sc_mem;

struct sc_vertex {
	float at[4];		/* clip coordinates */
	float vary[4];
};

enum sc_layout { SC_RASTER, SC_T, SC_LT };

/**
 * struct scene - A frame.
 * @width:	pixels
 * @height:	"
 * @ms:		four samples
 * @at:		next byte of the bin list
 * @records:	next byte of the records
 * @uniforms:	next byte of the uniforms
 * @code:	next byte of programs
 * @nvertices:	vertices so far
 * @nindices:	bytes of indices so far
 * @clear:	clear values
 * @load:	the images are loaded before
 * @layout:	of the images
 * @bytes:	of a pixel: 4 or 2
 * @zs:		depth and stencil are stored
 * @full:	all samples are stored
 * @list:	with a render list
 * @tiles:	bytes for tile lists
 */
struct scene {
	u32 width;
	u32 height;
	bool ms;
	u32 at;
	u32 records;
	u32 uniforms;
	u32 code;
	u32 nvertices;
	u32 nindices;
	u32 clear[4];
	bool load;
	enum sc_layout layout;
	u32 bytes;
	bool zs;
	bool full;
	bool list;
	u32 tiles;
};

/**
 * struct sc_how - How jobs run.
 * @simd:	executor
 * @threads:	workers
 * @budget:	weight
 * @slice:	weight of a slice
 * @counters:	where they count events
 * @counter_bytes: of the counters
 * @dbg:	debugger, or NULL
 * @run:	runs a job to its end instead of @threads workers, or NULL
 * @dump:	name of the jobs in a file of dumps, or NULL
 */
struct sc_how {
	enum vs_simd simd;
	u32 threads;
	u64 budget;
	u32 slice;
	u64 counters;
	u64 counter_bytes;
	struct vs_debug *dbg;
	void (*run)(struct vs_job *job);
	const char *dump;
};

extern struct sc_how sc_how;
extern struct vs_fault sc_fault;

/* Allocate memory, assemble the programs. Return: 0 or an error. */
int sc_init(void);

/* Begin a frame: its bin list has the configuration and common state. */
void sc_begin(struct scene *s, u32 width, u32 height, bool ms);
void sc_8(struct scene *s, u32 v);
void sc_16(struct scene *s, u32 v);
void sc_32(struct scene *s, u32 v);
void sc_float(struct scene *s, float v);
/* Packets of state. */
void sc_config(struct scene *s, u32 b0, u32 b1, u32 b2);
void sc_window(struct scene *s, u32 x, u32 y, u32 w, u32 h);

/* Programs for fragments. */
enum sc_program {
	SC_VARYING,	/* colour of four varyings */
	SC_UNIFORM,	/* colour of a uniform */
	SC_DEPTH,	/* writes depth, then the uniform's colour */
	SC_STENCIL,	/* stencil words of two uniforms, depth, then the third one's colour */
	SC_PLACE,	/* the pixel's x | y << 16 */
	SC_ADD,		/* adds a uniform to the colour of each sample */
	SC_FACE,	/* 1 for the back, the uniform or'ed */
	SC_POINT,	/* coordinates of a point, then four varyings are not read */
	SC_LINE,	/* coordinate of a line as SC_POINT */
	SC_MASK,	/* the sample mask */
	SC_NUM_PROGRAMS
};

/* A shader record with these uniforms of its fragment program: the state of the next draws. */
void sc_state(struct scene *s, enum sc_program fs, u32 nvary, u32 flags, const u32 *uniforms,
	      u32 n);
u32 sc_vertex(struct scene *s, float x, float y, float z, float w, const float vary[4]);
void sc_array(struct scene *s, u32 mode, u32 first, u32 count);
void sc_indexed(struct scene *s, u32 mode, const u16 *index, u32 count, bool bytes);
/* End the bin list. */
void sc_end(struct scene *s);

/* Run a job of words. Return: 0, or the error of the parser; sc_fault. */
int sc_run(u32 format, const u32 *words, u32 n);
/* Bin and render. Return: no fault. */
bool sc_draw(struct scene *s);
int sc_bin(struct scene *s);
int sc_render(struct scene *s);
/* Words of the description of a frame. */
void sc_describe(const struct scene *s, u32 w[VC4_RENDER_DESC_WORDS]);
/* Write a render list as Linux does. Return: its end. */
u32 sc_render_list(const struct scene *s);

/* Offset of a pixel in an image of @s->width, @s->layout. */
u32 sc_offset(const struct scene *s, u32 bytes, u32 x, u32 y);
/* Pixel of an image. */
u32 sc_pixel(const struct scene *s, u32 image, u32 bytes, u32 x, u32 y);
u32 sc_sample(const struct scene *s, u32 image, u32 x, u32 y, u32 sample);

#endif /* SELFTESTS_VC4_SCENE_H */
